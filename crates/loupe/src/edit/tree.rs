//! The nodes of a file, each with the one around it, and what edits ask of them.
//!
//! Lists of arguments are left out: around an argument is its call.

use super::NoEdit;
use ruby_prism as pm;
use std::ops::Range;

/// Number of a node in its tree, in the order in which they begin.
pub(super) type At = usize;

pub(super) struct Tree<'a> {
    pub(super) source: &'a [u8],
    pub(super) result: &'a pm::ParseResult<'a>,
    nodes: Vec<(pm::Node<'a>, Option<At>)>,
}

#[derive(Default)]
struct Collector<'a> {
    nodes: Vec<(pm::Node<'a>, Option<At>)>,
    open: Vec<At>,
}

impl<'a> pm::Visit<'a> for Collector<'a> {
    fn visit_branch_node_enter(&mut self, node: pm::Node<'a>) {
        self.nodes.push((node, self.open.last().copied()));
        self.open.push(self.nodes.len() - 1);
    }

    fn visit_branch_node_leave(&mut self) {
        self.open.pop();
    }

    fn visit_leaf_node_enter(&mut self, node: pm::Node<'a>) {
        self.nodes.push((node, self.open.last().copied()));
    }

    /// Most nodes that have statements visit them without entering them.
    fn visit_statements_node(&mut self, node: &pm::StatementsNode<'a>) {
        let is_entered = |at: &At| {
            let open = self.nodes[*at].0.as_statements_node();
            open.is_some_and(|open| range_of(&open.location()) == range_of(&node.location()))
        };
        let is_entered = self.open.last().is_some_and(is_entered);
        if !is_entered {
            self.visit_branch_node_enter(node.as_node());
        }
        pm::visit_statements_node(self, node);
        if !is_entered {
            self.visit_branch_node_leave();
        }
    }
}

pub(super) fn range_of(location: &pm::Location<'_>) -> Range<usize> {
    location.start() as usize..location.end() as usize
}

impl<'a> Tree<'a> {
    pub(super) fn of(source: &'a [u8], result: &'a pm::ParseResult<'a>) -> Tree<'a> {
        let mut collector = Collector::default();
        pm::Visit::visit(&mut collector, &result.node());
        Tree { source, result, nodes: collector.nodes }
    }

    pub(super) fn node(&self, at: At) -> &pm::Node<'a> {
        &self.nodes[at].0
    }

    pub(super) fn all(&self) -> impl Iterator<Item = (At, &pm::Node<'a>)> {
        self.nodes.iter().enumerate().map(|(at, (node, _))| (at, node))
    }

    pub(super) fn parent(&self, at: At) -> Option<At> {
        self.nodes[at].1
    }

    /// The nodes around one, the nearest first.
    pub(super) fn around(&self, at: At) -> impl Iterator<Item = At> {
        std::iter::successors(self.parent(at), |at| self.parent(*at))
    }

    pub(super) fn range(&self, at: At) -> Range<usize> {
        range_of(&self.node(at).location())
    }

    /// The number of a node that was reached from another.
    pub(super) fn find(&self, node: &pm::Node<'_>) -> Option<At> {
        let same = |other: &pm::Node<'_>| {
            range_of(&other.location()) == range_of(&node.location())
                && std::mem::discriminant(other) == std::mem::discriminant(node)
        };
        self.all().find(|(_, other)| same(other)).map(|(at, _)| at)
    }

    /// The source of a node. What is no UTF-8 is nothing that an edit copies.
    pub(super) fn text(&self, node: &pm::Node<'_>) -> Result<&'a str, String> {
        std::str::from_utf8(&self.source[range_of(&node.location())]).map_err(|_| "the source is no UTF-8".into())
    }

    pub(super) fn call(&self, at: At) -> Option<pm::CallNode<'a>> {
        self.node(at).as_call_node()
    }

    /// The calls of a name whose names stand on a line.
    pub(super) fn calls(&self, line: i32, name: &str) -> Vec<At> {
        let is_there = |call: &pm::CallNode<'_>| {
            let place = call.message_loc().unwrap_or_else(|| call.location());
            call.name().as_slice() == name.as_bytes() && place.start_line() == line
        };
        self.all()
            .filter(|(_, node)| node.as_call_node().is_some_and(|call| is_there(&call)))
            .map(|(at, _)| at)
            .collect()
    }

    /// The only call of a name on a line that `fits`.
    pub(super) fn only_call(&self, line: i32, name: &str, fits: impl Fn(At) -> bool) -> Result<At, NoEdit> {
        let calls: Vec<At> = self.calls(line, name).into_iter().filter(|at| fits(*at)).collect();
        only(&calls, &format!("call of `{name}`"))
    }

    /// Whether only the truth of a node's value matters.
    pub(super) fn is_truth_only(&self, at: At) -> bool {
        let Some(parent) = self.parent(at) else { return false };
        let is_this = |node: &pm::Node<'_>| range_of(&node.location()) == self.range(at);
        match self.node(parent) {
            pm::Node::IfNode { .. }
            | pm::Node::UnlessNode { .. }
            | pm::Node::WhileNode { .. }
            | pm::Node::UntilNode { .. } => predicate(self.node(parent)).is_some_and(|node| is_this(&node)),
            node @ pm::Node::AndNode { .. } => {
                node.as_and_node().is_some_and(|and| is_this(&and.left())) || self.is_truth_only(parent)
            }
            pm::Node::OrNode { .. } | pm::Node::ParenthesesNode { .. } => self.is_truth_only(parent),
            node @ pm::Node::CallNode { .. } => node.as_call_node().is_some_and(|call| {
                call.name().as_slice() == b"!" && call.receiver().is_some_and(|receiver| is_this(&receiver))
            }),
            pm::Node::StatementsNode { .. } => self.is_void(at),
            _ => false,
        }
    }

    /// Whether nobody looks at a statement's value, nor at that of the condition or loop whose last statement it is.
    pub(super) fn is_unused(&self, at: At) -> bool {
        if self.is_void(at) {
            return true;
        }
        let Some(around) = self.parent(at).filter(|parent| self.node(*parent).as_statements_node().is_some()) else {
            return false;
        };
        let Some(outer) = self.parent(around) else { return false };
        match self.node(outer) {
            pm::Node::WhileNode { .. } | pm::Node::UntilNode { .. } | pm::Node::ForNode { .. } => true,
            pm::Node::IfNode { .. } | pm::Node::UnlessNode { .. } => self.is_unused(outer),
            pm::Node::ElseNode { .. } | pm::Node::WhenNode { .. } => {
                self.parent(outer).is_some_and(|outer| self.is_unused(outer))
            }
            _ => false,
        }
    }

    /// Whether nobody looks at a statement's value: another one follows.
    pub(super) fn is_void(&self, at: At) -> bool {
        let Some(parent) = self.parent(at) else { return false };
        let Some(statements) = self.node(parent).as_statements_node() else { return false };
        let is_last = statements.body().iter().last().is_none_or(|last| range_of(&last.location()) == self.range(at));
        let is_in_parentheses = || self.parent(parent).is_some_and(|at| self.node(at).as_parentheses_node().is_some());
        match is_last {
            true if is_in_parentheses() => self.parent(parent).is_some_and(|at| self.is_truth_only(at)),
            true => false,
            false => true,
        }
    }
}

fn predicate<'a>(node: &pm::Node<'a>) -> Option<pm::Node<'a>> {
    node.as_if_node()
        .map(|node| node.predicate())
        .or_else(|| node.as_unless_node().map(|node| node.predicate()))
        .or_else(|| node.as_while_node().map(|node| node.predicate()))
        .or_else(|| node.as_until_node().map(|node| node.predicate()))
}

/// The arguments of a call, but for a block.
pub(super) fn arguments<'a>(call: &pm::CallNode<'a>) -> Vec<pm::Node<'a>> {
    call.arguments().map(|list| list.arguments().iter().collect()).unwrap_or_default()
}

pub(super) fn only(found: &[At], what: &str) -> Result<At, NoEdit> {
    match found {
        [at] => Ok(*at),
        [] => Err(NoEdit::Absent(format!("its line has no {what} that can be edited"))),
        _ => Err(NoEdit::Unsure(format!("its line has more than one {what}"))),
    }
}

/// Whether evaluating a node twice does the same twice: a variable, a constant, `self`, or plain readers of these.
pub(super) fn is_repeatable(node: &pm::Node<'_>) -> bool {
    match node {
        pm::Node::LocalVariableReadNode { .. }
        | pm::Node::InstanceVariableReadNode { .. }
        | pm::Node::ConstantReadNode { .. }
        | pm::Node::SelfNode { .. } => true,
        _ => node.as_call_node().is_some_and(|call| {
            let is_reader = call.name().as_slice() == b"class" || call.is_variable_call();
            is_reader && call.block().is_none() && call.receiver().is_none_or(|receiver| is_repeatable(&receiver))
        }),
    }
}
