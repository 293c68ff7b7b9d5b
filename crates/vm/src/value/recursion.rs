//! Guards against endless recursion through data that contains itself: `inspect`, `==`, `hash`, `flatten`.
//!
//! What is being visited is a list in the context, as long as the nesting is deep. A short one is searched from its end, beside
//! a longer one there is a set of the same, so that a million levels take no time that grows with their square.

use crate::ec::{Ec, Result};
use carat_layout::{SymbolId, Value};
use rustc_hash::FxHashSet;

/// Who visits objects: an operation of the core, or a function of C code by its address.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub enum Visitor {
    Operation(SymbolId),
    Function(usize),
}

impl From<SymbolId> for Visitor {
    fn from(operation: SymbolId) -> Visitor {
        Visitor::Operation(operation)
    }
}

/// Who visits, object, other.
type Visit = (Visitor, Value, Value);

/// As many visits are looked at one by one.
const SHORT: usize = 16;

/// What is being visited in a fiber.
#[derive(Default)]
pub(crate) struct Visits {
    path: Vec<Visit>,
    /// The same, as bits, while there are more than [`SHORT`].
    known: FxHashSet<(Visitor, u64, u64)>,
}

fn bits((visitor, object, peer): Visit) -> (Visitor, u64, u64) {
    (visitor, object.bits(), peer.bits())
}

impl Visits {
    pub(crate) fn is_empty(&self) -> bool {
        self.path.is_empty()
    }

    /// Objects that are visited, for the collector.
    pub(crate) fn values(&self) -> impl Iterator<Item = Value> {
        self.path.iter().flat_map(|(_, object, peer)| [*object, *peer])
    }

    fn contains(&self, visit: Visit) -> bool {
        if self.path.len() > SHORT {
            self.known.contains(&bits(visit))
        } else {
            self.path.iter().rev().any(|v| *v == visit)
        }
    }

    fn push(&mut self, visit: Visit) {
        self.path.push(visit);
        if self.path.len() > SHORT + 1 {
            self.known.insert(bits(visit));
        } else if self.path.len() > SHORT {
            self.known.extend(self.path.iter().copied().map(bits));
        }
    }

    fn remove(&mut self, visit: Visit) {
        let Some(at) = self.path.iter().rposition(|v| *v == visit) else { return };
        self.path.remove(at);
        if self.path.len() > SHORT {
            self.known.remove(&bits(visit));
        } else {
            self.known = FxHashSet::default();
        }
    }
}

impl Ec {
    /// Notes that `object` (together with `peer`, or nil) is being visited by `visitor`. False if it is already.
    pub fn recursion_enter(&mut self, visitor: impl Into<Visitor>, object: Value, peer: Value) -> bool {
        let visit = (visitor.into(), object, peer);
        let is_new = !self.recursion.contains(visit);
        if is_new {
            self.recursion.push(visit);
        }
        is_new
    }

    /// Ends the visit that the matching `recursion_enter` began.
    pub fn recursion_leave(&mut self, visitor: impl Into<Visitor>, object: Value, peer: Value) {
        self.recursion.remove((visitor.into(), object, peer));
    }

    /// Runs `body` as a visit; `None` if the object is being visited already.
    pub fn guarded<T>(
        &mut self,
        visitor: impl Into<Visitor>,
        object: Value,
        peer: Value,
        body: impl FnOnce(&mut Ec) -> Result<T>,
    ) -> Result<Option<T>> {
        let visitor = visitor.into();
        if !self.recursion_enter(visitor, object, peer) {
            return Ok(None);
        }
        let result = body(self);
        self.recursion_leave(visitor, object, peer);
        result.map(Some)
    }

    /// Whether the operation visits anything.
    pub fn is_visiting(&self, operation: SymbolId) -> bool {
        self.recursion.path.iter().any(|v| v.0 == operation.into())
    }
}
