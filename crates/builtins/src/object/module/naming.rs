//! What modules are called.

use super::names;
use carat_vm::{Class, Ec, EncodingIndex, Result, Str, Value};

/// A name as the frozen string that `Module#name` gives every time.
fn text(ec: &Ec, name: &str) -> Str {
    ec.fstring(name.as_bytes(), if name.is_ascii() { EncodingIndex::US_ASCII } else { EncodingIndex::UTF_8 })
}

pub(super) fn name(ec: &mut Ec, this: Class) -> Option<Str> {
    if this.is_singleton() {
        return None;
    }
    this.name().map(|name| text(ec, &name))
}

pub(super) fn to_s(ec: &mut Ec, this: Class) -> Str {
    if !this.is_singleton()
        && !this.is_refinement()
        && let Some(name) = this.name().filter(|name| name.is_ascii())
    {
        return Str::from_ascii(ec, name.as_bytes());
    }
    let shown = this.to_text(ec);
    Str::from_text(ec, &shown)
}

pub(super) fn set_temporary_name(ec: &mut Ec, this: Class, name: Value) -> Result {
    if this.has_permanent_name() {
        return Err(ec.runtime_error("can't change permanent name"));
    }
    if name.is_nil() {
        this.set_temporary_name(None);
        this.rename_nested(ec);
        return Ok(this.value());
    }
    let name = ec.to_str(name)?.to_text(ec);
    if name.is_empty() {
        return Err(ec.argument_error("empty class/module name"));
    }
    if names::is_constant_path(name.strip_prefix("::").unwrap_or(&name)) {
        return Err(ec.argument_error("the temporary name must not be a constant path to avoid confusion"));
    }
    this.set_temporary_name(Some(&name));
    this.rename_nested(ec);
    Ok(this.value())
}
