//! Stopping all Ractors, for what needs them all to stand still: a collection, the end of the program.
//!
//! # Algorithm
//! Whoever runs in a Ractor has its turn. To stop the others is therefore to take their turns, before everybody who waits
//! for them: a running thread gives its turn up at its next poll, where all its frames are published. One thread stops the
//! world at a time. Another one that wants to gives up its own turn while it waits.
//!
//! # Invariants
//! * Members join the list while a thread of some Ractor runs, and leave it in a stopped world or once they have ended, so
//!   the list does not change while the world stands still.
//! * Nobody holds a lock of the VM across a poll, so the stopped threads hold none.

use crate::concurrency::ractor::{Ractor, RactorEntry, RactorShared};
use crate::ec::Ec;
use carat_sync::{MutexGuard, PoisonError, TryLockError};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// All other Ractors stand still as long as this lives.
pub(crate) struct World {
    taken: Vec<Arc<RactorShared>>,
    _one_at_a_time: MutexGuard<'static, ()>,
}

impl Drop for World {
    fn drop(&mut self) {
        self.taken.iter().for_each(|shared| shared.release());
    }
}

impl Ec {
    /// Stops all other Ractors at a poll. Other threads of this one may run before that is done.
    pub(crate) fn stop_world(&mut self) -> World {
        let lock = &self.vm().world;
        let guard = match lock.try_lock() {
            Ok(guard) => guard,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            Err(TryLockError::WouldBlock) => self.without_turn(|| lock.lock().unwrap_or_else(PoisonError::into_inner)),
        };
        let mut world = World { taken: Vec::new(), _one_at_a_time: guard };
        while let Some(next) = self.next_to_stop(&world) {
            next.acquire_urgently();
            world.taken.push(next);
        }
        world
    }

    /// A Ractor that may still run. A running one may start another, so the list is read again for each.
    fn next_to_stop(&self, world: &World) -> Option<Arc<RactorShared>> {
        let own = self.ractor().shared.id;
        let is_stopped = |m: &&RactorEntry| m.shared.id == own || world.taken.iter().any(|s| s.id == m.shared.id);
        self.vm().ractors().iter().find(|m| !is_stopped(m)).map(|m| m.shared.clone())
    }
}

impl World {
    /// For the child of a fork, where nobody is left who waits for these turns: one of those that did may have had its lock.
    pub(crate) fn keep_turns(&mut self) {
        self.taken.clear();
    }

    /// The Ractors in the list, ended ones included. Only in this world may their contents be looked at.
    pub(crate) fn ractors(&self, ec: &Ec) -> Vec<&Ractor> {
        // SAFETY: members are freed in a stopped world only, and this one is ours.
        ec.vm().ractors().iter().map(|m| unsafe { &*m.pointer }).collect()
    }

    /// Gives the heaps of ended Ractors to the main one. Nothing refers to such a Ractor but the list.
    pub(crate) fn adopt_ended(&self, ec: &Ec) {
        let mut members = ec.vm().ractors();
        // SAFETY: the main Ractor stands still or runs this.
        let main = unsafe { &*members[0].pointer };
        members.extract_if(.., |m| m.has_ended).for_each(|m| main.adopt(m.into_ended()));
        let is_alone = members.len() == 1;
        ec.vm().is_multi_ractor.store(!is_alone, Ordering::Release);
        main.heap.set_shared(!is_alone);
    }
}
