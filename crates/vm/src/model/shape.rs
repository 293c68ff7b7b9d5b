//! Shapes: what class an object has and which fields, as one 32-bit number.
//!
//! Every class has a root shape; adding a field is a transition to a child. The tree is read without a lock. Where field number i
//! of a shape lies, `object` tells.
//!
//! # Invariants
//! * A shape's class, parent, name and count do not change while its class lives.
//! * The shapes of immediates are fixed numbers, so that one function gives the shape of any value.
//!
//! # Reuse
//! No object has a shape of a dead class, but caches may still know its number. The collection that finds the class dead
//! retires its shapes; the next one that marks everything empties the cells that know them on its way, and only then are the
//! numbers given out again. Shapes count as memory outside the heap, so that such a collection comes in time.

use crate::model::append_only::AppendOnly;
use carat_layout::{ShapeId, SymbolId, Value};
use carat_sync::{Mutex, MutexGuard};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};

pub const ROOT_INTEGER: ShapeId = ShapeId(1);
pub const ROOT_FLOAT: ShapeId = ShapeId(2);
pub const ROOT_SYMBOL: ShapeId = ShapeId(3);
pub const ROOT_NIL: ShapeId = ShapeId(4);
pub const ROOT_TRUE: ShapeId = ShapeId(5);
pub const ROOT_FALSE: ShapeId = ShapeId(6);
/// Objects that Ruby never sees: code, method entries, environments.
pub const ROOT_HIDDEN: ShapeId = ShapeId(7);
/// What is left of objects that were moved to another Ractor: see [`crate::shareable`].
pub const ROOT_MOVED: ShapeId = ShapeId(8);
/// First number that is handed out.
const FIRST_FREE: u32 = 9;

/// The shape of any value: from the header, or fixed for an immediate.
#[inline(always)]
pub fn shape_of(value: Value) -> ShapeId {
    if let Some(header) = value.header() {
        return header.shape();
    }
    if value.is_fixnum() {
        return ROOT_INTEGER;
    }
    if value.is_flonum() {
        return ROOT_FLOAT;
    }
    SPECIAL_SHAPES[(value.bits() >> 3) as usize & 7]
}

/// Whether only a husk is left of an object, to which nothing may be written.
pub(crate) fn was_moved(object: Value) -> bool {
    object.is_heap() && shape_of(object) == ROOT_MOVED
}

/// Shapes of nil, false, true, undef and symbols, by the three bits above the tag.
static SPECIAL_SHAPES: [ShapeId; 8] =
    [ROOT_NIL, ROOT_FALSE, ROOT_TRUE, ROOT_HIDDEN, ROOT_SYMBOL, ROOT_HIDDEN, ROOT_HIDDEN, ROOT_HIDDEN];

pub struct Shape {
    /// Nil: the number is in use no longer.
    class: AtomicU64,
    parent: AtomicU32,
    name: AtomicU32,
    count: AtomicU32,
    /// The children by name, if there are several.
    children: Mutex<Option<Box<Children>>>,
    /// The child asked for last, or the only one, read without the lock: its name above, its number below; 0 before the first.
    last_child: AtomicU64,
}

type Children = FxHashMap<SymbolId, ShapeId>;

impl Shape {
    fn new(class: Value, parent: ShapeId, name: SymbolId, count: u32) -> Shape {
        Shape {
            class: AtomicU64::new(class.bits()),
            parent: AtomicU32::new(parent.0),
            name: AtomicU32::new(name.0),
            count: AtomicU32::new(count),
            children: Mutex::default(),
            last_child: AtomicU64::new(0),
        }
    }

    /// The number that was retired gets another meaning. Whoever is given it learns that with the object or class that has it.
    fn renew(&self, class: Value, parent: ShapeId, name: SymbolId, count: u32) {
        self.parent.store(parent.0, Ordering::Relaxed);
        self.name.store(name.0, Ordering::Relaxed);
        self.count.store(count, Ordering::Relaxed);
        self.class.store(class.bits(), Ordering::Release);
    }

    /// Ends the use of the shape; returns its children.
    fn retire(&self) -> Vec<ShapeId> {
        self.class.store(Value::NIL.bits(), Ordering::Relaxed);
        let last = self.last_child.swap(0, Ordering::Relaxed);
        match self.lock_children().take() {
            Some(children) => children.values().copied().collect(),
            None if last == 0 => Vec::new(),
            None => vec![ShapeId(last as u32)],
        }
    }

    fn lock_children(&self) -> MutexGuard<'_, Option<Box<Children>>> {
        self.children.lock().unwrap_or_else(|e| e.into_inner())
    }

    #[inline]
    pub fn parent(&self) -> ShapeId {
        ShapeId(self.parent.load(Ordering::Relaxed))
    }

    /// The field that this shape adds to its parent.
    #[inline]
    pub fn name(&self) -> SymbolId {
        SymbolId(self.name.load(Ordering::Relaxed))
    }

    /// Number of fields.
    #[inline]
    pub fn count(&self) -> u32 {
        self.count.load(Ordering::Relaxed)
    }

    /// Shapes that have one field more than this one.
    pub fn edge_count(&self) -> usize {
        let only = || usize::from(self.last_child.load(Ordering::Relaxed) != 0);
        self.lock_children().as_ref().map_or_else(only, |children| children.len())
    }

    /// The child that was asked for last, if it is the one.
    fn last_child(&self, name: SymbolId) -> Option<ShapeId> {
        let last = self.last_child.load(Ordering::Acquire);
        (last != 0 && (last >> 32) as u32 == name.0).then_some(ShapeId(last as u32))
    }

    /// Bytes, of the table of children too.
    pub fn memsize(&self) -> usize {
        let table = match self.edge_count() {
            0 | 1 => 0,
            count => count.next_power_of_two() * size_of::<(SymbolId, ShapeId)>(),
        };
        size_of::<Shape>() + table
    }

    #[inline]
    pub fn class(&self) -> Value {
        // SAFETY: the word was a value when it was stored.
        unsafe { Value::from_bits(self.class.load(Ordering::Acquire)) }
    }
}

/// Numbers whose classes are dead.
#[derive(Default)]
struct Unused {
    /// Caches may know them.
    retired: Vec<ShapeId>,
    /// Those of them that machine code knows, as far as this collection has found, and those that it did when they were last to be
    /// given out: they wait for another occasion.
    known: FxHashSet<ShapeId>,
    held: Vec<ShapeId>,
    /// To be given out again.
    free: Vec<ShapeId>,
    /// How many of the retired ones the last full collection knew.
    waiting: usize,
    /// See [`ShapeTable::growth`].
    counted_bytes: usize,
}

pub struct ShapeTable {
    shapes: AppendOnly<Shape>,
    /// Whoever holds the lock may write to the table.
    unused: Mutex<Unused>,
    has_retired: AtomicBool,
}

impl ShapeTable {
    pub(crate) fn new() -> ShapeTable {
        let table =
            ShapeTable { shapes: AppendOnly::new(), unused: Mutex::default(), has_retired: AtomicBool::new(false) };
        for _ in 0..FIRST_FREE {
            table.push(Value::NIL, ShapeId(0), SymbolId(0), 0);
        }
        table
    }

    fn push(&self, class: Value, parent: ShapeId, name: SymbolId, count: u32) -> ShapeId {
        let mut unused = self.lock_unused();
        let Some(id) = unused.free.pop() else {
            return ShapeId(self.shapes.push(Shape::new(class, parent, name, count)));
        };
        self.get(id).renew(class, parent, name, count);
        id
    }

    /// Whether there is memory for so many new shapes, few at a time.
    pub(crate) fn has_room_for(&self, more: usize) -> bool {
        if self.shapes.has_room(self.len() as usize + more) {
            return true;
        }
        let unused = self.lock_unused();
        unused.free.len() >= more || self.shapes.make_room(self.len() as usize + more)
    }

    pub(crate) fn memsize(&self) -> usize {
        let tables = (0..self.shapes.len()).map(|id| self.shapes.get(id).memsize() - size_of::<Shape>());
        self.shapes.memsize() + tables.sum::<usize>()
    }

    fn lock_unused(&self) -> MutexGuard<'_, Unused> {
        self.unused.lock().unwrap_or_else(|e| e.into_inner())
    }

    // ---- reuse ----

    /// The class with this root shape is dead, and so is every object that had one of its shapes.
    pub(crate) fn retire(&self, root: ShapeId) {
        let mut unused = self.lock_unused();
        let mut left = vec![root];
        while let Some(id) = left.pop() {
            left.extend(self.get(id).retire());
            unused.retired.push(id);
        }
        let held = std::mem::take(&mut unused.held);
        unused.retired.extend(held);
        self.has_retired.store(true, Ordering::Relaxed);
    }

    /// Whether caches may know numbers that are retired.
    #[inline]
    pub(crate) fn has_retired(&self) -> bool {
        self.has_retired.load(Ordering::Relaxed)
    }

    /// Whether objects can have this shape. Numbers that never were a shape's count as used.
    pub fn is_used(&self, id: ShapeId) -> bool {
        id.0 < FIRST_FREE || id.0 >= self.len() || !self.get(id).class().is_nil()
    }

    /// Machine code compares shapes with this number, which is retired.
    pub(crate) fn is_known_to_code(&self, id: ShapeId) {
        self.lock_unused().known.insert(id);
    }

    /// No cache knows what is retired: from here on the numbers are given out again, but for those that machine code knows.
    pub(crate) fn reuse_retired(&self) {
        let unused = &mut *self.lock_unused();
        unused.waiting = 0;
        let known = std::mem::take(&mut unused.known);
        let (held, free): (Vec<_>, Vec<_>) = unused.retired.drain(..).partition(|id| known.contains(id));
        unused.held = held;
        unused.free.extend(free);
        self.has_retired.store(false, Ordering::Relaxed);
    }

    /// By how many bytes more a full collection would find in use than when this was asked before. What one has retired, it has
    /// found out of use: the next one has no need to come sooner for it.
    pub(crate) fn growth(&self, was_full: bool) -> isize {
        let unused = &mut *self.lock_unused();
        if was_full {
            unused.waiting = unused.retired.len();
        }
        let used = (self.len() as usize - unused.free.len() - unused.waiting) * size_of::<Shape>();
        used as isize - std::mem::replace(&mut unused.counted_bytes, used) as isize
    }

    /// A new root shape, without fields.
    pub(crate) fn new_root(&self, class: Value) -> ShapeId {
        self.push(class, ShapeId(0), SymbolId(0), 0)
    }

    /// Gives one of the fixed root shapes its class, once, at boot.
    pub(crate) fn bind_root(&self, root: ShapeId, class: Value) {
        self.get(root).class.store(class.bits(), Ordering::Release);
    }

    #[inline]
    pub fn get(&self, id: ShapeId) -> &Shape {
        self.shapes.get(id.0)
    }

    #[inline]
    pub fn class_of(&self, id: ShapeId) -> Value {
        self.get(id).class()
    }

    /// The shape with one more field.
    pub fn transition(&self, from: ShapeId, name: SymbolId) -> ShapeId {
        let shape = self.get(from);
        if let Some(id) = shape.last_child(name) {
            return id;
        }
        let mut children = shape.lock_children();
        let last = shape.last_child.load(Ordering::Acquire);
        if children.is_none() && last != 0 {
            if let Some(id) = shape.last_child(name) {
                return id;
            }
            *children = Some(Box::new(Children::from_iter([(SymbolId((last >> 32) as u32), ShapeId(last as u32))])));
        }
        let new = || self.push(shape.class(), from, name, shape.count() + 1);
        let id = match &mut *children {
            Some(children) => *children.entry(name).or_insert_with(new),
            None => new(),
        };
        shape.last_child.store(u64::from(name.0) << 32 | u64::from(id.0), Ordering::Release);
        id
    }

    /// The shape with one more field, if there is one already.
    pub(crate) fn known_transition(&self, from: ShapeId, name: SymbolId) -> Option<ShapeId> {
        let shape = self.get(from);
        shape.last_child(name).or_else(|| shape.lock_children().as_ref()?.get(&name).copied())
    }

    /// Number of the field called `name`.
    pub fn find(&self, shape: ShapeId, name: SymbolId) -> Option<u32> {
        let mut shape = self.get(shape);
        while shape.count() > 0 {
            if shape.name() == name {
                return Some(shape.count() - 1);
            }
            shape = self.get(shape.parent());
        }
        None
    }

    /// Names of the fields in order.
    pub fn names(&self, shape: ShapeId) -> Vec<SymbolId> {
        let mut shape = self.get(shape);
        let mut names = Vec::with_capacity(shape.count() as usize);
        while shape.count() > 0 {
            names.push(shape.name());
            shape = self.get(shape.parent());
        }
        names.reverse();
        names
    }

    /// The same fields below another root: what an object gets with a new class.
    pub(crate) fn rebase(&self, shape: ShapeId, root: ShapeId) -> ShapeId {
        self.names(shape).into_iter().fold(root, |shape, name| self.transition(shape, name))
    }

    pub fn len(&self) -> u32 {
        self.shapes.len()
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Stands for a class: what it is does not matter to the table.
    const CLASS: Value = Value::TRUE;

    #[test]
    fn numbers_of_dead_classes_come_back() {
        let table = ShapeTable::new();
        let (root, other) = (table.new_root(CLASS), table.new_root(CLASS));
        let names: Vec<SymbolId> = (10..15).map(SymbolId).collect();
        let chain = names.iter().fold(root, |shape, name| table.transition(shape, *name));
        let branch = table.transition(root, SymbolId(99));
        let len = table.len();
        table.retire(root);
        assert!(table.has_retired());
        assert!([root, chain, branch].iter().all(|id| !table.is_used(*id)) && table.is_used(other));
        assert_eq!(table.new_root(CLASS).0, len, "a retired number is not given out yet");
        table.reuse_retired();
        assert!(!table.has_retired());
        let fresh: Vec<ShapeId> = (0..7).map(|_| table.new_root(CLASS)).collect();
        assert_eq!(table.len(), len + 1);
        assert!(fresh.iter().all(|id| table.is_used(*id) && table.names(*id).is_empty()));
        assert!(fresh.iter().all(|id| table.known_transition(*id, names[0]).is_none()));
        let longer = table.transition(fresh[0], SymbolId(7));
        assert_eq!((table.find(longer, SymbolId(7)), table.get(longer).parent()), (Some(0), fresh[0]));
        assert_eq!(table.names(other), []);
    }
    #[test]
    fn a_number_that_machine_code_knows_waits_for_another_occasion() {
        let table = ShapeTable::new();
        let (known, other, next) = (table.new_root(CLASS), table.new_root(CLASS), table.new_root(CLASS));
        table.retire(known);
        table.retire(other);
        table.is_known_to_code(known);
        table.reuse_retired();
        assert!(!table.has_retired() && !table.is_used(known));
        assert_eq!(table.new_root(CLASS), other);
        assert!(table.new_root(CLASS).0 > next.0, "the other one is all that was free");
        // The code is dead when the next class dies.
        table.retire(next);
        table.reuse_retired();
        let mut again = [table.new_root(CLASS), table.new_root(CLASS)];
        again.sort_by_key(|id| id.0);
        assert_eq!(again, [known, next]);
    }
}
