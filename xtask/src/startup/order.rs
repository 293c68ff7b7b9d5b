//! The order of functions in which a program touches few pages.
//!
//! # References
//! L. Dhulipala, I. Kabiljo, B. Karrer, G. Ottaviano, S. Pupyrev, A. Shalita: "Compressing Graphs and Indexes with Recursive Graph
//! Bisection" (KDD 2016), as linkers use it for functions: J. Hoag, K. Lee, J. Mestre, S. Pupyrev: "Optimizing Function Layout for
//! Mobile Applications" (LCTES 2023).

use super::names::pattern;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// A function of a start that fewer than one program in so many runs is not theirs.
const SELDOM: usize = 10;
/// A golden program beside one of `bench/apps`: it tests one class, and there are twenty times as many.
const WEIGHT_OF_GOLDEN: f64 = 0.1;
/// Halves of this size are not halved again: the kernel maps 64 KiB together, or a quarter of that.
const SMALLEST: u64 = 8 << 10;
/// Exchanges between two halves before they stay.
const ROUNDS: usize = 20;
/// One pair in so many is not exchanged in a round, or two halves of the same kind would swap for ever.
const LEFT_OUT: usize = 10;

/// The patterns of what runs: first those of a start that programs seldom run, then those of programs, then those of golden
/// programs alone. Within these, those that the same programs run are neighbours.
pub(super) fn in_order(
    start: &BTreeSet<String>,
    programs: &[BTreeSet<String>],
    goldens: &[BTreeSet<String>],
    defined: &[(String, u64)],
) -> Vec<String> {
    let all: BTreeSet<String> = programs.iter().chain(goldens).flatten().cloned().collect();
    let is_seldom =
        |function: &String| programs.iter().filter(|set| set.contains(function)).count() * SELDOM < programs.len();
    let at_start = selective(&start.iter().filter(|function| is_seldom(function)).cloned().collect(), defined);
    let mut bytes: HashMap<String, u64> = HashMap::new();
    for (function, size) in defined {
        *bytes.entry(pattern(function)).or_default() += size;
    }
    let mut later: BTreeMap<String, Function> = BTreeMap::new();
    for pattern in selective(&all, defined).into_iter().filter(|pattern| !at_start.contains(pattern)) {
        let bytes = bytes[&pattern];
        later.insert(pattern, Function { bytes, users: Vec::new() });
    }
    for (user, set) in programs.iter().chain(goldens).enumerate() {
        for pattern in set.iter().map(|function| pattern(function)).collect::<BTreeSet<_>>() {
            if let Some(function) = later.get_mut(&pattern) {
                function.users.push(user);
            }
        }
    }
    let weights: Vec<f64> = programs.iter().map(|_| 1.0).chain(goldens.iter().map(|_| WEIGHT_OF_GOLDEN)).collect();
    let mut later: Vec<(String, Function)> = later.into_iter().collect();
    let programs_of = |function: &Function| function.users.iter().filter(|user| **user < programs.len()).count();
    later.sort_by_key(|(_, function)| Reverse((programs_of(function), function.users.len())));
    let of_programs = later.partition_point(|(_, function)| programs_of(function) > 0);
    let (names, functions): (Vec<String>, Vec<Function>) = later.into_iter().unzip();
    let mut order: Vec<usize> = (0..functions.len()).collect();
    let (first, second) = order.split_at_mut(of_programs);
    for part in [first, second] {
        Bisection { functions: &functions, weights: &weights }.arrange(part);
    }
    at_start.into_iter().chain(order.into_iter().map(|i| names[i].clone())).collect()
}

/// The patterns that match at least as many functions that run as functions that do not: instances of one generic function may
/// share a name.
fn selective(run: &BTreeSet<String>, defined: &[(String, u64)]) -> BTreeSet<String> {
    let mut counts: BTreeMap<String, (usize, usize)> = BTreeMap::new();
    for (function, _) in defined {
        let (hits, total) = counts.entry(pattern(function)).or_default();
        *total += 1;
        *hits += usize::from(run.contains(function));
    }
    counts.into_iter().filter(|(_, (hits, total))| hits * 2 >= *total).map(|(pattern, _)| pattern).collect()
}

struct Function {
    bytes: u64,
    /// The numbers of the programs that run it.
    users: Vec<usize>,
}

/// Functions are halved again and again, so that what a program runs of a part lies in one half of it, as far as possible.
struct Bisection<'a> {
    functions: &'a [Function],
    weights: &'a [f64],
}

impl Bisection<'_> {
    fn arrange(&self, order: &mut [usize]) {
        let bytes = |part: &[usize]| part.iter().map(|i| self.functions[*i].bytes).sum::<u64>();
        let whole = bytes(order);
        if whole <= SMALLEST || order.len() < 2 {
            return;
        }
        let mut first = 0;
        let middle = order.iter().take_while(|i| {
            first += self.functions[**i].bytes;
            first * 2 <= whole
        });
        let middle = middle.count().clamp(1, order.len() - 1);
        let (left, right) = order.split_at_mut(middle);
        let mut round = 0;
        while round < ROUNDS && self.exchange(left, right, round) {
            round += 1;
        }
        self.arrange(left);
        self.arrange(right);
    }

    /// Exchanges the functions of two halves that gain most by it; whether there were any.
    fn exchange(&self, left: &mut [usize], right: &mut [usize], round: usize) -> bool {
        let (in_left, in_right) = (self.uses(left), self.uses(right));
        let gains = |from: &[f64], to: &[f64]| -> Vec<f64> {
            let gain = |(user, weight): (usize, &f64)| {
                let (a, b) = (from[user], to[user]);
                weight * (cost(a) + cost(b) - cost((a - 1.0).max(0.0)) - cost(b + 1.0))
            };
            self.weights.iter().enumerate().map(gain).collect()
        };
        let leaving_left = self.by_gain(left, &gains(&in_left, &in_right));
        let leaving_right = self.by_gain(right, &gains(&in_right, &in_left));
        let gaining = leaving_left.iter().zip(&leaving_right).take_while(|((a, _), (b, _))| a + b > 1e-9);
        let mut moved = false;
        for (pair, ((_, a), (_, b))) in gaining.enumerate() {
            if round == 0 || !(pair + round).is_multiple_of(LEFT_OUT) {
                std::mem::swap(&mut left[*a], &mut right[*b]);
                moved = true;
            }
        }
        moved
    }

    /// How many functions of a part each program runs.
    fn uses(&self, part: &[usize]) -> Vec<f64> {
        let mut uses = vec![0.0; self.weights.len()];
        for user in part.iter().flat_map(|i| &self.functions[*i].users) {
            uses[*user] += 1.0;
        }
        uses
    }

    /// The gain of moving each function of a part, and its place there; the most first.
    fn by_gain(&self, part: &[usize], gains: &[f64]) -> Vec<(f64, usize)> {
        let gain = |i: &usize| self.functions[*i].users.iter().map(|user| gains[*user]).sum::<f64>();
        let mut result: Vec<(f64, usize)> = part.iter().map(gain).zip(0..).collect();
        result.sort_by(|(a, _), (b, _)| b.total_cmp(a));
        result
    }
}

/// The cost to a program of running so many functions of a part: less for many in one part than for few in two.
fn cost(uses: f64) -> f64 {
    -uses * (uses + 1.0).log2()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn set(names: &[&str]) -> BTreeSet<String> {
        names.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn names_that_mostly_do_not_run_are_left_out() {
        let run = ["_ZN1a17h0000000000000001E", "_ZN1b17h0000000000000001E"].map(String::from).into();
        let defined = [1, 2, 3].map(|n| (format!("_ZN1a17h000000000000000{n}E"), 1));
        let defined: Vec<_> = defined.into_iter().chain([("_ZN1b17h0000000000000001E".to_string(), 1)]).collect();
        assert_eq!(selective(&run, &defined), ["_ZN1b17h*".to_string()].into());
    }

    #[test]
    fn a_starts_own_come_first_then_those_of_programs_then_those_of_goldens() {
        let programs = [set(&["a", "b", "x"]), set(&["a", "c", "x", "start"]), set(&["a", "d", "start"])];
        let goldens = [set(&["f", "a"]), set(&["g", "f", "boot"])];
        let names = ["a", "b", "c", "d", "f", "g", "x", "start", "boot", "never"];
        let defined: Vec<_> = names.map(|name| (name.to_string(), 1)).into();
        let order = in_order(&set(&["start", "boot"]), &programs, &goldens, &defined);
        assert_eq!(order, ["boot", "a", "start", "x", "b", "c", "d", "f", "g"]);
    }

    #[test]
    fn what_the_same_programs_run_is_together() {
        let of = |program: &str| (0..40).map(|i| format!("{program}{i:02}")).collect::<BTreeSet<_>>();
        let programs = [of("a"), of("b"), of("c"), of("d")];
        // Between each other, as the names of modules would have them.
        let mut defined: Vec<(String, u64)> = programs.iter().flatten().map(|name| (name.clone(), 1 << 10)).collect();
        defined.sort_by_key(|(name, _)| name.bytes().rev().collect::<Vec<_>>());
        let order = in_order(&BTreeSet::new(), &programs, &[], &defined);
        let changes = order.windows(2).filter(|pair| pair[0].as_bytes()[0] != pair[1].as_bytes()[0]).count();
        assert_eq!((order.len(), changes), (160, 3), "{order:?}");
    }
}
