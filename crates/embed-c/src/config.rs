//! What a VM is to be.

use crate::{Out, guarded, text};
use carat_embed::{Builder, Vm};
use std::ffi::{CString, c_char, c_void};
use std::time::Duration;

pub(crate) struct Config(Option<Builder>);

/// A function of the host's and what it is given. The header says that it may run on any thread of the VM.
#[derive(Clone, Copy)]
struct Callback<F> {
    function: F,
    data: *mut c_void,
}

// SAFETY: the host passes what its function can use on any thread of the VM; the header demands it.
unsafe impl<F: Send> Send for Callback<F> {}
// SAFETY: as above.
unsafe impl<F: Sync> Sync for Callback<F> {}

type Write = unsafe extern "C" fn(*mut c_void, *const c_char, usize);
type Source = unsafe extern "C" fn(*mut c_void, *const c_char) -> *const c_char;

impl Callback<Write> {
    fn write(&self, bytes: &[u8]) {
        // SAFETY: the host's own function and data, with bytes that live through the call.
        unsafe { (self.function)(self.data, bytes.as_ptr().cast(), bytes.len()) };
    }
}

impl Callback<Source> {
    fn find(&self, feature: &str) -> Option<String> {
        let feature = CString::new(feature).ok()?;
        // SAFETY: as above; what it returns is null or ends with NUL, and is copied before the next call.
        unsafe {
            let source = (self.function)(self.data, feature.as_ptr());
            (!source.is_null()).then(|| text(source))
        }
    }
}

impl Config {
    pub(crate) fn into_builder(self) -> Builder {
        self.0.unwrap_or_default()
    }
}

/// Changes a config.
///
/// # Safety
/// It is null or alive.
unsafe fn update(config: *mut Config, change: impl FnOnce(Builder) -> Builder) {
    guarded(|| {
        // SAFETY: by contract.
        if let Some(config) = unsafe { config.as_mut() } {
            config.0 = config.0.take().map(change);
        }
    });
}

#[unsafe(no_mangle)]
pub(crate) extern "C" fn carat_config_new() -> *mut Config {
    guarded(|| Out::of(Config(Some(Vm::builder())))).0
}

macro_rules! settings {
    ($($(#[$meta:meta])* $name:ident($($parameter:ident: $kind:ty),*) $change:expr;)+) => {$(
        /// See `carat.h`.
        ///
        /// # Safety
        /// As the header says.
        #[unsafe(no_mangle)]
        pub(crate) unsafe extern "C" fn $name(config: *mut Config, $($parameter: $kind),*) {
            // SAFETY: the caller's contract.
            unsafe { update(config, $change) };
        }
    )+};
}

settings! {
    carat_config_max_bytes(bytes: usize) |builder| builder.max_bytes(bytes);
    carat_config_deadline_ms(milliseconds: u64) |builder| builder.deadline(Duration::from_millis(milliseconds));
    carat_config_fuel(units: u64) |builder| builder.fuel(units);
    carat_config_max_threads(threads: usize) |builder| builder.max_threads(threads);
    carat_config_allow_files() Builder::allow_files;
    carat_config_allow_processes() Builder::allow_processes;
    carat_config_environment(name: *const c_char, value: *const c_char) |builder| builder.environment([(text(name), text(value))]);
    carat_config_stdout(function: Write, data: *mut c_void) |builder| {
        let callback = Callback { function, data };
        builder.stdout(move |bytes| callback.write(bytes))
    };
    carat_config_stderr(function: Write, data: *mut c_void) |builder| {
        let callback = Callback { function, data };
        builder.stderr(move |bytes| callback.write(bytes))
    };
    carat_config_sources(function: Source, data: *mut c_void) |builder| {
        let callback = Callback { function, data };
        builder.sources(move |feature| callback.find(feature))
    };
}

/// See `carat.h`.
///
/// # Safety
/// The config is null, or came from [`carat_config_new`] and is not used again.
#[unsafe(no_mangle)]
pub(crate) unsafe extern "C" fn carat_config_free(config: *mut Config) {
    // SAFETY: by contract.
    guarded(|| unsafe { drop((!config.is_null()).then(|| Box::from_raw(config))) });
}
