//! Code with scopes of its own: methods, classes, blocks, lambdas, `for`, `END`; and `alias` and `undef`.

use crate::analysis::Facts;
use crate::class_exits::jumps_out;
use crate::compiler::Compiler;
use crate::coverage::{extent, lambda_extent};
use crate::emit::{Dst, Reg, Scope};
use crate::params::Prologue;
use carat_iseq::coverage::Extent;
use carat_iseq::{CallFlags, FRAME_HEADER, IseqKind, Op, Site};
use ruby_prism as pm;

/// The three kinds of body that `defineclass` tells apart.
#[derive(Clone, Copy)]
enum ClassKind {
    Class = 0,
    Module = 1,
    Singleton = 2,
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn def(&mut self, node: &pm::DefNode<'pr>, dst: Dst) {
        let facts = self.facts(&node.as_node());
        let name = node.name().as_slice();
        let mut scope = Scope::new(IseqKind::Method, name.to_vec(), self.lines.start(&node.location()));
        scope.last_line = Some(self.lines.end(&node.location()));
        let child = self.nested(scope, |c| c.method_body(node, &facts));
        let target = self.scratch(dst);
        let symbol = self.f.symbol(name);
        self.at(&node.location());
        match node.receiver() {
            Some(receiver) => {
                self.expr(&receiver, target);
                self.f.abc(Op::definesmethod, target, symbol, child);
            }
            None => self.f.abc(Op::definemethod, target, symbol, child),
        }
        self.result(dst, target);
    }

    fn method_body(&mut self, node: &pm::DefNode<'pr>, facts: &Facts) {
        let prologue = node.parameters().map(|parameters| self.declare_params(&parameters, facts));
        self.declare_locals(&node.locals(), facts, facts.uses_binding);
        self.finish_locals(facts);
        self.prologue(prologue.unwrap_or_default(), facts);
        self.count_call(|| extent(&node.location()));
        if let Some(end) = node.end_keyword_loc().filter(|_| node.body().is_none()) {
            self.at(&end);
        }
        match node.body().filter(|_| node.equal_loc().is_some()).and_then(|body| body.as_statements_node()) {
            Some(body) => self.endless_body(&body),
            None => self.body(node.body()),
        }
    }

    /// `def foo = expression`: tracing does not take the expression for a statement.
    fn endless_body(&mut self, body: &pm::StatementsNode<'pr>) {
        match body.body().first() {
            Some(expression) => {
                self.at_node(&expression);
                self.tail(&expression);
            }
            None => self.body(None),
        }
    }

    pub(crate) fn block(&mut self, node: &pm::BlockNode<'pr>) -> u16 {
        let facts = self.facts(&node.as_node());
        let mut scope = Scope::new(IseqKind::Block, self.block_name(), self.lines.start(&node.location()));
        scope.last_line = Some(self.lines.end(&node.location()));
        self.nested(scope, |c| {
            c.block_body(|| extent(&node.location()), node.parameters(), &node.locals(), node.body(), &facts)
        })
    }

    pub(crate) fn lambda(&mut self, node: &pm::LambdaNode<'pr>, dst: Dst) {
        let facts = self.facts(&node.as_node());
        // The block begins after the parameters.
        let first_line = self.lines.start(&node.opening_loc());
        let mut scope = Scope::new(IseqKind::Lambda, self.block_name(), first_line);
        scope.last_line = Some(self.lines.end(&node.location()));
        let child = self.nested(scope, |c| {
            c.block_body(|| lambda_extent(node), node.parameters(), &node.locals(), node.body(), &facts)
        });
        if let Some(dst) = dst {
            self.f.abc(Op::putlambda, dst, 0, child);
        }
    }

    fn block_body(
        &mut self,
        extent: impl FnOnce() -> Extent,
        parameters: Option<pm::Node<'pr>>,
        locals: &pm::ConstantList<'pr>,
        body: Option<pm::Node<'pr>>,
        facts: &Facts,
    ) {
        let prologue = self.declare_block_params(parameters, facts);
        self.declare_locals(locals, facts, facts.uses_binding);
        self.finish_locals(facts);
        self.prologue(prologue, facts);
        self.count_call(extent);
        let optionals = usize::from(self.f.params.optional());
        self.note_auto_splat(optionals);
        let redo = self.f.here();
        self.f.redo = Some(redo);
        self.body(body);
    }

    /// `for` calls `each` with a block whose parameters are assigned to the variables.
    pub(crate) fn for_loop(&mut self, node: &pm::ForNode<'pr>, dst: Dst) {
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let window = c.window(false);
            c.expr(&node.collection(), window.base);
            c.f.hold(window.base);
            let child = c.for_block(node);
            c.at(&node.location());
            c.send_window(window, crate::arguments::Shape::default(), b"each", 0, Some(child), target);
        });
    }

    fn for_block(&mut self, node: &pm::ForNode<'pr>) -> u16 {
        let facts = self.facts(&node.as_node());
        let mut scope = Scope::new(IseqKind::Block, self.block_name(), self.lines.start(&node.location()));
        scope.transparent = true;
        self.nested(scope, |c| {
            let targets = c.for_params(&node.index());
            c.finish_locals(&facts);
            c.note_auto_splat(0);
            for (register, target) in (1..).zip(&targets) {
                c.assign(target, register);
            }
            // The variables stay what the program made of them.
            let redo = c.f.here();
            c.f.redo = Some(redo);
            c.body(node.statements().map(|statements| statements.as_node()));
        })
    }

    /// One hidden parameter for each variable.
    fn for_params(&mut self, index: &pm::Node<'pr>) -> Vec<pm::Node<'pr>> {
        use crate::arguments::Same;
        let Some(multiple) = index.as_multi_target_node() else {
            self.f.add_local(b"", b"", false);
            self.f.params.lead = 1;
            self.f.parameter_names.push(Box::default());
            return vec![index.as_same()];
        };
        let mut targets: Vec<_> = multiple.lefts().iter().collect();
        if !self.f.has_room(targets.len() + multiple.rights().len(), "variables of a loop") {
            return Vec::new();
        }
        self.f.params.lead = targets.len() as u16;
        match multiple.rest() {
            Some(rest) if rest.as_implicit_rest_node().is_none() => {
                self.f.params.has_rest = true;
                targets.push(rest);
            }
            rest => self.f.params.excessed_comma = rest.is_some(),
        }
        self.f.params.post = multiple.rights().len() as u16;
        targets.extend(multiple.rights().iter());
        for _ in &targets {
            self.f.add_local(b"", b"", false);
            self.f.parameter_names.push(Box::default());
        }
        targets
    }

    pub(crate) fn post_execution(&mut self, node: &pm::PostExecutionNode<'pr>, dst: Dst) {
        let facts = self.facts(&node.as_node());
        // In CRuby the code that registers the block is a block, too.
        let name = self.block_name_within(1);
        let mut scope = Scope::new(IseqKind::Block, name, self.lines.start(&node.location()));
        scope.transparent = true;
        scope.is_post_execution = true;
        let child = self.nested(scope, |c| {
            c.finish_locals(&facts);
            c.prologue(Prologue::default(), &facts);
            c.body(node.statements().map(|statements| statements.as_node()));
        });
        let site = self.f.site(Site::Once(child));
        self.f.abc(Op::postexe, 0, 0, site);
        self.f.nil_if(dst);
    }

    pub(crate) fn class(&mut self, node: &pm::ClassNode<'pr>, dst: Dst) {
        self.scoped(|c| {
            let base = c.class_base(&node.constant_path());
            match node.superclass() {
                Some(superclass) => {
                    c.push(&superclass);
                }
                None => c.push_undef(),
            }
            let body = (node.as_node(), node.body());
            c.define_class(ClassKind::Class, base, node.name().as_slice(), body, Some(node.locals()), dst);
        });
    }

    pub(crate) fn module(&mut self, node: &pm::ModuleNode<'pr>, dst: Dst) {
        self.scoped(|c| {
            let base = c.class_base(&node.constant_path());
            c.push_undef();
            let body = (node.as_node(), node.body());
            let name = c.core_name(node.name().as_slice());
            c.define_class(ClassKind::Module, base, name, body, Some(node.locals()), dst);
        });
    }

    pub(crate) fn singleton_class(&mut self, node: &pm::SingletonClassNode<'pr>, dst: Dst) {
        self.scoped(|c| {
            let base = c.push(&node.expression());
            c.push_undef();
            let body = (node.as_node(), node.body());
            c.define_class(ClassKind::Singleton, base, b"singleton class", body, Some(node.locals()), dst);
        });
    }

    fn push_undef(&mut self) {
        let dst = self.f.next_temp;
        self.f.abc(Op::putundef, dst, 0, 0);
        self.f.hold(dst);
    }

    /// The module that a class is defined in: nil for the one the code is in.
    fn class_base(&mut self, path: &pm::Node<'pr>) -> Reg {
        match path.as_constant_path_node() {
            Some(path) => {
                let parent = path.parent();
                let may_be_nil = parent.as_ref().is_some_and(|parent| {
                    parent.as_constant_read_node().is_none() && parent.as_constant_path_node().is_none()
                });
                let base = self.constant_parent(parent);
                if may_be_nil {
                    self.refuse_nil(base);
                }
                base
            }
            None => {
                let dst = self.f.next_temp;
                self.f.nil(dst);
                self.f.hold(dst);
                dst
            }
        }
    }

    /// `class nil::A`: the instruction would take nil for the class around the code.
    fn refuse_nil(&mut self, base: Reg) {
        let fits = self.f.label();
        self.f.branch(Op::branchnotnil, base, fits);
        self.raise(b"TypeError", "nil is not a class/module");
        self.f.bind(fits);
    }

    fn define_class(
        &mut self,
        kind: ClassKind,
        base: Reg,
        name: &[u8],
        (node, body): (pm::Node<'pr>, Option<pm::Node<'pr>>),
        locals: Option<pm::ConstantList<'pr>>,
        dst: Dst,
    ) {
        let label = match kind {
            ClassKind::Class => [b"<class:", name, b">"].concat(),
            ClassKind::Module => [b"<module:", name, b">"].concat(),
            ClassKind::Singleton => name.to_vec(),
        };
        let mut scope = Scope::new(IseqKind::Class, label, self.lines.start(&node.location()));
        scope.last_line = Some(self.lines.end(&node.location()));
        let jumps_out = body.as_ref().is_some_and(jumps_out);
        scope.jumps_out = jumps_out;
        let facts = if body.is_some() { self.facts(&node) } else { Facts::default() };
        let child = self.nested(scope, |c| {
            locals.inspect(|locals| c.declare_locals(locals, &facts, facts.uses_binding));
            c.finish_locals(&facts);
            c.body(body);
        });
        self.at_node(&node);
        let symbol = self.f.symbol(name);
        self.f.reserve(base + 3 + FRAME_HEADER);
        self.f.nabc(Op::defineclass, kind as u8, base, symbol, child);
        match jumps_out {
            true => self.after_class(base, dst),
            false => self.result(dst, base),
        }
    }

    pub(crate) fn alias_method(&mut self, node: &pm::AliasMethodNode<'pr>, dst: Dst) {
        self.scoped(|c| {
            let new = c.push(&node.new_name());
            let old = c.push(&node.old_name());
            c.at(&node.location());
            c.f.abc(Op::aliasmethod, new, old, 0);
        });
        self.f.nil_if(dst);
    }

    pub(crate) fn alias_global(&mut self, node: &pm::AliasGlobalVariableNode<'pr>, dst: Dst) {
        let new = self.f.symbol(node.new_name().location().as_slice());
        let old = self.f.symbol(node.old_name().location().as_slice());
        self.f.abc(Op::aliasglobal, 0, new, old);
        self.f.nil_if(dst);
    }

    pub(crate) fn undef(&mut self, node: &pm::UndefNode<'pr>, dst: Dst) {
        for name in &node.names() {
            let register = self.operand(&name);
            self.at(&node.location());
            self.f.abc(Op::undefmethod, register, 0, 0);
        }
        self.f.nil_if(dst);
    }

    /// `::Kernel.raise(class, message)`, which works whatever self is.
    pub(crate) fn raise(&mut self, class: &[u8], message: &str) {
        self.scoped(|c| {
            let spoiled = c.f.next_temp;
            let window = c.window(false);
            c.get_constant(&[b"", b"Kernel"], window.base);
            c.f.hold(window.base);
            c.get_constant(&[b"", class], window.base + 1);
            c.f.hold(window.base + 1);
            let text = carat_iseq::Literal::String(message.as_bytes().into(), "US-ASCII");
            c.f.put_literal(window.base + 2, text);
            c.f.hold(window.base + 2);
            let shape = crate::arguments::Shape { argc: 2, ..Default::default() };
            c.send_window(window, shape, b"raise", CallFlags::FCALL, None, spoiled);
        });
    }
}
