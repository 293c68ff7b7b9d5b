//! Pattern matching: `case … in`, `=>`, `in`.
//!
//! A pattern is compiled against a held register and jumps to a label if it does not match. The array that `deconstruct`
//! returns for a subject is kept for the clauses behind.

use crate::compiler::Compiler;
use crate::coverage::{body_extent, clause_extent, extent};
use crate::emit::{Dst, Label, Reg};
use crate::pattern_error::Piece::{Inspect, Text};
use carat_iseq::{Literal, Op};
use ruby_prism as pm;

/// Operands of `checktype`.
const ARRAY: u8 = 0;
const HASH: u8 = 1;

/// Bit of `expandarray`: the value is known to be an Array.
const IS_ARRAY: u8 = 2;

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn case_in(&mut self, node: &pm::CaseMatchNode<'pr>, dst: Dst) {
        let end = self.f.label();
        let result = self.case_result(dst);
        let conditions: Vec<_> = node.conditions().iter().collect();
        let predicate = node.predicate().expect("a case with patterns has a subject");
        let mut fork = self.fork(&node.as_node(), "case", || extent(&node.location()));
        self.scoped(|c| {
            let subject = c.push(&predicate);
            let cache = c.push_nil();
            let outer = c.pattern_error.take();
            let explains = conditions.len() == 1 && node.else_clause().is_none();
            c.pattern_error = explains.then(|| c.push_error_registers());
            for clause in &conditions {
                let clause = clause.as_in_node().expect("a case with patterns has in clauses");
                let next = c.f.label();
                c.pattern(&clause.pattern(), subject, Some(cache), next);
                let own = c.pattern_error.take();
                c.fork_branch(&mut fork, "in", || body_extent(clause.statements(), &clause.location()));
                c.scoped(|c| {
                    c.f.next_temp = result.free;
                    c.statements_or_nil(clause.statements(), result.dst);
                });
                c.pattern_error = own;
                c.f.jump(end);
                c.f.bind(next);
            }
            c.fork_branch(&mut fork, "else", || match node.else_clause() {
                Some(otherwise) => clause_extent(&otherwise.as_node()),
                None => extent(&node.location()),
            });
            match node.else_clause() {
                Some(otherwise) => {
                    c.f.next_temp = result.free;
                    c.else_clause(&otherwise, result.dst);
                }
                None => {
                    c.at(&node.location());
                    c.raise_no_match(subject);
                    c.f.nil_if(result.dst);
                }
            }
            c.pattern_error = outer;
        });
        self.f.bind(end);
    }

    /// `value => pattern`
    pub(crate) fn match_required(&mut self, node: &pm::MatchRequiredNode<'pr>, dst: Dst) {
        let (fail, end) = (self.f.label(), self.f.label());
        self.scoped(|c| {
            let subject = c.push(&node.value());
            let registers = c.push_error_registers();
            let outer = c.pattern_error.replace(registers);
            c.pattern(&node.pattern(), subject, None, fail);
            c.f.jump(end);
            c.f.bind(fail);
            c.at(&node.location());
            c.raise_no_match(subject);
            c.pattern_error = outer;
        });
        self.f.bind(end);
        self.f.nil_if(dst);
    }

    /// `value in pattern`
    pub(crate) fn match_predicate(&mut self, node: &pm::MatchPredicateNode<'pr>, dst: Dst) {
        let (fail, end) = (self.f.label(), self.f.label());
        self.scoped(|c| {
            let subject = c.push(&node.value());
            let outer = c.pattern_error.take();
            c.pattern(&node.pattern(), subject, None, fail);
            c.pattern_error = outer;
        });
        if let Some(dst) = dst {
            self.f.abc(Op::puttrue, dst, 0, 0);
            self.f.jump(end);
        }
        self.f.bind(fail);
        if let Some(dst) = dst {
            self.f.abc(Op::putfalse, dst, 0, 0);
        }
        self.f.bind(end);
    }

    fn pattern(&mut self, node: &pm::Node<'pr>, subject: Reg, cache: Option<Reg>, fail: Label) {
        use pm::Node;
        self.at_node(node);
        match node {
            Node::ArrayPatternNode { .. } => {
                self.array_pattern(&node.as_array_pattern_node().expect("matched"), subject, cache, fail);
            }
            Node::FindPatternNode { .. } => {
                self.find_pattern(&node.as_find_pattern_node().expect("matched"), subject, cache, fail);
            }
            Node::HashPatternNode { .. } => {
                self.hash_pattern(&node.as_hash_pattern_node().expect("matched"), subject, fail);
            }
            Node::AlternationPatternNode { .. } => {
                let either = node.as_alternation_pattern_node().expect("matched");
                let (second, end) = (self.f.label(), self.f.label());
                self.pattern(&either.left(), subject, cache, second);
                self.f.jump(end);
                self.f.bind(second);
                self.pattern(&either.right(), subject, cache, fail);
                self.f.bind(end);
            }
            Node::CapturePatternNode { .. } => {
                let capture = node.as_capture_pattern_node().expect("matched");
                self.pattern(&capture.value(), subject, cache, fail);
                self.assign(&capture.target().as_node(), subject);
            }
            Node::LocalVariableTargetNode { .. } => self.assign(node, subject),
            Node::ImplicitNode { .. } => {
                self.pattern(&node.as_implicit_node().expect("matched").value(), subject, cache, fail);
            }
            Node::ParenthesesNode { .. } => {
                let inner = node.as_parentheses_node().and_then(|n| n.body()).expect("a pattern in parentheses");
                self.pattern(&inner, subject, cache, fail);
            }
            Node::StatementsNode { .. } => {
                let inner = node.as_statements_node().and_then(|n| n.body().first()).expect("one pattern");
                self.pattern(&inner, subject, cache, fail);
            }
            Node::IfNode { .. } => {
                let guard = node.as_if_node().expect("matched");
                self.guarded(guard.statements(), &guard.predicate(), true, subject, cache, fail);
            }
            Node::UnlessNode { .. } => {
                let guard = node.as_unless_node().expect("matched");
                self.guarded(guard.statements(), &guard.predicate(), false, subject, cache, fail);
            }
            Node::PinnedVariableNode { .. } => {
                self.value_pattern(&node.as_pinned_variable_node().expect("matched").variable(), subject, fail);
            }
            Node::PinnedExpressionNode { .. } => {
                self.value_pattern(&node.as_pinned_expression_node().expect("matched").expression(), subject, fail);
            }
            _ => self.value_pattern(node, subject, fail),
        }
    }

    fn guarded(
        &mut self,
        pattern: Option<pm::StatementsNode<'pr>>,
        condition: &pm::Node<'pr>,
        when: bool,
        subject: Reg,
        cache: Option<Reg>,
        fail: Label,
    ) {
        let pattern = pattern.expect("a guard belongs to a pattern");
        self.pattern(&pattern.as_node(), subject, cache, fail);
        let own = self.pattern_error.take();
        let test = self.operand(condition);
        self.pattern_error = own;
        self.require_if(test, when, fail, &[Text("guard clause does not return true")]);
    }

    /// `value === subject`
    fn value_pattern(&mut self, node: &pm::Node<'pr>, subject: Reg, fail: Label) {
        self.scoped(|c| {
            let own = c.pattern_error.take();
            let value = c.held(node);
            c.pattern_error = own;
            c.at_node(node);
            let test = c.f.next_temp;
            c.f.nabc(Op::checkmatch, 0, test, value, subject);
            c.f.ext(test, b"===", 1, carat_iseq::CallFlags::FCALL);
            let message = [Inspect(value), Text(" === "), Inspect(subject), Text(" does not return true")];
            c.require(test, fail, &message);
        });
    }

    fn constant_pattern(&mut self, constant: Option<pm::Node<'pr>>, subject: Reg, fail: Label) {
        if let Some(constant) = constant {
            self.value_pattern(&constant, subject, fail);
        }
    }

    /// Calls `deconstruct` unless an earlier clause has, and leaves the array in a held register.
    fn deconstruct(&mut self, subject: Reg, cache: Option<Reg>, fail: Label) -> Reg {
        let array = cache.unwrap_or_else(|| self.push_nil());
        let ready = self.f.label();
        let unknown = self.f.label();
        if cache.is_some() {
            // False: the subject does not respond.
            self.f.branch(Op::branchnil, array, unknown);
            self.require(array, fail, &[Inspect(subject), Text(" does not respond to #deconstruct")]);
            self.f.jump(ready);
            self.f.bind(unknown);
        }
        self.scoped(|c| {
            let test = c.f.next_temp;
            c.responds(subject, b"deconstruct", test);
            if cache.is_some() {
                let found = c.f.label();
                c.jump_if(test, true, found);
                c.f.abc(Op::putfalse, array, 0, 0);
                c.f.bind(found);
            }
            c.require(test, fail, &[Inspect(subject), Text(" does not respond to #deconstruct")]);
            c.send_values(subject, b"deconstruct", &[], array);
            c.require_type(array, ARRAY, "deconstruct must return Array");
        });
        self.f.bind(ready);
        array
    }

    fn responds(&mut self, subject: Reg, name: &[u8], dst: Reg) {
        self.scoped(|c| {
            let method = c.f.next_temp;
            c.put_symbol(name, method);
            c.f.hold(method);
            c.send_values(subject, b"respond_to?", &[method], dst);
        });
    }

    fn require_type(&mut self, value: Reg, kind: u8, message: &str) {
        let fits = self.f.label();
        let test = self.f.next_temp;
        self.f.nabc(Op::checktype, kind, test, value, 0);
        self.jump_if(test, true, fits);
        self.raise(b"TypeError", message);
        self.f.bind(fits);
    }

    /// Fails unless the array has `count` elements, or at least as many.
    fn require_length(&mut self, array: Reg, count: usize, at_least: bool, fail: Label) -> Reg {
        let length = self.f.next_temp;
        self.f.abc(Op::opt_length, length, array, 0);
        self.f.ext(length, b"length", 0, 0);
        self.f.hold(length);
        self.scoped(|c| {
            let expected = c.f.next_temp;
            c.f.put_integer(expected, count as i32);
            c.f.hold(expected);
            let test = c.f.next_temp;
            c.f.reserve(test + 1);
            let (op, name): (Op, &[u8]) = if at_least { (Op::opt_ge, b">=") } else { (Op::opt_eq, b"==") };
            c.f.abc(op, test, length, expected);
            c.f.ext(test, name, 1, 0);
            let end = if at_least { "+)" } else { ")" };
            let message = [
                Inspect(array),
                Text(" length mismatch (given "),
                Inspect(length),
                Text(", expected "),
                Inspect(expected),
                Text(end),
            ];
            c.require(test, fail, &message);
        });
        length
    }

    fn array_pattern(&mut self, node: &pm::ArrayPatternNode<'pr>, subject: Reg, cache: Option<Reg>, fail: Label) {
        let leads: Vec<_> = node.requireds().iter().collect();
        let posts: Vec<_> = node.posts().iter().collect();
        let rest = node.rest();
        self.constant_pattern(node.constant(), subject, fail);
        if !self.f.has_room(leads.len() + posts.len(), "elements of a pattern") {
            return;
        }
        self.scoped(|c| {
            let array = c.deconstruct(subject, cache, fail);
            c.scoped(|c| c.require_length(array, leads.len() + posts.len(), rest.is_some(), fail));
            let rest = rest.and_then(|rest| rest.as_splat_node()).and_then(|splat| splat.expression());
            let takes_rest = rest.is_some() || !posts.is_empty() && node.rest().is_some();
            let count = leads.len() + usize::from(takes_rest) + posts.len();
            if count == 0 {
                return;
            }
            let first = c.f.next_temp;
            let bits = u8::from(takes_rest) | IS_ARRAY;
            c.f.window(0);
            c.emit_expand_bits(bits, first, array, leads.len() as u16, posts.len() as u16);
            c.f.hold(first + count as Reg - 1);
            for (register, lead) in (first..).zip(&leads) {
                c.pattern(lead, register, None, fail);
            }
            if let Some(rest) = rest {
                c.assign(&rest, first + leads.len() as Reg);
            }
            let first_post = first + leads.len() as Reg + Reg::from(takes_rest);
            for (register, post) in (first_post..).zip(&posts) {
                c.pattern(post, register, None, fail);
            }
        });
    }

    fn find_pattern(&mut self, node: &pm::FindPatternNode<'pr>, subject: Reg, cache: Option<Reg>, fail: Label) {
        let wanted: Vec<_> = node.requireds().iter().collect();
        self.constant_pattern(node.constant(), subject, fail);
        if !self.f.has_room(wanted.len(), "elements of a pattern") {
            return;
        }
        self.scoped(|c| {
            let array = c.deconstruct(subject, cache, fail);
            let length = c.require_length(array, wanted.len(), true, fail);
            let index = c.f.next_temp;
            c.f.put_integer(index, 0);
            c.f.hold(index);
            let (round, next, found) = (c.f.here(), c.f.label(), c.f.label());
            // What fails inside is not what failed in the end.
            let own = c.pattern_error.take();
            for (offset, pattern) in wanted.iter().enumerate() {
                c.scoped(|c| {
                    let element = c.element_at(array, index, offset);
                    c.f.hold(element);
                    c.pattern(pattern, element, None, next);
                });
            }
            c.f.jump(found);
            c.f.bind(next);
            c.f.abc(Op::opt_plus_imm, index, index, 1);
            c.f.ext(index, b"+", 1, 0);
            c.pattern_error = own;
            c.scoped(|c| {
                let last = c.f.next_temp;
                c.f.abc(Op::opt_plus_imm, last, index, wanted.len() as u16);
                c.f.ext(last, b"+", 1, 0);
                c.f.hold(last);
                let test = c.f.next_temp;
                c.f.reserve(test + 1);
                c.f.abc(Op::opt_le, test, last, length);
                c.f.ext(test, b"<=", 1, 0);
                c.require(test, fail, &[Inspect(array), Text(" does not match to find pattern")]);
            });
            c.f.jump_back(round);
            c.f.bind(found);
            c.find_rests(node, array, length, index, wanted.len());
        });
    }

    fn element_at(&mut self, array: Reg, index: Reg, offset: usize) -> Reg {
        let element = self.f.next_temp;
        self.f.abc(Op::opt_plus_imm, element, index, offset as u16);
        self.f.ext(element, b"+", 1, 0);
        self.f.hold(element);
        self.f.abc(Op::opt_aref, element, array, element);
        self.f.ext(element, b"[]", 1, 0);
        element
    }

    /// Assigns what stands before and behind the elements found.
    fn find_rests(&mut self, node: &pm::FindPatternNode<'pr>, array: Reg, length: Reg, index: Reg, count: usize) {
        let target = |node: Option<pm::SplatNode<'pr>>| node.and_then(|splat| splat.expression());
        if let Some(before) = target(Some(node.left())) {
            self.scoped(|c| {
                let zero = c.f.next_temp;
                c.f.put_integer(zero, 0);
                c.f.hold(zero);
                c.send_values(array, b"[]", &[zero, index], zero);
                c.assign(&before, zero);
            });
        }
        if let Some(behind) = target(Some(node.right())) {
            self.scoped(|c| {
                let start = c.f.next_temp;
                c.f.abc(Op::opt_plus_imm, start, index, count as u16);
                c.f.ext(start, b"+", 1, 0);
                c.f.hold(start);
                c.send_values(array, b"[]", &[start, length], start);
                c.assign(&behind, start);
            });
        }
    }

    fn hash_pattern(&mut self, node: &pm::HashPatternNode<'pr>, subject: Reg, fail: Label) {
        let elements: Vec<_> = node.elements().iter().filter_map(|element| element.as_assoc_node()).collect();
        let rest = node.rest();
        let is_closed = elements.is_empty() && rest.is_none();
        let forbids_rest = rest.as_ref().is_some_and(|rest| rest.as_no_keywords_parameter_node().is_some());
        let rest = rest.and_then(|rest| rest.as_assoc_splat_node()).and_then(|splat| splat.value());
        self.constant_pattern(node.constant(), subject, fail);
        self.scoped(|c| {
            let test = c.f.next_temp;
            c.responds(subject, b"deconstruct_keys", test);
            c.require(test, fail, &[Inspect(subject), Text(" does not respond to #deconstruct_keys")]);
            let hash = c.f.next_temp;
            c.push_keys(&elements, rest.is_some() || forbids_rest || is_closed);
            c.send_values(subject, b"deconstruct_keys", &[hash], hash);
            c.require_type(hash, HASH, "deconstruct_keys must return Hash");
            let takes_rest = rest.is_some() || forbids_rest;
            if takes_rest {
                c.send_values(hash, b"dup", &[], hash);
            }
            // All keys have to be there before any value is looked at.
            if let [only] = &elements[..] {
                c.scoped(|c| {
                    let key = c.hash_key(only, hash, fail);
                    c.hash_value(only, key, hash, takes_rest, fail);
                });
            } else {
                for element in &elements {
                    c.scoped(|c| c.hash_key(element, hash, fail));
                }
                for element in &elements {
                    c.scoped(|c| {
                        let key = c.push(&element.key());
                        c.hash_value(element, key, hash, takes_rest, fail);
                    });
                }
            }
            let test = c.f.next_temp;
            if forbids_rest || is_closed {
                c.f.abc(Op::opt_empty_p, test, hash, 0);
                c.f.ext(test, b"empty?", 0, 0);
                let prefix = if forbids_rest { "rest of " } else { "" };
                c.require(test, fail, &[Text(prefix), Inspect(hash), Text(" is not empty")]);
            }
            if let Some(rest) = rest {
                c.assign(&rest, hash);
            }
        });
    }

    /// The keys that the pattern asks for; nil, all of them, if it looks at the rest too.
    fn push_keys(&mut self, elements: &[pm::AssocNode<'pr>], sees_rest: bool) {
        if sees_rest {
            self.push_nil();
            return;
        }
        let dst = self.f.next_temp;
        let keys: Vec<Literal> = elements.iter().filter_map(|element| self.static_literal(&element.key())).collect();
        if keys.is_empty() {
            self.f.abc(Op::newarray, dst, dst, 0);
        } else {
            self.f.copy_literal(Op::duparray, dst, Literal::Array(keys));
        }
        self.f.hold(dst);
    }

    /// Fails unless the hash has the key, whose register this is.
    fn hash_key(&mut self, element: &pm::AssocNode<'pr>, hash: Reg, fail: Label) -> Reg {
        let key = self.push(&element.key());
        let is_there = self.f.next_temp;
        self.f.reserve(is_there + 1);
        self.send_values(hash, b"key?", &[key], is_there);
        self.require_key(is_there, fail, hash, key);
        key
    }

    fn hash_value(&mut self, element: &pm::AssocNode<'pr>, key: Reg, hash: Reg, removes: bool, fail: Label) {
        let value = self.f.next_temp;
        self.f.reserve(value + 1);
        if removes {
            self.send_values(hash, b"delete", &[key], value);
        } else {
            self.f.abc(Op::opt_aref, value, hash, key);
            self.f.ext(value, b"[]", 1, 0);
        }
        self.f.hold(value);
        self.pattern(&element.value(), value, None, fail);
    }
}
