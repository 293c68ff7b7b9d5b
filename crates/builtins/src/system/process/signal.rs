//! `Signal` and `trap`: handlers run at polls, on the main Ractor's main thread, which has the table of them.

use carat_os::c;
use carat_os::signal::{self, Disposition};
use carat_vm::{Array, Ec, Hash, Result, Str, Value, interrupt, methods, sym};

/// Names and numbers, in the order of `Signal.list`.
pub(super) const SIGNALS: &[(&str, i32)] = &[
    ("EXIT", 0),
    ("HUP", c::SIGHUP),
    ("INT", c::SIGINT),
    ("QUIT", c::SIGQUIT),
    ("ILL", c::SIGILL),
    ("TRAP", c::SIGTRAP),
    ("ABRT", c::SIGABRT),
    ("IOT", c::SIGABRT),
    ("BUS", c::SIGBUS),
    ("FPE", c::SIGFPE),
    ("KILL", c::SIGKILL),
    ("USR1", c::SIGUSR1),
    ("SEGV", c::SIGSEGV),
    ("USR2", c::SIGUSR2),
    ("PIPE", c::SIGPIPE),
    ("ALRM", c::SIGALRM),
    ("TERM", c::SIGTERM),
    ("CHLD", c::SIGCHLD),
    ("CLD", c::SIGCHLD),
    ("CONT", c::SIGCONT),
    ("STOP", c::SIGSTOP),
    ("TSTP", c::SIGTSTP),
    ("TTIN", c::SIGTTIN),
    ("TTOU", c::SIGTTOU),
    ("URG", c::SIGURG),
    ("XCPU", c::SIGXCPU),
    ("XFSZ", c::SIGXFSZ),
    ("VTALRM", c::SIGVTALRM),
    ("PROF", c::SIGPROF),
    ("WINCH", c::SIGWINCH),
    ("IO", c::SIGIO),
    ("POLL", c::SIGIO),
    ("PWR", c::SIGPWR),
    ("SYS", c::SIGSYS),
];

pub(super) fn name_of(number: i32) -> Option<&'static str> {
    SIGNALS.iter().find(|(_, n)| *n == number).map(|(name, _)| *name)
}

/// What was set for each signal, by number: what `trap` returns next time. Nil where nothing was, false for a nil command.
fn handlers(ec: &Ec) -> Array {
    let (module, name) = (ec.vm().known().signal.value(), ec.vm().intern("__handlers"));
    if let Some(array) = ec.field(module, name).and_then(Array::from_value) {
        return array;
    }
    let array = Array::new(ec, 65);
    array.resize(ec, 65);
    ec.vm().keep(array.value());
    ec.set_field(module, name, array.value());
    array
}

/// A signal by number, name or symbol.
pub(super) fn number_of(ec: &mut Ec, value: Value) -> Result<i32> {
    if value.is_fixnum() {
        let number = ec.to_long(value)?;
        if !(0..=64).contains(&number) {
            return Err(ec.argument_error(&format!("invalid signal number ({number})")));
        }
        return Ok(number as i32);
    }
    let text = match value.as_symbol() {
        Some(symbol) => ec.vm().symbol_text(symbol),
        None => match ec.check_string(value)? {
            Some(s) => s.to_text(ec),
            None => {
                let class = ec.class_of(value).real().to_text(ec);
                return Err(ec.argument_error(&format!("bad signal type {class}")));
            }
        },
    };
    if text.starts_with('-') {
        return Err(ec.argument_error(&format!("negative signal name: {text}")));
    }
    let short = text.strip_prefix("SIG").unwrap_or(&text);
    match SIGNALS.iter().find(|(name, _)| *name == short) {
        Some((_, number)) => Ok(*number),
        None => {
            let full = if text.starts_with("SIG") { text } else { format!("SIG{text}") };
            Err(ec.argument_error(&format!("unsupported signal '{full}'")))
        }
    }
}

/// Signals that raise an exception in the main thread unless a program says otherwise.
const RAISED: [i32; 7] = [c::SIGINT, c::SIGHUP, c::SIGQUIT, c::SIGALRM, c::SIGTERM, c::SIGUSR1, c::SIGUSR2];

const RESERVED: [i32; 6] = [c::SIGSEGV, c::SIGBUS, c::SIGILL, c::SIGFPE, c::SIGVTALRM, -1];

/// Number of a signal that a program may handle.
pub(super) fn trappable(ec: &mut Ec, signal: Value) -> Result<i64> {
    let number = number_of(ec, signal)?;
    if RESERVED.contains(&number) {
        let name = name_of(number).unwrap_or("");
        return Err(ec.argument_error(&format!("can't trap reserved signal: SIG{name}")));
    }
    Ok(i64::from(number))
}

/// In the main Ractor: sets what happens when a signal comes. What happened before.
pub(super) fn trap(ec: &mut Ec, number: i64, command: Value) -> Result {
    let number = number as i32;
    let (disposition, kept) = disposition(ec, number, command)?;
    if number > 0
        && let Err(e) = signal::set(number, disposition, ec.vm().signal_receiver())
    {
        let text = format!("SIG{}", name_of(number).unwrap_or(""));
        return Err(crate::system::errno::errno(ec, &e, text.as_bytes()));
    }
    if number == c::SIGINT {
        signal::set_interrupt_raises(disposition != Disposition::Note || Str::from_value(kept).is_some());
    }
    let table = handlers(ec);
    let old = table.at(ec, number as usize);
    table.set(ec, number as usize, kept);
    Ok(if old.is_nil() {
        initial(ec, number)
    } else if old.is_false() {
        Value::NIL
    } else {
        old
    })
}

/// In another Ractor: has the main one do it, whose table has the handlers. A handler that was there before is shown only if
/// Ractors may share it.
pub(super) fn trap_in_main_ractor(ec: &mut Ec, number: Value, command: Value) -> Result {
    let trap = |ec: &mut Ec, [number, command]: [Value; 2]| {
        let number = ec.to_long(number)?;
        let old = trap(ec, number, command)?;
        Ok(match Str::from_value(old) {
            Some(text) => {
                let bytes = text.owned_bytes(ec)?;
                ec.fstring(&bytes, text.encoding()).value()
            }
            None if ec.is_shareable(old) => old,
            None => Value::NIL,
        })
    };
    ec.in_main_ractor(trap, [number, command])
}

fn initial(ec: &Ec, number: i32) -> Value {
    match number {
        0 => Value::NIL,
        c::SIGPIPE => Value::NIL,
        number if RAISED.contains(&number) => ec.str("DEFAULT"),
        _ => ec.str("SYSTEM_DEFAULT"),
    }
}

/// What the system does with the signal, and what is remembered of the command; false stands for a nil command.
fn disposition(ec: &mut Ec, number: i32, command: Value) -> Result<(Disposition, Value)> {
    let text = match command {
        Value::NIL => return Ok((Disposition::Ignore, Value::FALSE)),
        command if command.is_symbol() || Str::from_value(command).is_some() => {
            let name = ec.to_name(command)?;
            ec.vm().symbol_text(name)
        }
        command => return Ok((Disposition::Note, command)),
    };
    match text.as_str() {
        "" | "SIG_IGN" | "IGNORE" => Ok((Disposition::Ignore, ec.str("IGNORE"))),
        "DEFAULT" | "SIG_DFL" | "SYSTEM_DEFAULT" => {
            let keeps_ours = RAISED.contains(&number) && text != "SYSTEM_DEFAULT";
            let kept = ec.str(if text == "SYSTEM_DEFAULT" { "SYSTEM_DEFAULT" } else { "DEFAULT" });
            let disposition = if keeps_ours {
                Disposition::Note
            } else if number == c::SIGPIPE && text != "SYSTEM_DEFAULT" {
                Disposition::Ignore
            } else {
                Disposition::Default
            };
            Ok((disposition, kept))
        }
        "EXIT" => Ok((Disposition::Note, ec.str("EXIT"))),
        // A program, which is evaluated when the signal comes.
        _ => Ok((Disposition::Note, command)),
    }
}

/// Runs the handlers of the signals that have arrived, on the main Ractor's main thread; while one runs, the others wait.
pub(crate) fn run_pending(ec: &mut Ec) -> Result<()> {
    if !ec.is_main_ractor() || ec.current_thread() != ec.main_thread() || ec.is_in_trap() {
        return Ok(());
    }
    while let Some(number) = signal::take() {
        if let Err(unwind) = run(ec, number) {
            if signal::is_pending() {
                ec.vm().arm_main(interrupt::SIGNAL);
            }
            return Err(unwind);
        }
    }
    Ok(())
}

fn run(ec: &mut Ec, number: i32) -> Result<()> {
    let handler = handlers(ec).at(ec, number as usize);
    if let Some(text) = Str::from_value(handler) {
        if text.bytes(ec) == b"EXIT" {
            let (kernel, exit) = (ec.vm().known().kernel.value(), ec.vm().intern("exit"));
            return ec.call(kernel, exit, &[]).map(drop);
        }
        if text.bytes(ec) == b"IGNORE" {
            return Ok(());
        }
        if is_program(ec, text) {
            return call_handler(ec, handler, number).map(drop);
        }
    }
    if !handler.is_heap() || Str::from_value(handler).is_some() {
        return default_action(ec, number);
    }
    call_handler(ec, handler, number).map(drop)
}

/// Whether a command is Ruby, and not the name of something that a signal can do.
fn is_program(ec: &Ec, text: Str) -> bool {
    !matches!(text.bytes(ec), b"EXIT" | b"IGNORE" | b"DEFAULT" | b"SYSTEM_DEFAULT")
}

/// Calls what `trap` was given; a string is evaluated at the top level.
pub(crate) fn call_handler(ec: &mut Ec, handler: Value, number: i32) -> Result {
    ec.in_trap(|ec| call(ec, handler, number))
}

fn call(ec: &mut Ec, handler: Value, number: i32) -> Result {
    if Str::from_value(handler).is_some() {
        let binding = crate::system::prompt::toplevel_binding(ec)?;
        let eval = ec.vm().intern("eval");
        return ec.call(binding, eval, &[handler]);
    }
    let number = ec.int(i64::from(number));
    ec.call(handler, sym::CALL, &[number])
}

/// Raises Interrupt or SignalException, or has it wait for the end of a `Thread.handle_interrupt` that defers it.
fn default_action(ec: &mut Ec, number: i32) -> Result<()> {
    let known = ec.vm().known();
    let (class, argument) = if number == c::SIGINT {
        (known.interrupt, ec.str(""))
    } else {
        (known.signal_exception, ec.int(i64::from(number)))
    };
    let exception = ec.call(class.value(), sym::NEW, &[argument])?;
    if ec.interrupt_myself(exception) { Ok(()) } else { Err(ec.raise(exception)) }
}

/// The handler of `EXIT`, run once before the process ends.
pub(crate) fn take_exit_handler(ec: &mut Ec) -> Option<Value> {
    let table = handlers(ec);
    let handler = table.at(ec, 0);
    table.set(ec, 0, Value::NIL);
    let is_called = match Str::from_value(handler) {
        Some(text) => is_program(ec, text),
        None => handler.is_heap(),
    };
    is_called.then_some(handler)
}

fn list(ec: &mut Ec, _this: Value) -> Result<Hash> {
    let hash = Hash::new(ec);
    for (name, number) in SIGNALS {
        let name = ec.fstring(name.as_bytes(), carat_vm::EncodingIndex::US_ASCII).value();
        let number = ec.int(i64::from(*number));
        hash.store(ec, name, number)?;
    }
    Ok(hash)
}

fn signame(ec: &mut Ec, _this: Value, number: i64) -> Option<Str> {
    let name = i32::try_from(number).ok().and_then(name_of)?;
    Some(Str::from_text(ec, name))
}

methods! {
    METHODS {
        module_function "list" => list;
        module_function "signame" => signame;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.signal.define_methods(ec, METHODS);
    if ec.vm().config.denied.host {
        return;
    }
    for number in RAISED {
        signal::note_unless_ignored(number, ec.vm().signal_receiver());
    }
    let _ = signal::set(c::SIGPIPE, Disposition::Ignore, None);
}
