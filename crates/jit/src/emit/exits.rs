//! Exits: what lives is stored where the interpreter has it, the frames of inlined calls are pushed, and a handler or template goes on.
//!
//! # Invariants
//! * What exits call is one call deep: behind the word of the return address lie the registers that are kept. So one routine goes on to
//!   the next by a jump.
//! * Objects that an exit makes are allocated before frames are pushed, and nothing here polls.

use super::{
    BLOCK, BLOCK_ENV, CALLER, CODE, EC, ENV, Emitter, FLAGS, FP, MADE_AT, MOST_MADE, OWN_WORDS, PARENT, RAX, RCX, RDI,
    RET_PC, X0,
};
use crate::allocate::Location;
use crate::graph::{Around, Cause, ExitId, Frame, Inst, Node, Object};
use crate::tables::Map;
use crate::world::CodeId;
use carat_asm::{Alu, Condition as If, Label, Mem, Reg};
use carat_iseq::Op;

/// The number of an exit that is counted.
const NUMBER: Reg = Reg::R9;
/// Where the counters are, behind the unit's own words.
const COUNTERS_AT: i32 = 8 * OWN_WORDS as i32;

/// What exits need to have in common to leave by the same code.
#[derive(PartialEq, Eq)]
struct WayOut {
    code: CodeId,
    base: i32,
    op: Op,
    cause: Cause,
}

/// A frame of an inlined call as exits push it. These form a tree: each node with more than one exit is code that all of them call.
struct Pushed<'a> {
    /// The frame that calls it, and the node that pushes that one.
    below: &'a Frame,
    under: Option<usize>,
    frame: &'a Frame,
    exits: usize,
    code: Option<Label>,
}

impl Pushed<'_> {
    /// Whether two differ at most in where their own frames go on.
    fn is(&self, under: Option<usize>, below: &Frame, frame: &Frame) -> bool {
        let same = |one: &Frame, other: &Frame| {
            (one.code, one.base, one.block, one.parent) == (other.code, other.base, other.block, other.parent)
        };
        self.under == under
            && same(self.frame, frame)
            && (self.below.word, self.below.is_in_loop) == (below.word, below.is_in_loop)
            && same(self.below, below)
    }
}

impl<'a> Emitter<'a> {
    pub(super) fn exit(&mut self, id: ExitId) -> Label {
        if let Some(label) = self.exits.get(&id) {
            return *label;
        }
        let label = self.a.label();
        self.exits.insert(id, label);
        label
    }

    /// Exits share the code that pushes frames and that leaves for a handler, which comes behind them.
    pub(super) fn finish_exits(&mut self) {
        let mut exits: Vec<(ExitId, Label)> = self.exits.iter().map(|(id, label)| (*id, *label)).collect();
        exits.sort_by_key(|(id, _)| id.0);
        let mut pushed = Vec::new();
        let frames: Vec<Option<usize>> = exits.iter().map(|(id, _)| self.pushed(&mut pushed, *id)).collect();
        let mut ways: Vec<(WayOut, Label)> = Vec::new();
        for ((id, label), frames) in exits.into_iter().zip(frames) {
            self.a.bind(label);
            self.write_values(id);
            self.push_shared(&mut pushed, frames);
            let way = self.way_out(id);
            let known = ways.iter().find(|(known, _)| *known == way).map(|(_, label)| *label);
            let shared = known.unwrap_or_else(|| self.a.label());
            if known.is_none() {
                ways.push((way, shared));
            }
            self.a.jump(shared);
        }
        for (way, shared) in ways {
            self.a.bind(shared);
            self.leave_by(way);
        }
        self.finish_pushed(pushed);
    }

    /// Loads where an exit goes on, and its number, for the code that leaves.
    fn way_out(&mut self, id: ExitId) -> WayOut {
        let graph = self.graph;
        let exit = graph.exit(id);
        let last = exit.frames.last().expect("the unit's own");
        let place = self.world.place(last.code, last.word, last.is_in_loop);
        self.a.mov_imm(RDI, place.address);
        if exit.cause != Cause::Other {
            self.a.mov_imm(NUMBER, u64::from(id.0));
        }
        WayOut { code: last.code, base: last.base, op: place.op, cause: exit.cause }
    }

    /// The node of the topmost frame that an exit pushes.
    fn pushed(&self, tree: &mut Vec<Pushed<'a>>, id: ExitId) -> Option<usize> {
        let graph = self.graph;
        let mut under = None;
        for pair in graph.exit(id).frames.windows(2).filter(|pair| !pair[1].is_there) {
            let (below, frame) = (&pair[0], &pair[1]);
            let known = tree.iter().position(|node| node.is(under, below, frame));
            let at = known.unwrap_or(tree.len());
            match known {
                Some(at) => tree[at].exits += 1,
                None => tree.push(Pushed { below, under, frame, exits: 1, code: None }),
            }
            under = Some(at);
        }
        under
    }

    /// Pushes a frame and those under it, as far as no other exit does by a call of what all have in common.
    fn push_shared(&mut self, tree: &mut [Pushed<'_>], mut frame: Option<usize>) {
        while let Some(at) = frame {
            if tree[at].exits > 1 {
                let code = self.code_of(&mut tree[at]);
                return self.a.call(code);
            }
            self.push_frame(tree[at].below, tree[at].frame);
            frame = tree[at].under;
        }
    }

    fn code_of(&mut self, node: &mut Pushed<'_>) -> Label {
        *node.code.get_or_insert_with(|| self.a.label())
    }

    /// The code that exits call: a frame, and behind it or by a jump those under it.
    fn finish_pushed(&mut self, mut tree: Vec<Pushed<'_>>) {
        let mut is_done = vec![false; tree.len()];
        for first in (0..tree.len()).rev() {
            let mut frame = Some(first).filter(|at| tree[*at].exits > 1 && !is_done[*at]);
            while let Some(at) = frame {
                let code = self.code_of(&mut tree[at]);
                self.a.bind(code);
                self.push_frame(tree[at].below, tree[at].frame);
                is_done[at] = true;
                frame = tree[at].under;
                match frame {
                    None => self.a.ret(),
                    Some(under) if is_done[under] => {
                        let code = self.code_of(&mut tree[under]);
                        self.a.jump(code);
                        frame = None;
                    }
                    Some(_) => {}
                }
            }
        }
    }

    /// Leaves for the interpreter, or the first tier, when all is in memory.
    fn leave_by(&mut self, WayOut { code, base, op, cause }: WayOut) {
        self.keep(false);
        self.running_frame(base);
        self.a.mov_imm(RCX, self.world.caches(code));
        if cause != Cause::Other {
            self.a.mov_imm(RAX, self.records_at);
            self.a.alu_at32(Alu::Sub, Mem::word(RAX, NUMBER, COUNTERS_AT), 1);
            let kind = match cause {
                Cause::Head => 1,
                Cause::Block => 2,
                Cause::Guess | Cause::Other => 0,
            };
            self.a.jump_if(If::Equal, self.often[kind]);
        }
        self.a.jump_through(Mem::at(EC, self.layout.handlers + op as i32 * 8));
    }

    /// What was guessed was wrong too often.
    pub(super) fn finish_often(&mut self) {
        for (kind, label) in self.often.into_iter().enumerate() {
            self.a.bind(label);
            self.a.mov_imm(Reg::R8, self.records_at);
            self.a.mov_imm(Reg::R9, kind as u64);
            self.a.jump_out(self.layout.exits_counted as usize);
        }
    }

    /// Stores what lives, and pushes the frames of inlined calls.
    pub(super) fn write_frames(&mut self, id: ExitId) {
        self.write_values(id);
        let graph = self.graph;
        for pair in graph.exit(id).frames.windows(2).filter(|pair| !pair[1].is_there) {
            self.push_frame(&pair[0], &pair[1]);
        }
    }

    /// Stores what lives in the frames' places, and makes the objects among that.
    fn write_values(&mut self, id: ExitId) {
        let graph = self.graph;
        let exit = graph.exit(id);
        let held: Vec<Node> = exit.objects.iter().flat_map(|object| &object.fields).map(|(_, node)| *node).collect();
        let held = self.put_aside(held);
        let fresh = exit.stores.iter().copied().filter(|(_, node)| graph.is_fresh(*node));
        let others = exit.stores.iter().copied().filter(|(_, node)| !graph.is_fresh(*node));
        let (doubles, words): (Vec<_>, Vec<_>) = others
            .chain(held.iter().map(|(node, place)| (*place, *node)))
            .partition(|(_, node)| graph.is_double(*node));
        self.move_all(words.into_iter().map(|(place, node)| (Location::Frame(place), node)).collect());
        self.store_doubles(doubles);
        self.make_objects(&exit.objects, held);
        for (place, node) in fresh {
            let at = exit.objects.iter().position(|object| object.node == node).expect("an object that is known");
            self.a.load(RAX, Mem::at(FP, self.made(at) * 8));
            self.a.store(Mem::at(FP, place * 8), RAX);
        }
    }

    /// Writes the words below the registers of a frame. rax and rdi change.
    fn push_frame(&mut self, below: &Frame, frame: &Frame) {
        self.a.lea(RDI, Mem::at(FP, frame.base * 8));
        self.a.mov_imm(RAX, frame.code.0);
        self.a.store(Mem::at(RDI, CODE), RAX);
        self.a.store(Mem::at(RDI, ENV), RDI);
        match frame.block {
            Some((code, home)) => {
                self.a.mov_imm(RAX, code.0 | 1);
                self.a.store(Mem::at(RDI, BLOCK), RAX);
                self.environment(home);
                self.a.store(Mem::at(RDI, BLOCK_ENV), RAX);
            }
            None if matches!(frame.parent, Some(Around::Frame(_))) => self.a.store_imm(Mem::at(RDI, BLOCK), 0),
            None => {
                self.a.clear_double(X0);
                self.a.store_pair(Mem::at(RDI, BLOCK_ENV), X0);
            }
        }
        if let Some(parent) = frame.parent {
            let flags = match parent {
                Around::Frame(place) => {
                    self.environment(place);
                    0
                }
                Around::Address(address) => {
                    self.a.mov_imm(RAX, address);
                    self.layout.method_flags
                }
                Around::OfCaller => {
                    self.a.load(RAX, Mem::at(FP, BLOCK_ENV));
                    0
                }
            };
            self.a.store(Mem::at(RDI, PARENT), RAX);
            self.a.store_imm(Mem::at(RDI, FLAGS), flags as i32);
        }
        self.a.mov_imm(RAX, self.world.place_behind(below.code, below.word, below.is_in_loop));
        self.a.store(Mem::at(RDI, RET_PC), RAX);
        self.a.lea(RAX, Mem::at(FP, below.base * 8));
        self.a.store(Mem::at(RDI, CALLER), RAX);
    }

    /// Stores doubles as words in places of the frame, each as one object.
    fn store_doubles(&mut self, doubles: Vec<(i32, Node)>) {
        for (place, node) in &doubles {
            let double = self.xmm(*node, X0);
            self.a.bits_of(RAX, double);
            self.a.store(Mem::at(FP, place * 8), RAX);
        }
        for (at, (place, node)) in doubles.iter().enumerate() {
            match doubles[..at].iter().find(|(_, other)| other == node) {
                Some((same, _)) => self.a.load(RAX, Mem::at(FP, same * 8)),
                None => {
                    self.a.load(RAX, Mem::at(FP, place * 8));
                    let boxing = self.boxing();
                    self.a.call(boxing);
                }
            }
            self.a.store(Mem::at(FP, place * 8), RAX);
        }
    }

    /// Where an exit has the object with a number, once it is made.
    fn made(&self, at: usize) -> i32 {
        self.graph.top + MADE_AT + at as i32
    }

    /// Places for what is still needed when the frames are written: behind those of objects, of which there are no more.
    fn put_aside(&self, mut held: Vec<Node>) -> Vec<(Node, i32)> {
        held.sort_unstable();
        held.dedup();
        held.retain(|node| !self.graph.is_fresh(*node) && !matches!(self.graph.value(*node).inst, Inst::Word(_)));
        held.into_iter().zip(self.made(usize::from(MOST_MADE))..).collect()
    }

    /// Makes the objects of an exit, whose fields hold what was put aside, constants, and each other.
    fn make_objects(&mut self, objects: &[Object], held: Vec<(Node, i32)>) {
        let held: Map<Node, i32> = held.into_iter().collect();
        for (at, object) in objects.iter().enumerate() {
            self.allocate(object.header);
            self.a.store(Mem::at(FP, self.made(at) * 8), RAX);
            for (offset, node) in &object.fields {
                let inner = objects.iter().position(|inner| inner.node == *node);
                match (inner, held.get(node)) {
                    (Some(inner), _) => self.a.load(RCX, Mem::at(FP, self.made(inner) * 8)),
                    (None, Some(place)) => self.a.load(RCX, Mem::at(FP, place * 8)),
                    (None, None) => self.load_word(RCX, *node),
                }
                self.a.store(Mem::at(RAX, *offset as i32), RCX);
            }
        }
    }

    /// rax = a new object. rcx and rdi change, and registers for doubles.
    fn allocate(&mut self, header: u64) {
        self.a.mov_imm(RDI, header);
        self.a.mov_imm(RAX, self.layout.allocate);
        self.a.call_out(self.layout.leaf as usize);
    }
}
