//! Arrays within arrays, made flat.

use carat_vm::{Array, Ec, Int, Result, Value};

/// Levels to open; a negative number opens all, nil too.
fn levels(ec: &mut Ec, level: Option<Value>) -> Result<Option<u64>> {
    match level {
        None | Some(Value::NIL) => Ok(None),
        Some(level) => ec.to_long(level).map(|n: Int| u64::try_from(n).ok()),
    }
}

pub(super) fn flatten(ec: &mut Ec, this: Array, level: Option<Value>) -> Result<Array> {
    let levels = levels(ec, level)?;
    Ok(flat(ec, this, levels)?.0)
}

/// Nil if nothing was nested.
pub(super) fn flatten_in_place(ec: &mut Ec, this: Array, level: Option<Value>) -> Result<Option<Array>> {
    this.check_frozen(ec)?;
    let levels = levels(ec, level)?;
    let (result, was_nested) = flat(ec, this, levels)?;
    if was_nested {
        this.check_frozen(ec)?;
        this.replace(ec, result);
    }
    Ok(was_nested.then_some(this))
}

fn flat(ec: &mut Ec, this: Array, levels: Option<u64>) -> Result<(Array, bool)> {
    let result = Array::new(ec, this.len(ec));
    let path = Array::new(ec, 0);
    let was_nested = append(ec, result, this, levels, path)?;
    Ok((result, was_nested))
}

/// Appends the elements of `array`, opening those that are arrays. `path` holds the arrays being opened when there is no
/// other limit. Whether there was anything to open.
fn append(ec: &mut Ec, result: Array, array: Array, levels: Option<u64>, path: Array) -> Result<bool> {
    if levels == Some(0) {
        result.push_all(ec, array);
        return Ok(false);
    }
    ec.check_native_stack()?;
    if levels.is_none() && path.slice_of(ec).contains(&array.value()) {
        return Err(ec.argument_error("tried to flatten recursive array"));
    }
    path.push(ec, array.value());
    let mut was_nested = false;
    let mut index = 0;
    while let Some(value) = array.get(ec, index) {
        match ec.check_array(value)? {
            Some(inner) => {
                was_nested = true;
                append(ec, result, inner, levels.map(|n| n - 1), path)?;
            }
            None => result.push(ec, value),
        }
        index += 1;
    }
    path.pop(ec);
    Ok(was_nested)
}
