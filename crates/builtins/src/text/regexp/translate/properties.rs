//! Classes of characters: properties and shorthands.

use super::{JOINERS, PUNCTUATION, Parsed, Range, Translator};
use carat_text::encoding::{EncodingIndex, Kind};

/// The tables that `build/properties.rs` wrote: names, and ranges of characters with numbers of names.
mod tables {
    include!(concat!(env!("OUT_DIR"), "/properties.rs"));
}

/// The properties of encodings that are not Unicode's, as the engine spells them.
const ENGINE_NAMES: [&str; 14] = [
    "Alnum", "Alpha", "ASCII", "Blank", "Cntrl", "Digit", "Graph", "Lower", "Print", "Punct", "Space", "Upper",
    "XDigit", "Word",
];

/// Ranges of characters, numbered by their bytes.
type Ranges = &'static [(u32, u32)];

/// The scripts that Japanese encodings have as properties, as they are numbered in EUC-JP and in Shift_JIS.
const SCRIPTS: [(&[u8], Ranges, Ranges); 6] = [
    (b"greek", &[(0xA6A1, 0xA6B8), (0xA6C1, 0xA6D8)], &[(0x839F, 0x83B6), (0x83BF, 0x83D6)]),
    (b"cyrillic", &[(0xA7A1, 0xA7C1), (0xA7D1, 0xA7F1)], &[(0x8440, 0x8460), (0x8470, 0x8491)]),
    (
        b"latin",
        &[(0x41, 0x5A), (0x61, 0x7A), (0xA3C1, 0xA3DA), (0xA3E1, 0xA3FA)],
        &[(0x41, 0x5A), (0x61, 0x7A), (0x8260, 0x8279), (0x8281, 0x829A)],
    ),
    (b"hiragana", &[(0xA4A1, 0xA4F3)], &[(0x829F, 0x82F1)]),
    (b"katakana", &[(0x8EA6, 0x8EAF), (0x8EB1, 0x8EDD), (0xA5A1, 0xA5F6)], &[(0x8340, 0x8396)]),
    (
        b"han",
        &[(0xA1B8, 0xA1B8), (0xB0A1, 0xCFD3), (0xD0A1, 0xF4A6)],
        &[(0x8157, 0x8157), (0x889F, 0x9872), (0x989F, 0xEAA4), (0xED40, 0xEEEC), (0xFA5C, 0xFC4B)],
    ),
];

/// Ranges at the end of Han that Windows-31J has beyond Shift_JIS.
const HAN_OF_WINDOWS: usize = 2;

/// The characters of a property that the engine does not know, by a name in small letters without spaces and dashes.
fn ranges_of(name: &[u8]) -> Option<Vec<(u32, u32)>> {
    let name = std::str::from_utf8(name).ok()?;
    let (names, ranges, is_cumulative) = match name.split_once('=')? {
        ("age", _) => (tables::AGE_NAMES, tables::AGE_RANGES, true),
        ("graphemeclusterbreak", _) => (tables::BREAK_NAMES, tables::BREAK_RANGES, false),
        _ => return None,
    };
    let value = name.split_once('=')?.1;
    let wanted = names.iter().position(|name| *name == value)?;
    // A character is of its own version's age and of all later ones.
    let is_meant = |index: u8| usize::from(index) == wanted || is_cumulative && usize::from(index) < wanted;
    let mut found: Vec<(u32, u32)> = Vec::new();
    for &(from, to, _) in ranges.iter().filter(|&&(_, _, index)| is_meant(index)) {
        match found.last_mut() {
            Some((_, last)) if *last + 1 == from => *last = to,
            _ => found.push((from, to)),
        }
    }
    Some(found)
}

impl Translator<'_> {
    pub(super) fn property(&mut self, is_in_bracket: bool) -> Parsed {
        if self.source.get(self.at + 2) != Some(&b'{') {
            // `\pL` is no property in Ruby.
            self.at += 1;
            self.copy();
            return Ok(());
        }
        self.has_property = true;
        let rest = &self.rest()[3..];
        let Some(len) = rest.iter().position(|b| *b == b'}') else {
            return Err("invalid character property name {}".into());
        };
        let is_negated = (rest[0] == b'^') != (self.source[self.at + 1] == b'P');
        let written = rest[usize::from(rest[0] == b'^')..len].to_vec();
        let name: Vec<u8> = written.iter().filter(|b| !b" _-".contains(b)).map(u8::to_ascii_lowercase).collect();
        if !self.encoding.is_unicode() {
            return self.foreign_property(&written, is_negated, is_in_bracket, 3 + len + 1);
        }
        self.at += 3 + len + 1;
        if name == b"xposixpunct" {
            self.punctuation(is_negated);
        } else if name == b"word" {
            self.unicode_shorthand(if is_negated { b'W' } else { b'w' });
        } else if let Some(ranges) = ranges_of(&name).filter(|_| self.encoding == EncodingIndex::UTF_8) {
            self.emit_ranges(&ranges, is_negated);
        } else {
            self.emit_property(&written, is_negated, is_in_bracket);
        }
        Ok(())
    }

    /// A property in an encoding that is not Unicode's, whose text has `len` bytes. There are few; the engine takes them in one case,
    /// Ruby in any.
    fn foreign_property(&mut self, written: &[u8], is_negated: bool, is_in_bracket: bool, len: usize) -> Parsed {
        let known = ENGINE_NAMES.iter().find(|known| known.as_bytes().eq_ignore_ascii_case(written));
        let script = SCRIPTS.iter().find(|(script, ..)| script.eq_ignore_ascii_case(written));
        match (known, script, self.encoding.kind()) {
            (Some(known), ..) if is_in_bracket && is_negated && self.spelling.has_own_classes() => {
                self.own_posix(format!("^{}", known.to_ascii_lowercase()).as_bytes());
            }
            // Without brackets the engine would not fold it.
            (Some(&"Word"), ..) if self.spelling.has_own_classes() && !is_in_bracket => {
                self.emit(if is_negated { b"[^\\w]" } else { b"[\\w]" });
            }
            (Some(&"Word"), ..) => self.unicode_shorthand(if is_negated { b'W' } else { b'w' }),
            (Some(known), ..) => self.emit_property(known.as_bytes(), is_negated, is_in_bracket),
            (None, Some((_, ranges, _)), Kind::EucJp) => self.emit_ranges(ranges, is_negated),
            (None, Some((script, _, ranges)), Kind::ShiftJis) => {
                let is_plain = matches!(self.encoding, EncodingIndex::SHIFT_JIS | EncodingIndex::MACJAPANESE);
                let missing = if is_plain && *script == b"han" { HAN_OF_WINDOWS } else { 0 };
                let mut ranges = ranges[..ranges.len() - missing].to_vec();
                // Half-width letters are in no set that a script is kept out of.
                ranges.extend((is_negated && is_in_bracket).then_some((0xA1, 0xDF)));
                self.emit_ranges(&ranges, is_negated);
            }
            _ => return Err(format!("invalid character property name {{{}}}", String::from_utf8_lossy(written))),
        }
        self.at += len;
        Ok(())
    }

    fn emit_ranges(&mut self, ranges: &[(u32, u32)], is_negated: bool) {
        self.emit(if is_negated { b"[^" } else { b"[" });
        for (from, to) in ranges {
            self.emit(format!("\\x{{{from:X}}}-\\x{{{to:X}}}").as_bytes());
        }
        self.emit(b"]");
    }

    /// A property that the engine knows. It folds the members of sets only.
    fn emit_property(&mut self, name: &[u8], is_negated: bool, is_in_bracket: bool) {
        let has_brackets = self.state.ignores_case && !is_in_bracket;
        let (open, close): (&[u8], &[u8]) = match (has_brackets, is_negated) {
            (true, true) => (b"[^\\p{", b"}]"),
            (true, false) => (b"[\\p{", b"}]"),
            (false, true) => (b"\\p{^", b"}"),
            (false, false) => (b"\\p{", b"}"),
        };
        [open, name, close].into_iter().for_each(|part| self.emit(part));
    }

    pub(super) fn shorthand(&mut self, letter: u8) {
        self.at += 2;
        if self.state.range == Range::Unicode && !matches!(letter, b'h' | b'H') {
            self.unicode_shorthand(letter);
            return;
        }
        // Case folding would let the Kelvin sign into `[a-z]`.
        let is_folded = self.state.ignores_case && matches!(letter, b'w' | b'W');
        self.emit(if is_folded { b"(?-i:" } else { b"" });
        self.emit(self.shorthand_set(letter).as_bytes());
        self.emit(if is_folded { b")" } else { b"" });
    }

    /// A shorthand as a set, unless it means Unicode.
    pub(super) fn shorthand_set(&self, letter: u8) -> &'static str {
        match letter {
            b's' if self.spelling.has_own_classes() => "[[:space:]]",
            b'S' if self.spelling.has_own_classes() => "[[:^space:]]",
            b'w' => "[a-zA-Z0-9_]",
            b'W' => "[^a-zA-Z0-9_]",
            b'd' => "[0-9]",
            b'D' => "[^0-9]",
            b's' => "[\\t-\\r\\x20]",
            b'S' => "[^\\t-\\r\\x20]",
            b'h' => "[0-9a-fA-F]",
            _ => "[^0-9a-fA-F]",
        }
    }

    /// Word characters of Unicode include those that join others, which the engine's do not.
    pub(super) fn unicode_shorthand(&mut self, letter: u8) {
        match letter {
            letter if self.spelling.has_own_classes() => return self.emit(&[b'\\', letter]),
            b'w' => self.emit(b"[\\w"),
            b'W' => self.emit(b"[^\\w"),
            _ => return self.emit(&[b'\\', letter]),
        }
        self.emit_joiners();
        self.emit(b"]");
    }

    pub(super) fn emit_joiners(&mut self) {
        if !self.spelling.has_own_classes() {
            self.emit(JOINERS);
        }
    }

    pub(super) fn punctuation(&mut self, is_negated: bool) {
        self.emit(if is_negated { b"[^" } else { b"[" });
        self.emit(PUNCTUATION);
        self.emit(b"]");
    }

    /// Where no joiner stands on either side the engine's own answer is Ruby's. In a look-behind it takes no look-ahead.
    pub(super) fn boundary(&mut self, letter: u8) {
        self.out.has_boundary = true;
        if !self.spelling.joins_words || self.state.is_looking_back {
            return self.assertion(2);
        }
        self.at += 2;
        let joiner = r"[\x{200C}\x{200D}]";
        let word = r"[\w\x{200C}\x{200D}]";
        let text = match letter {
            b'b' => format!(r"(?:\b(?<!{joiner})(?!{joiner})|(?<={joiner})(?!{word})|(?<!{word})(?={joiner}))"),
            _ => format!(r"(?:\B(?<!{joiner})(?!{joiner})|(?<={joiner})(?={word})|(?<={word})(?={joiner}))"),
        };
        self.emit(text.as_bytes());
    }

    pub(super) fn ascii_boundary(&mut self, letter: u8) {
        self.at += 2;
        self.emit(match letter {
            b'b' => b"(?:(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_]))",
            _ => b"(?:(?<=[a-zA-Z0-9_])(?=[a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?![a-zA-Z0-9_]))",
        });
    }
}
