//! From Ruby's pattern syntax to the engine's.
//!
//! Ruby's patterns are written for Onigmo. The engine here is Oniguruma with its Ruby syntax, which agrees on most things;
//! what differs is rewritten while the pattern is read once from left to right:
//!
//! * `\w \d \s \h` and their opposites are ASCII unless `(?u)` is on, and `\b` and POSIX brackets are Unicode unless `(?a)` is:
//!   the engine knows them as Unicode only, so that they become bracket expressions. `(?a)`, `(?d)` and `(?u)` vanish.
//! * Escapes of bytes and code points (`\xHH`, `\ooo`, `\cX`, `\M-X`, `\uXXXX`, `\u{…}`) become the characters they mean.
//! * Escaped letters that mean nothing in Ruby (`\N`, `\O`, `\y`, `\Q`) become the letters.
//! * `(?~|…)` is an absent operator over alternatives and not one of the engine's other absent functions.
//! * `{2,1}` is an error and not a possessive interval. `[[:punct:]]` has the symbols of ASCII and no others, `\p{Word}` what
//!   joins characters.
//! * Repetitions of variable length in a look-behind are errors; the engine shortens some of them. So is a third alternative
//!   of a conditional.
//! * Comments are dropped. Names of groups may hold any character: those that the engine refuses are spelt in hexadecimal.
//!
//! The engine lacks properties by age (`\p{Age=6.0}`) and of clusters (`\p{Grapheme_Cluster_Break=Extend}`), and for `\b`
//! the characters that join others are no word characters.
//!
//! What is found on the way is what the engine does not tell: group names in order, whether matching takes linear time, whether
//! the pattern demands an encoding.
//!
//! # References
//! CRuby `unescape_nonascii`, `read_escaped_byte`; Onigmo `doc/RE`.

use super::{EXTENDED, IGNORE_CASE};
use carat_text::encoding::{Char, EncodingIndex, char_len};

/// What a pattern turned out to be.
#[derive(Default, Debug)]
pub(crate) struct Translation {
    pub(crate) text: Vec<u8>,
    /// Group names in order of appearance, with the numbers of their groups.
    pub(crate) names: Vec<(Box<[u8]>, Vec<u32>)>,
    /// The encoding that characters, escapes or properties demand.
    pub(crate) fixed: Option<EncodingIndex>,
    /// Uses something whose matching cannot be bounded by the length of the text.
    pub(crate) is_nonlinear: bool,
    /// Looks at where the search began (`\G`).
    pub(crate) uses_search_start: bool,
}

type Parsed<T = ()> = Result<T, String>;

/// The engine shortens some repetitions instead of refusing them.
const LOOK_BEHIND: &str = "invalid pattern in look-behind";

/// Members of a set that Unicode counts among word characters; other engines than that for UTF-8 must not see them.
pub(super) const JOINERS: &[u8] = b"\\x{200C}\\x{200D}";

/// Members of a set: what POSIX calls punctuation, and the symbols of ASCII with it. The engine counts all symbols.
const PUNCTUATION: &[u8] = b"\\p{Punct}$+<=>\\^`|~";

/// Which characters the shorthand classes mean.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Range {
    /// Shorthands ASCII, brackets and boundaries Unicode.
    Default,
    Ascii,
    Unicode,
}

/// Options in force within a group.
#[derive(Clone, Copy)]
struct State {
    is_extended: bool,
    ignores_case: bool,
    range: Range,
    /// Inside of a look-behind, where everything has a fixed length.
    is_looking_back: bool,
}

/// A group that is open: what holds again behind it, and how many parentheses close it.
struct Group {
    outside: State,
    closing: u8,
    /// Alternatives of a conditional so far.
    conditional: Option<u8>,
}

struct Translator<'a> {
    source: &'a [u8],
    at: usize,
    encoding: EncodingIndex,
    state: State,
    groups: Vec<Group>,
    has_property: bool,
    /// Named groups so far.
    named: u32,
    /// Assertions become atomic groups: the engine repeats those, but no bare assertion.
    wraps_assertions: bool,
    out: Translation,
}

/// Translates a pattern in the given encoding; the message of a `RegexpError` if it is wrong.
pub(crate) fn translate(source: &[u8], options: u8, encoding: EncodingIndex) -> Result<Translation, String> {
    translate_with(source, options, encoding, false)
}

/// As [`translate`], for a pattern that repeats assertions (`^?`, `(?=a)*`), if `wraps_assertions`.
pub(crate) fn translate_with(
    source: &[u8],
    options: u8,
    encoding: EncodingIndex,
    wraps_assertions: bool,
) -> Result<Translation, String> {
    let state = State {
        is_extended: options & EXTENDED != 0,
        ignores_case: options & IGNORE_CASE != 0,
        range: Range::Default,
        is_looking_back: false,
    };
    let out = Translation { text: Vec::with_capacity(source.len() + 16), ..Translation::default() };
    let mut t = Translator {
        source,
        at: 0,
        encoding,
        state,
        groups: Vec::new(),
        has_property: false,
        named: 0,
        wraps_assertions,
        out,
    };
    while t.at < source.len() {
        t.element()?;
    }
    if t.has_property && t.out.fixed.is_none() {
        t.out.fixed = Some(encoding);
    }
    Ok(t.out)
}

impl Translator<'_> {
    fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    fn rest(&self) -> &[u8] {
        &self.source[self.at..]
    }

    fn emit(&mut self, text: &[u8]) {
        self.out.text.extend_from_slice(text);
    }

    /// Copies the byte at the current position.
    fn copy(&mut self) {
        self.out.text.push(self.source[self.at]);
        self.at += 1;
    }

    /// Something outside of brackets.
    fn element(&mut self) -> Parsed {
        match self.source[self.at] {
            b'\\' => self.escape(),
            b'[' => self.bracket(),
            b'(' => self.open(),
            b')' => {
                self.close();
                Ok(())
            }
            b'{' => self.interval(),
            b'*' | b'+' | b'?' if self.state.is_looking_back => Err(LOOK_BEHIND.into()),
            b'|' => self.alternative(),
            b'#' if self.state.is_extended => {
                self.line_comment();
                Ok(())
            }
            b'^' | b'$' => {
                self.assertion(1);
                Ok(())
            }
            byte if byte < 0x80 => {
                self.copy();
                Ok(())
            }
            _ => self.character(),
        }
    }

    /// Copies an assertion of `len` bytes.
    fn assertion(&mut self, len: usize) {
        self.emit(if self.wraps_assertions { b"(?>" } else { b"" });
        self.emit_from(len);
        self.emit(if self.wraps_assertions { b")" } else { b"" });
    }

    /// Opens a look-around of `len` bytes.
    fn look_around(&mut self, len: usize) {
        self.emit(if self.wraps_assertions { b"(?>" } else { b"" });
        self.emit_from(len);
        self.push(if self.wraps_assertions { 2 } else { 1 });
    }

    /// `|`: conditionals have room for one.
    fn alternative(&mut self) -> Parsed {
        if let Some(count) = self.groups.last_mut().and_then(|group| group.conditional.as_mut()) {
            *count += 1;
            if *count > 1 {
                return Err("invalid conditional pattern".into());
            }
        }
        self.copy();
        Ok(())
    }

    /// A character that is not ASCII: it fixes the encoding.
    fn character(&mut self) -> Parsed {
        let Char::Valid(len) = char_len(self.encoding, self.rest()) else {
            return Err("invalid multibyte character".into());
        };
        let end = self.at + len as usize;
        self.fix(self.encoding, "non ASCII character in UTF-8 regexp")?;
        self.out.text.extend_from_slice(&self.source[self.at..end]);
        self.at = end;
        Ok(())
    }

    fn fix(&mut self, encoding: EncodingIndex, message: &str) -> Parsed {
        if *self.out.fixed.get_or_insert(encoding) == encoding { Ok(()) } else { Err(message.into()) }
    }

    fn line_comment(&mut self) {
        let len = self.rest().iter().position(|b| *b == b'\n').map_or(self.rest().len(), |n| n + 1);
        self.at += len;
        self.emit(b"\n");
    }

    /// `{n,m}`: the engine takes an upper bound below the lower one for a possessive interval.
    fn interval(&mut self) -> Parsed {
        if let Some(len) = self.rest().iter().position(|b| *b == b'}')
            && let Some((low, high)) = bounds(&self.rest()[1..len])
        {
            match (low, high) {
                (Some(low), Some(high)) if low > high => {
                    return Err("upper is smaller than lower in repeat range".into());
                }
                _ if self.state.is_looking_back && low != high => return Err(LOOK_BEHIND.into()),
                _ => {}
            }
        }
        self.copy();
        Ok(())
    }

    // ---- groups ----

    fn open(&mut self) -> Parsed {
        let rest = self.rest();
        if rest.get(1) != Some(&b'?') {
            self.copy();
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
    fn emit_from(&mut self, len: usize) {
        self.out.text.extend_from_slice(&self.source[self.at..self.at + len]);
        self.at += len;
    }

    fn push(&mut self, closing: u8) {
        self.groups.push(Group { outside: self.state, closing, conditional: None });
    }

    fn close(&mut self) {
        self.at += 1;
        let closing = match self.groups.pop() {
            Some(group) => {
                self.state = group.outside;
                group.closing
            }
            None => 1,
        };
        (0..closing).for_each(|_| self.out.text.push(b')'));
    }

    fn comment(&mut self) -> Parsed {
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

    fn absent(&mut self) {
        self.out.is_nonlinear = true;
        self.emit_from(3);
        if self.peek() == Some(b'|') {
            self.emit(b"(?:");
            self.push(2);
        } else {
            self.push(1);
        }
    }

    fn named_or_look_behind(&mut self) -> Parsed {
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
    fn name(&mut self, skip: usize) -> Parsed<Box<[u8]>> {
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
    fn spell(&mut self, name: &[u8]) {
        for &byte in name {
            if byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80 {
                self.out.text.push(byte);
            } else {
                self.emit(format!("_x{byte:02X}").as_bytes());
            }
        }
    }

    /// `(?(1)…|…)` and `(?(<name>)…|…)`
    fn condition(&mut self) -> Parsed {
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
    fn options(&mut self) -> Parsed {
        let outside = self.state;
        self.at += 2;
        let (mut on, mut off) = (Vec::new(), Vec::new());
        let mut is_on = true;
        loop {
            let Some(byte) = self.peek() else { return Err("end pattern in group".into()) };
            self.at += 1;
            match byte {
                b'-' if is_on => is_on = false,
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
                        self.groups.push(Group { outside, closing: 1, conditional: None });
                    }
                    return Ok(());
                }
                _ => return Err("undefined group option".into()),
            }
        }
    }

    fn set_option(&mut self, option: u8, is_on: bool) {
        match option {
            b'i' => self.state.ignores_case = is_on,
            b'x' => self.state.is_extended = is_on,
            _ => {}
        }
    }

    fn emit_options(&mut self, on: &[u8], off: &[u8], end: u8) {
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

    // ---- escapes ----

    fn escape(&mut self) -> Parsed {
        let Some(&letter) = self.source.get(self.at + 1) else { return Err("too short escape sequence".into()) };
        match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' => self.shorthand(letter),
            b'b' | b'B' if self.state.range == Range::Ascii => self.ascii_boundary(letter),
            b'k' => return self.reference(b"\\k"),
            b'g' => return self.reference(b"\\g"),
            b'p' | b'P' => return self.property(),
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
            b'A' | b'Z' | b'z' | b'b' | b'B' | b'K' => self.assertion(2),
            b'R' | b'X' | b'a' | b'e' | b'f' | b'n' | b'r' | b't' | b'v' => self.emit_from(2),
            _ => return self.literal_escape(letter),
        }
        Ok(())
    }

    /// An escaped character that stands for itself.
    fn literal_escape(&mut self, letter: u8) -> Parsed {
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
    fn octal_escape(&self) -> bool {
        let digits = self.source[self.at + 1..].iter().take(3).take_while(|b| (b'0'..=b'7').contains(b));
        digits.fold(0u32, |n, d| n * 8 + u32::from(d - b'0')) > 0o177
    }

    /// Two digits or more are octal where there are not so many groups.
    fn is_octal(&self) -> bool {
        let digits = &self.source[self.at + 1..];
        let len = digits.iter().take(3).take_while(|b| b.is_ascii_digit()).count();
        let number = digits[..len].iter().fold(0usize, |n, d| n * 10 + usize::from(d - b'0'));
        number > 9 && number > self.source.iter().filter(|b| **b == b'(').count()
    }

    /// A sign behind a name begins a recursion level: digits have to follow, and the name is what stands before. The error
    /// shows the name and what follows it, from `ahead` bytes on.
    fn check_level(&self, name: &[u8], ahead: usize) -> Parsed {
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
    fn reference(&mut self, escape: &[u8]) -> Parsed {
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

    fn property(&mut self) -> Parsed {
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

    fn shorthand(&mut self, letter: u8) {
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
    fn unicode_shorthand(&mut self, letter: u8) {
        match letter {
            b'w' => self.emit(b"[\\w"),
            b'W' => self.emit(b"[^\\w"),
            _ => return self.emit(&[b'\\', letter]),
        }
        self.emit_joiners();
        self.emit(b"]");
    }

    fn emit_joiners(&mut self) {
        if self.encoding == EncodingIndex::UTF_8 {
            self.emit(JOINERS);
        }
    }

    fn punctuation(&mut self, is_negated: bool) {
        self.emit(if is_negated { b"[^" } else { b"[" });
        self.emit(PUNCTUATION);
        self.emit(b"]");
    }

    fn ascii_boundary(&mut self, letter: u8) {
        self.at += 2;
        self.emit(match letter {
            b'b' => b"(?:(?<=[a-zA-Z0-9_])(?![a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?=[a-zA-Z0-9_]))",
            _ => b"(?:(?<=[a-zA-Z0-9_])(?=[a-zA-Z0-9_])|(?<![a-zA-Z0-9_])(?![a-zA-Z0-9_]))",
        });
    }

    /// Bytes written as escapes: a character of one of them, or of several in a row.
    fn byte_escape(&mut self) -> Parsed {
        let mut bytes = vec![self.escaped_byte()?];
        if self.encoding == EncodingIndex::US_ASCII && bytes[0] >= 0x80 {
            self.fix(EncodingIndex::BINARY, "escaped non ASCII character in UTF-8 regexp")?;
            self.emit(&bytes);
            return Ok(());
        }
        while bytes.len() < self.encoding.max_len() && matches!(char_len(self.encoding, &bytes), Char::NeedMore(_)) {
            bytes.push(self.escaped_byte()?);
        }
        let Char::Valid(_) = char_len(self.encoding, &bytes) else { return Err("invalid multibyte escape".into()) };
        if bytes.len() == 1 && bytes[0] < 0x80 {
            self.emit(format!("\\x{:02X}", bytes[0]).as_bytes());
            return Ok(());
        }
        self.fix(self.encoding, "escaped non ASCII character in UTF-8 regexp")?;
        self.emit(&bytes);
        Ok(())
    }

    /// One escaped byte, prefixes for control and meta included.
    fn escaped_byte(&mut self) -> Parsed<u8> {
        let (mut is_control, mut is_meta) = (false, false);
        if self.peek() != Some(b'\\') {
            return Err("too short escaped multibyte character".into());
        }
        self.at += 1;
        let code = loop {
            let Some(letter) = self.peek() else { return Err("too short escape sequence".into()) };
            self.at += 1;
            let is_prefix = match letter {
                b'M' if is_meta => return Err("duplicate meta escape".into()),
                b'M' => {
                    is_meta = true;
                    self.dash("too short meta escape")?;
                    true
                }
                b'C' | b'c' if is_control => return Err("duplicate ctrl escape".into()),
                b'C' => {
                    is_control = true;
                    self.dash("too short control escape")?;
                    true
                }
                b'c' => {
                    is_control = true;
                    true
                }
                _ => false,
            };
            if !is_prefix {
                break self.simple_escape(letter)?;
            }
            let short = if letter == b'M' { "too short meta escape" } else { "too short control escape" };
            match self.peek() {
                Some(b'\\') => self.at += 1,
                Some(byte) if byte < 0x80 => {
                    self.at += 1;
                    break byte;
                }
                _ => return Err(short.into()),
            }
        };
        let code = if is_control { code & 0x1F } else { code };
        Ok(if is_meta { code | 0x80 } else { code })
    }

    fn dash(&mut self, message: &str) -> Parsed {
        if self.peek() != Some(b'-') {
            return Err(message.into());
        }
        self.at += 1;
        Ok(())
    }

    fn simple_escape(&mut self, letter: u8) -> Parsed<u8> {
        Ok(match letter {
            b'\\' => b'\\',
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'f' => 0x0C,
            b'v' => 0x0B,
            b'a' => 0x07,
            b'e' => 0x1B,
            b'0'..=b'7' => {
                self.at -= 1;
                let code = self.digits(8, 3).0;
                return u8::try_from(code).map_err(|_| "invalid escape code".into());
            }
            b'x' => {
                let (code, len) = self.digits(16, 2);
                if len == 0 {
                    return Err("invalid hex escape".into());
                }
                code as u8
            }
            _ => return Err("unexpected escape sequence".into()),
        })
    }

    /// Reads up to `most` digits: their value and how many there are.
    fn digits(&mut self, radix: u32, most: usize) -> (u32, usize) {
        let (mut value, mut len) = (0u32, 0);
        while len < most
            && let Some(digit) = self.peek().and_then(|b| char::from(b).to_digit(radix))
        {
            value = value.wrapping_mul(radix).wrapping_add(digit);
            len += 1;
            self.at += 1;
        }
        (value, len)
    }

    fn unicode_escape(&mut self) -> Parsed {
        self.at += 2;
        match self.peek() {
            None => Err("too short escape sequence".into()),
            Some(b'{') => self.unicode_list(),
            Some(_) => {
                let (code, len) = self.digits(16, 4);
                if len == 4 { self.code_point(code) } else { Err("invalid Unicode escape".into()) }
            }
        }
    }

    fn unicode_list(&mut self) -> Parsed {
        self.at += 1;
        let mut count = 0;
        loop {
            while self.peek().is_some_and(|b| b.is_ascii_whitespace()) {
                self.at += 1;
            }
            let (code, len) = self.digits(16, usize::MAX);
            if len == 0 {
                break;
            }
            if len > 6 {
                return Err("invalid Unicode range".into());
            }
            self.code_point(code)?;
            count += 1;
        }
        if count == 0 || self.peek() != Some(b'}') {
            return Err("invalid Unicode list".into());
        }
        self.at += 1;
        Ok(())
    }

    fn code_point(&mut self, code: u32) -> Parsed {
        let Some(c) = char::from_u32(code) else { return Err("invalid Unicode range".into()) };
        if code < 0x80 {
            self.emit(format!("\\x{code:02X}").as_bytes());
            return Ok(());
        }
        self.fix(EncodingIndex::UTF_8, "UTF-8 character in non UTF-8 regexp")?;
        self.emit(c.encode_utf8(&mut [0; 4]).as_bytes());
        Ok(())
    }

    // ---- brackets ----

    /// A bracket expression with all that is nested in it.
    fn bracket(&mut self) -> Parsed {
        self.copy();
        if self.peek() == Some(b'^') {
            self.copy();
        }
        if self.peek() == Some(b']') {
            if !self.rest()[1..].contains(&b']') {
                return Err("empty char-class".into());
            }
            self.at += 1;
            self.emit(b"\\]");
        }
        // Whether the last element was a class, and whether a range is open behind a character.
        let (mut was_class, mut in_range) = (false, false);
        loop {
            let Some(byte) = self.peek() else { return Err("premature end of char-class".into()) };
            let next = self.source.get(self.at + 1).copied();
            match byte {
                b']' => {
                    self.copy();
                    return Ok(());
                }
                b'[' if next == Some(b':') && self.posix() => was_class = true,
                b'[' => {
                    self.bracket()?;
                    was_class = false;
                }
                b'-' if was_class && !matches!(next, Some(b']' | b'&' | b'[') | None) => {
                    return Err("unmatched range specifier in char-class".into());
                }
                b'-' => {
                    self.copy();
                    in_range = !in_range && !matches!(self.out.text.get(self.out.text.len() - 2), Some(b'[' | b'^'));
                    was_class = false;
                    continue;
                }
                b'&' if next == Some(b'&') => {
                    self.emit_from(2);
                    was_class = false;
                }
                b'\\' => {
                    was_class = self.escape_in_bracket()?;
                    if was_class && in_range {
                        return Err("char-class value at end of range".into());
                    }
                }
                byte if byte < 0x80 => {
                    self.copy();
                    was_class = false;
                }
                _ => {
                    self.character()?;
                    was_class = false;
                }
            }
            in_range = false;
        }
    }

    /// `[:name:]`: whether it is one. In `(?a)` the ASCII members alone are meant.
    fn posix(&mut self) -> bool {
        let rest = &self.rest()[2..];
        let Some(len) = rest.windows(2).position(|w| w == b":]").filter(|len| *len <= 20) else { return false };
        let name = rest[..len].to_vec();
        if !name.iter().all(|b| b.is_ascii_alphabetic() || *b == b'^') {
            return false;
        }
        if self.state.range == Range::Ascii {
            let (is_negated, plain) = name.strip_prefix(b"^").map_or((false, &name[..]), |plain| (true, plain));
            self.emit(if is_negated { b"[^[:" } else { b"[[:" });
            self.emit(plain);
            self.emit(b":]&&[\\x00-\\x7F]]");
            self.at += 2 + len + 2;
        } else {
            match &name[..] {
                b"punct" => {
                    self.at += 2 + len + 2;
                    self.emit(PUNCTUATION);
                }
                b"^punct" => {
                    self.at += 2 + len + 2;
                    self.punctuation(true);
                }
                _ => self.emit_from(2 + len + 2),
            }
            if name == b"word" {
                self.emit_joiners();
            }
        }
        true
    }

    /// An escape between brackets: whether it is a class.
    fn escape_in_bracket(&mut self) -> Parsed<bool> {
        let Some(&letter) = self.source.get(self.at + 1) else { return Err("too short escape sequence".into()) };
        match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' => {
                self.at += 2;
                let is_unicode = self.state.range == Range::Unicode && !matches!(letter, b'h' | b'H');
                if is_unicode {
                    self.unicode_shorthand(letter);
                } else {
                    self.emit(shorthand_set(letter).as_bytes())
                }
                return Ok(true);
            }
            b'p' | b'P' => {
                let is_class = self.source.get(self.at + 2) == Some(&b'{');
                self.property()?;
                return Ok(is_class);
            }
            b'b' => {
                self.at += 2;
                self.emit(b"\\x08");
            }
            b'0'..=b'7' | b'x' | b'c' | b'C' | b'M' => self.byte_escape()?,
            b'u' => self.unicode_escape()?,
            b'a' | b'e' | b'f' | b'n' | b'r' | b't' | b'v' => self.emit_from(2),
            _ => self.literal_escape(letter)?,
        }
        Ok(false)
    }
}

/// The bounds of an interval; `None` if it is none and stands for itself.
pub(super) fn bounds(inside: &[u8]) -> Option<(Option<u32>, Option<u32>)> {
    let inside = std::str::from_utf8(inside).ok()?;
    let (low, high) = inside.split_once(',').unwrap_or((inside, inside));
    let number = |text: &str| if text.is_empty() { Some(None) } else { text.parse::<u32>().ok().map(Some) };
    let (low, high) = (number(low)?, number(high)?);
    (low.is_some() || high.is_some()).then_some((low, high))
}

fn shorthand_set(letter: u8) -> &'static str {
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

#[cfg(test)]
mod tests {
    use super::*;

    fn text(source: &str) -> String {
        String::from_utf8(translate(source.as_bytes(), 0, EncodingIndex::UTF_8).unwrap().text).unwrap()
    }

    fn error(source: &str) -> String {
        translate(source.as_bytes(), 0, EncodingIndex::UTF_8).unwrap_err()
    }

    #[test]
    fn shorthands_are_ascii_unless_unicode_is_asked_for() {
        assert_eq!(text(r"\d+[\h_]"), "[0-9]+[[0-9a-fA-F]_]");
        assert_eq!(text(r"(?u:\d)\d"), r"(?:\d)[0-9]");
        assert_eq!(text(r"a(?u)\w"), r"a(?-i)[\w\x{200C}\x{200D}]");
    }

    #[test]
    fn escapes_become_what_they_mean() {
        assert_eq!(text(r"\u00e9\x41\u{61 3042}"), r"é\x41\x61あ");
        assert_eq!(text(r"\xE3\x81\x82"), "あ");
        assert_eq!(text(r"[\b]\N\cA"), r"[\x08]N\x01");
        assert_eq!(error(r"\xff"), "invalid multibyte escape");
        assert_eq!(error(r"\u{110000}"), "invalid Unicode range");
    }

    #[test]
    fn groups_are_numbered_by_name() {
        let t = translate(b"(?<a>.)(?<b>.)(?'a'.)", 0, EncodingIndex::UTF_8).unwrap();
        assert_eq!(t.names, [((*b"a").into(), vec![1, 3]), ((*b"b").into(), vec![2])]);
        assert_eq!(text("(?<a b>x)"), "(?<a_x20b>x)");
    }

    #[test]
    fn comments_disappear() {
        assert_eq!(text("a(?# b\\) )c"), "ac");
        assert_eq!(
            String::from_utf8(translate(b"a # b [\n c", EXTENDED, EncodingIndex::UTF_8).unwrap().text).unwrap(),
            "a \n c"
        );
    }

    #[test]
    fn mistakes_are_named_as_ruby_names_them() {
        assert_eq!(error("[a"), "premature end of char-class");
        assert_eq!(error("[]"), "empty char-class");
        assert_eq!(error("a{2,1}"), "upper is smaller than lower in repeat range");
        assert_eq!(error("\\"), "too short escape sequence");
        assert_eq!(error("(?z)"), "undefined group option");
        assert_eq!(error("[a-\\d]"), "char-class value at end of range");
        assert_eq!(error("(?<=a*)b"), "invalid pattern in look-behind");
        assert_eq!(text("(?<=a{2}(?=b*))c*"), "(?<=a{2}(?=b*))c*");
        assert_eq!(error("(x)(?(1)a|b|c)"), "invalid conditional pattern");
        assert_eq!(error("[\\w-a]"), "unmatched range specifier in char-class");
    }

    #[test]
    fn encodings_are_demanded_by_what_is_not_ascii() {
        let fixed = |source: &str| translate(source.as_bytes(), 0, EncodingIndex::UTF_8).unwrap().fixed;
        assert_eq!(fixed("abc\\x20"), None);
        assert_eq!(fixed("é"), Some(EncodingIndex::UTF_8));
        assert_eq!(fixed("\\p{Alpha}"), Some(EncodingIndex::UTF_8));
    }
}
