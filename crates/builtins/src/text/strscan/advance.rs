//! What moves a scanner on, or looks at what is ahead.

use super::{Scanner, This, here, string_of};
use crate::number::integer::convert::LONG;
use crate::text::regexp::Regexp;
use crate::text::regexp::scanner::{ScannerPlace, match_from};
use crate::text::string::{check_ascii_compatible, compatible, integer, to_i};
use carat_text::encoding::mbclen;
use carat_text::number::parse_integer;
use carat_text::search;
use carat_vm::{Data, Ec, Result, Str, Value, methods};

methods! {
    METHODS {
        borrowing "scan" => scan::<AT, MOVES, TEXT>;
        borrowing "match?" => scan::<AT, STAYS, LENGTH>;
        borrowing "skip" => scan::<AT, MOVES, LENGTH>;
        borrowing "check" => scan::<AT, STAYS, TEXT>;
        borrowing "scan_full" => scan_full::<AT>;
        borrowing "scan_until" => scan::<BEHIND, MOVES, TEXT>;
        borrowing "exist?" => scan::<BEHIND, STAYS, LENGTH>;
        borrowing "skip_until" => scan::<BEHIND, MOVES, LENGTH>;
        borrowing "check_until" => scan::<BEHIND, STAYS, TEXT>;
        borrowing "search_full" => scan_full::<BEHIND>;
        "getch" => getch;
        "get_byte" => get_byte;
        "scan_byte" => scan_byte;
        "peek_byte" => peek_byte;
        "peek" => peek;
        private "scan_base10_integer" => scan_integer::<10>;
        private "scan_base16_integer" => scan_integer::<16>;
    }
}

/// Whether the match may begin behind the position.
const AT: bool = false;
const BEHIND: bool = true;
/// Whether the position moves behind the match.
const STAYS: bool = false;
const MOVES: bool = true;
/// Whether the result is the text from the position to the end of the match, or its length.
const LENGTH: bool = false;
const TEXT: bool = true;

fn scan<const SEARCH: bool, const MOVE: bool, const AS_TEXT: bool>(ec: &mut Ec, this: This, pattern: Value) -> Result {
    advance(ec, this, pattern, SEARCH, MOVE, AS_TEXT)
}

fn scan_full<const SEARCH: bool>(ec: &mut Ec, this: This, pattern: Value, moves: bool, as_text: bool) -> Result {
    advance(ec, this, pattern, SEARCH, moves, as_text)
}

#[inline]
fn advance(ec: &mut Ec, this: This, pattern: Value, is_search: bool, moves: bool, as_text: bool) -> Result {
    let s = string_of(ec, this)?;
    let scanner = this.get(ec);
    scanner.forget_match();
    if scanner.position.get() > s.len(ec) {
        return Ok(Value::NIL);
    }
    let found = match Data::<Regexp>::from_value(pattern) {
        Some(regexp) => match_regexp(ec, this, regexp, s, is_search)?,
        None => match_text(ec, this, pattern, is_search)?,
    };
    let Some((start, end)) = found else { return Ok(Value::NIL) };
    let scanner = this.get(ec);
    scanner.is_matched.set(true);
    scanner.before.set(start);
    if moves {
        scanner.position.set(end);
    }
    if !as_text {
        return Ok(Value::len(end - start));
    }
    // Interrupts and conversions may have put another string there.
    let s = string_of(ec, this)?;
    Ok(super::parts::part(ec, s, start, end))
}

/// Where a Regexp was tried and its match ends, counted from the beginning of the string.
fn match_regexp(
    ec: &mut Ec,
    this: This,
    regexp: Data<Regexp>,
    s: Str,
    is_search: bool,
) -> Result<Option<(usize, usize)>> {
    let scanner = this.get(ec);
    let start = scanner.position.get();
    if scanner.regexp.replace(regexp.value()) != regexp.value() {
        ec.wrote(this.value());
    }
    let base = if scanner.is_fixed.get() { 0 } else { start };
    let place = ScannerPlace { base, start, is_search };
    if !match_from(ec, regexp, s, place, |ec| &this.get(ec).places)? {
        this.get(ec).places.borrow_mut().forget();
        return Ok(None);
    }
    let places = this.get(ec).places.borrow();
    Ok(places.region.pos(0).map(|(_, end)| (start, base + end)))
}

/// Where a text was looked for and where it ends, counted from the beginning of the string.
fn match_text(ec: &mut Ec, this: This, pattern: Value, is_search: bool) -> Result<Option<(usize, usize)>> {
    let text = match Str::from_value(pattern) {
        Some(text) => text,
        None => ec.to_str(pattern)?,
    };
    let s = string_of(ec, this)?;
    compatible(ec, s, text)?;
    let start = this.get(ec).position.get();
    let rest = s.bytes(ec).get(start..).unwrap_or_default();
    let found = if !is_search {
        rest.starts_with(text.bytes(ec)).then_some(start)
    } else if rest.len() < text.len(ec) {
        None
    } else {
        search::index(s.as_known_text(ec), text.as_known_text(ec), start)
    };
    let Some(from) = found else { return Ok(None) };
    let end = from + text.len(ec);
    this.get(ec).note(start, from, end);
    Ok(Some((start, end)))
}

impl Scanner {
    /// A match without groups was tried at `start`; it lies between two bytes.
    fn note(&self, start: usize, from: usize, end: usize) {
        let base = if self.is_fixed.get() { 0 } else { start };
        self.places.borrow_mut().set(from - base, end - base);
    }

    /// Takes what is between the position and `end` for a match.
    fn take(&self, end: usize) {
        let start = self.position.get();
        self.note(start, start, end);
        self.before.set(start);
        self.position.set(end);
        self.is_matched.set(true);
    }
}

/// The next character.
fn getch(ec: &mut Ec, this: This) -> Result<Option<Str>> {
    let (s, at) = here(ec, this)?;
    this.get(ec).forget_match();
    let Some(at) = at else { return Ok(None) };
    let len = mbclen(s.encoding(), &s.bytes(ec)[at..]);
    this.get(ec).take(at + len);
    Ok(Some(s.slice(ec, at, len)))
}

/// The next byte, where there is one.
fn take_byte(ec: &mut Ec, this: This) -> Result<Option<(Str, usize)>> {
    let (s, at) = here(ec, this)?;
    this.get(ec).forget_match();
    let Some(at) = at else { return Ok(None) };
    this.get(ec).take(at + 1);
    Ok(Some((s, at)))
}

fn get_byte(ec: &mut Ec, this: This) -> Result<Option<Str>> {
    Ok(take_byte(ec, this)?.map(|(s, at)| s.slice(ec, at, 1)))
}

fn scan_byte(ec: &mut Ec, this: This) -> Result<Option<usize>> {
    Ok(take_byte(ec, this)?.map(|(s, at)| usize::from(s.bytes(ec)[at])))
}

fn peek_byte(ec: &mut Ec, this: This) -> Result<Option<usize>> {
    let (s, at) = here(ec, this)?;
    Ok(at.map(|at| usize::from(s.bytes(ec)[at])))
}

/// The next bytes, or as many as there are.
fn peek(ec: &mut Ec, this: This, len: i64) -> Result<Str> {
    let (s, at) = here(ec, this)?;
    let Some(at) = at else { return Ok(s.share(ec, s.len(ec), 0)) };
    let Ok(len) = usize::try_from(len) else {
        return Err(ec.argument_error("negative string size (or size too big)"));
    };
    let len = len.min(s.len(ec) - at);
    Ok(s.share(ec, at, len))
}

/// The number that is ahead, or nil.
fn scan_integer<const BASE: i64>(ec: &mut Ec, this: This) -> Result {
    let s = string_of(ec, this)?;
    this.get(ec).forget_match();
    check_ascii_compatible(ec, s)?;
    let start = this.get(ec).position.get();
    let rest = s.bytes(ec).get(start..).unwrap_or_default();
    let Some(len) = integer_len(rest, BASE) else { return Ok(Value::NIL) };
    this.get(ec).take(start + len);
    if len >= LONG {
        let digits = s.share(ec, start, len);
        return to_i(ec, digits, Some(BASE));
    }
    Ok(parse_integer::to_i(&s.bytes(ec)[start..start + len], BASE as i32).map_or(Value::NIL, |n| integer(ec, n)))
}

/// How long the number is that the bytes begin with.
fn integer_len(bytes: &[u8], base: i64) -> Option<usize> {
    let is_digit = |byte: &u8| if base == 10 { byte.is_ascii_digit() } else { byte.is_ascii_hexdigit() };
    let mut len = usize::from(matches!(bytes.first(), Some(b'+' | b'-')));
    if base == 16 && matches!(&bytes[len..], [b'0', b'x', digit, ..] if is_digit(digit)) {
        len += 2;
    }
    let digits = bytes[len..].iter().take_while(|byte| is_digit(byte)).count();
    (digits > 0).then_some(len + digits)
}
