//! The end of a program: `exit`, `abort`, `at_exit`, and what the process answers its parent.

use crate::object::exception;
use carat_sync::Mutex;
use carat_vm::{Block, Ec, Proc, Result, Str, Value, methods, sym};

methods! {
    METHODS {
        module_function "exit" => exit;
        module_function "abort" => abort;
        module_function "at_exit" => at_exit;
    }
}

type Act = Box<dyn FnOnce(&mut Ec) + Send>;

/// What is still to be done when the process ends, whatever ends it; once.
#[derive(Default)]
struct LastAct(Mutex<Option<Act>>);

/// Has `act` called at the end of the process: after its exit blocks and finalizers, or instead of them where the program skips
/// them (`exit!`, `exec`, a signal to itself that nothing survives).
pub fn at_last(ec: &Ec, act: Act) {
    let last = ec.vm().extension::<LastAct>();
    *last.0.lock().unwrap_or_else(|e| e.into_inner()) = Some(act);
}

/// Does what is to be done at last, unless it was done.
pub fn do_last(ec: &mut Ec) {
    let last = ec.vm().extension::<LastAct>();
    let act = last.0.lock().unwrap_or_else(|e| e.into_inner()).take();
    if let Some(act) = act {
        carat_vm::recorder::forget_native_stack();
        act(ec);
    }
}

/// How the process ends.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ExitStatus {
    Code(i32),
    Signal(i32),
}

fn status_of(ec: &mut Ec, status: Option<Value>, default: i64) -> Result<i64> {
    match status {
        None => Ok(default),
        Some(Value::TRUE) => Ok(0),
        Some(Value::FALSE) => Ok(1),
        Some(other) => ec.to_long(other),
    }
}

fn system_exit(ec: &mut Ec, status: i64, message: Str) -> carat_vm::Unwind {
    let exception = ec.new_exception_with(ec.vm().known().system_exit, message.value());
    let status = ec.int(status);
    ec.set_field(exception, sym::STATUS_IVAR, status);
    ec.raise(exception)
}

fn exit(ec: &mut Ec, _this: Value, status: Option<Value>) -> Result {
    let status = status_of(ec, status, 0)?;
    let message = Str::from_text(ec, "exit");
    Err(system_exit(ec, status, message))
}

/// `abort("message")` prints it; `abort` alone prints `$!`.
fn abort(ec: &mut Ec, _this: Value, message: Option<Value>) -> Result {
    match message {
        Some(message) => {
            let message = ec.to_str(message)?;
            write_error(ec, message)?;
            Err(system_exit(ec, 1, message))
        }
        None => {
            let current = ec.errinfo();
            let message = Str::from_text(ec, "exit");
            if !current.is_nil() {
                let report = exception::error_report(ec, current);
                print_report(ec, &report);
            }
            Err(system_exit(ec, 1, message))
        }
    }
}

fn write_error(ec: &mut Ec, message: Str) -> Result<()> {
    let stderr = ec.global(sym::STDERR)?;
    ec.call(stderr, sym::PUTS, &[message.value()])?;
    Ok(())
}

/// Bytes for `$stderr`; a program's own object may refuse them, which nobody is left to tell.
/// Says that a jump left the block of a forked child, which ends by it.
pub(crate) fn end_by_jump(ec: &mut Ec, jump: &str) -> carat_vm::Unwind {
    let place = carat_vm::backtrace::locations(ec, 0).into_iter().next();
    let place = place.map_or(String::new(), |l| format!("{}:{}:", l.path(), l.line));
    print_report(ec, format!("{place}in 'fork': unexpected {jump}\n").as_bytes());
    let message = Str::from_text(ec, "exit");
    system_exit(ec, 1, message)
}

fn print_report(ec: &mut Ec, report: &[u8]) {
    let text = Str::new(ec, report, carat_vm::EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown);
    let _ = super::warnings::stderr_write(ec, text.value());
}

fn at_exit(ec: &mut Ec, _this: Value, block: Option<Block>) -> Result {
    let Some(block) = block else { return Err(ec.argument_error("called without a block")) };
    ec.only_in_main_ractor("can not call at_exit from non-main Ractors")?;
    let proc = block.to_proc(ec).value();
    ec.vm().at_exit(proc);
    Ok(proc)
}

/// Runs the `at_exit` blocks, last registered first; what the last one that raised left. An error is reported at once.
fn run_at_exit(ec: &mut Ec, ending: Option<Value>) -> Option<Value> {
    let mut left = None;
    while let Some(block) = ec.vm().next_exit_block() {
        ec.set_errinfo(left.or(ending).unwrap_or(Value::NIL));
        if ec.call_proc(Proc::expect(block), &[]).is_ok() {
            continue;
        }
        let Some(raised) = ec.pending_exception() else { continue };
        if is_error(ec, raised) {
            report(ec, raised);
        }
        left = Some(raised);
    }
    ec.set_errinfo(Value::NIL);
    left
}

/// What `trap("EXIT")` set runs before everything else; what it raised.
fn run_exit_trap(ec: &mut Ec, ending: Option<Value>) -> Option<Value> {
    let handler = crate::system::process::take_exit_handler(ec)?;
    ec.set_errinfo(ending.unwrap_or(Value::NIL));
    match crate::system::process::call_handler(ec, handler, 0) {
        Ok(_) => None,
        Err(_) => ec.pending_exception(),
    }
}

/// The main thread's fibers run to their end. `$!` is what ends the program.
fn close_scheduler(ec: &mut Ec, ending: Option<Value>) -> Option<Value> {
    ec.set_errinfo(ending.unwrap_or(Value::NIL));
    match crate::control::fiber::close_scheduler(ec) {
        Ok(()) => ending,
        Err(_) => ending.or_else(|| ec.pending_exception()),
    }
}

fn is_exit(ec: &Ec, exception: Value) -> bool {
    ec.is_a(exception, ec.vm().known().system_exit)
}

/// Neither an exit nor a signal, which say nothing by themselves.
fn is_error(ec: &Ec, exception: Value) -> bool {
    !is_exit(ec, exception) && exception::signal_number(ec, exception).is_none()
}

/// Writes what the program's end would say of an exception.
pub(crate) fn report(ec: &mut Ec, exception: Value) {
    let text = exception::error_report(ec, exception);
    print_report(ec, &text);
}

/// Ends a program: `at_exit` blocks, the report of an uncaught exception, and the status of the process.
pub fn finish(ec: &mut Ec, result: Result) -> ExitStatus {
    let ending = match result {
        Ok(_) => None,
        Err(_) => ec.pending_exception(),
    };
    let ending = close_scheduler(ec, ending);
    let trapped = run_exit_trap(ec, ending);
    let left = run_at_exit(ec, if trapped.is_none() { ending } else { None });
    if let Some(raised) = trapped.filter(|raised| is_error(ec, *raised)) {
        report(ec, raised);
    }
    let left = trapped.or(left);
    ec.thread_data().get_mut(ec).note_over();
    ec.terminate_threads(None);
    ec.terminate_ractors(None);
    let status = status_of_ending(ec, ending, left);
    crate::object::finalizers::run_at_exit(ec);
    flush_streams(ec);
    status
}

/// The status where a program ended by one exception and its exit blocks left another one, which was reported if it is an
/// error: a signal of either counts first, then what they left. An error of the program is reported whatever they left.
fn status_of_ending(ec: &mut Ec, ending: Option<Value>, left: Option<Value>) -> ExitStatus {
    let left = match left {
        Some(left) if is_error(ec, left) => ExitStatus::Code(1),
        Some(left) => status_of_exception(ec, left),
        None => return ending.map_or(ExitStatus::Code(0), |ending| status_of_exception(ec, ending)),
    };
    match ending.map(|ending| status_of_exception(ec, ending)) {
        Some(signal @ ExitStatus::Signal(_)) => signal,
        _ => left,
    }
}

fn status_of_exception(ec: &mut Ec, exception: Value) -> ExitStatus {
    if is_exit(ec, exception) {
        let status = exception::exit_status(ec, exception).unwrap_or(0);
        return ExitStatus::Code((status & 0xff) as i32);
    }
    if let Some(number) = exception::signal_number(ec, exception) {
        // An interrupt is reported where the program was; other signals speak for themselves.
        if number == 2 {
            report(ec, exception);
        }
        return ExitStatus::Signal(number as i32);
    }
    report(ec, exception);
    ExitStatus::Code(1)
}

/// Writes out what the standard streams hold back. What fails here has nobody to hear of it.
fn flush_streams(ec: &mut Ec) {
    let flush = ec.vm().intern("flush");
    for name in [sym::STDOUT, sym::STDERR] {
        if let Ok(stream) = ec.global(name) {
            let _ = ec.call_if_responds(stream, flush, &[]);
        }
    }
    crate::system::io::flush_all(ec);
}
