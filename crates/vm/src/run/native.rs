//! Native methods: typed Rust functions in declarative tables.
//!
//! ```ignore
//! methods! { ARRAY: "Array" {
//!     "take" => take;
//!     private "initialize_copy" => initialize_copy;
//! } }
//! fn take(ec: &mut Ec, this: Array, n: Int) -> Result { … }
//! ```
//! The first parameter is the context, the second the receiver, the others the arguments. Their types say what Ruby may
//! pass: see [`FromArg`]. Arity, coercion and their errors come from the types, never from the function.
//!
//! # Rooting
//! Arguments live in the caller's window while the function runs. A value in a local variable is found by the scan of the
//! native stack. A value in a Rust collection on the heap is found by nobody: use an [`Array`](crate::Array).

use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::model::method::{MethodDef, NativeFn};
use crate::run::frame::Fp;
use crate::run::proc::Block;
use crate::value::array::Array;
use crate::value::data::{Data, NativeData};
use crate::value::hash::Hash;
use crate::value::string::Str;
use carat_layout::{SymbolId, Value};
use rustc_hash::FxHashMap;

/// The arguments of a native call: a window of the VM stack.
#[derive(Clone, Copy)]
pub struct Args {
    fp: Fp,
    /// Number of arguments, and above it whether the last one is a hash of keywords: two words pass in registers.
    count: u64,
}

const KEYWORDS: u64 = 1 << 32;

impl Args {
    #[inline(always)]
    pub(crate) fn new(fp: Fp, argc: usize, has_keywords: bool) -> Args {
        Args { fp, count: argc as u64 | if has_keywords { KEYWORDS } else { 0 } }
    }

    #[inline]
    pub fn receiver(self) -> Value {
        // SAFETY: the window lives until the native method returns.
        unsafe { self.fp.reg(0) }
    }

    /// Number of arguments; keywords count as one.
    #[inline]
    pub fn len(self) -> usize {
        self.count as u32 as usize
    }

    #[inline]
    pub fn is_empty(self) -> bool {
        self.len() == 0
    }

    #[inline]
    pub fn get(self, index: usize) -> Option<Value> {
        // SAFETY: the index is inside the window, which lives until the native method returns.
        (index < self.len()).then(|| unsafe { self.fp.reg(1 + index) })
    }

    pub fn has_keywords(self) -> bool {
        self.count & KEYWORDS != 0
    }
}

/// Position in the argument list while it is being read.
pub struct ArgReader {
    args: Args,
    next: usize,
    /// Positional arguments that are left, those reserved for later required parameters excepted.
    optional_left: usize,
    positional: usize,
    /// Required parameters that follow a rest parameter.
    required_left: usize,
}

/// How a parameter type takes part in the arity.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum ParamKind {
    Required,
    Optional,
    Rest,
    Keywords,
    Block,
}

/// A parameter of a native method.
pub trait Param: Sized {
    const KIND: ParamKind;
    fn read(ec: &mut Ec, reader: &mut ArgReader) -> Result<Self>;
}

/// A type that one argument converts to, with Ruby's implicit conversions and errors.
///
/// * [`Value`]: anything. [`Int`]: `to_int`, within 64 bits. [`Num`]: a Float from any Numeric.
/// * [`Str`]: `to_str`. [`Array`]: `to_ary`. [`Hash`]: `to_hash`. [`Name`]: a symbol or string. [`Class`]: checked.
/// * `bool`: truthiness.
///
/// `Option<T>` makes the argument optional, [`Rest`] takes all that are left, `Option<Block>` is the block, [`Keywords`]
/// the keyword arguments; without it keywords arrive as a last positional hash.
pub trait FromArg: Sized {
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Self>;
}

impl FromArg for Value {
    #[inline]
    fn from_arg(_ec: &mut Ec, value: Value) -> Result<Value> {
        Ok(value)
    }
}

impl FromArg for bool {
    fn from_arg(_ec: &mut Ec, value: Value) -> Result<bool> {
        Ok(value.truthy())
    }
}

/// An integer argument that must fit 64 bits.
pub type Int = i64;

impl FromArg for i64 {
    #[inline]
    fn from_arg(ec: &mut Ec, value: Value) -> Result<i64> {
        match value.as_fixnum() {
            Some(i) => Ok(i),
            None => ec.to_long(value),
        }
    }
}

/// A number argument as a double (`Float()` of a Numeric; strings and nil are refused).
#[derive(Clone, Copy)]
pub struct Num(pub f64);

impl FromArg for Num {
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Num> {
        ec.to_float(value).map(Num)
    }
}

/// A method, variable or constant name: a symbol, or anything with `to_str`.
#[derive(Clone, Copy)]
pub struct Name(pub SymbolId);

impl FromArg for Name {
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Name> {
        ec.to_name(value).map(Name)
    }
}

impl FromArg for Str {
    #[inline]
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Str> {
        match Str::from_value(value) {
            Some(s) => Ok(s),
            None => ec.to_str(value),
        }
    }
}

impl FromArg for Array {
    #[inline]
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Array> {
        match Array::from_value(value) {
            Some(a) => Ok(a),
            None => ec.to_ary(value),
        }
    }
}

impl FromArg for Hash {
    #[inline]
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Hash> {
        match Hash::from_value(value) {
            Some(h) => Ok(h),
            None => ec.to_hash(value),
        }
    }
}

impl FromArg for Class {
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Class> {
        match Class::from_value(value) {
            Some(class) => Ok(class),
            None => Err(ec.type_error("class or module required")),
        }
    }
}

impl<T: FromArg> Param for T {
    const KIND: ParamKind = ParamKind::Required;

    #[inline]
    fn read(ec: &mut Ec, reader: &mut ArgReader) -> Result<T> {
        let value = reader.args.get(reader.next).unwrap_or(Value::NIL);
        reader.next += 1;
        reader.required_left = reader.required_left.saturating_sub(1);
        T::from_arg(ec, value)
    }
}

impl<T: FromArg> Param for Option<T> {
    const KIND: ParamKind = ParamKind::Optional;

    #[inline]
    fn read(ec: &mut Ec, reader: &mut ArgReader) -> Result<Option<T>> {
        if reader.optional_left == 0 {
            return Ok(None);
        }
        reader.optional_left -= 1;
        let value = reader.args.get(reader.next).unwrap_or(Value::NIL);
        reader.next += 1;
        T::from_arg(ec, value).map(Some)
    }
}

/// All arguments that no other parameter takes.
#[derive(Clone, Copy)]
pub struct Rest {
    first: *const Value,
    len: usize,
}

impl Rest {
    pub fn len(self) -> usize {
        self.len
    }

    pub fn is_empty(self) -> bool {
        self.len == 0
    }

    #[inline]
    pub fn get(self, index: usize) -> Option<Value> {
        // SAFETY: the arguments live in the window until the native method returns.
        (index < self.len).then(|| unsafe { *self.first.add(index) })
    }

    pub fn iter(self) -> impl Iterator<Item = Value> {
        (0..self.len).filter_map(move |i| self.get(i))
    }

    /// A new array of the arguments.
    pub fn to_array(self, ec: &Ec) -> Array {
        // SAFETY: as in `get`.
        Array::from_slice(ec, unsafe { std::slice::from_raw_parts(self.first, self.len) })
    }
}

impl Param for Rest {
    const KIND: ParamKind = ParamKind::Rest;

    fn read(_ec: &mut Ec, reader: &mut ArgReader) -> Result<Rest> {
        let len = reader.positional.saturating_sub(reader.next + reader.required_left);
        // SAFETY: `next` is at most one behind the last argument of the window.
        let first = unsafe { reader.args.fp.0.add(1 + reader.next) };
        reader.next += len;
        Ok(Rest { first, len })
    }
}

/// The keyword arguments, if any were given.
#[derive(Clone, Copy)]
pub struct Keywords(pub Option<Hash>);

impl Keywords {
    /// The value of keyword `name`.
    pub fn get(self, ec: &mut Ec, name: SymbolId) -> Option<Value> {
        self.0?.get_symbol(ec, name)
    }

    /// Fails with `unknown keyword: :x` if there are others than `known`.
    pub fn check(self, ec: &mut Ec, known: &[SymbolId]) -> Result<()> {
        let Some(hash) = self.0 else { return Ok(()) };
        let unknown = Array::new(ec, 0);
        let mut position = 0;
        while let Some(next) = hash.next(ec, position) {
            position = next;
            let key = hash.key_at(ec, next - 1);
            if !key.as_symbol().is_some_and(|s| known.contains(&s)) {
                unknown.push(ec, key);
            }
        }
        if unknown.is_empty(ec) { Ok(()) } else { Err(crate::run::args::unknown_keywords(ec, unknown)) }
    }

    pub fn is_empty(self, ec: &Ec) -> bool {
        self.0.is_none_or(|h| h.is_empty(ec))
    }
}

impl Param for Keywords {
    const KIND: ParamKind = ParamKind::Keywords;

    fn read(_ec: &mut Ec, reader: &mut ArgReader) -> Result<Keywords> {
        if !reader.args.has_keywords() {
            return Ok(Keywords(None));
        }
        Ok(Keywords(reader.args.get(reader.args.len() - 1).and_then(Hash::from_value)))
    }
}

impl Param for Option<Block> {
    const KIND: ParamKind = ParamKind::Block;

    #[inline]
    fn read(ec: &mut Ec, _reader: &mut ArgReader) -> Result<Option<Block>> {
        Ok(ec.block())
    }
}

/// All arguments as they came, for methods whose parameters no type describes.
impl Param for Args {
    const KIND: ParamKind = ParamKind::Rest;

    fn read(_ec: &mut Ec, reader: &mut ArgReader) -> Result<Args> {
        Ok(reader.args)
    }
}

/// A receiver type. Methods are found by class, so the check only guards `bind_call`-like tricks and `allocate`.
pub trait FromSelf: Sized {
    fn from_self(ec: &mut Ec, value: Value) -> Result<Self>;
}

impl FromSelf for Value {
    #[inline]
    fn from_self(_ec: &mut Ec, value: Value) -> Result<Value> {
        Ok(value)
    }
}

/// Implements [`FromSelf`] for a handle with `from_value`.
#[macro_export]
macro_rules! receiver_type {
    ($($handle:ty => $name:literal),+ $(,)?) => {$(
        impl $crate::native::FromSelf for $handle {
            #[inline]
            fn from_self(ec: &mut $crate::Ec, value: $crate::Value) -> $crate::Result<Self> {
                match <$handle>::from_value(value) {
                    Some(handle) => Ok(handle),
                    None => Err(ec.wrong_type(value, $name)),
                }
            }
        }
    )+};
}

receiver_type!(Str => "String", Array => "Array", Hash => "Hash", Class => "Module", crate::run::proc::Proc => "Proc");

/// What a native method may return.
pub trait IntoResult {
    fn into_result(self, ec: &mut Ec) -> Result;
}

impl IntoResult for Value {
    #[inline]
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(self)
    }
}

impl IntoResult for bool {
    #[inline]
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(Value::bool(self))
    }
}

impl IntoResult for () {
    #[inline]
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(Value::NIL)
    }
}

impl IntoResult for i64 {
    fn into_result(self, ec: &mut Ec) -> Result {
        Ok(ec.int(self))
    }
}

impl IntoResult for usize {
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(Value::len(self))
    }
}

impl IntoResult for f64 {
    fn into_result(self, ec: &mut Ec) -> Result {
        Ok(ec.float(self))
    }
}

impl IntoResult for SymbolId {
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(Value::symbol(self))
    }
}

impl IntoResult for Str {
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(self.value())
    }
}

impl IntoResult for Array {
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(self.value())
    }
}

impl IntoResult for Hash {
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(self.value())
    }
}

impl IntoResult for Class {
    fn into_result(self, _ec: &mut Ec) -> Result {
        Ok(self.value())
    }
}

impl<T: IntoResult> IntoResult for Option<T> {
    fn into_result(self, ec: &mut Ec) -> Result {
        self.map_or(Ok(Value::NIL), |v| v.into_result(ec))
    }
}

impl<T: IntoResult> IntoResult for Result<T> {
    #[inline]
    fn into_result(self, ec: &mut Ec) -> Result {
        self.and_then(|v| v.into_result(ec))
    }
}

/// A typed function that can be a native method; `M` is its signature.
pub trait NativeMethod<M>: Copy + 'static {
    const REQUIRED: usize;
    const OPTIONAL: usize;
    const HAS_REST: bool;
    const HAS_KEYWORDS: bool;

    fn call(self, ec: &mut Ec, args: Args) -> Result;

    /// `Method#arity`. As with CRuby's C functions, anything but a fixed number of arguments is -1.
    const ARITY: i32 =
        if Self::OPTIONAL > 0 || Self::HAS_REST || Self::HAS_KEYWORDS { -1 } else { Self::REQUIRED as i32 };
}

/// The arguments of a call, if their number is right. What the method takes is known where this is compiled.
#[inline(always)]
fn reader(
    ec: &mut Ec,
    args: Args,
    required: usize,
    optional: usize,
    has_rest: bool,
    has_keywords: bool,
) -> Result<ArgReader> {
    // Most methods: keywords, if there are any, are an argument like others.
    if optional == 0 && !has_rest && !has_keywords && args.len() == required {
        return Ok(ArgReader { args, next: 0, optional_left: 0, positional: required, required_left: required });
    }
    // Any arguments at all.
    if required == 0 && optional == 0 && has_rest {
        let positional = args.len() - usize::from(has_keywords && args.has_keywords());
        return Ok(ArgReader { args, next: 0, optional_left: 0, positional, required_left: 0 });
    }
    reader_of_some(ec, args, required, optional, has_rest, has_keywords)
}

#[inline(never)]
fn reader_of_some(
    ec: &mut Ec,
    args: Args,
    required: usize,
    optional: usize,
    has_rest: bool,
    has_keywords: bool,
) -> Result<ArgReader> {
    let positional = args.len() - usize::from(has_keywords && args.has_keywords());
    if positional < required || (!has_rest && positional > required + optional) {
        return Err(ec.arity_error(positional, required, (!has_rest).then_some(required + optional)));
    }
    let optional_left = (positional - required).min(optional);
    Ok(ArgReader { args, next: 0, optional_left, positional, required_left: required })
}

macro_rules! native_method {
    ($($param:ident)*) => {
        impl<F, S, R, $($param),*> NativeMethod<(S, R, $($param,)*)> for F
        where
            F: Fn(&mut Ec, S, $($param),*) -> R + Copy + 'static,
            S: FromSelf,
            R: IntoResult,
            $($param: Param,)*
        {
            const REQUIRED: usize = 0 $(+ ($param::KIND as usize == ParamKind::Required as usize) as usize)*;
            const OPTIONAL: usize = 0 $(+ ($param::KIND as usize == ParamKind::Optional as usize) as usize)*;
            const HAS_REST: bool = false $(|| $param::KIND as usize == ParamKind::Rest as usize)*;
            const HAS_KEYWORDS: bool = false $(|| $param::KIND as usize == ParamKind::Keywords as usize)*;

            #[inline]
            #[allow(non_snake_case, unused_mut, unused_variables, reason = "one body for every number of parameters")]
            fn call(self, ec: &mut Ec, args: Args) -> Result {
                let mut reader = reader(ec, args, Self::REQUIRED, Self::OPTIONAL, Self::HAS_REST, Self::HAS_KEYWORDS)?;
                let receiver = S::from_self(ec, args.receiver())?;
                $(let $param = $param::read(ec, &mut reader)?;)*
                self(ec, receiver, $($param),*).into_result(ec)
            }
        }
    };
}

native_method!();
native_method!(A1);
native_method!(A1 A2);
native_method!(A1 A2 A3);
native_method!(A1 A2 A3 A4);
native_method!(A1 A2 A3 A4 A5);
native_method!(A1 A2 A3 A4 A5 A6);
native_method!(A1 A2 A3 A4 A5 A6 A7);

/// The untyped function behind a typed one.
pub const fn erase<F: NativeMethod<M>, M: 'static>(_function: F) -> NativeFn {
    const { assert!(size_of::<F>() == 0, "native methods are plain functions") };
    |ec, args| {
        // SAFETY: `F` is the zero-sized type of a function item, so any bit pattern (there are none) is a value of it.
        let function: F = unsafe { std::ptr::NonNull::<F>::dangling().read() };
        function.call(ec, args)
    }
}

pub const fn arity_of<F: NativeMethod<M>, M>(_function: &F) -> i32 {
    F::ARITY
}

impl<T: NativeData> FromSelf for Data<T> {
    fn from_self(ec: &mut Ec, value: Value) -> Result<Self> {
        Data::from_value(value).ok_or_else(|| ec.wrong_type(value, T::NAME))
    }
}

impl<T: NativeData> FromArg for Data<T> {
    fn from_arg(ec: &mut Ec, value: Value) -> Result<Self> {
        Data::from_value(value).ok_or_else(|| ec.wrong_type(value, T::NAME))
    }
}

/// A table of native methods. Rows: `"name" => function;`, with `private` or `static` (a singleton method) before it;
/// `module_function` stands for both a private method and a singleton one; `alias "new" of "old"` for what `alias_method` makes. `borrowing`: see [`MethodDef::borrows`];
/// a number behind it is those bits, in place of all.
#[macro_export]
macro_rules! methods {
    ($($(#[$meta:meta])* $table:ident { $($body:tt)* })+) => {$(
        $(#[$meta])*
        pub static $table: &[$crate::method::MethodDef] = {
            const COUNT: usize = $crate::methods!(@rows [] $($body)*).len();
            // Rows are told from each other by their places, so there is to be one of each.
            static ROWS: [$crate::method::MethodDef; COUNT] = $crate::methods!(@rows [] $($body)*);
            &ROWS
        };
    )+};
    (@rows [$($done:tt)*]) => { [$($done)*] };
    (@rows [$($done:tt)*] borrowing $name:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)*] borrowing 0xff $name => $f; $($rest)*)
    };
    (@rows [$($done:tt)*] borrowing $bits:literal $name:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::methods!(@def $name, $f, Public, false, $bits),] $($rest)*)
    };
    (@rows [$($done:tt)*] borrowing $bits:literal module_function $name:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::methods!(@def $name, $f, Private, false, $bits), $crate::methods!(@def $name, $f, Public, true, $bits),] $($rest)*)
    };
    (@rows [$($done:tt)*] private $name:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::methods!(@def $name, $f, Private, false),] $($rest)*)
    };
    (@rows [$($done:tt)*] static $name:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::methods!(@def $name, $f, Public, true),] $($rest)*)
    };
    (@rows [$($done:tt)*] module_function $name:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::methods!(@def $name, $f, Private, false), $crate::methods!(@def $name, $f, Public, true),] $($rest)*)
    };
    (@rows [$($done:tt)*] alias $name:literal of $old:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::methods!(@def $name, $f, Public, false, 0, Some($old)),] $($rest)*)
    };
    (@rows [$($done:tt)*] static alias $name:literal of $old:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::methods!(@def $name, $f, Public, true, 0, Some($old)),] $($rest)*)
    };
    (@rows [$($done:tt)*] $name:literal => $f:expr; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::methods!(@def $name, $f, Public, false),] $($rest)*)
    };
    (@rows [$($done:tt)*] static unimplemented $name:literal; $($rest:tt)*) => {
        $crate::methods!(@rows [$($done)* $crate::method::MethodDef {
            is_singleton: true,
            ..$crate::method::MethodDef::unimplemented($name, $crate::Visibility::Public)
        },] $($rest)*)
    };
    (@def $name:literal, $f:expr, $visibility:ident, $singleton:literal) => {
        $crate::methods!(@def $name, $f, $visibility, $singleton, 0)
    };
    (@def $name:literal, $f:expr, $visibility:ident, $singleton:literal, $borrows:literal) => {
        $crate::methods!(@def $name, $f, $visibility, $singleton, $borrows, None)
    };
    (@def $name:literal, $f:expr, $visibility:ident, $singleton:literal, $borrows:literal, $alias_of:expr) => {
        $crate::method::MethodDef {
            name: $name,
            function: $crate::native::erase($f),
            arity: $crate::native::arity_of(&$f),
            visibility: $crate::Visibility::$visibility,
            is_singleton: $singleton,
            borrows: $borrows,
            alias_of: $alias_of,
            is_implemented: true,
        }
    };
}

/// A native function that core Ruby code calls as `Primitive.name(…)`; the receiver is nil.
pub struct PrimitiveDef {
    pub name: &'static str,
    pub function: NativeFn,
}

/// A table of primitives: `"array_at" => array_at;`. The functions take the arguments alone, behind the context.
#[macro_export]
macro_rules! primitives {
    ($($(#[$meta:meta])* $table:ident { $($name:literal => $f:expr;)* })+) => {$(
        $(#[$meta])*
        pub static $table: &[$crate::native::PrimitiveDef] =
            &[$($crate::native::PrimitiveDef { name: $name, function: $crate::native::erase_primitive($f) }),*];
    )+};
}

/// A typed function that can be a primitive.
pub trait PrimitiveFn<M>: Copy + 'static {
    fn call(self, ec: &mut Ec, args: Args) -> Result;
}

macro_rules! primitive_fn {
    ($($param:ident)*) => {
        impl<F, R, $($param),*> PrimitiveFn<(R, $($param,)*)> for F
        where
            F: Fn(&mut Ec, $($param),*) -> R + Copy + 'static,
            R: IntoResult,
            $($param: FromArg,)*
        {
            #[inline]
            #[allow(non_snake_case, unused_mut, unused_variables, unused_assignments, reason = "one body for every number of parameters")]
            fn call(self, ec: &mut Ec, args: Args) -> Result {
                let mut next = 0;
                $(
                    let $param = $param::from_arg(ec, args.get(next).unwrap_or(Value::UNDEF))?;
                    next += 1;
                )*
                self(ec, $($param),*).into_result(ec)
            }
        }
    };
}

primitive_fn!();
primitive_fn!(A1);
primitive_fn!(A1 A2);
primitive_fn!(A1 A2 A3);
primitive_fn!(A1 A2 A3 A4);
primitive_fn!(A1 A2 A3 A4 A5);
primitive_fn!(A1 A2 A3 A4 A5 A6);
primitive_fn!(A1 A2 A3 A4 A5 A6 A7);
primitive_fn!(A1 A2 A3 A4 A5 A6 A7 A8);

pub const fn erase_primitive<F: PrimitiveFn<M>, M: 'static>(_function: F) -> NativeFn {
    const { assert!(size_of::<F>() == 0, "primitives are plain functions") };
    |ec, args| {
        // SAFETY: as in `erase`.
        let function: F = unsafe { std::ptr::NonNull::<F>::dangling().read() };
        function.call(ec, args)
    }
}

/// Primitives by name.
#[derive(Default)]
pub struct PrimitiveTable(pub(crate) FxHashMap<SymbolId, NativeFn>);

/// What methods do that raise wherever they are called; see [`MethodDef::is_implemented`].
fn unimplemented(ec: &mut Ec, _args: Args) -> Result {
    let name = ec.running_method_name().map(|(name, _)| ec.vm().symbol_text(name)).unwrap_or_default();
    Err(ec.not_implemented(&format!("{name}() function is unimplemented on this machine")))
}

impl MethodDef {
    pub const fn unimplemented(name: &'static str, visibility: crate::Visibility) -> MethodDef {
        let (function, arity) = (unimplemented as NativeFn, -1);
        MethodDef {
            name,
            function,
            arity,
            visibility,
            is_singleton: false,
            borrows: 0,
            alias_of: None,
            is_implemented: false,
        }
    }
}

/// What stands in place of native methods that the host denies.
fn denied(ec: &mut Ec, _args: Args) -> Result {
    Err(ec.error(ec.vm().known().security_error, "the host does not allow this"))
}

/// Whether a primitive is one that the host denies.
pub(crate) fn is_denied(function: NativeFn) -> bool {
    std::ptr::fn_addr_eq(function, denied as NativeFn)
}

const DENIED: MethodDef = MethodDef {
    name: "denied",
    function: denied,
    arity: -1,
    visibility: crate::Visibility::Public,
    is_singleton: false,
    borrows: 0,
    alias_of: None,
    is_implemented: true,
};

/// The same for a public and a private method.
const DENIED_DEFS: &[MethodDef; 2] = &[DENIED, MethodDef { visibility: crate::Visibility::Private, ..DENIED }];

/// Native methods and primitives of a subject that the host denies, by the names that it does not: they touch nothing outside
/// the VM.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Gate(pub &'static [&'static str]);

impl Ec {
    /// Runs what defines native methods while the gate, if there is one, lets through only those that it names. All ways from
    /// Ruby to native code begin in such a table, so nothing else has to ask.
    pub fn behind_gate<R>(&mut self, gate: Option<Gate>, define: impl FnOnce(&mut Ec) -> R) -> R {
        let set = |ec: &Ec, gate| *ec.vm().gate.lock().unwrap_or_else(|e| e.into_inner()) = gate;
        set(self, gate);
        let result = define(self);
        set(self, None);
        result
    }

    /// Makes primitives known; once per VM, before any core Ruby code is linked.
    pub fn define_primitives(&self, tables: &[(&'static [PrimitiveDef], Option<Gate>)]) {
        let mut table = PrimitiveTable::default();
        for (defs, gate) in tables {
            for def in defs.iter() {
                let is_open = gate.is_none_or(|gate| gate.0.contains(&def.name));
                table.0.insert(self.vm().intern_static(def.name), if is_open { def.function } else { denied });
            }
        }
        assert!(self.vm().primitives.set(table).is_ok(), "primitives are defined once");
    }
}

impl Class {
    /// Adds a table of native methods to a class or module.
    pub fn define_methods(self, ec: &Ec, table: &'static [MethodDef]) {
        self.reserve_methods(table.iter().filter(|def| !def.is_singleton).count());
        let gate = *ec.vm().gate.lock().unwrap_or_else(|e| e.into_inner());
        for def in table {
            let name = ec.vm().intern_static(def.name);
            let target = if def.is_singleton {
                ec.singleton_class_of(self.value()).expect("modules have singleton classes")
            } else {
                self
            };
            let is_open = gate.is_none_or(|gate| gate.0.contains(&def.name));
            let is_private = def.visibility == crate::Visibility::Private;
            target.put_native(ec, name, if is_open { def } else { &DENIED_DEFS[usize::from(is_private)] });
        }
    }
}
