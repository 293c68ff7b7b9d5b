//! Carat in a program in Rust: `cargo run --release --package carat-embed --example host`.
#![expect(clippy::print_stdout, reason = "a program that shows something")]

use carat_embed::{Error, Vm};
use std::collections::BTreeMap;

fn main() -> Result<(), Error> {
    let mut vm = Vm::builder().stdout(|bytes| print!("{}", String::from_utf8_lossy(bytes))).build()?;
    vm.define_function("area", |scope, arguments| {
        let (width, height): (f64, f64) = (scope.get(&arguments[0])?, scope.get(&arguments[1])?);
        scope.value(width * height)
    })?;
    vm.eval("def report(sizes) = sizes.each { |name, (w, h)| puts \"#{name}: #{area(w, h)}\" }", "report.rb")?;
    let sizes = vm.value(BTreeMap::from([("desk", vec![1.5, 0.8]), ("shelf", vec![2.0, 0.3])]))?;
    let main = vm.enter(|scope| Ok(scope.main()))?;
    vm.call(&main, "report", &[sizes])?;
    Ok(())
}
