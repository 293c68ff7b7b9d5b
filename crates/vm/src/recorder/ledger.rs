//! Sums by site, of the dead and of the living: what the loupe reports.

use super::event::{CopyReason, Event};
use super::site::{SiteId, Sites};
use crate::anatomy::Contents;
use crate::ec::Ec;
use crate::string::{EncodingIndex, Str};
use carat_layout::Value;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;
use std::sync::Arc;

/// Different strings that are told apart; when there are more, those seen once are forgotten.
const MAX_STRINGS: usize = 200_000;
/// Characters of a string that a report shows.
const SHOWN_CHARACTERS: usize = 200;
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

/// Counts by site and class.
pub type Counts = FxHashMap<(SiteId, Arc<str>), Count>;
/// How often each site made a string, by a hash of the whole and what a report shows of it.
pub type Strings = FxHashMap<(u64, EncodingIndex, Box<[u8]>), FxHashMap<SiteId, u64>>;
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

#[derive(Default)]
pub struct Ledger {
    pub allocated: Counts,
    pub retained: Counts,
    pub allocated_strings: Strings,
    pub retained_strings: Strings,
    pub events: FxHashMap<SiteId, SiteEvents>,
    pub copies: Copies,
    /// By address of a class: its name. Forgotten with each collection, for classes die too.
    names: FxHashMap<Value, Arc<str>>,
}

impl Ledger {
    /// An object that dies, or that still lives when the books are closed.
    pub(crate) fn count(&mut self, ec: &Ec, sites: &Sites, object: Value, site: SiteId) {
        if sites.get(site).is_none() || !ec.is_program_object(object) {
            return;
        }
        let class = self.class_name(ec, object);
        self.allocated.entry((site, class)).or_default().add(ec.memsize_of(object));
        add_string(ec, &mut self.allocated_strings, object, site);
        self.look_at_contents(ec, object, site);
    }

    pub(crate) fn retain(&mut self, ec: &Ec, object: Value, site: SiteId) {
        if site == SiteId::NONE || !ec.is_program_object(object) {
            return;
        }
        let class = self.class_name(ec, object);
        self.retained.entry((site, class)).or_default().add(ec.memsize_of(object));
        add_string(ec, &mut self.retained_strings, object, site);
    }

    fn class_name(&mut self, ec: &Ec, object: Value) -> Arc<str> {
        let class = ec.class_of(object).real();
        let name = self.names.entry(class.value());
        name.or_insert_with(|| class.name().unwrap_or_else(|| "<<Unknown>>".into())).clone()
    }

    fn look_at_contents(&mut self, ec: &Ec, object: Value, site: SiteId) {
        let Some(contents) = ec.contents_of(object) else { return };
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
        self.names.clear();
    }

    pub(crate) fn adopt(&mut self, other: Ledger, sites: &[SiteId]) {
        let new = |id: SiteId| sites[id.0 as usize];
        for ((site, class), count) in other.allocated {
            self.allocated.entry((new(site), class)).or_default().merge(count);
        }
        for (key, counts) in other.allocated_strings {
            let ours = self.allocated_strings.entry(key).or_default();
            counts.into_iter().for_each(|(site, count)| *ours.entry(new(site)).or_default() += count);
        }
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

fn add_string(ec: &Ec, strings: &mut Strings, object: Value, site: SiteId) {
    let Some(string) = Str::from_value(object) else { return };
    if ec.class_of(object).real() != ec.vm().known().string {
        return;
    }
    let bytes = string.bytes(ec);
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    let key = (hasher.finish(), string.encoding(), Box::from(shown(bytes)));
    *strings.entry(key).or_default().entry(site).or_default() += 1;
    if strings.len() > MAX_STRINGS {
        strings.retain(|_, sites| sites.values().sum::<u64>() > 1);
    }
}

/// The first characters, taken as UTF-8.
fn shown(bytes: &[u8]) -> &[u8] {
    let is_start = |byte: &u8| *byte & 0xC0 != 0x80;
    let starts = bytes.iter().enumerate().filter(|(_, byte)| is_start(byte)).map(|(at, _)| at);
    let end = starts.skip(SHOWN_CHARACTERS).next().unwrap_or(bytes.len());
    &bytes[..end.min(4 * SHOWN_CHARACTERS)]
}
