//! Writing.

use super::ancestry::{write_kind, write_user_class};
use super::{exceptions, intern, kind, name, path_of};
use carat_text::number::float_text::push_marshal_float;
use carat_vm::{Array, Class, CodeRange, Ec, EncodingIndex, Hash, HeapType, Result, Str, SymbolId, Value, sym};
use num_bigint::{BigInt, Sign};
use rustc_hash::{FxHashMap, FxHashSet};

/// A port gets the bytes in pieces of this size.
const FLUSH_BYTES: usize = 8192;

/// More than anything takes but texts, which ask for their room.
const SMALL_BYTES: usize = 1024;

/// What is being written, and what has been.
pub(super) struct Dumper {
    out: Vec<u8>,
    port: Option<Value>,
    symbols: FxHashMap<SymbolId, usize>,
    /// Numbers of objects, by [`object_key`].
    objects: FxHashMap<u64, usize>,
    /// The objects that have numbers, so that they stay.
    kept: Array,
    /// The next number; integers and other objects that nothing links to take some, too.
    entries: usize,
    /// Objects whose `_dump` result is being written.
    user_defined: FxHashSet<u64>,
}

/// An object's bits, no two of which become the same. Floats in words differ in their upper halves alone, of which the hash of a
/// word makes too little.
fn object_key(object: Value) -> u64 {
    object.bits() ^ object.bits() >> 32
}

/// How an object's encoding is written.
#[derive(Clone, Copy, PartialEq, Eq)]
enum EncodingNote {
    None,
    /// `E`: false is US-ASCII, true UTF-8.
    Short(bool),
    Name(EncodingIndex),
}

/// Instance variables that follow an object.
struct Trailer {
    encoding: EncodingNote,
    is_ruby2_keywords: bool,
    names: Vec<SymbolId>,
    /// Whose they are.
    owner: Value,
}

impl Trailer {
    fn len(&self) -> usize {
        usize::from(self.encoding != EncodingNote::None) + usize::from(self.is_ruby2_keywords) + self.names.len()
    }
}

/// Dumps an object to a port, which is the result, or as a string.
pub(super) fn dump(ec: &mut Ec, object: Value, port: Option<Value>, limit: i64) -> Result {
    if let Some(port) = port {
        if !ec.respond_to(port, sym::WRITE, false)? {
            return Err(super::io_needed(ec));
        }
        ec.call_if_responds(port, intern(ec, "binmode"), &[])?;
    }
    let mut dumper = Dumper {
        out: vec![super::MAJOR, super::MINOR],
        port,
        symbols: FxHashMap::default(),
        objects: FxHashMap::default(),
        kept: Array::new(ec, 0),
        entries: 0,
        user_defined: FxHashSet::default(),
    };
    dumper.object(ec, object, limit)?;
    match port {
        Some(port) => dumper.flush(ec, port).map(|()| port),
        None => Str::try_of_vec(ec, dumper.out, EncodingIndex::BINARY, CodeRange::Unknown).map(Str::value),
    }
}

impl Dumper {
    // ---- bytes ----

    pub(super) fn byte(&mut self, byte: u8) {
        self.out.push(byte);
    }

    fn flush(&mut self, ec: &mut Ec, port: Value) -> Result<()> {
        let text = Str::binary(ec, &self.out).value();
        self.out.clear();
        ec.call(port, sym::WRITE, &[text]).map(drop)
    }

    /// A number of up to 32 bits.
    fn long(&mut self, ec: &mut Ec, number: i64) -> Result<()> {
        let Ok(number) = i32::try_from(number) else { return Err(ec.type_error("long too big to dump")) };
        push_long(&mut self.out, number);
        Ok(())
    }

    fn len(&mut self, ec: &mut Ec, len: usize) -> Result<()> {
        self.long(ec, i64::try_from(len).unwrap_or(i64::MAX))
    }

    fn str_bytes(&mut self, ec: &mut Ec, s: Str) -> Result<()> {
        self.len(ec, s.len(ec))?;
        ec.make_room_in(&mut self.out, s.len(ec) + SMALL_BYTES)?;
        self.out.extend_from_slice(s.bytes(ec));
        Ok(())
    }

    // ---- numbers of objects ----

    fn remember(&mut self, ec: &Ec, object: Value) {
        self.objects.insert(object_key(object), self.entries);
        if object.is_heap() {
            self.kept.push(ec, object);
        }
        self.entries += 1;
    }

    // ---- symbols ----

    pub(super) fn symbol(&mut self, ec: &mut Ec, symbol: SymbolId) -> Result<()> {
        if let Some(number) = self.symbols.get(&symbol).copied() {
            self.byte(kind::SYMBOL_LINK);
            return self.len(ec, number);
        }
        let text = ec.symbol_to_str(symbol);
        let note = if text.is_ascii(ec) { EncodingNote::None } else { encoding_note(text.encoding()) };
        if note != EncodingNote::None {
            self.byte(kind::IVARS);
        }
        self.byte(kind::SYMBOL);
        self.str_bytes(ec, text)?;
        self.symbols.insert(symbol, self.symbols.len());
        self.lone_encoding(ec, note)
    }

    /// The encoding of a name, as its only instance variable.
    fn lone_encoding(&mut self, ec: &mut Ec, note: EncodingNote) -> Result<()> {
        if note == EncodingNote::None {
            return Ok(());
        }
        self.long(ec, 1)?;
        self.encoding(ec, note, 1)
    }

    fn encoding(&mut self, ec: &mut Ec, note: EncodingNote, limit: i64) -> Result<()> {
        let limit = if limit >= 0 { limit + 1 } else { limit };
        match note {
            EncodingNote::None => Ok(()),
            EncodingNote::Short(is_utf8) => {
                self.symbol(ec, intern(ec, name::ENCODING_SHORT))?;
                self.object(ec, Value::bool(is_utf8), limit)
            }
            EncodingNote::Name(encoding) => {
                self.symbol(ec, intern(ec, name::ENCODING))?;
                // One string for each encoding, so that the second time is a link.
                let text = ec.fstring(encoding.name().as_bytes(), EncodingIndex::BINARY);
                self.object(ec, text.value(), limit)
            }
        }
    }

    // ---- objects ----

    /// Writes any value; `limit` is the depth that is left, negative for any.
    pub(super) fn object(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        if limit == 0 {
            return Err(ec.argument_error("exceed depth limit"));
        }
        ec.check_ints()?;
        ec.make_room_in(&mut self.out, SMALL_BYTES)?;
        match object {
            Value::NIL => self.byte(kind::NIL),
            Value::TRUE => self.byte(kind::TRUE),
            Value::FALSE => self.byte(kind::FALSE),
            _ => return self.object_with_parts(ec, object, limit),
        }
        Ok(())
    }

    fn object_with_parts(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        if let Some(number) = object.as_fixnum() {
            return self.fixnum(ec, number);
        }
        if let Some(symbol) = object.as_symbol() {
            return self.symbol(ec, symbol);
        }
        if let Some(number) = self.objects.get(&object_key(object)).copied() {
            self.byte(kind::LINK);
            return self.len(ec, number);
        }
        ec.check_native_stack()?;
        let limit = if limit > 0 { limit - 1 } else { limit };
        if let Some(float) = ec.float_of(object) {
            self.remember(ec, object);
            self.float(float);
            return Ok(());
        }
        if ec.respond_to(object, sym::MARSHAL_DUMP, true)? {
            return self.user_marshal(ec, object, limit);
        }
        if ec.respond_to(object, sym::_DUMP, true)? {
            return self.user_defined(ec, object, limit);
        }
        self.remember(ec, object);
        self.plain(ec, object, limit)?;
        match self.port {
            Some(port) if self.out.len() >= FLUSH_BYTES => self.flush(ec, port),
            _ => Ok(()),
        }
    }

    /// 31 bits, or a bignum that nothing can link to.
    fn fixnum(&mut self, ec: &mut Ec, number: i64) -> Result<()> {
        if (-(1 << 30)..1 << 30).contains(&number) {
            self.byte(kind::FIXNUM);
            return self.long(ec, number);
        }
        self.entries += 1;
        self.bignum(ec, &BigInt::from(number))
    }

    fn bignum(&mut self, ec: &mut Ec, number: &BigInt) -> Result<()> {
        let (sign, mut bytes) = number.to_bytes_le();
        if !bytes.len().is_multiple_of(2) {
            bytes.push(0);
        }
        self.byte(kind::BIGNUM);
        self.byte(if sign == Sign::Minus { b'-' } else { b'+' });
        self.len(ec, bytes.len() / 2)?;
        self.out.extend_from_slice(&bytes);
        Ok(())
    }

    fn float(&mut self, float: f64) {
        self.byte(kind::FLOAT);
        let length_at = self.out.len();
        self.byte(0);
        push_marshal_float(&mut self.out, float);
        // Lengths up to 122 are written as one byte, five more.
        let length = self.out.len() - length_at - 1;
        self.out[length_at] = length as u8 + 5;
    }

    /// An object as the result of its `marshal_dump`.
    fn user_marshal(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        self.remember(ec, object);
        let result = ec.call(object, sym::MARSHAL_DUMP, &[])?;
        check_another_class(ec, object, result, "marshal_dump")?;
        write_kind(ec, self, kind::USER_MARSHAL, object, false)?;
        self.object(ec, result, limit)
    }

    /// An object as the string that its `_dump` answers.
    fn user_defined(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        if self.user_defined.contains(&object.bits()) {
            return Err(ec.runtime_error("can't dump recursive object using _dump()"));
        }
        let result = ec.call(object, sym::_DUMP, &[ec.int(limit)])?;
        check_another_class(ec, object, result, "_dump")?;
        let Some(text) = Str::from_value(result) else { return Err(ec.type_error("_dump() must return string")) };
        let trailer = trailer_of(ec, result);
        let trailer = if trailer.len() > 0 { trailer } else { trailer_of(ec, object) };
        let has_trailer = trailer.len() > 0;
        if has_trailer {
            self.byte(kind::IVARS);
        }
        write_kind(ec, self, kind::USER_DEFINED, object, false)?;
        self.str_bytes(ec, text)?;
        if has_trailer {
            self.user_defined.insert(object.bits());
            self.trailer(ec, &trailer, limit)?;
            self.user_defined.remove(&object.bits());
        }
        self.remember(ec, object);
        Ok(())
    }

    /// An object without a dump method of its own.
    fn plain(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        let trailer = trailer_of(ec, object);
        if trailer.len() > 0 {
            self.byte(kind::IVARS);
        }
        self.contents(ec, object, limit)?;
        if trailer.len() > 0 { self.trailer(ec, &trailer, limit) } else { Ok(()) }
    }

    fn contents(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        let known = ec.vm().known();
        let kind = object.header().map_or(HeapType::Free, |h| h.heap_type());
        match kind {
            HeapType::Class | HeapType::Module => self.class(ec, Class::expect(object)),
            HeapType::Bignum => {
                let number = ec.to_bigint(object).unwrap_or_default();
                self.bignum(ec, &number)
            }
            HeapType::String => {
                write_user_class(ec, self, object, known.string)?;
                self.byte(kind::STRING);
                self.str_bytes(ec, Str::expect(object))
            }
            HeapType::Array => {
                write_user_class(ec, self, object, known.array)?;
                self.array(ec, Array::expect(object), limit)
            }
            HeapType::Hash => {
                write_user_class(ec, self, object, known.hash)?;
                self.hash(ec, Hash::expect(object), limit)
            }
            HeapType::Struct => {
                write_kind(ec, self, kind::STRUCT, object, true)?;
                self.members(ec, object, limit)
            }
            HeapType::Range => self.range(ec, object, limit),
            HeapType::Object | HeapType::Set => self.fields(ec, object, limit),
            _ => self.native(ec, object, limit),
        }
    }

    fn class(&mut self, ec: &mut Ec, class: Class) -> Result<()> {
        if class.is_singleton() {
            return Err(ec.type_error("singleton class can't be dumped"));
        }
        let path = path_of(ec, class)?;
        let note = if path.is_ascii(ec) { EncodingNote::None } else { encoding_note(path.encoding()) };
        if note != EncodingNote::None {
            self.byte(kind::IVARS);
        }
        self.byte(if class.is_module() { kind::MODULE } else { kind::CLASS });
        self.str_bytes(ec, path)?;
        self.lone_encoding(ec, note)
    }

    fn array(&mut self, ec: &mut Ec, array: Array, limit: i64) -> Result<()> {
        let len = array.len(ec);
        self.byte(kind::ARRAY);
        self.len(ec, len)?;
        for index in 0..len {
            self.object(ec, array.at(ec, index), limit)?;
            if array.len(ec) != len {
                return Err(ec.runtime_error("array modified during dump"));
            }
        }
        Ok(())
    }

    fn hash(&mut self, ec: &mut Ec, hash: Hash, limit: i64) -> Result<()> {
        if hash.has_default_proc() {
            return Err(ec.type_error("can't dump hash with default proc"));
        }
        if hash.compares_by_identity() {
            self.byte(kind::USER_CLASS);
            self.symbol(ec, intern(ec, "Hash"))?;
        }
        let default = hash.default(ec);
        self.byte(if default.is_nil() { kind::HASH } else { kind::HASH_DEFAULT });
        let pairs = hash.to_flat_array(ec);
        let len = pairs.len(ec);
        self.len(ec, len / 2)?;
        for index in 0..len {
            self.object(ec, pairs.at(ec, index), limit)?;
        }
        if default.is_nil() { Ok(()) } else { self.object(ec, default, limit) }
    }

    fn members(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        let names = crate::collection::structs::members_of(ec, ec.class_of(object).real());
        let count = names.map_or(0, |n| n.len(ec));
        self.len(ec, count)?;
        for (index, name) in (0..count).filter_map(|i| Some((i, names?.at(ec, i).as_symbol()?))).collect::<Vec<_>>() {
            self.symbol(ec, name)?;
            let value = crate::collection::structs::member_at(ec, object, index);
            self.object(ec, value, limit)?;
        }
        Ok(())
    }

    /// A range, as an object with three variables.
    fn range(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        write_kind(ec, self, kind::OBJECT, object, true)?;
        let Some((begin, end, excludes_end)) = ec.range_of(object) else { return self.long(ec, 0) };
        let begin = if begin.is_undef() { Value::NIL } else { begin };
        self.long(ec, 3)?;
        for (name, value) in [("excl", Value::bool(excludes_end)), ("begin", begin), ("end", end)] {
            self.symbol(ec, intern(ec, name))?;
            self.object(ec, value, limit)?;
        }
        Ok(())
    }

    /// A plain object, an exception or a set.
    fn fields(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        let known = ec.vm().known();
        if ec.is_a(object, known.set) {
            write_kind(ec, self, kind::OBJECT, object, true)?;
            return self.set_elements(ec, object, limit);
        }
        let attributes = match ec.is_a(object, known.exception) {
            true => exceptions::attributes(ec, object),
            false if super::kinds::is_native_class(ec.class_of(object)) => return self.native(ec, object, limit),
            false => Vec::new(),
        };
        write_kind(ec, self, kind::OBJECT, object, true)?;
        let names = ec.instance_variable_names(object);
        self.len(ec, attributes.len() + names.len())?;
        for (name, field) in attributes {
            self.symbol(ec, intern(ec, name))?;
            let value = exceptions::attribute(ec, object, field);
            self.object(ec, value, limit)?;
        }
        self.variables(ec, object, &names, limit)
    }

    /// A set, as an object with a hash of its elements.
    fn set_elements(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        self.long(ec, 1)?;
        self.symbol(ec, intern(ec, name::SET_HASH))?;
        if limit == 0 {
            return Err(ec.argument_error("exceed depth limit"));
        }
        let limit = if limit > 0 { limit - 1 } else { limit };
        self.entries += 1;
        let hash = Hash::from_set(object).unwrap_or_else(|| Hash::new(ec));
        if hash.compares_by_identity() {
            self.byte(kind::USER_CLASS);
            self.symbol(ec, intern(ec, "Hash"))?;
        }
        self.byte(kind::HASH_DEFAULT);
        let pairs = hash.to_flat_array(ec);
        let len = pairs.len(ec) / 2;
        self.len(ec, len)?;
        for index in 0..len {
            self.object(ec, pairs.at(ec, 2 * index), limit)?;
            self.object(ec, Value::TRUE, limit)?;
        }
        self.object(ec, Value::FALSE, limit)
    }

    /// Native data: regexps, and whatever has `_dump_data`.
    fn native(&mut self, ec: &mut Ec, object: Value, limit: i64) -> Result<()> {
        let known = ec.vm().known();
        if let Some(parts) = crate::text::regexp::parts_of(ec, object) {
            let (source, options) = parts?;
            write_user_class(ec, self, object, known.regexp)?;
            self.byte(kind::REGEXP);
            self.str_bytes(ec, source)?;
            self.byte(options);
            return Ok(());
        }
        if let Some((pid, raw)) = crate::system::process::status_parts(ec, object) {
            write_kind(ec, self, kind::OBJECT, object, true)?;
            self.long(ec, 2)?;
            for (name, value) in [("status", raw), ("pid", pid)] {
                self.symbol(ec, intern(ec, name))?;
                let value = ec.int(i64::from(value));
                self.object(ec, value, limit)?;
            }
            return Ok(());
        }
        let dump_data = intern(ec, "_dump_data");
        let class = ec.class_of(object).real().to_text(ec);
        if ec.is_a(object, known.io) || ec.is_a(object, known.match_data) {
            return Err(ec.type_error(&format!("can't dump {class}")));
        }
        if !ec.respond_to(object, dump_data, true)? {
            return Err(ec.type_error(&format!("no _dump_data is defined for class {class}")));
        }
        let data = ec.call(object, dump_data, &[])?;
        check_another_class(ec, object, data, "_dump_data")?;
        write_kind(ec, self, kind::DATA, object, true)?;
        self.object(ec, data, limit)
    }

    // ---- instance variables ----

    fn trailer(&mut self, ec: &mut Ec, trailer: &Trailer, limit: i64) -> Result<()> {
        self.len(ec, trailer.len())?;
        self.encoding(ec, trailer.encoding, limit)?;
        if trailer.is_ruby2_keywords {
            self.symbol(ec, intern(ec, name::RUBY2_KEYWORDS))?;
            self.byte(kind::TRUE);
        }
        self.variables(ec, trailer.owner, &trailer.names, limit)
    }

    /// Names and values of instance variables, which must stay the same meanwhile.
    fn variables(&mut self, ec: &mut Ec, owner: Value, names: &[SymbolId], limit: i64) -> Result<()> {
        for name in names {
            self.symbol(ec, *name)?;
            let value = ec.field(owner, *name).unwrap_or(Value::NIL);
            self.object(ec, value, limit)?;
        }
        let now = ec.instance_variable_names(owner).len();
        if names.is_empty() || Str::from_value(owner).is_some() || now == names.len() {
            return Ok(());
        }
        let what = if now < names.len() { "removed from" } else { "added to" };
        let class = ec.class_of(owner).to_text(ec);
        Err(ec.runtime_error(&format!("instance variable {what} {class} instance")))
    }
}

/// A number of 32 bits: small ones in one byte, others as a signed length and the bytes that differ from the sign.
fn push_long(out: &mut Vec<u8>, number: i32) {
    match number {
        0 => out.push(0),
        1..=122 => out.push(number as u8 + 5),
        -123..=-1 => out.push((number - 5) as u8),
        _ => {
            let filler = if number < 0 { 0xFF } else { 0 };
            let bytes = number.to_le_bytes();
            let len = 4 - bytes.iter().rev().take_while(|b| **b == filler).count();
            out.push(if number < 0 { (len as u8).wrapping_neg() } else { len as u8 });
            out.extend_from_slice(&bytes[..len]);
        }
    }
}

fn encoding_note(encoding: EncodingIndex) -> EncodingNote {
    match encoding {
        EncodingIndex::BINARY => EncodingNote::None,
        EncodingIndex::US_ASCII => EncodingNote::Short(false),
        EncodingIndex::UTF_8 => EncodingNote::Short(true),
        other => EncodingNote::Name(other),
    }
}

/// The instance variables that follow an object behind an `I`; plain objects and classes have their own place for them.
fn trailer_of(ec: &mut Ec, object: Value) -> Trailer {
    let mut trailer =
        Trailer { encoding: EncodingNote::None, is_ruby2_keywords: false, names: Vec::new(), owner: object };
    if let Some(s) = Str::from_value(object) {
        trailer.encoding = encoding_note(s.encoding());
    } else if let Some(Ok((source, _))) = crate::text::regexp::parts_of(ec, object) {
        trailer.encoding = encoding_note(source.encoding());
    }
    trailer.is_ruby2_keywords = Hash::from_value(object).is_some_and(Hash::is_ruby2_keywords);
    let kind = object.header().map_or(HeapType::Free, |h| h.heap_type());
    let is_counted_elsewhere = match kind {
        HeapType::Object => !ec.is_a(object, ec.vm().known().set),
        HeapType::Class | HeapType::Module => true,
        _ => false,
    };
    if object.is_type(HeapType::String) {
        // Those of a string that stands for an object may have names without `@`.
        trailer.names = ec.field_names(object);
        trailer.names.retain(|name| !ec.vm().symbol_name(*name).bytes.starts_with(b"__"));
    } else if !is_counted_elsewhere {
        trailer.names = ec.instance_variable_names(object);
    }
    trailer
}

/// A dump method that answers its own kind would be called for ever.
fn check_another_class(ec: &mut Ec, object: Value, result: Value, method: &str) -> Result<()> {
    let class = ec.class_of(object);
    if ec.class_of(result) != class {
        return Ok(());
    }
    let class = class.to_text(ec);
    Err(ec.runtime_error(&format!("{class}#{method} returned same class instance")))
}

#[cfg(test)]
mod tests {
    use super::push_long;

    fn long(number: i32) -> Vec<u8> {
        let mut out = Vec::new();
        push_long(&mut out, number);
        out
    }

    #[test]
    fn numbers_take_as_few_bytes_as_they_need() {
        assert_eq!(long(0), [0]);
        assert_eq!(long(122), [127]);
        assert_eq!(long(123), [1, 123]);
        assert_eq!(long(-123), [0x80]);
        assert_eq!(long(-124), [0xFF, 0x84]);
        assert_eq!(long(-256), [0xFF, 0]);
        assert_eq!(long(-257), [0xFE, 0xFF, 0xFE]);
        assert_eq!(long(1 << 24), [4, 0, 0, 0, 1]);
        assert_eq!(long(i32::MIN), [0xFC, 0, 0, 0, 0x80]);
    }
}
