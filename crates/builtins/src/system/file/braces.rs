//! What `{a,b}` in a shell pattern stands for: patterns without such braces, one after the other.
//!
//! # References
//! CRuby `dir.c`, `ruby_brace_expand`.

use std::rc::Rc;

/// The patterns, in order. Only one exists at a time: a few braces stand for more of them than any memory holds.
pub(super) struct Expansions<'p> {
    pattern: &'p [u8],
    escapes: bool,
    /// For each opening brace the one that closes it. A pattern with one that nothing closes stands for nothing.
    closing: Vec<usize>,
    is_closed: bool,
    /// Where braces leave a choice, the outermost first.
    choices: Vec<Choice>,
    /// The pattern that is being put together.
    text: Vec<u8>,
    is_begun: bool,
}

/// The alternatives of a pair of braces that are yet to come.
struct Choice {
    /// So long is the text in front.
    length: usize,
    /// Where the next alternative begins, and where the braces end.
    next: usize,
    end: usize,
    behind: Rest,
}

/// Parts of the pattern that follow each other.
type Rest = Option<Rc<Part>>;

struct Part {
    start: usize,
    end: usize,
    behind: Rest,
}

impl<'p> Expansions<'p> {
    pub(super) fn of(pattern: &'p [u8], escapes: bool) -> Self {
        let (mut closing, mut is_closed) = (Vec::new(), true);
        if pattern.contains(&b'{') {
            closing = vec![0; pattern.len()];
            let (mut open, mut at) = (Vec::new(), 0);
            while at < pattern.len() {
                match pattern[at] {
                    b'\\' if escapes => at += 1,
                    b'{' => open.push(at),
                    b'}' => {
                        if let Some(start) = open.pop() {
                            closing[start] = at;
                        }
                    }
                    _ => {}
                }
                at += 1;
            }
            is_closed = open.is_empty();
        }
        Expansions { pattern, escapes, closing, is_closed, choices: Vec::new(), text: Vec::new(), is_begun: false }
    }

    /// The next pattern, until there are no more.
    pub(super) fn next(&mut self) -> Option<&[u8]> {
        if !self.is_closed {
            return None;
        }
        if !self.is_begun {
            self.is_begun = true;
            self.go_on(Some(Rc::new(Part { start: 0, end: self.pattern.len(), behind: None })));
            return Some(&self.text);
        }
        let choice = self.choices.pop()?;
        self.text.truncate(choice.length);
        let chosen = self.choose(choice);
        self.go_on(Some(chosen));
        Some(&self.text)
    }

    /// The next alternative, and what comes behind the braces. Those behind it stay to be chosen.
    fn choose(&mut self, choice: Choice) -> Rc<Part> {
        let Choice { length, next: start, end, behind } = choice;
        let comma = self.comma(start, end);
        let part = Rc::new(Part { start, end: comma.unwrap_or(end), behind: behind.clone() });
        if let Some(comma) = comma {
            self.choices.push(Choice { length, next: comma + 1, end, behind });
        }
        part
    }

    /// The first comma of these alternatives.
    fn comma(&self, start: usize, end: usize) -> Option<usize> {
        let mut at = start;
        while at < end {
            match self.pattern[at] {
                b'\\' if self.escapes => at += 1,
                // Braces within are closed within.
                b'{' => at = self.closing[at],
                b',' => return Some(at),
                _ => {}
            }
            at += 1;
        }
        None
    }

    /// Appends these parts, of each pair of braces the first alternative.
    fn go_on(&mut self, mut rest: Rest) {
        while let Some(part) = rest {
            let mut at = part.start;
            rest = part.behind.clone();
            while at < part.end {
                let byte = self.pattern[at];
                if byte == b'{' {
                    let close = self.closing[at];
                    let behind = Some(Rc::new(Part { start: close + 1, end: part.end, behind: rest }));
                    rest = Some(self.choose(Choice { length: self.text.len(), next: at + 1, end: close, behind }));
                    break;
                }
                let is_escaped = byte == b'\\' && self.escapes && at + 1 < part.end;
                let end = if is_escaped { at + 2 } else { at + 1 };
                self.text.extend_from_slice(&self.pattern[at..end]);
                at = end;
            }
        }
    }
}

impl Drop for Part {
    /// A long chain is let go link by link, not by a call within a call.
    fn drop(&mut self) {
        let mut behind = self.behind.take();
        while let Some(Ok(mut part)) = behind.map(Rc::try_unwrap) {
            behind = part.behind.take();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all(pattern: &str) -> Vec<String> {
        let (mut expansions, mut out) = (Expansions::of(pattern.as_bytes(), true), Vec::new());
        while let Some(text) = expansions.next() {
            out.push(String::from_utf8(text.to_vec()).unwrap());
        }
        out
    }

    #[test]
    fn braces_nest_and_follow_each_other() {
        assert_eq!(all("a{b,c{d,e}}f"), ["abf", "acdf", "acef"]);
        assert_eq!(all("{a,b}{c,d}"), ["ac", "ad", "bc", "bd"]);
        assert_eq!(all("{,x}{{y}}"), ["y", "xy"]);
        assert_eq!(all(""), [""]);
    }

    #[test]
    fn what_is_escaped_stays_and_what_is_not_closed_names_nothing() {
        assert!(all("{a{b,c}").is_empty() && all("{a,b}{").is_empty());
        assert_eq!(all("a}{b,c}"), ["a}b", "a}c"]);
        assert_eq!(all("\\{a,{b\\,c,d\\}}\\"), ["\\{a,b\\,c\\", "\\{a,d\\}\\"]);
    }

    #[test]
    fn deep_and_many_braces_take_little_memory() {
        let deep = "{".repeat(200_000) + &"}".repeat(200_000);
        assert_eq!(all(&deep), [""]);
        let many = "{a,b}".repeat(40);
        let mut expansions = Expansions::of(many.as_bytes(), true);
        assert_eq!(expansions.next().map(<[u8]>::len), Some(40));
        assert_eq!(expansions.next().map(|text| text.ends_with(b"ab")), Some(true));
    }
}
