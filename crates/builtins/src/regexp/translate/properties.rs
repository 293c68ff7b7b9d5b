//! Classes of characters: properties and shorthands.

use super::{JOINERS, PUNCTUATION, Parsed, Range, Translator};
use carat_text::encoding::EncodingIndex;

impl Translator<'_> {
    pub(super) fn property(&mut self) -> Parsed {
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
        let name: Vec<u8> = rest[usize::from(rest[0] == b'^')..len]
            .iter()
            .filter(|b| !b" _-".contains(b))
            .map(u8::to_ascii_lowercase)
            .collect();
        if name == b"xposixpunct" {
            self.at += 3 + len + 1;
            self.punctuation(is_negated);
        } else if name == b"word" {
            self.at += 3 + len + 1;
            self.unicode_shorthand(if is_negated { b'W' } else { b'w' });
        } else {
            self.emit_from(3 + len + 1);
        }
        Ok(())
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
        self.emit(shorthand_set(letter).as_bytes());
        self.emit(if is_folded { b")" } else { b"" });
    }

    /// Word characters of Unicode include those that join others, which the engine's do not.
    pub(super) fn unicode_shorthand(&mut self, letter: u8) {
        match letter {
            b'w' => self.emit(b"[\\w"),
            b'W' => self.emit(b"[^\\w"),
            _ => return self.emit(&[b'\\', letter]),
        }
        self.emit_joiners();
        self.emit(b"]");
    }

    pub(super) fn emit_joiners(&mut self) {
        if self.encoding == EncodingIndex::UTF_8 {
            self.emit(JOINERS);
        }
    }

    pub(super) fn punctuation(&mut self, is_negated: bool) {
        self.emit(if is_negated { b"[^" } else { b"[" });
        self.emit(PUNCTUATION);
        self.emit(b"]");
    }

    pub(super) fn ascii_boundary(&mut self, letter: u8) {
        self.at += 2;
        self.emit(match letter {
            b'b' => b"(?:(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_]))",
            _ => b"(?:(?<=[a-zA-Z0-9_])(?=[a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?![a-zA-Z0-9_]))",
        });
    }
}

pub(super) fn shorthand_set(letter: u8) -> &'static str {
    match letter {
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
