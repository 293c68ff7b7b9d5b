//! Tables by which panics pass through machine code.
//!
//! Machine code saves no registers that its callees have to keep, so a table only says how far the stack has grown, and where on it the
//! return address lies. It has DWARF's form (`.eh_frame`: one CIE, one FDE and an end) and is known to the unwinder of this process as
//! long as it lives.

use crate::native::STACK;
use std::ptr::NonNull;

// Of the unwinder that `std` is linked with: libgcc's takes a whole section, LLVM's one FDE.
unsafe extern "C" {
    fn __register_frame(begin: *const u8);
    fn __deregister_frame(begin: *const u8);
}

/// From a place in the code on, how many bytes the stack has grown since it was entered by a call, the return address not included.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Depth {
    pub offset: usize,
    pub bytes: u16,
}

/// What the stack of a processor looks like while something is called.
pub struct Stack {
    /// DWARF's number of the stack pointer, and of what stands for the return address.
    pub pointer: u8,
    pub return_address: u8,
    /// What the return address takes.
    pub word_bytes: u16,
    /// Whether the return address was there before all else; otherwise what calls has put it there last.
    pub is_pushed_by_caller: bool,
}

impl Stack {
    /// How many bytes below the end of a frame of so many bytes the return address lies.
    fn return_address_below(&self, bytes: u16) -> u16 {
        if self.is_pushed_by_caller { self.word_bytes } else { bytes }
    }
}

const UNIT: u16 = 8;

// DWARF's numbers.
const DW_CFA_NOP: u8 = 0x00;
const DW_CFA_ADVANCE_LOC4: u8 = 0x04;
const DW_CFA_DEF_CFA: u8 = 0x0C;
const DW_CFA_DEF_CFA_OFFSET: u8 = 0x0E;
const DW_CFA_OFFSET: u8 = 0x80;

/// The table of one stretch of machine code.
pub(crate) struct Table {
    /// Owned, and read by the unwinder.
    words: NonNull<[u64]>,
    /// Where the FDE begins.
    entry: usize,
}

// SAFETY: nobody writes to a table, and unwinders lock what they know.
unsafe impl Send for Table {}

impl Table {
    /// Tells the unwinder of code.
    pub(crate) fn new(start: usize, len: usize, depths: &[Depth]) -> Table {
        let (bytes, entry) = section(start, len, depths);
        let words: Box<[u64]> = bytes.chunks(8).map(word_of).collect();
        let table = Table { words: NonNull::from(Box::leak(words)), entry };
        // SAFETY: a section that ends as it must, and stays until `drop`.
        unsafe { __register_frame(table.begin()) };
        table
    }

    fn begin(&self) -> *const u8 {
        let skipped = if cfg!(all(target_os = "linux", target_env = "gnu")) { 0 } else { self.entry };
        self.words.as_ptr().cast::<u8>().wrapping_add(skipped)
    }
}

impl Drop for Table {
    fn drop(&mut self) {
        // SAFETY: what `new` registered and leaked; dropped once.
        unsafe {
            __deregister_frame(self.begin());
            drop(Box::from_raw(self.words.as_ptr()));
        }
    }
}

fn word_of(bytes: &[u8]) -> u64 {
    let mut word = [0; 8];
    word[..bytes.len()].copy_from_slice(bytes);
    u64::from_ne_bytes(word)
}

/// The bytes of a section, and where its FDE begins.
fn section(start: usize, len: usize, depths: &[Depth]) -> (Vec<u8>, usize) {
    let mut bytes = Vec::new();
    let Stack { pointer, return_address, word_bytes, .. } = STACK;
    let place = |bytes: u16| (STACK.return_address_below(bytes) / UNIT) as u8;
    // CIE: number 0, version 1, no augmentation, units of 1 and of -8 bytes.
    let mut common = vec![0, 0, 0, 0, 1, 0, 1, 0x78, return_address];
    common.extend([DW_CFA_DEF_CFA, pointer, word_bytes as u8, DW_CFA_OFFSET | return_address, place(word_bytes)]);
    append(&mut bytes, &common);
    let entry = bytes.len();
    let mut own = (entry as u32 + 4).to_ne_bytes().to_vec();
    own.extend(start.to_ne_bytes());
    own.extend(len.to_ne_bytes());
    let mut at = 0;
    for depth in depths {
        own.push(DW_CFA_ADVANCE_LOC4);
        own.extend(((depth.offset - at) as u32).to_ne_bytes());
        own.push(DW_CFA_DEF_CFA_OFFSET);
        let bytes = depth.bytes + word_bytes;
        append_number(&mut own, bytes);
        own.push(DW_CFA_OFFSET | return_address);
        append_number(&mut own, STACK.return_address_below(bytes) / UNIT);
        at = depth.offset;
    }
    append(&mut bytes, &own);
    bytes.extend([0; 4]);
    (bytes, entry)
}

/// Appends a number as LEB128 does: seven bits a byte, all but the last one marked.
fn append_number(bytes: &mut Vec<u8>, mut number: u16) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

/// Appends an entry with its length in front, which is such that the next one is aligned.
fn append(bytes: &mut Vec<u8>, entry: &[u8]) {
    let len = (entry.len() + 4).next_multiple_of(8) - 4;
    bytes.extend((len as u32).to_ne_bytes());
    bytes.extend(entry);
    bytes.resize(bytes.len() + len - entry.len(), DW_CFA_NOP);
}
