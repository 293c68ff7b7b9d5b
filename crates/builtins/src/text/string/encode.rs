//! Encodings of strings: asking for, changing and repairing them, and converting between them.

use super::{invalid_bytes, parts};
use crate::text::encoding::{self, to_encoding};
use carat_text::coderange::CodeRange;
use carat_text::scrub;
use carat_text::text::Text;
use carat_text::transcode::{self, Converter, Newline, Options, Outcome, TranscodeError, Xml};
use carat_text::unicode_normalize::{self, Form};
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Ec, EncodingIndex, Hash, Keywords, Proc, Result, Str, SymbolId, Unwind, Value, methods, sym};
use std::convert::Infallible;

methods! {
    METHODS {
        "encoding" => encoding_of;
        "force_encoding" => force_encoding;
        "valid_encoding?" => is_valid;
        "ascii_only?" => is_ascii_only;
        "b" => binary;
        borrowing "encode" => encode;
        "encode!" => encode_bang;
        "unicode_normalize" => unicode_normalize;
        "unicode_normalize!" => unicode_normalize_bang;
        "unicode_normalized?" => is_unicode_normalized;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(METHODS, "encoding"), Leaf::of(encoding_of)),
    (LeafOf::Method(METHODS, "valid_encoding?"), Leaf::of(is_valid)),
    (LeafOf::Method(METHODS, "ascii_only?"), Leaf::of(is_ascii_only)),
    (LeafOf::Method(METHODS, "b"), Leaf::of(binary)),
];

fn encoding_of(ec: &mut Ec, this: Str) -> Value {
    encoding::object(ec, this.encoding())
}

/// Gives a string another encoding; ASCII stays ASCII where the encoding allows.
pub(crate) fn associate(_ec: &Ec, this: Str, encoding: EncodingIndex) {
    if this.encoding() == encoding {
        return;
    }
    let stays_ascii = this.known_range() == CodeRange::SevenBit && encoding.is_ascii_compatible();
    this.set_encoding(encoding);
    this.set_range(if stays_ascii { CodeRange::SevenBit } else { CodeRange::Unknown });
}

fn force_encoding(ec: &mut Ec, this: Str, encoding: Value) -> Result<Str> {
    this.check_mutable(ec)?;
    let encoding = to_encoding(ec, encoding)?;
    associate(ec, this, encoding);
    Ok(this)
}

fn is_valid(ec: &mut Ec, this: Str) -> bool {
    this.range(ec) != CodeRange::Broken
}

fn is_ascii_only(ec: &mut Ec, this: Str) -> bool {
    this.is_ascii(ec)
}

/// A copy whose characters are its bytes.
fn binary(ec: &mut Ec, this: Str) -> Str {
    let copy = this.duplicate(ec);
    copy.set_encoding(EncodingIndex::ASCII_8BIT);
    copy.set_range(if this.known_range() == CodeRange::SevenBit { CodeRange::SevenBit } else { CodeRange::Unknown });
    copy
}

/// In front of what is ASCII in UTF-8 no character goes on, and nothing composes with what comes before.
fn before_ascii(text: Text<'_>, from: usize) -> usize {
    let len = text.bytes.len();
    if !text.encoding.is_utf8() {
        return len;
    }
    text.bytes[from..].iter().position(u8::is_ascii).map_or(len, |ahead| from + ahead)
}

// ---- scrub ----

/// `Primitive.string_invalid_piece(string, from)`: start and length of the next invalid bytes, or nil.
pub(super) fn invalid_piece(ec: &mut Ec, this: Str, from: i64) -> Option<Array> {
    if this.range(ec) != CodeRange::Broken {
        return None;
    }
    let piece = scrub::next_invalid(this.as_text(ec), from as usize)?;
    Some(Array::pair(ec, Value::len(piece.start), Value::len(piece.len())))
}

/// `Primitive.string_check_replacement(string, replacement)`: it must be valid and of a compatible encoding.
pub(super) fn check_replacement(ec: &mut Ec, this: Str, replacement: Str) -> Result<Str> {
    if replacement.range(ec) == CodeRange::Broken {
        let shown = super::inspect(ec, replacement)?.to_text(ec);
        return Err(ec.argument_error(&format!("replacement must be valid byte sequence '{shown}'")));
    }
    if this.encoding() != replacement.encoding() {
        let is_ascii = replacement.is_ascii(ec) && this.encoding().is_ascii_compatible();
        if !is_ascii {
            return Err(super::incompatible(ec, this.encoding(), replacement.encoding()));
        }
    }
    Ok(replacement)
}

/// `Primitive.string_scrub(string, replacement)`: every invalid piece replaced; nil stands for the default.
pub(super) fn scrubbed(ec: &mut Ec, this: Str, replacement: Value) -> Result<Str> {
    // What is known to be valid already takes any replacement.
    let is_unknown = this.known_range() == CodeRange::Unknown && this.encoding().min_len() > 1;
    if let Some(given) = Str::from_value(replacement).filter(|_| is_unknown) {
        check_replacement(ec, this, given)?;
    }
    if this.range(ec) != CodeRange::Broken {
        return Ok(this.duplicate(ec));
    }
    let replacement = match replacement {
        Value::NIL => scrub::default_replacement(this.encoding()).to_vec(),
        given => {
            let given = ec.to_str(given)?;
            check_replacement(ec, this, given)?.bytes(ec).to_vec()
        }
    };
    let mut out = Vec::new();
    let Ok(()) = parts::each(ec, this, before_ascii, &mut out, |ec, part, out| {
        scrub::scrub(part.text(ec), &replacement, out);
        Ok::<(), Infallible>(())
    })?;
    super::make(ec, out, this.encoding(), CodeRange::Unknown)
}

// ---- encode ----

/// The options of a conversion as Ruby gives them.
#[derive(Clone, Copy, Default)]
pub(crate) struct EncodeOptions {
    pub(crate) replaces_invalid: bool,
    pub(crate) replaces_undefined: bool,
    pub(crate) replacement: Option<Str>,
    pub(crate) fallback: Option<Value>,
    pub(crate) xml: Option<Xml>,
    pub(crate) has_references: bool,
    pub(crate) newline: Option<Newline>,
}

impl EncodeOptions {
    pub(crate) fn as_text(self, ec: &Ec) -> Options<'_> {
        Options {
            replaces_invalid: self.replaces_invalid,
            replaces_undefined: self.replaces_undefined,
            replacement: self.replacement.map(|s| s.as_text(ec)),
            xml: self.xml,
            has_references: self.has_references,
            newline: self.newline,
        }
    }

    /// The exception of an error, which names what was to be done besides where there is no converter.
    pub(crate) fn raise(self, ec: &mut Ec, mut error: TranscodeError) -> Unwind {
        if let TranscodeError::ConverterNotFound { destination, .. } = &mut error {
            let names: Vec<&str> = self.decorators().collect();
            if !names.is_empty() {
                *destination = format!("{destination} with {}", names.join(","));
            }
        }
        encoding::raise_transcode(ec, &error)
    }

    /// What messages call the steps that no encodings have.
    pub(crate) fn decorators(self) -> impl Iterator<Item = &'static str> {
        let xml: &[&str] = match self.xml {
            None => &[],
            Some(Xml::Ampersand) => &["amp_escape"],
            Some(Xml::Text) => &["xml_text"],
            Some(Xml::AttrContent) => &["xml_attr_content"],
            Some(Xml::AttrQuote) => &["xml_attr_quote"],
            Some(Xml::Attr) => &["xml_attr_content", "xml_attr_quote"],
        };
        self.newline_name().into_iter().chain(xml.iter().copied())
    }

    /// The steps themselves, in their order.
    pub(crate) fn decorating_steps(self) -> impl Iterator<Item = &'static str> {
        let xml: &[&str] = match self.xml {
            None => &[],
            Some(Xml::Ampersand) => &["amp_escape"],
            Some(Xml::Text) => &["xml_text_escape"],
            Some(Xml::AttrContent) => &["xml_attr_content_escape"],
            Some(Xml::AttrQuote) => &["xml_attr_quote"],
            Some(Xml::Attr) => &["xml_attr_content_escape", "xml_attr_quote"],
        };
        xml.iter().copied().chain(self.newline_name())
    }

    fn newline_name(self) -> Option<&'static str> {
        Some(match self.newline? {
            Newline::Universal => "universal_newline",
            Newline::Crlf => "crlf_newline",
            Newline::Cr => "cr_newline",
            Newline::Lf => "lf_newline",
        })
    }

    fn is_default(self) -> bool {
        !self.replaces_invalid && !self.replaces_undefined && self.xml.is_none() && self.newline.is_none()
    }
}

fn option(ec: &mut Ec, hash: Hash, name: &str) -> Option<Value> {
    let name = ec.vm().intern(name);
    hash.get_symbol(ec, name).filter(|v| !v.is_nil())
}

fn symbol_text(ec: &Ec, value: Value) -> String {
    value.as_symbol().map_or_else(String::new, |s: SymbolId| ec.vm().symbol_text(s))
}

/// Reads `invalid:`, `undef:`, `replace:`, `fallback:`, `xml:` and the newline options.
pub(crate) fn parse_options(ec: &mut Ec, hash: Option<Hash>) -> Result<EncodeOptions> {
    let mut options = EncodeOptions::default();
    let Some(hash) = hash else { return Ok(options) };
    for (name, slot) in [("invalid", &mut options.replaces_invalid), ("undef", &mut options.replaces_undefined)] {
        let Some(value) = option(ec, hash, name) else { continue };
        if symbol_text(ec, value) != "replace" {
            let what = if name == "undef" { "undefined character" } else { "invalid character" };
            return Err(ec.argument_error(&format!("unknown value for {what} option")));
        }
        *slot = true;
    }
    if let Some(value) = option(ec, hash, "replace") {
        let replacement = ec.to_str(value)?;
        if replacement.range(ec) == CodeRange::Broken {
            let (shown, name) = (super::inspect(ec, replacement)?.to_text(ec), replacement.encoding().name());
            return Err(ec.argument_error(&format!("replacement string is broken: {shown} as {name}")));
        }
        options.replacement = Some(replacement);
        // One for invalid bytes alone is asked for by `invalid: :replace`; any other serves what the destination lacks.
        options.replaces_undefined |= !options.replaces_invalid;
    }
    options.fallback = option(ec, hash, "fallback");
    options.xml = xml_option(ec, hash)?;
    options.newline = newline_option(ec, hash)?;
    Ok(options)
}

fn xml_option(ec: &mut Ec, hash: Hash) -> Result<Option<Xml>> {
    let Some(value) = option(ec, hash, "xml") else { return Ok(None) };
    match symbol_text(ec, value).as_str() {
        "text" => Ok(Some(Xml::Text)),
        "attr" => Ok(Some(Xml::Attr)),
        _ if value.is_symbol() => {
            let shown = symbol_text(ec, value);
            Err(ec.argument_error(&format!("unexpected value for xml option: {shown}")))
        }
        _ => Err(ec.argument_error("unexpected value for xml option")),
    }
}

fn newline_option(ec: &mut Ec, hash: Hash) -> Result<Option<Newline>> {
    if let Some(value) = option(ec, hash, "newline") {
        for name in ["universal_newline", "crlf_newline", "cr_newline", "lf_newline"] {
            if option(ec, hash, name).is_some() {
                ec.warn(":newline option precedes other newline options")?;
                break;
            }
        }
        let name = symbol_text(ec, value);
        return match name.as_str() {
            "universal" => Ok(Some(Newline::Universal)),
            "crlf" => Ok(Some(Newline::Crlf)),
            "cr" => Ok(Some(Newline::Cr)),
            "lf" => Ok(Some(Newline::Lf)),
            _ if value.is_symbol() => Err(ec.argument_error(&format!("unexpected value for newline option: {name}"))),
            _ => Err(ec.argument_error("unexpected value for newline option")),
        };
    }
    let known = [
        ("universal_newline", Newline::Universal),
        ("crlf_newline", Newline::Crlf),
        ("cr_newline", Newline::Cr),
        ("lf_newline", Newline::Lf),
    ];
    let given: Vec<_> = known.iter().filter(|(name, _)| option(ec, hash, name).is_some_and(Value::truthy)).collect();
    if given.len() > 1 {
        let names: Vec<_> = given.iter().map(|(name, _)| *name).collect();
        let message = format!("code converter not found ({})", names.join(","));
        let exception = ec.new_exception(ec.vm().known().converter_not_found_error, &message);
        return Err(ec.raise(exception));
    }
    Ok(given.first().map(|(_, newline)| *newline))
}

/// An encoding by object or name; a name that is none stays one for the error of a missing converter.
enum Target {
    Known(EncodingIndex),
    Unknown(String),
}

fn target(ec: &mut Ec, value: Value) -> Result<Target> {
    if let Some(index) = encoding::index_of(ec, value) {
        return Ok(Target::Known(index));
    }
    let name = ec.to_str(value)?;
    Ok(match encoding::find_by_name(ec, name.bytes(ec)) {
        Some(index) => Target::Known(index),
        None => Target::Unknown(name.to_text(ec)),
    })
}

impl Target {
    fn name(&self) -> &str {
        match self {
            Target::Known(index) => index.name(),
            Target::Unknown(name) => name,
        }
    }
}

/// What `encode` makes of a string: `None` leaves it as it is.
fn converted(
    ec: &mut Ec,
    this: Str,
    to: Option<Value>,
    from: Option<Value>,
    keywords: Keywords,
) -> Result<Option<Str>> {
    let mut options = parse_options(ec, keywords.0)?;
    let to = match to {
        Some(value) => target(ec, value)?,
        None => match encoding::default_internal(ec) {
            Some(index) => {
                if index != this.encoding() {
                    (options.replaces_invalid, options.replaces_undefined) = (true, true);
                }
                Target::Known(index)
            }
            None if keywords.is_empty(ec) || options.is_default() => return Ok(None),
            None => {
                if is_decorated_in_utf8(this.encoding(), this.encoding(), options) {
                    (options.replaces_invalid, options.replaces_undefined) = (true, true);
                }
                Target::Known(this.encoding())
            }
        },
    };
    let from = match from.filter(|v| !v.is_nil()) {
        Some(value) => target(ec, value)?,
        None => Target::Known(this.encoding()),
    };
    let (Target::Known(source), Target::Known(destination)) = (&from, &to) else {
        let error = TranscodeError::not_found(from.name(), to.name());
        return Err(options.raise(ec, error));
    };
    encode_string(ec, this, *source, *destination, options)
}

/// Newlines and entities are ASCII, which these encodings do not contain.
fn is_decorated_in_utf8(source: EncodingIndex, destination: EncodingIndex, options: EncodeOptions) -> bool {
    let is_decorated = options.newline.is_some() || options.xml.is_some();
    is_decorated && !source.is_ascii_compatible() && !destination.is_ascii_compatible()
}

/// The string in UTF-8; bytes that cannot be converted are taken for it as they are.
fn in_utf8(ec: &mut Ec, this: Str, source: EncodingIndex) -> Result<Str> {
    let text = Text::of(this.bytes(ec), source);
    let mut out = Vec::new();
    let is_converted = transcode::encode(text, EncodingIndex::UTF_8, &Options::default(), &mut out);
    match is_converted {
        Ok(Outcome::Converted) => super::make(ec, out, EncodingIndex::UTF_8, CodeRange::Unknown),
        _ => {
            let copy = this.duplicate(ec);
            associate(ec, copy, EncodingIndex::UTF_8);
            Ok(copy)
        }
    }
}

/// Converts a string; `None` if its bytes and its encoding stay.
pub(crate) fn encode_string(
    ec: &mut Ec,
    this: Str,
    source: EncodingIndex,
    destination: EncodingIndex,
    options: EncodeOptions,
) -> Result<Option<Str>> {
    if is_decorated_in_utf8(source, destination, options) {
        let text = in_utf8(ec, this, source)?;
        return encode_string(ec, text, EncodingIndex::UTF_8, destination, options).map(|made| made.or(Some(text)));
    }
    if let Some(fallback) = options.fallback.filter(|_| !options.replaces_undefined) {
        return encode_with_fallback(ec, this, source, destination, options, fallback).map(Some);
    }
    if this.len(ec) > LARGE && source != destination && source != EncodingIndex::UTF8_MAC {
        let (mut out, text) = (Vec::new(), Text::of(this.bytes(ec), source));
        let may_be_direct = text.bytes.len() <= VERY_LARGE;
        if may_be_direct && transcode::encode_directly(text, destination, &options.as_text(ec), &mut out) {
            return super::make(ec, out, destination, range_of_converted(destination)).map(Some);
        }
        return encode_large(ec, this, source, destination, options).map(Some);
    }
    let mut out = Vec::new();
    let text = if source == this.encoding() { this.as_text(ec) } else { Text::of(this.bytes(ec), source) };
    match transcode::encode(text, destination, &options.as_text(ec), &mut out) {
        Ok(Outcome::Converted) => super::make(ec, out, destination, range_of_converted(destination)).map(Some),
        Ok(Outcome::Unchanged) if destination == this.encoding() => Ok(None),
        Ok(Outcome::Unchanged) => {
            let copy = this.duplicate(ec);
            associate(ec, copy, destination);
            Ok(Some(copy))
        }
        Err(error) => Err(options.raise(ec, error)),
    }
}

/// What a conversion makes is never broken; whether it is ASCII is found out when somebody asks.
fn range_of_converted(destination: EncodingIndex) -> CodeRange {
    if destination.is_ascii_compatible() { CodeRange::Unknown } else { CodeRange::Valid }
}

/// As long a string is converted step by step, so that it can be interrupted.
const LARGE: usize = 1 << 19;
/// What is converted directly takes some 10 ms for so much.
const VERY_LARGE: usize = 1 << 22;

fn encode_large(
    ec: &mut Ec,
    this: Str,
    source: EncodingIndex,
    destination: EncodingIndex,
    options: EncodeOptions,
) -> Result<Str> {
    let input = this.snapshot(ec);
    let made = Converter::new(source, destination, &options.as_text(ec));
    let mut converter = made.map_err(|error| options.raise(ec, error))?;
    let (len, mut at, mut out) = (input.len(ec), 0, Vec::new());
    converter.start(&mut out);
    while at < len {
        ec.check_ints()?;
        let end = (at + LARGE).min(len);
        ec.make_room_in(&mut out, GROWTH * LARGE)?;
        let step = converter.run(&input.bytes(ec)[..end], &mut at, end < len, &mut out);
        if let Err(error) = step.or_else(|error| converter.recover(error, &mut out)) {
            return Err(encoding::raise_transcode(ec, &error));
        }
    }
    converter.finish(&mut out);
    super::make(ec, out, destination, range_of_converted(destination))
}

/// Bytes that one may become: `&quot;`, `&#x10FFFF;` or a replacement string of usual length.
const GROWTH: usize = 12;

/// What the destination lacks is asked for, character by character.
fn encode_with_fallback(
    ec: &mut Ec,
    this: Str,
    source: EncodingIndex,
    destination: EncodingIndex,
    options: EncodeOptions,
    fallback: Value,
) -> Result<Str> {
    ec.ensure_memory(this.len(ec).saturating_mul(4))?;
    let input = this.owned_bytes(ec)?;
    let mut out = Vec::new();
    let made = Converter::new(source, destination, &options.as_text(ec));
    let mut converter = made.map_err(|error| options.raise(ec, error))?;
    let mut at = 0;
    converter.start(&mut out);
    while let Err(error) = converter.run(&input, &mut at, false, &mut out) {
        recover_asking(ec, &mut converter, error, fallback, &mut out)?;
    }
    converter.finish(&mut out);
    super::make(ec, out, destination, range_of_converted(destination))
}

/// Deals with an error of a conversion as its options say, or as a fallback that is not nil answers.
fn recover_asking(
    ec: &mut Ec,
    converter: &mut Converter,
    error: TranscodeError,
    fallback: Value,
    out: &mut Vec<u8>,
) -> Result<()> {
    let inserted = match &error {
        TranscodeError::Undefined { source, error_bytes, .. } if !fallback.is_nil() => {
            let character = Str::new(ec, error_bytes, *source, CodeRange::Unknown);
            ask_fallback(ec, fallback, character)?
        }
        _ => None,
    };
    match inserted {
        Some(text) if converter.insert(text.as_text(ec), out).is_ok() => Ok(()),
        Some(_) => Err(ec.argument_error("too big fallback string")),
        None => converter.recover(error, out).map_err(|error| encoding::raise_transcode(ec, &error)),
    }
}

fn ask_fallback(ec: &mut Ec, fallback: Value, character: Str) -> Result<Option<Str>> {
    let result = if let Some(hash) = Hash::from_value(fallback) {
        ec.call(hash.value(), sym::AREF, &[character.value()])?
    } else if let Some(proc) = Proc::from_value(fallback) {
        ec.call_proc(proc, &[character.value()])?
    } else if ec.respond_to(fallback, sym::CALL, false)? {
        ec.call(fallback, sym::CALL, &[character.value()])?
    } else if ec.respond_to(fallback, sym::AREF, false)? {
        ec.call(fallback, sym::AREF, &[character.value()])?
    } else {
        Value::NIL
    };
    if result.is_nil() { Ok(None) } else { ec.to_str(result).map(Some) }
}

fn encode(ec: &mut Ec, this: Str, to: Option<Value>, from: Option<Value>, keywords: Keywords) -> Result<Str> {
    let result = converted(ec, this, to, from, keywords)?;
    let class = ec.class_of(this.value()).real();
    Ok(match result {
        Some(plain) if class == ec.class_of(plain.value()) => plain,
        result => result.unwrap_or(this).duplicate_of(ec, class),
    })
}

fn encode_bang(ec: &mut Ec, this: Str, to: Option<Value>, from: Option<Value>, keywords: Keywords) -> Result<Str> {
    this.check_mutable(ec)?;
    if let Some(result) = converted(ec, this, to, from, keywords)? {
        this.replace(ec, result);
    }
    Ok(this)
}

// ---- normalization ----

fn form(ec: &mut Ec, name: Option<Value>) -> Result<Form> {
    let Some(name) = name else { return Ok(Form::Nfc) };
    let text = symbol_text(ec, name);
    match Form::find_by_name(&text) {
        Some(form) => Ok(form),
        None => {
            let shown = ec.to_s(name)?.to_text(ec);
            Err(ec.argument_error(&format!("Invalid normalization form {shown}.")))
        }
    }
}

fn check_unicode(ec: &mut Ec, this: Str) -> Result<()> {
    let encoding = this.encoding();
    let is_known = encoding.is_unicode()
        && !matches!(encoding.name(), "UTF8-MAC" | "UTF8-DoCoMo" | "UTF8-KDDI" | "UTF8-SoftBank" | "CESU-8");
    if is_known || encoding == EncodingIndex::US_ASCII || encoding == EncodingIndex::GB18030 {
        return Ok(());
    }
    let message = format!("Unicode Normalization not appropriate for {}", encoding.name());
    Err(ec.error(ec.vm().known().compatibility_error, &message))
}

fn unicode_normalize(ec: &mut Ec, this: Str, name: Option<Value>) -> Result<Str> {
    check_unicode(ec, this)?;
    if this.encoding() == EncodingIndex::US_ASCII {
        return Ok(this.duplicate(ec));
    }
    let form = form(ec, name)?;
    if this.is_ascii(ec) {
        return Ok(this.duplicate(ec));
    }
    if this.encoding() == EncodingIndex::GB18030 {
        return normalized_gb18030(ec, this, form);
    }
    let mut out = Vec::new();
    let normalized = parts::each(ec, this, before_ascii, &mut out, |ec, part, out| {
        unicode_normalize::normalize(part.text(ec), form, out)
    })?;
    match normalized {
        Ok(()) => super::make(ec, out, this.encoding(), CodeRange::Unknown),
        Err(_) => Err(not_normalized(ec, this)),
    }
}

/// The code points of GB18030 are not Unicode's.
fn normalized_gb18030(ec: &mut Ec, this: Str, form: Form) -> Result<Str> {
    let options = EncodeOptions::default();
    let text = encode_string(ec, this, EncodingIndex::GB18030, EncodingIndex::UTF_8, options)?.unwrap_or(this);
    let mut out = Vec::new();
    ec.ensure_memory(text.len(ec).saturating_mul(GROWTH))?;
    if unicode_normalize::normalize(text.as_text(ec), form, &mut out).is_err() {
        return Err(invalid_bytes(ec, this.encoding()));
    }
    let normal = super::make(ec, out, EncodingIndex::UTF_8, CodeRange::Unknown)?;
    let result = encode_string(ec, normal, EncodingIndex::UTF_8, EncodingIndex::GB18030, options)?;
    Ok(result.unwrap_or(normal))
}

/// Other encodings than UTF-8 are converted to that first, which fails.
fn not_normalized(ec: &mut Ec, this: Str) -> Unwind {
    let converted = encode_string(ec, this, this.encoding(), EncodingIndex::UTF_8, EncodeOptions::default());
    converted.err().unwrap_or_else(|| invalid_bytes(ec, this.encoding()))
}

fn unicode_normalize_bang(ec: &mut Ec, this: Str, name: Option<Value>) -> Result<Str> {
    this.check_mutable(ec)?;
    let result = unicode_normalize(ec, this, name)?;
    this.replace(ec, result);
    Ok(this)
}

fn is_unicode_normalized(ec: &mut Ec, this: Str, name: Option<Value>) -> Result<bool> {
    check_unicode(ec, this)?;
    if this.encoding() == EncodingIndex::US_ASCII {
        return Ok(true);
    }
    let form = form(ec, name)?;
    if this.is_ascii(ec) {
        return Ok(true);
    }
    if this.encoding() == EncodingIndex::GB18030 {
        let normal = normalized_gb18030(ec, this, form)?;
        return Ok(normal.bytes(ec) == this.bytes(ec));
    }
    let found = unicode_normalize::is_normalized(this.as_text(ec), form);
    found.map_err(|_| not_normalized(ec, this))
}
