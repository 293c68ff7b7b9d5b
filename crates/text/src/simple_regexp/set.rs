//! Sets of characters: which ones of ASCII, and which beyond.

/// The members beyond ASCII.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Foreign {
    None,
    All,
    /// Code points from and to, in order, without gaps of no width.
    Ranges(Box<[(u32, u32)]>),
    /// Only the engine has the tables.
    Unknown,
}

/// Where ASCII ends.
const FIRST_FOREIGN: u32 = 0x80;
const LAST: u32 = 0x10_FFFF;

impl Foreign {
    fn union(self, other: Foreign) -> Foreign {
        match (self, other) {
            (Foreign::All, _) | (_, Foreign::All) => Foreign::All,
            (Foreign::Unknown, _) | (_, Foreign::Unknown) => Foreign::Unknown,
            (Foreign::None, one) | (one, Foreign::None) => one,
            (Foreign::Ranges(a), Foreign::Ranges(b)) => Foreign::of_ranges(a.iter().chain(b.iter()).copied().collect()),
        }
    }

    fn negated(self) -> Foreign {
        match self {
            Foreign::None => Foreign::All,
            Foreign::All => Foreign::None,
            Foreign::Unknown => Foreign::Unknown,
            Foreign::Ranges(ranges) => Foreign::of_ranges(gaps(&ranges)),
        }
    }

    fn of_ranges(mut ranges: Vec<(u32, u32)>) -> Foreign {
        ranges.sort_unstable();
        let mut merged: Vec<(u32, u32)> = Vec::with_capacity(ranges.len());
        for (low, high) in ranges {
            match merged.last_mut() {
                Some((_, last)) if low <= *last + 1 => *last = high.max(*last),
                _ => merged.push((low, high)),
            }
        }
        match merged.as_slice() {
            [] => Foreign::None,
            [(FIRST_FOREIGN, LAST)] => Foreign::All,
            _ => Foreign::Ranges(merged.into()),
        }
    }
}

fn gaps(ranges: &[(u32, u32)]) -> Vec<(u32, u32)> {
    let ends = ranges.iter().map(|(low, _)| low - 1).chain([LAST]);
    let begins = [FIRST_FOREIGN].into_iter().chain(ranges.iter().map(|(_, high)| high + 1));
    begins.zip(ends).filter(|(low, high)| low <= high).collect()
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
    pub(super) has: Box<[bool; 256]>,
    foreign: Foreign,
}

impl Set {
    pub(super) fn of(is_member: impl Fn(u8) -> bool) -> Set {
        let mut has = Box::new([false; 256]);
        (0..0x80u8).for_each(|byte| has[usize::from(byte)] = is_member(byte));
        Set { has, foreign: Foreign::None }
    }

    pub(super) fn empty() -> Set {
        Set::of(|_| false)
    }

    pub(super) fn with_foreign(mut self, foreign: Foreign) -> Set {
        let has_foreign = foreign != Foreign::None;
        self.has[0x80..].fill(has_foreign);
        self.foreign = foreign;
        self
    }

    /// With the characters between two and those themselves.
    pub(super) fn with_range(mut self, low: u32, high: u32) -> Set {
        (low..=high.min(FIRST_FOREIGN - 1)).for_each(|byte| self.has[byte as usize] = true);
        if high < FIRST_FOREIGN {
            return self;
        }
        self.with_more(Foreign::of_ranges(vec![(low.max(FIRST_FOREIGN), high)]))
    }

    fn with_ranges(self, some: &[(u32, u32)], more: &[(u32, u32)]) -> Set {
        self.with_more(Foreign::of_ranges(some.iter().chain(more).copied().collect()))
    }

    fn with_more(mut self, foreign: Foreign) -> Set {
        let own = std::mem::replace(&mut self.foreign, Foreign::None);
        self.with_foreign(own.union(foreign))
    }

    pub(super) fn union(mut self, other: Set) -> Set {
        self.has.iter_mut().zip(other.has.iter()).for_each(|(own, other)| *own |= other);
        self.with_more(other.foreign)
    }

    /// All other characters.
    pub(super) fn negated(mut self) -> Set {
        self.has.iter_mut().for_each(|has| *has = !*has);
        let own = std::mem::replace(&mut self.foreign, Foreign::None);
        self.with_foreign(own.negated())
    }

    pub(super) fn intersection(self, other: Set) -> Set {
        self.negated().union(other.negated()).negated()
    }

    /// With the other case of every letter of ASCII.
    pub(super) fn in_both_cases(self) -> Set {
        let other_case = |byte: u8| byte.is_ascii_alphabetic() && self.contains(byte ^ 0x20);
        let ascii = Set::of(|byte| self.contains(byte) || other_case(byte));
        ascii.with_foreign(self.foreign)
    }

    /// Whether a byte may be of a member.
    #[inline]
    pub(super) fn contains(&self, byte: u8) -> bool {
        self.has[usize::from(byte)]
    }

    /// Whether the bytes tell: no character beyond ASCII differs from the others.
    #[inline]
    pub(super) fn is_plain(&self) -> bool {
        matches!(self.foreign, Foreign::None | Foreign::All)
    }

    /// Whether the character beyond ASCII that some bytes begin with is a member.
    pub(super) fn has_foreign(&self, bytes: &[u8]) -> Membership {
        let is_member = match &self.foreign {
            Foreign::None => false,
            Foreign::All => true,
            Foreign::Unknown => return Membership::Unknown,
            Foreign::Ranges(ranges) => match code_point(bytes) {
                Some(code) => ranges.iter().any(|(low, high)| (*low..=*high).contains(&code)),
                None => return Membership::Unknown,
            },
        };
        if is_member { Membership::Yes } else { Membership::No }
    }

    pub(super) fn meets(&self, other: &Set) -> bool {
        self.has.iter().zip(other.has.iter()).any(|(a, b)| *a && *b)
    }

    /// Whether all members of another set are members for certain.
    pub(super) fn covers(&self, other: &Set) -> bool {
        let ascii = (0..0x80u8).all(|byte| self.contains(byte) || !other.contains(byte));
        ascii && (self.foreign == Foreign::All || other.foreign == Foreign::None)
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
            b"alpha" | b"l" | b"letter" => Set::of(|b| b.is_ascii_alphabetic()),
            b"digit" | b"n" | b"nd" => Set::of(|b| b.is_ascii_digit()),
            b"alnum" => Set::of(|b| b.is_ascii_alphanumeric()),
            b"upper" | b"lu" => Set::of(|b| b.is_ascii_uppercase()),
            b"lower" | b"ll" => Set::of(|b| b.is_ascii_lowercase()),
            b"space" => {
                return Some(Set::of(crate::ctype::is_space).with_ranges(&[(0x85, 0x85), (0x2028, 0x2029)], BLANKS));
            }
            b"blank" => return Some(Set::of(|b| matches!(b, b' ' | b'\t')).with_ranges(&[], BLANKS)),
            b"cntrl" => Set::of(|b| b.is_ascii_control()),
            b"xdigit" => Set::of(|b| b.is_ascii_hexdigit()),
            b"word" => Set::of_shorthand(b'w')?,
            b"m" | b"mark" => Set::empty(),
            _ => return None,
        };
        Some(ascii.with_foreign(Foreign::Unknown))
    }
}

/// The code point of the first character of valid UTF-8.
fn code_point(bytes: &[u8]) -> Option<u32> {
    let trail = |index: usize| bytes.get(index).map(|byte| u32::from(byte & 0x3F));
    let head = u32::from(*bytes.first()?);
    Some(match head {
        ..0x80 => head,
        0x80..0xE0 => (head & 0x1F) << 6 | trail(1)?,
        0xE0..0xF0 => (head & 0x0F) << 12 | trail(1)? << 6 | trail(2)?,
        _ => (head & 0x07) << 18 | trail(1)? << 12 | trail(2)? << 6 | trail(3)?,
    })
}
