//! `Method` and `UnboundMethod` objects: a method entry with what it was found by.
//!
//! # Not here
//! Their Ruby methods: see `builtins::method`. The VM knows the type because a call goes straight to the entry.

use crate::value::data::NativeData;
use carat_layout::{SymbolId, Value};

pub struct MethodObject {
    /// Undef in an UnboundMethod.
    pub receiver: Value,
    /// What a call enters; nil if the receiver answers through `respond_to_missing?`.
    pub entry: Value,
    /// The name it was asked for by.
    pub name: SymbolId,
    /// The class that was searched.
    pub class: Value,
}

impl MethodObject {
    /// Receiver, entry and name of a call.
    pub(crate) fn target(&self) -> (Value, Value, SymbolId) {
        (self.receiver, self.entry, self.name)
    }
}

impl NativeData for MethodObject {
    const NAME: &'static str = "Method";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.receiver);
        mark(self.entry);
        mark(self.class);
    }
}
