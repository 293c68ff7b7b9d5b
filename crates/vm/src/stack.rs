//! VM stacks: address space reserved once, committed by the system as frames reach it.

use carat_layout::Value;

/// Words of a stack kept free above the limits, for the header and registers of natives and the handling of overflow.
const RESERVE_WORDS: usize = 4096;

/// How large a stack is.
#[derive(Clone, Copy)]
pub(crate) struct StackSize {
    /// Bytes that frames may begin in.
    frames: usize,
    /// Bytes above that arguments alone may reach into: `f(*array)` puts the elements there.
    arguments: usize,
}

impl StackSize {
    /// Frames take about 16 words, so this is depth for some 16,000 calls, CRuby's order. What recurses without end takes
    /// memory for each level, often more with each: a deeper stack makes it run out of that.
    pub(crate) const THREAD: StackSize = StackSize { frames: 2 << 20, arguments: 9 << 20 };
    pub(crate) const FIBER: StackSize = StackSize { frames: 1 << 20, arguments: 1 << 20 };

    pub(crate) const fn bytes(self) -> usize {
        self.frames + self.arguments
    }
}

pub(crate) struct VmStack {
    base: *mut Value,
    words: usize,
    frame_words: usize,
}

impl VmStack {
    pub(crate) fn new(size: StackSize) -> std::io::Result<VmStack> {
        let bytes = size.bytes();
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
        let (words, frame_words) = (bytes / size_of::<Value>(), size.frames / size_of::<Value>());
        Ok(VmStack { base: base.cast(), words, frame_words })
    }

    /// No stack: what stands in a context's or fiber's place while its stack is elsewhere.
    pub(crate) fn none() -> VmStack {
        VmStack { base: std::ptr::null_mut(), words: 0, frame_words: 0 }
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
        self.base.addr() + (self.frame_words - RESERVE_WORDS) * size_of::<Value>()
    }

    /// Address that arguments stay below.
    pub(crate) fn argument_limit(&self) -> usize {
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
