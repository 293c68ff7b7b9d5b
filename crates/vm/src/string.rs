//! Strings: bytes with an encoding and a code range, in the slot or in a window of a buffer.
//!
//! # Layout
//! See `layout::objects`. Embedded: a 16-bit length behind the header, then the bytes. View: buffer, pointer, length.
//! Buffer only (slots of 16 and 24 bytes): the buffer's head holds pointer and length. Encoding and code range are header bits.
//!
//! # Invariants
//! * A buffer is written only while its count is one; a writer that finds it shared copies first.
//! * The code range in the header is Unknown or true.
//!
//! # Not here
//! What the bytes mean: `text`. The methods of `String`: `builtins::string`.

use crate::class::Class;
use crate::ec::{Ec, Result};
use crate::recorder::{self, Event};
use carat_heap::buf;
use carat_layout::{
    BufHead, Header, HeapType, RBufOnly, RStringEmbedded, RView, STRING_EMBEDDED_OVERHEAD, ShapeId, Value, flags,
    pool_for,
};
pub use carat_text::coderange::CodeRange;
pub use carat_text::encoding::EncodingIndex;
use std::ptr::NonNull;

/// Slices up to this length are copied into their slot: a view costs a buffer reference and a 32-byte slot.
const COPY_SLICE_MAX: usize = 118;

/// A String.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(transparent)]
pub struct Str(Value);

/// How the contents are held, with raw pointers into slot or buffer.
#[derive(Clone, Copy)]
struct Contents {
    ptr: *mut u8,
    len: usize,
}

/// How a buffer of a capacity is had, and how an unshared one is made larger; `None` if there is no memory.
type Allocate = fn(usize) -> Option<NonNull<BufHead>>;
type Grow = fn(NonNull<BufHead>, usize) -> Option<NonNull<BufHead>>;

impl Str {
    #[inline]
    pub fn from_value(value: Value) -> Option<Str> {
        value.is_type(HeapType::String).then_some(Str(value))
    }

    pub fn from_value_unchecked(value: Value) -> Str {
        debug_assert!(value.is_type(HeapType::String));
        Str(value)
    }

    #[inline]
    pub fn value(self) -> Value {
        self.0
    }

    #[inline]
    fn header<'a>(self) -> &'a Header {
        // SAFETY: a Str is a live heap object.
        unsafe { &*self.0.as_ptr::<Header>() }
    }

    // ---- making strings ----

    /// A new string of the core class String.
    pub fn new(ec: &Ec, bytes: &[u8], encoding: EncodingIndex, range: CodeRange) -> Str {
        Str::new_shaped(ec, ec.vm().known().string.root_shape(), bytes, encoding, range)
    }

    /// A new string of any subclass of String.
    pub fn new_of(ec: &Ec, class: Class, bytes: &[u8], encoding: EncodingIndex, range: CodeRange) -> Str {
        Str::new_shaped(ec, class.root_shape(), bytes, encoding, range)
    }

    fn new_shaped(ec: &Ec, shape: ShapeId, bytes: &[u8], encoding: EncodingIndex, range: CodeRange) -> Str {
        let s = Str::with_room(ec, shape, bytes.len(), encoding, range);
        // SAFETY: the string has room for the bytes, and a slice that Rust lent cannot lie in fresh memory.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), s.contents().ptr, bytes.len());
            s.set_len(bytes.len());
        }
        s
    }

    /// UTF-8 text made by the implementation itself.
    pub fn from_text(ec: &Ec, text: &str) -> Str {
        let range = if text.is_ascii() { CodeRange::SevenBit } else { CodeRange::Valid };
        Str::new(ec, text.as_bytes(), EncodingIndex::UTF_8, range)
    }

    /// ASCII text with encoding US-ASCII (what numbers and such print as).
    pub fn from_ascii(ec: &Ec, text: &[u8]) -> Str {
        debug_assert!(text.is_ascii());
        Str::new(ec, text, EncodingIndex::US_ASCII, CodeRange::SevenBit)
    }

    pub fn binary(ec: &Ec, bytes: &[u8]) -> Str {
        Str::new(ec, bytes, EncodingIndex::ASCII_8BIT, CodeRange::Unknown)
    }

    /// An empty UTF-8 string that `capacity` bytes can be appended to without moving.
    pub fn with_capacity(ec: &Ec, capacity: usize) -> Str {
        let shape = ec.vm().known().string.root_shape();
        Str::with_room(ec, shape, capacity, EncodingIndex::UTF_8, CodeRange::SevenBit)
    }

    /// An empty string of `class` with the given room and encoding.
    pub fn with_capacity_of(ec: &Ec, class: Class, capacity: usize, encoding: EncodingIndex) -> Str {
        Str::with_room(ec, class.root_shape(), capacity, encoding, CodeRange::SevenBit)
    }

    /// An empty string in the smallest pool that holds `capacity` bytes, or with a buffer of exactly that.
    fn with_room(ec: &Ec, shape: ShapeId, capacity: usize, encoding: EncodingIndex, range: CodeRange) -> Str {
        let bits = u64::from(encoding.0) << flags::ENCODING_SHIFT | (range as u64) << flags::CODERANGE_SHIFT;
        if let Some(pool) = pool_for(capacity + STRING_EMBEDDED_OVERHEAD) {
            let slot = ec.new_slot(HeapType::String, pool, shape, bits | flags::STORAGE_EMBEDDED);
            // SAFETY: the slot is fresh and holds an embedded string.
            unsafe { (*slot.cast::<RStringEmbedded>().as_ptr()).len = 0 };
            // SAFETY: the slot is initialised.
            return Str(unsafe { Value::from_heap(slot) });
        }
        let buffer = buf::allocate(capacity);
        ec.heap().account(capacity as isize);
        let string = Str::new_view(ec, shape, bits, buffer, buf::data(buffer), 0);
        if ec.is_recording() {
            recorder::event(ec, string.0, Event::BornExtended);
        }
        string
    }

    /// Takes over one count of `buffer`.
    fn new_view(ec: &Ec, shape: ShapeId, bits: u64, buffer: NonNull<BufHead>, ptr: *mut u8, len: usize) -> Str {
        let pool = pool_for(size_of::<RView>()).expect("fits a slot");
        let slot = ec.new_slot(HeapType::String, pool, shape, bits | flags::STORAGE_VIEW);
        // SAFETY: the slot is fresh and holds a view.
        unsafe {
            let view = slot.cast::<RView>().as_ptr();
            (*view).buf = buffer.as_ptr();
            (*view).ptr = ptr;
            (*view).len = len;
        }
        ec.heap().mark_owning(slot);
        // SAFETY: the slot is initialised.
        Str(unsafe { Value::from_heap(slot) })
    }

    // ---- reading ----

    #[inline]
    fn contents(self) -> Contents {
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match self.header().bits() & flags::STORAGE_MASK {
                flags::STORAGE_EMBEDDED => {
                    let s = self.0.as_ptr::<RStringEmbedded>();
                    Contents { ptr: (&raw mut (*s).bytes).cast(), len: usize::from((*s).len) }
                }
                flags::STORAGE_VIEW => {
                    let s = self.0.as_ptr::<RView>();
                    Contents { ptr: (*s).ptr, len: (*s).len }
                }
                _ => {
                    let head = (*self.0.as_ptr::<RBufOnly>()).buf;
                    Contents { ptr: (*head).ptr, len: (*head).len }
                }
            }
        }
    }

    #[inline]
    pub fn bytes(self, _ec: &Ec) -> &[u8] {
        let c = self.contents();
        // SAFETY: the contents are initialised up to the length; `&Ec` keeps writers and the collector away.
        unsafe { std::slice::from_raw_parts(c.ptr, c.len) }
    }

    #[inline]
    pub fn len(self, _ec: &Ec) -> usize {
        self.contents().len
    }

    pub fn is_empty(self, ec: &Ec) -> bool {
        self.len(ec) == 0
    }

    /// The contents as text, invalid bytes replaced.
    pub fn to_text(self, ec: &Ec) -> String {
        String::from_utf8_lossy(self.bytes(ec)).into_owned()
    }

    #[inline]
    pub fn encoding(self) -> EncodingIndex {
        EncodingIndex(((self.header().bits() & flags::ENCODING_MASK) >> flags::ENCODING_SHIFT) as u8)
    }

    /// The code range as far as it is known.
    #[inline]
    pub fn known_range(self) -> CodeRange {
        match (self.header().bits() & flags::CODERANGE_MASK) >> flags::CODERANGE_SHIFT {
            0 => CodeRange::Unknown,
            1 => CodeRange::SevenBit,
            2 => CodeRange::Valid,
            _ => CodeRange::Broken,
        }
    }

    /// The code range, scanned for if it is not known and remembered.
    #[inline]
    pub fn range(self, ec: &Ec) -> CodeRange {
        match self.known_range() {
            CodeRange::Unknown => self.scan_range(ec),
            known => known,
        }
    }

    #[inline(never)]
    fn scan_range(self, ec: &Ec) -> CodeRange {
        let range = carat_text::coderange::scan(self.encoding(), self.bytes(ec));
        self.set_range(range);
        range
    }

    pub fn is_ascii(self, ec: &Ec) -> bool {
        self.range(ec) == CodeRange::SevenBit
    }

    pub fn as_text(self, ec: &Ec) -> carat_text::text::Text<'_> {
        carat_text::text::Text { bytes: self.bytes(ec), encoding: self.encoding(), coderange: self.range(ec) }
    }

    // ---- flags ----

    pub fn set_encoding(self, encoding: EncodingIndex) {
        self.header().replace(flags::ENCODING_MASK, u64::from(encoding.0) << flags::ENCODING_SHIFT);
    }

    pub fn set_range(self, range: CodeRange) {
        self.header().replace(flags::CODERANGE_MASK, (range as u64) << flags::CODERANGE_SHIFT);
    }

    pub fn is_frozen(self) -> bool {
        self.header().has(flags::FROZEN)
    }

    pub fn is_chilled(self) -> bool {
        self.header().has(flags::CHILLED)
    }

    pub fn set_chilled(self) {
        self.header().set(flags::CHILLED);
    }

    /// As [`Str::set_chilled`], for what `Symbol#to_s` returns.
    pub fn set_chilled_symbol(self) {
        self.header().set(flags::CHILLED | flags::CHILLED_SYMBOL);
    }

    /// Whether an `IO::Buffer` has the string's bytes: nobody else may write them.
    pub fn is_locked(self) -> bool {
        self.header().has(flags::STRING_LOCKED)
    }

    /// For as long as an `IO::Buffer` has the string's bytes.
    pub fn set_locked(self, is_locked: bool) {
        if is_locked {
            self.header().set(flags::STRING_LOCKED);
        } else {
            self.header().clear(flags::STRING_LOCKED);
        }
    }

    pub fn is_fstring(self) -> bool {
        self.header().has(flags::FSTRING)
    }

    pub(crate) fn set_fstring(self) {
        self.header().set(flags::FSTRING | flags::FROZEN | flags::SHAREABLE);
    }

    /// To be called before any mutation: `FrozenError` for frozen strings, the deprecation warning for chilled ones.
    #[inline]
    pub fn check_mutable(self, ec: &mut Ec) -> Result<()> {
        if self.header().bits() & (flags::FROZEN | flags::CHILLED | flags::STRING_LOCKED) != 0 {
            return self.check_mutable_slow(ec);
        }
        Ok(())
    }

    #[cold]
    fn check_mutable_slow(self, ec: &mut Ec) -> Result<()> {
        if self.is_frozen() {
            return Err(ec.frozen_error(self.0));
        }
        if self.is_locked() {
            return Err(ec.runtime_error("can't modify string; temporarily locked"));
        }
        let is_of_symbol = self.header().has(flags::CHILLED_SYMBOL);
        self.header().clear(flags::CHILLED | flags::CHILLED_SYMBOL);
        if ec.is_recording() {
            recorder::event(ec, self.0, Event::LiteralWritten);
        }
        crate::warning::chilled_string(ec, self, is_of_symbol)
    }

    // ---- sharing ----

    /// Bytes `start .. start + len` as a new string of the core class: a view of the same buffer unless it is short.
    pub fn slice(self, ec: &Ec, start: usize, len: usize) -> Str {
        self.slice_shaped(ec, ec.vm().known().string.root_shape(), start, len)
    }

    /// A copy with the same contents, encoding and code range, of the core class; long contents are shared.
    #[inline(never)]
    pub fn duplicate(self, ec: &Ec) -> Str {
        self.slice(ec, 0, self.len(ec))
    }

    pub fn duplicate_of(self, ec: &Ec, class: Class) -> Str {
        self.slice_shaped(ec, class.root_shape(), 0, self.len(ec))
    }

    fn slice_shaped(self, ec: &Ec, shape: ShapeId, start: usize, len: usize) -> Str {
        let contents = self.contents();
        assert!(start <= contents.len && len <= contents.len - start, "slice inside the string");
        let range = if len == contents.len { self.known_range() } else { self.known_range().of_part() };
        if len <= COPY_SLICE_MAX || !self.make_sharable(ec) {
            return Str::new_shaped(ec, shape, &self.bytes(ec)[start..start + len], self.encoding(), range);
        }
        let bits = u64::from(self.encoding().0) << flags::ENCODING_SHIFT | (range as u64) << flags::CODERANGE_SHIFT;
        // SAFETY: the string is a view now; the new one holds a count of its own.
        unsafe {
            let view = self.0.as_ptr::<RView>();
            let buffer = NonNull::new_unchecked((*view).buf);
            buf::share(buffer, self.0.bits() as usize);
            Str::new_view(ec, shape, bits, buffer, (*view).ptr.add(start), len)
        }
    }

    /// Whether the contents are in a buffer that others may refer to.
    fn make_sharable(self, _ec: &Ec) -> bool {
        self.header().bits() & flags::STORAGE_MASK == flags::STORAGE_VIEW
    }

    // ---- writing ----

    /// Bytes that fit without moving.
    pub fn capacity(self, _ec: &Ec) -> usize {
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match self.header().bits() & flags::STORAGE_MASK {
                flags::STORAGE_EMBEDDED => self.header().slot_bytes() - STRING_EMBEDDED_OVERHEAD,
                flags::STORAGE_VIEW => {
                    let view = self.0.as_ptr::<RView>();
                    let buffer = NonNull::new_unchecked((*view).buf);
                    if !buf::is_unique(buffer) {
                        return (*view).len;
                    }
                    buf::capacity(buffer) - (*view).ptr.offset_from(buf::data(buffer)) as usize
                }
                _ => {
                    let buffer = NonNull::new_unchecked((*self.0.as_ptr::<RBufOnly>()).buf);
                    buf::capacity(buffer) - (*buffer.as_ptr()).ptr.offset_from(buf::data(buffer)) as usize
                }
            }
        }
    }

    /// # Safety
    /// `len` bytes are initialised and within capacity; the buffer, if any, is unshared.
    #[inline]
    unsafe fn set_len(self, len: usize) {
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match self.header().bits() & flags::STORAGE_MASK {
                flags::STORAGE_EMBEDDED => (*self.0.as_ptr::<RStringEmbedded>()).len = len as u16,
                flags::STORAGE_VIEW => (*self.0.as_ptr::<RView>()).len = len,
                _ => (*(*self.0.as_ptr::<RBufOnly>()).buf).len = len,
            }
        }
    }

    /// Makes the contents this string's own, with room for `capacity` bytes in all.
    pub fn reserve(self, ec: &mut Ec, capacity: usize) {
        if self.is_own() && self.capacity(ec) >= capacity {
            return;
        }
        self.move_to_buffer(ec, capacity);
    }

    /// The bytes may be written in place.
    fn is_own(self) -> bool {
        if self.header().bits() & flags::STORAGE_MASK != flags::STORAGE_VIEW {
            return true;
        }
        // SAFETY: a view has a buffer.
        unsafe { buf::is_unique(NonNull::new_unchecked((*self.0.as_ptr::<RView>()).buf)) }
    }

    /// Doubles as CRuby does, so that appending is linear.
    fn grow_for(self, ec: &mut Ec, needed: usize) {
        if self.is_own() && self.capacity(ec) >= needed {
            return;
        }
        self.move_to_buffer(ec, needed.max(self.len(ec).saturating_mul(2)));
    }

    /// Makes room for `added` more bytes, or raises `NoMemoryError`: for whatever appends as much as a program likes.
    #[inline]
    pub fn make_room(self, ec: &mut Ec, added: usize) -> crate::Result<()> {
        let len = self.contents().len;
        if len.saturating_add(added) < crate::os::SMALL_BYTES { Ok(()) } else { self.make_much_room(ec, len, added) }
    }

    #[cold]
    fn make_much_room(self, ec: &mut Ec, len: usize, added: usize) -> crate::Result<()> {
        let needed = len.saturating_add(added);
        if self.is_own() && self.capacity(ec) >= needed
            || self.try_move_to_buffer(ec, needed.max(len.saturating_mul(2)))
            || self.try_move_to_buffer(ec, needed)
        {
            return Ok(());
        }
        ec.collect_garbage(true);
        if self.try_move_to_buffer(ec, needed) { Ok(()) } else { Err(ec.no_memory()) }
    }

    #[cold]
    #[inline(never)]
    fn move_to_buffer(self, ec: &mut Ec, capacity: usize) {
        self.move_to(
            ec,
            capacity,
            |b| Some(buf::allocate(b)),
            |b, n| {
                // SAFETY: `move_to` hands over an unshared buffer.
                Some(unsafe { buf::grow(b, n) })
            },
        );
    }

    /// As `move_to_buffer`; false, and nothing changed, if there is not that much memory.
    fn try_move_to_buffer(self, ec: &mut Ec, capacity: usize) -> bool {
        self.move_to(ec, capacity, buf::try_allocate, |b, n| {
            // SAFETY: `move_to` hands over an unshared buffer.
            unsafe { buf::try_grow(b, n) }
        })
    }

    fn move_to(self, ec: &mut Ec, capacity: usize, allocate: Allocate, grow: Grow) -> bool {
        let old = self.contents();
        let storage = self.header().bits() & flags::STORAGE_MASK;
        if ec.is_recording() {
            self.note_move(ec, capacity);
        }
        if let Some(buffer) = self.own_buffer_at_start(storage, old.ptr) {
            return self.grow_buffer(ec, buffer, capacity, grow);
        }
        let capacity = capacity.max(old.len);
        let Some(buffer) = allocate(capacity) else { return false };
        ec.heap().account(capacity as isize);
        // SAFETY: the new buffer has room for the old contents; only then is the old one given up.
        unsafe {
            std::ptr::copy_nonoverlapping(old.ptr, buf::data(buffer), old.len);
            release_storage(self.0.as_heap().expect("a string is a heap object"));
        }
        self.install_buffer(ec, buffer, old.len);
        true
    }

    #[cold]
    fn note_move(self, ec: &Ec, capacity: usize) {
        if let Some(contents) = ec.contents_of(self.0) {
            recorder::event(ec, self.0, Event::of_move(&contents, capacity));
        }
    }

    /// # Safety
    /// The string is not embedded.
    unsafe fn buffer(self) -> NonNull<BufHead> {
        // SAFETY: a view and a buffer-only string keep their buffer in the same word.
        unsafe { NonNull::new_unchecked((*self.0.as_ptr::<RBufOnly>()).buf) }
    }

    /// The buffer, if it is unshared and the contents begin where it does.
    fn own_buffer_at_start(self, storage: u64, ptr: *mut u8) -> Option<NonNull<BufHead>> {
        if storage == flags::STORAGE_EMBEDDED {
            return None;
        }
        // SAFETY: the string is not embedded.
        let buffer = unsafe { self.buffer() };
        // SAFETY: as above.
        (unsafe { buf::is_unique(buffer) } && ptr == buf::data(buffer)).then_some(buffer)
    }

    fn grow_buffer(self, ec: &mut Ec, buffer: NonNull<BufHead>, capacity: usize, grow: Grow) -> bool {
        let len = self.contents().len;
        // SAFETY: the string holds a count.
        let old = unsafe { buf::capacity(buffer) };
        // The buffer is unshared; its new address replaces the old one at once.
        let Some(grown) = grow(buffer, capacity) else { return false };
        ec.heap().account(capacity as isize - old as isize);
        self.install_buffer(ec, grown, len);
        true
    }

    /// Makes `buffer`, whose count the string takes over, the string's contents.
    fn install_buffer(self, ec: &Ec, buffer: NonNull<BufHead>, len: usize) {
        let storage =
            if self.header().slot_bytes() >= size_of::<RView>() { flags::STORAGE_VIEW } else { flags::STORAGE_BUF };
        // SAFETY: the slot holds the struct that the storage bits name, and the buffer is this string's alone.
        unsafe {
            (*self.0.as_ptr::<RBufOnly>()).buf = buffer.as_ptr();
            let data = buf::data(buffer);
            if storage == flags::STORAGE_VIEW {
                let view = self.0.as_ptr::<RView>();
                (*view).ptr = data;
                (*view).len = len;
            } else {
                (*buffer.as_ptr()).ptr = data;
                (*buffer.as_ptr()).len = len;
            }
        }
        self.header().replace(flags::STORAGE_MASK, storage);
        ec.heap().mark_owning(self.0.as_heap().expect("a string is a heap object"));
    }

    /// The bytes for writing in place; the code range is forgotten.
    pub fn bytes_mut(self, ec: &mut Ec) -> &mut [u8] {
        self.reserve(ec, self.len(ec));
        self.set_range(CodeRange::Unknown);
        let c = self.contents();
        // SAFETY: the contents are unshared; `&mut Ec` excludes every other borrow.
        unsafe { std::slice::from_raw_parts_mut(c.ptr, c.len) }
    }

    /// Appends raw bytes. The code range becomes unknown unless it can be told at no cost.
    pub fn push_bytes(self, ec: &mut Ec, bytes: &[u8]) {
        let len = self.contents().len;
        self.grow_for(ec, len + bytes.len());
        // SAFETY: there is room, the contents are unshared, and `bytes` was lent by something other than this string: a
        // borrow of a string's bytes cannot be alive across `&mut Ec`.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.contents().ptr.add(len), bytes.len());
            self.set_len(len + bytes.len());
        }
        self.set_range(CodeRange::Unknown);
    }

    /// Appends bytes whose code range is known.
    pub fn push_bytes_with(self, ec: &mut Ec, bytes: &[u8], range: CodeRange) {
        let combined = self.known_range().combine(range);
        self.push_bytes(ec, bytes);
        self.set_range(combined);
    }

    /// Appends another string's bytes (it may be this one). Encodings are the caller's business.
    pub fn push_str(self, ec: &mut Ec, other: Str) {
        let added = other.contents().len;
        let len = self.contents().len;
        let combined = self.known_range().combine(other.known_range());
        self.grow_for(ec, len + added);
        // SAFETY: growing may have moved this string, so the source is looked up again; the `added` bytes copied lie
        // before the place written even when both strings are the same.
        unsafe {
            std::ptr::copy_nonoverlapping(other.contents().ptr, self.contents().ptr.add(len), added);
            self.set_len(len + added);
        }
        self.set_range(combined);
    }

    /// Replaces bytes `start .. start + len` by those of `with` (it may be this string). The code range is forgotten
    /// unless both are seven-bit.
    pub fn splice(self, ec: &mut Ec, start: usize, len: usize, with: Str) {
        let with = if with == self { with.copy_bytes(ec) } else { with };
        let combined = self.known_range().combine(with.known_range());
        let (old_len, added) = (self.contents().len, with.contents().len);
        assert!(start <= old_len && len <= old_len - start, "splice inside the string");
        let new_len = old_len - len + added;
        self.grow_for(ec, new_len);
        // SAFETY: there is room for the longer of both lengths, and `with` is another string.
        unsafe {
            let base = self.contents().ptr.add(start);
            std::ptr::copy(base.add(len), base.add(added), old_len - start - len);
            std::ptr::copy_nonoverlapping(with.contents().ptr, base, added);
            self.set_len(new_len);
        }
        self.set_range(if combined == CodeRange::SevenBit { combined } else { CodeRange::Unknown });
    }

    fn copy_bytes(self, ec: &Ec) -> Str {
        Str::new(ec, self.bytes(ec), self.encoding(), self.known_range())
    }

    /// Replaces bytes by a slice that no string owns.
    pub fn splice_bytes(self, ec: &mut Ec, start: usize, len: usize, with: &[u8]) {
        let with = Str::new(ec, with, self.encoding(), CodeRange::Unknown);
        self.splice(ec, start, len, with);
    }

    /// Shortens to the first `len` bytes.
    pub fn truncate(self, ec: &mut Ec, len: usize) {
        if len >= self.len(ec) {
            return;
        }
        let range = self.known_range().of_part();
        self.reserve(ec, len);
        // SAFETY: the contents are unshared and longer than `len`.
        unsafe { self.set_len(len) };
        self.set_range(range);
    }

    /// Takes on another string's contents, encoding and code range; long contents are shared.
    pub fn replace(self, ec: &mut Ec, other: Str) {
        if self == other {
            return;
        }
        let shares = other.header().bits() & flags::STORAGE_MASK == flags::STORAGE_VIEW
            && other.len(ec) > COPY_SLICE_MAX
            && self.header().slot_bytes() >= size_of::<RView>();
        if shares {
            self.share_contents(ec, other)
        } else {
            self.copy_contents(ec, other)
        }
        self.set_encoding(other.encoding());
        self.set_range(other.known_range());
    }

    fn copy_contents(self, ec: &mut Ec, other: Str) {
        let len = other.len(ec);
        if !self.is_own() || self.capacity(ec) < len {
            self.move_to_buffer(ec, len);
        }
        // SAFETY: there is room, the contents are unshared, and the strings differ.
        unsafe {
            std::ptr::copy_nonoverlapping(other.contents().ptr, self.contents().ptr, len);
            self.set_len(len);
        }
    }

    fn share_contents(self, ec: &mut Ec, other: Str) {
        // SAFETY: `other` is a view, this slot has room for one; the new count is taken before the old one is given up.
        unsafe {
            let source = other.0.as_ptr::<RView>();
            let buffer = NonNull::new_unchecked((*source).buf);
            buf::share(buffer, other.0.bits() as usize);
            release_storage(self.0.as_heap().expect("a string is a heap object"));
            let view = self.0.as_ptr::<RView>();
            (*view).buf = buffer.as_ptr();
            (*view).ptr = (*source).ptr;
            (*view).len = (*source).len;
        }
        self.header().replace(flags::STORAGE_MASK, flags::STORAGE_VIEW);
        ec.heap().mark_owning(self.0.as_heap().expect("a string is a heap object"));
    }

    pub fn clear(self, ec: &mut Ec) {
        self.truncate(ec, 0);
        self.set_range(CodeRange::SevenBit);
    }

    /// Bytes owned outside the slot, shared buffers in part.
    pub fn buffer_bytes(self) -> usize {
        if self.header().bits() & flags::STORAGE_MASK == flags::STORAGE_EMBEDDED {
            return 0;
        }
        // SAFETY: the string is not embedded.
        unsafe {
            let buffer = self.buffer();
            if buf::is_unique(buffer) { buf::capacity(buffer) } else { 0 }
        }
    }
}

/// Gives back the buffer of a string or array, if it has one.
///
/// # Safety
/// The object is a string or array that dies, or that takes other contents at once.
pub(crate) unsafe fn release_storage(object: NonNull<Header>) {
    // SAFETY: by contract; views and buffer-only objects keep their buffer in the same word.
    unsafe {
        if object.as_ref().bits() & flags::STORAGE_MASK != flags::STORAGE_EMBEDDED {
            let buffer = NonNull::new_unchecked((*object.cast::<RBufOnly>().as_ptr()).buf);
            if object.as_ref().bits() & flags::STORAGE_MASK == flags::STORAGE_VIEW {
                buf::disown(buffer, object.as_ptr().expose_provenance());
            }
            buf::release(buffer);
        }
    }
}

impl Ec {
    /// The unique frozen string with this contents.
    pub fn fstring(&self, bytes: &[u8], encoding: EncodingIndex) -> Str {
        let mut table = self.vm().fstrings.lock().unwrap_or_else(|e| e.into_inner());
        if let Some(found) = table.get(&(encoding, Box::from(bytes))) {
            return Str(*found);
        }
        let s = Str::new(self, bytes, encoding, CodeRange::Unknown);
        s.range(self);
        s.set_fstring();
        table.insert((encoding, bytes.into()), s.value());
        s
    }

    /// A new string with a symbol's name.
    pub fn symbol_to_str(&self, symbol: carat_layout::SymbolId) -> Str {
        let name = self.vm().symbol_name(symbol);
        Str::new(self, name.bytes, name.encoding, CodeRange::Unknown)
    }

    /// The symbol named by a string's contents.
    #[inline(never)]
    pub fn str_to_symbol(&self, s: Str) -> carat_layout::SymbolId {
        self.vm().intern_bytes(s.bytes(self), s.encoding())
    }

    /// A new UTF-8 string.
    pub fn str(&self, text: &str) -> Value {
        Str::from_text(self, text).value()
    }
}

impl Str {
    /// Replaces the contents by bytes that no string owns; encoding and code range are the caller's business.
    pub fn overwrite(self, ec: &mut Ec, bytes: &[u8]) {
        let len = bytes.len();
        if !self.is_own() || self.capacity(ec) < len {
            self.move_to_buffer(ec, len);
        }
        // SAFETY: there is room and the contents are unshared; `bytes` is no string's, for it is borrowed across `&mut Ec`.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), self.contents().ptr, len);
            self.set_len(len);
        }
        self.set_range(CodeRange::Unknown);
    }

    /// Appends the string's own first `count` bytes.
    pub fn push_own_front(self, ec: &mut Ec, count: usize) {
        let len = self.contents().len;
        assert!(count <= len, "bytes of the string itself");
        self.grow_for(ec, len + count);
        // SAFETY: there is room, the contents are unshared, and source and target do not overlap because `count <= len`.
        unsafe {
            let start = self.contents().ptr;
            std::ptr::copy_nonoverlapping(start, start.add(len), count);
            self.set_len(len + count);
        }
        self.set_range(CodeRange::Unknown);
    }

    /// One string of two pieces.
    pub fn concat(ec: &Ec, a: &[u8], b: &[u8], encoding: EncodingIndex, range: CodeRange) -> Str {
        let s = Str::with_room(ec, ec.vm().known().string.root_shape(), a.len() + b.len(), encoding, range);
        // SAFETY: the string is fresh and has room for both pieces.
        unsafe {
            let to = s.contents().ptr;
            std::ptr::copy_nonoverlapping(a.as_ptr(), to, a.len());
            std::ptr::copy_nonoverlapping(b.as_ptr(), to.add(a.len()), b.len());
            s.set_len(a.len() + b.len());
        }
        s
    }
}
