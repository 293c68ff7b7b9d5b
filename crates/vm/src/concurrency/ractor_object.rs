//! The life of a Ractor other than the main one: made by its creator, run by a native thread, ended by itself.
//!
//! # Ending
//! When the block is over, the other threads of the Ractor are ended, what it ended with is stored in its object, and the
//! monitoring ports are told. What is left is the heap: objects in it may have been handed over, or be shareable. The next
//! Ractor goes on in it, or the next collection gives it to the main one.

use crate::Array;
use crate::boot::{new_context, register_context, unregister_context};
use crate::concurrency::port::Port;
use crate::concurrency::ractor::{Ractor, RactorEntry, RactorShared};
use crate::concurrency::thread::{self, Start, Thread};
use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::run::proc::Proc;
use crate::value::data::{Data, NativeData};
use crate::value::hash::Hash;
use carat_layout::Value;
use carat_sync::{Mutex, MutexGuard, PoisonError};
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

/// How a Ractor ended.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Outcome {
    Exited,
    /// An exception ended it.
    Aborted,
}

/// Contents of a `Ractor` object. Shareable: only what is behind the lock changes once it runs.
pub struct RactorObject {
    /// As `inspect` shows it: the main one is 1.
    pub number: u32,
    pub name: Value,
    /// `file:line` of `Ractor.new`, or nil.
    pub place: Value,
    /// Port that `Ractor#send` goes to.
    pub port: Value,
    ending: Mutex<Ending>,
}

struct Ending {
    outcome: Option<Outcome>,
    /// The block while it has not begun, then its value, or the exception.
    value: Value,
    args: Value,
    monitors: Vec<Value>,
    /// Number of the Ractor that may take the value.
    successor: Option<u32>,
}

impl NativeData for RactorObject {
    const NAME: &'static str = "ractor";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        let ending = self.ending();
        [self.name, self.place, self.port, ending.value, ending.args].into_iter().for_each(&mut *mark);
        ending.monitors.iter().for_each(|v| mark(*v));
    }
}

impl RactorObject {
    fn ending(&self) -> MutexGuard<'_, Ending> {
        self.ending.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// `None` while it lives.
    pub fn outcome(&self) -> Option<Outcome> {
        self.ending().outcome
    }

    /// What it ended with: the block's value, or the exception. `None` if another Ractor has a claim on it.
    pub fn take_value(&self, successor: u32) -> Option<Value> {
        let mut ending = self.ending();
        (*ending.successor.get_or_insert(successor) == successor).then_some(ending.value)
    }

    /// Enters a port to be told of the end; the outcome instead, if the Ractor has ended.
    pub fn monitor(&self, port: Value) -> Option<Outcome> {
        let mut ending = self.ending();
        if ending.outcome.is_none() {
            ending.monitors.push(port);
        }
        ending.outcome
    }

    /// What waits for a Ractor that runs in a forked child's parent only would wait for ever: it has ended, with nil.
    pub(crate) fn end_in_child(&self) {
        let mut ending = self.ending();
        if ending.outcome.is_none() {
            (ending.outcome, ending.value) = (Some(Outcome::Exited), Value::NIL);
        }
        ending.monitors.clear();
    }

    pub fn unmonitor(&self, port: Value) {
        self.ending().monitors.retain(|p| *p != port);
    }
}

impl Outcome {
    /// What monitoring ports receive.
    pub fn message(self, ec: &Ec) -> Value {
        Value::symbol(ec.vm().intern(if self == Outcome::Exited { "exited" } else { "aborted" }))
    }
}

impl Ec {
    /// The number of the running Ractor, as `inspect` shows it.
    pub fn ractor_number(&self) -> u32 {
        self.ractor().id + 1
    }

    /// `Ractor.current`
    pub fn ractor_object(&mut self) -> Data<RactorObject> {
        if self.is_main_ractor() {
            return self.main_ractor_object();
        }
        Data::from_value(self.ractor().object.get()).expect("a Ractor other than the main one begins with its object")
    }

    /// `Ractor.main`
    pub fn main_ractor_object(&mut self) -> Data<RactorObject> {
        if let Some(object) = Data::from_value(self.vm().main_ractor_value()) {
            return object;
        }
        // Only the main Ractor gets here: another one begins after its creator asked for this.
        let object = self.new_ractor_object(self.vm().known().ractor, 1, Value::NIL, Value::NIL);
        self.vm().set_main_ractor_value(object.value());
        object
    }

    fn new_ractor_object(&mut self, class: Class, number: u32, name: Value, place: Value) -> Data<RactorObject> {
        let ending =
            Ending { outcome: None, value: Value::NIL, args: Value::NIL, monitors: Vec::new(), successor: None };
        let contents = RactorObject { number, name, place, port: Value::NIL, ending: Mutex::new(ending) };
        let object = Data::new(self, class, contents);
        let port = self.new_port_of(self.vm().known().ractor_port, object.value());
        object.get_mut(self).port = port.value();
        self.wrote(object.value());
        self.share(object.value());
        object
    }

    /// Starts a Ractor that calls `body`, a block that reaches no outer variables, with arguments that belong to it.
    pub fn start_ractor(
        &mut self,
        class: Class,
        name: Value,
        place: Value,
        body: Proc,
        args: Array,
    ) -> Result<Data<RactorObject>> {
        self.main_ractor_object();
        let id = self.vm().next_ractor_id();
        let object = self.new_ractor_object(class, id + 1, name, place);
        let ending = object.get(self);
        (ending.ending().value, ending.ending().args) = (body.value(), args.value());
        self.wrote(object.value());
        let context = match self.new_ractor_context(id, object) {
            Ok(context) => context,
            Err(error) => return Err(self.no_thread(&error)),
        };
        if let Err((context, error)) = self.vm().workers.begin(context, run) {
            thread::never_began(self, context);
            self.vm().ractors().iter_mut().filter(|m| m.shared.id == id).for_each(|m| m.has_ended = true);
            self.vm().living_ractors.fetch_sub(1, Ordering::AcqRel);
            return Err(self.no_thread(&error));
        }
        Ok(object)
    }

    /// A Ractor in the VM's list, with the context of its first thread.
    fn new_ractor_context(&mut self, id: u32, object: Data<RactorObject>) -> std::io::Result<Start> {
        let ractor = match self.vm().take_ended() {
            Some(ended) => Ractor::succeeding(id, &self.vm().config, ended),
            None => Ractor::new(id, &self.vm().config),
        };
        let ractor = Box::into_raw(Box::new(ractor));
        // SAFETY: the Ractor was just made; it is freed when it has ended.
        let data = unsafe { &*ractor };
        let mut context = match new_context(self.vm(), ractor) {
            Ok(context) => context,
            Err(error) => {
                // It may go on in the heap of an ended one, to whose objects others refer.
                self.vm().ractors().push(RactorEntry { shared: data.shared.clone(), pointer: ractor, has_ended: true });
                return Err(error);
            }
        };
        data.object.set(object.value());
        data.heap.set_shared(true);
        data.join_recording(self);
        self.heap().set_shared(true);
        context.learn_known_shapes();
        let thread = Data::new(self, self.vm().known().thread, Thread::begun_by(&mut context));
        context.thread = thread.value();
        data.set_main_thread(thread.value());
        register_context(&mut context);
        self.vm().ractors().push(RactorEntry { shared: data.shared.clone(), pointer: ractor, has_ended: false });
        self.vm().is_multi_ractor.store(true, Ordering::Release);
        self.vm().living_ractors.fetch_add(1, Ordering::AcqRel);
        Ok(Start(context))
    }

    /// `Ractor.current`'s own variables.
    pub fn ractor_locals(&mut self) -> Hash {
        if let Some(locals) = Hash::from_value(self.ractor().locals.get()) {
            return locals;
        }
        let locals = Hash::new(self);
        self.ractor().locals.set(locals.value());
        locals
    }

    /// The procs that `&:name` made of symbols.
    pub(crate) fn symbol_procs(&mut self) -> Hash {
        if let Some(procs) = Hash::from_value(self.ractor().symbol_procs.get()) {
            return procs;
        }
        let procs = Hash::new(self);
        self.ractor().symbol_procs.set(procs.value());
        procs
    }

    /// Number of Ractors that have not ended.
    pub fn living_ractors(&self) -> usize {
        self.vm().living_ractors.load(Ordering::Acquire) as usize
    }

    fn has_other_members(&self) -> bool {
        self.vm().ractors().iter().skip(1).any(|m| !m.has_ended)
    }

    /// Kills every other Ractor, those that begin meanwhile too, and waits until they have put away what they have. With a limit
    /// one that cannot be reached is left behind.
    pub fn terminate_ractors(&mut self, limit: Option<Duration>) {
        const ROUND: Duration = Duration::from_millis(100);
        if self.has_other_members() {
            self.note_owners();
        }
        let deadline = limit.map(|limit| Instant::now() + limit);
        while self.has_other_members() && deadline.is_none_or(|d| Instant::now() < d) {
            let world = self.stop_world();
            world.ractors(self).into_iter().filter(|r| !r.is_main()).for_each(|r| self.kill_threads_of(r));
            drop(world);
            let round = Instant::now() + ROUND;
            while self.has_other_members() && Instant::now() < round {
                self.without_turn(|| std::thread::sleep(Duration::from_micros(200)));
                // They may ask the main Ractor for something. What comes for this thread changes nothing any more.
                let _ = self.check_interrupts_blocking();
            }
        }
    }

    /// Raises `Ractor::IsolationError` with this message outside the main Ractor.
    pub fn only_in_main_ractor(&mut self, message: &str) -> Result<()> {
        if self.is_main_ractor() {
            return Ok(());
        }
        Err(self.error(self.vm().known().ractor_isolation_error, message))
    }

    fn kill_threads_of(&self, ractor: &Ractor) {
        for context in ractor.contexts.borrow().iter() {
            // SAFETY: contexts in the list are alive, and the world stands still.
            let thread = unsafe { (**context).thread };
            if let Some(thread) = Data::<Thread>::from_value(thread) {
                thread::post_kill(self, thread);
            }
        }
    }
}

/// The life of a Ractor's first thread.
fn run(start: Start) -> Arc<RactorShared> {
    let Start(mut ec) = start;
    let marker = 0usize;
    let base = std::ptr::from_ref(&marker).addr();
    let shared = ec.ractor().shared.clone();
    let vm = ec.vm();
    shared.acquire(crate::concurrency::ractor::PATIENCE);
    ec.set_native_stack(base, thread::STACK_BYTES);
    run_with_turn(&mut ec);
    drop(ec);
    // Whoever has the turn after this finds nobody here who touches the Ractor.
    vm.ractors().iter_mut().filter(|m| m.shared.id == shared.id).for_each(|m| m.has_ended = true);
    shared
}

#[inline(never)]
fn run_with_turn(ec: &mut Ec) {
    ec.current_fiber();
    let object = ec.ractor_object();
    let result = ec.deliver_interrupts(false).and_then(|()| call_body(ec, object));
    let result = result.map_err(|_| ec.pending);
    // What a trace point raises now ends the thread, but is not what the Ractor ended with.
    let told = ec.report_thread(crate::inspect::trace::event::THREAD_END).map_err(|_| ec.pending);
    ec.terminate_threads(None);
    let thread = ec.thread_data();
    thread::finish(ec, thread, told.and(result));
    ec.ractor().trace.end();
    ec.end_share(object);
    end(ec, object, result);
    unregister_context(ec);
}

fn call_body(ec: &mut Ec, object: Data<RactorObject>) -> Result {
    let (body, args) = {
        let mut ending = object.get(ec).ending();
        (std::mem::replace(&mut ending.value, Value::NIL), std::mem::replace(&mut ending.args, Value::NIL))
    };
    let body = Proc::expect(body).isolate(ec, object.value());
    ec.call_proc_with_array(body, Array::expect(args), None)
}

/// Stores what a Ractor ended with and tells whoever waits for that.
fn end(ec: &mut Ec, object: Data<RactorObject>, result: std::result::Result<Value, Value>) {
    let (outcome, value) = match result {
        Ok(value) => (Outcome::Exited, value),
        Err(error) if ec.is_a(error, ec.vm().known().exception) => (Outcome::Aborted, error),
        // Its thread was killed.
        Err(_) => (Outcome::Exited, Value::NIL),
    };
    let mut ending = object.get(ec).ending();
    (ending.outcome, ending.value) = (Some(outcome), value);
    let monitors = std::mem::take(&mut ending.monitors);
    drop(ending);
    ec.wrote(object.value());
    ec.vm().living_ractors.fetch_sub(1, Ordering::AcqRel);
    let message = outcome.message(ec);
    for port in monitors {
        if let Some(port) = Data::<Port>::from_value(port) {
            port.get(ec).put(message);
        }
    }
}
