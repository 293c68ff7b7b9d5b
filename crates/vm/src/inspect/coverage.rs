//! What `coverage` instructions count while the library `coverage` measures.
//!
//! Lines and branches have their counters in the code's unit (`carat_iseq::coverage`), methods have theirs here: one place in
//! the source may define many. Code that was compiled while nobody measured has no such instructions.

use crate::ec::Ec;
use crate::model::method::{MethodEntry, MethodKind};
use crate::run::code::CodeKind;
use crate::run::frame::{self, Fp};
use crate::run::link::LinkedIseq;
use crate::run::proc::Proc;
use crate::value::array::Array;
use carat_iseq::Insn;
use carat_iseq::coverage::{Extent, counted};
use carat_layout::{SymbolId, Value};
use carat_sync::{Mutex, MutexGuard};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Of a VM.
#[derive(Default)]
pub struct Coverage {
    is_running: AtomicBool,
    calls: Mutex<Calls>,
}

#[derive(Default)]
struct Calls {
    counts: HashMap<MethodKey, u64>,
    /// The methods that were counted, for [`Vm::keep`](crate::Vm::keep): their owners are named in the result.
    kept: Option<Array>,
}

/// A method: `define_method` in a loop makes several of one block.
#[derive(Clone, PartialEq, Eq, Hash)]
struct MethodKey {
    owner: u64,
    name: SymbolId,
    unit: usize,
    extent: Extent,
}

impl Coverage {
    pub fn is_running(&self) -> bool {
        self.is_running.load(Ordering::Relaxed)
    }

    pub fn run(&self, is_running: bool) {
        self.is_running.store(is_running, Ordering::Relaxed);
    }

    fn calls(&self) -> MutexGuard<'_, Calls> {
        self.calls.lock().unwrap_or_else(|e| e.into_inner())
    }

    /// Forgets the calls that were counted.
    pub fn clear_calls(&self) {
        self.calls().counts.clear();
    }

    /// Lets go of the methods that were counted.
    pub fn forget_methods(&self, ec: &Ec) {
        self.clear_calls();
        let kept = self.calls().kept;
        if let Some(kept) = kept {
            kept.splice(ec, 0, kept.len(ec), Array::new(ec, 0));
        }
    }

    fn count_call(&self, ec: &Ec, entry: &MethodEntry) {
        let Some(key) = iseq_of(entry).and_then(|linked| key_of(entry, &linked)) else { return };
        let count = {
            let mut calls = self.calls();
            let count = calls.counts.entry(key).or_default();
            *count += 1;
            *count
        };
        if count == 1 && ec.is_main_ractor() {
            let kept = self.calls().kept;
            let kept = kept.unwrap_or_else(|| Array::expect(ec.vm().keep(Array::new(ec, 4).value())));
            kept.push(ec, entry.value());
            self.calls().kept = Some(kept);
        }
    }
}

/// A method of a unit that has counters.
pub struct CountedMethod {
    pub owner: Value,
    pub name: SymbolId,
    pub path: Arc<str>,
    pub extent: Extent,
    pub calls: u64,
}

fn iseq_of(entry: &MethodEntry) -> Option<Arc<LinkedIseq>> {
    match entry.kind {
        MethodKind::Iseq(ref linked) => Some(linked.clone()),
        MethodKind::Proc(proc) => Proc::expect(proc).iseq(),
        _ => None,
    }
}

fn key_of(entry: &MethodEntry, linked: &LinkedIseq) -> Option<MethodKey> {
    let unit = Arc::as_ptr(linked.iseq.unit()).addr();
    let owner = entry.owner_value().bits();
    Some(MethodKey { owner, name: entry.original_name, unit, extent: linked.iseq.extent()? })
}

impl Ec {
    /// The methods whose calls are counted, and how often they were called.
    pub fn counted_methods(&self) -> Vec<CountedMethod> {
        let calls = self.vm().coverage.calls().counts.clone();
        let mut found: HashMap<MethodKey, CountedMethod> = HashMap::new();
        self.heap().each_object(&mut |object| {
            let Some(entry) = MethodEntry::from_value(self, object) else { return };
            let Some(linked) = iseq_of(entry) else { return };
            let Some(key) = key_of(entry, &linked) else { return };
            found.entry(key.clone()).or_insert_with(|| CountedMethod {
                owner: entry.owner_value(),
                name: key.name,
                path: linked.iseq.path().clone(),
                extent: key.extent,
                calls: calls.get(&key).copied().unwrap_or(0),
            });
        });
        let mut methods: Vec<CountedMethod> = found.into_values().collect();
        methods.sort_by_key(|method| (method.extent, Value::symbol(method.name).bits()));
        methods
    }
}

/// The instruction `coverage` in a running frame.
#[inline(never)]
pub(crate) unsafe fn count(ec: &mut Ec, insn: Insn, fp: Fp) {
    // SAFETY: the running frame of Ruby code.
    unsafe {
        let code = fp.code();
        if insn.n != counted::METHOD {
            let counts = code.linked().iseq.unit().counts();
            return counts.into_iter().for_each(|counts| counts.count(insn.n, insn.d()));
        }
        let is_block = matches!(code.kind, CodeKind::Block | CodeKind::Lambda);
        if is_block && fp.word(frame::FLAGS) & frame::flags::BMETHOD == 0 {
            return;
        }
        let (method, _) = crate::run::interp::running_method(fp);
        if let Some(entry) = MethodEntry::from_value(ec, method) {
            ec.vm().coverage.count_call(ec, entry.resolved(ec));
        }
    }
}
