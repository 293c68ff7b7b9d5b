//! What classes made by `Struct.new` and `Data.define` tell of their instances, in hidden fields that subclasses inherit.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::symbol::sym;
use crate::value::array::Array;
use crate::value::hash::Hash;
use carat_layout::{SymbolId, Value};
use std::sync::atomic::Ordering;

/// More members than this are stored by code that needs no bit for each.
const MOST_COUNTED: usize = u64::BITS as usize;

impl Ec {
    /// Gives each member its value and freezes the object, if `fields` has a value for each of them and nothing else.
    /// False, with some of them stored perhaps, if not.
    pub fn fill_data(&mut self, object: Value, fields: Hash) -> bool {
        let Some(members) = self.class_of(object).real().members(self) else { return false };
        if fields.len(self) != members.len(self) || members.len(self) > self.field_count(object) {
            return false;
        }
        for index in 0..members.len(self) {
            let value = members.at(self, index).as_symbol().and_then(|name| fields.get_symbol(self, name));
            let Some(value) = value else { return false };
            self.set_field_at(object, index, value);
        }
        self.freeze(object);
        true
    }

    /// The same for keywords that a call site names, with their values by number.
    pub(crate) fn fill_data_by_names(
        &mut self,
        object: Value,
        members: Array,
        names: &[SymbolId],
        value: impl Fn(usize) -> Value,
    ) -> bool {
        let count = members.len(self);
        if names.len() != count || count > MOST_COUNTED || count > self.field_count(object) {
            return false;
        }
        let mut seen = 0u64;
        for (number, name) in names.iter().enumerate() {
            let Some(index) = members.slice_of(self).iter().position(|m| m.as_symbol() == Some(*name)) else {
                return false;
            };
            seen |= 1 << index;
            self.set_field_at(object, index, value(number));
        }
        // A name that is given twice leaves another one out.
        let is_complete = seen.count_ones() as usize == count;
        if is_complete {
            self.freeze(object);
        }
        is_complete
    }
}

impl Class {
    /// A hidden field of the class or the nearest ancestor that has it; nil if none has.
    pub fn inherited_field(self, ec: &Ec, name: SymbolId) -> Value {
        let mut chain = std::iter::successors(Some(self), |c| c.superclass());
        chain.find_map(|c| ec.field(c.value(), name)).unwrap_or(Value::NIL)
    }

    /// The names of the members; `None` if the class has no instances with members.
    pub fn members(self, ec: &Ec) -> Option<Array> {
        Array::from_value(self.inherited_field(ec, sym::MEMBERS_IVAR))
    }

    /// How many members instances have, if they have any. A class gets its members when it is made, and keeps them.
    #[inline]
    pub fn member_count(self, ec: &Ec) -> Option<usize> {
        match self.data().known_members.load(Ordering::Relaxed) {
            0 => self.member_count_slow(ec),
            known => Some(usize::from(known) - 1),
        }
    }

    #[cold]
    #[inline(never)]
    fn member_count_slow(self, ec: &Ec) -> Option<usize> {
        let count = self.members(ec)?.len(ec);
        if let Ok(known) = u16::try_from(count + 1) {
            self.data().known_members.store(known, Ordering::Relaxed);
        }
        Some(count)
    }
}
