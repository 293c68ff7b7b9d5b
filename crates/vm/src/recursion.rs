//! Guards against endless recursion through data that contains itself: `inspect`, `==`, `hash`, `flatten`.
//!
//! What is being visited is a list in the context, searched from its end: it is as long as the nesting is deep.

use crate::ec::{Ec, Result};
use carat_layout::{SymbolId, Value};

impl Ec {
    /// Notes that `object` (together with `peer`, or nil) is being visited for `key`. False if it is already.
    pub fn recursion_enter(&mut self, key: SymbolId, object: Value, peer: Value) -> bool {
        let visit = (key.0, object, peer);
        let is_new = !self.recursion.iter().rev().any(|v| *v == visit);
        if is_new {
            self.recursion.push(visit);
        }
        is_new
    }

    /// Ends the visit that the matching `recursion_enter` began.
    pub fn recursion_leave(&mut self, key: SymbolId, object: Value, peer: Value) {
        let visit = (key.0, object, peer);
        if let Some(at) = self.recursion.iter().rposition(|v| *v == visit) {
            self.recursion.remove(at);
        }
    }

    /// Runs `body` as a visit; `None` if the object is being visited already.
    pub fn guarded<T>(
        &mut self,
        key: SymbolId,
        object: Value,
        peer: Value,
        body: impl FnOnce(&mut Ec) -> Result<T>,
    ) -> Result<Option<T>> {
        if !self.recursion_enter(key, object, peer) {
            return Ok(None);
        }
        let result = body(self);
        self.recursion_leave(key, object, peer);
        result.map(Some)
    }

    /// Whether anything is being visited for `key`.
    pub fn is_visiting(&self, key: SymbolId) -> bool {
        self.recursion.iter().any(|v| v.0 == key.0)
    }
}
