//! What the libraries error_highlight and did_you_mean add to messages.
//!
//! CRuby loads both when it starts. Here they are named by autoloads, and loaded when the first message is asked for that they
//! may have something to say about: a program whose errors nobody reads never pays for them.

use carat_vm::call::Passing;
use carat_vm::{Class, Ec, Keywords, Result, Value, methods, sym};
use std::sync::atomic::{AtomicU8, Ordering};

methods! {
    CORRECTABLE {
        "corrections" => corrections;
        "spell_checker" => spell_checker;
        "original_message" => original_message;
    }
}

/// Per VM: which libraries the command line left on, and whether they were loaded.
#[derive(Default)]
struct Explanations {
    wanted: AtomicU8,
    stage: AtomicU8,
}

const HIGHLIGHT: u8 = 1;
const SPELLING: u8 = 2;

const UNLOADED: u8 = 0;
const LOADING: u8 = 1;
const LOADED: u8 = 2;

const LIBRARIES: [(u8, &str, &str); 2] =
    [(HIGHLIGHT, "ErrorHighlight", "error_highlight"), (SPELLING, "DidYouMean", "did_you_mean")];

/// Says which libraries may explain errors.
pub fn enable(ec: &mut Ec, highlight: bool, spelling: bool) {
    let wanted = if highlight { HIGHLIGHT } else { 0 } | if spelling { SPELLING } else { 0 };
    ec.vm().extension::<Explanations>().wanted.store(wanted, Ordering::Relaxed);
    for (library, constant, feature) in LIBRARIES {
        if wanted & library != 0 {
            crate::system::load::name_library(ec, constant, feature);
        }
    }
    if spelling {
        let known = ec.vm().known();
        let classes = [known.name_error, known.key_error, known.load_error, known.no_matching_pattern_key_error];
        classes.into_iter().for_each(|class| class.define_methods(ec, CORRECTABLE));
    }
}

/// The class whose methods the libraries go in front of.
fn explained_class(ec: &Ec, exception: Value) -> Option<Class> {
    let known = ec.vm().known();
    let classes = [
        known.name_error,
        known.type_error,
        known.argument_error,
        known.key_error,
        known.load_error,
        known.no_matching_pattern_key_error,
    ];
    classes.into_iter().find(|class| ec.is_a(exception, *class))
}

/// Loads the libraries if that is still to be done; whether it was. Each loads the other one, so that they are in front of the
/// native methods in the same order whichever is named first.
fn load(ec: &mut Ec) -> Result<bool> {
    let state = ec.vm().extension::<Explanations>();
    let wanted = state.wanted.load(Ordering::Relaxed);
    let is_first =
        wanted != 0 && state.stage.compare_exchange(UNLOADED, LOADING, Ordering::Relaxed, Ordering::Relaxed).is_ok();
    if !is_first {
        return Ok(false);
    }
    let result = require_all(ec, wanted);
    state.stage.store(if result.is_ok() { LOADED } else { UNLOADED }, Ordering::Relaxed);
    result
}

fn require_all(ec: &mut Ec, wanted: u8) -> Result<bool> {
    let mut is_new = false;
    for (library, _, feature) in LIBRARIES {
        if wanted & library != 0 {
            is_new |= !crate::system::load::is_loading(ec, feature) && crate::system::load::require(ec, feature)?;
        }
    }
    Ok(is_new)
}

/// `detailed_message` as the libraries have it, if this call came before they were there: from now on they are in front of
/// the native method, so they are asked from the class on that they went in front of.
pub(super) fn detailed_message(ec: &mut Ec, this: Value, keywords: Keywords) -> Result<Option<Value>> {
    match explained_class(ec, this) {
        Some(class) if load(ec)? => {
            let passing = Passing { keywords: keywords.0, block: None };
            let name = Value::symbol(sym::DETAILED_MESSAGE);
            let method = ec.call(class.value(), ec.vm().intern("instance_method"), &[name])?;
            ec.call_with(method, ec.vm().intern("bind_call"), &[this], passing).map(Some)
        }
        _ => Ok(None),
    }
}

fn once_loaded(ec: &mut Ec, this: Value, name: &str) -> Result {
    load(ec)?;
    let module = ec.vm().known().object.own_constant_value(ec, ec.vm().intern("DidYouMean"))?.unwrap_or(Value::NIL);
    let module = Class::from_value(module).and_then(|m| m.nested(ec, "Correctable")).map_or(Value::NIL, |m| m.value());
    let name = Value::symbol(ec.vm().intern(name));
    let method = ec.call(module, ec.vm().intern("instance_method"), &[name])?;
    ec.call(method, ec.vm().intern("bind_call"), &[this])
}

fn corrections(ec: &mut Ec, this: Value) -> Result {
    once_loaded(ec, this, "corrections")
}

fn spell_checker(ec: &mut Ec, this: Value) -> Result {
    once_loaded(ec, this, "spell_checker")
}

fn original_message(ec: &mut Ec, this: Value) -> Result {
    ec.call(this, sym::TO_S, &[])
}
