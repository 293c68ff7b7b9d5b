//! Frames for debuggers and profilers, and jobs that signal handlers put off.
//!
//! `rb_profile_frames` may be called by a signal handler. While Ruby code runs it then finds nothing: frames are published when
//! C code or a poll begins. A handler that wants them puts off a job, which runs at the next poll.

use crate::boundary::{CValue, Function, call_c, call_c_value, store};
use carat_vm::frames::{self, RunningLine, SampledCode};
use carat_vm::{Ec, Result, Str, Value};
use std::ffi::{c_int, c_uint, c_void};
use std::sync::Mutex;
use std::sync::atomic::{AtomicI32, AtomicPtr, AtomicU32, Ordering};

// ---- debuggers ----

/// `rb_debug_inspector_t`: lives as long as the function that was given it runs.
pub(crate) struct Inspector {
    lines: Vec<RunningLine>,
    locations: Value,
}

impl Inspector {
    fn new(ec: &Ec) -> Inspector {
        let lines = frames::running(ec);
        let places = lines.iter().map(|line| line.location.clone()).collect();
        let locations = ec.vm().hooks().locations_to_array.map_or(Value::NIL, |make| make(ec, places).value());
        Inspector { lines, locations }
    }
}

/// Lends the inspector that C code was lent.
fn lent<'a>(inspector: *const Inspector) -> &'a Inspector {
    // SAFETY: C code passes on the address that its function was given, while that function runs.
    unsafe { &*inspector }
}

fn line<'a>(ec: &mut Ec, inspector: *const Inspector, index: i64) -> Result<&'a RunningLine> {
    let found = usize::try_from(index).ok().and_then(|index| lent(inspector).lines.get(index));
    found.ok_or_else(|| ec.argument_error("no such frame"))
}

api! {
    fn rb_debug_inspector_open(ec, function: Function, data: u64) -> Result {
        let inspector = Inspector::new(ec);
        let result = call_c_value(ec, function, &[(&raw const inspector).expose_provenance() as u64, data]);
        std::hint::black_box(inspector.locations);
        result
    }

    fn rb_debug_inspector_backtrace_locations(_ec, inspector: *const Inspector) -> Value {
        lent(inspector).locations
    }

    fn rb_debug_inspector_frame_self_get(ec, inspector: *const Inspector, index: i64) -> Result {
        line(ec, inspector, index).map(RunningLine::receiver)
    }

    fn rb_debug_inspector_frame_class_get(ec, inspector: *const Inspector, index: i64) -> Result {
        let line = line(ec, inspector, index)?;
        Ok(line.owner(ec).map_or(Value::NIL, |class| class.value()))
    }

    fn rb_debug_inspector_frame_binding_get(ec, inspector: *const Inspector, index: i64) -> Result {
        let line = line(ec, inspector, index)?;
        let (scope, new) = (line.scope(ec), ec.vm().hooks().new_binding);
        let (Some(scope), Some(new)) = (scope, new) else { return Ok(Value::NIL) };
        Ok(new(ec, scope, line.location.path(), line.location.line))
    }

    fn rb_debug_inspector_frame_iseq_get(ec, inspector: *const Inspector, index: i64) -> Result {
        let line = line(ec, inspector, index)?;
        let make = ec.vm().hooks().sequence_of.filter(|_| line.is_programs_own());
        Ok(make.map_or(Value::NIL, |make| make(ec, line.location.iseq.clone())))
    }

    fn rb_debug_inspector_frame_depth(ec, inspector: *const Inspector, index: i64) -> Result {
        line(ec, inspector, index)?;
        Ok(ec.int(lent(inspector).lines.len() as i64 - index))
    }

    fn rb_debug_inspector_current_depth(ec) -> Result {
        Ok(ec.int(frames::running(ec).len() as i64))
    }
}

// ---- profilers ----

/// Writes codes and lines of frames; how many.
fn sample(start: c_int, limit: c_int, codes: *mut CValue, lines: *mut c_int) -> c_int {
    if !crate::boundary::is_in_c() {
        return 0;
    }
    let (ec, mut skipped, mut count) = (crate::boundary::current(), 0, 0);
    frames::sample(ec, |code, line| {
        if skipped < start {
            skipped += 1;
        } else if count < limit {
            let place = count as usize;
            store(codes.wrapping_add(place), CValue::of(code));
            if !lines.is_null() {
                store(lines.wrapping_add(place), line);
            }
            count += 1;
        }
        count < limit
    });
    count
}

#[unsafe(no_mangle)]
extern "C" fn rb_profile_frames(start: c_int, limit: c_int, codes: *mut CValue, lines: *mut c_int) -> c_int {
    sample(start, limit, codes, lines)
}

/// Frames of other threads are not to be had: they have none at hand while they run.
#[unsafe(no_mangle)]
extern "C" fn rb_profile_thread_frames(
    thread: CValue,
    start: c_int,
    limit: c_int,
    codes: *mut CValue,
    lines: *mut c_int,
) -> c_int {
    let is_own = crate::boundary::is_in_c() && crate::boundary::current().current_thread() == thread.value();
    if is_own { sample(start, limit, codes, lines) } else { 0 }
}

fn text(ec: &Ec, found: Option<impl AsRef<str>>) -> Value {
    found.map_or(Value::NIL, |found| Str::from_text(ec, found.as_ref()).value())
}

fn code<'a>(ec: &'a Ec, frame: Value) -> Option<SampledCode<'a>> {
    SampledCode::from_value(ec, frame)
}

api! {
    fn rb_profile_frame_path(ec, frame: Value) -> Value {
        text(ec, code(ec, frame).and_then(SampledCode::path))
    }

    fn rb_profile_frame_absolute_path(ec, frame: Value) -> Value {
        let Some(code) = code(ec, frame) else { return Value::NIL };
        match code.path() {
            Some(path) => text(ec, std::fs::canonicalize(path).ok().map(|path| path.to_string_lossy().into_owned())),
            None => text(ec, Some("<cfunc>")),
        }
    }

    fn rb_profile_frame_label(ec, frame: Value) -> Value {
        text(ec, code(ec, frame).and_then(SampledCode::label))
    }

    fn rb_profile_frame_base_label(ec, frame: Value) -> Value {
        let own = code(ec, frame).filter(|code| code.is_programs_own());
        text(ec, own.map(|code| code.full_label(ec).1))
    }

    fn rb_profile_frame_full_label(ec, frame: Value) -> Value {
        text(ec, code(ec, frame).map(|code| code.full_label(ec).0))
    }

    fn rb_profile_frame_first_lineno(ec, frame: Value) -> Value {
        let line = code(ec, frame).and_then(SampledCode::first_line);
        line.map_or(Value::NIL, |line| Value::fixnum_unchecked(line.into()))
    }

    fn rb_profile_frame_classpath(ec, frame: Value) -> Value {
        text(ec, code(ec, frame).and_then(|code| code.class_path(ec)))
    }

    fn rb_profile_frame_singleton_method_p(ec, frame: Value) -> Value {
        Value::bool(code(ec, frame).is_some_and(|code| code.is_singleton_method(ec)))
    }

    fn rb_profile_frame_method_name(ec, frame: Value) -> Value {
        text(ec, code(ec, frame).and_then(|code| code.method_name(ec)))
    }

    fn rb_profile_frame_qualified_method_name(ec, frame: Value) -> Value {
        text(ec, code(ec, frame).and_then(|code| code.qualified_method_name(ec)))
    }
}

// ---- jobs ----

#[derive(Clone, Copy, PartialEq, Eq)]
struct Job {
    function: usize,
    data: usize,
}

const MOST_JOBS: usize = u32::BITS as usize;

static JOBS: Mutex<Vec<Job>> = Mutex::new(Vec::new());

/// Numbers of jobs that wait, by bits.
static WAITING: AtomicU32 = AtomicU32::new(0);

/// The context of the main thread, and the process that it is in: a child of `fork` may have another one.
static MAIN: AtomicPtr<Ec> = AtomicPtr::new(std::ptr::null_mut());
static PROCESS: AtomicI32 = AtomicI32::new(0);

fn own_process() -> i32 {
    // SAFETY: asks for nothing else.
    unsafe { libc::getpid() }
}

/// The number of a job; `None` if there are too many. A function is registered once, with its last argument.
fn register(ec: &Ec, job: Job) -> Option<c_uint> {
    MAIN.store(ec.context_for_jobs().cast_mut(), Ordering::Relaxed);
    PROCESS.store(own_process(), Ordering::Release);
    let mut jobs = JOBS.lock().unwrap_or_else(|e| e.into_inner());
    if let Some(found) = jobs.iter().position(|known| known.function == job.function) {
        jobs[found] = job;
        return Some(found as c_uint);
    }
    (jobs.len() < MOST_JOBS).then(|| {
        jobs.push(job);
        jobs.len() as c_uint - 1
    })
}

/// Nothing but atomic operations: signal handlers come here.
fn trigger(number: c_uint) {
    WAITING.fetch_or(1u32.checked_shl(number).unwrap_or(0), Ordering::SeqCst);
    if PROCESS.load(Ordering::Acquire) == own_process() {
        // SAFETY: the main thread's context lives as long as the process that it was found in.
        unsafe { &*MAIN.load(Ordering::Relaxed) }.ask_for_jobs();
    }
}

/// Runs the jobs that wait. What they raise is nobody's business.
pub(crate) fn run_jobs(ec: &mut Ec) {
    let waiting = WAITING.swap(0, Ordering::SeqCst);
    for number in (0..MOST_JOBS).filter(|number| waiting & 1 << number != 0) {
        let job = JOBS.lock().unwrap_or_else(|e| e.into_inner()).get(number).copied();
        let Some(Job { function, data }) = job else { continue };
        let (pending, errinfo) = (ec.pending(), ec.errinfo());
        let _ = call_c(ec, Function(std::ptr::with_exposed_provenance(function)), &[data as u64]);
        let _ = ec.unwind(pending);
        ec.set_errinfo(errinfo);
    }
}

fn job_of(function: Function, data: *mut c_void) -> Job {
    Job { function: function.0.expose_provenance(), data: data.expose_provenance() }
}

api! {
    fn rb_postponed_job_preregister(ec, _flags: c_uint, function: Function, data: *mut c_void) -> c_uint {
        register(ec, job_of(function, data)).unwrap_or(c_uint::MAX)
    }
}

#[unsafe(no_mangle)]
extern "C" fn rb_postponed_job_trigger(number: c_uint) {
    trigger(number);
}
