//! `a += b`, `a ||= b`, `a &&= b` for everything that can be assigned.

use crate::arguments::{is_plain, list_of};
use crate::assign::{Attribute, Index};
use crate::calls::self_flags;
use crate::compiler::Compiler;
use crate::emit::{Dst, Label, Reg};
use crate::variables::{constant_name, may_write_name};
use carat_iseq::{CallFlags, Op, Site};
use ruby_prism as pm;

/// What is done with the old value.
pub(crate) enum Change<'n, 'pr> {
    Operator(&'pr [u8], &'n pm::Node<'pr>),
    Or(&'n pm::Node<'pr>),
    And(&'n pm::Node<'pr>),
}

impl<'n, 'pr> Change<'n, 'pr> {
    fn value(&self) -> &'n pm::Node<'pr> {
        match *self {
            Change::Operator(_, value) | Change::Or(value) | Change::And(value) => value,
        }
    }
}

macro_rules! variable_writes {
    ($($kind:literal: $operator:ident $or:ident $and:ident, $op_node:ident $or_node:ident $and_node:ident,
       $get:ident $get_or_nil:ident $set:ident;)+) => {
        $(
            #[doc = concat!($kind, " with an operator.")]
            pub(crate) fn $operator(&mut self, node: &pm::$op_node<'pr>, dst: Dst) {
                let (name, value) = (node.name().as_slice(), node.value());
                self.at(&node.location());
                let change = Change::Operator(node.binary_operator().as_slice(), &value);
                self.change(dst, change, |c, r| c.$get(name, r), |c, r| c.$set(name, r));
            }

            #[doc = concat!($kind, " if it is falsy or missing.")]
            pub(crate) fn $or(&mut self, node: &pm::$or_node<'pr>, dst: Dst) {
                let (name, value) = (node.name().as_slice(), node.value());
                self.at(&node.location());
                self.change(dst, Change::Or(&value), |c, r| c.$get_or_nil(name, r), |c, r| c.$set(name, r));
            }

            #[doc = concat!($kind, " if it is truthy.")]
            pub(crate) fn $and(&mut self, node: &pm::$and_node<'pr>, dst: Dst) {
                let (name, value) = (node.name().as_slice(), node.value());
                self.at(&node.location());
                self.change(dst, Change::And(&value), |c, r| c.$get(name, r), |c, r| c.$set(name, r));
            }
        )+
    };
}

impl<'pr> Compiler<'_, 'pr> {
    variable_writes! {
        "Assigns an instance variable": instance_operator_write instance_or_write instance_and_write,
            InstanceVariableOperatorWriteNode InstanceVariableOrWriteNode InstanceVariableAndWriteNode,
            get_ivar get_ivar set_ivar;
        "Assigns a class variable": class_variable_operator_write class_variable_or_write class_variable_and_write,
            ClassVariableOperatorWriteNode ClassVariableOrWriteNode ClassVariableAndWriteNode,
            get_cvar get_cvar_or_nil set_cvar;
        "Assigns a global variable": global_operator_write global_or_write global_and_write,
            GlobalVariableOperatorWriteNode GlobalVariableOrWriteNode GlobalVariableAndWriteNode,
            get_gvar get_gvar_or_nil set_gvar;
        "Assigns a constant": constant_operator_write constant_or_write constant_and_write,
            ConstantOperatorWriteNode ConstantOrWriteNode ConstantAndWriteNode,
            get_named_constant get_named_constant_or_nil set_constant;
    }

    fn get_named_constant(&mut self, name: &[u8], dst: Reg) {
        self.get_constant(&[name], dst);
    }

    fn get_gvar_or_nil(&mut self, name: &[u8], dst: Reg) {
        let symbol = self.f.symbol(name);
        self.get_if_defined(1, symbol, dst, |c| c.get_gvar(name, dst));
    }

    fn get_named_constant_or_nil(&mut self, name: &[u8], dst: Reg) {
        let site = self.f.site(Site::Constant(vec![name.into()]));
        self.get_if_defined(3, site, dst, |c| c.get_named_constant(name, dst));
    }

    /// Reads a variable, or nil where reading would warn or raise.
    fn get_if_defined(&mut self, kind: u8, operand: u16, dst: Reg, get: impl FnOnce(&mut Self)) {
        let missing = self.f.label();
        self.f.nabc(Op::defined, kind, dst, 0, operand);
        self.f.branch(Op::branchunless, dst, missing);
        get(self);
        self.f.bind(missing);
    }

    /// Reads, changes and writes back; the new value is the result. Registers held by the caller are not `dst`.
    fn change(
        &mut self,
        dst: Dst,
        change: Change<'_, 'pr>,
        get: impl FnOnce(&mut Self, Reg),
        set: impl FnOnce(&mut Self, Reg),
    ) {
        let line = self.f.line;
        let target = self.scratch(dst);
        let end = self.f.label();
        get(self, target);
        self.scoped(|c| match change {
            Change::Operator(name, value) => {
                c.f.hold(target);
                c.binary(name, target, value, target);
            }
            Change::Or(value) => c.replace_if(target, false, value, end),
            Change::And(value) => c.replace_if(target, true, value, end),
        });
        self.f.line = line;
        set(self, target);
        self.f.bind(end);
        self.result(dst, target);
    }

    fn replace_if(&mut self, target: Reg, when: bool, value: &pm::Node<'pr>, end: Label) {
        self.jump_if(target, !when, end);
        self.expr(value, target);
    }

    pub(crate) fn local_operator_write(&mut self, node: &pm::LocalVariableOperatorWriteNode<'pr>, dst: Dst) {
        let (name, value) = (node.name().as_slice(), node.value());
        let place = self.find(name, node.depth());
        let operator = node.binary_operator().as_slice();
        self.at(&node.location());
        if place.levels == 0 && !place.captured && !place.is_block_param && !may_write_name(&value, name) {
            self.binary(operator, place.register, &value, place.register);
            return self.result(dst, place.register);
        }
        let change = Change::Operator(operator, &value);
        self.change(dst, change, |c, r| c.read_place(place, r), |c, r| c.write_place(place, r));
    }

    pub(crate) fn local_or_write(&mut self, node: &pm::LocalVariableOrWriteNode<'pr>, dst: Dst) {
        let value = node.value();
        self.local_conditional_write(node.name().as_slice(), node.depth(), Change::Or(&value), dst);
    }

    pub(crate) fn local_and_write(&mut self, node: &pm::LocalVariableAndWriteNode<'pr>, dst: Dst) {
        let value = node.value();
        self.local_conditional_write(node.name().as_slice(), node.depth(), Change::And(&value), dst);
    }

    fn local_conditional_write(&mut self, name: &[u8], depth: u32, change: Change<'_, 'pr>, dst: Dst) {
        let place = self.find(name, depth);
        let (value, when) = match &change {
            Change::Or(value) => (*value, true),
            Change::And(value) => (*value, false),
            Change::Operator(..) => unreachable!(),
        };
        if place.levels > 0 || place.captured || place.is_block_param {
            return self.change(dst, change, |c, r| c.read_place(place, r), |c, r| c.write_place(place, r));
        }
        let end = self.f.label();
        self.jump_if(place.register, when, end);
        self.expr(value, place.register);
        self.f.bind(end);
        self.result(dst, place.register);
    }

    pub(crate) fn constant_path_operator_write(&mut self, node: &pm::ConstantPathOperatorWriteNode<'pr>, dst: Dst) {
        let value = node.value();
        let change = Change::Operator(node.binary_operator().as_slice(), &value);
        self.constant_path_change(&node.target(), change, dst);
    }

    pub(crate) fn constant_path_or_write(&mut self, node: &pm::ConstantPathOrWriteNode<'pr>, dst: Dst) {
        self.constant_path_change(&node.target(), Change::Or(&node.value()), dst);
    }

    pub(crate) fn constant_path_and_write(&mut self, node: &pm::ConstantPathAndWriteNode<'pr>, dst: Dst) {
        self.constant_path_change(&node.target(), Change::And(&node.value()), dst);
    }

    fn constant_path_change(&mut self, target: &pm::ConstantPathNode<'pr>, change: Change<'_, 'pr>, dst: Dst) {
        let name = constant_name(target);
        self.scoped(|c| {
            let parent = c.constant_parent(target.parent());
            c.at(&target.location());
            let symbol = c.f.symbol(name);
            let checked = matches!(change, Change::Or(_));
            let value = c.f.next_temp;
            c.change(
                Some(value),
                change,
                |c, r| {
                    let missing = c.f.label();
                    if checked {
                        c.f.nabc(Op::defined, 4, r, parent, symbol);
                        c.f.branch(Op::branchunless, r, missing);
                    }
                    c.f.abc(Op::getconstantfrom, r, parent, symbol);
                    c.f.bind(missing);
                },
                |c, r| {
                    c.scoped(|c| {
                        c.f.hold(r);
                        let r = c.shareable(r);
                        c.emit_setconstant(2, r, parent, symbol);
                    })
                },
            );
            c.result(dst, value);
        });
    }

    /// `object.name op= value`
    fn attribute_change(
        &mut self,
        receiver: Option<pm::Node<'pr>>,
        (read, write): (&[u8], &[u8]),
        safe: bool,
        change: Change<'_, 'pr>,
        dst: Dst,
    ) {
        let nil = self.f.label();
        let line = self.f.line;
        self.scoped(|c| {
            let flags = receiver.as_ref().map_or(CallFlags::FCALL, self_flags);
            let object = match &receiver {
                Some(receiver) => c.held_before(receiver, &[change.value()]),
                None => 0,
            };
            c.f.line = line;
            if safe {
                c.f.branch(Op::branchnil, object, nil);
            }
            let attribute = Attribute {
                object,
                flags: flags | CallFlags::ATTRIBUTE_ASSIGN,
                name: write.into(),
                arguments: Index::Plain(object, 0),
            };
            let value = c.f.next_temp;
            c.change(
                Some(value),
                change,
                |c, r| c.read_attribute(&attribute, read, flags, r),
                |c, r| {
                    c.scoped(|c| {
                        c.f.hold(r);
                        c.send_attribute(&attribute, r);
                    });
                },
            );
            c.result(dst, value);
        });
        if safe {
            let end = self.f.label();
            self.f.jump(end);
            self.f.bind(nil);
            self.f.nil_if(dst);
            self.f.bind(end);
        }
    }

    fn read_attribute(&mut self, attribute: &Attribute, name: &[u8], flags: u16, dst: Reg) {
        if let (b"[]", &Index::Plain(key, 1)) = (name, &attribute.arguments) {
            self.f.abc(Op::opt_aref, dst, attribute.object, key);
            return self.f.ext(dst, name, 1, flags);
        }
        self.scoped(|c| {
            let window = c.window(false);
            c.push_copy(attribute.object);
            let shape = c.push_index(&attribute.arguments, None);
            c.send_window(window, shape, name, flags, None, dst);
        });
    }

    pub(crate) fn call_operator_write(&mut self, node: &pm::CallOperatorWriteNode<'pr>, dst: Dst) {
        let value = node.value();
        let names = (node.read_name().as_slice(), node.write_name().as_slice());
        self.at(&node.message_loc().unwrap_or_else(|| node.location()));
        let change = Change::Operator(node.binary_operator().as_slice(), &value);
        self.attribute_change(node.receiver(), names, node.is_safe_navigation(), change, dst);
    }

    pub(crate) fn call_or_write(&mut self, node: &pm::CallOrWriteNode<'pr>, dst: Dst) {
        let names = (node.read_name().as_slice(), node.write_name().as_slice());
        self.at(&node.message_loc().unwrap_or_else(|| node.location()));
        let safe = node.is_safe_navigation();
        self.attribute_change(node.receiver(), names, safe, Change::Or(&node.value()), dst);
    }

    pub(crate) fn call_and_write(&mut self, node: &pm::CallAndWriteNode<'pr>, dst: Dst) {
        let names = (node.read_name().as_slice(), node.write_name().as_slice());
        self.at(&node.message_loc().unwrap_or_else(|| node.location()));
        let safe = node.is_safe_navigation();
        self.attribute_change(node.receiver(), names, safe, Change::And(&node.value()), dst);
    }

    pub(crate) fn index_operator_write(&mut self, node: &pm::IndexOperatorWriteNode<'pr>, dst: Dst) {
        let value = node.value();
        self.at(&node.location());
        let change = Change::Operator(node.binary_operator().as_slice(), &value);
        self.index_change(node.receiver(), node.arguments(), change, dst);
    }

    pub(crate) fn index_or_write(&mut self, node: &pm::IndexOrWriteNode<'pr>, dst: Dst) {
        self.at(&node.location());
        self.index_change(node.receiver(), node.arguments(), Change::Or(&node.value()), dst);
    }

    pub(crate) fn index_and_write(&mut self, node: &pm::IndexAndWriteNode<'pr>, dst: Dst) {
        self.at(&node.location());
        self.index_change(node.receiver(), node.arguments(), Change::And(&node.value()), dst);
    }

    /// The receiver and the index; locals stay where they are unless something behind assigns them.
    fn index_operands(
        &mut self,
        receiver: &pm::Node<'pr>,
        list: Vec<pm::Node<'pr>>,
        value: &pm::Node<'pr>,
    ) -> (Reg, Index) {
        match list.as_slice() {
            [index] if is_plain(index) => {
                let object = self.held_before(receiver, &[index, value]);
                (object, Index::Plain(self.held_before(index, &[value]), 1))
            }
            _ => (self.push(receiver), self.index_arguments(list)),
        }
    }

    fn index_change(
        &mut self,
        receiver: Option<pm::Node<'pr>>,
        arguments: Option<pm::ArgumentsNode<'pr>>,
        change: Change<'_, 'pr>,
        dst: Dst,
    ) {
        let line = self.f.line;
        let receiver = receiver.expect("an index belongs to something");
        self.scoped(|c| {
            let flags = self_flags(&receiver);
            let list = list_of(arguments);
            let (object, arguments) = c.index_operands(&receiver, list, change.value());
            c.f.line = line;
            let name = (*b"[]=").into();
            let attribute = Attribute { object, flags: flags | CallFlags::ATTRIBUTE_ASSIGN, name, arguments };
            let value = c.f.next_temp;
            c.change(
                Some(value),
                change,
                |c, r| c.read_attribute(&attribute, b"[]", flags, r),
                |c, r| {
                    c.scoped(|c| {
                        c.f.hold(r);
                        c.send_attribute(&attribute, r);
                    });
                },
            );
            c.result(dst, value);
        });
    }
}
