//! Work on large strings goes part by part: between two parts interrupts are served, and memory for what comes of the next
//! one is asked for.
//!
//! # Invariants
//! A string of several parts is worked on as a frozen copy, which shares its bytes: interrupts may run any code.

use carat_text::chars;
use carat_text::text::Text;
use carat_vm::{CodeRange, Ec, Result, Str};
use std::ops::Range;

/// Bytes worked on at a stretch: some milliseconds.
const PART_BYTES: usize = 1 << 19;

/// Bytes that one may become: U+FDFA in a compatible form, or a byte in an escape.
const GROWTH: usize = 12;

/// Whether a text may be cut in front of the character at a byte without changing what the work makes of it.
pub(crate) type MayCut = fn(Text<'_>, usize) -> bool;

pub(crate) fn anywhere(_: Text<'_>, _: usize) -> bool {
    true
}

/// One of the parts of a string.
pub(crate) struct Part {
    pub(crate) source: Str,
    pub(crate) range: Range<usize>,
}

impl Part {
    pub(crate) fn text<'a>(&self, ec: &'a Ec) -> Text<'a> {
        let whole = self.source.as_text(ec);
        if self.range.len() == whole.bytes.len() {
            return whole;
        }
        let bytes = &whole.bytes[self.range.clone()];
        let coderange = match whole.coderange {
            // Parts are whole characters.
            CodeRange::Valid if !bytes.is_ascii() => CodeRange::Valid,
            CodeRange::Valid if whole.encoding.is_ascii_compatible() => CodeRange::SevenBit,
            known => known.of_part(),
        };
        Text::new(bytes, whole.encoding, coderange)
    }

    pub(crate) fn is_first(&self) -> bool {
        self.range.start == 0
    }
}

/// Works on one part after the other until there is none, or one fails. There is room in `out` for what the work appends.
pub(crate) fn each<E>(
    ec: &mut Ec,
    this: Str,
    may_cut: MayCut,
    out: &mut Vec<u8>,
    mut work: impl FnMut(&Ec, Part, &mut Vec<u8>) -> std::result::Result<(), E>,
) -> Result<std::result::Result<(), E>> {
    let len = this.len(ec);
    if len <= PART_BYTES {
        return Ok(work(ec, Part { source: this, range: 0..len }, out));
    }
    let source = this.snapshot(ec);
    let mut start = 0;
    while start < len {
        ec.check_ints()?;
        let end = end_of_part(source.as_text(ec), start + PART_BYTES, may_cut);
        ec.make_room_in(out, GROWTH * (end - start))?;
        if let Err(error) = work(ec, Part { source, range: start..end }, out) {
            return Ok(Err(error));
        }
        start = end;
    }
    Ok(Ok(()))
}

/// The first place at a byte or behind it where the text may be cut, or its end.
fn end_of_part(text: Text<'_>, from: usize, may_cut: MayCut) -> usize {
    let len = text.bytes.len();
    let mut end = from;
    while end < len {
        end = chars::right_adjust(text, end);
        if end < len && may_cut(text, end) {
            return end;
        }
        end += 1;
    }
    len
}
