//! Primitives that core Ruby code uses everywhere: identity, conversions, checks, hidden fields.
//!
//! The list at the head of `core/core.rb` says what each does for Ruby code.

use crate::collection::range::range_parts;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Class, Ec, Name, Proc, Result, Str, SymbolId, Value, primitives, sym};

primitives! {
    PRIMITIVES {
        "undef" => undef;
        "undef?" => is_undef;
        "same" => same;
        "equal" => same_or_equal;
        "eql" => eql;
        "hash_of" => hash_of;
        "hash_mix" => hash_mix;
        "class_of" => class_of;
        "describe" => describe;
        "kind_of" => kind_of;
        "class_path" => class_path;
        "class_path_set" => set_class_path;
        "frozen_check" => frozen_check;
        "has_core_plus" => has_core_plus;
        "freeze" => freeze;
        "to_int" => to_int;
        "to_long" => to_long;
        "to_str" => to_str;
        "to_ary" => to_ary;
        "to_hash" => to_hash;
        "check_array" => check_array;
        "check_string" => check_string;
        "check_int" => check_int;
        "fixnum?" => is_fixnum;
        "check_funcall" => check_funcall;
        "responds?" => responds;
        "cmpint" => cmpint;
        "cmp_failed" => cmp_failed;
        "warn" => warn;
        "warn_verbose" => warn_verbose;
        "warn_deprecated" => warn_deprecated;
        "values_pack" => values_pack;
        "block_arity" => block_arity;
        "callee" => callee;
        "block_lambda?" => block_is_lambda;
        "block_pairs?" => block_takes_pairs;
        "block_spreads?" => block_spreads;
        "block_takes_groups?" => block_takes_groups;
        "recursion_enter" => recursion_enter;
        "recursion_leave" => recursion_leave;
        "range_beg_len" => range_beg_len_primitive;
        "field" => field;
        "field?" => has_field;
        "field_set" => field_set;
        "alloc" => allocate;
    }
}

/// Primitives that need no frame. `undef?` and `same` are machine code of their own.
pub(crate) static LEAVES: &[LeafRow] = &[
    (
        LeafOf::Primitive("kind_of"),
        Leaf::new(|ec: &mut Ec, value: Value, class: Value| {
            Some(Value::bool(ec.is_a(value, Class::from_value(class)?)))
        }),
    ),
    (LeafOf::Primitive("class_of"), Leaf::new(|ec: &mut Ec, value: Value| Some(class_of(ec, value).value()))),
    (LeafOf::Primitive("to_long"), Leaf::new(|_: &mut Ec, value: Value| value.is_fixnum().then_some(value))),
    (LeafOf::Primitive("fixnum?"), Leaf::new(|ec: &mut Ec, value: Value| Some(Value::bool(is_fixnum(ec, value))))),
    (
        LeafOf::Primitive("frozen_check"),
        Leaf::new(|ec: &mut Ec, value: Value| (!ec.is_frozen(value)).then_some(Value::NIL)),
    ),
];

// ---- identity and equality ----

fn undef(_ec: &mut Ec) -> Value {
    Value::UNDEF
}

fn is_undef(_ec: &mut Ec, value: Value) -> bool {
    value.is_undef()
}

fn same(_ec: &mut Ec, a: Value, b: Value) -> bool {
    a == b
}

/// Identity or `==`. Unlike `==` alone it holds for NaN and itself.
pub(crate) fn same_or_equal(ec: &mut Ec, a: Value, b: Value) -> Result<bool> {
    if a == b {
        return Ok(true);
    }
    match ec.equal_at_once(a, b).filter(|_| ec.has_core_operator(sym::EQ)) {
        Some(answer) => Ok(answer),
        None => ec.equal(a, b),
    }
}

fn eql(ec: &mut Ec, a: Value, b: Value) -> Result<bool> {
    ec.eql(a, b)
}

pub(crate) fn hash_of(ec: &mut Ec, value: Value) -> Result<i64> {
    ec.part_hash(value)
}

pub(crate) fn hash_mix(_ec: &mut Ec, hash: i64, next: i64) -> i64 {
    carat_vm::hash_mix(hash, next)
}

// ---- classes ----

fn class_of(ec: &mut Ec, value: Value) -> Class {
    ec.class_of(value).real()
}

/// How a TypeError names an operand: by its class, but `nil`, `true` and `false` by themselves.
fn describe(ec: &mut Ec, value: Value) -> Str {
    let text = ec.describe_for_type_error(value);
    Str::from_text(ec, &text)
}

fn kind_of(ec: &mut Ec, value: Value, class: Class) -> bool {
    ec.is_a(value, class)
}

fn class_path(ec: &mut Ec, class: Class) -> Option<Str> {
    class.name().map(|name| Str::from_text(ec, &name))
}

/// `Primitive.class_path_set(class, name)`: a lasting name that need not be a constant's.
fn set_class_path(ec: &mut Ec, class: Class, name: Str) {
    class.set_permanent_name(&name.to_text(ec));
}

/// `Primitive.has_core_plus`: nobody redefined `+` in a core class.
fn has_core_plus(ec: &mut Ec) -> bool {
    ec.has_core_operator(sym::PLUS)
}

fn frozen_check(ec: &mut Ec, value: Value) -> Result<()> {
    if ec.is_frozen(value) { Err(ec.frozen_error(value)) } else { Ok(()) }
}

fn freeze(ec: &mut Ec, value: Value) -> Value {
    ec.freeze(value);
    value
}

/// A new instance, not initialized.
pub(crate) fn allocate(ec: &mut Ec, class: Class) -> Result {
    match class.allocator() {
        Some(allocator) => allocator(ec, class),
        None => {
            let name = class.to_text(ec);
            Err(ec.type_error(&format!("allocator undefined for {name}")))
        }
    }
}

// ---- conversions ----

fn to_int(ec: &mut Ec, value: Value) -> Result {
    ec.to_int(value)
}

fn to_long(ec: &mut Ec, value: Value) -> Result<i64> {
    ec.to_long(value)
}

fn to_str(_ec: &mut Ec, value: Str) -> Str {
    value
}

fn to_ary(_ec: &mut Ec, value: Array) -> Array {
    value
}

fn to_hash(_ec: &mut Ec, value: carat_vm::Hash) -> carat_vm::Hash {
    value
}

fn check_array(ec: &mut Ec, value: Value) -> Result<Option<Array>> {
    ec.check_array(value)
}

fn check_string(ec: &mut Ec, value: Value) -> Result<Option<Str>> {
    ec.check_string(value)
}

fn check_int(ec: &mut Ec, value: Value) -> Result {
    if ec.is_integer(value) {
        return Ok(value);
    }
    let converted = ec.try_convert(value, sym::TO_INT)?;
    Ok(converted.filter(|v| ec.is_integer(*v)).unwrap_or(Value::NIL))
}

fn is_fixnum(_ec: &mut Ec, value: Value) -> bool {
    value.is_fixnum()
}

// ---- calls ----

fn check_funcall(ec: &mut Ec, object: Value, name: Name) -> Result {
    Ok(ec.call_if_responds(object, name.0, &[])?.unwrap_or(Value::UNDEF))
}

fn responds(ec: &mut Ec, object: Value, name: Name) -> Result<bool> {
    ec.respond_to(object, name.0, true)
}

fn cmpint(ec: &mut Ec, result: Value, a: Value, b: Value) -> Result<i64> {
    ec.compare_result(result, a, b).map(|order| order as i64)
}

fn cmp_failed(ec: &mut Ec, a: Value, b: Value) -> Result {
    Err(ec.comparison_failed(a, b))
}

fn warn(ec: &mut Ec, text: Str) -> Result<()> {
    let text = text.to_text(ec);
    ec.warn(&text)
}

fn warn_verbose(ec: &mut Ec, text: Str) -> Result<()> {
    let text = text.to_text(ec);
    ec.warn_verbose(&text)
}

fn warn_deprecated(ec: &mut Ec, text: Str) -> Result<()> {
    let text = text.to_text(ec);
    ec.warn_deprecated(&text)
}

// ---- blocks and what they are given ----

fn values_pack(ec: &mut Ec, args: Array) -> Value {
    match args.slice_of(ec) {
        [] => Value::NIL,
        [value] => *value,
        _ => args.value(),
    }
}

fn block_arity(ec: &mut Ec, block: Value) -> i64 {
    Proc::from_value(block).map_or(0, |proc| proc.arity(ec))
}

fn block_is_lambda(_ec: &mut Ec, block: Value) -> bool {
    Proc::from_value(block).is_some_and(Proc::is_lambda)
}

/// Whether the running method's block takes the elements of one array for its parameters, and more than one of them.
fn block_takes_pairs(ec: &mut Ec) -> bool {
    ec.core_block().is_some_and(|(arity, is_lambda)| !is_lambda && arity > 1)
}

/// Whether the running method's block is a lambda that wants several arguments.
fn block_spreads(ec: &mut Ec) -> bool {
    ec.core_block().is_some_and(|(arity, is_lambda)| is_lambda && !(-2..=1).contains(&arity))
}

/// Whether the running method's block is a lambda that takes apart a group of values, which a proc with its parameters would.
fn block_takes_groups(ec: &mut Ec) -> bool {
    ec.core_lambda().and_then(Proc::iseq).is_some_and(|linked| {
        let params = &linked.iseq.params;
        let takes_nothing = params.size() == u16::from(params.has_block);
        linked.iseq.flags.auto_splat || takes_nothing
    })
}

fn callee(ec: &mut Ec) -> Option<SymbolId> {
    ec.core_callee()
}

fn recursion_enter(ec: &mut Ec, object: Value, peer: Value, key: Name) -> bool {
    ec.recursion_enter(key.0, object, peer)
}

fn recursion_leave(ec: &mut Ec, object: Value, peer: Value, key: Name) {
    ec.recursion_leave(key.0, object, peer);
}

// ---- ranges as positions ----

/// What happens when a range starts outside the positions it selects from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Outside {
    /// Nothing is selected; the end is cut to the length.
    Nothing,
    /// `RangeError` before the first position; behind the last one is no error, and nothing is cut.
    Raise,
}

/// The ends of a Range as integers, the end excluded as far as it is written.
pub(crate) struct RangeEnds {
    begin: i64,
    end: i64,
    is_closed: bool,
}

/// Integer ends of `value`, or `None` if it is no range.
pub(crate) fn range_ends(ec: &mut Ec, value: Value) -> Result<Option<RangeEnds>> {
    let Some((begin, end, excludes_end)) = range_parts(ec, value)? else { return Ok(None) };
    let begin = if begin.is_nil() { 0 } else { ec.to_long(begin)? };
    let (end, is_closed) = if end.is_nil() { (-1, true) } else { (ec.to_long(end)?, !excludes_end) };
    Ok(Some(RangeEnds { begin, end, is_closed }))
}

impl RangeEnds {
    /// Start and length among `len` positions.
    pub(crate) fn within(&self, len: usize, outside: Outside) -> Option<(usize, usize)> {
        let len = i64::try_from(len).unwrap_or(i64::MAX);
        let begin = if self.begin < 0 { self.begin + len } else { self.begin };
        if begin < 0 || outside == Outside::Nothing && begin > len {
            return None;
        }
        let end = if self.end < 0 { self.end + len } else { self.end };
        let end = if self.is_closed { end.saturating_add(1) } else { end };
        let end = if outside == Outside::Nothing { end.min(len) } else { end };
        Some((usize::try_from(begin).ok()?, usize::try_from(end.saturating_sub(begin)).unwrap_or(0)))
    }
}

/// Start and length of a range; the length may reach beyond `len`.
pub(crate) fn range_beg_len(ec: &mut Ec, range: Value, len: usize) -> Result<Option<(usize, usize)>> {
    let Some(ends) = range_ends(ec, range)? else { return Ok(None) };
    match ends.within(len, Outside::Raise) {
        Some(found) => Ok(Some(found)),
        None => {
            let shown = ec.inspect(range)?.to_text(ec);
            Err(ec.range_error(&format!("{shown} out of range")))
        }
    }
}

/// The third argument is false (nil if outside), true (RangeError, length cut) or `:fill` (RangeError, length as written).
fn range_beg_len_primitive(ec: &mut Ec, range: Value, len: i64, mode: Value) -> Result {
    let len = usize::try_from(len).unwrap_or(0);
    let found = if mode.truthy() {
        range_beg_len(ec, range, len)?
    } else {
        range_ends(ec, range)?.and_then(|e| e.within(len, Outside::Nothing))
    };
    let Some((start, mut count)) = found else { return Ok(Value::NIL) };
    if mode.is_true() {
        count = count.min(len.saturating_sub(start));
    }
    Ok(Array::pair(ec, Value::len(start), Value::len(count)).value())
}

// ---- hidden fields ----

fn field(ec: &mut Ec, object: Value, name: Name) -> Option<Value> {
    ec.field(object, name.0)
}

fn has_field(ec: &mut Ec, object: Value, name: Name) -> bool {
    ec.field(object, name.0).is_some()
}

fn field_set(ec: &mut Ec, object: Value, name: Name, value: Value) -> Value {
    ec.set_field(object, name.0, value);
    value
}
