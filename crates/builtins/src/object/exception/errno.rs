//! `SystemCallError`, and `Errno` with a class for each error of the operating system.
//!
//! The classes are made when they are first used: there are more of them than of all others together.

use carat_vm::class::Constant;
use carat_vm::{Class, Ec, Rest, Result, Str, SymbolId, Unwind, Value, methods, sym};
use std::collections::HashMap;

methods! {
    SYSTEM_CALL_ERROR {
        static "new" => new;
        static "===" => matches;
        private "initialize" => initialize;
        "errno" => errno;
    }
}

macro_rules! numbers {
    ($name:ident $($constant:ident)*) => { const $name: &[(&str, i32)] = &[$((stringify!($constant), libc::$constant)),*]; };
}

numbers! { COMMON
    EPERM ENOENT ESRCH EINTR EIO ENXIO E2BIG ENOEXEC EBADF ECHILD EAGAIN EWOULDBLOCK ENOMEM EACCES EFAULT ENOTBLK EBUSY EEXIST EXDEV ENODEV
    ENOTDIR EISDIR EINVAL ENFILE EMFILE ENOTTY ETXTBSY EFBIG ENOSPC ESPIPE EROFS EMLINK EPIPE EDOM ERANGE EDEADLK ENAMETOOLONG ENOLCK ENOSYS
    ENOTEMPTY ELOOP ENOMSG EIDRM ENOSTR ENODATA ETIME ENOSR EREMOTE ENOLINK EPROTO EMULTIHOP EBADMSG EOVERFLOW EILSEQ EUSERS ENOTSOCK
    EDESTADDRREQ EMSGSIZE EPROTOTYPE ENOPROTOOPT EPROTONOSUPPORT ESOCKTNOSUPPORT ENOTSUP EOPNOTSUPP EPFNOSUPPORT EAFNOSUPPORT EADDRINUSE
    EADDRNOTAVAIL ENETDOWN ENETUNREACH ENETRESET ECONNABORTED ECONNRESET ENOBUFS EISCONN ENOTCONN ESHUTDOWN ETOOMANYREFS ETIMEDOUT
    ECONNREFUSED EHOSTDOWN EHOSTUNREACH EALREADY EINPROGRESS ESTALE EDQUOT ECANCELED EOWNERDEAD ENOTRECOVERABLE
}

#[cfg(target_os = "linux")]
numbers! { PLATFORM
    EDEADLOCK ECHRNG EL2NSYNC EL3HLT EL3RST ELNRNG EUNATCH ENOCSI EL2HLT EBADE EBADR EXFULL ENOANO EBADRQC EBADSLT EBFONT ENONET ENOPKG EADV
    ESRMNT ECOMM EDOTDOT ENOTUNIQ EBADFD EREMCHG ELIBACC ELIBBAD ELIBSCN ELIBMAX ELIBEXEC ERESTART ESTRPIPE EUCLEAN ENOTNAM ENAVAIL EISNAM
    EREMOTEIO ENOMEDIUM EMEDIUMTYPE ENOKEY EKEYEXPIRED EKEYREVOKED EKEYREJECTED ERFKILL EHWPOISON
}
#[cfg(not(target_os = "linux"))]
const PLATFORM: &[(&str, i32)] = &[];

const NO_ERROR: i32 = 0;

/// Names that other systems have: they are all one class with number 0.
const FOREIGN: &[&str] = &[
    "EAUTH",
    "EBADARCH",
    "EBADEXEC",
    "EBADMACHO",
    "EBADRPC",
    "ECAPMODE",
    "EDEVERR",
    "EDOOFUS",
    "EFTYPE",
    "EIPSEC",
    "ELAST",
    "ENEEDAUTH",
    "ENOATTR",
    "ENOPOLICY",
    "ENOTCAPABLE",
    "EPROCLIM",
    "EPROCUNAVAIL",
    "EPROGMISMATCH",
    "EPROGUNAVAIL",
    "EPWROFF",
    "EQFULL",
    "ERPCMISMATCH",
    "ESHLIBVERS",
];

/// The name of each number's class, and the lock under which classes are made.
#[derive(Default)]
struct Names {
    by_number: carat_sync::RwLock<HashMap<i32, SymbolId>>,
    making: carat_sync::Mutex<()>,
}

/// `Errno`, unless the program took it away.
fn errno_module(ec: &Ec) -> Option<Class> {
    ec.vm().known().object.own_constant(ec.vm().intern("Errno")).and_then(|c| Class::from_value(c.value))
}

pub(super) fn init(ec: &mut Ec) {
    let base = ec.vm().known().system_call_error;
    base.define_methods(ec, SYSTEM_CALL_ERROR);
    let module = ec.new_module();
    super::set_class_constant(ec, ec.vm().known().object, "Errno", module);
    let names = ec.vm().extension::<Names>();
    let mut by_number = names.by_number.write().unwrap_or_else(|e| e.into_inner());
    let foreign = FOREIGN.iter().map(|name| (*name, NO_ERROR));
    for (name, number) in [("NOERROR", NO_ERROR)].into_iter().chain(foreign).chain(all()) {
        let symbol = ec.vm().intern(name);
        by_number.entry(number).or_insert(symbol);
        module.put_constant(ec, symbol, Constant::lazy(make));
    }
}

fn all() -> impl Iterator<Item = (&'static str, i32)> {
    COMMON.iter().chain(PLATFORM).copied()
}

/// The value of a constant of `Errno` that is used for the first time. A second name of a number is the same class.
fn make(ec: &mut Ec, name: SymbolId) -> Value {
    let text = ec.vm().symbol_text(name);
    let number = all().find(|(name, _)| *name == text).map_or(NO_ERROR, |(_, number)| number);
    class_of_number(ec, number).value()
}

/// Makes every class that was not used yet, for those who list classes.
pub(crate) fn make_errno_classes(ec: &mut Ec) {
    for number in all().map(|(_, number)| number).chain([NO_ERROR]) {
        class_of_number(ec, number);
    }
}

/// The class of an error number: one of `Errno`, or `SystemCallError` itself.
pub(crate) fn class_of_number(ec: &mut Ec, number: i32) -> Class {
    let base = ec.vm().known().system_call_error;
    let names = ec.vm().extension::<Names>();
    let name = names.by_number.read().unwrap_or_else(|e| e.into_inner()).get(&number).copied();
    let (Some(module), Some(name)) = (errno_module(ec), name) else { return base };
    // Two Ractors that meet an error for the first time must not get a class each.
    let _making = names.making.lock().unwrap_or_else(|e| e.into_inner());
    match module.own_constant(name) {
        Some(constant) if constant.value.is_undef() => {
            let class = define(ec, base, number);
            module.put_constant(ec, name, Constant { value: class.value(), pending: None, ..constant });
            class
        }
        Some(constant) => Class::from_value(constant.value).unwrap_or(base),
        None => base,
    }
}

fn define(ec: &Ec, base: Class, number: i32) -> Class {
    let class = ec.new_class(base);
    class.set_constant(ec, ec.vm().intern("Errno"), ec.int(i64::from(number)));
    class.set_allocator(Some(|ec, class| Ok(ec.new_object(class))));
    class
}

/// The system's text for an error number.
pub(crate) fn text(number: i32) -> String {
    carat_os::error_text(&std::io::Error::from_raw_os_error(number))
}

/// An `Errno` exception: `No such file or directory @ rb_sysopen - x` for the detail `rb_sysopen - x` with an `@ `.
pub(crate) fn errno_error(ec: &mut Ec, number: i32, detail: &str) -> Unwind {
    let class = class_of_number(ec, number);
    let separator = if detail.is_empty() || detail.starts_with('@') { " " } else { " - " };
    let message = format!("{}{separator}{detail}", text(number));
    let exception = ec.new_exception(class, message.trim_end());
    let value = ec.int(i64::from(number));
    ec.set_field(exception, sym::ERRNO_IVAR, value);
    ec.raise(exception)
}

/// `SystemCallError.new(message, number)` makes an instance of the number's class.
fn new(ec: &mut Ec, this: Class, args: Rest) -> Result {
    let list = args.to_array(ec);
    let class = if this == ec.vm().known().system_call_error { class_of_arguments(ec, args)? } else { this };
    let exception = ec.new_object(class);
    let is_redirected = class != this;
    if is_redirected {
        // The number is in the class: the message alone is left.
        let message = if args.len() == 1 { Value::NIL } else { args.get(0).unwrap_or(Value::NIL) };
        let function = args.get(2).unwrap_or(Value::NIL);
        ec.call(exception, sym::INITIALIZE, &[message, function])?;
        return Ok(exception);
    }
    ec.call_with_shared_array(exception, sym::INITIALIZE, list, carat_vm::call::Passing::default())?;
    Ok(exception)
}

fn class_of_arguments(ec: &mut Ec, args: Rest) -> Result<Class> {
    let first = args.get(0).unwrap_or(Value::NIL);
    let number = if args.len() == 1 && first.as_fixnum().is_some() { first } else { args.get(1).unwrap_or(Value::NIL) };
    if number.is_nil() {
        return Ok(ec.vm().known().system_call_error);
    }
    let number = ec.to_long(number)?;
    Ok(i32::try_from(number).map_or(ec.vm().known().system_call_error, |n| class_of_number(ec, n)))
}

/// `Errno::X.new([message], [function])`; `SystemCallError.new(message, [number], [function])`.
fn initialize(ec: &mut Ec, this: Value, args: Rest) -> Result<()> {
    let class = ec.class_of(this).real();
    let (message, number, function) = if class == ec.vm().known().system_call_error {
        if args.is_empty() || args.len() > 3 {
            return Err(ec.arity_error(args.len(), 1, Some(3)));
        }
        match args.get(0).filter(|v| args.len() == 1 && v.as_fixnum().is_some()) {
            Some(number) => (None, Some(number), None),
            None => (args.get(0), args.get(1), args.get(2)),
        }
    } else {
        if args.len() > 2 {
            return Err(ec.arity_error(args.len(), 0, Some(2)));
        }
        let name = ec.vm().intern("Errno");
        (args.get(0), class.find_constant(ec, name, false)?, args.get(1))
    };
    let number = number.filter(|n| !n.is_nil());
    let text = full_message(ec, number, function, message)?;
    ec.set_field(this, sym::MESG, text.value());
    ec.set_field(this, sym::ERRNO_IVAR, number.unwrap_or(Value::NIL));
    Ok(())
}

fn full_message(ec: &mut Ec, number: Option<Value>, function: Option<Value>, message: Option<Value>) -> Result<Str> {
    let text = match number {
        Some(number) => {
            let number = ec.to_long(number)?;
            text(i32::try_from(number).unwrap_or(-1))
        }
        None => "unknown error".to_string(),
    };
    let out = Str::from_text(ec, &text);
    let function = function.filter(|f| !f.is_nil());
    if let Some(function) = function {
        let function = ec.to_s(function)?;
        out.push_bytes(ec, b" @ ");
        out.push_str(ec, function);
    }
    if let Some(message) = message.filter(|m| !m.is_nil()) {
        let message = ec.to_str(message)?;
        out.push_bytes(ec, b" - ");
        let is_plain = out.bytes(ec).is_ascii();
        out.push_str(ec, message);
        if is_plain && !message.bytes(ec).is_ascii() && message.encoding().is_ascii_compatible() {
            out.set_encoding(message.encoding());
        }
    }
    Ok(out)
}

fn errno(ec: &mut Ec, this: Value) -> Value {
    ec.field(this, sym::ERRNO_IVAR).unwrap_or(Value::NIL)
}

/// `Errno::X === e` compares numbers, so that two names of one error are the same to `rescue`, and so is what only has an
/// `errno`, as a delegator does.
fn matches(ec: &mut Ec, this: Class, other: Value) -> Result<bool> {
    let base = ec.vm().known().system_call_error;
    let its = if ec.is_a(other, base) {
        if this == base || ec.is_a(other, this) {
            return Ok(true);
        }
        errno(ec, other)
    } else {
        let asks = ec.vm().intern("errno");
        if !ec.respond_to(other, asks, false)? {
            return Ok(false);
        }
        ec.call(other, asks, &[])?
    };
    let name = ec.vm().intern("Errno");
    let Some(own) = this.find_constant(ec, name, false)? else { return Ok(false) };
    ec.equal(own, its)
}
