//! Methods of Regexp.

use super::match_data;
use super::object::{self, Regexp};
use super::pattern::GlobalTimeout;
use super::search;
use super::text;
use super::{EXTENDED, FIXED_ENCODING, IGNORE_CASE, MULTI_LINE, NO_ENCODING};
use crate::text::string::parts;
use carat_text::encoding::EncodingIndex;
use carat_vm::call::Passing;
use carat_vm::{Array, Block, Class, CodeRange, Data, Ec, Hash, Keywords, Rest, Result, Str, Value, methods, sym};
use std::convert::Infallible;

methods! {
    METHODS {
        static "compile" => compile;
        static "escape" => escape;
        static "quote" => escape;
        static "union" => union;
        static "try_convert" => try_convert;
        static "last_match" => last_match;
        static "linear_time?" => linear_time;
        static "timeout" => global_timeout;
        static "timeout=" => set_global_timeout;
        private "initialize" => initialize;
        private "initialize_copy" => initialize_copy;
        "==" => equal;
        "eql?" => equal;
        "===" => case_equal;
        "=~" => match_operator;
        "~" => match_last_line;
        "match" => match_;
        borrowing "match?" => is_match;
        "source" => source;
        "to_s" => to_s;
        "inspect" => inspect;
        "options" => options;
        "casefold?" => is_casefold;
        "names" => names;
        "named_captures" => named_captures;
        "fixed_encoding?" => is_fixed_encoding;
        "encoding" => encoding;
        "timeout" => timeout;
        "hash" => hash;
    }
}

pub(super) fn init(ec: &mut Ec, class: Class) {
    class.set_allocator(Some(object::allocate));
    class.define_methods(ec, METHODS);
    for (name, option) in [
        ("IGNORECASE", IGNORE_CASE),
        ("EXTENDED", EXTENDED),
        ("MULTILINE", MULTI_LINE),
        ("FIXEDENCODING", FIXED_ENCODING),
        ("NOENCODING", NO_ENCODING),
    ] {
        class.set_constant(ec, ec.vm().intern(name), Value::len(usize::from(option)));
    }
}

// ---- making ----

fn initialize(ec: &mut Ec, this: Data<Regexp>, source: Value, options: Option<Value>, keywords: Keywords) -> Result {
    let timeout_name = ec.vm().intern("timeout");
    keywords.check(ec, &[timeout_name])?;
    let timeout = keywords.get(ec, timeout_name).unwrap_or(Value::NIL);
    let timeout = timeout_argument(ec, timeout)?;
    if let Some(regexp) = Data::<Regexp>::from_value(source) {
        if options.is_some() {
            ec.warn("flags ignored")?;
        }
        object::initialize_from(ec, this, regexp, timeout)?;
        return Ok(this.value());
    }
    let options = options_argument(ec, options)?;
    let source = ec.to_str(source)?;
    object::initialize(ec, this, source, options, timeout)?;
    Ok(this.value())
}

fn options_argument(ec: &mut Ec, options: Option<Value>) -> Result<u8> {
    let Some(value) = options else { return Ok(0) };
    if let Some(bits) = ec.integer_as_i64(value) {
        return Ok(bits as u8 & object::SETTABLE);
    }
    if let Some(letters) = Str::from_value(value) {
        return text::parse_letters(letters.bytes(ec)).map_err(|message| ec.argument_error(&message));
    }
    if !value.is_nil() && !value.is_true() && value.truthy() {
        let shown = ec.inspect(value)?.to_text(ec);
        ec.warn(&format!("expected true or false as ignorecase: {shown}"))?;
    }
    Ok(if value.truthy() { IGNORE_CASE } else { 0 })
}

/// As many nanoseconds as 64 bits count, in seconds.
const LONGEST_TIMEOUT: f64 = 18_446_744_073.709_553;

/// A time limit in seconds; nil for none.
fn timeout_argument(ec: &mut Ec, value: Value) -> Result<Option<f64>> {
    if value.is_nil() {
        return Ok(None);
    }
    if value.is_true() || value.is_false() {
        let shown = ec.describe_for_type_error(value);
        return Err(ec.type_error(&format!("no implicit conversion to float from {shown}")));
    }
    let seconds = ec.to_float(value)?;
    if seconds.is_nan() {
        return Ok(None);
    }
    if seconds <= 0.0 {
        let shown = ec.inspect(value)?.to_text(ec);
        return Err(ec.argument_error(&format!("invalid timeout: {shown}")));
    }
    Ok(Some(seconds.min(LONGEST_TIMEOUT)))
}

fn initialize_copy(ec: &mut Ec, this: Data<Regexp>, other: Value) -> Result {
    if this.value() == other {
        return Ok(other);
    }
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_error(this.value()));
    }
    let other = object::expect(ec, other)?;
    let timeout = other.get(ec).timeout;
    object::initialize_from(ec, this, other, timeout)?;
    Ok(this.value())
}

// ---- of the class ----

/// `Regexp.compile`: `new` by another name.
fn compile(ec: &mut Ec, class: Value, source: Value, options: Option<Value>, keywords: Keywords) -> Result {
    let passing = Passing { keywords: keywords.0, block: None };
    match options {
        Some(options) => ec.call_with(class, sym::NEW, &[source, options], passing),
        None => ec.call_with(class, sym::NEW, &[source], passing),
    }
}

/// A string, or a symbol's name.
pub(super) fn operand(ec: &mut Ec, value: Value) -> Result<Str> {
    match value.as_symbol() {
        Some(symbol) => Ok(ec.symbol_to_str(symbol)),
        None => ec.to_str(value),
    }
}

fn escape(ec: &mut Ec, _class: Value, value: Value) -> Result<Str> {
    let s = operand(ec, value)?;
    quote(ec, s)
}

/// A pattern that matches a string's contents literally.
pub(super) fn quote(ec: &mut Ec, s: Str) -> Result<Str> {
    let encoding = if s.is_ascii(ec) { EncodingIndex::US_ASCII } else { s.encoding() };
    let mut out = Vec::with_capacity(s.len(ec) + 8);
    let Ok(()) = parts::each(ec, s, parts::anywhere, &mut out, |ec, part, out| {
        text::escape(part.text(ec), out);
        Ok::<(), Infallible>(())
    })?;
    Str::try_new(ec, &out, encoding, CodeRange::Unknown)
}

fn try_convert(ec: &mut Ec, _class: Value, value: Value) -> Result {
    check_regexp(ec, value)
}

/// `to_regexp`, or nil.
fn check_regexp(ec: &mut Ec, value: Value) -> Result {
    if Data::<Regexp>::from_value(value).is_some() {
        return Ok(value);
    }
    let name = ec.vm().intern("to_regexp");
    let Some(result) = ec.try_convert(value, name)?.filter(|v| !v.is_nil()) else { return Ok(Value::NIL) };
    if Data::<Regexp>::from_value(result).is_none() {
        let (class, given) = (ec.describe_for_type_error(value), ec.describe_for_type_error(result));
        return Err(ec.type_error(&format!("can't convert {class} to Regexp ({class}#to_regexp gives {given})")));
    }
    Ok(result)
}

fn union(ec: &mut Ec, _class: Value, patterns: Rest) -> Result {
    let list = match (patterns.len(), patterns.get(0)) {
        (1, Some(only)) => match ec.check_array(only)? {
            Some(list) => list,
            None => patterns.to_array(ec),
        },
        _ => patterns.to_array(ec),
    };
    match list.len(ec) {
        0 => {
            let source = Str::from_text(ec, "(?!)");
            Ok(object::create_plain(ec, source, 0)?.value())
        }
        1 => union_of_one(ec, list.at(ec, 0)),
        _ => union_of_many(ec, list),
    }
}

fn union_of_one(ec: &mut Ec, pattern: Value) -> Result {
    let regexp = check_regexp(ec, pattern)?;
    if !regexp.is_nil() {
        return Ok(regexp);
    }
    let s = operand(ec, pattern)?;
    let source = quote(ec, s)?;
    Ok(object::create_plain(ec, source, 0)?.value())
}

/// The encoding that the alternatives of a union agree on.
#[derive(Default)]
struct UnionEncoding {
    fixed: Option<EncodingIndex>,
    ascii_incompatible: Option<EncodingIndex>,
    has_ascii: bool,
}

impl UnionEncoding {
    fn add(&mut self, ec: &mut Ec, encoding: EncodingIndex, is_fixed: bool) -> Result<()> {
        let clash = |ec: &mut Ec, a: EncodingIndex, b: EncodingIndex| {
            Err(ec.argument_error(&format!("incompatible encodings: {} and {}", a.inspect_name(), b.inspect_name())))
        };
        if !encoding.is_ascii_compatible() {
            match self.ascii_incompatible {
                Some(other) if other != encoding => return clash(ec, other, encoding),
                _ => self.ascii_incompatible = Some(encoding),
            }
        } else if is_fixed {
            match self.fixed {
                Some(other) if other != encoding => return clash(ec, other, encoding),
                _ => self.fixed = Some(encoding),
            }
        } else {
            self.has_ascii = true;
        }
        match (self.ascii_incompatible, self.fixed) {
            (Some(wide), Some(fixed)) => clash(ec, wide, fixed),
            (Some(wide), None) if self.has_ascii => {
                Err(ec.argument_error(&format!("ASCII incompatible encoding: {}", wide.name())))
            }
            _ => Ok(()),
        }
    }
}

fn union_of_many(ec: &mut Ec, list: Array) -> Result {
    let source = Str::with_capacity(ec, 64);
    let mut encodings = UnionEncoding::default();
    let mut index = 0;
    while index < list.len(ec) {
        ec.check_ints()?;
        if index > 0 {
            let bar: &[u8] = match encodings.ascii_incompatible {
                Some(EncodingIndex::UTF_16LE) => b"|\0",
                Some(EncodingIndex::UTF_16BE) => b"\0|",
                Some(EncodingIndex::UTF_32LE) => b"|\0\0\0",
                Some(EncodingIndex::UTF_32BE) => b"\0\0\0|",
                _ => b"|",
            };
            source.push_bytes(ec, bar);
        }
        let item = list.at(ec, index);
        let regexp = check_regexp(ec, item)?;
        let piece = match Data::<Regexp>::from_value(regexp) {
            Some(regexp) => {
                let pattern = object::pattern_of(ec, regexp)?;
                encodings.add(ec, pattern.encoding, pattern.is_fixed())?;
                let part = object::source(ec, regexp)?;
                let text = text::as_part(part.as_text(ec), regexp.get(ec).options());
                Str::new(ec, &text, part.encoding(), CodeRange::Unknown)
            }
            None => {
                let s = operand(ec, item)?;
                let is_fixed = !s.is_ascii(ec);
                encodings.add(ec, s.encoding(), is_fixed)?;
                quote(ec, s)?
            }
        };
        source.push_str(ec, piece);
        index += 1;
    }
    source.set_encoding(encodings.ascii_incompatible.or(encodings.fixed).unwrap_or(EncodingIndex::US_ASCII));
    source.set_range(CodeRange::Unknown);
    Ok(object::create_plain(ec, source, 0)?.value())
}

fn last_match(ec: &mut Ec, _class: Value, group: Option<Value>) -> Result {
    let last = ec.last_match();
    match group {
        Some(group) if !last.is_nil() => match_data::nth(ec, last, group),
        _ => Ok(last),
    }
}

fn linear_time(ec: &mut Ec, _class: Value, pattern: Value, options: Option<Value>, keywords: Keywords) -> Result<bool> {
    let timeout_name = ec.vm().intern("timeout");
    keywords.check(ec, &[timeout_name])?;
    let regexp = match Data::<Regexp>::from_value(pattern) {
        Some(regexp) => {
            if options.is_some() {
                ec.warn("flags ignored")?;
            }
            regexp
        }
        None => {
            let options = options_argument(ec, options)?;
            let source = ec.to_str(pattern)?;
            object::create_plain(ec, source, options)?
        }
    };
    Ok(object::pattern_of(ec, regexp)?.is_linear())
}

fn global_timeout(ec: &mut Ec, _class: Value) -> Value {
    ec.vm().extension::<GlobalTimeout>().get().map_or(Value::NIL, |s| ec.float(s))
}

fn set_global_timeout(ec: &mut Ec, _class: Value, value: Value) -> Result {
    ec.only_in_main_ractor("can not access Regexp.timeout from non-main Ractors")?;
    let seconds = timeout_argument(ec, value)?;
    ec.vm().extension::<GlobalTimeout>().set(seconds);
    Ok(value)
}

// ---- matching ----

/// The string to match; `None` for nil.
fn subject(ec: &mut Ec, value: Value) -> Result<Option<Str>> {
    if value.is_nil() { Ok(None) } else { operand(ec, value).map(Some) }
}

fn match_operator(ec: &mut Ec, this: Data<Regexp>, value: Value) -> Result {
    let Some(s) = subject(ec, value)? else {
        ec.set_last_match(Value::NIL);
        return Ok(Value::NIL);
    };
    operator(ec, this, s)
}

/// `regexp =~ string`: the position of the match in characters.
pub(super) fn operator(ec: &mut Ec, regexp: Data<Regexp>, s: Str) -> Result {
    match search::position(ec, regexp, s, 0, false)? {
        Some(at) => Ok(Value::len(s.char_index(ec, at))),
        None => Ok(Value::NIL),
    }
}

fn case_equal(ec: &mut Ec, this: Data<Regexp>, value: Value) -> Result<bool> {
    let s = match value.as_symbol() {
        Some(symbol) => Some(ec.symbol_to_str(symbol)),
        None => ec.check_string(value)?,
    };
    let Some(s) = s else {
        ec.set_last_match(Value::NIL);
        return Ok(false);
    };
    Ok(search::position(ec, this, s, 0, false)?.is_some())
}

fn match_last_line(ec: &mut Ec, this: Data<Regexp>) -> Result {
    let line = ec.last_line();
    let Some(line) = Str::from_value(line) else {
        ec.set_last_match(Value::NIL);
        return Ok(Value::NIL);
    };
    operator(ec, this, line)
}

fn match_(ec: &mut Ec, this: Data<Regexp>, value: Value, position: Option<i64>, block: Option<Block>) -> Result {
    let Some(s) = subject(ec, value)? else {
        ec.set_last_match(Value::NIL);
        return Ok(Value::NIL);
    };
    match_from(ec, this, s, position.unwrap_or(0), block)
}

/// `match` from a character position that may count from the end; the block gets the MatchData.
pub(super) fn match_from(ec: &mut Ec, regexp: Data<Regexp>, s: Str, position: i64, block: Option<Block>) -> Result {
    let Some(start) = start_offset(ec, s, position) else {
        object::pattern_of(ec, regexp)?;
        ec.set_last_match(Value::NIL);
        return Ok(Value::NIL);
    };
    match (search::match_data(ec, regexp, s, start, false)?, block) {
        (Some(found), Some(block)) => ec.yield_block(block, &[found]),
        (Some(found), None) => Ok(found),
        (None, _) => Ok(Value::NIL),
    }
}

/// The byte at which a character position lies; `None` outside of the string.
pub(super) fn start_offset(ec: &Ec, s: Str, position: i64) -> Option<usize> {
    match usize::try_from(position) {
        Ok(0) => Some(0),
        Ok(nth) => s.char_offset(ec, nth),
        Err(_) => s.offset_from_end(ec, usize::try_from(position.unsigned_abs()).ok()?),
    }
}

fn is_match(ec: &mut Ec, this: Data<Regexp>, value: Value, position: Option<i64>) -> Result<bool> {
    match subject(ec, value)? {
        Some(s) => is_match_from(ec, this, s, position.unwrap_or(0)),
        None => Ok(false),
    }
}

pub(super) fn is_match_from(ec: &mut Ec, regexp: Data<Regexp>, s: Str, position: i64) -> Result<bool> {
    match start_offset(ec, s, position) {
        Some(start) => search::is_match(ec, regexp, s, start),
        None => Ok(false),
    }
}

// ---- properties ----

/// Options that tell patterns apart: `/…/n` is not one.
fn visible_options(pattern: &super::pattern::Pattern) -> u8 {
    pattern.options & !NO_ENCODING
}

fn equal(ec: &mut Ec, this: Data<Regexp>, other: Value) -> Result<bool> {
    let Some(other) = Data::<Regexp>::from_value(other) else { return Ok(false) };
    if this.value() == other.value() {
        return Ok(true);
    }
    let (a, b) = (object::pattern_of(ec, this)?, object::pattern_of(ec, other)?);
    Ok(std::sync::Arc::ptr_eq(&a, &b)
        || (a.source == b.source && visible_options(&a) == visible_options(&b) && a.encoding == b.encoding))
}

fn hash(ec: &mut Ec, this: Data<Regexp>) -> Result {
    let pattern = object::pattern_of(ec, this)?;
    let source = object::source(ec, this)?;
    let bits = source.hash_value(ec) ^ u64::from(visible_options(&pattern)) << 32;
    Ok(ec.int((bits as i64) >> 2))
}

fn source(ec: &mut Ec, this: Data<Regexp>) -> Result {
    let source = object::source(ec, this)?;
    Ok(source.duplicate(ec).value())
}

/// The text that `to_s` gives, for embedding.
fn to_s(ec: &mut Ec, this: Data<Regexp>) -> Result<Str> {
    let source = object::source(ec, this)?;
    let shown = text::to_s(source.as_text(ec), this.get(ec).options());
    Ok(Str::new(ec, &shown, source.encoding(), CodeRange::Unknown))
}

fn inspect(ec: &mut Ec, this: Data<Regexp>) -> Result<Str> {
    let Some(source) = Str::from_value(this.get(ec).source) else { return Ok(ec.any_to_s(this.value())) };
    let shown = text::inspect(source.as_text(ec), this.get(ec).options());
    let encoding = if source.encoding().is_ascii_compatible() { source.encoding() } else { EncodingIndex::US_ASCII };
    Ok(Str::new(ec, &shown, encoding, CodeRange::Unknown))
}

fn options(ec: &mut Ec, this: Data<Regexp>) -> Result<i64> {
    Ok(i64::from(object::pattern_of(ec, this)?.options))
}

fn is_casefold(ec: &mut Ec, this: Data<Regexp>) -> Result<bool> {
    Ok(object::pattern_of(ec, this)?.options & IGNORE_CASE != 0)
}

fn is_fixed_encoding(ec: &mut Ec, this: Data<Regexp>) -> Result<bool> {
    if this.get(ec).source.is_nil() {
        return Ok(false);
    }
    Ok(object::pattern_of(ec, this)?.is_fixed())
}

/// BINARY as long as the Regexp is not initialised.
fn encoding(ec: &mut Ec, this: Data<Regexp>) -> Result {
    let encoding = Str::from_value(this.get(ec).source).map_or(carat_vm::EncodingIndex::ASCII_8BIT, Str::encoding);
    Ok(crate::text::encoding::object(ec, encoding))
}

fn timeout(ec: &mut Ec, this: Data<Regexp>) -> Result {
    object::pattern_of(ec, this)?;
    Ok(this.get(ec).timeout.map_or(Value::NIL, |s| ec.float(s)))
}

fn names(ec: &mut Ec, this: Data<Regexp>) -> Result<Array> {
    let pattern = object::pattern_of(ec, this)?;
    Ok(match_data::names_of(ec, &pattern))
}

fn named_captures(ec: &mut Ec, this: Data<Regexp>) -> Result<Hash> {
    let pattern = object::pattern_of(ec, this)?;
    let hash = Hash::new(ec);
    for (name, groups) in &pattern.names {
        let numbers = Array::new(ec, groups.len());
        groups.iter().for_each(|n| numbers.push(ec, Value::len(*n as usize)));
        let key = Str::new(ec, name, pattern.encoding, CodeRange::Unknown);
        hash.store(ec, key.value(), numbers.value())?;
    }
    Ok(hash)
}
