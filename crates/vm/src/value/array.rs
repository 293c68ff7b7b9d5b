//! Arrays: values in the slot or in a window of a buffer.
//!
//! # Layout
//! As strings, with the embedded length (at most 127) in the header. Elements of a view are initialised from `ptr` for
//! `len` words; buffer-only arrays keep pointer and length in the buffer's head, the length in elements.
//!
//! # Invariants
//! * A buffer is written only while its count is one; a writer that finds it shared copies first.
//! * Every store goes through the write barrier.

use crate::ec::{Ec, Result};
use crate::inspect::recorder::{self, Event};
use crate::model::class::Class;
use crate::value::object::Mold;
use carat_heap::buf;
use carat_layout::{BufHead, Header, HeapType, RArrayEmbedded, RBufOnly, RView, Value, flags, pool_for};
use std::ptr::NonNull;

/// Elements that the largest slot holds.
const MAX_EMBEDDED: usize = carat_layout::MAX_SLOT_BYTES / 8 - 1;
/// Elements that the first buffer of an array that grows has room for: most arrays stay small.
const LEAST_ROOM: usize = 4;

const _: () = assert!(MAX_EMBEDDED as u64 <= flags::EMBEDDED_LEN_MASK >> flags::EMBEDDED_LEN_SHIFT);

/// Longest array: what CRuby allows.
pub const MAX_LEN: usize = isize::MAX as usize / 8;

/// Slices up to this length are copied.
const COPY_SLICE_MAX: usize = 15;

/// An Array.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Array(Value);

/// Arrays shorter than this have their elements moved by `unshift`.
const FRONT_ROOM_FROM: usize = 16;

impl Array {
    #[inline]
    pub fn from_value(value: Value) -> Option<Array> {
        value.is_type(HeapType::Array).then_some(Array(value))
    }

    /// The handle of a value that is known to be an Array. Another one is a mistake of ours, and ends the process.
    #[inline]
    #[track_caller]
    pub fn expect(value: Value) -> Array {
        match Array::from_value(value) {
            Some(handle) => handle,
            None => crate::bug::wrong_type(value, "an Array"),
        }
    }

    /// As [`Array::expect`], without a look at the value.
    ///
    /// # Safety
    /// It is an Array.
    #[inline]
    pub(crate) unsafe fn from_value_unchecked(value: Value) -> Array {
        debug_assert!(Array::from_value(value).is_some(), "{value:?} is not an Array");
        Array(value)
    }

    #[inline]
    pub fn value(self) -> Value {
        self.0
    }

    #[inline]
    fn header<'a>(self) -> &'a Header {
        // SAFETY: an Array is a live heap object.
        unsafe { &*self.0.as_ptr::<Header>() }
    }

    #[inline]
    fn storage(self) -> u64 {
        self.header().bits() & flags::STORAGE_MASK
    }

    // ---- making arrays ----

    /// An empty array with room for `capacity` elements.
    pub fn new(ec: &Ec, capacity: usize) -> Array {
        Array::new_in(ec, ec.vm().known().array.root_shape().into(), capacity)
    }

    /// The header of an array whose elements, so many, follow it.
    pub(crate) fn header_of(ec: &Ec, len: usize) -> u64 {
        let pool = pool_for(8 + 8 * len).expect("bounded by the largest slot");
        let shape = ec.vm().known().array.root_shape();
        let bits = flags::STORAGE_EMBEDDED | (len as u64) << flags::EMBEDDED_LEN_SHIFT;
        Header::new(HeapType::Array, pool, shape, bits).bits()
    }

    pub fn new_of(ec: &Ec, class: Class, capacity: usize) -> Array {
        Array::new_in(ec, Mold::of(class), capacity)
    }

    fn new_in(ec: &Ec, mold: Mold, capacity: usize) -> Array {
        if capacity <= MAX_EMBEDDED {
            let pool = pool_for(8 + 8 * capacity).expect("bounded by the largest slot");
            let slot = ec.new_slot_in(HeapType::Array, pool, mold, flags::STORAGE_EMBEDDED);
            // SAFETY: the slot is initialised: an embedded array of length 0.
            return Array(unsafe { Value::from_heap(slot) });
        }
        let buffer = ec.heap().allocate_buffer(capacity * 8);
        let array = Array::new_view(ec, mold, 0, buffer, buf::data(buffer), 0);
        if ec.is_recording() {
            recorder::event(ec, array.0, Event::BornExtended);
        }
        array
    }

    fn new_view(ec: &Ec, mold: Mold, bits: u64, buffer: NonNull<BufHead>, ptr: *mut u8, len: usize) -> Array {
        let pool = pool_for(size_of::<RView>()).expect("fits a slot");
        let slot = ec.new_slot_in(HeapType::Array, pool, mold, bits | flags::STORAGE_VIEW);
        // SAFETY: the slot is fresh and holds a view.
        unsafe {
            let view = slot.cast::<RView>().as_ptr();
            (*view).buf = buffer.as_ptr();
            (*view).ptr = ptr;
            (*view).len = len;
        }
        ec.heap().mark_owning(slot);
        // SAFETY: the slot is initialised.
        Array(unsafe { Value::from_heap(slot) })
    }

    pub fn from_slice(ec: &Ec, elements: &[Value]) -> Array {
        let array = Array::new(ec, elements.len());
        array.fill_fresh(elements);
        array
    }

    /// What an iterator gives, of which `capacity` are taken at most. It only reads: no object is made meanwhile.
    pub fn collect(ec: &Ec, capacity: usize, values: impl Iterator<Item = Value>) -> Array {
        let array = Array::new(ec, capacity);
        let mut len = 0;
        for value in values.take(capacity) {
            // SAFETY: there is room for `capacity` elements; a fresh object needs no barrier.
            unsafe { array.ptr().add(len).write(value) };
            len += 1;
        }
        // SAFETY: as many were written.
        unsafe { array.set_len(len) };
        array
    }

    /// So many times the same element.
    pub fn filled(ec: &Ec, class: Class, len: usize, element: Value) -> Array {
        let array = Array::new_of(ec, class, len);
        let first = array.ptr();
        // SAFETY: the array was made with room for the elements, and all of them are written before they count; a fresh object needs
        // no barrier.
        unsafe {
            (0..len).for_each(|index| first.add(index).write(element));
            array.set_len(len);
        }
        array
    }

    /// Fills a fresh array that has the room; a fresh object needs no barrier.
    fn fill_fresh(self, elements: &[Value]) {
        // SAFETY: the array was made with room for the elements.
        unsafe {
            std::ptr::copy_nonoverlapping(elements.as_ptr(), self.ptr(), elements.len());
            self.set_len(elements.len());
        }
    }

    pub fn pair(ec: &Ec, first: Value, second: Value) -> Array {
        Array::from_slice(ec, &[first, second])
    }

    // ---- reading ----

    #[inline]
    fn ptr(self) -> *mut Value {
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match self.storage() {
                flags::STORAGE_EMBEDDED => (&raw mut (*self.0.as_ptr::<RArrayEmbedded>()).elements).cast(),
                flags::STORAGE_VIEW => (*self.0.as_ptr::<RView>()).ptr.cast(),
                _ => (*(*self.0.as_ptr::<RBufOnly>()).buf).ptr.cast(),
            }
        }
    }

    #[inline]
    pub fn len(self, _ec: &Ec) -> usize {
        self.raw_len()
    }

    #[inline]
    fn raw_len(self) -> usize {
        // SAFETY: as in `ptr`.
        unsafe {
            match self.storage() {
                flags::STORAGE_EMBEDDED => {
                    ((self.header().bits() & flags::EMBEDDED_LEN_MASK) >> flags::EMBEDDED_LEN_SHIFT) as usize
                }
                flags::STORAGE_VIEW => (*self.0.as_ptr::<RView>()).len,
                _ => (*(*self.0.as_ptr::<RBufOnly>()).buf).len,
            }
        }
    }

    #[inline]
    pub fn is_empty(self, ec: &Ec) -> bool {
        self.len(ec) == 0
    }

    /// Where the elements begin and how many there are, by one look at the header.
    #[inline(always)]
    fn parts(self) -> (*mut Value, usize) {
        let bits = self.header().bits();
        // SAFETY: as in `ptr`.
        unsafe {
            match bits & flags::STORAGE_MASK {
                flags::STORAGE_VIEW => {
                    let view = self.0.as_ptr::<RView>();
                    ((*view).ptr.cast(), (*view).len)
                }
                flags::STORAGE_EMBEDDED => {
                    let len = (bits & flags::EMBEDDED_LEN_MASK) >> flags::EMBEDDED_LEN_SHIFT;
                    ((&raw mut (*self.0.as_ptr::<RArrayEmbedded>()).elements).cast(), len as usize)
                }
                _ => {
                    let head = (*self.0.as_ptr::<RBufOnly>()).buf;
                    ((*head).ptr.cast(), (*head).len)
                }
            }
        }
    }

    #[inline]
    pub fn slice_of(self, _ec: &Ec) -> &[Value] {
        let (ptr, len) = self.parts();
        // SAFETY: the elements are initialised; `&Ec` keeps writers and the collector away.
        unsafe { std::slice::from_raw_parts(ptr, len) }
    }

    #[inline]
    pub fn get(self, ec: &Ec, index: usize) -> Option<Value> {
        self.slice_of(ec).get(index).copied()
    }

    /// The element, or nil outside.
    #[inline]
    pub fn at(self, ec: &Ec, index: usize) -> Value {
        self.get(ec, index).unwrap_or(Value::NIL)
    }

    /// The element, unless the index lies outside.
    #[inline(always)]
    pub(crate) fn element(self, _ec: &Ec, index: usize) -> Option<Value> {
        let (ptr, len) = self.parts();
        // SAFETY: inside, so initialised.
        (index < len).then(|| unsafe { *ptr.add(index) })
    }

    pub fn last(self, ec: &Ec) -> Option<Value> {
        self.slice_of(ec).last().copied()
    }

    // ---- writing: the receiver is known to be writable; `check_frozen` is the caller's business ----

    pub fn check_frozen(self, ec: &mut Ec) -> Result<()> {
        if self.header().has(flags::FROZEN) { Err(ec.frozen_error(self.0)) } else { Ok(()) }
    }

    /// Overwrites an element. False, with nothing done, if the index lies outside, or the array is frozen or shares its buffer.
    #[inline(always)]
    pub(crate) fn overwrite(self, ec: &Ec, index: usize, value: Value) -> bool {
        let bits = self.header().bits();
        let (ptr, len) = self.parts();
        // SAFETY: the elements are initialised up to the length; what is not embedded has a buffer.
        unsafe {
            let is_shared = bits & flags::STORAGE_MASK != flags::STORAGE_EMBEDDED && !buf::is_unique(self.buffer());
            if index >= len || bits & flags::FROZEN != 0 || is_shared {
                return false;
            }
            ptr.add(index).write(value);
        }
        if bits & flags::OLD != 0 {
            ec.heap().barrier(self.0, value);
        }
        true
    }

    /// Appends where a buffer of its own has room. False, with nothing done, in any other case.
    #[inline(always)]
    pub fn append_in_place(self, ec: &Ec, value: Value) -> bool {
        let bits = self.header().bits();
        if bits & flags::FROZEN != 0 || bits & flags::STORAGE_MASK == flags::STORAGE_EMBEDDED {
            return false;
        }
        // SAFETY: what is not embedded has a buffer; what is written lies within it and behind the elements.
        unsafe {
            let buffer = self.buffer();
            let (ptr, len) = match bits & flags::STORAGE_MASK {
                flags::STORAGE_VIEW => {
                    let view = self.0.as_ptr::<RView>();
                    ((*view).ptr, &raw mut (*view).len)
                }
                _ => ((*buffer.as_ptr()).ptr, &raw mut (*buffer.as_ptr()).len),
            };
            let end = ptr.cast::<Value>().add(*len);
            if end.addr() + 8 > buf::data(buffer).addr() + buf::capacity(buffer) || !buf::is_unique(buffer) {
                return false;
            }
            end.write(value);
            *len += 1;
        }
        if bits & flags::OLD != 0 {
            ec.heap().barrier(self.0, value);
        }
        true
    }

    fn is_own(self) -> bool {
        // SAFETY: what is not embedded has a buffer.
        self.storage() == flags::STORAGE_EMBEDDED || unsafe { buf::is_unique(self.buffer()) }
    }

    /// Elements that fit without moving.
    pub fn capacity(self, _ec: &Ec) -> usize {
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match self.storage() {
                flags::STORAGE_EMBEDDED => self.header().slot_bytes() / 8 - 1,
                _ => {
                    let buffer = self.buffer();
                    if !buf::is_unique(buffer) {
                        return self.raw_len();
                    }
                    (buf::capacity(buffer) - (self.ptr().addr() - buf::data(buffer).addr())) / 8
                }
            }
        }
    }

    /// # Safety
    /// The array is not embedded.
    unsafe fn buffer(self) -> NonNull<BufHead> {
        // SAFETY: a view and a buffer-only array keep their buffer in the same word.
        unsafe { NonNull::new_unchecked((*self.0.as_ptr::<RBufOnly>()).buf) }
    }

    /// # Safety
    /// `len` elements are initialised and within capacity; the buffer, if any, is unshared unless `len` is less than before.
    #[inline]
    unsafe fn set_len(self, len: usize) {
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match self.storage() {
                flags::STORAGE_EMBEDDED => {
                    self.header().replace(flags::EMBEDDED_LEN_MASK, (len as u64) << flags::EMBEDDED_LEN_SHIFT)
                }
                flags::STORAGE_VIEW => (*self.0.as_ptr::<RView>()).len = len,
                _ => (*(*self.0.as_ptr::<RBufOnly>()).buf).len = len,
            }
        }
    }

    /// The address of the elements, for code in C. They stay there until somebody writes to the array. Elements that another
    /// Ractor may be reading do not move: a frozen array's are for reading only.
    pub fn expose(self, ec: &Ec, for_writing: bool) -> *mut Value {
        self.header().set(flags::EXPOSED);
        let for_writing = for_writing && !(ec.is_frozen(self.0) && ec.vm().has_several_ractors());
        if for_writing {
            self.reserve(ec, self.raw_len());
        }
        if for_writing && !self.header().has(flags::ARRAY_WRITTEN) {
            self.header().set(flags::ARRAY_WRITTEN);
            ec.ractor().unprotected.borrow_mut().push(self.0.as_heap().expect("an array is a heap object"));
        }
        self.parts().0
    }

    /// Makes the elements this array's own, with room for `capacity` of them.
    pub fn reserve(self, ec: &Ec, capacity: usize) {
        if !self.is_own() || self.capacity(ec) < capacity {
            self.move_to_buffer(ec, capacity);
        }
    }

    #[inline]
    fn grow_for(self, ec: &Ec, needed: usize) {
        if !self.is_own() || self.capacity(ec) < needed {
            let len = self.raw_len();
            // Twice as many while that is little: what is collected one by one is moved seldom then.
            let room = if len < 16 { len / 4 * 8 } else { len + len / 2 };
            self.move_to_buffer(ec, needed.max(room).max(LEAST_ROOM));
        }
    }

    /// Makes room for `added` more elements, or raises `NoMemoryError`: for whatever appends as much as a program likes.
    #[inline]
    pub fn make_room(self, ec: &mut Ec, added: usize) -> Result<()> {
        let needed = self.raw_len().saturating_add(added);
        if needed < carat_os::SMALL_BYTES / size_of::<Value>() { Ok(()) } else { self.make_much_room(ec, needed) }
    }

    #[cold]
    fn make_much_room(self, ec: &mut Ec, needed: usize) -> Result<()> {
        let len = self.raw_len();
        let bytes = |elements: usize| elements.saturating_mul(size_of::<Value>());
        if self.is_own() && self.capacity(ec) >= needed
            || ec.would_allocate(bytes(needed.max(len.saturating_add(len / 2))))
        {
            return Ok(());
        }
        // Not half as much again, but perhaps just enough.
        ec.ensure_memory(bytes(needed))?;
        self.reserve(ec, needed);
        Ok(())
    }

    /// Whether one more element needs a large buffer, which a method asks for that can raise.
    #[inline]
    pub fn needs_much_room(self, ec: &Ec) -> bool {
        self.raw_len() >= carat_os::SMALL_BYTES / size_of::<Value>() && self.capacity(ec) <= self.raw_len()
    }

    #[cold]
    #[inline(never)]
    fn move_to_buffer(self, ec: &Ec, capacity: usize) {
        let (ptr, len) = (self.ptr(), self.raw_len());
        let capacity = capacity.max(len);
        let storage = self.storage();
        if ec.is_recording() {
            self.note_move(ec, capacity);
        }
        // SAFETY: a buffer that is unshared and starts with the elements is grown in place; otherwise the elements are
        // copied to a new one before the old one is given up.
        unsafe {
            let own = (storage != flags::STORAGE_EMBEDDED).then(|| self.buffer());
            let at_start = own.filter(|b| buf::is_unique(*b) && ptr.cast() == buf::data(*b));
            let buffer = match at_start {
                Some(buffer) => ec.heap().grow_buffer(buffer, capacity * 8),
                None => {
                    // A queue leaves much room in front, which is given up; a little of it stays for `unshift`.
                    let room = self.front_room().min(len / 8);
                    return self.move_to_new_buffer(ec, room, room + capacity);
                }
            };
            self.install_buffer(ec, buffer, len);
        }
    }

    /// Copies the elements to a buffer for `capacity` of them, `room` places behind its beginning.
    fn move_to_new_buffer(self, ec: &Ec, room: usize, capacity: usize) {
        let (ptr, len) = (self.ptr(), self.raw_len());
        let buffer = ec.heap().allocate_buffer(capacity * 8);
        // SAFETY: the buffer is fresh and has room for the elements behind the places in front; what is not embedded has a
        // buffer of its own, which is given up last.
        unsafe {
            std::ptr::copy_nonoverlapping(ptr, buf::data(buffer).cast::<Value>().add(room), len);
            if self.storage() == flags::STORAGE_EMBEDDED {
                ec.heap().count_leaving_slot(len * 8);
            } else {
                ec.heap().count_copy(self.buffer(), len * 8);
                let slot = self.0.as_heap().expect("an array is a heap object");
                crate::value::string::release_storage(ec.heap(), slot);
            }
            self.install_buffer(ec, buffer, 0);
            self.move_start(room as isize);
            self.set_len(len);
        }
    }

    #[cold]
    fn note_move(self, ec: &Ec, capacity: usize) {
        if let Some(contents) = ec.contents_of(self.0) {
            recorder::event(ec, self.0, Event::of_move(&contents, capacity * 8));
        }
    }

    fn install_buffer(self, ec: &Ec, buffer: NonNull<BufHead>, len: usize) {
        let storage =
            if self.header().slot_bytes() >= size_of::<RView>() { flags::STORAGE_VIEW } else { flags::STORAGE_BUF };
        // SAFETY: the slot holds the struct that the storage bits name, and the buffer is this array's alone.
        unsafe {
            (*self.0.as_ptr::<RBufOnly>()).buf = buffer.as_ptr();
            let data = buf::data(buffer);
            if storage == flags::STORAGE_VIEW {
                buf::adopt(buffer);
                (*self.0.as_ptr::<RView>()).ptr = data;
            } else {
                (*buffer.as_ptr()).ptr = data;
            }
            self.header().replace(flags::STORAGE_MASK | flags::SLICE | flags::EMBEDDED_LEN_MASK, storage);
            self.set_len(len);
        }
        ec.heap().mark_owning(self.0.as_heap().expect("an array is a heap object"));
    }

    #[inline(never)]
    pub fn push(self, ec: &Ec, value: Value) {
        if self.append_in_place(ec, value) {
            return;
        }
        let len = self.raw_len();
        self.grow_for(ec, len + 1);
        // SAFETY: there is room, and the contents are unshared.
        unsafe {
            self.ptr().add(len).write(value);
            self.set_len(len + 1);
        }
        ec.heap().barrier(self.0, value);
    }

    pub fn pop(self, ec: &Ec) -> Option<Value> {
        let last = self.last(ec)?;
        // SAFETY: shorter than before; in a shared buffer only this array's window changes.
        unsafe { self.set_len(self.raw_len() - 1) };
        Some(last)
    }

    /// Sets an element; what lies between the end and `index` becomes nil.
    pub fn set(self, ec: &Ec, index: usize, value: Value) {
        if self.overwrite(ec, index, value) {
            return;
        }
        let len = self.raw_len();
        if index >= len {
            self.resize(ec, index + 1);
        } else {
            self.reserve(ec, len);
        }
        // SAFETY: the index is inside, and the contents are unshared.
        unsafe { *self.ptr().add(index) = value };
        ec.heap().barrier(self.0, value);
    }

    /// Shortens, or fills with nil.
    pub fn resize(self, ec: &Ec, len: usize) {
        let old = self.raw_len();
        if len > old {
            self.grow_for(ec, len);
        }
        // SAFETY: there is room, or only the window in a shared buffer becomes shorter, and new elements are written before they count.
        unsafe {
            let first = self.ptr();
            for index in old..len {
                first.add(index).write(Value::NIL);
            }
            self.set_len(len);
        }
    }

    #[inline(never)]
    pub fn push_all(self, ec: &Ec, other: Array) {
        let (len, added) = (self.raw_len(), other.raw_len());
        self.grow_for(ec, len + added);
        // SAFETY: there is room; the source is looked up after this array may have moved, and does not overlap the place
        // written even when both are the same.
        unsafe {
            std::ptr::copy_nonoverlapping(other.ptr(), self.ptr().add(len), added);
            self.set_len(len + added);
        }
        ec.wrote(self.0);
    }

    /// Replaces elements `start .. start + len` (within the array) by those of `with`, which may be this array.
    pub fn splice(self, ec: &Ec, start: usize, len: usize, with: Array) {
        let with = if with == self { Array::from_slice(ec, with.slice_of(ec)) } else { with };
        let (old_len, added) = (self.raw_len(), with.raw_len());
        assert!(start <= old_len && len <= old_len - start, "splice inside the array");
        self.grow_for(ec, old_len - len + added);
        // SAFETY: there is room for the longer of both lengths, and `with` is another array.
        unsafe {
            let base = self.ptr().add(start);
            std::ptr::copy(base.add(len), base.add(added), old_len - start - len);
            std::ptr::copy_nonoverlapping(with.ptr(), base, added);
            self.set_len(old_len - len + added);
        }
        ec.wrote(self.0);
    }

    /// Removes the first `count` elements without moving the others when they are in a buffer.
    pub fn drop_front(self, ec: &Ec, count: usize) {
        let len = self.raw_len();
        assert!(count <= len, "drop inside the array");
        // SAFETY: the storage bits say which struct lies behind the header; the rest stays initialised.
        unsafe {
            match self.storage() {
                flags::STORAGE_EMBEDDED => {
                    std::ptr::copy(self.ptr().add(count), self.ptr(), len - count);
                    self.set_len(len - count);
                }
                _ => {
                    self.move_start(count as isize);
                    self.set_len(len - count);
                }
            }
        }
        let _ = ec;
    }

    /// Inserts in front, using room that `drop_front` left there if there is any. Of many elements each is moved for room once in
    /// a while only.
    pub fn push_front(self, ec: &Ec, values: Array) {
        let (len, added) = (self.raw_len(), values.raw_len());
        if values == self || len < FRONT_ROOM_FROM {
            return self.splice(ec, 0, 0, values);
        }
        if self.front_room() < added && !self.make_front_room(ec, added.max(len / 2)) {
            return self.splice(ec, 0, 0, values);
        }
        // SAFETY: room in front of an unshared buffer's elements belongs to the array.
        unsafe {
            self.move_start(-(added as isize));
            self.set_len(len + added);
            std::ptr::copy_nonoverlapping(values.ptr(), self.ptr(), added);
        }
        ec.wrote(self.0);
    }

    /// The same for one element, where that takes no more than moving a few others.
    pub fn push_one_front(self, ec: &mut Ec, value: Value) -> bool {
        if self.front_room() > 0 {
            // SAFETY: room in front of an unshared buffer's elements belongs to the array.
            unsafe {
                self.move_start(-1);
                self.set_len(self.raw_len() + 1);
                self.ptr().write(value);
            }
            ec.heap().barrier(self.0, value);
            return true;
        }
        if self.raw_len() >= FRONT_ROOM_FROM {
            return false;
        }
        self.push(ec, value);
        self.slice_mut(ec).rotate_right(1);
        ec.wrote(self.0);
        true
    }

    /// Free places in front of the elements.
    fn front_room(self) -> usize {
        // SAFETY: what is not embedded has a buffer.
        unsafe {
            let buffer = (self.storage() != flags::STORAGE_EMBEDDED).then(|| self.buffer());
            let own = buffer.filter(|buffer| buf::is_unique(*buffer));
            own.map_or(0, |buffer| (self.ptr().addr() - buf::data(buffer).addr()) / 8)
        }
    }

    /// Moves the elements to a buffer with `room` free places in front, and as many behind as there were, up to half the elements.
    /// False if there is no memory for it.
    #[cold]
    #[inline(never)]
    fn make_front_room(self, ec: &Ec, room: usize) -> bool {
        let len = self.raw_len();
        let behind = self.capacity(ec).saturating_sub(len).min(len / 2);
        let capacity = room + len + behind;
        if capacity >= carat_os::SMALL_BYTES / 8 && !ec.would_allocate(capacity * 8) {
            return false;
        }
        if ec.is_recording() {
            self.note_move(ec, capacity);
        }
        self.move_to_new_buffer(ec, room, capacity);
        true
    }

    /// Moves the beginning by so many places, within the array's own buffer.
    ///
    /// # Safety
    /// The array is not embedded, the new beginning lies within its buffer, and the length is set next.
    unsafe fn move_start(self, places: isize) {
        // SAFETY: by contract.
        unsafe {
            match self.storage() {
                flags::STORAGE_VIEW => {
                    let view = self.0.as_ptr::<RView>();
                    (*view).ptr = (*view).ptr.offset(places * 8);
                }
                _ => {
                    let head = self.buffer().as_ptr();
                    (*head).ptr = (*head).ptr.offset(places * 8);
                }
            }
        }
    }

    /// Takes on another array's elements; long ones are shared.
    pub fn replace(self, ec: &Ec, other: Array) {
        let can_share = other.storage() != flags::STORAGE_EMBEDDED && other.raw_len() > COPY_SLICE_MAX;
        if self != other && can_share && self.header().slot_bytes() >= size_of::<RView>() {
            self.share_elements(ec, other);
        } else if self != other {
            self.resize(ec, 0);
            self.push_all(ec, other);
        }
    }

    fn share_elements(self, ec: &Ec, other: Array) {
        // SAFETY: `other` has a buffer, this slot room for a view; the new count is taken before the old one is given up.
        unsafe {
            let (buffer, ptr, len) = (other.buffer(), other.ptr(), other.raw_len());
            let end = ptr.addr() + len * 8 - buf::data(buffer).addr();
            ec.heap().retain_buffer(buffer, end);
            crate::value::string::release_storage(ec.heap(), self.0.as_heap().expect("an array is a heap object"));
            let view = self.0.as_ptr::<RView>();
            (*view).buf = buffer.as_ptr();
            (*view).ptr = ptr.cast();
            (*view).len = len;
        }
        let cleared = flags::STORAGE_MASK | flags::EMBEDDED_LEN_MASK;
        self.header().replace(cleared | flags::SLICE, flags::STORAGE_VIEW | flags::SLICE);
        ec.heap().mark_owning(self.0.as_heap().expect("an array is a heap object"));
        ec.wrote(self.0);
    }

    /// The elements for writing in place (sorting, reversing). The barrier is here, whatever is stored: a marking that has
    /// seen some elements would miss others that take their places.
    pub fn slice_mut(self, ec: &mut Ec) -> &mut [Value] {
        self.reserve(ec, self.raw_len());
        ec.wrote(self.0);
        // SAFETY: the contents are unshared; `&mut Ec` excludes every other borrow.
        unsafe { std::slice::from_raw_parts_mut(self.ptr(), self.raw_len()) }
    }

    // ---- sharing ----

    /// Elements `start .. start + len` as a new Array: a view of the same buffer unless it is short.
    pub fn slice(self, ec: &Ec, start: usize, len: usize) -> Array {
        self.slice_in(ec, ec.vm().known().array.root_shape().into(), start, len)
    }

    #[inline]
    fn slice_in(self, ec: &Ec, mold: Mold, start: usize, len: usize) -> Array {
        let own = self.raw_len();
        assert!(start <= own && len <= own - start, "slice inside the array");
        if len <= COPY_SLICE_MAX || self.storage() == flags::STORAGE_EMBEDDED {
            return self.copy_of(ec, mold, start, len);
        }
        // SAFETY: the array has a buffer; the new one holds a count of its own.
        unsafe {
            let buffer = self.buffer();
            let end = self.ptr().addr() + self.raw_len() * 8 - buf::data(buffer).addr();
            ec.heap().retain_buffer(buffer, end);
            Array::new_view(ec, mold, flags::SLICE, buffer, self.ptr().add(start).cast(), len)
        }
    }

    fn copy_of(self, ec: &Ec, mold: Mold, start: usize, len: usize) -> Array {
        let copy = Array::new_in(ec, mold, len);
        copy.fill_fresh(&self.slice_of(ec)[start..start + len]);
        copy
    }

    /// As [`Array::slice`]; an array that holds its elements in its slot moves them to a buffer first if that spares a long
    /// copy. Other Ractors may be reading a frozen array, which therefore stays.
    #[inline]
    pub fn share(self, ec: &mut Ec, start: usize, len: usize) -> Array {
        if len > COPY_SLICE_MAX && self.storage() == flags::STORAGE_EMBEDDED {
            self.leave_slot(ec);
        }
        self.slice(ec, start, len)
    }

    #[cold]
    fn leave_slot(self, ec: &mut Ec) {
        if !self.header().has(flags::FROZEN) || !ec.vm().has_several_ractors() {
            self.move_to_buffer(ec, self.raw_len());
        }
    }

    #[inline(never)]
    pub fn duplicate(self, ec: &Ec) -> Array {
        self.slice(ec, 0, self.raw_len())
    }

    /// The same elements in an array that is going to get more: with room for one in its slot, if it is a small one.
    pub(crate) fn duplicate_for_more(self, ec: &Ec) -> Array {
        let count = self.raw_len();
        if count >= MAX_EMBEDDED {
            return self.duplicate(ec);
        }
        Array::collect(ec, count + 1, self.slice_of(ec).iter().copied())
    }

    /// The same elements as an instance of a class.
    pub fn duplicate_as(self, ec: &Ec, class: Class) -> Array {
        self.slice_in(ec, Mold::of(class), 0, self.raw_len())
    }

    /// Bytes owned outside the slot, shared buffers excepted.
    pub fn buffer_bytes(self) -> usize {
        if self.storage() == flags::STORAGE_EMBEDDED {
            return 0;
        }
        // SAFETY: the array is not embedded.
        unsafe {
            let buffer = self.buffer();
            if buf::is_unique(buffer) { buf::capacity(buffer) } else { 0 }
        }
    }

    /// The elements, for the collector.
    pub(crate) fn raw_parts(object: NonNull<Header>) -> (*const Value, usize) {
        // SAFETY: the collector asks for live arrays only.
        let array = Array(unsafe { Value::from_heap(object) });
        (array.ptr(), array.raw_len())
    }
}
