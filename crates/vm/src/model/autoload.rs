//! Constants that a file gives a value when somebody asks for them.
//!
//! While the file runs, its thread alone sees what it assigns. Another thread that asks requires the file, which is to wait for
//! it, so that nobody meets half a class. The file's end publishes what it assigned; if it fails, the constants are pending
//! again, and keep their values for the next one to ask, whose run of the file goes on from them. CRuby: `autoload_const`'s `value`.
//!
//! With no other thread there is nobody to hide from: the constants are set at once, and noted for the case that the file fails.

use crate::ec::{Ec, Result};
use crate::model::class::{Class, Constant, Pending};
use crate::{Array, Value};
use carat_layout::SymbolId;
use std::sync::Arc;
use std::sync::atomic::Ordering;

#[derive(Clone)]
pub struct Autoload {
    pub feature: Arc<str>,
    assigned: Option<Box<Assigned>>,
}

/// What the file has assigned.
#[derive(Clone)]
struct Assigned {
    /// Who runs it, and nil when it has failed.
    thread: Value,
    value: Value,
    file: Option<Arc<str>>,
    line: i32,
}

impl Autoload {
    pub fn new(feature: Arc<str>) -> Autoload {
        Autoload { feature, assigned: None }
    }

    pub(crate) fn value(&self) -> Option<Value> {
        self.assigned.as_ref().map(|assigned| assigned.value)
    }
}

/// A constant whose file a fiber runs.
#[derive(Clone)]
pub(crate) struct AutoloadRun {
    pub class: Value,
    pub name: SymbolId,
    pub thread: Value,
    pub fiber: Value,
    feature: Arc<str>,
    /// The constants that it set at once, each behind its class. Whoever runs it keeps the list.
    assigned: Array,
}

impl AutoloadRun {
    fn new(ec: &mut Ec, class: Class, name: SymbolId, feature: &Arc<str>) -> AutoloadRun {
        let assigned = Array::new(ec, 0);
        let (thread, fiber) = (ec.current_thread(), ec.current_fiber().value());
        AutoloadRun { class: class.value(), name, thread, fiber, feature: feature.clone(), assigned }
    }

    pub(crate) fn is(&self, other: &AutoloadRun) -> bool {
        (self.class, self.name) == (other.class, other.name) && self.is_of_same_file(other)
    }

    /// Whether a fiber runs the same file for both.
    pub(crate) fn is_of_same_file(&self, other: &AutoloadRun) -> bool {
        (self.thread, self.fiber) == (other.thread, other.fiber) && self.feature == other.feature
    }

    /// The file has failed: what it assigned waits for another run.
    fn take_back(&self, ec: &mut Ec) {
        for pair in self.assigned.slice_of(ec).to_vec().chunks_exact(2) {
            let (Some(class), Some(name)) = (Class::from_value(pair[0]), pair[1].as_symbol()) else { continue };
            let Some(constant) = class.own_constant(name) else { continue };
            if constant.pending.is_none() {
                let Constant { value, file, line, .. } = constant.clone();
                let assigned = Some(Box::new(Assigned { thread: Value::NIL, value, file, line }));
                let pending = Some(Pending::Autoload(Autoload { feature: self.feature.clone(), assigned }));
                class.put_constant(ec, name, Constant { value: Value::UNDEF, pending, ..constant });
            }
        }
    }
}

/// How far the file of a feature is, as the running thread sees it.
pub enum Progress {
    Unloaded,
    /// The thread is in the midst of it. The list is for the constants that it assigns, unless there is no other thread to see
    /// them.
    Running(Option<Array>),
    Loaded,
}

impl Ec {
    fn progress_of(&mut self, feature: &str) -> Progress {
        self.vm().hooks().progress_of.map_or(Progress::Unloaded, |progress_of| progress_of(self, feature))
    }

    /// The file has ended: everybody sees what it assigned, or nobody if it failed.
    pub fn end_run(&mut self, list: Array, is_complete: bool) {
        for pair in list.slice_of(self).to_vec().chunks_exact(2) {
            self.vm().hidden_constants.fetch_sub(1, Ordering::Relaxed);
            let (Some(class), Some(name)) = (Class::from_value(pair[0]), pair[1].as_symbol()) else { continue };
            let Some(constant) = class.own_constant(name) else { continue };
            let constant = match constant.pending {
                Some(Pending::Autoload(mut autoload)) if !is_complete => {
                    if let Some(assigned) = &mut autoload.assigned {
                        assigned.thread = Value::NIL;
                    }
                    Constant { pending: Some(Pending::Autoload(autoload)), ..constant }
                }
                _ => completed(constant, |_, _| true),
            };
            class.put_constant(self, name, constant);
        }
    }

    /// What a run of the feature for an autoload notes, if the running thread is in one.
    fn autoload_run_of(&self, feature: &str) -> Option<Array> {
        let me = self.current_thread();
        self.vm().autoload_run(|run| run.thread == me && *run.feature == *feature).map(|run| run.assigned)
    }

    /// Whether an inline cache, which all threads share, may keep what the running thread sees.
    pub(crate) fn sees_what_all_see(&self) -> bool {
        self.vm().hidden_constants.load(Ordering::Relaxed) == 0
    }
}

impl Class {
    /// A class's own constant as the running thread sees it.
    pub fn seen_constant(self, ec: &Ec, name: SymbolId) -> Option<Constant> {
        let me = ec.current_thread();
        self.own_constant(name).map(|constant| {
            completed(constant, |autoload, assigned| {
                let is_kept = assigned.thread.is_nil();
                if is_kept { ec.autoload_run_of(&autoload.feature).is_some() } else { assigned.thread == me }
            })
        })
    }

    /// Whether a run of its file that failed has assigned the constant, and none since.
    pub(crate) fn is_kept(self, name: SymbolId) -> bool {
        match self.own_constant(name).and_then(|constant| constant.pending) {
            Some(Pending::Autoload(Autoload { assigned: Some(assigned), .. })) => assigned.thread.is_nil(),
            _ => false,
        }
    }

    /// A class or module inside this one, as the running thread sees it: the native half of a library that is loaded for an autoload
    /// finds what the other half has begun.
    pub fn nested(self, ec: &Ec, name: &str) -> Option<Class> {
        self.seen_constant(ec, ec.vm().intern(name)).and_then(|constant| Class::from_value(constant.value))
    }

    /// The same as [`Class::seen_constant`], if it counts as defined: one that the running thread is about to assign does not, nor one whose file did not.
    pub fn defined_constant(self, ec: &mut Ec, name: SymbolId) -> Option<Constant> {
        self.seen_constant(ec, name).filter(|constant| match &constant.pending {
            Some(Pending::Autoload(autoload)) => matches!(ec.progress_of(&autoload.feature), Progress::Unloaded),
            _ => true,
        })
    }

    /// Whether the running thread alone is to see the value of a constant that is assigned now; then it is noted.
    pub(crate) fn assign_for_this_thread(self, ec: &mut Ec, name: SymbolId, constant: &Constant) -> bool {
        let Some(Pending::Autoload(autoload)) = self.own_constant(name).and_then(|old| old.pending) else {
            return false;
        };
        let list = match ec.progress_of(&autoload.feature) {
            Progress::Running(Some(list)) => list,
            Progress::Running(None) => {
                if let Some(noted) = ec.autoload_run_of(&autoload.feature) {
                    noted.push(ec, self.value());
                    noted.push(ec, Value::symbol(name));
                }
                return false;
            }
            _ => return false,
        };
        let Constant { value, file, line, .. } = constant.clone();
        let assigned = Some(Box::new(Assigned { thread: ec.current_thread(), value, file, line }));
        if autoload.assigned.as_ref().is_none_or(|assigned| assigned.thread.is_nil()) {
            ec.vm().hidden_constants.fetch_add(1, Ordering::Relaxed);
            list.push(ec, self.value());
            list.push(ec, Value::symbol(name));
        }
        let pending = Some(Pending::Autoload(Autoload { assigned, ..autoload }));
        if let Some(old) = self.own_constant(name) {
            self.put_constant(ec, name, Constant { pending, ..old });
        }
        true
    }

    pub(crate) fn run_autoload(self, ec: &mut Ec, name: SymbolId, feature: &Arc<str>) -> Result<Option<Value>> {
        let mut was_loaded_now = false;
        if let Some(require) = ec.vm().hooks().require {
            let run = AutoloadRun::new(ec, self, name, feature);
            if ec.vm().enter_autoload(&run) {
                return Ok(None);
            }
            // No inline cache may keep the value from a run that failed, before it is known how this one ends.
            let is_kept = self.is_kept(name);
            let hidden = usize::from(is_kept);
            ec.vm().hidden_constants.fetch_add(hidden, Ordering::Relaxed);
            let done = require(ec, feature);
            ec.vm().hidden_constants.fetch_sub(hidden, Ordering::Relaxed);
            ec.vm().leave_autoload(&run);
            match self.own_constant(name) {
                _ if done.is_err() => run.take_back(ec),
                Some(constant) if is_kept && self.is_kept(name) => {
                    self.put_constant(ec, name, completed(constant, |_, _| true));
                }
                _ => {}
            }
            // The stack keeps the list, which nothing else refers to.
            std::hint::black_box(run.assigned);
            was_loaded_now = done?.truthy();
        }
        // Threads whose files wait for one another see what there is.
        let loaded = self.own_constant(name).map(|constant| completed(constant, |_, _| true));
        match loaded.filter(|constant| !constant.value.is_undef()) {
            Some(constant) => Ok(Some(constant.value)),
            None => {
                self.remove_constant(ec, name);
                if was_loaded_now {
                    self.warn_of_autoload(ec, name, feature)?;
                }
                Ok(None)
            }
        }
    }

    /// The file of an autoload has not defined its constant.
    fn warn_of_autoload(self, ec: &mut Ec, name: SymbolId, feature: &str) -> Result<()> {
        let own = ec.vm().symbol_text(name);
        let is_top = self == ec.vm().known().object;
        let full = if is_top { own } else { format!("{}::{own}", self.to_text(ec)) };
        ec.warn_verbose(&format!("Expected {feature} to define {full} but it didn't"))
    }
}

/// The constant with the value that a thread has assigned, if that one is asked for.
fn completed(constant: Constant, is_seen: impl FnOnce(&Autoload, &Assigned) -> bool) -> Constant {
    match &constant.pending {
        Some(Pending::Autoload(autoload @ Autoload { assigned: Some(assigned), .. }))
            if is_seen(autoload, assigned) =>
        {
            let Assigned { value, file, line, .. } = Assigned::clone(assigned);
            Constant { value, file, line, pending: None, ..constant }
        }
        _ => constant,
    }
}
