//! `Marshal`: objects as bytes and back.
//!
//! # Format
//! Two bytes of version, then one object: a letter that says its kind, and what the kind needs. Numbers are a length byte and
//! that many bytes, small ones a single byte. Symbols and objects that came before are written as links, by their number in
//! the order in which they were first met.
//!
//! # Code map
//! `dump` writes, `ancestry` what stands before an object whose class says too little. `load` reads, `source` gives it bytes,
//! `kinds` makes the objects that need more than their parts. `exceptions` knows the hidden attributes of errors.
//!
//! # Rooting
//! Every object that has a number is in an Array that lives as long as the operation: results of `marshal_dump` are referred
//! to by nothing else.
//!
//! # Trust
//! Loading arbitrary bytes may call any `_load`, `marshal_load`, `hash` or `eql?` there is, as in CRuby; it never breaks the
//! invariants of an object. Hidden fields cannot be set by name.

mod ancestry;
mod dump;
mod exceptions;
mod kinds;
mod load;
mod source;

use carat_vm::{Class, Ec, Keywords, Result, Str, SymbolId, Value, methods, primitives};

methods! {
    METHODS {
        module_function "dump" => dump;
        static "load" => load;
        static alias "restore" of "load" => load;
    }
}

primitives! {
    PRIMITIVES {}
}

const MAJOR: u8 = 4;
const MINOR: u8 = 8;

/// The letters that objects begin with.
mod kind {
    pub(super) const NIL: u8 = b'0';
    pub(super) const TRUE: u8 = b'T';
    pub(super) const FALSE: u8 = b'F';
    pub(super) const FIXNUM: u8 = b'i';
    pub(super) const EXTENDED: u8 = b'e';
    pub(super) const USER_CLASS: u8 = b'C';
    pub(super) const OBJECT: u8 = b'o';
    pub(super) const DATA: u8 = b'd';
    pub(super) const USER_DEFINED: u8 = b'u';
    pub(super) const USER_MARSHAL: u8 = b'U';
    pub(super) const FLOAT: u8 = b'f';
    pub(super) const BIGNUM: u8 = b'l';
    pub(super) const STRING: u8 = b'"';
    pub(super) const REGEXP: u8 = b'/';
    pub(super) const ARRAY: u8 = b'[';
    pub(super) const HASH: u8 = b'{';
    pub(super) const HASH_DEFAULT: u8 = b'}';
    pub(super) const STRUCT: u8 = b'S';
    pub(super) const MODULE_OLD: u8 = b'M';
    pub(super) const CLASS: u8 = b'c';
    pub(super) const MODULE: u8 = b'm';
    pub(super) const SYMBOL: u8 = b':';
    pub(super) const SYMBOL_LINK: u8 = b';';
    pub(super) const IVARS: u8 = b'I';
    pub(super) const LINK: u8 = b'@';
}

/// Names that stand in dumps without being instance variables.
mod name {
    pub(super) const ENCODING_SHORT: &str = "E";
    pub(super) const ENCODING: &str = "encoding";
    pub(super) const RUBY2_KEYWORDS: &str = "K";
    pub(super) const SET_HASH: &str = "@hash";
}

pub(crate) fn init(ec: &mut Ec) {
    let module = ec.new_module();
    let known = ec.vm().known();
    known.object.set_constant(ec, ec.vm().intern("Marshal"), module.value());
    module.define_methods(ec, METHODS);
    module.set_constant(ec, ec.vm().intern("MAJOR_VERSION"), ec.int(i64::from(MAJOR)));
    module.set_constant(ec, ec.vm().intern("MINOR_VERSION"), ec.int(i64::from(MINOR)));
    known.rational.define_methods(ec, kinds::RATIONAL);
    known.complex.define_methods(ec, kinds::COMPLEX);
}

fn io_needed(ec: &mut Ec) -> carat_vm::Unwind {
    ec.type_error("instance of IO needed")
}

/// `Marshal.dump(object [, io] [, limit])`
fn dump(ec: &mut Ec, _this: Value, object: Value, second: Option<Value>, third: Option<Value>) -> Result {
    let (port, limit) = match (second, third) {
        (Some(Value::NIL), _) => return Err(io_needed(ec)),
        (Some(port), Some(limit)) => (Some(port), if limit.is_nil() { -1 } else { ec.to_long(limit)? }),
        (Some(limit), None) if limit.is_fixnum() => (None, limit.fixnum_value()),
        (port, _) => (port, -1),
    };
    dump::dump(ec, object, port, limit)
}

/// `Marshal.load(source, proc = nil, freeze: false)`
fn load(ec: &mut Ec, _this: Value, source: Value, filter: Option<Value>, options: Keywords) -> Result {
    let freeze = ec.vm().intern("freeze");
    options.check(ec, &[freeze])?;
    let freezes = options.get(ec, freeze).is_some_and(Value::truthy);
    load::load(ec, source, filter.filter(|f| !f.is_nil()), freezes)
}

/// The class or module that a path of constants names.
fn class_at(ec: &mut Ec, path: Str) -> Result<Class> {
    let bytes = path.owned_bytes(ec)?;
    let shown = String::from_utf8_lossy(&bytes).into_owned();
    if bytes.is_empty() || bytes[0] == b'#' {
        return Err(ec.argument_error(&format!("can't retrieve anonymous class {shown}")));
    }
    let mut scope = ec.vm().known().object;
    let mut rest = &bytes[..];
    loop {
        let len = memchr::memchr(b':', rest).unwrap_or(rest.len());
        let name = ec.vm().intern_bytes(&rest[..len], path.encoding());
        let behind = rest[len..].strip_prefix(b"::");
        let read = bytes.len() - behind.map_or(rest.len() - len, <[u8]>::len);
        let found = if rest.len() > len && behind.is_none() { None } else { scope.own_constant_value(ec, name)? };
        let Some(found) = found else {
            let read = String::from_utf8_lossy(&bytes[..read]).into_owned();
            return Err(ec.argument_error(&format!("undefined class/module {read}")));
        };
        scope = match Class::from_value(found) {
            Some(class) => class,
            None => return Err(ec.type_error(&format!("{shown} does not refer to class/module"))),
        };
        match behind {
            Some(behind) if !behind.is_empty() => rest = behind,
            _ => return Ok(scope),
        }
    }
}

/// The path that loading will find a class or module under.
fn path_of(ec: &mut Ec, class: Class) -> Result<Str> {
    let text = class.to_text(ec);
    // One inside an anonymous class has a name that begins with that class's.
    if class.name().is_none() || text.starts_with('#') {
        let what = class.kind_name();
        return Err(ec.type_error(&format!("can't dump anonymous {what} {text}")));
    }
    let path = crate::object::module::naming::path(ec, class, &text);
    if class_at(ec, path)? != class {
        return Err(ec.type_error(&format!("{text} can't be referred to")));
    }
    Ok(path)
}

fn intern(ec: &Ec, name: &str) -> SymbolId {
    ec.vm().intern(name)
}
