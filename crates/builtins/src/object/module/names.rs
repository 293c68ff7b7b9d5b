//! What is a name: constants, class variables, methods that can be attributes.

use carat_vm::symbol::is_identifier;
use carat_vm::{Ec, EncodingIndex, SymbolId};

/// Whether the rest of a name is made of letters, digits and underscores. Bytes beyond ASCII count as letters.
fn is_tail(bytes: &[u8]) -> bool {
    bytes.iter().all(|b| b.is_ascii_alphanumeric() || *b == b'_' || !b.is_ascii())
}

/// `Foo`: begins with an upper-case letter.
pub(crate) fn is_constant(bytes: &[u8]) -> bool {
    let Some(first) = bytes.first() else { return false };
    let begins_upper = if first.is_ascii() { first.is_ascii_uppercase() } else { begins_with_upper_letter(bytes) };
    begins_upper && is_tail(bytes)
}

/// The same of a name in some encoding.
pub(crate) fn is_constant_in(bytes: &[u8], encoding: EncodingIndex) -> bool {
    if encoding.is_utf8() || bytes.is_ascii() {
        return is_constant(bytes);
    }
    let name = carat_text::transcode::to_message(carat_text::text::Text::of(bytes, encoding));
    is_constant(name.as_bytes())
}

pub(crate) fn is_constant_symbol(ec: &Ec, name: SymbolId) -> bool {
    let name = ec.vm().symbol_name(name);
    is_constant_in(name.bytes, name.encoding)
}

fn begins_with_upper_letter(bytes: &[u8]) -> bool {
    let first = String::from_utf8_lossy(&bytes[..bytes.len().min(4)]).chars().next();
    // Title-case letters such as U+01C5 begin constants, too: they have a lower-case form of their own.
    first.is_some_and(|c| {
        c.is_uppercase() || c.is_alphabetic() && !c.is_lowercase() && c.to_lowercase().next() != Some(c)
    })
}

/// `@@foo`
pub(crate) fn is_class_variable(bytes: &[u8]) -> bool {
    bytes.strip_prefix(b"@@").is_some_and(is_identifier)
}

/// What `attr_accessor` takes: a name that a variable can have.
pub(crate) fn is_attribute(bytes: &[u8]) -> bool {
    is_identifier(bytes)
}

/// What `set_temporary_name` refuses: a path of constants.
pub(crate) fn is_constant_path(text: &str) -> bool {
    let mut parts = text.split("::");
    parts.all(|part| is_constant(part.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_told_apart() {
        assert!(is_constant(b"Foo") && is_constant("Äb".as_bytes()) && is_constant("ǅ".as_bytes()));
        assert!(!is_constant(b"foo") && !is_constant(b"") && !is_constant(b"Foo?") && !is_constant("äb".as_bytes()));
        assert!(is_class_variable(b"@@a") && !is_class_variable(b"@a") && !is_class_variable(b"@@1"));
        assert!(is_attribute(b"a_b") && !is_attribute(b"a?") && !is_attribute(b"a=") && !is_attribute(b""));
        assert!(
            is_constant_path("A::B")
                && is_constant_path("A")
                && !is_constant_path("a::B")
                && !is_constant_path("fake_name")
        );
    }
}
