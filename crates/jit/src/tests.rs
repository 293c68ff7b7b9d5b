//! Graphs of small methods, what the checks of a graph refuse, and places for more values than there are registers.

use crate::allocate::{Location, REGISTERS, allocate};
use crate::emit::OWN_WORDS;
use crate::graph::{BlockId, Cause, Edge, End, Exit, Float, Graph, Inst, Integer, Node, Relation, Run, Test, Type};
use crate::verify::{verify, verify_allocation};
use crate::world::{
    Answer, Beside, Call, CodeId, Constant, Construction, Epoch, Field, Layout, Leaf, OfShape, Place, Plain, Primitive,
    Runner, Sample, Sent, Target, World,
};
use crate::{Refusal, Unit, build, clean, compile};
use carat_asm::Placement;
use carat_iseq::{CallFlags, CallInfo, Draft, Insn, Iseq, IseqFlags, IseqKind, IseqRef, Op, Pack, Params, Site};

const NIL: u64 = 4;
const BIAS: u64 = 1 << 60;
const OBJECT: u64 = 0x1000;
const SHAPE: u32 = 77;

fn fixnum(number: i64) -> u64 {
    (number << 1 | 1) as u64
}

fn flonum(number: f64) -> u64 {
    number.to_bits().wrapping_add(BIAS).rotate_left(3)
}

// ---- a world of a few methods ----

/// The code with id n + 1 is number n; calls lead to the last.
struct Methods {
    codes: Vec<IseqRef>,
    registers: Vec<u64>,
    layout: Layout,
}

fn methods(drafts: &[Draft], registers: &[u64]) -> Methods {
    let packed = drafts.iter().map(|draft| {
        let mut pack = Pack::new();
        let at = pack.add(draft);
        IseqRef::packed(pack.finish("t.rb".into()), at)
    });
    Methods { codes: packed.collect(), registers: registers.to_vec(), layout: layout() }
}

fn layout() -> Layout {
    Layout {
        nil: NIL,
        true_: 20,
        false_: 12,
        undef: 36,
        flonum_bias: BIAS,
        flonum_zero: 2,
        special_tag: 4,
        integer_shape: 1,
        hash_shape: 0,
        string_shape: 0,
        hash_table: 0,
        hash_live_shift: 0,
        hash_live_mask: 0,
        hash_size: 0,
        same_text: 0,
        array_shape: 2,
        handlers: 0,
        limit: 2048,
        exits: 2056,
        is_compiled_off: 2064,
        field_key: 0,
        pool_mask: 15,
        pool_shift: 0,
        type_mask: 0xf0,
        array_type: 0x10,
        range_type: 0x40,
        range_excludes_end: 0,
        hash_type: 0x20,
        float_type: 0x30,
        float_value: 8,
        new_float: 0,
        frozen: 0x100,
        old: 0x200,
        logged: 0x400,
        storage_mask: 0x1800,
        storage_view: 0x800,
        storage_buf: 0x1000,
        embedded_len_shift: 16,
        embedded_len_mask: 0xf_0000,
        view_len: 8,
        view_ptr: 16,
        view_buf: 24,
        buf_count: 0,
        buf_len: 24,
        buf_ptr: 16,
        buf_capacity: 8,
        buf_head: 32,
        embedded_elements: 8,
        range_parts: [8, 16],
        embedded_string_len: 8,
        embedded_string_bytes: 10,
        code_caches: 8,
        method_flags: 3,
        address_shift: 8,
        enter_compiled: Op::enter_compiled as u8,
        code_behind: 1,
        leave_compiled: 0,
        most_exits: 100,
        exits_counted: 0,
        stack_base: 64,
        stack_words: 72,
        symbol_tag: 0x0c,
        symbol_shape: u32::MAX - 1,
        special_shapes: [(u32::MAX, 0); 3],
        float_shape: u32::MAX - 2,
        allocate: 0,
        leaf: 0x5000,
        leaf_bare: 0x6000,
        attribute_beside: 0,
        is_choosy: false,
        is_crowded: false,
        near: 0..0,
        failing_period: 0,
    }
}

impl World for Methods {
    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn iseq(&self, code: CodeId) -> &Iseq {
        &self.codes[code.0 as usize - 1]
    }

    fn is_block(&self, _: CodeId) -> bool {
        false
    }

    fn caches(&self, _: CodeId) -> u64 {
        0
    }

    fn literal(&self, _: CodeId, _: usize) -> u64 {
        flonum(0.5)
    }

    fn field(&self, _: CodeId, _: u16) -> Option<Field> {
        None
    }

    fn field_beside(&self, _: CodeId, _: u16) -> Option<Beside> {
        None
    }

    fn beside_sample(&self, _: Sample, _: Beside) -> Option<Sample> {
        None
    }

    fn call(&self, _: CodeId, _: u16) -> Option<Call> {
        let code = CodeId(self.codes.len() as u64);
        let target =
            Target::Method(Plain { code, word: 0, locals_from: self.lead(code) + 1, undef: None, around: None });
        Some(Call { shape: SHAPE, epoch: Epoch { address: 0x2000, value: 1 }, target })
    }

    fn is_cold(&self, _: CodeId, _: u32, _: u16) -> bool {
        false
    }

    fn attribute_sample(&self, _: Sample, _: u32, _: u32) -> Option<Sample> {
        None
    }

    fn calls(&self, _: CodeId, _: u16) -> Vec<Call> {
        Vec::new()
    }

    fn array_header(&self, _: u16) -> Option<u64> {
        None
    }

    fn bound(&self, _: CodeId, _: u16) -> Option<crate::Bound> {
        None
    }

    fn literal_header(&self, _: CodeId, _: u32) -> Option<u64> {
        None
    }

    fn construction(&self, _: CodeId, _: u32, _: u64) -> Option<Construction> {
        None
    }

    fn is_nil_or_falsy(&self, _: Op, _: Sample) -> Option<OfShape> {
        None
    }

    fn is_identity(&self, _: Op, _: Sample) -> Option<OfShape> {
        None
    }

    fn class_match(&self, _: u64, _: Sample) -> Option<OfShape> {
        None
    }

    fn answer(&self, _: CodeId, _: u16, _: &[Option<u64>]) -> Option<Answer> {
        None
    }

    fn leaf(&self, _: CodeId, _: u32) -> Option<Leaf> {
        None
    }

    fn sent(&self, _: CodeId, _: u16, _: u64) -> Option<Sent> {
        None
    }

    fn text_of_numbers(&self) -> Option<Epoch> {
        None
    }

    fn asks_class(&self, _: CodeId, _: u16) -> bool {
        false
    }

    fn reads_byte(&self, _: CodeId, _: u16) -> bool {
        false
    }

    fn primitive(&self, _: CodeId, _: u32) -> Option<Primitive> {
        None
    }

    fn constant(&self, _: CodeId, _: u16) -> Option<Constant> {
        None
    }

    fn block(&self, _: CodeId, _: u16) -> Option<CodeId> {
        None
    }

    fn yields_keywords(&self, _: CodeId, _: u16, _: CodeId) -> Option<crate::Bound> {
        None
    }

    fn yields_in_place(&self, _: CodeId, _: u8) -> bool {
        false
    }

    fn takes_apart(&self, _: CodeId) -> Option<u16> {
        None
    }

    fn lead(&self, code: CodeId) -> u16 {
        self.iseq(code).params.lead
    }

    fn is_unlike(&self, _: CodeId, _: u32) -> bool {
        false
    }

    fn was_wrong(&self, _: CodeId, _: u32) -> bool {
        false
    }

    fn takes_leaf(&self, _: CodeId, _: u32) -> bool {
        false
    }

    fn is_head_unlike(&self, _: CodeId, _: u32) -> bool {
        false
    }

    fn runner(&self, _: CodeId, _: u32) -> Runner {
        Runner::Jump { address: 0 }
    }

    fn in_front(&self, _: CodeId, _: u32) -> u64 {
        0
    }

    fn entry(&self, _: CodeId) -> Option<u64> {
        None
    }

    fn start(&self, _: CodeId) -> u64 {
        0x3000
    }

    fn records(&self, _: usize) -> u64 {
        0x4000
    }

    fn place(&self, code: CodeId, word: u32, _: bool) -> Place {
        Place { address: 0x8000 + 8 * u64::from(word), op: self.iseq(code).insns[word as usize].op }
    }

    fn place_behind(&self, code: CodeId, word: u32, _: bool) -> u64 {
        0x8000 + 8 * u64::from(word + self.iseq(code).insns[word as usize].op.format().words() as u32)
    }

    fn register(&self, register: u16) -> Sample {
        Sample(self.registers.get(usize::from(register)).copied().unwrap_or(NIL))
    }

    fn owns_environment(&self) -> bool {
        true
    }

    fn outer(&self, _: u16, _: u16) -> Sample {
        Sample(NIL)
    }

    fn own_block(&self) -> Option<CodeId> {
        None
    }

    fn block_word(&self, block: CodeId) -> u64 {
        block.0 | 1
    }

    fn outer_of_block(&self, _: u16, _: u16) -> Sample {
        Sample(NIL)
    }

    fn around(&self, _: u64, _: u16, _: u16) -> Sample {
        Sample(NIL)
    }

    fn pool_for(&self, _: u32) -> Option<u32> {
        Some(0)
    }

    fn field_sample(&self, _: Sample, _: Field) -> Option<Sample> {
        None
    }

    fn float(&self, sample: Sample) -> Option<f64> {
        let number = || f64::from_bits(sample.0.rotate_right(3).wrapping_sub(BIAS));
        (sample.0 & 3 == 2).then(|| if sample.0 == flonum(0.0) { 0.0 } else { number() })
    }

    fn element_sample(&self, _: Sample, _: usize) -> Option<Sample> {
        None
    }

    fn identity_match(&self) -> Option<Epoch> {
        None
    }

    fn is_plain_pattern(&self, _: u64) -> bool {
        false
    }

    fn shape_of(&self, _: Sample) -> Option<u32> {
        None
    }

    fn is_plain_array(&self, _: Sample) -> bool {
        false
    }
}

fn method(lead: u16, local_size: u16, frame_size: u16, insns: Vec<Insn>) -> Draft {
    Draft {
        kind: IseqKind::Method,
        name: (*b"m").into(),
        first_line: 1,
        insns,
        literals: Vec::new(),
        symbols: Vec::new(),
        sites: Vec::new(),
        children: Vec::new(),
        params: Params { lead, ..Params::default() },
        parameter_names: Vec::new(),
        locals: Vec::new(),
        svar: None,
        catches: Vec::new(),
        pending_windows: Vec::new(),
        lines: vec![(0, 1)],
        frame_size,
        local_size,
        flags: IseqFlags::default(),
    }
}

/// `i = 0; s = 0; while i < n; s += i; i += 1; end; s`, with n, i and s in registers 1 to 3.
fn sum() -> Draft {
    let insns = vec![
        Insn::ad(Op::putfixnum, 2, 0),
        Insn::ad(Op::putfixnum, 3, 0),
        Insn::ad(Op::jump, 0, 4),
        Insn::abc(Op::opt_plus, 0, 3, 2),
        Insn::ext(3, 4, 0),
        Insn::abc(Op::opt_plus_imm, 0, 2, 1),
        Insn::ext(2, 4, 0),
        Insn::abc(Op::opt_lt, 0, 2, 1),
        Insn::ext(4, 4, 0),
        Insn::ad(Op::branchif, 4, -7),
        Insn::abc(Op::leave, 3, 0, 0),
    ];
    method(1, 4, 5, insns)
}

/// `begin x += <second>; end while x < n; x`, with x and n in registers 1 and 2.
fn rising(second: u16) -> Draft {
    let insns = vec![
        Insn::ad(Op::putobject, 3, 0),
        Insn::abc(Op::opt_plus, 0, 1, second),
        Insn::ext(1, 4, 0),
        Insn::abc(Op::opt_lt, 0, 1, 2),
        Insn::ext(4, 4, 0),
        Insn::ad(Op::branchif, 4, -5),
        Insn::abc(Op::leave, 1, 0, 0),
    ];
    method(2, 4, 5, insns)
}

/// The graph of the first code from a word on, checked as `compile` does.
fn built(world: &Methods, word: u32) -> Graph {
    let unit = Unit { code: CodeId(1), word };
    let begun = &mut build::Begun::new(false);
    let mut graph = build::build(world, unit, begun).expect("a graph").expect("it is not put off");
    verify(&graph).expect("a sound graph as it was built");
    clean::clean(&mut graph);
    verify(&graph).expect("a sound graph");
    let allocation = allocate(&graph).expect("places");
    verify_allocation(&graph, &allocation).expect("sound places");
    let mut machine = compile(world, unit, &mut None, &mut |_| ()).expect("machine code").expect("it is not put off");
    assert!(!machine.assembler.finish_at(Placement::together(0x10_0000, 0x1_0000)).is_empty());
    graph
}

fn insts(graph: &Graph) -> Vec<Inst> {
    let ids = graph.reachable();
    ids.iter().flat_map(|id| &graph.block(*id).body).map(|node| graph.value(*node).inst).collect()
}

fn param_types(graph: &Graph) -> Vec<Type> {
    let ids = graph.reachable();
    ids.iter().flat_map(|id| &graph.block(*id).params).map(|param| graph.value(*param).typ).collect()
}

fn exit_of(graph: &Graph, wanted: impl Fn(&Inst) -> bool) -> &Exit {
    let found = graph.values.iter().find(|value| wanted(&value.inst) && value.exit.is_some());
    graph.exit(found.and_then(|value| value.exit).expect("one that may exit"))
}

#[test]
fn a_loop_of_fixnums_has_fixnums_as_parameters() {
    for word in [0, 3] {
        let graph = built(&methods(&[sum()], &[OBJECT, fixnum(9), fixnum(0), fixnum(0)]), word);
        assert_eq!(param_types(&graph), [Type::Fixnum, Type::Fixnum]);
        let insts = insts(&graph);
        assert!(insts.iter().any(|inst| matches!(inst, Inst::Integer(Integer::Add, ..))));
        assert_eq!(insts.iter().filter(|inst| matches!(inst, Inst::Poll)).count(), 1);
    }
}

#[test]
fn a_guard_that_fails_goes_on_at_its_instruction() {
    let graph = built(&methods(&[sum()], &[OBJECT, fixnum(9)]), 0);
    let exit = exit_of(&graph, |inst| matches!(inst, Inst::Integer(Integer::Add, ..)));
    assert_eq!(exit.frames.iter().map(|frame| (frame.base, frame.word)).collect::<Vec<_>>(), [(0, 3)]);
    // The bound lies in the frame as it came, and so does self.
    assert_eq!(exit.stores.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [2, 3]);
}

#[test]
fn a_unit_with_too_much_alive_is_built_in_so_many_ways_alone() {
    let mut graph = Graph::default();
    let ways = |graph: &Graph| {
        let begun = build::Begun::new(false);
        std::iter::successors(Some(begun), |begun| begun.with_less_alive(graph)).take(9).count()
    };
    assert_eq!(ways(&graph), 2);
    graph.new_value(Inst::Fresh, Type::Any, None);
    assert_eq!(ways(&graph), 4);
}

#[test]
fn doubles_stay_unboxed_in_a_loop() {
    let graph = built(&methods(&[rising(2)], &[OBJECT, flonum(1.5), flonum(8.5)]), 1);
    assert_eq!(param_types(&graph), [Type::Double]);
    assert!(insts(&graph).iter().any(|inst| matches!(inst, Inst::Float(Float::Add, ..))));
    assert!(!insts(&graph).iter().any(|inst| matches!(inst, Inst::Boxed(_))));
}

#[test]
fn a_parameter_of_two_types_is_a_word() {
    // x is a fixnum at first, and a Float behind the sum.
    let world = methods(&[rising(3)], &[OBJECT, fixnum(1), flonum(8.5), flonum(0.5)]);
    assert_eq!(param_types(&built(&world, 0)), [Type::Any]);
}

#[test]
fn an_exit_in_an_inlined_call_pushes_its_frame() {
    let callee = {
        let insns = vec![Insn::abc(Op::opt_plus_imm, 0, 1, 1), Insn::ext(2, 3, 0), Insn::abc(Op::leave, 2, 0, 0)];
        method(1, 2, 4, insns)
    };
    let caller = {
        let insns =
            vec![Insn::abc(Op::move_, 11, 1, 0), Insn::nabc(Op::send_self, 1, 1, 10, 0), Insn::abc(Op::leave, 1, 0, 0)];
        let call = CallInfo {
            name: (*b"next").into(),
            argc: 1,
            flags: CallFlags::default(),
            keyword_names: Vec::new(),
            block: None,
        };
        Draft { sites: vec![Site::Call(call)], ..method(1, 2, 12, insns) }
    };
    let graph = built(&methods(&[caller, callee], &[OBJECT, fixnum(1)]), 0);
    let exit = exit_of(&graph, |inst| matches!(inst, Inst::Integer(Integer::Add, ..)));
    let frames: Vec<_> = exit.frames.iter().map(|frame| (frame.code.0, frame.base, frame.word)).collect();
    assert_eq!(frames, [(1, 0, 1), (2, 10, 0)]);
    let places: Vec<i32> = exit.stores.iter().map(|(place, _)| *place).collect();
    assert_eq!(places, [10, 11]);
    let insts = insts(&graph);
    assert!(insts.iter().any(|inst| matches!(inst, Inst::HasShape(_, SHAPE))));
    assert!(insts.iter().any(|inst| matches!(inst, Inst::Stands(_))));
}

#[test]
fn an_instruction_without_code_is_run_with_everything_in_the_frame() {
    let insns = vec![
        Insn::abc(Op::opt_plus_imm, 0, 1, 1),
        Insn::ext(2, 3, 0),
        Insn::ad(Op::putstring, 3, 0),
        Insn::abc(Op::opt_plus, 0, 1, 2),
        Insn::ext(3, 4, 0),
        Insn::abc(Op::leave, 3, 0, 0),
    ];
    let world = methods(&[method(1, 2, 5, insns)], &[OBJECT, fixnum(1)]);
    let graph = built(&world, 0);
    let ends = graph.reachable().into_iter().map(|id| &graph.block(id).end);
    let runs: Vec<_> =
        ends.filter_map(|end| if let End::Run(exit, run, _) = end { Some((exit, run)) } else { None }).collect();
    let [(exit, run)] = runs[..] else { panic!("{}", crate::printed(&graph)) };
    assert_eq!((run.word, run.words), (2, 1));
    assert_eq!(graph.exit(*exit).stores.iter().map(|(place, _)| *place).collect::<Vec<_>>(), [2]);
    // What was known of the temporary still is; a binding may have changed the local.
    assert_eq!(insts(&graph).iter().filter(|inst| matches!(inst, Inst::IsFixnum(_))).count(), 2);
    let unit = Unit { code: CodeId(1), word: 0 };
    let machine = compile(&world, unit, &mut None, &mut |_| ()).expect("machine code").expect("it is not put off");
    let records = &machine.origins[OWN_WORDS + graph.exits.len()..];
    assert_eq!(records.iter().map(|(_, word)| *word).collect::<Vec<_>>(), [2, 2, 3, 3]);
    assert_eq!(machine.enters.iter().map(|(at, _)| *at).collect::<Vec<_>>(), [OWN_WORDS + graph.exits.len() + 2]);
}

#[test]
fn values_behind_what_is_run_in_another_way_are_read_anew() {
    let mut graph = Graph::default();
    let [start, behind] = [(); 2].map(|()| graph.new_block());
    let a = add(&mut graph, start, Inst::Home(1), Type::Any);
    graph.exits.push(Exit { frames: Vec::new(), stores: Vec::new(), objects: Vec::new(), cause: Cause::Guess });
    let run = Run { code: CodeId(1), base: 0, word: 0, words: 1, op: Op::nop };
    graph.block_mut(start).end = End::Run(crate::graph::ExitId(0), run, vec![edge(behind, &[])]);
    graph.block_mut(behind).end = End::Return(a);
    refused(&graph, "is not defined in the end of b1");
    let b = add(&mut graph, behind, Inst::Home(1), Type::Any);
    graph.block_mut(behind).end = End::Return(b);
    verify(&graph).expect("a sound graph");
}

// ---- graphs made by hand ----

fn add(graph: &mut Graph, block: BlockId, inst: Inst, typ: Type) -> Node {
    let node = graph.new_value(inst, typ, None);
    graph.block_mut(block).body.push(node);
    node
}

fn param(graph: &mut Graph, block: BlockId, typ: Type) -> Node {
    let node = graph.new_value(Inst::Param, typ, None);
    graph.block_mut(block).params.push(node);
    node
}

fn edge(to: BlockId, args: &[Node]) -> Edge {
    Edge { to, args: args.to_vec() }
}

fn refused(graph: &Graph, what: &str) {
    let found = verify(graph).expect_err(what);
    assert!(found.contains(what), "{found}");
}

#[test]
fn a_value_of_one_way_is_refused_where_ways_meet() {
    let mut graph = Graph::default();
    let [start, left, meet] = [(); 3].map(|()| graph.new_block());
    let a = add(&mut graph, start, Inst::Home(1), Type::Any);
    graph.block_mut(start).end = End::Branch(Test::Truthy(a), edge(left, &[]), edge(meet, &[]));
    let b = add(&mut graph, left, Inst::Home(2), Type::Any);
    graph.block_mut(left).end = End::Jump(edge(meet, &[]));
    graph.block_mut(meet).end = End::Return(a);
    verify(&graph).expect("a sound graph");
    graph.block_mut(meet).end = End::Return(b);
    refused(&graph, "is not defined in the end of b2");
}

#[test]
fn a_use_before_the_definition_is_refused() {
    let mut graph = Graph::default();
    let start = graph.new_block();
    let a = add(&mut graph, start, Inst::Home(1), Type::Any);
    let b = add(&mut graph, start, Inst::Boxed(a), Type::Any);
    graph.block_mut(start).end = End::Return(b);
    graph.block_mut(start).body.swap(0, 1);
    refused(&graph, "is not defined in v1");
    graph.block_mut(start).body = vec![a, b, a];
    refused(&graph, "is defined twice");
}

#[test]
fn an_exit_that_stores_what_is_not_there_is_refused() {
    let mut graph = Graph::default();
    let start = graph.new_block();
    let a = add(&mut graph, start, Inst::Home(1), Type::Any);
    let late = graph.new_value(Inst::Home(2), Type::Any, None);
    graph.exits.push(Exit { frames: Vec::new(), stores: vec![(3, late)], objects: Vec::new(), cause: Cause::Guess });
    let guard = graph.new_value(Inst::IsFixnum(a), Type::Raw, Some(crate::graph::ExitId(0)));
    graph.block_mut(start).body.extend([guard, late]);
    graph.block_mut(start).end = End::Return(a);
    refused(&graph, "is not defined in v2");
}

#[test]
fn ways_bring_what_parameters_want() {
    let mut graph = Graph::default();
    let [start, next] = [(); 2].map(|()| graph.new_block());
    let word = add(&mut graph, start, Inst::Home(1), Type::Any);
    let wanted = param(&mut graph, next, Type::Double);
    let boxed = add(&mut graph, next, Inst::Boxed(wanted), Type::Any);
    graph.block_mut(next).end = End::Return(boxed);
    graph.block_mut(start).end = End::Jump(edge(next, &[]));
    refused(&graph, "0 for 1");
    graph.block_mut(start).end = End::Jump(edge(next, &[word]));
    refused(&graph, "a word for a double");
}

/// So many values that all live at the end of a loop's body, defined before the loop.
fn crowd(count: i32, inst: impl Fn(i32) -> Inst, typ: Type) -> Graph {
    let mut graph = Graph::default();
    let [start, body, done] = [(); 3].map(|()| graph.new_block());
    let nodes: Vec<Node> = (0..count).map(|n| add(&mut graph, start, inst(n), typ)).collect();
    graph.block_mut(start).end = End::Jump(edge(body, &[]));
    graph.block_mut(body).depth = 1;
    let is_double = typ == Type::Double;
    let first = nodes[0];
    let test = match is_double {
        true => Test::Doubles(Relation::Less, first, nodes[1]),
        false => Test::Words(Relation::Less, first, nodes[1]),
    };
    graph.block_mut(body).end = End::Branch(test, edge(body, &[]), edge(done, &[]));
    let mut last = first;
    for node in &nodes[1..] {
        let inst = match is_double {
            true => Inst::Float(Float::Add, last, *node),
            false => Inst::Integer(Integer::And, last, *node),
        };
        last = add(&mut graph, done, inst, typ);
    }
    let last = if is_double { add(&mut graph, done, Inst::Boxed(last), Type::Any) } else { last };
    graph.block_mut(done).end = End::Return(last);
    verify(&graph).expect("a sound graph");
    graph
}

#[test]
fn values_from_the_frame_stay_there_where_registers_run_out() {
    let graph = crowd(40, Inst::Home, Type::Fixnum);
    let allocation = allocate(&graph).expect("places");
    verify_allocation(&graph, &allocation).expect("sound places");
    let homes = (0..40).filter(|n| allocation.locations[&Node(*n)] == Location::Frame(*n as i32)).count();
    assert!(homes >= 40 - usize::from(REGISTERS), "{homes}");
    // What the loop asks in each turn is in registers.
    for node in [Node(0), Node(1)] {
        assert!(matches!(allocation.locations[&node], Location::Register(_)), "{node:?}");
    }
}

#[test]
fn other_values_are_spilled_and_too_many_refused() {
    let made = |_| Inst::OwnsEnvironment(0);
    let graph = crowd(15, made, Type::Fixnum);
    let allocation = allocate(&graph).expect("places");
    verify_allocation(&graph, &allocation).expect("sound places");
    let is_spilled = |node: &u32| matches!(allocation.locations[&Node(*node)], Location::Spilled(_));
    assert!((0..15).filter(is_spilled).count() >= 5);
    let refusal = allocate(&crowd(120, made, Type::Fixnum)).err();
    assert_eq!(refusal, Some(Refusal::TooLarge));
}

#[test]
fn doubles_have_registers_or_the_unit_is_refused() {
    let unboxed = |_| Inst::OwnsEnvironment(0);
    let graph = crowd(13, unboxed, Type::Double);
    let allocation = allocate(&graph).expect("places");
    verify_allocation(&graph, &allocation).expect("sound places");
    assert_eq!(allocate(&crowd(20, unboxed, Type::Double)).err(), Some(Refusal::TooLarge));
}

#[test]
fn two_values_in_one_place_are_refused() {
    let graph = crowd(4, Inst::Home, Type::Fixnum);
    let mut allocation = allocate(&graph).expect("places");
    let place = allocation.locations[&Node(3)];
    allocation.locations.insert(Node(2), place);
    let found = verify_allocation(&graph, &allocation).expect_err("one place");
    assert!(found.contains("v2 is not in"), "{found}");
}

/// A loop whose body forks and meets, with sums of what is there at hand; numbers that look random say of what.
fn tangle(seed: u64) -> Graph {
    let mut state = seed;
    let mut below = |limit: usize| {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % limit
    };
    let mut graph = Graph::default();
    let [start, head, fork, left, right, meet, done] = [(); 7].map(|()| graph.new_block());
    [head, fork, left, right, meet].into_iter().for_each(|id| graph.block_mut(id).depth = 1);
    let mut known: Vec<Node> = Vec::new();
    let mut grow = |graph: &mut Graph, block: BlockId, known: &mut Vec<Node>, most: usize| {
        for _ in 0..=below(most) {
            let (a, b) = (known[below(known.len())], known[below(known.len())]);
            known.push(add(graph, block, Inst::Integer(Integer::And, a, b), Type::Fixnum));
        }
        let pick: Vec<Node> = (0..3).map(|_| known[below(known.len())]).collect();
        pick
    };
    known.extend((0..3).map(|place| add(&mut graph, start, Inst::Home(place), Type::Fixnum)));
    let first = grow(&mut graph, start, &mut known, 6);
    graph.block_mut(start).end = End::Jump(edge(head, &first));
    known.extend((0..3).map(|_| param(&mut graph, head, Type::Fixnum)));
    let asked = grow(&mut graph, head, &mut known, 4);
    let test = Test::Words(Relation::Less, asked[0], asked[1]);
    graph.block_mut(head).end = End::Branch(test, edge(fork, &[]), edge(done, &[]));
    let mut after = known.clone();
    let result = grow(&mut graph, done, &mut after, 6)[0];
    graph.block_mut(done).end = End::Return(result);
    let asked = grow(&mut graph, fork, &mut known, 4);
    graph.block_mut(fork).end = End::Branch(Test::Truthy(asked[0]), edge(left, &[]), edge(right, &[]));
    for way in [left, right] {
        let args = grow(&mut graph, way, &mut known.clone(), 4);
        graph.block_mut(way).end = End::Jump(edge(meet, &args));
    }
    known.extend((0..3).map(|_| param(&mut graph, meet, Type::Fixnum)));
    let again = grow(&mut graph, meet, &mut known, 4);
    graph.block_mut(meet).end = End::Jump(edge(head, &again));
    graph
}

#[test]
fn values_of_tangled_loops_are_where_they_are_used() {
    let (mut allocated, mut spilled) = (0, 0);
    for seed in 0..500 {
        let mut graph = tangle(seed);
        verify(&graph).expect("a sound graph");
        clean::clean(&mut graph);
        verify(&graph).expect("a sound graph");
        let Ok(allocation) = allocate(&graph) else { continue };
        if let Err(what) = verify_allocation(&graph, &allocation) {
            panic!("{seed}: {what}\n{}", crate::printed(&graph));
        }
        allocated += 1;
        let is_spilled = |place: &&Location| matches!(place, Location::Spilled(_));
        spilled += usize::from(allocation.locations.values().any(|place| is_spilled(&place)));
    }
    assert!(allocated > 400 && spilled > 50, "{allocated} {spilled}");
}
