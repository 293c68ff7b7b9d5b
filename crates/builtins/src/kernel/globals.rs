//! Special global variables that belong to no other class, and `global_variables`.

use crate::exception;
use carat_vm::vm::GlobalVariable;
use carat_vm::{Array, Ec, Result, Str, SymbolId, Value, methods, sym};
use std::sync::atomic::{AtomicBool, AtomicU64};

methods! {
    METHODS {
        module_function "global_variables" => global_variables;
        module_function "set_trace_func" => set_trace_func;
        module_function "trace_var" => trace_var;
        module_function "untrace_var" => untrace_var;
    }
}

type Getter = fn(&mut Ec, SymbolId) -> Result;
type Setter = fn(&mut Ec, SymbolId, Value) -> Result<()>;

/// A variable with hooks; without a setter of its own it takes any value.
fn define(ec: &Ec, name: &str, value: Value, getter: Option<Getter>, setter: Option<Setter>) {
    let variable =
        GlobalVariable { value: AtomicU64::new(value.bits()), getter, setter, is_defined: AtomicBool::new(true) };
    ec.vm().define_global(ec.vm().intern(name), variable);
}

fn alias(ec: &Ec, new: &str, old: &str) {
    ec.vm().alias_global(ec.vm().intern(new), ec.vm().intern(old));
}

pub(super) fn init(ec: &mut Ec) {
    define_state(ec);
    define_separators(ec);
    for name in ["$stdout", "$stderr"] {
        if ec.vm().global(ec.vm().intern(name)).is_none() {
            define(ec, name, Value::NIL, None, Some(set_writer));
        }
    }
    alias(ec, "$>", "$stdout");
    define(ec, "$stdin", Value::NIL, None, None);
    define_from_options(ec);
}

fn define_state(ec: &Ec) {
    define(ec, "$VERBOSE", Value::NIL, Some(|ec, _| Ok(ec.vm().verbose())), Some(set_verbose));
    alias(ec, "$-v", "$VERBOSE");
    alias(ec, "$-w", "$VERBOSE");
    define(ec, "$-W", Value::NIL, Some(warning_level), Some(read_only));
    define(ec, "$DEBUG", Value::FALSE, None, None);
    alias(ec, "$-d", "$DEBUG");
    define(ec, "$!", Value::NIL, Some(|ec, _| Ok(ec.errinfo())), Some(read_only));
    define(ec, "$@", Value::NIL, Some(error_backtrace), Some(set_error_backtrace));
    let name = Str::from_text(ec, "-").value();
    define(ec, "$0", name, None, Some(set_program_name));
    alias(ec, "$PROGRAM_NAME", "$0");
    define(ec, "$$", Value::NIL, Some(|ec, _| Ok(ec.int(i64::from(std::process::id())))), Some(read_only));
    let arguments = Array::new(ec, 0).value();
    define(ec, "$*", arguments, None, Some(read_only));
    ec.vm().known().object.set_constant(ec, ec.vm().intern("ARGV"), arguments);
}

fn define_separators(ec: &Ec) {
    define(ec, "$,", Value::NIL, None, Some(set_deprecated_string));
    define(ec, "$;", Value::NIL, None, Some(set_field_separator));
    alias(ec, "$-F", "$;");
    let newline = ec.fstring(b"\n", carat_vm::EncodingIndex::UTF_8).value();
    define(ec, "$/", newline, None, Some(set_deprecated_string));
    alias(ec, "$-0", "$/");
    define(ec, "$\\", Value::NIL, None, Some(set_deprecated_string));
}

fn define_from_options(ec: &Ec) {
    use std::sync::atomic::Ordering::Relaxed;
    define(
        ec,
        "$-p",
        Value::FALSE,
        Some(|ec, _| Ok(Value::bool(settings(ec).print_loop.load(Relaxed)))),
        Some(read_only),
    );
    define(
        ec,
        "$-l",
        Value::FALSE,
        Some(|ec, _| Ok(Value::bool(settings(ec).chomp_loop.load(Relaxed)))),
        Some(read_only),
    );
    define(
        ec,
        "$-a",
        Value::FALSE,
        Some(|ec, _| Ok(Value::bool(settings(ec).split_loop.load(Relaxed)))),
        Some(read_only),
    );
    define(ec, "$-i", Value::NIL, None, None);
}

fn settings(ec: &Ec) -> std::sync::Arc<crate::settings::Settings> {
    ec.vm().extension::<crate::settings::Settings>()
}

// ---- setters ----

/// `$x is a read-only variable`
pub(crate) fn read_only(ec: &mut Ec, name: SymbolId, _value: Value) -> Result<()> {
    let text = ec.vm().symbol_text(name);
    Err(ec.name_error(&format!("{text} is a read-only variable"), Value::NIL, name))
}

fn store(ec: &Ec, name: SymbolId, value: Value) {
    ec.vm().global_or_new(name).value.store(value.bits(), std::sync::atomic::Ordering::Release);
}

fn set_writer(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    if !ec.respond_to(value, sym::WRITE, true)? {
        let (text, class) = (ec.vm().symbol_text(name), ec.class_of(value).real().to_text(ec));
        return Err(ec.type_error(&format!("{text} must have write method, {class} given")));
    }
    store(ec, name, value);
    Ok(())
}

fn set_verbose(ec: &mut Ec, _name: SymbolId, value: Value) -> Result<()> {
    ec.vm().set_verbose(if value.is_nil() { value } else { Value::bool(value.truthy()) });
    Ok(())
}

/// `$-W`: 0, 1 or 2.
fn warning_level(ec: &mut Ec, _name: SymbolId) -> Result {
    Ok(ec.int(match ec.vm().verbose() {
        Value::NIL => 0,
        Value::FALSE => 1,
        _ => 2,
    }))
}

/// `$@`
fn error_backtrace(ec: &mut Ec, _name: SymbolId) -> Result {
    let current = ec.errinfo();
    if current.is_nil() { Ok(Value::NIL) } else { ec.call(current, sym::BACKTRACE, &[]) }
}

fn set_error_backtrace(ec: &mut Ec, _name: SymbolId, value: Value) -> Result<()> {
    let current = ec.errinfo();
    if current.is_nil() {
        return Err(ec.argument_error("$! not set"));
    }
    exception::set_backtrace(ec, current, value)?;
    Ok(())
}

fn set_program_name(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    let text = ec.to_str(value)?.duplicate(ec);
    let frozen = ec.fstring(text.bytes(ec), text.encoding());
    store(ec, name, frozen.value());
    Ok(())
}

fn bad_value(ec: &mut Ec, name: SymbolId, expected: &str) -> carat_vm::Unwind {
    let text = ec.vm().symbol_text(name);
    ec.type_error(&format!("value of {text} must be {expected}"))
}

fn warn_separator(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    if value.is_nil() || !ec.vm().is_booted() {
        return Ok(());
    }
    let text = ec.vm().symbol_text(name);
    ec.warn_deprecated(&format!("'{text}' is deprecated"))
}

fn set_deprecated_string(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    if !value.is_nil() && Str::from_value(value).is_none() {
        return Err(bad_value(ec, name, "String"));
    }
    warn_separator(ec, name, value)?;
    store(ec, name, value);
    Ok(())
}

fn set_field_separator(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    let is_regexp = ec.is_a(value, ec.vm().known().regexp);
    if !value.is_nil() && !is_regexp && Str::from_value(value).is_none() {
        return Err(bad_value(ec, name, "String or Regexp"));
    }
    warn_separator(ec, name, value)?;
    store(ec, name, value);
    Ok(())
}

// ---- methods ----

/// Variables that live in frames and so are in no table.
const IN_FRAMES: &[&str] = &["$_", "$~", "$&", "$`", "$'", "$+", "$1", "$2", "$3", "$4", "$5", "$6", "$7", "$8", "$9"];

fn global_variables(ec: &mut Ec, _this: Value) -> Array {
    let names = ec.global_variable_names();
    for name in IN_FRAMES {
        let symbol = Value::symbol(ec.vm().intern(name));
        if !names.slice_of(ec).contains(&symbol) {
            names.push(ec, symbol);
        }
    }
    names
}

fn set_trace_func(ec: &mut Ec, _this: Value, function: Value) -> Result {
    if !function.is_nil() && carat_vm::Proc::from_value(function).is_none() {
        return Err(ec.type_error("trace_func needs to be Proc"));
    }
    Ok(function)
}

fn trace_var(ec: &mut Ec, _this: Value, _args: carat_vm::Rest) -> Result {
    Err(ec.not_implemented("trace_var() function is unimplemented on this machine"))
}

fn untrace_var(ec: &mut Ec, _this: Value, _args: carat_vm::Rest) -> Result {
    Err(ec.not_implemented("untrace_var() function is unimplemented on this machine"))
}
