//! `Kernel#format`, `Array#pack` and `String#unpack`.

use carat_vm::{Ec, methods, primitives};

methods! {
    METHODS {}
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(_ec: &mut Ec) {
    let _ = METHODS;
}
