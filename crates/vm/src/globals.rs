//! Global and special variables: `$name`, `$~`, `$_` and what derives from them.

use crate::code::CodeKind;
use crate::ec::{Ec, Result};
use crate::frame::Fp;
use crate::vm::GlobalVariable;
use carat_layout::{SymbolId, Value};
use std::cell::Cell;
use std::sync::atomic::Ordering;

/// `getspecial` numbers.
const LAST_MATCH: i32 = 0;
const LAST_LINE: i32 = 5;
const FIRST_GROUP: i32 = 16;

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
            crate::warning::uninitialized_global(self, name)?;
            return Ok(Value::NIL);
        };
        match variable.getter {
            Some(getter) => getter(self, name),
            None => Ok(variable.get()),
        }
    }

    /// The variable as Ruby code reads it.
    pub(crate) fn checked_global(&mut self, name: SymbolId) -> Result {
        self.check_global(name)?;
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
                None => self.call(trace, crate::symbol::sym::CALL, &[value]),
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

    /// `$&`, `` $` ``, `$'` and `$+` (1 to 4) of the calling Ruby code.
    pub fn match_special(&mut self, kind: i32) -> Result {
        let last = self.last_match();
        match self.vm().hooks().match_part {
            Some(part) if !last.is_nil() => part(self, last, kind),
            _ => Ok(Value::NIL),
        }
    }

    pub(crate) fn is_global_defined(&self, name: SymbolId) -> bool {
        self.vm().global(name).is_some_and(|g| g.is_defined.load(Ordering::Relaxed))
    }

    // ---- $~ and $_ ----

    /// Where the method around a Ruby frame keeps `$~`, if its code reads it.
    unsafe fn svar_place(&self, fp: Fp) -> Option<(Fp, usize)> {
        // SAFETY: a live Ruby frame.
        unsafe {
            let mut env = fp.env();
            loop {
                let code = env.code();
                if let Some(register) = code.linked().iseq.svar {
                    return Some((env, usize::from(register)));
                }
                if !code.kind.is_block() || env.parent().is_null() {
                    return None;
                }
                env = env.parent();
            }
        }
    }

    /// The nearest frame of a program's own Ruby code, core code skipped.
    pub(crate) fn ruby_frame(&self) -> Option<Fp> {
        let mut fp = self.fp;
        // SAFETY: live frames, walked down.
        unsafe {
            while !fp.is_null() {
                let code = fp.code();
                if !matches!(code.kind, CodeKind::Native | CodeKind::Boundary) && !code.is_core {
                    return Some(fp);
                }
                fp = fp.caller();
            }
        }
        None
    }

    /// Whether a match needs to be remembered: the calling code reads `$~` or what derives from it.
    pub fn wants_last_match(&self) -> bool {
        // SAFETY: a live Ruby frame.
        self.ruby_frame().is_some_and(|fp| unsafe { self.svar_place(fp) }.is_some())
    }

    /// Sets `$~` of the calling Ruby code.
    pub fn set_last_match(&mut self, value: Value) {
        self.set_svar(0, value);
    }

    /// Sets `$_` of the calling Ruby code.
    pub fn set_last_line(&mut self, value: Value) {
        self.set_svar(1, value);
    }

    fn set_svar(&mut self, which: usize, value: Value) {
        let Some(fp) = self.ruby_frame() else { return };
        // SAFETY: a live Ruby frame; the place is in its environment.
        unsafe {
            if let Some((env, register)) = self.svar_place(fp) {
                if env == self.thread_home {
                    return self.thread_specials[which].set(value);
                }
                env.set_reg(register + which, value);
                if !self.stack.contains(env.0) {
                    self.heap().barrier(crate::proc::env_object(env), value);
                }
            }
        }
    }

    pub fn last_match(&self) -> Value {
        self.svar(0)
    }

    pub fn last_line(&self) -> Value {
        self.svar(1)
    }

    fn svar(&self, which: usize) -> Value {
        let Some(fp) = self.ruby_frame() else { return Value::NIL };
        // SAFETY: as in `set_svar`.
        unsafe {
            match self.svar_place(fp) {
                Some((env, _)) if env == self.thread_home => self.thread_specials[which].get(),
                Some((env, register)) => env.reg(register + which),
                None => Value::NIL,
            }
        }
    }

    #[inline(never)]
    pub(crate) unsafe fn special_variable(&mut self, _fp: Fp, kind: i32) -> Result {
        match kind {
            LAST_MATCH => Ok(self.last_match()),
            LAST_LINE => Ok(self.last_line()),
            kind => {
                let last = self.last_match();
                match self.vm().hooks().match_part {
                    Some(part) if !last.is_nil() => part(self, last, kind),
                    _ => Ok(Value::NIL),
                }
            }
        }
    }

    #[inline(never)]
    pub(crate) unsafe fn set_special_variable(&mut self, _fp: Fp, kind: i32, value: Value) -> Result<()> {
        if kind == LAST_LINE {
            self.set_last_line(value);
            return Ok(());
        }
        if !value.is_nil() && !self.is_a(value, self.vm().known().match_data) {
            return Err(self.wrong_type(value, "MatchData"));
        }
        self.set_last_match(value);
        Ok(())
    }

    #[inline(never)]
    pub(crate) unsafe fn named_capture(&mut self, _fp: Fp, name: SymbolId) -> Result {
        let last = self.last_match();
        match self.vm().hooks().match_named {
            Some(named) if !last.is_nil() => named(self, last, name),
            _ => Ok(Value::NIL),
        }
    }

    pub(crate) unsafe fn is_special_defined(&mut self, fp: Fp, kind: i32) -> Result<bool> {
        if kind == LAST_MATCH || kind == LAST_LINE {
            return Ok(true);
        }
        let _ = FIRST_GROUP;
        // SAFETY: by the caller.
        Ok(!unsafe { self.special_variable(fp, kind)? }.is_nil())
    }

    // ---- defined?(method) and defined?(super) ----

    pub(crate) unsafe fn is_method_defined_for(
        &mut self,
        fp: Fp,
        object: Value,
        name: SymbolId,
        is_self: bool,
    ) -> Result<bool> {
        use crate::class::Visibility;
        if let Some(m) = self.find_method(object, name) {
            // SAFETY: a live frame.
            let own = unsafe { fp.reg(0) };
            return Ok(match m.visibility {
                Visibility::Public => true,
                Visibility::Private => is_self,
                Visibility::Protected => is_self || self.is_a(own, m.owner(self)),
            });
        }
        if self.find_method(object, crate::symbol::sym::RESPOND_TO_MISSING).is_none() {
            return Ok(false);
        }
        Ok(self
            .call(object, crate::symbol::sym::RESPOND_TO_MISSING, &[Value::symbol(name), Value::bool(is_self)])?
            .truthy())
    }

    pub(crate) unsafe fn is_super_defined(&self, fp: Fp) -> bool {
        // SAFETY: a live frame.
        unsafe {
            let (method, _) = crate::interp::running_method(fp);
            let Some(entry) = crate::method::MethodEntry::from_value(self, method) else { return false };
            crate::interp::super_method(self, fp.env().reg(0), entry).is_some()
        }
    }
}
