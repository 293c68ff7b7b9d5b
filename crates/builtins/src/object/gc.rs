//! `GC`: what the collector did, and what a program asks of it.
//!
//! # Not here
//! `GC::Profiler`: see `core/gc.rb`. Compaction: objects never move.

use carat_sync::Mutex;
use carat_vm::{Array, BufferCounters, Ec, Hash, HeapStats, Keywords, Phase, Result, SymbolId, Value, methods};
use std::cell::OnceCell;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

methods! {
    METHODS {
        static "start" => start;
        "garbage_collect" => start;
        static "enable" => enable;
        static "disable" => disable;
        static "stress" => stress;
        static "stress=" => set_stress;
        static "count" => count;
        static "stat" => stat;
        static "stat_heap" => stat_heap;
        static "latest_gc_info" => latest_info;
        static unimplemented "compact";
        static unimplemented "auto_compact";
        static unimplemented "auto_compact=";
        static unimplemented "verify_compaction_references";
        static unimplemented "latest_compact_info";
        static "verify_internal_consistency" => verify;
        static "measure_total_time" => measures_time;
        static "measure_total_time=" => set_measures_time;
        static "total_time" => total_time;
        static "config" => config;
    }
}

/// What a program asked of the collector.
#[derive(Default)]
struct Wishes {
    stress: AtomicBool,
    /// Number of the last collection that the program asked for, and whether it was to be a full one.
    asked: AtomicU64,
    asked_full: AtomicBool,
    time: Mutex<TimeKept>,
}

/// Collections take their time whether or not it is asked for; what passed while it was not is taken off.
#[derive(Default)]
struct TimeKept {
    uncounted: u128,
    /// Total when the program asked not to measure any more.
    off_since: Option<u128>,
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.gc.define_methods(ec, METHODS);
    let internal = Hash::new(ec);
    let largest = carat_vm::anatomy::MAX_SLOT_BYTES as i64;
    let (debug, old_age) = (i64::from(cfg!(debug_assertions)), 1);
    for (name, value) in [
        ("DEBUG", debug),
        ("BASE_SLOT_SIZE", 16),
        ("RBASIC_SIZE", 8),
        ("RVALUE_OVERHEAD", 0),
        ("HEAP_PAGE_OBJ_LIMIT", HEAP_PAGE_BYTES / 16),
        ("HEAP_PAGE_BITMAP_SIZE", HEAP_PAGE_BYTES / 16 / 8),
        ("HEAP_PAGE_SIZE", HEAP_PAGE_BYTES),
        ("RVARGC_MAX_ALLOCATE_SIZE", largest),
        ("RVALUE_OLD_AGE", old_age),
    ] {
        let (name, value) = (ec.vm().intern(name), ec.int(value));
        internal.set_symbol(ec, name, value);
    }
    let pools = Value::len(ec.heap().stats().pools.len());
    internal.set_symbol(ec, ec.vm().intern("HEAP_COUNT"), pools);
    known.gc.set_constant(ec, ec.vm().intern("INTERNAL_CONSTANTS"), internal.value());
    let options = Array::new(ec, 0);
    known.gc.set_constant(ec, ec.vm().intern("OPTS"), options.value());
}

/// Bytes of a page, which has slots of one size.
const HEAP_PAGE_BYTES: i64 = 65536;

fn wishes(ec: &Ec) -> std::sync::Arc<Wishes> {
    ec.vm().extension::<Wishes>()
}

pub(crate) fn start(ec: &mut Ec, _this: Value, keywords: Keywords) -> Result {
    let names = ["full_mark", "immediate_mark", "immediate_sweep"].map(|name| ec.vm().intern(name));
    keywords.check(ec, &names)?;
    let full = keywords.get(ec, names[0]).is_none_or(Value::truthy);
    ec.collect_garbage(full);
    let wishes = wishes(ec);
    wishes.asked.store(ec.heap().collections(), Ordering::Relaxed);
    wishes.asked_full.store(full, Ordering::Relaxed);
    Ok(Value::NIL)
}

fn enable(ec: &mut Ec, _this: Value) -> bool {
    ec.enable_gc()
}

fn disable(ec: &mut Ec, _this: Value) -> bool {
    ec.vm().is_gc_disabled.swap(true, Ordering::Relaxed)
}

fn stress(ec: &mut Ec, _this: Value) -> bool {
    wishes(ec).stress.load(Ordering::Relaxed)
}

/// A collection at every poll, as long as it is true.
fn set_stress(ec: &mut Ec, _this: Value, value: Value) -> Value {
    wishes(ec).stress.store(value.truthy(), Ordering::Relaxed);
    ec.set_stress(value.truthy());
    value
}

fn count(ec: &mut Ec, _this: Value) -> i64 {
    ec.heap().collections() as i64
}

/// What the figures of `GC.stat` are told from.
struct Figures<'a> {
    ec: &'a Ec,
    heap: OnceCell<HeapStats>,
}

impl Figures<'_> {
    fn of(ec: &Ec) -> Figures<'_> {
        Figures { ec, heap: OnceCell::new() }
    }

    /// What the heap counts; it goes through all pools and regions for it.
    fn heap(&self) -> &HeapStats {
        self.heap.get_or_init(|| self.ec.heap().stats())
    }

    fn buffers(&self) -> BufferCounters {
        self.ec.heap().buffer_counters()
    }

    fn pages(&self) -> u64 {
        self.heap().pools.iter().map(|pool| pool.pages as u64).sum()
    }

    fn slots(&self) -> u64 {
        self.heap().pools.iter().map(|pool| pool.slots as u64).sum()
    }

    fn used(&self) -> u64 {
        self.heap().pools.iter().map(|pool| pool.used as u64).sum()
    }
}

type Figure = fn(&Figures<'_>) -> u64;

/// CRuby's keys and what Carat's heap has to say about each; then what the buffers of strings and arrays have cost.
const FIGURES: &[(&str, Figure)] = &[
    ("count", |f| f.ec.heap().collections()),
    ("time", |f| f.heap().time.as_millis() as u64),
    ("marking_time", |f| (f.heap().time - f.heap().sweeping_time).as_millis() as u64),
    ("sweeping_time", |f| f.heap().sweeping_time.as_millis() as u64),
    ("heap_allocated_pages", |f| f.pages()),
    ("heap_empty_pages", |f| f.heap().free_pages as u64),
    ("heap_allocatable_slots", |_| 0),
    ("heap_available_slots", |f| f.slots()),
    ("heap_live_slots", |f| f.used()),
    ("heap_free_slots", |f| f.slots().saturating_sub(f.used())),
    ("heap_final_slots", |_| 0),
    ("heap_marked_slots", |f| f.used()),
    ("heap_eden_pages", |f| f.pages()),
    ("total_allocated_pages", |f| f.pages() + f.heap().free_pages as u64),
    ("total_freed_pages", |f| f.heap().free_pages as u64),
    ("total_allocated_objects", |f| f.heap().allocated_objects),
    ("total_freed_objects", |f| f.heap().freed_objects),
    ("malloc_increase_bytes", |f| f.heap().allocated_bytes as u64),
    ("malloc_increase_bytes_limit", |f| f.heap().allowance_bytes as u64),
    ("minor_gc_count", |f| f.heap().minor_collections),
    ("major_gc_count", |f| f.heap().full_collections),
    ("compact_count", |_| 0),
    ("read_barrier_faults", |_| 0),
    ("total_moved_objects", |_| 0),
    ("remembered_wb_unprotected_objects", |_| 0),
    ("remembered_wb_unprotected_objects_limit", |_| 0),
    ("old_objects", |f| f.heap().old_objects),
    ("old_objects_limit", |_| 0),
    ("oldmalloc_increase_bytes", |f| f.heap().external_bytes as u64),
    ("oldmalloc_increase_bytes_limit", |f| f.heap().allowance_bytes as u64),
    ("buffers_grown", |f| f.buffers().grown),
    ("buffers_moved", |f| f.buffers().moved),
    ("buffers_copied_on_write", |f| f.buffers().copied_on_write),
    ("buffers_unshared", |f| f.buffers().unshared),
    ("buffer_bytes_copied", |f| f.buffers().copied_bytes),
];

/// `GC.stat`, `GC.stat(:key)` and `GC.stat(hash)`.
fn stat(ec: &mut Ec, _this: Value, which: Option<Value>) -> Result {
    if let Some(name) = which.and_then(Value::as_symbol) {
        return one_figure(ec, name);
    }
    let hash = match which.filter(|w| !w.is_nil()) {
        Some(given) => match Hash::from_value(given) {
            Some(hash) => hash,
            None => return Err(ec.type_error("non-hash or symbol given")),
        },
        None => Hash::new(ec),
    };
    let figures = Figures::of(ec);
    for (name, figure) in FIGURES.iter().map(|(name, figure)| (name, figure(&figures))).collect::<Vec<_>>() {
        let (name, figure) = (ec.vm().intern(name), ec.int(figure as i64));
        hash.set_symbol(ec, name, figure);
    }
    Ok(hash.value())
}

fn one_figure(ec: &mut Ec, name: SymbolId) -> Result {
    let found = FIGURES.iter().find(|(known, _)| known.as_bytes() == ec.vm().symbol_name(name).bytes);
    match found {
        Some((_, figure)) => Ok(ec.int(figure(&Figures::of(ec)) as i64)),
        None => {
            let text = ec.vm().symbol_text(name);
            Err(ec.argument_error(&format!("unknown key: {text}")))
        }
    }
}

/// `GC.stat_heap`: the pools by number, or one of them, or one figure of it.
fn stat_heap(ec: &mut Ec, _this: Value, pool: Option<Value>, which: Option<Value>) -> Result {
    let count = ec.heap().stats().pools.len();
    let Some(number) = pool.filter(|p| !p.is_nil()) else {
        let all = Hash::new(ec);
        for number in 0..count {
            let figures = pool_figures(ec, number);
            all.set(ec, Value::len(number), figures.value())?;
        }
        return Ok(all.value());
    };
    let number = ec.to_long(number)?;
    let Some(number) = usize::try_from(number).ok().filter(|n| *n < count) else {
        return Err(ec.argument_error("heap index out of range"));
    };
    let figures = pool_figures(ec, number);
    match which.and_then(Value::as_symbol) {
        None => Ok(figures.value()),
        Some(name) => match figures.get_symbol(ec, name) {
            Some(figure) => Ok(figure),
            None => {
                let text = ec.vm().symbol_text(name);
                Err(ec.argument_error(&format!("unknown key: {text}")))
            }
        },
    }
}

fn pool_figures(ec: &mut Ec, number: usize) -> Hash {
    let stats = ec.heap().stats();
    let pool = &stats.pools[number];
    let hash = Hash::new(ec);
    for (name, figure) in [
        ("slot_size", pool.slot_bytes),
        ("heap_live_slots", pool.used),
        ("heap_free_slots", pool.slots - pool.used.min(pool.slots)),
        ("heap_final_slots", 0),
        ("heap_eden_pages", pool.pages),
        ("heap_eden_slots", pool.slots),
        ("total_allocated_pages", pool.pages),
        ("force_major_gc_count", 0),
        ("force_incremental_marking_finish_count", 0),
        ("total_allocated_objects", pool.allocated as usize),
        ("total_freed_objects", (pool.allocated as usize).saturating_sub(pool.used)),
    ] {
        hash.set_symbol(ec, ec.vm().intern(name), Value::len(figure));
    }
    hash
}

/// `GC.latest_gc_info`: why the last collection ran, and how far one in progress has come. Weak references are not counted.
fn latest_info(ec: &mut Ec, _this: Value, which: Option<Value>) -> Result {
    let stats = ec.heap().stats();
    let count = stats.collections();
    let wishes = wishes(ec);
    let was_asked = count > 0 && wishes.asked.load(Ordering::Relaxed) == count;
    let symbol = |name: &str| Value::symbol(ec.vm().intern(name));
    let cause = if was_asked { "method" } else { "newobj" };
    let is_forced = was_asked && wishes.asked_full.load(Ordering::Relaxed);
    let grown = |is_full: bool| if is_full { symbol("oldgen") } else { Value::NIL };
    let state = match ec.heap().phase() {
        Phase::Idle => "none",
        Phase::Preparing | Phase::Marking => "marking",
        Phase::Releasing => "sweeping",
    };
    let info = [
        ("major_by", if is_forced { symbol("force") } else { grown(stats.last_was_full) }),
        ("need_major_by", grown(stats.full_is_next)),
        ("gc_by", if count > 0 { symbol(cause) } else { Value::NIL }),
        ("have_finalizer", Value::FALSE),
        ("immediate_sweep", Value::bool(was_asked)),
        ("state", symbol(state)),
        ("weak_references_count", Value::len(0)),
        ("retained_weak_references_count", Value::len(0)),
    ];
    if let Some(name) = which.and_then(Value::as_symbol) {
        let text = ec.vm().symbol_text(name);
        return match info.iter().find(|(n, _)| *n == text) {
            Some((_, value)) => Ok(*value),
            None => Err(ec.argument_error(&format!("unknown key: {text}"))),
        };
    }
    let hash = match which.filter(|w| !w.is_nil()) {
        Some(given) => match Hash::from_value(given) {
            Some(hash) => hash,
            None => return Err(ec.type_error("non-hash or symbol given")),
        },
        None => Hash::new(ec),
    };
    info.into_iter().for_each(|(name, value)| hash.set_symbol(ec, ec.vm().intern(name), value));
    Ok(hash.value())
}

fn verify(ec: &mut Ec, _this: Value) {
    ec.verify_heap();
}

fn measures_time(ec: &mut Ec, _this: Value) -> bool {
    wishes(ec).time.lock().unwrap_or_else(|e| e.into_inner()).off_since.is_none()
}

fn set_measures_time(ec: &mut Ec, _this: Value, value: Value) -> Value {
    let now = ec.heap().stats().time.as_nanos();
    let wishes = wishes(ec);
    let mut time = wishes.time.lock().unwrap_or_else(|e| e.into_inner());
    match (time.off_since, value.truthy()) {
        (Some(since), true) => {
            time.uncounted += now - since;
            time.off_since = None;
        }
        (None, false) => time.off_since = Some(now),
        _ => {}
    }
    value
}

/// Nanoseconds spent collecting while they were measured.
fn total_time(ec: &mut Ec, _this: Value) -> i64 {
    let now = ec.heap().stats().time.as_nanos();
    let wishes = wishes(ec);
    let time = wishes.time.lock().unwrap_or_else(|e| e.into_inner());
    (time.off_since.unwrap_or(now) - time.uncounted) as i64
}

/// `GC.config`: which collector there is, and whether full collections start by themselves. Unknown settings are ignored.
fn config(ec: &mut Ec, _this: Value, changes: Option<Value>) -> Result<Hash> {
    let (name, full) = (ec.vm().intern("implementation"), ec.vm().intern("rgengc_allow_full_mark"));
    if let Some(changes) = changes.filter(|c| !c.is_nil()) {
        let Some(changes) = Hash::from_value(changes) else { return Err(ec.argument_error("ArgumentError")) };
        if changes.get_symbol(ec, name).is_some() {
            return Err(ec.argument_error("Attempting to set read-only key \"Implementation\""));
        }
        if let Some(is_allowed) = changes.get_symbol(ec, full) {
            ec.heap().allow_full(is_allowed.truthy());
        }
    }
    let hash = Hash::new(ec);
    hash.set_symbol(ec, full, Value::bool(ec.heap().allows_full()));
    let value = ec.str("carat");
    hash.set_symbol(ec, name, value);
    Ok(hash)
}
