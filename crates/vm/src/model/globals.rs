//! Global and special variables: `$name`, `$~`, `$_` and what derives from them.

use crate::ec::{Ec, Result};
use crate::vm::GlobalVariable;
use carat_layout::{SymbolId, Value};
use std::cell::Cell;
use std::sync::atomic::Ordering;

const CACHED: usize = 64;

#[derive(Clone, Copy)]
struct Entry {
    name: SymbolId,
    epoch: u32,
    variable: *const GlobalVariable,
}

const NOTHING: Entry = Entry { name: SymbolId(0), epoch: 0, variable: std::ptr::null() };

/// The variables that a Ractor's code named of late.
pub(crate) struct GlobalCache([Cell<Entry>; CACHED]);

impl GlobalCache {
    pub(crate) const fn new() -> GlobalCache {
        GlobalCache([const { Cell::new(NOTHING) }; CACHED])
    }
}

impl Ec {
    /// The variable that a name means.
    #[inline]
    fn find_global(&self, name: SymbolId) -> Option<&GlobalVariable> {
        let vm = self.vm();
        let slot = &self.ractor().global_cache.0[name.0 as usize % CACHED];
        let epoch = vm.global_epoch.load(Ordering::Acquire);
        let entry = slot.get();
        let variable = if entry.name == name && entry.epoch == epoch {
            entry.variable
        } else {
            let variable = std::sync::Arc::as_ptr(&vm.global(name)?);
            slot.set(Entry { name, epoch, variable });
            variable
        };
        // SAFETY: the VM keeps every variable as long as it lives, whether a name means it or not.
        unsafe { variable.as_ref() }
    }

    /// What a variable without a getter holds; nil if there is none of this name.
    pub fn global_value(&self, name: SymbolId) -> Value {
        self.find_global(name).map_or(Value::NIL, GlobalVariable::get)
    }

    #[inline(never)]
    pub fn global(&mut self, name: SymbolId) -> Result {
        let Some(variable) = self.find_global(name).filter(|v| v.is_defined.load(Ordering::Relaxed)) else {
            self.warn_uninitialized_global(name)?;
            return Ok(Value::NIL);
        };
        match variable.getter {
            Some(getter) => getter(self, name),
            None => Ok(variable.get()),
        }
    }

    /// The variable as Ruby code reads it.
    pub(crate) fn checked_global(&mut self, name: SymbolId) -> Result {
        self.check_global_read(name)?;
        self.global(name)
    }

    /// Assigns as Ruby code does.
    pub(crate) fn set_checked_global(&mut self, name: SymbolId, value: Value) -> Result<()> {
        self.check_global(name)?;
        self.set_global(name, value)
    }

    #[inline(never)]
    pub fn set_global(&mut self, name: SymbolId, value: Value) -> Result<()> {
        if let Some(variable) = self.find_global(name).filter(|v| v.is_plain()) {
            variable.value.store(value.bits(), Ordering::Release);
            return Ok(());
        }
        let variable = self.vm().global_or_new(name);
        variable.is_defined.store(true, Ordering::Relaxed);
        match variable.setter {
            Some(setter) => setter(self, name, value)?,
            None => variable.value.store(value.bits(), Ordering::Release),
        }
        self.run_traces(&variable, value)
    }

    /// Calls what `trace_var` was given, the latest first. What a trace itself assigns is not traced.
    fn run_traces(&mut self, variable: &GlobalVariable, value: Value) -> Result<()> {
        if variable.traces.read().unwrap_or_else(|e| e.into_inner()).is_empty() {
            return Ok(());
        }
        let traces = std::mem::take(&mut *variable.traces.write().unwrap_or_else(|e| e.into_inner()));
        let kept = crate::Array::from_slice(self, &traces);
        let mut result = Ok(());
        for index in (0..kept.len(self)).rev() {
            let trace = kept.at(self, index);
            result = match crate::Str::from_value(trace) {
                Some(_) => self.call(self.vm().main_object(), self.vm().intern("eval"), &[trace]),
                None => self.call(trace, crate::model::symbol::sym::CALL, &[value]),
            }
            .map(|_| ());
            if result.is_err() {
                break;
            }
        }
        let mut place = variable.traces.write().unwrap_or_else(|e| e.into_inner());
        place.splice(0..0, traces);
        result
    }

    pub(crate) fn is_global_defined(&self, name: SymbolId) -> bool {
        self.vm().global(name).is_some_and(|g| g.is_defined.load(Ordering::Relaxed))
    }
}
