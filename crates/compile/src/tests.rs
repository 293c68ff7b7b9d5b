//! Shapes of code, and invariants over whatever Ruby files are at hand.
#![expect(clippy::print_stdout, reason = "some tests are tools that print")]

use crate::{Level, Options, Place, Point, ScopeNames, compile, drafts, spot, verify};
use carat_iseq::{Draft, FRAME_HEADER, IseqKind, Literal, Op, Site};
use std::ops::Range;
use std::path::{Path, PathBuf};

fn listing(source: &str) -> String {
    let program = compile(source.as_bytes(), &Options { main_script: true, ..Options::file("t.rb") });
    carat_iseq::disassemble(&program.unwrap_or_else(|error| panic!("{error:?}")).iseq)
}

/// The drafts of a source, checked: what is inside comes first, the source as a whole last.
fn checked(source: &[u8], options: &Options<'_>) -> Vec<Draft> {
    let drafts = drafts(source, options).expect("Ruby");
    drafts.iter().for_each(|draft| assert_eq!(verify(draft), Ok(())));
    drafts
}

/// The draft of a source as a whole.
fn outermost(source: &[u8], options: &Options<'_>) -> Draft {
    checked(source, options).pop().expect("a source has code")
}

/// Compares the listing of a script with what is expected.
fn check(source: &str, expect: &str) {
    let listing = listing(source);
    assert_eq!(listing.trim_end(), expect.trim(), "\n{listing}");
}

#[test]
fn comparison_is_fused_with_its_branch() {
    check(
        "def m(n) = n < 2 ? n : m(n - 1)",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 definemethod         r1, :m, m                                         (   1)
0001 leave                r1

== disasm: #<ISeq:m@t.rb:1>
local table (size: 1) [r1] n
0000 cmp_lt_imm           r2, r1, 2, <<, argc:1> @10, branchunless 0004     (   1)
0003 leave                r1
0004 opt_minus_imm        r11, r1, 1, <-, argc:1> @19
0006 send_self            1, r2, 10, <m, argc:1>
0007 leave                r2
"#,
    );
}

#[test]
fn locals_are_operands_unless_assigned_later() {
    check(
        "a = 1\na + (a = 2)\na - a",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 1) [r1] a
0000 putfixnum            r1, 1                                             (   1)
0001 move                 r2, r1                                            (   2)
0002 putfixnum            r1, 2
0003 move                 r3, r1
0004 opt_plus             r2, r2, r3, <+, argc:1> @12
0006 opt_minus            r2, r1, r1, <-, argc:1> @10                       (   3)
0008 leave                r2
"#,
    );
}

#[test]
fn window_of_a_nested_call_is_listed() {
    let iseq = outermost(b"foo(1, bar(2), 3)", &Options::file("t.rb"));
    let call = iseq.insns.iter().rposition(|insn| insn.op == Op::send_self).expect("a call") as u32;
    let window = iseq.pending_windows[0];
    // The header and the receiver, which `send_self` fills, up to the outer call.
    assert_eq!((window.start, window.end, window.register), (0, call, 1));
    assert_eq!(window.words, FRAME_HEADER + 1);
    assert_eq!(iseq.pending_windows.len(), 1);
}

#[test]
fn captured_locals_go_through_the_environment() {
    check(
        "x = 1\n[2].each { |y| x += y }\nx",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 1) [r1] x*
0000 putfixnum            r2, 1                                             (   1)
0001 setlocal             r2, r1, 0
0002 duparray             r10, Array([Integer(2)])                          (   2)
0003 send_block           0, r2, 10, <each, argc:0, block>
0004 getlocal             r2, r1, 0                                         (   3)
0005 leave                r2

== disasm: #<ISeq:block in <main>@t.rb:2>
local table (size: 1) [r1] y
0000 getlocal             r2, r1, 1                                         (   2)
0001 opt_plus             r2, r2, r1, <+, argc:1> @11
0003 setlocal             r2, r1, 1
0004 leave                r2
"#,
    );
}

#[test]
fn loop_polls_at_its_back_edge() {
    check(
        "i = 0\nwhile i < 10\n  i += 1\n  next if i == 3\n  break if i > 5\nend",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 1) [r1] i
0000 putfixnum            r1, 0                                             (   1)
0001 jump                 0013                                              (   2)
0002 opt_plus_imm         r1, r1, 1, <+, argc:1> @10                        (   3)
0004 cmp_eq_imm           r2, r1, 3, <==, argc:1> @10, branchunless 0008    (   4)
0007 jump_back            2, 0013
0008 cmp_gt_imm           r2, r1, 5, <>, argc:1> @10, branchunless 0013     (   5)
0011 putnil               r2
0012 jump                 0017
0013 cmp_lt_imm           r2, r1, 10, <<, argc:1> @10, branchif 0002        (   2)
0016 putnil               r2
0017 leave                r2
"#,
    );
}

#[test]
fn loop_of_no_comparison_tests_at_its_head() {
    check(
        "i = 0\ni += 1 until i",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 1) [r1] i
0000 putfixnum            r1, 0                                             (   1)
0001 branchif             r1, 0005                                          (   2)
0002 opt_plus_imm         r1, r1, 1, <+, argc:1> @10
0004 jump_back            2, 0001
0005 putnil               r2
0006 leave                r2
"#,
    );
}

#[test]
fn new_leaves_the_object_in_its_window() {
    check(
        "x = Foo.new(1)\nx.bar",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 1) [r1] x
0000 getconstant          r10, Foo                                          (   1)
0001 putfixnum            r11, 1
0002 opt_new              r11, 10, <new, argc:1>, r1
0004 move                 r10, r1                                           (   2)
0005 send_simple          0, r2, 10, <bar, argc:0>
0006 leave                r2
"#,
    );
    let listing = listing("Foo.new { }; Foo.new(&bar); new(1)");
    assert_eq!(listing.matches("opt_new").count(), 1, "\n{listing}");
}

#[test]
fn yield_takes_a_local_where_it_is() {
    check(
        "def m(a) = yield(a)",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 definemethod         r1, :m, m                                         (   1)
0001 leave                r1

== disasm: #<ISeq:m@t.rb:1>
local table (size: 1) [r1] a
0000 invokeblock_one      1, r2, 10, <, argc:1>                             (   1)
0001 leave                r2
"#,
    );
}

#[test]
fn conditional_assignment_keeps_the_local_until_the_end() {
    check(
        "y = 1\nx = y && x",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 2) [r1] y [r2] x
0000 putfixnum            r1, 1                                             (   1)
0001 move                 r3, r1                                            (   2)
0002 branchunless         r3, 0004
0003 move                 r3, r2
0004 move                 r2, r3
0005 move                 r3, r2
0006 leave                r3
"#,
    );
}

#[test]
fn rescue_restores_errinfo() {
    check(
        "begin\n  foo\nrescue A, *B => e\n  bar\nelse\n  baz\nend",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
| catch type: Rescue st: 0000 ed: 0001 cont: 0003 reg: r2
| catch type: Ensure st: 0003 ed: 0015 cont: 0017 reg: r4
local table (size: 1) [r1] e
0000 send_self            0, r2, 10, <foo, argc:0>                          (   2)
0001 send_self            0, r2, 10, <baz, argc:0>                          (   6)
0002 jump                 0019
0003 getconstant          r4, A                                             (   3)
0004 checkrescue          0, r4, r4, r2
0005 branchif             r4, 0011
0006 getconstant          r4, B
0007 splatarray           0, r4, r4
0008 checkrescue          1, r4, r4, r2
0009 branchif             r4, 0011
0010 jump                 0015
0011 move                 r1, r2
0012 send_self            0, r2, 12, <bar, argc:0>                          (   4)
0013 seterrinfo           r3
0014 jump                 0019
0015 seterrinfo           r3
0016 rethrow              r2
0017 seterrinfo           r3                                                (   1)
0018 rethrow              r4
0019 leave                r2                                                (   4)
"#,
    );
}

#[test]
fn return_runs_ensure_inline_outside_of_its_range() {
    check(
        "def m\n  return foo\nensure\n  bar\nend",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 definemethod         r1, :m, m                                         (   1)
0001 leave                r1

== disasm: #<ISeq:m@t.rb:1>
| catch type: Ensure st: 0000 ed: 0001 cont: 0003 reg: r1
| catch type: Ensure st: 0003 ed: 0004 cont: 0006 reg: r3
0000 send_self            0, r1, 9, <foo, argc:0>                           (   2)
0001 send_self            0, r2, 10, <bar, argc:0>                          (   4)
0002 leave                r1                                                (   2)
0003 send_self            0, r3, 11, <bar, argc:0>                          (   4)
0004 seterrinfo           r2
0005 rethrow              r1
0006 seterrinfo           r2
0007 rethrow              r3
0008 leave                r1                                                (   5)
"#,
    );
}

#[test]
fn break_in_a_handler_restores_errinfo() {
    check(
        "while true\n  begin\n    foo\n  rescue\n    break\n  end\nend",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
| catch type: Rescue st: 0000 ed: 0001 cont: 0002 reg: r1
| catch type: Ensure st: 0002 ed: 0007 cont: 0012 reg: r3
0000 send_self            0, r1, 9, <foo, argc:0>                           (   3)
0001 jump                 0014
0002 getconstant          r3, ::StandardError                               (   4)
0003 checkrescue          0, r3, r3, r1
0004 branchif             r3, 0006
0005 jump                 0010
0006 putnil               r3                                                (   5)
0007 seterrinfo           r2
0008 move                 r1, r3
0009 jump                 0016
0010 seterrinfo           r2
0011 rethrow              r1
0012 seterrinfo           r2                                                (   2)
0013 rethrow              r3
0014 jump_back            1, 0000                                           (   5)
0015 putnil               r1
0016 leave                r1
"#,
    );
}

#[test]
fn swap_makes_no_array() {
    check(
        "a, b = 1, 2\na, b = b, a\nnil",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 2) [r1] a [r2] b
0000 putfixnum            r3, 1                                             (   1)
0001 putfixnum            r2, 2
0002 move                 r1, r3
0003 move                 r3, r2                                            (   2)
0004 move                 r2, r1
0005 move                 r1, r3
0006 putnil               r3                                                (   3)
0007 leave                r3
"#,
    );
}

#[test]
fn multiple_assignment_evaluates_receivers_first() {
    check(
        "a.b, c[d] = e",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 send_self            0, r1, 9, <a, argc:0>                             (   1)
0001 send_self            0, r2, 10, <c, argc:0>
0002 send_self            0, r3, 11, <d, argc:0>
0003 send_self            0, r4, 12, <e, argc:0>
0004 expandarray          0, r5, r4, 2, <to_ary, argc:0> @0
0006 move                 r15, r1
0007 move                 r16, r5
0008 send_simple          1, r7, 15, <b=, argc:1>
0009 opt_aset             r2, r3, r6, <[]=, argc:2> @15
0011 move                 r1, r4
0012 leave                r1
"#,
    );
}

#[test]
fn keys_that_nobody_else_sees_need_no_copy() {
    check(
        "h[\"a\"] = \"b#{c}\"\nh[\"b#{c}\"] = 1",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 send_self            0, r1, 9, <h, argc:0>                             (   1)
0001 putobject            r2, "a"
0002 putobject            r3, "b"
0003 send_self            0, r4, 12, <c, argc:0>
0004 objtostring          r5, r4, <to_s, argc:0> @13
0006 anytostring          r4, r5, r4
0007 concatstrings        0, r3, r3, 2
0008 opt_aset             r1, r2, r3, left literal, <[]=, argc:2> @12
0010 send_self            0, r1, 9, <h, argc:0>                             (   2)
0011 putobject            r2, "b"
0012 send_self            0, r3, 11, <c, argc:0>
0013 objtostring          r4, r3, <to_s, argc:0> @12
0015 anytostring          r3, r4, r3
0016 concatstrings        0, r2, r2, 2
0017 putfixnum            r3, 1
0018 opt_aset             r1, r2, r3, fresh, <[]=, argc:2> @12
0020 move                 r1, r3
0021 leave                r1
"#,
    );
}

#[test]
fn interpolation_converts_each_part() {
    check(
        "x = 1\n\"a#{x}b#{y}\"",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 1) [r1] x
0000 putfixnum            r1, 1                                             (   1)
0001 putobject            r2, "a"                                           (   2)
0002 objtostring          r3, r1, <to_s, argc:0> @11
0004 anytostring          r3, r3, r1
0005 putobject            r4, "b"
0006 send_self            0, r5, 13, <y, argc:0>
0007 objtostring          r6, r5, <to_s, argc:0> @14
0009 anytostring          r5, r6, r5
0010 concatstrings        0, r2, r2, 4
0011 leave                r2
"#,
    );
}

#[test]
fn optional_and_keyword_parameters_have_defaults() {
    check(
        "def m(a, b = 1, *c, d, e:, f: 2, **g, &h) = h",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 definemethod         r1, :m, m                                         (   1)
0001 leave                r1

== disasm: #<ISeq:m@t.rb:1>
local table (size: 8) [r1] a [r2] b [r3] c [r4] d [r5] e [r6] f [r7] g [r8] h
0000 putfixnum            r2, 1                                             (   1)
0001 branchgiven          r6, 0003
0002 putfixnum            r6, 2
0003 getblockparam        r9, r8, 0
0004 leave                r9
"#,
    );
}

#[test]
fn arguments_with_splat_and_keywords() {
    check(
        "foo(*a, 1, b: 2, **c, &d)",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 move                 r9, r0                                            (   1)
0001 send_self            0, r10, 18, <a, argc:0>
0002 splatarray           1, r10, r10
0003 putfixnum            r11, 1
0004 pusharray            0, r10, r11
0005 putobject            r11, :b
0006 putfixnum            r12, 2
0007 newhash              0, r11, r11, 2
0008 send_self            0, r12, 20, <c, argc:0>
0009 concathash           r11, r12
0010 send_self            0, r12, 20, <d, argc:0>
0011 send                 r1, 9, <foo, argc:1>
0012 leave                r1
"#,
    );
}

#[test]
fn attribute_assignment_yields_its_right_side() {
    check(
        "x = (a.b = 1)",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 1) [r1] x
0000 send_self            0, r2, 10, <a, argc:0>                            (   1)
0001 putfixnum            r3, 1
0002 move                 r12, r2
0003 move                 r13, r3
0004 send_simple          1, r4, 12, <b=, argc:1>
0005 move                 r1, r3
0006 move                 r2, r1
0007 leave                r2
"#,
    );
}

#[test]
fn super_passes_parameters_on() {
    check(
        "def m(a, *b, c: 1, &d) = super",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 definemethod         r1, :m, m                                         (   1)
0001 leave                r1

== disasm: #<ISeq:m@t.rb:1>
local table (size: 4) [r1] a [r2] b [r3] c [r4] d
0000 branchgiven          r3, 0002                                          (   1)
0001 putfixnum            r3, 1
0002 move                 r13, r0
0003 move                 r14, r1
0004 move                 r15, r2
0005 splatarray           0, r15, r15
0006 newhash              0, r16, r16, 0
0007 putobject            r17, :c
0008 move                 r18, r3
0009 hashset              r16, r17, r18
0010 invokesuper          r5, 13, <m, argc:2>
0011 leave                r5
"#,
    );
}

#[test]
fn block_leaves_in_three_ways() {
    check(
        "def m\n  foo { |x| next 1 if x; break 2 if y; return 3 }\nend",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 definemethod         r1, :m, m                                         (   1)
0001 leave                r1

== disasm: #<ISeq:m@t.rb:1>
0000 move                 r9, r0                                            (   2)
0001 send_block           0, r1, 9, <foo, argc:0, block>
0002 leave                r1                                                (   3)

== disasm: #<ISeq:block in m@t.rb:2>
local table (size: 1) [r1] x
0000 branchunless         r1, 0003                                          (   2)
0001 putfixnum            r2, 1
0002 leave                r2
0003 send_self            0, r2, 10, <y, argc:0>
0004 branchunless         r2, 0007
0005 putfixnum            r2, 2
0006 break_from_block     r2
0007 putfixnum            r2, 3
0008 return_from_block    r2
"#,
    );
}

#[test]
fn many_clauses_are_passed_over_in_groups() {
    let case = |clauses: Range<usize>, other: &str| {
        let clauses: String = clauses.map(|i| format!("when {i}, :s{i}, \"t{i}\" then {i}\n")).collect();
        listing(&format!("case x\n{clauses}{other}end")).matches("casehas").count()
    };
    assert_eq!(case(0..63, ""), 0);
    assert_eq!(case(0..64, ""), 1 + 8);
    assert_eq!(case(0..64, "when Integer then 1\n"), 1 + 8);
    assert_eq!(case(0..64, "when 1.5 then 1\nwhen 64 then 2\nelse 3\n"), 1 + 8);
    assert_eq!(case(0..128, ""), 1 + 8 + 8 * 2);
}

#[test]
fn case_compares_with_each_condition() {
    check(
        "case x\nwhen 1, \"a\" then :b\nelse :c\nend",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 send_self            0, r1, 9, <x, argc:0>                             (   1)
0001 putfixnum            r2, 1                                             (   2)
0002 checkmatch           0, r2, r2, r1, <===, argc:1> @11
0004 branchif             r2, 0009
0005 putobject            r2, "a"
0006 checkmatch           0, r2, r2, r1, <===, argc:1> @11
0008 branchunless         r2, 0011
0009 putobject            r1, :b
0010 jump                 0012
0011 putobject            r1, :c                                            (   3)
0012 leave                r1
"#,
    );
}

#[test]
fn pattern_fails_to_the_next_clause() {
    check(
        "case x\nin [Integer => a, *] if a > 1 then a\nin {b:} then b\nelse nil\nend",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
local table (size: 2) [r1] a [r2] b
0000 send_self            0, r3, 11, <x, argc:0>                            (   1)
0001 putnil               r4
0002 branchnil            r4, 0005                                          (   2)
0003 branchunless         r4, 0039
0004 jump                 0020
0005 putobject            r5, :deconstruct
0006 move                 r14, r3
0007 move                 r15, r5
0008 send_simple          1, r5, 14, <respond_to?, argc:1>
0009 branchif             r5, 0011
0010 putfalse             r4
0011 branchunless         r5, 0039
0012 move                 r13, r3
0013 send_simple          0, r4, 13, <deconstruct, argc:0>
0014 checktype            0, r5, r4
0015 branchif             r5, 0020
0016 getconstant          r13, ::Kernel
0017 getconstant          r14, ::TypeError
0018 putobject            r15, "deconstruct must return Array"
0019 send_simple          2, r5, 13, <raise, argc:2>
0020 opt_length           r5, r4, <length, argc:0> @13
0022 putfixnum            r6, 1
0023 opt_ge               r7, r5, r6, <>=, argc:1> @15
0025 branchunless         r7, 0039
0026 expandarray          2, r5, r4, 1, <to_ary, argc:0> @0
0028 getconstant          r6, Integer
0029 checkmatch           0, r7, r6, r5, <===, argc:1> @15
0031 branchunless         r7, 0039
0032 move                 r1, r5
0033 putfixnum            r5, 1
0034 opt_gt               r5, r1, r5, <>, argc:1> @14
0036 branchunless         r5, 0039
0037 move                 r3, r1
0038 jump                 0065
0039 putobject            r5, :deconstruct_keys                             (   3)
0040 move                 r14, r3
0041 move                 r15, r5
0042 send_simple          1, r5, 14, <respond_to?, argc:1>
0043 branchunless         r5, 0064
0044 duparray             r5, Array([Symbol([98], "US-ASCII")])
0045 move                 r14, r3
0046 move                 r15, r5
0047 send_simple          1, r5, 14, <deconstruct_keys, argc:1>
0048 checktype            1, r6, r5
0049 branchif             r6, 0054
0050 getconstant          r14, ::Kernel
0051 getconstant          r15, ::TypeError
0052 putobject            r16, "deconstruct_keys must return Hash"
0053 send_simple          2, r6, 14, <raise, argc:2>
0054 putobject            r6, :b
0055 move                 r15, r5
0056 move                 r16, r6
0057 send_simple          1, r7, 15, <key?, argc:1>
0058 branchunless         r7, 0064
0059 opt_aref             r7, r5, r6, <[], argc:1> @15
0061 move                 r2, r7
0062 move                 r3, r2
0063 jump                 0065
0064 putnil               r3                                                (   4)
0065 leave                r3
"#,
    );
}

#[test]
fn class_body_is_a_child() {
    check(
        "class A::B < C\n  X = 1\nend",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 getconstant          r1, A                                             (   1)
0001 getconstant          r2, C
0002 defineclass          0, r1, :B, <class:B>
0003 leave                r1

== disasm: #<ISeq:<class:B>@t.rb:1>
0000 putfixnum            r1, 1                                             (   2)
0001 putcbase             r2
0002 setconstant          r1, r2, :X
0003 leave                r1                                                (   3)
"#,
    );
}

#[test]
fn constant_is_assigned_unless_defined() {
    check(
        "A ||= 1",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 defined              3, r1, r0, 0                                      (   1)
0001 branchunless         r1, 0003
0002 getconstant          r1, A
0003 branchif             r1, 0007
0004 putfixnum            r1, 1
0005 putcbase             r2
0006 setconstant          r1, r2, :A
0007 leave                r1
"#,
    );
}

#[test]
fn safe_navigation_skips_arguments() {
    check(
        "a&.b(c)",
        r#"
== disasm: #<ISeq:<main>@t.rb:1>
0000 send_self            0, r9, 17, <a, argc:0>                            (   1)
0001 branchnil            r9, 0005
0002 send_self            0, r10, 18, <c, argc:0>
0003 send_simple          1, r1, 9, <b, argc:1>
0004 jump                 0006
0005 putnil               r1
0006 leave                r1
"#,
    );
}

fn literals(source: &[u8]) -> Vec<(Op, Literal)> {
    let iseq = outermost(source, &Options::file("t.rb"));
    let loads = iseq.insns.iter().filter(|insn| insn.op.format().operands == "aL");
    loads.map(|insn| (insn.op, iseq.literals[usize::from(insn.b)].clone())).collect()
}

fn string(text: &[u8], encoding: &'static str) -> Literal {
    Literal::String(text.into(), encoding)
}

#[test]
fn magic_comment_decides_how_strings_are_made() {
    assert_eq!(literals(b"'a'"), [(Op::putchilledstring, string(b"a", "UTF-8"))]);
    assert_eq!(literals(b"# frozen_string_literal: true\n'a'"), [(Op::putobject, string(b"a", "UTF-8"))]);
    assert_eq!(literals(b"# frozen_string_literal: false\n'a'"), [(Op::putstring, string(b"a", "UTF-8"))]);
    let minus = outermost(b"-'a'", &Options::file("t.rb"));
    assert_eq!(minus.insns[0].op, Op::opt_freeze, "a program may define `-@` anew");
}

#[test]
fn literals_have_the_encoding_of_the_source_or_of_their_escapes() {
    assert_eq!(literals(b"# encoding: euc-jp\n'a'")[0].1, string(b"a", "EUC-JP"));
    assert_eq!(literals(b"# -*- coding: binary -*-\n'\xff'")[0].1, string(b"\xff", "ASCII-8BIT"));
    assert_eq!(literals(b"# encoding: us-ascii\n\"\\u3042\"")[0].1, string("\u{3042}".as_bytes(), "UTF-8"));
    assert_eq!(literals(b":a")[0].1, Literal::Symbol((*b"a").into(), "US-ASCII"));
    assert_eq!(literals(b"/a/n")[0].1, Literal::Regexp((*b"a").into(), 32, "US-ASCII"));
}

#[test]
fn numbers_of_all_sizes() {
    assert_eq!(literals(b"4611686018427387903")[0].1, Literal::Integer((1 << 62) - 1));
    assert_eq!(literals(b"-4611686018427387904")[0].1, Literal::BigInteger("-4611686018427387904".into()));
    let big = "123456789012345678901234567890000000000";
    assert_eq!(literals(big.as_bytes())[0].1, Literal::BigInteger(big.into()));
    assert_eq!(literals(b"1.5r")[0].1, Literal::Rational("3".into(), "2".into()));
    assert_eq!(literals(b"2i")[0].1, Literal::Imaginary(Box::new(Literal::Integer(2))));
    assert_eq!(literals(b"[1, nil, :a]")[0].0, Op::duparray);
}

#[test]
fn eval_reaches_the_scopes_of_its_binding() {
    let method = compile(b"x = 1; binding", &Options::file("t.rb")).expect("Ruby").iseq;
    assert!(method.flags.uses_binding && method.locals().all(|local| local.captured));
    let scopes = [ScopeNames::of(&method)];
    let options = Options { kind: IseqKind::Eval, scopes: &scopes, ..Options::file("(eval)") };
    let eval = outermost(b"y = x", &options);
    assert_eq!(eval.locals.iter().map(|local| &*local.name).collect::<Vec<_>>(), [b"y"]);
    let read = eval.insns.iter().find(|insn| insn.op == Op::getlocal).expect("reads x");
    assert_eq!((read.b, read.c), (method.locals().next().expect("x").register, 1));
}

#[test]
fn special_variables_reserve_registers_in_the_method() {
    let [block, method, top] = &checked(b"def m = foo { $~ }", &Options::file("t.rb"))[..] else { panic!("three") };
    assert!(top.svar.is_none() && method.svar.is_some() && block.svar.is_none());
    assert!(method.flags.uses_svar && block.flags.uses_svar);
}

#[test]
fn syntax_errors_tell_where() {
    let error = compile(b"a = 1\nb = )", &Options::file("t.rb")).expect_err("no Ruby");
    assert_eq!((error.diagnostics[0].level, error.diagnostics[0].line), (Level::Error, 2));
    let error = compile(b"class A; yield; end", &Options { kind: IseqKind::Eval, ..Options::file("t.rb") });
    let diagnostic = &error.expect_err("no Ruby").diagnostics[0];
    assert_eq!(&*diagnostic.message, b"Invalid yield");
}

#[test]
fn data_starts_behind_the_end_line() {
    let source = b"1\n__END__\nabc";
    assert_eq!(compile(source, &Options::file("t.rb")).expect("Ruby").data_offset, Some(10));
}

#[test]
fn core_code_calls_primitives() {
    let options = Options { is_core: true, ..Options::file("<internal:array>") };
    let method = &checked(b"def push(v) = Primitive.array_fill(self, v)", &options)[0];
    let call = method.insns.iter().find(|insn| insn.op == Op::invokeprimitive).expect("a primitive");
    assert_eq!(call.n, 2);
    assert_eq!(&*method.symbols[usize::from(call.c)], b"array_fill");
}

#[test]
fn what_iterations_ask_arrays_is_an_instruction() {
    let options = Options { is_core: true, ..Options::file("<internal:array>") };
    let source = b"def last = Primitive.array_at(self, Primitive.array_size(self) - 1)";
    let method = &checked(source, &options)[0];
    let has = |op| method.insns.iter().any(|insn| insn.op == op);
    assert!(has(Op::arraysize) && has(Op::arrayat) && !has(Op::invokeprimitive));
}

#[test]
fn fields_of_other_objects_have_sites() {
    let options = Options { is_core: true, ..Options::file("<internal:enumerator>") };
    let source = b"def copy(from, to) = Primitive.field_set(to, :__a, Primitive.field(from, :__a))";
    let method = &checked(source, &options)[0];
    let site_of = |op| method.insns.iter().find(|insn| insn.op == op).map(|insn| &method.sites[usize::from(insn.c)]);
    let site = Site::InstanceVariable(b"__a".as_slice().into());
    assert_eq!(site_of(Op::getfield), Some(&site));
    assert_eq!(site_of(Op::setfield), Some(&site));
}

#[test]
fn core_code_has_fields_that_no_program_can_name() {
    let sites = |is_core| {
        let options = Options { is_core, ..Options::file("<internal:enumerator>") };
        checked(b"def a = @__a ||= defined?(@__a)", &options)[0].sites.clone()
    };
    let all_are = |sites: Vec<Site>, name: &[u8]| {
        let mut fields = sites.iter().filter(|site| matches!(site, Site::InstanceVariable(_))).peekable();
        assert!(fields.peek().is_some() && fields.all(|site| *site == Site::InstanceVariable(name.into())));
    };
    all_are(sites(true), b"__a");
    all_are(sites(false), b"@__a");
}

#[test]
fn iteration_of_core_code_is_one_instruction_a_turn() {
    let options = Options { is_core: true, ..Options::file("<internal:array>") };
    let source = b"def each\n v = nil\n i = 0\n while Primitive.array_next(self, i, v)\n  yield v\n end\nend";
    let method = &checked(source, &options)[0];
    let ops: Vec<Op> = method.insns.iter().map(|insn| insn.op).collect();
    let end = [Op::invokeblock_one, Op::array_next, Op::jump_back, Op::putnil, Op::leave];
    assert!(ops.ends_with(&end), "{ops:?}");
}

#[test]
fn block_given_in_core_code_is_an_instruction() {
    let has_call = |is_core| {
        let method = &checked(b"def f = block_given?", &Options { is_core, ..Options::file("t.rb") })[0];
        method.insns.iter().any(|insn| matches!(insn.op, Op::send | Op::send_simple | Op::send_self))
    };
    assert!(has_call(false) && !has_call(true));
}

#[test]
fn verify_refuses_what_breaks_the_contracts() {
    let good = outermost(b"foo(bar(1))", &Options::file("t.rb"));
    let broken = |change: fn(&mut Draft)| {
        let mut iseq = good.clone();
        change(&mut iseq);
        verify(&iseq).is_err()
    };
    assert!(broken(|iseq| iseq.frame_size -= 1));
    assert!(broken(|iseq| iseq.sites.clear()));
    assert!(broken(|iseq| iseq.insns.truncate(1)));
    let makes = outermost(b"Foo.new", &Options::file("t.rb"));
    let mut orphan = makes.clone();
    orphan.insns.retain(|insn| insn.op != Op::new_result);
    assert!(verify(&orphan).is_err());
    // The outer window's header is a hole while the inner call runs.
    assert!(broken(|iseq| iseq.pending_windows.clear()));
}

fn ruby_files(directory: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(directory).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.is_dir() {
            ruby_files(&path, found);
        } else if path.extension().is_some_and(|extension| extension == "rb") {
            found.push(path);
        }
    }
}

/// Compiles every Ruby file of the project, and those below the directories in `$CARAT_CORPUS` (separated by colons).
#[test]
fn corpus_compiles_and_verifies() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut files = Vec::new();
    for own in ["core", "lib", "bench", "examples", "tests/golden"] {
        ruby_files(&root.join(own), &mut files);
    }
    for directory in std::env::var("CARAT_CORPUS").unwrap_or_default().split(':').filter(|d| !d.is_empty()) {
        ruby_files(Path::new(directory), &mut files);
    }
    assert!(files.len() > 100, "the project's own Ruby files are the least of it");
    let mut failures = 0;
    for path in &files {
        let source = std::fs::read(path).expect("readable");
        let result = std::panic::catch_unwind(|| {
            let name = path.to_string_lossy();
            match drafts(&source, &Options::file(&name)) {
                Ok(drafts) => drafts.iter().try_for_each(verify),
                Err(error) => {
                    println!("syntax: {}: {}", path.display(), String::from_utf8_lossy(&error.diagnostics[0].message));
                    Ok(())
                }
            }
        });
        let problem = match result {
            Ok(Ok(())) => continue,
            Ok(Err(error)) => error,
            Err(_) => "panic".to_owned(),
        };
        println!("FAILED {}: {problem}", path.display());
        failures += 1;
    }
    println!("{} files", files.len());
    assert_eq!(failures, 0);
}

/// What errors in the code of a source's only method can point at.
fn spots(body: &str, point: Point<'_>) -> Vec<String> {
    let source = format!("def f(a)\n{body}\nend\n");
    let options = Options::file("t.rb");
    let program = compile(source.as_bytes(), &options).expect("valid source");
    let iseq = &program.iseq.child(0);
    let line = source.lines().nth(1).expect("the body");
    let at = |word| spot(source.as_bytes(), &options, Place { iseq, word: Some(word) }, point);
    let mut found: Vec<String> = (0..iseq.insns.len() as u32)
        .filter_map(at)
        .map(|spot| format!("{}:{}", spot.first_line, &line[spot.first_column..spot.last_column]))
        .collect();
    found.dedup();
    found
}

#[test]
fn errors_point_at_the_call_that_they_came_from() {
    assert_eq!(spots("  a.foo(1).bar", Point::Name(None)), ["2:.foo", "2:.bar"]);
    assert_eq!(spots("  a.foo(1, 2)", Point::Arguments), ["2:1, 2"]);
    assert_eq!(spots("  a[1] += a", Point::Name(Some(b"[]="))), ["2:[1] +="]);
    assert_eq!(spots("  A::B::C", Point::Name(Some(b"B"))), ["2:::B"]);
}

#[test]
fn source_that_changed_is_not_pointed_at() {
    let options = Options::file("t.rb");
    let program = compile(b"nil.foo\n", &options).expect("valid source");
    let place = Place { iseq: &program.iseq, word: Some(1) };
    assert_eq!(spot(b"nil.bar\n", &options, place, Point::Name(None)), None);
}
