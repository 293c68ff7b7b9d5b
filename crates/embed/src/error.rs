//! What a call into a VM can end with instead of a value.

use crate::roots::{Roots, Value};
use carat_vm::limits::Stop;
use carat_vm::{Array, Ec, Str, sym};
use std::sync::Arc;

/// Which kind of end it was.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// An exception that nobody rescued.
    Exception,
    /// More memory than [`Builder::max_bytes`](crate::Builder::max_bytes) allows.
    Memory,
    /// The deadline passed.
    Deadline,
    /// The fuel is used up.
    Fuel,
    /// [`StopHandle::stop`](crate::StopHandle::stop) was called.
    Stopped,
    /// `exit` with this status.
    Exit(i32),
    /// The host asked for what cannot be.
    Host,
}

/// An error of a program or of the host.
#[derive(Clone, Debug)]
pub struct Error {
    pub(crate) kind: Kind,
    pub(crate) class: String,
    pub(crate) message: String,
    pub(crate) backtrace: Vec<String>,
    pub(crate) exception: Option<Value>,
}

impl Error {
    /// An exception of the class of that name, to be raised by a function of the host; `RuntimeError` if there is no such class.
    pub fn new(class: &str, message: impl Into<String>) -> Error {
        Error {
            kind: Kind::Exception,
            class: class.into(),
            message: message.into(),
            backtrace: Vec::new(),
            exception: None,
        }
    }

    pub(crate) fn host(message: &str) -> Error {
        Error { kind: Kind::Host, ..Error::new("RuntimeError", message) }
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Name of the exception's class.
    pub fn class(&self) -> &str {
        &self.class
    }

    pub fn message(&self) -> &str {
        &self.message
    }

    /// A line for each frame, the innermost first.
    pub fn backtrace(&self) -> &[String] {
        &self.backtrace
    }

    /// The exception itself.
    pub fn exception(&self) -> Option<&Value> {
        self.exception.as_ref()
    }

    pub(crate) fn of_stop(stop: Stop) -> Error {
        let (kind, message) = match stop {
            Stop::Deadline => (Kind::Deadline, "the deadline has passed"),
            Stop::Fuel => (Kind::Fuel, "the fuel is used up"),
            Stop::Memory => (Kind::Memory, "the program holds more memory than it may"),
            Stop::Host => (Kind::Stopped, "the host has stopped the program"),
        };
        Error { kind, ..Error::new("", message) }
    }

    /// What is unwinding.
    pub(crate) fn of_pending(ec: &mut Ec, roots: &Arc<Roots>) -> Error {
        let Some(exception) = ec.pending_exception() else {
            return Error::host("a jump or the end of a thread left the program");
        };
        ec.set_errinfo(carat_vm::Value::NIL);
        let held = roots.hold(ec, exception);
        let known = ec.vm().known();
        let kind = if ec.is_a(exception, known.system_exit) {
            let status = ec.field(exception, sym::STATUS_IVAR).and_then(|status| status.as_fixnum());
            Kind::Exit(status.and_then(|status| i32::try_from(status).ok()).unwrap_or(0))
        } else if ec.is_a(exception, known.no_memory_error) {
            Kind::Memory
        } else {
            Kind::Exception
        };
        let class = ec.class_of(exception).real().to_text(ec);
        // `message` may be the program's own, and fail.
        let message = ec.vm().intern("message");
        let message = ec.call(exception, message, &[]).ok().and_then(Str::from_value).map(|text| text.to_text(ec));
        let backtrace = ec.vm().intern("backtrace");
        let lines = ec.call(exception, backtrace, &[]).ok().and_then(Array::from_value);
        let line = |ec: &Ec, lines: Array, index| Str::from_value(lines.at(ec, index)).map(|line| line.to_text(ec));
        let backtrace =
            lines.map_or(Vec::new(), |lines| (0..lines.len(ec)).filter_map(|i| line(ec, lines, i)).collect());
        Error { kind, class, message: message.unwrap_or_default(), backtrace, exception: Some(held) }
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if let Some(place) = self.backtrace.first() {
            write!(f, "{place}: ")?;
        }
        f.write_str(&self.message)?;
        if self.class.is_empty() { Ok(()) } else { write!(f, " ({})", self.class) }
    }
}

impl std::error::Error for Error {}
