//! What is known at one point of a unit.

use crate::graph::{Graph, Inner, Inst, Node, Object, Type};
use crate::tables::Bits;

#[derive(Clone, Default)]
pub(super) struct State {
    /// What the registers at the places are.
    registers: Places,
    /// What lies in memory there, if that is known.
    stored: Places,
    /// Words that were found to be fixnums, and to be special.
    fixnums: Bits,
    specials: Bits,
    /// Other guards that need not be asked again.
    passed: Vec<Inst>,
    unboxed: Vec<(Node, Node)>,
    /// Lengths and addresses of arrays, fields and blocks of them.
    found: Vec<(Inst, Node)>,
    /// Objects that are not made.
    fresh: Vec<Object>,
    /// The place of the last frame whose header is in memory, and whose callers' are. The unit's own is at 0.
    there: i32,
}

/// A node for some places of the frame.
#[derive(Clone, Default)]
struct Places(Vec<Option<Node>>);

impl Places {
    fn get(&self, place: i32) -> Option<Node> {
        self.0.get(usize::try_from(place).ok()?).copied().flatten()
    }

    fn set(&mut self, place: i32, node: Node) {
        let at = usize::try_from(place).expect("a place of the frame");
        if at >= self.0.len() {
            self.0.resize(at + 1, None);
        }
        self.0[at] = Some(node);
    }

    fn forget(&mut self, place: i32) {
        if let Some(found) = self.0.get_mut(place as usize) {
            *found = None;
        }
    }
}

impl State {
    pub(super) fn get(&self, place: i32) -> Option<Node> {
        self.registers.get(place)
    }

    pub(super) fn set(&mut self, place: i32, node: Node) {
        self.registers.set(place, node);
    }

    pub(super) fn keep_places(&mut self, places: &[i32]) {
        let mut kept = Places::default();
        places.iter().for_each(|place| {
            if let Some(node) = self.registers.get(*place) {
                kept.set(*place, node);
            }
        });
        self.registers = kept;
    }

    pub(super) fn forget(&mut self, place: i32) {
        self.registers.forget(place);
    }

    /// A frame was left whose header begins there.
    pub(super) fn forget_from(&mut self, place: i32) {
        self.registers.0.truncate(place.max(0) as usize);
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
        self.stored.get(place)
    }

    pub(super) fn set_stored(&mut self, place: i32, node: Node) {
        self.stored.set(place, node);
    }

    pub(super) fn has_passed(&self, inst: &Inst) -> bool {
        match inst {
            Inst::IsFixnum(node) => self.fixnums.has(node.0 as usize),
            Inst::IsSpecial(node) => self.specials.has(node.0 as usize),
            _ => self.passed.contains(inst),
        }
    }

    pub(super) fn pass(&mut self, inst: Inst) {
        match inst {
            Inst::IsFixnum(node) => _ = self.fixnums.insert(node.0 as usize),
            Inst::IsSpecial(node) => _ = self.specials.insert(node.0 as usize),
            _ => self.passed.push(inst),
        }
    }

    pub(super) fn unboxed(&self, node: Node) -> Option<Node> {
        self.unboxed.iter().find(|(word, _)| *word == node).map(|(_, double)| *double)
    }

    pub(super) fn set_unboxed(&mut self, node: Node, double: Node) {
        self.unboxed.push((node, double));
    }

    pub(super) fn found(&self, inst: &Inst) -> Option<Node> {
        self.found.iter().find(|(known, _)| known == inst).map(|(_, node)| *node)
    }

    pub(super) fn find(&mut self, inst: Inst, node: Node) {
        self.found.push((inst, node));
    }

    /// An array may have other contents.
    pub(super) fn forget_contents(&mut self) {
        use Inst::{Boxed, Leaf, Load, Outer, OwnBlock};
        self.found.retain(|(inst, _)| matches!(inst, Leaf { .. } | Load { .. } | Boxed(_) | Outer { .. } | OwnBlock));
        self.passed.retain(|inst| !matches!(inst, Inst::IsWithin { .. } | Inst::IsWritable(_)));
    }

    /// A word was stored in an object or a block of fields.
    pub(super) fn store(&mut self, object: Node, offset: u32, value: Node) {
        self.found.retain(|(inst, _)| !matches!(inst, Inst::Load { offset: other, .. } if *other == offset));
        self.found.push((Inst::Load { object, offset }, value));
    }

    /// A variable of an environment was written. One that is counted from elsewhere may be the same.
    pub(super) fn set_outer(&mut self, of: Inner, depth: u16, register: u16, value: Node) {
        self.found.retain(|(inst, _)| match *inst {
            Inst::Outer { of: other, depth: level, register: another } => {
                another != register || other == of && level != depth
            }
            _ => true,
        });
        self.found.push((Inst::Outer { of, depth, register }, value));
    }

    // ---- objects that are not made ----

    pub(super) fn fresh(&self, node: Node) -> Option<&Object> {
        self.fresh.iter().find(|object| object.node == node)
    }

    pub(super) fn fresh_mut(&mut self, node: Node) -> Option<&mut Object> {
        self.fresh.iter_mut().find(|object| object.node == node)
    }

    pub(super) fn all_fresh(&self) -> &[Object] {
        &self.fresh
    }

    pub(super) fn add_fresh(&mut self, node: Node, header: u64) {
        self.fresh.push(Object { node, header, fields: Vec::new() });
    }

    /// The objects that places hold, or others of these do, and what they have in their fields, which come first. Nothing if one
    /// of them is not known.
    pub(super) fn fresh_behind(&self, graph: &Graph, places: impl Iterator<Item = Node>) -> Option<Vec<Object>> {
        let mut found: Vec<Object> = Vec::new();
        for node in places.filter(|node| graph.is_fresh(*node)) {
            self.add_behind(graph, node, &mut found)?;
        }
        Some(found)
    }

    fn add_behind(&self, graph: &Graph, node: Node, found: &mut Vec<Object>) -> Option<()> {
        if found.iter().any(|object| object.node == node) {
            return Some(());
        }
        let object = self.fresh(node)?;
        for (_, field) in object.fields.iter().filter(|(_, field)| graph.is_fresh(*field)) {
            self.add_behind(graph, *field, found)?;
        }
        found.push(object.clone());
        Some(())
    }

    /// An object was made after all.
    pub(super) fn replace_fresh(&mut self, node: Node, made: Node) {
        self.fresh.retain(|object| object.node != node);
        let fields = self.fresh.iter_mut().flat_map(|object| &mut object.fields).map(|(_, held)| held);
        let held = self.registers.0.iter_mut().flatten().chain(fields);
        held.filter(|held| **held == node).for_each(|held| *held = made);
    }

    /// Keeps objects that some of these may hold, or are.
    pub(super) fn keep_fresh(&mut self, graph: &Graph, held: &[Node]) {
        if let Some(behind) = self.fresh_behind(graph, held.iter().copied()) {
            self.fresh = behind;
        }
    }

    /// Keeps objects that some place may hold, and that are alike in another state but for what their fields hold.
    pub(super) fn keep_common_fresh(&mut self, graph: &Graph, other: &State) {
        let held = self.registers.0.iter().flatten().copied();
        let behind = self.fresh_behind(graph, held).unwrap_or_default();
        self.fresh.retain(|object| {
            let is_like = |one: &Object| {
                let offsets = |object: &Object| object.fields.iter().map(|(offset, _)| *offset).collect::<Vec<_>>();
                one.header == object.header && offsets(one) == offsets(object)
            };
            behind.contains(object) && other.fresh(object.node).is_some_and(is_like)
        });
    }

    /// An object got another shape.
    pub(super) fn forget_shapes(&mut self) {
        self.passed.retain(is_lasting);
        self.found.retain(|(inst, _)| !matches!(inst, Inst::Leaf { .. }));
    }

    /// At the head of a loop: what its ways back change is not known yet.
    pub(super) fn enter_loop(&mut self) {
        self.forget_shapes();
        // The block that a frame has is the same until other code runs.
        self.found.retain(|(inst, _)| *inst == Inst::OwnBlock);
    }

    /// At the head of a loop in which an instruction is run in another way. What is known of frames holds behind each.
    pub(super) fn enter_broken_loop(&mut self) {
        self.stored = Places::default();
        self.fixnums.clear();
        self.specials.clear();
        self.unboxed.clear();
        self.found.clear();
        self.fresh.clear();
        self.there = 0;
        self.passed.retain(|inst| matches!(inst, Inst::OwnsEnvironment(_)));
    }

    pub(super) fn keep_common(&mut self, other: &State) {
        self.there = self.there.min(other.there);
        let stored = self.stored.0.iter_mut().enumerate();
        stored.for_each(|(place, node)| *node = node.filter(|node| other.stored(place as i32) == Some(*node)));
        self.fixnums.keep(&other.fixnums);
        self.specials.keep(&other.specials);
        self.passed.retain(|inst| other.has_passed(inst));
        self.unboxed.retain(|(node, double)| other.unboxed(*node) == Some(*double));
        self.found.retain(|(inst, node)| other.found(inst) == Some(*node));
    }

    pub(super) fn type_of(&self, graph: &Graph, node: Node) -> Type {
        match graph.value(node).typ {
            Type::Any if self.fixnums.has(node.0 as usize) => Type::Fixnum,
            Type::Any if self.specials.has(node.0 as usize) => Type::Special,
            typ => typ,
        }
    }
}

/// Whether a guard says what a word itself is, which never changes.
fn is_lasting(inst: &Inst) -> bool {
    use Inst::{IsHeap, IsNotHeap, IsSymbol, IsWord, OwnsEnvironment};
    matches!(inst, IsHeap(_) | IsNotHeap(_) | IsSymbol(_) | IsWord(..) | OwnsEnvironment(_))
}
