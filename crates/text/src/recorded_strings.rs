//! The answers about random strings recorded from CRuby.

use crate::encoding::EncodingIndex;
use crate::recorded::{Differences, cases};
use crate::text::Text;
use crate::tr::{self, CharSets, TrError, Translation};
use crate::{case, chars, dump, inspect, lines, scrub, search, split, strip, succ};
use std::ops::Range;

fn parts(bytes: &[u8], ranges: impl IntoIterator<Item = Range<usize>>) -> Vec<u8> {
    ranges.into_iter().map(|range| &bytes[range]).collect::<Vec<_>>().join(&b'|')
}

fn number(value: Option<usize>) -> Vec<u8> {
    value.map_or_else(String::new, |value| value.to_string()).into_bytes()
}

fn written(write: impl FnOnce(&mut Vec<u8>)) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    write(&mut out);
    Some(out)
}

fn all_lines(text: Text<'_>, separator: lines::Separator<'_>, chomp: bool) -> Vec<u8> {
    let mut found = Vec::new();
    lines::each_line(text, separator, chomp, |line| found.push(line));
    parts(text.bytes, found)
}

fn integer(field: &[u8]) -> isize {
    std::str::from_utf8(field).unwrap().parse().unwrap()
}

fn with_sets(
    text: Text<'_>,
    set: Option<Text<'_>>,
    apply: impl FnOnce(Text<'_>, &CharSets, &mut Vec<u8>) -> Result<(), TrError>,
) -> Option<Vec<u8>> {
    let sets = CharSets::parse(set).ok()?;
    let mut out = Vec::new();
    apply(text, &sets, &mut out).ok()?;
    Some(out)
}

fn translate(text: Text<'_>, from: Text<'_>, to: Text<'_>, squeeze: bool) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let translation = Translation::new(from, to, text.encoding).ok()?;
    translation.apply(text, squeeze, &mut out).ok()?;
    Some(out)
}

/// The answer, or `None` for an error.
fn answer(operation: &str, text: Text<'_>, arguments: &[Vec<u8>]) -> Option<Vec<u8>> {
    let argument = |at: usize| Text::of(&arguments[at], text.encoding);
    let len = text.bytes.len();
    match operation {
        "length" => Some(number(Some(chars::count(text)))),
        "valid" => Some((!text.is_broken()).to_string().into_bytes()),
        "reverse" => written(|out| chars::reverse(text, out)),
        "inspect" => written(|out| inspect::inspect(text, EncodingIndex::UTF_8, out)),
        "dump" => written(|out| dump::dump(text, out)),
        "succ" => succ::succ(text, &|| false),
        "scrub" => written(|out| scrub::scrub(text, scrub::default_replacement(text.encoding), out)),
        "chop" => Some(text.bytes[..lines::chop(text)].to_vec()),
        "chomp" => Some(text.bytes[..lines::smart_chomp(text)].to_vec()),
        "chars" => Some(chars::iter(text).collect::<Vec<_>>().join(&b'|')),
        "lines" => Some(all_lines(text, lines::Separator::Newline, false)),
        "lines_chomp" => Some(all_lines(text, lines::Separator::Newline, true)),
        "paragraphs" => Some(all_lines(text, lines::Separator::Paragraph, false)),
        "substring" => {
            let range = chars::substring(text, integer(&arguments[0]), integer(&arguments[1]) as usize);
            Some(range.map_or_else(Vec::new, |range| text.bytes[range].to_vec()))
        }
        "index" => Some(number(search::index(text, argument(0), 0).map(|at| chars::index_of_offset(text, at)))),
        "rindex" => Some(number(search::rindex(text, argument(0), len).map(|at| chars::index_of_offset(text, at)))),
        "start_with" => Some(search::starts_with(text, argument(0)).to_string().into_bytes()),
        "end_with" => Some(search::ends_with(text, argument(0)).to_string().into_bytes()),
        "swapcase" => {
            let mut out = Vec::new();
            case::map(text, case::Mapping::Swapcase, case::CaseOptions::default(), &mut out).ok()?;
            Some(out)
        }
        "awk" => Some(parts(text.bytes, split::awk(text, 0))),
        "split" => Some(parts(text.bytes, split::by_string(text, argument(0), 0))),
        "strip" => Some(text.bytes[strip::strip(text, None).ok()?].to_vec()),
        "squeeze" => with_sets(text, None, |text, sets, out| tr::squeeze(text, sets, out).map(drop)),
        "delete" => with_sets(text, Some(argument(0)), |text, sets, out| tr::delete(text, sets, out).map(drop)),
        "count" => with_sets(text, Some(argument(0)), |text, sets, out| {
            out.extend(tr::count(text, sets)?.to_string().as_bytes());
            Ok(())
        }),
        "tr" => translate(text, argument(0), argument(1), false),
        "tr_s" => translate(text, argument(0), argument(1), true),
        _ => panic!("no operation {operation}"),
    }
}

#[test]
fn random_strings_behave_as_recorded() {
    let mut differences = Differences::default();
    for (line, fields) in cases(include_str!("../recorded/string.tsv")) {
        let operation = std::str::from_utf8(&fields[0]).unwrap();
        let encoding = EncodingIndex::find_by_name(&fields[1]).unwrap();
        let arguments = &fields[3..fields.len() - 1];
        let actual = answer(operation, Text::of(&fields[2], encoding), arguments);
        differences.compare(line, &fields, actual.as_deref().unwrap_or(b"error"));
    }
    differences.finish(3000);
}
