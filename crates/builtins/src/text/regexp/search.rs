//! From a string and a Regexp to a match: encodings, budgets, time limits, `$~`.
//!
//! # References
//! CRuby `rb_reg_prepare_enc`, `rb_reg_search_set_match`.

use super::engine::{Program, Stop};
use super::match_data::MatchData;
use super::object::{self, Regexp};
use super::pattern::{Edition, Pattern, STACK_BYTES, compile};
use super::spans::Spans;
use super::{FIXED_ENCODING, NO_ENCODING};
use carat_oniguruma::{FIRST_RETRIES, Region};
use carat_text::chars;
use carat_text::encoding::EncodingIndex;
use carat_text::simple_regexp::{Answer, Effort, Groups, SimpleRegexp, Stack};
use carat_vm::{CodeRange, Data, Ec, Result, Str, Unwind, Value};
use std::cell::RefCell;
use std::cmp::Ordering;
use std::sync::Arc;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

/// What the engine may go over before interrupts are looked after first, as near as retries tell: some 50 ms.
const FIRST_CHARACTERS: usize = 1 << 25;
const FEWEST_RETRIES: u32 = 32;

/// Positions that are tried from the end before interrupts are looked after.
const POSITIONS: usize = 1 << 12;

/// Searches one string, or strings of one encoding, with one Regexp.
pub(super) struct Searcher {
    regexp: Value,
    pub(super) pattern: Arc<Pattern>,
    edition: Edition,
    timeout: Option<f64>,
    pub(super) region: Region,
    /// The pattern is matched without the engine, as long as that does not take too long.
    is_simple: bool,
    stack: Stack,
    /// Bytes at the beginning of the string that are left out; positions count from behind them.
    base: usize,
}

/// What one call of the engine tries.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Attempt {
    /// From a position on.
    Forwards(usize),
    /// From a position backwards.
    Backwards(usize),
    At(usize),
}

impl Searcher {
    /// Checks that the Regexp goes with the string.
    pub(super) fn new(ec: &mut Ec, regexp: Data<Regexp>, s: Str) -> Result<Searcher> {
        let pattern = object::pattern_of(ec, regexp)?;
        let encoding = search_encoding(ec, &pattern, s)?;
        let timeout = regexp.get(ec).timeout.or_else(|| pattern.timeout.get());
        let range = s.range(ec);
        let edition = pattern.edition(encoding, range == CodeRange::SevenBit);
        let is_simple = pattern.simple_for(encoding).is_some_and(|simple| simple.suits(encoding, range));
        let (regexp, region, stack) = (regexp.value(), Region::new(), Stack::default());
        let searcher = Searcher { regexp, pattern, edition, timeout, region, is_simple, stack, base: 0 };
        if !is_simple {
            searcher.compile(ec)?;
        }
        Ok(searcher)
    }

    /// Makes the engine's program.
    fn compile(&self, ec: &mut Ec) -> Result<()> {
        match compile(ec, &self.pattern, self.edition)? {
            Ok(()) => Ok(()),
            Err(message) => Err(self.failure(ec, &message)),
        }
    }

    /// The searcher of what is behind so many bytes, which is all of the string to it.
    pub(super) fn behind(mut self, base: usize) -> Searcher {
        self.base = base;
        self
    }

    /// The first match that starts at byte `start` or behind it.
    pub(super) fn search(&mut self, ec: &mut Ec, s: Str, start: usize) -> Result<Option<(usize, usize)>> {
        if start > s.len(ec) {
            return Ok(None);
        }
        self.begin(ec, s, Attempt::Forwards(start))
    }

    /// The last match that starts at byte `start` or before it. Searching backwards the engine takes no match that goes beyond
    /// the character where it began, so that from within the string one position after the other is tried.
    pub(super) fn search_backwards(&mut self, ec: &mut Ec, s: Str, start: usize) -> Result<Option<(usize, usize)>> {
        if let Some(found) = self.simply(ec, s, Attempt::Backwards(start))? {
            return Ok(found);
        }
        let mut budget = Budget::new(self.timeout, s.len(ec));
        match start.cmp(&s.len(ec)) {
            Ordering::Greater => Ok(None),
            Ordering::Equal => self.run(ec, s, Attempt::Backwards(start), &mut budget),
            // Only the engine's own search knows where it began, for a `\G` further on in the pattern.
            Ordering::Less if self.pattern.uses_search_start => {
                match self.run(ec, s, Attempt::At(start), &mut budget)? {
                    None => self.run(ec, s, Attempt::Backwards(start), &mut budget),
                    found => Ok(found),
                }
            }
            Ordering::Less => self.step_backwards(ec, s, start, &mut budget),
        }
    }

    fn step_backwards(
        &mut self,
        ec: &mut Ec,
        s: Str,
        start: usize,
        budget: &mut Budget,
    ) -> Result<Option<(usize, usize)>> {
        let mut at = start;
        for count in 1usize.. {
            let found = self.run(ec, s, Attempt::At(at), budget)?;
            if found.is_some() || at == 0 {
                return Ok(found);
            }
            if count % POSITIONS == 0 {
                budget.check(ec)?;
            }
            // Another thread may have made the string shorter meanwhile.
            at = chars::left_adjust(s.as_text(ec), (at - 1).min(s.len(ec)));
        }
        Ok(None)
    }

    /// The match that starts exactly there.
    pub(super) fn match_at(&mut self, ec: &mut Ec, s: Str, start: usize) -> Result<Option<(usize, usize)>> {
        if start > s.len(ec) {
            return Ok(None);
        }
        self.begin(ec, s, Attempt::At(start))
    }

    /// All groups of the last match.
    pub(super) fn spans(&self) -> Spans {
        Spans::of_region(&self.region)
    }

    pub(super) fn group(&self, group: usize) -> Option<(usize, usize)> {
        self.region.pos(group)
    }

    /// Number of groups, the whole match included. There must have been a match.
    pub(super) fn group_count(&self) -> usize {
        self.region.len()
    }

    /// A MatchData of the last match, with a frozen copy of the string.
    pub(super) fn match_data(&self, ec: &Ec, frozen: Str) -> Value {
        MatchData::create(ec, frozen, self.regexp, Some(self.pattern.clone()), self.spans())
    }

    /// Without the engine if that does, else with it.
    pub(super) fn begin(&mut self, ec: &mut Ec, s: Str, what: Attempt) -> Result<Option<(usize, usize)>> {
        if let Some(found) = self.simply(ec, s, what)? {
            return Ok(found);
        }
        let mut budget = Budget::new(self.timeout, s.len(ec));
        self.run(ec, s, what, &mut budget)
    }

    /// The answer without the engine, if the pattern and the string allow.
    fn simply(&mut self, ec: &mut Ec, s: Str, what: Attempt) -> Result<Option<Option<(usize, usize)>>> {
        if !self.is_simple {
            return Ok(None);
        }
        let answer = match self.attempt_simply(ec, s, what) {
            Answer::GaveUp => self.attempt_lastingly(ec, s, what)?,
            answer => answer,
        };
        match answer {
            Answer::Found => Ok(Some(self.region.pos(0))),
            Answer::Missing => Ok(Some(None)),
            Answer::GaveUp | Answer::Unknown => {
                // What only the engine knows will come again.
                self.is_simple = false;
                self.compile(ec)?;
                Ok(None)
            }
        }
    }

    /// Looks after interrupts and the time limit now and then. What they run may change the string, but not its copy.
    fn attempt_lastingly(&mut self, ec: &mut Ec, s: Str, what: Attempt) -> Result<Answer> {
        let pattern = self.pattern.clone();
        let Some(simple) = pattern.simple_for(s.encoding()) else { return Ok(Answer::Unknown) };
        ec.ensure_memory(s.len(ec))?;
        let bytes = s.bytes(ec).get(self.base..).unwrap_or_default().to_vec();
        let budget = Budget::new(self.timeout, bytes.len());
        let state = RefCell::new((ec, budget, Ok(())));
        let ask = || {
            let (ec, budget, result) = &mut *state.borrow_mut();
            *result = budget.check(ec);
            result.is_ok()
        };
        let effort = Effort::Lasting(&ask);
        let answer = try_simply(simple, &bytes, what, &mut self.region, &mut self.stack, effort);
        state.into_inner().2.map(|()| answer)
    }

    fn attempt_simply(&mut self, ec: &Ec, s: Str, what: Attempt) -> Answer {
        let Some(simple) = self.pattern.simple_for(s.encoding()) else { return Answer::Unknown };
        let bytes = s.bytes(ec).get(self.base..).unwrap_or_default();
        try_simply(simple, bytes, what, &mut self.region, &mut self.stack, Effort::Brief)
    }

    /// With the engine: a moment's work here, what takes longer on a thread of its own.
    fn run(&mut self, ec: &mut Ec, s: Str, what: Attempt, budget: &mut Budget) -> Result<Option<(usize, usize)>> {
        let bytes = s.bytes(ec).get(self.base..).unwrap_or_default();
        let first = budget.retries.min(FIRST_RETRIES);
        match attempt(&self.pattern, self.edition, bytes, what, &mut self.region, first) {
            Err(Stop::RetryLimit) => self.run_beside(ec, s, what, budget),
            answer => self.answer(ec, answer),
        }
    }

    /// Nothing can be asked of the engine while it searches, so that whoever waits for it looks after interrupts and the time
    /// limit. A search that nobody waits for any more ends when its retries are used up.
    fn run_beside(
        &mut self,
        ec: &mut Ec,
        s: Str,
        what: Attempt,
        budget: &mut Budget,
    ) -> Result<Option<(usize, usize)>> {
        ec.ensure_memory(s.len(ec))?;
        let bytes: Arc<[u8]> = Arc::from(s.bytes(ec).get(self.base..).unwrap_or_default());
        loop {
            budget.extend(ec)?;
            let (pattern, edition, bytes) = (self.pattern.clone(), self.edition, bytes.clone());
            let retries = budget.retries;
            let work = move || {
                let mut region = Region::new();
                let answer = attempt(&pattern, edition, &bytes, what, &mut region, retries);
                (answer, region)
            };
            match ec.beside_until("regexp", STACK_BYTES, budget.deadline(), work)? {
                Ok((Err(Stop::RetryLimit), _)) | Err(RecvTimeoutError::Timeout) => {}
                Ok((answer, region)) => {
                    self.region = region;
                    return self.answer(ec, answer);
                }
                Err(RecvTimeoutError::Disconnected) => return Err(ec.no_memory()),
            }
        }
    }

    fn answer(&self, ec: &mut Ec, answer: std::result::Result<bool, Stop>) -> Result<Option<(usize, usize)>> {
        match answer {
            Ok(true) => Ok(self.region.pos(0)),
            Ok(false) => Ok(None),
            Err(Stop::Failed(message)) => Err(self.failure(ec, &message)),
            Err(Stop::RetryLimit) => Err(self.failure(ec, "too many retries")),
        }
    }

    fn failure(&self, ec: &mut Ec, message: &str) -> Unwind {
        match Data::from_value(self.regexp).map(|r| object::source(ec, r)) {
            Some(Ok(source)) => object::regexp_error(ec, message, source, self.pattern.options),
            _ => ec.error(ec.vm().known().regexp_error, message),
        }
    }
}

/// One call of the engine.
fn attempt(
    pattern: &Pattern,
    edition: Edition,
    bytes: &[u8],
    what: Attempt,
    region: &mut Region,
    retries: u32,
) -> std::result::Result<bool, Stop> {
    let program: &Program = pattern.program(edition).map_err(|m| Stop::Failed(m.to_owned()))?;
    match what {
        // Another thread may have changed the string.
        Attempt::Forwards(start) | Attempt::Backwards(start) | Attempt::At(start) if start > bytes.len() => Ok(false),
        Attempt::Forwards(start) => program.search(bytes, start, region, retries),
        Attempt::Backwards(start) => program.search_backwards(bytes, start, region, retries),
        Attempt::At(start) => program.match_at(bytes, start, region, retries),
    }
}

/// How long a search may go on.
struct Budget {
    retries: u32,
    timeout: Option<Duration>,
    /// Set when the first attempt was not enough: looking at the clock costs more than most searches.
    began: Option<Instant>,
}

impl Budget {
    /// Between two retries the engine may go over all of the string.
    fn new(timeout: Option<f64>, len: usize) -> Budget {
        let timeout = timeout.map(Duration::from_secs_f64);
        let retries = u32::try_from(FIRST_CHARACTERS / len.max(1)).unwrap_or(u32::MAX);
        let retries = retries.clamp(FEWEST_RETRIES, FIRST_RETRIES);
        Budget { retries, timeout, began: timeout.map(|_| Instant::now()) }
    }

    /// Looks after interrupts and the time limit.
    fn check(&mut self, ec: &mut Ec) -> Result<()> {
        ec.poll()?;
        match (self.timeout, self.began) {
            (Some(timeout), Some(began)) if began.elapsed() >= timeout => {
                Err(ec.error(ec.vm().known().regexp_timeout_error, "regexp match timeout"))
            }
            _ => Ok(()),
        }
    }

    fn deadline(&self) -> Option<Instant> {
        Some(self.began? + self.timeout?)
    }

    /// After a budget was used up: a larger one, as large as the time that is left allows.
    fn extend(&mut self, ec: &mut Ec) -> Result<()> {
        self.check(ec)?;
        let larger = self.retries.saturating_mul(4);
        self.retries = match (self.timeout, self.began) {
            (Some(timeout), Some(began)) => larger.min(steps_within(self.retries, began.elapsed(), timeout)),
            _ => larger,
        };
        Ok(())
    }
}

/// How many steps fit into the time that is left, if `steps` and a third more took `elapsed`.
fn steps_within(steps: u32, elapsed: Duration, timeout: Duration) -> u32 {
    let left = timeout.saturating_sub(elapsed).as_secs_f64();
    let pace = f64::from(steps) / elapsed.as_secs_f64().max(1e-6);
    ((pace * left) as u32).max(FIRST_RETRIES / 4)
}

/// The encoding in which the Regexp is matched with the string, or the error that they do not go together.
fn search_encoding(ec: &mut Ec, pattern: &Pattern, s: Str) -> Result<EncodingIndex> {
    let (own, encoding) = (pattern.encoding, s.encoding());
    let range = s.range(ec);
    if range == CodeRange::Broken {
        return Err(ec.argument_error(&format!("invalid byte sequence in {}", encoding.name())));
    }
    if own == encoding {
        return Ok(encoding);
    }
    if !encoding.is_ascii_compatible() {
        return Err(incompatible(ec, own, encoding));
    }
    if pattern.is_fixed() {
        if !own.is_ascii_compatible() || range != CodeRange::SevenBit {
            return Err(incompatible(ec, own, encoding));
        }
        return Ok(own);
    }
    if pattern.options & NO_ENCODING != 0 && encoding != EncodingIndex::BINARY && range != CodeRange::SevenBit {
        ec.warn(&format!("historical binary regexp match /.../n against {} string", encoding.name()))?;
    }
    Ok(encoding)
}

fn incompatible(ec: &mut Ec, own: EncodingIndex, encoding: EncodingIndex) -> Unwind {
    let (own, encoding) = (own.inspect_name(), encoding.inspect_name());
    ec.error(
        ec.vm().known().compatibility_error,
        &format!("incompatible encoding regexp match ({own} regexp with {encoding} string)"),
    )
}

/// The frozen copy that a MatchData of a string refers to.
pub(super) fn frozen_copy(ec: &mut Ec, s: Str) -> Str {
    s.snapshot(ec)
}

/// Groups of a match of a Regexp that was used once.
struct Found {
    regexp: Data<Regexp>,
    region: Region,
}

impl Found {
    /// A MatchData of the match.
    fn match_data(&self, ec: &mut Ec, s: Str) -> Result<Value> {
        let (pattern, copy) = (object::pattern_of(ec, self.regexp)?, frozen_copy(ec, s));
        Ok(MatchData::create(ec, copy, self.regexp.value(), Some(pattern), Spans::of_region(&self.region)))
    }

    fn whole(&self) -> (usize, usize) {
        self.region.pos(0).unwrap_or((0, 0))
    }
}

/// One search. A simple pattern needs no searcher, which costs more than most of its searches.
fn once(ec: &mut Ec, regexp: Data<Regexp>, s: Str, what: Attempt) -> Result<Option<Found>> {
    let mut region = Region::new();
    match once_simply(ec, regexp, s, what, &mut region) {
        Answer::Found => return Ok(Some(Found { regexp, region })),
        Answer::Missing => return Ok(None),
        Answer::GaveUp | Answer::Unknown => {}
    }
    let mut searcher = Searcher::new(ec, regexp, s)?;
    let found = match what {
        Attempt::Forwards(start) => searcher.search(ec, s, start),
        Attempt::Backwards(start) => searcher.search_backwards(ec, s, start),
        Attempt::At(start) => searcher.match_at(ec, s, start),
    }?;
    Ok(found.map(|_| Found { regexp, region: searcher.region }))
}

/// Gives up wherever there is anything to be warned of, to fail or to take long.
fn once_simply(ec: &Ec, regexp: Data<Regexp>, s: Str, what: Attempt, region: &mut Region) -> Answer {
    match simple_pattern(ec, regexp, s) {
        Some(simple) => try_simply(simple, s.bytes(ec), what, region, &mut Stack::default(), Effort::Brief),
        None => Answer::Unknown,
    }
}

/// The pattern as it is matched with the string without the engine, if both allow.
pub(super) fn simple_pattern(ec: &Ec, regexp: Data<Regexp>, s: Str) -> Option<&SimpleRegexp> {
    let Some(Ok(pattern)) = &regexp.get(ec).pattern else { return None };
    let encoding = s.encoding();
    let is_binary = pattern.options & NO_ENCODING != 0 && encoding == EncodingIndex::BINARY;
    let is_compatible =
        is_binary || pattern.encoding == encoding || pattern.options & (FIXED_ENCODING | NO_ENCODING) == 0;
    pattern.simple_for(encoding).filter(|simple| is_compatible && simple.suits(encoding, s.range(ec)))
}

pub(super) fn try_simply(
    simple: &SimpleRegexp,
    bytes: &[u8],
    what: Attempt,
    region: &mut Region,
    stack: &mut Stack,
    effort: Effort<'_>,
) -> Answer {
    let [begins, ends] = region.make_room(simple.group_count());
    let mut groups = Groups { begins, ends };
    match what {
        // An interrupt may have changed the string.
        Attempt::Forwards(start) | Attempt::Backwards(start) | Attempt::At(start) if start > bytes.len() => {
            Answer::Missing
        }
        Attempt::Forwards(start) => simple.search(bytes, start, &mut groups, stack, effort),
        Attempt::Backwards(start) => simple.search_back(bytes, start, &mut groups, stack, effort),
        Attempt::At(start) => simple.match_at(bytes, start, &mut groups, stack, effort),
    }
}

/// Sets `$~` to a match, or to nil, if the calling code can see it.
fn publish(ec: &mut Ec, s: Str, found: Option<&Found>) -> Result<()> {
    if ec.wants_last_match() {
        let value = found.map_or(Ok(Value::NIL), |found| found.match_data(ec, s))?;
        ec.set_last_match(value);
    }
    Ok(())
}

fn direction(start: usize, backwards: bool) -> Attempt {
    if backwards { Attempt::Backwards(start) } else { Attempt::Forwards(start) }
}

/// Searches and sets `$~`; the groups.
pub(super) fn search(
    ec: &mut Ec,
    regexp: Data<Regexp>,
    s: Str,
    start: usize,
    backwards: bool,
) -> Result<Option<Spans>> {
    let found = once(ec, regexp, s, direction(start, backwards))?;
    publish(ec, s, found.as_ref())?;
    Ok(found.map(|found| Spans::of_region(&found.region)))
}

/// Searches and sets `$~`; where the match begins.
pub(super) fn position(
    ec: &mut Ec,
    regexp: Data<Regexp>,
    s: Str,
    start: usize,
    backwards: bool,
) -> Result<Option<usize>> {
    let found = once(ec, regexp, s, direction(start, backwards))?;
    publish(ec, s, found.as_ref())?;
    Ok(found.map(|found| found.whole().0))
}

/// Searches, sets `$~` and returns the MatchData.
pub(super) fn match_data(
    ec: &mut Ec,
    regexp: Data<Regexp>,
    s: Str,
    start: usize,
    backwards: bool,
) -> Result<Option<Value>> {
    let found = once(ec, regexp, s, direction(start, backwards))?;
    let value = found.map(|found| found.match_data(ec, s)).transpose()?;
    ec.set_last_match(value.unwrap_or(Value::NIL));
    Ok(value)
}

/// Whether there is a match, without a trace of it.
pub(super) fn is_match(ec: &mut Ec, regexp: Data<Regexp>, s: Str, start: usize) -> Result<bool> {
    Ok(once(ec, regexp, s, Attempt::Forwards(start))?.is_some())
}

/// A match at the very start: where it ends. Sets `$~`.
pub(super) fn match_at_start(ec: &mut Ec, regexp: Data<Regexp>, s: Str) -> Result<Option<usize>> {
    let found = once(ec, regexp, s, Attempt::At(0))?;
    publish(ec, s, found.as_ref())?;
    Ok(found.map(|found| found.whole().1))
}
