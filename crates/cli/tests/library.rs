//! Carat's own library as a whole.

use std::fs;
use std::path::Path;
use std::process::Command;

/// A program that runs with `-w` hears of its own faults only.
#[test]
fn libraries_give_no_warnings() {
    let library = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lib");
    for entry in fs::read_dir(library).expect("the library") {
        let path = entry.expect("an entry").path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()?.strip_suffix(".rb")) else { continue };
        let output = Command::new(env!("CARGO_BIN_EXE_carat")).args(["-w", "-r", name, "-e", ""]).output();
        assert_eq!(String::from_utf8_lossy(&output.expect("carat runs").stderr), "", "{name}");
    }
}

/// What a program prints.
fn output_of(program: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_carat")).args(["-e", program]).output().expect("carat runs");
    String::from_utf8_lossy(&output.stdout).into_owned()
}

/// Golden programs cannot have it: the gem that recorded them is older.
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
