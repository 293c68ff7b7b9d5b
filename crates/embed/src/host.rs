//! Functions of the host as Ruby sees them, and the streams that stand in place of the process's.

use crate::error::{Error, Kind};
use crate::roots::{Roots, Value};
use crate::scope::Scope;
use carat_vm::{Class, Data, Ec, NativeData, Rest, Result, Str, methods};
use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;

type Body = dyn Fn(&mut Scope<'_>, &[Value]) -> std::result::Result<Value, Error> + Send + Sync;

/// A function of the host; Ruby calls its `call`.
pub(crate) struct Function {
    body: Arc<Body>,
    roots: Arc<Roots>,
}

impl NativeData for Function {
    const NAME: &'static str = "host function";

    fn mark(&self, _mark: &mut dyn FnMut(carat_vm::Value)) {}
}

/// A value of the host's that an object carries.
pub(crate) struct Carried(pub(crate) Box<dyn Any + Send>);

impl NativeData for Carried {
    const NAME: &'static str = "host object";

    fn mark(&self, _mark: &mut dyn FnMut(carat_vm::Value)) {}
}

methods! {
    FUNCTION { "call" => call; }
    WRITER { "write" => write; }
    READER { "read" => read; }
    SOURCES { "find" => find; }
}

/// The class of functions, which nothing names.
pub(crate) fn function_class(ec: &mut Ec) -> Class {
    class_with(ec, FUNCTION)
}

fn class_with(ec: &mut Ec, methods: &'static [carat_vm::method::MethodDef]) -> Class {
    let class = ec.new_class(ec.vm().known().object);
    class.set_allocator(None);
    ec.vm().keep(class.value());
    class.define_methods(ec, methods);
    class
}

pub(crate) fn new_function(
    ec: &Ec,
    class: Class,
    roots: &Arc<Roots>,
    body: impl Fn(&mut Scope<'_>, &[Value]) -> std::result::Result<Value, Error> + Send + Sync + 'static,
) -> carat_vm::Value {
    Data::new(ec, class, Function { body: Arc::new(body), roots: roots.clone() }).value()
}

fn call(ec: &mut Ec, this: Data<Function>, arguments: Rest) -> Result {
    ec.check_native_stack()?;
    let (body, roots) = (this.get(ec).body.clone(), this.get(ec).roots.clone());
    let mut held = Vec::with_capacity(arguments.len());
    held.extend(arguments.iter().map(|argument| roots.hold(ec, argument)));
    let outcome = catch_unwind(AssertUnwindSafe(|| body(&mut Scope::new(ec, &roots), &held)));
    // The host may have called the system.
    carat_os::contact::count();
    match outcome {
        Ok(Ok(value)) => match roots.find(ec, &value) {
            Some(value) => Ok(value),
            None => Err(ec.argument_error("the host returned another VM's object")),
        },
        Ok(Err(error)) => Err(raise(ec, &roots, &error)),
        Err(panic) => {
            let said = panic.downcast_ref::<&str>().map(|said| (*said).to_owned());
            let said = said.or_else(|| panic.downcast_ref::<String>().cloned()).unwrap_or_default();
            Err(ec.runtime_error(&format!("the host's function panicked: {said}")))
        }
    }
}

/// The error as an exception: the one that it was, or a new one of the class that it names.
fn raise(ec: &mut Ec, roots: &Arc<Roots>, error: &Error) -> carat_vm::Unwind {
    // What stopped the program goes on doing so.
    if matches!(error.kind, Kind::Deadline | Kind::Fuel | Kind::Stopped | Kind::Memory)
        && let Err(unwind) = ec.check_ints()
    {
        return unwind;
    }
    if let Some(exception) = error.exception.as_ref().and_then(|exception| roots.find(ec, exception)) {
        return ec.raise(exception);
    }
    let name = ec.vm().intern(&error.class);
    let named = ec.vm().known().object.own_constant(name).and_then(|constant| Class::from_value(constant.value));
    let known = ec.vm().known();
    let is_exception = |class: &Class| class.mro().iter().any(|ancestor| *ancestor == known.exception.value());
    let class = named.filter(is_exception).unwrap_or(known.runtime_error);
    ec.error(class, &error.message)
}

// ---- streams ----

type Write = dyn Fn(&[u8]) + Send + Sync;
type Line = dyn Fn() -> Option<Vec<u8>> + Send + Sync;
type Find = dyn Fn(&str) -> Option<String> + Send + Sync;

#[derive(Clone)]
pub(crate) struct Output(Arc<Write>);

#[derive(Clone)]
pub(crate) struct Input(Arc<Line>);

#[derive(Clone)]
pub(crate) struct Sources(Arc<Find>);

/// What a VM asks of its host.
#[derive(Default)]
pub(crate) struct Host {
    pub(crate) stdout: Output,
    pub(crate) stderr: Output,
    pub(crate) stdin: Input,
    pub(crate) sources: Option<Sources>,
}

impl Output {
    pub(crate) fn new(write: impl Fn(&[u8]) + Send + Sync + 'static) -> Output {
        Output(Arc::new(write))
    }
}

impl Default for Output {
    fn default() -> Output {
        Output::new(|_| ())
    }
}

impl Input {
    pub(crate) fn new(line: impl Fn() -> Option<Vec<u8>> + Send + Sync + 'static) -> Input {
        Input(Arc::new(line))
    }
}

impl Default for Input {
    fn default() -> Input {
        Input::new(|| None)
    }
}

impl Sources {
    pub(crate) fn new(find: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Sources {
        Sources(Arc::new(find))
    }
}

macro_rules! plain_data {
    ($($kind:ty => $name:literal),+) => {$(
        impl NativeData for $kind {
            const NAME: &'static str = $name;

            fn mark(&self, _mark: &mut dyn FnMut(carat_vm::Value)) {}
        }
    )+};
}

plain_data!(Output => "host output", Input => "host input", Sources => "host sources");

/// Runs a function of the host's that no panic may leave.
fn guarded<R>(ec: &mut Ec, body: impl FnOnce() -> R) -> Result<R> {
    catch_unwind(AssertUnwindSafe(body)).map_err(|_| ec.runtime_error("the host's function panicked"))
}

fn write(ec: &mut Ec, this: Data<Output>, text: Str) -> Result<usize> {
    let (write, bytes) = (this.get(ec).0.clone(), text.owned_bytes(ec)?);
    guarded(ec, || write(&bytes))?;
    Ok(bytes.len())
}

fn read(ec: &mut Ec, this: Data<Input>) -> Result<Option<Str>> {
    let line = this.get(ec).0.clone();
    let line = guarded(ec, || line())?;
    Ok(line.map(|line| Str::new(ec, &line, carat_vm::EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown)))
}

/// Runs the source of a feature if the host has it: nil if not.
fn find(ec: &mut Ec, this: Data<Sources>, feature: Str) -> Result {
    let (find, name) = (this.get(ec).0.clone(), feature.to_text(ec));
    let Some(source) = guarded(ec, || find(&name))? else { return Ok(carat_vm::Value::NIL) };
    let options = carat_compile::Options::file(&name);
    carat_builtins::program::run_main(ec, source.as_bytes(), &options, None)?;
    Ok(carat_vm::Value::TRUE)
}

/// The objects that `prelude.rb` builds the VM's surroundings of.
pub(crate) fn arguments(ec: &mut Ec, host: Host) -> [carat_vm::Value; 4] {
    let (writer, reader) = (class_with(ec, WRITER), class_with(ec, READER));
    let sources = class_with(ec, SOURCES);
    [
        Data::new(ec, writer, host.stdout).value(),
        Data::new(ec, writer, host.stderr).value(),
        Data::new(ec, reader, host.stdin).value(),
        host.sources.map_or(carat_vm::Value::NIL, |found| Data::new(ec, sources, found).value()),
    ]
}
