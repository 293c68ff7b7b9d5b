//! What the command line decided, as far as the core classes ask for it; one per VM.

use carat_sync::RwLock;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

/// See the module.
#[derive(Default)]
pub struct Settings {
    /// `--backtrace-limit`; 0 is no limit, n + 1 is a limit of n.
    backtrace_limit: AtomicI64,
    /// The script as it was named, or `-e` or `-`.
    script_name: RwLock<String>,
    /// `-p`, `-l`, `-a`: the variables of these names.
    pub print_loop: AtomicBool,
    pub chomp_loop: AtomicBool,
    pub split_loop: AtomicBool,
}

impl Settings {
    pub fn backtrace_limit(&self) -> Option<usize> {
        usize::try_from(self.backtrace_limit.load(Ordering::Relaxed) - 1).ok()
    }

    pub fn set_backtrace_limit(&self, lines: Option<usize>) {
        let stored = lines.and_then(|l| i64::try_from(l).ok()).map_or(0, |l| l + 1);
        self.backtrace_limit.store(stored, Ordering::Relaxed);
    }

    pub fn script_name(&self) -> String {
        self.script_name.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    pub fn set_script_name(&self, name: &str) {
        *self.script_name.write().unwrap_or_else(|e| e.into_inner()) = name.to_string();
    }
}
