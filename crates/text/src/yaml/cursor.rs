//! A place in a text, and what stands there.

use super::Mark;

/// Where the scanner is. The bytes of a text are given by [`Cursor::on`].
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cursor {
    /// In bytes.
    at: usize,
    pub(super) mark: Mark,
}

/// A cursor on its text. Behind the end stand zeros, which no text has.
pub(super) struct Place<'a> {
    pub(super) text: &'a [u8],
    cursor: &'a mut Cursor,
}

impl Cursor {
    pub(super) fn on<'a>(&'a mut self, text: &'a [u8]) -> Place<'a> {
        Place { text, cursor: self }
    }

    pub(super) fn at(&self) -> usize {
        self.at
    }
}

/// The bytes of the character that begins with a byte.
fn width(first: u8) -> usize {
    match first {
        0..0x80 => 1,
        0x80..0xE0 => 2,
        0xE0..0xF0 => 3,
        _ => 4,
    }
}

impl Place<'_> {
    pub(super) fn mark(&self) -> Mark {
        self.cursor.mark
    }

    pub(super) fn column(&self) -> isize {
        self.cursor.mark.column as isize
    }

    pub(super) fn rest(&self) -> &[u8] {
        self.text.get(self.cursor.at..).unwrap_or_default()
    }

    /// The byte here, or behind it.
    pub(super) fn byte(&self, ahead: usize) -> u8 {
        self.text.get(self.cursor.at + ahead).copied().unwrap_or(0)
    }

    pub(super) fn is(&self, byte: u8) -> bool {
        self.byte(0) == byte
    }

    pub(super) fn is_any(&self, bytes: &[u8]) -> bool {
        !self.is_end() && bytes.contains(&self.byte(0))
    }

    pub(super) fn is_end(&self) -> bool {
        self.cursor.at >= self.text.len()
    }

    pub(super) fn is_blank(&self) -> bool {
        matches!(self.byte(0), b' ' | b'\t')
    }

    fn break_width(&self, ahead: usize) -> usize {
        match [self.byte(ahead), self.byte(ahead + 1), self.byte(ahead + 2)] {
            [b'\r', b'\n', _] => 2,
            [b'\r' | b'\n', ..] => 1,
            [0xC2, 0x85, _] => 2,
            [0xE2, 0x80, 0xA8 | 0xA9] => 3,
            _ => 0,
        }
    }

    pub(super) fn is_break(&self) -> bool {
        self.break_width(0) > 0
    }

    pub(super) fn is_break_behind(&self, ahead: usize) -> bool {
        self.break_width(ahead) > 0
    }

    pub(super) fn is_break_or_end(&self) -> bool {
        self.is_end() || self.is_break()
    }

    /// Whether nothing of a word stands so far ahead.
    pub(super) fn is_gap(&self, ahead: usize) -> bool {
        matches!(self.byte(ahead), b' ' | b'\t' | 0) || self.break_width(ahead) > 0
    }

    /// A letter, digit, `_` or `-`.
    pub(super) fn is_word(&self) -> bool {
        matches!(self.byte(0), b'0'..=b'9' | b'A'..=b'Z' | b'a'..=b'z' | b'_' | b'-')
    }

    /// `---` or `...` alone at the beginning of a line.
    pub(super) fn is_document_marker(&self) -> bool {
        self.cursor.mark.column == 0
            && (self.rest().starts_with(b"---") || self.rest().starts_with(b"..."))
            && self.is_gap(3)
    }

    /// Over one character that ends no line.
    pub(super) fn skip(&mut self) {
        if !self.is_end() {
            self.cursor.at = (self.cursor.at + width(self.byte(0))).min(self.text.len());
            self.cursor.mark.index += 1;
            self.cursor.mark.column += 1;
        }
    }

    /// Over bytes of ASCII that end no line.
    pub(super) fn skip_ascii(&mut self, count: usize) {
        self.cursor.at += count;
        self.cursor.mark.index += count;
        self.cursor.mark.column += count;
    }

    /// Over one character, which is read.
    pub(super) fn read(&mut self, into: &mut Vec<u8>) {
        let start = self.cursor.at;
        self.skip();
        into.extend_from_slice(&self.text[start..self.cursor.at]);
    }

    /// Over characters that `is_part` of something, as long as they are ASCII.
    pub(super) fn read_ascii_while(&mut self, into: &mut Vec<u8>, is_part: impl Fn(u8) -> bool) {
        let count = self.rest().iter().take_while(|byte| byte.is_ascii() && is_part(**byte)).count();
        into.extend_from_slice(&self.rest()[..count]);
        self.skip_ascii(count);
    }

    pub(super) fn skip_blanks(&mut self) {
        while self.is_blank() {
            self.skip_ascii(1);
        }
    }

    pub(super) fn skip_to_line_end(&mut self) {
        while !self.is_break_or_end() {
            self.skip();
        }
    }

    /// Over the end of a line, if there is one.
    pub(super) fn skip_break(&mut self) {
        let width = self.break_width(0);
        if width > 0 {
            self.cursor.mark.index += if self.rest().starts_with(b"\r\n") { 2 } else { 1 };
            self.cursor.at += width;
            self.cursor.mark.line += 1;
            self.cursor.mark.column = 0;
        }
    }

    /// Over the end of a line, which is read: as a line feed, but for those that Unicode alone has.
    pub(super) fn read_break(&mut self, into: &mut Vec<u8>) {
        match self.break_width(0) {
            0 => {}
            3 => into.extend_from_slice(&self.rest()[..3]),
            _ => into.push(b'\n'),
        }
        self.skip_break();
    }

    /// Behind the last line.
    pub(super) fn end_line(&mut self) {
        if self.cursor.mark.column != 0 {
            self.cursor.mark.column = 0;
            self.cursor.mark.line += 1;
        }
    }
}
