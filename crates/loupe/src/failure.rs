//! Why a command cannot do what it was asked for.

use std::io::Write;

/// Exit status of a command that failed; 1 is for budgets that were not kept.
const STATUS: i32 = 2;

#[derive(Debug)]
pub(crate) struct Failure {
    pub(crate) message: String,
    pub(crate) status: i32,
    /// A signal asked for it.
    pub(crate) signal: Option<i32>,
}

impl Failure {
    pub(crate) fn new(message: impl Into<String>) -> Failure {
        Failure { message: message.into(), status: STATUS, signal: None }
    }

    /// Somebody wants no answer any more.
    pub(crate) fn of_signal(number: i32) -> Failure {
        Failure { message: String::new(), status: 128 + number, signal: Some(number) }
    }

    /// What the system says of a file.
    pub(crate) fn of_file(path: &str, error: &std::io::Error) -> Failure {
        Failure::new(format!("{path}: {}", carat_os::error_text(error)))
    }

    /// Says so on the standard error.
    pub(crate) fn tell(&self) {
        if self.signal.is_none() {
            let _ = writeln!(std::io::stderr(), "loupe: {}", self.message);
        }
    }

    pub(crate) fn at_line(path: &str, line: u64, message: impl std::fmt::Display) -> Failure {
        Failure::new(format!("{path}:{line}: {message}"))
    }
}
