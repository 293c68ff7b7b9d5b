//! Objects that are not made: what is known of them stands in the state, and exits make them.
//!
//! # How
//! `opt_new` of a class whose `initialize` is inlined, a literal array and a range give a node that has no code, [`Inst::Fresh`]; reading and writing its
//! fields, and asking for its shape, is done while the graph is built. When a graph is finished, each use that is left is one that
//! needs the object: it is noted in [`Guesses::made`](super::Guesses), and all is built anew. So an object is either made by exits
//! alone, or each time.
//!
//! # Invariants
//! * The node of an object stands for one object at each point of the graph: at the head of a loop it is known only if it
//!   was there before.
//! * The fields of an object say nothing of the object itself, also in several steps.
//! * What runs an instruction in another way finds the object in the frame, as behind an exit. Behind it nothing is known of
//!   the node any more.

use super::{Builder, Making, Site};
use crate::graph::{End, Inst, Node, Type};
use crate::world::{Primitive, Sample};

impl Builder<'_> {
    pub(super) fn site(&self, activation: usize, word: u32) -> Site {
        (self.plan.activations[activation].path.clone(), word)
    }

    pub(super) fn making(&self, site: &Site) -> Option<Making> {
        self.guesses.made.get(site).copied().or(self.guesses.makes_all.then_some(Making::Late))
    }

    /// An object that is not made, like a sample as far as anybody looks.
    pub(super) fn new_fresh(&mut self, site: Site, header: u64, sample: Option<Sample>) -> Node {
        let node = self.graph.new_value(Inst::Fresh, Type::Any, None);
        self.fresh.push((node, site));
        sample.into_iter().for_each(|sample| _ = self.samples.insert(node, sample));
        self.state.add_fresh(node, header);
        node
    }

    /// Whether a guard asks for something that an object which is not made has.
    pub(super) fn is_known_of_fresh(&self, inst: &Inst) -> bool {
        let layout = self.world.layout();
        let header = |node: Node| self.state.fresh(node).map(|object| object.header);
        match *inst {
            Inst::IsHeap(node) => header(node).is_some(),
            Inst::HasShape(node, shape) => header(node).is_some_and(|header| (header >> 32) as u32 == shape),
            Inst::HasHeader { object, mask, key } => header(object).is_some_and(|header| header & mask == key),
            Inst::HasRoom { object, pool } => {
                header(object).is_some_and(|header| header as u32 & layout.pool_mask >= pool)
            }
            Inst::IsNoHash(node) => {
                header(node).is_some_and(|header| header as u32 & layout.type_mask != layout.hash_type)
            }
            _ => false,
        }
    }

    /// An array or a range that is made of some values.
    pub(super) fn new_literal(&mut self, site: Site, header: u64, values: &[Node]) -> Node {
        let making = self.making(&site);
        let object = self.new_fresh(site, header, None);
        self.fill_fresh(object, values);
        if making.is_none() {
            return object;
        }
        self.make(object)
    }

    /// Gives such an object its contents: the elements of an array, both ends of a range, the members of a struct.
    pub(super) fn fill_fresh(&mut self, object: Node, values: &[Node]) {
        let first = self.world.layout().embedded_elements as u32;
        for (offset, value) in (first..).step_by(8).zip(values) {
            self.set_field_of_fresh(object, offset, *value, 0);
        }
    }

    fn has_fresh_type(&self, node: Node, kind: u32) -> bool {
        let layout = self.world.layout();
        self.state.fresh(node).is_some_and(|object| object.header as u32 & layout.type_mask == kind)
    }

    /// How many elements an array has that is not made.
    pub(super) fn fresh_length(&self, array: Node) -> Option<usize> {
        let is_array = self.has_fresh_type(array, self.world.layout().array_type);
        is_array.then(|| self.state.fresh(array).map(|object| object.fields.len()))?
    }

    /// Its element at an index, which may be nil's.
    pub(super) fn fresh_element(&mut self, array: Node, index: i64) -> Option<Node> {
        let length = self.fresh_length(array)? as i64;
        let index = if index < 0 { index + length } else { index };
        let offset = i64::from(self.world.layout().embedded_elements) + 8 * index;
        let found = (0..length).contains(&index).then(|| self.field_of_fresh(array, offset as u32));
        Some(found.flatten().unwrap_or_else(|| self.nil()))
    }

    /// What a primitive says of a range that the unit makes or would make, which never changes.
    pub(super) fn part_of_range(&mut self, primitive: Primitive, range: Node) -> Option<Node> {
        let layout = self.world.layout();
        let header = match self.graph.value(range).inst {
            Inst::Allocate { header } => header,
            _ => self.state.fresh(range)?.header,
        };
        if header as u32 & layout.type_mask != layout.range_type {
            return None;
        }
        let part = |at: usize| {
            let offset = layout.range_parts[at] as u32;
            let of_fresh = self.field_of_fresh(range, offset);
            of_fresh.or_else(|| self.state.found(&Inst::Load { object: range, offset }))
        };
        match primitive {
            Primitive::RangeBegin => part(0),
            Primitive::RangeEnd => part(1),
            Primitive::RangeExcludesEnd => {
                let excludes = header as u32 & layout.range_excludes_end != 0;
                Some(self.constant(if excludes { layout.true_ } else { layout.false_ }))
            }
            Primitive::IsUndef | Primitive::Same | Primitive::IsFixnum => None,
        }
    }

    /// What a field of an object holds that is not made.
    pub(super) fn field_of_fresh(&self, object: Node, offset: u32) -> Option<Node> {
        self.state.fresh(object)?.get(offset)
    }

    /// Writes such a field. False if the object is another one.
    pub(super) fn set_field_of_fresh(&mut self, object: Node, offset: u32, value: Node, next_shape: u32) -> bool {
        let is_ring = self.graph.is_fresh(value) && self.leads_to(value, object);
        if is_ring {
            self.escaping.extend([object, value]);
        }
        let value = if is_ring { self.nil() } else { value };
        let Some(fresh) = self.state.fresh_mut(object) else { return false };
        fresh.set(offset, value);
        if next_shape != 0 {
            fresh.header = fresh.header & u64::from(u32::MAX) | u64::from(next_shape) << 32;
        }
        true
    }

    /// Whether an object is another, or has it in its fields, or what these have.
    fn leads_to(&self, from: Node, to: Node) -> bool {
        let fields = || self.state.fresh(from).into_iter().flat_map(|object| &object.fields);
        from == to || fields().any(|(_, field)| self.graph.is_fresh(*field) && self.leads_to(*field, to))
    }

    /// Makes an object here, and those in its fields; gives what takes its place.
    pub(super) fn make(&mut self, node: Node) -> Node {
        let Some(object) = self.state.fresh(node).cloned() else { return node };
        object.fields.iter().for_each(|(_, field)| _ = self.make(*field));
        // What it holds now are objects that were made.
        let Some(object) = self.state.fresh(node).cloned() else { return node };
        let made = self.add(Inst::Allocate { header: object.header }, Type::Any);
        self.copy_sample(node, made);
        self.state.replace_fresh(node, made);
        for (offset, value) in object.fields {
            let value = self.any(value);
            self.add(Inst::Fill { object: made, offset, value }, Type::Raw);
            self.state.find(Inst::Load { object: made, offset }, value);
        }
        self.pass_header(made, object.header);
        made
    }

    /// A heap object is known to have a header, as far as its shape and size go.
    pub(super) fn pass_header(&mut self, object: Node, header: u64) {
        let mask = self.world.layout().field_key;
        self.state.pass(Inst::IsHeap(object));
        self.state.pass(Inst::HasShape(object, (header >> 32) as u32));
        self.state.pass(Inst::HasHeader { object, mask, key: header & mask });
    }

    /// Notes which objects have to be made. The unit is built anew if there are any.
    pub(super) fn note_escapes(&mut self) {
        if self.fresh.is_empty() || self.is_stale {
            return;
        }
        crate::clean::clean(&mut self.graph);
        self.find_escapes();
        let escaping = self.fresh.iter().filter(|(node, _)| self.escaping.contains(node));
        for (_, site) in escaping {
            let next = if self.making(site).is_some() { Making::Early } else { Making::Late };
            self.guesses.made.insert(site.clone(), next);
            self.is_stale = true;
        }
    }

    /// Uses that are left.
    fn find_escapes(&mut self) {
        let graph = &self.graph;
        let mut found = Vec::new();
        let mut visit = |node: Node| {
            if graph.is_fresh(node) {
                found.push(node);
            }
        };
        for id in graph.reachable() {
            let block = graph.block(id);
            for node in &block.body {
                let mut inst = graph.value(*node).inst;
                inst.operands(&mut |operand| visit(*operand));
            }
            block.end.edges().iter().flat_map(|edge| &edge.args).for_each(|arg| visit(*arg));
            match &block.end {
                End::Branch(test, ..) | End::BranchUnless(test, ..) => {
                    let mut test = *test;
                    test.operands(&mut |operand| visit(*operand));
                }
                End::Return(value) => visit(*value),
                End::Open | End::Jump(_) | End::Leave(_) | End::Run(..) => {}
            }
        }
        self.escaping.extend(found);
    }
}
