//! Text of streams that convert what they read or write.
//!
//! Bytes that were read wait in `Io::unread`; what becomes of them waits in a [`Reading`]. As little is converted at a time
//! as the reader needs, a character or up to the end of a line, so that bytes can be read behind the text.
//!
//! # References
//! CRuby `fill_cbuf`, `do_writeconv`.

use super::buffer::{ensure_unread, fill};
use super::encodings::read_encoding;
use super::{IoRef, io_error};
use crate::text::encoding::{default_external, raise_transcode};
use crate::text::string::{EncodeOptions, parse_options};
use carat_text::transcode::{Converter, Newline, TranscodeError, Xml};
use carat_vm::{Ec, EncodingIndex, Hash, Result, Str};

/// What a stream's bytes become before they are read as text.
pub(crate) struct Reading {
    converter: Converter,
    encoding: EncodingIndex,
    /// Converted and not yet read: `bytes[at..]`.
    bytes: Vec<u8>,
    at: usize,
}

impl Reading {
    pub(super) fn unread(&self) -> &[u8] {
        &self.bytes[self.at..]
    }

    pub(super) fn memsize(&self) -> usize {
        size_of::<Self>() + self.bytes.capacity()
    }

    /// What was converted and whether the converter got any further.
    fn run(&mut self, input: &[u8], is_last: bool) -> (usize, std::result::Result<(), TranscodeError>) {
        let mut at = 0;
        let result = self.converter.run(input, &mut at, !is_last, &mut self.bytes);
        (at, result)
    }
}

/// How much is to be converted.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Step {
    Character,
    Line,
    All,
}

fn options(ec: &mut Ec, io: IoRef) -> Result<EncodeOptions> {
    let hash = Hash::from_value(io.get(ec).conversion);
    parse_options(ec, hash)
}

/// Makes the stream's reading unless it is there.
pub(super) fn begin(ec: &mut Ec, io: IoRef) -> Result<()> {
    if io.get(ec).reading.is_some() {
        return Ok(());
    }
    let external = read_encoding(ec, io)?;
    let encoding = io.get(ec).encodings.internal.unwrap_or(external);
    let mut options = options(ec, io)?;
    options.xml = None;
    options.newline = io.get(ec).is_text.then_some(Newline::Universal);
    let made = Converter::new(external, encoding, &options.as_text(ec));
    let converter = made.map_err(|error| options.raise(ec, error))?;
    io.get_mut(ec).reading = Some(Box::new(Reading { converter, encoding, bytes: Vec::new(), at: 0 }));
    ec.wrote(io.value());
    Ok(())
}

/// Whether text was converted that nobody has read: bytes can then not be read.
pub(super) fn has_text(ec: &Ec, io: IoRef) -> bool {
    io.get(ec).reading.as_ref().is_some_and(|reading| !reading.unread().is_empty())
}

/// Whether a reader need not wait.
pub(super) fn is_ready(ec: &Ec, io: IoRef) -> bool {
    io.get(ec).has_unread() || has_text(ec, io)
}

pub(super) fn check_no_text(ec: &mut Ec, io: IoRef) -> Result<()> {
    match has_text(ec, io) {
        true => Err(io_error(ec, "byte oriented read for character buffered IO")),
        false => Ok(()),
    }
}

/// Converts some more; false at the end of the file, when nothing came.
pub(super) fn fill_text(ec: &mut Ec, io: IoRef, step: Step) -> Result<bool> {
    begin(ec, io)?;
    let before = text_len(ec, io);
    loop {
        let is_at_end = !ensure_unread(ec, io)?;
        let len = io.get(ec).unread().len();
        let end = if is_at_end { 0 } else { end_of_step(ec, io, step, len) };
        let read = convert(ec, io, end, is_at_end)?;
        if is_at_end {
            finish(ec, io);
            return Ok(text_len(ec, io) > before);
        }
        if step != Step::All && text_len(ec, io) > before {
            return Ok(true);
        }
        if read == 0 && !fill(ec, io)? {
            // The beginning of a character at the end of the file.
            let len = io.get(ec).unread().len();
            convert(ec, io, len, true)?;
        }
    }
}

fn text_len(ec: &Ec, io: IoRef) -> usize {
    io.get(ec).reading.as_ref().map_or(0, |reading| reading.unread().len())
}

/// How many unread bytes a step converts.
fn end_of_step(ec: &Ec, io: IoRef, step: Step, len: usize) -> usize {
    let external = io.get(ec).encodings.external.unwrap_or_else(|| default_external(ec));
    let unread = io.get(ec).unread();
    match step {
        Step::All => len,
        Step::Line => memchr::memchr(b'\n', unread).map_or(len, |at| at + 1),
        Step::Character => carat_text::encoding::mbclen(external, unread).clamp(1, len),
    }
}

/// Converts the first `end` unread bytes as far as they go; how many went.
fn convert(ec: &mut Ec, io: IoRef, end: usize, is_last: bool) -> Result<usize> {
    let mut done = 0;
    loop {
        ec.ensure_memory((end - done).saturating_mul(4))?;
        let contents = io.get_mut(ec);
        let Some(mut reading) = contents.reading.take() else { return Ok(done) };
        let (at, result) = reading.run(&contents.unread()[..end - done], is_last);
        contents.read_at += at;
        done += at;
        if let Err(error) = result {
            let Reading { converter, bytes, .. } = &mut *reading;
            if let Err(error) = converter.recover(error, bytes) {
                // What was converted before goes down with the error.
                (reading.bytes, reading.at) = (Vec::new(), 0);
                io.get_mut(ec).reading = Some(reading);
                return Err(raise_transcode(ec, &error));
            }
        }
        io.get_mut(ec).reading = Some(reading);
        ec.wrote(io.value());
        if at == 0 || done >= end {
            return Ok(done);
        }
    }
}

fn finish(ec: &mut Ec, io: IoRef) {
    if let Some(reading) = &mut io.get_mut(ec).reading {
        reading.converter.finish(&mut reading.bytes);
    }
}

/// Takes so many bytes of the text.
pub(super) fn take_text(ec: &mut Ec, io: IoRef, len: usize) -> Vec<u8> {
    let Some(reading) = &mut io.get_mut(ec).reading else { return Vec::new() };
    let taken = reading.unread()[..len].to_vec();
    reading.at += len;
    if reading.at == reading.bytes.len() {
        (reading.at, reading.bytes) = (0, Vec::new());
    }
    taken
}

/// Puts text in front of what is read next.
pub(super) fn push_back(ec: &mut Ec, io: IoRef, bytes: &[u8]) -> Result<()> {
    begin(ec, io)?;
    if let Some(reading) = &mut io.get_mut(ec).reading {
        let at = std::mem::take(&mut reading.at);
        reading.bytes.splice(..at, bytes.iter().copied());
    }
    Ok(())
}

/// What text of the stream is in.
pub(super) fn text_encoding(ec: &Ec, io: IoRef) -> Option<EncodingIndex> {
    io.get(ec).reading.as_ref().map(|reading| reading.encoding)
}

// ---- writing ----

/// Whether characters that mean something in XML are written as references.
pub(super) fn escapes(ec: &mut Ec, io: IoRef) -> Result<bool> {
    Ok(!io.get(ec).conversion.is_nil() && options(ec, io)?.xml.is_some())
}

/// A conversion that goes on from one write to the next, because it has states, a mark at the beginning or quotes around.
fn lasts(external: EncodingIndex, xml: Option<Xml>) -> bool {
    matches!(
        external,
        EncodingIndex::ISO_2022_JP
            | EncodingIndex::CP50220
            | EncodingIndex::CP50221
            | EncodingIndex::UTF_16
            | EncodingIndex::UTF_32
    ) || xml == Some(Xml::Attr)
}

/// Text as it goes on in a conversion that lasts; nothing if the stream has none.
pub(super) fn write_text(ec: &mut Ec, io: IoRef, s: Str) -> Result<Option<Str>> {
    let options = options(ec, io)?;
    let external = match io.get(ec).encodings.external {
        Some(EncodingIndex::BINARY) | None if options.xml.is_some() => EncodingIndex::UTF_8,
        Some(external) => external,
        None => return Ok(None),
    };
    if !lasts(external, options.xml)
        || s.encoding() == EncodingIndex::BINARY
        || s.encoding() == external && options.xml.is_none()
    {
        return Ok(None);
    }
    let utf8 = EncodingIndex::UTF_8;
    let s = match s.encoding() == utf8 {
        true => s,
        false => crate::text::string::encode_string(ec, s, s.encoding(), utf8, EncodeOptions::default())?.unwrap_or(s),
    };
    let mut out = Vec::new();
    let mut converter = match io.get_mut(ec).writing.take() {
        Some(writing) => writing,
        None => {
            let made = Converter::new(utf8, external, &options.as_text(ec));
            let mut made = made.map_err(|error| options.raise(ec, error))?;
            made.start(&mut out);
            Box::new(made)
        }
    };
    let bytes = s.owned_bytes(ec)?;
    let mut at = 0;
    let mut result = Ok(());
    while let Err(error) = converter.run(&bytes, &mut at, false, &mut out) {
        if let Err(error) = converter.recover(error, &mut out) {
            result = Err(error);
            break;
        }
    }
    io.get_mut(ec).writing = Some(converter);
    if let Err(error) = result {
        return Err(raise_transcode(ec, &error));
    }
    Ok(Some(Str::new(ec, &out, external, carat_vm::CodeRange::Unknown)))
}

/// What a conversion that lasts has to say at the end.
pub(super) fn end_of_writing(ec: &mut Ec, io: IoRef) -> Vec<u8> {
    let mut out = Vec::new();
    if let Some(mut writing) = io.get_mut(ec).writing.take() {
        writing.finish(&mut out);
    }
    out
}
