//! `Regexp.linear_time?`: whether Ruby's engine could remember what it tried.
//!
//! `carat_text::simple_regexp` remembers for every pattern that it reads and that refers to no group. Programs ask what Ruby's
//! engine does, and so is the answer: no look-around or group that captures inside an atomic group, no atomic group or group
//! that captures inside a look-around, no atomic group in another, and no counted repetition inside a loop. Short repetitions
//! are not counted but written out. Back references, calls, conditionals and absent operators are the translator's to see.
//!
//! # References
//! CRuby `count_num_cache_opcodes`, Onigmo `compile_quantifier_node`.

/// Code longer than this is not written out as often as it is repeated.
const EXPAND_LIMIT: usize = 50;
/// Code that a branch takes.
const BRANCH: usize = 5;
/// Code that a character takes.
const CHARACTER: usize = 2;
/// Code that a set of characters takes.
const SET: usize = 33;

/// What a part of a pattern has in it.
#[derive(Default, Clone, Copy)]
struct Part {
    /// Length of its code.
    size: usize,
    /// The fewest characters that it matches, and the most.
    shortest: usize,
    longest: usize,
    captures: bool,
    looks_around: bool,
    is_atomic: bool,
    counts: bool,
    is_impossible: bool,
}

impl Part {
    fn of_size(size: usize) -> Part {
        Part { size, ..Part::default() }
    }

    /// Something that matches one character.
    fn character(size: usize) -> Part {
        Part { size, shortest: 1, longest: 1, ..Part::default() }
    }

    fn and(self, other: Part) -> Part {
        Part {
            size: self.size.saturating_add(other.size),
            shortest: self.shortest.saturating_add(other.shortest),
            longest: self.longest.saturating_add(other.longest),
            captures: self.captures || other.captures,
            looks_around: self.looks_around || other.looks_around,
            is_atomic: self.is_atomic || other.is_atomic,
            counts: self.counts || other.counts,
            is_impossible: self.is_impossible || other.is_impossible,
        }
    }

    fn atomic(self) -> Part {
        let is_impossible = self.is_impossible || self.captures || self.looks_around || self.is_atomic;
        Part { is_atomic: true, is_impossible, ..self }
    }

    fn look_around(self) -> Part {
        let is_impossible = self.is_impossible || self.captures || self.is_atomic;
        Part { looks_around: true, is_impossible, shortest: 0, longest: 0, ..self }
    }

    /// `upper` is `None` without a limit.
    fn repeated(self, lower: usize, upper: Option<usize>) -> Part {
        let is_short = match upper {
            Some(0) => return Part::default(),
            Some(upper) => upper == 1 || self.size.saturating_add(BRANCH).saturating_mul(upper) <= EXPAND_LIMIT,
            None => lower <= 1 || self.size.saturating_mul(lower) <= EXPAND_LIMIT,
        };
        // A character so many times is a string.
        if upper == Some(lower) && self.size == CHARACTER && lower <= 100 {
            let times = |len: usize| len.saturating_mul(lower);
            return Part { size: lower + 1, shortest: times(self.shortest), longest: times(self.longest), ..self };
        }
        let is_loop = upper.is_none() || !is_short;
        Part {
            size: if is_short {
                self.size.saturating_add(BRANCH).saturating_mul(upper.unwrap_or(lower + 1))
            } else {
                self.size.saturating_add(2 * BRANCH)
            },
            counts: self.counts || !is_short,
            shortest: self.shortest.saturating_mul(lower),
            longest: upper.map_or(usize::MAX, |upper| self.longest.saturating_mul(upper)),
            is_impossible: self.is_impossible || (is_loop && self.counts),
            ..self
        }
    }
}

struct LinearityReader<'a> {
    text: &'a [u8],
    at: usize,
}

/// Whether what the translator made of a pattern can be matched in linear time.
pub(super) fn is_linear(text: &[u8]) -> bool {
    let mut reader = LinearityReader { text, at: 0 };
    let mut whole = Part::default();
    while reader.at < text.len() {
        whole = whole.and(reader.alternatives());
        // A parenthesis that closes nothing is left: the engine has refused such a pattern.
        reader.at += 1;
    }
    !whole.is_impossible
}

/// The number of characters that a part of such a pattern matches, if it is always the same and nothing is in parentheses.
pub(super) fn only_length(text: &[u8]) -> Option<usize> {
    if text.contains(&b'(') {
        return None;
    }
    let part = LinearityReader { text, at: 0 }.alternatives();
    (part.shortest == part.longest).then_some(part.shortest)
}

impl LinearityReader<'_> {
    fn peek(&self) -> Option<u8> {
        self.text.get(self.at).copied()
    }

    fn starts_with(&self, prefix: &[u8]) -> bool {
        self.text[self.at..].starts_with(prefix)
    }

    /// Up to the parenthesis that closes what is read, or to the end. Groups may be nested as deeply as the translator lets them,
    /// which is deeper than a fiber's stack, so that those that are open stand in a list.
    fn alternatives(&mut self) -> Part {
        let mut open = Vec::new();
        let mut level = Level::default();
        loop {
            let atom = match self.peek() {
                Some(b'(') => {
                    self.at += 1;
                    open.push((std::mem::take(&mut level), self.kind()));
                    continue;
                }
                None | Some(b')') => {
                    let Some((outer, kind)) = open.pop() else { return level.part() };
                    self.at += 1;
                    kind.of(std::mem::replace(&mut level, outer).part())
                }
                Some(byte) => {
                    if byte == b'|' {
                        level.alternative();
                    }
                    self.atom(byte)
                }
            };
            level.all = level.all.and(self.quantified(atom));
        }
    }

    fn atom(&mut self, byte: u8) -> Part {
        self.at += 1;
        match byte {
            b'[' => {
                self.skip_set();
                Part::character(SET)
            }
            b'\\' => self.escape(),
            b'.' => Part::character(1),
            b'^' | b'$' => Part::of_size(1),
            b'|' => Part::of_size(2 * BRANCH),
            _ => {
                while self.peek().is_some_and(|b| b & 0xC0 == 0x80) {
                    self.at += 1;
                }
                Part::character(2)
            }
        }
    }

    fn escape(&mut self) -> Part {
        let letter = self.peek();
        self.at += 1;
        match letter {
            Some(b'R') => Part { is_atomic: true, longest: 2, ..Part::character(SET) },
            Some(b'X') => Part { longest: usize::MAX, ..Part::character(SET) },
            Some(b'p' | b'P' | b'w' | b'W' | b's' | b'S' | b'd' | b'D') => {
                self.skip_braces();
                Part::character(SET)
            }
            Some(b'x') => {
                self.skip_braces();
                self.at = (self.at + 2).min(self.text.len());
                Part::character(2)
            }
            Some(letter) if b"bBAzZGK".contains(&letter) => Part::of_size(2),
            Some(letter) if b"kg123456789".contains(&letter) => Part { longest: usize::MAX, ..Part::of_size(2) },
            _ => Part::character(2),
        }
    }

    fn skip_braces(&mut self) {
        if self.peek() == Some(b'{') {
            let len = self.text[self.at..].iter().position(|b| *b == b'}').map_or(0, |n| n + 1);
            self.at += len;
        }
    }

    /// Behind the opening bracket; sets may hold sets.
    fn skip_set(&mut self) {
        let mut depth = 1;
        while depth > 0
            && let Some(byte) = self.peek()
        {
            match byte {
                b'[' => depth += 1,
                b']' => depth -= 1,
                b'\\' => self.at += 1,
                _ => {}
            }
            self.at += 1;
        }
    }

    /// Behind the opening parenthesis.
    fn kind(&mut self) -> Kind {
        let kinds: [(&[u8], Kind); 7] = [
            (b"?:", Kind::Plain),
            (b"?>", Kind::Atomic),
            (b"?=", Kind::LookAround),
            (b"?!", Kind::LookAround),
            (b"?<=", Kind::LookBehind),
            (b"?<!", Kind::LookAround),
            (b"?~", Kind::Plain),
        ];
        if let Some((prefix, kind)) = kinds.into_iter().find(|(prefix, _)| self.starts_with(prefix)) {
            self.at += prefix.len();
            return kind;
        }
        if !self.starts_with(b"?") {
            return Kind::Capture;
        }
        let is_named = self.starts_with(b"?<");
        // Options end where their group does, or before what they hold for.
        let end = |b: &u8| if is_named { *b == b'>' } else { matches!(b, b':' | b')') };
        let len = self.text[self.at..].iter().position(end).unwrap_or(0);
        self.at += len + usize::from(self.text.get(self.at + len) != Some(&b')'));
        if is_named { Kind::Capture } else { Kind::Plain }
    }

    /// The quantifiers behind an atom.
    fn quantified(&mut self, mut atom: Part) -> Part {
        while let Some((lower, upper, is_interval)) = self.bounds() {
            atom = atom.repeated(lower, upper);
            match self.peek() {
                Some(b'?') => self.at += 1,
                Some(b'+') if !is_interval => {
                    self.at += 1;
                    atom = atom.atomic();
                }
                _ => {}
            }
        }
        atom
    }

    fn bounds(&mut self) -> Option<(usize, Option<usize>, bool)> {
        let simple = match self.peek()? {
            b'*' => Some((0, None)),
            b'+' => Some((1, None)),
            b'?' => Some((0, Some(1))),
            b'{' => None,
            _ => return None,
        };
        if let Some((lower, upper)) = simple {
            self.at += 1;
            return Some((lower, upper, false));
        }
        let rest = &self.text[self.at + 1..];
        let len = rest.iter().position(|b| *b == b'}')?;
        let (low, high) = super::translate::bounds(&rest[..len])?;
        let has_comma = rest[..len].contains(&b',');
        self.at += len + 2;
        let lower = low.unwrap_or(0) as usize;
        Some((lower, if has_comma { high.map(|n| n as usize) } else { Some(lower) }, true))
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Plain,
    Capture,
    Atomic,
    LookAround,
    /// What it looks for has no choice in it.
    LookBehind,
}

impl Kind {
    /// A group of this kind.
    fn of(self, inside: Part) -> Part {
        match self {
            Kind::Plain => inside,
            Kind::Capture => Part { captures: true, size: inside.size.saturating_add(2 * BRANCH), ..inside },
            Kind::Atomic => inside.atomic(),
            Kind::LookAround => inside.look_around(),
            Kind::LookBehind => Part { size: inside.size, ..Part::default() },
        }
    }
}

/// What was read of a group: all of it, and the lengths of the alternatives before the last one.
struct Level {
    all: Part,
    shortest: usize,
    longest: usize,
}

impl Default for Level {
    fn default() -> Level {
        Level { all: Part::default(), shortest: usize::MAX, longest: 0 }
    }
}

impl Level {
    /// Another alternative begins.
    fn alternative(&mut self) {
        self.end_alternative();
        (self.all.shortest, self.all.longest) = (0, 0);
    }

    fn end_alternative(&mut self) {
        self.shortest = self.shortest.min(self.all.shortest);
        self.longest = self.longest.max(self.all.longest);
    }

    fn part(mut self) -> Part {
        self.end_alternative();
        Part { shortest: self.shortest, longest: self.longest, ..self.all }
    }
}

#[cfg(test)]
mod tests {
    use super::is_linear;

    #[test]
    fn what_ruby_cannot_remember() {
        for source in
            ["(?>(a))", "(?=(a))", "(?=(?>a))", "(?=a)*+", "(?>a(?>b))", "(?:a{1,100})*", "(?>\\R)", "(?<!a)*+"]
        {
            assert!(!is_linear(source.as_bytes()), "{source}");
        }
        // Each repetition doubles what the one before it would take.
        assert!(is_linear(format!("a{}", "+?".repeat(300)).as_bytes()));
        for source in ["(a)(b)", "a*+", "(?:a{1,2})+", "(?=a)*", "(?<=(a))", "(a){1,100}", "\\R+", "(?>a*)*", "x{2}{3}"]
        {
            assert!(is_linear(source.as_bytes()), "{source}");
        }
    }

    #[test]
    fn groups_in_groups_take_no_stack() {
        let nested = |open: &str| format!("{}a{}", open.repeat(8_000), ")".repeat(8_000));
        let test = move || {
            assert!(is_linear(nested("(").as_bytes()));
            assert!(!is_linear(nested("(?>").as_bytes()));
            assert_eq!(super::only_length(nested("(?:").as_bytes()), None);
        };
        std::thread::Builder::new().stack_size(256 << 10).spawn(test).unwrap().join().unwrap();
    }
}
