//! What the command line gives to a program, byte for byte, and what the system shows of it.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::{Command, Output};

fn carat(words: &[&[u8]]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
    command.env_remove("RUBYOPT").args(words.iter().map(|word| OsStr::from_bytes(word)));
    command.output().expect("the executable that was built")
}

fn printed(words: &[&[u8]]) -> String {
    let output = carat(words);
    let (out, error) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{error}");
    out.into_owned()
}

#[test]
fn arguments_and_code_keep_bytes_that_are_no_text() {
    let code = b"p ARGV.map(&:bytes), ARGV[0].encoding, ARGV[0].valid_encoding?";
    assert_eq!(printed(&[b"-e", code, b"a\xff\xfeb"]), "[[97, 255, 254, 98]]\n#<Encoding:UTF-8>\nfalse\n");
    assert_eq!(printed(&[b"-e", b"# encoding: big5\np '\xa7A\xa6n'.bytes"]), "[167, 65, 166, 110]\n");
    assert_eq!(printed(&[b"-s", b"-e", b"p $x.bytes", b"--", b"-x=\xff"]), "[255]\n");
}

#[test]
fn a_script_and_a_folder_may_have_any_name() {
    let folder = std::env::temp_dir().join(OsStr::from_bytes(b"carat-\xff-names"));
    std::fs::create_dir_all(&folder).expect("a folder");
    let script = folder.join(OsStr::from_bytes(b"\xfe.rb"));
    std::fs::write(&script, "puts :ran").expect("a script");
    assert_eq!(printed(&[script.as_os_str().as_bytes()]), "ran\n");
    let folder_name = folder.as_os_str().as_bytes();
    assert_eq!(printed(&[b"-C", folder_name, b"-e", b"p Dir.children('.').size"]), "1\n");
    std::fs::remove_dir_all(&folder).expect("the folder");
}

#[cfg(target_os = "linux")]
#[test]
fn the_system_shows_the_title_that_a_program_takes() {
    let code = b"title = -> { File.binread('/proc/self/cmdline').sub(/\\0+\\z/, '') }
        $0 = 'short'; p title.(), $0
        Process.setproctitle('other'); p title.(), $0
        $0 = 'long' * 10_000; p title.().size > 100, title.().delete('long'), $0.size
        p ENV['PATH'].nil?, ARGV, system('true')";
    let expected = "\"short\"\n\"short\"\n\"other\"\n\"short\"\ntrue\n\"\"\n40000\nfalse\n[\"x\"]\ntrue\n";
    assert_eq!(printed(&[b"-e", code, b"x"]), expected);
    assert!(printed(&[b"-e", b"print File.binread('/proc/self/cmdline')", b"y"]).ends_with("\0y\0"));
}
