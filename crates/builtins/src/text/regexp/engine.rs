//! The edge to Oniguruma: compiled programs and one attempt to match.
//!
//! A pattern is compiled once for each of the engine's encodings that it meets. The engine's own encodings are chosen here
//! by the structure of a Ruby encoding ([`Engine::of`]); those that the engine does not have run as single bytes.
//!
//! # References
//! Oniguruma `doc/API`.

use carat_oniguruma::{Engine, Regex, RegexError, Region};
use onig::RegexOptions;

/// A pattern compiled for one engine encoding.
pub(crate) struct Program(Regex);

/// Why an attempt ended without an answer.
pub(crate) enum Stop {
    /// The engine backtracked more often than it was allowed to.
    RetryLimit,
    Failed(String),
}

/// `ONIGERR_RETRY_LIMIT_IN_MATCH_OVER` and `ONIGERR_RETRY_LIMIT_IN_SEARCH_OVER`.
const RETRY_LIMITS: [i32; 2] = [-17, -18];

impl Program {
    /// Compiles text in the engine's syntax; the engine's message if it refuses.
    pub(crate) fn compile(pattern: &[u8], options: u8, engine: Engine) -> Result<Program, String> {
        let mut flags = RegexOptions::REGEX_OPTION_NONE;
        flags.set(RegexOptions::REGEX_OPTION_IGNORECASE, options & super::IGNORE_CASE != 0);
        flags.set(RegexOptions::REGEX_OPTION_EXTEND, options & super::EXTENDED != 0);
        flags.set(RegexOptions::REGEX_OPTION_MULTILINE, options & super::MULTI_LINE != 0);
        let compiled = on_enough_stack(pattern, || Regex::compile(pattern, flags.bits(), engine));
        match compiled {
            Some(Ok(regex)) => Ok(Program(regex)),
            Some(Err(error)) => Err(error.message),
            None => Err("too deep nest level".into()),
        }
    }

    /// Looks for the first match that starts at `start` or behind it. Whether there is one.
    pub(crate) fn search(&self, bytes: &[u8], start: usize, region: &mut Region, retries: u32) -> Result<bool, Stop> {
        self.0.search(bytes, start, bytes.len(), region, retries).map_err(stop)
    }

    /// Looks for the last match that starts at `start` or before it, and does not go beyond the character there: no match
    /// goes beyond the higher of the engine's two bounds.
    pub(crate) fn search_backwards(
        &self,
        bytes: &[u8],
        start: usize,
        region: &mut Region,
        retries: u32,
    ) -> Result<bool, Stop> {
        self.0.search(bytes, start, 0, region, retries).map_err(stop)
    }

    /// Whether a match starts exactly at `at`.
    pub(crate) fn match_at(&self, bytes: &[u8], at: usize, region: &mut Region, retries: u32) -> Result<bool, Stop> {
        self.0.match_at(bytes, at, region, retries).map_err(stop)
    }
}

fn stop(error: RegexError) -> Stop {
    if RETRY_LIMITS.contains(&error.code) { Stop::RetryLimit } else { Stop::Failed(error.message) }
}

/// The engine's compiler recurses by a level for a group. A fiber's stack does for this many.
const FEW_GROUPS: usize = 64;
const ENOUGH_STACK: usize = 256 << 20;

/// Runs the engine's compiler, on a thread of its own for patterns that may be nested deeply; `None` without such a thread.
fn on_enough_stack<R: Send>(pattern: &[u8], compile: impl FnOnce() -> R + Send) -> Option<R> {
    if pattern.iter().filter(|b| matches!(b, b'(' | b'[')).count() <= FEW_GROUPS {
        return Some(compile());
    }
    carat_os::thread::on_stack("regexp", ENOUGH_STACK, compile)
}
