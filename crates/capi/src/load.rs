//! Shared libraries: what `require` does with a `.so`.
//!
//! A library compiled against our header has a symbol that names the version of the interface. One without it was built for
//! another Ruby, whose functions might have our names and other layouts behind them: it is refused unopened.

use crate::boundary::{Function, call_c};
use carat_vm::{Ec, Result, Unwind};
use std::ffi::{CStr, CString, c_char, c_void};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

/// What the header's symbol is called, without the version.
const ABI: &[u8] = b"\0carat_abi_";
/// The version that this program is.
const ABI_VERSION: &[u8] = b"1";

/// The address of the VM that loads extensions, or 0.
static OWNER: AtomicUsize = AtomicUsize::new(0);

/// Whether methods that are defined now may be called in all Ractors: an `Init_` function has to promise it, what is defined
/// later may.
static IS_RACTOR_SAFE: AtomicBool = AtomicBool::new(true);

pub(crate) fn is_ractor_safe() -> bool {
    IS_RACTOR_SAFE.load(Ordering::Relaxed)
}

api! {
    fn rb_ext_ractor_safe(_ec, is_safe: i32) {
        IS_RACTOR_SAFE.store(is_safe & 1 != 0, Ordering::Relaxed);
    }
}

/// `rb_ext_resolve_symbol`: a function of another extension. Extensions are loaded by themselves, so there is none to be found.
#[unsafe(no_mangle)]
extern "C" fn rb_ext_resolve_symbol(_feature: *const c_char, _name: *const c_char) -> *const c_void {
    std::ptr::null()
}

/// Loads the library at a path and runs its `Init_` function.
pub(crate) fn load(ec: &mut Ec, path: &[u8]) -> Result<()> {
    claim(ec)?;
    check_abi(ec, path)?;
    let library = open(ec, path)?;
    let init = init_function(ec, library, path)?;
    let outer = IS_RACTOR_SAFE.swap(false, Ordering::Relaxed);
    let result = call_c(ec, init, &[]);
    IS_RACTOR_SAFE.store(outer, Ordering::Relaxed);
    result.map(drop)
}

/// The first library makes this VM the one that C code knows.
fn claim(ec: &mut Ec) -> Result<()> {
    let own = std::ptr::from_ref(ec.vm()).addr();
    match OWNER.compare_exchange(0, own, Ordering::AcqRel, Ordering::Acquire) {
        Ok(_) => crate::globals::init(ec),
        Err(owner) if owner == own => Ok(()),
        Err(_) => Err(load_error(ec, "another VM of this process loads C extensions")),
    }
}

fn load_error(ec: &mut Ec, message: &str) -> Unwind {
    ec.error(ec.vm().known().load_error, message)
}

fn check_abi(ec: &mut Ec, path: &[u8]) -> Result<()> {
    let shown = String::from_utf8_lossy(path).into_owned();
    let bytes = match std::fs::read(os_path(path)) {
        Ok(bytes) => bytes,
        Err(error) => return Err(load_error(ec, &format!("{shown}: {error}"))),
    };
    let found = bytes.windows(ABI.len()).position(|window| window == ABI).map(|at| &bytes[at + ABI.len()..]);
    let version = found.map(|rest| rest.split(|byte| *byte == 0).next().unwrap_or_default());
    match version {
        Some(ABI_VERSION) => Ok(()),
        Some(other) => {
            let (other, own) = (String::from_utf8_lossy(other), String::from_utf8_lossy(ABI_VERSION));
            Err(load_error(
                ec,
                &format!("{shown} was built for version {other} of Carat's C interface, this is {own}: build it anew"),
            ))
        }
        None => Err(load_error(ec, &format!("{shown} was built for another Ruby: build it for Carat"))),
    }
}

fn os_path(path: &[u8]) -> &std::path::Path {
    use std::os::unix::ffi::OsStrExt;
    std::path::Path::new(std::ffi::OsStr::from_bytes(path))
}

/// All names are looked up at once: one that is missing is an error here, and not when the function is called.
fn open(ec: &mut Ec, path: &[u8]) -> Result<*mut c_void> {
    let path = CString::new(path).unwrap_or_default();
    // Extensions call one another's functions, as sequel_pg does those of pg.
    let mode = libc::RTLD_NOW | libc::RTLD_GLOBAL;
    // SAFETY: the path ends with a NUL. What the library's constructors do is the extension's affair.
    let library = unsafe { libc::dlopen(path.as_ptr(), mode) };
    if !library.is_null() {
        return Ok(library);
    }
    // SAFETY: `dlopen` failed just now.
    let message = unsafe { libc::dlerror() };
    let message = if message.is_null() {
        "cannot be loaded".into()
    } else {
        // SAFETY: a message is text that ends with a NUL.
        unsafe { CStr::from_ptr(message) }.to_string_lossy().into_owned()
    };
    Err(load_error(ec, &message))
}

/// `Init_x` of `x.so`.
fn init_function(ec: &mut Ec, library: *mut c_void, path: &[u8]) -> Result<Function> {
    let name = path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let stem = name.split(|byte| *byte == b'.').next().unwrap_or_default();
    let wanted = CString::new([b"Init_", stem].concat()).unwrap_or_default();
    // SAFETY: the library is open, the name ends with a NUL.
    let function = unsafe { libc::dlsym(library, wanted.as_ptr()) };
    if function.is_null() {
        let (path, wanted) = (String::from_utf8_lossy(path), wanted.to_string_lossy());
        return Err(load_error(ec, &format!("dlsym: {path}: undefined symbol: {wanted} - {path}")));
    }
    Ok(Function(function))
}
