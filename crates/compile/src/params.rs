//! Registers of parameters and locals, and the prologue that completes arguments.
//!
//! Parameters take the registers from 1 in the order that [`carat_iseq::Params`] gives; then come the other locals, then
//! what has no name: `$~` and `$_`, flip-flops.

use crate::analysis::Facts;
use crate::compiler::Compiler;
use crate::emit::{Label, ParamKind, Reg, SuperParam};
use crate::variables::Place;
use carat_iseq::{KeywordParam, Op};
use ruby_prism as pm;
use ruby_prism::Visit;

/// What the prologue has to do once the arguments are in place.
#[derive(Default)]
pub(crate) struct Prologue<'pr> {
    optionals: Vec<pm::OptionalParameterNode<'pr>>,
    keywords: Vec<pm::OptionalKeywordParameterNode<'pr>>,
    destructured: Vec<(Reg, pm::MultiTargetNode<'pr>)>,
}

impl Prologue<'_> {
    /// Whether a default may read keywords that have no value yet.
    fn is_seen(&self, facts: &Facts) -> bool {
        let optionals = self.optionals.iter().map(|node| (None, node.value()));
        let keywords = self.keywords.iter().map(|node| (Some(node.name().as_slice()), node.value()));
        let sees = |(name, default): (Option<&[u8]>, pm::Node<'_>)| {
            let mut finder = SightFinder { name, found: facts.uses_binding && !is_constant(&default) };
            finder.visit(&default);
            finder.found
        };
        !self.keywords.is_empty() && optionals.chain(keywords).any(sees)
    }
}

/// Finds what may read parameters that have no value yet: the parameter's own name, blocks (which have a binding), `super`.
struct SightFinder<'n> {
    name: Option<&'n [u8]>,
    found: bool,
}

impl<'pr> Visit<'pr> for SightFinder<'_> {
    fn visit_local_variable_read_node(&mut self, node: &pm::LocalVariableReadNode<'pr>) {
        self.found |= self.name == Some(node.name().as_slice());
    }

    fn visit_block_node(&mut self, _: &pm::BlockNode<'pr>) {
        self.found = true;
    }

    fn visit_lambda_node(&mut self, _: &pm::LambdaNode<'pr>) {
        self.found = true;
    }

    fn visit_for_node(&mut self, _: &pm::ForNode<'pr>) {
        self.found = true;
    }

    fn visit_forwarding_super_node(&mut self, _: &pm::ForwardingSuperNode<'pr>) {
        self.found = true;
    }
}

/// Whether a default is a constant, which a keyword has from the start.
fn is_constant(node: &pm::Node<'_>) -> bool {
    use pm::Node::{FalseNode, FloatNode, ImaginaryNode, IntegerNode, NilNode, RationalNode, RegularExpressionNode};
    use pm::Node::{SymbolNode, TrueNode};
    matches!(
        node,
        FalseNode { .. }
            | FloatNode { .. }
            | ImaginaryNode { .. }
            | IntegerNode { .. }
            | NilNode { .. }
            | RationalNode { .. }
            | RegularExpressionNode { .. }
            | SymbolNode { .. }
            | TrueNode { .. }
    )
}

/// What a prologue knows whose defaults see keywords that have no value yet.
#[derive(Default)]
struct Noted {
    /// Temporaries, undef for the keywords that are missing.
    keywords: Vec<Reg>,
    /// Where to begin for each number of optional parameters given,
    entries: Vec<u32>,
    /// and where the defaults are evaluated from there.
    defaults: Vec<Label>,
}

impl<'pr> Compiler<'_, 'pr> {
    fn is_captured(facts: &Facts, name: &[u8]) -> bool {
        facts.uses_binding || facts.captured.contains(name)
    }

    pub(crate) fn declare_locals(&mut self, names: &pm::ConstantList<'pr>, facts: &Facts, capture_all: bool) {
        for name in names.iter() {
            let name = name.as_slice();
            if !self.f.names.contains_key(name) {
                self.f.add_local(name, name, capture_all || Self::is_captured(facts, name));
                self.f.note_reassigned(facts.reassigned.contains(name));
            }
        }
    }

    /// Adds what has no name, and notes what the code uses. Temporaries start behind.
    pub(crate) fn finish_locals(&mut self, facts: &Facts) {
        let holds_svar = !self.f.is_block() && self.f.kind != carat_iseq::IseqKind::Eval;
        if facts.uses_svar && holds_svar {
            let register = self.f.add_local(b"", b"", true);
            self.f.add_local(b"", b"", true);
            self.f.svar = Some(register);
        }
        self.f.flip_flops = self.f.local_size;
        for _ in 0..facts.flip_flops {
            self.f.add_local(b"", b"", true);
        }
        self.f.flags.uses_svar = facts.uses_svar;
        self.f.flags.uses_binding = facts.uses_binding;
        self.f.flags.uses_block = facts.uses_block;
        self.f.flags.uses_callee = facts.uses_callee;
        self.f.flags.calls_super = facts.calls_super;
        self.f.flags.is_core = self.options.is_core;
        self.f.flags = self.f.flags.in_encoding(self.encoding);
    }

    fn add_param(&mut self, name: &[u8], key: &[u8], facts: &Facts) -> Reg {
        let captured = facts.captures_params || Self::is_captured(facts, key);
        self.f.parameter_names.push(name.into());
        let register = self.f.add_local(name, key, captured);
        self.f.note_reassigned(facts.reassigned.contains(key));
        register
    }

    pub(crate) fn declare_params(&mut self, node: &pm::ParametersNode<'pr>, facts: &Facts) -> Prologue<'pr> {
        let mut prologue = Prologue::default();
        let count = node.requireds().len() + node.optionals().len() + node.posts().len() + node.keywords().len();
        if !self.f.has_room(count, "parameters") {
            return prologue;
        }
        for required in &node.requireds() {
            self.add_required(&required, facts, &mut prologue);
            self.f.params.lead += 1;
        }
        for optional in &node.optionals() {
            let optional = optional.as_optional_parameter_node().expect("an optional parameter");
            let register = self.add_named(optional.name().as_slice(), facts);
            self.f.super_params.push(SuperParam::new(ParamKind::Positional, register));
            prologue.optionals.push(optional);
        }
        let is_forwarding = node.keyword_rest().is_some_and(|rest| rest.as_forwarding_parameter_node().is_some());
        self.add_rest(node.rest(), is_forwarding, facts);
        for post in &node.posts() {
            self.add_required(&post, facts, &mut prologue);
            self.f.params.post += 1;
        }
        self.add_keywords(&node.keywords(), facts, &mut prologue);
        self.add_keyword_rest(node.keyword_rest(), facts);
        self.add_block(node.block(), is_forwarding, facts);
        prologue
    }

    fn add_named(&mut self, name: &[u8], facts: &Facts) -> Reg {
        self.add_param(name, name, facts)
    }

    fn add_required(&mut self, node: &pm::Node<'pr>, facts: &Facts, prologue: &mut Prologue<'pr>) {
        let register = match node.as_required_parameter_node() {
            Some(required) => self.add_named(required.name().as_slice(), facts),
            None => {
                let register = self.add_param(b"", b"", facts);
                prologue.destructured.extend(node.as_multi_target_node().map(|targets| (register, targets)));
                register
            }
        };
        self.f.super_params.push(SuperParam::new(ParamKind::Positional, register));
    }

    fn add_rest(&mut self, node: Option<pm::Node<'pr>>, is_forwarding: bool, facts: &Facts) {
        let rest = node.as_ref().and_then(|node| node.as_rest_parameter_node());
        if rest.is_none() && !is_forwarding {
            self.f.params.excessed_comma = node.is_some();
            return;
        }
        let register = match rest.and_then(|rest| rest.name()) {
            Some(name) => self.add_named(name.as_slice(), facts),
            None => self.add_param(b"", b"*", facts),
        };
        self.f.params.has_rest = true;
        self.f.super_params.push(SuperParam::new(ParamKind::Rest, register));
    }

    /// Required keywords come first, as `parameters` lists them.
    fn add_keywords(&mut self, list: &pm::NodeList<'pr>, facts: &Facts, prologue: &mut Prologue<'pr>) {
        let required = list.iter().filter_map(|node| node.as_required_keyword_parameter_node());
        for keyword in required {
            self.add_keyword(keyword.name().as_slice(), true, facts);
        }
        for keyword in list.iter().filter_map(|node| node.as_optional_keyword_parameter_node()) {
            self.add_keyword(keyword.name().as_slice(), false, facts);
            prologue.keywords.push(keyword);
        }
    }

    fn add_keyword(&mut self, name: &[u8], required: bool, facts: &Facts) {
        let register = self.add_named(name, facts);
        self.f.params.keywords.push(KeywordParam { name: name.into(), required });
        self.f.super_params.push(SuperParam { name: name.to_vec(), ..SuperParam::new(ParamKind::Keyword, register) });
    }

    fn add_keyword_rest(&mut self, node: Option<pm::Node<'pr>>, facts: &Facts) {
        let Some(node) = node else { return };
        if node.as_no_keywords_parameter_node().is_some() {
            self.f.params.accepts_no_keywords = true;
            return;
        }
        let name = node.as_keyword_rest_parameter_node().and_then(|rest| rest.name());
        let register = match &name {
            Some(name) => self.add_named(name.as_slice(), facts),
            None => self.add_param(b"", b"**", facts),
        };
        self.f.params.has_keyword_rest = true;
        self.f.params.hides_keyword_rest = name.is_none();
        self.f.super_params.push(SuperParam::new(ParamKind::KeywordRest, register));
    }

    fn add_block(&mut self, node: Option<pm::Node<'pr>>, is_forwarding: bool, facts: &Facts) {
        let block = node.and_then(|node| node.as_block_parameter_node());
        if block.is_none() && !is_forwarding {
            return;
        }
        let register = match block.and_then(|block| block.name()) {
            Some(name) => self.add_named(name.as_slice(), facts),
            None => self.add_param(b"", b"&", facts),
        };
        self.f.params.has_block = true;
        self.f.params.is_forwarding = is_forwarding;
        self.f.block_param = Some(register);
    }

    /// Parameters of a block: declared, numbered, `it`, or none.
    pub(crate) fn declare_block_params(&mut self, node: Option<pm::Node<'pr>>, facts: &Facts) -> Prologue<'pr> {
        let Some(node) = node else { return Prologue::default() };
        if let Some(numbered) = node.as_numbered_parameters_node() {
            for number in 1..=numbered.maximum() {
                self.add_named(format!("_{number}").as_bytes(), facts);
            }
            self.f.params.lead = u16::from(numbered.maximum());
            self.f.params.implicit = numbered.maximum();
        } else if node.as_it_parameters_node().is_some() {
            self.add_param(b"", b"it", facts);
            self.f.params.lead = 1;
            self.f.params.implicit = 1;
            self.f.params.uses_it = true;
        } else if let Some(parameters) = node.as_block_parameters_node().and_then(|block| block.parameters()) {
            return self.declare_params(&parameters, facts);
        }
        Prologue::default()
    }

    /// Whether a single array argument is taken apart, as it is for procs with more than one parameter.
    pub(crate) fn note_auto_splat(&mut self, optionals: usize) {
        let params = &self.f.params;
        let required = params.lead + params.post;
        let only_one_required = params.lead == 1
            && params.post == 0
            && optionals == 0
            && !params.has_rest
            && !params.takes_keywords()
            && !params.excessed_comma;
        let one_with_keywords = params.takes_keywords() && !params.has_rest && usize::from(required) + optionals == 1;
        let takes_several = required > 0 || optionals > 1;
        self.f.flags.auto_splat = takes_several && !only_one_required && !one_with_keywords;
        let is_only_rest = params.has_rest && required == 0 && optionals == 0 && !params.takes_keywords();
        self.f.flags.packs_values =
            self.options.is_core && is_only_rest && self.f.names.contains_key(b"packed".as_slice());
        let is_there = |(register, name): (Reg, &str)| {
            let local = self.f.names.get(name.as_bytes()).map(|index| &self.f.locals[*index]);
            local.is_some_and(|local| local.register == register && !local.captured)
        };
        self.f.flags.tells_groups = self.f.flags.packs_values && (2..).zip(carat_iseq::GROUP_LOCALS).all(is_there);
    }

    pub(crate) fn prologue(&mut self, prologue: Prologue<'pr>, facts: &Facts) {
        self.scoped(|c| {
            let noted = if prologue.is_seen(facts) { c.note_missing(&prologue) } else { Noted::default() };
            let mut entries = noted.entries;
            let is_entered_here = entries.is_empty() && !prologue.optionals.is_empty();
            for (number, optional) in prologue.optionals.iter().enumerate() {
                match noted.defaults.get(number) {
                    Some(&label) => c.f.bind(label),
                    None => entries.push(c.f.pos()),
                }
                c.at(&optional.location());
                let place = c.find(optional.name().as_slice(), 0);
                c.assign_local(place, &optional.value(), None);
            }
            noted.defaults.last().inspect(|&&label| c.f.bind(label));
            if is_entered_here {
                entries.push(c.f.pos());
                // The entry behind the last default is a place that code jumps to.
                c.f.here();
            }
            c.f.params.optional_entries = entries;
            for (number, keyword) in prologue.keywords.iter().enumerate() {
                c.keyword_default(keyword, noted.keywords.get(number).copied());
            }
            for (register, targets) in &prologue.destructured {
                c.destructure(*register, targets);
            }
        });
    }

    fn keyword_default(&mut self, node: &pm::OptionalKeywordParameterNode<'pr>, noted: Option<Reg>) {
        if noted.is_some() && is_constant(&node.value()) {
            return;
        }
        self.at(&node.location());
        let place = self.find(node.name().as_slice(), 0);
        let given = self.f.label();
        let test = match (noted, place) {
            (Some(noted), _) => noted,
            (None, Place { captured: false, register, .. }) => register,
            _ => {
                let test = self.f.next_temp;
                self.read_place(place, test);
                test
            }
        };
        self.f.branch(Op::branchgiven, test, given);
        self.assign_local(place, &node.value(), None);
        self.f.bind(given);
    }

    fn destructure(&mut self, register: Reg, node: &pm::MultiTargetNode<'pr>) {
        self.at(&node.location());
        self.scoped(|c| {
            let targets = c.prepare_all(&node.lefts(), node.rest(), &node.rights());
            c.assign_all(&targets, register);
        });
    }
}

/// A keyword that was not given holds undef, which is no object. Where a default may read it, the prologue notes first which are
/// missing; these are nil from then on, or have their value already if that is a constant.
impl<'pr> Compiler<'_, 'pr> {
    fn note_missing(&mut self, prologue: &Prologue<'pr>) -> Noted {
        let first = self.f.next_temp;
        let keywords: Vec<Reg> = (first..).take(prologue.keywords.len()).collect();
        keywords.last().inspect(|&&last| self.f.hold(last));
        let mut noted = Noted { keywords, ..Noted::default() };
        if prologue.optionals.is_empty() {
            self.note_all(prologue, &noted.keywords);
            return noted;
        }
        for _ in 0..=prologue.optionals.len() {
            let default = self.f.label();
            noted.entries.push(self.f.pos());
            self.f.here();
            self.note_all(prologue, &noted.keywords);
            self.f.jump(default);
            noted.defaults.push(default);
        }
        noted
    }

    fn note_all(&mut self, prologue: &Prologue<'pr>, noted: &[Reg]) {
        for (keyword, &register) in prologue.keywords.iter().zip(noted) {
            self.at(&keyword.location());
            let place = self.find(keyword.name().as_slice(), 0);
            let given = self.f.label();
            self.read_place(place, register);
            self.f.branch(Op::branchgiven, register, given);
            if is_constant(&keyword.value()) {
                self.assign_local(place, &keyword.value(), None);
            } else {
                let nil = self.f.next_temp;
                self.f.nil(nil);
                self.write_place(place, nil);
            }
            self.f.bind(given);
        }
    }
}
