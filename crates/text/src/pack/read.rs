//! `String#unpack` and `#unpack1`.

use std::ops::{ControlFlow, Range};

use super::codec;
use super::{Count, Directive, Directives, FloatLayout, IntegerLayout, PackError};
use crate::number::Int;

/// One unpacked value.
#[derive(Clone, Debug, PartialEq)]
pub enum Item {
    Nil,
    Integer(Int),
    Float(f64),
    /// A binary string made of these bytes of the input, which can be shared with it.
    Slice(Range<usize>),
    /// A binary string.
    Binary(Vec<u8>),
    /// A US-ASCII string.
    Ascii(Vec<u8>),
}

/// Where unpacked values go: an array, a block, or the one variable of `unpack1`, which breaks after the first.
pub trait UnpackSink {
    type Error;

    fn push(&mut self, item: Item) -> Result<ControlFlow<()>, Self::Error>;

    /// Asked now and then while one long value is read: whether to go on.
    fn check(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// A counted directive ran out of bytes with `count` values to go. Only arrays are filled up with nils.
    fn missing(&mut self, count: usize) -> Result<(), Self::Error>;

    /// Pushes the string at an address that `p` or `P` read, and that is not null.
    fn push_pointee(&mut self, address: u64, len: Option<usize>) -> Result<ControlFlow<()>, Self::Error> {
        let _ = (address, len);
        Err(self.error(PackError::NoAssociatedPointer))
    }

    fn error(&mut self, error: PackError) -> Self::Error;
}

/// Unpacks `bytes`, starting `offset` bytes in; `@` and `X` may go back before that.
pub fn read<S: UnpackSink>(bytes: &[u8], format: &[u8], offset: i64, sink: &mut S) -> Result<(), S::Error> {
    let position = match usize::try_from(offset) {
        Ok(position) if position <= bytes.len() => position,
        Ok(_) => return Err(sink.error(PackError::OffsetOutsideOfString)),
        Err(_) => return Err(sink.error(PackError::NegativeOffset)),
    };
    let mut reader = UnpackReader { bytes, position, sink };
    for directive in (Directives { rest: format }) {
        let directive = directive.map_err(|error| reader.sink.error(error))?;
        if reader.directive(&directive)?.is_break() {
            break;
        }
    }
    Ok(())
}

struct UnpackReader<'a, S> {
    bytes: &'a [u8],
    position: usize,
    sink: &'a mut S,
}

type Flow<E> = Result<ControlFlow<()>, E>;

impl<'a, S: UnpackSink> UnpackReader<'a, S> {
    fn directive(&mut self, directive: &Directive) -> Flow<S::Error> {
        if let Some(layout) = directive.integer_layout() {
            return self.fixed(directive, layout.size, |bytes| Item::Integer(integer(bytes, layout)));
        }
        if let Some(layout) = directive.float_layout() {
            return self.fixed(directive, layout.size(), |bytes| Item::Float(float(bytes, layout)));
        }
        match directive.letter {
            b'a' | b'A' => self.text(directive),
            b'Z' => self.terminated(directive),
            b'b' | b'B' => self.bits(directive),
            b'h' | b'H' => self.nibbles(directive),
            b'U' => self.codepoints(directive),
            b'w' => self.ber(directive),
            b'u' => self.uu(),
            b'm' if directive.count == Count::Given(0) => self.strict_base64(),
            b'm' => self.base64(),
            b'M' => self.quoted_printable(),
            b'p' => self.pointers(directive),
            b'P' => self.pointer_to_bytes(directive),
            b'@' => self.go_to(directive),
            b'X' => self.back(directive),
            b'x' => self.forward(directive),
            b'%' => Err(self.sink.error(PackError::Percent)),
            letter => Err(self.sink.error(PackError::UnknownDirective { unpacking: true, directive: letter })),
        }
    }

    fn rest(&self) -> &'a [u8] {
        &self.bytes[self.position..]
    }

    /// The count in units of which a star takes all that is left.
    fn count(&self, directive: &Directive, left: usize) -> usize {
        match directive.count {
            Count::Absent => 1,
            Count::Star => left,
            Count::Given(count) => count,
        }
    }

    /// Values of `size` bytes each.
    fn fixed(&mut self, directive: &Directive, size: usize, item: impl Fn(&[u8]) -> Item) -> Flow<S::Error> {
        let available = self.rest().len() / size;
        let wanted = self.count(directive, available);
        for _ in 0..wanted.min(available) {
            let value = item(&self.rest()[..size]);
            self.position += size;
            if self.sink.push(value)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        if wanted > available {
            self.sink.missing(wanted - available)?;
        }
        Ok(ControlFlow::Continue(()))
    }

    fn text(&mut self, directive: &Directive) -> Flow<S::Error> {
        let rest = self.rest();
        let len = self.count(directive, rest.len()).min(rest.len());
        let start = self.position;
        self.position += len;
        let padding = match directive.letter {
            b'A' => rest[..len].iter().rev().take_while(|b| matches!(b, b' ' | 0)).count(),
            _ => 0,
        };
        self.sink.push(Item::Slice(start..start + len - padding))
    }

    /// `Z`: up to a NUL, which a star skips and a count may include.
    fn terminated(&mut self, directive: &Directive) -> Flow<S::Error> {
        let rest = self.rest();
        let len = self.count(directive, rest.len()).min(rest.len());
        let end = memchr::memchr(0, &rest[..len]);
        let start = self.position;
        self.position += match end {
            Some(end) if directive.count == Count::Star => end + 1,
            _ => len,
        };
        self.sink.push(Item::Slice(start..start + end.unwrap_or(len)))
    }

    fn bits(&mut self, directive: &Directive) -> Flow<S::Error> {
        let all = self.rest().len() * 8;
        let count = self.count(directive, all).min(all);
        let used = &self.rest()[..count.div_ceil(8)];
        let digits = codec::bits(used, count, directive.letter == b'B', &mut || self.sink.check())?;
        self.position += used.len();
        self.sink.push(Item::Ascii(digits))
    }

    fn nibbles(&mut self, directive: &Directive) -> Flow<S::Error> {
        let all = self.rest().len() * 2;
        let count = self.count(directive, all).min(all);
        let used = &self.rest()[..count.div_ceil(2)];
        let digits = codec::nibbles(used, count, directive.letter == b'H', &mut || self.sink.check())?;
        self.position += used.len();
        self.sink.push(Item::Ascii(digits))
    }

    fn codepoints(&mut self, directive: &Directive) -> Flow<S::Error> {
        let mut left = self.count(directive, self.rest().len());
        while left > 0 && !self.rest().is_empty() {
            let (code, len) = codec::read_codepoint(self.rest()).map_err(|error| self.sink.error(error))?;
            self.position += len;
            left -= 1;
            if self.sink.push(Item::Integer(Int::Small(i64::from(code))))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// `w`: an unfinished number at the end is read and dropped.
    fn ber(&mut self, directive: &Directive) -> Flow<S::Error> {
        let mut left = self.count(directive, self.rest().len());
        while left > 0 && !self.rest().is_empty() {
            let Some(len) = self.rest().iter().position(|b| b & 0x80 == 0) else {
                self.position = self.bytes.len();
                break;
            };
            let number = codec::read_ber(&self.rest()[..=len]);
            self.position += len + 1;
            left -= 1;
            if self.sink.push(Item::Integer(number))?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn uu(&mut self) -> Flow<S::Error> {
        let (decoded, used) = codec::decode_uu(self.rest(), &mut || self.sink.check())?;
        self.position += used;
        self.sink.push(Item::Binary(decoded))
    }

    fn base64(&mut self) -> Flow<S::Error> {
        let (decoded, used) = codec::decode_base64(self.rest(), &mut || self.sink.check())?;
        self.position += used;
        self.sink.push(Item::Binary(decoded))
    }

    fn strict_base64(&mut self) -> Flow<S::Error> {
        let Some(decoded) = codec::decode_strict_base64(self.rest(), &mut || self.sink.check())? else {
            return Err(self.sink.error(PackError::InvalidBase64));
        };
        self.position = self.bytes.len();
        self.sink.push(Item::Binary(decoded))
    }

    fn quoted_printable(&mut self) -> Flow<S::Error> {
        let (decoded, used) = codec::decode_quoted_printable(self.rest(), &mut || self.sink.check())?;
        self.position += used;
        self.sink.push(Item::Binary(decoded))
    }

    fn pointers(&mut self, directive: &Directive) -> Flow<S::Error> {
        let available = self.rest().len() / 8;
        for _ in 0..self.count(directive, available).min(available) {
            if self.pointer(None)?.is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    fn pointer_to_bytes(&mut self, directive: &Directive) -> Flow<S::Error> {
        if self.rest().len() < 8 {
            return Ok(ControlFlow::Continue(()));
        }
        let len = self.count(directive, self.rest().len());
        self.pointer(Some(len))
    }

    fn pointer(&mut self, len: Option<usize>) -> Flow<S::Error> {
        let address = unsigned(&self.rest()[..8], false);
        self.position += 8;
        if address == 0 { self.sink.push(Item::Nil) } else { self.sink.push_pointee(address, len) }
    }

    /// `@`: alone it is 0, with a star all that is left, counted from the start.
    fn go_to(&mut self, directive: &Directive) -> Flow<S::Error> {
        let target = match directive.count {
            Count::Absent => 0,
            _ => self.count(directive, self.rest().len()),
        };
        self.move_to(Some(target), b'@')
    }

    fn back(&mut self, directive: &Directive) -> Flow<S::Error> {
        let len = self.count(directive, self.rest().len());
        self.move_to(self.position.checked_sub(len), b'X')
    }

    fn forward(&mut self, directive: &Directive) -> Flow<S::Error> {
        let len = self.count(directive, self.rest().len());
        self.move_to(self.position.checked_add(len), b'x')
    }

    fn move_to(&mut self, target: Option<usize>, letter: u8) -> Flow<S::Error> {
        match target {
            Some(target) if target <= self.bytes.len() => self.position = target,
            _ => return Err(self.sink.error(PackError::OutsideOfString(letter))),
        }
        Ok(ControlFlow::Continue(()))
    }
}

fn unsigned(bytes: &[u8], big_endian: bool) -> u64 {
    let push = |n: u64, byte: &u8| n << 8 | u64::from(*byte);
    if big_endian { bytes.iter().fold(0, push) } else { bytes.iter().rev().fold(0, push) }
}

fn integer(bytes: &[u8], layout: IntegerLayout) -> Int {
    let bits = unsigned(bytes, layout.big_endian);
    if !layout.signed {
        return Int::from(bits);
    }
    // Shifting up and down again extends the sign.
    let unused = 64 - 8 * bytes.len() as u32;
    Int::Small((bits << unused) as i64 >> unused)
}

fn float(bytes: &[u8], layout: FloatLayout) -> f64 {
    let bits = unsigned(bytes, layout.big_endian);
    if layout.double { f64::from_bits(bits) } else { f64::from(f32::from_bits(bits as u32)) }
}
