//! What is packed is read back whole.

use crate::{
    CallFlags, CallInfo, CatchEntry, CatchKind, Draft, Insn, IseqFlags, IseqKind, IseqRef, KeywordParam, LINE_EVENT,
    Literal, Local, Op, Pack, Packed, Params, Site, Unit, binary,
};

fn simple(kind: IseqKind, name: &[u8]) -> Draft {
    Draft {
        kind,
        name: name.into(),
        first_line: 3,
        insns: vec![Insn::abc(Op::putnil, 1, 0, 0), Insn::abc(Op::leave, 1, 0, 0)],
        literals: Vec::new(),
        symbols: Vec::new(),
        sites: Vec::new(),
        children: Vec::new(),
        params: Params::default(),
        parameter_names: Vec::new(),
        locals: Vec::new(),
        svar: None,
        catches: Vec::new(),
        pending_windows: Vec::new(),
        lines: vec![(LINE_EVENT, 3), (1, 2)],
        frame_size: 2,
        local_size: 1,
        flags: IseqFlags::default(),
    }
}

/// One of everything, with numbers at the edges of their sizes.
fn full(children: Vec<u32>) -> Draft {
    let name = |text: &str| -> Box<[u8]> { text.as_bytes().into() };
    Draft {
        insns: vec![
            Insn { op: Op::ALL[0], n: 255, a: 0, b: 255, c: 256 },
            Insn { op: Op::ALL[Op::ALL.len() - 1], n: 0, a: 65535, b: 1, c: 0 },
            Insn::ad(Op::putfixnum, 1, -1),
            Insn::ad(Op::putfixnum, 1, i32::MIN),
        ],
        literals: vec![
            Literal::Nil,
            Literal::Integer(i64::MIN),
            Literal::BigInteger("-123456789012345678901".into()),
            Literal::Float(-0.0),
            Literal::Rational("1".into(), "3".into()),
            Literal::Imaginary(Box::new(Literal::Float(1.5))),
            Literal::String(name("text"), "UTF-8"),
            Literal::Symbol(name("symbol"), "US-ASCII"),
            Literal::Regexp(name("a+"), 16, "EUC-JP"),
            Literal::Range(Box::new(Literal::Nil), Box::new(Literal::Integer(1 << 40)), true),
            Literal::Array(vec![Literal::True, Literal::False]),
            Literal::Hash(vec![(Literal::Symbol(name("k"), "UTF-8"), Literal::Array(Vec::new()))]),
        ],
        symbols: vec![name("symbol"), name("")],
        sites: vec![
            Site::Call(CallInfo {
                name: name("call"),
                argc: 300,
                flags: CallFlags(CallFlags::KEYWORDS | CallFlags::FORWARDING),
                keyword_names: vec![name("a"), name("b")],
                block: Some(1),
            }),
            Site::Call(CallInfo { name: name("call"), ..CallInfo::default() }),
            Site::InstanceVariable(name("@a")),
            Site::ClassVariable(name("@@a")),
            Site::Constant(vec![name(""), name("A")]),
            Site::Once(7),
        ],
        children,
        params: Params {
            lead: 2,
            optional_entries: vec![0, 1, 200],
            has_rest: true,
            post: 1,
            keywords: vec![KeywordParam { name: name("a"), required: true }],
            has_keyword_rest: true,
            hides_keyword_rest: true,
            has_block: true,
            accepts_no_keywords: false,
            excessed_comma: false,
            is_forwarding: false,
            implicit: 2,
            uses_it: true,
        },
        parameter_names: vec![name("x"), name("")],
        locals: vec![Local { name: name("x"), register: 1, captured: true, reassigned: true }],
        svar: Some(9),
        catches: vec![
            CatchEntry { start: 1, end: 3, target: 300, register: 400, kind: CatchKind::Rescue },
            CatchEntry { start: 0, end: 1, target: 2, register: 4, kind: CatchKind::Ensure },
        ],
        flags: IseqFlags { uses_svar: true, packs_values: true, encoding: 3, ..IseqFlags::default() },
        ..simple(IseqKind::Method, b"full")
    }
}

#[test]
fn what_is_packed_is_read_back() {
    let mut pack = Pack::new();
    let block = simple(IseqKind::Block, b"block in full");
    let first = pack.add(&block);
    let draft = full(vec![first, first]);
    let at = pack.add(&draft);
    let iseq = IseqRef::packed(pack.finish("t.rb".into()), at);
    assert_eq!(iseq.draft(), draft);
    assert_eq!(iseq.child(1).draft(), block);
    assert_eq!((iseq.name(), &**iseq.path()), (&b"full"[..], "t.rb"));
    assert_eq!((&*iseq.insns, &*iseq.catches), (&*draft.insns, &*draft.catches));
    assert_eq!((&iseq.params, iseq.svar, iseq.flags), (&draft.params, draft.svar, draft.flags));
    assert_eq!((iseq.sites().len(), iseq.parameter_names().len()), (6, 2));
}

#[test]
fn lines_are_found_by_word() {
    let mut pack = Pack::new();
    let lines = vec![(LINE_EVENT, 5), (2, 9), (300 | LINE_EVENT, 1), (301, 70_000)];
    let at = pack.add(&Draft { lines, ..simple(IseqKind::Top, b"t") });
    let iseq = IseqRef::packed(pack.finish("t.rb".into()), at);
    assert_eq!([0, 1, 2, 299, 300, 301, 9999].map(|word| iseq.line_at(word)), [5, 5, 9, 9, 1, 70_000, 70_000]);
    assert_eq!([0, 2, 300, 301].map(|word| iseq.is_line_start(word)), [true, false, true, false]);
}

#[test]
fn names_stand_once() {
    let mut pack = Pack::new();
    let many = |n: usize| format!("name{n}").into_bytes().into_boxed_slice();
    let draft = Draft { symbols: (0..500).map(many).collect(), ..simple(IseqKind::Top, b"t") };
    let first = pack.add(&draft);
    let size = pack.packed().0[0].names.len();
    let second = pack.add(&draft);
    assert_eq!(pack.packed().0[0].names.len(), size);
    assert!(binary::is_equal((pack.packed(), first), (pack.packed(), second)));
}

#[test]
fn parts_refer_to_each_other() {
    let mut pack = Pack::split();
    let inner = pack.add(&simple(IseqKind::Class, b"<class:Inner>"));
    let method = pack.add(&Draft { children: vec![inner], ..simple(IseqKind::Method, b"m") });
    let block = pack.add(&Draft { children: vec![method], ..simple(IseqKind::Block, b"block") });
    let top = pack.add(&Draft { children: vec![block, method], ..simple(IseqKind::Top, b"t") });
    let bytes = pack.into_bytes().map(|part| &*Box::leak(part.into_boxed_slice()));
    let unit = Unit::embedded("t.rb", Packed::embedded(bytes));
    let top = IseqRef::packed(unit, top);
    assert_eq!(top.child(0).child(0).child(0).name(), b"<class:Inner>");
    assert_eq!(top.child(1).name(), b"m");
}

#[test]
fn equal_code_has_equal_children() {
    let mut pack = Pack::new();
    let [a, b] = [&b"a"[..], b"b"].map(|name| pack.add(&simple(IseqKind::Block, name)));
    let [x, y, z] = [a, b, a].map(|child| pack.add(&Draft { children: vec![child], ..simple(IseqKind::Top, b"t") }));
    assert!(binary::is_equal((pack.packed(), x), (pack.packed(), z)));
    assert!(!binary::is_equal((pack.packed(), x), (pack.packed(), y)));
}
