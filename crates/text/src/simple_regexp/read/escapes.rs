//! What is behind a backslash.

use super::{Assertion, Node, PatternReader};
use crate::simple_regexp::set::{Foreign, Set};

/// One character of a bracket expression, or the set that an escape stands for.
pub(super) enum Member {
    Character(u32),
    Set(Box<Set>),
}

impl PatternReader<'_> {
    pub(super) fn escape(&mut self) -> Option<Node> {
        let letter = self.next()?;
        let assertion = match letter {
            b'A' => Assertion::BeginningOfString,
            b'z' => Assertion::EndOfString,
            b'Z' => Assertion::NearEndOfString,
            b'G' => Assertion::StartOfSearch,
            b'b' => Assertion::WordBoundary,
            b'B' => Assertion::NoWordBoundary,
            b'1'..=b'9' | b'k' => return self.again(letter),
            _ => {
                return match self.member_behind_backslash(letter)? {
                    Member::Character(code) => self.code_point(code),
                    Member::Set(set) => Some(Node::Set(set)),
                };
            }
        };
        Some(Node::Assert(assertion))
    }

    /// A group that ends before here and has a number of one digit, or a name.
    fn again(&mut self, letter: u8) -> Option<Node> {
        let number = if letter == b'k' { self.named_group()? } else { self.numbered_group(letter)? };
        let (_, min_len) = *self.closed.iter().find(|(closed, _)| *closed == number)?;
        (!self.options.ignores_case).then_some(Node::Again(number, min_len))
    }

    fn numbered_group(&self, digit: u8) -> Option<u16> {
        let goes_on = self.peek().is_some_and(|byte| byte.is_ascii_digit());
        (!goes_on && !self.options.has_names).then_some(u16::from(digit - b'0'))
    }

    fn named_group(&mut self) -> Option<u16> {
        if !self.eat(b"<") {
            return None;
        }
        let name = self.name(b'>')?;
        let mut groups = self.names.iter().filter(|(known, _)| *known == name);
        let (_, number) = groups.next()?;
        groups.next().is_none().then_some(*number)
    }

    /// A character by its number.
    fn code_point(&self, code: u32) -> Option<Node> {
        match u8::try_from(code) {
            Ok(byte @ ..0x80) => Some(self.literal(byte)),
            _ if self.options.ignores_case => None,
            _ => self.foreign_text(char::from_u32(code)?),
        }
    }

    pub(super) fn member_behind_backslash(&mut self, letter: u8) -> Option<Member> {
        let byte = match letter {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'f' => 0x0C,
            b'v' => 0x0B,
            b'a' => 0x07,
            b'e' => 0x1B,
            b'x' => return self.digits_of_byte().map(Member::Character),
            b'u' if self.options.is_for_bytes => return None,
            b'u' => return self.unicode().map(Member::Character),
            b'p' | b'P' if self.options.is_for_bytes => return None,
            b'p' | b'P' => return self.property(letter == b'P').map(Box::new).map(Member::Set),
            _ if letter.is_ascii_punctuation() || letter == b' ' => letter,
            _ => return Some(Member::Set(Box::new(self.shorthand(letter)?))),
        };
        Some(Member::Character(byte.into()))
    }

    /// Regardless of case a set beyond ASCII takes in what folds to a letter of ASCII, and leaves out what does not.
    fn shorthand(&self, letter: u8) -> Option<Set> {
        let set = Set::of_shorthand(letter)?;
        let is_foreign_too =
            self.options.ignores_case && !self.options.is_for_bytes && !matches!(letter, b'd' | b's' | b'h');
        Some(if is_foreign_too { set.with_foreign(Foreign::unknown()) } else { set })
    }

    /// `\x41` or `\x9`; bytes beyond ASCII are parts of characters, where those are to be told from each other.
    fn digits_of_byte(&mut self) -> Option<u32> {
        let takes_all = self.options.is_for_ascii || self.options.is_for_bytes;
        let count = self.rest.iter().take(2).take_while(|byte| byte.is_ascii_hexdigit()).count();
        if count == 0 {
            return None;
        }
        self.hexadecimal(count).filter(|code| *code < 0x80 || takes_all)
    }

    fn hexadecimal(&mut self, len: usize) -> Option<u32> {
        let (digits, rest) = self.rest.split_at_checked(len)?;
        if !digits.iter().all(u8::is_ascii_hexdigit) {
            return None;
        }
        self.rest = rest;
        u32::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()
    }

    /// `\u00E9` and `\u{E9}`.
    fn unicode(&mut self) -> Option<u32> {
        if !self.eat(b"{") {
            return self.hexadecimal(4);
        }
        let len = self.rest.iter().position(|byte| !byte.is_ascii_hexdigit())?;
        let code = if (1..=6).contains(&len) { self.hexadecimal(len)? } else { return None };
        self.eat(b"}").then_some(code)
    }

    /// `\p{Name}`, `\p{^Name}` and `\P{Name}`.
    fn property(&mut self, is_opposite: bool) -> Option<Set> {
        if !self.eat(b"{") {
            return None;
        }
        let is_negated = is_opposite != self.eat(b"^");
        let len = self.rest.iter().position(|byte| *byte == b'}')?;
        let set = self.named(len)?;
        self.next()?;
        Some(if is_negated { set.negated() } else { set })
    }

    /// The set with a name of so many bytes.
    pub(super) fn named(&mut self, len: usize) -> Option<Set> {
        let (name, rest) = self.rest.split_at(len);
        self.rest = rest;
        let set = Set::of_name(name).filter(|_| !self.options.ignores_case)?;
        Some(if self.options.is_for_bytes { set.in_ascii() } else { set })
    }
}
