//! `RubyVM::InstructionSequence`: compiled code to look at and to run. The listing is of Carat's own instructions.
//!
//! # Binaries
//! What `to_binary` gives has the source in it, and `load_from_binary` compiles that anew: our instructions are trusted when they
//! run, and bytes of a file are not.
//!
//! # Not here
//! What shows CRuby's inner workings: the instructions in `to_a`, and the rest of `RubyVM`. Programs ask whether
//! `AbstractSyntaxTree` is defined and rescue what it raises, so it is a module, and its methods raise `NotImplementedError`.

use crate::control::compile_options::{self, compile_option, set_compile_option};
use crate::object::exception::highlight;
use crate::system::load;
use carat_compile::{Options, Spot};
use carat_iseq::coverage::Targets;
use carat_iseq::{IseqKind, IseqRef, LINE_EVENT, disassemble};
use carat_vm::link::LinkedIseq;
use carat_vm::method::MethodKind;
use carat_vm::{
    Array, Block, Class, CodeRange, Data, Ec, EncodingIndex, Hash, Keywords, NativeData, Rest, Result, Str, Value,
    Visibility, methods,
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
    /// A source as a whole: it can be run, and written if the source is known.
    Top(IseqRef, Option<Arc<Source>>),
    Linked(Arc<LinkedIseq>),
    Inner(IseqRef),
}

impl Code {
    fn iseq(&self) -> &carat_iseq::Iseq {
        match self {
            Code::Top(iseq, _) | Code::Inner(iseq) => iseq,
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
        "to_binary" => to_binary;
        static "load_from_binary" => load_from_binary;
        static "load_from_binary_extra_data" => extra_data;
        "path" => path;
        "absolute_path" => absolute_path;
        "label" => label;
        "base_label" => base_label;
        "first_lineno" => first_lineno;
        "script_lines" => script_lines;
        "trace_points" => trace_points;
        "each_child" => each_child;
        "inspect" => inspect;
        "to_a" => to_a;
    }
}

methods! {
    VM_METHODS {
        static "stat" => stat;
    }
}

methods! {
    SYNTAX_TREES {
        static unimplemented "of";
        static unimplemented "parse";
        static unimplemented "parse_file";
        static unimplemented "node_id_for_backtrace_location";
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
    outer.define_methods(ec, VM_METHODS);
    crate::control::yjit::init(ec, outer);
    // CRuby's trees of syntax: programs ask whether their methods are there before they call them.
    let trees = ec.new_module();
    outer.set_constant(ec, ec.vm().intern("AbstractSyntaxTree"), trees.value());
    trees.define_methods(ec, SYNTAX_TREES);
    let node = ec.new_class(object);
    node.set_allocator(None);
    trees.set_constant(ec, ec.vm().intern("Node"), node.value());
    if let Some(singleton) = ec.singleton_class_of(outer.value()) {
        singleton.add_method(ec, ec.vm().intern("new"), MethodKind::Undefined, Visibility::Public, Value::NIL);
    }
}

/// `RubyVM.stat`: figures of caches. A hash is filled with them, a symbol names the one that is wanted.
fn stat(ec: &mut Ec, _this: Value, wanted: Option<Value>) -> Result {
    let figures = ec.vm().cache_figures();
    if let Some(name) = wanted.and_then(Value::as_symbol) {
        let text = ec.vm().symbol_text(name).to_string();
        return match figures.iter().find(|(figure, _)| *figure == text) {
            Some((_, count)) => Ok(Value::len(*count as usize)),
            None => Err(ec.argument_error(&format!("unknown key: {text}"))),
        };
    }
    let hash = match wanted {
        None => Hash::new(ec),
        Some(value) => Hash::from_value(value).ok_or_else(|| ec.type_error("non-hash or symbol given"))?,
    };
    for (name, count) in figures {
        hash.store(ec, Value::symbol(ec.vm().intern(name)), Value::len(count as usize))?;
    }
    Ok(hash.value())
}

fn new_sequence(ec: &mut Ec, class: Class, code: Code, real_path: Option<String>) -> Value {
    let sequence = Data::new(ec, class, Sequence { code, real_path }).value();
    ec.freeze(sequence);
    sequence
}

/// The object of a program that was just compiled.
pub(crate) fn of_program(ec: &mut Ec, code: IseqRef) -> Value {
    new_of(ec, Code::Top(code, None))
}

/// The object of code that runs.
pub(crate) fn of_code(ec: &mut Ec, code: Arc<LinkedIseq>) -> Value {
    new_of(ec, Code::Linked(code))
}

fn sequence_class(ec: &Ec) -> Option<Class> {
    let object = ec.vm().known().object;
    let outer = object.own_constant(ec.vm().intern("RubyVM")).and_then(|c| Class::from_value(c.value));
    let class = outer.and_then(|outer| outer.own_constant(ec.vm().intern("InstructionSequence")));
    class.and_then(|c| Class::from_value(c.value))
}

fn new_of(ec: &mut Ec, code: Code) -> Value {
    match sequence_class(ec) {
        Some(class) => new_sequence(ec, class, code, None),
        None => Value::NIL,
    }
}

/// The class, whose constant a program may have replaced.
fn class_of(ec: &Ec, sequence: SequenceData) -> Class {
    ec.class_of(sequence.value())
}

fn frozen_string_literal(ec: &mut Ec, keywords: Keywords) -> Option<bool> {
    let name = ec.vm().intern("frozen_string_literal");
    keywords.get(ec, name).map(|value| value.truthy()).or(compile_options::frozen_string_literal(ec))
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
    let source = Source {
        path: file,
        real_path,
        name: name.into(),
        first_line: line,
        encoding: Some(source.encoding().name().into()),
        frozen_string_literal: frozen_string_literal(ec, keywords),
        text: source.bytes(ec).to_vec(),
    };
    compile_source(ec, this, source)
}

fn compile_file(ec: &mut Ec, this: Class, path: Value, keywords: Keywords) -> Result {
    let (file, binread) = (ec.vm().known().file.value(), ec.vm().intern("binread"));
    let path = ec.to_str(path)?;
    let source = ec.call(file, binread, &[path.value()])?;
    let text = ec.to_str(source)?.bytes(ec).to_vec();
    let path = path.to_text(ec);
    let source = Source {
        real_path: load::absolute_path_of(ec, &path),
        path,
        name: "<main>".into(),
        first_line: 1,
        encoding: None,
        frozen_string_literal: frozen_string_literal(ec, keywords),
        text,
    };
    compile_source(ec, this, source)
}

/// What a sequence was compiled from.
struct Source {
    path: String,
    real_path: Option<String>,
    name: String,
    first_line: i32,
    encoding: Option<String>,
    frozen_string_literal: Option<bool>,
    text: Vec<u8>,
}

fn compile_source(ec: &mut Ec, class: Class, source: Source) -> Result {
    let options = source.options(crate::control::coverage::of_file(ec));
    let program = load::compile_or_raise(ec, &source.text, &options)?;
    let real_path = source.real_path.clone();
    Ok(new_sequence(ec, class, Code::Top(program.iseq, Some(Arc::new(source))), real_path))
}

// ---- binaries ----

/// First bytes of a binary. The fields of [`Source`] follow, and the extra data: the length in four bytes, then the bytes.
const MAGIC: &[u8] = b"carat source 1\0";
const FIELDS: usize = 8;

impl Source {
    fn options(&self, coverage: Option<Targets>) -> Options<'_> {
        Options {
            first_line: self.first_line,
            name: Some(self.name.as_bytes()),
            encoding: self.encoding.as_deref(),
            frozen_string_literal: self.frozen_string_literal,
            coverage,
            ..Options::file(&self.path)
        }
    }

    /// The part of it that an iseq is the code of.
    fn extent(&self, ec: &Ec, iseq: &carat_iseq::Iseq) -> Option<Spot> {
        let options = self.options(crate::control::coverage::of_file(ec));
        let text = &self.text;
        let read = || carat_compile::extent(text, &options, iseq);
        let spot = crate::system::load::with_stack(text, ec.native_stack_left(), read)??;
        let lines = usize::try_from(self.first_line - 1).unwrap_or(0);
        Some(Spot { first_line: spot.first_line + lines, last_line: spot.last_line + lines, ..spot })
    }

    fn to_binary(&self, extra: &[u8]) -> Vec<u8> {
        let line = self.first_line.to_string();
        let frozen = self.frozen_string_literal.map_or("", |is_frozen| if is_frozen { "1" } else { "0" });
        let fields: [&[u8]; FIELDS] = [
            self.path.as_bytes(),
            self.real_path.as_deref().unwrap_or_default().as_bytes(),
            self.name.as_bytes(),
            line.as_bytes(),
            self.encoding.as_deref().unwrap_or_default().as_bytes(),
            frozen.as_bytes(),
            &self.text,
            extra,
        ];
        let mut binary = MAGIC.to_vec();
        for field in fields {
            binary.extend(u32::try_from(field.len()).unwrap_or(u32::MAX).to_le_bytes());
            binary.extend(field);
        }
        binary
    }

    fn of_fields(fields: [&[u8]; FIELDS]) -> Option<Source> {
        let [path, real_path, name, line, encoding, frozen, text, _] = fields;
        let string = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).ok();
        let some = |bytes: &[u8]| if bytes.is_empty() { None } else { string(bytes) };
        Some(Source {
            path: string(path)?,
            real_path: some(real_path),
            name: string(name)?,
            first_line: string(line)?.parse().ok()?,
            encoding: some(encoding),
            frozen_string_literal: (!frozen.is_empty()).then(|| frozen == b"1"),
            text: text.to_vec(),
        })
    }
}

/// The fields of a binary; `None` if it is none, or is cut short.
fn fields(binary: &[u8]) -> Option<[&[u8]; FIELDS]> {
    let mut rest = binary.strip_prefix(MAGIC)?;
    let mut fields = [&[][..]; FIELDS];
    for field in &mut fields {
        let (len, behind) = rest.split_first_chunk::<4>()?;
        (*field, rest) = behind.split_at_checked(u32::from_le_bytes(*len) as usize)?;
    }
    Some(fields)
}

fn to_binary(ec: &mut Ec, this: SequenceData, extra: Option<Str>) -> Result<Str> {
    let Code::Top(_, source) = this.get(ec).code.clone() else {
        return Err(ec.runtime_error("should be top iseq"));
    };
    let Some(source) = source else {
        return Err(ec.runtime_error("the source of this InstructionSequence is not kept"));
    };
    let binary = source.to_binary(extra.map(|extra| extra.bytes(ec).to_vec()).unwrap_or_default().as_slice());
    Ok(Str::new(ec, &binary, EncodingIndex::ASCII_8BIT, CodeRange::Unknown))
}

fn broken_binary(ec: &mut Ec, binary: Str) -> carat_vm::Unwind {
    let is_foreign = binary.bytes(ec).len() >= MAGIC.len() && !binary.bytes(ec).starts_with(MAGIC);
    ec.runtime_error(if is_foreign { "unknown binary format" } else { "broken binary format" })
}

fn load_from_binary(ec: &mut Ec, this: Class, binary: Str) -> Result {
    let source = fields(binary.bytes(ec)).and_then(Source::of_fields);
    match source {
        Some(source) => compile_source(ec, this, source),
        None => Err(broken_binary(ec, binary)),
    }
}

fn extra_data(ec: &mut Ec, _this: Class, binary: Str) -> Result {
    let extra = fields(binary.bytes(ec)).map(|fields| fields[FIELDS - 1].to_vec());
    match extra {
        Some(extra) if extra.is_empty() => Ok(Value::NIL),
        Some(extra) => Ok(Str::new(ec, &extra, EncodingIndex::ASCII_8BIT, CodeRange::Unknown).value()),
        None => Err(broken_binary(ec, binary)),
    }
}

/// What a program's own `RubyVM::InstructionSequence.load_iseq` says is the code of a file; it may leave that to us.
pub(crate) fn load_iseq(ec: &mut Ec, path: &str) -> Result<Option<IseqRef>> {
    let Some(class) = sequence_class(ec) else { return Ok(None) };
    let name = ec.vm().intern("load_iseq");
    if ec.find_method(class.value(), name).is_none() {
        return Ok(None);
    }
    let path = Str::from_text(ec, path).value();
    let answer = ec.call(class.value(), name, &[path])?;
    match Data::<Sequence>::from_value(answer).map(|sequence| sequence.get(ec).code.clone()) {
        Some(Code::Top(iseq, _)) => Ok(Some(iseq)),
        _ => Ok(None),
    }
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
        Code::Top(iseq, _) => ec.run_script(iseq),
        _ => Err(ec.type_error("Not a toplevel InstructionSequence")),
    }
}

fn path(ec: &mut Ec, this: SequenceData) -> Str {
    let path = this.get(ec).code.iseq().path().clone();
    ec.path_str(&path)
}

fn absolute_path(ec: &mut Ec, this: SequenceData) -> Str {
    match this.get(ec).real_path.clone() {
        Some(path) => ec.path_str(&path),
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

/// What CRuby's listing has in front of the instructions, in the same places: programs look for the part of the source there, and
/// for who parsed it.
fn to_a(ec: &mut Ec, this: SequenceData) -> Array {
    let code = this.get(ec).code.clone();
    let iseq = code.iseq();
    let symbol = |ec: &Ec, name: &[u8]| Value::symbol(ec.vm().intern_bytes(name, EncodingIndex::UTF_8));
    let spot = match &code {
        Code::Top(_, Some(source)) => source.extent(ec, iseq),
        _ => highlight::extent(ec, iseq),
    };
    let locals = Array::new(ec, 4);
    for local in iseq.locals().filter(|local| !local.name.is_empty()) {
        locals.push(ec, symbol(ec, local.name));
    }
    let misc = Hash::new(ec);
    misc.set_symbol(ec, ec.vm().intern("local_size"), ec.int(locals.len(ec) as i64));
    if let Some(spot) = spot {
        let place = Array::new(ec, 4);
        for number in [spot.first_line, spot.first_column, spot.last_line, spot.last_column] {
            place.push(ec, Value::len(number));
        }
        misc.set_symbol(ec, ec.vm().intern("code_location"), place.value());
    }
    misc.set_symbol(ec, ec.vm().intern("parser"), symbol(ec, b"prism"));
    let kind: &[u8] = match iseq.kind {
        IseqKind::Top => b"top",
        IseqKind::Method => b"method",
        IseqKind::Block | IseqKind::Lambda => b"block",
        IseqKind::Class => b"class",
        IseqKind::Eval => b"eval",
    };
    let list = Array::new(ec, 14);
    list.push(ec, Str::from_ascii(ec, b"CaratInstructionSequence/WithoutInstructions").value());
    for number in [4, 0, 1] {
        list.push(ec, ec.int(number));
    }
    let (label, path, real_path) = (label(ec, this), path(ec, this), absolute_path(ec, this));
    let texts = [label, path, real_path].map(Str::value);
    for value in
        [&[misc.value()][..], &texts, &[ec.int(iseq.first_line.into()), symbol(ec, kind), locals.value()]].concat()
    {
        list.push(ec, value);
    }
    let parameters = Hash::new(ec).value();
    for value in [parameters, Array::new(ec, 0).value(), Array::new(ec, 0).value()] {
        list.push(ec, value);
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
