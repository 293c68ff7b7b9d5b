//! Buffers as code in C has them: by the address of their bytes.

use super::memory::{MemoryPlace, Storage, for_reading, for_writing, place};
use super::{Buffer, BufferRef, LOCKED, READONLY, buffer_arg};
use crate::system::errno::errno;
use carat_os::Mapping;
use carat_vm::foreign::{BufferBytes, BufferHooks, BufferUse, Buffers, ForeignMemory};
use carat_vm::{Data, Ec, Result, Value};

/// From now on code in C finds what it asks for.
pub(super) fn register(ec: &Ec) {
    let _ = ec.vm().extension::<Buffers>().0.set(BufferHooks { bytes, over, lock, unlock });
}

fn bytes(ec: &mut Ec, buffer: Value, wanted: BufferUse) -> Result<BufferBytes> {
    let this = buffer_arg(ec, buffer)?;
    let found = match wanted {
        BufferUse::Look => place(ec, this).unwrap_or(MemoryPlace::Nothing),
        BufferUse::Read => for_reading(ec, this)?,
        BufferUse::Write => for_writing(ec, this)?,
    };
    let address = address(ec, found, wanted)?;
    if address.is_null() {
        return Ok(BufferBytes { address, size: 0, flags: 0 });
    }
    let Buffer { size, flags, .. } = *this.get(ec);
    Ok(BufferBytes { address, size, flags })
}

fn address(ec: &mut Ec, place: MemoryPlace, wanted: BufferUse) -> Result<*mut u8> {
    match place {
        MemoryPlace::Nothing => Ok(std::ptr::null_mut()),
        MemoryPlace::Text(text, at) => {
            if wanted == BufferUse::Write {
                // C code writes to bytes that are the string's own.
                let _ = text.bytes_mut(ec);
            }
            Ok(text.expose(ec).wrapping_add(at))
        }
        MemoryPlace::Own(owner, at) => Ok(own_address(ec, owner)?.wrapping_add(at)),
    }
}

fn own_address(ec: &mut Ec, owner: BufferRef) -> Result<*mut u8> {
    let own = owner.get_mut(ec);
    match &mut own.storage {
        Storage::None => Ok(std::ptr::null_mut()),
        Storage::Bytes(bytes) => Ok(bytes.as_mut_ptr()),
        Storage::Foreign(memory) => Ok(memory.address()),
        Storage::File(file) => {
            if let Some(mapping) = &file.mapping {
                return Ok(mapping.address());
            }
            match Mapping::new(file.fd, file.offset, own.size, own.flags & READONLY == 0) {
                Ok(mapping) => Ok(file.mapping.insert(mapping).address()),
                Err(e) => Err(errno(ec, &e, b"io_buffer_map_file:mmap")),
            }
        }
    }
}

fn over(ec: &mut Ec, memory: ForeignMemory, flags: u32) -> Result {
    let class = super::buffer_class(ec)?;
    let (base, size) = (memory.address().addr(), memory.len());
    let buffer = Buffer { storage: Storage::Foreign(memory), source: Value::NIL, base, size, flags };
    Ok(Data::new(ec, class, buffer).value())
}

fn lock(ec: &mut Ec, buffer: Value) -> Result<()> {
    let this = buffer_arg(ec, buffer)?;
    super::create::lock(ec, this)
}

fn unlock(ec: &mut Ec, buffer: Value) -> Result<bool> {
    let this = buffer_arg(ec, buffer)?;
    let was_locked = this.get(ec).flags & LOCKED != 0;
    super::create::unlock(ec, this);
    Ok(was_locked)
}
