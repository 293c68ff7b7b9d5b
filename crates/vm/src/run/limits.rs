//! What a host allows a program: bytes, fuel, time, and which native methods there are.
//!
//! # Stopping
//! A stop is asked for by the host, by a watchdog, or by a poll that finds a limit passed. It unwinds like `Thread#kill`, but no
//! handler is entered, `ensure` included: code of the program does not run again. As long as the stop lasts contexts stay
//! armed, so that native code which goes on after an error unwinds at its next poll.
//!
//! # Fuel
//! A unit is a poll: the entry of a method written in Ruby, a turn of a loop, or a turn of a native loop that polls. A context
//! with fuel stays armed, so that each of them takes the slow path, and one without pays nothing.
//!
//! # Bytes
//! What counts is what the heap's books have (pages of slots, buffers, hashes, integers, native data), the tables of the VM, and
//! a share for each thread. They are looked at where a collection is due; above the cap a full collection is tried first. A
//! program that is above the cap raises `NoMemoryError`; one that goes on until it is a quarter above it is stopped.

use crate::concurrency::ractor::RactorEntry;
use crate::ec::{Ec, Result, Unwind, interrupt};
use crate::vm::Vm;
use std::sync::atomic::{AtomicBool, AtomicI64, AtomicU8, AtomicUsize, Ordering};

/// Why a program was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum Stop {
    Deadline = 1,
    Fuel = 2,
    Memory = 3,
    Host = 4,
}

impl Stop {
    fn from_number(number: u8) -> Option<Stop> {
        [Stop::Deadline, Stop::Fuel, Stop::Memory, Stop::Host].into_iter().find(|stop| *stop as u8 == number)
    }
}

/// One VM's limits.
pub struct Limits {
    /// Polls have something to look at here.
    is_active: AtomicBool,
    stop: AtomicU8,
    has_fuel: AtomicBool,
    fuel: AtomicI64,
    most_bytes: AtomicUsize,
    /// Bytes in use when they were last counted.
    used_bytes: AtomicUsize,
    most_threads: AtomicUsize,
}

/// What a thread counts for beside its objects: its context, and what it touches of its two stacks.
const THREAD_BYTES: usize = 64 << 10;

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            is_active: AtomicBool::new(false),
            stop: AtomicU8::new(0),
            has_fuel: AtomicBool::new(false),
            fuel: AtomicI64::new(0),
            most_bytes: AtomicUsize::new(usize::MAX),
            used_bytes: AtomicUsize::new(0),
            most_threads: AtomicUsize::new(usize::MAX),
        }
    }
}

impl Limits {
    /// Why the program is being stopped, if it is.
    pub fn stop(&self) -> Option<Stop> {
        Stop::from_number(self.stop.load(Ordering::SeqCst))
    }

    /// Fuel that is left, if it is limited.
    pub fn fuel(&self) -> Option<u64> {
        self.has_fuel.load(Ordering::Relaxed).then(|| self.fuel.load(Ordering::Relaxed).max(0) as u64)
    }

    /// Bytes in use when they were last counted.
    pub fn used_bytes(&self) -> usize {
        self.used_bytes.load(Ordering::Relaxed)
    }

    pub fn most_bytes(&self) -> Option<usize> {
        Some(self.most_bytes.load(Ordering::Relaxed)).filter(|most| *most != usize::MAX)
    }

    /// Whether `bytes` more may be had at once.
    pub fn allows(&self, bytes: usize) -> bool {
        let most = self.most_bytes.load(Ordering::Relaxed);
        self.used_bytes().saturating_add(bytes) <= most
    }

    /// The number of threads, Ractors' included, that the program may have.
    pub fn set_most_threads(&self, most: usize) {
        self.most_threads.store(most, Ordering::Relaxed);
    }

    pub fn most_threads(&self) -> usize {
        self.most_threads.load(Ordering::Relaxed)
    }

    #[inline]
    pub(crate) fn is_active(&self) -> bool {
        self.is_active.load(Ordering::Relaxed)
    }

    fn update_activity(&self) {
        self.is_active.store(self.stop().is_some() || self.has_fuel.load(Ordering::SeqCst), Ordering::SeqCst);
    }
}

impl Vm {
    /// Limits what is kept to so many bytes.
    pub fn set_most_bytes(&self, bytes: Option<usize>) {
        self.limits.most_bytes.store(bytes.unwrap_or(usize::MAX), Ordering::SeqCst);
    }

    /// Gives the program so many polls from here on.
    pub fn set_fuel(&self, units: Option<u64>) {
        self.limits.fuel.store(units.map_or(0, |units| i64::try_from(units).unwrap_or(i64::MAX)), Ordering::SeqCst);
        self.limits.has_fuel.store(units.is_some(), Ordering::SeqCst);
        self.limits.update_activity();
        if units.is_some() {
            self.arm_everybody(0);
        }
    }

    /// Ends what runs in the VM, whichever thread asks. The first reason counts.
    pub fn stop(&self, why: Stop) {
        let _ = self.limits.stop.compare_exchange(0, why as u8, Ordering::SeqCst, Ordering::SeqCst);
        self.limits.update_activity();
        self.arm_everybody(interrupt::RAISE);
        if let Some(main) = self.main_ractor() {
            main.kick_main();
        }
    }

    /// The VM may run programs again. What stopped it, if anything did.
    pub fn clear_stop(&self) -> Option<Stop> {
        let stop = Stop::from_number(self.limits.stop.swap(0, Ordering::SeqCst));
        self.limits.update_activity();
        stop
    }

    /// Threads of all Ractors that have a context.
    pub(crate) fn thread_count(&self) -> usize {
        let count = |entry: &RactorEntry| entry.shared.pollers.lock().unwrap_or_else(|e| e.into_inner()).len();
        self.ractors().iter().map(count).sum()
    }

    fn arm_everybody(&self, bits: u32) {
        let ractors: Vec<_> = self.ractors().iter().map(|entry| entry.shared.clone()).collect();
        ractors.iter().for_each(|ractor| ractor.arm_all(bits));
    }
}

impl Ec {
    /// Part of a poll, where something is limited or stopped.
    #[cold]
    pub(crate) fn check_limits(&mut self) -> Result<()> {
        let limits = &self.vm().limits;
        self.arm(0);
        if limits.stop().is_none()
            && limits.has_fuel.load(Ordering::Relaxed)
            && limits.fuel.fetch_sub(1, Ordering::Relaxed) <= 0
        {
            self.vm().stop(Stop::Fuel);
        }
        if self.vm().limits.stop().is_some() { Err(self.throw_stop()) } else { Ok(()) }
    }

    /// Part of a poll at which a collection was due.
    pub(crate) fn check_memory(&mut self) -> Result<()> {
        let most = self.vm().limits.most_bytes.load(Ordering::Relaxed);
        if most == usize::MAX || self.count_bytes() <= most {
            return Ok(());
        }
        self.collect_garbage(true);
        let used = self.count_bytes();
        if used > most.saturating_add(most / 4) {
            self.vm().stop(Stop::Memory);
            return Err(self.throw_stop());
        }
        if used > most { Err(self.no_memory()) } else { Ok(()) }
    }

    /// Counts the bytes in use: this Ractor's exactly, the others' as they counted last.
    fn count_bytes(&mut self) -> usize {
        let heap = self.heap();
        let stats = heap.stats();
        let threads = self.ractor().contexts.borrow().len() * THREAD_BYTES;
        let own = stats.slot_bytes + stats.external_bytes + threads;
        self.ractor().shared.counted_bytes.store(own, Ordering::Relaxed);
        let counted = |entry: &RactorEntry| entry.shared.counted_bytes.load(Ordering::Relaxed);
        let heaps: usize = self.vm().ractors().iter().map(counted).sum();
        let tables: usize = self.vm().table_sizes().iter().map(|(_, bytes)| bytes).sum();
        let used = heaps.saturating_add(tables);
        self.vm().limits.used_bytes.store(used, Ordering::Relaxed);
        used
    }

    /// Counts the bytes in use now.
    pub fn bytes_in_use(&mut self) -> usize {
        self.count_bytes()
    }

    fn throw_stop(&mut self) -> Unwind {
        crate::run::unwind::start_stop(self)
    }
}
