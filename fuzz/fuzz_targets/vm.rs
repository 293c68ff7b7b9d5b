//! What the targets that need a VM share: one for the whole run.

use carat_vm::{Config, Ec, MainVm, Str, Value};
use std::cell::RefCell;

/// What the fuzzer's thread certainly has of native stack.
const STACK_BYTES: usize = 4 << 20;

/// How far above the first call's frame the collector looks for values: the fuzzer calls a target from several of its
/// functions, whose frames differ by some dozen bytes. Its own frames above are larger than this.
const MARGIN_BYTES: usize = 1 << 10;

thread_local! {
    static VM: RefCell<Option<MainVm>> = const { RefCell::new(None) };
}

/// Runs `body` in the VM, which is booted the first time.
pub fn with_vm(body: impl FnOnce(&mut Ec)) {
    let marker = 0u8;
    let base = std::ptr::from_ref(&marker).addr() + MARGIN_BYTES;
    VM.with_borrow_mut(|vm| {
        let vm = vm.get_or_insert_with(|| carat_builtins::boot(Config::default(), (base, STACK_BYTES)));
        body(vm.ec());
        // A program does so between calls; nothing is collected otherwise.
        let _ = vm.ec().poll();
    });
}

/// Whether a number is written in the bytes that as a count, width or precision would only take time and memory.
#[allow(dead_code, reason = "not every target needs it")]
pub fn has_large_number(bytes: &[u8]) -> bool {
    const MOST_DIGITS: usize = 4;
    bytes.split(|b| !b.is_ascii_digit()).any(|digits| digits.len() > MOST_DIGITS)
}

/// A constant of Object.
#[allow(dead_code, reason = "not every target needs one")]
pub fn constant(ec: &Ec, name: &str) -> Value {
    ec.vm().known().object.own_constant(ec.vm().intern(name)).expect("a core class").value
}

/// The bytes in an encoding, by its name.
#[allow(dead_code, reason = "as above")]
pub fn text(ec: &mut Ec, bytes: &[u8], encoding: &str) -> Value {
    let text = Str::binary(ec, bytes).value();
    let name = Str::from_text(ec, encoding).value();
    call(ec, text, "force_encoding", &[name]).expect("an encoding that exists")
}

/// The method's result, or nothing where it raised: an exception is as good as an object.
#[allow(dead_code, reason = "as above")]
pub fn call(ec: &mut Ec, receiver: Value, method: &str, args: &[Value]) -> Option<Value> {
    let method = ec.vm().intern(method);
    ec.call(receiver, method, args).ok()
}
