//! The `carat` executable.
fn main() {}
