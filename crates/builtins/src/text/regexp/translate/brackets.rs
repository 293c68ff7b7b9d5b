//! Bracket expressions.

use super::{PUNCTUATION, Parsed, Range, Translator, check_depth};
use carat_oniguruma::Engine;
use carat_text::encoding::{Char, char_len};

/// Bytes that the name of a bracket of POSIX has at most.
const POSIX_NAME: usize = 20;

/// What came before, in a bracket expression.
#[derive(Clone, Copy, Default)]
struct Elements {
    /// The last element was a class.
    was_class: bool,
    /// A range is open behind a character.
    in_range: bool,
    /// The last element ended a range: a hyphen behind it stands for itself.
    was_range: bool,
}

impl Translator<'_> {
    /// A bracket expression with all that is nested in it.
    pub(super) fn bracket(&mut self) -> Parsed {
        check_depth(self.groups.len() + 1)?;
        if self.state.ignores_case
            && self.spelling.has_own_classes()
            && let Some(len) = self.one_letter()
        {
            // As text: there some letters are the same that are not in sets.
            let end = self.at + len;
            self.at += 1;
            self.element()?;
            self.at = end;
            return Ok(());
        }
        let mut elements = self.open_bracket()?;
        // Of each bracket expression around, whether a range was open in it.
        let mut around = Vec::new();
        loop {
            let Some(byte) = self.peek() else { return Err("premature end of char-class".into()) };
            let next = self.source.get(self.at + 1).copied();
            let Elements { was_class, in_range, was_range } = elements;
            let is_class = match byte {
                b']' => {
                    self.copy();
                    let Some(in_range) = around.pop() else { return Ok(()) };
                    elements = Elements { was_range: in_range, ..Elements::default() };
                    continue;
                }
                b'[' if next == Some(b':') && self.posix() => true,
                b'[' if next == Some(b':') && self.is_long_name() => {
                    self.at += 1;
                    self.emit(b"\\[");
                    false
                }
                b'[' => {
                    around.push(in_range);
                    check_depth(self.groups.len() + 1 + around.len())?;
                    elements = self.open_bracket()?;
                    continue;
                }
                b'-' if was_class && !matches!(next, Some(b']' | b'&' | b'[') | None) => {
                    return Err("unmatched range specifier in char-class".into());
                }
                b'-' if was_range && !matches!(next, Some(b']' | b'&' | b'[') | None) => {
                    self.at += 1;
                    self.emit(b"\\-");
                    false
                }
                b'-' => {
                    self.copy();
                    let begins = matches!(self.out.text.get(self.out.text.len() - 2), Some(b'[' | b'^'));
                    elements = Elements { was_class: false, in_range: !in_range && !begins, was_range };
                    continue;
                }
                b'&' if next == Some(b'&') => {
                    self.emit_from(2);
                    false
                }
                b'\\' => {
                    let is_class = self.escape_in_bracket()?;
                    if is_class && in_range {
                        return Err("char-class value at end of range".into());
                    }
                    is_class
                }
                byte if byte < 0x80 => {
                    self.copy();
                    false
                }
                _ => {
                    self.character()?;
                    false
                }
            };
            elements = Elements { was_class: is_class, in_range: false, was_range: in_range };
        }
    }

    /// The length of an expression that has one letter in it and nothing else: `[x]` or `[x-x]`.
    fn one_letter(&self) -> Option<usize> {
        let inside = &self.rest()[1..];
        let Char::Valid(len) = char_len(self.encoding, inside) else { return None };
        let (letter, behind) = inside.split_at(len as usize);
        let range = || behind.strip_prefix(b"-")?.strip_prefix(letter)?.strip_prefix(b"]");
        let behind = behind.strip_prefix(b"]").or_else(range)?;
        let is_letter = letter[0] >= 0x80 || letter[0].is_ascii_alphabetic();
        is_letter.then(|| self.rest().len() - behind.len())
    }

    /// The opening bracket, and what means something else behind it than further inside.
    fn open_bracket(&mut self) -> Parsed<Elements> {
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
        Ok(Elements::default())
    }

    /// Whether the name of what would be a bracket of POSIX is too long for one. Then the bracket is
    /// a member of the set.
    fn is_long_name(&self) -> bool {
        self.rest()[2..].windows(2).position(|w| w == b":]").is_some_and(|len| len > POSIX_NAME)
    }

    /// `[:name:]`: whether it is one. In `(?a)` the ASCII members alone are meant.
    pub(super) fn posix(&mut self) -> bool {
        let rest = &self.rest()[2..];
        let Some(len) = rest.windows(2).position(|w| w == b":]").filter(|len| *len <= POSIX_NAME) else { return false };
        let name = rest[..len].to_vec();
        if !name.iter().all(|b| b.is_ascii_alphabetic() || *b == b'^') {
            return false;
        }
        let has_own = self.spelling.has_own_classes();
        let is_wide = matches!(name.strip_prefix(b"^").unwrap_or(&name), b"graph" | b"print" | b"word");
        if self.state.range == Range::Ascii && (is_wide || !has_own) {
            self.posix_of_ascii(&name);
            self.at += 2 + len + 2;
        } else if has_own {
            self.own_posix(&name);
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

    /// The ASCII members of `[:name:]`, or all characters but those.
    fn posix_of_ascii(&mut self, name: &[u8]) {
        let (is_negated, plain) = name.strip_prefix(b"^").map_or((false, name), |plain| (true, plain));
        self.emit(if is_negated { b"[^[:" } else { b"[[:" });
        self.emit(plain);
        self.emit(b":]&&[\\x00-\\x7F]]");
    }

    /// `[:name:]` in an encoding that has its own classes.
    pub(super) fn own_posix(&mut self, name: &[u8]) {
        let plain = name.strip_prefix(b"^").unwrap_or(name);
        let is_wide = matches!(plain, b"graph" | b"print" | b"word");
        self.emit(b"[:");
        self.emit(name);
        self.emit(b":]");
        // As CRuby's tables have it.
        let takes_all = match self.spelling.engine {
            Some(Engine::EucJp) => plain != b"word",
            Some(Engine::ShiftJis | Engine::Letters(_)) => false,
            _ => true,
        };
        if is_wide && takes_all && plain.len() < name.len() {
            self.emit(b"[^\\x00-\\x7F]");
        }
    }

    /// An escape between brackets: whether it is a class.
    pub(super) fn escape_in_bracket(&mut self) -> Parsed<bool> {
        let Some(&letter) = self.source.get(self.at + 1) else { return Err("too short escape sequence".into()) };
        match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' => {
                self.at += 2;
                let is_unicode = self.state.range == Range::Unicode && !matches!(letter, b'h' | b'H');
                if is_unicode {
                    self.unicode_shorthand(letter);
                } else {
                    self.emit(self.shorthand_set(letter).as_bytes());
                }
                return Ok(true);
            }
            b'p' | b'P' => {
                let is_class = self.source.get(self.at + 2) == Some(&b'{');
                self.property(true)?;
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
