//! Instructions.

use super::plan::{AS_SITE, BLOCK_GIVEN, Ending, Key, Way, arguments, home_of, written_by};
use super::state::State;
use super::{Activation, Builder, Making};
use crate::Refusal;
use crate::graph::{
    Around, BlockId, Cause, Edge, End, Float, Inner, Inst, Integer, Node, Others, Relation, Run, Test, Type,
};
use crate::world::{
    Answer, Beside, BesideAt, Bound, Call, Construction, Field, Given, InPlace, Leaf, Members, OfShape, Primitive,
    Sample, Sent, SentTo, Splat, Target,
};
use carat_iseq::{Insn, Op, newarray_send};

/// There is no code for an instruction with these operands.
struct NoCode;

type Done<T = ()> = Result<T, NoCode>;

/// Where an environment is that the unit does not have.
pub(super) enum Outside {
    /// At an address, or above what is there: a block that runs as a method has it around.
    Address(u64),
    Of(Inner),
}

/// What numbers an operation is for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbers {
    Fixnums,
    Doubles,
}

impl Builder<'_> {
    /// Translates the block at hand.
    pub(super) fn run_block(&mut self, key: Key) -> Result<(), Refusal> {
        let (last, ending) = self.plan.endings[&key].clone();
        let flow = self.plan.activations[key.0].flow.clone();
        self.word = key.1;
        while self.word < last {
            if self.insn(flow.insns[self.word as usize]).is_err() {
                self.note_generic();
            }
            self.word += flow.words_of(self.word);
            self.exit = None;
        }
        let insn = flow.insns[last as usize];
        if self.end(key, &ending, insn).is_err() {
            let is_operator = matches!(ending, Ending::Inlines(..)) && insn.op.format().has_ext();
            if is_operator {
                self.guesses.not_called.insert((self.plan.activations[key.0].code, last));
                self.is_stale = true;
                let exit = self.exit();
                self.graph.block_mut(self.block).end = End::Leave(exit);
            } else {
                self.give_up();
            }
        }
        Ok(())
    }

    /// Notes that the instruction at hand has no code; the unit is built anew. What comes behind is looked at nevertheless.
    fn note_generic(&mut self) {
        let code = self.plan.activations[self.activation].code;
        self.guesses.generic.insert((code, self.word));
        self.is_stale = true;
        for place in written_by(&self.plan.activations, self.activation, self.word) {
            let unknown = self.home(place, Type::Any);
            self.state.set(place, unknown);
        }
    }

    fn give_up(&mut self) {
        self.note_generic();
        let exit = self.exit();
        self.graph.block_mut(self.block).end = End::Leave(exit);
    }

    // ---- what is run in another way ----

    fn run(&mut self, key: Key, to: &[Key]) {
        let exit = self.exit();
        let (from, word, before) = (self.block, self.word, self.state.clone());
        let one = &self.plan.activations[self.activation];
        let (words, op) = (one.flow.run_of(word), one.flow.insns[word as usize].op);
        let run = Run { code: one.code, base: one.base, word, words, op };
        let splits = self.plan.blocks[&key].splits.clone();
        let edges = splits.iter().flatten().map(|split| Edge { to: *split, args: Vec::new() }).collect();
        self.graph.block_mut(from).end = End::Run(exit, run, edges);
        let depth = self.graph.block(from).depth;
        for (split, to) in splits.into_iter().flatten().zip(to) {
            self.graph.block_mut(split).depth = depth;
            self.block = split;
            self.go_on_behind(&before, word, *to);
            self.jump(*to);
        }
    }

    /// Makes the state behind an instruction that was run in another way: everything is in the frame.
    fn go_on_behind(&mut self, before: &State, word: u32, to: Key) {
        (self.activation, self.word) = to;
        self.exit = None;
        let written = written_by(&self.plan.activations, to.0, word);
        self.state = State::default();
        for place in self.live_places(to).iter().copied() {
            let known = before.get(place).filter(|_| !written.contains(&place));
            let is_local = self.is_local(to.0, place);
            let node = match known {
                Some(node) if !is_local && matches!(self.graph.value(node).inst, Inst::Word(_)) => node,
                Some(node) => {
                    let typ = match before.type_of(&self.graph, node) {
                        typ @ (Type::Fixnum | Type::Special) if !is_local => typ,
                        _ => Type::Any,
                    };
                    let home = self.home(place, typ);
                    match before.type_of(&self.graph, node) {
                        Type::Double => _ = self.samples.insert(home, Sample(self.world.layout().flonum_zero)),
                        _ => self.copy_sample(node, home),
                    }
                    home
                }
                None => self.home(place, Type::Any),
            };
            self.state.set(place, node);
            self.state.set_stored(place, node);
        }
        self.state.set_there(self.plan.activations[to.0].base);
        let mut at = to.0;
        while let Some((parent, _)) = self.plan.activations[at].parent {
            let base = self.plan.activations[at].base;
            self.guard(Inst::OwnsEnvironment(base));
            at = parent;
        }
        self.guard_own_environment();
    }

    fn end(&mut self, key: Key, ending: &Ending, insn: Insn) -> Done {
        match ending {
            Ending::Falls(next) => {
                if self.insn(insn).is_err() {
                    self.note_generic();
                }
                self.exit = None;
                self.jump(*next);
            }
            Ending::Jumps(to) => match to[..] {
                [yes, no] => self.end_by_branch(key, insn, yes, no)?,
                _ => {
                    if insn.op == Op::jump_back || insn.op == Op::jump && insn.d() < 0 {
                        self.guard(Inst::Poll);
                    }
                    self.exit = None;
                    self.jump(to[0]);
                }
            },
            Ending::Inlines(child, next) => {
                self.enter_inlined(*child, insn)?;
                self.exit = None;
                self.jump(*next);
            }
            Ending::Dispatches(ways) => self.dispatch(key, insn, ways)?,
            Ending::Returns(_, None) => {
                let value = self.register(insn.a);
                let value = self.any(value);
                self.graph.block_mut(self.block).end = End::Return(value);
            }
            Ending::Returns(left, Some(next)) => {
                let value = self.register(insn.a);
                self.return_from_inlined(*left, value);
                self.exit = None;
                self.jump(*next);
            }
            Ending::Runs(to) => self.run(key, to),
            Ending::Cold => {
                let exit = self.exit();
                self.graph.block_mut(self.block).end = End::Leave(exit);
            }
            Ending::Leaves => {
                let exit = self.exit_for(Cause::Other);
                self.graph.block_mut(self.block).end = End::Leave(exit);
            }
        }
        Ok(())
    }

    // ---- registers ----

    fn place(&self, register: u16) -> i32 {
        self.plan.activations[self.activation].base + i32::from(register)
    }

    fn register(&mut self, register: u16) -> Node {
        let place = self.place(register);
        match self.state.get(place) {
            Some(node) => node,
            None => self.nil(),
        }
    }

    fn set(&mut self, register: u16, node: Node) {
        let place = self.place(register);
        self.state.set(place, node);
    }

    /// What the destination of an operator is.
    fn destination(&self, insn: Insn) -> u16 {
        let flow = &self.plan.activations[self.activation].flow;
        if insn.op.format().has_ext() { flow.insns[self.word as usize + 1].a } else { insn.a }
    }

    // ---- calls ----

    /// Checks what a call finds, and makes the window the callee's frame.
    fn enter_inlined(&mut self, child: usize, insn: Insn) -> Done {
        if insn.op == Op::opt_new {
            return self.enter_initialize(child, insn);
        }
        if insn.op.format().has_ext() {
            return self.enter_operator(child, insn);
        }
        if matches!(insn.op, Op::invokeblock | Op::invokeblock_one) {
            return self.enter_yielded(child, insn);
        }
        if insn.op == Op::send_self {
            let receiver = self.register(0);
            self.set(insn.b, receiver);
        }
        let code = self.plan.activations[self.activation].code;
        let Some(call) = self.world.call(code, insn.c) else { return self.enter_sent(child, insn) };
        let receiver = self.register(insn.b);
        self.check_shape(receiver, call.shape)?;
        self.guard(Inst::Stands(call.epoch));
        match call.target {
            Target::Splat(splat) => return self.enter_with_list(child, insn.b, splat),
            Target::Passing { block, .. } => self.check_passed(child, insn.b + block)?,
            _ => {}
        }
        self.place_parameters(child, call.target)
    }

    /// The same of a `send` of a name that is known: the arguments take the place of the name.
    fn enter_sent(&mut self, child: usize, insn: Insn) -> Done {
        let sent = self.sent(insn)?;
        let SentTo::Method(plain) = sent.to else { return Err(NoCode) };
        self.check_sent(insn, &sent)?;
        for at in 1..u16::from(insn.n) {
            let argument = self.register(insn.b + at + 1);
            self.set(insn.b + at, argument);
        }
        self.place_parameters(child, Target::Method(plain))
    }

    /// What a `send` leads to whose name is known here.
    fn sent(&mut self, insn: Insn) -> Done<Sent> {
        if insn.n == 0 {
            return Err(NoCode);
        }
        let code = self.plan.activations[self.activation].code;
        let name = self.register(insn.b + 1);
        let Inst::Word(name) = self.graph.value(name).inst else { return Err(NoCode) };
        self.world.sent(code, insn.c, name).ok_or(NoCode)
    }

    /// Checks that it leads there; its receiver.
    fn check_sent(&mut self, insn: Insn, sent: &Sent) -> Done<Node> {
        let receiver = self.register(if insn.op == Op::send_self { 0 } else { insn.b });
        self.check_shape(receiver, sent.shape)?;
        sent.epochs.into_iter().for_each(|epoch| self.guard(Inst::Stands(epoch)));
        Ok(receiver)
    }

    /// The same of a `yield` to a literal block.
    fn enter_yielded(&mut self, child: usize, insn: Insn) -> Done {
        let n = arguments(insn);
        if insn.op == Op::invokeblock_one {
            let value = self.register(u16::from(insn.n));
            self.set(insn.b + 1, value);
        }
        let block = self.plan.activations[child].code;
        let receiver = match self.plan.activations[child].home {
            Some(home) => self.state.get(self.plan.activations[home].base).ok_or(NoCode)?,
            None => {
                self.check_own_block();
                self.outer(Inner::Block, 1, 0)
            }
        };
        if n == AS_SITE {
            let code = self.plan.activations[self.activation].code;
            let keywords = self.world.yields_keywords(code, insn.c, block).ok_or(NoCode)?;
            self.set(insn.b, receiver);
            self.place_bound(child, keywords)?;
            return Ok(());
        }
        let apart = self.world.takes_apart(block).filter(|_| !self.world.yields_in_place(block, n));
        let lead = match apart {
            Some(lead) => {
                self.take_apart(insn.b + 1, lead)?;
                lead
            }
            None if n == 2 && self.world.iseq(block).flags.tells_groups => self.place_pair(insn.b + 2),
            None => self.world.lead(block).min(u16::from(n)),
        };
        self.set(insn.b, receiver);
        self.clear_locals(child, 1 + lead);
        Ok(())
    }

    /// Checks that the unit's own frame was called with the literal block that is inlined.
    pub(super) fn check_own_block(&mut self) {
        let is_own = |one: &&Activation| one.around == Some(Around::OfCaller);
        let block = self.plan.activations.iter().find(is_own).expect("a block that is inlined").code;
        let found = self.find(Inst::OwnBlock, Type::Raw);
        let exit = self.exit_for(Cause::Block);
        let exit = self.exit.replace(exit);
        self.guard(Inst::IsWord(found, self.world.block_word(block)));
        self.exit = exit;
    }

    /// A call with receivers of several shapes, each of which has a way of its own. With any other the code leaves.
    fn dispatch(&mut self, key: Key, insn: Insn, ways: &[Way]) -> Done {
        let receiver = self.register(if insn.op == Op::send_self { 0 } else { insn.b });
        if self.type_of(receiver) != Type::Any || !self.may_be_heap(receiver) {
            return Err(NoCode);
        }
        let exit = self.exit();
        self.guard(Inst::IsHeap(receiver));
        self.guard(Inst::Stands(ways[0].call.epoch));
        let is_known = |builder: &Self, way: &&Way| {
            let has_shape = Inst::HasShape(receiver, way.call.shape);
            builder.state.has_passed(&has_shape) || builder.is_known_of_fresh(&has_shape)
        };
        if let Some(way) = ways.iter().find(|way| is_known(self, way)) {
            return self.go_way(insn, receiver, way);
        }
        let splits: Vec<BlockId> = self.plan.blocks[&key].splits.iter().flatten().copied().collect();
        let depth = self.graph.block(self.block).depth;
        let (state, activation, word) = (self.state.clone(), self.activation, self.word);
        for (way, blocks) in ways.iter().zip(splits.chunks(2)).take(ways.len() - 1) {
            let [yes, no] = [blocks[0], blocks[1]].map(|to| Edge { to, args: Vec::new() });
            let test = Test::HasShape(receiver, way.call.shape);
            self.graph.block_mut(self.block).end = End::Branch(test, yes, no);
            blocks.iter().for_each(|block| self.graph.block_mut(*block).depth = depth);
            (self.block, self.exit) = (blocks[0], Some(exit));
            self.state.pass(Inst::HasShape(receiver, way.call.shape));
            self.go_way(insn, receiver, way)?;
            (self.block, self.state, self.exit) = (blocks[1], state.clone(), Some(exit));
            (self.activation, self.word) = (activation, word);
        }
        self.go_way(insn, receiver, &ways[ways.len() - 1])
    }

    /// The call for one shape, which is checked here unless it is known.
    fn go_way(&mut self, insn: Insn, receiver: Node, way: &Way) -> Done {
        self.check_shape(receiver, way.call.shape)?;
        match (way.child, way.call.target) {
            (Some(child), target) => {
                self.set(insn.b, receiver);
                self.place_parameters(child, target)?;
            }
            (None, _) => self.access_attribute(insn, way.call, receiver)?,
        }
        self.exit = None;
        self.jump(way.to);
        Ok(())
    }

    /// What a call finds is there, the elements of a list too: the registers of the callee's frame.
    fn place_parameters(&mut self, child: usize, target: Target) -> Done {
        match target {
            Target::Bound(bound) => return self.place_bound(child, bound),
            Target::Method(plain) | Target::Passing { method: plain, .. } => {
                self.clear_locals(child, plain.locals_from);
                let has_block = self.plan.activations[child].block.is_some();
                if let Some(register) = plain.undef.filter(|_| has_block) {
                    let place = self.plan.activations[child].base + i32::from(register);
                    let undef = self.constant(self.world.layout().undef);
                    self.state.set(place, undef);
                }
            }
            Target::Reader { .. }
            | Target::ReaderBeside { .. }
            | Target::ReaderAbsent
            | Target::Writer { .. }
            | Target::Splat(_)
            | Target::Native => return Err(NoCode),
        }
        Ok(())
    }

    /// A call with a list, in the window at a register.
    fn enter_with_list(&mut self, child: usize, window: u16, splat: Splat) -> Done {
        let list = window + splat.list;
        if splat.has_keywords {
            let keywords = self.register(list + 1);
            if self.graph.value(keywords).inst != Inst::Word(self.world.layout().nil) {
                return Err(NoCode);
            }
        }
        if let Some(block) = splat.block() {
            self.check_passed(child, window + block)?;
        }
        let elements = self.register(list);
        let found = self.fresh_length(elements).and_then(|length| u16::try_from(length).ok());
        let count = splat.count.or(found).ok_or(NoCode)?;
        let bound = self.world.bound(splat.code, splat.list - 1 + count).ok_or(NoCode)?;
        if bound.word != splat.word {
            return Err(NoCode);
        }
        self.place_elements(list, count)?;
        self.place_bound(child, bound)
    }

    /// `new` of a class that is known: the object takes the class's place, as `initialize` finds it.
    fn enter_initialize(&mut self, child: usize, insn: Insn) -> Done {
        let (object, Construction { target, .. }) = self.new_instance(insn)?;
        let site = self.site(self.activation, self.word);
        self.set(insn.b, object);
        if self.making(&site) == Some(Making::Early) {
            self.make(object);
        }
        self.place_parameters(child, target)
    }

    /// An object of a class that is known, and what else its `new` does.
    fn new_instance(&mut self, insn: Insn) -> Done<(Node, Construction)> {
        let code = self.plan.activations[self.activation].code;
        let class = self.register(insn.b);
        let Inst::Word(bits) = self.graph.value(class).inst else { return Err(NoCode) };
        let construction = self.world.construction(code, self.word, bits).ok_or(NoCode)?;
        self.check_shape(class, construction.shape)?;
        self.guard(Inst::Stands(construction.epoch));
        self.guard(Inst::Stands(construction.initialize));
        let site = self.site(self.activation, self.word);
        let object = self.new_fresh(site, construction.header, Some(Sample(bits)));
        Ok((object, construction))
    }

    /// `new` of a class whose objects nobody initializes.
    fn new_bare(&mut self, insn: Insn) -> Done {
        let (mut object, Construction { target, members, .. }) = self.new_instance(insn)?;
        let site = self.site(self.activation, self.word);
        if target != Target::Native {
            return Err(NoCode);
        }
        let value = |source: &u8| match *source {
            Members::NOT_GIVEN => self.nil(),
            source => self.register(insn.b + 1 + u16::from(source)),
        };
        let values: Vec<Node> = members.sources[..usize::from(members.count)].iter().map(value).collect();
        self.fill_fresh(object, &values);
        if self.making(&site).is_some() {
            object = self.make(object);
        }
        let to = self.plan.activations[self.activation].flow.result_of(self.word);
        self.set(to, object);
        Ok(())
    }

    /// An operator that is a method in Ruby.
    fn enter_operator(&mut self, child: usize, insn: Insn) -> Done {
        let one = &self.plan.activations[self.activation];
        let window = one.flow.insns[self.word as usize + 1];
        let call = self.world.call(one.code, window.c).ok_or(NoCode)?;
        let operands = self.operands(insn);
        self.check_shape(operands[0], call.shape)?;
        self.guard(Inst::Stands(call.epoch));
        for (register, operand) in (window.b..).zip(operands) {
            self.set(register, operand);
        }
        self.place_parameters(child, call.target)
    }

    /// The receiver of an operator and what else it is given.
    fn operands(&mut self, insn: Insn) -> Vec<Node> {
        let receiver = self.register(insn.b);
        if matches!(insn.op, Op::opt_length | Op::opt_size | Op::opt_empty_p) {
            return vec![receiver];
        }
        let is_immediate = insn.op.format().operands.contains('j');
        vec![receiver, if is_immediate { self.immediate(insn.c) } else { self.register(insn.c) }]
    }

    /// An operator that a function of the VM answers in place of a method, as far as its cell knows.
    fn operator_without_frame(&mut self, insn: Insn) -> Done {
        let code = self.plan.activations[self.activation].code;
        let is_called = super::plan::is_operator(insn.op) && insn.n == 0;
        if !is_called || self.takes_leaf_here() || self.was_wrong_here() {
            return Err(NoCode);
        }
        let window = self.plan.activations[self.activation].flow.insns[self.word as usize + 1];
        let call =
            self.world.call(code, window.c).filter(|call| matches!(call.target, Target::Native)).ok_or(NoCode)?;
        let leaf = self.world.leaf(code, self.word + 1).ok_or(NoCode)?;
        let operands = self.operands(insn);
        self.check_shape(operands[0], call.shape)?;
        self.guard(Inst::Stands(call.epoch));
        let node = self.call_leaf(leaf, &operands, Type::Any);
        self.set(window.a, node);
        Ok(())
    }

    /// What is passed with `&` is the block of the method around as the plan has it: undef, or nil if it has none.
    fn check_passed(&mut self, child: usize, register: u16) -> Done {
        let layout = self.world.layout();
        let block = self.plan.activations[child].block;
        let wanted = if block.is_some() { layout.undef } else { layout.nil };
        let passed = self.register(register);
        match self.graph.value(passed).inst {
            Inst::Word(bits) if bits == wanted => Ok(()),
            _ => Err(NoCode),
        }
    }

    /// Locals of an inlined frame become nil, from a register on.
    fn clear_locals(&mut self, child: usize, from: u16) {
        let one = &self.plan.activations[child];
        let (base, local_size) = (one.base, one.flow.local_size);
        let nil = self.nil();
        (from..local_size).for_each(|register| self.state.set(base + i32::from(register), nil));
    }

    /// The elements of a list, if there are so many, take its place and the next ones.
    fn place_elements(&mut self, from: u16, count: u16) -> Done {
        let list = self.register(from);
        if let Some(length) = self.fresh_length(list) {
            if length != usize::from(count) {
                return Err(NoCode);
            }
            let elements: Vec<Node> = (0..i64::from(count)).filter_map(|at| self.fresh_element(list, at)).collect();
            if let Some(last) = elements.last().copied() {
                let last = self.any(last);
                self.guard(Inst::IsNoHash(last));
            }
            for (register, element) in (from..).zip(elements) {
                self.set(register, element);
            }
            return Ok(());
        }
        if !self.has_shape(list, self.world.layout().array_shape) && !self.has_type_of_array(list) {
            return Err(NoCode);
        }
        let (length, elements) = self.contents(list);
        // Guards leave before anything is in its new place.
        self.exit();
        self.guard(Inst::IsWord(length, u64::from(count) << 1 | 1));
        let sample = self.known_sample(list);
        for at in 0..count {
            let index = self.constant(u64::from(at) << 1 | 1);
            let element = self.add(Inst::Element { elements, index }, Type::Any);
            let sample = sample.and_then(|list| self.world.element_sample(list, usize::from(at)));
            sample.into_iter().for_each(|sample| _ = self.samples.insert(element, sample));
            if at + 1 == count {
                // Which might become keywords.
                self.guard(Inst::IsNoHash(element));
            }
            self.set(from + at, element);
        }
        Ok(())
    }

    /// The second of two arguments of a block that tells of groups goes where that looks for it. How many registers it finds.
    fn place_pair(&mut self, from: u16) -> u16 {
        let layout = self.world.layout();
        let (nil, true_) = (layout.nil, layout.true_);
        let second = self.register(from);
        let told = [self.constant(nil), self.constant(true_), second];
        (from..).zip(told).for_each(|(register, node)| self.set(register, node));
        1 + told.len() as u16
    }

    /// An array that is yielded becomes a block's parameters, if it has as many elements at least.
    fn take_apart(&mut self, from: u16, count: u16) -> Done {
        let list = self.register(from);
        if let Some(length) = self.fresh_length(list) {
            let elements = (0..i64::from(count)).map(|at| self.fresh_element(list, at).filter(|_| at < length as i64));
            let elements: Vec<Option<Node>> = elements.collect();
            for (register, element) in (from..).zip(elements) {
                let element = element.unwrap_or_else(|| self.nil());
                self.set(register, element);
            }
            return Ok(());
        }
        let sample = self.known_sample(list);
        let is_array = |sample: Sample| self.world.is_plain_array(sample);
        if self.type_of(list) != Type::Any || !sample.map_or(!self.was_wrong_here(), is_array) {
            return Err(NoCode);
        }
        let layout = self.world.layout();
        let (mask, key) = (u64::from(layout.type_mask), u64::from(layout.array_type));
        if !self.has_shape(list, layout.array_shape) {
            self.guard_header(Inst::HasHeader { object: list, mask, key });
        }
        let (length, elements) = self.contents(list);
        if let Some(last) = count.checked_sub(1) {
            let index = self.constant(u64::from(last) << 1 | 1);
            self.guard(Inst::IsWithin { index, length });
        }
        for at in 0..count {
            let index = self.constant(u64::from(at) << 1 | 1);
            let element = self.add(Inst::Element { elements, index }, Type::Any);
            let sample = sample.and_then(|list| self.world.element_sample(list, usize::from(at)));
            sample.into_iter().for_each(|sample| _ = self.samples.insert(element, sample));
            self.set(from + at, element);
        }
        Ok(())
    }

    fn place_bound(&mut self, child: usize, bound: Bound) -> Done {
        let base = self.plan.activations[child].base;
        let (first, values) = (base + i32::from(bound.first), base + i32::from(bound.values));
        let (nil, undef) = (self.nil(), self.constant(self.world.layout().undef));
        let nodes = |from: i32, count: i32| {
            (from..from + count).map(|place| self.state.get(place).unwrap_or(nil)).collect::<Vec<Node>>()
        };
        let given = nodes(values, i32::from(bound.given));
        let packed = bound.rest.map(|rest| (rest, nodes(base + i32::from(rest.from), i32::from(rest.count))));
        let mut array = None;
        if let Some((rest, elements)) = packed {
            // No instruction of the method has this word.
            let site = (self.plan.activations[child].path.clone(), u32::MAX);
            let header = self.world.array_header(rest.count).ok_or(NoCode)?;
            array = Some((rest.register, self.new_literal(site, header, &elements)));
        }
        self.clear_locals(child, bound.locals_from);
        if let Some((register, array)) = array {
            self.state.set(base + i32::from(register), array);
        }
        for (at, source) in bound.sources[..usize::from(bound.count)].iter().enumerate() {
            let node = if *source == Bound::NOT_GIVEN { undef } else { given[usize::from(*source)] };
            self.state.set(first + at as i32, node);
        }
        let has_block = self.plan.activations[child].block.is_some();
        if let Some(register) = bound.block.filter(|_| has_block) {
            self.state.set(base + i32::from(register), undef);
        }
        Ok(())
    }

    fn return_from_inlined(&mut self, left: usize, value: Node) {
        let one = &self.plan.activations[left];
        let (parent, call) = one.parent.expect("inlined");
        let flow = self.plan.activations[parent].flow.clone();
        let is_new = flow.insns[call as usize].op == Op::opt_new;
        let site = is_new.then(|| self.site(parent, call));
        let one = &self.plan.activations[left];
        let own_base = one.base;
        if let Some(object) = self.state.get(own_base)
            && site.is_some_and(|site| self.making(&site).is_some())
        {
            self.make(object);
        }
        // The window of `new` keeps the object.
        let value = if is_new { self.state.get(own_base).unwrap_or(value) } else { value };
        self.state.forget_from(own_base - i32::from(carat_iseq::FRAME_HEADER));
        let base = self.plan.activations[parent].base;
        self.state.return_to(base);
        let place = base + i32::from(flow.result_of(call));
        self.state.set(place, value);
    }

    fn check_shape(&mut self, node: Node, shape: u32) -> Done {
        if shape == self.world.layout().integer_shape {
            if !self.may_be_fixnum(node) {
                return Err(NoCode);
            }
            self.fixnum(node);
            return Ok(());
        }
        let sample = self.sample(node);
        if shape == self.world.layout().symbol_shape {
            let is_symbol = |sample: Sample| sample.0 as u8 == self.world.layout().symbol_tag;
            if !sample.is_none_or(is_symbol) {
                return Err(NoCode);
            }
            self.guard(Inst::IsSymbol(node));
            return Ok(());
        }
        if let Some((_, word)) = self.world.layout().special_shapes.into_iter().find(|(one, _)| *one == shape) {
            if let Inst::Word(bits) = self.graph.value(node).inst {
                return if bits == word { Ok(()) } else { Err(NoCode) };
            }
            let is_word = sample.is_none_or(|sample| sample.0 == word);
            if !is_word || !matches!(self.type_of(node), Type::Any | Type::Special) {
                return Err(NoCode);
            }
            self.guard(Inst::IsWord(node, word));
            return Ok(());
        }
        if shape == self.world.layout().float_shape {
            if self.type_of(node) == Type::Double {
                return Ok(());
            }
            if !sample.is_none_or(|sample| self.is_float_sample(sample)) {
                return Err(NoCode);
            }
            self.unboxed(node);
            return Ok(());
        }
        if self.type_of(node) != Type::Any || !self.may_be_heap(node) {
            return Err(NoCode);
        }
        self.guard_header(Inst::HasShape(node, shape));
        Ok(())
    }

    /// Checks the header of what is to be a heap object.
    fn guard_header(&mut self, inst: Inst) {
        let (Inst::HasHeader { object, .. } | Inst::HasShape(object, _)) = inst else { unreachable!("of a header") };
        if !self.state.has_passed(&inst) {
            self.guard(Inst::IsHeap(object));
            self.guard(inst);
        }
    }

    fn may_be_heap(&self, node: Node) -> bool {
        self.sample(node).is_none_or(|sample| sample.0 & 7 == 0)
    }

    // ---- branches ----

    fn end_by_branch(&mut self, key: Key, insn: Insn, yes: Key, no: Key) -> Done {
        let layout = self.world.layout();
        let (nil, undef) = (layout.nil, layout.undef);
        match insn.op {
            Op::branchif => {
                let test = self.truth(insn.a);
                self.branch(key, test, yes, no, insn.d() < 0);
            }
            Op::branchunless => {
                let test = self.truth(insn.a);
                // The ways are told apart by their order: the first is the branch's.
                self.branch_unless(key, test, yes, no, insn.d() < 0);
            }
            Op::branchnil | Op::branchnotnil | Op::branchgiven => {
                let value = self.register(insn.a);
                let value = self.any(value);
                let test = Test::Is(value, if insn.op == Op::branchgiven { undef } else { nil });
                match insn.op {
                    Op::branchnil => self.branch(key, test, yes, no, insn.d() < 0),
                    _ => self.branch_unless(key, test, yes, no, insn.d() < 0),
                }
            }
            Op::array_next => return self.array_next(key, insn, yes, no),
            _ => {
                let flow = self.plan.activations[self.activation].flow.clone();
                let word = flow.insns[self.word as usize + 2];
                let test = match self.operator_without_frame(insn) {
                    Ok(()) => self.truth(word.a),
                    Err(NoCode) => self.comparison(insn)?,
                };
                match word.op {
                    Op::branchif => self.branch(key, test, yes, no, word.d() < 0),
                    _ => self.branch_unless(key, test, yes, no, word.d() < 0),
                }
            }
        }
        Ok(())
    }

    fn branch_unless(&mut self, key: Key, test: Test, yes: Key, no: Key, polls: bool) {
        if let Some(truth) = self.known_test(test) {
            return self.go_by(!truth, yes, no, polls);
        }
        let from = self.block;
        self.branch(key, test, yes, no, polls);
        // The edges keep their numbers, which incoming ways know; the test is turned round.
        let end = &mut self.graph.block_mut(from).end;
        if let End::Branch(_, first, second) = end {
            *end = End::BranchUnless(test, first.clone(), second.clone());
        }
    }

    fn truth(&mut self, register: u16) -> Test {
        let value = self.register(register);
        let value = self.any(value);
        if let Inst::Compare(test) = self.graph.value(value).inst { test } else { Test::Truthy(value) }
    }

    fn array_next(&mut self, key: Key, insn: Insn, yes: Key, no: Key) -> Done {
        let (array, index) = (self.register(insn.b), self.register(insn.c));
        if !self.may_be_heap(array) {
            return Err(NoCode);
        }
        let layout = self.world.layout();
        let (mask, kind) = (u64::from(layout.type_mask), u64::from(layout.array_type));
        if !self.has_shape(array, layout.array_shape) {
            self.guard_header(Inst::HasHeader { object: array, mask, key: kind });
        }
        let index = self.fixnum(index);
        let (length, elements) = self.contents(array);
        let split = self.plan.blocks[&key].splits[0].expect("a way back");
        let exit = self.exit();
        let state = self.state.clone();
        self.branch(key, Test::Within(index, length), yes, no, true);
        // The way on fetches the element: what `branch` built there is built again.
        self.block = split;
        self.graph.block_mut(split).body.clear();
        (self.activation, self.word) = (key.0, self.word_of(key));
        self.state = state;
        self.exit = Some(exit);
        if let Some(ways) = self.incoming.get_mut(&yes) {
            ways.retain(|way| way.from != split);
        }
        self.guard(Inst::Poll);
        self.exit = None;
        let element = self.add(Inst::Element { elements, index }, Type::Any);
        if let Some(sample) = self.known_sample(array).and_then(|sample| self.world.element_sample(sample, 0)) {
            self.samples.insert(element, sample);
        }
        let one = self.constant(3);
        // An index is far from the end of the fixnums.
        let next = self.add(Inst::Integer(Integer::Next, index, one), Type::Fixnum);
        self.set(insn.a, element);
        self.set(insn.c, next);
        self.jump(yes);
        Ok(())
    }

    fn word_of(&self, key: Key) -> u32 {
        self.plan.endings[&key].0
    }

    /// Whether an object was found to have a shape.
    fn has_shape(&self, node: Node, shape: u32) -> bool {
        self.state.has_passed(&Inst::HasShape(node, shape))
    }

    // ---- the rest ----

    fn insn(&mut self, insn: Insn) -> Done {
        let Insn { op, a, b, c, .. } = insn;
        let layout = self.world.layout();
        let (nil, yes, no, undef) = (layout.nil, layout.true_, layout.false_, layout.undef);
        match op {
            Op::nop => {}
            Op::move_ => {
                let node = self.register(b);
                self.set(a, node);
            }
            Op::putnil => self.put(a, nil),
            // A `casehas` may always say yes: then the conditions behind it are asked, which is quicker here than the table.
            Op::puttrue | Op::casehas => self.put(a, yes),
            Op::putfalse => self.put(a, no),
            Op::putundef => self.put(a, undef),
            Op::putfixnum => self.put(a, (i64::from(insn.d()) << 1 | 1) as u64),
            Op::putobject => {
                let code = self.plan.activations[self.activation].code;
                self.put(a, self.world.literal(code, insn.d() as usize));
            }
            Op::defined if insn.n == BLOCK_GIVEN => {
                let is_given = self.method_has_block();
                self.put(a, if is_given { yes } else { no });
            }
            Op::getblockparamproxy if self.frame_of_variable(self.activation, insn.c).is_none() => return Err(NoCode),
            Op::getlocal | Op::getblockparamproxy => self.get_local(insn)?,
            Op::setlocal => self.set_local(insn)?,
            Op::getinstancevariable => self.get_field(0, insn)?,
            Op::getfield => self.get_field(b, insn)?,
            Op::setinstancevariable => self.set_field(0, insn, true)?,
            Op::setfield => self.set_field(b, insn, false)?,
            Op::getconstant => self.get_constant(insn)?,
            Op::send_simple | Op::send_self if self.send_without_frame(insn).is_ok() => {}
            Op::send_simple | Op::send_self => self.call_without_frame(insn)?,
            op if op.format().has_ext() && self.operator_without_frame(insn).is_ok() => {}
            op if op.compares() => {
                let test = self.comparison(insn)?;
                self.result(insn, Inst::Compare(test));
            }
            Op::opt_not => match self.negation(b) {
                Ok(test) => self.result(insn, Inst::Compare(test)),
                Err(NoCode) => self.nil_or_falsy(insn, Others::AreFalsy)?,
            },
            Op::opt_nil_p => match self.not_heap(b) {
                Ok(value) => self.result(insn, Inst::Compare(Test::Is(value, nil))),
                Err(NoCode) => self.nil_or_falsy(insn, Others::AreNil)?,
            },
            Op::opt_length | Op::opt_size => match self.plain_array(b) {
                Ok(array) => {
                    let length = self.length(array);
                    let to = self.destination(insn);
                    self.set(to, length);
                }
                Err(NoCode) => match self.size_of_hash(b) {
                    Ok(size) => {
                        let to = self.destination(insn);
                        self.set(to, size);
                    }
                    Err(NoCode) => self.leaf_operator(insn, &[b], Type::Any)?,
                },
            },
            Op::opt_empty_p => match self.plain_array(b) {
                Ok(array) => {
                    let length = self.length(array);
                    self.result(insn, Inst::Compare(Test::Is(length, 1)));
                }
                Err(NoCode) => match self.size_of_hash(b) {
                    Ok(size) => self.result(insn, Inst::Compare(Test::Is(size, 1))),
                    Err(NoCode) if self.checked_string(b).is_ok() => {
                        let string = self.register(b);
                        let bytes = self.add(Inst::Bytes(string), Type::Fixnum);
                        self.result(insn, Inst::Compare(Test::Is(bytes, 1)));
                    }
                    Err(NoCode) => self.leaf_operator(insn, &[b], Type::Special)?,
                },
            },
            Op::arraysize => {
                let array = self.register(b);
                let is_known = self.has_shape(array, layout.array_shape) || self.has_type_of_array(array);
                if !is_known && self.fresh_length(array).is_none() {
                    return Err(NoCode);
                }
                let length = self.length(array);
                self.set(a, length);
            }
            Op::expandarray => self.expand(insn)?,
            Op::objtostring => {
                let part = self.part_of_text(b)?;
                self.set(a, part);
            }
            Op::anytostring => {
                let part = self.register(b);
                if part != self.register(c) || !self.is_part_of_text(part) {
                    return Err(NoCode);
                }
                self.set(a, part);
            }
            Op::checkmatch => {
                let node = self.matches(insn)?;
                self.set(a, node);
            }
            // For a call: an array is what it is.
            Op::splatarray => {
                let list = self.register(b);
                // What was nil when it was looked at may well have been asked for that.
                let may_be_array = self.may_be_heap(list) || self.sample(list) == Some(Sample(nil));
                if self.type_of(list) != Type::Any || !may_be_array {
                    return Err(NoCode);
                }
                if !self.has_shape(list, layout.array_shape) {
                    let (mask, key) = (u64::from(layout.type_mask), u64::from(layout.array_type));
                    self.guard_header(Inst::HasHeader { object: list, mask, key });
                }
                self.set(a, list);
            }
            Op::opt_aref | Op::opt_aref_imm => {
                let index = if op == Op::opt_aref { self.register(c) } else { self.immediate(c) };
                if self.element(insn, index).is_err() {
                    let object = self.register(b);
                    let node = self.leaf(&[object, index], Type::Any)?;
                    let to = self.destination(insn);
                    self.set(to, node);
                }
            }
            Op::opt_aset => {
                if self.set_element(insn).is_err() {
                    let operands = [a, b, c].map(|register| self.register(register));
                    self.leaf(&operands, Type::Any)?;
                }
            }
            Op::invokeprimitive => {
                let code = self.plan.activations[self.activation].code;
                let operands: Vec<Node> = (0..u16::from(insn.n)).map(|at| self.register(b + at)).collect();
                match (self.world.primitive(code, self.word), &operands[..]) {
                    (Some(Primitive::IsUndef), [value]) => {
                        let value = self.any(*value);
                        self.result(insn, Inst::Compare(Test::Is(value, undef)));
                    }
                    (Some(Primitive::Same), [one, other]) => {
                        let (one, other) = (self.any(*one), self.any(*other));
                        self.result(insn, Inst::Compare(Test::Words(Relation::Equal, one, other)));
                    }
                    (Some(Primitive::IsFixnum), [value]) if self.type_of(*value) == Type::Fixnum => self.put(a, yes),
                    (Some(primitive), [range]) if let Some(part) = self.part_of_range(primitive, *range) => {
                        self.set(a, part);
                    }
                    _ => {
                        let node = self.leaf(&operands, Type::Any)?;
                        self.set(a, node);
                    }
                }
            }
            Op::putstring | Op::putchilledstring | Op::duparray => {
                let code = self.plan.activations[self.activation].code;
                let literal = self.constant(self.world.literal(code, insn.d() as usize));
                let node = self.leaf(&[literal], Type::Any)?;
                self.copy_sample(literal, node);
                if op == Op::duparray {
                    self.state.pass(Inst::HasShape(node, layout.array_shape));
                }
                self.set(a, node);
            }
            Op::newarray | Op::newrange if self.literal(insn).is_ok() => {}
            Op::opt_newarray_send => self.extreme(insn)?,
            Op::opt_new => self.new_bare(insn)?,
            Op::newarray => {
                let mut operands: Vec<Node> = (0..c).map(|at| self.register(b + at)).collect();
                if operands.is_empty() {
                    operands.push(self.nil());
                }
                let node = self.leaf(&operands, Type::Any)?;
                self.state.pass(Inst::HasShape(node, layout.array_shape));
                self.set(a, node);
            }
            Op::newrange => {
                let operands = [b, c].map(|register| self.register(register));
                let node = self.leaf(&operands, Type::Any)?;
                self.set(a, node);
            }
            Op::pusharray => {
                let operands = [a, b].map(|register| self.register(register));
                self.leaf(&operands, Type::Any)?;
            }
            Op::arrayat => {
                let operands = [b, c].map(|register| self.register(register));
                let node = self.leaf(&operands, Type::Any)?;
                if let Some(sample) =
                    self.known_sample(operands[0]).and_then(|array| self.world.element_sample(array, 0))
                {
                    self.samples.insert(node, sample);
                }
                self.set(a, node);
            }
            Op::opt_ltlt if self.append(insn).is_ok() => {}
            Op::opt_ltlt => match self.arithmetic(insn) {
                Ok(()) => {}
                Err(NoCode) => self.leaf_operator(insn, &[b, c], Type::Any)?,
            },
            _ => self.arithmetic(insn)?,
        }
        Ok(())
    }

    /// What goes into an interpolated string as it is: a string, or a fixnum while nobody redefined its `to_s`.
    fn part_of_text(&mut self, register: u16) -> Done<Node> {
        let value = self.register(register);
        let is_like_fixnum = self.sample(value).is_some_and(|sample| self.is_fixnum_sample(sample));
        if self.was_wrong_here() && self.type_of(value) != Type::Fixnum {
            return Err(NoCode);
        }
        if is_like_fixnum && !self.graph.is_fresh(value) {
            let epoch = self.world.text_of_numbers().ok_or(NoCode)?;
            self.guard(Inst::Stands(epoch));
            self.fixnum(value);
        } else {
            self.checked_as(value, self.world.layout().string_shape)?;
        }
        Ok(value)
    }

    /// Whether a value is known to be such a part.
    fn is_part_of_text(&self, part: Node) -> bool {
        self.type_of(part) == Type::Fixnum || self.has_shape(part, self.world.layout().string_shape)
    }

    /// An array or a range of plain contents.
    fn literal(&mut self, insn: Insn) -> Done {
        let code = self.plan.activations[self.activation].code;
        let header = self.world.literal_header(code, self.word).ok_or(NoCode)?;
        let Insn { op, a, b, c, .. } = insn;
        let values: Vec<Node> = match op {
            Op::newrange => [b, c].map(|register| self.register(register)).to_vec(),
            _ => (0..c).map(|at| self.register(b + at)).collect(),
        };
        if op == Op::newrange {
            // Others are compared before they become a range.
            if self.takes_leaf_here() || !values.iter().all(|value| self.may_be_fixnum(*value)) {
                return Err(NoCode);
            }
            values.iter().for_each(|value| _ = self.fixnum(*value));
        }
        let node = self.new_literal(self.site(self.activation, self.word), header, &values);
        self.set(a, node);
        Ok(())
    }

    /// The larger or smaller of two numbers, which makes no array.
    fn extreme(&mut self, insn: Insn) -> Done {
        let op = match insn.n {
            newarray_send::MAX => Integer::Greatest,
            newarray_send::MIN => Integer::Least,
            _ => return Err(NoCode),
        };
        let values: Vec<Node> = (0..insn.c).map(|at| self.register(insn.b + at)).collect();
        if values.len() != 2 || self.takes_leaf_here() || self.numbers(&values, false)? != Numbers::Fixnums {
            return Err(NoCode);
        }
        let (one, other) = (self.fixnum(values[0]), self.fixnum(values[1]));
        let node = self.add(Inst::Integer(op, one, other), Type::Fixnum);
        let to = self.destination(insn);
        self.set(to, node);
        Ok(())
    }

    // ---- functions of the VM ----

    /// What the function for the instruction at hand answers. What it may have changed is forgotten.
    fn leaf(&mut self, operands: &[Node], typ: Type) -> Done<Node> {
        let code = self.plan.activations[self.activation].code;
        let leaf = self.world.leaf(code, self.word).filter(|leaf| usize::from(leaf.count) == operands.len());
        Ok(self.call_leaf(leaf.ok_or(NoCode)?, operands, typ))
    }

    fn call_leaf(&mut self, leaf: Leaf, operands: &[Node], typ: Type) -> Node {
        let Leaf { function, count, has_effects, is_total } = leaf;
        let is_pure = is_total && !has_effects;
        let mut args = [Node(0); 3];
        for (arg, operand) in args.iter_mut().zip(operands) {
            *arg = self.any(*operand);
        }
        let node = self.add_checked(Inst::Leaf { function, args, count, is_pure, has_effects }, typ);
        if has_effects {
            self.state.forget_contents();
            // It has done its work: what comes behind must not leave in front of it.
            self.exit = None;
        }
        node
    }

    fn leaf_operator(&mut self, insn: Insn, registers: &[u16], typ: Type) -> Done {
        let operands: Vec<Node> = registers.iter().map(|register| self.register(*register)).collect();
        let node = self.leaf(&operands, typ)?;
        let to = self.destination(insn);
        self.set(to, node);
        Ok(())
    }

    /// Whether guesses at the instruction at hand were wrong more than once, so that a function is better that takes all.
    fn takes_leaf_here(&self) -> bool {
        self.world.takes_leaf(self.plan.activations[self.activation].code, self.word)
    }

    fn put(&mut self, register: u16, bits: u64) {
        let node = self.constant(bits);
        self.set(register, node);
    }

    /// The signed number in `c`.
    fn immediate(&mut self, c: u16) -> Node {
        self.constant((i64::from(c as i16) << 1 | 1) as u64)
    }

    fn result(&mut self, insn: Insn, inst: Inst) {
        let typ = if matches!(inst, Inst::Compare(_)) { Type::Special } else { Type::Fixnum };
        let node = self.add(inst, typ);
        let to = self.destination(insn);
        self.set(to, node);
    }

    fn method_has_block(&self) -> bool {
        let mut activation = self.activation;
        while let Some(home) = self.plan.activations[activation].home {
            activation = home;
        }
        self.plan.activations[activation].block.is_some()
    }

    // ---- variables ----

    fn get_local(&mut self, insn: Insn) -> Done {
        let node = match self.frame_of_variable(self.activation, insn.c) {
            Some(home) => {
                let place = self.plan.activations[home].base + i32::from(insn.b);
                self.state.get(place).unwrap_or_else(|| self.nil())
            }
            None => {
                let (around, depth) = self.outside(self.activation, insn.c);
                match around {
                    Outside::Address(address) => {
                        let node = self.add(Inst::Around { address, depth, register: insn.b }, Type::Any);
                        self.samples.insert(node, self.world.around(address, depth, insn.b));
                        node
                    }
                    Outside::Of(inner) => self.outer(inner, depth, insn.b),
                }
            }
        };
        self.set(insn.a, node);
        Ok(())
    }

    /// The activation in whose registers the variables are of an environment so many levels above that of an activation.
    pub(super) fn frame_of_variable(&self, activation: usize, depth: u16) -> Option<usize> {
        let home = home_of(&self.plan.activations, activation, depth);
        home.filter(|home| !(self.shares_environment && *home == 0))
    }

    /// A variable of an environment that is not in the unit's registers, so many levels up.
    pub(super) fn outer(&mut self, of: Inner, depth: u16, register: u16) -> Node {
        let inst = Inst::Outer { of, depth, register };
        if let Some(node) = self.state.found(&inst) {
            return node;
        }
        let node = self.add(inst, Type::Any);
        self.state.find(inst, node);
        let sample = match of {
            Inner::Own => self.world.outer(depth, register),
            Inner::Block => self.world.outer_of_block(depth, register),
        };
        self.samples.insert(node, sample);
        node
    }

    /// Levels up to an environment that is so many above an activation's, and from where.
    pub(super) fn outside(&self, mut activation: usize, depth: u16) -> (Outside, u16) {
        let mut left = depth;
        while let Some(home) = self.plan.activations[activation].home {
            activation = home;
            left -= 1;
        }
        match self.plan.activations[activation].around {
            Some(Around::Address(address)) => (Outside::Address(address), left - 1),
            Some(Around::OfCaller) => (Outside::Of(Inner::Block), left),
            Some(Around::Frame(_)) | None => (Outside::Of(Inner::Own), left),
        }
    }

    fn set_local(&mut self, insn: Insn) -> Done {
        let value = self.register(insn.a);
        match self.frame_of_variable(self.activation, insn.c) {
            Some(home) => {
                let place = self.plan.activations[home].base + i32::from(insn.b);
                self.state.set(place, value);
            }
            None => {
                let (Outside::Of(of), depth) = self.outside(self.activation, insn.c) else { return Err(NoCode) };
                let value = self.any(value);
                let inst = Inst::SetOuter { of, depth, register: insn.b, value };
                // Environments on the heap want to know of objects: a Float may be one, too.
                if self.type_of(value) == Type::Any {
                    self.add_checked(inst, Type::Raw)
                } else {
                    self.add(inst, Type::Raw)
                };
                self.state.set_outer(of, depth, insn.b, value);
            }
        }
        Ok(())
    }

    fn field(&self, site: u16) -> Done<Field> {
        let code = self.plan.activations[self.activation].code;
        self.world.field(code, site).ok_or(NoCode)
    }

    fn get_field(&mut self, object: u16, insn: Insn) -> Done {
        let object = self.register(object);
        if self.type_of(object) != Type::Any || !self.may_be_heap(object) {
            return Err(NoCode);
        }
        let mask = self.world.layout().field_key;
        let code = self.plan.activations[self.activation].code;
        if let Some(beside) = self.world.field_beside(code, insn.c) {
            self.guard_header(Inst::HasHeader { object, mask, key: beside.key });
            let node = match beside.at {
                BesideAt::Nowhere => self.nil(),
                BesideAt::Block { find, offset } => {
                    let block = self.block_of_fields(object, find);
                    self.find(Inst::Load { object: block, offset }, Type::Any)
                }
                BesideAt::Leaf { place, leaf, .. } => {
                    let place = self.constant(place);
                    self.call_leaf(leaf, &[object, place], Type::Any)
                }
            };
            if let Some(sample) = self.known_sample(object).and_then(|one| self.world.beside_sample(one, beside)) {
                self.samples.insert(node, sample);
            }
            self.set(insn.a, node);
            return Ok(());
        }
        let field = self.field(insn.c)?;
        self.guard_header(Inst::HasHeader { object, mask, key: field.key });
        if let Some(node) = self.field_of_fresh(object, field.offset) {
            self.set(insn.a, node);
            return Ok(());
        }
        let node = self.find(Inst::Load { object, offset: field.offset }, Type::Any);
        if let Some(sample) = self.known_sample(object).and_then(|object| self.world.field_sample(object, field)) {
            self.samples.insert(node, sample);
        }
        self.set(insn.a, node);
        Ok(())
    }

    /// Where the fields of an object are that lie outside of its slot.
    fn block_of_fields(&mut self, object: Node, find: Leaf) -> Node {
        let mut args = [Node(0); 3];
        args[0] = object;
        let inst = Inst::Leaf { function: find.function, args, count: 1, is_pure: true, has_effects: false };
        if let Some(known) = self.state.found(&inst) {
            return known;
        }
        let block = self.add_checked(inst, Type::Raw);
        self.state.find(inst, block);
        block
    }

    fn set_field(&mut self, object: u16, insn: Insn, refuses_frozen: bool) -> Done {
        let object = self.register(object);
        if self.type_of(object) != Type::Any || !self.may_be_heap(object) {
            return Err(NoCode);
        }
        let layout = self.world.layout();
        let (mask, frozen) = (layout.field_key, u64::from(layout.frozen));
        let code = self.plan.activations[self.activation].code;
        if let Some(Beside { key, at }) = self.world.field_beside(code, insn.c) {
            let stored = match at {
                BesideAt::Nowhere | BesideAt::Leaf { store: None, .. } => return Err(NoCode),
                BesideAt::Block { .. } | BesideAt::Leaf { .. } => self.register(insn.a),
            };
            self.guard_header(Inst::HasHeader { object, mask, key });
            if refuses_frozen {
                self.guard_header(Inst::HasHeader { object, mask: frozen, key: 0 });
            }
            match at {
                BesideAt::Block { find, offset } => {
                    let block = self.block_of_fields(object, find);
                    let value = self.any(stored);
                    self.add_checked(Inst::StoreBeside { object, block, offset, value }, Type::Raw);
                    self.state.store(block, offset, value);
                }
                BesideAt::Leaf { place, store: Some(leaf), .. } => {
                    let place = self.constant(place);
                    self.call_leaf(leaf, &[object, place, stored], Type::Any);
                }
                BesideAt::Nowhere | BesideAt::Leaf { .. } => unreachable!("nothing is stored there"),
            }
            return Ok(());
        }
        let field = self.field(insn.c)?;
        self.guard_header(Inst::HasHeader { object, mask, key: field.key });
        if refuses_frozen {
            self.guard_header(Inst::HasHeader { object, mask: frozen, key: 0 });
        }
        let value = self.register(insn.a);
        if self.set_field_of_fresh(object, field.offset, value, field.next_shape) {
            return Ok(());
        }
        let value = self.any(value);
        self.add_checked(Inst::Store { object, offset: field.offset, value, next_shape: field.next_shape }, Type::Raw);
        if field.next_shape != 0 {
            self.state.forget_shapes();
            self.pass_header(object, field.key & u64::from(u32::MAX) | u64::from(field.next_shape) << 32);
        }
        self.state.store(object, field.offset, value);
        Ok(())
    }

    fn get_constant(&mut self, insn: Insn) -> Done {
        let code = self.plan.activations[self.activation].code;
        let constant = self.world.constant(code, insn.c).ok_or(NoCode)?;
        self.guard(Inst::Stands(constant.epoch));
        self.put(insn.a, constant.value);
        Ok(())
    }

    /// A call that only reads an attribute, or whose answer is known.
    fn call_without_frame(&mut self, insn: Insn) -> Done {
        let code = self.plan.activations[self.activation].code;
        let call = self.world.call(code, insn.c).ok_or(NoCode)?;
        let object = self.register(if insn.op == Op::send_self { 0 } else { insn.b });
        if call.target == Target::Native {
            self.answer(insn, call, object)
        } else {
            self.access_attribute(insn, call, object)
        }
    }

    /// A call that reads or writes an attribute.
    fn access_attribute(&mut self, insn: Insn, call: Call, object: Node) -> Done {
        match call.target {
            Target::Reader { offset } => self.read_attribute(insn, call, object, offset),
            Target::Writer { offset, next_shape } => self.write_attribute(insn, call, object, offset, next_shape),
            Target::ReaderAbsent => {
                self.check_shape(object, call.shape)?;
                self.guard(Inst::Stands(call.epoch));
                self.put(insn.a, self.world.layout().nil);
                Ok(())
            }
            Target::ReaderBeside { place } => {
                self.check_shape(object, call.shape)?;
                self.guard(Inst::Stands(call.epoch));
                self.read_beside(insn, object, place);
                Ok(())
            }
            Target::Native | Target::Method(_) | Target::Bound(_) | Target::Splat(_) | Target::Passing { .. } => {
                Err(NoCode)
            }
        }
    }

    fn read_beside(&mut self, insn: Insn, object: Node, place: u64) {
        let place = self.constant(place);
        let function = self.world.layout().attribute_beside;
        let leaf = Leaf { function, count: 2, has_effects: false, is_total: true };
        let node = self.call_leaf(leaf, &[object, place], Type::Any);
        self.set(insn.a, node);
    }

    /// A `send` of a name that is known here, to what has no frame.
    fn send_without_frame(&mut self, insn: Insn) -> Done {
        let sent = self.sent(insn)?;
        if matches!(sent.to, SentTo::Method(_)) {
            return Err(NoCode);
        }
        let receiver = self.check_sent(insn, &sent)?;
        match sent.to {
            SentTo::Leaf(leaf) => {
                let mut operands = vec![receiver];
                operands.extend((2..=u16::from(insn.n)).map(|at| self.register(insn.b + at)));
                let node = self.call_leaf(leaf, &operands, Type::Any);
                self.set(insn.a, node);
            }
            SentTo::Reader { place } => self.read_beside(insn, receiver, place),
            SentTo::Method(_) => return Err(NoCode),
        }
        Ok(())
    }

    fn answer(&mut self, insn: Insn, call: Call, receiver: Node) -> Done {
        let code = self.plan.activations[self.activation].code;
        let mut arguments = Vec::new();
        for at in 1..=u16::from(insn.n) {
            let argument = self.register(insn.b + at);
            let inst = self.graph.value(argument).inst;
            arguments.push(if let Inst::Word(bits) = inst { Some(bits) } else { None });
        }
        let answer = self.world.answer(code, insn.c, &arguments);
        self.check_shape(receiver, call.shape)?;
        self.guard(Inst::Stands(call.epoch));
        let in_place = match answer {
            Some(Answer { given: Given::InPlace(what), .. }) => Some(what),
            _ => None,
        };
        if let Some(what) = in_place
            && let Ok(node) = self.in_place(what, insn, receiver)
        {
            self.set(insn.a, node);
            return Ok(());
        }
        let Some(answer) = answer.filter(|_| in_place.is_none()) else {
            if insn.n == 1 && self.world.reads_byte(code, insn.c) && !self.takes_leaf_here() {
                let index = self.register(insn.b + 1);
                if self.may_be_fixnum(index) {
                    let index = self.fixnum(index);
                    let node = self.add_checked(Inst::Byte { string: receiver, index }, Type::Fixnum);
                    self.set(insn.a, node);
                    return Ok(());
                }
            }
            let mut operands = vec![receiver];
            operands.extend((1..=u16::from(insn.n)).map(|at| self.register(insn.b + at)));
            if let [class, value] = operands[..]
                && self.world.asks_class(code, insn.c)
                && let Some(leaf) = self.world.leaf(code, self.word)
                && let Ok(node) = self.matches_class(leaf, class, value)
            {
                self.set(insn.a, node);
                return Ok(());
            }
            let node = self.leaf(&operands, Type::Any)?;
            self.set(insn.a, node);
            return Ok(());
        };
        answer.epochs.into_iter().for_each(|epoch| self.guard(Inst::Stands(epoch)));
        match answer.given {
            Given::Word(bits) => self.put(insn.a, bits),
            _ => self.set(insn.a, receiver),
        }
        Ok(())
    }

    /// What a native method gives that is called with the arguments of a call, as far as there is code for that.
    fn in_place(&mut self, what: InPlace, insn: Insn, receiver: Node) -> Done<Node> {
        use InPlace::*;
        if what == IsBlockGiven {
            return self.is_block_given();
        }
        if what == IsSame {
            let other = self.register(insn.b + 1);
            let (one, other) = (self.any(receiver), self.any(other));
            if self.graph.is_fresh(one) || self.graph.is_fresh(other) {
                return Err(NoCode);
            }
            return Ok(self.add(Inst::Compare(Test::Words(Relation::Equal, one, other)), Type::Special));
        }
        // Another result than those that are found here was met more than once.
        if self.takes_leaf_here() {
            return Err(NoCode);
        }
        if matches!(what, First | Last) {
            return self.outermost(receiver, what == Last);
        }
        // Checking the shape of an Integer has made it a fixnum.
        let one = self.constant(3);
        Ok(match what {
            IsEven | IsOdd => {
                let lowest = self.integer(Integer::And, receiver, one);
                let wanted = if what == IsOdd { 3 } else { 1 };
                self.add(Inst::Compare(Test::Is(lowest, wanted)), Type::Special)
            }
            IsZero => self.add(Inst::Compare(Test::Is(receiver, 1)), Type::Special),
            Next => self.integer(Integer::Add, receiver, one),
            Previous => self.integer(Integer::Subtract, receiver, one),
            Complement => {
                let ones = self.constant((-1_i64 << 1 | 1) as u64);
                self.integer(Integer::Xor, receiver, ones)
            }
            Magnitude => {
                let zero = self.constant(1);
                let negative = self.integer(Integer::Subtract, zero, receiver);
                self.add(Inst::Integer(Integer::Greatest, receiver, negative), Type::Fixnum)
            }
            Quotient | Remainder | QuotientAndRemainder => return self.divided(what, insn, receiver),
            IsSame | First | Last | IsBlockGiven => unreachable!("above"),
        })
    }

    /// `div`, `modulo` or `divmod` of fixnums.
    fn divided(&mut self, what: InPlace, insn: Insn, receiver: Node) -> Done<Node> {
        let divisor = self.register(insn.b + 1);
        if self.type_of(divisor) == Type::Double || !self.may_be_fixnum(divisor) {
            return Err(NoCode);
        }
        let divisor = self.fixnum(divisor);
        if what == InPlace::Remainder {
            return Ok(self.integer(Integer::Modulo, receiver, divisor));
        }
        let quotient = self.integer(Integer::Divide, receiver, divisor);
        if what == InPlace::Quotient {
            return Ok(quotient);
        }
        let remainder = self.integer(Integer::Modulo, receiver, divisor);
        let header = self.world.array_header(2).ok_or(NoCode)?;
        Ok(self.new_literal(self.site(self.activation, self.word), header, &[quotient, remainder]))
    }

    /// Whether the method that runs here, or the one around a block, was given a block.
    fn is_block_given(&mut self) -> Done<Node> {
        let layout = self.world.layout();
        let (yes, no) = (layout.true_, layout.false_);
        let mut method = self.activation;
        while let Some(home) = self.plan.activations[method].home {
            method = home;
        }
        let one = &self.plan.activations[method];
        if one.around.is_some() || self.world.is_block(one.code) {
            return Err(NoCode);
        }
        if one.parent.is_some() {
            let is_given = one.block.is_some();
            return Ok(self.constant(if is_given { yes } else { no }));
        }
        let (block, none) = (self.add(Inst::OwnBlock, Type::Raw), self.constant(0));
        Ok(self.add(Inst::Compare(Test::Words(Relation::NotEqual, block, none)), Type::Special))
    }

    /// The first or last element of an array that has one.
    fn outermost(&mut self, array: Node, is_last: bool) -> Done<Node> {
        let length = self.fresh_length(array);
        if let Some(length) = length {
            let at = if is_last { length as i64 - 1 } else { 0 };
            return self.fresh_element(array, at).ok_or(NoCode);
        }
        if !self.has_shape(array, self.world.layout().array_shape) {
            return Err(NoCode);
        }
        let (length, elements) = self.contents(array);
        let (zero, one) = (self.constant(1), self.constant(3));
        let index =
            if is_last { self.add_checked(Inst::Integer(Integer::Subtract, length, one), Type::Fixnum) } else { zero };
        let node = self.add(Inst::ElementOrNil { elements, index, length }, Type::Any);
        if let Some(sample) = self.known_sample(array).and_then(|array| self.world.element_sample(array, 0)) {
            self.samples.insert(node, sample);
        }
        Ok(node)
    }

    fn read_attribute(&mut self, insn: Insn, call: Call, object: Node, offset: u32) -> Done {
        self.check_shape(object, call.shape)?;
        self.guard(Inst::Stands(call.epoch));
        let layout = self.world.layout();
        let pool = self.world.pool_for(offset).ok_or(NoCode)?;
        self.guard(Inst::HasRoom { object, pool: pool << layout.pool_shift });
        if let Some(node) = self.field_of_fresh(object, offset) {
            self.set(insn.a, node);
            return Ok(());
        }
        let node = self.add(Inst::Attribute { object, offset }, Type::Any);
        let sample = self.known_sample(object).and_then(|one| self.world.attribute_sample(one, call.shape, offset));
        sample.into_iter().for_each(|sample| _ = self.samples.insert(node, sample));
        self.set(insn.a, node);
        Ok(())
    }

    fn write_attribute(&mut self, insn: Insn, call: Call, object: Node, offset: u32, next_shape: u32) -> Done {
        self.check_shape(object, call.shape)?;
        self.guard(Inst::Stands(call.epoch));
        let layout = self.world.layout();
        let (frozen, pool) = (u64::from(layout.frozen), self.world.pool_for(offset).ok_or(NoCode)?);
        self.guard(Inst::HasRoom { object, pool: pool << layout.pool_shift });
        self.guard_header(Inst::HasHeader { object, mask: frozen, key: 0 });
        let value = self.register(insn.b + 1);
        if !self.set_field_of_fresh(object, offset, value, next_shape) {
            let value = self.any(value);
            self.add_checked(Inst::Store { object, offset, value, next_shape }, Type::Raw);
            if next_shape != 0 {
                self.state.forget_shapes();
                self.state.pass(Inst::IsHeap(object));
                self.state.pass(Inst::HasShape(object, next_shape));
            }
            self.state.store(object, offset, value);
        }
        self.set(insn.a, value);
        Ok(())
    }

    // ---- arrays ----

    fn has_type_of_array(&self, array: Node) -> bool {
        let layout = self.world.layout();
        let (mask, key) = (u64::from(layout.type_mask), u64::from(layout.array_type));
        self.state.has_passed(&Inst::HasHeader { object: array, mask, key })
    }

    fn plain_array(&mut self, register: u16) -> Done<Node> {
        let array = self.register(register);
        let is_plain = |sample: Sample| self.world.is_plain_array(sample);
        if self.takes_leaf_here() || self.type_of(array) != Type::Any || !self.known_sample(array).is_none_or(is_plain)
        {
            return Err(NoCode);
        }
        let shape = self.world.layout().array_shape;
        // What nothing is known of was taken for one in vain.
        if self.was_wrong_here() && self.known_sample(array).is_none() && !self.has_shape(array, shape) {
            return Err(NoCode);
        }
        self.guard_header(Inst::HasShape(array, shape));
        Ok(array)
    }

    /// Size of what was found to be an object of class Hash itself.
    fn size_of_hash(&mut self, register: u16) -> Done<Node> {
        let hash = self.register(register);
        self.checked_as(hash, self.world.layout().hash_shape)?;
        Ok(self.add(Inst::Size(hash), Type::Fixnum))
    }

    fn checked_string(&mut self, register: u16) -> Done {
        let string = self.register(register);
        self.checked_as(string, self.world.layout().string_shape)
    }

    /// Checks that an object is of a shape, if one was found there and no other one more than once.
    fn checked_as(&mut self, object: Node, shape: u32) -> Done {
        if self.takes_leaf_here() || self.type_of(object) != Type::Any || self.graph.is_fresh(object) {
            return Err(NoCode);
        }
        let is_like = |sample: Sample| sample.0 & 7 == 0 && self.world.shape_of(sample) == Some(shape);
        if !self.has_shape(object, shape) && !self.known_sample(object).is_some_and(is_like) {
            return Err(NoCode);
        }
        self.guard_header(Inst::HasShape(object, shape));
        Ok(())
    }

    /// Length of an array.
    fn length(&mut self, array: Node) -> Node {
        match self.fresh_length(array) {
            Some(length) => self.constant((length as u64) << 1 | 1),
            None => self.contents(array).0,
        }
    }

    /// Length of an array, and where its elements begin.
    fn contents(&mut self, array: Node) -> (Node, Node) {
        let length = self.find(Inst::Length(array), Type::Fixnum);
        let elements = self.find(Inst::Elements(array), Type::Raw);
        (length, elements)
    }

    pub(super) fn find(&mut self, inst: Inst, typ: Type) -> Node {
        if let Some(known) = self.state.found(&inst) {
            return known;
        }
        let node = self.add(inst, typ);
        self.state.find(inst, node);
        node
    }

    fn element(&mut self, insn: Insn, index: Node) -> Done {
        let array = self.plain_array(insn.b)?;
        if !self.may_be_fixnum(index) {
            return Err(NoCode);
        }
        let index = self.fixnum(index);
        if let Inst::Word(bits) = self.graph.value(index).inst
            && let Some(node) = self.fresh_element(array, bits as i64 >> 1)
        {
            let to = self.destination(insn);
            self.set(to, node);
            return Ok(());
        }
        let (length, elements) = self.contents(array);
        self.guard(Inst::IsWithin { index, length });
        let node = self.add(Inst::Element { elements, index }, Type::Any);
        let like = match self.graph.value(index).inst {
            Inst::Word(bits) => usize::try_from(bits as i64 >> 1).unwrap_or(0),
            _ => 0,
        };
        if let Some(sample) = self.known_sample(array).and_then(|array| self.world.element_sample(array, like)) {
            self.samples.insert(node, sample);
        }
        let to = self.destination(insn);
        self.set(to, node);
        Ok(())
    }

    /// `nil?` or `!` of what is a heap object as far as is known, and maybe nil.
    fn nil_or_falsy(&mut self, insn: Insn, others: Others) -> Done {
        let object = self.register(insn.b);
        let object = self.any(object);
        let known =
            self.known_sample(object).filter(|_| self.type_of(object) == Type::Any && !self.graph.is_fresh(object));
        let Some(of_shape) = known.and_then(|sample| self.world.is_nil_or_falsy(insn.op, sample)) else {
            return self.leaf_operator(insn, &[insn.b], Type::Special);
        };
        let code = self.plan.activations[self.activation].code;
        let leaf = self.world.leaf(code, self.word).ok_or(NoCode)?;
        let node = self.leaf_unless(leaf, &[object], of_shape, others);
        let to = self.destination(insn);
        self.set(to, node);
        Ok(())
    }

    /// What is known of the last operand's shape, or what a leaf answers.
    fn leaf_unless(&mut self, leaf: Leaf, operands: &[Node], of_shape: OfShape, others: Others) -> Node {
        let OfShape { shape, word, epochs } = of_shape;
        epochs.into_iter().for_each(|epoch| self.guard(Inst::Stands(epoch)));
        let last = operands[operands.len() - 1];
        let is_fixnum = shape == self.world.layout().integer_shape && self.type_of(last) == Type::Fixnum;
        if is_fixnum || self.has_shape(last, shape) {
            return self.constant(word);
        }
        let mut args = [Node(0); 2];
        args[..operands.len()].copy_from_slice(operands);
        let Leaf { function, count, .. } = leaf;
        self.add_checked(Inst::LeafUnless { function, args, count, shape, word, others }, Type::Special)
    }

    /// `class === value`, of a value of which something is known.
    fn matches_class(&mut self, leaf: Leaf, class: Node, value: Node) -> Done<Node> {
        let Inst::Word(bits) = self.graph.value(class).inst else { return Err(NoCode) };
        if self.graph.is_fresh(value) || !matches!(self.type_of(value), Type::Any | Type::Fixnum) {
            return Err(NoCode);
        }
        let sample = self.sample(value).ok_or(NoCode)?;
        let of_shape = self.world.class_match(bits, sample).filter(|_| leaf.count == 2).ok_or(NoCode)?;
        Ok(self.leaf_unless(leaf, &[class, value], of_shape, Others::Ask))
    }

    /// `pattern === value`: whether both are the same for symbols and small numbers, what a function says of strings and ranges, and what
    /// is known of the value's shape for classes. Of values of which nothing is known classes are asked by a stub, which knows what they answered.
    fn matches(&mut self, insn: Insn) -> Done<Node> {
        let (pattern, value) = (self.register(insn.b), self.register(insn.c));
        let Inst::Word(bits) = self.graph.value(pattern).inst else { return Err(NoCode) };
        let is_symbol = bits as u8 == self.world.layout().symbol_tag;
        let is_number = self.type_of(pattern) == Type::Fixnum && self.may_be_fixnum(value) && !self.was_wrong_here();
        if !is_symbol && !is_number {
            let is_plain = self.type_of(pattern) == Type::Fixnum || self.world.is_plain_pattern(bits);
            if is_plain {
                return self.leaf(&[pattern, value], Type::Special);
            }
            let code = self.plan.activations[self.activation].code;
            let leaf = self.world.leaf(code, self.word).ok_or(NoCode)?;
            return self.matches_class(leaf, pattern, value);
        }
        let epoch = self.world.identity_match().ok_or(NoCode)?;
        self.guard(Inst::Stands(epoch));
        let value = if is_symbol { self.any(value) } else { self.fixnum(value) };
        Ok(self.add(Inst::Compare(Test::Words(Relation::Equal, pattern, value)), Type::Special))
    }

    /// The first elements of an array that has so many, or nil if that was wrong before.
    fn expand(&mut self, insn: Insn) -> Done {
        let behind = self.plan.activations[self.activation].flow.insns[self.word as usize + 1];
        if insn.n & 1 != 0 || behind.b != 0 {
            return Err(NoCode);
        }
        let array = self.plain_array(insn.b)?;
        if self.fresh_length(array).is_some() {
            for at in 0..insn.c {
                let element = self.fresh_element(array, i64::from(at)).ok_or(NoCode)?;
                self.set(insn.a + at, element);
            }
            return Ok(());
        }
        if self.was_wrong_here() {
            for at in 0..insn.c {
                let index = self.constant(u64::from(at) << 1 | 1);
                let element = self.leaf(&[array, index], Type::Any)?;
                self.set(insn.a + at, element);
            }
            return Ok(());
        }
        let (length, elements) = self.contents(array);
        let sample = self.known_sample(array);
        // Guards leave before anything is in its new place.
        self.exit();
        for at in 0..insn.c {
            let index = self.constant(u64::from(at) << 1 | 1);
            self.guard(Inst::IsWithin { index, length });
            let element = self.add(Inst::Element { elements, index }, Type::Any);
            let sample = sample.and_then(|array| self.world.element_sample(array, usize::from(at)));
            sample.into_iter().for_each(|sample| _ = self.samples.insert(element, sample));
            self.set(insn.a + at, element);
        }
        Ok(())
    }

    /// `array << value`, where what was found is an array.
    fn append(&mut self, insn: Insn) -> Done {
        let array = self.register(insn.b);
        self.known_sample(array).filter(|sample| self.world.is_plain_array(*sample)).ok_or(NoCode)?;
        let code = self.plan.activations[self.activation].code;
        let leaf = self.world.leaf(code, self.word).filter(|_| insn.n == 0).ok_or(NoCode)?;
        let array = self.plain_array(insn.b)?;
        let value = self.register(insn.c);
        let is_immediate = matches!(self.type_of(value), Type::Fixnum | Type::Special);
        let value = self.any(value);
        self.add_checked(Inst::Push { function: leaf.function, array, value, is_immediate }, Type::Raw);
        self.state.forget_contents();
        // It has done its work: what comes behind must not leave in front of it.
        self.exit = None;
        let to = self.destination(insn);
        self.set(to, array);
        Ok(())
    }

    fn set_element(&mut self, insn: Insn) -> Done {
        let array = self.plain_array(insn.a)?;
        let index = self.register(insn.b);
        if !self.may_be_fixnum(index) || insn.n != 0 {
            return Err(NoCode);
        }
        let index = self.fixnum(index);
        let value = self.register(insn.c);
        let value = self.any(value);
        let (length, elements) = self.contents(array);
        self.guard(Inst::IsWithin { index, length });
        self.guard(Inst::IsWritable(array));
        self.add_checked(Inst::SetElement { array, elements, index, value }, Type::Raw);
        Ok(())
    }

    // ---- numbers ----

    /// Which numbers an operation is for, as far as one can tell.
    fn numbers(&self, operands: &[Node], may_be_doubles: bool) -> Done<Numbers> {
        let is_double = |node: &Node| self.type_of(*node) == Type::Double || self.is_like_double(*node);
        if operands.iter().any(is_double) {
            let fits = |node: &Node| is_double(node) || self.may_be_fixnum(*node);
            return if operands.iter().all(fits) { Ok(Numbers::Doubles) } else { Err(NoCode) };
        }
        if !operands.iter().all(|node| self.may_be_fixnum(*node)) {
            return Err(NoCode);
        }
        let is_open = operands.iter().any(|node| self.is_open(*node));
        Ok(if may_be_doubles && is_open && self.was_wrong_here() { Numbers::Doubles } else { Numbers::Fixnums })
    }

    /// Whether nothing speaks for any type of a node.
    fn is_open(&self, node: Node) -> bool {
        self.type_of(node) == Type::Any && self.sample(node).is_none()
    }

    fn was_wrong_here(&self) -> bool {
        self.world.was_wrong(self.plan.activations[self.activation].code, self.word)
    }

    /// A node as a double: of unknown type it is taken to be what its sample is, and without one a fixnum, unless that was wrong before.
    fn operand(&mut self, node: Node) -> Node {
        let is_double = self.is_like_double(node) || self.is_open(node) && self.was_wrong_here();
        if self.type_of(node) == Type::Any && !is_double {
            self.fixnum(node);
        }
        self.double(node)
    }

    fn arithmetic(&mut self, insn: Insn) -> Done {
        let Insn { op, b, c, .. } = insn;
        let left = self.register(b);
        if op == Op::opt_uminus {
            return self.minus(insn, left);
        }
        let right = match op {
            Op::opt_plus_imm | Op::opt_minus_imm | Op::opt_and_imm => self.immediate(c),
            Op::opt_succ => self.constant(3),
            _ => self.register(c),
        };
        let (integer, float) = match op {
            Op::opt_plus | Op::opt_plus_imm => (Integer::Add, Some(Float::Add)),
            Op::opt_succ => (Integer::Add, None),
            Op::opt_minus | Op::opt_minus_imm => (Integer::Subtract, Some(Float::Subtract)),
            Op::opt_mult => (Integer::Multiply, Some(Float::Multiply)),
            Op::opt_div => (Integer::Divide, Some(Float::Divide)),
            Op::opt_mod => (Integer::Modulo, None),
            Op::opt_and | Op::opt_and_imm => (Integer::And, None),
            Op::opt_or => (Integer::Or, None),
            Op::opt_xor => (Integer::Xor, None),
            Op::opt_gtgt => (Integer::ShiftRight, None),
            Op::opt_ltlt => (Integer::ShiftLeft, None),
            _ => return Err(NoCode),
        };
        let to = self.destination(insn);
        if self.takes_leaf_here() && float.is_some() {
            let node = self.leaf(&[left, right], Type::Any)?;
            self.set(to, node);
            return Ok(());
        }
        let node = match (self.numbers(&[left, right], float.is_some())?, float) {
            (Numbers::Fixnums, _) => {
                let (left, right) = (self.fixnum(left), self.fixnum(right));
                self.integer(integer, left, right)
            }
            (Numbers::Doubles, Some(float)) => {
                let (left, right) = (self.operand(left), self.operand(right));
                self.add(Inst::Float(float, left, right), Type::Double)
            }
            (Numbers::Doubles, None) => return Err(NoCode),
        };
        self.set(to, node);
        Ok(())
    }

    fn integer(&mut self, op: Integer, left: Node, right: Node) -> Node {
        if let (Inst::Word(left), Inst::Word(right)) = (self.graph.value(left).inst, self.graph.value(right).inst)
            && let Some(known) = folded(op, left as i64 >> 1, right as i64 >> 1)
        {
            return self.constant((known << 1 | 1) as u64);
        }
        self.add_checked(Inst::Integer(op, left, right), Type::Fixnum)
    }

    fn minus(&mut self, insn: Insn, value: Node) -> Done {
        let to = self.destination(insn);
        let node = match self.numbers(&[value], false)? {
            Numbers::Fixnums => {
                let (zero, value) = (self.constant(1), self.fixnum(value));
                self.integer(Integer::Subtract, zero, value)
            }
            Numbers::Doubles => {
                let (zero, value) = (self.number(-0.0), self.operand(value));
                self.add(Inst::Float(Float::Subtract, zero, value), Type::Double)
            }
        };
        self.set(to, node);
        Ok(())
    }

    fn comparison(&mut self, insn: Insn) -> Done<Test> {
        let known = if self.takes_leaf_here() { Err(NoCode) } else { self.plain_comparison(insn) };
        known.or_else(|NoCode| {
            let is_immediate = insn.op.format().operands.contains('j');
            let left = self.register(insn.b);
            let right = if is_immediate { self.immediate(insn.c) } else { self.register(insn.c) };
            let node = self.leaf(&[left, right], Type::Special)?;
            Ok(Test::Is(node, self.world.layout().true_))
        })
    }

    fn plain_comparison(&mut self, insn: Insn) -> Done<Test> {
        let relation = relation_of(insn.op).ok_or(NoCode)?;
        let left = self.register(insn.b);
        let is_immediate = insn.op.format().operands.contains('j');
        let right = if is_immediate { self.immediate(insn.c) } else { self.register(insn.c) };
        let is_equality = matches!(relation, Relation::Equal | Relation::NotEqual);
        if is_equality && let Ok(same) = self.same_text(left, right) {
            let layout = self.world.layout();
            return Ok(Test::Is(same, if relation == Relation::Equal { layout.true_ } else { layout.false_ }));
        }
        if is_equality && self.is_special(left) {
            if self.type_of(left) != Type::Special {
                self.guard(Inst::IsSpecial(left));
            }
            let right = self.any(right);
            return Ok(Test::Words(relation, left, right));
        }
        if is_equality && self.is_identity(insn.op, left)? {
            let right = self.any(right);
            if self.graph.is_fresh(right) {
                return Err(NoCode);
            }
            return Ok(Test::Words(relation, left, right));
        }
        match self.numbers(&[left, right], true)? {
            Numbers::Fixnums => Ok(Test::Words(relation, self.fixnum(left), self.fixnum(right))),
            Numbers::Doubles => {
                // Only small numbers are the same as doubles.
                for node in [left, right] {
                    let is_open = self.is_open(node) && self.was_wrong_here();
                    let is_double = self.type_of(node) == Type::Double || self.is_like_double(node) || is_open;
                    let is_small = matches!(self.graph.value(node).inst, Inst::Word(bits) if (bits as i64).unsigned_abs() < 1 << 50);
                    if !is_double && !is_small {
                        return Err(NoCode);
                    }
                }
                let (left, right) = (self.operand(left), self.operand(right));
                Ok(Test::Doubles(relation, left, right))
            }
        }
    }

    /// Whether an object is equal to nothing but itself, by what was found there; its shape is checked then.
    fn is_identity(&mut self, op: Op, object: Node) -> Done<bool> {
        if self.type_of(object) != Type::Any || self.graph.is_fresh(object) || self.was_wrong_here() {
            return Ok(false);
        }
        let known = self.known_sample(object).filter(|sample| sample.0 & 7 == 0);
        let Some(of_shape) = known.and_then(|sample| self.world.is_identity(op, sample)) else { return Ok(false) };
        self.checked_as(object, of_shape.shape)?;
        of_shape.epochs.into_iter().for_each(|epoch| self.guard(Inst::Stands(epoch)));
        Ok(true)
    }

    /// Whether two strings are the same, of class String itself as they were when they were looked at.
    fn same_text(&mut self, left: Node, right: Node) -> Done<Node> {
        let layout = self.world.layout();
        let (shape, function) = (layout.string_shape, layout.same_text);
        let is_string = |sample: Sample| sample.0 & 7 == 0 && self.world.shape_of(sample) == Some(shape);
        let is_like = |node: Node| self.has_shape(node, shape) || self.known_sample(node).is_some_and(is_string);
        if self.was_wrong_here() || !is_like(left) || !is_like(right) {
            return Err(NoCode);
        }
        self.checked_as(left, shape)?;
        self.checked_as(right, shape)?;
        let leaf = Leaf { function, count: 2, has_effects: false, is_total: true };
        Ok(self.call_leaf(leaf, &[left, right], Type::Special))
    }

    /// Nil, true, false or a symbol, by all that is known.
    fn is_special(&self, node: Node) -> bool {
        let tag = u64::from(self.world.layout().special_tag);
        self.type_of(node) == Type::Special || self.sample(node).is_some_and(|sample| sample.0 & 7 == tag)
    }

    fn not_heap(&mut self, register: u16) -> Done<Node> {
        let value = self.register(register);
        let value = self.any(value);
        if self.type_of(value) == Type::Any {
            if self.graph.is_fresh(value) || self.is_heap_sample(value) || self.was_wrong_here() {
                return Err(NoCode);
            }
            self.guard(Inst::IsNotHeap(value));
        }
        Ok(value)
    }

    fn negation(&mut self, register: u16) -> Done<Test> {
        let value = self.not_heap(register)?;
        Ok(Test::Falsy(value))
    }
}

/// What an operation gives for constants, if that is a fixnum.
fn folded(op: Integer, left: i64, right: i64) -> Option<i64> {
    let result = match op {
        Integer::Add => left.checked_add(right)?,
        Integer::Subtract => left.checked_sub(right)?,
        Integer::And => left & right,
        Integer::Or => left | right,
        _ => return None,
    };
    (result << 1 >> 1 == result).then_some(result)
}

fn relation_of(op: Op) -> Option<Relation> {
    Some(match op {
        Op::opt_lt | Op::cmp_lt | Op::opt_lt_imm | Op::cmp_lt_imm => Relation::Less,
        Op::opt_le | Op::cmp_le | Op::cmp_le_imm => Relation::LessOrEqual,
        Op::opt_gt | Op::cmp_gt | Op::cmp_gt_imm => Relation::Greater,
        Op::opt_ge | Op::cmp_ge | Op::cmp_ge_imm => Relation::GreaterOrEqual,
        Op::opt_eq | Op::cmp_eq | Op::opt_eq_imm | Op::cmp_eq_imm => Relation::Equal,
        Op::opt_neq | Op::cmp_neq => Relation::NotEqual,
        _ => return None,
    })
}
