//! `RubyVM::InstructionSequence`: compiled code to look at and to run. The listing is of Carat's own instructions.
//!
//! # Not here
//! What shows CRuby's inner workings: `to_a`, `to_binary` and the rest of `RubyVM`.

use crate::system::load;
use carat_compile::Options;
use carat_iseq::{IseqKind, IseqRef, LINE_EVENT, disassemble};
use carat_vm::link::LinkedIseq;
use carat_vm::method::MethodKind;
use carat_vm::{
    Array, Block, Class, Data, Ec, Hash, Keywords, NativeData, Rest, Result, Str, Value, Visibility, methods,
};
use std::sync::Arc;

/// Contents of an `InstructionSequence`.
struct Sequence {
    code: Code,
    /// As `compile` was told it.
    real_path: Option<String>,
}

#[derive(Clone)]
enum Code {
    /// A source as a whole: it can be run.
    Top(IseqRef),
    Linked(Arc<LinkedIseq>),
    Inner(IseqRef),
}

impl Code {
    fn iseq(&self) -> &carat_iseq::Iseq {
        match self {
            Code::Top(iseq) | Code::Inner(iseq) => iseq,
            Code::Linked(linked) => &linked.iseq,
        }
    }
}

impl NativeData for Sequence {
    const NAME: &'static str = "T_IMEMO/iseq";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

type SequenceData = Data<Sequence>;

methods! {
    METHODS {
        static "compile" => compile;
        static "new" => compile;
        static "compile_file" => compile_file;
        static "of" => of;
        static "compile_option" => compile_option;
        static "compile_option=" => set_compile_option;
        static "disasm" => disasm_of;
        static "disassemble" => disasm_of;
        "disasm" => disasm;
        "disassemble" => disasm;
        "eval" => eval;
        "path" => path;
        "absolute_path" => absolute_path;
        "label" => label;
        "base_label" => base_label;
        "first_lineno" => first_lineno;
        "script_lines" => script_lines;
        "trace_points" => trace_points;
        "each_child" => each_child;
        "inspect" => inspect;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let object = ec.vm().known().object;
    let outer = ec.new_class(object);
    outer.set_allocator(None);
    object.set_constant(ec, ec.vm().intern("RubyVM"), outer.value());
    let class = ec.new_class(object);
    class.set_allocator(None);
    outer.set_constant(ec, ec.vm().intern("InstructionSequence"), class.value());
    class.define_methods(ec, METHODS);
    crate::control::yjit::init(ec, outer);
    if let Some(singleton) = ec.singleton_class_of(outer.value()) {
        singleton.add_method(ec, ec.vm().intern("new"), MethodKind::Undefined, Visibility::Public, Value::NIL);
    }
}

fn new_sequence(ec: &mut Ec, class: Class, code: Code, real_path: Option<String>) -> Value {
    let sequence = Data::new(ec, class, Sequence { code, real_path }).value();
    ec.freeze(sequence);
    sequence
}

/// The object of a program that was just compiled.
pub(crate) fn of_program(ec: &mut Ec, code: IseqRef) -> Value {
    let object = ec.vm().known().object;
    let outer = object.own_constant(ec.vm().intern("RubyVM")).and_then(|c| Class::from_value(c.value));
    let class = outer.and_then(|outer| outer.own_constant(ec.vm().intern("InstructionSequence")));
    match class.and_then(|c| Class::from_value(c.value)) {
        Some(class) => new_sequence(ec, class, Code::Top(code), None),
        None => Value::NIL,
    }
}

/// The class, whose constant a program may have replaced.
fn class_of(ec: &Ec, sequence: SequenceData) -> Class {
    ec.class_of(sequence.value())
}

fn frozen_string_literal(ec: &mut Ec, keywords: Keywords) -> Option<bool> {
    let name = ec.vm().intern("frozen_string_literal");
    keywords.get(ec, name).map(|value| value.truthy()).or(ec.vm().config.frozen_string_literal)
}

fn text_of(ec: &mut Ec, value: Option<Value>) -> Result<Option<String>> {
    match value.filter(|value| !value.is_nil()) {
        None => Ok(None),
        Some(value) => match Str::from_value(value) {
            Some(text) => Ok(Some(text.to_text(ec))),
            None => Err(ec.wrong_type(value, "String")),
        },
    }
}

/// What a source is to `compile`: text, or something to read it from.
fn source_of(ec: &mut Ec, source: Value) -> Result<Str> {
    let read = ec.vm().intern("read");
    let source = match Str::from_value(source) {
        None if ec.is_a(source, ec.vm().known().io) => ec.call(source, read, &[])?,
        _ => source,
    };
    ec.to_str(source)
}

/// `compile(source, file = nil, real_path = nil, line = nil, options = nil)`
fn compile(ec: &mut Ec, this: Class, source: Value, place: Rest, keywords: Keywords) -> Result {
    let [file, real_path, line] = [0, 1, 2].map(|index| place.iter().nth(index));
    let source = source_of(ec, source)?;
    let name = "<compiled>";
    let file = text_of(ec, file)?.unwrap_or_else(|| name.to_owned());
    let real_path = text_of(ec, real_path)?;
    let line = match line.filter(|line| !line.is_nil()) {
        Some(line) => i32::try_from(ec.to_long(line)?).unwrap_or(1),
        None => 1,
    };
    let bytes = source.bytes(ec).to_vec();
    let options = Options {
        first_line: line,
        name: Some(name.as_bytes()),
        encoding: Some(source.encoding().name()),
        frozen_string_literal: frozen_string_literal(ec, keywords),
        coverage: crate::control::coverage::of_file(ec),
        ..Options::file(&file)
    };
    let program = load::compile_or_raise(ec, &bytes, &options)?;
    Ok(new_sequence(ec, this, Code::Top(program.iseq), real_path))
}

fn compile_file(ec: &mut Ec, this: Class, path: Value, keywords: Keywords) -> Result {
    let (file, binread) = (ec.vm().known().file.value(), ec.vm().intern("binread"));
    let path = ec.to_str(path)?;
    let source = ec.call(file, binread, &[path.value()])?;
    let bytes = ec.to_str(source)?.bytes(ec).to_vec();
    let path = path.to_text(ec);
    let options = Options {
        name: Some(b"<main>"),
        frozen_string_literal: frozen_string_literal(ec, keywords),
        coverage: crate::control::coverage::of_file(ec),
        ..Options::file(&path)
    };
    let program = load::compile_or_raise(ec, &bytes, &options)?;
    let real_path = load::absolute_path_of(ec, &path);
    Ok(new_sequence(ec, this, Code::Top(program.iseq), real_path))
}

/// What can be chosen of compiling.
fn compile_option(ec: &mut Ec, _this: Class) -> Hash {
    let options = Hash::new(ec);
    let is_frozen = ec.vm().config.frozen_string_literal.map_or(Value::NIL, Value::bool);
    options.set_symbol(ec, ec.vm().intern("frozen_string_literal"), is_frozen);
    options
}

/// Takes the switches of CRuby's optimizer, of which there is nothing here: calls are traced without them.
fn set_compile_option(ec: &mut Ec, _this: Class, options: Value) -> Result {
    let is_known = Hash::from_value(options).is_some() || matches!(options, Value::TRUE | Value::FALSE | Value::NIL);
    if !is_known {
        return Err(ec.type_error("Compile option must be Hash/true/false/nil"));
    }
    Ok(options)
}

/// The code of a method or block; nil if it is none of the program's.
fn of(ec: &mut Ec, this: Class, body: Value) -> Value {
    let own = Data::<Sequence>::from_value(body);
    if own.is_some() {
        return body;
    }
    match crate::control::tracepoint::iseq_of_target(ec, body).filter(|linked| !linked.iseq.flags.is_core) {
        Some(linked) => {
            let real_path = load::absolute_path_of(ec, linked.iseq.path());
            new_sequence(ec, this, Code::Linked(linked), real_path)
        }
        None => Value::NIL,
    }
}

fn disasm_of(ec: &mut Ec, this: Class, body: Value) -> Option<Str> {
    let sequence = of(ec, this, body);
    Data::<Sequence>::from_value(sequence).map(|sequence| disasm(ec, sequence))
}

fn disasm(ec: &mut Ec, this: SequenceData) -> Str {
    let text = disassemble(this.get(ec).code.iseq());
    Str::from_text(ec, &text)
}

fn eval(ec: &mut Ec, this: SequenceData) -> Result {
    match this.get(ec).code.clone() {
        Code::Top(iseq) => ec.run_script(iseq),
        _ => Err(ec.type_error("Not a toplevel InstructionSequence")),
    }
}

fn path(ec: &mut Ec, this: SequenceData) -> Str {
    let path = this.get(ec).code.iseq().path().clone();
    Str::from_text(ec, &path)
}

fn absolute_path(ec: &mut Ec, this: SequenceData) -> Str {
    match this.get(ec).real_path.clone() {
        Some(path) => Str::from_text(ec, &path),
        None => path(ec, this),
    }
}

fn label(ec: &mut Ec, this: SequenceData) -> Str {
    let name = String::from_utf8_lossy(this.get(ec).code.iseq().name()).into_owned();
    Str::from_text(ec, &name)
}

/// The label without what is said of blocks.
fn base_label(ec: &mut Ec, this: SequenceData) -> Str {
    let name = String::from_utf8_lossy(this.get(ec).code.iseq().name()).into_owned();
    let base =
        if name.starts_with("block ") { name.split_once(" in ").map_or(&*name, |(_, base)| base) } else { &name };
    Str::from_text(ec, base)
}

fn first_lineno(ec: &mut Ec, this: SequenceData) -> i64 {
    this.get(ec).code.iseq().first_line.into()
}

/// Sources are not kept.
fn script_lines(_ec: &mut Ec, _this: SequenceData) -> Value {
    Value::NIL
}

/// `[line, event]` of what tracing reports of this code.
fn trace_points(ec: &mut Ec, this: SequenceData) -> Array {
    let code = this.get(ec).code.clone();
    let iseq = code.iseq();
    let (first, last) = (iseq.first_line, iseq.lines().last().map_or(iseq.first_line, |(_, line)| line));
    let (begin, end) = match iseq.kind {
        IseqKind::Method => (Some("call"), Some("return")),
        IseqKind::Block | IseqKind::Lambda => (Some("b_call"), Some("b_return")),
        IseqKind::Class => (Some("class"), Some("end")),
        IseqKind::Top | IseqKind::Eval => (None, None),
    };
    let statements = iseq.lines().filter(|(word, _)| word & LINE_EVENT != 0).map(|(_, line)| (line, "line"));
    let begin = begin.map(|event| (first, event)).into_iter();
    let list = Array::new(ec, 4);
    for (line, event) in begin.chain(statements).chain(end.map(|event| (last, event))) {
        let pair = Array::new(ec, 2);
        pair.push(ec, ec.int(line.into()));
        pair.push(ec, Value::symbol(ec.vm().intern(event)));
        list.push(ec, pair.value());
    }
    list
}

fn each_child(ec: &mut Ec, this: SequenceData, block: Option<Block>) -> Result<()> {
    let Some(block) = block else { return Err(ec.local_jump_error("no block given", "noreason", Value::NIL)) };
    let code = this.get(ec).code.clone();
    let (class, real_path) = (class_of(ec, this), this.get(ec).real_path.clone());
    for child in code.iseq().children() {
        let child = new_sequence(ec, class, Code::Inner(child), real_path.clone());
        ec.yield_block(block, &[child])?;
    }
    Ok(())
}

fn inspect(ec: &mut Ec, this: SequenceData) -> Str {
    let iseq = this.get(ec).code.iseq();
    let name = String::from_utf8_lossy(iseq.name()).into_owned();
    let text = format!("<RubyVM::InstructionSequence:{name}@{}:{}>", iseq.path(), iseq.first_line);
    Str::from_text(ec, &text)
}
