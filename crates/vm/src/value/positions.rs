//! Where the characters of long strings lie, so that going through one by character numbers takes linear time.
//!
//! # Layout
//! A Ractor remembers a few strings that it was asked about last: how many characters they have, and, from the second
//! question on, at which byte every [`STEP`]th character begins, as far as somebody asked. Strings of bytes, of ASCII, of
//! invalid characters and short ones are not remembered: there nothing is looked up, and nothing allocated.
//!
//! # Invariants
//! * What is remembered is true of the string's contents up to its last sample. Appending leaves it true; whatever else
//!   writes calls [`Str::forget_positions`] first. Buffers that others share are never written.
//! * A Ractor's strings are written by its own threads alone, one at a time; frozen ones that others see by nobody.
//! * A collection forgets everything: strings may die.
//!
//! # Not here
//! Finding characters without having been there before: `text::chars`.

use crate::ec::Ec;
use crate::value::string::{EncodingIndex, Str};
use carat_layout::Value;
use carat_text::chars;
use carat_text::text::Text;
use std::ops::Range;

/// Characters between two samples: a sample is 8 bytes, finding a character from one 256 steps at most.
const STEP: usize = 256;
/// Shorter strings are gone through in less time than a look-up takes.
const MIN_BYTES: usize = 1024;
/// Strings remembered at a time.
const STRINGS: usize = 4;

/// What is known of one string.
struct Entry {
    string: Value,
    start: *const u8,
    encoding: EncodingIndex,
    /// Byte offsets of characters 0, `STEP`, 2 `STEP`, …; empty until the second question.
    samples: Vec<usize>,
    /// So many bytes from the start have so many characters.
    counted: (usize, usize),
}

impl Entry {
    const NONE: Entry = Entry {
        string: Value::NIL,
        start: std::ptr::null(),
        encoding: EncodingIndex::UTF_8,
        samples: Vec::new(),
        counted: (0, 0),
    };

    fn is_of(&self, string: Str, text: Text<'_>) -> bool {
        let known = self.samples.last().copied().unwrap_or(0).max(self.counted.0);
        self.string == string.value()
            && std::ptr::eq(self.start, text.bytes.as_ptr())
            && self.encoding == text.encoding
            && known <= text.bytes.len()
    }

    fn extend(&mut self, text: Text<'_>, is_enough: impl Fn(&[usize]) -> bool) {
        while !is_enough(&self.samples) {
            let last = self.samples.last().copied().unwrap_or(0);
            match chars::offset(tail(text, last), STEP) {
                Some(len) => self.samples.push(last + len),
                None => break,
            }
        }
    }

    fn offset(&mut self, text: Text<'_>, nth: usize) -> Option<usize> {
        self.extend(text, |samples| samples.len() > nth / STEP);
        let sample = (nth / STEP).min(self.samples.len() - 1);
        let from = self.samples[sample];
        chars::offset(tail(text, from), nth - sample * STEP).map(|len| from + len)
    }

    fn index(&mut self, text: Text<'_>, at: usize) -> usize {
        self.extend(text, |samples| samples.last().is_some_and(|last| *last > at));
        let sample = self.samples.partition_point(|offset| *offset <= at) - 1;
        let from = self.samples[sample];
        sample * STEP + chars::count(Text { bytes: &text.bytes[from..at], ..text })
    }

    fn count(&mut self, text: Text<'_>) -> usize {
        let (bytes, count) = self.counted;
        if bytes != text.bytes.len() {
            self.counted = (text.bytes.len(), count + chars::count(tail(text, bytes)));
        }
        self.counted.1
    }
}

fn tail(text: Text<'_>, from: usize) -> Text<'_> {
    Text { bytes: &text.bytes[from..], ..text }
}

/// The strings that a Ractor remembers.
pub(crate) struct Positions {
    entries: [Entry; STRINGS],
    oldest: usize,
}

impl Default for Positions {
    fn default() -> Positions {
        Positions { entries: [const { Entry::NONE }; STRINGS], oldest: 0 }
    }
}

impl Positions {
    pub(crate) fn clear(&mut self) {
        self.entries.iter_mut().filter(|entry| entry.string != Value::NIL).for_each(|entry| *entry = Entry::NONE);
    }

    fn forget(&mut self, string: Str) {
        if let Some(entry) = self.entries.iter_mut().find(|entry| entry.string == string.value()) {
            *entry = Entry::NONE;
        }
    }

    /// The entry of a string, and whether it was there before.
    fn entry(&mut self, string: Str, text: Text<'_>) -> (&mut Entry, bool) {
        if let Some(found) = self.entries.iter().position(|entry| entry.string == string.value()) {
            if self.entries[found].is_of(string, text) {
                let entry = &mut self.entries[found];
                if entry.samples.is_empty() {
                    entry.samples.push(0);
                }
                return (entry, true);
            }
            self.entries[found] = Entry::of(string, text);
            return (&mut self.entries[found], false);
        }
        let place = self.oldest;
        self.oldest = (place + 1) % STRINGS;
        self.entries[place] = Entry::of(string, text);
        (&mut self.entries[place], false)
    }
}

impl Entry {
    fn of(string: Str, text: Text<'_>) -> Entry {
        Entry { string: string.value(), start: text.bytes.as_ptr(), encoding: text.encoding, ..Entry::NONE }
    }
}

impl Str {
    /// The byte at which character number `nth` starts; the end counts as one, past it is `None`.
    pub fn char_offset(self, ec: &Ec, nth: usize) -> Option<usize> {
        let text = self.as_text(ec);
        if !self.is_remembered(text) {
            return chars::offset(text, nth);
        }
        match ec.ractor().positions.borrow_mut().entry(self, text) {
            (entry, true) => entry.offset(text, nth),
            _ => chars::offset(text, nth),
        }
    }

    /// The number of the character that starts at byte `at`, or before it.
    pub fn char_index(self, ec: &Ec, at: usize) -> usize {
        let text = self.as_text(ec);
        if !self.is_remembered(text) {
            return chars::index_of_offset(text, at);
        }
        match ec.ractor().positions.borrow_mut().entry(self, text) {
            (entry, true) => entry.index(text, at),
            _ => chars::index_of_offset(text, at),
        }
    }

    /// `String#length`
    pub fn char_count(self, ec: &Ec) -> usize {
        if self.encoding().is_single_byte() {
            return self.len(ec);
        }
        let text = self.as_text(ec);
        match self.is_remembered(text) {
            true => ec.ractor().positions.borrow_mut().entry(self, text).0.count(text),
            false => chars::count(text),
        }
    }

    /// The bytes of `len` characters from character `start`, negative counted from the end: `String#[]`. `None` when the
    /// start lies outside, the end of the string counting as inside.
    pub fn char_range(self, ec: &Ec, start: i64, len: usize) -> Option<Range<usize>> {
        let text = self.as_text(ec);
        if !self.is_remembered(text) {
            return chars::substring(text, start as isize, len);
        }
        let from_start = usize::try_from(start).ok();
        let from = match from_start {
            Some(start) => self.char_offset(ec, start)?,
            None => self.offset_from_end(ec, usize::try_from(start.unsigned_abs()).ok()?)?,
        };
        let end = match from_start {
            Some(start) if len > STEP => self.char_offset(ec, start.saturating_add(len)),
            _ => chars::offset(tail(text, from), len).map(|len| from + len),
        };
        Some(from..end.unwrap_or(text.bytes.len()))
    }

    /// The byte offset of the character `back` characters before the end; `None` when there are fewer.
    pub fn offset_from_end(self, ec: &Ec, back: usize) -> Option<usize> {
        let text = self.as_text(ec);
        if back <= STEP || !self.is_remembered(text) {
            return chars::offset_from_end(text, back);
        }
        self.char_offset(ec, self.char_count(ec).checked_sub(back)?)
    }

    /// To be called before anything but appending writes to the string.
    #[inline]
    pub fn forget_positions(self, ec: &Ec) {
        if self.len(ec) >= MIN_BYTES {
            ec.ractor().positions.borrow_mut().forget(self);
        }
    }

    /// Long, with characters of several bytes, all of them valid, and written by nobody else.
    #[inline]
    fn is_remembered(self, text: Text<'_>) -> bool {
        text.bytes.len() >= MIN_BYTES && !text.is_single_byte() && text.coderange.is_valid() && !self.is_locked()
    }
}
