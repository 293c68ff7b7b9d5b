//! Reading lines: `gets` and what goes with it.

use super::buffer::{ensure_unread, fill};
use super::encodings::{is_converted, read_encoding, text_read};
use super::{IoRef, check_readable, eof_error, read, streams};
use carat_vm::{Array, CodeRange, Ec, EncodingIndex, Keywords, Rest, Result, Str, Value};
use std::borrow::Cow;

const NEWLINE: Cow<'static, [u8]> = Cow::Borrowed(b"\n");

/// Where a line ends and what is left of it.
pub(super) struct LineRules {
    /// `None`: everything up to the end of the file.
    separator: Option<Cow<'static, [u8]>>,
    /// Paragraphs: the separator is two newlines, and more of them are skipped.
    is_paragraph: bool,
    limit: Option<usize>,
    chomp: bool,
}

/// From `gets(separator = $/, limit = nil, chomp: false)`.
pub(super) fn rules(ec: &mut Ec, args: &Array, chomp: bool) -> Result<LineRules> {
    let mut rules = LineRules { separator: Some(NEWLINE), is_paragraph: false, limit: None, chomp };
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
        }
    }
    Ok(())
}

fn set_separator(ec: &Ec, rules: &mut LineRules, s: Str) {
    rules.is_paragraph = s.is_empty(ec);
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
    let is_converted = is_converted(ec, io)?;
    let Some(line) = next(ec, io, rules)? else { return Ok(None) };
    let text = match line {
        Line::Unread(end) if !is_converted => {
            let encoding = read_encoding(ec, io)?;
            let bytes = rules.chomped(&io.get(ec).unread()[..end]);
            let text = Str::new(ec, bytes, encoding, CodeRange::Unknown);
            io.get_mut(ec).read_at += end;
            text
        }
        Line::Unread(end) => {
            let bytes = rules.chomped(&io.get(ec).unread()[..end]).to_vec();
            io.get_mut(ec).read_at += end;
            text_read(ec, io, &bytes)?
        }
        Line::Bytes(bytes) => text_read(ec, io, rules.chomped(&bytes))?,
    };
    if rules.is_paragraph {
        skip_newlines(ec, io)?;
    }
    let contents = io.get_mut(ec);
    contents.lineno += 1;
    let lineno = contents.lineno;
    streams::note_lineno(ec, lineno);
    Ok(Some(text))
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

fn next(ec: &mut Ec, io: IoRef, rules: &LineRules) -> Result<Option<Line>> {
    if rules.is_paragraph {
        skip_newlines(ec, io)?;
    }
    if !ensure_unread(ec, io)? {
        return Ok(None);
    }
    let encoding = read_encoding(ec, io)?;
    let Some(separator) = &rules.separator else {
        return match rules.limit {
            Some(limit) => limited(ec, io, limit, encoding).map(|line| Some(Line::Bytes(line))),
            None => read::read_all(ec, io).map(|rest| Some(Line::Bytes(rest))),
        };
    };
    let separator = separator_in(encoding, separator);
    let mut searched = 0;
    loop {
        let unread = io.get(ec).unread();
        let from = searched_from(searched, separator.len());
        let found = find(&unread[from..], &separator, encoding.min_len(), from).map(|at| from + at + separator.len());
        let end = found.unwrap_or(unread.len());
        if let Some(limit) = rules.limit
            && end >= limit
        {
            return limited(ec, io, limit.min(end), encoding).map(|line| Some(Line::Bytes(line)));
        }
        searched = unread.len();
        if found.is_some() || !fill(ec, io)? {
            let end = if found.is_some() { end } else { io.get(ec).unread().len() };
            ec.ensure_memory(end)?;
            return Ok(Some(Line::Unread(end)));
        }
    }
}

fn searched_from(searched: usize, separator: usize) -> usize {
    searched.saturating_sub(separator.saturating_sub(1)) & !3
}

/// Index of the separator at a multiple of `unit` from the line's beginning.
fn find(bytes: &[u8], separator: &[u8], unit: usize, offset: usize) -> Option<usize> {
    if let ([byte], 1) = (separator, unit) {
        return memchr::memchr(*byte, bytes);
    }
    let mut at = 0;
    while let Some(found) = memchr::memmem::find(&bytes[at..], separator) {
        if (offset + at + found).is_multiple_of(unit) {
            return Some(at + found);
        }
        at += found + 1;
    }
    None
}

/// An ASCII separator as the stream's encoding has it.
fn separator_in(encoding: EncodingIndex, separator: &[u8]) -> Cow<'_, [u8]> {
    if read::has_byte_newlines(encoding) || !separator.is_ascii() {
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
fn limited(ec: &mut Ec, io: IoRef, limit: usize, encoding: EncodingIndex) -> Result<Vec<u8>> {
    let mut line = read::read_bytes(ec, io, limit)?;
    let mut start = line.len().saturating_sub(encoding.max_len());
    if encoding.is_utf8() {
        while start < line.len() && line[start] & 0xC0 == 0x80 {
            start += 1;
        }
    }
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
        if !is_broken || extra == EXTRA || !ensure_unread(ec, io)? {
            break;
        }
        line.extend(read::read_bytes(ec, io, 1)?);
    }
    Ok(line)
}

fn skip_newlines(ec: &mut Ec, io: IoRef) -> Result<()> {
    while ensure_unread(ec, io)? && io.get(ec).unread()[0] == b'\n' {
        io.get_mut(ec).read_at += 1;
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
