//! Classes and modules: method tables, constants and the order in which they are searched.
//!
//! # Ancestry
//! Every class keeps its whole method resolution order as one immutable list: prepended modules, itself, included
//! modules, then the superclass's list. `include` and `prepend` rebuild the lists of everything below. A lookup walks the
//! list; `super` goes on behind the owner of the running method.
//!
//! # Sharing
//! Classes are shareable objects. Tables are behind locks that only writers and cache misses take.
//!
//! # Not here
//! The native methods of `Module` and `Class`: see `builtins::module`.

use crate::ec::Ec;
use crate::model::autoload::Autoload;
use crate::model::method::{MethodDef, MethodEntry, MethodKind, MethodSlot};
use crate::model::shape::shape_of;
use crate::model::table::{self, SparseTable, Table};
use crate::value::string::Str;
use carat_layout::{HeapType, ROwner, ShapeId, SymbolId, Value, flags, pool_for};
use carat_sync::{Mutex, OncePointer, PoisonError, RwLock};
use carat_text::encoding::EncodingIndex;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicPtr, AtomicU8, AtomicU16, AtomicU32, AtomicU64, AtomicUsize, Ordering};

/// Who may call a method.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Visibility {
    #[default]
    Public,
    Private,
    Protected,
}

/// A constant of a class or module.
#[derive(Clone)]
pub struct Constant {
    /// Undef while it is [`Pending`].
    pub value: Value,
    pub is_private: bool,
    pub is_deprecated: bool,
    pub file: Option<Arc<str>>,
    pub line: i32,
    pub pending: Option<Pending>,
}

/// What gives a constant its value on first use.
#[derive(Clone)]
pub enum Pending {
    /// Requiring a feature.
    Autoload(Autoload),
    /// A core class that few programs use. Ruby code cannot tell that it is not there yet.
    Lazy(fn(&mut Ec, SymbolId) -> Value),
}

impl Constant {
    pub fn of_value(value: Value) -> Constant {
        Constant { value, is_private: false, is_deprecated: false, file: None, line: 0, pending: None }
    }

    pub fn lazy(make: fn(&mut Ec, SymbolId) -> Value) -> Constant {
        Constant { pending: Some(Pending::Lazy(make)), ..Constant::of_value(Value::UNDEF) }
    }

    /// The value, be it seen by one thread alone.
    fn held(&self) -> Value {
        match &self.pending {
            Some(Pending::Autoload(autoload)) => autoload.value().unwrap_or(self.value),
            _ => self.value,
        }
    }

    /// False while an autoload is pending.
    pub fn is_set(&self) -> bool {
        !self.value.is_undef() || matches!(self.pending, Some(Pending::Lazy(_)))
    }
}

/// How instances of a class come into being.
pub type Allocator = fn(&mut Ec, Class) -> crate::Result<Value>;

/// What a class itself says of its instances' allocation.
#[derive(Clone, Copy)]
enum Allocation {
    Inherited,
    Undefined,
    Own(Allocator),
}

/// The native part of a class or module.
pub struct ClassData {
    /// The class written behind `<`, or nil.
    superclass: AtomicU64,
    mro: RwLock<Arc<[Value]>>,
    /// How much of it stands before what is the superclass's.
    own_len: AtomicUsize,
    pub(crate) methods: RwLock<Table<MethodSlot>>,
    /// A bit for each name that `methods` ever had, shared by many names: most of an order of search is passed by without its tables.
    names: AtomicU64,
    pub(crate) root_shape: ShapeId,
    /// The epoch of `===` at which the class answered it with `Module#===`; none is the last number.
    pub(crate) plain_match_epoch: AtomicU32,
    /// Fields that instances end up with, as learned so far.
    pub(crate) field_hint: AtomicU16,
    /// Counts instances that had one field more than that; wraps.
    pub(crate) larger_instances: AtomicU8,
    /// Shapes of instances that were made beside one with the same beginning.
    pub(crate) shape_variations: AtomicU16,
    /// See [`crate::learn`].
    pub(crate) has_learned: AtomicBool,
    /// The allocator that the ancestors answered, or null: nobody asked yet, or there is none.
    known_allocator: AtomicPtr<()>,
    /// Singleton classes: whose. Otherwise nil.
    pub(crate) attached: Value,
    name: RwLock<Option<Name>>,
    /// The string of a name that is permanent, if somebody asked in the main Ractor. Written with the name locked.
    known_name: AtomicU64,
    /// Classes below and modules' users, to be told of changes. Weak.
    dependents: Mutex<Vec<Value>>,
    extras: OncePointer<Box<Extras>>,
}

// Every class has a singleton class, so a program with a thousand classes has two thousand of these.
const _: () = assert!(size_of::<ClassData>() <= 256);

/// Lists of fewer classes may grow when they have to.
const FEW_CLASSES: usize = 10_000;

/// What few classes have; singleton classes seldom have any of it.
pub(crate) struct Extras {
    constants: RwLock<SparseTable<Constant>>,
    /// Each value has a place of its own, which caches refer to as long as the class has the variable.
    pub(super) class_variables: RwLock<SparseTable<Box<ClassVariable>>>,
    mixins: RwLock<Mixins>,
    allocator: RwLock<Allocation>,
    /// Refinements: the refined class. Otherwise nil.
    refined: AtomicU64,
    /// The names of its instances' members, if somebody asked and there are any: see [`Class::members`].
    pub(super) known_members: AtomicU64,
    /// One more than the shape of its instances with members, if somebody asked: see [`Class::member_shape`].
    pub(super) known_member_shape: AtomicU32,
}

/// Those of classes that have none.
static NO_EXTRAS: Extras = Extras::new();

impl Extras {
    const fn new() -> Extras {
        Extras {
            constants: RwLock::new(SparseTable::new()),
            class_variables: RwLock::new(SparseTable::new()),
            mixins: RwLock::new(Mixins { included: Vec::new(), prepended: Vec::new() }),
            allocator: RwLock::new(Allocation::Inherited),
            refined: AtomicU64::new(Value::NIL.bits()),
            known_members: AtomicU64::new(0),
            known_member_shape: AtomicU32::new(0),
        }
    }
}

/// What was mixed into a class or module itself, in that order.
struct Mixins {
    included: Vec<Value>,
    prepended: Vec<Value>,
}

/// The bit of a name in [`ClassData::names`].
fn bit_of(name: SymbolId) -> u64 {
    1 << (name.0.wrapping_mul(0x9E37_79B1) >> 26)
}

/// The value of a class variable. The main Ractor stores it while others read, without a lock: who finds an object here has to find
/// its contents as well.
pub(crate) struct ClassVariable(AtomicU64);

impl ClassVariable {
    #[inline(always)]
    pub(crate) fn get(&self) -> Value {
        // SAFETY: the word was a value when it was stored.
        unsafe { Value::from_bits(self.0.load(Ordering::Acquire)) }
    }

    /// The class that has the variable goes through a write barrier.
    #[inline(always)]
    pub(crate) fn set(&self, value: Value) {
        self.0.store(value.bits(), Ordering::Release);
    }
}

#[derive(Clone)]
struct Name {
    text: Arc<str>,
    /// What `Module#name` is in: the encoding of the constant, if that is not ASCII.
    encoding: EncodingIndex,
    /// Reached from Object by constants alone; otherwise it may still be replaced.
    is_permanent: bool,
}

impl ClassData {
    /// Bytes of what is known by name, and of lists of other classes.
    pub(crate) fn table_bytes(&self) -> usize {
        let extras = self.extras();
        let mixins = extras.mixins.read().unwrap_or_else(|e| e.into_inner());
        let mixins = (mixins.included.capacity() + mixins.prepended.capacity()) * size_of::<Value>();
        let dependents = self.dependents.lock().unwrap_or_else(|e| e.into_inner()).capacity();
        let name = self.name.read().unwrap_or_else(|e| e.into_inner()).as_ref().map_or(0, |name| name.text.len());
        let methods = table::memsize(&self.methods.read().unwrap_or_else(|e| e.into_inner()));
        let constants = extras.constants.read().unwrap_or_else(|e| e.into_inner()).memsize();
        let variables = extras.class_variables.read().unwrap_or_else(|e| e.into_inner()).memsize();
        let own = if self.extras.get().is_some() { size_of::<Extras>() } else { 0 };
        own + methods + constants + variables + mixins + dependents * size_of::<Value>() + name
    }

    /// To be looked at.
    pub(super) fn extras(&self) -> &Extras {
        self.extras.get().unwrap_or(&NO_EXTRAS)
    }

    /// To be changed.
    pub(super) fn own_extras(&self) -> &Extras {
        self.extras.get_or_init(|| Box::new(Extras::new()))
    }

    pub(crate) fn ancestor_count(&self) -> usize {
        self.mro.read().unwrap_or_else(|e| e.into_inner()).len()
    }
}

/// A class or module.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[repr(transparent)]
pub struct Class(Value);

impl Class {
    pub fn from_value(value: Value) -> Option<Class> {
        let header = value.header()?;
        matches!(header.heap_type(), HeapType::Class | HeapType::Module).then_some(Class(value))
    }

    /// The handle of a value that is known to be a class or module. Another one is a mistake of ours, and ends the process.
    #[inline]
    #[track_caller]
    pub fn expect(value: Value) -> Class {
        match Class::from_value(value) {
            Some(handle) => handle,
            None => crate::bug::wrong_type(value, "a class or module"),
        }
    }

    /// As [`Class::expect`], without a look at the value.
    ///
    /// # Safety
    /// It is a class or module.
    #[inline]
    pub(crate) unsafe fn from_value_unchecked(value: Value) -> Class {
        debug_assert!(Class::from_value(value).is_some(), "{value:?} is not a class or module");
        Class(value)
    }

    #[inline]
    pub fn value(self) -> Value {
        self.0
    }

    #[inline]
    pub fn data<'a>(self) -> &'a ClassData {
        // SAFETY: a class's slot owns its ClassData until it is swept; the handle's value is reachable while it is used,
        // like every value that native code holds.
        unsafe { &*(*self.0.as_ptr::<ROwner>()).native.cast::<ClassData>() }
    }

    pub fn is_module(self) -> bool {
        self.0.is_type(HeapType::Module)
    }

    /// What error messages call it.
    pub fn kind_name(self) -> &'static str {
        if self.is_module() { "module" } else { "class" }
    }

    pub fn is_class(self) -> bool {
        self.0.is_type(HeapType::Class)
    }

    fn has(self, flag: u64) -> bool {
        self.0.header().is_some_and(|h| h.has(flag))
    }

    pub fn is_singleton(self) -> bool {
        self.is_class() && self.has(flags::CLASS_SINGLETON)
    }

    pub fn is_refinement(self) -> bool {
        self.is_module() && self.has(flags::CLASS_REFINEMENT)
    }

    /// The object of a singleton class.
    pub fn attached(self) -> Value {
        self.data().attached
    }

    /// Superclass as `Class#superclass` gives it; singleton classes included.
    pub fn superclass(self) -> Option<Class> {
        // SAFETY: the word was a value when it was stored.
        let value = unsafe { Value::from_bits(self.data().superclass.load(Ordering::Acquire)) };
        Class::from_value(value)
    }

    pub fn root_shape(self) -> ShapeId {
        self.data().root_shape
    }

    /// The search order, this class or module included.
    pub fn mro(self) -> Arc<[Value]> {
        self.data().mro.read().unwrap_or_else(|e| e.into_inner()).clone()
    }

    /// Where constants and class variables are looked for: as [`Class::mro`], but what a class has itself comes before what is
    /// prepended to it.
    pub fn scope_order(self) -> impl Iterator<Item = Class> {
        let mro = self.mro();
        let above = (0..mro.len()).map(move |at| Class(mro[at])).filter(move |class| *class != self);
        std::iter::once(self).chain(above)
    }

    /// `self <= other`. [`Ec::is_a`] remembers what it was told for objects.
    pub fn is_or_inherits(self, other: Class) -> bool {
        self == other || self.data().mro.read().unwrap_or_else(|e| e.into_inner()).contains(&other.0)
    }

    /// The class itself without singleton classes.
    pub fn real(self) -> Class {
        let mut class = self;
        while class.is_singleton() {
            class = class.superclass().expect("a singleton class has a superclass");
        }
        class
    }

    fn mixins<R>(self, answer: impl FnOnce(&Mixins) -> R) -> R {
        match self.data().extras.get() {
            Some(extras) => answer(&extras.mixins.read().unwrap_or_else(|e| e.into_inner())),
            None => answer(&Mixins { included: Vec::new(), prepended: Vec::new() }),
        }
    }

    fn change_mixins(self, change: impl FnOnce(&mut Mixins)) {
        change(&mut self.data().own_extras().mixins.write().unwrap_or_else(|e| e.into_inner()));
    }

    fn has_mixins(self) -> bool {
        self.mixins(|mixins| !mixins.included.is_empty() || !mixins.prepended.is_empty())
    }

    pub fn directly_included(self) -> Vec<Value> {
        self.mixins(|mixins| mixins.included.clone())
    }

    pub fn directly_prepended(self) -> Vec<Value> {
        self.mixins(|mixins| mixins.prepended.clone())
    }

    /// Superclass and directly included and prepended modules: those that this class or module depends on.
    pub(crate) fn direct_ancestors(self) -> impl Iterator<Item = Value> {
        let modules = self.has_mixins().then(|| [self.directly_included(), self.directly_prepended()]);
        self.superclass().map(Class::value).into_iter().chain(modules.into_iter().flatten().flatten())
    }

    /// Classes whose superclass this is, singleton classes excepted.
    pub fn subclasses(self) -> Vec<Class> {
        let dependents = self.data().dependents.lock().unwrap_or_else(|e| e.into_inner());
        let below = dependents.iter().filter_map(|v| Class::from_value(*v));
        below.filter(|c| c.is_class() && !c.is_singleton() && c.superclass() == Some(self)).collect()
    }

    // ---- methods ----

    /// The entry in this class's own table.
    pub fn own_method(self, ec: &Ec, name: SymbolId) -> Option<Value> {
        if self.data().names.load(Ordering::Relaxed) & bit_of(name) == 0 {
            return None;
        }
        let slot = *self.data().methods.read().unwrap_or_else(|e| e.into_inner()).get(&name)?;
        slot.entry().or_else(|| self.make_entry(ec, name))
    }

    /// Gives a native method that is looked up for the first time its entry.
    #[cold]
    fn make_entry(self, ec: &Ec, name: SymbolId) -> Option<Value> {
        let mut methods = self.data().methods.write().unwrap_or_else(|e| e.into_inner());
        let slot = methods.get_mut(&name)?;
        let Some(def) = slot.native() else { return slot.entry() };
        // Instructions look methods up before they have published their frame, which recording would walk.
        let entry = ec.unrecorded(|| MethodEntry::of_native(ec, def, name, self)).value();
        *slot = MethodSlot::of_entry(entry);
        drop(methods);
        ec.heap().barrier(self.0, entry);
        Some(entry)
    }

    pub fn own_methods(self, ec: &Ec) -> Vec<(SymbolId, Value)> {
        let names = self.own_method_names();
        names.into_iter().filter_map(|name| Some((name, self.own_method(ec, name)?))).collect()
    }

    pub fn own_method_names(self) -> Vec<SymbolId> {
        self.data().methods.read().unwrap_or_else(|e| e.into_inner()).keys().copied().collect()
    }

    /// The entry that a call finds, undefined ones excepted. Polls nothing.
    pub fn find_method(self, ec: &Ec, name: SymbolId) -> Option<&MethodEntry> {
        let found = self.mro().iter().find_map(|m| Class(*m).own_method(ec, name))?;
        MethodEntry::from_value(ec, found).filter(|m| !m.is_undefined())
    }

    /// What `super` in a method finds. A module's method may be bound to what does not have the module, which then stands
    /// before all else.
    pub fn find_super_method<'a>(self, ec: &'a Ec, entry: &MethodEntry) -> Option<&'a MethodEntry> {
        let (owner, name) = (entry.owner(ec), entry.original_name);
        if owner.value().is_type(HeapType::Module) && !self.mro().contains(&owner.value()) {
            return self.find_method(ec, name);
        }
        let place = match entry.aliased_in() {
            Some(class) => self.places_ahead(owner, class),
            None => entry.place,
        };
        self.find_method_behind(ec, owner, place, name)
    }

    /// How often a module stands before a class, and what is prepended to that, in the search order.
    fn places_ahead(self, module: Class, class: Class) -> u8 {
        let mro = self.mro();
        let head = head_of(&mro, class.value()).unwrap_or(0);
        mro[..head].iter().filter(|m| **m == module.value()).count() as u8
    }

    /// The entry behind a place of `owner` in the search order.
    pub fn find_method_behind(self, ec: &Ec, owner: Class, place: u8, name: SymbolId) -> Option<&MethodEntry> {
        let mro = self.mro();
        let (ahead, behind) = mro.split_at(position_of(&mro, owner, place)? + 1);
        let (at, found) = behind.iter().enumerate().find_map(|(at, m)| Some((at, Class(*m).own_method(ec, name)?)))?;
        let entry = MethodEntry::from_value(ec, found).filter(|m| !m.is_undefined())?;
        let is_same = |m: &&Value| **m == behind[at];
        Some(entry.at_place(ec, ahead.iter().filter(is_same).count() + behind[..at].iter().filter(is_same).count()))
    }

    /// Puts an entry in the table and invalidates caches of the name. Runs no hook.
    pub fn add_method(
        self,
        ec: &Ec,
        name: SymbolId,
        kind: MethodKind,
        visibility: Visibility,
        cref: Value,
    ) -> &'static MethodEntry {
        let entry = MethodEntry::new(ec, kind, visibility, name, self, cref);
        self.put_method(ec, name, entry.value());
        entry
    }

    pub fn put_method(self, ec: &Ec, name: SymbolId, entry: Value) {
        self.put_slot(name, MethodSlot::of_entry(entry));
        ec.heap().barrier(self.0, entry);
        ec.vm().method_changed(ec, self, name);
    }

    /// A native method, whose entry is made when it is first looked up.
    pub(crate) fn put_native(self, ec: &Ec, name: SymbolId, def: &'static MethodDef) {
        self.put_slot(name, MethodSlot::of_native(def));
        ec.vm().method_changed(ec, self, name);
    }

    /// Whoever looks before the caches of the name are invalidated may see either.
    fn put_slot(self, name: SymbolId, slot: MethodSlot) {
        let data = self.data();
        data.names.fetch_or(bit_of(name), Ordering::Relaxed);
        data.methods.write().unwrap_or_else(|e| e.into_inner()).insert(name, slot);
    }

    /// Makes room for so many methods more: a table that grows step by step leaves its smaller selves behind.
    pub(crate) fn reserve_methods(self, count: usize) {
        self.data().methods.write().unwrap_or_else(|e| e.into_inner()).reserve_exact(count);
    }

    pub fn remove_method(self, ec: &Ec, name: SymbolId) -> bool {
        let removed = self.data().methods.write().unwrap_or_else(|e| e.into_inner()).shift_remove(&name).is_some();
        ec.vm().method_changed(ec, self, name);
        removed
    }

    // ---- constants ----

    pub fn own_constant(self, name: SymbolId) -> Option<Constant> {
        self.data().extras().constants.read().unwrap_or_else(|e| e.into_inner()).get(name).cloned()
    }

    pub(crate) fn has_constant(self, name: SymbolId) -> bool {
        self.data().extras().constants.read().unwrap_or_else(|e| e.into_inner()).get(name).is_some()
    }

    /// The value of a constant that nothing has to be done for.
    pub fn plain_constant(self, name: SymbolId) -> Option<Value> {
        let constants = self.data().extras().constants.read().unwrap_or_else(|e| e.into_inner());
        constants.get(name).filter(|c| !c.is_deprecated && !c.value.is_undef()).map(|c| c.value)
    }

    /// The same, unless the constant is private.
    pub(crate) fn plain_public_constant(self, name: SymbolId) -> Option<Value> {
        let constants = self.data().extras().constants.read().unwrap_or_else(|e| e.into_inner());
        constants.get(name).filter(|c| !c.is_private && !c.is_deprecated && !c.value.is_undef()).map(|c| c.value)
    }

    pub fn own_constants(self) -> Vec<(SymbolId, Constant)> {
        let constants = self.data().extras().constants.read().unwrap_or_else(|e| e.into_inner());
        constants.iter().map(|(n, c)| (n, c.clone())).collect()
    }

    /// Sets a constant, names an anonymous class after it, invalidates caches. Runs no hook and warns of nothing.
    pub fn set_constant(self, ec: &Ec, name: SymbolId, value: Value) {
        self.put_constant(ec, name, Constant::of_value(value));
    }

    pub fn put_constant(self, ec: &Ec, name: SymbolId, constant: Constant) {
        let value = constant.held();
        self.data().own_extras().constants.write().unwrap_or_else(|e| e.into_inner()).insert(name, constant);
        ec.heap().barrier(self.0, value);
        if let Some(class) = Class::from_value(value) {
            class.name_after(ec, self, name);
        }
        ec.vm().constant_changed(name);
    }

    pub fn remove_constant(self, ec: &Ec, name: SymbolId) -> Option<Constant> {
        let removed = self.data().own_extras().constants.write().unwrap_or_else(|e| e.into_inner()).remove(name);
        ec.vm().constant_changed(name);
        removed
    }

    /// Changes an existing constant's entry (visibility, deprecation).
    pub fn update_constant(self, ec: &Ec, name: SymbolId, change: impl FnOnce(&mut Constant)) -> bool {
        let mut constants = self.data().own_extras().constants.write().unwrap_or_else(|e| e.into_inner());
        let Some(constant) = constants.get_mut(name) else { return false };
        change(constant);
        drop(constants);
        ec.vm().constant_changed(name);
        true
    }

    // ---- names ----

    /// `Module#name`.
    pub fn name(self) -> Option<Arc<str>> {
        self.data().name.read().unwrap_or_else(|e| e.into_inner()).as_ref().map(|n| n.text.clone())
    }

    /// What a function makes of the name and the encoding that it is in.
    pub fn with_name<R>(self, make: impl FnOnce(&str, EncodingIndex) -> R) -> Option<R> {
        let name = self.data().name.read().unwrap_or_else(|e| e.into_inner());
        name.as_ref().map(|name| make(&name.text, name.encoding))
    }

    /// The name as the string that a function makes of it, which is asked once if the name is permanent.
    pub fn name_string(self, ec: &Ec, make: impl FnOnce(&str, EncodingIndex) -> Str) -> Option<Str> {
        let known = &self.data().known_name;
        match known.load(Ordering::Acquire) {
            0 => {}
            // SAFETY: the word was a string when it was stored, and the class keeps that alive.
            bits => return Some(Str::expect(unsafe { Value::from_bits(bits) })),
        }
        let name = self.data().name.read().unwrap_or_else(|e| e.into_inner());
        let name = name.as_ref()?;
        let string = make(&name.text, name.encoding);
        if name.is_permanent && ec.ractor().is_main() {
            ec.heap().barrier(self.0, string.value());
            known.store(string.value().bits(), Ordering::Release);
        }
        Some(string)
    }

    /// Gives the class a name, or takes it away.
    fn set_name(self, name: Option<Name>) {
        let mut place = self.data().name.write().unwrap_or_else(|e| e.into_inner());
        self.data().known_name.store(0, Ordering::Release);
        *place = name;
    }

    /// The encoding that the name is in; UTF-8 of ASCII, and where there is none.
    pub fn name_encoding(self) -> EncodingIndex {
        let name = self.data().name.read().unwrap_or_else(|e| e.into_inner());
        name.as_ref().map_or(EncodingIndex::UTF_8, |n| n.encoding)
    }

    /// Where the text of a name that is permanent stands. It stays there as long as somebody has the name.
    pub fn permanent_name_address(self) -> Option<usize> {
        let name = self.data().name.read().unwrap_or_else(|e| e.into_inner());
        name.as_ref().filter(|name| name.is_permanent).map(|name| name.text.as_ptr().addr())
    }

    pub fn has_permanent_name(self) -> bool {
        self.data().name.read().unwrap_or_else(|e| e.into_inner()).as_ref().is_some_and(|n| n.is_permanent)
    }

    /// `Module#set_temporary_name`.
    pub fn set_temporary_name(self, name: Option<&str>) {
        self.set_name(name.map(|n| Name { text: n.into(), encoding: EncodingIndex::UTF_8, is_permanent: false }));
    }

    /// A name for good, as `rb_set_class_path` gives it: not one that a constant has to have.
    pub fn set_permanent_name(self, name: &str) {
        self.set_name(Some(Name { text: name.into(), encoding: EncodingIndex::UTF_8, is_permanent: true }));
    }

    /// Gives the modules inside temporary names that follow from this one's, or takes them away with it.
    pub fn rename_nested(self, ec: &Ec) {
        self.rename_nested_but(ec, &mut vec![self]);
    }

    /// As above; `renamed` are the modules that have their names already, since one may hold another that holds it.
    fn rename_nested_but(self, ec: &Ec, renamed: &mut Vec<Class>) {
        for (name, constant) in self.own_constants() {
            let inner = Class::from_value(constant.value).filter(|c| !c.has_permanent_name() && !c.is_singleton());
            let Some(inner) = inner.filter(|c| !renamed.contains(c)) else { continue };
            let text = self.name().map(|outer| format!("{outer}::{}", ec.vm().symbol_text(name)));
            inner.set_temporary_name(text.as_deref());
            renamed.push(inner);
            inner.rename_nested_but(ec, renamed);
        }
    }

    fn name_after(self, ec: &Ec, outer: Class, name: SymbolId) {
        if self.has_permanent_name() || self.is_singleton() {
            return;
        }
        // Only a permanent name takes the place of a temporary one.
        let is_lasting = outer == ec.vm().known().object || outer.has_permanent_name();
        if self.name().is_some() && !is_lasting {
            return;
        }
        let own = ec.vm().symbol_text(name);
        let encoding = match ec.vm().symbol_name(name).encoding {
            EncodingIndex::US_ASCII => outer.name_encoding(),
            own => own,
        };
        let is_root = outer == ec.vm().known().object;
        let (text, is_permanent) = match outer.name() {
            _ if is_root => (own.clone(), true),
            Some(prefix) => (format!("{prefix}::{own}"), outer.has_permanent_name()),
            None => (own.clone(), false),
        };
        if !is_permanent && !is_root && outer.name().is_none() {
            let text = format!("{}::{own}", outer.to_text(ec));
            self.set_name(Some(Name { text: text.into(), encoding, is_permanent: false }));
            return;
        }
        self.set_name(Some(Name { text: text.into(), encoding, is_permanent }));
        if is_permanent {
            for (inner_name, constant) in self.own_constants() {
                if let Some(inner) = Class::from_value(constant.value) {
                    inner.name_after(ec, self, inner_name);
                }
            }
        }
    }

    /// `Module#to_s`.
    pub fn to_text(self, ec: &Ec) -> String {
        if self.is_singleton() {
            let attached = self.attached();
            let inner = match Class::from_value(attached) {
                Some(class) => class.to_text(ec),
                None => ec.any_to_s(attached).to_text(ec),
            };
            return format!("#<Class:{inner}>");
        }
        if self.is_refinement() {
            return self.refinement_text(ec);
        }
        if let Some(name) = self.name() {
            return name.to_string();
        }
        format!("#<{}:{}>", ec.class_of(self.0).real().to_text(ec), ec.address_text(self.0))
    }

    fn refinement_text(self, ec: &Ec) -> String {
        let refined = self.refined().map_or_else(String::new, |c| c.to_text(ec));
        let home = ec.field(self.0, crate::model::symbol::sym::DEFINED_AT_IVAR).and_then(Class::from_value);
        format!("#<refinement:{refined}@{}>", home.map_or_else(String::new, |c| c.to_text(ec)))
    }

    /// Refinements: says which class is refined.
    pub(crate) fn set_refined(self, ec: &Ec, refined: Class) {
        self.data().own_extras().refined.store(refined.value().bits(), Ordering::Release);
        ec.vm().classes.lock().unwrap_or_else(|e| e.into_inner()).refinements.push(self.0);
    }

    /// Refinements: the class that is refined.
    pub fn refined(self) -> Option<Class> {
        // SAFETY: the word was a value when it was stored.
        Class::from_value(unsafe { Value::from_bits(self.data().extras().refined.load(Ordering::Acquire)) })
    }

    /// Class variables of this class's own table.
    pub fn own_class_variables(self) -> Vec<SymbolId> {
        self.data()
            .extras()
            .class_variables
            .read()
            .unwrap_or_else(|e| e.into_inner())
            .iter()
            .map(|(name, _)| name)
            .collect()
    }

    pub fn own_class_variable(self, name: SymbolId) -> Option<Value> {
        let variables = self.data().extras().class_variables.read().unwrap_or_else(|e| e.into_inner());
        variables.get(name).map(|variable| variable.get())
    }

    /// Adds or replaces a class variable of this class's own table.
    pub fn put_class_variable(self, ec: &Ec, name: SymbolId, value: Value) {
        let mut variables = self.data().own_extras().class_variables.write().unwrap_or_else(|e| e.into_inner());
        match variables.get(name) {
            Some(variable) => variable.set(value),
            None => {
                variables.insert(name, Box::new(ClassVariable(AtomicU64::new(value.bits()))));
                ec.vm().class_variable_epoch.fetch_add(1, Ordering::Release);
            }
        }
        drop(variables);
        ec.heap().barrier(self.0, value);
    }

    pub fn remove_class_variable(self, ec: &Ec, name: SymbolId) -> Option<Value> {
        ec.vm().class_variable_epoch.fetch_add(1, Ordering::Release);
        let mut variables = self.data().own_extras().class_variables.write().unwrap_or_else(|e| e.into_inner());
        variables.remove(name).map(|variable| variable.get())
    }

    /// Where the value of an own class variable is, for caches.
    pub(crate) fn class_variable_place(self, name: SymbolId) -> Option<*const ClassVariable> {
        let variables = self.data().extras().class_variables.read().unwrap_or_else(|e| e.into_inner());
        variables.get(name).map(|variable| std::ptr::from_ref(&**variable))
    }

    // ---- ancestry ----

    /// Adds `module` to the included modules. False if it is there already.
    pub fn include(self, ec: &Ec, module: Class) -> bool {
        let included = self.mixins(|mixins| mixins.included.contains(&module.0));
        if !included {
            self.change_mixins(|mixins| mixins.included.push(module.0));
            ec.heap().barrier(self.0, module.0);
            module.add_dependent(self);
        }
        self.rebuild_mro();
        ec.vm().ancestors_changed();
        ec.vm().ancestor_added(ec, module);
        !included
    }

    /// As [`Class::include`], for the singleton class of an object that is no class and had none until now: it has no other modules, and
    /// nobody has looked for anything in it, so nothing of what is known is wrong.
    pub fn include_first(self, ec: &Ec, module: Class) {
        self.change_mixins(|mixins| mixins.included.push(module.0));
        ec.heap().barrier(self.0, module.0);
        module.add_dependent(self);
        let above: Arc<[Value]> = self.superclass().map_or_else(|| Arc::from([]), Class::mro);
        let brought = module.mro();
        let own = std::iter::once(self.0).chain(brought.iter().copied().filter(|module| !above.contains(module)));
        let mut order = Vec::with_capacity(1 + brought.len() + above.len());
        order.extend(own);
        let own_len = order.len();
        order.extend(above.iter());
        self.replace_mro(order.into(), own_len);
    }

    /// Adds `module` to the prepended modules. False if it stands before the class already, be it brought by another module.
    pub fn prepend(self, ec: &Ec, module: Class) -> bool {
        let prepended = self.mro().iter().take_while(|own| **own != self.0).any(|before| *before == module.0);
        if !prepended {
            self.change_mixins(|mixins| mixins.prepended.push(module.0));
            ec.heap().barrier(self.0, module.0);
            module.add_dependent(self);
        }
        self.rebuild_mro();
        ec.vm().ancestors_changed();
        ec.vm().ancestor_added(ec, module);
        !prepended
    }

    /// Whether the list of classes below has room for so many more, or gets it, or is so short that it may grow when it has to.
    fn has_room_below(self, more: usize) -> bool {
        let mut below = self.data().dependents.lock().unwrap_or_else(|e| e.into_inner());
        below.len() < FEW_CLASSES || below.try_reserve(more).is_ok()
    }

    fn add_dependent(self, other: Class) {
        self.data().dependents.lock().unwrap_or_else(|e| e.into_inner()).push(other.0);
    }

    /// Drops dependents that are no longer alive; the collector calls this.
    pub(crate) fn retain_dependents(data: &ClassData, is_live: &dyn Fn(Value) -> bool) {
        data.dependents.lock().unwrap_or_else(|e| e.into_inner()).retain(|v| is_live(*v));
    }

    fn rebuild_mro(self) {
        self.set_mro();
        let dependents = self.data().dependents.lock().unwrap_or_else(|e| e.into_inner()).clone();
        // The newest first, as CRuby goes through them: what one gets, those below it are not given again.
        for dependent in dependents.into_iter().rev() {
            Class(dependent).rebuild_mro();
        }
    }

    /// A module that an ancestor has already is left out, but one that stood here before an ancestor got it stays.
    fn set_mro(self) {
        if !self.has_mixins() {
            return self.replace_mro(order_below(self.0, self.superclass()), 1);
        }
        let above: Arc<[Value]> = self.superclass().map_or_else(|| Arc::from([]), Class::mro);
        let (prepended, included) = (self.directly_prepended(), self.directly_included());
        let own: Vec<Value> = self.mro()[..self.data().own_len.load(Ordering::Acquire)].into();
        let (own_before, own_behind) = own.split_at(own.iter().position(|module| *module == self.0).unwrap_or(0));
        let mut left_out: Vec<Value> = above.iter().copied().filter(|module| !own.contains(module)).collect();
        let mut order: Vec<Value> = Vec::with_capacity(above.len() + own.len() + 2);
        for module in prepended.iter().rev() {
            // What a prepended module is given later stays where it is if it is behind the module already.
            let mut elsewhere = vec![self.0];
            if let Some(at) = own_before.iter().position(|before| before == module) {
                // Those in front that are prepended to the module itself are its own, too.
                let brought = Class(*module).mro();
                let start =
                    own_before[..at].iter().rposition(|before| !brought.contains(before)).map_or(0, |last| last + 1);
                let next = own_before[at + 1..].iter().position(|before| prepended.contains(before));
                let end = next.map_or(own_before.len(), |next| at + next + 1);
                let (its, others) = (&own_before[start..end], &own_before[end..]);
                let behind = others.iter().chain(own_behind).chain(above.iter());
                elsewhere.extend(behind.filter(|module| !its.contains(module)));
            }
            push_missing(&mut order, &Class(*module).mro(), &elsewhere);
        }
        // A module that was included before it was prepended stands at both places.
        left_out.extend(order.iter().filter(|module| !own_behind.contains(module)));
        // What stands here already stays where it is, and what a module brings comes behind the last of its own that does.
        let mut behind = if own_behind.is_empty() { vec![self.0] } else { own_behind.to_vec() };
        for module in &included {
            insert_missing(&mut behind, *module, &Class(*module).mro(), &left_out);
        }
        order.append(&mut behind);
        let own_len = order.len();
        order.extend(above.iter());
        self.replace_mro(order.into(), own_len);
    }

    fn replace_mro(self, order: Arc<[Value]>, own_len: usize) {
        *self.data().mro.write().unwrap_or_else(|e| e.into_inner()) = order;
        self.data().own_len.store(own_len, Ordering::Release);
    }

    // ---- creation ----

    /// A class without metaclass of its own; `boot` and [`Ec::new_class`] complete it.
    pub(crate) fn create(
        ec: &Ec,
        kind: HeapType,
        superclass: Option<Class>,
        meta: ShapeId,
        extra_flags: u64,
        attached: Value,
    ) -> Class {
        let pool = pool_for(size_of::<ROwner>()).expect("fits the smallest pool");
        let inherited = superclass.map(Class::data);
        let place = Box::leak(Box::<ClassData>::new_uninit());
        let flags = extra_flags | flags::SHAREABLE;
        // Nothing looks at the data before it is there.
        let value = ec.new_owner_with(kind, pool, meta, flags, place.as_mut_ptr().cast());
        place.write(ClassData {
            superclass: AtomicU64::new(superclass.map_or(Value::NIL, Class::value).bits()),
            mro: RwLock::new(order_below(value, superclass)),
            own_len: AtomicUsize::new(1),
            methods: RwLock::default(),
            names: AtomicU64::new(0),
            root_shape: ec.vm().shapes.new_root(value),
            plain_match_epoch: AtomicU32::new(u32::MAX),
            known_name: AtomicU64::new(0),
            field_hint: AtomicU16::new(inherited.map_or(0, |d| d.field_hint.load(Ordering::Relaxed))),
            larger_instances: AtomicU8::new(0),
            has_learned: AtomicBool::new(false),
            shape_variations: AtomicU16::new(0),
            known_allocator: AtomicPtr::default(),
            attached,
            name: RwLock::new(None),
            dependents: Mutex::default(),
            extras: OncePointer::new(),
        });
        ec.heap().account(size_of::<ClassData>() as isize);
        let class = Class(value);
        if let Some(superclass) = superclass {
            superclass.add_dependent(class);
        }
        ec.vm().classes.lock().unwrap_or_else(|e| e.into_inner()).all.push(value);
        class
    }

    /// Late binding of the superclass of a class made by `Class.allocate`.
    pub fn initialize_superclass(self, ec: &Ec, superclass: Class) {
        self.data().superclass.store(superclass.0.bits(), Ordering::Release);
        let inherited = superclass.data();
        self.data().field_hint.store(inherited.field_hint.load(Ordering::Relaxed), Ordering::Relaxed);
        self.forget_allocator();
        superclass.add_dependent(self);
        self.rebuild_mro();
        ec.vm().ancestors_changed();
        self.note_inherited_constants(ec, superclass);
    }

    /// Until now the class had no superclass and so no instances, so no site knows a method of it. Code in its body may have found
    /// constants of the top level, for which a class below `Object` has others.
    fn note_inherited_constants(self, ec: &Ec, superclass: Class) {
        let object = ec.vm().known().object.value();
        for ancestor in superclass.mro().iter().take_while(|ancestor| **ancestor != object) {
            for (name, _) in Class::expect(*ancestor).own_constants() {
                ec.vm().constant_changed(name);
            }
        }
    }

    /// Gives instances of this class and of those below another way into being; `None`: there are none.
    pub fn set_allocator(self, allocator: Option<Allocator>) {
        let allocation = allocator.map_or(Allocation::Undefined, Allocation::Own);
        *self.data().own_extras().allocator.write().unwrap_or_else(|e| e.into_inner()) = allocation;
        self.forget_allocator();
    }

    /// It has an allocator that it did not inherit, as core classes do that are no plain objects.
    pub(crate) fn makes_its_own_instances(self) -> bool {
        !matches!(*self.data().extras().allocator.read().unwrap_or_else(|e| e.into_inner()), Allocation::Inherited)
    }

    fn forget_allocator(self) {
        self.data().known_allocator.store(std::ptr::null_mut(), Ordering::Release);
        let below = self.data().dependents.lock().unwrap_or_else(|e| e.into_inner()).clone();
        below.into_iter().filter_map(Class::from_value).for_each(Class::forget_allocator);
    }

    /// The nearest allocator upwards, unless the class or one above it has none on purpose.
    pub fn allocator(self) -> Option<Allocator> {
        let known = self.data().known_allocator.load(Ordering::Acquire);
        if !known.is_null() {
            // SAFETY: only allocators are stored here.
            return Some(unsafe { std::mem::transmute::<*mut (), Allocator>(known) });
        }
        let found = self.search_allocator()?;
        self.data().known_allocator.store(found as *mut (), Ordering::Release);
        Some(found)
    }

    /// Whether instances of both are of the same kind of heap object. A copy of a core class is not below it.
    pub fn makes_same_kind(self, other: Class) -> bool {
        matches!((self.allocator(), other.allocator()), (Some(own), Some(its)) if std::ptr::fn_addr_eq(own, its))
    }

    fn search_allocator(self) -> Option<Allocator> {
        let mut class = self;
        loop {
            match *class.data().extras().allocator.read().unwrap_or_else(|e| e.into_inner()) {
                Allocation::Own(allocator) => return Some(allocator),
                Allocation::Undefined => return None,
                Allocation::Inherited => {}
            }
            class = class.superclass()?;
        }
    }

    /// Everything the class refers to, for the collector.
    pub(crate) fn references(data: &ClassData, mark: &mut dyn FnMut(Value)) {
        let extras = data.extras();
        // SAFETY: the word was a value when it was stored.
        mark(unsafe { Value::from_bits(data.superclass.load(Ordering::Relaxed)) });
        mark(data.attached);
        match data.known_name.load(Ordering::Acquire) {
            0 => {}
            // SAFETY: the word was a value when it was stored.
            bits => mark(unsafe { Value::from_bits(bits) }),
        }
        // SAFETY: as above.
        mark(unsafe { Value::from_bits(extras.refined.load(Ordering::Acquire)) });
        data.mro.read().unwrap_or_else(|e| e.into_inner()).iter().for_each(|v| mark(*v));
        data.methods.read().unwrap_or_else(|e| e.into_inner()).values().filter_map(|m| m.entry()).for_each(&mut *mark);
        extras.constants.read().unwrap_or_else(|e| e.into_inner()).iter().for_each(|(_, c)| mark(c.held()));
        extras.class_variables.read().unwrap_or_else(|e| e.into_inner()).iter().for_each(|(_, v)| mark(v.get()));
        let mixins = extras.mixins.read().unwrap_or_else(|e| e.into_inner());
        mixins.included.iter().chain(&mixins.prepended).for_each(|v| mark(*v));
    }
}

/// The search order of a class or module that nothing was mixed into.
fn order_below(class: Value, superclass: Option<Class>) -> Arc<[Value]> {
    let Some(superclass) = superclass else { return Arc::from([class]) };
    let above = superclass.data().mro.read().unwrap_or_else(|e| e.into_inner());
    std::iter::once(class).chain(above.iter().copied()).collect()
}

/// Where a class or module stands among ancestors, after so many places of it.
fn position_of(mro: &[Value], owner: Class, place: u8) -> Option<usize> {
    let mut places = mro.iter().enumerate().filter(|(_, m)| **m == owner.0).map(|(position, _)| position);
    places.clone().nth(usize::from(place)).or_else(|| places.next())
}

/// Where a class begins in a search order: at the first module that is prepended to it, or at itself.
pub(crate) fn head_of(order: &[Value], class: Value) -> Option<usize> {
    let own = order.iter().position(|ancestor| *ancestor == class)?;
    let prepended = Class::expect(class).directly_prepended();
    if prepended.is_empty() {
        return Some(own);
    }
    let belongs = |module: &Value| prepended.iter().any(|p| Class::expect(*p).mro().contains(module));
    Some(own - order[..own].iter().rev().take_while(|module| belongs(module)).count())
}

/// Appends what is in neither list yet, keeping order.
fn push_missing(order: &mut Vec<Value>, added: &[Value], above: &[Value]) {
    for module in added {
        if !order.contains(module) && !above.contains(module) {
            order.push(*module);
        }
    }
}

/// Adds an included module and what it brings to what stands behind a class: behind the class, or where the module is, and what it has in front of
/// others behind them, wherever those stand.
fn insert_missing(order: &mut Vec<Value>, module: Value, added: &[Value], left_out: &[Value]) {
    let first = order.iter().position(|own| *own == module).unwrap_or(1);
    let mut last = None;
    for module in added {
        if let Some(found) = order.iter().position(|own| own == module) {
            last = last.max(Some(found));
        } else if !left_out.contains(module) {
            let place = last.map_or(first, |last| last + 1);
            order.insert(place, *module);
            last = Some(place);
        }
    }
}

impl Ec {
    /// Class of any value, singleton classes included.
    #[inline]
    pub fn class_of(&self, value: Value) -> Class {
        Class(self.vm().shapes.class_of(shape_of(value)))
    }

    /// Whether the object's class is one that only it has.
    pub fn has_own_singleton_class(&self, object: Value) -> bool {
        let class = self.class_of(object);
        class.is_singleton() && class.attached() == object
    }

    /// A new anonymous class below `superclass`, with its metaclass. Runs no `inherited`.
    pub fn new_class(&self, superclass: Class) -> Class {
        let class =
            Class::create(self, HeapType::Class, Some(superclass), self.vm().known().class.root_shape(), 0, Value::NIL);
        self.singleton_class_of(class.value()).expect("classes have singleton classes");
        class
    }

    pub fn new_module(&self) -> Class {
        Class::create(self, HeapType::Module, None, self.vm().known().module.root_shape(), 0, Value::NIL)
    }

    /// The class that only this object has, made on demand. `None` for values that cannot have one.
    pub fn singleton_class_of(&self, value: Value) -> Option<Class> {
        let known = self.vm().known();
        match value {
            Value::NIL => return Some(known.nil_class),
            Value::TRUE => return Some(known.true_class),
            Value::FALSE => return Some(known.false_class),
            _ => {}
        }
        let header = value.header()?;
        if matches!(header.heap_type(), HeapType::Float | HeapType::Bignum) {
            return None;
        }
        // Other strings of the same text would have it too.
        if Str::from_value(value).is_some_and(Str::is_fstring) {
            return None;
        }
        let current = self.class_of(value);
        if current.is_singleton() && current.attached() == value {
            return Some(current);
        }
        Some(self.make_singleton_class(value, current))
    }

    fn make_singleton_class(&self, value: Value, current: Class) -> Class {
        if current.value() == value {
            return self.make_looping_singleton_class(value);
        }
        let superclass = match Class::from_value(value).filter(|c| c.is_class()) {
            Some(class) => class.metaclass_super(self),
            None => current,
        };
        let meta = self.metaclass_of_singleton(value, current);
        let _changing = self.lock_class_changes(value);
        let current_now = self.class_of(value);
        if current_now.is_singleton() && current_now.attached() == value {
            return current_now;
        }
        let singleton = Class::create(self, HeapType::Class, Some(superclass), meta, flags::CLASS_SINGLETON, value);
        self.attach_singleton_class(value, singleton);
        singleton
    }

    /// The singleton class of the class Class, or of the last one that was made of that: an instance of itself. The singleton
    /// classes above it are instances of it too, so it is there before they are asked for; whoever asks for its own singleton class
    /// waits until it has a superclass.
    fn make_looping_singleton_class(&self, value: Value) -> Class {
        let _making = self.vm().looping_classes.lock().unwrap_or_else(PoisonError::into_inner);
        let current = self.class_of(value);
        if current.value() != value {
            return current;
        }
        let root = self.class_of(value).root_shape();
        let singleton = Class::create(self, HeapType::Class, None, root, flags::CLASS_SINGLETON, value);
        let own = singleton.value();
        own.header().expect("a class is a heap object").set_shape(singleton.root_shape());
        self.attach_singleton_class(value, singleton);
        singleton.initialize_superclass(self, Class(value).metaclass_super(self));
        singleton
    }

    fn attach_singleton_class(&self, value: Value, singleton: Class) {
        let header = value.header().expect("only heap objects get singleton classes");
        let shape = self.vm().shapes.rebase(header.shape(), singleton.root_shape());
        header.set_shape(shape);
        self.heap().barrier(value, singleton.value());
    }

    /// The root shape of what a new singleton class is an instance of: for a class the singleton class of its own class,
    /// for anything else that of its real class.
    fn metaclass_of_singleton(&self, value: Value, current: Class) -> ShapeId {
        let class = match Class::from_value(value).filter(|c| c.is_class()) {
            Some(_) => current,
            None => return self.class_of(current.real().value()).root_shape(),
        };
        // While the first classes come into being the class Class has no singleton class yet: boot corrects these.
        let existing = self.class_of(class.value());
        let is_own = existing.is_singleton() && existing.attached() == class.value();
        if is_own || !self.vm().is_booted() || class.value() == value {
            return existing.root_shape();
        }
        self.singleton_class_of(class.value()).expect("classes have singleton classes").root_shape()
    }

    /// Asks for the room in lists and tables that a class below `superclass` and its singleton class take: with millions of classes
    /// more, when one of them grows, than is put by for requests that cannot fail.
    pub fn reserve_for_class(&mut self, superclass: Class) -> crate::Result<()> {
        let has_room = self.has_room_for_classes().is_some_and(|are_few| {
            are_few || superclass.has_room_below(2) && self.class_of(superclass.value()).has_room_below(1)
        });
        if has_room { Ok(()) } else { Err(self.no_memory()) }
    }

    /// The same for a module.
    pub fn reserve_for_module(&mut self) -> crate::Result<()> {
        if self.has_room_for_classes().is_some() { Ok(()) } else { Err(self.no_memory()) }
    }

    /// Whether the classes are so few that no list of them need be asked for room; `None`: the tables of all classes have none.
    fn has_room_for_classes(&self) -> Option<bool> {
        // Raising the error takes some, too.
        const SHAPES: usize = 64;
        if !self.vm().shapes.has_room_for(SHAPES) {
            return None;
        }
        let all = &mut self.vm().classes.lock().unwrap_or_else(|e| e.into_inner()).all;
        all.try_reserve(2).ok()?;
        Some(all.len() < FEW_CLASSES)
    }

    /// A singleton class that the program gets to see. Those of classes have singleton classes themselves, so that what is
    /// defined in the singleton class of a superclass's singleton class is found.
    pub fn exposed_singleton_class(&self, value: Value) -> Option<Class> {
        let singleton = self.singleton_class_of(value)?;
        if self.vm().is_booted() && Class::from_value(value).is_some_and(Class::is_class) {
            self.singleton_class_of(singleton.value());
        }
        Some(singleton)
    }
}

impl Class {
    /// Superclass of a class's singleton class: the singleton class of its superclass.
    fn metaclass_super(self, ec: &Ec) -> Class {
        if self.is_singleton() {
            let above = self.superclass().expect("a singleton class has a superclass");
            return ec.singleton_class_of(above.value()).expect("classes have singleton classes");
        }
        match self.superclass() {
            Some(superclass) => ec.singleton_class_of(superclass.value()).expect("classes have singleton classes"),
            None => ec.vm().known().class,
        }
    }
}
