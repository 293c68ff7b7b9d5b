//! `StringScanner`: going through a string from left to right, pattern by pattern.
//!
//! # Code map
//! `advance` moves a scanner on: patterns, characters, bytes, integers. `parts` tells what was matched. Here are the object,
//! its string and its position.
//!
//! # Invariants
//! The string belongs to the program, which may change it at any time: positions are compared with its length whenever they
//! are used, and a position behind its end is kept. No method allocates anything but its result.
//!
//! # References
//! strscan 3.1.6 `strscan.c`.

mod advance;
mod parts;

use crate::text::regexp::scanner::Places;
use carat_vm::{Data, Ec, Hash, NativeData, Result, Str, Unwind, Value, methods};
use std::cell::{Cell, RefCell};

/// What a scanner carries. The cells let it be changed while bytes of its string are borrowed.
pub(crate) struct Scanner {
    /// Nil before `initialize`.
    string: Cell<Value>,
    /// The Regexp that was tried last, matched or not; nil after a string.
    regexp: Cell<Value>,
    position: Cell<usize>,
    /// Where the last match was tried.
    before: Cell<usize>,
    is_matched: Cell<bool>,
    /// Patterns see what is before the position, and the groups count from the beginning of the string.
    is_fixed: Cell<bool>,
    places: RefCell<Places>,
}

impl NativeData for Scanner {
    const NAME: &'static str = "StringScanner";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.string.get());
        mark(self.regexp.get());
    }

    fn memsize(&self) -> usize {
        size_of::<Self>() + self.places.try_borrow().map_or(0, |places| places.heap_bytes())
    }
}

type This = Data<Scanner>;

methods! {
    METHODS {
        static "must_C_version" => must_c_version;
        private "initialize" => initialize;
        private "initialize_copy" => initialize_copy;
        "string" => string;
        "string=" => set_string;
        "concat" => concat;
        alias "<<" of "concat" => concat;
        "pos" => position;
        alias "pointer" of "pos" => position;
        "pos=" => set_position;
        alias "pointer=" of "pos=" => set_position;
        "charpos" => char_position;
        "fixed_anchor?" => is_fixed;
        "reset" => reset;
        "terminate" => terminate;
        "unscan" => unscan;
        "eos?" => is_at_end;
        "rest?" => has_rest;
        "rest" => rest;
        "rest_size" => rest_size;
        "beginning_of_line?" => is_at_line;
        alias "bol?" of "beginning_of_line?" => is_at_line;
        "inspect" => inspect;
    }
}

/// `require "strscan.so"`
pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    let (object, standard_error) = (known.object, known.standard_error);
    let class = ec.new_class(object);
    object.set_constant(ec, ec.vm().intern("StringScanner"), class.value());
    class.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, Scanner::new()).value())));
    let error = ec.new_class(standard_error);
    class.set_constant(ec, ec.vm().intern("Error"), error.value());
    if object.own_constant(ec.vm().intern("ScanError")).is_none() {
        object.set_constant(ec, ec.vm().intern("ScanError"), error.value());
    }
    for (name, text) in [("Version", "3.1.6"), ("Id", "$Id$")] {
        let text = ec.fstring(text.as_bytes(), carat_vm::EncodingIndex::US_ASCII);
        class.set_constant(ec, ec.vm().intern(name), text.value());
    }
    for table in [METHODS, advance::METHODS, parts::METHODS] {
        class.define_methods(ec, table);
    }
}

impl Scanner {
    fn new() -> Scanner {
        Scanner {
            string: Cell::new(Value::NIL),
            regexp: Cell::new(Value::NIL),
            position: Cell::new(0),
            before: Cell::new(0),
            is_matched: Cell::new(false),
            is_fixed: Cell::new(false),
            places: RefCell::default(),
        }
    }

    fn forget_match(&self) {
        self.is_matched.set(false);
        self.regexp.set(Value::NIL);
    }

    /// What the places of the groups count from.
    fn base(&self) -> usize {
        if self.is_fixed.get() { 0 } else { self.before.get() }
    }
}

/// The string of a scanner that has one.
#[inline]
fn string_of(ec: &mut Ec, this: This) -> Result<Str> {
    Str::from_value(this.get(ec).string.get()).ok_or_else(|| uninitialized(ec))
}

#[cold]
fn uninitialized(ec: &mut Ec) -> Unwind {
    ec.argument_error("uninitialized StringScanner object")
}

/// The string, and the position if it is before the end.
fn here(ec: &mut Ec, this: This) -> Result<(Str, Option<usize>)> {
    let s = string_of(ec, this)?;
    let at = this.get(ec).position.get();
    Ok((s, (at < s.len(ec)).then_some(at)))
}

// ---- making one ----

fn must_c_version(_ec: &mut Ec, this: Value) -> Value {
    this
}

/// `new(string, fixed_anchor: false)`. The options may be a hash; anything else in their place means nothing, as it once did.
fn initialize(ec: &mut Ec, this: This, string: Value, options: Option<Value>) -> Result<()> {
    let is_fixed = match options {
        None => false,
        Some(options) => is_fixed_anchor(ec, options)?,
    };
    let string = ec.to_str(string)?;
    let scanner = this.get(ec);
    scanner.is_fixed.set(is_fixed);
    scanner.string.set(string.value());
    ec.wrote(this.value());
    Ok(())
}

fn is_fixed_anchor(ec: &mut Ec, options: Value) -> Result<bool> {
    let options = ec.try_convert(options, carat_vm::sym::TO_HASH)?;
    let Some(hash) = options.and_then(Hash::from_value) else { return Ok(false) };
    let name = ec.vm().intern("fixed_anchor");
    carat_vm::Keywords(Some(hash)).check(ec, &[name])?;
    Ok(hash.get_symbol(ec, name).is_some_and(Value::truthy))
}

/// All but the Regexp and the kind of anchors: names of groups are unknown to the copy.
fn initialize_copy(ec: &mut Ec, this: This, other: This) -> Value {
    let (scanner, original) = (this.get(ec), other.get(ec));
    if !std::ptr::eq(scanner, original) {
        scanner.string.set(original.string.get());
        scanner.position.set(original.position.get());
        scanner.before.set(original.before.get());
        scanner.is_matched.set(original.is_matched.get());
        scanner.places.borrow_mut().copy(&original.places.borrow());
        ec.wrote(this.value());
    }
    this.value()
}

// ---- the string ----

fn string(ec: &mut Ec, this: This) -> Result<Str> {
    string_of(ec, this)
}

fn set_string(ec: &mut Ec, this: This, string: Str) -> Value {
    let scanner = this.get(ec);
    scanner.string.set(string.value());
    scanner.position.set(0);
    scanner.forget_match();
    ec.wrote(this.value());
    string.value()
}

/// Appends to the string; the position stays.
fn concat(ec: &mut Ec, this: This, text: Value) -> Result {
    string_of(ec, this)?;
    let text = ec.to_str(text)?;
    // The conversion may have put another string there.
    let s = string_of(ec, this)?;
    s.check_mutable(ec)?;
    crate::text::string::append_str(ec, s, text)?;
    Ok(this.value())
}

// ---- the position ----

/// In bytes.
fn position(ec: &mut Ec, this: This) -> Result<usize> {
    string_of(ec, this)?;
    Ok(this.get(ec).position.get())
}

fn set_position(ec: &mut Ec, this: This, position: Value) -> Result {
    string_of(ec, this)?;
    let position = ec.to_long(position)?;
    let len = string_of(ec, this)?.len(ec);
    let position = crate::text::string::from_start(position, len).filter(|at| *at <= len);
    let Some(position) = position else { return Err(ec.range_error("index out of range")) };
    this.get(ec).position.set(position);
    Ok(Value::len(position))
}

/// In characters.
fn char_position(ec: &mut Ec, this: This) -> Result<usize> {
    let s = string_of(ec, this)?;
    let at = this.get(ec).position.get().min(s.len(ec));
    s.range(ec);
    Ok(s.char_index(ec, at))
}

fn is_fixed(ec: &mut Ec, this: This) -> bool {
    this.get(ec).is_fixed.get()
}

fn reset(ec: &mut Ec, this: This) -> Result {
    string_of(ec, this)?;
    go_to(ec, this, 0)
}

fn terminate(ec: &mut Ec, this: This) -> Result {
    let end = string_of(ec, this)?.len(ec);
    go_to(ec, this, end)
}

/// Takes back the last match.
fn unscan(ec: &mut Ec, this: This) -> Result {
    string_of(ec, this)?;
    if !this.get(ec).is_matched.get() {
        return Err(failure(ec, "unscan failed: previous match record not exist"));
    }
    let before = this.get(ec).before.get();
    go_to(ec, this, before)
}

/// A `StringScanner::Error`.
#[cold]
fn failure(ec: &mut Ec, message: &str) -> Unwind {
    let scanner = ec.vm().known().object.nested(ec, "StringScanner");
    let error = scanner.and_then(|class| class.nested(ec, "Error")).filter(|class| class.is_class());
    ec.error(error.unwrap_or(ec.vm().known().standard_error), message)
}

fn go_to(ec: &mut Ec, this: This, position: usize) -> Result {
    let scanner = this.get(ec);
    scanner.position.set(position);
    scanner.forget_match();
    Ok(this.value())
}

fn is_at_end(ec: &mut Ec, this: This) -> Result<bool> {
    Ok(here(ec, this)?.1.is_none())
}

fn has_rest(ec: &mut Ec, this: This) -> Result<bool> {
    Ok(here(ec, this)?.1.is_some())
}

fn rest(ec: &mut Ec, this: This) -> Result<Str> {
    let (s, at) = here(ec, this)?;
    let len = s.len(ec);
    let at = at.unwrap_or(len);
    Ok(s.share(ec, at, len - at))
}

fn rest_size(ec: &mut Ec, this: This) -> Result<usize> {
    let (s, at) = here(ec, this)?;
    Ok(at.map_or(0, |at| s.len(ec) - at))
}

/// Nil where the string has become shorter.
fn is_at_line(ec: &mut Ec, this: This) -> Result {
    let s = string_of(ec, this)?;
    let (bytes, at) = (s.bytes(ec), this.get(ec).position.get());
    Ok(match bytes.get(..at) {
        None => Value::NIL,
        Some(before) => Value::bool(before.last().is_none_or(|byte| *byte == b'\n')),
    })
}

// ---- inspect ----

/// Bytes that are shown on either side.
const SHOWN: usize = 5;

fn inspect(ec: &mut Ec, this: This) -> Result<Str> {
    let class = ec.class_of(this.value()).real().to_text(ec);
    let Some(s) = Str::from_value(this.get(ec).string.get()) else {
        return Ok(Str::from_text(ec, &format!("#<{class} (uninitialized)>")));
    };
    let (bytes, at) = (s.bytes(ec), this.get(ec).position.get());
    let text = match bytes.len() {
        len if at >= len => format!("#<{class} fin>"),
        len if at == 0 => format!("#<{class} 0/{len} @ {}>", shown_after(bytes)),
        len => format!("#<{class} {at}/{len} {} @ {}>", shown_before(&bytes[..at]), shown_after(&bytes[at..])),
    };
    Ok(Str::from_text(ec, &text))
}

fn shown_before(bytes: &[u8]) -> String {
    match bytes.len().checked_sub(SHOWN) {
        None | Some(0) => shown(bytes),
        Some(left_out) => shown(&[b"...", &bytes[left_out..]].concat()),
    }
}

fn shown_after(bytes: &[u8]) -> String {
    if bytes.len() <= SHOWN { shown(bytes) } else { shown(&[&bytes[..SHOWN], b"..."].concat()) }
}

fn shown(bytes: &[u8]) -> String {
    let mut out = Vec::new();
    carat_text::dump::dump(carat_text::text::Text::of(bytes, carat_vm::EncodingIndex::BINARY), &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
