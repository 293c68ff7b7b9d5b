//! What is known at one point of a unit.

use crate::graph::{Graph, Inst, Node, Type};
use std::collections::BTreeMap;

#[derive(Clone, Default)]
pub(super) struct State {
    /// What the registers at the places are.
    registers: BTreeMap<i32, Node>,
    /// What lies in memory there, if that is known.
    stored: BTreeMap<i32, Node>,
    /// Guards that need not be asked again.
    passed: Vec<Inst>,
    unboxed: BTreeMap<Node, Node>,
    /// Lengths and addresses of arrays.
    found: Vec<(Inst, Node)>,
}

impl State {
    pub(super) fn get(&self, place: i32) -> Option<Node> {
        self.registers.get(&place).copied()
    }

    pub(super) fn set(&mut self, place: i32, node: Node) {
        self.registers.insert(place, node);
    }

    pub(super) fn keep_places(&mut self, places: &[i32]) {
        self.registers.retain(|place, _| places.binary_search(place).is_ok());
    }

    pub(super) fn forget(&mut self, place: i32) {
        self.registers.remove(&place);
    }

    /// A frame was left whose header begins there.
    pub(super) fn forget_from(&mut self, place: i32) {
        self.registers.split_off(&place);
    }

    pub(super) fn stored(&self, place: i32) -> Option<Node> {
        self.stored.get(&place).copied()
    }

    pub(super) fn set_stored(&mut self, place: i32, node: Node) {
        self.stored.insert(place, node);
    }

    pub(super) fn has_passed(&self, inst: &Inst) -> bool {
        self.passed.contains(inst)
    }

    pub(super) fn pass(&mut self, inst: Inst) {
        self.passed.push(inst);
    }

    pub(super) fn unboxed(&self, node: Node) -> Option<Node> {
        self.unboxed.get(&node).copied()
    }

    pub(super) fn set_unboxed(&mut self, node: Node, double: Node) {
        self.unboxed.insert(node, double);
    }

    pub(super) fn found(&self, inst: &Inst) -> Option<Node> {
        self.found.iter().find(|(known, _)| known == inst).map(|(_, node)| *node)
    }

    pub(super) fn find(&mut self, inst: Inst, node: Node) {
        self.found.push((inst, node));
    }

    /// An object got another shape.
    pub(super) fn forget_shapes(&mut self) {
        self.passed.retain(is_lasting);
    }

    /// At the head of a loop: what its ways back change is not known yet.
    pub(super) fn enter_loop(&mut self) {
        self.forget_shapes();
        self.found.clear();
    }

    pub(super) fn keep_common(&mut self, other: &State) {
        self.stored.retain(|place, node| other.stored(*place) == Some(*node));
        self.passed.retain(|inst| other.has_passed(inst));
        self.unboxed.retain(|node, double| other.unboxed(*node) == Some(*double));
        self.found.retain(|(inst, node)| other.found(inst) == Some(*node));
    }

    pub(super) fn type_of(&self, graph: &Graph, node: Node) -> Type {
        match graph.value(node).typ {
            Type::Any if self.has_passed(&Inst::IsFixnum(node)) => Type::Fixnum,
            Type::Any if self.has_passed(&Inst::IsSpecial(node)) => Type::Special,
            typ => typ,
        }
    }
}

/// Whether a guard says what a word itself is, which never changes.
fn is_lasting(inst: &Inst) -> bool {
    matches!(inst, Inst::IsFixnum(_) | Inst::IsSpecial(_) | Inst::IsNotHeap(_) | Inst::OwnsEnvironment(_))
}
