//! Compiled patterns, shared by all Regexp objects of the same source.

use super::engine::Program;
use super::translate::{JOINERS, Spelling, translate, translate_with};
use super::warnings::{Warning, warnings};
use super::{EXTENDED, FIXED_ENCODING, IGNORE_CASE, MULTI_LINE, NO_ENCODING};
use carat_oniguruma::{ENGINES, Engine};
use carat_sync::{Mutex, OnceLock};
use carat_text::encoding::{EncodingIndex, Kind};
use carat_text::simple_regexp::{self, SimpleRegexp};
use carat_text::text::Text;
use carat_text::transcode;
use carat_vm::{Ec, Str};
use rustc_hash::FxHashMap;
use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

/// `Regexp.timeout`: the bits of the seconds, zero for none.
#[derive(Default)]
pub(crate) struct GlobalTimeout(AtomicU64);

impl GlobalTimeout {
    pub(crate) fn get(&self) -> Option<f64> {
        let bits = self.0.load(Ordering::Relaxed);
        (bits != 0).then(|| f64::from_bits(bits))
    }

    pub(crate) fn set(&self, seconds: Option<f64>) {
        self.0.store(seconds.map_or(0, f64::to_bits), Ordering::Relaxed);
    }
}

/// A program once it was made, or the engine's message.
type Made = OnceLock<Result<Program, String>>;

/// A pattern that was read; programs are made when a string of their encoding comes.
pub(crate) struct Pattern {
    pub(crate) source: Box<[u8]>,
    /// As `Regexp#options` tells, with the encoding flags.
    pub(crate) options: u8,
    pub(crate) encoding: EncodingIndex,
    pub(crate) names: Vec<(Box<[u8]>, Vec<u32>)>,
    is_nonlinear: bool,
    pub(crate) uses_search_start: bool,
    has_boundary: bool,
    pub(crate) timeout: Arc<GlobalTimeout>,
    translated: Box<[u8]>,
    /// The encoding that the source was read as.
    read_as: EncodingIndex,
    programs: [Made; COMMON],
    /// Those that few programs need.
    others: OnceLock<Box<[Made; EDITIONS - COMMON]>>,
    simple: OnceLock<Option<Box<SimpleRegexp>>>,
    /// The same for binary strings.
    simple_for_bytes: OnceLock<Option<Box<SimpleRegexp>>>,
    pub(crate) warnings: Box<[Warning]>,
}

/// One of the programs that a pattern may have: for an engine, and for text where words may have characters that join others.
#[derive(Clone, Copy)]
pub(crate) struct Edition {
    engine: Engine,
    joins_words: bool,
}

/// Those of UTF-8 are two.
const EDITIONS: usize = ENGINES + 1;
/// Bytes and UTF-8, whose programs come first.
const COMMON: usize = 3;

impl Edition {
    /// A pattern of UTF-16 or UTF-32 meets strings of its encoding alone.
    fn place(self) -> usize {
        match self {
            Edition { engine: Engine::Utf8, joins_words: true } => COMMON - 1,
            Edition { engine: engine @ (Engine::Bytes | Engine::Utf8), .. } => engine.number(),
            Edition { engine, .. } if engine.is_wide() => 0,
            Edition { engine, .. } => engine.number() + 1,
        }
    }
}

impl Pattern {
    /// Bytes, but for what the engine's programs take.
    pub(crate) fn memsize(&self) -> usize {
        let memsize = |made: &OnceLock<Option<Box<SimpleRegexp>>>| {
            made.get().and_then(Option::as_ref).map_or(0, |simple| simple.memsize())
        };
        let simple = memsize(&self.simple) + memsize(&self.simple_for_bytes);
        let others = self.others.get().map_or(0, |others| size_of_val(&**others));
        size_of::<Pattern>() + self.source.len() + self.translated.len() + simple + others
    }

    /// Reads a source; the message of a `RegexpError` if it is wrong.
    pub(super) fn read(
        source: &[u8],
        options: u8,
        encoding: EncodingIndex,
        timeout: Arc<GlobalTimeout>,
    ) -> Result<Pattern, String> {
        if Engine::of(encoding).is_wide() {
            return Pattern::read_wide(source, options, encoding, timeout);
        }
        // What `/…/n` writes in ASCII may still have escapes of bytes.
        let read_as = if options & NO_ENCODING != 0 && source.is_ascii() { EncodingIndex::US_ASCII } else { encoding };
        let translation = translate(source, options, read_as)?;
        // Whatever is not ASCII fixes the encoding, in the name of a group too.
        let fixed = translation.fixed.or_else(|| (!source.is_ascii()).then_some(read_as));
        let (options, encoding) = resolve_encoding(options, encoding, fixed)?;
        Ok(Pattern {
            source: source.into(),
            options,
            encoding,
            names: translation.names,
            is_nonlinear: translation.is_nonlinear,
            uses_search_start: translation.uses_search_start,
            has_boundary: translation.has_boundary,
            timeout,
            translated: translation.text.into(),
            read_as,
            programs: [const { OnceLock::new() }; COMMON],
            others: OnceLock::new(),
            simple: OnceLock::new(),
            simple_for_bytes: OnceLock::new(),
            warnings: warnings(source, options, encoding).into(),
        })
    }

    /// Reads a source in UTF-16 or UTF-32, by way of UTF-8.
    fn read_wide(
        source: &[u8],
        options: u8,
        encoding: EncodingIndex,
        timeout: Arc<GlobalTimeout>,
    ) -> Result<Pattern, String> {
        let text = recoded(source, encoding, EncodingIndex::UTF_8).ok_or("invalid multibyte character")?;
        let mut pattern = Pattern::read(&text, options, EncodingIndex::UTF_8, timeout)?;
        for (name, _) in &mut pattern.names {
            *name = recoded(name, EncodingIndex::UTF_8, encoding).unwrap_or_default().into();
        }
        Ok(Pattern { source: source.into(), options: pattern.options | FIXED_ENCODING, encoding, ..pattern })
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.options & FIXED_ENCODING != 0
    }

    /// The pattern as it is matched without the engine, if it is simple.
    pub(crate) fn simple(&self) -> Option<&SimpleRegexp> {
        self.simple.get_or_init(|| self.read_simple(false).map(Box::new)).as_ref().map(|simple| &**simple)
    }

    /// As it is matched so with strings of an encoding.
    pub(crate) fn simple_for(&self, encoding: EncodingIndex) -> Option<&SimpleRegexp> {
        if encoding != EncodingIndex::BINARY {
            return self.simple();
        }
        self.simple_for_bytes.get_or_init(|| self.read_simple(true).map(Box::new)).as_ref().map(|simple| &**simple)
    }

    fn read_simple(&self, is_for_bytes: bool) -> Option<SimpleRegexp> {
        let source = self.simple_source()?;
        if !is_for_bytes && self.may_fold_bytes() {
            return None;
        }
        if is_for_bytes && !self.source.is_ascii() && self.encoding != EncodingIndex::BINARY {
            return None;
        }
        let options = simple_regexp::Options {
            ignores_case: self.options & IGNORE_CASE != 0,
            is_multiline: self.options & MULTI_LINE != 0,
            is_extended: self.options & EXTENDED != 0,
            is_for_ascii: !is_for_bytes && self.is_fixed() && self.has_single_bytes(),
            is_for_bytes,
            has_names: self.has_names(),
        };
        SimpleRegexp::read(&source, options)
    }

    /// The source in UTF-8. The bytes of other encodings beyond ASCII become some characters, none of which is found in ASCII.
    fn simple_source(&self) -> Option<Cow<'_, [u8]>> {
        if self.encoding.min_len() > 1 {
            return None;
        }
        if self.source.is_ascii() || (self.encoding.is_utf8() && std::str::from_utf8(&self.source).is_ok()) {
            return Some(Cow::Borrowed(&self.source));
        }
        let text = || self.source.iter().map(|byte| char::from(*byte)).collect::<String>();
        (self.is_fixed() && self.has_single_bytes()).then(|| Cow::Owned(text().into_bytes()))
    }

    /// Whether bytes beyond ASCII may be found as letters of ASCII: `\xDF` as `ss`, a capital I with a dot as `i`.
    fn may_fold_bytes(&self) -> bool {
        let sets_options = |part: &[u8]| part.starts_with(b"(?") && part[2].is_ascii_alphabetic();
        let ignores_case = || self.options & IGNORE_CASE != 0 || self.source.windows(3).any(sets_options);
        self.is_fixed() && matches!(Engine::of(self.encoding), Engine::Letters(_)) && ignores_case()
    }

    fn has_single_bytes(&self) -> bool {
        self.encoding == EncodingIndex::BINARY || self.encoding.kind() == Kind::SingleByte
    }

    /// Which program goes with strings of an encoding, of ASCII or beyond.
    pub(crate) fn edition(&self, encoding: EncodingIndex, is_ascii: bool) -> Edition {
        let engine = Engine::of(encoding);
        let has_joiners = engine == Engine::Utf8 && !is_ascii || engine.is_wide();
        Edition { engine, joins_words: self.has_boundary && has_joiners }
    }

    /// The one that tells whether the engine takes the pattern.
    pub(super) fn first_edition(&self) -> Edition {
        self.edition(self.encoding, true)
    }

    /// The engine's message if it refuses the pattern.
    pub(crate) fn program(&self, edition: Edition) -> Result<&Program, &str> {
        let place = edition.place();
        let programs = match place < COMMON {
            true => &self.programs[place],
            false => {
                &self.others.get_or_init(|| Box::new([const { OnceLock::new() }; EDITIONS - COMMON]))[place - COMMON]
            }
        };
        let program = programs.get_or_init(|| self.compile(edition));
        program.as_ref().map_err(|message| message.as_str())
    }

    /// The engine's message if it refuses the pattern. It takes what is simple, and so is not asked, but for what may look behind.
    pub(super) fn check(&self, edition: Edition) -> Result<(), String> {
        if self.is_surely_right() {
            return Ok(());
        }
        self.program(edition).map(|_| ()).map_err(str::to_owned)
    }

    pub(super) fn is_surely_right(&self) -> bool {
        self.simple().is_some() && !self.source.windows(3).any(|part| part == b"?<=" || part == b"?<!")
    }

    pub(super) fn is_compiled(&self, edition: Edition) -> bool {
        let place = edition.place();
        match place < COMMON {
            true => self.programs[place].get().is_some(),
            false => self.others.get().is_some_and(|others| others[place - COMMON].get().is_some()),
        }
    }

    /// Regexp.linear_time?
    pub(crate) fn is_linear(&self) -> bool {
        !self.is_nonlinear && super::linear::is_linear(&self.translated)
    }

    fn compile(&self, Edition { engine, joins_words }: Edition) -> Result<Program, String> {
        let compile = |text: &[u8]| Program::compile(&for_engine(text, engine), self.options, engine);
        let spelling = Spelling { joins_words, wraps_assertions: false, engine: Some(engine) };
        let compiled = match joins_words || engine.has_own_classes() {
            true => compile(&self.spelt(spelling)?),
            false => compile(&self.translated),
        };
        match compiled {
            Err(message) if message == "target of repeat operator is invalid" => {
                compile(&self.spelt(Spelling { wraps_assertions: true, ..spelling })?)
            }
            compiled => compiled,
        }
    }

    /// The translation once more, in another spelling.
    fn spelt(&self, spelling: Spelling) -> Result<Vec<u8>, String> {
        let source = match Engine::of(self.encoding).is_wide() {
            true => &recoded(&self.source, self.encoding, EncodingIndex::UTF_8).unwrap_or_default(),
            false => &self.source[..],
        };
        Ok(translate_with(source, self.options, self.read_as, spelling)?.text)
    }

    /// The groups that a name stands for.
    pub(crate) fn groups_named(&self, name: &[u8]) -> Option<&[u32]> {
        self.names.iter().find(|(known, _)| **known == *name).map(|(_, groups)| &groups[..])
    }

    pub(crate) fn has_names(&self) -> bool {
        !self.names.is_empty()
    }
}

/// Bytes in another encoding, if all of them mean something there.
fn recoded(bytes: &[u8], from: EncodingIndex, to: EncodingIndex) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    match transcode::encode(Text::of(bytes, from), to, &transcode::Options::default(), &mut out) {
        Ok(transcode::Outcome::Converted) => Some(out),
        Ok(transcode::Outcome::Unchanged) => Some(bytes.to_vec()),
        Err(_) => None,
    }
}

/// The pattern without the characters that the engine's encoding does not have, and in that encoding.
fn for_engine(text: &[u8], engine: Engine) -> Cow<'_, [u8]> {
    let wide = match engine {
        Engine::Utf8 => return Cow::Borrowed(text),
        Engine::EucJp => return Cow::Owned(for_euc_jp(&without_joiners(text)).into_owned()),
        Engine::Utf16Be => EncodingIndex::UTF_16BE,
        Engine::Utf16Le => EncodingIndex::UTF_16LE,
        Engine::Utf32Be => EncodingIndex::UTF_32BE,
        Engine::Utf32Le => EncodingIndex::UTF_32LE,
        _ => EncodingIndex::UTF_8,
    };
    if wide != EncodingIndex::UTF_8 {
        return Cow::Owned(recoded(&by_code_points(text), EncodingIndex::UTF_8, wide).unwrap_or_default());
    }
    without_joiners(text)
}

/// What stands in classes for the characters that join others in Unicode alone.
fn without_joiners(text: &[u8]) -> Cow<'_, [u8]> {
    let mut kept = Vec::new();
    let mut from = 0;
    while let Some(at) = memchr::memmem::find(&text[from..], JOINERS) {
        kept.extend_from_slice(&text[from..from + at]);
        from += at + JOINERS.len();
    }
    if from == 0 {
        return Cow::Borrowed(text);
    }
    kept.extend_from_slice(&text[from..]);
    Cow::Owned(kept)
}

/// The engine reads half-width letters up to DF only, and others by their numbers.
fn for_euc_jp(text: &[u8]) -> Cow<'_, [u8]> {
    if !text.windows(2).any(|pair| pair[0] == 0x8E && pair[1] > 0xDF) {
        return Cow::Borrowed(text);
    }
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut rest = text;
    let mut depth = 0_usize;
    while !rest.is_empty() {
        let len = carat_text::encoding::mbclen(EncodingIndex::EUC_JP, rest).clamp(1, rest.len());
        let (character, behind) = rest.split_at(len);
        match character {
            [0x8E, low] if *low > 0xDF && depth > 0 => out.extend(format!("\\x{{8E{low:02X}}}").into_bytes()),
            // By itself it stands in a set: so it is not looked for as a text.
            [0x8E, low] if *low > 0xDF => out.extend(format!("[\\x{{8E{low:02X}}}]").into_bytes()),
            b"\\" if behind.first().is_some_and(u8::is_ascii) => {
                out.extend_from_slice(&rest[..2]);
                rest = &rest[2..];
                continue;
            }
            [bracket @ (b'[' | b']')] => {
                depth = if *bracket == b'[' { depth + 1 } else { depth.saturating_sub(1) };
                out.push(*bracket);
            }
            other => out.extend_from_slice(other),
        }
        rest = behind;
    }
    Cow::Owned(out)
}

/// The flags and encoding that a Regexp ends up with. CRuby: `rb_reg_initialize`.
fn resolve_encoding(
    mut options: u8,
    source: EncodingIndex,
    fixed: Option<EncodingIndex>,
) -> Result<(u8, EncodingIndex), String> {
    let Some(fixed) = fixed else {
        let encoding = if options & FIXED_ENCODING != 0 { source } else { EncodingIndex::US_ASCII };
        return Ok((options, encoding));
    };
    let is_binary = fixed == EncodingIndex::BINARY;
    if (fixed != source && options & FIXED_ENCODING != 0) || (!is_binary && options & NO_ENCODING != 0) {
        return Err("incompatible character encoding".into());
    }
    options |= FIXED_ENCODING;
    Ok((options, fixed))
}

/// With `\x{20}` in place of `\x20`, which would be one byte of a character.
fn by_code_points(text: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len() + 16);
    let mut rest = text;
    while let Some((&byte, behind)) = rest.split_first() {
        match rest {
            [b'\\', b'x', high, low, ..] if high.is_ascii_hexdigit() && low.is_ascii_hexdigit() => {
                out.extend_from_slice(&[b'\\', b'x', b'{', *high, *low, b'}']);
                rest = &rest[4..];
            }
            [b'\\', escaped, ..] => {
                out.extend_from_slice(&[b'\\', *escaped]);
                rest = &rest[2..];
            }
            _ => {
                out.push(byte);
                rest = behind;
            }
        }
    }
    out
}

type Key = (Box<[u8]>, u8, EncodingIndex);

/// The patterns of one VM, so that the same source is read and compiled once.
#[derive(Default)]
struct Cache(Mutex<FxHashMap<Key, Arc<Pattern>>>);

/// Programs that make patterns without end must not fill memory with them.
const CACHE_LIMIT: usize = 1000;

/// The pattern of a source, read; the message of a `RegexpError` if it is wrong.
pub(crate) fn pattern(ec: &Ec, source: &[u8], options: u8, encoding: EncodingIndex) -> Result<Arc<Pattern>, String> {
    let key = (Box::from(source), options, encoding);
    if let Some(found) = known(ec, &key) {
        return Ok(found);
    }
    let pattern = Arc::new(Pattern::read(source, options, encoding, ec.vm().extension::<GlobalTimeout>())?);
    keep(ec, key, &pattern);
    Ok(pattern)
}

fn known(ec: &Ec, key: &Key) -> Option<Arc<Pattern>> {
    let cache = ec.vm().extension::<Cache>();
    let patterns = cache.0.lock().unwrap_or_else(|e| e.into_inner());
    patterns.get(key).cloned()
}

fn keep(ec: &Ec, key: Key, pattern: &Arc<Pattern>) {
    let cache = ec.vm().extension::<Cache>();
    let mut patterns = cache.0.lock().unwrap_or_else(|e| e.into_inner());
    if patterns.len() >= CACHE_LIMIT {
        patterns.clear();
    }
    patterns.insert(key, pattern.clone());
}

// ---- large patterns ----

/// Patterns from this size on are read and compiled on a thread of their own, which is left behind when something comes
/// that raises: nothing can be asked of the engine's compiler. So many bytes take it a millisecond, a thread a twentieth of
/// that. Regardless of case the time grows with the square of the length: a million letters take hours.
const LARGE: usize = 4 << 10;

/// What a fiber has: for more groups the engine's compiler gets a thread of its own anyway.
pub(super) const STACK_BYTES: usize = 1 << 20;

/// As [`pattern`], and compiled. Interrupts are served.
pub(super) fn compiled(ec: &mut Ec, source: Str, options: u8) -> carat_vm::Result<Result<Arc<Pattern>, String>> {
    let read = if source.len(ec) < LARGE {
        pattern(ec, source.bytes(ec), options, source.encoding())
    } else {
        read_large(ec, source, options)?
    };
    let pattern = match read {
        Ok(pattern) => pattern,
        Err(message) => return Ok(Err(message)),
    };
    let compiled = compile(ec, &pattern, pattern.first_edition())?;
    Ok(compiled.map(|()| pattern))
}

fn read_large(ec: &mut Ec, source: Str, options: u8) -> carat_vm::Result<Result<Arc<Pattern>, String>> {
    let key: Key = (Box::from(source.bytes(ec)), options, source.encoding());
    if let Some(found) = known(ec, &key) {
        return Ok(Ok(found));
    }
    let (own, timeout) = (key.clone(), ec.vm().extension::<GlobalTimeout>());
    let read = beside(ec, move || Pattern::read(&own.0, own.1, own.2, timeout))?.map(Arc::new);
    if let Ok(pattern) = &read {
        keep(ec, key, pattern);
    }
    Ok(read)
}

/// Makes a program, unless it is there. Interrupts are served.
pub(super) fn compile(ec: &mut Ec, pattern: &Arc<Pattern>, edition: Edition) -> carat_vm::Result<Result<(), String>> {
    if pattern.is_compiled(edition) || pattern.source.len() < LARGE {
        return Ok(pattern.check(edition));
    }
    let pattern = pattern.clone();
    beside(ec, move || pattern.check(edition))
}

fn beside<R: Send + 'static>(ec: &mut Ec, work: impl FnOnce() -> R + Send + 'static) -> carat_vm::Result<R> {
    match ec.beside("regexp", STACK_BYTES, work)? {
        Some(done) => Ok(done),
        None => Err(ec.no_memory()),
    }
}
