//! What modules are called.

use super::names;
use carat_text::transcode::{Options, Outcome};
use carat_vm::{Class, Ec, EncodingIndex, Result, Str, Value};

/// A name as the frozen string that `Module#name` gives every time.
fn text(ec: &Ec, name: &str, encoding: EncodingIndex) -> Str {
    if name.is_ascii() {
        return ec.fstring(name.as_bytes(), EncodingIndex::US_ASCII);
    }
    let (bytes, encoding) = in_encoding(name, encoding);
    ec.fstring(&bytes, encoding)
}

/// A name in the encoding of its constant.
fn in_encoding(name: &str, encoding: EncodingIndex) -> (Vec<u8>, EncodingIndex) {
    let mut bytes = Vec::new();
    let text = carat_text::text::Text::of(name.as_bytes(), EncodingIndex::UTF_8);
    match carat_text::transcode::encode(text, encoding, &Options::default(), &mut bytes) {
        Ok(Outcome::Converted) => (bytes, encoding),
        _ => (name.into(), EncodingIndex::UTF_8),
    }
}

/// The path of a named class or module in the encoding of its constant.
pub(crate) fn path(ec: &Ec, class: Class, name: &str) -> Str {
    let (bytes, encoding) = in_encoding(name, class.name_encoding());
    Str::new(ec, &bytes, encoding, carat_vm::CodeRange::Unknown)
}

pub(super) fn name(ec: &mut Ec, this: Class) -> Option<Str> {
    if this.is_singleton() {
        return None;
    }
    this.name_string(ec, |name, encoding| text(ec, name, encoding))
}

pub(super) fn to_s(ec: &mut Ec, this: Class) -> Result<Str> {
    if this.is_singleton() {
        // A class is shown as its own `inspect` shows it.
        let shown = match Class::from_value(this.attached()) {
            Some(class) => format!("#<Class:{}>", ec.inspect(class.value())?.to_text(ec)),
            None => this.to_text(ec),
        };
        return Ok(Str::from_text(ec, &shown));
    }
    if this.is_refinement() {
        let shown = this.to_text(ec);
        return Ok(Str::from_text(ec, &shown));
    }
    if let Some(name) = this.name().filter(|name| name.is_ascii()) {
        return Ok(Str::from_ascii(ec, name.as_bytes()));
    }
    let shown = this.to_text(ec);
    if this.name_encoding() != EncodingIndex::UTF_8 {
        return Ok(path(ec, this, &shown));
    }
    Ok(Str::from_text(ec, &shown))
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
