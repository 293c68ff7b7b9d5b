//! Reading lines: `gets` and what goes with it.

use super::buffer::{ensure_unread, fill};
use super::converted::{self, Step, fill_text, take_text};
use super::encodings::{is_converted, read_encoding};
use super::{IoRef, check_readable, eof_error, read, streams};
use carat_text::chars;
use carat_text::text::Text;
use carat_vm::{Array, CodeRange, Ec, EncodingIndex, Keywords, Rest, Result, Str, Value};
use std::borrow::Cow;

const NEWLINE: Cow<'static, [u8]> = Cow::Borrowed(b"\n");

/// Where a line ends and what is left of it.
pub(super) struct LineRules {
    /// `None`: everything up to the end of the file.
    separator: Option<Cow<'static, [u8]>>,
    /// What a separator is in that was given and is not ASCII, or means other bytes in an encoding that does not contain it.
    encoding: Option<EncodingIndex>,
    is_ascii: bool,
    /// Paragraphs: the separator is two newlines, and more of them are skipped.
    is_paragraph: bool,
    limit: Option<usize>,
    chomp: bool,
}

/// From `gets(separator = $/, limit = nil, chomp: false)`.
pub(super) fn rules(ec: &mut Ec, args: &Array, chomp: bool) -> Result<LineRules> {
    let mut rules =
        LineRules { separator: Some(NEWLINE), encoding: None, is_ascii: true, is_paragraph: false, limit: None, chomp };
    let count = args.len(ec);
    if count > 2 {
        return Err(ec.arity_error(count, 0, Some(2)));
    }
    let (first, second) = (args.get(ec, 0), args.get(ec, 1));
    match (first, second) {
        (None, _) => set_default_separator(ec, &mut rules)?,
        (Some(Value::NIL), None) => rules.separator = None,
        (Some(only), None) => match ec.check_string(only)? {
            Some(s) => set_separator(ec, &mut rules, s),
            None => {
                set_default_separator(ec, &mut rules)?;
                set_limit(ec, &mut rules, only)?;
            }
        },
        (Some(separator), Some(limit)) => {
            match separator {
                Value::NIL => rules.separator = None,
                separator => {
                    let s = ec.to_str(separator)?;
                    set_separator(ec, &mut rules, s);
                }
            }
            set_limit(ec, &mut rules, limit)?;
        }
    }
    Ok(rules)
}

fn set_default_separator(ec: &mut Ec, rules: &mut LineRules) -> Result<()> {
    match streams::record_separator(ec) {
        Value::NIL => rules.separator = None,
        value => {
            let s = ec.to_str(value)?;
            set_separator(ec, rules, s);
            if s.bytes(ec) == b"\n" {
                rules.encoding = None;
            }
        }
    }
    Ok(())
}

fn set_separator(ec: &Ec, rules: &mut LineRules, s: Str) {
    rules.is_paragraph = s.is_empty(ec);
    rules.is_ascii = s.is_ascii(ec) && s.encoding().is_ascii_compatible();
    rules.encoding = Some(s.encoding()).filter(|_| !s.is_empty(ec));
    rules.separator = Some(match s.bytes(ec) {
        b"" => Cow::Borrowed(b"\n\n"),
        b"\n" => NEWLINE,
        other => Cow::Owned(other.to_vec()),
    });
}

fn set_limit(ec: &mut Ec, rules: &mut LineRules, limit: Value) -> Result<()> {
    if !limit.is_nil() {
        rules.limit = usize::try_from(ec.to_long(limit)?).ok();
    }
    Ok(())
}

/// The next line, `None` at the end of the file. Counts it.
pub(super) fn read_line(ec: &mut Ec, io: IoRef, rules: &LineRules) -> Result<Option<Str>> {
    if rules.limit == Some(0) {
        return read::empty_text(ec, io).map(Some);
    }
    let source = Source::of(ec, io)?;
    let encoding = source.encoding(ec, io)?;
    check_separator(ec, rules, encoding)?;
    let Some(line) = next(ec, io, source, rules)? else { return Ok(None) };
    let text = match line {
        Line::Unread(end) => {
            let bytes = rules.chomped(&source.unread(ec, io)[..end]);
            let text = Str::new(ec, bytes, encoding, CodeRange::Unknown);
            source.skip(ec, io, end);
            text
        }
        Line::Bytes(bytes) => Str::new(ec, rules.chomped(&bytes), encoding, CodeRange::Unknown),
    };
    if rules.is_paragraph {
        skip_newlines(ec, io, source)?;
    }
    let contents = io.get_mut(ec);
    contents.lineno += 1;
    let lineno = contents.lineno;
    streams::note_lineno(ec, lineno);
    Ok(Some(text))
}

/// A separator has to mean something in the encoding of the lines.
fn check_separator(ec: &mut Ec, rules: &LineRules, encoding: EncodingIndex) -> Result<()> {
    match rules.encoding {
        Some(own) if own != encoding && (!rules.is_ascii || !encoding.is_ascii_compatible()) => {
            let (io, own) = (encoding.inspect_name(), own.inspect_name());
            Err(ec.argument_error(&format!("encoding mismatch: {io} IO with {own} RS")))
        }
        _ => Ok(()),
    }
}

/// What lines are made of.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    Bytes,
    /// Converted text.
    Text,
}

impl Source {
    fn of(ec: &mut Ec, io: IoRef) -> Result<Source> {
        if !is_converted(ec, io)? {
            return Ok(Source::Bytes);
        }
        converted::begin(ec, io)?;
        Ok(Source::Text)
    }

    fn encoding(self, ec: &mut Ec, io: IoRef) -> Result<EncodingIndex> {
        match (self, converted::text_encoding(ec, io)) {
            (Source::Text, Some(encoding)) => Ok(encoding),
            _ => read_encoding(ec, io),
        }
    }

    fn unread(self, ec: &Ec, io: IoRef) -> &[u8] {
        match self {
            Source::Bytes => io.get(ec).unread(),
            Source::Text => io.get(ec).reading.as_ref().map_or(&[], |reading| reading.unread()),
        }
    }

    /// Gets more; false at the end of the file.
    fn fill(self, ec: &mut Ec, io: IoRef, step: Step) -> Result<bool> {
        match self {
            Source::Bytes => fill(ec, io),
            Source::Text => fill_text(ec, io, step),
        }
    }

    fn ensure_unread(self, ec: &mut Ec, io: IoRef) -> Result<bool> {
        match self {
            Source::Bytes => ensure_unread(ec, io),
            Source::Text => Ok(!self.unread(ec, io).is_empty() || fill_text(ec, io, Step::Character)?),
        }
    }

    fn skip(self, ec: &mut Ec, io: IoRef, len: usize) {
        match self {
            Source::Bytes => io.get_mut(ec).read_at += len,
            Source::Text => drop(take_text(ec, io, len)),
        }
    }

    /// So many bytes; fewer only at the end of the file.
    fn read(self, ec: &mut Ec, io: IoRef, len: usize) -> Result<Vec<u8>> {
        if self == Source::Bytes {
            return read::read_bytes(ec, io, len);
        }
        while self.unread(ec, io).len() < len && fill_text(ec, io, Step::Character)? {}
        let len = len.min(self.unread(ec, io).len());
        Ok(take_text(ec, io, len))
    }

    fn read_all(self, ec: &mut Ec, io: IoRef) -> Result<Vec<u8>> {
        match self {
            Source::Bytes => read::read_all(ec, io),
            Source::Text => read::read_all_text(ec, io),
        }
    }
}

/// A line that was found.
enum Line {
    /// The first bytes of those that are unread.
    Unread(usize),
    Bytes(Vec<u8>),
}

impl LineRules {
    /// The line without its end, if that is not wanted.
    fn chomped<'a>(&self, line: &'a [u8]) -> &'a [u8] {
        let Some(separator) = self.separator.as_deref().filter(|_| self.chomp) else { return line };
        match line.strip_suffix(separator) {
            Some(rest) if separator == b"\n" => rest.strip_suffix(b"\r").unwrap_or(rest),
            Some(rest) => rest,
            None => line,
        }
    }
}

fn next(ec: &mut Ec, io: IoRef, source: Source, rules: &LineRules) -> Result<Option<Line>> {
    if rules.is_paragraph {
        skip_newlines(ec, io, source)?;
    }
    if !source.ensure_unread(ec, io)? {
        return Ok(None);
    }
    let encoding = source.encoding(ec, io)?;
    let Some(separator) = &rules.separator else {
        return match rules.limit {
            Some(limit) => limited(ec, io, source, limit, encoding).map(|line| Some(Line::Bytes(line))),
            None => source.read_all(ec, io).map(|rest| Some(Line::Bytes(rest))),
        };
    };
    let separator = separator_in(encoding, separator, rules.encoding.is_none());
    let step = if rules.limit.is_some() { Step::Character } else { Step::Line };
    let mut searched = 0;
    loop {
        let unread = source.unread(ec, io);
        let from = searched_from(searched, separator.len());
        let found = find(&unread[from..], &separator, encoding, unread, from).map(|at| from + at + separator.len());
        let end = found.unwrap_or(unread.len());
        if let Some(limit) = rules.limit
            && end >= limit
        {
            return limited(ec, io, source, limit.min(end), encoding).map(|line| Some(Line::Bytes(line)));
        }
        searched = unread.len();
        if found.is_some() || !source.fill(ec, io, step)? {
            let end = if found.is_some() { end } else { source.unread(ec, io).len() };
            ec.ensure_memory(end)?;
            return Ok(Some(Line::Unread(end)));
        }
    }
}

fn searched_from(searched: usize, separator: usize) -> usize {
    searched.saturating_sub(separator.saturating_sub(1)) & !3
}

/// Index of the separator in `bytes`, which begin at `offset` of the line, where it stands at a multiple of its unit and is no
/// part of a character.
fn find(bytes: &[u8], separator: &[u8], encoding: EncodingIndex, line: &[u8], offset: usize) -> Option<usize> {
    let unit = encoding.min_len();
    if let ([byte], 1) = (separator, unit)
        && (*byte < 0x30 || encoding.is_utf8())
    {
        return memchr::memchr(*byte, bytes);
    }
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&bytes[at..], separator) {
        let place = offset + at + found;
        let is_whole = || chars::left_adjust(Text::of(line, encoding), place) == place;
        if place.is_multiple_of(unit) && is_whole() {
            return Some(at + found);
        }
        at += found + 1;
    }
    None
}

/// The separator as the stream's encoding has it: one that was not given is ASCII.
fn separator_in(encoding: EncodingIndex, separator: &[u8], is_default: bool) -> Cow<'_, [u8]> {
    if encoding.min_len() == 1 || !is_default {
        return Cow::Borrowed(separator);
    }
    let mut out = Vec::new();
    for byte in separator {
        if carat_text::encoding::encode_codepoint(encoding, u32::from(*byte), &mut out).is_err() {
            out.push(*byte);
        }
    }
    Cow::Owned(out)
}

/// So many bytes may follow the limit in search of a character's end.
const EXTRA: usize = 16;

/// `limit` bytes, and as many more as complete the last character.
fn limited(ec: &mut Ec, io: IoRef, source: Source, limit: usize, encoding: EncodingIndex) -> Result<Vec<u8>> {
    let mut line = source.read(ec, io, limit)?;
    let start = chars::left_adjust(Text::of(&line, encoding), line.len().saturating_sub(encoding.max_len()));
    for extra in 0..=EXTRA {
        let mut at = start;
        let mut is_broken = false;
        while at < line.len() {
            is_broken = matches!(
                carat_text::encoding::char_len(encoding, &line[at..]),
                carat_text::encoding::Char::NeedMore(_)
            );
            at += carat_text::encoding::mbclen(encoding, &line[at..]).max(1);
            if is_broken {
                break;
            }
        }
        if !is_broken || extra == EXTRA || !source.ensure_unread(ec, io)? {
            break;
        }
        line.extend(source.read(ec, io, 1)?);
    }
    Ok(line)
}

fn skip_newlines(ec: &mut Ec, io: IoRef, source: Source) -> Result<()> {
    let encoding = source.encoding(ec, io)?;
    let newline = separator_in(encoding, b"\n", true);
    while source.ensure_unread(ec, io)? {
        while source.unread(ec, io).len() < newline.len() && source.fill(ec, io, Step::Character)? {}
        if !source.unread(ec, io).starts_with(&newline) {
            break;
        }
        source.skip(ec, io, newline.len());
    }
    Ok(())
}

/// The option `chomp:`; others are none of a line's business, and passed over.
fn chomp_option(ec: &mut Ec, options: Keywords) -> bool {
    options.get(ec, carat_vm::sym::CHOMP).is_some_and(Value::truthy)
}

pub(super) fn gets(ec: &mut Ec, io: IoRef, args: Rest, options: Keywords) -> Result {
    let chomp = chomp_option(ec, options);
    let args = args.to_array(ec);
    let rules = rules(ec, &args, chomp)?;
    check_readable(ec, io)?;
    let line = read_line(ec, io, &rules)?.map_or(Value::NIL, Str::value);
    ec.set_last_line(line);
    Ok(line)
}

pub(super) fn readline(ec: &mut Ec, io: IoRef, args: Rest, options: Keywords) -> Result {
    let line = gets(ec, io, args, options)?;
    if line.is_nil() { Err(eof_error(ec)) } else { Ok(line) }
}

pub(super) fn readlines(ec: &mut Ec, io: IoRef, args: Rest, options: Keywords) -> Result {
    let chomp = chomp_option(ec, options);
    let args = args.to_array(ec);
    let rules = rules(ec, &args, chomp)?;
    check_readable(ec, io)?;
    if rules.limit == Some(0) {
        return Err(ec.argument_error("invalid limit: 0 for readlines"));
    }
    let lines = Array::new(ec, 0);
    while let Some(line) = read_line(ec, io, &rules)? {
        lines.push(ec, line.value());
    }
    Ok(lines.value())
}

/// `Primitive.io_gets(io, args, chomp)`: a line or nil, without touching `$_`.
pub(super) fn next_line(ec: &mut Ec, io: IoRef, args: Array, chomp: bool) -> Result {
    let rules = rules(ec, &args, chomp)?;
    check_readable(ec, io)?;
    if rules.limit == Some(0) {
        return Err(ec.argument_error("invalid limit: 0 for each_line"));
    }
    Ok(read_line(ec, io, &rules)?.map_or(Value::NIL, Str::value))
}

/// `Primitive.io_line_args(args)`: the arguments of a method that reads lines, converted: for whoever reads more than one.
pub(super) fn line_args(ec: &mut Ec, args: Array) -> Result<Array> {
    let count = args.len(ec);
    if count > 2 {
        return Err(ec.arity_error(count, 0, Some(2)));
    }
    let converted = Array::new(ec, 2);
    for index in 0..count {
        let value = args.at(ec, index);
        let text = if count == 1 { ec.check_string(value)? } else { None };
        let value = match value {
            Value::NIL => Value::NIL,
            _ if text.is_some() => text.map_or(Value::NIL, Str::value),
            value if index == 1 || count == 1 => {
                let limit = ec.to_long(value)?;
                ec.int(limit)
            }
            value => ec.to_str(value)?.value(),
        };
        converted.push(ec, value);
    }
    Ok(converted)
}
