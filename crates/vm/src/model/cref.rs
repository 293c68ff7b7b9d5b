//! Lexical scopes: where constants are looked up, `def` defines and refinements are active.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::shape::ROOT_HIDDEN;
use crate::model::symbol::sym;
use crate::value::array::Array;
use carat_layout::{HeapType, ROwner, Value, pool_for};
use carat_sync::RwLock;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Cref {
    /// Undef for the scope of `instance_eval`, whose class is the singleton class of `singleton_of`, made when asked for.
    class: Value,
    /// Undef for text that `nil`, `true` or `false` evaluates: their classes stand for singleton classes.
    singleton_of: Value,
    outer: Value,
    /// Pushed by `instance_eval` and its kin: `def` goes here, constants do not look here.
    is_pushed_by_eval: bool,
    /// Refinement modules active from here on, innermost last: (refined class, refinement).
    refinements: Refinements,
    /// In the block of `refine`: the module whose refinements, later ones too, are active before all others. Otherwise nil.
    refining: Value,
}

/// Pairs of a class and its refinement that `using` activated. Every call that might be refined asks whether there are any: that
/// takes no lock.
struct Refinements {
    are_there: AtomicBool,
    pairs: RwLock<Vec<(Value, Value)>>,
}

impl Refinements {
    fn new(pairs: Vec<(Value, Value)>) -> Refinements {
        Refinements { are_there: AtomicBool::new(!pairs.is_empty()), pairs: RwLock::new(pairs) }
    }

    fn are_there(&self) -> bool {
        self.are_there.load(Ordering::Acquire)
    }

    fn to_vec(&self) -> Vec<(Value, Value)> {
        if !self.are_there() {
            return Vec::new();
        }
        self.pairs.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    fn push(&self, refined: Value, refinement: Value) {
        self.pairs.write().unwrap_or_else(|e| e.into_inner()).push((refined, refinement));
        self.are_there.store(true, Ordering::Release);
    }
}

impl Cref {
    /// A scope inside `outer` (a cref or nil). Refinements carry over.
    pub fn create(ec: &Ec, class: Class, outer: Value, is_pushed_by_eval: bool) -> Value {
        Cref::create_with(ec, class.value(), Value::NIL, outer, is_pushed_by_eval)
    }

    /// The scope of `instance_eval`: `def` makes singleton methods of `object`.
    pub fn create_singleton(ec: &Ec, object: Value, outer: Value) -> Value {
        Cref::create_with(ec, Value::UNDEF, object, outer, true)
    }

    /// The scope of text that `instance_eval` runs for `nil`, `true` or `false`.
    pub fn create_of_immediate(ec: &Ec, class: Class, outer: Value) -> Value {
        Cref::create_with(ec, class.value(), Value::UNDEF, outer, false)
    }

    /// The scope of text that `instance_eval` runs for an object that cannot have a singleton class.
    pub fn create_refusing(ec: &Ec, object: Value, outer: Value) -> Value {
        Cref::create_with(ec, Value::UNDEF, object, outer, false)
    }

    fn create_with(ec: &Ec, class: Value, singleton_of: Value, outer: Value, is_pushed_by_eval: bool) -> Value {
        let around = Cref::from_value(outer);
        Cref {
            class,
            singleton_of,
            outer,
            is_pushed_by_eval,
            refinements: Refinements::new(around.map(Cref::own_refinements).unwrap_or_default()),
            refining: around.map_or(Value::NIL, |c| c.refining),
        }
        .into_heap(ec)
    }

    /// The scope of the block that `module` gives to `refine`.
    pub(crate) fn create_refining(ec: &Ec, refinement: Class, module: Class, outer: Value) -> Value {
        let inherited = Cref::from_value(outer).map(Cref::own_refinements).unwrap_or_default();
        Cref {
            class: refinement.value(),
            singleton_of: Value::NIL,
            outer,
            is_pushed_by_eval: true,
            refinements: Refinements::new(inherited),
            refining: module.value(),
        }
        .into_heap(ec)
    }

    /// The same scope with refinements of its own: what ran in it before does not see what is activated from now on.
    pub(crate) fn duplicate(&self, ec: &Ec) -> Value {
        Cref {
            class: self.class,
            singleton_of: self.singleton_of,
            outer: self.outer,
            is_pushed_by_eval: self.is_pushed_by_eval,
            refinements: Refinements::new(self.own_refinements()),
            refining: self.refining,
        }
        .into_heap(ec)
    }

    /// The scope of a method that is imported into a refinement of `module`: its own, with the module's refinements.
    pub fn imported(ec: &Ec, cref: Value, module: Class) -> Value {
        let Some(own) = Cref::from_value(cref) else { return cref };
        Cref {
            class: own.class,
            singleton_of: own.singleton_of,
            outer: own.outer,
            is_pushed_by_eval: own.is_pushed_by_eval,
            refinements: Refinements::new(Vec::new()),
            refining: module.value(),
        }
        .into_heap(ec)
    }

    fn into_heap(self, ec: &Ec) -> Value {
        let cref = self;
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

    /// The class of a scope that was not pushed by `instance_eval`.
    pub fn class(&self) -> Class {
        Class::expect(self.class)
    }

    /// What `class_eval` of some class or module pushes, outside the block of a `refine`.
    pub(crate) fn is_pushed_for_some_class(&self) -> bool {
        self.is_pushed_by_eval && !self.class.is_undef() && self.singleton_of.is_nil() && self.refining.is_nil()
    }

    /// What `class_eval` of this class or module pushes.
    pub(crate) fn is_pushed_for(&self, class: Class) -> bool {
        self.is_pushed_for_some_class() && self.class == class.value()
    }

    /// Constants do not look here.
    pub(crate) fn is_pushed_by_eval(&self) -> bool {
        self.is_pushed_by_eval || self.class.is_undef()
    }

    /// Class variables are looked up here: not in singleton classes, nor at the top level.
    pub(crate) fn has_class_variables(&self) -> bool {
        let is_class = self.outer().is_some() && !self.is_pushed_by_eval() && !self.singleton_of.is_undef();
        is_class && !self.class().is_singleton()
    }

    /// Where constants are looked up in text that is run for an object which cannot have a singleton class: in its class.
    pub(crate) fn class_of_refusing(&self, ec: &Ec) -> Option<Class> {
        self.refuses_constants().then(|| ec.class_of(self.singleton_of).real())
    }

    /// No constant can be defined here.
    pub(crate) fn refuses_constants(&self) -> bool {
        self.class.is_undef() && !self.is_pushed_by_eval
    }

    /// The class that `def` defines in; `None` if the object of `instance_eval` cannot have methods of its own.
    pub fn definition_class(&self, ec: &Ec) -> Option<Class> {
        if !self.class.is_undef() {
            return Some(self.class());
        }
        ec.singleton_class_of(self.singleton_of)
    }

    /// Whether the scope is that of a body of `class`.
    pub(crate) fn is_scope_of(&self, class: Class) -> bool {
        if self.class.is_undef() {
            class.is_singleton() && class.attached() == self.singleton_of
        } else {
            self.class == class.value()
        }
    }

    pub fn outer(&self) -> Option<&Cref> {
        Cref::from_value(self.outer)
    }

    fn own_refinements(&self) -> Vec<(Value, Value)> {
        self.refinements.to_vec()
    }

    pub fn active_refinements(&self, ec: &Ec) -> Vec<(Value, Value)> {
        let mut active = self.own_refinements();
        if let Some(list) = ec.field(self.refining, sym::REFINEMENTS_IVAR).and_then(Array::from_value) {
            active.extend(list.slice_of(ec).chunks_exact(2).map(|pair| (pair[0], pair[1])));
        }
        active
    }

    /// Whether calls in two scopes (crefs or nil) see the same refinements.
    pub(crate) fn have_same_refinements(one: Value, other: Value) -> bool {
        let refinements = |cref| {
            let scope = Cref::from_value(cref).filter(|scope| scope.has_refinements());
            scope.map(|scope| (scope.refining, scope.own_refinements()))
        };
        one == other || refinements(one) == refinements(other)
    }

    pub fn has_refinements(&self) -> bool {
        !self.refining.is_nil() || self.refinements.are_there()
    }

    /// Activates a refinement (`using`).
    pub fn add_refinement(&self, refined: Class, refinement: Class) {
        self.refinements.push(refined.value(), refinement.value());
    }

    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.class);
        mark(self.singleton_of);
        mark(self.outer);
        mark(self.refining);
        for (refined, refinement) in self.refinements.to_vec() {
            mark(refined);
            mark(refinement);
        }
    }
}

/// The class that holds constants: scopes pushed by `instance_eval` do not count.
pub(crate) fn constant_target(ec: &Ec, cref: Value) -> Class {
    let mut scope = Cref::from_value(cref);
    while let Some(c) = scope {
        if !c.is_pushed_by_eval() {
            return c.class();
        }
        scope = c.outer();
    }
    ec.vm().known().object
}

/// The class in which constants are defined, or undef if none can be.
pub(crate) fn constant_base(ec: &Ec, cref: Value) -> Value {
    let mut scopes = std::iter::successors(Cref::from_value(cref), |scope| scope.outer());
    let refuses = scopes.find(|scope| scope.refuses_constants() || !scope.is_pushed_by_eval());
    if refuses.is_some_and(Cref::refuses_constants) { Value::UNDEF } else { constant_target(ec, cref).value() }
}
