//! From what the VM recorded to a report.

use crate::findings::{self, amount, location};
use crate::gem;
use crate::report::{Amount, FORMAT, Pool, Report, Row, StringRow, Strings};
use carat_text::text::Text;
use carat_vm::recorder::{Counts, Ledger, Site, Strings as RecordedStrings};
use carat_vm::{Ec, EncodingIndex};
use std::cmp::Ordering;
use std::collections::BTreeMap;

/// Ends the recording: what still lives after a collection is retained.
pub(crate) fn report(ec: &mut Ec, program: &str, seconds: f64, top: usize) -> Report {
    ec.collect_garbage(true);
    let (pools, collections) = (pools(ec), ec.heap().stats().collections());
    let Some((ledger, sites)) = ec.take_ledger() else { return Report::default() };
    let rows = rows(&ledger, &sites);
    let total = |of: fn(&Row) -> Amount| {
        rows.iter().map(of).fold(Amount::default(), |mut sum, amount| {
            sum.add(amount);
            sum
        })
    };
    Report {
        loupe: FORMAT,
        program: program.into(),
        seconds,
        collections,
        allocated: total(|row| row.allocated),
        retained: total(|row| row.retained),
        strings: Strings {
            allocated: strings(&ledger.allocated_strings, &sites, top),
            retained: strings(&ledger.retained_strings, &sites, top),
        },
        findings: findings::collect(&ledger, &sites),
        pools,
        rows,
    }
}

fn rows(ledger: &Ledger, sites: &[Site]) -> Vec<Row> {
    let mut rows: BTreeMap<(String, i32, String), Row> = BTreeMap::new();
    let mut add = |counts: &Counts, of: fn(&mut Row) -> &mut Amount| {
        for ((id, class), count) in counts {
            let site = &sites[id.0 as usize];
            let row = rows.entry((site.path.to_string(), site.line, class.to_string())).or_insert_with(|| Row {
                gem: gem::of_path(&site.path).into(),
                file: site.path.to_string(),
                line: site.line,
                class: class.to_string(),
                allocated: Amount::default(),
                retained: Amount::default(),
            });
            of(row).add(amount(*count));
        }
    };
    add(&ledger.allocated, |row| &mut row.allocated);
    add(&ledger.retained, |row| &mut row.retained);
    rows.into_values().collect()
}

/// The `top` strings made most often, equally frequent ones in the order of their bytes.
fn strings(recorded: &RecordedStrings, sites: &[Site], top: usize) -> Vec<StringRow> {
    let mut list: Vec<_> = recorded.iter().map(|(key, places)| (places.values().sum::<u64>(), key, places)).collect();
    // Programs make far more different strings than a report shows: only those are put in order.
    if top < list.len() {
        list.select_nth_unstable_by(top, most_frequent_first);
        list.truncate(top);
    }
    list.sort_unstable_by(most_frequent_first);
    let shown = list.into_iter().map(|(count, (_, encoding, bytes), found)| {
        let mut places: BTreeMap<String, u64> = BTreeMap::new();
        found.iter().for_each(|(id, count)| *places.entry(location(&sites[id.0 as usize])).or_default() += count);
        let mut places: Vec<(String, u64)> = places.into_iter().collect();
        places.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        StringRow { text: inspected(bytes, *encoding), count, places }
    });
    shown.collect()
}

/// A string as it is recorded, with how often it was made in all, and where.
type Counted<'a, P> = (u64, &'a (u64, EncodingIndex, Box<[u8]>), &'a P);

fn most_frequent_first<P>(a: &Counted<'_, P>, b: &Counted<'_, P>) -> Ordering {
    b.0.cmp(&a.0).then_with(|| a.1.2.cmp(&b.1.2)).then_with(|| a.1.0.cmp(&b.1.0))
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
    ec.each_object_everywhere(&mut |ec, _, object| {
        let slot = ec.slot_bytes(object);
        *needed.entry(slot).or_default() += slot.saturating_sub(ec.unused_slot_bytes(object));
    });
    let stats = ec.heap().stats();
    let pools = stats.pools.iter().map(|p| Pool {
        slot_bytes: p.slot_bytes,
        slots: p.slots,
        used: p.used,
        free: p.slots - p.used.min(p.slots),
        wasted_bytes: (p.used * p.slot_bytes).saturating_sub(needed.get(&p.slot_bytes).copied().unwrap_or(0)),
    });
    pools.collect()
}
