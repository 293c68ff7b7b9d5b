//! `Warning[]` and the primitives under `core/warning.rb`.

use carat_vm::{Array, Ec, Name, Result, Str, Value, methods, primitives, sym};
use std::sync::atomic::{AtomicBool, Ordering};

methods! {
    METHODS {
        static "[]" => category_value;
        static "[]=" => set_category;
        static "categories" => categories;
    }
}

primitives! {
    PRIMITIVES {
        "warning_category?" => is_category;
        "warning_enabled?" => is_enabled;
        "stderr_write" => stderr_write;
        "caller_location" => caller_location;
        "warn" => warn;
        "warn_verbose" => warn_verbose;
        "warn_deprecated" => warn_deprecated;
    }
}

const NAMES: &[&str] = &["deprecated", "experimental", "performance", "strict_unused_block"];

pub(super) fn init(ec: &mut Ec) {
    ec.vm().known().warning.define_methods(ec, METHODS);
    ec.vm().warnings.experimental.store(true, Ordering::Relaxed);
}

/// The switch of a category.
pub(crate) fn switch<'a>(ec: &Ec, name: &str) -> Option<&'a AtomicBool> {
    let categories = &ec.vm().warnings;
    match name {
        "deprecated" => Some(&categories.deprecated),
        "experimental" => Some(&categories.experimental),
        "performance" => Some(&categories.performance),
        "strict_unused_block" => Some(&categories.strict_unused_block),
        _ => None,
    }
}

/// A category as `Warning[]` accepts it.
fn checked<'a>(ec: &mut Ec, category: Value) -> Result<&'a AtomicBool> {
    let Some(name) = category.as_symbol() else { return Err(ec.wrong_type(category, "Symbol")) };
    let name = ec.vm().symbol_text(name);
    match switch(ec, &name) {
        Some(switch) => Ok(switch),
        None => Err(ec.argument_error(&format!("unknown category: {name}"))),
    }
}

fn category_value(ec: &mut Ec, _this: Value, category: Value) -> Result<bool> {
    Ok(checked(ec, category)?.load(Ordering::Relaxed))
}

fn set_category(ec: &mut Ec, _this: Value, category: Value, value: Value) -> Result {
    checked(ec, category)?.store(value.truthy(), Ordering::Relaxed);
    Ok(value)
}

fn categories(ec: &mut Ec, _this: Value) -> Array {
    let names = Array::new(ec, NAMES.len());
    NAMES.iter().for_each(|n| names.push(ec, Value::symbol(ec.vm().intern(n))));
    names
}

fn is_category(ec: &mut Ec, name: Name) -> bool {
    NAMES.contains(&ec.vm().symbol_text(name.0).as_str())
}

fn is_enabled(ec: &mut Ec, name: Name) -> bool {
    let name = ec.vm().symbol_text(name.0);
    switch(ec, &name).is_some_and(|s| s.load(Ordering::Relaxed))
}

/// `$stderr.write(text)`; where `$stderr` was closed, the descriptor takes it.
pub(super) fn stderr_write(ec: &mut Ec, text: Value) -> Result {
    let stderr = ec.global(sym::STDERR)?;
    if crate::system::io::is_closed_stream(ec, stderr) {
        let text = ec.to_str(text)?;
        let _ = carat_os::write(2, text.bytes(ec));
        return Ok(Value::NIL);
    }
    ec.call(stderr, sym::WRITE, &[text])
}

/// `path:line: ` of the frame `level` above the caller of `warn`; `warning: ` alone stands where there is none.
fn caller_location(ec: &mut Ec, level: i64) -> Option<Str> {
    // Frame 0 is `Kernel#warn`.
    let skip = usize::try_from(level).unwrap_or(0) + 1;
    let text =
        carat_vm::backtrace::some_locations(ec, skip, 0, 1)?.first().map(|l| format!("{}:{}: ", l.path(), l.line))?;
    Some(Str::from_text(ec, &text))
}

fn text_of(ec: &mut Ec, text: Value) -> Result<String> {
    Ok(ec.to_str(text)?.to_text(ec))
}

fn warn(ec: &mut Ec, text: Value) -> Result<()> {
    let text = text_of(ec, text)?;
    ec.warn(&text)
}

fn warn_verbose(ec: &mut Ec, text: Value) -> Result<()> {
    let text = text_of(ec, text)?;
    ec.warn_verbose(&text)
}

fn warn_deprecated(ec: &mut Ec, text: Value) -> Result<()> {
    let text = text_of(ec, text)?;
    ec.warn_deprecated(&text)
}
