//! Exceptions and jumps: raising, catching, ensuring.
//!
//! What a callback leaves behind when it unwinds is [`Ec::pending`]: an exception, or a jump (`break`, `throw`, the end of a
//! thread) that C code sees as a number only. `rb_protect` holds it back, `rb_jump_tag` lets it go on.
//!
//! [`Ec::pending`]: carat_vm::Ec::pending

use crate::boundary::{
    CValue, Function, Room, Text, again, call_c_one, call_c_through, call_c_value, class, constant, kernel_call, store,
    string, values,
};
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Unwind, Value, sym};
use std::ffi::c_int;

/// What C code is told of: `TAG_RAISE`, and `TAG_THROW` for any jump.
const RAISED: c_int = 6;
const THROWN: c_int = 7;

fn state_of(ec: &Ec, pending: Value) -> c_int {
    if ec.is_exception(pending) { RAISED } else { THROWN }
}

/// Whether what unwinds is an exception of one of these classes.
fn is_rescued(ec: &mut Ec, classes: &[Value]) -> Result<bool> {
    let pending = ec.pending();
    if !ec.is_exception(pending) {
        return Ok(false);
    }
    for wanted in classes {
        let wanted = class(ec, *wanted)?;
        if ec.is_a(pending, wanted) {
            return Ok(true);
        }
    }
    again(ec, pending);
    Ok(false)
}

/// Runs a callback; if it raises one of the classes, another one, with `$!` set meanwhile.
#[inline(always)]
fn rescue(ec: &mut Ec, body: (Function, u64), handler: (Function, u64), classes: Classes) -> Result {
    match call_c_one(ec, body.0, body.1) {
        Ok(value) => Ok(value),
        Err(unwind) => rescued(ec, unwind, handler, classes),
    }
}

/// What C code rescues.
#[derive(Clone, Copy)]
enum Classes {
    Standard,
    /// So many, from there on.
    Listed(i64, *const CValue),
}

#[cold]
#[inline(never)]
fn rescued(ec: &mut Ec, unwind: Unwind, handler: (Function, u64), classes: Classes) -> Result {
    let mut room = Room::new();
    let standard = [ec.vm().known().standard_error.value()];
    let classes = match classes {
        Classes::Standard => &standard,
        Classes::Listed(count, first) => values(count, first, &mut room),
    };
    if !is_rescued(ec, classes)? {
        return Err(unwind);
    }
    if handler.0.is_null() {
        return Ok(Value::NIL);
    }
    let exception = ec.pending();
    ec.dealing_with(exception, |ec| call_c_value(ec, handler.0, &[handler.1, CValue::of(exception).word()]))
}

/// Runs a callback, and then another one however the first ended.
#[inline(always)]
fn ensure(ec: &mut Ec, body: (Function, u64), last: (Function, u64)) -> Result {
    if let Ok(value) = call_c_one(ec, body.0, body.1) {
        call_c_through(last.0, last.1);
        // Keeps it where the collector sees it.
        return Ok(std::hint::black_box(value));
    }
    let pending = ec.pending();
    if ec.is_exception(pending) {
        ec.dealing_with(pending, |ec| call_c_one(ec, last.0, last.1))?;
    } else {
        call_c_one(ec, last.0, last.1)?;
    }
    Err(again(ec, pending))
}

/// Runs a callback; what unwinds is held back, and its kind stored.
fn protect(ec: &mut Ec, body: (Function, u64), state: *mut c_int) -> CValue {
    match call_c_one(ec, body.0, body.1) {
        Ok(value) => {
            store(state, 0);
            CValue::of(value)
        }
        Err(_) => {
            hold(ec, state);
            CValue::of(Value::NIL)
        }
    }
}

/// Notes what unwinds, for C code to look at and to let go on.
pub(crate) fn hold(ec: &mut Ec, state: *mut c_int) {
    let pending = ec.pending();
    ec.hold(pending);
    store(state, state_of(ec, pending));
}

/// What `rb_protect` held back goes on, or the exception that C code put in its place.
fn release(ec: &mut Ec, state: c_int) -> Unwind {
    let (held, error) = (ec.held(), ec.foreign_error());
    let pending = if state == RAISED && !error.is_nil() { error } else { held };
    ec.let_go();
    if pending.is_nil() {
        return ec.runtime_error("rb_jump_tag without anything to go on with");
    }
    again(ec, pending)
}

fn system_error(ec: &mut Ec, number: c_int, message: Value) -> Result {
    let class = ec.vm().known().system_call_error.value();
    ec.call(class, sym::NEW, &[message, Value::fixnum_unchecked(number.into())])
}

fn optional_text(ec: &Ec, text: Text) -> Value {
    if text.is_null() {
        Value::NIL
    } else {
        Str::new(ec, text.bytes(), EncodingIndex::UTF_8, CodeRange::Unknown).value()
    }
}

fn errno() -> c_int {
    std::io::Error::last_os_error().raw_os_error().unwrap_or(0)
}

api! {
    fn rb_exc_raise(ec, exception: Value) -> Result<()> {
        if !ec.is_a(exception, ec.vm().known().exception) {
            return Err(ec.type_error("exception object expected"));
        }
        raise_again(ec, exception)
    }

    fn rb_exc_fatal(ec, exception: Value) -> Result<()> {
        raise_again(ec, exception)
    }

    /// Raises an exception of a class with a message that the shim formatted.
    fn carat_raise(ec, class: Value, message: Value) -> Result<()> {
        let exception = ec.call(class, sym::NEW, &[message])?;
        if !ec.is_a(exception, ec.vm().known().exception) {
            return Err(ec.type_error("exception object expected"));
        }
        Err(ec.raise(exception))
    }

    fn carat_raise_name_error(ec, name: crate::boundary::Id, message: Value) -> Result<()> {
        let text = string(ec, message)?.to_text(ec);
        Err(ec.name_error(&text, Value::NIL, name.0))
    }

    fn carat_raise_frozen(ec, object: Value, message: Value) -> Result<()> {
        let text = string(ec, message)?;
        let unwind = ec.frozen_error(object);
        let exception = ec.pending();
        ec.set_field(exception, sym::MESG, text.value());
        Err(unwind)
    }

    fn rb_exc_new(ec, class: Value, text: *const u8, len: i64) -> Result {
        let message = Str::new(ec, crate::boundary::bytes_at(text, len), EncodingIndex::ASCII_8BIT, CodeRange::Unknown).value();
        ec.call(class, sym::NEW, &[message])
    }

    fn rb_exc_new_cstr(ec, class: Value, text: Text) -> Result {
        let message = Str::new(ec, text.bytes(), EncodingIndex::ASCII_8BIT, CodeRange::Unknown).value();
        ec.call(class, sym::NEW, &[message])
    }

    fn rb_exc_new_str(ec, class: Value, text: Value) -> Result {
        let text = ec.to_str(text)?;
        ec.call(class, sym::NEW, &[text.value()])
    }

    fn rb_syserr_new(ec, number: c_int, text: Text) -> Result {
        let message = optional_text(ec, text);
        system_error(ec, number, message)
    }

    fn rb_syserr_new_str(ec, number: c_int, message: Value) -> Result {
        system_error(ec, number, message)
    }

    fn rb_sys_fail(ec, text: Text) -> Result<()> {
        let (number, message) = (errno(), optional_text(ec, text));
        fail(ec, number, message)
    }

    fn rb_sys_fail_str(ec, message: Value) -> Result<()> {
        fail(ec, errno(), message)
    }

    fn rb_syserr_fail(ec, number: c_int, text: Text) -> Result<()> {
        let message = optional_text(ec, text);
        fail(ec, number, message)
    }

    fn rb_syserr_fail_str(ec, number: c_int, message: Value) -> Result<()> {
        fail(ec, number, message)
    }

    fn rb_mod_sys_fail(ec, module: Value, text: Text) -> Result<()> {
        let (number, message) = (errno(), optional_text(ec, text));
        let exception = system_error(ec, number, message)?;
        ec.call(exception, name!(ec, "extend"), &[module])?;
        raise_again(ec, exception)
    }

    fn rb_readwrite_syserr_fail(ec, kind: c_int, number: c_int, text: Text) -> Result<()> {
        let message = optional_text(ec, text);
        let exception = system_error(ec, number, message)?;
        let module = constant(ec, if kind == 0 { "IO::WaitReadable" } else { "IO::WaitWritable" })?;
        ec.call(exception, name!(ec, "extend"), &[module])?;
        raise_again(ec, exception)
    }

    fn rb_readwrite_sys_fail(ec, kind: c_int, text: Text) -> Result<()> {
        let (number, message) = (errno(), optional_text(ec, text));
        let exception = system_error(ec, number, message)?;
        let module = constant(ec, if kind == 0 { "IO::WaitReadable" } else { "IO::WaitWritable" })?;
        ec.call(exception, name!(ec, "extend"), &[module])?;
        raise_again(ec, exception)
    }

    fn rb_eof_error(ec) -> Result<()> {
        Err(ec.error(ec.vm().known().eof_error, "end of file reached"))
    }

    fn rb_notimplement(ec) -> Result<()> {
        let name = ec.running_method_name().map(|(name, _)| ec.vm().symbol_text(name)).unwrap_or_default();
        Err(ec.not_implemented(&format!("{name}() function is unimplemented on this machine")))
    }

    fn rb_num_zerodiv(ec) -> Result<()> {
        Err(ec.zero_division())
    }

    fn rb_invalid_str(ec, text: Text, kind: Text) -> Result<()> {
        let shown = optional_text(ec, text);
        let shown = ec.inspect(shown)?.to_text(ec);
        Err(ec.argument_error(&format!("invalid value for {}: {shown}", kind.lossy())))
    }

    fn rb_out_of_int(ec, number: i64) -> Result<()> {
        let size = if number < 0 { "small" } else { "big" };
        Err(ec.range_error(&format!("integer {number} too {size} to convert to 'int'")))
    }

    fn rb_error_frozen_object(ec, object: Value) -> Result<()> {
        Err(ec.frozen_error(object))
    }

    fn rb_error_frozen(ec, what: Text) -> Result<()> {
        let message = format!("can't modify frozen {}", what.lossy());
        Err(ec.error(ec.vm().known().frozen_error, &message))
    }

    fn rb_check_frozen(ec, object: Value) -> Result<()> {
        if let Some(string) = Str::from_value(object) {
            return string.check_mutable(ec);
        }
        if ec.is_frozen(object) { Err(ec.frozen_error(object)) } else { Ok(()) }
    }

    fn rb_exit(ec, status: c_int) -> Result<()> {
        kernel_call(ec, name!(ec, "exit"), &[Value::fixnum_unchecked(status.into())]).map(drop)
    }

    fn rb_make_exception(ec, count: i32, list: *const CValue) -> Result {
        make_exception(ec, values(count.into(), list, &mut Room::new()))
    }

    fn rb_make_backtrace(ec) -> Result {
        kernel_call(ec, name!(ec, "caller"), &[Value::fixnum_unchecked(0)])
    }

    fn rb_errinfo(ec) -> Value {
        ec.foreign_error()
    }

    fn rb_set_errinfo(ec, exception: Value) -> Result<()> {
        if !exception.is_nil() && !ec.is_a(exception, ec.vm().known().exception) {
            return Err(ec.type_error("assigning non-exception to $!"));
        }
        if exception.is_nil() { ec.forget_error() } else { ec.note_error(exception) }
        Ok(())
    }

    fn rb_backtrace(ec) -> Result<()> {
        let trace = kernel_call(ec, name!(ec, "caller"), &[Value::fixnum_unchecked(0)])?;
        let stderr = ec.global(sym::STDERR)?;
        ec.call(stderr, sym::PUTS, &[trace]).map(drop)
    }

    fn rb_protect(ec, body: Function, argument: u64, state: *mut c_int) -> CValue {
        protect(ec, (body, argument), state)
    }

    fn rb_jump_tag(ec, state: c_int) -> Result<()> {
        Err(release(ec, state))
    }

    fn rb_ensure(ec, body: Function, argument: u64, last: Function, last_argument: u64) -> Result {
        ensure(ec, (body, argument), (last, last_argument))
    }

    fn rb_rescue(ec, body: Function, argument: u64, handler: Function, handler_argument: u64) -> Result {
        rescue(ec, (body, argument), (handler, handler_argument), Classes::Standard)
    }

    /// `rb_rescue2`, the classes in a list.
    fn carat_rescue(
        ec, body: Function, argument: u64, handler: Function, handler_argument: u64, count: i64, classes: *const CValue,
    ) -> Result {
        rescue(ec, (body, argument), (handler, handler_argument), Classes::Listed(count, classes))
    }

    fn rb_catch_obj(ec, tag: Value, body: Function, data: u64) -> Result {
        catch(ec, tag, body, data)
    }

    fn rb_catch(ec, tag: Text, body: Function, data: u64) -> Result {
        let tag = Value::symbol(tag.symbol(ec));
        catch(ec, tag, body, data)
    }

    fn rb_throw_obj(ec, tag: Value, value: Value) -> Result<()> {
        kernel_call(ec, name!(ec, "throw"), &[tag, value]).map(drop)
    }

    fn rb_throw(ec, tag: Text, value: Value) -> Result<()> {
        let tag = Value::symbol(tag.symbol(ec));
        kernel_call(ec, name!(ec, "throw"), &[tag, value]).map(drop)
    }

    fn rb_write_warning_str(ec, text: Value) -> Result<()> {
        let warning = ec.vm().known().warning.value();
        ec.call(warning, sym::WARN, &[text]).map(drop)
    }

    /// A warning that the shim formatted: with the caller's place in front, if it is to be seen at all.
    fn carat_warn(ec, text: Value, is_verbose_only: i32) -> Result<()> {
        let text = string(ec, text)?.to_text(ec);
        if is_verbose_only != 0 { ec.warn_verbose(&text) } else { ec.warn(&text) }
    }

    fn rb_warning_category_enabled_p(ec, category: c_int) -> Result<i32> {
        is_warned_of(ec, category).map(i32::from)
    }

    fn rb_set_end_proc(ec, function: Function, data: u64) {
        let block = crate::block::proc_of_plain(ec, function, data);
        ec.vm().at_exit(block.value());
    }
}

/// Whether warnings of a category are shown.
fn is_warned_of(ec: &mut Ec, category: c_int) -> Result<bool> {
    let name = match category {
        1 => "deprecated",
        2 => "experimental",
        3 => "performance",
        _ => return Ok(true),
    };
    let (warning, name) = (ec.vm().known().warning.value(), Value::symbol(ec.vm().intern(name)));
    Ok(ec.call(warning, name!(ec, "[]"), &[name])?.truthy())
}

fn raise_again(ec: &mut Ec, exception: Value) -> Result<()> {
    kernel_call(ec, name!(ec, "raise"), &[exception]).map(drop)
}

fn fail(ec: &mut Ec, number: c_int, message: Value) -> Result<()> {
    let exception = system_error(ec, number, message)?;
    raise_again(ec, exception)
}

fn make_exception(ec: &mut Ec, args: &[Value]) -> Result {
    match args {
        [] => Ok(Value::NIL),
        [_, _, _, _, ..] => Err(ec.arity_error(args.len(), 0, Some(3))),
        [text] if Str::from_value(*text).is_some() => {
            ec.call(ec.vm().known().runtime_error.value(), sym::NEW, &[*text])
        }
        [first, rest @ ..] => {
            let message = &rest[..rest.len().min(1)];
            let made = match ec.call_if_responds(*first, sym::EXCEPTION, message)? {
                Some(made) => made,
                None => return Err(ec.type_error("exception class/object expected")),
            };
            if !ec.is_a(made, ec.vm().known().exception) {
                return Err(ec.type_error("exception object expected"));
            }
            if let Some(backtrace) = rest.get(1).filter(|trace| !trace.is_nil()) {
                ec.call(made, sym::SET_BACKTRACE, &[*backtrace])?;
            }
            Ok(made)
        }
    }
}

/// `catch(tag) { … }`, the block in C.
fn catch(ec: &mut Ec, tag: Value, body: Function, data: u64) -> Result {
    let block = crate::block::proc_of(ec, body, data);
    let passing = carat_vm::call::Passing { keywords: None, block: Some(block) };
    let kernel = ec.vm().known().kernel.value();
    ec.call_with(kernel, name!(ec, "catch"), &[tag], passing)
}
