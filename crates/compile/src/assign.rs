//! Assignment of a value that is already in a register, to anything that can stand left of `=`.

use crate::arguments::{MANY, Shape, is_plain, list_of};
use crate::calls::self_flags;
use crate::compiler::Compiler;
use crate::emit::Reg;
use crate::variables::Place;
use carat_iseq::{CallFlags, Op};
use ruby_prism as pm;

/// The arguments between the brackets of an index, evaluated.
pub(crate) enum Index {
    /// In consecutive registers from the first.
    Plain(Reg, u16),
    /// One array, made for this.
    Splat(Reg),
}

/// `object.name = …` or `object[…] = …` with everything but the value evaluated.
pub(crate) struct Attribute {
    pub(crate) object: Reg,
    pub(crate) flags: u16,
    pub(crate) name: Box<[u8]>,
    pub(crate) arguments: Index,
}

/// A left side whose receivers and indexes have been evaluated.
pub(crate) enum Target<'pr> {
    Local(Place),
    InstanceVariable(&'pr [u8]),
    ClassVariable(&'pr [u8]),
    GlobalVariable(&'pr [u8]),
    Constant(&'pr [u8]),
    ConstantIn(Reg, &'pr [u8]),
    Attribute(Attribute, bool),
    Multiple(crate::multiple::Targets<'pr>),
    /// `*` without a name.
    Nothing,
}

impl<'pr> Compiler<'_, 'pr> {
    /// Assigns the value in `from`, which the caller keeps alive if it is a temporary.
    pub(crate) fn assign(&mut self, node: &pm::Node<'pr>, from: Reg) {
        self.scoped(|c| {
            c.f.hold(from);
            let target = c.prepare(node);
            c.assign_prepared(&target, from);
        });
    }

    /// Evaluates what a left side consists of; what it pushes stays held.
    pub(crate) fn prepare(&mut self, node: &pm::Node<'pr>) -> Target<'pr> {
        use pm::Node;
        match node {
            Node::LocalVariableTargetNode { .. } => {
                let local = node.as_local_variable_target_node().expect("matched");
                Target::Local(self.find(local.name().as_slice(), local.depth()))
            }
            Node::RequiredParameterNode { .. } => {
                let local = node.as_required_parameter_node().expect("matched");
                Target::Local(self.find(local.name().as_slice(), 0))
            }
            Node::InstanceVariableTargetNode { .. } => {
                Target::InstanceVariable(node.as_instance_variable_target_node().expect("matched").name().as_slice())
            }
            Node::ClassVariableTargetNode { .. } => {
                Target::ClassVariable(node.as_class_variable_target_node().expect("matched").name().as_slice())
            }
            Node::GlobalVariableTargetNode { .. } => {
                Target::GlobalVariable(node.as_global_variable_target_node().expect("matched").name().as_slice())
            }
            Node::ConstantTargetNode { .. } => {
                Target::Constant(node.as_constant_target_node().expect("matched").name().as_slice())
            }
            Node::ConstantPathTargetNode { .. } => {
                let path = node.as_constant_path_target_node().expect("matched");
                let parent = self.constant_parent(path.parent());
                Target::ConstantIn(parent, path.name().expect("a tree without errors").as_slice())
            }
            Node::CallTargetNode { .. } => self.prepare_call(&node.as_call_target_node().expect("matched")),
            Node::IndexTargetNode { .. } => self.prepare_index(&node.as_index_target_node().expect("matched")),
            Node::MultiTargetNode { .. } => {
                let targets = node.as_multi_target_node().expect("matched");
                Target::Multiple(self.prepare_all(&targets.lefts(), targets.rest(), &targets.rights()))
            }
            Node::SplatNode { .. } => match node.as_splat_node().expect("matched").expression() {
                Some(expression) => self.prepare(&expression),
                None => Target::Nothing,
            },
            Node::RestParameterNode { .. } => match node.as_rest_parameter_node().expect("matched").name() {
                Some(name) => Target::Local(self.find(name.as_slice(), 0)),
                None => Target::Nothing,
            },
            Node::ImplicitRestNode { .. } => Target::Nothing,
            _ => unreachable!("{node:?} cannot be assigned"),
        }
    }

    fn prepare_call(&mut self, node: &pm::CallTargetNode<'pr>) -> Target<'pr> {
        let receiver = node.receiver();
        let object = self.push(&receiver);
        let flags = self_flags(&receiver) | CallFlags::ATTRIBUTE_ASSIGN;
        let arguments = Index::Plain(object, 0);
        let name = node.name().as_slice().into();
        Target::Attribute(Attribute { object, flags, name, arguments }, node.is_safe_navigation())
    }

    fn prepare_index(&mut self, node: &pm::IndexTargetNode<'pr>) -> Target<'pr> {
        let receiver = node.receiver();
        let object = self.push(&receiver);
        let flags = self_flags(&receiver) | CallFlags::ATTRIBUTE_ASSIGN;
        let arguments = self.index_arguments(list_of(node.arguments()));
        Target::Attribute(Attribute { object, flags, name: (*b"[]=").into(), arguments }, false)
    }

    /// Evaluates the arguments of an index and holds them.
    pub(crate) fn index_arguments(&mut self, list: Vec<pm::Node<'pr>>) -> Index {
        let first = self.f.next_temp;
        if list.len() <= MANY && list.iter().all(is_plain) {
            list.iter().for_each(|argument| {
                self.push(argument);
            });
            return Index::Plain(first, list.len() as u16);
        }
        self.f.reserve(first + 1);
        self.array_of(&list, first);
        self.f.hold(first);
        Index::Splat(first)
    }

    pub(crate) fn assign_prepared(&mut self, target: &Target<'pr>, from: Reg) {
        match target {
            Target::Local(place) => self.write_place(*place, from),
            Target::InstanceVariable(name) => self.set_ivar(name, from),
            Target::ClassVariable(name) => self.set_cvar(name, from),
            Target::GlobalVariable(name) => self.set_gvar(name, from),
            Target::Constant(name) => self.set_constant(name, from),
            Target::ConstantIn(parent, name) => {
                let symbol = self.f.symbol(name);
                self.f.abc(Op::setconstant, from, *parent, symbol);
            }
            Target::Attribute(attribute, safe) => self.assign_attribute(attribute, *safe, from),
            Target::Multiple(targets) => self.assign_all(targets, from),
            Target::Nothing => {}
        }
    }

    fn assign_attribute(&mut self, attribute: &Attribute, safe: bool, from: Reg) {
        let end = self.f.label();
        if safe {
            self.f.branch(Op::branchnil, attribute.object, end);
        }
        self.send_attribute(attribute, from);
        self.f.bind(end);
    }

    /// Calls the writer; its result is dropped.
    pub(crate) fn send_attribute(&mut self, attribute: &Attribute, from: Reg) {
        if let (b"[]=", &Index::Plain(key, 1)) = (&*attribute.name, &attribute.arguments) {
            return self.emit_index_assign(attribute.object, key, from, 0, attribute.flags);
        }
        self.scoped(|c| {
            let spoiled = c.f.next_temp;
            let window = c.window(false);
            c.push_copy(attribute.object);
            let shape = c.push_index(&attribute.arguments, Some(from));
            c.send_window(window, shape, &attribute.name, attribute.flags, None, spoiled);
        });
    }

    pub(crate) fn push_copy(&mut self, from: Reg) -> Reg {
        let to = self.f.next_temp;
        self.f.reserve(to + 1);
        self.f.move_to(to, from);
        self.f.hold(to);
        to
    }

    /// Copies index arguments into the window that is open, and behind them the value to store.
    pub(crate) fn push_index(&mut self, arguments: &Index, value: Option<Reg>) -> Shape {
        match *arguments {
            Index::Plain(first, count) => {
                for register in (first..first + count).chain(value) {
                    self.push_copy(register);
                }
                Shape { argc: count + u16::from(value.is_some()), ..Shape::default() }
            }
            Index::Splat(array) => {
                let copy = self.f.next_temp;
                self.f.nabc(Op::splatarray, 1, copy, array, 0);
                self.f.hold(copy);
                if let Some(value) = value {
                    self.f.abc(Op::pusharray, copy, value, 0);
                }
                let flags = CallFlags::SPLAT | CallFlags::SPLAT_FRESH;
                Shape { argc: 1, flags, keyword_names: Vec::new() }
            }
        }
    }
}
