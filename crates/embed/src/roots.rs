//! Objects that the host holds: places in an array that the VM keeps.

use carat_vm::{Array, Ec};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// An object of a VM, which lives as long as this or a clone of it does. Only the VM that made it can use it.
#[derive(Clone)]
pub struct Value(Arc<Place>);

struct Place {
    index: usize,
    roots: Arc<Roots>,
}

impl Drop for Place {
    fn drop(&mut self) {
        self.roots.state().left.push(self.index);
    }
}

impl std::fmt::Debug for Value {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Value({})", self.0.index)
    }
}

/// The places of one VM.
pub(crate) struct Roots {
    array: carat_vm::Value,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    len: usize,
    /// Places that nobody uses.
    free: Vec<usize>,
    /// Places that the host has given up and that still refer to their objects.
    left: Vec<usize>,
}

impl Roots {
    pub(crate) fn new(ec: &Ec) -> Arc<Roots> {
        let array = ec.vm().keep(Array::new(ec, 0).value());
        Arc::new(Roots { array, state: Mutex::default() })
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Lets go of what the host has given up.
    pub(crate) fn tidy(&self, ec: &mut Ec) {
        let left = std::mem::take(&mut self.state().left);
        for index in &left {
            Array::expect(self.array).set(ec, *index, carat_vm::Value::NIL);
        }
        self.state().free.extend(left);
    }

    pub(crate) fn hold(self: &Arc<Roots>, ec: &mut Ec, value: carat_vm::Value) -> Value {
        let index = {
            let mut state = self.state();
            state.free.pop().unwrap_or_else(|| {
                state.len += 1;
                state.len - 1
            })
        };
        Array::expect(self.array).set(ec, index, value);
        Value(Arc::new(Place { index, roots: self.clone() }))
    }

    /// The object; `None` if it is another VM's.
    pub(crate) fn find(self: &Arc<Roots>, ec: &Ec, value: &Value) -> Option<carat_vm::Value> {
        Arc::ptr_eq(&value.0.roots, self).then(|| Array::expect(self.array).at(ec, value.0.index))
    }
}
