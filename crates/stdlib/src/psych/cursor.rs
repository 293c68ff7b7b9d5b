//! Where a `Psych::Parser` is in its text, and what stands there.
//!
//! # Invariants
//! The text is valid UTF-8 when it is given, but may be the program's own string: every look at it is within its bounds.

use super::{end_of_plain, is_blank, is_space};
use carat_vm::{Class, Data, Ec, NativeData, Result, Str, Value, methods};
use std::cell::Cell;

/// The native part of a parser.
struct Cursor {
    /// Nil before `initialize`.
    text: Cell<Value>,
    position: Cell<usize>,
    /// Where the line of the position begins.
    line_start: Cell<usize>,
}

impl NativeData for Cursor {
    const NAME: &'static str = "Psych::Parser";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.text.get());
    }

    fn memsize(&self) -> usize {
        size_of::<Self>()
    }
}

type This = Data<Cursor>;

methods! {
    METHODS {
        private "text" => text;
        private "text=" => set_text;
        private "position" => position;
        private "position=" => set_position;
        private "line_start" => line_start;
        private "line_start=" => set_line_start;
        private "column" => column;
        private "byte" => byte;
        private "at_end?" => is_at_end;
        private "blank?" => is_blank_byte;
        private "marker?" => is_marker;
        private "document_ends?" => document_ends;
        private "dash?" => is_dash;
        private "question?" => is_question;
        private "colon?" => is_colon;
        private "property?" => is_property;
        private "newline" => newline;
        private "skip_spaces" => skip_spaces;
        private "skip_blank_lines" => skip_blank_lines;
        private "plain_line" => plain_line;
        private "plain_key_ahead?" => plain_key_ahead;
    }
}

pub(super) fn init(ec: &mut Ec, parser: Class) {
    parser.set_allocator(Some(|ec, class| {
        let cursor = Cursor { text: Cell::new(Value::NIL), position: Cell::new(0), line_start: Cell::new(0) };
        Ok(Data::new(ec, class, cursor).value())
    }));
    parser.define_methods(ec, METHODS);
}

fn text(ec: &mut Ec, this: This) -> Value {
    this.get(ec).text.get()
}

fn set_text(ec: &mut Ec, this: This, text: Str) -> Value {
    this.get(ec).text.set(text.value());
    ec.wrote(this.value());
    text.value()
}

fn position(ec: &mut Ec, this: This) -> usize {
    this.get(ec).position.get()
}

fn set_position(ec: &mut Ec, this: This, position: i64) -> i64 {
    this.get(ec).position.set(usize::try_from(position).unwrap_or(0));
    position
}

fn line_start(ec: &mut Ec, this: This) -> usize {
    this.get(ec).line_start.get()
}

fn set_line_start(ec: &mut Ec, this: This, position: i64) -> i64 {
    this.get(ec).line_start.set(usize::try_from(position).unwrap_or(0));
    position
}

/// All of the text.
fn bytes(ec: &Ec, this: This) -> &[u8] {
    Str::from_value(this.get(ec).text.get()).map_or(&[], |text| text.bytes(ec))
}

/// From the position on.
fn rest(ec: &Ec, this: This) -> &[u8] {
    bytes(ec, this).get(this.get(ec).position.get()..).unwrap_or_default()
}

fn at_column(ec: &Ec, this: This) -> i64 {
    let cursor = this.get(ec);
    cursor.position.get() as i64 - cursor.line_start.get() as i64
}

fn column(ec: &mut Ec, this: This) -> i64 {
    at_column(ec, this)
}

/// `byte(offset = 0)`: the byte at the position, or behind it.
fn byte(ec: &mut Ec, this: This, offset: Option<i64>) -> Option<usize> {
    let offset = usize::try_from(offset.unwrap_or(0)).ok()?;
    rest(ec, this).get(offset).map(|byte| usize::from(*byte))
}

fn is_at_end(ec: &mut Ec, this: This) -> bool {
    rest(ec, this).is_empty()
}

/// Whether there is nothing, a space or the end of a line.
fn is_nothing(byte: Option<&u8>) -> bool {
    byte.is_none_or(|byte| is_blank(*byte))
}

fn is_blank_byte(_ec: &mut Ec, _this: This, byte: Value) -> bool {
    byte.as_fixnum().is_none_or(|byte| u8::try_from(byte).is_ok_and(is_blank))
}

// ---- what stands here ----

fn stands_alone(ec: &Ec, this: This, marker: &[u8]) -> bool {
    let behind = rest(ec, this).strip_prefix(marker);
    behind.is_some_and(|behind| is_nothing(behind.first()))
}

/// `marker?(text)`: whether a line begins with a marker of documents.
fn is_marker(ec: &mut Ec, this: This, marker: Str) -> bool {
    at_column(ec, this) == 0 && stands_alone(ec, this, marker.bytes(ec))
}

/// Whether there is nothing more, or a marker of documents.
fn document_ends(ec: &mut Ec, this: This) -> bool {
    let is_marked = || stands_alone(ec, this, b"---") || stands_alone(ec, this, b"...");
    rest(ec, this).is_empty() || (at_column(ec, this) == 0 && is_marked())
}

fn is_dash(ec: &mut Ec, this: This) -> bool {
    stands_alone(ec, this, b"-")
}

fn is_question(ec: &mut Ec, this: This) -> bool {
    stands_alone(ec, this, b"?")
}

fn is_colon(ec: &mut Ec, this: This) -> bool {
    stands_alone(ec, this, b":")
}

/// Whether an anchor or a tag stands here.
fn is_property(ec: &mut Ec, this: This) -> bool {
    matches!(rest(ec, this), [b'&' | b'!', ..])
}

/// Whether a key without quotes and its colon stand here.
fn plain_key_ahead(ec: &mut Ec, this: This) -> bool {
    if stands_alone(ec, this, b":") {
        return true;
    }
    let rest = rest(ec, this);
    let (key, behind) = rest.split_at(end_of_plain(rest, 0, false));
    behind.first() == Some(&b':') && !without_spaces(key).is_empty()
}

// ---- moving on ----

fn newline(ec: &mut Ec, this: This) -> usize {
    let cursor = this.get(ec);
    cursor.position.set(cursor.position.get() + 1);
    cursor.line_start.set(cursor.position.get());
    cursor.position.get()
}

fn skip_spaces(ec: &mut Ec, this: This) {
    let count = rest(ec, this).iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let position = &this.get(ec).position;
    position.set(position.get() + count);
}

/// Spaces, comments and ends of lines. Says whether a line ended.
fn skip_blank_lines(ec: &mut Ec, this: This) -> bool {
    let (cursor, bytes) = (this.get(ec), bytes(ec, this));
    let (mut at, mut has_ended) = (cursor.position.get(), false);
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'#' if at == 0 || is_blank(bytes[at - 1]) => {
                at += memchr::memchr(b'\n', &bytes[at..]).unwrap_or(bytes.len() - at);
            }
            b' ' | b'\t' | b'\r' => at += 1,
            b'\n' => {
                at += 1;
                cursor.line_start.set(at);
                has_ended = true;
            }
            _ => break,
        }
    }
    cursor.position.set(at);
    has_ended
}

/// `plain_line(in_flow)`: the rest of the line, as far as it belongs to a scalar without quotes.
fn plain_line(ec: &mut Ec, this: This, in_flow: bool) -> Result<Str> {
    let Some(text) = Str::from_value(this.get(ec).text.get()) else {
        return Err(ec.type_error("uninitialized parser"));
    };
    let start = this.get(ec).position.get().min(text.len(ec));
    let bytes = text.bytes(ec);
    let stop = end_of_plain(bytes, start, in_flow);
    let shown = without_spaces(&bytes[start..stop]).len();
    this.get(ec).position.set(stop);
    Ok(text.slice(ec, start, shown))
}

/// As `String#rstrip` leaves it.
fn without_spaces(text: &[u8]) -> &[u8] {
    let len = text.iter().rposition(|byte| *byte != 0 && !is_space(*byte)).map_or(0, |last| last + 1);
    &text[..len]
}
