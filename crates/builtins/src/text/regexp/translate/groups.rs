//! Parentheses: groups, look-around, names, options, conditionals, absent operators.

use super::{Group, LOOK_BEHIND, Parsed, Range, Translator};
use crate::text::regexp::linear::only_length;

/// What an absent operator begins with, in a group with what follows it.
const ABSENT: &[u8] = b"(?:(?~";

/// The greatest number that a group may have.
const MAX_GROUP: u32 = 32_767;

/// The digits in front; `None` if their number is too large.
fn number(text: &[u8]) -> Option<u32> {
    let mut digits = text.iter().take_while(|b| b.is_ascii_digit());
    digits.try_fold(0u32, |n, digit| n.checked_mul(10)?.checked_add(u32::from(digit - b'0')))
}

impl Translator<'_> {
    pub(super) fn open(&mut self) -> Parsed {
        let rest = self.rest();
        if rest.get(1) != Some(&b'?') {
            self.copy();
            self.opened_at = self.out.text.len();
            self.push(1);
            return Ok(());
        }
        match rest.get(2) {
            Some(b'#') => self.comment(),
            Some(b'<' | b'\'') => self.named_or_look_behind(),
            Some(b'~') => {
                self.absent();
                Ok(())
            }
            Some(b'(') => self.condition(),
            Some(b'i' | b'm' | b'x' | b'a' | b'd' | b'u' | b'-') => self.options(),
            Some(b'>') if self.state.is_looking_back => Err(LOOK_BEHIND.into()),
            Some(kind @ (b':' | b'=' | b'!' | b'>')) => {
                let is_look_ahead = matches!(kind, b'=' | b'!');
                if is_look_ahead {
                    self.look_around(3);
                } else {
                    self.emit_from(3);
                    self.push(1);
                }
                self.state.is_looking_back &= !is_look_ahead;
                Ok(())
            }
            None => Err("end pattern in group".into()),
            _ => Err("undefined group option".into()),
        }
    }

    /// Copies the next `len` bytes.
    pub(super) fn emit_from(&mut self, len: usize) {
        self.out.text.extend_from_slice(&self.source[self.at..self.at + len]);
        self.at += len;
    }

    pub(super) fn push(&mut self, closing: u8) {
        self.groups.push(Group { outside: self.state, closing, conditional: None, absent: None });
    }

    pub(super) fn close(&mut self) {
        self.at += 1;
        let Some(group) = self.groups.pop() else { return self.emit(b")") };
        self.state = group.outside;
        match group.absent {
            Some(start) => self.close_absent(start),
            None => (0..group.closing).for_each(|_| self.out.text.push(b')')),
        }
    }

    /// The engine's absent operator ends before an occurrence, Ruby's within it: behind its first character at the earliest. For
    /// as many characters as every occurrence has, but one, it goes on. Where they differ in length callouts find the end.
    fn close_absent(&mut self, start: usize) {
        match only_length(&self.out.text[start..]).filter(|len| *len > 0 && !self.state.ignores_case) {
            Some(len) => self.emit(format!(")(?m:.{{0,{}}}))", len - 1).as_bytes()),
            None => {
                let tag = format!("a{}", self.absents);
                let head = format!("(?:(*absent_start[{tag}])(?:(?!(?>(?:");
                let tail =
                    format!(")(*absent_found{{{tag}}}))(?!))(?m:.)(*absent_step{{{tag}}}))*(*absent_end{{{tag}}}))");
                self.out.text.splice(start - ABSENT.len()..start, head.into_bytes());
                self.emit(tail.as_bytes());
                self.absents += 1;
            }
        }
    }

    pub(super) fn comment(&mut self) -> Parsed {
        self.at += 3;
        loop {
            match self.peek() {
                None => return Err("end pattern in group".into()),
                Some(b')') => break,
                Some(b'\\') => self.at += 2,
                Some(_) => self.at += 1,
            }
        }
        self.at += 1;
        Ok(())
    }

    pub(super) fn absent(&mut self) {
        self.out.is_nonlinear = true;
        self.emit(ABSENT);
        self.at += b"(?~".len();
        self.push(0);
        let start = self.out.text.len();
        if let Some(group) = self.groups.last_mut() {
            group.absent = Some(start);
        }
    }

    pub(super) fn named_or_look_behind(&mut self) -> Parsed {
        let rest = self.rest();
        if rest.get(2) == Some(&b'<') && matches!(rest.get(3), Some(b'=' | b'!')) {
            self.look_around(4);
            self.state.is_looking_back = true;
            return Ok(());
        }
        let name = self.name(2)?;
        self.named += 1;
        let number = self.named;
        match self.out.names.iter_mut().find(|(known, _)| *known == name) {
            Some((_, numbers)) => numbers.push(number),
            None => self.out.names.push((name.clone(), vec![number])),
        }
        self.emit(b"(?<");
        self.spell(&name);
        self.emit(b">");
        self.push(1);
        Ok(())
    }

    /// Reads a delimited name whose opening delimiter is `skip` bytes ahead.
    pub(super) fn name(&mut self, skip: usize) -> Parsed<Box<[u8]>> {
        let rest = &self.rest()[skip..];
        let end = if rest[0] == b'<' { b'>' } else { b'\'' };
        let Some(len) = rest[1..].iter().position(|b| *b == end) else {
            let shown = String::from_utf8_lossy(&rest[1..]).into_owned();
            let is_end = shown.is_empty();
            return Err(if is_end {
                "end pattern with unmatched parenthesis".into()
            } else {
                format!("invalid group name <{shown}>")
            });
        };
        let name: Box<[u8]> = rest[1..=len].into();
        if name.is_empty() {
            return Err("group name is empty".into());
        }
        if name.contains(&b')') || name[0].is_ascii_digit() || name[0] == b'-' {
            return Err(format!("invalid group name <{}>", String::from_utf8_lossy(&name)));
        }
        if !name.is_ascii() {
            self.fix(self.encoding, "non ASCII character in UTF-8 regexp")?;
        }
        self.at += skip + 1 + len + 1;
        Ok(name)
    }

    /// A group name as the engine takes it.
    pub(super) fn spell(&mut self, name: &[u8]) {
        for &byte in name {
            if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
                self.out.text.push(byte);
            } else {
                self.emit(format!("_x{byte:02X}").as_bytes());
            }
        }
    }

    /// `(?(1)…|…)` and `(?(<name>)…|…)`
    pub(super) fn condition(&mut self) -> Parsed {
        self.out.is_nonlinear = true;
        let Some(len) = self.rest()[3..].iter().position(|b| *b == b')') else {
            let shown = String::from_utf8_lossy(&self.rest()[3..]).into_owned();
            return Err(match shown.is_empty() {
                true => "undefined group option".into(),
                false => format!("invalid group name <{shown}>"),
            });
        };
        let inside = self.rest()[3..3 + len].to_vec();
        match inside.first() {
            Some(b'<' | b'\'') => self.check_level(&inside[1..inside.len().max(2) - 1], len + 1)?,
            Some(byte) if byte.is_ascii_digit() && number(&inside).is_none_or(|n| n > MAX_GROUP) => {
                return Err("invalid backref number/name".into());
            }
            Some(byte) if byte.is_ascii_digit() || matches!(byte, b'+' | b'-') => {}
            _ => return Err("invalid conditional pattern".into()),
        }
        self.emit_from(3 + len + 1);
        self.push(1);
        if let Some(group) = self.groups.last_mut() {
            group.conditional = Some(0);
        }
        if self.peek() == Some(b')') {
            // With nothing to match there is nothing to fail either.
            self.emit(b"|");
        }
        Ok(())
    }

    /// `(?imx-imx)` and `(?imx-imx:…)`; `a`, `d` and `u` are this module's own business.
    pub(super) fn options(&mut self) -> Parsed {
        let outside = self.state;
        self.at += 2;
        let (mut on, mut off) = (Vec::new(), Vec::new());
        let mut is_on = true;
        loop {
            let Some(byte) = self.peek() else { return Err("end pattern in group".into()) };
            self.at += 1;
            match byte {
                // More than one says no more than one.
                b'-' => is_on = false,
                b'i' | b'm' | b'x' => {
                    self.set_option(byte, is_on);
                    if is_on { &mut on } else { &mut off }.push(byte);
                }
                b'a' if is_on => self.state.range = Range::Ascii,
                b'd' if is_on => self.state.range = Range::Default,
                b'u' if is_on => self.state.range = Range::Unicode,
                b')' | b':' => {
                    self.emit_options(&on, &off, byte);
                    if byte == b':' {
                        self.groups.push(Group { outside, closing: 1, conditional: None, absent: None });
                    }
                    return Ok(());
                }
                _ => return Err("undefined group option".into()),
            }
        }
    }

    pub(super) fn set_option(&mut self, option: u8, is_on: bool) {
        match option {
            b'i' => self.state.ignores_case = is_on,
            b'x' => self.state.is_extended = is_on,
            _ => {}
        }
    }

    pub(super) fn emit_options(&mut self, on: &[u8], off: &[u8], end: u8) {
        self.emit(b"(?");
        // An option group without options would be none; a repetition of what holds anyway is harmless.
        if on.is_empty() && off.is_empty() && end == b')' {
            self.emit(if self.state.ignores_case { b"i" } else { b"-i" });
        }
        self.emit(on);
        if !off.is_empty() {
            self.emit(b"-");
            self.emit(off);
        }
        self.out.text.push(end);
    }
}
