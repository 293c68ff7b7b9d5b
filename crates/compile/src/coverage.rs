//! Where `Coverage` counts.
//!
//! A statement that is the first of its line counts ahead of its first instruction, and that instruction's line: see
//! [`Scope::emit`]. Methods count behind the defaults of their parameters, forks at the beginning of each branch.
//!
//! # References
//! CRuby's `prism_compile.c`: which constructs are forks, and what of the source their branches are.

use crate::Map;
use crate::compiler::Compiler;
use crate::prism::node_key;
use carat_iseq::coverage::{Branch, Extent, Fork, Places, Targets, counted};
use ruby_prism as pm;
use std::cell::RefCell;
use std::rc::Rc;

/// What is found on the way through a source.
pub(crate) struct Recorder {
    targets: Targets,
    places: Places,
    lines: Rc<RefCell<Vec<i32>>>,
    /// Index of a node's fork, and numbers of the branches that it has: code of `ensure` is compiled several times.
    forks: Map<usize, usize>,
    /// Parts of the tree around the code being compiled that never run.
    dead_parts: isize,
}

/// A fork whose branches are being compiled.
#[derive(Clone, Copy)]
pub(crate) struct OpenFork {
    index: usize,
    /// Branches so far.
    next: usize,
}

impl Recorder {
    pub(crate) fn new(targets: Targets) -> Recorder {
        Recorder { targets, places: Places::default(), lines: Rc::default(), forks: Map::default(), dead_parts: 0 }
    }

    pub(crate) fn finish(self) -> Places {
        Places { lines: self.lines.take(), ..self.places }
    }
}

pub(crate) fn extent(location: &pm::Location<'_>) -> Extent {
    Extent {
        first_line: location.start_line(),
        first_column: location.start_column(),
        last_line: location.end_line(),
        last_column: location.end_column(),
    }
}

impl<'pr> Compiler<'_, 'pr> {
    /// Where the lines go that are counted in the code that comes next.
    pub(crate) fn counted_lines(&self) -> Option<Rc<RefCell<Vec<i32>>>> {
        let recorder = self.coverage.as_ref()?;
        (recorder.targets.lines && recorder.dead_parts == 0).then(|| recorder.lines.clone())
    }

    /// Counts calls of the method that is being compiled, or of the block, which may be a method's.
    pub(crate) fn count_call(&mut self, extent: impl FnOnce() -> Extent) {
        if self.coverage.as_ref().is_some_and(|recorder| recorder.targets.methods) {
            self.f.extent = Some(extent());
            self.f.count(counted::METHOD, 0);
        }
    }

    /// Where the code at `at` of the pack is in the source.
    pub(crate) fn note_code(&mut self, at: u32, extent: Option<Extent>) {
        if let (Some(recorder), Some(extent)) = (&mut self.coverage, extent) {
            recorder.places.methods.push((at, extent));
        }
    }

    /// A fork in the program, if they are counted.
    pub(crate) fn fork(
        &mut self,
        node: &pm::Node<'pr>,
        kind: &'static str,
        extent: impl FnOnce() -> Extent,
    ) -> Option<OpenFork> {
        let recorder = self.coverage.as_mut().filter(|r| r.targets.branches && r.dead_parts == 0)?;
        let forks = &mut recorder.places.forks;
        let index = *recorder.forks.entry(node_key(node)).or_insert_with(|| {
            forks.push(Fork { kind, extent: extent(), branches: Vec::new() });
            forks.len() - 1
        });
        Some(OpenFork { index, next: 0 })
    }

    /// The next branch of a fork begins here.
    pub(crate) fn fork_branch(
        &mut self,
        fork: &mut Option<OpenFork>,
        kind: &'static str,
        extent: impl FnOnce() -> Extent,
    ) {
        let (Some(fork), Some(recorder)) = (fork, &mut self.coverage) else { return };
        let places = &mut recorder.places;
        let branches = &mut places.forks[fork.index].branches;
        if branches.len() == fork.next {
            branches.push(Branch { kind, extent: extent(), number: places.branches });
            places.branches += 1;
        }
        let number = branches[fork.next].number;
        fork.next += 1;
        self.f.count(counted::BRANCH, number as i32);
    }

    /// Compiles a part of the tree; nothing of it is counted if it never runs.
    pub(crate) fn part(&mut self, runs: bool, compile: impl FnOnce(&mut Self)) {
        if runs {
            return compile(self);
        }
        let begun = self.f.statement_begun();
        self.add_dead_parts(1);
        self.f.is_uncounted = false;
        compile(self);
        self.add_dead_parts(-1);
        self.f.set_statement_begun(begun);
    }

    fn add_dead_parts(&mut self, change: isize) {
        self.coverage.iter_mut().for_each(|recorder| recorder.dead_parts += change);
        self.f.counted_lines = self.counted_lines();
    }

    /// Whether a condition can be true, and whether it can be false, as far as one sees without running it. Only asked for
    /// while something is counted: otherwise the answer is that both are possible.
    pub(crate) fn outcomes(&self, predicate: &pm::Node<'pr>) -> Outcomes {
        if self.coverage.is_some() { Outcomes::of(predicate) } else { Outcomes { truthy: true, falsy: true } }
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Outcomes {
    pub(crate) truthy: bool,
    pub(crate) falsy: bool,
}

impl Outcomes {
    fn of(node: &pm::Node<'_>) -> Outcomes {
        match node {
            pm::Node::FalseNode { .. } | pm::Node::NilNode { .. } => Outcomes { truthy: false, falsy: true },
            pm::Node::FloatNode { .. }
            | pm::Node::ImaginaryNode { .. }
            | pm::Node::IntegerNode { .. }
            | pm::Node::LambdaNode { .. }
            | pm::Node::RationalNode { .. }
            | pm::Node::RegularExpressionNode { .. }
            | pm::Node::StringNode { .. }
            | pm::Node::SymbolNode { .. }
            | pm::Node::TrueNode { .. } => Outcomes { truthy: true, falsy: false },
            pm::Node::ParenthesesNode { .. } => {
                let body = node.as_parentheses_node().and_then(|n| n.body());
                let list = body.as_ref().and_then(|body| body.as_statements_node()).map(|body| body.body());
                let only = list.filter(|list| list.len() == 1).and_then(|list| list.first());
                only.map_or(Outcomes { truthy: true, falsy: true }, |only| Outcomes::of(&only))
            }
            pm::Node::AndNode { .. } => {
                let and = node.as_and_node().expect("the kind was matched");
                let (left, right) = (Outcomes::of(&and.left()), Outcomes::of(&and.right()));
                Outcomes { truthy: right.truthy, falsy: left.falsy || right.falsy }
            }
            pm::Node::OrNode { .. } => {
                let or = node.as_or_node().expect("the kind was matched");
                let (left, right) = (Outcomes::of(&or.left()), Outcomes::of(&or.right()));
                Outcomes { truthy: left.truthy || right.truthy, falsy: right.falsy }
            }
            _ => Outcomes { truthy: true, falsy: true },
        }
    }

    pub(crate) fn is_open(self) -> bool {
        self.truthy && self.falsy
    }
}

/// The parts of an `if` or `unless`.
pub(crate) struct Conditional<'pr> {
    pub(crate) node: pm::Node<'pr>,
    pub(crate) is_unless: bool,
    pub(crate) predicate: pm::Node<'pr>,
    /// What the condition has to be for `first` to run.
    pub(crate) when: bool,
    first: Option<pm::StatementsNode<'pr>>,
    pub(crate) otherwise: Option<pm::Node<'pr>>,
}

impl<'pr> Conditional<'pr> {
    pub(crate) fn of_if(node: &pm::IfNode<'pr>) -> Conditional<'pr> {
        Conditional {
            node: node.as_node(),
            is_unless: false,
            predicate: node.predicate(),
            when: true,
            first: node.statements(),
            otherwise: node.subsequent(),
        }
    }

    /// While forks are counted, the part behind `else` comes first: `Coverage` numbers what is in it before the other.
    pub(crate) fn of_unless(node: &pm::UnlessNode<'pr>, is_counted: bool) -> Conditional<'pr> {
        let (then, clause) = (node.statements(), node.else_clause());
        let (first, otherwise) = match is_counted {
            true => (clause.and_then(|clause| clause.statements()), then.map(|then| then.as_node())),
            false => (then, clause.map(|clause| clause.as_node())),
        };
        let (node, predicate) = (node.as_node(), node.predicate());
        Conditional { node, is_unless: true, predicate, when: is_counted, first, otherwise }
    }

    pub(crate) fn then(&self) -> Option<pm::StatementsNode<'pr>> {
        self.first.as_ref().and_then(|first| first.as_node().as_statements_node())
    }

    /// What `Coverage` calls the two parts.
    pub(crate) fn names(&self) -> (&'static str, &'static str) {
        if self.is_unless { ("else", "then") } else { ("then", "else") }
    }

    pub(crate) fn extent(&self) -> Extent {
        extent(&self.node.location())
    }

    pub(crate) fn then_extent(&self) -> Extent {
        match &self.first {
            Some(first) => extent(&first.location()),
            None if self.is_unless => self.extent(),
            None => {
                let predicate = extent(&self.predicate.location());
                Extent { first_line: predicate.last_line, first_column: predicate.last_column, ..predicate }
            }
        }
    }

    pub(crate) fn else_extent(&self) -> Extent {
        self.otherwise.as_ref().map_or_else(|| self.extent(), clause_extent)
    }
}

/// Of the statements behind `else`; of the clause if there are none.
pub(crate) fn clause_extent(clause: &pm::Node<'_>) -> Extent {
    let statements = clause.as_else_node().and_then(|clause| clause.statements());
    statements.map_or_else(|| extent(&clause.location()), |statements| extent(&statements.location()))
}

/// Of a clause's statements, or of the whole clause.
pub(crate) fn body_extent(statements: Option<pm::StatementsNode<'_>>, clause: &pm::Location<'_>) -> Extent {
    statements.map_or_else(|| extent(clause), |statements| extent(&statements.location()))
}

/// Of a call without its block.
pub(crate) fn call_extent(node: &pm::CallNode<'_>) -> Extent {
    let arguments = node.arguments().map(|arguments| arguments.location());
    let ends = [node.closing_loc(), arguments, node.message_loc()];
    let whole = extent(&node.location());
    let end = ends.iter().flatten().max_by_key(|location| location.end()).map(extent).unwrap_or(whole);
    Extent { last_line: end.last_line, last_column: end.last_column, ..whole }
}

/// Of a lambda from its parameters on.
pub(crate) fn lambda_extent(node: &pm::LambdaNode<'_>) -> Extent {
    let start = match node.parameters() {
        Some(parameters) => extent(&parameters.location()),
        None => {
            let operator = extent(&node.operator_loc());
            Extent { first_line: operator.last_line, first_column: operator.last_column, ..operator }
        }
    };
    let Extent { last_line, last_column, .. } = extent(&node.location());
    Extent { last_line, last_column, ..start }
}

/// What an expression does first, where that may be on another line than the expression: the first literal of an array or
/// hash that is not one literal itself, or of an assignment to a variable.
pub(crate) fn first_step<'pr>(node: &pm::Node<'pr>) -> Option<pm::Node<'pr>> {
    match node {
        pm::Node::LocalVariableWriteNode { .. } => first_of(node.as_local_variable_write_node()?.value()),
        pm::Node::InstanceVariableWriteNode { .. } => first_of(node.as_instance_variable_write_node()?.value()),
        pm::Node::ClassVariableWriteNode { .. } => first_of(node.as_class_variable_write_node()?.value()),
        pm::Node::GlobalVariableWriteNode { .. } => first_of(node.as_global_variable_write_node()?.value()),
        pm::Node::ConstantWriteNode { .. } => first_of(node.as_constant_write_node()?.value()),
        pm::Node::ArrayNode { .. } => {
            let elements = node.as_array_node()?.elements();
            elements.iter().any(|element| !is_static(&element)).then(|| elements.first()).flatten().and_then(first_of)
        }
        pm::Node::HashNode { .. } => {
            let elements = node.as_hash_node()?.elements();
            let first = || elements.first()?.as_assoc_node().map(|pair| pair.key());
            elements.iter().any(|element| !is_static(&element)).then(first).flatten().and_then(first_of)
        }
        _ => None,
    }
}

fn first_of<'pr>(node: pm::Node<'pr>) -> Option<pm::Node<'pr>> {
    let is_literal = is_static(&node) || node.as_string_node().is_some();
    first_step(&node).or_else(|| is_literal.then_some(node))
}

/// Whether one instruction puts the value there.
fn is_static(node: &pm::Node<'_>) -> bool {
    match node {
        pm::Node::SymbolNode { .. }
        | pm::Node::IntegerNode { .. }
        | pm::Node::FloatNode { .. }
        | pm::Node::TrueNode { .. }
        | pm::Node::FalseNode { .. }
        | pm::Node::NilNode { .. } => true,
        pm::Node::ArrayNode { .. } => {
            node.as_array_node().is_some_and(|array| array.elements().iter().all(|element| is_static(&element)))
        }
        pm::Node::HashNode { .. } => {
            node.as_hash_node().is_some_and(|hash| hash.elements().iter().all(|element| is_static(&element)))
        }
        pm::Node::AssocNode { .. } => {
            node.as_assoc_node().is_some_and(|pair| is_static(&pair.key()) && is_static(&pair.value()))
        }
        _ => false,
    }
}
