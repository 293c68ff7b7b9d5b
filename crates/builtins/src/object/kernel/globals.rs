//! Special global variables that belong to no other class, and `global_variables`.

use crate::object::exception;
use carat_vm::vm::GlobalVariable;
use carat_vm::{Array, Block, Ec, Name, Result, Str, SymbolId, Value, methods, sym};
use std::sync::atomic::Ordering;

methods! {
    METHODS {
        module_function "global_variables" => global_variables;
        module_function "trace_var" => trace_var;
        module_function "untrace_var" => untrace_var;
    }
}

type Getter = fn(&mut Ec, SymbolId) -> Result;
type Setter = fn(&mut Ec, SymbolId, Value) -> Result<()>;

/// A variable with hooks; without a setter of its own it takes any value.
fn define(ec: &Ec, name: &str, value: Value, getter: Option<Getter>, setter: Option<Setter>) {
    let variable = GlobalVariable { getter, setter, ..GlobalVariable::plain(value, true) };
    ec.vm().define_global(ec.vm().intern(name), variable);
}

fn alias(ec: &Ec, new: &str, old: &str) {
    ec.vm().alias_global(ec.vm().intern(new), ec.vm().intern(old));
}

pub(super) fn init(ec: &mut Ec) {
    define_state(ec);
    define_separators(ec);
    define_frame_variables(ec);
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
    define(ec, "$DEBUG", Value::FALSE, None, Some(set_debug));
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

/// The special variables of frames, as aliases and `trace_var` see them.
fn define_frame_variables(ec: &Ec) {
    let set_match: Setter = |ec, _, value| {
        if !value.is_nil() && !ec.is_a(value, ec.vm().known().match_data) {
            return Err(ec.wrong_type(value, "MatchData"));
        }
        ec.set_last_match(value);
        Ok(())
    };
    let set_line: Setter = |ec, _, value| {
        ec.set_last_line(value);
        Ok(())
    };
    define(ec, "$~", Value::NIL, Some(|ec, _| Ok(ec.last_match())), Some(set_match));
    define(ec, "$_", Value::NIL, Some(|ec, _| Ok(ec.last_line())), Some(set_line));
    define(ec, "$&", Value::NIL, Some(|ec, _| ec.match_special(1)), Some(read_only));
    define(ec, "$`", Value::NIL, Some(|ec, _| ec.match_special(2)), Some(read_only));
    define(ec, "$'", Value::NIL, Some(|ec, _| ec.match_special(3)), Some(read_only));
    define(ec, "$+", Value::NIL, Some(|ec, _| ec.match_special(4)), Some(read_only));
}

fn define_separators(ec: &Ec) {
    define(ec, "$,", Value::NIL, None, Some(set_deprecated_string));
    define(ec, "$;", Value::NIL, None, Some(set_field_separator));
    alias(ec, "$-F", "$;");
    let newline = ec.fstring(b"\n", carat_vm::EncodingIndex::UTF_8).value();
    define(ec, "$/", newline, None, Some(set_record_separator));
    define(ec, "$=", Value::FALSE, Some(ignored_case), Some(ignore_case));
    define(ec, "$<", Value::NIL, Some(argf), Some(read_only));
    define(ec, "$FILENAME", Value::NIL, Some(argf_filename), Some(read_only));
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
    define(ec, "$-i", Value::NIL, Some(in_place_mode), Some(set_in_place_mode));
}

fn settings(ec: &Ec) -> std::sync::Arc<crate::system::settings::Settings> {
    ec.vm().extension::<crate::system::settings::Settings>()
}

// ---- setters ----

/// `$x is a read-only variable`
pub(crate) fn read_only(ec: &mut Ec, name: SymbolId, _value: Value) -> Result<()> {
    let text = ec.vm().symbol_text(name);
    Err(ec.name_error(&format!("{text} is a read-only variable"), Value::NIL, name))
}

/// Keeps a value, and does nothing else that assigning would.
pub(crate) fn store(ec: &Ec, name: SymbolId, value: Value) {
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
    if current.is_nil() {
        return Ok(Value::NIL);
    }
    let backtrace = ec.call(current, sym::BACKTRACE, &[])?;
    exception::check_backtrace(ec, backtrace)
}

/// What is raised from now on is told of, or no longer.
fn set_debug(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    ec.vm().set_debugging(value.truthy());
    store(ec, name, value);
    Ok(())
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
    if !ec.vm().config.denied.host {
        let _ = carat_os::process::set_title(text.bytes(ec));
    }
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
    ec.warn_deprecated(&format!("non-nil '{text}' is deprecated"))
}

fn set_deprecated_string(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    if !value.is_nil() && Str::from_value(value).is_none() {
        return Err(bad_value(ec, name, "String"));
    }
    warn_separator(ec, name, value)?;
    store(ec, name, value);
    Ok(())
}

/// `$/` is a frozen plain String of its own, unless it was given one.
fn set_record_separator(ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
    let Some(text) = Str::from_value(value) else { return set_deprecated_string(ec, name, value) };
    warn_separator(ec, name, value)?;
    let is_plain = ec.is_frozen(value) && ec.class_of(value) == ec.vm().known().string;
    let kept = if is_plain { text } else { ec.fstring(text.bytes(ec), text.encoding()) };
    store(ec, name, kept.value());
    Ok(())
}

/// `$=`
fn ignored_case(ec: &mut Ec, _name: SymbolId) -> Result {
    ec.warn("variable $= is no longer effective")?;
    Ok(Value::FALSE)
}

fn ignore_case(ec: &mut Ec, _name: SymbolId, _value: Value) -> Result<()> {
    ec.warn("variable $= is no longer effective; ignored")
}

/// `$<`
fn argf(ec: &mut Ec, _name: SymbolId) -> Result {
    let found = ec.vm().known().object.own_constant_value(ec, ec.vm().intern("ARGF"))?;
    Ok(found.unwrap_or(Value::NIL))
}

fn argf_filename(ec: &mut Ec, name: SymbolId) -> Result {
    let stream = argf(ec, name)?;
    if stream.is_nil() { Ok(stream) } else { ec.call(stream, ec.vm().intern("filename"), &[]) }
}

/// `$-i`
fn in_place_mode(ec: &mut Ec, name: SymbolId) -> Result {
    let stream = argf(ec, name)?;
    ec.call(stream, ec.vm().intern("inplace_mode"), &[])
}

fn set_in_place_mode(ec: &mut Ec, name: SymbolId, suffix: Value) -> Result<()> {
    let stream = argf(ec, name)?;
    ec.call(stream, ec.vm().intern("inplace_mode="), &[suffix])?;
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
const IN_FRAMES: &[&str] = &["$_", "$~", "$&", "$`", "$'", "$+"];

/// All names, and those of the groups that took part in the last match.
fn global_variables(ec: &mut Ec, _this: Value) -> Array {
    let names = ec.global_variable_names();
    for name in IN_FRAMES {
        let symbol = Value::symbol(ec.vm().intern(name));
        if !names.slice_of(ec).contains(&symbol) {
            names.push(ec, symbol);
        }
    }
    for number in crate::text::regexp::groups_that_matched(ec, ec.last_match()) {
        names.push(ec, Value::symbol(ec.vm().intern(&format!("${number}"))));
    }
    names
}

/// `trace_var(:$x, command)` or with a block; a nil command removes all.
fn trace_var(ec: &mut Ec, this: Value, name: Name, command: Option<Value>, block: Option<Block>) -> Result {
    let command = match (command, block) {
        (Some(Value::NIL), _) => return untrace_var(ec, this, name, None),
        (Some(command), _) => command,
        (None, Some(block)) => block.to_proc(ec).value(),
        (None, None) => return Err(ec.argument_error("tried to create Proc object without a block")),
    };
    if !ec.is_main_ractor() {
        return Err(ec.runtime_error("only the main Ractor can trace global variables"));
    }
    let variable = ec.vm().global_or_new(name.0);
    variable.traces.write().unwrap_or_else(|e| e.into_inner()).push(command);
    variable.is_traced.store(true, Ordering::Relaxed);
    Ok(Value::NIL)
}

/// The commands that were removed; nil if the one asked for is none.
fn untrace_var(ec: &mut Ec, this: Value, name: Name, command: Option<Value>) -> Result {
    let Some(variable) = ec.vm().global(name.0) else {
        let text = format!("undefined global variable {}", ec.vm().symbol_text(name.0));
        return Err(ec.name_error(&text, this, name.0));
    };
    let mut traces = variable.traces.write().unwrap_or_else(|e| e.into_inner());
    let removed: Box<[Value]> = match command {
        Some(command) if !traces.contains(&command) => return Ok(Value::NIL),
        Some(command) => {
            traces.retain(|trace| *trace != command);
            [command].into()
        }
        None => std::mem::take(&mut *traces).into_iter().rev().collect(),
    };
    drop(traces);
    Ok(Array::from_slice(ec, &removed).value())
}
