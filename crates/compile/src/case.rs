//! `case … when`.

use crate::compiler::Compiler;
use crate::coverage::{body_extent, clause_extent, extent};
use crate::emit::{Dst, Label, Reg};
use carat_iseq::{Literal, Op};
use ruby_prism as pm;
use std::ops::Range;

/// As many clauses as are asked one by one, and groups of them that are passed over one by one.
const GROUP: usize = 8;
/// Fewer clauses than so many in a row are asked one by one. With 60 of numbers or strings, groups and no groups take the same
/// time, interpreted and as machine code; with 300, groups a fifth.
const FEWEST_IN_GROUPS: usize = 8 * GROUP;

/// A group of clauses, and behind it those that it consists of.
fn divide(clauses: Range<usize>, groups: &mut Vec<Range<usize>>) {
    groups.push(clauses.clone());
    if clauses.len() > GROUP {
        let size = clauses.len().div_ceil(GROUP).max(GROUP);
        let parts = clauses.clone().step_by(size).map(|first| first..clauses.end.min(first + size));
        parts.for_each(|part| divide(part, groups));
    }
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn case_when(&mut self, node: &pm::CaseNode<'pr>, dst: Dst) {
        let end = self.f.label();
        let otherwise = node.else_clause();
        let mut fork = self.fork(&node.as_node(), "case", || extent(&node.location()));
        self.scoped(|c| {
            let result = c.case_result(dst);
            let subject = node.predicate().map(|predicate| c.held_subject(&predicate));
            let clauses: Vec<_> =
                node.conditions().iter().map(|one| one.as_when_node().expect("a case has when clauses")).collect();
            let mut groups = subject.map_or_else(Vec::new, |_| c.groups(&clauses)).into_iter().peekable();
            // Where the groups that a clause is in end; the innermost last.
            let mut ends: Vec<(usize, Label)> = Vec::new();
            for (at, clause) in clauses.iter().enumerate() {
                while let Some(group) = groups.next_if(|group| group.start == at) {
                    let label = c.f.label();
                    ends.push((group.end, label));
                    c.pass_over(&clauses[group], subject, label);
                }
                let next = c.f.label();
                c.when_conditions(clause, subject, next);
                c.fork_branch(&mut fork, "when", || body_extent(clause.statements(), &clause.location()));
                c.scoped(|c| {
                    c.f.next_temp = result.free;
                    c.statements_or_nil(clause.statements(), result.dst);
                });
                c.f.jump(end);
                c.f.bind(next);
                while let Some((_, label)) = ends.pop_if(|(end, _)| *end == at + 1) {
                    c.f.bind(label);
                }
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

    /// Clauses that are passed over together unless a table says that one of them may be meant, outermost first: of many in a
    /// row whose conditions are literals, so that few of them are asked one by one.
    fn groups(&self, clauses: &[pm::WhenNode<'pr>]) -> Vec<Range<usize>> {
        let mut groups = Vec::new();
        let mut first = 0;
        let mut run_ends_at = |end: usize| {
            if end - first >= FEWEST_IN_GROUPS {
                divide(first..end, &mut groups);
            }
            first = end + 1;
        };
        for (at, clause) in clauses.iter().enumerate() {
            if !clause.conditions().iter().all(|condition| self.key(&condition).is_some()) {
                run_ends_at(at);
            }
        }
        run_ends_at(clauses.len());
        groups
    }

    /// A condition that a table can hold.
    fn key(&self, condition: &pm::Node<'pr>) -> Option<Literal> {
        match condition.as_string_node() {
            Some(string) => Some(self.string_literal(&string)),
            None => self.static_literal(condition).filter(|literal| match literal {
                Literal::Integer(value) => i32::try_from(*value).is_ok(),
                literal => matches!(literal, Literal::Symbol(..) | Literal::Nil | Literal::True | Literal::False),
            }),
        }
    }

    /// Goes on at a label if no condition of the clauses is the subject.
    fn pass_over(&mut self, clauses: &[pm::WhenNode<'pr>], subject: Option<Reg>, label: Label) {
        let conditions = clauses.iter().flat_map(|clause| clause.conditions().iter().collect::<Vec<_>>());
        let keys = conditions.filter_map(|condition| Some((self.key(&condition)?, Literal::True))).collect();
        let Some(subject) = subject.filter(|_| self.f.has_short_literals()) else { return };
        let literal = self.f.short_literal(Literal::Hash(keys));
        self.scoped(|c| {
            let test = c.f.next_temp;
            c.f.reserve(test + 1);
            c.f.abc(Op::casehas, test, subject, literal);
            c.jump_if(test, false, label);
        });
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
