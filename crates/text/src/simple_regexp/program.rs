//! From a tree to instructions, and what is known of them beforehand.

use super::memory::Rows;
use super::read::{Assertion, Kind, Node, Times, Tree};
use super::required::Required;
use super::set::Set;
use super::shared::{Shared, part_of};
use memchr::memmem;
use std::sync::Arc;

/// One instruction; the next one follows unless it says otherwise.
#[derive(Debug)]
pub(super) enum Insn {
    Byte(u8),
    Bytes(Box<[u8]>),
    Set(Arc<Set>),
    Repeat {
        set: Arc<Set>,
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
    /// What a group took, once more.
    Again(u16),
    /// What follows up to the end has to match here, or so many characters before, or must not. Goes on behind the end.
    Look {
        behind: Option<u32>,
        is_negative: bool,
        end: u16,
    },
    /// What follows up to the end is tried on its own; behind it nothing of that is tried again.
    Atomic {
        end: u16,
    },
    EndLook,
    EndAtomic,
    Match,
}

impl Insn {
    fn memsize(&self) -> usize {
        match self {
            Insn::Bytes(bytes) => bytes.len(),
            Insn::Set(set) | Insn::Repeat { set, .. } => part_of(set, set.memsize()),
            _ => 0,
        }
    }
}

/// Where a match may begin.
pub(super) enum Beginning {
    String,
    Search,
    Line,
    Byte(u8),
    TwoBytes([u8; 2]),
    ThreeBytes([u8; 3]),
    Literal(Box<memmem::Finder<'static>>),
    /// With one of [`Program::heads`].
    Heads,
    Anywhere,
}

pub(super) struct Program {
    pub(super) insns: Box<[Insn]>,
    pub(super) beginning: Beginning,
    /// The bytes that a match may begin with, unless it may be empty.
    pub(super) heads: Option<Arc<[bool; 256]>>,
    pub(super) group_count: usize,
    /// The instruction that a match begins with, if it is a repetition without end that gives nothing back.
    pub(super) first_run: Option<u16>,
    /// Text that every match has in it, unless it may only begin at one place.
    pub(super) required: Option<Required>,
    pub(super) uses_search_start: bool,
    /// Characters are bytes.
    pub(super) is_for_bytes: bool,
    /// Which instructions a search remembers, if it can.
    pub(super) rows: Option<Rows>,
}

/// A program that is longer is not an everyday one.
const MOST_INSNS: usize = 4000;

impl Program {
    pub(super) fn new(tree: &Tree, is_for_bytes: bool) -> Option<Program> {
        let Tree { root, group_count } = tree;
        let mut out = Emitter::default();
        out.emit(root);
        let Emitter { mut insns, turns } = out;
        insns.push(Insn::Match);
        if insns.len() > MOST_INSNS || begins_with_anything_somewhere(&insns) {
            return None;
        }
        share_sets(&mut insns);
        turns.into_iter().for_each(|at| join_turns(&mut insns, at));
        settle_repetitions(&mut insns);
        let heads = heads(&insns, is_for_bytes);
        let (beginning, first_run) = (beginning(&insns, heads.as_deref()), first_run(&insns));
        let required = required(root, &beginning);
        let uses_search_start = insns.iter().any(|insn| matches!(insn, Insn::Assert(Assertion::StartOfSearch)));
        let rows = Rows::new(&insns);
        let insns = insns.into();
        let group_count = *group_count;
        Some(Program {
            insns,
            beginning,
            heads,
            group_count,
            first_run,
            required,
            uses_search_start,
            is_for_bytes,
            rows,
        })
    }

    /// Bytes beside the program itself. What several instructions share is divided between them.
    pub(super) fn memsize(&self) -> usize {
        let finder = |finder: &memmem::Finder<'_>| size_of_val(finder) + finder.needle().len();
        let beginning = match &self.beginning {
            Beginning::Literal(literal) => finder(literal),
            _ => 0,
        };
        let heads = self.heads.as_ref().map_or(0, |heads| part_of(heads, size_of_val(&**heads)));
        let required = self.required.as_ref().map_or(0, Required::memsize);
        let rows = self.rows.as_ref().map_or(0, Rows::memsize);
        let insns: usize = self.insns.iter().map(|insn| size_of::<Insn>() + insn.memsize()).sum();
        insns + beginning + heads + required + rows
    }
}

static SETS: Shared<Set> = Shared::new();
static HEADS: Shared<[bool; 256]> = Shared::new();

/// Patterns name the same few sets again and again.
fn share_sets(insns: &mut [Insn]) {
    for insn in insns {
        if let Insn::Set(set) | Insn::Repeat { set, .. } = insn {
            *set = SETS.of(Arc::clone(set));
        }
    }
}

/// Puts instructions together. Programs that become too long are thrown away.
#[derive(Default)]
struct Emitter {
    insns: Vec<Insn>,
    /// Sets of which a greedy loop without end takes one character at a turn.
    turns: Vec<usize>,
}

impl Emitter {
    fn emit(&mut self, node: &Node) {
        if self.insns.len() > MOST_INSNS {
            return;
        }
        match node {
            Node::Bytes(text) => match text.as_slice() {
                [byte] => self.push(Insn::Byte(*byte)),
                _ => self.push(Insn::Bytes(text.as_slice().into())),
            },
            Node::Set(set) => self.push(Insn::Set(Arc::new(Set::clone(set)))),
            Node::Assert(assertion) => self.push(Insn::Assert(*assertion)),
            Node::Group(None, body) => self.emit(body),
            Node::Group(Some(number), body) => {
                self.push(Insn::Open(*number));
                self.emit(body);
                self.push(Insn::Close(*number));
            }
            Node::Atomic(body) => self.emit_atomic(body),
            Node::Look { behind, is_negative, body } => {
                let begin = |end| Insn::Look { behind: *behind, is_negative: *is_negative, end };
                self.emit_part(body, begin, Insn::EndLook);
            }
            Node::Again(group, _) => self.push(Insn::Again(*group)),
            Node::Sequence(nodes) => nodes.iter().for_each(|node| self.emit(node)),
            Node::Alternatives(nodes) => self.emit_alternatives(nodes, false),
            Node::Repeat { body, times } => match &**body {
                Node::Set(set) => self.push(Insn::Repeat { set: Arc::new(Set::clone(set)), times: *times }),
                body => self.emit_loop(body, *times),
            },
        }
    }

    fn push(&mut self, insn: Insn) {
        self.insns.push(insn);
    }

    /// The number of the next instruction. Programs that are too long for it are thrown away.
    fn here(&self) -> u16 {
        self.insns.len() as u16
    }

    /// Each alternative may be a turn of a greedy loop without end.
    fn emit_alternatives(&mut self, nodes: &[Node], are_turns: bool) {
        let mut jumps = Vec::new();
        for (index, node) in nodes.iter().enumerate() {
            if are_turns && matches!(node, Node::Set(_)) {
                self.turns.push(self.insns.len() + usize::from(index + 1 < nodes.len()));
            }
            if index + 1 == nodes.len() {
                self.emit(node);
                break;
            }
            let split = self.insns.len();
            self.push(Insn::Split(0));
            self.emit(node);
            jumps.push(self.insns.len());
            self.push(Insn::Jump(0));
            self.insns[split] = Insn::Split(self.here());
        }
        let end = self.here();
        jumps.into_iter().for_each(|jump| self.insns[jump] = Insn::Jump(end));
    }

    /// A part that is run on its own.
    fn emit_part(&mut self, body: &Node, begin: impl Fn(u16) -> Insn, end: Insn) {
        let start = self.insns.len();
        self.push(Insn::Match);
        self.emit(body);
        self.insns[start] = begin(self.here());
        self.push(end);
    }

    fn emit_atomic(&mut self, body: &Node) {
        match body {
            Node::Bytes(_) | Node::Set(_) => self.emit(body),
            Node::Repeat { body, times } if matches!(**body, Node::Set(_)) && times.kind != Kind::Lazy => {
                let times = Times { kind: Kind::Possessive, ..*times };
                self.emit(&Node::Repeat { body: body.clone(), times });
            }
            body => self.emit_part(body, |end| Insn::Atomic { end }, Insn::EndAtomic),
        }
    }

    /// A group that may be missing, or comes again and again: as often as it has to, and then as often as it may.
    fn emit_loop(&mut self, body: &Node, times: Times) {
        let is_endless = times.max == u32::MAX;
        let is_lazy = times.kind == Kind::Lazy;
        let again = if is_lazy { Insn::Split } else { Insn::SplitBack };
        let skip = if is_lazy { Insn::SplitBack } else { Insn::Split };
        let mut start = self.here();
        for turn in 1..=times.min {
            start = self.here();
            self.emit_turn(body, is_endless && !is_lazy && turn == times.min);
        }
        if is_endless && times.min > 0 {
            self.push(again(start));
            return;
        }
        let mut skips = Vec::new();
        for _ in times.min..if is_endless { 1 } else { times.max } {
            skips.push(self.insns.len());
            self.push(Insn::Match);
            self.emit_turn(body, is_endless && !is_lazy);
        }
        if is_endless {
            self.push(Insn::Jump(start));
        }
        let end = self.here();
        skips.into_iter().for_each(|at| self.insns[at] = skip(end));
    }

    fn emit_turn(&mut self, body: &Node, comes_again: bool) {
        match body {
            Node::Group(None, body) => self.emit_turn(body, comes_again),
            Node::Alternatives(nodes) => self.emit_alternatives(nodes, comes_again),
            body => self.emit(body),
        }
    }
}

/// Makes the set of which a greedy loop takes one character at a turn (`(?:[^"\\]|\\.)*`) one that takes all there are, if nothing else
/// that may come behind such a character begins with another one: as long as there is one, the loop takes it.
fn join_turns(insns: &mut [Insn], at: usize) {
    let Insn::Set(set) = &insns[at] else { return };
    let mut follow = Follow::new(set);
    follow.seen.resize(insns.len(), false);
    follow.seen[at] = true;
    follow.look(insns, at + 1);
    if !follow.meets {
        let times = Times { min: 1, max: u32::MAX, kind: Kind::Possessive };
        insns[at] = Insn::Repeat { set: Arc::clone(set), times };
    }
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
    seen: Vec<bool>,
    meets: bool,
}

impl Follow<'_> {
    fn new(set: &Set) -> Follow<'_> {
        Follow { set, seen: Vec::new(), meets: false }
    }

    fn look(&mut self, insns: &[Insn], at: usize) {
        self.seen.resize(insns.len(), false);
        if self.meets || std::mem::replace(&mut self.seen[at], true) {
            return;
        }
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
            Insn::Assert(_) | Insn::Again(_) => self.meets = true,
            Insn::Look { behind: None, is_negative: true, end } => match &insns[at + 1..usize::from(*end)] {
                [Insn::Set(set)] if set.covers(self.set) => {}
                _ => self.meets = true,
            },
            Insn::Look { behind: None, .. } | Insn::Atomic { .. } => self.look(insns, at + 1),
            Insn::Look { .. } => self.meets = true,
            Insn::EndLook | Insn::EndAtomic => self.look(insns, at + 1),
            // Nothing can fail any more.
            Insn::Match => {}
        }
    }
}

/// An anchor and then `.*`: of such a pattern the engine tries the beginnings of a string or its lines only, whatever the
/// anchor says. That is all that could match if the anchor says so, too.
fn begins_with_anything_somewhere(insns: &[Insn]) -> bool {
    let mut at = 0;
    let (mut is_anchored, mut is_at_beginning, mut is_at_line) = (false, false, false);
    loop {
        match &insns[at] {
            Insn::Open(_) | Insn::Close(_) | Insn::Atomic { .. } | Insn::EndAtomic => {}
            Insn::Assert(Assertion::BeginningOfString) => (is_anchored, is_at_beginning) = (true, true),
            Insn::Assert(Assertion::BeginningOfLine) => (is_anchored, is_at_line) = (true, true),
            Insn::Assert(_) | Insn::Again(_) => is_anchored = true,
            Insn::Look { end, .. } => (is_anchored, at) = (true, usize::from(*end)),
            Insn::Split(_) | Insn::SplitBack(_) => break,
            Insn::Repeat { .. } => return is_anchored && !is_at_beginning && takes_anything(&insns[at], is_at_line),
            _ => return false,
        }
        at += 1;
    }
    is_anchored && !is_at_beginning && insns[at..].iter().any(|insn| takes_anything(insn, is_at_line))
}

/// Whether an instruction takes any number of all characters, or of all but line ends. Those are no matter at the beginning
/// of a line.
fn takes_anything(insn: &Insn, is_at_line: bool) -> bool {
    let Insn::Repeat { set, times: Times { max: u32::MAX, .. } } = insn else { return false };
    let is_anything = (0..=255u8).all(|byte| byte == b'\n' || set.contains(byte));
    is_anything && (!is_at_line || set.contains(b'\n'))
}

/// Text to look for before anything is tried, if that is not where trying begins anyway.
fn required(root: &Node, beginning: &Beginning) -> Option<Required> {
    use Beginning::{Byte, Line, Literal, Search, String};
    if matches!(beginning, String | Search | Line | Byte(_) | Literal(_)) {
        return None;
    }
    Required::of(root)
}

fn first_run(insns: &[Insn]) -> Option<u16> {
    // What a group took is not the same from every place.
    if insns.iter().any(|insn| matches!(insn, Insn::Again(_))) {
        return None;
    }
    let at = insns.iter().position(|insn| !matches!(insn, Insn::Open(_)))?;
    match &insns[at] {
        Insn::Repeat { times: Times { min: 0 | 1, max: u32::MAX, kind: Kind::Possessive }, .. } => Some(at as u16),
        _ => None,
    }
}

/// In text of UTF-8 no character begins with a byte that goes on with one.
fn heads(insns: &[Insn], is_for_bytes: bool) -> Option<Arc<[bool; 256]>> {
    let mut bytes = [false; 256];
    let takes_one = add_first_bytes(insns, 0, &mut vec![false; insns.len()], &mut bytes);
    if !is_for_bytes {
        (0..=255u8).filter(|byte| !super::is_head(*byte)).for_each(|byte| bytes[usize::from(byte)] = false);
    }
    takes_one.then(|| HEADS.of(Arc::new(bytes)))
}

fn beginning(insns: &[Insn], heads: Option<&[bool; 256]>) -> Beginning {
    let first = insns.iter().position(|insn| !matches!(insn, Insn::Open(_) | Insn::Atomic { .. })).unwrap_or(0);
    match &insns[first] {
        Insn::Assert(Assertion::StartOfSearch) => Beginning::Search,
        Insn::Assert(Assertion::BeginningOfString) => Beginning::String,
        Insn::Assert(Assertion::BeginningOfLine) => Beginning::Line,
        Insn::Bytes(text) => Beginning::Literal(Box::new(memmem::Finder::new(&text[..]).into_owned())),
        _ => heads.map_or(Beginning::Anywhere, of_heads),
    }
}

/// Adds the bytes that a match may begin with from an instruction on. Whether every match takes one.
fn add_first_bytes(insns: &[Insn], at: usize, seen: &mut [bool], bytes: &mut [bool; 256]) -> bool {
    if std::mem::replace(&mut seen[at], true) {
        return true;
    }
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
        Insn::Open(_) | Insn::Close(_) | Insn::Assert(_) | Insn::Atomic { .. } | Insn::EndAtomic => {
            return add_first_bytes(insns, at + 1, seen, bytes);
        }
        Insn::Look { behind: None, is_negative: false, end } => {
            let mut ahead = Box::new([false; 256]);
            if add_first_bytes(insns, at + 1, &mut vec![false; insns.len()], &mut ahead) {
                bytes.iter_mut().zip(ahead.iter()).for_each(|(own, more)| *own |= more);
                return true;
            }
            return add_first_bytes(insns, usize::from(*end) + 1, seen, bytes);
        }
        Insn::Look { end, .. } => return add_first_bytes(insns, usize::from(*end) + 1, seen, bytes),
        Insn::Again(_) | Insn::EndLook | Insn::Match => return false,
    }
    true
}

fn add_heads(set: &Set, bytes: &mut [bool; 256]) {
    bytes.iter_mut().zip(set.has).for_each(|(own, more)| *own |= more);
}

fn of_heads(heads: &[bool; 256]) -> Beginning {
    let members: Vec<u8> = (0..=255).filter(|byte| heads[usize::from(*byte)]).collect();
    match *members.as_slice() {
        [a] => Beginning::Byte(a),
        [a, b] => Beginning::TwoBytes([a, b]),
        [a, b, c] => Beginning::ThreeBytes([a, b, c]),
        _ => Beginning::Heads,
    }
}
