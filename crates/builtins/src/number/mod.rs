//! Numbers, mathematics and random numbers.

pub(crate) mod bigdecimal;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod math;
pub(crate) mod random;
pub(crate) mod rational;
