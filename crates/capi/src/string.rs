//! Strings.

use crate::boundary::{CValue, Room, Text, bytes_at, constant, fetch, kernel_call, store, string, values};
use crate::encoding::{CEncoding, index_of};
use crate::memory::fillable;
use crate::variable::bool_value::Truth;
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Value, sym};
use std::ffi::c_int;

/// A new string of C's bytes; without an address, of so many that C code is going to write.
fn new(ec: &mut Ec, bytes: *const u8, len: i64, encoding: EncodingIndex) -> Result<Str> {
    if len < 0 {
        return Err(ec.argument_error("negative string size (or size too big)"));
    }
    ec.ensure_memory(len as usize)?;
    ec.collect_if_due();
    if bytes.is_null() {
        let made = fillable(ec, len as usize);
        made.set_encoding(encoding);
        return Ok(made);
    }
    Ok(Str::new(ec, bytes_at(bytes, len), encoding, CodeRange::Unknown))
}

fn of_text(ec: &mut Ec, text: Text, encoding: EncodingIndex) -> Result<Str> {
    if text.is_null() {
        return Err(ec.argument_error("NULL pointer given"));
    }
    ec.collect_if_due();
    Ok(Str::new(ec, text.bytes(), encoding, CodeRange::Unknown))
}

/// The encoding of an `Encoding` that a class method names, or binary.
pub(crate) fn named_encoding(ec: &mut Ec, name: &str) -> Result<Option<EncodingIndex>> {
    let class = ec.vm().known().encoding.value();
    let encoding = match name {
        "locale" | "filesystem" => {
            let name = Str::from_text(ec, name).value();
            ec.call(class, name!(ec, "find"), &[name])?
        }
        name => ec.call(class, ec.vm().intern(name), &[])?,
    };
    if encoding.is_nil() {
        return Ok(None);
    }
    crate::encoding::of_value(ec, encoding).map(Some)
}

/// Bytes from outside: in an encoding, converted to the internal one if there is one.
fn external(ec: &mut Ec, bytes: &[u8], encoding: EncodingIndex) -> Result {
    let is_ascii = encoding != EncodingIndex::US_ASCII || bytes.is_ascii();
    let encoding = if is_ascii { encoding } else { EncodingIndex::ASCII_8BIT };
    let made = Str::new(ec, bytes, encoding, CodeRange::Unknown);
    let Some(internal) = named_encoding(ec, "default_internal")? else { return Ok(made.value()) };
    convert(ec, made.value(), encoding, internal)
}

/// The string in another encoding; itself if that cannot be.
pub(crate) fn convert(ec: &mut Ec, value: Value, from: EncodingIndex, to: EncodingIndex) -> Result {
    let source = string(ec, value)?;
    if from == to || to == EncodingIndex::ASCII_8BIT {
        return Ok(value);
    }
    if source.is_ascii(ec) && to.is_ascii_compatible() {
        if source.encoding() == to {
            return Ok(value);
        }
        let copy = source.duplicate(ec);
        copy.set_encoding(to);
        return Ok(copy.value());
    }
    let (to, from) = (crate::encoding::value_of(ec, to)?, crate::encoding::value_of(ec, from)?);
    let errinfo = ec.errinfo();
    match ec.call(value, name!(ec, "encode"), &[to, from]) {
        Ok(converted) => Ok(converted),
        Err(unwind) if ec.is_unwinding_with(ec.vm().known().encoding_error) => {
            let _ = unwind;
            ec.set_errinfo(errinfo);
            Ok(value)
        }
        Err(unwind) => Err(unwind),
    }
}

/// What `StringValue` makes of C's variable.
fn string_value(ec: &mut Ec, place: *mut CValue) -> Result<Str> {
    let value = fetch(place).value();
    if let Some(found) = Str::from_value(value) {
        return Ok(found);
    }
    let made = ec.to_str(value)?;
    store(place, CValue::of(made.value()));
    Ok(made)
}

fn modifiable(ec: &mut Ec, value: Value) -> Result<Str> {
    let found = string(ec, value)?;
    found.check_mutable(ec)?;
    Ok(found)
}

fn append(ec: &mut Ec, value: Value, bytes: &[u8]) -> Result {
    let target = modifiable(ec, value)?;
    // C may append a part of the string itself, which growing moves.
    let own = target.bytes(ec).as_ptr_range();
    if bytes.as_ptr_range().start < own.end && own.start < bytes.as_ptr_range().end {
        let copy: Box<[u8]> = bytes.into();
        target.make_room(ec, copy.len())?;
        target.push_bytes(ec, &copy);
        return Ok(value);
    }
    target.make_room(ec, bytes.len())?;
    target.push_bytes(ec, bytes);
    Ok(value)
}

/// A substring by bytes.
fn bytes_of(ec: &mut Ec, value: Value, start: i64, len: i64) -> Result {
    let source = string(ec, value)?;
    let size = source.len(ec) as i64;
    if start > size || start < 0 || len < 0 {
        return Ok(Value::NIL);
    }
    Ok(source.share(ec, start as usize, len.min(size - start) as usize).value())
}

fn int(value: i64) -> Value {
    Value::fixnum_unchecked(value)
}

api! {
    fn rb_str_pointer(ec, value: Value) -> Result<*mut u8> {
        let found = string(ec, value)?;
        Ok(found.expose(ec))
    }

    fn rb_str_new(ec, bytes: *const u8, len: i64) -> Result<Str> {
        new(ec, bytes, len, EncodingIndex::ASCII_8BIT)
    }

    fn rb_str_new_static(ec, bytes: *const u8, len: i64) -> Result<Str> {
        new(ec, bytes, len, EncodingIndex::ASCII_8BIT)
    }

    fn rb_str_new_cstr(ec, text: Text) -> Result<Str> {
        of_text(ec, text, EncodingIndex::ASCII_8BIT)
    }

    fn rb_str_buf_new_cstr(ec, text: Text) -> Result<Str> {
        of_text(ec, text, EncodingIndex::ASCII_8BIT)
    }

    fn rb_str_buf_new(ec, capacity: i64) -> Result<Str> {
        let capacity = capacity.max(63) as usize;
        ec.ensure_memory(capacity)?;
        ec.collect_if_due();
        let class = ec.vm().known().string;
        Ok(Str::with_capacity_of(ec, class, capacity, EncodingIndex::ASCII_8BIT))
    }

    fn rb_str_tmp_new(ec, len: i64) -> Result<Str> {
        new(ec, std::ptr::null(), len, EncodingIndex::ASCII_8BIT)
    }

    fn rb_usascii_str_new(ec, bytes: *const u8, len: i64) -> Result<Str> {
        new(ec, bytes, len, EncodingIndex::US_ASCII)
    }

    fn rb_usascii_str_new_static(ec, bytes: *const u8, len: i64) -> Result<Str> {
        new(ec, bytes, len, EncodingIndex::US_ASCII)
    }

    fn rb_usascii_str_new_cstr(ec, text: Text) -> Result<Str> {
        of_text(ec, text, EncodingIndex::US_ASCII)
    }

    fn rb_utf8_str_new(ec, bytes: *const u8, len: i64) -> Result<Str> {
        new(ec, bytes, len, EncodingIndex::UTF_8)
    }

    fn rb_utf8_str_new_static(ec, bytes: *const u8, len: i64) -> Result<Str> {
        new(ec, bytes, len, EncodingIndex::UTF_8)
    }

    fn rb_utf8_str_new_cstr(ec, text: Text) -> Result<Str> {
        of_text(ec, text, EncodingIndex::UTF_8)
    }

    fn rb_enc_str_new(ec, bytes: *const u8, len: i64, encoding: *const CEncoding) -> Result<Str> {
        new(ec, bytes, len, index_of(encoding))
    }

    fn rb_enc_str_new_static(ec, bytes: *const u8, len: i64, encoding: *const CEncoding) -> Result<Str> {
        new(ec, bytes, len, index_of(encoding))
    }

    fn rb_enc_str_new_cstr(ec, text: Text, encoding: *const CEncoding) -> Result<Str> {
        if index_of(encoding).min_len() != 1 {
            return Err(ec.argument_error(&format!("wide char encoding: {}", index_of(encoding).name())));
        }
        of_text(ec, text, index_of(encoding))
    }

    fn rb_interned_str(ec, bytes: *const u8, len: i64) -> Str {
        interned(ec, bytes_at(bytes, len), EncodingIndex::US_ASCII)
    }

    fn rb_interned_str_cstr(ec, text: Text) -> Str {
        interned(ec, text.bytes(), EncodingIndex::US_ASCII)
    }

    fn rb_enc_interned_str(ec, bytes: *const u8, len: i64, encoding: *const CEncoding) -> Str {
        interned(ec, bytes_at(bytes, len), index_of(encoding))
    }

    fn rb_enc_interned_str_cstr(ec, text: Text, encoding: *const CEncoding) -> Str {
        interned(ec, text.bytes(), index_of(encoding))
    }

    fn rb_str_to_interned_str(ec, value: Value) -> Result<Str> {
        let found = string(ec, value)?;
        Ok(found.fstring(ec))
    }

    fn rb_external_str_new(ec, bytes: *const u8, len: i64) -> Result {
        let encoding = named_encoding(ec, "default_external")?.unwrap_or(EncodingIndex::ASCII_8BIT);
        external(ec, bytes_at(bytes, len), encoding)
    }

    fn rb_external_str_new_cstr(ec, text: Text) -> Result {
        let encoding = named_encoding(ec, "default_external")?.unwrap_or(EncodingIndex::ASCII_8BIT);
        external(ec, text.bytes(), encoding)
    }

    fn rb_external_str_new_with_enc(ec, bytes: *const u8, len: i64, encoding: *const CEncoding) -> Result {
        external(ec, bytes_at(bytes, len), index_of(encoding))
    }

    fn rb_locale_str_new(ec, bytes: *const u8, len: i64) -> Result {
        let encoding = named_encoding(ec, "locale")?.unwrap_or(EncodingIndex::UTF_8);
        external(ec, bytes_at(bytes, len), encoding)
    }

    fn rb_locale_str_new_cstr(ec, text: Text) -> Result {
        let encoding = named_encoding(ec, "locale")?.unwrap_or(EncodingIndex::UTF_8);
        external(ec, text.bytes(), encoding)
    }

    fn rb_filesystem_str_new(ec, bytes: *const u8, len: i64) -> Result {
        let encoding = named_encoding(ec, "filesystem")?.unwrap_or(EncodingIndex::UTF_8);
        external(ec, bytes_at(bytes, len), encoding)
    }

    fn rb_filesystem_str_new_cstr(ec, text: Text) -> Result {
        let encoding = named_encoding(ec, "filesystem")?.unwrap_or(EncodingIndex::UTF_8);
        external(ec, text.bytes(), encoding)
    }

    fn rb_str_new_shared(ec, value: Value) -> Result<Str> {
        let (found, class) = (string(ec, value)?, ec.class_of(value).real());
        Ok(found.copy_of(ec, class))
    }

    fn rb_str_new_frozen(ec, value: Value) -> Result<Str> {
        let (found, class) = (string(ec, value)?, ec.class_of(value).real());
        if found.is_frozen() {
            return Ok(found);
        }
        let copy = found.copy_of(ec, class);
        ec.freeze(copy.value());
        Ok(copy)
    }

    fn rb_str_new_with_class(ec, value: Value, bytes: *const u8, len: i64) -> Result<Str> {
        let (found, class) = (string(ec, value)?, ec.class_of(value).real());
        Ok(Str::new_of(ec, class, bytes_at(bytes, len), found.encoding(), CodeRange::Unknown))
    }

    fn rb_str_dup(ec, value: Value) -> Result<Str> {
        let (found, class) = (string(ec, value)?, ec.class_of(value).real());
        ec.collect_if_due();
        Ok(found.copy_of(ec, class))
    }

    fn rb_str_resurrect(ec, value: Value) -> Result<Str> {
        let found = string(ec, value)?;
        Ok(found.copy(ec))
    }

    fn rb_str_dup_frozen(ec, value: Value) -> Result<Str> {
        let found = string(ec, value)?;
        let copy = found.copy(ec);
        ec.freeze(copy.value());
        Ok(copy)
    }

    fn rb_str_freeze(ec, value: Value) -> Value {
        ec.freeze(value);
        value
    }

    fn rb_string_value(ec, place: *mut CValue) -> Result<Str> {
        string_value(ec, place)
    }

    fn rb_string_value_ptr(ec, place: *mut CValue) -> Result<*mut u8> {
        let found = string_value(ec, place)?;
        Ok(found.expose(ec))
    }

    fn rb_string_value_cstr(ec, place: *mut CValue) -> Result<*mut u8> {
        let found = string_value(ec, place)?;
        let width = found.encoding().min_len();
        let has_null = found.bytes(ec).chunks_exact(width).any(|unit| unit.iter().all(|byte| *byte == 0));
        if has_null {
            return Err(ec.argument_error(if width == 1 { "string contains null byte" } else { "string contains null char" }));
        }
        Ok(found.expose(ec))
    }

    fn rb_str_to_str(ec, value: Value) -> Result<Str> {
        ec.to_str(value)
    }

    fn rb_check_string_type(ec, value: Value) -> Result {
        Ok(ec.check_string(value)?.map_or(Value::NIL, Str::value))
    }

    fn rb_str_cat(ec, value: Value, bytes: *const u8, len: i64) -> Result {
        if len < 0 {
            return Err(ec.argument_error("negative string size (or size too big)"));
        }
        append(ec, value, bytes_at(bytes, len))
    }

    fn rb_str_cat_cstr(ec, value: Value, text: Text) -> Result {
        if text.is_null() {
            return Err(ec.argument_error("NULL pointer given"));
        }
        append(ec, value, text.bytes())
    }

    fn rb_str_buf_cat_ascii(ec, value: Value, text: Text) -> Result {
        let encoding = string(ec, value)?.encoding();
        if encoding.is_ascii_compatible() {
            return append(ec, value, text.bytes());
        }
        let mut wide = Vec::new();
        for byte in text.bytes() {
            if carat_text::encoding::encode_codepoint(encoding, u32::from(*byte), &mut wide).is_err() {
                return Err(ec.argument_error(&format!("invalid codepoint 0x{byte:x} in {}", encoding.name())));
            }
        }
        append(ec, value, &wide)
    }

    fn rb_enc_str_buf_cat(ec, value: Value, bytes: *const u8, len: i64, encoding: *const CEncoding) -> Result {
        let piece = Str::new(ec, bytes_at(bytes, len), index_of(encoding), CodeRange::Unknown).value();
        ec.call(value, sym::LTLT, &[piece])
    }

    fn rb_str_append(ec, value: Value, other: Value) -> Result {
        let other = ec.to_str(other)?.value();
        ec.call(value, sym::LTLT, &[other])
    }

    fn rb_str_buf_append(ec, value: Value, other: Value) -> Result {
        ec.call(value, sym::LTLT, &[other])
    }

    fn rb_str_substr(ec, value: Value, start: i64, len: i64) -> Result {
        ec.call(value, sym::AREF, &[int(start), int(len)])
    }

    fn rb_str_subseq(ec, value: Value, start: i64, len: i64) -> Result {
        bytes_of(ec, value, start, len)
    }

    fn rb_str_subpos(ec, value: Value, start: i64, len: *mut i64) -> Result<*mut u8> {
        let source = string(ec, value)?;
        let text = source.as_text(ec);
        let Some(range) = carat_text::chars::substring(text, start as isize, fetch(len).max(0) as usize) else {
            return Ok(std::ptr::null_mut());
        };
        store(len, range.len() as i64);
        // SAFETY: the range lies inside the string.
        Ok(unsafe { source.expose(ec).add(range.start) })
    }

    fn rb_str_split(ec, value: Value, separator: Text) -> Result {
        let separator = Str::new(ec, separator.bytes(), EncodingIndex::UTF_8, CodeRange::Unknown).value();
        ec.call(value, name!(ec, "split"), &[separator])
    }

    fn rb_str_update(ec, value: Value, start: i64, len: i64, with: Value) -> Result<()> {
        ec.call(value, sym::ASET, &[int(start), int(len), with]).map(drop)
    }

    fn rb_str_shared_replace(ec, value: Value, other: Value) -> Result<()> {
        ec.call(value, name!(ec, "replace"), &[other]).map(drop)
    }

    fn rb_str_drop_bytes(ec, value: Value, count: i64) -> Result {
        let target = modifiable(ec, value)?;
        let (size, count) = (target.len(ec), count.max(0) as usize);
        let kept: Box<[u8]> = target.bytes(ec)[count.min(size)..].into();
        target.overwrite(ec, &kept);
        Ok(value)
    }

    fn rb_str_strlen(ec, value: Value) -> Result<i64> {
        let found = string(ec, value)?;
        Ok(carat_text::chars::count(found.as_text(ec)) as i64)
    }

    fn rb_str_offset(ec, value: Value, nth: i64) -> Result<i64> {
        let found = string(ec, value)?;
        Ok(carat_text::chars::offset(found.as_text(ec), nth.max(0) as usize).unwrap_or(found.len(ec)) as i64)
    }

    fn rb_str_sublen(ec, value: Value, at: i64) -> Result<i64> {
        let found = string(ec, value)?;
        let at = (at.max(0) as usize).min(found.len(ec));
        Ok(carat_text::chars::index_of_offset(found.as_text(ec), at) as i64)
    }

    fn rb_str_capacity(ec, value: Value) -> Result<usize> {
        let found = string(ec, value)?;
        Ok(found.capacity(ec))
    }

    fn rb_str_cmp(ec, a: Value, b: Value) -> Result<i32> {
        let order = ec.call(a, sym::CMP, &[b])?;
        Ok(order.as_fixnum().unwrap_or(0) as i32)
    }

    fn rb_str_hash(ec, value: Value) -> Result<i64> {
        let hash = ec.call(value, sym::HASH, &[])?;
        Ok(hash.as_fixnum().unwrap_or(0))
    }

    fn rb_str_hash_cmp(ec, a: Value, b: Value) -> Result<bool> {
        Ok(!ec.equal(a, b)?)
    }

    fn rb_str_comparable(ec, a: Value, b: Value) -> Result<bool> {
        let (a, b) = (string(ec, a)?, string(ec, b)?);
        Ok(a.compatible_encoding(ec, b).is_some())
    }

    fn rb_str_modify(ec, value: Value) -> Result<()> {
        let target = modifiable(ec, value)?;
        target.bytes_mut(ec);
        Ok(())
    }

    fn rb_str_modify_expand(ec, value: Value, added: i64) -> Result<()> {
        if added < 0 {
            return Err(ec.argument_error("negative expanding string size"));
        }
        let target = modifiable(ec, value)?;
        let len = target.len(ec);
        ec.ensure_memory(added as usize)?;
        target.reserve(ec, len + added as usize + 1);
        target.bytes_mut(ec);
        Ok(())
    }

    fn rb_str_set_len(ec, value: Value, len: i64) -> Result<()> {
        let target = modifiable(ec, value)?;
        if len < 0 || !target.set_written_len(ec, len as usize) {
            return Err(ec.runtime_error("probable buffer overflow: set a length beyond the capacity"));
        }
        Ok(())
    }

    fn rb_str_resize(ec, value: Value, len: i64) -> Result {
        if len < 0 {
            return Err(ec.argument_error("negative string size (or size too big)"));
        }
        let target = string(ec, value)?;
        if target.len(ec) as i64 != len {
            target.check_mutable(ec)?;
            resize(ec, target, len as usize)?;
        }
        Ok(value)
    }

    fn rb_str_free(ec, value: Value) -> Result<()> {
        let target = string(ec, value)?;
        target.clear(ec);
        Ok(())
    }

    fn rb_str_locktmp(ec, value: Value) -> Result {
        let target = string(ec, value)?;
        if target.is_frozen() {
            return Err(ec.frozen_error(value));
        }
        if target.is_locked() {
            return Err(ec.runtime_error("temporal locking already locked string"));
        }
        target.set_locked(true);
        Ok(value)
    }

    fn rb_str_unlocktmp(ec, value: Value) -> Result {
        let target = string(ec, value)?;
        if target.is_frozen() {
            return Err(ec.frozen_error(value));
        }
        if !target.is_locked() {
            return Err(ec.runtime_error("temporal unlocking already unlocked string"));
        }
        target.set_locked(false);
        Ok(value)
    }

    fn rb_str_export(ec, value: Value) -> Result {
        let to = named_encoding(ec, "default_external")?.unwrap_or(EncodingIndex::UTF_8);
        let from = string(ec, value)?.encoding();
        convert(ec, value, from, to)
    }

    fn rb_str_export_locale(ec, value: Value) -> Result {
        let to = named_encoding(ec, "locale")?.unwrap_or(EncodingIndex::UTF_8);
        let from = string(ec, value)?.encoding();
        convert(ec, value, from, to)
    }

    fn rb_str_export_to_enc(ec, value: Value, encoding: *const CEncoding) -> Result {
        let from = string(ec, value)?.encoding();
        convert(ec, value, from, index_of(encoding))
    }

    fn rb_str_conv_enc(ec, value: Value, from: *const CEncoding, to: *const CEncoding) -> Result {
        conv_enc(ec, value, from, to)
    }

    fn rb_str_conv_enc_opts(
        ec, value: Value, from: *const CEncoding, to: *const CEncoding, _flags: i32, _options: Value,
    ) -> Result {
        conv_enc(ec, value, from, to)
    }

    fn rb_str_encode(ec, value: Value, to: Value, flags: i32, options: Value) -> Result {
        encode(ec, value, to, flags, options)
    }

    fn rb_get_path(ec, value: Value) -> Result {
        path(ec, value)
    }

    fn rb_get_path_no_checksafe(ec, value: Value) -> Result {
        path(ec, value)
    }

    fn rb_str_encode_ospath(_ec, value: Value) -> Value {
        value
    }

    fn rb_must_asciicompat(ec, value: Value) -> Result<()> {
        let found = string(ec, value)?;
        if found.encoding().is_ascii_compatible() {
            return Ok(());
        }
        let message = format!("ASCII incompatible encoding: {}", found.encoding().name());
        Err(ec.error(ec.vm().known().compatibility_error, &message))
    }

    fn rb_str_format(ec, count: i32, list: *const CValue, format: Value) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        let mut args = Vec::with_capacity(list.len() + 1);
        args.push(format);
        args.extend_from_slice(list);
        kernel_call(ec, name!(ec, "format"), &args)
    }

    fn rb_f_sprintf(ec, count: i32, list: *const CValue) -> Result {
        kernel_call(ec, name!(ec, "format"), values(count.into(), list, &mut Room::new()))
    }

    fn rb_str_equal(ec, a: Value, b: Value) -> Result<Truth> {
        Ok(Truth(a == b || ec.equal(a, b)?))
    }

    fn rb_str_scrub(ec, value: Value, with: Value) -> Result {
        let found = string(ec, value)?;
        if found.range(ec).is_valid() {
            return Ok(Value::NIL);
        }
        ec.call(value, name!(ec, "scrub"), &[with])
    }

    fn rb_str_setter(ec, value: Value, name: crate::boundary::Id, place: *mut CValue) -> Result<()> {
        if !value.is_nil() && Str::from_value(value).is_none() {
            let text = ec.vm().symbol_text(name.0);
            return Err(ec.type_error(&format!("value of {text} must be String")));
        }
        store(place, CValue::of(value));
        Ok(())
    }

    fn rb_memcicmp(_ec, a: *const u8, b: *const u8, len: i64) -> c_int {
        let (a, b) = (bytes_at(a, len), bytes_at(b, len));
        let differ = a.iter().zip(b).map(|(a, b)| c_int::from(a.to_ascii_lowercase()) - c_int::from(b.to_ascii_lowercase()));
        differ.into_iter().find(|order| *order != 0).unwrap_or(0)
    }

    fn rb_memsearch(_ec, wanted: *const u8, wanted_len: i64, text: *const u8, len: i64, _encoding: *const CEncoding) -> i64 {
        let (wanted, text) = (bytes_at(wanted, wanted_len), bytes_at(text, len));
        if wanted.is_empty() {
            return 0;
        }
        text.windows(wanted.len()).position(|window| window == wanted).map_or(-1, |at| at as i64)
    }

    fn rb_memhash(_ec, bytes: *const u8, len: i64) -> u64 {
        use std::hash::Hasher;
        let mut hasher = rustc_hash::FxHasher::default();
        hasher.write(bytes_at(bytes, len));
        hasher.finish()
    }
}

calls! {
    rb_str_plus(a, b) => "+";
    rb_str_times(string, count) => "*";
    rb_str_concat(string, other) => "<<";
    rb_str_replace(string, other) => "replace";
    rb_str_inspect(string) => "inspect";
    rb_str_dump(string) => "dump";
    rb_str_length(string) => "length";
    rb_str_succ(string) => "succ";
}

fn interned(ec: &mut Ec, bytes: &[u8], encoding: EncodingIndex) -> Str {
    let encoding =
        if encoding == EncodingIndex::US_ASCII && !bytes.is_ascii() { EncodingIndex::ASCII_8BIT } else { encoding };
    ec.fstring(bytes, encoding)
}

/// Another length; what is new is for C code to write.
fn resize(ec: &mut Ec, target: Str, len: usize) -> Result<()> {
    ec.ensure_memory(len)?;
    let old = target.len(ec);
    if len < old {
        target.truncate(ec, len);
        target.set_range(CodeRange::Unknown);
        return Ok(());
    }
    target.reserve(ec, len + 1);
    // C code may have written there already.
    target.set_written_len(ec, len);
    Ok(())
}

fn conv_enc(ec: &mut Ec, value: Value, from: *const CEncoding, to: *const CEncoding) -> Result {
    if to.is_null() {
        return Ok(value);
    }
    let from = if from.is_null() { string(ec, value)?.encoding() } else { index_of(from) };
    convert(ec, value, from, index_of(to))
}

/// `encode(to, **options)`, with flags that C code gives as bits.
fn encode(ec: &mut Ec, value: Value, to: Value, flags: c_int, options: Value) -> Result {
    let keywords = carat_vm::Hash::new(ec);
    if let Some(given) = carat_vm::Hash::from_value(options) {
        keywords.store_all(ec, given)?;
    }
    let known: [(c_int, &str, Value); 4] = [
        (0x02, "invalid", Value::symbol(name!(ec, "replace"))),
        (0x20, "undef", Value::symbol(name!(ec, "replace"))),
        (0x100, "universal_newline", Value::TRUE),
        (0x1000, "crlf_newline", Value::TRUE),
    ];
    for (bit, name, setting) in known {
        if flags & bit != 0 {
            keywords.set_symbol(ec, ec.vm().intern(name), setting);
        }
    }
    for (bits, kind) in [(0x8000, "text"), (0x10000, "attr")] {
        if flags & bits != 0 {
            keywords.set_symbol(ec, name!(ec, "xml"), Value::symbol(ec.vm().intern(kind)));
        }
    }
    let passing = carat_vm::call::Passing { keywords: Some(keywords), block: None };
    ec.call_with(value, name!(ec, "encode"), &[to], passing)
}

fn path(ec: &mut Ec, value: Value) -> Result {
    let file = constant(ec, "File")?;
    let path = ec.call(file, name!(ec, "path"), &[value])?;
    Ok(path)
}
