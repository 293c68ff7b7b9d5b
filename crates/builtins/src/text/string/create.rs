//! Making strings: `new`, `try_convert`, copies, freezing and unique strings.

use carat_text::coderange::CodeRange;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Class, Ec, EncodingIndex, HeapType, Keywords, Result, Str, Value, methods, sym};

methods! {
    METHODS {
        static "try_convert" => try_convert;
        private "initialize" => initialize;
        private "initialize_copy" => replace;
        "replace" => replace;
        "to_s" => to_s;
        "to_str" => to_s;
        "freeze" => freeze;
        "+@" => unary_plus;
        "-@" => unary_minus;
        alias "dedup" of "-@" => unary_minus;
        "dup" => dup;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(METHODS, "to_s"), Leaf::new(itself_at_once)),
    (LeafOf::Method(METHODS, "to_str"), Leaf::new(itself_at_once)),
    (LeafOf::Method(METHODS, "dup"), Leaf::new(dup_at_once)),
    (LeafOf::Method(METHODS, "+@"), Leaf::of(unary_plus)),
    (LeafOf::Method(METHODS, "-@"), Leaf::new(|_: &mut Ec, this: Str| this.is_fstring().then_some(this.value()))),
    (
        LeafOf::Method(METHODS, "freeze"),
        Leaf::new(|_: &mut Ec, this: Str| (this.is_frozen() && !this.is_locked()).then_some(this.value())),
    ),
];

fn itself_at_once(ec: &mut Ec, this: Str) -> Option<Value> {
    (ec.class_of(this.value()).real() == ec.vm().known().string).then_some(this.value())
}

pub(super) fn allocate(ec: &mut Ec, class: Class) -> Result {
    Ok(Str::new_of(ec, class, b"", EncodingIndex::ASCII_8BIT, CodeRange::SevenBit).value())
}

fn capacity_keyword(ec: &mut Ec, keywords: Keywords) -> Result<Option<usize>> {
    match keywords.get(ec, sym::CAPACITY) {
        None => Ok(None),
        Some(value) => {
            let capacity = ec.to_long(value)?;
            Ok(Some(usize::try_from(capacity).unwrap_or(0)))
        }
    }
}

fn initialize(ec: &mut Ec, this: Str, source: Option<Str>, keywords: Keywords) -> Result<Str> {
    keywords.check(ec, &[sym::ENCODING, sym::CAPACITY])?;
    if source.is_some() || !keywords.is_empty(ec) {
        this.check_mutable(ec)?;
    }
    if let Some(capacity) = capacity_keyword(ec, keywords)? {
        ec.ensure_memory(capacity)?;
        this.reserve(ec, capacity);
    }
    if let Some(source) = source {
        this.replace(ec, source);
    }
    if let Some(value) = keywords.get(ec, sym::ENCODING).filter(|v| !v.is_nil()) {
        let encoding = crate::text::encoding::to_encoding(ec, value)?;
        super::encode::associate(ec, this, encoding);
    }
    Ok(this)
}

fn try_convert(ec: &mut Ec, _class: Value, value: Value) -> Result<Option<Str>> {
    ec.check_string(value)
}

fn replace(ec: &mut Ec, this: Str, other: Value) -> Result<Str> {
    this.check_mutable(ec)?;
    let other = ec.to_str(other)?;
    this.check_mutable(ec)?;
    this.replace(ec, other);
    Ok(this)
}

/// The string itself; of a subclass, a String.
fn to_s(ec: &mut Ec, this: Str) -> Str {
    if ec.class_of(this.value()).real() == ec.vm().known().string { this } else { this.copy(ec) }
}

fn freeze(ec: &mut Ec, this: Str) -> Result<Str> {
    if this.is_locked() {
        this.check_mutable(ec)?;
    }
    ec.freeze(this.value());
    Ok(this)
}

/// `+string`: itself if it may be written, else a copy.
fn unary_plus(ec: &mut Ec, this: Str) -> Str {
    if this.is_frozen() || this.is_chilled() { this.copy(ec) } else { this }
}

/// `-string`: the unique frozen string; one with a class or variables of its own is only frozen.
fn unary_minus(ec: &mut Ec, this: Str) -> Str {
    if this.is_fstring() {
        return this;
    }
    let is_plain =
        ec.class_of(this.value()) == ec.vm().known().string && ec.instance_variable_names(this.value()).is_empty();
    if is_plain {
        return this.fstring(ec);
    }
    if this.is_frozen() {
        return this;
    }
    let copy = copy_with_fields(ec, this);
    ec.freeze(copy.value());
    copy
}

fn copy_with_fields(ec: &mut Ec, this: Str) -> Str {
    let class = ec.class_of(this.value()).real();
    let copy = this.copy_of(ec, class);
    if ec.field_count(this.value()) > 0 {
        ec.copy_fields(this.value(), copy.value());
    }
    copy
}

/// A copy of a string of class String itself that has no instance variables.
fn dup_at_once(ec: &mut Ec, this: Str) -> Option<Value> {
    ec.is_plain_core(this.value()).then(|| this.copy_of(ec, ec.vm().known().string).value())
}

/// Plain strings are copied at once; a subclass may have an `initialize_copy` or an allocator of its own.
fn dup(ec: &mut Ec, this: Str) -> Result {
    debug_assert!(this.value().is_type(HeapType::String));
    if let Some(copy) = dup_at_once(ec, this) {
        return Ok(copy);
    }
    let copy = copy_with_fields(ec, this);
    if ec.class_of(copy.value()) != ec.vm().known().string {
        ec.call(copy.value(), sym::INITIALIZE_DUP, &[this.value()])?;
    }
    Ok(copy.value())
}
