//! The native half of `lib/stringio`: what streams over a string do for every line, character and piece of text.
//!
//! # Invariants
//! The string belongs to the program, which may change, freeze or replace it at any time: the position is compared with its
//! length whenever it is used. What is rare is left to the Ruby half, which is told so by nil or false before anything changed.

use crate::text::encoding;
use carat_text::encoding::mbclen;
use carat_text::lines::{self, Separator};
use carat_vm::{Array, CodeRange, Data, Ec, EncodingIndex, NativeData, Result, Str, Value, methods, sym};
use memchr::memmem;
use std::cell::Cell;

/// The string and the position in it, which copies of a stream have in common.
struct Shared {
    /// Nil after a block of `open`.
    string: Cell<Value>,
    position: Cell<usize>,
}

impl NativeData for Shared {
    const NAME: &'static str = "StringIO::Shared";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.string.get());
    }

    fn memsize(&self) -> usize {
        size_of::<Self>()
    }
}

type This = Data<Shared>;

methods! {
    SHARED {
        private "initialize" => set_string;
        "string" => string;
        "string=" => set_string;
        "position" => position;
        "position=" => set_position;
        "at_end?" => is_at_end;
        "byte" => byte;
        "bytes" => bytes;
        "rest" => rest;
        "character" => character;
        "line" => line;
        "lines" => lines_left;
        "line_until" => line_until;
        "check_separator" => check_separator;
        "append" => append;
        "append_line" => append_line;
        "step_back" => step_back;
    }
    STREAM {
        private "writes_plainly?" => writes_plainly;
        private "__write_line" => write_line;
    }
}

/// `require "stringio/shared.so"`, in the class body.
pub(crate) fn init(ec: &mut Ec) {
    let object = ec.vm().known().object;
    let Some(stream) = object.nested(ec, "StringIO") else { return };
    let shared = ec.new_class(object);
    stream.set_constant(ec, ec.vm().intern("Shared"), shared.value());
    shared.set_allocator(Some(|ec, class| {
        let shared = Shared { string: Cell::new(Value::NIL), position: Cell::new(0) };
        Ok(Data::new(ec, class, shared).value())
    }));
    shared.define_methods(ec, SHARED);
    stream.define_methods(ec, STREAM);
}

fn string(ec: &mut Ec, this: This) -> Value {
    this.get(ec).string.get()
}

fn set_string(ec: &mut Ec, this: This, string: Value) -> Value {
    this.get(ec).string.set(string);
    ec.wrote(this.value());
    string
}

/// Up to the largest `off_t`, which is no fixnum.
fn position(ec: &mut Ec, this: This) -> i64 {
    this.get(ec).position.get() as i64
}

fn set_position(ec: &mut Ec, this: This, position: i64) -> Result<()> {
    match usize::try_from(position) {
        Ok(position) => this.get(ec).position.set(position),
        Err(_) => return Err(ec.argument_error("negative position")),
    }
    Ok(())
}

/// The string, if there is one.
fn text(ec: &Ec, this: This) -> Option<Str> {
    Str::from_value(this.get(ec).string.get())
}

/// The string and the position, if that is before the end.
fn here(ec: &Ec, this: This) -> Option<(Str, usize)> {
    let (s, at) = (text(ec, this)?, this.get(ec).position.get());
    (at < s.len(ec)).then_some((s, at))
}

/// The encoding that a stream was given, else the string's.
fn encoding_of(ec: &Ec, given: Value, s: Str) -> EncodingIndex {
    encoding::index_of(ec, given).unwrap_or_else(|| s.encoding())
}

// ---- reading ----

fn is_at_end(ec: &mut Ec, this: This) -> bool {
    here(ec, this).is_none()
}

/// The next byte.
fn byte(ec: &mut Ec, this: This) -> Option<usize> {
    let (s, at) = here(ec, this)?;
    this.get(ec).position.set(at + 1);
    Some(usize::from(s.bytes(ec)[at]))
}

/// `bytes(length)`: as many of the next bytes as there are.
fn bytes(ec: &mut Ec, this: This, length: i64) -> Option<Str> {
    let (s, at) = here(ec, this)?;
    let length = usize::try_from(length).unwrap_or(0).min(s.len(ec) - at);
    this.get(ec).position.set(at + length);
    let part = s.share(ec, at, length);
    set_encoding(part, EncodingIndex::BINARY);
    Some(part)
}

/// `rest(encoding)`: all that comes, which may be nothing; nil without a string.
fn rest(ec: &mut Ec, this: This, given: Value) -> Option<Str> {
    let s = text(ec, this)?;
    let encoding = encoding_of(ec, given, s);
    let (at, len) = (this.get(ec).position.get(), s.len(ec));
    if at >= len {
        return Some(Str::new(ec, b"", encoding, CodeRange::Unknown));
    }
    this.get(ec).position.set(len);
    let part = s.share(ec, at, len - at);
    set_encoding(part, encoding);
    Some(part)
}

/// `character(encoding)`: the next character.
fn character(ec: &mut Ec, this: This, given: Value) -> Option<Str> {
    let (s, at) = here(ec, this)?;
    let encoding = encoding_of(ec, given, s);
    let length = mbclen(encoding, &s.bytes(ec)[at..]);
    this.get(ec).position.set(at + length);
    let part = s.slice(ec, at, length);
    set_encoding(part, encoding);
    Some(part)
}

/// `line(chomp, encoding)`: the next line, or nil at the end; false if no newline in ASCII ends lines.
fn line(ec: &mut Ec, this: This, chomp: bool, given: Value) -> Value {
    let given = encoding::index_of(ec, given);
    if given.is_some_and(|given| !given.is_ascii_compatible()) || !is_separator_newline(ec) {
        return Value::FALSE;
    }
    let Some((s, at)) = here(ec, this) else { return Value::NIL };
    let Some(line) = lines::next_line(s.as_text(ec), Separator::Newline, chomp, at) else { return Value::NIL };
    let part = s.share(ec, line.shown.start, line.shown.len());
    this.get(ec).position.set(line.next);
    set_encoding(part, given.unwrap_or_else(|| s.encoding()));
    part.value()
}

/// `lines(chomp, encoding)`: all lines that come, or false if no newline in ASCII ends lines.
fn lines_left(ec: &mut Ec, this: This, chomp: bool, given: Value) -> Result {
    let list = Array::new(ec, 8);
    loop {
        ec.check_ints()?;
        match line(ec, this, chomp, given) {
            Value::FALSE => return Ok(Value::FALSE),
            Value::NIL => return Ok(list.value()),
            line => list.push(ec, line),
        }
    }
}

/// Whether `$/` is what it is unless the program says otherwise.
fn is_separator_newline(ec: &Ec) -> bool {
    let separator = Str::from_value(ec.global_value(sym::RECORD_SEPARATOR));
    separator.is_some_and(|separator| separator.bytes(ec) == b"\n" && separator.encoding().is_ascii_compatible())
}

/// `line_until(separator, encoding)`: the next line, which the bytes of a separator end.
fn line_until(ec: &mut Ec, this: This, separator: Str, given: Value) -> Result<Option<Str>> {
    check_separator(ec, this, separator, given)?;
    let Some((s, at)) = here(ec, this) else { return Ok(None) };
    let rest = &s.bytes(ec)[at..];
    let separator = separator.bytes(ec);
    let length = memmem::find(rest, separator).map_or(rest.len(), |found| found + separator.len());
    let encoding = encoding_of(ec, given, s);
    let part = s.share(ec, at, length);
    this.get(ec).position.set(at + length);
    set_encoding(part, encoding);
    Ok(Some(part))
}

/// `check_separator(separator, encoding)`: a separator has to mean something in the encoding of the lines.
fn check_separator(ec: &mut Ec, this: This, separator: Str, given: Value) -> Result<()> {
    let Some(s) = text(ec, this) else { return Ok(()) };
    let (encoding, own) = (encoding_of(ec, given, s), separator.encoding());
    let fits = own == encoding || separator.is_ascii(ec) && (encoding.is_ascii_compatible() || separator.len(ec) == 0);
    if fits {
        return Ok(());
    }
    let (io, own) = (encoding.name(), own.name());
    Err(ec.argument_error(&format!("encoding mismatch: {io} IO with {own} RS")))
}

/// What bytes mean depends on their encoding, unless they are ASCII either way.
fn set_encoding(part: Str, encoding: EncodingIndex) {
    if part.encoding() != encoding {
        part.set_encoding(encoding);
        part.set_range(CodeRange::Unknown);
    }
}

/// `step_back(text)`: puts back what was read just now. Whether that was it.
fn step_back(ec: &mut Ec, this: This, piece: Str) -> bool {
    let Some(s) = text(ec, this) else { return false };
    let (at, count) = (this.get(ec).position.get(), piece.len(ec));
    let before = at.checked_sub(count).and_then(|start| s.bytes(ec).get(start..at));
    let is_same = before.is_some_and(|before| before == piece.bytes(ec));
    if is_same {
        this.get(ec).position.set(at - count);
    }
    is_same
}

// ---- writing ----

/// `append(text, encoding, appends)`: writes at the end or over what is there, or nil if the position is behind the end, or the text
/// has to be converted.
fn append(ec: &mut Ec, this: This, piece: Str, given: Value, appends: bool) -> Result<Option<usize>> {
    let Some((s, at)) = place(ec, this, piece, given, appends) else { return Ok(None) };
    s.check_mutable(ec)?;
    let count = piece.len(ec);
    put(ec, s, at, piece)?;
    this.get(ec).position.set(at + count);
    Ok(Some(count))
}

/// Writes from a place on that lies within the string, or at its end.
fn put(ec: &mut Ec, s: Str, at: usize, piece: Str) -> Result<()> {
    let (len, count) = (s.len(ec), piece.len(ec));
    let replaced = count.min(len - at);
    s.make_room(ec, count - replaced)?;
    if at == len {
        s.push_str(ec, piece);
    } else {
        s.splice(ec, at, replaced, piece);
    }
    Ok(())
}

/// `append_line(text, encoding, appends)`: as `append`, with a newline unless the text has one.
fn append_line(ec: &mut Ec, this: This, piece: Str, given: Value, appends: bool) -> Result<Option<usize>> {
    let Some((s, at)) = place(ec, this, piece, given, appends) else { return Ok(None) };
    s.check_mutable(ec)?;
    let has_newline = piece.bytes(ec).last() == Some(&b'\n');
    let count = piece.len(ec) + usize::from(!has_newline);
    s.make_room(ec, (at + count).saturating_sub(s.len(ec)))?;
    put(ec, s, at, piece)?;
    let end = at + count;
    if !has_newline && end > s.len(ec) {
        s.push_bytes_with(ec, b"\n", CodeRange::SevenBit);
    } else if !has_newline {
        s.put_byte(ec, end - 1, b'\n');
    }
    this.get(ec).position.set(end);
    Ok(Some(count))
}

/// The string and a place in it, or its end, at which a text can simply be put.
fn place(ec: &mut Ec, this: This, piece: Str, given: Value, appends: bool) -> Option<(Str, usize)> {
    let s = text(ec, this)?;
    let own = s.encoding();
    let fits = own == encoding_of(ec, given, s)
        && own.is_ascii_compatible()
        && (own == piece.encoding() || (piece.encoding().is_ascii_compatible() && piece.is_ascii(ec)));
    // A string of ASCII takes the encoding of what is written to it.
    let stays = own != EncodingIndex::US_ASCII || piece.is_ascii(ec);
    let at = if appends { s.len(ec) } else { this.get(ec).position.get() };
    (fits && stays && at <= s.len(ec) && piece.len(ec) > 0 && !s.is_frozen()).then_some((s, at))
}

/// `writes_plainly?(StringIO)`: whether `write` is that class's own, by which a stream's other methods write.
fn writes_plainly(ec: &mut Ec, this: Value, stream: Value) -> bool {
    ec.find_method(this, sym::WRITE).is_some_and(|entry| entry.owner(ec).value() == stream)
}

/// `__write_line(text)`: has `write` put a text and the newline that it lacks, both at once if it takes several.
fn write_line(ec: &mut Ec, this: Value, piece: Str) -> Result<()> {
    if piece.bytes(ec).last() == Some(&b'\n') {
        return ec.call(this, sym::WRITE, &[piece.value()]).map(drop);
    }
    let newline = ec.str("\n");
    if piece.is_empty(ec) {
        return ec.call(this, sym::WRITE, &[newline]).map(drop);
    }
    crate::system::io::write_both(ec, this, piece.value(), newline)
}
