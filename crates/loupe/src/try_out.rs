//! `loupe try`: what findings would gain, told by running the program with them applied.
//!
//! # How
//! The program runs as it is; its report has the findings. Each one that has an edit is tried alone, then all together that kept
//! the output. If these together do something else, they are added one by one, and what changes the output is left out.
//!
//! # Invariants
//! * What the patch holds ran as a whole, and printed and ended as the program as it is.

use crate::advice::digits;
use crate::arguments::{Target, TryOptions};
use crate::edit::{self, Change, NoEdit};
use crate::failure::Failure;
use crate::patch::{self, EditedFile};
use crate::report::{Advice, Amount, LineGain, Refused};
use crate::trial::{self, Difference, Program, Trial};
use carat::Ended;
use serde::Serialize;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::IsTerminal;

/// Exit status when an edit changes what the program does, or none could be tried.
const NOT_KEPT: i32 = 1;
const RULE: &str = "-----------------------------------";

/// Figures of a trial.
#[derive(Serialize, Clone, Copy, Default)]
struct Figures {
    allocated: Amount,
    retained: Amount,
    collections: u64,
    seconds: f64,
}

/// What came of applying a finding, or several.
#[derive(Serialize, Default)]
struct Outcome {
    figures: Option<Figures>,
    /// Why the finding was not tried.
    no_edit: Option<String>,
    difference: Option<&'static str>,
    refused: Vec<Refused>,
    error: Option<String>,
    /// Lines of the finding that were left out, for the program does something else with their edits.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    without_lines: Vec<i32>,
}

#[derive(Serialize)]
struct Tried<'a> {
    number: usize,
    kind: &'a str,
    file: &'a str,
    line: i32,
    #[serde(flatten)]
    outcome: Outcome,
    #[serde(skip)]
    changes: Vec<Change>,
}

#[derive(Serialize)]
struct Together {
    numbers: Vec<usize>,
    /// Left out as they change what others do, or stand where others do.
    left_out: Vec<usize>,
    figures: Figures,
}

/// Version of the JSON form.
const FORMAT: u32 = 1;

#[derive(Serialize)]
struct Table<'a> {
    loupe_try: u32,
    program: Vec<String>,
    is_steady: bool,
    status_only: bool,
    before: Figures,
    tried: Vec<Tried<'a>>,
    together: Option<Together>,
}

pub(crate) fn run(options: &TryOptions) -> Result<Ended, Failure> {
    let mut program = Program::new(options)?;
    let before = program.run(&[])?.ok_or_else(|| Failure::new("the program does not end"))?;
    program.expect_seconds(before.report.seconds);
    let advice = &before.report.advice;
    if let Some(words) = before.failure().filter(|_| advice.is_empty()) {
        return Err(Failure::new(format!("the program itself fails, before there is anything to try: {words}")));
    }
    let numbers = numbers(options, advice.len())?;
    let mut sources = Sources::default();
    let mut tried: Vec<Tried<'_>> = Vec::new();
    for (done, number) in numbers.iter().copied().enumerate() {
        tell_progress(done + 1, numbers.len());
        tried.push(try_one(&program, &before, &mut sources, &tried, number, &advice[number - 1])?);
    }
    let mut table = Table {
        loupe_try: FORMAT,
        program: options.program.clone(),
        is_steady: before.is_steady(),
        status_only: options.status_only,
        before: Figures::of(&before),
        tried,
        together: None,
    };
    tell_progress(0, 0);
    table.together = together(&program, &before, &sources, &table.tried)?;
    write(&table, &sources, options)
}

/// Says on a terminal how far we are; 0 wipes it.
fn tell_progress(number: usize, count: usize) {
    if std::io::stderr().is_terminal() {
        let told = if number == 0 { String::new() } else { format!("loupe: trying {number} of {count} ") };
        crate::complain(&format!("\r\x1b[K{told}"));
    }
}

fn numbers(options: &TryOptions, found: usize) -> Result<Vec<usize>, Failure> {
    if options.numbers.is_empty() {
        return Ok((1..=found.min(options.top)).collect());
    }
    match options.numbers.iter().find(|number| **number > found) {
        Some(number) => Err(Failure::new(format!("there is no finding {number}: the report has {found}"))),
        None => Ok(options.numbers.clone()),
    }
}

/// Files by path, as they are.
#[derive(Default)]
struct Sources(BTreeMap<String, Vec<u8>>);

impl Sources {
    fn get(&mut self, path: &str) -> Result<&[u8], String> {
        if !self.0.contains_key(path) {
            self.0.insert(path.into(), trial::source_of(path)?);
        }
        Ok(&self.0[path])
    }

    /// The files of some edits with all their changes, or `None` if those of two edits touch and are not the same.
    fn edited(&self, edits: &[&Tried<'_>]) -> Option<Vec<EditedFile>> {
        let mut files: BTreeMap<&str, Vec<Change>> = BTreeMap::new();
        for edit in edits {
            let changes = files.entry(edit.file).or_default();
            let new = edit.changes.iter().filter(|change| !changes.contains(change));
            let new: Vec<Change> = new.cloned().collect();
            if new.iter().any(|change| changes.iter().any(|other| change.touches(other))) {
                return None;
            }
            changes.extend(new);
        }
        let file = |(path, mut changes): (&str, Vec<Change>)| {
            changes.sort_by_key(|change| (change.range.start, change.range.end));
            EditedFile { path: path.into(), source: self.0[path].clone(), changes }
        };
        Some(files.into_iter().map(file).collect())
    }
}

impl Figures {
    fn cost(&self) -> u64 {
        let Figures { allocated, retained, .. } = self;
        allocated.bytes.saturating_add(retained.bytes).saturating_add(allocated.objects.saturating_mul(16))
    }

    fn of(trial: &Trial) -> Figures {
        Figures {
            allocated: trial.allocated(),
            retained: trial.report.retained,
            collections: trial.report.collections,
            seconds: trial.seconds,
        }
    }
}

fn try_one<'a>(
    program: &Program,
    before: &Trial,
    sources: &mut Sources,
    earlier: &[Tried<'_>],
    number: usize,
    advice: &'a Advice,
) -> Result<Tried<'a>, Failure> {
    let mut tried = Tried {
        number,
        kind: &advice.kind,
        file: &advice.file,
        line: advice.line,
        outcome: Outcome::default(),
        changes: Vec::new(),
    };
    match sources.get(&advice.file).and_then(|source| edit::of(advice, source).map_err(NoEdit::reason)) {
        Err(reason) => tried.outcome.no_edit = Some(reason),
        Ok(changes) => {
            let is_same = |other: &&Tried<'_>| other.file == tried.file && other.changes == changes;
            if let Some(same) = earlier.iter().find(is_same) {
                tried.outcome.no_edit = Some(format!("the edit of {} is this one's, too", same.number));
                return Ok(tried);
            }
            tried.changes = changes;
            let files = sources.edited(&[&tried]).unwrap_or_default();
            tried.outcome = outcome(program, before, &files)?;
            if !tried.outcome.is_kept() && advice.lines.len() > 1 {
                try_by_line(program, before, sources, &mut tried, advice)?;
            }
        }
    }
    Ok(tried)
}

/// Lines of one finding that are tried one by one.
const MOST_LINES_TRIED: usize = 8;

/// Leaves out the lines of a finding whose edits alone change what the program does.
fn try_by_line(
    program: &Program,
    before: &Trial,
    sources: &mut Sources,
    tried: &mut Tried<'_>,
    advice: &Advice,
) -> Result<(), Failure> {
    let whole = std::mem::take(&mut tried.changes);
    let mut kept: Vec<LineGain> = Vec::new();
    for part in advice.lines.iter().take(MOST_LINES_TRIED) {
        let of_line = Advice { lines: vec![part.clone()], ..advice.clone() };
        let edit = sources.get(&advice.file).and_then(|source| edit::of(&of_line, source).map_err(NoEdit::reason));
        tried.changes = edit.unwrap_or_default();
        let files = sources.edited(&[tried]).unwrap_or_default();
        if !tried.changes.is_empty() && outcome(program, before, &files)?.is_kept() {
            kept.push(part.clone());
        }
    }
    let lines_left_out = advice.lines.iter().filter(|part| !kept.contains(part)).map(|part| part.line).collect();
    let of_kept = Advice { lines: kept, ..advice.clone() };
    let edit = sources.get(&advice.file).and_then(|source| edit::of(&of_kept, source).map_err(NoEdit::reason));
    match edit.ok().filter(|_| !of_kept.lines.is_empty()) {
        None => tried.changes = whole,
        Some(changes) => {
            tried.changes = changes;
            let files = sources.edited(&[tried]).unwrap_or_default();
            tried.outcome = outcome(program, before, &files)?;
            tried.outcome.without_lines = lines_left_out;
        }
    }
    Ok(())
}

fn outcome(program: &Program, before: &Trial, files: &[EditedFile]) -> Result<Outcome, Failure> {
    let texts: Vec<(String, Vec<u8>)> = files.iter().map(|file| (file.path.clone(), file.text())).collect();
    let Some(trial) = program.run(&texts)? else {
        return Ok(Outcome { difference: Some(Difference::TimeLimit.text()), ..Outcome::default() });
    };
    let difference = trial.difference(before);
    Ok(Outcome {
        figures: Some(Figures::of(&trial)),
        no_edit: None,
        difference: difference.map(Difference::text),
        refused: trial.newly_refused(before),
        error: difference.and_then(|_| trial.error_line(before)),
        without_lines: Vec::new(),
    })
}

impl Outcome {
    /// The program printed and ended as before, and nobody was refused to write.
    fn is_kept(&self) -> bool {
        self.figures.is_some() && self.difference.is_none() && self.refused.is_empty()
    }

    fn gains(&self, before: &Figures) -> bool {
        self.figures.as_ref().is_some_and(|after| after.cost() < before.cost())
    }
}

/// All edits that keep what the program does and gain something.
fn together(
    program: &Program,
    before: &Trial,
    sources: &Sources,
    tried: &[Tried<'_>],
) -> Result<Option<Together>, Failure> {
    let figures = Figures::of(before);
    let mut good: Vec<&Tried<'_>> =
        tried.iter().filter(|one| one.outcome.is_kept() && one.outcome.gains(&figures)).collect();
    // Of two edits of one piece of code the better one.
    good.sort_by_key(|one| one.outcome.figures.as_ref().map(Figures::cost));
    if !before.is_steady() || good.is_empty() {
        return Ok(None);
    }
    let mut chosen: Vec<&Tried<'_>> = Vec::new();
    let mut left_out = Vec::new();
    for one in &good {
        chosen.push(one);
        if sources.edited(&chosen).is_none() {
            chosen.pop();
            left_out.push(one.number);
        }
    }
    if let Some(together) = run_together(program, before, sources, &chosen, &left_out)? {
        return Ok(Some(together));
    }
    let (mut kept, mut last): (Vec<&Tried<'_>>, Option<Together>) = (Vec::new(), None);
    for one in chosen {
        kept.push(one);
        match run_together(program, before, sources, &kept, &left_out)? {
            Some(together) => last = Some(together),
            None => left_out.extend(kept.pop().map(|one| one.number)),
        }
    }
    Ok(last.map(|together| Together { left_out, ..together }))
}

/// Figures of some edits at once, unless they change what the program does.
fn run_together(
    program: &Program,
    before: &Trial,
    sources: &Sources,
    edits: &[&Tried<'_>],
    left_out: &[usize],
) -> Result<Option<Together>, Failure> {
    let mut numbers: Vec<usize> = edits.iter().map(|one| one.number).collect();
    numbers.sort_unstable();
    if let [only] = edits
        && let Some(figures) = only.outcome.figures
    {
        return Ok(Some(Together { numbers, left_out: left_out.into(), figures }));
    }
    let Some(files) = sources.edited(edits) else { return Ok(None) };
    let result = outcome(program, before, &files)?;
    let is_kept = result.is_kept();
    let together = |figures| Together { numbers, left_out: left_out.into(), figures };
    Ok(result.figures.filter(|_| is_kept).map(together))
}

fn write(table: &Table<'_>, sources: &Sources, options: &TryOptions) -> Result<Ended, Failure> {
    if let Some(path) = &options.json {
        let mut json = serde_json::to_vec_pretty(table).map_err(|error| Failure::new(format!("{path}: {error}")))?;
        json.push(b'\n');
        trial::write_file(path, &json)?;
    }
    let numbers = table.together.as_ref().map_or(&[][..], |together| &together.numbers);
    let chosen: Vec<&Tried<'_>> = table.tried.iter().filter(|one| numbers.contains(&one.number)).collect();
    let (folder, diff) = patch::of(&sources.edited(&chosen).unwrap_or_default());
    let text = show(table, sources);
    match &options.patch {
        None => crate::print(&text).map(drop)?,
        Some(target) => {
            let place = format!("the patch applies in {} with patch -p1\n", folder.display());
            let none = "there is no patch: no edit gains and keeps what the program does\n".to_string();
            crate::complain(&(text + if diff.is_empty() { &none } else { &place }));
            match target {
                Target::Output => crate::print_bytes(&diff).map(drop)?,
                Target::File(path) => trial::write_file(path, &diff)?,
            }
        }
    }
    Ok(Ended::Code(if is_good(table, options) { 0 } else { NOT_KEPT }))
}

/// Whether every edit that was tried kept what the program does, and those that were asked for by number were tried.
fn is_good(table: &Table<'_>, options: &TryOptions) -> bool {
    let is_wanted = |one: &Tried<'_>| one.outcome.no_edit.is_none() || !options.numbers.is_empty();
    table.is_steady && table.tried.iter().filter(|one| is_wanted(one)).all(|one| one.outcome.is_kept())
}

fn show(table: &Table<'_>, sources: &Sources) -> String {
    let mut text = format!("findings tried on {}\n{RULE}\n", table.program.join(" "));
    let Figures { allocated, collections, seconds, .. } = &table.before;
    let (bytes, objects) = (digits(allocated.bytes, ','), digits(allocated.objects, ','));
    let retained = digits(table.before.retained.bytes, ',');
    let titles = ["bytes", "", "objects", "retained", "collections", "seconds"];
    let [a, b, c, d, e, f] = titles;
    let _ = writeln!(text, "{:>3}{a:>16}{b:>9}{c:>14}{d:>14}{e:>13}{f:>10}", "");
    let _ = writeln!(
        text,
        "{:>3}{bytes:>16}{:>9}{objects:>14}{retained:>14}{collections:>13}{seconds:>10.3}  as it is",
        "", ""
    );
    if !table.is_steady {
        text.push_str("Its output changes from run to run, so whether an edit keeps it cannot be told (--status-only compares less).\n");
    }
    let same = if table.status_only { "same exit status" } else { "same output" };
    for one in &table.tried {
        let place = format!("{}:{} ({})", one.file, one.line, one.kind);
        let what = match (&one.outcome.no_edit, one.outcome.difference) {
            (Some(reason), _) => format!("not tried: {reason}"),
            (None, Some(difference)) => difference.into(),
            (None, None) if !one.outcome.refused.is_empty() => format!("{same}, but writes were refused"),
            (None, None) if !one.outcome.without_lines.is_empty() => {
                let lines = one.outcome.without_lines.iter().map(i32::to_string).collect::<Vec<_>>().join(", ");
                format!("{same} without the edit of line {lines}")
            }
            (None, None) => same.into(),
        };
        // Figures of a program that did not run as before say nothing.
        let figures = one.outcome.figures.as_ref().filter(|_| one.outcome.difference.is_none());
        row(&mut text, &one.number.to_string(), &table.before, figures, &what, &place);
        causes(&mut text, &one.outcome);
    }
    if let Some(Together { numbers, left_out, figures }) = &table.together {
        let list = |numbers: &[usize]| numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let rest = if left_out.is_empty() { String::new() } else { format!(", without {}", list(left_out)) };
        row(
            &mut text,
            "all",
            &table.before,
            Some(figures),
            "same output",
            &format!("{} together{rest}", list(numbers)),
        );
    }
    changes(&mut text, table, sources);
    text
}

/// A line of the table: what changed against the program as it is.
fn row(text: &mut String, name: &str, before: &Figures, after: Option<&Figures>, what: &str, place: &str) {
    let Some(after) = after else {
        let _ = writeln!(text, "{name:>3}{:>76}  {what}: {place}", "");
        return;
    };
    let change = |old: u64, new: u64| {
        let sign = if new < old { '-' } else { '+' };
        format!("{sign}{}", digits(new.abs_diff(old), ','))
    };
    let bytes = change(before.allocated.bytes, after.allocated.bytes);
    let percent =
        (after.allocated.bytes as f64 - before.allocated.bytes as f64) * 100.0 / before.allocated.bytes.max(1) as f64;
    let objects = change(before.allocated.objects, after.allocated.objects);
    let retained = change(before.retained.bytes, after.retained.bytes);
    let collections = change(before.collections, after.collections);
    let seconds = after.seconds - before.seconds;
    let _ = writeln!(
        text,
        "{name:>3}{bytes:>16}{:>9}{objects:>14}{retained:>14}{collections:>13}{seconds:>+10.3}  {what}: {place}",
        format!("{percent:+.1} %")
    );
}

/// What an edit broke, with the line that writes.
fn causes(text: &mut String, result: &Outcome) {
    for Refused { location, count, message } in &result.refused {
        let message: String = message.chars().take(80).collect();
        let times = digits(*count, ',');
        let _ = writeln!(text, "{:>5}{location} writes: {message} (FrozenError, {times} times)", "");
    }
    if let Some(line) = result.error.as_ref().filter(|_| result.refused.is_empty()) {
        let _ = writeln!(text, "{:>5}{line}", "");
    }
}

/// Most lines of an edit that the table shows.
const MOST_LINES: usize = 6;

/// What was put in the place of what.
fn changes(text: &mut String, table: &Table<'_>, sources: &Sources) {
    for one in table.tried.iter().filter(|one| one.outcome.no_edit.is_none()) {
        let Some(files) = sources.edited(&[one]) else { continue };
        let (_, diff) = patch::of(&files);
        let diff = String::from_utf8_lossy(&diff).into_owned();
        let is_shown = |line: &&str| matches!(line.as_bytes(), [b'-' | b'+', rest @ ..] if !rest.starts_with(b"--") && !rest.starts_with(b"++"));
        let lines: Vec<&str> = diff.lines().filter(is_shown).collect();
        let _ = writeln!(text, "\n{}. {}:{}", one.number, one.file, one.line);
        for line in lines.iter().take(MOST_LINES) {
            let _ = writeln!(text, "    {line}");
        }
        if lines.len() > MOST_LINES {
            let _ = writeln!(text, "    and {} more lines", lines.len() - MOST_LINES);
        }
    }
}
