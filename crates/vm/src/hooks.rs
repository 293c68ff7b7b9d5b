//! What the VM needs from the classes above it, registered by `builtins` before the first code is linked.

use crate::ec::{Ec, Result};
use crate::run::backtrace::Location;
use crate::run::link::LinkedIseq;
use crate::run::scope::Scope;
use crate::value::array::Array;
use crate::value::string::Str;
use carat_layout::Value;
use std::sync::Arc;

/// Takes a scope and the place that the binding shows.
pub type NewBinding = fn(&mut Ec, Scope, &str, i32) -> Value;

#[derive(Clone, Copy, Default)]
pub struct Hooks {
    /// A Regexp of a literal source; nil if the engine refuses it.
    pub new_regexp: Option<fn(&Ec, Str, u8) -> Value>,
    /// A Regexp of interpolated parts, with options.
    pub regexp_from_parts: Option<fn(&mut Ec, Array, u8) -> Result>,
    /// Arity of a Method object behind a proc.
    pub method_arity: Option<fn(&Ec, Value) -> i64>,
    /// Text of a float, as `Float#to_s`.
    pub float_to_text: Option<fn(f64) -> String>,
    /// Special variables derived from a MatchData: kind as in `getspecial`.
    pub match_part: Option<fn(&mut Ec, Value, i32) -> Result>,
    /// A named capture of a MatchData.
    pub match_named: Option<fn(&mut Ec, Value, carat_layout::SymbolId) -> Result>,
    /// Tells `TracePoint` of an event.
    pub trace: Option<fn(&mut Ec, &crate::inspect::trace::TraceEvent) -> Result<()>>,
    /// Loads an autoload feature.
    pub require: Option<fn(&mut Ec, &str) -> Result>,
    /// How far the file of an autoload feature is.
    pub progress_of: Option<fn(&mut Ec, &str) -> crate::model::autoload::Progress>,
    /// In a forked child: what other threads were loading is nobody's work any more.
    pub forget_loads: Option<fn(&mut Ec)>,
    /// A Binding of a scope, with the place that it shows.
    pub new_binding: Option<NewBinding>,
    /// `Thread::Backtrace::Location` objects.
    pub locations_to_array: Option<fn(&Ec, Vec<Location>) -> Array>,
    /// The `RubyVM::InstructionSequence` of code.
    pub sequence_of: Option<fn(&mut Ec, Arc<LinkedIseq>) -> Value>,
    /// Functions that answer for native methods and primitives without a frame.
    pub leaves: &'static [&'static [crate::run::leaf::LeafRow]],
    /// Ends the process as a program ends: exit blocks, the report of an exception, the status.
    pub end_program: Option<fn(&mut Ec, Result)>,
}
