//! Matching for a `StringScanner`, which goes through one string with many patterns: nothing is allocated for a match.

use super::object::{self, Regexp};
use super::search::{Attempt, Searcher, simple_pattern, try_simply};
use carat_oniguruma::Region;
use carat_text::simple_regexp::{Answer, Effort, Stack};
use carat_vm::{Array, Data, Ec, Result, Str};
use std::cell::RefCell;

/// Where the groups of the last match lie, and what matching needs, kept from one match to the next.
#[derive(Default)]
pub(crate) struct Places {
    pub(crate) region: Region,
    stack: Stack,
}

impl Places {
    /// After a match without groups; those of an earlier one are counted still.
    pub(crate) fn set(&mut self, from: usize, to: usize) {
        let [begins, ends] = self.region.make_room(self.region.len().max(1));
        begins.fill(-1);
        ends.fill(-1);
        (begins[0], ends[0]) = (place(from), place(to));
    }

    /// After a Regexp did not match.
    pub(crate) fn forget(&mut self) {
        self.region.make_room(0);
    }

    pub(crate) fn copy(&mut self, other: &Places) {
        self.region.clone_from(&other.region);
    }

    pub(crate) fn heap_bytes(&self) -> usize {
        self.region.heap_bytes() + self.stack.heap_bytes()
    }
}

/// Regions count in 32 bits, as the engine does.
fn place(at: usize) -> i32 {
    i32::try_from(at).unwrap_or(-1)
}

/// Where a scanner is, and what it wants.
#[derive(Clone, Copy)]
pub(crate) struct ScannerPlace {
    /// What is before this byte does not exist for the pattern. The groups count from here.
    pub(crate) base: usize,
    /// Where the match begins, counted from the beginning of the string.
    pub(crate) start: usize,
    /// The match may begin behind that too.
    pub(crate) is_search: bool,
}

impl ScannerPlace {
    fn attempt(self) -> Attempt {
        let at = self.start - self.base;
        if self.is_search { Attempt::Forwards(at) } else { Attempt::At(at) }
    }
}

/// Matches, and fills the places that `find` gets at. Whether there is a match. Leaves no `$~`.
///
/// Interrupts may be served, so the places are out of their object while the engine runs.
pub(crate) fn match_from(
    ec: &mut Ec,
    regexp: Data<Regexp>,
    s: Str,
    place: ScannerPlace,
    find: impl Fn(&Ec) -> &RefCell<Places>,
) -> Result<bool> {
    let answer = search_simply(ec, regexp, s, place, &mut find(ec).borrow_mut());
    match answer {
        Answer::GaveUp | Answer::Unknown => match_by_engine(ec, regexp, s, place, find),
        answer => Ok(answer == Answer::Found),
    }
}

fn search_simply(ec: &Ec, regexp: Data<Regexp>, s: Str, place: ScannerPlace, places: &mut Places) -> Answer {
    let Some(simple) = simple_pattern(ec, regexp, s) else { return Answer::Unknown };
    let bytes = s.bytes(ec).get(place.base..).unwrap_or_default();
    // What most patterns of a scanner are told.
    if !place.is_search && !simple.may_begin(bytes, place.start - place.base) {
        return Answer::Missing;
    }
    try_simply(simple, bytes, place.attempt(), &mut places.region, &mut places.stack, Effort::Brief)
}

fn match_by_engine(
    ec: &mut Ec,
    regexp: Data<Regexp>,
    s: Str,
    place: ScannerPlace,
    find: impl Fn(&Ec) -> &RefCell<Places>,
) -> Result<bool> {
    let mut searcher = Searcher::new(ec, regexp, s)?.behind(place.base);
    std::mem::swap(&mut searcher.region, &mut find(ec).borrow_mut().region);
    let found = searcher.begin(ec, s, place.attempt())?;
    std::mem::swap(&mut searcher.region, &mut find(ec).borrow_mut().region);
    Ok(found.is_some())
}

/// The number of the group of this name, the last one that took part in the match if there are several.
pub(crate) fn named_group(ec: &Ec, regexp: Data<Regexp>, name: &[u8], places: &Places) -> Option<usize> {
    let Some(Ok(pattern)) = &regexp.get(ec).pattern else { return None };
    let groups = pattern.groups_named(name)?;
    let matched = groups.iter().rev().find(|group| places.region.pos(**group as usize).is_some());
    matched.or(groups.last()).map(|group| *group as usize)
}

/// The names of a Regexp's groups, as bytes.
pub(crate) fn group_names(ec: &mut Ec, regexp: Data<Regexp>) -> Result<Array> {
    let pattern = object::pattern_of(ec, regexp)?;
    let names = Array::new(ec, pattern.names.len());
    pattern.names.iter().for_each(|(name, _)| names.push(ec, Str::binary(ec, name).value()));
    Ok(names)
}
