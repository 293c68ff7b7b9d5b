//! What code in C needs of the VM: wrapped C data, roots by address, a chain of places to jump back to.
//!
//! The VM knows no C interface: whoever loads extensions registers [`ForeignHooks`] before the first one runs. Without
//! extensions nothing here is ever called.
//!
//! # Collection
//! A C struct without write barriers may change at any time: objects that wrap one are looked at by every collection, and by
//! every step of one, as if something had been stored in them. A pointer in C memory is taken for an object only if it is the
//! address of one.

mod memory;

pub use memory::{BufferBytes, BufferHooks, BufferUse, Buffers, ForeignMemory};

use crate::concurrency::ractor::Ractor;
use crate::concurrency::thread::ThreadStatus;
use crate::ec::Ec;
use crate::inspect::anatomy::is_program_kind;
use crate::model::class::Class;
use crate::model::method::{MethodDef, MethodEntry};
use crate::model::shape::ROOT_HIDDEN;
use crate::run::call::Passing;
use crate::value::object::Mold;
use carat_layout::{Header, HeapType, RCData, ShapeId, Value, flags, pool_for};
use carat_sync::Mutex;
use std::cell::Cell;
use std::collections::HashMap;
use std::ffi::c_void;
use std::ptr::NonNull;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

/// What the C interface does for the VM.
#[derive(Clone, Copy)]
pub struct ForeignHooks {
    /// Reports every word inside a wrapped C struct that may be an object. The thread is the one that collects.
    pub mark: fn(&Ec, NonNull<Header>, &mut dyn FnMut(u64)),
    /// Frees the struct of a dead object, or notes that [`ForeignHooks::after_collection`] has to.
    pub free: fn(&Ec, NonNull<Header>),
    /// Whether Ractors may share the object once it is frozen, and then whether what it refers to must be shareable too.
    pub sharing: fn(NonNull<Header>) -> Option<bool>,
    /// Bytes that the struct takes.
    pub memsize: fn(NonNull<Header>) -> usize,
    /// Runs once a collection has ended, where C code may call Ruby.
    pub after_collection: fn(&mut Ec),
    /// Loads a shared library and runs its `Init_` function.
    pub load: fn(&mut Ec, &[u8]) -> crate::Result<()>,
    /// Runs the jobs that C code put off.
    pub run_jobs: fn(&mut Ec),
    /// Tells C code of a thread and its turns: see [`thread_event`].
    pub thread_event: fn(&Ec, u32, Value),
    /// Tells C code of a collection or of an object, nil where there is none: see [`collector_event`].
    pub collector_event: fn(&Ec, u32, Value),
    /// What C code opened a stream onto by writing in its record, once.
    pub opened: fn(&Ec, Value) -> Option<Opened>,
}

/// How C code opened a stream: descriptor and manner, as it wrote them in the `rb_io_t` that `MakeOpenFile` gave it.
#[derive(Clone, Copy)]
pub struct Opened {
    pub fd: i32,
    pub is_readable: bool,
    pub is_writable: bool,
    pub is_append: bool,
    pub is_binary: bool,
    pub is_text: bool,
    pub is_sync: bool,
    /// A string, or nil.
    pub path: Value,
    pub lineno: i32,
    /// A child that the stream leads to.
    pub pid: Option<i32>,
}

/// What [`ForeignHooks::collector_event`] is called for, as `RUBY_INTERNAL_EVENT_*` numbers it. Nothing may be made or collected
/// meanwhile, but what C code makes of a [`MADE`](collector_event::MADE) event.
pub mod collector_event {
    /// The object has a class, and nothing in it yet.
    pub const MADE: u32 = 0x10_0000;
    /// The object is dead, and still as it was. Told of what was made since somebody asked.
    pub const FREED: u32 = 0x20_0000;
    pub const BEGINS: u32 = 0x40_0000;
    pub const MARKED: u32 = 0x80_0000;
    pub const SWEPT: u32 = 0x100_0000;
    pub const ENTERS: u32 = 0x200_0000;
    pub const EXITS: u32 = 0x400_0000;
    pub const ALL: u32 = 0x7F0_0000;
    pub const OF_OBJECTS: u32 = MADE | FREED;
}

/// What [`ForeignHooks::thread_event`] is called for, as `ruby/thread.h` numbers it.
pub mod thread_event {
    pub const STARTED: u32 = 1;
    /// The thread waits for its turn, which it does not have.
    pub const READY: u32 = 2;
    pub const RESUMED: u32 = 4;
    /// The thread gives its turn up, which it still has.
    pub const SUSPENDED: u32 = 8;
    pub const EXITED: u32 = 16;
}

/// Part of a [`Vm`](crate::vm::Vm).
#[derive(Default)]
pub(crate) struct Foreign {
    hooks: OnceLock<ForeignHooks>,
    /// Addresses of words that C code declared to be roots.
    roots: Mutex<Vec<usize>>,
    /// Bytes of strings, with a NUL behind them, by the string's address: see [`Str::expose`](crate::Str::expose).
    copies: Mutex<HashMap<usize, Box<[u8]>>>,
    has_copies: AtomicBool,
    /// Events of threads that C code waits for.
    thread_events: AtomicU32,
    /// Events of the collector that C code waits for.
    collector_events: AtomicU32,
}

impl Foreign {
    pub(crate) fn hooks(&self) -> Option<&ForeignHooks> {
        self.hooks.get()
    }

    /// The words at the registered addresses.
    pub(crate) fn roots(&self, mark: &mut dyn FnMut(u64)) {
        for address in self.roots.lock().unwrap_or_else(|e| e.into_inner()).iter() {
            // SAFETY: C code vouches for the address until it takes it back.
            mark(unsafe { std::ptr::with_exposed_provenance::<u64>(*address).read_volatile() });
        }
    }

    /// Whether C code has the address of a copy of any string.
    #[inline]
    pub(crate) fn has_copies(&self) -> bool {
        self.has_copies.load(Ordering::Acquire)
    }

    /// The copy of a string that C code has the address of.
    pub(crate) fn copy_of(&self, string: Value) -> Option<*mut u8> {
        let mut copies = self.has_copies().then(|| self.copies.lock().unwrap_or_else(|e| e.into_inner()))?;
        copies.get_mut(&(string.bits() as usize)).map(|copy| copy.as_mut_ptr())
    }

    /// Drops the copies of dead strings; all Ractors stand still. How many bytes that frees.
    pub(crate) fn prune_copies(&self, is_live: &dyn Fn(Value) -> bool) -> usize {
        if !self.has_copies() {
            return 0;
        }
        let mut freed = 0;
        self.copies.lock().unwrap_or_else(|e| e.into_inner()).retain(|address, copy| {
            // SAFETY: what is not live has not been swept yet.
            let keeps = is_live(unsafe { Value::from_bits(*address as u64) });
            freed += if keeps { 0 } else { copy.len() };
            keeps
        });
        freed
    }
}

/// A thread's part: where C code jumps to, and what it caught.
pub(crate) struct ForeignState {
    /// The innermost call into C on the running native stack.
    pub(crate) jumps: *mut c_void,
    /// What `rb_protect` held back last.
    pub(crate) held: Value,
    /// What `rb_errinfo` answers: see [`Ec::foreign_error`].
    pub(crate) error: Value,
    /// `$!` before that, where a `rescue` around the C code has an exception.
    pub(crate) before: Value,
    /// C code runs while other threads have their turns.
    pub(crate) is_beside: bool,
    /// The `mark` or `free` of a wrapped struct runs.
    pub(crate) is_collecting: Cell<bool>,
    /// C code runs, or what it called that runs no Ruby: the frames rest, and are all published. A signal handler may ask.
    pub(crate) is_in_c: Cell<bool>,
}

impl ForeignState {
    pub(crate) fn new() -> ForeignState {
        ForeignState {
            jumps: std::ptr::null_mut(),
            held: Value::NIL,
            error: Value::NIL,
            before: Value::NIL,
            is_beside: false,
            is_collecting: Cell::new(false),
            is_in_c: Cell::new(false),
        }
    }

    /// `$!` while C code deals with its exception.
    fn shown(&self) -> Value {
        if self.before.is_nil() { self.error } else { self.before }
    }
}

/// An object that wraps a C struct.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct CData(Value);

impl CData {
    /// A new object; the words are those of [`RCData`]. With `has_barriers`, C code tells of every store.
    pub fn new(
        ec: &Ec,
        class: Option<Class>,
        mark_or_type: *const c_void,
        free_or_flag: usize,
        data: *mut c_void,
        has_barriers: bool,
    ) -> CData {
        let pool = pool_for(size_of::<RCData>()).expect("fits a slot");
        let mold = class.map_or_else(|| ROOT_HIDDEN.into(), Mold::of);
        let slot = ec.new_slot_in(HeapType::CData, pool, mold, 0);
        // SAFETY: the slot is fresh and holds an RCData.
        unsafe {
            let object = slot.cast::<RCData>().as_ptr();
            (*object).mark_or_type = mark_or_type;
            (*object).free_or_flag = free_or_flag;
            (*object).data = data;
        }
        ec.heap().mark_owning(slot);
        if !has_barriers {
            ec.ractor().unprotected.borrow_mut().push(slot);
        }
        // SAFETY: the slot is initialised.
        CData(unsafe { Value::from_heap(slot) })
    }

    /// From now on Ruby code does not come across the object: it has no class. One that has fields keeps them and its class.
    pub fn hide(self, ec: &Ec) {
        if self.shape() == ec.class_of(self.0).root_shape() {
            self.set_shape(ROOT_HIDDEN);
        }
    }

    /// Gives a hidden object a class.
    pub fn reveal(self, class: Class) {
        if self.shape() == ROOT_HIDDEN {
            self.set_shape(class.root_shape());
        }
    }

    fn shape(self) -> ShapeId {
        self.header().shape()
    }

    fn set_shape(self, shape: ShapeId) {
        self.header().set_shape(shape);
    }

    fn header(&self) -> &Header {
        self.0.header().expect("a wrapped struct is a heap object")
    }

    /// An object whose struct, these words, lies in its own slot, so that nobody frees it. The type says which of them to mark;
    /// none of them changes.
    pub fn with_words<const N: usize>(ec: &Ec, class: Class, data_type: *const c_void, words: [u64; N]) -> CData {
        let pool = pool_for(size_of::<RCData>() + size_of_val(&words)).expect("fits a slot");
        let slot = ec.new_slot_in(HeapType::CData, pool, Mold::of(class), 0);
        // SAFETY: the slot is fresh and holds an RCData with the words behind it.
        unsafe {
            let object = slot.cast::<RCData>().as_ptr();
            let place = object.add(1).cast::<[u64; N]>();
            place.write(words);
            (*object).mark_or_type = data_type;
            (*object).free_or_flag = RCData::TYPED;
            (*object).data = place.cast();
        }
        // SAFETY: the slot is initialised.
        CData(unsafe { Value::from_heap(slot) })
    }

    pub fn from_value(value: Value) -> Option<CData> {
        value.is_type(HeapType::CData).then_some(CData(value))
    }

    pub fn value(self) -> Value {
        self.0
    }

    /// The object's words; C code changes them as it likes.
    pub fn raw(self) -> *mut RCData {
        // SAFETY: the object is an RCData.
        unsafe { self.0.as_ptr() }
    }
}

/// Has the next collection, or step of one, look at what C code may have changed.
pub(crate) fn log_unprotected(ractor: &Ractor) {
    for object in ractor.unprotected.borrow().iter() {
        // SAFETY: dead objects left the list when the last marking ended.
        ractor.heap.barrier_many(unsafe { Value::from_heap(*object) });
    }
}

/// Forgets the dead.
pub(crate) fn prune_unprotected(ractor: &Ractor, is_live: &dyn Fn(Value) -> bool) {
    // SAFETY: what is not live has not been swept yet.
    ractor.unprotected.borrow_mut().retain(|object| is_live(unsafe { Value::from_heap(*object) }));
}

impl Ec {
    /// A copy of a string's bytes and a NUL, which lives as long as the string; its address.
    pub(crate) fn copy_for_c(&self, string: Value, bytes: &[u8], width: usize) -> *mut u8 {
        let foreign = &self.vm().foreign;
        let mut copies = foreign.copies.lock().unwrap_or_else(|e| e.into_inner());
        let copy = copies.entry(string.bits() as usize).or_insert_with(|| {
            self.heap().account((bytes.len() + width) as isize);
            let mut copy = Vec::with_capacity(bytes.len() + width);
            copy.extend_from_slice(bytes);
            copy.resize(bytes.len() + width, 0);
            copy.into_boxed_slice()
        });
        foreign.has_copies.store(true, Ordering::Release);
        copy.as_mut_ptr()
    }

    /// Registers the C interface; once.
    pub fn set_foreign_hooks(&self, hooks: ForeignHooks) {
        assert!(self.vm().foreign.hooks.set(hooks).is_ok(), "the C interface is registered once");
    }

    /// Loads a C extension; `None` if this program loads none.
    pub fn load_foreign(&mut self, path: &[u8]) -> Option<crate::Result<()>> {
        let load = self.vm().foreign.hooks()?.load;
        Some(load(self, path))
    }

    /// Makes the word at an address a root, whatever it holds.
    pub fn add_foreign_root(&self, address: usize) {
        self.vm().foreign.roots.lock().unwrap_or_else(|e| e.into_inner()).push(address);
    }

    pub fn remove_foreign_root(&self, address: usize) {
        let mut roots = self.vm().foreign.roots.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(index) = roots.iter().rposition(|root| *root == address) {
            roots.swap_remove(index);
        }
    }

    /// Says that the `mark` or `free` of a wrapped struct runs, in which nothing is collected; whether one ran before.
    pub fn set_collecting(&self, is_collecting: bool) -> bool {
        self.foreign.is_collecting.replace(is_collecting)
    }

    /// Whether the `mark` or `free` of a wrapped struct runs.
    pub fn is_collecting(&self) -> bool {
        self.foreign.is_collecting.get()
    }

    /// Says whether C code runs; whether it did before.
    #[inline(always)]
    pub fn set_in_c(&self, is_in_c: bool) -> bool {
        self.foreign.is_in_c.replace(is_in_c)
    }

    /// Ruby code is about to run; whether C code ran before.
    #[inline(always)]
    pub(crate) fn leave_c(&self) -> bool {
        self.note_c_contact();
        self.set_in_c(false)
    }

    /// C code that called may have called the system before.
    #[inline(always)]
    pub fn note_c_contact(&self) {
        if self.foreign.is_in_c.get() {
            carat_os::contact::count();
        }
    }

    /// Has [`ForeignHooks::run_jobs`] called at this thread's next poll. A signal handler may call it.
    pub fn ask_for_jobs(&self) {
        self.arm(crate::ec::interrupt::JOB);
    }

    /// The context of the main thread, which lives as long as the process.
    pub fn context_for_jobs(&self) -> *const Ec {
        self.main_context()
    }

    #[cold]
    pub(crate) fn run_foreign_jobs(&mut self) {
        if let Some(hooks) = self.vm().foreign.hooks() {
            (hooks.run_jobs)(self);
        }
    }

    /// The head of the chain of calls into C on this native stack.
    #[inline(always)]
    pub fn jumps(&mut self) -> &mut *mut c_void {
        &mut self.foreign.jumps
    }

    /// What `rb_protect` held back last.
    pub fn held(&self) -> Value {
        self.foreign.held
    }

    /// Keeps what unwinds; an exception is what `rb_errinfo` and `$!` answer until it is dealt with.
    pub fn hold(&mut self, pending: Value) {
        self.foreign.held = pending;
        if self.is_exception(pending) {
            self.note_error(pending);
        }
    }

    /// What is held goes on or was dealt with: nothing is held any more, and `$!` is what it was.
    pub fn let_go(&mut self) {
        self.forget_error();
        self.foreign.held = Value::NIL;
    }

    /// The exception that C code deals with, nil while Ruby code does: a `rescue` has the one that it caught to itself.
    pub fn foreign_error(&self) -> Value {
        if self.errinfo == self.foreign.shown() { self.foreign.error } else { Value::NIL }
    }

    /// C code deals with an exception from now on, which is `$!` unless a `rescue` around the C code has one.
    pub fn note_error(&mut self, exception: Value) {
        if self.foreign_error().is_nil() {
            self.foreign.before = self.errinfo;
        }
        self.foreign.error = exception;
        self.errinfo = self.foreign.shown();
    }

    /// C code has dealt with its exception: `$!` is what it was.
    pub fn forget_error(&mut self) {
        if !self.foreign_error().is_nil() {
            self.errinfo = self.foreign.before;
        }
        (self.foreign.error, self.foreign.before) = (Value::NIL, Value::NIL);
    }

    /// Runs a handler of C code that deals with an exception.
    pub fn dealing_with<T>(&mut self, exception: Value, handler: impl FnOnce(&mut Ec) -> T) -> T {
        let outer = (self.errinfo, self.foreign.error, self.foreign.before);
        self.note_error(exception);
        let result = handler(self);
        (self.errinfo, self.foreign.error, self.foreign.before) = outer;
        result
    }

    /// Whether what unwinds is an exception rather than a jump.
    pub fn is_exception(&self, pending: Value) -> bool {
        pending.is_heap() && !pending.is_type(HeapType::Throw)
    }

    /// The definition of the native method whose frame is published; `None` in any other frame.
    #[inline]
    pub fn running_native(&self) -> Option<&'static MethodDef> {
        // SAFETY: the published frame is alive.
        let method = unsafe { self.fp.code().method };
        MethodEntry::from_value(self, method)?.native_def(self)
    }

    /// Name and owner of the method whose frame is published.
    pub fn running_method_name(&self) -> Option<(carat_layout::SymbolId, Class)> {
        // SAFETY: as above.
        let entry = MethodEntry::from_value(self, unsafe { self.fp.code().method })?;
        Some((entry.name, entry.owner(self)))
    }

    /// `self` of the native method whose frame is published.
    pub fn running_receiver(&self) -> Value {
        // SAFETY: as above.
        unsafe { self.fp.reg(0) }
    }

    /// `super` in the native method whose frame is published.
    pub fn call_native_super(&mut self, args: &[Value], passing: Passing) -> crate::Result {
        // SAFETY: as above.
        let (receiver, method) = unsafe { (self.fp.reg(0), self.fp.code().method) };
        let Some(entry) = MethodEntry::from_value(self, method) else {
            return Err(self.runtime_error("super called outside of method"));
        };
        let (name, class) = (entry.name, self.class_of(receiver));
        match crate::run::interp::super_method_of(self, class, entry) {
            Some(found) => self.call_method(receiver, found, name, args, passing),
            None => self.call_missing(receiver, name, args, passing, crate::run::call::MissingReason::Super),
        }
    }

    /// `break value` on behalf of the Ruby block that called the running native method.
    pub fn break_block_of_caller(&mut self, value: Value) -> crate::Unwind {
        let mut fp = self.fp;
        // SAFETY: live frames, walked down to one that runs a block.
        unsafe {
            while !fp.is_null() && !fp.code().kind.is_block() {
                fp = fp.caller();
            }
            if fp.is_null() {
                return self.local_jump_error("break from proc-closure", "break", value);
            }
            crate::run::unwind::throw_break(self, fp, value);
        }
        self.unwind(self.pending)
    }

    /// For native code that allocates without calling Ruby: a collection, or a step of one, if one is due. Nothing else that
    /// was asked of the thread is done.
    #[inline(always)]
    pub fn collect_if_due(&mut self) {
        if self.is_armed() {
            self.collect_if_due_slow();
        }
    }

    #[cold]
    #[inline(never)]
    fn collect_if_due_slow(&mut self) {
        if self.foreign.is_collecting.get() {
            return;
        }
        self.interrupts.fetch_and(!crate::ec::interrupt::COLLECT, Ordering::SeqCst);
        if self.heap().collection_due() && !self.vm().is_gc_disabled.load(Ordering::Relaxed) {
            crate::memory::gc::collect_due(self);
        }
        if let Some(random) = self.stress_due() {
            crate::memory::gc::collect_for_stress(self, random);
        }
    }

    /// Whether Ractors may share an object that wraps a C struct once it is frozen, and then whether what it refers to must be
    /// shareable too.
    pub(crate) fn foreign_sharing(&self, value: Value) -> Option<bool> {
        let object = value.as_heap().filter(|_| value.is_type(HeapType::CData))?;
        self.vm().foreign.hooks().and_then(|hooks| (hooks.sharing)(object))
    }

    /// Calls `visit` with the objects that a C struct refers to and whose sharing matters. Whether all its words were objects of
    /// this heap, or none.
    pub fn each_foreign_reference(&self, value: Value, visit: &mut dyn FnMut(Value)) -> bool {
        let (Some(true), Some(hooks)) = (self.foreign_sharing(value), self.vm().foreign.hooks()) else { return true };
        let (object, mut knows_all) = (value.as_heap().expect("an object"), true);
        (hooks.mark)(self, object, &mut |word| {
            let is_address = word & 7 == 0 && word > u64::from(u16::MAX);
            if self.heap_holds(word) {
                // SAFETY: the word is the address of an object.
                visit(unsafe { Value::from_bits(word) });
            } else if is_address {
                knows_all = false;
            }
        });
        knows_all
    }

    /// Whether a word of C is the address of an object of this heap.
    pub fn heap_holds(&self, word: u64) -> bool {
        word != 0 && word & 7 == 0 && self.heap().find(word).is_some_and(|slot| slot.as_ptr().addr() as u64 == word)
    }

    /// Whether an exception, the end or a signal waits for this thread.
    pub fn has_pending_interrupt(&self) -> bool {
        let asked = crate::ec::interrupt::RAISE | crate::ec::interrupt::SIGNAL;
        self.interrupts.load(Ordering::SeqCst) & asked != 0
    }

    /// Runs C code while other threads take their turns; `None` if something came for the thread before it began. What comes
    /// later calls `unblock`, a function and its argument, or interrupts a system call.
    pub fn run_beside<R>(&mut self, unblock: Option<(usize, usize)>, operation: impl FnOnce() -> R) -> Option<R> {
        self.foreign.is_beside = true;
        let result = self.blocking_until(ThreadStatus::Sleeping, -1, unblock, || Ok(operation()));
        self.foreign.is_beside = false;
        result.ok()
    }

    /// How C code opened a stream of which Ruby knows nothing yet.
    #[cold]
    pub fn opened_by_c(&self, io: Value) -> Option<Opened> {
        self.vm().foreign.hooks().and_then(|hooks| (hooks.opened)(self, io))
    }

    /// From now on [`ForeignHooks::thread_event`] is called for these events.
    pub fn want_thread_events(&self, events: u32) {
        self.vm().foreign.thread_events.store(events, Ordering::Relaxed);
    }

    /// From now on [`ForeignHooks::collector_event`] is called for these events. Those of objects need a recording.
    pub fn want_collector_events(&mut self, events: u32) {
        let before = self.vm().foreign.collector_events.swap(events, Ordering::Relaxed);
        match (before & collector_event::OF_OBJECTS != 0, events & collector_event::OF_OBJECTS != 0) {
            (false, true) => self.start_recording(),
            (true, false) => self.stop_recording(),
            _ => {}
        }
    }

    /// Tells C code what the collector does, or what becomes of an object, if it asked.
    #[inline]
    pub(crate) fn tell_of_collector(&self, event: u32, object: Value) {
        if self.vm().foreign.collector_events.load(Ordering::Relaxed) & event != 0 {
            self.tell_of_collector_slow(event, object);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_of_collector_slow(&self, event: u32, object: Value) {
        let is_anybodys = match object.header() {
            None => true,
            // It has nothing yet that could be looked at.
            Some(header) if event == collector_event::MADE => is_program_kind(header),
            Some(_) => self.is_program_object(object),
        };
        if is_anybodys && let Some(hooks) = self.vm().foreign.hooks() {
            (hooks.collector_event)(self, event, object);
        }
    }

    /// Whether somebody wants to know of new objects.
    #[inline]
    pub(crate) fn tells_of_objects(&self) -> bool {
        self.vm().foreign.collector_events.load(Ordering::Relaxed) & collector_event::MADE != 0
    }

    /// Tells C code what happens to this thread, if it asked.
    #[inline]
    pub(crate) fn tell_of_thread(&self, event: u32) {
        if self.vm().foreign.thread_events.load(Ordering::Relaxed) & event != 0 {
            self.tell_of_thread_slow(event);
        }
    }

    #[cold]
    #[inline(never)]
    fn tell_of_thread_slow(&self, event: u32) {
        if let Some(hooks) = self.vm().foreign.hooks() {
            (hooks.thread_event)(self, event, self.thread);
        }
    }

    /// Whether the thread has its turn.
    pub fn has_turn(&self) -> bool {
        !self.foreign.is_beside
    }

    /// The reverse of [`Ec::without_turn`], inside its operation.
    pub fn with_turn<R>(&mut self, operation: impl FnOnce(&mut Ec) -> R) -> R {
        let (shared, top) = (self.ractor().shared.clone(), self.native_top);
        self.tell_of_thread(thread_event::READY);
        shared.acquire(crate::concurrency::ractor::PATIENCE);
        self.tell_of_thread(thread_event::RESUMED);
        self.foreign.is_beside = false;
        let result = operation(self);
        self.foreign.is_beside = true;
        self.native_top = top;
        self.tell_of_thread(thread_event::SUSPENDED);
        shared.release();
        result
    }
}

/// Whether a word of an array or string says that C code has its address.
pub(crate) fn is_exposed(header: &Header) -> bool {
    header.has(flags::EXPOSED)
}
