//! Sets of ASCII characters without an escape, for texts of ASCII: no character has to be read as such.

/// Hands on every character of a set in order. `None`, after some of them, if the set has to be read as all others.
fn expand(set: &[u8], mut each: impl FnMut(u8)) -> Option<()> {
    let plain = |byte: u8| (byte.is_ascii() && byte != b'\\').then_some(byte);
    let mut at = 0;
    while at < set.len() {
        let first = plain(set[at])?;
        match set.get(at + 1..at + 3) {
            Some([b'-', last]) => {
                let last = plain(*last).filter(|last| first <= *last)?;
                (first..=last).for_each(&mut each);
                at += 3;
            }
            _ => {
                each(first);
                at += 1;
            }
        }
    }
    Some(())
}

fn is_negated(set: &[u8]) -> bool {
    set.len() > 1 && set[0] == b'^'
}

/// A set of ASCII characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AsciiSet(u128);

impl AsciiSet {
    /// `None` if the set has other characters, an escape or a range that runs backwards.
    pub fn parse(set: &[u8]) -> Option<AsciiSet> {
        let is_negated = is_negated(set);
        let mut members = 0;
        expand(&set[usize::from(is_negated)..], |byte| members |= 1 << byte)?;
        Some(AsciiSet(if is_negated { !members } else { members }))
    }

    /// Whether the set has a character, which must be one of ASCII.
    #[inline]
    pub fn has(self, byte: u8) -> bool {
        self.0 >> byte & 1 != 0
    }

    /// How many characters of a text of ASCII the set has.
    pub fn count(self, text: &[u8]) -> usize {
        /// From so many bytes on a table pays.
        const LONG: usize = 128;
        if text.len() < LONG {
            return text.iter().filter(|byte| self.has(**byte)).count();
        }
        let counts = self.table();
        text.iter().map(|byte| usize::from(counts[usize::from(*byte)])).sum()
    }

    /// 1 for each byte that the set has.
    fn table(self) -> [u8; 256] {
        std::array::from_fn(|byte| u8::from(byte < 128 && self.has(byte as u8)))
    }
}

/// What `tr` makes of each byte, ASCII or not; the set of those that it names.
pub struct AsciiTranslation {
    named: AsciiSet,
    table: [u8; 256],
}

impl AsciiTranslation {
    /// `None` if a set has other characters, an escape or a range that runs backwards, or if `to` is empty.
    pub fn parse(from: &[u8], to: &[u8]) -> Option<AsciiTranslation> {
        let (mut replacements, mut count) = ([0; 128], 0);
        expand(to, |byte| {
            // Characters may come more than once.
            if let Some(place) = replacements.get_mut(count) {
                *place = byte;
            }
            count += 1;
        })?;
        let last = *replacements.get(count.checked_sub(1)?)?;
        let mut translation = AsciiTranslation { named: AsciiSet(0), table: std::array::from_fn(|byte| byte as u8) };
        if is_negated(from) {
            translation.named = AsciiSet::parse(from)?;
            (0..128)
                .filter(|byte| translation.named.has(*byte))
                .for_each(|byte| translation.table[usize::from(byte)] = last);
            return Some(translation);
        }
        let mut number = 0;
        expand(from, |byte| {
            translation.named.0 |= 1 << byte;
            translation.table[usize::from(byte)] = if number < count { replacements[number] } else { last };
            number += 1;
        })?;
        Some(translation)
    }

    /// Translates ASCII; whether a character was named. Otherwise nothing is appended.
    pub fn apply(&self, text: &[u8], out: &mut Vec<u8>) -> bool {
        let is_named = text.iter().any(|byte| self.named.has(*byte));
        if is_named {
            out.extend(text.iter().map(|byte| self.table[usize::from(*byte)]));
        }
        is_named
    }
}
