//! `case … when`.

use crate::compiler::Compiler;
use crate::coverage::{body_extent, clause_extent, extent};
use crate::emit::{Dst, Label, Reg};
use carat_iseq::Op;
use ruby_prism as pm;

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn case_when(&mut self, node: &pm::CaseNode<'pr>, dst: Dst) {
        let end = self.f.label();
        let otherwise = node.else_clause();
        let mut fork = self.fork(&node.as_node(), "case", || extent(&node.location()));
        self.scoped(|c| {
            let result = c.case_result(dst);
            let subject = node.predicate().map(|predicate| c.held_subject(&predicate));
            for clause in &node.conditions() {
                let clause = clause.as_when_node().expect("a case has when clauses");
                let next = c.f.label();
                c.when_conditions(&clause, subject, next);
                c.fork_branch(&mut fork, "when", || body_extent(clause.statements(), &clause.location()));
                c.scoped(|c| {
                    c.f.next_temp = result.free;
                    c.statements_or_nil(clause.statements(), result.dst);
                });
                c.f.jump(end);
                c.f.bind(next);
            }
            c.f.next_temp = result.free;
            c.fork_branch(&mut fork, "else", || match &otherwise {
                Some(otherwise) => clause_extent(&otherwise.as_node()),
                None => extent(&node.location()),
            });
            match otherwise {
                Some(otherwise) => c.else_clause(&otherwise, result.dst),
                None => c.f.nil_if(result.dst),
            }
        });
        self.f.bind(end);
    }

    /// Bodies start where the subject was: it is not needed any more.
    pub(crate) fn case_result(&self, dst: Dst) -> CaseResult {
        CaseResult { dst, free: self.f.next_temp }
    }

    /// A subject that a condition may assign is copied.
    pub(crate) fn held_subject(&mut self, predicate: &pm::Node<'pr>) -> Reg {
        self.push(predicate)
    }

    fn when_conditions(&mut self, clause: &pm::WhenNode<'pr>, subject: Option<Reg>, next: Label) {
        let conditions: Vec<_> = clause.conditions().iter().collect();
        let matched = self.f.label();
        let last = conditions.len() - 1;
        for (index, condition) in conditions.iter().enumerate() {
            let (target, when) = if index == last { (next, false) } else { (matched, true) };
            match subject {
                Some(subject) => self.when_condition(condition, subject, target, when),
                None => self.when_truthy(condition, target, when),
            }
        }
        self.f.bind(matched);
    }

    fn when_condition(&mut self, condition: &pm::Node<'pr>, subject: Reg, target: Label, when: bool) {
        self.scoped(|c| {
            c.at_node(condition);
            let test = c.f.next_temp;
            let is_splat = condition.as_splat_node().is_some();
            let pattern = match condition.as_string_node() {
                // Nobody sees the string, so it is not copied.
                Some(string) => {
                    let literal = c.string_literal(&string);
                    c.f.put_literal(test, literal);
                    test
                }
                None if is_splat => {
                    c.splat_value(condition, test);
                    c.f.nabc(Op::splatarray, 0, test, test, 0);
                    test
                }
                None => c.operand(condition),
            };
            c.f.hold(pattern);
            c.at_node(condition);
            c.f.reserve(test + 1);
            c.f.nabc(Op::checkmatch, u8::from(is_splat), test, pattern, subject);
            c.f.ext(test, b"===", 1, carat_iseq::CallFlags::FCALL);
            c.jump_if(test, when, target);
        });
    }

    /// `case` without a subject: the first truthy condition.
    fn when_truthy(&mut self, condition: &pm::Node<'pr>, target: Label, when: bool) {
        self.at_node(condition);
        if condition.as_splat_node().is_none() {
            return self.branch(condition, target, when);
        }
        self.scoped(|c| {
            let test = c.f.next_temp;
            let window = c.window(false);
            c.splat_value(condition, window.base);
            c.f.nabc(Op::splatarray, 0, window.base, window.base, 0);
            c.f.hold(window.base);
            c.send_window(window, crate::arguments::Shape::default(), b"any?", 0, None, test);
            c.jump_if(test, when, target);
        });
    }
}

/// Where the clauses of a `case` leave their value, and where their temporaries start.
#[derive(Clone, Copy)]
pub(crate) struct CaseResult {
    pub(crate) dst: Dst,
    pub(crate) free: Reg,
}
