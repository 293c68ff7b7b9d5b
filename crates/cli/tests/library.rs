//! Carat's own library as a whole.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib").canonicalize().expect("the library")
}

/// The executable goes anywhere alone: what it loads is inside it, and so are the lines that messages show.
#[test]
fn a_copied_executable_has_the_library() {
    let folder = std::env::temp_dir().join(format!("carat-alone-{}", std::process::id()));
    fs::create_dir_all(&folder).expect("a folder");
    let copied = folder.join("carat");
    // `cp` writes it: a process that another test starts while this one writes would keep the file open ("Text file busy").
    let copy = Command::new("cp").arg(env!("CARGO_BIN_EXE_carat")).arg(&copied).status().expect("cp runs");
    assert!(copy.success());
    let run = |program: &str| {
        let mut carat = Command::new(&copied);
        carat.args(["-rjson", "-ryaml", "-rsocket", "-e", program]).env_clear().current_dir("/");
        let output = carat.output().expect("carat runs");
        (String::from_utf8_lossy(&output.stdout).into_owned(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let features =
        r#"puts [1].to_json, $".grep(%r{0/(socket|yaml)\.rb}), $".grep(%r{^/.*rb\z}).all? { |path| File.file?(path) }"#;
    let seen = "[1]\n/carat/lib/ruby/4.0.0/yaml.rb\n/carat/lib/ruby/4.0.0/socket.rb\ntrue\n";
    assert!(!Path::new("/carat").exists());
    assert_eq!(run(features), (seen.to_string(), String::new()));
    let (_, error) = run("JSON.generate(1, 2, 3, 4)");
    let lines: Vec<&str> = error.lines().collect();
    assert!(lines[0].starts_with("/carat/lib/ruby/4.0.0/json/common.rb:"), "{error}");
    assert!(lines.iter().any(|line| line.contains("|   def generate(")), "{error}");
    let (again, _) =
        run(r#"p require("/carat/lib/ruby/4.0.0/json.rb"), load("json/version.rb"), require("shellwords.rb")"#);
    assert_eq!(again, "false\ntrue\ntrue\n");
    let (compiled, _) = run("TracePoint.new(:script_compiled) { |t| p t.event }.enable { require \"shellwords\" }");
    assert_eq!(compiled, ":script_compiled\n");
    fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn a_folder_may_stand_in_for_the_library() {
    let library = library();
    let mut carat = Command::new(env!("CARGO_BIN_EXE_carat"));
    carat
        .args(["-rabbrev", "-e", r#"puts $".last, $:.last, RbConfig::CONFIG["rubylibdir"]"#])
        .env("CARAT_LIB", &library);
    let output = carat.output().expect("carat runs");
    let folder = library.display();
    assert_eq!(String::from_utf8_lossy(&output.stdout), format!("{folder}/abbrev.rb\n{folder}\n{folder}\n"));
}

/// The first words of the lines of `--help` that tell of options.
#[test]
fn man_page_has_every_option() {
    let page = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/man/carat.1");
    let page = fs::read_to_string(page).expect("the page");
    let help = Command::new(env!("CARGO_BIN_EXE_carat")).arg("--help").output().expect("carat runs").stdout;
    let help = String::from_utf8_lossy(&help).into_owned();
    let options: Vec<&str> = help
        .split_whitespace()
        .filter_map(|word| word.strip_prefix("--"))
        .map(|word| word.split(['=', ',', ';', ' ']).next().unwrap_or(word))
        .filter(|word| !word.is_empty() && !word.starts_with(']'))
        .collect();
    assert!(options.len() > 8, "{options:?}");
    options.iter().for_each(|option| assert!(page.contains(&format!("Fl -{option}")), "--{option}"));
}

/// A program that runs with `-w` hears of its own faults only.
#[test]
fn libraries_give_no_warnings() {
    let library = library();
    for entry in fs::read_dir(&library).expect("the library") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rb")) else { continue };
        // Warnings of the parser come where the text is compiled.
        let mut carat = Command::new(env!("CARGO_BIN_EXE_carat"));
        let output =
            carat.args(["-w", "-r", name, "-e", ""]).env("CARAT_LIB", &library).env("CARAT_RUBYGEMS", "").output();
        let output = output.expect("carat runs");
        let warnings = String::from_utf8_lossy(&output.stderr);
        match name {
            // The older name of a gem.
            "readline" => assert!(warnings.contains("cannot load such file -- reline (LoadError)"), "{warnings}"),
            _ => assert_eq!(warnings, "", "{name}"),
        }
    }
}

/// What a program prints.
fn output_of(program: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_carat")).args(["-e", program]).output().expect("carat runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Golden programs cannot have it: the gem that recorded them is older.
/// CRuby's WebAssembly build, which golden programs are recorded from, has neither Ractors nor sockets.
#[test]
fn libraries_bring_what_programs_count_on() {
    let program = r#"require "uri"; require "yaml"; require "singleton"
p IPAddr.new("10.0.0.1").to_s, StringIO.new("a").read, StringScanner.new("b").getch
class Registry; include RactorLocalSingleton; attr_accessor :name; end
Registry.instance.name = "main"
p Ractor.new { [Registry.instance.name, Registry.instance.equal?(Registry.instance)] }.value, Registry.instance.name"#;
    assert_eq!(output_of(program), "\"10.0.0.1\"\n\"a\"\n\"b\"\n[nil, true]\n\"main\"\n");
}

/// CRuby's WebAssembly build has no terminals.
#[test]
fn programs_run_at_terminals_of_their_own() {
    let program = r#"
        require "pty"
        require "io/console"
        PTY.spawn("stty -a | grep -c speed; tty; read a; echo got $a; exit 3") do |reader, writer, pid|
          p reader.gets, reader.gets == reader.path + "\r\n", [reader, writer].map { |io| [io.class, io.sync, io.close_on_exec?] }
          p PTY.check(pid)
          writer.puts "x y"
          p reader.gets, reader.gets
          begin reader.gets rescue p $!.class end
          sleep 0.01 until status = PTY.check(pid)
          p status.exitstatus, status.pid == pid
        end
        reader, writer, pid = PTY.getpty([RbConfig.ruby, "name"], "-e", 'p $stdin.tty?, Process.getsid == $$, File.open("/dev/tty").tty?')
        p 3.times.map { reader.gets.chomp }
        [reader, writer].each(&:close)
        begin
          loop { PTY.check(pid, true) }
        rescue PTY::ChildExited => e
          p e.message == "pty - exited: #{pid}", e.status.success?
        end
        begin PTY.spawn("/nothing/there") rescue p $!.class end
        p PTY.open { |master, slave|
          slave.winsize = [7, 70]
          slave.puts "a"
          master.puts "b"
          [master.class, slave.class, master.gets, slave.gets, master.winsize, slave.path[0, 5], slave.close]
        }
        ends = PTY.open
        p ends[0].inspect.include?("masterpty:/dev/"), ends[1].tty?, ends.each(&:close).all?(&:closed?), PTY.spawn("true") { 1 }
    "#;
    let expected = r#""1\r\n"
true
[[File, false, true], [File, true, true]]
nil
"x y\r\n"
"got x y\r\n"
Errno::EIO
3
true
["true", "true", "true"]
true
true
Errno::ENOENT
[IO, File, "a\r\n", "b\n", [7, 70], "/dev/", nil]
true
true
true
nil
"#;
    assert_eq!(output_of(program), expected);
}

#[test]
fn msgpack_holds_integers_of_any_size() {
    let program = r#"
        require "msgpack"
        require "msgpack/bigint"
        factory = MessagePack::Factory.new
        big = MessagePack::Bigint
        factory.register_type(1, Integer, packer: big.method(:to_msgpack_ext), unpacker: big.method(:from_msgpack_ext),
                              oversized_integer_extension_type: true)
        numbers = [0, 1, -1, 2**32 - 1, 2**32, 2**63, 2**64, 2**70 + 5, -2**80, 3**200, -(3**200)]
        p factory.load(factory.dump(numbers)) == numbers, big.to_msgpack_ext(-2**32).bytes
        pool = factory.pool(2, symbolize_keys: true)
        p pool.load(pool.dump({"a" => 2**70})), pool.unpacker { |unpacker| unpacker.feed("\x01").read }
        factory.register_type(5, Symbol)
        p pool.load(pool.dump(:a))
        begin
          factory.freeze.register_type(6, Rational)
        rescue FrozenError => error
          p error.receiver.equal?(factory)
        end
    "#;
    let expected = "true\n[1, 0, 0, 0, 0, 0, 0, 0, 1]\n{a: 1180591620717411303424}\n1\n\"a\"\ntrue\n";
    assert_eq!(output_of(program), expected);
}

/// As above.
#[test]
fn msgpack_tells_classes_below_string_array_and_hash() {
    let program = r#"
        require "msgpack"
        class Safe < String; end
        class Listed < Array; end
        class Mapped < Hash; end
        all = [Safe.new("a"), Listed[1], Mapped[1, 2], "b", [3], {4 => 5}]
        factory = MessagePack::Factory.new
        p factory.load(factory.dump(all)).map(&:class)
        factory.register_type(1, Safe, packer: ->(s) { s.to_s }, unpacker: ->(s) { Safe.new(s) })
        factory.register_type(2, Listed, packer: ->(a) { a.join(",") }, unpacker: ->(s) { Listed[*s.split(",")] })
        factory.register_type(3, Mapped, packer: ->(h) { h.to_a.join(",") }, unpacker: ->(s) { Mapped[*s.split(",")] })
        p factory.load(factory.dump(all)).map(&:class)
    "#;
    let expected = "[String, Array, Hash, String, Array, Hash]\n[Safe, Listed, Mapped, String, Array, Hash]\n";
    assert_eq!(output_of(program), expected);
}
