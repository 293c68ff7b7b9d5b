//! `RubyVM::InstructionSequence.compile_option`: what a program chooses of compiling from then on.
//!
//! Only `frozen_string_literal` and `debug_frozen_string_literal` change anything; the others are switches of CRuby's optimizer, which are kept as they were set.

use carat_vm::{Class, Ec, Hash, Result, Value};
use std::sync::{Mutex, PoisonError};

const MARKS_STRINGS: &str = "debug_frozen_string_literal";

/// The switches and what they are when nobody sets them.
const SWITCHES: [(&str, bool); 8] = [
    ("inline_const_cache", true),
    ("peephole_optimization", true),
    ("tailcall_optimization", false),
    ("specialized_instruction", true),
    ("operands_unification", true),
    ("instructions_unification", false),
    (MARKS_STRINGS, false),
    ("coverage_enabled", true),
];

/// The options of a VM; none while they are those that it started with.
#[derive(Default)]
struct Chosen(Mutex<Option<Options>>);

#[derive(Clone, Copy)]
struct Options {
    switches: [bool; SWITCHES.len()],
    debug_level: i64,
    frozen_string_literal: Option<bool>,
}

impl Options {
    fn of(ec: &Ec) -> Options {
        let chosen = *ec.vm().extension::<Chosen>().0.lock().unwrap_or_else(PoisonError::into_inner);
        chosen.unwrap_or_else(|| Options::at_start(ec))
    }

    fn at_start(ec: &Ec) -> Options {
        let frozen_string_literal = ec.vm().config.frozen_string_literal;
        let switches = SWITCHES.map(|(name, is_on)| is_on || name == MARKS_STRINGS && ec.vm().config.marks_strings);
        Options { switches, debug_level: 0, frozen_string_literal }
    }

    fn merge(&mut self, ec: &Ec, options: Hash) {
        let get = |name: &str| options.get_symbol(ec, ec.vm().intern(name));
        for ((name, _), is_on) in SWITCHES.iter().zip(&mut self.switches) {
            *is_on = get(name).map_or(*is_on, Value::truthy);
        }
        self.debug_level = get("debug_level").and_then(Value::as_fixnum).unwrap_or(self.debug_level);
        if let Some(value) = get("frozen_string_literal") {
            self.frozen_string_literal = (!value.is_nil()).then(|| value.truthy());
        }
    }
}

/// Whether string literals of code without a magic comment are frozen; `None` is chilled.
pub(crate) fn frozen_string_literal(ec: &Ec) -> Option<bool> {
    Options::of(ec).frozen_string_literal
}

/// Whether string literals remember where they were made.
pub(crate) fn marks_strings(ec: &Ec) -> bool {
    let switches = SWITCHES.iter().zip(Options::of(ec).switches);
    switches.filter(|((name, _), _)| *name == MARKS_STRINGS).any(|(_, is_on)| is_on)
}

pub(super) fn compile_option(ec: &mut Ec, _this: Class) -> Hash {
    let options = Options::of(ec);
    let hash = Hash::new(ec);
    for ((name, _), is_on) in SWITCHES.iter().zip(options.switches) {
        hash.set_symbol(ec, ec.vm().intern(name), Value::bool(is_on));
    }
    let is_frozen = options.frozen_string_literal.map_or(Value::NIL, Value::bool);
    hash.set_symbol(ec, ec.vm().intern("debug_level"), ec.int(options.debug_level));
    hash.set_symbol(ec, ec.vm().intern("frozen_string_literal"), is_frozen);
    hash
}

/// Takes a Hash of what is to change, true or nil for what is usual, false for nothing.
pub(super) fn set_compile_option(ec: &mut Ec, _this: Class, value: Value) -> Result {
    let mut options = Options::of(ec);
    match (Hash::from_value(value), value) {
        (Some(changes), _) => options.merge(ec, changes),
        (None, Value::TRUE | Value::NIL) => options = Options::at_start(ec),
        (None, Value::FALSE) => {
            options = Options { switches: [false; SWITCHES.len()], debug_level: 0, frozen_string_literal: None };
        }
        _ => return Err(ec.type_error("Compile option must be Hash/true/false/nil")),
    }
    *ec.vm().extension::<Chosen>().0.lock().unwrap_or_else(PoisonError::into_inner) = Some(options);
    Ok(value)
}
