//! The native half of `lib/msgpack.rb`: values as MessagePack, and back.
//!
//! A packer's bytes are one string that grows. What the format has no type for is handed to the packer, and what it calls an
//! extension to the unpacker: those are Ruby objects. A value that is not there as a whole yet is read again from its beginning
//! when more has come.

use carat_vm::{Array, Class, CodeRange, Ec, EncodingIndex, Hash, Result, Str, SymbolId, Unwind, Value, methods};
use num_traits::ToPrimitive;

methods! {
    METHODS {
        static "__pack" => pack;
        static "__header" => header;
        static "__unpack" => unpack;
    }
}

/// `require "msgpack.so"`
pub(crate) fn init(ec: &mut Ec) {
    let Some(module) = module(ec) else { return };
    module.define_methods(ec, METHODS);
}

fn module(ec: &Ec) -> Option<Class> {
    ec.vm().known().object.nested(ec, "MessagePack")
}

// ---- writing ----

/// `__pack(buffer, value, packer)`: appends the value; `packer.__other(value)` does so for what has no type.
fn pack(ec: &mut Ec, _this: Value, buffer: Str, value: Value, packer: Value) -> Result<()> {
    let mut out = Vec::new();
    let mut writer = Writer { buffer, packer, out: &mut out };
    writer.value(ec, value)?;
    writer.hand_over(ec)
}

/// `__header(buffer, kind, count)`: appends the header of an array (0), a map (1), binary data (2), or an extension of type
/// `kind - 1000`.
fn header(ec: &mut Ec, _this: Value, buffer: Str, kind: i64, count: i64) -> Result<()> {
    let Ok(count) = u32::try_from(count) else { return Err(ec.range_error("size is out of range of 32 bits")) };
    let mut out = Vec::new();
    match kind {
        0 => push_sized(&mut out, ARRAY, count),
        1 => push_sized(&mut out, MAP, count),
        2 => push_sized(&mut out, BINARY, count),
        _ => push_extension(&mut out, (kind - 1000) as i8, count),
    }
    append(ec, buffer, &out)
}

fn append(ec: &mut Ec, buffer: Str, bytes: &[u8]) -> Result<()> {
    buffer.make_room(ec, bytes.len())?;
    buffer.push_bytes_with(ec, bytes, CodeRange::Unknown);
    Ok(())
}

/// The codes of a type whose values have a size: the one with the size in it and how many those are, and those with sizes of one,
/// two and four bytes.
struct Sized {
    fixed: (u8, u32),
    codes: [Option<u8>; 3],
}

const TEXT: Sized = Sized { fixed: (0xa0, 32), codes: [Some(0xd9), Some(0xda), Some(0xdb)] };
const BINARY: Sized = Sized { fixed: (0, 0), codes: [Some(0xc4), Some(0xc5), Some(0xc6)] };
const ARRAY: Sized = Sized { fixed: (0x90, 16), codes: [None, Some(0xdc), Some(0xdd)] };
const MAP: Sized = Sized { fixed: (0x80, 16), codes: [None, Some(0xde), Some(0xdf)] };

fn push_sized(out: &mut Vec<u8>, kind: Sized, count: u32) {
    if count < kind.fixed.1 {
        return out.push(kind.fixed.0 | count as u8);
    }
    match kind.codes {
        [Some(code), ..] if count < 1 << 8 => out.extend([code, count as u8]),
        [_, Some(code), _] if count < 1 << 16 => {
            out.push(code);
            out.extend((count as u16).to_be_bytes());
        }
        [_, _, code] => {
            out.extend(code);
            out.extend(count.to_be_bytes());
        }
    }
}

fn push_extension(out: &mut Vec<u8>, kind: i8, count: u32) {
    match count {
        1 | 2 | 4 | 8 | 16 => out.push(0xd4 + count.trailing_zeros() as u8),
        _ => push_sized(out, Sized { fixed: (0, 0), codes: [Some(0xc7), Some(0xc8), Some(0xc9)] }, count),
    }
    out.push(kind as u8);
}

struct Writer<'a> {
    buffer: Str,
    packer: Value,
    /// What is not in the buffer yet.
    out: &'a mut Vec<u8>,
}

impl Writer<'_> {
    fn hand_over(&mut self, ec: &mut Ec) -> Result<()> {
        let done = append(ec, self.buffer, self.out);
        self.out.clear();
        done
    }

    fn value(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        match value {
            Value::NIL => self.out.push(0xc0),
            Value::FALSE => self.out.push(0xc2),
            Value::TRUE => self.out.push(0xc3),
            _ if value.is_fixnum() => push_integer(self.out, value.as_fixnum().unwrap_or(0)),
            _ => return self.object(ec, value),
        }
        Ok(())
    }

    fn object(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        if let Some(f) = ec.float_of(value) {
            self.out.push(0xcb);
            self.out.extend(f.to_be_bytes());
        } else if ec.is_integer(value) {
            return self.large(ec, value);
        } else if let Some(symbol) = value.as_symbol() {
            return self.symbol(ec, symbol);
        } else if is_of_subclass(ec, value) && self.extension(ec, value)? {
            return Ok(());
        } else if let Some(text) = Str::from_value(value) {
            return self.text(ec, text);
        } else if let Some(array) = Array::from_value(value) {
            return self.array(ec, array);
        } else if let Some(hash) = Hash::from_value(value) {
            return self.map(ec, hash);
        } else {
            self.hand_over(ec)?;
            ec.call(self.packer, ec.vm().intern("__other"), &[value])?;
        }
        Ok(())
    }

    /// Whether the value's class is an extension: then the packer has written it.
    fn extension(&mut self, ec: &mut Ec, value: Value) -> Result<bool> {
        self.hand_over(ec)?;
        Ok(ec.call(self.packer, ec.vm().intern("__extension"), &[value])?.truthy())
    }

    /// The name, unless symbols are an extension.
    fn symbol(&mut self, ec: &mut Ec, symbol: SymbolId) -> Result<()> {
        if self.extension(ec, Value::symbol(symbol))? {
            return Ok(());
        }
        let name = ec.symbol_to_str(symbol);
        self.text(ec, name)
    }

    fn large(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        let number = ec.bignum_of(value);
        if let Some(number) = number.and_then(ToPrimitive::to_i64) {
            push_integer(self.out, number);
        } else if let Some(number) = number.and_then(ToPrimitive::to_u64) {
            self.out.push(0xcf);
            self.out.extend(number.to_be_bytes());
        } else {
            self.hand_over(ec)?;
            ec.call(self.packer, ec.vm().intern("__other"), &[value])?;
        }
        Ok(())
    }

    fn text(&mut self, ec: &mut Ec, text: Str) -> Result<()> {
        let encoding = text.encoding();
        let is_text = encoding == EncodingIndex::UTF_8 || encoding == EncodingIndex::US_ASCII;
        let text = if is_text || encoding == EncodingIndex::ASCII_8BIT {
            text
        } else {
            let utf_8 = ec.str("UTF-8");
            let encoded = ec.call(text.value(), ec.vm().intern("encode"), &[utf_8])?;
            ec.to_str(encoded)?
        };
        let Ok(len) = u32::try_from(text.len(ec)) else { return Err(ec.range_error("string is too long")) };
        push_sized(self.out, if encoding == EncodingIndex::ASCII_8BIT { BINARY } else { TEXT }, len);
        ec.make_room_in(self.out, len as usize)?;
        self.out.extend_from_slice(text.bytes(ec));
        Ok(())
    }

    fn array(&mut self, ec: &mut Ec, array: Array) -> Result<()> {
        ec.check_native_stack()?;
        ec.check_ints()?;
        let count = array.len(ec);
        push_sized(self.out, ARRAY, u32::try_from(count).unwrap_or(u32::MAX));
        for index in 0..count {
            self.value(ec, array.at(ec, index))?;
        }
        Ok(())
    }

    fn map(&mut self, ec: &mut Ec, hash: Hash) -> Result<()> {
        ec.check_native_stack()?;
        ec.check_ints()?;
        push_sized(self.out, MAP, u32::try_from(hash.len(ec)).unwrap_or(u32::MAX));
        hash.enter_iteration(ec);
        let done = self.pairs(ec, hash);
        hash.leave_iteration(ec);
        done
    }

    fn pairs(&mut self, ec: &mut Ec, hash: Hash) -> Result<()> {
        let mut position = 0;
        while let Some(next) = hash.next(ec, position) {
            position = next;
            self.value(ec, hash.key_at(ec, next - 1))?;
            self.value(ec, hash.value_at(ec, next - 1))?;
        }
        Ok(())
    }
}

/// Of a class below String, Array or Hash, which may be an extension where those are none.
fn is_of_subclass(ec: &Ec, value: Value) -> bool {
    let is_container =
        Str::from_value(value).is_some() || Array::from_value(value).is_some() || Hash::from_value(value).is_some();
    is_container && !ec.is_plain_core(value)
}

/// In as few bytes as hold it.
fn push_integer(out: &mut Vec<u8>, number: i64) {
    match number {
        -32..=127 => out.push(number as u8),
        128..=0xff => out.extend([0xcc, number as u8]),
        0x100..=0xffff => {
            out.push(0xcd);
            out.extend((number as u16).to_be_bytes());
        }
        0x1_0000..=0xffff_ffff => {
            out.push(0xce);
            out.extend((number as u32).to_be_bytes());
        }
        0x1_0000_0000.. => {
            out.push(0xcf);
            out.extend(number.to_be_bytes());
        }
        -0x80..=-33 => out.extend([0xd0, number as u8]),
        -0x8000..=-0x81 => {
            out.push(0xd1);
            out.extend((number as i16).to_be_bytes());
        }
        -0x8000_0000..=-0x8001 => {
            out.push(0xd2);
            out.extend((number as i32).to_be_bytes());
        }
        _ => {
            out.push(0xd3);
            out.extend(number.to_be_bytes());
        }
    }
}

// ---- reading ----

/// Flags of `__unpack`.
const SYMBOLIZE_KEYS: i64 = 1;
const FREEZE: i64 = 2;

/// `__unpack(buffer, position, unpacker, flags, into)`: puts the value at the position into the array `into`, with
/// the position behind it; false if it is not there as a whole. `unpacker.__extension(type, payload)` makes what is an extension.
fn unpack(
    ec: &mut Ec,
    _this: Value,
    buffer: Str,
    position: i64,
    unpacker: Value,
    flags: i64,
    into: Array,
) -> Result<bool> {
    let at = usize::try_from(position).unwrap_or(usize::MAX);
    let (symbolize_keys, freeze) = (flags & SYMBOLIZE_KEYS != 0, flags & FREEZE != 0);
    let mut reader = MsgpackReader { buffer, at, unpacker, symbolize_keys, freeze };
    let Some(value) = reader.value(ec, false)? else { return Ok(false) };
    into.set(ec, 0, value);
    into.set(ec, 1, Value::len(reader.at));
    Ok(true)
}

struct MsgpackReader {
    buffer: Str,
    at: usize,
    unpacker: Value,
    symbolize_keys: bool,
    freeze: bool,
}

/// Nothing: the buffer ends before the value does.
type Read<T> = Result<Option<T>>;

impl MsgpackReader {
    /// The next bytes.
    fn take<const N: usize>(&mut self, ec: &Ec) -> Option<[u8; N]> {
        let bytes = self.buffer.bytes(ec).get(self.at..)?.first_chunk::<N>().copied()?;
        self.at += N;
        Some(bytes)
    }

    /// A size of so many bytes.
    fn size(&mut self, ec: &Ec, width: u8) -> Option<usize> {
        Some(match width {
            0 => self.take::<1>(ec)?[0].into(),
            1 => u16::from_be_bytes(self.take(ec)?).into(),
            _ => u32::from_be_bytes(self.take(ec)?) as usize,
        })
    }

    fn value(&mut self, ec: &mut Ec, is_key: bool) -> Read<Value> {
        let Some([code]) = self.take::<1>(ec) else { return Ok(None) };
        Ok(match code {
            0..=0x7f => Some(ec.int(code.into())),
            0xe0..=0xff => Some(ec.int(i64::from(code as i8))),
            0x80..=0x8f => return self.map(ec, (code & 15).into()),
            0x90..=0x9f => return self.array(ec, (code & 15).into()),
            0xa0..=0xbf => self.text(ec, (code & 31).into(), is_key),
            0xc0 => Some(Value::NIL),
            0xc2 => Some(Value::FALSE),
            0xc3 => Some(Value::TRUE),
            0xc4..=0xc6 => self.size(ec, code - 0xc4).and_then(|size| self.binary(ec, size)),
            0xc7..=0xc9 => return self.sized_extension(ec, code - 0xc7),
            0xca..=0xd3 => self.number(ec, code),
            0xd4..=0xd8 => return self.extension(ec, 1 << (code - 0xd4)),
            0xd9..=0xdb => self.size(ec, code - 0xd9).and_then(|size| self.text(ec, size, is_key)),
            0xdc | 0xdd => match self.size(ec, code - 0xdb) {
                Some(size) => return self.array(ec, size),
                None => None,
            },
            0xde | 0xdf => match self.size(ec, code - 0xdd) {
                Some(size) => return self.map(ec, size),
                None => None,
            },
            0xc1 => return Err(malformed(ec)),
        })
    }

    fn number(&mut self, ec: &Ec, code: u8) -> Option<Value> {
        Some(match code {
            0xca => ec.float(f32::from_be_bytes(self.take(ec)?).into()),
            0xcb => ec.float(f64::from_be_bytes(self.take(ec)?)),
            0xcc => ec.int(self.take::<1>(ec)?[0].into()),
            0xcd => ec.int(u16::from_be_bytes(self.take(ec)?).into()),
            0xce => ec.int(u32::from_be_bytes(self.take(ec)?).into()),
            0xcf => ec.uint(u64::from_be_bytes(self.take(ec)?)),
            0xd0 => ec.int(i8::from_be_bytes(self.take(ec)?).into()),
            0xd1 => ec.int(i16::from_be_bytes(self.take(ec)?).into()),
            0xd2 => ec.int(i32::from_be_bytes(self.take(ec)?).into()),
            _ => ec.int(i64::from_be_bytes(self.take(ec)?)),
        })
    }

    /// The next `size` bytes.
    fn bytes<'a>(&mut self, ec: &'a Ec, size: usize) -> Option<&'a [u8]> {
        let end = self.at.checked_add(size)?;
        let bytes = self.buffer.bytes(ec).get(self.at..end)?;
        self.at = end;
        Some(bytes)
    }

    fn text(&mut self, ec: &Ec, size: usize, is_key: bool) -> Option<Value> {
        let (freeze, symbolize) = (self.freeze, self.symbolize_keys);
        let bytes = self.bytes(ec, size)?;
        if is_key && symbolize {
            return Some(Value::symbol(ec.vm().intern_bytes(bytes, EncodingIndex::UTF_8)));
        }
        if is_key || freeze {
            return Some(ec.fstring(bytes, EncodingIndex::UTF_8).value());
        }
        let range = if bytes.is_ascii() { CodeRange::SevenBit } else { CodeRange::Unknown };
        Some(Str::new(ec, bytes, EncodingIndex::UTF_8, range).value())
    }

    fn binary(&mut self, ec: &Ec, size: usize) -> Option<Value> {
        let freeze = self.freeze;
        let value = Str::binary(ec, self.bytes(ec, size)?).value();
        if freeze {
            ec.freeze(value);
        }
        Some(value)
    }

    /// No more is set aside than what is there can hold.
    fn plausible(&self, ec: &Ec, count: usize) -> usize {
        count.min(self.buffer.len(ec).saturating_sub(self.at))
    }

    fn array(&mut self, ec: &mut Ec, count: usize) -> Read<Value> {
        ec.check_native_stack()?;
        ec.check_ints()?;
        if self.plausible(ec, count) < count {
            return Ok(None);
        }
        let array = Array::new(ec, count);
        for _ in 0..count {
            let Some(element) = self.value(ec, false)? else { return Ok(None) };
            array.push(ec, element);
        }
        Ok(Some(self.frozen(ec, array.value())))
    }

    fn map(&mut self, ec: &mut Ec, count: usize) -> Read<Value> {
        ec.check_native_stack()?;
        ec.check_ints()?;
        if self.plausible(ec, count.saturating_mul(2)) < count.saturating_mul(2) {
            return Ok(None);
        }
        let hash = Hash::with_capacity(ec, count);
        for _ in 0..count {
            let Some(key) = self.value(ec, true)? else { return Ok(None) };
            let Some(value) = self.value(ec, false)? else { return Ok(None) };
            hash.store(ec, key, value)?;
        }
        Ok(Some(self.frozen(ec, hash.value())))
    }

    fn frozen(&self, ec: &Ec, value: Value) -> Value {
        if self.freeze {
            ec.freeze(value);
        }
        value
    }

    fn sized_extension(&mut self, ec: &mut Ec, width: u8) -> Read<Value> {
        match self.size(ec, width) {
            Some(size) => self.extension(ec, size),
            None => Ok(None),
        }
    }

    fn extension(&mut self, ec: &mut Ec, size: usize) -> Read<Value> {
        let Some([kind]) = self.take::<1>(ec) else { return Ok(None) };
        let Some(payload) = self.bytes(ec, size) else { return Ok(None) };
        let payload = Str::binary(ec, payload).value();
        let kind = ec.int(i64::from(kind as i8));
        let name: SymbolId = ec.vm().intern("__extension");
        ec.call(self.unpacker, name, &[kind, payload]).map(Some)
    }
}

fn malformed(ec: &mut Ec) -> Unwind {
    let class = module(ec)
        .and_then(|module| module.nested(ec, "MalformedFormatError"))
        .unwrap_or(ec.vm().known().standard_error);
    ec.error(class, "invalid byte")
}
