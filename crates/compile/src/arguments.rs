//! Arguments of calls, laid out in the window behind the receiver as [`CallFlags`] describes.

use crate::compiler::Compiler;
use crate::emit::{ParamKind, Reg, SuperParam};
use crate::variables::Place;
use carat_iseq::{CallFlags, CallInfo, Op};
use ruby_prism as pm;

/// The arguments that were pushed.
#[derive(Default)]
pub(crate) struct Shape {
    pub(crate) argc: u16,
    pub(crate) flags: u16,
    pub(crate) keyword_names: Vec<Box<[u8]>>,
}

impl Shape {
    pub(crate) fn is_simple(&self) -> bool {
        CallFlags(self.flags).is_simple()
    }

    /// `&block` is among the arguments.
    pub(crate) fn passes_block(&self) -> bool {
        CallFlags(self.flags).has(CallFlags::BLOCK_ARG)
    }

    pub(crate) fn info(self, name: &[u8], flags: u16, block: Option<u16>) -> CallInfo {
        CallInfo {
            name: name.into(),
            argc: self.argc,
            flags: CallFlags(self.flags | flags),
            keyword_names: self.keyword_names,
            block,
        }
    }
}

pub(crate) fn list_of<'pr>(arguments: Option<pm::ArgumentsNode<'pr>>) -> Vec<pm::Node<'pr>> {
    arguments.map_or_else(Vec::new, |arguments| arguments.arguments().iter().collect())
}

/// An argument that takes one register and is what it evaluates to.
pub(crate) fn is_plain(node: &pm::Node<'_>) -> bool {
    !matches!(
        node,
        pm::Node::SplatNode { .. }
            | pm::Node::KeywordHashNode { .. }
            | pm::Node::ForwardingArgumentsNode { .. }
            | pm::Node::BlockArgumentNode { .. }
    )
}

/// So many arguments are passed as an array: they need no registers of their own.
pub(crate) const MANY: usize = 1000;

fn is_splat(node: &pm::Node<'_>) -> bool {
    matches!(node, pm::Node::SplatNode { .. })
}

/// Evaluating this cannot change an array or a variable.
fn is_harmless(node: &pm::Node<'_>) -> bool {
    use pm::Node::{AssocNode, AssocSplatNode, BlockArgumentNode, KeywordHashNode, SelfNode, SymbolNode, TrueNode};
    use pm::Node::{FalseNode, ImplicitNode, InstanceVariableReadNode, IntegerNode, LocalVariableReadNode, NilNode};
    match node {
        BlockArgumentNode { .. } => {
            node.as_block_argument_node().and_then(|n| n.expression()).is_none_or(|n| is_harmless(&n))
        }
        AssocSplatNode { .. } => node.as_assoc_splat_node().and_then(|n| n.value()).is_none_or(|n| is_harmless(&n)),
        AssocNode { .. } => node.as_assoc_node().is_some_and(|n| is_harmless(&n.key()) && is_harmless(&n.value())),
        KeywordHashNode { .. } => {
            node.as_keyword_hash_node().is_some_and(|n| n.elements().iter().all(|element| is_harmless(&element)))
        }
        ImplicitNode { .. } => node.as_implicit_node().is_some_and(|n| is_harmless(&n.value())),
        LocalVariableReadNode { .. }
        | InstanceVariableReadNode { .. }
        | NilNode { .. }
        | SelfNode { .. }
        | SymbolNode { .. }
        | IntegerNode { .. }
        | TrueNode { .. }
        | FalseNode { .. } => true,
        _ => false,
    }
}

/// The keywords of a call as names, if all are plain symbols and none is given twice.
fn keyword_names(node: &pm::KeywordHashNode<'_>) -> Option<Vec<Box<[u8]>>> {
    let mut names: Vec<Box<[u8]>> = Vec::new();
    for element in &node.elements() {
        let name: Box<[u8]> = element.as_assoc_node()?.key().as_symbol_node()?.unescaped().into();
        if names.contains(&name) {
            return None;
        }
        names.push(name);
    }
    Some(names)
}

impl<'pr> Compiler<'_, 'pr> {
    /// Pushes arguments and, from `&block`, the block argument.
    pub(crate) fn arguments(&mut self, mut list: Vec<pm::Node<'pr>>, block: Option<&pm::Node<'pr>>) -> Shape {
        if list.last().is_some_and(|last| last.as_forwarding_arguments_node().is_some()) {
            list.pop();
            return self.forwarded_arguments(&list);
        }
        let mut shape = Shape::default();
        let keywords = list.last().and_then(|last| last.as_keyword_hash_node());
        if keywords.is_some() {
            list.pop();
        }
        let block = block.and_then(|block| block.as_block_argument_node());
        let is_settled = keywords.as_ref().is_none_or(|k| is_harmless(&k.as_node()))
            && block.as_ref().is_none_or(|b| is_harmless(&b.as_node()));
        self.positional(&list, is_settled, &mut shape);
        if let Some(keywords) = keywords {
            let is_settled = block.as_ref().is_none_or(|b| is_harmless(&b.as_node()));
            self.keywords(&keywords, is_settled, &mut shape);
        }
        if let Some(block) = block {
            self.block_argument(&block);
            shape.flags |= CallFlags::BLOCK_ARG;
        }
        shape
    }

    fn positional(&mut self, list: &[pm::Node<'pr>], is_settled: bool, shape: &mut Shape) {
        if list.len() <= MANY && !list.iter().any(is_splat) {
            for argument in list {
                self.push(argument);
            }
            shape.argc = list.len() as u16;
            return;
        }
        let lead = self.lead(list);
        let list = &list[lead..];
        shape.argc = lead as u16 + 1;
        shape.flags |= CallFlags::SPLAT;
        let array = self.f.next_temp;
        if let [splat] = list
            && is_settled
        {
            // The array itself may be passed on: nothing can change it before the call.
            self.splat_value(splat, array);
            self.at_node(splat);
            self.f.nabc(Op::splatarray, 0, array, array, 0);
        } else {
            self.array_of(&list.iter().map(|n| n.as_same()).collect::<Vec<_>>(), array);
            shape.flags |= CallFlags::SPLAT_FRESH;
        }
        self.f.hold(array);
    }

    /// Pushes the arguments in front of the first splat, and says how many those are. More than a window takes go with the splat.
    fn lead(&mut self, list: &[pm::Node<'pr>]) -> usize {
        let lead = list.iter().position(is_splat).filter(|lead| *lead <= MANY).unwrap_or(0);
        for argument in &list[..lead] {
            self.push(argument);
        }
        lead
    }

    /// What stands behind the star of `*x`, or the anonymous rest parameter.
    pub(crate) fn splat_value(&mut self, node: &pm::Node<'pr>, dst: Reg) {
        match node.as_splat_node().expect("a splat").expression() {
            Some(expression) => self.expr(&expression, dst),
            None => {
                let place = self.find_hidden(b"*");
                self.read_place(place, dst);
            }
        }
    }

    /// `is_settled`: nothing that is evaluated behind the keywords can change a hash among them.
    fn keywords(&mut self, node: &pm::KeywordHashNode<'pr>, is_settled: bool, shape: &mut Shape) {
        if shape.flags & CallFlags::SPLAT == 0
            && node.elements().len() <= MANY
            && let Some(names) = keyword_names(node)
        {
            for element in &node.elements() {
                self.push(&element.as_assoc_node().expect("checked").value());
            }
            shape.keyword_names = names;
            shape.flags |= CallFlags::KEYWORDS;
            return;
        }
        shape.flags |= CallFlags::KEYWORD_SPLAT;
        let hash = self.f.next_temp;
        let elements: Vec<_> = node.elements().iter().collect();
        match elements.first().and_then(|only| only.as_assoc_splat_node()) {
            Some(splat) if elements.len() == 1 && is_settled => self.double_splat_value(&splat, hash),
            _ => {
                self.hash_of(&elements, hash);
                shape.flags |= CallFlags::KEYWORD_SPLAT_FRESH;
            }
        }
        self.f.hold(hash);
    }

    pub(crate) fn double_splat_value(&mut self, node: &pm::AssocSplatNode<'pr>, dst: Reg) {
        match node.value() {
            Some(value) => self.expr(&value, dst),
            None => {
                let place = self.find_hidden(b"**");
                self.read_place(place, dst);
            }
        }
    }

    fn block_argument(&mut self, node: &pm::BlockArgumentNode<'pr>) {
        match node.expression() {
            Some(expression) => match expression.as_local_variable_read_node() {
                Some(read) => self.push_block(self.find(read.name().as_slice(), read.depth())),
                None => {
                    self.push(&expression);
                }
            },
            None => self.push_block(self.find_hidden(b"&")),
        }
    }

    fn push_block(&mut self, place: Place) {
        let dst = self.f.next_temp;
        self.read_block(place, dst);
        self.f.hold(dst);
    }

    fn push_hidden(&mut self, name: &[u8]) {
        let place = self.find_hidden(name);
        let dst = self.f.next_temp;
        self.read_place(place, dst);
        self.f.hold(dst);
    }

    /// `...` behind other arguments.
    fn forwarded_arguments(&mut self, list: &[pm::Node<'pr>]) -> Shape {
        let mut flags = CallFlags::SPLAT | CallFlags::KEYWORD_SPLAT | CallFlags::BLOCK_ARG | CallFlags::FORWARDING;
        let lead = if list.len() <= MANY && !list.iter().any(is_splat) { list.len() } else { 0 };
        for argument in &list[..lead] {
            self.push(argument);
        }
        if lead == list.len() {
            self.push_hidden(b"*");
        } else {
            flags |= CallFlags::SPLAT_FRESH;
            let array = self.f.next_temp;
            self.array_of(&list.iter().map(|n| n.as_same()).collect::<Vec<_>>(), array);
            self.f.hold(array);
            self.scoped(|c| {
                let rest = c.f.next_temp;
                c.push_hidden(b"*");
                c.f.abc(Op::concatarray, array, rest, 0);
            });
        }
        self.push_hidden(b"**");
        self.push_block(self.find_hidden(b"&"));
        Shape { argc: lead as u16 + 1, flags, keyword_names: Vec::new() }
    }

    /// The method's own parameters, for `super` without arguments.
    pub(crate) fn super_arguments(&mut self) -> Shape {
        let (levels, params) = self.super_params();
        let is_keyword = |param: &SuperParam| matches!(param.kind, ParamKind::Keyword | ParamKind::KeywordRest);
        let (keywords, positional): (Vec<_>, Vec<_>) = params.into_iter().partition(is_keyword);
        let mut shape = Shape::default();
        if positional.iter().any(|param| param.kind == ParamKind::Rest) {
            let (argc, is_fresh) = self.super_splat(&positional, levels);
            shape.argc = argc;
            shape.flags |= CallFlags::SPLAT | if is_fresh { CallFlags::SPLAT_FRESH } else { 0 };
        } else {
            for param in &positional {
                self.push_param(param, levels);
            }
            shape.argc = positional.len() as u16;
        }
        self.super_keywords(&keywords, levels, &mut shape);
        shape
    }

    fn push_param(&mut self, param: &SuperParam, levels: u16) -> Reg {
        let dst = self.f.next_temp;
        self.f.reserve(dst + 1);
        if param.in_environment {
            self.f.abc(Op::getlocal, dst, param.register, levels);
        } else {
            self.f.move_to(dst, param.register);
        }
        self.f.hold(dst);
        dst
    }

    /// Pushes parameters with a rest among them: those in front of it, and a list of the others. Says how many words that takes, and
    /// whether the list is a new one.
    fn super_splat(&mut self, params: &[SuperParam], levels: u16) -> (u16, bool) {
        let lead = params.iter().position(|param| param.kind == ParamKind::Rest).expect("a rest");
        for param in &params[..lead] {
            self.push_param(param, levels);
        }
        let argc = lead as u16 + 1;
        if let [rest] = &params[lead..] {
            let array = self.push_param(rest, levels);
            self.f.nabc(Op::splatarray, 0, array, array, 0);
            return (argc, false);
        }
        let array = self.f.next_temp;
        self.f.abc(Op::newarray, array, array, 0);
        self.f.hold(array);
        for param in &params[lead..] {
            self.scoped(|c| {
                let value = c.push_param(param, levels);
                let op = if param.kind == ParamKind::Rest { Op::concatarray } else { Op::pusharray };
                c.f.abc(op, array, value, 0);
            });
        }
        (argc, true)
    }

    fn super_keywords(&mut self, params: &[SuperParam], levels: u16, shape: &mut Shape) {
        if params.is_empty() {
            return;
        }
        let has_rest = params.iter().any(|param| param.kind == ParamKind::KeywordRest);
        if !has_rest && shape.flags & CallFlags::SPLAT == 0 {
            for param in params {
                self.push_param(param, levels);
                shape.keyword_names.push(param.name.as_slice().into());
            }
            shape.flags |= CallFlags::KEYWORDS;
            return;
        }
        shape.flags |= CallFlags::KEYWORD_SPLAT | CallFlags::KEYWORD_SPLAT_FRESH;
        let hash = self.f.next_temp;
        self.f.abc(Op::newhash, hash, hash, 0);
        self.f.hold(hash);
        // As in CRuby the rest comes first, wherever it stands among the parameters.
        let (rest, named): (Vec<_>, Vec<_>) = params.iter().partition(|param| param.kind == ParamKind::KeywordRest);
        for param in rest.into_iter().chain(named) {
            self.scoped(|c| c.add_super_keyword(hash, param, levels));
        }
    }

    fn add_super_keyword(&mut self, hash: Reg, param: &SuperParam, levels: u16) {
        if param.kind == ParamKind::KeywordRest {
            let rest = self.push_param(param, levels);
            return self.f.abc(Op::concathash, hash, rest, 0);
        }
        let key = self.f.next_temp;
        self.put_symbol(&param.name, key);
        self.f.hold(key);
        let value = self.push_param(param, levels);
        self.f.abc(Op::hashset, hash, key, value);
    }
}

/// A second handle to a node, which the binding does not copy.
pub(crate) trait Same<'pr> {
    fn as_same(&self) -> pm::Node<'pr>;
}

impl<'pr> Same<'pr> for pm::Node<'pr> {
    fn as_same(&self) -> pm::Node<'pr> {
        macro_rules! copy {
            ($($kind:ident)+) => {
                match *self {
                    $(pm::Node::$kind { parser, pointer, marker } => pm::Node::$kind { parser, pointer, marker },)+
                }
            };
        }
        copy! {
            AliasGlobalVariableNode AliasMethodNode AlternationPatternNode AndNode ArgumentsNode ArrayNode
            ArrayPatternNode AssocNode AssocSplatNode BackReferenceReadNode BeginNode BlockArgumentNode
            BlockLocalVariableNode BlockNode BlockParameterNode BlockParametersNode BreakNode CallAndWriteNode
            CallNode CallOperatorWriteNode CallOrWriteNode CallTargetNode CapturePatternNode CaseMatchNode
            CaseNode ClassNode ClassVariableAndWriteNode ClassVariableOperatorWriteNode ClassVariableOrWriteNode
            ClassVariableReadNode ClassVariableTargetNode ClassVariableWriteNode ConstantAndWriteNode
            ConstantOperatorWriteNode ConstantOrWriteNode ConstantPathAndWriteNode ConstantPathNode
            ConstantPathOperatorWriteNode ConstantPathOrWriteNode ConstantPathTargetNode ConstantPathWriteNode
            ConstantReadNode ConstantTargetNode ConstantWriteNode DefNode DefinedNode ElseNode
            EmbeddedStatementsNode EmbeddedVariableNode EnsureNode ErrorRecoveryNode FalseNode FindPatternNode
            FlipFlopNode FloatNode ForNode ForwardingArgumentsNode ForwardingParameterNode ForwardingSuperNode
            GlobalVariableAndWriteNode GlobalVariableOperatorWriteNode GlobalVariableOrWriteNode
            GlobalVariableReadNode GlobalVariableTargetNode GlobalVariableWriteNode HashNode HashPatternNode
            IfNode ImaginaryNode ImplicitNode ImplicitRestNode InNode IndexAndWriteNode IndexOperatorWriteNode
            IndexOrWriteNode IndexTargetNode InstanceVariableAndWriteNode InstanceVariableOperatorWriteNode
            InstanceVariableOrWriteNode InstanceVariableReadNode InstanceVariableTargetNode
            InstanceVariableWriteNode IntegerNode InterpolatedMatchLastLineNode
            InterpolatedRegularExpressionNode InterpolatedStringNode InterpolatedSymbolNode
            InterpolatedXStringNode ItLocalVariableReadNode ItParametersNode KeywordHashNode
            KeywordRestParameterNode LambdaNode LocalVariableAndWriteNode LocalVariableOperatorWriteNode
            LocalVariableOrWriteNode LocalVariableReadNode LocalVariableTargetNode LocalVariableWriteNode
            MatchLastLineNode MatchPredicateNode MatchRequiredNode MatchWriteNode ModuleNode MultiTargetNode
            MultiWriteNode NextNode NilNode NoBlockParameterNode NoKeywordsParameterNode NumberedParametersNode
            NumberedReferenceReadNode OptionalKeywordParameterNode OptionalParameterNode OrNode ParametersNode
            ParenthesesNode PinnedExpressionNode PinnedVariableNode PostExecutionNode PreExecutionNode
            ProgramNode RangeNode RationalNode RedoNode RegularExpressionNode RequiredKeywordParameterNode
            RequiredParameterNode RescueModifierNode RescueNode RestParameterNode RetryNode ReturnNode SelfNode
            ShareableConstantNode SingletonClassNode SourceEncodingNode SourceFileNode SourceLineNode SplatNode
            StatementsNode StringNode SuperNode SymbolNode TrueNode UndefNode UnlessNode UntilNode WhenNode
            WhileNode XStringNode YieldNode
        }
    }
}
