//! `rescue`, `else`, `ensure`.
//!
//! # Layout
//! Handlers lie behind the body they serve, inside the catch ranges of whatever is around both. A handler's register pair
//! is where the body's temporaries begin: the body's are dead when the handler runs.

use crate::compiler::Compiler;
use crate::control::{Control, INLINE_ENSURES, Segments};
use crate::emit::{Dst, Label, Reg};
use carat_iseq::{CatchKind, Op};
use ruby_prism as pm;
use std::rc::Rc;

/// What a handler without a list of classes takes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Caught {
    StandardErrors,
    All,
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn begin(&mut self, node: &pm::BeginNode<'pr>, dst: Dst) {
        match node.ensure_clause() {
            Some(clause) => self.ensure(node, Rc::new(clause), dst),
            None => self.rescue_and_else(node, dst),
        }
    }

    fn segments(&self) -> Segments {
        let mut segments = Segments::default();
        segments.open(self.f.pos());
        segments
    }

    fn ensure(&mut self, node: &pm::BeginNode<'pr>, clause: Rc<pm::EnsureNode<'pr>>, dst: Dst) {
        if self.f.ensure_bodies + self.inline_ensures_around() >= INLINE_ENSURES {
            return self.scoped(|c| c.ensure_once(node, clause, dst));
        }
        let register = self.f.next_temp;
        let end = self.f.label();
        let value = dst.map(|_| self.scratch(dst));
        let segments = self.segments();
        self.f.controls.push(Control::Ensure { clause: clause.clone(), segments, kept: None });
        self.rescue_and_else(node, value);
        let mut segments = self.end_ensure();
        segments.close(self.f.pos());
        if !self.f.is_dead() {
            self.scoped(|c| {
                value.inspect(|&value| c.f.hold(value));
                c.ensure_body(&clause);
            });
            value.inspect(|&value| self.result(dst, value));
            self.f.jump(end);
        }
        self.ensure_handler(&clause, &segments, register);
        self.f.bind(end);
    }

    /// As [`Compiler::ensure`], with one copy of the clause's body: the end of the code before it throws, too.
    fn ensure_once(&mut self, node: &pm::BeginNode<'pr>, clause: Rc<pm::EnsureNode<'pr>>, dst: Dst) {
        let value = dst.map(|_| self.scratch(dst));
        if let Some(value) = value.filter(|&value| value >= self.f.next_temp) {
            self.f.nil(value);
            self.f.hold(value);
        }
        let kept = self.f.next_temp;
        self.f.nil(kept);
        self.f.hold(kept);
        let (register, end) = (self.f.next_temp, self.f.label());
        let segments = self.segments();
        self.f.controls.push(Control::Ensure { clause: clause.clone(), segments, kept: Some(kept) });
        self.rescue_and_else(node, value);
        if !self.f.is_dead() {
            self.f.branch(Op::throw_jump, 0, end);
        }
        let mut segments = self.end_ensure();
        segments.close(self.f.pos());
        self.ensure_handler(&clause, &segments, register);
        self.throw_target(end);
        value.inspect(|&value| self.result(dst, value));
    }

    /// The constructs around this place whose clauses every way out copies.
    fn inline_ensures_around(&self) -> usize {
        self.f.controls.iter().filter(|control| matches!(control, Control::Ensure { kept: None, .. })).count()
    }

    fn end_ensure(&mut self) -> Segments {
        let Some(Control::Ensure { segments, .. }) = self.f.controls.pop() else { unreachable!() };
        segments
    }

    fn ensure_handler(&mut self, clause: &pm::EnsureNode<'pr>, segments: &Segments, register: Reg) {
        self.f.add_catch(CatchKind::Ensure, &segments.done, register);
        let covered = self.in_handler(register, None, |c| c.ensure_body(clause));
        self.end_handler(&covered, register, self.f.line);
    }

    /// The code of an `ensure` clause.
    pub(crate) fn ensure_body(&mut self, clause: &pm::EnsureNode<'pr>) {
        self.f.ensure_bodies += 1;
        self.scoped(|c| c.statements_or_nil(clause.statements(), None));
        self.f.ensure_bodies -= 1;
    }

    /// Goes on unwinding. The next handler is to find the `$!` that this one found.
    fn rethrow(&mut self, register: Reg) {
        self.f.abc(Op::seterrinfo, register + 1, 0, 0);
        self.f.abc(Op::rethrow, register, 0, 0);
    }

    /// Compiles code that runs with an exception in `register` and the previous `$!` behind it; the words it takes.
    fn in_handler(&mut self, register: Reg, retry: Option<Label>, code: impl FnOnce(&mut Self)) -> Segments {
        self.scoped(|c| {
            c.f.hold(register + 1);
            c.f.controls.push(Control::Handler { register, retry });
            let segments = c.segments();
            c.f.controls.push(Control::Protected(segments));
            code(c);
            let segments = c.end_protected();
            c.f.controls.pop();
            segments
        })
    }

    /// Behind a handler's code: what it did not rescue goes on, and so does what its code raised. Either way `$!` is given
    /// back the value that the handler found, since whoever rescues next keeps what it finds. `line` is the one that `caller` shows of
    /// the code around while the handler's runs.
    fn end_handler(&mut self, covered: &Segments, register: Reg, line: i32) {
        self.rethrow(register);
        let raised = register + 2;
        self.f.add_catch(CatchKind::Ensure, &covered.done, raised);
        let last = std::mem::replace(&mut self.f.line, line);
        self.f.abc(Op::seterrinfo, register + 1, 0, 0);
        self.f.abc(Op::rethrow, raised, 0, 0);
        self.f.line = last;
    }

    fn rescue_and_else(&mut self, node: &pm::BeginNode<'pr>, dst: Dst) {
        let Some(clause) = node.rescue_clause() else {
            let body_dst = if node.else_clause().is_some() { None } else { dst };
            self.statements_or_nil(node.statements(), body_dst);
            if let Some(otherwise) = node.else_clause() {
                self.else_clause(&otherwise, dst);
            }
            return;
        };
        let register = self.f.next_temp;
        let end = self.f.label();
        let start = self.f.here();
        let segments = self.segments();
        self.f.controls.push(Control::Protected(segments));
        let body_dst = if node.else_clause().is_some() { None } else { dst };
        self.statements_or_nil(node.statements(), body_dst);
        let segments = self.end_protected();
        if let Some(otherwise) = node.else_clause() {
            self.else_clause(&otherwise, dst);
        }
        self.f.jump(end);
        self.start_handler(&segments, register);
        let covered = self.in_handler(register, Some(start), |c| c.rescue_clauses(clause, register, end, dst));
        let line = self.lines.start(&node.location());
        self.end_handler(&covered, register, line);
        self.f.bind(end);
    }

    fn end_protected(&mut self) -> Segments {
        let Some(Control::Protected(mut segments)) = self.f.controls.pop() else { unreachable!() };
        segments.close(self.f.pos());
        segments
    }

    fn start_handler(&mut self, segments: &Segments, register: Reg) {
        self.f.add_catch(CatchKind::Rescue, &segments.done, register);
    }

    fn rescue_clauses(&mut self, first: pm::RescueNode<'pr>, register: Reg, end: Label, dst: Dst) {
        let mut clause = Some(first);
        while let Some(node) = clause {
            let (matched, next) = (self.f.label(), self.f.label());
            self.at(&node.location());
            self.test_exceptions(&node.exceptions(), register, matched);
            self.f.jump(next);
            self.f.bind(matched);
            if let Some(reference) = node.reference() {
                self.scoped(|c| c.assign(&reference, register));
            }
            self.statements_or_nil(node.statements(), dst);
            self.leave_handler(register, end);
            self.f.bind(next);
            clause = node.subsequent();
        }
    }

    fn leave_handler(&mut self, register: Reg, end: Label) {
        if !self.f.is_dead() {
            self.f.abc(Op::seterrinfo, register + 1, 0, 0);
            self.f.jump(end);
        }
    }

    fn test_exceptions(&mut self, exceptions: &pm::NodeList<'pr>, register: Reg, matched: Label) {
        if exceptions.is_empty() {
            return self.test_standard_error(register, matched);
        }
        for exception in exceptions {
            self.at_node(&exception);
            let test = self.f.next_temp;
            match exception.as_splat_node().and_then(|splat| splat.expression()) {
                Some(list) => {
                    self.expr(&list, test);
                    self.f.nabc(Op::splatarray, 0, test, test, 0);
                    self.f.nabc(Op::checkrescue, 1, test, test, register);
                }
                None => {
                    let class = self.operand(&exception);
                    self.f.abc(Op::checkrescue, test, class, register);
                }
            }
            self.jump_if(test, true, matched);
        }
    }

    fn test_standard_error(&mut self, register: Reg, matched: Label) {
        let test = self.f.next_temp;
        self.get_constant(&[b"", b"StandardError"], test);
        self.f.abc(Op::checkrescue, test, test, register);
        self.jump_if(test, true, matched);
    }

    pub(crate) fn rescue_modifier(&mut self, node: &pm::RescueModifierNode<'pr>, dst: Dst) {
        let expression = node.expression();
        let rescue = node.rescue_expression();
        let body = |c: &mut Self, dst| c.compile(&expression, dst);
        self.protect(dst, Caught::StandardErrors, body, |c, dst| c.compile(&rescue, dst));
    }

    /// `body`, or `handler` if it raises.
    pub(crate) fn protect(
        &mut self,
        dst: Dst,
        caught: Caught,
        body: impl FnOnce(&mut Self, Dst),
        handler: impl FnOnce(&mut Self, Dst),
    ) {
        let register = self.f.next_temp;
        let (end, matched) = (self.f.label(), self.f.label());
        let start = self.f.here();
        let segments = self.segments();
        self.f.controls.push(Control::Protected(segments));
        body(self, dst);
        let segments = self.end_protected();
        self.f.jump(end);
        self.start_handler(&segments, register);
        let covered = self.in_handler(register, Some(start), |c| {
            let other = c.f.label();
            if caught == Caught::StandardErrors {
                c.test_standard_error(register, matched);
                c.f.jump(other);
            }
            c.f.bind(matched);
            handler(c, dst);
            c.leave_handler(register, end);
            c.f.bind(other);
        });
        self.end_handler(&covered, register, self.f.line);
        self.f.bind(end);
    }
}
