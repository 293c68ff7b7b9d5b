//! Strings: bytes with an encoding and a code range, in the slot or in a window of a buffer.
//!
//! # Layout
//! See `layout::objects`. Embedded: a 16-bit length behind the header, then the bytes. View: buffer, pointer, length.
//! Buffer only (slots of 16 and 24 bytes): the buffer's head holds pointer and length. Encoding and code range are header bits.
//!
//! # Invariants
//! * A buffer is written only while its count is one; a writer that finds it shared copies first.
//! * At most one object keeps its pointer and length in a buffer's head; all others that share the buffer are views.
//! * The code range in the header is Unknown or true.
//!
//! # Not here
//! What the bytes mean: `text`. The methods of `String`: `builtins::string`.

use crate::ec::{Ec, Result};
use crate::inspect::recorder::{self, Event};
use crate::model::class::Class;
use crate::model::shape::was_moved;
use crate::value::object::Mold;
use crate::value::string_buffer::StringBuffer;
use carat_heap::buf::{self, Window};
use carat_layout::{
    BufHead, Header, HeapType, RBufOnly, RStringEmbedded, RView, STRING_EMBEDDED_OVERHEAD, Value, flags, pool_for,
};
pub use carat_text::coderange::CodeRange;
pub use carat_text::encoding::EncodingIndex;
use std::ptr::NonNull;
use std::sync::atomic::Ordering;

/// Slices up to this length are copied into their slot: a view costs a buffer reference and a 32-byte slot.
const COPY_SLICE_MAX: usize = 118;

/// Bytes of native code that become a string give back their memory by so many. A call for less costs more than it saves.
const SPENT_PIECE: usize = 1 << 20;

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

impl Contents {
    /// Where in the buffer that they lie in the contents end.
    fn end_in(self, buffer: NonNull<BufHead>) -> usize {
        self.ptr.addr() + self.len - buf::data(buffer).addr()
    }
}

impl Str {
    #[inline]
    pub fn from_value(value: Value) -> Option<Str> {
        value.is_type(HeapType::String).then_some(Str(value))
    }

    /// The handle of a value that is known to be a String. Another one is a mistake of ours, and ends the process.
    #[inline]
    #[track_caller]
    pub fn expect(value: Value) -> Str {
        match Str::from_value(value) {
            Some(handle) => handle,
            None => crate::bug::wrong_type(value, "a String"),
        }
    }

    /// The same values as handles, if all of them are Strings and pass a test.
    pub fn all(values: &[Value], test: impl Fn(Value) -> bool) -> Option<&[Str]> {
        let are_strings = values.iter().all(|value| value.is_type(HeapType::String) && test(*value));
        // SAFETY: a handle is its value, and each of these was looked at.
        are_strings.then(|| unsafe { std::slice::from_raw_parts(values.as_ptr().cast::<Str>(), values.len()) })
    }

    /// As [`Str::expect`], without a look at the value.
    ///
    /// # Safety
    /// It is a String.
    #[inline]
    pub(crate) unsafe fn from_value_unchecked(value: Value) -> Str {
        debug_assert!(Str::from_value(value).is_some(), "{value:?} is not a String");
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
        Str::new_in(ec, ec.vm().known().string.root_shape().into(), bytes, encoding, range)
    }

    /// A new string of bytes that may be many: `NoMemoryError` if they are too many.
    pub fn try_new(ec: &mut Ec, bytes: &[u8], encoding: EncodingIndex, range: CodeRange) -> Result<Str> {
        ec.ensure_memory(bytes.len())?;
        Ok(Str::new(ec, bytes, encoding, range))
    }

    /// As [`Str::try_new`], of bytes that are not wanted any more. Of many, those that were copied go back to the system on the way, so that
    /// only a piece of them is there twice.
    pub fn try_of_vec(ec: &mut Ec, mut bytes: Vec<u8>, encoding: EncodingIndex, range: CodeRange) -> Result<Str> {
        if bytes.len() < 2 * SPENT_PIECE {
            return Str::try_new(ec, &bytes, encoding, range);
        }
        ec.ensure_memory(bytes.len())?;
        let mold = ec.vm().known().string.root_shape().into();
        let string = Str::with_room(ec, mold, bytes.len(), encoding, range);
        for piece in bytes.chunks_mut(SPENT_PIECE) {
            string.push_bytes(ec, piece);
            carat_heap::discard_spent(piece);
        }
        string.set_range(range);
        Ok(string)
    }

    /// A new string of any subclass of String.
    pub fn new_of(ec: &Ec, class: Class, bytes: &[u8], encoding: EncodingIndex, range: CodeRange) -> Str {
        Str::new_in(ec, Mold::of(class), bytes, encoding, range)
    }

    fn new_in(ec: &Ec, mold: Mold, bytes: &[u8], encoding: EncodingIndex, range: CodeRange) -> Str {
        let s = Str::with_room(ec, mold, bytes.len(), encoding, range);
        // SAFETY: the string has room for the bytes, and a slice that Rust lent cannot lie in fresh memory.
        unsafe {
            copy_small(bytes.as_ptr(), s.contents().ptr, bytes.len());
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
        let mold = ec.vm().known().string.root_shape().into();
        Str::with_room(ec, mold, capacity, EncodingIndex::UTF_8, CodeRange::SevenBit)
    }

    /// An empty string of `class` with the given room and encoding.
    pub fn with_capacity_of(ec: &Ec, class: Class, capacity: usize, encoding: EncodingIndex) -> Str {
        Str::with_room(ec, Mold::of(class), capacity, encoding, CodeRange::SevenBit)
    }

    /// An empty string in the smallest pool that holds `capacity` bytes, or with a buffer of exactly that.
    fn with_room(ec: &Ec, mold: Mold, capacity: usize, encoding: EncodingIndex, range: CodeRange) -> Str {
        let bits = header_bits(encoding, range);
        if let Some(pool) = pool_for(capacity + STRING_EMBEDDED_OVERHEAD) {
            let slot = ec.new_slot_in(HeapType::String, pool, mold, bits | flags::STORAGE_EMBEDDED);
            // SAFETY: the slot is fresh and holds an embedded string.
            unsafe { (*slot.cast::<RStringEmbedded>().as_ptr()).len = 0 };
            // SAFETY: the slot is initialised.
            return Str(unsafe { Value::from_heap(slot) });
        }
        let buffer = ec.heap().allocate_buffer(capacity);
        let string = Str::new_view(ec, mold, bits, buffer, buf::data(buffer), 0);
        if ec.is_recording() {
            recorder::event(ec, string.0, Event::BornExtended);
        }
        string
    }

    pub(crate) fn of_filling(ec: &Ec, filling: StringBuffer, encoding: EncodingIndex, range: CodeRange) -> Str {
        if pool_for(filling.len() + STRING_EMBEDDED_OVERHEAD).is_some() || filling.is_wasteful() {
            return Str::new(ec, filling.bytes(), encoding, range);
        }
        let (buffer, len) = filling.into_parts();
        // SAFETY: the filling held the only count.
        unsafe { ec.heap().take_in(buffer) };
        Str::new_view(ec, ec.string_shape.into(), header_bits(encoding, range), buffer, buf::data(buffer), len)
    }

    /// Takes over one count of `buffer`.
    fn new_view(ec: &Ec, mold: Mold, bits: u64, buffer: NonNull<BufHead>, ptr: *mut u8, len: usize) -> Str {
        let pool = pool_for(size_of::<RView>()).expect("fits a slot");
        let slot = ec.new_slot_in(HeapType::String, pool, mold, bits | flags::STORAGE_VIEW);
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

    /// The bytes in memory of native code, or `NoMemoryError`.
    pub fn owned_bytes(self, ec: &mut Ec) -> Result<Vec<u8>> {
        let mut copy = Vec::new();
        ec.make_room_in(&mut copy, self.len(ec))?;
        copy.extend_from_slice(self.bytes(ec));
        Ok(copy)
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

    /// What is known of this string with another one behind it. An empty string does not count: in an encoding without ASCII, where
    /// its range is that of valid text, it goes with text in any other.
    #[inline]
    pub fn known_range_with(self, other: Str) -> CodeRange {
        match (self.contents().len, other.contents().len) {
            (_, 0) => self.known_range(),
            (0, _) => other.known_range(),
            _ => self.known_range().combine(other.known_range()),
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

    /// As [`Str::as_text`], without a look at the bytes: for what needs no more than is known of them.
    #[inline]
    pub fn as_known_text(self, ec: &Ec) -> carat_text::text::Text<'_> {
        carat_text::text::Text { bytes: self.bytes(ec), encoding: self.encoding(), coderange: self.known_range() }
    }

    /// The encoding that holds both strings, if there is one. `other` is looked at first: where it is ASCII, a long string
    /// that it is added to again and again is never scanned.
    #[inline]
    pub fn compatible_encoding(self, ec: &Ec, other: Str) -> Option<EncodingIndex> {
        if self.encoding() == other.encoding() {
            return Some(self.encoding());
        }
        if other.range(ec) != CodeRange::SevenBit {
            self.range(ec);
        }
        carat_text::compat::compatible(self.as_known_text(ec), other.as_known_text(ec))
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
        self.header().set(flags::CHILLED_MASK);
    }

    /// The recorder hears of the first mutation.
    pub(crate) fn set_watched(self) {
        self.header().set(flags::CHILLED_SYMBOL);
    }

    /// Whether [`Str::check_mutable`] has something to do the first time.
    pub(crate) fn notices_mutation(self) -> bool {
        self.header().has(flags::CHILLED_MASK)
    }

    /// Chilled as another string is, or not at all: a clone is what the original was.
    pub fn chill_as(self, original: Str) {
        self.header().set(original.header().bits() & flags::CHILLED_MASK);
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
        if self.is_mutable() { Ok(()) } else { self.check_mutable_slow(ec) }
    }

    /// Whether it may be written to, and nobody is to be told.
    #[inline]
    pub fn is_mutable(self) -> bool {
        self.header().bits() & (flags::FROZEN | flags::CHILLED_MASK | flags::STRING_LOCKED) == 0
    }

    #[cold]
    fn check_mutable_slow(self, ec: &mut Ec) -> Result<()> {
        if self.is_frozen() {
            return Err(ec.frozen_error(self.0));
        }
        if self.is_locked() {
            return Err(ec.runtime_error("can't modify string; temporarily locked"));
        }
        let (is_chilled, is_of_symbol) = (self.is_chilled(), self.header().has(flags::CHILLED_SYMBOL));
        self.header().clear(flags::CHILLED_MASK);
        if ec.is_recording() {
            recorder::event(ec, self.0, Event::LiteralWritten);
        }
        if is_chilled { ec.warn_chilled_string(self, is_of_symbol) } else { Ok(()) }
    }

    // ---- sharing ----

    /// Bytes `start .. start + len` as a new string of the core class: a view of the same buffer unless it is short.
    pub fn slice(self, ec: &Ec, start: usize, len: usize) -> Str {
        self.slice_in(ec, ec.vm().known().string.root_shape().into(), start, len)
    }

    /// As [`Str::copy`], but what is in its slot stays there.
    #[inline(never)]
    pub fn duplicate(self, ec: &Ec) -> Str {
        self.slice(ec, 0, self.len(ec))
    }

    pub fn duplicate_of(self, ec: &Ec, class: Class) -> Str {
        self.slice_in(ec, Mold::of(class), 0, self.len(ec))
    }

    fn slice_in(self, ec: &Ec, mold: Mold, start: usize, len: usize) -> Str {
        let contents = self.contents();
        assert!(start <= contents.len && len <= contents.len - start, "slice inside the string");
        let range = if len == contents.len { self.known_range() } else { self.known_range().of_part() };
        if len <= COPY_SLICE_MAX || self.storage() == flags::STORAGE_EMBEDDED {
            return Str::new_in(ec, mold, &self.bytes(ec)[start..start + len], self.encoding(), range);
        }
        let bits = header_bits(self.encoding(), range);
        // SAFETY: the string has a buffer; the new one holds a count of its own.
        unsafe {
            let buffer = self.buffer();
            ec.heap().retain_buffer(buffer, contents.end_in(buffer));
            Str::new_view(ec, mold, bits | flags::SLICE, buffer, contents.ptr.add(start), len)
        }
    }

    /// To be called before slices of `len` bytes are taken: a string that holds them in its slot moves its contents to a
    /// buffer, so that the slices are views. Other Ractors may be reading a frozen string, which therefore stays.
    #[inline]
    pub fn prepare_to_share(self, ec: &mut Ec, len: usize) {
        if len > COPY_SLICE_MAX && self.storage() == flags::STORAGE_EMBEDDED {
            self.leave_slot(ec);
        }
    }

    #[cold]
    fn leave_slot(self, ec: &mut Ec) {
        if !crate::foreign::is_exposed(self.header()) && (!self.is_frozen() || !ec.vm().has_several_ractors()) {
            self.move_out(ec);
        }
    }

    /// Moves embedded contents to a buffer. Nobody has borrowed them.
    fn move_out(self, ec: &Ec) {
        if self.storage() != flags::STORAGE_EMBEDDED {
            return;
        }
        let contents = self.contents();
        if ec.is_recording() {
            self.note_move(ec, contents.len);
        }
        let buffer = ec.heap().allocate_buffer(contents.len);
        ec.heap().count_leaving_slot(contents.len);
        // SAFETY: the buffer is fresh and has room; the slot's bytes are overwritten after they were copied, and nobody has
        // borrowed them.
        unsafe { std::ptr::copy_nonoverlapping(contents.ptr, buf::data(buffer), contents.len) };
        self.install_buffer(ec, buffer, contents.len);
    }

    /// As [`Str::slice`], where the string may leave its slot first.
    pub fn share(self, ec: &mut Ec, start: usize, len: usize) -> Str {
        self.prepare_to_share(ec, len);
        self.slice(ec, start, len)
    }

    /// A copy with the same contents, encoding and code range, of the core class; long contents are shared.
    #[inline(never)]
    pub fn copy(self, ec: &mut Ec) -> Str {
        self.share(ec, 0, self.len(ec))
    }

    /// Itself, a copy that a method made that found nothing to replace or to leave out: whoever records is told so.
    pub fn told_unchanged(self, ec: &Ec) -> Str {
        if ec.is_recording() {
            recorder::event(ec, self.0, Event::Unchanged { bytes: ec.memsize_of(self.0) });
        }
        self
    }

    /// As [`Str::copy`], of another class.
    pub fn copy_of(self, ec: &mut Ec, class: Class) -> Str {
        self.prepare_to_share(ec, self.len(ec));
        self.slice_in(ec, Mold::of(class), 0, self.len(ec))
    }

    /// Both show the same bytes of one buffer, in the same encoding.
    fn is_same_window(self, other: Str) -> bool {
        let (a, b) = (self.contents(), other.contents());
        a.ptr == b.ptr && a.len == b.len && self.encoding() == other.encoding()
    }

    #[inline]
    fn storage(self) -> u64 {
        self.header().bits() & flags::STORAGE_MASK
    }

    // ---- writing ----

    /// Bytes that fit without moving.
    pub fn capacity(self, _ec: &Ec) -> usize {
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match self.header().bits() & flags::STORAGE_MASK {
                flags::STORAGE_EMBEDDED => self.header().slot_bytes() - STRING_EMBEDDED_OVERHEAD,
                _ => {
                    let (buffer, contents) = (self.buffer(), self.contents());
                    if !buf::is_unique(buffer) {
                        return contents.len;
                    }
                    buf::capacity(buffer) - contents.ptr.offset_from(buf::data(buffer)) as usize
                }
            }
        }
    }

    /// # Safety
    /// `len` bytes are initialised and within capacity; the buffer, if any, is unshared unless `len` is less than before.
    #[inline]
    unsafe fn set_len(self, len: usize) {
        let bits = self.header().bits();
        if bits & flags::EXPOSED != 0 {
            // No NUL stands behind the new contents.
            self.header().clear(flags::EXPOSED);
        }
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match bits & flags::STORAGE_MASK {
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
        // SAFETY: what is not embedded has a buffer.
        self.storage() == flags::STORAGE_EMBEDDED || unsafe { buf::is_unique(self.buffer()) }
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
        let needed = self.contents().len.saturating_add(added);
        if needed < carat_os::SMALL_BYTES { Ok(()) } else { self.make_much_room(ec, needed) }
    }

    #[cold]
    fn make_much_room(self, ec: &mut Ec, needed: usize) -> crate::Result<()> {
        if self.is_own() && self.capacity(ec) >= needed || ec.would_allocate(needed.max(self.len(ec).saturating_mul(2)))
        {
            return Ok(());
        }
        // Not twice as much, but perhaps just enough.
        ec.ensure_memory(needed)?;
        self.reserve(ec, needed);
        Ok(())
    }

    /// Where `added` more bytes go, if they fit behind the contents as those lie: the one look at the storage that
    /// appending to a string with room takes.
    #[inline]
    fn room_at_end(self, added: usize) -> Option<*mut u8> {
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            match self.storage() {
                flags::STORAGE_EMBEDDED => {
                    let s = self.0.as_ptr::<RStringEmbedded>();
                    let len = usize::from((*s).len);
                    let is_room = len + added <= self.header().slot_bytes() - STRING_EMBEDDED_OVERHEAD;
                    is_room.then(|| (&raw mut (*s).bytes).cast::<u8>().add(len))
                }
                _ => {
                    let (buffer, contents) = (self.buffer(), self.contents());
                    let end = contents.ptr.add(contents.len);
                    let limit = buf::data(buffer).addr() + buf::capacity(buffer);
                    (limit - end.addr() >= added && buf::is_unique(buffer)).then_some(end)
                }
            }
        }
    }

    #[cold]
    #[inline(never)]
    fn move_to_buffer(self, ec: &mut Ec, capacity: usize) {
        let old = self.contents();
        let storage = self.header().bits() & flags::STORAGE_MASK;
        if ec.is_recording() {
            self.note_move(ec, capacity);
        }
        if let Some(buffer) = self.own_buffer_at_start(storage, old.ptr) {
            return self.grow_buffer(ec, buffer, capacity);
        }
        let capacity = capacity.max(old.len);
        let buffer = ec.heap().allocate_buffer(capacity);
        // SAFETY: the new buffer has room for the old contents; only then is the old one given up.
        unsafe {
            std::ptr::copy_nonoverlapping(old.ptr, buf::data(buffer), old.len);
            if storage != flags::STORAGE_EMBEDDED {
                ec.heap().count_copy(self.buffer(), old.len);
                release_storage(ec.heap(), self.0.as_heap().expect("a string is a heap object"));
            } else {
                ec.heap().count_leaving_slot(old.len);
            }
        }
        self.install_buffer(ec, buffer, old.len);
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

    fn grow_buffer(self, ec: &mut Ec, buffer: NonNull<BufHead>, capacity: usize) {
        let len = self.contents().len;
        // SAFETY: the buffer is unshared; its new address replaces the old one at once.
        let grown = unsafe { ec.heap().grow_buffer(buffer, capacity) };
        self.install_buffer(ec, grown, len);
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
                buf::adopt(buffer);
                let view = self.0.as_ptr::<RView>();
                (*view).ptr = data;
                (*view).len = len;
            } else {
                (*buffer.as_ptr()).ptr = data;
                (*buffer.as_ptr()).len = len;
            }
        }
        self.header().replace(flags::STORAGE_MASK | flags::SLICE | flags::EXPOSED, storage);
        ec.heap().mark_owning(self.0.as_heap().expect("a string is a heap object"));
    }

    /// The bytes for writing in place; the code range is forgotten.
    pub fn bytes_mut(self, ec: &mut Ec) -> &mut [u8] {
        self.forget_positions(ec);
        self.reserve(ec, self.len(ec));
        self.set_range(CodeRange::Unknown);
        let c = self.contents();
        // SAFETY: the contents are unshared; `&mut Ec` excludes every other borrow.
        unsafe { std::slice::from_raw_parts_mut(c.ptr, c.len) }
    }

    /// Writes one byte, which must be there.
    pub fn put_byte(self, ec: &mut Ec, at: usize, byte: u8) {
        self.forget_positions(ec);
        if !self.is_own() {
            self.reserve(ec, self.len(ec));
        }
        let contents = self.contents();
        assert!(at < contents.len, "a byte of the string");
        // SAFETY: the contents are unshared and that long.
        unsafe { contents.ptr.add(at).write(byte) };
        match self.known_range() {
            CodeRange::SevenBit if byte < 0x80 => {}
            CodeRange::Unknown => {}
            _ => self.set_range(CodeRange::Unknown),
        }
    }

    /// The address of the bytes, for code in C: a NUL as wide as the encoding's smallest character stood behind them when it was
    /// first asked for. They stay there until somebody else writes to the string.
    pub fn expose(self, ec: &mut Ec) -> *mut u8 {
        if self.header().has(flags::EXPOSED) {
            return self.contents().ptr;
        }
        let width = self.encoding().min_len();
        if self.is_frozen() && (ec.vm().has_several_ractors() || ec.vm().foreign.has_copies()) {
            return self.expose_unmoved(ec, width);
        }
        if !self.ends_with_kept_nul(width) && (!self.is_own() || !self.has_bytes_behind(width)) {
            self.move_to_buffer(ec, self.contents().len + width);
        }
        self.header().set(flags::EXPOSED);
        if self.is_own() { self.terminate(width) } else { self.contents().ptr }
    }

    /// As [`Str::expose`], of bytes that another Ractor may be reading: where no NUL can be put behind them, C code gets the
    /// address of a copy, the same one each time, which lives as long as the string.
    fn expose_unmoved(self, ec: &Ec, width: usize) -> *mut u8 {
        if let Some(copy) = ec.vm().foreign.copy_of(self.0) {
            return copy;
        }
        let is_terminated = self.ends_with_kept_nul(width);
        let can_terminate = self.is_own() && self.has_bytes_behind(width);
        if !is_terminated && !can_terminate {
            return ec.copy_for_c(self.0, self.bytes(ec), width);
        }
        self.header().set(flags::EXPOSED);
        if is_terminated { self.contents().ptr } else { self.terminate(width) }
    }

    /// Whether the bytes behind the contents are null and stay so: they are part of a longer string that shares the buffer.
    fn ends_with_kept_nul(self, width: usize) -> bool {
        if self.storage() == flags::STORAGE_EMBEDDED || self.is_own() || !self.has_bytes_behind(width) {
            return false;
        }
        let Contents { ptr, len } = self.contents();
        // SAFETY: the string is not embedded; the bytes were asked for, and those in use are initialised.
        unsafe {
            let buffer = self.buffer();
            buf::is_used_to(buffer, self.contents().end_in(buffer) + width)
                && (0..width).all(|i| *ptr.add(len + i) == 0)
        }
    }

    /// Writes the NUL, for which there is room of the string's own. Another Ractor may be writing the same.
    fn terminate(self, width: usize) -> *mut u8 {
        let Contents { ptr, len } = self.contents();
        for index in 0..width {
            // SAFETY: by contract; nobody reads the bytes behind the contents without the interface in C.
            unsafe { std::sync::atomic::AtomicU8::from_ptr(ptr.add(len + index)) }.store(0, Ordering::Relaxed);
        }
        ptr
    }

    /// That many bytes more than the contents could be read.
    fn has_bytes_behind(self, count: usize) -> bool {
        let contents = self.contents();
        // SAFETY: what is not embedded has a buffer, whose head is initialised.
        unsafe {
            match self.storage() {
                flags::STORAGE_EMBEDDED => {
                    contents.len + count <= self.header().slot_bytes() - STRING_EMBEDDED_OVERHEAD
                }
                _ => contents.end_in(self.buffer()) + count <= buf::capacity(self.buffer()),
            }
        }
    }

    /// Sets the length after C code wrote the bytes, and a NUL behind them; the code range is forgotten. Fails if there is no such
    /// room.
    pub fn set_written_len(self, ec: &mut Ec, len: usize) -> bool {
        self.forget_positions(ec);
        self.reserve(ec, self.len(ec));
        self.set_range(CodeRange::Unknown);
        if len > self.capacity(ec) {
            return false;
        }
        // SAFETY: the room is the string's own, and C code vouches for the bytes in it.
        unsafe { self.set_len(len) };
        let width = self.encoding().min_len();
        if self.has_bytes_behind(width) {
            self.terminate(width);
            self.header().set(flags::EXPOSED);
        }
        true
    }

    /// Appends raw bytes. The code range becomes unknown unless it can be told at no cost.
    pub fn push_bytes(self, ec: &mut Ec, bytes: &[u8]) {
        let len = self.contents().len;
        let end = self.make_room_at_end(ec, len, bytes.len());
        // SAFETY: there is room, the contents are unshared, and `bytes` was lent by something other than this string: a
        // borrow of a string's bytes cannot be alive across `&mut Ec`.
        unsafe {
            std::ptr::copy_nonoverlapping(bytes.as_ptr(), end, bytes.len());
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

    /// Appends another string's bytes (it may be this one) where that changes nothing but bytes and length: both are of one encoding
    /// and one code range, and there is room. False, with nothing done, in any other case.
    #[inline]
    pub(crate) fn append_in_place(self, other: Str) -> bool {
        const ALIKE: u64 = flags::ENCODING_MASK | flags::CODERANGE_MASK;
        const UNUSUAL: u64 = flags::FROZEN | flags::CHILLED_MASK | flags::STRING_LOCKED | flags::EXPOSED;
        let (bits, others) = (self.header().bits(), other.header().bits());
        let is_broken = bits & flags::CODERANGE_MASK == flags::CODERANGE_MASK;
        if (bits ^ others) & ALIKE != 0 || bits & UNUSUAL != 0 || is_broken {
            return false;
        }
        // SAFETY: what is not embedded has a buffer; what is written lies within it and behind the contents.
        unsafe {
            let (ptr, len) = match bits & flags::STORAGE_MASK {
                flags::STORAGE_EMBEDDED => return false,
                flags::STORAGE_VIEW => {
                    let view = self.0.as_ptr::<RView>();
                    ((*view).ptr, &raw mut (*view).len)
                }
                _ => {
                    let head = (*self.0.as_ptr::<RBufOnly>()).buf;
                    ((*head).ptr, &raw mut (*head).len)
                }
            };
            let (buffer, added) = (self.buffer(), other.contents());
            let end = ptr.add(*len);
            let limit = buf::data(buffer).addr() + buf::capacity(buffer);
            if limit - end.addr() < added.len || !buf::is_unique(buffer) {
                return false;
            }
            copy_small(added.ptr, end, added.len);
            *len += added.len;
        }
        true
    }

    /// Appends another string's bytes (it may be this one). Encodings are the caller's business.
    pub fn push_str(self, ec: &mut Ec, other: Str) {
        let added = other.contents().len;
        let len = self.contents().len;
        let combined = self.known_range_with(other);
        let end = self.make_room_at_end(ec, len, added);
        // SAFETY: growing may have moved this string, so the source is looked up again; the `added` bytes copied lie
        // before the place written even when both strings are the same.
        unsafe {
            std::ptr::copy_nonoverlapping(other.contents().ptr, end, added);
            self.set_len(len + added);
        }
        if combined != self.known_range() {
            self.set_range(combined);
        }
    }

    /// Where `added` bytes behind the `len` of the contents go, which move there if they must.
    #[inline]
    fn make_room_at_end(self, ec: &mut Ec, len: usize, added: usize) -> *mut u8 {
        match self.room_at_end(added) {
            Some(end) => end,
            None => {
                self.grow_for(ec, len + added);
                // SAFETY: the contents are that long.
                unsafe { self.contents().ptr.add(len) }
            }
        }
    }

    /// Replaces bytes `start .. start + len` by those of `with` (it may be this string). The code range is forgotten
    /// unless both are seven-bit.
    pub fn splice(self, ec: &mut Ec, start: usize, len: usize, with: Str) {
        self.forget_positions(ec);
        let with = if with == self { with.copy_bytes(ec) } else { with };
        let combined = self.known_range_with(with);
        let (old_len, added) = (self.contents().len, with.contents().len);
        assert!(start <= old_len && len <= old_len - start, "splice inside the string");
        if start == 0 && added == 0 && self.storage() != flags::STORAGE_EMBEDDED {
            self.drop_front(len);
            return self.set_range(combined.of_part());
        }
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

    /// Removes the first `count` bytes of contents in a buffer, which may be shared: only the window changes.
    fn drop_front(self, count: usize) {
        // SAFETY: the string is not embedded, and has that many bytes.
        unsafe {
            if self.storage() == flags::STORAGE_VIEW {
                let view = self.0.as_ptr::<RView>();
                (*view).ptr = (*view).ptr.add(count);
                (*view).len -= count;
            } else {
                let head = self.buffer().as_ptr();
                (*head).ptr = (*head).ptr.add(count);
                (*head).len -= count;
            }
        }
    }

    fn copy_bytes(self, ec: &Ec) -> Str {
        Str::new(ec, self.bytes(ec), self.encoding(), self.known_range())
    }

    /// Shortens to the first `len` bytes.
    pub fn truncate(self, ec: &mut Ec, len: usize) {
        if len >= self.len(ec) {
            return;
        }
        self.forget_positions(ec);
        let range = self.known_range().of_part();
        // SAFETY: the contents are longer than `len`. In a shared buffer only this string's window changes.
        unsafe { self.set_len(len) };
        self.set_range(range);
    }

    /// Takes on another string's contents, encoding and code range; long contents are shared.
    pub fn replace(self, ec: &mut Ec, other: Str) {
        if self == other {
            return;
        }
        self.forget_positions(ec);
        let can_share = self.header().slot_bytes() >= size_of::<RView>();
        if can_share {
            other.prepare_to_share(ec, other.len(ec));
        }
        if can_share && other.storage() != flags::STORAGE_EMBEDDED && other.len(ec) > COPY_SLICE_MAX {
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
        // SAFETY: `other` has a buffer, this slot room for a view; the new count is taken before the old one is given up.
        unsafe {
            let (buffer, source) = (other.buffer(), other.contents());
            ec.heap().retain_buffer(buffer, source.end_in(buffer));
            release_storage(ec.heap(), self.0.as_heap().expect("a string is a heap object"));
            let view = self.0.as_ptr::<RView>();
            (*view).buf = buffer.as_ptr();
            (*view).ptr = source.ptr;
            (*view).len = source.len;
        }
        self.header().replace(flags::STORAGE_MASK | flags::SLICE, flags::STORAGE_VIEW | flags::SLICE);
        ec.heap().mark_owning(self.0.as_heap().expect("a string is a heap object"));
    }

    /// Calls `borrow` with the bytes as they are now. Whoever writes to the string meanwhile, this thread included, writes elsewhere.
    pub fn with_kept_bytes<R>(self, ec: &mut Ec, borrow: impl FnOnce(&mut Ec, &[u8]) -> Result<R>) -> Result<R> {
        if self.storage() == flags::STORAGE_EMBEDDED || self.header().has(flags::EXPOSED) {
            let bytes = self.owned_bytes(ec)?;
            return borrow(ec, &bytes);
        }
        let contents = self.contents();
        // SAFETY: the string has a buffer, which the count added keeps, and which nobody writes who does not hold the only count.
        unsafe {
            let buffer = self.buffer();
            ec.heap().retain_buffer(buffer, contents.end_in(buffer));
            let result = borrow(ec, std::slice::from_raw_parts(contents.ptr, contents.len));
            ec.heap().release_buffer(buffer);
            result
        }
    }

    /// Replaces the contents by what `fill` writes into a buffer with room for `capacity` bytes: the string's own, if that is large
    /// enough and nobody else uses it; the string is empty until it gets it back. After an error it has as many bytes as before. The
    /// encoding stays. Fails if another thread moves the string away meanwhile.
    pub fn refill<R>(
        self,
        ec: &mut Ec,
        capacity: usize,
        fill: impl FnOnce(&mut Ec, &mut StringBuffer) -> Result<R>,
    ) -> Result<R> {
        self.forget_positions(ec);
        let len = self.contents().len;
        let Some(mut filling) = self.take_buffer(capacity) else {
            let mut filling = StringBuffer::unwritten(ec, capacity)?;
            let result = fill(ec, &mut filling)?;
            if was_moved(self.0) {
                return Err(ec.frozen_error(self.0));
            }
            self.take_contents(ec, filling);
            return Ok(result);
        };
        let result = fill(ec, &mut filling);
        let (buffer, filled) = filling.into_parts();
        if was_moved(self.0) {
            // SAFETY: the count was the filling's.
            unsafe { ec.heap().release_buffer(buffer) };
            return result.and_then(|_| Err(ec.frozen_error(self.0)));
        }
        // SAFETY: the contents that the string has got meanwhile, if any, are given up for others.
        unsafe { release_storage(ec.heap(), self.0.as_heap().expect("a string is a heap object")) };
        self.install_buffer(ec, buffer, if result.is_ok() { filled } else { len });
        self.set_range(CodeRange::Unknown);
        result
    }

    /// The buffer, if the string alone uses it and it has room for `capacity` bytes. The string is empty then.
    fn take_buffer(self, capacity: usize) -> Option<StringBuffer> {
        let Contents { ptr, len } = self.contents();
        let buffer = self.own_buffer_at_start(self.storage(), ptr)?;
        // SAFETY: the count was the string's, and the contents were written. A string in its slot has a length behind the header.
        unsafe {
            if buf::capacity(buffer) < capacity {
                return None;
            }
            self.header().replace(flags::STORAGE_MASK | flags::SLICE | flags::EXPOSED, flags::STORAGE_EMBEDDED);
            self.set_len(0);
            self.set_range(CodeRange::Unknown);
            Some(StringBuffer::of_buffer(buffer, len))
        }
    }

    /// Contents for those that the string has; its encoding stays.
    fn take_contents(self, ec: &mut Ec, filling: StringBuffer) {
        if self.is_own() && self.capacity(ec) >= filling.len() {
            self.clear(ec);
            return self.push_bytes(ec, filling.bytes());
        }
        if ec.is_recording() {
            self.note_move(ec, filling.len());
        }
        let (buffer, len) = filling.into_parts();
        // SAFETY: the count was the filling's; the old contents are given up for the new ones.
        unsafe {
            ec.heap().take_in(buffer);
            release_storage(ec.heap(), self.0.as_heap().expect("a string is a heap object"));
        }
        self.install_buffer(ec, buffer, len);
        self.set_range(CodeRange::Unknown);
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
pub(crate) unsafe fn release_storage(heap: &carat_heap::Heap, object: NonNull<Header>) {
    // SAFETY: by contract; views and buffer-only objects keep their buffer in the same word.
    unsafe {
        if object.as_ref().bits() & flags::STORAGE_MASK != flags::STORAGE_EMBEDDED {
            let buffer = NonNull::new_unchecked((*object.cast::<RBufOnly>().as_ptr()).buf);
            if !object.as_ref().has(flags::SLICE) {
                buf::disown(buffer);
            }
            heap.release_buffer(buffer);
        }
    }
}

/// What a string or array shows of its buffer, if it has one.
///
/// # Safety
/// The object is live and initialised.
pub(crate) unsafe fn window(object: NonNull<Header>) -> Option<Window> {
    // SAFETY: by contract.
    let header = unsafe { object.as_ref() };
    let bytes_each = match header.heap_type() {
        HeapType::String => 1,
        HeapType::Array => size_of::<Value>(),
        _ => return None,
    };
    let storage = header.bits() & flags::STORAGE_MASK;
    if storage == flags::STORAGE_EMBEDDED {
        return None;
    }
    // SAFETY: the storage bits say which struct lies behind the header.
    unsafe {
        let buf = NonNull::new_unchecked((*object.cast::<RBufOnly>().as_ptr()).buf);
        let (start, len) = match storage {
            flags::STORAGE_VIEW => {
                let view = object.cast::<RView>().as_ptr();
                ((*view).ptr, (*view).len)
            }
            _ => (buf.as_ref().ptr, buf.as_ref().len),
        };
        Some(Window { buf, start, bytes: len * bytes_each })
    }
}

/// A live slice that fits this many times into a buffer which it alone keeps is given one of its own.
const UNSHARE_RATIO: usize = 4;
/// Smaller buffers are not worth the copy.
const UNSHARE_BYTES: usize = 4096;

/// Whether a live string or array is a slice so short that, should its buffer be large, nobody else may want it. Looks at
/// the slot alone.
///
/// # Safety
/// The object is live and initialised.
pub(crate) unsafe fn may_keep_too_much(object: NonNull<Header>) -> bool {
    const SLICED_VIEW: u64 = flags::STORAGE_VIEW | flags::SLICE;
    // SAFETY: by contract.
    unsafe { object.as_ref() }.bits() & (flags::STORAGE_MASK | flags::SLICE | flags::EXPOSED) == SLICED_VIEW
}

/// Gives a slice a buffer of its own if it alone keeps a much larger one.
///
/// # Safety
/// The object is live, [`may_keep_too_much`] said so of it, and nobody has borrowed its contents.
pub(crate) unsafe fn unshare(heap: &carat_heap::Heap, object: NonNull<Header>, element_bytes: usize) {
    // SAFETY: by contract it is a view, whose contents are copied before the old buffer is given up.
    unsafe {
        let view = object.cast::<RView>().as_ptr();
        let (old, bytes) = (NonNull::new_unchecked((*view).buf), (*view).len * element_bytes);
        let capacity = buf::capacity(old);
        if capacity < UNSHARE_BYTES || bytes > capacity / UNSHARE_RATIO || !buf::is_unique(old) {
            return;
        }
        let own = heap.allocate_buffer(bytes);
        std::ptr::copy_nonoverlapping((*view).ptr, buf::data(own), bytes);
        (*view).buf = own.as_ptr();
        (*view).ptr = buf::data(own);
        object.as_ref().clear(flags::SLICE);
        heap.count_unsharing(bytes);
        heap.release_buffer(old);
    }
}

impl Ec {
    /// The unique frozen string with this contents.
    pub fn fstring(&self, bytes: &[u8], encoding: EncodingIndex) -> Str {
        self.vm().fstrings.unique(self, bytes, encoding, || {
            let s = Str::new(self, bytes, encoding, CodeRange::Unknown);
            if bytes.len() > COPY_SLICE_MAX {
                // What is made of a long literal shares its bytes. Nobody knows the string yet, so it may leave its slot.
                s.move_out(self);
            }
            s.range(self);
            s.set_fstring();
            s
        })
    }

    /// A new string with a symbol's name.
    pub fn symbol_to_str(&self, symbol: carat_layout::SymbolId) -> Str {
        let name = self.vm().symbol_name(symbol);
        let is_ascii = name.bytes.is_ascii() && name.encoding.is_ascii_compatible();
        Str::new(self, name.bytes, name.encoding, if is_ascii { CodeRange::SevenBit } else { CodeRange::Unknown })
    }

    /// The path of a source file: one frozen string for all who ask.
    pub fn path_str(&self, path: &str) -> Str {
        self.fstring(path.as_bytes(), EncodingIndex::UTF_8)
    }

    /// A new UTF-8 string.
    pub fn str(&self, text: &str) -> Value {
        Str::from_text(self, text).value()
    }
}

impl Str {
    /// The string itself if it is frozen, else a frozen copy with the contents as they are now. Going through an unchanged
    /// long string again gives the same copy.
    pub fn snapshot(self, ec: &mut Ec) -> Str {
        if self.is_frozen() {
            return self;
        }
        self.prepare_to_share(ec, self.len(ec));
        if self.storage() == flags::STORAGE_EMBEDDED || self.len(ec) <= COPY_SLICE_MAX {
            let copy = self.duplicate(ec);
            ec.freeze(copy.value());
            return copy;
        }
        match Str::from_value(ec.last_snapshot.get()) {
            Some(last) if last.is_same_window(self) => {
                last.set_range(self.known_range());
                last
            }
            _ => {
                let copy = self.duplicate(ec);
                ec.freeze(copy.value());
                ec.last_snapshot.set(copy.value());
                copy
            }
        }
    }

    /// The unique frozen string with the contents of this one: itself, if it is frozen and there is none yet. It is a plain String
    /// without instance variables.
    pub fn fstring(self, ec: &Ec) -> Str {
        if !self.is_frozen() {
            return ec.fstring(self.bytes(ec), self.encoding());
        }
        ec.vm().fstrings.unique(ec, self.bytes(ec), self.encoding(), || {
            self.range(ec);
            self.set_fstring();
            self
        })
    }

    /// The symbol named by a string's contents, which must be whole characters.
    #[inline(never)]
    pub fn to_symbol(self, ec: &mut Ec) -> Result<carat_layout::SymbolId> {
        let is_checked = self.encoding().is_ascii_compatible() && self.encoding() != EncodingIndex::US_ASCII;
        if is_checked && self.range(ec) == CodeRange::Broken {
            let shown = ec.inspect(self.value())?.to_text(ec);
            let message = format!("invalid symbol in encoding {} :{shown}", self.encoding().name());
            return Err(ec.error(ec.vm().known().encoding_error, &message));
        }
        if !ec.vm().make_room_for_symbols() {
            return Err(ec.no_memory());
        }
        ec.ensure_memory(self.len(ec))?;
        Ok(ec.vm().intern_bytes(self.bytes(ec), self.encoding()))
    }
}

impl Str {
    /// Replaces the contents by bytes that no string owns; encoding and code range are the caller's business.
    pub fn overwrite(self, ec: &mut Ec, bytes: &[u8]) {
        let len = bytes.len();
        self.forget_positions(ec);
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

    /// One string of `a` and `rest`, which are compatible.
    ///
    /// A sum of sums is likely to be the next step of a loop. It is given some room, and the next sum continues it: it shows
    /// the same bytes and those behind them. So adding to a string again and again copies it a few times only, and what was
    /// added to stays what it was.
    pub fn sum(ec: &Ec, a: Str, rest: &[Str], encoding: EncodingIndex, range: CodeRange) -> Str {
        let added = rest.iter().map(|s| s.len(ec)).sum();
        if a.len(ec) < CONTINUED_BYTES || !a.header().has(flags::SUM) {
            let mut joined = Joined::new(ec, a.len(ec) + added, encoding, range);
            joined.push(a.bytes(ec));
            rest.iter().for_each(|s| joined.push(s.bytes(ec)));
            let sum = joined.finish();
            sum.header().set(flags::SUM);
            return sum;
        }
        a.continued(ec, rest, added, encoding, range)
            .unwrap_or_else(|| a.with_room_behind(ec, rest, added, encoding, range))
    }

    /// A view of this string and of bytes behind it that nobody uses, where `rest` is put.
    fn continued(self, ec: &Ec, rest: &[Str], added: usize, encoding: EncodingIndex, range: CodeRange) -> Option<Str> {
        if self.storage() != flags::STORAGE_VIEW || crate::foreign::is_exposed(self.header()) {
            return None;
        }
        let contents = self.contents();
        // SAFETY: the string has a buffer; the bytes behind its own are nobody else's once the buffer says so, so no slice
        // that was lent and no string shows them.
        unsafe {
            let buffer = self.buffer();
            if !ec.heap().extend_buffer(buffer, contents.end_in(buffer), added) {
                return None;
            }
            push_all(rest, contents.ptr.add(contents.len));
            let bits = header_bits(encoding, range) | flags::SLICE | flags::SUM;
            Some(Str::new_view(ec, ec.string_shape.into(), bits, buffer, contents.ptr, contents.len + added))
        }
    }

    fn with_room_behind(self, ec: &Ec, rest: &[Str], added: usize, encoding: EncodingIndex, range: CodeRange) -> Str {
        let len = self.len(ec) + added;
        // The system gives pages of a large buffer when they are touched; of a small one the room is paid for.
        let room = if len < buf::MAPPED_BYTES { len / 4 } else { len };
        let buffer = ec.heap().allocate_buffer(len.saturating_add(room));
        let bits = header_bits(encoding, range) | flags::SUM;
        // SAFETY: the buffer is fresh and has room for all of them.
        unsafe {
            buf::adopt(buffer);
            let to = buf::data(buffer);
            std::ptr::copy_nonoverlapping(self.contents().ptr, to, self.len(ec));
            push_all(rest, to.add(self.len(ec)));
            Str::new_view(ec, ec.string_shape.into(), bits, buffer, to, len)
        }
    }

    /// Strings with another one between each two of them, `len` bytes in all.
    pub fn joined(
        ec: &Ec,
        strings: &[Str],
        between: Option<Str>,
        len: usize,
        encoding: EncodingIndex,
        range: CodeRange,
    ) -> Str {
        let mut joined = Joined::new(ec, len, encoding, range);
        let between = between.map_or(&[][..], |between| between.bytes(ec));
        for (number, string) in strings.iter().enumerate() {
            if number > 0 && !between.is_empty() {
                joined.push(between);
            }
            joined.push(string.bytes(ec));
        }
        joined.finish()
    }

    /// A string of `len` bytes that `fill` writes.
    pub fn filled(ec: &Ec, len: usize, encoding: EncodingIndex, range: CodeRange, fill: impl FnOnce(&mut [u8])) -> Str {
        let string = Str::with_room(ec, ec.string_shape.into(), len, encoding, range);
        let to = string.contents().ptr;
        // SAFETY: the string is fresh, has that much room and is nobody else's yet. A buffer with a mapping of its own comes
        // zeroed from the system, anything else is zeroed here.
        unsafe {
            if len < buf::MAPPED_BYTES {
                to.write_bytes(0, len);
            }
            string.set_len(len);
            fill(std::slice::from_raw_parts_mut(to, len));
        }
        string
    }
}

/// Copies the contents of strings one behind the other.
///
/// # Safety
/// There is room for all of them at `to`, where none of them lies.
unsafe fn push_all(strings: &[Str], mut to: *mut u8) {
    for piece in strings.iter().map(|s| s.contents()) {
        // SAFETY: by contract.
        unsafe {
            copy_small(piece.ptr, to, piece.len);
            to = to.add(piece.len);
        }
    }
}

fn header_bits(encoding: EncodingIndex, range: CodeRange) -> u64 {
    u64::from(encoding.0) << flags::ENCODING_SHIFT | (range as u64) << flags::CODERANGE_SHIFT
}

/// Sums of at least this many bytes are given room.
const CONTINUED_BYTES: usize = 1024;

/// A fresh string that is being put together of pieces whose lengths were added up before.
pub(crate) struct Joined {
    string: Str,
    /// Where the next piece goes.
    at: *mut u8,
    /// Bytes that are still to come.
    left: usize,
}

impl Joined {
    #[inline]
    pub(crate) fn new(ec: &Ec, len: usize, encoding: EncodingIndex, range: CodeRange) -> Joined {
        let string = Str::with_room(ec, ec.string_shape.into(), len, encoding, range);
        // SAFETY: the string has that much room; nobody reads it before all of its bytes are there.
        unsafe { string.set_len(len) };
        Joined { string, at: string.contents().ptr, left: len }
    }

    #[inline]
    pub(crate) fn push(&mut self, piece: &[u8]) {
        assert!(piece.len() <= self.left, "the length that was announced");
        // SAFETY: there is room for the piece, which cannot lie in fresh memory.
        unsafe { copy_small(piece.as_ptr(), self.at, piece.len()) };
        self.at = self.at.wrapping_add(piece.len());
        self.left -= piece.len();
    }

    #[inline]
    pub(crate) fn finish(self) -> Str {
        assert!(self.left == 0, "the length that was announced");
        self.string
    }
}

/// Copies bytes; few of them without a call.
///
/// # Safety
/// As for `copy_nonoverlapping`.
#[inline(always)]
unsafe fn copy_small(from: *const u8, to: *mut u8, len: usize) {
    // SAFETY: by contract; two words that may overlap cover every length from their own to twice that.
    unsafe {
        match len {
            8..=16 => {
                let (first, last) =
                    (from.cast::<u64>().read_unaligned(), from.add(len - 8).cast::<u64>().read_unaligned());
                to.cast::<u64>().write_unaligned(first);
                to.add(len - 8).cast::<u64>().write_unaligned(last);
            }
            4..8 => {
                let (first, last) =
                    (from.cast::<u32>().read_unaligned(), from.add(len - 4).cast::<u32>().read_unaligned());
                to.cast::<u32>().write_unaligned(first);
                to.add(len - 4).cast::<u32>().write_unaligned(last);
            }
            1..4 => {
                let (first, middle, last) = (*from, *from.add(len / 2), *from.add(len - 1));
                *to = first;
                *to.add(len / 2) = middle;
                *to.add(len - 1) = last;
            }
            _ => std::ptr::copy_nonoverlapping(from, to, len),
        }
    }
}
