//! The environment, for `ENV` in `core/env.rb`.

use crate::text::encoding::locale;
use carat_os::os_str;
use carat_vm::{Array, Ec, Result, Value};
use std::os::unix::ffi::OsStringExt;

/// A name or value as Ruby sees it: frozen.
fn string(ec: &Ec, bytes: &[u8]) -> Value {
    let s = crate::system::file::external_text(ec, bytes, locale(ec)).value();
    ec.freeze(s);
    s
}

fn checked(ec: &mut Ec, value: Value, what: &str) -> Result<Vec<u8>> {
    let s = ec.to_str(value)?;
    if !s.encoding().is_ascii_compatible() {
        let encoding = s.encoding().name();
        return Err(
            ec.argument_error(&format!("bad environment variable {what}: ASCII incompatible encoding: {encoding}"))
        );
    }
    if s.bytes(ec).contains(&0) {
        return Err(ec.argument_error(&format!("bad environment variable {what}: contains null byte")));
    }
    s.owned_bytes(ec)
}

/// `Primitive.env_get(name)`
pub(super) fn get(ec: &mut Ec, name: Value) -> Result {
    let name = checked(ec, name, "name")?;
    if name.is_empty() || name.contains(&b'=') {
        return Ok(Value::NIL);
    }
    Ok(std::env::var_os(os_str(&name)).map_or(Value::NIL, |v| string(ec, &v.into_vec())))
}

/// `Primitive.env_set(name, value)`; nil removes.
pub(super) fn set(ec: &mut Ec, name: Value, value: Value) -> Result {
    let key = checked(ec, name, "name")?;
    let bytes = if value.is_nil() { None } else { Some(checked(ec, value, "value")?) };
    if key.is_empty() || key.contains(&b'=') {
        if value.is_nil() {
            return Ok(Value::NIL);
        }
        let error = std::io::Error::from_raw_os_error(carat_os::c::EINVAL);
        let detail = [b"setenv(", key.as_slice(), b")"].concat();
        return Err(crate::system::errno::errno(ec, &error, &detail));
    }
    if carat_os::set_env(&key, bytes.as_deref()).is_err() {
        return Err(ec.no_memory());
    }
    if key == b"TZ" {
        crate::system::time::zone_changed(ec);
    }
    Ok(value)
}

/// `Primitive.env_keys`
pub(super) fn keys(ec: &mut Ec) -> Array {
    let array = Array::new(ec, 0);
    for (key, _) in std::env::vars_os() {
        array.push(ec, string(ec, &key.into_vec()));
    }
    array
}
