//! VM stacks: address space reserved once, committed by the system as frames reach it.

use carat_layout::Value;

/// Words of a stack kept free above the limit, for the header and registers of natives and the handling of overflow.
const RESERVE_WORDS: usize = 4096;

pub(crate) struct VmStack {
    base: *mut Value,
    words: usize,
}

impl VmStack {
    /// Bytes of a thread's stack; frames take about 16 words, so this is depth for some 16,000 calls, CRuby's order. What
    /// recurses without end takes memory for each level, often more with each: a deeper stack makes it run out of that.
    pub(crate) const THREAD_BYTES: usize = 2 << 20;
    pub(crate) const FIBER_BYTES: usize = 1 << 20;

    pub(crate) fn new(bytes: usize) -> std::io::Result<VmStack> {
        // SAFETY: an anonymous private mapping at an address of the system's choice.
        let base = unsafe {
            libc::mmap(
                std::ptr::null_mut(),
                bytes,
                libc::PROT_READ | libc::PROT_WRITE,
                libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE,
                -1,
                0,
            )
        };
        if base == libc::MAP_FAILED {
            return Err(std::io::Error::last_os_error());
        }
        Ok(VmStack { base: base.cast(), words: bytes / size_of::<Value>() })
    }

    /// No stack: what stands in a context's or fiber's place while its stack is elsewhere.
    pub(crate) fn none() -> VmStack {
        VmStack { base: std::ptr::null_mut(), words: 0 }
    }

    pub(crate) fn is_none(&self) -> bool {
        self.base.is_null()
    }

    /// Frame pointer of the lowest frame.
    pub(crate) fn first(&self) -> *mut Value {
        self.base.wrapping_add(crate::frame::HEADER)
    }

    /// Address that the registers of ordinary frames stay below.
    pub(crate) fn limit(&self) -> usize {
        self.base.addr() + (self.words - RESERVE_WORDS) * size_of::<Value>()
    }

    pub(crate) fn contains(&self, pointer: *const Value) -> bool {
        (self.base.addr()..self.base.addr() + self.words * size_of::<Value>()).contains(&pointer.addr())
    }
}

impl Drop for VmStack {
    fn drop(&mut self) {
        if self.is_none() {
            return;
        }
        // SAFETY: the mapping that `new` made, dropped once.
        unsafe { libc::munmap(self.base.cast(), self.words * size_of::<Value>()) };
    }
}
