//! Conditions, loops, and the ways out of them.
//!
//! # Leaving
//! `controls` is the stack of constructs around the code being compiled, within one iseq. Whatever jumps out of some of
//! them goes through [`Compiler::exit_to`], which undoes them from the innermost outwards: `ensure` bodies are compiled
//! inline and handlers give `$!` back its value. The code that does so lies outside the catch ranges of what it has left.
//!
//! An `ensure` body in an `ensure` body would so be compiled for each way out of either, which is 2 to the power of the depth;
//! so would one that may leave a body with an `ensure` clause around it. From [`INLINE_ENSURES`] on a body is compiled once, as
//! the handler, and whoever leaves throws (`throw_jump`).

use crate::class_exits::ClassEnd;
use crate::compiler::Compiler;
use crate::coverage::{Conditional, OpenFork, Outcomes, extent};
use crate::emit::{Dst, Label, Reg};
use crate::variables::Place;
use carat_iseq::{IseqKind, Op};
use ruby_prism as pm;
use std::rc::Rc;

/// Constructs with an `ensure` clause inside each other, be it in the body or in the clause, whose clauses are compiled for each
/// way out.
pub(crate) const INLINE_ENSURES: usize = 3;

/// Words covered by a catch entry, as pieces between inlined `ensure` bodies.
#[derive(Default)]
pub(crate) struct Segments {
    pub(crate) done: Vec<(u32, u32)>,
    start: u32,
}

impl Segments {
    pub(crate) fn open(&mut self, at: u32) {
        self.start = at;
    }

    pub(crate) fn close(&mut self, at: u32) {
        self.done.push((self.start, at));
    }
}

/// Something that code may be inside of.
pub(crate) enum Control<'pr> {
    Loop {
        end: Label,
        next: Label,
        redo: Label,
        dst: Dst,
        /// First dead register in the loop.
        top: Reg,
    },
    /// A body with `rescue` clauses.
    Protected(Segments),
    /// A body with an `ensure` clause. If that is compiled once, `kept` is the register in which values get past it.
    Ensure { clause: Rc<pm::EnsureNode<'pr>>, segments: Segments, kept: Option<Reg> },
    /// The code of a `rescue` (then with the place where `retry` goes on) or `ensure` clause, with its register pair.
    Handler { register: Reg, retry: Option<Label> },
}

impl<'pr> Compiler<'_, 'pr> {
    /// Leaves every construct above `depth`, then emits the jump or return that `exit` makes. An `ensure` clause that itself
    /// goes elsewhere is the last: what lies outside it is left by its own jump.
    pub(crate) fn exit_to(&mut self, depth: usize, exit: impl FnOnce(&mut Self)) {
        let line = self.f.line;
        let mut left = Vec::new();
        while self.f.controls.len() > depth {
            let mut control = self.f.controls.pop().expect("longer than depth");
            self.leave_control(&mut control);
            left.push(control);
            if self.f.is_dead() {
                break;
            }
        }
        self.f.line = line;
        if !self.f.is_dead() {
            exit(self);
        }
        let here = self.f.pos();
        for mut control in left.into_iter().rev() {
            if let Control::Protected(segments) | Control::Ensure { segments, .. } = &mut control {
                segments.open(here);
            }
            self.f.controls.push(control);
        }
    }

    fn leave_control(&mut self, control: &mut Control<'pr>) {
        let here = self.f.pos();
        match control {
            Control::Loop { .. } => {}
            Control::Protected(segments) => segments.close(here),
            Control::Ensure { segments, kept: Some(_), .. } => {
                let outside = self.f.label();
                self.f.branch(Op::throw_jump, 0, outside);
                segments.close(self.f.pos());
                self.throw_target(outside);
            }
            Control::Ensure { clause, segments, kept: None } => {
                segments.close(here);
                let clause = clause.clone();
                self.ensure_body(&clause);
            }
            Control::Handler { register, .. } => self.f.abc(Op::seterrinfo, *register + 1, 0, 0),
        }
    }

    /// Where `throw_jump` goes on: at a word that all constructs around it cover still.
    pub(crate) fn throw_target(&mut self, label: Label) {
        self.f.bind(label);
        self.f.abc(Op::nop, 0, 0, 0);
    }

    /// Jumps to `target` if the condition is truthy (`when`) or falsy (`!when`); otherwise falls through.
    pub(crate) fn branch(&mut self, node: &pm::Node<'pr>, target: Label, when: bool) {
        match node {
            pm::Node::ParenthesesNode { .. } => {
                let body = node.as_parentheses_node().and_then(|n| n.body());
                match body {
                    Some(body) => self.branch(&body, target, when),
                    None => self.branch_constant(false, target, when),
                }
            }
            pm::Node::StatementsNode { .. } => {
                self.branch_statements(&node.as_statements_node().expect("the kind was matched"), target, when);
            }
            pm::Node::AndNode { .. } => {
                let and = node.as_and_node().expect("the kind was matched");
                self.branch_both(&and.left(), &and.right(), target, when, false);
            }
            pm::Node::OrNode { .. } => {
                let or = node.as_or_node().expect("the kind was matched");
                self.branch_both(&or.left(), &or.right(), target, when, true);
            }
            pm::Node::TrueNode { .. } | pm::Node::IntegerNode { .. } | pm::Node::SymbolNode { .. } => {
                self.branch_constant(true, target, when);
            }
            pm::Node::FalseNode { .. } | pm::Node::NilNode { .. } => self.branch_constant(false, target, when),
            pm::Node::LocalVariableReadNode { .. } if self.branch_block(node, target, when) => {}
            _ => {
                if !self.branch_comparison(node, target, when) {
                    let value = self.operand(node);
                    self.jump_if(value, when, target);
                }
            }
        }
    }

    fn branch_statements(&mut self, node: &pm::StatementsNode<'pr>, target: Label, when: bool) {
        let body = node.body();
        let last = body.len().wrapping_sub(1);
        for (index, statement) in body.iter().enumerate() {
            if index == last {
                self.branch(&statement, target, when);
            } else {
                self.effect(&statement);
            }
        }
        if body.is_empty() {
            self.branch_constant(false, target, when);
        }
    }

    /// Whether a block was given to the method whose block parameter a node is: the block need not become a Proc for that. False for other
    /// nodes.
    fn branch_block(&mut self, node: &pm::Node<'pr>, target: Label, when: bool) -> bool {
        let Some(read) = node.as_local_variable_read_node() else { return false };
        let place = self.find(read.name().as_slice(), read.depth());
        if !place.is_block_param || place.operand().is_some() {
            return false;
        }
        let given = self.f.next_temp;
        self.f.reserve(given + 1);
        self.f.abc(Op::getblockparamproxy, given, place.register, place.levels);
        self.jump_if(given, when, target);
        true
    }

    fn branch_constant(&mut self, value: bool, target: Label, when: bool) {
        if value == when {
            self.f.jump(target);
        }
    }

    /// `left && right` (`decides` false) or `left || right` (`decides` true): the left value that settles the whole.
    fn branch_both(&mut self, left: &pm::Node<'pr>, right: &pm::Node<'pr>, target: Label, when: bool, decides: bool) {
        if when == decides {
            self.branch(left, target, when);
            self.branch(right, target, when);
        } else {
            let skip = self.f.label();
            self.branch(left, skip, decides);
            self.branch(right, target, when);
            self.f.bind(skip);
        }
    }

    pub(crate) fn and(&mut self, node: &pm::AndNode<'pr>, dst: Dst) {
        self.short_circuit(&node.left(), &node.right(), false, dst);
    }

    pub(crate) fn or(&mut self, node: &pm::OrNode<'pr>, dst: Dst) {
        self.short_circuit(&node.left(), &node.right(), true, dst);
    }

    fn short_circuit(&mut self, left: &pm::Node<'pr>, right: &pm::Node<'pr>, decides: bool, dst: Dst) {
        let end = self.f.label();
        if dst.is_none() {
            self.branch(left, end, decides);
            self.effect(right);
            return self.f.bind(end);
        }
        self.build(dst, |c, target| {
            c.expr(left, target);
            c.jump_if(target, decides, end);
            c.expr(right, target);
            c.f.bind(end);
        });
    }

    pub(crate) fn if_else(&mut self, node: &pm::IfNode<'pr>, dst: Dst) {
        self.conditional(&Conditional::of_if(node), dst);
    }

    pub(crate) fn unless(&mut self, node: &pm::UnlessNode<'pr>, dst: Dst) {
        let conditional = Conditional::of_unless(node, self.coverage.is_some());
        self.conditional(&conditional, dst);
    }

    /// Goes to a label if the first part does not run. The fork, if both parts can run and it is counted.
    fn decide(&mut self, parts: &Conditional<'pr>, otherwise: Label) -> (Outcomes, Option<OpenFork>) {
        self.at_node(&parts.predicate);
        self.branch(&parts.predicate, otherwise, !parts.when);
        let outcomes = self.outcomes(&parts.predicate);
        let kind = if parts.is_unless { "unless" } else { "if" };
        let fork = if outcomes.is_open() { self.fork(&parts.node, kind, || parts.extent()) } else { None };
        (outcomes, fork)
    }

    /// Tracing takes the condition of an `elsif` for a statement.
    fn at_elsif(&mut self, otherwise: &pm::Node<'pr>) {
        if let Some(elsif) = otherwise.as_if_node() {
            self.at_statement(&elsif.predicate());
        }
    }

    fn conditional(&mut self, parts: &Conditional<'pr>, dst: Dst) {
        let (else_label, end) = (self.f.label(), self.f.label());
        let (outcomes, mut fork) = self.decide(parts, else_label);
        self.fork_branch(&mut fork, parts.names().0, || parts.then_extent());
        self.part(outcomes.truthy, |c| c.statements_or_nil(parts.then(), dst));
        if parts.otherwise.is_none() && dst.is_none() && fork.is_none() {
            self.f.bind(end);
            return self.f.bind(else_label);
        }
        if self.coverage.is_some() {
            // A statement without code counts here.
            self.at_node(&parts.node);
        }
        self.f.jump(end);
        self.f.bind(else_label);
        self.fork_branch(&mut fork, parts.names().1, || parts.else_extent());
        self.part(outcomes.falsy, |c| match &parts.otherwise {
            Some(otherwise) => {
                c.at_elsif(otherwise);
                c.compile(otherwise, dst);
            }
            None => c.f.nil_if(dst),
        });
        self.f.bind(end);
    }

    pub(crate) fn tail_if(&mut self, node: &pm::IfNode<'pr>) {
        self.tail_conditional(&Conditional::of_if(node));
    }

    pub(crate) fn tail_unless(&mut self, node: &pm::UnlessNode<'pr>) {
        let conditional = Conditional::of_unless(node, self.coverage.is_some());
        self.tail_conditional(&conditional);
    }

    fn tail_conditional(&mut self, parts: &Conditional<'pr>) {
        let else_label = self.f.label();
        let (outcomes, mut fork) = self.decide(parts, else_label);
        self.fork_branch(&mut fork, parts.names().0, || parts.then_extent());
        self.part(outcomes.truthy, |c| c.body(parts.then().map(|then| then.as_node())));
        self.f.bind(else_label);
        self.fork_branch(&mut fork, parts.names().1, || parts.else_extent());
        self.part(outcomes.falsy, |c| match &parts.otherwise {
            Some(otherwise) => {
                c.at_elsif(otherwise);
                c.tail(otherwise);
            }
            None => c.body(None),
        });
    }

    pub(crate) fn else_clause(&mut self, node: &pm::ElseNode<'pr>, dst: Dst) {
        self.statements_or_nil(node.statements(), dst);
    }

    pub(crate) fn while_loop(&mut self, node: &pm::WhileNode<'pr>, dst: Dst) {
        if node.is_begin_modifier() {
            self.loop_until_after(&node.as_node(), &node.predicate(), node.statements(), false, dst);
        } else {
            self.loop_until(&node.as_node(), &node.predicate(), node.statements(), false, dst);
        }
    }

    pub(crate) fn until_loop(&mut self, node: &pm::UntilNode<'pr>, dst: Dst) {
        if node.is_begin_modifier() {
            self.loop_until_after(&node.as_node(), &node.predicate(), node.statements(), true, dst);
        } else {
            self.loop_until(&node.as_node(), &node.predicate(), node.statements(), true, dst);
        }
    }

    fn enter_loop(&mut self, dst: Dst) -> (Label, Label, Label) {
        let (end, next, redo) = (self.f.label(), self.f.label(), self.f.label());
        self.f.controls.push(Control::Loop { end, next, redo, dst, top: self.f.next_temp });
        (end, next, redo)
    }

    fn leave_loop(&mut self, end: Label, dst: Dst, stop: Label) {
        self.f.controls.pop();
        self.f.bind(stop);
        self.f.nil_if(dst);
        self.f.bind(end);
    }

    /// Ends when the condition, tested before each round, becomes `stop`.
    fn loop_until(
        &mut self,
        node: &pm::Node<'pr>,
        predicate: &pm::Node<'pr>,
        statements: Option<pm::StatementsNode<'pr>>,
        stop: bool,
        dst: Dst,
    ) {
        let (end, next, redo) = self.enter_loop(dst);
        // The loop is one statement, however often its condition is tested.
        self.f.count_line();
        let done = self.f.label();
        let closes_loop = !stop && self.is_iteration(predicate) || self.is_comparison(predicate);
        if closes_loop {
            self.at_node(predicate);
            self.f.jump(next);
        } else {
            self.f.bind(next);
            self.at_node(predicate);
            self.branch(predicate, done, stop);
        }
        self.f.bind(redo);
        self.loop_body(node, stop, statements);
        if closes_loop {
            self.f.bind(next);
            self.close_loop(predicate, redo, stop);
        } else {
            self.f.jump_back(next);
        }
        self.leave_loop(end, dst, done);
    }

    fn loop_body(&mut self, node: &pm::Node<'pr>, stop: bool, statements: Option<pm::StatementsNode<'pr>>) {
        let kind = if stop { "until" } else { "while" };
        let mut fork = self.fork(node, kind, || extent(&node.location()));
        let body = statements.as_ref().map(|statements| statements.as_node());
        self.fork_branch(&mut fork, "body", || extent(&body.as_ref().unwrap_or(node).location()));
        self.statements_or_nil(statements, None);
    }

    /// Goes back to `redo` in one instruction unless the condition is `stop`.
    fn close_loop(&mut self, predicate: &pm::Node<'pr>, redo: Label, stop: bool) {
        self.at_node(predicate);
        if !self.iteration(predicate, redo) {
            self.branch_comparison(predicate, redo, !stop);
        }
    }

    /// `begin … end while`: the condition is tested after each round.
    fn loop_until_after(
        &mut self,
        node: &pm::Node<'pr>,
        predicate: &pm::Node<'pr>,
        statements: Option<pm::StatementsNode<'pr>>,
        stop: bool,
        dst: Dst,
    ) {
        let (end, next, redo) = self.enter_loop(dst);
        // The loop is one statement, however often its condition is tested.
        self.f.count_line();
        let done = self.f.label();
        self.f.bind(redo);
        self.loop_body(node, stop, statements);
        self.f.bind(next);
        if self.is_comparison(predicate) {
            self.close_loop(predicate, redo, stop);
        } else {
            self.at_node(predicate);
            self.branch(predicate, done, stop);
            self.f.jump_back(redo);
        }
        self.leave_loop(end, dst, done);
    }

    fn innermost_loop(&self) -> Option<usize> {
        self.f.controls.iter().rposition(|control| matches!(control, Control::Loop { .. }))
    }

    /// The value of `break`, `next` and `return`: nil, the value, or an array of several.
    fn exit_value(&mut self, arguments: Option<pm::ArgumentsNode<'pr>>) -> Reg {
        let register = match arguments {
            None => {
                let dst = self.f.next_temp;
                self.f.nil(dst);
                dst
            }
            Some(arguments) => {
                let list = arguments.arguments();
                match list.first() {
                    Some(only) if list.len() == 1 && only.as_splat_node().is_none() => self.operand(&only),
                    _ => {
                        let dst = self.f.next_temp;
                        self.array_of(&list.iter().collect::<Vec<_>>(), dst);
                        dst
                    }
                }
            }
        };
        self.f.hold(register);
        register
    }

    pub(crate) fn return_value(&mut self, node: &pm::ReturnNode<'pr>, _: Dst) {
        if self.f.kind == IseqKind::Top && node.arguments().is_some() {
            self.warning(&node.location(), "argument of top-level return is ignored");
        }
        let op = match self.f.kind {
            // The parser lets `return` stand in the body of a singleton class, but in no other class body.
            IseqKind::Block | IseqKind::Eval | IseqKind::Class => Op::return_from_block,
            _ => Op::leave,
        };
        self.leave_frame(node.arguments(), &node.location(), op);
    }

    fn leave_frame(&mut self, arguments: Option<pm::ArgumentsNode<'pr>>, location: &pm::Location<'pr>, op: Op) {
        self.scoped(|c| {
            c.at(location);
            let value = c.exit_value(arguments);
            // An ensure body may assign the local that is returned.
            let value = c.copy_if_exits_run_code(value, 0);
            c.at(location);
            match op {
                Op::leave => c.exit_to(0, |c| c.f.abc(op, value, 0, 0)),
                // What throws runs `ensure` bodies as it unwinds, and an error of its own (LocalJumpError) may be rescued here.
                _ => c.f.abc(op, value, 0, 0),
            }
        });
    }

    /// Where a value outlives the bodies that leaving everything above `depth` runs.
    fn copy_if_exits_run_code(&mut self, value: Reg, depth: usize) -> Reg {
        let mut ensures = self.f.controls[depth..].iter().filter_map(|control| match control {
            Control::Ensure { kept, .. } => Some(*kept),
            _ => None,
        });
        let runs_code = ensures.clone().next().is_some();
        // The outermost one's handler does not write below its own registers.
        let copy = match ensures.find_map(|kept| kept) {
            Some(kept) => kept,
            None if runs_code && self.f.is_local(value) => self.f.next_temp,
            None => return value,
        };
        self.f.move_to(copy, value);
        self.f.hold(copy);
        copy
    }

    pub(crate) fn break_value(&mut self, node: &pm::BreakNode<'pr>, _: Dst) {
        self.scoped(|c| {
            c.at(&node.location());
            let value = c.exit_value(node.arguments());
            c.at(&node.location());
            c.break_with(value);
        });
    }

    /// Ends the loop, or the call that the block was given to.
    pub(crate) fn break_with(&mut self, value: Reg) {
        // An ensure body may assign the local that is returned.
        let value = self.copy_if_exits_run_code(value, self.innermost_loop().unwrap_or(0));
        if let Some(depth) = self.innermost_loop() {
            let Control::Loop { end, dst, .. } = self.f.controls[depth] else { unreachable!() };
            return self.exit_to(depth, |c| {
                c.result(dst, value);
                c.f.jump(end);
            });
        }
        match self.f.kind {
            IseqKind::Lambda => self.exit_to(0, |c| c.f.abc(Op::leave, value, 0, 0)),
            IseqKind::Class => self.exit_to(0, |c| c.leave_class(ClassEnd::Break, value)),
            _ => self.f.abc(Op::break_from_block, value, 0, 0),
        }
    }

    pub(crate) fn next_value(&mut self, node: &pm::NextNode<'pr>, _: Dst) {
        self.scoped(|c| {
            if c.innermost_loop().is_some() && node.arguments().is_none() {
                return c.next_with(0);
            }
            c.at(&node.location());
            let value = c.exit_value(node.arguments());
            c.at(&node.location());
            c.next_with(value);
        });
    }

    /// Goes on with the next round of the loop, or to the end of the block.
    pub(crate) fn next_with(&mut self, value: Reg) {
        if let Some(depth) = self.innermost_loop() {
            let Control::Loop { next, top, .. } = self.f.controls[depth] else { unreachable!() };
            return self.exit_to(depth, |c| c.f.branch(Op::jump_back, top, next));
        }
        let value = self.copy_if_exits_run_code(value, 0);
        self.exit_to(0, |c| match c.f.kind {
            IseqKind::Class => c.leave_class(ClassEnd::Next, value),
            _ => c.leave_at_end(value),
        });
    }

    pub(crate) fn redo(&mut self, node: &pm::RedoNode<'pr>, _: Dst) {
        if !self.may_redo() {
            return self.error(&node.location(), "Can't escape from eval with redo");
        }
        self.redo_here();
    }

    pub(crate) fn may_redo(&self) -> bool {
        self.innermost_loop().is_some() || self.f.redo.is_some() || self.f.kind == IseqKind::Class
    }

    /// Begins the round, or the block, anew.
    pub(crate) fn redo_here(&mut self) {
        if let Some(depth) = self.innermost_loop() {
            let Control::Loop { redo, top, .. } = self.f.controls[depth] else { unreachable!() };
            return self.exit_to(depth, |c| c.f.branch(Op::jump_back, top, redo));
        }
        match self.f.redo {
            Some(redo) => {
                let top = self.f.local_size;
                self.exit_to(0, |c| c.f.branch(Op::jump_back, top, redo));
            }
            None => self.exit_to(0, |c| {
                let value = c.f.next_temp;
                c.f.nil(value);
                c.leave_class(ClassEnd::Redo, value);
            }),
        }
    }

    pub(crate) fn retry(&mut self, node: &pm::RetryNode<'pr>, _: Dst) {
        let found = self.f.controls.iter().enumerate().rev().find_map(|(depth, control)| match *control {
            Control::Handler { register, retry: Some(label) } => Some((depth, register, label)),
            _ => None,
        });
        let Some((depth, register, label)) = found else {
            return self.error(&node.location(), "Invalid retry");
        };
        self.exit_to(depth, |c| c.f.branch(Op::jump_back, register, label));
    }

    /// The state of a flip-flop is a hidden captured local of the method.
    fn flip_flop_place(&self, node: &pm::FlipFlopNode<'pr>) -> Place {
        let number = self.analysis.flip_flops[&crate::prism::node_key(&node.as_node())];
        let (levels, scope) = self.method_scope();
        let first = scope.map_or(0, |scope| scope.flip_flops);
        Place { register: first + number, levels, captured: true, is_block_param: false, is_method_block: false }
    }

    pub(crate) fn flip_flop(&mut self, node: &pm::FlipFlopNode<'pr>, dst: Dst) {
        let place = self.flip_flop_place(node);
        let (is_on, off, end) = (self.f.label(), self.f.label(), self.f.label());
        self.build(dst, |c, target| {
            c.read_place(place, target);
            c.jump_if(target, true, is_on);
            c.flip_flop_edge(node.left(), off);
            c.f.abc(Op::puttrue, target, 0, 0);
            c.write_place(place, target);
            if node.is_exclude_end() {
                c.f.jump(end);
            }
            c.f.bind(is_on);
            let stays = c.f.label();
            c.flip_flop_edge(node.right(), stays);
            c.f.abc(Op::putfalse, target, 0, 0);
            c.write_place(place, target);
            c.f.bind(stays);
            c.f.abc(Op::puttrue, target, 0, 0);
            c.f.jump(end);
            c.f.bind(off);
            c.f.abc(Op::putfalse, target, 0, 0);
            c.f.bind(end);
        });
    }

    /// A literal integer is compared with the number of the last line read.
    fn flip_flop_edge(&mut self, node: Option<pm::Node<'pr>>, falsy: Label) {
        match node {
            Some(number) if number.as_integer_node().is_some() => self.scoped(|c| {
                let left = c.push(&number);
                let right = c.f.next_temp;
                let name = c.f.symbol(b"$.");
                c.f.abc(Op::getglobal, right, name, 0);
                c.f.hold(right);
                let test = c.f.next_temp;
                c.send_values(left, b"==", &[right], test);
                c.jump_if(test, false, falsy);
            }),
            Some(node) => self.branch(&node, falsy, false),
            None => self.f.jump(falsy),
        }
    }
}
