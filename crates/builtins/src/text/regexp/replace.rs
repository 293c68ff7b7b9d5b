//! `sub`, `gsub` and their destructive forms.
//!
//! The loop works on a frozen copy of the string, so that a block may do to the string what it likes: a destructive form
//! notices and raises. `$~` is set before the block is called, and to the last match in the end.
//!
//! # References
//! CRuby `rb_str_sub_bang`, `str_gsub`, `rb_reg_regsub`.

use super::find::{Finder, publish};
use super::search::frozen_copy;
use carat_text::chars;
use carat_text::compat::{compatible, incompatible_message};
use carat_text::encoding::EncodingIndex;
use carat_text::text::Text;
use carat_vm::{Block, CodeRange, Ec, Hash, Result, Str, Value, methods, sym};

methods! {
    METHODS {
        borrowing "sub" => sub;
        "sub!" => sub_bang;
        borrowing "gsub" => gsub;
        "gsub!" => gsub_bang;
    }
}

/// What takes the place of a match.
enum Replacement {
    /// A string without escapes.
    Plain(Str),
    /// A string with escapes, read once.
    Template(Str, Vec<Piece>),
    Lookup(Hash),
    Block(Block),
}

/// A piece of a replacement string.
#[derive(Debug, PartialEq, Clone, Copy)]
enum Piece {
    /// Bytes of the replacement itself.
    Literal(usize, usize),
    Group(usize),
    /// `\1`; nothing where groups have names.
    NumberedGroup(usize),
    /// `\+`: the last group that matched.
    LastGroup,
    /// `\k<name>`: where the name stands.
    Named(usize, usize),
    Before,
    After,
}

/// Reads the escapes of a replacement string. A `\\k<` without an end is a name that ends nowhere.
fn read_template(text: &[u8]) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut literal = 0;
    let mut at = 0;
    while at + 1 < text.len() {
        if text[at] != b'\\' {
            at += 1;
            continue;
        }
        let (piece, len) = match text[at + 1] {
            digit @ b'1'..=b'9' => (Piece::NumberedGroup(usize::from(digit - b'0')), 2),
            b'0' | b'&' => (Piece::Group(0), 2),
            b'+' => (Piece::LastGroup, 2),
            b'`' => (Piece::Before, 2),
            b'\'' => (Piece::After, 2),
            b'\\' => (Piece::Literal(at + 1, at + 2), 2),
            b'k' if text.get(at + 2) == Some(&b'<') => match text[at + 3..].iter().position(|b| *b == b'>') {
                Some(len) => (Piece::Named(at + 3, at + 3 + len), len + 4),
                None => (Piece::Named(at + 3, usize::MAX), text.len() - at),
            },
            _ => {
                at += 2;
                continue;
            }
        };
        if literal < at {
            pieces.push(Piece::Literal(literal, at));
        }
        pieces.push(piece);
        at += len;
        literal = at;
    }
    if literal < text.len() {
        pieces.push(Piece::Literal(literal, text.len()));
    }
    pieces
}

impl Replacement {
    fn new(ec: &mut Ec, value: Option<Value>, block: Option<Block>) -> Result<Option<Replacement>> {
        let Some(value) = value else { return Ok(block.map(Replacement::Block)) };
        if Str::from_value(value).is_none()
            && let Some(hash) = ec.check_hash(value)?
        {
            return Ok(Some(Replacement::Lookup(hash)));
        }
        let text = ec.to_str(value)?;
        // Backslashes are ASCII and no trail bytes where strings are valid in the usual encodings.
        let has_escapes = text.bytes(ec).contains(&b'\\');
        Ok(Some(if has_escapes {
            Replacement::Template(text, read_template(text.bytes(ec)))
        } else {
            Replacement::Plain(text)
        }))
    }
}

/// What finds the pattern. A broken string is none, as it is no source of a Regexp.
fn finder(ec: &mut Ec, pattern: Value, s: Str) -> Result<Finder> {
    let finder = Finder::new(ec, pattern, s)?;
    if let Finder::Text(text) = &finder
        && text.range(ec) == CodeRange::Broken
    {
        super::object::create_plain(ec, *text, 0)?;
    }
    Ok(finder)
}

/// A substitution that is under way.
struct Substitution {
    finder: Finder,
    replacement: Replacement,
    /// The frozen copy that is searched.
    source: Str,
    result: Output,
}

/// What has been put together so far.
struct Output {
    bytes: Vec<u8>,
    encoding: EncodingIndex,
    range: CodeRange,
}

impl Output {
    /// Appends a part of a string; the whole takes on an encoding that holds both.
    fn append(&mut self, ec: &mut Ec, from: Str, start: usize, end: usize) -> Result<()> {
        self.append_or_say(ec, from, start, end, incompatible_message)
    }

    /// The same; `message` is given the encodings of the whole and of the part, if nothing holds both.
    fn append_or_say(
        &mut self,
        ec: &mut Ec,
        from: Str,
        start: usize,
        end: usize,
        message: fn(EncodingIndex, EncodingIndex) -> String,
    ) -> Result<()> {
        if start == end {
            return Ok(());
        }
        let range = from.range(ec);
        if self.encoding != from.encoding() {
            let own = Text::new(&self.bytes, self.encoding, self.range);
            let part = Text::of(&from.bytes(ec)[start..end], from.encoding());
            let Some(encoding) = compatible(own, part) else {
                let message = message(self.encoding, from.encoding());
                return Err(ec.error(ec.vm().known().compatibility_error, &message));
            };
            self.encoding = encoding;
        }
        ec.make_room_in(&mut self.bytes, end - start)?;
        let is_whole = start == 0 && end == from.len(ec);
        self.range = self.range.combine(if is_whole { range } else { range.of_part() });
        self.bytes.extend_from_slice(&from.bytes(ec)[start..end]);
        Ok(())
    }

    fn append_all(&mut self, ec: &mut Ec, text: Str) -> Result<()> {
        let len = text.len(ec);
        self.append(ec, text, 0, len)
    }

    fn into_str(self, ec: &mut Ec) -> Result<Str> {
        Str::try_of_vec(ec, self.bytes, self.encoding, self.range)
    }
}

/// Whether nobody changed the string since the copy was made, which shares its bytes if they are many: then there is nothing to
/// compare.
fn is_as_before(ec: &Ec, this: Str, copy: Str) -> bool {
    let (now, before) = (this.bytes(ec), copy.bytes(ec));
    std::ptr::eq(now, before) || now == before
}

impl Substitution {
    /// Appends what takes the place of a match.
    fn replace(&mut self, ec: &mut Ec, found: (usize, usize)) -> Result<()> {
        match &self.replacement {
            Replacement::Plain(text) => self.result.append_all(ec, *text),
            Replacement::Template(..) => self.expand(ec, found),
            Replacement::Lookup(hash) => {
                let hash = hash.value();
                let matched = self.source.share(ec, found.0, found.1 - found.0);
                let value = ec.call(hash, sym::AREF, &[matched.value()])?;
                let text = ec.to_s(value)?;
                self.result.append_all(ec, text)
            }
            Replacement::Block(block) => {
                let block = *block;
                if ec.wants_last_match() {
                    let last = self.finder.match_data(ec, self.source, found);
                    ec.set_last_match(last);
                }
                let matched = self.source.share(ec, found.0, found.1 - found.0);
                let value = ec.yield_block(block, &[matched.value()])?;
                let text = ec.to_s(value)?;
                self.result.append_all(ec, text)
            }
        }
    }

    fn expand(&mut self, ec: &mut Ec, found: (usize, usize)) -> Result<()> {
        let Replacement::Template(text, pieces) = &self.replacement else { return Ok(()) };
        let text = *text;
        let mut index = 0;
        let count = pieces.len();
        while index < count {
            let Replacement::Template(_, pieces) = &self.replacement else { break };
            let piece = pieces[index];
            index += 1;
            let (from, span) = match piece {
                Piece::Literal(start, end) => (text, Some((start, end))),
                Piece::Before => (self.source, Some((0, found.0))),
                Piece::After => (self.source, Some((found.1, self.source.len(ec)))),
                Piece::Group(_) => (self.source, Some(found)),
                Piece::NumberedGroup(group) => match &self.finder {
                    Finder::Regexp(searcher) if !searcher.pattern.has_names() => (self.source, searcher.group(group)),
                    _ => (self.source, None),
                },
                Piece::LastGroup => match &self.finder {
                    Finder::Regexp(searcher) => {
                        (self.source, (1..searcher.group_count()).rev().find_map(|n| searcher.group(n)))
                    }
                    Finder::Text(_) => (self.source, None),
                },
                Piece::Named(start, end) => (self.source, self.named(ec, text, start, end)?),
            };
            if let Some((start, end)) = span {
                self.result.append(ec, from, start, end)?;
            }
        }
        Ok(())
    }

    fn named(&self, ec: &mut Ec, text: Str, start: usize, end: usize) -> Result<Option<(usize, usize)>> {
        let Some(name) = text.bytes(ec).get(start..end) else {
            return Err(ec.runtime_error("invalid group name reference format"));
        };
        let groups = match &self.finder {
            Finder::Regexp(searcher) => searcher.pattern.groups_named(name).map(|groups| (searcher, groups)),
            Finder::Text(_) => None,
        };
        match groups {
            Some((searcher, groups)) => Ok(groups.iter().rev().find_map(|n| searcher.group(*n as usize))),
            None => {
                let message = format!("undefined group name reference: {}", String::from_utf8_lossy(name));
                Err(ec.index_error(&message))
            }
        }
    }

    /// Whether what takes the place of a match comes from code that may change the string.
    fn calls_ruby(&self) -> bool {
        matches!(self.replacement, Replacement::Lookup(_) | Replacement::Block(_))
    }

    /// Replaces every match; whether there was any.
    fn run_all(&mut self, ec: &mut Ec, this: Str) -> Result<bool> {
        let s = self.source;
        let (mut copied, mut from) = (0, 0);
        let mut last = None;
        while let Some(found) = self.finder.find(ec, s, from)? {
            ec.check_ints()?;
            last = Some(found.0);
            self.result.append(ec, s, copied, found.0)?;
            self.replace(ec, found)?;
            if self.calls_ruby() && !is_as_before(ec, this, s) {
                return Err(ec.string_modified(this.value()));
            }
            copied = found.1;
            from = found.1;
            if found.0 == found.1 {
                if from >= s.len(ec) {
                    break;
                }
                from = next_char(ec, s, from);
                self.result.append(ec, s, copied, from)?;
                copied = from;
            }
        }
        self.finish(ec, copied, last)
    }

    /// Appends the rest and sets `$~` to the last match.
    fn finish(&mut self, ec: &mut Ec, copied: usize, last: Option<usize>) -> Result<bool> {
        let s = self.source;
        let Some(last) = last else {
            publish(ec, &self.finder, s, None);
            return Ok(false);
        };
        self.result.append(ec, s, copied, s.len(ec))?;
        if ec.wants_last_match() {
            let found = self.finder.find(ec, s, last)?;
            publish(ec, &self.finder, s, found);
        }
        Ok(true)
    }

    /// Replaces the first match; whether there was one.
    fn run_once(&mut self, ec: &mut Ec) -> Result<bool> {
        let s = self.source;
        let found = self.finder.find(ec, s, 0)?;
        publish(ec, &self.finder, s, found);
        let Some(found) = found else { return Ok(false) };
        self.result.append(ec, s, 0, found.0)?;
        self.replace(ec, found)?;
        // The string comes before what replaces a part of it.
        let message = |replacement, string| incompatible_message(string, replacement);
        self.result.append_or_say(ec, s, found.1, s.len(ec), message)?;
        if matches!(self.replacement, Replacement::Block(_)) {
            publish(ec, &self.finder, s, Some(found));
        }
        Ok(true)
    }
}

/// The byte behind the character at `at`, which is before the end.
pub(super) fn next_char(ec: &Ec, s: Str, at: usize) -> usize {
    chars::behind_char(s.as_text(ec), at)
}

/// How a substitution ended.
struct Outcome {
    result: Str,
    source: Str,
    is_changed: bool,
}

fn substitute(ec: &mut Ec, this: Str, pattern: Value, replacement: Replacement, is_global: bool) -> Result<Outcome> {
    let finder = finder(ec, pattern, this)?;
    let source = frozen_copy(ec, this);
    source.range(ec);
    let mut bytes = Vec::new();
    ec.make_room_in(&mut bytes, source.len(ec) + 16)?;
    bytes.reserve(source.len(ec) + 16);
    let result = Output { bytes, encoding: source.encoding(), range: CodeRange::SevenBit };
    let mut substitution = Substitution { finder, replacement, source, result };
    let is_changed = if is_global { substitution.run_all(ec, this) } else { substitution.run_once(ec) }?;
    Ok(Outcome { result: substitution.result.into_str(ec)?, source, is_changed })
}

fn arguments(ec: &mut Ec, replacement: Option<Value>, block: Option<Block>) -> Result<Replacement> {
    match Replacement::new(ec, replacement, block)? {
        Some(replacement) => Ok(replacement),
        None => Err(ec.arity_error(1, 2, Some(2))),
    }
}

/// The string with the result as its contents, if anything was replaced.
fn take(ec: &mut Ec, this: Str, outcome: Outcome) -> Result {
    if !outcome.is_changed {
        return Ok(Value::NIL);
    }
    this.check_mutable(ec)?;
    if !is_as_before(ec, this, outcome.source) {
        return Err(ec.string_modified(this.value()));
    }
    this.replace(ec, outcome.result);
    Ok(this.value())
}

fn sub(ec: &mut Ec, this: Str, pattern: Value, replacement: Option<Value>, block: Option<Block>) -> Result<Str> {
    let replacement = arguments(ec, replacement, block)?;
    let outcome = substitute(ec, this, pattern, replacement, false)?;
    Ok(if outcome.is_changed { outcome.result } else { this.copy(ec).told_unchanged(ec) })
}

fn sub_bang(ec: &mut Ec, this: Str, pattern: Value, replacement: Option<Value>, block: Option<Block>) -> Result {
    let replacement = arguments(ec, replacement, block)?;
    this.check_mutable(ec)?;
    let outcome = substitute(ec, this, pattern, replacement, false)?;
    take(ec, this, outcome)
}

/// What a form without replacement and block returns. It keeps both operands, and so no literals.
fn enumerator(ec: &mut Ec, this: Str, name: &str, pattern: Value) -> Result {
    let own = |ec: &mut Ec, text: Str| if text.is_frozen() { text.copy(ec) } else { text };
    let this = own(ec, this);
    let pattern = Str::from_value(pattern).map_or(pattern, |text| own(ec, text).value());
    let to_enum = ec.vm().intern("to_enum");
    let name = Value::symbol(ec.vm().intern(name));
    ec.call(this.value(), to_enum, &[name, pattern])
}

fn gsub(ec: &mut Ec, this: Str, pattern: Value, replacement: Option<Value>, block: Option<Block>) -> Result {
    let Some(replacement) = Replacement::new(ec, replacement, block)? else {
        return enumerator(ec, this, "gsub", pattern);
    };
    let outcome = substitute(ec, this, pattern, replacement, true)?;
    Ok(if outcome.is_changed { outcome.result } else { this.copy(ec).told_unchanged(ec) }.value())
}

fn gsub_bang(ec: &mut Ec, this: Str, pattern: Value, replacement: Option<Value>, block: Option<Block>) -> Result {
    this.check_mutable(ec)?;
    let Some(replacement) = Replacement::new(ec, replacement, block)? else {
        return enumerator(ec, this, "gsub!", pattern);
    };
    this.check_mutable(ec)?;
    let outcome = substitute(ec, this, pattern, replacement, true)?;
    take(ec, this, outcome)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates_are_read_once() {
        use Piece::*;
        assert_eq!(read_template(b"a\\1b"), [Literal(0, 1), NumberedGroup(1), Literal(3, 4)]);
        assert_eq!(read_template(b"\\k<ab>\\0"), [Named(3, 5), Group(0)]);
        assert_eq!(read_template(b"\\\\1"), [Literal(1, 2), Literal(2, 3)]);
        assert_eq!(read_template(b"\\x\\"), [Literal(0, 3)]);
        assert_eq!(read_template(b"\\`\\'\\+"), [Before, After, LastGroup]);
    }
}
