//! `Class#new`: allocation, then `initialize` in a frame of its own.
//!
//! Between the caller and `initialize` stands a frame of two instructions: the object is its `self`, the result of
//! `initialize` lands in its only register, and it returns the object. No native frame is in the way, so a fiber may switch
//! or a block may break inside `initialize`. Backtraces leave the frame out.
//!
//! A call by `opt_new` without a block has no such frame: its window keeps the object, and `new_result` fetches it.

use super::enter::{Entered, Return, enter_method, write_header};
use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::symbol::sym;
use crate::run::args::{Given, GivenKeywords};
use crate::run::code::CodeData;
use crate::run::frame::{self, Fp};
use crate::run::link::LinkedIseq;
use crate::run::proc::BlockWord;
use crate::value::array::Array;
use crate::value::hash::{Hash, is_equal_by_identity};
use carat_iseq::{Draft, Insn, IseqFlags, IseqKind, IseqRef, Op, Pack, Params};
use carat_layout::{HeapType, SymbolId, Value};
use std::sync::atomic::Ordering;

/// Registers of the frame: the object, and the result that nobody asks for.
const FRAME_SIZE: u16 = 2;

fn code(ec: &mut Ec) -> &'static CodeData {
    if let Some(code) = ec.new_frame {
        return code;
    }
    let draft = Draft {
        kind: IseqKind::Method,
        name: b"new".as_slice().into(),
        first_line: 0,
        insns: vec![Insn::abc(Op::ext, 1, 0, 0), Insn::abc(Op::leave, 0, 0, 0)],
        literals: Vec::new(),
        symbols: Vec::new(),
        sites: Vec::new(),
        children: Vec::new(),
        params: Params::default(),
        parameter_names: Vec::new(),
        locals: Vec::new(),
        svar: None,
        catches: Vec::new(),
        pending_windows: Vec::new(),
        lines: Vec::new(),
        frame_size: FRAME_SIZE,
        local_size: FRAME_SIZE,
        flags: IseqFlags { is_core: true, ..IseqFlags::default() },
    };
    let mut pack = Pack::new();
    let at = pack.add(&draft);
    let linked = LinkedIseq::new(IseqRef::packed(pack.finish("<internal:class>".into()), at));
    let code = CodeData::new(ec, linked, Value::NIL, Value::NIL, None);
    ec.vm().keep(code.this);
    ec.new_frame = Some(code);
    code
}

/// # Safety
/// As `push_frame`; register 0 of the window is the class.
pub(crate) unsafe fn enter_new(ec: &mut Ec, given: &mut Given<'_>, ret: Return) -> Result<Entered> {
    // SAFETY: by contract.
    unsafe {
        let receiver = given.base.reg(0);
        if !receiver.is_type(HeapType::Class) {
            return Err(ec.wrong_type(receiver, "Class"));
        }
        let class = Class::from_value_unchecked(receiver);
        if let Some(array) = filled_array(ec, class, given) {
            return Ok(Entered::Done(array));
        }
        if let Some(hash) = plain_hash(ec, class, given) {
            return Ok(Entered::Done(hash));
        }
        if let Some(set) = filled_set(ec, class, given)? {
            return Ok(Entered::Done(set));
        }
        let object = match sized_array(ec, class, given) {
            Some(array) => array,
            None => ec.allocate(class)?,
        };
        let Some(initialize) = ec.find_method(object, sym::INITIALIZE).map(MethodEntry::value) else {
            return Ok(Entered::Done(object));
        };
        if keeps_object(given, ret) {
            given.base.set_reg(0, object);
            let ret = Return { pc: ret.pc.sub(1), fp: ret.fp };
            return match enter_method(ec, initialize, sym::INITIALIZE, given, ret)? {
                Entered::Frame => Ok(Entered::Frame),
                Entered::Done(_) => Ok(Entered::Done(object)),
            };
        }
        let own = code(ec);
        let outer = given.base;
        let words = given.argc + if let GivenKeywords::Static(names) = given.keywords { names.len() } else { 0 };
        let inner = Fp(outer.0.add(usize::from(FRAME_SIZE) + frame::HEADER));
        if inner.0.addr() + (words + 64) * 8 > ec.stack.argument_limit() {
            return Err(ec.stack_error());
        }
        std::ptr::copy(outer.0.add(1), inner.0.add(1), words);
        let (block, block_env) = given.block.words();
        write_header(outer, own, ret, block, block_env);
        outer.set_reg(0, object);
        outer.set_reg(1, Value::NIL);
        inner.set_reg(0, object);
        given.base = inner;
        let sp = ec.sp;
        ec.sp = inner.0.add(1 + words);
        let entered = enter_method(ec, initialize, sym::INITIALIZE, given, Return { pc: own.insns.add(1), fp: outer });
        ec.sp = sp;
        match entered? {
            Entered::Frame => Ok(Entered::Frame),
            Entered::Done(_) => Ok(Entered::Done(object)),
        }
    }
}

/// `new` of a class of structs: without keywords, and as long as nobody has overridden `initialize`, the arguments become the
/// members, with no array for them in between.
///
/// # Safety
/// As [`enter_new`].
pub(crate) unsafe fn enter_new_struct(ec: &mut Ec, given: &mut Given<'_>, ret: Return) -> Result<Entered> {
    // SAFETY: by contract.
    unsafe {
        let class = Class::from_value(given.base.reg(0)).filter(|c| c.is_class());
        let owner = ec.vm().known().struct_class;
        let Some(class) = class.filter(|c| given.keywords.is_none(ec) && c.initializes_as(ec, owner)) else {
            return enter_new(ec, given, ret);
        };
        let object = ec.allocate(class)?;
        if given.argc > ec.field_count(object) {
            return enter_new(ec, given, ret);
        }
        for index in 0..given.argc {
            ec.set_field_at(object, index, given.base.reg(1 + index));
        }
        Ok(Entered::Done(object))
    }
}

/// `new` of a class that `Data.define` made. `initialize` takes keywords only, so values in order are passed as such; while
/// nobody has overridden it, values for all members are stored at once.
///
/// # Safety
/// As [`enter_new`].
pub(crate) unsafe fn enter_new_data(ec: &mut Ec, given: &mut Given<'_>, ret: Return) -> Result<Entered> {
    // SAFETY: by contract.
    unsafe {
        let receiver = given.base.reg(0);
        let Some(class) = Class::from_value(receiver).filter(|c| c.is_class()) else {
            return enter_new(ec, given, ret);
        };
        if given.argc > 0 && !given.keywords.is_none(ec) {
            return Err(ec.arity_error(given.argc + 1, 0, Some(0)));
        }
        let Some(members) = class.members(ec) else { return enter_new(ec, given, ret) };
        if given.argc > members.len(ec) {
            return Err(ec.arity_error(given.argc, 0, Some(members.len(ec))));
        }
        let is_plain = class.initializes_as(ec, ec.vm().known().data);
        if is_plain && given.argc > 0 && given.argc == members.len(ec) {
            return new_data_in_order(ec, class, given);
        }
        if given.argc == 0 {
            return new_data_by_names(ec, class, given, members, is_plain, ret);
        }
        let names: Vec<_> = members.slice_of(ec)[..given.argc].iter().filter_map(|m| m.as_symbol()).collect();
        // Values in order stand where those of keywords do: behind no arguments.
        let keywords = GivenKeywords::Static(&names);
        let mut named = Given { base: given.base, argc: 0, keywords, block: given.block };
        new_data_by_names(ec, class, &mut named, members, is_plain, ret)
    }
}

/// # Safety
/// As [`enter_new`]; there are keywords alone.
unsafe fn new_data_by_names(
    ec: &mut Ec,
    class: Class,
    given: &mut Given<'_>,
    members: Array,
    is_plain: bool,
    ret: Return,
) -> Result<Entered> {
    // SAFETY: by contract.
    unsafe {
        if let GivenKeywords::Static(names) = given.keywords
            && is_plain
            && names.len() == members.len(ec)
        {
            let object = ec.allocate(class)?;
            if ec.fill_data_by_names(object, members, names, |number| given.base.reg(1 + number)) {
                return Ok(Entered::Done(object));
            }
        }
        enter_new(ec, given, ret)
    }
}

/// # Safety
/// As [`enter_new`]; there are as many arguments as members.
unsafe fn new_data_in_order(ec: &mut Ec, class: Class, given: &Given<'_>) -> Result<Entered> {
    let object = ec.allocate(class)?;
    for index in 0..given.argc {
        // SAFETY: by contract.
        ec.set_field_at(object, index, unsafe { given.base.reg(1 + index) });
    }
    ec.freeze(object);
    Ok(Entered::Done(object))
}

/// Whether the call has arguments alone, and nobody asks for calls or records: those who do see `initialize`.
fn is_unwatched(ec: &Ec, given: &Given<'_>) -> bool {
    let is_plain = matches!(given.block, BlockWord::None) && matches!(given.keywords, GivenKeywords::None);
    is_plain && !ec.traces_native_calls() && !ec.is_recording()
}

/// Whether the class itself has this method from the core library.
fn has_core_method(ec: &Ec, class: Class, name: SymbolId) -> bool {
    class.cached_method(ec, name).is_some_and(|m| m.is_core(ec) && m.owner_value() == class.value())
}

/// What `Array.new` with a small size gives, and maybe an element, while nobody has overridden `initialize`, asks for its calls or records.
fn filled_array(ec: &Ec, class: Class, given: &Given<'_>) -> Option<Value> {
    const LARGEST: i64 = 64;
    if class != ec.vm().known().array || !(1..=2).contains(&given.argc) || !is_unwatched(ec, given) {
        return None;
    }
    // SAFETY: the arguments lie in the window.
    let (size, element) = unsafe { (given.base.reg(1), if given.argc == 2 { given.base.reg(2) } else { Value::NIL }) };
    let size = size.as_fixnum().filter(|size| (0..=LARGEST).contains(size))? as usize;
    if !has_core_method(ec, class, sym::INITIALIZE) {
        return None;
    }
    Some(Array::filled(ec, class, size, element).value())
}

/// What `Hash.new` gives, be it with a default, under the same conditions.
fn plain_hash(ec: &Ec, class: Class, given: &Given<'_>) -> Option<Value> {
    let is_plain = class == ec.vm().known().hash && given.argc <= 1 && is_unwatched(ec, given);
    if !is_plain || !has_core_method(ec, class, sym::INITIALIZE) {
        return None;
    }
    let hash = Hash::new_of(ec, class);
    if given.argc == 1 {
        // SAFETY: the argument lies in the window.
        hash.set_default(ec, unsafe { given.base.reg(1) }, false);
    }
    Some(hash.value())
}

/// What `Set.new` of an array gives, under the same conditions, and if `each` of arrays is the core's. The elements are strings,
/// or equal nothing but themselves: no Ruby code runs that could see that there is no `initialize`.
fn filled_set(ec: &mut Ec, class: Class, given: &Given<'_>) -> Result<Option<Value>> {
    if class != ec.vm().known().set || given.argc != 1 || !is_unwatched(ec, given) {
        return Ok(None);
    }
    // SAFETY: the argument lies in the window.
    let Some(elements) = Array::from_value(unsafe { given.base.reg(1) }) else { return Ok(None) };
    let array_class = ec.vm().known().array;
    let is_core = ec.class_of(elements.value()) == array_class
        && has_core_method(ec, class, sym::INITIALIZE)
        && has_core_method(ec, array_class, sym::EACH);
    if !is_core || !elements.slice_of(ec).iter().all(|e| is_equal_by_identity(*e) || e.is_type(HeapType::String)) {
        return Ok(None);
    }
    let set = Hash::new_set(ec, class);
    set.add_elements(ec, elements)?;
    Ok(Some(set.value()))
}

/// What an array of so many elements is made with, so that they lie in its slot.
fn sized_array(ec: &Ec, class: Class, given: &Given<'_>) -> Option<Value> {
    // SAFETY: the arguments lie in the window.
    let size = (given.argc > 0).then(|| unsafe { given.base.reg(1) })?.as_fixnum()?;
    let is_small = (1..=i64::from(u8::MAX) / 2).contains(&size);
    (class == ec.vm().known().array && is_small).then(|| Array::new_of(ec, class, size as usize).value())
}

/// Whether the call is an `opt_new`'s, so that its `new_result` finds the object in the window. The block of a call with one
/// may end the call by `break`, which must not lead there.
unsafe fn keeps_object(given: &Given<'_>, ret: Return) -> bool {
    // SAFETY: the word before a return address is the call.
    unsafe {
        let call = *ret.pc.sub(1);
        call.op == Op::new_result
            && matches!(given.block, BlockWord::None)
            && given.base.0 == ret.fp.0.add(usize::from(call.b))
    }
}

/// A class whose objects are plain ones, and the code of its `initialize`, which takes required arguments alone.
#[derive(Clone, Copy)]
pub(crate) struct Constructor {
    /// Root shape of the class; 0 is none.
    shape: u32,
    /// That of the name `initialize` when the method was found.
    epoch: u32,
    code: *const CodeData,
}

impl Constructor {
    pub(crate) const NONE: Constructor = Constructor { shape: 0, epoch: 0, code: std::ptr::null() };
}

/// Constructors that a context remembers; a power of two.
pub(crate) const CONSTRUCTORS: usize = 32;

impl Class {
    /// The code of the class's `initialize`, whatever it takes, if that and making an object are all that `new` does; otherwise
    /// null.
    #[inline(always)]
    pub(crate) fn constructor(self, ec: &Ec) -> *const CodeData {
        let shape = self.root_shape().0;
        let known = ec.constructors[shape as usize % CONSTRUCTORS].get();
        let epoch = ec.vm().method_epoch(sym::INITIALIZE).load(Ordering::Relaxed);
        if known.shape == shape && known.epoch == epoch { known.code } else { self.find_constructor(ec) }
    }

    #[inline(never)]
    fn find_constructor(self, ec: &Ec) -> *const CodeData {
        let epoch = ec.vm().method_epoch(sym::INITIALIZE).load(Ordering::Acquire);
        let shape = self.root_shape().0;
        let code = self.plain_constructor(ec).map_or(std::ptr::null(), std::ptr::from_ref);
        ec.constructors[shape as usize % CONSTRUCTORS].set(Constructor { shape, epoch, code });
        code
    }

    /// Whether making a plain object is all that `new` without arguments does.
    pub(crate) fn initializes_nothing(self, ec: &Ec) -> bool {
        let owner = ec.vm().known().basic_object;
        let is_original = |entry: &MethodEntry| matches!(entry.resolved(ec).kind, MethodKind::Native(..));
        self.has_plain_objects(ec)
            && self.initializes_as(ec, owner)
            && self.find_method(ec, sym::INITIALIZE).is_some_and(is_original)
    }

    fn has_plain_objects(self, ec: &Ec) -> bool {
        let plain = ec.vm().known().basic_object.allocator();
        let is_plain = self.allocator().zip(plain).is_some_and(|(own, plain)| own as usize == plain as usize);
        is_plain && !self.is_singleton() && self.superclass().is_some()
    }

    fn plain_constructor(self, ec: &Ec) -> Option<&'static CodeData> {
        if !self.has_plain_objects(ec) {
            return None;
        }
        self.estimate_fields(ec);
        let entry = self.find_method(ec, sym::INITIALIZE)?.resolved(ec);
        matches!(entry.kind, MethodKind::Iseq(_)).then(|| entry.code(ec))
    }
}
