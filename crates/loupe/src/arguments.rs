//! The command line.

use crate::completion::Shell;
use crate::export::{Mode, Unit};
use crate::failure::Failure;
use crate::top::View;
use std::time::Duration;

pub(crate) const USAGE: &str = "\
Usage: loupe COMMAND [options]

  loupe run [options] FILE [arguments]   run a Ruby program and report what it allocated where
      -I DIR, -r LIBRARY, -W..., -e CODE   as for carat
      --top N               lines of each list (50)
      --only PART           findings of files whose paths have this part, such as app/
      --scale-bytes         kB and MB instead of bytes
      --normalize-paths     paths of gems from the gem's name on
      --output FILE         write the report there instead of to standard output
      --json FILE           write the figures as JSON
      --html FILE           write a page with a treemap, a table and the sources
      --instead FILE TEXT   load FILE as if it held what TEXT holds
      --no-stacks           keep no call stacks and no time line: faster, but nothing to export
      --unrecorded          record nothing: seconds, collections and the process remain
      --quiet               print no report
  loupe try [options] NUMBER... -- FILE [arguments]
  loupe try [options] --all -- FILE [arguments]
                        run the program with findings applied, by their numbers, and tell what that changes
      --top N               findings of --all (10)
      --only PART           number the findings as loupe run --only does
      --patch[=FILE]        print, or write, what can be applied as a patch; the table goes to standard error
      --json FILE           write the figures as JSON
      --input FILE          what the program reads from standard input
      --status-only         compare exit statuses only, for tests whose output has times or seeds
  loupe heap [--top N] DUMP              summarise a heap dump: classes, generations, largest, duplicates
  loupe heap --retained [--top N] DUMP   tell what would go with each object: the tree of dominators
      --html FILE           write the tree as a page, too, each object of which opens to what would go with it
  loupe leaks [--top N] A B [C]          tell what was made between dumps A and B and is still there in C: where, and why
  loupe leaks [options] PID              the same of a running process, which listens as for loupe attach
      --seconds N           how long it is looked at (20)
      --moments N           how often, from 3 on (5); it collects each time
      --per CLASS#METHOD    what a request is: growth is told for each call (Sinatra's, Rails's or Rack's, if there)
      --top N               lines of the list (10)
      --json FILE           write the figures as JSON; of dumps too
  loupe path DUMP ADDRESS                tell why an object is alive
  loupe diff [options] BEFORE AFTER      compare two heap dumps, or two reports of --json
      --top N               lines of each list (20)
      --budget AMOUNT       exit with status 1 if bytes grew by more: 1000, 10kB, 2MB or 5%
      --budget-objects N    the same for objects: 1000 or 5%
  loupe export --format FORMAT [options] REPORT
                        write the call stacks of a report of --json for another tool
      --format FORMAT       folded (lines for flame graphs), speedscope, firefox or pprof
      --mode MODE           allocated, retained, peak or temporary (allocated): of folded; what pprof shows first
      --by UNIT             bytes or objects (bytes): the same
      --output FILE         write it there instead of to standard output
  loupe attach [options] PID             ask a running process where it allocates; started with -r loupe/listen
      --seconds N           how long (10)
      --every BYTES         bytes for each sample (524288)
      --top N               lines of the list (20)
      --json FILE           write the samples as a report, for loupe export
  loupe top [options] PID                show, anew each second, what such a process allocates and holds
      --view VIEW           sites, gems or classes (sites); keys change it
      --interval N          seconds between two pictures (1)
      --every BYTES         bytes for each sample (65536)
      --top N               lines of the list where there is no terminal (20)
      --count N             pictures, and then end
  loupe completion SHELL                 print what makes bash, zsh or fish complete commands and options
  loupe help | version

Examples:
  loupe run app.rb                       what to change first, then everything
  loupe run --only app/ --quiet --json figures.json app.rb
  loupe run --html page.html -Ilib test/cart_test.rb
  loupe run --quiet --json r.json app.rb && loupe export --format speedscope --output p.json r.json
  loupe export --format folded --mode retained r.json | flamegraph.pl --countname bytes > page.svg
  loupe export --format pprof --output p.pb r.json && go tool pprof -http : p.pb
  carat -r loupe/listen app.rb & loupe attach --seconds 30 --json samples.json $!
  loupe leaks --seconds 60 $!            what stays in it, and the line that keeps it
  loupe leaks a.json b.json c.json       the same of three dumps of one process, Carat's or CRuby's
  loupe top $!                           a live view; h lists its keys
  loupe try 1 -- app.rb                  what the first finding would gain
  loupe try --all --patch -- -Ilib app.rb | patch -p1
  loupe try --all --status-only -- -Ilib test/cart_test.rb

The report begins with at most ten findings; docs/findings.md explains each kind.
A DUMP is what ObjectSpace.dump_all writes, in Carat or in CRuby; - is standard input.
";

/// What there is, or what there is of one command: its lines, and the examples that have it.
pub(crate) fn usage(command: Option<&str>) -> String {
    let Some(command) = command else { return USAGE.into() };
    let is_its = |line: &str| {
        let rest = line.split("loupe ").skip(1);
        rest.into_iter().any(|rest| rest.split_whitespace().next() == Some(command))
    };
    let mut lines = USAGE.lines();
    let mut own = Vec::new();
    let mut is_inside = false;
    for line in lines.by_ref().skip(2).take_while(|line| !line.is_empty()) {
        is_inside = if line.starts_with("  loupe ") { is_its(line) } else { is_inside };
        own.extend(is_inside.then(|| line.get(2..)).flatten());
    }
    let Some((first, rest)) = own.split_first() else { return USAGE.into() };
    let examples: Vec<&str> = lines.by_ref().take_while(|line| !line.is_empty()).filter(|line| is_its(line)).collect();
    let mut text = format!("Usage: {first}\n");
    rest.iter().for_each(|line| text += &format!("{line}\n"));
    if !examples.is_empty() {
        text += &format!("\nExamples:\n{}\n", examples.join("\n"));
    }
    let about = if text.contains("DUMP") || text.contains("dumps") { "A DUMP is" } else { "The report begins" };
    let about = lines.filter(|line| line.starts_with(about) && (about == "A DUMP is" || command == "run"));
    about.for_each(|line| text += &format!("\n{line}\n"));
    text
}

#[derive(Debug, PartialEq)]
pub(crate) enum Command {
    /// Of everything, or of one command.
    Help(Option<String>),
    Version,
    Run(RunOptions),
    Try(TryOptions),
    Heap {
        dump: String,
        top: usize,
    },
    Retained {
        dump: String,
        top: usize,
        html: Option<String>,
    },
    Leaks {
        dumps: Vec<String>,
        top: usize,
        json: Option<String>,
    },
    LiveLeaks(LiveLeaksOptions),
    Path {
        dump: String,
        address: u64,
    },
    Diff(DiffOptions),
    Export(ExportOptions),
    Attach(AttachOptions),
    Top(TopOptions),
    Completion(Shell),
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct RunOptions {
    pub(crate) top: usize,
    pub(crate) only: Option<String>,
    pub(crate) scale_bytes: bool,
    pub(crate) normalize_paths: bool,
    pub(crate) output: Option<String>,
    pub(crate) json: Option<String>,
    pub(crate) html: Option<String>,
    pub(crate) quiet: bool,
    /// Files, and the files that hold what they are loaded with.
    pub(crate) instead: Vec<(String, String)>,
    pub(crate) no_stacks: bool,
    pub(crate) unrecorded: bool,
    /// The command line for `carat`: options, file and arguments.
    pub(crate) program: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct TryOptions {
    /// Findings by their places in the report, from 1; none for all.
    pub(crate) numbers: Vec<usize>,
    pub(crate) top: usize,
    pub(crate) only: Option<String>,
    pub(crate) patch: Option<Target>,
    pub(crate) json: Option<String>,
    pub(crate) input: Option<String>,
    pub(crate) status_only: bool,
    /// As in [`RunOptions`].
    pub(crate) program: Vec<String>,
}

/// Where a patch goes.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Target {
    Output,
    File(String),
}

#[derive(Debug, PartialEq)]
pub(crate) struct DiffOptions {
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) top: usize,
    pub(crate) bytes: Option<Budget>,
    pub(crate) objects: Option<Budget>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct ExportOptions {
    pub(crate) format: Format,
    pub(crate) mode: Mode,
    pub(crate) unit: Unit,
    pub(crate) output: Option<String>,
    pub(crate) report: String,
}

#[derive(Debug, PartialEq)]
pub(crate) struct AttachOptions {
    pub(crate) process: u32,
    pub(crate) seconds: f64,
    pub(crate) every: usize,
    pub(crate) top: usize,
    pub(crate) json: Option<String>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct TopOptions {
    pub(crate) process: u32,
    pub(crate) view: View,
    pub(crate) interval: Duration,
    pub(crate) every: usize,
    pub(crate) top: usize,
    pub(crate) count: Option<u64>,
}

#[derive(Debug, PartialEq)]
pub(crate) struct LiveLeaksOptions {
    pub(crate) process: u32,
    pub(crate) seconds: f64,
    /// Three or more.
    pub(crate) moments: u32,
    pub(crate) per: Option<String>,
    pub(crate) top: usize,
    pub(crate) json: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Format {
    Folded,
    Speedscope,
    Firefox,
    Pprof,
}

impl Format {
    const ALL: [(&'static str, Format); 4] = [
        ("folded", Format::Folded),
        ("speedscope", Format::Speedscope),
        ("firefox", Format::Firefox),
        ("pprof", Format::Pprof),
    ];
}

/// How much something may grow.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Budget {
    Amount(u64),
    Percent(f64),
}

type Words<'a> = std::slice::Iter<'a, String>;

fn bad(message: impl std::fmt::Display) -> Failure {
    Failure::new(format!("{message} (loupe help shows what there is)"))
}

pub(crate) fn read(words: &[String]) -> Result<Command, Failure> {
    let mut words = words.iter();
    let Some(command) = words.next() else { return Ok(Command::Help(None)) };
    // Behind a file everything is the program's.
    let is_help = |word: &String| word == "--help" || word == "-h";
    let mut asked = words.clone().take(if command == "run" || command == "try" { 1 } else { usize::MAX });
    if asked.any(is_help) {
        return Ok(Command::Help(Some(command.clone())));
    }
    match command.as_str() {
        "help" | "--help" | "-h" => Ok(Command::Help(words.next().cloned())),
        "version" | "--version" | "-v" => Ok(Command::Version),
        "run" => run(words).map(Command::Run),
        "try" => try_out(words),
        "heap" => heap(words),
        "leaks" => leaks(words),
        "path" => path(words),
        "diff" => diff(words),
        "export" => export(words),
        "attach" => attach(words),
        "top" => top(words),
        "completion" => completion(words),
        other if other.starts_with('-') => Err(bad(format_args!("unknown option {other}"))),
        other => Err(bad(format_args!("unknown command {other}"))),
    }
}

/// An option's value: behind `=`, or the next word.
fn value(name: &str, inline: Option<&str>, words: &mut Words<'_>) -> Result<String, Failure> {
    match inline.map(String::from).or_else(|| words.next().cloned()) {
        Some(value) if !value.is_empty() => Ok(value),
        _ => Err(bad(format_args!("{name} wants a value"))),
    }
}

fn count(name: &str, text: &str) -> Result<usize, Failure> {
    text.parse().map_err(|_| bad(format_args!("{name} wants a number, not {text}")))
}

fn split(word: &str) -> (&str, Option<&str>) {
    word.split_once('=').map_or((word, None), |(name, value)| (name, Some(value)))
}

fn run(mut words: Words<'_>) -> Result<RunOptions, Failure> {
    let mut options = RunOptions { top: 50, ..RunOptions::default() };
    let mut has_code = false;
    while let Some(word) = words.next() {
        let (name, inline) = split(word);
        match name {
            "--top" => options.top = count(name, &value(name, inline, &mut words)?)?,
            "--only" => options.only = Some(value(name, inline, &mut words)?),
            "--scale-bytes" => options.scale_bytes = true,
            "--normalize-paths" => options.normalize_paths = true,
            "--output" => options.output = Some(value(name, inline, &mut words)?),
            "--json" => options.json = Some(value(name, inline, &mut words)?),
            "--html" => options.html = Some(value(name, inline, &mut words)?),
            "--quiet" => options.quiet = true,
            "--no-stacks" => options.no_stacks = true,
            "--unrecorded" => options.unrecorded = true,
            "--instead" => options.instead.push((value(name, inline, &mut words)?, value(name, None, &mut words)?)),
            "-I" | "-r" | "-e" => {
                has_code |= name == "-e";
                options.program.extend([word.clone(), value(name, None, &mut words)?]);
            }
            _ if is_for_carat(word) => options.program.push(word.clone()),
            _ if word.starts_with('-') && word.len() > 1 => return Err(bad(format_args!("unknown option {word}"))),
            _ => {
                options.program.push(word.clone());
                options.program.extend(words.by_ref().cloned());
                return Ok(options);
            }
        }
    }
    if has_code { Ok(options) } else { Err(bad("run wants the file of a program")) }
}

fn try_out(mut words: Words<'_>) -> Result<Command, Failure> {
    let mut options = TryOptions { top: 10, ..TryOptions::default() };
    let mut tries_all = false;
    loop {
        let word = words.next().ok_or_else(|| bad("try wants -- and a program behind its own options"))?;
        let (name, inline) = split(word);
        match name {
            "--" => break,
            "--all" => tries_all = true,
            "--top" => options.top = count(name, &value(name, inline, &mut words)?)?,
            "--only" => options.only = Some(value(name, inline, &mut words)?),
            "--patch" => options.patch = Some(inline.map_or(Target::Output, |path| Target::File(path.into()))),
            "--json" => options.json = Some(value(name, inline, &mut words)?),
            "--status-only" => options.status_only = true,
            "--input" => options.input = Some(value(name, inline, &mut words)?),
            _ if word.starts_with('-') => return Err(bad(format_args!("unknown option {word}"))),
            _ => match word.parse() {
                Ok(number) if number > 0 => options.numbers.push(number),
                _ => return Err(bad(format_args!("try wants numbers of findings, not {word}"))),
            },
        }
    }
    if tries_all != options.numbers.is_empty() {
        return Err(bad("try wants numbers of findings, or --all"));
    }
    let program = run(words)?;
    let only_carat = RunOptions { top: program.top, program: program.program.clone(), ..RunOptions::default() };
    if program != only_carat {
        return Err(bad("options of loupe try stand before --"));
    }
    options.program = program.program;
    options.numbers.sort_unstable();
    options.numbers.dedup();
    Ok(Command::Try(options))
}

/// `-Ilib`, `-rset`, `-W:no-deprecated`, `-w` and the like.
fn is_for_carat(word: &str) -> bool {
    let short = word.len() > 2 && ["-I", "-r", "-W", "-E"].iter().any(|o| word.starts_with(o));
    short || ["-w", "-W", "-d", "--"].contains(&word) || word.starts_with("--enable") || word.starts_with("--disable")
}

/// Takes an option by its name, with the value behind `=`, and perhaps the words that follow; false if there is none of the name.
type TakeOption<'a> = dyn FnMut(&str, Option<&str>, &mut Words<'_>) -> Result<bool, Failure> + 'a;

/// What is left of a command's words: options by `option`, the others returned.
fn plain(mut words: Words<'_>, option: &mut TakeOption<'_>) -> Result<Vec<String>, Failure> {
    let mut found = Vec::new();
    while let Some(word) = words.next() {
        let (name, inline) = split(word);
        if !word.starts_with('-') || word == "-" {
            found.push(word.clone());
        } else if !option(name, inline, &mut words)? {
            return Err(bad(format_args!("unknown option {name}")));
        }
    }
    Ok(found)
}

fn exactly<const N: usize>(found: Vec<String>, what: &str) -> Result<[String; N], Failure> {
    <[String; N]>::try_from(found).map_err(|_| bad(what))
}

fn heap(words: Words<'_>) -> Result<Command, Failure> {
    let (mut top, mut retained, mut html) = (25, false, None);
    let found = plain(words, &mut |name, inline, words| {
        match name {
            "--top" => top = count(name, &value(name, inline, words)?)?,
            "--retained" => retained = true,
            "--html" => html = Some(value(name, inline, words)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let [dump] = exactly(found, "heap wants one dump")?;
    match (retained, html) {
        (true, html) => Ok(Command::Retained { dump, top, html }),
        (false, None) => Ok(Command::Heap { dump, top }),
        (false, Some(_)) => Err(bad("--html is for heap --retained")),
    }
}

fn leaks(words: Words<'_>) -> Result<Command, Failure> {
    let (mut top, mut seconds, mut moments, mut per, mut json) = (10, None, None, None, None);
    let found = plain(words, &mut |name, inline, words| {
        match name {
            "--top" => top = count(name, &value(name, inline, words)?)?,
            "--seconds" => seconds = Some(duration(name, &value(name, inline, words)?)?),
            "--moments" => moments = Some(count(name, &value(name, inline, words)?)?),
            "--per" => per = Some(method(name, value(name, inline, words)?)?),
            "--json" => json = Some(value(name, inline, words)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    if let [process] = found.as_slice()
        && let Ok(process) = process.parse()
    {
        let moments = u32::try_from(moments.unwrap_or(5)).ok().filter(|moments| (3..=1000).contains(moments));
        let moments = moments.ok_or_else(|| bad("--moments wants a number from 3 to 1000"))?;
        let seconds = seconds.unwrap_or(20.0);
        return Ok(Command::LiveLeaks(LiveLeaksOptions { process, seconds, moments, per, top, json }));
    }
    if !found.is_empty() && (seconds.is_some() || moments.is_some() || per.is_some()) {
        return Err(bad("--seconds, --moments and --per are for the number of a process"));
    }
    match found.len() {
        2 | 3 => Ok(Command::Leaks { dumps: found, top, json }),
        _ => Err(bad("leaks wants two or three dumps, or the number of a process")),
    }
}

/// `Class#method`.
fn method(name: &str, text: String) -> Result<String, Failure> {
    match text.split_once('#') {
        Some((class, method)) if !class.is_empty() && !method.is_empty() && !text.contains(char::is_whitespace) => {
            Ok(text)
        }
        _ => Err(bad(format_args!("{name} wants a method such as Cart#total, not {text}"))),
    }
}

fn path(words: Words<'_>) -> Result<Command, Failure> {
    let found = plain(words, &mut |_, _, _| Ok(false))?;
    let [dump, address] = exactly(found, "path wants a dump and an address")?;
    let digits = address.strip_prefix("0x").unwrap_or(&address);
    match u64::from_str_radix(digits, 16) {
        Ok(address) => Ok(Command::Path { dump, address }),
        Err(_) => Err(bad(format_args!("{address} is no address: they look like 0x7f0000001230"))),
    }
}

fn diff(words: Words<'_>) -> Result<Command, Failure> {
    let (mut top, mut bytes, mut objects) = (20, None, None);
    let found = plain(words, &mut |name, inline, words| {
        match name {
            "--top" => top = count(name, &value(name, inline, words)?)?,
            "--budget" => bytes = Some(budget(name, &value(name, inline, words)?)?),
            "--budget-objects" => objects = Some(budget(name, &value(name, inline, words)?)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let [before, after] = exactly(found, "diff wants two dumps, or two reports")?;
    Ok(Command::Diff(DiffOptions { before, after, top, bytes, objects }))
}

/// One of the words that an option takes.
fn choice<T: Copy>(name: &str, text: &str, known: &[(&str, T)]) -> Result<T, Failure> {
    let found = known.iter().find(|(word, _)| *word == text);
    let words: Vec<&str> = known.iter().map(|(word, _)| *word).collect();
    found
        .map(|(_, choice)| *choice)
        .ok_or_else(|| bad(format_args!("{name} wants one of {}, not {text}", words.join(", "))))
}

fn export(words: Words<'_>) -> Result<Command, Failure> {
    let (mut format, mut mode, mut unit, mut output) = (None, Mode::Allocated, Unit::Bytes, None);
    let found = plain(words, &mut |name, inline, words| {
        match name {
            "--format" => format = Some(choice(name, &value(name, inline, words)?, &Format::ALL)?),
            "--mode" => mode = choice(name, &value(name, inline, words)?, &Mode::ALL.map(|mode| (mode.name(), mode)))?,
            "--by" => unit = choice(name, &value(name, inline, words)?, &Unit::ALL.map(|unit| (unit.name(), unit)))?,
            "--output" => output = Some(value(name, inline, words)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let format = format.ok_or_else(|| bad("export wants --format: folded, speedscope, firefox or pprof"))?;
    let [report] = exactly(found, "export wants one report of loupe run --json")?;
    Ok(Command::Export(ExportOptions { format, mode, unit, output, report }))
}

fn attach(words: Words<'_>) -> Result<Command, Failure> {
    let (mut seconds, mut every, mut top, mut json) = (10.0, 512 << 10, 20, None);
    let found = plain(words, &mut |name, inline, words| {
        match name {
            "--seconds" => seconds = duration(name, &value(name, inline, words)?)?,
            "--every" => every = count(name, &value(name, inline, words)?)?,
            "--top" => top = count(name, &value(name, inline, words)?)?,
            "--json" => json = Some(value(name, inline, words)?),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let process = process("attach", found)?;
    if every == 0 {
        return Err(bad("--every wants a number of bytes from 1 on"));
    }
    Ok(Command::Attach(AttachOptions { process, seconds, every, top, json }))
}

/// The only word: the number of a process.
fn process(command: &str, found: Vec<String>) -> Result<u32, Failure> {
    let [process] = exactly(found, &format!("{command} wants the number of a process"))?;
    process.parse().map_err(|_| bad(format_args!("{command} wants the number of a process, not {process}")))
}

fn top(words: Words<'_>) -> Result<Command, Failure> {
    let (mut view, mut seconds, mut every, mut top, mut pictures) = (View::Sites, 1.0, 64 << 10, 20, None);
    let found = plain(words, &mut |name, inline, words| {
        match name {
            "--view" => view = choice(name, &value(name, inline, words)?, &View::ALL)?,
            "--interval" => seconds = duration(name, &value(name, inline, words)?)?,
            "--every" => every = count(name, &value(name, inline, words)?)?,
            "--top" => top = count(name, &value(name, inline, words)?)?,
            "--count" => pictures = Some(count(name, &value(name, inline, words)?)? as u64),
            _ => return Ok(false),
        }
        Ok(true)
    })?;
    let process = process("top", found)?;
    if every == 0 {
        return Err(bad("--every wants a number of bytes from 1 on"));
    }
    if seconds < 0.1 {
        return Err(bad("--interval wants a tenth of a second or more"));
    }
    let interval = Duration::from_secs_f64(seconds);
    Ok(Command::Top(TopOptions { process, view, interval, every, top, count: pictures }))
}

/// Up to an hour.
fn duration(name: &str, text: &str) -> Result<f64, Failure> {
    let seconds = text.parse().ok().filter(|seconds| (0.0..=3600.0).contains(seconds));
    seconds.ok_or_else(|| bad(format_args!("{name} wants seconds, up to 3600, not {text}")))
}

fn completion(words: Words<'_>) -> Result<Command, Failure> {
    let found = plain(words, &mut |_, _, _| Ok(false))?;
    let [shell] = exactly(found, "completion wants a shell: bash, zsh or fish")?;
    choice("completion", &shell, &Shell::ALL).map(Command::Completion)
}

/// `1000`, `10kB`, `2MB` or `5%`.
fn budget(name: &str, text: &str) -> Result<Budget, Failure> {
    let wrong = || bad(format_args!("{name} wants an amount such as 1000, 10kB, 2MB or 5%, not {text}"));
    if let Some(percent) = text.strip_suffix('%') {
        let percent = percent.parse().ok().filter(|p: &f64| p.is_finite() && *p >= 0.0);
        return percent.map(Budget::Percent).ok_or_else(wrong);
    }
    let units = [("kB", 1000), ("MB", 1_000_000), ("GB", 1_000_000_000), ("B", 1)];
    let (digits, unit) = units.iter().find_map(|(u, f)| Some((text.strip_suffix(u)?, *f))).unwrap_or((text, 1));
    digits.parse().ok().and_then(|n: u64| n.checked_mul(unit)).map(Budget::Amount).ok_or_else(wrong)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read_line(line: &str) -> Result<Command, String> {
        let words: Vec<String> = line.split_whitespace().map(String::from).collect();
        read(&words).map_err(|failure| failure.message)
    }

    #[test]
    fn everything_behind_the_file_is_the_program_s() {
        let Ok(Command::Run(options)) = read_line("run --top 5 -I lib -rset t.rb --json x") else { panic!("runs") };
        assert_eq!(options.program, ["-I", "lib", "-rset", "t.rb", "--json", "x"]);
        assert_eq!((options.top, options.json), (5, None));
    }

    #[test]
    fn every_command_has_help() {
        for line in ["run --help", "try -h", "export --help", "heap a --help", "help top"] {
            assert!(matches!(read_line(line), Ok(Command::Help(Some(_)))), "{line}");
        }
        assert_eq!(read_line("--help"), Ok(Command::Help(None)));
        let heap = usage(Some("heap"));
        assert!(heap.starts_with("Usage: loupe heap [--top N] DUMP"), "{heap}");
        assert!(heap.contains("--retained") && !heap.contains("loupe run") && heap.contains("dump_all"), "{heap}");
        let top = usage(Some("top"));
        assert!(top.contains("\n    --view VIEW ") && top.contains("\nExamples:\n  loupe top"), "{top}");
        assert_eq!(usage(Some("frobnicate")), USAGE);
        assert!(matches!(read_line("run t.rb --help"), Ok(Command::Run(_))));
    }

    #[test]
    fn unknown_words_are_refused() {
        for line in
            ["try 1 t.rb", "try -- t.rb", "try 0 -- t.rb", "try --all 1 -- t.rb", "try 1 -- --json x t.rb", "try 1 --"]
                .into_iter()
                .chain([
                    "frobnicate",
                    "run --colour t.rb",
                    "run",
                    "heap",
                    "heap --size a",
                    "path a zz",
                    "diff a",
                    "run --top x t",
                ])
        {
            assert!(read_line(line).is_err(), "{line}");
        }
    }

    #[test]
    fn budgets_have_units() {
        assert_eq!(budget("--budget", "10kB").ok(), Some(Budget::Amount(10_000)));
        assert_eq!(budget("--budget", "2.5%").ok(), Some(Budget::Percent(2.5)));
        assert!(budget("--budget", "ten").is_err());
    }
}
