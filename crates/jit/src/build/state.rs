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
    /// The place of the last frame whose header is in memory, and whose callers' are. The unit's own is at 0.
    there: i32,
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

    pub(super) fn there(&self) -> i32 {
        self.there
    }

    /// The frame at a place is the running one again.
    pub(super) fn return_to(&mut self, place: i32) {
        self.there = self.there.min(place);
    }

    /// An instruction was run in another way, in the frame at a place.
    pub(super) fn set_there(&mut self, place: i32) {
        self.there = place;
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

    /// At the head of a loop in which an instruction is run in another way. What is known of frames holds behind each.
    pub(super) fn enter_broken_loop(&mut self) {
        self.stored.clear();
        self.unboxed.clear();
        self.found.clear();
        self.there = 0;
        self.passed.retain(|inst| matches!(inst, Inst::OwnsEnvironment(_)));
    }

    pub(super) fn keep_common(&mut self, other: &State) {
        self.there = self.there.min(other.there);
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
