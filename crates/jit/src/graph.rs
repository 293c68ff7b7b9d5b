//! The graph: values in SSA form, in blocks with parameters.
//!
//! # Invariants
//! * A value is defined once, by an instruction or as the parameter of a block, before all its uses: [`crate::verify`].
//! * A `Word` is a Ruby value as the interpreter has it. A `Double` is any; as a word it may be a new object. A `Raw` word is a length or an address, and reaches neither frames nor objects.
//! * Blocks stand in an order in which each comes behind its dominators, and a loop's blocks behind its head.

use crate::hoist::Loop;
use crate::world::{CodeId, Epoch};
use carat_iseq::Op;

/// A value, by its number.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct Node(pub(crate) u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug)]
pub(crate) struct BlockId(pub(crate) u32);

#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) struct ExitId(pub(crate) u32);

/// What form a value has.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Form {
    Word,
    Double,
    Raw,
}

/// What is known of a word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Type {
    Any,
    Fixnum,
    /// Neither fixnum nor flonum nor heap object: nil, true, false, a symbol.
    Special,
    Double,
    Raw,
}

impl Type {
    pub(crate) fn form(self) -> Form {
        match self {
            Type::Double => Form::Double,
            Type::Raw => Form::Raw,
            _ => Form::Word,
        }
    }
}

/// Operations on fixnums that may overflow or divide by zero.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Integer {
    Add,
    Subtract,
    Multiply,
    Divide,
    Modulo,
    And,
    Or,
    Xor,
    ShiftRight,
    ShiftLeft,
    /// One more, where that cannot overflow.
    Next,
    /// The smaller or larger one.
    Least,
    Greatest,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Float {
    Add,
    Subtract,
    Multiply,
    Divide,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    NotEqual,
}

/// What a branch asks.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Test {
    /// Of words whose order is that of the numbers.
    Words(Relation, Node, Node),
    Doubles(Relation, Node, Node),
    /// Of an index, which is a fixnum, and a length.
    Within(Node, Node),
    Truthy(Node),
    Falsy(Node),
    /// A word is this one.
    Is(Node, u64),
    /// A heap object is of a shape.
    HasShape(Node, u32),
}

/// What `LeafUnless` does with what is no heap object.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Others {
    /// They are of the shape, or the leaf is asked.
    Ask,
    /// True if they are nil, or false.
    AreNil,
    AreFalsy,
}

/// An instruction. Those that an exit is named for may leave.
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) enum Inst {
    Param,
    Word(u64),
    Number(f64),
    /// The word in a place of the frame, as of the beginning of the block.
    Home(i32),
    IsFixnum(Node),
    /// Neither fixnum nor flonum nor heap object.
    IsSpecial(Node),
    IsNotHeap(Node),
    IsSymbol(Node),
    /// The double of a Float.
    Unboxed(Node),
    IsHeap(Node),
    /// A word is this one.
    IsWord(Node, u64),
    /// It is no hash, whose class may be any.
    IsNoHash(Node),
    /// The header of a heap object, masked, is the key.
    HasHeader {
        object: Node,
        mask: u64,
        key: u64,
    },
    /// A heap object is of a shape.
    HasShape(Node, u32),
    /// The slot is large enough for a field there.
    HasRoom {
        object: Node,
        pool: u32,
    },
    Stands(Epoch),
    /// The frame at a place has its environment on the stack.
    OwnsEnvironment(i32),
    /// Puts a word into a place of the frame. No other instruction does; only ways out do.
    Keep(i32, Node),
    /// A variable of an environment so many levels up.
    Outer {
        of: Inner,
        depth: u16,
        register: u16,
    },
    /// A variable of an environment so many levels around the one at an address.
    Around {
        address: u64,
        depth: u16,
        register: u16,
    },
    /// Stores a word in a variable of an environment so many levels up, unless an environment on the heap has to be noted for it.
    SetOuter {
        of: Inner,
        depth: u16,
        register: u16,
        value: Node,
    },
    /// Nobody asked for a poll.
    Poll,
    /// Registers up to this place lie within the stack.
    Fits(i32),
    Integer(Integer, Node, Node),
    Float(Float, Node, Node),
    ToDouble(Node),
    Compare(Test),
    /// A double as a word.
    Boxed(Node),
    Load {
        object: Node,
        offset: u32,
    },
    /// As `Load`; nil if it is undef.
    Attribute {
        object: Node,
        offset: u32,
    },
    Store {
        object: Node,
        offset: u32,
        value: Node,
        next_shape: u32,
    },
    /// Stores a word in the block of fields of an object.
    StoreBeside {
        object: Node,
        block: Node,
        offset: u32,
        value: Node,
    },
    /// Size of a hash, as a fixnum: what a function says if it is not in the header.
    Size(Node),
    /// Length of an array, as a fixnum.
    Length(Node),
    /// Where its elements begin.
    Elements(Node),
    IsWithin {
        index: Node,
        length: Node,
    },
    Element {
        elements: Node,
        index: Node,
    },
    /// The same, or nil where the array has no such element.
    ElementOrNil {
        elements: Node,
        index: Node,
        length: Node,
    },
    /// How many bytes a string has, as a fixnum.
    Bytes(Node),
    /// A byte of a string, which has so many.
    Byte {
        string: Node,
        index: Node,
    },
    /// The elements of an array are its own, and it is not frozen.
    IsWritable(Node),
    /// What a function of the VM answers that needs no frame; it leaves where that answers nothing.
    Leaf {
        function: u64,
        args: [Node; 3],
        count: u8,
        /// Nothing but its value makes it needed: it has no effect, and always answers.
        is_pure: bool,
        /// It may change what arrays hold.
        has_effects: bool,
    },
    /// The word where the last operand is of a shape, and what a leaf that changes nothing answers otherwise.
    LeafUnless {
        function: u64,
        args: [Node; 2],
        count: u8,
        shape: u32,
        word: u64,
        others: Others,
    },
    /// The word BLOCK of the unit's own frame, which is a method's.
    OwnBlock,
    /// Appends to an object of class Array itself, by itself where the buffer has room, otherwise by a function of the VM: see
    /// `Leaf`.
    Push {
        function: u64,
        array: Node,
        value: Node,
        /// The value is known to be no heap object.
        is_immediate: bool,
    },
    SetElement {
        array: Node,
        elements: Node,
        index: Node,
        value: Node,
    },
    /// An object that is not made: exits make it, see [`Exit::objects`]. No instruction and no edge uses it.
    Fresh,
    /// A new object with a header, whose fields are to be written next.
    Allocate {
        header: u64,
    },
    /// Writes a field of an object that was just allocated.
    Fill {
        object: Node,
        offset: u32,
        value: Node,
    },
}

impl Inst {
    /// Calls `visit` with each operand.
    pub(crate) fn operands(&mut self, visit: &mut dyn FnMut(&mut Node)) {
        match self {
            Inst::Param
            | Inst::Word(_)
            | Inst::Number(_)
            | Inst::Home(_)
            | Inst::Stands(_)
            | Inst::OwnsEnvironment(_)
            | Inst::Outer { .. }
            | Inst::Around { .. }
            | Inst::Poll
            | Inst::Fits(_)
            | Inst::Fresh
            | Inst::OwnBlock
            | Inst::Allocate { .. } => {}
            Inst::IsFixnum(a)
            | Inst::IsSpecial(a)
            | Inst::IsNotHeap(a)
            | Inst::IsSymbol(a)
            | Inst::IsHeap(a)
            | Inst::IsWord(a, _)
            | Inst::IsNoHash(a)
            | Inst::Unboxed(a)
            | Inst::HasShape(a, _)
            | Inst::ToDouble(a)
            | Inst::Boxed(a)
            | Inst::Keep(_, a)
            | Inst::SetOuter { value: a, .. }
            | Inst::Length(a)
            | Inst::Size(a)
            | Inst::Bytes(a)
            | Inst::Elements(a)
            | Inst::IsWritable(a)
            | Inst::HasHeader { object: a, .. }
            | Inst::HasRoom { object: a, .. }
            | Inst::Load { object: a, .. }
            | Inst::Attribute { object: a, .. } => visit(a),
            Inst::Integer(_, a, b)
            | Inst::Float(_, a, b)
            | Inst::IsWithin { index: a, length: b }
            | Inst::Element { elements: a, index: b }
            | Inst::Byte { string: a, index: b }
            | Inst::Push { array: a, value: b, .. }
            | Inst::Store { object: a, value: b, .. }
            | Inst::Fill { object: a, value: b, .. } => {
                visit(a);
                visit(b);
            }
            Inst::Compare(test) => test.operands(visit),
            Inst::ElementOrNil { elements, index, length } => [elements, index, length].into_iter().for_each(visit),
            Inst::StoreBeside { object, block, value, .. } => [object, block, value].into_iter().for_each(visit),
            Inst::Leaf { args, count, .. } => args[..usize::from(*count)].iter_mut().for_each(visit),
            Inst::LeafUnless { args, count, .. } => args[..usize::from(*count)].iter_mut().for_each(visit),
            Inst::SetElement { array, elements, index, value } => {
                [array, elements, index, value].into_iter().for_each(visit);
            }
        }
    }

    /// Whether a leaf is called, or may be.
    pub(crate) fn may_call_leaf(&self) -> bool {
        use Inst::*;
        matches!(self, Leaf { .. } | LeafUnless { .. } | Size(_) | Push { .. } | Allocate { .. })
    }

    /// Whether nothing but its value makes it needed.
    pub(crate) fn is_pure(&self) -> bool {
        matches!(
            self,
            Inst::Param
                | Inst::Word(_)
                | Inst::Number(_)
                | Inst::Home(_)
                | Inst::Outer { .. }
                | Inst::Around { .. }
                | Inst::Float(..)
                | Inst::ToDouble(_)
                | Inst::Compare(_)
                | Inst::Boxed(_)
                | Inst::Load { .. }
                | Inst::Attribute { .. }
                | Inst::Element { .. }
                | Inst::Length(_)
                | Inst::Size(_)
                | Inst::Bytes(_)
                | Inst::ElementOrNil { .. }
                | Inst::Elements(_)
                | Inst::Leaf { is_pure: true, .. }
                | Inst::OwnBlock
                | Inst::Fresh
        )
    }
}

impl Test {
    pub(crate) fn operands(&mut self, visit: &mut dyn FnMut(&mut Node)) {
        match self {
            Test::Words(_, a, b) | Test::Doubles(_, a, b) | Test::Within(a, b) => {
                visit(a);
                visit(b);
            }
            Test::Truthy(a) | Test::Falsy(a) | Test::Is(a, _) | Test::HasShape(a, _) => visit(a),
        }
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Value {
    pub(crate) inst: Inst,
    pub(crate) typ: Type,
    /// Where a guard that fails goes on.
    pub(crate) exit: Option<ExitId>,
}

/// A way to a block, with what its parameters become.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Edge {
    pub(crate) to: BlockId,
    pub(crate) args: Vec<Node>,
}

/// How a block ends.
#[derive(Clone, PartialEq, Debug)]
pub(crate) enum End {
    /// While it is being built.
    Open,
    Jump(Edge),
    Branch(Test, Edge, Edge),
    /// The first way where the test fails.
    BranchUnless(Test, Edge, Edge),
    /// The frame's value.
    Return(Node),
    /// The interpreter goes on.
    Leave(ExitId),
    /// An instruction is run in another way, with everything in the frame as for an exit; then the code goes on. No value
    /// lives across it, constants aside. The second way is that of a branch.
    Run(ExitId, Run, Vec<Edge>),
}

/// An instruction, with those that it runs itself, that has no code in the graph.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Run {
    pub(crate) code: CodeId,
    /// Place of the frame's register 0.
    pub(crate) base: i32,
    pub(crate) word: u32,
    pub(crate) words: u32,
    /// For readers of the graph.
    pub(crate) op: Op,
}

#[derive(Clone, Debug)]
pub(crate) struct Block {
    pub(crate) params: Vec<Node>,
    pub(crate) body: Vec<Node>,
    pub(crate) end: End,
    /// Loops around it.
    pub(crate) depth: u32,
}

/// A frame as an exit pushes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Frame {
    pub(crate) code: CodeId,
    /// Place of its register 0.
    pub(crate) base: i32,
    /// The instruction at hand: for all but the last, the call.
    pub(crate) word: u32,
    pub(crate) block: Option<(CodeId, i32)>,
    /// Of a block's frame: its environment.
    pub(crate) parent: Option<Around>,
    /// Its code is the unit's own, and the unit has a loop around the word: the interpreter, which counts turns, is to come back.
    pub(crate) is_in_loop: bool,
    /// Its words below register 0 are in memory.
    pub(crate) is_there: bool,
}

/// From where levels of environments are counted.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) enum Inner {
    /// The unit's own frame: a block's, or 0 levels up its own environment, which may be on the heap.
    Own,
    /// The block that the unit's own frame was called with.
    Block,
}

/// Where the environment is that is around a block's.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Around {
    /// That of the frame at a place.
    Frame(i32),
    /// The block runs as a method.
    Address(u64),
    /// The unit's own frame was called with the block.
    OfCaller,
}

impl Object {
    pub(crate) fn get(&self, offset: u32) -> Option<Node> {
        self.fields.iter().find(|(known, _)| *known == offset).map(|(_, node)| *node)
    }

    pub(crate) fn set(&mut self, offset: u32, value: Node) {
        match self.fields.iter_mut().find(|(known, _)| *known == offset) {
            Some((_, node)) => *node = value,
            None => self.fields.push((offset, value)),
        }
    }
}

/// How the interpreter goes on.
#[derive(Clone, PartialEq, Debug)]
pub(crate) struct Exit {
    /// The unit's own first. The last one goes on at `word` itself, the others behind their calls.
    pub(crate) frames: Vec<Frame>,
    /// Places of the frame that are to be written.
    pub(crate) stores: Vec<(i32, Node)>,
    /// Objects to be made before that; those that others have in their fields come first.
    pub(crate) objects: Vec<Object>,
    pub(crate) cause: Cause,
}

/// An object that an exit makes.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Object {
    /// The [`Inst::Fresh`] that stands for it.
    pub(crate) node: Node,
    pub(crate) header: u64,
    /// Its fields by their offsets.
    pub(crate) fields: Vec<(u32, Node)>,
}

/// What an exit is for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Cause {
    /// A guard of an instruction. Such exits are counted.
    Guess,
    /// A parameter of a loop is of another type than was guessed. Counted, too.
    Head,
    /// The unit's own frame was called with another block than was guessed. Counted, too.
    Block,
    /// A poll, or the end of what the unit is for.
    Other,
}

/// A unit.
#[derive(Clone, Default, Debug)]
pub struct Graph {
    pub(crate) values: Vec<Value>,
    pub(crate) blocks: Vec<Block>,
    pub(crate) exits: Vec<Exit>,
    /// Loops that may be entered with less to do, those around others first.
    pub(crate) loops: Vec<Loop>,
    /// The place behind all registers of its frames.
    pub(crate) top: i32,
    pub(crate) name: String,
}

impl Graph {
    pub(crate) fn value(&self, node: Node) -> &Value {
        &self.values[node.0 as usize]
    }

    pub(crate) fn block(&self, id: BlockId) -> &Block {
        &self.blocks[id.0 as usize]
    }

    pub(crate) fn block_mut(&mut self, id: BlockId) -> &mut Block {
        &mut self.blocks[id.0 as usize]
    }

    pub(crate) fn exit(&self, id: ExitId) -> &Exit {
        &self.exits[id.0 as usize]
    }

    pub(crate) fn new_value(&mut self, inst: Inst, typ: Type, exit: Option<ExitId>) -> Node {
        self.values.push(Value { inst, typ, exit });
        Node(self.values.len() as u32 - 1)
    }

    pub(crate) fn new_block(&mut self) -> BlockId {
        self.blocks.push(Block { params: Vec::new(), body: Vec::new(), end: End::Open, depth: 0 });
        BlockId(self.blocks.len() as u32 - 1)
    }

    /// Where the form is words, raw or not.
    pub(crate) fn is_double(&self, node: Node) -> bool {
        self.value(node).typ == Type::Double
    }

    /// Blocks that can be reached, in their order.
    pub(crate) fn reachable(&self) -> Vec<BlockId> {
        let mut seen = vec![false; self.blocks.len()];
        let mut work = vec![BlockId(0)];
        while let Some(id) = work.pop() {
            if !std::mem::replace(&mut seen[id.0 as usize], true) {
                work.extend(self.block(id).end.successors());
            }
        }
        (0..self.blocks.len() as u32).map(BlockId).filter(|id| seen[id.0 as usize]).collect()
    }

    /// Nodes that an instruction uses, those of its exit included.
    pub(crate) fn uses(&self, node: Node) -> Vec<Node> {
        let mut found = Vec::new();
        self.visit_uses(node, &mut |used| found.push(used));
        found
    }

    /// Calls `visit` with each of these.
    pub(crate) fn visit_uses(&self, node: Node, visit: &mut dyn FnMut(Node)) {
        let value = self.value(node);
        let mut inst = value.inst;
        inst.operands(&mut |operand| visit(*operand));
        if let Some(exit) = value.exit {
            self.visit_stores(exit, visit);
        }
    }

    /// Calls `visit` with each node that an exit needs.
    pub(crate) fn visit_stores(&self, exit: ExitId, visit: &mut dyn FnMut(Node)) {
        let Exit { stores, objects, .. } = self.exit(exit);
        let fields = objects.iter().flat_map(|object| &object.fields).map(|(_, node)| node);
        let needed = stores.iter().map(|(_, node)| node).chain(fields);
        needed.filter(|node| !self.is_fresh(**node)).for_each(|node| visit(*node));
    }

    pub(crate) fn is_fresh(&self, node: Node) -> bool {
        self.value(node).inst == Inst::Fresh
    }
}

impl End {
    pub(crate) fn edges(&self) -> Vec<&Edge> {
        match self {
            End::Jump(edge) => vec![edge],
            End::Branch(_, yes, no) | End::BranchUnless(_, yes, no) => vec![yes, no],
            End::Run(_, _, edges) => edges.iter().collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn edges_mut(&mut self) -> Vec<&mut Edge> {
        match self {
            End::Jump(edge) => vec![edge],
            End::Branch(_, yes, no) | End::BranchUnless(_, yes, no) => vec![yes, no],
            End::Run(_, _, edges) => edges.iter_mut().collect(),
            _ => Vec::new(),
        }
    }

    pub(crate) fn successors(&self) -> Vec<BlockId> {
        self.edges().iter().map(|edge| edge.to).collect()
    }

    /// Nodes that it uses, edges' and exits' included.
    pub(crate) fn uses(&self, graph: &Graph) -> Vec<Node> {
        let mut found: Vec<Node> = self.edges().iter().flat_map(|edge| edge.args.iter().copied()).collect();
        self.visit_own_uses(graph, &mut |node| found.push(node));
        found
    }

    /// Calls `visit` with those, edges' aside.
    pub(crate) fn visit_own_uses(&self, graph: &Graph, visit: &mut dyn FnMut(Node)) {
        match self {
            End::Branch(test, ..) | End::BranchUnless(test, ..) => {
                let mut test = *test;
                test.operands(&mut |operand| visit(*operand));
            }
            End::Return(node) => visit(*node),
            End::Leave(exit) | End::Run(exit, ..) => graph.visit_stores(*exit, visit),
            End::Open | End::Jump(_) => {}
        }
    }
}
