//! `Array#pack`.

use num_bigint::{BigInt, Sign};

use super::codec;
use super::{Count, Directive, Directives, FloatLayout, IntegerLayout, PackError};
use crate::number::Int;

/// The elements of the array being packed, and how they are converted.
pub trait PackArgs {
    type Value: Copy;
    type Error;

    /// How many elements there are; asked again each time, for conversions may change the array.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn get(&mut self, index: usize) -> Self::Value;

    fn is_nil(&self, value: Self::Value) -> bool;

    /// As `to_int` converts; nil is a TypeError.
    fn to_integer(&mut self, value: Self::Value) -> Result<Int, Self::Error>;

    /// Numbers only, through `to_f`.
    fn to_float(&mut self, value: Self::Value) -> Result<f64, Self::Error>;

    /// Hands the bytes of a value's text to `consume`, part by part; only the last one's length may be no multiple of `grain`.
    fn with_text(
        &mut self,
        value: Self::Value,
        conversion: TextConversion,
        grain: usize,
        consume: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Self::Error>;

    /// What stands for a string that must outlive the result and have at least `min_len` bytes. Never asked of nil.
    fn to_pointer(&mut self, value: Self::Value, min_len: Option<usize>) -> Result<u64, Self::Error>;

    /// Whether the result may become so long.
    fn allows(&mut self, _bytes: usize) -> bool {
        true
    }

    fn error(&mut self, error: PackError) -> Self::Error;
}

/// How a value becomes text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TextConversion {
    /// `to_str`; nil is a TypeError.
    ToStr,
    /// `to_str`; nil is empty.
    ToStrOrNil,
    /// `to_s`.
    ToS,
}

/// The encoding of a packed string.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackEncoding {
    UsAscii,
    Utf8,
    Binary,
}

/// Packs after what `out` already holds, to which the positions of `@` and `X` refer too.
pub fn write<A: PackArgs>(format: &[u8], args: &mut A, out: &mut Vec<u8>) -> Result<PackEncoding, A::Error> {
    let mut writer = Writer { args, out, used: 0, encoding: PackEncoding::UsAscii };
    for directive in (Directives { rest: format }) {
        let directive = directive.map_err(|error| writer.args.error(error))?;
        writer.note_encoding(directive.letter);
        writer.directive(&directive)?;
    }
    Ok(writer.encoding)
}

struct Writer<'a, A: PackArgs> {
    args: &'a mut A,
    out: &'a mut Vec<u8>,
    /// How many elements have been packed.
    used: usize,
    encoding: PackEncoding,
}

impl<A: PackArgs> Writer<'_, A> {
    /// Text formats are ASCII, and the first `U` makes it UTF-8; anything else is binary for good.
    fn note_encoding(&mut self, letter: u8) {
        match letter {
            b'm' | b'M' | b'u' => {}
            b'U' if self.encoding == PackEncoding::UsAscii => self.encoding = PackEncoding::Utf8,
            b'U' => {}
            _ => self.encoding = PackEncoding::Binary,
        }
    }

    fn directive(&mut self, directive: &Directive) -> Result<(), A::Error> {
        if let Some(layout) = directive.integer_layout() {
            return self.repeat(directive, |writer| writer.integer(layout));
        }
        if let Some(layout) = directive.float_layout() {
            return self.repeat(directive, |writer| writer.float(layout));
        }
        match directive.letter {
            b'a' | b'A' | b'Z' => self.text(directive),
            b'b' | b'B' | b'h' | b'H' => self.digits(directive),
            b'U' => self.repeat(directive, Self::codepoint),
            b'w' => self.repeat(directive, Self::ber),
            b'u' | b'm' => self.encoded(directive),
            b'M' => self.quoted_printable(directive),
            b'p' => self.repeat(directive, |writer| writer.pointer(None)),
            b'P' => self.pointer(Some(skip(directive, 1))),
            b'x' => self.grow(skip(directive, 0)),
            b'X' => self.shrink(skip(directive, 0)),
            b'@' => self.go_to(skip(directive, 0)),
            b'%' => Err(self.args.error(PackError::Percent)),
            letter => Err(self.args.error(PackError::UnknownDirective { unpacking: false, directive: letter })),
        }
    }

    fn next(&mut self) -> Result<A::Value, A::Error> {
        if self.used >= self.args.len() {
            return Err(self.args.error(PackError::TooFewArguments));
        }
        self.used += 1;
        Ok(self.args.get(self.used - 1))
    }

    /// Does `pack_one` as often as the count says; a star takes what is left.
    fn repeat(
        &mut self,
        directive: &Directive,
        mut pack_one: impl FnMut(&mut Self) -> Result<(), A::Error>,
    ) -> Result<(), A::Error> {
        let count = match directive.count {
            Count::Absent => 1,
            Count::Star => self.args.len().saturating_sub(self.used),
            Count::Given(count) => count,
        };
        (0..count).try_for_each(|_| pack_one(self))
    }

    fn integer(&mut self, layout: IntegerLayout) -> Result<(), A::Error> {
        let value = self.next()?;
        let bits = low_bits(&self.args.to_integer(value)?);
        if layout.big_endian {
            self.out.extend_from_slice(&bits.to_be_bytes()[8 - layout.size..]);
        } else {
            self.out.extend_from_slice(&bits.to_le_bytes()[..layout.size]);
        }
        Ok(())
    }

    fn float(&mut self, layout: FloatLayout) -> Result<(), A::Error> {
        let value = self.next()?;
        let f = self.args.to_float(value)?;
        match (layout.double, layout.big_endian) {
            (true, true) => self.out.extend_from_slice(&f.to_be_bytes()),
            (true, false) => self.out.extend_from_slice(&f.to_le_bytes()),
            (false, true) => self.out.extend_from_slice(&to_single(f).to_be_bytes()),
            (false, false) => self.out.extend_from_slice(&to_single(f).to_le_bytes()),
        }
        Ok(())
    }

    fn codepoint(&mut self) -> Result<(), A::Error> {
        let value = self.next()?;
        let Int::Small(code) = self.args.to_integer(value)? else {
            return Err(self.args.error(PackError::BignumTooBig));
        };
        match u32::try_from(code) {
            Ok(code) if code <= codec::MAX_CODEPOINT => codec::push_codepoint(self.out, code),
            _ => return Err(self.args.error(PackError::CodepointOutOfRange)),
        }
        Ok(())
    }

    fn ber(&mut self) -> Result<(), A::Error> {
        let value = self.next()?;
        let n = self.args.to_integer(value)?;
        if n.is_negative() {
            return Err(self.args.error(PackError::NegativeBer));
        }
        codec::push_ber(self.out, &n);
        Ok(())
    }

    fn pointer(&mut self, min_len: Option<usize>) -> Result<(), A::Error> {
        let value = self.next()?;
        let address = if self.args.is_nil(value) { 0 } else { self.args.to_pointer(value, min_len)? };
        self.out.extend_from_slice(&address.to_le_bytes());
        Ok(())
    }

    /// Makes sure of room before something as long as a count is appended.
    fn reserve(&mut self, len: usize) -> Result<(), A::Error> {
        if !self.args.allows(self.out.len().saturating_add(len)) || self.out.try_reserve(len).is_err() {
            return Err(self.args.error(PackError::ArgumentTooBig));
        }
        Ok(())
    }

    /// `a`, `A` and `Z`: cut or filled to the count, which a star makes the text's own length.
    fn text(&mut self, directive: &Directive) -> Result<(), A::Error> {
        let value = self.next()?;
        self.reserve(skip(directive, 0))?;
        let Directive { letter, count, .. } = *directive;
        let out = &mut *self.out;
        let start = out.len();
        let len = if count == Count::Star { None } else { Some(skip(directive, 0)) };
        self.args.with_text(value, TextConversion::ToStrOrNil, 1, &mut |part| {
            let left = len.map_or(part.len(), |len| start + len - out.len());
            out.extend_from_slice(&part[..left.min(part.len())]);
        })?;
        let end = len.map_or(out.len() + usize::from(letter == b'Z'), |len| start + len);
        out.resize(end, if letter == b'A' { b' ' } else { 0 });
        Ok(())
    }

    /// `b`, `B`, `h` and `H`: characters that stand for bits or nibbles.
    fn digits(&mut self, directive: &Directive) -> Result<(), A::Error> {
        let value = self.next()?;
        // Two characters a byte are the fewest.
        self.reserve(skip(directive, 0).div_ceil(2))?;
        let out = &mut *self.out;
        let count = if directive.count == Count::Star { usize::MAX } else { skip(directive, 0) };
        let letter = directive.letter;
        let is_bits = matches!(letter, b'b' | b'B');
        let mut seen = 0;
        self.args.with_text(value, TextConversion::ToStrOrNil, 8, &mut |part| {
            let digits = &part[..part.len().min(count - seen)];
            match is_bits {
                true => codec::push_bits(out, digits, letter == b'B'),
                false => codec::push_nibbles(out, digits, letter == b'H'),
            }
            seen += digits.len();
        })?;
        let count = if directive.count == Count::Star { seen } else { count };
        // Two characters a byte are missing even of bits, which is CRuby's way.
        let missing = if is_bits { (count - seen).div_ceil(2) } else { count.div_ceil(2) - seen.div_ceil(2) };
        out.resize(out.len() + missing, 0);
        Ok(())
    }

    /// `u` and `m`: lines of so many bytes of input, rounded to whole groups of three.
    fn encoded(&mut self, directive: &Directive) -> Result<(), A::Error> {
        let value = self.next()?;
        let base64 = directive.letter == b'm';
        let line = match directive.count {
            Count::Given(0) if base64 => None,
            Count::Given(n) if n > 63 && !base64 => Some(63),
            Count::Given(n) if n > 2 => Some(n / 3 * 3),
            _ => Some(45),
        };
        let out = &mut *self.out;
        self.args.with_text(value, TextConversion::ToStr, line.unwrap_or(3), &mut |part| match line {
            None => codec::push_base64(out, part),
            Some(line) if base64 => part.chunks(line).for_each(|chunk| {
                codec::push_base64(out, chunk);
                out.push(b'\n');
            }),
            Some(line) => part.chunks(line).for_each(|chunk| codec::push_uu_line(out, chunk)),
        })
    }

    fn quoted_printable(&mut self, directive: &Directive) -> Result<(), A::Error> {
        let value = self.next()?;
        let line = match directive.count {
            Count::Given(n) if n > 1 => n,
            _ => 72,
        };
        let out = &mut *self.out;
        let mut writer = codec::QuotedPrintable::new(line);
        self.args.with_text(value, TextConversion::ToS, 1, &mut |part| writer.push(out, part))?;
        writer.end(out);
        Ok(())
    }

    fn grow(&mut self, len: usize) -> Result<(), A::Error> {
        self.reserve(len)?;
        self.out.resize(self.out.len() + len, 0);
        Ok(())
    }

    fn shrink(&mut self, len: usize) -> Result<(), A::Error> {
        match self.out.len().checked_sub(len) {
            Some(len) => self.out.truncate(len),
            None => return Err(self.args.error(PackError::OutsideOfString(b'X'))),
        }
        Ok(())
    }

    fn go_to(&mut self, position: usize) -> Result<(), A::Error> {
        self.reserve(position.saturating_sub(self.out.len()))?;
        self.out.resize(position, 0);
        Ok(())
    }
}

/// The count where one that is absent is 1.
fn skip(directive: &Directive, star: usize) -> usize {
    match directive.count {
        Count::Absent => 1,
        Count::Star => star,
        Count::Given(count) => count,
    }
}

/// The low 64 bits in two's complement: integers are cut, not refused.
fn low_bits(n: &Int) -> u64 {
    match n {
        Int::Small(n) => *n as u64,
        Int::Big(n) => low_bits_of_big(n),
    }
}

fn low_bits_of_big(n: &BigInt) -> u64 {
    let low = n.iter_u64_digits().next().unwrap_or(0);
    if n.sign() == Sign::Minus { low.wrapping_neg() } else { low }
}

/// To single precision; what is beyond its largest finite number is infinite even if it would round down to that.
fn to_single(f: f64) -> f32 {
    match () {
        () if f.is_nan() => f32::NAN,
        () if f > f64::from(f32::MAX) => f32::INFINITY,
        () if f < f64::from(f32::MIN) => f32::NEG_INFINITY,
        () => f as f32,
    }
}
