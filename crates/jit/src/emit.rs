//! Machine code.
//!
//! # Registers
//! rsi = fp of the unit's frame and rdx = ec, as handlers have them. rax, rcx, rdi, xmm0 and xmm1 belong to one instruction. Of
//! the others those that callees keep are saved below the stack pointer: nothing is called meanwhile but the stub for leaves, which
//! goes below all that, and the unit's own routines for exits, which call nothing.

mod exits;

use crate::Unit;
use crate::allocate::{Allocation, DOUBLES_AT, Location, is_constant};
use crate::graph::{
    BlockId, Edge, End, ExitId, Float, Graph, Inner, Inst, Integer, Node, Others, Relation, Run, Test, Type,
};
use crate::tables::Map;
use crate::world::{Call, CodeId, Epoch, Layout, Operand, Plain, Runner, Target, World};
use carat_asm::{Alu, Assembler, Condition as If, Label, Mem, Reg, Sse, Xmm};
use carat_iseq::{Insn, Op};

const RAX: Reg = Reg::RAX;
const RCX: Reg = Reg::RCX;
const RDI: Reg = Reg::RDI;
const FP: Reg = Reg::RSI;
const EC: Reg = Reg::RDX;
const X0: Xmm = Xmm(0);
const X1: Xmm = Xmm(1);

/// Registers for words; callees keep those from [`KEPT`] on.
const WORDS: [Reg; 10] =
    [Reg::R8, Reg::R9, Reg::R10, Reg::R11, Reg::RBX, Reg::RBP, Reg::R12, Reg::R13, Reg::R14, Reg::R15];
pub(crate) const KEPT: u8 = 4;
/// Objects that an exit makes, and their fields; and where these are meanwhile, behind what allocation has above the frames.
pub(crate) const MOST_MADE: u8 = 48;
const MADE_AT: i32 = 80;
/// Words below the stack pointer that nobody touches: the first is a return address while a leaf or a routine for exits runs, the next
/// six are the kept registers, the last is an operand of a leaf. Other values lie above the frames.
const RED_ZONE: u8 = 8;
/// Where the third operand of a leaf is.
const THIRD: i32 = -128;

/// Words in front of a unit's records and of what exits count in: its code, its word, and the one at [`GIVEN_UP`].
pub(crate) const OWN_WORDS: usize = 3;
/// The number of the word in a unit's records that is to become another than 0 when the unit is given up.
pub const GIVEN_UP: usize = 2;

// Words of a frame below its pointer: see the VM's `frame`.
const CODE: i32 = -8;
const ENV: i32 = -16;
const BLOCK: i32 = -24;
const BLOCK_ENV: i32 = -32;
const PARENT: i32 = -40;
const FLAGS: i32 = -48;
const RET_PC: i32 = -56;
const CALLER: i32 = -64;

struct Emitter<'a> {
    a: Assembler,
    graph: &'a Graph,
    allocation: &'a Allocation,
    world: &'a dyn World,
    layout: &'a Layout,
    blocks: Map<BlockId, Label>,
    exits: Map<ExitId, Label>,
    next: Option<BlockId>,
    records_at: u64,
    records: Vec<u64>,
    origins: Vec<(CodeId, u32)>,
    enters: Vec<(usize, Label)>,
    return_words: Vec<ReturnWord>,
    /// Where called runners come back to a unit that was given up, and how far behind the record they are to go on.
    retired: Vec<(Label, i32)>,
    /// Calls that find another method than they are for: the place, the record's number, the caches and the runner's address.
    others: Vec<(Label, usize, u64, u64)>,
    /// Places that calls return to, whose code that seldom runs is still to come.
    returns: Vec<Return>,
    /// Floats that are no flonums: where one is looked at that a word may be, what comes behind, and the exit; and where one is made
    /// of a double, for a node, and what comes behind.
    objects: Vec<(Label, Label, Label)>,
    large: Vec<(Node, Label, Label)>,
    /// Makes words of doubles for exits.
    boxing: Option<Label>,
    /// Where the code begins, and of what that is the beginning.
    entry: Label,
    /// Where exits go that were taken too often: of instructions, of loops' heads, and where another block was given.
    often: [Label; 3],
    begins: Option<CodeId>,
}

/// A place that a call returns to which jumps to the method itself.
///
/// A word stands there for whoever looks at the frame or returns by the interpreter, and the code behind it is for machine code that returns,
/// with the result in rax, the called frame in rsi, and its own address in rdi.
struct Return {
    run: Run,
    /// Where the word leads, and where the record of the call does: the interpreter has stored the result, and runs the caller's frame.
    by_word: Label,
    by_record: Label,
    /// Where the unit goes on, in its own frame.
    then: Label,
    /// Where machine code returns to instead, if the unit was given up.
    given_up: Label,
}

/// The word at such a place.
pub struct ReturnWord {
    /// The offset in the code, and what it is to lead to.
    pub at: usize,
    pub to: Label,
    /// The word of the caller's iseq that it stands for.
    pub stands_for: u32,
}

/// Machine code, to be entered at its first byte as a handler is, and the records of what it leaves to others: see
/// [`Runner`].
pub struct Machine {
    pub assembler: Assembler,
    /// Words for [`World::records`].
    pub records: Vec<u64>,
    /// What each stands for: a word of a code.
    pub origins: Vec<(CodeId, u32)>,
    /// Those that lead into the code, and where.
    pub enters: Vec<(usize, Label)>,
    pub return_words: Vec<ReturnWord>,
    /// The graph's blocks by their numbers, in order, and where they begin.
    pub blocks: Vec<(u32, Label)>,
}

/// The code of a unit, which may be a method's or block's from its beginning.
pub(crate) fn emit(graph: &Graph, allocation: &Allocation, world: &dyn World, unit: Unit) -> Machine {
    let mut a = Assembler::new();
    let order = graph.reachable();
    let blocks = order.iter().map(|id| (*id, a.label())).collect();
    let layout = world.layout();
    let runs = order.iter().filter_map(|id| match &graph.block(*id).end {
        End::Run(_, run, edges) => Some(1 + run.words as usize + 2 * edges.len()),
        _ => None,
    });
    let words = OWN_WORDS + graph.exits.len() + runs.sum::<usize>();
    let entry = a.label();
    a.bind(entry);
    let often = [a.label(), a.label(), a.label()];
    let mut emitter = Emitter {
        a,
        graph,
        allocation,
        world,
        layout,
        blocks,
        exits: Map::default(),
        next: None,
        records_at: world.records(words),
        records: Vec::new(),
        origins: Vec::new(),
        enters: Vec::new(),
        return_words: Vec::new(),
        retired: Vec::new(),
        others: Vec::new(),
        returns: Vec::new(),
        objects: Vec::new(),
        large: Vec::new(),
        boxing: None,
        entry,
        often,
        begins: (unit.word == 0).then_some(unit.code),
    };
    emitter.counters(unit);
    emitter.keep(true);
    for (at, id) in order.iter().enumerate() {
        emitter.next = order.get(at + 1).copied();
        emitter.block(*id);
    }
    emitter.finish_unboxed();
    emitter.finish_boxed();
    emitter.a.cut();
    emitter.finish_exits();
    emitter.finish_boxing();
    emitter.finish_often();
    emitter.finish_retired();
    emitter.finish_others();
    emitter.finish_returns();
    let Emitter { a, records, origins, enters, return_words, blocks, .. } = emitter;
    let blocks = order.iter().map(|id| (id.0, blocks[id])).collect();
    Machine { assembler: a, records, origins, enters, return_words, blocks }
}

impl Emitter<'_> {
    /// The unit's own words, and those that exits count in.
    fn counters(&mut self, unit: Unit) {
        let own: [u64; OWN_WORDS] = [unit.code.0, unit.word.into(), 0];
        for word in own {
            self.record_word(unit.code, unit.word, word);
        }
        for _ in &self.graph.exits {
            self.record_word(unit.code, unit.word, u64::from(self.layout.most_exits));
        }
    }

    /// Saves what callees keep, or takes it back.
    fn keep(&mut self, saves: bool) {
        for number in KEPT..self.allocation.registers_used {
            let place = Mem::at(Reg::RSP, -8 * (i32::from(number - KEPT) + 2));
            let register = WORDS[usize::from(number)];
            if saves { self.a.store(place, register) } else { self.a.load(register, place) }
        }
    }

    // ---- operands ----

    fn location(&self, node: Node) -> Option<Location> {
        self.allocation.locations.get(&node).copied()
    }

    fn memory(&self, location: Location) -> Mem {
        match location {
            Location::Frame(place) => Mem::at(FP, place * 8),
            Location::Spilled(number) if number < RED_ZONE => Mem::at(Reg::RSP, -8 * (i32::from(number) + 8)),
            Location::Spilled(number) => Mem::at(FP, 8 * (self.graph.top + i32::from(number - RED_ZONE))),
            Location::Register(_) | Location::Xmm(_) => unreachable!("no memory"),
        }
    }

    /// The register that a word is in, or `scratch`, filled with it.
    fn word(&mut self, node: Node, scratch: Reg) -> Reg {
        if let Some(Location::Register(number)) = self.location(node) {
            return WORDS[usize::from(number)];
        }
        self.load_word(scratch, node);
        scratch
    }

    fn load_word(&mut self, to: Reg, node: Node) {
        match self.graph.value(node).inst {
            Inst::Word(bits) => return self.a.mov_imm(to, bits),
            Inst::Number(_) => unreachable!("a double for a word"),
            _ => {}
        }
        match self.location(node).expect("a value that is used has a place") {
            Location::Register(number) => self.a.mov(to, WORDS[usize::from(number)]),
            place => self.a.load(to, self.memory(place)),
        }
    }

    fn small(&self, node: Node) -> Option<i32> {
        match self.graph.value(node).inst {
            Inst::Word(bits) => i32::try_from(bits as i64).ok(),
            _ => None,
        }
    }

    fn alu(&mut self, op: Alu, to: Reg, node: Node) {
        if let Some(small) = self.small(node) {
            return self.a.alu_imm(op, to, small);
        }
        let from = self.word(node, RDI);
        self.a.alu(op, to, from);
    }

    fn compare(&mut self, one: Node, other: Node) {
        let one = self.word(one, RAX);
        self.alu(Alu::Cmp, one, other);
    }

    fn xmm(&mut self, node: Node, scratch: Xmm) -> Xmm {
        if let Inst::Number(number) = self.graph.value(node).inst {
            self.a.mov_imm(RAX, number.to_bits());
            self.a.double_of_bits(scratch, RAX);
            return scratch;
        }
        match self.location(node) {
            Some(Location::Xmm(number)) => Xmm(number),
            _ => unreachable!("a double has a register"),
        }
    }

    /// Where a value may be made: its own register, if it has one. What the instruction still reads may be there.
    fn target(&self, node: Node) -> Reg {
        match self.location(node) {
            Some(Location::Register(number)) => WORDS[usize::from(number)],
            _ => RAX,
        }
    }

    /// Puts a word where a value is to be.
    fn define(&mut self, node: Node, from: Reg) {
        match self.location(node) {
            Some(Location::Register(number)) if WORDS[usize::from(number)] == from => {}
            Some(Location::Register(number)) => self.a.mov(WORDS[usize::from(number)], from),
            Some(place) => self.a.store(self.memory(place), from),
            None => {}
        }
    }

    fn define_double(&mut self, node: Node, from: Xmm) {
        if let Some(Location::Xmm(number)) = self.location(node) {
            self.a.move_double(Xmm(number), from);
        }
    }

    // ---- blocks ----

    fn block(&mut self, id: BlockId) {
        let label = self.blocks[&id];
        self.a.bind(label);
        let graph = self.graph;
        let block = graph.block(id);
        let mut body = block.body.iter().copied().peekable();
        while let Some(node) = body.next() {
            let next = body.peek().map(|next| (*next, graph.value(*next).inst));
            match (graph.value(node).inst, next) {
                // One look at how an array is stored is enough for both.
                (Inst::Length(array), Some((elements, Inst::Elements(other)))) if other == array => {
                    self.contents(node, elements, array);
                    body.next();
                }
                _ => self.inst(node),
            }
        }
        match &block.end {
            End::Open => unreachable!("a block without end"),
            End::Jump(edge) => self.go(edge),
            End::Branch(test, yes, no) => self.branch(*test, true, yes, no),
            End::BranchUnless(test, yes, no) => self.branch(*test, false, yes, no),
            End::Return(value) => self.leave(*value),
            End::Leave(exit) => {
                let exit = self.exit(*exit);
                self.a.jump(exit);
            }
            End::Run(exit, run, edges) => self.run(*exit, *run, edges),
        }
    }

    fn go(&mut self, edge: &Edge) {
        self.moves(edge);
        if self.next != Some(edge.to) {
            let label = self.blocks[&edge.to];
            self.a.jump(label);
        }
    }

    fn branch(&mut self, test: Test, truth: bool, yes: &Edge, no: &Edge) {
        if yes.args.is_empty() && self.next != Some(yes.to) {
            let label = self.blocks[&yes.to];
            self.test(test, truth, label);
            return self.go(no);
        }
        if no.args.is_empty() {
            let label = self.blocks[&no.to];
            self.test(test, !truth, label);
            return self.go(yes);
        }
        let other = self.a.label();
        self.test(test, !truth, other);
        self.moves(yes);
        let label = self.blocks[&yes.to];
        self.a.jump(label);
        self.a.bind(other);
        self.go(no);
    }

    /// Jumps where a test says `truth`.
    fn test(&mut self, test: Test, truth: bool, to: Label) {
        let (condition, label) = match test {
            Test::Words(relation, one, other) => {
                self.compare(one, other);
                (condition_of(relation), to)
            }
            Test::Doubles(relation, one, other) => return self.test_doubles(relation, one, other, truth, to),
            Test::Within(index, length) => {
                self.compare(index, length);
                (If::Below, to)
            }
            Test::Truthy(node) | Test::Falsy(node) => {
                self.load_word(RAX, node);
                let difference = self.layout.nil ^ self.layout.false_;
                self.a.alu_imm(Alu::And, RAX, !(difference as i32));
                self.a.alu_imm(Alu::Cmp, RAX, self.layout.nil as i32);
                (if matches!(test, Test::Truthy(_)) { If::NotEqual } else { If::Equal }, to)
            }
            Test::HasShape(node, shape) => {
                let object = self.word(node, RAX);
                self.a.alu_at32(Alu::Cmp, Mem::at(object, 4), shape as i32);
                (If::Equal, to)
            }
            Test::Is(node, bits) => {
                let word = self.word(node, RAX);
                self.a.mov_imm(RCX, bits);
                self.a.alu(Alu::Cmp, word, RCX);
                (If::Equal, to)
            }
        };
        self.a.jump_if(if truth { condition } else { condition.negated() }, label);
    }

    fn test_doubles(&mut self, relation: Relation, one: Node, other: Node, truth: bool, to: Label) {
        let (one, other) = (self.xmm(one, X0), self.xmm(other, X1));
        let condition = match relation {
            Relation::Less | Relation::LessOrEqual => {
                self.a.compare_xmm(other, one);
                if relation == Relation::Less { If::Above } else { If::AboveOrEqual }
            }
            Relation::Greater | Relation::GreaterOrEqual => {
                self.a.compare_xmm(one, other);
                if relation == Relation::Greater { If::Above } else { If::AboveOrEqual }
            }
            Relation::Equal | Relation::NotEqual => {
                self.a.compare_xmm(one, other);
                // A NaN is equal to nothing.
                let is_equal = truth == (relation == Relation::Equal);
                let done = self.a.label();
                self.a.jump_if(If::Parity, if is_equal { done } else { to });
                self.a.jump_if(if is_equal { If::Equal } else { If::NotEqual }, to);
                return self.a.bind(done);
            }
        };
        self.a.jump_if(if truth { condition } else { condition.negated() }, to);
    }

    // ---- moves ----

    fn moves(&mut self, edge: &Edge) {
        let graph = self.graph;
        let params = &graph.block(edge.to).params;
        let mut words = Vec::new();
        let mut doubles = Vec::new();
        for (param, arg) in params.iter().zip(&edge.args) {
            let Some(to) = self.location(*param) else { continue };
            if graph.is_double(*param) { doubles.push((to, *arg)) } else { words.push((to, *arg)) }
        }
        self.move_all(words);
        self.move_all(doubles);
    }

    /// Does moves as if at once.
    fn move_all(&mut self, moves: Vec<(Location, Node)>) {
        let source = |emitter: &Self, node: Node| match is_constant(emitter.graph, node) {
            true => None,
            false => emitter.location(node),
        };
        let mut constants = Vec::new();
        // Sources: a place, or what was saved of one.
        let mut left: Vec<(Location, Option<Location>)> = Vec::new();
        for (to, node) in moves {
            match source(self, node) {
                Some(from) if from == to => {}
                Some(from) => left.push((to, Some(from))),
                None => constants.push((to, node)),
            }
        }
        while !left.is_empty() {
            let is_free = |to: Location| !left.iter().any(|(_, from)| *from == Some(to));
            match left.iter().position(|(to, _)| is_free(*to)) {
                Some(at) => {
                    let (to, from) = left.swap_remove(at);
                    self.move_one(to, from);
                }
                None => {
                    let to = left[0].0;
                    self.save(to);
                    left.iter_mut().filter(|(_, from)| *from == Some(to)).for_each(|(_, from)| *from = None);
                }
            }
        }
        for (to, node) in constants {
            match to {
                Location::Xmm(number) => {
                    let from = self.xmm(node, X0);
                    self.a.move_double(Xmm(number), from);
                }
                Location::Register(number) => self.load_word(WORDS[usize::from(number)], node),
                place => {
                    self.load_word(RAX, node);
                    self.a.store(self.memory(place), RAX);
                }
            }
        }
    }

    /// Into rcx or xmm1.
    fn save(&mut self, from: Location) {
        match from {
            Location::Register(number) => self.a.mov(RCX, WORDS[usize::from(number)]),
            Location::Xmm(number) => self.a.move_double(X1, Xmm(number)),
            place => self.a.load(RCX, self.memory(place)),
        }
    }

    fn move_one(&mut self, to: Location, from: Option<Location>) {
        if let Location::Xmm(number) = to {
            let from = if let Some(Location::Xmm(from)) = from { Xmm(from) } else { X1 };
            return self.a.move_double(Xmm(number), from);
        }
        let register = match from {
            None => RCX,
            Some(Location::Register(number)) => WORDS[usize::from(number)],
            Some(place) => {
                self.a.load(RAX, self.memory(place));
                RAX
            }
        };
        match to {
            Location::Register(number) => self.a.mov(WORDS[usize::from(number)], register),
            place => self.a.store(self.memory(place), register),
        }
    }

    /// fp = the frame at a place.
    fn running_frame(&mut self, base: i32) {
        if base != 0 {
            self.a.lea(FP, Mem::at(FP, base * 8));
        }
    }

    // ---- what is run in another way ----

    fn run(&mut self, exit: ExitId, run: Run, edges: &[Edge]) {
        let (record, ways) = self.record(run, edges.len());
        self.write_frames(exit);
        self.keep(false);
        self.running_frame(run.base);
        let runner = self.world.runner(run.code, run.word);
        if let (Runner::Jump { address }, Some((call, callee)), [edge]) = (runner, self.direct(run), edges) {
            let behind = self.a.label();
            self.call_directly(run, record, address, call, callee, behind);
            self.returns_here(run, ways[0], behind);
            return self.come_back(edge);
        }
        self.a.mov_imm(RCX, self.world.caches(run.code));
        self.a.mov_imm(RDI, self.records_at + 8 * record as u64);
        match runner {
            Runner::Jump { address } => self.a.jump_out(address as usize),
            Runner::Call { address, operands, has_result } => {
                for (register, operand) in [RAX, Reg::R9].into_iter().zip(operands) {
                    match operand {
                        Operand::None => {}
                        Operand::Register(from) => self.a.load(register, Mem::at(FP, i32::from(from) * 8)),
                        Operand::Word(bits) => self.a.mov_imm(register, bits),
                    }
                }
                self.a.call_out(address as usize);
                if has_result {
                    let to = self.world.iseq(run.code).insns[run.word as usize].a;
                    self.a.store(Mem::at(FP, i32::from(to) * 8), RAX);
                }
                let (retired, behind) = (self.a.label(), 8 * run.words as i32);
                self.a.cmp_at8(Mem::at(RDI, behind + 1), 0);
                self.a.jump_if(If::NotEqual, retired);
                self.retired.push((retired, behind));
            }
        }
        for (number, (edge, way)) in edges.iter().zip(ways).enumerate() {
            let enter = self.a.label();
            self.a.bind(enter);
            self.enters.push((way, enter));
            self.running_frame(-run.base);
            if number + 1 < edges.len() {
                self.keep(true);
                let label = self.blocks[&edge.to];
                self.a.jump(label);
            } else {
                self.come_back(edge);
            }
        }
    }

    /// Goes on with the last of what comes behind something that was run in another way, in the unit's frame.
    fn come_back(&mut self, edge: &Edge) {
        self.keep(true);
        if self.next != Some(edge.to) {
            let label = self.blocks[&edge.to];
            self.a.jump(label);
        }
    }

    /// The place that a call returns to, for which the record has the word `way`, too.
    fn returns_here(&mut self, run: Run, way: usize, behind: Label) {
        let [by_word, by_record, then, given_up] = std::array::from_fn(|_| self.a.label());
        let insn = self.world.iseq(run.code).insns[run.word as usize];
        self.a.align(8);
        self.a.data(bits_of(insn));
        let at = self.a.position();
        self.a.bind_at(behind, at + usize::from(self.layout.code_behind));
        self.return_words.push(ReturnWord { at, to: by_word, stands_for: run.word + run.words });
        self.a.data(0);
        self.leave_if_given_up(given_up);
        self.give_result(insn, run.base);
        self.a.bind(then);
        self.enters.push((way, by_record));
        self.returns.push(Return { run, by_word, by_record, then, given_up });
    }

    /// Goes on at a label if the unit was given up.
    fn leave_if_given_up(&mut self, label: Label) {
        self.a.mov_imm(RCX, self.records_at + 8 * GIVEN_UP as u64);
        self.a.cmp_at8(Mem::at(RCX, 0), 0);
        self.a.jump_if(If::NotEqual, label);
    }

    /// Stores rax as the result of a call, and has fp go from the called frame to the one that lies so many words below the caller's.
    fn give_result(&mut self, call: Insn, below: i32) {
        let window = i32::from(call.b);
        self.a.store(Mem::at(FP, (i32::from(call.a) - window) * 8), RAX);
        self.a.lea(FP, Mem::at(FP, (-window - below) * 8));
    }

    fn finish_returns(&mut self) {
        for Return { run, by_word, by_record, then, given_up } in std::mem::take(&mut self.returns) {
            let insn = self.world.iseq(run.code).insns[run.word as usize];
            let interpret = self.a.label();
            self.a.bind(by_word);
            self.leave_if_given_up(interpret);
            self.a.bind(by_record);
            self.running_frame(-run.base);
            self.a.jump(then);
            self.a.bind(given_up);
            self.give_result(insn, 0);
            self.a.alu_imm(Alu::Sub, RDI, 8);
            self.a.bind(interpret);
            self.a.mov_imm(RCX, self.world.caches(run.code));
            self.a.jump_out(self.layout.leave_compiled as usize);
        }
    }

    /// The method that a call leads to, if its cell names one in Ruby.
    fn direct(&self, run: Run) -> Option<(Call, CodeId)> {
        let insn = self.world.iseq(run.code).insns[run.word as usize];
        if !matches!(insn.op, Op::send_simple | Op::send_self) {
            return None;
        }
        let call = self.world.call(run.code, insn.c)?;
        match call.target {
            Target::Method(Plain { code, word: 0, undef: None, around: None, .. }) => Some((call, code)),
            _ => None,
        }
    }

    /// Compares a counter with what it was. rdi changes.
    fn compare_epoch(&mut self, epoch: Epoch) {
        let (address, value) = (epoch.address, epoch.value as i32);
        if self.layout.near.contains(&address) {
            return self.a.cmp_outside32(address as usize, value);
        }
        self.a.mov_imm(RDI, address);
        self.a.alu_at32(Alu::Cmp, Mem::at(RDI, 0), value);
    }

    /// Pushes the frame of a method and goes there, with the receiver in rax. Where that is of another shape, the name means something else or the
    /// stack is full, the stub at an address does what is to be done.
    fn call_directly(&mut self, run: Run, record: usize, address: u64, call: Call, callee: CodeId, behind: Label) {
        let other = self.a.label();
        let insn = self.world.iseq(run.code).insns[run.word as usize];
        let iseq = self.world.iseq(callee);
        let (frame_size, local_size) = (i32::from(iseq.frame_size), i32::from(iseq.local_size));
        let window = i32::from(insn.b) * 8;
        self.others.push((other, record, self.world.caches(run.code), address));
        match insn.op {
            Op::send_self => {
                self.a.load(RAX, Mem::at(FP, 0));
                self.a.store(Mem::at(FP, window), RAX);
            }
            _ => self.a.load(RAX, Mem::at(FP, window)),
        }
        self.a.test8(RAX, 7);
        self.a.jump_if(If::NotEqual, other);
        self.a.alu_at32(Alu::Cmp, Mem::at(RAX, 4), call.shape as i32);
        self.a.jump_if(If::NotEqual, other);
        self.compare_epoch(call.epoch);
        self.a.jump_if(If::NotEqual, other);
        self.a.lea(RDI, Mem::at(FP, window + frame_size * 8));
        self.a.alu_load(Alu::Cmp, RDI, Mem::at(EC, self.layout.limit));
        self.a.jump_if(If::Above, other);
        self.a.mov(RCX, FP);
        self.a.lea(FP, Mem::at(FP, window));
        self.a.store(Mem::at(FP, CALLER), RCX);
        self.a.store(Mem::at(FP, ENV), FP);
        self.a.clear_double(X0);
        self.a.store_pair(Mem::at(FP, BLOCK_ENV), X0);
        self.a.mov_imm(RDI, callee.0);
        self.a.store(Mem::at(FP, CODE), RDI);
        self.a.lea_label(RDI, behind);
        self.a.store(Mem::at(FP, RET_PC), RDI);
        for register in 1 + i32::from(insn.n)..local_size {
            self.a.store_imm(Mem::at(FP, register * 8), self.layout.nil as i32);
        }
        if self.begins == Some(callee) {
            return self.a.jump(self.entry);
        }
        self.a.mov_imm(RCX, self.world.caches(callee));
        if let Some(entry) = self.world.entry(callee) {
            return self.a.jump_out(entry as usize);
        }
        let interpret = self.a.label();
        self.a.mov_imm(RAX, self.world.start(callee));
        self.a.load(RDI, Mem::at(RAX, 0));
        self.a.load(RAX, Mem::at(RDI, 0));
        self.a.cmp8(RAX, self.layout.enter_compiled);
        self.a.jump_short_if(If::NotEqual, interpret);
        self.a.shr(RAX, self.layout.address_shift);
        self.a.jump_to(RAX);
        self.a.bind(interpret);
        self.a.movzx8(RAX, RAX);
        self.a.jump_through(Mem::word(EC, RAX, self.layout.handlers));
    }

    fn finish_others(&mut self) {
        for (label, record, caches, address) in std::mem::take(&mut self.others) {
            self.a.bind(label);
            self.a.mov_imm(RCX, caches);
            self.a.mov_imm(RDI, self.records_at + 8 * record as u64);
            self.a.jump_out(address as usize);
        }
    }

    /// Makes the record of an instruction. Its number, and those of the words that lead back: to what comes next, and to the
    /// target of a branch. A branch backwards stays one, so that its handler polls.
    fn record(&mut self, run: Run, ways: usize) -> (usize, Vec<usize>) {
        let iseq = self.world.iseq(run.code);
        let insns = &iseq.insns[run.word as usize..(run.word + run.words) as usize];
        let last = run.word + run.words - 1;
        let target = (ways == 2).then(|| (i64::from(last) + 1 + i64::from(iseq.insns[last as usize].d())) as u32);
        let behind = run.word + run.words;
        let mut ways = Vec::new();
        if let Some(target) = target.filter(|target| *target <= run.word) {
            ways.push(self.way(run.code, target));
        }
        self.record_word(run.code, run.word, self.world.in_front(run.code, run.word));
        let record = self.records.len();
        for (at, insn) in insns.iter().enumerate() {
            self.record_word(run.code, run.word + at as u32, bits_of(*insn));
        }
        ways.insert(0, self.way(run.code, behind));
        if let Some(target) = target {
            if target > run.word {
                ways.push(self.way(run.code, target));
            }
            let mut branch = iseq.insns[last as usize];
            branch.set_d(ways[1] as i32 - ways[0] as i32);
            self.records[ways[0] - 1] = bits_of(branch);
        }
        (record, ways)
    }

    /// A word that leads back into the unit, and the caches that whatever returns there finds behind it.
    fn way(&mut self, code: CodeId, word: u32) -> usize {
        let way = self.record_word(code, word, 0);
        self.record_word(code, word, self.world.caches(code));
        way
    }

    fn record_word(&mut self, code: CodeId, word: u32, bits: u64) -> usize {
        self.records.push(bits);
        self.origins.push((code, word));
        self.records.len() - 1
    }

    /// Called runners come back to a unit that was given up meanwhile: the interpreter goes on.
    fn finish_retired(&mut self) {
        for (label, behind) in std::mem::take(&mut self.retired) {
            self.a.bind(label);
            self.a.lea(RDI, Mem::at(RDI, behind));
            self.a.jump_out(self.layout.leave_compiled as usize);
        }
    }

    /// rax = the environment of a frame: an inlined one's is where the frame is.
    fn environment(&mut self, base: i32) {
        if base == 0 { self.a.load(RAX, Mem::at(FP, ENV)) } else { self.a.lea(RAX, Mem::at(FP, base * 8)) }
    }

    fn leave(&mut self, value: Node) {
        let interpret = self.a.label();
        self.load_word(RAX, value);
        self.keep(false);
        let [plain, to_code] = std::array::from_fn(|_| self.a.label());
        self.a.load(RDI, Mem::at(FP, RET_PC));
        self.a.test8(RDI, self.layout.code_behind);
        self.a.jump_if(If::NotEqual, to_code);
        self.a.bind(plain);
        self.a.load(FP, Mem::at(FP, CALLER));
        // The word before names the register for the result.
        self.a.load16(Reg::R9, Mem::at(RDI, -6));
        self.a.store(Mem::word(FP, Reg::R9, 0), RAX);
        self.a.load(RAX, Mem::at(RDI, 0));
        self.a.cmp8(RAX, self.layout.enter_compiled);
        self.a.jump_if(If::NotEqual, interpret);
        // Somebody else may have redefined an operator.
        self.a.cmp_at8(Mem::at(EC, self.layout.is_compiled_off), 0);
        self.a.jump_if(If::NotEqual, interpret);
        // The caches lie behind what leads into machine code.
        self.a.load(RCX, Mem::at(RDI, 8));
        self.a.shr(RAX, self.layout.address_shift);
        self.a.jump_to(RAX);
        self.a.bind(interpret);
        self.a.load(RCX, Mem::at(FP, CODE));
        self.a.load(RCX, Mem::at(RCX, self.layout.code_caches));
        self.a.movzx8(RAX, RAX);
        self.a.jump_through(Mem::word(EC, RAX, self.layout.handlers));
        self.a.bind(to_code);
        self.a.alu_imm(Alu::Sub, RDI, i32::from(self.layout.code_behind));
        self.a.cmp_at8(Mem::at(EC, self.layout.is_compiled_off), 0);
        self.a.jump_if(If::NotEqual, plain);
        self.a.alu_imm(Alu::Add, RDI, 8);
        self.a.jump_to(RDI);
    }

    /// One guard in so many fails, for tests.
    fn fail_some(&mut self, exit: Label) {
        let period = self.layout.failing_period;
        if period == 0 {
            return;
        }
        let go = self.a.label();
        let count = Mem::at(EC, self.layout.exits);
        self.a.alu_at32(Alu::Sub, count, 1);
        self.a.jump_if(If::NoSign, go);
        self.a.store_imm32(count, period.min(i32::MAX as u32) as i32 - 1);
        self.a.jump(exit);
        self.a.bind(go);
    }

    // ---- instructions ----

    fn inst(&mut self, node: Node) {
        let value = self.graph.value(node);
        let exit = value.exit.map(|exit| self.exit(exit));
        if let Some(exit) = exit {
            self.fail_some(exit);
        }
        let checked = || exit.expect("a guard has an exit");
        match value.inst {
            Inst::Param | Inst::Word(_) | Inst::Number(_) => {}
            Inst::Home(place) => {
                // A value that has memory of its own has it because its place in the frame is written meanwhile.
                match self.location(node) {
                    Some(Location::Register(number)) => {
                        self.a.load(WORDS[usize::from(number)], Mem::at(FP, place * 8));
                    }
                    Some(Location::Spilled(_)) => {
                        self.a.load(RAX, Mem::at(FP, place * 8));
                        self.define(node, RAX);
                    }
                    _ => {}
                }
            }
            Inst::Fresh => unreachable!("no code is for what is not made"),
            Inst::Allocate { header } => {
                self.a.mov_imm(RDI, header);
                self.call_leaf(node, self.layout.allocate);
                self.define(node, RAX);
            }
            Inst::Fill { object, offset, value } => {
                let object = self.word(object, RAX);
                let value = self.word(value, RCX);
                self.a.store(Mem::at(object, offset as i32), value);
            }
            Inst::IsFixnum(a) => {
                let word = self.word(a, RAX);
                self.a.test8(word, 1);
                self.a.jump_if(If::Equal, checked());
            }
            Inst::IsSpecial(a) => {
                self.load_word(RAX, a);
                self.a.alu_imm32(Alu::And, RAX, 7);
                self.a.alu_imm32(Alu::Cmp, RAX, i32::from(self.layout.special_tag));
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::IsNotHeap(a) => {
                let word = self.word(a, RAX);
                self.a.test8(word, 7);
                self.a.jump_if(If::Equal, checked());
            }
            Inst::IsSymbol(a) => {
                self.load_word(RAX, a);
                self.a.cmp8(RAX, self.layout.symbol_tag);
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::Unboxed(a) => self.unbox(node, a, checked()),
            Inst::IsHeap(a) => {
                let word = self.word(a, RAX);
                self.a.test8(word, 7);
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::IsWord(a, bits) => {
                let word = self.word(a, RAX);
                self.a.mov_imm(RCX, bits);
                self.a.alu(Alu::Cmp, word, RCX);
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::IsNoHash(a) => {
                let other = self.a.label();
                let word = self.word(a, RAX);
                self.a.test8(word, 7);
                self.a.jump_short_if(If::NotEqual, other);
                self.a.load32(RCX, Mem::at(word, 0));
                self.a.alu_imm32(Alu::And, RCX, self.layout.type_mask as i32);
                self.a.alu_imm32(Alu::Cmp, RCX, self.layout.hash_type as i32);
                self.a.jump_if(If::Equal, checked());
                self.a.bind(other);
            }
            Inst::HasHeader { object, mask, key } if mask <= i32::MAX as u64 => {
                let object = self.word(object, RAX);
                self.a.load32(RCX, Mem::at(object, 0));
                self.a.alu_imm32(Alu::And, RCX, mask as i32);
                if key != 0 {
                    self.a.alu_imm32(Alu::Cmp, RCX, key as i32);
                }
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::HasHeader { object, mask, key } => {
                let object = self.word(object, RAX);
                self.a.load(RCX, Mem::at(object, 0));
                self.a.mov_imm(RDI, mask);
                self.a.alu(Alu::And, RCX, RDI);
                self.a.mov_imm(RDI, key);
                self.a.alu(Alu::Cmp, RCX, RDI);
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::HasShape(object, shape) => {
                let object = self.word(object, RAX);
                self.a.alu_at32(Alu::Cmp, Mem::at(object, 4), shape as i32);
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::HasRoom { object, pool } => {
                let object = self.word(object, RAX);
                self.a.load32(RCX, Mem::at(object, 0));
                self.a.alu_imm32(Alu::And, RCX, self.layout.pool_mask as i32);
                self.a.alu_imm32(Alu::Cmp, RCX, pool as i32);
                self.a.jump_if(If::Below, checked());
            }
            Inst::Stands(epoch) => {
                self.compare_epoch(epoch);
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::OwnsEnvironment(base) => {
                self.a.lea(RAX, Mem::at(FP, base * 8));
                self.a.alu_load(Alu::Cmp, RAX, Mem::at(FP, base * 8 + ENV));
                self.a.jump_if(If::NotEqual, checked());
            }
            Inst::Keep(place, value) => {
                let word = self.word(value, RAX);
                self.a.store(Mem::at(FP, place * 8), word);
            }
            Inst::Around { address, depth, register } => {
                self.a.mov_imm(RAX, address);
                for _ in 0..depth {
                    self.a.load(RAX, Mem::at(RAX, PARENT));
                }
                self.a.load(RAX, Mem::at(RAX, i32::from(register) * 8));
                self.define(node, RAX);
            }
            Inst::Outer { of, depth, register } => {
                self.outer(of, depth);
                self.a.load(RAX, Mem::at(RAX, i32::from(register) * 8));
                self.define(node, RAX);
            }
            Inst::SetOuter { of, depth, register, value } => {
                let value = self.word(value, RDI);
                self.outer(of, depth);
                if let Some(exit) = exit {
                    let store = self.a.label();
                    self.a.test8(value, 7);
                    self.a.jump_if(If::NotEqual, store);
                    self.a.mov(RCX, RAX);
                    self.a.alu_load(Alu::Sub, RCX, Mem::at(EC, self.layout.stack_base));
                    self.a.shr(RCX, 3);
                    self.a.alu_load(Alu::Cmp, RCX, Mem::at(EC, self.layout.stack_words));
                    self.a.jump_if(If::Below, store);
                    // On another stack it has its own address there, on the heap its object's.
                    self.a.load(RCX, Mem::at(RAX, ENV));
                    self.a.alu(Alu::Cmp, RCX, RAX);
                    self.a.jump_if(If::Equal, exit);
                    self.barrier(RCX, value, exit);
                    self.a.bind(store);
                }
                self.a.store(Mem::at(RAX, i32::from(register) * 8), value);
            }
            Inst::Poll => {
                self.a.alu_at(Alu::Cmp, Mem::at(EC, self.layout.limit), 0);
                self.a.jump_if(If::Equal, checked());
            }
            Inst::Fits(top) => {
                self.a.lea(RAX, Mem::at(FP, top * 8));
                self.a.alu_load(Alu::Cmp, RAX, Mem::at(EC, self.layout.limit));
                self.a.jump_if(If::Above, checked());
            }
            Inst::Integer(op, a, b) => self.integer(node, op, a, b, exit),
            Inst::Float(op, a, b) => self.float(node, op, a, b),
            Inst::ToDouble(a) => {
                self.load_word(RAX, a);
                self.a.sar(RAX, 1);
                self.a.double_of_integer(X0, RAX);
                self.define_double(node, X0);
            }
            Inst::Compare(test) => {
                let (yes, done) = (self.a.label(), self.a.label());
                self.test(test, true, yes);
                self.a.mov_imm(RAX, self.layout.false_);
                self.a.jump(done);
                self.a.bind(yes);
                self.a.mov_imm(RAX, self.layout.true_);
                self.a.bind(done);
                self.define(node, RAX);
            }
            Inst::Boxed(a) => {
                let (large, done) = (self.a.label(), self.a.label());
                let double = self.xmm(a, X0);
                self.a.bits_of(RAX, double);
                self.box_bits(large);
                self.a.bind(done);
                self.define(node, RAX);
                self.large.push((node, large, done));
            }
            Inst::Load { object, offset } => {
                let (object, to) = (self.word(object, RAX), self.target(node));
                self.a.load(to, Mem::at(object, offset as i32));
                self.define(node, to);
            }
            Inst::Attribute { object, offset } => {
                let given = self.a.label();
                let object = self.word(object, RAX);
                self.a.load(RAX, Mem::at(object, offset as i32));
                self.a.alu_imm(Alu::Cmp, RAX, self.layout.undef as i32);
                self.a.jump_if(If::NotEqual, given);
                self.a.mov_imm(RAX, self.layout.nil);
                self.a.bind(given);
                self.define(node, RAX);
            }
            Inst::Store { object, offset, value, next_shape } => {
                let object = self.word(object, RAX);
                let may_be_heap = self.graph.value(value).typ == Type::Any;
                let value = self.word(value, RDI);
                if may_be_heap {
                    self.barrier(object, value, checked());
                }
                self.a.store(Mem::at(object, offset as i32), value);
                if next_shape != 0 {
                    self.a.store_imm32(Mem::at(object, 4), next_shape as i32);
                }
            }
            Inst::StoreBeside { object, block, offset, value } => {
                let object = self.word(object, RAX);
                let may_be_heap = self.graph.value(value).typ == Type::Any;
                let value = self.word(value, RDI);
                if may_be_heap {
                    self.barrier(object, value, checked());
                }
                let block = self.word(block, RAX);
                self.a.store(Mem::at(block, offset as i32), value);
            }
            Inst::Push { function, array, value, is_immediate } => {
                let (slow, done) = (self.a.label(), self.a.label());
                self.push(array, value, is_immediate, slow);
                self.a.jump(done);
                self.a.bind(slow);
                self.leaf(node, function, &[array, value]);
                self.a.test(RAX, RAX);
                self.a.jump_if(If::Equal, checked());
                self.a.bind(done);
            }
            Inst::Length(array) => self.length(node, array),
            Inst::Size(hash) => self.size(node, hash),
            Inst::Elements(array) => self.elements(node, array),
            Inst::IsWithin { index, length } => {
                self.compare(index, length);
                self.a.jump_if(If::AboveOrEqual, checked());
            }
            Inst::Element { elements, index } => {
                self.load_word(RCX, index);
                self.a.sar(RCX, 1);
                let (elements, to) = (self.word(elements, RAX), self.target(node));
                self.a.load(to, Mem::word(elements, RCX, 0));
                self.define(node, to);
            }
            Inst::ElementOrNil { elements, index, length } => {
                let (outside, done) = (self.a.label(), self.a.label());
                self.compare(index, length);
                self.a.jump_if(If::AboveOrEqual, outside);
                self.load_word(RCX, index);
                self.a.sar(RCX, 1);
                let elements = self.word(elements, RAX);
                self.a.load(RAX, Mem::word(elements, RCX, 0));
                self.a.jump(done);
                self.a.bind(outside);
                self.a.mov_imm(RAX, self.layout.nil);
                self.a.bind(done);
                self.define(node, RAX);
            }
            Inst::Bytes(string) => {
                self.text(string);
                let to = self.target(node);
                self.a.lea(to, Mem::byte(RCX, RCX, 1));
                self.define(node, to);
            }
            Inst::Byte { string, index } => self.byte(node, string, index, checked()),
            Inst::IsWritable(array) => self.is_writable(array, checked()),
            Inst::Leaf { function, args, count, .. } => {
                self.leaf(node, function, &args[..usize::from(count)]);
                self.a.test(RAX, RAX);
                self.a.jump_if(If::Equal, checked());
                self.define(node, RAX);
            }
            Inst::LeafUnless { function, args, count, shape, word, others } => {
                let (ask, done) = (self.a.label(), self.a.label());
                let args = &args[..usize::from(count)];
                self.of_shape(args[args.len() - 1], shape, others, [ask, done]);
                self.a.mov_imm(RAX, word);
                self.a.jump(done);
                self.a.bind(ask);
                self.leaf(node, function, args);
                self.a.test(RAX, RAX);
                self.a.jump_if(If::Equal, checked());
                self.a.bind(done);
                self.define(node, RAX);
            }
            Inst::OwnBlock => {
                let to = self.target(node);
                self.a.load(to, Mem::at(FP, BLOCK));
                self.define(node, to);
            }
            Inst::SetElement { array, elements, index, value } => {
                let array = self.word(array, RAX);
                let value = self.word(value, RDI);
                self.barrier(array, value, checked());
                self.load_word(RCX, index);
                self.a.sar(RCX, 1);
                let elements = self.word(elements, RAX);
                self.a.store(Mem::word(elements, RCX, 0), value);
            }
        }
    }

    /// Goes on at the first label with a value that is not of a shape; what is no heap object may be answered at once, in rax, and goes on
    /// at the second one.
    fn of_shape(&mut self, value: Node, shape: u32, others: Others, [ask, done]: [Label; 2]) {
        let layout = self.layout;
        let value = self.word(value, RAX);
        if others == Others::Ask && shape == layout.integer_shape {
            self.a.test8(value, 1);
            self.a.jump_if(If::Equal, ask);
            return;
        }
        self.a.test8(value, 7);
        if others == Others::Ask {
            self.a.jump_if(If::NotEqual, ask);
        } else {
            let (heap, yes) = (self.a.label(), self.a.label());
            self.a.jump_if(If::Equal, heap);
            self.a.mov(RCX, value);
            if others == Others::AreFalsy {
                self.a.alu_imm(Alu::And, RCX, !((layout.nil ^ layout.false_) as i32));
            }
            self.a.alu_imm(Alu::Cmp, RCX, layout.nil as i32);
            self.a.jump_if(If::Equal, yes);
            self.a.mov_imm(RAX, layout.false_);
            self.a.jump(done);
            self.a.bind(yes);
            self.a.mov_imm(RAX, layout.true_);
            self.a.jump(done);
            self.a.bind(heap);
        }
        self.a.alu_at32(Alu::Cmp, Mem::at(value, 4), shape as i32);
        self.a.jump_if(If::NotEqual, ask);
    }

    /// rax = what a function answers. Its callees keep some registers, the stub the others that are needed, but those of doubles.
    fn leaf(&mut self, node: Node, function: u64, args: &[Node]) {
        for (node, register) in args.iter().zip([RDI, RCX, RAX]) {
            self.load_word(register, *node);
        }
        if args.len() == 3 {
            self.a.store(Mem::at(Reg::RSP, THIRD), RAX);
        }
        self.call_leaf(node, function);
    }

    /// The same with operands where the stub wants them.
    fn call_leaf(&mut self, node: Node, function: u64) {
        let doubles = self.save_doubles(node);
        self.a.mov_imm(RAX, function);
        let is_lost = |place: &Location| matches!(place, Location::Register(number) if *number < KEPT);
        let is_any_lost = self.allocation.through[&node].iter().any(is_lost);
        let stub = if is_any_lost { self.layout.leaf } else { self.layout.leaf_bare };
        self.a.call_out(stub as usize);
        self.restore_doubles(&doubles);
    }

    /// Doubles that are needed behind a call of a function; rax changes.
    fn save_doubles(&mut self, node: Node) -> Vec<(Xmm, Mem)> {
        let through = &self.allocation.through[&node];
        let doubles =
            through.iter().filter_map(|place| if let Location::Xmm(n) = place { Some(Xmm(*n)) } else { None });
        let doubles: Vec<(Xmm, Mem)> =
            doubles.zip(0..).map(|(xmm, at)| (xmm, Mem::at(FP, 8 * (self.graph.top + DOUBLES_AT + at)))).collect();
        for (xmm, place) in &doubles {
            self.a.bits_of(RAX, *xmm);
            self.a.store(*place, RAX);
        }
        doubles
    }

    /// rcx changes.
    fn restore_doubles(&mut self, doubles: &[(Xmm, Mem)]) {
        for (xmm, place) in doubles {
            self.a.load(RCX, *place);
            self.a.double_of_bits(*xmm, RCX);
        }
    }

    /// Appends to an array that has its buffer alone, with room; goes on at `slow` with any other, with nothing done.
    fn push(&mut self, array: Node, value: Node, is_immediate: bool, slow: Label) {
        let layout = self.layout;
        let store = self.a.label();
        let array = self.word(array, RAX);
        self.a.load32(RCX, Mem::at(array, 0));
        if !is_immediate {
            // An old array is noted by whoever stores objects in it.
            let value = self.word(value, RDI);
            self.a.test8(value, 7);
            self.a.jump_if(If::NotEqual, store);
            self.a.mov32(RDI, RCX);
            self.a.alu_imm32(Alu::And, RDI, layout.old as i32);
            self.a.jump_if(If::NotEqual, slow);
            self.a.bind(store);
        }
        self.a.alu_imm32(Alu::And, RCX, (layout.storage_mask | layout.frozen) as i32);
        self.a.alu_imm32(Alu::Cmp, RCX, layout.storage_buf as i32);
        self.a.jump_if(If::NotEqual, slow);
        self.a.load(RCX, Mem::at(array, layout.view_buf));
        self.a.alu_at(Alu::Cmp, Mem::at(RCX, layout.buf_count), 1);
        self.a.jump_if(If::NotEqual, slow);
        // Where the elements end, and the last place of a word in the buffer.
        self.a.load(RDI, Mem::at(RCX, layout.buf_ptr));
        self.a.load(RAX, Mem::at(RCX, layout.buf_len));
        self.a.lea(RDI, Mem::word(RDI, RAX, 0));
        self.a.load(RAX, Mem::at(RCX, layout.buf_capacity));
        self.a.lea(RAX, Mem::byte(RCX, RAX, layout.buf_head - 8));
        self.a.alu(Alu::Cmp, RDI, RAX);
        self.a.jump_if(If::Above, slow);
        let value = self.word(value, RAX);
        self.a.store(Mem::at(RDI, 0), value);
        self.a.alu_at(Alu::Add, Mem::at(RCX, layout.buf_len), 1);
    }

    /// rax = the environment so many levels up.
    fn outer(&mut self, of: Inner, depth: u16) {
        let nearest = match of {
            Inner::Own if depth == 0 => ENV,
            Inner::Own => PARENT,
            Inner::Block => BLOCK_ENV,
        };
        self.a.load(RAX, Mem::at(FP, nearest));
        for _ in 1..depth {
            self.a.load(RAX, Mem::at(RAX, PARENT));
        }
    }

    /// Exits if a value that is to be stored has to be noted. rcx changes.
    fn barrier(&mut self, object: Reg, value: Reg, exit: Label) {
        let store = self.a.label();
        self.a.test8(value, 7);
        self.a.jump_if(If::NotEqual, store);
        self.a.load32(RCX, Mem::at(object, 0));
        self.a.alu_imm32(Alu::And, RCX, (self.layout.old | self.layout.logged) as i32);
        self.a.alu_imm32(Alu::Cmp, RCX, self.layout.old as i32);
        self.a.jump_if(If::Equal, exit);
        self.a.bind(store);
    }

    /// Goes on at `embedded` for an array whose elements lie in the slot, at `buffer` for one that has its buffer alone, and behind
    /// this for a view. rcx changes.
    fn storage(&mut self, array: Reg, embedded: Label, buffer: Label) {
        self.a.load32(RCX, Mem::at(array, 0));
        self.a.alu_imm32(Alu::And, RCX, self.layout.storage_mask as i32);
        self.a.jump_short_if(If::Equal, embedded);
        self.a.alu_imm32(Alu::Cmp, RCX, self.layout.storage_view as i32);
        self.a.jump_short_if(If::NotEqual, buffer);
    }

    /// Length of an array, and where its elements begin.
    fn contents(&mut self, length: Node, elements: Node, array: Node) {
        let (embedded, buffer, found) = (self.a.label(), self.a.label(), self.a.label());
        let layout = self.layout;
        let array = self.word(array, RAX);
        self.storage(array, embedded, buffer);
        self.a.load(RCX, Mem::at(array, layout.view_len));
        self.a.load(RAX, Mem::at(array, layout.view_ptr));
        self.a.jump_short(found);
        self.a.bind(buffer);
        self.a.load(RDI, Mem::at(array, layout.view_buf));
        self.a.load(RCX, Mem::at(RDI, layout.buf_len));
        self.a.load(RAX, Mem::at(RDI, layout.buf_ptr));
        self.a.jump_short(found);
        self.a.bind(embedded);
        self.embedded_length(array);
        self.a.lea(RAX, Mem::at(array, layout.embedded_elements));
        self.a.bind(found);
        let to = if self.target(length) == RAX { RCX } else { self.target(length) };
        self.a.lea(to, Mem::byte(RCX, RCX, 1));
        self.define(length, to);
        self.define(elements, RAX);
    }

    /// rax = where the bytes of a string begin, rcx = how many they are; rdi changes.
    fn text(&mut self, string: Node) {
        let (embedded, buffer, found) = (self.a.label(), self.a.label(), self.a.label());
        let layout = self.layout;
        let string = self.word(string, RAX);
        self.storage(string, embedded, buffer);
        self.a.load(RCX, Mem::at(string, layout.view_len));
        self.a.load(RAX, Mem::at(string, layout.view_ptr));
        self.a.jump_short(found);
        self.a.bind(buffer);
        self.a.load(RDI, Mem::at(string, layout.view_buf));
        self.a.load(RCX, Mem::at(RDI, layout.buf_len));
        self.a.load(RAX, Mem::at(RDI, layout.buf_ptr));
        self.a.jump_short(found);
        self.a.bind(embedded);
        self.a.load16(RCX, Mem::at(string, layout.embedded_string_len));
        self.a.lea(RAX, Mem::at(string, layout.embedded_string_bytes));
        self.a.bind(found);
    }

    fn byte(&mut self, node: Node, string: Node, index: Node, exit: Label) {
        self.text(string);
        self.load_word(RDI, index);
        self.a.sar(RDI, 1);
        self.a.alu(Alu::Cmp, RDI, RCX);
        self.a.jump_if(If::AboveOrEqual, exit);
        self.a.load8(RAX, Mem::byte(RAX, RDI, 0));
        let to = self.target(node);
        self.a.lea(to, Mem::byte(RAX, RAX, 1));
        self.define(node, to);
    }

    /// rcx = how many elements lie in the slot.
    fn embedded_length(&mut self, array: Reg) {
        self.a.load32(RCX, Mem::at(array, 0));
        self.a.shr32(RCX, self.layout.embedded_len_shift as u8);
        let mask = self.layout.embedded_len_mask >> self.layout.embedded_len_shift;
        self.a.alu_imm32(Alu::And, RCX, mask as i32);
    }

    fn size(&mut self, node: Node, hash: Node) {
        let (table, done) = (self.a.label(), self.a.label());
        let layout = self.layout;
        let object = self.word(hash, RAX);
        self.a.load32(RCX, Mem::at(object, 0));
        self.a.mov32(RDI, RCX);
        self.a.alu_imm32(Alu::And, RDI, layout.storage_mask as i32);
        self.a.alu_imm32(Alu::Cmp, RDI, layout.hash_table as i32);
        self.a.jump_if(If::Equal, table);
        self.a.shr32(RCX, layout.hash_live_shift as u8);
        self.a.alu_imm32(Alu::And, RCX, layout.hash_live_mask as i32);
        self.a.lea(RAX, Mem::byte(RCX, RCX, 1));
        self.a.jump(done);
        self.a.bind(table);
        self.leaf(node, layout.hash_size, &[hash]);
        self.a.bind(done);
        self.define(node, RAX);
    }

    fn length(&mut self, node: Node, array: Node) {
        let (embedded, buffer, found) = (self.a.label(), self.a.label(), self.a.label());
        let array = self.word(array, RAX);
        self.storage(array, embedded, buffer);
        self.a.load(RCX, Mem::at(array, self.layout.view_len));
        self.a.jump_short(found);
        self.a.bind(buffer);
        self.a.load(RCX, Mem::at(array, self.layout.view_buf));
        self.a.load(RCX, Mem::at(RCX, self.layout.buf_len));
        self.a.jump_short(found);
        self.a.bind(embedded);
        self.embedded_length(array);
        self.a.bind(found);
        self.a.lea(RAX, Mem::byte(RCX, RCX, 1));
        self.define(node, RAX);
    }

    fn elements(&mut self, node: Node, array: Node) {
        let (embedded, buffer, found) = (self.a.label(), self.a.label(), self.a.label());
        let array = self.word(array, RAX);
        self.storage(array, embedded, buffer);
        self.a.load(RAX, Mem::at(array, self.layout.view_ptr));
        self.a.jump_short(found);
        self.a.bind(buffer);
        self.a.load(RAX, Mem::at(array, self.layout.view_buf));
        self.a.load(RAX, Mem::at(RAX, self.layout.buf_ptr));
        self.a.jump_short(found);
        self.a.bind(embedded);
        self.a.lea(RAX, Mem::at(array, self.layout.embedded_elements));
        self.a.bind(found);
        self.define(node, RAX);
    }

    fn is_writable(&mut self, array: Node, exit: Label) {
        let own = self.a.label();
        let array = self.word(array, RAX);
        self.a.load32(RCX, Mem::at(array, 0));
        self.a.test32(RCX, self.layout.frozen);
        self.a.jump_if(If::NotEqual, exit);
        self.a.test32(RCX, self.layout.storage_mask);
        self.a.jump_if(If::Equal, own);
        self.a.load(RCX, Mem::at(array, self.layout.view_buf));
        self.a.alu_at(Alu::Cmp, Mem::at(RCX, self.layout.buf_count), 1);
        self.a.jump_if(If::NotEqual, exit);
        self.a.bind(own);
    }

    // ---- numbers ----

    fn integer(&mut self, node: Node, op: Integer, a: Node, b: Node, exit: Option<Label>) {
        let bitwise = match op {
            Integer::And => Some(Alu::And),
            Integer::Or => Some(Alu::Or),
            Integer::Xor => Some(Alu::Xor),
            _ => None,
        };
        if let Some(alu) = bitwise {
            return self.bitwise(node, alu, a, b);
        }
        if op == Integer::Add && self.small(b).is_none() {
            // An exit finds both operands as they were.
            let left = self.word(a, RAX);
            self.a.lea(RAX, Mem::at(left, -1));
            self.alu(Alu::Add, RAX, b);
            self.a.jump_if(If::Overflow, exit.expect("may overflow"));
            return self.define(node, RAX);
        }
        self.load_word(RAX, a);
        match op {
            Integer::And | Integer::Or | Integer::Xor => unreachable!("done before"),
            Integer::Least | Integer::Greatest => {
                let done = self.a.label();
                let other = self.word(b, RCX);
                self.a.alu(Alu::Cmp, RAX, other);
                let is_it = if op == Integer::Least { If::LessOrEqual } else { If::GreaterOrEqual };
                self.a.jump_short_if(is_it, done);
                self.a.mov(RAX, other);
                self.a.bind(done);
            }
            Integer::Next => self.a.alu_imm(Alu::Add, RAX, 2),
            Integer::Add => {
                self.a.alu_imm(Alu::Add, RAX, self.small(b).expect("just seen") - 1);
                self.a.jump_if(If::Overflow, exit.expect("may overflow"));
            }
            Integer::Subtract => match self.small(b) {
                Some(small) => {
                    self.a.alu_imm(Alu::Sub, RAX, small - 1);
                    self.a.jump_if(If::Overflow, exit.expect("may overflow"));
                }
                None => {
                    self.alu(Alu::Sub, RAX, b);
                    self.a.jump_if(If::Overflow, exit.expect("may overflow"));
                    let to = self.target(node);
                    self.a.lea(to, Mem::at(RAX, 1));
                    return self.define(node, to);
                }
            },
            Integer::Multiply => {
                self.load_word(RCX, b);
                self.a.sar(RAX, 1);
                self.a.alu_imm(Alu::Sub, RCX, 1);
                self.a.imul(RAX, RCX);
                self.a.jump_if(If::Overflow, exit.expect("may overflow"));
                self.a.alu_imm(Alu::Add, RAX, 1);
            }
            Integer::Divide | Integer::Modulo => self.divide(op, b, exit.expect("may divide by zero")),
            Integer::ShiftRight if self.count(b).is_some() => {
                self.a.sar(RAX, self.count(b).expect("just seen"));
                self.a.alu_imm(Alu::Or, RAX, 1);
            }
            Integer::ShiftLeft => self.shift_left(b, exit.expect("may overflow")),
            Integer::ShiftRight => {
                self.load_word(RCX, b);
                self.a.sar(RCX, 1);
                self.a.alu_imm(Alu::Cmp, RCX, 62);
                self.a.jump_if(If::Above, exit.expect("may shift too far"));
                self.a.sar(RAX, 1);
                self.a.sar_cl(RAX);
                self.a.lea(RAX, Mem::byte(RAX, RAX, 1));
            }
        }
        self.define(node, RAX);
    }

    /// What leaves at no exit is made in its own register.
    fn bitwise(&mut self, node: Node, op: Alu, a: Node, b: Node) {
        let to = self.target(node);
        let is_there = |node: Node| self.location(node) == self.location(b) && self.location(b).is_some();
        let to = if is_there(node) { RAX } else { to };
        if self.location(a) != self.location(node) || self.location(a).is_none() || to == RAX {
            self.load_word(to, a);
        }
        self.alu(op, to, b);
        if op == Alu::Xor {
            self.a.alu_imm(Alu::Or, to, 1);
        }
        self.define(node, to);
    }

    /// A constant number of bits to shift by.
    fn count(&self, node: Node) -> Option<u8> {
        let small = self.small(node).filter(|word| word & 1 == 1)? >> 1;
        u8::try_from(small).ok().filter(|count| *count < 63)
    }

    /// rax = rax, whose upper bits are to be all alike, shifted left.
    fn shift_left(&mut self, b: Node, exit: Label) {
        self.a.alu_imm(Alu::Sub, RAX, 1);
        self.a.mov(RDI, RAX);
        let count = self.count(b);
        match count {
            Some(count) => self.a.sar(RDI, 63 - count),
            None => {
                self.load_word(RCX, b);
                self.a.sar(RCX, 1);
                self.a.alu_imm(Alu::Cmp, RCX, 62);
                self.a.jump_if(If::Above, exit);
                self.a.alu_imm(Alu::Xor, RCX, 63);
                self.a.sar_cl(RDI);
                self.a.alu_imm(Alu::Xor, RCX, 63);
            }
        }
        self.a.alu_imm(Alu::Add, RDI, 1);
        self.a.alu_imm(Alu::Cmp, RDI, 1);
        self.a.jump_if(If::Above, exit);
        match count {
            Some(count) => self.a.shl(RAX, count),
            None => self.a.shl_cl(RAX),
        }
        self.a.alu_imm(Alu::Add, RAX, 1);
    }

    /// What a division by a constant power of two is: the number of bits.
    fn power_of_two(&self, node: Node) -> Option<u8> {
        let divisor = self.small(node).filter(|word| word & 1 == 1)? >> 1;
        (divisor > 0 && divisor & (divisor - 1) == 0).then(|| divisor.trailing_zeros() as u8)
    }

    /// rax = rax divided by a fixnum, rounded down, or what is left.
    fn divide(&mut self, op: Integer, b: Node, exit: Label) {
        if let Some(bits) = self.power_of_two(b) {
            match op {
                Integer::Modulo => self.a.alu_imm(Alu::And, RAX, (1 << (bits + 1)) - 1),
                _ => {
                    self.a.sar(RAX, bits);
                    self.a.alu_imm(Alu::Or, RAX, 1);
                }
            }
            return;
        }
        let (done, wide) = (self.a.label(), self.a.label());
        self.load_word(RCX, b);
        self.a.sar(RCX, 1);
        self.a.jump_if(If::Equal, exit);
        // The quotient of the least fixnum by -1 is none.
        self.a.alu_imm(Alu::Cmp, RCX, -1);
        self.a.jump_if(If::Equal, exit);
        self.a.sar(RAX, 1);
        self.a.mov(RDI, EC);
        // Halves that have no sign are divided in a third of the time.
        self.a.mov(Reg::RDX, RAX);
        self.a.alu(Alu::Or, Reg::RDX, RCX);
        self.a.shr(Reg::RDX, 32);
        self.a.jump_if(If::NotEqual, wide);
        self.a.div32(RCX);
        self.a.jump(done);
        self.a.bind(wide);
        self.a.cqo();
        self.a.idiv(RCX);
        // rax = quotient, rdx = remainder, which is to have the sign of the divisor.
        self.a.test(Reg::RDX, Reg::RDX);
        self.a.jump_if(If::Equal, done);
        self.a.alu(Alu::Xor, RCX, Reg::RDX);
        self.a.jump_if(If::NoSign, done);
        self.a.alu(Alu::Xor, RCX, Reg::RDX);
        self.a.alu_imm(Alu::Sub, RAX, 1);
        self.a.alu(Alu::Add, Reg::RDX, RCX);
        self.a.bind(done);
        if op == Integer::Modulo {
            self.a.mov(RAX, Reg::RDX);
        }
        self.a.mov(EC, RDI);
        self.a.lea(RAX, Mem::byte(RAX, RAX, 1));
    }

    fn unbox(&mut self, node: Node, word: Node, exit: Label) {
        let (other, done, object) = (self.a.label(), self.a.label(), self.a.label());
        self.objects.push((object, done, exit));
        self.load_word(RAX, word);
        self.a.mov32(RCX, RAX);
        self.a.alu_imm32(Alu::And, RCX, 3);
        self.a.alu_imm32(Alu::Cmp, RCX, 2);
        self.a.jump_if(If::NotEqual, object);
        self.a.mov_imm(RCX, self.layout.flonum_zero);
        self.a.alu(Alu::Cmp, RAX, RCX);
        self.a.jump_if(If::NotEqual, other);
        self.a.mov_imm(RAX, 0);
        self.a.jump(done);
        self.a.bind(other);
        self.a.ror(RAX, 3);
        self.a.mov_imm(RCX, self.layout.flonum_bias);
        self.a.alu(Alu::Sub, RAX, RCX);
        self.a.bind(done);
        self.a.double_of_bits(X0, RAX);
        self.define_double(node, X0);
    }

    /// Floats that are no flonums: rax = the bits of the double.
    fn finish_unboxed(&mut self) {
        for (object, done, exit) in std::mem::take(&mut self.objects) {
            self.a.bind(object);
            self.a.test8(RAX, 7);
            self.a.jump_if(If::NotEqual, exit);
            self.a.load32(RCX, Mem::at(RAX, 0));
            self.a.alu_imm32(Alu::And, RCX, self.layout.type_mask as i32);
            self.a.alu_imm32(Alu::Cmp, RCX, self.layout.float_type as i32);
            self.a.jump_if(If::NotEqual, exit);
            self.a.load(RAX, Mem::at(RAX, self.layout.float_value));
            self.a.jump(done);
        }
    }

    /// rax = the flonum for a double whose bits it has; goes on at `large`, with the bits in rdi, if there is none. rcx and rdi
    /// change.
    fn box_bits(&mut self, large: Label) {
        let (other, done) = (self.a.label(), self.a.label());
        self.a.test(RAX, RAX);
        self.a.jump_short_if(If::NotEqual, other);
        self.a.mov_imm(RAX, self.layout.flonum_zero);
        self.a.jump_short(done);
        self.a.bind(other);
        self.a.mov(RDI, RAX);
        self.a.mov_imm(RCX, self.layout.flonum_bias);
        self.a.alu(Alu::Add, RAX, RCX);
        self.a.rol(RAX, 3);
        // As `Value::flonum` tells which numbers fit.
        self.a.mov_imm(RCX, self.layout.flonum_zero);
        self.a.alu(Alu::Cmp, RAX, RCX);
        self.a.jump_if(If::Equal, large);
        self.a.mov32(RCX, RAX);
        self.a.alu_imm32(Alu::And, RCX, 3);
        self.a.alu_imm32(Alu::Cmp, RCX, 2);
        self.a.jump_if(If::NotEqual, large);
        self.a.bind(done);
    }

    /// Doubles that become objects: rdi has the bits.
    fn finish_boxed(&mut self) {
        for (node, large, done) in std::mem::take(&mut self.large) {
            self.a.bind(large);
            let doubles = self.save_doubles(node);
            self.a.mov_imm(RAX, self.layout.new_float);
            self.a.call_out(self.layout.leaf as usize);
            self.restore_doubles(&doubles);
            self.a.jump(done);
        }
    }

    /// A routine for exits: rax = a word for the double whose bits it has. rcx and rdi change, and registers for doubles.
    fn finish_boxing(&mut self) {
        let Some(boxing) = self.boxing else { return };
        let large = self.a.label();
        self.a.bind(boxing);
        self.box_bits(large);
        self.a.ret();
        self.a.bind(large);
        self.a.mov_imm(RAX, self.layout.new_float);
        self.a.jump_out(self.layout.leaf as usize);
    }

    fn boxing(&mut self) -> Label {
        let new = self.a.label();
        *self.boxing.get_or_insert(new)
    }

    fn float(&mut self, node: Node, op: Float, a: Node, b: Node) {
        let (one, other) = (self.xmm(a, X0), self.xmm(b, X1));
        self.a.move_double(X0, one);
        let op = match op {
            Float::Add => Sse::Add,
            Float::Subtract => Sse::Subtract,
            Float::Multiply => Sse::Multiply,
            Float::Divide => Sse::Divide,
        };
        self.a.sse_with(op, X0, other);
        self.define_double(node, X0);
    }
}

fn bits_of(insn: Insn) -> u64 {
    let Insn { op, n, a, b, c } = insn;
    op as u64 | u64::from(n) << 8 | u64::from(a) << 16 | u64::from(b) << 32 | u64::from(c) << 48
}

fn condition_of(relation: Relation) -> If {
    match relation {
        Relation::Less => If::Less,
        Relation::LessOrEqual => If::LessOrEqual,
        Relation::Greater => If::Greater,
        Relation::GreaterOrEqual => If::GreaterOrEqual,
        Relation::Equal => If::Equal,
        Relation::NotEqual => If::NotEqual,
    }
}
