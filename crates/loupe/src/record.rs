//! From what the VM recorded to a report.

use crate::advice;
use crate::arguments::RunOptions;
use crate::edit;
use crate::findings::{self, amount, location};
use crate::gem;
use crate::patch;
use crate::report::{Amount, FORMAT, PageFill, Pool, Process, ProcessPart, Report, Row, StringRow, Strings};
use crate::stacks;
use crate::text::MOST_ADVICE;
use carat_text::text::Text;
use carat_vm::footprint::{Footprint, NOT_NAMED, Part};
use carat_vm::recorder::{Ledger, Site, Strings as RecordedStrings};
use carat_vm::{Ec, EncodingIndex, PAGE_BYTES};
use std::collections::BTreeMap;

/// Ends the recording: what still lives after a collection is retained.
pub(crate) fn report(ec: &mut Ec, program: &str, seconds: f64, options: &RunOptions) -> Report {
    let top = options.top;
    ec.collect_garbage(true);
    let (pools, collections) = (pools(ec), ec.heap().stats().collections());
    let before = crate::allocated_bytes();
    let footprint = ec.footprint(before);
    let at_ledger = crate::allocated_bytes();
    let Some((ledger, sites)) = ec.take_ledger() else {
        let process = footprint.map(|footprint| process(footprint, 0));
        return Report { loupe: FORMAT, program: program.into(), seconds, collections, process, ..Report::default() };
    };
    let freed_by_taking = at_ledger.saturating_sub(crate::allocated_bytes());
    let rows = rows(&ledger, &sites);
    let total = |of: fn(&Row) -> Amount| {
        rows.iter().map(of).fold(Amount::default(), |mut sum, amount| {
            sum.add(amount);
            sum
        })
    };
    let mut advice = advice::collect(&ledger, &sites, &|name| ec.vm().symbol_text(name), options.only.as_deref());
    // Files that are loaded as others may not be what is edited.
    if options.instead.is_empty() {
        edit::refine(&mut advice);
        advice.iter_mut().take(MOST_ADVICE).for_each(|finding| finding.edit = patch::of_finding(finding));
    }
    let report = Report {
        loupe: FORMAT,
        program: program.into(),
        seconds,
        collections,
        samples: None,
        allocated: total(|row| row.allocated),
        retained: total(|row| row.retained),
        strings: Strings {
            allocated: strings(&ledger.allocated_strings, &sites, top),
            retained: strings(&ledger.retained_strings, &sites, top),
        },
        advice,
        findings: findings::collect(&ledger, &sites),
        pools,
        rows,
        process: None,
        stacks: stacks::stacks(&ledger, &sites),
        timeline: stacks::timeline(&ledger, &sites),
    };
    let at_end = crate::allocated_bytes();
    drop((ledger, sites));
    let own = freed_by_taking + at_end.saturating_sub(crate::allocated_bytes());
    Report { process: footprint.map(|footprint| process(footprint, own)), ..report }
}

/// The parts of the resident memory, of which `own` bytes are what was recorded.
fn process(mut footprint: Footprint, own: usize) -> Process {
    footprint.claim("the loupe", "what it recorded", own);
    let resident_bytes = footprint.resident_bytes as u64;
    let parts = footprint.into_parts();
    let not_named_bytes = parts.iter().filter(|part| part.group == NOT_NAMED).map(|part| part.bytes as u64).sum();
    let part = |part: Part| ProcessPart { group: part.group.into(), name: part.name.into(), bytes: part.bytes as u64 };
    Process { resident_bytes, not_named_bytes, parts: parts.into_iter().map(part).collect() }
}

fn rows(ledger: &Ledger, sites: &[Site]) -> Vec<Row> {
    let mut rows: BTreeMap<(String, i32, String), Row> = BTreeMap::new();
    for tally in &ledger.tallies {
        let site = &sites[tally.site.0 as usize];
        let key = (site.path.to_string(), site.line, tally.class.to_string());
        let row = rows.entry(key).or_insert_with(|| Row {
            gem: gem::of_path(&site.path).into(),
            file: site.path.to_string(),
            line: site.line,
            class: tally.class.to_string(),
            allocated: Amount::default(),
            retained: Amount::default(),
        });
        row.allocated.add(amount(tally.allocated));
        row.retained.add(amount(tally.retained));
    }
    rows.into_values().collect()
}

/// The `top` strings made most often.
fn strings(recorded: &RecordedStrings, sites: &[Site], top: usize) -> Vec<StringRow> {
    let shown = recorded.most_frequent(top).into_iter().map(|string| {
        let mut places: BTreeMap<String, u64> = BTreeMap::new();
        string.places.iter().for_each(|(id, n)| *places.entry(location(&sites[id.0 as usize])).or_default() += n);
        let mut places: Vec<(String, u64)> = places.into_iter().collect();
        places.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        StringRow { text: inspected(string.shown, string.encoding), count: string.count, places }
    });
    shown.collect()
}

/// As `String#inspect` shows it.
pub(crate) fn inspected(bytes: &[u8], encoding: EncodingIndex) -> String {
    let coderange = carat_text::coderange::scan(encoding, bytes);
    let mut out = Vec::new();
    carat_text::inspect::inspect(Text { bytes, encoding, coderange }, EncodingIndex::UTF_8, &mut out);
    String::from_utf8_lossy(&out).into_owned()
}

fn pools(ec: &mut Ec) -> Vec<Pool> {
    let mut needed: BTreeMap<usize, usize> = BTreeMap::new();
    // Size of the slots, and how many are used, by page.
    let mut pages: BTreeMap<usize, (usize, usize)> = BTreeMap::new();
    ec.each_object_everywhere(&mut |ec, _, object| {
        let slot = ec.slot_bytes(object);
        *needed.entry(slot).or_default() += slot.saturating_sub(ec.unused_slot_bytes(object));
        pages.entry(object.bits() as usize / PAGE_BYTES).or_insert((slot, 0)).1 += 1;
    });
    let stats = ec.heap().stats();
    let pools = stats.pools.iter().map(|p| Pool {
        slot_bytes: p.slot_bytes,
        slots: p.slots,
        used: p.used,
        free: p.slots - p.used.min(p.slots),
        wasted_bytes: (p.used * p.slot_bytes).saturating_sub(needed.get(&p.slot_bytes).copied().unwrap_or(0)),
        pages: Some(page_fill(p.pages, p.slot_bytes, pages.values().filter(|(slot, _)| *slot == p.slot_bytes))),
    });
    pools.collect()
}

/// How full the pages of one slot size are, of which `count` belong to the main Ractor.
fn page_fill<'a>(count: usize, slot_bytes: usize, used: impl Iterator<Item = &'a (usize, usize)>) -> PageFill {
    let mut fill = PageFill::default();
    let mut with_objects = 0;
    for (_, used) in used {
        let used_bytes = used * slot_bytes;
        let quarter = (used_bytes * 4).div_ceil(PAGE_BYTES).clamp(1, 4) - 1;
        fill.by_quarters[quarter] += 1;
        with_objects += 1;
        if quarter == 0 {
            fill.sparse_free_bytes += PAGE_BYTES.saturating_sub(used_bytes);
        }
    }
    fill.empty = count.saturating_sub(with_objects);
    fill
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_are_counted_by_quarters() {
        let used: Vec<(usize, usize)> = [1, 1024, 1025, 4096].map(|used| (16, used)).into();
        let fill = page_fill(6, 16, used.iter());
        assert_eq!((fill.empty, fill.by_quarters), (2, [2, 1, 0, 1]));
        assert_eq!(fill.sparse_free_bytes, 2 * PAGE_BYTES - 16 - 1024 * 16);
    }
}
