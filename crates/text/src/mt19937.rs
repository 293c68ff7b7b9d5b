//! Ruby's `Random`: the Mersenne Twister MT19937, and the ways Ruby draws from it.
//!
//! Every sequence is CRuby's for the same seed: integers by masking and rejecting, floats of 53 bits, bytes, and the
//! shuffles and samples made of those.
//!
//! # Invariants
//! `index` is the next of the 624 words to hand out; 624 means that the state has to be turned over first.
//!
//! # References
//! Matsumoto and Nishimura, "Mersenne Twister" (1998), whose recurrences these are; CRuby's `random.c` and `array.c` for
//! the draws.

use num_bigint::{BigInt, BigUint, Sign};
use rustc_hash::{FxBuildHasher, FxHashMap};

use crate::number::Int;

const WORDS: usize = 624;
/// How far ahead the recurrence looks.
const MIDDLE: usize = 397;

/// The generator.
#[derive(Clone, PartialEq, Eq)]
pub struct Mt19937 {
    state: [u32; WORDS],
    index: usize,
}

impl Mt19937 {
    /// As `Random.new(seed)`. The sign of the seed is ignored.
    pub fn new(seed: &Int) -> Mt19937 {
        let mut words = match seed {
            Int::Small(n) => BigUint::from(n.unsigned_abs()).to_u32_digits(),
            Int::Big(n) => n.magnitude().to_u32_digits(),
        };
        if words.len() <= 1 {
            return Mt19937::from_word(words.first().copied().unwrap_or(0));
        }
        // A highest word of 1 guards the zeros below it when seeds are made from raw words, and is not part of the key.
        if words.last() == Some(&1) {
            words.pop();
        }
        Mt19937::from_key(&words)
    }

    /// `init_genrand`.
    fn from_word(seed: u32) -> Mt19937 {
        let mut state = [seed; WORDS];
        for i in 1..WORDS {
            state[i] = spread(state[i - 1]).wrapping_mul(1_812_433_253).wrapping_add(i as u32);
        }
        Mt19937 { state, index: WORDS }
    }

    /// `init_by_array`: two rounds over the state, the first mixing in the key.
    fn from_key(key: &[u32]) -> Mt19937 {
        let mut generator = Mt19937::from_word(19_650_218);
        let state = &mut generator.state;
        let mut i = 1;
        for step in 0..key.len().max(WORDS) {
            let j = step % key.len();
            let mixed = state[i] ^ spread(state[i - 1]).wrapping_mul(1_664_525);
            state[i] = mixed.wrapping_add(key[j]).wrapping_add(j as u32);
            i = advance(state, i);
        }
        for _ in 1..WORDS {
            let mixed = state[i] ^ spread(state[i - 1]).wrapping_mul(1_566_083_941);
            state[i] = mixed.wrapping_sub(i as u32);
            i = advance(state, i);
        }
        state[0] = 0x8000_0000;
        generator
    }

    /// A generator in a state that [`Mt19937::state`] and [`Mt19937::left`] described, if there can be such a one.
    pub fn from_state(state: &[u32], left: usize) -> Option<Mt19937> {
        let state = state.try_into().ok()?;
        (1..=WORDS).contains(&left).then(|| Mt19937 { state, index: WORDS + 1 - left })
    }

    /// The 624 words, for `marshal_dump`.
    pub fn state(&self) -> &[u32] {
        &self.state
    }

    /// CRuby's count of words left, which is one more than there are.
    pub fn left(&self) -> usize {
        WORDS + 1 - self.index
    }

    /// 32 random bits.
    pub fn next_u32(&mut self) -> u32 {
        if self.index == WORDS {
            self.turn_over();
        }
        let mut y = self.state[self.index];
        self.index += 1;
        y ^= y >> 11;
        y ^= y << 7 & 0x9d2c_5680;
        y ^= y << 15 & 0xefc6_0000;
        y ^ y >> 18
    }

    #[cold]
    fn turn_over(&mut self) {
        for i in 0..WORDS {
            let y = self.state[i] & 0x8000_0000 | self.state[(i + 1) % WORDS] & 0x7fff_ffff;
            let twist = if y & 1 == 1 { 0x9908_b0df } else { 0 };
            self.state[i] = self.state[(i + MIDDLE) % WORDS] ^ y >> 1 ^ twist;
        }
        self.index = 0;
    }

    /// A float of 53 bits, at least 0 and less than 1.
    pub fn next_f64(&mut self) -> f64 {
        let high = u64::from(self.next_u32() >> 5);
        let low = u64::from(self.next_u32() >> 6);
        (high << 26 | low) as f64 / (1_u64 << 53) as f64
    }

    /// A float from 0 to 1, both included.
    pub fn next_f64_inclusive(&mut self) -> f64 {
        let high = u128::from(self.next_u32());
        let low = u128::from(self.next_u32());
        // 64 bits spread evenly over 2**53 + 1 values.
        let scaled = ((high << 32 | low) * ((1 << 53) | 1)) >> 64;
        scaled as f64 / (1_u64 << 53) as f64
    }

    /// An integer from 0 to `limit`, included.
    pub fn limited(&mut self, limit: u64) -> u64 {
        if limit <= u64::from(u32::MAX) {
            return u64::from(self.limited_u32(limit as u32));
        }
        let mask = u32::MAX >> ((limit >> 32) as u32).leading_zeros();
        loop {
            let high = u64::from(self.next_u32() & mask) << 32;
            // The high word alone can be too large already, and then no low word is drawn.
            if high > limit {
                continue;
            }
            let value = high | u64::from(self.next_u32());
            if value <= limit {
                return value;
            }
        }
    }

    fn limited_u32(&mut self, limit: u32) -> u32 {
        let Some(mask) = u32::MAX.checked_shr(limit.leading_zeros()) else { return 0 };
        loop {
            let value = self.next_u32() & mask;
            if value <= limit {
                return value;
            }
        }
    }

    /// An integer from 0 to `limit`, included, which is not negative.
    pub fn limited_int(&mut self, limit: &Int) -> Int {
        match limit {
            Int::Small(limit) => Int::from(self.limited(limit.unsigned_abs())),
            Int::Big(limit) => Int::from(BigInt::from_biguint(Sign::Plus, self.limited_big(limit.magnitude()))),
        }
    }

    fn limited_big(&mut self, limit: &BigUint) -> BigUint {
        let limit = limit.to_u32_digits();
        loop {
            if let Some(words) = self.draw_words(&limit) {
                return BigUint::new(words);
            }
        }
    }

    /// Draws from the highest word down; `None` as soon as the result would exceed `limit`.
    fn draw_words(&mut self, limit: &[u32]) -> Option<Vec<u32>> {
        let mut words = vec![0; limit.len()];
        let mut at_limit = true;
        for (index, (word, &most)) in words.iter_mut().zip(limit).enumerate().rev() {
            let is_highest = index + 1 == limit.len();
            let mask = if is_highest { u32::MAX >> most.leading_zeros() } else { u32::MAX };
            *word = self.next_u32() & mask;
            if at_limit && *word > most {
                return None;
            }
            at_limit &= *word == most;
        }
        Some(words)
    }

    /// Fills with random bytes, four of each draw.
    pub fn fill_bytes(&mut self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(4) {
            chunk.copy_from_slice(&self.next_u32().to_le_bytes()[..chunk.len()]);
        }
    }
}

fn spread(word: u32) -> u32 {
    word ^ word >> 30
}

/// The next place in the seeding rounds, where word 0 only ever repeats the last.
fn advance(state: &mut [u32; WORDS], i: usize) -> usize {
    if i + 1 < WORDS {
        return i + 1;
    }
    state[0] = state[WORDS - 1];
    1
}

/// `Array#shuffle!`. `below(n)` draws an index below `n`, from the generator or by calling Ruby.
pub fn shuffle<T, E>(items: &mut [T], mut below: impl FnMut(usize) -> Result<usize, E>) -> Result<(), E> {
    for last in (0..items.len()).rev() {
        items.swap(last, below(last + 1)?);
    }
    Ok(())
}

/// Samples of up to this many elements are drawn first and made distinct afterwards.
pub const MAX_SORTED_SAMPLE: usize = 10;

/// The indices that `Array#sample(count)` takes of `len` elements; `below(n)` draws an index below `n`.
pub fn sample<E>(len: usize, count: usize, mut below: impl FnMut(usize) -> Result<usize, E>) -> Result<Vec<usize>, E> {
    let count = count.min(len);
    let draws = (0..count).map(|taken| below(len - taken)).collect::<Result<Vec<_>, E>>()?;
    Ok(sampled(len, draws))
}

/// The indices of `len` elements that draws below `len`, `len - 1` and so on stand for.
pub fn sampled(len: usize, draws: Vec<usize>) -> Vec<usize> {
    /// Of so many elements one at least has to be drawn for a table of all to be worth it.
    const SPARSE: usize = 16;
    match u32::try_from(len) {
        _ if draws.len() <= MAX_SORTED_SAMPLE => distinct(draws),
        Ok(len) if draws.len() > len as usize / SPARSE => exchanged_in_table(len, draws),
        _ => exchanged(draws),
    }
}

/// Takes each draw for the distance to the place with which the next place is exchanged.
fn exchanged_in_table(len: u32, mut draws: Vec<usize>) -> Vec<usize> {
    let mut indices: Vec<u32> = (0..len).collect();
    for (first, draw) in draws.iter_mut().enumerate() {
        indices.swap(first, first + *draw);
        *draw = indices[first] as usize;
    }
    draws
}

/// The same without a table of all places: only what was moved behind the places already done is kept.
fn exchanged(mut draws: Vec<usize>) -> Vec<usize> {
    let mut moved = FxHashMap::with_capacity_and_hasher(draws.len(), FxBuildHasher);
    for (first, draw) in draws.iter_mut().enumerate() {
        let other = first + *draw;
        let here = moved.get(&first).copied().unwrap_or(first);
        *draw = moved.insert(other, here).unwrap_or(other);
    }
    draws
}

/// Takes each draw for the position among the indices not taken yet.
fn distinct(draws: Vec<usize>) -> Vec<usize> {
    let mut sorted: Vec<usize> = Vec::with_capacity(draws.len());
    let mut place = |mut index: usize| {
        let at = sorted.iter().take_while(|taken| {
            let is_behind = index >= **taken;
            index += usize::from(is_behind);
            is_behind
        });
        let at = at.count();
        sorted.insert(at, index);
        index
    };
    draws.into_iter().map(&mut place).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::recorded::{self, Differences};

    fn int(text: &str) -> Int {
        Int::from(text.parse::<BigInt>().expect("an integer"))
    }

    fn digits(n: &Int) -> String {
        String::from_utf8(crate::number::decimal::int_to_string(n, 10)).expect("digits")
    }

    /// A draw that cannot fail.
    fn below(generator: &mut Mt19937) -> impl FnMut(usize) -> Result<usize, std::convert::Infallible> {
        |n| Ok(generator.limited(n as u64 - 1) as usize)
    }

    fn draw(generator: &mut Mt19937, operation: &str, argument: &str) -> String {
        let size = || argument.parse::<usize>().expect("a size");
        match operation {
            "int" => match int(argument) {
                Int::Small(n) => digits(&generator.limited_int(&Int::Small(n - 1))),
                Int::Big(n) => digits(&generator.limited_int(&Int::from(n - 1))),
            },
            "float" => format!("{:016x}", generator.next_f64().to_bits()),
            "inclusive" => format!("{:016x}", generator.next_f64_inclusive().to_bits()),
            "bytes" => {
                let mut bytes = vec![0; size()];
                generator.fill_bytes(&mut bytes);
                bytes.iter().map(|byte| format!("{byte:02x}")).collect()
            }
            "shuffle" => {
                let mut items: Vec<usize> = (0..size()).collect();
                let Ok(()) = shuffle(&mut items, below(generator));
                format!("{items:?}").replace(' ', "")
            }
            "sample" => {
                let (len, count) = argument.split_once('/').expect("two sizes");
                let (len, count) = (len.parse().expect("a size"), count.parse().expect("a size"));
                let Ok(indices) = sample(len, count, below(generator));
                format!("{indices:?}").replace(' ', "")
            }
            "left" => generator.left().to_string(),
            other => panic!("unknown operation {other}"),
        }
    }

    #[test]
    fn draws_equal_the_recorded_ones() {
        let mut differences = Differences::default();
        let mut generators = std::collections::HashMap::new();
        for (line, fields) in recorded::cases(include_str!("../recorded/random.tsv")) {
            let text = |index: usize| std::str::from_utf8(&fields[index]).expect("ASCII");
            let generator = generators.entry(text(0).to_owned()).or_insert_with(|| Mt19937::new(&int(text(0))));
            let drawn = draw(generator, text(1), text(2));
            differences.compare(line, &fields, drawn.as_bytes());
        }
        differences.finish(700);
    }

    #[test]
    fn samples_do_not_depend_on_how_exchanges_are_kept() {
        let mut generator = Mt19937::new(&Int::Small(7));
        for (len, count) in [(11, 11), (40, 11), (300, 299), (5000, 700)] {
            let draws: Vec<usize> =
                (0..count).map(|taken| generator.limited((len - taken) as u64 - 1) as usize).collect();
            assert_eq!(exchanged(draws.clone()), exchanged_in_table(len as u32, draws));
        }
    }

    #[test]
    fn a_state_can_be_taken_up_again() {
        let mut first = Mt19937::new(&Int::Small(42));
        first.next_u32();
        let mut second = Mt19937::from_state(first.state(), first.left()).expect("a state");
        assert!(first == second);
        assert_eq!(first.next_u32(), second.next_u32());
        assert!(Mt19937::from_state(&[0; 3], 1).is_none());
        assert!(Mt19937::from_state(&[0; WORDS], 0).is_none());
    }
}
