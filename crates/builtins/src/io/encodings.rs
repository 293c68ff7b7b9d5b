//! Encodings of an IO: what its bytes are read and written as.

use super::{Io, IoRef, check_open, io_error};
use carat_text::transcode;
use carat_vm::{CodeRange, Ec, EncodingIndex, Keywords, Result, Str, Value};

/// The encoding that a name or Encoding object means; `None` for nil.
pub(crate) fn encoding_from_value(ec: &mut Ec, value: Value) -> Result<Option<EncodingIndex>> {
    if value.is_nil() {
        return Ok(None);
    }
    let name = if ec.is_a(value, ec.vm().known().encoding) {
        let name = ec.vm().intern("name");
        let found = ec.call(value, name, &[])?;
        ec.to_str(found)?
    } else {
        ec.to_str(value)?
    };
    let bytes = name.bytes(ec).to_ascii_lowercase();
    match bytes.as_slice() {
        b"external" | b"locale" | b"filesystem" => Ok(Some(default_external(ec)?)),
        b"internal" => default_internal(ec),
        bytes => find(ec, bytes).map(Some),
    }
}

fn find(ec: &mut Ec, name: &[u8]) -> Result<EncodingIndex> {
    match EncodingIndex::find_by_name(name) {
        Some(found) => Ok(found),
        None => Err(ec.argument_error(&format!("unknown encoding name - {}", String::from_utf8_lossy(name)))),
    }
}

/// The Encoding object, or nil.
pub(crate) fn encoding_value(ec: &mut Ec, encoding: Option<EncodingIndex>) -> Result {
    let Some(encoding) = encoding else { return Ok(Value::NIL) };
    let class = ec.vm().known().encoding.value();
    let (name, find) = (ec.str(encoding.name()), ec.vm().intern("find"));
    ec.call(class, find, &[name])
}

pub(super) fn default_external(ec: &mut Ec) -> Result<EncodingIndex> {
    default_of(ec, "default_external").map(|e| e.unwrap_or(EncodingIndex::UTF_8))
}

pub(super) fn default_internal(ec: &mut Ec) -> Result<Option<EncodingIndex>> {
    default_of(ec, "default_internal")
}

fn default_of(ec: &mut Ec, which: &str) -> Result<Option<EncodingIndex>> {
    let class = ec.vm().known().encoding.value();
    let which = ec.vm().intern(which);
    if ec.find_method(class, which).is_none() {
        return Ok(None);
    }
    let found = ec.call(class, which, &[])?;
    let name = ec.vm().intern("name");
    if found.is_nil() {
        return Ok(None);
    }
    let name = ec.call(found, name, &[])?;
    let name = ec.to_str(name)?;
    Ok(EncodingIndex::find_by_name(name.bytes(ec)))
}

/// What bytes read from the stream are.
pub(super) fn read_encoding(ec: &mut Ec, io: IoRef) -> Result<EncodingIndex> {
    match io.get(ec).external {
        Some(external) => Ok(external),
        None if io.get(ec).is_binmode => Ok(EncodingIndex::ASCII_8BIT),
        None => default_external(ec),
    }
}

/// A string of bytes read, converted to the internal encoding if there is one.
pub(super) fn text_read(ec: &mut Ec, io: IoRef, bytes: &[u8]) -> Result<Str> {
    let external = read_encoding(ec, io)?;
    let internal = match io.get(ec).internal {
        Some(internal) => Some(internal),
        None if io.get(ec).external.is_none() && !io.get(ec).is_binmode => {
            default_internal(ec)?.filter(|_| external != EncodingIndex::ASCII_8BIT)
        }
        None => None,
    };
    let bytes = if io.get(ec).is_text {
        std::borrow::Cow::Owned(universal_newlines(bytes))
    } else {
        std::borrow::Cow::Borrowed(bytes)
    };
    match internal {
        Some(internal) if internal != external => transcoded(ec, &bytes, external, internal),
        _ => Ok(Str::new(ec, &bytes, external, CodeRange::Unknown)),
    }
}

fn universal_newlines(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    for (i, byte) in bytes.iter().enumerate() {
        match byte {
            b'\r' => out.push(b'\n'),
            b'\n' if i > 0 && bytes[i - 1] == b'\r' => {}
            byte => out.push(*byte),
        }
    }
    out
}

fn transcoded(ec: &mut Ec, bytes: &[u8], from: EncodingIndex, to: EncodingIndex) -> Result<Str> {
    let source = Str::new(ec, bytes, from, CodeRange::Unknown);
    transcode_str(ec, source, to)
}

/// `source.encode(to)`, with Ruby's errors.
fn transcode_str(ec: &mut Ec, source: Str, to: EncodingIndex) -> Result<Str> {
    let mut out = Vec::new();
    match transcode::encode(source.as_text(ec), to, &transcode::Options::default(), &mut out) {
        Ok(transcode::Outcome::Converted) => Ok(Str::new(ec, &out, to, CodeRange::Unknown)),
        Ok(transcode::Outcome::Unchanged) => {
            let copy = source.duplicate(ec);
            copy.set_encoding(to);
            Ok(copy)
        }
        Err(_) => {
            let (encode, name) = (ec.vm().intern("encode"), ec.str(to.name()));
            let result = ec.call(source.value(), encode, &[name])?;
            ec.to_str(result)
        }
    }
}

/// The string as the stream's encoding has it.
pub(super) fn text_to_write(ec: &mut Ec, io: IoRef, s: Str) -> Result<Str> {
    let contents = io.get(ec);
    let Some(external) = contents.external else { return Ok(s) };
    let is_same =
        s.encoding() == external || s.encoding() == EncodingIndex::ASCII_8BIT || external == EncodingIndex::ASCII_8BIT;
    if is_same || (external.is_ascii_compatible() && s.encoding().is_ascii_compatible() && s.is_ascii(ec)) {
        return Ok(s);
    }
    if contents.is_binmode && contents.internal.is_none() && external.is_ascii_compatible() && !contents.is_writable {
        return Ok(s);
    }
    transcode_str(ec, s, external)
}

/// Reads "ext", "ext:int" or "BOM|utf-8" into the two encodings; true if a byte order mark is to be looked for.
pub(super) fn parse_spec(
    ec: &mut Ec,
    spec: &[u8],
    external: &mut Option<EncodingIndex>,
    internal: &mut Option<EncodingIndex>,
) -> Result<bool> {
    let mut parts = spec.splitn(2, |b| *b == b':');
    let mut name = parts.next().unwrap_or_default();
    let has_bom = name.len() > 4 && name[..4].eq_ignore_ascii_case(b"bom|");
    if has_bom {
        name = &name[4..];
    }
    *external = known_encoding(ec, name)?;
    *internal = match parts.next() {
        None | Some(b"-") => None,
        Some(name) => known_encoding(ec, name)?.filter(|i| Some(*i) != *external),
    };
    Ok(has_bom)
}

/// An encoding by name; unknown ones are warned about and ignored.
fn known_encoding(ec: &mut Ec, name: &[u8]) -> Result<Option<EncodingIndex>> {
    if let Some(found) = EncodingIndex::find_by_name(name) {
        return Ok(Some(found));
    }
    let text = String::from_utf8_lossy(name).into_owned();
    match text.to_ascii_lowercase().as_str() {
        "external" | "locale" | "filesystem" => default_external(ec).map(Some),
        "internal" => default_internal(ec),
        _ => {
            ec.warn(&format!("Unsupported encoding {text} ignored"))?;
            Ok(None)
        }
    }
}

pub(super) fn external_encoding(ec: &mut Ec, io: IoRef) -> Result {
    check_open(ec, io)?;
    let contents = io.get(ec);
    let found = match contents.external {
        Some(found) => Some(found),
        None if contents.is_binmode => Some(EncodingIndex::ASCII_8BIT),
        None if contents.is_writable => None,
        None => Some(default_external(ec)?),
    };
    encoding_value(ec, found)
}

pub(super) fn internal_encoding(ec: &mut Ec, io: IoRef) -> Result {
    check_open(ec, io)?;
    let found = match io.get(ec).internal {
        None if io.get(ec).external.is_none() && !io.get(ec).is_writable => default_internal(ec)?,
        found => found,
    };
    encoding_value(ec, found)
}

pub(super) fn set_encoding(
    ec: &mut Ec,
    io: IoRef,
    external: Value,
    internal: Option<Value>,
    _options: Keywords,
) -> Result {
    check_open(ec, io)?;
    let (mut ext, mut int) = (None, None);
    let internal = internal.filter(|v| !v.is_nil());
    match (internal, ec.check_string(external)?) {
        (None, Some(spec)) if spec.bytes(ec).contains(&b':') || spec.len(ec) > 4 => {
            let spec = spec.bytes(ec).to_vec();
            if parse_spec(ec, &spec, &mut ext, &mut int)? {
                skip_bom(ec, io)?;
            }
        }
        _ => {
            ext = encoding_from_value(ec, external)?;
            int = match internal {
                Some(v) => match ec.check_string(v)? {
                    Some(s) if s.bytes(ec) == b"-" => None,
                    _ => encoding_from_value(ec, v)?.filter(|i| Some(*i) != ext),
                },
                None => None,
            };
        }
    }
    let contents = io.get_mut(ec);
    (contents.external, contents.internal) = (ext, int);
    Ok(io.value())
}

const MARKS: [(&[u8], EncodingIndex); 3] = [
    (b"\xEF\xBB\xBF", EncodingIndex::UTF_8),
    (b"\xFF\xFE", EncodingIndex::UTF_16LE),
    (b"\xFE\xFF", EncodingIndex::UTF_16BE),
];

/// Drops a byte order mark at the position; the encoding it stands for.
pub(super) fn skip_bom(ec: &mut Ec, io: IoRef) -> Result<Option<EncodingIndex>> {
    while io.get(ec).unread().len() < 4 && super::buffer::fill(ec, io)? {}
    let contents: &mut Io = io.get_mut(ec);
    if contents.unread().starts_with(b"\xFF\xFE\0\0") {
        contents.read_at += 4;
        return Ok(EncodingIndex::find_by_name(b"UTF-32LE"));
    }
    let found = MARKS.iter().find(|(mark, _)| contents.unread().starts_with(mark));
    if let Some((mark, _)) = found {
        contents.read_at += mark.len();
    }
    Ok(found.map(|(_, encoding)| *encoding))
}

pub(super) fn set_encoding_by_bom(ec: &mut Ec, io: IoRef) -> Result {
    check_open(ec, io)?;
    if !io.get(ec).is_binmode {
        return Err(ec.argument_error("ASCII incompatible encoding needs binmode"));
    }
    if io.get(ec).external.is_some_and(|e| e != EncodingIndex::ASCII_8BIT) {
        return Err(ec.argument_error("encoding is set to ASCII-8BIT already"));
    }
    if !io.get(ec).is_readable {
        return Err(io_error(ec, "not opened for reading"));
    }
    let found = skip_bom(ec, io)?;
    if found.is_some() {
        io.get_mut(ec).external = found;
    }
    encoding_value(ec, found)
}
