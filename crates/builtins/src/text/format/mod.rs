//! `Kernel#format`, `Array#pack` and `String#unpack`: the VM's side of `text::sprintf` and `text::pack`.

mod pack;

use crate::number::float::convert::float_of;
use crate::number::integer::convert::integer_of;
use crate::text::string::check_ascii_compatible;
use crate::text::text_builder::{direct, inspected};
use carat_text::chars;
use carat_text::coderange::CodeRange;
use carat_text::number::{Int, exact, parse_float, parse_integer};
use carat_text::sprintf::{self, Real, TextRequest};
use carat_text::text::Text;
use carat_vm::{Array, Ec, EncodingIndex, Hash, HeapType, Rest, Result, Str, Unwind, Value, methods, primitives, sym};

methods! {
    KERNEL {
        borrowing 0b10 module_function "format" => kernel_format;
        borrowing 0b10 module_function "sprintf" => kernel_format;
    }
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    ec.vm().known().kernel.define_methods(ec, KERNEL);
    pack::init(ec);
}

fn kernel_format(ec: &mut Ec, _this: Value, format_string: Str, args: Rest) -> Result<Str> {
    format(ec, format_string, Given::Rest(args))
}

/// `String#%`
pub(crate) fn modulo(ec: &mut Ec, this: Str, argument: Value) -> Result<Str> {
    let args = ec.check_array(argument)?.map_or(Given::One(argument), Given::List);
    format(ec, this, args)
}

/// What a format is given, wherever it lies.
#[derive(Clone, Copy)]
enum Given {
    One(Value),
    List(Array),
    Rest(Rest),
}

impl Given {
    fn len(self, ec: &Ec) -> usize {
        match self {
            Given::One(_) => 1,
            Given::List(list) => list.len(ec),
            Given::Rest(rest) => rest.len(),
        }
    }

    /// The argument with this number, or nil.
    fn at(self, ec: &Ec, index: usize) -> Value {
        match self {
            Given::One(value) if index == 0 => value,
            Given::One(_) => Value::NIL,
            Given::List(list) => list.at(ec, index),
            Given::Rest(rest) => rest.get(index).unwrap_or(Value::NIL),
        }
    }
}

/// The format string with its directives replaced by the arguments.
fn format(ec: &mut Ec, format: Str, args: Given) -> Result<Str> {
    let encoding = format.encoding();
    check_ascii_compatible(ec, format)?;
    let is_ascii = format.is_ascii(ec);
    let template = format.owned_bytes(ec)?;
    let mut out = Vec::with_capacity(template.len().min(A_FEW_MORE) + 16);
    ec.make_room_in(&mut out, template.len() + 16)?;
    let mut arguments = Arguments { ec, args, encoding, is_ascii };
    sprintf::format(&template, &mut arguments, &mut out)?;
    let (encoding, is_ascii) = (arguments.encoding, arguments.is_ascii);
    Str::try_of_vec(ec, out, encoding, if is_ascii { CodeRange::SevenBit } else { CodeRange::Unknown })
}

/// The arguments of a format, and the encoding of the result so far.
struct Arguments<'a> {
    ec: &'a mut Ec,
    args: Given,
    encoding: EncodingIndex,
    /// Nothing but ASCII has gone into the result, and the format has nothing else.
    is_ascii: bool,
}

impl Arguments<'_> {
    /// The result takes on text: both must go together.
    fn admit(&mut self, text: Str, out: &[u8]) -> Result<()> {
        if text.is_ascii(self.ec) && self.encoding.is_ascii_compatible() {
            return Ok(());
        }
        if text.encoding() != self.encoding && !text.is_empty(self.ec) {
            let contain_ascii = self.encoding.is_ascii_compatible() && text.encoding().is_ascii_compatible();
            if !(out.is_empty() || contain_ascii && out.is_ascii()) {
                return Err(crate::text::string::incompatible(self.ec, self.encoding, text.encoding()));
            }
            self.encoding = text.encoding();
        }
        self.is_ascii = false;
        Ok(())
    }

    fn int(&self, value: Value) -> Int {
        match self.ec.integer_as_i64(value) {
            Some(i) => Int::Small(i),
            None => self.ec.to_bigint(value).map_or(Int::ZERO, Int::from),
        }
    }

    fn invalid(&mut self, what: &str, value: Value) -> Unwind {
        match self.ec.inspect(value) {
            Ok(shown) => {
                let shown = shown.to_text(self.ec);
                self.ec.argument_error(&format!("invalid value for {what}(): {shown}"))
            }
            Err(unwind) => unwind,
        }
    }
}

/// Signs, prefixes, and the digits of a float without a precision.
const A_FEW_MORE: usize = 1 << 10;

impl sprintf::Args for Arguments<'_> {
    type Value = Value;
    type Error = Unwind;

    fn len(&self) -> usize {
        self.args.len(self.ec)
    }

    fn get(&mut self, index: usize) -> Value {
        self.args.at(self.ec, index)
    }

    fn lookup(&mut self, name: &[u8], quoted: &[u8]) -> Result<Option<Value>> {
        let first = self.args.at(self.ec, 0);
        let Some(hash) = self.ec.check_hash(first)? else { return Ok(None) };
        let key = Value::symbol(self.ec.vm().intern_bytes(name, self.encoding));
        if let Some(value) = hash.get(self.ec, key)? {
            return Ok(Some(value));
        }
        let default = default_of(self.ec, hash, key)?;
        if default.is_nil() {
            let message = [b"key", quoted, b" not found"].concat();
            let message = Str::new(self.ec, &message, self.encoding, CodeRange::Unknown);
            return Err(self.ec.key_error_with(message, hash.value(), key));
        }
        Ok(Some(default))
    }

    fn to_width(&mut self, value: Value) -> Result<i32> {
        let long = self.ec.to_long(value)?;
        match i32::try_from(long) {
            Ok(width) => Ok(width),
            Err(_) => {
                let size = if long < 0 { "small" } else { "big" };
                Err(self.ec.range_error(&format!("integer {long} too {size} to convert to 'int'")))
            }
        }
    }

    fn to_integer(&mut self, value: Value) -> Result<Int> {
        if self.ec.is_integer(value) {
            return Ok(self.int(value));
        }
        if let Some(f) = self.ec.float_of(value) {
            return match exact::float_to_integer(f) {
                Some(n) => Ok(n),
                None => {
                    let shown = if f.is_nan() {
                        "NaN"
                    } else if f < 0.0 {
                        "-Infinity"
                    } else {
                        "Infinity"
                    };
                    Err(self.ec.error(self.ec.vm().known().float_domain_error, shown))
                }
            };
        }
        if let Some(s) = Str::from_value(value) {
            check_ascii_compatible(self.ec, s)?;
            return match parse_integer::parse_strict(s.bytes(self.ec), 0) {
                Ok(n) => Ok(n),
                Err(_) => Err(self.invalid("Integer", value)),
            };
        }
        let converted = integer_of(self.ec, value)?;
        Ok(self.int(converted))
    }

    fn to_real(&mut self, value: Value) -> Result<Real> {
        if self.ec.is_integer(value) {
            return Ok(Real::Integer(self.int(value)));
        }
        if let Some((numerator, denominator)) = self.ec.pair_of(value, HeapType::Rational) {
            let (numerator, denominator) = (self.ec.to_bigint(numerator), self.ec.to_bigint(denominator));
            return Ok(Real::Rational(numerator.unwrap_or_default(), denominator.unwrap_or_default()));
        }
        self.to_float(value).map(Real::Float)
    }

    fn to_float(&mut self, value: Value) -> Result<f64> {
        if let Some(s) = Str::from_value(value) {
            check_ascii_compatible(self.ec, s)?;
            return match parse_float::parse_strict(s.bytes(self.ec)) {
                Ok(parsed) => Ok(parsed.value),
                Err(parse_float::FloatError::NullByte) => {
                    Err(self.ec.argument_error("string for Float contains null byte"))
                }
                Err(parse_float::FloatError::Invalid) => Err(self.invalid("Float", value)),
            };
        }
        if self.ec.is_a(value, self.ec.vm().known().numeric) || value.is_nil() {
            return self.ec.to_float(value);
        }
        let converted = float_of(self.ec, value)?;
        self.ec.to_float(converted)
    }

    fn append_text(&mut self, value: Value, request: TextRequest, out: &mut Vec<u8>) -> Result<usize> {
        if !request.inspect && request.max_chars.is_none() && (value.is_fixnum() || value.is_flonum()) {
            let start = out.len();
            if direct(self.ec, value, sym::TO_S, out).is_some() {
                return Ok(out.len() - start);
            }
        }
        let text = if request.inspect { inspected(self.ec, value)? } else { self.ec.to_s(value)? };
        self.admit(text, out)?;
        self.ec.make_room_in(out, text.len(self.ec) + A_FEW_MORE)?;
        let text = text.as_text(self.ec);
        let shown = match request.max_chars {
            Some(max) => chars::substring(text, 0, max).map_or(text, |range| text.part(range)),
            None => text,
        };
        out.extend(shown.bytes);
        Ok(if request.counted { chars::count(shown.scanned()) } else { 0 })
    }

    fn append_char(&mut self, value: Value, out: &mut Vec<u8>) -> Result<usize> {
        if let Some(s) = self.ec.check_string(value)? {
            self.admit(s, out)?;
            let text = s.as_text(self.ec);
            let first = chars::substring(text, 0, 1).unwrap_or(0..0);
            out.extend(&text.bytes[first.clone()]);
            return Ok(usize::from(!first.is_empty()));
        }
        let code = i64::from(crate::number::integer::operand::to_c_int(self.ec, value)?);
        if self.encoding == EncodingIndex::US_ASCII && (0x80..=0xFF).contains(&code) {
            self.encoding = EncodingIndex::BINARY;
        }
        let encoded = u32::try_from(code).ok().and_then(|code| {
            let mut bytes = Vec::with_capacity(4);
            carat_text::encoding::encode_codepoint(self.encoding, code, &mut bytes).ok().map(|_| bytes)
        });
        match encoded {
            Some(bytes) => {
                self.is_ascii &= bytes.is_ascii();
                out.extend(bytes);
                Ok(1)
            }
            None if u32::try_from(code).is_ok() && self.encoding.max_len() == 1 => {
                Err(self.ec.range_error(&format!("{code} out of char range")))
            }
            None => Err(self.ec.argument_error("invalid character")),
        }
    }

    fn argument_error(&mut self, message: Vec<u8>) -> Unwind {
        let text = Str::new(self.ec, &message, self.encoding, CodeRange::Unknown);
        self.ec.error_with(self.ec.vm().known().argument_error, text)
    }

    /// Text is put together, then added to the result, which doubles, and is copied into a String at last.
    fn make_room(&mut self, chars: usize, out: &mut Vec<u8>) -> Result<()> {
        let bytes = chars.saturating_mul(4);
        self.ec.ensure_memory(bytes)?;
        self.ec.make_room_in(out, bytes.saturating_add(A_FEW_MORE))
    }

    fn too_many_arguments(&mut self) -> Result<()> {
        // Keywords may be for whoever reads the format.
        if self.args.len(self.ec) == 1 && Hash::from_value(self.args.at(self.ec, 0)).is_some() {
            return Ok(());
        }
        let name = self.ec.vm().intern("$DEBUG");
        let is_debugging = self.ec.vm().global(name).is_some() && self.ec.global(name)?.truthy();
        if is_debugging {
            return Err(self.ec.argument_error("too many arguments for format string"));
        }
        self.ec.warn_verbose("too many arguments for format string")
    }
}

/// What a hash answers for a key it has not.
fn default_of(ec: &mut Ec, hash: Hash, key: Value) -> Result {
    ec.call(hash.value(), sym::DEFAULT, &[key])
}

/// A text as a format quotes it in messages: itself where it is printable, else as `inspect` shows it.
pub(super) fn quoted(text: Text<'_>) -> String {
    if text.bytes.iter().all(|b| (b' '..=b'~').contains(b)) {
        return String::from_utf8_lossy(text.bytes).into_owned();
    }
    let mut out = Vec::new();
    carat_text::inspect::inspect(text, EncodingIndex::UTF_8, &mut out);
    String::from_utf8_lossy(&out[1..out.len() - 1]).into_owned()
}
