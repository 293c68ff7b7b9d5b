//! What classes made by `Struct.new` and `Data.define` tell of their instances, in hidden fields that subclasses inherit.

use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::model::symbol::sym;
use crate::value::array::Array;
use crate::value::hash::Hash;
use carat_layout::{ShapeId, SymbolId, Value};
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

    /// A copy of a Data with the values of some members replaced; `None` if its class initialises objects in a way of its own, or
    /// something else is named.
    pub fn data_with(&mut self, object: Value, fields: Hash) -> Result<Option<Value>> {
        let class = self.class_of(object).real();
        let members = class.members(self).filter(|_| class.initializes_as(self, self.vm().known().data));
        let Some(members) = members.filter(|members| members.len(self) <= self.field_count(object)) else {
            return Ok(None);
        };
        let place = |ec: &Ec, entry| {
            let name = fields.key_at(ec, entry);
            members.slice_of(ec).iter().position(|member| *member == name)
        };
        let mut position = 0;
        while let Some(next) = fields.next(self, position) {
            if place(self, next - 1).is_none() {
                return Ok(None);
            }
            position = next;
        }
        let copy = self.allocate(class)?;
        for index in 0..members.len(self) {
            self.set_field_at(copy, index, self.field_at(object, index));
        }
        let mut position = 0;
        while let Some(next) = fields.next(self, position) {
            if let Some(index) = place(self, next - 1) {
                self.set_field_at(copy, index, fields.value_at(self, next - 1));
            }
            position = next;
        }
        self.freeze(copy);
        Ok(Some(copy))
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
    /// Whether `initialize` is still what a class of the core has.
    pub(crate) fn initializes_as(self, ec: &Ec, owner: Class) -> bool {
        self.cached_method(ec, sym::INITIALIZE).is_some_and(|entry| entry.owner(ec) == owner)
    }

    /// A hidden field of the class or the nearest ancestor that has it; nil if none has.
    pub fn inherited_field(self, ec: &Ec, name: SymbolId) -> Value {
        let mut chain = std::iter::successors(Some(self), |c| c.superclass());
        chain.find_map(|c| ec.field(c.value(), name)).unwrap_or(Value::NIL)
    }

    /// The names of the members; `None` if the class has no instances with members. A class gets its members when it is made, and
    /// keeps them in a field of its own or an ancestor's.
    #[inline]
    pub fn members(self, ec: &Ec) -> Option<Array> {
        match self.data().extras().known_members.load(Ordering::Acquire) {
            0 => self.members_slow(ec),
            // SAFETY: the word was an array when it was stored, and the class keeps that alive.
            known => Some(Array::expect(unsafe { Value::from_bits(known) })),
        }
    }

    #[cold]
    #[inline(never)]
    fn members_slow(self, ec: &Ec) -> Option<Array> {
        let members = Array::from_value(self.inherited_field(ec, sym::MEMBERS_IVAR))?;
        self.data().own_extras().known_members.store(members.value().bits(), Ordering::Release);
        Some(members)
    }

    /// How many members instances have, if they have any.
    #[inline]
    pub fn member_count(self, ec: &Ec) -> Option<usize> {
        self.members(ec).map(|members| members.len(ec))
    }

    /// The shape of instances with all their members, which `find` adds to the root.
    pub fn member_shape(self, find: impl FnOnce(ShapeId) -> ShapeId) -> ShapeId {
        if let Some(shape) = self.known_member_shape() {
            return shape;
        }
        let shape = find(self.root_shape());
        self.data().own_extras().known_member_shape.store(shape.0 + 1, Ordering::Release);
        shape
    }

    /// That shape, if it was asked for before.
    pub(crate) fn known_member_shape(self) -> Option<ShapeId> {
        self.data().extras().known_member_shape.load(Ordering::Acquire).checked_sub(1).map(ShapeId)
    }
}
