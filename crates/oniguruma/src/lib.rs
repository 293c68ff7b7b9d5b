//! Oniguruma, called directly: the `onig` crate lets one thread at a time compile, so that a pattern that nobody waits for
//! any more would hold up all others, and limits backtracking for each position of a search but not for all of them.
//!
//! # Memory
//! A search with the retries that a process starts with gets no memory from the engine but for its stack.
//!
//! # Threads
//! The library has mutable statics for what the whole process is set to. They are set once, before the first pattern is
//! compiled. The encodings' own initialisers only name callouts, which no pattern of Ruby's has.

mod absent;
mod letters;

use carat_text::encoding::{EncodingIndex, Kind};
use carat_text::letters::{FAMILIES, family};
use onig::MatchParam;
use onig_sys::{
    ONIG_SYN_OP2_ASTERISK_CALLOUT_NAME, OnigEncoding, OnigErrorInfo, OnigRegex, OnigRegion, OnigSyntaxType,
};
use std::ptr::{NonNull, null_mut};
use std::sync::OnceLock;

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
    /// A single-byte encoding with letters of its own, by the number of its family.
    Letters(u8),
    Utf16Be,
    Utf16Le,
    Utf32Be,
    Utf32Le,
}

/// Those that one pattern may meet, but for single-byte encodings: of the encodings that contain ASCII.
const COMMON: [Engine; 8] = [
    Engine::Bytes,
    Engine::Utf8,
    Engine::EucJp,
    Engine::ShiftJis,
    Engine::EucKr,
    Engine::EucTw,
    Engine::Big5,
    Engine::Gb18030,
];

const WIDE: [Engine; 4] = [Engine::Utf16Be, Engine::Utf16Le, Engine::Utf32Be, Engine::Utf32Le];

/// Number of [`Engine`]s that one pattern may meet.
pub const ENGINES: usize = COMMON.len() + FAMILIES.len();

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
            Kind::SingleByte => family(encoding).map_or(Engine::Bytes, |family| Engine::Letters(family as u8)),
            _ => Engine::Bytes,
        }
    }

    /// All of them.
    fn all() -> impl Iterator<Item = Engine> {
        let single_bytes = (0..FAMILIES.len()).map(|family| Engine::Letters(family as u8));
        COMMON.into_iter().chain(single_bytes).chain(WIDE)
    }

    /// Its number among those that a pattern may meet, below [`ENGINES`]: [`Engine::Bytes`] and [`Engine::Utf8`] first, and those with
    /// units of several bytes in the place of the first.
    pub fn number(self) -> usize {
        match self {
            Engine::Letters(family) => COMMON.len() + usize::from(family),
            other => COMMON.iter().position(|engine| *engine == other).unwrap_or(0),
        }
    }

    /// Whether characters beyond ASCII have other classes than Unicode's.
    pub fn has_own_classes(self) -> bool {
        !matches!(self, Engine::Bytes | Engine::Utf8) && !self.is_wide()
    }

    /// Of an encoding with units of several bytes: such a pattern meets no other.
    pub fn is_wide(self) -> bool {
        WIDE.contains(&self)
    }

    /// ASCII in the engine's encoding.
    fn spell(self, ascii: &str) -> Vec<u8> {
        let unit = |byte: u8| match self {
            Engine::Utf16Be => vec![0, byte],
            Engine::Utf16Le => vec![byte, 0],
            Engine::Utf32Be => vec![0, 0, 0, byte],
            Engine::Utf32Le => vec![byte, 0, 0, 0],
            _ => vec![byte],
        };
        ascii.bytes().flat_map(unit).collect()
    }

    fn raw(self) -> OnigEncoding {
        match self {
            Engine::Bytes => &raw mut onig_sys::OnigEncodingASCII,
            Engine::Utf8 => &raw mut onig_sys::OnigEncodingUTF8,
            Engine::EucJp => letters::euc_jp(),
            Engine::ShiftJis => letters::shift_jis(),
            Engine::EucKr => &raw mut onig_sys::OnigEncodingEUC_KR,
            Engine::EucTw => &raw mut onig_sys::OnigEncodingEUC_TW,
            Engine::Big5 => &raw mut onig_sys::OnigEncodingBIG5,
            Engine::Gb18030 => &raw mut onig_sys::OnigEncodingGB18030,
            Engine::Letters(family) => letters::of_single_bytes(family.into()),
            Engine::Utf16Be => &raw mut onig_sys::OnigEncodingUTF16_BE,
            Engine::Utf16Le => &raw mut onig_sys::OnigEncodingUTF16_LE,
            Engine::Utf32Be => &raw mut onig_sys::OnigEncodingUTF32_BE,
            Engine::Utf32Le => &raw mut onig_sys::OnigEncodingUTF32_LE,
        }
    }
}

/// Where the groups of a match begin and end, the whole match first; -1 for one that took no part.
///
/// The engine would get memory for every search; it writes into the arrays here instead, which are never too short.
#[derive(Clone)]
pub struct Region {
    len: usize,
    few: [[i32; LEAST]; 2],
    many: [Vec<i32>; 2],
}

/// `ONIG_NREGION`: with less the engine gets memory of its own.
const LEAST: usize = 10;

impl Region {
    pub fn new() -> Region {
        Region { len: 0, few: [[-1; LEAST]; 2], many: [Vec::new(), Vec::new()] }
    }

    /// Beginnings and ends of so many groups, to be written.
    pub fn make_room(&mut self, len: usize) -> [&mut [i32]; 2] {
        self.len = len;
        let Region { few: [begins, ends], many: [more_begins, more_ends], .. } = self;
        if len <= LEAST {
            return [&mut begins[..len], &mut ends[..len]];
        }
        more_begins.resize(len, -1);
        more_ends.resize(len, -1);
        [more_begins, more_ends]
    }

    /// Number of groups, the whole match included.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Before the first search there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// Start and end of a group that took part.
    pub fn pos(&self, group: usize) -> Option<(usize, usize)> {
        if group >= self.len {
            return None;
        }
        let [begins, ends] = if self.len <= LEAST {
            [&self.few[0][..], &self.few[1][..]]
        } else {
            [&self.many[0][..], &self.many[1][..]]
        };
        Some((usize::try_from(begins[group]).ok()?, usize::try_from(ends[group]).ok()?))
    }

    /// Bytes beside the region itself.
    pub fn heap_bytes(&self) -> usize {
        self.many.iter().map(|part| part.capacity() * size_of::<i32>()).sum()
    }

    /// As the engine has it, for one call.
    fn raw(&mut self, len: usize) -> OnigRegion {
        self.make_room(len);
        let capacity = len.max(LEAST) as i32;
        let [begins, ends] = if len <= LEAST {
            self.few.each_mut().map(|part| part.as_mut_ptr())
        } else {
            self.many.each_mut().map(Vec::as_mut_ptr)
        };
        OnigRegion { allocated: capacity, num_regs: capacity, beg: begins, end: ends, history_root: null_mut() }
    }
}

impl Default for Region {
    fn default() -> Region {
        Region::new()
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

/// Ruby's, and callouts. It is read as long as a pattern lives.
static SYNTAX: OnceLock<OnigSyntaxType> = OnceLock::new();

/// How often a search may backtrack that was given no parameters: some milliseconds.
pub const FIRST_RETRIES: u32 = 400_000;

fn syntax() -> &'static OnigSyntaxType {
    SYNTAX.get_or_init(|| {
        // SAFETY: no encodings are given; other threads wait. Nobody writes to the engine's own syntaxes.
        let ruby = unsafe {
            onig_sys::onig_initialize(null_mut(), 0);
            onig_sys::onig_set_retry_limit_in_match(FIRST_RETRIES.into());
            onig_sys::onig_set_retry_limit_in_search(FIRST_RETRIES.into());
            absent::register();
            (&raw const onig_sys::OnigSyntaxRuby).read()
        };
        OnigSyntaxType { op2: ruby.op2 | ONIG_SYN_OP2_ASTERISK_CALLOUT_NAME, ..ruby }
    })
}

impl Regex {
    /// Compiles a pattern of Ruby's syntax, in which `(*` begins a callout. `options` are the engine's.
    pub fn compile(pattern: &[u8], options: u32, engine: Engine) -> Result<Regex, RegexError> {
        let mut raw: OnigRegex = null_mut();
        let mut info = OnigErrorInfo { enc: null_mut(), par: null_mut(), par_end: null_mut() };
        let bounds = pattern.as_ptr_range();
        // SAFETY: the pattern lives through the call, the syntax forever, and the engine only reads it; the results are ours.
        let code = unsafe {
            onig_sys::onig_new(
                &raw mut raw,
                bounds.start,
                bounds.end,
                options,
                engine.raw(),
                std::ptr::from_ref(syntax()).cast_mut(),
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
        let (start, range) = ((&raw const bytes[start..]).cast(), (&raw const bytes[range..]).cast());
        let (pattern, mut region) = (self.raw.as_ptr(), region.raw(self.group_count()));
        let region = &raw mut region;
        // SAFETY: all pointers are within the bytes or just behind them; the region's arrays are as long as it says and
        // long enough for the pattern, so that the engine replaces neither. Everything lives through the call.
        let found = unsafe {
            match &limits {
                None => onig_sys::onig_search(pattern, text.start, text.end, start, range, region, 0),
                Some(limits) => onig_sys::onig_search_with_param(
                    pattern,
                    text.start,
                    text.end,
                    start,
                    range,
                    region,
                    0,
                    limits.as_raw(),
                ),
            }
        };
        answer(found)
    }

    /// Whether a match begins exactly at `at`.
    pub fn match_at(&self, bytes: &[u8], at: usize, region: &mut Region, retries: u32) -> Result<bool, RegexError> {
        let (text, limits) = (bytes.as_ptr_range(), limited(retries));
        let at = (&raw const bytes[at..]).cast();
        let (pattern, mut region) = (self.raw.as_ptr(), region.raw(self.group_count()));
        let region = &raw mut region;
        // SAFETY: as in `search`.
        let found = unsafe {
            match &limits {
                None => onig_sys::onig_match(pattern, text.start, text.end, at, region, 0),
                Some(limits) => {
                    onig_sys::onig_match_with_param(pattern, text.start, text.end, at, region, 0, limits.as_raw())
                }
            }
        };
        answer(found)
    }

    /// Number of groups, the whole match included.
    fn group_count(&self) -> usize {
        // SAFETY: the pattern lives.
        let groups = unsafe { onig_sys::onig_number_of_captures(self.raw.as_ptr()) };
        usize::try_from(groups).unwrap_or(0) + 1
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

/// Parameters of one attempt, for which the engine gets memory; none are needed for the first retries. Zero retries mean
/// no limit.
fn limited(retries: u32) -> Option<MatchParam> {
    if retries == FIRST_RETRIES {
        return None;
    }
    let mut parameters = MatchParam::default();
    parameters.set_retry_limit_in_match(retries);
    // SAFETY: the pointer is what the parameters own. The function stores the number there.
    unsafe { onig_sys::onig_set_retry_limit_in_search_of_match_param(parameters.as_raw(), retries.into()) };
    Some(parameters)
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
