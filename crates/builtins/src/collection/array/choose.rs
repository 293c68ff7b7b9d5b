//! Choices of elements by their indexes: what `combination`, `permutation` and `product` go through.
//!
//! A choice is an array of indexes that core code keeps to itself. Each step makes the next one of it in place; the answer is
//! false after the last.

use carat_vm::{Array, Ec, Value};

fn index_of(value: Value) -> usize {
    value.as_fixnum().and_then(|index| usize::try_from(index).ok()).unwrap_or(0)
}

/// `Primitive.array_pick`: the elements of `pool` at the indexes.
pub(super) fn pick(ec: &mut Ec, pool: Array, picks: Array) -> Array {
    let chosen = Array::new(ec, picks.len(ec));
    picks.slice_of(ec).iter().for_each(|index| chosen.push(ec, pool.at(ec, index_of(*index))));
    chosen
}

/// `Primitive.array_pick_each`: one element of each of the pools.
pub(super) fn pick_each(ec: &mut Ec, pools: Array, picks: Array) -> Array {
    let chosen = Array::new(ec, picks.len(ec));
    for (pool, index) in pools.slice_of(ec).iter().zip(picks.slice_of(ec)) {
        chosen.push(ec, Array::from_value(*pool).map_or(Value::NIL, |pool| pool.at(ec, index_of(*index))));
    }
    chosen
}

/// `Primitive.array_next_combination`: rising indexes below `size`.
pub(super) fn next_combination(ec: &mut Ec, picks: Array, size: i64) -> bool {
    let picks = picks.slice_mut(ec);
    let room = usize::try_from(size).unwrap_or(0).saturating_sub(picks.len());
    let Some(place) = (0..picks.len()).rev().find(|place| index_of(picks[*place]) < room + place) else { return false };
    let first = index_of(picks[place]) + 1;
    picks[place..].iter_mut().zip(first..).for_each(|(pick, index)| *pick = Value::len(index));
    true
}

/// `Primitive.array_next_repeated_combination`: indexes below `size` that do not fall.
pub(super) fn next_repeated_combination(ec: &mut Ec, picks: Array, size: i64) -> bool {
    let picks = picks.slice_mut(ec);
    let last = usize::try_from(size).unwrap_or(0).saturating_sub(1);
    let Some(place) = (0..picks.len()).rev().find(|place| index_of(picks[*place]) < last) else { return false };
    let index = Value::len(index_of(picks[place]) + 1);
    picks[place..].fill(index);
    true
}

/// `Primitive.array_next_permutation`: different indexes below `size`.
pub(super) fn next_permutation(ec: &mut Ec, picks: Array, size: i64) -> bool {
    let (picks, size) = (picks.slice_mut(ec), usize::try_from(size).unwrap_or(0));
    for place in (0..picks.len()).rev() {
        let larger = index_of(picks[place]) + 1..size;
        if let Some(index) = larger.map(Value::len).find(|index| !picks[..place].contains(index)) {
            picks[place] = index;
            fill_with_unused(picks, place + 1);
            return true;
        }
    }
    false
}

/// Puts the least indexes that are not among those before `from` into the other places.
fn fill_with_unused(picks: &mut [Value], from: usize) {
    let mut next = 0;
    for place in from..picks.len() {
        while picks[..from].contains(&Value::len(next)) {
            next += 1;
        }
        picks[place] = Value::len(next);
        next += 1;
    }
}

/// `Primitive.array_next_choice`: an index for each of the pools, none of which is empty.
pub(super) fn next_choice(ec: &mut Ec, picks: Array, pools: Array) -> bool {
    for place in (0..picks.len(ec)).rev() {
        let size = Array::from_value(pools.at(ec, place)).map_or(0, |pool| pool.len(ec));
        let index = index_of(picks.at(ec, place)) + 1;
        if index < size {
            picks.set(ec, place, Value::len(index));
            return true;
        }
        picks.set(ec, place, Value::len(0));
    }
    false
}
