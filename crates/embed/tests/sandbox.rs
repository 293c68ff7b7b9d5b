//! Programs that nobody wrote, in VMs with limits: the host survives them all.
//!
//! `SANDBOX_PROGRAMS` is how many mutated programs are run, 60 by default, `SANDBOX_SEED` what they are chosen by, and `SANDBOX_VMS` how
//! many VMs follow each other, 100 by default.
#![forbid(unsafe_code)]
#![expect(clippy::print_stdout, reason = "what was measured is shown with --nocapture")]

use carat_embed::{Kind, Vm};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

const DEADLINE: Duration = Duration::from_millis(500);
/// A deadline is looked at where a program polls; a step between two polls may take a while, on a busy machine.
const LONGEST: Duration = Duration::from_secs(15);
const MOST_BYTES: usize = 64 << 20;

fn sandbox(written: &Arc<AtomicUsize>) -> Vm {
    let counted = written.clone();
    let write = move |bytes: &[u8]| {
        counted.fetch_add(bytes.len(), Ordering::Relaxed);
    };
    let builder = Vm::builder().max_bytes(MOST_BYTES).deadline(DEADLINE).max_threads(8);
    builder.stdout(write).build().expect("a VM")
}

/// xorshift64: any sequence does that a seed reproduces.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % bound.max(1) as u64) as usize
    }
}

/// Words, numbers, and single characters with what separates them.
fn tokens(source: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    for c in source.chars() {
        match found.last_mut() {
            Some(last) if last.ends_with(is_word) && is_word(c) => last.push(c),
            Some(last) if last.ends_with(' ') && c == ' ' => last.push(c),
            _ => found.push(c.into()),
        }
    }
    found
}

fn mutate(tokens: &[String], random: &mut Random) -> String {
    let mut mutated = tokens.to_vec();
    for _ in 0..1 + random.below(6) {
        if mutated.is_empty() {
            break;
        }
        let (at, other) = (random.below(mutated.len()), random.below(mutated.len()));
        match random.below(5) {
            0 => drop(mutated.remove(at)),
            1 => mutated.insert(at, mutated[other].clone()),
            2 => mutated.swap(at, other),
            3 => mutated[at] = mutated[other].clone(),
            _ => {
                let numbers = (0..mutated.len()).filter(|i| mutated[*i].parse::<u64>().is_ok());
                let numbers: Vec<usize> = numbers.collect();
                if let Some(at) = numbers.get(random.below(numbers.len())) {
                    mutated[*at] = ["1_000_000_000", "4611686018427387904", "2**64", "-1", "0"][random.below(5)].into();
                }
            }
        }
    }
    mutated.concat()
}

fn programs_in(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in std::fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        if entry.is_dir() {
            programs_in(&entry, found);
        } else if entry.extension().is_some_and(|extension| extension == "rb") {
            found.push(entry);
        }
    }
}

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

#[test]
fn mutated_programs_end() {
    let (count, seed) = (from_environment("SANDBOX_PROGRAMS", 60), from_environment("SANDBOX_SEED", 20_261_125));
    let mut files = Vec::new();
    programs_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/golden"), &mut files);
    files.sort();
    let (mut random, written) = (Random(seed | 1), Arc::new(AtomicUsize::new(0)));
    let mut vm = sandbox(&written);
    let (mut ends, mut longest) = (std::collections::BTreeMap::<String, usize>::new(), Duration::ZERO);
    for number in 0..count {
        let file = &files[random.below(files.len())];
        let Ok(source) = std::fs::read_to_string(file) else { continue };
        let mutated = mutate(&tokens(&source), &mut random);
        // Every tenth program finds a new VM; the others find what those before them left.
        if number % 10 == 0 {
            vm = sandbox(&written);
        }
        if let Ok(place) = std::env::var("SANDBOX_KEEP") {
            std::fs::write(&place, format!("# {number} {}\n{mutated}", file.display())).expect("a place to keep it");
        }
        let begun = Instant::now();
        let end = match vm.eval(&mutated, "mutated.rb") {
            Ok(_) => "value".to_owned(),
            Err(error) if error.kind() == Kind::Exception => "exception".to_owned(),
            Err(error) => format!("{:?}", error.kind()),
        };
        let took = begun.elapsed();
        assert!(took < LONGEST, "seed {seed}, program {number} of {}: {took:?}", file.display());
        longest = longest.max(took);
        *ends.entry(end).or_default() += 1;
    }
    // Shown by a test that fails, and with --nocapture.
    println!("seed {seed}: {ends:?}, longest {longest:?}, {} bytes written", written.load(Ordering::Relaxed));
}

#[test]
fn endless_output_ends() {
    let written = Arc::new(AtomicUsize::new(0));
    let error = sandbox(&written).eval("loop { puts 'x' * 1000 }", "out.rb").expect_err("it never ends by itself");
    assert_eq!(error.kind(), Kind::Deadline);
    assert!(written.load(Ordering::Relaxed) > 1000);
}

/// Resident bytes of this process.
fn resident() -> usize {
    let text = std::fs::read_to_string("/proc/self/statm").expect("Linux");
    text.split(' ').nth(1).and_then(|pages| pages.parse::<usize>().ok()).expect("a number") * 4096
}

fn threads() -> usize {
    std::fs::read_dir("/proc/self/task").expect("Linux").count()
}

fn descriptors() -> usize {
    std::fs::read_dir("/proc/self/fd").expect("Linux").count()
}

const BUSY: &str = "
    require 'json'
    Thread.new { sleep }
    Thread.new { 10.times { Thread.pass } }.join
    f = Fiber.new { Fiber.yield 1 }
    f.resume
    r = Ractor.new { 1 + 1 }
    r.value
    JSON.generate((1..1000).map { |i| {i.to_s.to_sym => [i] * 10} }).size
    begin; loop { raise 'x' } ; rescue; end
    $kept = Array.new(1000) { |i| 'a' * i }
    /(a)(b)?c/.match('aac')
    2 ** 10_000
";

#[test]
fn vms_leave_nothing_behind() {
    let written = Arc::new(AtomicUsize::new(0));
    let one = |written: &Arc<AtomicUsize>| {
        let mut vm = sandbox(written);
        vm.eval(BUSY, "busy.rb").expect("it runs");
    };
    let rounds = |one_by_one: usize, together: usize| {
        (0..one_by_one).for_each(|_| one(&written));
        for _ in 0..together {
            let all: Vec<_> = (0..8).map(|_| written.clone()).map(|w| std::thread::spawn(move || one(&w))).collect();
            all.into_iter().for_each(|thread| thread.join().expect("no panic"));
        }
        (resident(), threads(), descriptors())
    };
    // What allocators keep for each thread is there after this.
    let (bytes, count, open) = rounds(20, 4);
    let (after, count_after, open_after) = rounds(from_environment("SANDBOX_VMS", 100) as usize, 4);
    println!("resident before {bytes}, after {after}; threads {count} and {count_after}");
    println!("descriptors {open} and {open_after}");
    // Other tests of this file may run beside this one, and so may their threads.
    assert!(after < bytes + (24 << 20), "{bytes} bytes became {after}");
    assert!(count_after <= count + 8, "{count} threads became {count_after}");
    assert!(open_after <= open + 16, "{open} open descriptors became {open_after}");
}

#[test]
fn an_empty_vm_is_small() {
    const COUNT: usize = 20;
    drop(Vm::builder().build().expect("a VM"));
    let (bytes, begun) = (resident(), Instant::now());
    let all: Vec<Vm> = (0..COUNT).map(|_| Vm::builder().build().expect("a VM")).collect();
    let (time, bytes) = (begun.elapsed() / COUNT as u32, resident().saturating_sub(bytes) / COUNT);
    println!("an empty VM takes {time:?} and {bytes} bytes");
    // The figures are in docs/figures.md; the bounds here leave room for a busy machine and for builds without optimisation.
    assert!(bytes < 6 << 20 && time < Duration::from_millis(500), "{time:?}, {bytes} bytes");
    drop(all);
}
