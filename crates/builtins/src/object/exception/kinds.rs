//! Exceptions with attributes of their own.

use carat_vm::{Array, Ec, Keywords, Rest, Result, Str, SymbolId, Value, methods, sym};

methods! {
    NAME_ERROR {
        private "initialize" => initialize_name_error;
        "name" => name;
        "receiver" => receiver;
        "local_variables" => local_variables;
    }
    NO_METHOD_ERROR {
        private "initialize" => initialize_no_method_error;
        "args" => args;
        "private_call?" => is_private_call;
    }
    KEY_ERROR {
        private "initialize" => initialize_key_error;
        "receiver" => receiver;
        "key" => key;
    }
    FROZEN_ERROR {
        private "initialize" => initialize_receiver_error;
        "receiver" => receiver;
    }
    NO_MATCHING_PATTERN_KEY_ERROR {
        private "initialize" => initialize_pattern_key_error;
        "matchee" => matchee;
        "key" => key;
    }
    STOP_ITERATION { "result" => result; }
    LOCAL_JUMP_ERROR {
        "reason" => reason;
        "exit_value" => value;
    }
    UNCAUGHT_THROW_ERROR {
        private "initialize" => initialize_uncaught_throw;
        "tag" => tag;
        "value" => value;
        "to_s" => uncaught_throw_to_s;
    }
    SYSTEM_EXIT {
        private "initialize" => initialize_system_exit;
        "status" => status;
        "success?" => is_success;
    }
    SIGNAL_EXCEPTION {
        private "initialize" => initialize_signal;
        "signo" => signo;
        alias "signm" of "message" => signm;
    }
    INTERRUPT { private "initialize" => initialize_interrupt; }
    SYNTAX_ERROR { "path" => path; }
    LOAD_ERROR { "path" => path; }
}

pub(super) fn init(ec: &mut Ec) {
    let k = ec.vm().known();
    let tables = [
        (k.name_error, NAME_ERROR),
        (k.no_method_error, NO_METHOD_ERROR),
        (k.key_error, KEY_ERROR),
        (k.frozen_error, FROZEN_ERROR),
        (k.no_matching_pattern_key_error, NO_MATCHING_PATTERN_KEY_ERROR),
        (k.stop_iteration, STOP_ITERATION),
        (k.local_jump_error, LOCAL_JUMP_ERROR),
        (k.uncaught_throw_error, UNCAUGHT_THROW_ERROR),
        (k.system_exit, SYSTEM_EXIT),
        (k.signal_exception, SIGNAL_EXCEPTION),
        (k.interrupt, INTERRUPT),
        (k.syntax_error, SYNTAX_ERROR),
        (k.load_error, LOAD_ERROR),
    ];
    tables.iter().for_each(|(class, table)| (*class).define_methods(ec, table));
}

fn set_message(ec: &Ec, this: Value, message: Option<Value>) {
    ec.set_field(this, sym::MESG, message.unwrap_or(Value::NIL));
}

/// Copies a keyword argument into a hidden field.
fn set_from_keyword(ec: &mut Ec, this: Value, keywords: Keywords, keyword: SymbolId, field: SymbolId) {
    if let Some(value) = keywords.get(ec, keyword) {
        ec.set_field(this, field, value);
    }
}

fn field_or_nil(ec: &Ec, this: Value, field: SymbolId) -> Value {
    ec.field(this, field).unwrap_or(Value::NIL)
}

/// An attribute that must have been given.
fn field_or_error(ec: &mut Ec, this: Value, field: SymbolId, name: &str) -> Result {
    match ec.field(this, field) {
        Some(value) => Ok(value),
        None => Err(ec.argument_error(&format!("no {name} is available"))),
    }
}

fn initialize_name_error(
    ec: &mut Ec,
    this: Value,
    message: Option<Value>,
    name: Option<Value>,
    keywords: Keywords,
) -> Result<()> {
    keywords.check(ec, &[sym::RECEIVER])?;
    set_message(ec, this, message);
    ec.set_field(this, sym::NAME_IVAR, name.unwrap_or(Value::NIL));
    set_from_keyword(ec, this, keywords, sym::RECEIVER, sym::RECEIVER_IVAR);
    Ok(())
}

fn initialize_no_method_error(
    ec: &mut Ec,
    this: Value,
    message: Option<Value>,
    name: Option<Value>,
    args: Option<Value>,
    private: Option<Value>,
    keywords: Keywords,
) -> Result<()> {
    initialize_name_error(ec, this, message, name, keywords)?;
    ec.set_field(this, sym::ARGS_IVAR, args.unwrap_or(Value::NIL));
    let flag = ec.vm().intern("__private_call");
    ec.set_field(this, flag, Value::bool(private.is_some_and(Value::truthy)));
    Ok(())
}

fn initialize_key_error(ec: &mut Ec, this: Value, message: Option<Value>, keywords: Keywords) -> Result<()> {
    keywords.check(ec, &[sym::RECEIVER, sym::KEY])?;
    set_message(ec, this, message);
    set_from_keyword(ec, this, keywords, sym::RECEIVER, sym::RECEIVER_IVAR);
    set_from_keyword(ec, this, keywords, sym::KEY, sym::KEY_IVAR);
    Ok(())
}

fn initialize_receiver_error(ec: &mut Ec, this: Value, message: Option<Value>, keywords: Keywords) -> Result<()> {
    keywords.check(ec, &[sym::RECEIVER])?;
    set_message(ec, this, message);
    set_from_keyword(ec, this, keywords, sym::RECEIVER, sym::RECEIVER_IVAR);
    Ok(())
}

fn initialize_pattern_key_error(ec: &mut Ec, this: Value, message: Option<Value>, keywords: Keywords) -> Result<()> {
    let matchee = ec.vm().intern("matchee");
    keywords.check(ec, &[matchee, sym::KEY])?;
    set_message(ec, this, message);
    set_from_keyword(ec, this, keywords, matchee, sym::RECEIVER_IVAR);
    set_from_keyword(ec, this, keywords, sym::KEY, sym::KEY_IVAR);
    Ok(())
}

fn name(ec: &mut Ec, this: Value) -> Value {
    field_or_nil(ec, this, sym::NAME_IVAR)
}

fn receiver(ec: &mut Ec, this: Value) -> Result {
    field_or_error(ec, this, sym::RECEIVER_IVAR, "receiver")
}

fn key(ec: &mut Ec, this: Value) -> Result {
    field_or_error(ec, this, sym::KEY_IVAR, "key")
}

fn matchee(ec: &mut Ec, this: Value) -> Result {
    field_or_error(ec, this, sym::RECEIVER_IVAR, "matchee")
}

/// The names of the locals where the error was raised, for suggestions.
fn local_variables(ec: &mut Ec, this: Value) -> Array {
    let list = Array::new(ec, 0);
    let stored = [sym::BT_LOCATIONS, sym::BT].into_iter().find_map(|n| ec.field(this, n));
    let place = stored.and_then(|stored| super::location::innermost(ec, stored));
    for name in place.map(|place| super::highlight::local_names(ec, &place)).unwrap_or_default() {
        let name = ec.vm().intern_bytes(&name, carat_vm::EncodingIndex::UTF_8);
        list.push(ec, Value::symbol(name));
    }
    list
}

fn args(ec: &mut Ec, this: Value) -> Value {
    field_or_nil(ec, this, sym::ARGS_IVAR)
}

fn is_private_call(ec: &mut Ec, this: Value) -> bool {
    let flag = ec.vm().intern("__private_call");
    field_or_nil(ec, this, flag).truthy()
}

fn result(ec: &mut Ec, this: Value) -> Value {
    field_or_nil(ec, this, sym::RESULT_IVAR)
}

fn reason(ec: &mut Ec, this: Value) -> Value {
    field_or_nil(ec, this, sym::REASON_IVAR)
}

fn value(ec: &mut Ec, this: Value) -> Value {
    field_or_nil(ec, this, sym::VALUE_IVAR)
}

fn path(ec: &mut Ec, this: Value) -> Value {
    let field = ec.vm().intern("__path");
    field_or_nil(ec, this, field)
}

// ---- UncaughtThrowError ----

fn initialize_uncaught_throw(ec: &mut Ec, this: Value, tag: Value, value: Value, message: Option<Value>) {
    ec.set_field(this, sym::TAG_IVAR, tag);
    ec.set_field(this, sym::VALUE_IVAR, value);
    set_message(ec, this, message);
}

fn tag(ec: &mut Ec, this: Value) -> Value {
    field_or_nil(ec, this, sym::TAG_IVAR)
}

fn uncaught_throw_to_s(ec: &mut Ec, this: Value) -> Result<Str> {
    let tag = field_or_nil(ec, this, sym::TAG_IVAR);
    let shown = ec.inspect(tag)?;
    let text = Str::from_text(ec, "uncaught throw ");
    text.push_str(ec, shown);
    Ok(text)
}

// ---- SystemExit ----

/// `SystemExit.new([status], [message])`: true is 0, false is 1.
fn initialize_system_exit(ec: &mut Ec, this: Value, args: Rest) -> Result<()> {
    let mut rest = args.iter();
    let mut status = 0;
    let mut message = rest.next();
    if let Some(given) = message.and_then(exit_status_of) {
        (status, message) = (given, rest.next());
    }
    if rest.next().is_some() {
        return Err(ec.arity_error(args.len(), 0, Some(2)));
    }
    let status = ec.int(status);
    ec.set_field(this, sym::STATUS_IVAR, status);
    set_message(ec, this, message);
    Ok(())
}

fn exit_status_of(value: Value) -> Option<i64> {
    match value {
        Value::TRUE => Some(0),
        Value::FALSE => Some(1),
        v => v.as_fixnum(),
    }
}

fn status(ec: &mut Ec, this: Value) -> Value {
    ec.field(this, sym::STATUS_IVAR).unwrap_or(Value::fixnum_unchecked(0))
}

fn is_success(ec: &mut Ec, this: Value) -> bool {
    status(ec, this) == Value::fixnum_unchecked(0)
}

// ---- SignalException ----

fn signo_field(ec: &Ec) -> SymbolId {
    ec.vm().intern("__signo")
}

/// `SignalException.new("INT")`, `.new(:SIGINT)` or `.new(2, "text")`.
fn initialize_signal(ec: &mut Ec, this: Value, signal: Value, text: Option<Value>) -> Result<()> {
    let (number, message) = match number_of_signal(ec, signal)? {
        Some(number) => (number, text.unwrap_or(Value::NIL)),
        None if text.is_some() => return Err(ec.arity_error(2, 1, Some(1))),
        None => named_signal(ec, signal)?,
    };
    let message = if message.is_nil() { Str::from_text(ec, &signal_text(number)).value() } else { message };
    set_message(ec, this, Some(message));
    let (field, number) = (signo_field(ec), ec.int(number));
    ec.set_field(this, field, number);
    Ok(())
}

fn number_of_signal(ec: &mut Ec, signal: Value) -> Result<Option<i64>> {
    if signal.is_symbol() || Str::from_value(signal).is_some() {
        return Ok(None);
    }
    let Some(converted) = ec.try_convert(signal, sym::TO_INT)? else { return Ok(None) };
    let number = ec.to_long(converted)?;
    if !(0..=64).contains(&number) {
        return Err(ec.argument_error(&format!("invalid signal number ({number})")));
    }
    Ok(Some(number))
}

fn named_signal(ec: &mut Ec, signal: Value) -> Result<(i64, Value)> {
    let text = match signal.as_symbol() {
        Some(name) => ec.vm().symbol_text(name),
        None => match ec.check_string(signal)? {
            Some(s) => s.to_text(ec),
            None => {
                let class = ec.describe_for_type_error(signal);
                return Err(ec.argument_error(&format!("bad signal type {class}")));
            }
        },
    };
    if text.starts_with('-') {
        return Err(ec.argument_error(&format!("negative signal name: {text}")));
    }
    let short = text.strip_prefix("SIG").unwrap_or(&text);
    // EXIT can be trapped, but is no signal.
    match crate::object::exception::signals::number(short).filter(|number| *number > 0) {
        Some(number) => Ok((number, Value::NIL)),
        None => Err(ec.argument_error(&format!("unsupported signal 'SIG{short}'"))),
    }
}

fn signal_text(number: i64) -> String {
    crate::object::exception::signals::name(number).map_or_else(|| format!("SIG{number}"), |n| format!("SIG{n}"))
}

fn initialize_interrupt(ec: &mut Ec, this: Value, message: Option<Value>) {
    let default = Str::from_text(ec, "Interrupt").value();
    set_message(ec, this, Some(message.unwrap_or(default)));
    let (field, number) = (signo_field(ec), ec.int(2));
    ec.set_field(this, field, number);
}

fn signo(ec: &mut Ec, this: Value) -> Value {
    let field = signo_field(ec);
    field_or_nil(ec, this, field)
}

fn signm(ec: &mut Ec, this: Value) -> Result {
    ec.call(this, sym::MESSAGE, &[])
}

/// Status and signal of an exception that ends the process.
pub(crate) fn exit_status(ec: &Ec, exception: Value) -> Option<i64> {
    ec.field(exception, sym::STATUS_IVAR).and_then(Value::as_fixnum)
}

/// The signal of which a program ends that does not rescue the exception.
pub(crate) fn signal_number(ec: &Ec, exception: Value) -> Option<i64> {
    ec.field(exception, signo_field(ec)).and_then(Value::as_fixnum)
}

/// Has a program that does not rescue the exception end as of a signal.
pub(crate) fn set_signal_number(ec: &mut Ec, exception: Value, number: i32) {
    let (field, number) = (signo_field(ec), ec.int(i64::from(number)));
    ec.set_field(exception, field, number);
}
