//! Tokens, and how indentation and colons make collections.
//!
//! # Simple keys
//! Whether a token is a mapping's key is known when a colon follows it on its line: until then it is a *possible key*, and
//! tokens from there on wait. Each open bracket has one, and so has what is outside brackets.

use super::cursor::{Cursor, Place};
use super::{Mark, Mistake, Result, ScalarStyle, scalars};
use std::collections::VecDeque;

#[derive(Clone, Debug, PartialEq)]
pub(super) enum TokenKind {
    StreamStart,
    StreamEnd,
    Version(u32, u32),
    TagDirective { handle: Vec<u8>, prefix: Vec<u8> },
    DocumentStart,
    DocumentEnd,
    BlockSequenceStart,
    BlockMappingStart,
    BlockEnd,
    FlowSequenceStart,
    FlowSequenceEnd,
    FlowMappingStart,
    FlowMappingEnd,
    BlockEntry,
    FlowEntry,
    Key,
    Value,
    Alias(Vec<u8>),
    Anchor(Vec<u8>),
    Tag { handle: Vec<u8>, suffix: Vec<u8> },
    Scalar(Vec<u8>, ScalarStyle),
}

#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) start: Mark,
    pub(super) end: Mark,
}

#[derive(Clone, Copy, Default)]
struct PossibleKey {
    is_possible: bool,
    /// Nothing else can stand here.
    is_required: bool,
    /// Which token it is, of all that were made.
    number: usize,
    mark: Mark,
}

/// How long a key may be.
const LONGEST_KEY: usize = 1024;

#[derive(Default)]
pub(super) struct Scanner {
    pub(super) cursor: Cursor,
    tokens: VecDeque<Token>,
    /// How many tokens were taken.
    taken: usize,
    has_begun: bool,
    has_ended: bool,
    /// A key may begin here.
    allows_key: bool,
    keys: Vec<PossibleKey>,
    /// So many of them, from the first on, are not possible.
    settled: usize,
    /// The column of the innermost block collection; -1 outside.
    pub(super) indent: isize,
    indents: Vec<isize>,
    pub(super) brackets: usize,
}

impl Scanner {
    /// The next token, which stays.
    pub(super) fn peek(&mut self, text: &[u8]) -> Result<&Token> {
        self.fill(text)?;
        let mark = self.cursor.mark;
        Ok(match self.tokens.front() {
            Some(_) => &self.tokens[0],
            None => {
                self.tokens.push_back(Token { kind: TokenKind::StreamEnd, start: mark, end: mark });
                &self.tokens[0]
            }
        })
    }

    /// Takes the token that was peeked at.
    pub(super) fn take(&mut self) -> Option<Token> {
        self.taken += 1;
        self.tokens.pop_front()
    }

    /// Reads on until the next token is known.
    fn fill(&mut self, text: &[u8]) -> Result<()> {
        while self.needs_more()? && !self.has_ended {
            self.fetch(text)?;
        }
        Ok(())
    }

    /// Whether the next token may turn out to be a key, or is not there yet.
    fn needs_more(&mut self) -> Result<bool> {
        if self.tokens.is_empty() {
            return Ok(true);
        }
        self.forget_keys()?;
        // Of possible keys the outermost is the first.
        Ok(self.keys.get(self.settled).is_some_and(|key| key.number == self.taken))
    }

    fn push(&mut self, kind: TokenKind, start: Mark) {
        self.tokens.push_back(Token { kind, start, end: self.cursor.mark });
    }

    // ---- possible keys ----

    /// Whether the key is still possible: a key is short, and its colon is on its line.
    fn is_valid(&self, key: &PossibleKey) -> bool {
        let now = self.cursor.mark;
        key.is_possible && key.mark.line == now.line && key.mark.index + LONGEST_KEY >= now.index
    }

    /// Gives up keys that are not possible any more. Keys of outer brackets are given up first.
    fn forget_keys(&mut self) -> Result<()> {
        while self.settled < self.keys.len() && !self.is_valid(&self.keys[self.settled]) {
            self.give_up_key(self.settled)?;
            self.settled += 1;
        }
        Ok(())
    }

    fn give_up_key(&mut self, index: usize) -> Result<()> {
        let Some(key) = self.keys.get_mut(index) else { return Ok(()) };
        if key.is_possible && key.is_required {
            return Err(Mistake::new("while scanning a simple key", key.mark, "could not find expected ':'"));
        }
        key.is_possible = false;
        Ok(())
    }

    fn give_up_last_key(&mut self) -> Result<()> {
        self.give_up_key(self.keys.len().wrapping_sub(1))
    }

    /// What begins here may be a key.
    fn note_key(&mut self) -> Result<()> {
        if self.allows_key {
            let mark = self.cursor.mark;
            let is_required = self.brackets == 0 && self.indent == mark.column as isize;
            self.give_up_last_key()?;
            let number = self.taken + self.tokens.len();
            if let Some(last) = self.keys.last_mut() {
                *last = PossibleKey { is_possible: true, is_required, number, mark };
                self.settled = self.settled.min(self.keys.len() - 1);
            }
        }
        Ok(())
    }

    // ---- indentation ----

    /// A block collection begins, in front of token `number` or of what comes next.
    fn indent_to(&mut self, column: usize, number: Option<usize>, kind: TokenKind, mark: Mark) {
        let column = column as isize;
        if self.brackets > 0 || self.indent >= column {
            return;
        }
        self.indents.push(self.indent);
        self.indent = column;
        let token = Token { kind, start: mark, end: mark };
        match number {
            Some(number) => self.tokens.insert(number - self.taken, token),
            None => self.tokens.push_back(token),
        }
    }

    /// Block collections end that are indented more.
    fn unindent_to(&mut self, column: isize) {
        while self.brackets == 0 && self.indent > column {
            self.push(TokenKind::BlockEnd, self.cursor.mark);
            self.indent = self.indents.pop().unwrap_or(-1);
        }
    }

    // ---- tokens ----

    fn fetch(&mut self, text: &[u8]) -> Result<()> {
        if !self.has_begun {
            (self.has_begun, self.indent, self.allows_key) = (true, -1, true);
            self.keys.push(PossibleKey::default());
            self.push(TokenKind::StreamStart, self.cursor.mark);
            return Ok(());
        }
        self.skip_to_token(text);
        self.forget_keys()?;
        self.unindent_to(self.cursor.mark.column as isize);
        let here = self.cursor.on(text);
        let is_in_flow = self.brackets > 0;
        if here.is_end() {
            return self.fetch_stream_end(text);
        }
        if here.is_document_marker() {
            return self.fetch_document_marker(text);
        }
        let is_gap_next = here.is_gap(1);
        match here.byte(0) {
            b'%' if here.column() == 0 => self.fetch_directive(text),
            b'[' => self.fetch_opening(text, TokenKind::FlowSequenceStart),
            b'{' => self.fetch_opening(text, TokenKind::FlowMappingStart),
            b']' => self.fetch_closing(text, TokenKind::FlowSequenceEnd),
            b'}' => self.fetch_closing(text, TokenKind::FlowMappingEnd),
            b',' => self.fetch_comma(text),
            b'-' if is_gap_next => self.fetch_dash(text),
            b'?' if is_in_flow || is_gap_next => self.fetch_question(text),
            b':' if is_in_flow || is_gap_next => self.fetch_colon(text),
            b'*' => self.fetch_word(text, |here| scalars::anchor(here, true)),
            b'&' => self.fetch_word(text, |here| scalars::anchor(here, false)),
            b'!' => self.fetch_word(text, |here| scalars::tag(here, is_in_flow)),
            b'|' if !is_in_flow => self.fetch_block_scalar(text, ScalarStyle::Literal),
            b'>' if !is_in_flow => self.fetch_block_scalar(text, ScalarStyle::Folded),
            b'\'' => self.fetch_word(text, |here| scalars::quoted(here, ScalarStyle::SingleQuoted)),
            b'"' => self.fetch_word(text, |here| scalars::quoted(here, ScalarStyle::DoubleQuoted)),
            b'?' | b':' | b'-' => self.fetch_plain(text),
            b'#' | b'|' | b'>' | b'%' | b'@' | b'`' | b'\t' => {
                let problem = "found character that cannot start any token";
                Err(Mistake::new("while scanning for the next token", here.mark(), problem))
            }
            _ => self.fetch_plain(text),
        }
    }

    /// Over spaces, comments and ends of lines. Tabs do not indent.
    fn skip_to_token(&mut self, text: &[u8]) {
        let (is_in_flow, mut allows_key) = (self.brackets > 0, self.allows_key);
        let mut here = self.cursor.on(text);
        loop {
            if here.column() == 0 && here.rest().starts_with(b"\xEF\xBB\xBF") {
                here.skip();
            }
            while here.is(b' ') || (here.is(b'\t') && (is_in_flow || !allows_key)) {
                here.skip_ascii(1);
            }
            if here.is(b'#') {
                here.skip_to_line_end();
            }
            if !here.is_break() {
                break;
            }
            here.skip_break();
            allows_key |= !is_in_flow;
        }
        self.allows_key = allows_key;
    }

    /// A token of so many bytes.
    fn push_mark(&mut self, text: &[u8], kind: TokenKind, bytes: usize) {
        let start = self.cursor.mark;
        self.cursor.on(text).skip_ascii(bytes);
        self.push(kind, start);
    }

    fn fetch_stream_end(&mut self, text: &[u8]) -> Result<()> {
        self.cursor.on(text).end_line();
        self.unindent_to(-1);
        self.give_up_last_key()?;
        (self.allows_key, self.has_ended) = (false, true);
        self.push(TokenKind::StreamEnd, self.cursor.mark);
        Ok(())
    }

    fn fetch_document_marker(&mut self, text: &[u8]) -> Result<()> {
        self.unindent_to(-1);
        self.give_up_last_key()?;
        self.allows_key = false;
        let is_start = self.cursor.on(text).is(b'-');
        self.push_mark(text, if is_start { TokenKind::DocumentStart } else { TokenKind::DocumentEnd }, 3);
        Ok(())
    }

    fn fetch_directive(&mut self, text: &[u8]) -> Result<()> {
        self.unindent_to(-1);
        self.give_up_last_key()?;
        self.allows_key = false;
        let token = scalars::directive(&mut self.cursor.on(text))?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_opening(&mut self, text: &[u8], kind: TokenKind) -> Result<()> {
        self.note_key()?;
        self.keys.push(PossibleKey::default());
        self.brackets += 1;
        self.allows_key = true;
        self.push_mark(text, kind, 1);
        Ok(())
    }

    fn fetch_closing(&mut self, text: &[u8], kind: TokenKind) -> Result<()> {
        self.give_up_last_key()?;
        if self.brackets > 0 {
            self.brackets -= 1;
            self.keys.pop();
            self.settled = self.settled.min(self.keys.len());
        }
        self.allows_key = false;
        self.push_mark(text, kind, 1);
        Ok(())
    }

    fn fetch_comma(&mut self, text: &[u8]) -> Result<()> {
        self.give_up_last_key()?;
        self.allows_key = true;
        self.push_mark(text, TokenKind::FlowEntry, 1);
        Ok(())
    }

    /// A block collection's entry begins, and perhaps the collection.
    fn begin_entry(&mut self, kind: TokenKind, problem: &'static str) -> Result<()> {
        if self.brackets == 0 {
            let mark = self.cursor.mark;
            if !self.allows_key {
                return Err(Mistake::alone(problem, mark));
            }
            self.indent_to(mark.column, None, kind, mark);
        }
        Ok(())
    }

    fn fetch_dash(&mut self, text: &[u8]) -> Result<()> {
        self.begin_entry(TokenKind::BlockSequenceStart, "block sequence entries are not allowed in this context")?;
        self.give_up_last_key()?;
        self.allows_key = true;
        self.push_mark(text, TokenKind::BlockEntry, 1);
        Ok(())
    }

    fn fetch_question(&mut self, text: &[u8]) -> Result<()> {
        self.begin_entry(TokenKind::BlockMappingStart, "mapping keys are not allowed in this context")?;
        self.give_up_last_key()?;
        self.allows_key = self.brackets == 0;
        self.push_mark(text, TokenKind::Key, 1);
        Ok(())
    }

    fn fetch_colon(&mut self, text: &[u8]) -> Result<()> {
        let last = self.keys.len() - 1;
        if self.is_valid(&self.keys[last]) {
            let PossibleKey { number, mark, .. } = self.keys[last];
            self.tokens.insert(number - self.taken, Token { kind: TokenKind::Key, start: mark, end: mark });
            self.indent_to(mark.column, Some(number), TokenKind::BlockMappingStart, mark);
            self.keys[last].is_possible = false;
            self.allows_key = false;
        } else {
            self.give_up_last_key()?;
            self.begin_entry(TokenKind::BlockMappingStart, "mapping values are not allowed in this context")?;
            self.allows_key = self.brackets == 0;
        }
        self.push_mark(text, TokenKind::Value, 1);
        Ok(())
    }

    /// What may be a key on its line.
    fn fetch_word(&mut self, text: &[u8], read: impl FnOnce(&mut Place<'_>) -> Result<Token>) -> Result<()> {
        self.note_key()?;
        self.allows_key = false;
        let token = read(&mut self.cursor.on(text))?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_block_scalar(&mut self, text: &[u8], style: ScalarStyle) -> Result<()> {
        self.give_up_last_key()?;
        self.allows_key = true;
        let token = scalars::block(&mut self.cursor.on(text), style, self.indent)?;
        self.tokens.push_back(token);
        Ok(())
    }

    fn fetch_plain(&mut self, text: &[u8]) -> Result<()> {
        self.note_key()?;
        let (token, has_ended_line) = scalars::plain(&mut self.cursor.on(text), self.indent, self.brackets > 0)?;
        self.allows_key = has_ended_line;
        self.tokens.push_back(token);
        Ok(())
    }
}
