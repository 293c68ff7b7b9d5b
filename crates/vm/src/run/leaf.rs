//! Leaves: functions that answer what a native method, a method of the core library, a primitive or an operator is asked, for machine
//! code to call without a frame.
//!
//! # Contract
//! A leaf gets its operands in machine registers. It neither runs Ruby code nor raises, collects or looks at frames; it may allocate.
//! Where it cannot answer it gives nothing and has done nothing, and the method itself is called. It changes no object's shape or
//! flags; one that changes an array's contents or storage, or a class's field, says that it has effects.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::method::{MethodDef, MethodEntry, MethodKind};
use crate::run::code::CodeData;
use crate::run::interp::ops::arith::typed;
use crate::run::interp::ops::variables::{class_field, set_class_field};
use crate::run::interp::ops::{call, compare};
use crate::value::array::Array;
use crate::value::data::{Data, NativeData};
use crate::value::hash::Hash;
use crate::value::string::Str;
use carat_iseq::{Insn, Op, hint};
use carat_layout::{HeapType, Value};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{Ordering, fence};

/// Called with operands, the address of the context, and a third operand; those that a leaf does not take may be anything. Zero: no
/// answer.
pub(crate) type LeafFn = unsafe extern "C" fn(u64, u64, *mut (), u64) -> u64;

#[derive(Clone, Copy)]
pub struct Leaf {
    pub(crate) function: LeafFn,
    /// Operands, a method's receiver included.
    pub(crate) count: u8,
    pub(crate) has_effects: bool,
    /// It answers for all receivers of the class that it is for, whatever the arguments are.
    pub(crate) is_total: bool,
}

impl Leaf {
    /// A leaf that changes nothing.
    pub const fn new<F: LeafFunction<M>, M>(function: F) -> Leaf {
        Leaf { function: erase(function), count: F::COUNT, has_effects: false, is_total: false }
    }

    /// One that always answers as well.
    pub const fn total<F: LeafFunction<M>, M>(function: F) -> Leaf {
        Leaf { is_total: true, ..Leaf::new(function) }
    }

    /// A native method's own function, which neither runs Ruby code nor raises, if its operands have the types that it wants.
    pub const fn of<F: PlainFunction<M>, M: 'static>(function: F) -> Leaf {
        Leaf {
            function: erase::<Plain<F>, PlainOf<M>>(Plain(function)),
            count: F::COUNT,
            has_effects: false,
            is_total: false,
        }
    }

    /// One that may change an array.
    pub const fn with_effects<F: LeafFunction<M>, M>(function: F) -> Leaf {
        Leaf { has_effects: true, ..Leaf::new(function) }
    }
}

/// What a leaf is for.
#[derive(Clone, Copy)]
pub enum LeafOf {
    /// A method of a table, by its name.
    Method(&'static [MethodDef], &'static str),
    /// A method that the core library has in Ruby, by its class and name. It is called without a block.
    Core(&'static str, &'static str),
    Primitive(&'static str),
}

/// A row of the table that `builtins` lends: [`Hooks`](crate::hooks::Hooks).
pub type LeafRow = (LeafOf, Leaf);

/// A type that an operand is of as it stands.
pub trait Operand: Sized {
    fn of(value: Value) -> Option<Self>;
}

impl Operand for Value {
    #[inline(always)]
    fn of(value: Value) -> Option<Value> {
        Some(value)
    }
}

macro_rules! operand {
    ($($handle:ty),+) => {$(
        impl Operand for $handle {
            #[inline(always)]
            fn of(value: Value) -> Option<$handle> {
                <$handle>::from_value(value)
            }
        }
    )+};
}

operand!(Array, Hash, Str, Class);

impl<T: NativeData> Operand for Data<T> {
    #[inline(always)]
    fn of(value: Value) -> Option<Data<T>> {
        Data::from_value(value)
    }
}

/// A fixnum.
impl Operand for i64 {
    #[inline(always)]
    fn of(value: Value) -> Option<i64> {
        value.as_fixnum()
    }
}

/// A Float that is no object.
impl Operand for f64 {
    #[inline(always)]
    fn of(value: Value) -> Option<f64> {
        value.as_flonum()
    }
}

/// A typed function that can be a leaf; `M` is its signature.
pub trait LeafFunction<M>: Copy + 'static {
    const COUNT: u8;
    fn call(self, ec: &mut Ec, operands: [u64; 3]) -> Option<Value>;
}

macro_rules! leaf_function {
    ($count:literal $($param:ident $at:literal)*) => {
        impl<F, $($param),*> LeafFunction<($($param,)*)> for F
        where
            F: Fn(&mut Ec, $($param),*) -> Option<Value> + Copy + 'static,
            $($param: Operand,)*
        {
            const COUNT: u8 = $count;

            #[inline(always)]
            #[allow(non_snake_case, reason = "one body for every number of parameters")]
            fn call(self, ec: &mut Ec, operands: [u64; 3]) -> Option<Value> {
                // SAFETY: machine code passes as many values as `COUNT` says.
                $(let $param = $param::of(unsafe { Value::from_bits(operands[$at]) })?;)*
                self(ec, $($param),*)
            }
        }
    };
}

leaf_function!(1 A1 0);
leaf_function!(2 A1 0 A2 1);
leaf_function!(3 A1 0 A2 1 A3 2);

/// What such a function gives, which is never an error.
pub trait Answer {
    fn answer(self, ec: &mut Ec) -> Value;
}

macro_rules! answer {
    ($($typ:ty: $ec:ident $this:ident => $value:expr;)+) => {$(
        impl Answer for $typ {
            #[inline(always)]
            fn answer($this, $ec: &mut Ec) -> Value {
                $value
            }
        }
    )+};
}

answer! {
    Value: _ec self => self;
    bool: _ec self => Value::bool(self);
    usize: _ec self => Value::len(self);
    i64: ec self => ec.int(self);
    f64: ec self => ec.float(self);
    Str: _ec self => self.value();
    Array: _ec self => self.value();
    Class: _ec self => self.value();
}

impl<T: Answer> Answer for Option<T> {
    #[inline(always)]
    fn answer(self, ec: &mut Ec) -> Value {
        self.map_or(Value::NIL, |value| value.answer(ec))
    }
}

/// A native method's function that can be a leaf as it stands: see [`Leaf::of`].
pub trait PlainFunction<M>: Copy + 'static {
    const COUNT: u8;
    fn call(self, ec: &mut Ec, operands: [u64; 3]) -> Option<Value>;
}

macro_rules! plain_function {
    ($count:literal $($param:ident $at:literal)*) => {
        impl<F, R, $($param),*> PlainFunction<(R, $($param,)*)> for F
        where
            F: Fn(&mut Ec, $($param),*) -> R + Copy + 'static,
            R: Answer,
            $($param: Operand,)*
        {
            const COUNT: u8 = $count;

            #[inline(always)]
            #[allow(non_snake_case, reason = "one body for every number of parameters")]
            fn call(self, ec: &mut Ec, operands: [u64; 3]) -> Option<Value> {
                // SAFETY: machine code passes as many values as `COUNT` says.
                $(let $param = $param::of(unsafe { Value::from_bits(operands[$at]) })?;)*
                Some(self(ec, $($param),*).answer(ec))
            }
        }
    };
}

plain_function!(1 A1 0);
plain_function!(2 A1 0 A2 1);
plain_function!(3 A1 0 A2 1 A3 2);

/// A [`PlainFunction`] as a leaf's function.
#[derive(Clone, Copy)]
struct Plain<F>(F);

struct PlainOf<M>(std::marker::PhantomData<M>);

impl<F: PlainFunction<M>, M: 'static> LeafFunction<PlainOf<M>> for Plain<F> {
    const COUNT: u8 = F::COUNT;

    #[inline(always)]
    fn call(self, ec: &mut Ec, operands: [u64; 3]) -> Option<Value> {
        self.0.call(ec, operands)
    }
}

const fn erase<F: LeafFunction<M>, M>(_function: F) -> LeafFn {
    const { assert!(size_of::<F>() == 0, "leaves are plain functions") };
    run::<F, M>
}

/// A panic does not pass through machine code that has values in registers: the method itself is called, and may panic.
///
/// # Safety
/// Machine code of the Ractor whose context this is calls it, with operands that are values.
unsafe extern "C" fn run<F: LeafFunction<M>, M>(first: u64, second: u64, ec: *mut (), third: u64) -> u64 {
    let answer = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: `F` is the zero-sized type of a function item, so any bit pattern (there are none) is a value of it.
        let function: F = unsafe { std::ptr::NonNull::<F>::dangling().read() };
        // SAFETY: by contract.
        function.call(unsafe { &mut *ec.cast::<Ec>() }, [first, second, third])
    }));
    answer.ok().flatten().map_or(0, Value::bits)
}

/// The leaf of the method of a code, native or the core library's, for calls with so many arguments and no block.
pub(crate) fn of_method(ec: &Ec, code: &CodeData, argc: usize) -> Option<&'static Leaf> {
    let entry = MethodEntry::from_value(ec, code.method)?.resolved(ec);
    let rows = || ec.vm().hooks().leaves.iter().copied().flatten();
    let takes = |leaf: &Leaf| usize::from(leaf.count) == 1 + argc;
    match &entry.kind {
        MethodKind::Native(def) => {
            let is_it = |of: &LeafOf| match of {
                LeafOf::Method(table, name) => {
                    table.as_ptr_range().contains(&std::ptr::from_ref(*def)) && def.name == *name
                }
                _ => false,
            };
            rows().find(|(of, leaf)| takes(leaf) && is_it(of)).map(|(_, leaf)| leaf)
        }
        MethodKind::Iseq(iseq) if iseq.iseq.flags.is_core && !code.kind.is_block() => {
            let name = ec.vm().symbol_text(entry.original_name);
            let owner = |wanted: &str| {
                ec.vm()
                    .known()
                    .names()
                    .into_iter()
                    .any(|(known, class)| known == wanted && class.value() == entry.owner_value())
            };
            let is_it = |of: &LeafOf| matches!(of, LeafOf::Core(class, wanted) if *wanted == name && owner(class));
            rows().find(|(of, leaf)| takes(leaf) && is_it(of)).map(|(_, leaf)| leaf)
        }
        _ => None,
    }
}

/// The leaf of the primitive that an instruction runs.
pub(crate) fn of_primitive(ec: &Ec, code: &CodeData, insn: Insn) -> Option<&'static Leaf> {
    let linked = code.linked();
    let symbol = *linked.symbols.get(usize::from(insn.c))?;
    // What the host denies is another function.
    linked
        .primitives
        .get(usize::from(insn.c))
        .copied()
        .flatten()
        .filter(|function| !crate::run::native::is_denied(*function))?;
    let text = ec.vm().symbol_text(symbol);
    let is_it = |of: &LeafOf| matches!(of, LeafOf::Primitive(name) if *name == text);
    ec.vm().hooks().leaves.iter().copied().flatten().find(|(of, _)| is_it(of)).map(|(_, leaf)| leaf)
}

/// The leaf of an operator.
pub(crate) fn of_operator(insn: Insn) -> Option<&'static Leaf> {
    static AREF: Leaf = Leaf::new(typed::opt_aref);
    static ASET: Leaf = Leaf::with_effects(aset);
    static LTLT: Leaf = Leaf::with_effects(typed::opt_ltlt);
    static PLUS: Leaf = Leaf::new(plus);
    static MINUS: Leaf = Leaf::new(minus);
    static TIMES: Leaf = Leaf::new(times);
    static DIVIDED: Leaf = Leaf::new(divided);
    static PUTSTRING: Leaf = Leaf::total(|ec: &mut Ec, literal: Str| Some(literal.duplicate(ec).value()));
    static PUTCHILLEDSTRING: Leaf = Leaf::total(|ec: &mut Ec, literal: Str| {
        let copy = literal.duplicate(ec);
        copy.set_chilled();
        Some(copy.value())
    });
    static DUPARRAY: Leaf = Leaf::total(|ec: &mut Ec, literal: Array| Some(literal.duplicate(ec).value()));
    static NEW_ARRAY: Leaf = Leaf::total(|ec: &mut Ec, _: Value| Some(Array::new(ec, 0).value()));
    static NEW_ARRAY_OF_1: Leaf = Leaf::total(|ec: &mut Ec, a: Value| Some(Array::from_slice(ec, &[a]).value()));
    static NEW_ARRAY_OF_2: Leaf =
        Leaf::total(|ec: &mut Ec, a: Value, b: Value| Some(Array::from_slice(ec, &[a, b]).value()));
    static NEW_ARRAY_OF_3: Leaf =
        Leaf::total(|ec: &mut Ec, a: Value, b: Value, c: Value| Some(Array::from_slice(ec, &[a, b, c]).value()));
    static NEW_RANGE: Leaf = Leaf::new(|ec: &mut Ec, begin: Value, end: Value| {
        begin.both_fixnum(end).then(|| ec.new_range(begin, end, false))
    });
    static NEW_RANGE_WITHOUT_END: Leaf = Leaf::new(|ec: &mut Ec, begin: Value, end: Value| {
        begin.both_fixnum(end).then(|| ec.new_range(begin, end, true))
    });
    static MATCH: Leaf =
        Leaf::new(|ec: &mut Ec, pattern: Value, value: Value| ec.matches_at_once(pattern, value).map(Value::bool));
    static ELEMENT: Leaf = Leaf::total(element);
    static PUSH: Leaf = Leaf::with_effects(push);
    static LENGTH: Leaf = Leaf::new(length);
    static IS_EMPTY: Leaf = Leaf::new(is_empty);
    static NOT: Leaf = Leaf::new(not);
    static IS_NIL: Leaf = Leaf::new(is_nil);
    static EQUAL: Leaf = Leaf::new(equal);
    static NOT_EQUAL: Leaf = Leaf::new(not_equal);
    static LESS: Leaf = Leaf::new(less);
    static LESS_OR_EQUAL: Leaf = Leaf::new(less_or_equal);
    static GREATER: Leaf = Leaf::new(greater);
    static GREATER_OR_EQUAL: Leaf = Leaf::new(greater_or_equal);
    Some(match insn.op {
        Op::opt_aref | Op::opt_aref_imm => &AREF,
        Op::opt_aset if insn.n == 0 => &ASET,
        Op::opt_ltlt if insn.n & hint::RIGHT_LITERAL == 0 => &LTLT,
        Op::opt_ltlt => {
            static APPEND: Leaf = Leaf::with_effects(append_literal);
            &APPEND
        }
        Op::opt_plus | Op::opt_plus_imm => &PLUS,
        Op::opt_minus | Op::opt_minus_imm => &MINUS,
        Op::opt_mult => &TIMES,
        Op::opt_div => &DIVIDED,
        Op::putstring => &PUTSTRING,
        Op::putchilledstring => &PUTCHILLEDSTRING,
        Op::duparray => &DUPARRAY,
        Op::newarray => match insn.c {
            0 => &NEW_ARRAY,
            1 => &NEW_ARRAY_OF_1,
            2 => &NEW_ARRAY_OF_2,
            3 => &NEW_ARRAY_OF_3,
            _ => return None,
        },
        Op::newrange if insn.n == 1 => &NEW_RANGE_WITHOUT_END,
        Op::newrange => &NEW_RANGE,
        Op::arrayat | Op::expandarray => &ELEMENT,
        Op::checkmatch if insn.n != 1 => &MATCH,
        Op::pusharray if insn.n == 0 => &PUSH,
        Op::opt_length | Op::opt_size => &LENGTH,
        Op::opt_empty_p => &IS_EMPTY,
        Op::opt_not => &NOT,
        Op::opt_nil_p => &IS_NIL,
        Op::opt_eq | Op::cmp_eq | Op::opt_eq_imm | Op::cmp_eq_imm => &EQUAL,
        Op::opt_neq | Op::cmp_neq => &NOT_EQUAL,
        Op::opt_lt | Op::cmp_lt | Op::opt_lt_imm | Op::cmp_lt_imm => &LESS,
        Op::opt_le | Op::cmp_le | Op::cmp_le_imm => &LESS_OR_EQUAL,
        Op::opt_gt | Op::cmp_gt | Op::cmp_gt_imm => &GREATER,
        Op::opt_ge | Op::cmp_ge | Op::cmp_ge_imm => &GREATER_OR_EQUAL,
        _ => return None,
    })
}

/// Allocates an object with a header, for machine code that writes all its fields before anything else: it gets what a leaf gets, and
/// always answers.
///
/// # Safety
/// Machine code of the Ractor whose context this is calls it while nobody records, with a header that names a pool.
pub(crate) unsafe extern "C" fn allocate(header: u64, _: u64, ec: *mut (), _: u64) -> u64 {
    // SAFETY: by contract.
    unsafe { (*ec.cast::<Ec>()).new_slot_as(header).addr().get() as u64 }
}

/// Makes a Float of the bits of a double, as [`allocate`] makes objects.
///
/// # Safety
/// As for [`allocate`], with any bits.
pub(crate) unsafe extern "C" fn new_float(bits: u64, _: u64, ec: *mut (), _: u64) -> u64 {
    // SAFETY: by contract.
    unsafe { (*ec.cast::<Ec>()).float(f64::from_bits(bits)).bits() }
}

/// The leaf that reads an attribute which lies in no slot, by the number of its field, of an object that has it.
pub(crate) fn attribute_beside() -> &'static Leaf {
    static LEAF: Leaf = Leaf::total(|ec: &mut Ec, object: Value, index: i64| {
        // Another Ractor may be replacing a class's block, which had the field before the class had its shape.
        fence(Ordering::Acquire);
        let value = ec.field_at(object, index as usize);
        Some(if value.is_undef() { Value::NIL } else { value })
    });
    &LEAF
}

/// The leaf that tells the size of a hash.
pub(crate) fn hash_size() -> &'static Leaf {
    static LEAF: Leaf = Leaf::total(|ec: &mut Ec, hash: Hash| Some(Value::len(hash.len(ec))));
    &LEAF
}

/// The leaf that tells whether two strings are the same.
pub(crate) fn same_text() -> &'static Leaf {
    static LEAF: Leaf = Leaf::total(|ec: &mut Ec, one: Str, other: Str| Some(Value::bool(one.eql(ec, other))));
    &LEAF
}

/// The leaf that tells where an object has its side block: an address in the form of a value, which is none.
pub(crate) fn side_block() -> &'static Leaf {
    static LEAF: Leaf = Leaf::new(|_: &mut Ec, object: Value| {
        let block = carat_heap::side::of(object.as_heap()?)?;
        // SAFETY: nobody but machine code sees it, which takes it for an address.
        Some(unsafe { Value::from_bits(block.as_ptr().expose_provenance() as u64) })
    });
    &LEAF
}

/// The same of a class or module, in the main Ractor.
pub(crate) fn field_in_class() -> &'static Leaf {
    static LEAF: Leaf = Leaf::new(|_: &mut Ec, object: Value, offset: i64| {
        // SAFETY: as above.
        unsafe { class_field(object, offset as usize) }
    });
    &LEAF
}

/// Writes such a field while no other Ractor is there.
pub(crate) fn set_field_in_class() -> &'static Leaf {
    static LEAF: Leaf = Leaf::with_effects(|ec: &mut Ec, object: Value, offset: i64, value: Value| {
        // SAFETY: as above.
        unsafe { set_class_field(ec, object, offset as usize, value) }.then_some(Value::TRUE)
    });
    &LEAF
}

fn aset(ec: &mut Ec, object: Value, index: Value, value: Value) -> Option<Value> {
    typed::opt_aset(ec, object, index, value, 0).then_some(value)
}

/// A literal is no element of an array.
fn append_literal(ec: &mut Ec, object: Value, literal: Value) -> Option<Value> {
    if object.is_type(HeapType::String) { typed::opt_ltlt(ec, object, literal) } else { None }
}

fn element(ec: &mut Ec, array: Value, index: Value) -> Option<Value> {
    let element = || Array::from_value(array)?.element(ec, index.as_fixnum()? as usize);
    Some(element().unwrap_or(Value::NIL))
}

fn push(ec: &mut Ec, array: Value, element: Value) -> Option<Value> {
    if let Some(array) = Array::from_value(array)
        && !array.append_in_place(ec, element)
    {
        if array.needs_much_room(ec) {
            return None;
        }
        array.push(ec, element);
    }
    Some(Value::NIL)
}

fn length(ec: &mut Ec, object: Value) -> Option<Value> {
    typed::length(ec, object)
}

fn is_empty(ec: &mut Ec, object: Value) -> Option<Value> {
    typed::is_empty(ec, object)
}

fn not(ec: &mut Ec, object: Value) -> Option<Value> {
    call::has_plain_not(ec, object).then(|| Value::bool(!object.truthy()))
}

fn is_nil(ec: &mut Ec, object: Value) -> Option<Value> {
    call::has_plain_nil_p(ec, object).then(|| Value::bool(object.is_nil()))
}

fn equal(ec: &mut Ec, one: Value, other: Value) -> Option<Value> {
    compare::same(ec, one, other).map(Value::bool)
}

fn not_equal(ec: &mut Ec, one: Value, other: Value) -> Option<Value> {
    compare::different(ec, one, other).map(Value::bool)
}

/// Operators on fixnums whose result is one, and on floats of any kind.
macro_rules! arithmetic {
    ($($name:ident $checked:ident $operator:tt)+) => {$(
        fn $name(ec: &mut Ec, one: Value, other: Value) -> Option<Value> {
            if let (Some(one), Some(other)) = (one.as_fixnum(), other.as_fixnum()) {
                return one.$checked(other).map(|number| ec.int(number));
            }
            doubles(ec, one, other).map(|(one, other)| ec.float(one $operator other))
        }
    )+};
}

arithmetic!(plus checked_add + minus checked_sub - times checked_mul *);

fn divided(ec: &mut Ec, one: Value, other: Value) -> Option<Value> {
    doubles(ec, one, other).map(|(one, other)| ec.float(one / other))
}

/// Two numbers of which one is a float at least.
fn doubles(ec: &Ec, one: Value, other: Value) -> Option<(f64, f64)> {
    let double = |value: Value| value.as_fixnum().map(|number| number as f64).or_else(|| ec.float_of(value));
    if one.both_fixnum(other) { None } else { Some((double(one)?, double(other)?)) }
}

macro_rules! ordering {
    ($($name:ident $relation:tt)+) => {$(
        fn $name(ec: &mut Ec, one: Value, other: Value) -> Option<Value> {
            if let (Some(one), Some(other)) = (one.as_fixnum(), other.as_fixnum()) {
                return Some(Value::bool(one $relation other));
            }
            compare::exact_doubles(ec, one, other).map(|(one, other)| Value::bool(one $relation other))
        }
    )+};
}

ordering!(less < less_or_equal <= greater > greater_or_equal >=);
