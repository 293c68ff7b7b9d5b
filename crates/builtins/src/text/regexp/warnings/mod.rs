//! What Ruby warns of in patterns that it takes.
//!
//! A pattern is read once more, as Onigmo reads it after escapes of code points and comments were taken out. Nested repetitions
//! are looked at here, members of classes in `class`. Where a pattern has characters beyond ASCII or properties, classes are
//! known by their ASCII members, and those of POSIX brackets by what the standard library knows of them.
//!
//! # References
//! Onigmo `fetch_token`, `set_quantifier`, `onig_vsnprintf_with_pattern`.

mod class;
mod shown;
#[cfg(test)]
mod tests;

use super::{EXTENDED, translate};
use carat_text::encoding::EncodingIndex;

/// A warning about a pattern.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Warning {
    pub(crate) text: Box<str>,
    /// Only with `-w`.
    pub(crate) is_verbose: bool,
}

/// What to warn of in a pattern, in the order in which it stands there.
pub(super) fn warnings(source: &[u8], options: u8, encoding: EncodingIndex) -> Vec<Warning> {
    if !source.iter().any(|b| b"[]\\*+?{".contains(b)) {
        return Vec::new();
    }
    let text = shown::read(source, options & EXTENDED != 0, encoding);
    let mut reader = WarningReader {
        text: &text,
        at: 0,
        is_extended: options & EXTENDED != 0,
        is_unicode: encoding == EncodingIndex::UTF_8 && (!text.is_ascii() || has_property(&text)),
        has_unicode_shorthands: false,
        sequences: vec![Sequence::default()],
        has_duplicate: false,
        found: Vec::new(),
    };
    reader.pattern();
    let found = reader.found;
    let with_pattern = |(message, is_verbose): (String, bool)| {
        let text = shown::with_pattern(message, &text, encoding).into();
        Warning { text, is_verbose }
    };
    found.into_iter().map(with_pattern).collect()
}

fn has_property(text: &[u8]) -> bool {
    text.windows(3).any(|w| w == b"\\p{" || w == b"\\P{")
}

/// A repetition that has a name: `?`, `*`, `+` and their lazy forms.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Popular(usize);

const NAMES: [&str; 6] = ["?", "*", "+", "??", "*?", "+?"];

/// What a repetition of a repetition comes to.
#[derive(Clone, Copy)]
enum Reduced {
    /// The inner one.
    Inner,
    /// A third one, and how it is named.
    To(Popular, &'static str),
    /// Both stay.
    Both,
}

/// What a repetition of an inner one becomes. Onigmo: `ReduceTypeTable`.
fn reduce(inner: Popular, outer: Popular) -> Reduced {
    const ANY: Reduced = Reduced::To(Popular(1), "*");
    const LAZY_ANY: Reduced = Reduced::To(Popular(4), "*?");
    const LAZY_ONE: Reduced = Reduced::To(Popular(3), "??");
    const SOME_OR_NONE: Reduced = Reduced::To(Popular(3), "+ and ??");
    use Reduced::{Both, Inner};
    const TABLE: [[Reduced; 6]; 6] = [
        [Inner, ANY, ANY, LAZY_ONE, LAZY_ANY, Both],
        [Inner, Inner, Inner, SOME_OR_NONE, SOME_OR_NONE, Inner],
        [ANY, ANY, Inner, Both, SOME_OR_NONE, Inner],
        [Inner, LAZY_ANY, LAZY_ANY, Inner, LAZY_ANY, LAZY_ANY],
        [Inner, Inner, Inner, Inner, Inner, Inner],
        [Both, Both, Both, LAZY_ANY, LAZY_ANY, Inner],
    ];
    TABLE[inner.0][outer.0]
}

/// The parts of a group that were read.
#[derive(Clone, Copy, Default)]
struct Sequence {
    parts: usize,
    /// The repetition that the last part is.
    last: Option<Popular>,
    /// Whether a repetition of the whole repeats its only part: a group with neither options nor alternatives.
    is_plain: bool,
    was_extended: bool,
}

struct WarningReader<'a> {
    text: &'a [u8],
    at: usize,
    is_extended: bool,
    /// Whether the pattern is matched as characters of Unicode and not as those of ASCII.
    is_unicode: bool,
    /// `(?u)` is on.
    has_unicode_shorthands: bool,
    /// The groups that are open, around them the pattern.
    sequences: Vec<Sequence>,
    /// Of duplicates in classes is told once.
    has_duplicate: bool,
    found: Vec<(String, bool)>,
}

impl WarningReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn starts_with(&self, prefix: &[u8]) -> bool {
        self.text[self.at..].starts_with(prefix)
    }

    fn warn(&mut self, message: impl Into<String>) {
        self.found.push((message.into(), false));
    }

    fn warn_verbose(&mut self, message: impl Into<String>) {
        self.found.push((message.into(), true));
    }

    fn pattern(&mut self) {
        loop {
            let start = self.at;
            self.skip_blanks();
            let Some(byte) = self.peek() else { return };
            match byte {
                b'(' => self.open(),
                b')' => self.close(),
                b'|' => {
                    self.at += 1;
                    self.sequence().is_plain = false;
                    self.sequence().parts = 0;
                }
                b'[' => {
                    self.class();
                    self.part(None);
                }
                b'\\' => {
                    self.escape();
                    self.part(None);
                }
                _ => {
                    if byte == b']' && start > 0 {
                        self.warn("regular expression has ']' without escape");
                    }
                    self.at += 1;
                    self.part(None);
                }
            }
        }
    }

    /// White space of an extended pattern; its comments are gone.
    fn skip_blanks(&mut self) {
        while self.is_extended && self.peek().is_some_and(|b| b" \t\n\r\x0C".contains(&b)) {
            self.at += 1;
        }
    }

    fn sequence(&mut self) -> &mut Sequence {
        if self.sequences.is_empty() {
            self.sequences.push(Sequence::default());
        }
        let last = self.sequences.len() - 1;
        &mut self.sequences[last]
    }

    /// A part was read; its repetitions follow.
    fn part(&mut self, mut inner: Option<Popular>) {
        loop {
            let before = self.at;
            self.skip_blanks();
            let Some(repetition) = self.repetition() else {
                self.at = before;
                break;
            };
            inner = match repetition {
                Repetition::Once => inner,
                Repetition::Counted => None,
                Repetition::Popular(outer, is_possessive) => self.nested(inner, outer).filter(|_| !is_possessive),
            };
        }
        let sequence = self.sequence();
        sequence.parts += 1;
        sequence.last = inner;
    }

    /// Tells of a repetition of a repetition; what both come to.
    fn nested(&mut self, inner: Option<Popular>, outer: Popular) -> Option<Popular> {
        let Some(inner) = inner else { return Some(outer) };
        let (inner_name, outer_name) = (NAMES[inner.0], NAMES[outer.0]);
        match reduce(inner, outer) {
            Reduced::Both => Some(outer),
            Reduced::Inner => {
                self.warn(format!("regular expression has redundant nested repeat operator '{inner_name}'"));
                Some(inner)
            }
            Reduced::To(result, name) => {
                self.warn(format!(
                    "nested repeat operator '{inner_name}' and '{outer_name}' was replaced with '{name}' in regular expression"
                ));
                Some(result)
            }
        }
    }

    fn repetition(&mut self) -> Option<Repetition> {
        let (index, is_interval) = match self.peek()? {
            b'?' => (Some(0), false),
            b'*' => (Some(1), false),
            b'+' => (Some(2), false),
            b'{' => (self.interval()?, true),
            _ => return None,
        };
        if !is_interval {
            self.at += 1;
        }
        let Some(index) = index else { return Some(self.counted()) };
        let (is_lazy, is_possessive) = match self.peek() {
            Some(b'?') => (true, false),
            Some(b'+') if !is_interval => (false, true),
            _ => (false, false),
        };
        self.at += usize::from(is_lazy || is_possessive);
        Some(Repetition::Popular(Popular(index + if is_lazy { 3 } else { 0 }), is_possessive))
    }

    /// Reads `{n,m}`: which of the named repetitions it is, if any.
    fn interval(&mut self) -> Option<Option<usize>> {
        let rest = &self.text[self.at + 1..];
        let len = rest.iter().position(|b| *b == b'}')?;
        let (low, high) = translate::bounds(&rest[..len])?;
        let index = match (low.unwrap_or(0), high, rest[..len].contains(&b',')) {
            (0, Some(1), true) => Some(0),
            (0, None, true) => Some(1),
            (1, None, true) => Some(2),
            _ => None,
        };
        self.at += len + 2;
        Some(index)
    }

    /// Behind an interval that is none of the named repetitions: only one with a comma can be lazy.
    fn counted(&mut self) -> Repetition {
        let open = self.text[..self.at].iter().rposition(|b| *b == b'{').unwrap_or(0);
        let inside = &self.text[open + 1..self.at - 1];
        if inside.contains(&b',') && self.peek() == Some(b'?') {
            self.at += 1;
        }
        if inside == b"1" || inside == b"1,1" { Repetition::Once } else { Repetition::Counted }
    }

    fn open(&mut self) {
        let mut sequence = Sequence { was_extended: self.is_extended, ..Sequence::default() };
        self.at += 1;
        if self.starts_with(b"?:") {
            sequence.is_plain = true;
            self.at += 2;
        } else if self.starts_with(b"?<") && !self.starts_with(b"?<=") && !self.starts_with(b"?<!") {
            self.skip_past(b'>');
        } else if self.starts_with(b"?'") {
            self.at += 2;
            self.skip_past(b'\'');
        } else if self.starts_with(b"?(") {
            self.skip_past(b')');
        } else if self.starts_with(b"?") {
            self.at += 1;
            if self.options() {
                return;
            }
        }
        self.sequences.push(sequence);
    }

    fn skip_past(&mut self, end: u8) {
        let len = self.text[self.at..].iter().position(|b| *b == end).map_or(self.text.len() - self.at, |n| n + 1);
        self.at += len;
    }

    /// Behind `(?`: options, and whether they hold for the rest of the group around them, which is then no plain one.
    fn options(&mut self) -> bool {
        let mut is_on = true;
        while let Some(byte) = self.peek() {
            self.at += 1;
            match byte {
                b'-' => is_on = false,
                b'x' => self.is_extended = is_on,
                b'u' => self.has_unicode_shorthands = true,
                b'a' | b'd' => self.has_unicode_shorthands = false,
                b'i' | b'm' => {}
                b')' => {
                    self.sequence().is_plain = false;
                    return true;
                }
                b'<' => {
                    self.at += 1;
                    return false;
                }
                _ => return false,
            }
        }
        false
    }

    fn close(&mut self) {
        self.at += 1;
        let closed = self.sequences.pop().unwrap_or_default();
        self.is_extended = closed.was_extended;
        let is_repetition = closed.is_plain && closed.parts == 1;
        self.part(closed.last.filter(|_| is_repetition));
    }

    /// An escape outside of brackets.
    fn escape(&mut self) {
        self.at += 1;
        let Some(letter) = self.peek() else { return };
        self.at += 1;
        let next = self.peek();
        match (letter, next) {
            (b'k', Some(b'<' | b'\'')) | (b'g', Some(b'<' | b'\'')) => {
                self.at += 1;
                self.skip_past(if next == Some(b'<') { b'>' } else { b'\'' });
            }
            (b'k', Some(_)) => self.warn("invalid back reference"),
            (b'g', Some(_)) => self.warn("invalid subexp call"),
            (b'p' | b'P', _) => self.property(letter),
            (b'x', _) => self.at += self.text[self.at..].iter().take(2).take_while(|b| b.is_ascii_hexdigit()).count(),
            _ if letter.is_ascii_alphabetic() && !b"wWbBsSdDhHAZzGxuoQRXKaefnrtvcCMkg".contains(&letter) => {
                self.warn_verbose(unknown_escape(letter));
            }
            _ => {}
        }
    }

    /// Behind `\p` or `\P`.
    fn property(&mut self, letter: u8) {
        if self.peek() == Some(b'{') {
            self.skip_past(b'}');
        } else {
            self.warn(format!("invalid Unicode Property \\{}", char::from(letter)));
        }
    }
}

fn unknown_escape(letter: u8) -> String {
    format!("Unknown escape \\{} is ignored", char::from(letter))
}

enum Repetition {
    /// `{1}` is none.
    Once,
    Counted,
    /// And whether it is possessive.
    Popular(Popular, bool),
}
