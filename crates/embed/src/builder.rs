//! What the programs of a VM may do, and how much of it.

use crate::error::Error;
use crate::host::{Host, Input, Output, Sources};
use crate::vm::Vm;
use carat_vm::Jit;
use std::time::Duration;

/// Describes a VM. It starts with nothing: no files, no processes, no environment, output that goes nowhere, and no limits.
#[derive(Default)]
#[must_use]
pub struct Builder {
    pub(crate) max_bytes: Option<usize>,
    pub(crate) deadline: Option<Duration>,
    pub(crate) fuel: Option<u64>,
    pub(crate) max_threads: Option<usize>,
    pub(crate) files: bool,
    pub(crate) processes: bool,
    pub(crate) environment: Vec<(String, String)>,
    pub(crate) host: Host,
    pub(crate) gc_stress: Option<(u64, u64)>,
    pub(crate) jit: Jit,
}

impl Builder {
    /// Bytes that programs may hold, the VM's own included. Beyond it `NoMemoryError` is raised; a program that goes on until it
    /// holds a quarter more is stopped.
    pub fn max_bytes(mut self, bytes: usize) -> Builder {
        self.max_bytes = Some(bytes);
        self
    }

    /// How long each call from the host may take.
    pub fn deadline(mut self, time: Duration) -> Builder {
        self.deadline = Some(time);
        self
    }

    /// How many polls each call from the host may take: a poll is the entry of a method written in Ruby, or a turn of a loop.
    /// The same program uses the same fuel each time, but runs several times slower than without.
    pub fn fuel(mut self, units: u64) -> Builder {
        self.fuel = Some(units);
        self
    }

    /// Threads that programs may have at a time, the main one and those of Ractors included.
    pub fn max_threads(mut self, threads: usize) -> Builder {
        self.max_threads = Some(threads);
        self
    }

    /// Programs may use files, folders, pipes, sockets and descriptors.
    pub fn allow_files(mut self) -> Builder {
        self.files = true;
        self
    }

    /// Programs may start other processes and wait for them, and read the process's environment. `fork`, `exec`, `exit!`, signal
    /// handlers and what else changes the host's own process stay forbidden.
    pub fn allow_processes(mut self) -> Builder {
        self.processes = true;
        self
    }

    /// What `ENV` has.
    pub fn environment<K: Into<String>, V: Into<String>>(mut self, pairs: impl IntoIterator<Item = (K, V)>) -> Builder {
        self.environment.extend(pairs.into_iter().map(|(key, value)| (key.into(), value.into())));
        self
    }

    /// Takes what programs write to `$stdout`.
    pub fn stdout(mut self, write: impl Fn(&[u8]) + Send + Sync + 'static) -> Builder {
        self.host.stdout = Output::new(write);
        self
    }

    /// Takes what programs write to `$stderr`.
    pub fn stderr(mut self, write: impl Fn(&[u8]) + Send + Sync + 'static) -> Builder {
        self.host.stderr = Output::new(write);
        self
    }

    /// Gives lines to `$stdin`, with their ends; `None` is the end of the input.
    pub fn stdin(mut self, line: impl Fn() -> Option<Vec<u8>> + Send + Sync + 'static) -> Builder {
        self.host.stdin = Input::new(line);
        self
    }

    /// Gives the source of a feature that `require` asks for; `None` leaves it to Carat's own library.
    pub fn sources(mut self, find: impl Fn(&str) -> Option<String> + Send + Sync + 'static) -> Builder {
        self.host.sources = Some(Sources::new(find));
        self
    }

    /// One poll in `period` collects, chosen by a seed: for tests.
    pub fn gc_stress(mut self, seed: u64, period: u64) -> Builder {
        self.gc_stress = Some((seed, period.max(1)));
        self
    }

    /// Whether what runs often is compiled to machine code, as it is otherwise: the process must be allowed to map executable memory.
    pub fn jit(mut self, is_on: bool) -> Builder {
        self.jit = if is_on { Jit::default() } else { Jit::Off };
        self
    }

    #[cfg(test)]
    pub(crate) fn jit_mode(mut self, mode: Jit) -> Builder {
        self.jit = mode;
        self
    }

    /// A VM on the running thread, where it stays.
    pub fn build(self) -> Result<Vm, Error> {
        let marker = 0usize;
        Vm::new(self, std::ptr::from_ref(std::hint::black_box(&marker)).addr())
    }
}
