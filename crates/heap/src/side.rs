//! Blocks for fields that found no room in their object's slot.
//!
//! The page of the object leads to an array with one pointer per slot, which is made when the first object of the page
//! needs a block. No table, no hash, no lock: only whoever holds the object writes, and the pointers are atomic because
//! several Ractors may hold objects of one page, or read the fields of a class.
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
use std::sync::atomic::{AtomicPtr, Ordering};

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
    Layout::array::<AtomicPtr<Value>>(page.slot_count()).expect("a page has few slots")
}

fn page_of(object: NonNull<Header>) -> PageRef {
    let address = object.as_ptr().addr();
    // SAFETY: objects lie in pages of mapped regions.
    unsafe { RegionRef::around(address) }.page_at(address).expect("an object lies in a page of a pool")
}

/// Bytes of the slot that the object lies in, which may be more than its header says: see [`Header::slot_bytes`].
pub fn slot_bytes(object: NonNull<Header>) -> usize {
    page_of(object).pool().slot_bytes()
}

/// The block of an object, which may belong to any heap.
#[inline]
pub fn of(object: NonNull<Header>) -> Option<NonNull<Value>> {
    let page = page_of(object);
    let array = NonNull::new(page.side.load(Ordering::Acquire))?;
    // SAFETY: the array has a pointer for each slot of the page.
    let entry = unsafe { &*array.as_ptr().add(page.slot_index(object.as_ptr().addr())) };
    NonNull::new(entry.load(Ordering::Acquire))
}

/// Stores the block of an object, or takes it away with null. The old one is not freed.
pub(crate) fn set(object: NonNull<Header>, block: *mut Value) {
    let page = page_of(object);
    let index = page.slot_index(object.as_ptr().addr());
    let array = match NonNull::new(page.side.load(Ordering::Acquire)) {
        Some(array) => array,
        None if block.is_null() => return,
        None => make_array(&page),
    };
    if !block.is_null() {
        page.set_owning(index, true);
    }
    // SAFETY: as in `of`.
    unsafe { &*array.as_ptr().add(index) }.store(block, Ordering::Release);
}

/// The page's array, made unless another thread, which holds another object of the page, is faster.
#[cold]
fn make_array(page: &Page) -> NonNull<AtomicPtr<Value>> {
    let layout = array_layout(page);
    // SAFETY: the layout is not empty; null pointers are all zeroes.
    let Some(made) = NonNull::new(unsafe { alloc_zeroed(layout) }.cast::<AtomicPtr<Value>>()) else {
        handle_alloc_error(layout)
    };
    let published = page.side.compare_exchange(ptr::null_mut(), made.as_ptr(), Ordering::AcqRel, Ordering::Acquire);
    match published.map_err(NonNull::new) {
        Err(Some(other)) => {
            // SAFETY: nobody has seen the array that came too late.
            unsafe { dealloc(made.as_ptr().cast(), layout) };
            other
        }
        _ => made,
    }
}

/// Bytes of the page's array, if it has one.
pub(crate) fn array_bytes(page: &Page) -> usize {
    if page.side.load(Ordering::Acquire).is_null() { 0 } else { array_layout(page).size() }
}

/// Frees the page's array, whose blocks have been released.
pub(crate) fn drop_array(page: &Page) {
    let array = page.side.swap(ptr::null_mut(), Ordering::AcqRel);
    if !array.is_null() {
        // SAFETY: the array was made by `set` with this layout.
        unsafe { dealloc(array.cast(), array_layout(page)) }
    }
}
