//! Division of doubles with the quotient rounded down, as Ruby has it.

use crate::number::integer::operand::float_to_integer;
use carat_vm::{Array, Ec, Result};

/// `%`
pub(crate) fn modulo(ec: &mut Ec, x: f64, y: f64) -> Result {
    match carat_vm::float_modulo((x, y)) {
        Some(rest) => Ok(ec.float(rest)),
        None => Err(ec.zero_division()),
    }
}

/// `divmod`: an Integer and what it leaves.
pub(crate) fn divmod(ec: &mut Ec, x: f64, y: f64) -> Result {
    if y == 0.0 {
        return Err(ec.zero_division());
    }
    let (quotient, rest) = divided(x, y);
    let quotient = float_to_integer(ec, quotient)?;
    Ok(Array::pair(ec, quotient, ec.float(rest)).value())
}

fn divided(x: f64, y: f64) -> (f64, f64) {
    if y.is_nan() {
        return (y, y);
    }
    let rest = if y.is_infinite() && x.is_finite() { x } else { x % y };
    let quotient = if x.is_infinite() && y.is_finite() { x } else { ((x - rest) / y).round() };
    if y * rest < 0.0 { (quotient - 1.0, rest + y) } else { (quotient, rest) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use carat_vm::float_modulo;

    #[test]
    fn rests_have_the_sign_of_the_divisor() {
        assert_eq!(float_modulo((6.0, -4.0)), Some(-2.0));
        assert_eq!(float_modulo((-6.0, 4.0)), Some(2.0));
        assert!(float_modulo((-6.0, 3.0)).is_some_and(f64::is_sign_negative));
        assert_eq!(float_modulo((-1.0, f64::INFINITY)), Some(f64::INFINITY));
        assert_eq!(float_modulo((1.0, 0.0)), None);
        assert_eq!(divided(2.0, 0.1), (19.0, 0.099_999_999_999_999_9));
        assert_eq!(divided(6.0, -3.0), (-2.0, 0.0));
    }
}
