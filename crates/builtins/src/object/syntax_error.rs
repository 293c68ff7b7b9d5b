//! `SyntaxError` messages: the source around each error with carets under it.
//!
//! # References
//! Prism: `pm_parse_errors_format`; line widths and truncation follow it, because programs show these messages to people
//! who know them.

use super::exception;
use carat_compile::{Diagnostic, Level, SyntaxError};
use carat_vm::{Ec, Str, Unwind};

/// Text further away than this from an error is cut off.
const TRUNCATE: usize = 30;

/// A message that is as long says nothing more: errors far apart in one line have carets behind ever more spaces.
const LONGEST_MESSAGE: usize = 1 << 20;

/// Raises what `source` has earned.
pub(crate) fn raise(ec: &mut Ec, source: &[u8], path: &str, first_line: i32, error: &SyntaxError) -> Unwind {
    let text = message(source, path, first_line, error);
    let message = Str::new(ec, &text, carat_vm::EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown);
    if is_about_encoding(error) {
        return ec.error_with(ec.vm().known().argument_error, message);
    }
    let exception = ec.new_exception_with(ec.vm().known().syntax_error, message.value());
    let path = Str::from_text(ec, path).value();
    let field = ec.vm().intern("__path");
    ec.set_field(exception, field, path);
    if is_of_compiler(error)
        && let Err(other) = exception::set_backtrace(ec, exception, path)
    {
        return other;
    }
    ec.raise(exception)
}

/// The whole message.
pub fn message(source: &[u8], path: &str, first_line: i32, error: &SyntaxError) -> Vec<u8> {
    let errors = &error.diagnostics;
    let Some(first) = errors.first() else { return Vec::new() };
    let plural = if errors.len() > 1 { "s" } else { "" };
    if is_of_compiler(error) {
        return plain(path, errors);
    }
    if is_about_encoding(error) {
        return about_encoding(source, path, first_line, first);
    }
    let mut out = format!("{path}:{}: syntax error{plural} found\n", first.line).into_bytes();
    if std::str::from_utf8(source).is_err() {
        // The source cannot be shown.
        out.append(&mut plain(path, errors));
        return out;
    }
    Printer::new(source, first_line, errors).print(&mut out);
    out
}

/// Source that the parser took, and that no code can be made of: programs see the file as the backtrace.
fn is_of_compiler(error: &SyntaxError) -> bool {
    error.diagnostics.iter().all(|e| e.level == Level::CompileError)
}

const UNKNOWN_ENCODING: &[u8] = b"unknown or invalid encoding in the magic comment";

/// A magic comment that names no encoding: an `ArgumentError`, and nothing else in the source counts.
pub fn is_about_encoding(error: &SyntaxError) -> bool {
    error.diagnostics.iter().any(|e| &*e.message == UNKNOWN_ENCODING)
}

/// The message stands in front instead of under the comment.
fn about_encoding(source: &[u8], path: &str, first_line: i32, first: &Diagnostic) -> Vec<u8> {
    let mut out = format!("{path}:{}: ", first.line).into_bytes();
    out.extend_from_slice(UNKNOWN_ENCODING);
    out.push(b'\n');
    let silent = [Diagnostic { message: Box::default(), ..first.clone() }];
    if std::str::from_utf8(source).is_ok() {
        Printer::new(source, first_line, &silent).print(&mut out);
    }
    out
}

/// One line an error, for sources that cannot be shown.
fn plain(path: &str, errors: &[Diagnostic]) -> Vec<u8> {
    let mut out = Vec::new();
    for error in errors {
        if !out.is_empty() {
            out.push(b'\n');
        }
        out.extend_from_slice(format!("{path}:{}: ", error.line).as_bytes());
        out.extend_from_slice(&error.message);
    }
    out
}

/// An error with the columns to mark, all on one line.
struct Marked<'a> {
    line: i32,
    start: usize,
    end: usize,
    message: &'a [u8],
}

struct Printer<'a> {
    lines: Vec<&'a [u8]>,
    first_line: i32,
    errors: Vec<Marked<'a>>,
    digits: usize,
}

impl<'a> Printer<'a> {
    fn new(source: &'a [u8], first_line: i32, errors: &'a [Diagnostic]) -> Printer<'a> {
        let mut lines: Vec<&[u8]> = source.split_inclusive(|b| *b == b'\n').collect();
        if source.is_empty() {
            lines.push(b"");
        }
        let mut marked: Vec<Marked<'a>> = errors.iter().map(|e| mark(e, &lines, first_line)).collect();
        marked.sort_by_key(|m| (m.line, m.start));
        let widest = marked.iter().map(|m| m.line.unsigned_abs()).max().unwrap_or(1);
        Printer { lines, first_line, errors: marked, digits: widest.to_string().len() }
    }

    fn print(&self, out: &mut Vec<u8>) {
        let mut last_line = -1;
        let mut last_start = 0;
        for (index, error) in self.errors.iter().enumerate() {
            if out.len() > LONGEST_MESSAGE {
                out.extend_from_slice(b"~~~~~~~~~~\n");
                return;
            }
            self.lines_before(out, index, error.line, last_line);
            if index == 0 || error.line != last_line {
                out.extend_from_slice(b"> ");
                last_start = error.start;
                let same_line = self.errors[index..].iter().take_while(|e| e.line == error.line);
                let end = same_line.map(|e| e.end).max().unwrap_or(error.end);
                self.line(out, error.line, error.start, end);
            }
            self.marks(out, error, last_start);
            last_line = error.line;
            let next = self.errors.get(index + 1).map_or(self.lines.len() as i32 + self.first_line, |e| e.line);
            for _ in 0..2 {
                if next - last_line > 1 {
                    last_line += 1;
                    out.extend_from_slice(b"  ");
                    self.line(out, last_line, 0, 0);
                }
            }
        }
    }

    /// Up to two lines of surroundings, and a mark where lines are left out.
    fn lines_before(&self, out: &mut Vec<u8>, index: usize, line: i32, last_line: i32) {
        if line - last_line <= 1 {
            return;
        }
        if line - last_line > 2 {
            if index != 0 && line - last_line > 3 {
                out.extend_from_slice(format!("  {}\n", "~".repeat(self.digits + 4)).as_bytes());
            }
            self.surrounding(out, line - 2);
        }
        self.surrounding(out, line - 1);
    }

    fn surrounding(&self, out: &mut Vec<u8>, line: i32) {
        if line >= self.first_line {
            out.extend_from_slice(b"  ");
            self.line(out, line, 0, 0);
        }
    }

    /// A numbered line of source, cut around the columns of its errors.
    fn line(&self, out: &mut Vec<u8>, line: i32, start: usize, end: usize) {
        let Some(text) = usize::try_from(line - self.first_line).ok().and_then(|i| self.lines.get(i)) else { return };
        out.extend_from_slice(format!("{line:width$} | ", width = self.digits).as_bytes());
        let cut = (end != 0 && text.len() >= end + TRUNCATE).then(|| floor_char(text, end + TRUNCATE));
        let shown = &text[..cut.unwrap_or(text.len())];
        let from = if start >= TRUNCATE { start.min(shown.len()) } else { 0 };
        if start >= TRUNCATE {
            out.extend_from_slice(b"... ");
        }
        out.extend_from_slice(&shown[from..]);
        match cut {
            Some(_) => out.extend_from_slice(b" ...\n"),
            None if !text.ends_with(b"\n") => out.push(b'\n'),
            None => {}
        }
    }

    /// `^~~~ message` under the columns of an error.
    fn marks(&self, out: &mut Vec<u8>, error: &Marked<'_>, last_start: usize) {
        let text = usize::try_from(error.line - self.first_line)
            .ok()
            .and_then(|i| self.lines.get(i))
            .copied()
            .unwrap_or_default();
        out.extend_from_slice(format!("  {} | ", " ".repeat(self.digits)).as_bytes());
        let mut column = 0;
        if last_start >= TRUNCATE {
            out.extend_from_slice(b"    ");
            column = last_start;
        }
        while column < error.start {
            out.push(b' ');
            column += char_width(text, column);
        }
        out.push(b'^');
        column += char_width(text, column);
        while column < error.end {
            out.push(b'~');
            column += char_width(text, column);
        }
        if !error.message.is_empty() {
            out.push(b' ');
            out.extend_from_slice(error.message);
        }
        out.push(b'\n');
    }
}

fn mark<'a>(error: &'a Diagnostic, lines: &[&[u8]], first_line: i32) -> Marked<'a> {
    let start = error.column as usize;
    let end = if error.line == error.end_line {
        error.end_column as usize
    } else {
        usize::try_from(error.line - first_line)
            .ok()
            .and_then(|i| lines.get(i))
            .map_or(start, |l| l.len().saturating_sub(1))
    };
    Marked { line: error.line, start, end: if end <= start { start + 1 } else { end }, message: &error.message }
}

/// Bytes of the character at a column; 1 beyond the end.
fn char_width(text: &[u8], column: usize) -> usize {
    match text.get(column) {
        Some(0xC2..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF4) => 4,
        _ => 1,
    }
}

/// The end of the last whole character that ends at or before `limit`.
fn floor_char(text: &[u8], limit: usize) -> usize {
    let mut at = 0;
    while at < text.len() && at + char_width(text, at) <= limit {
        at += char_width(text, at);
    }
    at
}
