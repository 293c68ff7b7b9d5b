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
}

/// What `tr` makes of each ASCII character; the set of those that it names.
pub struct AsciiTranslation {
    named: AsciiSet,
    table: [u8; 128],
}

impl AsciiTranslation {
    /// `None` if a set has other characters, an escape or a range that runs backwards, if `to` is empty, or if `from` is negated.
    pub fn parse(from: &[u8], to: &[u8]) -> Option<AsciiTranslation> {
        if is_negated(from) {
            return None;
        }
        let (mut replacements, mut count) = ([0; 128], 0);
        expand(to, |byte| {
            // Characters may come more than once.
            if let Some(place) = replacements.get_mut(count) {
                *place = byte;
            }
            count += 1;
        })?;
        let last = *replacements.get(count.checked_sub(1)?)?;
        let mut translation = AsciiTranslation { named: AsciiSet(0), table: [0; 128] };
        let mut number = 0;
        expand(from, |byte| {
            translation.named.0 |= 1 << byte;
            translation.table[usize::from(byte)] = if number < count { replacements[number] } else { last };
            number += 1;
        })?;
        Some(translation)
    }

    /// Translates ASCII; whether a character was named.
    pub fn apply(&self, text: &[u8], out: &mut Vec<u8>) -> bool {
        let mut is_named = false;
        out.extend(text.iter().map(|byte| {
            let named = self.named.has(*byte);
            is_named |= named;
            if named { self.table[usize::from(*byte)] } else { *byte }
        }));
        is_named
    }
}
