//! Unicode's full case mappings of single characters.
//!
//! The standard library maps to upper and lower case. Title case, the swapping of title-case letters and folding are
//! told here by how they differ from those; the tests of this module walk through every exception.

use super::CharMapping;

const DOTLESS_I: char = '\u{131}';
const CAPITAL_I_WITH_DOT: char = '\u{130}';

/// Calls `push` with what becomes of `code`.
pub(super) fn map(code: u32, how: CharMapping, is_turkic: bool, push: impl FnMut(char)) {
    let Some(c) = char::from_u32(code) else { return };
    match (is_turkic, c, how) {
        (true, 'i', CharMapping::Up | CharMapping::Title | CharMapping::Swap) => one(CAPITAL_I_WITH_DOT, push),
        (true, 'I', CharMapping::Down | CharMapping::Swap | CharMapping::Fold) => one(DOTLESS_I, push),
        (true, CAPITAL_I_WITH_DOT, CharMapping::Down | CharMapping::Swap | CharMapping::Fold) => one('i', push),
        (_, _, CharMapping::Up) => c.to_uppercase().for_each(push),
        (_, _, CharMapping::Down) => c.to_lowercase().for_each(push),
        (_, _, CharMapping::Title) => title(c, push),
        (_, _, CharMapping::Swap) => swap(c, push),
        (_, _, CharMapping::Fold) => fold(c, push),
    }
}

/// The ASCII letters that `:turkic` takes out of ASCII.
pub(super) fn is_turkic_special(code: u32) -> bool {
    code == 'i' as u32 || code == 'I' as u32
}

fn one(c: char, mut push: impl FnMut(char)) {
    push(c);
}

/// The title-case form of the Latin digraphs, of which there are upper, title and lower ones.
fn title_digraph(c: char) -> Option<char> {
    Some(match c {
        'Ǆ'..='ǆ' => 'ǅ',
        'Ǉ'..='ǉ' => 'ǈ',
        'Ǌ'..='ǌ' => 'ǋ',
        'Ǳ'..='ǳ' => 'ǲ',
        _ => return None,
    })
}

/// The Greek letters with iota written beneath have a title form of one character, eight or nine places up.
fn title_iota(c: char) -> Option<char> {
    let code = c as u32;
    match code {
        0x1F80..=0x1FAF => char::from_u32(code | 8),
        0x1FB3 | 0x1FC3 | 0x1FF3 => char::from_u32(code + 9),
        0x1FBC | 0x1FCC | 0x1FFC => Some(c),
        _ => None,
    }
}

/// Georgian has capitals only for whole words, so its title case is the small letter.
fn is_georgian(c: char) -> bool {
    matches!(c, 'ა'..='ჿ' | 'Ა'..='Ჿ')
}

const CAPITAL_IOTA: char = '\u{399}';
const IOTA_BENEATH: char = '\u{345}';

/// In most letters that become several, the first is upper case and the rest lower.
fn title(c: char, mut push: impl FnMut(char)) {
    if let Some(title) = title_digraph(c).or_else(|| title_iota(c)) {
        return push(title);
    }
    if is_georgian(c) {
        return c.to_lowercase().for_each(push);
    }
    let mut upper = c.to_uppercase();
    upper.next().into_iter().for_each(&mut push);
    upper.for_each(|rest| match (c, rest) {
        ('ŉ', _) => push(rest),
        (_, CAPITAL_IOTA) if ('\u{1F80}'..='\u{1FFF}').contains(&c) => push(IOTA_BENEATH),
        _ => rest.to_lowercase().for_each(&mut push),
    });
}

/// A title-case letter comes apart: its small first part, then its capital second.
fn swap(c: char, mut push: impl FnMut(char)) {
    let parts = match c {
        'ǅ' => ('d', 'Ž'),
        'ǈ' => ('l', 'J'),
        'ǋ' => ('n', 'J'),
        'ǲ' => ('d', 'Z'),
        _ if title_iota(c) == Some(c) => {
            c.to_uppercase().next().into_iter().flat_map(char::to_lowercase).for_each(&mut push);
            return push(CAPITAL_IOTA);
        }
        _ if c.to_lowercase().eq([c]) => return c.to_uppercase().for_each(push),
        _ => return c.to_lowercase().for_each(push),
    };
    push(parts.0);
    push(parts.1);
}

/// Folding is the lower case of the upper case, but Cherokee folds to capitals, which are older than its small letters,
/// and the dotless i is no i.
fn fold(c: char, mut push: impl FnMut(char)) {
    match c {
        DOTLESS_I | '\u{13A0}'..='\u{13F5}' => push(c),
        '\u{13F8}'..='\u{13FD}' | '\u{AB70}'..='\u{ABBF}' => c.to_uppercase().for_each(push),
        'ẞ' => "ss".chars().for_each(push),
        _ => c.to_uppercase().flat_map(char::to_lowercase).for_each(push),
    }
}
