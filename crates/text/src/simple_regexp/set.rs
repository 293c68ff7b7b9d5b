//! Sets of characters: which ones of ASCII, and which beyond.

use std::hash::{Hash, Hasher};
use std::sync::OnceLock;

/// The members beyond ASCII.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Foreign {
    /// Code points from and to, in order, with gaps between them.
    ranges: Box<[(u32, u32)]>,
    /// From here on only the engine has the tables.
    unknown_from: u32,
}

/// Where ASCII ends, and where Unicode does.
const FIRST_FOREIGN: u32 = 0x80;
const END: u32 = 0x11_0000;

impl Foreign {
    fn none() -> Foreign {
        Foreign::of_ranges(Vec::new(), END)
    }

    fn all() -> Foreign {
        Foreign::of_ranges(vec![(FIRST_FOREIGN, END - 1)], END)
    }

    pub(super) fn unknown() -> Foreign {
        Foreign::of_ranges(Vec::new(), FIRST_FOREIGN)
    }

    fn is_none(&self) -> bool {
        self.ranges.is_empty() && self.unknown_from == END
    }

    fn is_all(&self) -> bool {
        *self.ranges == [(FIRST_FOREIGN, END - 1)]
    }

    fn union(self, other: Foreign) -> Foreign {
        if self.is_all() || other.is_all() {
            return Foreign::all();
        }
        let ranges = self.ranges.iter().chain(other.ranges.iter()).copied().collect();
        Foreign::of_ranges(ranges, self.unknown_from.min(other.unknown_from))
    }

    fn negated(self) -> Foreign {
        let ends = self.ranges.iter().map(|(low, _)| low - 1).chain([self.unknown_from - 1]);
        let begins = [FIRST_FOREIGN].into_iter().chain(self.ranges.iter().map(|(_, high)| high + 1));
        Foreign::of_ranges(begins.zip(ends).collect(), self.unknown_from)
    }

    /// What lies in what is unknown is left out.
    fn of_ranges(mut ranges: Vec<(u32, u32)>, unknown_from: u32) -> Foreign {
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            let high = high.min(unknown_from - 1);
            match merged.last_mut() {
                Some((_, last)) if low <= *last + 1 => *last = high.max(*last),
                _ if low <= high => merged.push((low, high)),
                _ => {}
            }
        }
        Foreign { ranges: merged.into(), unknown_from }
    }

    /// Those of Latin, Greek and Cyrillic that a function tells.
    fn of_letters(is_member: impl Fn(char) -> bool) -> Foreign {
        let codes = (FIRST_FOREIGN..LETTERS_END).filter(|code| char::from_u32(*code).is_some_and(&is_member));
        Foreign::of_ranges(codes.map(|code| (code, code)).collect(), LETTERS_END)
    }

    fn membership(&self, code: u32) -> Membership {
        if code >= self.unknown_from {
            return Membership::Unknown;
        }
        let next = self.ranges.partition_point(|(_, high)| *high < code);
        let is_member = self.ranges.get(next).is_some_and(|(low, _)| *low <= code);
        if is_member { Membership::Yes } else { Membership::No }
    }
}

/// What the characters before this one are has settled.
const LETTERS_END: u32 = 0x530;

/// Whether a character of those is one of a word for `\b`, fractions and small figures among them; nothing for others.
pub(super) fn is_word_letter(code: u32) -> Option<bool> {
    let letter = char::from_u32(code).filter(|_| code < LETTERS_END)?;
    Some(letter.is_alphanumeric() || is_mark(letter))
}

/// Whether a character of those is written over or under another.
fn is_mark(letter: char) -> bool {
    matches!(letter, '\u{300}'..='\u{36F}' | '\u{483}'..='\u{489}')
}

/// The engine's Unicode has the pharyngeal fricative as a small letter still.
fn is_lower(letter: char) -> bool {
    letter.is_lowercase() || letter == '\u{295}'
}

/// The blanks of Unicode.
const BLANKS: &[(u32, u32)] =
    &[(0xA0, 0xA0), (0x1680, 0x1680), (0x2000, 0x200A), (0x202F, 0x202F), (0x205F, 0x205F), (0x3000, 0x3000)];

/// Whether a character is in a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Membership {
    Yes,
    No,
    Unknown,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Set {
    /// The members of ASCII; the bytes that those beyond are made of, if there may be any.
    pub(super) has: [bool; 256],
    foreign: Foreign,
    is_plain: bool,
}

impl Hash for Set {
    /// Eight members at a time; what is beyond ASCII seldom differs alone.
    fn hash<H: Hasher>(&self, state: &mut H) {
        for eight in self.has[..0x80].as_chunks::<8>().0 {
            state.write_u64(u64::from_le_bytes(eight.map(u8::from)));
        }
        state.write_usize(self.foreign.ranges.len());
    }
}

impl Set {
    pub(super) fn of(is_member: impl Fn(u8) -> bool) -> Set {
        let mut has = [false; 256];
        (0..0x80u8).for_each(|byte| has[usize::from(byte)] = is_member(byte));
        Set { has, foreign: Foreign::none(), is_plain: true }
    }

    pub(super) fn empty() -> Set {
        Set::of(|_| false)
    }

    /// Without any beyond ASCII.
    pub(super) fn in_ascii(self) -> Set {
        self.with_foreign(Foreign::none())
    }

    pub(super) fn with_foreign(mut self, foreign: Foreign) -> Set {
        self.has[0x80..].fill(!foreign.is_none());
        self.is_plain = foreign.is_none() || foreign.is_all();
        self.foreign = foreign;
        self
    }

    /// With the characters between two and those themselves.
    pub(super) fn with_range(mut self, low: u32, high: u32) -> Set {
        (low..=high.min(FIRST_FOREIGN - 1)).for_each(|byte| self.has[byte as usize] = true);
        if high < FIRST_FOREIGN {
            return self;
        }
        self.with_more(Foreign::of_ranges(vec![(low.max(FIRST_FOREIGN), high)], END))
    }

    fn with_ranges(self, some: &[(u32, u32)], more: &[(u32, u32)]) -> Set {
        self.with_more(Foreign::of_ranges(some.iter().chain(more).copied().collect(), END))
    }

    fn with_more(mut self, foreign: Foreign) -> Set {
        let own = std::mem::replace(&mut self.foreign, Foreign::none());
        self.with_foreign(own.union(foreign))
    }

    pub(super) fn union(mut self, other: Set) -> Set {
        self.has.iter_mut().zip(other.has.iter()).for_each(|(own, other)| *own |= other);
        self.with_more(other.foreign)
    }

    /// All other characters.
    pub(super) fn negated(mut self) -> Set {
        self.has.iter_mut().for_each(|has| *has = !*has);
        let own = std::mem::replace(&mut self.foreign, Foreign::none());
        self.with_foreign(own.negated())
    }

    pub(super) fn intersection(self, other: Set) -> Set {
        self.negated().union(other.negated()).negated()
    }

    /// With the other case of every letter of ASCII.
    pub(super) fn in_both_cases(mut self) -> Set {
        for capital in b'A'..=b'Z' {
            let has_either = self.contains(capital) || self.contains(capital | 0x20);
            self.has[usize::from(capital)] = has_either;
            self.has[usize::from(capital | 0x20)] = has_either;
        }
        self
    }

    /// The same of bytes, where those beyond ASCII are the characters with their numbers.
    pub(super) fn of_bytes(mut self) -> Set {
        for byte in 0x80..=0xFF {
            self.has[byte as usize] = self.foreign.membership(byte) == Membership::Yes;
        }
        (self.foreign, self.is_plain) = (Foreign::none(), true);
        self
    }

    pub(super) fn memsize(&self) -> usize {
        size_of::<Set>() + size_of_val(&*self.foreign.ranges)
    }

    /// Whether a byte may be of a member.
    #[inline]
    pub(super) fn contains(&self, byte: u8) -> bool {
        self.has[usize::from(byte)]
    }

    /// Whether the bytes tell: no character beyond ASCII differs from the others.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        self.is_plain
    }

    /// Whether the character beyond ASCII that some bytes begin with is a member.
    pub(super) fn has_foreign(&self, bytes: &[u8]) -> Membership {
        code_point(bytes).map_or(Membership::Unknown, |code| self.foreign.membership(code))
    }

    pub(super) fn meets(&self, other: &Set) -> bool {
        self.has.iter().zip(other.has.iter()).any(|(a, b)| *a && *b)
    }

    /// The small letter of ASCII that is the only member, in both cases.
    pub(super) fn letter(&self) -> Option<u8> {
        let capital = (b'A'..=b'Z').find(|capital| self.contains(*capital))?;
        let has_two = self.has.iter().filter(|has| **has).count() == 2;
        (has_two && self.contains(capital | 0x20)).then_some(capital | 0x20)
    }

    /// Whether all members of another set are members for certain.
    pub(super) fn covers(&self, other: &Set) -> bool {
        let bytes = (0..=0xFFu8).all(|byte| self.contains(byte) || !other.contains(byte));
        bytes && (self.foreign.is_all() || other.foreign.is_none())
    }

    /// What is behind a backslash.
    pub(super) fn of_shorthand(letter: u8) -> Option<Set> {
        Some(match letter {
            b'd' => Set::of(|b| b.is_ascii_digit()),
            b'w' => Set::of(|b| b.is_ascii_alphanumeric() || b == b'_'),
            b's' => Set::of(crate::ctype::is_space),
            b'h' => Set::of(|b| b.is_ascii_hexdigit()),
            b'D' | b'W' | b'S' | b'H' => Set::of_shorthand(letter.to_ascii_lowercase())?.negated(),
            _ => return None,
        })
    }

    /// What a POSIX bracket or a property names; nothing for names that are seldom used.
    pub(super) fn of_name(name: &[u8]) -> Option<Set> {
        let ascii = match name.to_ascii_lowercase().as_slice() {
            b"ascii" => return Some(Set::of(|_| true)),
            b"space" => {
                return Some(Set::of(crate::ctype::is_space).with_ranges(&[(0x85, 0x85), (0x2028, 0x2029)], BLANKS));
            }
            b"blank" => return Some(Set::of(|b| matches!(b, b' ' | b'\t')).with_ranges(&[], BLANKS)),
            b"alpha" => return Some(Set::of_letters(0, |b| b.is_ascii_alphabetic(), char::is_alphabetic)),
            b"alnum" => return Some(Set::of_letters(1, |b| b.is_ascii_alphanumeric(), char::is_alphabetic)),
            b"upper" => return Some(Set::of_letters(2, |b| b.is_ascii_uppercase(), char::is_uppercase)),
            b"lower" => return Some(Set::of_letters(3, |b| b.is_ascii_lowercase(), is_lower)),
            b"digit" | b"nd" => return Some(Set::of_letters(4, |b| b.is_ascii_digit(), |_| false)),
            b"word" => {
                let is_word = |b: u8| b.is_ascii_alphanumeric() || b == b'_';
                return Some(Set::of_letters(5, is_word, |c| c.is_alphabetic() || is_mark(c)));
            }
            b"l" | b"letter" => Set::of(|b| b.is_ascii_alphabetic()),
            b"n" => Set::of(|b| b.is_ascii_digit()),
            b"lu" => Set::of(|b| b.is_ascii_uppercase()),
            b"ll" => Set::of(|b| b.is_ascii_lowercase()),
            b"cntrl" => Set::of(|b| b.is_ascii_control()),
            b"xdigit" => Set::of(|b| b.is_ascii_hexdigit()),
            b"m" | b"mark" => Set::empty(),
            _ => return None,
        };
        Some(ascii.with_foreign(Foreign::unknown()))
    }

    /// The set of that number, made once: a thousand characters are asked.
    fn of_letters(number: usize, is_ascii_member: impl Fn(u8) -> bool, is_member: impl Fn(char) -> bool) -> Set {
        LETTERS[number].get_or_init(|| Set::of(is_ascii_member).with_foreign(Foreign::of_letters(is_member))).clone()
    }
}

/// What [`Set::of_letters`] made.
static LETTERS: [OnceLock<Set>; 6] = [const { OnceLock::new() }; 6];

/// The code point of the first character of valid UTF-8.
pub(super) fn code_point(bytes: &[u8]) -> Option<u32> {
    let trail = |index: usize| bytes.get(index).map(|byte| u32::from(byte & 0x3F));
    let head = u32::from(*bytes.first()?);
    Some(match head {
        ..0x80 => head,
        0x80..0xE0 => (head & 0x1F) << 6 | trail(1)?,
        0xE0..0xF0 => (head & 0x0F) << 12 | trail(1)? << 6 | trail(2)?,
        _ => (head & 0x07) << 18 | trail(1)? << 12 | trail(2)? << 6 | trail(3)?,
    })
}
