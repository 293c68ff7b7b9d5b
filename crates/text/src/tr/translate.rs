//! `String#tr` and `String#tr_s`.
//!
//! A translation is a list of segments: a run of code points that maps to a run or to one code point. Pairing the two
//! sets skips the numbers inside a range that are no characters, as counting through the range would.

use super::TrError;
use super::parse::{self, Span};
use super::set::{CharSet, Kept, Run, each_char, has_byte_chars};
use crate::encoding::{EncodingIndex, encode_codepoint};
use crate::text::Text;

/// What becomes of each character.
pub struct Translation {
    rule: Rule,
    encoding: EncodingIndex,
}

enum Rule {
    /// Every character of the (negated) set becomes this one, the last of the replacement.
    Set(Box<CharSet>, u32),
    /// Code points below 256 by table, the rest by segment.
    Pairs(Box<[u32]>, Vec<Segment>),
}

/// No code point: what stays.
const STAYS: u32 = u32::MAX;

/// Code points `from..=to` become `target + slope * (code - from)`.
struct Segment {
    from: u32,
    to: u32,
    target: u32,
    slope: u32,
}

impl Segment {
    fn at(&self, code: u32) -> u32 {
        self.target + self.slope * (code - self.from)
    }
}

impl Translation {
    /// Reads both sets; `encoding` is the result's. An empty replacement is the caller's: it deletes.
    pub fn new(from: Text<'_>, to: Text<'_>, encoding: EncodingIndex) -> Result<Translation, TrError> {
        let source = parse::parse(from, true)?;
        let target = parse::parse(to, false)?;
        let rule = if source.is_negated {
            let last = target.spans.last().map_or(0, |&(_, to)| to);
            Rule::Set(Box::new(CharSet::parse(from)?), last)
        } else {
            pairs(&source.spans, &target.spans, encoding)
        };
        Ok(Translation { rule, encoding })
    }

    /// What becomes of a character; `None` for one that stays.
    #[inline]
    fn get(&self, code: u32) -> Option<u32> {
        match &self.rule {
            Rule::Set(set, last) => set.contains(code).then_some(*last),
            Rule::Pairs(low, _) if code < 256 => Some(low[code as usize]).filter(|target| *target != STAYS),
            Rule::Pairs(_, segments) => lookup(segments, code),
        }
    }

    /// Appends the translated string; whether a character was in the set, even if it became itself. With `squeeze`,
    /// neighbours that became the same character become one.
    pub fn apply(&self, text: Text<'_>, squeeze: bool, out: &mut Vec<u8>) -> Result<bool, TrError> {
        let mut run = Run::default();
        self.apply_part(text, squeeze.then_some(&mut run), out)
    }

    /// As [`Translation::apply`] for one part of a string after the other; a run may go on in the next part.
    pub fn apply_part(&self, text: Text<'_>, run: Option<&mut Run>, out: &mut Vec<u8>) -> Result<bool, TrError> {
        if let (Rule::Pairs(low, _), None) = (&self.rule, &run)
            && has_byte_chars(text)
            && self.gives_bytes(low)
        {
            return Ok(translate_bytes(text.bytes, low, out));
        }
        let mut is_modified = false;
        let mut unused = Run::default();
        let squeezes = run.is_some();
        let last = &mut run.unwrap_or(&mut unused).last;
        let mut kept = Kept::of(text.bytes);
        each_char(text, |code, bytes| {
            let target = self.get(code);
            kept.next(bytes, target.is_none(), out);
            if let Some(target) = target {
                is_modified = true;
                if !squeezes || *last != Some(target) {
                    self.push(target, out);
                }
            }
            *last = target;
        })?;
        kept.finish(out);
        Ok(is_modified)
    }

    /// Whether what becomes of the first code points is a byte each.
    fn gives_bytes(&self, low: &[u32]) -> bool {
        let end = if self.encoding.is_single_byte() { 0x100 } else { 0x80 };
        self.encoding.min_len() == 1 && low[..end as usize].iter().all(|target| *target < end || *target == STAYS)
    }

    /// Every target was decoded from the replacement or lies in a range of valid code points.
    fn push(&self, code: u32, out: &mut Vec<u8>) {
        let is_byte = self.encoding.is_single_byte() || (code < 0x80 && self.encoding.min_len() == 1);
        if is_byte || encode_codepoint(self.encoding, code, out).is_err() {
            out.push(code as u8);
        }
    }
}

/// Appends what becomes of each byte; whether any was in the set.
fn translate_bytes(bytes: &[u8], low: &[u32], out: &mut Vec<u8>) -> bool {
    let mut is_modified = false;
    out.extend(bytes.iter().map(|byte| {
        let target = low[usize::from(*byte)];
        is_modified |= target != STAYS;
        if target == STAYS { *byte } else { target as u8 }
    }));
    is_modified
}

/// The last segment wins: a character written twice takes the later replacement.
fn lookup(segments: &[Segment], code: u32) -> Option<u32> {
    let segment = segments.iter().rev().find(|segment| segment.from <= code && code <= segment.to)?;
    Some(segment.at(code))
}

fn pairs(source: &[Span], target: &[Span], encoding: EncodingIndex) -> Rule {
    let mut segments: Vec<Segment> = Vec::new();
    let mut targets = code_points(target, encoding);
    let mut last = 0;
    let mut is_exhausted = false;
    for code in code_points(source, encoding) {
        match targets.next() {
            Some(target) => last = target,
            None => is_exhausted = true,
        }
        add_pair(&mut segments, code, last, is_exhausted);
    }
    let mut low = vec![STAYS; 256].into_boxed_slice();
    // As in `lookup`, later ones win.
    for segment in &segments {
        for code in parse::low_part((segment.from, segment.to)) {
            low[code] = segment.at(code as u32);
        }
    }
    Rule::Pairs(low, segments)
}

/// Extends the last segment where the pair continues it.
fn add_pair(segments: &mut Vec<Segment>, code: u32, target: u32, is_exhausted: bool) {
    let slope = u32::from(!is_exhausted);
    if let Some(last) = segments.last_mut()
        && last.to.checked_add(1) == Some(code)
        && last.slope == slope
        && last.target + slope * (code - last.from) == target
    {
        last.to = code;
    } else {
        segments.push(Segment { from: code, to: code, target, slope });
    }
}

/// The characters of the spans in order.
fn code_points(spans: &[Span], encoding: EncodingIndex) -> impl Iterator<Item = u32> {
    let mut scratch = Vec::new();
    spans.iter().flat_map(|&(from, to)| from..=to).filter(move |&code| {
        scratch.clear();
        encoding.is_single_byte() || code < 0x80 || encode_codepoint(encoding, code, &mut scratch).is_ok()
    })
}
