//! `Encoding::Converter`: conversion in pieces.

use super::{errors, find_by_name, index_of, object, raise_transcode};
use crate::text::string::{EncodeOptions, parse_options};
use carat_text::coderange::CodeRange;
use carat_text::text::Text;
use carat_text::transcode::{Converter, Newline, TranscodeError, Xml, path};
use carat_vm::{Array, Class, Data, Ec, EncodingIndex, Hash, Keywords, NativeData, Result, Str, Value, methods};

methods! {
    METHODS {
        static "new" => new;
        static "search_convpath" => search_convpath;
        static "asciicompat_encoding" => asciicompat_encoding;
        "convert" => convert;
        "finish" => finish;
        "primitive_convert" => primitive_convert;
        "primitive_errinfo" => primitive_errinfo;
        "last_error" => last_error;
        "insert_output" => insert_output;
        "putback" => putback;
        "source_encoding" => source_encoding;
        "destination_encoding" => destination_encoding;
        "replacement" => replacement;
        "replacement=" => set_replacement;
        "convpath" => convpath;
        "inspect" => inspect;
        "==" => equal;
    }
}

/// Flags of `Converter.new`; each decorator's bit is CRuby's.
const CONSTANTS: [(&str, i64); 14] = [
    ("INVALID_MASK", 0xF),
    ("INVALID_REPLACE", 0x2),
    ("UNDEF_MASK", 0xF0),
    ("UNDEF_REPLACE", 0x20),
    ("UNDEF_HEX_CHARREF", 0x30),
    ("PARTIAL_INPUT", PARTIAL_INPUT),
    ("AFTER_OUTPUT", AFTER_OUTPUT),
    ("UNIVERSAL_NEWLINE_DECORATOR", 0x100),
    ("CRLF_NEWLINE_DECORATOR", 0x1000),
    ("CR_NEWLINE_DECORATOR", 0x2000),
    ("LF_NEWLINE_DECORATOR", 0x4000),
    ("XML_TEXT_DECORATOR", 0x8000),
    ("XML_ATTR_CONTENT_DECORATOR", 0x1_0000),
    ("XML_ATTR_QUOTE_DECORATOR", 0x10_0000),
];

const PARTIAL_INPUT: i64 = 0x2_0000;
const AFTER_OUTPUT: i64 = 0x4_0000;

/// A converter and what it has met.
struct ConverterState {
    converter: Converter,
    source: EncodingIndex,
    destination: EncodingIndex,
    newline: Option<Newline>,
    /// What messages call the steps that no encodings have, and those steps.
    decorators: Vec<&'static str>,
    decorating_steps: Vec<&'static str>,
    /// Those that were given before all encodings.
    leading_steps: Vec<&'static str>,
    /// Made with empty names, for decorations alone: it has no encodings.
    is_nameless: bool,
    replacement: Option<Vec<u8>>,
    /// Input read but not converted yet: the beginning of a character, or the bytes that showed others to be wrong.
    pending: Vec<u8>,
    /// So many of them are of the second kind, and can be put back.
    again: usize,
    /// Output that did not fit where it was to go.
    waiting: Vec<u8>,
    last: Option<TranscodeError>,
    outcome: &'static str,
    is_started: bool,
    is_finished: bool,
}

impl NativeData for ConverterState {
    const NAME: &'static str = "Encoding::Converter";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

pub(super) fn init(ec: &mut Ec) {
    let encoding = ec.vm().known().encoding;
    let class = ec.new_class(ec.vm().known().object);
    class.set_allocator(None);
    encoding.set_constant(ec, ec.vm().intern("Converter"), class.value());
    class.define_methods(ec, METHODS);
    for (name, value) in CONSTANTS {
        class.set_constant(ec, ec.vm().intern(name), ec.int(value));
    }
}

/// An encoding, or the name of none.
fn end(ec: &mut Ec, value: Value) -> Result<std::result::Result<EncodingIndex, String>> {
    if let Some(index) = index_of(ec, value) {
        return Ok(Ok(index));
    }
    let name = ec.to_str(value)?;
    Ok(find_by_name(ec, name.bytes(ec)).ok_or_else(|| name.to_text(ec)))
}

fn ends(ec: &mut Ec, source: Value, destination: Value) -> Result<(EncodingIndex, EncodingIndex)> {
    let (source, destination) = (end(ec, source)?, end(ec, destination)?);
    match (source, destination) {
        (Ok(source), Ok(destination)) => Ok((source, destination)),
        (source, destination) => {
            let text = |end: std::result::Result<EncodingIndex, String>| {
                end.map_or_else(|name| name, |index| index.name().to_owned())
            };
            let error = TranscodeError::not_found(&text(source), &text(destination));
            Err(raise_transcode(ec, &error))
        }
    }
}

fn flags(flags: i64) -> EncodeOptions {
    let newline = [(0x100, Newline::Universal), (0x1000, Newline::Crlf), (0x2000, Newline::Cr), (0x4000, Newline::Lf)];
    EncodeOptions {
        replaces_invalid: flags & 0xF == 0x2,
        replaces_undefined: flags & 0xF0 == 0x20,
        newline: newline.into_iter().find(|(bit, _)| flags & bit != 0).map(|(_, newline)| newline),
        has_references: flags & 0xF0 == 0x30,
        xml: match (flags & 0x8000 != 0, flags & 0x1_0000 != 0, flags & 0x10_0000 != 0) {
            (_, true, true) => Some(Xml::Attr),
            (_, true, false) => Some(Xml::AttrContent),
            (_, false, true) => Some(Xml::AttrQuote),
            (true, ..) => Some(Xml::Text),
            _ => None,
        },
        ..EncodeOptions::default()
    }
}

/// A converter that only decorates has two empty names.
fn is_nothing(ec: &Ec, name: Value) -> bool {
    Str::from_value(name).is_some_and(|name| name.is_empty(ec))
}

/// Steps without encodings that a converter may consist of.
const XML_STEPS: [(&str, Xml); 4] = [
    ("amp_escape", Xml::Ampersand),
    ("xml_text_escape", Xml::Text),
    ("xml_attr_content_escape", Xml::AttrContent),
    ("xml_attr_quote", Xml::AttrQuote),
];
const NEWLINE_STEPS: [(&str, Newline); 4] = [
    ("universal_newline", Newline::Universal),
    ("crlf_newline", Newline::Crlf),
    ("cr_newline", Newline::Cr),
    ("lf_newline", Newline::Lf),
];

fn decorator(ec: &Ec, value: Value, name: &str) -> bool {
    Str::from_value(value).is_some_and(|given| given.bytes(ec) == name.as_bytes())
}

fn new(
    ec: &mut Ec,
    class: Class,
    source: Option<Value>,
    destination: Option<Value>,
    given: Option<i64>,
    keywords: Keywords,
) -> Result {
    let Some(source) = source else { return Err(ec.arity_error(0, 2, Some(3))) };
    let Some(destination) = destination else {
        return match ec.check_array(source)? {
            Some(steps) => by_steps(ec, class, steps),
            None => Err(ec.arity_error(1, 2, Some(3))),
        };
    };
    let mut options = match given {
        Some(bits) => flags(bits),
        None => parse_options(ec, keywords.0)?,
    };
    let is_named = |ec: &mut Ec, name| is_nothing(ec, source) && decorator(ec, destination, name);
    for (name, xml) in XML_STEPS {
        if is_named(ec, name) {
            options.xml = Some(xml);
        }
    }
    for (name, newline) in NEWLINE_STEPS {
        if is_named(ec, name) {
            options.newline = Some(newline);
        }
    }
    let is_step = XML_STEPS.iter().map(|(name, _)| *name).chain(NEWLINE_STEPS.iter().map(|(name, _)| *name));
    let is_step = is_step.into_iter().any(|name| is_named(ec, name));
    let is_nameless = is_nothing(ec, source) && (is_step || is_nothing(ec, destination));
    let (source, destination) = match is_nameless {
        true => (EncodingIndex::BINARY, EncodingIndex::BINARY),
        false => ends(ec, source, destination)?,
    };
    if source == destination && !is_nameless {
        return Err(options.raise(ec, TranscodeError::not_found(source.name(), destination.name())));
    }
    let decorators = options.decorators().collect();
    make(ec, class, (source, destination), options, decorators, is_nameless)
}

/// A converter of given steps, as `convpath` shows them: pairs of encodings that go on from one another, and decorations.
fn by_steps(ec: &mut Ec, class: Class, list: Array) -> Result {
    let mut reached: Option<(EncodingIndex, EncodingIndex)> = None;
    let mut options = EncodeOptions::default();
    let (mut leading, mut trailing) = (Vec::new(), Vec::new());
    for index in 0..list.len(ec) {
        let step = list.at(ec, index);
        if let Some(pair) = ec.check_array(step)? {
            if pair.len(ec) != 2 {
                return Err(ec.argument_error("not a 2-element array in convpath"));
            }
            reached = Some(further(ec, reached, pair)?);
            continue;
        }
        let name = ec.to_str(step)?.to_text(ec);
        let (xml, newline) = (
            XML_STEPS.iter().find(|(known, _)| *known == name),
            NEWLINE_STEPS.iter().find(|(known, _)| *known == name),
        );
        let Some(own_name) = xml.map(|(name, _)| *name).or(newline.map(|(name, _)| *name)) else {
            return Err(ec.argument_error(&format!("decoration failed: {name}")));
        };
        options.xml = xml.map(|(_, xml)| *xml).or(options.xml);
        options.newline = newline.map(|(_, newline)| *newline).or(options.newline);
        if reached.is_some() { &mut trailing } else { &mut leading }.push(own_name);
    }
    let ends = reached.unwrap_or((EncodingIndex::BINARY, EncodingIndex::BINARY));
    let converter = make(ec, class, ends, options, Vec::new(), reached.is_none())?;
    if let (Some(_), Some(made)) = (reached, Data::<ConverterState>::from_value(converter)) {
        let state = made.get_mut(ec);
        (state.leading_steps, state.decorating_steps) = (leading, trailing);
    }
    Ok(converter)
}

/// The ends of a path that goes on by a pair of encodings.
fn further(
    ec: &mut Ec,
    reached: Option<(EncodingIndex, EncodingIndex)>,
    pair: Array,
) -> Result<(EncodingIndex, EncodingIndex)> {
    let (from, to) = (pair.at(ec, 0), pair.at(ec, 1));
    let (from, to) = (end(ec, from)?, end(ec, to)?);
    if let (Ok(from), Ok(to)) = (&from, &to)
        && from != to
        && reached.is_none_or(|(_, last)| last == *from)
        && path(*from, *to).is_some()
    {
        return Ok((reached.map_or(*from, |(first, _)| first), *to));
    }
    let name =
        |end: std::result::Result<EncodingIndex, String>| end.map_or_else(|name| name, |index| index.name().to_owned());
    Err(ec.argument_error(&format!("adding conversion failed: {} to {}", name(from), name(to))))
}

fn make(
    ec: &mut Ec,
    class: Class,
    (source, destination): (EncodingIndex, EncodingIndex),
    options: EncodeOptions,
    decorators: Vec<&'static str>,
    is_nameless: bool,
) -> Result {
    let made = Converter::new(source, destination, &options.as_text(ec));
    let converter = made.map_err(|error| raise_transcode(ec, &error))?;
    let state = ConverterState {
        converter,
        source,
        destination,
        newline: options.newline,
        decorators,
        decorating_steps: options.decorating_steps().collect(),
        leading_steps: Vec::new(),
        is_nameless,
        replacement: options.replacement.map(|s| s.bytes(ec).to_vec()),
        pending: Vec::new(),
        again: 0,
        waiting: Vec::new(),
        last: None,
        outcome: "source_buffer_empty",
        is_started: false,
        is_finished: false,
    };
    Ok(Data::new(ec, class, state).value())
}

/// How far a call goes.
#[derive(Clone, Copy)]
struct Room {
    bytes: usize,
    /// It ends when something came out.
    stops: bool,
}

const ENDLESS: Room = Room { bytes: usize::MAX, stops: false };

impl Room {
    fn is_endless(self) -> bool {
        self.bytes == usize::MAX && !self.stops
    }
}

impl ConverterState {
    /// Converts what is pending; stops at the first error that the options do not settle, and behind the character whose
    /// output goes beyond `room` bytes.
    fn run(&mut self, is_partial: bool, room: Room, out: &mut Vec<u8>) -> std::result::Result<(), TranscodeError> {
        if !self.pending.is_empty() {
            self.start(out);
        }
        let before_all = out.len();
        let copies = self.is_nameless && self.decorating_steps.is_empty();
        let input = std::mem::take(&mut self.pending);
        self.again = 0;
        let mut at = 0;
        // One character at a time does not get past bytes that only what follows shows to be wrong.
        let mut is_whole = room.is_endless();
        let result = loop {
            let end = if is_whole { input.len() } else { self.next_char(&input, at) };
            let is_part = is_partial || end < input.len();
            let before = at;
            if let Err(error) = self.converter.run(&input[..end], &mut at, is_part, out)
                && let Err(error) = self.converter.recover(error, out)
            {
                break Err(error);
            }
            let is_full = out.len() > room.bytes || copies && out.len() >= room.bytes;
            let has_stopped = room.stops && out.len() > before_all;
            if at >= input.len() || is_full || has_stopped || at == before && is_whole {
                break Ok(());
            }
            is_whole = room.is_endless() || at == before;
        };
        self.pending = input[at..].to_vec();
        if let Err(error) = &result {
            self.again = read_again(error).min(self.pending.len());
        }
        result
    }

    /// Notes why a call stopped.
    fn conclude(&mut self, outcome: &'static str, error: Option<TranscodeError>) {
        (self.outcome, self.last) = (outcome, error);
    }

    fn next_char(&self, input: &[u8], at: usize) -> usize {
        input.len().min(at + carat_text::encoding::mbclen(self.source, &input[at..]).max(1))
    }

    fn start(&mut self, out: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.is_started, true) {
            self.converter.start(out);
        }
    }

    fn finish(&mut self, out: &mut Vec<u8>) {
        self.start(out);
        if !std::mem::replace(&mut self.is_finished, true) {
            self.converter.finish(out);
        }
    }
}

fn text(ec: &Ec, bytes: &[u8], encoding: EncodingIndex) -> Str {
    Str::new(ec, bytes, encoding, CodeRange::Unknown)
}

/// Bytes behind those in error that were looked at to see the error.
fn read_again(error: &TranscodeError) -> usize {
    match error {
        TranscodeError::Invalid { readagain_bytes, .. } => readagain_bytes.len(),
        _ => 0,
    }
}

fn outcome_of(error: &TranscodeError) -> &'static str {
    match error {
        TranscodeError::Invalid { is_incomplete: true, .. } => "incomplete_input",
        TranscodeError::Invalid { .. } => "invalid_byte_sequence",
        _ => "undefined_conversion",
    }
}

fn convert(ec: &mut Ec, this: Data<ConverterState>, source: Str) -> Result<Str> {
    if this.get(ec).is_finished {
        return Err(ec.argument_error("converter already finished"));
    }
    let bytes = source.owned_bytes(ec)?;
    let mut out = Vec::new();
    ec.make_room_in(&mut out, bytes.len())?;
    let state = this.get_mut(ec);
    state.pending.extend(bytes);
    let result = state.run(true, ENDLESS, &mut out);
    if result.is_err() {
        // What comes behind was the caller's, who does not get it back.
        state.pending.truncate(state.again);
    }
    concluded(ec, this, result, "source_buffer_empty")?;
    let destination = this.get(ec).destination;
    Ok(text(ec, &out, destination))
}

fn finish(ec: &mut Ec, this: Data<ConverterState>) -> Result<Str> {
    let mut out = Vec::new();
    let result = this.get_mut(ec).run(false, ENDLESS, &mut out);
    concluded(ec, this, result, "finished")?;
    let state = this.get_mut(ec);
    state.finish(&mut out);
    let destination = state.destination;
    Ok(text(ec, &out, destination))
}

/// Notes how a call ended, and raises its error.
fn concluded(
    ec: &mut Ec,
    this: Data<ConverterState>,
    result: std::result::Result<(), TranscodeError>,
    outcome: &'static str,
) -> Result<()> {
    let state = this.get_mut(ec);
    match result {
        Ok(()) => {
            state.conclude(outcome, None);
            Ok(())
        }
        Err(error) => {
            state.conclude(outcome_of(&error), Some(error.clone()));
            Err(raise_transcode(ec, &error))
        }
    }
}

fn options_of(ec: &mut Ec, given: Option<Value>, keywords: Keywords) -> Result<i64> {
    if let Some(bits) = given.filter(|v| !v.is_nil()) {
        if let Some(hash) = Hash::from_value(bits) {
            return hash_options(ec, hash);
        }
        return ec.to_long(bits);
    }
    match keywords.0 {
        Some(hash) => hash_options(ec, hash),
        None => Ok(0),
    }
}

fn hash_options(ec: &mut Ec, hash: Hash) -> Result<i64> {
    let mut bits = 0;
    for (name, bit) in [("partial_input", PARTIAL_INPUT), ("after_output", AFTER_OUTPUT)] {
        let name = ec.vm().intern(name);
        if hash.get_symbol(ec, name).is_some_and(Value::truthy) {
            bits |= bit;
        }
    }
    Ok(bits)
}

/// `primitive_convert(source, destination, byte_offset, byte_size, options)`: the outcome as a symbol.
#[expect(clippy::too_many_arguments, reason = "the parameters of the Ruby method")]
fn primitive_convert(
    ec: &mut Ec,
    this: Data<ConverterState>,
    source: Value,
    destination: Str,
    offset: Option<Value>,
    size: Option<Value>,
    options: Option<Value>,
    keywords: Keywords,
) -> Result {
    let bits = options_of(ec, options, keywords)?;
    destination.check_mutable(ec)?;
    let offset = match offset.filter(|v| !v.is_nil()) {
        Some(offset) => Some(ec.to_long(offset)?),
        None => None,
    };
    let size = match size.filter(|v| !v.is_nil()) {
        Some(size) => Some(ec.to_long(size)?),
        None => None,
    };
    let start = match offset {
        Some(offset) if offset < 0 => return Err(ec.argument_error("negative output_byteoffset")),
        Some(offset) if offset as usize > destination.len(ec) => {
            return Err(ec.argument_error("output_byteoffset too big"));
        }
        Some(offset) => offset as usize,
        None => destination.len(ec),
    };
    if size.is_some_and(|size| size < 0) {
        return Err(ec.argument_error("negative output_bytesize"));
    }
    let source = if source.is_nil() { None } else { Some(ec.to_str(source)?) };
    if let Some(source) = source {
        source.check_mutable(ec)?;
        let bytes = source.owned_bytes(ec)?;
        source.clear(ec);
        this.get_mut(ec).pending.extend(bytes);
    }
    let (out, outcome) = step(this.get_mut(ec), bits, size.map(|size| size as usize));
    destination.truncate(ec, start);
    destination.push_bytes(ec, &out);
    let index = this.get(ec).destination;
    crate::text::string::associate(ec, destination, index);
    if let Some(source) = source {
        give_back(ec, this, source);
    }
    Ok(Value::symbol(ec.vm().intern(outcome)))
}

/// What was not read stays in the source string, the beginning of a character and what is to be read again excepted.
fn give_back(ec: &mut Ec, this: Data<ConverterState>, source: Str) {
    let state = this.get_mut(ec);
    if matches!(state.outcome, "source_buffer_empty" | "finished") {
        return;
    }
    let rest = state.pending.split_off(state.again);
    source.push_bytes(ec, &rest);
}

fn step(state: &mut ConverterState, bits: i64, room: Option<usize>) -> (Vec<u8>, &'static str) {
    let room = room.unwrap_or(usize::MAX);
    let mut out = std::mem::take(&mut state.waiting);
    let mut outcome = if out.len() > room { "destination_buffer_full" } else { advance(state, bits, room, &mut out) };
    if out.len() > room {
        // The rest waits for the next call, even in the middle of a character.
        state.waiting = out.split_off(room);
        outcome = "destination_buffer_full";
    } else if bits & AFTER_OUTPUT != 0 && outcome == "source_buffer_empty" && !out.is_empty() {
        outcome = "after_output";
    }
    if !matches!(outcome, "incomplete_input" | "invalid_byte_sequence" | "undefined_conversion") {
        state.last = None;
    }
    state.outcome = outcome;
    (out, outcome)
}

/// Converts as far as it goes; why it stopped.
fn advance(state: &mut ConverterState, bits: i64, room: usize, out: &mut Vec<u8>) -> &'static str {
    let is_partial = bits & PARTIAL_INPUT != 0;
    let stops = bits & AFTER_OUTPUT != 0;
    let before = out.len();
    match state.run(is_partial, Room { bytes: room, stops }, out) {
        Ok(()) if out.len() == room && state.is_nameless && !state.pending.is_empty() => "destination_buffer_full",
        Ok(()) if stops && out.len() > before => "source_buffer_empty",
        Ok(()) if is_partial || !state.pending.is_empty() => "source_buffer_empty",
        Ok(()) => {
            state.finish(out);
            "finished"
        }
        Err(error) => {
            let outcome = outcome_of(&error);
            state.last = Some(error);
            outcome
        }
    }
}

fn primitive_errinfo(ec: &mut Ec, this: Data<ConverterState>) -> Array {
    let state = this.get(ec);
    let outcome = state.outcome;
    let list = Array::new(ec, 5);
    list.push(ec, Value::symbol(ec.vm().intern(outcome)));
    let name = |index: EncodingIndex| Str::from_ascii(ec, index.name().as_bytes()).value();
    let binary = |bytes: &[u8]| Str::binary(ec, bytes).value();
    let parts = match &state.last {
        Some(TranscodeError::Invalid { source, destination, error_bytes, readagain_bytes, .. }) => {
            [name(*source), name(*destination), binary(error_bytes), binary(readagain_bytes)]
        }
        Some(TranscodeError::Undefined { source, destination, error_bytes, .. }) => {
            [name(*source), name(*destination), binary(error_bytes), binary(b"")]
        }
        _ => [Value::NIL; 4],
    };
    parts.into_iter().for_each(|part| list.push(ec, part));
    list
}

fn last_error(ec: &mut Ec, this: Data<ConverterState>) -> Value {
    match this.get(ec).last.clone() {
        Some(error) => errors::exception(ec, &error),
        None => Value::NIL,
    }
}

fn insert_output(ec: &mut Ec, this: Data<ConverterState>, inserted: Str) -> Result {
    let bytes = inserted.owned_bytes(ec)?;
    let (encoding, range) = (inserted.encoding(), inserted.range(ec));
    let state = this.get_mut(ec);
    let mut out = std::mem::take(&mut state.waiting);
    let text = carat_text::text::Text::new(&bytes, encoding, range);
    let inserted = state.converter.insert(text, &mut out);
    state.waiting = out;
    match inserted {
        Ok(()) => Ok(Value::NIL),
        Err(error) => Err(errors::raise_transcode(ec, &error)),
    }
}

/// The last of the bytes that are to be read again, which then are not.
fn putback(ec: &mut Ec, this: Data<ConverterState>, count: Option<i64>) -> Str {
    let state = this.get_mut(ec);
    let count = count.and_then(|n| usize::try_from(n).ok()).unwrap_or(state.again).min(state.again);
    let back: Vec<u8> = state.pending.drain(state.again - count..state.again).collect();
    state.again -= count;
    let source = state.source;
    text(ec, &back, source)
}

fn source_encoding(ec: &mut Ec, this: Data<ConverterState>) -> Value {
    let state = this.get(ec);
    if state.is_nameless { Value::NIL } else { object(ec, state.source) }
}

fn destination_encoding(ec: &mut Ec, this: Data<ConverterState>) -> Value {
    let state = this.get(ec);
    if state.is_nameless { Value::NIL } else { object(ec, state.destination) }
}

fn replacement(ec: &mut Ec, this: Data<ConverterState>) -> Str {
    let state = this.get(ec);
    if let Some(bytes) = &state.replacement {
        return text(ec, bytes, state.destination);
    }
    if state.destination.is_unicode() {
        return text(ec, "\u{FFFD}".as_bytes(), EncodingIndex::UTF_8);
    }
    Str::from_ascii(ec, b"?")
}

fn set_replacement(ec: &mut Ec, this: Data<ConverterState>, given: Str) -> Result<Str> {
    let destination = this.get(ec).destination;
    let converted =
        crate::text::string::encode_string(ec, given, given.encoding(), destination, EncodeOptions::default())?
            .unwrap_or(given);
    let bytes = converted.owned_bytes(ec)?;
    let is_set = this.get_mut(ec).converter.set_replacement(Text::of(&bytes, destination));
    is_set.map_err(|error| raise_transcode(ec, &error))?;
    this.get_mut(ec).replacement = Some(bytes);
    Ok(given)
}

/// Pairs of encodings and decorations, which come before the step to an encoding that does not contain ASCII.
fn steps(ec: &Ec, steps: &[EncodingIndex], decorators: impl Iterator<Item = &'static str>) -> Array {
    let list = Array::new(ec, steps.len());
    let pair = |pair: &[EncodingIndex]| Array::pair(ec, object(ec, pair[0]), object(ec, pair[1])).value();
    let is_wide = steps.last().is_some_and(|last| !last.is_ascii_compatible());
    let plain = if is_wide { &steps[..steps.len() - 1] } else { steps };
    plain.windows(2).for_each(|step| list.push(ec, pair(step)));
    for name in decorators {
        list.push(ec, Str::from_ascii(ec, name.as_bytes()).value());
    }
    if is_wide && steps.len() > 1 {
        list.push(ec, pair(&steps[steps.len() - 2..]));
    }
    list
}

fn convpath(ec: &mut Ec, this: Data<ConverterState>) -> Array {
    let state = this.get(ec);
    let list = Array::new(ec, 0);
    for name in &state.leading_steps {
        list.push(ec, Str::from_ascii(ec, name.as_bytes()).value());
    }
    let rest = steps(ec, state.converter.path(), state.decorating_steps.iter().copied());
    for index in 0..rest.len(ec) {
        list.push(ec, rest.at(ec, index));
    }
    list
}

fn search_convpath(ec: &mut Ec, _class: Value, source: Value, destination: Value, keywords: Keywords) -> Result<Array> {
    let options = parse_options(ec, keywords.0)?;
    let (source, destination) = ends(ec, source, destination)?;
    match path(source, destination) {
        Some(found) if source != destination => Ok(steps(ec, &found, options.decorating_steps())),
        _ => {
            let error = TranscodeError::not_found(source.name(), destination.name());
            Err(raise_transcode(ec, &error))
        }
    }
}

/// The ASCII-compatible encoding of the same characters.
fn asciicompat_encoding(ec: &mut Ec, _class: Value, encoding: Value) -> Result {
    use EncodingIndex as E;
    let Ok(index) = end(ec, encoding)? else { return Ok(Value::NIL) };
    let found = match index {
        E::ISO_2022_JP | E::ISO_2022_JP_2 => E::STATELESS_ISO_2022_JP,
        E::UTF_16BE | E::UTF_16LE | E::UTF_32BE | E::UTF_32LE | E::UTF_16 | E::UTF_32 => E::UTF_8,
        _ => return Ok(Value::NIL),
    };
    Ok(object(ec, found))
}

fn inspect(ec: &mut Ec, this: Data<ConverterState>) -> Str {
    let state = this.get(ec);
    let ends = (!state.is_nameless).then(|| format!("{} to {}", state.source.name(), state.destination.name()));
    let decorators = (!state.decorators.is_empty()).then(|| state.decorators.join(","));
    let shown = match (ends, decorators) {
        (Some(ends), Some(decorators)) => format!("{ends} with {decorators}"),
        (Some(one), None) | (None, Some(one)) => one,
        (None, None) => "no-conversion".to_owned(),
    };
    Str::from_text(ec, &format!("#<Encoding::Converter: {shown}>"))
}

fn equal(ec: &mut Ec, this: Data<ConverterState>, other: Value) -> bool {
    let Some(other) = Data::<ConverterState>::from_value(other) else { return false };
    let (a, b) = (this.get(ec), other.get(ec));
    a.source == b.source && a.destination == b.destination && a.newline == b.newline && a.replacement == b.replacement
}
