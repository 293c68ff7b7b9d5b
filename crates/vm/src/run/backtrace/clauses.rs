//! Clauses that deal with an exception, as frames that `caller` passes by.
//!
//! In CRuby the code of a `rescue` clause, and of an `ensure` clause that an exception runs, has a frame of its own. A backtrace
//! shows one line for it and the code around it. Who passes frames by counts both: behind the clause's frame stands that of the code
//! around it, whose line is the one that goes on after the clause. The compiler gives that line to the handler of what the clause raises.
//!
//! # References
//! CRuby: `rb_ec_partial_backtrace_object` (`vm_backtrace.c`).

use super::{Captured, Line, NOT_ENTERED, PUBLIC_SEND};
use carat_iseq::{CatchEntry, Iseq, Op};

/// Takes the lines of the first `count` frames away; `None` if there are less.
pub(super) fn pass(lines: &mut Vec<Line>, count: usize) -> Option<()> {
    let (mut left, mut index) = (count, 0);
    while left > 0 {
        let line = lines.get_mut(index)?;
        let handlers = handlers_around(line);
        if left <= handlers.len() {
            let around = Captured { word: handlers[left - 1], ..line.frame };
            *line = Line { frame: around, place: around };
            break;
        }
        left -= handlers.len() + 1;
        index += 1;
    }
    lines.drain(..index);
    Some(())
}

/// The frames that one line stands for.
pub(super) fn frames_of(line: &Line) -> usize {
    handlers_around(line).len() + 1
}

/// The handlers of what the clauses raise that the place of a line is in, from the inside out.
fn handlers_around(line: &Line) -> Vec<u32> {
    let is_own = line.frame == line.place && !matches!(line.frame.word, NOT_ENTERED | PUBLIC_SEND);
    if !is_own {
        return Vec::new();
    }
    let iseq = &line.frame.code().linked().iseq;
    let is_around = |entry: &&CatchEntry| entry.is_around(line.frame.word + 1) && is_end_of_clause(iseq, entry);
    let mut found: Vec<(u16, u32)> =
        iseq.catches.iter().filter(is_around).map(|entry| (entry.register, entry.target)).collect();
    found.sort_unstable();
    found.dedup();
    found.into_iter().rev().map(|(_, target)| target).collect()
}

/// Whether this is the handler of what a clause raises, which gives back the `$!` that the clause found and goes on.
fn is_end_of_clause(iseq: &Iseq, entry: &CatchEntry) -> bool {
    let at = |word: u32| iseq.insns.get(word as usize).map(|insn| (insn.op, insn.a));
    let raised = entry.register;
    at(entry.target) == raised.checked_sub(1).map(|found| (Op::seterrinfo, found))
        && at(entry.target + 1) == Some((Op::rethrow, raised))
}
