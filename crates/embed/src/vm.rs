//! One VM of the host's.

use crate::builder::Builder;
use crate::convert::{FromRuby, IntoRuby};
use crate::error::Error;
use crate::host;
use crate::roots::{Roots, Value};
use crate::scope::Scope;
use crate::watchdog::Watchdog;
use carat_builtins::program::{self, Library};
use carat_vm::limits::Stop;
use carat_vm::{Array, Class, Config, Denied, Ec, Hash, MainVm, Str};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Native stack that a call needs at least.
const LEAST_STACK_BYTES: usize = 128 << 10;
/// Native stack that a VM uses at most, whatever its thread has.
const MOST_STACK_BYTES: usize = 64 << 20;

/// A virtual machine: classes, objects and threads of its own. It stays on the thread that built it.
///
/// Dropping it ends its threads and gives back all that it had. `at_exit` blocks and finalizers do not run.
pub struct Vm {
    // In this order: the watchdog looks at the VM.
    watchdog: Option<Watchdog>,
    stopper: StopHandle,
    roots: Arc<Roots>,
    main: MainVm,
    /// The lowest address of the thread's stack that may be used.
    stack_end: usize,
    deadline: Option<Duration>,
    fuel: Option<u64>,
    /// A panic went through a call: frames and locks of the VM may be left half done.
    is_dead: bool,
}

/// Stops what a VM runs, from any thread.
#[derive(Clone)]
pub struct StopHandle(Arc<Mutex<Option<&'static carat_vm::Vm>>>);

impl StopHandle {
    /// Ends the call that the VM is in, with an error of [`Kind::Stopped`](crate::Kind::Stopped); nothing if it is in none. The
    /// program can neither rescue it nor put it off.
    pub fn stop(&self) {
        if let Some(vm) = *self.0.lock().unwrap_or_else(PoisonError::into_inner) {
            vm.stop(Stop::Host);
        }
    }
}

/// What defines methods of the host's functions; see `prelude.rb`.
#[derive(Default)]
pub(crate) struct Definers(OnceLock<(Class, [carat_vm::Value; 3])>);

impl Definers {
    pub(crate) fn get(&self, index: usize) -> Option<(Class, carat_vm::Value)> {
        self.0.get().map(|(class, definers)| (*class, definers[index]))
    }
}

/// `lib` as it was when Carat was built.
struct Carried;

impl program::Carried for Carried {
    fn folder(&self) -> &'static str {
        carat_library::FOLDER
    }

    fn find(&self, name: &[u8]) -> Option<usize> {
        carat_library::File::find(name).map(|file| file.number)
    }

    fn names(&self) -> Vec<&'static str> {
        carat_library::File::all().map(carat_library::File::name).collect()
    }

    fn code(&self, number: usize) -> carat_iseq::IseqRef {
        carat_library::File { number }.code()
    }

    fn text(&self, number: usize) -> Vec<u8> {
        carat_library::File { number }.text()
    }
}

impl Vm {
    pub fn builder() -> Builder {
        Builder::default()
    }

    /// `base` is an address in the caller's frame.
    #[inline(never)]
    pub(crate) fn new(builder: Builder, base: usize) -> Result<Vm, Error> {
        let denied = Denied { files: !builder.files, processes: !builder.processes, host: true };
        let config = Config { gc_stress: builder.gc_stress, denied, jit: builder.jit, ..Config::default() };
        let stack_end = carat_os::process::stack_end().map_err(|error| Error::host(&error.to_string()))?;
        let mut main = carat_builtins::boot(config, (base, stack_left(base, stack_end)?));
        let ec = main.ec();
        let roots = Roots::new(ec);
        let stopper = StopHandle(Arc::new(Mutex::new(None)));
        let (deadline, fuel) = (builder.deadline, builder.fuel);
        ec.vm().set_most_bytes(builder.max_bytes);
        ec.vm().limits.set_most_threads(builder.max_threads.unwrap_or(usize::MAX));
        if complete(ec, builder).is_err() {
            return Err(Error::of_pending(ec, &roots));
        }
        let watchdog = match deadline {
            Some(_) => Some(Watchdog::start(ec.vm()).map_err(|error| Error::host(&error.to_string()))?),
            None => None,
        };
        Ok(Vm { watchdog, stopper, roots, main, stack_end, deadline, fuel, is_dead: false })
    }

    /// Runs something in the VM, under its limits.
    pub fn enter<R>(&mut self, body: impl FnOnce(&mut Scope<'_>) -> Result<R, Error>) -> Result<R, Error> {
        let marker = 0usize;
        self.enter_below(std::ptr::from_ref(std::hint::black_box(&marker)).addr(), body)
    }

    /// As [`Vm::enter`]. Objects lie in this function's frame and below it, and nowhere above `base`: so far the stack is scanned.
    #[inline(never)]
    fn enter_below<R>(
        &mut self,
        base: usize,
        body: impl FnOnce(&mut Scope<'_>) -> Result<R, Error>,
    ) -> Result<R, Error> {
        if self.is_dead {
            return Err(Error::host("a panic went through this VM"));
        }
        let bytes = stack_left(base, self.stack_end)?;
        let ec = self.main.ec();
        ec.set_native_stack(base, bytes);
        self.roots.tidy(ec);
        let vm = ec.vm();
        *self.stopper.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(vm);
        vm.set_fuel(self.fuel);
        if let (Some(watchdog), Some(deadline)) = (&self.watchdog, self.deadline) {
            watchdog.set(Instant::now().checked_add(deadline));
        }
        let outcome = catch_unwind(AssertUnwindSafe(|| body(&mut Scope::new(ec, &self.roots))));
        if let Some(watchdog) = &self.watchdog {
            watchdog.set(None);
        }
        *self.stopper.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
        vm.clear_stop();
        self.is_dead = outcome.is_err();
        outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
    }

    /// See [`Scope::eval`].
    pub fn eval(&mut self, source: &str, file: &str) -> Result<Value, Error> {
        self.enter(|scope| scope.eval(source, file))
    }

    /// See [`Scope::call`].
    pub fn call(&mut self, receiver: &Value, method: &str, arguments: &[Value]) -> Result<Value, Error> {
        self.enter(|scope| scope.call(receiver, method, arguments))
    }

    /// See [`Scope::get`].
    pub fn get<T: FromRuby>(&mut self, value: &Value) -> Result<T, Error> {
        self.enter(|scope| scope.get(value))
    }

    /// See [`Scope::value`].
    pub fn value(&mut self, value: impl IntoRuby) -> Result<Value, Error> {
        self.enter(|scope| scope.value(value))
    }

    /// See [`Scope::define_function`].
    pub fn define_function(
        &mut self,
        name: &str,
        body: impl Fn(&mut Scope<'_>, &[Value]) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Result<(), Error> {
        self.enter(|scope| scope.define_function(name, body))
    }

    /// What stops this VM from another thread.
    pub fn stop_handle(&self) -> StopHandle {
        self.stopper.clone()
    }

    /// How long each call from here on may take; `None` is for ever.
    pub fn set_deadline(&mut self, deadline: Option<Duration>) -> Result<(), Error> {
        if deadline.is_some() && self.watchdog.is_none() {
            let started = Watchdog::start(self.main.ec().vm());
            self.watchdog = Some(started.map_err(|error| Error::host(&error.to_string()))?);
        }
        self.deadline = deadline;
        Ok(())
    }

    /// The fuel of each call from here on.
    pub fn set_fuel(&mut self, fuel: Option<u64>) {
        self.fuel = fuel;
    }

    /// Fuel that the last call left.
    pub fn fuel_left(&mut self) -> Option<u64> {
        self.main.ec().vm().limits.fuel()
    }

    /// Bytes that the VM and its programs hold, as [`Builder::max_bytes`] counts them.
    pub fn bytes_in_use(&mut self) -> usize {
        self.main.ec().bytes_in_use()
    }

    /// Collects all that is dead.
    pub fn collect_garbage(&mut self) -> Result<(), Error> {
        self.enter(|scope| {
            scope.collect_garbage();
            Ok(())
        })
    }
}

/// What may be used of the running thread's stack below `base`.
fn stack_left(base: usize, end: usize) -> Result<usize, Error> {
    let left = base.saturating_sub(end);
    if left < LEAST_STACK_BYTES {
        return Err(Error::host("the thread's stack is too small"));
    }
    Ok(left.min(MOST_STACK_BYTES))
}

/// What the core library does not have: constants, libraries, and the host in place of the process.
fn complete(ec: &mut Ec, builder: Builder) -> carat_vm::Result<()> {
    carat_builtins::register_features(ec, carat_stdlib::FEATURES);
    if builder.files {
        carat_builtins::register_features(ec, carat_stdlib::FEATURES_OF_FILES);
    }
    let library = Library::Carried(&Carried);
    carat_builtins::version::define(ec, "carat", library.folder(), "");
    program::set_library(ec, library);
    program::set_script(ec, "embedded", false)?;
    let environment = if builder.processes && builder.environment.is_empty() {
        carat_vm::Value::FALSE
    } else {
        environment(ec, &builder.environment)?
    };
    let [stdout, stderr, stdin, sources] = host::arguments(ec, builder.host);
    // Its frames are hidden, as the core library's are.
    let options = carat_compile::Options { is_core: true, ..carat_compile::Options::file("prelude.rb") };
    let prelude = program::run_main(ec, include_bytes!("prelude.rb"), &options, None)?;
    let arguments = [stdout, stderr, stdin, sources, environment, carat_vm::Value::FALSE];
    let definers = ec.call(prelude, carat_vm::sym::CALL, &arguments)?;
    let definers = Array::expect(ec.vm().keep(definers));
    let class = host::function_class(ec);
    let found = [0, 1, 2].map(|index| definers.at(ec, index));
    let _ = ec.vm().extension::<Definers>().0.set((class, found));
    Ok(())
}

fn environment(ec: &mut Ec, pairs: &[(String, String)]) -> carat_vm::Result {
    let hash = Hash::new(ec);
    for (key, value) in pairs {
        let (key, value) = (Str::from_text(ec, key), Str::from_text(ec, value));
        hash.store(ec, key.value(), value.value())?;
    }
    Ok(hash.value())
}
