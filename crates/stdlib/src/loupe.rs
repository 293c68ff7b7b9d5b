//! The native half of `lib/loupe/live.rb`: a program's own way to the recorder's ledger, and to samples.

use carat_text::text::Text;
use carat_vm::recorder::{Count, Detail, Ledger, Site, Strings};
use carat_vm::{Array, Class, Ec, EncodingIndex, Result, Str, Value, methods};
use std::collections::{BTreeMap, HashMap};

methods! {
    MODULE {
        static "_start" => start;
        static "_take" => take;
        static "_forget_native" => forget_native;
        static "_start_sampling" => start_sampling;
        static "_stop_sampling" => stop_sampling;
        static "sampling?" => is_sampling;
        static "_begin_leaks" => begin_leaks;
        static "_end_leaks" => end_leaks;
        static "_living" => living;
        static "_watch" => watch;
        static "_writers" => writers;
        static "_classes" => classes;
    }
}

/// `require "loupe.so"`
pub(crate) fn init(ec: &mut Ec) {
    let (object, name) = (ec.vm().known().object, ec.vm().intern("Loupe"));
    let module = object.nested(ec, "Loupe").unwrap_or_else(|| {
        let module = ec.new_module();
        object.set_constant(ec, name, module.value());
        module
    });
    module.define_methods(ec, MODULE);
}

/// `Loupe._start`: counts allocations from here on. Raises Loupe::Busy if somebody does already.
fn start(ec: &mut Ec, this: Value) -> Result<()> {
    if ec.keeps_ledger() {
        let busy = Class::from_value(this).and_then(|module| module.nested(ec, "Busy"));
        let message = "allocations are being counted already, by another report or by loupe run";
        return match busy {
            Some(class) => Err(ec.error(class, message)),
            None => Err(ec.runtime_error(message)),
        };
    }
    ec.keep_ledger(Detail::default());
    ec.clear_recording();
    ec.start_recording();
    Ok(())
}

/// `Loupe._forget_native`: what native code that has returned left on the stack goes.
fn forget_native(_ec: &mut Ec, this: Value) -> Value {
    carat_vm::recorder::forget_native_stack();
    this
}

/// `Loupe._take(collects, top)`: ends the count. Rows (file, line, class, then objects and bytes allocated and retained), and the
/// `top` texts that were made most often, those allocated and those retained. Without a collection nothing is known to be retained.
fn take(ec: &mut Ec, _this: Value, collects: Value, top: i64) -> Array {
    let (collects, top) = (collects.truthy(), usize::try_from(top).unwrap_or(0));
    ec.stop_recording();
    if collects {
        carat_vm::recorder::forget_native_stack();
        ec.collect_garbage(true);
    }
    ec.end_ledger();
    let Some((ledger, sites)) = ec.take_ledger() else { return Array::new(ec, 0) };
    let result = Array::new(ec, 3);
    let rows = rows(ec, &ledger, &sites, collects);
    result.push(ec, rows.value());
    for (strings, is_known) in [(&ledger.allocated_strings, true), (&ledger.retained_strings, collects)] {
        let list = texts(ec, strings, &sites, if is_known { top } else { 0 });
        result.push(ec, list.value());
    }
    result
}

fn rows(ec: &mut Ec, ledger: &Ledger, sites: &[Site], knows_retained: bool) -> Array {
    let mut sums: BTreeMap<(&str, i32, &str), [Count; 2]> = BTreeMap::new();
    for tally in &ledger.tallies {
        let site = &sites[tally.site.0 as usize];
        let [allocated, retained] = sums.entry((&site.path, site.line, &tally.class)).or_default();
        allocated.merge(tally.allocated);
        retained.merge(tally.retained);
    }
    let rows = Array::new(ec, sums.len());
    // One text for all rows of a file.
    let mut last: Option<(&str, Str)> = None;
    for ((path, line, class), [allocated, retained]) in sums {
        let file = last.filter(|(known, _)| *known == path).map_or_else(|| Str::from_text(ec, path), |(_, file)| file);
        last = Some((path, file));
        let retained = if knows_retained { retained } else { Count::default() };
        let row = Array::new(ec, 7);
        row.push(ec, file.value());
        let line = ec.int(i64::from(line));
        row.push(ec, line);
        let class = Str::from_text(ec, class);
        row.push(ec, class.value());
        for figure in [allocated.objects, allocated.bytes, retained.objects, retained.bytes] {
            let figure = ec.int(figure as i64);
            row.push(ec, figure);
        }
        rows.push(ec, row.value());
    }
    rows
}

/// Texts as `inspect` shows them, how often each was made, and where.
fn texts(ec: &mut Ec, strings: &Strings, sites: &[Site], top: usize) -> Array {
    let list = Array::new(ec, 0);
    for string in strings.most_frequent(top) {
        let mut places: BTreeMap<String, u64> = BTreeMap::new();
        for (id, count) in &string.places {
            let site = &sites[id.0 as usize];
            *places.entry(format!("{}:{}", site.path, site.line)).or_default() += count;
        }
        let mut places: Vec<(String, u64)> = places.into_iter().collect();
        places.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        let shown = Array::new(ec, places.len());
        for (place, count) in places {
            let pair = Array::new(ec, 2);
            let place = Str::from_text(ec, &place);
            pair.push(ec, place.value());
            let count = ec.int(count as i64);
            pair.push(ec, count);
            shown.push(ec, pair.value());
        }
        let text = inspected(string.shown, string.encoding);
        let entry = Array::new(ec, 3);
        let text = Str::from_text(ec, &text);
        entry.push(ec, text.value());
        let count = ec.int(string.count as i64);
        entry.push(ec, count);
        entry.push(ec, shown.value());
        list.push(ec, entry.value());
    }
    list
}

// ---- samples ----

/// `Loupe._start_sampling(mean_bytes)`: false if somebody samples already.
fn start_sampling(ec: &mut Ec, _this: Value, mean_bytes: i64) -> bool {
    ec.start_sampling(u64::try_from(mean_bytes).unwrap_or(1))
}

/// `Loupe.sampling?`
fn is_sampling(ec: &mut Ec, _this: Value) -> bool {
    ec.is_sampling()
}

/// `Loupe._stop_sampling`: nil if nobody samples, or the nodes of the tree of calls, callers first: caller's index or nil, label, file,
/// line, label of the core's method that the line calls or nil, marks, bytes, objects.
fn stop_sampling(ec: &mut Ec, _this: Value) -> Option<Array> {
    let samples = ec.stop_sampling()?;
    let nodes = Array::new(ec, samples.contexts.len());
    // The root is no node.
    for (context, objects) in samples.contexts.iter().zip(&samples.objects).skip(1) {
        let site = &samples.sites[context.site.0 as usize];
        let node = Array::new(ec, 8);
        let parent = (context.parent.0 as i64).checked_sub(1).filter(|parent| *parent >= 0);
        let parent = parent.map_or(Value::NIL, |parent| ec.int(parent));
        node.push(ec, parent);
        for text in [Some(&*site.label), Some(&*site.path)] {
            push_text(ec, node, text);
        }
        let line = ec.int(i64::from(site.line));
        node.push(ec, line);
        push_text(ec, node, site.callee.as_deref());
        for figure in [context.allocated.objects as i64, context.allocated.bytes as i64, objects.round() as i64] {
            push_number(ec, node, figure);
        }
        nodes.push(ec, node.value());
    }
    Some(nodes)
}

// ---- leaks ----

/// `Loupe._begin_leaks`: records allocations from here on, with empty books; false if somebody records or counts already.
fn begin_leaks(ec: &mut Ec, _this: Value) -> bool {
    let is_free = !ec.keeps_ledger() && !ec.is_recording();
    if is_free {
        ec.start_recording();
        ec.clear_recording();
    }
    is_free
}

/// `Loupe._end_leaks`: undoes it.
fn end_leaks(ec: &mut Ec, _this: Value) {
    ec.take_writers(0);
    ec.stop_recording();
    ec.clear_recording();
}

/// `Loupe._living`: rows of file, line, class, objects and bytes of what was recorded and lives.
fn living(ec: &mut Ec, _this: Value) -> Array {
    let mut sums: BTreeMap<(String, i32, String), Count> = BTreeMap::new();
    for (site, class, count) in ec.living() {
        sums.entry((site.path.to_string(), site.line, class.to_string())).or_default().merge(count);
    }
    let rows = Array::new(ec, sums.len());
    for ((path, line, class), count) in sums {
        let row = Array::new(ec, 5);
        push_text(ec, row, Some(&path));
        push_number(ec, row, i64::from(line));
        push_text(ec, row, Some(&class));
        push_number(ec, row, count.objects as i64);
        push_number(ec, row, count.bytes as i64);
        rows.push(ec, row.value());
    }
    rows
}

/// `Loupe._watch(addresses)`: counts who stores references in the objects from here on. How many entries each has: nil if it is no
/// collection, or not there.
fn watch(ec: &mut Ec, _this: Value, addresses: Array) -> Array {
    let list: Vec<u64> = addresses_of(ec, addresses);
    let found = ec.watch_writers(&list);
    let sizes = Array::new(ec, list.len());
    for object in found {
        let entries = object.and_then(|object| ec.entries_of(object));
        let entries = entries.map_or(Value::NIL, |entries| ec.int(entries as i64));
        sizes.push(ec, entries);
    }
    sizes
}

fn addresses_of(ec: &Ec, list: Array) -> Vec<u64> {
    let numbers = list.slice_of(ec).iter().filter(|value| value.is_fixnum());
    numbers.map(|value| u64::try_from(value.fixnum_value()).unwrap_or(0)).collect()
}

/// `Loupe._writers(count)`: ends that. For each object the places that stored something: file, line, label, the core's method that
/// the line calls or nil, and how often.
fn writers(ec: &mut Ec, _this: Value, count: i64) -> Array {
    let lists = ec.take_writers(usize::try_from(count).unwrap_or(0));
    let result = Array::new(ec, lists.len());
    for list in lists {
        let shown = Array::new(ec, list.len());
        for (site, stores) in list {
            let row = Array::new(ec, 5);
            push_text(ec, row, Some(&site.path));
            push_number(ec, row, i64::from(site.line));
            push_text(ec, row, Some(&site.label));
            push_text(ec, row, site.callee.as_deref());
            push_number(ec, row, stores as i64);
            shown.push(ec, row.value());
        }
        result.push(ec, shown.value());
    }
    result
}

/// `Loupe._classes(top)`: the classes with most bytes, of all objects that are there: name, objects, bytes.
fn classes(ec: &mut Ec, _this: Value, top: i64) -> Array {
    let mut sums: HashMap<Value, Count> = HashMap::new();
    ec.each_object_everywhere(&mut |ec, _, object| {
        if ec.is_program_object(object) {
            sums.entry(ec.class_of(object).real().value()).or_default().add(ec.memsize_of(object));
        }
    });
    let name = |class| Class::from_value(class).and_then(Class::name).unwrap_or_else(|| "(no name)".into());
    let mut list: Vec<(String, Count)> =
        sums.into_iter().map(|(class, count)| (name(class).to_string(), count)).collect();
    list.sort_by(|a, b| b.1.bytes.cmp(&a.1.bytes).then_with(|| a.0.cmp(&b.0)));
    list.truncate(usize::try_from(top).unwrap_or(0));
    let rows = Array::new(ec, list.len());
    for (name, count) in list {
        let row = Array::new(ec, 3);
        push_text(ec, row, Some(&name));
        push_number(ec, row, count.objects as i64);
        push_number(ec, row, count.bytes as i64);
        rows.push(ec, row.value());
    }
    rows
}

fn push_number(ec: &mut Ec, list: Array, number: i64) {
    let number = ec.int(number);
    list.push(ec, number);
}

fn push_text(ec: &mut Ec, list: Array, text: Option<&str>) {
    let text = text.map_or(Value::NIL, |text| Str::from_text(ec, text).value());
    list.push(ec, text);
}

fn inspected(bytes: &[u8], encoding: EncodingIndex) -> String {
    let coderange = carat_text::coderange::scan(encoding, bytes);
    let mut out = Vec::new();
    carat_text::inspect::inspect(Text { bytes, encoding, coderange }, EncodingIndex::UTF_8, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}
