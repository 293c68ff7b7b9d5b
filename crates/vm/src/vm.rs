//! A virtual machine: what all its Ractors share.
//!
//! A `Vm` is explicit; a process can hold several and they never meet. Everything here is read without a lock, or behind one
//! that only writers and slow paths take.

use crate::concurrency::ractor::RactorEntry;
use crate::concurrency::requests::Request;
use crate::ec::Ec;
use crate::model::autoload::AutoloadRun;
use crate::model::class::Class;
use crate::model::epochs::{EPOCHS, MethodEpochs};
use crate::model::shape::ShapeTable;
use crate::model::symbol::sym;
use crate::model::symbol::{EncodingIndex, SymbolName, SymbolTable};
use crate::run::native::PrimitiveTable;
use crate::value::hash::keyed::BytesHash;
use carat_heap::Liveness;
use carat_layout::{SymbolId, Value, flags};
use carat_sync::{Mutex, MutexGuard, OnceLock, RwLock};
use rustc_hash::{FxBuildHasher, FxHashMap, FxHashSet};
use std::any::{Any, TypeId};
use std::collections::VecDeque;
use std::hash::BuildHasher;
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Methods of all objects that instructions ask for without a call.
const EVERYWHERE: [SymbolId; 2] = [sym::NOT, sym::NIL_P];

/// All classes and modules.
#[derive(Default)]
pub(crate) struct Classes {
    pub(crate) all: Vec<Value>,
    /// Refinements among them.
    pub(crate) refinements: Vec<Value>,
    /// So many of them, at the beginning, are old.
    old: usize,
}

/// What an assignment to a special global variable does.
pub type GlobalSetter = fn(&mut Ec, SymbolId, Value) -> crate::Result<()>;

/// Types of state that other crates keep: more than there are.
const MOST_EXTENSIONS: usize = 64;

/// Such states by type, in a table with open addresses that is read without a lock: places are only ever filled.
struct Extensions([OnceLock<(TypeId, Arc<dyn Any + Send + Sync>)>; MOST_EXTENSIONS]);

impl Extensions {
    fn get<T: Default + Send + Sync + 'static>(&self) -> &Arc<dyn Any + Send + Sync> {
        let key = TypeId::of::<T>();
        let first = FxBuildHasher.hash_one(key) as usize;
        let places = (0..MOST_EXTENSIONS).map(|i| &self.0[(first + i) % MOST_EXTENSIONS]);
        let mut states = places.map(|place| place.get_or_init(|| (key, Arc::new(T::default()))));
        let (_, state) = states.find(|(kind, _)| *kind == key).expect("fewer types than places");
        state
    }
}

pub struct Vm {
    symbols: SymbolTable,
    pub shapes: ShapeTable,
    known: OnceLock<Known>,
    method_epochs: MethodEpochs,
    constant_epochs: Box<[AtomicU32]>,
    /// Bumped with any of them, for paths of several names.
    pub(crate) any_constant_epoch: AtomicU32,
    /// How often a constant was looked up because its site did not know it, or not any more.
    pub(crate) constant_misses: AtomicU64,
    pub(crate) globals: RwLock<FxHashMap<SymbolId, Arc<GlobalVariable>>>,
    /// Counts the times that a name came to mean another global variable.
    pub(crate) global_epoch: AtomicU32,
    /// Variables that no name means any more: caches may still point at them.
    retired_globals: Mutex<Vec<Arc<GlobalVariable>>>,
    /// Operators of core classes that were redefined; the interpreter's fast paths are then off.
    pub(crate) redefined: AtomicU64,
    pub(crate) primitives: OnceLock<PrimitiveTable>,
    pub(crate) fstrings: crate::value::fstrings::FrozenStrings,
    /// Objects kept alive by the VM itself.
    pub(crate) permanent: Mutex<Vec<Value>>,
    /// State that other crates keep per VM, by type.
    extensions: Extensions,
    pub(crate) workers: Arc<crate::concurrency::workers::Workers>,
    /// All Ractors, the main one first.
    ractors: Mutex<Vec<RactorEntry>>,
    /// There is more than one Ractor, ended ones with a heap of their own included.
    pub(crate) is_multi_ractor: AtomicBool,
    /// Held by the thread that stops all Ractors: see [`crate::world`].
    pub(crate) world: Mutex<()>,
    /// Addresses of side blocks: see [`Vm::retire_block`].
    retired_blocks: Mutex<Vec<usize>>,
    requests: Mutex<VecDeque<Request>>,
    /// How many threads of the main Ractor do what others asked for.
    pub(crate) serving_requests: AtomicU32,
    main_ractor_object: AtomicU64,
    last_ractor: AtomicU32,
    /// Ractors whose outcome is open.
    pub(crate) living_ractors: AtomicU32,
    last_port: AtomicU64,
    /// Held while a class's fields or an object's singleton class are changed, once there are several Ractors.
    pub(crate) class_changes: Mutex<()>,
    /// Held while a singleton class that is an instance of itself comes into being.
    pub(crate) looping_classes: Mutex<()>,
    is_booted: AtomicBool,
    /// What counted changes of the methods of [`EVERYWHERE`] when the core library was complete.
    epochs_at_boot: [AtomicU32; EVERYWHERE.len()],
    /// Modules with refinements exist: call sites ask their scope.
    pub(crate) has_refinements: AtomicBool,
    /// A bit for each epoch counter of a name that some refinement defines.
    refined_names: Box<[AtomicU64]>,
    /// Counts what may change which ancestors a class has, and which of them holds a class variable.
    pub(crate) ancestry_epoch: AtomicU32,
    pub(crate) class_variable_epoch: AtomicU32,
    /// What `defined?` answers, by the instruction's `n`.
    pub(crate) defined_answers: OnceLock<[Value; 10]>,
    pub coverage: crate::inspect::coverage::Coverage,
    /// How often recording was started and not stopped again: see [`crate::recorder`].
    pub(crate) recordings: AtomicU32,
    /// Mean bytes between two samples of allocations; zero while nobody samples.
    pub(crate) sampling: AtomicU64,
    /// Whether the dead are counted too.
    pub(crate) ledger: Mutex<Option<crate::inspect::recorder::Detail>>,
    pub warnings: crate::run::warning::Categories,
    /// `$VERBOSE`, `main`
    verbose: AtomicU64,
    /// `$DEBUG` is set: exceptions are told of where they are raised.
    is_debugging: std::sync::atomic::AtomicBool,
    main_object: AtomicU64,
    /// Blocks of `at_exit` and `END`, in order of registration.
    pub(crate) exit_blocks: Mutex<Vec<Value>>,
    autoloading: Mutex<Vec<AutoloadRun>>,
    /// How many constants have a value that one thread alone sees.
    pub(crate) hidden_constants: AtomicUsize,
    interrupt_hook: OnceLock<InterruptHook>,
    /// Every class and module, weakly: the collector prunes what classes know of each other.
    pub(crate) classes: Mutex<Classes>,
    pub hash_seed: u64,
    /// An odd number that spreads the bits of numbers, symbols and floats when they are hashed; differs as the seed does.
    pub hash_factor: u64,
    pub(crate) bytes_hash: BytesHash,
    hooks: OnceLock<crate::hooks::Hooks>,
    pub(crate) foreign: crate::foreign::Foreign,
    /// `GC.disable`: polls collect no more.
    pub is_gc_disabled: AtomicBool,
    pub limits: crate::run::limits::Limits,
    /// Through which native methods pass that are being defined.
    pub(crate) gate: Mutex<Option<crate::native::Gate>>,
    pub(crate) code_pages: crate::memory::code_pages::CodePages,
    pub config: Config,
}

/// How a VM was started.
#[derive(Clone, Debug, Default)]
pub struct Config {
    /// Seed and period of `gc_stress`: one poll in `period` collects and verifies.
    pub gc_stress: Option<(u64, u64)>,
    pub frozen_string_literal: Option<bool>,
    /// String literals remember where they were made.
    pub marks_strings: bool,
    pub denied: Denied,
    pub jit: crate::compiled::Jit,
    /// Machine code of each Ractor at most; by default 16 MB, or a sixteenth of its heap.
    pub machine_code_bytes: Option<usize>,
    /// The process is an executable of Carat's, and not a host's.
    pub owns_process: bool,
    /// Gets the text of each graph that the second tier makes code of.
    pub show_graph: Option<fn(&str)>,
    /// Gets the machine code of both tiers as text.
    pub show_machine_code: Option<fn(&str)>,
}

/// What a host keeps from the programs of a VM; by default nothing, as the executables need it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Denied {
    /// Files, folders, pipes, sockets, terminals, and descriptors of all kinds.
    pub files: bool,
    /// Starting, signalling and asking about processes, and environment variables.
    pub processes: bool,
    /// What is the process's and not the VM's: signal handlers, its end, `fork`.
    pub host: bool,
}

/// A global variable; special ones have hooks.
pub struct GlobalVariable {
    pub value: AtomicU64,
    pub getter: Option<fn(&mut Ec, SymbolId) -> crate::Result<Value>>,
    pub setter: Option<GlobalSetter>,
    pub is_defined: AtomicBool,
    /// What `trace_var` was given, in that order.
    pub traces: RwLock<Vec<Value>>,
    /// An assignment has to look at `traces`.
    pub is_traced: AtomicBool,
}

impl GlobalVariable {
    pub fn plain(value: Value, is_defined: bool) -> GlobalVariable {
        GlobalVariable {
            value: AtomicU64::new(value.bits()),
            getter: None,
            setter: None,
            is_defined: AtomicBool::new(is_defined),
            traces: RwLock::default(),
            is_traced: AtomicBool::new(false),
        }
    }

    /// An assignment stores the value and does nothing else.
    pub(crate) fn is_plain(&self) -> bool {
        self.setter.is_none() && self.is_defined.load(Ordering::Relaxed) && !self.is_traced.load(Ordering::Relaxed)
    }

    pub fn get(&self) -> Value {
        // SAFETY: the word was a value when it was stored.
        unsafe { Value::from_bits(self.value.load(Ordering::Acquire)) }
    }
}

impl Vm {
    pub(crate) fn new(config: Config) -> Vm {
        let epochs = || (0..EPOCHS).map(|_| AtomicU32::new(1)).collect();
        let hash_seed = seed();
        let bytes_hash = BytesHash::new(hash_seed);
        Vm {
            symbols: SymbolTable::new(bytes_hash.clone()),
            shapes: ShapeTable::new(),
            known: OnceLock::new(),
            method_epochs: MethodEpochs::new(),
            constant_epochs: epochs(),
            any_constant_epoch: AtomicU32::new(1),
            constant_misses: AtomicU64::new(0),
            globals: RwLock::default(),
            global_epoch: AtomicU32::new(1),
            retired_globals: Mutex::default(),
            redefined: AtomicU64::new(0),
            primitives: OnceLock::new(),
            fstrings: crate::value::fstrings::FrozenStrings::new(bytes_hash.clone()),
            permanent: Mutex::default(),
            extensions: Extensions([const { OnceLock::new() }; MOST_EXTENSIONS]),
            workers: Arc::default(),
            ractors: Mutex::default(),
            is_multi_ractor: AtomicBool::new(false),
            serving_requests: AtomicU32::new(0),
            world: Mutex::default(),
            retired_blocks: Mutex::default(),
            requests: Mutex::default(),
            main_ractor_object: AtomicU64::new(Value::NIL.bits()),
            last_ractor: AtomicU32::new(0),
            living_ractors: AtomicU32::new(1),
            last_port: AtomicU64::new(0),
            class_changes: Mutex::default(),
            looping_classes: Mutex::default(),
            is_booted: AtomicBool::new(false),
            epochs_at_boot: [const { AtomicU32::new(0) }; EVERYWHERE.len()],
            has_refinements: AtomicBool::new(false),
            refined_names: (0..EPOCHS / 64).map(|_| AtomicU64::new(0)).collect(),
            ancestry_epoch: AtomicU32::new(1),
            class_variable_epoch: AtomicU32::new(1),
            defined_answers: OnceLock::new(),
            coverage: Default::default(),
            recordings: AtomicU32::new(0),
            sampling: AtomicU64::new(0),
            ledger: Mutex::new(None),
            warnings: crate::run::warning::Categories::default(),
            verbose: AtomicU64::new(Value::FALSE.bits()),
            is_debugging: std::sync::atomic::AtomicBool::new(false),
            main_object: AtomicU64::new(Value::NIL.bits()),
            exit_blocks: Mutex::default(),
            autoloading: Mutex::default(),
            hidden_constants: AtomicUsize::default(),
            interrupt_hook: OnceLock::new(),
            classes: Mutex::default(),
            hash_seed,
            hash_factor: seed() | 1,
            bytes_hash,
            hooks: OnceLock::new(),
            foreign: Default::default(),
            is_gc_disabled: AtomicBool::new(false),
            limits: Default::default(),
            gate: Mutex::default(),
            code_pages: Default::default(),
            config,
        }
    }

    pub fn intern(&self, name: &str) -> SymbolId {
        self.symbols.intern(name.as_bytes(), EncodingIndex::UTF_8)
    }

    /// The symbol of a name in the executable, which is not copied.
    pub(crate) fn intern_static(&self, name: &'static str) -> SymbolId {
        self.symbols.intern_static(name.as_bytes())
    }

    /// The symbol of a name that somebody has made before: asking for others makes none.
    pub fn existing_symbol(&self, name: &[u8], encoding: EncodingIndex) -> Option<SymbolId> {
        self.symbols.find(name, encoding)
    }

    pub fn intern_bytes(&self, name: &[u8], encoding: EncodingIndex) -> SymbolId {
        self.symbols.intern(name, encoding)
    }

    /// Room for more symbols than the next one, but for their names; `false` if there is no memory for that.
    pub(crate) fn make_room_for_symbols(&self) -> bool {
        self.symbols.make_room()
    }

    pub fn symbol_name(&self, id: SymbolId) -> SymbolName {
        self.symbols.name(id)
    }

    /// The name as text, converted or with invalid bytes replaced.
    pub fn symbol_text(&self, id: SymbolId) -> String {
        let name = self.symbols.name(id);
        carat_text::transcode::to_message(carat_text::text::Text::of(name.bytes, name.encoding))
    }

    /// Bytes of the tables that all Ractors share, by name.
    pub(crate) fn table_sizes(&self) -> [(&'static str, usize); 4] {
        let globals = self.globals.read().unwrap_or_else(|e| e.into_inner());
        let variables = globals.capacity() * size_of::<(SymbolId, Arc<GlobalVariable>)>()
            + globals.len() * (size_of::<GlobalVariable>() + 16);
        let epochs = size_of_val(self.method_epochs.all()) + size_of_val(&*self.constant_epochs);
        let classes = self.classes.lock().unwrap_or_else(|e| e.into_inner()).all.capacity() * size_of::<Value>();
        [
            ("symbols", self.symbols.memsize()),
            ("frozen strings, without the strings", self.fstrings.memsize()),
            ("shapes", self.shapes.memsize()),
            ("global variables, epochs of names, list of classes", variables + epochs + classes),
        ]
    }

    pub fn symbol_count(&self) -> u32 {
        self.symbols.len()
    }

    /// The classes that native code knows by name.
    #[inline]
    pub fn known(&self) -> &Known {
        self.known.get().expect("boot sets the known classes first")
    }

    pub(crate) fn set_known(&self, known: Known) {
        assert!(self.known.set(known).is_ok(), "booted twice");
    }

    /// `$VERBOSE`
    pub fn verbose(&self) -> Value {
        // SAFETY: the word was a value when it was stored.
        unsafe { Value::from_bits(self.verbose.load(Ordering::Relaxed)) }
    }

    pub fn is_debugging(&self) -> bool {
        self.is_debugging.load(Ordering::Relaxed)
    }

    pub fn set_debugging(&self, is_debugging: bool) {
        self.is_debugging.store(is_debugging, Ordering::Relaxed);
    }

    pub fn set_verbose(&self, value: Value) {
        self.verbose.store(value.bits(), Ordering::Relaxed);
    }

    /// The object that scripts run as.
    pub fn main_object(&self) -> Value {
        // SAFETY: as above.
        unsafe { Value::from_bits(self.main_object.load(Ordering::Relaxed)) }
    }

    pub(crate) fn set_main_object(&self, value: Value) {
        self.main_object.store(value.bits(), Ordering::Relaxed);
    }

    /// Registers a proc to run at exit.
    pub fn at_exit(&self, proc: Value) {
        self.exit_blocks.lock().unwrap_or_else(|e| e.into_inner()).push(proc);
    }

    /// The proc to run next at exit: the one registered last.
    pub fn next_exit_block(&self) -> Option<Value> {
        self.exit_blocks.lock().unwrap_or_else(|e| e.into_inner()).pop()
    }

    /// True if the file of the constant's autoload is under way already in the fiber. What another one loads is waited for by `require`.
    pub(crate) fn enter_autoload(&self, run: &AutoloadRun) -> bool {
        let mut loading = self.autoloading.lock().unwrap_or_else(|e| e.into_inner());
        let is_loading = loading.iter().any(|other| other.is_of_same_file(run));
        if !is_loading {
            loading.push(run.clone());
        }
        is_loading
    }

    pub(crate) fn leave_autoload(&self, run: &AutoloadRun) {
        self.autoloading.lock().unwrap_or_else(|e| e.into_inner()).retain(|other| !other.is(run));
    }

    pub(crate) fn autoload_run(&self, is_wanted: impl Fn(&AutoloadRun) -> bool) -> Option<AutoloadRun> {
        self.autoloading.lock().unwrap_or_else(|e| e.into_inner()).iter().find(|run| is_wanted(run)).cloned()
    }

    pub(crate) fn forget_autoloads_but(&self, thread: Value) {
        self.autoloading.lock().unwrap_or_else(|e| e.into_inner()).retain(|run| run.thread == thread);
    }

    /// Who is told of signals: the main Ractor, whose threads poll then.
    pub fn signal_receiver(&self) -> Option<Arc<dyn carat_os::signal::Receiver>> {
        let main = self.main_ractor()?;
        Some(main)
    }

    /// The Ractor of the main thread.
    pub(crate) fn main_ractor(&self) -> Option<Arc<crate::concurrency::ractor::RactorShared>> {
        self.ractors().first().map(|m| m.shared.clone())
    }

    pub(crate) fn ractors(&self) -> MutexGuard<'_, Vec<RactorEntry>> {
        self.ractors.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Whether objects may be reached from several Ractors at this moment.
    #[inline]
    pub fn has_several_ractors(&self) -> bool {
        self.is_multi_ractor.load(Ordering::Acquire)
    }

    /// Keeps a class's old fields for Ractors that may be reading them, until the next collection.
    pub(crate) fn retire_block(&self, block: std::ptr::NonNull<Value>) {
        self.retired_blocks.lock().unwrap_or_else(|e| e.into_inner()).push(block.as_ptr().expose_provenance());
    }

    /// Frees what was retired; all Ractors stand still.
    pub(crate) fn free_retired_blocks(&self) {
        for block in self.retired_blocks.lock().unwrap_or_else(|e| e.into_inner()).drain(..) {
            let block = std::ptr::NonNull::new(std::ptr::with_exposed_provenance_mut(block));
            // SAFETY: the block came from the side allocator and its object has another one.
            block.into_iter().for_each(|b| unsafe { carat_heap::side::free(b) });
        }
    }

    /// Features that other Ractors want the main one to load, each with the port for the answer.
    pub(crate) fn requests(&self) -> MutexGuard<'_, VecDeque<Request>> {
        self.requests.lock().unwrap_or_else(|e| e.into_inner())
    }

    pub(crate) fn main_ractor_value(&self) -> Value {
        // SAFETY: the word was a value when it was stored.
        unsafe { Value::from_bits(self.main_ractor_object.load(Ordering::Acquire)) }
    }

    pub(crate) fn set_main_ractor_value(&self, object: Value) {
        self.main_ractor_object.store(object.bits(), Ordering::Release);
    }

    /// Takes an ended Ractor out of the list.
    pub(crate) fn take_ended(&self) -> Option<crate::concurrency::ractor::Ended> {
        let mut ractors = self.ractors();
        let index = ractors.iter().position(|m| m.has_ended)?;
        Some(ractors.remove(index).into_ended())
    }

    pub(crate) fn next_ractor_id(&self) -> u32 {
        self.last_ractor.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// A Ractor beside the main one was started at some time.
    pub fn has_started_ractors(&self) -> bool {
        self.last_ractor.load(Ordering::Relaxed) > 0
    }

    pub(crate) fn next_port_id(&self) -> u64 {
        self.last_port.fetch_add(1, Ordering::Relaxed) + 1
    }

    /// Makes the threads of the main Ractor poll, for the reasons in `bits`.
    pub fn arm_main(&self, bits: u32) {
        if let Some(ractor) = self.main_ractor() {
            ractor.arm_all(bits);
        }
    }

    pub(crate) fn interrupt_hook(&self) -> Option<InterruptHook> {
        self.interrupt_hook.get().copied()
    }

    /// What polls do about signals and exceptions from other threads.
    pub fn set_interrupt_hook(&self, hook: InterruptHook) {
        assert!(self.interrupt_hook.set(hook).is_ok(), "the interrupt hook is set once");
    }

    /// Drops what classes know of dead classes. Says whether any class or module died.
    pub(crate) fn prune_classes(&self, live: &Liveness<'_>) -> bool {
        let mut classes = self.classes.lock().unwrap_or_else(|e| e.into_inner());
        let classes = &mut *classes;
        classes.refinements.retain(|refinement| live.is_live(*refinement));
        let from = if live.is_minor() { classes.old } else { 0 };
        // In place: memory may be short while the collector works.
        let dead: Vec<Value> = classes.all.extract_if(from.., |class| !live.is_live(*class)).collect();
        let mut had_dependents = FxHashSet::default();
        for class in &dead {
            let class = Class::expect(*class);
            self.shapes.retire(class.root_shape());
            had_dependents.extend(class.direct_ancestors().filter(|ancestor| live.is_live(*ancestor)));
        }
        for ancestor in had_dependents {
            let data = Class::expect(ancestor).data();
            Class::retain_dependents(data, &|dependent| live.is_live(dependent));
        }
        let is_old = |class: &Value| class.header().is_some_and(|header| header.has(flags::OLD));
        classes.old = from + classes.all[from..].iter().take_while(|class| is_old(class)).count();
        !dead.is_empty()
    }

    pub fn hooks(&self) -> crate::hooks::Hooks {
        self.hooks.get().copied().unwrap_or_default()
    }

    /// Registers what the core classes lend to the VM; once, before code is linked.
    pub fn set_hooks(&self, hooks: crate::hooks::Hooks) {
        assert!(self.hooks.set(hooks).is_ok(), "hooks are set once");
    }

    /// The core library is complete: what changes from here on, the program changes.
    pub fn is_booted(&self) -> bool {
        self.is_booted.load(Ordering::Acquire)
    }

    pub fn set_booted(&self) {
        for (name, epoch) in EVERYWHERE.into_iter().zip(&self.epochs_at_boot) {
            epoch.store(self.method_epoch(name).load(Ordering::Relaxed), Ordering::Relaxed);
        }
        self.is_booted.store(true, Ordering::Release);
    }

    /// No program has defined a method of this name, one of [`EVERYWHERE`]. Where others that count together with it were defined, it
    /// may be false as well.
    pub(crate) fn is_as_booted(&self, name: SymbolId) -> bool {
        self.epoch_at_boot(name) == Some(self.method_epoch(name).load(Ordering::Acquire))
    }

    /// What the counter of one of these names was then.
    pub(crate) fn epoch_at_boot(&self, name: SymbolId) -> Option<u32> {
        let at = EVERYWHERE.into_iter().position(|known| known == name);
        at.map(|at| self.epochs_at_boot[at].load(Ordering::Relaxed))
    }

    pub(crate) fn method_epoch(&self, name: SymbolId) -> &AtomicU32 {
        &self.method_epochs.all()[name.0 as usize % EPOCHS]
    }

    /// Whether machine code reaches the counters of methods' names by their distance.
    pub(crate) fn has_near_epochs(&self) -> bool {
        matches!(self.method_epochs, MethodEpochs::Near)
    }

    /// The addresses of those counters.
    pub(crate) fn near_epochs(&self) -> Range<u64> {
        let counters = if self.has_near_epochs() { self.method_epochs.all() } else { &[] };
        let range = counters.as_ptr_range();
        range.start.expose_provenance() as u64..range.end.expose_provenance() as u64
    }

    pub(crate) fn constant_epoch(&self, name: SymbolId) -> &AtomicU32 {
        &self.constant_epochs[name.0 as usize % EPOCHS]
    }

    /// Call sites that resolved `name` look it up again.
    pub(crate) fn method_changed(&self, ec: &Ec, class: Class, name: SymbolId) {
        if class.is_refinement() {
            let bit = name.0 as usize % EPOCHS;
            self.refined_names[bit / 64].fetch_or(1 << (bit % 64), Ordering::Release);
        }
        self.method_epoch(name).fetch_add(1, Ordering::Release);
        crate::model::redefinition::note(ec, class, name);
    }

    /// As [`may_be_refined`](Vm::may_be_refined): the address of a byte, and the bit of it that says so, for machine code.
    pub(crate) fn refined_flag(&self, name: SymbolId) -> (usize, u8) {
        const { assert!(cfg!(target_endian = "little")) };
        let bit = name.0 as usize % EPOCHS;
        (self.refined_names.as_ptr().addr() + bit / 8, 1 << (bit % 8))
    }

    /// Some refinement may define a method of this name.
    pub fn may_be_refined(&self, name: SymbolId) -> bool {
        let bit = name.0 as usize % EPOCHS;
        self.refined_names[bit / 64].load(Ordering::Acquire) >> (bit % 64) & 1 != 0
    }

    /// A class has other ancestors than before.
    pub(crate) fn ancestors_changed(&self) {
        self.ancestry_epoch.fetch_add(1, Ordering::Release);
        self.class_variable_epoch.fetch_add(1, Ordering::Release);
    }

    /// What `RubyVM.stat` tells. Any change of a constant counts as an invalidation, and each shape of a class as one with an id.
    pub fn cache_figures(&self) -> [(&'static str, u64); 5] {
        let changes = u64::from(self.any_constant_epoch.load(Ordering::Relaxed)) - 1;
        [
            ("constant_cache_invalidations", changes),
            ("constant_cache_misses", self.constant_misses.load(Ordering::Relaxed)),
            ("global_cvar_state", u64::from(self.class_variable_epoch.load(Ordering::Relaxed))),
            ("next_shape_id", u64::from(self.shapes.len())),
            // No table keeps what was looked up in shapes.
            ("shape_cache_size", 0),
        ]
    }

    pub(crate) fn constant_changed(&self, name: SymbolId) {
        self.constant_epoch(name).fetch_add(1, Ordering::Release);
        self.any_constant_epoch.fetch_add(1, Ordering::Release);
    }

    /// Sites that found methods without the refinement are to look again.
    pub(crate) fn refinement_activated(&self, refinement: Class) {
        for ancestor in refinement.mro().iter() {
            for name in Class::expect(*ancestor).own_method_names() {
                self.method_epoch(name).fetch_add(1, Ordering::Release);
            }
        }
    }

    /// Names that a newly included or prepended module defines may now resolve to it.
    pub(crate) fn ancestor_added(&self, ec: &Ec, module: Class) {
        for ancestor in module.mro().iter() {
            let ancestor = Class::expect(*ancestor);
            for name in ancestor.own_method_names() {
                self.method_epoch(name).fetch_add(1, Ordering::Release);
            }
            for (name, _) in ancestor.own_constants() {
                self.constant_changed(name);
            }
        }
        if self.has_refinements.load(Ordering::Relaxed) {
            self.refinements_of(&module.mro()).into_iter().for_each(|refinement| self.refinement_activated(refinement));
        }
        crate::model::redefinition::recheck(ec);
    }

    /// The refinements that are alive of some classes or modules.
    fn refinements_of(&self, refined: &[Value]) -> Vec<Class> {
        let classes = self.classes.lock().unwrap_or_else(|e| e.into_inner());
        let all = classes.refinements.iter().map(|refinement| Class::expect(*refinement));
        all.filter(|class| class.refined().is_some_and(|of| refined.contains(&of.value()))).collect()
    }

    /// Any name may now resolve to something else.
    pub(crate) fn ancestry_changed(&self, ec: &Ec) {
        for epoch in self.method_epochs.all().iter().chain(self.constant_epochs.iter()) {
            epoch.fetch_add(1, Ordering::Release);
        }
        self.any_constant_epoch.fetch_add(1, Ordering::Release);
        crate::model::redefinition::recheck(ec);
    }

    /// Keeps a value alive as long as the VM.
    pub fn keep(&self, value: Value) -> Value {
        self.permanent.lock().unwrap_or_else(|e| e.into_inner()).push(value);
        value
    }

    /// State that another crate keeps in this VM.
    pub fn extension<T: Default + Send + Sync + 'static>(&self) -> Arc<T> {
        self.extensions.get::<T>().clone().downcast().expect("keyed by its type")
    }

    /// The same, borrowed: it stays as long as the VM.
    pub fn extension_ref<T: Default + Send + Sync + 'static>(&self) -> &T {
        // SAFETY: the state under a type's key is of that type.
        unsafe { &*Arc::as_ptr(self.extensions.get::<T>()).cast::<T>() }
    }

    pub fn global(&self, name: SymbolId) -> Option<Arc<GlobalVariable>> {
        self.globals.read().unwrap_or_else(|e| e.into_inner()).get(&name).cloned()
    }

    /// The variable, made undefined if it is new.
    pub fn global_or_new(&self, name: SymbolId) -> Arc<GlobalVariable> {
        if let Some(found) = self.global(name) {
            return found;
        }
        let mut globals = self.globals.write().unwrap_or_else(|e| e.into_inner());
        globals.entry(name).or_insert_with(|| Arc::new(GlobalVariable::plain(Value::NIL, false))).clone()
    }

    pub fn define_global(&self, name: SymbolId, variable: GlobalVariable) {
        self.bind_global(name, Arc::new(variable));
    }

    fn bind_global(&self, name: SymbolId, variable: Arc<GlobalVariable>) {
        let retired = self.globals.write().unwrap_or_else(|e| e.into_inner()).insert(name, variable);
        self.retired_globals.lock().unwrap_or_else(|e| e.into_inner()).extend(retired);
        self.global_epoch.fetch_add(1, Ordering::Release);
    }

    /// `alias $new $old`.
    pub fn alias_global(&self, new: SymbolId, old: SymbolId) {
        self.bind_global(new, self.global_or_new(old));
    }

    pub fn global_names(&self) -> Vec<SymbolId> {
        let globals = self.globals.read().unwrap_or_else(|e| e.into_inner());
        globals.iter().filter(|(_, g)| g.is_defined.load(Ordering::Relaxed)).map(|(n, _)| *n).collect()
    }

    /// Values that globals and VM tables hold, for the collector.
    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        if let Some(known) = self.known.get() {
            known.each(mark);
        }
        for variable in self.globals.read().unwrap_or_else(|e| e.into_inner()).values() {
            mark(variable.get());
            variable.traces.read().unwrap_or_else(|e| e.into_inner()).iter().for_each(|v| mark(*v));
        }
        self.permanent.lock().unwrap_or_else(|e| e.into_inner()).iter().for_each(|v| mark(*v));
        self.exit_blocks.lock().unwrap_or_else(|e| e.into_inner()).iter().for_each(|v| mark(*v));
        mark(self.main_object());
        mark(self.main_ractor_value());
        self.requests().iter().for_each(|request| request.references(mark));
    }
}

/// See [`Vm::set_interrupt_hook`].
pub type InterruptHook = fn(&mut Ec, u32) -> crate::Result<()>;

/// A seed for hashes that differs from process to process.
fn seed() -> u64 {
    use std::hash::{BuildHasher, Hasher};
    std::collections::hash_map::RandomState::new().build_hasher().finish()
}

macro_rules! known_classes {
    ($($field:ident $name:literal $kind:ident $superclass:ident;)+) => {
        /// Classes and modules that exist from the first moment.
        pub struct Known { $(pub $field: Class),+ }

        impl Known {
            fn each(&self, mark: &mut dyn FnMut(Value)) { $(mark(self.$field.value());)+ }

            /// Builds every class but the first four, which `boot` passes in.
            pub(crate) fn boot(ec: &Ec, basic_object: Class, object: Class, module: Class, class: Class) -> Known {
                use crate::boot::make_known;
                let given = (basic_object, object, module, class);
                $(let $field = known_classes!(@make $field $kind $superclass ec given);)+
                Known { $($field),+ }
            }

            pub(crate) fn names(&self) -> Vec<(&'static str, Class)> {
                vec![$(($name, self.$field)),+]
            }
        }
    };
    (@make basic_object given $superclass:ident $ec:ident $given:ident) => { $given.0 };
    (@make object given $superclass:ident $ec:ident $given:ident) => { $given.1 };
    (@make module given $superclass:ident $ec:ident $given:ident) => { $given.2 };
    (@make class given $superclass:ident $ec:ident $given:ident) => { $given.3 };
    (@make $field:ident module $superclass:ident $ec:ident $given:ident) => { make_known($ec, None, $given.2, $given.3) };
    (@make $field:ident class $superclass:ident $ec:ident $given:ident) => { make_known($ec, Some($superclass), $given.2, $given.3) };
}

known_classes! {
    basic_object "BasicObject" given none;
    object "Object" given basic_object;
    module "Module" given object;
    class "Class" given module;
    kernel "Kernel" module none;
    comparable "Comparable" module none;
    enumerable "Enumerable" module none;
    refinement "Refinement" class module;
    nil_class "NilClass" class object;
    true_class "TrueClass" class object;
    false_class "FalseClass" class object;
    numeric "Numeric" class object;
    integer "Integer" class numeric;
    float "Float" class numeric;
    rational "Rational" class numeric;
    complex "Complex" class numeric;
    string "String" class object;
    symbol "Symbol" class object;
    regexp "Regexp" class object;
    match_data "MatchData" class object;
    array "Array" class object;
    hash "Hash" class object;
    range "Range" class object;
    struct_class "Struct" class object;
    data "Data" class object;
    set "Set" class object;
    proc "Proc" class object;
    method "Method" class object;
    unbound_method "UnboundMethod" class object;
    binding "Binding" class object;
    enumerator "Enumerator" class object;
    random "Random" class object;
    time "Time" class object;
    io "IO" class object;
    file "File" class io;
    file_stat "File::Stat" class object;
    dir "Dir" class object;
    encoding "Encoding" class object;
    thread "Thread" class object;
    mutex "Thread::Mutex" class object;
    queue "Thread::Queue" class object;
    sized_queue "Thread::SizedQueue" class queue;
    condition_variable "Thread::ConditionVariable" class object;
    fiber "Fiber" class object;
    ractor "Ractor" class object;
    ractor_port "Ractor::Port" class object;
    ractor_moved_object "Ractor::MovedObject" class basic_object;
    object_space "ObjectSpace" module none;
    gc "GC" module none;
    process "Process" module none;
    process_status "Process::Status" class object;
    signal "Signal" module none;
    math "Math" module none;
    marshal "Marshal" module none;
    warning "Warning" module none;
    file_test "FileTest" module none;
    exception "Exception" class object;
    no_memory_error "NoMemoryError" class exception;
    script_error "ScriptError" class exception;
    load_error "LoadError" class script_error;
    not_implemented_error "NotImplementedError" class script_error;
    syntax_error "SyntaxError" class script_error;
    security_error "SecurityError" class exception;
    signal_exception "SignalException" class exception;
    interrupt "Interrupt" class signal_exception;
    system_exit "SystemExit" class exception;
    system_stack_error "SystemStackError" class exception;
    standard_error "StandardError" class exception;
    argument_error "ArgumentError" class standard_error;
    uncaught_throw_error "UncaughtThrowError" class argument_error;
    encoding_error "EncodingError" class standard_error;
    compatibility_error "Encoding::CompatibilityError" class encoding_error;
    undefined_conversion_error "Encoding::UndefinedConversionError" class encoding_error;
    invalid_byte_sequence_error "Encoding::InvalidByteSequenceError" class encoding_error;
    converter_not_found_error "Encoding::ConverterNotFoundError" class encoding_error;
    fiber_error "FiberError" class standard_error;
    io_error "IOError" class standard_error;
    eof_error "EOFError" class io_error;
    index_error "IndexError" class standard_error;
    key_error "KeyError" class index_error;
    stop_iteration "StopIteration" class index_error;
    closed_queue_error "ClosedQueueError" class stop_iteration;
    local_jump_error "LocalJumpError" class standard_error;
    name_error "NameError" class standard_error;
    no_method_error "NoMethodError" class name_error;
    range_error "RangeError" class standard_error;
    float_domain_error "FloatDomainError" class range_error;
    regexp_error "RegexpError" class standard_error;
    regexp_timeout_error "Regexp::TimeoutError" class regexp_error;
    runtime_error "RuntimeError" class standard_error;
    frozen_error "FrozenError" class runtime_error;
    system_call_error "SystemCallError" class standard_error;
    thread_error "ThreadError" class standard_error;
    type_error "TypeError" class standard_error;
    zero_division_error "ZeroDivisionError" class standard_error;
    no_matching_pattern_error "NoMatchingPatternError" class standard_error;
    no_matching_pattern_key_error "NoMatchingPatternKeyError" class no_matching_pattern_error;
    ractor_error "Ractor::Error" class runtime_error;
    ractor_isolation_error "Ractor::IsolationError" class ractor_error;
    ractor_closed_error "Ractor::ClosedError" class stop_iteration;
    ractor_remote_error "Ractor::RemoteError" class ractor_error;
    ractor_moved_error "Ractor::MovedError" class ractor_error;
    ractor_unsafe_error "Ractor::UnsafeError" class ractor_error;
}
