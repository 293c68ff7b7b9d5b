//! `Ractor::Port`: where messages wait for the Ractor that made it.
//!
//! # Waiting
//! Who waits leaves what wakes it in every port that it looks at, under the same lock under which it found the port empty.
//! A sender puts the message in and wakes whoever is entered. So no message is missed, and nobody waits but the receiver.

use crate::concurrency::ractor_object::RactorObject;
use crate::concurrency::thread::Wake;
use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::value::data::{Data, NativeData};
use carat_layout::Value;
use carat_sync::{Mutex, MutexGuard, PoisonError};
use std::collections::VecDeque;
use std::sync::Arc;

/// Contents of a port. Shareable: only what is behind the lock changes.
pub struct Port {
    pub id: u64,
    /// The `Ractor` object of the Ractor that made it; nil as long as it is not initialized.
    pub owner: Value,
    state: Mutex<Mailbox>,
}

#[derive(Default)]
struct Mailbox {
    messages: VecDeque<Value>,
    is_closed: bool,
    waiting: Vec<Arc<Wake>>,
}

/// What a look into a port finds.
pub enum Look {
    Message(Value),
    Empty,
    /// Empty, and nothing will come any more.
    Closed,
}

impl NativeData for Port {
    const NAME: &'static str = "ractor/port";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.owner);
        self.state().messages.iter().for_each(|v| mark(*v));
    }
}

impl Port {
    fn state(&self) -> MutexGuard<'_, Mailbox> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn is_closed(&self) -> bool {
        self.state().is_closed
    }

    /// Puts a message in, which is the receiver's from here on; false if the port is closed.
    pub fn put(&self, message: Value) -> bool {
        let mut state = self.state();
        if state.is_closed {
            return false;
        }
        state.messages.push_back(message);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.iter().for_each(|w| w.wake());
        true
    }

    /// Refuses further messages; true if it did already.
    pub fn close(&self) -> bool {
        let mut state = self.state();
        let was_closed = std::mem::replace(&mut state.is_closed, true);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        waiting.iter().for_each(|w| w.wake());
        was_closed
    }

    fn look(&self, wake: &Arc<Wake>) -> Look {
        let mut state = self.state();
        if let Some(message) = state.messages.pop_front() {
            return Look::Message(message);
        }
        if state.is_closed {
            return Look::Closed;
        }
        if !state.waiting.iter().any(|w| Arc::ptr_eq(w, wake)) {
            state.waiting.push(wake.clone());
        }
        Look::Empty
    }

    fn leave(&self, wake: &Arc<Wake>) {
        self.state().waiting.retain(|w| !Arc::ptr_eq(w, wake));
    }
}

impl Ec {
    /// A port of the running Ractor.
    pub fn new_port(&mut self, class: Class) -> Data<Port> {
        let owner = self.ractor_object().value();
        self.new_port_of(class, owner)
    }

    pub(crate) fn new_port_of(&mut self, class: Class, owner: Value) -> Data<Port> {
        let port = self.allocate_port(class);
        self.initialize_port(port, owner);
        port
    }

    /// A port that nobody can use yet.
    pub fn allocate_port(&self, class: Class) -> Data<Port> {
        Data::new(self, class, Port { id: self.vm().next_port_id(), owner: Value::NIL, state: Mutex::default() })
    }

    /// Makes an allocated port one of a Ractor's.
    pub fn initialize_port(&mut self, port: Data<Port>, owner: Value) {
        port.get_mut(self).owner = owner;
        self.wrote(port.value());
        self.share(port.value());
        self.freeze(port.value());
    }

    /// Waits for the first message in one of the ports, which the running Ractor owns: the port's index and the message.
    /// `None` for the message means that the port is closed.
    pub fn receive_from(&mut self, ports: &[Data<Port>]) -> Result<(usize, Option<Value>)> {
        let mut wakes: Option<Arc<Wake>> = None;
        let result = self.park_until(|ec, wake| {
            wakes.get_or_insert_with(|| wake.clone());
            ports.iter().enumerate().find_map(|(index, port)| match port.get(ec).look(wake) {
                Look::Message(message) => Some((index, Some(message))),
                Look::Closed => Some((index, None)),
                Look::Empty => None,
            })
        });
        if let Some(wake) = wakes {
            ports.iter().for_each(|p| p.get(self).leave(&wake));
        }
        result
    }
}

impl Data<Port> {
    /// Whether the running Ractor made the port.
    pub fn is_owned(self, ec: &mut Ec) -> bool {
        let own = ec.ractor_object().value();
        self.get(ec).owner == own
    }

    /// A port refuses messages once it is closed, or its Ractor has ended.
    pub fn is_closed(self, ec: &Ec) -> bool {
        let port = self.get(ec);
        let owner = Data::<RactorObject>::from_value(port.owner);
        port.is_closed() || owner.is_some_and(|r| r.get(ec).outcome().is_some())
    }
}
