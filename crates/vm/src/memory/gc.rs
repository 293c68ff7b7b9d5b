//! What a collection starts from, and what each type of object refers to.
//!
//! With one Ractor, its heap is collected; with several, all heaps are, while the others stand still: any object may refer
//! to a shareable one, and a message lies in its sender's heap.
//!
//! Roots are the VM's tables, the VM stacks and the native stacks of all threads and fibers. Both kinds of stack are
//! scanned conservatively: registers above a frame's live temporaries may be stale, and a word that is no live object's
//! address is ignored. Objects never move, so a false root costs memory at worst.

use crate::concurrency::ractor::Ractor;
use crate::concurrency::shareable::is_untouched;
use crate::ec::Ec;
use crate::foreign::collector_event;
use crate::model::class::{Class, ClassData};
use crate::model::cref::Cref;
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::shape::ROOT_MOVED;
use crate::run::code::CodeData;
use crate::run::frame::{self, Fp};
use crate::run::proc;
use crate::run::unwind::Throw;
use crate::value::array::Array;
use crate::value::data;
use crate::value::hash::Hash;
use carat_heap::buf::Window;
use carat_heap::{Client, Collection, Heap, Liveness, Marker, Phase, reserve};
use carat_layout::{Header, HeapType, RBignum, RData, ROwner, RPair, Value, flags};
use num_bigint::BigInt;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

/// Collects the running Ractor's heap, or all heaps.
pub(crate) fn collect(ec: &mut Ec, kind: Collection) {
    if ec.vm().has_several_ractors() {
        collect_all(ec, Some(kind), &mut |_, _| ());
        release_all_own(ec);
    } else {
        if kind == Collection::Full || ec.heap().phase() == Phase::Marking {
            // It marks everything anew: what is found here may be dead by then, or is found once more.
            ec.ractor().slices.borrow_mut().clear();
        }
        work_on_own_heap(ec, &mut |heap, roots| heap.collect(roots, kind, false));
    }
    make_room_for_code(ec);
}

/// Drops machine code that does not run, if other code waits for room.
fn make_room_for_code(ec: &mut Ec) {
    if ec.ractor().machine_room.is_wanted() {
        with_registers_spilled(&mut |top| {
            ec.native_top = top;
            // SAFETY: this thread has the Ractor's turn and is at a poll; its registers are on the stack.
            unsafe { crate::compiled::make_room(ec) };
        });
    }
}

fn work_on_own_heap(ec: &mut Ec, work: &mut dyn FnMut(&Heap, &mut Roots<'_>)) {
    let collections = tell_of_entry(ec);
    with_registers_spilled(&mut |top| {
        ec.native_top = top;
        // SAFETY: the Ractor outlives the collection.
        let ractor = unsafe { &*ec.ractor };
        crate::foreign::log_unprotected(ractor);
        let mut roots = Roots::new(ec, vec![ractor]);
        work(&ractor.heap, &mut roots);
        unshare(ractor);
    });
    tell_of_exit(ec, collections);
    after_collection(ec);
}

/// Tells C code that the collector begins to work, and with what; the number of collections so far.
fn tell_of_entry(ec: &Ec) -> u64 {
    ec.tell_of_collector(collector_event::ENTERS, Value::NIL);
    if ec.heap().phase() != Phase::Marking {
        ec.tell_of_collector(collector_event::BEGINS, Value::NIL);
    }
    ec.heap().stats().collections()
}

/// Tells C code that the collector has worked; that what it found dead is free, if a collection has ended.
fn tell_of_exit(ec: &Ec, collections: u64) {
    if ec.heap().stats().collections() != collections {
        ec.vm().give_back_code_pages();
        ec.tell_of_collector(collector_event::SWEPT, Value::NIL);
    }
    ec.tell_of_collector(collector_event::EXITS, Value::NIL);
}

/// Outside the collection, C code may be called.
#[inline]
fn after_collection(ec: &mut Ec) {
    if let Some(hooks) = ec.vm().foreign.hooks() {
        (hooks.after_collection)(ec);
    }
}

/// Slices that alone keep large buffers alive get buffers of their own, once the dead ones are gone, and before a marking
/// begins that may find the slices dead.
fn unshare(ractor: &Ractor) {
    if !matches!(ractor.heap.phase(), Phase::Marking | Phase::Releasing) {
        unshare_now(ractor);
    }
}

fn unshare_now(ractor: &Ractor) {
    for slice in ractor.slices.take() {
        // SAFETY: each collection that has ended since they were found left them marked, and no code runs that could have borrowed
        // their contents.
        unsafe {
            if crate::value::string::may_keep_too_much(slice) {
                let element_bytes = if slice.as_ref().is_type(HeapType::Array) { size_of::<Value>() } else { 1 };
                crate::value::string::unshare(&ractor.heap, slice, element_bytes);
            }
        }
    }
}

/// Collects all heaps; without a kind, only if this one's collection is due still. `afterwards` sees them before anything runs.
#[cold]
fn collect_all(ec: &mut Ec, kind: Option<Collection>, afterwards: &mut dyn FnMut(&[&Heap], &mut Roots<'_>)) {
    let world = ec.stop_world();
    if kind.is_none() && !wants_collection(ec.heap()) {
        return;
    }
    let kind = kind.unwrap_or_else(|| if reserve::is_short() { Collection::Full } else { ec.heap().due_kind() });
    let collections = tell_of_entry(ec);
    with_registers_spilled(&mut |top| {
        ec.native_top = top;
        let pointers: Vec<*const Ractor> = world.ractors(ec).into_iter().map(std::ptr::from_ref).collect();
        // SAFETY: the world keeps the Ractors where they are.
        let ractors: Vec<&Ractor> = pointers.into_iter().map(|r| unsafe { &*r }).collect();
        let heaps: Vec<&Heap> = ractors.iter().map(|r| &r.heap).collect();
        ractors.iter().for_each(|ractor| ractor.slices.borrow_mut().clear());
        ractors.iter().for_each(|ractor| crate::foreign::log_unprotected(ractor));
        let own = ractors[0];
        let mut roots = Roots::new(ec, ractors);
        Heap::collect_together(&heaps, &mut roots, kind);
        afterwards(&heaps, &mut roots);
        // Now, while nobody reads the slices: what dead ones share with them is released later, and found unshared next time.
        unshare_now(own);
    });
    tell_of_exit(ec, collections);
    world.adopt_ended(ec);
}

/// Releases what the last collection has left to this Ractor, beside whatever the others do.
fn release_own(ec: &mut Ec) {
    // SAFETY: the Ractor outlives the call.
    let ractor = unsafe { &*ec.ractor };
    ractor.heap.release_waiting(&mut Roots::new(ec, vec![ractor]));
}

fn release_all_own(ec: &mut Ec) {
    while ec.heap().phase() == Phase::Releasing {
        release_own(ec);
    }
}

/// Does what a due collection is for, unless another Ractor has collected while this one waited.
pub(crate) fn collect_due(ec: &mut Ec) {
    if ec.vm().has_several_ractors() {
        collect_due_together(ec);
    } else if reserve::is_short() {
        collect(ec, Collection::Full);
    } else {
        work_on_own_heap(ec, &mut |heap, roots| heap.advance(roots));
    }
    make_room_for_code(ec);
}

/// Whether what is due is a collection, and not only to release what the last one has left.
fn wants_collection(heap: &Heap) -> bool {
    let is_releasing = heap.phase() == Phase::Releasing;
    heap.collection_due() && (!is_releasing || heap.is_nursery_full() || reserve::is_short())
}

fn collect_due_together(ec: &mut Ec) {
    if !wants_collection(ec.heap()) {
        return release_own(ec);
    }
    let is_short = reserve::is_short();
    collect_all(ec, None, &mut |_, _| ());
    if is_short {
        release_all_own(ec);
    }
}

/// A collection, or a step of one, as if it were due. While a marking is in progress most turns take it further. One full collection
/// in sixteen is checked, in every build.
pub(crate) fn collect_for_stress(ec: &mut Ec, random: u64) {
    let (choice, budget) = (random & 7, (random >> 3 & 0x3FF) as usize);
    let is_checked = random >> 13 & 15 == 0 && !reserve::is_short();
    match choice {
        0 if is_checked => ec.verify_heap(),
        0 => collect(ec, Collection::Full),
        1..=3 if ec.heap().phase() != Phase::Marking => collect(ec, Collection::Minor),
        _ if ec.vm().has_several_ractors() => collect_all(ec, Some(Collection::Minor), &mut |_, _| ()),
        _ => work_on_own_heap(ec, &mut |heap, roots| heap.step(roots, budget)),
    }
}

impl Ec {
    /// Registers what to do after each marking: the argument says whether an object lives. It must not touch the heap.
    pub fn add_after_mark(&self, hook: crate::concurrency::ractor::AfterMark) {
        self.ractor().after_mark.borrow_mut().push(hook);
    }

    /// Collects all that is dead, and checks that everything live objects refer to is live. A fault ends the process.
    pub fn verify_heap(&mut self) {
        let mut result = Ok(());
        if self.vm().has_several_ractors() {
            let verify = &mut |heaps: &[&Heap], roots: &mut Roots<'_>| result = Heap::verify_together(heaps, roots);
            collect_all(self, Some(Collection::Full), verify);
            release_all_own(self);
        } else {
            collect(self, Collection::Full);
            work_on_own_heap(self, &mut |heap, roots| result = heap.verify(roots, false));
        }
        result.unwrap_or_else(|fault| panic!("{fault}"));
    }

    /// Allows collections again; whether they were turned off. A request that came meanwhile was dropped, and a heap makes none
    /// while one stands: whoever polls next asks the heaps themselves.
    pub fn enable_gc(&mut self) -> bool {
        let was_disabled = self.vm().is_gc_disabled.swap(false, Ordering::Relaxed);
        if was_disabled {
            self.vm().ractors().iter().for_each(|ractor| ractor.shared.arm_all(0));
        }
        was_disabled
    }

    /// Collects now, however little there is to collect; a full collection gives free pages back to the system.
    pub fn collect_garbage(&mut self, full: bool) {
        collect(self, if full { Collection::Full } else { Collection::Minor });
        if full {
            self.heap().give_back();
        }
    }
}

/// Calls `f` with the native stack's top, callee-saved registers stored above it.
#[inline(never)]
pub(crate) fn with_registers_spilled(f: &mut dyn FnMut(usize)) {
    let mut registers = Registers::new();
    f(registers.spill());
    registers.keep();
}

/// So many words are the registers that callees keep.
const KEPT_REGISTERS: usize = if cfg!(target_arch = "x86_64") { 6 } else { 19 };

/// Room in a function's frame for the registers that callees keep.
pub(crate) struct Registers {
    stored: [usize; KEPT_REGISTERS],
}

impl Registers {
    #[inline(always)]
    pub(crate) fn new() -> Registers {
        Registers { stored: [0; KEPT_REGISTERS] }
    }

    /// Stores the registers, and answers the stack pointer: what lies from there on, the function's frame with this room and its
    /// callers', is all that the function's callers have. What the function itself holds may be elsewhere.
    #[inline(always)]
    pub(crate) fn spill(&mut self) -> usize {
        let stack_top;
        #[cfg(target_arch = "x86_64")]
        // SAFETY: stores registers into an array of this frame, and reads one.
        unsafe {
            std::arch::asm!(
                "mov [{0}], rbx", "mov [{0} + 8], rbp", "mov [{0} + 16], r12", "mov [{0} + 24], r13",
                "mov [{0} + 32], r14", "mov [{0} + 40], r15", "mov {1}, rsp",
                in(reg) self.stored.as_mut_ptr(),
                lateout(reg) stack_top,
                options(nostack, preserves_flags)
            );
        }
        #[cfg(target_arch = "aarch64")]
        // Code without frame pointers holds what it likes in x29, and a word that is only moved may wait in a register for doubles.
        // SAFETY: as above.
        unsafe {
            std::arch::asm!(
                "stp x19, x20, [{0}]", "stp x21, x22, [{0}, 16]", "stp x23, x24, [{0}, 32]", "stp x25, x26, [{0}, 48]",
                "stp x27, x28, [{0}, 64]", "stp d8, d9, [{0}, 80]", "stp d10, d11, [{0}, 96]", "stp d12, d13, [{0}, 112]",
                "stp d14, d15, [{0}, 128]", "str x29, [{0}, 144]", "mov {1}, sp",
                in(reg) self.stored.as_mut_ptr(),
                lateout(reg) stack_top,
                options(nostack, preserves_flags)
            );
        }
        stack_top
    }

    /// To be called when the stack need not be scanned any more: until then the registers stay where they are.
    #[inline(always)]
    pub(crate) fn keep(&self) {
        std::hint::black_box(&self.stored);
    }
}

/// Takes the references that are reported: the collector's marker, or whoever wants a list of them.
pub(crate) trait Sink {
    fn mark(&mut self, value: Value);

    /// A word that may be an address inside an object, or where some code goes on.
    fn mark_conservative(&mut self, word: u64);

    /// The contents of `owner`.
    ///
    /// # Safety
    /// The words are values or zero, and stay what they are as long as the sink is used.
    unsafe fn mark_range(&mut self, owner: NonNull<Header>, first: *const Value, len: usize);

    /// Whether it wants what nobody wrote there for sure: words on a stack.
    fn takes_leftovers(&self) -> bool {
        true
    }
}

impl Sink for Marker<'_> {
    #[inline(always)]
    fn mark(&mut self, value: Value) {
        Marker::mark(self, value);
    }

    #[inline(always)]
    fn mark_conservative(&mut self, word: u64) {
        Marker::mark_conservative(self, word);
    }

    #[inline(always)]
    unsafe fn mark_range(&mut self, owner: NonNull<Header>, first: *const Value, len: usize) {
        // SAFETY: by contract.
        unsafe { Marker::mark_range(self, owner, first, len) };
    }

    fn takes_leftovers(&self) -> bool {
        !self.is_verifying()
    }
}

struct Roots<'a> {
    ec: &'a mut Ec,
    /// Those whose heaps are collected.
    ractors: Vec<&'a Ractor>,
}

impl<'a> Roots<'a> {
    /// All code that lives was traced since the shapes were retired; what the Ractors and contexts remember is left.
    fn reuse_shapes(&self) {
        for ractor in &self.ractors {
            ractor.method_cache.clear();
            for context in ractor.contexts.borrow().iter() {
                // SAFETY: contexts in the list are alive, and their threads wait for their turn.
                unsafe { (**context).forget_shapes() };
            }
        }
        self.ec.vm().shapes.reuse_retired();
    }

    fn new(ec: &'a mut Ec, ractors: Vec<&'a Ractor>) -> Roots<'a> {
        Roots { ec, ractors }
    }
}

impl Client for Roots<'_> {
    fn roots(&mut self, marker: &mut Marker<'_>) {
        self.ec.vm().references(&mut |v| marker.mark(v));
        self.ec.vm().foreign.roots(&mut |word| marker.mark_conservative(word));
        for ractor in &self.ractors {
            ractor.references(&mut |v| marker.mark(v));
            ractor.spare_variants.clear();
            for context in ractor.contexts.borrow().iter() {
                // SAFETY: contexts in the list are alive, and their threads wait for their turn.
                unsafe { mark_context(&**context, marker) };
            }
        }
    }

    fn trace(&mut self, object: NonNull<Header>, marker: &mut Marker<'_>) {
        // SAFETY: the collector passes live, initialised objects.
        let header = unsafe { object.as_ref() };
        if matches!(header.heap_type(), HeapType::String | HeapType::Array) {
            // SAFETY: as above.
            if unsafe { crate::value::string::may_keep_too_much(object) } {
                self.ractors[0].slices.borrow_mut().push(object);
            }
        }
        let shapes = &self.ec.vm().shapes;
        if header.is_type(HeapType::Code) && shapes.has_retired() {
            // SAFETY: a code object that lives.
            unsafe { (*native::<CodeData>(object)).forget_retired(shapes, self.ec.vm().config.jit) };
        }
        trace(self.ec, object, marker);
    }

    fn contents(&self, object: NonNull<Header>) -> (*const Value, usize) {
        // SAFETY: the object reported a range, and lives until marking ends.
        unsafe {
            match object.as_ref().heap_type() {
                HeapType::Array => Array::raw_parts(object),
                _ => {
                    let (_, first, len) = Hash::raw_parts(object);
                    (first, len)
                }
            }
        }
    }

    fn window(&self, object: NonNull<Header>) -> Option<Window> {
        // SAFETY: the verifier passes live, initialised objects.
        unsafe { crate::value::string::window(object) }
    }

    fn after_mark(&mut self, live: &Liveness<'_>) {
        self.ec.tell_of_collector(collector_event::MARKED, Value::NIL);
        for ractor in &self.ractors {
            crate::inspect::recorder::after_mark(self.ec, ractor, live);
            ractor.site_cache.clear();
            ractor.spare_variants.clear();
            // What an earlier collection has found may wait for pages to be released, and die meanwhile.
            // SAFETY: nothing has been freed since the list was last looked through.
            ractor.slices.borrow_mut().retain(|slice| live.is_live(unsafe { Value::from_heap(*slice) }));
            if !live.is_minor() {
                ractor.spare_stacks.borrow_mut().release_idle();
            }
            crate::foreign::prune_unprotected(ractor, &|v| live.is_live(v));
            for hook in ractor.after_mark.borrow_mut().iter_mut() {
                hook(&|v| live.is_live(v));
            }
        }
        let vm = self.ec.vm();
        if !live.is_minor() && vm.shapes.has_retired() {
            self.reuse_shapes();
        }
        vm.fstrings.prune(self.ec, live);
        vm.free_retired_blocks();
        self.ec.heap().account(-(vm.foreign.prune_copies(&|v| live.is_live(v)) as isize));
        if vm.prune_classes(live) {
            for ractor in &self.ractors {
                ractor.kind_cache.clear();
                ractor.constant_cache.clear();
            }
        }
        self.ec.heap().account(vm.shapes.growth(!live.is_minor()));
    }

    fn release(&mut self, heap: &Heap, object: NonNull<Header>) {
        // SAFETY: the collector passes dead objects that own something.
        unsafe { release(self.ec, heap, object) };
    }
}

/// # Safety
/// The context's thread does not run, or runs this collection.
pub(crate) unsafe fn mark_context(ec: &Ec, marker: &mut impl Sink) {
    for value in [
        ec.pending,
        ec.errinfo,
        ec.foreign.held,
        ec.foreign.error,
        ec.foreign.before,
        ec.thread,
        ec.fiber,
        ec.root_fiber,
        ec.passed.value(),
    ] {
        marker.mark(value);
    }
    ec.thread_specials.iter().for_each(|special| marker.mark(special.get()));
    ec.last_snapshot.set(Value::NIL);
    ec.trail.borrow_mut().clear();
    ec.ractor().positions.borrow_mut().clear();
    ec.ractor().keys.clear();
    ec.handles.iter().for_each(|v| marker.mark(*v));
    ec.recursion.values().for_each(|v| marker.mark(v));
    for pc in [ec.pc, ec.resume.0] {
        marker.mark_conservative(pc.addr() as u64);
    }
    // SAFETY: the frames are a stack's; the VM stack up to `sp`, and the native stack between the two addresses, are mapped.
    unsafe {
        mark_frames(ec.fp, marker);
        let first = ec.stack.first().sub(frame::HEADER);
        let words = (ec.sp.addr() - first.addr()) / 8;
        mark_words(first.cast(), words, marker);
        if ec.native_base > ec.native_top && ec.native_top != 0 {
            let start = ec.native_top & !7;
            mark_words(std::ptr::with_exposed_provenance(start), (ec.native_base - start) / 8, marker);
        }
    }
}

/// The code of every frame from `fp` down, and of the literal blocks given to them: frames store the addresses of code data,
/// which are no objects.
///
/// # Safety
/// `fp` is null or the top of a chain of frames.
pub(crate) unsafe fn mark_frames(mut fp: Fp, marker: &mut impl Sink) {
    // SAFETY: by contract; each frame stores the words that its kind has.
    unsafe {
        while !fp.is_null() {
            marker.mark(fp.code().this);
            let block = fp.word(frame::BLOCK);
            if block & 1 == 1 {
                marker.mark((*((block & !1) as *const CodeData)).this);
            }
            fp = fp.caller();
        }
    }
}

/// Every word that points into a live object.
///
/// # Safety
/// The words are mapped.
#[inline(never)]
pub(crate) unsafe fn mark_words(first: *const u64, count: usize, marker: &mut impl Sink) {
    for i in 0..count {
        // SAFETY: by contract. A word of another thread's stack may be written by nobody: the thread waits.
        let word = unsafe { first.add(i).read_volatile() };
        marker.mark_conservative(word);
    }
}

pub(crate) fn trace(ec: &Ec, object: NonNull<Header>, marker: &mut impl Sink) {
    // SAFETY: the collector passes live, initialised objects; each type's struct lies behind its header.
    unsafe {
        let header = object.as_ref();
        let kind = header.heap_type();
        marker.mark(ec.vm().shapes.class_of(header.shape()));
        let is_husk = header.shape() == ROOT_MOVED && kind == HeapType::Object;
        debug_assert!(!is_husk || is_untouched(object), "a native method wrote to an object that was moved");
        match kind {
            HeapType::Array => {
                let (first, len) = Array::raw_parts(object);
                marker.mark_range(object, first, len);
            }
            HeapType::Hash | HeapType::Set => {
                let (default, first, len) = Hash::raw_parts(object);
                marker.mark(default);
                marker.mark_range(object, first, len);
            }
            HeapType::Class | HeapType::Module => {
                Class::references(&*native::<ClassData>(object), &mut |v| marker.mark(v))
            }
            HeapType::MethodEntry => {
                for value in (*native::<MethodEntry>(object)).references() {
                    marker.mark(value);
                }
                // An iseq may be linked, its literals made, before any code runs it.
                if let MethodKind::Iseq(iseq) = &(*native::<MethodEntry>(object)).kind {
                    iseq.references(&mut |v| marker.mark(v));
                }
            }
            HeapType::Code => trace_code(&*native::<CodeData>(object), marker),
            HeapType::Cref => (*native::<Cref>(object)).references(&mut |v| marker.mark(v)),
            HeapType::Throw => (*native::<Throw>(object)).references(&mut |v| marker.mark(v)),
            HeapType::Range | HeapType::Rational | HeapType::Complex => {
                let pair = object.cast::<RPair>().as_ptr();
                marker.mark((*pair).first);
                marker.mark((*pair).second);
            }
            HeapType::Proc => {
                let proc = proc::Proc::expect(Value::from_heap(object));
                proc.references().into_iter().for_each(|v| marker.mark(v));
            }
            HeapType::Env => trace_env(object, marker),
            HeapType::Data => {
                let native = (*object.cast::<RData>().as_ptr()).native;
                (data::type_of(Value::from_heap(object)).mark)(native, &mut |v| marker.mark(v));
                if let Some(fiber) =
                    data::Data::<crate::concurrency::fiber::Fiber>::from_value(Value::from_heap(object))
                {
                    let fiber = fiber.get(ec);
                    fiber.trace_frames(marker);
                    if marker.takes_leftovers() || fiber.rests_since_last_collection(ec) {
                        fiber.trace_words(marker);
                    }
                }
            }
            HeapType::CData => {
                if let Some(hooks) = ec.vm().foreign.hooks() {
                    (hooks.mark)(ec, object, &mut |word| marker.mark_conservative(word));
                }
            }
            _ => {}
        }
        ec.each_field(object, &mut |v| marker.mark(v));
    }
}

fn trace_code(code: &CodeData, marker: &mut impl Sink) {
    marker.mark(code.method);
    marker.mark(code.cref);
    code.existing_children().for_each(|v| marker.mark(v));
    if let Some(origin) = code.compilation.origin() {
        marker.mark(origin.this);
    }
    if let Some(compiled) = code.compilation.compiled.get() {
        compiled.callees().for_each(|v| marker.mark(v));
    }
    code.compilation.units.each_block(&mut |v| marker.mark(v));
    if let Some(linked) = &code.iseq {
        linked.references(&mut |v| marker.mark(v));
    }
}

/// # Safety
/// The object is an environment.
unsafe fn trace_env(object: NonNull<Header>, marker: &mut impl Sink) {
    // SAFETY: by contract; the words are those that `proc::copy_env` wrote.
    unsafe {
        let (first, env) = proc::env_words(object);
        marker.mark(env.code().this);
        for i in 0..proc::env_size(object) {
            marker.mark_conservative(*first.add(i));
        }
        // Parent and block environments are interior pointers, which count; a literal block's code is no heap address.
        let block = env.word(frame::BLOCK);
        if block & 1 == 1 {
            marker.mark((*((block & !1) as *const CodeData)).this);
        }
    }
}

unsafe fn native<T>(object: NonNull<Header>) -> *mut T {
    // SAFETY: the caller's object is an ROwner of this native type.
    unsafe { (*object.cast::<ROwner>().as_ptr()).native.cast() }
}

/// # Safety
/// The object is dead and owns what its type says.
pub(crate) unsafe fn release(ec: &Ec, heap: &Heap, object: NonNull<Header>) {
    // SAFETY: by contract.
    unsafe {
        let header = object.as_ref();
        match header.heap_type() {
            HeapType::String | HeapType::Array => {
                if !header.is_type(HeapType::String) && header.bits() & flags::STORAGE_MASK == 0 {
                    return free_side_block(object);
                }
                crate::value::string::release_storage(heap, object);
            }
            HeapType::Hash | HeapType::Set => {
                let size = Hash::release(object);
                heap.account(-(size as isize));
            }
            HeapType::Bignum => {
                let integer = (&raw mut (*object.cast::<RBignum>().as_ptr()).integer).cast::<BigInt>();
                heap.account(-crate::value::numeric::accounted_bytes(&*integer));
                integer.drop_in_place();
            }
            HeapType::Class | HeapType::Module => {
                drop(Box::from_raw(native::<ClassData>(object)));
                heap.account(-(size_of::<ClassData>() as isize));
            }
            HeapType::MethodEntry => {
                drop(Box::from_raw(native::<MethodEntry>(object)));
                heap.account(-(size_of::<MethodEntry>() as isize));
            }
            HeapType::Code => drop(Box::from_raw(native::<CodeData>(object))),
            HeapType::Cref => drop(Box::from_raw(native::<Cref>(object))),
            HeapType::Throw => drop(Box::from_raw(native::<Throw>(object))),
            HeapType::Env if header.has(flags::ENV_EXTERNAL) => release_large_env(heap, object),
            HeapType::Data => {
                let data = object.cast::<RData>().as_ptr();
                if data::Data::<crate::concurrency::fiber::Fiber>::from_value(Value::from_heap(object)).is_some() {
                    (*(*data).native.cast::<crate::concurrency::fiber::Fiber>()).reclaim(ec);
                }
                let data_type = data::type_of(Value::from_heap(object));
                let bytes = data_type.size + (data_type.counted)((*data).native);
                (data_type.drop)((*data).native);
                heap.account(-(bytes as isize));
            }
            HeapType::CData => ec.vm().foreign.hooks().into_iter().for_each(|hooks| (hooks.free)(ec, object)),
            _ => {}
        }
        free_side_block(object);
    }
}

unsafe fn release_large_env(heap: &Heap, object: NonNull<Header>) {
    // SAFETY: `proc::allocate_large_env` leaked the block as a boxed slice of as many words as it says, and one.
    unsafe {
        let block = native::<u64>(object);
        let words = *block as usize;
        drop(Box::from_raw(std::ptr::slice_from_raw_parts_mut(block, 1 + words)));
        heap.account(-(words as isize * 8));
    }
}

unsafe fn free_side_block(object: NonNull<Header>) {
    // SAFETY: the object is dead, so nothing refers to its block.
    unsafe {
        if object.as_ref().has(flags::SIDE_FIELDS)
            && let Some(block) = carat_heap::side::of(object)
        {
            carat_heap::side::free(block);
        }
    }
}

/// Gives back everything that objects own outside the heap, before the heap itself goes.
pub(crate) fn release_all(ec: &mut Ec) {
    // SAFETY: the heap outlives this call.
    let ractor = unsafe { &*ec.ractor };
    ractor.heap.release_all(&mut Roots::new(ec, vec![ractor]));
}
