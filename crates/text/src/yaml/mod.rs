//! YAML 1.1 as libyaml reads it: [`Parser`] makes events of the tokens that the scanner finds in a text.
//!
//! A text is given with each call, as its owner may be an object; it must be the same each time, and UTF-8.

mod cursor;
mod parser;
mod scalars;
mod scanner;
#[cfg(test)]
mod tests;

pub use parser::Parser;

/// A place in a text, all counted from 0. The index and the column count characters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    pub index: usize,
    pub line: usize,
    pub column: usize,
}

/// What is wrong with a text, and where what it was found in began.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Mistake {
    pub problem: &'static str,
    pub context: Option<&'static str>,
    pub place: Mark,
    /// In bytes; of characters that no text may have only, else 0.
    pub offset: usize,
}

impl Mistake {
    fn new(context: &'static str, place: Mark, problem: &'static str) -> Mistake {
        Mistake { problem, context: Some(context), place, offset: 0 }
    }

    fn alone(problem: &'static str, place: Mark) -> Mistake {
        Mistake { problem, context: None, place, offset: 0 }
    }
}

type Result<T> = std::result::Result<T, Mistake>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScalarStyle {
    Plain = 1,
    SingleQuoted,
    DoubleQuoted,
    Literal,
    Folded,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CollectionStyle {
    Block = 1,
    Flow,
}

/// What stands in front of a node. The bytes are UTF-8 but for what `%` in a tag makes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Properties {
    pub anchor: Option<Vec<u8>>,
    pub tag: Option<Vec<u8>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TagDirective {
    pub handle: Vec<u8>,
    pub prefix: Vec<u8>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    pub kind: EventKind,
    pub start: Mark,
    pub end: Mark,
}

/// `is_implicit`: documents without their markers, nodes without tag.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EventKind {
    StreamStart,
    StreamEnd,
    DocumentStart {
        version: Option<(u32, u32)>,
        tags: Vec<TagDirective>,
        is_implicit: bool,
    },
    DocumentEnd {
        is_implicit: bool,
    },
    Alias(Vec<u8>),
    Scalar {
        properties: Properties,
        value: Vec<u8>,
        style: ScalarStyle,
        is_plain_implicit: bool,
        is_quoted_implicit: bool,
    },
    SequenceStart {
        properties: Properties,
        is_implicit: bool,
        style: CollectionStyle,
    },
    SequenceEnd,
    MappingStart {
        properties: Properties,
        is_implicit: bool,
        style: CollectionStyle,
    },
    MappingEnd,
}
