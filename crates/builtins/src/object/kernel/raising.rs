//! `raise`, `catch` and `throw`.

use carat_vm::call::Passing;
use carat_vm::{Args, Array, Block, Ec, Hash, Result, Str, Unwind, Value, methods, sym};

methods! {
    METHODS {
        module_function "raise" => raise;
        module_function "fail" => raise;
        module_function "catch" => catch;
        module_function "throw" => throw;
    }
}

/// What `raise` was given.
struct Given {
    /// Class or object, message, backtrace.
    values: [Option<Value>; 3],
    count: usize,
    /// Keywords for the exception itself.
    keywords: Option<Hash>,
    cause: Option<Value>,
}

fn raise(ec: &mut Ec, _this: Value, args: Args) -> Result {
    let given = given(ec, args)?;
    if given.count == 0 && given.keywords.is_none() {
        return Err(raise_again(ec, given.cause));
    }
    let exception = make(ec, &given)?;
    if let Some(cause) = given.cause {
        set_cause(ec, exception, cause)?;
    }
    capture(ec, exception);
    Err(ec.raise_with_backtrace(exception))
}

/// The exception that `Thread#raise` and `Fiber#raise` deliver. Its cause is of the caller's making: where it will be
/// raised, `$!` says nothing about why.
pub(crate) fn exception_to_deliver(ec: &mut Ec, args: Args) -> Result {
    let given = given(ec, args)?;
    if given.count == 0 && given.keywords.is_none() {
        if given.cause.is_some() {
            return Err(ec.argument_error(ONLY_CAUSE));
        }
        return Ok(ec.new_exception(ec.vm().known().runtime_error, ""));
    }
    let exception = make(ec, &given)?;
    match given.cause {
        Some(cause) => set_cause(ec, exception, cause)?,
        None if ec.field(exception, sym::CAUSE_IVAR).is_none() => set_cause(ec, exception, ec.errinfo())?,
        None => {}
    }
    Ok(exception)
}

const ONLY_CAUSE: &str = "only cause is given with no arguments";

fn given(ec: &mut Ec, args: Args) -> Result<Given> {
    let keywords = args.has_keywords().then(|| args.get(args.len() - 1).and_then(Hash::from_value)).flatten();
    let count = args.len() - usize::from(keywords.is_some());
    if count > 3 {
        return Err(ec.arity_error(count, 0, Some(3)));
    }
    let mut cause = None;
    let mut rest = None;
    if let Some(hash) = keywords {
        let copy = hash.duplicate(ec)?;
        cause = copy.delete(ec, Value::symbol(sym::CAUSE))?;
        rest = (!copy.is_empty(ec)).then_some(copy);
    }
    let values = [0, 1, 2].map(|i| args.get(i).filter(|_| i < count));
    Ok(Given { values, count, keywords: rest, cause })
}

/// `raise` alone: `$!` again, or a new `RuntimeError`.
fn raise_again(ec: &mut Ec, cause: Option<Value>) -> Unwind {
    if cause.is_some() {
        return ec.argument_error(ONLY_CAUSE);
    }
    let current = ec.errinfo();
    if !current.is_nil() {
        return ec.raise(current);
    }
    let exception = ec.new_exception(ec.vm().known().runtime_error, "");
    capture(ec, exception);
    ec.raise_with_backtrace(exception)
}

/// The backtrace of a fresh exception: from the caller of `raise` on.
fn capture(ec: &mut Ec, exception: Value) {
    if ec.field(exception, sym::BT).is_none_or(Value::is_nil) && !ec.brings_backtrace(exception) {
        let backtrace = carat_vm::backtrace::capture_for_caller(ec);
        ec.give_backtrace(exception, backtrace);
    }
}

fn make(ec: &mut Ec, given: &Given) -> Result {
    let first = given.values[0].unwrap_or(Value::NIL);
    if given.count == 1 && given.keywords.is_none() && Str::from_value(first).is_some() {
        let class = ec.vm().known().runtime_error.value();
        return ec.call(class, sym::NEW, &[first]);
    }
    if given.count == 0 {
        return Err(ec.type_error("exception class/object expected"));
    }
    let exception = call_exception(ec, first, given)?;
    if !ec.is_a(exception, ec.vm().known().exception) {
        return Err(ec.type_error("exception object expected"));
    }
    if let Some(backtrace) = given.values[2].filter(|b| !b.is_nil()) {
        ec.call(exception, sym::SET_BACKTRACE, &[backtrace])?;
    }
    Ok(exception)
}

/// `first.exception(message)`
fn call_exception(ec: &mut Ec, first: Value, given: &Given) -> Result {
    if !ec.respond_to(first, sym::EXCEPTION, true)? {
        return Err(ec.type_error("exception class/object expected"));
    }
    let passing = Passing { keywords: given.keywords, block: None };
    match given.values[1] {
        Some(message) => ec.call_with(first, sym::EXCEPTION, &[message], passing),
        None => ec.call_with(first, sym::EXCEPTION, &[], passing),
    }
}

/// Stores a cause that was given; an exception is never its own, and nil does not take a cause away.
fn set_cause(ec: &mut Ec, exception: Value, cause: Value) -> Result<()> {
    check_cause(ec, exception, cause)?;
    let cause = if cause == exception { Value::NIL } else { cause };
    if !cause.is_nil() || ec.field(exception, sym::CAUSE_IVAR).is_none() {
        ec.set_cause(exception, cause);
    }
    Ok(())
}

/// A cause must be an exception or nil, and must not have the exception among its own causes.
fn check_cause(ec: &mut Ec, exception: Value, cause: Value) -> Result<()> {
    if cause.is_nil() {
        return Ok(());
    }
    if !ec.is_a(cause, ec.vm().known().exception) {
        return Err(ec.type_error("exception object expected"));
    }
    if cause == exception {
        return Ok(());
    }
    if ec.is_among_causes(exception, cause) {
        return Err(ec.argument_error("circular causes"));
    }
    Ok(())
}

// ---- catch and throw ----

/// Tags that somebody waits for, innermost last. No `throw` leaves its fiber, so each keeps its own in a hidden field.
fn tags(ec: &mut Ec) -> Array {
    let holder = ec.current_fiber().value();
    if let Some(array) = ec.field(holder, sym::CATCH_TAGS_IVAR).and_then(Array::from_value) {
        return array;
    }
    let array = Array::new(ec, 4);
    ec.set_field(holder, sym::CATCH_TAGS_IVAR, array.value());
    array
}

fn catch(ec: &mut Ec, _this: Value, tag: Option<Value>, block: Option<Block>) -> Result {
    let Some(block) = block else { return Err(ec.local_jump_error("no block given", "noreason", Value::NIL)) };
    let tag = tag.unwrap_or_else(|| ec.new_object(ec.vm().known().object));
    let tags = tags(ec);
    let depth = tags.len(ec);
    tags.push(ec, tag);
    let errinfo = ec.errinfo();
    let result = ec.yield_block(block, &[tag]);
    tags.resize(ec, depth);
    match result {
        Ok(value) => Ok(value),
        Err(unwind) => {
            let value = ec.caught_tag(tag).ok_or(unwind)?;
            // A `throw` out of a `rescue` body leaves its exception behind.
            ec.set_errinfo(errinfo);
            Ok(value)
        }
    }
}

fn throw(ec: &mut Ec, _this: Value, tag: Value, value: Option<Value>) -> Result {
    let value = value.unwrap_or(Value::NIL);
    if tags(ec).slice_of(ec).contains(&tag) {
        return Err(ec.throw_tag(tag, value));
    }
    let shown = ec.inspect(tag)?.to_text(ec);
    let exception = ec.new_exception(ec.vm().known().uncaught_throw_error, &format!("uncaught throw {shown}"));
    ec.set_field(exception, sym::TAG_IVAR, tag);
    ec.set_field(exception, sym::VALUE_IVAR, value);
    Err(ec.raise(exception))
}
