//! What a program can ask about where it is: `caller`, `__method__`, `block_given?`.

use crate::object::exception::location;
use carat_vm::backtrace::{self, Line, Location};
use carat_vm::{Ec, Result, Str, SymbolId, Value, methods};

methods! {
    METHODS {
        module_function "caller" => caller;
        module_function "caller_locations" => caller_locations;
        module_function "__method__" => method_name;
        module_function "__callee__" => callee_name;
        module_function "__dir__" => directory;
        module_function "block_given?" => is_block_given;
        module_function "iterator?" => is_iterator;
    }
}

/// Which part of the frames is wanted.
enum Part {
    None,
    From(usize, Option<usize>),
}

fn caller(ec: &mut Ec, _this: Value, start: Option<Value>, length: Option<Value>) -> Result {
    let Some(lines) = wanted(ec, start, length)? else { return Ok(Value::NIL) };
    let locations: Vec<Location> = lines.iter().map(|line| line.locate(ec)).collect();
    Ok(backtrace::to_array(ec, &locations).value())
}

fn caller_locations(ec: &mut Ec, _this: Value, start: Option<Value>, length: Option<Value>) -> Result {
    let Some(lines) = wanted(ec, start, length)? else { return Ok(Value::NIL) };
    Ok(location::frames_to_array(ec, lines).value())
}

/// The lines that are wanted of the running frames.
fn wanted(ec: &mut Ec, start: Option<Value>, length: Option<Value>) -> Result<Option<Vec<Line>>> {
    let start = start.unwrap_or(Value::len(1));
    // Frame 0 is `caller` itself. A range may count from the end.
    let is_range = ec.range_of(start).is_some() && length.is_none();
    let total = if is_range { backtrace::frame_count(ec, 1) } else { 0 };
    let Part::From(first, count) = part(ec, start, length, total)? else { return Ok(None) };
    if count == Some(0) && !is_range {
        return Ok(Some(Vec::new()));
    }
    Ok(backtrace::some_lines(ec, 1, first, count.map_or(usize::MAX, |count| first.saturating_add(count))))
}

/// The lines that a level and a number of lines, or a range of levels, select; `None` if there are not that many.
pub(crate) fn part_of_backtrace(
    ec: &mut Ec,
    mut all: Vec<Location>,
    start: Value,
    length: Option<Value>,
) -> Result<Option<Vec<Location>>> {
    let part = part(ec, start, length, all.len())?;
    let Part::From(first, count) = part else { return Ok(None) };
    if first > all.len() {
        return Ok(None);
    }
    all.drain(..first);
    all.truncate(count.unwrap_or(usize::MAX));
    Ok(Some(all))
}

fn part(ec: &mut Ec, start: Value, length: Option<Value>, total: usize) -> Result<Part> {
    if let (Some((begin, end, excludes)), None) = (ec.range_of(start), length) {
        return range_part(ec, begin, end, excludes, total);
    }
    let first = ec.to_long(start)?;
    if first < 0 {
        return Err(ec.argument_error(&format!("negative level ({first})")));
    }
    let count = match length.filter(|l| !l.is_nil()) {
        Some(length) => Some(ec.to_long(length)?),
        None => None,
    };
    match count {
        Some(n) if n < 0 => Err(ec.argument_error(&format!("negative size ({n})"))),
        n => Ok(Part::From(first as usize, n.map(|n| n as usize))),
    }
}

fn range_part(ec: &mut Ec, begin: Value, end: Value, excludes: bool, total: usize) -> Result<Part> {
    let total = total as i64;
    let from_end = |n: i64| if n < 0 { n + total } else { n };
    let first = if begin.is_nil() { 0 } else { ec.to_long(begin)? };
    let last = if end.is_nil() { -1 } else { ec.to_long(end)? };
    let (first, last) = (from_end(first), from_end(last) - i64::from(excludes && !end.is_nil()));
    if first < 0 || first > total {
        return Ok(Part::None);
    }
    Ok(Part::From(first as usize, Some((last - first + 1).max(0) as usize)))
}

fn method_name(ec: &mut Ec, _this: Value) -> Option<SymbolId> {
    ec.caller_method_name()
}

fn callee_name(ec: &mut Ec, _this: Value) -> Option<SymbolId> {
    ec.caller_method_callee()
}

/// The folder of the running file's real path; nil in `eval`.
fn directory(ec: &mut Ec, _this: Value) -> Option<Str> {
    let (path, _) = ec.caller_place();
    let place = crate::system::load::place_of(ec, &path)?;
    let folder = std::path::Path::new(&place).parent()?.to_string_lossy().into_owned();
    let folder = if folder.is_empty() { ".".to_string() } else { folder };
    Some(Str::from_text(ec, &folder))
}

fn is_block_given(ec: &mut Ec, _this: Value) -> bool {
    ec.is_caller_given_block()
}

/// What `block_given?` was called before Ruby 1.9.
fn is_iterator(ec: &mut Ec, _this: Value) -> Result<bool> {
    ec.warn_deprecated("iterator? is deprecated; use block_given? instead")?;
    Ok(ec.is_caller_given_block())
}
