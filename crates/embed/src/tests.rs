//! Panics of Carat's own native code, in hosts that go on.

use crate::{Error, Value, Vm};
use carat_vm::{Ec, Jit, methods};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

methods! {
    MISTAKES {
        private "fails_if" => fails_if;
        "fails_where" => fails_if;
    }
}

/// A native method with a mistake in it.
fn fails_if(_ec: &mut Ec, this: carat_vm::Value, is_fatal: carat_vm::Value) -> carat_vm::Value {
    if is_fatal.is_true() {
        resume_unwind(Box::new("a mistake"));
    }
    this
}

/// Runs a program with the methods in the mode; none if it panicked.
fn run(mode: Jit, program: &str) -> (Vm, Option<Result<Value, Error>>) {
    let mut vm = Vm::builder().jit_mode(mode).build().expect("a VM");
    vm.enter(|scope| {
        let object = scope.ec.vm().known().object;
        object.define_methods(scope.ec, MISTAKES);
        Ok(())
    })
    .expect("defined");
    let outcome = catch_unwind(AssertUnwindSafe(|| vm.eval(program, "mistake.rb")));
    (vm, outcome.ok())
}

/// Machine code that is called `turns` times calls native code by stubs, which knows that the last call panics.
#[test]
fn a_panic_passes_through_machine_code_to_the_host() {
    let calls = [
        "def f(x) = fails_if(x)",
        "def f(x) = $o.fails_where(x)",
        "def f(x) = fails_if(x) { 1 }",
        "def f(x) = [x].each { |y| $o.fails_where(y) }",
        "def f(x) = [x].sort_by { |y| $o.fails_where(y); 1 }",
        "def f(x) = ($o.fails_where(x); $o.fails_where(x) rescue nil)",
    ];
    for (mode, turns) in [(Jit::Off, 3), (Jit::Always, 3), (Jit::Exits(3), 9), (Jit::Hot, 3000)] {
        for call in calls {
            let program = format!("$o = Object.new; {call}; {turns}.times {{ |i| f(i == {turns} - 1) }}");
            let (mut vm, outcome) = run(mode, &program);
            assert!(outcome.is_none(), "{mode:?}: {call}");
            let refused = vm.eval("1", "later.rb").expect_err("frames are left half done");
            assert_eq!(refused.message(), "a panic went through this VM");
            drop(vm);
            let (mut vm, outcome) = run(mode, "200.times.sum { |i| fails_if(false); i }");
            let sum = outcome.expect("no panic").expect("no error");
            assert_eq!(vm.get::<i64>(&sum).expect("a number"), 19_900);
        }
    }
}
