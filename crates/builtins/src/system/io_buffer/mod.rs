//! `IO::Buffer`: a range of memory that belongs to the buffer, to a string, to a file or to another buffer.
//!
//! # Layout
//! Only a buffer that nothing else lies behind owns memory. A slice refers to the buffer that does, and a buffer for a string
//! to the string. Where its bytes begin is kept as an address, as CRuby keeps it, but only to compare: what became of the
//! memory since shows in whether the address still lies inside it. Bytes are reached through the owner, checked each time.
//!
//! # Code map
//! `memory` finds, reads and writes the bytes, `create` makes buffers, `values` knows the types in them, `bits` the bitwise
//! operators, `show` what they look like, `system` what goes from and to files, `foreign` is for code in C.
//!
//! # Not here
//! Mappings: a file is read and written where it stands, which looks the same to whoever else has it mapped; a file that
//! somebody cuts short ends no process. Only code in C that asks where the bytes are gets a mapping. Memory of `SHARED` buffers without a file is the process's own.
//!
//! # References
//! CRuby `io_buffer.c`.

mod bits;
mod create;
mod foreign;
mod memory;
mod show;
mod system;
mod values;

pub(crate) use create::{lend, take_back};

use carat_vm::{Class, Data, Ec, NativeData, Result, Unwind, Value, methods, primitives};
use memory::Storage;

const EXTERNAL: u32 = 1;
const INTERNAL: u32 = 2;
const MAPPED: u32 = 4;
const SHARED: u32 = 8;
const LOCKED: u32 = 32;
const PRIVATE: u32 = 64;
const READONLY: u32 = 128;
const FILE: u32 = 256;

const DEFAULT_SIZE: usize = 64 << 10;

const CONSTANTS: [(&str, u32); 11] = [
    ("EXTERNAL", EXTERNAL),
    ("INTERNAL", INTERNAL),
    ("MAPPED", MAPPED),
    ("SHARED", SHARED),
    ("LOCKED", LOCKED),
    ("PRIVATE", PRIVATE),
    ("READONLY", READONLY),
    ("LITTLE_ENDIAN", 4),
    ("BIG_ENDIAN", 8),
    ("HOST_ENDIAN", if cfg!(target_endian = "big") { 8 } else { 4 }),
    ("NETWORK_ENDIAN", 8),
];

const ERRORS: [&str; 4] = ["LockedError", "AllocationError", "AccessError", "InvalidatedError"];

pub(crate) struct Buffer {
    storage: Storage,
    /// The string or buffer that the bytes belong to; nil if they are this buffer's own.
    source: Value,
    /// Where the bytes begin; 0 is no memory.
    base: usize,
    size: usize,
    flags: u32,
}

impl Default for Buffer {
    fn default() -> Buffer {
        Buffer { storage: Storage::None, source: Value::NIL, base: 0, size: 0, flags: 0 }
    }
}

impl NativeData for Buffer {
    const NAME: &'static str = "IO::Buffer";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.source);
    }

    fn memsize(&self) -> usize {
        size_of::<Buffer>() + self.storage.memsize()
    }
}

type BufferRef = Data<Buffer>;

fn buffer_class(ec: &mut Ec) -> Result<Class> {
    let found = ec.vm().known().io.own_constant_value(ec, ec.vm().intern("Buffer"))?;
    Ok(found.and_then(Class::from_value).unwrap_or(ec.vm().known().object))
}

/// An error of a class below `IO::Buffer`.
fn error(ec: &mut Ec, class: &str, message: &str) -> Unwind {
    let found = buffer_class(ec).and_then(|buffer| buffer.own_constant_value(ec, ec.vm().intern(class)));
    match found {
        Ok(Some(class)) => match Class::from_value(class) {
            Some(class) => ec.error(class, message),
            None => ec.runtime_error(message),
        },
        Ok(None) => ec.runtime_error(message),
        Err(unwind) => unwind,
    }
}

/// A buffer argument.
fn buffer_arg(ec: &mut Ec, value: Value) -> Result<BufferRef> {
    match BufferRef::from_value(value) {
        Some(buffer) => Ok(buffer),
        None => Err(ec.wrong_type(value, "IO::Buffer")),
    }
}

// ---- arguments ----

/// A number of bytes, or a place among them, that has to be an Integer.
fn size_arg(ec: &mut Ec, value: Value, what: &str) -> Result<usize> {
    let Some(number) = ec.to_bigint(value) else { return Err(ec.type_error("not an Integer")) };
    if number.sign() == num_bigint::Sign::Minus {
        return Err(ec.argument_error(&format!("{what} can't be negative!")));
    }
    match usize::try_from(number) {
        Ok(number) => Ok(number),
        Err(_) => Err(ec.range_error("bignum too big to convert into 'unsigned long'")),
    }
}

fn given(value: Option<Value>) -> Option<Value> {
    value.filter(|value| !value.is_nil())
}

fn offset_arg(ec: &mut Ec, value: Option<Value>) -> Result<usize> {
    given(value).map_or(Ok(0), |value| size_arg(ec, value, "Offset"))
}

/// Offset and length; without a length it is all that follows the offset.
fn range_arg(ec: &mut Ec, this: BufferRef, offset: Option<Value>, length: Option<Value>) -> Result<(usize, usize)> {
    let offset = offset_arg(ec, offset)?;
    let size = this.get(ec).size;
    match given(length) {
        Some(length) => Ok((offset, size_arg(ec, length, "Length")?)),
        None if offset > size => Err(ec.argument_error("The given offset is bigger than the buffer size!")),
        None => Ok((offset, size - offset)),
    }
}

fn check_range(ec: &mut Ec, this: BufferRef, offset: usize, length: usize) -> Result<()> {
    match offset.checked_add(length) {
        Some(end) if end <= this.get(ec).size => Ok(()),
        _ => Err(ec.argument_error("Specified offset+length is bigger than the buffer size!")),
    }
}

macro_rules! flag_questions {
    ($($name:ident $flag:ident;)+) => {$(
        fn $name(ec: &mut Ec, this: BufferRef) -> bool {
            this.get(ec).flags & $flag != 0
        }
    )+};
}

flag_questions! {
    is_external EXTERNAL; is_internal INTERNAL; is_mapped MAPPED; is_shared SHARED; is_locked LOCKED; is_private PRIVATE;
    is_readonly READONLY;
}

fn size(ec: &mut Ec, this: BufferRef) -> usize {
    this.get(ec).size
}

fn is_null(ec: &mut Ec, this: BufferRef) -> bool {
    this.get(ec).base == 0
}

fn is_empty(ec: &mut Ec, this: BufferRef) -> bool {
    this.get(ec).size == 0
}

methods! {
    METHODS {
        static "map" => create::map; static "size_of" => values::size_of;
        private "initialize" => create::initialize; private "initialize_copy" => create::initialize_copy;
        "inspect" => show::inspect; "to_s" => show::to_s; "hexdump" => show::hexdump;
        "size" => size; "valid?" => memory::is_valid; "null?" => is_null; "empty?" => is_empty;
        "external?" => is_external; "internal?" => is_internal; "mapped?" => is_mapped; "shared?" => is_shared;
        "locked?" => is_locked; "private?" => is_private; "readonly?" => is_readonly;
        "transfer" => create::transfer; "slice" => create::slice; "resize" => create::resize; "free" => create::free;
        "<=>" => memory::compare; "clear" => memory::clear; "copy" => memory::copy;
        "get_string" => memory::get_string; "set_string" => memory::set_string;
        "get_value" => values::get_value; "get_values" => values::get_values; "values" => values::values;
        "set_value" => values::set_value; "set_values" => values::set_values;
        "&" => bits::and; "|" => bits::or; "^" => bits::xor; "~" => bits::not;
        "and!" => bits::and_in_place; "or!" => bits::or_in_place; "xor!" => bits::xor_in_place; "not!" => bits::not_in_place;
        "read" => system::read; "write" => system::write; "pread" => system::pread; "pwrite" => system::pwrite;
    }
}

primitives! {
    PRIMITIVES {
        "buffer_for" => create::for_string;
        "buffer_string" => create::string;
        "buffer_source" => create::source;
        "buffer_release" => create::release;
        "buffer_lock" => create::lock;
        "buffer_unlock" => create::unlock;
        "buffer_range" => values::range;
        "buffer_value" => values::value_at;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    let class = ec.new_class(known.object);
    known.io.set_constant(ec, ec.vm().intern("Buffer"), class.value());
    class.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, Buffer::default()).value())));
    class.include(ec, known.comparable);
    for name in ERRORS {
        let error = ec.new_class(known.runtime_error);
        class.set_constant(ec, ec.vm().intern(name), error.value());
    }
    let mask_error = ec.new_class(known.argument_error);
    class.set_constant(ec, ec.vm().intern("MaskError"), mask_error.value());
    let default = std::env::var("RUBY_IO_BUFFER_DEFAULT_SIZE").ok().and_then(|text| text.parse().ok());
    let sizes =
        [("PAGE_SIZE", carat_os::page_bytes()), ("DEFAULT_SIZE", default.filter(|n| *n > 0).unwrap_or(DEFAULT_SIZE))];
    for (name, number) in sizes.into_iter().chain(CONSTANTS.map(|(name, number)| (name, number as usize))) {
        class.set_constant(ec, ec.vm().intern(name), Value::len(number));
    }
    class.define_methods(ec, METHODS);
    foreign::register(ec);
}
