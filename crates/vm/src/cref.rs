//! Lexical scopes: where constants are looked up, `def` defines and refinements are active.

use crate::class::Class;
use crate::ec::Ec;
use crate::shape::ROOT_HIDDEN;
use carat_layout::{HeapType, ROwner, Value, pool_for};
use std::sync::RwLock;

pub struct Cref {
    class: Value,
    outer: Value,
    /// Pushed by `instance_eval` and its kin: `def` goes here, constants do not look here.
    pub(crate) is_pushed_by_eval: bool,
    /// Refinement modules active from here on, innermost last: (refined class, refinement).
    refinements: RwLock<Vec<(Value, Value)>>,
}

impl Cref {
    /// A scope inside `outer` (a cref or nil). Refinements carry over.
    pub fn create(ec: &Ec, class: Class, outer: Value, is_pushed_by_eval: bool) -> Value {
        let inherited = Cref::from_value(outer).map(Cref::active_refinements).unwrap_or_default();
        let cref = Cref { class: class.value(), outer, is_pushed_by_eval, refinements: RwLock::new(inherited) };
        let pool = pool_for(size_of::<ROwner>()).expect("fits the smallest pool");
        ec.new_owner(HeapType::Cref, pool, ROOT_HIDDEN, Box::into_raw(Box::new(cref)).cast())
    }

    pub fn from_value<'a>(value: Value) -> Option<&'a Cref> {
        if !value.is_type(HeapType::Cref) {
            return None;
        }
        // SAFETY: a cref's slot points at its Cref until it is swept; frames keep the crefs that run alive.
        unsafe { Some(&*(*value.as_ptr::<ROwner>()).native.cast::<Cref>()) }
    }

    pub fn class(&self) -> Class {
        Class::from_value_unchecked(self.class)
    }

    pub fn outer(&self) -> Option<&Cref> {
        Cref::from_value(self.outer)
    }

    pub fn active_refinements(&self) -> Vec<(Value, Value)> {
        self.refinements.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    pub fn has_refinements(&self) -> bool {
        !self.refinements.read().unwrap_or_else(|e| e.into_inner()).is_empty()
    }

    /// Activates a refinement (`using`).
    pub fn add_refinement(&self, refined: Class, refinement: Class) {
        self.refinements.write().unwrap_or_else(|e| e.into_inner()).push((refined.value(), refinement.value()));
    }

    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.class);
        mark(self.outer);
        for (refined, refinement) in self.refinements.read().unwrap_or_else(|e| e.into_inner()).iter() {
            mark(*refined);
            mark(*refinement);
        }
    }
}
