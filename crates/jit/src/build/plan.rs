//! Which blocks a unit has, which calls are inlined, and in which order all is built.
//!
//! # How
//! A depth-first walk from the unit's entry, through inlined calls and back, gives the order and the ways back. A unit that begins
//! inside of a loop ends where the outermost loop around does; what comes after is the interpreter's. An inner loop with a `break`
//! makes one around it a loop that is entered at two places, seen from the inner one's head: then the unit ends where a smaller loop
//! does.
//!
//! # Invariants
//! Each loop is entered at its head alone: what is known there holds in all of it, and `hoist` takes instructions to a block in front
//! of it.

use super::{Activation, Guesses, Path};
use crate::flow::Flow;
use crate::graph::{Around, BlockId};
use crate::tables::{Map, Set};
use crate::world::{Call, CodeId, Sent, SentTo, Target, World};
use crate::{Refusal, Unit};
use carat_iseq::{Insn, IseqKind, Op, newarray_send};
use std::rc::Rc;

/// Instructions of code that is inlined, of all of a unit, and how deep calls are.
const MOST_INLINED: usize = 80;
/// The same of a method that is inlined into itself, which happens once.
const MOST_RECURSIVE: usize = 40;
const MOST_WORDS: usize = 1500;
const MOST_DEPTH: usize = 6;
/// Shapes that one call is inlined for.
const MOST_WAYS: usize = 4;

/// A block: the activation, and the word where it begins.
pub(super) type Key = (usize, u32);

/// `defined` of whether a block was given, which core code asks.
pub(super) const BLOCK_GIVEN: u8 = 11;

/// The blocks of the graph that a key has.
pub(super) struct Blocks {
    /// Where ways from outside lead: before a loop's head, or `block` itself.
    pub(super) before: BlockId,
    pub(super) block: BlockId,
    /// Blocks on the two ways of its branch; of each way of a dispatch, and where that asks on.
    pub(super) splits: Vec<Option<BlockId>>,
    pub(super) depth: u32,
}

/// How a block ends.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Ending {
    /// The next begins there.
    Falls(Key),
    /// The branch or jump at a word.
    Jumps(Vec<Key>),
    /// A call of an activation.
    Inlines(usize, Key),
    /// A call with receivers of several shapes.
    Dispatches(Vec<Way>),
    /// The value is that of the call that made an activation; without a key, what the unit returns.
    Returns(usize, Option<Key>),
    /// The instruction at a word is run in another way. What comes next, and the target of a branch.
    Runs(Vec<Key>),
    /// The interpreter goes on.
    Leaves,
    /// So it does where nobody came yet. If somebody does, the unit is compiled anew.
    Cold,
}

/// What a call does with receivers of one shape.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Way {
    pub(super) call: Call,
    /// The activation, unless an attribute is read.
    pub(super) child: Option<usize>,
    pub(super) to: Key,
}

/// What a loop writes.
#[derive(Clone, Default)]
pub(super) struct Written {
    places: Set<i32>,
    /// Captured variables: the activation that names each, the levels up from there, and the register.
    pub(super) captured: Set<(usize, u16, u16)>,
    /// Whether some instruction in it is run in another way.
    pub(super) runs: bool,
}

impl Written {
    pub(super) fn has(&self, place: i32) -> bool {
        // Nothing writes self; instructions that write nothing name register 0.
        place != 0 && self.places.contains(&place)
    }
}

pub(super) struct Plan {
    pub(super) activations: Vec<Activation>,
    pub(super) entry: Key,
    /// Words of the unit's own code that belong to it.
    pub(super) region: (u32, u32),
    pub(super) order: Vec<Key>,
    pub(super) blocks: Map<Key, Blocks>,
    pub(super) block_count: usize,
    /// Of each block, the word of the last instruction, and how it ends.
    pub(super) endings: Map<Key, (u32, Ending)>,
    /// Of each loop's head.
    pub(super) written: Map<Key, Written>,
    /// The place behind all registers.
    pub(super) top: i32,
}

impl Plan {
    /// Whether machine code with values in registers is worth more than templates, roughly: instructions that it does itself, and
    /// calls that it inlines, against those that are run as templates run them. Loops count eight times.
    pub(super) fn is_worth_it(&self) -> bool {
        let mut gain = 0_i64;
        for (key, (last, ending)) in &self.endings {
            let flow = &self.activations[key.0].flow;
            let weight = 8_i64.pow(self.blocks[key].depth.min(4));
            let mut word = key.1;
            while word < *last {
                gain += weight * i64::from(is_gain(flow.insns[word as usize].op));
                word += flow.words_of(word);
            }
            gain += weight
                * match (ending, flow.insns[*last as usize].op) {
                    (Ending::Inlines(..) | Ending::Dispatches(_), _) => 3,
                    (Ending::Cold, _) => 0,
                    (Ending::Runs(_), Op::send_simple | Op::send_self) => 0,
                    (Ending::Runs(_), _) => -1,
                    (_, op) => i64::from(is_gain(op)),
                };
        }
        gain > 0
    }
}

/// Whether an instruction is faster with its operands in registers.
fn is_gain(op: Op) -> bool {
    use Op::{getlocal, move_, nop, putfalse, putfixnum, putnil, putobject, puttrue, putundef, setlocal};
    let is_move = matches!(
        op,
        getlocal | move_ | nop | putfalse | putfixnum | putnil | putobject | puttrue | putundef | setlocal
    );
    // Calls that stand inside of a block are answered or read an attribute.
    let is_call = matches!(op, Op::send_simple | Op::send_self);
    !is_move && (is_call || op == Op::checkmatch || has_code(op) || op.format().operands.ends_with(['f', 'k']))
}

/// What is inlined.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Inlining {
    /// Also what has no code for a few instructions that may be jumped over.
    More,
    Less,
}

/// What was read of each code, for all plans of a unit.
pub(super) type Flows = Map<CodeId, Rc<Flow>>;

/// Such instructions.
const MOST_UNCOVERED: usize = 2;

struct Planner<'w> {
    world: &'w dyn World,
    guesses: &'w Guesses,
    inlining: Inlining,
    flows: &'w mut Flows,
    activations: Vec<Activation>,
    inlined: Map<(Key, CodeId), usize>,
    endings: Map<Key, (u32, Ending)>,
    /// Words of the unit's own code that belong to it.
    region: (u32, u32),
    postorder: Vec<Key>,
    /// Blocks on the way from the entry.
    open: Set<Key>,
    seen: Set<Key>,
    back: Vec<(Key, Key)>,
    words: usize,
    /// See [`Planner::surely_calls`].
    surely_calling: Map<(CodeId, usize), bool>,
}

pub(super) fn plan(
    world: &dyn World,
    unit: Unit,
    guesses: &Guesses,
    inlining: Inlining,
    flows: &mut Flows,
) -> Result<Plan, Refusal> {
    let regions =
        if unit.word == 0 { vec![(0, u32::MAX)] } else { flow_of(world, flows, unit.code).loops_around(unit.word) };
    let entry = (0, unit.word);
    let mut refusal = Refusal::NoLoop;
    for region in regions {
        let mut planner = Planner::new(world, guesses, inlining, &mut *flows, unit.code, region);
        planner.visit(entry)?;
        let loops = planner.loops();
        let has_one_entry = |(head, body): (&Key, &Set<Key>)| *head == entry || !body.contains(&entry);
        if loops.iter().all(has_one_entry) {
            return Ok(planner.finish(entry, &loops));
        }
        refusal = Refusal::SeveralEntries;
    }
    Err(refusal)
}

fn flow_of(world: &dyn World, flows: &mut Flows, code: CodeId) -> Rc<Flow> {
    flows.entry(code).or_insert_with(|| Rc::new(Flow::new(world.iseq(code)))).clone()
}

impl<'w> Planner<'w> {
    /// For a unit of some code that ends where a region of its words does.
    fn new(
        world: &'w dyn World,
        guesses: &'w Guesses,
        inlining: Inlining,
        flows: &'w mut Flows,
        code: CodeId,
        region: (u32, u32),
    ) -> Planner<'w> {
        let mut planner = Planner {
            world,
            guesses,
            inlining,
            flows,
            activations: Vec::new(),
            inlined: Map::default(),
            endings: Map::default(),
            region,
            postorder: Vec::new(),
            open: Set::default(),
            seen: Set::default(),
            back: Vec::new(),
            words: 0,
            surely_calling: Map::default(),
        };
        let flow = planner.flow(code);
        planner.activations.push(Activation {
            code,
            flow,
            base: 0,
            parent: None,
            block: None,
            home: None,
            around: None,
            path: Path::new(),
            is_block: world.is_block(code),
        });
        planner
    }

    fn flow(&mut self, code: CodeId) -> Rc<Flow> {
        flow_of(self.world, self.flows, code)
    }

    fn visit(&mut self, key: Key) -> Result<(), Refusal> {
        self.seen.insert(key);
        self.open.insert(key);
        let (last, ending) = self.scan(key)?;
        for next in successors(&ending) {
            if self.open.contains(&next) {
                self.back.push((key, next));
            } else if !self.seen.contains(&next) {
                self.visit(next)?;
            }
        }
        self.endings.insert(key, (last, ending));
        self.open.remove(&key);
        self.postorder.push(key);
        Ok(())
    }

    /// Follows a block to its end.
    fn scan(&mut self, key: Key) -> Result<(u32, Ending), Refusal> {
        let (activation, mut word) = key;
        let flow = self.activations[activation].flow.clone();
        loop {
            if activation == 0 && !(self.region.0..=self.region.1).contains(&word) {
                return Ok((word, Ending::Leaves));
            }
            self.words += 1;
            if self.words > MOST_WORDS {
                return Err(Refusal::TooLarge);
            }
            if let Some(ending) = self.ending(activation, &flow, word)? {
                return Ok((word, ending));
            }
            let next = word + flow.words_of(word);
            if flow.is_target[next as usize] {
                return Ok((word, Ending::Falls((activation, next))));
            }
            word = next;
        }
    }

    /// How the block ends with the instruction at a word, if it does.
    fn ending(&mut self, activation: usize, flow: &Flow, word: u32) -> Result<Option<Ending>, Refusal> {
        let insn = flow.insns[word as usize];
        let next = (activation, word + flow.words_of(word));
        let code = self.activations[activation].code;
        if insn.op.fills_cell() && self.world.is_cold(code, word, insn.c) {
            return Ok(Some(Ending::Cold));
        }
        if self.is_generic(code, word) {
            return Ok(Some(self.without_code(activation, flow, word)));
        }
        Ok(match insn.op {
            Op::jump | Op::jump_back => Some(Ending::Jumps(vec![(activation, flow.target(word))])),
            Op::array_next => Some(Ending::Jumps(vec![(activation, flow.target(word + 1)), next])),
            Op::branchif | Op::branchunless => match self.known_truth(activation, flow, word) {
                Some(truth) if truth == (insn.op == Op::branchif) => {
                    Some(Ending::Jumps(vec![(activation, flow.target(word))]))
                }
                Some(_) => Some(Ending::Jumps(vec![next])),
                None => Some(Ending::Jumps(vec![(activation, flow.target(word)), next])),
            },
            Op::branchnil | Op::branchnotnil | Op::branchgiven => {
                Some(Ending::Jumps(vec![(activation, flow.target(word)), next]))
            }
            Op::leave => Some(Ending::Returns(activation, self.return_to(activation))),
            Op::break_from_block | Op::return_from_block => Some(match self.left(activation, word, insn.op) {
                Some(left) => Ending::Returns(left, self.return_to(left)),
                None => Ending::Leaves,
            }),
            Op::send_simple | Op::send_self | Op::send_block | Op::send => self.call(activation, flow, word, insn),
            Op::opt_new => self.new_object(activation, flow, word, insn),
            Op::invokeblock | Op::invokeblock_one => match self.yielded(activation, flow, word, insn) {
                Some(child) => Some(Ending::Inlines(child, (child, 0))),
                None => Some(self.without_code(activation, flow, word)),
            },
            Op::defined if insn.n == BLOCK_GIVEN && self.given(activation).is_some() => None,
            Op::splatarray if insn.n == 0 => None,
            Op::opt_newarray_send if is_extreme(insn) => None,
            op if is_operator(op)
                && let Some((child, begin)) = self.operator(activation, flow, word) =>
            {
                Some(Ending::Inlines(child, (child, begin)))
            }
            Op::checkmatch if insn.n != 1 => None,
            op if op.format().is_fused() => Some(Ending::Jumps(vec![(activation, flow.target(word + 2)), next])),
            op if has_code(op) => None,
            op if takes_leaf(op) && self.has_leaf(code, word) => None,
            _ => Some(self.without_code(activation, flow, word)),
        })
    }

    /// Whether an instruction has no code, or guesses at its operands were wrong too often.
    fn is_generic(&self, code: CodeId, word: u32) -> bool {
        let op = self.world.iseq(code).insns[word as usize].op;
        // Those that guess nothing bear the exits of others.
        let guesses = !is_end(op) && (!has_branch(op) || op.format().operands.ends_with(['f', 'k']));
        guesses && (self.guesses.generic.contains(&(code, word)) || self.world.is_unlike(code, word))
    }

    fn has_leaf(&self, code: CodeId, word: u32) -> bool {
        let is_literal = || self.world.literal_header(code, word).is_some();
        self.world.leaf(code, word).is_some() || self.world.primitive(code, word).is_some() || is_literal()
    }

    fn return_to(&self, activation: usize) -> Option<Key> {
        let (parent, call) = self.activations[activation].parent?;
        let flow = &self.activations[parent].flow;
        Some((parent, flow.behind_call(call)))
    }

    /// The activation that a block's `break` or `return` leaves, if the unit has it and nothing runs on the way out.
    fn left(&self, activation: usize, word: u32, op: Op) -> Option<usize> {
        let mut home = activation;
        while let Some(around) = self.activations[home].home {
            home = around;
            if op == Op::break_from_block {
                break;
            }
        }
        // Units of blocks have none, and the bodies of scripts, classes and `eval` are left in another way.
        let is_own = home == activation || op == Op::return_from_block;
        let is_method = self.world.iseq(self.activations[home].code).kind == IseqKind::Method;
        let runs_as_method = matches!(self.activations[home].around, Some(Around::Address(_)));
        if is_own && !is_method && !runs_as_method {
            return None;
        }
        let (mut at, mut resume) = (activation, word + 1);
        loop {
            let catches = &self.world.iseq(self.activations[at].code).catches;
            if catches.iter().any(|entry| entry.runs_on_leaving(resume)) {
                return None;
            }
            let parent = self.activations[at].parent;
            let ends_here = if is_own { at == home } else { parent.is_some_and(|(parent, _)| parent == home) };
            if ends_here {
                return Some(at);
            }
            let (caller, call) = parent?;
            (at, resume) = (caller, self.activations[caller].flow.behind_call(call));
        }
    }

    /// An instruction that is run in another way.
    fn without_code(&mut self, activation: usize, flow: &Flow, word: u32) -> Ending {
        if is_end(flow.insns[word as usize].op) {
            return Ending::Leaves;
        }
        let mut next = vec![(activation, word + flow.run_of(word))];
        next.extend(flow.branch_word(word).map(|branch| (activation, flow.target(branch))));
        Ending::Runs(next)
    }

    /// What `block_given?` in the block's last instruction before a branch says, or what a block knows of the
    /// values that it packs.
    fn known_truth(&self, activation: usize, flow: &Flow, word: u32) -> Option<bool> {
        let insn = flow.insns[word as usize];
        let tells_groups = self.world.iseq(self.activations[activation].code).flags.tells_groups;
        if tells_groups && let Some((parent, call)) = self.activations[activation].parent {
            // It is inlined for one argument and for two.
            let is_paired = arguments(self.activations[parent].flow.insns[call as usize]) == 2;
            match insn.a {
                2 => return Some(false),
                3 => return Some(is_paired),
                _ => {}
            }
        }
        let before = flow.insns[word.checked_sub(1)? as usize];
        // The builder has it say yes.
        if before.op == Op::casehas && before.a == insn.a && !flow.is_target[word as usize] {
            return Some(true);
        }
        let is_asked = before.op == Op::defined && before.n == BLOCK_GIVEN;
        let is_direct = is_asked && before.a == insn.a && !flow.is_target[word as usize];
        if is_direct { self.given(activation) } else { None }
    }

    /// Whether an inlined method is called with a block.
    fn given(&self, activation: usize) -> Option<bool> {
        let method = self.method_of(activation)?;
        Some(self.activations[method].block.is_some())
    }

    /// The inlined method that an activation is, or whose blocks it is in.
    fn method_of(&self, mut activation: usize) -> Option<usize> {
        while self.activations[activation].is_block {
            activation = self.activations[activation].home?;
        }
        (activation > 0).then_some(activation)
    }

    fn call(&mut self, activation: usize, flow: &Flow, word: u32, insn: Insn) -> Option<Ending> {
        let code = self.activations[activation].code;
        if let Some(sent) = self.sent(code, flow, word, insn) {
            let SentTo::Method(plain) = sent.to else { return None };
            let child = self.inline(activation, word, insn, plain.code, plain.around);
            return Some(match child {
                Some(child) => Ending::Inlines(child, (child, plain.word)),
                None => self.without_code(activation, flow, word),
            });
        }
        let call = self.world.call(code, insn.c);
        let method = match call.map(|call| call.target) {
            Some(target) if target.is_without_frame() && insn.op != Op::send_block => return None,
            Some(Target::Method(plain)) if insn.op != Op::send => Some((plain.code, plain.word, plain.around)),
            Some(Target::Bound(bound)) => Some((bound.code, bound.word, None)),
            Some(Target::Splat(splat)) if insn.op == Op::send => {
                let passes = |register| self.passes_block(activation, flow, word, insn.b + register);
                splat.block().is_none_or(passes).then_some((splat.code, splat.word, None))
            }
            Some(Target::Passing { method, block }) if insn.op == Op::send => {
                self.passes_block(activation, flow, word, insn.b + block).then_some((method.code, method.word, None))
            }
            _ => None,
        };
        if let Some((method, begin, around)) = method
            && let Some(child) = self.inline(activation, word, insn, method, around)
        {
            return Some(Ending::Inlines(child, (child, begin)));
        }
        let dispatch = self.dispatch(activation, flow, word, insn);
        Some(dispatch.unwrap_or_else(|| self.without_code(activation, flow, word)))
    }

    /// What a call leads to that is a `send` of a literal name.
    fn sent(&self, code: CodeId, flow: &Flow, word: u32, insn: Insn) -> Option<Sent> {
        if !matches!(insn.op, Op::send_simple | Op::send_self) || insn.n == 0 {
            return None;
        }
        let writer = flow.insns[flow.writer_before(word, insn.b + 1)? as usize];
        let name = (writer.op == Op::putobject).then(|| self.world.literal(code, writer.d() as usize))?;
        self.world.sent(code, insn.c, name)
    }

    /// A call whose cell knows some shapes, if each of them leads to a method that is inlined or to an attribute.
    fn dispatch(&mut self, activation: usize, flow: &Flow, word: u32, insn: Insn) -> Option<Ending> {
        let code = self.activations[activation].code;
        let calls = self.world.calls(code, insn.c);
        if !(2..=MOST_WAYS).contains(&calls.len()) || insn.op == Op::send {
            return None;
        }
        let mut ways = Vec::new();
        for call in calls {
            ways.push(match call.target {
                Target::Method(plain) => {
                    let child = self.inline(activation, word, insn, plain.code, plain.around)?;
                    Way { call, child: Some(child), to: (child, plain.word) }
                }
                Target::Reader { .. } | Target::ReaderAbsent | Target::Writer { .. } if insn.op != Op::send_block => {
                    Way { call, child: None, to: (activation, word + flow.words_of(word)) }
                }
                _ => return None,
            });
        }
        Some(Ending::Dispatches(ways))
    }

    /// `new` of a class whose `initialize` is inlined.
    fn new_object(&mut self, activation: usize, flow: &Flow, word: u32, insn: Insn) -> Option<Ending> {
        let code = self.activations[activation].code;
        let inlined = match self.construction(code, flow, word) {
            Some(Target::Native) => return None,
            Some(Target::Method(plain)) => {
                self.inline(activation, word, insn, plain.code, None).map(|child| (child, plain.word))
            }
            Some(Target::Bound(bound)) => {
                self.inline(activation, word, insn, bound.code, None).map(|child| (child, bound.word))
            }
            _ => None,
        };
        Some(match inlined {
            Some((child, begin)) => Ending::Inlines(child, (child, begin)),
            None => self.without_code(activation, flow, word),
        })
    }

    /// An operator that is a method in Ruby, as far as its cell knows, and where that begins.
    fn operator(&mut self, activation: usize, flow: &Flow, word: u32) -> Option<(usize, u32)> {
        let code = self.activations[activation].code;
        let (insn, call) = (flow.insns[word as usize], flow.insns[word as usize + 1]);
        let is_plain = insn.n == 0 && !self.guesses.not_called.contains(&(code, word));
        if !is_plain || self.world.was_wrong(code, word) {
            return None;
        }
        let Target::Method(plain) = self.world.call(code, call.c)?.target else { return None };
        let child = self.inline(activation, word, call, plain.code, plain.around)?;
        Some((child, plain.word))
    }

    /// What the `new` at a word calls, if a constant names the class.
    fn construction(&self, code: CodeId, flow: &Flow, word: u32) -> Option<Target> {
        let writer = flow.writer_before(word, flow.insns[word as usize].b)?;
        let insn = flow.insns[writer as usize];
        let class = (insn.op == Op::getconstant).then(|| self.world.constant(code, insn.c))??;
        Some(self.world.construction(code, word, class.value)?.target)
    }

    fn inline(
        &mut self,
        activation: usize,
        word: u32,
        insn: Insn,
        method: CodeId,
        around: Option<u64>,
    ) -> Option<usize> {
        if let Some(child) = self.inlined.get(&((activation, word), method)) {
            return Some(*child);
        }
        let code = self.activations[activation].code;
        let block = match insn.op {
            Op::send_block => Some((self.world.block(code, insn.c)?, activation)),
            Op::send if passes_block(self.world.call(code, insn.c)?.target) => {
                self.activations[self.method_of(activation)?].block
            }
            _ => None,
        };
        let times = self.chain(activation).filter(|code| *code == method).count();
        let is_small = || self.world.iseq(method).insns.len() <= MOST_RECURSIVE;
        if times > 1 || times == 1 && !is_small() || !self.fits(activation, method) {
            return None;
        }
        if let Some((block, _)) = block
            && (!self.fits(activation, block) || !self.is_covered(block))
        {
            return None;
        }
        if block.is_none() && !self.is_covered(method) {
            return None;
        }
        if self.world.layout().is_crowded
            && block.is_none()
            && self.surely_calls(method, self.chain(activation).count())
        {
            return None;
        }
        let base = self.activations[activation].base + i32::from(insn.b);
        let child = self.activate(activation, word, method, base, block, None);
        self.activations[child].is_block = around.is_some();
        self.activations[child].around = around.map(Around::Address);
        Some(child)
    }

    /// Whether the straight way through a method that is called at a depth leads to a call that is not inlined. Inlining such a method saves its
    /// own call but not that one, for which the frames of both are made, and each place that it is called from has a copy of that code.
    fn surely_calls(&mut self, code: CodeId, depth: usize) -> bool {
        if let Some(known) = self.surely_calling.get(&(code, depth)) {
            return *known;
        }
        self.surely_calling.insert((code, depth), true);
        let flow = self.flow(code);
        let mut calls = false;
        for word in flow.instructions() {
            let insn = flow.insns[*word as usize];
            let is_cold = insn.op.fills_cell() && self.world.is_cold(code, *word, insn.c);
            if is_cold || has_branch(insn.op) || is_end(insn.op) {
                break;
            }
            if matches!(insn.op, Op::send_simple | Op::send_self)
                && self.sent(code, &flow, *word, insn).is_none()
                && let Some(Target::Method(plain)) = self.world.call(code, insn.c).map(|call| call.target)
                && (!self.fits_at(depth + 1, plain.code)
                    || !self.is_covered(plain.code)
                    || self.surely_calls(plain.code, depth + 1))
            {
                calls = true;
                break;
            }
        }
        self.surely_calling.insert((code, depth), calls);
        calls
    }

    /// Whether a register holds the block of the inlined method around, or nil if it has none.
    fn passes_block(&self, activation: usize, flow: &Flow, word: u32, register: u16) -> bool {
        let writer = flow.writer_before(word, register).map(|writer| flow.insns[writer as usize].op);
        writer == Some(Op::getblockparamproxy) && self.method_of(activation).is_some()
    }

    fn chain(&self, activation: usize) -> impl Iterator<Item = CodeId> + '_ {
        let parent = |at: &usize| self.activations[*at].parent.map(|(parent, _)| parent);
        std::iter::successors(Some(activation), parent).map(|at| self.activations[at].code)
    }

    /// Code that may be inlined at all.
    fn fits(&mut self, activation: usize, code: CodeId) -> bool {
        self.fits_at(self.chain(activation).count(), code)
    }

    fn fits_at(&mut self, depth: usize, code: CodeId) -> bool {
        let flow = self.flow(code);
        let flags = self.world.iseq(code).flags;
        !flags.uses_binding && flow.insns.len() <= MOST_INLINED && depth < MOST_DEPTH
    }

    /// Whether all of what code does first has machine code: nothing is won by a way out in the middle.
    fn is_covered(&mut self, code: CodeId) -> bool {
        let flow = self.flow(code);
        let is_jumped_over = |word: u32| {
            let before = flow.instructions().iter().take_while(|one| **one < word);
            let over = |one: &u32| flow.branch_word(*one).is_some_and(|branch| flow.target(branch) > word);
            before.copied().any(|one| flow.insns[one as usize].op != Op::jump && over(&one))
        };
        let mut left = if self.inlining == Inlining::More { MOST_UNCOVERED } else { 0 };
        flow.instructions().iter().all(|word| {
            let insn = flow.insns[*word as usize];
            let is_call = matches!(insn.op, Op::send_simple | Op::send_self | Op::send_block | Op::send);
            let is_failing = self.is_generic(code, *word);
            let is_known = has_code(insn.op)
                || insn.op == Op::splatarray && insn.n == 0
                || insn.op == Op::opt_newarray_send && is_extreme(insn)
                || insn.op == Op::checkmatch && insn.n != 1
                || takes_leaf(insn.op) && self.has_leaf(code, *word)
                || has_branch(insn.op)
                || is_end(insn.op)
                || matches!(insn.op, Op::invokeblock | Op::invokeblock_one)
                || insn.op.fills_cell() && self.world.is_cold(code, *word, insn.c)
                || is_call && self.world.call(code, insn.c).is_some()
                || is_call && !self.world.calls(code, insn.c).is_empty()
                || is_call && self.sent(code, &flow, *word, insn).is_some()
                || insn.op == Op::opt_new && self.construction(code, &flow, *word).is_some();
            let is_covered = is_known && !is_failing;
            if !is_covered && left > 0 && is_jumped_over(*word) {
                left -= 1;
                return true;
            }
            is_covered
        })
    }

    fn activate(
        &mut self,
        parent: usize,
        word: u32,
        code: CodeId,
        base: i32,
        block: Option<(CodeId, usize)>,
        home: Option<usize>,
    ) -> usize {
        let mut path = self.activations[parent].path.clone();
        path.push((self.activations[parent].code, word));
        let flow = self.flow(code);
        let is_block = home.is_some();
        self.activations.push(Activation {
            code,
            flow,
            base,
            parent: Some((parent, word)),
            block,
            home,
            around: None,
            path,
            is_block,
        });
        self.inlined.insert(((parent, word), code), self.activations.len() - 1);
        self.activations.len() - 1
    }

    /// Whether an activation is the unit's own method, or a block in it.
    fn is_in_own_method(&self, mut activation: usize) -> bool {
        while let Some(home) = self.activations[activation].home {
            activation = home;
        }
        activation == 0 && !self.activations[0].is_block
    }

    /// The literal block that a `yield` leads to, and its home, if the unit has that. The unit's own method is compiled for the block
    /// that the running frame was called with, where it yields in a loop: that may turn for long.
    fn block_of(&self, activation: usize, word: u32) -> Option<(CodeId, Option<usize>)> {
        if let Some(method) = self.method_of(activation) {
            return self.activations[method].block.map(|(block, home)| (block, Some(home)));
        }
        let one = &self.activations[activation];
        let is_own = self.is_in_own_method(activation) && (activation != 0 || one.flow.loop_around(word).is_some());
        if !is_own {
            return None;
        }
        self.world.own_block().map(|block| (block, None))
    }

    /// A `yield` to a literal block that is known.
    fn yielded(&mut self, activation: usize, _flow: &Flow, word: u32, insn: Insn) -> Option<usize> {
        let (block, home) = self.block_of(activation, word)?;
        if let Some(child) = self.inlined.get(&((activation, word), block)) {
            return Some(*child);
        }
        let n = arguments(insn);
        let takes = match n {
            _ if n < 8 && self.world.yields_in_place(block, n) => true,
            1 => self.world.takes_apart(block).is_some(),
            2 => self.world.iseq(block).flags.tells_groups,
            AS_SITE => self.world.yields_keywords(self.activations[activation].code, insn.c, block).is_some(),
            _ => false,
        };
        if !takes || !self.fits(activation, block) {
            return None;
        }
        let base = self.activations[activation].base + i32::from(insn.b);
        let child = self.activate(activation, word, block, base, None, home);
        if home.is_none() {
            self.activations[child].is_block = true;
            self.activations[child].around = Some(Around::OfCaller);
        }
        Some(child)
    }

    // ---- the order ----

    fn finish(mut self, entry: Key, loops: &Map<Key, Set<Key>>) -> Plan {
        let order: Vec<Key> = self.postorder.iter().rev().copied().collect();
        let mut blocks = Map::default();
        // The first block is the entry.
        let mut count = 1;
        let mut new = || {
            count += 1;
            BlockId(count - 1)
        };
        for key in &order {
            let is_head = loops.contains_key(key);
            let before = new();
            let block = if is_head { new() } else { before };
            let (last, ending) = &self.endings[key];
            let mut splits = vec![None; 2];
            if let Ending::Dispatches(ways) = ending {
                splits = (0..2 * ways.len()).map(|_| Some(new())).collect();
            }
            if let Ending::Runs(to) = ending {
                splits[..to.len()].fill_with(|| Some(new()));
            }
            if let Ending::Jumps(to) = ending
                && to.len() == 2
            {
                for (number, to) in to.iter().enumerate() {
                    let polls = number == 0 && self.goes_back(key.0, *last);
                    if polls || self.back.contains(&(*key, *to)) {
                        splits[number] = Some(new());
                    }
                }
            }
            let depth = loops.values().filter(|body| body.contains(key)).count() as u32;
            blocks.insert(*key, Blocks { before, block, splits, depth });
        }
        let written = loops.iter().map(|(head, body)| (*head, self.written(body))).collect();
        let size = |one: &Activation| one.base + i32::from(one.flow.frame_size);
        let top = self.activations.iter().map(size).max().unwrap_or(0);
        let activations = std::mem::take(&mut self.activations);
        let endings = std::mem::take(&mut self.endings);
        let region = self.region;
        Plan { activations, entry, region, order, blocks, block_count: count as usize, endings, written, top }
    }

    /// Whether the instruction at a word jumps backwards, and so polls.
    fn goes_back(&self, activation: usize, word: u32) -> bool {
        let flow = &self.activations[activation].flow;
        flow.branch_word(word).is_some_and(|branch| flow.target(branch) <= word)
    }

    /// The blocks of each loop, by its head. If a loop has another entry than its head, the unit's entry is among its blocks.
    fn loops(&self) -> Map<Key, Set<Key>> {
        let mut before: Map<Key, Vec<Key>> = Map::default();
        for (key, (_, ending)) in &self.endings {
            successors(ending).into_iter().for_each(|next| before.entry(next).or_default().push(*key));
        }
        let mut loops: Map<Key, Set<Key>> = Map::default();
        for (from, head) in &self.back {
            let body = loops.entry(*head).or_default();
            body.insert(*head);
            let mut work = vec![*from];
            while let Some(key) = work.pop() {
                if body.insert(key) {
                    work.extend(before.get(&key).into_iter().flatten());
                }
            }
        }
        loops
    }

    fn written(&self, body: &Set<Key>) -> Written {
        let mut written = Written::default();
        for key in body {
            let (last, ending) = &self.endings[key];
            let one = &self.activations[key.0];
            let mut word = key.1;
            while word <= *last {
                self.add_written(one, key.0, word, &mut written);
                word += one.flow.words_of(word);
            }
            if let Ending::Runs(_) = ending {
                written.runs = true;
                written.places.extend(self.written_by(key.0, *last));
            }
            let inlined: Vec<usize> = match ending {
                Ending::Inlines(child, _) => vec![*child],
                Ending::Dispatches(ways) => ways.iter().filter_map(|way| way.child).collect(),
                _ => Vec::new(),
            };
            for child in inlined {
                let child = &self.activations[child];
                written.places.extend((0..i32::from(child.flow.frame_size)).map(|register| child.base + register));
            }
        }
        written
    }

    fn add_written(&self, one: &Activation, activation: usize, word: u32, written: &mut Written) {
        let insn = one.flow.insns[word as usize];
        let places = &mut written.places;
        if insn.op == Op::setlocal {
            written.captured.insert((activation, insn.c, insn.b));
            if let Some(home) = self.home_of(activation, insn.c) {
                places.insert(self.activations[home].base + i32::from(insn.b));
            }
            return;
        }
        let ext = if insn.op.format().has_ext() { one.flow.insns[word as usize + 1].a } else { insn.a };
        // Too many do no harm.
        places.extend([insn.a, ext].map(|register| one.base + i32::from(register)));
        match insn.op {
            Op::array_next => _ = places.insert(one.base + i32::from(insn.c)),
            Op::opt_new => _ = places.insert(one.base + i32::from(one.flow.result_of(word))),
            Op::expandarray => places.extend((0..insn.c).map(|at| one.base + i32::from(insn.a + at))),
            _ => {}
        }
    }

    fn home_of(&self, activation: usize, depth: u16) -> Option<usize> {
        home_of(&self.activations, activation, depth)
    }

    fn written_by(&self, activation: usize, word: u32) -> Vec<i32> {
        written_by(&self.activations, activation, word)
    }
}

/// Places that the instructions which are run at a word may write, captured ones aside.
pub(super) fn written_by(activations: &[Activation], activation: usize, word: u32) -> Vec<i32> {
    let one = &activations[activation];
    let insn = one.flow.insns[word as usize];
    let mut found: Vec<i32> =
        one.flow.written_by(word).into_iter().map(|register| one.base + i32::from(register)).collect();
    if matches!(insn.op, Op::getblockparam | Op::getblockparamproxy)
        && let Some(home) = home_of(activations, activation, insn.c)
    {
        found.push(activations[home].base + i32::from(insn.b));
    }
    found
}

/// The activation whose frame is the environment so many levels up, if the unit has it.
pub(super) fn home_of(activations: &[Activation], activation: usize, depth: u16) -> Option<usize> {
    (0..depth).try_fold(activation, |at, _| activations[at].home)
}

/// Whether a call passes on a block with `&`.
fn passes_block(target: Target) -> bool {
    match target {
        Target::Passing { .. } => true,
        Target::Splat(splat) => splat.has_block,
        _ => false,
    }
}

/// Of a `yield` whose arguments its call site describes.
pub(super) const AS_SITE: u8 = u8::MAX;

/// How many a `yield` has, or [`AS_SITE`].
pub(super) fn arguments(insn: Insn) -> u8 {
    if insn.op == Op::invokeblock_one { 1 } else { insn.n }
}

/// In this order: the last is built first behind the block.
fn successors(ending: &Ending) -> Vec<Key> {
    match ending {
        Ending::Falls(next) | Ending::Inlines(_, next) | Ending::Returns(_, Some(next)) => vec![*next],
        // A way back is visited last, so that what follows a loop stands behind it.
        Ending::Jumps(to) if to.len() == 2 && to[0].0 == to[1].0 && to[0].1 < to[1].1 => vec![to[1], to[0]],
        Ending::Jumps(to) => to.clone(),
        Ending::Dispatches(ways) => ways.iter().map(|way| way.to).collect(),
        Ending::Runs(to) => to.iter().rev().copied().collect(),
        Ending::Returns(_, None) | Ending::Leaves | Ending::Cold => Vec::new(),
    }
}

/// Where a frame ends, or the flow of control is the interpreter's.
fn is_end(op: Op) -> bool {
    matches!(op, Op::return_from_block | Op::break_from_block | Op::throw_jump | Op::rethrow | Op::raise_nomatch)
}

fn has_branch(op: Op) -> bool {
    op.format().is_fused()
        || matches!(
            op,
            Op::jump
                | Op::jump_back
                | Op::branchif
                | Op::branchunless
                | Op::branchnil
                | Op::branchnotnil
                | Op::branchgiven
                | Op::array_next
                | Op::leave
        )
}

/// Operators that may be calls of methods, without an operand or with one that is a register or a small number.
pub(super) fn is_operator(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        opt_plus
            | opt_minus
            | opt_mult
            | opt_div
            | opt_mod
            | opt_and
            | opt_or
            | opt_xor
            | opt_ltlt
            | opt_gtgt
            | opt_lt
            | opt_le
            | opt_gt
            | opt_ge
            | opt_eq
            | cmp_lt
            | cmp_le
            | cmp_gt
            | cmp_ge
            | cmp_eq
            | cmp_lt_imm
            | cmp_le_imm
            | cmp_gt_imm
            | cmp_ge_imm
            | cmp_eq_imm
            | checkmatch
            | opt_aref
            | opt_plus_imm
            | opt_minus_imm
            | opt_and_imm
            | opt_lt_imm
            | opt_eq_imm
            | opt_aref_imm
            | opt_length
            | opt_size
            | opt_empty_p
    )
}

/// The larger or smaller of two values.
fn is_extreme(insn: Insn) -> bool {
    insn.c == 2 && matches!(insn.n, newarray_send::MAX | newarray_send::MIN)
}

/// Instructions that a function of the VM does, if it has one for them.
fn takes_leaf(op: Op) -> bool {
    use Op::{arrayat, duparray, invokeprimitive, newarray, newrange, pusharray, putchilledstring, putstring};
    matches!(op, arrayat | duparray | invokeprimitive | newarray | newrange | pusharray | putchilledstring | putstring)
}

/// Instructions that `insns` translates.
fn has_code(op: Op) -> bool {
    use Op::*;
    matches!(
        op,
        nop | move_
            | putnil
            | puttrue
            | putfalse
            | putundef
            | putfixnum
            | putobject
            | casehas
            | getlocal
            | getblockparamproxy
            | setlocal
            | getinstancevariable
            | setinstancevariable
            | getfield
            | setfield
            | getconstant
            | opt_plus
            | opt_minus
            | opt_mult
            | opt_div
            | opt_mod
            | opt_and
            | opt_or
            | opt_xor
            | opt_gtgt
            | opt_ltlt
            | opt_plus_imm
            | opt_minus_imm
            | opt_and_imm
            | opt_succ
            | opt_uminus
            | opt_lt
            | opt_le
            | opt_gt
            | opt_ge
            | opt_eq
            | opt_neq
            | opt_lt_imm
            | opt_eq_imm
            | opt_not
            | opt_nil_p
            | opt_length
            | opt_size
            | opt_empty_p
            | opt_aref
            | opt_aref_imm
            | opt_aset
            | arraysize
            | expandarray
            | objtostring
            | anytostring
    )
}
