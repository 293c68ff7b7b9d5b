//! `OpenSSL::KDF`: the derivations that are slow on purpose, and so must not be slower than they need to be.

use carat_vm::{Class, Ec, Result, Str, Value, methods};
use md5::Md5;
use pbkdf2::pbkdf2_hmac;
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::{Sha256, Sha384, Sha512};

methods! {
    METHODS {
        static "pbkdf2" => pbkdf2;
        static "scrypt_key" => scrypt_key;
    }
}

pub(super) fn define(ec: &mut Ec, module: Class) {
    if let Some(module) = super::constant(ec, module, "KDF") {
        module.define_methods(ec, METHODS);
    }
}

type Derivation = fn(&[u8], &[u8], u32, &mut [u8]);

fn derivation(name: &[u8]) -> Option<Derivation> {
    match name {
        b"MD5" => Some(pbkdf2_hmac::<Md5>),
        b"SHA1" => Some(pbkdf2_hmac::<Sha1>),
        b"SHA256" => Some(pbkdf2_hmac::<Sha256>),
        b"SHA384" => Some(pbkdf2_hmac::<Sha384>),
        b"SHA512" => Some(pbkdf2_hmac::<Sha512>),
        b"RIPEMD160" => Some(pbkdf2_hmac::<Ripemd160>),
        _ => None,
    }
}

/// Zeros, as many as the key will have bytes.
fn empty_key(ec: &mut Ec, length: i64) -> Result<Vec<u8>> {
    let Ok(length) = usize::try_from(length) else {
        return Err(ec.argument_error("negative string size (or size too big)"));
    };
    let mut key = Vec::new();
    ec.make_room_in(&mut key, length)?;
    key.resize(length, 0);
    Ok(key)
}

/// `pbkdf2(password, salt, iterations, length, digest)`: other threads run meanwhile.
fn pbkdf2(ec: &mut Ec, _this: Value, password: Str, salt: Str, iterations: i64, length: i64, digest: Str) -> Result {
    let derive = derivation(digest.bytes(ec));
    let (Some(derive), Ok(iterations @ 1..)) = (derive, u32::try_from(iterations)) else { return Ok(Value::NIL) };
    let mut key = empty_key(ec, length)?;
    let (password, salt) = (password.bytes(ec).to_vec(), salt.bytes(ec).to_vec());
    ec.without_turn(|| derive(&password, &salt, iterations, &mut key));
    Ok(Str::binary(ec, &key).value())
}

/// `scrypt_key(password, salt, [n, r, p], length)`; nil if the parameters make no sense.
fn scrypt_key(ec: &mut Ec, _this: Value, password: Str, salt: Str, costs: carat_vm::Array, length: i64) -> Result {
    let mut numbers = [0; 3];
    for (index, number) in numbers.iter_mut().enumerate() {
        let cost = costs.at(ec, index);
        *number = ec.to_long(cost)?;
    }
    let Some((parameters, bytes)) = parameters(numbers) else { return Ok(Value::NIL) };
    let mut key = empty_key(ec, length)?;
    // The derivation takes as much at once, and would not come back if there is no such memory.
    ec.make_room_in(&mut Vec::new(), bytes)?;
    let (password, salt) = (password.bytes(ec).to_vec(), salt.bytes(ec).to_vec());
    let is_done = ec.without_turn(|| scrypt::scrypt(&password, &salt, &parameters, &mut key).is_ok());
    Ok(if is_done { Str::binary(ec, &key).value() } else { Value::NIL })
}

fn parameters([n, r, p]: [i64; 3]) -> Option<(scrypt::Params, usize)> {
    let (n, r, p) = (u64::try_from(n).ok()?, u32::try_from(r).ok()?, u32::try_from(p).ok()?);
    let bytes = 128 * u128::from(r) * (u128::from(n) + u128::from(p) + 2);
    let parameters = scrypt::Params::new(n.trailing_zeros() as u8, r, p).ok()?;
    (n > 1 && n.is_power_of_two()).then_some((parameters, usize::try_from(bytes).ok()?))
}
