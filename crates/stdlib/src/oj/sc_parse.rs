//! `Oj.sc_parse`: a parser that tells a handler what it meets.
//!
//! A stream is read as more of it is needed: a token that reaches the end of what was read is looked at again with more.

use crate::json::Waiting;
use carat_text::json::{self as token, Fault, peek};
use carat_vm::{Block, Class, CodeRange, Ec, EncodingIndex, Result, Str, SymbolId, Unwind, Value, methods, sym};

methods! {
    METHODS {
        static "__sc_parse" => sc_parse;
    }
}

pub(super) fn define(ec: &mut Ec, module: Class) {
    module.define_methods(ec, METHODS);
}

/// What a handler may have, by number.
const CALLBACKS: [&str; 8] =
    ["hash_start", "hash_end", "hash_key", "hash_set", "array_start", "array_end", "array_append", "add_value"];
const HASH_START: usize = 0;
const HASH_END: usize = 1;
const HASH_KEY: usize = 2;
const HASH_SET: usize = 3;
const ARRAY_START: usize = 4;
const ARRAY_END: usize = 5;
const ARRAY_APPEND: usize = 6;
const ADD_VALUE: usize = 7;

/// As much is read at a time, at least.
const READ_BYTES: usize = 16 << 10;

struct Parser {
    handler: Value,
    /// The callbacks that the handler has.
    callbacks: [Option<SymbolId>; CALLBACKS.len()],
    /// What is left to read, or nil.
    stream: Value,
    text: Str,
    at: usize,
    /// For each container that is open, what the handler made of it, and the key of the value that comes next.
    waiting: Waiting,
    is_object: Vec<bool>,
    block: Option<Block>,
    /// The last container at the top.
    last: Value,
    /// Makes decimals of more digits than a float has; nil for none.
    decimal: Value,
    scratch: Vec<u8>,
}

/// `__sc_parse(handler, text, stream, decimal)`
fn sc_parse(
    ec: &mut Ec,
    _this: Value,
    handler: Value,
    text: Value,
    stream: Value,
    decimal: Value,
    block: Option<Block>,
) -> Result {
    let text = match Str::from_value(text) {
        Some(text) => text.snapshot(ec),
        None => Str::with_capacity(ec, 0),
    };
    let mut callbacks = [None; CALLBACKS.len()];
    for (number, name) in CALLBACKS.iter().enumerate() {
        let name = ec.vm().intern(name);
        callbacks[number] = ec.respond_to(handler, name, false)?.then_some(name);
    }
    let waiting = Waiting::new();
    let mut parser = Parser {
        handler,
        callbacks,
        stream,
        text,
        at: 0,
        waiting,
        is_object: Vec::new(),
        block,
        last: Value::NIL,
        decimal,
        scratch: Vec::new(),
    };
    parser.all(ec)?;
    Ok(parser.last)
}

impl Parser {
    fn tell(&mut self, ec: &mut Ec, callback: usize, args: &[Value]) -> Result {
        match self.callbacks[callback] {
            Some(name) => ec.call(self.handler, name, args),
            None => Ok(Value::NIL),
        }
    }

    fn peek(&self, ec: &Ec) -> u8 {
        peek(self.text.bytes(ec), self.at)
    }

    // ---- reading ----

    /// Reads more behind what is there. False at the end.
    fn read_more(&mut self, ec: &mut Ec) -> Result<bool> {
        if self.stream.is_nil() {
            return Ok(false);
        }
        // As much as is there already, so that a long string is not looked at too often.
        let left = self.text.len(ec).saturating_sub(self.at);
        let size = Value::len(left.max(READ_BYTES));
        let part = ec.call(self.stream, ec.vm().intern("call"), &[size])?;
        let Some(part) = Str::from_value(part).filter(|part| !part.is_empty(ec)) else {
            self.stream = Value::NIL;
            return Ok(false);
        };
        let rest = [self.text.bytes(ec).get(self.at..).unwrap_or_default(), part.bytes(ec)].concat();
        self.text = Str::try_new(ec, &rest, EncodingIndex::UTF_8, CodeRange::Unknown)?;
        self.at = 0;
        Ok(true)
    }

    /// A token that `scan` finds where we are: its value and its end.
    fn token<T>(
        &mut self,
        ec: &mut Ec,
        scan: impl Fn(&[u8], usize) -> std::result::Result<(T, usize), Fault>,
    ) -> Result<T> {
        loop {
            let scanned = scan(self.text.bytes(ec), self.at);
            let reaches_end = scanned.as_ref().map_or_else(|fault| fault.at, |found| found.1) >= self.text.len(ec);
            // A fault may lie before the end of what was read, and still come of it.
            if (reaches_end || scanned.is_err()) && self.read_more(ec)? {
                continue;
            }
            return match scanned {
                Ok((value, end)) => {
                    self.at = end;
                    Ok(value)
                }
                Err(fault) => Err(self.fail(ec, fault)),
            };
        }
    }

    fn space(&mut self, ec: &mut Ec) -> Result<()> {
        self.token(ec, |source, at| token::skip_space(source, at).map(|end| ((), end)))
    }

    // ---- values ----

    fn all(&mut self, ec: &mut Ec) -> Result<()> {
        loop {
            ec.check_ints()?;
            self.space(ec)?;
            if self.is_object.is_empty() && self.at >= self.text.len(ec) {
                return Ok(());
            }
            if self.value(ec)? {
                self.follow(ec)?;
            }
        }
    }

    /// One value, or the beginning of one. False: what is in it comes next.
    fn value(&mut self, ec: &mut Ec) -> Result<bool> {
        let value = match self.peek(ec) {
            b'"' => self.string(ec, false)?,
            b'[' => return self.open(ec, false),
            b'{' => return self.open(ec, true),
            b'-' | b'0'..=b'9' => self.number(ec)?,
            b'n' => self.word(ec, b"null", Value::NIL)?,
            b't' => self.word(ec, b"true", Value::TRUE)?,
            b'f' => self.word(ec, b"false", Value::FALSE)?,
            b'N' => self.word(ec, b"NaN", ec.float(f64::NAN))?,
            b'I' => self.word(ec, b"Infinity", ec.float(f64::INFINITY))?,
            0 if self.at >= self.text.len(ec) => return Err(self.unterminated(ec)),
            b']' => return Err(self.fail_here(ec, "expected array element, not an array close")),
            _ => return Err(self.fail_here(ec, "unexpected character")),
        };
        self.give(ec, value, false)?;
        Ok(true)
    }

    fn word(&mut self, ec: &mut Ec, word: &'static [u8], value: Value) -> Result {
        self.token(ec, |source, at| match source.get(at..).unwrap_or_default() {
            rest if rest.starts_with(word) => Ok(((), at + word.len())),
            _ => Err(Fault::new(at, "not a number or other value")),
        })?;
        Ok(value)
    }

    fn string(&mut self, ec: &mut Ec, is_key: bool) -> Result {
        let quoted = self.token(ec, |source, at| {
            let quoted = token::string(source, at).map_err(|fault| match fault.at {
                end if end >= source.len() => Fault::new(end, "quoted string not terminated"),
                at => Fault::new(at, "invalid string character"),
            })?;
            Ok((quoted, quoted.end + 1))
        })?;
        self.scratch.clear();
        if quoted.has_escapes {
            ec.make_room_in(&mut self.scratch, quoted.end - quoted.start)?;
            if let Err(fault) = token::unescape(self.text.bytes(ec), quoted, &mut self.scratch) {
                return Err(self.fail(ec, Fault::new(fault.at, "invalid escaped character")));
            }
        }
        let text = if quoted.has_escapes { &self.scratch[..] } else { &self.text.bytes(ec)[quoted.start..quoted.end] };
        if is_key {
            return Ok(ec.fstring(text, EncodingIndex::UTF_8).value());
        }
        let range = if text.is_ascii() { CodeRange::SevenBit } else { CodeRange::Unknown };
        Ok(Str::new(ec, text, EncodingIndex::UTF_8, range).value())
    }

    fn number(&mut self, ec: &mut Ec) -> Result {
        let (start, number) = self.token(ec, |source, at| {
            let number = token::number(source, at).map_err(|_| Fault::new(at, "not a number"))?;
            Ok(((number.end - at, number), number.end))
        })?;
        let text = &self.text.bytes(ec)[self.at - start..self.at];
        if number.is_integer {
            return Ok(crate::json::integer(ec, text));
        }
        if self.decimal.is_nil() || significant_digits(text) <= FLOAT_DIGITS {
            return Ok(ec.float(token::float(text)));
        }
        let text = Str::from_ascii(ec, text).value();
        ec.call(self.decimal, sym::CALL, &[text])
    }

    // ---- containers ----

    fn open(&mut self, ec: &mut Ec, is_object: bool) -> Result<bool> {
        self.at += 1;
        let made = self.tell(ec, if is_object { HASH_START } else { ARRAY_START }, &[])?;
        self.waiting.push(ec, made);
        self.waiting.push(ec, Value::NIL);
        self.is_object.push(is_object);
        self.space(ec)?;
        if self.peek(ec) == if is_object { b'}' } else { b']' } {
            self.close(ec)?;
            return Ok(true);
        }
        if is_object {
            self.key(ec, "expected hash pair or close")?;
        }
        Ok(false)
    }

    fn key(&mut self, ec: &mut Ec, otherwise: &'static str) -> Result<()> {
        match self.peek(ec) {
            b'"' => {}
            0 if self.at >= self.text.len(ec) => return Err(self.unterminated(ec)),
            b'}' => return Err(self.fail_here(ec, "expected hash key, not a hash close")),
            _ => return Err(self.fail_here(ec, otherwise)),
        }
        let mut key = self.string(ec, true)?;
        if self.callbacks[HASH_KEY].is_some() {
            key = self.tell(ec, HASH_KEY, &[key])?;
        }
        let place = self.waiting.len() - 1;
        self.waiting.truncate(ec, place);
        self.waiting.push(ec, key);
        self.space(ec)?;
        if self.peek(ec) != b':' {
            return Err(self.fail_here(ec, "expected colon"));
        }
        self.at += 1;
        Ok(())
    }

    /// What comes behind a value: ends of containers, and a comma.
    fn follow(&mut self, ec: &mut Ec) -> Result<()> {
        while let Some(is_object) = self.is_object.last().copied() {
            self.space(ec)?;
            match self.peek(ec) {
                b']' if !is_object => self.close(ec)?,
                b'}' if is_object => self.close(ec)?,
                b',' => {
                    self.at += 1;
                    self.space(ec)?;
                    return if is_object { self.key(ec, "expected hash key") } else { Ok(()) };
                }
                0 if self.at >= self.text.len(ec) => return Err(self.unterminated(ec)),
                _ => return Err(self.fail_here(ec, "expected comma")),
            }
        }
        Ok(())
    }

    fn close(&mut self, ec: &mut Ec) -> Result<()> {
        self.at += 1;
        let is_object = self.is_object.pop().unwrap_or_default();
        let place = self.waiting.len() - 2;
        let made = self.waiting.get(ec, place);
        self.waiting.truncate(ec, place);
        self.tell(ec, if is_object { HASH_END } else { ARRAY_END }, &[])?;
        self.give(ec, made, true)
    }

    /// Puts a value where it belongs.
    fn give(&mut self, ec: &mut Ec, value: Value, is_container: bool) -> Result<()> {
        let Some(is_object) = self.is_object.last().copied() else { return self.give_top(ec, value, is_container) };
        let place = self.waiting.len() - 2;
        let (container, key) = (self.waiting.get(ec, place), self.waiting.get(ec, place + 1));
        if is_object {
            self.tell(ec, HASH_SET, &[container, key, value])?;
        } else {
            self.tell(ec, ARRAY_APPEND, &[container, value])?;
        }
        Ok(())
    }

    fn give_top(&mut self, ec: &mut Ec, value: Value, is_container: bool) -> Result<()> {
        self.last = if is_container { value } else { Value::NIL };
        self.tell(ec, ADD_VALUE, &[value])?;
        if let Some(block) = self.block {
            ec.yield_block(block, &[self.last])?;
        }
        Ok(())
    }

    // ---- errors ----

    #[cold]
    fn unterminated(&self, ec: &mut Ec) -> Unwind {
        let is_object = self.is_object.last().copied().unwrap_or_default();
        self.fail_here(ec, if is_object { "Hash/Object not terminated" } else { "Array not terminated" })
    }

    #[cold]
    fn fail_here(&self, ec: &mut Ec, message: &'static str) -> Unwind {
        self.fail(ec, Fault::new(self.at, message))
    }

    #[cold]
    fn fail(&self, ec: &mut Ec, fault: Fault) -> Unwind {
        let message = fault.message.replace(" %s", "");
        let (line, column) = token::place(self.text.bytes(ec), fault.at);
        let oj = ec.vm().known().object.nested(ec, "Oj");
        let class = oj.and_then(|oj| oj.nested(ec, "ParseError")).unwrap_or(ec.vm().known().standard_error);
        let message = format!("{message} (after ) at line {line}, column {column}");
        ec.error(class, &message)
    }
}

/// A decimal of this many digits is a float and back.
const FLOAT_DIGITS: usize = 15;

fn significant_digits(text: &[u8]) -> usize {
    let mantissa = text.iter().take_while(|b| !matches!(b, b'e' | b'E')).filter(|b| b.is_ascii_digit());
    mantissa.skip_while(|b| **b == b'0').count()
}
