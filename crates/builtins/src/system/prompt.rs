//! What the prompt asks of the VM: running statements in one binding, and the names that could stand at a place.

use crate::object::exception;
use carat_vm::{Array, Ec, Result, Str, Value, sym};

/// Runs source in the top-level binding, remembers the result as `_`, and shows it.
pub fn evaluate_at_prompt(ec: &mut Ec, source: &str, file: &str, line: i32) -> Result<String> {
    let binding = toplevel_binding(ec)?;
    let args = [ec.str(source), ec.str(file), ec.int(i64::from(line))];
    let result = ec.call(binding, ec.vm().intern("eval"), &args)?;
    let args = [Value::symbol(ec.vm().intern("_")), result];
    ec.call(binding, ec.vm().intern("local_variable_set"), &args)?;
    Ok(ec.inspect(result)?.to_text(ec))
}

pub(crate) fn toplevel_binding(ec: &mut Ec) -> Result {
    let (object, name) = (ec.vm().known().object, ec.vm().intern("TOPLEVEL_BINDING"));
    object.public_constant(ec, name)
}

/// Whether what unwinds is meant to end the program: `exit`, or a signal other than an interrupt.
pub fn ends_program(ec: &Ec) -> bool {
    let known = ec.vm().known();
    let is_signal = ec.is_unwinding_with(known.signal_exception) && !ec.is_unwinding_with(known.interrupt);
    ec.pending_exception().is_none() || ec.is_unwinding_with(known.system_exit) || is_signal
}

/// The report of the exception that unwinds, which then counts as dealt with.
pub fn take_report(ec: &mut Ec) -> String {
    let Some(exception) = ec.pending_exception() else { return String::new() };
    let report = exception::error_report(ec, exception);
    ec.set_errinfo(Value::NIL);
    String::from_utf8_lossy(&report).into_owned()
}

/// Names that could go on at the end of a line, and where in the line they begin.
pub fn complete(ec: &mut Ec, line: &str) -> (usize, Vec<String>) {
    let start =
        line.rfind(|c: char| !is_name_char(c)).map_or(0, |at| at + line[at..].chars().next().map_or(1, char::len_utf8));
    let (before, word) = line.split_at(start);
    // What goes wrong while names are looked for has no place to be told.
    let mut found = candidates(ec, before, word).unwrap_or_default();
    found.retain(|name| name.starts_with(word));
    found.sort();
    found.dedup();
    (start, found)
}

fn is_name_char(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '?' | '!' | '@' | '$')
}

fn candidates(ec: &mut Ec, before: &str, word: &str) -> Result<Vec<String>> {
    if let Some(path) = before.strip_suffix("::") {
        let Some(scope) = receiver(ec, path)? else { return Ok(Vec::new()) };
        let mut names = names_of(ec, scope, "constants")?;
        names.extend(names_of(ec, scope, "methods")?);
        return Ok(names);
    }
    if let Some(expression) = before.strip_suffix('.').map(|e| e.trim_end_matches('&')) {
        return match receiver(ec, expression)? {
            Some(receiver) => names_of(ec, receiver, "methods"),
            None => Ok(Vec::new()),
        };
    }
    let (kernel, binding, main) = (ec.vm().known().kernel.value(), toplevel_binding(ec)?, ec.vm().main_object());
    match word.chars().next() {
        Some('$') => names_of(ec, kernel, "global_variables"),
        Some('@') => names_of(ec, main, "instance_variables"),
        Some(c) if c.is_uppercase() => names_of(ec, ec.vm().known().object.value(), "constants"),
        _ => {
            let mut names = names_of(ec, binding, "local_variables")?;
            names.extend(names_of(ec, main, "methods")?);
            names.extend(names_of(ec, main, "private_methods")?);
            names.extend(KEYWORDS.iter().map(|k| (*k).to_owned()));
            Ok(names)
        }
    }
}

const KEYWORDS: &[&str] = &[
    "alias", "begin", "break", "case", "class", "defined?", "else", "elsif", "end", "ensure", "false", "for", "if",
    "in", "module", "next", "nil", "redo", "rescue", "retry", "return", "self", "super", "then", "true", "undef",
    "unless", "until", "when", "while", "yield",
];

/// The value of an expression that has no side effects: a variable, a path of constants, or an example of a literal.
fn receiver(ec: &mut Ec, expression: &str) -> Result<Option<Value>> {
    let known = ec.vm().known();
    match expression.chars().last() {
        Some('\'' | '"') => return Ok(Some(Str::from_text(ec, "").value())),
        Some(']') => return Ok(Some(Array::new(ec, 0).value())),
        Some('}') => return Ok(Some(carat_vm::Hash::new(ec).value())),
        _ => {}
    }
    let name = expression.rsplit(|c: char| !is_name_char(c) && c != ':').next().unwrap_or("").trim_matches(':');
    if name.chars().all(|c| c.is_ascii_digit()) {
        return Ok((!name.is_empty()).then(|| Value::len(0)));
    }
    let is_method = expression.strip_suffix(name).is_some_and(|rest| rest.ends_with('.'));
    let is_constant = name.starts_with(char::is_uppercase);
    let binding = toplevel_binding(ec)?;
    let is_variable = name.starts_with(['$', '@']) || name == "self" || {
        let symbol = Value::symbol(ec.vm().intern(name));
        !is_constant && ec.call(binding, ec.vm().intern("local_variable_defined?"), &[symbol]).is_ok_and(Value::truthy)
    };
    if is_method || !(is_constant || is_variable) {
        return Ok(None);
    }
    if is_constant {
        let args = [ec.str(name)];
        return ec.call(known.object.value(), ec.vm().intern("const_get"), &args).map(Some);
    }
    let source = ec.str(name);
    ec.call(binding, ec.vm().intern("eval"), &[source]).map(Some)
}

/// What a method that lists names answers.
fn names_of(ec: &mut Ec, object: Value, method: &str) -> Result<Vec<String>> {
    let method = ec.vm().intern(method);
    let Some(list) = ec.call_if_responds(object, method, &[])?.and_then(Array::from_value) else {
        return Ok(Vec::new());
    };
    let mut names = Vec::with_capacity(list.len(ec));
    for index in 0..list.len(ec) {
        let name = ec.call(list.at(ec, index), sym::TO_S, &[])?;
        names.extend(Str::from_value(name).map(|s| s.to_text(ec)));
    }
    Ok(names)
}
