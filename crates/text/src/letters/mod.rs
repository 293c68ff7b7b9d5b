//! Classes and cases of the bytes of single-byte encodings, as regular expressions see them.
//!
//! CRuby has a table for each of these encodings. They are made here from Unicode's properties of what the bytes mean, and from a
//! list of [`exceptions`]: tables that were written by hand for other versions of Unicode, and with mistakes, which programs see.
//! Encodings that CRuby has no table for have the classes and letters of ASCII alone.
//!
//! # References
//! CRuby `enc/iso_8859_*.c`, `enc/koi8_*.c`, `enc/windows_125*.c`: which encodings have tables, and which share one.

mod exceptions;
#[cfg(test)]
mod tests;

use crate::encoding::EncodingIndex;
use crate::pages;
use exceptions::EXCEPTIONS;
use std::sync::OnceLock;
use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Classes of characters, numbered as Oniguruma numbers them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Class {
    Newline,
    Alpha,
    Blank,
    Cntrl,
    Digit,
    Graph,
    Lower,
    Print,
    Punct,
    Space,
    Upper,
    XDigit,
    Word,
    Alnum,
    Ascii,
}

impl Class {
    const fn bit(self) -> u16 {
        1 << self as u16
    }

    /// By its name in a bracket of POSIX.
    fn of_name(name: &str) -> Option<Class> {
        Some(match name {
            "alpha" => Class::Alpha,
            "blank" => Class::Blank,
            "cntrl" => Class::Cntrl,
            "digit" => Class::Digit,
            "graph" => Class::Graph,
            "lower" => Class::Lower,
            "print" => Class::Print,
            "punct" => Class::Punct,
            "space" => Class::Space,
            "upper" => Class::Upper,
            "word" => Class::Word,
            "alnum" => Class::Alnum,
            _ => return None,
        })
    }
}

/// A letter in two cases: what folds, or what is in sets together. The two differ in few letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Pair {
    pub small: u8,
    pub capital: u8,
}

/// What is known of the bytes of an encoding.
pub struct Letters {
    /// A bit for each class.
    classes: [u16; 256],
    folded: [u8; 256],
    pairs: Vec<Pair>,
    has_sharp_s: bool,
}

/// The encodings that have tables of their own.
pub const FAMILIES: [EncodingIndex; 22] = [
    EncodingIndex::ISO_8859_1,
    EncodingIndex::ISO_8859_2,
    EncodingIndex::ISO_8859_3,
    EncodingIndex::ISO_8859_4,
    EncodingIndex::ISO_8859_5,
    EncodingIndex::ISO_8859_6,
    EncodingIndex::ISO_8859_7,
    EncodingIndex::ISO_8859_8,
    EncodingIndex::ISO_8859_9,
    EncodingIndex::ISO_8859_10,
    EncodingIndex::ISO_8859_11,
    EncodingIndex::ISO_8859_13,
    EncodingIndex::ISO_8859_14,
    EncodingIndex::ISO_8859_15,
    EncodingIndex::ISO_8859_16,
    EncodingIndex::KOI8_R,
    EncodingIndex::KOI8_U,
    EncodingIndex::WINDOWS_1250,
    EncodingIndex::WINDOWS_1251,
    EncodingIndex::WINDOWS_1252,
    EncodingIndex::WINDOWS_1253,
    EncodingIndex::WINDOWS_1254,
];

/// The place in [`FAMILIES`] of the encoding whose table an encoding has; `None` for those that have ASCII's.
pub fn family(encoding: EncodingIndex) -> Option<usize> {
    let owner = match encoding {
        EncodingIndex::WINDOWS_1255 => EncodingIndex::ISO_8859_8,
        EncodingIndex::WINDOWS_1256 => EncodingIndex::ISO_8859_6,
        EncodingIndex::WINDOWS_1257 => EncodingIndex::ISO_8859_13,
        EncodingIndex::TIS_620 | EncodingIndex::WINDOWS_874 => EncodingIndex::ISO_8859_11,
        own => own,
    };
    FAMILIES.iter().position(|family| *family == owner)
}

/// The table of a family.
pub fn of_family(family: usize) -> &'static Letters {
    static TABLES: [OnceLock<Letters>; FAMILIES.len()] = [const { OnceLock::new() }; FAMILIES.len()];
    TABLES[family].get_or_init(|| Letters::new(FAMILIES[family]))
}

impl Letters {
    fn new(encoding: EncodingIndex) -> Letters {
        let mut letters = Letters {
            classes: [0; 256],
            folded: std::array::from_fn(|byte| byte as u8),
            pairs: Vec::new(),
            has_sharp_s: false,
        };
        let exceptions = Exceptions::of(encoding);
        let meaning = |byte: u8| match pages::of(encoding) {
            Some(page) => pages::decode(page, byte),
            None => Some(char::from(byte)),
        };
        for byte in 0..=0xFF {
            letters.classes[usize::from(byte)] = classes(byte, meaning(byte), &exceptions);
            let small = meaning(byte).and_then(small).and_then(|small| (0..=0xFF).find(|b| meaning(*b) == Some(small)));
            letters.pairs.extend(small.map(|small| Pair { small, capital: byte }));
        }
        letters.add_cases(&exceptions);
        letters
    }

    /// What folds to what, and which pairs there are.
    fn add_cases(&mut self, exceptions: &Exceptions) {
        for &Pair { small, capital } in &self.pairs {
            self.folded[usize::from(capital)] = small;
        }
        for &(what, is_added, pair) in &exceptions.cases {
            match (what, is_added) {
                ("pair", true) => self.pairs.push(pair),
                ("pair", false) => self.pairs.retain(|known| *known != pair),
                (_, is_added) => {
                    self.folded[usize::from(pair.capital)] = if is_added { pair.small } else { pair.capital };
                }
            }
        }
        self.has_sharp_s = exceptions.has_sharp_s;
    }

    /// Whether a byte is in a class that has the number; none of a number that is no class's.
    pub fn is_in(&self, byte: u8, class: u32) -> bool {
        class <= Class::Ascii as u32 && self.classes[usize::from(byte)] & 1 << class != 0
    }

    /// What a byte becomes where case does not matter.
    pub fn fold(&self, byte: u8) -> u8 {
        self.folded[usize::from(byte)]
    }

    /// The letters in two cases that sets have both of if they have one, those of ASCII first.
    pub fn pairs(&self) -> &[Pair] {
        &self.pairs
    }

    /// The bytes that become the same as a byte where case does not matter, without the byte itself.
    pub fn others(&self, byte: u8) -> impl Iterator<Item = u8> {
        (0..=0xFF).filter(move |other| *other != byte && self.fold(*other) == self.fold(byte))
    }

    /// The byte that is two letters `s`.
    pub fn sharp_s(&self) -> Option<u8> {
        self.has_sharp_s.then_some(0xDF)
    }
}

/// The small letter of a character, if it is one character.
fn small(c: char) -> Option<char> {
    let mut lower = c.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(small), None) if small != c => Some(small),
        _ => None,
    }
}

/// The classes of a byte: each by its rule, then by the exceptions, which the rules of later ones go by.
fn classes(byte: u8, meaning: Option<char>, exceptions: &Exceptions) -> u16 {
    use Class::{Alnum, Alpha, Ascii, Blank, Cntrl, Digit, Graph, Lower, Print, Punct, Space, Upper, Word, XDigit};
    let mut found = Found { byte, bits: 0, exceptions };
    if let Some(c) = meaning.filter(char::is_ascii) {
        ascii_classes(c, &mut found);
        return found.bits;
    }
    let is = |test: fn(char) -> bool| meaning.is_some_and(test);
    if found.add(Cntrl, is(char::is_control)) {
        return found.bits;
    }
    found.add(Alpha, is(is_letter));
    found.add(Upper, is(char::is_uppercase));
    found.add(Lower, is(|c| c.is_lowercase() && c != YPOGEGRAMMENI));
    found.add(Punct, is(is_punctuation));
    let is_blank = is(|c| c.general_category() == GeneralCategory::SpaceSeparator);
    let graph = found.add(Graph, is(is_graphic));
    found.add(Print, graph || is_blank);
    let blank = found.add(Blank, is_blank);
    found.add(Space, blank);
    let alpha = found.has(Alpha);
    found.add(Word, alpha || is(is_number_or_connector));
    found.add(Alnum, alpha);
    debug_assert!(!found.has(Digit) && !found.has(XDigit) && !found.has(Ascii), "beyond ASCII no byte is a digit");
    found.bits
}

fn ascii_classes(c: char, found: &mut Found<'_>) {
    found.add(Class::Ascii, true);
    found.add(Class::Newline, c == '\n');
    found.add(Class::Alpha, c.is_ascii_alphabetic());
    found.add(Class::Blank, matches!(c, ' ' | '\t'));
    found.add(Class::Cntrl, c.is_ascii_control());
    found.add(Class::Digit, c.is_ascii_digit());
    found.add(Class::Graph, c.is_ascii_graphic());
    found.add(Class::Lower, c.is_ascii_lowercase());
    found.add(Class::Print, c.is_ascii_graphic() || c == ' ');
    found.add(Class::Punct, c.is_ascii_punctuation());
    found.add(Class::Space, matches!(c, '\t'..='\r' | ' '));
    found.add(Class::Upper, c.is_ascii_uppercase());
    found.add(Class::XDigit, c.is_ascii_hexdigit());
    found.add(Class::Word, c.is_ascii_alphanumeric() || c == '_');
    found.add(Class::Alnum, c.is_ascii_alphanumeric());
}

/// The classes of a byte so far.
struct Found<'a> {
    byte: u8,
    bits: u16,
    exceptions: &'a Exceptions,
}

impl Found<'_> {
    fn has(&self, class: Class) -> bool {
        self.bits & class.bit() != 0
    }

    /// Adds a class that the byte has by the rule, unless the exceptions say otherwise. Whether it has it.
    fn add(&mut self, class: Class, by_rule: bool) -> bool {
        let has = self.exceptions.of_class(class, self.byte).unwrap_or(by_rule);
        self.bits |= if has { class.bit() } else { 0 };
        has
    }
}

/// The iota that stands beneath a letter, by itself.
const YPOGEGRAMMENI: char = '\u{37A}';

fn is_letter(c: char) -> bool {
    let is_kept = !matches!(c, '\u{2B0}'..='\u{2FF}' | YPOGEGRAMMENI);
    is_kept && matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Mark)
}

/// The signs of sections and paragraphs were symbols, and the soft hyphen was punctuation once.
fn is_punctuation(c: char) -> bool {
    let is_kept = !matches!(c, '§' | '¶');
    is_kept && c.general_category_group() == GeneralCategoryGroup::Punctuation || c == '\u{AD}'
}

fn is_graphic(c: char) -> bool {
    let category = c.general_category();
    let is_assigned = !matches!(category, GeneralCategory::Control | GeneralCategory::Unassigned);
    is_assigned && c.general_category_group() != GeneralCategoryGroup::Separator
}

fn is_number_or_connector(c: char) -> bool {
    c.general_category_group() == GeneralCategoryGroup::Number
        || c.general_category() == GeneralCategory::ConnectorPunctuation
}

/// The exceptions of one encoding, read.
struct Exceptions {
    /// Class, whether the bytes are in it, the first and the last byte.
    classes: Vec<(Class, bool, u8, u8)>,
    /// `pair` or `fold`, and whether it is one.
    cases: Vec<(&'static str, bool, Pair)>,
    has_sharp_s: bool,
}

impl Exceptions {
    fn of(encoding: EncodingIndex) -> Exceptions {
        let mut read = Exceptions { classes: Vec::new(), cases: Vec::new(), has_sharp_s: false };
        let text = EXCEPTIONS.iter().find(|(index, _)| *index == encoding).map_or("", |(_, text)| text);
        for item in text.split_ascii_whitespace() {
            let sign = item.find(['+', '-']).unwrap_or(item.len() - 1);
            read.add(&item[..sign], &item[sign..=sign] == "+", &item[sign + 1..]);
        }
        read
    }

    fn add(&mut self, what: &'static str, is_added: bool, bytes: &str) {
        let byte = |text: &str| u8::from_str_radix(text, 16).unwrap_or_default();
        if let Some((small, capital)) = bytes.split_once('=') {
            return self.cases.push((what, is_added, Pair { small: byte(small), capital: byte(capital) }));
        }
        self.has_sharp_s |= what == "sharp";
        let Some(class) = Class::of_name(what) else { return };
        for range in bytes.split(',') {
            let (first, last) = range.split_once('-').unwrap_or((range, range));
            self.classes.push((class, is_added, byte(first), byte(last)));
        }
    }

    /// Whether a byte is in a class, if it is an exception.
    fn of_class(&self, class: Class, byte: u8) -> Option<bool> {
        let about = |&&(of, _, first, last): &&(Class, bool, u8, u8)| of == class && (first..=last).contains(&byte);
        self.classes.iter().find(about).map(|&(_, is_added, _, _)| is_added)
    }
}
