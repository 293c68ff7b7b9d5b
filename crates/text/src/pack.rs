//! `Array#pack` and `String#unpack`.
//!
//! [`directives`](Directives) reads the format; [`write()`] packs values that come through [`PackArgs`], and [`read()`]
//! unpacks bytes into an [`UnpackSink`]. Both traits are the VM's: conversions may run Ruby code and fail, and blocks may
//! be yielded to. The encodings of text inside the formats (base64, uuencode, quoted-printable, BER, UTF-8) are in
//! [`codec`].
//!
//! # Layout
//! Native sizes are those of 64-bit Linux: `s` 2, `i` 4, `l` 4 (`l!` 8), `q` and `j` 8 bytes, little-endian.
//! `p` and `P` pack nil as a null pointer; what else they mean is left to the traits.

pub mod codec;
mod read;
mod write;

pub use read::{Item, UnpackSink, read};
pub use write::{PackArgs, PackEncoding, TextConversion, write};

/// Which class of exception a failure is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorClass {
    ArgumentError,
    RangeError,
}

/// What can be wrong with a format, or between it and the data.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PackError {
    UnknownDirective {
        unpacking: bool,
        directive: u8,
    },
    /// The modifier stands behind a directive that has no such variant.
    MisplacedModifier(u8),
    BothEndians,
    CountTooBig,
    /// The result would not fit in memory.
    ArgumentTooBig,
    Percent,
    TooFewArguments,
    /// `@`, `X` or `x` would leave the string.
    OutsideOfString(u8),
    OffsetOutsideOfString,
    NegativeOffset,
    CodepointOutOfRange,
    BignumTooBig,
    NegativeBer,
    ShortBuffer {
        len: usize,
        wanted: usize,
    },
    NoAssociatedPointer,
    /// The string was packed with pointers, but not this one.
    ForeignPointer,
    InvalidBase64,
    MalformedUtf8,
    TruncatedUtf8 {
        expected: usize,
        given: usize,
    },
    RedundantUtf8,
}

impl PackError {
    pub fn class(&self) -> ErrorClass {
        match self {
            PackError::BothEndians
            | PackError::CountTooBig
            | PackError::CodepointOutOfRange
            | PackError::BignumTooBig => ErrorClass::RangeError,
            _ => ErrorClass::ArgumentError,
        }
    }

    /// The message. `quoted_format` is the format as CRuby quotes it there: itself when all of it is printable, otherwise
    /// its `inspect` without the quotes.
    pub fn message(&self, quoted_format: &str) -> String {
        match *self {
            PackError::UnknownDirective { unpacking, directive } => {
                let mode = if unpacking { "unpack" } else { "pack" };
                let shown = show_directive(directive);
                format!("unknown {mode} directive '{shown}' in '{quoted_format}'")
            }
            PackError::MisplacedModifier(m) => format!("'{}' allowed only after types {SIZED}", char::from(m)),
            PackError::BothEndians => "Can't use both '<' and '>'".to_owned(),
            PackError::CountTooBig => "pack length too big".to_owned(),
            PackError::ArgumentTooBig => "argument too big".to_owned(),
            PackError::Percent => "% is not supported".to_owned(),
            PackError::TooFewArguments => "too few arguments".to_owned(),
            PackError::OutsideOfString(directive) => format!("{} outside of string", char::from(directive)),
            PackError::OffsetOutsideOfString => "offset outside of string".to_owned(),
            PackError::NegativeOffset => "offset can't be negative".to_owned(),
            PackError::CodepointOutOfRange => "pack(U): value out of range".to_owned(),
            PackError::BignumTooBig => "bignum too big to convert into 'long'".to_owned(),
            PackError::NegativeBer => "can't compress negative numbers".to_owned(),
            PackError::ShortBuffer { len, wanted } => format!("too short buffer for P({len} for {wanted})"),
            PackError::NoAssociatedPointer => "no associated pointer".to_owned(),
            PackError::ForeignPointer => "non associated pointer".to_owned(),
            PackError::InvalidBase64 => "invalid base64".to_owned(),
            PackError::MalformedUtf8 => "malformed UTF-8 character".to_owned(),
            PackError::TruncatedUtf8 { expected, given } => {
                format!("malformed UTF-8 character (expected {expected} bytes, given {given} bytes)")
            }
            PackError::RedundantUtf8 => "redundant UTF-8 sequence".to_owned(),
        }
    }
}

fn show_directive(directive: u8) -> String {
    match directive {
        b' '..=b'~' => char::from(directive).to_string(),
        _ => format!("\\x{directive:02x}"),
    }
}

/// The directives that have native sizes and byte orders.
const SIZED: &str = "sSiIlLqQjJ";

/// What follows a directive's letter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Count {
    Absent,
    Star,
    Given(usize),
}

#[derive(Clone, Copy, Debug)]
struct Directive {
    letter: u8,
    /// `_` or `!`: the platform's size.
    native: bool,
    /// `>` (true) or `<`.
    big_endian: Option<bool>,
    count: Count,
}

/// How an integer directive lays out its bytes.
#[derive(Clone, Copy, Debug)]
struct IntegerLayout {
    size: usize,
    signed: bool,
    big_endian: bool,
}

impl Directive {
    fn integer_layout(&self) -> Option<IntegerLayout> {
        let size = match self.letter {
            b'c' | b'C' => 1,
            b's' | b'S' | b'n' | b'v' => 2,
            b'l' | b'L' if self.native => 8,
            b'i' | b'I' | b'l' | b'L' | b'N' | b'V' => 4,
            b'q' | b'Q' | b'j' | b'J' => 8,
            _ => return None,
        };
        let big_endian = self.big_endian.unwrap_or(matches!(self.letter, b'n' | b'N'));
        let signed = matches!(self.letter, b'c' | b's' | b'i' | b'l' | b'q' | b'j');
        Some(IntegerLayout { size, signed, big_endian })
    }

    fn float_layout(&self) -> Option<FloatLayout> {
        match self.letter {
            b'f' | b'F' | b'e' => Some(FloatLayout { double: false, big_endian: false }),
            b'g' => Some(FloatLayout { double: false, big_endian: true }),
            b'd' | b'D' | b'E' => Some(FloatLayout { double: true, big_endian: false }),
            b'G' => Some(FloatLayout { double: true, big_endian: true }),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct FloatLayout {
    double: bool,
    big_endian: bool,
}

impl FloatLayout {
    fn size(self) -> usize {
        if self.double { 8 } else { 4 }
    }
}

/// The directives of a format, one at a time: an error in a later one must not keep earlier ones from acting.
struct Directives<'a> {
    rest: &'a [u8],
}

impl Iterator for Directives<'_> {
    type Item = Result<Directive, PackError>;

    fn next(&mut self) -> Option<Result<Directive, PackError>> {
        loop {
            let (&letter, rest) = self.rest.split_first()?;
            self.rest = rest;
            match letter {
                b' ' | b'\t'..=b'\r' => {}
                b'#' => self.skip_comment(),
                _ => return Some(self.directive(letter)),
            }
        }
    }
}

impl Directives<'_> {
    fn skip_comment(&mut self) {
        let end = memchr::memchr(b'\n', self.rest).unwrap_or(self.rest.len());
        self.rest = &self.rest[end..];
    }

    fn directive(&mut self, letter: u8) -> Result<Directive, PackError> {
        let mut directive = Directive { letter, native: false, big_endian: None, count: Count::Absent };
        while let [modifier @ (b'_' | b'!' | b'<' | b'>'), rest @ ..] = self.rest {
            if !SIZED.as_bytes().contains(&letter) {
                return Err(PackError::MisplacedModifier(*modifier));
            }
            match modifier {
                b'_' | b'!' => directive.native = true,
                _ if directive.big_endian.is_some() => return Err(PackError::BothEndians),
                _ => directive.big_endian = Some(*modifier == b'>'),
            }
            self.rest = rest;
        }
        directive.count = self.count()?;
        Ok(directive)
    }

    fn count(&mut self) -> Result<Count, PackError> {
        if let [b'*', rest @ ..] = self.rest {
            self.rest = rest;
            return Ok(Count::Star);
        }
        let len = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(len);
        self.rest = rest;
        if digits.is_empty() {
            return Ok(Count::Absent);
        }
        let count = digits.iter().try_fold(0_i64, |n, d| n.checked_mul(10)?.checked_add(i64::from(d - b'0')));
        count.map(|n| Count::Given(n as usize)).ok_or(PackError::CountTooBig)
    }
}

#[cfg(test)]
mod tests;
