//! Bringing a VM up: the first classes, whose classes are each other, and the main Ractor.

use crate::concurrency::ractor::{PollHandle, Ractor, RactorEntry};
use crate::ec::Ec;
use crate::model::class::{Class, Visibility};
use crate::model::cref::Cref;
use crate::model::shape;
use crate::run::code::CodeData;
use crate::vm::{Config, Known, Vm};
use carat_layout::{HeapType, Value};

/// A VM with its main Ractor's first context. Dropping it frees everything.
pub struct MainVm {
    ec: Option<Box<Ec>>,
    ractor: *mut Ractor,
    vm: *mut Vm,
}

impl MainVm {
    /// A VM with its core classes, but no methods: `builtins` adds those.
    pub fn new(config: Config) -> MainVm {
        carat_heap::reserve::enter();
        let vm_ptr = Box::into_raw(Box::new(Vm::new(config)));
        // SAFETY: freed only by `drop`, after every context.
        let vm: &'static Vm = unsafe { &*vm_ptr };
        let ractor = Box::into_raw(Box::new(Ractor::new(0, &vm.config)));
        // SAFETY: as above.
        let ractor_ref = unsafe { &*ractor };
        vm.ractors().push(RactorEntry { shared: ractor_ref.shared.clone(), pointer: ractor, has_ended: false });
        ractor_ref.shared.acquire(crate::concurrency::ractor::PATIENCE);
        let mut ec = new_context(vm, ractor).expect("the system gives address space for one stack");
        boot_classes(&mut ec);
        register_context(&mut ec);
        MainVm { ec: Some(ec), ractor, vm: vm_ptr }
    }

    pub fn ec(&mut self) -> &mut Ec {
        self.ec.as_mut().expect("a live VM has a context")
    }

    /// Ends the threads and leaves the memory to the system, for a process that is about to exit.
    pub fn abandon(mut self) {
        if let Some(mut ec) = self.ec.take() {
            ec.terminate_threads(Some(PARTING));
            std::mem::forget(ec);
        }
    }
}

/// How long a Vm that goes away waits for its threads.
const PARTING: std::time::Duration = std::time::Duration::from_secs(1);

impl Drop for MainVm {
    fn drop(&mut self) {
        let Some(mut ec) = self.ec.take() else { return };
        // No handler of a program runs any more, so nothing keeps its threads from ending.
        ec.vm().stop(crate::limits::Stop::Host);
        ec.terminate_ractors(Some(PARTING));
        ec.terminate_threads(Some(PARTING));
        let world = ec.stop_world();
        world.adopt_ended(&ec);
        if ec.vm().has_several_ractors() || ec.ractor().contexts.borrow().len() > 1 {
            // A thread is stuck in the system. It will never get a turn again, but it refers to all of this.
            std::mem::forget(world);
            std::mem::forget(ec);
            return;
        }
        crate::memory::gc::release_all(&mut ec);
        unregister_context(&mut ec);
        drop(ec);
        drop(world);
        // SAFETY: freed below.
        unsafe { (*self.vm).workers.close() };
        // SAFETY: both were leaked by `new`; no context refers to them any more.
        unsafe {
            drop(Box::from_raw(self.ractor));
            drop(Box::from_raw(self.vm));
        }
        carat_heap::reserve::leave();
    }
}

/// A context of a Ractor with a VM stack of its own. Its boundary code is the first object it makes.
pub(crate) fn new_context(vm: &'static Vm, ractor: *const Ractor) -> std::io::Result<Box<Ec>> {
    if vm.thread_count() >= vm.limits.most_threads() {
        return Err(std::io::Error::from_raw_os_error(libc::EAGAIN));
    }
    // SAFETY: the Ractor outlives its contexts. The caller has its turn, or nobody else knows it.
    let (heap, memory) = unsafe { (&raw const (*ractor).heap, (*ractor).spare_stacks.borrow_mut().take_thread()?) };
    let boundary = Box::new(CodeData::boundary());
    Ok(Ec::new(vm, ractor, heap, memory, boundary))
}

/// Ends a context that has left its Ractor, whose turn the caller has: its stack is for the next one.
pub(crate) fn end_context(ec: Box<Ec>) {
    // SAFETY: the Ractor outlives its contexts.
    let ractor = unsafe { &*ec.ractor };
    ractor.spare_stacks.borrow_mut().give_thread(ec.memory);
}

/// Makes a context known to the collector and to whoever interrupts.
pub(crate) fn register_context(ec: &mut Ec) {
    let pointer: *mut Ec = ec;
    ec.ractor().contexts.borrow_mut().push(pointer);
    ec.ractor().shared.pollers.lock().unwrap_or_else(|e| e.into_inner()).push(PollHandle(pointer));
    if ec.vm().limits.is_active() {
        ec.arm(0);
    }
    // Its Ractor may have begun to wait for a sample since the context was made: then no frame may stay unpublished.
    if ec.is_sampling() {
        crate::run::interp::refresh_table(ec);
    }
    let shared = ec.ractor().shared.clone();
    ec.heap().set_request_hook(Box::new(move || shared.arm_all(crate::ec::interrupt::COLLECT)));
}

pub(crate) fn unregister_context(ec: &mut Ec) {
    let pointer: *mut Ec = ec;
    ec.ractor().forget_context(pointer);
    ec.ractor().shared.pollers.lock().unwrap_or_else(|e| e.into_inner()).retain(|p| p.0 != pointer);
}

fn boot_classes(ec: &mut Ec) {
    let none = shape::ROOT_HIDDEN;
    let basic_object = Class::create(ec, HeapType::Class, None, none, 0, Value::NIL);
    let object = Class::create(ec, HeapType::Class, Some(basic_object), none, 0, Value::NIL);
    let module = Class::create(ec, HeapType::Class, Some(object), none, 0, Value::NIL);
    let class = Class::create(ec, HeapType::Class, Some(module), none, 0, Value::NIL);
    for first in [basic_object, object, module, class] {
        first.value().header().expect("a class is a heap object").set_shape(class.root_shape());
    }
    let known = Known::boot(ec, basic_object, object, module, class);
    bind_fixed_shapes(ec, &known);
    ec.vm().set_known(known);
    ec.learn_known_shapes();
    let known = ec.vm().known();
    for (_, c) in known.names() {
        if c.is_class() {
            ec.singleton_class_of(c.value());
        }
    }
    let meta = ec.singleton_class_of(known.class.value()).expect("made above").root_shape();
    for (_, c) in known.names() {
        if c.is_class() {
            let singleton = ec.singleton_class_of(c.value()).expect("made above");
            singleton.value().header().expect("a class is a heap object").set_shape(meta);
        }
    }
    known.object.include(ec, known.kernel);
    name_classes(ec);
    set_allocators(known);
    let main = ec.new_object(known.object);
    ec.vm().set_main_object(main);
}

/// Immediates take their shapes from fixed numbers.
fn bind_fixed_shapes(ec: &Ec, known: &Known) {
    let shapes = &ec.vm().shapes;
    let fixed = [
        (shape::ROOT_INTEGER, known.integer),
        (shape::ROOT_FLOAT, known.float),
        (shape::ROOT_SYMBOL, known.symbol),
        (shape::ROOT_NIL, known.nil_class),
        (shape::ROOT_TRUE, known.true_class),
        (shape::ROOT_FALSE, known.false_class),
        (shape::ROOT_HIDDEN, known.object),
        (shape::ROOT_MOVED, known.ractor_moved_object),
    ];
    for (root, class) in fixed {
        shapes.bind_root(root, class.value());
    }
}

fn name_classes(ec: &Ec) {
    let known = ec.vm().known();
    for (name, class) in known.names() {
        let mut scope = known.object;
        let mut parts = name.split("::").peekable();
        while let Some(part) = parts.next() {
            let symbol = ec.vm().intern(part);
            if parts.peek().is_none() {
                scope.set_constant(ec, symbol, class.value());
            } else {
                let outer = scope.own_constant(symbol).expect("outer classes come first");
                scope = Class::expect(outer.value);
            }
        }
    }
}

fn set_allocators(known: &Known) {
    known.basic_object.set_allocator(Some(|ec, class| Ok(ec.new_object(class))));
    known.array.set_allocator(Some(|ec, class| Ok(crate::Array::new_of(ec, class, 0).value())));
    known.hash.set_allocator(Some(|ec, class| Ok(crate::Hash::new_of(ec, class).value())));
    known.string.set_allocator(Some(|ec, class| {
        Ok(crate::Str::new_of(
            ec,
            class,
            b"",
            crate::value::string::EncodingIndex::ASCII_8BIT,
            crate::value::string::CodeRange::SevenBit,
        )
        .value())
    }));
    known.class.set_allocator(Some(|ec, _| {
        ec.reserve_for_module()?;
        let root = ec.vm().known().class.root_shape();
        Ok(Class::create(ec, HeapType::Class, None, root, 0, Value::NIL).value())
    }));
    known.module.set_allocator(Some(|ec, class| {
        ec.reserve_for_module()?;
        Ok(Class::create(ec, HeapType::Module, None, class.root_shape(), 0, Value::NIL).value())
    }));
    let without = [
        known.integer,
        known.float,
        known.symbol,
        known.nil_class,
        known.true_class,
        known.false_class,
        known.proc,
        known.method,
        known.unbound_method,
        known.rational,
        known.complex,
        known.binding,
        known.refinement,
        known.encoding,
        known.match_data,
    ];
    without.into_iter().for_each(|c| c.set_allocator(None));
}

/// Makes one of the known classes or modules.
pub(crate) fn make_known(ec: &Ec, superclass: Option<Class>, module: Class, class: Class) -> Class {
    match superclass {
        Some(_) => Class::create(ec, HeapType::Class, superclass, class.root_shape(), 0, Value::NIL),
        None => Class::create(ec, HeapType::Module, None, module.root_shape(), 0, Value::NIL),
    }
}

impl Ec {
    /// The scope of scripts.
    pub fn toplevel_cref(&self) -> Value {
        Cref::create(self, self.vm().known().object, Value::NIL, false)
    }

    /// Runs a script's iseq as `main`.
    pub fn run_script(&mut self, iseq: impl Into<carat_iseq::IseqRef>) -> crate::Result {
        let linked = crate::run::link::LinkedIseq::new(iseq);
        let cref = self.toplevel_cref();
        let code = CodeData::new(self, linked, Value::NIL, cref, None);
        code.default_visibility.set(if code.is_core { Visibility::Public } else { Visibility::Private });
        let main = self.vm().main_object();
        self.run_toplevel(code, main, crate::run::frame::Fp::NULL)
    }
}
