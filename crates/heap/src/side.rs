//! Blocks for fields that found no room in their object's slot.
//!
//! The page of the object leads to an array with one pointer per slot, which is made when the first object of the page
//! needs a block. No table, no hash, no lock: only the owning Ractor writes.
//!
//! # Layout
//! ```text
//! [capacity][field 0][field 1]...
//!           ^ what is stored and handed out
//! ```
//! # Not here
//! Who frees a block: [`crate::Client::release`] of its object, which knows the type. Setting one marks the slot owning.

use crate::region::{Page, PageRef, RegionRef};
use carat_layout::{Header, Value};
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, handle_alloc_error};
use std::ptr::{self, NonNull};

fn block_layout(capacity: usize) -> Layout {
    Layout::array::<u64>(capacity + 1).expect("a block of fields fits the address space")
}

/// A block for `capacity` values, all undef.
pub fn allocate(capacity: usize) -> NonNull<Value> {
    let layout = block_layout(capacity);
    // SAFETY: the layout has room for the capacity at least; all words are written before anyone reads them.
    unsafe {
        let Some(block) = NonNull::new(alloc(layout).cast::<u64>()) else { handle_alloc_error(layout) };
        block.write(capacity as u64);
        let fields = block.add(1).cast::<Value>();
        (0..capacity).for_each(|i| fields.add(i).write(Value::UNDEF));
        fields
    }
}

/// Number of values that fit.
///
/// # Safety
/// The block came from [`allocate`] and was not freed.
pub unsafe fn capacity(block: NonNull<Value>) -> usize {
    // SAFETY: the word before the first field is the capacity.
    unsafe { block.cast::<u64>().sub(1).read() as usize }
}

/// # Safety
/// The block came from [`allocate`], was not freed, and no slot leads to it any more or its object is being released.
pub unsafe fn free(block: NonNull<Value>) {
    // SAFETY: the caller's contract; the layout is the one it was made with.
    unsafe { dealloc(block.cast::<u64>().sub(1).as_ptr().cast(), block_layout(capacity(block))) }
}

fn array_layout(page: &Page) -> Layout {
    Layout::array::<*mut Value>(page.slot_count()).expect("a page has few slots")
}

fn page_of(object: NonNull<Header>) -> PageRef {
    let address = object.as_ptr().addr();
    // SAFETY: objects lie in pages of mapped regions.
    unsafe { RegionRef::around(address) }.page_at(address).expect("an object lies in a page of a pool")
}

/// The block of an object, which may belong to any heap.
#[inline]
pub fn of(object: NonNull<Header>) -> Option<NonNull<Value>> {
    let page = page_of(object);
    let array = NonNull::new(page.side.get())?;
    // SAFETY: the array has a pointer for each slot of the page.
    NonNull::new(unsafe { array.add(page.slot_index(object.as_ptr().addr())).read() })
}

/// Stores the block of an object, or takes it away with null. The old one is not freed.
pub(crate) fn set(object: NonNull<Header>, block: *mut Value) {
    let page = page_of(object);
    let index = page.slot_index(object.as_ptr().addr());
    if page.side.get().is_null() {
        if block.is_null() {
            return;
        }
        let layout = array_layout(&page);
        // SAFETY: the layout is not empty; null pointers are all zeroes.
        page.side.set(unsafe { alloc_zeroed(layout) }.cast());
        if page.side.get().is_null() {
            handle_alloc_error(layout);
        }
    }
    if !block.is_null() {
        page.set_owning(index);
    }
    // SAFETY: as in `of`.
    unsafe { page.side.get().add(index).write(block) }
}

/// Frees the page's array, whose blocks have been released.
pub(crate) fn drop_array(page: &Page) {
    let array = page.side.replace(ptr::null_mut());
    if !array.is_null() {
        // SAFETY: the array was made by `set` with this layout.
        unsafe { dealloc(array.cast(), array_layout(page)) }
    }
}
