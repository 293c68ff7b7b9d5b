//! Escapes that are no characters: classes, assertions, references.

use super::{LOOK_BEHIND, Parsed, Range, Translator};

impl Translator<'_> {
    pub(super) fn escape(&mut self) -> Parsed {
        let Some(&letter) = self.source.get(self.at + 1) else { return Err("too short escape sequence".into()) };
        match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' => self.shorthand(letter),
            b'b' | b'B' if self.state.range == Range::Ascii => self.ascii_boundary(letter),
            b'b' | b'B' => self.boundary(letter),
            b'k' => return self.reference(b"\\k"),
            b'g' => return self.reference(b"\\g"),
            b'p' | b'P' => return self.property(false),
            b'G' => {
                self.out.uses_search_start = true;
                self.assertion(2);
            }
            b'1'..=b'9' => {
                return match self.octal_escape() {
                    true => self.byte_escape(),
                    false if self.state.is_looking_back => Err(LOOK_BEHIND.into()),
                    false => {
                        self.out.is_nonlinear |= !self.is_octal();
                        self.emit_from(2);
                        Ok(())
                    }
                };
            }
            b'0' | b'x' | b'c' | b'C' | b'M' => return self.byte_escape(),
            b'u' => return self.unicode_escape(),
            b'A' | b'Z' | b'z' | b'K' => self.assertion(2),
            b'R' | b'X' | b'a' | b'e' | b'f' | b'n' | b'r' | b't' | b'v' => self.emit_from(2),
            _ => return self.literal_escape(letter),
        }
        Ok(())
    }

    /// An escaped character that stands for itself.
    pub(super) fn literal_escape(&mut self, letter: u8) -> Parsed {
        self.at += 1;
        if letter >= 0x80 {
            return self.character();
        }
        if !letter.is_ascii_alphanumeric() {
            self.emit(b"\\");
        }
        self.copy();
        Ok(())
    }

    /// Three octal digits beyond ASCII are a byte; fewer or smaller ones are left to the engine, which knows the groups.
    pub(super) fn octal_escape(&self) -> bool {
        let digits = self.source[self.at + 1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b));
        digits.fold(0u32, |n, d| n * 8 + u32::from(d - b'0')) > 0o177
    }

    /// Two digits or more are octal where there are not so many groups.
    pub(super) fn is_octal(&self) -> bool {
        let digits = &self.source[self.at + 1..];
        let len = digits.iter().take(3).take_while(|b| b.is_ascii_digit()).count();
        let number = digits[..len].iter().fold(0usize, |n, d| n * 10 + usize::from(d - b'0'));
        number > 9 && number > self.source.iter().filter(|b| **b == b'(').count()
    }

    /// A sign behind a name begins a recursion level: digits have to follow, and the name is what stands before. The error
    /// shows the name and what follows it, from `ahead` bytes on.
    pub(super) fn check_level(&self, name: &[u8], ahead: usize) -> Parsed {
        // A sign in front belongs to the number of a group that is counted from here.
        let Some(sign) = name.iter().skip(1).position(|b| matches!(b, b'+' | b'-')).map(|i| i + 1) else {
            return Ok(());
        };
        let (own, level) = (&name[..sign], &name[sign + 1..]);
        if level.is_empty() || !level.iter().all(u8::is_ascii_digit) {
            let start = self.source.len().min(self.at + 3 + ahead - name.len() - 1);
            let shown = if self.source[self.at] == b'(' { &self.source[start..] } else { name };
            let close = if self.source[self.at] == b'(' { "" } else { ">" };
            return Err(format!("invalid group name <{}{close}>", String::from_utf8_lossy(shown)));
        }
        let is_known = own.iter().all(u8::is_ascii_digit) || self.out.names.iter().any(|(known, _)| **known == *own);
        if is_known { Ok(()) } else { Err(format!("undefined name <{}> reference", String::from_utf8_lossy(own))) }
    }

    /// `\k<name>`, `\g'name'`: level and sign stay, names are spelt as the engine takes them.
    pub(super) fn reference(&mut self, escape: &[u8]) -> Parsed {
        let delimiter = self.source.get(self.at + 2).copied();
        if !matches!(delimiter, Some(b'<' | b'\'')) {
            self.at += 1;
            self.copy();
            return Ok(());
        }
        self.out.is_nonlinear = true;
        let end = if delimiter == Some(b'<') { b'>' } else { b'\'' };
        let rest = &self.source[self.at + 3..];
        let Some(len) = rest.iter().position(|b| *b == end) else {
            if rest.is_empty() {
                return Err("group name is empty".into());
            }
            return Err(format!("invalid group name <{}>", String::from_utf8_lossy(rest)));
        };
        let name: Box<[u8]> = rest[..len].into();
        if escape == b"\\k" {
            self.check_level(&name, len)?;
        }
        self.at += 3 + len + 1;
        self.emit(escape);
        self.emit(b"<");
        if self.out.names.iter().any(|(known, _)| *known == name) {
            self.spell(&name)
        } else {
            self.emit(&name)
        }
        self.emit(b">");
        Ok(())
    }
}
