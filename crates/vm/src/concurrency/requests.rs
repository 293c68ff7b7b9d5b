//! What other Ractors have the main one do, where what it is about belongs: `require`, which needs `$LOAD_PATH` and makes what a
//! file's code makes, and `trap`.
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

/// What the main Ractor is asked to do.
pub(crate) struct Request {
    run: fn(&mut Ec, [Value; 2]) -> Result,
    arguments: [Value; 2],
    /// The port that waits for the value, or for the exception.
    answer: Value,
}

impl Request {
    /// Values that it holds, for the collector.
    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        self.arguments.iter().for_each(|v| mark(*v));
        mark(self.answer);
    }
}

impl Ec {
    /// Has the main Ractor require a feature: what `require` returned there, or the exception that it raised.
    pub fn require_in_main_ractor(&mut self, feature: Value) -> Result {
        let require = |ec: &mut Ec, [feature, _]: [Value; 2]| {
            let require = ec.vm().intern("require");
            ec.call(Value::NIL, require, &[feature])
        };
        self.in_main_ractor(require, [feature, Value::NIL])
    }

    /// Has the main Ractor run something with arguments that are shareable, or its own: the value, or the exception that it raised.
    pub fn in_main_ractor(&mut self, run: fn(&mut Ec, [Value; 2]) -> Result, arguments: [Value; 2]) -> Result {
        let answer = self.new_port(self.vm().known().ractor_port);
        let request = Request { run, arguments, answer: answer.value() };
        self.vm().requests().push_back(request);
        if let Some(main) = self.vm().main_ractor() {
            main.arm_all(crate::ec::interrupt::REQUEST);
            main.kick_main();
        }
        let (_, value) = self.receive_from(&[answer])?;
        let value = value.unwrap_or(Value::FALSE);
        if self.is_a(value, self.vm().known().exception) { Err(self.raise(value)) } else { Ok(value) }
    }

    /// Does what other Ractors asked for with [`Ec::in_main_ractor`].
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
        while let Some(request) = self.next_request() {
            // From here on the stack is what keeps its values.
            let result = (request.run)(self, request.arguments);
            std::hint::black_box(&request);
            let value = match result {
                Ok(value) => value,
                Err(unwind) => match self.pending_exception() {
                    Some(exception) => exception,
                    None => {
                        // The thread was killed; another one does it.
                        self.vm().requests().push_front(request);
                        self.ractor().shared.arm_all(crate::ec::interrupt::REQUEST);
                        return Err(unwind);
                    }
                },
            };
            if let Some(answer) = Data::<Port>::from_value(request.answer) {
                answer.get(self).put(value);
            }
        }
        Ok(())
    }

    fn next_request(&self) -> Option<Request> {
        self.vm().requests().pop_front()
    }
}
