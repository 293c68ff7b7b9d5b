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
        p factory.load(factory.dump(numbers)) == numbers, big.to_msgpack_ext(-2**32)
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
    let output = Command::new(env!("CARGO_BIN_EXE_carat")).args(["-e", program]).output().expect("carat runs");
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        "true\n\"\\x01\\x00\\x00\\x00\\x00\\x00\\x00\\x00\\x01\"\n{a: 1180591620717411303424}\n1\n\"a\"\ntrue\n"
    );
}
