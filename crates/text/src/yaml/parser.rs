//! Events of tokens. One state a step; what comes after a node waits on a stack, so that depth costs no native stack.

use super::scanner::{Scanner, Token, TokenKind};
use super::{CollectionStyle, Event, EventKind, Mark, Mistake, Properties, Result, ScalarStyle, TagDirective};

/// Major and minor.
type Version = (u32, u32);

/// What is expected next.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
enum State {
    #[default]
    StreamStart,
    /// The first document, which may have no marker.
    FirstDocument,
    Document,
    DocumentContent,
    DocumentEnd,
    BlockNode,
    BlockSequence(Turn),
    /// A sequence that is indented like the mapping it is in.
    FlatSequence,
    BlockMappingKey(Turn),
    BlockMappingValue,
    FlowSequence(Turn),
    /// A pair in brackets of a sequence.
    PairKey,
    PairValue,
    PairEnd,
    FlowMappingKey(Turn),
    FlowMappingValue,
    /// A key without a colon.
    FlowMappingNothing,
    End,
}

/// Whether an entry is a collection's first.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Turn {
    First,
    Next,
}

#[derive(Clone, Copy, PartialEq)]
enum Surroundings {
    Block,
    /// A mapping's key or value, which a sequence may be without indentation.
    BlockOrFlat,
    Flow,
}

/// How much a reader of streams takes at once: a mistake is seen with the first character of its piece.
const PIECE: usize = 16 << 10;

#[derive(Default)]
pub struct Parser {
    scanner: Scanner,
    state: State,
    /// What is expected behind the nodes that are open.
    states: Vec<State>,
    /// Where the open collections began.
    starts: Vec<Mark>,
    tags: Vec<TagDirective>,
    /// From this byte on no character may be read, as one of its piece is refused, which begins at the other byte.
    refused: Option<Option<(usize, usize)>>,
}

/// The first character that no text may have.
fn refused(text: &[u8]) -> Option<usize> {
    let is_plain = |byte: &u8| matches!(byte, b'\t' | b'\n' | b'\r' | b' '..=b'~');
    if text.iter().all(is_plain) {
        return None;
    }
    let text = str::from_utf8(text).ok()?;
    let is_refused = |c: char| match c {
        '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{A0}'..='\u{D7FF}' | '\u{E000}'..='\u{FFFD}' => false,
        c => c < '\u{10000}',
    };
    text.char_indices().find(|(_, c)| is_refused(*c)).map(|(at, _)| at)
}

impl Parser {
    /// The next event; behind the last one, and behind a mistake, the end of the stream.
    pub fn next(&mut self, text: &[u8]) -> Result<Event> {
        let event = self.step(text).and_then(|event| self.check(text).map(|()| event));
        if event.is_err() {
            self.state = State::End;
        }
        event
    }

    /// How far the text was read: tokens that may be keys are read before they are told of.
    pub fn mark(&self) -> Mark {
        self.scanner.cursor.mark
    }

    /// What follows, as far as it was read, has no characters that are refused.
    fn check(&mut self, text: &[u8]) -> Result<()> {
        let limits = *self.refused.get_or_insert_with(|| refused(text).map(|at| (at / PIECE * PIECE, at)));
        match limits {
            Some((limit, offset)) if self.scanner.cursor.at() >= limit => {
                let mistake = Mistake::alone("control characters are not allowed", Mark::default());
                Err(Mistake { offset, ..mistake })
            }
            _ => Ok(()),
        }
    }

    fn step(&mut self, text: &[u8]) -> Result<Event> {
        match self.state {
            State::StreamStart => {
                self.check(text)?;
                let token = self.taken(text)?;
                self.state = State::FirstDocument;
                Ok(event(EventKind::StreamStart, token.start, token.end))
            }
            State::FirstDocument => self.document_start(text, true),
            State::Document => self.document_start(text, false),
            State::DocumentContent => self.document_content(text),
            State::DocumentEnd => self.document_end(text),
            State::BlockNode => self.node(text, Surroundings::Block),
            State::BlockSequence(turn) => self.block_sequence(text, turn),
            State::FlatSequence => self.flat_sequence(text),
            State::BlockMappingKey(turn) => self.block_mapping_key(text, turn),
            State::BlockMappingValue => self.block_mapping_value(text),
            State::FlowSequence(turn) => self.flow_sequence(text, turn),
            State::PairKey => self.pair_key(text),
            State::PairValue => self.pair_value(text),
            State::PairEnd => {
                let mark = self.scanner.peek(text)?.start;
                self.state = State::FlowSequence(Turn::Next);
                Ok(event(EventKind::MappingEnd, mark, mark))
            }
            State::FlowMappingKey(turn) => self.flow_mapping_key(text, turn),
            State::FlowMappingValue => self.flow_mapping_value(text),
            State::FlowMappingNothing => {
                let mark = self.scanner.peek(text)?.start;
                Ok(self.nothing(State::FlowMappingKey(Turn::Next), mark))
            }
            State::End => {
                let mark = self.scanner.cursor.mark;
                Ok(event(EventKind::StreamEnd, mark, mark))
            }
        }
    }

    fn taken(&mut self, text: &[u8]) -> Result<Token> {
        self.scanner.peek(text)?;
        let mark = self.scanner.cursor.mark;
        Ok(self.scanner.take().unwrap_or(Token { kind: TokenKind::StreamEnd, start: mark, end: mark }))
    }

    /// Whether the next token is one of some, and the token's place.
    fn is_next(&mut self, text: &[u8], kinds: &[TokenKind]) -> Result<bool> {
        Ok(kinds.contains(&self.scanner.peek(text)?.kind))
    }

    fn pop_state(&mut self) -> State {
        self.states.pop().unwrap_or(State::End)
    }

    fn pop_start(&mut self) -> Mark {
        self.starts.pop().unwrap_or_default()
    }

    /// An empty scalar, and then a state.
    fn nothing(&mut self, then: State, mark: Mark) -> Event {
        self.state = then;
        let properties = Properties::default();
        event(plain_nothing(properties, true), mark, mark)
    }

    /// A node, and then a state.
    fn node_then(&mut self, text: &[u8], surroundings: Surroundings, then: State) -> Result<Event> {
        self.states.push(then);
        self.node(text, surroundings)
    }

    /// The end of a collection, whose last token is the next one.
    fn collection_end(&mut self, text: &[u8], kind: EventKind) -> Result<Event> {
        self.state = self.pop_state();
        self.pop_start();
        let token = self.taken(text)?;
        Ok(event(kind, token.start, token.end))
    }

    fn expected<T>(&mut self, context: &'static str, problem: &'static str) -> Result<T> {
        Err(Mistake::new(context, self.pop_start(), problem))
    }

    // ---- documents ----

    fn document_start(&mut self, text: &[u8], may_be_implicit: bool) -> Result<Event> {
        if !may_be_implicit {
            while self.is_next(text, &[TokenKind::DocumentEnd])? {
                self.taken(text)?;
            }
        }
        let token = self.scanner.peek(text)?;
        let start = token.start;
        match token.kind {
            TokenKind::StreamEnd => {
                let token = self.taken(text)?;
                self.state = State::End;
                return Ok(event(EventKind::StreamEnd, token.start, token.end));
            }
            TokenKind::Version(..) | TokenKind::TagDirective { .. } | TokenKind::DocumentStart => {}
            _ if may_be_implicit => {
                self.use_tags(&[]);
                self.states.push(State::DocumentEnd);
                self.state = State::BlockNode;
                let kind = EventKind::DocumentStart { version: None, tags: Vec::new(), is_implicit: true };
                return Ok(event(kind, start, start));
            }
            _ => {}
        }
        let (version, tags) = self.directives(text)?;
        if !self.is_next(text, &[TokenKind::DocumentStart])? {
            return Err(Mistake::alone("did not find expected <document start>", Mark::default()));
        }
        let end = self.taken(text)?.end;
        self.states.push(State::DocumentEnd);
        self.state = State::DocumentContent;
        Ok(event(EventKind::DocumentStart { version, tags, is_implicit: false }, start, end))
    }

    /// From here on tags are short for what directives say.
    fn use_tags(&mut self, directives: &[TagDirective]) {
        self.tags = directives.to_vec();
        for (handle, prefix) in [(&b"!"[..], &b"!"[..]), (b"!!", b"tag:yaml.org,2002:")] {
            if !self.tags.iter().any(|directive| directive.handle == handle) {
                self.tags.push(TagDirective { handle: handle.to_vec(), prefix: prefix.to_vec() });
            }
        }
    }

    fn directives(&mut self, text: &[u8]) -> Result<(Option<Version>, Vec<TagDirective>)> {
        let fail = |problem| Err(Mistake::alone(problem, Mark::default()));
        let (mut version, mut tags) = (None, Vec::<TagDirective>::new());
        loop {
            match &self.scanner.peek(text)?.kind {
                TokenKind::Version(..) if version.is_some() => return fail("found duplicate %YAML directive"),
                TokenKind::Version(1, minor @ (1 | 2)) => version = Some((1, *minor)),
                TokenKind::Version(..) => return fail("found incompatible YAML document"),
                TokenKind::TagDirective { handle, prefix } => {
                    if tags.iter().any(|directive| directive.handle == *handle) {
                        return fail("found duplicate %TAG directive");
                    }
                    tags.push(TagDirective { handle: handle.clone(), prefix: prefix.clone() });
                }
                _ => break,
            }
            self.taken(text)?;
        }
        self.use_tags(&tags);
        Ok((version, tags))
    }

    fn document_content(&mut self, text: &[u8]) -> Result<Event> {
        let token = self.scanner.peek(text)?;
        match token.kind {
            TokenKind::Version(..)
            | TokenKind::TagDirective { .. }
            | TokenKind::DocumentStart
            | TokenKind::DocumentEnd
            | TokenKind::StreamEnd => {
                let mark = token.start;
                let then = self.pop_state();
                Ok(self.nothing(then, mark))
            }
            _ => self.node(text, Surroundings::Block),
        }
    }

    fn document_end(&mut self, text: &[u8]) -> Result<Event> {
        let token = self.scanner.peek(text)?;
        let (start, is_implicit) = (token.start, token.kind != TokenKind::DocumentEnd);
        let end = if is_implicit { start } else { self.taken(text)?.end };
        self.state = State::Document;
        Ok(event(EventKind::DocumentEnd { is_implicit }, start, end))
    }

    // ---- nodes ----

    fn node(&mut self, text: &[u8], surroundings: Surroundings) -> Result<Event> {
        if let TokenKind::Alias(_) = self.scanner.peek(text)?.kind {
            self.state = self.pop_state();
            let token = self.taken(text)?;
            let TokenKind::Alias(name) = token.kind else { unreachable!("it was peeked at") };
            return Ok(event(EventKind::Alias(name), token.start, token.end));
        }
        let (properties, start, end) = self.properties(text)?;
        let is_implicit = properties.tag.as_ref().is_none_or(Vec::is_empty);
        let is_block = surroundings != Surroundings::Flow;
        let token = self.scanner.peek(text)?;
        let first = token.start;
        let start = start.unwrap_or(first);
        let (style, then) = match &token.kind {
            TokenKind::BlockEntry if surroundings == Surroundings::BlockOrFlat => {
                let end = token.end;
                self.state = State::FlatSequence;
                let kind = EventKind::SequenceStart { properties, is_implicit, style: CollectionStyle::Block };
                return Ok(event(kind, start, end));
            }
            TokenKind::Scalar(..) => return self.scalar(text, properties, start),
            TokenKind::FlowSequenceStart => (CollectionStyle::Flow, State::FlowSequence(Turn::First)),
            TokenKind::FlowMappingStart => (CollectionStyle::Flow, State::FlowMappingKey(Turn::First)),
            TokenKind::BlockSequenceStart if is_block => (CollectionStyle::Block, State::BlockSequence(Turn::First)),
            TokenKind::BlockMappingStart if is_block => (CollectionStyle::Block, State::BlockMappingKey(Turn::First)),
            _ if properties != Properties::default() => {
                self.state = self.pop_state();
                return Ok(event(plain_nothing(properties, is_implicit), start, end));
            }
            _ => {
                let context = if is_block { "while parsing a block node" } else { "while parsing a flow node" };
                return Err(Mistake::new(context, start, "did not find expected node content"));
            }
        };
        let end = token.end;
        self.state = then;
        let kind = match then {
            State::FlowSequence(_) | State::BlockSequence(_) => {
                EventKind::SequenceStart { properties, is_implicit, style }
            }
            _ => EventKind::MappingStart { properties, is_implicit, style },
        };
        Ok(event(kind, start, end))
    }

    /// Anchor and tag in front of a node, in any order; where they begin, if there are any, and end.
    fn properties(&mut self, text: &[u8]) -> Result<(Properties, Option<Mark>, Mark)> {
        let (mut anchor, mut tag, mut start) = (None, None, None);
        let mut end = self.scanner.peek(text)?.start;
        loop {
            match &self.scanner.peek(text)?.kind {
                TokenKind::Anchor(_) if anchor.is_none() => {}
                TokenKind::Tag { .. } if tag.is_none() => {}
                _ => break,
            }
            let token = self.taken(text)?;
            start.get_or_insert(token.start);
            end = token.end;
            match token.kind {
                TokenKind::Anchor(name) => anchor = Some(name),
                TokenKind::Tag { handle, suffix } => tag = Some((handle, suffix)),
                _ => unreachable!("it was peeked at"),
            }
        }
        let whole = |(handle, suffix): (Vec<u8>, _)| self.whole_tag(&handle, suffix, start.unwrap_or(end));
        let tag = tag.map(whole).transpose()?;
        Ok((Properties { anchor, tag }, start, end))
    }

    fn whole_tag(&self, handle: &[u8], suffix: Vec<u8>, start: Mark) -> Result<Vec<u8>> {
        if handle.is_empty() {
            return Ok(suffix);
        }
        match self.tags.iter().find(|directive| directive.handle == handle) {
            Some(directive) => Ok([&directive.prefix[..], &suffix].concat()),
            None => Err(Mistake::new("while parsing a node", start, "found undefined tag handle")),
        }
    }

    fn scalar(&mut self, text: &[u8], properties: Properties, start: Mark) -> Result<Event> {
        self.state = self.pop_state();
        let token = self.taken(text)?;
        let TokenKind::Scalar(value, style) = token.kind else { unreachable!("it was peeked at") };
        let has_no_tag = properties.tag.is_none();
        let is_plain_implicit =
            (style == ScalarStyle::Plain && has_no_tag) || properties.tag.as_deref() == Some(b"!".as_slice());
        let is_quoted_implicit = !is_plain_implicit && has_no_tag;
        let kind = EventKind::Scalar { properties, value, style, is_plain_implicit, is_quoted_implicit };
        Ok(event(kind, start, token.end))
    }

    // ---- block collections ----

    /// The first token of a collection is taken.
    fn begin(&mut self, text: &[u8], turn: Turn) -> Result<()> {
        if turn == Turn::First {
            let token = self.taken(text)?;
            self.starts.push(token.start);
        }
        Ok(())
    }

    fn block_sequence(&mut self, text: &[u8], turn: Turn) -> Result<Event> {
        self.begin(text, turn)?;
        match self.scanner.peek(text)?.kind {
            TokenKind::BlockEntry => {
                let mark = self.taken(text)?.end;
                let then = State::BlockSequence(Turn::Next);
                if self.is_next(text, &[TokenKind::BlockEntry, TokenKind::BlockEnd])? {
                    return Ok(self.nothing(then, mark));
                }
                self.node_then(text, Surroundings::Block, then)
            }
            TokenKind::BlockEnd => self.collection_end(text, EventKind::SequenceEnd),
            _ => self.expected("while parsing a block collection", "did not find expected '-' indicator"),
        }
    }

    fn flat_sequence(&mut self, text: &[u8]) -> Result<Event> {
        let token = self.scanner.peek(text)?;
        if token.kind != TokenKind::BlockEntry {
            let mark = token.start;
            self.state = self.pop_state();
            return Ok(event(EventKind::SequenceEnd, mark, mark));
        }
        let mark = self.taken(text)?.end;
        let ends = [TokenKind::BlockEntry, TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd];
        if self.is_next(text, &ends)? {
            return Ok(self.nothing(State::FlatSequence, mark));
        }
        self.node_then(text, Surroundings::Block, State::FlatSequence)
    }

    fn block_mapping_key(&mut self, text: &[u8], turn: Turn) -> Result<Event> {
        self.begin(text, turn)?;
        match self.scanner.peek(text)?.kind {
            TokenKind::Key => {
                let mark = self.taken(text)?.end;
                self.in_block_mapping(text, State::BlockMappingValue, mark)
            }
            TokenKind::BlockEnd => self.collection_end(text, EventKind::MappingEnd),
            _ => self.expected("while parsing a block mapping", "did not find expected key"),
        }
    }

    fn block_mapping_value(&mut self, text: &[u8]) -> Result<Event> {
        let token = self.scanner.peek(text)?;
        let then = State::BlockMappingKey(Turn::Next);
        if token.kind != TokenKind::Value {
            let mark = token.start;
            return Ok(self.nothing(then, mark));
        }
        let mark = self.taken(text)?.end;
        self.in_block_mapping(text, then, mark)
    }

    /// A key or a value, which may be missing.
    fn in_block_mapping(&mut self, text: &[u8], then: State, mark: Mark) -> Result<Event> {
        if self.is_next(text, &[TokenKind::Key, TokenKind::Value, TokenKind::BlockEnd])? {
            return Ok(self.nothing(then, mark));
        }
        self.node_then(text, Surroundings::BlockOrFlat, then)
    }

    // ---- flow collections ----

    /// Behind the first entry comes a comma.
    fn comma(&mut self, text: &[u8], turn: Turn, context: &'static str, problem: &'static str) -> Result<()> {
        if turn == Turn::Next {
            if !self.is_next(text, &[TokenKind::FlowEntry])? {
                return self.expected(context, problem);
            }
            self.taken(text)?;
        }
        Ok(())
    }

    fn flow_sequence(&mut self, text: &[u8], turn: Turn) -> Result<Event> {
        self.begin(text, turn)?;
        if !self.is_next(text, &[TokenKind::FlowSequenceEnd])? {
            self.comma(text, turn, "while parsing a flow sequence", "did not find expected ',' or ']'")?;
            if self.is_next(text, &[TokenKind::Key])? {
                let token = self.taken(text)?;
                self.state = State::PairKey;
                let (properties, style) = (Properties::default(), CollectionStyle::Flow);
                let kind = EventKind::MappingStart { properties, is_implicit: true, style };
                return Ok(event(kind, token.start, token.end));
            }
            if !self.is_next(text, &[TokenKind::FlowSequenceEnd])? {
                return self.node_then(text, Surroundings::Flow, State::FlowSequence(Turn::Next));
            }
        }
        self.collection_end(text, EventKind::SequenceEnd)
    }

    fn pair_key(&mut self, text: &[u8]) -> Result<Event> {
        let ends = [TokenKind::Value, TokenKind::FlowEntry, TokenKind::FlowSequenceEnd];
        if self.is_next(text, &ends)? {
            let mark = self.taken(text)?.end;
            return Ok(self.nothing(State::PairValue, mark));
        }
        self.node_then(text, Surroundings::Flow, State::PairValue)
    }

    fn pair_value(&mut self, text: &[u8]) -> Result<Event> {
        if self.is_next(text, &[TokenKind::Value])? {
            self.taken(text)?;
            if !self.is_next(text, &[TokenKind::FlowEntry, TokenKind::FlowSequenceEnd])? {
                return self.node_then(text, Surroundings::Flow, State::PairEnd);
            }
        }
        let mark = self.scanner.peek(text)?.start;
        Ok(self.nothing(State::PairEnd, mark))
    }

    fn flow_mapping_key(&mut self, text: &[u8], turn: Turn) -> Result<Event> {
        self.begin(text, turn)?;
        if !self.is_next(text, &[TokenKind::FlowMappingEnd])? {
            self.comma(text, turn, "while parsing a flow mapping", "did not find expected ',' or '}'")?;
            if self.is_next(text, &[TokenKind::Key])? {
                self.taken(text)?;
                let ends = [TokenKind::Value, TokenKind::FlowEntry, TokenKind::FlowMappingEnd];
                if !self.is_next(text, &ends)? {
                    return self.node_then(text, Surroundings::Flow, State::FlowMappingValue);
                }
                let mark = self.scanner.peek(text)?.start;
                return Ok(self.nothing(State::FlowMappingValue, mark));
            }
            if !self.is_next(text, &[TokenKind::FlowMappingEnd])? {
                return self.node_then(text, Surroundings::Flow, State::FlowMappingNothing);
            }
        }
        self.collection_end(text, EventKind::MappingEnd)
    }

    fn flow_mapping_value(&mut self, text: &[u8]) -> Result<Event> {
        let then = State::FlowMappingKey(Turn::Next);
        if self.is_next(text, &[TokenKind::Value])? {
            self.taken(text)?;
            if !self.is_next(text, &[TokenKind::FlowEntry, TokenKind::FlowMappingEnd])? {
                return self.node_then(text, Surroundings::Flow, then);
            }
        }
        let mark = self.scanner.peek(text)?.start;
        Ok(self.nothing(then, mark))
    }
}

fn event(kind: EventKind, start: Mark, end: Mark) -> Event {
    Event { kind, start, end }
}

fn plain_nothing(properties: Properties, is_plain_implicit: bool) -> EventKind {
    let (value, style) = (Vec::new(), ScalarStyle::Plain);
    EventKind::Scalar { properties, value, style, is_plain_implicit, is_quoted_implicit: false }
}
