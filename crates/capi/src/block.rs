//! Blocks: yielding to one, passing one that is a C function, procs.

use crate::boundary::{CValue, Function, Id, Room, call_c_value, fetch, values, words};
use crate::data::DataType;
use crate::method::{as_block, call_passing, own_block, passing};
use carat_vm::call::{BlockCall, Passing};
use carat_vm::foreign::CData;
use carat_vm::recursion::Visitor;
use carat_vm::{Args, Array, Class, Ec, Proc, Result, SymbolId, Value, methods, sym};
use std::cell::Cell;
use std::mem::offset_of;
use std::sync::OnceLock;

/// A C function that is called like a block, and the word that it gets besides: in the slot of an object of a hidden class.
#[derive(Clone, Copy)]
#[repr(C)]
struct CBlock {
    function: Function,
    data: u64,
    /// The word as a value, if it is the address of an object. What it means, C code knows; it is kept as if it were one.
    held: Value,
    /// The block of the method that made this, as a Proc: what the function yields to. Nil if there is none.
    around: Value,
    kind: Kind,
}

static BLOCK_TYPE: DataType =
    DataType::in_slot(c"C block", &[offset_of!(CBlock, held), offset_of!(CBlock, around), usize::MAX]);

impl CBlock {
    fn into_object(self, ec: &Ec, class: Class) -> Value {
        let words = [
            self.function.0.expose_provenance() as u64,
            self.data,
            self.held.bits(),
            self.around.bits(),
            self.kind as u64,
        ];
        CData::with_words(ec, class, (&raw const BLOCK_TYPE).cast(), words).value()
    }

    fn of(value: Value) -> Option<CBlock> {
        let object = CData::from_value(value)?.raw();
        // SAFETY: the object is an RCData; those of this type have the words behind it that `into_object` put there.
        unsafe {
            let is_one = std::ptr::eq((*object).mark_or_type, (&raw const BLOCK_TYPE).cast());
            is_one.then(|| fetch((*object).data.cast_const().cast::<CBlock>()))
        }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(u64)]
enum Kind {
    /// `rb_block_call_func_t`
    Block,
    /// A function of one word.
    Plain,
    /// The size of an enumerator: object, arguments, enumerator.
    Size,
    /// No function but a word: it gets what is passed.
    Word,
}

methods! {
    METHODS {
        "call" => call;
        "arity" => arity;
    }
}

thread_local! {
    /// The object whose function runs as a block: what `rb_iter_break` leaves.
    static RUNNING: Cell<u64> = const { Cell::new(0) };
}

/// The hidden class of such objects.
fn block_class(ec: &Ec) -> Class {
    static CLASS: OnceLock<u64> = OnceLock::new();
    let bits = *CLASS.get_or_init(|| {
        let class = ec.new_class(ec.vm().known().object);
        class.define_methods(ec, METHODS);
        ec.vm().keep(class.value()).bits()
    });
    // SAFETY: the VM keeps the class, and only one VM loads extensions.
    Class::expect(unsafe { Value::from_bits(bits) })
}

fn new_block(ec: &mut Ec, function: Function, data: u64, kind: Kind) -> Value {
    let class = block_class(ec);
    let held = if ec.heap_holds(data) { CValue::from_word(data).value() } else { Value::NIL };
    let around = current_block(ec).unwrap_or(Value::NIL);
    CBlock { function, data, kind, held, around }.into_object(ec, class)
}

/// The block that C code yields to, as a Proc: in a block function that of the method which made it.
fn current_block(ec: &mut Ec) -> Option<Value> {
    match running_block(ec) {
        Some(running) => CBlock::of(running).map(|block| block.around).filter(|proc| !proc.is_nil()),
        None => ec.block().map(|block| block.to_proc(ec).value()),
    }
}

/// The object whose function runs as a block in the published frame.
fn running_block(ec: &Ec) -> Option<Value> {
    let running = RUNNING.get();
    (running != 0 && ec.running_receiver().bits() == running).then(|| ec.running_receiver())
}

/// A proc that calls a block function.
pub(crate) fn proc_of(ec: &mut Ec, function: Function, data: u64) -> Proc {
    let target = new_block(ec, function, data, Kind::Block);
    Proc::from_native_block(ec, target)
}

/// A proc that calls a function of one word.
pub(crate) fn proc_of_plain(ec: &mut Ec, function: Function, data: u64) -> Proc {
    let target = new_block(ec, function, data, Kind::Plain);
    Proc::from_native_block(ec, target)
}

/// A proc that stores what it is called with in a word.
pub(crate) fn proc_of_word(ec: &mut Ec, word: &'static std::sync::atomic::AtomicU64) -> Proc {
    let target = new_block(ec, Function(word.as_ptr().cast_const().cast()), 0, Kind::Word);
    Proc::from_native(ec, target)
}

/// `call` of such an object: what yields to it ends here.
fn call(ec: &mut Ec, this: Value, args: Args) -> Result {
    let Some(CBlock { function, data, kind, .. }) = CBlock::of(this) else {
        return Err(ec.wrong_type(this, "C block"));
    };
    if kind == Kind::Plain {
        return call_c_value(ec, function, &[data]);
    }
    if kind == Kind::Word {
        let value = args.get(0).unwrap_or(Value::NIL);
        crate::boundary::store(function.0.cast_mut().cast(), CValue::of(value));
        return Ok(value);
    }
    let mut room = Room::new();
    let (count, list) = words(args, &mut room);
    let first = args.get(0).unwrap_or(Value::NIL);
    let given = own_block(ec);
    let before = RUNNING.replace(this.bits());
    let words = [CValue::of(first).word(), data, count, list, CValue::of(given).word()];
    let result = crate::method::with_keywords(args.has_keywords(), || call_c_value(ec, function, &words));
    RUNNING.set(before);
    result
}

fn arity(_ec: &mut Ec, _this: Value) -> i64 {
    -1
}

/// Calls a method with a C function as its block; `rb_iter_break` in it ends the call.
fn call_with_function(
    ec: &mut Ec,
    receiver: Value,
    name: SymbolId,
    args: &[Value],
    function: Function,
    data: u64,
    keywords: i32,
) -> Result {
    if function.is_null() {
        let block = own_block(ec);
        let block = as_block(ec, block)?;
        return call_passing(ec, receiver, name, args, block, keywords);
    }
    let target = new_block(ec, function, data, Kind::Block);
    let proc = Proc::from_native_block(ec, target);
    let (args, passing) = passing(ec, args, Some(proc), keywords)?;
    match ec.call_with(receiver, name, args, passing) {
        Ok(value) => Ok(value),
        Err(unwind) => ec.caught_tag(target).ok_or(unwind),
    }
}

fn break_with(ec: &mut Ec, value: Value) -> carat_vm::Unwind {
    let running = RUNNING.get();
    if running == 0 || running_block(ec).is_none() {
        return ec.break_block_of_caller(value);
    }
    // SAFETY: the object's function runs, which keeps it alive.
    let tag = unsafe { Value::from_bits(running) };
    ec.throw_tag(tag, value)
}

fn proc_from(ec: &mut Ec, value: Value) -> Result<Proc> {
    match Proc::from_value(value) {
        Some(proc) => Ok(proc),
        None => Err(ec.wrong_type(value, "Proc")),
    }
}

fn call_proc(ec: &mut Ec, proc: Value, args: &[Value], block: Value, keywords: i32) -> Result {
    let (proc, block) = (proc_from(ec, proc)?, as_block(ec, block)?);
    let (args, passing) = passing(ec, args, block, keywords)?;
    ec.call_proc_with(proc, args, BlockCall { passing, ..BlockCall::default() })
}

fn yield_values(ec: &mut Ec, args: &[Value], keywords: i32) -> Result {
    if running_block(ec).is_some() {
        return match current_block(ec) {
            Some(block) => call_proc(ec, block, args, Value::NIL, keywords),
            None => Err(ec.local_jump_error("no block given (yield)", "noreason", Value::NIL)),
        };
    }
    let Some(block) = ec.block() else {
        return Err(ec.local_jump_error("no block given (yield)", "noreason", Value::NIL));
    };
    if keywords == 0 {
        return ec.yield_block(block, args);
    }
    let (args, passing) = passing(ec, args, None, keywords)?;
    ec.yield_block_with(block, args, BlockCall { passing, ..BlockCall::default() })
}

api! {
    fn rb_block_given_p(ec) -> bool {
        match running_block(ec) {
            Some(_) => current_block(ec).is_some(),
            None => ec.block().is_some(),
        }
    }

    fn rb_need_block(ec) -> Result<()> {
        match ec.block() {
            Some(_) => Ok(()),
            None => Err(ec.local_jump_error("no block given (yield)", "noreason", Value::NIL)),
        }
    }

    fn rb_yield(ec, value: CValue) -> Result {
        if value == CValue::UNDEF {
            return yield_values(ec, &[], 0);
        }
        yield_values(ec, &[value.value()], 0)
    }

    fn rb_yield_values2(ec, count: i32, list: *const CValue) -> Result {
        yield_values(ec, values(count.into(), list, &mut Room::new()), 0)
    }

    fn rb_yield_values_kw(ec, count: i32, list: *const CValue, keywords: i32) -> Result {
        yield_values(ec, values(count.into(), list, &mut Room::new()), keywords)
    }

    fn rb_yield_splat(ec, list: Value) -> Result {
        yield_splat(ec, list, 0)
    }

    fn rb_yield_splat_kw(ec, list: Value, keywords: i32) -> Result {
        yield_splat(ec, list, keywords)
    }

    /// The running method's block as a block function: what C code passes on when it has none of its own.
    fn rb_yield_block(ec, _value: Value, _data: u64, count: i32, list: *const CValue, _block: Value) -> Result {
        yield_values(ec, values(count.into(), list, &mut Room::new()), 0)
    }

    fn rb_block_call(ec, receiver: Value, name: Id, count: i32, list: *const CValue, function: Function, data: u64) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_with_function(ec, receiver, name.0, list, function, data, 0)
    }

    fn rb_block_call_kw(
        ec, receiver: Value, name: Id, count: i32, list: *const CValue, function: Function, data: u64, keywords: i32,
    ) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_with_function(ec, receiver, name.0, list, function, data, keywords)
    }

    fn rb_lambda_call(
        ec, receiver: Value, name: Id, count: i32, list: *const CValue, function: Function, _min: i32, _max: i32, data: u64,
    ) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        call_with_function(ec, receiver, name.0, list, function, data, 0)
    }

    fn rb_iterate(ec, body: Function, argument: u64, function: Function, data: u64) -> Result {
        let target = new_block(ec, body, argument, Kind::Plain);
        call_with_function(ec, target, sym::CALL, &[], function, data, 0)
    }

    fn rb_each(ec, receiver: Value) -> Result {
        let block = own_block(ec);
        let block = as_block(ec, block)?;
        ec.call_with(receiver, sym::EACH, &[], Passing { keywords: None, block })
    }

    fn rb_block_proc(ec) -> Result {
        match ec.block() {
            Some(block) => Ok(block.to_proc(ec).value()),
            None => Err(ec.argument_error("tried to create Proc object without a block")),
        }
    }

    fn rb_block_lambda(ec) -> Result {
        match ec.block() {
            Some(block) => Ok(block.to_lambda(ec)?.value()),
            None => Err(ec.argument_error("tried to create Proc object without a block")),
        }
    }

    fn rb_proc_new(ec, function: Function, data: u64) -> Value {
        proc_of(ec, function, data).value()
    }

    fn rb_proc_call(ec, proc: Value, list: Value) -> Result {
        let list = ec.to_ary(list)?;
        let args: Box<[Value]> = list.slice_of(ec).into();
        let result = call_proc(ec, proc, &args, Value::NIL, 0);
        std::hint::black_box(list);
        result
    }

    fn rb_proc_call_kw(ec, proc: Value, list: Value, keywords: i32) -> Result {
        let list = ec.to_ary(list)?;
        let args: Box<[Value]> = list.slice_of(ec).into();
        let result = call_proc(ec, proc, &args, Value::NIL, keywords);
        std::hint::black_box(list);
        result
    }

    fn rb_proc_call_with_block(ec, proc: Value, count: i32, list: *const CValue, block: Value) -> Result {
        call_proc(ec, proc, values(count.into(), list, &mut Room::new()), block, 0)
    }

    fn rb_proc_call_with_block_kw(
        ec, proc: Value, count: i32, list: *const CValue, block: Value, keywords: i32,
    ) -> Result {
        call_proc(ec, proc, values(count.into(), list, &mut Room::new()), block, keywords)
    }

    fn rb_proc_arity(ec, proc: Value) -> Result<i32> {
        let proc = proc_from(ec, proc)?;
        Ok(proc.arity(ec) as i32)
    }

    fn rb_obj_is_proc(_ec, value: Value) -> Value {
        Value::bool(Proc::from_value(value).is_some())
    }

    fn rb_iter_break(ec) -> Result<()> {
        Err(break_with(ec, Value::NIL))
    }

    fn rb_iter_break_value(ec, value: Value) -> Result<()> {
        Err(break_with(ec, value))
    }

    fn rb_enumeratorize(ec, object: Value, name: Value, count: i32, list: *const CValue) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        let keywords = i32::from(crate::method::is_given_keywords());
        enumerator(ec, object, name, list, Function(std::ptr::null()), keywords)
    }

    fn rb_enumeratorize_with_size(
        ec, object: Value, name: Value, count: i32, list: *const CValue, size: Function,
    ) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        let keywords = i32::from(crate::method::is_given_keywords());
        enumerator(ec, object, name, list, size, keywords)
    }

    fn rb_enumeratorize_with_size_kw(
        ec, object: Value, name: Value, count: i32, list: *const CValue, size: Function, keywords: i32,
    ) -> Result {
        let mut room = Room::new();
        let list = values(count.into(), list, &mut room);
        enumerator(ec, object, name, list, size, keywords)
    }

    fn rb_enum_values_pack(ec, count: i32, list: *const CValue) -> Value {
        match values(count.into(), list, &mut Room::new()) {
            [] => Value::NIL,
            [one] => *one,
            many => Array::from_slice(ec, many).value(),
        }
    }

    fn rb_exec_recursive(ec, function: Function, object: Value, argument: u64) -> Result {
        recursive(ec, function, object, Value::NIL, argument)
    }

    fn rb_exec_recursive_paired(ec, function: Function, object: Value, other: Value, argument: u64) -> Result {
        recursive(ec, function, object, other, argument)
    }
}

calls! {
    rb_proc_lambda_p(proc) => "lambda?";
}

/// Calls a function with whether it is already at work on the object, together with the other one, in this fiber.
fn recursive(ec: &mut Ec, function: Function, object: Value, other: Value, argument: u64) -> Result {
    let visitor = Visitor::Function(function.0.addr());
    let word = CValue::of(object).word();
    let first = ec.guarded(visitor, object, other, |ec| call_c_value(ec, function, &[word, argument, 0]))?;
    first.map_or_else(|| call_c_value(ec, function, &[word, argument, 1]), Ok)
}

fn yield_splat(ec: &mut Ec, list: Value, keywords: i32) -> Result {
    let list = crate::boundary::array(ec, list)?;
    let args: Box<[Value]> = list.slice_of(ec).into();
    let result = yield_values(ec, &args, keywords);
    std::hint::black_box(list);
    result
}

/// `object.enum_for(name, *args) { size }`
fn enumerator(ec: &mut Ec, object: Value, name: Value, args: &[Value], size: Function, keywords: i32) -> Result {
    let list = Array::new(ec, args.len() + 1);
    list.push(ec, name);
    args.iter().for_each(|arg| list.push(ec, *arg));
    let block = if size.is_null() { None } else { Some(size_block(ec, object, args, size)) };
    let full: Box<[Value]> = list.slice_of(ec).into();
    let (full, passing) = passing(ec, &full, block, keywords)?;
    let result = ec.call_with(object, name!(ec, "enum_for"), full, passing);
    std::hint::black_box(list);
    result
}

/// A block that asks a C function for the size.
fn size_block(ec: &mut Ec, object: Value, args: &[Value], size: Function) -> Proc {
    let list = Array::from_slice(ec, args).value();
    let class = size_class(ec);
    // What the function asks about stands where other blocks have what they keep.
    let block = CBlock { function: size, data: 0, held: object, around: list, kind: Kind::Size };
    let target = block.into_object(ec, class);
    Proc::from_native_block(ec, target)
}

methods! {
    SIZE {
        "call" => call_size;
        "arity" => arity;
    }
}

fn size_class(ec: &Ec) -> Class {
    static CLASS: OnceLock<u64> = OnceLock::new();
    let bits = *CLASS.get_or_init(|| {
        let class = ec.new_class(ec.vm().known().object);
        class.define_methods(ec, SIZE);
        ec.vm().keep(class.value()).bits()
    });
    // SAFETY: as in `block_class`.
    Class::expect(unsafe { Value::from_bits(bits) })
}

fn call_size(ec: &mut Ec, this: Value, _args: Args) -> Result {
    let Some(CBlock { function, held, around, .. }) = CBlock::of(this) else {
        return Err(ec.wrong_type(this, "C block"));
    };
    let words = [held, around, Value::NIL].map(|value| CValue::of(value).word());
    call_c_value(ec, function, &words)
}
