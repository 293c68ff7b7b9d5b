//! What a host does with a VM.
#![forbid(unsafe_code)]

use carat_embed::{Error, Kind, Vm};
use std::collections::BTreeMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

fn vm() -> Vm {
    Vm::builder().build().expect("a VM")
}

/// The error that a source ends with.
fn error_of(vm: &mut Vm, source: &str) -> Error {
    match vm.eval(source, "test.rb") {
        Err(error) => error,
        Ok(_) => Error::new("no error", source),
    }
}

#[test]
fn sources_have_values() {
    let mut vm = vm();
    let sum = vm.eval("[1, 2, 3].sum", "sum.rb").unwrap();
    assert_eq!(vm.get::<i64>(&sum).unwrap(), 6);
    let text = vm.eval("'a' * 3 + RUBY_VERSION[0]", "text.rb").unwrap();
    assert_eq!(vm.get::<String>(&text).unwrap(), "aaa4");
    let list = vm.eval("[1.5, nil]", "list.rb").unwrap();
    assert_eq!(vm.get::<Vec<Option<f64>>>(&list).unwrap(), [Some(1.5), None]);
    assert_eq!(vm.get::<i64>(&text).unwrap_err().class(), "TypeError");
}

#[test]
fn rust_values_become_objects() {
    let mut vm = vm();
    let map = BTreeMap::from([("a".to_string(), vec![1i64, 2]), ("b".to_string(), vec![])]);
    let hash = vm.value(map.clone()).unwrap();
    let shown = vm.call(&hash, "inspect", &[]).unwrap();
    assert_eq!(vm.get::<String>(&shown).unwrap(), r#"{"a" => [1, 2], "b" => []}"#);
    assert_eq!(vm.get::<BTreeMap<String, Vec<i64>>>(&hash).unwrap(), map);
    let large = vm.value(u64::MAX).unwrap();
    assert_eq!(vm.get::<u64>(&large).unwrap(), u64::MAX);
}

#[test]
fn objects_live_as_long_as_the_host_holds_them() {
    let mut vm = Vm::builder().gc_stress(7, 50).build().unwrap();
    let kept: Vec<_> = (0..50).map(|i| vm.eval(&format!("'kept ' + '{i}'"), "k.rb").unwrap()).collect();
    for _ in 0..20 {
        drop(vm.eval("Array.new(1000) { 'garbage' + 'x' }", "g.rb").unwrap());
    }
    vm.collect_garbage().unwrap();
    for (i, value) in kept.iter().enumerate() {
        assert_eq!(vm.get::<String>(value).unwrap(), format!("kept {i}"));
    }
}

#[test]
fn exceptions_come_out_with_class_message_and_backtrace() {
    let mut vm = vm();
    let error = error_of(&mut vm, "def f = raise(ArgumentError, 'no')\n\nf");
    assert_eq!((error.kind(), error.class(), error.message()), (Kind::Exception, "ArgumentError", "no"));
    assert_eq!(error.backtrace(), ["test.rb:1:in 'Object#f'", "test.rb:3:in '<main>'"]);
    assert_eq!(error_of(&mut vm, "1 +").class(), "SyntaxError");
    assert_eq!(error_of(&mut vm, "exit 3").kind(), Kind::Exit(3));
    assert_eq!(error_of(&mut vm, "throw :x").class(), "UncaughtThrowError");
    let exception = error.exception().unwrap().clone();
    let message = vm.call(&exception, "message", &[]).unwrap();
    assert_eq!(vm.get::<String>(&message).unwrap(), "no");
}

#[test]
fn another_vms_object_is_refused() {
    let (mut one, mut other) = (vm(), vm());
    let object = one.eval("Object.new", "a.rb").unwrap();
    assert_eq!(other.call(&object, "to_s", &[]).unwrap_err().kind(), Kind::Host);
}

#[test]
fn functions_of_the_host_are_called() {
    let mut vm = vm();
    vm.define_function("add", |scope, arguments| {
        let (a, b): (i64, i64) = (scope.get(&arguments[0])?, scope.get(&arguments[1])?);
        scope.value(a + b)
    })
    .unwrap();
    vm.define_function("refuse", |_, _| Err(Error::new("KeyError", "not here"))).unwrap();
    vm.define_function("again", |scope, arguments| scope.call(&arguments[0], "call", &[])).unwrap();
    vm.define_function("panics", |_, _| panic!("at the disco")).unwrap();
    let sum = vm.eval("add(20, 22)", "f.rb").unwrap();
    assert_eq!(vm.get::<i64>(&sum).unwrap(), 42);
    let rescued = vm.eval("begin; refuse; rescue KeyError => e; e.message; end", "f.rb").unwrap();
    assert_eq!(vm.get::<String>(&rescued).unwrap(), "not here");
    let nested = vm.eval("again(-> { again(-> { 5 }) })", "f.rb").unwrap();
    assert_eq!(vm.get::<i64>(&nested).unwrap(), 5);
    assert_eq!(error_of(&mut vm, "again(-> { raise IndexError, 'deep' })").class(), "IndexError");
    let panicked = error_of(&mut vm, "panics");
    assert_eq!(panicked.message(), "the host's function panicked: at the disco");
    assert_eq!(error_of(&mut vm, "def f = again(-> { f })\nf").class(), "SystemStackError");
}

/// Counts what was dropped.
struct Counter(i64, Arc<AtomicUsize>);

impl Drop for Counter {
    fn drop(&mut self) {
        self.1.fetch_add(1, Ordering::SeqCst);
    }
}

#[test]
fn classes_of_the_host_carry_its_values() {
    let dropped = Arc::new(AtomicUsize::new(0));
    let mut vm = vm();
    let counted = dropped.clone();
    vm.enter(|scope| {
        let class = scope.define_class::<Counter>("Counter")?;
        let class = class.constructor(move |scope, arguments| {
            let first = arguments.first().map_or(Ok(0), |first| scope.get(first))?;
            Ok(Counter(first, counted.clone()))
        })?;
        let class = class.method("up", |scope, arguments| {
            let number = scope.with(&arguments[0], |counter: &mut Counter| {
                counter.0 += 1;
                counter.0
            })?;
            scope.value(number)
        })?;
        class.finish();
        Ok(())
    })
    .unwrap();
    let number = vm.eval("$c = Counter.new(5); $c.up; $c.up", "c.rb").unwrap();
    assert_eq!(vm.get::<i64>(&number).unwrap(), 7);
    assert_eq!(error_of(&mut vm, "Counter.instance_method(:up).bind(Object.new)").class(), "TypeError");
    vm.eval("100.times { Counter.new }; nil", "c.rb").unwrap();
    vm.collect_garbage().unwrap();
    assert!(dropped.load(Ordering::SeqCst) > 90, "what is collected is dropped");
    drop(vm);
    assert_eq!(dropped.load(Ordering::SeqCst), 101);
}

#[test]
fn streams_and_sources_are_the_hosts() {
    let written = Arc::new(Mutex::new(Vec::new()));
    let (out, err) = (written.clone(), written.clone());
    let lines = Mutex::new(vec![b"second\n".to_vec(), b"first\n".to_vec()]);
    let mut vm = Vm::builder()
        .stdout(move |bytes| out.lock().unwrap().extend_from_slice(bytes))
        .stderr(move |bytes| err.lock().unwrap().extend_from_slice(bytes))
        .stdin(move || lines.lock().unwrap().pop())
        .environment([("NAME", "value")])
        .sources(|feature| (feature == "mine").then(|| "def mine = 7".to_string()))
        .build()
        .unwrap();
    vm.eval(
        "puts 1, [2, [3]]; print 'x'; p :y; warn 'w'; $stdout << gets; STDERR.puts ENV['NAME']; printf('%d', 4)",
        "s.rb",
    )
    .unwrap();
    assert_eq!(String::from_utf8_lossy(&written.lock().unwrap()), "1\n2\n3\nx:y\nw\nfirst\nvalue\n4");
    let mine = vm.eval("require 'mine'; require 'json'; mine + JSON.parse('[1]')[0]", "s.rb").unwrap();
    assert_eq!(vm.get::<i64>(&mine).unwrap(), 8);
    let file = std::env::temp_dir().join("none.rb");
    assert_eq!(error_of(&mut vm, &format!("require {file:?}")).class(), "LoadError");
}

#[test]
fn what_is_not_granted_raises() {
    let mut vm = vm();
    let sources = [
        "File.read('/etc/passwd')",
        "File.open('/etc/passwd')",
        "IO.popen('ls')",
        "`ls`",
        "system('ls')",
        "fork {}",
        "exit!",
        "exec('ls')",
        "Process.kill(9, Process.pid)",
        "trap('INT') {}",
        "Dir.chdir('/')",
        "Dir.children('/')",
        "File.exist?('/')",
        "IO.pipe",
        "IO.sysopen('/etc/passwd')",
        "open('/etc/passwd')",
        "open('|ls')",
        "IO.new(1)",
        "IO.for_fd(0)",
        "File.stat('/')",
        "Dir.glob('/*')",
        "IO.readlines('/etc/passwd')",
        "IO.select([], [], [], 0)",
        "Process.spawn('ls')",
        "Process.setsid",
        "test(?e, '/')",
        "Kernel.spawn('ls')",
        "IO.copy_stream('/etc/passwd', '/dev/null')",
        "File::Stat.new('/')",
        "ObjectSpace.each_object(IO).first.write('x')",
        "IO.binread('/etc/passwd')",
        "File.expand_path('~')",
        "Dir.pwd",
        "IO::Buffer.map(nil)",
        "Process.daemon",
        "Process.setproctitle('x')",
        "FileTest.exist?('/')",
        "File.new('/x', 'w')",
        "IO.foreach('/etc/passwd') {}",
        "Dir.open('/')",
        "Process.getpgid(0)",
        "readlines('/etc/passwd').bad",
    ];
    for source in sources {
        let error = error_of(&mut vm, source);
        let expected = ["SecurityError", "NoMethodError", "NotImplementedError"];
        assert!(expected.contains(&error.class()), "{source}: {error}");
    }
    for library in ["socket", "etc", "io/console", "objspace", "open3", "tempfile", "fileutils", "pathname"] {
        // Whether it loads or not, it has no other ways.
        drop(vm.eval(&format!("require '{library}'"), "l.rb"));
    }
    let still = [
        "TCPSocket.new('localhost', 1)",
        "Pathname('/etc/passwd').read",
        "FileUtils.rm_rf('/nothing')",
        "Etc.getpwuid",
    ];
    for source in still {
        error_of(&mut vm, source);
    }
    let load = error_of(&mut vm, "load '/etc/passwd'");
    assert_eq!(load.class(), "LoadError");
    let clock = vm.eval("Process.clock_gettime(Process::CLOCK_MONOTONIC) > 0 && File.join('a', 'b')", "c.rb").unwrap();
    assert_eq!(vm.get::<String>(&clock).unwrap(), "a/b");
}

#[test]
fn files_can_be_granted() {
    let mut vm = Vm::builder().allow_files().build().unwrap();
    let text = vm.eval("File.read('/proc/self/comm').empty?", "f.rb").unwrap();
    assert!(!vm.get::<bool>(&text).unwrap());
    assert_eq!(error_of(&mut vm, "fork {}").class(), "SecurityError");
    let mut vm = Vm::builder().allow_files().allow_processes().build().unwrap();
    let text = vm.eval("`echo hi`", "f.rb").unwrap();
    assert_eq!(vm.get::<String>(&text).unwrap(), "hi\n");
    assert_eq!(error_of(&mut vm, "fork {}").class(), "SecurityError");
    assert_eq!(error_of(&mut vm, "exit!").class(), "SecurityError");
}

/// Runs hostile sources that only a stop ends.
fn stopped(vm: &mut Vm, source: &str, kind: Kind) {
    let begun = Instant::now();
    let error = error_of(vm, source);
    assert_eq!(error.kind(), kind, "{source}: {error}");
    assert!(begun.elapsed() < Duration::from_secs(10), "{source}: {:?}", begun.elapsed());
    let after = vm.eval("1 + 1", "after.rb").unwrap();
    assert_eq!(vm.get::<i64>(&after).unwrap(), 2, "the VM goes on after {source}");
}

const ENDLESS: &[&str] = &[
    "loop {}",
    "while true; end",
    "def f = f\nbegin; f; rescue SystemStackError; retry; end",
    "loop { begin; loop {}; rescue Exception; end }",
    "begin; loop {}; ensure; loop {}; end",
    "Fiber.new { loop {} }.resume",
    "Fiber.new { begin; loop {}; ensure; loop {}; end }.resume",
    "Enumerator.new { |y| loop { y << 1 } }.each {}",
    "catch(:x) { loop { begin; throw :y; rescue ArgumentError; end } }",
    "Thread.new { loop {} }.join",
    "Thread.new { begin; loop {}; rescue Exception; retry; end }; loop {}",
    "Thread.handle_interrupt(Object => :never) { loop {} }",
    "(1..Float::INFINITY).each {}",
    "[1].cycle {}",
    "'a'.upto('z' * 50) {}",
    "eval('loop {}') while true",
    "Mutex.new.synchronize { loop {} }",
    "at_exit { loop {} }; loop {}",
    "Integer.class_eval { def +(o) = loop {} }; 1 + 1",
];

#[test]
fn deadlines_stop_what_is_endless() {
    for source in ENDLESS {
        let mut vm = Vm::builder().deadline(Duration::from_millis(100)).build().unwrap();
        if source.starts_with("Integer.class_eval") {
            assert_eq!(error_of(&mut vm, source).kind(), Kind::Deadline);
            continue;
        }
        stopped(&mut vm, source, Kind::Deadline);
    }
    let mut vm = Vm::builder().deadline(Duration::from_millis(100)).build().unwrap();
    for source in [
        "sleep",
        "Queue.new.pop",
        "Thread.stop",
        "sleep 100",
        "Ractor.new { loop {} }.value",
        "Thread.new { sleep }.join",
    ] {
        let begun = Instant::now();
        let error = error_of(&mut vm, source);
        // The VM may see by itself that nobody is left to wake the thread.
        assert!(
            error.kind() == Kind::Deadline || ["fatal", "ThreadError"].contains(&error.class()),
            "{source}: {error}"
        );
        assert!(begun.elapsed() < Duration::from_secs(5), "{source}");
    }
}

#[test]
fn fuel_stops_what_is_endless_after_as_much_each_time() {
    let mut vm = Vm::builder().fuel(100_000).build().unwrap();
    for source in ENDLESS.iter().filter(|source| !source.contains("class_eval") && !source.contains("Thread")) {
        stopped(&mut vm, source, Kind::Fuel);
    }
    let used = |vm: &mut Vm| {
        vm.eval("1000.times { |i| i.to_s }", "f.rb").unwrap();
        100_000 - vm.fuel_left().unwrap()
    };
    let first = used(&mut vm);
    assert_eq!((first, first), (used(&mut vm), used(&mut vm)));
    assert!((1000..10_000).contains(&first), "{first}");
}

#[test]
fn long_natives_are_stopped() {
    let mut vm = Vm::builder().deadline(Duration::from_millis(200)).max_bytes(256 << 20).build().unwrap();
    let sources = [
        "3 ** 100_000_000",
        "(1 << 40_000_000) * (1 << 40_000_000) / 3",
        "(1..200_000_000).to_a.sort.size",
        r"loop { /^(?:(a)|\1a)*b\1$/ =~ 'a' * 40 }",
        "('a' * 100_000_000).gsub(/a/, 'bb').size",
        "a = (1..100).to_a; a.product(a, a, a, a)",
        "[1] * 2_000_000_000",
        "'x' * 2**40",
        "(2**1_000_000).to_s(7) while true",
        "(1..30).to_a.permutation.to_a",
        "a = []; loop { a << 'x' * 1_000_000 }",
        "['a'].pack('a4000000000')",
        "a = 'x'; loop { a += a }",
        "h = {}; i = 0; loop { h[i += 1] = i }",
        "i = 0; loop { (i += 1).to_s.to_sym; \"s#{i}\".to_sym }",
        "'%9999999999d' % 1",
        "Array.new(10**9)",
        "(1..10**7).inject(:*)",
        "a = []; a << a while a.hash",
        "loop { Class.new }",
        "loop { eval(\"def m#{rand(10**9)} = 1\") }",
        "s = '['; s << s while true",
    ];
    for source in sources {
        let begun = Instant::now();
        let error = error_of(&mut vm, source);
        let known = matches!(error.kind(), Kind::Deadline | Kind::Memory)
            || ["ArgumentError", "RangeError", "Regexp::TimeoutError"].contains(&error.class());
        assert!(known, "{source}: {error}");
        assert!(begun.elapsed() < Duration::from_secs(20), "{source}: {:?}", begun.elapsed());
        vm.eval("GC.start", "gc.rb").unwrap();
    }
}

#[test]
fn memory_is_capped() {
    let mut vm = Vm::builder().max_bytes(16 << 20).deadline(Duration::from_secs(20)).build().unwrap();
    for source in
        ["'x' * 2**40", "a = []; loop { a << 'x' * 1000 }", "a = 'x'; loop { a << a }", "a = []; loop { a << [] }"]
    {
        let error = error_of(&mut vm, source);
        assert_eq!(error.kind(), Kind::Memory, "{source}: {error}");
        let rescued =
            vm.eval(&format!("begin; {source}; rescue NoMemoryError; a = nil; :rescued; end"), "r.rb").unwrap();
        assert_eq!(vm.get::<String>(&rescued).unwrap(), "rescued", "{source}");
        vm.collect_garbage().unwrap();
        assert!(vm.bytes_in_use() < 16 << 20);
    }
    let greedy = "a = []; loop { begin; loop { a << 'x' * 1000 }; rescue NoMemoryError; end }";
    assert_eq!(error_of(&mut vm, greedy).kind(), Kind::Memory);
}

#[test]
fn deep_recursion_is_an_error_on_any_stack() {
    for kilobytes in [256, 1024, 8192] {
        let body = || {
            let mut vm = vm();
            for source in [
                "def f = f\nf",
                "def g = [1].each { g }\ng",
                "a = []; 20_000.times { a = [a] }; a.flatten; a.inspect; a.hash; a == a.dup",
                "eval('[' * 10_000)",
                "def h(x) = eval('h(x)')\nh(1)",
                "o = Object.new; def o.to_s = \"#{self}\"\no.to_s",
                "def m(n) = [3, 1].sort_by { m(n) }\nm(1)",
                "k = Class.new { def <=>(o) = [self, self].max }; [k.new, k.new].max",
            ] {
                if let Err(error) = vm.eval(source, "deep.rb") {
                    assert!(
                        ["SystemStackError", "SyntaxError", "ArgumentError"].contains(&error.class()),
                        "{source}: {error}"
                    );
                }
            }
        };
        std::thread::Builder::new().stack_size(kilobytes << 10).spawn(body).unwrap().join().unwrap();
    }
}

#[test]
fn another_thread_can_stop_a_call() {
    let mut vm = vm();
    let handle = vm.stop_handle();
    let other = std::thread::spawn(move || {
        std::thread::sleep(Duration::from_millis(50));
        handle.stop();
    });
    assert_eq!(error_of(&mut vm, "loop {}").kind(), Kind::Stopped);
    other.join().unwrap();
    let handle = vm.stop_handle();
    handle.stop();
    vm.eval("1", "x.rb").unwrap();
    vm.set_deadline(Some(Duration::from_millis(20))).unwrap();
    assert_eq!(error_of(&mut vm, "loop {}").kind(), Kind::Deadline);
    vm.set_deadline(None).unwrap();
    drop(vm);
    handle.stop();
}

#[test]
fn a_panic_that_leaves_a_call_ends_the_use_of_the_vm() {
    let mut vm = Vm::builder().build().unwrap();
    let kept = vm.eval("Object.new", "kept").unwrap();
    let call = std::panic::AssertUnwindSafe(|| vm.enter(|_| -> Result<(), Error> { panic!("out of here") }));
    assert!(std::panic::catch_unwind(call).is_err());
    let refused = vm.eval("1", "after").unwrap_err();
    assert_eq!((refused.kind(), refused.message()), (Kind::Host, "a panic went through this VM"));
    drop(kept);
}

#[test]
fn a_ractor_that_finds_no_thread_leaves_the_heap_of_an_ended_one_where_it_is() {
    // A Ractor's thread counts a while longer than its value is waited for.
    let program = "
        def insist
          yield
        rescue ThreadError
          Thread.pass
          retry
        end
        kept = Ractor.new { Ractor.make_shareable(Array.new(5000) { |i| ['text ' * 20, i] }) }.value
        waiting = insist { Thread.new { sleep } }
        message = begin
          Ractor.new { 1 }
        rescue ThreadError => error
          error.message
        end
        waiting.kill.join
        other = ->(n) { insist { Ractor.new(n) { |n| Array.new(1000) { |i| 'other ' * (i % 9 + n) }.size } }.value }
        others = Array.new(3, &other)
        GC.start
        [message, kept.sum { |text, i| text.size + i }, others.sum].inspect";
    let mut vm = Vm::builder().max_threads(2).build().expect("a VM");
    let expected =
        format!("[\"can't create Thread: Resource temporarily unavailable\", {}, 3000]", 5000 * 100 + 4999 * 2500);
    let shown = vm.eval(program, "ended.rb").expect("it runs");
    assert_eq!(vm.get::<String>(&shown).unwrap(), expected);
}
