//! Where the bytes come from: a String, or an object with `getbyte` and `read`.
//!
//! An IO is read ahead by no more than what must still come: each element of an array or hash that is being read takes a
//! byte at least. So nothing behind the dump is consumed.

use super::{intern, io_needed};
use carat_vm::{Ec, Result, Str, Unwind, Value, sym};

/// Most that is read ahead.
const BUFFER_BYTES: i64 = 8192;

pub(super) enum Source {
    Text { text: Str, offset: usize },
    Stream { io: Value, ahead: Vec<u8>, offset: usize },
}

pub(super) struct MarshalReader {
    source: Source,
    /// Bytes that must follow, whatever they are.
    pub(super) readable: i64,
}

pub(super) fn too_short(ec: &mut Ec) -> Unwind {
    ec.argument_error("marshal data too short")
}

impl MarshalReader {
    pub(super) fn new(ec: &mut Ec, port: Value) -> Result<MarshalReader> {
        if let Some(text) = ec.check_string(port)? {
            return Ok(MarshalReader { source: Source::Text { text, offset: 0 }, readable: 0 });
        }
        if !ec.respond_to(port, intern(ec, "getbyte"), false)? || !ec.respond_to(port, sym::READ, false)? {
            return Err(io_needed(ec));
        }
        ec.call_if_responds(port, intern(ec, "binmode"), &[])?;
        Ok(MarshalReader { source: Source::Stream { io: port, ahead: Vec::new(), offset: 0 }, readable: 0 })
    }

    /// Bytes that are certainly not there; for sizes written in the dump.
    pub(super) fn plausible_capacity(&self, ec: &Ec, wanted: usize) -> usize {
        match &self.source {
            Source::Text { text, offset } => wanted.min(text.len(ec).saturating_sub(*offset)),
            Source::Stream { .. } => wanted.min(BUFFER_BYTES as usize),
        }
    }

    pub(super) fn byte(&mut self, ec: &mut Ec) -> Result<u8> {
        let readable = self.readable;
        match &mut self.source {
            Source::Text { text, offset } => match text.bytes(ec).get(*offset).copied() {
                Some(byte) => {
                    *offset += 1;
                    Ok(byte)
                }
                None => Err(too_short(ec)),
            },
            Source::Stream { io, ahead, offset } => {
                if *offset == ahead.len() {
                    if readable <= 0 {
                        return get_byte(ec, *io);
                    }
                    *ahead = read(ec, *io, readable.min(BUFFER_BYTES), 1)?;
                    *offset = 0;
                }
                *offset += 1;
                ahead.get(*offset - 1).copied().ok_or_else(|| too_short(ec))
            }
        }
    }

    pub(super) fn bytes(&mut self, ec: &mut Ec, len: i64) -> Result<Vec<u8>> {
        let Ok(count) = usize::try_from(len) else {
            return Err(ec.argument_error("negative string size (or size too big)"));
        };
        if count == 0 {
            return Ok(Vec::new());
        }
        let readable = self.readable;
        match &mut self.source {
            Source::Text { text, offset } => {
                let found = text.bytes(ec).get(*offset..).and_then(|rest| rest.get(..count)).map(<[u8]>::to_vec);
                *offset += if found.is_some() { count } else { 0 };
                found.ok_or_else(|| too_short(ec))
            }
            Source::Stream { io, ahead, offset } => {
                let mut found = ahead[*offset..].to_vec();
                if found.len() >= count {
                    *offset += count;
                    found.truncate(count);
                    return Ok(found);
                }
                let missing = len - found.len() as i64;
                let wanted = missing.max(readable.clamp(0, BUFFER_BYTES));
                *ahead = read(ec, *io, wanted, missing)?;
                *offset = missing as usize;
                found.extend_from_slice(&ahead[..*offset]);
                Ok(found)
            }
        }
    }

    /// A number: see `push_long` of the writer. Up to eight bytes are read.
    pub(super) fn long(&mut self, ec: &mut Ec) -> Result<i64> {
        let first = i64::from(self.byte(ec)?.cast_signed());
        match first {
            0 => return Ok(0),
            5.. => return Ok(first - 5),
            ..-4 => return Ok(first + 5),
            _ => {}
        }
        let mut number = if first < 0 { -1_i64 } else { 0 };
        for index in 0..first.unsigned_abs() {
            let shift = 8 * index;
            number = number & !(0xFF << shift) | i64::from(self.byte(ec)?) << shift;
        }
        Ok(number)
    }

    /// A number of parts, of at least `size` bytes each. `what` is what has them.
    pub(super) fn count(&mut self, ec: &mut Ec, size: i64, what: &str) -> Result<i64> {
        let count = self.long(ec)?;
        if count < 0 {
            return Err(ec.argument_error(&format!("negative {what} size (or size too big)")));
        }
        if count > i64::MAX / size || self.readable >= i64::MAX - count * size {
            return Err(ec.argument_error("marshaled data too big"));
        }
        Ok(count)
    }
}

fn get_byte(ec: &mut Ec, io: Value) -> Result<u8> {
    let byte = ec.call(io, intern(ec, "getbyte"), &[])?;
    if byte.is_nil() {
        return Err(crate::system::io::eof_error(ec));
    }
    // A string stands for its first byte, as it does where CRuby takes a character.
    match Str::from_value(byte).and_then(|text| text.bytes(ec).first().copied()) {
        Some(byte) => Ok(byte),
        None => ec.to_long(byte).map(|b| b as u8),
    }
}

/// What `read(wanted)` gives, which must be `least` bytes.
fn read(ec: &mut Ec, io: Value, wanted: i64, least: i64) -> Result<Vec<u8>> {
    let found = ec.call(io, sym::READ, &[ec.int(wanted)])?;
    if found.is_nil() {
        return Err(too_short(ec));
    }
    let bytes = ec.to_str(found)?.owned_bytes(ec)?;
    // More than was asked for is as wrong as less.
    if (least..=wanted).contains(&(bytes.len() as i64)) { Ok(bytes) } else { Err(too_short(ec)) }
}
