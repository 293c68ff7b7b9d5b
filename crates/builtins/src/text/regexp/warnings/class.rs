//! Bracket expressions: signs that should be escaped, and members that stand there twice.
//!
//! A value is put into the set when the next one comes, as Onigmo does it, so that `[[a]a]` has a duplicate and `[[a][a]]` none.

use super::{WarningReader, unknown_escape};
use carat_text::encoding::{EncodingIndex, codepoint};

/// Deeper nesting is not looked at.
const DEEPEST: usize = 64;

/// The characters that bits stand for; in patterns that are not Unicode there are no others.
const BITS: u32 = 0x80;
const LAST: u32 = 0x7FFF_FFFF;

/// Members known so far.
#[derive(Clone, Default)]
struct Set {
    ascii: u128,
    beyond: Vec<(u32, u32)>,
    /// Classes of which only single characters are looked up.
    classes: Vec<(Class, bool)>,
}

type Class = fn(char) -> bool;

impl Set {
    /// Adds a range; whether one of its characters was a member.
    fn add(&mut self, from: u32, to: u32) -> bool {
        let mut is_duplicate = false;
        for code in from..(to.saturating_add(1)).min(BITS) {
            is_duplicate |= self.ascii & (1 << code) != 0;
            self.ascii |= 1 << code;
        }
        if to >= BITS {
            let from = from.max(BITS);
            is_duplicate |= self.beyond.iter().any(|&(first, last)| first <= to && from <= last);
            is_duplicate |=
                from == to && self.classes.iter().any(|&(class, is_negated)| is_in(class, from) != is_negated);
            self.beyond.push((from, to));
        }
        is_duplicate
    }

    /// Adds characters of ASCII, and those beyond it that the class tells; whether one was a member.
    fn add_class(&mut self, ascii: u128, beyond: Option<(Class, bool)>) -> bool {
        let mut is_duplicate = self.ascii & ascii != 0;
        self.ascii |= ascii;
        if let Some((class, is_negated)) = beyond {
            let is_member = |&(first, last): &(u32, u32)| first == last && is_in(class, first) != is_negated;
            is_duplicate |= self.beyond.iter().any(is_member);
            self.classes.push((class, is_negated));
        }
        is_duplicate
    }

    fn unite(&mut self, other: Set) {
        self.ascii |= other.ascii;
        self.beyond.extend(other.beyond);
        self.classes.extend(other.classes);
    }

    fn intersect(&mut self, other: &Set) {
        self.ascii &= other.ascii;
        self.beyond.clear();
        self.classes.clear();
    }

    fn negate(&mut self) {
        self.ascii = !self.ascii;
        self.beyond.clear();
        self.classes.clear();
    }
}

fn is_in(class: Class, code: u32) -> bool {
    char::from_u32(code).is_some_and(class)
}

/// What was read last.
#[derive(Clone, Copy, PartialEq, Eq)]
enum ClassState {
    Start,
    Value(u32),
    Class,
    /// A value and a sign.
    Range(u32),
    Complete,
}

impl WarningReader<'_> {
    /// Reads a bracket expression from its bracket on.
    pub(super) fn class(&mut self) {
        self.members(0);
    }

    fn members(&mut self, depth: usize) -> Set {
        self.at += 1;
        let is_negated = self.peek() == Some(b'^');
        self.at += usize::from(is_negated);
        let (mut set, mut before_and, mut state) = (Set::default(), None::<Set>, ClassState::Start);
        if self.peek() == Some(b']') {
            self.warn("character class has ']' without escape");
            self.at += 1;
            state = self.value(&mut set, state, u32::from(b']'));
        }
        while let Some(byte) = self.peek() {
            match byte {
                b']' => break,
                b'[' => state = self.inner_set(&mut set, state, depth),
                b'-' => state = self.sign(&mut set, state, before_and.is_some()),
                b'&' if self.starts_with(b"&&") => {
                    self.at += 2;
                    self.flush(&mut set, state);
                    state = ClassState::Start;
                    match &mut before_and {
                        Some(all) => all.intersect(&set),
                        None => before_and = Some(set),
                    }
                    set = Set::default();
                }
                b'\\' => state = self.escaped_member(&mut set, state),
                _ => {
                    let code = self.character();
                    state = self.value(&mut set, state, code);
                }
            }
        }
        self.at = (self.at + 1).min(self.text.len());
        self.flush(&mut set, state);
        if let Some(mut all) = before_and {
            all.intersect(&set);
            set = all;
        }
        if is_negated {
            set.negate();
        }
        set
    }

    fn duplicate(&mut self, is_duplicate: bool) {
        if is_duplicate && !self.has_duplicate {
            self.has_duplicate = true;
            self.warn_verbose("character class has duplicated range");
        }
    }

    /// Puts a value into the set that was waiting for a range.
    fn flush(&mut self, set: &mut Set, state: ClassState) {
        if let ClassState::Value(code) = state {
            let is_duplicate = set.add(code, code);
            self.duplicate(is_duplicate);
        }
    }

    fn value(&mut self, set: &mut Set, state: ClassState, code: u32) -> ClassState {
        if let ClassState::Range(from) = state {
            let is_duplicate = set.add(from, code);
            self.duplicate(is_duplicate);
            return ClassState::Complete;
        }
        self.flush(set, state);
        ClassState::Value(code)
    }

    /// A character that is not escaped.
    fn character(&mut self) -> u32 {
        let rest = &self.text[self.at..];
        let wide = if self.is_unicode { codepoint(EncodingIndex::UTF_8, rest) } else { None };
        let (code, len) = wide.unwrap_or((u32::from(rest[0]), 1));
        self.at += len;
        code
    }

    /// `-`: the middle of a range, or itself.
    fn sign(&mut self, set: &mut Set, state: ClassState, is_behind_and: bool) -> ClassState {
        const MESSAGE: &str = "character class has '-' without escape";
        self.at += 1;
        let ends = self.peek() == Some(b']');
        let before_and = self.starts_with(b"&&");
        let is_wrong = match state {
            ClassState::Value(from) if !ends && !before_and => return ClassState::Range(from),
            ClassState::Value(_) | ClassState::Class => before_and,
            ClassState::Start => self.peek() == Some(b'-') || is_behind_and,
            ClassState::Range(_) => true,
            ClassState::Complete => !ends,
        };
        if is_wrong {
            self.warn(MESSAGE);
        }
        self.value(set, state, u32::from(b'-'))
    }

    /// A set in the set, or a POSIX bracket.
    fn inner_set(&mut self, set: &mut Set, state: ClassState, depth: usize) -> ClassState {
        if let Some((name, len)) = self.posix() {
            self.at += len;
            return self.posix_class(set, state, &name);
        }
        if depth == DEEPEST {
            self.at = self.text.len();
            return ClassState::Complete;
        }
        let inner = self.members(depth + 1);
        set.unite(inner);
        state
    }

    /// The name in `[:name:]`, and the length of it all.
    fn posix(&self) -> Option<(String, usize)> {
        let rest = self.text[self.at..].strip_prefix(b"[:")?;
        let len = rest.windows(2).position(|w| w == b":]").filter(|len| *len <= 20)?;
        let name = std::str::from_utf8(&rest[..len]).ok()?;
        posix_ascii(name.trim_start_matches('^'))?;
        Some((name.to_owned(), len + 4))
    }

    fn posix_class(&mut self, set: &mut Set, state: ClassState, name: &str) -> ClassState {
        let (is_negated, plain) = name.strip_prefix('^').map_or((false, name), |plain| (true, plain));
        let ascii = posix_ascii(plain).map_or(0, members_of);
        let ascii = if is_negated { !ascii } else { ascii };
        let beyond = if self.is_unicode { beyond_ascii(plain).map(|class| (class, is_negated)) } else { None };
        let is_duplicate = set.add_class(ascii, beyond);
        self.duplicate(is_duplicate);
        self.flush(set, state);
        ClassState::Class
    }

    fn escaped_member(&mut self, set: &mut Set, state: ClassState) -> ClassState {
        self.at += 1;
        let Some(letter) = self.peek() else { return state };
        self.at += 1;
        match letter {
            b'w' | b'W' | b'd' | b'D' | b's' | b'S' | b'h' | b'H' => self.shorthand(set, state, letter),
            b'p' | b'P' if self.peek() == Some(b'{') => {
                let name = &self.text[self.at + 1..];
                let len = name.iter().position(|b| *b == b'}').unwrap_or(name.len());
                let name = String::from_utf8_lossy(&name[..len]).to_ascii_lowercase();
                self.at = (self.at + len + 2).min(self.text.len());
                self.property_class(set, state, &name, letter == b'P')
            }
            b'p' | b'P' => {
                self.warn(format!("invalid Unicode Property \\{}", char::from(letter)));
                self.value(set, state, u32::from(letter))
            }
            _ => {
                let code = self.escaped_code(letter);
                self.value(set, state, code)
            }
        }
    }

    fn property_class(&mut self, set: &mut Set, state: ClassState, name: &str, is_negated: bool) -> ClassState {
        let (is_negated, plain) = name.strip_prefix('^').map_or((is_negated, name), |plain| (!is_negated, plain));
        let Some(class) = beyond_ascii(plain) else {
            self.flush(set, state);
            return ClassState::Class;
        };
        let ascii = members_of(class);
        let is_duplicate = set.add_class(if is_negated { !ascii } else { ascii }, Some((class, is_negated)));
        self.duplicate(is_duplicate);
        self.flush(set, state);
        ClassState::Class
    }

    /// `\w` and the like. In patterns of Unicode the ASCII ones are put in without a look at what is there.
    fn shorthand(&mut self, set: &mut Set, state: ClassState, letter: u8) -> ClassState {
        let class: Class = match letter.to_ascii_lowercase() {
            b'w' => |c| c.is_ascii_alphanumeric() || c == '_',
            b'd' => |c| c.is_ascii_digit(),
            b's' => |c| matches!(c, '\t'..='\r' | ' '),
            _ => |c| c.is_ascii_hexdigit(),
        };
        let is_negated = letter.is_ascii_uppercase();
        let ascii = if is_negated { !members_of(class) } else { members_of(class) };
        if self.is_unicode && !self.has_unicode_shorthands {
            let beyond = if is_negated { vec![(BITS, LAST)] } else { Vec::new() };
            set.unite(Set { ascii, beyond, classes: Vec::new() });
        } else {
            let unicode: Class = match letter.to_ascii_lowercase() {
                b'w' => |c| c.is_alphanumeric(),
                b'd' => char::is_numeric,
                b's' => char::is_whitespace,
                _ => |_| false,
            };
            let is_duplicate = set.add_class(ascii, self.is_unicode.then_some((unicode, is_negated)));
            self.duplicate(is_duplicate);
        }
        self.flush(set, state);
        ClassState::Class
    }

    /// The character that an escape stands for.
    fn escaped_code(&mut self, letter: u8) -> u32 {
        match letter {
            b'n' => 0x0A,
            b't' => 0x09,
            b'r' => 0x0D,
            b'f' => 0x0C,
            b'v' => 0x0B,
            b'a' => 0x07,
            b'e' => 0x1B,
            b'b' => 0x08,
            b'x' => self.number(16, 2),
            b'0'..=b'7' => {
                self.at -= 1;
                self.number(8, 3)
            }
            b'c' | b'C' | b'M' => {
                // Nobody writes one twice.
                self.at = self.text.len().min(self.at + 1);
                LAST
            }
            _ => {
                if letter.is_ascii_alphabetic() {
                    self.warn_verbose(unknown_escape(letter));
                }
                self.at -= 1;
                self.character()
            }
        }
    }

    fn number(&mut self, radix: u32, most: usize) -> u32 {
        let digits = self.text[self.at..].iter().take(most).map_while(|b| char::from(*b).to_digit(radix));
        let (value, len) = digits.fold((0, 0), |(value, len), digit| (value * radix + digit, len + 1));
        self.at += len;
        value
    }
}

/// The members of a class among ASCII.
fn members_of(class: Class) -> u128 {
    (0..BITS).filter(|&code| is_in(class, code)).fold(0, |bits, code| bits | 1 << code)
}

fn posix_ascii(name: &str) -> Option<Class> {
    Some(match name {
        "alnum" => |c| c.is_ascii_alphanumeric(),
        "alpha" => |c| c.is_ascii_alphabetic(),
        "blank" => |c| matches!(c, ' ' | '\t'),
        "cntrl" => |c| c.is_ascii_control(),
        "digit" => |c| c.is_ascii_digit(),
        "graph" => |c| c.is_ascii_graphic(),
        "lower" => |c| c.is_ascii_lowercase(),
        "print" => |c| c.is_ascii_graphic() || c == ' ',
        "punct" => |c| c.is_ascii_punctuation(),
        "space" => |c| matches!(c, '\t'..='\r' | ' '),
        "upper" => |c| c.is_ascii_uppercase(),
        "xdigit" => |c| c.is_ascii_hexdigit(),
        "ascii" => |c| c.is_ascii(),
        "word" => |c| c.is_ascii_alphanumeric() || c == '_',
        _ => return None,
    })
}

/// What the standard library knows of the properties of Unicode.
fn beyond_ascii(name: &str) -> Option<Class> {
    Some(match name {
        "alnum" => |c| c.is_alphanumeric(),
        "alpha" | "l" | "letter" | "alphabetic" => |c| c.is_alphabetic(),
        "digit" | "nd" => |c| c.is_numeric(),
        "lower" | "ll" | "lowercase" => |c| c.is_lowercase(),
        "upper" | "lu" | "uppercase" => |c| c.is_uppercase(),
        "space" => |c| c.is_whitespace(),
        "word" => |c| c.is_alphanumeric() || c == '_',
        "cntrl" | "cc" => |c| c.is_control(),
        "ascii" => |c| c.is_ascii(),
        _ => return None,
    })
}
