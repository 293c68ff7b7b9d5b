//! Making buffers, slicing them, giving their memory away and back.

use super::memory::{MappedFile, Storage, contents, text_base};
use super::{
    Buffer, BufferRef, EXTERNAL, FILE, INTERNAL, LOCKED, MAPPED, PRIVATE, READONLY, SHARED, check_range, error, given,
    range_arg, size_arg,
};
use crate::system::errno::{errno, errno_at};
use crate::system::io::IoRef;
use carat_os::c;
use carat_vm::{Class, CodeRange, Data, Ec, EncodingIndex, Result, Str, Value};
use std::sync::atomic::{AtomicBool, Ordering};

/// Flags that a program may give; others are ignored.
const FLAGS: u32 = EXTERNAL | INTERNAL | MAPPED | SHARED | LOCKED | PRIVATE | READONLY;
const MMAP: &str = "io_buffer_map_file:mmap";

/// Whether the warning below was given.
#[derive(Default)]
struct Warned(AtomicBool);

fn warn_experimental(ec: &mut Ec) -> Result<()> {
    if ec.vm().extension::<Warned>().0.swap(true, Ordering::Relaxed) {
        return Ok(());
    }
    ec.warn_experimental("IO::Buffer is experimental and both the Ruby and C interface may change in the future!")
}

fn flags_for(size: usize) -> u32 {
    if size >= carat_os::page_bytes() { MAPPED } else { INTERNAL }
}

fn flags_arg(ec: &mut Ec, flags: Value) -> Result<u32> {
    let Some(number) = ec.to_bigint(flags) else { return Err(ec.type_error("not an Integer")) };
    if number.sign() == num_bigint::Sign::Minus {
        return Err(ec.argument_error("Flags can't be negative!"));
    }
    Ok(ec.to_long(flags)? as u32 & FLAGS)
}

/// Gives a buffer zeroed memory of its own; of size 0 it has none, and no flags.
pub(super) fn allocate(ec: &mut Ec, this: BufferRef, size: usize, flags: u32) -> Result<()> {
    if size == 0 {
        return Ok(());
    }
    let mut bytes = Vec::new();
    if flags & (INTERNAL | MAPPED) == 0 || !ec.would_allocate(size) || bytes.try_reserve_exact(size).is_err() {
        return Err(error(ec, "AllocationError", "Could not allocate buffer!"));
    }
    bytes.resize(size, 0);
    own(ec, this, Storage::Bytes(bytes), size, flags);
    Ok(())
}

fn own(ec: &mut Ec, this: BufferRef, storage: Storage, size: usize, flags: u32) {
    let base = storage.address();
    *this.get_mut(ec) = Buffer { storage, source: Value::NIL, base, size, flags };
}

/// A new internal buffer of the core class.
pub(super) fn fresh(ec: &mut Ec, size: usize) -> Result<BufferRef> {
    let class = super::buffer_class(ec)?;
    let buffer = Data::new(ec, class, Buffer::default());
    allocate(ec, buffer, size, flags_for(size))?;
    Ok(buffer)
}

pub(super) fn initialize(ec: &mut Ec, this: BufferRef, size: Option<Value>, flags: Option<Value>) -> Result {
    warn_experimental(ec)?;
    let size = match size {
        Some(size) => size_arg(ec, size, "Size")?,
        None => default_size(ec)?,
    };
    let flags = match flags {
        Some(flags) => flags_arg(ec, flags)?,
        None => flags_for(size),
    };
    check_unlocked(ec, this, "Buffer is locked!")?;
    *this.get_mut(ec) = Buffer::default();
    allocate(ec, this, size, flags)?;
    Ok(this.value())
}

fn default_size(ec: &mut Ec) -> Result<usize> {
    let class = super::buffer_class(ec)?;
    let size = class.own_constant_value(ec, ec.vm().intern("DEFAULT_SIZE"))?;
    Ok(size.and_then(Value::as_fixnum).and_then(|size| usize::try_from(size).ok()).unwrap_or(super::DEFAULT_SIZE))
}

pub(super) fn initialize_copy(ec: &mut Ec, this: BufferRef, other: Value) -> Result {
    let other = super::buffer_arg(ec, other)?;
    let bytes = contents(ec, other)?;
    *this.get_mut(ec) = Buffer::default();
    if !bytes.is_empty() {
        let size = bytes.len();
        own(ec, this, Storage::Bytes(bytes), size, flags_for(size));
    }
    Ok(this.value())
}

// ---- for hooks of fiber schedulers ----

/// A locked buffer of bytes that somebody is to fill or to write.
pub(crate) fn lend(ec: &mut Ec, bytes: Vec<u8>, is_readonly: bool) -> Result {
    let class = super::buffer_class(ec)?;
    let buffer = Data::new(ec, class, Buffer::default());
    let (size, flags) = (bytes.len(), EXTERNAL | LOCKED | if is_readonly { READONLY } else { 0 });
    own(ec, buffer, Storage::Bytes(bytes), size, flags);
    Ok(buffer.value())
}

/// The bytes of a buffer that was lent, which has none afterwards.
pub(crate) fn take_back(ec: &mut Ec, buffer: Value) -> Vec<u8> {
    let Some(buffer) = BufferRef::from_value(buffer) else { return Vec::new() };
    match std::mem::take(buffer.get_mut(ec)).storage {
        Storage::Bytes(bytes) => bytes,
        _ => Vec::new(),
    }
}

// ---- strings ----

/// `Primitive.buffer_for(class, string, has_block)`: for a block the string itself, locked; otherwise a frozen copy.
pub(super) fn for_string(ec: &mut Ec, class: Class, string: Value, has_block: bool) -> Result {
    let string = ec.to_str(string)?;
    if has_block {
        return over(ec, class, string);
    }
    let copy = if string.is_frozen() { string } else { string.duplicate(ec) };
    ec.freeze(copy.value());
    over(ec, class, copy)
}

/// `Primitive.buffer_string(class, length)`: over a new string of zeros.
pub(super) fn string(ec: &mut Ec, class: Class, length: Value) -> Result {
    let length = ec.to_long(length)?;
    let Some(length) = usize::try_from(length).ok().filter(|length| ec.would_allocate(length.saturating_mul(2))) else {
        return Err(ec.argument_error("negative string size (or size too big)"));
    };
    let string = Str::new(ec, &vec![0; length], EncodingIndex::BINARY, CodeRange::Unknown);
    over(ec, class, string)
}

fn over(ec: &mut Ec, class: Class, string: Str) -> Result {
    let mut flags = EXTERNAL;
    if string.is_frozen() {
        flags |= READONLY;
    } else {
        string.check_mutable(ec)?;
        string.forget_positions(ec);
        string.set_locked(true);
    }
    let (base, size) = (text_base(string), string.len(ec));
    let buffer = Buffer { storage: Storage::None, source: string.value(), base, size, flags };
    Ok(Data::new(ec, class, buffer).value())
}

/// `Primitive.buffer_release(buffer, string)`: after the block. Returns the string.
pub(super) fn release(ec: &mut Ec, buffer: BufferRef, string: Value) -> Result {
    if let Some(string) = Str::from_value(string).filter(|string| !string.is_frozen()) {
        string.forget_positions(ec);
        string.set_locked(false);
    }
    free(ec, buffer)?;
    Ok(string)
}

// ---- files ----

pub(super) fn map(
    ec: &mut Ec,
    class: Class,
    io: IoRef,
    size: Option<Value>,
    offset: Option<Value>,
    flags: Option<Value>,
) -> Result {
    warn_experimental(ec)?;
    crate::system::io::check_open(ec, io)?;
    crate::system::io::flush(ec, io)?;
    let fd = io.get(ec).fd;
    let file_size = carat_os::fstat(fd).map_or(0, |stat| stat.size);
    let Some(file_size) = usize::try_from(file_size).ok().filter(|size| *size > 0) else {
        return Err(ec.argument_error("Invalid negative or zero file size!"));
    };
    let (size, offset) = mapped_range(ec, file_size, size, offset)?;
    let flags = flags.map_or(Ok(0), |flags| flags_arg(ec, flags))?;
    let buffer = Data::new(ec, class, Buffer::default());
    attach(ec, buffer, fd, offset, size, flags)?;
    Ok(buffer.value())
}

fn mapped_range(ec: &mut Ec, file_size: usize, size: Option<Value>, offset: Option<Value>) -> Result<(usize, usize)> {
    let size = match given(size) {
        Some(size) => Some(size_arg(ec, size, "Size")?),
        None => None,
    };
    if size == Some(0) {
        return Err(ec.argument_error("Size can't be zero!"));
    }
    if size.is_some_and(|size| size > file_size) {
        return Err(ec.argument_error("Size can't be larger than file size!"));
    }
    let offset = match offset {
        Some(offset) => {
            let offset = ec.to_int(offset)?;
            size_arg(ec, offset, "Offset")?
        }
        None => 0,
    };
    if offset.checked_add(size.unwrap_or(1)).is_none_or(|end| end > file_size) {
        return Err(ec.argument_error("Offset too large!"));
    }
    Ok((size.unwrap_or(file_size - offset), offset))
}

/// What the system asks of a mapping holds here too: a place on a page's edge, and a file that is open for what is wanted.
fn attach(ec: &mut Ec, this: BufferRef, fd: i32, offset: usize, size: usize, flags: u32) -> Result<()> {
    let access = carat_os::fcntl(fd, c::F_GETFL, 0).unwrap_or(0) & c::O_ACCMODE;
    let is_shared = flags & PRIVATE == 0;
    let problem = if !offset.is_multiple_of(carat_os::page_bytes()) {
        Some(c::EINVAL)
    } else if access == c::O_WRONLY || is_shared && flags & READONLY == 0 && access != c::O_RDWR {
        Some(c::EACCES)
    } else {
        None
    };
    if let Some(code) = problem {
        return Err(errno(ec, &std::io::Error::from_raw_os_error(code), MMAP.as_bytes()));
    }
    let copy = carat_os::dup(fd).map_err(|e| errno(ec, &e, MMAP.as_bytes()))?;
    let storage = Storage::File(MappedFile { fd: copy, offset: offset as i64, anchor: Box::new(0), mapping: None });
    let sharing = if is_shared { EXTERNAL | SHARED } else { PRIVATE };
    let flags = MAPPED | FILE | sharing | flags & READONLY;
    own(ec, this, storage, size, flags);
    if !is_shared {
        let bytes = contents(ec, this)?;
        own(ec, this, Storage::Bytes(bytes), size, flags);
    }
    Ok(())
}

// ---- what becomes of a buffer ----

fn check_unlocked(ec: &mut Ec, this: BufferRef, message: &str) -> Result<()> {
    if this.get(ec).flags & LOCKED == 0 { Ok(()) } else { Err(error(ec, "LockedError", message)) }
}

/// `Primitive.buffer_lock(buffer)`
pub(super) fn lock(ec: &mut Ec, this: BufferRef) -> Result<()> {
    check_unlocked(ec, this, "Buffer already locked!")?;
    this.get_mut(ec).flags |= LOCKED;
    Ok(())
}

/// `Primitive.buffer_unlock(buffer)`
pub(super) fn unlock(ec: &mut Ec, this: BufferRef) {
    this.get_mut(ec).flags &= !LOCKED;
}

pub(super) fn free(ec: &mut Ec, this: BufferRef) -> Result {
    check_unlocked(ec, this, "Buffer is locked!")?;
    *this.get_mut(ec) = Buffer::default();
    Ok(this.value())
}

pub(super) fn transfer(ec: &mut Ec, this: BufferRef) -> Result {
    check_unlocked(ec, this, "Cannot transfer ownership of locked buffer!")?;
    let (buffer, class) = (std::mem::take(this.get_mut(ec)), ec.class_of(this.value()).real());
    Ok(Data::new(ec, class, buffer).value())
}

pub(super) fn slice(ec: &mut Ec, this: BufferRef, offset: Option<Value>, length: Option<Value>) -> Result {
    let (offset, size) = range_arg(ec, this, offset, length)?;
    check_range(ec, this, offset, size)?;
    let Buffer { source, base, flags, .. } = this.get(ec);
    let source = if source.is_nil() { this.value() } else { *source };
    let base = if *base == 0 { 0 } else { base + offset };
    let slice = Buffer { storage: Storage::None, source, base, size, flags: flags & READONLY };
    let class = ec.class_of(this.value()).real();
    Ok(Data::new(ec, class, slice).value())
}

pub(super) fn resize(ec: &mut Ec, this: BufferRef, size: Value) -> Result {
    let size = size_arg(ec, size, "Size")?;
    check_unlocked(ec, this, "Cannot resize locked buffer!")?;
    let flags = this.get(ec).flags;
    if this.get(ec).base == 0 {
        allocate(ec, this, size, flags_for(size))?;
    } else if flags & EXTERNAL != 0 {
        return Err(error(ec, "AccessError", "Cannot resize external buffer!"));
    } else if size == 0 && flags & MAPPED != 0 {
        let error = std::io::Error::from_raw_os_error(c::EINVAL);
        return Err(errno_at(ec, &error, "", b"rb_io_buffer_resize:mremap"));
    } else if size == 0 {
        *this.get_mut(ec) = Buffer::default();
    } else {
        resize_own(ec, this, size, flags)?;
    }
    Ok(this.value())
}

/// Memory grows where it is if it can; a slice becomes a buffer of its own.
fn resize_own(ec: &mut Ec, this: BufferRef, size: usize, flags: u32) -> Result<()> {
    if !ec.would_allocate(size) {
        return Err(error(ec, "AllocationError", "Could not allocate buffer!"));
    }
    let contents = match &mut this.get_mut(ec).storage {
        Storage::Bytes(bytes) => Some(std::mem::take(bytes)),
        _ => None,
    };
    let (mut bytes, flags) = match contents {
        Some(bytes) => (bytes, flags),
        None => (self::contents(ec, this)?, flags_for(size)),
    };
    bytes.resize(size, 0);
    own(ec, this, Storage::Bytes(bytes), size, flags);
    Ok(())
}

/// `Primitive.buffer_source(buffer)`: the string that it was made over.
pub(super) fn source(ec: &mut Ec, this: BufferRef) -> Value {
    this.get(ec).source
}
