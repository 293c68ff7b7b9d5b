//! String keys: `hash[string] = value` keeps a frozen string of the same contents.
//!
//! Which object that is nobody can tell but by its identity. So the same few names under which thousands of records are stored are
//! one object each: a Ractor remembers the copies that it made last, by their hashes, until the next collection. CRuby takes a
//! key from its table of all frozen strings; looking there and adding what is missing costs each new key more than its copy.

use crate::ec::Ec;
use crate::value::string::Str;
use carat_layout::Value;
use std::cell::Cell;

/// Copies remembered at a time: 2 KB, which stay in the cache.
const KEYS: usize = 256;

/// Longer strings are names of nothing: they come once.
const MAX_BYTES: usize = 64;

/// The copies that a Ractor made last.
pub(crate) struct Keys([Cell<Value>; KEYS]);

impl Default for Keys {
    fn default() -> Keys {
        Keys([const { Cell::new(Value::NIL) }; KEYS])
    }
}

impl Keys {
    /// For a collection: what is only remembered may die.
    pub(crate) fn clear(&self) {
        self.0.iter().for_each(|key| key.set(Value::NIL));
    }

    fn place(&self, hash: u64) -> &Cell<Value> {
        &self.0[(hash >> 40) as usize % KEYS]
    }
}

impl Str {
    /// What a hash keeps of a key, whose hash is given: a frozen string like it, but of a subclass the key itself.
    pub(super) fn kept_key(self, ec: &Ec, hash: u64) -> Str {
        if !ec.is_plain_core(self.value()) {
            let class = ec.class_of(self.value()).real();
            return if class == ec.vm().known().string { self.frozen_copy(ec) } else { self };
        }
        if self.len(ec) > MAX_BYTES {
            return self.frozen_copy(ec);
        }
        let place = ec.ractor().keys.place(hash);
        if let Some(known) = Str::from_value(place.get()).filter(|known| is_alike(ec, *known, self)) {
            return known;
        }
        let copy = self.frozen_copy(ec);
        place.set(copy.value());
        copy
    }

    fn frozen_copy(self, ec: &Ec) -> Str {
        let copy = self.duplicate(ec);
        ec.freeze(copy.value());
        copy
    }
}

/// Nothing but the identity tells the two apart: a key that is equal may be of another encoding.
fn is_alike(ec: &Ec, known: Str, key: Str) -> bool {
    known.encoding() == key.encoding() && known.bytes(ec) == key.bytes(ec)
}
