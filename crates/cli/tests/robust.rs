//! Programs under limits and signals, which golden programs cannot have.
#![cfg(target_os = "linux")]

use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

fn carat(program: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
    command.args(["-W0", "-e", program]);
    command
}

/// What a program prints with 400 MB of address space.
fn under_a_limit(program: &str) -> String {
    under(400, program)
}

/// What a program prints with so many megabytes of address space.
fn under(megabytes: usize, program: &str) -> String {
    let mut shell = Command::new("sh");
    let limited = format!("ulimit -v {megabytes}000; exec \"$0\" \"$@\" 2>&1");
    let output = shell.args(["-c", &limited]).arg(env!("CARGO_BIN_EXE_carat")).args(["-W0", "-e", program]).output();
    String::from_utf8_lossy(&output.expect("a shell").stdout).into_owned()
}

#[test]
fn exhausted_memory_is_an_error_that_can_be_rescued() {
    let growing = [
        "a = []; loop { a << 'x' * 100 }",
        "a = []; loop { a << Object.new }",
        "a = []; loop { a << 1 }",
        "a = [1]; loop { a.concat(a) }",
        "a = [1]; loop { a += a }",
        "s = +'x'; loop { s << s }",
        "s = +'x'; loop { s << 'y' * 1000 }",
        "s = 'x'; loop { s = \"#{s}#{s}\" }",
        "h = {}; i = 0; loop { h[i += 1] = 1 }",
        "a = nil; loop { a = [a] }",
        "a = []; i = 0; loop { a << \"sym#{i += 1}\".to_sym }",
        "a = []; loop { a << proc { a } }",
        "a = (1..Float::INFINITY).to_a",
        "a = [*1..1000]; a.product(a, a, a)",
        "a = []; loop { a << 2**200 }",
        "i = 0; loop { ENV[\"A#{i += 1}\"] = 'x' * 10000 }",
        "File.open('/dev/zero').gets",
        "File.binread('/dev/zero', 1 << 33)",
        "'%1000000000d' % 1",
        "Fiber.new { a = []; loop { a << 'x' * 100 } }.resume",
        "2.times { a = []; begin; loop { a << 'x' * 100 }; rescue NoMemoryError; end }; raise NoMemoryError",
    ];
    for program in growing {
        let source =
            format!("begin; {program}; rescue NoMemoryError; puts :rescued; end; puts [*1..999].map(&:to_s).size");
        assert_eq!(under_a_limit(&source), "rescued\n999\n", "{program}");
    }
}

/// How long a program goes on after SIGINT, and what it prints then.
fn interrupted(setup: &str, operation: &str) -> (Duration, String) {
    // A shell's background jobs are born with SIGINT ignored.
    let program = format!(
        "trap('INT', 'DEFAULT')\n{setup}\n$stdout.sync = true\nputs 'begun'\nbegin\n{operation}\nputs 'ended'\nrescue Interrupt\nputs 'interrupted'\nend"
    );
    let mut child = carat(&program).stdout(Stdio::piped()).spawn().expect("the program starts");
    let mut output = BufReader::new(child.stdout.take().expect("a pipe"));
    let mut text = String::new();
    output.read_line(&mut text).expect("text");
    std::thread::sleep(Duration::from_millis(300));
    let began = Instant::now();
    let number = child.id().to_string();
    Command::new("kill").args(["-INT", &number]).status().expect("kill");
    text.clear();
    output.read_to_string(&mut text).expect("text");
    child.wait().expect("its end");
    (began.elapsed(), text)
}

/// What a program prints whose thread sends a signal, which the program handles, soon after an operation began: it comes in its
/// midst however fast the machine is.
fn handled_within(setup: &str, operation: &str) -> String {
    let sender = "Thread.new { sleep 0.02; Process.kill(:INT, $$) }";
    let program = format!("trap('INT') {{ puts 'handled' }}\n{setup}\n{sender}\n{operation}");
    let output = carat(&program).output().expect("the program runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

#[test]
fn large_integers_can_be_interrupted() {
    let operations = [
        ("s = '1' * 30_000_000", "Integer(s)"),
        ("s = '2' * 30_000_000", "s.to_i(7)"),
        ("x = 1 << 60_000_000", "x.to_s"),
        ("x = (1 << 60_000_000) + 1", "x * x * x * x * x"),
        ("", "7**400_000_000"),
        ("x = (1 << 60_000_000) + 1; y = (1 << 25_000_000) - 1", "x.divmod(y)"),
        ("x = (1 << 1_000_000) + 1", "x.pow(x, x + 2)"),
        ("x = (1 << 20_000_000) + 1; y = (1 << 15_000_000) - 1", "x.gcd(y)"),
        ("x = (1 << 100_000_000) + 1", "Integer.sqrt(x)"),
        ("x = 1 << 60_000_000", "Thread.new { x.to_s }.join"),
    ];
    for (setup, operation) in operations {
        // However fast the machine, it is at work when the signal comes.
        let (took, text) = interrupted(setup, &format!("loop do\n{operation}\nend"));
        assert_eq!(text, "interrupted\n", "{operation}");
        // Unoptimised, and on a busy machine.
        assert!(took < Duration::from_secs(5), "{operation}: {took:?}");
    }
}

#[test]
fn a_handler_that_returns_lets_a_computation_go_on() {
    assert_eq!(handled_within("x = 1 << 3_000_000", "puts x.to_s.size"), "handled\n903090\n");
}

#[test]
fn native_loops_can_be_interrupted() {
    // Walking these takes for ever: each level doubles.
    let arrays = "a = [1]; 60.times { a = [a, a] }; b = [1]; 60.times { b = [b, b] }";
    let hashes = "a = {k: 1}; 60.times { a = {k: a, l: a} }; b = {k: 1}; 60.times { b = {k: b, l: b} }";
    let strings = "s = 'abc déf ' * 1_000_000; u = s.encode('UTF-16LE'); x = s.dump";
    let operations = [
        (arrays, "a.flatten"),
        (arrays, "a.inspect"),
        (arrays, "a.join"),
        (arrays, "a == b"),
        (arrays, "a.eql?(b)"),
        (arrays, "a.hash"),
        (hashes, "a.inspect"),
        (hashes, "a == b"),
        (hashes, "a.hash"),
        ("a = Array.new(500_000) { |i| i.to_s }", "loop { a - a | a & a; a.sort; a.join; a * 1000 }"),
        ("a = Array.new(500_000) { |i| i }", "loop { a.pack('U*').unpack('U*'); Marshal.load(Marshal.dump(a)) }"),
        ("h = {}; 500_000.times { |i| h[i.to_s] = i }", "loop { h.rehash; h == h.dup; h.inspect }"),
        (strings, "loop { s.tr('a-c', 'b-d').delete('d').count('é'); s.upcase.swapcase.casecmp?(s) }"),
        (strings, "loop { s.gsub('é', 'e').scan(/d.f/); s.split('c'); s.split; s.chars; s.lines(' ') }"),
        (strings, "loop { s.inspect; x.undump; u.encode('UTF-8'); s.unicode_normalize(:nfd); s.grapheme_clusters }"),
        ("", "loop { ('ab' * 1_000_000_000).size; 'ab'.center(500_000_000, 'xyz').size }"),
        ("", "File.fnmatch('{a,b}' * 60, 'c', File::FNM_EXTGLOB)"),
        ("", "Dir.glob('{a,b}' * 60)"),
        ("s = '1.' + '3' * 3_000_000 + '/7'", "loop { s.to_r; Rational(s); Complex(s) }"),
        (strings, "loop { s.tr_s('a-c', 'b'); s.squeeze; Regexp.escape(s); Regexp.union(s, s) }"),
        ("s = 'ab=' * 20_000_000", "loop { [s].pack('m'); [s].pack('M'); [s].pack('u'); [s].pack('a*B*') }"),
        (
            "s = ['ab=' * 20_000_000]; m = s.pack('m'); q = s.pack('M'); u = s.pack('u')",
            "loop { m.unpack('m'); m.delete(\"\\n\").unpack('m0'); q.unpack('M'); u.unpack('u') }",
        ),
        ("s = 'ab=' * 20_000_000", "loop { s.unpack('b*'); s.unpack('B*'); s.unpack('h*'); s.unpack('H*') }"),
        ("s = 'f' * 3_000_000; t = '7' * 3_000_000", "loop { s.hex; t.oct; t.to_f; Float(t) }"),
        (
            "a = Array.new(500_000) { |i| i * 0.5 }",
            "loop { a.sort; a.uniq; a.compact; a.each_slice(2).to_a.transpose; a.to_h { [_1, 1] }.merge({}) }",
        ),
        ("", "loop { Dir.glob('/{proc,sys,usr}/**/x*') }"),
        ("s = 'z' * 5_000_000; u = 'é' * 2_000_000", "loop { s.succ; u.succ }"),
        // These are left behind: nothing can be asked of the parser, nor of the engine's compiler.
        ("s = '1,' * 3_000_000", "loop { eval(\"[#{s}]\") }"),
        ("s = 'foo(:a, \"b\") { |x| x.y }\n' * 60_000", "loop { eval(\"proc {#{s}}\") }"),
        ("s = '[' * 200_000", "loop { begin; eval(s); rescue SyntaxError; end }"),
        ("s = 'a' * 1_000_000", "Regexp.new(s, Regexp::IGNORECASE)"),
        ("s = '[a-zé]?' * 500_000", "loop { Regexp.new(s); s += 'b' }"),
        ("s = 'a' * 1_000_000", "Thread.new { Regexp.new(s, Regexp::IGNORECASE) }.join"),
    ];
    for (setup, operation) in operations {
        let (took, text) = interrupted(setup, operation);
        assert_eq!(text, "interrupted\n", "{operation}");
        assert!(took < Duration::from_secs(5), "{operation}: {took:?}");
    }
}

#[test]
fn what_was_left_behind_is_in_nobodys_way() {
    let program = r#"
        main = Thread.current
        stopper = Thread.new { sleep 0.3; main.raise Interrupt }
        begin
          Regexp.new("a" * 1_000_000, Regexp::IGNORECASE)
        rescue Interrupt
          puts :left
        end
        stopper.join
        p Regexp.new("(a|b)c" * 1000).match?("ac" * 1000), eval("1;" * 70_000 + "50001")
        GC.start
        pid = fork { p Regexp.new("[xy]" * 2000).match?("xy" * 1000) }
        Process.wait(pid) if pid
        print [*1..9].join
    "#;
    let output = carat(program).output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "left\ntrue\n50001\ntrue\n123456789");
    assert!(output.status.success());
}

#[test]
fn a_handler_that_returns_lets_a_compiler_go_on() {
    let setup = "source = '[' + '1,' * 2_000_000 + ']'";
    assert_eq!(handled_within(setup, "puts eval(source).size"), "handled\n2000000\n");
}

#[test]
fn what_is_interrupted_stays_as_it_was() {
    let program = r#"
        Stop = Class.new(RuntimeError)
        random = Random.new(1)
        a = Array.new(200_000) { random.rand(1 << 40) }
        s = "déf" * 500_000
        h = {}
        200_000.times { |i| h[i.to_s] = i }
        before = [a.sum, s.hash, h.sum { |_, i| i }]
        main = Thread.current
        [-> { a.sort!; a.shuffle! }, -> { h.rehash }, -> { s.tr!('d', 'e'); s.tr!('e', 'd') }].each do |change|
          10.times do
            stopper = Thread.new { sleep 0.02; main.raise Stop }
            begin
              loop { change.call }
            rescue Stop
            end
            stopper.join
          end
        end
        s.tr!('e', 'd')
        p before == [a.sum, s.hash, h.sum { |_, i| i }], h["777"]
    "#;
    let output = carat(program).output().expect("the program runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "true\n777\n");
}

#[test]
fn what_comes_of_large_strings_runs_out_of_memory_as_an_error() {
    let operations = [
        "s.gsub('a', 'bcdef')",
        "s.gsub(/a/) { 'b' * 9 }",
        "s.tr('a', 'é')",
        "(s + 'é').upcase",
        "s.encode('UTF-32LE')",
        "s.b.inspect; (s + \"\\0\").inspect; s.dump",
        "[s].pack('m'); [s].pack('u'); [s].pack('M')",
        "s.unpack('C*')",
        "s.unpack('B*')",
        "Marshal.load(Marshal.dump([s, s + 'b']))",
        "s.chars",
        "s.bytes",
        "s.scan('a')",
        "s.split('a', -1)",
        "s.ljust(1_000_000_000, 'é')",
        "s.unicode_normalize(:nfd); (s + 'é').unicode_normalize(:nfd)",
        "s.reverse.succ.swapcase.squeeze",
        "[s, s].inspect; [s, s].join(s)",
        "s.each_grapheme_cluster.to_a",
        "Regexp.escape(s); Regexp.new(s)",
        "a = [s] * 5; a.join + a.inspect",
        "'%s%s%s' % [s, s, s]",
        "s.to_sym; s.crypt('ab'); s.hash; s.sum",
        "[s].pack('B*'); [s].pack('H*'); [s].pack('A*Z*', buffer: +'x') rescue ArgumentError",
        "s.hex; s.oct; s.to_f",
    ];
    for operation in operations {
        let program = format!(
            "s = 'a' * 60_000_000\nbegin; {operation}; rescue NoMemoryError, RegexpError; end; s = nil; puts [*1..999].size"
        );
        assert_eq!(under(600, &program), "999\n", "{operation}");
    }
}

/// The parser cannot be refused memory: what it takes is asked for before, whatever is left.
#[test]
fn parsing_runs_out_of_memory_as_an_error() {
    let program = "source = '[' + '1,' * 100_000 + ']'; kept = []\n\
                   begin; loop { kept << 'x' * 6_000_000; kept << eval(source) }; rescue NoMemoryError; end\n\
                   turns = kept.size; kept = nil; GC.start; puts turns > 2, eval('[' + '1,' * 1000 + ']').size";
    assert_eq!(under(800, program), "true\n1000\n");
}

#[test]
fn large_code_runs() {
    let programs = [
        ("eval('a = %w[' + (1..100_000).map { |i| \"w#{i}\" }.join(' ') + ']; p a[99_999]')", "\"w100000\""),
        (
            "eval('h = {' + (1..70_000).map { |i| \"'s#{i}' => [#{i}, 'v']\" }.join(',') + '}; p h[\"s70000\"]')",
            "[70000, \"v\"]",
        ),
        ("h = {'k' => 7}; eval('[' + (1..70_000).map { |i| \"'#{i}'\" }.join(',') + ']; p h[\"k\"]')", "7"),
        ("x = 1; eval('def m(*a) = a.size; p m(' + 'x,' * 100_000 + 'x)')", "100001"),
        ("def m(**o) = o.size; eval('p m(' + (1..70_000).map { |i| \"a#{i}: 1\" }.join(',') + ')')", "70000"),
        ("x = 1; eval('p \"' + '#{x}' * 30_000 + '\".size')", "30000"),
        ("eval((1..30_000).map { |i| \"a#{i} = #{i}\" }.join(';') + '; p a30000')", "30000"),
        ("eval('p [' + 'Integer(1),' * 200_000 + '].size')", "200000"),
        ("eval('x = 0;' + 'x = x.succ + @y.to_i;' * 100_000 + 'p x')", "100000"),
        ("eval('def m(' + (1..20_000).map { |i| \"a#{i}\" }.join(',') + ') = p(a20000); m(*1..20000)')", "20000"),
    ];
    for (program, expected) in programs {
        let output = carat(program).output().expect("the program runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout).trim_end(), expected, "{program}");
    }
}

#[test]
fn code_that_is_too_large_is_no_code() {
    let sources = [
        "(1..70_000).map { |i| \"a#{i} = 1\" }.join(';') + '; a1'",
        "'[' + (1..70_000).map { |i| \"m#{i}(1)\" }.join(',') + ']'",
        "'1.then {};' * 70_000",
        "'def m(' + (1..70_000).map { |i| \"a#{i} = 1\" }.join(',') + ') = a1'",
        "'proc { |' + (1..70_000).map { |i| \"a#{i}\" }.join(',') + '| a1 }'",
        "'for ' + (1..70_000).map { |i| \"a#{i}\" }.join(',') + ' in [1]; a1; end'",
        "(1..70_000).map { |i| \"@a#{i}\" }.join(',') + ' = 1'",
        "'(' + (1..70_000).map { |i| \"a#{i}\" }.join(',') + ',), b = 1'",
        "'a, b = ' + 'nil,' * 70_000 + 'nil'",
        "(1..70_000).map { |i| \"$a#{i} = 1\" }.join(';')",
        "'case 1; in [' + '1,' * 70_000 + '*]; end'",
        "'case 1; in [*, ' + '1,' * 70_000 + '*]; end'",
        "'(1..2) ? 1 : 2;' * 40_000",
        "'f(' * 9_000 + '1' + ')' * 9_000",
    ];
    for source in sources {
        let program = format!("begin; eval({source}); rescue SyntaxError; puts :refused; end");
        let output = carat(&program).output().expect("the program runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), "refused\n", "{source}");
    }
}

#[test]
fn neighbouring_backtraces_share_their_callers() {
    // The square of the depth would be gigabytes.
    let program = "def re; raise 'x'; rescue; re; end; begin; re; rescue SystemStackError => e; end; n = 0; while e; n += 1; e = e.cause; end; p n > 5000";
    assert_eq!(under(900, program), "true\n");
}

#[test]
fn the_locale_names_the_external_encoding() {
    let encodings = [("C", "US-ASCII"), ("POSIX", "US-ASCII"), ("C.UTF-8", "UTF-8"), ("ja_JP.eucJP", "EUC-JP")];
    for (locale, encoding) in encodings {
        let output = carat("print Encoding.default_external").env("LC_ALL", locale).output().expect("it runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), encoding, "{locale}");
    }
}

#[test]
fn a_closed_stderr_does_not_swallow_errors() {
    let output = carat("$stderr.close; warn 'one'; raise 'two'").env("RUBYOPT", "-W1").output().expect("it runs");
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(text.contains("two"), "{text}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn threads_that_cannot_be_made_are_errors() {
    let endless = [
        ("a = []; loop { a << Thread.new { sleep } }", "ThreadError"),
        ("a = []; loop { f = Fiber.new { Fiber.yield }; f.resume; a << f }", "FiberError"),
    ];
    for (program, error) in endless {
        let program =
            format!("begin; {program}; rescue {error}, NoMemoryError; $stdout.syswrite(\"rescued\\n\"); end; exit!(0)");
        assert_eq!(under_a_limit(&program), "rescued\n", "{program}");
    }
}

#[test]
fn what_comes_of_large_hashes_runs_out_of_memory_as_an_error() {
    for operation in ["h.dup", "h.merge(h)", "h.to_a", "{}.replace(h)", "f(**h)"] {
        let program = format!(
            "def f(**all) = all\nh = {{}}; 200_000.times {{ |i| h[i] = i }}\n\
             begin; kept = []; loop {{ kept << {operation} }}; rescue NoMemoryError; kept = nil; puts :rescued; end"
        );
        assert_eq!(under(300, &program), "rescued\n", "{operation}");
    }
}

#[test]
fn what_ends_leaves_nothing_behind() {
    let kinds =
        ["Thread.new {}.join", "Class.new.new", "Object.new.extend(Comparable)", "Fiber.new {}.resume", "Module.new"];
    for kind in kinds {
        let program = format!(
            "def resident = File.read('/proc/self/status')[/VmRSS:\\s+(\\d+)/, 1].to_i
             turn = proc {{ 5000.times {{ {kind} }}; 2.times {{ GC.start }} }}
             3.times(&turn)
             before = resident
             20.times(&turn)
             puts resident - before"
        );
        let output = carat(&program).output().expect("carat runs");
        let grown: i64 = String::from_utf8_lossy(&output.stdout).trim().parse().expect("a number");
        // 64 bytes a turn would be 6,250 KB; empty pages that come and go and parts of the executable are under 2,000.
        assert!(grown < 3_000, "{kind}: {grown} KB in 100,000 turns");
    }
}

/// All threads run a handler when an id changes, the first one perhaps while the process ends.
#[test]
fn a_changed_id_does_not_disturb_the_end() {
    let program = "Process.euid = Process.euid; print :ended";
    let run = || {
        for _ in 0..100 {
            let output = carat(program).output().expect("a process");
            assert!(output.status.success() && output.stdout == b"ended", "{output:?}");
        }
    };
    std::thread::scope(|scope| (0..4).for_each(|_| _ = scope.spawn(run)));
}

/// It came when the thread did something else.
#[test]
fn the_error_of_a_stream_that_was_closed_is_the_calls() {
    let program = "300.times do\n  r, w = IO.pipe\n  thread = Thread.new { r.read(1); r.close; w.close }\n  \
                   begin; w.syswrite('x'); rescue IOError; end\n  thread.join\nend\nputs 'done'";
    let output = carat(program).output().expect("it runs");
    assert_eq!(
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)),
        ("done\n".into(), "".into())
    );
}

/// The thread of a lookup that nobody waited for any more ended with an error.
#[test]
fn lookups_that_come_too_late_disturb_nobody() {
    let program = "require 'socket'\nThread.abort_on_exception = true\nserver = TCPServer.new('127.0.0.1', 0)\n\
                   port = server.addr[1]\nThread.new { loop { server.accept.close } }\n\
                   300.times { TCPSocket.new('localhost', port).close }\nputs 'done'";
    let output = carat(program).output().expect("it runs");
    assert_eq!(
        (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr)),
        ("done\n".into(), "".into())
    );
}

#[cfg(target_os = "linux")]
#[test]
fn the_system_shows_the_names_of_threads() {
    let program = "names = -> { Dir.glob('/proc/self/task/*/comm').map { File.read(it).chomp } }\n\
                   Thread.new { Thread.current.name = 'reader of streams'; p names.().include?('reader of strea') }.join\n\
                   Thread.new { sleep }.tap { it.name = 'second'; Thread.pass until it.stop? && it.native_thread_id }\n\
                   p names.().include?('second'), names.().include?('reader of strea')";
    let output = carat(program).output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stdout), "true\ntrue\nfalse\n");
}

/// Nothing that is written to a terminal waits for a line end or for the end, whatever `sync` says; a file gets it later.
#[test]
fn a_terminal_gets_each_write_at_once() {
    let program = r#"
        require "pty"
        require "timeout"
        writing = 'STDOUT.print "ab"; $stdin.gets; $stdout.sync = false; $stdout.write "cd"; $stdin.gets
          tty = File.open("/dev/tty", "w"); tty << "ef"; $stdin.gets
          $stdout.reopen(ARGV[0], "w"); print "gh"; p File.size(ARGV[0])'
        require "tempfile"
        file = Tempfile.new
        PTY.spawn(ARGV[0], "-e", writing, file.path) do |reader, writer, pid|
          %w[ab cd ef].each do |text|
            seen = +""
            Timeout.timeout(60) { seen << reader.readpartial(100) until seen.include?(text) }
            puts text
            writer.puts
          end
          Process.wait(pid)
        end
        puts File.read(file.path)
    "#;
    let output = carat(program).arg(env!("CARGO_BIN_EXE_carat")).output().expect("carat runs");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!((text.as_str(), String::from_utf8_lossy(&output.stderr).as_ref()), ("ab\ncd\nef\ngh0\n", ""));
}

/// Options of `spawn` that are none, and redirections that lead nowhere, are refused before anything starts.
#[test]
fn spawn_refuses_what_is_no_option() {
    let program = r#"
        [{ foo: 1 }, { new_pgroup: true }, { 1.5 => 2 }, { "x" => 2 }, { nil => 1 }, { [nil] => 1 }, { rlimit_foo: 1 },
         { rlimit_FOO: 1 }, { err: [:child, :out] }, { out: :close, err: [:child, :out] }, { out: [:child, 99] },
         { out: [:child, :err], err: [:child, :out] }, { [1, :foo] => 2 }, { out: :foo }, { 5 => 99 }].each do |options|
          spawn("true", options)
          puts "ran"
        rescue => e
          puts [e.class, e.message].join(": ")
        end
        p system("true", { 5 => 99 }), [{ out: "/dev/null", err: [:child, :out], 5 => [:child, 2] }, { [:out, 7] => [:child, 5], 5 => 1 }]
          .map { |options| Process.wait2(spawn("true", options))[1].success? }
    "#;
    let output = carat(program).output().expect("carat runs");
    let expected = "\
ArgumentError: wrong exec option symbol: foo
ArgumentError: wrong exec option symbol: new_pgroup
ArgumentError: wrong exec option: Float
ArgumentError: wrong exec option: String
ArgumentError: wrong exec option: NilClass
ArgumentError: wrong exec redirect
ArgumentError: wrong exec option symbol: rlimit_foo
ArgumentError: wrong exec option symbol: rlimit_FOO
ArgumentError: child fd 1 is not redirected
ArgumentError: child fd 1 is not redirected
ArgumentError: child fd 99 is not redirected
ArgumentError: cyclic child fd redirection from 2
ArgumentError: wrong exec redirect
ArgumentError: wrong exec redirect symbol: foo
Errno::EBADF: Bad file descriptor - dup2
nil
[true, true]
";
    assert_eq!(String::from_utf8_lossy(&output.stdout), expected);
}
