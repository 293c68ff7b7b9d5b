//! A pass over the tree before compilation: which locals are captured, and what each scope needs.
//!
//! The pass also finds trees that are too deep for the compiler's recursion: the parser bounds nesting, but not chains such as
//! `a + b + c`, whose trees lean to the left.
//!
//! Registers are handed out before the first instruction of a scope is emitted, so captures, flip-flops and the use of
//! `$~` must be known by then.

use crate::compiler::diagnostic_at;
use crate::prism::node_key;
use crate::{Diagnostic, Level, Map, ScopeNames, Set};
use ruby_prism as pm;
use ruby_prism::Visit;

/// What one scope needs.
#[derive(Default, Debug)]
pub(crate) struct Facts {
    pub(crate) captured: Set<Vec<u8>>,
    /// Locals that more than one place gives a value, a parameter's included.
    pub(crate) reassigned: Set<Vec<u8>>,
    /// Those that one place does, by the address of their name, which the parser keeps once.
    assigned: Set<usize>,
    /// Every local may be reached by name at run time.
    pub(crate) uses_binding: bool,
    pub(crate) uses_svar: bool,
    pub(crate) uses_block: bool,
    pub(crate) uses_callee: bool,
    pub(crate) calls_super: bool,
    /// A block inside passes all parameters on with `super`.
    pub(crate) captures_params: bool,
    pub(crate) flip_flops: u16,
    is_block: bool,
    is_transparent: bool,
}

/// The facts of every scope, and the number of every flip-flop within its method-level scope.
#[derive(Default)]
pub(crate) struct Analysis {
    pub(crate) scopes: Map<usize, Facts>,
    pub(crate) flip_flops: Map<usize, u16>,
    pub(crate) is_too_deep: bool,
    /// The first local that an isolated block keeps the code from.
    pub(crate) out_of_reach: Option<Diagnostic>,
}

/// Levels of nodes that have nodes inside. The parser's own limit of nesting comes to half of it.
const DEEPEST: usize = 40_000;

impl Analysis {
    /// `around` are the scopes of the binding that the code is evaluated in.
    pub(crate) fn of(program: &pm::Node<'_>, around: &[ScopeNames]) -> Analysis {
        let mut visitor = Visitor { analysis: Analysis::default(), stack: Vec::new(), depth: 0, around };
        visitor.scope(program, false, false, |v| {
            v.visit_program_node(&program.as_program_node().expect("a program"));
        });
        visitor.analysis
    }
}

struct Visitor<'a> {
    analysis: Analysis,
    stack: Vec<Facts>,
    depth: usize,
    around: &'a [ScopeNames],
}

impl<'a> Visitor<'a> {
    fn scope(
        &mut self,
        node: &pm::Node<'_>,
        is_block: bool,
        is_transparent: bool,
        visit: impl FnOnce(&mut Visitor<'a>),
    ) {
        self.stack.push(Facts { is_block, is_transparent, ..Facts::default() });
        visit(self);
        let facts = self.stack.pop().expect("pushed above");
        self.analysis.scopes.insert(node_key(node), facts);
    }

    fn may_go_deeper(&mut self) -> bool {
        self.analysis.is_too_deep |= self.depth > DEEPEST;
        !self.analysis.is_too_deep
    }

    /// The scope that Prism's depth means, and whether a frame boundary lies in between.
    fn target(&self, mut depth: u32) -> Option<(usize, bool)> {
        let mut index = self.stack.len().checked_sub(1)?;
        let mut crossed = false;
        loop {
            if !self.stack[index].is_transparent {
                if depth == 0 {
                    return Some((index, crossed));
                }
                depth -= 1;
            }
            crossed = true;
            index = index.checked_sub(1)?;
        }
    }

    fn local(&mut self, name: &[u8], depth: u32, location: &pm::Location<'_>) {
        match self.target(depth) {
            Some((index, true)) => {
                self.stack[index].captured.insert(name.to_vec());
            }
            Some(_) => {}
            None => self.local_around(name, depth, location),
        }
    }

    /// A local of the binding.
    fn local_around(&mut self, name: &[u8], depth: u32, location: &pm::Location<'_>) {
        let own = self.stack.iter().filter(|facts| !facts.is_transparent).count();
        let holder = self.around.iter().rev().nth((depth as usize).saturating_sub(own));
        if self.analysis.out_of_reach.is_none() && holder.is_some_and(|names| names.is_out_of_reach) {
            let name = String::from_utf8_lossy(name);
            let message = format!("can not access variable '{name}' from isolated Proc");
            self.analysis.out_of_reach = Some(diagnostic_at(location, &message, Level::CompileError));
        }
    }

    fn assigned(&mut self, name: &[u8], depth: u32) {
        let Some((index, _)) = self.target(depth) else { return };
        let facts = &mut self.stack[index];
        if !facts.assigned.insert(name.as_ptr().addr()) && !facts.reassigned.contains(name) {
            facts.reassigned.insert(name.to_vec());
        }
    }

    /// Whatever scope around has this name up to the method shares it: a hidden parameter (`*`, `**`, `&`), or what a block calls by its bare
    /// name and may become a local later, since code that saw the call fail asks the block's binding.
    fn may_be_around(&mut self, name: &[u8]) {
        for index in (0..self.stack.len()).rev() {
            if index + 1 != self.stack.len() && !self.stack[index].captured.contains(name) {
                self.stack[index].captured.insert(name.to_vec());
            }
            if !self.stack[index].is_block {
                break;
            }
        }
    }

    fn forwarding(&mut self) {
        for name in [&b"*"[..], b"**", b"&"] {
            self.may_be_around(name);
        }
        self.up_to_method(|facts| facts.uses_block = true);
    }

    /// Applies to the current scope and the blocks around it, up to the method, class or file.
    fn up_to_method(&mut self, mut apply: impl FnMut(&mut Facts)) {
        for facts in self.stack.iter_mut().rev() {
            apply(facts);
            if !facts.is_block {
                break;
            }
        }
    }

    fn svar(&mut self) {
        self.up_to_method(|facts| facts.uses_svar = true);
    }

    fn method_level(&mut self) -> &mut Facts {
        let index = self.stack.iter().rposition(|facts| !facts.is_block).expect("the program is one");
        &mut self.stack[index]
    }

    fn call_name(&mut self, node: &pm::CallNode<'_>) {
        let takes_code = match node.name().as_slice() {
            b"binding"
            | b"eval"
            | b"local_variables"
            | b"local_variable_get"
            | b"local_variable_set"
            | b"local_variable_defined?"
            | b"irb" => true,
            b"instance_eval" | b"class_eval" | b"module_eval" => {
                node.arguments().is_some() || node.block().is_none_or(|b| b.as_block_node().is_none())
            }
            b"__callee__" => {
                self.method_level().uses_callee = true;
                false
            }
            b"last_match" | b"gets" | b"readline" | b"global_variables" => {
                self.svar();
                false
            }
            _ => false,
        };
        if takes_code {
            self.up_to_method(|facts| (facts.uses_binding, facts.uses_svar) = (true, true));
        }
    }
}

/// The names that the English library gives to the special variables.
fn is_svar_alias(name: &[u8]) -> bool {
    matches!(
        name,
        b"$~"
            | b"$_"
            | b"$MATCH"
            | b"$PREMATCH"
            | b"$POSTMATCH"
            | b"$LAST_MATCH_INFO"
            | b"$LAST_PAREN_MATCH"
            | b"$LAST_READ_LINE"
    )
}

macro_rules! locals {
    ($($visit:ident $node:ident;)+) => {
        $(fn $visit(&mut self, node: &pm::$node<'pr>) {
            self.local(node.name().as_slice(), node.depth(), &node.location());
            pm::$visit(self, node);
        })+
    };
}

macro_rules! assignments {
    ($($visit:ident $node:ident;)+) => {
        $(fn $visit(&mut self, node: &pm::$node<'pr>) {
            self.local(node.name().as_slice(), node.depth(), &node.location());
            self.assigned(node.name().as_slice(), node.depth());
            pm::$visit(self, node);
        })+
    };
}

/// Parameters that have a value from the beginning, and a name.
macro_rules! parameters {
    ($($visit:ident $node:ident;)+) => {
        $(fn $visit(&mut self, node: &pm::$node<'pr>) {
            self.assigned(node.name().as_slice(), 0);
            pm::$visit(self, node);
        })+
    };
}

/// Parameters that may have no name.
macro_rules! rest_parameters {
    ($($visit:ident $node:ident;)+) => {
        $(fn $visit(&mut self, node: &pm::$node<'pr>) {
            if let Some(name) = node.name() {
                self.assigned(name.as_slice(), 0);
            }
        })+
    };
}

macro_rules! special_variables {
    ($($visit:ident $node:ident;)+) => {
        $(fn $visit(&mut self, node: &pm::$node<'pr>) {
            if is_svar_alias(node.name().as_slice()) {
                self.svar();
            }
            pm::$visit(self, node);
        })+
    };
}

/// Kinds of nodes that chains are made of: beyond the deepest level they are not looked into.
macro_rules! bounded {
    ($($visit:ident $node:ident;)+) => {$(
        fn $visit(&mut self, node: &pm::$node<'pr>) {
            if self.may_go_deeper() {
                pm::$visit(self, node);
            }
        }
    )+};
}

impl<'pr> Visit<'pr> for Visitor<'_> {
    fn visit_branch_node_enter(&mut self, _: pm::Node<'pr>) {
        self.depth += 1;
    }

    fn visit_branch_node_leave(&mut self) {
        self.depth -= 1;
    }

    bounded! {
        visit_and_node AndNode;
        visit_or_node OrNode;
        visit_if_node IfNode;
        visit_unless_node UnlessNode;
        visit_while_node WhileNode;
        visit_until_node UntilNode;
        visit_rescue_modifier_node RescueModifierNode;
        visit_constant_path_node ConstantPathNode;
        visit_alternation_pattern_node AlternationPatternNode;
        visit_match_predicate_node MatchPredicateNode;
        visit_interpolated_string_node InterpolatedStringNode;
    }

    locals! {
        visit_local_variable_read_node LocalVariableReadNode;
    }

    parameters! {
        visit_required_parameter_node RequiredParameterNode;
        visit_optional_parameter_node OptionalParameterNode;
        visit_required_keyword_parameter_node RequiredKeywordParameterNode;
        visit_optional_keyword_parameter_node OptionalKeywordParameterNode;
    }

    rest_parameters! {
        visit_rest_parameter_node RestParameterNode;
        visit_keyword_rest_parameter_node KeywordRestParameterNode;
    }

    assignments! {
        visit_local_variable_write_node LocalVariableWriteNode;
        visit_local_variable_target_node LocalVariableTargetNode;
        visit_local_variable_and_write_node LocalVariableAndWriteNode;
        visit_local_variable_or_write_node LocalVariableOrWriteNode;
        visit_local_variable_operator_write_node LocalVariableOperatorWriteNode;
    }

    special_variables! {
        visit_global_variable_read_node GlobalVariableReadNode;
        visit_global_variable_write_node GlobalVariableWriteNode;
        visit_global_variable_target_node GlobalVariableTargetNode;
        visit_global_variable_and_write_node GlobalVariableAndWriteNode;
        visit_global_variable_or_write_node GlobalVariableOrWriteNode;
        visit_global_variable_operator_write_node GlobalVariableOperatorWriteNode;
    }

    /// Whether a local is defined may be asked of one that is out of reach.
    fn visit_defined_node(&mut self, node: &pm::DefinedNode<'pr>) {
        let before = self.analysis.out_of_reach.is_some();
        pm::visit_defined_node(self, node);
        if !before && node.value().as_local_variable_read_node().is_some() {
            self.analysis.out_of_reach = None;
        }
    }

    fn visit_it_local_variable_read_node(&mut self, node: &pm::ItLocalVariableReadNode<'pr>) {
        self.local(b"it", 0, &node.location());
    }

    fn visit_back_reference_read_node(&mut self, _: &pm::BackReferenceReadNode<'pr>) {
        self.svar();
    }

    fn visit_numbered_reference_read_node(&mut self, _: &pm::NumberedReferenceReadNode<'pr>) {
        self.svar();
    }

    fn visit_match_last_line_node(&mut self, _: &pm::MatchLastLineNode<'pr>) {
        self.svar();
    }

    fn visit_interpolated_match_last_line_node(&mut self, node: &pm::InterpolatedMatchLastLineNode<'pr>) {
        self.svar();
        if node.is_once() {
            return self.scope(&node.as_node(), true, true, |v| pm::visit_interpolated_match_last_line_node(v, node));
        }
        pm::visit_interpolated_match_last_line_node(self, node);
    }

    fn visit_interpolated_regular_expression_node(&mut self, node: &pm::InterpolatedRegularExpressionNode<'pr>) {
        if node.is_once() {
            return self
                .scope(&node.as_node(), true, true, |v| pm::visit_interpolated_regular_expression_node(v, node));
        }
        pm::visit_interpolated_regular_expression_node(self, node);
    }

    fn visit_match_write_node(&mut self, node: &pm::MatchWriteNode<'pr>) {
        self.svar();
        pm::visit_match_write_node(self, node);
    }

    fn visit_flip_flop_node(&mut self, node: &pm::FlipFlopNode<'pr>) {
        let facts = self.method_level();
        let number = facts.flip_flops;
        facts.flip_flops += 1;
        self.analysis.flip_flops.insert(node_key(&node.as_node()), number);
        pm::visit_flip_flop_node(self, node);
    }

    fn visit_constant_read_node(&mut self, node: &pm::ConstantReadNode<'pr>) {
        if node.name().as_slice() == b"TOPLEVEL_BINDING" {
            self.stack[0].uses_binding = true;
        }
    }

    fn visit_call_node(&mut self, node: &pm::CallNode<'pr>) {
        self.call_name(node);
        if node.is_variable_call() {
            self.may_be_around(node.name().as_slice());
        }
        if self.may_go_deeper() {
            pm::visit_call_node(self, node);
        }
    }

    fn visit_yield_node(&mut self, node: &pm::YieldNode<'pr>) {
        self.up_to_method(|facts| facts.uses_block = true);
        pm::visit_yield_node(self, node);
    }

    fn visit_super_node(&mut self, node: &pm::SuperNode<'pr>) {
        self.method_level().calls_super = true;
        // With a block of its own, `super` does not pass on the method's.
        if node.block().is_none() {
            self.up_to_method(|facts| facts.uses_block = true);
        }
        pm::visit_super_node(self, node);
    }

    fn visit_forwarding_super_node(&mut self, node: &pm::ForwardingSuperNode<'pr>) {
        self.method_level().calls_super = true;
        if node.block().is_none() {
            self.up_to_method(|facts| facts.uses_block = true);
        }
        if self.stack.last().is_some_and(|facts| facts.is_block) {
            self.method_level().captures_params = true;
        }
        pm::visit_forwarding_super_node(self, node);
    }

    fn visit_block_parameter_node(&mut self, node: &pm::BlockParameterNode<'pr>) {
        if let Some(name) = node.name() {
            self.assigned(name.as_slice(), 0);
        }
        self.up_to_method(|facts| facts.uses_block = true);
    }

    fn visit_forwarding_parameter_node(&mut self, _: &pm::ForwardingParameterNode<'pr>) {
        self.up_to_method(|facts| facts.uses_block = true);
    }

    fn visit_forwarding_arguments_node(&mut self, _: &pm::ForwardingArgumentsNode<'pr>) {
        self.forwarding();
    }

    fn visit_splat_node(&mut self, node: &pm::SplatNode<'pr>) {
        if node.expression().is_none() {
            self.may_be_around(b"*");
        }
        pm::visit_splat_node(self, node);
    }

    fn visit_assoc_splat_node(&mut self, node: &pm::AssocSplatNode<'pr>) {
        if node.value().is_none() {
            self.may_be_around(b"**");
        }
        pm::visit_assoc_splat_node(self, node);
    }

    fn visit_block_argument_node(&mut self, node: &pm::BlockArgumentNode<'pr>) {
        if node.expression().is_none() {
            self.may_be_around(b"&");
        }
        pm::visit_block_argument_node(self, node);
    }

    fn visit_def_node(&mut self, node: &pm::DefNode<'pr>) {
        if let Some(receiver) = node.receiver() {
            self.visit(&receiver);
        }
        self.scope(&node.as_node(), false, false, |v| {
            if let Some(parameters) = node.parameters() {
                v.visit_parameters_node(&parameters);
            }
            if let Some(body) = node.body() {
                v.visit(&body);
            }
        });
    }

    fn visit_class_node(&mut self, node: &pm::ClassNode<'pr>) {
        self.visit(&node.constant_path());
        if let Some(superclass) = node.superclass() {
            self.visit(&superclass);
        }
        if let Some(body) = node.body() {
            self.scope(&node.as_node(), false, false, |v| v.visit(&body));
        }
    }

    fn visit_module_node(&mut self, node: &pm::ModuleNode<'pr>) {
        self.visit(&node.constant_path());
        if let Some(body) = node.body() {
            self.scope(&node.as_node(), false, false, |v| v.visit(&body));
        }
    }

    fn visit_singleton_class_node(&mut self, node: &pm::SingletonClassNode<'pr>) {
        self.visit(&node.expression());
        if let Some(body) = node.body() {
            self.scope(&node.as_node(), false, false, |v| v.visit(&body));
        }
    }

    fn visit_block_node(&mut self, node: &pm::BlockNode<'pr>) {
        self.scope(&node.as_node(), true, false, |v| pm::visit_block_node(v, node));
    }

    fn visit_lambda_node(&mut self, node: &pm::LambdaNode<'pr>) {
        self.scope(&node.as_node(), true, false, |v| pm::visit_lambda_node(v, node));
    }

    fn visit_for_node(&mut self, node: &pm::ForNode<'pr>) {
        self.visit(&node.collection());
        self.scope(&node.as_node(), true, true, |v| {
            v.visit(&node.index());
            if let Some(statements) = node.statements() {
                v.visit_statements_node(&statements);
            }
        });
    }

    fn visit_post_execution_node(&mut self, node: &pm::PostExecutionNode<'pr>) {
        self.scope(&node.as_node(), true, true, |v| pm::visit_post_execution_node(v, node));
    }
}

impl Facts {
    pub(crate) fn copy(&self) -> Facts {
        let (captured, reassigned) = (self.captured.clone(), self.reassigned.clone());
        Facts { captured, reassigned, assigned: Set::default(), ..*self }
    }
}
