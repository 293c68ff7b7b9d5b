//! What other Ractors have the main one do: `require`, since `$LOAD_PATH` and what a file's code makes belong there.
//!
//! # Order
//! A request waits in the VM's list until the main Ractor's next poll. Its answer is a message to a port of the one that asked.
//! One is done at a time: inside a `require` of the same thread, another one of the same feature would find it begun and answer
//! before its code has run. Only where that thread waits for a Ractor, which may wait for its own request, one is done inside another.

use crate::concurrency::port::Port;
use crate::ec::{Ec, Result};
use crate::value::data::Data;
use carat_layout::Value;
use std::sync::atomic::Ordering;

impl Ec {
    /// Has the main Ractor require a feature: what `require` returned there, or the exception that it raised.
    pub fn require_in_main_ractor(&mut self, feature: Value) -> Result {
        let answer = self.new_port(self.vm().known().ractor_port);
        self.vm().requests().push_back((feature, answer.value()));
        if let Some(main) = self.vm().main_ractor() {
            main.arm_all(crate::ec::interrupt::REQUIRE);
            main.kick_main();
        }
        let (_, value) = self.receive_from(&[answer])?;
        let value = value.unwrap_or(Value::FALSE);
        if self.is_a(value, self.vm().known().exception) { Err(self.raise(value)) } else { Ok(value) }
    }

    /// Does what other Ractors asked for with [`Ec::require_in_main_ractor`].
    pub(crate) fn serve_requests(&mut self) -> Result<()> {
        let waits_for_ractor = self.thread_data().get(self).waits_for_ractor;
        if self.vm().serving_requests.load(Ordering::Acquire) > 0 && !waits_for_ractor {
            return Ok(());
        }
        self.vm().serving_requests.fetch_add(1, Ordering::AcqRel);
        let thread = self.thread_data();
        thread.get_mut(self).waits_for_ractor = false;
        let result = self.serve_waiting_requests();
        thread.get_mut(self).waits_for_ractor = waits_for_ractor;
        self.vm().serving_requests.fetch_sub(1, Ordering::AcqRel);
        result
    }

    /// What nobody does while another request is done.
    pub(crate) fn has_requests(&self) -> bool {
        !self.vm().requests().is_empty()
    }

    fn serve_waiting_requests(&mut self) -> Result<()> {
        while let Some((feature, answer)) = self.next_request() {
            let require = self.vm().intern("require");
            let value = match self.call(Value::NIL, require, &[feature]) {
                Ok(value) => value,
                Err(unwind) => match self.pending_exception() {
                    Some(exception) => exception,
                    None => {
                        // The thread was killed; another one does it.
                        self.vm().requests().push_front((feature, answer));
                        self.ractor().shared.arm_all(crate::ec::interrupt::REQUIRE);
                        return Err(unwind);
                    }
                },
            };
            if let Some(answer) = Data::<Port>::from_value(answer) {
                answer.get(self).put(value);
            }
        }
        Ok(())
    }

    fn next_request(&self) -> Option<(Value, Value)> {
        self.vm().requests().pop_front()
    }
}
