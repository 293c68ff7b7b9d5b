//! `break`, `next` and `redo` that lead out of class bodies.
//!
//! A loop or block goes on around a class body inside it: `while true; class A; break; end; end` ends. The body is a frame of its
//! own, so it returns and leaves the jump to the code around it. Bodies that hold such a jump return three values, two that tell
//! which jump is meant and one it carries:
//!
//! | | first | second |
//! |---|---|---|
//! | the end of the body | nil | nil |
//! | `redo` | true | nil |
//! | `break` | true | true |
//! | `next` | true | false |

use crate::compiler::Compiler;
use crate::emit::{Dst, Reg};
use carat_iseq::Op;
use ruby_prism as pm;
use ruby_prism::Visit;

/// How a class body ends.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum ClassEnd {
    Normal,
    Redo,
    Break,
    Next,
}

impl ClassEnd {
    /// What puts the two values that tell.
    fn ops(self) -> [Op; 2] {
        match self {
            ClassEnd::Normal => [Op::putnil, Op::putnil],
            ClassEnd::Redo => [Op::puttrue, Op::putnil],
            ClassEnd::Break => [Op::puttrue, Op::puttrue],
            ClassEnd::Next => [Op::puttrue, Op::putfalse],
        }
    }
}

/// Whether the body of a class holds jumps that lead out of it.
pub(crate) fn jumps_out(body: &pm::Node<'_>) -> bool {
    let mut finder = JumpFinder { found: false };
    finder.visit(body);
    finder.found
}

struct JumpFinder {
    found: bool,
}

impl<'pr> Visit<'pr> for JumpFinder {
    fn visit_break_node(&mut self, _: &pm::BreakNode<'pr>) {
        self.found = true;
    }

    fn visit_next_node(&mut self, _: &pm::NextNode<'pr>) {
        self.found = true;
    }

    fn visit_redo_node(&mut self, _: &pm::RedoNode<'pr>) {
        self.found = true;
    }

    fn visit_block_node(&mut self, _: &pm::BlockNode<'pr>) {}
    fn visit_lambda_node(&mut self, _: &pm::LambdaNode<'pr>) {}
    fn visit_def_node(&mut self, _: &pm::DefNode<'pr>) {}
    fn visit_while_node(&mut self, _: &pm::WhileNode<'pr>) {}
    fn visit_until_node(&mut self, _: &pm::UntilNode<'pr>) {}

    fn visit_for_node(&mut self, node: &pm::ForNode<'pr>) {
        self.visit(&node.collection());
    }
}

impl<'pr> Compiler<'_, 'pr> {
    /// Ends a class body that tells how.
    pub(crate) fn leave_class(&mut self, end: ClassEnd, value: Reg) {
        self.scoped(|c| {
            c.f.hold(value);
            let first = c.f.next_temp;
            for (register, op) in (first..).zip(end.ops()) {
                c.f.abc(op, register, 0, 0);
                c.f.hold(register);
            }
            c.f.move_to(first + 2, value);
            c.f.hold(first + 2);
            c.f.abc(Op::newarray, first, first, 3);
            c.f.abc(Op::leave, first, 0, 0);
        });
    }

    /// Goes on where the body said whose three values are in `told`.
    pub(crate) fn after_class(&mut self, told: Reg, dst: Dst) {
        const IS_ARRAY: u8 = 2;
        self.scoped(|c| {
            c.f.hold(told);
            let first = c.f.next_temp;
            c.f.hold(first + 2);
            c.emit_expand_bits(IS_ARRAY, first, told, 3, 0);
            let (done, redo, leaves) = (c.f.label(), c.f.label(), c.f.label());
            c.jump_if(first, false, done);
            c.f.branch(Op::branchnil, first + 1, redo);
            c.jump_if(first + 1, true, leaves);
            c.next_with(first + 2);
            c.f.bind(leaves);
            c.break_with(first + 2);
            c.f.bind(redo);
            if c.may_redo() {
                c.redo_here();
            }
            c.f.bind(done);
            c.result(dst, first + 2);
        });
    }
}
