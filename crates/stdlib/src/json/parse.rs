//! Values of a text.
//!
//! The containers that are open are a list, not calls, so nesting takes no native stack. The text is not copied first: whatever
//! Ruby code does to it meanwhile, positions are looked up anew and those behind its end read as such.

use super::config::{Config, Duplicates};
use super::waiting::Waiting;
use super::{error_class, json};
use carat_text::json::{self as token, Fault, Quoted, peek};
use carat_text::number::parse_integer;
use carat_vm::{Array, CodeRange, Ec, EncodingIndex, Hash, Result, Str, Unwind, Value, sym};

/// A container that is open.
#[derive(Clone, Copy)]
struct Open {
    /// Its first value among those that wait.
    first: usize,
    /// Where it began.
    start: usize,
    is_object: bool,
}

struct Parser {
    config: Config,
    source: Str,
    at: usize,
    waiting: Waiting,
    open: Vec<Open>,
    /// For the texts of strings with escapes.
    scratch: Vec<u8>,
    names: Names,
}

/// As many names are remembered on the native stack, where the collector looks.
const NAMES: usize = 32;

/// Names that objects had, unique strings or symbols: most objects of a text have those of another. It must itself be on the native
/// stack.
struct Names([Value; NAMES]);

impl Names {
    fn place(text: &[u8]) -> usize {
        let (first, last) = (text.first().copied().unwrap_or(0), text.last().copied().unwrap_or(0));
        (text.len() ^ usize::from(first) << 1 ^ usize::from(last) << 3) % NAMES
    }

    fn get(&mut self, ec: &Ec, text: &[u8], make: impl FnOnce() -> Value) -> Value {
        let known = &mut self.0[Names::place(text)];
        let is_it = match (known.as_symbol(), Str::from_value(*known)) {
            (Some(symbol), _) => ec.vm().symbol_name(symbol).bytes == text,
            (None, Some(string)) => string.bytes(ec) == text,
            (None, None) => false,
        };
        if !is_it {
            *known = make();
        }
        *known
    }
}

/// Whether a value is complete, or another one has to come first.
#[derive(PartialEq, Eq)]
enum Step {
    Complete,
    Next,
}

/// The value of a JSON text. Calls Ruby: `on_load`, what makes decimals, and interrupts.
pub(super) fn parse(ec: &mut Ec, source: Str, config: Config) -> Result {
    let mut parser = Parser {
        config,
        source,
        at: 0,
        waiting: Waiting::new(),
        open: Vec::new(),
        scratch: Vec::new(),
        names: Names([Value::NIL; NAMES]),
    };
    parser.document(ec)
}

impl Parser {
    fn document(&mut self, ec: &mut Ec) -> Result {
        loop {
            ec.check_ints()?;
            if self.value(ec)? == Step::Next {
                continue;
            }
            while let Some(open) = self.open.last().copied()
                && self.follow(ec, open)? == Step::Complete
            {}
            if self.open.is_empty() {
                break;
            }
        }
        self.space(ec)?;
        if self.at < self.source.len(ec) {
            return Err(self.fail_here(ec, "unexpected token at end of stream %s"));
        }
        Ok(self.waiting.get(ec, 0))
    }

    fn peek(&self, ec: &Ec) -> u8 {
        peek(self.source.bytes(ec), self.at)
    }

    fn space(&mut self, ec: &mut Ec) -> Result<()> {
        match token::skip_space(self.source.bytes(ec), self.at) {
            Ok(at) => {
                self.at = at;
                Ok(())
            }
            Err(fault) => Err(self.fail(ec, fault)),
        }
    }

    fn push(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        let value =
            if self.config.on_load.is_nil() { value } else { ec.call(self.config.on_load, sym::CALL, &[value])? };
        self.waiting.push(ec, value);
        Ok(())
    }

    fn complete(&mut self, ec: &mut Ec, value: Value) -> Result<Step> {
        self.push(ec, value)?;
        Ok(Step::Complete)
    }

    // ---- values ----

    fn value(&mut self, ec: &mut Ec) -> Result<Step> {
        self.space(ec)?;
        match self.peek(ec) {
            b'"' => {
                let text = self.string(ec, false)?;
                self.complete(ec, text)
            }
            b'{' => self.open_object(ec),
            b'[' => self.open_array(ec),
            b'0'..=b'9' => self.number(ec),
            b'-' => self.negative(ec),
            b'n' => self.word(ec, b"null", Value::NIL, true),
            b't' => self.word(ec, b"true", Value::TRUE, true),
            b'f' => self.word(ec, b"false", Value::FALSE, true),
            b'N' => self.word(ec, b"NaN", ec.float(f64::NAN), self.config.allow_nan),
            b'I' => self.word(ec, b"Infinity", ec.float(f64::INFINITY), self.config.allow_nan),
            0 => Err(self.fail_here(ec, "unexpected end of input")),
            _ => Err(self.fail_here(ec, "unexpected character: %s")),
        }
    }

    fn word(&mut self, ec: &mut Ec, word: &[u8], value: Value, is_allowed: bool) -> Result<Step> {
        let rest = self.source.bytes(ec).get(self.at..).unwrap_or_default();
        if !is_allowed || !rest.starts_with(word) {
            return Err(self.fail_here(ec, "unexpected token %s"));
        }
        self.at += word.len();
        self.complete(ec, value)
    }

    fn negative(&mut self, ec: &mut Ec) -> Result<Step> {
        let infinity = b"-Infinity";
        if self.source.bytes(ec).get(self.at..).is_some_and(|rest| rest.starts_with(infinity)) {
            return self.word(ec, infinity, ec.float(f64::NEG_INFINITY), self.config.allow_nan);
        }
        self.number(ec)
    }

    fn number(&mut self, ec: &mut Ec) -> Result<Step> {
        let source = self.source.bytes(ec);
        let start = self.at;
        let number = match token::number(source, start) {
            Ok(number) => number,
            Err(fault) => return Err(self.fail(ec, fault)),
        };
        self.at = number.end;
        let text = &source[start..number.end];
        let value = if number.is_integer {
            integer(ec, text)
        } else if self.config.decimal.0.is_nil() {
            ec.float(token::float(text))
        } else {
            let text = Str::from_ascii(ec, text).value();
            ec.call(self.config.decimal.0, self.config.decimal.1, &[text])?
        };
        self.complete(ec, value)
    }

    // ---- strings ----

    fn string(&mut self, ec: &mut Ec, is_name: bool) -> Result {
        let quoted = match token::string(self.source.bytes(ec), self.at) {
            Ok(quoted) => quoted,
            Err(fault) => return Err(self.fail(ec, fault)),
        };
        self.at = quoted.end + 1;
        if quoted.has_escapes {
            self.unescape(ec, quoted)?;
        }
        let text = if quoted.has_escapes { &self.scratch } else { &self.source.bytes(ec)[quoted.start..quoted.end] };
        Ok(match is_name {
            true if self.config.symbolize_names => {
                self.names.get(ec, text, || Value::symbol(ec.vm().intern_bytes(text, EncodingIndex::UTF_8)))
            }
            true => self.names.get(ec, text, || ec.fstring(text, EncodingIndex::UTF_8).value()),
            false if self.config.freeze => ec.fstring(text, EncodingIndex::UTF_8).value(),
            false => Str::new(ec, text, EncodingIndex::UTF_8, range_of(text)).value(),
        })
    }

    fn unescape(&mut self, ec: &mut Ec, quoted: Quoted) -> Result<()> {
        self.scratch.clear();
        ec.make_room_in(&mut self.scratch, quoted.end - quoted.start)?;
        token::unescape(self.source.bytes(ec), quoted, &mut self.scratch).map_err(|fault| self.fail(ec, fault))
    }

    // ---- containers ----

    fn open_array(&mut self, ec: &mut Ec) -> Result<Step> {
        let start = self.at;
        self.at += 1;
        self.space(ec)?;
        self.enter(ec, start, false)?;
        if self.peek(ec) == b']' { self.close(ec) } else { self.nest(ec) }
    }

    fn open_object(&mut self, ec: &mut Ec) -> Result<Step> {
        let start = self.at;
        self.at += 1;
        self.space(ec)?;
        self.enter(ec, start, true)?;
        if self.peek(ec) == b'}' {
            return self.close(ec);
        }
        self.nest(ec)?;
        if self.peek(ec) != b'"' {
            return Err(self.fail_here(ec, "expected object key, got %s"));
        }
        self.name(ec, "expected ':' after object key")
    }

    fn enter(&mut self, ec: &mut Ec, start: usize, is_object: bool) -> Result<()> {
        if self.open.len() == self.open.capacity() {
            ec.ensure_memory(self.open.len() * 2 * size_of::<Open>())?;
        }
        self.open.push(Open { first: self.waiting.len(), start, is_object });
        Ok(())
    }

    /// Something is in the container, so that it counts.
    fn nest(&mut self, ec: &mut Ec) -> Result<Step> {
        let depth = self.open.len();
        if self.config.max_nesting != 0 && depth as i64 > self.config.max_nesting {
            let class = error_class(ec, "NestingError");
            return Err(ec.error(class, &format!("nesting of {depth} is too deep")));
        }
        Ok(Step::Next)
    }

    /// A key, and the colon behind it.
    fn name(&mut self, ec: &mut Ec, without_colon: &'static str) -> Result<Step> {
        let name = self.string(ec, true)?;
        self.push(ec, name)?;
        self.space(ec)?;
        if self.peek(ec) != b':' {
            return Err(self.fail_here(ec, without_colon));
        }
        self.at += 1;
        Ok(Step::Next)
    }

    /// What follows a value in a container: the next one, or its end.
    fn follow(&mut self, ec: &mut Ec, open: Open) -> Result<Step> {
        let end = if open.is_object { b'}' } else { b']' };
        self.space(ec)?;
        match self.peek(ec) {
            b',' => {
                self.at += 1;
                if open.is_object || self.config.allow_trailing_comma {
                    self.space(ec)?;
                }
                if self.config.allow_trailing_comma && self.peek(ec) == end {
                    return self.close(ec);
                }
                if open.is_object { self.next_name(ec) } else { Ok(Step::Next) }
            }
            byte if byte == end => self.close(ec),
            _ if open.is_object => Err(self.fail_here(ec, "expected ',' or '}' after object value, got: %s")),
            _ => Err(self.fail_here(ec, "expected ',' or ']' after array value")),
        }
    }

    fn next_name(&mut self, ec: &mut Ec) -> Result<Step> {
        if self.peek(ec) != b'"' {
            return Err(self.fail_here(ec, "expected object key, got: %s"));
        }
        self.name(ec, "expected ':' after object key, got: %s")
    }

    /// The innermost container is complete.
    fn close(&mut self, ec: &mut Ec) -> Result<Step> {
        self.at += 1;
        let Some(open) = self.open.pop() else { return Ok(Step::Complete) };
        let container = if open.is_object {
            self.object(ec, open)?
        } else {
            Array::from_slice(ec, self.waiting.from(ec, open.first)).value()
        };
        self.waiting.truncate(ec, open.first);
        if self.config.freeze {
            ec.freeze(container);
        }
        self.complete(ec, container)
    }

    fn object(&mut self, ec: &mut Ec, open: Open) -> Result {
        let count = (self.waiting.len() - open.first) / 2;
        let hash = match Hash::of_plain_pairs(ec, self.waiting.from(ec, open.first), 0) {
            Some(hash) => hash,
            None => self.large_object(ec, open, count)?,
        };
        if hash.len(ec) < count && self.config.duplicates != Duplicates::Allow {
            self.tell_duplicate(ec, open)?;
        }
        Ok(hash.value())
    }

    /// Of many names, or with one that `on_load` made, which may be a string that is not frozen, or anything else.
    fn large_object(&mut self, ec: &mut Ec, open: Open, count: usize) -> Result<Hash> {
        let hash = Hash::with_capacity(ec, count);
        for number in 0..count {
            let at = open.first + number * 2;
            let (key, value) = (self.waiting.get(ec, at), self.waiting.get(ec, at + 1));
            hash.store(ec, key, value)?;
        }
        Ok(hash)
    }

    fn tell_duplicate(&mut self, ec: &mut Ec, open: Open) -> Result<()> {
        let key = self.duplicate(ec, open)?;
        let shown = ec.inspect(key)?.to_text(ec);
        if self.config.duplicates == Duplicates::Raise {
            return Err(self.fail_with(ec, open.start, format!("duplicate key {shown}").into_bytes()));
        }
        let (line, column) = token::place(self.source.bytes(ec), open.start);
        let message = ec.str(&format!(
            "detected duplicate key {shown} in JSON object. This will raise an error in json 3.0 unless enabled via \
             `allow_duplicate_key: true` at line {line} column {column}"
        ));
        ec.call(json(ec).value(), ec.vm().intern("deprecation_warning"), &[message])?;
        Ok(())
    }

    /// The first key that came before, as a string.
    fn duplicate(&mut self, ec: &mut Ec, open: Open) -> Result {
        let seen = Hash::new(ec);
        for at in (open.first..self.waiting.len()).step_by(2) {
            let key = self.waiting.get(ec, at);
            let before = seen.len(ec);
            seen.store(ec, key, Value::TRUE)?;
            if seen.len(ec) == before {
                return Ok(key.as_symbol().map_or(key, |symbol| ec.symbol_to_str(symbol).value()));
            }
        }
        Ok(Value::NIL)
    }

    // ---- errors ----

    #[cold]
    fn fail_here(&self, ec: &mut Ec, message: &'static str) -> Unwind {
        self.fail(ec, Fault::new(self.at, message))
    }

    #[cold]
    fn fail(&self, ec: &mut Ec, fault: Fault) -> Unwind {
        let message = match fault.message.split_once("%s") {
            Some((before, after)) => {
                [before.as_bytes(), &token::shown(self.source.bytes(ec), fault.at), after.as_bytes()].concat()
            }
            None => fault.message.into(),
        };
        self.fail_with(ec, fault.at, message)
    }

    fn fail_with(&self, ec: &mut Ec, at: usize, mut message: Vec<u8>) -> Unwind {
        let (line, column) = token::place(self.source.bytes(ec), at);
        message.extend(format!(" at line {line} column {column}").into_bytes());
        let message = Str::new(ec, &message, EncodingIndex::UTF_8, CodeRange::Unknown).value();
        let exception = ec.new_exception_with(error_class(ec, "ParserError"), message);
        ec.set_field(exception, ec.vm().intern("@line"), Value::len(line));
        ec.set_field(exception, ec.vm().intern("@column"), Value::len(column));
        ec.raise(exception)
    }
}

/// As much as surely fits a machine word.
const SHORT_DIGITS: usize = 18;

/// The Integer of digits that may have a sign.
pub(crate) fn integer(ec: &Ec, text: &[u8]) -> Value {
    let digits = text.strip_prefix(b"-").unwrap_or(text);
    if digits.len() <= SHORT_DIGITS {
        let number = digits.iter().fold(0, |number, digit| number * 10 + i64::from(digit - b'0'));
        return ec.int(if digits.len() < text.len() { -number } else { number });
    }
    match parse_integer::to_i(text, 10) {
        Ok(carat_text::number::Int::Small(number)) => ec.int(number),
        Ok(carat_text::number::Int::Big(number)) => ec.bigint(number),
        Err(_) => Value::NIL,
    }
}

fn range_of(text: &[u8]) -> CodeRange {
    if text.is_ascii() { CodeRange::SevenBit } else { CodeRange::Unknown }
}
