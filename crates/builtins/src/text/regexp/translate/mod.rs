//! From Ruby's pattern syntax to the engine's.
//!
//! Ruby's patterns are written for Onigmo. The engine here is Oniguruma with its Ruby syntax, which agrees on most things;
//! what differs is rewritten while the pattern is read once from left to right:
//!
//! * `\w \d \s \h` and their opposites are ASCII unless `(?u)` is on, and `\b` and POSIX brackets are Unicode unless `(?a)` is:
//!   the engine knows them as Unicode only, so that they become bracket expressions. `(?a)`, `(?d)` and `(?u)` vanish.
//! * Escapes of bytes and code points (`\xHH`, `\ooo`, `\cX`, `\M-X`, `\uXXXX`, `\u{…}`) become the characters they mean.
//! * Escaped letters that mean nothing in Ruby (`\N`, `\O`, `\y`, `\Q`) become the letters.
//! * `(?~…)` ends before the end of an occurrence, the engine's where one begins. `(?~|…)` is one over alternatives and not one
//!   of the engine's other absent functions. `(*` begins no callout.
//! * `{2,1}` is an error and not a possessive interval. `[[:punct:]]` has the symbols of ASCII and no others, `\p{Word}` what
//!   joins characters.
//! * Repetitions of variable length in a look-behind are errors; the engine shortens some of them. So is a third alternative
//!   of a conditional.
//! * Comments are dropped. Names of groups may hold any character: those that the engine refuses are spelt in hexadecimal.
//!
//! * Encodings that are not Unicode's have classes of their own, which the engine knows. In them `\s` is what `[[:space:]]` is, and `(?a)`
//!   takes characters out of `[[:graph:]]`, `[[:print:]]` and `[[:word:]]` only. Most do not keep characters of several bytes out of the opposites
//!   of these three. The scripts that Japanese ones have as properties are written as ranges.
//!
//! The engine lacks properties by age (`\p{Age=6.0}`) and of clusters (`\p{Grapheme_Cluster_Break=Extend}`). For its `\b` the
//! characters that join others are no word characters, so that text which may have them gets a `\b` of look-arounds.
//!
//! What is found on the way is what the engine does not tell: group names in order, whether matching takes linear time, whether
//! the pattern demands an encoding.
//!
//! # Code map
//! `groups`, `escapes`, `properties`, `characters`, `brackets`: what begins with a parenthesis, a backslash, or a bracket.
//! `parts`: what can be said of a part of an interpolated pattern.
//!
//! # References
//! CRuby `unescape_nonascii`, `read_escaped_byte`; Onigmo `doc/RE`.

mod brackets;
mod characters;
mod escapes;
mod groups;
mod parts;
mod properties;
#[cfg(test)]
mod tests;

pub(crate) use parts::part_encoding;

use super::{EXTENDED, IGNORE_CASE};
use carat_oniguruma::Engine;
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
    /// Looks for where words of Unicode begin or end (`\b`, `\B`).
    pub(crate) has_boundary: bool,
}

/// How a pattern is written for the engine.
#[derive(Clone, Copy, Default)]
pub(crate) struct Spelling {
    /// Assertions become atomic groups: the engine repeats those (`^?`, `(?=a)*`), but no bare assertion.
    pub(crate) wraps_assertions: bool,
    /// `\b` counts the characters that join others among those of words.
    pub(crate) joins_words: bool,
    /// The engine that the pattern is for, if that is known: some have classes of their own.
    pub(crate) engine: Option<Engine>,
}

impl Spelling {
    fn has_own_classes(self) -> bool {
        self.engine.is_some_and(Engine::has_own_classes)
    }
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
struct GroupOptions {
    is_extended: bool,
    ignores_case: bool,
    range: Range,
    /// Inside of a look-behind, where everything has a fixed length.
    is_looking_back: bool,
}

/// A group that is open: what holds again behind it, and how many parentheses close it.
struct Group {
    outside: GroupOptions,
    closing: u8,
    /// Alternatives of a conditional so far.
    conditional: Option<u8>,
    /// Where the translation of what an absent operator keeps out begins.
    absent: Option<usize>,
}

struct Translator<'a> {
    source: &'a [u8],
    at: usize,
    encoding: EncodingIndex,
    state: GroupOptions,
    groups: Vec<Group>,
    has_property: bool,
    /// Named groups so far.
    named: u32,
    /// Where the translation behind the last plain parenthesis begins.
    opened_at: usize,
    /// Absent operators so far that are written with callouts.
    absents: u32,
    spelling: Spelling,
    out: Translation,
}

/// Translates a pattern in the given encoding; the message of a `RegexpError` if it is wrong.
pub(crate) fn translate(source: &[u8], options: u8, encoding: EncodingIndex) -> Result<Translation, String> {
    translate_with(source, options, encoding, Spelling::default())
}

/// As [`translate`], in another spelling.
pub(crate) fn translate_with(
    source: &[u8],
    options: u8,
    encoding: EncodingIndex,
    spelling: Spelling,
) -> Result<Translation, String> {
    let mut t = Translator::new(source, options, encoding, spelling);
    while t.at < source.len() {
        t.element()?;
        check_depth(t.groups.len())?;
    }
    if t.has_property && t.out.fixed.is_none() {
        t.out.fixed = Some(encoding);
    }
    Ok(t.out)
}

/// Groups and bracket expressions in each other: Onigmo reads fewer than 4,096.
fn check_depth(depth: usize) -> Parsed {
    if depth < 4096 { Ok(()) } else { Err("parse depth limit over".into()) }
}

impl<'a> Translator<'a> {
    fn new(source: &'a [u8], options: u8, encoding: EncodingIndex, spelling: Spelling) -> Translator<'a> {
        let state = GroupOptions {
            is_extended: options & EXTENDED != 0,
            ignores_case: options & IGNORE_CASE != 0,
            range: Range::Default,
            is_looking_back: false,
        };
        let out = Translation { text: Vec::with_capacity(source.len() + 16), ..Translation::default() };
        Translator {
            source,
            at: 0,
            encoding,
            state,
            groups: Vec::new(),
            has_property: false,
            named: 0,
            opened_at: 0,
            absents: 0,
            spelling,
            out,
        }
    }

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
            b'*' if self.opened_at == self.out.text.len() => Err("target of repeat operator is not specified".into()),
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
        self.emit(if self.spelling.wraps_assertions { b"(?>" } else { b"" });
        self.emit_from(len);
        self.emit(if self.spelling.wraps_assertions { b")" } else { b"" });
    }

    /// Opens a look-around of `len` bytes.
    fn look_around(&mut self, len: usize) {
        self.emit(if self.spelling.wraps_assertions { b"(?>" } else { b"" });
        self.emit_from(len);
        self.push(if self.spelling.wraps_assertions { 2 } else { 1 });
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
}

/// The bounds of an interval; `None` if it is none and stands for itself.
pub(super) fn bounds(inside: &[u8]) -> Option<(Option<u32>, Option<u32>)> {
    let inside = std::str::from_utf8(inside).ok()?;
    let (low, high) = inside.split_once(',').unwrap_or((inside, inside));
    let number = |text: &str| if text.is_empty() { Some(None) } else { text.parse::<u32>().ok().map(Some) };
    let (low, high) = (number(low)?, number(high)?);
    (low.is_some() || high.is_some()).then_some((low, high))
}
