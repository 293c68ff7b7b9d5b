//! From a source to a tree. Whatever is not known for certain ends the reading.

use super::Options;
use super::set::{Foreign, Set};

mod brackets;
mod escapes;

/// A pattern or a part of one.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Node {
    Bytes(Vec<u8>),
    Set(Box<Set>),
    Assert(Assertion),
    /// With its number if it is remembered.
    Group(Option<u16>, Box<Node>),
    /// What was matched is given up as a whole only.
    Atomic(Box<Node>),
    /// What a group took, once more: so many bytes at least.
    Again(u16, usize),
    Look {
        /// How many characters before, or ahead.
        behind: Option<u32>,
        is_negative: bool,
        body: Box<Node>,
    },
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
    /// `\G`
    StartOfSearch,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Times {
    pub(super) min: u32,
    /// `u32::MAX` for any number.
    pub(super) max: u32,
    pub(super) kind: Kind,
}

impl Times {
    /// So many and no others: there is nothing to give back or to take later.
    pub(super) fn is_fixed(&self) -> bool {
        self.min == self.max
    }
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
}

/// Groups within groups.
const DEPTH: usize = 20;
/// A pattern that is longer is not an everyday one.
const LONGEST: usize = 4000;
/// The engine refuses more.
const MOST_TIMES: u32 = 1000;

pub(super) fn read(source: &[u8], options: Options) -> Option<Tree> {
    if source.len() > LONGEST {
        return None;
    }
    let mut reader =
        PatternReader { rest: source, options, groups: 0, names: Vec::new(), closed: Vec::new(), depth: 0 };
    let mut root = reader.alternatives()?;
    if options.is_for_bytes {
        root.visit_sets(&mut |set| *set = std::mem::replace(set, Set::empty()).of_bytes());
    }
    reader.rest.is_empty().then_some(Tree { root, group_count: usize::from(reader.groups) + 1 })
}

struct PatternReader<'a> {
    rest: &'a [u8],
    /// Those that hold here.
    options: Options,
    groups: u16,
    names: Vec<(&'a [u8], u16)>,
    /// The groups that end before here, and how many bytes they take at least.
    closed: Vec<(u16, usize)>,
    depth: usize,
}

/// What a parenthesis opens.
enum Opened {
    Group(Option<u16>),
    Atomic,
    Look {
        is_behind: bool,
        is_negative: bool,
    },
    /// Options that hold up to the end of the group around.
    Options(Options),
    GroupWith(Options),
    Comment,
}

impl<'a> PatternReader<'a> {
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
        self.skip_blanks();
        while self.peek().is_some_and(|byte| byte != b'|' && byte != b')') {
            if let Some(node) = self.atom()? {
                let node = self.repeated(node)?;
                match (nodes.last_mut(), node) {
                    (Some(Node::Bytes(text)), Node::Bytes(more)) => text.extend(more),
                    (_, node) => nodes.push(node),
                }
            }
            self.skip_blanks();
        }
        Some(if nodes.len() == 1 { nodes.pop()? } else { Node::Sequence(nodes) })
    }

    /// What an extended pattern has between its parts.
    fn skip_blanks(&mut self) {
        while self.options.is_extended
            && let Some(byte @ (b' ' | b'\t'..=b'\r' | b'#')) = self.peek()
        {
            let is_comment = byte == b'#';
            let len = if is_comment { self.rest.iter().position(|b| *b == b'\n') } else { Some(1) };
            self.rest = &self.rest[len.unwrap_or(self.rest.len())..];
        }
    }

    /// Nothing inside for what is none: a comment.
    fn atom(&mut self) -> Option<Option<Node>> {
        Some(Some(match self.next()? {
            b'.' => Node::Set(Box::new(self.any())),
            b'^' => Node::Assert(Assertion::BeginningOfLine),
            b'$' => Node::Assert(Assertion::EndOfLine),
            b'[' => Node::Set(Box::new(self.brackets()?)),
            b'(' => return self.group(),
            b'\\' => self.escape()?,
            b'{' if is_interval(self.rest) => return None,
            b'*' | b'+' | b'?' | b']' => return None,
            first @ 0x80.. => self.character(first)?,
            byte => self.literal(byte),
        }))
    }

    fn any(&self) -> Set {
        let is_multiline = self.options.is_multiline;
        let left_out = Set::of(|byte| byte == b'\n' && !is_multiline);
        left_out.negated()
    }

    fn literal(&self, byte: u8) -> Node {
        if self.options.ignores_case && byte.is_ascii_alphabetic() {
            return Node::Set(Box::new(self.in_all_cases(Set::of(|other| other == byte))));
        }
        Node::Bytes(vec![byte])
    }

    /// A character of several bytes. Cases beyond ASCII, which may lead into it, are the engine's.
    fn character(&mut self, first: u8) -> Option<Node> {
        let bytes = self.foreign_bytes(first)?;
        self.foreign_text(std::str::from_utf8(&bytes).ok()?.chars().next()?)
    }

    fn foreign_text(&self, letter: char) -> Option<Node> {
        Some(Node::Bytes(match self.options.is_for_bytes {
            true => vec![u8::try_from(letter).ok()?],
            false => letter.to_string().into_bytes(),
        }))
    }

    fn of_one_character(&self, text: &[u8]) -> Option<Set> {
        let code = match text {
            [byte] => u32::from(*byte),
            _ => std::str::from_utf8(text).ok()?.chars().next().map(u32::from)?,
        };
        Some(Set::empty().with_range(code, code))
    }

    /// Letters in both cases. Beyond ASCII the engine has to tell where something may be the same as they are.
    fn in_all_cases(&self, set: Set) -> Set {
        let set = set.in_both_cases();
        let is_foreign_too = FOLD_BEYOND_ASCII.iter().any(|letter| set.contains(*letter));
        if is_foreign_too && !self.options.is_for_bytes { set.with_foreign(Foreign::unknown()) } else { set }
    }

    fn foreign_bytes(&mut self, first: u8) -> Option<Vec<u8>> {
        let mut bytes = vec![first];
        while self.peek().is_some_and(|byte| !super::is_head(byte)) {
            bytes.push(self.next()?);
        }
        (!self.options.ignores_case).then_some(bytes)
    }

    // ---- groups and repetitions ----

    fn group(&mut self) -> Option<Option<Node>> {
        let opened = self.opened()?;
        if let Opened::Comment = opened {
            return Some(None);
        }
        self.depth += 1;
        if self.depth > DEPTH {
            return None;
        }
        let (outer, groups) = (self.options, self.groups);
        if let Opened::Options(options) | Opened::GroupWith(options) = &opened {
            self.options = *options;
        }
        let body = Box::new(self.alternatives()?);
        self.options = outer;
        self.depth -= 1;
        if !matches!(opened, Opened::Options(_)) && !self.eat(b")") {
            return None;
        }
        Some(Some(match opened {
            Opened::Group(number) => {
                self.closed.extend(number.map(|number| (number, body.min_len())));
                Node::Group(number, body)
            }
            Opened::Atomic => Node::Atomic(body),
            Opened::Look { is_behind: true, is_negative } => {
                // The engine tries alternatives in an order of its own.
                let has_order = self.groups > groups && (is_negative || matches!(*body, Node::Alternatives(_)));
                if has_order {
                    return None;
                }
                look_behind(*body, is_negative, self.options.is_for_bytes)?
            }
            Opened::Look { is_negative, .. } => Node::Look { behind: None, is_negative, body },
            Opened::Options(_) | Opened::GroupWith(_) | Opened::Comment => Node::Group(None, body),
        }))
    }

    fn opened(&mut self) -> Option<Opened> {
        if !self.eat(b"?") {
            return Some(Opened::Group(self.group_number(self.options.has_names)));
        }
        Some(match self.next()? {
            b':' => Opened::Group(None),
            b'>' => Opened::Atomic,
            b'=' => Opened::Look { is_behind: false, is_negative: false },
            b'!' => Opened::Look { is_behind: false, is_negative: true },
            b'<' if self.eat(b"=") => Opened::Look { is_behind: true, is_negative: false },
            b'<' if self.eat(b"!") => Opened::Look { is_behind: true, is_negative: true },
            b'<' => {
                let name = self.name(b'>')?;
                let number = self.group_number(false);
                self.names.push((name, number?));
                Opened::Group(number)
            }
            b'#' => self.comment()?,
            first => self.inline_options(first)?,
        })
    }

    fn group_number(&mut self, is_left_out: bool) -> Option<u16> {
        if is_left_out {
            return None;
        }
        self.groups += 1;
        Some(self.groups)
    }

    /// Up to what ends it.
    fn name(&mut self, end: u8) -> Option<&'a [u8]> {
        let len = self.rest.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
        let (name, rest) = self.rest.split_at(len);
        if name.first().is_none_or(u8::is_ascii_digit) || rest[0] != end {
            return None;
        }
        self.rest = &rest[1..];
        Some(name)
    }

    fn comment(&mut self) -> Option<Opened> {
        let len = self.rest.iter().position(|byte| matches!(byte, b')' | b'\\'))?;
        self.rest = &self.rest[len..];
        self.eat(b")").then_some(Opened::Comment)
    }

    /// `(?mi-x)` and `(?mi-x:`.
    fn inline_options(&mut self, first: u8) -> Option<Opened> {
        let (mut options, mut letter, mut value) = (self.options, first, true);
        loop {
            match letter {
                b'-' if value => value = false,
                b'm' => options.is_multiline = value,
                b'i' => options.ignores_case = value,
                b'x' => options.is_extended = value,
                b':' => return Some(Opened::GroupWith(options)),
                b')' => return Some(Opened::Options(options)),
                _ => return None,
            }
            letter = self.next()?;
        }
    }

    fn repeated(&mut self, body: Node) -> Option<Node> {
        self.skip_blanks();
        let Some(times) = self.times()? else { return Some(body) };
        self.skip_blanks();
        if matches!(self.peek(), Some(b'*' | b'+' | b'?')) || self.rest.strip_prefix(b"{").is_some_and(is_interval) {
            return None;
        }
        if times.kind == Kind::Greedy && times.max > 1 && is_run(&body) {
            return Some(self.merged(body));
        }
        let body = match body {
            Node::Bytes(text) => Node::Set(Box::new(self.of_one_character(&text)?)),
            body => body,
        };
        let can_repeat = match &body {
            Node::Set(_) => true,
            // What may be empty the engine repeats by rules of its own.
            Node::Group(..) | Node::Atomic(_) => times.max == 1 || (body.min_len() > 0 && !body.has_empty_group()),
            _ => false,
        };
        let is_whole = times.kind == Kind::Possessive && !matches!(body, Node::Set(_));
        can_repeat.then(|| match is_whole {
            true => {
                let times = Times { kind: Kind::Greedy, ..times };
                Node::Atomic(Box::new(Node::Repeat { body: Box::new(body), times }))
            }
            false => Node::Repeat { body: Box::new(body), times },
        })
    }

    /// `(a*)*`, and any such repetition that may come to two times: the first time takes all, the second one nothing, and
    /// so the group is empty in the end. Of all ways to divide a run the first that is tried is the only one that counts,
    /// as long as nothing refers to the group.
    fn merged(&mut self, run: Node) -> Node {
        match run {
            Node::Group(Some(number), run) => {
                self.closed.retain(|(closed, _)| *closed != number);
                Node::Sequence(vec![*run, Node::Group(Some(number), Box::new(Node::Sequence(Vec::new())))])
            }
            Node::Group(None, run) => *run,
            run => run,
        }
    }

    /// How often the last atom is repeated, `None` inside for once.
    fn times(&mut self) -> Option<Option<Times>> {
        let (min, max) = match self.peek() {
            Some(b'*') => (0, u32::MAX),
            Some(b'+') => (1, u32::MAX),
            Some(b'?') => (0, 1),
            Some(b'{') if is_interval(&self.rest[1..]) => return self.interval().map(Some),
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

    /// `{2}`, `{2,}`, `{,3}`, `{2,3}` and the lazy ones; what else follows may change its meaning.
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
        let is_known = self.eat(b"}") && min <= max && max > 0;
        let kind = if min < max && self.eat(b"?") { Kind::Lazy } else { Kind::Greedy };
        is_known.then_some(Times { min, max, kind })
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

/// Whether what is behind a brace may make it an interval. Others mean themselves.
fn is_interval(behind: &[u8]) -> bool {
    behind.first().is_some_and(|byte| byte.is_ascii_digit() || matches!(byte, b',' | b'}'))
}

/// A group of as many characters of a set as there are, or none.
fn is_run(node: &Node) -> bool {
    let Node::Group(_, body) = node else { return false };
    let is_any = |times: &Times| *times == Times { min: 0, max: u32::MAX, kind: Kind::Greedy };
    matches!(&**body, Node::Repeat { body, times } if matches!(**body, Node::Set(_)) && is_any(times))
}

/// The letters that are the same as a character beyond ASCII regardless of case, or begin what is: `ſ`, the sign of Kelvin, `ß` for
/// two of them, ligatures.
const FOLD_BEYOND_ASCII: &[u8] = b"fksFKS";

/// Alternatives are looked for one after the other, each so many characters before.
fn look_behind(body: Node, is_negative: bool, is_for_bytes: bool) -> Option<Node> {
    let one =
        |body: Node| Some(Node::Look { behind: Some(body.char_len(is_for_bytes)?), is_negative, body: Box::new(body) });
    match body {
        Node::Alternatives(bodies) => {
            let all = bodies.into_iter().map(one).collect::<Option<Vec<_>>>()?;
            Some(if is_negative { Node::Sequence(all) } else { Node::Atomic(Box::new(Node::Alternatives(all))) })
        }
        body => one(body),
    }
}

impl Node {
    /// The least number of bytes that it takes.
    pub(super) fn min_len(&self) -> usize {
        match self {
            Node::Bytes(text) => text.len(),
            Node::Set(_) => 1,
            Node::Assert(_) | Node::Look { .. } => 0,
            Node::Again(_, len) => *len,
            Node::Group(_, body) | Node::Atomic(body) => body.min_len(),
            Node::Sequence(nodes) => nodes.iter().map(Node::min_len).sum(),
            Node::Alternatives(nodes) => nodes.iter().map(Node::min_len).min().unwrap_or(0),
            Node::Repeat { body, times } => body.min_len() * times.min as usize,
        }
    }

    /// The number of characters that it takes, if that is always the same.
    fn char_len(&self, is_for_bytes: bool) -> Option<u32> {
        match self {
            Node::Bytes(text) if is_for_bytes => Some(text.len() as u32),
            Node::Bytes(text) => Some(text.iter().filter(|byte| super::is_head(**byte)).count() as u32),
            Node::Set(_) => Some(1),
            Node::Assert(_) | Node::Look { .. } => Some(0),
            Node::Group(_, body) | Node::Atomic(body) => body.char_len(is_for_bytes),
            Node::Again(..) => None,
            Node::Sequence(nodes) => nodes.iter().map(|node| node.char_len(is_for_bytes)).sum(),
            Node::Alternatives(nodes) => {
                let (first, others) = nodes.split_first()?;
                let len = first.char_len(is_for_bytes)?;
                others.iter().all(|node| node.char_len(is_for_bytes) == Some(len)).then_some(len)
            }
            Node::Repeat { body, times } if times.is_fixed() => body.char_len(is_for_bytes)?.checked_mul(times.min),
            Node::Repeat { .. } => None,
        }
    }

    fn visit_sets(&mut self, visit: &mut dyn FnMut(&mut Set)) {
        match self {
            Node::Set(set) => visit(set),
            Node::Bytes(_) | Node::Assert(_) | Node::Again(..) => {}
            Node::Group(_, body) | Node::Atomic(body) | Node::Repeat { body, .. } | Node::Look { body, .. } => {
                body.visit_sets(visit);
            }
            Node::Sequence(nodes) | Node::Alternatives(nodes) => {
                nodes.iter_mut().for_each(|node| node.visit_sets(visit));
            }
        }
    }

    /// Whether a group always takes nothing. What becomes of it in a loop depends on what it took before.
    fn has_empty_group(&self) -> bool {
        match self {
            Node::Group(Some(_), body) if matches!(&**body, Node::Sequence(nodes) if nodes.is_empty()) => true,
            Node::Group(_, body) | Node::Atomic(body) | Node::Repeat { body, .. } | Node::Look { body, .. } => {
                body.has_empty_group()
            }
            Node::Sequence(nodes) | Node::Alternatives(nodes) => nodes.iter().any(Node::has_empty_group),
            _ => false,
        }
    }

    /// Text that every match has in it.
    pub(super) fn required(&self) -> Option<&[u8]> {
        match self {
            Node::Bytes(text) => Some(text),
            Node::Group(_, body) | Node::Atomic(body) => body.required(),
            Node::Look { behind: None, is_negative: false, body } => body.required(),
            Node::Repeat { body, times } if times.min > 0 => body.required(),
            Node::Sequence(nodes) => nodes.iter().filter_map(Node::required).max_by_key(|text| text.len()),
            _ => None,
        }
    }
}
