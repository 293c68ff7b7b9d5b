//! Symbols and their numbers.

use crate::boundary::{CValue, Id, Text, bytes_at, fetch};
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, SymbolId, Value};
use rustc_hash::FxHashMap;
use std::ffi::{CString, c_char};
use std::sync::Mutex;

/// Names with a NUL behind them, made when C code asks for one. As symbols, they stay.
static TEXTS: Mutex<Option<FxHashMap<SymbolId, usize>>> = Mutex::new(None);

pub(crate) fn text_of(ec: &Ec, symbol: SymbolId) -> *const c_char {
    let mut texts = TEXTS.lock().unwrap_or_else(|e| e.into_inner());
    let address = *texts.get_or_insert_default().entry(symbol).or_insert_with(|| {
        let name = ec.vm().symbol_name(symbol).bytes;
        let text = CString::new(name.split(|byte| *byte == 0).next().unwrap_or_default()).unwrap_or_default();
        text.into_raw().expose_provenance()
    });
    std::ptr::with_exposed_provenance(address)
}

fn is_identifier(name: &[u8]) -> bool {
    let is_start = |byte: u8| byte == b'_' || byte.is_ascii_alphabetic() || byte >= 0x80;
    name.first().is_some_and(|first| is_start(*first))
        && name.iter().all(|byte| is_start(*byte) || byte.is_ascii_digit())
}

/// What kind of name it is.
#[derive(PartialEq, Eq)]
enum Kind {
    Constant,
    Instance,
    ClassVariable,
    Global,
    Local,
    Setter,
    Other,
}

fn kind_of(ec: &Ec, symbol: SymbolId) -> Kind {
    let name = ec.vm().symbol_name(symbol).bytes;
    if let Some(rest) = name.strip_prefix(b"@@") {
        return if is_identifier(rest) { Kind::ClassVariable } else { Kind::Other };
    }
    if let Some(rest) = name.strip_prefix(b"@") {
        return if is_identifier(rest) { Kind::Instance } else { Kind::Other };
    }
    if name.first() == Some(&b'$') {
        return Kind::Global;
    }
    if let Some(stem) = name.strip_suffix(b"=")
        && is_identifier(stem)
    {
        return Kind::Setter;
    }
    match name.first() {
        Some(first) if is_identifier(name) && first.is_ascii_uppercase() => Kind::Constant,
        Some(_) if is_identifier(name) => Kind::Local,
        _ => Kind::Other,
    }
}

/// The symbol that a symbol or a string names, if there is one.
fn existing(ec: &mut Ec, place: *mut CValue) -> Result<Option<SymbolId>> {
    let value = fetch(place).value();
    if value.as_symbol().is_none()
        && let Some(name) = ec.check_string(value)?
    {
        return Ok(ec.vm().existing_symbol(name.bytes(ec), name.encoding()));
    }
    to_symbol(ec, value).map(Some)
}

fn intern_checked(ec: &mut Ec, name: &[u8], encoding: EncodingIndex) -> Result<Id> {
    let string = Str::new(ec, name, encoding, CodeRange::Unknown);
    string.to_symbol(ec).map(Id)
}

api! {
    fn rb_intern(ec, name: Text) -> Id {
        Id(name.symbol(ec))
    }

    fn rb_intern2(ec, name: *const u8, len: i64) -> Result<Id> {
        let name = bytes_at(name, len);
        if name.is_ascii() {
            return Ok(Id(ec.vm().intern_bytes(name, EncodingIndex::US_ASCII)));
        }
        let encoding = if std::str::from_utf8(name).is_ok() { EncodingIndex::UTF_8 } else { EncodingIndex::ASCII_8BIT };
        intern_checked(ec, name, encoding)
    }

    fn rb_intern3(ec, name: *const u8, len: i64, encoding: *const crate::encoding::CEncoding) -> Result<Id> {
        intern_checked(ec, bytes_at(name, len), crate::encoding::index_of(encoding))
    }

    fn rb_intern_str(ec, name: Value) -> Result<Id> {
        let name = crate::boundary::string(ec, name)?;
        name.to_symbol(ec).map(Id)
    }

    fn rb_str_intern(ec, name: Value) -> Result {
        let name = crate::boundary::string(ec, name)?;
        name.to_symbol(ec).map(Value::symbol)
    }

    fn rb_id2name(ec, id: u64) -> *const c_char {
        if id == 0 { std::ptr::null() } else { text_of(ec, Id::from_word(id).0) }
    }

    fn rb_id2str(ec, id: u64) -> CValue {
        if id == 0 { CValue::from_word(0) } else { CValue::of(ec.symbol_to_str(Id::from_word(id).0).value()) }
    }

    fn rb_id2sym(_ec, id: Id) -> Value {
        Value::symbol(id.0)
    }

    fn rb_sym2id(ec, value: Value) -> Result<Id> {
        match value.as_symbol() {
            Some(symbol) => Ok(Id(symbol)),
            None => Err(ec.wrong_type(value, "Symbol")),
        }
    }

    fn rb_sym2str(ec, value: Value) -> Result<Str> {
        match value.as_symbol() {
            Some(symbol) => Ok(ec.symbol_to_str(symbol)),
            None => Err(ec.wrong_type(value, "Symbol")),
        }
    }

    fn rb_to_id(ec, value: Value) -> Result<Id> {
        to_symbol(ec, value).map(Id)
    }

    fn rb_to_symbol(ec, value: Value) -> Result {
        to_symbol(ec, value).map(Value::symbol)
    }

    fn rb_check_symbol(ec, place: *mut CValue) -> Result {
        Ok(existing(ec, place)?.map_or(Value::NIL, Value::symbol))
    }

    fn rb_check_id(ec, place: *mut CValue) -> Result<u64> {
        Ok(existing(ec, place)?.map_or(0, |symbol| Id(symbol).word()))
    }

    fn rb_check_symbol_cstr(ec, name: *const u8, len: i64, encoding: *const crate::encoding::CEncoding) -> Value {
        ec.vm().existing_symbol(bytes_at(name, len), crate::encoding::index_of(encoding)).map_or(Value::NIL, Value::symbol)
    }

    fn rb_check_id_cstr(ec, name: *const u8, len: i64, encoding: *const crate::encoding::CEncoding) -> u64 {
        ec.vm().existing_symbol(bytes_at(name, len), crate::encoding::index_of(encoding)).map_or(0, |symbol| Id(symbol).word())
    }

    fn rb_is_const_id(ec, id: Id) -> bool { kind_of(ec, id.0) == Kind::Constant }

    fn rb_is_instance_id(ec, id: Id) -> bool { kind_of(ec, id.0) == Kind::Instance }

    fn rb_is_class_id(ec, id: Id) -> bool { kind_of(ec, id.0) == Kind::ClassVariable }

    fn rb_is_local_id(ec, id: Id) -> bool { kind_of(ec, id.0) == Kind::Local }

    fn rb_is_global_id(ec, id: Id) -> bool { kind_of(ec, id.0) == Kind::Global }

    fn rb_is_attrset_id(ec, id: Id) -> bool { kind_of(ec, id.0) == Kind::Setter }

    fn rb_id_attrset(ec, id: Id) -> Id {
        let name = format!("{}=", ec.vm().symbol_text(id.0));
        Id(ec.vm().intern(&name))
    }

    fn rb_sym_all_symbols(ec) -> Result {
        ec.call(ec.vm().known().symbol.value(), name!(ec, "all_symbols"), &[])
    }
}

calls! {
    rb_sym_to_s(symbol) => "to_s";
    rb_sym_proc(symbol) => "to_proc";
}

fn to_symbol(ec: &mut Ec, value: Value) -> Result<SymbolId> {
    match value.as_symbol() {
        Some(symbol) => Ok(symbol),
        None => ec.to_name(value),
    }
}
