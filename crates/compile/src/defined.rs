//! `defined?`: a description of the expression, or nil. Nothing is evaluated but receivers, and what those raise counts
//! as undefined.

use crate::arguments::{Shape, list_of};
use crate::compiler::Compiler;
use crate::emit::{Dst, Label, Reg};
use crate::rescue::Caught;
use crate::variables::{constant_name, static_path};
use carat_iseq::{Literal, Op, Site};
use ruby_prism as pm;

/// The first operand of `defined`.
const INSTANCE_VARIABLE: u8 = 0;
const GLOBAL_VARIABLE: u8 = 1;
const CLASS_VARIABLE: u8 = 2;
const CONSTANT: u8 = 3;
const CONSTANT_FROM: u8 = 4;
const METHOD_OF: u8 = 5;
const METHOD_OF_SELF: u8 = 6;
const YIELD: u8 = 7;
const SUPER: u8 = 8;
const SPECIAL: u8 = 9;
const BLOCK_GIVEN: u8 = 11;

fn is_assignment(node: &pm::Node<'_>) -> bool {
    macro_rules! any {
        ($($kind:ident)+) => { matches!(node, $(pm::Node::$kind { .. })|+) };
    }
    any! {
        LocalVariableWriteNode LocalVariableAndWriteNode LocalVariableOrWriteNode LocalVariableOperatorWriteNode
        InstanceVariableWriteNode InstanceVariableAndWriteNode InstanceVariableOrWriteNode
        InstanceVariableOperatorWriteNode ClassVariableWriteNode ClassVariableAndWriteNode ClassVariableOrWriteNode
        ClassVariableOperatorWriteNode GlobalVariableWriteNode GlobalVariableAndWriteNode GlobalVariableOrWriteNode
        GlobalVariableOperatorWriteNode ConstantWriteNode ConstantAndWriteNode ConstantOrWriteNode
        ConstantOperatorWriteNode ConstantPathWriteNode ConstantPathAndWriteNode ConstantPathOrWriteNode
        ConstantPathOperatorWriteNode CallAndWriteNode CallOrWriteNode CallOperatorWriteNode IndexAndWriteNode
        IndexOrWriteNode IndexOperatorWriteNode MultiWriteNode ShareableConstantNode
    }
}

/// Whether finding out evaluates something.
fn may_raise(node: &pm::Node<'_>) -> bool {
    use pm::Node::{ArrayNode, BeginNode, CallNode, ConstantPathNode, HashNode, KeywordHashNode, ParenthesesNode};
    matches!(
        node,
        ArrayNode { .. }
            | BeginNode { .. }
            | CallNode { .. }
            | ConstantPathNode { .. }
            | HashNode { .. }
            | KeywordHashNode { .. }
            | ParenthesesNode { .. }
    )
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn defined(&mut self, node: &pm::DefinedNode<'pr>, dst: Dst) {
        if dst.is_none() {
            return;
        }
        self.at(&node.location());
        let value = node.value();
        self.build(dst, |c, target| {
            c.scoped(|c| {
                c.f.nil(target);
                c.f.hold(target);
                let (missing, end) = (c.f.label(), c.f.label());
                let spoiled = c.f.next_temp;
                c.f.reserve(spoiled + 1);
                if may_raise(&value) {
                    c.protect(None, Caught::All, |c, _| c.describe(&value, target, missing), |c, _| c.f.nil(target));
                } else {
                    c.describe(&value, target, missing);
                }
                c.f.jump(end);
                c.f.bind(missing);
                c.f.nil(target);
                c.f.bind(end);
            });
        });
    }

    fn put_description(&mut self, text: &str, target: Reg) {
        self.f.put_literal(target, Literal::String(text.as_bytes().into(), "US-ASCII"));
    }

    /// `block_given?` in core code, where nobody can redefine it.
    pub(crate) fn block_given(&mut self, dst: Dst) {
        let target = self.scratch_or(dst);
        self.f.nabc(Op::defined, BLOCK_GIVEN, target, 0, 0);
    }

    fn check(&mut self, kind: u8, target: Reg, object: Reg, operand: u16, missing: Label) {
        self.f.nabc(Op::defined, kind, target, object, operand);
        self.f.branch(Op::branchunless, target, missing);
    }

    fn check_name(&mut self, kind: u8, target: Reg, object: Reg, name: &[u8], missing: Label) {
        let symbol = self.f.symbol(name);
        self.check(kind, target, object, symbol, missing);
    }

    /// Puts the description of `node` into `target`, or jumps to `missing`.
    fn describe(&mut self, node: &pm::Node<'pr>, target: Reg, missing: Label) {
        use pm::Node;
        match node {
            Node::NilNode { .. } => self.put_description("nil", target),
            Node::SelfNode { .. } => self.put_description("self", target),
            Node::TrueNode { .. } => self.put_description("true", target),
            Node::FalseNode { .. } => self.put_description("false", target),
            Node::LocalVariableReadNode { .. } | Node::ItLocalVariableReadNode { .. } => {
                self.put_description("local-variable", target);
            }
            Node::ParenthesesNode { .. } => {
                let parentheses = node.as_parentheses_node().expect("matched");
                // `(;x)` is said to be several statements.
                if parentheses.is_multiple_statements() {
                    self.put_description("expression", target);
                } else {
                    self.describe_body(parentheses.body(), target, missing);
                }
            }
            Node::StatementsNode { .. } => {
                let list: Vec<_> = node.as_statements_node().map_or_else(Vec::new, |n| n.body().iter().collect());
                match list.as_slice() {
                    [only] => self.describe(only, target, missing),
                    _ => self.put_description("expression", target),
                }
            }
            Node::CallNode { .. } => self.describe_call(&node.as_call_node().expect("matched"), target, missing),
            Node::ConstantPathNode { .. } => {
                self.describe_path(&node.as_constant_path_node().expect("matched"), target, missing);
            }
            Node::ArrayNode { .. } => {
                self.describe_elements(node.as_array_node().expect("matched").elements().iter(), target, missing);
            }
            Node::HashNode { .. } => {
                self.describe_elements(node.as_hash_node().expect("matched").elements().iter(), target, missing);
            }
            Node::AssocNode { .. } => {
                let assoc = node.as_assoc_node().expect("matched");
                self.describe_elements([assoc.key(), assoc.value()].into_iter(), target, missing);
            }
            Node::KeywordHashNode { .. } => {
                let elements = node.as_keyword_hash_node().expect("matched").elements();
                self.describe_elements(elements.iter(), target, missing);
            }
            Node::SplatNode { .. } => {
                self.describe_elements(node.as_splat_node().and_then(|n| n.expression()).into_iter(), target, missing);
            }
            Node::AssocSplatNode { .. } => {
                let splat = node.as_assoc_splat_node().expect("matched");
                self.describe_elements(splat.value().into_iter(), target, missing);
            }
            Node::BeginNode { .. } => self.describe_begin(&node.as_begin_node().expect("matched"), target, missing),
            _ => self.describe_variable(node, target, missing),
        }
    }

    fn describe_begin(&mut self, node: &pm::BeginNode<'pr>, target: Reg, missing: Label) {
        let is_plain = node.rescue_clause().is_none() && node.ensure_clause().is_none() && node.else_clause().is_none();
        if is_plain {
            self.describe_body(node.statements().map(|statements| statements.as_node()), target, missing);
        } else {
            self.put_description("expression", target);
        }
    }

    fn describe_body(&mut self, body: Option<pm::Node<'pr>>, target: Reg, missing: Label) {
        match body {
            Some(body) => self.describe(&body, target, missing),
            None => self.put_description("nil", target),
        }
    }

    fn describe_elements(&mut self, elements: impl Iterator<Item = pm::Node<'pr>>, target: Reg, missing: Label) {
        for element in elements {
            self.describe(&element, target, missing);
        }
        self.put_description("expression", target);
    }

    fn describe_variable(&mut self, node: &pm::Node<'pr>, target: Reg, missing: Label) {
        use pm::Node;
        match node {
            Node::InstanceVariableReadNode { .. } => {
                let name = node.as_instance_variable_read_node().expect("matched").name().as_slice();
                let site = self.f.site(self.instance_variable(name));
                self.check(INSTANCE_VARIABLE, target, 0, site, missing);
            }
            Node::GlobalVariableReadNode { .. } => {
                match node.as_global_variable_read_node().expect("matched").name().as_slice() {
                    // These belong to the frame and are always there.
                    b"$~" | b"$_" => self.put_description("global-variable", target),
                    name => self.check_name(GLOBAL_VARIABLE, target, 0, name, missing),
                }
            }
            Node::ClassVariableReadNode { .. } => {
                let name = node.as_class_variable_read_node().expect("matched").name().as_slice();
                self.check_name(CLASS_VARIABLE, target, 0, name, missing);
            }
            Node::ConstantReadNode { .. } => {
                let name = node.as_constant_read_node().expect("matched").name().as_slice();
                let site = self.f.site(Site::Constant(vec![name.into()]));
                self.check(CONSTANT, target, 0, site, missing);
            }
            Node::BackReferenceReadNode { .. } => {
                let number = match node.location().as_slice() {
                    b"$&" => 1,
                    b"$`" => 2,
                    b"$'" => 3,
                    _ => 4,
                };
                self.check(SPECIAL, target, 0, number, missing);
            }
            Node::NumberedReferenceReadNode { .. } => {
                let number = node.as_numbered_reference_read_node().expect("matched").number();
                let number = u16::try_from(number).unwrap_or(u16::MAX - 16);
                self.check(SPECIAL, target, 0, 16 + number.min(u16::MAX - 16), missing);
            }
            Node::YieldNode { .. } => self.check(YIELD, target, 0, 0, missing),
            Node::SuperNode { .. } | Node::ForwardingSuperNode { .. } => self.check(SUPER, target, 0, 0, missing),
            _ if is_assignment(node) => self.put_description("assignment", target),
            _ => self.put_description("expression", target),
        }
    }

    fn describe_path(&mut self, node: &pm::ConstantPathNode<'pr>, target: Reg, missing: Label) {
        self.scoped(|c| {
            let base = c.f.next_temp;
            c.f.reserve(base + 1);
            match node.parent() {
                Some(parent) => c.receiver_value(&parent, base, target, missing),
                None => c.get_constant(&[b"", b"Object"], base),
            }
            c.f.hold(base);
            debug_assert!(static_path(node).is_none() || node.name().is_some());
            c.check_name(CONSTANT_FROM, target, base, constant_name(node), missing);
        });
    }

    /// Checks that a receiver is defined and evaluates it, once.
    fn receiver_value(&mut self, node: &pm::Node<'pr>, dst: Reg, target: Reg, missing: Label) {
        if let Some(call) = node.as_call_node()
            && call.block().is_none()
            && !call.is_safe_navigation()
            && let Some(receiver) = call.receiver()
        {
            self.receiver_value(&receiver, dst, target, missing);
            return self.scoped(|c| {
                c.f.hold(dst);
                c.describe_arguments(&call, target, missing);
                c.check_name(METHOD_OF, target, dst, call.name().as_slice(), missing);
                let window = c.window(false);
                c.push_copy(dst);
                let shape = c.arguments(list_of(call.arguments()), None);
                c.at(&call.location());
                c.send_window(window, shape, call.name().as_slice(), 0, None, dst);
            });
        }
        self.describe(node, target, missing);
        self.expr(node, dst);
    }

    fn describe_arguments(&mut self, node: &pm::CallNode<'pr>, target: Reg, missing: Label) {
        for argument in list_of(node.arguments()) {
            if argument.as_forwarding_arguments_node().is_none() {
                self.describe(&argument, target, missing);
            }
        }
    }

    fn describe_call(&mut self, node: &pm::CallNode<'pr>, target: Reg, missing: Label) {
        if node.block().is_some_and(|block| block.as_block_node().is_some()) {
            return self.put_description("expression", target);
        }
        let name = node.name().as_slice();
        let Some(receiver) = node.receiver() else {
            self.describe_arguments(node, target, missing);
            return self.check_name(METHOD_OF_SELF, target, 0, name, missing);
        };
        if receiver.as_self_node().is_some() {
            self.describe_arguments(node, target, missing);
            return self.check_name(METHOD_OF, target, 0, name, missing);
        }
        self.scoped(|c| {
            let object = c.f.next_temp;
            c.f.reserve(object + 1);
            c.receiver_value(&receiver, object, target, missing);
            c.f.hold(object);
            c.describe_arguments(node, target, missing);
            c.check_name(METHOD_OF, target, object, name, missing);
        });
    }

    /// Calls a method of a register with arguments in registers.
    pub(crate) fn send_values(&mut self, object: Reg, name: &[u8], arguments: &[Reg], dst: Reg) {
        self.scoped(|c| {
            let window = c.window(false);
            c.push_copy(object);
            for &argument in arguments {
                c.push_copy(argument);
            }
            let shape = Shape { argc: arguments.len() as u16, ..Shape::default() };
            c.send_window(window, shape, name, 0, None, dst);
        });
    }
}
