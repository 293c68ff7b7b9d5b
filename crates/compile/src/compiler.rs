//! The walk over the tree: which method compiles which node, and the ways to ask for a value.

use crate::analysis::{Analysis, Facts};
use crate::class_exits::ClassEnd;
use crate::coverage::Recorder;
use crate::emit::{Dst, Label, Reg, Scope, Spare, SuperParam};
use crate::lines::Lines;
use crate::prism::node_key;
use crate::spot::{Sought, Span, span_of};
use crate::{Diagnostic, Level, Options};
use carat_iseq::coverage::Places;
use carat_iseq::{Draft, EncodingName, IseqKind, Op, Pack};
use ruby_prism as pm;

pub(crate) struct Compiler<'a, 'pr> {
    pub(crate) options: &'a Options<'a>,
    pub(crate) encoding: EncodingName,
    pub(crate) analysis: Analysis,
    /// The code being emitted now.
    pub(crate) f: Scope<'pr>,
    /// The scopes around it, outermost first.
    pub(crate) outer: Vec<Scope<'pr>>,
    /// In a `case`/`in` or `=>` that reports why it failed.
    pub(crate) pattern_error: Option<crate::pattern_error::ErrorRegisters>,
    pub(crate) errors: Vec<Diagnostic>,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) lines: Lines,
    /// What the statements behind this one put into the hash literal that it assigns to a local.
    pub(crate) pairs_to_come: u8,
    /// Somebody counts what runs.
    pub(crate) coverage: Option<Recorder>,
    /// What finished scopes leave for the next ones.
    spare: Vec<Spare>,
    /// Takes the code that is complete.
    pack: Pack,
    /// Somebody wants to know which node an instruction was emitted for.
    sought: Option<Sought<'a>>,
    /// Somebody wants to see the drafts.
    kept: Option<Vec<Draft>>,
}

/// What came of compiling a tree.
pub(crate) struct Compiled<'a> {
    pub(crate) pack: Pack,
    /// Where the code of the whole is in it.
    pub(crate) at: u32,
    pub(crate) warnings: Vec<Diagnostic>,
    pub(crate) sought: Option<Sought<'a>>,
    pub(crate) kept: Option<Vec<Draft>>,
    /// What is counted.
    pub(crate) places: Option<Places>,
}

/// For whom a tree is compiled, besides those who run it.
#[derive(Default)]
pub(crate) struct Observed<'a> {
    /// Who wants to find out where an instruction comes from.
    pub(crate) sought: Option<Sought<'a>>,
    /// Whether all drafts are kept, those of inner code first.
    pub(crate) keeps_drafts: bool,
}

pub(crate) fn compile_program<'a>(
    result: &pm::ParseResult<'_>,
    options: &'a Options<'a>,
    encoding: EncodingName,
    pack: Pack,
    observed: Observed<'a>,
) -> Result<Compiled<'a>, Vec<Diagnostic>> {
    let node = result.node();
    let analysis = Analysis::of(&node, options.scopes);
    if let Some(error) = analysis.out_of_reach {
        return Err(vec![error]);
    }
    if analysis.is_too_deep {
        let message = b"nesting too deep".as_slice().into();
        let (level, line) = (Level::CompileError, options.first_line);
        return Err(vec![Diagnostic { message, level, line, column: 0, end_line: line, end_column: 0 }]);
    }
    let default_name: &[u8] = if options.main_script { b"<main>" } else { b"<top (required)>" };
    let name = options.name.unwrap_or(default_name).to_vec();
    let f = Scope::new(options.kind, name, options.first_line);
    let mut compiler = Compiler {
        options,
        encoding,
        analysis,
        f,
        outer: Vec::new(),
        pattern_error: None,
        errors: Vec::new(),
        warnings: Vec::new(),
        coverage: options.coverage.map(Recorder::new),
        pairs_to_come: 0,
        lines: Lines::of(result.source(), options.first_line),
        spare: Vec::new(),
        pack,
        sought: observed.sought,
        kept: observed.keeps_drafts.then(Vec::new),
    };
    compiler.f.counted_lines = compiler.counted_lines();
    compiler.program(&node);
    compiler.end()
}

/// What there is too much of for instructions to describe a scope.
fn excess(scope: &Scope<'_>) -> Option<Diagnostic> {
    let message = format!("too many {} in one piece of code", scope.excess?).into_bytes().into();
    let (level, line) = (Level::CompileError, scope.first_line);
    Some(Diagnostic { message, level, line, column: 0, end_line: line, end_column: 0 })
}

pub(crate) fn diagnostic_at(location: &pm::Location<'_>, message: &str, level: Level) -> Diagnostic {
    Diagnostic {
        message: message.as_bytes().into(),
        level,
        line: location.start_line(),
        column: location.start_column(),
        end_line: location.end_line(),
        end_column: location.end_column(),
    }
}

macro_rules! dispatch {
    ($self:ident, $node:ident, $dst:ident; $($kind:ident $cast:ident $method:ident;)+) => {
        match $node {
            $(pm::Node::$kind { .. } => $self.$method(&$node.$cast().expect("the kind was matched"), $dst),)+
            // The parser takes `a, (b, c)[0] = 1, 2`, whose `(b, c)` is written to and has no value.
            _ => $self.error(&$node.location(), "unexpected write target; expected an expression"),
        }
    };
}

impl<'a, 'pr> Compiler<'a, 'pr> {
    fn program(&mut self, node: &pm::Node<'pr>) {
        let program = node.as_program_node().expect("the root");
        let facts = self.analysis.scopes.remove(&node_key(node)).expect("analysed");
        let capture_all = facts.uses_binding || self.options.kind == IseqKind::Eval;
        self.declare_locals(&program.locals(), &facts, capture_all);
        self.finish_locals(&facts);
        for statement in &program.statements().body() {
            self.hoist(&statement);
        }
        self.body(Some(program.statements().as_node()));
    }

    /// `BEGIN { }` runs before everything else, and one inside before the one around it.
    fn hoist(&mut self, statement: &pm::Node<'pr>) {
        if let Some(begin) = statement.as_pre_execution_node()
            && let Some(statements) = begin.statements()
        {
            for inner in &statements.body() {
                self.hoist(&inner);
            }
            self.compile(&statements.as_node(), None);
        }
        // `-n` and `-p` put the program into a loop.
        let is_loop = self.options.command_line.n || self.options.command_line.p;
        if let Some(statements) = statement.as_while_node().filter(|_| is_loop).and_then(|w| w.statements()) {
            for inner in &statements.body() {
                self.hoist(&inner);
            }
        }
    }

    /// A whole body: evaluates it and returns its value.
    pub(crate) fn body(&mut self, body: Option<pm::Node<'pr>>) {
        match body {
            Some(body) => self.tail(&body),
            None => self.leave_nil(),
        }
    }

    fn leave_nil(&mut self) {
        let dst = self.f.next_temp;
        self.f.nil(dst);
        self.leave_at_end(dst);
    }

    /// Ends the scope with a value, in its last line.
    pub(crate) fn leave_at_end(&mut self, value: Reg) {
        let line = self.f.line;
        self.f.line = self.f.last_line.unwrap_or(line);
        match self.f.jumps_out {
            true => self.leave_class(ClassEnd::Normal, value),
            false => self.f.abc(Op::leave, value, 0, 0),
        }
        self.f.line = line;
    }

    /// The last expression of a body. Each arm of a conditional leaves by itself.
    pub(crate) fn tail(&mut self, node: &pm::Node<'pr>) {
        match node {
            pm::Node::StatementsNode { .. } => {
                let list: Vec<_> = node.as_statements_node().expect("the kind was matched").body().iter().collect();
                let mut behind = &list[..];
                while let Some((statement, rest)) = behind.split_first() {
                    behind = rest;
                    self.at_statement(statement);
                    self.look_ahead(statement, rest);
                    if rest.is_empty() { self.tail(statement) } else { self.effect(statement) }
                }
                if list.is_empty() {
                    self.leave_nil();
                }
            }
            pm::Node::IfNode { .. } => self.tail_if(&node.as_if_node().expect("the kind was matched")),
            pm::Node::UnlessNode { .. } => self.tail_unless(&node.as_unless_node().expect("the kind was matched")),
            pm::Node::ElseNode { .. } => {
                self.body(node.as_else_node().and_then(|n| n.statements()).map(|n| n.as_node()));
            }
            _ => {
                let value = self.operand(node);
                if !self.f.is_dead() {
                    self.leave_at_end(value);
                }
            }
        }
    }

    /// Builds a scope inside the current one.
    pub(crate) fn nested(&mut self, mut scope: Scope<'pr>, build: impl FnOnce(&mut Self)) -> u16 {
        self.spare.pop().into_iter().for_each(|spare| scope.reuse(spare));
        scope.counted_lines = self.f.counted_lines.clone();
        let around = std::mem::replace(&mut self.f, scope);
        self.outer.push(around);
        let error = self.pattern_error.take();
        build(self);
        self.pattern_error = error;
        let around = self.outer.pop().expect("pushed above");
        let done = std::mem::replace(&mut self.f, around);
        let at = self.pack(done, self.f.node);
        self.f.child(at)
    }

    /// Packs the code of a scope that is complete, made for the node at `outer`. Where it is.
    fn pack(&mut self, mut done: Scope<'pr>, outer: Span) -> u32 {
        self.errors.extend(excess(&done));
        if !self.errors.is_empty() {
            // Nobody will read it.
            return 0;
        }
        let extent = done.extent.take();
        let nodes = std::mem::take(&mut done.nodes);
        let mut spare = done.finish();
        let draft = &spare.draft;
        debug_assert_eq!(crate::verify(draft), Ok(()), "{draft:?}");
        let at = self.pack.add(draft);
        self.note_code(at, extent);
        if let Some(mut sought) = self.sought.take() {
            if sought.compare((self.pack.packed(), at), &nodes, outer) {
                sought.outer_locals = self.locals_around(draft.kind);
            }
            self.sought = Some(sought);
        }
        self.kept.iter_mut().for_each(|kept| kept.push(spare.draft.clone()));
        spare.clear();
        self.spare.push(spare);
        at
    }

    /// Ends the outermost scope.
    fn end(mut self) -> Result<Compiled<'a>, Vec<Diagnostic>> {
        let outermost = std::mem::replace(&mut self.f, Scope::new(IseqKind::Top, Vec::new(), 0));
        let at = self.pack(outermost, (0, 0));
        if self.errors.is_empty() {
            let places = self.coverage.map(Recorder::finish);
            let (pack, warnings, sought, kept) = (self.pack, self.warnings, self.sought, self.kept);
            Ok(Compiled { pack, at, warnings, sought, kept, places })
        } else {
            Err(self.errors)
        }
    }

    /// Names of the locals that code of a kind, made now, has of the scopes around it.
    fn locals_around(&self, kind: IseqKind) -> Vec<Box<[u8]>> {
        let mut is_open = matches!(kind, IseqKind::Block | IseqKind::Lambda);
        let mut names = Vec::new();
        for scope in std::iter::once(&self.f).chain(self.outer.iter().rev()) {
            if !is_open {
                break;
            }
            names.extend(scope.locals.iter().filter(|local| !local.name.is_empty()).map(|local| local.name.clone()));
            is_open = scope.is_block();
        }
        names
    }

    pub(crate) fn facts(&mut self, node: &pm::Node<'pr>) -> Facts {
        // An `ensure` body is compiled several times, so facts are given out as often as they are asked for.
        self.analysis.scopes.get(&node_key(node)).map(Facts::copy).unwrap_or_default()
    }

    /// Notes code that the parser lets through.
    pub(crate) fn error(&mut self, location: &pm::Location<'pr>, message: &str) {
        self.errors.push(diagnostic_at(location, message, Level::CompileError));
    }

    pub(crate) fn warning(&mut self, location: &pm::Location<'pr>, message: &str) {
        self.warnings.push(diagnostic_at(location, message, Level::Warning));
    }

    pub(crate) fn at(&mut self, location: &pm::Location<'pr>) {
        self.f.line = self.lines.start(location);
    }

    /// Constructs that only hold statements are none themselves.
    pub(crate) fn at_statement(&mut self, node: &pm::Node<'pr>) {
        self.at_node(node);
        if !matches!(node, pm::Node::BeginNode { .. } | pm::Node::ParenthesesNode { .. }) {
            self.f.begin_statement();
        }
    }

    pub(crate) fn at_node(&mut self, node: &pm::Node<'pr>) {
        self.at(&node.location());
    }

    /// Evaluates into a register.
    pub(crate) fn expr(&mut self, node: &pm::Node<'pr>, dst: Reg) {
        self.compile(node, Some(dst));
    }

    pub(crate) fn effect(&mut self, node: &pm::Node<'pr>) {
        self.compile(node, None);
    }

    /// Evaluates and tells where the value is: in the local that the node names, or in `next_temp`.
    pub(crate) fn operand(&mut self, node: &pm::Node<'pr>) -> Reg {
        if let Some(register) = self.register_of(node) {
            return register;
        }
        let dst = self.f.next_temp;
        self.f.reserve(dst + 1);
        self.expr(node, dst);
        dst
    }

    /// Like `operand`, and the register stays as it is until the caller lets go of it.
    pub(crate) fn held(&mut self, node: &pm::Node<'pr>) -> Reg {
        let register = self.operand(node);
        self.f.hold(register);
        register
    }

    /// A copy in a temporary of its own, which stays.
    pub(crate) fn push(&mut self, node: &pm::Node<'pr>) -> Reg {
        let dst = self.f.next_temp;
        self.f.reserve(dst + 1);
        self.expr(node, dst);
        self.f.hold(dst);
        dst
    }

    /// `held`, but a copy if `later` may assign the local before the value is used.
    pub(crate) fn held_before(&mut self, node: &pm::Node<'pr>, later: &[&pm::Node<'pr>]) -> Reg {
        match self.register_of(node) {
            Some(register) if register != 0 && later.iter().any(|l| crate::variables::may_write(l, node)) => {
                self.push(node)
            }
            _ => self.held(node),
        }
    }

    /// Where to build a value that is wanted in `dst`: there, unless it is a local.
    pub(crate) fn scratch(&mut self, dst: Dst) -> Reg {
        let register = match dst {
            Some(dst) if !self.f.is_local(dst) => dst,
            _ => self.f.next_temp,
        };
        self.f.reserve(register + 1);
        register
    }

    pub(crate) fn result(&mut self, dst: Dst, from: Reg) {
        if let Some(dst) = dst {
            self.f.move_to(dst, from);
        }
    }

    /// Runs `build` and frees the temporaries it held.
    pub(crate) fn scoped<T>(&mut self, build: impl FnOnce(&mut Self) -> T) -> T {
        let saved = self.f.next_temp;
        let value = build(self);
        self.f.next_temp = saved;
        value
    }

    /// Opens a call window: `(header, base, first word)`. Temporaries continue at the receiver.
    pub(crate) fn open_window(&mut self) -> (Reg, Reg, u32) {
        let header = self.f.next_temp;
        let base = self.f.window(0);
        self.f.next_temp = base;
        (header, base, self.f.pos())
    }

    /// The method-level scope around the current one, by how many environments up; `None` outside of this source.
    pub(crate) fn method_scope(&self) -> (u16, Option<&Scope<'pr>>) {
        if !self.f.is_block() {
            return (0, Some(&self.f));
        }
        for (levels, scope) in self.outer.iter().rev().enumerate() {
            if !scope.is_block() {
                return (levels as u16 + 1, Some(scope));
            }
        }
        (self.outer.len() as u16, None)
    }

    pub(crate) fn compile(&mut self, node: &pm::Node<'pr>, dst: Dst) {
        // What a statement does first counts, be it on another line.
        if let Some(first) = self.f.is_uncounted.then(|| crate::coverage::first_step(node)).flatten() {
            self.at_node(&first);
        }
        if self.sought.is_none() {
            return self.compile_node(node, dst);
        }
        let around = std::mem::replace(&mut self.f.node, span_of(&node.location()));
        self.compile_node(node, dst);
        self.f.node = around;
    }

    /// Notes the node that the next instructions are emitted for, where that is not the one being compiled.
    pub(crate) fn emit_for(&mut self, location: &pm::Location<'pr>) {
        if self.sought.is_some() {
            self.f.node = span_of(location);
        }
    }

    fn compile_node(&mut self, node: &pm::Node<'pr>, dst: Dst) {
        if self.f.has_literal_parts { self.literal_part(node, dst) } else { self.compile_kind(node, dst) }
    }

    /// By what kind of node it is.
    pub(crate) fn compile_kind(&mut self, node: &pm::Node<'pr>, dst: Dst) {
        dispatch! { self, node, dst;
            CallNode as_call_node call;
            LocalVariableReadNode as_local_variable_read_node local_variable_read;
            StatementsNode as_statements_node statements;
            SelfNode as_self_node self_value;
            NilNode as_nil_node nil_value;
            TrueNode as_true_node true_value;
            FalseNode as_false_node false_value;
            IntegerNode as_integer_node integer;
            FloatNode as_float_node float;
            RationalNode as_rational_node rational;
            ImaginaryNode as_imaginary_node imaginary;
            StringNode as_string_node string;
            SymbolNode as_symbol_node symbol;
            XStringNode as_x_string_node xstring;
            InterpolatedStringNode as_interpolated_string_node interpolated_string;
            InterpolatedSymbolNode as_interpolated_symbol_node interpolated_symbol;
            InterpolatedXStringNode as_interpolated_x_string_node interpolated_xstring;
            RegularExpressionNode as_regular_expression_node regular_expression;
            InterpolatedRegularExpressionNode as_interpolated_regular_expression_node interpolated_regular_expression;
            MatchLastLineNode as_match_last_line_node match_last_line;
            InterpolatedMatchLastLineNode as_interpolated_match_last_line_node interpolated_match_last_line;
            MatchWriteNode as_match_write_node match_write;
            ArrayNode as_array_node array;
            HashNode as_hash_node hash;
            KeywordHashNode as_keyword_hash_node keyword_hash;
            RangeNode as_range_node range;
            ImplicitNode as_implicit_node implicit;
            EmbeddedStatementsNode as_embedded_statements_node embedded_statements;
            EmbeddedVariableNode as_embedded_variable_node embedded_variable;
            SourceFileNode as_source_file_node source_file;
            SourceLineNode as_source_line_node source_line;
            SourceEncodingNode as_source_encoding_node source_encoding;
            ItLocalVariableReadNode as_it_local_variable_read_node it_read;
            InstanceVariableReadNode as_instance_variable_read_node instance_variable_read;
            ClassVariableReadNode as_class_variable_read_node class_variable_read;
            GlobalVariableReadNode as_global_variable_read_node global_variable_read;
            ConstantReadNode as_constant_read_node constant_read;
            ConstantPathNode as_constant_path_node constant_path;
            BackReferenceReadNode as_back_reference_read_node back_reference_read;
            NumberedReferenceReadNode as_numbered_reference_read_node numbered_reference_read;
            LocalVariableWriteNode as_local_variable_write_node local_variable_write;
            InstanceVariableWriteNode as_instance_variable_write_node instance_variable_write;
            ClassVariableWriteNode as_class_variable_write_node class_variable_write;
            GlobalVariableWriteNode as_global_variable_write_node global_variable_write;
            ConstantWriteNode as_constant_write_node constant_write;
            ConstantPathWriteNode as_constant_path_write_node constant_path_write;
            ShareableConstantNode as_shareable_constant_node shareable_constant;
            MultiWriteNode as_multi_write_node multi_write;
            LocalVariableOperatorWriteNode as_local_variable_operator_write_node local_operator_write;
            LocalVariableOrWriteNode as_local_variable_or_write_node local_or_write;
            LocalVariableAndWriteNode as_local_variable_and_write_node local_and_write;
            InstanceVariableOperatorWriteNode as_instance_variable_operator_write_node instance_operator_write;
            InstanceVariableOrWriteNode as_instance_variable_or_write_node instance_or_write;
            InstanceVariableAndWriteNode as_instance_variable_and_write_node instance_and_write;
            ClassVariableOperatorWriteNode as_class_variable_operator_write_node class_variable_operator_write;
            ClassVariableOrWriteNode as_class_variable_or_write_node class_variable_or_write;
            ClassVariableAndWriteNode as_class_variable_and_write_node class_variable_and_write;
            GlobalVariableOperatorWriteNode as_global_variable_operator_write_node global_operator_write;
            GlobalVariableOrWriteNode as_global_variable_or_write_node global_or_write;
            GlobalVariableAndWriteNode as_global_variable_and_write_node global_and_write;
            ConstantOperatorWriteNode as_constant_operator_write_node constant_operator_write;
            ConstantOrWriteNode as_constant_or_write_node constant_or_write;
            ConstantAndWriteNode as_constant_and_write_node constant_and_write;
            ConstantPathOperatorWriteNode as_constant_path_operator_write_node constant_path_operator_write;
            ConstantPathOrWriteNode as_constant_path_or_write_node constant_path_or_write;
            ConstantPathAndWriteNode as_constant_path_and_write_node constant_path_and_write;
            CallOperatorWriteNode as_call_operator_write_node call_operator_write;
            CallOrWriteNode as_call_or_write_node call_or_write;
            CallAndWriteNode as_call_and_write_node call_and_write;
            IndexOperatorWriteNode as_index_operator_write_node index_operator_write;
            IndexOrWriteNode as_index_or_write_node index_or_write;
            IndexAndWriteNode as_index_and_write_node index_and_write;
            IfNode as_if_node if_else;
            UnlessNode as_unless_node unless;
            ElseNode as_else_node else_clause;
            AndNode as_and_node and;
            OrNode as_or_node or;
            WhileNode as_while_node while_loop;
            UntilNode as_until_node until_loop;
            ForNode as_for_node for_loop;
            CaseNode as_case_node case_when;
            CaseMatchNode as_case_match_node case_in;
            MatchPredicateNode as_match_predicate_node match_predicate;
            MatchRequiredNode as_match_required_node match_required;
            ParenthesesNode as_parentheses_node parentheses;
            BeginNode as_begin_node begin;
            RescueModifierNode as_rescue_modifier_node rescue_modifier;
            ReturnNode as_return_node return_value;
            BreakNode as_break_node break_value;
            NextNode as_next_node next_value;
            RedoNode as_redo_node redo;
            RetryNode as_retry_node retry;
            FlipFlopNode as_flip_flop_node flip_flop;
            YieldNode as_yield_node yield_values;
            SuperNode as_super_node super_call;
            ForwardingSuperNode as_forwarding_super_node forwarding_super;
            LambdaNode as_lambda_node lambda;
            DefNode as_def_node def;
            ClassNode as_class_node class;
            ModuleNode as_module_node module;
            SingletonClassNode as_singleton_class_node singleton_class;
            AliasMethodNode as_alias_method_node alias_method;
            AliasGlobalVariableNode as_alias_global_variable_node alias_global;
            UndefNode as_undef_node undef;
            PreExecutionNode as_pre_execution_node pre_execution;
            PostExecutionNode as_post_execution_node post_execution;
            DefinedNode as_defined_node defined;
        }
    }

    fn self_value(&mut self, _: &pm::SelfNode<'pr>, dst: Dst) {
        self.result(dst, 0);
    }

    pub(crate) fn statements(&mut self, node: &pm::StatementsNode<'pr>, dst: Dst) {
        let body: Vec<_> = node.body().iter().collect();
        let mut behind = &body[..];
        while let Some((statement, rest)) = behind.split_first() {
            behind = rest;
            self.at_statement(statement);
            self.look_ahead(statement, rest);
            self.compile(statement, if rest.is_empty() { dst } else { None });
        }
        if body.is_empty() {
            self.f.nil_if(dst);
        }
    }

    pub(crate) fn statements_or_nil(&mut self, node: Option<pm::StatementsNode<'pr>>, dst: Dst) {
        match node {
            Some(node) => self.statements(&node, dst),
            None => self.f.nil_if(dst),
        }
    }

    pub(crate) fn parentheses(&mut self, node: &pm::ParenthesesNode<'pr>, dst: Dst) {
        match node.body() {
            Some(body) => self.compile(&body, dst),
            None => self.f.nil_if(dst),
        }
    }

    /// `BEGIN` was run at the start; in its place stands nil.
    fn pre_execution(&mut self, _: &pm::PreExecutionNode<'pr>, dst: Dst) {
        self.f.nil_if(dst);
    }

    /// Builds a value that takes several steps, where a local must not be written before the last one.
    pub(crate) fn build(&mut self, dst: Dst, build: impl FnOnce(&mut Self, Reg)) {
        let target = self.scratch(dst);
        build(self, target);
        self.result(dst, target);
    }

    pub(crate) fn jump_if(&mut self, register: Reg, when: bool, target: Label) {
        self.f.branch(if when { Op::branchif } else { Op::branchunless }, register, target);
    }

    /// Name for blocks in this scope: `block in foo`, `block (2 levels) in foo`. Evaluated text may itself stand in a block.
    pub(crate) fn block_name(&self) -> Vec<u8> {
        self.block_name_within(0)
    }

    /// As [`Compiler::block_name`], with more blocks in between than the source has.
    pub(crate) fn block_name_within(&self, blocks: usize) -> Vec<u8> {
        let (levels, scope) = self.method_scope();
        let around = scope.or(self.outer.first()).unwrap_or(&self.f);
        let (levels_around, home) = levels_and_home(&around.name);
        let own = std::iter::once(&self.f).chain(self.outer.iter().rev()).take(usize::from(levels));
        let blocks = blocks + own.filter(|scope| scope.is_post_execution).count();
        let levels = usize::from(levels) + levels_around + blocks;
        let prefix = if levels == 0 { "block in ".to_owned() } else { format!("block ({} levels) in ", levels + 1) };
        [prefix.as_bytes(), home].concat()
    }

    /// Parameters of the method around this code, for `super` without arguments, and how many environments up they are.
    pub(crate) fn super_params(&self) -> (u16, Vec<SuperParam>) {
        let (levels, scope) = self.method_scope();
        let Some(scope) = scope else { return (0, Vec::new()) };
        let in_environment =
            |register: Reg| levels > 0 || scope.locals.iter().any(|local| local.register == register && local.captured);
        let params = scope
            .super_params
            .iter()
            .map(|param| SuperParam { in_environment: in_environment(param.register), ..param.clone() });
        (levels, params.collect())
    }
}

/// How many blocks a scope of this name is in, and the name of what they are in.
fn levels_and_home(name: &[u8]) -> (usize, &[u8]) {
    if let Some(home) = name.strip_prefix(b"block in ") {
        return (1, home);
    }
    let deeper = name.strip_prefix(b"block (").and_then(|rest| {
        let (levels, home) = rest.split_at(rest.iter().position(|b| *b == b' ')?);
        Some((std::str::from_utf8(levels).ok()?.parse().ok()?, home.strip_prefix(b" levels) in ")?))
    });
    deeper.unwrap_or((0, name))
}
