//! The native half of `lib/cgi/escape.rb`: text made safe for HTML.

use carat_vm::{Class, CodeRange, Ec, Result, Str, Value, methods};

methods! {
    UTIL { private "html_escaped" => html_escaped; }
}

/// `require "cgi/escape/html.so"`
pub(crate) fn init(ec: &mut Ec) {
    let nested = |scope: Class, name: &str| {
        scope.own_constant(ec.vm().intern(name)).and_then(|constant| Class::from_value(constant.value))
    };
    if let Some(module) = nested(ec.vm().known().object, "CGI").and_then(|cgi| nested(cgi, "Util")) {
        module.define_methods(ec, UTIL);
    }
}

/// What stands for a byte that HTML takes for something else.
fn reference(byte: u8) -> Option<&'static [u8]> {
    Some(match byte {
        b'\'' => b"&#39;",
        b'&' => b"&amp;",
        b'"' => b"&quot;",
        b'<' => b"&lt;",
        b'>' => b"&gt;",
        _ => return None,
    })
}

/// `html_escaped(text)`: a text with references in place of the bytes that need one; nil if there are none, or if the bytes
/// do not tell. In no encoding that contains ASCII are these bytes part of a longer character.
fn html_escaped(ec: &mut Ec, _this: Value, text: Str) -> Result<Option<Str>> {
    if !text.encoding().is_ascii_compatible() {
        return Ok(None);
    }
    let added: usize = text.bytes(ec).iter().filter_map(|byte| Some(reference(*byte)?.len() - 1)).sum();
    if added == 0 {
        return Ok(None);
    }
    let len = text.len(ec) + added;
    ec.ensure_memory(len)?;
    let mut escaped = Vec::with_capacity(len);
    for byte in text.bytes(ec) {
        match reference(*byte) {
            Some(reference) => escaped.extend_from_slice(reference),
            None => escaped.push(*byte),
        }
    }
    let range = match text.known_range() {
        CodeRange::Broken => CodeRange::Unknown,
        range => range,
    };
    Ok(Some(Str::new(ec, &escaped, text.encoding(), range)))
}
