//! `Binding`, and everything that evaluates source text: `eval`, `instance_eval` and `class_eval` with strings.
//!
//! # How code is evaluated
//! The scope of the binding escapes to the heap. Code is compiled with the names of all its environments and runs as a
//! block inside it; locals that the code defines form one more environment, which the binding then goes on with.

mod texts;

use crate::control::compile_options::frozen_string_literal;
use crate::system::load::compile;
use carat_compile::{Options, ScopeNames};
use carat_iseq::{IseqKind, IseqRef, Pack};
use carat_vm::scope::{EvalIn, Scope};
use carat_vm::{Array, Class, Data, Ec, Name, NativeData, Proc, Result, Str, SymbolId, Value, methods, primitives};
use std::sync::Arc;

methods! {
    METHODS {
        "local_variables" => local_variables;
        "local_variable_get" => local_variable_get;
        "local_variable_set" => local_variable_set;
        "local_variable_defined?" => is_local_variable_defined;
        "receiver" => receiver;
        "eval" => binding_eval;
        "source_location" => source_location;
        "dup" => dup;
        "clone" => clone;
        "implicit_parameters" => implicit_parameters;
        "implicit_parameter_get" => implicit_parameter_get;
        "implicit_parameter_defined?" => is_implicit_parameter_defined;
    }
    KERNEL {
        module_function "binding" => binding;
        module_function "eval" => eval;
        module_function "local_variables" => caller_local_variables;
    }
    PROC { "binding" => proc_binding; }
}

primitives! {
    PRIMITIVES {}
}

/// See the module.
struct Binding {
    scope: Scope,
    path: Arc<str>,
    line: i32,
}

impl NativeData for Binding {
    const NAME: &'static str = "binding";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.scope.object());
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.binding.define_methods(ec, METHODS);
    known.kernel.define_methods(ec, KERNEL);
    known.proc.define_methods(ec, PROC);
}

fn new_binding(ec: &mut Ec, scope: Scope) -> Value {
    let (path, line) = ec.caller_place();
    make(ec, scope, path, line)
}

pub(crate) fn new_binding_at(ec: &mut Ec, scope: Scope, path: &str, line: i32) -> Value {
    make(ec, scope, path.into(), line)
}

fn make(ec: &mut Ec, scope: Scope, path: Arc<str>, line: i32) -> Value {
    Data::new(ec, ec.vm().known().binding, Binding { scope, path, line }).value()
}

/// Runs a main script that mentions `TOPLEVEL_BINDING`: inside that binding's scope, which has its locals from the start.
pub(crate) fn run_in_toplevel_binding(ec: &mut Ec, source: &[u8], options: &Options<'_>) -> Result {
    let constant = ec.vm().known().object.own_constant_value(ec, ec.vm().intern("TOPLEVEL_BINDING"))?;
    let binding = constant.and_then(Data::<Binding>::from_value).expect("defined before any script runs");
    let scope = binding.get(ec).scope;
    let names = scope_names(&scope);
    let options = Options {
        kind: IseqKind::Eval,
        name: Some(b"<main>"),
        scopes: &names,
        in_method: false,
        path: options.path,
        frozen_string_literal: options.frozen_string_literal,
        command_line: options.command_line,
        main_script: options.main_script,
        coverage: options.coverage,
        ..Options::file(options.path)
    };
    // The source was compiled once already, with its warnings, to see what it mentions.
    let mut program = match compile(ec, source, &options)? {
        Ok(program) => program,
        Err(error) => return Err(crate::object::syntax_error::raise(ec, source, options.path, 1, &error)),
    };
    crate::control::coverage::attach(ec, &mut program, source, &options);
    let mut grow = |ec: &mut Ec, scope: Scope| set_scope(ec, binding, scope);
    let (result, _) = ec.eval_iseq_noting(program.iseq, scope, EvalIn::default(), &mut grow);
    std::hint::black_box(binding.value());
    result
}

/// The scope of scripts as `TOPLEVEL_BINDING`; `path` is the main script's.
pub(crate) fn define_toplevel_binding(ec: &mut Ec, path: &str) -> Result<()> {
    let options = Options { kind: IseqKind::Top, main_script: true, name: Some(b"<main>"), ..Options::file(path) };
    let Ok(program) = compile(ec, b"binding", &options)? else { return Ok(()) };
    let scope = ec.toplevel_scope(program.iseq)?;
    let binding = new_binding_at(ec, scope, path, 1);
    ec.vm().known().object.set_constant(ec, ec.vm().intern("TOPLEVEL_BINDING"), binding);
    Ok(())
}

fn no_scope(ec: &mut Ec) -> carat_vm::Unwind {
    ec.runtime_error("Can't create Binding Object on top of Fiber or Thread")
}

fn caller_scope(ec: &mut Ec) -> Result<Scope> {
    match ec.caller_scope() {
        Some(scope) => Ok(scope),
        None => Err(no_scope(ec)),
    }
}

fn binding(ec: &mut Ec, _this: Value) -> Result {
    let scope = caller_scope(ec)?;
    Ok(new_binding(ec, scope))
}

fn proc_binding(ec: &mut Ec, this: Proc) -> Result {
    let Some(scope) = this.scope() else {
        return method_binding(ec, this);
    };
    if this.is_isolated() {
        return Err(ec.argument_error("Can't create Binding from isolated Proc"));
    }
    ec.catch_up(scope);
    let (path, line) =
        this.iseq().map_or_else(|| ("(eval)".into(), 1), |i| (i.iseq.path().to_string(), i.iseq.first_line));
    Ok(new_binding_at(ec, scope, &path, line))
}

/// The binding of a proc that stands for a method: it has the method's receiver and no locals.
fn method_binding(ec: &mut Ec, proc: Proc) -> Result {
    let method = proc.native_target().unwrap_or(Value::NIL);
    let Some(receiver) = crate::object::method::receiver_of(ec, method) else {
        return Err(ec.argument_error("Can't create Binding from C level Proc"));
    };
    let place = crate::object::method::location_of_method(ec, method);
    let path = place.and_then(|place| Str::from_value(place.at(ec, 0))).map(|path| path.to_text(ec));
    let line = place.and_then(|place| place.at(ec, 1).as_fixnum()).unwrap_or(1);
    let path = path.unwrap_or_else(|| "(binding)".into());
    let options = Options { kind: IseqKind::Top, ..Options::file(&path) };
    let Ok(program) = compile(ec, b"binding", &options)? else { return Err(no_scope(ec)) };
    let cref = crate::object::method::scope_of(ec, method);
    let scope = ec.scope_of_receiver(program.iseq, receiver, cref)?;
    Ok(new_binding_at(ec, scope, &path, line as i32))
}

fn dup(ec: &mut Ec, this: Data<Binding>) -> Result {
    let own = this.get(ec);
    let (scope, path, line) = (own.scope, own.path.clone(), own.line);
    let copy = make(ec, scope, path, line);
    ec.copy_fields(this.value(), copy);
    crate::object::finalizers::copy(ec, this.value(), copy)?;
    Ok(copy)
}

fn clone(ec: &mut Ec, this: Data<Binding>) -> Result {
    let copy = dup(ec, this)?;
    crate::object::any_object::copy_singleton_class(ec, this.value(), copy)?;
    if ec.is_frozen(this.value()) {
        ec.freeze(copy);
    }
    Ok(copy)
}

// ---- local variables ----

fn scope_names(scope: &Scope) -> Vec<ScopeNames> {
    let mut names: Vec<ScopeNames> = scope.iseqs().iter().map(|i| ScopeNames::of(i)).collect();
    // Those around an isolated block are named all the same: the levels of the others count them, and naming one of their locals
    // is an error that the compiler reports.
    for around in names.iter_mut().rev().skip(scope.reach()) {
        around.is_out_of_reach = true;
    }
    names
}

fn is_visible(name: &[u8]) -> bool {
    name.first().is_some_and(|b| b.is_ascii_lowercase() || *b == b'_' || *b >= 0x80)
        && name.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_' || *b >= 0x80)
        && !is_numbered(name)
}

/// `_1` to `_9`
fn is_numbered(name: &[u8]) -> bool {
    name.len() == 2 && name[0] == b'_' && (b'1'..=b'9').contains(&name[1])
}

fn names_in(ec: &Ec, scope: &Scope) -> Array {
    let array = Array::new(ec, 0);
    for name in scope.local_names(ec) {
        let symbol = Value::symbol(name);
        if is_visible(ec.vm().symbol_name(name).bytes) && !array.slice_of(ec).contains(&symbol) {
            array.push(ec, symbol);
        }
    }
    array
}

fn local_variables(ec: &mut Ec, this: Data<Binding>) -> Array {
    let scope = this.get(ec).scope;
    names_in(ec, &scope)
}

fn caller_local_variables(ec: &mut Ec, _this: Value) -> Result<Array> {
    let scope = caller_scope(ec)?;
    Ok(names_in(ec, &scope))
}

fn check_name(ec: &mut Ec, this: Data<Binding>, name: SymbolId) -> Result<()> {
    if is_visible(ec.vm().symbol_name(name).bytes) {
        return Ok(());
    }
    let (text, shown) = (ec.vm().symbol_text(name), ec.inspect(this.value())?.to_text(ec));
    let message = if is_numbered(ec.vm().symbol_name(name).bytes) {
        format!("numbered parameter '{text}' is not a local variable")
    } else {
        format!("wrong local variable name '{text}' for {shown}")
    };
    Err(ec.name_error(&message, this.value(), name))
}

fn local_variable_get(ec: &mut Ec, this: Data<Binding>, name: Name) -> Result {
    check_name(ec, this, name.0)?;
    let scope = this.get(ec).scope;
    match scope.find_local(ec, name.0) {
        Some(local) if local.is_block_parameter => {
            let source = ec.vm().symbol_name(name.0).bytes;
            eval_source(ec, source, None, scope, EvalIn::default(), ("(eval)", 1), None)
        }
        Some(local) => {
            ec.catch_up(scope);
            Ok(local.value())
        }
        None => {
            let (text, shown) = (ec.vm().symbol_text(name.0), ec.inspect(this.value())?.to_text(ec));
            Err(ec.name_error(&format!("local variable '{text}' is not defined for {shown}"), this.value(), name.0))
        }
    }
}

fn local_variable_set(ec: &mut Ec, this: Data<Binding>, name: Name, value: Value) -> Result {
    check_name(ec, this, name.0)?;
    let mut scope = this.get(ec).scope;
    let mut local = scope.find_local(ec, name.0);
    if local.is_none() {
        let iseq = declaration(ec, &scope.name(), name.0)?;
        let (result, extended) = ec.eval_iseq(iseq, scope, EvalIn::default());
        std::hint::black_box(scope.object());
        result?;
        set_scope(ec, this, extended);
        scope = extended;
        local = scope.find_local(ec, name.0);
    }
    if let Some(local) = local {
        ec.catch_up(scope);
        local.set(ec, value);
        ec.write_back(scope);
    }
    Ok(value)
}

/// Code whose only local has this name, which may be a keyword: a name that can be written stands for it meanwhile.
fn declaration(ec: &mut Ec, label: &[u8], name: SymbolId) -> Result<IseqRef> {
    const STAND_IN: &[u8] = b"local";
    let options = Options { kind: IseqKind::Eval, name: Some(label), ..Options::file("(eval)") };
    let Ok(program) = compile(ec, b"local = nil", &options)? else { unreachable!("an assignment of nil compiles") };
    let mut draft = program.iseq.draft();
    let text = ec.vm().symbol_name(name).bytes;
    draft.locals.iter_mut().filter(|local| *local.name == *STAND_IN).for_each(|local| local.name = text.into());
    let mut pack = Pack::new();
    let at = pack.add(&draft);
    Ok(IseqRef::packed(pack.finish(program.iseq.path().clone()), at))
}

fn set_scope(ec: &mut Ec, this: Data<Binding>, scope: Scope) {
    this.get_mut(ec).scope = scope;
    ec.wrote(this.value());
}

fn is_local_variable_defined(ec: &mut Ec, this: Data<Binding>, name: Name) -> Result<bool> {
    check_name(ec, this, name.0)?;
    let scope = this.get(ec).scope;
    Ok(scope.find_local(ec, name.0).is_some())
}

// ---- implicit parameters ----

/// The implicit parameters of the block that the binding was made in, by name and register, and how far out it is.
fn implicit_of(scope: &Scope) -> (usize, Vec<(String, u16)>) {
    let iseqs = scope.iseqs();
    let Some((level, block)) = iseqs.iter().rev().enumerate().find(|(_, i)| i.kind != IseqKind::Eval) else {
        return (0, Vec::new());
    };
    let params = &block.params;
    let name = |number: u8| if params.uses_it { "it".to_string() } else { format!("_{number}") };
    (level, (1..=params.implicit).map(|number| (name(number), u16::from(number))).collect())
}

fn check_implicit_name(ec: &mut Ec, this: Data<Binding>, name: SymbolId) -> Result<String> {
    let text = ec.vm().symbol_text(name);
    if text == "it" || is_numbered(text.as_bytes()) {
        return Ok(text);
    }
    Err(ec.name_error(&format!("'{text}' is not an implicit parameter"), this.value(), name))
}

fn implicit_parameters(ec: &mut Ec, this: Data<Binding>) -> Array {
    let (_, found) = implicit_of(&this.get(ec).scope);
    let list = Array::new(ec, found.len());
    found.iter().for_each(|(name, _)| list.push(ec, Value::symbol(ec.vm().intern(name))));
    list
}

fn is_implicit_parameter_defined(ec: &mut Ec, this: Data<Binding>, name: Name) -> Result<bool> {
    let text = check_implicit_name(ec, this, name.0)?;
    Ok(implicit_of(&this.get(ec).scope).1.iter().any(|(n, _)| *n == text))
}

fn implicit_parameter_get(ec: &mut Ec, this: Data<Binding>, name: Name) -> Result {
    let text = check_implicit_name(ec, this, name.0)?;
    let scope = this.get(ec).scope;
    let (level, found) = implicit_of(&scope);
    match found.iter().find(|(n, _)| *n == text) {
        Some((_, register)) => Ok(scope.local(ec, level, *register)),
        None => {
            let shown = ec.inspect(this.value())?.to_text(ec);
            let message = format!("implicit parameter '{text}' is not defined for {shown}");
            Err(ec.name_error(&message, this.value(), name.0))
        }
    }
}

fn receiver(ec: &mut Ec, this: Data<Binding>) -> Value {
    this.get(ec).scope.receiver()
}

fn source_location(ec: &mut Ec, this: Data<Binding>) -> Array {
    let (path, line) = (this.get(ec).path.clone(), this.get(ec).line);
    let path = ec.path_str(&path).value();
    Array::pair(ec, path, Value::fixnum_unchecked(i64::from(line)))
}

// ---- eval ----

/// How the paths of evaluated text begin that was given none.
const UNNAMED: &str = "(eval at ";

/// What a caller says about the text: its file and first line.
fn place_of(ec: &mut Ec, file: Option<Value>, line: Option<Value>) -> Result<(String, i32)> {
    let path = match file.filter(|f| !f.is_nil()) {
        Some(file) => ec.to_str(file)?.to_text(ec),
        None => {
            let (path, line) = ec.caller_place();
            format!("{UNNAMED}{path}:{line})")
        }
    };
    let line = match line {
        Some(line) => i32::try_from(ec.to_long(line)?).unwrap_or(1),
        None => 1,
    };
    Ok((path, line))
}

/// Without a binding the text runs in the caller's scope, with whatever `eval` was called on as self.
fn eval(
    ec: &mut Ec,
    this: Value,
    source: Value,
    binding: Option<Value>,
    file: Option<Value>,
    line: Option<Value>,
) -> Result {
    let source = ec.to_str(source)?;
    let place = place_of(ec, file, line)?;
    match binding.filter(|b| !b.is_nil()) {
        Some(given) => match Data::<Binding>::from_value(given) {
            Some(binding) => eval_in_binding(ec, binding, source, (&place.0, place.1)),
            None => {
                let class = ec.describe_for_type_error(given);
                Err(ec.type_error(&format!("wrong argument type {class} (expected binding)")))
            }
        },
        None => {
            let scope = caller_scope(ec)?;
            let how = EvalIn { receiver: Some(this), ..EvalIn::default() };
            eval_str(ec, source, scope, how, (&place.0, place.1), None)
        }
    }
}

fn binding_eval(ec: &mut Ec, this: Data<Binding>, source: Value, file: Option<Value>, line: Option<Value>) -> Result {
    let source = ec.to_str(source)?;
    let place = place_of(ec, file, line)?;
    eval_in_binding(ec, this, source, (&place.0, place.1))
}

/// The locals that the text defines are the binding's from the beginning: the text may evaluate in it too, or raise.
fn eval_in_binding(ec: &mut Ec, binding: Data<Binding>, source: Str, place: (&str, i32)) -> Result {
    let scope = binding.get(ec).scope;
    eval_str(ec, source, scope, EvalIn::default(), place, Some(binding))
}

fn eval_str(
    ec: &mut Ec,
    source: Str,
    scope: Scope,
    how: EvalIn,
    place: (&str, i32),
    binding: Option<Data<Binding>>,
) -> Result {
    let bytes = source.owned_bytes(ec)?;
    if !source.encoding().is_ascii_compatible() {
        return Err(ec.argument_error("invalid source encoding"));
    }
    eval_source(ec, &bytes, Some(source.encoding().name()), scope, how, place, binding)
}

/// Compiles and runs. The binding, if there is one, gets the scope that has the new locals and refinements too.
fn eval_source(
    ec: &mut Ec,
    source: &[u8],
    encoding: Option<&str>,
    scope: Scope,
    how: EvalIn,
    place: (&str, i32),
    binding: Option<Data<Binding>>,
) -> Result {
    let names = scope_names(&scope);
    let label = scope.name();
    let options = Options {
        in_method: scope.iseqs().first().is_some_and(|outermost| outermost.kind == IseqKind::Method),
        kind: IseqKind::Eval,
        name: Some(&label),
        first_line: place.1,
        scopes: &names,
        encoding,
        coverage: crate::control::coverage::of_eval(ec, !place.0.starts_with(UNNAMED)),
        frozen_string_literal: frozen_string_literal(ec),
        ..Options::file(place.0)
    };
    let iseq = texts::compiled(ec, source, &options)?;
    let growing = binding.filter(|_| iseq.locals().any(|l| !l.name.is_empty()));
    let mut grow = |ec: &mut Ec, extended: Scope| {
        if let Some(binding) = growing {
            set_scope(ec, binding, extended);
        }
    };
    let (result, extended) = ec.eval_iseq_noting(iseq, scope, how, &mut grow);
    if let (Some(binding), None) = (binding, growing)
        && !extended.sees_refinements_of(&scope)
    {
        set_scope(ec, binding, extended);
    }
    std::hint::black_box((scope.object(), binding.map(Data::value)));
    result
}

/// `class_eval` and `instance_eval` with a string: `self` is `receiver`, `def` goes to `class` if there is one.
pub(crate) fn eval_under(
    ec: &mut Ec,
    receiver: Value,
    class: Option<Class>,
    source: Value,
    file: Option<Value>,
    line: Option<Value>,
) -> Result {
    let source = ec.to_str(source)?;
    let place = place_of(ec, file, line)?;
    let scope = caller_scope(ec)?;
    let cref = ec.eval_string_cref(receiver, class);
    let how = EvalIn { receiver: Some(receiver), cref: Some(cref) };
    eval_str(ec, source, scope, how, (&place.0, place.1), None)
}
