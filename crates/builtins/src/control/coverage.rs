//! The native half of `lib/coverage.rb`: which code is given counters, and what they say.
//!
//! A file that is loaded while somebody measures is listed with the counters of its lines; loading it again lists new ones.
//! What is evaluated under a path that is listed counts there too.

use carat_compile::{Options, Program};
use carat_iseq::coverage::{Counts, Extent, Fork, LineCounts, Targets};
use carat_iseq::{IseqKind, Unit};
use carat_sync::{Mutex, MutexGuard};
use carat_vm::{Array, Ec, Result, Str, SymbolId, Value, primitives};
use std::sync::Arc;

primitives! {
    PRIMITIVES {
        "coverage_setup" => setup;
        "coverage_run" => run;
        "coverage_state" => state_name;
        "coverage_mode" => mode;
        "coverage_files" => files;
        "coverage_methods" => methods_of;
        "coverage_clear" => clear;
        "coverage_stop" => stop;
        "coverage_statement_lines" => statement_lines;
    }
}

/// What is measured, as the bits of a mode.
mod bit {
    pub(super) const LINES: i64 = 1;
    pub(super) const ONESHOT: i64 = 2;
    pub(super) const BRANCHES: i64 = 4;
    pub(super) const METHODS: i64 = 8;
    pub(super) const EVAL: i64 = 16;
}

/// Per VM: what is being measured.
#[derive(Default)]
struct Measurement {
    state: Mutex<MeasuredFiles>,
}

#[derive(Default)]
struct MeasuredFiles {
    /// Bits of [`bit`]; `None` while nobody measures.
    mode: Option<i64>,
    files: Vec<File>,
}

struct File {
    path: Arc<str>,
    lines: Arc<LineCounts>,
    units: Vec<Arc<Unit>>,
}

impl MeasuredFiles {
    fn file(&mut self, path: &Arc<str>) -> Option<&mut File> {
        self.files.iter_mut().find(|file| file.path == *path)
    }

    fn add(&mut self, path: &Arc<str>, lines: Arc<LineCounts>) {
        match self.file(path) {
            Some(file) => (file.lines, file.units) = (lines, Vec::new()),
            None => self.files.push(File { path: path.clone(), lines, units: Vec::new() }),
        }
    }
}

fn with_state<T>(ec: &Ec, look: impl FnOnce(&mut MeasuredFiles) -> T) -> T {
    let measurement = ec.vm().extension::<Measurement>();
    let mut state: MutexGuard<'_, MeasuredFiles> = measurement.state.lock().unwrap_or_else(|e| e.into_inner());
    look(&mut state)
}

fn targets(mode: i64) -> Targets {
    let has = |bit| mode & bit != 0;
    Targets { lines: has(bit::LINES | bit::ONESHOT), branches: has(bit::BRANCHES), methods: has(bit::METHODS) }
}

/// What is counted in a file that is loaded now.
pub(crate) fn of_file(ec: &Ec) -> Option<Targets> {
    with_state(ec, |state| state.mode).map(targets)
}

/// What is counted in text that is evaluated now. That whose path nobody gave is listed, but nothing of it is counted.
pub(crate) fn of_eval(ec: &Ec, has_path: bool) -> Option<Targets> {
    let mode = with_state(ec, |state| state.mode).filter(|mode| mode & bit::EVAL != 0)?;
    Some(if has_path { targets(mode) } else { Targets::default() })
}

/// Lists compiled code that is to be counted, and gives it counters.
pub(crate) fn attach(ec: &Ec, program: &mut Program, source: &[u8], options: &Options<'_>) {
    let (Some(wanted), Some(places)) = (options.coverage, program.places.take()) else { return };
    let unit = program.iseq.unit().clone();
    with_state(ec, |state| {
        let Some(mode) = state.mode else { return };
        if options.kind != IseqKind::Eval || options.main_script || state.file(unit.path()).is_none() {
            let lines = memchr::memchr_iter(b'\n', source).count() as i64 + i64::from(options.first_line) - 1;
            let is_once = mode & bit::ONESHOT != 0;
            let lines = if is_once { 0 } else { usize::try_from(lines).unwrap_or(0) };
            state.add(unit.path(), Arc::new(LineCounts::new(lines, is_once)));
        }
        let Some(file) = state.file(unit.path()) else { return };
        unit.set_counts(Counts::new(wanted, file.lines.clone(), places));
        file.units.push(unit);
    });
}

fn setup(ec: &mut Ec, mode: i64) {
    with_state(ec, |state| *state = MeasuredFiles { mode: Some(mode), files: Vec::new() });
    ec.vm().coverage.forget_methods(ec);
}

fn run(ec: &mut Ec, is_running: bool) {
    ec.vm().coverage.run(is_running);
}

fn mode(ec: &mut Ec) -> Option<i64> {
    with_state(ec, |state| state.mode)
}

fn state_name(ec: &mut Ec) -> SymbolId {
    let name = match with_state(ec, |state| state.mode) {
        None => "idle",
        Some(_) if ec.vm().coverage.is_running() => "running",
        Some(_) => "suspended",
    };
    ec.vm().intern(name)
}

fn clear(ec: &mut Ec) {
    with_state(ec, |state| {
        for file in &state.files {
            file.lines.clear();
            file.units.iter().filter_map(|unit| unit.counts()).for_each(Counts::clear);
        }
    });
    ec.vm().coverage.clear_calls();
}

fn stop(ec: &mut Ec) {
    ec.vm().coverage.run(false);
    with_state(ec, |state| *state = MeasuredFiles::default());
    ec.vm().coverage.forget_methods(ec);
}

fn push_extent(ec: &Ec, list: Array, extent: &Extent) {
    let Extent { first_line, first_column, last_line, last_column } = *extent;
    for number in [i64::from(first_line), first_column.into(), last_line.into(), last_column.into()] {
        list.push(ec, ec.int(number));
    }
}

/// `[path, lines, forks]` of each file. A fork is a kind, its extent and branches, which are a kind, an extent and a count.
fn files(ec: &mut Ec) -> Array {
    let list = Array::new(ec, 8);
    with_state(ec, |state| {
        for file in &state.files {
            let entry = Array::new(ec, 3);
            list.push(ec, entry.value());
            entry.push(ec, Str::from_text(ec, &file.path).value());
            entry.push(ec, lines_of(ec, &file.lines).value());
            let forks = Array::new(ec, 4);
            entry.push(ec, forks.value());
            for counts in file.units.iter().filter_map(|unit| unit.counts()) {
                counts.forks.iter().for_each(|fork| forks.push(ec, fork_of(ec, counts, fork).value()));
            }
        }
    });
    list
}

/// How often each line ran; if only the first time counts, the numbers of those that did.
fn lines_of(ec: &Ec, lines: &LineCounts) -> Array {
    let list = Array::new(ec, 8);
    match lines.ran() {
        Some(ran) => ran.into_iter().for_each(|line| list.push(ec, ec.int(line.into()))),
        None => lines.counts().for_each(|count| list.push(ec, count.map_or(Value::NIL, |count| ec.int(count)))),
    }
    list
}

fn fork_of(ec: &Ec, counts: &Counts, fork: &Fork) -> Array {
    let list = Array::new(ec, 6);
    list.push(ec, Value::symbol(ec.vm().intern(fork.kind)));
    push_extent(ec, list, &fork.extent);
    let branches = Array::new(ec, fork.branches.len());
    list.push(ec, branches.value());
    for branch in &fork.branches {
        let entry = Array::new(ec, 6);
        branches.push(ec, entry.value());
        entry.push(ec, Value::symbol(ec.vm().intern(branch.kind)));
        push_extent(ec, entry, &branch.extent);
        entry.push(ec, ec.int(counts.branch(branch.number) as i64));
    }
    list
}

/// `[path, class, name, extent…, calls]` of each method.
fn methods_of(ec: &mut Ec) -> Array {
    let list = Array::new(ec, 8);
    for method in ec.counted_methods() {
        let entry = Array::new(ec, 8);
        list.push(ec, entry.value());
        entry.push(ec, Str::from_text(ec, &method.path).value());
        entry.push(ec, method.owner);
        entry.push(ec, Value::symbol(method.name));
        push_extent(ec, entry, &method.extent);
        entry.push(ec, ec.int(method.calls as i64));
    }
    list
}

/// The lines of a source on which statements begin.
fn statement_lines(ec: &mut Ec, source: Str, path: Str) -> Result<Array> {
    let (source, path) = (source.bytes(ec).to_vec(), path.to_text(ec));
    let lines = Targets { lines: true, ..Targets::default() };
    let options = Options { coverage: Some(lines), ..Options::file(&path) };
    let program = crate::system::load::compile_unlisted(ec, &source, &options)?;
    let list = Array::new(ec, 8);
    let lines = program.places.map(|places| places.lines).unwrap_or_default();
    lines.into_iter().for_each(|line| list.push(ec, ec.int(line.into())));
    Ok(list)
}
