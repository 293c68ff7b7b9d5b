//! Between buffers and files, past the buffers of the IO. What the system refuses is returned as a negative error number.

use super::memory::{fetch, for_reading, for_writing, store};
use super::{BufferRef, check_range, range_arg};
use crate::system::io::IoRef;
use crate::system::io::scheduler::transfer_buffer;
use crate::system::system_call::system_call;
use carat_vm::{Ec, Result, Value};

/// The descriptor of an IO, or of what `to_io` gives.
fn descriptor(ec: &mut Ec, io: Value, writes: bool) -> Result<i32> {
    let io = match IoRef::from_value(io) {
        Some(io) => io,
        None => {
            let found = ec.call_if_responds(io, carat_vm::sym::TO_IO, &[])?.and_then(IoRef::from_value);
            found.ok_or_else(|| ec.no_implicit_conversion(io, "IO"))?
        }
    };
    crate::system::io::check_open(ec, io)?;
    let own = io.get(ec);
    Ok(if writes && own.write_fd() >= 0 { own.write_fd() } else { own.fd })
}

/// What a scheduler's hook answers; `None` if there is none. The second hook takes a place in the file.
fn by_scheduler(
    ec: &mut Ec,
    [plain, placed]: [&str; 2],
    this: BufferRef,
    io: Value,
    [offset, length]: [usize; 2],
    place: Option<i64>,
) -> Result<Option<Value>> {
    let (length, offset) = (Value::len(length), Value::len(offset));
    match place {
        None => transfer_buffer(ec, plain, io, &[io, this.value(), length, offset]),
        Some(place) => {
            let place = ec.int(place);
            transfer_buffer(ec, placed, io, &[io, this.value(), place, length, offset])
        }
    }
}

/// Repeats a call until `wanted` bytes went through, or none do.
fn transfer(
    ec: &mut Ec,
    wanted: usize,
    mut call: impl FnMut(usize) -> std::io::Result<usize>,
) -> Result<std::result::Result<usize, i64>> {
    let mut done = 0;
    loop {
        match system_call(ec, || call(done))? {
            Err(e) => return Ok(Err(-i64::from(e.raw_os_error().unwrap_or(0)))),
            Ok(0) => return Ok(Ok(done)),
            Ok(count) => done += count,
        }
        if done >= wanted {
            return Ok(Ok(done));
        }
    }
}

/// At least `length` bytes into the buffer from `offset`, and more if the file and the buffer have them.
fn read_from(
    ec: &mut Ec,
    this: BufferRef,
    io: Value,
    length: Option<Value>,
    offset: Option<Value>,
    from: Option<i64>,
) -> Result {
    let (offset, length) = range_arg(ec, this, offset, length)?;
    check_range(ec, this, offset, length)?;
    if let Some(answer) = by_scheduler(ec, ["io_read", "io_pread"], this, io, [offset, length], from)? {
        return Ok(answer);
    }
    let fd = descriptor(ec, io, false)?;
    for_writing(ec, this)?;
    let room = this.get(ec).size - offset;
    ec.ensure_memory(room)?;
    let mut bytes = vec![0; room];
    let outcome = transfer(ec, length, |done| match from {
        Some(from) => carat_os::pread(fd, &mut bytes[done..], from + done as i64),
        None => carat_os::read(fd, &mut bytes[done..]),
    })?;
    let count = match outcome {
        Ok(count) => count,
        Err(code) => return Ok(ec.int(code)),
    };
    // Other threads may have run meanwhile.
    let place = for_writing(ec, this)?;
    check_range(ec, this, offset, count)?;
    store(ec, place, offset, &bytes[..count])?;
    Ok(ec.int(count as i64))
}

/// At least `length` bytes of the buffer from `offset`, and as many more as the file takes at once.
fn write_to(
    ec: &mut Ec,
    this: BufferRef,
    io: Value,
    length: Option<Value>,
    offset: Option<Value>,
    to: Option<i64>,
) -> Result {
    let (offset, length) = range_arg(ec, this, offset, length)?;
    check_range(ec, this, offset, length)?;
    if let Some(answer) = by_scheduler(ec, ["io_write", "io_pwrite"], this, io, [offset, length], to)? {
        return Ok(answer);
    }
    let fd = descriptor(ec, io, true)?;
    let place = for_reading(ec, this)?;
    let size = this.get(ec).size;
    let bytes = fetch(ec, place, offset, size - offset)?;
    let outcome = transfer(ec, length, |done| match to {
        Some(to) => carat_os::pwrite(fd, &bytes[done..], to + done as i64),
        None => carat_os::write(fd, &bytes[done..]),
    })?;
    Ok(ec.int(outcome.map_or_else(|code| code, |count| count as i64)))
}

pub(super) fn read(ec: &mut Ec, this: BufferRef, io: Value, length: Option<Value>, offset: Option<Value>) -> Result {
    read_from(ec, this, io, length, offset, None)
}

pub(super) fn pread(
    ec: &mut Ec,
    this: BufferRef,
    io: Value,
    from: i64,
    length: Option<Value>,
    offset: Option<Value>,
) -> Result {
    read_from(ec, this, io, length, offset, Some(from))
}

pub(super) fn write(ec: &mut Ec, this: BufferRef, io: Value, length: Option<Value>, offset: Option<Value>) -> Result {
    write_to(ec, this, io, length, offset, None)
}

pub(super) fn pwrite(
    ec: &mut Ec,
    this: BufferRef,
    io: Value,
    to: i64,
    length: Option<Value>,
    offset: Option<Value>,
) -> Result {
    write_to(ec, this, io, length, offset, Some(to))
}
