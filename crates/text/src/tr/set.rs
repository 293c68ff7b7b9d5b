//! Sets of characters and the methods that ask only whether a character is in them.

use super::TrError;
use super::parse::{self, Span, decode};
use crate::text::Text;

/// One set.
pub struct CharSet {
    /// Membership of the code points below 256, negation included.
    low: [bool; 256],
    spans: Vec<Span>,
    is_negated: bool,
}

impl CharSet {
    /// Reads a set.
    pub fn parse(text: Text<'_>) -> Result<CharSet, TrError> {
        let parsed = parse::parse(text, true)?;
        let mut low = [parsed.is_negated; 256];
        for span in &parsed.spans {
            low[parse::low_part(*span)].fill(!parsed.is_negated);
        }
        Ok(CharSet { low, spans: parsed.spans, is_negated: parsed.is_negated })
    }

    fn is_in_spans(&self, code: u32) -> bool {
        self.spans.iter().any(|&(from, to)| from <= code && code <= to)
    }

    /// Whether the set contains the character.
    #[inline]
    pub fn contains(&self, code: u32) -> bool {
        match self.low.get(code as usize) {
            Some(&is_in) => is_in,
            None => self.is_in_spans(code) != self.is_negated,
        }
    }
}

/// Several sets, meaning the characters that are in all of them; no set at all means every character.
#[derive(Default)]
pub struct CharSets {
    sets: Vec<CharSet>,
}

impl CharSets {
    /// Reads one set more.
    pub fn add(&mut self, text: Text<'_>) -> Result<(), TrError> {
        self.sets.push(CharSet::parse(text)?);
        Ok(())
    }

    /// Reads all sets.
    pub fn parse<'a>(texts: impl IntoIterator<Item = Text<'a>>) -> Result<CharSets, TrError> {
        let sets = texts.into_iter().map(CharSet::parse).collect::<Result<_, _>>()?;
        Ok(CharSets { sets })
    }

    /// Whether every set contains the character.
    #[inline]
    pub fn contains(&self, code: u32) -> bool {
        self.sets.iter().all(|set| set.contains(code))
    }

    /// For each byte whether it is in every set, if the text's bytes are characters and making the table pays.
    fn bytes_of(&self, text: Text<'_>) -> Option<[bool; 256]> {
        if !has_byte_chars(text) {
            return None;
        }
        match self.sets.as_slice() {
            [set] => Some(set.low),
            _ if text.bytes.len() < 256 => None,
            _ => Some(std::array::from_fn(|byte| self.contains(byte as u32))),
        }
    }
}

/// Whether each byte is a character, and its own code point.
pub(super) fn has_byte_chars(text: Text<'_>) -> bool {
    text.is_single_byte() || (text.encoding.is_ascii_compatible() && text.bytes.is_ascii())
}

/// Appends the bytes that `keep` wants; whether it left any out.
pub fn keep_bytes(bytes: &[u8], out: &mut Vec<u8>, mut keep: impl FnMut(u8) -> bool) -> bool {
    let start = out.len();
    out.resize(start + bytes.len(), 0);
    let mut end = start;
    for byte in bytes {
        out[end] = *byte;
        end += usize::from(keep(*byte));
    }
    out.truncate(end);
    end - start < bytes.len()
}

/// Calls `visit` with each character's code point and bytes.
pub(super) fn each_char<'a>(text: Text<'a>, mut visit: impl FnMut(u32, &'a [u8])) -> Result<(), TrError> {
    if text.is_single_byte() {
        text.bytes.chunks_exact(1).for_each(|byte| visit(u32::from(byte[0]), byte));
        return Ok(());
    }
    if text.encoding.is_utf8()
        && let Ok(valid) = std::str::from_utf8(text.bytes)
    {
        valid.char_indices().for_each(|(at, c)| visit(u32::from(c), &text.bytes[at..at + c.len_utf8()]));
        return Ok(());
    }
    let mut at = 0;
    while at < text.bytes.len() {
        let (code, len) = decode(text, at);
        visit(code.ok_or(TrError::InvalidByteSequence)?, &text.bytes[at..at + len]);
        at += len;
    }
    Ok(())
}

/// Copies the characters that stay, neighbours at once.
pub(super) struct Kept<'a> {
    text: &'a [u8],
    /// From here to `at` all characters stay, and none is copied yet.
    from: usize,
    at: usize,
}

impl<'a> Kept<'a> {
    pub(super) fn of(text: &'a [u8]) -> Kept<'a> {
        Kept { text, from: 0, at: 0 }
    }

    /// The next character. One that goes is not copied; what stands for it may be appended next.
    #[inline]
    pub(super) fn next(&mut self, bytes: &[u8], stays: bool, out: &mut Vec<u8>) {
        let end = self.at + bytes.len();
        if !stays {
            out.extend_from_slice(&self.text[self.from..self.at]);
            self.from = end;
        }
        self.at = end;
    }

    pub(super) fn finish(self, out: &mut Vec<u8>) {
        out.extend_from_slice(&self.text[self.from..self.at]);
    }
}

/// `String#count`.
pub fn count(text: Text<'_>, sets: &CharSets) -> Result<usize, TrError> {
    if let Some(counted) = sets.bytes_of(text) {
        return Ok(text.bytes.iter().filter(|byte| counted[usize::from(**byte)]).count());
    }
    let mut count = 0;
    each_char(text, |code, _| count += usize::from(sets.contains(code)))?;
    Ok(count)
}

/// `String#delete`: appends the characters that are not in the sets; whether any was.
pub fn delete(text: Text<'_>, sets: &CharSets, out: &mut Vec<u8>) -> Result<bool, TrError> {
    if let Some(deleted) = sets.bytes_of(text) {
        return Ok(keep_bytes(text.bytes, out, |byte| !deleted[usize::from(byte)]));
    }
    let start = out.len();
    let mut kept = Kept::of(text.bytes);
    each_char(text, |code, bytes| kept.next(bytes, !sets.contains(code), out))?;
    kept.finish(out);
    Ok(out.len() - start != text.bytes.len())
}

/// The run of a character that a part of a string ended in.
#[derive(Default)]
pub struct Run {
    pub(super) last: Option<u32>,
}

/// `String#squeeze`: appends the string with runs of the same character of the sets made one; whether any was longer.
pub fn squeeze(text: Text<'_>, sets: &CharSets, out: &mut Vec<u8>) -> Result<bool, TrError> {
    squeeze_part(text, sets, &mut Run::default(), out)
}

/// As [`squeeze`] for one part of a string after the other; a run may go on in the next part.
pub fn squeeze_part(text: Text<'_>, sets: &CharSets, run: &mut Run, out: &mut Vec<u8>) -> Result<bool, TrError> {
    if let Some(squeezed) = sets.bytes_of(text) {
        return Ok(keep_bytes(text.bytes, out, |byte| {
            let before = run.last.replace(u32::from(byte));
            before != Some(u32::from(byte)) || !squeezed[usize::from(byte)]
        }));
    }
    let start = out.len();
    let mut kept = Kept::of(text.bytes);
    each_char(text, |code, bytes| {
        let before = run.last.replace(code);
        kept.next(bytes, before != Some(code) || !sets.contains(code), out);
    })?;
    kept.finish(out);
    Ok(out.len() - start != text.bytes.len())
}
