//! `String#split`.
//!
//! # References
//! CRuby `rb_str_split_m`.

use super::find::check_compatible;
use super::object::Regexp;
use super::replace::next_char;
use super::search::{Searcher, frozen_copy};
use crate::number::integer::operand::to_c_int;
use carat_text::lines::is_only;
use carat_text::split as text_split;
use carat_text::text::Text;
use carat_vm::{Array, Block, CodeRange, Data, Ec, Result, Str, Value, methods, sym};
use std::ops::Range;

methods! {
    METHODS {
        borrowing "split" => split;
    }
}

/// What separates fields.
enum Separator {
    WhiteSpace,
    Characters,
    Text(Str),
    Regexp(Data<Regexp>),
}

impl Separator {
    fn new(ec: &mut Ec, s: Str, pattern: Value) -> Result<Separator> {
        let pattern = if pattern.is_nil() { field_separator(ec)? } else { pattern };
        if pattern.is_nil() {
            check_whole(ec, s)?;
            return Ok(Separator::WhiteSpace);
        }
        if let Some(regexp) = Data::from_value(pattern) {
            return Ok(Separator::Regexp(regexp));
        }
        let Some(text) = ec.check_string(pattern)? else { return Err(ec.wrong_type(pattern, "Regexp")) };
        check_whole(ec, text)?;
        check_whole(ec, s)?;
        if is_only(text.as_text(ec), b' ') {
            return Ok(Separator::WhiteSpace);
        }
        if text.is_empty(ec) {
            return Ok(Separator::Characters);
        }
        check_compatible(ec, s, text)?;
        Ok(Separator::Text(text))
    }
}

/// `$;`, whose use is warned of.
fn field_separator(ec: &mut Ec) -> Result {
    let separator = ec.global_value(sym::FIELD_SEPARATOR);
    if !separator.is_nil() {
        ec.warn_deprecated("$; is set to non-nil value")?;
    }
    Ok(separator)
}

/// Separators and what they separate must be valid.
fn check_whole(ec: &mut Ec, s: Str) -> Result<()> {
    if s.range(ec) == CodeRange::Broken {
        return Err(ec.argument_error(&format!("invalid byte sequence in {}", s.encoding().name())));
    }
    Ok(())
}

fn split(ec: &mut Ec, this: Str, pattern: Option<Value>, limit: Option<Value>, block: Option<Block>) -> Result {
    let limit = limit.map_or(Ok(0), |limit| to_c_int(ec, limit))?.into();
    this.range(ec);
    let mut is_watched = false;
    let fields = if limit == 1 && !this.is_empty(ec) {
        let whole = this.copy(ec).value();
        Array::from_slice(ec, &[whole])
    } else if limit == 1 {
        Array::new(ec, 0)
    } else {
        let separator = Separator::new(ec, this, pattern.unwrap_or(Value::NIL))?;
        is_watched = !matches!(separator, Separator::Regexp(_));
        fields(ec, this, separator, limit)?
    };
    let Some(block) = block else { return Ok(fields.value()) };
    let before = this.bytes(ec).as_ptr_range();
    for index in 0..fields.len(ec) {
        ec.yield_block(block, &[fields.at(ec, index)])?;
        if is_watched && this.bytes(ec).as_ptr_range() != before {
            return Err(ec.runtime_error("string modified"));
        }
    }
    Ok(this.value())
}

/// The text that a pattern stands for: that of a source without letters of any meaning, if it finds in the string what the pattern
/// does.
fn literal(ec: &Ec, s: Str, regexp: Data<Regexp>) -> Option<Str> {
    let regexp = regexp.get(ec);
    let is_compiled = matches!(&regexp.pattern, Some(Ok(pattern)) if pattern.options == 0);
    let source = Str::from_value(regexp.source).filter(|_| is_compiled)?;
    let is_plain = |byte: &u8| byte.is_ascii_alphanumeric() || b" ,;:/=-_&@!\"'<>~%".contains(byte);
    let bytes = source.bytes(ec);
    let is_literal = bytes.iter().all(is_plain);
    let is_whole = s.encoding().is_ascii_compatible() && !matches!(s.known_range(), CodeRange::Broken);
    (is_literal && is_whole).then_some(source)
}

fn fields(ec: &mut Ec, s: Str, separator: Separator, limit: i64) -> Result<Array> {
    let bounds = isize::try_from(limit).unwrap_or(0);
    let separator = match separator {
        Separator::Regexp(regexp) => match literal(ec, s, regexp) {
            Some(text) if text.is_empty(ec) => Separator::Characters,
            Some(text) => Separator::Text(text),
            None => separator,
        },
        other => other,
    };
    // Interrupts are served between matches.
    let s = if s.len(ec) > LONG || matches!(separator, Separator::Regexp(_)) { frozen_copy(ec, s) } else { s };
    if let Separator::Regexp(regexp) = separator {
        return by_regexp(ec, s, regexp, limit);
    }
    if s.is_empty(ec) {
        return Ok(Array::new(ec, 0));
    }
    if s.len(ec) > LONG {
        return by_blocks(ec, s, &separator, bounds);
    }
    let ranges = find_fields(ec, s.as_text(ec), &separator, bounds);
    let fields = Array::new(ec, ranges.len());
    for field in ranges {
        push(ec, fields, s, field)?;
    }
    Ok(fields)
}

fn find_fields(ec: &Ec, text: Text<'_>, separator: &Separator, limit: isize) -> Vec<Range<usize>> {
    match separator {
        Separator::WhiteSpace => text_split::awk(text, limit),
        Separator::Characters => text_split::by_chars(text, limit),
        Separator::Text(separator) => text_split::by_string(text, separator.as_text(ec), limit),
        Separator::Regexp(_) => Vec::new(),
    }
}

/// A longer string is split in blocks, between which interrupts are served.
const LONG: usize = 1 << 16;
/// Fields of a block.
const BLOCK: usize = 4096;

/// Splits with a limit again and again: the last field is what is left for the next time.
fn by_blocks(ec: &mut Ec, s: Str, separator: &Separator, limit: isize) -> Result<Array> {
    let fields = Array::new(ec, 0);
    let (mut from, mut left) = (0, limit);
    loop {
        ec.check_ints()?;
        let is_last = left > 0 && left as usize <= BLOCK + 1;
        let rest = s.as_text(ec);
        let rest = Text::new(&rest.bytes[from..], rest.encoding, rest.coderange.of_part());
        let mut found = find_fields(ec, rest, separator, if is_last { left } else { BLOCK as isize + 1 });
        let next = if is_last || found.len() <= BLOCK { None } else { found.pop() };
        for field in found {
            push(ec, fields, s, from + field.start..from + field.end)?;
        }
        match next {
            Some(next) => from += next.start,
            None if limit == 0 => {
                drop_empty(ec, fields);
                return Ok(fields);
            }
            None => return Ok(fields),
        }
        left -= if left > 0 { BLOCK as isize } else { 0 };
    }
}

fn push(ec: &mut Ec, fields: Array, s: Str, field: Range<usize>) -> Result<()> {
    let text = s.share(ec, field.start, field.len());
    fields.make_room(ec, 1)?;
    fields.push(ec, text.value());
    Ok(())
}

fn by_regexp(ec: &mut Ec, s: Str, regexp: Data<Regexp>, limit: i64) -> Result<Array> {
    let mut searcher = Searcher::new(ec, regexp, s)?;
    let fields = Array::new(ec, 0);
    let len = s.len(ec);
    if len == 0 {
        return Ok(fields);
    }
    // Where the next field begins, where to search, whether an empty match was just stepped over, how many fields there are.
    let (mut begin, mut from, mut was_empty, mut count) = (0, 0, false, 1);
    while let Some((start, end)) = searcher.search(ec, s, from)? {
        ec.check_ints()?;
        if start == end && from == start && !was_empty {
            from = if from == len { len + 1 } else { next_char(ec, s, from) };
            was_empty = true;
            continue;
        }
        if start == end && from == start {
            push(ec, fields, s, begin..from)?;
            begin = from;
        } else {
            push(ec, fields, s, begin..start)?;
            (begin, from) = (end, end);
        }
        was_empty = false;
        push_groups(ec, fields, s, &searcher)?;
        count += 1;
        if limit > 0 && limit <= count {
            break;
        }
    }
    if len > begin || limit != 0 {
        push(ec, fields, s, begin..len)?;
    }
    if limit == 0 {
        drop_empty(ec, fields);
    }
    Ok(fields)
}

fn push_groups(ec: &mut Ec, fields: Array, s: Str, searcher: &Searcher) -> Result<()> {
    for group in 1..searcher.group_count() {
        if let Some((start, end)) = searcher.group(group) {
            push(ec, fields, s, start..end)?;
        }
    }
    Ok(())
}

/// Drops empty fields at the end.
fn drop_empty(ec: &Ec, fields: Array) {
    while fields.last(ec).and_then(Str::from_value).is_some_and(|field| field.is_empty(ec)) {
        fields.pop(ec);
    }
}
