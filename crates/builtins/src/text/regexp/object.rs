//! Regexp objects and how they come to be.

use super::pattern::{Pattern, compiled, pattern};
use super::translate::part_encoding;
use super::{EXTENDED, FIXED_ENCODING, IGNORE_CASE, MULTI_LINE, NO_ENCODING, text};
use carat_compile::{Level, RegexpChecks};
use carat_text::encoding::EncodingIndex;
use carat_text::text::Text;
use carat_vm::{Array, Class, CodeRange, Data, Ec, NativeData, Result, Str, Unwind, Value};
use std::sync::Arc;

/// The options that Ruby code may give.
pub(crate) const SETTABLE: u8 = IGNORE_CASE | EXTENDED | MULTI_LINE | FIXED_ENCODING | NO_ENCODING;

/// What a Regexp carries.
pub(crate) struct Regexp {
    /// The frozen source; nil before `initialize`.
    pub(super) source: Value,
    /// A literal that is wrong has none but the message.
    pub(super) pattern: Option<std::result::Result<Arc<Pattern>, Arc<str>>>,
    pub(super) timeout: Option<f64>,
    /// What the collector is told of a pattern that was made for this object.
    counted: usize,
}

impl NativeData for Regexp {
    const NAME: &'static str = "Regexp";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.source);
    }

    /// Those that share a pattern own equal parts of it.
    fn memsize(&self) -> usize {
        let pattern = match &self.pattern {
            Some(Ok(pattern)) => pattern.memsize() / Arc::strong_count(pattern),
            _ => 0,
        };
        size_of::<Self>() + pattern
    }

    fn counted(&self) -> usize {
        self.counted
    }
}

impl Regexp {
    fn uninitialized() -> Regexp {
        Regexp { source: Value::NIL, pattern: None, timeout: None, counted: 0 }
    }

    pub(super) fn options(&self) -> u8 {
        match &self.pattern {
            Some(Ok(pattern)) => pattern.options,
            _ => 0,
        }
    }
}

pub(super) fn allocate(ec: &mut Ec, class: Class) -> Result {
    Ok(Data::new(ec, class, Regexp::uninitialized()).value())
}

/// A value that must be a Regexp.
pub(super) fn expect(ec: &mut Ec, value: Value) -> Result<Data<Regexp>> {
    Data::from_value(value).ok_or_else(|| ec.wrong_type(value, "Regexp"))
}

/// The pattern of an initialised Regexp.
pub(super) fn pattern_of(ec: &mut Ec, regexp: Data<Regexp>) -> Result<Arc<Pattern>> {
    match &regexp.get(ec).pattern {
        Some(Ok(pattern)) => Ok(pattern.clone()),
        Some(Err(message)) => {
            let message = message.to_string();
            Err(ec.error(ec.vm().known().regexp_error, &message))
        }
        None => Err(ec.type_error("uninitialized Regexp")),
    }
}

pub(super) fn source(ec: &mut Ec, regexp: Data<Regexp>) -> Result<Str> {
    Str::from_value(regexp.get(ec).source).ok_or_else(|| ec.type_error("uninitialized Regexp"))
}

/// `RegexpError` as Ruby words it: `message: /source/options`.
fn describe(message: &str, source: Text<'_>, options: u8) -> String {
    let mut shown = Vec::new();
    text::write_expression(source, &mut shown);
    let letters = text::option_letters(options);
    let n = if options & NO_ENCODING != 0 { "n" } else { "" };
    format!("{message}: /{}/{letters}{n}", String::from_utf8_lossy(&shown))
}

pub(super) fn regexp_error(ec: &mut Ec, message: &str, source: Str, options: u8) -> Unwind {
    let message = describe(message, source.as_text(ec), options);
    ec.error(ec.vm().known().regexp_error, &message)
}

/// Bytes that compiling takes for one of a source.
const COMPILED_GROWTH: usize = 8;

/// Reads and compiles a source.
fn compile(ec: &mut Ec, source: Str, options: u8) -> Result<Arc<Pattern>> {
    ec.ensure_memory(source.len(ec).saturating_mul(COMPILED_GROWTH))?;
    compiled(ec, source, options)?.map_err(|message| regexp_error(ec, &message, source, options))
}

/// The source as the object keeps it: frozen, and in the Regexp's encoding.
fn keep_source(ec: &Ec, source: Str, encoding: EncodingIndex) -> Value {
    if source.is_frozen() && source.encoding() == encoding && ec.class_of(source.value()) == ec.vm().known().string {
        return source.value();
    }
    let kept = Str::new(ec, source.bytes(ec), encoding, CodeRange::Unknown);
    ec.freeze(kept.value());
    kept.value()
}

/// Holders of a pattern that no other Regexp has.
const OWN_AND_CACHE: usize = 2;

/// About as much a pattern takes with the engine's program, which is made later and cannot be asked: half a kilobyte at least.
fn bytes_of(pattern: &Pattern) -> usize {
    512 + pattern.source.len() * COMPILED_GROWTH
}

/// Fills an object made by `allocate`.
pub(super) fn initialize(
    ec: &mut Ec,
    regexp: Data<Regexp>,
    source: Str,
    options: u8,
    timeout: Option<f64>,
) -> Result<()> {
    if ec.is_frozen(regexp.value()) {
        return Err(ec.frozen_error(regexp.value()));
    }
    if regexp.get(ec).pattern.is_some() {
        return Err(ec.type_error("already initialized regexp"));
    }
    let pattern = compile(ec, source, options & SETTABLE)?;
    for warning in &pattern.warnings {
        if warning.is_verbose { ec.warn_verbose(&warning.text)? } else { ec.warn(&warning.text)? }
    }
    let source = keep_source(ec, source, pattern.encoding);
    let counted = if Arc::strong_count(&pattern) <= OWN_AND_CACHE { bytes_of(&pattern) } else { 0 };
    *regexp.get_mut(ec) = Regexp { source, pattern: Some(Ok(pattern)), timeout, counted };
    regexp.recount(ec, 0);
    ec.wrote(regexp.value());
    Ok(())
}

/// As [`initialize`], with another one's source and options: its pattern serves both, unless there is something to say about it or it
/// was read in a way of its own.
pub(super) fn initialize_from(
    ec: &mut Ec,
    regexp: Data<Regexp>,
    other: Data<Regexp>,
    timeout: Option<f64>,
) -> Result<()> {
    let source = source(ec, other)?;
    let options = other.get(ec).options();
    let is_fresh = regexp.get(ec).pattern.is_none() && !ec.is_frozen(regexp.value());
    if let Some(Ok(pattern)) = &other.get(ec).pattern
        && is_fresh
        && options & !SETTABLE == 0
        && pattern.warnings.is_empty()
    {
        let pattern = Some(Ok(pattern.clone()));
        *regexp.get_mut(ec) = Regexp { source: source.value(), pattern, timeout, counted: 0 };
        ec.wrote(regexp.value());
        return Ok(());
    }
    initialize(ec, regexp, source, options, timeout)
}

/// A new Regexp.
pub(super) fn create(ec: &mut Ec, class: Class, source: Str, options: u8) -> Result {
    let regexp = Data::new(ec, class, Regexp::uninitialized());
    initialize(ec, regexp, source, options, None)?;
    Ok(regexp.value())
}

/// A new Regexp of class Regexp.
pub(super) fn create_plain(ec: &mut Ec, source: Str, options: u8) -> Result<Data<Regexp>> {
    let value = create(ec, ec.vm().known().regexp, source, options)?;
    expect(ec, value)
}

/// How the compiler looks at literals.
pub const REGEXP_CHECKS: RegexpChecks = RegexpChecks { literal: check_literal, part: check_part };

fn check_part(source: &[u8], encoding: &str) -> std::result::Result<(), String> {
    let encoding = EncodingIndex::find_by_name(encoding.as_bytes()).unwrap_or(EncodingIndex::BINARY);
    part_encoding(source, 0, encoding).map(drop).map_err(|message| describe(&message, Text::of(source, encoding), 0))
}

fn check_literal(source: &[u8], options: u8, encoding: &str) -> std::result::Result<Vec<(Level, String)>, String> {
    let encoding = EncodingIndex::find_by_name(encoding.as_bytes()).unwrap_or(EncodingIndex::BINARY);
    let read = Pattern::read(source, options, encoding, Arc::default());
    let checked = read.and_then(|p| p.check(p.first_edition()).map(|()| p));
    match checked {
        Ok(pattern) => {
            let level = |is_verbose| if is_verbose { Level::VerboseWarning } else { Level::Warning };
            Ok(pattern.warnings.iter().map(|w| (level(w.is_verbose), w.text.to_string())).collect())
        }
        Err(message) => Err(describe(&message, Text::of(source, encoding), options)),
    }
}

/// Hook: the object of a literal. It is compiled when it is first used; a wrong one raises then.
pub(crate) fn new_regexp(ec: &Ec, source: Str, options: u8) -> Value {
    let found = pattern(ec, source.bytes(ec), options, source.encoding());
    let encoding = found.as_ref().map_or(source.encoding(), |p| p.encoding);
    let pattern = found.map_err(|message| Arc::from(describe(&message, source.as_text(ec), options)));
    let source = keep_source(ec, source, encoding);
    let regexp =
        Data::new(ec, ec.vm().known().regexp, Regexp { source, pattern: Some(pattern), timeout: None, counted: 0 })
            .value();
    ec.freeze(regexp);
    regexp
}

/// What the compiler adds to the options of an interpolated literal for the letters `e` and `s`; both stand for `u`.
const LETTERS: u8 = 64 | 128;

fn letter_encoding(options: u8) -> Option<EncodingIndex> {
    let name = match options & LETTERS {
        0 => return None,
        64 => "EUC-JP",
        128 => "Windows-31J",
        _ => "UTF-8",
    };
    EncodingIndex::find_by_name(name.as_bytes())
}

/// Hook: the object of a literal with interpolated parts.
pub(crate) fn regexp_from_parts(ec: &mut Ec, parts: Array, options: u8) -> Result {
    let source = join(ec, parts, options, letter_encoding(options))?;
    let options = options & !LETTERS;
    let regexp = create_plain(ec, source, options)?;
    ec.freeze(regexp.value());
    Ok(regexp.value())
}

/// The source of an interpolated literal: the parts in the one encoding that is not ASCII alone.
fn join(ec: &mut Ec, parts: Array, options: u8, letter: Option<EncodingIndex>) -> Result<Str> {
    let is_binary = options & NO_ENCODING != 0;
    let source = Str::with_capacity(ec, 64);
    source.set_encoding(letter.unwrap_or(EncodingIndex::US_ASCII));
    let mut encoding: Option<EncodingIndex> = None;
    let mut index = 0;
    while index < parts.len(ec) {
        let part = ec.to_s(parts.at(ec, index))?;
        let own = match is_binary && part.is_ascii(ec) {
            true => EncodingIndex::BINARY,
            false => part.encoding(),
        };
        if is_binary && own != EncodingIndex::BINARY {
            let message = "/.../n has a non escaped non ASCII character in non ASCII-8BIT script";
            return Err(ec.error(ec.vm().known().regexp_error, message));
        }
        let demanded = match part_encoding(part.bytes(ec), options, own) {
            Ok(demanded) => demanded,
            Err(message) => return Err(ec.argument_error(&message)),
        };
        if let (Some(before), Some(now)) = (encoding, demanded)
            && before != now
        {
            let message = format!("encoding mismatch in dynamic regexp : {} and {}", shown(before), shown(now));
            return Err(ec.error(ec.vm().known().regexp_error, &message));
        }
        encoding = encoding.or(demanded);
        if index == 0 && letter.is_none() {
            source.set_encoding(own);
        }
        source.push_str(ec, part);
        index += 1;
    }
    if let Some(encoding) = encoding {
        source.set_encoding(encoding);
    }
    source.set_range(CodeRange::Unknown);
    Ok(source)
}

/// The encoding's name in messages.
fn shown(encoding: EncodingIndex) -> &'static str {
    if encoding == EncodingIndex::BINARY { "ASCII-8BIT" } else { encoding.name() }
}
