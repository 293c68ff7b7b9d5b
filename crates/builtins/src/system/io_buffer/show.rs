//! What buffers look like: flags, and bytes in hexadecimal.

use super::memory::{fetch, place};
use super::{
    BufferRef, EXTERNAL, FILE, INTERNAL, LOCKED, MAPPED, PRIVATE, READONLY, SHARED, check_range, range_arg, size_arg,
};
use carat_vm::{Ec, Result, Str, Value};
use std::fmt::Write;

/// Bytes a line, unless `hexdump` is told otherwise.
const WIDTH: usize = 16;
/// `inspect` shows no more bytes than this.
const SHOWN: usize = 256;

const NAMES: [(u32, &str); 8] = [
    (EXTERNAL, "EXTERNAL"),
    (INTERNAL, "INTERNAL"),
    (MAPPED, "MAPPED"),
    (FILE, "FILE"),
    (SHARED, "SHARED"),
    (LOCKED, "LOCKED"),
    (PRIVATE, "PRIVATE"),
    (READONLY, "READONLY"),
];

fn summary(ec: &mut Ec, this: BufferRef) -> String {
    let class = ec.class_of(this.value()).real().to_text(ec);
    let buffer = this.get(ec);
    let mut text = format!("#<{class} 0x{:016x}+{}", buffer.base, buffer.size);
    let is_invalid = place(ec, this).is_none();
    let flags = NAMES.iter().filter(|(flag, _)| buffer.flags & flag != 0).map(|(_, name)| *name);
    let first = (buffer.base == 0).then_some("NULL");
    let last = [(!buffer.source.is_nil()).then_some("SLICE"), is_invalid.then_some("INVALID")];
    for word in first.into_iter().chain(flags).chain(last.into_iter().flatten()) {
        text.push(' ');
        text.push_str(word);
    }
    text.push('>');
    text
}

pub(super) fn to_s(ec: &mut Ec, this: BufferRef) -> Str {
    let text = summary(ec, this);
    Str::from_text(ec, &text)
}

/// Lines of an address, bytes and what of them is printable. `start` is where the first byte lies.
fn dump(bytes: &[u8], start: usize, width: usize) -> String {
    let mut text = String::new();
    for (index, line) in bytes.chunks(width).enumerate() {
        let newline = if index == 0 { "" } else { "\n" };
        let _ = write!(text, "{newline}0x{:08x} ", start + index * width);
        for byte in line {
            let _ = write!(text, " {byte:02x}");
        }
        text.extend(std::iter::repeat_n("   ", width - line.len()));
        text.push(' ');
        text.extend(line.iter().map(|b| if (0x20..0x7f).contains(b) { char::from(*b) } else { '.' }));
    }
    text
}

pub(super) fn inspect(ec: &mut Ec, this: BufferRef) -> Result<Str> {
    let mut text = summary(ec, this);
    if let Some(place) = place(ec, this) {
        let size = this.get(ec).size;
        let bytes = fetch(ec, place, 0, size.min(SHOWN))?;
        if !bytes.is_empty() {
            text.push('\n');
        }
        text.push_str(&dump(&bytes, 0, WIDTH));
        if size > SHOWN {
            let _ = write!(text, "\n(and {} more bytes not printed)", size - SHOWN);
        }
    }
    Ok(Str::from_text(ec, &text))
}

pub(super) fn hexdump(
    ec: &mut Ec,
    this: BufferRef,
    offset: Option<Value>,
    length: Option<Value>,
    width: Option<Value>,
) -> Result<Option<Str>> {
    let (offset, length) = range_arg(ec, this, offset, length)?;
    let width = match width {
        Some(width) => size_arg(ec, width, "Width")?,
        None => WIDTH,
    };
    if width == 0 {
        return Err(ec.argument_error("Width must be at least 1!"));
    }
    check_range(ec, this, offset, length)?;
    let Some(place) = place(ec, this).filter(|_| this.get(ec).base != 0) else { return Ok(None) };
    let bytes = fetch(ec, place, offset, length)?;
    // A line is never wider than the bytes there are, whatever was asked for.
    let width = width.min(bytes.len().max(WIDTH));
    Ok(Some(Str::from_text(ec, &dump(&bytes, offset, width))))
}
