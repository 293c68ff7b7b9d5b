//! Plain objects and the fields (instance variables) of every kind of object.
//!
//! # Layout
//! `Object` and `Struct` slots keep field i at `8 + 8 * i` as far as the slot reaches; what does not fit lives in a side
//! block reached through the object's page. Objects of other types may lie in a larger slot than their header's pool says,
//! and all that concerns their contents goes by the header. Their fields are behind, at `slot_bytes + 8 * i`, as long as all
//! of them fit; otherwise all are in the side block. Header bits (shape, pool, side flag) decide where a field lies, so an
//! inline cache compares `header & FIELD_KEY`.
//!
//! Classes that inherit from `String` and the like learn how many fields their instances get; new ones have room for as many.
//! Core classes do not: an instance variable of one string would make every string larger.
//!
//! # Invariants
//! * Fields up to the shape's count are initialised; those beyond it are never read.
//! * An object whose class has too many shapes has one field, a hash of all others (*dictionary mode*).

use crate::ec::{Ec, Result};
use crate::inspect::recorder::{self, Event};
use crate::model::class::Class;
use crate::model::symbol::sym;
use crate::value::hash::Hash;
use carat_layout::{Header, HeapType, MAX_FIELDS_INLINE, PoolIndex, ShapeId, SymbolId, Value, flags, pool_for};
use carat_sync::{MutexGuard, PoisonError};
use std::cell::Cell;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicU64, Ordering, fence};

/// Shapes of this many fields are searched without remembering the answer.
const SEARCHED_QUICKLY: u32 = 8;
const FIELD_ANSWERS: usize = 256;

/// Where a shape has a field; `shape` is never 0 in a filled one.
#[derive(Clone, Copy, Default)]
pub(crate) struct FieldAnswer {
    shape: u32,
    name: u32,
    /// Its number plus one; 0 if there is none.
    index: u32,
}

/// Shapes of one class that begin alike. What would need another one has its fields in a table.
const MOST_VARIATIONS: u16 = 8;
/// Fields that a shape names.
const MOST_FIELDS: u32 = 1024;

/// Structs find their members by number, and several Ractors read the fields of classes.
fn may_have_field_table(header: &Header) -> bool {
    !matches!(header.heap_type(), HeapType::Struct | HeapType::Class | HeapType::Module)
}

impl Class {
    /// The pool of new plain objects.
    fn pool_of_instances(self) -> PoolIndex {
        let fields = usize::from(self.data().field_hint.load(Ordering::Relaxed)).min(MAX_FIELDS_INLINE);
        pool_for(8 + 8 * fields).expect("bounded by the largest slot")
    }

    /// The header of new plain objects.
    pub(crate) fn new_header(self) -> u64 {
        Header::new(HeapType::Object, self.pool_of_instances(), self.root_shape(), 0).bits()
    }

    /// The same of a struct whose members lie in its slot, and are set from birth; `None` if the class never had an instance.
    pub(crate) fn struct_header(self, ec: &Ec) -> Option<u64> {
        let shape = self.known_member_shape()?;
        let pool = self.pool_of_structs(self.members(ec)?.len(ec));
        let frozen = if self.is_or_inherits(ec.vm().known().data) { flags::FROZEN } else { 0 };
        Some(Header::new(HeapType::Struct, pool, shape, frozen).bits())
    }

    fn pool_of_structs(self, count: usize) -> PoolIndex {
        let hint = usize::from(self.data().field_hint.load(Ordering::Relaxed));
        pool_for(8 + 8 * hint.max(count).min(MAX_FIELDS_INLINE)).expect("bounded by the largest slot")
    }
}

/// Most fields that a slot is made larger for because a single object has them, or behind contents at all.
const MOST_RESERVED: usize = 8;
/// Objects that must have one field more than their class's slots hold before it is made a part of these.
const TELLING_INSTANCES: u8 = 4;

/// What a new object's slot is made for.
#[derive(Clone, Copy)]
pub(crate) struct Mold {
    pub(crate) shape: ShapeId,
    /// Fields that it gets room for behind its contents.
    fields: usize,
}

impl Mold {
    /// For an instance of a class, with the fields that earlier ones got.
    pub(crate) fn of(class: Class) -> Mold {
        let fields = usize::from(class.data().field_hint.load(Ordering::Relaxed)).min(MOST_RESERVED);
        Mold { shape: class.root_shape(), fields }
    }

    /// The pool for contents that need `pool`, and the fields; that for the contents alone if there is none.
    #[inline]
    pub(crate) fn pool_with_fields(self, pool: PoolIndex) -> PoolIndex {
        match self.fields {
            0 => pool,
            fields => pool_for(pool.slot_bytes() + 8 * fields).unwrap_or(pool),
        }
    }
}

impl From<ShapeId> for Mold {
    /// Without room for fields: for core classes.
    fn from(shape: ShapeId) -> Mold {
        Mold { shape, fields: 0 }
    }
}

/// Where a field lies.
#[derive(Clone, Copy)]
pub(crate) enum FieldPlace {
    /// So many bytes behind the beginning of the slot.
    InSlot(usize),
    /// The place of this number in the side block.
    Beside(usize),
}

/// The slot holds nothing but the header and fields.
#[inline]
pub(crate) fn is_all_fields(header: &Header) -> bool {
    matches!(header.heap_type(), HeapType::Object | HeapType::Struct)
}

/// Where field `index` of an object lies. The field must be within the shape's count.
#[inline]
pub(crate) fn place_of(header: &Header, index: usize) -> FieldPlace {
    if is_all_fields(header) {
        let inline = header.slot_bytes() / 8 - 1;
        if index < inline { FieldPlace::InSlot(offset_in_slot(index)) } else { FieldPlace::Beside(index - inline) }
    } else if header.has(flags::SIDE_FIELDS) {
        FieldPlace::Beside(index)
    } else {
        FieldPlace::InSlot(header.slot_bytes() + 8 * index)
    }
}

/// Where field `index` of an object of fields alone lies if its slot has room for that.
#[inline]
pub(crate) fn offset_in_slot(index: usize) -> usize {
    8 + 8 * index
}

/// See [`place_of`].
#[inline]
fn field_ptr(object: NonNull<Header>, index: usize) -> *mut Value {
    // SAFETY: the header is alive, and the place computed lies inside its slot or its side block.
    unsafe {
        match place_of(object.as_ref(), index) {
            FieldPlace::InSlot(offset) => object.as_ptr().byte_add(offset).cast(),
            FieldPlace::Beside(number) => {
                let block = carat_heap::side::of(object).expect("a field beyond the slot has a side block");
                block.as_ptr().add(number)
            }
        }
    }
}

/// Fields that the slot has room for behind what the header says.
pub(crate) fn room_behind(object: NonNull<Header>) -> usize {
    // SAFETY: the object is alive.
    let header = unsafe { object.as_ref() };
    if is_all_fields(header) { 0 } else { (carat_heap::side::slot_bytes(object) - header.slot_bytes()) / 8 }
}

impl Ec {
    /// A new plain object with room for the fields that instances of its class usually get. Runs no `initialize`.
    pub fn new_object(&self, class: Class) -> Value {
        self.new_object_as(class, HeapType::Object)
    }

    pub(crate) fn new_object_as(&self, class: Class, kind: HeapType) -> Value {
        let slot = self.new_slot(kind, class.pool_of_instances(), class.root_shape(), 0);
        // SAFETY: the header is written and no field is within the root shape's count.
        unsafe { Value::from_heap(slot) }
    }

    /// A slot as a header says that is written to it.
    pub(crate) fn new_slot_as(&self, header: u64) -> NonNull<Header> {
        let pool = PoolIndex(((header & flags::POOL_MASK) >> flags::POOL_SHIFT) as u8);
        let header = Header::of_bits(header);
        let Some(slot) = self.heap().take_slot(pool) else { return self.new_slot_slow(pool, header) };
        // SAFETY: the slot is fresh, and ours alone.
        unsafe { slot.write(header) };
        slot
    }

    /// An object whose first `count` fields exist from birth, all nil: structs. `shape` names them.
    pub fn new_struct(&self, class: Class, shape: ShapeId, count: usize) -> Value {
        let slot = self.new_slot(HeapType::Struct, class.pool_of_structs(count), class.root_shape(), 0);
        // SAFETY: the slot is fresh.
        let value = unsafe { Value::from_heap(slot) };
        if count > value.header().expect("a heap value").slot_bytes() / 8 - 1 {
            self.grow_side_block(slot, count, None);
        }
        for index in 0..count {
            // SAFETY: the place is inside the slot or the block made above.
            unsafe { field_ptr(slot, index).write(Value::NIL) };
        }
        value.header().expect("a heap value").set_shape(shape);
        value
    }

    /// Number of the field called `name` in objects of a shape. Answers for large shapes, whose names are searched in turn, are remembered.
    pub(crate) fn find_field(&self, shape: ShapeId, name: SymbolId) -> Option<u32> {
        let shapes = &self.vm().shapes;
        if shapes.get(shape).count() <= SEARCHED_QUICKLY {
            return shapes.find(shape, name);
        }
        let place = (shape.0.wrapping_mul(31) ^ name.0) as usize % FIELD_ANSWERS;
        let answers = self.field_answers.get_or_init(|| vec![Cell::default(); FIELD_ANSWERS].into());
        let known = answers[place].get();
        if known.shape == shape.0 && known.name == name.0 {
            return known.index.checked_sub(1);
        }
        let found = shapes.find(shape, name);
        answers[place].set(FieldAnswer { shape: shape.0, name: name.0, index: found.map_or(0, |i| i + 1) });
        found
    }

    /// The field called `name`, if the object has it. Works for every heap object and is nil-safe for immediates.
    pub fn field(&self, object: Value, name: SymbolId) -> Option<Value> {
        let header = object.header()?;
        let shape = header.shape();
        if header.has(flags::SHAREABLE) {
            // The block is read after the shape: another Ractor may be adding a field to a class.
            fence(Ordering::Acquire);
        }
        match self.find_field(shape, name) {
            Some(index) => Some(self.field_at(object, index as usize)).filter(|v| !v.is_undef()),
            None => self.field_table(object)?.get_symbol(self, name),
        }
    }

    /// Field number `index`, which must be within the shape's count.
    #[inline]
    pub fn field_at(&self, object: Value, index: usize) -> Value {
        let object = object.as_heap().expect("fields belong to heap objects");
        // SAFETY: the index is within the shape's count. A class's field may be written by another Ractor meanwhile.
        unsafe { Value::from_bits((*field_ptr(object, index).cast::<AtomicU64>()).load(Ordering::Acquire)) }
    }

    #[inline]
    pub fn set_field_at(&mut self, object: Value, index: usize, value: Value) {
        let slot = object.as_heap().expect("fields belong to heap objects");
        // SAFETY: the index is within the shape's count. A class's field may be read by another Ractor meanwhile.
        unsafe { (*field_ptr(slot, index).cast::<AtomicU64>()).store(value.bits(), Ordering::Release) };
        self.heap().barrier(object, value);
    }

    /// Sets the field called `name`, adding it if need be. Checks nothing: see [`Ec::set_instance_variable`].
    pub fn set_field(&self, object: Value, name: SymbolId, value: Value) {
        let slot = object.as_heap().expect("fields belong to heap objects");
        let _changing = self.lock_class_changes(object);
        // SAFETY: the object is alive.
        let header = unsafe { slot.as_ref() };
        let index = match self.find_field(header.shape(), name) {
            Some(index) => index as usize,
            None if self.needs_field_table(object, header, name) => {
                return self.set_in_field_table(object, name, value);
            }
            None => self.add_field(slot, name),
        };
        // SAFETY: the field exists now.
        unsafe { (*field_ptr(slot, index).cast::<AtomicU64>()).store(value.bits(), Ordering::Release) };
        self.heap().barrier(object, value);
    }

    /// The classes of shareable objects, and the fields of classes, are what several Ractors change: one at a time, while
    /// others read.
    pub(crate) fn lock_class_changes(&self, object: Value) -> Option<MutexGuard<'static, ()>> {
        let is_shared = self.vm().has_several_ractors() && self.is_marked_shareable(object);
        is_shared.then(|| self.vm().class_changes.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Makes room for one more field and gives the object the shape that has it.
    pub(crate) fn add_field(&self, slot: NonNull<Header>, name: SymbolId) -> usize {
        // SAFETY: the object is alive.
        let header = unsafe { slot.as_ref() };
        let shapes = &self.vm().shapes;
        let next = shapes.transition(header.shape(), name);
        let index = shapes.get(next).count() as usize - 1;
        self.make_field_room(slot, index, Some(name));
        // SAFETY: there is room for the field now, and it is written before its shape counts it.
        unsafe { field_ptr(slot, index).write(Value::UNDEF) };
        header.set_shape(next);
        self.learn_field_count(shapes.class_of(next), header, index + 1);
        index
    }

    /// The class's later instances get room for as many fields as this one has: up to [`MOST_RESERVED`] at once, beyond that one
    /// more for each few instances that need it, so that one odd object does not enlarge all others.
    fn learn_field_count(&self, class: Value, header: &Header, count: usize) {
        // SAFETY: what a shape names is a class.
        let class = unsafe { Class::from_value_unchecked(class) }.real();
        let data = class.data();
        let known = usize::from(data.field_hint.load(Ordering::Relaxed));
        if count <= known || !self.has_alike_instances(class, header) {
            return;
        }
        let is_usual =
            || data.larger_instances.fetch_add(1, Ordering::Relaxed) % TELLING_INSTANCES == TELLING_INSTANCES - 1;
        let is_next = count == known.max(MOST_RESERVED) + 1 && count <= MAX_FIELDS_INLINE && is_all_fields(header);
        if count <= MOST_RESERVED || is_next && is_usual() {
            data.field_hint.store(count as u16, Ordering::Relaxed);
        }
    }

    /// Whether one instance of a class tells something of the next: `main` and other plain instances of Object have nothing in common.
    fn has_alike_instances(&self, class: Class, header: &Header) -> bool {
        if is_all_fields(header) { class != self.vm().known().object } else { !class.makes_its_own_instances() }
    }

    /// Makes room for field number `index`, the first one that the object does not have yet.
    fn make_field_room(&self, slot: NonNull<Header>, index: usize, name: Option<SymbolId>) {
        // SAFETY: the object is alive.
        let header = unsafe { slot.as_ref() };
        if !is_all_fields(header) && !header.has(flags::SIDE_FIELDS) {
            if index >= room_behind(slot) {
                self.move_fields_beside(slot, index, name);
            }
        } else if let FieldPlace::Beside(number) = place_of(header, index) {
            self.grow_side_block(slot, number + 1, name);
        }
    }

    /// Moves the `count` fields behind an object's contents to a side block, with room for another one.
    #[cold]
    fn move_fields_beside(&self, slot: NonNull<Header>, count: usize, name: Option<SymbolId>) {
        let fields: Vec<u64> = (0..count)
            // SAFETY: the fields are within the shape's count.
            .map(|index| unsafe { *field_ptr(slot, index) }.bits())
            .collect();
        self.grow_side_block(slot, count + 1, name);
        for (index, bits) in fields.into_iter().enumerate() {
            // SAFETY: the block has room for them, and the words were values, which the object kept alive.
            unsafe { field_ptr(slot, index).write(Value::from_bits(bits)) };
        }
    }

    /// Makes the object's side block hold at least `needed` fields, the last of which is to be the one called `name`.
    fn grow_side_block(&self, slot: NonNull<Header>, needed: usize, name: Option<SymbolId>) {
        let old = carat_heap::side::of(slot);
        // SAFETY: the block belongs to the object.
        let old_capacity = old.map_or(0, |b| unsafe { carat_heap::side::capacity(b) });
        if old_capacity >= needed {
            return;
        }
        if self.is_recording()
            && old.is_none()
            && let Some(name) = name
        {
            // SAFETY: the object is alive.
            let object = unsafe { Value::from_heap(slot) };
            recorder::event(self, object, Event::FieldSpilled { name });
        }
        let capacity = needed.next_power_of_two().max(4);
        let block = carat_heap::side::allocate(capacity);
        if let Some(old) = old {
            // SAFETY: both blocks hold `old_capacity` fields and do not overlap.
            unsafe { std::ptr::copy_nonoverlapping(old.as_ptr(), block.as_ptr(), old_capacity) };
        }
        self.heap().set_side_block(slot, block.as_ptr());
        // SAFETY: the object is alive.
        unsafe { slot.as_ref() }.set(flags::SIDE_FIELDS);
        let Some(old) = old else { return };
        // SAFETY: the object is alive.
        if unsafe { slot.as_ref() }.has(flags::SHAREABLE) && self.vm().has_several_ractors() {
            return self.vm().retire_block(old);
        }
        // SAFETY: nothing refers to the old block any more.
        unsafe { carat_heap::side::free(old) };
    }

    /// `@name = value` on any object, with Ruby's checks.
    pub fn set_instance_variable(&mut self, object: Value, name: SymbolId, value: Value) -> Result<()> {
        if self.replace_field(object, name, value) {
            return Ok(());
        }
        self.check_instance_variable_set(object, name)?;
        if self.is_frozen(object) {
            return Err(self.frozen_error(object));
        }
        if let Some(string) = crate::Str::from_value(object) {
            string.check_mutable(self)?;
        }
        if let Some(table) = self.field_table(object) {
            table.make_room_in_table(self)?;
        }
        let class = self.class_of(object).real();
        let variations = class.data().shape_variations.load(Ordering::Relaxed);
        self.set_field(object, name, value);
        if variations < MOST_VARIATIONS && class.data().shape_variations.load(Ordering::Relaxed) == MOST_VARIATIONS {
            self.warn_shape_variations(class, MOST_VARIATIONS)?;
        }
        Ok(())
    }

    /// Writes to a field that is there, of an object that nothing speaks against writing to; false if that is not so.
    #[inline]
    fn replace_field(&mut self, object: Value, name: SymbolId, value: Value) -> bool {
        let Some(header) = object.header() else { return false };
        if header.has(flags::FROZEN) || header.is_type(HeapType::String) || self.vm().has_several_ractors() {
            return false;
        }
        let Some(index) = self.find_field(header.shape(), name) else { return false };
        self.set_field_at(object, index as usize, value);
        true
    }

    /// Names of all fields that have a value, hidden ones included.
    pub fn field_names(&self, object: Value) -> Vec<SymbolId> {
        let Some(header) = object.header() else { return Vec::new() };
        if let Some(table) = self.field_table(object) {
            return self.names_in_table(table);
        }
        let names = self.vm().shapes.names(header.shape()).into_iter().enumerate();
        names.filter(|(index, _)| !self.field_at(object, *index).is_undef()).map(|(_, name)| name).collect()
    }

    /// Names of the object's instance variables in order; hidden ones (`__name`) and removed ones excepted.
    pub fn instance_variable_names(&self, object: Value) -> Vec<SymbolId> {
        let mut names = self.field_names(object);
        names.retain(|name| !self.is_hidden(*name));
        names
    }

    /// Field names that core code uses for itself, and extensions in C: no program can name them.
    pub fn is_hidden(&self, name: SymbolId) -> bool {
        !self.vm().symbol_name(name).bytes.starts_with(b"@")
    }

    /// Takes a field away. The object gets the shape that it would have without it; only a class that other Ractors may be
    /// reading keeps the place, with undef in it.
    pub fn remove_field(&mut self, object: Value, name: SymbolId) -> Option<Value> {
        let old = self.field(object, name)?;
        if let Some(table) = self.field_table(object) {
            return table.delete_identical(self, Value::symbol(name));
        }
        let slot = object.as_heap()?;
        let shape = object.header()?.shape();
        let removed = self.find_field(shape, name)? as usize;
        if self.vm().has_several_ractors() && Class::from_value(object).is_some() {
            self.set_field(object, name, Value::UNDEF);
            return Some(old);
        }
        let shapes = &self.vm().shapes;
        let names = shapes.names(shape);
        for index in removed + 1..names.len() {
            // SAFETY: both places are within the shape's count.
            unsafe { field_ptr(slot, index - 1).write(*field_ptr(slot, index)) };
        }
        let kept = names.into_iter().enumerate().filter(|(index, _)| *index != removed);
        let without = kept.fold(self.root_shape_of(shape), |shape, (_, name)| shapes.transition(shape, name));
        object.header()?.set_shape(without);
        Some(old)
    }

    fn root_shape_of(&self, shape: ShapeId) -> ShapeId {
        Class::expect(self.vm().shapes.class_of(shape)).root_shape()
    }

    /// Copies all fields of one object to another of the same kind (`dup`, `clone`).
    pub fn copy_fields(&self, from: Value, to: Value) {
        let Some(header) = from.header() else { return };
        if self.copy_all_fields(from, to) {
            return;
        }
        if let Some(table) = self.field_table(from) {
            return self.names_in_table(table).into_iter().for_each(|name| {
                self.set_in_field_table(to, name, table.get_symbol(self, name).unwrap_or(Value::NIL));
            });
        }
        for (index, name) in self.vm().shapes.names(header.shape()).into_iter().enumerate() {
            let value = self.field_at(from, index);
            if !value.is_undef() {
                self.set_field(to, name, value);
            }
        }
    }

    /// Copies the fields in one go, and with them the shape, to a fresh object of the same class in whose slot they fit. False,
    /// with nothing done, for anything else.
    fn copy_all_fields(&self, from: Value, to: Value) -> bool {
        let (Some(source), Some(target)) = (from.header(), to.header()) else { return false };
        let shapes = &self.vm().shapes;
        let (shape, own) = (shapes.get(source.shape()), shapes.get(target.shape()));
        let count = shape.count() as usize;
        let is_fresh = target.shape() == source.shape() || own.count() == 0 && own.class() == shape.class();
        let room = source.slot_bytes().min(target.slot_bytes()) / 8 - 1;
        if !is_fresh
            || count > room
            || !is_all_fields(source)
            || !is_all_fields(target)
            || shape.name() == sym::FIELD_TABLE
        {
            return false;
        }
        let fields = (0..count).map(|index| self.field_at(from, index));
        if fields.clone().any(Value::is_undef) {
            return false;
        }
        let slot = to.as_heap().expect("a heap object");
        // SAFETY: the slot has room for the fields, which are written before its shape counts them.
        fields.enumerate().for_each(|(index, value)| unsafe { field_ptr(slot, index).write(value) });
        target.set_shape(source.shape());
        self.wrote(to);
        true
    }

    // ---- objects with too many shapes ----

    /// The table of an object whose fields are in one: the only field that its shape names.
    pub(crate) fn has_field_table(&self, object: Value) -> bool {
        self.field_table(object).is_some()
    }

    fn field_table(&self, object: Value) -> Option<Hash> {
        let header = object.header()?;
        let shape = self.vm().shapes.get(header.shape());
        let has_table = shape.count() == 1 && shape.name() == sym::FIELD_TABLE && may_have_field_table(header);
        has_table.then(|| Hash::from_value(self.field_at(object, 0))).flatten()
    }

    fn names_in_table(&self, table: Hash) -> Vec<SymbolId> {
        let places = std::iter::successors(table.next(self, 0), |place| table.next(self, *place));
        places.filter_map(|place| table.key_at(self, place - 1).as_symbol()).collect()
    }

    /// Whether a field that the object does not have yet goes to a table: its class has too many shapes, or the object very
    /// many fields.
    fn needs_field_table(&self, object: Value, header: &Header, name: SymbolId) -> bool {
        let shapes = &self.vm().shapes;
        let shape = header.shape();
        if self.field_table(object).is_some() {
            return true;
        }
        if !may_have_field_table(header) || self.is_hidden(name) || shapes.known_transition(shape, name).is_some() {
            return false;
        }
        let variations = &self.class_of(object).real().data().shape_variations;
        if variations.load(Ordering::Relaxed) >= MOST_VARIATIONS || shapes.get(shape).count() >= MOST_FIELDS {
            return true;
        }
        if shapes.get(shape).edge_count() > 0 {
            variations.fetch_add(1, Ordering::Relaxed);
        }
        false
    }

    fn set_in_field_table(&self, object: Value, name: SymbolId, value: Value) {
        let table = self.field_table(object).unwrap_or_else(|| self.move_fields_to_table(object));
        table.set_plain(self, Value::symbol(name), value);
    }

    #[cold]
    fn move_fields_to_table(&self, object: Value) -> Hash {
        let slot = object.as_heap().expect("fields belong to heap objects");
        // SAFETY: the object is alive.
        let header = unsafe { slot.as_ref() };
        let shape = header.shape();
        let table = Hash::new(self);
        for (index, name) in self.vm().shapes.names(shape).into_iter().enumerate() {
            let value = self.field_at(object, index);
            if !value.is_undef() {
                table.set_plain(self, Value::symbol(name), value);
            }
        }
        self.make_field_room(slot, 0, None);
        // SAFETY: there is room for one field, which is written before its shape counts it.
        unsafe { field_ptr(slot, 0).write(table.value()) };
        header.set_shape(self.vm().shapes.transition(self.root_shape_of(shape), sym::FIELD_TABLE));
        self.heap().barrier(object, table.value());
        table
    }

    /// Number of fields, hidden and removed ones included.
    pub fn field_count(&self, object: Value) -> usize {
        object.header().map_or(0, |h| self.vm().shapes.get(h.shape()).count() as usize)
    }

    /// Calls `visit` with every field, for the collector.
    pub(crate) fn each_field(&self, object: NonNull<Header>, visit: &mut dyn FnMut(Value)) {
        // SAFETY: the object is alive.
        let count = self.vm().shapes.get(unsafe { object.as_ref() }.shape()).count() as usize;
        for index in 0..count {
            // SAFETY: the index is within the shape's count.
            visit(unsafe { *field_ptr(object, index) });
        }
    }

    // ---- freezing ----

    #[inline]
    pub fn is_frozen(&self, value: Value) -> bool {
        value.header().is_none_or(|h| h.has(flags::FROZEN))
    }

    pub fn freeze(&self, value: Value) {
        if let Some(header) = value.header() {
            if let Some(table) = self.field_table(value) {
                self.freeze(table.value());
            }
            header.set(flags::FROZEN);
            header.clear(if header.is_type(HeapType::String) { flags::CHILLED_MASK } else { 0 });
        }
    }

    /// `object_id`: the address, which never changes and is a multiple of 8; fixed numbers for immediates.
    pub fn object_id(&self, value: Value) -> i64 {
        match value {
            Value::NIL => 8,
            Value::TRUE => 20,
            Value::FALSE => 0,
            v if v.is_fixnum() => v.fixnum_value().wrapping_mul(2).wrapping_add(1),
            v => v.bits() as i64,
        }
    }

    /// What has an id, if it lives and is in this heap.
    pub fn value_with_id(&self, id: i64) -> Option<Value> {
        let constants = [Value::NIL, Value::TRUE, Value::FALSE];
        if let Some(constant) = constants.into_iter().find(|value| self.object_id(*value) == id) {
            return Some(constant);
        }
        let bits = id as u64;
        if bits & 3 != 0 {
            // SAFETY: each word with one of these tags is an Integer or a Float.
            return Some(unsafe { Value::from_bits(bits) });
        }
        if bits & 7 == 4 {
            let symbol = SymbolId(u32::try_from(bits >> 8).ok()?);
            return Some(Value::symbol(symbol)).filter(|s| s.bits() == bits && symbol.0 < self.vm().symbol_count());
        }
        let object = self.heap().find(bits)?;
        // SAFETY: the heap found a live object there.
        Some(unsafe { Value::from_heap(object) }).filter(|object| object.bits() == bits)
    }

    /// The address as `inspect` prints it.
    pub fn address_text(&self, value: Value) -> String {
        format!("0x{:016x}", value.bits())
    }

    /// `Kernel#to_s`: class and address.
    #[inline(never)]
    pub fn any_to_s(&self, value: Value) -> crate::value::string::Str {
        let class = self.class_of(value).real();
        crate::value::string::Str::from_text(self, &format!("#<{}:{}>", class.to_text(self), self.address_text(value)))
    }
}
