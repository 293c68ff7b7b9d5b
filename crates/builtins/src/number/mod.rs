//! Numbers, mathematics and random numbers.

pub(crate) mod bigdecimal;
pub(crate) mod float;
pub(crate) mod integer;
pub(crate) mod math;
pub(crate) mod random;
pub(crate) mod rational;

/// `floor`, `ceil` and `truncate` of a class whose `rounded` takes the digits and the way.
macro_rules! rounding_methods {
    ($rounded:ident) => {
        pub(super) fn floor(ec: &mut Ec, this: Value, digits: Option<Value>) -> Result {
            $rounded(ec, this, digits, Rounding::Floor)
        }

        pub(super) fn ceil(ec: &mut Ec, this: Value, digits: Option<Value>) -> Result {
            $rounded(ec, this, digits, Rounding::Ceil)
        }

        pub(super) fn truncate(ec: &mut Ec, this: Value, digits: Option<Value>) -> Result {
            $rounded(ec, this, digits, Rounding::Truncate)
        }
    };
}
pub(crate) use rounding_methods;
