//! `Kernel#format`.
//!
//! One pass over the format string. Literal text is copied, directives are read, and their arguments are fetched and
//! converted through [`Args`], which the VM implements; any of those calls may run Ruby code and fail. The conversions
//! themselves ([`integer`], [`float`]) are pure and public: other methods print numbers too.
//!
//! # Invariants
//! * Widths and precisions stay within `i32`, as in CRuby; larger ones are errors, not allocations.
//! * Arguments are used either in order, by number or by name. `Order` remembers which, to refuse mixtures.
//!
//! # Not here
//! Encodings. The format must be ASCII-compatible, which the caller checks; text is appended by [`Args::append_text`],
//! which knows the encodings of both sides, counts characters and raises when they do not go together.
//!
//! # References
//! CRuby's `sprintf.c`, whose messages are kept.

mod fixed;
pub mod float;
pub mod integer;
mod near_tie;

use crate::number::Int;
use num_bigint::BigInt;

/// The flags, width and precision of a directive.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Spec {
    /// `-`: on the left of its field.
    pub minus: bool,
    /// `+`: a sign on positive numbers too.
    pub plus: bool,
    /// ` `: a space where `+` puts its sign.
    pub space: bool,
    /// `0`: filled up with zeros.
    pub zero: bool,
    /// `#`: the alternative form.
    pub sharp: bool,
    pub width: Option<usize>,
    pub precision: Option<usize>,
}

/// What `%f` prints exactly.
#[derive(Clone, Debug, PartialEq)]
pub enum Real {
    Float(f64),
    Integer(Int),
    /// Numerator and positive denominator.
    Rational(BigInt, BigInt),
}

/// What becomes of a value's text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TextRequest {
    /// `inspect` (`%p`) rather than `to_s`.
    pub inspect: bool,
    /// Append no more characters than this.
    pub max_chars: Option<usize>,
    /// Is the number of characters wanted? Without a width it is not, and need not be counted.
    pub counted: bool,
}

/// The arguments of a format, and how their values are converted.
pub trait Args {
    type Value: Copy;
    type Error;

    /// How many arguments follow the format string.
    fn len(&self) -> usize;

    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn get(&mut self, index: usize) -> Self::Value;

    /// The value under the symbol `name` in the only argument, with the hash's default, or a KeyError saying
    /// `key<name> not found`; `quoted` is the name in its brackets. `None` when that argument is no Hash.
    fn lookup(&mut self, name: &[u8], quoted: &[u8]) -> Result<Option<Self::Value>, Self::Error>;

    /// A width or precision, as `NUM2INT` converts.
    fn to_width(&mut self, value: Self::Value) -> Result<i32, Self::Error>;

    /// `Kernel#Integer`, except that floats are cut off and may not be infinite.
    fn to_integer(&mut self, value: Self::Value) -> Result<Int, Self::Error>;

    /// Integers and Rationals as they are, anything else through `Kernel#Float`.
    fn to_real(&mut self, value: Self::Value) -> Result<Real, Self::Error>;

    /// `Kernel#Float`.
    fn to_float(&mut self, value: Self::Value) -> Result<f64, Self::Error>;

    /// Appends the text of a value to `out` and returns how many characters that were, if they were to be counted.
    fn append_text(
        &mut self,
        value: Self::Value,
        request: TextRequest,
        out: &mut Vec<u8>,
    ) -> Result<usize, Self::Error>;

    /// `%c`: appends the first character of a string, or the character with a given code, and returns how many
    /// characters that were (an empty string has none). Raises `invalid character` for impossible codes.
    fn append_char(&mut self, value: Self::Value, out: &mut Vec<u8>) -> Result<usize, Self::Error>;

    /// An ArgumentError. The message quotes bytes of the format and has its encoding.
    fn argument_error(&mut self, message: Vec<u8>) -> Self::Error;

    /// This many characters are about to be appended, or a few more: makes room, or says that there is none.
    fn make_room(&mut self, _chars: usize, _out: &mut Vec<u8>) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Some arguments were not used, in order or at all: a warning when verbose, an error when debugging.
    fn too_many_arguments(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

/// Appends `format` with its directives replaced.
pub fn format<A: Args>(format: &[u8], args: &mut A, out: &mut Vec<u8>) -> Result<(), A::Error> {
    Formatter { rest: format, args, out, order: Order::Undecided }.run()
}

/// How arguments have been used so far.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Order {
    Undecided,
    /// In order, this many of them.
    Sequential(usize),
    Numbered,
    Named,
}

struct Formatter<'a, A: Args> {
    rest: &'a [u8],
    args: &'a mut A,
    out: &'a mut Vec<u8>,
    order: Order,
}

/// A directive while its pieces are being read.
struct Directive<'a, V> {
    spec: Spec,
    /// A precision was begun; a negative one counts as begun and not given.
    has_precision: bool,
    has_flags: bool,
    value: Option<V>,
    name: Option<&'a [u8]>,
}

impl<'a, V> Directive<'a, V> {
    fn new() -> Directive<'a, V> {
        Directive { spec: Spec::default(), has_precision: false, has_flags: false, value: None, name: None }
    }

    fn is_plain(&self) -> bool {
        !self.has_flags && self.spec.width.is_none() && !self.has_precision
    }
}

/// The largest width, precision or argument number.
const MAX_NUMBER: i64 = i32::MAX as i64;

impl<'a, A: Args> Formatter<'a, A> {
    fn run(mut self) -> Result<(), A::Error> {
        while let Some(percent) = memchr::memchr(b'%', self.rest) {
            self.literal(percent)?;
            self.rest = &self.rest[percent + 1..];
            if self.rest.is_empty() {
                return self.fail("incomplete format specifier; use %% (double %) instead");
            }
            self.directive()?;
        }
        self.literal(self.rest.len())?;
        let all_used = match self.order {
            Order::Undecided => self.args.is_empty(),
            Order::Sequential(used) => used >= self.args.len(),
            Order::Numbered | Order::Named => true,
        };
        if all_used { Ok(()) } else { self.args.too_many_arguments() }
    }

    /// Appends so many bytes of the format as they are.
    fn literal(&mut self, len: usize) -> Result<(), A::Error> {
        self.args.make_room(len, self.out)?;
        self.out.extend_from_slice(&self.rest[..len]);
        Ok(())
    }

    /// Reads one directive, which starts behind its percent sign, and appends what it stands for.
    fn directive(&mut self) -> Result<(), A::Error> {
        let mut directive = Directive::new();
        loop {
            let byte = self.rest.first().copied().unwrap_or(0);
            match byte {
                b' ' | b'#' | b'+' | b'-' | b'0' => self.flag(byte, &mut directive)?,
                b'1'..=b'9' => self.number(&mut directive)?,
                b'*' => self.star_width(&mut directive)?,
                b'.' => self.precision(&mut directive)?,
                b'<' => self.name(b'>', &mut directive)?,
                b'{' => {
                    self.name(b'}', &mut directive)?;
                    return self.text(directive, false);
                }
                _ => {
                    self.rest = self.rest.get(1..).unwrap_or_default();
                    return self.convert(byte, directive);
                }
            }
        }
    }

    fn convert(&mut self, conversion: u8, directive: Directive<'a, A::Value>) -> Result<(), A::Error> {
        let chars = directive.spec.width.max(directive.spec.precision).unwrap_or(0);
        self.args.make_room(chars, self.out)?;
        match conversion {
            b'%' if directive.is_plain() => {
                self.out.push(b'%');
                Ok(())
            }
            b'%' => self.fail("invalid format character - %"),
            b'c' => self.char(directive),
            b's' => self.text(directive, false),
            b'p' => self.text(directive, true),
            b'd' | b'i' | b'u' | b'o' | b'x' | b'X' | b'b' | b'B' => self.integer(conversion, directive),
            b'f' => self.real(directive),
            b'e' | b'E' | b'g' | b'G' | b'a' | b'A' => self.float(conversion, directive),
            b' '..=b'~' => self.fail(format!("malformed format string - %{}", char::from(conversion))),
            _ => self.fail("malformed format string"),
        }
    }

    // The pieces of a directive.

    fn flag(&mut self, flag: u8, directive: &mut Directive<'a, A::Value>) -> Result<(), A::Error> {
        if directive.spec.width.is_some() {
            return self.fail("flag after width");
        }
        if directive.has_precision {
            return self.fail("flag after precision");
        }
        directive.has_flags = true;
        match flag {
            b' ' => directive.spec.space = true,
            b'#' => directive.spec.sharp = true,
            b'+' => directive.spec.plus = true,
            b'-' => directive.spec.minus = true,
            _ => directive.spec.zero = true,
        }
        self.rest = &self.rest[1..];
        Ok(())
    }

    /// Digits: an argument's number if a dollar sign follows, else a width.
    fn number(&mut self, directive: &mut Directive<'a, A::Value>) -> Result<(), A::Error> {
        let number = self.digits("width")?;
        if self.rest.first() == Some(&b'$') {
            if directive.value.is_some() {
                return self.fail(format!("value given twice - {number}$"));
            }
            self.rest = &self.rest[1..];
            directive.value = Some(self.numbered(number)?);
            return Ok(());
        }
        self.check_width(directive)?;
        directive.spec.width = Some(number);
        Ok(())
    }

    fn star_width(&mut self, directive: &mut Directive<'a, A::Value>) -> Result<(), A::Error> {
        self.check_width(directive)?;
        let width = self.star("width")?;
        directive.spec.minus |= width < 0;
        let Ok(magnitude) = i32::try_from(width.unsigned_abs()) else { return self.fail("width too big") };
        directive.spec.width = Some(magnitude as usize);
        Ok(())
    }

    fn precision(&mut self, directive: &mut Directive<'a, A::Value>) -> Result<(), A::Error> {
        if directive.has_precision {
            return self.fail("precision given twice");
        }
        directive.has_precision = true;
        self.rest = &self.rest[1..];
        if self.rest.first() == Some(&b'*') {
            // A negative precision is as good as none.
            directive.spec.precision = usize::try_from(self.star("prec")?).ok();
        } else {
            directive.spec.precision = Some(self.digits("precision")?);
        }
        Ok(())
    }

    /// A name in brackets, of which the first is next.
    fn name(&mut self, close: u8, directive: &mut Directive<'a, A::Value>) -> Result<(), A::Error> {
        let Some(end) = memchr::memchr(close, self.rest) else {
            return self.fail("malformed name - unmatched parenthesis");
        };
        let quoted = &self.rest[..=end];
        if let Some(first) = directive.name {
            return self.fail([b"named", quoted, b" after <", first, b">"].concat());
        }
        self.rest = &self.rest[end + 1..];
        let name = &quoted[1..end];
        directive.value = Some(self.named(name, quoted)?);
        directive.name = Some(name);
        Ok(())
    }

    /// Digits that something must follow.
    fn digits(&mut self, what: &str) -> Result<usize, A::Error> {
        let len = self.rest.iter().take_while(|b| b.is_ascii_digit()).count();
        let (digits, rest) = self.rest.split_at(len);
        let number = digits.iter().try_fold(0_i64, |n, b| {
            let next = n * 10 + i64::from(b - b'0');
            (next <= MAX_NUMBER).then_some(next)
        });
        self.rest = rest;
        match number {
            None => self.fail(format!("{what} too big")),
            Some(_) if rest.is_empty() => self.fail("malformed format string - %*[0-9]"),
            Some(number) => Ok(number as usize),
        }
    }

    /// `*` or `*N$`: a number taken from the arguments.
    fn star(&mut self, what: &str) -> Result<i32, A::Error> {
        self.rest = &self.rest[1..];
        let behind = self.rest;
        let number = self.digits(what)?;
        let value = if self.rest.first() == Some(&b'$') {
            self.rest = &self.rest[1..];
            self.numbered(number)?
        } else {
            self.rest = behind;
            self.next()?
        };
        self.args.to_width(value)
    }

    fn check_width(&mut self, directive: &Directive<'a, A::Value>) -> Result<(), A::Error> {
        if directive.spec.width.is_some() {
            return self.fail("width given twice");
        }
        if directive.has_precision { self.fail("width after precision") } else { Ok(()) }
    }

    // Arguments.

    fn next(&mut self) -> Result<A::Value, A::Error> {
        let number = match self.order {
            Order::Undecided => 1,
            Order::Sequential(last) => last + 1,
            // Had another been taken in order before, that would have been the error.
            Order::Numbered => return self.fail("unnumbered(1) mixed with numbered"),
            Order::Named => return self.fail("unnumbered(1) mixed with named"),
        };
        self.order = Order::Sequential(number);
        self.nth(number)
    }

    fn numbered(&mut self, number: usize) -> Result<A::Value, A::Error> {
        match self.order {
            Order::Sequential(last) => return self.fail(format!("numbered({number}) after unnumbered({last})")),
            Order::Named => return self.fail(format!("numbered({number}) after named")),
            Order::Undecided | Order::Numbered => {}
        }
        if number == 0 {
            return self.fail("invalid index - 0$");
        }
        self.order = Order::Numbered;
        self.nth(number)
    }

    fn named(&mut self, name: &[u8], quoted: &[u8]) -> Result<A::Value, A::Error> {
        match self.order {
            Order::Sequential(last) => {
                let after = format!(" after unnumbered({last})");
                return self.fail([b"named", quoted, after.as_bytes()].concat());
            }
            Order::Numbered => return self.fail([b"named", quoted, b" after numbered"].concat()),
            Order::Undecided | Order::Named => {}
        }
        self.order = Order::Named;
        if self.args.len() == 1
            && let Some(value) = self.args.lookup(name, quoted)?
        {
            return Ok(value);
        }
        self.fail("one hash required")
    }

    fn nth(&mut self, number: usize) -> Result<A::Value, A::Error> {
        if number > self.args.len() { self.fail("too few arguments") } else { Ok(self.args.get(number - 1)) }
    }

    fn value(&mut self, directive: &Directive<'a, A::Value>) -> Result<A::Value, A::Error> {
        directive.value.map_or_else(|| self.next(), Ok)
    }

    // Conversions.

    fn text(&mut self, directive: Directive<'a, A::Value>, inspect: bool) -> Result<(), A::Error> {
        let value = self.value(&directive)?;
        let spec = &directive.spec;
        let request = TextRequest { inspect, max_chars: spec.precision, counted: spec.width.is_some() };
        let start = self.out.len();
        let chars = self.args.append_text(value, request, self.out)?;
        pad(self.out, start, chars, spec);
        Ok(())
    }

    fn char(&mut self, directive: Directive<'a, A::Value>) -> Result<(), A::Error> {
        let value = self.value(&directive)?;
        let start = self.out.len();
        let chars = self.args.append_char(value, self.out)?;
        pad(self.out, start, chars, &directive.spec);
        Ok(())
    }

    fn integer(&mut self, conversion: u8, directive: Directive<'a, A::Value>) -> Result<(), A::Error> {
        let value = self.value(&directive)?;
        let number = self.args.to_integer(value)?;
        self.args.make_room(integer::most_digits(&number), self.out)?;
        integer::push(self.out, &directive.spec, conversion, &number);
        Ok(())
    }

    fn real(&mut self, directive: Directive<'a, A::Value>) -> Result<(), A::Error> {
        let value = self.value(&directive)?;
        let number = self.args.to_real(value)?;
        float::push_real(self.out, &directive.spec, &number);
        Ok(())
    }

    fn float(&mut self, conversion: u8, directive: Directive<'a, A::Value>) -> Result<(), A::Error> {
        let value = self.value(&directive)?;
        let number = self.args.to_float(value)?;
        float::push(self.out, &directive.spec, conversion, number);
        Ok(())
    }

    #[cold]
    fn fail<T>(&mut self, message: impl Into<Vec<u8>>) -> Result<T, A::Error> {
        Err(self.args.argument_error(message.into()))
    }
}

/// Fills up to the width with spaces what was appended at `start` and has `chars` characters.
fn pad(out: &mut Vec<u8>, start: usize, chars: usize, spec: &Spec) {
    let missing = spec.width.unwrap_or(0).saturating_sub(chars);
    if missing == 0 {
        return;
    }
    let end = out.len();
    out.resize(end + missing, b' ');
    if !spec.minus {
        out.copy_within(start..end, start + missing);
        out[start..start + missing].fill(b' ');
    }
}

#[cfg(test)]
mod tests;
