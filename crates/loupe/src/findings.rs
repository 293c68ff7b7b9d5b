//! From the recorder's events to findings: what left its slot, was copied or grown, and which literals are safe to freeze.

use crate::record::inspected;
use crate::report::{Amount, Copied, Extended, Findings, Literal, Owned, Pinned, Refused, Regrown, Sent};
use carat_vm::EncodingIndex;
use carat_vm::recorder::{CopyReason, Count, Ledger, Passing, Site, SiteEvents, SiteId};
use std::collections::BTreeMap;

pub(crate) fn amount(count: Count) -> Amount {
    Amount { objects: count.objects, bytes: count.bytes }
}

/// A line of a program.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Place<'a> {
    path: &'a str,
    line: i32,
}

impl<'a> Place<'a> {
    pub(crate) fn of(site: &'a Site) -> Place<'a> {
        Place { path: &site.path, line: site.line }
    }
}

impl std::fmt::Display for Place<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}", self.path, self.line)
    }
}

pub(crate) fn location(site: &Site) -> String {
    format!("{}:{}", site.path, site.line)
}

pub(crate) fn collect(ledger: &Ledger, sites: &[Site]) -> Findings {
    let place = |id: SiteId| location(&sites[id.0 as usize]);
    let mut found = Findings { copies: copies(ledger, &place), ..Findings::default() };
    for (location, events) in by_location(ledger, &place) {
        add_events(&mut found, location, &events);
    }
    literals(&mut found, ledger, sites);
    found.refused = refused(ledger, &place);
    found.messages = messages(ledger, &place);
    found.ractors = ractors(ledger);
    sort(&mut found);
    found
}

/// Several instructions of one line are one place to a reader.
fn by_location(ledger: &Ledger, place: &dyn Fn(SiteId) -> String) -> BTreeMap<String, SiteEvents> {
    let mut sums: BTreeMap<String, SiteEvents> = BTreeMap::new();
    for (id, events) in &ledger.events {
        let sum = sums.entry(place(*id)).or_default();
        sum.born_extended += events.born_extended;
        sum.grown += events.grown;
        sum.fields_spilled += events.fields_spilled;
        sum.regrown.objects += events.regrown.objects;
        sum.regrown.bytes += events.regrown.bytes;
        sum.longest = sum.longest.max(events.longest);
        sum.pinning.objects += events.pinning.objects;
        sum.pinning.bytes += events.pinning.bytes;
    }
    sums
}

fn add_events(found: &mut Findings, location: String, events: &SiteEvents) {
    let SiteEvents { born_extended: born, grown, fields_spilled, .. } = *events;
    if born + grown + fields_spilled > 0 {
        found.extended.push(Extended { location: location.clone(), born, grown, fields_spilled });
    }
    if events.regrown.objects > 0 {
        let Count { objects: times, bytes: added_bytes } = events.regrown;
        found.regrown.push(Regrown { location: location.clone(), times, added_bytes, capacity: events.longest });
    }
    if events.pinning.objects > 0 {
        let Count { objects: slices, bytes: unused_bytes } = events.pinning;
        found.pinned.push(Pinned { location, slices, unused_bytes });
    }
}

fn copies(ledger: &Ledger, place: &dyn Fn(SiteId) -> String) -> Vec<Copied> {
    let mut sums: BTreeMap<(String, String, &str), Amount> = BTreeMap::new();
    for ((from, to, reason), count) in &ledger.copies {
        let reason = match reason {
            CopyReason::Shared => "written while shared",
            CopyReason::NotAtStart => "grown behind bytes that were cut off",
        };
        sums.entry((place(*from), place(*to), reason)).or_default().add(amount(*count));
    }
    let copies = sums.into_iter();
    copies.map(|((from, to, reason), amount)| Copied { from, to, reason: reason.into(), amount }).collect()
}

fn refused(ledger: &Ledger, place: &dyn Fn(SiteId) -> String) -> Vec<Refused> {
    let mut sums: BTreeMap<String, Refused> = BTreeMap::new();
    for (id, told) in &ledger.refused {
        let location = place(*id);
        let empty = Refused { location: location.clone(), count: 0, message: told.message.to_string() };
        sums.entry(location).or_insert(empty).count += told.count;
    }
    sums.into_values().collect()
}

fn messages(ledger: &Ledger, place: &dyn Fn(SiteId) -> String) -> Vec<Sent> {
    let mut sums: BTreeMap<(String, Passing), Sent> = BTreeMap::new();
    for ((id, passing), sent) in &ledger.messages {
        let location = place(*id);
        let name = match passing {
            Passing::Shared => "shared",
            Passing::Copied => "copied",
            Passing::Moved => "moved",
        };
        let empty = Sent { location: location.clone(), passing: name.into(), messages: 0, made: Amount::default() };
        let sum = sums.entry((location, *passing)).or_insert(empty);
        sum.messages += sent.messages;
        sum.made.add(amount(sent.made));
    }
    sums.into_values().collect()
}

/// Ractors of one name that began at one place are told of together, and the main one with the rest; nothing without others.
fn ractors(ledger: &Ledger) -> Vec<Owned> {
    let mut sums: BTreeMap<(&str, Option<&str>), Owned> = BTreeMap::new();
    let mut main = (Count::default(), Count::default());
    for tally in &ledger.tallies {
        main.0.merge(tally.allocated);
        main.1.merge(tally.retained);
    }
    for share in &ledger.shares {
        let empty =
            Owned { location: share.place.to_string(), name: share.name.clone().map(String::from), ..Owned::default() };
        let sum = sums.entry((&share.place, share.name.as_deref())).or_insert(empty);
        sum.ractors += 1;
        sum.allocated.add(amount(share.allocated));
        main.0 = main.0.less(share.allocated);
        if let Some(retained) = share.retained {
            sum.living += 1;
            sum.retained.add(amount(retained));
        }
        if !share.has_ended {
            main.1 = main.1.less(share.retained.unwrap_or_default());
        }
    }
    let mut found: Vec<Owned> = sums.into_values().collect();
    if !found.is_empty() {
        let (allocated, retained) = (amount(main.0), amount(main.1));
        found.push(Owned { location: "main".into(), name: None, ractors: 1, living: 1, allocated, retained });
    }
    found
}

/// The beginning of a literal, as `inspect` shows it.
pub(crate) fn inspected_literal(literal: &[u8]) -> String {
    const SHOWN: usize = 30;
    let text = String::from_utf8_lossy(literal);
    let shown: String = text.chars().take(SHOWN).collect();
    let rest = if shown.len() < text.len() { "..." } else { "" };
    format!("{}{rest}", inspected(shown.as_bytes(), EncodingIndex::UTF_8))
}

/// A literal is safe to freeze only if none of its copies was ever written to.
fn literals(found: &mut Findings, ledger: &Ledger, sites: &[Site]) {
    let mut sums: BTreeMap<(String, String), Literal> = BTreeMap::new();
    for tally in &ledger.tallies {
        let site = &sites[tally.site.0 as usize];
        let Some(literal) = &site.literal else { continue };
        let (location, text) = (location(site), inspected_literal(literal));
        let key = (location.clone(), text.clone());
        let empty = || Literal { location, text, copies: Amount::default(), written: 0, writer: None };
        let sum = sums.entry(key).or_insert_with(empty);
        sum.copies.add(amount(tally.allocated));
        if let Some(events) = ledger.events.get(&tally.site) {
            sum.written += events.written;
            let writer = events.writer.map(|w| self::location(&sites[w.0 as usize]));
            sum.writer = sum.writer.take().or(writer);
        }
    }
    for literal in sums.into_values() {
        let list = if literal.written == 0 { &mut found.unwritten_literals } else { &mut found.written_literals };
        list.push(literal);
    }
}

fn sort(found: &mut Findings) {
    fn by<T>(list: &mut [T], figure: impl Fn(&T) -> u64) {
        list.sort_by_key(|item| std::cmp::Reverse(figure(item)));
    }
    by(&mut found.extended, |e| e.born + e.grown + e.fields_spilled);
    by(&mut found.copies, |c| c.amount.bytes);
    by(&mut found.regrown, |r| r.times);
    by(&mut found.unwritten_literals, |l| l.copies.objects);
    by(&mut found.written_literals, |l| l.written);
    by(&mut found.pinned, |p| p.unused_bytes);
    by(&mut found.messages, |m| m.made.bytes);
    by(&mut found.ractors, |r| r.allocated.bytes);
}
