//! Memory that code in C lends, and buffers whose memory it asks for.

use crate::ec::{Ec, Result};
use carat_layout::Value;
use std::sync::OnceLock;

/// Bytes of C code.
pub struct ForeignMemory {
    address: *mut u8,
    size: usize,
    /// Takes the bytes back.
    free: Option<fn(*mut u8, usize)>,
}

// SAFETY: whoever lends the memory vouches for it until it is freed, whichever thread uses it.
unsafe impl Send for ForeignMemory {}
// SAFETY: as above; what is written takes `&mut`.
unsafe impl Sync for ForeignMemory {}

impl ForeignMemory {
    /// # Safety
    /// So many bytes stand at the address, and may be written, until this is dropped.
    pub unsafe fn new(address: *mut u8, size: usize, free: Option<fn(*mut u8, usize)>) -> ForeignMemory {
        ForeignMemory { address, size, free }
    }

    pub fn address(&self) -> *mut u8 {
        self.address
    }

    pub fn len(&self) -> usize {
        self.size
    }

    pub fn is_empty(&self) -> bool {
        self.size == 0
    }

    pub fn as_slice(&self) -> &[u8] {
        // SAFETY: as `new` was told.
        unsafe { std::slice::from_raw_parts(self.address, self.size) }
    }

    pub fn as_mut_slice(&mut self) -> &mut [u8] {
        // SAFETY: as `new` was told.
        unsafe { std::slice::from_raw_parts_mut(self.address, self.size) }
    }
}

impl Drop for ForeignMemory {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            free(self.address, self.size);
        }
    }
}

/// What code in C wants to do with a buffer's bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum BufferUse {
    /// To know where they are, if there are any.
    Look,
    Read,
    Write,
}

/// Where a buffer's bytes are.
#[derive(Clone, Copy)]
pub struct BufferBytes {
    /// Null if there are none.
    pub address: *mut u8,
    pub size: usize,
    pub flags: u32,
}

/// What `IO::Buffer` does for code in C.
#[derive(Clone, Copy)]
pub struct BufferHooks {
    pub bytes: fn(&mut Ec, Value, BufferUse) -> Result<BufferBytes>,
    /// A buffer over memory of C code.
    pub over: fn(&mut Ec, ForeignMemory, u32) -> Result,
    pub lock: fn(&mut Ec, Value) -> Result<()>,
    /// Whether it was locked.
    pub unlock: fn(&mut Ec, Value) -> Result<bool>,
}

/// Part of a [`Vm`](crate::vm::Vm)'s extensions: whoever has the class fills it.
#[derive(Default)]
pub struct Buffers(pub OnceLock<BufferHooks>);
