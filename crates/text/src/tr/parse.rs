//! Reading a set: ranges, escapes and the leading caret.

use super::TrError;
use crate::text::Text;

/// A run of code points, both ends in it.
pub(super) type Span = (u32, u32);

/// The code points of a span that are below 256.
pub(super) fn low_part((from, to): Span) -> std::ops::Range<usize> {
    (from as usize).min(256)..(to as usize + 1).min(256)
}

/// What a set says: whether it names the characters that are not in it, and its spans in the order written.
pub(super) struct Parsed {
    pub(super) is_negated: bool,
    pub(super) spans: Vec<Span>,
}

/// The set in `text`. A caret negates only in front of something; replacements take it for a character
/// (`may_negate` false).
pub(super) fn parse(text: Text<'_>, may_negate: bool) -> Result<Parsed, TrError> {
    let chars = decode_all(text)?;
    let is_negated = may_negate && chars.len() > 1 && chars[0] == u32::from(b'^');
    let spans = spans(&chars[usize::from(is_negated)..])?;
    Ok(Parsed { is_negated, spans })
}

fn decode_all(text: Text<'_>) -> Result<Vec<u32>, TrError> {
    if text.encoding.is_utf8()
        && let Ok(valid) = std::str::from_utf8(text.bytes)
    {
        return Ok(valid.chars().map(u32::from).collect());
    }
    let mut at = 0;
    let mut chars = Vec::with_capacity(text.bytes.len());
    while at < text.bytes.len() {
        let (code, len) = decode(text, at);
        chars.push(code.ok_or(TrError::InvalidByteSequence)?);
        at += len;
    }
    Ok(chars)
}

/// Single-byte strings are taken byte by byte, whether their bytes mean something or not.
pub(super) fn decode(text: Text<'_>, at: usize) -> (Option<u32>, usize) {
    if text.is_single_byte() { (Some(u32::from(text.bytes[at])), 1) } else { text.decode(at) }
}

/// A backslash takes the next character as it is, but not at the end of a range.
fn spans(chars: &[u32]) -> Result<Vec<Span>, TrError> {
    let is = |at: usize, ascii: u8| chars.get(at) == Some(&u32::from(ascii));
    let mut found = Vec::new();
    let mut at = 0;
    while at < chars.len() {
        at += usize::from(is(at, b'\\') && at + 1 < chars.len());
        let from = chars[at];
        let to = if is(at + 1, b'-') { chars.get(at + 2).copied() } else { None };
        at += if to.is_some() { 3 } else { 1 };
        found.push(checked_span(from, to.unwrap_or(from))?);
    }
    Ok(found)
}

fn checked_span(from: u32, to: u32) -> Result<Span, TrError> {
    if from > to { Err(TrError::InvalidRange(from, to)) } else { Ok((from, to)) }
}
