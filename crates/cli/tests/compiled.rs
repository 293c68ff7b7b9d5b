//! Compiled code does what the interpreter does: programs of a generator in all modes, and what is redefined while code runs.
//!
//! `CARAT_COMPILED_SEED` is where the generator begins, `CARAT_COMPILED_PROGRAMS` how many programs it writes.
#![cfg(all(any(target_arch = "x86_64", target_arch = "aarch64"), unix))]

use std::fmt::Write;
use std::process::Command;

const MODES: [&str; 16] = [
    "off",
    "t1",
    "t1:1",
    "t1:3",
    "t1:2,limit:40000",
    "t2:4000",
    "always",
    "always2",
    "exits:1",
    "exits:3",
    "exits:7",
    "exits2:1",
    "exits2:3",
    "exits2:7",
    "always,limit:40000",
    "always2,limit:60000",
];

fn run(program: &str, mode: &str, stress: Option<&str>) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
    command.args(["-W0", "--disable=gems", "-e", program]).env("CARAT_JIT", mode);
    stress.map(|stress| command.env("CARAT_GC_STRESS", stress));
    let output = command.output().expect("carat runs");
    let error = String::from_utf8_lossy(&output.stderr).into_owned();
    format!("{}{error}{}", String::from_utf8_lossy(&output.stdout), output.status)
}

/// All modes print the same; what that is.
fn same_in_all_modes(program: &str) -> String {
    let expected = run(program, "off", None);
    for mode in &MODES[1..] {
        assert_eq!(run(program, mode, None), expected, "{mode}: {program}");
    }
    expected
}

#[track_caller]
fn check(program: &str, expected: &str) {
    assert_eq!(same_in_all_modes(program), format!("{expected}\nexit status: 0"));
}

// ---- redefinitions ----

#[test]
fn operators_are_redefined_in_a_loop_that_runs() {
    check(
        "def f = (Integer.class_eval { def +(o) = self - o * -2 }; 0)
         i = s = 0
         while i < 500; f if i == 400; s += 1; i = i.succ; end
         p s",
        "600",
    );
}

#[test]
fn methods_are_redefined_below_the_frames_that_run_them() {
    check(
        "class A; def m(n) = n; end
         def swap(i) = A.class_eval(\"def m(n) = n + #{i}\")
         a, s = A.new, 0
         300.times { |i| swap(i) if i % 50 == 49; s += a.m(1) }
         p s
         def rec(n)
           if n == 0 then Object.class_eval { def rec(n) = 1000 }; 0 else rec(n - 1) + 1 end
         end
         p rec(40), rec(40)",
        "37849\n40\n1000",
    );
}

#[test]
fn constants_modules_and_singletons_change_while_code_runs() {
    check(
        "C = 1
         module M; def v = super + 100; end
         class B; def v = 1; end
         b, s = B.new, 0
         def read = C
         200.times do |i|
           Object.send(:remove_const, :C).then { C = 2 } if i == 50
           B.prepend(M) if i == 100
           def b.v = super + 1000 if i == 150
           s += read + b.v
         end
         p s",
        "60550",
    );
}

#[test]
fn initialize_and_each_are_redefined() {
    check(
        "class K; attr_reader :v; def initialize(v) = @v = v; end
         class E; include Enumerable; def each = (yield 1; yield 2); end
         s = 0
         120.times do |i|
           K.class_eval { def initialize(v) = @v = v * 10 } if i == 60
           E.class_eval { def each = (yield 5) } if i == 90
           s += K.new(1).v + E.new.sum
         end
         p s",
        "1080",
    );
}

#[test]
fn refinements_hold_where_they_are_used() {
    check(
        "module R; refine(Integer) { def twice = self * 20 }; end
         class Integer; def twice = self * 2; end
         def plain = (s = 0; 100.times { |i| s += i.twice }; s)
         p plain
         p eval('using R; s = 0; 100.times { |i| s += i.twice }; s')
         p plain",
        "9900\n99000\n9900",
    );
}

#[test]
fn tracing_and_objects_recorded_begin_in_code_that_runs() {
    check(
        "def leaf(i) = i + 1
         def loop_of(n, at)
           i, seen = 0, []
           trace = TracePoint.new(:call) { |t| seen << t.method_id }
           while i < n
             trace.enable if i == at
             i = leaf(i)
             trace.disable if i == at + 3
           end
           seen
         end
         p loop_of(300, 250)",
        "[:leaf, :leaf, :leaf, :disable]",
    );
}

#[test]
fn a_ractor_traces_code_that_others_run_compiled() {
    check(
        "class P; attr_reader :v; def initialize(v) = @v = v; end
         def leaf(i) = i + 1
         def hot(n) = (i = s = 0; while i < n; s += P.new(leaf(i)).v.gcd(0); i += 1; end; s)
         def traced(n, from, events)
           seen = Hash.new(0)
           trace = TracePoint.new(*events) { |t| seen[t.method_id] += 1 }
           i = s = 0
           while i < n
             trace.enable if i == from
             s += P.new(leaf(i)).v.gcd(0)
             trace.disable if i == from + 100
             i += 1
           end
           [s, seen.slice(:leaf, :initialize, :v, :gcd).values]
         end
         EVENTS = %i[call c_call raise].freeze
         hot(6000)
         loops = 2.times.map { Ractor.new { 4.times.map { hot(6000) }.uniq } }
         tracing = 3.times.map do |k|
           Ractor.new(k) { |k| hot(6000); 2.times.map { |j| traced(6000, 4500 + 300 * k + j, EVENTS[k]) } }
         end
         p 2.times.map { |j| traced(6000, 4500 + j, EVENTS) }.uniq
         p tracing.map(&:value).map(&:uniq), loops.map(&:value), hot(6000)",
        "[[18003000, [101, 101, 101, 101]]]\n\
         [[[18003000, [101, 101]]], [[18003000, [101, 101]]], [[18003000, []]]]\n\
         [[18003000], [18003000]]\n\
         18003000",
    );
}

const BRIEF: &str = "class V
           attr_reader :x, :y
           def initialize(x, y) = (@x = x; @y = y)
           def dot(other) = @x * other.x + @y * other.y
           def +(other) = V.new(@x + other.x, @y + other.y)
           def ==(other) = @x == other.x && @y == other.y
         end
         def divide(a, b) = [a / b, a % b]
         def calls(n) = (i = s = 0; while i < n; s += V.new(i, 1).dot(V.new(2, 3)); i += 1; end; s)
         def operators(n) = (i = s = 0; while i < n; s += (V.new(i, 1) + V.new(1, i)).y; same = V.new(i, 2) == V.new(3, 2); s += 1 if same; i += 1; end; s)
         def lists(n) = (i = s = 0; while i < n; q, r = divide(i, 7); s += q + [r, 3].max + [i, s][0]; i += 1; end; s)
         def swaps(n) = (i = 0; x = 1; y = 2; while i < n; x, y = y, x; i += 1; end; x)
         def ranges(n) = (i = s = 0; while i < n; (i..i + 2).each { |j| s += j }; (0...i % 3).each { |j| s += j }; i += 1; end; s)
         def floats(n) = (i = 0; f = 1e200; g = 1e-200; while i < n; f = f * 1.0000001 + 1e190; g = g * 0.5 - f / f; i += 1; end; [f, g].size)
         def bare(n) = (i = s = 0; while i < n; s += 1 if Object.new; i += 1; end; s)
         NAMES = %i[calls operators lists swaps ranges floats bare]
";

#[test]
fn what_dies_where_it_is_made_is_not_made() {
    let counts = "NAMES.each do |name|
           20.times { send(name, 500) }
           before = GC.stat(:total_allocated_objects)
           send(name, 2000)
           made = GC.stat(:total_allocated_objects) - before
           puts \"#{name}: #{made}\" if made > 9
         end";
    assert_eq!(run(&format!("{BRIEF}{counts}"), "t2:2000", None), "exit status: 0");
}

#[test]
fn whoever_counts_objects_finds_those_that_compiled_code_does_not_make() {
    let counts = "require 'loupe/live'
         NAMES.each { |name| 20.times { send(name, 500) } }
         NAMES.each { |name| p [name, send(name, 100), Loupe.count { send(name, 100) }.total_allocated] }
         def later(n)
           i = s = 0
           found = nil
           while i < n
             s += V.new(i, 1).dot(V.new(2, 3))
             found = Loupe.count { V.new(i, 1).dot(V.new(i, 2)) }.total_allocated if i == n - 3
             i += 1
           end
           found
         end
         p later(3000), later(3000)";
    assert!(same_in_all_modes(&format!("{BRIEF}{counts}")).contains("[:calls, 10200, 200]"));
}

#[test]
fn ractors_compile_on_their_own_while_methods_are_redefined() {
    check(
        "class N; def m(x) = x + 1; end
         work = proc { |n| o = N.new; s = 0; n.times { |i| s = o.m(s) }; s }
         ractors = 3.times.map { Ractor.new { o = N.new; s = 0; 3000.times { s = o.m(s) }; s } }
         50.times { N.class_eval { def m(x) = x + 1 } }
         p ractors.map(&:value), work.(3000)",
        "[3000, 3000, 3000]\n3000",
    );
}

#[test]
fn errors_and_jumps_leave_frames_of_compiled_code() {
    check(
        "def deep(n) = n == 0 ? raise('x') : deep(n - 1)
         def guarded(n) = (deep(n) rescue $!.backtrace.size)
         p Array.new(50) { |i| guarded(i) }.last
         def finds(a, v) = (a.each { |x| return x if x == v }; nil)
         p (0...60).map { |i| finds([*0..60], i) }.sum
         def breaks(a) = a.each { |x| break x * 2 if x > 3 }
         p Array.new(50) { breaks([1, 2, 3, 4]) }.uniq
         def infinite(n) = infinite(n + 1)
         begin; infinite(0); rescue SystemStackError; p :deep; end
         p (catch(:t) { 100.times { |i| throw :t, i if i == 70 } })
         x = 5; add = binding; 40.times { add.local_variable_set(:x, x + 1) }; p x",
        "55\n1770\n[8]\n:deep\n70\n45",
    );
}

#[test]
fn inlined_blocks_leave_in_every_way() {
    check(
        "def sum(n) = (s = 0; n.times { |i| s += i }; s)
         def stop(n) = n.times { |i| break i if i == 70 }
         def fail(a, n) = n.times { |i| a[i] + 1 }
         def grow(n) = (s = 4611686018427387000; n.times { |i| s += 100 }; s)
         2.times { p sum(500), stop(100), grow(50) }
         begin; fail([1] * 50, 100); rescue => e; puts e.message, e.backtrace.size; end
         x = Thread.new { i = 0; i += 1 while true }
         x.report_on_exception = false
         sleep 0.05; x.raise('stop')
         begin; x.join; rescue => e; p e.message; end",
        "124750\n70\n4611686018427392000\n124750\n70\n4611686018427392000\nundefined method '+' for nil\n4\n\"stop\"",
    );
}

#[test]
fn frames_return_into_units_whatever_happened_meanwhile() {
    check(
        "def shown(&block) = block.binding
         def scopes(n)
           i = s = 0
           kept = 5
           while i < n
             b = shown { i }
             b.local_variable_set(:kept, kept.is_a?(Integer) ? 'text' : 7) if i % 40 == 39
             s += kept.is_a?(Integer) ? kept : 100
             s += b.local_variable_get(:s)  & 3
             i += 1
           end
           s
         end
         p scopes(200)
         def late(n) = (x = n + 1; shown {}; x += 1; [x, shown {}.local_variable_get(:x)])
         p late(1), late(2.5)
         def guarded(n)
           t = n * 2
           Integer(n.odd? ? 'x' : '3') + t
         rescue ArgumentError
           t + 1000
         ensure
           $n = t
         end
         p 200.times.sum { |i| guarded(i) }, $n
         def far(n, tag) = n == 0 ? throw(tag, 7) : far(n - 1, tag) + 1
         p 150.times.sum { |i| catch(:t) { far(i % 9, :t) } }
         def deep(n, f) = n == 0 ? f.yield_here : deep(n - 1, f) + n
         class F < Fiber; def yield_here = Fiber.yield(3); end
         p 120.times.map { |i| f = nil; f = F.new { deep(i % 5, f) }; f.resume + f.resume(i) }.sum
         def seen(n) = (x = n * 3; y = traced(n); x + y)
         def traced(n) = n == 150 ? ($t = TracePoint.new(:return) { }; $t.enable; 1) : 2
         p 300.times.sum { |i| seen(i) }
         $t.disable
         p 300.times.sum { |i| seen(i == 150 ? 0 : i) }
         def redone(n) = n == 0 ? (Object.class_eval { def other(x) = x * 10 }; 1) : redone(n - 1) + other(n)
         def other(x) = x
         2.times { p 100.times.sum { |i| redone(i % 4) } }",
        "9060\n[3, 3]\n[4.5, 4.5]\n140100\n398\n1050\n7980\n135149\n134700\n2600\n2600",
    );
}

#[test]
fn units_whose_guesses_were_wrong_are_compiled_anew_a_few_times() {
    let graphs = |program: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
        let command = command.args(["--disable=gems", "--dump=ssa", "-e", program]).env("CARAT_JIT", "t2:4000");
        let output = command.output().expect("carat runs");
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        let graphs = text.split("== ssa: ").filter(|graph| graph.starts_with("step\n")).map(String::from);
        (String::from_utf8_lossy(&output.stdout).into_owned(), graphs.collect::<Vec<_>>())
    };
    // Nothing is inlined into what calls it.
    let define = "def step(a, b) = a * b + a - b\nm = method(:step)\n";
    let (printed, once) = graphs(&format!(
        "{define}5000.times {{ |i| m.call(i, 2) }}; 9000.times {{ |i| m.call(i + 0.5, 2.5) }}; p step(1.5, 2.5)"
    ));
    assert_eq!(printed, "2.75\n");
    assert_eq!(once.len(), 2, "{once:?}");
    assert!(once[0].contains("Integer(Multiply") && once[1].contains("Float(Multiply"), "{once:?}");
    let (printed, many) =
        graphs(&format!("{define}50000.times {{ |i| i.even? ? m.call(i, 2) : m.call(i + 0.5, 2.5) }}; p step(1, 2)"));
    assert_eq!(printed, "1\n");
    assert!((2..=7).contains(&many.len()), "{}: {many:?}", many.len());
}

#[test]
fn the_children_of_a_fork_have_the_code() {
    check(
        "def f(n) = n < 2 ? n : f(n - 1) + f(n - 2)
         p f(12)
         r, w = IO.pipe
         pid = fork { def g(n) = n * 2; 100.times { g(1) }; w.puts f(13) + g(1); exit!(0) }
         100.times { eval 'def h(n) = n; h(1)' }
         w.close; Process.wait(pid); p r.read.to_i, f(13)",
        "144\n235\n233",
    );
}

#[test]
fn collections_free_code_and_its_place_is_used_again() {
    let program = "s = 0
         200.times { |i| o = Object.new; eval \"def o.m(n) = n + #{i}\"; 40.times { s += o.m(1) }; GC.start if i % 50 == 0 }
         p s";
    check(program, "804000");
    for mode in ["always", "exits:3"] {
        assert_eq!(run(program, mode, Some("7:40")), "804000\nexit status: 0", "{mode}");
    }
}

/// Fibers, threads, recursions, handlers and jumps that rest in machine code while other code fills the memory again and again.
const PHASES: &str = "
    def deep(n, &b) = n == 0 ? b.call : 1 + deep(n - 1, &b)
    def stopped(n) = Fiber.new { s = 0; n.times { |i| s += i; Fiber.yield(s) if i % 50 == 49 }; :ended }
    def phase(k, n)
      Object.class_eval((0...n).map { |i|
        \"def m#{k}_#{i}(a) = (b = a + #{i}; b > 10 ? b - [a, b].max + a * 2 : b.to_s.size + a)\\n\"
      }.join)
      eval \"30.times { |t| \" + (0...n).map { |i| \"@s += m#{k}_#{i}(t)\" }.join(';') + '}'
    end
    @s = 0
    fibers = Array.new(5) { |i| stopped(300 + i) }
    out = []
    thread = Thread.new { q = 0; 20_000.times { |i| q += i % 7; Thread.pass if i % 500 == 0 }; q }
    6.times do |k|
      out << fibers.map(&:resume)
      phase(k, 60)
      out << deep(100) { GC.start; phase(\"d#{k}\", 20); @s }
      out << catch(:x) { 300.times { |i| throw :x, i if i == 250 } }
      out << [1, 2, 3].each { |x| begin; GC.start; break x * 2 if x == 2; ensure; GC.start; phase(\"e#{k}\", 20); end }
    end
    p out.flatten.map(&:to_s).sum { |s| s.sum }, thread.value, @s
    drops = RubyVM::YJIT.runtime_stats&.fetch(:code_gc_count)
    p drops.nil? || (ENV['CARAT_JIT'].include?('limit') ? drops > 2 : drops == 0)";

#[test]
fn code_that_does_not_run_gives_way_to_other_code() {
    check(PHASES, "10261\n59997\n622968\ntrue");
    for (mode, stress) in [("always,limit:60000", "3:300"), ("exits2:3,limit:60000", "5:300")] {
        let printed = run(PHASES, mode, Some(stress));
        assert!(printed.ends_with("true\nexit status: 0"), "{mode}: {printed}");
    }
}

/// Counters tell what runs, unless there are none.
#[test]
fn code_that_runs_stays_when_other_code_gives_way() {
    let program = "
        def kept(a) = a * 2 + 1
        sum = 0
        started = Process.clock_gettime(Process::CLOCK_MONOTONIC)
        20.times do |k|
          Object.class_eval((0...40).map { |i| \"def m#{k}_#{i}(a) = [a, a + #{i}, a * 2, a - 1].max - kept(a)\\n\" }.join)
          40.times { |i| 150.times { |t| sum += send(\"m#{k}_#{i}\", t) } }
          until Process.clock_gettime(Process::CLOCK_MONOTONIC) - started > 0.05 * k
            1000.times { |t| sum -= kept(t) - t * 2 - 1 }
            GC.start
          end
        end
        figures = RubyVM::YJIT.runtime_stats
        p sum, figures[:code_gc_count] > 0, figures[:freed_code_size] > 100_000, figures[:compiled_iseq_count] > 1";
    assert_eq!(run(program, "t1,limit:100000", None), "93200\ntrue\ntrue\ntrue\nexit status: 0");
    assert_eq!(run(program, "t2:400,limit:100000", None), "93200\ntrue\ntrue\ntrue\nexit status: 0");
}

#[test]
fn native_methods_that_machine_code_calls_do_what_they_like() {
    check(
        "class Kit
           attr_accessor :v
           def initialize(v) = @v = v
           def freeze_at(i, n) = (freeze if i == n; self)
         end
         k = Kit.new(0)
         p (begin; 300.times { |i| k.freeze_at(i, 250); k.v = i }; rescue FrozenError => e; [e.class, k.v]; end)
         p (catch(:t) { 300.times { |i| [i].each { |x| throw :t, x if x == 270 } } })
         p 200.times.map { |i| begin; Integer(i.even? ? 'x' : '1'); rescue ArgumentError; 0; end }.sum
         fiber = Fiber.new { i = 0; loop { Fiber.yield(i += 1) } }
         p 200.times.sum { fiber.resume }
         def adds(x) = x.itself + 1.0
         def turns(n) = (s = 0.0; n.times { |i| Float.class_eval('def +(o) = self - -o - 0.5') if i == 150; s = adds(s) }; s)
         p turns(200)",
        "[FrozenError, 249]\n270\n100\n20100\n175.0",
    );
}

#[test]
fn several_classes_meet_at_one_site() {
    check(
        "class A; def v = 1; def each = yield(1); end
         class B; attr_reader :v; def initialize = @v = 2; def each = yield(2); end
         class C; define_method(:v) { 3 }; def each(&block) = block.call(3); end
         class D; def method_missing(name) = name == :v ? 4 : super; def respond_to_missing?(*) = true; def each = yield(4); end
         class W; attr_writer :w; end
         class X; def w=(x); @w = x * 2; end; def w = @w; end
         class W; attr_reader :w; end
         def ask(o) = o.v
         def all(o) = (s = 0; o.each { |x| s += x }; s)
         def size(o) = o.size
         def write(o, x) = (o.w = x; o.w)
         list = [A.new, B.new, C.new, D.new]
         p 400.times.sum { |i| ask(list[i % 4]) + all(list[i % 4]) }
         p 300.times.sum { |i| size([[1], 'ab', { a: 1 }, :abc, 5][i % 5]) }
         p 200.times.sum { |i| write(i.odd? ? W.new : X.new, i) }
         p 200.times.map { |i| [nil, true, false, :s, 1.5, 3, 'x'][i % 7].to_s }.uniq",
        "2000\n900\n29800\n[\"\", \"true\", \"false\", \"s\", \"1.5\", \"3\", \"x\"]",
    );
}

#[test]
fn what_helpers_do_is_what_handlers_do() {
    check(
        "class S < String; def ==(o) = true; end
         class H < Hash; def [](k) = 7; end
         class N; def nil? = true; def ! = 5; end
         def lit(i) = \"a#{i}b#{:c}#{nil}#{1.5}\"
         def at(o, k) = o[k]
         def put(o, k, v) = (o[k] = v; o)
         def push(o, x) = o << x
         def same(a, b) = a == b ? 1 : 2
         def other(a, b) = a != b
         def empty(o) = [o.empty?, o.length]
         def ask(o) = [o.nil?, !o]
         def kind(o) = case o when Integer, 'x' then 1 when :s then 2 when nil then 3 when 1.0..2.0 then 4 else 5 end
         def splat(o) = [*o, 0]
         60.times do
           $r = [lit(3), at([1, 2], -1), at({ a: 1 }, :a), at({ 'k' => 2 }, 'k'), at(H.new, 1), at('abc', 1), at(5, 0)]
           $r += [put([1], 3, 4), put({}, 'k', 1), push([1], 2), push(+'a', 'b'), push(1, 4), (put([1].freeze, 0, 1) rescue 0)]
           $r += [same('a', 'a'), same(S.new('a'), 'b'), same(1, 1.0), same(nil, 1), other('a', 'b'), other(1, 1)]
           $r += [empty([]), empty({ a: 1 }), empty('xy'), ask(nil), ask(1), ask(N.new)]
           $r += [kind(1), kind('x'), kind(:s), kind(nil), kind(1.5), kind([]), splat(nil), splat([1]), splat(1..2)]
         end
         p $r",
        "[\"a3bc1.5\", 2, 1, 2, 7, \"b\", 1, [1, nil, nil, 4], {\"k\" => 1}, [1, 2], \"ab\", 16, 0, 1, 1, 1, 2, true, false, \
         [true, 0], [false, 1], [false, 2], [true, true], [false, false], [true, 5], \
         1, 1, 2, 3, 4, 5, [0], [1, 0], [1, 2, 0]]",
    );
}

#[test]
fn calls_with_keywords_super_optional_arguments_and_blocks() {
    check(
        "class A
           def initialize(a, b = 2, *r, k: 3, **o, &f); @v = [a, b, r, k, o, f&.call]; end
           def m(x) = x + 1
           def o(x, y = x * 2) = x + y
           def k(a:, b: 1) = a - b
           def y = yield(1, 2) + yield(3)
           attr_reader :v
         end
         class B < A; def initialize(a, ...) = super; def m(x) = super * 2; def y(&) = super; end
         def pass(o, &f) = o.y(&f)
         b = B.new(0)
         60.times do |i|
           $r = [B.new(1, k: 4).v, A.new(1, 2, 3, z: 1) { 9 }.v, b.m(i), b.o(i), b.o(i, 1), b.k(a: i), b.k(b: 2, a: i)]
           $r << pass(b) { |x, y| x + (y || 10) } << [[1, 2], [3, 4]].map { |x, y| x * y } << %w[a b].map(&:upcase)
           $r << (b.k(c: 1) rescue $!.message) << (b.m rescue $!.message)
         end
         p $r",
        "[[1, 2, [], 4, {}, nil], [1, 2, [3], 3, {z: 1}, 9], 120, 177, 60, 58, 57, 16, [2, 12], [\"A\", \"B\"], \
         \"missing keyword: :a\", \"wrong number of arguments (given 0, expected 1)\"]",
    );
}

/// `case` in machine code: what matches by identity, what a function answers, and what has methods of its own.
#[test]
fn cases_meet_all_kinds_of_values_and_their_operator_is_redefined() {
    check(
        r#"class Own; def initialize(x) = @x = x; def ===(o) = o == @x; end
         OWN = Own.new(:own)
         def kind(x)
           case x
           when :a then 1
           when 7, 8 then 2
           when nil then 3
           when "s" then 4
           when 10..20 then 5
           when OWN then 6
           when Float then 7
           when Array, Hash then 8
           when *[:l, :m] then 9
           else 0
           end
         end
         ALL = [:a, 7, 8, nil, "s", 15, :own, 2.5, [], {}, :m, Object.new, 7.0, :b, 2**70]
         def all(n) = n.times.map { ALL.map { |x| kind(x) } }.tally
         p all(400)
         def swap(i, n)
           found = []
           n.times do |k|
             Symbol.class_eval { def ===(o) = o == :b || equal?(o) } if i == 0 && k == n / 2
             Integer.class_eval { def ===(o) = o.nil? || o == self } if i == 1 && k == n / 2
             Float.singleton_class.class_eval { def ===(o) = o == 7.0 } if i == 2 && k == n / 2
             found << ALL.map { |x| kind(x) }
           end
           found.tally
         end
         3.times { |i| p swap(i, 400) }"#,
        "{[1, 2, 2, 3, 4, 5, 6, 7, 8, 8, 9, 0, 2, 0, 0] => 400}\n\
         {[1, 2, 2, 3, 4, 5, 6, 7, 8, 8, 9, 0, 2, 0, 0] => 200, [1, 2, 2, 3, 4, 5, 6, 7, 8, 8, 9, 0, 2, 1, 0] => 200}\n\
         {[1, 2, 2, 3, 4, 5, 6, 7, 8, 8, 9, 0, 2, 1, 0] => 200, [1, 2, 2, 2, 4, 5, 6, 7, 8, 8, 9, 0, 2, 1, 0] => 200}\n\
         {[1, 2, 2, 2, 4, 5, 6, 7, 8, 8, 9, 0, 2, 1, 0] => 200, [1, 2, 2, 2, 4, 5, 6, 0, 8, 8, 9, 0, 2, 1, 0] => 200}",
    );
}

/// Arrays with fewer elements than there are variables, other objects than arrays, and a variable that is an array and a hash.
#[test]
fn what_is_taken_apart_is_shorter_than_the_variables() {
    check(
        "ALL = [[1, 2], [3], [], [4, 5, 6], 7, nil, {a: 1}]
         def apart(x)
           a, b = x
           [a, b]
         end
         def sum(n)
           table, i, s = {}, 0, 0
           while i < n
             a, b = ALL[i % 3]
             table[a] = (table[a] || 0) + 1
             s += b || 0
             i += 1
           end
           [table, s]
         end
         p 400.times.map { ALL.map { |x| apart(x) } }.tally
         40.times { sum(30) }
         p sum(3000)",
        "{[[1, 2], [3, nil], [nil, nil], [4, 5], [7, nil], [nil, nil], [{a: 1}, nil]] => 400}\n[{1 => 1000, 3 => 1000, nil => 1000}, 2000]",
    );
}

/// Places compare with the numbers of shapes, and these are used again for other classes. No name changes its meaning meanwhile.
#[test]
fn the_shape_of_a_class_that_died_is_not_another_ones_where_code_knows_it() {
    let program = r#"class One; def m = 1; attr_reader :f; def initialize = @f = 1; end
         class Two; def m = 2; def f = 22; def initialize = @g = 2; end
         N = 40
         N.times { |k| eval "def call#{k}(o) = o.m + o.f" }
         def once(k) = Class.new(One).new.then { |o| eval "130.times { call#{k}(o) }" }
         N.times { |k| once(k) }
         4.times { GC.start }
         found = 100.times.flat_map do
           o = Class.new(Two).new
           %i[@a @b @c].flat_map do |name|
             o.instance_variable_set(name, 3)
             (0...N).map { |k| send("call#{k}", o) }
           end
         end
         p found.tally"#;
    check(program, "{24 => 12000}");
    for mode in ["t1", "always", "always2"] {
        assert_eq!(run(program, mode, Some("7:40")), "{24 => 12000}\nexit status: 0", "{mode}");
    }
}

/// What a thread or a Ractor has done before another one learns of it is what that one calls, and numbers only grow.
#[test]
fn threads_and_ractors_redefine_what_all_of_them_call() {
    check(
        r##"class N; def m = 0; end
         def ask(n) = n.m
         def last(n, times)
           last = 0
           times.times { now = ask(n); raise "#{now} after #{last}" if now < last; last = now }
           last
         end
         ractors = 3.times.map do
           Ractor.new do
             n, stale = N.new, 0
             while (version = Ractor.receive) >= 0
               stale += 1 if last(n, 50) < version
             end
             stale
           end
         end
         threads = 2.times.map { Thread.new { n = N.new; 60.times { last(n, 50); Thread.pass }; :done } }
         top = N
         60.times do |version|
           define = "def m = #{version}"
           version % 5 == 4 ? N.prepend(top = Module.new { eval define }) : top.module_eval(define)
           raise "not seen" if ask(N.new) != version
           ractors.each { |ractor| ractor.send(version) }
           last(N.new, 20)
         end
         ractors.each { |ractor| ractor.send(-1) }
         p ractors.map(&:value), threads.map(&:value)"##,
        "[0, 0, 0]\n[:done, :done]",
    );
}

#[test]
fn methods_that_machine_code_names_are_redefined_and_collected() {
    check(
        r#"class A; end
         a, s = A.new, 0
         def call(a) = a.m(1)
         20.times do |k|
           A.class_eval("def m(n#{", o = #{k}" if k.odd?}); #{"x = n; " * (k % 3)}n + #{k}; end")
           GC.start if k % 5 == 0
           50.times { s += call(a) }
         end
         p s"#,
        "10500",
    );
}

#[test]
fn operators_that_are_calls_meet_other_receivers() {
    check(
        r#"class V
           attr_reader :size
           def initialize(x) = (@size = @x = x)
           def [](i) = @x + i
           def []=(i, v)
             @x = i + v
           end
           def +(other) = @x + other
           def -(other) = raise(ArgumentError, "no #{other}")
           def <<(other) = tap { @x += other }
           def ! = @x
           def nil? = :nil
           def ==(other) = other.is_a?(V)
           def length = yield_self { @size }
         end
         def go(v, w) = [v[1], v[w], v + w, (v << w).size, v.length, !v, v.nil?, v == v, v.is_a?(V), (v[0] = w)]
         s = 0
         300.times { |i| s += go(V.new(i), 2).flatten.grep(Integer).sum }
         p s, go(V.new(1), 3), go([1, 2, 3], 1) rescue p $!
         p go("abc".dup, "b") rescue p $!
         class W < V; def [](i) = i; end
         p go(W.new(1), 3), go(V.new(1), 3)
         def minus(v) = v - 1
         minus(V.new(1)) rescue p $!.message, $!.backtrace_locations[0].lineno
         200.times { minus(5) }
         200.times { minus(V.new(1)) rescue 0 }
         begin; minus(V.new(1)); rescue => e; p e.message, e.backtrace.map { |l| l[/:(\d+):/, 1] }; end"#,
        r#"#<TypeError: no implicit conversion of Integer into Array>
["b", "b", "abcb", 4, 4, false, false, true, false, "b"]
[1, 3, 4, 1, 1, 4, :nil, true, true, 3]
[2, 4, 4, 1, 1, 4, :nil, true, true, 3]
"no 1"
9
"no 1"
["9", "23", "27"]"#,
    );
}

#[test]
fn blocks_are_left_by_return_and_break() {
    check(
        r#"def find(list, x) = (list.each { |e| return e if e == x }; nil)
         def nested(list) = list.each { |a| a.each { |b| list.size.times { |c| return [a, b, c] if b > 2 && c == 1 } } }
         def kept(log, x)
           [1, 2, 3].each { |e| begin; return e if e == x; ensure; log << e; end }
           :none
         end
         def broken(list) = list.each { |e| break e * 10 if e > 2 }
         def through(list) = list.sort_by { |e| return :native if e > 2; e }
         def lam = [1, 2, 3].map { |e| ->(x) { return x * 2 if x > 1; x }.(e) }
         def hashes(h) = h.each { |k, v| return k if v > 1 }
         def pass(&b) = [1, 2, 3].each(&b)
         def passed = pass { |e| return e if e > 1 }
         def orphan = proc { return 1 }
         def deep(n, &b) = n == 0 ? yield : deep(n - 1, &b)
         def from_deep(n) = deep(n) { return n }
         def brk(n) = deep(n) { break n * 2 }
         log = []
         out = nil
         200.times do |i|
           out = [find([1, 2, 3], 2), find([1, nil], 5), nested([[1], [2, 3]]), kept(log, 2), kept(log, 9), broken([1, 2, 3]), broken([1]), through([1, 2]),
             through([3]), lam, hashes({ a: 1, b: 2 }), passed, from_deep(5), brk(4)]
         end
         p out, log.size
         begin; orphan.call; rescue LocalJumpError; p $!.message; end
         p [1, 2, 3].each { |x| break x if x == 2 }"#,
        r#"[2, nil, [[2, 3], 3, 1], 2, :none, 30, [1], [1, 2], :native, [1, 4, 6], :b, 2, 5, 8]
1000
"unexpected return"
2"#,
    );
}

#[test]
fn kinds_of_objects_change_while_code_asks_for_them() {
    check(
        r#"module M; end
         class A; end
         class B < A; end
         class C; def self.===(o) = o == 7; end
         def kind(x)
           case x
           when C then :c
           when :s, 5 then :s
           when A then :a
           when M then :m
           when Integer, Float then :n
           when nil then :nil
           else :x
           end
         end
         def isa(x, c) = x.is_a?(c)
         r = []
         200.times { r = [A.new, B.new, "", :s, :t, 5, 6, 7, 1.5, nil, true, 2**80].map { |x| kind(x) } }
         p r
         200.times { r = [isa(B.new, A), isa(A.new, B), isa(1, Integer), isa(nil, M), isa(:s, Symbol)] }
         p r
         (isa(1, 2) rescue p $!.message)
         class String; include M; end
         p kind(""), isa("", M)
         def (o = A.new).x = 1
         o.extend(M)
         p kind(o), isa(o, M)
         class A; def is_a?(c) = :mine; end
         p isa(A.new, M), isa(B.new, A), isa("", M)
         def A.===(o) = o == "z"
         p kind("z"), kind(A.new)
         class Integer; def ===(o) = true; end
         p kind("q")"#,
        r#"[:a, :a, :x, :s, :x, :s, :n, :c, :n, :nil, :x, :n]
[true, false, true, false, true]
"class or module required"
:m
true
:a
true
:mine
:mine
true
:a
:x
:s"#,
    );
}

#[test]
fn optional_arguments_recursion_and_what_helpers_build() {
    check(
        r#"def opt(a, b = a + 1, c = b * 2, *r) = [a, b, c]
         def two(a, b = 5, &blk) = blk ? blk.call(a, b) : a + b
         class P; def initialize(x, y = 2) = (@x, @y = x, y); attr_reader :x, :y; end
         s = 0
         500.times do |i|
           s += opt(i)[2] + opt(i, 2)[2] + opt(i, 2, 3)[2] + two(i) + two(i, 6) + two(1) { |a, b| a + b } + two(1, 2) { |a, b| a * b }
           s += P.new(1).y + P.new(1, 7).y
           s += 1 if block_given?
         end
         p s
         def many(a); b = c = d = e = f = g = h = i = j = k = nil; [a, b, c, k]; end
         p 300.times.map { many(_1) }.last
         def rec(n, acc = 0) = n == 0 ? acc : rec(n - 1, acc + n)
         p rec(2000)
         def fact(n) = n < 2 ? 1 : n * fact(n - 1)
         p fact(25)
         class S; def initialize = @a = 1; def m(x) = x + @a; end
         class T < S; def m(x) = super + 1; end
         t = T.new; p 300.times.sum { |i| t.m(i) }
         def big(x) = x.bit_length + (x << 1).to_s.size
         p 300.times.sum { |i| big(i) }, big(2**70)
         def con(h) = h.each { |k, v| h.each { |k2, v2| return k2 if v2 > 1 } }
         p con({ a: 1, b: 2 })
         a, (b, *c), d = 1, [2, 3, 4], 5
         def ex(x) = (a, (b, *c), d = x; [a, b, c, d])
         300.times { ex([1, [2, 3], 4]) }
         p ex([1, [2, 3, 4], 5]), ex(3), [1, 2, 3].max, -7 / 2
         def div(a, b) = [a / b, -a, (a..b), [*a..b], { **{ a: a } }]
         300.times { div(7, 2) }
         p div(7, 2), div(-7, 2), (div(1, 0) rescue $!.message)"#,
        r#"517500
[299, nil, nil, nil]
2001000
15511210043330985984000000
45450
3034
93
:b
[1, 2, [3, 4], 5]
[3, nil, [], nil]
3
-4
[3, -7, 7..2, [], {a: 7}]
[-4, 7, -7..2, [-7, -6, -5, -4, -3, -2, -1, 0, 1, 2], {a: -7}]
"divided by 0""#,
    );
}

#[test]
fn natives_whose_answer_is_known_are_asked_anew_when_that_changes() {
    check(
        "class A; def foo = 1; private def hid = 2; end
         class B < A; end
         module M; end
         a, b, s = A.new, B.new, []
         ask = ->(x) { [x.respond_to?(:foo), x.respond_to?(:hid), x.respond_to?(:bar), x.is_a?(A), x.kind_of?(M), x.instance_of?(A), x.class, x.itself.equal?(x)] }
         say = ->(i) { s << ask.(a) << ask.(b) if i % 60 == 59 }
         300.times { |i|
           say.(i)
           A.class_eval { def bar = 3 } if i == 70
           A.include(M) if i == 130
           A.class_eval { public :hid } if i == 190
           A.class_eval { undef foo } if i == 250
         }
         p s.map { |row| row.map { |x| x == true ? 1 : x == false ? 0 : x } }
         class A; def respond_to_missing?(name, all) = name == :ghost; end
         60.times { |i| s = a.respond_to?(:ghost) }
         p s
         class B; def respond_to?(*) = :own; def itself = 5; def class = 6; end
         p Array.new(60) { [b.respond_to?(:ghost), b.itself, b.class] }.uniq, a.respond_to?(:ghost)",
        concat!(
            "[[1, 0, 0, 1, 0, 1, A, 1], [1, 0, 0, 1, 0, 0, B, 1], [1, 0, 1, 1, 0, 1, A, 1], [1, 0, 1, 1, 0, 0, B, 1], [1, 0, 1, 1, 1, 1, A, 1], [1, 0, 1, 1, 1, 0, B, 1], [1, 1, 1, 1, 1, 1, A, 1], [1, 1, 1, 1, 1, 0, B, 1], [0, 1, 1, 1, 1, 1, A, 1], [0, 1, 1, 1, 1, 0, B, 1]]\n",
            "true\n",
            "[[:own, 5, 6]]\n",
            "true",
        ),
    );
}

#[test]
fn a_loop_that_activates_refinements_goes_on_with_them() {
    check(
        r#"module R; refine(Integer) { def foo = 42 } end
         i = 0
         out = []
         while i < 5000
           using R if i == 4000
           begin
             raise "x" if i == 4500
           rescue => e
             out << 1.foo << __LINE__
           end
           i += 1
         end
         p out"#,
        "[42, 9]",
    );
}

#[test]
fn arrays_in_slots_views_and_buffers_are_read_and_written() {
    check(
        "def sum(list) = (s = 0; i = 0; while i < list.size; s += list[i]; i += 1; end; s)
         big = Array.new(3000) { |i| i }
         p 30.times.map { sum(big) }.uniq
         def fill(list, v) = (i = 0; while i < list.length; list[i] = v + i; i += 1; end; list)
         shared = big[0, 2500]
         p fill(shared, 1).sum, big.sum, fill(big, 2).sum, shared.sum
         20.times { |n| fill(big, n); big.shift(7); big << n; p sum(big) if n % 5 == 0 }
         small = [1, 2, 3]
         p 50.times.map { |n| fill(small, n); sum(small) }.last
         def at(list, i) = list[i]
         p 3000.times.map { |n| at(n.even? ? big : small, n % 5) }.compact.size
         def rows(m) = m.map { |row| row.map { |x| x * 2 } }
         p 20.times.map { rows(Array.new(20) { |i| Array.new(60) { |j| i * j } }).flatten.sum }.uniq
         list = Array.new(100, 0)
         begin; fill(list.freeze, 3); rescue => e; p e.class; end",
        concat!(
            "[4498500]\n",
            "3126250\n",
            "4498500\n",
            "4504500\n",
            "3126250\n",
            "4498479\n",
            "4423764\n",
            "4349649\n",
            "4276134\n",
            "150\n",
            "2400\n",
            "[672600]\n",
            "FrozenError",
        ),
    );
}

#[test]
fn keywords_shifts_and_methods_inlined_into_themselves() {
    check(
        "def k(a, left:, right: 10, other: left + 1) = [a, left, right, other]
         def opt(n, by: 2) = n.zero? ? by : opt(n - 1, by:) + 1
         s = 0
         200.times { |i| x = k(i, right: 3, left: i); s += x.sum; s += k(1, left: 2).sum; s += opt(3, by: i); s += opt(2) }
         p s
         begin; k(1, right: 3); rescue ArgumentError => e; p e.message; end
         i = 0
         seen = []
         while i < 130
           seen << (1 << i) if i > 58 && i < 66
           seen << (-1 << i) if i > 59 && i < 64
           seen << (i << -2) if i == 100
           seen << (i % 8) + (-i % 8) + (-i / 4) + (i / 4) + (-i / 1) + (-i % 1) if i % 30 == 0
           seen << [-i / 7, -i % 7, i / -7, (i << 40) / 7, (i << 40) % -9, 5 / (i + 1)] if i % 50 == 0
           i += 1
         end
         p seen
         p (begin; i / (i - 130); rescue ZeroDivisionError; 7; end)
         def ack(m, n) = m == 0 ? n + 1 : n == 0 ? ack(m - 1, 1) : ack(m - 1, ack(m, n - 1))
         def down(n, log) = n < 0 ? log : down(n - 1, log << (n.zero? ? caller_locations(0).map(&:label).grep(/down/).size : n))
         p ack(2, 9), 60.times.map { down(4, []).last }.uniq
         def deep(n) = n == 0 ? raise(\"x\") : deep(n - 1)
         p 60.times.map { begin; deep(5); rescue => e; e.backtrace.grep(/deep/).size; end }.uniq",
        concat!(
            "85000\n",
            "\"missing keyword: :left\"\n",
            "[0, [0, 0, 0, 0, 0, 5], -23, [-8, 6, -8, 7853654484114, -1, 0], 576460752303423488, 1152921504606846976, -1152921504606846976, -52, 2305843009213693952, -2305843009213693952, 4611686018427387904, -4611686018427387904, 9223372036854775808, -9223372036854775808, 18446744073709551616, 36893488147419103232, -83, 25, [-15, 5, -15, 15707308968228, -2, 0], -120]\n",
            "7\n",
            "21\n",
            "[5]\n",
            "[6]",
        ),
    );
}

/// More variables than registers, which the loop writes: a value that waits has to be copied from its place in the frame.
#[test]
fn variables_that_a_loop_writes_find_no_register() {
    check(
        r#"
def pancakes(n)
  now = (0..n).to_a
  count = now.dup
  flipped = now.dup
  turn = 1
  sum = most = 0
  while true
    if (first = now[1]) != 1
      (n + 1).times { |at| flipped[at] = now[at] }
      flips = 1
      until (top = flipped[first]) == 1
        flipped[first] = first
        if first >= 4
          low, high = 2, first - 1
          while low < high
            flipped[low], flipped[high] = flipped[high], flipped[low]
            low += 1
            high -= 1
          end
        end
        first = top
        flips += 1
      end
      sum += turn * flips
      most = flips if flips > most
    end
    if turn == 1
      now[1], now[2] = now[2], now[1]
      turn = -1
    else
      now[2], now[3] = now[3], now[2]
      turn = 1
      at = 3
      while at <= n && count[at] == 1
        return [sum, most] if at == n
        count[at] = at
        moved = now.delete_at(1)
        at += 1
        now.insert(at, moved)
      end
      count[at] -= 1 if at <= n
    end
  end
end
p Array.new(8) { pancakes(6) }.uniq
"#,
        "[[49, 10]]",
    );
}

#[test]
fn code_that_runs_often_is_compiled_unless_somebody_says_no() {
    let program = "def f(n) = n < 2 ? n : f(n - 1) + f(n - 2)
        f(20)
        p RubyVM::YJIT.enabled?, RubyVM::YJIT.runtime_stats&.fetch(:compiled_iseq_count)&.positive?, RubyVM::YJIT.enable";
    let (on, off) = ("true\ntrue\nfalse\nexit status: 0", "false\nnil\nfalse\nexit status: 0");
    assert_eq!(run(program, "off", None), off);
    assert_eq!(run(program, "t1", None), on);
    for (option, expected) in
        [("--jit", on), ("--yjit", on), ("--disable=jit", off), ("--disable-yjit", off), ("--yjit-exec-mem-size=1", on)]
    {
        let output = Command::new(env!("CARGO_BIN_EXE_carat"))
            .args([option, "--disable=gems", "-e", program])
            .env_remove("CARAT_JIT")
            .output()
            .expect("carat runs");
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(format!("{printed}{}", output.status), expected, "{option}");
    }
}

// ---- generated programs ----

/// xorshift64.
struct Random(u64);

impl Random {
    fn below(&mut self, n: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 16) % n
    }

    fn of<'a>(&mut self, words: &[&'a str]) -> &'a str {
        words[self.below(words.len() as u64) as usize]
    }
}

/// Writes a program of a few methods that do what has templates, with values that their guards refuse now and then.
struct Generator {
    random: Random,
    text: String,
    methods: u64,
}

impl Generator {
    fn value(&mut self) -> String {
        let small = self.random.below(9) as i64 - 4;
        let text = match self.random.below(16) {
            0..6 => return small.to_string(),
            6 => "4611686018427387903",
            7 => "-4611686018427387904",
            8 => "1.5",
            9 => "-0.0",
            10 => "nil",
            11 => "(2 ** 70)",
            12 => ":s",
            13 => "1e200",
            14 => "-2.5e-200",
            _ => "true",
        };
        text.to_string()
    }

    fn expression(&mut self, depth: u64) -> String {
        if depth == 0 {
            return match self.random.below(4) {
                0 => self.value(),
                1 => "a".into(),
                2 => "b".into(),
                _ => "i".into(),
            };
        }
        let (left, right) = (self.expression(depth - 1), self.expression(depth - 1));
        let n = self.random.below(8);
        match self.random.below(33) {
            0..5 => {
                let op = self.random.of(&["+", "-", "*", "%", "&", "|", "^", ">>", "<<", "/"]);
                let right = if op == "<<" { n.to_string() } else { right };
                format!("(({left}) {op} ({right}))")
            }
            5..7 => format!("(({left}) {} ({right}) ? 1 : 2)", self.random.of(&["<", "<=", ">", ">=", "==", "!="])),
            7 => format!("({left}; l[{n}])"),
            8 => format!("(l[{n}] = {left})"),
            9 => format!("(@v{} = {left}; @v0)", n % 3),
            10 => format!("@v{}", n % 3),
            11 if self.methods > 0 => format!("m{}({left}, {right})", self.random.below(self.methods)),
            12 => format!("(({left}).nil? ? l.size : !({right}))"),
            13 => format!("(s = 0; l.each {{ |x| s += i if x == {left} }}; s)"),
            // Objects, arrays and ranges that live briefly.
            15 => format!("P.new({left}, {right}).x"),
            16 => format!("P.new({left}, {right}).plus(P.new({n}, i))"),
            17 => format!("(o = P.new({left}, i); o.x = {right} if i == {n}; o.either(i > 2)&.sum)"),
            18 => format!("(o = P.new({n}, 1); i.times {{ |k| o = o.and(P.new(k, {left})) }}; o.x)"),
            19 => format!("(o = c = P.new({left}, P.new({right}, i)); i.times {{ c.x = i }}; o.y.sum if o.equal?(c))"),
            23 => format!("[P.new({left}, i), Q.new({right}), P.new(1, {n})][i % {}].sum", 1 + n % 3),
            20 => format!("(q, u = [{left}, {right}]; [u, q][{n} % 3])"),
            21 => format!("[{left}, {right}].{}", self.random.of(&["max", "min", "size", "first"])),
            22 => format!("(s = 0; (i..{n}).each {{ |x| s += x if x != {left} }}; s)"),
            // Rest parameters, passed on and kept; structs; pairs of a division.
            24 => format!("{}({left}, {right}, {n})", self.random.of(&["last", "passed", "forwarded", "many", "kept"])),
            25 => format!("{}({left})", self.random.of(&["last", "passed", "forwarded", "many", "kept"])),
            26 => format!("passed(*[{left}, {right}, i].first({})) {{ {n} }}", n % 3),
            27 => format!("(o = S.new({left}, {right}); o.a = {n} if i == 2; [o.a, o.b, S.new({n}).b].compact.size)"),
            28 => format!("(o = D.new(b: {left}, a: i); o = o.with(a: {right}) if i == {n}; $kept = o if i == 3; o.a)"),
            29 => format!("(q, u = {}.divmod({right}); [u, q][{n} % 2])", self.random.of(&["i", "a", "(-i)"])),
            // Variables that a Proc shares.
            30 => format!("(e = {left}; g = -> {{ e }}; {n}.times {{ |k| e = {right} if k == 2 }}; g.call)"),
            31 => {
                format!("(h = proc {{ |x| b = x }}; h.call({left}); w = 0; (w += 1; b = w if b.nil?) while w < {n}; b)")
            }
            14 => format!("(t = {left}; {n}.times {{ |k| t = t.succ if t == k }}; t)"),
            _ => format!("(w = {n}; w -= 1 while w > {}; w)", n / 2),
        }
    }

    fn method(&mut self) {
        let (first, second) = (self.expression(3), self.expression(2));
        let name = self.methods;
        let _ = write!(
            self.text,
            "def m{name}(a, b)\n  l = [1, nil, 2.5, :x, 5]\n  i = 0\n  while i < 6\n    a = {first} if i.odd?\n    b = ({second})\n    i += 1\n  end\n  [a, b].last\nend\n"
        );
        self.methods += 1;
    }

    fn program(seed: u64) -> String {
        let mut random = Random(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        random.below(1);
        let mut generator = Generator { random, text: String::new(), methods: 0 };
        (0..4).for_each(|_| generator.method());
        let calls = (0..40).map(|_| {
            let n = generator.random.below(4);
            let (a, b) = (generator.value(), generator.value());
            format!("begin; p m{n}({a}, {b}); rescue => e; puts e.class, e.message; end\n")
        });
        let calls: String = calls.collect();
        let again = "20.times { |q| begin; m0(q, 1); m1(2, q); m2(q, q); m3(1.5, q); rescue; end }\n";
        let pair = "class P\n  attr_reader :x, :y\n  def initialize(x, y) = (@x = x; @y = y)\n  attr_writer :x\n  def sum = @x + @y\n  def plus(o) = @x * o.x + @y\n  def and(o) = P.new(@x + o.x, o.y)\n  def either(a) = a ? self : nil\nend\nclass Q\n  def initialize(x) = @z = x\n  def sum = @z\nend\nS = Struct.new(:a, :b)\nD = Data.define(:a, :b)\n";
        let rests = "def last(a = 1, *r) = r.empty? ? a : r.last\ndef passed(*r, &b) = b ? given(*r, &b) : last(*r)\ndef given(*r) = yield(r[0]) + r.size\ndef forwarded(...) = many(...)\ndef many(a, *r, k: 2) = r.size + k + (a ? 1 : 0)\ndef kept(*r) = (r << 3; $all = r if r.size > 3; r.first)\n";
        format!("{pair}{rests}@v0 = @v1 = @v2 = 1\n{}{calls}{again}{calls}", generator.text)
    }
}

#[test]
fn generated_programs_print_the_same_in_all_modes() {
    let number = |name: &str, otherwise| std::env::var(name).ok().and_then(|n| n.parse().ok()).unwrap_or(otherwise);
    let (seed, programs) = (number("CARAT_COMPILED_SEED", 1), number("CARAT_COMPILED_PROGRAMS", 25));
    for seed in seed..seed + programs {
        let program = Generator::program(seed);
        let expected = run(&program, "off", None);
        assert!(!expected.contains("SyntaxError"), "{expected}: {program}");
        for mode in &MODES[1..] {
            assert_eq!(run(&program, mode, None), expected, "seed {seed}, {mode}: {program}");
        }
    }
}

// ---- dumps ----

#[test]
fn graphs_of_the_second_tier_are_shown_while_the_program_runs() {
    let program = "def sum(n) = (i = s = 0; while i < n; s += i; i += 1; end; s)\n p sum(10)";
    let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
    let command = command.args(["--disable=gems", "--dump=ssa", "-e", program]).env("CARAT_JIT", "always2");
    let output = command.output().expect("carat runs");
    assert_eq!(output.stdout, b"45\n");
    let graphs = String::from_utf8_lossy(&output.stderr);
    let sum = graphs.split("== ssa: ").find(|graph| graph.starts_with("sum\n")).expect("a graph of sum");
    assert!(sum.contains("Fixnum = Integer(Add"), "{sum}");
}
