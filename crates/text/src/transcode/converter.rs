//! The conversion loop and its state.

use super::decode::{Decoded, decode};
use super::encode::{Charset, encode, encode_iso_2022_jp, full_width};
use super::memo::{self, Held, Memo};
use super::path::{is_unicode_step, path};
use super::recorded::{Carrier, Exchanged, exchange};
use super::{Newline, Options, TranscodeError, Xml};
use super::{direct, iso_2022_jp};
use crate::encoding::EncodingIndex as E;
use crate::scrub::default_replacement;
use crate::text::Text;
use std::collections::VecDeque;
use std::sync::Arc;
use unicode_normalization::UnicodeNormalization;

/// A conversion under way.
#[derive(Clone, Debug)]
pub struct Converter {
    path: Vec<E>,
    /// What the source is decoded as: UTF-16 and UTF-32 show their byte order in the first bytes.
    source: E,
    destination: E,
    /// Whose pictures are read and whose are written.
    carriers: [Carrier; 2],
    read_set: Charset,
    write_set: Charset,
    has_written: bool,
    /// Half-width Katakana that may join with a mark behind it, on the way to CP50220.
    kana: Option<char>,
    /// What was read and composed, and stands behind a character that the destination lacks.
    composed: VecDeque<char>,
    /// A carriage return is held back until it is known whether a line feed follows.
    is_after_cr: bool,
    replaces_invalid: bool,
    replaces_undefined: bool,
    replacement: Vec<u8>,
    xml: Option<Xml>,
    has_references: bool,
    newline: Option<Newline>,
    /// Source and destination are the same and only decorations apply: what is invalid passes.
    is_decoration: bool,
    pace: Pace,
    memo: Option<Held>,
}

/// How much of a text may go over without a look at each character's states and decorations.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Debug)]
enum Pace {
    /// Nothing.
    Single,
    /// ASCII that no decoration is about.
    Ascii,
    /// All.
    Plain,
}

/// Texts from this length on are worth a [`Memo`] that goes with their converter.
const REMEMBERED: usize = 512;

/// States are those of ISO-2022-JP, of byte order marks, of half-width Katakana and of decomposed text.
fn pace(source: E, destination: E, is_decorated: bool) -> Pace {
    let has_states = |encoding| is_iso_2022_jp(encoding) || matches!(encoding, E::UTF_16 | E::UTF_32 | E::UTF8_MAC);
    if [source, destination].into_iter().any(has_states) || Carrier::of(source) != Carrier::of(destination) {
        Pace::Single
    } else if is_decorated || source == destination {
        Pace::Ascii
    } else {
        Pace::Plain
    }
}

/// Whether a decoration may be about the byte.
fn is_decorated(byte: u8) -> bool {
    matches!(byte, b'\r' | b'\n' | b'&' | b'<' | b'>' | b'"' | b'\'')
}

fn is_iso_2022_jp(encoding: E) -> bool {
    matches!(encoding, E::ISO_2022_JP | E::CP50220 | E::CP50221 | E::ISO_2022_JP_KDDI)
}

impl Converter {
    /// A converter from `source` to `destination`.
    pub fn new(source: E, destination: E, options: &Options<'_>) -> Result<Converter, TranscodeError> {
        let is_decoration = source == destination;
        let path = if is_decoration { Some(vec![source]) } else { path(source, destination) };
        let path = path.ok_or_else(|| TranscodeError::not_found(source.name(), destination.name()))?;
        let pace = pace(source, destination, options.newline.is_some() || options.xml.is_some());
        Ok(Converter {
            pace,
            memo: None,
            path,
            source,
            destination,
            carriers: [source, destination].map(Carrier::of),
            read_set: Charset::Ascii,
            write_set: Charset::Ascii,
            has_written: false,
            kana: None,
            composed: VecDeque::new(),
            is_after_cr: false,
            replaces_invalid: options.replaces_invalid,
            replaces_undefined: options.replaces_undefined,
            replacement: match options.replacement {
                // The step that composes knows no other.
                None if (source, destination) == (E::UTF8_MAC, E::UTF_8) => b"?".to_vec(),
                _ => replacement(destination, options)?,
            },
            xml: options.xml,
            has_references: options.has_references || options.xml.is_some(),
            newline: options.newline,
            is_decoration,
        })
    }

    /// Appends what comes before everything: the opening quote of an XML attribute.
    pub fn start(&mut self, out: &mut Vec<u8>) {
        self.quote(out);
    }

    /// A quote is ASCII, which every destination has.
    fn quote(&mut self, out: &mut Vec<u8>) {
        if matches!(self.xml, Some(Xml::Attr | Xml::AttrQuote)) {
            let _ = self.put('"', out);
        }
    }

    /// Converts `input` from byte `at` on and moves `at` past what was read. An error leaves `at` after the bytes in error,
    /// so that the caller can go on. With `is_partial` an unfinished character at the end is left unread.
    pub fn run(
        &mut self,
        input: &[u8],
        at: &mut usize,
        is_partial: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), TranscodeError> {
        if self.source == E::UTF8_MAC && self.destination != E::UTF8_MAC {
            return self.run_composed(input, at, is_partial, out);
        }
        self.run_plain(input, at, is_partial, out)
    }

    fn run_plain(
        &mut self,
        input: &[u8],
        at: &mut usize,
        is_partial: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), TranscodeError> {
        loop {
            *at += self.run_fast(&input[*at..], out);
            let rest = &input[*at..];
            if rest.is_empty() {
                return Ok(());
            }
            let decoded = self.read(rest);
            if decoded == Decoded::Incomplete && is_partial {
                return Ok(());
            }
            *at += consumed(&decoded, rest);
            self.step(&decoded, rest, out)?;
        }
    }

    /// Converts characters up to one that has to be looked at, and tells how many bytes they were.
    fn run_fast(&mut self, input: &[u8], out: &mut Vec<u8>) -> usize {
        match self.pace {
            _ if self.is_after_cr => 0,
            Pace::Single => 0,
            Pace::Ascii => self.pass_ascii(input, out),
            Pace::Plain => {
                let (source, destination) = (self.source, self.destination);
                let at = direct::prefix(input, source, destination, out);
                let rest = &input[at..];
                match self.memo(rest) {
                    Some(memo) => at + memo.convert(source, destination, rest, out),
                    None => at + self.pass_ascii(rest, out),
                }
            }
        }
    }

    fn memo(&mut self, rest: &[u8]) -> Option<&Memo> {
        if self.memo.is_none() && !rest.is_ascii() {
            self.memo = match memo::keep(self.source, self.destination) {
                Some(kept) => Some(Held::Kept(kept)),
                None => (rest.len() >= REMEMBERED).then(|| Held::Own(Arc::new(Memo::new()))),
            };
        }
        self.memo.as_deref()
    }

    /// Appends the ASCII in front that no decoration is about.
    fn pass_ascii(&self, input: &[u8], out: &mut Vec<u8>) -> usize {
        if !self.source.is_ascii_compatible() || !self.destination.is_ascii_compatible() {
            return 0;
        }
        let is_plain = self.pace == Pace::Plain;
        let is_passed = |byte: &u8| byte.is_ascii() && (is_plain || !is_decorated(*byte));
        let ascii = input.iter().position(|byte| !is_passed(byte)).unwrap_or(input.len());
        out.extend_from_slice(&input[..ascii]);
        ascii
    }

    /// Decomposed file names of the Mac are composed on the way.
    fn run_composed(
        &mut self,
        input: &[u8],
        at: &mut usize,
        is_partial: bool,
        out: &mut Vec<u8>,
    ) -> Result<(), TranscodeError> {
        let text = std::str::from_utf8(&input[*at..]);
        if let Ok(text) = text {
            *at = input.len();
            for piece in text.split_inclusive(keeps_form) {
                let kept = piece.chars().next_back().filter(|c| keeps_form(*c));
                self.composed.extend(piece[..piece.len() - kept.map_or(0, char::len_utf8)].nfc().chain(kept));
            }
        }
        while let Some(c) = self.composed.pop_front() {
            self.write(c, out)?;
        }
        if text.is_ok() { Ok(()) } else { self.run_plain(input, at, is_partial, out) }
    }

    /// Appends what comes after everything: a carriage return held back, the closing quote, the switch back to ASCII.
    pub fn finish(&mut self, out: &mut Vec<u8>) {
        if std::mem::take(&mut self.is_after_cr) {
            let _ = self.put('\n', out);
        }
        self.quote(out);
        self.put_kana(out);
        if std::mem::take(&mut self.write_set) != Charset::Ascii {
            out.extend(Charset::Ascii.escape());
        }
    }

    /// Deals with an error of [`run`](Self::run) as the options say, or returns it.
    pub fn recover(&mut self, error: TranscodeError, out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        match &error {
            TranscodeError::Invalid { .. } if self.replaces_invalid => self.push_replacement(out),
            TranscodeError::Undefined { source, error_bytes, .. } if self.has_references => {
                match decode(*source, error_bytes) {
                    Decoded::Char(c, _) => self.put_all(&format!("&#x{:X};", c as u32), out)?,
                    _ => return Err(error),
                }
            }
            TranscodeError::Undefined { .. } if self.replaces_undefined => self.push_replacement(out),
            _ => return Err(error),
        }
        Ok(())
    }

    /// Converts and appends what a fallback returned, unless that does not convert either.
    pub fn insert(&mut self, text: Text<'_>, out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        let bytes = convert(text, self.destination)?;
        self.push_encoded(&bytes, out);
        Ok(())
    }

    /// The steps of the conversion.
    pub fn path(&self) -> &[E] {
        &self.path
    }

    /// Bytes of the destination. Where that switches sets, they go on in the one that is on.
    fn push_encoded(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        if is_iso_2022_jp(self.destination) {
            return self.push_in_sets(bytes, out);
        }
        self.write_mark(out);
        out.extend(bytes);
    }

    fn push_in_sets(&mut self, bytes: &[u8], out: &mut Vec<u8>) {
        let (mut set, mut at) = (Charset::Ascii, 0);
        while at < bytes.len() {
            let rest = &bytes[at..];
            let decoded = iso_2022_jp::read(self.destination, &mut set, rest);
            at += consumed(&decoded, rest);
            if let Decoded::Char(c, _) = decoded {
                let _ = self.put(c, out);
            }
        }
    }

    /// From now on `text` stands for what is replaced.
    pub fn set_replacement(&mut self, text: Text<'_>) -> Result<(), TranscodeError> {
        self.replacement = replacement(self.destination, &Options { replacement: Some(text), ..Options::default() })?;
        Ok(())
    }

    fn push_replacement(&mut self, out: &mut Vec<u8>) {
        let replacement = std::mem::take(&mut self.replacement);
        self.push_encoded(&replacement, out);
        self.replacement = replacement;
    }

    /// The next character, with the states some sources have.
    fn read(&mut self, rest: &[u8]) -> Decoded {
        match self.source {
            E::UTF_16 => self.read_mark(rest, &[(b"\xFE\xFF", E::UTF_16BE), (b"\xFF\xFE", E::UTF_16LE)]),
            E::UTF_32 => {
                self.read_mark(rest, &[(b"\x00\x00\xFE\xFF", E::UTF_32BE), (b"\xFF\xFE\x00\x00", E::UTF_32LE)])
            }
            source if is_iso_2022_jp(source) => iso_2022_jp::read(source, &mut self.read_set, rest),
            source => decode(source, rest),
        }
    }

    /// Without a byte order mark the order is unknown and the text invalid.
    fn read_mark(&mut self, rest: &[u8], marks: &[(&[u8], E)]) -> Decoded {
        let len = marks[0].0.len();
        match marks.iter().find(|(mark, _)| rest.starts_with(mark)) {
            Some(&(_, order)) => {
                self.source = order;
                Decoded::Skip(len)
            }
            None if rest.len() < len => Decoded::Incomplete,
            None => Decoded::Invalid(len, 0),
        }
    }

    fn step(&mut self, decoded: &Decoded, rest: &[u8], out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        let read = &rest[..consumed(decoded, rest)];
        match *decoded {
            Decoded::Char(c, _) => match self.exchange(c, out) {
                // Decorations leave alone what they have nothing to say of, in whatever encoding it is.
                Err(_) if self.is_decoration && self.is_plain(c) => {
                    out.extend(read);
                    Ok(())
                }
                written => written,
            },
            Decoded::Skip(_) => Ok(()),
            _ if self.is_decoration => {
                out.extend(read);
                Ok(())
            }
            Decoded::Undefined(_) if self.pass_jis(read, out) => Ok(()),
            Decoded::Undefined(_) => Err(self.undefined_on_read(read)),
            Decoded::Invalid(len, again) => Err(self.invalid(read, &rest[len..rest.len().min(len + again)], false)),
            Decoded::Incomplete => Err(self.invalid(read, &[], true)),
        }
    }

    /// Writes a character of the source, or what stands for it where the pictures are another carrier's.
    fn exchange(&mut self, c: char, out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        let [from, to] = self.carriers;
        if from == to {
            return self.write(c, out);
        }
        match exchange(from, to, c) {
            Exchanged::Same => self.write(c, out),
            Exchanged::Chars(chars) => chars.chars().try_for_each(|c| self.write(c, out)),
            Exchanged::Nothing => {
                let step = self.path.iter().position(|&step| is_unicode_step(step)).unwrap_or(0);
                Err(self.undefined(step, c.to_string().into_bytes()))
            }
        }
    }

    /// Between encodings of the same sets the bytes go over where Unicode has no character for them.
    fn pass_jis(&mut self, read: &[u8], out: &mut Vec<u8>) -> bool {
        if self.path.iter().any(|&step| is_unicode_step(step)) {
            return false;
        }
        self.put_kana(out);
        match (self.destination, jis(self.source, self.read_set, read)) {
            (E::EUC_JP | E::CP51932, Some([0, kana])) => out.extend([0x8E, kana]),
            (E::EUC_JP | E::CP51932, Some(bytes)) => out.extend(bytes),
            (E::STATELESS_ISO_2022_JP | E::STATELESS_ISO_2022_JP_KDDI, Some([lead @ 1..=0xFF, trail])) => {
                out.extend([0x92, lead, trail])
            }
            (E::SHIFT_JIS, Some([lead @ 1..=0xFF, trail])) => out.extend(shift_jis([lead, trail])),
            (E::CP50220 | E::CP50221, Some([0, kana])) => self.put_in_set(Charset::Kana, &[kana & 0x7F], out),
            (destination, Some([lead @ 1..=0xFF, trail])) if is_iso_2022_jp(destination) => {
                self.put_in_set(Charset::Kanji, &[lead & 0x7F, trail & 0x7F], out);
            }
            _ => return false,
        }
        true
    }

    fn put_in_set(&mut self, set: Charset, bytes: &[u8], out: &mut Vec<u8>) {
        if self.write_set != set {
            out.extend(set.escape());
            self.write_set = set;
        }
        out.extend(bytes);
    }

    /// No line end, nor behind one that waits, and no entity.
    fn is_plain(&self, c: char) -> bool {
        !self.is_after_cr && !matches!(c, '\r' | '\n') && self.entity(c).is_none()
    }

    fn invalid(&self, error_bytes: &[u8], readagain_bytes: &[u8], is_incomplete: bool) -> TranscodeError {
        TranscodeError::Invalid {
            source: self.path[0],
            destination: self.path[1],
            error_bytes: error_bytes.to_vec(),
            readagain_bytes: readagain_bytes.to_vec(),
            is_incomplete,
        }
    }

    fn undefined(&self, step: usize, error_bytes: Vec<u8>) -> TranscodeError {
        let (source, destination) = (self.path[step], self.path[step + 1]);
        TranscodeError::Undefined { source, destination, error_bytes, path: self.path.clone() }
    }

    /// The last step to Unicode has no character for the bytes, which a source with sets reads as EUC.
    fn undefined_on_read(&self, bytes: &[u8]) -> TranscodeError {
        let unicode = self.path.iter().position(|&step| is_unicode_step(step));
        let step = unicode.unwrap_or(1).saturating_sub(1);
        let high = if is_iso_2022_jp(self.path[0]) { 0x80 } else { 0 };
        let mark = (self.path[0] == E::ISO_2022_JP_KDDI).then_some(0x92);
        self.undefined(step, mark.into_iter().chain(bytes.iter().map(|byte| byte | high)).collect())
    }

    /// The first step after Unicode has no character for `c`, or, past EUC-JP, ISO-2022-JP has not.
    fn undefined_on_write(&self, c: char) -> TranscodeError {
        let bytes_in = |encoding: E| {
            let mut bytes = Vec::new();
            encode(encoding, c, &mut bytes).then_some(bytes)
        };
        let steps = self.path.len() - 1;
        if steps == 0 {
            // A decoration alone: from the encoding to itself.
            return TranscodeError::Undefined {
                source: self.path[0],
                destination: self.path[0],
                error_bytes: c.to_string().into_bytes(),
                path: self.path.clone(),
            };
        }
        let unicode = self.path.iter().rposition(|&step| is_unicode_step(step)).unwrap_or(steps - 1);
        let failing = (unicode..steps).find(|&step| bytes_in(self.path[step + 1]).is_none()).unwrap_or(unicode);
        self.undefined(failing, bytes_in(self.path[failing]).unwrap_or_default())
    }

    /// Writes a character, decorated.
    fn write(&mut self, c: char, out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        if std::mem::take(&mut self.is_after_cr) && c != '\n' {
            self.put('\n', out)?;
        }
        match (c, self.newline) {
            ('\r', Some(Newline::Universal | Newline::Lf)) => {
                self.is_after_cr = true;
                Ok(())
            }
            ('\n', Some(Newline::Crlf)) => self.put('\r', out).and_then(|()| self.put('\n', out)),
            ('\n', Some(Newline::Cr)) => self.put('\r', out),
            _ => match self.entity(c) {
                Some(entity) => self.put_all(entity, out),
                None => self.put(c, out),
            },
        }
    }

    fn entity(&self, c: char) -> Option<&'static str> {
        match (c, self.xml?) {
            (_, Xml::AttrQuote) => None,
            ('&', _) => Some("&amp;"),
            (_, Xml::Ampersand) => None,
            ('<', _) => Some("&lt;"),
            ('>', _) => Some("&gt;"),
            ('"', Xml::Attr | Xml::AttrContent) => Some("&quot;"),
            ('\'', Xml::Attr | Xml::AttrContent) => Some("&apos;"),
            _ => None,
        }
    }

    fn put_all(&mut self, text: &str, out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        text.chars().try_for_each(|c| self.put(c, out))
    }

    /// Writes a character as it is.
    fn put(&mut self, c: char, out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        if self.destination == E::CP50220 {
            if let Some(joined) = self.kana.and_then(|kana| joined(kana, c)) {
                self.kana = None;
                return self.put_now(joined, out);
            }
            self.put_kana(out);
            if joined(c, 'ﾞ').is_some() {
                self.kana = Some(c);
                return Ok(());
            }
        }
        self.put_now(c, out)
    }

    /// The Katakana that no mark joined.
    fn put_kana(&mut self, out: &mut Vec<u8>) {
        if let Some(kana) = self.kana.take() {
            let _ = self.put_now(kana, out);
        }
    }

    fn put_now(&mut self, c: char, out: &mut Vec<u8>) -> Result<(), TranscodeError> {
        self.write_mark(out);
        if self.destination == E::UTF8_MAC && !self.is_decoration && !keeps_form(c) {
            std::iter::once(c).nfd().for_each(|c| out.extend(c.encode_utf8(&mut [0; 4]).as_bytes()));
            return Ok(());
        }
        let is_written = if is_iso_2022_jp(self.destination) {
            encode_iso_2022_jp(self.destination, c, &mut self.write_set, out)
        } else {
            encode(self.destination, c, out)
        };
        if is_written { Ok(()) } else { Err(self.undefined_on_write(c)) }
    }

    /// UTF-16 and UTF-32 begin with the mark of big-endian order.
    fn write_mark(&mut self, out: &mut Vec<u8>) {
        if !std::mem::replace(&mut self.has_written, true) {
            match self.destination {
                E::UTF_16 => out.extend(b"\xFE\xFF"),
                E::UTF_32 => out.extend(b"\x00\x00\xFE\xFF"),
                _ => {}
            }
        }
    }
}

/// The place of a character in JIS X 0208, as EUC-JP writes it; half-width Katakana have a zero in front.
fn jis(source: E, set: Charset, read: &[u8]) -> Option<[u8; 2]> {
    match (source, read) {
        (E::EUC_JP | E::CP51932, &[0x8E, kana]) => Some([0, kana]),
        (E::EUC_JP | E::CP51932, &[lead @ 0xA1..=0xFF, trail]) => Some([lead, trail]),
        (E::STATELESS_ISO_2022_JP | E::STATELESS_ISO_2022_JP_KDDI, &[0x92, lead, trail]) => Some([lead, trail]),
        (E::SHIFT_JIS, &[lead @ (0x81..=0x9F | 0xE0..=0xEF), trail]) => Some(of_shift_jis([lead, trail])),
        (source, &[lead, trail]) if is_iso_2022_jp(source) => Some([lead | 0x80, trail | 0x80]),
        (source, &[kana]) if is_iso_2022_jp(source) && set == Charset::Kana => Some([0, kana | 0x80]),
        _ => None,
    }
}

/// A place in JIS X 0208 as Shift_JIS writes it: two rows to a first byte.
fn shift_jis([row, cell]: [u8; 2]) -> [u8; 2] {
    let (row, cell) = (row - 0xA1, cell - 0xA1);
    let lead = row / 2 + if row < 62 { 0x81 } else { 0xC1 };
    let first = if row % 2 == 1 { 0x9F } else { 0x40 + u8::from(cell >= 0x3F) };
    [lead, cell + first]
}

/// The reverse.
fn of_shift_jis([lead, trail]: [u8; 2]) -> [u8; 2] {
    let pair = (lead - if lead < 0xA0 { 0x81 } else { 0xC1 }) * 2;
    match trail {
        0x9F.. => [pair + 0xA2, trail - 0x9F + 0xA1],
        _ => [pair + 0xA1, trail - 0x40 - u8::from(trail >= 0x80) + 0xA1],
    }
}

/// The character that half-width Katakana and the mark behind it make.
fn joined(kana: char, mark: char) -> Option<char> {
    let mark = match mark {
        'ﾞ' => '\u{3099}',
        'ﾟ' => '\u{309A}',
        _ => return None,
    };
    let mut composed = [full_width(kana), mark].into_iter().nfc();
    composed.next().filter(|_| matches!(kana, 'ｶ'..='ﾄ' | 'ﾊ'..='ﾎ') && composed.next().is_none())
}

/// Characters that the file system of the Mac neither decomposes nor composes.
fn keeps_form(c: char) -> bool {
    matches!(c, '\u{2000}'..='\u{2FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{2F800}'..='\u{2FAFF}')
}

/// Bytes a decoded piece takes from the input.
fn consumed(decoded: &Decoded, rest: &[u8]) -> usize {
    match *decoded {
        Decoded::Char(_, len) | Decoded::Skip(len) | Decoded::Undefined(len) | Decoded::Invalid(len, _) => len,
        Decoded::Incomplete => rest.len(),
    }
}

/// The bytes put for what cannot be converted, in the destination's encoding.
fn replacement(destination: E, options: &Options<'_>) -> Result<Vec<u8>, TranscodeError> {
    match options.replacement {
        Some(text) => {
            convert(text, destination).map_err(|_| TranscodeError::not_found(text.encoding.name(), destination.name()))
        }
        None if destination == E::IBM037 => Ok(b"\x6F".to_vec()),
        None => Ok(default_replacement(match destination {
            E::UTF_16 => E::UTF_16BE,
            E::UTF_32 => E::UTF_32BE,
            _ => destination,
        })
        .to_vec()),
    }
}

fn convert(text: Text<'_>, destination: E) -> Result<Vec<u8>, TranscodeError> {
    let mut out = Vec::new();
    match super::encode(text, destination, &Options::default(), &mut out)? {
        super::Outcome::Unchanged => Ok(text.bytes.to_vec()),
        super::Outcome::Converted => Ok(out),
    }
}
