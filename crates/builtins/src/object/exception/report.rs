//! `full_message`, `detailed_message`, and the text of an uncaught exception.
//!
//! # References
//! CRuby: `eval_error.c`, `rb_error_write`.

use carat_vm::{Array, Ec, Keywords, Result, Str, Value, sym};

/// How a message is put together.
#[derive(Clone, Copy)]
struct Style {
    highlight: bool,
    /// Outermost frame first, the message last.
    reverse: bool,
    /// Lines of backtrace to print; the rest is counted.
    limit: Option<usize>,
}

/// Of a stack overflow's backtrace only this many lines are shown at either end.
const OVERFLOW_HEAD: usize = 8;
const OVERFLOW_TAIL: usize = 5;
/// Shorter backtraces are shown whole.
const OVERFLOW_MAX: usize = OVERFLOW_HEAD + OVERFLOW_TAIL + 5;

pub(super) fn detailed_message(ec: &mut Ec, this: Value, keywords: Keywords) -> Result {
    if let Some(explained) = super::explain::detailed_message(ec, this, keywords)? {
        return Ok(explained);
    }
    let highlight = highlight_option(ec, keywords)?;
    let message = message_or_empty(ec, this)?;
    decorate(ec, this, message, highlight).map(Str::value)
}

fn message_or_empty(ec: &mut Ec, this: Value) -> Result<Str> {
    let message = ec.call(this, sym::MESSAGE, &[])?;
    Ok(Str::from_value(message).unwrap_or_else(|| Str::from_text(ec, "")))
}

fn highlight_option(ec: &mut Ec, keywords: Keywords) -> Result<bool> {
    match keywords.get(ec, sym::HIGHLIGHT) {
        None | Some(Value::NIL | Value::FALSE) => Ok(false),
        Some(Value::TRUE) => Ok(true),
        Some(other) => {
            let shown = ec.inspect(other)?.to_text(ec);
            Err(ec.argument_error(&format!("expected true or false as highlight: {shown}")))
        }
    }
}

/// The message with the class's name behind its first line.
fn decorate(ec: &mut Ec, exception: Value, message: Str, highlight: bool) -> Result<Str> {
    let class = ec.class_of(exception).real();
    let name = class.to_text(ec);
    let text = message.owned_bytes(ec)?;
    let out = if text.is_empty() {
        let is_plain = class == ec.vm().known().runtime_error;
        let shown = if is_plain { "unhandled exception" } else { &name };
        if highlight { format!("\x1b[1;4m{shown}\x1b[m").into_bytes() } else { shown.as_bytes().to_vec() }
    } else {
        decorated(&text, Some(&*name).filter(|n| !n.starts_with('#')), highlight)
    };
    Ok(Str::new(ec, &out, message.encoding(), carat_vm::CodeRange::Unknown))
}

fn decorated(text: &[u8], class: Option<&str>, highlight: bool) -> Vec<u8> {
    let (first, rest) = match text.iter().position(|b| *b == b'\n') {
        Some(at) => (&text[..at], &text[at + 1..]),
        None => (text, &b""[..]),
    };
    let mut out = Vec::with_capacity(text.len() + 40);
    let (bold, underline, reset) = if highlight { ("\x1b[1m", "\x1b[1;4m", "\x1b[m") } else { ("", "", "") };
    out.extend_from_slice(bold.as_bytes());
    out.extend_from_slice(first);
    if let Some(class) = class {
        out.extend_from_slice(format!(" ({underline}{class}{reset}{bold})").as_bytes());
    }
    out.extend_from_slice(reset.as_bytes());
    if rest.is_empty() {
        return out;
    }
    for line in rest.split(|b| *b == b'\n') {
        out.push(b'\n');
        if !line.is_empty() {
            out.extend_from_slice(bold.as_bytes());
            out.extend_from_slice(line);
            out.extend_from_slice(reset.as_bytes());
        }
    }
    out
}

pub(super) fn full_message(ec: &mut Ec, this: Value, keywords: Keywords) -> Result<Str> {
    let highlight = match keywords.get(ec, sym::HIGHLIGHT) {
        None | Some(Value::NIL) => std::io::IsTerminal::is_terminal(&std::io::stderr()),
        Some(_) => highlight_option(ec, keywords)?,
    };
    let reverse = order_option(ec, keywords)?;
    let limit = ec.vm().extension::<crate::system::settings::Settings>().backtrace_limit();
    let style = Style { highlight, reverse, limit };
    let options = carat_vm::Hash::new(ec);
    if let Some(given) = keywords.0 {
        options.replace(ec, given)?;
    }
    options.set_symbol(ec, sym::HIGHLIGHT, Value::bool(highlight));
    let text = write_all(ec, this, style, options)?;
    Ok(Str::new(ec, &text, carat_vm::EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown))
}

/// Whether `order: :bottom` was asked for.
fn order_option(ec: &mut Ec, keywords: Keywords) -> Result<bool> {
    let order = ec.vm().intern("order");
    let Some(given) = keywords.get(ec, order).filter(|o| !o.is_nil()) else { return Ok(false) };
    let name = ec.to_name(given)?;
    match ec.vm().symbol_text(name).as_str() {
        "top" => Ok(false),
        "bottom" => Ok(true),
        _ => {
            let shown = ec.inspect(given)?.to_text(ec);
            Err(ec.argument_error(&format!("expected :top or :bottom as order: {shown}")))
        }
    }
}

/// What goes to standard error when nothing rescues an exception.
pub(crate) fn error_report(ec: &mut Ec, exception: Value) -> Vec<u8> {
    let limit = ec.vm().extension::<crate::system::settings::Settings>().backtrace_limit();
    let highlight = std::io::IsTerminal::is_terminal(&std::io::stderr());
    let style = Style { highlight, reverse: false, limit };
    let options = carat_vm::Hash::new(ec);
    options.set_symbol(ec, sym::HIGHLIGHT, Value::bool(highlight));
    match write_all(ec, exception, style, options) {
        Ok(text) => text,
        Err(_) => format!("{}\n", super::describe_exception(ec, exception)).into_bytes(),
    }
}

/// The exception, and then its causes, each once.
fn write_all(ec: &mut Ec, exception: Value, style: Style, options: carat_vm::Hash) -> Result<Vec<u8>> {
    let chain = causes(ec, exception);
    let mut out = Vec::new();
    if style.reverse {
        out.extend_from_slice(if style.highlight { b"\x1b[1mTraceback\x1b[m" } else { b"Traceback" });
        out.extend_from_slice(b" (most recent call last):\n");
    }
    for number in 0..chain.len(ec) {
        let index = if style.reverse { chain.len(ec) - 1 - number } else { number };
        write_one(ec, &mut out, chain.at(ec, index), style, options)?;
    }
    Ok(out)
}

fn causes(ec: &Ec, exception: Value) -> Array {
    let chain = Array::new(ec, 1);
    let mut next = exception;
    while !next.is_nil() && !chain.slice_of(ec).contains(&next) {
        chain.push(ec, next);
        next = ec.field(next, sym::CAUSE_IVAR).unwrap_or(Value::NIL);
    }
    chain
}

fn write_one(ec: &mut Ec, out: &mut Vec<u8>, exception: Value, style: Style, options: carat_vm::Hash) -> Result<()> {
    let backtrace = ec.call(exception, sym::BACKTRACE, &[])?;
    let backtrace = super::check_backtrace(ec, backtrace)?;
    let backtrace = Array::from_value(backtrace).filter(|b| !b.is_empty(ec));
    let message = detailed(ec, exception, options)?;
    if style.reverse {
        write_backtrace(ec, out, exception, backtrace, style);
    }
    let place = match backtrace.and_then(|b| b.get(ec, 0)).and_then(Str::from_value) {
        Some(line) => format!("{}: ", line.to_text(ec)),
        None => error_position(ec),
    };
    out.extend_from_slice(place.as_bytes());
    out.extend_from_slice(message.bytes(ec));
    out.push(b'\n');
    if !style.reverse {
        write_backtrace(ec, out, exception, backtrace, style);
    }
    Ok(())
}

/// `detailed_message`, which a program may redefine to give something else.
fn detailed(ec: &mut Ec, exception: Value, options: carat_vm::Hash) -> Result<Str> {
    let passing = carat_vm::call::Passing { keywords: Some(options), block: None };
    let text = match ec.respond_to(exception, sym::DETAILED_MESSAGE, true)? {
        true => ec.call_with(exception, sym::DETAILED_MESSAGE, &[], passing)?,
        false => Value::NIL,
    };
    if let Some(text) = ec.check_string(text)? {
        return Ok(text);
    }
    let name = ec.class_of(exception).real().to_text(ec);
    let is_highlighted = options.get_symbol(ec, sym::HIGHLIGHT).is_some_and(Value::truthy);
    Ok(Str::from_text(ec, &if is_highlighted { format!("\x1b[1;4m{name}\x1b[m") } else { name }))
}

/// Where the program is, for an exception that does not know where it was raised.
fn error_position(ec: &Ec) -> String {
    let settings = ec.vm().extension::<crate::system::settings::Settings>();
    match carat_vm::backtrace::some_locations(ec, 0, 0, 1).unwrap_or_default().first() {
        Some(location) => format!("{}:{}:in '{}': ", location.path(), location.line, location.base_label),
        None => format!("{}: ", settings.script_name()),
    }
}

fn write_backtrace(ec: &Ec, out: &mut Vec<u8>, exception: Value, backtrace: Option<Array>, style: Style) {
    let Some(lines) = backtrace else { return };
    let count = lines.len(ec);
    let width = count.saturating_sub(1).to_string().len();
    let (skip_start, skip_count) = skipped(ec, exception, count, style.limit);
    let mut index = 1;
    while index < count {
        if index == skip_start {
            out.extend_from_slice(format!("\t ... {skip_count} levels...\n").as_bytes());
            index += skip_count;
            if index >= count {
                break;
            }
        }
        let line = lines.at(ec, if style.reverse { count - index } else { index });
        if let Some(line) = Str::from_value(line) {
            out.push(b'\t');
            if style.reverse {
                out.extend_from_slice(format!("{:width$}: ", count - index).as_bytes());
            }
            out.extend_from_slice(b"from ");
            out.extend_from_slice(line.bytes(ec));
            out.push(b'\n');
        }
        index += 1;
    }
}

/// First line to leave out, and how many; line 0 is never reached.
fn skipped(ec: &Ec, exception: Value, count: usize, limit: Option<usize>) -> (usize, usize) {
    if let Some(limit) = limit
        && count > limit + 2
    {
        return (limit + 1, count - limit - 1);
    }
    if ec.is_a(exception, ec.vm().known().system_stack_error) && count > OVERFLOW_MAX {
        return (OVERFLOW_HEAD + 1, count - OVERFLOW_HEAD - OVERFLOW_TAIL);
    }
    (0, 0)
}
