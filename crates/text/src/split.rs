//! `String#split` without a regexp: white space, a string, characters.
//!
//! # Invariants
//! A limit of zero drops the empty fields at the end, a positive one bounds the number of fields, a negative one keeps
//! everything. A limit of one and an empty string are the caller's: the first returns the string, the second no field.
//!
//! # References
//! CRuby `rb_str_split_m`.

use crate::ctype::is_space;
use crate::search::occurrences;
use crate::text::Text;
use std::ops::Range;

/// Collects fields until the limit is reached.
struct Fields {
    found: Vec<Range<usize>>,
    limit: isize,
}

impl Fields {
    fn new(limit: isize) -> Fields {
        Fields { found: Vec::new(), limit }
    }

    /// Whether what is left is the last field.
    fn is_full(&self) -> bool {
        self.limit > 0 && self.found.len() as isize + 1 >= self.limit
    }

    fn push(&mut self, field: Range<usize>) {
        self.found.push(field);
    }

    /// Adds the rest of the string from `from` and drops what the limit does not keep.
    fn finish(mut self, from: usize, len: usize) -> Vec<Range<usize>> {
        if from < len || self.limit != 0 {
            self.push(from..len);
        }
        if self.limit == 0 {
            let kept = self.found.iter().rposition(|field| !field.is_empty()).map_or(0, |last| last + 1);
            self.found.truncate(kept);
        }
        self.found
    }
}

/// `split(" ")`: fields between runs of ASCII white space; white space in front is skipped.
pub fn awk(text: Text<'_>, limit: isize) -> Vec<Range<usize>> {
    if text.encoding.min_len() > 1 {
        return awk_wide(text, limit);
    }
    let mut fields = Fields::new(limit);
    let mut start = skip_space(text.bytes, 0);
    while start < text.bytes.len() && !fields.is_full() {
        let Some(end) = find_space(text, start) else { break };
        fields.push(start..end);
        start = skip_space(text.bytes, end);
    }
    fields.finish(start, text.bytes.len())
}

/// [`awk`] where a unit has several bytes.
fn awk_wide(text: Text<'_>, limit: isize) -> Vec<Range<usize>> {
    let is_blank = |at: usize| {
        let code = crate::encoding::codepoint(text.encoding, &text.bytes[at..]);
        code.is_some_and(|(code, _)| u8::try_from(code).is_ok_and(is_space))
    };
    let next = |from: usize, blank: bool| {
        let mut at = from;
        while at < text.bytes.len() && is_blank(at) != blank {
            at += text.step(at);
        }
        at
    };
    let mut fields = Fields::new(limit);
    let mut start = next(0, false);
    while start < text.bytes.len() && !fields.is_full() {
        let end = next(start, true);
        if end == text.bytes.len() {
            break;
        }
        fields.push(start..end);
        start = next(end, false);
    }
    fields.finish(start, text.bytes.len())
}

/// White space is below 0x30, where no trail byte lies, so bytes can be looked at alone.
fn skip_space(bytes: &[u8], from: usize) -> usize {
    bytes[from..].iter().position(|&byte| !is_space(byte)).map_or(bytes.len(), |run| from + run)
}

fn find_space(text: Text<'_>, from: usize) -> Option<usize> {
    text.bytes[from..].iter().position(|&byte| is_space(byte)).map(|run| from + run)
}

/// `split(separator)` for a separator that is neither empty nor a single space.
pub fn by_string(text: Text<'_>, separator: Text<'_>, limit: isize) -> Vec<Range<usize>> {
    let mut fields = Fields::new(limit);
    let mut start = 0;
    for at in occurrences(text, separator) {
        if fields.is_full() {
            break;
        }
        fields.push(start..at);
        start = at + separator.bytes.len();
    }
    fields.finish(start, text.bytes.len())
}

/// `split("")`: one field for each character.
pub fn by_chars(text: Text<'_>, limit: isize) -> Vec<Range<usize>> {
    let mut fields = Fields::new(limit);
    let mut start = 0;
    while start < text.bytes.len() && !fields.is_full() {
        let end = start + text.step(start);
        fields.push(start..end);
        start = end;
    }
    fields.finish(start, text.bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::encoding::EncodingIndex;

    fn show(text: &str, fields: Vec<Range<usize>>) -> String {
        fields.into_iter().map(|field| text[field].to_owned()).collect::<Vec<_>>().join("|")
    }

    fn awk_on(text: &str, limit: isize) -> String {
        show(text, awk(Text::utf8(text), limit))
    }

    fn string(text: &str, separator: &str, limit: isize) -> String {
        show(text, by_string(Text::utf8(text), Text::utf8(separator), limit))
    }

    #[test]
    fn awk_skips_runs_of_white_space() {
        assert_eq!(awk_on("a b  c ", 0), "a|b|c");
        assert_eq!(awk_on(" a  b c ", 2), "a|b c ");
        assert_eq!(awk_on(" a  b c ", -1), "a|b|c|");
        assert_eq!(awk_on("a\u{3000}b\u{2003}c", 0), "a\u{3000}b\u{2003}c");
        assert_eq!(awk_on("   ", 0), "");
    }

    #[test]
    fn strings_separate_fields() {
        assert_eq!(string("a,b,,", ",", 0), "a|b");
        assert_eq!(string("a,b,,", ",", -1), "a|b||");
        assert_eq!(string(",a,b,,", ",", 2), "|a,b,,");
        assert_eq!(string("aあbあ", "あ", 0), "a|b");
        assert_eq!(by_string(Text::utf8(",,"), Text::utf8(","), 0).len(), 0);
    }

    #[test]
    fn a_separator_inside_a_character_separates_nothing() {
        let sjis = |bytes| Text::of(bytes, EncodingIndex::SHIFT_JIS);
        assert_eq!(by_string(sjis(b"\x83\x41Ab"), sjis(b"A"), 0), [0..2, 3..4]);
    }

    #[test]
    fn characters_are_fields() {
        let chars = |text: &str, limit| show(text, by_chars(Text::utf8(text), limit));
        assert_eq!(chars("aéb", 0), "a|é|b");
        assert_eq!(chars("abc", 2), "a|bc");
        assert_eq!(chars("abc", -1), "a|b|c|");
    }
}
