//! Rust source as tokens: enough to tell names from comments and literals, and no more.

use super::Source;

/// A Rust file. Its path is relative to the root.
pub(super) struct Parsed<'a> {
    pub(super) path: &'a str,
    pub(super) tokens: Vec<Token<'a>>,
}

/// The Rust files among `sources`.
pub(super) fn parse(sources: &[Source]) -> Vec<Parsed<'_>> {
    let rust = sources.iter().filter(|source| source.path.ends_with(".rs"));
    rust.map(|Source { path, text }| Parsed { path, tokens: tokens(text) }).collect()
}

/// A name, a number, a lifetime, `::`, or one character of punctuation. A literal in quotes is [`LITERAL`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Token<'a> {
    pub(super) text: &'a str,
    pub(super) line: usize,
}

/// What stands for a string or a character.
pub(super) const LITERAL: &str = "\"\"";

/// The tokens of a file, without comments.
fn tokens(text: &str) -> Vec<Token<'_>> {
    let mut scanner = Scanner { text, at: 0, line: 1 };
    std::iter::from_fn(|| scanner.next()).collect()
}

/// Whether a token is a name, or a keyword.
pub(super) fn is_name(text: &str) -> bool {
    text.starts_with(|c: char| c.is_alphabetic() || c == '_')
}

struct Scanner<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Scanner<'a> {
    fn next(&mut self) -> Option<Token<'a>> {
        loop {
            let rest = &self.text[self.at..];
            let first = rest.chars().next()?;
            let (length, is_token) = match first {
                _ if first.is_whitespace() => (first.len_utf8(), false),
                _ if rest.starts_with("//") => (rest.find('\n').unwrap_or(rest.len()), false),
                _ if rest.starts_with("/*") => (block_comment(rest), false),
                _ => (token_length(rest, first), true),
            };
            let (text, line) = (&rest[..length], self.line);
            self.at += length;
            self.line += text.matches('\n').count();
            if is_token {
                let is_literal = text.ends_with(['"', '\'', '#']) && text.len() > 1;
                return Some(Token { text: if is_literal { LITERAL } else { text.trim_start_matches("r#") }, line });
            }
        }
    }
}

/// Comments nest.
fn block_comment(rest: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < rest.len() {
        let here = &rest.as_bytes()[at..];
        match (here.starts_with(b"/*"), here.starts_with(b"*/")) {
            (true, _) => (depth, at) = (depth + 1, at + 2),
            (_, true) if depth == 1 => return at + 2,
            (_, true) => (depth, at) = (depth - 1, at + 2),
            _ => at += 1,
        }
    }
    rest.len()
}

fn token_length(rest: &str, first: char) -> usize {
    if let Some(length) = literal(rest) {
        return length;
    }
    let word = |from: usize| {
        let end = rest[from..].find(|c: char| !c.is_alphanumeric() && c != '_');
        end.map_or(rest.len(), |end| from + end)
    };
    match first {
        '\'' => word(1),
        'r' if rest.starts_with("r#") => word(2),
        _ if first.is_alphanumeric() || first == '_' => word(0),
        _ if rest.starts_with("::") => 2,
        _ => first.len_utf8(),
    }
}

/// The length of a literal in quotes that begins here, with its prefix.
fn literal(rest: &str) -> Option<usize> {
    let body = rest.trim_start_matches(['b', 'c', 'r']);
    let prefix = rest.len() - body.len();
    if prefix > 2 {
        return None;
    }
    let is_raw = rest[..prefix].ends_with('r');
    let hashes = body.len() - body.trim_start_matches('#').len();
    if is_raw && body[hashes..].starts_with('"') {
        let end = format!("\"{}", "#".repeat(hashes));
        let length = body[hashes + 1..].find(&end)?;
        return Some(prefix + hashes + 1 + length + end.len());
    }
    match body.chars().next()? {
        '"' => Some(prefix + quoted(body, b'"')),
        '\'' if is_character(body) => Some(prefix + quoted(body, b'\'')),
        _ => None,
    }
}

/// A lifetime has no second quote behind its first character.
fn is_character(body: &str) -> bool {
    let mut chars = body.chars().skip(1);
    chars.next() == Some('\\') || chars.next() == Some('\'')
}

fn quoted(body: &str, quote: u8) -> usize {
    let bytes = body.as_bytes();
    let mut at = 1;
    while at < bytes.len() && bytes[at] != quote {
        at += if bytes[at] == b'\\' { 2 } else { 1 };
    }
    (at + 1).min(bytes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str, expected: &[&str]) {
        let found: Vec<&str> = tokens(text).iter().map(|token| token.text).collect();
        assert_eq!(found, expected, "{text}");
    }

    #[test]
    fn comments_are_left_out() {
        check("a // b\nc /* d /* e */ f */ g", &["a", "c", "g"]);
    }

    #[test]
    fn literals_hide_what_they_hold() {
        check(
            r##"f("a \" b", b'\'', r#"x " y"#, c"z")"##,
            &["f", "(", "\"\"", ",", "\"\"", ",", "\"\"", ",", "\"\"", ")"],
        );
    }

    #[test]
    fn lifetimes_are_no_characters() {
        check("&'static str; 'a'", &["&", "'static", "str", ";", "\"\""]);
    }

    #[test]
    fn paths_and_raw_names() {
        check("a::r#type #[b]", &["a", "::", "type", "#", "[", "b", "]"]);
    }

    #[test]
    fn lines_are_counted_through_literals() {
        assert_eq!(tokens("\"a\nb\" /*\n*/ c").last(), Some(&Token { text: "c", line: 3 }));
    }
}
