//! Oniguruma, called directly: the `onig` crate lets one thread at a time compile, so that a pattern that nobody waits for
//! any more would hold up all others, and limits backtracking for each position of a search but not for all of them.
//!
//! # Threads
//! The library has mutable statics for what the whole process is set to. They are set once, before the first pattern is
//! compiled. The encodings' own initialisers only name callouts, which Ruby's syntax does not have.

use carat_text::encoding::{EncodingIndex, Kind};
use onig::{MatchParam, Region, Syntax};
use onig_sys::{OnigEncoding, OnigErrorInfo, OnigRegex};
use std::ptr::{NonNull, null_mut};
use std::sync::Once;

/// One of the engine's encodings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Engine {
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
pub const ENGINES: usize = Engine::Cp1251 as usize + 1;

impl Engine {
    /// The one that strings of an encoding are searched in.
    pub fn of(encoding: EncodingIndex) -> Engine {
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
    pub fn is_wide(self) -> bool {
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

    fn raw(self) -> OnigEncoding {
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

/// A compiled pattern.
pub struct Regex {
    raw: NonNull<onig_sys::re_pattern_buffer>,
}

// SAFETY: matching only reads the pattern, what it writes is the region and a stack of its own; any thread may free it.
unsafe impl Send for Regex {}
// SAFETY: as above.
unsafe impl Sync for Regex {}

/// The engine's number of an error and its words.
#[derive(Debug)]
pub struct RegexError {
    pub code: i32,
    pub message: String,
}

static INITIALIZED: Once = Once::new();

fn initialize() {
    INITIALIZED.call_once(|| {
        // SAFETY: no encodings are given; `Once` keeps other threads waiting.
        unsafe { onig_sys::onig_initialize(null_mut(), 0) };
    });
}

impl Regex {
    /// Compiles a pattern of Ruby's syntax. `options` are the engine's.
    pub fn compile(pattern: &[u8], options: u32, engine: Engine) -> Result<Regex, RegexError> {
        initialize();
        let mut raw: OnigRegex = null_mut();
        let mut info = OnigErrorInfo { enc: null_mut(), par: null_mut(), par_end: null_mut() };
        let bounds = pattern.as_ptr_range();
        // The engine reads the syntax only, for as long as the pattern lives: it is static.
        let syntax: *const Syntax = Syntax::ruby();
        // SAFETY: pattern and syntax live through the call, the results are ours, and `Syntax` is transparent.
        let code = unsafe {
            onig_sys::onig_new(
                &raw mut raw,
                bounds.start,
                bounds.end,
                options,
                engine.raw(),
                syntax.cast_mut().cast(),
                &raw mut info,
            )
        };
        match NonNull::new(raw) {
            Some(raw) if code == 0 => Ok(Regex { raw }),
            _ => Err(RegexError::new(code, Some(&info))),
        }
    }

    /// The first match that begins from `start` on, or the last one that begins before it where `range` is lower. Whether
    /// there is one.
    pub fn search(
        &self,
        bytes: &[u8],
        start: usize,
        range: usize,
        region: &mut Region,
        retries: u32,
    ) -> Result<bool, RegexError> {
        let (text, limits) = (bytes.as_ptr_range(), limited(retries));
        let (start, range) = (&raw const bytes[start..], &raw const bytes[range..]);
        // SAFETY: all pointers are within the bytes or just behind them, `Region` is transparent, and pattern, region and
        // parameters live through the call.
        let found = unsafe {
            onig_sys::onig_search_with_param(
                self.raw.as_ptr(),
                text.start,
                text.end,
                start.cast(),
                range.cast(),
                (&raw mut *region).cast(),
                0,
                limits.as_raw(),
            )
        };
        answer(found)
    }

    /// Whether a match begins exactly at `at`.
    pub fn match_at(&self, bytes: &[u8], at: usize, region: &mut Region, retries: u32) -> Result<bool, RegexError> {
        let (text, limits) = (bytes.as_ptr_range(), limited(retries));
        let at = &raw const bytes[at..];
        // SAFETY: as in `search`.
        let found = unsafe {
            onig_sys::onig_match_with_param(
                self.raw.as_ptr(),
                text.start,
                text.end,
                at.cast(),
                (&raw mut *region).cast(),
                0,
                limits.as_raw(),
            )
        };
        answer(found)
    }
}

impl Drop for Regex {
    fn drop(&mut self) {
        // SAFETY: the engine made it, and nobody else has it.
        unsafe { onig_sys::onig_free(self.raw.as_ptr()) };
    }
}

fn answer(found: i32) -> Result<bool, RegexError> {
    match found {
        onig_sys::ONIG_MISMATCH => Ok(false),
        0.. => Ok(true),
        code => Err(RegexError::new(code, None)),
    }
}

/// Parameters of one attempt; zero retries mean no limit.
fn limited(retries: u32) -> MatchParam {
    let mut parameters = MatchParam::default();
    parameters.set_retry_limit_in_match(retries);
    // SAFETY: the pointer is what the parameters own. The function stores the number there.
    unsafe { onig_sys::onig_set_retry_limit_in_search_of_match_param(parameters.as_raw(), retries.into()) };
    parameters
}

impl RegexError {
    fn new(code: i32, info: Option<&OnigErrorInfo>) -> RegexError {
        let mut text = [0; onig_sys::ONIG_MAX_ERROR_MESSAGE_LEN as usize];
        let info: *const OnigErrorInfo = info.map_or(std::ptr::null(), std::ptr::from_ref);
        // SAFETY: the buffer is as large as the engine's messages become; `info` is null or what `onig_new` filled.
        let len = unsafe { onig_sys::onig_error_code_to_str(text.as_mut_ptr(), code, info) };
        let len = usize::try_from(len).unwrap_or(0).min(text.len());
        RegexError { code, message: String::from_utf8_lossy(&text[..len]).into_owned() }
    }
}
