//! How many fields the instances of a class will get, read off its code before the first one is made.
//!
//! `initialize` and what it calls on self say which instance variables an object ends up with. The count becomes the class's
//! field hint, so that even the first instance has its fields in its slot. What life teaches later only raises it.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::method::MethodKind;
use crate::model::symbol::sym;
use crate::run::link::{LinkedIseq, LinkedSite};
use carat_iseq::{CallFlags, IseqKind, Op};
use carat_layout::{MAX_FIELDS_INLINE, SymbolId};
use std::sync::atomic::Ordering;

/// Methods that call methods that call methods are followed this far.
const DEPTH: u32 = 3;
/// A class whose `initialize` leads to more code than this is not worth reading whole.
const MOST_METHODS: usize = 32;

#[derive(Default)]
struct Found {
    fields: Vec<SymbolId>,
    methods: Vec<SymbolId>,
}

impl Class {
    /// Sets the field hint of a class of which no instance was made yet.
    #[cold]
    #[inline(never)]
    pub(crate) fn estimate_fields(self, ec: &Ec) {
        let data = self.data();
        if data.has_learned.swap(true, Ordering::Relaxed) {
            return;
        }
        let mut found = Found::default();
        self.read_method(ec, sym::INITIALIZE, DEPTH, &mut found);
        let count = found.fields.len().min(MAX_FIELDS_INLINE) as u16;
        data.field_hint.fetch_max(count, Ordering::Relaxed);
    }

    /// Follows a method that an instance would run, and its `super` methods.
    fn read_method(self, ec: &Ec, name: SymbolId, depth: u32, found: &mut Found) {
        if depth == 0 || found.methods.contains(&name) || found.methods.len() == MOST_METHODS {
            return;
        }
        found.methods.push(name);
        let mut method = self.find_method(ec, name);
        while let Some(entry) = method {
            let entry = entry.resolved(ec);
            let MethodKind::Iseq(iseq) = &entry.kind else { return };
            self.read_code(ec, iseq, depth, found);
            let calls_super = iseq.iseq.insns.iter().any(|insn| insn.op == Op::invokesuper);
            method = if calls_super { self.find_super_method(ec, entry) } else { None };
        }
    }

    fn read_code(self, ec: &Ec, iseq: &LinkedIseq, depth: u32, found: &mut Found) {
        iseq.link(ec);
        for insn in iseq.iseq.insns.iter().filter(|insn| insn.op == Op::setinstancevariable) {
            if let LinkedSite::Variable(name) = iseq.sites[usize::from(insn.c)]
                && !found.fields.contains(&name)
            {
                found.fields.push(name);
            }
        }
        for site in &iseq.sites {
            if let LinkedSite::Call(site) = site
                && site.flags.has(CallFlags::FCALL)
            {
                self.read_method(ec, site.name, depth - 1, found);
            }
        }
        for index in 0..iseq.iseq.child_count() {
            let child = iseq.child(index);
            if matches!(child.iseq.kind, IseqKind::Block | IseqKind::Lambda) {
                self.read_code(ec, &child, depth, found);
            }
        }
    }
}
