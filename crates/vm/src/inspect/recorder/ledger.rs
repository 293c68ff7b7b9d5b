//! Sums by site, of the dead and of the living: what the loupe reports.

use super::context::Context;
use super::event::{CopyReason, Event};
use super::message::MessagesBySite;
use super::share::Share;
use super::site::{Site, SiteId};
use super::strings::Strings;
use super::timeline::Timeline;
use crate::ec::Ec;
use crate::inspect::anatomy::Contents;
use crate::model::class::Class;
use crate::value::array::Array;
use crate::value::hash::Hash;
use crate::value::string::Str;
use carat_heap::PAGE_BYTES;
use carat_layout::{Header, HeapType, SymbolId, Value, flags};
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
    pub fn add(&mut self, bytes: usize) {
        self.objects += 1;
        self.bytes += bytes as u64;
    }

    /// What [`Ledger::count`] says of an object.
    pub(crate) fn add_counted(&mut self, bytes: usize) {
        if bytes > 0 {
            self.add(bytes);
        }
    }

    pub fn merge(&mut self, other: Count) {
        self.objects += other.objects;
        self.bytes += other.bytes;
    }

    /// What is left without a part of it, which objects that became smaller may outweigh.
    pub fn less(self, part: Count) -> Count {
        Count { objects: self.objects.saturating_sub(part.objects), bytes: self.bytes.saturating_sub(part.bytes) }
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
    /// How often tables of hashes were made larger, and the bytes that this added.
    pub tables_grown: Count,
    /// Most entries of a hash whose table was made larger.
    pub most_entries: u64,
    /// Literals that somebody wrote to, and where it first happened.
    pub written: u64,
    pub writer: Option<SiteId>,
    /// Slices that alone keep large buffers alive, and the bytes that they do not use.
    pub pinning: Count,
    /// Copies of strings in which nothing was replaced.
    pub unchanged: Count,
    /// Copies of literal arrays and hashes that had as many elements in the end as the literal.
    pub as_written: Count,
}

/// Fields that found no room in the slots of their objects: the class, the field, and where it was set.
pub type LateFields = FxHashMap<(Arc<str>, SymbolId, SiteId), u64>;

/// Writes to frozen objects, which raise: how many, and what the first was told.
pub struct Refused {
    pub count: u64,
    pub message: Box<str>,
}

/// Objects of one class made at one site.
pub struct Tally {
    pub site: SiteId,
    pub class: Arc<str>,
    pub allocated: Count,
    pub retained: Count,
}

/// What a site made last.
#[derive(Clone, Copy)]
struct Latest {
    /// [`kind_of`] the object.
    kind: u64,
    tally: u32,
    /// The string reports count it.
    is_text: bool,
    /// A copy of an array or hash whose elements stand in the source.
    is_literal: bool,
    /// [`Ec::is_in_slot`].
    is_in_slot: bool,
}

/// No object has this one: its type is that of a free slot.
const NO_KIND: Latest = Latest { kind: 0, tally: 0, is_text: false, is_literal: false, is_in_slot: true };

impl Latest {
    /// Nothing is to be known of such an object but that it is one more.
    fn is_plain(self) -> bool {
        self.is_in_slot && !self.is_text && !self.is_literal
    }
}

/// The part of a header that tells the class, and whether all of the object lies in its slot.
fn kind_of(header: &Header) -> u64 {
    const MASK: u64 =
        flags::TYPE_MASK | flags::POOL_MASK | flags::SIDE_FIELDS | flags::STORAGE_MASK | (u32::MAX as u64) << 32;
    header.bits() & MASK
}

#[derive(Default)]
pub struct Ledger {
    pub tallies: Vec<Tally>,
    pub allocated_strings: Strings,
    pub retained_strings: Strings,
    pub events: FxHashMap<SiteId, SiteEvents>,
    pub copies: Copies,
    pub late_fields: LateFields,
    pub refused: FxHashMap<SiteId, Refused>,
    pub messages: MessagesBySite,
    pub shares: Vec<Share>,
    /// The tree of calling contexts, the root first; empty where none was kept.
    pub contexts: Vec<Context>,
    pub timeline: Option<Timeline>,
    /// Index into `tallies`.
    by_name: FxHashMap<(SiteId, Arc<str>), u32>,
    /// The same, by address of the class. Forgotten with each collection, for classes die too.
    by_class: FxHashMap<(SiteId, Value), u32>,
    /// By number of the site: nearly all make objects of one kind only.
    latest: Vec<Latest>,
    /// By number of the site: how many elements the literal has that it copies, or [`NO_LITERAL`].
    literal_elements: Vec<u32>,
    /// Empty between passes.
    awaited: Vec<AwaitedText>,
    page: Page,
}

/// The page of the object that was counted last: objects are counted in the order of their addresses. Forgotten with each pass,
/// for pages change hands.
#[derive(Default)]
struct Page {
    /// Zero for none.
    number: usize,
    slot_bytes: usize,
}

impl Page {
    /// [`Ec::slot_bytes`].
    #[inline]
    fn slot_bytes(&mut self, ec: &Ec, object: Value) -> usize {
        let number = object.bits() as usize / PAGE_BYTES;
        if self.number != number {
            *self = Page { number, slot_bytes: ec.slot_bytes(object) };
        }
        self.slot_bytes
    }
}

/// A text to be counted when its place in the table has come from memory: most texts are new ones, and their places are
/// anywhere. Of a program that makes 8 million of them, this is 15 % of the samples; one by one it was 42 %.
struct AwaitedText {
    text: Str,
    hash: u64,
    site: SiteId,
}

const AWAITED_TEXTS: usize = 32;

const NO_LITERAL: u32 = u32::MAX;

impl Ledger {
    /// Takes note of sites that were added to the list: to be called before a pass.
    pub(crate) fn learn(&mut self, sites: &[Site]) {
        let new = &sites[self.literal_elements.len().min(sites.len())..];
        self.literal_elements.extend(new.iter().map(|site| site.literal_elements.unwrap_or(NO_LITERAL)));
    }

    /// An object that dies, or that still lives when the books are closed. After the last one comes [`Ledger::end_pass`]. Its
    /// bytes; none if programs do not meet such objects.
    #[inline]
    pub(crate) fn count(&mut self, ec: &Ec, object: Value, site: SiteId) -> usize {
        let Some(header) = object.header() else { return 0 };
        match self.latest.get(site.0 as usize).copied() {
            // Nearly all objects.
            Some(latest) if latest.kind == kind_of(header) && latest.is_plain() => {
                let bytes = self.page.slot_bytes(ec, object);
                self.tallies[latest.tally as usize].allocated.add(bytes);
                bytes
            }
            Some(latest) if latest.kind == kind_of(header) => self.count_as(ec, object, site, latest),
            _ => self.count_new(ec, object, site, header),
        }
    }

    fn count_as(&mut self, ec: &Ec, object: Value, site: SiteId, latest: Latest) -> usize {
        let bytes = if latest.is_in_slot { self.page.slot_bytes(ec, object) } else { ec.memsize_of(object) };
        self.tallies[latest.tally as usize].allocated.add(bytes);
        if latest.is_text {
            self.await_text(ec, Str::expect(object), site);
        }
        if latest.is_literal {
            self.compare_with_literal(ec, object, site, bytes);
        }
        if !latest.is_in_slot {
            self.look_at_contents(ec, object, site);
        }
        bytes
    }

    /// The tally and the bytes of an object that lives.
    pub(crate) fn weigh(&mut self, ec: &Ec, object: Value, site: SiteId) -> Option<(u32, usize)> {
        let header = object.header()?;
        match self.latest.get(site.0 as usize).filter(|latest| latest.kind == kind_of(header)) {
            Some(latest) if latest.is_in_slot => Some((latest.tally, self.page.slot_bytes(ec, object))),
            Some(latest) => Some((latest.tally, ec.memsize_of(object))),
            None if site == SiteId::NONE || !ec.is_program_object(object) => None,
            None => Some((self.look_at(ec, object, site, header).tally, ec.memsize_of(object))),
        }
    }

    fn await_text(&mut self, ec: &Ec, text: Str, site: SiteId) {
        let hash = self.allocated_strings.prepare(text.bytes(ec), text.encoding());
        self.awaited.push(AwaitedText { text, hash, site });
        if self.awaited.len() == AWAITED_TEXTS {
            self.count_awaited(ec);
        }
    }

    fn count_awaited(&mut self, ec: &Ec) {
        for AwaitedText { text, hash, site } in self.awaited.drain(..) {
            self.allocated_strings.add_hashed(hash, text.bytes(ec), text.encoding(), site, 1);
        }
    }

    /// All that [`Ledger::count`] was told of is counted, and objects may go. Classes may, too, and others take their place.
    pub(crate) fn end_pass(&mut self, ec: &Ec) {
        self.count_awaited(ec);
        self.by_class.clear();
        self.latest.clear();
        self.page = Page::default();
    }

    #[inline(never)]
    fn count_new(&mut self, ec: &Ec, object: Value, site: SiteId, header: &Header) -> usize {
        if site == SiteId::NONE || !ec.is_program_object(object) {
            return 0;
        }
        let latest = self.look_at(ec, object, site, header);
        self.count_as(ec, object, site, latest)
    }

    /// What there is to know of a site's object, which is remembered for the next one.
    fn look_at(&mut self, ec: &Ec, object: Value, site: SiteId, header: &Header) -> Latest {
        let class = ec.class_of(object);
        let latest = Latest {
            kind: kind_of(header),
            tally: self.tally(class, site),
            is_text: counted_string(ec, class, object).is_some(),
            is_literal: self.elements_of_literal(site).is_some(),
            is_in_slot: ec.is_in_slot(header),
        };
        // Whether programs meet an object of these types does not depend on the type alone.
        if !matches!(header.heap_type(), HeapType::Data | HeapType::Class | HeapType::Module) {
            self.remember(site, latest);
        }
        latest
    }

    fn remember(&mut self, site: SiteId, latest: Latest) {
        let at = site.0 as usize;
        if at >= self.latest.len() {
            self.latest.resize(at + 1, NO_KIND);
        }
        self.latest[at] = latest;
    }

    /// An object that is left. Its bytes, as for [`Ledger::count`].
    pub(crate) fn retain(&mut self, ec: &Ec, object: Value, site: SiteId) -> usize {
        if site == SiteId::NONE || !ec.is_program_object(object) {
            return 0;
        }
        let class = ec.class_of(object);
        let tally = self.tally(class, site);
        let bytes = ec.memsize_of(object);
        self.tallies[tally as usize].retained.add(bytes);
        if let Some(string) = counted_string(ec, class, object) {
            self.retained_strings.add(string.bytes(ec), string.encoding(), site);
        }
        bytes
    }

    fn tally(&mut self, class: Class, site: SiteId) -> u32 {
        if let Some(known) = self.by_class.get(&(site, class.value())) {
            return *known;
        }
        let name = class.real().name().unwrap_or_else(|| "<<Unknown>>".into());
        let tally = self.tally_named(site, name);
        self.by_class.insert((site, class.value()), tally);
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
        if self.events.get(&site).is_some_and(|e| e.tables_grown.objects > 0) {
            self.look_at_entries(ec, object, site);
        }
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

    fn elements_of_literal(&self, site: SiteId) -> Option<u32> {
        self.literal_elements.get(site.0 as usize).copied().filter(|count| *count != NO_LITERAL)
    }

    fn compare_with_literal(&mut self, ec: &Ec, object: Value, site: SiteId, bytes: usize) {
        let length = match object.header().map(|header| header.heap_type()) {
            Some(HeapType::Array) => Array::expect(object).len(ec),
            Some(HeapType::Hash) => Hash::expect(object).len(ec),
            _ => return,
        };
        if self.elements_of_literal(site).is_some_and(|elements| elements as usize == length) {
            self.events.entry(site).or_default().as_written.add(bytes);
        }
    }

    fn look_at_entries(&mut self, ec: &Ec, object: Value, site: SiteId) {
        let is_table = object.header().is_some_and(|h| matches!(h.heap_type(), HeapType::Hash | HeapType::Set));
        if is_table && let Some(events) = self.events.get_mut(&site) {
            events.most_entries = events.most_entries.max(Hash::expect(object).len(ec) as u64);
        }
    }

    /// A field of an object of the class found no room in its slot.
    pub(crate) fn field_was_late(&mut self, class: Option<Arc<str>>, name: SymbolId, here: SiteId) {
        *self.late_fields.entry((class.unwrap_or_else(|| "<<Unknown>>".into()), name, here)).or_default() += 1;
    }

    /// A write at the site raised a FrozenError.
    pub(crate) fn refuse(&mut self, here: SiteId, message: &str) {
        self.refused.entry(here).or_insert_with(|| Refused { count: 0, message: message.into() }).count += 1;
    }

    pub(crate) fn happened(&mut self, site: SiteId, here: SiteId, event: Event) {
        let events = self.events.entry(site).or_default();
        match event {
            Event::BornExtended => events.born_extended += 1,
            Event::Grown { .. } => events.grown += 1,
            Event::FieldSpilled { .. } => events.fields_spilled += 1,
            Event::TableGrown { from, to } => events.tables_grown.add(to.saturating_sub(from)),
            Event::Regrown { from, to } => events.regrown.add(to.saturating_sub(from)),
            Event::LiteralWritten => {
                events.written += 1;
                events.writer.get_or_insert(here);
            }
            Event::Unchanged { bytes } => events.unchanged.add(bytes),
            Event::Copied { bytes, reason } => self.copies.entry((site, here, reason)).or_default().add(bytes),
        }
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
        for ((class, name, here), count) in other.late_fields {
            *self.late_fields.entry((class, name, new(here))).or_default() += count;
        }
        for (site, Refused { count, message }) in other.refused {
            self.refused.entry(new(site)).or_insert(Refused { count: 0, message }).count += count;
        }
        for ((site, passing), messages) in other.messages {
            self.messages.entry((new(site), passing)).or_default().merge(messages);
        }
        self.shares.extend(other.shares);
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
        self.tables_grown.merge(other.tables_grown);
        self.most_entries = self.most_entries.max(other.most_entries);
        self.written += other.written;
        self.writer = self.writer.or(other.writer.map(new));
        self.pinning.merge(other.pinning);
        self.unchanged.merge(other.unchanged);
        self.as_written.merge(other.as_written);
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
