//! Method entries: what a class's method table holds.

use crate::ec::Ec;
use crate::model::class::{Class, Visibility};
use crate::run::code::CodeData;
use crate::run::link::LinkedIseq;
use crate::value::array::Array;
use carat_layout::{HeapType, ROwner, SymbolId, Value, pool_for};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU64, Ordering};

/// What happens when a method is called.
#[derive(Clone)]
pub enum MethodKind {
    Iseq(Arc<LinkedIseq>),
    Native(&'static MethodDef),
    AttrReader(SymbolId),
    AttrWriter(SymbolId),
    /// `define_method` with a block.
    Proc(Value),
    /// Another entry under a new name.
    Alias(Value),
    /// The interpreter hands the arguments on without a frame between.
    Optimized(OptimizedKind),
    /// `undef`: the search ends here and fails.
    Undefined,
    /// A changed visibility alone: the call goes on to the superclass's method.
    Zsuper,
}

/// See [`MethodKind::Optimized`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum OptimizedKind {
    /// `Proc#call`, `()`, `yield`, `[]`, `===`.
    ProcCall,
    /// `__send__` and `send`.
    Send,
    PublicSend,
    /// `Class#new`: allocates, and goes on in `initialize`.
    New,
    /// As `New` for a class made by `Struct.new`, whose own `initialize` does nothing but set members in order.
    NewStruct,
    /// As `New` for a class made by `Data.define`, whose `initialize` takes keywords.
    NewData,
    /// `Method#call` and its other names.
    MethodCall,
}

/// What a class's table holds under a name: an entry, or the definition of a native method that nobody looked up yet. Most of
/// the core library's methods stay such definitions, which cost a program nothing but this word.
///
/// # Layout
/// The entry's bits, or the definition's address with the lowest bit set.
#[derive(Clone, Copy)]
pub(crate) struct MethodSlot(usize);

const _: () = assert!(align_of::<MethodDef>() > 1);

impl MethodSlot {
    const IS_NATIVE: usize = 1;

    pub(crate) fn of_entry(entry: Value) -> MethodSlot {
        debug_assert!(entry.is_type(HeapType::MethodEntry));
        MethodSlot(entry.bits() as usize)
    }

    pub(crate) fn of_native(def: &'static MethodDef) -> MethodSlot {
        MethodSlot(std::ptr::from_ref(def).expose_provenance() | MethodSlot::IS_NATIVE)
    }

    pub(crate) fn entry(self) -> Option<Value> {
        // SAFETY: without the bit, the word is an entry's.
        (self.0 & MethodSlot::IS_NATIVE == 0).then(|| unsafe { Value::from_bits(self.0 as u64) })
    }

    pub(crate) fn native(self) -> Option<&'static MethodDef> {
        let address = self.0 & !MethodSlot::IS_NATIVE;
        // SAFETY: with the bit, the rest is the address of a definition that lives for ever.
        (address != self.0).then(|| unsafe { &*std::ptr::with_exposed_provenance(address) })
    }
}

/// The native part of a method entry.
pub struct MethodEntry {
    pub(crate) this: Value,
    pub kind: MethodKind,
    pub visibility: Visibility,
    /// Name in the table it was put in.
    pub name: SymbolId,
    /// Name it was defined by: `define_method` with a method object keeps that of the source.
    pub original_name: SymbolId,
    /// Class or module it was defined in.
    owner: Value,
    /// A cref; for a reader or writer, which has no scope, the place where it was made: a frozen array of file and line, or nil.
    pub(crate) cref: Value,
    /// Which of its owner's places among the ancestors it runs at: a module may stand there more than once, and `super` goes on
    /// from where the method was found.
    pub(crate) place: u8,
    /// The entry of the next such place, once somebody came there; 0 before. At [`PLACE_OF_ALIAS`] the class of the alias.
    next_place: AtomicU64,
    /// Another name for it was made, so that it is not lost when this one gets another method.
    pub(crate) is_aliased: AtomicBool,
    /// Ready code in the VM's main Ractor.
    code: AtomicPtr<CodeData>,
}

/// What `place` is in the copy of a module's method that another class has by another name.
const PLACE_OF_ALIAS: u8 = u8::MAX;

impl MethodEntry {
    pub fn new(
        ec: &Ec,
        kind: MethodKind,
        visibility: Visibility,
        name: SymbolId,
        owner: Class,
        cref: Value,
    ) -> &'static MethodEntry {
        let entry = MethodEntry {
            this: Value::NIL,
            kind,
            visibility,
            name,
            original_name: name,
            owner: owner.value(),
            cref,
            place: 0,
            next_place: AtomicU64::default(),
            is_aliased: AtomicBool::default(),
            code: AtomicPtr::default(),
        };
        MethodEntry::give_object(ec, entry)
    }

    /// Whether it came with its class rather than from a program.
    pub fn is_core(&self, ec: &Ec) -> bool {
        match &self.kind {
            MethodKind::Native(_) | MethodKind::Optimized(_) => true,
            MethodKind::Iseq(iseq) => iseq.iseq.flags.is_core,
            MethodKind::Alias(target) => MethodEntry::from_value(ec, *target).is_some_and(|target| target.is_core(ec)),
            _ => false,
        }
    }

    /// The row of a native table that it comes from.
    pub fn native_def(&self, ec: &Ec) -> Option<&'static MethodDef> {
        match self.resolved(ec).kind {
            MethodKind::Native(def) => Some(def),
            _ => None,
        }
    }

    /// Whether it does more than say that this machine cannot do it.
    pub fn is_implemented(&self, ec: &Ec) -> bool {
        self.native_def(ec).is_none_or(|def| def.is_implemented)
    }

    /// The entry of a row of a native table.
    pub(crate) fn of_native(ec: &Ec, def: &'static MethodDef, name: SymbolId, owner: Class) -> &'static MethodEntry {
        let new = |kind, name| MethodEntry::new(ec, kind, def.visibility, name, owner, Value::NIL);
        match def.alias_of {
            None => new(MethodKind::Native(def), name),
            Some(old) => {
                let target = new(MethodKind::Native(def), ec.vm().intern_static(old));
                new(MethodKind::Alias(target.value()), name)
            }
        }
    }

    /// Gives an entry its object.
    fn give_object(ec: &Ec, entry: MethodEntry) -> &'static MethodEntry {
        let boxed = Box::leak(Box::new(entry));
        ec.heap().account(size_of::<MethodEntry>() as isize);
        let pool = pool_for(size_of::<ROwner>()).expect("fits the smallest pool");
        boxed.this = ec.new_owner(
            HeapType::MethodEntry,
            pool,
            crate::model::shape::ROOT_HIDDEN,
            std::ptr::from_mut(boxed).cast(),
        );
        boxed
    }

    /// The entry behind a value that may be nil.
    pub fn from_value(_ec: &Ec, value: Value) -> Option<&MethodEntry> {
        if !value.is_type(HeapType::MethodEntry) {
            return None;
        }
        // SAFETY: a method entry's slot points at its MethodEntry until it is swept, and the caller's `&Ec` keeps the
        // collector away.
        unsafe { Some(&*(*value.as_ptr::<ROwner>()).native.cast::<MethodEntry>()) }
    }

    /// The lexical scope of a method written in Ruby.
    pub fn scope(&self) -> Value {
        if self.is_attribute() { Value::NIL } else { self.cref }
    }

    fn is_attribute(&self) -> bool {
        matches!(self.kind, MethodKind::AttrReader(_) | MethodKind::AttrWriter(_))
    }

    /// File and line at which a program made a reader or writer.
    pub fn attribute_place(&self) -> Option<Array> {
        self.is_attribute().then_some(self.cref).and_then(Array::from_value)
    }

    pub fn value(&self) -> Value {
        self.this
    }

    pub fn owner(&self, _ec: &Ec) -> Class {
        Class::expect(self.owner)
    }

    pub(crate) fn owner_value(&self) -> Value {
        self.owner
    }

    /// A copy for another table, name or visibility.
    pub fn with(&self, ec: &Ec, visibility: Visibility, name: SymbolId, owner: Class) -> &'static MethodEntry {
        let next_place = AtomicU64::default();
        let copy = MethodEntry { visibility, name, owner: owner.value(), place: 0, next_place, ..self.copy() };
        MethodEntry::give_object(ec, copy)
    }

    /// The same method, without an object and what is made when it runs.
    fn copy(&self) -> MethodEntry {
        MethodEntry {
            this: Value::NIL,
            kind: self.kind.clone(),
            visibility: self.visibility,
            name: self.name,
            original_name: self.original_name,
            owner: self.owner,
            cref: self.cref,
            place: self.place,
            next_place: AtomicU64::new(self.aliased_in().map_or(0, |class| class.value().bits())),
            is_aliased: AtomicBool::new(self.is_aliased.load(Ordering::Relaxed)),
            code: AtomicPtr::default(),
        }
    }

    /// The same method for an alias in a class that found it in a module: `super` goes on from where the class found it, however
    /// often the module stands among the ancestors of a receiver.
    pub(crate) fn copy_for_alias(&self, ec: &Ec, class: Class) -> &'static MethodEntry {
        let next_place = AtomicU64::new(class.value().bits());
        MethodEntry::give_object(ec, MethodEntry { place: PLACE_OF_ALIAS, next_place, ..self.copy() })
    }

    /// The class of the alias that this entry was made for.
    pub(crate) fn aliased_in(&self) -> Option<Class> {
        if self.place != PLACE_OF_ALIAS {
            return None;
        }
        // SAFETY: the word of a class, which this entry keeps alive.
        Class::from_value(unsafe { Value::from_bits(self.next_place.load(Ordering::Relaxed)) })
    }

    /// Whether it may ask where it was found. A block that is a method is not looked into.
    pub(crate) fn may_call_super(&self) -> bool {
        match &self.kind {
            MethodKind::Iseq(linked) => linked.iseq.flags().calls_super,
            MethodKind::Proc(_) => true,
            _ => false,
        }
    }

    /// The entry that runs at another of its owner's places; `self` has the first.
    pub(crate) fn at_place<'a>(&'a self, ec: &'a Ec, place: usize) -> &'a MethodEntry {
        (0..place).fold(self, |entry, _| entry.at_next_place(ec))
    }

    fn at_next_place<'a>(&'a self, ec: &'a Ec) -> &'a MethodEntry {
        if self.place == PLACE_OF_ALIAS {
            return self;
        }
        let known = self.next_place.load(Ordering::Acquire);
        let bits = if known == 0 { self.make_next_place(ec) } else { known };
        // SAFETY: the word of an entry, which this one keeps alive.
        let next = unsafe { Value::from_bits(bits) };
        MethodEntry::from_value(ec, next).expect("a place is an entry's")
    }

    #[cold]
    fn make_next_place(&self, ec: &Ec) -> u64 {
        let kind = match self.kind {
            MethodKind::Alias(target) => {
                let target = MethodEntry::from_value(ec, target).expect("an alias refers to an entry");
                MethodKind::Alias(target.at_next_place(ec).this)
            }
            ref kind => kind.clone(),
        };
        let place = (self.place + 1).min(PLACE_OF_ALIAS - 1);
        let entry = MethodEntry { kind, place, ..self.copy() };
        let next = MethodEntry::give_object(ec, entry).this;
        match self.next_place.compare_exchange(0, next.bits(), Ordering::AcqRel, Ordering::Acquire) {
            Ok(_) => {
                ec.heap().barrier(self.this, next);
                next.bits()
            }
            Err(other) => other,
        }
    }

    pub fn is_undefined(&self) -> bool {
        matches!(self.kind, MethodKind::Undefined)
    }

    /// Whether it answers otherwise by each of its names.
    pub(crate) fn asks_for_its_name(&self) -> bool {
        matches!(&self.kind, MethodKind::Iseq(linked) if linked.iseq.flags().uses_callee)
    }

    /// The same method, which goes by another name.
    pub(crate) fn copy_named(&self, ec: &Ec, name: SymbolId) -> &'static MethodEntry {
        MethodEntry::give_object(ec, MethodEntry { name, ..self.copy() })
    }

    /// Follows aliases to the entry that says what to do.
    pub fn resolved<'a>(&'a self, ec: &'a Ec) -> &'a MethodEntry {
        let mut entry = self;
        while let MethodKind::Alias(target) = entry.kind {
            entry = MethodEntry::from_value(ec, target).expect("an alias refers to an entry");
        }
        entry
    }

    /// The code to run in this Ractor; made on first use. Only for `Iseq`, `Native` and `Proc` entries.
    pub(crate) fn code(&self, ec: &Ec) -> &'static CodeData {
        let ready = self.code.load(Ordering::Acquire);
        if !ready.is_null() && ec.is_main_ractor() {
            // SAFETY: this entry's trace keeps its code alive.
            return unsafe { &*ready };
        }
        self.code_slow(ec)
    }

    #[cold]
    fn code_slow(&self, ec: &Ec) -> &'static CodeData {
        if let Some(code) = ec.ractor().code_of(self.this) {
            return code;
        }
        let code = match &self.kind {
            MethodKind::Iseq(iseq) => CodeData::new(ec, iseq.clone(), self.this, self.cref, Some(self.name)),
            MethodKind::Native(def) => CodeData::native(ec, def.function, def.borrows, self.this, Some(self.name)),
            MethodKind::Proc(proc) => crate::run::proc::method_code(ec, *proc, self),
            _ => unreachable!("only runnable entries have code"),
        };
        if ec.is_main_ractor() {
            self.code.store(std::ptr::from_ref(code).cast_mut(), Ordering::Release);
            ec.heap().barrier(self.this, code.this);
        } else {
            ec.ractor().set_code(self.this, code);
        }
        code
    }

    /// `Method#arity`.
    pub fn arity(&self, ec: &Ec) -> i64 {
        match &self.kind {
            MethodKind::Iseq(iseq) if iseq.iseq.flags.is_core => core_arity(&iseq.iseq.params),
            MethodKind::Iseq(iseq) => iseq.iseq.params.arity(true),
            MethodKind::Native(def) => i64::from(def.arity),
            MethodKind::AttrReader(_) => 0,
            MethodKind::AttrWriter(_) => 1,
            MethodKind::Proc(proc) => crate::run::proc::Proc::expect(*proc).arity_as_lambda(ec),
            MethodKind::Alias(target) => MethodEntry::from_value(ec, *target).map_or(-1, |m| m.arity(ec)),
            MethodKind::Undefined | MethodKind::Zsuper | MethodKind::Optimized(_) => -1,
        }
    }

    pub(crate) fn references(&self) -> impl Iterator<Item = Value> {
        let held = match self.kind {
            MethodKind::Proc(v) | MethodKind::Alias(v) => v,
            _ => Value::NIL,
        };
        let code = self.code.load(Ordering::Acquire);
        // SAFETY: the code is alive as long as this entry marks it.
        let code = if code.is_null() { Value::NIL } else { unsafe { (*code).this } };
        let next = match self.next_place.load(Ordering::Acquire) {
            0 => Value::NIL,
            // SAFETY: as the code.
            bits => unsafe { Value::from_bits(bits) },
        };
        [self.owner, self.cref, held, code, next].into_iter()
    }
}

/// What looks native has the arity that CRuby's C functions have: the number of arguments, or -1 if that is not fixed.
fn core_arity(params: &carat_iseq::Params) -> i64 {
    let is_fixed = params.optional() == 0 && !params.has_rest && !params.takes_keywords();
    if is_fixed { i64::from(params.lead + params.post) } else { -1 }
}

/// What every native method looks like to the interpreter.
pub type NativeFn = fn(&mut Ec, crate::Args) -> crate::Result;

/// One row of a method table.
pub struct MethodDef {
    pub name: &'static str,
    pub function: NativeFn,
    pub arity: i32,
    pub visibility: Visibility,
    pub is_singleton: bool,
    /// Operands that it only looks at, bit 0 the receiver and bit i the argument i: it keeps none of them, returns none, writes to
    /// none but a receiver that is no literal, and shows none to Ruby code. So a string literal there needs no object of its own.
    pub borrows: u8,
    /// The method that this is another name for. Two names without it are two methods, although of one function.
    pub alias_of: Option<&'static str>,
    /// Otherwise it raises `NotImplementedError`, and `respond_to?` and `method_defined?` do not know it.
    pub is_implemented: bool,
}
