//! `Oj::StreamWriter`: JSON, piece by piece.
//!
//! Every call writes to the stream what it adds. A stream of the core is lent one string that is used again and again, another one
//! may keep what it is given and gets a new string each time.

use carat_text::json::{Escaping, push_float, push_string};
use carat_text::number::decimal;
use carat_vm::{
    Array, Class, CodeRange, Data, Ec, EncodingIndex, Hash, NativeData, Result, Str, Unwind, Value, methods, sym,
};

methods! {
    METHODS {
        private "__set_up" => set_up;
        "push_array" => push_array;
        "push_object" => push_object;
        "push_value" => push_value;
        "push_key" => push_key;
        "push_json" => push_json;
        "pop" => pop;
        "pop_all" => pop_all;
    }
}

/// A container that is open.
struct Level {
    is_object: bool,
    is_empty: bool,
}

#[derive(Default)]
struct Writer {
    stream: Option<Value>,
    /// The string that a stream of the core is lent.
    lent: Option<Value>,
    indent: usize,
    /// Objects that JSON has no form for are asked for theirs.
    asks_to_json: bool,
    levels: Vec<Level>,
    has_key: bool,
}

impl NativeData for Writer {
    const NAME: &'static str = "Oj::StreamWriter";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        self.stream.into_iter().chain(self.lent).for_each(mark);
    }
}

pub(super) fn define(ec: &mut Ec, module: Class) {
    let Some(class) = module.nested(ec, "StreamWriter") else { return };
    class.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, Writer::default()).value())));
    class.define_methods(ec, METHODS);
}

/// `__set_up(stream, indent, lends, asks_to_json)`
fn set_up(ec: &mut Ec, this: Data<Writer>, stream: Value, indent: i64, lends: bool, asks_to_json: bool) {
    let lent = lends.then(|| Str::with_capacity(ec, 64).value());
    let indent = indent.clamp(0, 64) as usize;
    *this.get_mut(ec) = Writer { stream: Some(stream), lent, indent, asks_to_json, ..Writer::default() };
    ec.wrote(this.value());
}

// ---- methods ----

fn push_array(ec: &mut Ec, this: Data<Writer>, key: Option<Value>) -> Result<()> {
    open(ec, this, key, b'[')
}

fn push_object(ec: &mut Ec, this: Data<Writer>, key: Option<Value>) -> Result<()> {
    open(ec, this, key, b'{')
}

fn open(ec: &mut Ec, this: Data<Writer>, key: Option<Value>, bracket: u8) -> Result<()> {
    let mut out = begin(ec, this, key)?;
    out.push(bracket);
    this.get_mut(ec).levels.push(Level { is_object: bracket == b'{', is_empty: true });
    write(ec, this, &out)
}

fn push_value(ec: &mut Ec, this: Data<Writer>, value: Value, key: Option<Value>) -> Result<()> {
    let mut out = begin(ec, this, key)?;
    let asks = this.get(ec).asks_to_json;
    push(ec, value, asks, &mut out)?;
    write(ec, this, &out)
}

fn push_json(ec: &mut Ec, this: Data<Writer>, json: Str, key: Option<Value>) -> Result<()> {
    let mut out = begin(ec, this, key)?;
    ec.make_room_in(&mut out, json.len(ec))?;
    out.extend_from_slice(json.bytes(ec));
    write(ec, this, &out)
}

fn push_key(ec: &mut Ec, this: Data<Writer>, key: Str) -> Result<()> {
    let writer = this.get(ec);
    if !writer.levels.last().is_some_and(|level| level.is_object) {
        return Err(misuse(ec, "Can only push a key onto an Object."));
    }
    if writer.has_key {
        return Err(misuse(ec, "Can not push more than one key before pushing a non-key."));
    }
    let mut out = Vec::new();
    separate(ec, this, &mut out);
    write_key(ec, key, &mut out)?;
    this.get_mut(ec).has_key = true;
    write(ec, this, &out)
}

fn pop(ec: &mut Ec, this: Data<Writer>) -> Result<()> {
    if this.get(ec).has_key {
        return Err(misuse(ec, "Can not pop after writing a key but no value."));
    }
    let Some(level) = this.get_mut(ec).levels.pop() else {
        return Err(misuse(ec, "Can not pop with no open array or object."));
    };
    let mut out = Vec::new();
    let writer = this.get(ec);
    if !level.is_empty {
        writer.newline(&mut out);
    }
    out.push(if level.is_object { b'}' } else { b']' });
    if writer.levels.is_empty() {
        out.push(b'\n');
    }
    write(ec, this, &out)
}

fn pop_all(ec: &mut Ec, this: Data<Writer>) -> Result<()> {
    while !this.get(ec).levels.is_empty() {
        pop(ec, this)?;
    }
    Ok(())
}

fn misuse(ec: &mut Ec, message: &str) -> Unwind {
    ec.error(ec.vm().known().standard_error, message)
}

// ---- layout ----

impl Writer {
    fn newline(&self, out: &mut Vec<u8>) {
        if self.indent > 0 {
            out.push(b'\n');
            out.extend(std::iter::repeat_n(b' ', self.indent * self.levels.len()));
        }
    }
}

/// What stands before a value: a comma, its key.
fn begin(ec: &mut Ec, this: Data<Writer>, key: Option<Value>) -> Result<Vec<u8>> {
    let key = match key {
        Some(key) if !key.is_nil() => Some(ec.to_str(key)?),
        _ => None,
    };
    let writer = this.get(ec);
    let mut out = Vec::new();
    if writer.has_key {
        this.get_mut(ec).has_key = false;
        return Ok(out);
    }
    if key.is_none() && writer.levels.last().is_some_and(|level| level.is_object) {
        return Err(misuse(ec, "Can not push onto an Object without a key."));
    }
    separate(ec, this, &mut out);
    if let Some(key) = key {
        write_key(ec, key, &mut out)?;
    }
    Ok(out)
}

fn separate(ec: &mut Ec, this: Data<Writer>, out: &mut Vec<u8>) {
    let writer = this.get_mut(ec);
    let Some(level) = writer.levels.last_mut() else { return };
    if !std::mem::replace(&mut level.is_empty, false) {
        out.push(b',');
    }
    writer.newline(out);
}

fn write_key(ec: &mut Ec, key: Str, out: &mut Vec<u8>) -> Result<()> {
    ec.make_room_in(out, key.len(ec) + 3)?;
    push_string(key.bytes(ec), Escaping::default(), out);
    out.push(b':');
    Ok(())
}

fn write(ec: &mut Ec, this: Data<Writer>, out: &[u8]) -> Result<()> {
    let (stream, lent) = (this.get(ec).stream, this.get(ec).lent);
    let Some(stream) = stream else { return Err(ec.argument_error("uninitialized stream writer")) };
    let text = match lent.and_then(Str::from_value) {
        Some(text) => {
            text.clear(ec);
            text.push_bytes(ec, out);
            text
        }
        None => Str::try_new(ec, out, EncodingIndex::UTF_8, CodeRange::Unknown)?,
    };
    ec.call(stream, sym::WRITE, &[text.value()])?;
    Ok(())
}

// ---- values ----

fn push(ec: &mut Ec, value: Value, asks: bool, out: &mut Vec<u8>) -> Result<()> {
    match value {
        Value::NIL => out.extend(b"null"),
        Value::TRUE => out.extend(b"true"),
        Value::FALSE => out.extend(b"false"),
        _ => return push_object_value(ec, value, asks, out),
    }
    Ok(())
}

fn push_object_value(ec: &mut Ec, value: Value, asks: bool, out: &mut Vec<u8>) -> Result<()> {
    if let Some(number) = value.as_fixnum() {
        decimal::push_i64(out, number);
    } else if let Some(number) = ec.bignum_of(value) {
        out.extend(decimal::big_to_string(number, 10));
    } else if let Some(f) = ec.float_of(value) {
        push_oj_float(f, out);
    } else if let Some(text) = Str::from_value(value) {
        ec.make_room_in(out, text.len(ec) + 2)?;
        push_string(text.bytes(ec), Escaping::default(), out);
    } else if let Some(array) = Array::from_value(value) {
        return push_elements(ec, array, asks, out);
    } else if let Some(hash) = Hash::from_value(value) {
        return push_pairs(ec, hash, asks, out);
    } else {
        return push_other(ec, value, asks, out);
    }
    Ok(())
}

/// From here on floats are no integers of 64 bits.
const TWO_TO_63: f64 = 9_223_372_036_854_775_808.0;

/// Whole numbers as such, others with the shortest digits that read back; what is no number in the gem's own notation.
fn push_oj_float(f: f64, out: &mut Vec<u8>) {
    if f.is_nan() {
        out.extend(b"3.3e14159265358979323846");
    } else if f.is_infinite() {
        out.extend(if f > 0.0 { &b"3.0e14159265358979323846"[..] } else { b"-3.0e14159265358979323846" });
    } else if f != 0.0 && f.trunc() == f && f.abs() < TWO_TO_63 {
        decimal::push_i64(out, f as i64);
        out.extend(b".0");
    } else {
        push_float(out, f);
    }
}

fn push_elements(ec: &mut Ec, array: Array, asks: bool, out: &mut Vec<u8>) -> Result<()> {
    ec.check_native_stack()?;
    out.push(b'[');
    let mut index = 0;
    while let Some(element) = array.get(ec, index) {
        if index > 0 {
            out.push(b',');
        }
        push(ec, element, asks, out)?;
        index += 1;
    }
    out.push(b']');
    Ok(())
}

fn push_pairs(ec: &mut Ec, hash: Hash, asks: bool, out: &mut Vec<u8>) -> Result<()> {
    ec.check_native_stack()?;
    out.push(b'{');
    let (mut position, mut is_first) = (0, true);
    while let Some(next) = hash.next(ec, position) {
        position = next;
        if !std::mem::replace(&mut is_first, false) {
            out.push(b',');
        }
        let (key, value) = (hash.key_at(ec, next - 1), hash.value_at(ec, next - 1));
        match key.as_symbol() {
            Some(_) => push_other(ec, key, asks, out)?,
            None => {
                let name = ec.to_s(key)?;
                push(ec, name.value(), asks, out)?;
            }
        }
        out.push(b':');
        push(ec, value, asks, out)?;
    }
    out.push(b'}');
    Ok(())
}

/// A symbol, with a colon in front unless objects are to be asked for their JSON; or such an object.
fn push_other(ec: &mut Ec, value: Value, asks: bool, out: &mut Vec<u8>) -> Result<()> {
    if let Some(symbol) = value.as_symbol() {
        let name = ec.vm().symbol_name(symbol).bytes;
        let text = if asks { name.to_vec() } else { [b":", name].concat() };
        push_string(&text, Escaping::default(), out);
        return Ok(());
    }
    if !asks {
        let class = ec.class_of(value).real().to_text(ec);
        return Err(ec.type_error(&format!("can't write {class} as JSON without mode: :compat")));
    }
    let text = ec.call(value, ec.vm().intern("to_json"), &[])?;
    let text = ec.to_str(text)?;
    out.extend_from_slice(text.bytes(ec));
    Ok(())
}
