//! Encodings of an IO: what its bytes are read and written as.

use super::{Io, IoRef, check_open};
use crate::text::encoding::{default_external, default_internal};
use carat_text::transcode;
use carat_vm::call::Passing;
use carat_vm::{CodeRange, Ec, EncodingIndex, Hash, Keywords, Result, Str, Value};

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
        b"external" | b"locale" | b"filesystem" => Ok(Some(default_external(ec))),
        b"internal" => Ok(default_internal(ec)),
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

/// The two encodings of a stream. Without an internal one nothing is converted; without either the default external
/// encoding counts, whatever it is by then.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) struct Pair {
    pub(crate) external: Option<EncodingIndex>,
    pub(crate) internal: Option<EncodingIndex>,
}

/// What was said about the internal encoding.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Internal {
    /// Nothing: the default one counts.
    Default,
    /// That there is to be none.
    None,
    Is(EncodingIndex),
}

/// The encodings that follow from what was said, as of now.
pub(super) fn resolve(ec: &mut Ec, external: Option<EncodingIndex>, internal: Internal, has_bom: bool) -> Result<Pair> {
    let effective = match external {
        Some(external) => external,
        None => default_external(ec),
    };
    let internal = match internal {
        Internal::Default if effective != EncodingIndex::BINARY => default_internal(ec),
        Internal::Default | Internal::None => None,
        Internal::Is(internal) => Some(internal).filter(|_| effective != EncodingIndex::BINARY),
    };
    Ok(match internal {
        Some(internal) if has_bom || internal != effective => {
            Pair { external: Some(effective), internal: Some(internal) }
        }
        internal if external.is_some() || internal.is_some() => Pair { external: Some(effective), internal: None },
        _ => Pair::default(),
    })
}

/// What bytes read from the stream are.
pub(super) fn read_encoding(ec: &mut Ec, io: IoRef) -> Result<EncodingIndex> {
    match io.get(ec).encodings.external {
        Some(external) => Ok(external),
        None => Ok(default_external(ec)),
    }
}

/// Whether what is read from the stream is not its bytes as they are.
pub(super) fn is_converted(ec: &mut Ec, io: IoRef) -> Result<bool> {
    let external = read_encoding(ec, io)?;
    let contents = io.get(ec);
    Ok(contents.is_text || contents.encodings.internal.is_some_and(|internal| internal != external))
}

/// `source.encode(to)`, with Ruby's errors and the stream's options.
fn transcode_str(ec: &mut Ec, io: IoRef, source: Str, to: EncodingIndex) -> Result<Str> {
    let options = Hash::from_value(io.get(ec).conversion);
    let mut out = Vec::new();
    let plain =
        options.is_none().then(|| transcode::encode(source.as_text(ec), to, &transcode::Options::default(), &mut out));
    match plain {
        Some(Ok(transcode::Outcome::Converted)) => Ok(Str::new(ec, &out, to, CodeRange::Unknown)),
        Some(Ok(transcode::Outcome::Unchanged)) => {
            let copy = source.duplicate(ec);
            copy.set_encoding(to);
            Ok(copy)
        }
        _ => {
            let (encode, name) = (ec.vm().intern("encode"), ec.str(to.name()));
            let passing = Passing { keywords: options, block: None };
            let result = ec.call_with(source.value(), encode, &[name], passing)?;
            ec.to_str(result)
        }
    }
}

/// The string as the stream's encoding has it, line ends included.
pub(super) fn text_to_write(ec: &mut Ec, io: IoRef, s: Str) -> Result<Str> {
    if io.get(ec).encodings.external.is_some() || !io.get(ec).conversion.is_nil() {
        let with_newlines = match io.get(ec).newline {
            Newline::Lf => s,
            newline => with_newlines(ec, s, newline),
        };
        if let Some(text) = super::converted::write_text(ec, io, with_newlines)? {
            return Ok(text);
        }
    }
    let s = match io.get(ec).newline {
        Newline::Lf => s,
        newline => with_newlines(ec, s, newline),
    };
    let is_escaped = super::converted::escapes(ec, io)?;
    let external = match io.get(ec).encodings.external {
        Some(EncodingIndex::BINARY) | None if is_escaped => s.encoding(),
        Some(external) => external,
        None => return Ok(s),
    };
    if is_escaped {
        return transcode_str(ec, io, s, external);
    }
    let is_same = s.encoding() == external || external == EncodingIndex::ASCII_8BIT;
    if is_same || io.get(ec).is_binmode && s.encoding() == EncodingIndex::ASCII_8BIT {
        return Ok(s);
    }
    let is_ascii = external.is_ascii_compatible() && s.encoding().is_ascii_compatible() && s.is_ascii(ec);
    if is_ascii { Ok(s) } else { transcode_str(ec, io, s, external) }
}

/// Whether [`text_to_write`] leaves every string as it is.
pub(super) fn writes_as_is(ec: &Ec, io: IoRef) -> bool {
    let contents = io.get(ec);
    contents.encodings.external.is_none() && contents.conversion.is_nil() && contents.newline == Newline::Lf
}

/// What a newline is written as.
#[derive(Clone, Copy, Default, Debug, PartialEq, Eq)]
pub(crate) enum Newline {
    #[default]
    Lf,
    Cr,
    CrLf,
}

fn with_newlines(ec: &mut Ec, s: Str, newline: Newline) -> Str {
    let end: &[u8] = if newline == Newline::Cr { b"\r" } else { b"\r\n" };
    let mut out = Vec::with_capacity(s.len(ec) + 16);
    for byte in s.bytes(ec) {
        match byte {
            b'\n' => out.extend_from_slice(end),
            byte => out.push(*byte),
        }
    }
    Str::new(ec, &out, s.encoding(), CodeRange::Unknown)
}

/// Reads "ext", "ext:int" or "BOM|utf-8"; true if a byte order mark is to be looked for.
pub(super) fn parse_spec(ec: &mut Ec, spec: &[u8], with_bom: bool) -> Result<(Pair, bool)> {
    let mut parts = spec.splitn(2, |b| *b == b':');
    let mut name = parts.next().unwrap_or_default();
    let mut has_bom = name.len() > 4 && name[..4].eq_ignore_ascii_case(b"bom|");
    if has_bom {
        name = &name[4..];
        if name.len() < 4 || !name[..4].eq_ignore_ascii_case(b"utf-") {
            let shown = String::from_utf8_lossy(name).into_owned();
            ec.warn(&format!("BOM with non-UTF encoding {shown} is nonsense"))?;
            has_bom = false;
        }
    }
    let external = known_encoding(ec, name)?;
    let internal = match parts.next() {
        None => Internal::Default,
        Some(b"-") => Internal::None,
        Some(name) => match known_encoding(ec, name)? {
            Some(found) if Some(found) == external && !has_bom => Internal::None,
            Some(found) => Internal::Is(found),
            None => Internal::Default,
        },
    };
    Ok((resolve(ec, external, internal, has_bom && with_bom)?, has_bom && with_bom))
}

/// An encoding by name; unknown ones are warned about and ignored.
fn known_encoding(ec: &mut Ec, name: &[u8]) -> Result<Option<EncodingIndex>> {
    if let Some(found) = EncodingIndex::find_by_name(name) {
        return Ok(Some(found));
    }
    let text = String::from_utf8_lossy(name).into_owned();
    match text.to_ascii_lowercase().as_str() {
        "external" | "locale" | "filesystem" => Ok(Some(default_external(ec))),
        "internal" => Ok(default_internal(ec)),
        _ => {
            ec.warn(&format!("Unsupported encoding {text} ignored"))?;
            Ok(None)
        }
    }
}

pub(super) fn external_encoding(ec: &mut Ec, io: IoRef) -> Result {
    let contents = io.get(ec);
    let found = match contents.encodings.external {
        Some(found) => Some(found),
        None if contents.is_writable => None,
        None => Some(default_external(ec)),
    };
    encoding_value(ec, found)
}

pub(super) fn internal_encoding(ec: &mut Ec, io: IoRef) -> Result {
    let found = io.get(ec).encodings.internal;
    encoding_value(ec, found)
}

/// An encoding that must be one: nil is a TypeError.
fn required_encoding(ec: &mut Ec, value: Value) -> Result<EncodingIndex> {
    if let Some(name) = ec.check_string(value)?
        && !name.encoding().is_ascii_compatible()
    {
        let shown = ec.inspect(value)?.to_text(ec);
        return Err(ec.argument_error(&format!("invalid encoding name (non ASCII): {shown}")));
    }
    match encoding_from_value(ec, value)? {
        Some(found) => Ok(found),
        None => Err(ec.no_implicit_conversion(value, "String")),
    }
}

/// `set_encoding(nil)`, `(external)`, `("external:internal")` or `(external, internal)`, with options of `String#encode`.
pub(super) fn set_encoding(
    ec: &mut Ec,
    io: IoRef,
    external: Value,
    internal: Option<Value>,
    options: Keywords,
) -> Result {
    check_open(ec, io)?;
    let text = ec.check_string(external)?.filter(|s| s.encoding().is_ascii_compatible());
    let pair = match (internal.filter(|v| !v.is_nil()), text) {
        (Some(internal), _) => given_pair(ec, external, internal)?,
        (None, Some(spec)) => {
            let spec = spec.bytes(ec).to_vec();
            parse_spec(ec, &spec, false)?.0
        }
        (None, None) => {
            let external = if external.is_nil() { None } else { Some(required_encoding(ec, external)?) };
            resolve(ec, external, Internal::Default, false)?
        }
    };
    let conversion = conversion_options(ec, options)?;
    check_binmode(ec, io, pair, conversion.newline)?;
    let contents = io.get_mut(ec);
    contents.encodings = pair;
    contents.conversion = conversion.encode;
    contents.reading = None;
    if let Some(newline) = conversion.newline {
        contents.is_text = newline.is_universal;
        contents.newline = newline.written;
    }
    ec.wrote(io.value());
    Ok(io.value())
}

/// As [`required_encoding`]; of a name that is none the user is warned.
fn encoding_or_warning(ec: &mut Ec, value: Value) -> Result<Option<EncodingIndex>> {
    match ec.check_string(value)?.filter(|name| name.encoding().is_ascii_compatible()) {
        Some(name) => {
            let name = name.owned_bytes(ec)?;
            if name.contains(&0) {
                return Err(ec.argument_error("invalid encoding name (NUL byte)"));
            }
            known_encoding(ec, &name)
        }
        None => required_encoding(ec, value).map(Some),
    }
}

fn given_pair(ec: &mut Ec, external: Value, internal: Value) -> Result<Pair> {
    let Some(external) = encoding_or_warning(ec, external)? else {
        return resolve(ec, None, Internal::None, false);
    };
    let is_dash = ec.check_string(internal)?.is_some_and(|s| s.bytes(ec) == b"-");
    let internal = if is_dash { external } else { encoding_or_warning(ec, internal)?.unwrap_or(external) };
    let converts = internal != external && external != EncodingIndex::BINARY;
    Ok(Pair { external: Some(external), internal: Some(internal).filter(|_| converts) })
}

fn check_binmode(ec: &mut Ec, io: IoRef, pair: Pair, newline: Option<NewlineOption>) -> Result<()> {
    let external = match pair.external {
        Some(external) => external,
        None => default_external(ec),
    };
    let contents = io.get(ec);
    let (is_binmode, is_readable) = (contents.is_binmode, contents.is_readable);
    if is_readable && pair.internal.is_none() && !is_binmode && !external.is_ascii_compatible() {
        return Err(ec.argument_error("ASCII incompatible encoding needs binmode"));
    }
    if is_binmode && newline.is_some_and(|newline| newline.decorates) {
        return Err(ec.argument_error("newline decorator with binary mode"));
    }
    Ok(())
}

/// What `newline:` asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct NewlineOption {
    pub(super) is_universal: bool,
    pub(super) written: Newline,
    /// Line ends are changed, which binary streams exclude. `universal_newline: false` and the like only say that they are not.
    pub(super) decorates: bool,
}

/// Options of conversion: those that `String#encode` gets, and line ends.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Conversion {
    /// A Hash, or nil.
    pub(super) encode: Value,
    pub(super) newline: Option<NewlineOption>,
}

impl Default for Conversion {
    fn default() -> Conversion {
        Conversion { encode: Value::NIL, newline: None }
    }
}

/// Takes the options of conversion out of the keywords of `open` or `set_encoding`.
pub(super) fn conversion_options(ec: &mut Ec, options: Keywords) -> Result<Conversion> {
    let mut conversion = Conversion::default();
    if options.is_empty(ec) {
        return Ok(conversion);
    }
    let kept = Hash::new(ec);
    for name in ["invalid", "undef", "replace", "fallback", "xml"] {
        let name = ec.vm().intern(name);
        if let Some(value) = options.get(ec, name) {
            kept.set_symbol(ec, name, value);
        }
    }
    if !kept.is_empty(ec) {
        conversion.encode = kept.value();
    }
    conversion.newline = newline_option(ec, options)?;
    Ok(conversion)
}

fn newline_option(ec: &mut Ec, options: Keywords) -> Result<Option<NewlineOption>> {
    let is_set = |ec: &mut Ec, name: &str| {
        let name = ec.vm().intern(name);
        options.get(ec, name).is_some_and(Value::truthy)
    };
    let option = |is_universal, written| Ok(Some(NewlineOption { is_universal, written, decorates: true }));
    let name = ec.vm().intern("newline");
    if let Some(given) = options.get(ec, name).filter(|v| !v.is_nil()) {
        let text = given.as_symbol().map(|s| ec.vm().symbol_text(s));
        return match text.as_deref() {
            Some("universal") => option(true, Newline::Lf),
            Some("crlf") => option(false, Newline::CrLf),
            Some("cr") => option(false, Newline::Cr),
            Some("lf") => option(false, Newline::Lf),
            Some(other) => Err(ec.argument_error(&format!("unexpected value for newline option: {other}"))),
            None => Err(ec.argument_error("unexpected value for newline option")),
        };
    }
    if is_set(ec, "universal_newline") {
        return option(true, Newline::Lf);
    }
    if is_set(ec, "crlf_newline") {
        return option(false, Newline::CrLf);
    }
    if is_set(ec, "cr_newline") {
        return option(false, Newline::Cr);
    }
    if is_set(ec, "lf_newline") {
        return option(false, Newline::Lf);
    }
    let is_refused = ["universal_newline", "crlf_newline", "cr_newline", "lf_newline"].into_iter().any(|name| {
        let name = ec.vm().intern(name);
        options.get(ec, name).is_some_and(|given| !given.is_nil())
    });
    Ok(is_refused.then_some(NewlineOption { is_universal: false, written: Newline::Lf, decorates: false }))
}

/// Byte order marks; a longer one comes before one that it begins with.
const MARKS: [(&[u8], EncodingIndex); 5] = [
    (b"\xEF\xBB\xBF", EncodingIndex::UTF_8),
    (b"\xFF\xFE\0\0", EncodingIndex::UTF_32LE),
    (b"\xFF\xFE", EncodingIndex::UTF_16LE),
    (b"\xFE\xFF", EncodingIndex::UTF_16BE),
    (b"\0\0\xFE\xFF", EncodingIndex::UTF_32BE),
];

/// Drops a byte order mark at the position; the encoding it stands for.
pub(super) fn skip_bom(ec: &mut Ec, io: IoRef) -> Result<Option<EncodingIndex>> {
    while io.get(ec).unread().len() < 4 && super::buffer::fill(ec, io)? {}
    let contents: &mut Io = io.get_mut(ec);
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
    let pair = io.get(ec).encodings;
    if pair.internal.is_some() {
        return Err(ec.argument_error("encoding conversion is set"));
    }
    if let Some(external) = pair.external.filter(|e| *e != EncodingIndex::ASCII_8BIT) {
        return Err(ec.argument_error(&format!("encoding is set to {} already", external.name())));
    }
    if !io.get(ec).is_readable {
        return Ok(Value::NIL);
    }
    let found = skip_bom(ec, io)?;
    if found.is_some() {
        io.get_mut(ec).encodings = Pair { external: found, internal: None };
    }
    encoding_value(ec, found)
}
