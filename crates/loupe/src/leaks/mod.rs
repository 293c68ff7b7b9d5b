//! `loupe leaks`: what was made between two moments of a process and is still there at a third.
//!
//! # How
//! Of the first two dumps a number is kept for each object, hashed of its address and what else does not change while it lives: type,
//! class, place and generation. So an object that took another's address is not taken for it, where dumps have places or
//! generations. A process that runs ([`live`]) records from the first moment on, so that one dump is enough, at the last.
//!
//! # Code map
//! [`live`]: a process that runs. `source`: the line that writes a reference, told from the program's text. `show`: the text.
//! `figures`: the JSON.

mod figures;
mod live;
mod show;
mod source;

pub(crate) use live::run;

use crate::dump::{self, Record};
use crate::failure::Failure;
use crate::graph::{Graph, Node, Ways};
use crate::heap::{ClassKey, class_key};
use crate::path;
use crate::report::Amount;
use figures::Figures;
use rustc_hash::{FxHashMap, FxHashSet, FxHasher};
use source::Written;
use std::hash::{Hash, Hasher};

/// A file and a line.
pub(crate) type Place = (String, i32);

/// Objects of one class made at one place that stayed.
struct Stayed {
    class: String,
    place: Option<Place>,
    amount: Amount,
}

/// The shortest way from a root to what stayed.
struct Way {
    category: String,
    /// Up to the holder; without one, up to the object.
    steps: Vec<path::Step>,
    /// Places at which what the holder refers to was made.
    places: Vec<Place>,
}

/// What stayed and is kept by one object: one that was there before and refers to what is new.
struct Leak {
    /// Its address; `None` if roots refer to what is new.
    holder: Option<u64>,
    way: Option<Way>,
    total: Amount,
    /// Most bytes first.
    stayed: Vec<Stayed>,
}

/// What stayed, most bytes first.
struct Leaks {
    total: Amount,
    list: Vec<Leak>,
}

/// What is asked of a dump's objects.
struct Moments<'a> {
    /// It was made between the first two moments.
    is_new: &'a dyn Fn(&Record<'_>) -> bool,
    /// It was there at the first.
    was_there: &'a dyn Fn(&Record<'_>) -> bool,
}

/// Of the first `top` leaks the text; the JSON has all of these.
pub(crate) fn explain(dumps: &[String], top: usize, json: Option<&str>) -> Result<String, Failure> {
    let (Some((last, earlier)), Some(first)) = (dumps.split_last(), dumps.first()) else {
        return Err(Failure::new("leaks wants two or three dumps"));
    };
    if dumps.iter().any(|dump| dump == "-") {
        return Err(Failure::new("leaks reads dumps several times: give files"));
    }
    let old = identities(first, &mut |_| true)?;
    // With three dumps, what was there in the second.
    let new = earlier.get(1).map(|second| identities(second, &mut |number| !old.contains(&number))).transpose()?;
    let was_there = |record: &Record<'_>| identity(record).is_some_and(|number| old.contains(&number));
    let is_new = |record: &Record<'_>| {
        let Some(number) = identity(record) else { return false };
        new.as_ref().map_or_else(|| !old.contains(&number), |new| new.contains(&number))
    };
    let leaks = find(last, &Moments { is_new: &is_new, was_there: &was_there }, top)?;
    let holders: Vec<u64> = leaks.list.iter().take(top).filter_map(|leak| leak.holder).collect();
    let mut sizes: Vec<FxHashMap<u64, u64>> = Vec::new();
    for dump in dumps {
        sizes.push(path::entries(dump, &holders)?);
    }
    let (mut text, mut figures) = (show::head(&leaks), Figures::of(&leaks));
    for leak in leaks.list.iter().take(top) {
        show::leak(&mut text, leak);
        let written = written_in(leak);
        written.iter().for_each(|written| show::written(&mut text, written));
        let sizes: Vec<u64> = sizes.iter().filter_map(|sizes| sizes.get(&leak.holder?).copied()).collect();
        let is_growing = sizes.len() == dumps.len() && sizes.is_sorted_by(|a, b| a < b);
        if is_growing {
            show::unbounded(&mut text, &sizes);
        }
        leak.stayed.iter().take(top).for_each(|stayed| show::stayed(&mut text, stayed));
        figures.add(leak, written.as_ref(), if is_growing { sizes } else { Vec::new() }, &|_| None);
    }
    json.map_or(Ok(()), |path| figures.write(path))?;
    Ok(text)
}

/// The line that wrote the reference, as the source of the places nearest to the holder tells it.
fn written_in(leak: &Leak) -> Option<Written> {
    source::writer(leak.way.as_ref()?.places.iter())
}

/// What tells an object from one that takes its address later.
fn identity(record: &Record<'_>) -> Option<u64> {
    let mut hasher = FxHasher::default();
    record.address().filter(|_| record.is_object())?.hash(&mut hasher);
    record.kind().hash(&mut hasher);
    (record.class(), record.file.as_deref(), record.line, record.generation).hash(&mut hasher);
    Some(hasher.finish())
}

fn identities(dump: &str, is_wanted: &mut dyn FnMut(u64) -> bool) -> Result<FxHashSet<u64>, Failure> {
    let mut found = FxHashSet::default();
    dump::read(dump, &mut |record| found.extend(identity(record).filter(|number| is_wanted(*number))))?;
    Ok(found)
}

/// Class and place.
type Key = (ClassKey, Option<Place>);

/// What stayed, by the object that keeps it, class and place.
#[derive(Default)]
struct Groups {
    by_holder: FxHashMap<Option<Node>, Group>,
    names: FxHashMap<u64, String>,
}

#[derive(Default)]
struct Group {
    amounts: FxHashMap<Key, Amount>,
    /// The one to which the shortest way leads, and its length.
    nearest: Option<(usize, Node)>,
}

/// What is known of each object of a dump, in few bytes.
struct Search<'a> {
    graph: &'a Graph,
    ways: Ways<'a>,
    /// By number of the object.
    was_there: Vec<bool>,
}

/// What stayed, by the object that keeps it, with the ways to the first `top` of these.
fn find(dump: &str, moments: &Moments<'_>, top: usize) -> Result<Leaks, Failure> {
    let graph = Graph::read(dump)?;
    path::require_roots(dump, &graph)?;
    let mut was_there = vec![false; graph.len()];
    dump::read(dump, &mut |record| {
        if let Some(node) = record.address().and_then(|address| graph.find(address)) {
            was_there[node as usize] = (moments.was_there)(record);
        }
    })?;
    let search = Search { graph: &graph, ways: graph.ways(), was_there };
    let Groups { by_holder, names } = groups(dump, &search, moments)?;
    let mut list: Vec<(Leak, Option<Node>, Option<Node>)> =
        by_holder.into_iter().map(|(holder, group)| leak(&graph, &names, holder, group)).collect();
    list.sort_by(|(a, ..), (b, ..)| b.total.bytes.cmp(&a.total.bytes).then_with(|| a.holder.cmp(&b.holder)));
    let mut total = Amount::default();
    list.iter().for_each(|(leak, ..)| total.add(leak.total));
    let shown = top.min(list.len());
    find_ways(dump, &search, &mut list[..shown])?;
    Ok(Leaks { total, list: list.into_iter().map(|(leak, ..)| leak).collect() })
}

fn leak(
    graph: &Graph,
    names: &FxHashMap<u64, String>,
    holder: Option<Node>,
    group: Group,
) -> (Leak, Option<Node>, Option<Node>) {
    let mut total = Amount::default();
    let row = |((class, place), amount): (Key, Amount)| {
        total.add(amount);
        Stayed { class: class.name(names), place, amount }
    };
    let mut stayed: Vec<Stayed> = group.amounts.into_iter().map(row).collect();
    stayed.sort_by(|a, b| {
        b.amount.bytes.cmp(&a.amount.bytes).then_with(|| (&a.class, &a.place).cmp(&(&b.class, &b.place)))
    });
    let address = holder.map(|node| graph.address(node));
    (Leak { holder: address, way: None, total, stayed }, holder, group.nearest.map(|(_, node)| node))
}

fn groups(dump: &str, search: &Search<'_>, moments: &Moments<'_>) -> Result<Groups, Failure> {
    let mut groups = Groups::default();
    dump::read(dump, &mut |record| {
        let Some(address) = record.address().filter(|_| record.is_object()) else { return };
        if let Some(name) = record.name.as_ref().or(record.real_class_name.as_ref()) {
            groups.names.insert(address, name.to_string());
        }
        if !(moments.is_new)(record) {
            return;
        }
        // What nothing leads to goes with the next collection.
        let Some((node, way)) = search.graph.find(address).and_then(|node| Some((node, search.ways.to(node)?.1)))
        else {
            return;
        };
        let group = groups.by_holder.entry(search.holder(&way)).or_default();
        group
            .amounts
            .entry((class_key(record), record.place()))
            .or_default()
            .add(Amount { objects: 1, bytes: record.memsize });
        if group.nearest.is_none_or(|(shortest, _)| way.len() < shortest) {
            group.nearest = Some((way.len(), node));
        }
    })?;
    Ok(groups)
}

impl Search<'_> {
    /// The last object on the way that was there before; or else what refers to most.
    fn holder(&self, way: &[Node]) -> Option<Node> {
        let (_, above) = way.split_last()?;
        let old = above.iter().rev().find(|node| self.was_there[**node as usize]);
        let most = || above.iter().max_by_key(|node| self.graph.references(**node).len());
        old.or_else(most).copied()
    }
}

/// Of what a holder refers to, so much is looked at.
const SEEN_CHILDREN: usize = 64;

/// The root's category, the objects of the way, and what the last of them refers to that is new.
type FoundWay<'a> = (&'a str, Vec<Node>, Vec<Node>);

fn find_ways(dump: &str, search: &Search<'_>, list: &mut [(Leak, Option<Node>, Option<Node>)]) -> Result<(), Failure> {
    let graph = search.graph;
    let mut wanted: FxHashSet<Node> = FxHashSet::default();
    let found: Vec<Option<FoundWay<'_>>> = list
        .iter()
        .map(|(_, holder, nearest)| {
            let (category, mut way) = search.ways.to((*nearest)?)?;
            let mut children = Vec::new();
            if let Some(holder) = holder {
                let end = way.iter().position(|node| node == holder)? + 1;
                children.extend(way.get(end));
                way.truncate(end);
                let new = graph.references(*holder).iter().rev().filter(|child| !search.was_there[**child as usize]);
                children.extend(new.take(SEEN_CHILDREN));
            }
            wanted.extend(way.iter().chain(&children));
            Some((category, way, children))
        })
        .collect();
    let described = path::descriptions(dump, wanted.iter().map(|node| graph.address(*node)))?;
    for ((leak, ..), way) in list.iter_mut().zip(found) {
        let Some((category, steps, children)) = way else { continue };
        let step = |node: &Node| described.step(graph.address(*node));
        let mut places: Vec<Place> = children.iter().filter_map(|node| step(node).place).collect();
        places.dedup();
        leak.way = Some(Way { category: category.into(), steps: steps.iter().map(step).collect(), places });
    }
    Ok(())
}
