//! What the resident memory of the process consists of.
//!
//! The kernel says how much of each mapping is resident (`/proc/self/smaps`), and page by page within one
//! (`/proc/self/pagemap`): that gives files, stacks, the object heap, large buffers of strings and arrays, and what is left to
//! the two allocators. Of what Carat's own allocator handed out, which the caller has counted, objects, code and tables say how
//! much is theirs. Rounding and free memory of an allocator is the difference between what is resident of it and what it
//! handed out.
//!
//! # Invariants
//! * The parts add up to the resident memory. What nobody claims is a part of its own, [`NOT_NAMED`].
//! * Code and buffers that several objects share are counted once.
//!
//! # Not here
//! Sizes of single objects: [`crate::anatomy`].

use crate::concurrency::ractor::Ractor;
use crate::ec::Ec;
use crate::model::method::{MethodEntry, MethodKind};
use crate::run::code::CodeData;
use crate::run::link::{CodeBytes, LinkedIseq};
use carat_layout::{HeapType, Value};
use rustc_hash::FxHashSet;
use std::fs::File;
use std::os::unix::fs::FileExt;
use std::sync::Arc;

/// What nobody claims.
pub const NOT_NAMED: &str = "not named";

/// A part of the resident memory.
#[derive(Clone, Debug)]
pub struct Part {
    pub group: &'static str,
    pub name: &'static str,
    pub bytes: usize,
}

pub struct Footprint {
    pub resident_bytes: usize,
    pub parts: Vec<Part>,
    /// Of what the allocator handed out, what no part has claimed.
    unclaimed: usize,
}

impl Footprint {
    fn add(&mut self, group: &'static str, name: &'static str, bytes: usize) {
        self.parts.push(Part { group, name, bytes });
    }

    /// Adds a part that is of the allocator's memory. There cannot be more of it than there is.
    pub fn claim(&mut self, group: &'static str, name: &'static str, bytes: usize) {
        let bytes = bytes.min(self.unclaimed);
        self.unclaimed -= bytes;
        self.add(group, name, bytes);
    }

    /// The parts, the last two of which are what nobody has claimed.
    pub fn into_parts(mut self) -> Vec<Part> {
        self.parts.retain(|part| part.bytes > 0);
        let named: usize = self.parts.iter().map(|part| part.bytes).sum();
        let rest = self.resident_bytes - named;
        let allocated = self.unclaimed.min(rest);
        self.add(NOT_NAMED, "allocated", allocated);
        self.add(NOT_NAMED, "mapped", rest - allocated);
        self.parts
    }
}

/// A line of `/proc/self/smaps` with how much of it is resident.
struct Mapping {
    start: usize,
    end: usize,
    file: String,
    resident: usize,
}

impl Mapping {
    /// Resident bytes of the part of some ranges that lies in this mapping.
    fn resident_of(&self, ranges: &[(usize, usize)], pages: &File) -> usize {
        let within = |(start, len): &(usize, usize)| {
            let (first, end) = (self.start.max(*start), self.end.min(start + len));
            (first < end).then(|| resident_in(pages, (first, end - first)))
        };
        ranges.iter().filter_map(within).sum()
    }
}

fn mappings() -> Option<Vec<Mapping>> {
    let text = std::fs::read_to_string("/proc/self/smaps").ok()?;
    let mut found: Vec<Mapping> = Vec::new();
    for line in text.lines() {
        if let Some(kilobytes) = line.strip_prefix("Rss:") {
            let kilobytes: usize = kilobytes.trim().strip_suffix(" kB")?.parse().ok()?;
            found.last_mut()?.resident = kilobytes * 1024;
        } else if let Some(mapping) = mapping(line) {
            found.push(mapping);
        }
    }
    Some(found)
}

/// `start-end permissions offset device inode file`; other lines begin with a name and a colon.
fn mapping(line: &str) -> Option<Mapping> {
    let mut words = line.split_ascii_whitespace();
    let (start, end) = words.next()?.split_once('-')?;
    let address = |text| usize::from_str_radix(text, 16).ok();
    let (start, end) = (address(start)?, address(end)?);
    Some(Mapping { start, end, file: words.skip(4).collect::<Vec<_>>().join(" "), resident: 0 })
}

/// Bytes of the pages of a range that are resident.
fn resident_in(pages: &File, (start, len): (usize, usize)) -> usize {
    const PRESENT: u64 = 1 << 63;
    let page_bytes = carat_os::page_bytes();
    let mut entries = vec![0; len.div_ceil(page_bytes) * 8];
    if pages.read_exact_at(&mut entries, (start / page_bytes * 8) as u64).is_err() {
        return 0;
    }
    let is_present = |entry: &&[u8]| (*entry).try_into().is_ok_and(|entry| u64::from_ne_bytes(entry) & PRESENT != 0);
    entries.chunks_exact(8).filter(is_present).count() * page_bytes
}

/// Memory that belongs to nobody by its kind alone, by its address.
#[derive(Default)]
struct Known {
    regions: Vec<(usize, usize)>,
    vm_stacks: Vec<(usize, usize)>,
    machine_code: Vec<(usize, usize)>,
    /// Large buffers of strings and arrays.
    buffers: Vec<(usize, usize)>,
    /// Addresses within native stacks.
    native_stacks: Vec<usize>,
}

impl Known {
    fn of(ec: &Ec, ractor: &Ractor) -> Known {
        let machine_code = ractor.machine_code.lock().unwrap_or_else(|e| e.into_inner()).mappings();
        let regions = ractor.heap.region_ranges();
        let mut known = Known { regions, machine_code, ..Known::default() };
        let contexts = ractor.contexts.borrow();
        for context in contexts.iter() {
            // SAFETY: contexts in the list are alive, and their threads wait for their turn while this one runs.
            let (stack, native) = unsafe { ((**context).stack.range(), (**context).native_base) };
            known.vm_stacks.push(stack);
            known.native_stacks.push(native.saturating_sub(1));
        }
        ractor.heap.each_object(&mut |object| {
            if let Some(fiber) = crate::concurrency::fiber::stacks_of(ec, object) {
                known.vm_stacks.push(fiber.0);
                known.native_stacks.push(fiber.1.saturating_sub(1));
            }
        });
        known.vm_stacks.retain(|(start, _)| *start != 0);
        known
    }

    fn adopt(&mut self, other: Known) {
        self.regions.extend(other.regions);
        self.vm_stacks.extend(other.vm_stacks);
        self.machine_code.extend(other.machine_code);
        self.native_stacks.extend(other.native_stacks);
    }
}

/// The system allocator's arenas begin at multiples of this; the first one has a name.
const ARENA_ALIGNMENT: usize = 64 << 20;
/// Carat's allocator asks for addresses between these (mimalloc's `os.c`, `mi_os_get_aligned_hint`).
const ALLOCATOR_ADDRESSES: std::ops::Range<usize> = 2 << 40..30 << 40;

/// Resident bytes by what a mapping is.
#[derive(Default)]
struct Mapped {
    executable: usize,
    libraries: usize,
    native_stacks: usize,
    system_allocator: usize,
    allocator: usize,
    heap: usize,
    vm_stacks: usize,
    machine_code: usize,
    buffers: usize,
    /// Anonymous memory that is none of those.
    other: usize,
}

impl Mapped {
    fn of(mappings: &[Mapping], known: &Known, pages: &File) -> Mapped {
        let executable = std::env::current_exe().map(|path| path.to_string_lossy().into_owned()).unwrap_or_default();
        let mut mapped = Mapped::default();
        // Where the executable's zeroed data begin: the kernel maps them without a name, right behind its file.
        let mut executable_end = 0;
        for mapping in mappings {
            // The kernel joins neighbours of one kind into one mapping, so that what is known by its range comes first.
            let mut unknown = mapping.resident;
            let mut take = |place: &mut usize, ranges: &[(usize, usize)]| {
                let bytes = mapping.resident_of(ranges, pages).min(unknown);
                unknown -= bytes;
                *place += bytes;
            };
            take(&mut mapped.heap, &known.regions);
            take(&mut mapped.vm_stacks, &known.vm_stacks);
            take(&mut mapped.machine_code, &known.machine_code);
            take(&mut mapped.buffers, &known.buffers);
            let has = |address: &usize| (mapping.start..mapping.end).contains(address);
            let place = match mapping.file.as_str() {
                file if file == executable => {
                    executable_end = mapping.end;
                    &mut mapped.executable
                }
                "" if mapping.start == executable_end => &mut mapped.executable,
                file if file.starts_with('/') || file == "[vdso]" => &mut mapped.libraries,
                "[stack]" => &mut mapped.native_stacks,
                "[heap]" => &mut mapped.system_allocator,
                _ if known.native_stacks.iter().any(has) => &mut mapped.native_stacks,
                _ if ALLOCATOR_ADDRESSES.contains(&mapping.start) => &mut mapped.allocator,
                _ if mapping.start.is_multiple_of(ARENA_ALIGNMENT) => &mut mapped.system_allocator,
                _ => &mut mapped.other,
            };
            *place += unknown;
        }
        mapped
    }
}

/// Bytes outside the slots, by what owns them, and all code.
#[derive(Default)]
struct Owned {
    slots: usize,
    contents: usize,
    hashes: usize,
    classes: usize,
    data: usize,
    entries: usize,
    rest: usize,
    code_objects: usize,
    caches: usize,
    code: CodeBytes,
    seen: FxHashSet<usize>,
    /// Buffers that are mappings of their own, each once.
    mapped_buffers: FxHashSet<(usize, usize)>,
}

impl Owned {
    fn add(&mut self, ec: &Ec, object: Value) {
        let slot = ec.slot_bytes(object);
        let mut outside = ec.memsize_of(object) - slot;
        if let Some((held, mapping)) = ec.contents_of(object).and_then(|held| Some((held, held.mapping()?))) {
            outside -= held.counted_bytes;
            self.mapped_buffers.insert(mapping);
        }
        self.slots += slot;
        let place = match object.header().map(|header| header.heap_type()) {
            Some(HeapType::String | HeapType::Array) => &mut self.contents,
            Some(HeapType::Hash | HeapType::Set) => &mut self.hashes,
            Some(HeapType::Class | HeapType::Module) => &mut self.classes,
            // Stacks are no memory of the allocator.
            Some(HeapType::Data) if crate::concurrency::fiber::stacks_of(ec, object).is_some() => return,
            Some(HeapType::Data) => &mut self.data,
            Some(HeapType::Code) => return self.add_code(CodeData::of(object)),
            Some(HeapType::MethodEntry) => {
                if let Some(MethodKind::Iseq(iseq)) = MethodEntry::from_value(ec, object).map(|entry| &entry.kind) {
                    iseq.count(&mut self.code, &mut self.seen);
                }
                &mut self.entries
            }
            Some(HeapType::Cref) => &mut self.entries,
            _ => &mut self.rest,
        };
        *place += outside;
    }

    fn add_code(&mut self, code: &CodeData) {
        let (own, caches) = code.memsizes();
        self.code_objects += own;
        if self.seen.insert(code.caches.addr()) {
            self.caches += caches;
        }
        let linked: Option<&Arc<LinkedIseq>> = code.iseq.as_ref();
        linked.into_iter().for_each(|linked| linked.count(&mut self.code, &mut self.seen));
    }
}

impl Ec {
    /// The resident memory of the process by what it is, if the system tells; `allocated` are the bytes that Carat's allocator
    /// handed out.
    pub fn footprint(&mut self, allocated: usize) -> Option<Footprint> {
        let (mappings, pages) = (mappings()?, File::open("/proc/self/pagemap").ok()?);
        let mut known = Known::default();
        self.each_ractor(&mut |ec, ractor| known.adopt(Known::of(ec, ractor)));
        let mut owned = Owned::default();
        self.each_object_everywhere(&mut |ec, _, object| owned.add(ec, object));
        known.buffers = owned.mapped_buffers.iter().copied().collect();
        let resident_bytes = mappings.iter().map(|mapping| mapping.resident).sum();
        let mapped = Mapped::of(&mappings, &known, &pages);
        // Memory that was handed out and never written is not resident.
        let unclaimed = allocated.min(mapped.allocator);
        let mut footprint = Footprint { resident_bytes, parts: Vec::new(), unclaimed };
        let slots = owned.slots.min(mapped.heap);
        footprint.add("object heap", "objects in their slots", slots);
        footprint.add("object heap", "free slots and page tables", mapped.heap - slots);
        footprint.add("of objects", "buffers of strings and arrays that are mappings of their own", mapped.buffers);
        self.claim_owned(&mut footprint, &owned);
        self.claim_tables(&mut footprint);
        footprint.add("code", "machine code", mapped.machine_code);
        footprint.add("stacks", "of the virtual machine", mapped.vm_stacks);
        footprint.add("stacks", "native", mapped.native_stacks);
        let in_use = carat_os::system_allocated_bytes().min(mapped.system_allocator);
        footprint.add("system allocator", "in use by libraries in C: patterns and the parser", in_use);
        footprint.add("system allocator", "free", mapped.system_allocator - in_use);
        footprint.add("allocator", "free, rounding and its tables", mapped.allocator - unclaimed);
        footprint.add("files", "executable", mapped.executable);
        footprint.add("files", "libraries", mapped.libraries);
        Some(footprint)
    }

    fn claim_owned(&self, footprint: &mut Footprint, owned: &Owned) {
        let contents = [
            ("smaller buffers of strings and arrays", owned.contents),
            ("tables of hashes and sets", owned.hashes),
            ("classes with their tables", owned.classes),
            ("method entries and scopes", owned.entries),
            ("native data", owned.data),
            ("environments, numbers and fields beside", owned.rest),
        ];
        contents.into_iter().for_each(|(name, bytes)| footprint.claim("of objects", name, bytes));
        let code = [
            ("packed: all code, with lines and names", owned.code.packed),
            ("instructions", owned.code.instructions),
            ("names, literals and sites", owned.code.linked),
            ("inline caches", owned.caches),
            ("code objects", owned.code_objects),
        ];
        code.into_iter().for_each(|(name, bytes)| footprint.claim("code", name, bytes));
    }

    fn claim_tables(&mut self, footprint: &mut Footprint) {
        let mut beside = 0;
        self.each_ractor(&mut |_, ractor| beside += ractor.heap.side_table_bytes());
        footprint.claim("object heap", "tables of what lies beside slots", beside);
        let sizes = self.vm().table_sizes();
        sizes.into_iter().for_each(|(name, bytes)| footprint.claim("tables", name, bytes));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A region may begin where the system allocator's arenas do, and in the middle of a mapping.
    #[test]
    fn a_region_is_the_heap_s_wherever_it_lies() {
        let page = carat_os::page_bytes();
        let len = 16 * page;
        let layout = std::alloc::Layout::from_size_align(len, ARENA_ALIGNMENT).unwrap();
        // SAFETY: the layout has a size; every byte is written before it is read, and it is freed by the same layout.
        let memory = unsafe { std::alloc::alloc(layout) };
        assert!(!memory.is_null());
        // SAFETY: as above.
        unsafe { std::ptr::write_bytes(memory, 1, len) };
        let start = memory.addr();
        let mappings = [Mapping { start, end: start + len, file: String::new(), resident: len }];
        let pages = File::open("/proc/self/pagemap").unwrap();
        let parts = |regions: Vec<(usize, usize)>| {
            let known = Known { regions, vm_stacks: vec![(start + 8 * page, page)], ..Known::default() };
            let mapped = Mapped::of(&mappings, &known, &pages);
            [mapped.heap, mapped.vm_stacks, mapped.system_allocator].map(|bytes| bytes / page)
        };
        assert_eq!(parts(vec![(start, 8 * page)]), [8, 1, 7]);
        assert_eq!(parts(vec![(start - 4 * page, 8 * page)]), [4, 1, 11]);
        assert_eq!(parts(Vec::new()), [0, 1, 15]);
        // SAFETY: as above.
        unsafe { std::alloc::dealloc(memory, layout) };
    }
}
