//! Choices of elements by their indexes: what `combination`, `permutation` and `product` go through.
//!
//! A choice is an array of indexes that core code keeps to itself, with true behind them once there is none left. Each call answers
//! the elements of the choice, or nil, and makes the next choice of it in place.

use carat_vm::{Array, Ec, Result, Value};

fn index_of(value: Value) -> usize {
    value.as_fixnum().and_then(|index| usize::try_from(index).ok()).unwrap_or(0)
}

/// The elements of the pool at the indexes; then the next choice is made.
fn take(ec: &mut Ec, pool: Array, choice: Array, next: impl FnOnce(&mut [Value]) -> bool) -> Option<Array> {
    let (done, picks) = choice.slice_of(ec).split_last()?;
    if done.truthy() {
        return None;
    }
    let chosen = Array::collect(ec, picks.len(), picks.iter().map(|index| pool.at(ec, index_of(*index))));
    if let Some((done, picks)) = choice.slice_mut(ec).split_last_mut() {
        *done = Value::bool(!next(picks));
    }
    Some(chosen)
}

/// `Primitive.array_combination`: rising indexes.
pub(super) fn combination(ec: &mut Ec, pool: Array, choice: Array) -> Option<Array> {
    let size = pool.len(ec);
    take(ec, pool, choice, |picks| next_combination(picks, size))
}

fn next_combination(picks: &mut [Value], size: usize) -> bool {
    let room = size.saturating_sub(picks.len());
    let Some(place) = (0..picks.len()).rev().find(|place| index_of(picks[*place]) < room + place) else { return false };
    let first = index_of(picks[place]) + 1;
    picks[place..].iter_mut().zip(first..).for_each(|(pick, index)| *pick = Value::len(index));
    true
}

/// `Primitive.array_repeated_combination`: indexes that do not fall.
pub(super) fn repeated_combination(ec: &mut Ec, pool: Array, choice: Array) -> Option<Array> {
    let last = pool.len(ec).saturating_sub(1);
    take(ec, pool, choice, |picks| next_repeated_combination(picks, last))
}

fn next_repeated_combination(picks: &mut [Value], last: usize) -> bool {
    let Some(place) = (0..picks.len()).rev().find(|place| index_of(picks[*place]) < last) else { return false };
    let index = Value::len(index_of(picks[place]) + 1);
    picks[place..].fill(index);
    true
}

/// `Primitive.array_permutation`: different indexes.
pub(super) fn permutation(ec: &mut Ec, pool: Array, choice: Array) -> Option<Array> {
    let size = pool.len(ec);
    take(ec, pool, choice, |picks| next_permutation(picks, size))
}

fn next_permutation(picks: &mut [Value], size: usize) -> bool {
    if size <= u64::BITS as usize { next_of_few(picks, size) } else { next_of_many(picks, size) }
}

/// Of indexes that a word has bits for.
fn next_of_few(picks: &mut [Value], size: usize) -> bool {
    let all = u64::MAX.checked_shr(u64::BITS - size as u32).unwrap_or(0);
    let bit = |pick: &Value| 1_u64 << index_of(*pick);
    let mut unused = all & !picks.iter().map(bit).fold(0, |used, bit| used | bit);
    for place in (0..picks.len()).rev() {
        let own = bit(&picks[place]);
        // The bits above its own.
        let larger = unused & !(own | (own - 1));
        unused |= own;
        if larger == 0 {
            continue;
        }
        picks[place] = Value::len(larger.trailing_zeros() as usize);
        unused &= !bit(&picks[place]);
        for pick in &mut picks[place + 1..] {
            *pick = Value::len(unused.trailing_zeros() as usize);
            unused &= unused - 1;
        }
        return true;
    }
    false
}

fn next_of_many(picks: &mut [Value], size: usize) -> bool {
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

/// `Primitive.array_repeated_permutation`: any indexes.
pub(super) fn repeated_permutation(ec: &mut Ec, pool: Array, choice: Array) -> Option<Array> {
    let size = pool.len(ec);
    take(ec, pool, choice, |picks| next_choice(picks, index_of, Value::len, |_| size))
}

/// `Primitive.array_choice`: one element of each of the pools, none of which is empty.
pub(super) fn choice(ec: &mut Ec, pools: Array, choice: Array) -> Option<Array> {
    let (done, picks) = choice.slice_of(ec).split_last()?;
    if done.truthy() {
        return None;
    }
    let pool = |place: usize| Array::from_value(pools.at(ec, place));
    let elements = picks.iter().enumerate().map(|(place, index)| match pool(place) {
        Some(pool) => pool.at(ec, index_of(*index)),
        None => Value::NIL,
    });
    let chosen = Array::collect(ec, picks.len(), elements);
    let mut sizes = [0; FEW_POOLS];
    let sizes: &[usize] = match sizes.get_mut(..picks.len()) {
        Some(few) => {
            few.iter_mut().enumerate().for_each(|(place, size)| *size = pool(place).map_or(0, |pool| pool.len(ec)));
            few
        }
        None => &(0..picks.len()).map(|place| pool(place).map_or(0, |pool| pool.len(ec))).collect::<Vec<_>>(),
    };
    if let Some((done, picks)) = choice.slice_mut(ec).split_last_mut() {
        *done = Value::bool(!next_choice(picks, index_of, Value::len, |place| sizes[place]));
    }
    Some(chosen)
}

/// So many pools have their sizes on the stack.
const FEW_POOLS: usize = 16;

/// `Primitive.array_choices`: all choices of one element of each of the pools, which become arrays in place if they are none.
pub(super) fn choices(ec: &mut Ec, pools: Array) -> Result<Array> {
    for place in 0..pools.len(ec) {
        let pool = ec.to_ary(pools.at(ec, place))?;
        pools.set(ec, place, pool.value());
    }
    let total = choice_count(ec, pools)?;
    let all = super::array_new(ec, total)?;
    let mut picks = vec![0; pools.len(ec)];
    for _ in 0..total {
        ec.check_ints()?;
        let element = |(place, index): (usize, &usize)| Array::expect(pools.at(ec, place)).at(ec, *index);
        let chosen = Array::collect(ec, picks.len(), picks.iter().enumerate().map(element));
        super::array_push(ec, all, chosen.value())?;
        let size = |place| Array::expect(pools.at(ec, place)).len(ec);
        next_choice(&mut picks, |index| index, |index| index, size);
    }
    Ok(all)
}

/// How many choices of one element of each of these arrays there are.
fn choice_count(ec: &mut Ec, pools: Array) -> Result<i64> {
    let sizes = pools.slice_of(ec).iter().map(|pool| Array::expect(*pool).len(ec));
    if sizes.clone().any(|size| size == 0) {
        return Ok(0);
    }
    let total = sizes.map(|size| size as i64).try_fold(1, i64::checked_mul);
    total.ok_or_else(|| ec.range_error("too big to product"))
}

/// Indexes each below the size of its place: the last one that can still grow does, those behind it begin anew.
fn next_choice<I: Copy>(
    picks: &mut [I],
    number: impl Fn(I) -> usize,
    pick: impl Fn(usize) -> I,
    size: impl Fn(usize) -> usize,
) -> bool {
    for place in (0..picks.len()).rev() {
        let index = number(picks[place]) + 1;
        if index < size(place) {
            picks[place] = pick(index);
            return true;
        }
        picks[place] = pick(0);
    }
    false
}
