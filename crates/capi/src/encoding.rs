//! Encodings: C code has the address of a record, whose index is that of our table.

use crate::boundary::{Text, bytes_at, constant, store, string};
use crate::string::named_encoding;
use carat_text::encoding::{codepoint, encode_codepoint, mbclen};
use carat_text::text::Text as Bytes;
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Value};
use std::ffi::{CString, c_char, c_int};
use std::sync::OnceLock;

/// `rb_encoding`
#[repr(C)]
pub(crate) struct CEncoding {
    name: *const c_char,
    max_len: c_int,
    min_len: c_int,
    index: c_int,
    flags: u32,
}

// SAFETY: nobody changes a record.
unsafe impl Sync for CEncoding {}
// SAFETY: as above.
unsafe impl Send for CEncoding {}

/// `ONIGERR_TOO_BIG_WIDE_CHAR_VALUE` and `ONIGERR_INVALID_CODE_POINT_VALUE`.
const TOO_BIG: c_int = -401;
const INVALID: c_int = -400;

const UNICODE: u32 = 1;
const DUMMY: u32 = 2;

fn table() -> &'static [CEncoding] {
    static TABLE: OnceLock<Vec<CEncoding>> = OnceLock::new();
    TABLE.get_or_init(|| EncodingIndex::all().map(record).collect())
}

fn record(encoding: EncodingIndex) -> CEncoding {
    let flags = if encoding.is_unicode() { UNICODE } else { 0 } | if encoding.is_dummy() { DUMMY } else { 0 };
    CEncoding {
        name: CString::new(encoding.name()).unwrap_or_default().into_raw(),
        max_len: encoding.max_len() as c_int,
        min_len: encoding.min_len() as c_int,
        index: encoding.0.into(),
        flags,
    }
}

fn record_of(encoding: EncodingIndex) -> *const CEncoding {
    &raw const table()[usize::from(encoding.0)]
}

/// The encoding of a record; binary if there is none.
pub(crate) fn index_of(encoding: *const CEncoding) -> EncodingIndex {
    if encoding.is_null() {
        return EncodingIndex::ASCII_8BIT;
    }
    // SAFETY: C code has records of the table only.
    EncodingIndex(unsafe { (*encoding).index } as u8)
}

fn valid_index(index: c_int) -> Option<EncodingIndex> {
    usize::try_from(index).ok().filter(|index| *index < table().len()).map(|index| EncodingIndex(index as u8))
}

/// The `Encoding` object.
pub(crate) fn value_of(ec: &mut Ec, encoding: EncodingIndex) -> Result {
    let name = Str::from_text(ec, encoding.name()).value();
    ec.call(ec.vm().known().encoding.value(), name!(ec, "find"), &[name])
}

/// The encoding that an `Encoding` object, or a name, is.
pub(crate) fn of_value(ec: &mut Ec, value: Value) -> Result<EncodingIndex> {
    let class = ec.vm().known().encoding.value();
    let encoding = if ec.is_a(value, ec.vm().known().encoding) {
        value
    } else {
        let name = ec.to_str(value)?.value();
        ec.call(class, name!(ec, "find"), &[name])?
    };
    let name = ec.call(encoding, name!(ec, "name"), &[])?;
    let name = string(ec, name)?;
    let found = EncodingIndex::find_by_name(name.bytes(ec));
    Ok(found.unwrap_or(EncodingIndex::ASCII_8BIT))
}

/// The encoding of a string, symbol, regexp or file; `None` of anything else.
fn encoding_of(ec: &mut Ec, value: Value) -> Result<Option<EncodingIndex>> {
    if let Some(found) = Str::from_value(value) {
        return Ok(Some(found.encoding()));
    }
    if let Some(symbol) = value.as_symbol() {
        return Ok(Some(ec.vm().symbol_name(symbol).encoding));
    }
    let known = ec.vm().known();
    if ec.is_a(value, known.encoding) {
        return of_value(ec, value).map(Some);
    }
    let method = if ec.is_a(value, known.io) { "external_encoding" } else { "encoding" };
    if !ec.is_a(value, known.io) && !ec.is_a(value, known.regexp) {
        return Ok(None);
    }
    let encoding = ec.call(value, ec.vm().intern(method), &[])?;
    if encoding.is_nil() { Ok(None) } else { of_value(ec, encoding).map(Some) }
}

fn find(name: &[u8]) -> Option<EncodingIndex> {
    EncodingIndex::find_by_name(name)
}

/// Names such as `locale`, whose meaning changes, and those of the table.
fn find_any(ec: &mut Ec, name: &[u8]) -> Result<Option<EncodingIndex>> {
    match name {
        b"locale" | b"external" | b"internal" | b"filesystem" => {
            let text = Str::new(ec, name, EncodingIndex::US_ASCII, CodeRange::SevenBit).value();
            let found = ec.call(ec.vm().known().encoding.value(), name!(ec, "find"), &[text])?;
            if found.is_nil() { Ok(None) } else { of_value(ec, found).map(Some) }
        }
        _ => Ok(find(name)),
    }
}

fn between<'a>(first: *const u8, end: *const u8) -> &'a [u8] {
    bytes_at(first, end.addr() as i64 - first.addr() as i64)
}

fn text_between<'a>(first: *const u8, end: *const u8, encoding: *const CEncoding) -> Bytes<'a> {
    let bytes = between(first, end);
    let encoding = index_of(encoding);
    Bytes { bytes, encoding, coderange: carat_text::coderange::scan(encoding, bytes) }
}

fn set_encoding(ec: &mut Ec, value: Value, encoding: EncodingIndex) -> Result {
    if let Some(target) = Str::from_value(value) {
        if target.encoding() != encoding {
            target.check_mutable(ec)?;
            let keeps_range = target.known_range() == CodeRange::SevenBit && encoding.is_ascii_compatible();
            target.set_encoding(encoding);
            if !keeps_range {
                target.set_range(CodeRange::Unknown);
            }
        }
        return Ok(value);
    }
    if ec.is_frozen(value) {
        return Err(ec.frozen_error(value));
    }
    if value.is_symbol() {
        return Err(ec.frozen_error(value));
    }
    if encoding_of(ec, value)?.is_none() {
        return Err(ec.argument_error("cannot set encoding on non-encoding capable object"));
    }
    Ok(value)
}

/// The encoding that both have room for.
fn compatible(ec: &mut Ec, a: Value, b: Value) -> Result<Option<EncodingIndex>> {
    let class = ec.vm().known().encoding.value();
    let found = ec.call(class, name!(ec, "compatible?"), &[a, b])?;
    if found.is_nil() { Ok(None) } else { of_value(ec, found).map(Some) }
}

fn or_null(encoding: Option<EncodingIndex>) -> *const CEncoding {
    encoding.map_or(std::ptr::null(), record_of)
}

api! {
    fn rb_enc_from_index(_ec, index: c_int) -> *const CEncoding {
        or_null(valid_index(index))
    }

    fn rb_enc_find(ec, name: Text) -> Result<*const CEncoding> {
        Ok(or_null(find_any(ec, name.bytes())?))
    }

    fn rb_enc_find_index(ec, name: Text) -> Result<c_int> {
        Ok(find_any(ec, name.bytes())?.map_or(-1, |encoding| encoding.0.into()))
    }

    fn rb_enc_to_index(_ec, encoding: *const CEncoding) -> c_int {
        index_of(encoding).0.into()
    }

    fn rb_enc_get(ec, value: Value) -> Result<*const CEncoding> {
        Ok(or_null(encoding_of(ec, value)?))
    }

    fn rb_enc_get_index(ec, value: Value) -> Result<c_int> {
        Ok(encoding_of(ec, value)?.map_or(-1, |encoding| encoding.0.into()))
    }

    fn rb_enc_set_index(ec, value: Value, index: c_int) -> Result<()> {
        let encoding = checked_index(ec, index)?;
        if ec.is_frozen(value) {
            return Err(ec.frozen_error(value));
        }
        set_encoding(ec, value, encoding).map(drop)
    }

    fn rb_enc_associate_index(ec, value: Value, index: c_int) -> Result {
        let encoding = checked_index(ec, index)?;
        if ec.is_frozen(value) {
            return Err(ec.frozen_error(value));
        }
        set_encoding(ec, value, encoding)
    }

    fn rb_enc_associate(ec, value: Value, encoding: *const CEncoding) -> Result {
        if ec.is_frozen(value) {
            return Err(ec.frozen_error(value));
        }
        set_encoding(ec, value, index_of(encoding))
    }

    fn rb_enc_copy(ec, to: Value, from: Value) -> Result<()> {
        match encoding_of(ec, from)? {
            Some(encoding) => set_encoding(ec, to, encoding).map(drop),
            None => Ok(()),
        }
    }

    fn rb_to_encoding(ec, value: Value) -> Result<*const CEncoding> {
        of_value(ec, value).map(record_of)
    }

    fn rb_find_encoding(ec, value: Value) -> *const CEncoding {
        let (pending, errinfo) = (ec.pending(), ec.errinfo());
        let found = of_value(ec, value).ok();
        let _ = ec.unwind(pending);
        ec.set_errinfo(errinfo);
        or_null(found)
    }

    fn rb_to_encoding_index(ec, value: Value) -> c_int {
        let (pending, errinfo) = (ec.pending(), ec.errinfo());
        let found = of_value(ec, value).ok();
        let _ = ec.unwind(pending);
        ec.set_errinfo(errinfo);
        found.map_or(-1, |encoding| encoding.0.into())
    }

    fn rb_enc_from_encoding(ec, encoding: *const CEncoding) -> Result {
        if encoding.is_null() { Ok(Value::NIL) } else { value_of(ec, index_of(encoding)) }
    }

    fn rb_obj_encoding(ec, value: Value) -> Result {
        match encoding_of(ec, value)? {
            Some(encoding) => value_of(ec, encoding),
            None => Err(ec.type_error("unknown encoding")),
        }
    }

    fn rb_enc_compatible(ec, a: Value, b: Value) -> Result<*const CEncoding> {
        Ok(or_null(compatible(ec, a, b)?))
    }

    fn rb_enc_check(ec, a: Value, b: Value) -> Result<*const CEncoding> {
        if let Some(found) = compatible(ec, a, b)? {
            return Ok(record_of(found));
        }
        let (a, b) = (encoding_of(ec, a)?, encoding_of(ec, b)?);
        let name = |encoding: Option<EncodingIndex>| encoding.map_or("?", EncodingIndex::inspect_name).to_string();
        let message = format!("incompatible character encodings: {} and {}", name(a), name(b));
        Err(ec.error(ec.vm().known().compatibility_error, &message))
    }

    fn rb_ascii8bit_encoding(_ec) -> *const CEncoding { record_of(EncodingIndex::ASCII_8BIT) }

    fn rb_utf8_encoding(_ec) -> *const CEncoding { record_of(EncodingIndex::UTF_8) }

    fn rb_usascii_encoding(_ec) -> *const CEncoding { record_of(EncodingIndex::US_ASCII) }

    fn rb_ascii8bit_encindex(_ec) -> c_int { EncodingIndex::ASCII_8BIT.0.into() }

    fn rb_utf8_encindex(_ec) -> c_int { EncodingIndex::UTF_8.0.into() }

    fn rb_usascii_encindex(_ec) -> c_int { EncodingIndex::US_ASCII.0.into() }

    fn rb_locale_encoding(ec) -> Result<*const CEncoding> { Ok(or_null(named_encoding(ec, "locale")?)) }

    fn rb_filesystem_encoding(ec) -> Result<*const CEncoding> { Ok(or_null(named_encoding(ec, "filesystem")?)) }

    fn rb_default_external_encoding(ec) -> Result<*const CEncoding> { Ok(or_null(named_encoding(ec, "default_external")?)) }

    fn rb_default_internal_encoding(ec) -> Result<*const CEncoding> { Ok(or_null(named_encoding(ec, "default_internal")?)) }

    fn rb_locale_encindex(ec) -> Result<c_int> { Ok(named_encoding(ec, "locale")?.map_or(-1, |e| e.0.into())) }

    fn rb_filesystem_encindex(ec) -> Result<c_int> { Ok(named_encoding(ec, "filesystem")?.map_or(-1, |e| e.0.into())) }

    fn rb_enc_default_external(ec) -> Result {
        ec.call(ec.vm().known().encoding.value(), name!(ec, "default_external"), &[])
    }

    fn rb_enc_default_internal(ec) -> Result {
        ec.call(ec.vm().known().encoding.value(), name!(ec, "default_internal"), &[])
    }

    fn rb_enc_set_default_external(ec, encoding: Value) -> Result<()> {
        ec.call(ec.vm().known().encoding.value(), name!(ec, "default_external="), &[encoding]).map(drop)
    }

    fn rb_enc_set_default_internal(ec, encoding: Value) -> Result<()> {
        ec.call(ec.vm().known().encoding.value(), name!(ec, "default_internal="), &[encoding]).map(drop)
    }

    fn rb_locale_charmap(ec, _class: Value) -> Result {
        ec.call(ec.vm().known().encoding.value(), name!(ec, "locale_charmap"), &[])
    }

    fn rb_enc_dummy_p(_ec, encoding: *const CEncoding) -> bool { index_of(encoding).is_dummy() }

    fn rb_enc_unicode_p(_ec, encoding: *const CEncoding) -> bool { index_of(encoding).is_unicode() }

    fn rb_enc_str_coderange(ec, value: Value) -> Result<c_int> {
        let found = string(ec, value)?;
        Ok(found.range(ec) as c_int)
    }

    fn rb_enc_str_asciionly_p(ec, value: Value) -> Result<bool> {
        let found = string(ec, value)?;
        Ok(found.encoding().is_ascii_compatible() && found.is_ascii(ec))
    }

    fn rb_enc_strlen(_ec, first: *const u8, end: *const u8, encoding: *const CEncoding) -> i64 {
        carat_text::chars::count(text_between(first, end, encoding)) as i64
    }

    fn rb_enc_nth(_ec, first: *const u8, end: *const u8, nth: i64, encoding: *const CEncoding) -> *const u8 {
        let text = text_between(first, end, encoding);
        let offset = carat_text::chars::offset(text, nth.max(0) as usize).unwrap_or(text.bytes.len());
        first.wrapping_add(offset.min(text.bytes.len()))
    }

    fn rb_enc_mbclen(_ec, first: *const u8, end: *const u8, encoding: *const CEncoding) -> c_int {
        let bytes = between(first, end);
        if bytes.is_empty() { 1 } else { mbclen(index_of(encoding), bytes).max(1).min(bytes.len()) as c_int }
    }

    fn rb_enc_fast_mbclen(_ec, first: *const u8, end: *const u8, encoding: *const CEncoding) -> c_int {
        mbclen(index_of(encoding), between(first, end)).max(1) as c_int
    }

    fn rb_enc_precise_mbclen(_ec, first: *const u8, end: *const u8, encoding: *const CEncoding) -> c_int {
        precise_len(index_of(encoding), between(first, end))
    }

    fn rb_enc_ascget(_ec, first: *const u8, end: *const u8, len: *mut c_int, encoding: *const CEncoding) -> c_int {
        let bytes = between(first, end);
        match codepoint(index_of(encoding), bytes) {
            Some((code, taken)) if code < 128 => {
                store(len, taken as c_int);
                code as c_int
            }
            _ => -1,
        }
    }

    fn rb_enc_codepoint_len(
        ec, first: *const u8, end: *const u8, len: *mut c_int, encoding: *const CEncoding,
    ) -> Result<u32> {
        let (bytes, encoding) = (between(first, end), index_of(encoding));
        if bytes.is_empty() {
            return Err(ec.argument_error("empty string"));
        }
        match codepoint(encoding, bytes) {
            Some((code, taken)) => {
                store(len, taken as c_int);
                Ok(code)
            }
            None => Err(ec.argument_error(&format!("invalid byte sequence in {}", encoding.name()))),
        }
    }

    /// The character at a place; of what is none, the byte.
    fn carat_codepoint(_ec, first: *const u8, end: *const u8, encoding: *const CEncoding) -> u32 {
        let bytes = between(first, end);
        let byte = bytes.first().map_or(0, |byte| u32::from(*byte));
        codepoint(index_of(encoding), bytes).map_or(byte, |(code, _)| code)
    }

    fn rb_enc_codepoint(ec, first: *const u8, end: *const u8, encoding: *const CEncoding) -> Result<u32> {
        let encoding = index_of(encoding);
        match codepoint(encoding, between(first, end)) {
            Some((code, _)) => Ok(code),
            None => Err(ec.argument_error(&format!("invalid byte sequence in {}", encoding.name()))),
        }
    }

    fn rb_enc_codelen(ec, code: c_int, encoding: *const CEncoding) -> Result<c_int> {
        let encoding = index_of(encoding);
        match encode_codepoint(encoding, code as u32, &mut Vec::new()) {
            Ok(len) if len > 0 => Ok(len as c_int),
            _ if encoding.is_unicode() => Ok(if code as u32 > 0x10_FFFF { TOO_BIG } else { INVALID }),
            _ => Err(ec.argument_error(&format!("invalid codepoint 0x{code:x} in {}", encoding.name()))),
        }
    }

    fn rb_enc_code_to_mbclen(_ec, code: c_int, encoding: *const CEncoding) -> c_int {
        encode_codepoint(index_of(encoding), code as u32, &mut Vec::new()).map_or(0, |len| len as c_int)
    }

    fn rb_enc_mbcput(_ec, code: u32, to: *mut u8, encoding: *const CEncoding) -> c_int {
        let mut bytes = Vec::new();
        let Ok(len) = encode_codepoint(index_of(encoding), code, &mut bytes) else { return 0 };
        // SAFETY: C passes room for a character.
        unsafe { to.copy_from_nonoverlapping(bytes.as_ptr(), bytes.len()) };
        len as c_int
    }

    fn rb_enc_uint_chr(ec, code: u32, encoding: *const CEncoding) -> Result {
        let encoding = value_of(ec, index_of(encoding))?;
        ec.call(Value::fixnum_unchecked(code.into()), name!(ec, "chr"), &[encoding])
    }

    fn rb_enc_toupper(_ec, code: c_int, _encoding: *const CEncoding) -> c_int {
        if (97..123).contains(&code) { code - 32 } else { code }
    }

    fn rb_enc_tolower(_ec, code: c_int, _encoding: *const CEncoding) -> c_int {
        if (65..91).contains(&code) { code + 32 } else { code }
    }

    fn rb_enc_ctype(_ec, code: u32, kind: c_int, encoding: *const CEncoding) -> Result<bool> {
        is_of_kind(code, kind, index_of(encoding))
    }

    fn rb_enc_left_char_head_function(
        _ec, first: *const u8, at: *const u8, end: *const u8, encoding: *const CEncoding,
    ) -> *const u8 {
        let offset = at.addr() - first.addr();
        first.wrapping_add(carat_text::chars::left_adjust(text_between(first, end, encoding), offset))
    }

    fn rb_enc_right_char_head_function(
        _ec, first: *const u8, at: *const u8, end: *const u8, encoding: *const CEncoding,
    ) -> *const u8 {
        let offset = at.addr() - first.addr();
        first.wrapping_add(carat_text::chars::right_adjust(text_between(first, end, encoding), offset))
    }

    fn rb_enc_alias(ec, _alias: Text, original: Text) -> Result<c_int> {
        match find(original.bytes()) {
            Some(encoding) => Ok(encoding.0.into()),
            None => Err(ec.argument_error(&format!("unknown encoding name - {}", original.lossy()))),
        }
    }

    fn rb_enc_reg_new(ec, bytes: *const u8, len: i64, encoding: *const CEncoding, options: c_int) -> Result {
        let source = Str::new(ec, bytes_at(bytes, len), index_of(encoding), CodeRange::Unknown).value();
        let regexp = constant(ec, "Regexp")?;
        ec.call(regexp, carat_vm::sym::NEW, &[source, Value::fixnum_unchecked(options.into())])
    }

    fn carat_mbc_case_fold(
        _ec, _flags: u32, place: *mut *const u8, end: *const u8, to: *mut u8, encoding: *const CEncoding,
    ) -> c_int {
        let first = crate::boundary::fetch(place);
        let bytes = between(first, end);
        let taken = mbclen(index_of(encoding), bytes).max(1).min(bytes.len().max(1));
        let lower: Vec<u8> = match std::str::from_utf8(&bytes[..taken.min(bytes.len())]) {
            Ok(text) => text.to_lowercase().into_bytes(),
            Err(_) => bytes[..taken.min(bytes.len())].to_ascii_lowercase(),
        };
        // SAFETY: C passes room for a folded character.
        unsafe { to.copy_from_nonoverlapping(lower.as_ptr(), lower.len()) };
        store(place, first.wrapping_add(taken));
        lower.len() as c_int
    }

    fn rb_define_dummy_encoding(ec, name: Text) -> Result<c_int> {
        Err(ec.not_implemented(&format!("an encoding of C code: {}", name.lossy())))
    }

    fn rb_enc_symname2_p(_ec, bytes: *const u8, len: i64, _encoding: *const CEncoding) -> bool {
        !bytes_at(bytes, len).is_empty()
    }

    fn rb_enc_symname_p(_ec, text: Text, _encoding: *const CEncoding) -> bool {
        !text.bytes().is_empty()
    }

    fn rb_econv_has_convpath_p(ec, from: Text, to: Text) -> Result<bool> {
        let converter = constant(ec, "Encoding::Converter")?;
        let (from, to) = (ec.str(&from.lossy()), ec.str(&to.lossy()));
        match ec.call(converter, name!(ec, "search_convpath"), &[from, to]) {
            Ok(_) => Ok(true),
            Err(unwind) if ec.is_unwinding_with(ec.vm().known().encoding_error) => {
                let _ = unwind;
                Ok(false)
            }
            Err(unwind) => Err(unwind),
        }
    }
}

fn checked_index(ec: &mut Ec, index: c_int) -> Result<EncodingIndex> {
    match valid_index(index) {
        Some(encoding) => Ok(encoding),
        None => {
            let class = ec.vm().known().encoding_error;
            Err(ec.error(class, &format!("encoding index out of bound: {index}")))
        }
    }
}

/// A length, -1 for what is no character, less for what more bytes could make one of.
fn precise_len(encoding: EncodingIndex, bytes: &[u8]) -> c_int {
    use carat_text::encoding::Char;
    if bytes.is_empty() {
        return -2;
    }
    match carat_text::encoding::char_len(encoding, bytes) {
        Char::Valid(len) => len as c_int,
        Char::NeedMore(missing) => -1 - missing as c_int,
        Char::Invalid => -1,
    }
}

/// Whether a character is of a kind, by its number in `enum onig_ctype`.
fn is_of_kind(code: u32, kind: c_int, encoding: EncodingIndex) -> Result<bool> {
    let is_same_in_unicode = code < 128 || encoding.is_unicode() || encoding == EncodingIndex::ISO_8859_1;
    let Some(character) = char::from_u32(code).filter(|_| is_same_in_unicode) else {
        return Ok(false);
    };
    Ok(match kind {
        0 => character == '\n',
        1 => character.is_alphabetic(),
        2 => character == ' ' || character == '\t',
        3 => character.is_control(),
        4 => character.is_numeric() && (code >= 128 || character.is_ascii_digit()),
        5 => !character.is_control() && !character.is_whitespace(),
        6 => character.is_lowercase(),
        7 => !character.is_control(),
        8 => character.is_ascii_punctuation(),
        9 => character.is_whitespace(),
        10 => character.is_uppercase(),
        11 => character.is_ascii_hexdigit(),
        12 => character.is_alphanumeric() || character == '_',
        13 => character.is_alphanumeric(),
        _ => code < 128,
    })
}
