//! The native halves of `lib/cgi/escape.rb` and `lib/erb/escape.rb`: text made safe for HTML and URLs, and back.

use carat_vm::{Class, CodeRange, Ec, EncodingIndex, Result, Str, Value, methods};

methods! {
    UTIL {
        private "html_escaped" => html_escaped;
        private "html_unescaped" => html_unescaped;
        private "bytes_unescaped" => without_references;
        private "percent_escaped" => percent_escaped;
        private "percent_unescaped" => percent_unescaped;
    }
}

methods! {
    ERB_ESCAPE {
        "html_escape" => html_escape;
    }
}

/// `require "cgi/escape/html.so"`
pub(crate) fn init(ec: &mut Ec) {
    if let Some(module) = constant(ec, "CGI").and_then(|cgi| cgi.nested(ec, "Util")) {
        module.define_methods(ec, UTIL);
    }
}

/// `require "erb/escape.so"`
pub(crate) fn init_erb(ec: &mut Ec) {
    if let Some(module) = constant(ec, "ERB").and_then(|erb| erb.nested(ec, "Escape")) {
        module.define_methods(ec, ERB_ESCAPE);
    }
}

fn constant(ec: &Ec, name: &str) -> Option<Class> {
    ec.vm().known().object.nested(ec, name)
}

/// What stands for bytes that HTML takes for something else, by the byte; nothing for the others.
static REFERENCES: [&[u8]; 256] = {
    let mut references: [&[u8]; 256] = [b""; 256];
    references[b'\'' as usize] = b"&#39;";
    references[b'&' as usize] = b"&amp;";
    references[b'"' as usize] = b"&quot;";
    references[b'<' as usize] = b"&lt;";
    references[b'>' as usize] = b"&gt;";
    references
};

/// `html_escaped(text)`: a copy of a text, or of its class if there is nothing to escape; nil for what is no String, and if its
/// bytes do not tell.
fn html_escaped(ec: &mut Ec, _this: Value, text: Value) -> Result<Option<Str>> {
    let Some(text) = Str::from_value(text).filter(|text| text.encoding().is_ascii_compatible()) else {
        return Ok(None);
    };
    let escaped = with_references(ec, text)?;
    Ok(escaped.or_else(|| Some(text.duplicate_of(ec, ec.class_of(text.value()).real()))))
}

/// How many bytes more a text has with references: whole blocks are counted without a branch for each byte.
fn bytes_added(bytes: &[u8]) -> usize {
    // A block's sum fits a byte.
    let added_for = |byte: &u8| match *byte {
        b'\'' | b'&' => 4,
        b'"' => 5,
        b'<' | b'>' => 3,
        _ => 0u8,
    };
    bytes.chunks(32).map(|block| usize::from(block.iter().map(added_for).sum::<u8>())).sum()
}

/// A text with references in place of the bytes that need one; nothing if there are none. In no encoding that contains ASCII are
/// these bytes part of a longer character.
fn with_references(ec: &mut Ec, text: Str) -> Result<Option<Str>> {
    let added = bytes_added(text.bytes(ec));
    if added == 0 {
        return Ok(None);
    }
    let len = text.len(ec) + added;
    ec.ensure_memory(len)?;
    let range = match text.known_range() {
        CodeRange::Broken => CodeRange::Unknown,
        range => range,
    };
    let escaped = Str::filled(ec, len, text.encoding(), range, |to| write_with_references(text.bytes(ec), to));
    Ok(Some(escaped))
}

/// The same, each at the beginning of a word.
static WORDS: [[u8; 8]; 256] = {
    let mut words = [[0; 8]; 256];
    let mut byte = 0;
    while byte < 256 {
        words[byte] = padded(REFERENCES[byte]);
        byte += 1;
    }
    words
};

const fn padded(reference: &[u8]) -> [u8; 8] {
    let mut word = [0; 8];
    let mut at = 0;
    while at < reference.len() {
        word[at] = reference[at];
        at += 1;
    }
    word
}

/// Fills `to`, which is as long as the text with references.
fn write_with_references(mut text: &[u8], mut to: &mut [u8]) {
    while let Some(at) = text.iter().position(|byte| !REFERENCES[usize::from(*byte)].is_empty()) {
        if at > 0 {
            let (place, rest) = to.split_at_mut(at);
            place.copy_from_slice(&text[..at]);
            to = rest;
        }
        let reference = REFERENCES[usize::from(text[at])];
        // A few bytes of fixed number are copied faster than just as many as there are; what comes next overwrites the others.
        if let Some(place) = to.first_chunk_mut() {
            *place = WORDS[usize::from(text[at])];
        } else {
            to[..reference.len()].copy_from_slice(reference);
        }
        to = &mut to[reference.len()..];
        text = &text[at + 1..];
    }
    to.copy_from_slice(text);
}

/// `ERB::Escape#html_escape(text)`: what `to_s` gives, itself if there is nothing to escape.
fn html_escape(ec: &mut Ec, _this: Value, value: Value) -> Result {
    let text = match Str::from_value(value) {
        Some(text) => text,
        None => ec.to_string_by_to_s(value)?,
    };
    if !text.encoding().is_ascii_compatible() {
        let method = ec.vm().intern("escapeHTML");
        return match constant(ec, "CGI") {
            Some(cgi) => ec.call(cgi.value(), method, &[text.value()]),
            None => Ok(text.value()),
        };
    }
    Ok(with_references(ec, text)?.unwrap_or(text).value())
}

/// `html_unescaped(text)`: a copy of a valid text in UTF-8 with characters in place of references; nil for another one.
fn html_unescaped(ec: &mut Ec, _this: Value, text: Value) -> Result<Option<Str>> {
    let is_fit = |text: &Str| text.encoding() == EncodingIndex::UTF_8 && text.range(ec) != CodeRange::Broken;
    let Some(text) = Str::from_value(text).filter(is_fit) else { return Ok(None) };
    if !text.bytes(ec).contains(&b'&') {
        return Ok(Some(text.duplicate_of(ec, ec.class_of(text.value()).real())));
    }
    without_references(ec, Value::NIL, text).map(Some)
}

/// `bytes_unescaped(text)`: a text in UTF-8, or of bytes that are to be that, with characters in place of references.
fn without_references(ec: &mut Ec, _this: Value, text: Str) -> Result<Str> {
    ec.ensure_memory(text.len(ec))?;
    let mut rest = text.bytes(ec);
    let mut plain = Vec::with_capacity(rest.len());
    while let Some(at) = rest.iter().position(|byte| *byte == b'&') {
        plain.extend_from_slice(&rest[..at]);
        rest = &rest[at..];
        match referred(rest, &mut plain) {
            Some(behind) => rest = behind,
            None => {
                plain.push(b'&');
                rest = &rest[1..];
            }
        }
    }
    plain.extend_from_slice(rest);
    Ok(Str::new(ec, &plain, text.encoding(), CodeRange::Unknown))
}

/// Writes the character that the reference at the beginning of a text stands for, and returns what is behind it.
fn referred<'a>(text: &'a [u8], plain: &mut Vec<u8>) -> Option<&'a [u8]> {
    const NAMES: [(&[u8], u8); 5] =
        [(b"&amp;", b'&'), (b"&lt;", b'<'), (b"&gt;", b'>'), (b"&quot;", b'"'), (b"&apos;", b'\'')];
    if let Some((name, byte)) = NAMES.iter().find(|(name, _)| text.starts_with(name)) {
        plain.push(*byte);
        return Some(&text[name.len()..]);
    }
    let digits = text.strip_prefix(b"&#")?;
    let (digits, radix) = match digits.first()? {
        b'x' | b'X' => (&digits[1..], 16),
        _ => (digits, 10),
    };
    let len = digits.iter().take_while(|digit| char::from(**digit).is_digit(radix)).count();
    if len == 0 || digits.get(len) != Some(&b';') {
        return None;
    }
    let number = digits[..len].iter().try_fold(0_u32, |number, digit| {
        let number = number * radix + char::from(*digit).to_digit(radix)?;
        // The last code point is left as it stands, as in CRuby.
        (number < 0x10_FFFF).then_some(number)
    })?;
    match char::from_u32(number) {
        Some(character) => plain.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
        // Half of a pair of UTF-16: the bytes that it would have.
        None => {
            plain.extend([0xE0 | (number >> 12) as u8, 0x80 | (number >> 6 & 0x3F) as u8, 0x80 | (number & 0x3F) as u8])
        }
    }
    Some(&digits[len + 1..])
}

/// `percent_escaped(text, plus)`: the bytes with "%" and two digits in place of those that URLs have a use for; with `plus` a
/// space becomes "+".
fn percent_escaped(ec: &mut Ec, _this: Value, text: Str, plus: bool) -> Result<Str> {
    const DIGITS: &[u8; 16] = b"0123456789ABCDEF";
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_.-~".contains(&byte) || plus && byte == b' ';
    let escapes = text.bytes(ec).iter().filter(|byte| !is_plain(**byte)).count();
    let len = text.len(ec) + 2 * escapes;
    ec.ensure_memory(len)?;
    let mut escaped = Vec::with_capacity(len);
    for byte in text.bytes(ec) {
        match byte {
            b' ' if plus => escaped.push(b'+'),
            byte if is_plain(*byte) => escaped.push(*byte),
            byte => escaped.extend([b'%', DIGITS[usize::from(byte >> 4)], DIGITS[usize::from(byte & 15)]]),
        }
    }
    let range = if text.encoding().is_ascii_compatible() { CodeRange::SevenBit } else { CodeRange::Unknown };
    Ok(Str::new(ec, &escaped, text.encoding(), range))
}

/// `percent_unescaped(text, plus)`: the bytes, in no encoding, that a text like that stands for.
fn percent_unescaped(ec: &mut Ec, _this: Value, text: Str, plus: bool) -> Result<Str> {
    ec.ensure_memory(text.len(ec))?;
    let mut rest = text.bytes(ec);
    let mut plain = Vec::with_capacity(rest.len());
    let digit = |byte: u8| char::from(byte).to_digit(16);
    while let Some((first, others)) = rest.split_first() {
        rest = others;
        plain.push(match (*first, others) {
            (b'+', _) if plus => b' ',
            (b'%', [high, low, behind @ ..]) => match (digit(*high), digit(*low)) {
                (Some(high), Some(low)) => {
                    rest = behind;
                    (high << 4 | low) as u8
                }
                _ => b'%',
            },
            (byte, _) => byte,
        });
    }
    Ok(Str::new(ec, &plain, EncodingIndex::BINARY, CodeRange::Unknown))
}
