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

/// The first place at a byte or behind it where a text may be cut without changing what the work makes of it, or its end.
pub(crate) type Cut = fn(Text<'_>, usize) -> usize;

/// In front of any character. A byte that no character has begins one: the character before it ends earlier.
pub(crate) fn anywhere(text: Text<'_>, from: usize) -> usize {
    chars::right_adjust(text, from).max(from)
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
    cut: Cut,
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
        let end = end_of_part(source.as_text(ec), start + PART_BYTES, cut);
        ec.make_room_in(out, GROWTH * (end - start))?;
        if let Err(error) = work(ec, Part { source, range: start..end }, out) {
            return Ok(Err(error));
        }
        start = end;
    }
    Ok(Ok(()))
}

fn end_of_part(text: Text<'_>, from: usize, cut: Cut) -> usize {
    let len = text.bytes.len();
    if from < len { cut(text, from).min(len) } else { len }
}
