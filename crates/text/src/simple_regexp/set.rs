//! Sets of characters: which ones of ASCII, and whether those beyond.

/// Of a character of several bytes all are members, or none.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Set {
    pub(super) has: Box<[bool; 256]>,
}

impl Set {
    pub(super) fn of(is_member: impl Fn(u8) -> bool) -> Set {
        let mut has = Box::new([false; 256]);
        (0..0x80u8).for_each(|byte| has[usize::from(byte)] = is_member(byte));
        Set { has }
    }

    pub(super) fn empty() -> Set {
        Set::of(|_| false)
    }

    pub(super) fn insert(&mut self, byte: u8) {
        self.has[usize::from(byte)] = true;
    }

    pub(super) fn add(&mut self, other: &Set) {
        self.has.iter_mut().zip(other.has.iter()).for_each(|(own, other)| *own |= other);
    }

    /// All other characters, those beyond ASCII included or not.
    pub(super) fn negated(mut self) -> Set {
        self.has.iter_mut().for_each(|has| *has = !*has);
        self
    }

    /// With the other case of every letter.
    pub(super) fn in_both_cases(self) -> Set {
        Set::of(|byte| self.contains(byte) || (byte.is_ascii_alphabetic() && self.contains(byte ^ 0x20)))
    }

    pub(super) fn contains(&self, byte: u8) -> bool {
        self.has[usize::from(byte)]
    }

    pub(super) fn has_beyond_ascii(&self) -> bool {
        self.has[0x80]
    }

    pub(super) fn meets(&self, other: &Set) -> bool {
        self.has.iter().zip(other.has.iter()).any(|(a, b)| *a && *b)
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

    /// The characters of ASCII that a POSIX bracket or a property names; nothing for names that are seldom used.
    pub(super) fn of_name(name: &[u8]) -> Option<Set> {
        Some(match name.to_ascii_lowercase().as_slice() {
            b"alpha" | b"l" | b"letter" => Set::of(|b| b.is_ascii_alphabetic()),
            b"digit" | b"n" | b"nd" => Set::of(|b| b.is_ascii_digit()),
            b"alnum" => Set::of(|b| b.is_ascii_alphanumeric()),
            b"upper" | b"lu" => Set::of(|b| b.is_ascii_uppercase()),
            b"lower" | b"ll" => Set::of(|b| b.is_ascii_lowercase()),
            b"space" => Set::of(crate::ctype::is_space),
            b"xdigit" => Set::of(|b| b.is_ascii_hexdigit()),
            b"word" => Set::of_shorthand(b'w')?,
            _ => return None,
        })
    }
}
