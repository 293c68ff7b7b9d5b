//! When the pages of the executable's code go back to the system: before the program's first line, and after collections at
//! ages of the process that double and when its other memory has grown by a quarter; the compilers' whenever it is larger than ever.
//!
//! A phase of a program (its boot, its `require`s, its work) runs code of its own, and what the kernel once mapped stays mapped.
//! After each return 30 to 80 groups of pages are mapped once more, about a microsecond each; with ages that double, a process
//! of an hour has paid that eighteen times. A program that builds something up is largest at its end, when the code of its
//! beginning should not be there.
//!
//! The compilers' pages come at once when one is needed again, 20 microseconds for each: fifty faults took as long as the
//! compilation of a unit, and the program stands still meanwhile.

use crate::vm::Vm;
use carat_os::code_pages::Cuts;
use std::ops::Range;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::time::Instant;

/// The least age at which a collection gives pages back, and the least time between two that ask whether memory has grown.
const FIRST_MILLISECONDS: u64 = 16;
/// The least age at which mappings are cut, too: a millisecond or two once, for a process that lives longer than that.
const CUT_MILLISECONDS: u64 = 32;

pub(crate) struct CodePages {
    start: Instant,
    due_at_milliseconds: AtomicU64,
    asked_at_milliseconds: AtomicU64,
    /// The process's own memory, without what it shares, at which they are due before that time.
    due_at_bytes: AtomicU64,
    /// The most of it that was seen.
    largest_bytes: AtomicU64,
    /// Times that the compilers' pages went, with all others or alone.
    times_given_back: AtomicU32,
    /// What that was when the pages of each tier's compiler came.
    fetched: [AtomicU32; 2],
    cuts: Mutex<Cuts>,
}

/// The compiler of a tier.
#[derive(Clone, Copy)]
pub(crate) enum Tier {
    First,
    Second,
}

impl Tier {
    /// Where the linker put its functions, if it was told to put them at one place: see `crates/cli/startup.ld`.
    #[cfg(target_arch = "x86_64")]
    fn text(self) -> Range<usize> {
        /// The address of a symbol, or null.
        macro_rules! address {
            ($symbol:literal) => {{
                let address: usize;
                // SAFETY: reads an address that the linker knows.
                unsafe {
                    std::arch::asm!(
                        concat!(".weak ", $symbol),
                        concat!("mov {}, qword ptr [rip + ", $symbol, "@GOTPCREL]"),
                        out(reg) address,
                        options(pure, readonly, nostack, preserves_flags),
                    );
                }
                address
            }};
        }
        match self {
            Tier::First => address!("carat_code_of_compiled")..address!("carat_code_of_compiled_end"),
            Tier::Second => address!("carat_code_of_jit")..address!("carat_code_of_compiled"),
        }
    }

    #[cfg(not(target_arch = "x86_64"))]
    fn text(self) -> Range<usize> {
        0..0
    }
}

impl Default for CodePages {
    fn default() -> CodePages {
        CodePages {
            start: Instant::now(),
            due_at_milliseconds: AtomicU64::new(0),
            asked_at_milliseconds: AtomicU64::new(0),
            due_at_bytes: AtomicU64::new(0),
            largest_bytes: AtomicU64::new(0),
            times_given_back: AtomicU32::new(0),
            fetched: Default::default(),
            cuts: Mutex::default(),
        }
    }
}

impl CodePages {
    fn age_milliseconds(&self) -> u64 {
        u64::try_from(self.start.elapsed().as_millis()).unwrap_or(u64::MAX)
    }

    /// Which pages are due to go back: they count as gone then.
    fn due(&self, age: u64) -> Due {
        let due_at = self.due_at_milliseconds.load(Ordering::Relaxed);
        let asked_at = self.asked_at_milliseconds.load(Ordering::Relaxed);
        if age < due_at && age < asked_at + FIRST_MILLISECONDS {
            return Due::Nothing;
        }
        self.asked_at_milliseconds.store(age, Ordering::Relaxed);
        let own_bytes = carat_os::resident().map_or(0, |resident| resident.bytes.saturating_sub(resident.shared_bytes));
        let is_largest = own_bytes > self.largest_bytes.fetch_max(own_bytes, Ordering::Relaxed);
        if age >= due_at {
            self.due_at_milliseconds.store(age.saturating_mul(2).max(FIRST_MILLISECONDS), Ordering::Relaxed);
        } else if own_bytes < self.due_at_bytes.load(Ordering::Relaxed) {
            return if is_largest && self.has_compilers() { Due::Compilers } else { Due::Nothing };
        }
        self.due_at_bytes.store((own_bytes + own_bytes / 4).max(1), Ordering::Relaxed);
        Due::All
    }

    /// Whether a compiler ran since its pages were given back.
    fn has_compilers(&self) -> bool {
        let given_back = self.times_given_back.load(Ordering::Relaxed);
        self.fetched.iter().any(|fetched| fetched.load(Ordering::Relaxed) == given_back)
    }
}

enum Due {
    Nothing,
    Compilers,
    All,
}

impl Vm {
    /// Gives the pages of code back that are due, unless they are of a host's executable.
    pub fn give_back_code_pages(&self) {
        if !self.config.owns_process {
            return;
        }
        let age = self.code_pages.age_milliseconds();
        match self.code_pages.due(age) {
            Due::Nothing => return,
            Due::Compilers => {
                [Tier::First, Tier::Second].map(Tier::text).into_iter().for_each(carat_os::code_pages::give_back_code);
            }
            Due::All => {
                // A thread that a fork left behind may hold them.
                let mut cuts = self.code_pages.cuts.try_lock().ok().filter(|_| age >= CUT_MILLISECONDS);
                carat_os::code_pages::give_back(cuts.as_deref_mut());
            }
        }
        self.code_pages.times_given_back.fetch_add(1, Ordering::Relaxed);
    }

    /// A compiler is about to run: gets its pages if it did not run since they were given back.
    pub(crate) fn fetch_compiler(&self, tier: Tier) {
        let given_back = self.code_pages.times_given_back.load(Ordering::Relaxed);
        if self.code_pages.fetched[tier as usize].swap(given_back, Ordering::Relaxed) != given_back {
            carat_os::code_pages::fetch(tier.text());
        }
    }
}
