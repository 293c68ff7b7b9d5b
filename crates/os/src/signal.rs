//! Process signals: a handler that only notes the number, and a thread that tells the [`Receiver`].
//!
//! # Why a static
//! A signal handler gets no argument of ours, and a process has one set of handlers however many VMs it holds.

use carat_sync::{Mutex, MutexGuard};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI32, AtomicI64, AtomicU64, AtomicUsize, Ordering};
use std::thread::Builder;

/// Signals that have arrived and wait for a poll: bit n is signal n.
static PENDING: AtomicU64 = AtomicU64::new(0);
/// Write end of the pipe that wakes the thread; -1 before the first handler.
static WAKE: AtomicI32 = AtomicI32::new(-1);
/// Who is told. Never locked by the handler.
static RECEIVER: Mutex<Option<Arc<dyn Receiver>>> = Mutex::new(None);

/// Who is told that signals wait.
pub trait Receiver: Send + Sync {
    /// Called by the thread that watches for signals. One call may stand for several signals.
    fn signals_came(&self);
}

/// What a signal does.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Disposition {
    Default,
    Ignore,
    /// It waits in the pending set and arms a poll.
    Note,
}

/// When the oldest interrupt that waits arrived, in milliseconds of the monotonic clock.
static INTERRUPTED_AT: AtomicI64 = AtomicI64::new(0);
/// An interrupt raises an exception: the program has no handler of its own.
static INTERRUPT_RAISES: AtomicBool = AtomicBool::new(true);
/// A program that has not answered an interrupt for so long is ended by the next one.
const PATIENCE_MILLISECONDS: i64 = 1000;

/// Whether the running code calls for interrupts itself, so that a second one need not end the program.
pub fn set_interrupt_raises(raises: bool) {
    INTERRUPT_RAISES.store(raises, Ordering::SeqCst);
}

/// Native code that never polls cannot be interrupted, but it can be ended: the second interrupt in vain does what it does
/// by default. Only async-signal-safe calls.
fn end_if_deaf(was_pending: bool) {
    // SAFETY: both calls are async-signal-safe, and the structure lives through the first.
    unsafe {
        let mut now: libc::timespec = std::mem::zeroed();
        libc::clock_gettime(libc::CLOCK_MONOTONIC, &raw mut now);
        let now = now.tv_sec * 1000 + now.tv_nsec / 1_000_000;
        if !was_pending {
            INTERRUPTED_AT.store(now, Ordering::SeqCst);
        } else if now - INTERRUPTED_AT.load(Ordering::SeqCst) > PATIENCE_MILLISECONDS
            && INTERRUPT_RAISES.load(Ordering::SeqCst)
        {
            libc::signal(libc::SIGINT, libc::SIG_DFL);
            libc::raise(libc::SIGINT);
        }
    }
}

extern "C" fn note(signal: libc::c_int) {
    let before = PENDING.fetch_or(1 << signal, Ordering::SeqCst);
    if signal == libc::SIGINT {
        end_if_deaf(before & (1 << signal) != 0);
    }
    let wake = WAKE.load(Ordering::SeqCst);
    if wake >= 0 {
        // SAFETY: write is async-signal-safe; errno is put back as the interrupted code may be about to read it.
        unsafe {
            let errno = libc::__errno_location();
            let saved = *errno;
            libc::write(wake, c"!".as_ptr().cast(), 1);
            *errno = saved;
        }
    }
}

/// A signal that [`is_noted`] and that the process sends to itself: the receiver knows of it before this returns, whichever thread
/// the system would have chosen, and whenever that would run.
pub fn note_own(signal: i32) {
    note(signal);
    if let Some(receiver) = &*RECEIVER.lock().unwrap_or_else(|e| e.into_inner()) {
        receiver.signals_came();
    }
}

/// Sets what a signal does from now on. The receiver is told of all signals that are noted.
pub fn set(signal: i32, disposition: Disposition, receiver: Option<Arc<dyn Receiver>>) -> std::io::Result<()> {
    if disposition == Disposition::Note {
        *RECEIVER.lock().unwrap_or_else(|e| e.into_inner()) = receiver;
        start_thread()?;
    }
    let handler = match disposition {
        Disposition::Default => libc::SIG_DFL,
        Disposition::Ignore => libc::SIG_IGN,
        Disposition::Note => noting(),
    };
    install(signal, handler)
}

/// Nobody is told of signals as long as the answer lives: for a fork, whose child tells its own receiver.
pub(crate) fn hold_receiver() -> MutexGuard<'static, Option<Arc<dyn Receiver>>> {
    RECEIVER.lock().unwrap_or_else(|e| e.into_inner())
}

/// Address of the handler that notes.
fn noting() -> libc::sighandler_t {
    note as extern "C" fn(libc::c_int) as libc::sighandler_t
}

/// At start: notes a signal unless whoever started the process wants it ignored.
pub fn note_unless_ignored(signal: i32, receiver: Option<Arc<dyn Receiver>>) {
    if !is_ignored(signal) {
        let _ = set(signal, Disposition::Note, receiver);
    }
}

/// For a program of our own that has something to put away before it ends: signals that end programs wait for [`take`].
pub fn note_ending() {
    [libc::SIGHUP, libc::SIGINT, libc::SIGTERM].into_iter().for_each(|signal| note_unless_ignored(signal, None));
}

fn install(signal: i32, handler: libc::sighandler_t) -> std::io::Result<()> {
    // SAFETY: the structure is zero but for handler and an empty mask; no SA_RESTART, so that blocking calls return.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        action.sa_sigaction = handler;
        libc::sigemptyset(&raw mut action.sa_mask);
        if libc::sigaction(signal, &raw const action, std::ptr::null_mut()) == -1 {
            return Err(std::io::Error::last_os_error());
        }
    }
    Ok(())
}

/// Interrupts system calls and does nothing else; programs cannot trap it.
pub const KICK: i32 = libc::SIGVTALRM;

extern "C" fn nothing(_signal: libc::c_int) {}

/// Makes sure that [`KICK`] does no harm.
pub fn prepare_kick() {
    let _ = install(KICK, nothing as extern "C" fn(libc::c_int) as libc::sighandler_t);
}

/// Signals that report a fault of the process, or end it whatever it does.
const DEADLY: [i32; 8] = [
    libc::SIGSEGV,
    libc::SIGBUS,
    libc::SIGILL,
    libc::SIGFPE,
    libc::SIGABRT,
    libc::SIGTRAP,
    libc::SIGSYS,
    libc::SIGKILL,
];

/// Whether the process does not survive the signal.
pub fn is_deadly(signal: i32) -> bool {
    DEADLY.contains(&signal) && ![noting(), libc::SIG_IGN].contains(&disposition(signal))
}

/// Whether the signal is noted for a Ruby thread to handle, rather than ignored, deadly or handled by C code.
pub fn is_noted(signal: i32) -> bool {
    disposition(signal) == noting()
}

fn is_ignored(signal: i32) -> bool {
    disposition(signal) == libc::SIG_IGN
}

/// Address of the handler.
fn disposition(signal: i32) -> libc::sighandler_t {
    // SAFETY: all-zero bytes are a valid structure, which the call fills.
    unsafe {
        let mut old: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut old);
        old.sa_sigaction
    }
}

/// What Rust does about faults: it tells an overflow of the stack from others, and returns.
static ON_FAULT: [AtomicUsize; 2] = [AtomicUsize::new(0), AtomicUsize::new(0)];
const FAULTS: [i32; 2] = [libc::SIGSEGV, libc::SIGBUS];

/// A fault that somebody sent, and which therefore does not happen again when the handler returns, ends the process.
extern "C" fn on_fault(signal: libc::c_int, info: *mut libc::siginfo_t, context: *mut std::ffi::c_void) {
    let index = usize::from(signal == FAULTS[1]);
    // SAFETY: the system passes the information; the handler below was installed with SA_SIGINFO by whoever came first; both
    // other calls are async-signal-safe.
    unsafe {
        if (*info).si_code <= 0 {
            libc::signal(signal, libc::SIG_DFL);
            libc::raise(signal);
            return;
        }
        let below: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut std::ffi::c_void) =
            std::mem::transmute(ON_FAULT[index].load(Ordering::SeqCst));
        below(signal, info, context);
    }
}

/// Makes a fault that another process sends end this one: Rust's own handler would take it for one that comes again.
pub fn die_of_sent_faults() {
    for (index, signal) in FAULTS.into_iter().enumerate() {
        // SAFETY: all-zero bytes are a valid structure, which the first call fills; the second changes the handler alone.
        unsafe {
            let mut action: libc::sigaction = std::mem::zeroed();
            libc::sigaction(signal, std::ptr::null(), &raw mut action);
            let below = action.sa_sigaction;
            if [libc::SIG_DFL, libc::SIG_IGN].contains(&below) || action.sa_flags & libc::SA_SIGINFO == 0 {
                continue;
            }
            ON_FAULT[index].store(below, Ordering::SeqCst);
            let handler: extern "C" fn(libc::c_int, *mut libc::siginfo_t, *mut std::ffi::c_void) = on_fault;
            action.sa_sigaction = handler as libc::sighandler_t;
            libc::sigaction(signal, &raw const action, std::ptr::null_mut());
        }
    }
}

/// Ends the process by a signal, so that its parent sees that. Returns if the signal does not end processes.
pub fn die_by(signal: i32) {
    let _ = install(signal, libc::SIG_DFL);
    // SAFETY: the set is initialised by sigemptyset; the calls touch nothing else.
    unsafe {
        let mut only: libc::sigset_t = std::mem::zeroed();
        libc::sigemptyset(&raw mut only);
        libc::sigaddset(&raw mut only, signal);
        libc::pthread_sigmask(libc::SIG_UNBLOCK, &raw const only, std::ptr::null_mut());
        libc::raise(signal);
    }
}

/// Before another program starts: signals do again what they do by default. Only system calls. What they did before, as bits
/// by signal: noted, and ignored.
pub fn restore_defaults() -> (u64, u64) {
    let (mut noted, mut ignored) = (0, 0);
    for signal in 1..64 {
        let before = disposition(signal);
        noted |= u64::from(before == noting()) << signal;
        ignored |= u64::from(signal == libc::SIGPIPE && before == libc::SIG_IGN) << signal;
        if signal == libc::SIGPIPE || before == noting() {
            let _ = install(signal, libc::SIG_DFL);
        }
    }
    (noted, ignored)
}

/// The program did not start: signals do again what they did before [`restore_defaults`].
pub fn reinstall((noted, ignored): (u64, u64)) {
    for signal in 1..64 {
        if noted >> signal & 1 == 1 {
            let _ = install(signal, noting());
        } else if ignored >> signal & 1 == 1 {
            let _ = install(signal, libc::SIG_IGN);
        }
    }
}

fn start_thread() -> std::io::Result<()> {
    if WAKE.load(Ordering::SeqCst) >= 0 {
        return Ok(());
    }
    let (reader, writer) = crate::pipe()?;
    crate::fcntl(writer, libc::F_SETFL, libc::O_NONBLOCK)?;
    WAKE.store(writer, Ordering::SeqCst);
    crate::thread::spawn(Builder::new().name("signals".into()).stack_size(64 << 10), move || forward(reader))?;
    Ok(())
}

/// Body of the thread: tells the receiver as often as there are bytes in the pipe.
fn forward(reader: i32) {
    block_signals();
    let mut bytes = [0; 16];
    while crate::read(reader, &mut bytes).is_ok_and(|n| n > 0) {
        if let Some(receiver) = &*RECEIVER.lock().unwrap_or_else(|e| e.into_inner()) {
            receiver.signals_came();
        }
    }
}

/// Signals are for the program's own threads, whose blocking calls they interrupt: the running one gets none.
pub fn block_signals() {
    std::mem::forget(Blocked::new());
}

/// The running thread gets no signals as long as this lives; they wait.
pub(crate) struct Blocked(libc::sigset_t);

impl Blocked {
    pub(crate) fn new() -> Blocked {
        // SAFETY: both sets are filled before they are read.
        unsafe {
            let mut all: libc::sigset_t = std::mem::zeroed();
            let mut before: libc::sigset_t = std::mem::zeroed();
            libc::sigfillset(&raw mut all);
            libc::pthread_sigmask(libc::SIG_SETMASK, &raw const all, &raw mut before);
            Blocked(before)
        }
    }

    /// The running thread gets signals again: a child that shares this with its parent's thread. Only a system call.
    pub(crate) fn lift(&self) {
        // SAFETY: `new` filled the set.
        unsafe { libc::pthread_sigmask(libc::SIG_SETMASK, &raw const self.0, std::ptr::null_mut()) };
    }
}

impl Drop for Blocked {
    fn drop(&mut self) {
        self.lift();
    }
}

/// A forked child has no such thread; it gets its own.
pub fn restart_in_child() {
    PENDING.store(0, Ordering::SeqCst);
    let old = WAKE.swap(-1, Ordering::SeqCst);
    if old < 0 {
        return;
    }
    let _ = crate::close(old);
    let _ = start_thread();
}

/// Takes one pending signal, the lowest number first.
pub fn take() -> Option<i32> {
    let pending = PENDING.load(Ordering::SeqCst);
    if pending == 0 {
        return None;
    }
    let signal = pending.trailing_zeros();
    PENDING.fetch_and(!(1 << signal), Ordering::SeqCst);
    crate::contact::count();
    Some(signal as i32)
}

/// Whether [`take`] would find one.
pub fn is_pending() -> bool {
    PENDING.load(Ordering::Relaxed) != 0
}
