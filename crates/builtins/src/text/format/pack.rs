//! `Array#pack`, `String#unpack` and `#unpack1`.

use crate::text::string::check_ascii_compatible;
use carat_text::coderange::CodeRange;
use carat_text::number::Int;
use carat_text::pack::{self, ErrorClass, Item, PackEncoding, PackError, TextConversion};
use carat_vm::{Array, Block, Ec, EncodingIndex, Keywords, Result, Str, Unwind, Value, methods, sym};
use std::ops::ControlFlow;

methods! {
    ARRAY {
        borrowing "pack" => pack;
    }
    STRING {
        borrowing "unpack" => unpack;
        borrowing "unpack1" => unpack1;
    }
}

pub(super) fn init(ec: &mut Ec) {
    ec.vm().known().array.define_methods(ec, ARRAY);
    ec.vm().known().string.define_methods(ec, STRING);
}

fn failed(ec: &mut Ec, error: PackError, format: Str) -> Unwind {
    let message = error.message(&super::quoted(format.as_text(ec)));
    match error.class() {
        ErrorClass::ArgumentError => ec.argument_error(&message),
        ErrorClass::RangeError => ec.range_error(&message),
    }
}

/// Bytes that one of a string may become, in quoted-printable text, with what growing the result takes.
const PACKED_GROWTH: usize = 6;

/// Bytes of a string that are packed at a stretch.
const LARGE_PART: usize = 1 << 19;

/// The elements of an array being packed.
struct Elements<'a> {
    ec: &'a mut Ec,
    array: Array,
    format: Str,
    /// Bytes of the format when it was read.
    format_len: usize,
    pointees: Option<Array>,
}

impl Elements<'_> {
    /// What a conversion ran may have changed the format.
    fn check_format(&mut self) -> Result<()> {
        match self.format.len(self.ec) == self.format_len {
            true => Ok(()),
            false => Err(self.ec.runtime_error("format string modified")),
        }
    }
}

impl pack::PackArgs for Elements<'_> {
    type Value = Value;
    type Error = Unwind;

    fn len(&self) -> usize {
        self.array.len(self.ec)
    }

    fn get(&mut self, index: usize) -> Value {
        self.array.at(self.ec, index)
    }

    fn is_nil(&self, value: Value) -> bool {
        value.is_nil()
    }

    fn to_integer(&mut self, value: Value) -> Result<Int> {
        self.ec.check_ints()?;
        if value.is_nil() {
            return Err(self.ec.no_implicit_conversion(value, "Integer"));
        }
        let n = self.ec.to_int(value)?;
        self.check_format()?;
        Ok(match self.ec.integer_as_i64(n) {
            Some(i) => Int::Small(i),
            None => self.ec.to_bigint(n).map_or(Int::ZERO, Int::from),
        })
    }

    fn to_float(&mut self, value: Value) -> Result<f64> {
        self.ec.check_ints()?;
        if Str::from_value(value).is_some() {
            return Err(self.ec.type_error("can't convert String into Float"));
        }
        let float = self.ec.to_float(value)?;
        self.check_format()?;
        Ok(float)
    }

    fn with_text(
        &mut self,
        value: Value,
        conversion: TextConversion,
        grain: usize,
        consume: &mut dyn FnMut(&[u8]),
    ) -> Result<()> {
        let text = match conversion {
            TextConversion::ToStrOrNil if value.is_nil() => {
                consume(b"");
                return Ok(());
            }
            TextConversion::ToStr | TextConversion::ToStrOrNil => self.ec.to_str(value)?,
            TextConversion::ToS => self.ec.to_s(value)?,
        };
        self.check_format()?;
        self.ec.check_ints()?;
        self.ec.ensure_memory(text.len(self.ec).saturating_mul(PACKED_GROWTH))?;
        if text.len(self.ec) <= LARGE_PART {
            consume(text.bytes(self.ec));
            return Ok(());
        }
        let text = text.snapshot(self.ec);
        let step = LARGE_PART.next_multiple_of(grain);
        for start in (0..text.len(self.ec)).step_by(step) {
            self.ec.check_ints()?;
            let rest = &text.bytes(self.ec)[start..];
            consume(&rest[..step.min(rest.len())]);
        }
        Ok(())
    }

    /// Addresses are never handed out: the object id stands for each string.
    fn allows(&mut self, bytes: usize) -> bool {
        self.ec.would_allocate(bytes)
    }

    fn to_pointer(&mut self, value: Value, min_len: Option<usize>) -> Result<u64> {
        let text = self.ec.to_str(value)?;
        let len = text.len(self.ec);
        if let Some(wanted) = min_len.filter(|wanted| *wanted > len) {
            return Err(self.error(PackError::ShortBuffer { len, wanted }));
        }
        let pointees = *self.pointees.get_or_insert_with(|| Array::new(self.ec, 2));
        let number = self.ec.object_id(text.value());
        pointees.push(self.ec, self.ec.int(number));
        pointees.push(self.ec, text.value());
        Ok(number as u64)
    }

    fn error(&mut self, error: PackError) -> Unwind {
        failed(self.ec, error, self.format)
    }
}

/// The hidden field of a packed string that holds the strings it points to, each after its object id.
const POINTEES: &str = "__pointees";

/// What a string points to: object ids, each followed by the string. None if it was not packed with pointers.
fn pointees_of(ec: &Ec, packed: Str) -> Option<Array> {
    ec.field(packed.value(), ec.vm().intern(POINTEES)).and_then(Array::from_value)
}

fn buffer_keyword(ec: &mut Ec, keywords: Keywords) -> Result<Option<Str>> {
    keywords.check(ec, &[sym::BUFFER])?;
    let Some(value) = keywords.get(ec, sym::BUFFER).filter(|v| !v.is_nil()) else { return Ok(None) };
    match Str::from_value(value) {
        Some(buffer) => {
            buffer.check_mutable(ec)?;
            Ok(Some(buffer))
        }
        None => {
            let class = ec.describe_for_type_error(value);
            Err(ec.type_error(&format!("buffer must be String, not {class}")))
        }
    }
}

fn pack(ec: &mut Ec, this: Array, format: Str, keywords: Keywords) -> Result<Str> {
    let buffer = buffer_keyword(ec, keywords)?;
    check_ascii_compatible(ec, format)?;
    let template = format.owned_bytes(ec)?;
    ec.ensure_memory(this.len(ec).saturating_mul(size_of::<Value>()))?;
    let mut out = buffer.map_or(Ok(Vec::new()), |buffer| buffer.owned_bytes(ec))?;
    let mut elements = Elements { ec, array: this, format, format_len: template.len(), pointees: None };
    let encoding = pack::write(&template, &mut elements, &mut out)?;
    let pointees = elements.pointees;
    let encoding = match encoding {
        PackEncoding::UsAscii => Some(EncodingIndex::US_ASCII),
        PackEncoding::Utf8 => Some(EncodingIndex::UTF_8),
        PackEncoding::Binary => None,
    };
    if let Some(buffer) = buffer {
        buffer.check_mutable(ec)?;
        buffer.overwrite(ec, &out);
        // Characters and text give their encoding to what was there before them, too.
        if let Some(encoding) = encoding {
            buffer.set_encoding(encoding);
            buffer.set_range(CodeRange::Unknown);
        }
        note_pointees(ec, buffer, pointees);
        return Ok(buffer);
    }
    let encoding = encoding.unwrap_or(EncodingIndex::ASCII_8BIT);
    let packed = Str::try_of_vec(ec, out, encoding, CodeRange::Unknown)?;
    note_pointees(ec, packed, pointees);
    Ok(packed)
}

fn note_pointees(ec: &mut Ec, packed: Str, pointees: Option<Array>) {
    let Some(pointees) = pointees else { return };
    let name = ec.vm().intern(POINTEES);
    ec.set_field(packed.value(), name, pointees.value());
}

/// Why reading stopped.
enum Stop {
    Failed(PackError),
    /// Something came for the thread.
    Interrupted,
    /// There is no memory for one more value.
    NoRoom(usize),
}

/// Where the values go.
#[derive(Clone, Copy)]
enum Place {
    List {
        list: Array,
        /// Whether nils stand for values that the string is too short for.
        fills: bool,
    },
    /// Reading ends with the first value, which is looked at before anything that may collect.
    Single(Value),
}

impl Place {
    fn value(self) -> Value {
        match self {
            Place::List { list, .. } => list.value(),
            Place::Single(value) => value,
        }
    }
}

struct Values<'a> {
    ec: &'a Ec,
    source: Str,
    place: Place,
    is_asked: &'a dyn Fn() -> bool,
    pointees: Option<Array>,
}

impl Values<'_> {
    fn value(&self, item: Item) -> Value {
        let ec = self.ec;
        match item {
            Item::Nil => Value::NIL,
            Item::Integer(n) => crate::text::string::integer(ec, n),
            Item::Float(f) => ec.float(f),
            Item::Slice(range) => {
                let part = self.source.slice(ec, range.start, range.len());
                crate::text::string::associate(ec, part, EncodingIndex::ASCII_8BIT);
                part.value()
            }
            Item::Binary(bytes) => Str::new(ec, &bytes, EncodingIndex::ASCII_8BIT, CodeRange::Unknown).value(),
            Item::Ascii(bytes) => Str::new(ec, &bytes, EncodingIndex::US_ASCII, CodeRange::Unknown).value(),
        }
    }
}

impl pack::UnpackSink for Values<'_> {
    type Error = Stop;

    fn push(&mut self, item: Item) -> std::result::Result<ControlFlow<()>, Stop> {
        self.push_value(self.value(item))
    }

    fn check(&mut self) -> std::result::Result<(), Stop> {
        if (self.is_asked)() { Err(Stop::Interrupted) } else { Ok(()) }
    }

    fn missing(&mut self, count: usize) -> std::result::Result<(), Stop> {
        if let Place::List { list, fills: true } = self.place {
            let bytes = list.len(self.ec).saturating_add(count).saturating_mul(size_of::<Value>());
            if !self.ec.would_allocate(bytes) {
                return Err(Stop::NoRoom(bytes));
            }
            list.resize(self.ec, list.len(self.ec) + count);
        }
        Ok(())
    }

    fn push_pointee(&mut self, address: u64, len: Option<usize>) -> std::result::Result<ControlFlow<()>, Stop> {
        let pointees = self.pointees.ok_or(Stop::Failed(PackError::NoAssociatedPointer))?;
        let mut pairs = pointees.slice_of(self.ec).chunks_exact(2);
        let pair = pairs.find(|pair| pair[0].as_fixnum() == i64::try_from(address).ok());
        let text = pair.and_then(|pair| Str::from_value(pair[1])).ok_or(Stop::Failed(PackError::ForeignPointer))?;
        self.push_value(match len {
            Some(len) if len < text.len(self.ec) => {
                Str::new(self.ec, &text.bytes(self.ec)[..len], EncodingIndex::ASCII_8BIT, CodeRange::Unknown).value()
            }
            _ => text.value(),
        })
    }

    fn error(&mut self, error: PackError) -> Stop {
        Stop::Failed(error)
    }
}

impl Values<'_> {
    fn push_value(&mut self, value: Value) -> std::result::Result<ControlFlow<()>, Stop> {
        pack::UnpackSink::check(self)?;
        match &mut self.place {
            Place::Single(first) => {
                *first = value;
                Ok(ControlFlow::Break(()))
            }
            Place::List { list, .. } => {
                check_room(self.ec, *list)?;
                list.push(self.ec, value);
                Ok(ControlFlow::Continue(()))
            }
        }
    }
}

fn check_room(ec: &Ec, list: Array) -> std::result::Result<(), Stop> {
    if !list.needs_much_room(ec) {
        return Ok(());
    }
    let bytes = list.len(ec).saturating_mul(2 * size_of::<Value>());
    if ec.would_allocate(bytes) { Ok(()) } else { Err(Stop::NoRoom(bytes)) }
}

/// A string of so many bytes is not unpacked without a look at how much memory there is.
const LARGE: usize = 4 << 20;

/// Reads into what `place` makes, which is made anew each time that something came between.
fn unpacked(ec: &mut Ec, this: Str, format: Str, keywords: Keywords, place: impl Fn(&Ec) -> Place) -> Result {
    keywords.check(ec, &[sym::OFFSET])?;
    check_ascii_compatible(ec, format)?;
    let offset = match keywords.get(ec, sym::OFFSET) {
        Some(offset) => ec.to_long(offset)?,
        None => 0,
    };
    if this.len(ec) >= LARGE {
        // Bits and the like come as one string, eight times as long at most.
        ec.ensure_memory(this.len(ec).saturating_mul(8))?;
    }
    let pointees =
        if format.bytes(ec).iter().any(|letter| b"pP".contains(letter)) { pointees_of(ec, this) } else { None };
    loop {
        let read = ec.compute_on_objects(|ec, is_asked| {
            let mut values = Values { ec, source: this, place: place(ec), is_asked, pointees };
            match pack::read(this.bytes(ec), format.bytes(ec), offset, &mut values) {
                Ok(()) => Some(Ok(values.place.value())),
                Err(Stop::Interrupted) => None,
                Err(stop) => Some(Err(stop)),
            }
        })?;
        match read {
            Ok(value) => return Ok(value),
            Err(Stop::Failed(error)) => return Err(failed(ec, error, format)),
            Err(Stop::NoRoom(bytes)) => ec.ensure_memory(bytes)?,
            Err(Stop::Interrupted) => {}
        }
    }
}

fn unpack(ec: &mut Ec, this: Str, format: Str, keywords: Keywords, block: Option<Block>) -> Result {
    let fills = block.is_none();
    let values = unpacked(ec, this, format, keywords, |ec| Place::List { list: Array::new(ec, 0), fills })?;
    let Some(block) = block else { return Ok(values) };
    let (list, mut index) = (Array::expect(values), 0);
    while let Some(value) = list.get(ec, index) {
        ec.yield_block(block, &[value])?;
        index += 1;
    }
    Ok(Value::NIL)
}

fn unpack1(ec: &mut Ec, this: Str, format: Str, keywords: Keywords) -> Result {
    unpacked(ec, this, format, keywords, |_| Place::Single(Value::NIL))
}
