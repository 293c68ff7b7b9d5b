//! Sums by site, of the dead and of the living: what the loupe reports.

use super::event::{CopyReason, Event};
use super::site::SiteId;
use super::strings::Strings;
use crate::anatomy::Contents;
use crate::class::Class;
use crate::ec::Ec;
use crate::string::Str;
use carat_layout::{HeapType, Value, flags};
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// A slice pins a buffer if it leaves this many bytes unused that only it keeps alive, and half of them all. (From the smallest
/// slices collections take their buffers.)
const PINNED_MIN: usize = 4096;

#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub struct Count {
    pub objects: u64,
    pub bytes: u64,
}

impl Count {
    fn add(&mut self, bytes: usize) {
        self.objects += 1;
        self.bytes += bytes as u64;
    }

    fn merge(&mut self, other: Count) {
        self.objects += other.objects;
        self.bytes += other.bytes;
    }
}

/// Where the copied objects came from, where the copies were made, and why.
pub type Copies = FxHashMap<(SiteId, SiteId, CopyReason), Count>;

/// What happened to the objects of one site.
#[derive(Clone, Default)]
pub struct SiteEvents {
    pub born_extended: u64,
    pub grown: u64,
    pub fields_spilled: u64,
    /// How often buffers were made larger, and the bytes that this added.
    pub regrown: Count,
    /// Longest contents of an object whose buffer was made larger, in bytes.
    pub longest: u64,
    /// Literals that somebody wrote to, and where it first happened.
    pub written: u64,
    pub writer: Option<SiteId>,
    /// Slices that alone keep large buffers alive, and the bytes that they do not use.
    pub pinning: Count,
}

/// Objects of one class made at one site.
pub struct Tally {
    pub site: SiteId,
    pub class: Arc<str>,
    pub allocated: Count,
    pub retained: Count,
}

/// The tally that a site added to last.
#[derive(Clone, Copy)]
struct Latest {
    class: Value,
    tally: u32,
}

const NO_TALLY: Latest = Latest { class: Value::NIL, tally: 0 };

#[derive(Default)]
pub struct Ledger {
    pub tallies: Vec<Tally>,
    pub allocated_strings: Strings,
    pub retained_strings: Strings,
    pub events: FxHashMap<SiteId, SiteEvents>,
    pub copies: Copies,
    /// Index into `tallies`.
    by_name: FxHashMap<(SiteId, Arc<str>), u32>,
    /// The same, by address of the class. Forgotten with each collection, for classes die too.
    by_class: FxHashMap<(SiteId, Value), u32>,
    /// By number of the site: nearly all make objects of one class only.
    latest: Vec<Latest>,
}

impl Ledger {
    /// An object that dies, or that still lives when the books are closed.
    pub(crate) fn count(&mut self, ec: &Ec, object: Value, site: SiteId) {
        if site == SiteId::NONE || !ec.is_program_object(object) {
            return;
        }
        let class = ec.class_of(object);
        let tally = self.tally(class, site);
        self.tallies[tally].allocated.add(ec.memsize_of(object));
        if let Some(string) = counted_string(ec, class, object) {
            self.allocated_strings.add(string.bytes(ec), string.encoding(), site);
        }
        self.look_at_contents(ec, object, site);
    }

    pub(crate) fn retain(&mut self, ec: &Ec, object: Value, site: SiteId) {
        if site == SiteId::NONE || !ec.is_program_object(object) {
            return;
        }
        let class = ec.class_of(object);
        let tally = self.tally(class, site);
        self.tallies[tally].retained.add(ec.memsize_of(object));
        if let Some(string) = counted_string(ec, class, object) {
            self.retained_strings.add(string.bytes(ec), string.encoding(), site);
        }
    }

    fn tally(&mut self, class: Class, site: SiteId) -> usize {
        match self.latest.get(site.0 as usize) {
            Some(latest) if latest.class == class.value() => latest.tally as usize,
            _ => self.tally_slow(class, site) as usize,
        }
    }

    #[cold]
    fn tally_slow(&mut self, class: Class, site: SiteId) -> u32 {
        let known = self.by_class.get(&(site, class.value())).copied();
        let tally = known.unwrap_or_else(|| {
            let name = class.real().name().unwrap_or_else(|| "<<Unknown>>".into());
            let tally = self.tally_named(site, name);
            self.by_class.insert((site, class.value()), tally);
            tally
        });
        let at = site.0 as usize;
        self.latest.resize(self.latest.len().max(at + 1), NO_TALLY);
        self.latest[at] = Latest { class: class.value(), tally };
        tally
    }

    fn tally_named(&mut self, site: SiteId, class: Arc<str>) -> u32 {
        let tallies = &mut self.tallies;
        *self.by_name.entry((site, class)).or_insert_with_key(|(site, class)| {
            let empty = Count::default();
            tallies.push(Tally { site: *site, class: class.clone(), allocated: empty, retained: empty });
            tallies.len() as u32 - 1
        })
    }

    fn look_at_contents(&mut self, ec: &Ec, object: Value, site: SiteId) {
        let is_extended = object.header().is_some_and(|header| {
            matches!(header.heap_type(), HeapType::String | HeapType::Array)
                && header.bits() & flags::STORAGE_MASK != flags::STORAGE_EMBEDDED
        });
        let Some(contents) = is_extended.then(|| ec.contents_of(object)).flatten() else { return };
        let unused = pinned_bytes(&contents);
        if unused > 0 {
            self.events.entry(site).or_default().pinning.add(unused);
        }
        if let Some(events) = self.events.get_mut(&site).filter(|e| e.regrown.objects > 0) {
            events.longest = events.longest.max(contents.used_bytes as u64);
        }
    }

    pub(crate) fn happened(&mut self, site: SiteId, here: SiteId, event: Event) {
        let events = self.events.entry(site).or_default();
        match event {
            Event::BornExtended => events.born_extended += 1,
            Event::Grown { .. } => events.grown += 1,
            Event::FieldSpilled => events.fields_spilled += 1,
            Event::Regrown { from, to } => events.regrown.add(to.saturating_sub(from)),
            Event::LiteralWritten => {
                events.written += 1;
                events.writer.get_or_insert(here);
            }
            Event::Copied { bytes, reason } => self.copies.entry((site, here, reason)).or_default().add(bytes),
        }
    }

    /// Classes may die and others take their place.
    pub(crate) fn forget_names(&mut self) {
        self.by_class.clear();
        self.latest.clear();
    }

    pub(crate) fn adopt(&mut self, other: Ledger, sites: &[SiteId]) {
        let new = |id: SiteId| sites[id.0 as usize];
        for theirs in other.tallies {
            let ours = self.tally_named(new(theirs.site), theirs.class) as usize;
            self.tallies[ours].allocated.merge(theirs.allocated);
            self.tallies[ours].retained.merge(theirs.retained);
        }
        self.allocated_strings.adopt(&other.allocated_strings, &new);
        self.retained_strings.adopt(&other.retained_strings, &new);
        for ((from, to, reason), count) in other.copies {
            self.copies.entry((new(from), new(to), reason)).or_default().merge(count);
        }
        for (site, events) in other.events {
            self.events.entry(new(site)).or_default().merge(events, &new);
        }
    }
}

impl SiteEvents {
    fn merge(&mut self, other: SiteEvents, new: &impl Fn(SiteId) -> SiteId) {
        self.born_extended += other.born_extended;
        self.grown += other.grown;
        self.fields_spilled += other.fields_spilled;
        self.regrown.merge(other.regrown);
        self.longest = self.longest.max(other.longest);
        self.written += other.written;
        self.writer = self.writer.or(other.writer.map(new));
        self.pinning.merge(other.pinning);
    }
}

/// Bytes of a buffer that a slice keeps alive and does not use.
fn pinned_bytes(contents: &Contents) -> usize {
    let unused = contents.buffer_bytes.saturating_sub(contents.used_bytes);
    let is_slice = contents.offset > 0 || contents.is_slice;
    let pins = is_slice && contents.holders == 1 && unused >= PINNED_MIN && unused >= contents.used_bytes;
    if pins { unused } else { 0 }
}

/// The string reports leave out what only inherits from String.
fn counted_string(ec: &Ec, class: Class, object: Value) -> Option<Str> {
    let string = Str::from_value(object)?;
    let whole = ec.vm().known().string;
    (class == whole || class.is_singleton() && class.real() == whole).then_some(string)
}
