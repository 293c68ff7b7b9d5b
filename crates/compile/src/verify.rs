//! Checks that an iseq keeps its contracts.

use crate::liveness::{self, argument_registers};
use carat_iseq::{Draft, FRAME_HEADER, Insn, Op, Site};

struct Verifier<'a> {
    iseq: &'a Draft,
    starts: Vec<bool>,
}

/// Registers within the frame, branches onto instructions, indexes within their tables.
pub fn verify(iseq: &Draft) -> Result<(), String> {
    let verifier = Verifier { iseq, starts: starts(iseq)? };
    verifier
        .check()
        .and_then(|()| liveness::check(iseq))
        .map_err(|error| format!("{}: {error}", String::from_utf8_lossy(&iseq.name)))
}

/// Which words begin an instruction. The branch of a fused comparison is one that is returned to, and so is the
/// `new_result` behind an `opt_new`.
fn starts(iseq: &Draft) -> Result<Vec<bool>, String> {
    let mut starts = vec![false; iseq.insns.len() + 1];
    let mut word = 0;
    while word < iseq.insns.len() {
        starts[word] = true;
        let op = iseq.insns[word].op;
        let words = op.format().words();
        if words > 1 {
            let behind = |words: usize| iseq.insns.get(word + words).copied();
            let second = behind(1).map(|insn| insn.op);
            let fits = match op.format().operands.chars().last() {
                Some('f') => {
                    let branch = behind(2).filter(|insn| matches!(insn.op, Op::branchif | Op::branchunless));
                    second == Some(Op::ext) && branch.is_some_and(|branch| branch.a == iseq.insns[word].a)
                }
                Some('k') => second == Some(Op::jump_back),
                Some('r') => second == Some(Op::new_result),
                _ => second == Some(Op::ext),
            };
            if !fits {
                return Err(format!("{word}: {op:?} lacks its other words"));
            }
        }
        word += words;
    }
    Ok(starts)
}

fn ensure(condition: bool, message: impl FnOnce() -> String) -> Result<(), String> {
    if condition { Ok(()) } else { Err(message()) }
}

impl Verifier<'_> {
    fn check(&self) -> Result<(), String> {
        let last = self.iseq.insns.last().map(|insn| insn.op);
        let ends = [
            Op::leave,
            Op::jump,
            Op::jump_back,
            Op::rethrow,
            Op::return_from_block,
            Op::break_from_block,
            Op::throw_jump,
        ];
        ensure(last.is_some_and(|op| ends.contains(&op)), || format!("ends in {last:?}"))?;
        for (word, &insn) in self.iseq.insns.iter().enumerate() {
            self.operands(word, insn).map_err(|error| format!("{word:04} {:?}: {error}", insn.op))?;
        }
        self.catches()?;
        self.tables()
    }

    fn operands(&self, word: usize, insn: Insn) -> Result<(), String> {
        if insn.op == Op::ext {
            return self.ext(word, insn);
        }
        for kind in insn.op.format().operands.chars() {
            self.operand(word, insn, kind)?;
        }
        if matches!(insn.op, Op::opt_new | Op::new_result) {
            self.register(insn.b)?;
        }
        if insn.op == Op::invokeblock_one {
            self.register(u16::from(insn.n))?;
        }
        if insn.op.format().operands.starts_with("aBs") || insn.op.format().operands.starts_with("naBs") {
            self.call_window(insn)?;
        }
        Ok(())
    }

    fn register(&self, register: u16) -> Result<(), String> {
        ensure(register < self.iseq.frame_size, || format!("r{register} of {}", self.iseq.frame_size))
    }

    fn index(&self, index: u16, length: usize, what: &str) -> Result<(), String> {
        ensure(usize::from(index) < length, || format!("{what} {index} of {length}"))
    }

    fn literal(&self, index: usize) -> Result<(), String> {
        let length = self.iseq.literals.len();
        ensure(index < length, || format!("literal {index} of {length}"))
    }

    fn operand(&self, word: usize, insn: Insn, kind: char) -> Result<(), String> {
        match kind {
            'a' => self.register(insn.a),
            'b' => self.register(insn.b),
            'c' => self.register(insn.c),
            'L' => self.literal(insn.d() as usize),
            'M' => self.index(insn.c, self.iseq.literals.len(), "literal"),
            'S' => self.index(insn.b, self.iseq.symbols.len(), "symbol"),
            'T' => self.index(insn.c, self.iseq.symbols.len(), "symbol"),
            's' => self.index(insn.c, self.iseq.sites.len(), "site"),
            'K' => self.index(insn.c, self.iseq.children.len(), "child"),
            'o' => self.target(word as i64 + 1 + i64::from(insn.d())),
            'k' if insn.op == Op::hash_next => self.register(insn.a + 1),
            _ => Ok(()),
        }
    }

    fn target(&self, word: i64) -> Result<(), String> {
        let is_start = usize::try_from(word).ok().and_then(|word| self.starts.get(word)).copied();
        ensure(is_start == Some(true), || format!("branch to {word}"))
    }

    fn ext(&self, word: usize, insn: Insn) -> Result<(), String> {
        self.index(insn.c, self.iseq.sites.len(), "site")?;
        if word > 0 && self.iseq.insns[word - 1].op == Op::expandarray {
            return Ok(());
        }
        let Site::Call(info) = &self.iseq.sites[usize::from(insn.c)] else {
            return Err("the site of an operator is a call".to_owned());
        };
        self.register(insn.b + info.argc)
    }

    fn call_window(&self, insn: Insn) -> Result<(), String> {
        let count = match &self.iseq.sites[usize::from(insn.c)] {
            Site::Call(info) => argument_registers(info),
            _ => 0,
        };
        ensure(insn.b >= self.iseq.local_size + FRAME_HEADER, || format!("window @{} overlaps locals", insn.b))?;
        self.register(insn.b + count)
    }

    fn catches(&self) -> Result<(), String> {
        let length = self.iseq.insns.len() as u32;
        for catch in &self.iseq.catches {
            ensure(catch.start < catch.end && catch.end <= length, || format!("catch range {catch:?}"))?;
            ensure(catch.register >= self.iseq.local_size, || format!("catch register {catch:?}"))?;
            self.register(catch.register + 1)?;
            self.target(i64::from(catch.target))?;
        }
        Ok(())
    }

    fn tables(&self) -> Result<(), String> {
        let iseq = self.iseq;
        ensure(iseq.lines.is_sorted_by(|a, b| a.0 & !carat_iseq::LINE_EVENT < b.0 & !carat_iseq::LINE_EVENT), || {
            "line table is not sorted".to_owned()
        })?;
        for local in &iseq.locals {
            ensure(local.register < iseq.local_size, || format!("local {local:?}"))?;
        }
        for &entry in &iseq.params.optional_entries {
            self.target(i64::from(entry))?;
        }
        for site in &iseq.sites {
            let child = match site {
                Site::Call(info) => info.block,
                Site::Once(child) => Some(*child),
                _ => None,
            };
            child.map_or(Ok(()), |child| self.index(child, iseq.children.len(), "child"))?;
        }
        ensure(iseq.params.size() < iseq.local_size, || "parameters do not fit".to_owned())
    }
}
