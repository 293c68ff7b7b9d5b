//! What a block reaches of the scopes around it: a block for another Ractor may reach nothing.

use crate::ec::Ec;
use crate::frame::Fp;
use crate::proc::Proc;
use carat_iseq::{Iseq, IseqKind, Op};
use carat_layout::{SymbolId, Value};

/// A variable of an enclosing scope: how many environments up from the block, and its register there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outer {
    level: u16,
    register: u16,
    is_written: bool,
}

/// Collects what `iseq`, which lies `depth` blocks inside the block in question, reaches outside of that block.
fn collect(iseq: &Iseq, depth: u16, found: &mut Vec<Outer>) {
    let mut word = 0;
    while word < iseq.insns.len() {
        let insn = iseq.insns[word];
        if matches!(insn.op, Op::getlocal | Op::setlocal | Op::getblockparam | Op::getblockparamproxy) && insn.c > depth
        {
            found.push(Outer { level: insn.c - depth, register: insn.b, is_written: insn.op == Op::setlocal });
        }
        word += insn.op.format().words();
    }
    for child in &iseq.children {
        if matches!(child.kind, IseqKind::Block | IseqKind::Lambda) {
            collect(child, depth + 1, found);
        }
    }
}

impl Proc {
    fn outer(self) -> Vec<Outer> {
        let mut found = Vec::new();
        if let Some(linked) = self.iseq() {
            collect(&linked.iseq, 0, &mut found);
        }
        found
    }

    fn environment(self, level: u16) -> Fp {
        let mut env = self.env();
        // SAFETY: a proc's environments live as long as it does; the compiler counted the levels.
        unsafe {
            for _ in 1..level {
                env = env.parent();
            }
        }
        env
    }

    /// Names of the outer variables that the block uses, each once, in order of appearance.
    pub fn outer_variables(self, ec: &Ec) -> Vec<SymbolId> {
        let mut names = Vec::new();
        for outer in self.outer() {
            // SAFETY: see `environment`; an environment stores its code.
            let code = unsafe { self.environment(outer.level).code() };
            let locals = &code.linked().iseq.locals;
            if let Some(local) = locals.iter().find(|l| l.register == outer.register) {
                let name = ec.vm().intern(&String::from_utf8_lossy(&local.name));
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Values of the outer variables that the block uses; the second part says whether it assigns to any.
    pub fn outer_values(self, ec: &Ec) -> (crate::Array, bool) {
        let outer = self.outer();
        let values = crate::Array::new(ec, outer.len());
        for place in &outer {
            // SAFETY: as above; the compiler numbered the registers.
            let value: Value = unsafe { self.environment(place.level).reg(usize::from(place.register)) };
            values.push(ec, value);
        }
        (values, outer.iter().any(|o| o.is_written))
    }
}
