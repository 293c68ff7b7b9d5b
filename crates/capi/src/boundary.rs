//! Between C and Rust: words and values, calls into C, and how C code is left when something unwinds.
//!
//! # Jumps
//! [`call_c`] is the only way into C. The shim sets a jump buffer before it calls the function, and chains it behind that of
//! the call around it. An exported function (see [`api`]) calls its Rust body, whose locals are gone when it returns; if it
//! returned `Err`, the function jumps to the innermost buffer, and `call_c` returns `Err` in turn. What unwinds stands in
//! [`Ec::pending`] meanwhile.
//!
//! # The context
//! C passes none, so the thread that is in C keeps its own in a thread-local variable.

use carat_layout::SymbolId;
use carat_vm::{Args, Array, Class, Ec, Hash, Result, Str, Unwind, Value, sym};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_int, c_void};
use std::mem::MaybeUninit;
use std::sync::atomic::{
    AtomicU64,
    Ordering::{Acquire, Release},
};

/// A value as C has it: false is 0.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct CValue(u64);

impl CValue {
    pub(crate) const UNDEF: CValue = CValue(Value::UNDEF.bits());

    #[inline(always)]
    pub(crate) fn of(value: Value) -> CValue {
        CValue(if value.is_false() { 0 } else { value.bits() })
    }

    #[inline(always)]
    pub(crate) fn value(self) -> Value {
        if self.0 == 0 {
            return Value::FALSE;
        }
        // SAFETY: C code passes on words that it was given.
        unsafe { Value::from_bits(self.0) }
    }

    #[inline(always)]
    pub(crate) fn word(self) -> u64 {
        self.0
    }

    #[inline(always)]
    pub(crate) fn from_word(word: u64) -> CValue {
        CValue(word)
    }
}

/// A symbol as C has it: 0 is none, operators of one character are that character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Id(pub(crate) SymbolId);

const FIRST_ID: u64 = 256;

const OPERATORS: [(u8, SymbolId); 13] = [
    (b'!', sym::NOT),
    (b'%', sym::MOD),
    (b'&', sym::AND),
    (b'*', sym::MULT),
    (b'+', sym::PLUS),
    (b'-', sym::MINUS),
    (b'/', sym::DIV),
    (b'<', sym::LT),
    (b'>', sym::GT),
    (b'^', sym::XOR),
    (b'`', sym::BACKTICK),
    (b'|', sym::OR),
    (b'~', sym::TILDE),
];

/// What stands for each number below the first of other symbols.
static BY_CHARACTER: [SymbolId; FIRST_ID as usize] = {
    let mut table = [sym::EMPTY; FIRST_ID as usize];
    let mut index = 0;
    while index < OPERATORS.len() {
        table[OPERATORS[index].0 as usize] = OPERATORS[index].1;
        index += 1;
    }
    table
};

impl Id {
    #[inline]
    pub(crate) fn word(self) -> u64 {
        if self.0.0 < 128
            && let Some((character, _)) = OPERATORS.iter().find(|(_, symbol)| *symbol == self.0)
        {
            return u64::from(*character);
        }
        u64::from(self.0.0) + FIRST_ID
    }

    #[inline]
    pub(crate) fn from_word(word: u64) -> Id {
        match BY_CHARACTER.get(word as usize) {
            Some(symbol) => Id(*symbol),
            None if word < FIRST_UNKNOWN.load(Acquire) => Id(SymbolId((word - FIRST_ID) as u32)),
            None => Id::from_unknown(word),
        }
    }

    /// A symbol that is newer than the last one that was looked at, or no `ID` at all. Programs mistake a symbol's `VALUE` for one,
    /// which does no harm in CRuby; other words are those of a name that nobody uses.
    #[cold]
    fn from_unknown(word: u64) -> Id {
        let vm = current().vm();
        let first_unknown = u64::from(vm.symbol_count()) + FIRST_ID;
        FIRST_UNKNOWN.store(first_unknown, Release);
        // SAFETY: only whether it is a symbol is asked, and which.
        let as_value = unsafe { Value::from_bits(word) };
        match as_value.as_symbol() {
            _ if word < first_unknown => Id(SymbolId((word - FIRST_ID) as u32)),
            Some(symbol) if symbol.0 < vm.symbol_count() => Id(symbol),
            _ => Id(vm.intern(&format!("unknown ID {word:#x}"))),
        }
    }
}

/// Words of `ID`s below it are symbols.
static FIRST_UNKNOWN: AtomicU64 = AtomicU64::new(0);

const _: () = assert!(sym::TILDE.0 < 128 && sym::BACKTICK.0 < 128 && sym::OR.0 < 128);

/// Text that C passes: ends with a NUL.
#[derive(Clone, Copy)]
pub(crate) struct Text(*const c_char);

impl Text {
    pub(crate) fn bytes<'a>(self) -> &'a [u8] {
        if self.0.is_null() {
            return b"";
        }
        // SAFETY: every function that the header declares asks for text that ends with a NUL.
        unsafe { CStr::from_ptr(self.0) }.to_bytes()
    }

    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }

    pub(crate) fn symbol(self, ec: &Ec) -> SymbolId {
        ec.vm().intern_bytes(self.bytes(), carat_vm::EncodingIndex::UTF_8)
    }

    pub(crate) fn lossy(self) -> String {
        String::from_utf8_lossy(self.bytes()).into_owned()
    }
}

/// Bytes that C passes by address and length.
pub(crate) fn bytes_at<'a>(pointer: *const u8, len: i64) -> &'a [u8] {
    if pointer.is_null() || len <= 0 {
        return b"";
    }
    // SAFETY: every function that the header declares asks for as many bytes as are said.
    unsafe { std::slice::from_raw_parts(pointer, len as usize) }
}

/// The bytes up to a NUL.
pub(crate) fn bytes_of_text<'a>(text: *const u8) -> &'a [u8] {
    Text(text.cast()).bytes()
}

/// Writes what C asked for, if it did.
pub(crate) fn store<T>(place: *mut T, value: T) {
    if !place.is_null() {
        // SAFETY: C passes the address of a variable of this type, or none.
        unsafe { place.write(value) };
    }
}

/// What C put into one of its variables.
pub(crate) fn fetch<T: Copy>(place: *const T) -> T {
    // SAFETY: C passes the address of an initialised variable of this type.
    unsafe { place.read() }
}

/// A function of C code.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(transparent)]
pub(crate) struct Function(pub(crate) *const c_void);

impl Function {
    pub(crate) fn is_null(self) -> bool {
        self.0.is_null()
    }
}

/// What an argument from C becomes.
pub(crate) trait FromC: Sized {
    type C;
    fn from_c(c: Self::C) -> Self;
}

/// What a result becomes for C.
pub(crate) trait Outcome {
    type C;
    fn outcome(self) -> Result<Self::C>;
}

macro_rules! same_in_c {
    ($($kind:ty)*) => {$(
        impl FromC for $kind {
            type C = $kind;
            #[inline(always)]
            fn from_c(c: $kind) -> $kind { c }
        }
        impl Outcome for $kind {
            type C = $kind;
            #[inline(always)]
            fn outcome(self) -> Result<$kind> { Ok(self) }
        }
    )*};
}

same_in_c! { i16 u16 i32 u32 i64 u64 usize f64 CValue }

impl FromC for Value {
    type C = CValue;
    #[inline(always)]
    fn from_c(c: CValue) -> Value {
        c.value()
    }
}

impl FromC for Id {
    type C = u64;
    #[inline(always)]
    fn from_c(c: u64) -> Id {
        Id::from_word(c)
    }
}

impl FromC for Text {
    type C = *const c_char;
    #[inline(always)]
    fn from_c(c: *const c_char) -> Text {
        Text(c)
    }
}

impl FromC for Function {
    type C = *const c_void;
    #[inline(always)]
    fn from_c(c: *const c_void) -> Function {
        Function(c)
    }
}

impl<T> FromC for *const T {
    type C = *const T;
    #[inline(always)]
    fn from_c(c: *const T) -> *const T {
        c
    }
}

impl<T> FromC for *mut T {
    type C = *mut T;
    #[inline(always)]
    fn from_c(c: *mut T) -> *mut T {
        c
    }
}

impl<T> Outcome for *const T {
    type C = *const T;
    fn outcome(self) -> Result<*const T> {
        Ok(self)
    }
}

impl<T> Outcome for *mut T {
    type C = *mut T;
    fn outcome(self) -> Result<*mut T> {
        Ok(self)
    }
}

macro_rules! value_in_c {
    ($($kind:ty)*) => {$(
        impl Outcome for $kind {
            type C = CValue;
            #[inline(always)]
            fn outcome(self) -> Result<CValue> { Ok(CValue::of(self.value())) }
        }
    )*};
}

value_in_c! { Str Array Hash Class }

impl Outcome for Value {
    type C = CValue;
    #[inline(always)]
    fn outcome(self) -> Result<CValue> {
        Ok(CValue::of(self))
    }
}

impl Outcome for Id {
    type C = u64;
    #[inline(always)]
    fn outcome(self) -> Result<u64> {
        Ok(self.word())
    }
}

impl Outcome for bool {
    type C = c_int;
    #[inline(always)]
    fn outcome(self) -> Result<c_int> {
        Ok(c_int::from(self))
    }
}

impl Outcome for () {
    type C = ();
    #[inline(always)]
    fn outcome(self) -> Result<()> {
        Ok(())
    }
}

impl<T: Outcome> Outcome for Result<T> {
    type C = T::C;
    #[inline(always)]
    fn outcome(self) -> Result<T::C> {
        self.and_then(T::outcome)
    }
}

/// Functions that C code calls: a name of the header, and what it does.
macro_rules! api {
    ($($(#[$meta:meta])* fn $name:ident($ec:ident $(, $argument:ident: $kind:ty)* $(,)?) $(-> $result:ty)? $body:block)*) => {$(
        $(#[$meta])*
        #[unsafe(no_mangle)]
        extern "C" fn $name(
            $($argument: <$kind as $crate::boundary::FromC>::C),*
        ) -> <api!(@result $($result)?) as $crate::boundary::Outcome>::C {
            #[inline(always)]
            #[allow(clippy::too_many_arguments, reason = "they are as many as C passes")]
            fn rust_body($ec: &mut carat_vm::Ec, $($argument: $kind),*) -> api!(@result $($result)?) $body
            let ec = $crate::boundary::current();
            let result = rust_body(ec, $(<$kind as $crate::boundary::FromC>::from_c($argument)),*);
            match $crate::boundary::Outcome::outcome(result) {
                Ok(result) => result,
                Err(_) => $crate::boundary::jump(ec),
            }
        }
    )*};
    (@result) => { () };
    (@result $result:ty) => { $result };
}

/// Functions that call the method of a name.
macro_rules! calls {
    ($($function:ident($receiver:ident $(, $argument:ident)*) => $name:literal;)*) => {$(
        #[unsafe(no_mangle)]
        extern "C" fn $function(
            $receiver: $crate::boundary::CValue $(, $argument: $crate::boundary::CValue)*
        ) -> $crate::boundary::CValue {
            static NAME: $crate::boundary::Name = $crate::boundary::Name::new($name);
            let ec = $crate::boundary::current();
            let name = NAME.symbol(ec);
            match ec.call($receiver.value(), name, &[$($argument.value()),*]) {
                Ok(value) => $crate::boundary::CValue::of(value),
                Err(_) => $crate::boundary::jump(ec),
            }
        }
    )*};
}

/// The symbol of a name that the code spells out, looked up once: hashing a name costs more than many a call.
macro_rules! name {
    ($ec:expr, $text:literal) => {{
        static NAME: $crate::boundary::Name = $crate::boundary::Name::new($text);
        NAME.symbol($ec)
    }};
}

/// The symbol of a name, looked up once: one VM loads extensions.
pub(crate) struct Name {
    text: &'static str,
    number: std::sync::atomic::AtomicU32,
}

impl Name {
    pub(crate) const fn new(text: &'static str) -> Name {
        Name { text, number: std::sync::atomic::AtomicU32::new(0) }
    }

    #[inline]
    pub(crate) fn symbol(&self, ec: &Ec) -> SymbolId {
        // A symbol's number is worth nothing without its entry, which another thread may have made.
        match self.number.load(Acquire) {
            0 => {
                let symbol = ec.vm().intern(self.text);
                self.number.store(symbol.0 + 1, Release);
                symbol
            }
            number => SymbolId(number - 1),
        }
    }
}

thread_local! {
    static CURRENT: Cell<*mut Ec> = const { Cell::new(std::ptr::null_mut()) };
}

unsafe extern "C" {
    fn carat_enter(
        jumps: *mut *mut c_void,
        function: *const c_void,
        count: usize,
        words: *const u64,
        result: *mut u64,
    ) -> c_int;
    fn carat_enter_one(jumps: *mut *mut c_void, function: *const c_void, word: u64, result: *mut u64) -> c_int;
    fn carat_jump(jumps: *mut c_void) -> !;
}

/// The context of the thread that is in C.
#[inline(always)]
pub(crate) fn current<'a>() -> &'a mut Ec {
    // SAFETY: exported functions are called by C code alone, which only `call_c` enters, and what it lent the context from
    // waits meanwhile.
    unsafe { &mut *CURRENT.get() }
}

/// Whether the running thread is one of Ruby's, and in C.
pub(crate) fn is_in_c() -> bool {
    !CURRENT.get().is_null()
}

/// Runs C code in the middle of a collection, which may call functions that look at objects. Nothing is collected meanwhile, and
/// raising ends the program.
#[inline]
pub(crate) fn during_collection(ec: &Ec, function: impl FnOnce()) {
    let before = CURRENT.replace(std::ptr::from_ref(ec).cast_mut());
    let outer = ec.set_collecting(true);
    function();
    ec.set_collecting(outer);
    CURRENT.set(before);
}

/// Leaves C code: whatever is pending goes on where the innermost call into C was made.
#[cold]
pub(crate) fn jump(ec: &mut Ec) -> ! {
    if ec.is_collecting() {
        panic!("a mark or free function of a C extension raised an exception");
    }
    // SAFETY: the head of the chain is a call that has not returned. Between it and here are C frames and the exported
    // function, whose locals have no destructors.
    unsafe { carat_jump(*ec.jumps()) }
}

/// Calls a function of C code with words, up to seventeen; what it returns.
#[inline]
pub(crate) fn call_c(ec: &mut Ec, function: Function, words: &[u64]) -> Result<u64> {
    // SAFETY: the words are as many as the function takes, as whoever registered it said.
    entered(ec, |jumps, result| unsafe { carat_enter(jumps, function.0, words.len(), words.as_ptr(), result) })
}

/// As [`call_c`], for a function of one word.
#[inline(always)]
pub(crate) fn call_c_one(ec: &mut Ec, function: Function, word: u64) -> Result {
    // SAFETY: as in `call_c`.
    let result = entered(ec, |jumps, result| unsafe { carat_enter_one(jumps, function.0, word, result) });
    result.map(|word| CValue::from_word(word).value())
}

/// Runs what enters C code, with the context where that finds it.
#[inline(always)]
fn entered(ec: &mut Ec, enter: impl FnOnce(*mut *mut c_void, *mut u64) -> c_int) -> Result<u64> {
    ec.check_native_stack()?;
    let mut result = 0;
    let (before, was_in_c) = (CURRENT.replace(ec), ec.set_in_c(true));
    let left = enter(ec.jumps(), &raw mut result);
    ec.set_in_c(was_in_c);
    CURRENT.set(before);
    // C code may have called the system.
    carat_os::contact::count();
    if left == 0 { Ok(result) } else { Err(ec.unwind(ec.pending())) }
}

/// Calls a function of C code of one word out of C code that called us: if it jumps, it leaves whoever calls this as well.
#[inline(always)]
pub(crate) fn call_c_through(function: Function, word: u64) {
    // SAFETY: whoever passed the function said that it takes a word. A jump crosses the caller, none of whose locals has a
    // destructor.
    unsafe { std::mem::transmute::<*const c_void, unsafe extern "C" fn(u64) -> u64>(function.0)(word) };
}

/// The same for a function that returns a value.
#[inline]
pub(crate) fn call_c_value(ec: &mut Ec, function: Function, words: &[u64]) -> Result {
    call_c(ec, function, words).map(|word| CValue::from_word(word).value())
}

/// So many words of a list need no memory of their own.
const FEW: usize = 16;

/// Where a list is translated. The caller's frame has it, since a list that is returned is copied, whole, with the part that has
/// nothing in it: that cost more than all the rest of a call.
pub(crate) struct Room<T> {
    few: [MaybeUninit<T>; FEW],
    many: Option<Box<[T]>>,
}

impl<T: Copy> Room<T> {
    #[inline(always)]
    pub(crate) fn new() -> Room<T> {
        Room { few: [const { MaybeUninit::uninit() }; FEW], many: None }
    }

    #[inline(always)]
    fn fill(&mut self, len: usize, mut at: impl FnMut(usize) -> T) -> &[T] {
        if len > FEW {
            return self.many.insert((0..len).map(at).collect());
        }
        // A plain loop: adaptors are calls where they are not inlined, and this is in the way of every call.
        let mut index = 0;
        while index < len {
            self.few[index] = MaybeUninit::new(at(index));
            index += 1;
        }
        // SAFETY: so many were written.
        unsafe { std::slice::from_raw_parts(self.few.as_ptr().cast(), len) }
    }
}

/// A list of values from C, translated. The originals keep the objects alive.
#[inline(always)]
pub(crate) fn values(count: i64, first: *const CValue, room: &mut Room<Value>) -> &[Value] {
    let count = if first.is_null() { 0 } else { count.max(0) as usize };
    // SAFETY: every function that the header declares asks for as many values as are said.
    room.fill(count, |index| unsafe { *first.add(index) }.value())
}

/// A method's arguments for C, translated: how many, and where they are.
#[inline(always)]
pub(crate) fn words(args: Args, room: &mut Room<u64>) -> (u64, u64) {
    let list = room.fill(args.len(), |index| CValue::of(args.get(index).unwrap_or(Value::NIL)).word());
    (list.len() as u64, list.as_ptr().expose_provenance() as u64)
}

pub(crate) fn class(ec: &mut Ec, value: Value) -> Result<Class> {
    match Class::from_value(value) {
        Some(class) => Ok(class),
        None => Err(ec.type_error("class or module required")),
    }
}

pub(crate) fn string(ec: &mut Ec, value: Value) -> Result<Str> {
    match Str::from_value(value) {
        Some(string) => Ok(string),
        None => Err(ec.wrong_type(value, "String")),
    }
}

pub(crate) fn array(ec: &mut Ec, value: Value) -> Result<Array> {
    match Array::from_value(value) {
        Some(array) => Ok(array),
        None => Err(ec.wrong_type(value, "Array")),
    }
}

pub(crate) fn hash(ec: &mut Ec, value: Value) -> Result<Hash> {
    match Hash::from_value(value) {
        Some(hash) => Ok(hash),
        None => Err(ec.wrong_type(value, "Hash")),
    }
}

/// `Kernel.name(*args)`
pub(crate) fn kernel_call(ec: &mut Ec, name: SymbolId, args: &[Value]) -> Result {
    ec.call(ec.vm().known().kernel.value(), name, args)
}

/// A method as Kernel defines it, whatever the object's class has.
pub(crate) fn kernel_method(ec: &mut Ec, object: Value, name: SymbolId, args: &[Value]) -> Result {
    let method = ec.vm().known().kernel.find_method(ec, name).map(|method| method.value());
    match method {
        Some(method) => ec.call_method(object, method, name, args, carat_vm::call::Passing::default()),
        None => ec.call(object, name, args),
    }
}

/// A constant of Object, by its path.
pub(crate) fn constant(ec: &mut Ec, path: &str) -> Result {
    let mut holder = ec.vm().known().object.value();
    for name in path.split("::") {
        holder = ec.constant_from_value(holder, ec.vm().intern(name))?;
    }
    Ok(holder)
}

/// Unwinding that C code caused and Rust code looked at goes on.
pub(crate) fn again(ec: &mut Ec, pending: Value) -> Unwind {
    ec.unwind(pending)
}
