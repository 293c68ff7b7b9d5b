//! `===` as `case`, `rescue` and patterns ask it: what needs no call is answered at once.

use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::model::symbol::sym;
use crate::value::hash::Hash;
use carat_layout::Value;
use std::sync::atomic::Ordering;

impl Ec {
    /// `class === exception` for `rescue`; anything but a class or module is a TypeError.
    pub(crate) fn rescue_matches(&mut self, class: Value, exception: Value) -> Result<bool> {
        let Some(module) = Class::from_value(class) else {
            return Err(self.type_error("class or module required for rescue clause"));
        };
        if module.has_plain_match(self) && !self.traces_native_calls() {
            return Ok(self.is_a(exception, module));
        }
        Ok(self.call(class, sym::EQQ, &[exception])?.truthy())
    }

    /// `===` of symbols and integers is the one that they came with, for every scope.
    #[inline(always)]
    pub(crate) fn matches_by_identity(&self) -> bool {
        !crate::model::redefinition::is_redefined(self, sym::EQQ)
    }

    /// `pattern === value` for what needs no call: classes, symbols, integers, strings, nil and ranges of integers.
    pub(crate) fn matches_at_once(&self, pattern: Value, value: Value) -> Option<bool> {
        if crate::model::redefinition::is_redefined(self, sym::EQQ) {
            return None;
        }
        if pattern.is_symbol()
            || matches!(pattern, Value::NIL | Value::TRUE | Value::FALSE)
            || pattern.both_fixnum(value)
        {
            return Some(pattern == value);
        }
        if let (Some(a), Some(b)) = (crate::Str::from_value(pattern), crate::Str::from_value(value)) {
            return self.is_plain_core(pattern).then(|| a.eql(self, b));
        }
        match Class::from_value(pattern) {
            // Refinements of a singleton class are not among what is watched.
            Some(_) if self.vm().may_be_refined(sym::EQQ) => None,
            Some(class) => class.has_plain_match(self).then(|| self.is_a(value, class)),
            None => self.is_within_integers(pattern, value),
        }
    }

    /// Whether a key of a table may be `===` to a value. The keys are symbols, small integers, strings, nil, true and false; a
    /// value of another class may be equal to any of them.
    pub(crate) fn case_may_have(&self, table: Hash, value: Value) -> bool {
        if !self.matches_by_identity() {
            return true;
        }
        if value.is_fixnum() || value.is_symbol() || matches!(value, Value::NIL | Value::TRUE | Value::FALSE) {
            return table.has_identical(self, value);
        }
        match crate::Str::from_value(value) {
            Some(string) if self.is_plain_core(value) => table.get_string(self, string) != Some(None),
            _ => true,
        }
    }

    /// `pattern === value`.
    pub(crate) fn case_matches(&mut self, pattern: Value, value: Value) -> Result<bool> {
        if let Some(known) = self.matches_at_once(pattern, value) {
            return Ok(known);
        }
        // SAFETY: the published frame is the one that asks.
        let cref = unsafe { self.fp.code().cref };
        if let Some(method) = crate::run::interp::refined_for(self, cref, pattern, sym::EQQ) {
            let passing = crate::run::call::Passing::default();
            return Ok(self.call_method(pattern, method, sym::EQQ, &[value], passing)?.truthy());
        }
        Ok(self.call(pattern, sym::EQQ, &[value])?.truthy())
    }

    /// Whether an integer lies in a range between two, or on one side of one; `None` if something else has to be asked.
    fn is_within_integers(&self, pattern: Value, value: Value) -> Option<bool> {
        let (begin, end, excludes_end) = self.range_of(pattern)?;
        let limit = |limit: Value, none: i64| if limit.is_nil() { Some(none) } else { limit.as_fixnum() };
        let excludes_end = excludes_end && !end.is_nil();
        let (begin, end, value) = (limit(begin, i64::MIN)?, limit(end, i64::MAX)?, value.as_fixnum()?);
        let is_core = self.class_of(pattern) == self.vm().known().range && self.has_core_operator(sym::CMP);
        is_core.then_some(begin <= value && if excludes_end { value < end } else { value <= end })
    }
}

impl Class {
    /// Whether `class === value` is `Module#===`.
    #[inline]
    pub(crate) fn has_plain_match(self, ec: &Ec) -> bool {
        let epoch = ec.vm().method_epoch(sym::EQQ).load(Ordering::Acquire);
        let known = &self.data().plain_match_epoch;
        if known.load(Ordering::Relaxed) == epoch {
            return true;
        }
        let is_plain = ec.responds_with(self.value(), sym::EQQ, ec.vm().known().module);
        if is_plain {
            known.store(epoch, Ordering::Relaxed);
        }
        is_plain
    }
}
