//! Objects as lines of JSON, with CRuby's keys in CRuby's order and punctuation: programs grep them.
//!
//! # Our own keys
//! Between where an object was made and its `memsize` stand, as far as they apply: `capacity` (of a string only where CRuby
//! does not print it further up), `buffer`, `offset`, `slack` (bytes of the buffer that this object does not use),
//! `holders` (how many objects share it), `fields_inline`, `fields_beside` and `ractor`, whose heap it lies in. In place of `value`
//! a string may have `value_hash`.

use super::kinds;
use crate::system::io::IoRef;
use carat_vm::anatomy::Contents;
use carat_vm::recorder::Allocation;
use carat_vm::{Class, CodeRange, Ec, EncodingIndex, Hash, HeapType, Str, Value};
use std::fmt::Write as _;
use std::hash::{Hash as _, Hasher};

/// Bytes that are collected before they are written.
const CHUNK: usize = 64 << 10;

/// Takes the text: a string in the making, or a stream.
pub(super) struct Output {
    text: Vec<u8>,
    /// File descriptor to write to.
    fd: Option<i32>,
    error: Option<std::io::Error>,
}

impl Output {
    pub(super) fn new(fd: Option<i32>) -> Output {
        Output { text: Vec::new(), fd, error: None }
    }

    pub(super) fn push(&mut self, text: &str) {
        self.text.extend_from_slice(text.as_bytes());
        if self.fd.is_some() && self.text.len() > CHUNK {
            self.write_out();
        }
    }

    fn write_out(&mut self) {
        let (Some(fd), None) = (self.fd, &self.error) else { return self.text.clear() };
        let mut at = 0;
        while at < self.text.len() {
            match carat_os::write(fd, &self.text[at..]) {
                Ok(count) => at += count,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == std::io::ErrorKind::WouldBlock => {
                    let _ = carat_os::poll(&[(fd, carat_os::c::POLLOUT)], -1);
                }
                Err(error) => {
                    self.error = Some(error);
                    break;
                }
            }
        }
        self.text.clear();
    }

    /// The text that was not written to a stream.
    pub(super) fn finish(mut self) -> std::io::Result<Vec<u8>> {
        if self.fd.is_some() {
            self.write_out();
        }
        self.error.map_or(Ok(self.text), Err)
    }
}

/// Whether a dump has the contents of strings, which may be secrets, or a hash of each: equal texts have equal ones in all dumps of
/// a process, and nobody who does not know its seed can tell a text by its hash.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Texts {
    Plain,
    Hashed,
}

/// One object, or the value of an immediate.
pub(super) fn object(ec: &Ec, object: Value, ractor: u32, allocation: Option<Allocation>, texts: Texts) -> String {
    if object.header().is_none() {
        return special(ec, object);
    }
    let mut line = Line { ec, object, texts, text: String::with_capacity(256) };
    line.head();
    line.contents();
    line.references();
    line.allocation(allocation);
    line.own_keys(ractor);
    line.tail();
    line.text
}

/// A free slot, as `full:` shows it.
pub(super) fn free_slot(address: usize, slot_bytes: usize) -> String {
    format!("{{\"address\":\"{address:#x}\", \"type\":\"NONE\", \"shape_id\":0, \"slot_size\":{slot_bytes}}}\n")
}

fn special(ec: &Ec, value: Value) -> String {
    match value {
        Value::NIL => "null".into(),
        Value::TRUE => "true".into(),
        Value::FALSE => "false".into(),
        v if v.is_fixnum() => v.fixnum_value().to_string(),
        v => match (v.as_flonum(), v.as_symbol()) {
            (Some(float), _) => general(float),
            (_, Some(symbol)) => {
                format!("{{\"type\":\"SYMBOL\", \"value\":{}}}", quoted(ec.vm().symbol_name(symbol).bytes))
            }
            _ => "{}".into(),
        },
    }
}

/// C's `%#g`: six significant digits, zeros kept.
fn general(float: f64) -> String {
    if !float.is_finite() {
        return if float.is_nan() { "nan".into() } else { format!("{float}") };
    }
    let scientific = format!("{float:.5e}");
    let (digits, exponent) = scientific.split_once('e').expect("a number in scientific form");
    let exponent: i32 = exponent.parse().expect("an exponent");
    if (-4..6).contains(&exponent) {
        let decimals = (5 - exponent) as usize;
        let fixed = format!("{float:.decimals$}");
        return if decimals == 0 { fixed + "." } else { fixed };
    }
    format!("{digits}e{}{:02}", if exponent < 0 { '-' } else { '+' }, exponent.abs())
}

/// A JSON string. Bytes beyond ASCII are passed on if they are UTF-8.
pub(super) fn quoted(bytes: &[u8]) -> String {
    let mut text = String::with_capacity(bytes.len() + 2);
    text.push('"');
    for c in String::from_utf8_lossy(bytes).chars() {
        match c {
            '"' => text.push_str("\\\""),
            '\\' => text.push_str("\\\\"),
            '\u{8}' => text.push_str("\\b"),
            '\t' => text.push_str("\\t"),
            '\u{c}' => text.push_str("\\f"),
            '\n' => text.push_str("\\n"),
            '\r' => text.push_str("\\r"),
            c if c < ' ' || c == '\u{7f}' => {
                let _ = write!(text, "\\u{:04x}", c as u32);
            }
            c => text.push(c),
        }
    }
    text.push('"');
    text
}

pub(super) fn address(value: Value) -> String {
    format!("\"{:#x}\"", value.bits())
}

struct Line<'a> {
    ec: &'a Ec,
    object: Value,
    texts: Texts,
    text: String,
}

impl Line<'_> {
    fn key(&mut self, name: &str, value: impl std::fmt::Display) {
        let _ = write!(self.text, ", \"{name}\":{value}");
    }

    fn flag(&mut self, name: &str, is_set: bool) {
        if is_set {
            self.key(name, "true");
        }
    }

    fn kind(&self) -> HeapType {
        self.object.header().map_or(HeapType::Free, |h| h.heap_type())
    }

    fn head(&mut self) {
        let (ec, object) = (self.ec, self.object);
        let slot_bytes = ec.slot_bytes(object);
        let _ = write!(self.text, "{{\"address\":{}, \"type\":\"{}\"", address(object), kinds::type_name(object));
        self.key("shape_id", ec.shape_number(object));
        self.key("slot_size", slot_bytes);
        if let Some(class) = self.class() {
            self.key("class", address(class));
        }
        self.flag("frozen", ec.is_frozen(object));
    }

    /// The implementation's own objects have none.
    fn class(&self) -> Option<Value> {
        (!kinds::is_internal(self.object)).then(|| self.ec.class_of(self.object).value())
    }

    fn contents(&mut self) {
        let (ec, object) = (self.ec, self.object);
        if let Some(name) = kinds::imemo_name(object) {
            return self.key("imemo_type", format_args!("\"{name}\""));
        }
        if let Some(io) = IoRef::from_value(object) {
            let fd = io.get(ec).fd;
            if fd >= 0 {
                self.key("fd", fd);
            }
            return;
        }
        match self.kind() {
            HeapType::String => self.string(Str::expect(object)),
            HeapType::Hash => self.hash(Hash::expect(object)),
            HeapType::Array => self.array(),
            HeapType::Class | HeapType::Module => self.class_contents(Class::expect(object)),
            HeapType::Float => {
                let text = general(ec.float_of(object).unwrap_or_default());
                self.key("value", format_args!("\"{text}\""));
            }
            HeapType::Object => {
                let (inline, beside) = ec.field_places(object);
                self.flag("embedded", beside == 0);
                self.key("ivars", inline + beside);
            }
            _ => {
                if let Some(name) = kinds::struct_name(object) {
                    self.key("struct", quoted(name.as_bytes()));
                }
            }
        }
    }

    fn string(&mut self, string: Str) {
        let ec = self.ec;
        let contents = ec.contents_of(string.value());
        let is_shared = contents.is_some_and(|c| c.holders > 1);
        self.flag("embedded", contents.is_some_and(|c| c.is_embedded));
        self.flag("fstring", string.is_fstring());
        self.flag("chilled", string.is_chilled());
        if is_shared {
            self.flag("shared", true);
        } else {
            self.string_contents(string, contents);
        }
        if string.encoding() != EncodingIndex::ASCII_8BIT {
            self.key("encoding", quoted(string.encoding().name().as_bytes()));
        }
        let range = match string.known_range() {
            CodeRange::Unknown => "unknown",
            CodeRange::SevenBit => "7bit",
            CodeRange::Valid => "valid",
            CodeRange::Broken => "broken",
        };
        self.key("coderange", format_args!("\"{range}\""));
        self.flag("broken", range == "broken");
    }

    fn string_contents(&mut self, string: Str, contents: Option<Contents>) {
        let bytes = string.bytes(self.ec);
        self.key("bytesize", bytes.len());
        if let Some(contents) = contents.filter(is_capacity_cruby_s) {
            self.key("capacity", contents.capacity);
        }
        let is_ascii = string.known_range() == CodeRange::SevenBit
            || string.known_range() == CodeRange::Unknown && bytes.is_ascii();
        if self.texts == Texts::Hashed && !bytes.is_empty() {
            let seed = self.ec.vm().hash_seed;
            let mut hasher = std::hash::DefaultHasher::new();
            (seed, bytes, seed.rotate_left(32)).hash(&mut hasher);
            self.key("value_hash", format_args!("\"{:016x}\"", hasher.finish()));
        } else if !bytes.is_empty() && string.encoding().is_ascii_compatible() && is_ascii {
            self.key("value", quoted(bytes));
        }
    }

    fn hash(&mut self, hash: Hash) {
        self.key("size", hash.len(self.ec));
        if hash.has_default_proc() {
            self.key("default", address(hash.default(self.ec)));
        }
    }

    fn array(&mut self) {
        let Some(contents) = self.ec.contents_of(self.object) else { return };
        self.key("length", contents.used_bytes / 8);
        self.flag("shared", contents.holders > 1);
        self.flag("embedded", contents.is_embedded);
    }

    fn class_contents(&mut self, class: Class) {
        if class.is_class() {
            self.key("variation_count", 0);
        }
        if let Some(superclass) = class.superclass() {
            self.key("superclass", address(superclass.value()));
        }
        match class.name() {
            Some(name) => self.key("name", quoted(name.as_bytes())),
            None => {
                if let Some(name) = class.is_class().then(|| class.real().name()).flatten() {
                    self.key("real_class_name", quoted(name.as_bytes()));
                }
            }
        }
        self.flag("singleton", class.is_singleton());
    }

    /// Everything that the object refers to but its class.
    fn references(&mut self) {
        let class = self.ec.class_of(self.object).value();
        let mut list = String::new();
        self.ec.references_of(self.object, &mut |value| {
            if value != class {
                list.push_str(if list.is_empty() { "" } else { ", " });
                list.push_str(&address(value));
            }
        });
        if !list.is_empty() {
            self.key("references", format_args!("[{list}]"));
        }
    }

    fn allocation(&mut self, allocation: Option<Allocation>) {
        let Some(Allocation { site, generation }) = allocation else { return };
        self.key("file", quoted(site.path.as_bytes()));
        self.key("line", site.line);
        if let Some(method) = site.method {
            self.key("method", quoted(self.ec.vm().symbol_name(method).bytes));
        }
        self.key("generation", generation);
    }

    fn own_keys(&mut self, ractor: u32) {
        if let Some(contents) = self.ec.contents_of(self.object) {
            self.storage(&contents);
        }
        let (inline, beside) = self.ec.field_places(self.object);
        if inline > 0 {
            self.key("fields_inline", inline);
        }
        if beside > 0 {
            self.key("fields_beside", beside);
        }
        self.key("ractor", ractor + 1);
    }

    fn storage(&mut self, contents: &Contents) {
        let is_string = self.kind() == HeapType::String;
        if !(is_string && is_capacity_cruby_s(contents)) {
            self.key("capacity", contents.capacity / if is_string { 1 } else { 8 });
        }
        if contents.buffer != 0 {
            self.key("buffer", format_args!("\"{:#x}\"", contents.buffer));
            self.key("offset", contents.offset);
            self.key("slack", contents.buffer_bytes - contents.used_bytes);
            self.key("holders", contents.holders);
        }
    }

    fn tail(&mut self) {
        self.key("memsize", self.ec.memsize_of(self.object));
        let flags: Vec<String> =
            self.ec.collector_flags(self.object).iter().map(|name| format!("\"{name}\":true")).collect();
        self.key("flags", format_args!("{{{}}}", flags.join(", ")));
        self.text.push_str("}\n");
    }
}

/// CRuby prints the capacity of a string behind its length where the string has a buffer of its own with room to spare.
fn is_capacity_cruby_s(contents: &Contents) -> bool {
    !contents.is_embedded && contents.holders == 1 && contents.capacity != contents.used_bytes
}

/// A shape: root shapes have no parent here, each class having one of its own.
pub(super) fn shape(ec: &Ec, number: u32) -> String {
    let shapes = &ec.vm().shapes;
    let shape = shapes.get(carat_vm::ShapeId(number));
    let mut text = format!(
        "{{\"address\":\"{:#x}\", \"type\":\"SHAPE\", \"id\":{number}",
        std::ptr::from_ref(shape).expose_provenance()
    );
    if shape.count() == 0 {
        let _ = write!(text, ", \"depth\":0, \"shape_type\":\"ROOT\"");
    } else {
        let name = quoted(ec.vm().symbol_name(shape.name()).bytes);
        let (parent, depth) = (shape.parent().0, shape.count());
        let _ =
            write!(text, ", \"parent_id\":{parent}, \"depth\":{depth}, \"shape_type\":\"IVAR\", \"edge_name\":{name}");
    }
    let _ = writeln!(text, ", \"edges\":{}, \"memsize\":{}}}", shape.edge_count(), shape.memsize());
    text
}
