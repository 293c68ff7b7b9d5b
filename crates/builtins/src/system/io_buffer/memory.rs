//! Finding a buffer's bytes, reading and writing them.

use super::{Buffer, BufferRef, READONLY, buffer_arg, check_range, error, given, offset_arg, range_arg, size_arg};
use crate::system::errno::errno;
use crate::text::encoding::to_encoding;
use carat_vm::foreign::ForeignMemory;
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Value};

/// Memory that a buffer owns.
pub(super) enum Storage {
    None,
    Bytes(Vec<u8>),
    File(MappedFile),
    /// Of code in C.
    Foreign(ForeignMemory),
}

/// Part of a file, by a descriptor of its own.
pub(super) struct MappedFile {
    pub(super) fd: i32,
    pub(super) offset: i64,
    /// Its address stands for the mapping's.
    pub(super) anchor: Box<u64>,
    /// Made when code in C asks for it.
    pub(super) mapping: Option<carat_os::Mapping>,
}

impl Drop for MappedFile {
    fn drop(&mut self) {
        let _ = carat_os::close(self.fd);
    }
}

impl Storage {
    pub(super) fn address(&self) -> usize {
        match self {
            Storage::None => 0,
            Storage::Bytes(bytes) => bytes.as_ptr().addr(),
            Storage::File(file) => std::ptr::from_ref(&*file.anchor).addr(),
            Storage::Foreign(memory) => memory.address().addr(),
        }
    }

    pub(super) fn memsize(&self) -> usize {
        if let Storage::Bytes(bytes) = self { bytes.capacity() } else { 0 }
    }
}

/// Whose the bytes are, and where in it they begin.
#[derive(Clone, Copy)]
pub(super) enum MemoryPlace {
    Own(BufferRef, usize),
    Text(Str, usize),
    /// There is no memory.
    Nothing,
}

/// Where a buffer's bytes are; `None` if the memory that they were part of is gone or shorter.
pub(super) fn place(ec: &Ec, this: BufferRef) -> Option<MemoryPlace> {
    let Buffer { source, base, size, .. } = this.get(ec);
    if source.is_nil() {
        return Some(if *base == 0 { MemoryPlace::Nothing } else { MemoryPlace::Own(this, 0) });
    }
    if let Some(text) = Str::from_value(*source) {
        return inside(*base, *size, text_base(text), text.len(ec)).map(|start| MemoryPlace::Text(text, start));
    }
    let root = BufferRef::from_value(*source)?;
    let start = inside(*base, *size, root.get(ec).base, root.get(ec).size)?;
    match place(ec, root)? {
        MemoryPlace::Own(owner, at) => Some(MemoryPlace::Own(owner, at + start)),
        MemoryPlace::Text(text, at) => Some(MemoryPlace::Text(text, at + start)),
        MemoryPlace::Nothing => None,
    }
}

/// What stands for the address of a string's bytes, which move when they are unshared: the string's own.
pub(super) fn text_base(text: Str) -> usize {
    text.value().bits() as usize
}

/// Where a range lies in a larger one.
fn inside(base: usize, size: usize, outer: usize, outer_size: usize) -> Option<usize> {
    let start = base.checked_sub(outer).filter(|_| outer != 0)?;
    start.checked_add(size).filter(|end| *end <= outer_size).map(|_| start)
}

pub(super) fn is_valid(ec: &mut Ec, this: BufferRef) -> bool {
    place(ec, this).is_some()
}

pub(super) fn for_reading(ec: &mut Ec, this: BufferRef) -> Result<MemoryPlace> {
    match place(ec, this) {
        Some(place) => Ok(place),
        None => Err(error(ec, "InvalidatedError", "Buffer has been invalidated!")),
    }
}

pub(super) fn for_writing(ec: &mut Ec, this: BufferRef) -> Result<MemoryPlace> {
    if this.get(ec).flags & READONLY != 0 {
        return Err(error(ec, "AccessError", "Buffer is not writable!"));
    }
    match place(ec, this) {
        Some(place) => Ok(place),
        None => Err(error(ec, "InvalidatedError", "Buffer is invalid!")),
    }
}

/// Copies bytes out. The range was checked against the buffer, and the buffer against its owner.
pub(super) fn fetch(ec: &mut Ec, place: MemoryPlace, offset: usize, length: usize) -> Result<Vec<u8>> {
    // Most callers copy the bytes once more.
    ec.ensure_memory(length.saturating_mul(2))?;
    match place {
        MemoryPlace::Nothing => Ok(Vec::new()),
        MemoryPlace::Text(text, at) => Ok(text.bytes(ec)[at + offset..][..length].to_vec()),
        MemoryPlace::Own(owner, at) => match &owner.get(ec).storage {
            Storage::None => Ok(Vec::new()),
            Storage::Bytes(bytes) => Ok(bytes[at + offset..][..length].to_vec()),
            Storage::Foreign(memory) => Ok(memory.as_slice()[at + offset..][..length].to_vec()),
            Storage::File(file) => {
                let (fd, from) = (file.fd, file.offset + (at + offset) as i64);
                read_file(fd, from, length).map_err(|e| errno(ec, &e, b""))
            }
        },
    }
}

/// What the file no longer has reads as zeros.
fn read_file(fd: i32, from: i64, length: usize) -> std::io::Result<Vec<u8>> {
    let (mut bytes, mut done) = (vec![0; length], 0);
    while done < length {
        match carat_os::pread(fd, &mut bytes[done..], from + done as i64)? {
            0 => break,
            count => done += count,
        }
    }
    Ok(bytes)
}

pub(super) fn store(ec: &mut Ec, place: MemoryPlace, offset: usize, bytes: &[u8]) -> Result<()> {
    match place {
        MemoryPlace::Nothing => {}
        MemoryPlace::Text(text, at) => text.bytes_mut(ec)[at + offset..][..bytes.len()].copy_from_slice(bytes),
        MemoryPlace::Own(owner, at) => match &mut owner.get_mut(ec).storage {
            Storage::None => {}
            Storage::Bytes(own) => own[at + offset..][..bytes.len()].copy_from_slice(bytes),
            Storage::Foreign(memory) => memory.as_mut_slice()[at + offset..][..bytes.len()].copy_from_slice(bytes),
            Storage::File(file) => {
                let (fd, to) = (file.fd, file.offset + (at + offset) as i64);
                write_file(fd, to, bytes).map_err(|e| errno(ec, &e, b""))?;
            }
        },
    }
    Ok(())
}

fn write_file(fd: i32, to: i64, bytes: &[u8]) -> std::io::Result<()> {
    let mut done = 0;
    while done < bytes.len() {
        done += carat_os::pwrite(fd, &bytes[done..], to + done as i64)?;
    }
    Ok(())
}

/// All bytes of a buffer.
pub(super) fn contents(ec: &mut Ec, this: BufferRef) -> Result<Vec<u8>> {
    let (place, size) = (for_reading(ec, this)?, this.get(ec).size);
    fetch(ec, place, 0, size)
}

// ---- methods ----

/// By size, then by content.
pub(super) fn compare(ec: &mut Ec, this: BufferRef, other: Value) -> Result<i64> {
    let mine = contents(ec, this)?;
    let other = buffer_arg(ec, other)?;
    let theirs = contents(ec, other)?;
    Ok(mine.len().cmp(&theirs.len()).then_with(|| mine.cmp(&theirs)) as i64)
}

pub(super) fn get_string(
    ec: &mut Ec,
    this: BufferRef,
    offset: Option<Value>,
    length: Option<Value>,
    encoding: Option<Value>,
) -> Result<Str> {
    let (offset, length) = range_arg(ec, this, offset, length)?;
    let place = for_reading(ec, this)?;
    let encoding = match encoding {
        Some(encoding) => to_encoding(ec, encoding)?,
        None => EncodingIndex::BINARY,
    };
    check_range(ec, this, offset, length)?;
    let bytes = fetch(ec, place, offset, length)?;
    Ok(Str::new(ec, &bytes, encoding, CodeRange::Unknown))
}

pub(super) fn set_string(
    ec: &mut Ec,
    this: BufferRef,
    string: Value,
    offset: Option<Value>,
    length: Option<Value>,
    from: Option<Value>,
) -> Result<usize> {
    let bytes = ec.to_str(string)?.owned_bytes(ec)?;
    copy_from(ec, this, &bytes, offset, length, from)
}

pub(super) fn copy(
    ec: &mut Ec,
    this: BufferRef,
    source: Value,
    offset: Option<Value>,
    length: Option<Value>,
    from: Option<Value>,
) -> Result<usize> {
    let source = buffer_arg(ec, source)?;
    let bytes = contents(ec, source)?;
    copy_from(ec, this, &bytes, offset, length, from)
}

fn copy_from(
    ec: &mut Ec,
    this: BufferRef,
    bytes: &[u8],
    offset: Option<Value>,
    length: Option<Value>,
    from: Option<Value>,
) -> Result<usize> {
    let (offset, from) = (offset_arg(ec, offset)?, offset_arg(ec, from)?);
    if from > bytes.len() {
        return Err(ec.argument_error("The given source offset is bigger than the source itself!"));
    }
    let length = match given(length) {
        Some(length) => size_arg(ec, length, "Length")?,
        None => bytes.len() - from,
    };
    let place = for_writing(ec, this)?;
    check_range(ec, this, offset, length)?;
    let Some(part) = bytes[from..].get(..length) else {
        return Err(ec.argument_error("The computed source range exceeds the size of the source buffer!"));
    };
    store(ec, place, offset, part)?;
    Ok(length)
}

pub(super) fn clear(
    ec: &mut Ec,
    this: BufferRef,
    value: Option<Value>,
    offset: Option<Value>,
    length: Option<Value>,
) -> Result {
    let byte = value.map_or(Ok(0), |value| ec.to_long(value))? as u8;
    let (offset, length) = range_arg(ec, this, offset, length)?;
    let place = for_writing(ec, this)?;
    check_range(ec, this, offset, length)?;
    store(ec, place, offset, &vec![byte; length])?;
    Ok(this.value())
}
