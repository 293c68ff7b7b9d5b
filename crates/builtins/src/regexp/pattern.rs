//! Compiled patterns, shared by all Regexp objects of the same source.

use super::engine::{ENGINES, Engine, Program};
use super::translate::{JOINERS, translate, translate_with};
use super::warnings::{Warning, warnings};
use super::{FIXED_ENCODING, NO_ENCODING};
use carat_sync::{Mutex, OnceLock};
use carat_text::encoding::EncodingIndex;
use carat_vm::Ec;
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

/// A pattern that was read; programs are made when a string of their encoding comes.
pub(crate) struct Pattern {
    pub(crate) source: Box<[u8]>,
    /// As `Regexp#options` tells, with the encoding flags.
    pub(crate) options: u8,
    pub(crate) encoding: EncodingIndex,
    pub(crate) names: Vec<(Box<[u8]>, Vec<u32>)>,
    is_nonlinear: bool,
    pub(crate) uses_search_start: bool,
    pub(crate) timeout: Arc<GlobalTimeout>,
    translated: Box<[u8]>,
    /// The encoding that the source was read as.
    read_as: EncodingIndex,
    programs: [OnceLock<Result<Program, String>>; ENGINES],
    pub(crate) warnings: Box<[Warning]>,
}

impl Pattern {
    /// Reads a source; the message of a `RegexpError` if it is wrong.
    pub(super) fn read(
        source: &[u8],
        options: u8,
        encoding: EncodingIndex,
        timeout: Arc<GlobalTimeout>,
    ) -> Result<Pattern, String> {
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
            timeout,
            translated: translation.text.into(),
            read_as,
            programs: [const { OnceLock::new() }; ENGINES],
            warnings: warnings(source, options, encoding).into(),
        })
    }

    pub(crate) fn is_fixed(&self) -> bool {
        self.options & FIXED_ENCODING != 0
    }

    /// The program for strings of an encoding; the engine's message if it refuses the pattern.
    pub(crate) fn program(&self, encoding: EncodingIndex) -> Result<&Program, &str> {
        let engine = Engine::of(encoding);
        let program = self.programs[engine as usize].get_or_init(|| self.compile(engine));
        program.as_ref().map_err(|message| message.as_str())
    }

    /// Regexp.linear_time?
    pub(crate) fn is_linear(&self) -> bool {
        !self.is_nonlinear && super::linear::is_linear(&self.translated)
    }

    fn compile(&self, engine: Engine) -> Result<Program, String> {
        match Program::compile(&for_engine(&self.translated, engine), self.options, engine) {
            Err(message) if message == "target of repeat operator is invalid" => {
                let wrapped = translate_with(&self.source, self.options, self.read_as, true)?;
                Program::compile(&for_engine(&wrapped.text, engine), self.options, engine)
            }
            compiled => compiled,
        }
    }

    /// The groups that a name stands for.
    pub(crate) fn groups_named(&self, name: &[u8]) -> Option<&[u32]> {
        self.names.iter().find(|(known, _)| **known == *name).map(|(_, groups)| &groups[..])
    }

    pub(crate) fn has_names(&self) -> bool {
        !self.names.is_empty()
    }
}

/// The pattern without the characters that the engine's encoding does not have.
fn for_engine(text: &[u8], engine: Engine) -> Cow<'_, [u8]> {
    if engine == Engine::Utf8 {
        return Cow::Borrowed(text);
    }
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

type Key = (Box<[u8]>, u8, EncodingIndex);

/// The patterns of one VM, so that the same source is read and compiled once.
#[derive(Default)]
struct Cache(Mutex<FxHashMap<Key, Arc<Pattern>>>);

/// Programs that make patterns without end must not fill memory with them.
const CACHE_LIMIT: usize = 1000;

/// The pattern of a source, read and, but for literals, compiled; the message of a `RegexpError` if it is wrong.
pub(crate) fn pattern(ec: &Ec, source: &[u8], options: u8, encoding: EncodingIndex) -> Result<Arc<Pattern>, String> {
    let cache = ec.vm().extension::<Cache>();
    let key = (Box::from(source), options, encoding);
    if let Some(found) = cache.0.lock().unwrap_or_else(|e| e.into_inner()).get(&key) {
        return Ok(found.clone());
    }
    let pattern = Arc::new(Pattern::read(source, options, encoding, ec.vm().extension::<GlobalTimeout>())?);
    let mut patterns = cache.0.lock().unwrap_or_else(|e| e.into_inner());
    if patterns.len() >= CACHE_LIMIT {
        patterns.clear();
    }
    patterns.insert(key, pattern.clone());
    Ok(pattern)
}
