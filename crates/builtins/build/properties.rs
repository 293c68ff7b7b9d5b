//! In which version of Unicode a character came, and how grapheme clusters break at it.

use regex_syntax::Parser;
use regex_syntax::hir::{Class, HirKind};
use std::fmt::Write;
use unicode_properties::{GeneralCategory, UnicodeGeneralCategory};

/// The versions that brought characters, as the tables of the parser have them.
const AGES: [&str; 27] = [
    "1.1", "2.0", "2.1", "3.0", "3.1", "3.2", "4.0", "4.1", "5.0", "5.1", "5.2", "6.0", "6.1", "6.2", "6.3", "7.0",
    "8.0", "9.0", "10.0", "11.0", "12.0", "12.1", "13.0", "14.0", "15.0", "15.1", "16.0",
];
/// The one after them: whatever is assigned by now.
const LAST_AGE: &str = "17.0";

const BREAKS: [&str; 13] = [
    "CR",
    "Control",
    "Extend",
    "L",
    "LF",
    "LV",
    "LVT",
    "Prepend",
    "Regional_Indicator",
    "SpacingMark",
    "T",
    "V",
    "ZWJ",
];

type Ranges = Vec<(u32, u32)>;

/// The source of both tables: names, and ranges with the numbers of names.
pub(crate) fn tables() -> String {
    let mut out = String::new();
    write_table(&mut out, "AGE", &AGES.iter().copied().chain([LAST_AGE]).collect::<Vec<_>>(), &ages());
    let breaks = BREAKS.iter().map(|name| ranges_of(&format!("gcb={name}"))).collect::<Vec<_>>();
    write_table(&mut out, "BREAK", &BREAKS, &breaks);
    out
}

fn write_table(out: &mut String, name: &str, names: &[&str], sets: &[Ranges]) {
    let names: Vec<String> = names.iter().map(|name| name.to_ascii_lowercase().replace('_', "")).collect();
    let _ = writeln!(out, "pub(super) static {name}_NAMES: &[&str] = &{names:?};");
    let mut all: Vec<(u32, u32, usize)> =
        sets.iter().enumerate().flat_map(|(index, set)| set.iter().map(move |&(from, to)| (from, to, index))).collect();
    all.sort_unstable();
    let _ = writeln!(out, "pub(super) static {name}_RANGES: &[(u32, u32, u8)] = &{all:?};");
}

/// For each version the characters that it brought.
fn ages() -> Vec<Ranges> {
    let mut known = Vec::new();
    let mut found = Vec::new();
    for age in AGES {
        let all = ranges_of(&format!("age={age}"));
        found.push(without(&all, &known));
        known = all;
    }
    let is_assigned =
        |code: &u32| char::from_u32(*code).is_some_and(|c| c.general_category() != GeneralCategory::Unassigned);
    let assigned: Ranges = (0..=0x10_FFFF).filter(is_assigned).map(|code| (code, code)).collect();
    found.push(without(&assigned, &known));
    found
}

/// The characters of one set that another does not have.
fn without(set: &[(u32, u32)], other: &[(u32, u32)]) -> Ranges {
    let is_known = |code: u32| {
        let at = other.partition_point(|&(_, last)| last < code);
        other.get(at).is_some_and(|&(first, _)| first <= code)
    };
    let mut out: Ranges = Vec::new();
    for code in set.iter().flat_map(|&(from, to)| from..=to).filter(|&code| !is_known(code)) {
        match out.last_mut() {
            Some((_, last)) if *last + 1 == code => *last = code,
            _ => out.push((code, code)),
        }
    }
    out
}

fn ranges_of(property: &str) -> Ranges {
    let pattern = format!("\\p{{{property}}}");
    let parsed = Parser::new().parse(&pattern).unwrap_or_else(|e| panic!("{pattern}: {e}"));
    match parsed.into_kind() {
        HirKind::Class(Class::Unicode(class)) => class.iter().map(|r| (r.start().into(), r.end().into())).collect(),
        HirKind::Literal(literal) => {
            let code = std::str::from_utf8(&literal.0).ok().and_then(|text| text.chars().next()).map(u32::from);
            code.map(|code| (code, code)).into_iter().collect()
        }
        kind => panic!("{pattern}: {kind:?}"),
    }
}
