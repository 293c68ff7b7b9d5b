//! The edge to Oniguruma: compiled programs and one attempt to match.
//!
//! A pattern is compiled once for each of the engine's encodings that it meets. The engine's own encodings are chosen here
//! by the structure of a Ruby encoding; those that the engine does not have run as single bytes.
//!
//! # References
//! Oniguruma `doc/API`.

use carat_text::encoding::{EncodingIndex, Kind};
use carat_vm::{Regex, RegexError};
use onig::{RegexOptions, Region};
use onig_sys::OnigEncoding;

/// One of the engine's encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Engine {
    Bytes,
    Utf8,
    EucJp,
    ShiftJis,
    EucKr,
    EucTw,
    Big5,
    Gb18030,
    Latin1,
    Koi8R,
    Cp1251,
    Utf16Be,
    Utf16Le,
    Utf32Be,
    Utf32Le,
}

/// Number of [`Engine`]s that one pattern may meet: those of the encodings that contain ASCII.
pub(crate) const ENGINES: usize = Engine::Cp1251 as usize + 1;

impl Engine {
    pub(crate) fn of(encoding: EncodingIndex) -> Engine {
        match encoding.kind() {
            Kind::Utf8 | Kind::Cesu8 => Engine::Utf8,
            Kind::EucJp => Engine::EucJp,
            Kind::ShiftJis => Engine::ShiftJis,
            Kind::EucKr => Engine::EucKr,
            Kind::EucTw => Engine::EucTw,
            Kind::Big5 => Engine::Big5,
            // The engine knows nothing nearer to CP949: leads and trails of both reach as far.
            Kind::Gbk | Kind::Gb18030 | Kind::Cp949 => Engine::Gb18030,
            Kind::Utf16Be => Engine::Utf16Be,
            Kind::Utf16Le => Engine::Utf16Le,
            Kind::Utf32Be => Engine::Utf32Be,
            Kind::Utf32Le => Engine::Utf32Le,
            Kind::SingleByte => Engine::of_single_byte(encoding.name()),
            _ => Engine::Bytes,
        }
    }

    /// Of an encoding with units of several bytes: such a pattern meets no other.
    pub(crate) fn is_wide(self) -> bool {
        matches!(self, Engine::Utf16Be | Engine::Utf16Le | Engine::Utf32Be | Engine::Utf32Le)
    }

    fn of_single_byte(name: &str) -> Engine {
        match name {
            "ISO-8859-1" => Engine::Latin1,
            "KOI8-R" => Engine::Koi8R,
            "Windows-1251" => Engine::Cp1251,
            _ => Engine::Bytes,
        }
    }

    fn onig(self) -> OnigEncoding {
        match self {
            Engine::Bytes => &raw mut onig_sys::OnigEncodingASCII,
            Engine::Utf8 => &raw mut onig_sys::OnigEncodingUTF8,
            Engine::EucJp => &raw mut onig_sys::OnigEncodingEUC_JP,
            Engine::ShiftJis => &raw mut onig_sys::OnigEncodingSJIS,
            Engine::EucKr => &raw mut onig_sys::OnigEncodingEUC_KR,
            Engine::EucTw => &raw mut onig_sys::OnigEncodingEUC_TW,
            Engine::Big5 => &raw mut onig_sys::OnigEncodingBIG5,
            Engine::Gb18030 => &raw mut onig_sys::OnigEncodingGB18030,
            Engine::Latin1 => &raw mut onig_sys::OnigEncodingISO_8859_1,
            Engine::Koi8R => &raw mut onig_sys::OnigEncodingKOI8_R,
            Engine::Cp1251 => &raw mut onig_sys::OnigEncodingCP1251,
            Engine::Utf16Be => &raw mut onig_sys::OnigEncodingUTF16_BE,
            Engine::Utf16Le => &raw mut onig_sys::OnigEncodingUTF16_LE,
            Engine::Utf32Be => &raw mut onig_sys::OnigEncodingUTF32_BE,
            Engine::Utf32Le => &raw mut onig_sys::OnigEncodingUTF32_LE,
        }
    }
}

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
        let compiled = on_enough_stack(pattern, || Regex::compile(pattern, flags.bits(), engine.onig()));
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
    std::thread::scope(|scope| {
        let builder = std::thread::Builder::new().name("regexp".into()).stack_size(ENOUGH_STACK);
        builder.spawn_scoped(scope, compile).ok()?.join().ok()
    })
}
