//! The execution context: one thread's way into its Ractor and VM.
//!
//! # Borrowing
//! Reading a heap object's contents borrows the context (`&Ec`), allocating takes `&Ec`, writing and calling Ruby take
//! `&mut Ec`. So a slice of a string's bytes cannot be held across anything that may change or free it.
//!
//! # Polls
//! Every method entry compares the top of its frame with [`Ec::limit`]. An interrupt, a due collection or a
//! request from another thread sets the limit to zero, so that one comparison serves stack overflow and all of these.

use crate::concurrency::ractor::Ractor;
use crate::run::code::CodeData;
use crate::run::frame::Fp;
use crate::run::interp::{CONSTRUCTORS, Constructor, Handler};
use crate::run::stack::{ThreadStack, VmStack};
use crate::value::object::{FieldAnswer, Mold};
use crate::vm::Vm;
use carat_heap::Heap;
use carat_iseq::Insn;
use carat_layout::{Header, HeapType, PoolIndex, ROwner, ShapeId, Value};
use std::cell::{Cell, OnceCell, RefCell};
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU32, AtomicUsize, Ordering};

/// What was asked of a thread; bits of [`Ec::interrupts`].
pub mod interrupt {
    /// A collection is due in this Ractor.
    pub const COLLECT: u32 = 1;
    /// Another thread of the Ractor waits for its turn.
    pub const YIELD: u32 = 2;
    /// An exception was raised into this thread, or it is to end.
    pub const RAISE: u32 = 4;
    /// A process signal waits for the main thread.
    pub const SIGNAL: u32 = 8;
    /// The instruction table changed in another Ractor.
    pub const RELOAD: u32 = 16;
    /// Another Ractor wants the main one to do something.
    pub const REQUEST: u32 = 32;
    /// Objects with finalizers are gone.
    pub const FINALIZE: u32 = 64;
    /// Jobs that C code put off wait.
    pub const JOB: u32 = 128;
    /// The next sample of allocations is near.
    pub const SAMPLE: u32 = 256;
}

/// Proof that something unwinds; what it is stands in [`Ec::pending`]. Only `raise` and `throw` make one.
#[derive(Debug)]
pub struct Unwind(pub(crate) ());

/// The result of whatever may run Ruby code.
pub type Result<T = Value> = std::result::Result<T, Unwind>;

const _: () = assert!(size_of::<Result<Value>>() == 8);

/// What machine code reads stands first: a byte tells where it is, not four.
#[repr(C)]
pub struct Ec {
    /// Frames may not reach beyond this address; 0 makes the next poll take its slow path.
    limit: AtomicUsize,
    pub(crate) fp: Fp,
    pub(crate) pc: *const Insn,
    /// First word above what the running frame uses.
    pub(crate) sp: *mut Value,
    pub(crate) heap: *const Heap,
    pub(crate) ractor: *const Ractor,
    vm: &'static Vm,
    /// Root shapes of Array, Hash, String and Set: objects of exactly these classes have them.
    pub(crate) array_shape: ShapeId,
    pub(crate) hash_shape: ShapeId,
    pub(crate) string_shape: ShapeId,
    pub(crate) set_shape: ShapeId,
    /// Routine of each instruction. A redefinition changes it while native code only borrows the context.
    pub(crate) table: [std::cell::Cell<Handler>; 256],
    /// The same as it would be if nobody traced.
    pub(crate) plain: [std::cell::Cell<Handler>; 256],
    pub(crate) trace: crate::inspect::trace::TraceState,
    /// What unwinds: an exception, or a `Throw`.
    pub(crate) pending: Value,
    /// `$!`
    pub(crate) errinfo: Value,
    pub(crate) stack: VmStack,
    /// Compiled code may not run: see [`crate::compiled`].
    pub(crate) is_compiled_off: Cell<bool>,
    /// Back edges in the interpreter until one is looked at.
    pub(crate) back_edges: Cell<u32>,
    /// See [`Ec::limit_now`].
    #[cfg(debug_assertions)]
    looks: Cell<u32>,
    /// Instructions of compiled code until one is left to its handler, for tests.
    pub(crate) exits: Cell<u32>,
    /// The VM stack of the thread itself, on which its first fiber runs.
    pub(crate) memory: ThreadStack,
    /// Lowest native stack address that calls may reach.
    pub(crate) native_limit: usize,
    /// Where the collector's scan of the native stack ends.
    pub(crate) native_base: usize,
    /// Where it begins, as of the last time this context stopped running.
    pub(crate) native_top: usize,
    pub(crate) interrupts: AtomicU32,
    /// How often something from outside ended what ran here: another thread, a signal.
    pub(crate) interruptions: u32,
    pub(crate) boundary: Box<CodeData>,
    /// Loop state of development builds, whose handlers return instead of tail-calling.
    pub(crate) resume: (*const Insn, *mut Value, *mut crate::run::code::CacheCell),
    /// `Thread` object, or nil while booting.
    pub(crate) thread: Value,
    /// Running `Fiber`, or nil for a thread's first one.
    pub(crate) fiber: Value,
    /// The thread's first fiber, or nil as long as nobody asked for it.
    pub(crate) root_fiber: Value,
    /// The environment of the method that a thread's or fiber's block belongs to. In it the thread or fiber has `$~` and `$_` of
    /// its own, so that those of one method do not overwrite each other's.
    pub(crate) thread_home: Fp,
    pub(crate) thread_specials: [std::cell::Cell<Value>; 2],
    /// The last frozen copy of a string that [`Ec::snapshot`] made, until the next collection.
    pub(crate) last_snapshot: Cell<Value>,
    pub(crate) trail: RefCell<crate::run::backtrace::Trail>,
    /// See [`crate::foreign`].
    pub(crate) foreign: crate::foreign::ForeignState,
    /// What the fiber that runs next is to find.
    pub(crate) passed: crate::concurrency::fiber::Passed,
    /// Values that native code keeps alive across calls.
    pub(crate) handles: Vec<Value>,
    /// Objects being inspected, compared and the like.
    pub(crate) recursion: crate::value::recursion::Visits,
    pub(crate) stress: Option<Stress>,
    pub(crate) interrupts_masked: u32,
    /// Why `method_missing` was last called: its default words its error by this.
    pub(crate) missing_reason: crate::run::call::MissingReason,
    /// Code of the frames between `new` and `initialize`; made on first use.
    pub(crate) new_frame: Option<&'static CodeData>,
    /// See [`Ec::constructor_of`].
    pub(crate) constructors: [Cell<Constructor>; CONSTRUCTORS],
    /// See [`Ec::find_field`].
    pub(crate) field_answers: OnceCell<Box<[Cell<FieldAnswer>]>>,
    /// While call stacks are recorded: address of the lowest frame that has run since the last object was.
    pub(crate) lowest_frame: Cell<usize>,
}

/// State of `gc_stress`.
pub(crate) struct Stress {
    pub(crate) state: u64,
    pub(crate) period: u64,
}

impl Ec {
    #[inline(always)]
    pub fn vm(&self) -> &'static Vm {
        self.vm
    }

    #[inline(always)]
    pub fn ractor(&self) -> &Ractor {
        // SAFETY: a context belongs to a thread of its Ractor, which outlives it.
        unsafe { &*self.ractor }
    }

    #[inline(always)]
    pub fn heap(&self) -> &Heap {
        // SAFETY: the Ractor owns the heap and outlives the context.
        unsafe { &*self.heap }
    }

    #[inline(always)]
    pub fn is_main_ractor(&self) -> bool {
        self.ractor().is_main()
    }

    pub(crate) fn new(
        vm: &'static Vm,
        ractor: *const Ractor,
        heap: *const Heap,
        memory: ThreadStack,
        boundary: Box<CodeData>,
    ) -> Box<Ec> {
        let stack = memory.vm();
        let limit = stack.limit();
        let first = stack.first();
        let stress = vm.config.gc_stress.map(|(seed, period)| Stress { state: seed | 1, period });
        let mut ec = Box::new(Ec {
            table: crate::run::interp::handlers().map(std::cell::Cell::new),
            plain: crate::run::interp::handlers().map(std::cell::Cell::new),
            trace: crate::inspect::trace::TraceState::NEW,
            limit: AtomicUsize::new(limit),
            is_compiled_off: Cell::new(false),
            back_edges: Cell::new(vm.config.jit.period()),
            #[cfg(debug_assertions)]
            looks: Cell::new(0),
            exits: Cell::new(0),
            fp: Fp(first),
            pc: std::ptr::null(),
            sp: first,
            heap,
            ractor,
            vm,
            pending: Value::NIL,
            errinfo: Value::NIL,
            stack,
            memory,
            native_limit: 0,
            native_base: 0,
            native_top: 0,
            foreign: crate::foreign::ForeignState::new(),
            array_shape: ShapeId(0),
            set_shape: ShapeId(0),
            hash_shape: ShapeId(0),
            string_shape: ShapeId(0),
            interrupts: AtomicU32::new(0),
            interruptions: 0,
            boundary,
            resume: (std::ptr::null(), std::ptr::null_mut(), std::ptr::null_mut()),
            thread: Value::NIL,
            fiber: Value::NIL,
            root_fiber: Value::NIL,
            thread_home: Fp::NULL,
            thread_specials: [const { std::cell::Cell::new(Value::NIL) }; 2],
            last_snapshot: Cell::new(Value::NIL),
            trail: RefCell::default(),
            passed: crate::concurrency::fiber::Passed::Value(Value::NIL),
            handles: Vec::new(),
            recursion: crate::value::recursion::Visits::default(),
            stress,
            interrupts_masked: 0,
            missing_reason: crate::run::call::MissingReason::Undefined,
            new_frame: None,
            constructors: [const { Cell::new(Constructor::NONE) }; CONSTRUCTORS],
            field_answers: OnceCell::new(),
            lowest_frame: Cell::new(0),
        });
        ec.push_base_frame();
        crate::run::interp::refresh_table(&ec);
        if ec.stress.is_some() {
            ec.arm(0);
        }
        ec
    }

    /// Copies what the interpreter asks for often; called when the known classes exist.
    pub(crate) fn learn_known_shapes(&mut self) {
        let known = self.vm().known();
        (self.array_shape, self.hash_shape, self.string_shape) =
            (known.array.root_shape(), known.hash.root_shape(), known.string.root_shape());
        self.set_shape = known.set.root_shape();
    }

    /// Registers the bounds of the native stack that this context runs on: its highest address, and how many bytes may be
    /// used below it.
    pub fn set_native_stack(&mut self, base: usize, bytes: usize) {
        // Room for what runs without checking: signal frames, the allocator, raising the error itself.
        const RESERVE: usize = 256 << 10;
        self.native_base = base;
        self.native_limit = base - bytes + RESERVE.min(bytes / 4);
    }

    /// The lowest frame of a stack: a boundary without caller.
    pub(crate) fn push_base_frame(&mut self) {
        let fp = Fp(self.stack.first());
        // SAFETY: `first` leaves room for a header below it.
        unsafe {
            fp.set_word(crate::run::frame::CODE, std::ptr::from_ref(&*self.boundary).expose_provenance() as u64);
            fp.set_word(crate::run::frame::CALLER, 0);
            fp.set_word(crate::run::frame::BLOCK, 0);
            fp.set_word(crate::run::frame::ENV, fp.0.expose_provenance() as u64);
            fp.set_word(crate::run::frame::RET_PC, 0);
            fp.set_reg(0, Value::NIL);
            self.sp = fp.0.add(1);
        }
        self.fp = fp;
    }

    // ---- polls ----

    /// Where the limit lies.
    pub(crate) const LIMIT_OFFSET: usize = std::mem::offset_of!(Ec, limit);

    /// Counts a back edge; true if this one is to be looked at.
    #[inline(always)]
    pub(crate) fn is_turn_counted(&self) -> bool {
        self.back_edges.set(self.back_edges.get().wrapping_sub(1));
        self.back_edges.get() == 0
    }

    /// Whether a frame may reach up to `top` without further ado.
    #[inline(always)]
    pub(crate) fn may_enter(&self, top: *mut Value) -> bool {
        top.addr() <= self.limit_now()
    }

    #[inline(always)]
    pub(crate) fn is_armed(&self) -> bool {
        self.limit_now() == 0
    }

    /// Another thread may ask for something between two looks, so whoever looks twice has to do with two answers. Builds with
    /// assertions give them: under stress something is asked all the time, and every other look overlooks it.
    #[inline(always)]
    fn limit_now(&self) -> usize {
        let limit = self.limit.load(Ordering::Relaxed);
        #[cfg(debug_assertions)]
        if limit == 0 && self.stress.is_some() {
            // Weyl's sequence: of its middle bits every other one is set, in an order without a short period.
            self.looks.set(self.looks.get().wrapping_add(0x9e37_79b9));
            if self.looks.get() >> 16 & 1 == 0 {
                return self.stack.limit();
            }
        }
        limit
    }

    /// Makes the next poll take its slow path, for the reasons in `bits`. Any thread may call this.
    pub(crate) fn arm(&self, bits: u32) {
        self.interrupts.fetch_or(bits, Ordering::SeqCst);
        self.limit.store(0, Ordering::SeqCst);
    }

    pub(crate) fn disarm(&self) {
        self.limit.store(self.stack.limit(), Ordering::SeqCst);
    }

    /// The context runs on another VM stack from here on; what was asked of it stays asked.
    pub(crate) fn stack_changed(&self) {
        self.disarm();
        let is_limited = self.vm().limits.is_active();
        if is_limited || self.stress.is_some() || self.interrupts.load(Ordering::SeqCst) != 0 {
            self.arm(0);
        }
    }

    // ---- allocation ----

    /// A slot with its header written. The caller fills the rest before the next poll.
    #[inline(always)]
    pub(crate) fn new_slot(&self, kind: HeapType, pool: PoolIndex, shape: ShapeId, flags: u64) -> NonNull<Header> {
        let header = Header::new(kind, pool, shape, flags);
        let Some(slot) = self.heap().take_slot(pool) else { return self.new_slot_slow(pool, header) };
        // SAFETY: the slot is fresh, at least 16 bytes, and ours alone.
        unsafe { slot.write(header) };
        slot
    }

    /// As [`Ec::new_slot`], with room behind for the fields that the mold asks for; the header names the pool that is large
    /// enough for the contents.
    #[inline]
    pub(crate) fn new_slot_in(&self, kind: HeapType, pool: PoolIndex, mold: Mold, flags: u64) -> NonNull<Header> {
        let whole = mold.pool_with_fields(pool);
        let header = Header::new(kind, pool, mold.shape, flags);
        let Some(slot) = self.heap().take_slot(whole) else { return self.new_slot_slow(whole, header) };
        // SAFETY: the slot is fresh, at least as large as those of `pool`, and ours alone.
        unsafe { slot.write(header) };
        slot
    }

    /// Forgets what was remembered by number of a shape.
    pub(crate) fn forget_shapes(&self) {
        self.constructors.iter().for_each(|known| known.set(Constructor::NONE));
        self.field_answers.get().into_iter().flatten().for_each(|answer| answer.set(FieldAnswer::default()));
    }

    #[cold]
    #[inline(never)]
    pub(crate) fn new_slot_slow(&self, pool: PoolIndex, header: Header) -> NonNull<Header> {
        let slot = self.heap().allocate_slow(pool);
        let is_recording = self.heap().is_recording();
        if is_recording {
            crate::inspect::recorder::note_new(self, slot, pool.slot_bytes());
        }
        // SAFETY: the slot is fresh, of that many bytes, and ours alone.
        unsafe { slot.write(header) };
        if is_recording && self.tells_of_objects() {
            // SAFETY: as above; whoever looks at the object finds nothing in it.
            unsafe {
                slot.add(1).cast::<u8>().write_bytes(0, pool.slot_bytes() - size_of::<Header>());
                if slot.as_ref().is_type(HeapType::Data) {
                    crate::value::data::fill_with_nothing(slot);
                }
            }
            // SAFETY: it has a header.
            self.tell_of_collector(crate::foreign::collector_event::MADE, unsafe { Value::from_heap(slot) });
        }
        slot
    }

    pub(crate) fn new_owner(
        &self,
        kind: HeapType,
        pool: PoolIndex,
        shape: ShapeId,
        native: *mut std::ffi::c_void,
    ) -> Value {
        self.new_owner_with(kind, pool, shape, 0, native)
    }

    /// An object that owns a native allocation; its type's finaliser releases it.
    pub(crate) fn new_owner_with(
        &self,
        kind: HeapType,
        pool: PoolIndex,
        shape: ShapeId,
        flags: u64,
        native: *mut std::ffi::c_void,
    ) -> Value {
        let slot = self.new_slot(kind, pool, shape, flags);
        // SAFETY: every caller's pool holds an ROwner, and the slot is fresh.
        unsafe { (*slot.cast::<ROwner>().as_ptr()).native = native };
        self.heap().mark_owning(slot);
        // SAFETY: the slot is now initialised.
        unsafe { Value::from_heap(slot) }
    }

    // ---- state of the running thread ----

    /// `$!`
    pub fn errinfo(&self) -> Value {
        self.errinfo
    }

    pub fn set_errinfo(&mut self, exception: Value) {
        self.errinfo = exception;
    }

    /// What is unwinding right now; meaningful only to whoever holds an [`Unwind`].
    pub fn pending(&self) -> Value {
        self.pending
    }

    /// Counts what other threads and signals ended here: whoever calls code of a program and goes on after any exception sees by it
    /// which of them must not be lost.
    pub fn interruptions(&self) -> u32 {
        self.interruptions
    }

    /// Continues an unwinding that was looked at, with the same or another exception.
    pub fn unwind(&mut self, pending: Value) -> Unwind {
        self.pending = pending;
        Unwind(())
    }

    /// Why `method_missing` was last called.
    pub fn missing_reason(&self) -> crate::run::call::MissingReason {
        self.missing_reason
    }

    pub fn current_thread(&self) -> Value {
        self.thread
    }
}
