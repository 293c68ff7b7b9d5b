//! From a source to a tree. Whatever is not known for certain ends the reading.

use super::Options;
use super::set::Set;

/// A pattern or a part of one.
#[derive(Debug, PartialEq)]
pub(super) enum Node {
    Bytes(Vec<u8>),
    Set(Set),
    Assert(Assertion),
    /// With its number if it is remembered.
    Group(Option<u16>, Box<Node>),
    Sequence(Vec<Node>),
    Alternatives(Vec<Node>),
    Repeat {
        body: Box<Node>,
        times: Times,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Assertion {
    BeginningOfString,
    BeginningOfLine,
    EndOfString,
    /// Before a newline at the end, or at the end.
    NearEndOfString,
    EndOfLine,
    WordBoundary,
    NoWordBoundary,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) min: u32,
    /// `u32::MAX` for any number.
    pub(super) max: u32,
    pub(super) kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Greedy,
    Lazy,
    Possessive,
}

pub(super) struct Tree {
    pub(super) root: Node,
    pub(super) group_count: usize,
    pub(super) needs_ascii: bool,
}

/// Groups within groups.
const DEPTH: usize = 20;
/// A pattern that is longer is not an everyday one.
const LONGEST: usize = 1000;
/// The engine refuses more.
const MOST_TIMES: u32 = 1000;

pub(super) fn read(source: &[u8], options: Options) -> Option<Tree> {
    if source.len() > LONGEST {
        return None;
    }
    let mut reader = Reader { rest: source, options, groups: 0, needs_ascii: false, depth: 0 };
    let root = reader.alternatives()?;
    reader.rest.is_empty().then_some(Tree {
        root,
        group_count: usize::from(reader.groups) + 1,
        needs_ascii: reader.needs_ascii,
    })
}

struct Reader<'a> {
    rest: &'a [u8],
    options: Options,
    groups: u16,
    needs_ascii: bool,
    depth: usize,
}

/// One character of a bracket expression or what a backslash stands for.
enum Member {
    Byte(u8),
    Set(Set),
    /// A character beyond ASCII.
    Foreign,
}

impl Reader<'_> {
    fn peek(&self) -> Option<u8> {
        self.rest.first().copied()
    }

    fn next(&mut self) -> Option<u8> {
        let (first, rest) = self.rest.split_first()?;
        self.rest = rest;
        Some(*first)
    }

    fn eat(&mut self, text: &[u8]) -> bool {
        let behind = self.rest.strip_prefix(text);
        self.rest = behind.unwrap_or(self.rest);
        behind.is_some()
    }

    fn alternatives(&mut self) -> Option<Node> {
        let mut all = vec![self.sequence()?];
        while self.eat(b"|") {
            all.push(self.sequence()?);
        }
        Some(if all.len() == 1 { all.pop()? } else { Node::Alternatives(all) })
    }

    fn sequence(&mut self) -> Option<Node> {
        let mut nodes = Vec::new();
        while self.peek().is_some_and(|byte| byte != b'|' && byte != b')') {
            let node = self.atom()?;
            let node = self.repeated(node)?;
            match (nodes.last_mut(), node) {
                (Some(Node::Bytes(text)), Node::Bytes(more)) => text.extend(more),
                (_, node) => nodes.push(node),
            }
        }
        Some(if nodes.len() == 1 { nodes.pop()? } else { Node::Sequence(nodes) })
    }

    fn atom(&mut self) -> Option<Node> {
        Some(match self.next()? {
            b'.' => Node::Set(self.any()),
            b'^' => Node::Assert(Assertion::BeginningOfLine),
            b'$' => Node::Assert(Assertion::EndOfLine),
            b'[' => Node::Set(self.brackets()?),
            b'(' => self.group()?,
            b'\\' => self.escape()?,
            b'*' | b'+' | b'?' | b'{' | b'}' | b']' => return None,
            first @ 0x80.. => self.character(first)?,
            byte => self.literal(byte),
        })
    }

    fn any(&self) -> Set {
        let is_multiline = self.options.is_multiline;
        let left_out = Set::of(|byte| byte == b'\n' && !is_multiline);
        left_out.negated()
    }

    fn literal(&mut self, byte: u8) -> Node {
        if self.options.ignores_case && byte.is_ascii_alphabetic() {
            self.needs_ascii |= folds_beyond_ascii(byte);
            return Node::Set(Set::of(|other| other.eq_ignore_ascii_case(&byte)));
        }
        Node::Bytes(vec![byte])
    }

    /// A character of several bytes. Cases beyond ASCII, which may lead into it, are the engine's.
    fn character(&mut self, first: u8) -> Option<Node> {
        let mut bytes = vec![first];
        while self.peek().is_some_and(|byte| !super::is_head(byte)) {
            bytes.push(self.next()?);
        }
        (!self.options.ignores_case).then_some(Node::Bytes(bytes))
    }

    fn escape(&mut self) -> Option<Node> {
        let letter = self.next()?;
        let assertion = match letter {
            b'A' => Assertion::BeginningOfString,
            b'z' => Assertion::EndOfString,
            b'Z' => Assertion::NearEndOfString,
            b'b' | b'B' => {
                self.needs_ascii = true;
                if letter == b'b' { Assertion::WordBoundary } else { Assertion::NoWordBoundary }
            }
            _ => {
                return Some(match self.member_behind_backslash(letter)? {
                    Member::Byte(byte) => self.literal(byte),
                    Member::Set(set) => Node::Set(set),
                    Member::Foreign => return None,
                });
            }
        };
        Some(Node::Assert(assertion))
    }

    fn member_behind_backslash(&mut self, letter: u8) -> Option<Member> {
        let byte = match letter {
            b'n' => b'\n',
            b't' => b'\t',
            b'r' => b'\r',
            b'f' => 0x0C,
            b'v' => 0x0B,
            b'a' => 0x07,
            b'e' => 0x1B,
            b'p' => return self.property().map(Member::Set),
            _ if letter.is_ascii_punctuation() || letter == b' ' => letter,
            _ => return Some(Member::Set(self.checked(Set::of_shorthand(letter)?)?)),
        };
        Some(Member::Byte(byte))
    }

    /// Regardless of case a set beyond ASCII takes in what folds to a letter of ASCII, and leaves out what does not.
    fn checked(&mut self, set: Set) -> Option<Set> {
        self.needs_ascii |= self.options.ignores_case && has_foreign_cases(&set);
        (!self.options.ignores_case || !set.has_beyond_ascii()).then_some(set)
    }

    /// `\p{Name}`: what it means beyond ASCII is not known here.
    fn property(&mut self) -> Option<Set> {
        if !self.eat(b"{") {
            return None;
        }
        let len = self.rest.iter().position(|byte| *byte == b'}')?;
        let set = self.named(len)?;
        self.next()?;
        Some(set)
    }

    fn named(&mut self, len: usize) -> Option<Set> {
        let (name, rest) = self.rest.split_at(len);
        self.rest = rest;
        self.needs_ascii = true;
        Set::of_name(name).filter(|_| !self.options.ignores_case)
    }

    // ---- brackets ----

    fn brackets(&mut self) -> Option<Set> {
        let is_negated = self.eat(b"^");
        if self.peek() == Some(b']') || (is_negated && self.options.ignores_case) {
            return None;
        }
        let mut set = Set::empty();
        while !self.eat(b"]") {
            let member = self.member()?;
            self.insert(member, &mut set)?;
        }
        let set = if self.options.ignores_case { set.in_both_cases() } else { set };
        self.needs_ascii |= self.options.ignores_case && has_foreign_cases(&set);
        Some(if is_negated { set.negated() } else { set })
    }

    /// Adds a member, or the range that begins with it.
    fn insert(&mut self, member: Member, set: &mut Set) -> Option<()> {
        let is_range = self.peek() == Some(b'-') && self.rest.get(1) != Some(&b']');
        match member {
            Member::Byte(low) if is_range => {
                self.next()?;
                let Member::Byte(high) = self.member()? else { return None };
                if high < low {
                    return None;
                }
                (low..=high).for_each(|byte| set.insert(byte));
                // `a-c-e` means different things to different engines.
                let goes_on = self.peek() == Some(b'-') && self.rest.get(1) != Some(&b']');
                return (!goes_on).then_some(());
            }
            _ if is_range => return None,
            Member::Byte(byte) => set.insert(byte),
            Member::Set(members) => set.add(&members),
            // In a string of ASCII alone it does not occur.
            Member::Foreign => self.needs_ascii = true,
        }
        Some(())
    }

    fn member(&mut self) -> Option<Member> {
        match self.next()? {
            b'[' => self.posix().map(Member::Set),
            b'\\' => {
                let letter = self.next()?;
                self.member_behind_backslash(letter)
            }
            b'&' if self.peek() == Some(b'&') => None,
            first @ 0x80.. => self.character(first).map(|_| Member::Foreign),
            byte => Some(Member::Byte(byte)),
        }
    }

    /// `[:alpha:]`, whose bracket was read.
    fn posix(&mut self) -> Option<Set> {
        if !self.eat(b":") {
            return None;
        }
        let len = self.rest.iter().position(|byte| *byte == b':')?;
        let set = self.named(len)?;
        self.eat(b":]").then_some(set)
    }

    // ---- groups and repetitions ----

    fn group(&mut self) -> Option<Node> {
        let number = self.group_number()?;
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let body = self.alternatives()?;
        self.depth -= 1;
        self.eat(b")").then(|| Node::Group(number, Box::new(body)))
    }

    fn group_number(&mut self) -> Option<Option<u16>> {
        if self.eat(b"?:") {
            return Some(None);
        }
        if self.eat(b"?<") {
            let len = self.rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
            if len == 0 || self.rest[len] != b'>' {
                return None;
            }
            self.rest = &self.rest[len + 1..];
        } else if self.peek() == Some(b'?') {
            return None;
        } else if self.options.has_names {
            return Some(None);
        }
        self.groups += 1;
        Some(Some(self.groups))
    }

    fn repeated(&mut self, body: Node) -> Option<Node> {
        let Some(times) = self.times()? else { return Some(body) };
        if matches!(self.peek(), Some(b'*' | b'+' | b'?' | b'{')) {
            return None;
        }
        let body = match body {
            Node::Bytes(text) if text.len() == 1 => Node::Set(Set::of(|byte| byte == text[0])),
            body => body,
        };
        let can_repeat = match &body {
            Node::Set(_) => true,
            Node::Group(..) => is_simple_group(times) && body.min_len() > 0,
            _ => false,
        };
        can_repeat.then(|| Node::Repeat { body: Box::new(body), times })
    }

    /// How often the last atom is repeated, `None` inside for once.
    fn times(&mut self) -> Option<Option<Times>> {
        let (min, max) = match self.peek() {
            Some(b'*') => (0, u32::MAX),
            Some(b'+') => (1, u32::MAX),
            Some(b'?') => (0, 1),
            Some(b'{') => return self.interval().map(Some),
            _ => return Some(None),
        };
        self.next()?;
        let kind = match self.peek() {
            Some(b'?') => Kind::Lazy,
            Some(b'+') => Kind::Possessive,
            _ => return Some(Some(Times { min, max, kind: Kind::Greedy })),
        };
        self.next()?;
        Some(Some(Times { min, max, kind }))
    }

    /// `{2}`, `{2,}`, `{,3}` and `{2,3}`; what follows may change its meaning.
    fn interval(&mut self) -> Option<Times> {
        self.next()?;
        let min = self.number()?;
        let (min, max) = if self.eat(b",") {
            let max = self.number()?;
            if min.is_none() && max.is_none() {
                return None;
            }
            (min.unwrap_or(0), max.unwrap_or(u32::MAX))
        } else {
            (min?, min?)
        };
        (self.eat(b"}") && min <= max && max > 0).then_some(Times { min, max, kind: Kind::Greedy })
    }

    fn number(&mut self) -> Option<Option<u32>> {
        let len = self.rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
        if len == 0 {
            return Some(None);
        }
        let number = std::str::from_utf8(&self.rest[..len]).ok()?.parse().ok()?;
        self.rest = &self.rest[len..];
        (number <= MOST_TIMES).then_some(Some(number))
    }
}

/// Whether a letter is the same as a character beyond ASCII regardless of case, or begins what is: `ſ`, the sign of Kelvin,
/// `ß` for two of them, ligatures.
fn folds_beyond_ascii(letter: u8) -> bool {
    matches!(letter.to_ascii_lowercase(), b'f' | b'k' | b's')
}

fn has_foreign_cases(set: &Set) -> bool {
    (b'A'..=b'z').any(|byte| set.contains(byte) && folds_beyond_ascii(byte))
}

/// Of groups only the usual repetitions are known.
fn is_simple_group(times: Times) -> bool {
    times.kind == Kind::Greedy && matches!((times.min, times.max), (0, 1) | (0 | 1, u32::MAX))
}

impl Node {
    /// The least number of bytes that it takes.
    pub(super) fn min_len(&self) -> usize {
        match self {
            Node::Bytes(text) => text.len(),
            Node::Set(_) => 1,
            Node::Assert(_) => 0,
            Node::Group(_, body) => body.min_len(),
            Node::Sequence(nodes) => nodes.iter().map(Node::min_len).sum(),
            Node::Alternatives(nodes) => nodes.iter().map(Node::min_len).min().unwrap_or(0),
            Node::Repeat { body, times } => body.min_len() * times.min as usize,
        }
    }
}
