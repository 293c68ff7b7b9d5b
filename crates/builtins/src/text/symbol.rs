//! `Symbol`.

use crate::text::string::{fold_text, map_case, order};
use carat_text::case::Mapping;
use carat_text::search;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Ec, EncodingIndex, Proc, Rest, Result, Str, SymbolId, Value, methods, primitives, sym};

methods! {
    METHODS {
        static "all_symbols" => all_symbols;
        "==" => equal;
        "===" => equal;
        "<=>" => compare;
        "=~" => match_operator;
        "match" => match_;
        "match?" => is_match;
        "[]" => aref;
        "slice" => aref;
        "capitalize" => capitalize;
        borrowing "casecmp" => casecmp;
        borrowing "casecmp?" => is_casecmp;
        "downcase" => downcase;
        "empty?" => is_empty;
        "encoding" => encoding;
        borrowing "end_with?" => ends_with;
        alias "id2name" of "to_s" => to_s;
        "inspect" => inspect;
        alias "intern" of "to_sym" => to_sym;
        "length" => length;
        "name" => name;
        "size" => length;
        "next" => succ;
        borrowing "start_with?" => starts_with;
        "succ" => succ;
        "swapcase" => swapcase;
        "to_proc" => to_proc;
        "to_s" => to_s;
        "to_sym" => to_sym;
        "upcase" => upcase;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(METHODS, "to_s"), Leaf::total(to_s_at_once)),
    (
        LeafOf::Method(METHODS, "name"),
        Leaf::total(|ec: &mut Ec, symbol: Value| symbol.is_symbol().then(|| name(ec, symbol).value())),
    ),
    (LeafOf::Method(METHODS, "to_sym"), Leaf::total(|_: &mut Ec, symbol: Value| Some(symbol))),
    (LeafOf::Method(METHODS, "length"), Leaf::of(length)),
    (LeafOf::Method(METHODS, "size"), Leaf::of(length)),
    (LeafOf::Method(METHODS, "empty?"), Leaf::of(is_empty)),
    (LeafOf::Method(METHODS, "encoding"), Leaf::of(encoding)),
    (LeafOf::Method(METHODS, "<=>"), Leaf::of(compare)),
    (LeafOf::Method(METHODS, "to_proc"), Leaf::of(to_proc)),
];

fn to_s_at_once(ec: &mut Ec, symbol: Value) -> Option<Value> {
    symbol.is_symbol().then(|| to_s(ec, symbol).value())
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    let symbol = ec.vm().known().symbol;
    symbol.include(ec, ec.vm().known().comparable);
    symbol.set_allocator(None);
    symbol.define_methods(ec, METHODS);
    if let Some(singleton) = ec.singleton_class_of(symbol.value()) {
        singleton.add_method(
            ec,
            sym::NEW,
            carat_vm::method::MethodKind::Undefined,
            carat_vm::Visibility::Public,
            Value::NIL,
        );
    }
}

/// The receiver; methods are found by class, so it is a symbol.
fn id(this: Value) -> SymbolId {
    this.as_symbol().unwrap_or(sym::EMPTY)
}

/// The name as an unshared string, for the String methods that do the work.
fn string(ec: &Ec, this: Value) -> Str {
    ec.symbol_to_str(id(this))
}

/// The unique frozen string of the name.
fn name(ec: &mut Ec, this: Value) -> Str {
    let name = ec.vm().symbol_name(id(this));
    ec.fstring(name.bytes, name.encoding)
}

/// A string that warns when it is changed.
fn to_s(ec: &mut Ec, this: Value) -> Str {
    let text = string(ec, this);
    text.set_chilled_symbol();
    text
}

fn to_sym(_ec: &mut Ec, this: Value) -> Value {
    this
}

fn equal(_ec: &mut Ec, this: Value, other: Value) -> bool {
    this == other
}

fn compare(ec: &mut Ec, this: Value, other: Value) -> Option<i64> {
    let other = other.as_symbol()?;
    let (left, right) = (string(ec, this), ec.symbol_to_str(other));
    Some(order(ec, left, right) as i64)
}

/// The name behind a colon, quoted where it has to be.
fn inspect(ec: &mut Ec, this: Value) -> Result<Str> {
    let mut shown = crate::text::text_builder::TextBuilder::new(EncodingIndex::US_ASCII);
    shown.push_symbol(ec, id(this));
    shown.finish(ec)
}

fn length(ec: &mut Ec, this: Value) -> usize {
    let name = ec.vm().symbol_name(id(this));
    carat_text::chars::count(carat_text::text::Text::of(name.bytes, name.encoding))
}

fn is_empty(_ec: &mut Ec, this: Value) -> bool {
    id(this) == sym::EMPTY
}

fn encoding(ec: &mut Ec, this: Value) -> Value {
    let index = ec.vm().symbol_name(id(this)).encoding;
    crate::text::encoding::object(ec, index)
}

fn aref(ec: &mut Ec, this: Value, index: Value, len: Option<Value>) -> Result<Option<Value>> {
    let name = string(ec, this);
    crate::text::string::aref(ec, name, index, len)
}

fn match_operator(ec: &mut Ec, this: Value, pattern: Value) -> Result {
    let name = string(ec, this);
    ec.call(name.value(), sym::MATCH_OP, &[pattern])
}

fn match_(ec: &mut Ec, this: Value, pattern: Value, at: Option<Value>) -> Result {
    let name = string(ec, this).value();
    match at {
        Some(at) => ec.call(name, sym::MATCH, &[pattern, at]),
        None => ec.call(name, sym::MATCH, &[pattern]),
    }
}

fn is_match(ec: &mut Ec, this: Value, pattern: Value, at: Option<Value>) -> Result {
    let name = string(ec, this).value();
    match at {
        Some(at) => ec.call(name, sym::MATCH_P, &[pattern, at]),
        None => ec.call(name, sym::MATCH_P, &[pattern]),
    }
}

fn casecmp(ec: &mut Ec, this: Value, other: Value) -> Option<i64> {
    let other = other.as_symbol()?;
    let (left, right) = (string(ec, this), ec.symbol_to_str(other));
    left.compatible_encoding(ec, right)?;
    Some(search::casecmp(left.as_text(ec), right.as_text(ec)) as i64)
}

fn is_casecmp(ec: &mut Ec, this: Value, other: Value) -> Result<Option<bool>> {
    let Some(other) = other.as_symbol() else { return Ok(None) };
    let (left, right) = (string(ec, this), ec.symbol_to_str(other));
    if left.compatible_encoding(ec, right).is_none() {
        return Ok(None);
    }
    let (left, right) = (fold_text(ec, left)?, fold_text(ec, right)?);
    Ok(Some(left == right))
}

fn starts_with(ec: &mut Ec, this: Value, prefixes: Rest) -> Result<bool> {
    let name = string(ec, this);
    crate::text::string::starts_with(ec, name, prefixes)
}

fn ends_with(ec: &mut Ec, this: Value, suffixes: Rest) -> Result<bool> {
    let name = string(ec, this);
    crate::text::string::ends_with(ec, name, suffixes)
}

fn mapped(ec: &mut Ec, this: Value, args: Rest, mapping: Mapping) -> Result<SymbolId> {
    let name = string(ec, this);
    let result = map_case(ec, name, args, mapping)?;
    result.to_symbol(ec)
}

fn succ(ec: &mut Ec, this: Value) -> Result<SymbolId> {
    let name = string(ec, this);
    let next = crate::text::string::succ(ec, name)?;
    next.to_symbol(ec)
}

fn upcase(ec: &mut Ec, this: Value, args: Rest) -> Result<SymbolId> {
    mapped(ec, this, args, Mapping::Upcase)
}

fn downcase(ec: &mut Ec, this: Value, args: Rest) -> Result<SymbolId> {
    mapped(ec, this, args, Mapping::Downcase)
}

fn capitalize(ec: &mut Ec, this: Value, args: Rest) -> Result<SymbolId> {
    mapped(ec, this, args, Mapping::Capitalize)
}

fn swapcase(ec: &mut Ec, this: Value, args: Rest) -> Result<SymbolId> {
    mapped(ec, this, args, Mapping::Swapcase)
}

/// The lambda that sends the symbol to its first argument.
fn to_proc(ec: &mut Ec, this: Value) -> Value {
    Proc::of_symbol(ec, id(this)).value()
}

fn all_symbols(ec: &mut Ec, _class: Value) -> Array {
    let count = ec.vm().symbol_count();
    let list = Array::new(ec, count as usize);
    (0..count).for_each(|i| list.push(ec, Value::symbol(SymbolId(i))));
    list
}
