//! Reading and writing variables and constants.

use crate::compiler::Compiler;
use crate::emit::{Dst, Reg, Shareable};
use crate::{CORE, CORE_MODULE};
use carat_iseq::{Insn, IseqKind, Op, Site};
use ruby_prism as pm;
use ruby_prism::Visit;

/// Where a local variable lives.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Place {
    pub(crate) register: Reg,
    pub(crate) levels: u16,
    pub(crate) captured: bool,
    pub(crate) is_block_param: bool,
    /// It is the block parameter of a method in the same compilation.
    pub(crate) is_method_block: bool,
}

impl Place {
    /// The block parameter of the method whose code is being compiled.
    pub(crate) fn is_own_block(self) -> bool {
        self.is_method_block && self.levels == 0
    }

    /// The register that can stand for the variable in an instruction.
    pub(crate) fn operand(self) -> Option<Reg> {
        (self.levels == 0 && !self.captured && !self.is_block_param).then_some(self.register)
    }
}

/// Whether evaluating `node` may assign the local that `local` reads.
pub(crate) fn may_write(node: &pm::Node<'_>, local: &pm::Node<'_>) -> bool {
    let Some(local) = local.as_local_variable_read_node() else { return false };
    may_write_name(node, local.name().as_slice())
}

pub(crate) fn may_write_name(node: &pm::Node<'_>, name: &[u8]) -> bool {
    let mut finder = WriteFinder { name, found: false };
    finder.visit(node);
    finder.found
}

struct WriteFinder<'n> {
    name: &'n [u8],
    found: bool,
}

macro_rules! finds {
    ($($visit:ident $node:ident;)+) => {
        $(fn $visit(&mut self, node: &pm::$node<'pr>) {
            self.found |= node.name().as_slice() == self.name;
            pm::$visit(self, node);
        })+
    };
}

impl<'pr> Visit<'pr> for WriteFinder<'_> {
    finds! {
        visit_local_variable_write_node LocalVariableWriteNode;
        visit_local_variable_target_node LocalVariableTargetNode;
        visit_local_variable_and_write_node LocalVariableAndWriteNode;
        visit_local_variable_or_write_node LocalVariableOrWriteNode;
        visit_local_variable_operator_write_node LocalVariableOperatorWriteNode;
    }
}

impl<'pr> Compiler<'_, 'pr> {
    /// Finds a local by name, as many of Prism's scopes up as it says.
    pub(crate) fn find(&self, name: &[u8], mut depth: u32) -> Place {
        let mut scopes = std::iter::once(&self.f).chain(self.outer.iter().rev());
        let mut levels = 0;
        for scope in scopes.by_ref() {
            if !scope.transparent {
                if depth == 0 {
                    let local = &scope.locals[*scope.names.get(name).unwrap_or_else(|| missing(name))];
                    let is_block_param = scope.block_param == Some(local.register);
                    let is_method_block = is_block_param && scope.kind == IseqKind::Method;
                    let (register, captured) = (local.register, local.captured);
                    return Place { register, levels, captured, is_block_param, is_method_block };
                }
                depth -= 1;
            }
            levels += 1;
        }
        self.find_in_binding(name, levels, depth)
    }

    fn find_in_binding(&self, name: &[u8], levels: u16, depth: u32) -> Place {
        let index = self.options.scopes.len().checked_sub(depth as usize + 1).unwrap_or_else(|| missing(name));
        let names = &self.options.scopes[index];
        let found = names.locals.iter().find(|(n, _)| &**n == name).unwrap_or_else(|| missing(name));
        let is_block_param = names.block_parameter == Some(found.1);
        let levels = levels + depth as u16;
        Place { register: found.1, levels, captured: true, is_block_param, is_method_block: false }
    }

    /// A hidden parameter of the nearest scope that has it.
    pub(crate) fn find_hidden(&self, name: &[u8]) -> Place {
        for (levels, scope) in std::iter::once(&self.f).chain(self.outer.iter().rev()).enumerate() {
            if let Some(&index) = scope.names.get(name) {
                let local = &scope.locals[index];
                let is_block_param = scope.block_param == Some(local.register);
                let is_method_block = is_block_param && scope.kind == IseqKind::Method;
                let (register, levels, captured) = (local.register, levels as u16, local.captured);
                return Place { register, levels, captured, is_block_param, is_method_block };
            }
        }
        let inside = self.outer.len() as u16 + 1;
        for (depth, names) in self.options.scopes.iter().rev().enumerate() {
            if let Some((_, register)) = names.locals.iter().find(|(n, _)| &**n == name) {
                let is_block_param = names.block_parameter == Some(*register);
                let levels = inside + depth as u16;
                return Place { register: *register, levels, captured: true, is_block_param, is_method_block: false };
            }
        }
        missing(name)
    }

    /// The register of a node that is nothing but an uncaptured local, or self.
    pub(crate) fn register_of(&self, node: &pm::Node<'pr>) -> Option<Reg> {
        match node {
            pm::Node::SelfNode { .. } => Some(0),
            pm::Node::LocalVariableReadNode { .. } => {
                let read = node.as_local_variable_read_node()?;
                self.find(read.name().as_slice(), read.depth()).operand()
            }
            pm::Node::ItLocalVariableReadNode { .. } => self.find(b"it", 0).operand(),
            pm::Node::ImplicitNode { .. } => self.register_of(&node.as_implicit_node()?.value()),
            _ => None,
        }
    }

    pub(crate) fn read_place(&mut self, place: Place, dst: Reg) {
        match place.operand() {
            Some(register) => self.f.move_to(dst, register),
            None if place.is_block_param => self.f.abc(Op::getblockparam, dst, place.register, place.levels),
            None => self.f.abc(Op::getlocal, dst, place.register, place.levels),
        }
    }

    /// Reads what `&` passes on; a method's own block need not become a Proc for that.
    pub(crate) fn read_block(&mut self, place: Place, dst: Reg) {
        if place.is_method_block {
            self.f.abc(Op::getblockparamproxy, dst, place.register, place.levels);
        } else {
            self.read_place(place, dst);
        }
    }

    pub(crate) fn write_place(&mut self, place: Place, from: Reg) {
        if place.operand().is_some() {
            self.f.move_to(place.register, from);
        } else {
            self.f.abc(Op::setlocal, from, place.register, place.levels);
        }
    }

    pub(crate) fn local_variable_read(&mut self, node: &pm::LocalVariableReadNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            let place = self.find(node.name().as_slice(), node.depth());
            self.read_place(place, dst);
        }
    }

    pub(crate) fn it_read(&mut self, _: &pm::ItLocalVariableReadNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            let place = self.find(b"it", 0);
            self.read_place(place, dst);
        }
    }

    pub(crate) fn local_variable_write(&mut self, node: &pm::LocalVariableWriteNode<'pr>, dst: Dst) {
        let place = self.find(node.name().as_slice(), node.depth());
        self.assign_local(place, &node.value(), dst);
    }

    pub(crate) fn assign_local(&mut self, place: Place, value: &pm::Node<'pr>, dst: Dst) {
        if place.operand().is_some() {
            self.expr(value, place.register);
            self.result(dst, place.register);
        } else {
            self.store(value, dst, |c, from| c.write_place(place, from));
        }
    }

    /// Evaluates a value, stores it, and leaves it in `dst` too.
    pub(crate) fn store(&mut self, value: &pm::Node<'pr>, dst: Dst, store: impl FnOnce(&mut Self, Reg)) {
        let from = match self.register_of(value) {
            Some(register) => register,
            None => {
                let scratch = self.scratch(dst);
                self.expr(value, scratch);
                scratch
            }
        };
        store(self, from);
        self.result(dst, from);
    }

    /// An instance variable. `@__name` in core code is the field `__name`, which no program can name.
    pub(crate) fn instance_variable(&self, name: &[u8]) -> Site {
        let is_hidden = self.options.is_core && name.starts_with(b"@__");
        Site::InstanceVariable(name[usize::from(is_hidden)..].into())
    }

    fn with_site(&mut self, op: Op, register: Reg, site: Site) {
        let site = self.f.site(site);
        self.f.abc(op, register, 0, site);
    }

    pub(crate) fn get_ivar(&mut self, name: &[u8], dst: Reg) {
        self.with_site(Op::getinstancevariable, dst, self.instance_variable(name));
    }

    pub(crate) fn set_ivar(&mut self, name: &[u8], from: Reg) {
        self.with_site(Op::setinstancevariable, from, self.instance_variable(name));
    }

    pub(crate) fn get_cvar(&mut self, name: &[u8], dst: Reg) {
        self.with_site(Op::getclassvariable, dst, Site::ClassVariable(name.into()));
    }

    /// A class variable, or nil.
    pub(crate) fn get_cvar_or_nil(&mut self, name: &[u8], dst: Reg) {
        let site = self.f.site(Site::ClassVariable(name.into()));
        self.f.nabc(Op::getclassvariable, 1, dst, 0, site);
    }

    pub(crate) fn set_cvar(&mut self, name: &[u8], from: Reg) {
        self.with_site(Op::setclassvariable, from, Site::ClassVariable(name.into()));
    }

    /// Number of a special variable that lives in the frame, for `getspecial`.
    fn special_number(name: &[u8]) -> Option<i32> {
        match name {
            b"$~" => Some(0),
            b"$_" => Some(5),
            _ => None,
        }
    }

    pub(crate) fn get_gvar(&mut self, name: &[u8], dst: Reg) {
        match Self::special_number(name) {
            Some(number) => self.f.emit(Insn::ad(Op::getspecial, dst, number)),
            None => {
                let symbol = self.f.symbol(name);
                self.f.abc(Op::getglobal, dst, symbol, 0);
            }
        }
    }

    pub(crate) fn set_gvar(&mut self, name: &[u8], from: Reg) {
        match Self::special_number(name) {
            Some(number) => self.f.emit(Insn::ad(Op::setspecial, from, number)),
            None => {
                let symbol = self.f.symbol(name);
                self.f.abc(Op::setglobal, from, symbol, 0);
            }
        }
    }

    pub(crate) fn instance_variable_read(&mut self, node: &pm::InstanceVariableReadNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            self.at(&node.location());
            self.get_ivar(node.name().as_slice(), dst);
        }
    }

    pub(crate) fn class_variable_read(&mut self, node: &pm::ClassVariableReadNode<'pr>, dst: Dst) {
        self.at(&node.location());
        let dst = self.scratch_or(dst);
        self.get_cvar(node.name().as_slice(), dst);
    }

    /// The destination itself, or a register to spoil: for reads that may raise or call.
    pub(crate) fn scratch_or(&mut self, dst: Dst) -> Reg {
        dst.unwrap_or(self.f.next_temp)
    }

    pub(crate) fn global_variable_read(&mut self, node: &pm::GlobalVariableReadNode<'pr>, dst: Dst) {
        self.at(&node.location());
        let dst = self.scratch_or(dst);
        self.get_gvar(node.name().as_slice(), dst);
    }

    pub(crate) fn back_reference_read(&mut self, node: &pm::BackReferenceReadNode<'pr>, dst: Dst) {
        let number = match node.name().as_slice() {
            b"$&" => 1,
            b"$`" => 2,
            b"$'" => 3,
            _ => 4,
        };
        if let Some(dst) = dst {
            self.f.emit(Insn::ad(Op::getspecial, dst, number));
        }
    }

    pub(crate) fn numbered_reference_read(&mut self, node: &pm::NumberedReferenceReadNode<'pr>, dst: Dst) {
        let Some(dst) = dst else { return };
        match i32::try_from(node.number()) {
            // Number 0 is what a group number too large for any match becomes.
            Ok(number) if number > 0 && number < i32::MAX - 16 => {
                self.f.emit(Insn::ad(Op::getspecial, dst, 16 + number));
            }
            _ => self.f.nil(dst),
        }
    }

    pub(crate) fn instance_variable_write(&mut self, node: &pm::InstanceVariableWriteNode<'pr>, dst: Dst) {
        self.store(&node.value(), dst, |c, from| {
            c.at(&node.location());
            c.set_ivar(node.name().as_slice(), from);
        });
    }

    pub(crate) fn class_variable_write(&mut self, node: &pm::ClassVariableWriteNode<'pr>, dst: Dst) {
        self.store(&node.value(), dst, |c, from| {
            c.at(&node.location());
            c.set_cvar(node.name().as_slice(), from);
        });
    }

    pub(crate) fn global_variable_write(&mut self, node: &pm::GlobalVariableWriteNode<'pr>, dst: Dst) {
        self.store(&node.value(), dst, |c, from| {
            c.at(&node.location());
            c.set_gvar(node.name().as_slice(), from);
        });
    }

    pub(crate) fn constant_read(&mut self, node: &pm::ConstantReadNode<'pr>, dst: Dst) {
        self.at(&node.location());
        let dst = self.scratch_or(dst);
        self.get_constant(&[node.name().as_slice()], dst);
    }

    /// The name of a constant as code of the core library means it: programs may have a `Core` of their own.
    pub(crate) fn core_name<'n>(&self, name: &'n [u8]) -> &'n [u8] {
        if self.options.is_core && name == CORE { CORE_MODULE.as_bytes() } else { name }
    }

    pub(crate) fn get_constant(&mut self, path: &[&[u8]], dst: Reg) {
        let path = path.iter().map(|&name| self.core_name(name).into()).collect();
        self.with_site(Op::getconstant, dst, Site::Constant(path));
    }

    pub(crate) fn constant_path(&mut self, node: &pm::ConstantPathNode<'pr>, dst: Dst) {
        let dst = self.scratch_or(dst);
        if let Some(path) = static_path(node) {
            self.at(&node.name_loc());
            return self.get_constant(&path, dst);
        }
        let parent = node.parent().expect("a dynamic path has one");
        self.scoped(|c| {
            let from = c.held(&parent);
            c.at(&node.name_loc());
            let symbol = c.f.symbol(constant_name(node));
            c.f.abc(Op::getconstantfrom, dst, from, symbol);
        });
    }

    pub(crate) fn constant_write(&mut self, node: &pm::ConstantWriteNode<'pr>, dst: Dst) {
        self.store(&node.value(), dst, |c, from| {
            c.at(&node.location());
            c.set_constant(node.name().as_slice(), from);
        });
    }

    /// Assigns a constant of the class that the code is in.
    pub(crate) fn set_constant(&mut self, name: &[u8], from: Reg) {
        self.scoped(|c| {
            c.f.hold(from);
            let from = c.shareable(from);
            c.f.hold(from);
            let base = c.f.next_temp;
            c.f.abc(Op::putcbase, base, 0, 0);
            let symbol = c.f.symbol(name);
            c.emit_setconstant(1, from, base, symbol);
        });
    }

    /// Evaluates the module that a path assigns in; `::A` is a constant of Object.
    pub(crate) fn constant_parent(&mut self, parent: Option<pm::Node<'pr>>) -> Reg {
        match parent {
            Some(parent) => self.push(&parent),
            None => {
                let dst = self.f.next_temp;
                self.get_constant(&[b"", b"Object"], dst);
                self.f.hold(dst);
                dst
            }
        }
    }

    pub(crate) fn constant_path_write(&mut self, node: &pm::ConstantPathWriteNode<'pr>, dst: Dst) {
        let target = node.target();
        self.scoped(|c| {
            let parent = c.constant_parent(target.parent());
            let symbol = c.f.symbol(constant_name(&target));
            // The destination may be the parent's register: it is written at the end.
            let from = c.held(&node.value());
            let from = c.shareable(from);
            c.at(&node.location());
            c.emit_setconstant(2, from, parent, symbol);
            c.result(dst, from);
        });
    }

    /// `checked` is 1 for a name alone and 2 for one behind a module, as an error tells it, and counts if the value must be
    /// shareable.
    pub(crate) fn emit_setconstant(&mut self, checked: u8, from: Reg, base: Reg, symbol: u16) {
        let is_demanded = self.f.shareable == Some(Shareable::Demanded);
        self.f.nabc(Op::setconstant, if is_demanded { checked } else { 0 }, from, base, symbol);
    }

    /// `# shareable_constant_value:` makes what is assigned shareable between Ractors.
    pub(crate) fn shareable_constant(&mut self, node: &pm::ShareableConstantNode<'pr>, dst: Dst) {
        let write = node.write();
        let value = assigned_value(&write);
        let has_parts = node.is_literal() && value.as_ref().is_some_and(|value| self.is_computed_container(value));
        let mode = if node.is_experimental_copy() {
            Shareable::Copied
        } else if node.is_literal() && (has_parts || !value.is_some_and(|value| is_literal(&value))) {
            Shareable::Demanded
        } else {
            Shareable::Made
        };
        let outer = (self.f.shareable.replace(mode), std::mem::replace(&mut self.f.has_literal_parts, has_parts));
        self.compile_kind(&write, dst);
        (self.f.shareable, self.f.has_literal_parts) = outer;
    }

    /// A literal array or hash with parts that are none.
    fn is_computed_container(&self, node: &pm::Node<'pr>) -> bool {
        let is_container = matches!(node, pm::Node::ArrayNode { .. } | pm::Node::HashNode { .. });
        is_container && is_literal(node) && self.container_literal(node).is_none()
    }

    /// A part of an array or hash that `literal` is to make shareable: literals in it are made so, all else has to be.
    pub(crate) fn literal_part(&mut self, node: &pm::Node<'pr>, dst: Dst) {
        let is_container = self.is_computed_container(node);
        self.f.has_literal_parts = is_container;
        self.compile_kind(node, dst);
        self.f.has_literal_parts = false;
        match dst {
            Some(dst) if is_container => self.scoped(|c| {
                c.f.hold(dst);
                c.send_values(dst, b"freeze", &[], dst);
            }),
            Some(dst) if is_literal(node) && is_open_literal(node) => self.scoped(|c| {
                c.f.hold(dst);
                let shared = c.make_shareable(dst);
                c.f.move_to(dst, shared);
            }),
            _ => {}
        }
        self.f.has_literal_parts = true;
    }

    /// The value to assign to a constant, which is in a register: `::Ractor.make_shareable(value)` where that is asked for.
    pub(crate) fn shareable(&mut self, from: Reg) -> Reg {
        let Some(mode) = self.f.shareable.filter(|mode| *mode != Shareable::Demanded) else { return from };
        self.f.hold(from);
        let value = if mode == Shareable::Copied { self.send_dup(from) } else { from };
        self.make_shareable(value)
    }

    /// `::Ractor.make_shareable` of a value, in a register above those in use.
    fn make_shareable(&mut self, value: Reg) -> Reg {
        let dst = self.f.next_temp;
        self.get_constant(&[b"", b"Ractor"], dst);
        self.f.hold(dst);
        self.send_values(dst, b"make_shareable", &[value], dst);
        dst
    }

    fn send_dup(&mut self, from: Reg) -> Reg {
        let dst = self.f.next_temp;
        self.send_values(from, b"clone", &[], dst);
        self.f.hold(dst);
        dst
    }
}

/// The right side of a constant's assignment.
fn assigned_value<'pr>(write: &pm::Node<'pr>) -> Option<pm::Node<'pr>> {
    let plain = write.as_constant_write_node().map(|n| n.value());
    let path = || write.as_constant_path_write_node().map(|n| n.value());
    let or = || write.as_constant_or_write_node().map(|n| n.value());
    let and = || write.as_constant_and_write_node().map(|n| n.value());
    let operator = || write.as_constant_operator_write_node().map(|n| n.value());
    let path_or = || write.as_constant_path_or_write_node().map(|n| n.value());
    plain.or_else(path).or_else(or).or_else(and).or_else(operator).or_else(path_or)
}

/// What `literal` makes shareable: no array or hash that splats fill, no range of what is computed.
fn is_literal(node: &pm::Node<'_>) -> bool {
    let is_end = |end: Option<pm::Node<'_>>| end.is_none_or(|end| is_literal(&end));
    if let Some(array) = node.as_array_node() {
        return !array.elements().iter().any(|element| element.as_splat_node().is_some());
    }
    if let Some(hash) = node.as_hash_node() {
        return !hash.elements().iter().any(|element| element.as_assoc_splat_node().is_some());
    }
    if let Some(range) = node.as_range_node() {
        return is_end(range.left()) && is_end(range.right());
    }
    use pm::Node::{FalseNode, FloatNode, ImaginaryNode, IntegerNode, InterpolatedStringNode};
    use pm::Node::{InterpolatedRegularExpressionNode, InterpolatedSymbolNode, NilNode, RationalNode};
    use pm::Node::{RegularExpressionNode, SourceFileNode, StringNode, SymbolNode, TrueNode};
    matches!(
        node,
        FalseNode { .. }
            | FloatNode { .. }
            | ImaginaryNode { .. }
            | IntegerNode { .. }
            | InterpolatedRegularExpressionNode { .. }
            | InterpolatedStringNode { .. }
            | InterpolatedSymbolNode { .. }
            | NilNode { .. }
            | RationalNode { .. }
            | RegularExpressionNode { .. }
            | SourceFileNode { .. }
            | StringNode { .. }
            | SymbolNode { .. }
            | TrueNode { .. }
    )
}

pub(crate) fn constant_name<'pr>(node: &pm::ConstantPathNode<'pr>) -> &'pr [u8] {
    node.name().expect("a tree without errors").as_slice()
}

/// `A::B::C` and `::A` as names, if nothing in the path is computed.
pub(crate) fn static_path<'pr>(node: &pm::ConstantPathNode<'pr>) -> Option<Vec<&'pr [u8]>> {
    use pm::FullName;
    node.full_name_parts().ok()
}

fn missing(name: &[u8]) -> ! {
    panic!("the parser knows a local {} that has no register", String::from_utf8_lossy(name))
}

/// A literal whose value is not shareable from the start.
fn is_open_literal(node: &pm::Node<'_>) -> bool {
    use pm::Node::{ArrayNode, HashNode, InterpolatedStringNode, RangeNode, SourceFileNode, StringNode};
    matches!(
        node,
        ArrayNode { .. }
            | HashNode { .. }
            | InterpolatedStringNode { .. }
            | RangeNode { .. }
            | SourceFileNode { .. }
            | StringNode { .. }
    )
}
