//! From bytecode to a graph.
//!
//! # How
//! `plan` finds the blocks that can be reached, follows calls that are to be inlined, and puts all in an order; this module goes
//! through them with a [`State`]: what each register of each frame is. `insns` translates instructions. Where ways meet, registers
//! that differ become parameters; the head of a loop has one for each register that the loop writes.
//!
//! A parameter of a loop gets the type that it has at the first entry. If it turns out to be something else on a way back, or an
//! instruction meets what it has no code for, that is noted in [`Guesses`] and all is built anew.
//!
//! # Places
//! Frames overlap: the window of a call becomes the callee's frame. So each register of each inlined frame has a *place*, the
//! number of words from register 0 of the unit's own frame.

mod fresh;
mod insns;
mod plan;
mod state;

use crate::emit::MOST_MADE;
use crate::flow::Flow;
use crate::graph::{
    Around, BlockId, Cause, Edge, End, Exit, ExitId, Form, Frame, Graph, Inner, Inst, Node, Object, Relation, Test,
    Type,
};
use crate::hoist::Loop;
use crate::tables::{Map, Set};
use crate::world::{CodeId, Sample, World};
use crate::{Refusal, Unit};
use insns::Outside;
use plan::{Flows, Inlining, Key, Plan, Written};
use state::State;
use std::rc::Rc;

/// How often a unit is built anew at most.
const MOST_BUILDS: usize = 40;
/// Values of all these builds at most, each of which takes some hundred nanoseconds.
const MOST_VALUES: usize = 6000;
/// In modes that wait, a unit is put off if it has to be built anew and one call has built more than so many: the program stands
/// still meanwhile.
const MOST_VALUES_AT_ONCE: usize = 150;
/// Where registers are alive is found for all of the unit's own code, of which each word takes some hundred nanoseconds.
const MOST_WORDS_OF_CODE: usize = 5000;

/// A frame, or what will be one if an exit is taken: the unit's own is the first.
pub(crate) struct Activation {
    code: CodeId,
    flow: Rc<Flow>,
    base: i32,
    /// The activation that calls, and the word of the call.
    parent: Option<(usize, u32)>,
    /// The literal block that it is called with, and whose.
    block: Option<(CodeId, usize)>,
    /// Of a block: the activation around it.
    home: Option<usize>,
    /// Of a block whose activation around it the unit does not have: where that environment is.
    around: Option<Around>,
    /// Calls from the unit's own to here, which name it from one build to the next.
    path: Path,
    is_block: bool,
}

type Path = Vec<(CodeId, u32)>;

/// How far a unit is whose building was put off.
pub(crate) struct Begun {
    guesses: Guesses,
    inlining: Inlining,
    builds: usize,
    values: usize,
}

impl Begun {
    pub(crate) fn new(makes_all: bool) -> Begun {
        Begun { guesses: Guesses { makes_all, ..Guesses::default() }, inlining: Inlining::More, builds: 0, values: 0 }
    }

    /// Another way to build a unit whose graph, built in this one, has more values alive at once than there is room for: objects that
    /// are not made may have many in their fields, and so may calls that are inlined. `None`: both were tried.
    pub(crate) fn with_less_alive(&self, graph: &Graph) -> Option<Begun> {
        let has_fresh = graph.values.iter().any(|value| value.inst == Inst::Fresh);
        match self.inlining {
            _ if has_fresh && !self.guesses.makes_all => Some(Begun { inlining: self.inlining, ..Begun::new(true) }),
            Inlining::More => Some(Begun { inlining: Inlining::Less, ..Begun::new(false) }),
            Inlining::Less => None,
        }
    }
}

/// What turned out while building.
#[derive(Default)]
struct Guesses {
    /// Parameters of loops that are of several types.
    mixed: Set<(Path, u32, Carried)>,
    /// Instructions that there is no code for with these operands.
    generic: Set<(CodeId, u32)>,
    /// Operators that call nothing, whatever their cells say.
    not_called: Set<(CodeId, u32)>,
    /// Objects that have to be made, by where that is asked for.
    made: Map<Site, Making>,
    makes_all: bool,
}

/// An activation, and the word of an instruction that makes an object.
type Site = (Path, u32);

/// When an object is made that has to be.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Making {
    /// Behind its `initialize`.
    Late,
    /// Before that.
    Early,
}

/// A way into a block that is not built yet.
struct Incoming {
    from: BlockId,
    /// Which of the edges of its end.
    edge: usize,
    state: State,
}

/// What a loop carries from turn to turn as a parameter.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Carried {
    Place(i32),
    /// A variable of an environment that is not in the unit's registers. The loop writes it there all the same, so nothing has to be
    /// written on its ways out.
    Outer {
        of: Inner,
        depth: u16,
        register: u16,
    },
}

/// The head of a loop.
struct Head {
    block: BlockId,
    /// Objects that are not made, as they are before the loop.
    fresh: Vec<Object>,
    /// What is a parameter, with what is assumed of it.
    params: Vec<(Carried, Type)>,
}

struct Builder<'w> {
    world: &'w dyn World,
    graph: Graph,
    plan: Plan,
    /// The unit's own frame may have its environment on the heap: captured variables are read and written there.
    shares_environment: bool,
    guesses: &'w mut Guesses,
    /// Something was noted in the guesses.
    is_stale: bool,
    incoming: Map<Key, Vec<Incoming>>,
    heads: Map<Key, Head>,
    /// Objects that are not made, with where that is asked for.
    fresh: Vec<(Node, Site)>,
    /// Those that have to be made, as it turns out.
    escaping: Set<Node>,
    /// Of keys, what [`Builder::live_places`] found.
    live: Map<Key, Rc<[i32]>>,
    samples: Map<Node, Sample>,
    words: Map<u64, Node>,
    numbers: Map<u64, Node>,
    /// The block, its state, and the instruction at hand.
    block: BlockId,
    state: State,
    activation: usize,
    word: u32,
    /// The exit before the instruction at hand.
    exit: Option<ExitId>,
    /// Parameters of a loop are at hand.
    is_at_head: bool,
}

/// Builds the graph of a unit, as far as it was begun. `None`: the rest is put off.
pub(crate) fn build(world: &dyn World, unit: Unit, begun: &mut Begun) -> Result<Option<Graph>, Refusal> {
    if world.iseq(unit.code).insns.len() > MOST_WORDS_OF_CODE {
        return Err(Refusal::TooLarge);
    }
    let mut flows = Flows::default();
    match build_inlining(world, unit, begun, &mut flows) {
        Err(_) if begun.inlining == Inlining::More => {
            *begun = Begun { inlining: Inlining::Less, ..Begun::new(begun.guesses.makes_all) };
            build_inlining(world, unit, begun, &mut flows)
        }
        found => found,
    }
}

fn build_inlining(
    world: &dyn World,
    unit: Unit,
    begun: &mut Begun,
    flows: &mut Flows,
) -> Result<Option<Graph>, Refusal> {
    let most_values = if begun.inlining == Inlining::More { MOST_VALUES / 2 } else { MOST_VALUES };
    let values_before = begun.values;
    while begun.builds < MOST_BUILDS {
        let plan = plan::plan(world, unit, &begun.guesses, begun.inlining, flows)?;
        if world.layout().is_choosy && !plan.is_worth_it() {
            return Err(Refusal::NoGain);
        }
        let mut builder = Builder::new(world, plan, &mut begun.guesses);
        builder.build(most_values.saturating_sub(begun.values))?;
        begun.builds += 1;
        begun.values += builder.graph.values.len();
        builder.note_escapes();
        if !builder.is_stale {
            return Ok(Some(builder.graph));
        }
        if world.layout().is_choosy && begun.values - values_before > MOST_VALUES_AT_ONCE {
            return Ok(None);
        }
    }
    Err(Refusal::TooLarge)
}

impl<'w> Builder<'w> {
    fn new(world: &'w dyn World, plan: Plan, guesses: &'w mut Guesses) -> Builder<'w> {
        let mut graph = Graph { top: plan.top, ..Graph::default() };
        for _ in 0..plan.block_count {
            graph.new_block();
        }
        let captures = !plan.activations[0].flow.captured.is_empty();
        Builder {
            world,
            graph,
            plan,
            shares_environment: captures && !world.owns_environment(),
            guesses,
            is_stale: false,
            incoming: Map::default(),
            heads: Map::default(),
            fresh: Vec::new(),
            escaping: Set::default(),
            live: Map::default(),
            samples: Map::default(),
            words: Map::default(),
            numbers: Map::default(),
            block: BlockId(0),
            state: State::default(),
            activation: 0,
            word: 0,
            exit: None,
            is_at_head: false,
        }
    }

    fn build(&mut self, most_values: usize) -> Result<(), Refusal> {
        let own = &self.plan.activations[0];
        self.graph.name = String::from_utf8_lossy(self.world.iseq(own.code).name()).into_owned();
        self.enter();
        for key in self.plan.order.clone() {
            if !self.incoming.contains_key(&key) {
                // What leads there is to be built anew.
                continue;
            }
            self.begin(key);
            self.run_block(key)?;
            if self.graph.values.len() > most_values {
                return Err(Refusal::TooLarge);
            }
        }
        Ok(())
    }

    /// The block where the unit begins: everything is in the frame.
    fn enter(&mut self) {
        let entry = self.plan.entry;
        self.block = BlockId(0);
        (self.activation, self.word) = entry;
        self.load_frame(entry.1);
        let own = &self.plan.activations[0];
        let (top, size) = (self.plan.top, i32::from(own.flow.frame_size));
        if top > size {
            self.guard(Inst::Fits(top));
        }
        self.go(0, entry);
        self.graph.block_mut(BlockId(0)).end =
            End::Jump(Edge { to: self.plan.blocks[&entry].before, args: Vec::new() });
    }

    /// Everything is in the unit's own frame, before a word.
    fn load_frame(&mut self, word: u32) {
        let flow = self.plan.activations[0].flow.clone();
        let mut state = State::default();
        // A block that is inlined has self, though nothing else may read it.
        let others = flow.live_at(word).filter(|register| *register != 0);
        for register in std::iter::once(0).chain(others) {
            let place = i32::from(register);
            if self.is_shared(place) {
                continue;
            }
            let node = self.graph.new_value(Inst::Home(place), Type::Any, None);
            self.graph.block_mut(self.block).body.push(node);
            // A temporary may be nothing that can be looked at.
            if register < flow.local_size {
                self.samples.insert(node, self.world.register(register));
            }
            state.set(place, node);
            state.set_stored(place, node);
        }
        self.state = state;
        self.exit = None;
        self.guard_own_environment();
    }

    /// Checks that variables of the unit's own frame are in its registers, if that matters.
    fn guard_own_environment(&mut self) {
        if !self.shares_environment && !self.plan.activations[0].flow.captured.is_empty() {
            self.guard(Inst::OwnsEnvironment(0));
        }
    }

    /// Whether a place is a variable's that is in the environment, not in the frame.
    fn is_shared(&self, place: i32) -> bool {
        self.shares_environment && self.plan.activations[0].flow.captured.has(place as usize)
    }

    // ---- blocks and the ways between them ----

    /// Notes that edge number `edge` of the block at hand leads to a key, with the state as it is.
    fn go(&mut self, edge: usize, to: Key) {
        let incoming = Incoming { from: self.block, edge, state: self.state.clone() };
        self.incoming.entry(to).or_default().push(incoming);
    }

    /// The block at hand goes on at a key. A way back to a loop's head is completed at once.
    fn jump(&mut self, to: Key) {
        if self.heads.contains_key(&to) {
            return self.jump_back(to);
        }
        self.go(0, to);
        let block = self.plan.blocks[&to].before;
        self.graph.block_mut(self.block).end = End::Jump(Edge { to: block, args: Vec::new() });
    }

    /// Branches to two keys. Ways back have a block of their own.
    fn branch(&mut self, key: Key, test: Test, yes: Key, no: Key, polls: bool) {
        if let Some(truth) = self.known_test(test) {
            return self.go_by(truth, yes, no, polls);
        }
        let from = self.block;
        let mut edges = Vec::new();
        let mut splits = Vec::new();
        for (number, to) in [yes, no].into_iter().enumerate() {
            match self.plan.blocks[&key].splits[number] {
                Some(split) => {
                    edges.push(Edge { to: split, args: Vec::new() });
                    splits.push((split, to, polls && number == 0));
                }
                None => {
                    self.go(number, to);
                    edges.push(Edge { to: self.plan.blocks[&to].before, args: Vec::new() });
                }
            }
        }
        let no = edges.pop().expect("two edges");
        let yes = edges.pop().expect("two edges");
        self.graph.block_mut(from).end = End::Branch(test, yes, no);
        let (state, exit) = (self.state.clone(), self.exit);
        for (split, to, polls) in splits {
            (self.block, self.state, self.exit) = (split, state.clone(), exit);
            self.graph.block_mut(split).depth = self.graph.block(from).depth;
            if polls {
                self.guard(Inst::Poll);
            }
            self.jump(to);
        }
    }

    /// What a test of a constant says.
    fn known_test(&self, test: Test) -> Option<bool> {
        let layout = self.world.layout();
        let constant = |node: Node| match self.graph.value(node).inst {
            Inst::Word(bits) => Some(bits),
            _ => None,
        };
        let is_truthy = |bits: u64| bits != layout.nil && bits != layout.false_;
        match test {
            Test::Truthy(node) if self.graph.is_fresh(node) => Some(true),
            Test::Falsy(node) | Test::Is(node, _) if self.graph.is_fresh(node) => Some(false),
            // Nobody else knows it.
            Test::Words(Relation::Equal, one, other) if self.is_any_fresh(one, other) => Some(one == other),
            Test::Words(Relation::NotEqual, one, other) if self.is_any_fresh(one, other) => Some(one != other),
            Test::Truthy(node) => constant(node).map(is_truthy),
            Test::Falsy(node) => constant(node).map(|bits| !is_truthy(bits)),
            Test::Is(node, other) => constant(node).map(|bits| bits == other),
            _ => None,
        }
    }

    /// Goes the first way or the second.
    fn go_by(&mut self, truth: bool, yes: Key, no: Key, polls: bool) {
        if truth && polls {
            self.guard(Inst::Poll);
        }
        self.jump(if truth { yes } else { no });
    }

    fn jump_back(&mut self, to: Key) {
        let head = &self.heads[&to];
        let (block, params) = (head.block, head.params.clone());
        // What changes from turn to turn is made.
        let is_changed = |object: &&Object| self.state.fresh(object.node) != Some(*object);
        let changed: Vec<Node> = head.fresh.iter().filter(is_changed).map(|object| object.node).collect();
        self.escaping.extend(changed);
        // The state is that before the head.
        (self.activation, self.word) = to;
        self.exit = None;
        self.is_at_head = true;
        let args = params.iter().map(|(carried, typ)| self.as_param(to, *carried, *typ)).collect();
        self.is_at_head = false;
        self.exit = None;
        self.graph.block_mut(self.block).end = End::Jump(Edge { to: block, args });
    }

    fn is_any_fresh(&self, one: Node, other: Node) -> bool {
        self.graph.is_fresh(one) || self.graph.is_fresh(other)
    }

    /// What a parameter of a loop becomes on the way back at hand.
    fn as_param(&mut self, head: Key, carried: Carried, typ: Type) -> Node {
        let node = match carried {
            Carried::Place(place) => self.state.get(place).unwrap_or_else(|| self.nil()),
            Carried::Outer { of, depth, register } => self.outer(of, depth, register),
        };
        let found = self.type_of(node);
        match (typ, found) {
            (Type::Any, Type::Double) => self.boxed(node),
            (Type::Fixnum, Type::Any) if self.may_be_fixnum(node) => self.fixnum(node),
            (Type::Double, Type::Any) if self.is_like_double(node) => self.double(node),
            (Type::Any, _) => node,
            _ if typ == found => node,
            _ => {
                let path = self.plan.activations[head.0].path.clone();
                self.guesses.mixed.insert((path, head.1, carried));
                self.is_stale = true;
                if found == Type::Double { self.boxed(node) } else { node }
            }
        }
    }

    /// Makes the state at the beginning of a key's block out of those of the ways to it.
    fn begin(&mut self, key: Key) {
        let incoming = self.incoming.remove(&key).unwrap_or_default();
        let blocks = &self.plan.blocks[&key];
        let (before, block, depth) = (blocks.before, blocks.block, blocks.depth);
        (self.activation, self.word) = key;
        self.exit = None;
        self.block = before;
        self.state = self.merged(before, key, incoming);
        if before != block {
            self.graph.block_mut(before).depth = depth - 1;
            self.begin_loop(key, before, block);
        }
        self.graph.block_mut(block).depth = depth;
    }

    fn merged(&mut self, block: BlockId, key: Key, mut incoming: Vec<Incoming>) -> State {
        if incoming.len() < 2 {
            return incoming.pop().map(|one| one.state).unwrap_or_default();
        }
        let mut state = incoming[0].state.clone();
        let places = self.live_places(key);
        state.keep_places(&places);
        incoming[1..].iter().for_each(|other| state.keep_common(&other.state));
        for place in places.iter().copied() {
            let nodes: Vec<Option<Node>> = incoming.iter().map(|one| one.state.get(place)).collect();
            if nodes.iter().all(|node| *node == nodes[0]) {
                continue;
            }
            let nodes: Option<Vec<Node>> = nodes.into_iter().collect();
            // What some way leaves unset is nothing that is read.
            let Some(nodes) = nodes else {
                state.forget(place);
                continue;
            };
            let types: Vec<Type> =
                nodes.iter().zip(&incoming).map(|(node, one)| one.state.type_of(&self.graph, *node)).collect();
            let typ = if types.iter().all(|typ| *typ == types[0]) { types[0] } else { Type::Any };
            if nodes.iter().zip(&incoming).all(|(node, one)| one.state.stored(place) == Some(*node)) {
                // It is in memory on all ways.
                let home = self.home(place, typ);
                self.copy_sample(nodes[0], home);
                state.set(place, home);
                state.set_stored(place, home);
                continue;
            }
            let param = self.new_param(block, typ);
            self.copy_sample(nodes[0], param);
            for (node, one) in nodes.into_iter().zip(&incoming) {
                let arg = if typ == Type::Any { self.word_in(one.from, node) } else { node };
                self.add_argument(one.from, one.edge, arg);
            }
            state.set(place, param);
        }
        self.merge_fresh(block, &mut state, &incoming);
        state
    }

    /// Fields of objects that are not made become parameters where they differ.
    fn merge_fresh(&mut self, block: BlockId, state: &mut State, incoming: &[Incoming]) {
        incoming[1..].iter().for_each(|other| state.keep_common_fresh(&self.graph, &other.state));
        for object in state.all_fresh().to_vec() {
            for (at, (offset, _)) in object.fields.iter().enumerate() {
                let field = |one: &Incoming| one.state.fresh(object.node).expect("common").fields[at].1;
                let nodes: Vec<Node> = incoming.iter().map(field).collect();
                if nodes.iter().all(|node| *node == nodes[0]) {
                    continue;
                }
                let types = nodes.iter().zip(incoming).map(|(node, one)| one.state.type_of(&self.graph, *node));
                let types: Vec<Type> = types.collect();
                let typ = if types.iter().all(|typ| *typ == types[0]) { types[0] } else { Type::Any };
                let param = self.new_param(block, typ);
                self.copy_sample(nodes[0], param);
                for (node, one) in nodes.into_iter().zip(incoming) {
                    let arg = if typ == Type::Any { self.word_in(one.from, node) } else { node };
                    self.add_argument(one.from, one.edge, arg);
                }
                state.fresh_mut(object.node).expect("common").set(*offset, param);
            }
        }
    }

    /// What lies in a place of the frame.
    fn home(&mut self, place: i32, typ: Type) -> Node {
        let node = self.graph.new_value(Inst::Home(place), typ, None);
        self.graph.block_mut(self.block).body.push(node);
        node
    }

    /// A node as a word at the end of a block.
    fn word_in(&mut self, block: BlockId, node: Node) -> Node {
        if self.graph.value(node).typ != Type::Double {
            return node;
        }
        let boxed = self.graph.new_value(Inst::Boxed(node), Type::Any, None);
        self.graph.block_mut(block).body.push(boxed);
        boxed
    }

    fn new_param(&mut self, block: BlockId, typ: Type) -> Node {
        let param = self.graph.new_value(Inst::Param, typ, None);
        self.graph.block_mut(block).params.push(param);
        param
    }

    fn add_argument(&mut self, from: BlockId, edge: usize, arg: Node) {
        self.graph.block_mut(from).end.edges_mut()[edge].args.push(arg);
    }

    /// The head of a loop: what the loop writes becomes parameters, whose types are those of now, or what is found there now.
    fn begin_loop(&mut self, key: Key, before: BlockId, block: BlockId) {
        let is_unlike = self.world.is_head_unlike(self.plan.activations[key.0].code, key.1);
        self.is_at_head = true;
        let written = self.plan.written[&key].clone();
        let mut params = Vec::new();
        let mut args = Vec::new();
        // Places that keep what they have while other instructions run.
        let mut kept = Vec::new();
        for place in self.live_places(key).iter().copied() {
            let Some(node) = self.state.get(place) else { continue };
            let is_changed = written.runs && self.type_of(node) == Type::Double;
            if !written.has(place) && !is_changed {
                let is_local = self.is_local(key.0, place);
                if written.runs && (is_local || !matches!(self.graph.value(node).inst, Inst::Word(_))) {
                    kept.push((place, node, if is_local { Type::Any } else { self.type_of(node) }));
                }
                continue;
            }
            let (arg, typ) = self.at_first(key, Carried::Place(place), node, is_unlike);
            params.push((Carried::Place(place), typ));
            args.push(arg);
        }
        for carried in self.carried_outer(&written) {
            let Carried::Outer { of, depth, register } = carried else { continue };
            if of == Inner::Block {
                self.check_own_block();
            }
            let node = self.outer(of, depth, register);
            let (arg, typ) = self.at_first(key, carried, node, is_unlike);
            params.push((carried, typ));
            args.push(arg);
        }
        let held: Vec<Node> = self.live_places(key).iter().filter_map(|place| self.state.get(*place)).collect();
        self.state.keep_fresh(&self.graph, &held);
        let exit = self.exit();
        self.is_at_head = false;
        self.exit = None;
        for (place, node, _) in &kept {
            if self.state.stored(*place) != Some(*node) {
                self.add(Inst::Keep(*place, *node), Type::Raw);
            }
        }
        self.graph.block_mut(before).end = End::Jump(Edge { to: block, args: args.clone() });
        if !is_unlike && !written.runs {
            let layout = self.world.layout();
            let array_type = (u64::from(layout.type_mask), u64::from(layout.array_type));
            let array_shape = layout.array_shape;
            self.graph.loops.push(Loop { before, head: block, exit, array_shape, array_type });
        }
        self.block = block;
        if written.runs {
            self.state.enter_broken_loop();
        } else {
            self.state.enter_loop();
        }
        for (place, node, typ) in kept {
            let home = self.home(place, typ);
            self.copy_sample(node, home);
            self.state.set(place, home);
            self.state.set_stored(place, home);
        }
        for ((carried, typ), arg) in params.iter().zip(args) {
            let param = self.new_param(block, *typ);
            self.copy_sample(arg, param);
            match *carried {
                Carried::Place(place) => self.state.set(place, param),
                Carried::Outer { of, depth, register } => {
                    self.state.find(Inst::Outer { of, depth, register }, param);
                }
            }
        }
        self.exit = None;
        let fresh = self.state.all_fresh().to_vec();
        self.heads.insert(key, Head { block, fresh, params });
    }

    /// What a parameter of a loop is at the first entry, and what is assumed of it.
    fn at_first(&mut self, head: Key, carried: Carried, node: Node, is_unlike: bool) -> (Node, Type) {
        let path = self.plan.activations[head.0].path.clone();
        let is_mixed = self.guesses.mixed.contains(&(path, head.1, carried));
        let arg = match self.type_of(node) {
            _ if is_mixed => self.any(node),
            Type::Any if is_unlike => node,
            Type::Any if self.known_sample(node).is_some_and(|s| self.is_fixnum_sample(s)) => self.fixnum(node),
            Type::Any if self.known_sample(node).is_some_and(|s| self.is_float_sample(s)) => self.double(node),
            _ => node,
        };
        let typ = match self.type_of(arg) {
            Type::Special => Type::Any,
            typ if is_mixed && typ != Type::Double => Type::Any,
            typ => typ,
        };
        (arg, typ)
    }

    /// Variables outside of the unit's registers that a loop writes, if nothing else may write them meanwhile.
    fn carried_outer(&self, written: &Written) -> Vec<Carried> {
        if written.runs {
            return Vec::new();
        }
        let mut found = Vec::new();
        for (activation, depth, register) in written.captured.iter().copied() {
            if self.frame_of_variable(activation, depth).is_none()
                && let (Outside::Of(of), depth) = self.outside(activation, depth)
            {
                found.push(Carried::Outer { of, depth, register });
            }
        }
        found.sort_unstable();
        found.dedup();
        found
    }

    // ---- what lives ----

    /// Places that are read from a key on, in any frame.
    fn live_places(&mut self, key: Key) -> Rc<[i32]> {
        if let Some(found) = self.live.get(&key) {
            return found.clone();
        }
        // Self: instructions read it without naming it.
        let mut found = vec![0];
        self.live_in(key.0, key.1, None, &mut found);
        found.retain(|place| !self.is_shared(*place));
        found.sort_unstable();
        found.dedup();
        let found: Rc<[i32]> = found.into();
        self.live.insert(key, found.clone());
        found
    }

    fn live_in(&self, activation: usize, word: u32, result: Option<u16>, found: &mut Vec<i32>) {
        let one = &self.plan.activations[activation];
        let live = one.flow.live_at(word).filter(|register| Some(*register) != result);
        found.extend(live.map(|register| one.base + i32::from(register)));
        if one.parent.is_some() || one.flow.has_children {
            // Self and locals: closures may see the frame.
            found.extend((0..i32::from(one.flow.local_size)).map(|register| one.base + register));
        }
        if let Some((parent, call)) = one.parent {
            let flow = &self.plan.activations[parent].flow;
            let next = flow.behind_call(call);
            self.live_in(parent, next, Some(flow.result_of(call)), found);
        }
    }

    /// Whether a place is a local variable of a frame that is there while an activation runs: closures may change it, and bindings.
    fn is_local(&self, activation: usize, place: i32) -> bool {
        let chain = std::iter::successors(Some(activation), |at| self.plan.activations[*at].parent.map(|(one, _)| one));
        chain
            .map(|at| &self.plan.activations[at])
            .any(|one| (1..i32::from(one.flow.local_size)).contains(&(place - one.base)))
    }

    // ---- exits ----

    /// The exit before the instruction at hand.
    fn exit(&mut self) -> ExitId {
        if let Some(exit) = self.exit {
            return exit;
        }
        let exit = self.exit_for(if self.is_at_head { Cause::Head } else { Cause::Guess });
        self.exit = Some(exit);
        exit
    }

    /// An exit before the instruction at hand.
    fn exit_for(&mut self, cause: Cause) -> ExitId {
        let mut stores = Vec::new();
        for place in self.live_places((self.activation, self.word)).iter().copied() {
            let node = match self.state.get(place) {
                Some(node) if self.state.stored(place) == Some(node) => continue,
                Some(node) => node,
                // Of an inlined frame; those of the unit's own have something in the frame.
                None if place >= self.own_size() => self.nil(),
                None => continue,
            };
            let is_boxed = self.type_of(node) == Type::Double;
            let node = is_boxed.then(|| self.state.found(&Inst::Boxed(node))).flatten().unwrap_or(node);
            stores.push((place, node));
        }
        let objects = self.state.fresh_behind(&self.graph, stores.iter().map(|(_, node)| *node));
        let is_small = |objects: &Vec<Object>| {
            objects.iter().map(|object| 1 + object.fields.len()).sum::<usize>() <= usize::from(MOST_MADE)
        };
        let objects = objects.filter(is_small).unwrap_or_else(|| {
            let fresh = stores.iter().map(|(_, node)| *node).filter(|node| self.graph.is_fresh(*node));
            self.escaping.extend(fresh);
            Vec::new()
        });
        let exit = Exit { frames: self.frames(), stores, objects, cause };
        self.graph.exits.push(exit);
        ExitId(self.graph.exits.len() as u32 - 1)
    }

    fn own_size(&self) -> i32 {
        i32::from(self.plan.activations[0].flow.local_size)
    }

    fn frames(&self) -> Vec<Frame> {
        let mut found = Vec::new();
        let (mut activation, mut word) = (self.activation, self.word);
        let (first, last) = self.plan.region;
        loop {
            let one = &self.plan.activations[activation];
            let base_of = |home: usize| self.plan.activations[home].base;
            found.push(Frame {
                code: one.code,
                base: one.base,
                word,
                block: one.block.map(|(code, home)| (code, base_of(home))),
                parent: one.home.map(base_of).map(Around::Frame).or(one.around),
                is_in_loop: one.parent.is_none()
                    && (first..=last).contains(&word)
                    && one.flow.loop_around(word).is_some(),
                is_there: one.base <= self.state.there(),
            });
            let Some((parent, call)) = one.parent else { break };
            (activation, word) = (parent, call);
        }
        found.reverse();
        found
    }

    // ---- values ----

    fn add(&mut self, inst: Inst, typ: Type) -> Node {
        let node = self.graph.new_value(inst, typ, None);
        self.graph.block_mut(self.block).body.push(node);
        node
    }

    /// An instruction that may exit.
    fn add_checked(&mut self, inst: Inst, typ: Type) -> Node {
        let exit = self.exit();
        let node = self.graph.new_value(inst, typ, Some(exit));
        self.graph.block_mut(self.block).body.push(node);
        node
    }

    /// Checks something, unless it was.
    fn guard(&mut self, inst: Inst) {
        if self.state.has_passed(&inst) || self.is_known_of_fresh(&inst) {
            return;
        }
        if matches!(inst, Inst::Poll | Inst::Fits(_)) {
            let exit = self.exit_for(Cause::Other);
            let node = self.graph.new_value(inst, Type::Raw, Some(exit));
            self.graph.block_mut(self.block).body.push(node);
        } else {
            self.add_checked(inst, Type::Raw);
        }
        if inst != Inst::Poll {
            self.state.pass(inst);
        }
    }

    fn constant(&mut self, bits: u64) -> Node {
        if let Some(node) = self.words.get(&bits) {
            return *node;
        }
        let layout = self.world.layout();
        let typ = match bits {
            _ if bits & 1 == 1 => Type::Fixnum,
            _ if bits & 7 == u64::from(layout.special_tag) => Type::Special,
            _ => Type::Any,
        };
        let node = self.graph.new_value(Inst::Word(bits), typ, None);
        self.samples.insert(node, Sample(bits));
        self.words.insert(bits, node);
        node
    }

    fn number(&mut self, number: f64) -> Node {
        if let Some(node) = self.numbers.get(&number.to_bits()) {
            return *node;
        }
        let node = self.graph.new_value(Inst::Number(number), Type::Double, None);
        self.numbers.insert(number.to_bits(), node);
        node
    }

    fn nil(&mut self) -> Node {
        self.constant(self.world.layout().nil)
    }

    fn type_of(&self, node: Node) -> Type {
        self.state.type_of(&self.graph, node)
    }

    fn boxed(&mut self, node: Node) -> Node {
        if let Inst::Unboxed(word) = self.graph.value(node).inst {
            return word;
        }
        // One that no flonum holds stays one object.
        self.find(Inst::Boxed(node), Type::Any)
    }

    /// A node as a word.
    fn any(&mut self, node: Node) -> Node {
        if self.graph.value(node).typ.form() == Form::Double { self.boxed(node) } else { node }
    }

    /// A node as a fixnum.
    fn fixnum(&mut self, node: Node) -> Node {
        let node = self.any(node);
        if self.type_of(node) != Type::Fixnum {
            self.guard(Inst::IsFixnum(node));
        }
        node
    }

    /// A node as a double; a fixnum becomes the nearest.
    fn double(&mut self, node: Node) -> Node {
        match (self.type_of(node), self.graph.value(node).inst) {
            (Type::Double, _) => node,
            (_, Inst::Word(bits)) if bits & 1 == 1 => self.number(((bits as i64) >> 1) as f64),
            (_, Inst::Boxed(double)) => double,
            (Type::Fixnum, _) => self.add(Inst::ToDouble(node), Type::Double),
            (_, Inst::Word(bits)) => match self.world.float(Sample(bits)) {
                Some(number) => self.number(number),
                None => self.unboxed(node),
            },
            _ => self.unboxed(node),
        }
    }

    /// The double of a word that is to be a Float.
    fn unboxed(&mut self, node: Node) -> Node {
        if let Some(known) = self.state.unboxed(node) {
            return known;
        }
        let double = self.add_checked(Inst::Unboxed(node), Type::Double);
        self.state.set_unboxed(node, double);
        double
    }

    // ---- samples ----

    fn known_sample(&self, node: Node) -> Option<Sample> {
        self.samples.get(&node).copied()
    }

    /// A value like those that a node will be.
    fn sample(&self, node: Node) -> Option<Sample> {
        match self.type_of(node) {
            Type::Fixnum => Some(Sample(1)),
            Type::Double => Some(Sample(self.world.layout().flonum_zero)),
            _ => self.known_sample(node),
        }
    }

    fn copy_sample(&mut self, from: Node, to: Node) {
        if let Some(sample) = self.sample(from) {
            self.samples.insert(to, sample);
        }
    }

    fn is_fixnum_sample(&self, sample: Sample) -> bool {
        sample.0 & 1 == 1
    }

    fn is_float_sample(&self, sample: Sample) -> bool {
        self.world.float(sample).is_some()
    }

    /// Known to be a fixnum, or nothing speaks against it.
    fn may_be_fixnum(&self, node: Node) -> bool {
        !self.graph.is_fresh(node) && self.sample(node).is_none_or(|sample| self.is_fixnum_sample(sample))
    }

    fn is_like_double(&self, node: Node) -> bool {
        self.sample(node).is_some_and(|sample| self.is_float_sample(sample))
    }

    fn is_heap_sample(&self, node: Node) -> bool {
        self.sample(node).is_some_and(|sample| sample.0 & 7 == 0)
    }
}
