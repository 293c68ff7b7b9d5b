//! Tokens that hold texts: scalars, anchors, tags, directives.

use super::cursor::Place;
use super::scanner::{Token, TokenKind};
use super::{Mark, Mistake, Result, ScalarStyle};

fn token(here: &Place<'_>, kind: TokenKind, start: Mark) -> Token {
    Token { kind, start, end: here.mark() }
}

// ---- directives ----

const DIRECTIVE: &str = "while scanning a directive";
const VERSION: &str = "while scanning a %YAML directive";
const TAG_DIRECTIVE: &str = "while scanning a %TAG directive";

pub(super) fn directive(here: &mut Place<'_>) -> Result<Token> {
    let start = here.mark();
    here.skip_ascii(1);
    let mut name = Vec::new();
    here.read_ascii_while(&mut name, is_word);
    if name.is_empty() {
        return Err(Mistake::new(DIRECTIVE, start, "could not find expected directive name"));
    }
    if !here.is_gap(0) {
        return Err(Mistake::new(DIRECTIVE, start, "found unexpected non-alphabetical character"));
    }
    let kind = match &*name {
        b"YAML" => version(here, start)?,
        b"TAG" => tag_directive(here, start)?,
        _ => return Err(Mistake::new(DIRECTIVE, start, "found unknown directive name")),
    };
    let token = token(here, kind, start);
    end_of_header(here, DIRECTIVE, start)?;
    Ok(token)
}

/// Spaces, a comment and the end of the line.
fn end_of_header(here: &mut Place<'_>, context: &'static str, start: Mark) -> Result<()> {
    here.skip_blanks();
    if here.is(b'#') {
        here.skip_to_line_end();
    }
    if !here.is_break_or_end() {
        return Err(Mistake::new(context, start, "did not find expected comment or line break"));
    }
    here.skip_break();
    Ok(())
}

fn version(here: &mut Place<'_>, start: Mark) -> Result<TokenKind> {
    here.skip_blanks();
    let major = version_number(here, start)?;
    if !here.is(b'.') {
        return Err(Mistake::new(VERSION, start, "did not find expected digit or '.' character"));
    }
    here.skip_ascii(1);
    Ok(TokenKind::Version(major, version_number(here, start)?))
}

fn version_number(here: &mut Place<'_>, start: Mark) -> Result<u32> {
    let mut digits = Vec::new();
    here.read_ascii_while(&mut digits, |byte| byte.is_ascii_digit());
    match digits.len() {
        0 => Err(Mistake::new(VERSION, start, "did not find expected version number")),
        1..=9 => Ok(digits.iter().fold(0, |number, digit| number * 10 + u32::from(digit - b'0'))),
        _ => Err(Mistake::new(VERSION, start, "found extremely long version number")),
    }
}

fn tag_directive(here: &mut Place<'_>, start: Mark) -> Result<TokenKind> {
    here.skip_blanks();
    let handle = tag_handle(here, true, start)?;
    if !here.is_blank() {
        return Err(Mistake::new(TAG_DIRECTIVE, start, "did not find expected whitespace"));
    }
    here.skip_blanks();
    let prefix = tag_uri(here, true, true, Vec::new(), start)?;
    if !here.is_gap(0) {
        return Err(Mistake::new(TAG_DIRECTIVE, start, "did not find expected whitespace or line break"));
    }
    Ok(TokenKind::TagDirective { handle, prefix })
}

// ---- properties ----

fn is_word(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-')
}

pub(super) fn anchor(here: &mut Place<'_>, is_alias: bool) -> Result<Token> {
    let start = here.mark();
    here.skip_ascii(1);
    let mut name = Vec::new();
    here.read_ascii_while(&mut name, is_word);
    if name.is_empty() || !(here.is_gap(0) || here.is_any(b"?:,]}%@`")) {
        let context = if is_alias { "while scanning an alias" } else { "while scanning an anchor" };
        return Err(Mistake::new(context, start, "did not find expected alphabetic or numeric character"));
    }
    let kind = if is_alias { TokenKind::Alias(name) } else { TokenKind::Anchor(name) };
    Ok(token(here, kind, start))
}

const TAG: &str = "while scanning a tag";

pub(super) fn tag(here: &mut Place<'_>, is_in_flow: bool) -> Result<Token> {
    let start = here.mark();
    let (handle, suffix);
    if here.byte(1) == b'<' {
        here.skip_ascii(2);
        (handle, suffix) = (Vec::new(), tag_uri(here, true, false, Vec::new(), start)?);
        if !here.is(b'>') {
            return Err(Mistake::new(TAG, start, "did not find the expected '>'"));
        }
        here.skip_ascii(1);
    } else {
        let found = tag_handle(here, false, start)?;
        if found.len() > 1 && found.ends_with(b"!") {
            (handle, suffix) = (found, tag_uri(here, false, false, Vec::new(), start)?);
        } else {
            let rest = tag_uri(here, false, false, found, start)?;
            // `!` alone is a tag of its own.
            let is_alone = rest.is_empty();
            (handle, suffix) = if is_alone { (Vec::new(), b"!".to_vec()) } else { (b"!".to_vec(), rest) };
        }
    }
    let is_comma = is_in_flow && here.is(b',');
    if !here.is_gap(0) && !is_comma {
        return Err(Mistake::new(TAG, start, "did not find expected whitespace or line break"));
    }
    Ok(token(here, TokenKind::Tag { handle, suffix }, start))
}

fn tag_handle(here: &mut Place<'_>, is_directive: bool, start: Mark) -> Result<Vec<u8>> {
    if !here.is(b'!') {
        let context = if is_directive { "while scanning a tag directive" } else { TAG };
        return Err(Mistake::new(context, start, "did not find expected '!'"));
    }
    let mut handle = Vec::new();
    here.read(&mut handle);
    here.read_ascii_while(&mut handle, is_word);
    if here.is(b'!') {
        here.read(&mut handle);
    } else if is_directive && handle != b"!" {
        return Err(Mistake::new("while parsing a tag directive", start, "did not find expected '!'"));
    }
    Ok(handle)
}

/// The rest of a tag; `head` is what was taken for its handle. `is_whole`: with characters of which a collection consists, too.
fn tag_uri(here: &mut Place<'_>, is_whole: bool, is_directive: bool, head: Vec<u8>, start: Mark) -> Result<Vec<u8>> {
    let context = if is_directive { "while parsing a %TAG directive" } else { "while parsing a tag" };
    let mut is_empty = head.is_empty();
    let mut uri = head.get(1..).unwrap_or_default().to_vec();
    while here.is_word() || here.is_any(b";/?:@&=+$.!~*'()%") || (is_whole && here.is_any(b",[]")) {
        if here.is(b'%') {
            escaped_character(here, context, start, &mut uri)?;
        } else {
            here.read(&mut uri);
        }
        is_empty = false;
    }
    if is_empty { Err(Mistake::new(context, start, "did not find expected tag URI")) } else { Ok(uri) }
}

/// The bytes of one character, each as `%` and two digits.
fn escaped_character(here: &mut Place<'_>, context: &'static str, start: Mark, uri: &mut Vec<u8>) -> Result<()> {
    let mut left = None;
    while left != Some(0) {
        let byte = match (here.byte(0), hex(here.byte(1)), hex(here.byte(2))) {
            (b'%', Some(high), Some(low)) => (high * 16 + low) as u8,
            _ => return Err(Mistake::new(context, start, "did not find URI escaped octet")),
        };
        left = match left {
            None => match byte {
                0..0x80 => Some(0),
                0xC0..0xE0 => Some(1),
                0xE0..0xF0 => Some(2),
                0xF0..0xF8 => Some(3),
                _ => return Err(Mistake::new(context, start, "found an incorrect leading UTF-8 octet")),
            },
            Some(_) if byte & 0xC0 != 0x80 => {
                return Err(Mistake::new(context, start, "found an incorrect trailing UTF-8 octet"));
            }
            Some(left) => Some(left - 1),
        };
        uri.push(byte);
        here.skip_ascii(3);
    }
    Ok(())
}

fn hex(byte: u8) -> Option<u32> {
    char::from(byte).to_digit(16)
}

// ---- ends of lines within scalars ----

/// What was passed between two words: blanks, or ends of lines.
#[derive(Default)]
struct Gap {
    blanks: Vec<u8>,
    /// The first end of a line, and the others.
    first: Vec<u8>,
    others: Vec<u8>,
    has_break: bool,
}

impl Gap {
    fn is_empty(&self) -> bool {
        !self.has_break && self.blanks.is_empty()
    }

    fn add_blank(&mut self, here: &mut Place<'_>) {
        if self.has_break {
            here.skip_ascii(1);
        } else {
            here.read(&mut self.blanks);
        }
    }

    fn add_break(&mut self, here: &mut Place<'_>) {
        if self.has_break {
            here.read_break(&mut self.others);
        } else {
            self.blanks.clear();
            here.read_break(&mut self.first);
            self.has_break = true;
        }
    }

    /// Appends what the gap stands for: one end of a line for a space, more for one less.
    fn fold_into(&mut self, value: &mut Vec<u8>) {
        if !self.has_break {
            value.append(&mut self.blanks);
            return;
        }
        if self.first.first() != Some(&b'\n') {
            value.append(&mut self.first);
        } else if self.others.is_empty() {
            value.push(b' ');
        }
        value.append(&mut self.others);
        self.first.clear();
        self.blanks.clear();
        self.has_break = false;
    }
}

// ---- scalars ----

/// A scalar without quotes, and whether it ended with its line.
pub(super) fn plain(here: &mut Place<'_>, indent: isize, is_in_flow: bool) -> Result<(Token, bool)> {
    const CONTEXT: &str = "while scanning a plain scalar";
    let start = here.mark();
    let (mut end, mut value, mut gap) = (start, Vec::new(), Gap::default());
    let indent = indent + 1;
    loop {
        if here.is_document_marker() || here.is(b'#') {
            break;
        }
        while !here.is_gap(0) {
            if is_in_flow && here.is(b':') && b",?[]{}".contains(&here.byte(1)) {
                return Err(Mistake::new(CONTEXT, start, "found unexpected ':'"));
            }
            if (here.is(b':') && here.is_gap(1)) || (is_in_flow && here.is_any(b",[]{}")) {
                break;
            }
            if !gap.is_empty() {
                gap.fold_into(&mut value);
            }
            here.read(&mut value);
            here.read_ascii_while(&mut value, |byte| matches!(byte, b'!'..=b'~') && !b":,?[]{}".contains(&byte));
            end = here.mark();
        }
        if !(here.is_blank() || here.is_break()) {
            break;
        }
        while here.is_blank() || here.is_break() {
            if here.is_break() {
                gap.add_break(here);
            } else if gap.has_break && here.column() < indent && here.is(b'\t') {
                return Err(Mistake::new(CONTEXT, start, "found a tab character that violates indentation"));
            } else {
                gap.add_blank(here);
            }
        }
        if !is_in_flow && here.column() < indent {
            break;
        }
    }
    let token = Token { kind: TokenKind::Scalar(value, ScalarStyle::Plain), start, end };
    Ok((token, gap.has_break))
}

const QUOTED: &str = "while scanning a quoted scalar";

pub(super) fn quoted(here: &mut Place<'_>, style: ScalarStyle) -> Result<Token> {
    let start = here.mark();
    let quote = if style == ScalarStyle::SingleQuoted { b'\'' } else { b'"' };
    let (mut value, mut gap) = (Vec::new(), Gap::default());
    here.skip_ascii(1);
    loop {
        if here.is_document_marker() {
            return Err(Mistake::new(QUOTED, start, "found unexpected document indicator"));
        }
        if here.is_end() {
            return Err(Mistake::new(QUOTED, start, "found unexpected end of stream"));
        }
        while !here.is_gap(0) {
            if quote == b'\'' && here.rest().starts_with(b"''") {
                value.push(b'\'');
                here.skip_ascii(2);
            } else if here.is(quote) {
                break;
            } else if quote == b'"' && here.is(b'\\') {
                if here.is_break_behind(1) {
                    // The line goes on; what follows is as if a first end had been passed.
                    here.skip_ascii(1);
                    here.skip_break();
                    gap.has_break = true;
                    break;
                }
                escape(here, start, &mut value)?;
            } else {
                here.read(&mut value);
                here.read_ascii_while(&mut value, |byte| matches!(byte, b'!'..=b'~') && byte != quote && byte != b'\\');
            }
        }
        if here.is(quote) {
            break;
        }
        while here.is_blank() || here.is_break() {
            if here.is_break() { gap.add_break(here) } else { gap.add_blank(here) }
        }
        gap.fold_into(&mut value);
    }
    here.skip_ascii(1);
    Ok(token(here, TokenKind::Scalar(value, style), start))
}

fn escape(here: &mut Place<'_>, start: Mark, value: &mut Vec<u8>) -> Result<()> {
    const CONTEXT: &str = "while parsing a quoted scalar";
    let text: &[u8] = match here.byte(1) {
        b'0' => b"\0",
        b'a' => b"\x07",
        b'b' => b"\x08",
        b't' | b'\t' => b"\t",
        b'n' => b"\n",
        b'v' => b"\x0B",
        b'f' => b"\x0C",
        b'r' => b"\r",
        b'e' => b"\x1B",
        b' ' => b" ",
        b'"' => b"\"",
        b'/' => b"/",
        b'\\' => b"\\",
        b'N' => b"\xC2\x85",
        b'_' => b"\xC2\xA0",
        b'L' => b"\xE2\x80\xA8",
        b'P' => b"\xE2\x80\xA9",
        letter @ (b'x' | b'u' | b'U') => {
            let digits = match letter {
                b'x' => 2,
                b'u' => 4,
                _ => 8,
            };
            here.skip_ascii(2);
            let code = (0..digits).try_fold(0u32, |code, index| Some(code << 4 | hex(here.byte(index))?));
            let Some(code) = code else {
                return Err(Mistake::new(CONTEXT, start, "did not find expected hexdecimal number"));
            };
            let Some(character) = char::from_u32(code) else {
                return Err(Mistake::new(CONTEXT, start, "found invalid Unicode character escape code"));
            };
            value.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes());
            here.skip_ascii(digits);
            return Ok(());
        }
        _ => return Err(Mistake::new(CONTEXT, start, "found unknown escape character")),
    };
    value.extend_from_slice(text);
    here.skip_ascii(2);
    Ok(())
}

const BLOCK: &str = "while scanning a block scalar";

/// Which ends of lines at the end of a block scalar belong to it.
#[derive(Clone, Copy, PartialEq)]
enum Chomping {
    Strip,
    Clip,
    Keep,
}

pub(super) fn block(here: &mut Place<'_>, style: ScalarStyle, parent: isize) -> Result<Token> {
    let start = here.mark();
    here.skip_ascii(1);
    let (chomping, increment) = block_header(here, start)?;
    end_of_header(here, BLOCK, start)?;
    let mut end = here.mark();
    let (mut value, mut first, mut others) = (Vec::new(), Vec::new(), Vec::new());
    let mut indent = increment.map_or(0, |increment| parent.max(0) + increment);
    block_breaks(here, &mut indent, &mut others, start, &mut end, parent)?;
    let mut was_blank = false;
    while here.column() == indent && !here.is_end() {
        let is_blank = here.is_blank();
        if style == ScalarStyle::Folded && first.first() == Some(&b'\n') && !was_blank && !is_blank {
            if others.is_empty() {
                value.push(b' ');
            }
            first.clear();
        }
        value.append(&mut first);
        value.append(&mut others);
        was_blank = is_blank;
        while !here.is_break_or_end() {
            here.read(&mut value);
            here.read_ascii_while(&mut value, |byte| matches!(byte, b' '..=b'~'));
        }
        here.read_break(&mut first);
        block_breaks(here, &mut indent, &mut others, start, &mut end, parent)?;
    }
    if chomping != Chomping::Strip {
        value.append(&mut first);
    }
    if chomping == Chomping::Keep {
        value.append(&mut others);
    }
    Ok(Token { kind: TokenKind::Scalar(value, style), start, end })
}

/// `+`, `-` and a digit, in any order.
fn block_header(here: &mut Place<'_>, start: Mark) -> Result<(Chomping, Option<isize>)> {
    let (mut chomping, mut increment) = (None, None);
    loop {
        match here.byte(0) {
            sign @ (b'+' | b'-') if chomping.is_none() => {
                chomping = Some(if sign == b'+' { Chomping::Keep } else { Chomping::Strip });
            }
            b'0' if increment.is_none() => {
                return Err(Mistake::new(BLOCK, start, "found an indentation indicator equal to 0"));
            }
            digit @ b'1'..=b'9' if increment.is_none() => increment = Some(isize::from(digit - b'0')),
            _ => return Ok((chomping.unwrap_or(Chomping::Clip), increment)),
        }
        here.skip_ascii(1);
    }
}

/// Indentation and empty lines. The first line with a text says how far the scalar is indented unless its header did.
fn block_breaks(
    here: &mut Place<'_>,
    indent: &mut isize,
    breaks: &mut Vec<u8>,
    start: Mark,
    end: &mut Mark,
    parent: isize,
) -> Result<()> {
    let mut widest = 0;
    *end = here.mark();
    loop {
        while (*indent == 0 || here.column() < *indent) && here.is(b' ') {
            here.skip_ascii(1);
        }
        widest = widest.max(here.column());
        if (*indent == 0 || here.column() < *indent) && here.is(b'\t') {
            let problem = "found a tab character where an indentation space is expected";
            return Err(Mistake::new(BLOCK, start, problem));
        }
        if !here.is_break() {
            break;
        }
        here.read_break(breaks);
        *end = here.mark();
    }
    if *indent == 0 {
        *indent = widest.max(parent + 1).max(1);
    }
    Ok(())
}
