//! Arrays, hashes, ranges, structs, and what all that hold values share.

pub(crate) mod array;
pub(crate) mod generic;
pub(crate) mod hash;
pub(crate) mod range;
pub(crate) mod structs;
