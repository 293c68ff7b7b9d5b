//! Texts that were evaluated before: what a program evaluates again and again, as `ERB#result` does, is compiled once.
//!
//! A text is kept when it comes the second time, with all that its code depends on, in a small table by its hash. What is not asked
//! for gives way to what is. A text with warnings is compiled each time, for they are given each time.
//!
//! Compiling may poll. The lock is held while the table is looked at, never while something is compiled.

use carat_compile::{Options, ScopeNames};
use carat_iseq::IseqRef;
use carat_sync::{Mutex, MutexGuard};
use carat_vm::{Ec, Result};
use rustc_hash::FxHasher;
use std::hash::{Hash, Hasher};

const SLOTS: usize = 64;
/// Longer texts are compiled each time.
const LONGEST: usize = 32 << 10;
/// So many others must come to a slot before a text that was asked for again gives way.
const PATIENCE: u8 = 4;

/// Per VM.
#[derive(Default)]
struct Texts {
    slots: Mutex<Vec<Slot>>,
}

impl Texts {
    fn lock(&self) -> MutexGuard<'_, Vec<Slot>> {
        let mut slots = self.slots.lock().unwrap_or_else(|e| e.into_inner());
        if slots.is_empty() {
            slots.resize_with(SLOTS, Slot::default);
        }
        slots
    }
}

#[derive(Default)]
struct Slot {
    /// Of the text that came last, or that is kept.
    hash: u64,
    patience: u8,
    kept: Option<Box<Kept>>,
}

/// A text's code, and all that it was made of.
struct Kept {
    source: Box<[u8]>,
    path: Box<str>,
    first_line: i32,
    name: Box<[u8]>,
    in_method: bool,
    scopes: Box<[ScopeNames]>,
    encoding: Option<Box<str>>,
    frozen_string_literal: Option<bool>,
    iseq: IseqRef,
}

impl Kept {
    fn new(source: &[u8], options: &Options<'_>, iseq: IseqRef) -> Kept {
        Kept {
            source: source.into(),
            path: options.path.into(),
            first_line: options.first_line,
            name: options.name.unwrap_or_default().into(),
            in_method: options.in_method,
            scopes: options.scopes.into(),
            encoding: options.encoding.map(Into::into),
            frozen_string_literal: options.frozen_string_literal,
            iseq,
        }
    }

    fn is_of(&self, source: &[u8], options: &Options<'_>) -> bool {
        *self.source == *source
            && *self.path == *options.path
            && self.first_line == options.first_line
            && *self.name == *options.name.unwrap_or_default()
            && self.in_method == options.in_method
            && *self.scopes == *options.scopes
            && self.encoding.as_deref() == options.encoding
            && self.frozen_string_literal == options.frozen_string_literal
    }
}

/// The code of a text that is evaluated with these options, which are otherwise those of [`Options::file`].
pub(super) fn compiled(ec: &mut Ec, source: &[u8], options: &Options<'_>) -> Result<IseqRef> {
    let is_watched = options.coverage.is_some()
        || crate::control::tracepoint::sees_scripts(ec)
        || crate::control::compile_options::marks_strings(ec);
    if is_watched || source.len() > LONGEST {
        return compile(ec, source, options).map(|(iseq, _)| iseq);
    }
    let hash = hash_of(source, options);
    let texts = ec.vm().extension::<Texts>();
    let comes_again = match look(&mut texts.lock(), hash, source, options) {
        Seen::Kept(iseq) => return Ok(iseq),
        Seen::Once => true,
        Seen::Never => false,
    };
    let (iseq, has_warnings) = compile(ec, source, options)?;
    if comes_again && !has_warnings {
        let kept = Kept::new(source, options, iseq.clone());
        let slot = &mut texts.lock()[slot_of(hash)];
        if slot.hash == hash {
            (slot.kept, slot.patience) = (Some(Box::new(kept)), PATIENCE);
        }
    }
    Ok(iseq)
}

fn compile(ec: &mut Ec, source: &[u8], options: &Options<'_>) -> Result<(IseqRef, bool)> {
    let program = crate::system::load::compile_or_raise(ec, source, options)?;
    Ok((program.iseq, !program.warnings.is_empty()))
}

enum Seen {
    Never,
    Once,
    Kept(IseqRef),
}

fn look(slots: &mut [Slot], hash: u64, source: &[u8], options: &Options<'_>) -> Seen {
    let slot = &mut slots[slot_of(hash)];
    match &slot.kept {
        Some(kept) if slot.hash == hash && kept.is_of(source, options) => {
            slot.patience = PATIENCE;
            Seen::Kept(kept.iseq.clone())
        }
        None if slot.hash == hash => Seen::Once,
        Some(_) if slot.patience > 0 => {
            slot.patience -= 1;
            Seen::Never
        }
        _ => {
            *slot = Slot { hash, ..Slot::default() };
            Seen::Never
        }
    }
}

fn slot_of(hash: u64) -> usize {
    (hash >> 32) as usize % SLOTS
}

fn hash_of(source: &[u8], options: &Options<'_>) -> u64 {
    let mut hasher = FxHasher::default();
    source.hash(&mut hasher);
    options.path.hash(&mut hasher);
    options.first_line.hash(&mut hasher);
    options.scopes.len().hash(&mut hasher);
    hasher.finish()
}
