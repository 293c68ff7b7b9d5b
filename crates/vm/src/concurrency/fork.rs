//! Forking, with the locks held that the child needs.

use crate::concurrency::ractor_object::RactorObject;
use crate::concurrency::world::World;
use crate::ec::{Ec, Result};
use crate::value::data::Data;
use std::sync::atomic::Ordering;

impl Ec {
    /// Forks, with all other Ractors at a poll, where they hold no lock. The child has the calling thread alone.
    pub fn fork(&mut self) -> Result<std::io::Result<i32>> {
        self.only_in_main_ractor("can not fork from non-main Ractors")?;
        if !self.vm().has_several_ractors() {
            return Ok(self.fork_process());
        }
        let mut world = self.stop_world();
        let result = self.fork_process();
        if matches!(result, Ok(0)) {
            world.keep_turns();
            self.vm().ractors().iter_mut().skip(1).for_each(|m| m.has_ended = true);
            self.vm().living_ractors.store(1, Ordering::Release);
            self.end_ractors_of_parent(&world);
            world.adopt_ended(self);
        }
        Ok(result)
    }

    fn fork_process(&mut self) -> std::io::Result<i32> {
        let is_child = |pid: &std::io::Result<i32>| matches!(pid, Ok(0));
        let shared = self.ractor().shared.clone();
        let workers = &self.vm().workers;
        let wake = self.thread_data().get(self).wake.clone();
        let pid = carat_os::process::fork(|fork| {
            let fork = || wake.blocked.undisturbed(fork);
            workers.fork_locked(|| shared.fork_locked(fork, is_child), is_child)
        })?;
        if pid == 0 {
            self.forget_other_threads();
        }
        Ok(pid)
    }

    fn end_ractors_of_parent(&self, world: &World) {
        for ractor in world.ractors(self).into_iter().filter(|r| !r.is_main()) {
            if let Some(object) = Data::<RactorObject>::from_value(ractor.object.get()) {
                object.get(self).end_in_child();
            }
        }
    }
}
