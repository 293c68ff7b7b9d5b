//! `IO::Buffer`: memory that C code lends, and the address of what a buffer has.

use crate::boundary::{constant, store};
use carat_vm::foreign::{BufferBytes, BufferHooks, BufferUse, Buffers, ForeignMemory};
use carat_vm::{Ec, Result, Value};
use std::ffi::{c_int, c_void};
use std::sync::atomic::{AtomicUsize, Ordering};

const EXTERNAL: u32 = 1;
const INTERNAL: u32 = 2;
const MAPPED: u32 = 4;

/// Written once, before the first extension is loaded.
#[unsafe(no_mangle)]
static RUBY_IO_BUFFER_PAGE_SIZE: AtomicUsize = AtomicUsize::new(0);
#[unsafe(no_mangle)]
static RUBY_IO_BUFFER_DEFAULT_SIZE: usize = 64 << 10;

/// Makes the constants what the system says.
pub(crate) fn init() {
    RUBY_IO_BUFFER_PAGE_SIZE.store(carat_os::page_bytes(), Ordering::Release);
}

fn hooks(ec: &mut Ec) -> Result<BufferHooks> {
    let hooks = ec.vm().extension::<Buffers>().0.get().copied();
    hooks.ok_or_else(|| ec.not_implemented("IO::Buffer is not there"))
}

fn bytes(ec: &mut Ec, buffer: Value, wanted: BufferUse) -> Result<BufferBytes> {
    let hooks = hooks(ec)?;
    (hooks.bytes)(ec, buffer, wanted)
}

fn free(address: *mut u8, _size: usize) {
    // SAFETY: C code says by `RB_IO_BUFFER_INTERNAL` that `malloc` made it.
    unsafe { libc::free(address.cast()) };
}

fn unmap(address: *mut u8, size: usize) {
    // SAFETY: C code says by `RB_IO_BUFFER_MAPPED` that `mmap` made it.
    unsafe { libc::munmap(address.cast(), size) };
}

fn new(ec: &mut Ec, base: *mut c_void, size: usize, flags: u32) -> Result {
    if base.is_null() {
        let (class, size, flags) =
            (constant(ec, "IO::Buffer")?, ec.int(size as i64), Value::fixnum_unchecked(flags.into()));
        return ec.call(class, carat_vm::sym::NEW, &[size, flags]);
    }
    let give_back = match flags {
        _ if flags & EXTERNAL != 0 => None,
        _ if flags & INTERNAL != 0 => Some(free as fn(*mut u8, usize)),
        _ if flags & MAPPED != 0 => Some(unmap as fn(*mut u8, usize)),
        _ => None,
    };
    let hooks = hooks(ec)?;
    // SAFETY: C code lends so many bytes, as long as the buffer has them.
    let memory = unsafe { ForeignMemory::new(base.cast(), size, give_back) };
    (hooks.over)(ec, memory, flags)
}

/// A number that C code passes as `size_t`.
fn size(ec: &Ec, number: usize) -> Value {
    ec.int(number as i64)
}

fn locked_error(ec: &mut Ec, message: &str) -> carat_vm::Unwind {
    match constant(ec, "IO::Buffer::LockedError").and_then(|class| crate::boundary::class(ec, class)) {
        Ok(class) => ec.error(class, message),
        Err(unwind) => unwind,
    }
}

fn unlock(ec: &mut Ec, buffer: Value) -> Result<bool> {
    let hooks = hooks(ec)?;
    (hooks.unlock)(ec, buffer)
}

fn unlock_or_fail(ec: &mut Ec, buffer: Value) -> Result<()> {
    if unlock(ec, buffer)? { Ok(()) } else { Err(locked_error(ec, "Buffer not locked!")) }
}

api! {
    fn rb_io_buffer_new(ec, base: *mut c_void, size: usize, flags: u32) -> Result {
        new(ec, base, size, flags)
    }

    fn rb_io_buffer_map(ec, io: Value, size: usize, offset: i64, flags: u32) -> Result {
        let class = constant(ec, "IO::Buffer")?;
        let args = [io, self::size(ec, size), ec.int(offset), Value::fixnum_unchecked(flags.into())];
        ec.call(class, name!(ec, "map"), &args)
    }

    fn rb_io_buffer_lock(ec, buffer: Value) -> Result {
        let hooks = hooks(ec)?;
        (hooks.lock)(ec, buffer)?;
        Ok(buffer)
    }

    fn rb_io_buffer_unlock(ec, buffer: Value) -> Result {
        unlock_or_fail(ec, buffer)?;
        Ok(buffer)
    }

    fn rb_io_buffer_try_unlock(ec, buffer: Value) -> Result<c_int> {
        unlock(ec, buffer).map(c_int::from)
    }

    fn rb_io_buffer_free_locked(ec, buffer: Value) -> Result {
        unlock_or_fail(ec, buffer)?;
        ec.call(buffer, name!(ec, "free"), &[])
    }

    fn rb_io_buffer_get_bytes(ec, buffer: Value, base: *mut *mut u8, size: *mut usize) -> Result<u32> {
        let found = bytes(ec, buffer, BufferUse::Look)?;
        store(base, found.address);
        store(size, found.size);
        Ok(found.flags)
    }

    fn rb_io_buffer_get_bytes_for_reading(ec, buffer: Value, base: *mut *mut u8, size: *mut usize) -> Result<()> {
        let found = bytes(ec, buffer, BufferUse::Read)?;
        store(base, found.address);
        store(size, found.size);
        Ok(())
    }

    fn rb_io_buffer_get_bytes_for_writing(ec, buffer: Value, base: *mut *mut u8, size: *mut usize) -> Result<()> {
        let found = bytes(ec, buffer, BufferUse::Write)?;
        store(base, found.address);
        store(size, found.size);
        Ok(())
    }

    fn rb_io_buffer_resize(ec, buffer: Value, size: usize) -> Result<()> {
        let size = self::size(ec, size);
        ec.call(buffer, name!(ec, "resize"), &[size]).map(drop)
    }

    fn rb_io_buffer_clear(ec, buffer: Value, byte: u32, offset: usize, length: usize) -> Result<()> {
        let args = [Value::fixnum_unchecked((byte as u8).into()), size(ec, offset), size(ec, length)];
        ec.call(buffer, name!(ec, "clear"), &args).map(drop)
    }

    fn rb_io_buffer_read(ec, buffer: Value, io: Value, length: usize, offset: usize) -> Result {
        let args = [io, size(ec, length), size(ec, offset)];
        ec.call(buffer, name!(ec, "read"), &args)
    }

    fn rb_io_buffer_write(ec, buffer: Value, io: Value, length: usize, offset: usize) -> Result {
        let args = [io, size(ec, length), size(ec, offset)];
        ec.call(buffer, name!(ec, "write"), &args)
    }

    fn rb_io_buffer_pread(ec, buffer: Value, io: Value, from: i64, length: usize, offset: usize) -> Result {
        let args = [io, ec.int(from), size(ec, length), size(ec, offset)];
        ec.call(buffer, name!(ec, "pread"), &args)
    }

    fn rb_io_buffer_pwrite(ec, buffer: Value, io: Value, from: i64, length: usize, offset: usize) -> Result {
        let args = [io, ec.int(from), size(ec, length), size(ec, offset)];
        ec.call(buffer, name!(ec, "pwrite"), &args)
    }
}

calls! {
    rb_io_buffer_free(buffer) => "free";
    rb_io_buffer_transfer(buffer) => "transfer";
}
