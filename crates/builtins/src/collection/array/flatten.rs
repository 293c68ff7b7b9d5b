//! Arrays within arrays, made flat.

use carat_vm::{Array, Class, Ec, Hash, Int, Result, Value, sym};

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
    if levels == Some(0) {
        result.push_all(ec, this);
        return Ok((result, false));
    }
    let was_nested = append(ec, result, this, levels)?;
    Ok((result, was_nested))
}

/// The arrays that are being opened, from the outermost to the innermost.
struct Path {
    arrays: Array,
    /// Where each goes on.
    positions: Vec<usize>,
    /// The same arrays once there are many, by identity.
    known: Option<Hash>,
}

impl Path {
    /// As many arrays are looked at one by one.
    const SHORT: usize = 16;

    fn contains(&self, ec: &mut Ec, array: Array) -> Result<bool> {
        match self.known {
            Some(known) => Ok(known.get(ec, array.value())?.is_some()),
            None => Ok(self.arrays.slice_of(ec).contains(&array.value())),
        }
    }

    fn push(&mut self, ec: &mut Ec, array: Array) -> Result<()> {
        self.arrays.make_room(ec, 1)?;
        self.arrays.push(ec, array.value());
        self.positions.push(0);
        match self.known {
            Some(known) => known.set(ec, array.value(), Value::TRUE),
            None if self.positions.len() > Path::SHORT => self.index(ec),
            None => Ok(()),
        }
    }

    fn index(&mut self, ec: &mut Ec) -> Result<()> {
        let known = Hash::new(ec);
        known.set_compare_by_identity();
        for index in 0..self.arrays.len(ec) {
            known.set(ec, self.arrays.at(ec, index), Value::TRUE)?;
        }
        self.known = Some(known);
        Ok(())
    }

    fn pop(&mut self, ec: &mut Ec) -> Result<()> {
        self.positions.pop();
        if let (Some(array), Some(known)) = (self.arrays.pop(ec), self.known) {
            known.delete(ec, array)?;
        }
        Ok(())
    }

    /// The next element of the innermost array.
    fn next(&mut self, ec: &Ec) -> Option<Value> {
        let position = self.positions.last_mut()?;
        let array = self.arrays.last(ec).and_then(Array::from_value)?;
        *position += 1;
        array.get(ec, *position - 1)
    }
}

/// A class no object of which is an array or converts to one: that of the last element for which this was to be seen.
struct Plain(Option<Class>);

impl Plain {
    fn has(&mut self, ec: &Ec, value: Value) -> bool {
        let class = ec.class_of(value);
        if self.0 == Some(class) {
            return true;
        }
        // What is no such object may run Ruby code, which may define anything.
        let is_plain = Array::from_value(value).is_none() && ec.never_responds(value, sym::TO_ARY);
        self.0 = is_plain.then_some(class);
        is_plain
    }
}

/// Appends the elements of `array`, opening those that are arrays, as deep as `levels` says. Whether there was any to open.
fn append(ec: &mut Ec, result: Array, array: Array, levels: Option<u64>) -> Result<bool> {
    let mut plain = Plain(None);
    let mut path = Path { arrays: Array::new(ec, 0), positions: Vec::new(), known: None };
    let mut was_nested = false;
    path.push(ec, array)?;
    while !path.positions.is_empty() {
        ec.check_ints()?;
        let Some(value) = path.next(ec) else {
            path.pop(ec)?;
            continue;
        };
        let is_open = levels.is_none_or(|levels| path.positions.len() as u64 <= levels);
        match if is_open && !plain.has(ec, value) { ec.check_array(value)? } else { None } {
            Some(inner) => {
                was_nested = true;
                if levels.is_none() && path.contains(ec, inner)? {
                    return Err(ec.argument_error("tried to flatten recursive array"));
                }
                path.push(ec, inner)?;
            }
            None => {
                result.make_room(ec, 1)?;
                result.push(ec, value);
            }
        }
    }
    Ok(was_nested)
}
