//! From a tree to instructions, and what is known of them beforehand.

use super::read::{Assertion, Kind, Node, Times};
use super::set::Set;
use memchr::memmem;

/// One instruction; the next one follows unless it says otherwise.
#[derive(Debug)]
pub(super) enum Insn {
    Byte(u8),
    Bytes(Box<[u8]>),
    Set(Set),
    Repeat {
        set: Set,
        times: Times,
    },
    /// Goes on, and at the other place if that fails.
    Split(u16),
    /// Goes to the other place, and on if that fails.
    SplitBack(u16),
    Jump(u16),
    Open(u16),
    Close(u16),
    Assert(Assertion),
    Match,
}

/// Where a match may begin.
pub(super) enum Beginning {
    String,
    Line,
    Byte(u8),
    TwoBytes([u8; 2]),
    ThreeBytes([u8; 3]),
    Literal(Box<memmem::Finder<'static>>),
    /// With one of the bytes that characters begin with.
    OneOf(Box<[bool; 256]>),
    Anywhere,
}

pub(super) struct Program {
    pub(super) insns: Box<[Insn]>,
    pub(super) beginning: Beginning,
    /// The bytes that a match may begin with, unless it may be empty.
    pub(super) heads: Option<Box<[bool; 256]>>,
    pub(super) group_count: usize,
    /// The instruction that a match begins with, if it is a repetition without end that gives nothing back.
    pub(super) first_run: Option<u16>,
}

/// More instructions than a pattern of the longest source has.
const MOST_INSNS: usize = 8000;

impl Program {
    pub(super) fn new(root: &Node, group_count: usize) -> Option<Program> {
        let mut insns = Vec::new();
        emit(root, &mut insns);
        insns.push(Insn::Match);
        if insns.len() > MOST_INSNS || begins_with_anything_somewhere(&insns) {
            return None;
        }
        settle_repetitions(&mut insns);
        let heads = heads(&insns);
        let (beginning, first_run) = (beginning(&insns, heads.as_deref()), first_run(&insns));
        Some(Program { insns: insns.into(), beginning, heads, group_count, first_run })
    }
}

fn emit(node: &Node, out: &mut Vec<Insn>) {
    match node {
        Node::Bytes(text) => match text.as_slice() {
            [byte] => out.push(Insn::Byte(*byte)),
            _ => out.push(Insn::Bytes(text.as_slice().into())),
        },
        Node::Set(set) => out.push(Insn::Set(set.clone())),
        Node::Assert(assertion) => out.push(Insn::Assert(*assertion)),
        Node::Group(None, body) => emit(body, out),
        Node::Group(Some(number), body) => {
            out.push(Insn::Open(*number));
            emit(body, out);
            out.push(Insn::Close(*number));
        }
        Node::Sequence(nodes) => nodes.iter().for_each(|node| emit(node, out)),
        Node::Alternatives(nodes) => emit_alternatives(nodes, out),
        Node::Repeat { body, times } => match &**body {
            Node::Set(set) => out.push(Insn::Repeat { set: set.clone(), times: *times }),
            body => emit_loop(body, *times, out),
        },
    }
}

fn emit_alternatives(nodes: &[Node], out: &mut Vec<Insn>) {
    let mut jumps = Vec::new();
    for (index, node) in nodes.iter().enumerate() {
        if index + 1 == nodes.len() {
            emit(node, out);
            break;
        }
        let split = out.len();
        out.push(Insn::Split(0));
        emit(node, out);
        jumps.push(out.len());
        out.push(Insn::Jump(0));
        out[split] = Insn::Split(here(out));
    }
    let end = here(out);
    jumps.into_iter().for_each(|jump| out[jump] = Insn::Jump(end));
}

/// A group that may be missing, or comes again and again.
fn emit_loop(body: &Node, times: Times, out: &mut Vec<Insn>) {
    let start = here(out);
    if times.min > 0 {
        emit(body, out);
        out.push(Insn::SplitBack(start));
        return;
    }
    out.push(Insn::Split(0));
    emit(body, out);
    if times.max > 1 {
        out.push(Insn::Jump(start));
    }
    out[usize::from(start)] = Insn::Split(here(out));
}

/// The number of the next instruction. Programs that are too long for it are thrown away.
fn here(out: &[Insn]) -> u16 {
    out.len() as u16
}

/// A repetition need not give anything back where what follows cannot begin with what it takes.
fn settle_repetitions(insns: &mut [Insn]) {
    for index in 0..insns.len() {
        let Insn::Repeat { set, times } = &insns[index] else { continue };
        if times.kind != Kind::Greedy {
            continue;
        }
        let mut follow = Follow::new(set);
        follow.look(insns, index + 1);
        if !follow.meets
            && let Insn::Repeat { times, .. } = &mut insns[index]
        {
            times.kind = Kind::Possessive;
        }
    }
}

/// Whether what follows a repetition may go on within what that took.
struct Follow<'a> {
    set: &'a Set,
    seen: Vec<usize>,
    meets: bool,
}

impl Follow<'_> {
    fn new(set: &Set) -> Follow<'_> {
        Follow { set, seen: Vec::new(), meets: false }
    }

    fn look(&mut self, insns: &[Insn], at: usize) {
        if self.meets || self.seen.contains(&at) {
            return;
        }
        self.seen.push(at);
        match &insns[at] {
            Insn::Byte(byte) => self.meets = self.set.contains(*byte),
            Insn::Bytes(text) => self.meets = self.set.contains(text[0]),
            Insn::Set(set) => self.meets = self.set.meets(set),
            Insn::Repeat { set, times } => {
                self.meets = self.set.meets(set);
                if times.min == 0 {
                    self.look(insns, at + 1);
                }
            }
            Insn::Split(other) | Insn::SplitBack(other) => {
                self.look(insns, at + 1);
                self.look(insns, usize::from(*other));
            }
            Insn::Jump(other) => self.look(insns, usize::from(*other)),
            Insn::Open(_) | Insn::Close(_) => self.look(insns, at + 1),
            // Within the run a character of it follows.
            Insn::Assert(Assertion::EndOfString) => {}
            Insn::Assert(Assertion::EndOfLine | Assertion::NearEndOfString) => self.meets = self.set.contains(b'\n'),
            Insn::Assert(_) => self.meets = true,
            // Nothing can fail any more.
            Insn::Match => {}
        }
    }
}

/// An anchor and then `.*`: of such a pattern the engine tries the beginnings of a string or its lines only, whatever the
/// anchor says.
fn begins_with_anything_somewhere(insns: &[Insn]) -> bool {
    let is_empty = |insn: &&Insn| matches!(insn, Insn::Open(_) | Insn::Close(_) | Insn::Assert(_));
    let before = insns.iter().take_while(is_empty).count();
    let is_anchored = insns[..before].iter().any(|insn| matches!(insn, Insn::Assert(_)));
    let is_anything = |set: &Set| (0..=255u8).all(|byte| byte == b'\n' || set.contains(byte));
    is_anchored
        && matches!(&insns[before], Insn::Repeat { set, times: Times { max: u32::MAX, .. } } if is_anything(set))
}

fn first_run(insns: &[Insn]) -> Option<u16> {
    let at = insns.iter().position(|insn| !matches!(insn, Insn::Open(_)))?;
    match &insns[at] {
        Insn::Repeat { times: Times { min: 0 | 1, max: u32::MAX, kind: Kind::Possessive }, .. } => Some(at as u16),
        _ => None,
    }
}

fn heads(insns: &[Insn]) -> Option<Box<[bool; 256]>> {
    let mut bytes = Box::new([false; 256]);
    add_first_bytes(insns, 0, &mut Vec::new(), &mut bytes).then_some(bytes)
}

fn beginning(insns: &[Insn], heads: Option<&[bool; 256]>) -> Beginning {
    let first = insns.iter().position(|insn| !matches!(insn, Insn::Open(_))).unwrap_or(0);
    match &insns[first] {
        Insn::Assert(Assertion::BeginningOfString) => Beginning::String,
        Insn::Assert(Assertion::BeginningOfLine) => Beginning::Line,
        Insn::Bytes(text) => Beginning::Literal(Box::new(memmem::Finder::new(&text[..]).into_owned())),
        _ => heads.map_or(Beginning::Anywhere, of_heads),
    }
}

/// Adds the bytes that a match may begin with from an instruction on. Whether every match takes one.
fn add_first_bytes(insns: &[Insn], at: usize, seen: &mut Vec<usize>, bytes: &mut [bool; 256]) -> bool {
    if seen.contains(&at) {
        return true;
    }
    seen.push(at);
    match &insns[at] {
        Insn::Byte(byte) => bytes[usize::from(*byte)] = true,
        Insn::Bytes(text) => bytes[usize::from(text[0])] = true,
        Insn::Set(set) => add_heads(set, bytes),
        Insn::Repeat { set, times } => {
            add_heads(set, bytes);
            return times.min > 0 || add_first_bytes(insns, at + 1, seen, bytes);
        }
        Insn::Split(other) | Insn::SplitBack(other) => {
            return add_first_bytes(insns, at + 1, seen, bytes)
                && add_first_bytes(insns, usize::from(*other), seen, bytes);
        }
        Insn::Jump(other) => return add_first_bytes(insns, usize::from(*other), seen, bytes),
        Insn::Open(_) | Insn::Close(_) | Insn::Assert(_) => return add_first_bytes(insns, at + 1, seen, bytes),
        Insn::Match => return false,
    }
    true
}

fn add_heads(set: &Set, bytes: &mut [bool; 256]) {
    let heads = (0..=255u8).filter(|byte| set.contains(*byte) && super::is_head(*byte));
    heads.for_each(|byte| bytes[usize::from(byte)] = true);
}

fn of_heads(heads: &[bool; 256]) -> Beginning {
    let members: Vec<u8> = (0..=255).filter(|byte| heads[usize::from(*byte)]).collect();
    match *members.as_slice() {
        [a] => Beginning::Byte(a),
        [a, b] => Beginning::TwoBytes([a, b]),
        [a, b, c] => Beginning::ThreeBytes([a, b, c]),
        _ => Beginning::OneOf(Box::new(*heads)),
    }
}
