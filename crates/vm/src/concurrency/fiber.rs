//! Fibers: each has a VM stack and a native stack of its own, and all of a thread's fibers share its one [`Ec`].
//!
//! # Switching
//! The thread's first fiber, the *root*, runs on the thread's own stacks. While it waits it sits in [`run_others`], a loop
//! that resumes one coroutine after the other: a fiber that wants another to run suspends to that loop and names it. So
//! `transfer` between any two fibers is possible although coroutines only know their parent.
//! What belongs to the running fiber stands in the `Ec`; what belongs to a resting one in its [`Saved`].
//!
//! # Collection
//! A resting fiber's stacks are scanned when its object is traced, so one that nobody can resume any more is freed like any
//! other object. Its native stack is then taken back without unwinding: destructors of what was on it do not run.

use crate::ec::{Ec, Result, Unwind};
use crate::inspect::trace::event;
use crate::model::class::Class;
use crate::run::frame::{self, Fp};
use crate::run::native::Rest;
use crate::run::proc::Proc;
use crate::run::stack::{FIBER_BYTES, FIBER_NATIVE_BYTES, FiberStacks, VmStack};
use crate::value::data::{Data, NativeData};
use crate::value::hash::Hash;
use crate::{Array, memory::gc};
use carat_iseq::Insn;
use carat_layout::Value;
use corosensei::stack::Stack;
use corosensei::{Coroutine, CoroutineResult, Yielder};

/// What a fiber's stacks count for when the collector sets its pace: about what a short-lived one touches.
const ACCOUNTED_BYTES: isize = 12 << 10;

type Input = *mut Ec;
/// The fiber that is to run next.
type Next = Data<Fiber>;
type Native = Coroutine<Input, Next, Next, FiberStacks>;

/// Where a fiber is in its life.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FiberStatus {
    Created,
    /// It runs, or waits for a fiber that it resumed.
    Resumed,
    Suspended,
    Terminated,
}

/// Contents of a `Fiber` object.
pub struct Fiber {
    status: FiberStatus,
    /// The body; nil for a root fiber and for an object that `initialize` has not seen.
    body: Value,
    /// Keyword arguments of the first `resume`, a Hash or nil.
    keywords: Value,
    /// The thread that may run it.
    thread: Value,
    /// Who goes on when this fiber yields or ends: the fiber that resumed it, or nil.
    resumer: Value,
    /// The fiber that this one resumed and waits for, or nil.
    resuming: Value,
    /// Fiber storage, a Hash or nil.
    storage: Value,
    /// Fiber-local variables (`Thread#[]`), a Hash or nil.
    locals: Value,
    is_root: bool,
    /// A forked child began in it: it stands for the root, and the program ends with it.
    is_first: bool,
    is_yielding: bool,
    is_blocking: bool,
    is_killed: bool,
    /// A signal handler runs in it, or made it: see [`Ec::in_trap`].
    is_in_trap: bool,
    saved: Saved,
    coroutine: Option<Native>,
    yielder: *const Yielder<Input, Next>,
    /// How many collections there had been when it went to rest.
    #[cfg(debug_assertions)]
    rested_at: u64,
}

/// The part of an [`Ec`] that belongs to the running fiber.
struct Saved {
    fp: Fp,
    pc: *const Insn,
    sp: *mut Value,
    stack: VmStack,
    native_limit: usize,
    native_base: usize,
    native_top: usize,
    errinfo: Value,
    /// The calls into C on the native stack.
    jumps: *mut std::ffi::c_void,
    is_in_c: bool,
    /// `Ec::thread_home` and what is kept for it.
    home: Fp,
    specials: [Value; 2],
    recursion: crate::value::recursion::Visits,
}

impl Saved {
    fn empty() -> Saved {
        Saved {
            fp: Fp::NULL,
            pc: std::ptr::null(),
            sp: std::ptr::null_mut(),
            stack: VmStack::none(),
            native_limit: 0,
            native_base: 0,
            native_top: 0,
            errinfo: Value::NIL,
            jumps: std::ptr::null_mut(),
            is_in_c: false,
            home: Fp::NULL,
            specials: [Value::NIL; 2],
            recursion: crate::value::recursion::Visits::default(),
        }
    }

    /// Stores the running fiber's state.
    fn store(&mut self, ec: &mut Ec) {
        (self.fp, self.pc, self.sp, self.stack) = (ec.fp, ec.pc, ec.sp, ec.stack);
        (self.native_limit, self.native_base, self.native_top) = (ec.native_limit, ec.native_base, ec.native_top);
        self.errinfo = ec.errinfo;
        (self.jumps, self.is_in_c) = (ec.foreign.jumps, ec.set_in_c(false));
        (self.home, self.specials) = (ec.thread_home, [ec.thread_specials[0].get(), ec.thread_specials[1].get()]);
        self.exchange_visits(ec);
    }

    /// Makes the state the running fiber's.
    fn load(&mut self, ec: &mut Ec) {
        (ec.fp, ec.pc, ec.sp) = (self.fp, self.pc, self.sp);
        ec.stack = std::mem::replace(&mut self.stack, VmStack::none());
        (ec.native_limit, ec.native_base, ec.native_top) = (self.native_limit, self.native_base, self.native_top);
        ec.errinfo = std::mem::replace(&mut self.errinfo, Value::NIL);
        ec.foreign.jumps = std::mem::replace(&mut self.jumps, std::ptr::null_mut());
        ec.set_in_c(self.is_in_c);
        ec.thread_home = self.home;
        let specials = std::mem::replace(&mut self.specials, [Value::NIL; 2]);
        ec.thread_specials.iter().zip(specials).for_each(|(place, value)| place.set(value));
        self.exchange_visits(ec);
    }

    /// Hardly any fiber rests in the middle of an `inspect`.
    #[inline]
    fn exchange_visits(&mut self, ec: &mut Ec) {
        if !self.recursion.is_empty() || !ec.recursion.is_empty() {
            std::mem::swap(&mut self.recursion, &mut ec.recursion);
        }
    }
}

/// What a fiber that goes on finds.
#[derive(Clone, Copy)]
pub(crate) enum Passed {
    Value(Value),
    /// An exception to raise there.
    Raise(Value),
    /// What unwound out of another fiber.
    Unwind(Value),
}

impl Passed {
    pub(crate) fn value(self) -> Value {
        let (Passed::Value(value) | Passed::Raise(value) | Passed::Unwind(value)) = self;
        value
    }
}

impl NativeData for Fiber {
    const NAME: &'static str = "fiber";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        for value in [
            self.body,
            self.keywords,
            self.thread,
            self.resumer,
            self.resuming,
            self.storage,
            self.locals,
            self.saved.errinfo,
            self.saved.specials[0],
            self.saved.specials[1],
        ] {
            mark(value);
        }
        self.saved.recursion.values().for_each(mark);
    }

    fn memsize(&self) -> usize {
        size_of::<Self>() + self.coroutine.as_ref().map_or(0, |_| FIBER_BYTES)
    }
}

/// The VM stack of a fiber that does not run, as address and length, and where its native one begins.
pub(crate) fn stacks_of(ec: &Ec, object: Value) -> Option<((usize, usize), usize)> {
    let fiber = Data::<Fiber>::from_value(object)?;
    let saved = &fiber.get(ec).saved;
    Some((saved.stack.range(), saved.native_base))
}

impl Fiber {
    fn new(thread: Value, is_root: bool) -> Fiber {
        Fiber {
            status: if is_root { FiberStatus::Resumed } else { FiberStatus::Created },
            body: Value::NIL,
            keywords: Value::NIL,
            thread,
            resumer: Value::NIL,
            resuming: Value::NIL,
            storage: Value::NIL,
            locals: Value::NIL,
            is_root,
            is_first: false,
            is_yielding: false,
            is_blocking: is_root,
            is_killed: false,
            is_in_trap: false,
            saved: Saved::empty(),
            coroutine: None,
            yielder: std::ptr::null(),
            #[cfg(debug_assertions)]
            rested_at: 0,
        }
    }

    pub fn status(&self) -> FiberStatus {
        self.status
    }

    /// The thread whose root fiber it is has ended.
    pub(crate) fn end_with_thread(&mut self) {
        self.status = FiberStatus::Terminated;
    }

    pub fn is_alive(&self) -> bool {
        self.status != FiberStatus::Terminated
    }

    pub fn is_blocking(&self) -> bool {
        self.is_blocking
    }

    pub fn is_initialized(&self) -> bool {
        self.is_root || !self.body.is_nil()
    }

    pub(crate) fn thread(&self) -> Value {
        self.thread
    }

    pub fn body(&self) -> Value {
        self.body
    }

    pub fn storage(&self) -> Value {
        self.storage
    }

    pub fn locals(&self) -> Value {
        self.locals
    }

    /// Takes the stacks of a fiber that has ended, or that nobody can resume any more.
    pub(crate) fn reclaim(&mut self, ec: &Ec) {
        self.saved = Saved::empty();
        let Some(mut coroutine) = self.coroutine.take() else { return };
        // SAFETY: nothing runs on this stack again. Whatever lies on it and owns memory of the Rust heap leaks; objects of
        // the Ruby heap have no destructors.
        unsafe { coroutine.force_reset() };
        ec.heap().account(-ACCOUNTED_BYTES);
        ec.ractor().spare_stacks.borrow_mut().give_fiber(coroutine.into_stack());
    }

    /// Marks the code of a resting fiber's frames. The running one's stand in its `Ec`, which leaves these bounds empty.
    pub(crate) fn trace_frames(&self, marker: &mut impl gc::Sink) {
        if !self.saved.stack.is_none() {
            // SAFETY: the fiber rests, so its frames stay as they are.
            unsafe { gc::mark_frames(self.saved.fp, marker) };
        }
    }

    /// Whether it went to rest after the collection before the last one. Later, a word that an earlier frame, or an earlier fiber, left
    /// on its stacks may name the place of an object that came meanwhile, for which no barrier ran.
    #[cfg(debug_assertions)]
    pub(crate) fn rests_since_last_collection(&self, ec: &Ec) -> bool {
        self.rested_at + 1 == ec.heap().collections()
    }

    #[cfg(not(debug_assertions))]
    pub(crate) fn rests_since_last_collection(&self, _: &Ec) -> bool {
        false
    }

    /// The words on a resting fiber's stacks, and where it goes on.
    pub(crate) fn trace_words(&self, marker: &mut impl gc::Sink) {
        let saved = &self.saved;
        if saved.stack.is_none() {
            return;
        }
        marker.mark_conservative(saved.pc.addr() as u64);
        // SAFETY: the fiber rests, so the VM stack up to `sp` and the native stack between the two addresses stay as they are.
        unsafe {
            let first = saved.stack.first().sub(frame::HEADER);
            gc::mark_words(first.cast(), (saved.sp.addr() - first.addr()) / 8, marker);
            if saved.native_top != 0 && saved.native_base > saved.native_top {
                let start = saved.native_top & !7;
                gc::mark_words(std::ptr::with_exposed_provenance(start), (saved.native_base - start) / 8, marker);
            }
        }
    }
}

fn optional(value: Value) -> Option<Data<Fiber>> {
    Data::from_value(value)
}

/// Allocator of `Fiber`.
pub fn allocate(ec: &mut Ec, class: Class) -> Result {
    let thread = ec.thread;
    Ok(Data::new(ec, class, Fiber::new(thread, false)).value())
}

impl Ec {
    /// The running fiber's object, made on first demand for a root fiber.
    pub fn current_fiber(&mut self) -> Data<Fiber> {
        if let Some(fiber) = optional(self.fiber) {
            return fiber;
        }
        let fiber = Data::new(self, self.vm().known().fiber, Fiber::new(self.thread, true));
        self.fiber = fiber.value();
        self.root_fiber = fiber.value();
        fiber
    }

    /// The running fiber handles a signal. Until it has done so it handles no other, and takes no Mutex: whom it interrupted
    /// may hold it.
    pub fn is_in_trap(&self) -> bool {
        optional(self.fiber).is_some_and(|fiber| fiber.get(self).is_in_trap)
    }

    /// Handles a signal.
    pub fn in_trap<R>(&mut self, handle: impl FnOnce(&mut Ec) -> R) -> R {
        let fiber = self.current_fiber();
        let was_in_trap = std::mem::replace(&mut fiber.get_mut(self).is_in_trap, true);
        let result = handle(self);
        fiber.get_mut(self).is_in_trap = was_in_trap;
        result
    }

    fn fiber_error(&mut self, message: &str) -> Unwind {
        self.error(self.vm().known().fiber_error, message)
    }

    // ---- operations ----

    /// `Fiber.yield`
    #[inline]
    pub fn fiber_yield(&mut self, args: Rest) -> Result {
        let current = self.current_fiber();
        let Some(resumer) = optional(current.get(self).resumer) else {
            return Err(self.fiber_error("attempt to yield on a not resumed fiber"));
        };
        let state = current.get_mut(self);
        state.resumer = Value::NIL;
        state.is_yielding = true;
        resumer.get_mut(self).resuming = Value::NIL;
        let passed = Passed::Value(one_of(self, args));
        self.switch(current, resumer, passed)
    }

    fn receive(&mut self, passed: Passed) -> Result {
        match passed {
            Passed::Value(value) => Ok(value),
            Passed::Raise(exception) => Err(self.raise(exception)),
            Passed::Unwind(pending) => Err(self.unwind(pending)),
        }
    }

    // ---- switching ----

    /// Lets `to` run until something switches back to `from`, the running fiber.
    ///
    /// What runs between here and the interpreter is inlined: a processor predicts returns by the calls that came before, and
    /// after a switch those were another fiber's.
    #[inline(never)]
    fn switch(&mut self, from: Data<Fiber>, to: Data<Fiber>, passed: Passed) -> Result {
        if to.get(self).status == FiberStatus::Created
            && let Err(error) = prepare(self, to)
        {
            to.get_mut(self).resumer = Value::NIL;
            return Err(self.fiber_error(&format!("can't set up a stack: {error}")));
        }
        self.passed = passed;
        if from.get(self).status == FiberStatus::Resumed && from.get(self).resuming.is_nil() {
            from.get_mut(self).status = FiberStatus::Suspended;
        }
        // Whoever lets this fiber go on holds it, and `to` runs: only what the callers have needs to be found here.
        let mut registers = gc::Registers::new();
        self.native_top = registers.spill();
        leave(self, from);
        if from.get(self).is_root {
            run_others(self, from, to);
        } else {
            let yielder = from.get(self).yielder;
            // SAFETY: the yielder lies at the base of this fiber's native stack, on which we run.
            unsafe { (*yielder).suspend(to) };
        }
        enter(self, from);
        registers.keep();
        let passed = std::mem::replace(&mut self.passed, Passed::Value(Value::NIL));
        if self.trace_mask() & (event::FIBER_SWITCH | event::RAISE) != 0 {
            return self.receive_traced(passed);
        }
        self.receive(passed)
    }

    /// Reports the switch to the running fiber, then receives what it was given: an exception of another one is raised anew.
    #[cold]
    fn receive_traced(&mut self, passed: Passed) -> Result {
        self.report_event(event::FIBER_SWITCH, Value::NIL)?;
        if let Passed::Unwind(pending) = passed
            && self.is_a(pending, self.vm().known().exception)
        {
            self.report_event(event::RAISE, pending)?;
        }
        let result = self.receive(passed);
        // What was passed stayed on the stack while the hook ran.
        std::hint::black_box(passed.value());
        result
    }
}

impl Data<Fiber> {
    pub fn initialize(self, ec: &mut Ec, body: Proc, is_blocking: bool, storage: Value) {
        let is_in_trap = ec.is_in_trap();
        let state = self.get_mut(ec);
        (state.body, state.is_blocking, state.storage, state.is_in_trap) =
            (body.value(), is_blocking, storage, is_in_trap);
        ec.wrote(self.value());
    }

    pub fn set_storage(self, ec: &mut Ec, storage: Value) {
        self.get_mut(ec).storage = storage;
        ec.wrote(self.value());
    }

    /// The running fiber becomes the thread's first one, as it does in a forked child: nobody waits for it any more.
    pub fn become_first(self, ec: &mut Ec) {
        self.set_blocking(ec, true);
        if self.get(ec).is_root {
            return;
        }
        // The root goes on running the others; where one ends that nobody resumed, this one is next.
        let root = optional(ec.root_fiber).expect("the root fiber has an object while another runs");
        root.get_mut(ec).resuming = self.value();
        ec.wrote(root.value());
        let state = self.get_mut(ec);
        (state.resumer, state.is_first) = (Value::NIL, true);
    }

    pub fn set_blocking(self, ec: &mut Ec, is_blocking: bool) {
        self.get_mut(ec).is_blocking = is_blocking;
    }

    /// The fiber's local variables, made on first demand.
    pub fn locals(self, ec: &mut Ec) -> Hash {
        if let Some(locals) = Hash::from_value(self.get(ec).locals) {
            return locals;
        }
        let locals = Hash::new(ec);
        self.get_mut(ec).locals = locals.value();
        ec.wrote(self.value());
        locals
    }

    pub fn check_initialized(self, ec: &mut Ec) -> Result<()> {
        if self.get(ec).is_initialized() { Ok(()) } else { Err(ec.fiber_error("uninitialized fiber")) }
    }

    /// `Fiber#resume`
    #[inline]
    pub fn resume(self, ec: &mut Ec, args: Rest, keywords: Option<Hash>) -> Result {
        self.check_resumable(ec)?;
        let passed = self.pass(ec, args, keywords);
        self.resume_with(ec, passed)
    }

    fn check_resumable(self, ec: &mut Ec) -> Result<()> {
        self.check_initialized(ec)?;
        let current = ec.current_fiber();
        let state = self.get(ec);
        let message = if state.status == FiberStatus::Terminated {
            "attempt to resume a terminated fiber"
        } else if self.value() == current.value() {
            "attempt to resume the current fiber"
        } else if !state.resumer.is_nil() {
            "attempt to resume a resumed fiber (double resume)"
        } else if !state.resuming.is_nil() {
            "attempt to resume a resuming fiber"
        } else if state.is_root || state.is_first {
            "attempt to resume a resumed fiber (double resume)"
        } else if !state.is_yielding && state.status != FiberStatus::Created {
            "attempt to resume a transferring fiber"
        } else {
            return self.check_thread(ec);
        };
        Err(ec.fiber_error(message))
    }

    fn check_thread(self, ec: &mut Ec) -> Result<()> {
        if self.get(ec).thread == ec.thread { Ok(()) } else { Err(ec.fiber_error("fiber called across threads")) }
    }

    #[inline(always)]
    fn resume_with(self, ec: &mut Ec, passed: Passed) -> Result {
        let current = ec.current_fiber();
        current.get_mut(ec).resuming = self.value();
        self.get_mut(ec).resumer = current.value();
        let result = ec.switch(current, self, passed);
        current.get_mut(ec).resuming = Value::NIL;
        result
    }

    /// `Fiber#transfer`
    #[inline]
    pub fn transfer(self, ec: &mut Ec, args: Rest, keywords: Option<Hash>) -> Result {
        self.check_transferable(ec)?;
        let passed = self.pass(ec, args, keywords);
        self.transfer_with(ec, passed)
    }

    fn check_transferable(self, ec: &mut Ec) -> Result<()> {
        self.check_initialized(ec)?;
        let state = self.get(ec);
        let message = if !state.resuming.is_nil() {
            "attempt to transfer to a resuming fiber"
        } else if state.is_yielding {
            "attempt to transfer to a yielding fiber"
        } else if state.status == FiberStatus::Terminated {
            "dead fiber called"
        } else {
            return self.check_thread(ec);
        };
        Err(ec.fiber_error(message))
    }

    #[inline(always)]
    fn transfer_with(self, ec: &mut Ec, passed: Passed) -> Result {
        let current = ec.current_fiber();
        if current.value() == self.value() {
            return ec.receive(passed);
        }
        ec.switch(current, self, passed)
    }

    /// `Fiber#raise` with an exception object.
    pub fn raise(self, ec: &mut Ec, exception: Value) -> Result {
        self.check_initialized(ec)?;
        if self.get(ec).status == FiberStatus::Created {
            return Err(ec.fiber_error("cannot raise exception on unborn fiber"));
        }
        self.interrupt(ec, Passed::Raise(exception))
    }

    /// Makes a resting fiber, or the one that it waits for, go on with something to unwind.
    fn interrupt(self, ec: &mut Ec, passed: Passed) -> Result {
        if self.value() == ec.current_fiber().value() {
            return ec.receive(passed);
        }
        if let Some(inner) = optional(self.get(ec).resuming) {
            return inner.interrupt(ec, passed);
        }
        if self.get(ec).status == FiberStatus::Suspended && !self.get(ec).is_yielding {
            self.check_transferable(ec)?;
            return self.transfer_with(ec, passed);
        }
        self.check_resumable(ec)?;
        self.resume_with(ec, passed)
    }

    /// The lines of a fiber's backtrace; none if it does not run or rest.
    pub fn locations(self, ec: &Ec) -> Vec<crate::run::backtrace::Location> {
        if self.value() == ec.fiber {
            return crate::run::backtrace::locations(ec, 0);
        }
        let state = self.get(ec);
        let is_resting =
            matches!(state.status, FiberStatus::Suspended | FiberStatus::Resumed) && !state.saved.stack.is_none();
        match is_resting {
            true => crate::run::backtrace::locations_from(ec, (state.saved.fp, state.saved.pc)),
            false => Vec::new(),
        }
    }

    /// `Fiber#kill`
    pub fn kill(self, ec: &mut Ec) -> Result<()> {
        self.check_initialized(ec)?;
        if self.get(ec).is_killed {
            return Ok(());
        }
        let status = self.get(ec).status;
        match status {
            FiberStatus::Terminated => return Ok(()),
            FiberStatus::Created => self.get_mut(ec).status = FiberStatus::Terminated,
            _ if self.value() == ec.current_fiber().value() => {
                self.get_mut(ec).is_killed = true;
                return Err(ec.throw_kill());
            }
            _ => {
                self.check_thread(ec)?;
                self.get_mut(ec).is_killed = true;
                let _ = ec.throw_kill();
                let passed = Passed::Unwind(ec.pending);
                self.interrupt(ec, passed)?;
            }
        }
        Ok(())
    }

    /// How arguments reach a fiber: as its block's, or as the value of the call in which it rests.
    fn pass(self, ec: &mut Ec, args: Rest, keywords: Option<Hash>) -> Passed {
        let is_first = self.get(ec).status == FiberStatus::Created;
        if is_first {
            self.get_mut(ec).keywords = keywords.map_or(Value::NIL, Hash::value);
            ec.wrote(self.value());
            return Passed::Value(args.to_array(ec).value());
        }
        let Some(keywords) = keywords else { return Passed::Value(one_of(ec, args)) };
        if args.is_empty() {
            return Passed::Value(keywords.value());
        }
        let args = args.to_array(ec);
        args.push(ec, keywords.value());
        Passed::Value(args.value())
    }
}

/// The value of `resume` or `yield` for its arguments: nothing is nil, several are an array.
fn one_of(ec: &Ec, args: Rest) -> Value {
    match args.len() {
        0 | 1 => args.get(0).unwrap_or(Value::NIL),
        _ => args.to_array(ec).value(),
    }
}

/// Stores the running fiber's state in its object.
#[inline(always)]
fn leave(ec: &mut Ec, from: Data<Fiber>) {
    let pointer: *mut Saved = &mut from.get_mut(ec).saved;
    // SAFETY: the object's contents are apart from the `Ec`, and nothing else borrows them.
    unsafe { (*pointer).store(ec) };
    ec.wrote(from.value());
    #[cfg(debug_assertions)]
    {
        from.get_mut(ec).rested_at = ec.heap().collections();
    }
}

/// Brings back the state of a fiber that runs on.
#[inline(always)]
fn enter(ec: &mut Ec, fiber: Data<Fiber>) {
    let pointer: *mut Saved = &mut fiber.get_mut(ec).saved;
    // SAFETY: as in `leave`.
    unsafe { (*pointer).load(ec) };
    ec.fiber = fiber.value();
    let state = fiber.get_mut(ec);
    state.is_yielding = false;
    state.status = FiberStatus::Resumed;
    ec.wrote(fiber.value());
    ec.stack_changed();
}

/// The root fiber's wait: runs one fiber after the other until somebody names the root.
#[inline(always)]
fn run_others(ec: &mut Ec, root: Data<Fiber>, first: Data<Fiber>) {
    let mut next = first;
    while next.value() != root.value() {
        let coroutine: *mut Native =
            next.get_mut(ec).coroutine.as_mut().expect("a fiber that rests or begins has a coroutine");
        // SAFETY: the coroutine stays in the fiber's contents, which do not move, until it has returned; the fiber's object is
        // alive because `next` stands on this stack.
        match unsafe { (*coroutine).resume(ec) } {
            CoroutineResult::Yield(to) => next = to,
            CoroutineResult::Return(to) => {
                let ended: *mut Fiber = next.get_mut(ec);
                // SAFETY: the object's contents are apart from the `Ec`, and nothing else borrows them.
                unsafe { (*ended).reclaim(ec) };
                next = to;
            }
        }
    }
}

/// Stacks for a new fiber, after a collection if the system has no more address space to give.
fn take_stacks(ec: &mut Ec) -> std::io::Result<FiberStacks> {
    let first = ec.ractor().spare_stacks.borrow_mut().take_fiber();
    first.or_else(|_| {
        gc::collect(ec, carat_heap::Collection::Full);
        ec.ractor().spare_stacks.borrow_mut().take_fiber()
    })
}

/// Gives a fiber its stacks.
fn prepare(ec: &mut Ec, fiber: Data<Fiber>) -> std::io::Result<()> {
    let stacks = take_stacks(ec)?;
    ec.heap().account(ACCOUNTED_BYTES);
    let (vm, base) = (stacks.vm(), stacks.base().get());
    let coroutine = Native::with_stack(stacks, move |yielder, ec: Input| {
        // SAFETY: `run_others` passes the thread's context, which nobody else uses until this fiber suspends.
        run_body(unsafe { &mut *ec }, fiber, yielder)
    });
    let state = fiber.get_mut(ec);
    state.coroutine = Some(coroutine);
    state.saved.stack = vm;
    // The native bounds are set now so that a collection sees nothing before the fiber begins.
    (state.saved.native_base, state.saved.native_top) = (base, 0);
    state.saved.sp = state.saved.stack.first();
    Ok(())
}

/// A fiber's life on its own stacks; who runs next.
fn run_body(ec: &mut Ec, fiber: Data<Fiber>, yielder: &Yielder<Input, Next>) -> Next {
    fiber.get_mut(ec).yielder = yielder;
    enter(ec, fiber);
    let base = ec.native_base;
    ec.set_native_stack(base, FIBER_NATIVE_BYTES);
    ec.push_base_frame();
    let passed = std::mem::replace(&mut ec.passed, Passed::Value(Value::NIL));
    let is_traced = ec.trace_mask() & event::FIBER_SWITCH != 0;
    let received = if is_traced { ec.receive_traced(passed) } else { ec.receive(passed) };
    let result = received.and_then(|args| call_body(ec, fiber, args));
    finish(ec, fiber, result)
}

fn call_body(ec: &mut Ec, fiber: Data<Fiber>, args: Value) -> Result {
    let body = Proc::expect(fiber.get(ec).body);
    let args = Array::expect(args);
    let keywords = Hash::from_value(std::mem::replace(&mut fiber.get_mut(ec).keywords, Value::NIL));
    // SAFETY: the environment of a proc is on the heap and lives as long as the proc, which runs as long as the fiber.
    ec.thread_home = if body.env().is_null() { Fp::NULL } else { unsafe { body.env().method_env() } };
    ec.call_proc_with_array(body, args, keywords)
}

/// Ends a fiber: what it leaves goes to whoever resumed it, or to the fiber that the root waits for, however indirectly.
fn finish(ec: &mut Ec, fiber: Data<Fiber>, result: Result) -> Next {
    if fiber.get(ec).is_first
        && let Some(end_program) = ec.vm().hooks().end_program
    {
        end_program(ec, result);
        unreachable!("a program that has ended runs no further fiber");
    }
    ec.passed = match result {
        Ok(value) => Passed::Value(value),
        Err(_) if fiber.get(ec).is_killed && ec.is_killed() => Passed::Value(Value::NIL),
        Err(_) => Passed::Unwind(ec.pending),
    };
    ec.pending = Value::NIL;
    let state = fiber.get_mut(ec);
    state.status = FiberStatus::Terminated;
    let resumer = optional(std::mem::replace(&mut state.resumer, Value::NIL));
    let to = match resumer {
        Some(resumer) => {
            resumer.get_mut(ec).resuming = Value::NIL;
            resumer
        }
        None => innermost_resumed(ec),
    };
    leave(ec, fiber);
    to
}

/// The end of the chain of fibers that wait for one another, from the root on.
fn innermost_resumed(ec: &Ec) -> Data<Fiber> {
    let mut fiber = optional(ec.root_fiber).expect("the root fiber has an object by the time that another ends");
    while let Some(inner) = optional(fiber.get(ec).resuming) {
        fiber = inner;
    }
    fiber
}
