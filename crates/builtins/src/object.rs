//! `Object` and `BasicObject`: identity, copying, instance variables, `instance_eval` and kin.

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
