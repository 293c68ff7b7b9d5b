//! Tables that do not own what they refer to: behind `ObjectSpace::WeakMap` and `WeakKeyMap`.
//!
//! An entry goes when the collector finds its key dead, in a `WeakMap` also when its value is. Keys stand under a number: the
//! address where they are compared by identity, `hash` otherwise.

use carat_sync::{Mutex, MutexGuard};
use carat_vm::{Array, Class, Data, Ec, NativeData, Result, Value, primitives};
use rustc_hash::FxHashMap;
use std::sync::{Arc, Weak};

/// Contents of a table.
pub(super) struct WeakTable {
    entries: Arc<Mutex<Entries>>,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    /// Keys by identity, values weak.
    Map,
    /// Keys by `eql?`, values owned.
    KeyMap,
}

impl NativeData for WeakTable {
    const NAME: &'static str = "weakmap";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        if self.kind == Kind::KeyMap {
            lock(&self.entries).list.iter().flatten().for_each(|entry| mark(entry.value));
        }
    }

    fn memsize(&self) -> usize {
        size_of::<Self>() + lock(&self.entries).list.capacity() * size_of::<Option<Entry>>()
    }
}

type Table = Data<WeakTable>;

struct Entry {
    number: i64,
    key: Value,
    value: Value,
}

/// In order of insertion, with holes where entries went.
#[derive(Default)]
struct Entries {
    list: Vec<Option<Entry>>,
    index: FxHashMap<i64, Vec<usize>>,
    len: usize,
}

impl Entries {
    fn add(&mut self, entry: Entry) {
        if self.list.len() > 2 * self.len + 16 {
            self.close_holes();
        }
        self.index.entry(entry.number).or_default().push(self.list.len());
        self.list.push(Some(entry));
        self.len += 1;
    }

    /// What stands under a number.
    fn under(&self, number: i64) -> impl Iterator<Item = &Entry> {
        self.index.get(&number).into_iter().flatten().filter_map(|position| self.list[*position].as_ref())
    }

    /// Position of this very key.
    fn position(&self, number: i64, key: Value) -> Option<usize> {
        let is_it = |position: &usize| self.list[*position].as_ref().is_some_and(|entry| entry.key == key);
        self.index.get(&number)?.iter().copied().find(is_it)
    }

    fn remove(&mut self, number: i64, key: Value) -> Option<Entry> {
        let position = self.position(number, key)?;
        self.index.get_mut(&number)?.retain(|p| *p != position);
        self.len -= 1;
        self.list[position].take()
    }

    fn close_holes(&mut self) {
        self.list.retain(Option::is_some);
        self.index.clear();
        for (position, entry) in self.list.iter().enumerate() {
            if let Some(entry) = entry {
                self.index.entry(entry.number).or_default().push(position);
            }
        }
    }

    fn drop_dead(&mut self, kind: Kind, is_live: &dyn Fn(Value) -> bool) {
        let lives = |value: Value| !value.is_heap() || is_live(value);
        let keeps = |entry: &Entry| lives(entry.key) && (kind == Kind::KeyMap || lives(entry.value));
        if self.list.iter().flatten().all(keeps) {
            return;
        }
        self.list.retain(|entry| entry.as_ref().is_some_and(keeps));
        self.len = self.list.len();
        self.close_holes();
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

/// All tables, for the collector.
#[derive(Default)]
struct Tables(Mutex<Vec<(Kind, Weak<Mutex<Entries>>)>>);

impl Tables {
    fn drop_dead(&self, is_live: &dyn Fn(Value) -> bool) {
        lock(&self.0).retain(|(kind, entries)| {
            let Some(entries) = entries.upgrade() else { return false };
            lock(&entries).drop_dead(*kind, is_live);
            true
        });
    }
}

primitives! {
    PRIMITIVES {
        "weak_get" => get;
        "weak_key" => key;
        "weak_set" => set;
        "weak_delete" => delete;
        "weak_size" => size;
        "weak_pairs" => pairs;
        "weak_clear" => clear;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let tables = ec.vm().extension::<Tables>();
    ec.add_after_mark(Box::new(move |is_live| tables.drop_dead(is_live)));
    let allocators: [(&str, carat_vm::class::Allocator); 2] = [
        ("WeakMap", |ec, class| Ok(allocate(ec, class, Kind::Map))),
        ("WeakKeyMap", |ec, class| Ok(allocate(ec, class, Kind::KeyMap))),
    ];
    let scope = ec.vm().known().object_space;
    for (name, allocator) in allocators {
        let class = ec.new_class(ec.vm().known().object);
        class.set_allocator(Some(allocator));
        scope.set_constant(ec, ec.vm().intern(name), class.value());
    }
}

fn allocate(ec: &Ec, class: Class, kind: Kind) -> Value {
    let entries = Arc::<Mutex<Entries>>::default();
    lock(&ec.vm().extension::<Tables>().0).push((kind, Arc::downgrade(&entries)));
    Data::new(ec, class, WeakTable { entries, kind }).value()
}

fn entries(ec: &Ec, table: Table) -> Arc<Mutex<Entries>> {
    table.get(ec).entries.clone()
}

fn address(key: Value) -> i64 {
    key.bits().cast_signed()
}

fn number_of(ec: &mut Ec, table: Table, key: Value) -> Result<i64> {
    match table.get(ec).kind {
        Kind::Map => Ok(address(key)),
        Kind::KeyMap => crate::collection::generic::hash_of(ec, key),
    }
}

/// The key of the table that equals another one, both under the number. Comparing may run Ruby code and with it the collector, which
/// moves entries: who wants this one looks for its key anew.
fn find(ec: &mut Ec, table: Table, number: i64, key: Value) -> Result<Option<Value>> {
    let entries = entries(ec, table);
    let (first, others) = {
        let entries = lock(&entries);
        if entries.position(number, key).is_some() {
            return Ok(Some(key));
        }
        let mut keys = entries.under(number).map(|entry| entry.key);
        (keys.next(), keys.next().is_some())
    };
    let Some(first) = first else { return Ok(None) };
    if !others {
        return Ok(ec.eql(key, first)?.then_some(first));
    }
    let candidates = Array::new(ec, 0);
    lock(&entries).under(number).for_each(|entry| candidates.push(ec, entry.key));
    let mut nth = 0;
    while let Some(candidate) = candidates.get(ec, nth) {
        if ec.eql(key, candidate)? {
            return Ok(Some(candidate));
        }
        nth += 1;
    }
    Ok(None)
}

/// What a key is to be looked for as: another one that equals it, where keys are not compared by identity.
fn known_key(ec: &mut Ec, table: Table, number: i64, key: Value) -> Result<Option<Value>> {
    match table.get(ec).kind {
        Kind::Map => Ok(Some(key)),
        Kind::KeyMap => find(ec, table, number, key),
    }
}

/// What stands at a key: its own key and its value.
fn entry(ec: &mut Ec, table: Table, key: Value) -> Result<Option<(Value, Value)>> {
    let number = number_of(ec, table, key)?;
    let Some(known) = known_key(ec, table, number, key)? else { return Ok(None) };
    let entries = lock(&table.get(ec).entries);
    let entry = entries.position(number, known).and_then(|position| entries.list[position].as_ref());
    Ok(entry.map(|entry| (entry.key, entry.value)))
}

fn get(ec: &mut Ec, table: Table, key: Value) -> Result {
    Ok(entry(ec, table, key)?.map_or(Value::UNDEF, |(_, value)| value))
}

fn key(ec: &mut Ec, table: Table, key: Value) -> Result {
    Ok(entry(ec, table, key)?.map_or(Value::UNDEF, |(key, _)| key))
}

fn set(ec: &mut Ec, table: Table, key: Value, value: Value) -> Result {
    let number = number_of(ec, table, key)?;
    let known = known_key(ec, table, number, key)?;
    {
        let mut entries = lock(&table.get(ec).entries);
        let position = known.and_then(|known| entries.position(number, known));
        match position.and_then(|position| entries.list[position].as_mut()) {
            Some(entry) => (entry.key, entry.value) = (key, value),
            None => entries.add(Entry { number, key, value }),
        }
    }
    ec.wrote(table.value());
    Ok(value)
}

fn delete(ec: &mut Ec, table: Table, key: Value) -> Result {
    let number = number_of(ec, table, key)?;
    let Some(known) = known_key(ec, table, number, key)? else { return Ok(Value::UNDEF) };
    let removed = lock(&table.get(ec).entries).remove(number, known);
    Ok(removed.map_or(Value::UNDEF, |entry| entry.value))
}

fn size(ec: &mut Ec, table: Table) -> usize {
    let entries = entries(ec, table);
    let entries = lock(&entries);
    entries.len
}

/// Keys and values in turn.
fn pairs(ec: &mut Ec, table: Table) -> Array {
    let list = Array::new(ec, 0);
    let entries = entries(ec, table);
    for entry in lock(&entries).list.iter().flatten() {
        list.push(ec, entry.key);
        list.push(ec, entry.value);
    }
    list
}

fn clear(ec: &mut Ec, table: Table) {
    let entries = entries(ec, table);
    *lock(&entries) = Entries::default();
}
