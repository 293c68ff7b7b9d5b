//! What objects are made of: contents, size, references, as `ObjectSpace` and the loupe tell it.
//!
//! # Sizes
//! An object's size is its slot, its side block, and what its type owns outside. **A buffer that several strings or arrays
//! share is counted once**: by the object that it was made for (its owner), while that lives; the others count their slots
//! alone. When the owner is gone, those that are left count equal parts. So the sizes of all objects add up to the memory in
//! use.
//!
//! # Not here
//! The text of dumps: `builtins::object_space`. Where objects were made: [`crate::recorder`].

use crate::ec::Ec;
use crate::memory::gc::{self, Sink};
use crate::model::class::{Class, ClassData};
use crate::model::cref::Cref;
use crate::model::method::MethodEntry;
use crate::model::shape::ROOT_HIDDEN;
use crate::run::code::CodeData;
use crate::run::unwind::Throw;
use crate::value::data::Data;
use crate::value::hash::Hash;
use crate::value::object::{FieldPlace, place_of, room_behind};
use carat_heap::{buf, side};
use carat_layout::{BufHead, Header, HeapType, RArrayEmbedded, RBufOnly, RStringEmbedded, RView, Value, flags};
use std::ptr::NonNull;

pub use carat_layout::MAX_SLOT_BYTES;

/// How a string or array holds its contents. Bytes throughout.
#[derive(Clone, Copy, Debug)]
pub struct Contents {
    pub is_embedded: bool,
    /// Room from where the contents begin.
    pub capacity: usize,
    pub used_bytes: usize,
    /// Address of the buffer, or 0.
    pub buffer: usize,
    pub buffer_bytes: usize,
    /// Where in the buffer the contents begin.
    pub offset: usize,
    /// Objects that refer to the buffer.
    pub holders: usize,
    /// Another object made the buffer, and shared it.
    pub is_slice: bool,
    /// What of the buffer this object's size includes.
    pub counted_bytes: usize,
}

/// Lists references instead of marking them.
struct Lister<'a> {
    ec: &'a Ec,
    visit: &'a mut dyn FnMut(Value),
}

impl Sink for Lister<'_> {
    fn mark(&mut self, value: Value) {
        if value.is_heap() {
            (self.visit)(value);
        }
    }

    fn mark_conservative(&mut self, word: u64) {
        if let Some(object) = self.ec.heap().find(word) {
            // SAFETY: the heap found a live object there.
            (self.visit)(unsafe { Value::from_heap(object) });
        }
    }

    unsafe fn mark_range(&mut self, _owner: NonNull<Header>, first: *const Value, len: usize) {
        for index in 0..len {
            // SAFETY: by contract; a zero word is no value.
            let word = unsafe { first.cast::<u64>().add(index).read() };
            if word != 0 {
                // SAFETY: the word is not zero, and by contract a value.
                self.mark(unsafe { Value::from_bits(word) });
            }
        }
    }
}

impl Contents {
    /// Address and length of the buffer's mapping, if the buffer is one by itself.
    pub fn mapping(&self) -> Option<(usize, usize)> {
        buf::is_mapped(self.buffer_bytes).then(|| (self.buffer, self.buffer_bytes + size_of::<BufHead>()))
    }

    fn embedded(slot_bytes: usize, overhead: usize, used_bytes: usize) -> Contents {
        Contents {
            is_embedded: true,
            capacity: slot_bytes - overhead,
            used_bytes,
            buffer: 0,
            buffer_bytes: 0,
            offset: 0,
            holders: 0,
            is_slice: false,
            counted_bytes: 0,
        }
    }

    /// # Safety
    /// The object holds a count of the buffer.
    unsafe fn in_buffer(object: Value, buffer: NonNull<BufHead>, ptr: *mut u8, used_bytes: usize) -> Contents {
        // SAFETY: by contract.
        unsafe {
            let is_slice = object.header().is_some_and(|h| h.has(flags::SLICE));
            let holders = buf::holders(buffer);
            let buffer_bytes = buf::capacity(buffer);
            let offset = ptr.addr() - buf::data(buffer).addr();
            let whole = buffer_bytes + size_of::<BufHead>();
            let counted_bytes = match is_slice {
                _ if holders == 1 => whole,
                false => whole,
                true if buf::is_owner_gone(buffer) => whole / holders,
                true => 0,
            };
            let capacity = if holders == 1 { buffer_bytes - offset } else { used_bytes };
            Contents {
                is_embedded: false,
                capacity,
                used_bytes,
                buffer: buffer.as_ptr().addr(),
                buffer_bytes,
                offset,
                holders,
                is_slice,
                counted_bytes,
            }
        }
    }
}

impl Ec {
    /// How a string or array holds its contents.
    pub fn contents_of(&self, object: Value) -> Option<Contents> {
        let header = object.header()?;
        let element = match header.heap_type() {
            HeapType::String => 1,
            HeapType::Array => 8,
            _ => return None,
        };
        let slot = header.slot_bytes();
        // SAFETY: the storage bits say which struct lies behind the header.
        unsafe {
            Some(match header.bits() & flags::STORAGE_MASK {
                flags::STORAGE_EMBEDDED if element == 1 => {
                    let len = usize::from((*object.as_ptr::<RStringEmbedded>()).len);
                    Contents::embedded(slot, carat_layout::STRING_EMBEDDED_OVERHEAD, len)
                }
                flags::STORAGE_EMBEDDED => {
                    let len = (header.bits() & flags::EMBEDDED_LEN_MASK) >> flags::EMBEDDED_LEN_SHIFT;
                    Contents::embedded(slot, std::mem::offset_of!(RArrayEmbedded, elements), len as usize * 8)
                }
                flags::STORAGE_VIEW => {
                    let view = object.as_ptr::<RView>();
                    let buffer = NonNull::new_unchecked((*view).buf);
                    Contents::in_buffer(object, buffer, (*view).ptr, (*view).len * element)
                }
                _ => {
                    let buffer = NonNull::new_unchecked((*object.as_ptr::<RBufOnly>()).buf);
                    let head = buffer.as_ptr();
                    Contents::in_buffer(object, buffer, (*head).ptr, (*head).len * element)
                }
            })
        }
    }

    /// Bytes of the slot, and of everything outside that the object owns. Immediates have none.
    pub fn memsize_of(&self, object: Value) -> usize {
        let Some(header) = object.header() else { return 0 };
        let beside = self.fields_beside(object).map_or(0, |capacity| 8 + 8 * capacity);
        self.slot_bytes(object) + beside + self.owned_bytes(object, header)
    }

    /// Bytes of the slot that the object lies in, room for fields behind its contents included.
    pub fn slot_bytes(&self, object: Value) -> usize {
        object.as_heap().map_or(0, side::slot_bytes)
    }

    /// Whether objects with this header have nothing outside their slots, as far as the header tells.
    pub(crate) fn is_in_slot(&self, header: &Header) -> bool {
        let owns_nothing = match header.heap_type() {
            HeapType::String | HeapType::Array => header.bits() & flags::STORAGE_MASK == flags::STORAGE_EMBEDDED,
            HeapType::Object
            | HeapType::Struct
            | HeapType::Float
            | HeapType::Complex
            | HeapType::Rational
            | HeapType::Range
            | HeapType::Proc => true,
            _ => false,
        };
        owns_nothing && !header.has(flags::SIDE_FIELDS)
    }

    fn owned_bytes(&self, object: Value, header: &Header) -> usize {
        match header.heap_type() {
            HeapType::String | HeapType::Array => self.contents_of(object).map_or(0, |c| c.counted_bytes),
            HeapType::Hash | HeapType::Set => Hash::expect(object).table_bytes(self),
            HeapType::Bignum => self.bignum_of(object).map_or(0, |n| n.bits().div_ceil(64) as usize * 8),
            HeapType::Class | HeapType::Module => Class::expect(object).data().memsize(),
            HeapType::Data => crate::value::data::memsize_of(object),
            HeapType::CData => {
                let slot = object.as_heap().expect("a heap object");
                self.vm().foreign.hooks().map_or(0, |hooks| (hooks.memsize)(slot))
            }
            HeapType::Env if header.has(flags::ENV_EXTERNAL) => self.env_bytes(object),
            HeapType::Code => CodeData::of(object).memsize(),
            HeapType::MethodEntry => size_of::<MethodEntry>(),
            HeapType::Cref => size_of::<Cref>(),
            HeapType::Throw => size_of::<Throw>(),
            _ => 0,
        }
    }

    /// Bytes of the slot that its contents leave unused, where that can be told.
    pub fn unused_slot_bytes(&self, object: Value) -> usize {
        let Some(header) = object.header() else { return 0 };
        let behind = object.as_heap().map_or(0, room_behind);
        let used = if behind > 0 { self.field_places(object).0 } else { 0 };
        8 * (behind - used) + self.unused_content_bytes(object, header)
    }

    fn unused_content_bytes(&self, object: Value, header: &Header) -> usize {
        match self.contents_of(object) {
            Some(contents) if contents.is_embedded => contents.capacity - contents.used_bytes,
            Some(_) if header.slot_bytes() >= size_of::<RView>() => header.slot_bytes() - size_of::<RView>(),
            Some(_) => header.slot_bytes() - size_of::<RBufOnly>(),
            None if matches!(header.heap_type(), HeapType::Object | HeapType::Struct) => {
                header.slot_bytes() - 8 - 8 * self.field_places(object).0
            }
            None if matches!(header.heap_type(), HeapType::Hash | HeapType::Set) => {
                Hash::expect(object).unused_slot_bytes(0)
            }
            None => 0,
        }
    }

    fn env_bytes(&self, object: Value) -> usize {
        // SAFETY: the object is a live environment.
        object.as_heap().map_or(0, |object| 8 * unsafe { crate::run::proc::env_size(object) })
    }

    /// Fields that the object's side block has room for, if it has one.
    pub fn fields_beside(&self, object: Value) -> Option<usize> {
        let slot = object.as_heap()?;
        object.header().filter(|h| h.has(flags::SIDE_FIELDS))?;
        // SAFETY: the block belongs to the object.
        side::of(slot).map(|block| unsafe { side::capacity(block) })
    }

    /// Fields of the object's shape that lie in its slot, and those that lie beside.
    pub fn field_places(&self, object: Value) -> (usize, usize) {
        let Some(header) = object.header() else { return (0, 0) };
        let count = self.field_count(object);
        let is_in_slot = |index: &usize| matches!(place_of(header, *index), FieldPlace::InSlot(_));
        let inline = (0..count).take_while(is_in_slot).count();
        (inline, count - inline)
    }

    /// Everything that the object refers to, its class first; several times what it refers to several times.
    pub fn references_of(&self, object: Value, visit: &mut dyn FnMut(Value)) {
        if let Some(slot) = object.as_heap() {
            gc::trace(self, slot, &mut Lister { ec: self, visit });
        }
    }

    /// Everything that no object has to refer to, by category.
    pub fn each_root(&self, visit: &mut dyn FnMut(&'static str, Value)) {
        self.vm().references(&mut |v| visit("vm", v));
        self.ractor().references(&mut |v| visit("ractor", v));
        let contexts: Vec<*mut Ec> = self.ractor().contexts.borrow().clone();
        for context in contexts {
            let mut lister = Lister { ec: self, visit: &mut |v| visit("machine_context", v) };
            // SAFETY: contexts in the list are alive. Those of other threads wait for their turn; of the running one the
            // frames are walked as published, and its native stack as of the last time it stopped running, all of which is
            // mapped.
            unsafe { gc::mark_context(&*context, &mut lister) };
        }
    }

    /// Calls `f` with every object in the heaps of all Ractors, which stand still meanwhile.
    pub fn each_object_everywhere(&mut self, f: &mut dyn FnMut(&Ec, u32, Value)) {
        self.each_ractor(&mut |ec, ractor| ractor.heap.each_object(&mut |object| f(ec, ractor.id, object)));
    }

    /// Whether programs can meet the object, whosever it is: the implementation's own are no part of any report.
    pub fn is_program_object(&self, object: Value) -> bool {
        let Some(header) = object.header() else { return false };
        is_program_kind(header)
            && match header.heap_type() {
                HeapType::Data => Data::<crate::run::backtrace::Backtrace>::from_value(object).is_none(),
                HeapType::Class | HeapType::Module => !self.is_inner_singleton(object),
                _ => true,
            }
    }

    fn is_inner_singleton(&self, object: Value) -> bool {
        Class::from_value(object).is_some_and(|c| c.is_singleton() && Class::from_value(c.attached()).is_some())
    }

    /// As the collector sees the object: flags in CRuby's words.
    pub fn collector_flags(&self, object: Value) -> Vec<&'static str> {
        let Some(header) = object.header() else { return Vec::new() };
        let mut found = vec!["wb_protected"];
        if header.has(flags::OLD) {
            found.extend(["old", "uncollectible"]);
        }
        if header.has(flags::SHAREABLE) {
            found.push("shareable");
        }
        found
    }

    /// Number of the object's shape; immediates have one for each kind.
    pub fn shape_number(&self, object: Value) -> u32 {
        crate::model::shape::shape_of(object).0
    }
}

impl ClassData {
    /// Bytes outside the slot: the native part, its tables and its list of ancestors.
    pub(crate) fn memsize(&self) -> usize {
        size_of::<ClassData>() + self.table_bytes() + self.ancestor_count() * 8
    }
}

/// Whether Ruby code may come across objects of such a type. Looks at the header alone.
pub(crate) fn is_program_kind(header: &Header) -> bool {
    match header.heap_type() {
        HeapType::Free
        | HeapType::IClass
        | HeapType::Env
        | HeapType::MethodEntry
        | HeapType::Code
        | HeapType::Cref
        | HeapType::Throw => false,
        // C code hides what it works on.
        HeapType::CData => header.shape() != ROOT_HIDDEN,
        _ => true,
    }
}
