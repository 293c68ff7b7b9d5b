//! `Encoding`, its defaults, and the errors of conversion.
//!
//! Each encoding is one object that lives as long as the VM; its number is the index that string headers keep.
//!
//! # Code map
//! `converter` is `Encoding::Converter`; `errors` the methods of the conversion errors.

mod converter;
mod errors;

use carat_sync::OnceLock;
use carat_text::coderange::CodeRange;
use carat_text::compat;
use carat_vm::{Array, Data, Ec, EncodingIndex, Hash, NativeData, Result, Str, Value, methods, primitives};
use std::sync::atomic::{AtomicU8, Ordering};

pub(crate) use errors::raise_transcode;

methods! {
    METHODS {
        static "list" => list;
        static "name_list" => name_list;
        static "aliases" => aliases;
        static "find" => find;
        static "compatible?" => compatible;
        static "default_external" => default_external_object;
        static "default_external=" => set_default_external;
        static "default_internal" => default_internal_object;
        static "default_internal=" => set_default_internal;
        static "locale_charmap" => locale_charmap;
        "name" => name;
        alias "to_s" of "name" => name;
        "names" => names;
        "inspect" => inspect;
        "dummy?" => is_dummy;
        "ascii_compatible?" => is_ascii_compatible;
        "_dump" => dump;
        static "_load" => load;
    }
}

primitives! {
    PRIMITIVES {}
}

/// An encoding object.
struct Encoding(EncodingIndex);

impl NativeData for Encoding {
    const NAME: &'static str = "Encoding";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// What `default_internal` stores for nil.
const NONE: u8 = u8::MAX;

/// The encoding objects of a VM and its defaults.
pub(crate) struct Encodings {
    /// An array kept alive by the VM, by index.
    objects: OnceLock<Array>,
    external: AtomicU8,
    internal: AtomicU8,
    /// What the environment says of the terminal and of file names.
    locale: AtomicU8,
}

impl Default for Encodings {
    fn default() -> Encodings {
        Encodings {
            objects: OnceLock::new(),
            external: AtomicU8::new(EncodingIndex::UTF_8.0),
            internal: AtomicU8::new(NONE),
            locale: AtomicU8::new(EncodingIndex::UTF_8.0),
        }
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let class = ec.vm().known().encoding;
    class.set_allocator(None);
    class.define_methods(ec, METHODS);
    let objects = Array::new(ec, EncodingIndex::all().count());
    for index in EncodingIndex::all() {
        let object = Data::new(ec, class, Encoding(index)).value();
        ec.freeze(object);
        objects.push(ec, object);
        define_constants(ec, index, object);
    }
    ec.vm().keep(objects.value());
    let _ = ec.vm().extension::<Encodings>().objects.set(objects);
    let unicode = ec.fstring(crate::system::version::UNICODE.as_bytes(), EncodingIndex::US_ASCII);
    set_constant(ec, "UNICODE_VERSION", unicode.value());
    errors::init(ec);
    converter::init(ec);
}

/// `Encoding::UTF_8` for "UTF-8"; names that begin small get a constant with a capital and one all in capitals.
fn define_constants(ec: &Ec, index: EncodingIndex, object: Value) {
    for name in std::iter::once(index.name()).chain(index.aliases().iter().copied()) {
        let Some(first) = name.chars().next().filter(char::is_ascii_alphabetic) else { continue };
        let mut constant: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c } else { '_' }).collect();
        let has_lower = constant.bytes().any(|b| b.is_ascii_lowercase());
        if first.is_ascii_lowercase() {
            constant[..1].make_ascii_uppercase();
        }
        set_constant(ec, &constant, object);
        if has_lower {
            set_constant(ec, &constant.to_ascii_uppercase(), object);
        }
    }
}

fn set_constant(ec: &Ec, name: &str, object: Value) {
    let class = ec.vm().known().encoding;
    let name = ec.vm().intern(name);
    if class.own_constant(name).is_none() {
        class.set_constant(ec, name, object);
    }
}

/// The object of an encoding.
pub(crate) fn object(ec: &Ec, index: EncodingIndex) -> Value {
    let state = ec.vm().extension_ref::<Encodings>();
    state.objects.get().map_or(Value::NIL, |list| list.at(ec, usize::from(index.0)))
}

/// The encoding that an object is.
pub(crate) fn index_of(ec: &Ec, value: Value) -> Option<EncodingIndex> {
    Data::<Encoding>::from_value(value).map(|data| data.get(ec).0)
}

/// An encoding by object or by name.
pub(crate) fn to_encoding(ec: &mut Ec, value: Value) -> Result<EncodingIndex> {
    if let Some(index) = index_of(ec, value) {
        return Ok(index);
    }
    let name = ec.to_str(value)?;
    if !name.encoding().is_ascii_compatible() {
        let shown = name.encoding().name();
        return Err(ec.argument_error(&format!("invalid encoding name (non ASCII): {shown}")));
    }
    match find_by_name(ec, name.bytes(ec)) {
        Some(index) => Ok(index),
        None if is_internal(name.bytes(ec)) => Ok(EncodingIndex::BINARY),
        None => {
            let shown = name.to_text(ec);
            Err(ec.argument_error(&format!("unknown encoding name - {shown}")))
        }
    }
}

/// Whether the default internal encoding is meant, of which there may be none.
fn is_internal(name: &[u8]) -> bool {
    name.eq_ignore_ascii_case(b"internal")
}

/// By name, those that depend on the process included.
pub(crate) fn find_by_name(ec: &Ec, name: &[u8]) -> Option<EncodingIndex> {
    if let Some(index) = EncodingIndex::find_by_name(name) {
        return Some(index);
    }
    match name.to_ascii_lowercase().as_slice() {
        b"external" | b"filesystem" => Some(default_external(ec)),
        b"locale" => Some(locale(ec)),
        b"internal" => default_internal(ec),
        _ => None,
    }
}

pub(crate) fn default_external(ec: &Ec) -> EncodingIndex {
    EncodingIndex(ec.vm().extension_ref::<Encodings>().external.load(Ordering::Relaxed))
}

pub(crate) fn locale(ec: &Ec) -> EncodingIndex {
    EncodingIndex(ec.vm().extension_ref::<Encodings>().locale.load(Ordering::Relaxed))
}

/// The encoding of the locale, which is the external one too until a program says otherwise.
pub(crate) fn set_locale(ec: &Ec, index: EncodingIndex) {
    let state = ec.vm().extension::<Encodings>();
    state.locale.store(index.0, Ordering::Relaxed);
    state.external.store(index.0, Ordering::Relaxed);
}

pub(crate) fn default_internal(ec: &Ec) -> Option<EncodingIndex> {
    let index = ec.vm().extension_ref::<Encodings>().internal.load(Ordering::Relaxed);
    (index != NONE).then_some(EncodingIndex(index))
}

/// What results of `inspect` are in: the internal encoding, or else the external one.
pub(crate) fn preferred(ec: &Ec) -> EncodingIndex {
    default_internal(ec).unwrap_or_else(|| default_external(ec))
}

fn default_external_object(ec: &mut Ec, _class: Value) -> Value {
    object(ec, default_external(ec))
}

fn default_internal_object(ec: &mut Ec, _class: Value) -> Option<Value> {
    default_internal(ec).map(|index| object(ec, index))
}

fn set_default_external(ec: &mut Ec, _class: Value, value: Value) -> Result {
    if value.is_nil() {
        return Err(ec.argument_error("default external can not be nil"));
    }
    let index = to_encoding(ec, value)?;
    ec.vm().extension_ref::<Encodings>().external.store(index.0, Ordering::Relaxed);
    Ok(value)
}

fn set_default_internal(ec: &mut Ec, _class: Value, value: Value) -> Result {
    let index = if value.is_nil() { NONE } else { to_encoding(ec, value)?.0 };
    ec.vm().extension_ref::<Encodings>().internal.store(index, Ordering::Relaxed);
    Ok(value)
}

fn locale_charmap(ec: &mut Ec, _class: Value) -> Str {
    match locale(ec) {
        // The C library's name for it.
        EncodingIndex::US_ASCII => Str::from_ascii(ec, b"ANSI_X3.4-1968"),
        other => Str::from_ascii(ec, other.name().as_bytes()),
    }
}

fn list(ec: &mut Ec, _class: Value) -> Array {
    let objects = Array::new(ec, EncodingIndex::all().count());
    EncodingIndex::all().for_each(|index| objects.push(ec, object(ec, index)));
    objects
}

/// The names that depend on the process, and what they stand for.
const PROCESS_NAMES: [&str; 4] = ["locale", "external", "filesystem", "internal"];

fn name_list(ec: &mut Ec, _class: Value) -> Array {
    let list = Array::new(ec, 0);
    for index in EncodingIndex::all() {
        list.push(ec, Str::from_ascii(ec, index.name().as_bytes()).value());
    }
    for index in EncodingIndex::all() {
        index.aliases().iter().for_each(|alias| list.push(ec, Str::from_ascii(ec, alias.as_bytes()).value()));
    }
    PROCESS_NAMES.iter().for_each(|name| list.push(ec, Str::from_ascii(ec, name.as_bytes()).value()));
    list
}

fn aliases(ec: &mut Ec, _class: Value) -> Result<Hash> {
    let hash = Hash::new(ec);
    for index in EncodingIndex::all() {
        for alias in index.aliases() {
            let (alias, name) = (Str::from_ascii(ec, alias.as_bytes()), Str::from_ascii(ec, index.name().as_bytes()));
            hash.store(ec, alias.value(), name.value())?;
        }
    }
    for name in PROCESS_NAMES {
        if let Some(index) = find_by_name(ec, name.as_bytes()) {
            let (alias, name) = (Str::from_ascii(ec, name.as_bytes()), Str::from_ascii(ec, index.name().as_bytes()));
            hash.store(ec, alias.value(), name.value())?;
        }
    }
    Ok(hash)
}

fn find(ec: &mut Ec, _class: Value, name: Value) -> Result {
    if index_of(ec, name).is_some() {
        return Ok(name);
    }
    let text = ec.to_str(name)?;
    if is_internal(text.bytes(ec)) && default_internal(ec).is_none() {
        return Ok(Value::NIL);
    }
    let index = to_encoding(ec, text.value())?;
    Ok(object(ec, index))
}

/// What has an encoding, as `compatible?` sees it.
enum Encoded {
    Text(Str),
    Encoding(EncodingIndex),
}

fn encoded(ec: &mut Ec, value: Value) -> Result<Option<Encoded>> {
    if let Some(s) = Str::from_value(value) {
        return Ok(Some(Encoded::Text(s)));
    }
    if let Some(index) = index_of(ec, value) {
        return Ok(Some(Encoded::Encoding(index)));
    }
    if let Some(symbol) = value.as_symbol() {
        return Ok(Some(Encoded::Encoding(ec.vm().symbol_name(symbol).encoding)));
    }
    if value.is_heap() && ec.is_a(value, ec.vm().known().regexp) {
        let encoding = ec.call(value, carat_vm::sym::ENCODING, &[])?;
        return Ok(index_of(ec, encoding).map(Encoded::Encoding));
    }
    Ok(None)
}

fn compatible(ec: &mut Ec, _class: Value, left: Value, right: Value) -> Result<Option<Value>> {
    let (Some(left), Some(right)) = (encoded(ec, left)?, encoded(ec, right)?) else { return Ok(None) };
    let found = match (left, right) {
        (Encoded::Text(a), Encoded::Text(b)) => a.compatible_encoding(ec, b),
        (Encoded::Text(text), Encoded::Encoding(index)) => compat::compatible_with_encoding(text.as_text(ec), index),
        (Encoded::Encoding(index), Encoded::Text(text)) => {
            let found = compat::compatible_with_encoding(text.as_text(ec), index);
            // A string that is ASCII goes with anything and keeps its own encoding, but only as the second.
            found.map(|found| if text.is_ascii(ec) { text.encoding() } else { found })
        }
        (Encoded::Encoding(a), Encoded::Encoding(b)) => compatible_encodings(a, b),
    };
    Ok(found.map(|index| object(ec, index)))
}

/// Without bytes only an encoding and itself, or ASCII beside something that includes it, go together.
fn compatible_encodings(a: EncodingIndex, b: EncodingIndex) -> Option<EncodingIndex> {
    if a == b {
        return Some(a);
    }
    if !a.is_ascii_compatible() || !b.is_ascii_compatible() {
        return None;
    }
    match (a, b) {
        (_, EncodingIndex::US_ASCII) => Some(a),
        (EncodingIndex::US_ASCII, _) => Some(b),
        _ => None,
    }
}

fn index(ec: &Ec, this: Data<Encoding>) -> EncodingIndex {
    this.get(ec).0
}

fn name(ec: &mut Ec, this: Data<Encoding>) -> Str {
    let name = index(ec, this).name();
    ec.fstring(name.as_bytes(), EncodingIndex::US_ASCII)
}

fn names(ec: &mut Ec, this: Data<Encoding>) -> Array {
    let this = index(ec, this);
    let list = Array::new(ec, 4);
    let push =
        |name: &str| list.push(ec, Str::new(ec, name.as_bytes(), EncodingIndex::US_ASCII, CodeRange::SevenBit).value());
    push(this.name());
    this.aliases().iter().for_each(|alias| push(alias));
    for name in PROCESS_NAMES {
        if find_by_name(ec, name.as_bytes()) == Some(this) {
            push(name);
        }
    }
    list
}

fn inspect(ec: &mut Ec, this: Data<Encoding>) -> Str {
    let text = index(ec, this).inspect();
    Str::from_ascii(ec, text.as_bytes())
}

fn is_dummy(ec: &mut Ec, this: Data<Encoding>) -> bool {
    index(ec, this).is_dummy()
}

fn is_ascii_compatible(ec: &mut Ec, this: Data<Encoding>) -> bool {
    index(ec, this).is_ascii_compatible()
}

/// Marshal keeps the name.
fn dump(ec: &mut Ec, this: Data<Encoding>, _level: Option<Value>) -> Str {
    name(ec, this)
}

fn load(ec: &mut Ec, _class: Value, name: Value) -> Result {
    let index = to_encoding(ec, name)?;
    Ok(object(ec, index))
}
