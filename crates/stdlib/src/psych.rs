//! The native half of `lib/psych`: `reader` makes events and nodes of a text; here is what an emitter asks of a scalar.

mod reader;

use carat_vm::{Ec, Str, Value, methods};

methods! {
    EMITTER { private "analyze_ascii" => analyze_ascii; }
}

/// `require "psych/scan.so"`
pub(crate) fn init(ec: &mut Ec) {
    let Some(psych) = ec.vm().known().object.nested(ec, "Psych") else { return };
    if let Some(reader) = psych.nested(ec, "Reader") {
        reader::init(ec, reader);
    }
    if let Some(emitter) = psych.nested(ec, "Emitter") {
        emitter.define_methods(ec, EMITTER);
    }
}

// ---- emitting ----

// What a text allows; the constants of `Psych::Emitter` are the same.
const FLOW_PLAIN: usize = 1;
const BLOCK_PLAIN: usize = 2;
const SINGLE_QUOTED: usize = 4;
const BLOCK: usize = 8;

/// `analyze_ascii(text)`: what a text of ASCII allows, nil for any other.
fn analyze_ascii(ec: &mut Ec, _this: Value, text: Str) -> Option<usize> {
    text.is_ascii(ec).then(|| allowed(text.bytes(ec)))
}

fn allowed(text: &[u8]) -> usize {
    let (Some(first), Some(last)) = (text.first(), text.last()) else { return BLOCK_PLAIN | SINGLE_QUOTED };
    let mut seen = Seen { is_block_indicator: begins_as_other(text), ..Seen::default() };
    text.iter().zip(text[1..].iter().map(Some).chain([None])).for_each(|(byte, next)| seen.look(*byte, next.copied()));
    if seen.is_special {
        return 0;
    }
    let is_edge = |byte: &u8| matches!(byte, b' ' | b'\n');
    let is_plain = !seen.has_breaks && !is_edge(first) && !is_edge(last);
    let flag = |flag: usize, is_set: bool| if is_set { flag } else { 0 };
    flag(FLOW_PLAIN, is_plain && !seen.is_block_indicator && !seen.is_flow_indicator)
        | flag(BLOCK_PLAIN, is_plain && !seen.is_block_indicator)
        | flag(SINGLE_QUOTED, !seen.has_break_and_space)
        | flag(BLOCK, *last != b' ')
}

/// Whether it begins like a document, a collection, a property or a comment.
fn begins_as_other(text: &[u8]) -> bool {
    match text {
        [b'-', b'-', b'-', ..] | [b'.', b'.', b'.', ..] => true,
        [b'-' | b'?' | b':', rest @ ..] => rest.first().is_none_or(|byte| is_space(*byte)),
        [first, ..] => b"#,[]{}&*!|>'\"%@`".contains(first),
        [] => false,
    }
}

fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

#[derive(Default)]
struct Seen {
    is_block_indicator: bool,
    is_flow_indicator: bool,
    has_breaks: bool,
    has_break_and_space: bool,
    /// What has to be escaped.
    is_special: bool,
}

impl Seen {
    fn look(&mut self, byte: u8, next: Option<u8>) {
        match byte {
            b'\n' => {
                self.has_breaks = true;
                self.has_break_and_space |= next == Some(b' ');
            }
            b' ' => self.is_special |= next == Some(b'\n'),
            0..0x20 | 0x7F.. => self.is_special = true,
            b':' => self.is_block_indicator |= next.is_none_or(is_space),
            _ => {}
        }
        self.is_block_indicator |= is_space(byte) && next == Some(b'#');
        self.is_flow_indicator |= matches!(byte, b',' | b'?' | b'[' | b']' | b'{' | b'}' | b':');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_allow_styles() {
        let all = FLOW_PLAIN | BLOCK_PLAIN | SINGLE_QUOTED | BLOCK;
        for (text, expected) in [
            ("abc d", all),
            ("a,b", all & !FLOW_PLAIN),
            ("a: b", SINGLE_QUOTED | BLOCK),
            ("- a", SINGLE_QUOTED | BLOCK),
            ("-a", all),
            ("a #b", SINGLE_QUOTED | BLOCK),
            ("a\nb", SINGLE_QUOTED | BLOCK),
            ("a\n b", BLOCK),
            ("a ", SINGLE_QUOTED),
            ("a \nb", 0),
            ("\t", 0),
            ("", BLOCK_PLAIN | SINGLE_QUOTED),
        ] {
            assert_eq!(allowed(text.as_bytes()), expected, "{text:?}");
        }
    }
}
