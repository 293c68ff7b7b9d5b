//! Runs scripts that nobody trusts: `cargo run --release --package carat-embed --example sandbox [FILE…]`.
#![expect(clippy::print_stdout, reason = "a program that shows something")]

use carat_embed::{Kind, Vm};
use std::time::Duration;

const HOSTILE: [&str; 6] = [
    "loop { begin; loop {}; rescue Exception; end }",
    "'x' * 2**40",
    "fork { loop {} }",
    "def deeper = deeper\ndeeper",
    "loop { puts 'spam' * 1000 }",
    "File.read('/etc/passwd')",
];

fn run(source: &str, file: &str) -> Result<(), carat_embed::Error> {
    let builder = Vm::builder().max_bytes(32 << 20).deadline(Duration::from_millis(200)).max_threads(4);
    let mut vm = builder.stdout(|_| ()).build()?;
    match vm.eval(source, file) {
        Ok(value) => println!("{file}: {}", vm.enter(|scope| scope.inspect(&value))?),
        Err(error) if error.kind() == Kind::Exception => println!("{file}: {error}"),
        Err(error) => println!("{file}: {:?}, {error}", error.kind()),
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let files: Vec<String> = std::env::args().skip(1).collect();
    if files.is_empty() {
        for (number, source) in HOSTILE.iter().enumerate() {
            run(source, &format!("hostile-{number}.rb"))?;
        }
    }
    for file in files {
        run(&std::fs::read_to_string(&file)?, &file)?;
    }
    Ok(())
}
