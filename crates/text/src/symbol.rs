//! Which names a symbol can have without quotes, and what kind of name it is.
//!
//! # References
//! CRuby `rb_enc_symname_type`, `rb_sym_inspect`, `symbol_key_needs_quote`.

use crate::chars::is_boundary;
use crate::ctype::starts_constant;
use crate::encoding::{EncodingIndex, mbclen};
use crate::inspect::{self, is_printable};
use crate::text::Text;

/// What a name is the name of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NameKind {
    Local,
    Constant,
    Instance,
    ClassVariable,
    Global,
    /// Ends in `?` or `!`.
    Predicate,
    /// Ends in `=`.
    Setter,
    Operator,
}

/// The kind of name, or `None` where the bytes are no name at all.
pub fn name_kind(text: Text<'_>) -> Option<NameKind> {
    match text.bytes {
        [] => None,
        [b'$', rest @ ..] if is_special_global(rest, text.encoding) => Some(NameKind::Global),
        [b'$', ..] => identifier(text, 1, NameKind::Global),
        [b'@', b'@', ..] => identifier(text, 2, NameKind::ClassVariable),
        [b'@', ..] => identifier(text, 1, NameKind::Instance),
        bytes if is_operator(bytes) => Some(NameKind::Operator),
        bytes if starts_constant(text.encoding, bytes) => identifier(text, 0, NameKind::Constant),
        _ => identifier(text, 0, NameKind::Local),
    }
}

/// Whether the name is an operator method's.
pub fn is_operator(name: &[u8]) -> bool {
    const OPERATORS: [&[u8]; 29] = [
        b"+", b"-", b"*", b"/", b"%", b"**", b"==", b"!=", b"===", b"=~", b"!~", b"<=>", b"<", b"<=", b">", b">=",
        b"!", b"~", b"+@", b"-@", b"&", b"|", b"^", b"<<", b">>", b"[]", b"[]=", b"`", b"!~",
    ];
    name.first().is_some_and(|first| !is_identifier_byte(*first)) && OPERATORS.contains(&name)
}

/// `$~`, `$1`, `$-w` and the like, without the dollar sign.
fn is_special_global(name: &[u8], encoding: EncodingIndex) -> bool {
    match name {
        [b'-', rest @ ..] => is_one_identifier_char(rest, encoding),
        [first, ..] if first.is_ascii_digit() => name.iter().all(u8::is_ascii_digit),
        [one] => b"~*$?!@/\\;,.=:<>\"&`'+_".contains(one),
        _ => false,
    }
}

fn is_one_identifier_char(bytes: &[u8], encoding: EncodingIndex) -> bool {
    bytes.first().is_some_and(|&first| is_identifier_byte(first)) && mbclen(encoding, bytes) == bytes.len()
}

/// Everything that is not ASCII can be part of an identifier.
fn is_identifier_byte(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Reads an identifier that starts at `start` and its `?`, `!` or `=`.
fn identifier(text: Text<'_>, start: usize, kind: NameKind) -> Option<NameKind> {
    let mut at = start;
    if text.bytes.get(at).is_none_or(|&first| !is_identifier_byte(first) || first.is_ascii_digit()) {
        return None;
    }
    while text.bytes.get(at).is_some_and(|&byte| is_identifier_byte(byte)) {
        at += mbclen(text.encoding, &text.bytes[at..]);
    }
    let may_have_suffix = matches!(kind, NameKind::Local | NameKind::Constant);
    match &text.bytes[at.min(text.bytes.len())..] {
        [] => Some(kind),
        [b'?' | b'!'] if may_have_suffix => Some(NameKind::Predicate),
        [b'='] if may_have_suffix => Some(NameKind::Setter),
        _ => None,
    }
}

/// Whether a symbol shows as it is after the colon; `result` is the encoding `inspect` results have.
pub fn is_simple(text: Text<'_>, result: EncodingIndex) -> bool {
    let is_ascii = text.encoding.is_ascii_compatible() && text.is_ascii_only();
    (text.encoding == result || is_ascii) && name_kind(text).is_some() && is_printable(text)
}

/// `Symbol#inspect`.
pub fn inspect_symbol(text: Text<'_>, result: EncodingIndex, out: &mut Vec<u8>) {
    out.push(b':');
    if is_simple(text, result) {
        out.extend(text.bytes);
    } else {
        inspect::inspect(text, result, out);
    }
}

/// Whether a symbol needs quotes as a key before a colon, as in `Hash#inspect`.
pub fn key_needs_quotes(text: Text<'_>, result: EncodingIndex) -> bool {
    if !is_simple(text, result) || matches!(text.bytes[0], b'@' | b'$' | b'!') {
        return true;
    }
    let last = text.bytes.len() - 1;
    is_boundary(text, last) && b"+-*/`%^&|]<=>~@".contains(&text.bytes[last])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(name: &str) -> String {
        let mut out = Vec::new();
        inspect_symbol(Text::utf8(name), EncodingIndex::UTF_8, &mut out);
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn plain_names_need_no_quotes() {
        let names = "a a? a! a= A A? A= @a @@a $a $1 $12 $-w $~ $$ $_ [] []= + +@ -@ ! !~ =~ == === <=> < << <= > >> >= \
                     ** * / % & | ^ ~ ` != あ あ= é? A! nil self if \u{200b} foo\u{a0}bar";
        names.split(' ').for_each(|name| assert_eq!(shown(name), format!(":{name}")));
    }

    #[test]
    fn anything_else_needs_quotes() {
        let names = "a?= @1 $1a $-ww $a= => !@ ~@ && || . .. :: a-b 1a @ @@ $ a?b = [ ] a!= []? @a= @a? $a? &.";
        names.split(' ').for_each(|name| assert_eq!(shown(name), format!(":\"{name}\"")));
        assert_eq!(shown(""), ":\"\"");
        assert_eq!(shown("a b"), ":\"a b\"");
        assert_eq!(shown("a\n"), ":\"a\\n\"");
        assert_eq!(shown("a\0"), ":\"a\\u0000\"");
        assert_eq!(shown("\u{378}"), ":\"\\u0378\"");
    }

    #[test]
    fn names_of_other_encodings_are_quoted() {
        let mut out = Vec::new();
        inspect_symbol(Text::of(b"\xE9", EncodingIndex::ISO_8859_1), EncodingIndex::UTF_8, &mut out);
        assert_eq!(out, br#":"\xE9""#);
    }

    #[test]
    fn keys_that_read_as_operators_need_quotes() {
        let needs = |name: &str| key_needs_quotes(Text::utf8(name), EncodingIndex::UTF_8);
        for name in ["a b", "a=", "+", "[]", "@a", "$a", "1", "", "a?=", "!"] {
            assert!(needs(name), "{name}");
        }
        for name in ["a?", "a!", "あ", "A", "nil", "if"] {
            assert!(!needs(name), "{name}");
        }
    }

    #[test]
    fn kinds_tell_names_apart() {
        let kind = |name: &str| name_kind(Text::utf8(name));
        assert_eq!(kind("a"), Some(NameKind::Local));
        assert_eq!(kind("Éa"), Some(NameKind::Constant));
        assert_eq!(kind("@a"), Some(NameKind::Instance));
        assert_eq!(kind("@@a"), Some(NameKind::ClassVariable));
        assert_eq!(kind("$-w"), Some(NameKind::Global));
        assert_eq!(kind("a?"), Some(NameKind::Predicate));
        assert_eq!(kind("A="), Some(NameKind::Setter));
        assert_eq!(kind("[]="), Some(NameKind::Operator));
    }
}
