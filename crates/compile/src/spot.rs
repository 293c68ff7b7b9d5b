//! Which part of the source an error message points at.
//!
//! Iseqs know lines and no columns. When somebody wants more, the source is compiled once more with a recorder on: it notes
//! of each instruction which node it was emitted for, and the iseq that is sought is the one that comes out equal. So an
//! error that nobody looks at costs nothing, and a source that was changed since is not pointed at: no iseq is equal then.
//!
//! # References
//! The gem error_highlight, whose choices these are.

use crate::{Options, compiler, prism};
use carat_iseq::{Iseq, IseqKind, Pack, Packed};
use ruby_prism as pm;
use std::ops::Range;

/// An instruction of an iseq, or the iseq as a whole: what a call that never entered it was meant for.
#[derive(Clone, Copy, Debug)]
pub struct Place<'a> {
    pub iseq: &'a Iseq,
    pub word: Option<u32>,
}

/// What of a call to point at.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Point<'a> {
    /// The name; of nodes that name several things, the one of this name.
    Name(Option<&'a [u8]>),
    Arguments,
}

/// A part of the source. Lines count from 1, columns bytes from 0.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Spot {
    pub first_line: usize,
    pub first_column: usize,
    pub last_line: usize,
    pub last_column: usize,
}

/// Bytes of the source.
pub(crate) type Span = (u32, u32);

/// Where the code of the iseq that is looked for came from.
pub(crate) struct Sought<'a> {
    place: Place<'a>,
    found: Vec<Span>,
    /// Names of the locals that a block has of the scopes around it, innermost first.
    pub(crate) outer_locals: Vec<Box<[u8]>>,
}

impl Sought<'_> {
    /// An iseq is done: `own` are the nodes of its instructions, `outer` is the node that it was made for. Whether it is the one.
    pub(crate) fn compare(&mut self, code: (Packed<'_>, u32), own: &[Span], outer: Span) -> bool {
        let is_equal = carat_iseq::binary::is_equal(code, self.place.iseq.code());
        if is_equal {
            let span = self.place.word.map_or(Some(outer), |word| own.get(word as usize).copied());
            self.found.extend(span);
        }
        is_equal
    }

    /// Code that stands twice on one line may be equal: nobody can tell then which of it ran. (Code of `ensure` is compiled
    /// several times, always for the same node.)
    fn only(&self) -> Option<Span> {
        let first = *self.found.first()?;
        self.found.iter().all(|span| *span == first).then_some(first)
    }
}

pub(crate) fn span_of(location: &pm::Location<'_>) -> Span {
    (location.start(), location.end())
}

/// What of `source` an error in the code at `place` is about. The running thread has [`crate::stack_needed`].
pub fn spot(source: &[u8], options: &Options<'_>, place: Place<'_>, point: Point<'_>) -> Option<Spot> {
    let parse_options = prism::parse_options(options);
    let result = pm::parse_with_options(source, &parse_options);
    let sought = find(source, &result, options, place)?;
    let pointer = Pointer { source, point, is_definition: place.word.is_none() };
    let mut search = Search { span: sought.only()?, pointer, found: None };
    pm::Visit::visit(&mut search, &result.node());
    search.found.filter(|range| !range.is_empty()).map(|range| at_lines(source, range))
}

/// The names of the locals that a block's code has of the scopes around it. The running thread has [`crate::stack_needed`].
pub fn outer_locals(source: &[u8], options: &Options<'_>, iseq: &Iseq) -> Vec<Box<[u8]>> {
    let parse_options = prism::parse_options(options);
    let result = pm::parse_with_options(source, &parse_options);
    let found = find(source, &result, options, Place { iseq, word: None });
    found.map(|sought| sought.outer_locals).unwrap_or_default()
}

/// The part of `source` that an iseq is the code of; of a lambda, what stands behind the arrow. The running thread has
/// [`crate::stack_needed`].
pub fn extent(source: &[u8], options: &Options<'_>, iseq: &Iseq) -> Option<Spot> {
    let parse_options = prism::parse_options(options);
    let result = pm::parse_with_options(source, &parse_options);
    let span = find(source, &result, options, Place { iseq, word: None })?.only()?;
    let mut extent = Extent { span, found: None };
    match iseq.kind {
        IseqKind::Top | IseqKind::Eval => extent.found = Some(span_of(&result.node().location())),
        IseqKind::Block | IseqKind::Lambda => pm::Visit::visit(&mut extent, &result.node()),
        IseqKind::Method | IseqKind::Class => {}
    }
    let (start, end) = extent.found.unwrap_or(span);
    Some(at_lines(source, start as usize..end as usize))
}

/// Finds the block of the call that an iseq was made for.
struct Extent {
    span: Span,
    found: Option<Span>,
}

impl Extent {
    fn look_at(&mut self, node: &pm::Location<'_>, block: Option<pm::Node<'_>>) {
        if self.found.is_none() && span_of(node) == self.span {
            self.found = block.and_then(|block| block.as_block_node()).map(|block| span_of(&block.location()));
        }
    }
}

impl<'pr> pm::Visit<'pr> for Extent {
    fn visit_call_node(&mut self, node: &pm::CallNode<'pr>) {
        self.look_at(&node.location(), node.block());
        pm::visit_call_node(self, node);
    }

    fn visit_super_node(&mut self, node: &pm::SuperNode<'pr>) {
        self.look_at(&node.location(), node.block());
        pm::visit_super_node(self, node);
    }

    fn visit_forwarding_super_node(&mut self, node: &pm::ForwardingSuperNode<'pr>) {
        self.look_at(&node.location(), node.block().map(|block| block.as_node()));
        pm::visit_forwarding_super_node(self, node);
    }

    fn visit_lambda_node(&mut self, node: &pm::LambdaNode<'pr>) {
        if span_of(&node.location()) == self.span {
            let given = node.parameters().map(|given| given.location().start());
            self.found = Some((given.unwrap_or(node.operator_loc().end()), self.span.1));
        }
        pm::visit_lambda_node(self, node);
    }
}

fn find<'a>(
    source: &[u8],
    result: &pm::ParseResult<'_>,
    options: &'a Options<'a>,
    place: Place<'a>,
) -> Option<Sought<'a>> {
    if result.errors().next().is_some() {
        return None;
    }
    let sought = Sought { place, found: Vec::new(), outer_locals: Vec::new() };
    let encoding = prism::source_encoding(source, options);
    let observed = compiler::Observed { sought: Some(sought), ..compiler::Observed::default() };
    compiler::compile_program(result, options, encoding, Pack::new(), observed).ok()?.sought
}

fn at_lines(source: &[u8], range: Range<usize>) -> Spot {
    let place = |offset: usize| {
        let before = &source[..offset];
        let start = before.iter().rposition(|b| *b == b'\n').map_or(0, |at| at + 1);
        (before.iter().filter(|b| **b == b'\n').count() + 1, offset - start)
    };
    let ((first_line, first_column), (last_line, last_column)) = (place(range.start), place(range.end));
    Spot { first_line, first_column, last_line, last_column }
}

/// Finds the node that an instruction was emitted for by the bytes that it takes, which no two nodes have in common of those
/// that can be pointed at.
struct Search<'a> {
    span: Span,
    pointer: Pointer<'a>,
    found: Option<Range<usize>>,
}

impl Search<'_> {
    fn look_at(&mut self, node: &pm::Node<'_>) {
        if self.found.is_none() && span_of(&node.location()) == self.span {
            self.found = self.pointer.range(node);
        }
    }
}

impl<'pr> pm::Visit<'pr> for Search<'_> {
    fn visit_branch_node_enter(&mut self, node: pm::Node<'pr>) {
        self.look_at(&node);
    }

    fn visit_leaf_node_enter(&mut self, node: pm::Node<'pr>) {
        self.look_at(&node);
    }
}

/// Chooses the part of a node.
struct Pointer<'a> {
    source: &'a [u8],
    point: Point<'a>,
    /// The node defines what was called.
    is_definition: bool,
}

fn range(location: &pm::Location<'_>) -> Range<usize> {
    location.start() as usize..location.end() as usize
}

fn chopped(location: &pm::Location<'_>) -> Range<usize> {
    range(&location.chop())
}

impl Pointer<'_> {
    fn range(&self, node: &pm::Node<'_>) -> Option<Range<usize>> {
        match node {
            _ if self.is_definition => self.definition(node),
            pm::Node::CallNode { .. } => self.call(&node.as_call_node()?),
            pm::Node::LocalVariableOperatorWriteNode { .. } => {
                let write = node.as_local_variable_operator_write_node()?;
                Some(self.operator_or_value(&write.binary_operator_loc(), &write.value()))
            }
            pm::Node::CallOperatorWriteNode { .. } => self.call_operator_write(&node.as_call_operator_write_node()?),
            pm::Node::IndexOperatorWriteNode { .. } => self.index_operator_write(&node.as_index_operator_write_node()?),
            pm::Node::ConstantReadNode { .. } => Some(range(&node.location())),
            pm::Node::ConstantPathNode { .. } => self.constant_path(&node.as_constant_path_node()?),
            pm::Node::ConstantPathOperatorWriteNode { .. } => {
                self.constant_path_operator_write(&node.as_constant_path_operator_write_node()?)
            }
            _ => None,
        }
    }

    fn has_name(&self, name: &[u8]) -> bool {
        matches!(self.point, Point::Name(Some(sought)) if sought == name)
    }

    fn operator_or_value(&self, operator: &pm::Location<'_>, value: &pm::Node<'_>) -> Range<usize> {
        match self.point {
            Point::Name(_) => chopped(operator),
            Point::Arguments => range(&value.location()),
        }
    }

    fn is_one_line(&self, from: usize, to: usize) -> bool {
        !self.source[from.min(to)..from.max(to)].contains(&b'\n')
    }

    /// A name with the `.` in front of it, if that is on its line.
    fn with_operator(&self, operator: Option<pm::Location<'_>>, name: Range<usize>) -> Range<usize> {
        match operator.map(|o| range(&o)).filter(|o| self.is_one_line(o.start, name.start)) {
            Some(operator) => operator.start..name.end,
            None => name,
        }
    }

    /// On to the next `=` of the line.
    fn with_equals(&self, range: Range<usize>) -> Option<Range<usize>> {
        let rest = &self.source[range.end..];
        let line = rest.split(|b| *b == b'\n').next()?;
        let at = line.iter().position(|b| *b == b'=')?;
        Some(range.start..range.end + at + 1)
    }

    /// `.foo` of `x.foo(1)`, `+` of `x + 1`, `[1]` of `x[1]`, `.foo =` of `x.foo = 1`; or what is given to them. `foo.()` names
    /// nothing.
    fn call(&self, node: &pm::CallNode<'_>) -> Option<Range<usize>> {
        if node.name().as_slice() == b"call" && node.message_loc().is_none() {
            return None;
        }
        match self.point {
            Point::Name(_) => self.call_name(node),
            Point::Arguments => self.call_arguments(node),
        }
    }

    fn call_name(&self, node: &pm::CallNode<'_>) -> Option<Range<usize>> {
        let message = node.message_loc();
        let is_assignment = node.name().as_slice().ends_with(b"=")
            && !message.as_ref().is_some_and(|message| message.as_slice().ends_with(b"="));
        let name = message.or_else(|| node.call_operator_loc()).unwrap_or_else(|| node.location());
        let name = self.with_operator(node.call_operator_loc(), range(&name));
        if is_assignment { self.with_equals(name) } else { Some(name) }
    }

    fn call_arguments(&self, node: &pm::CallNode<'_>) -> Option<Range<usize>> {
        let arguments = node.arguments()?;
        let all = range(&arguments.location());
        let opening = node.opening_loc().filter(|opening| opening.as_slice() == b"[");
        match opening {
            Some(opening) if node.name().as_slice() == b"[]=" && arguments.arguments().len() == 1 => {
                Some(range(&opening).end..all.end)
            }
            _ => Some(all),
        }
    }

    /// `x.foo += 42`: `.foo`, `+`, `.foo +=` or `42`.
    fn call_operator_write(&self, node: &pm::CallOperatorWriteNode<'_>) -> Option<Range<usize>> {
        let is_read = self.has_name(node.read_name().as_slice());
        if !is_read && !self.has_name(node.write_name().as_slice()) {
            return Some(self.operator_or_value(&node.binary_operator_loc(), &node.value()));
        }
        let name = self.with_operator(node.call_operator_loc(), range(&node.message_loc()?));
        if is_read { Some(name) } else { self.with_equals(name) }
    }

    /// `x[1] += 42`: `[1]`, `+`, `[1] +=` or `1] += 42`.
    fn index_operator_write(&self, node: &pm::IndexOperatorWriteNode<'_>) -> Option<Range<usize>> {
        let (opening, closing) = (range(&node.opening_loc()), range(&node.closing_loc()));
        let operator = node.binary_operator_loc();
        match self.point {
            Point::Arguments => {
                let start = node.arguments().map_or(opening.end, |arguments| range(&arguments.location()).start);
                Some(start..range(&node.value().location()).end)
            }
            Point::Name(Some(b"[]")) => Some(opening.start..closing.end),
            Point::Name(Some(b"[]=")) => self.with_equals(opening.start..closing.end),
            Point::Name(_) => self.is_one_line(opening.start, range(&operator).start).then(|| chopped(&operator)),
        }
    }

    /// `::Bar` of `Foo::Bar::Baz`: one instruction looks up the whole path, so the name says which part of it is missing.
    fn constant_path(&self, node: &pm::ConstantPathNode<'_>) -> Option<Range<usize>> {
        let mut found = Vec::new();
        let mut next = Some(node.as_node());
        while let Some(part) = next.take() {
            if let Some(path) = part.as_constant_path_node() {
                if path.name().is_some_and(|name| self.has_name(name.as_slice())) {
                    found.push(self.with_operator(Some(path.delimiter_loc()), range(&path.name_loc())));
                }
                next = path.parent();
            } else if let Some(read) = part.as_constant_read_node()
                && self.has_name(read.name().as_slice())
            {
                found.push(range(&read.location()));
            }
        }
        found.pop().filter(|_| found.is_empty())
    }

    /// `Foo::Bar += 1`: `::Bar` or `+`.
    fn constant_path_operator_write(&self, node: &pm::ConstantPathOperatorWriteNode<'_>) -> Option<Range<usize>> {
        let target = node.target();
        if target.name().is_some_and(|name| self.has_name(name.as_slice())) {
            return Some(range(&target.delimiter_loc()).start..range(&target.name_loc()).end);
        }
        Some(chopped(&node.binary_operator_loc()))
    }

    /// What a method, lambda or block begins with: `foo` of `def foo`, `.foo` of `def self.foo`, `->`, `{` or `do`.
    fn definition(&self, node: &pm::Node<'_>) -> Option<Range<usize>> {
        if self.point == Point::Arguments {
            return None;
        }
        if let Some(method) = node.as_def_node() {
            let name = range(&method.name_loc());
            return Some(method.operator_loc().map_or(name.start, |operator| range(&operator).start)..name.end);
        }
        if let Some(lambda) = node.as_lambda_node() {
            return Some(range(&lambda.operator_loc()));
        }
        let block = node.as_call_node()?.block()?;
        Some(range(&block.as_block_node()?.opening_loc()))
    }
}
