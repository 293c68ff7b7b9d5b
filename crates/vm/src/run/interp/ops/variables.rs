//! Instance, class and global variables, constants, special variables.

use super::basic::reg;
use super::{conclude, conclude_unit, handler};
use crate::ec::{Ec, Result};
use crate::model::class::ClassVariable;
use crate::run::code::CacheCell;
use crate::run::frame::Fp;
use crate::run::interp::{dispatch, publish_all};
use crate::run::polymorphic::{Entry, places, turn_to};
use crate::value::object::{FieldPlace, is_all_fields, place_of};
use carat_iseq::Insn;
use carat_layout::{Header, HeapType, Value, flags};
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering, fence};

// ---- instance variables: key = header & FIELD_KEY, shape = one of `places`, target = byte offset | next shape << 32 ----

handler!(getinstancevariable(pc, fp, ec, caches) {
    let receiver = *fp;
    let cell = caches.add(usize::from((*pc).c));
    if receiver.is_heap() {
        let header = receiver.as_ptr::<Header>();
        if (*header).bits() & flags::FIELD_KEY == (*cell).key && (*cell).shape == places::IN_SLOT {
            let value = *header.cast::<u8>().add((*cell).target as usize).cast::<Value>();
            reg!(fp, (*pc).a) = value;
            return dispatch(pc.add(1), fp, ec, caches);
        }
    }
    getinstancevariable_other(pc, fp, ec, caches)
});

// The cell is for objects of another shape, or for a field that is not in the slot.
handler!(#[inline(never)] getinstancevariable_other(pc, fp, ec, caches) {
    if turn_to(caches.add(usize::from((*pc).c)), *fp) {
        return getinstancevariable(pc, fp, ec, caches);
    }
    if is_known_absent(*fp, caches.add(usize::from((*pc).c))) {
        reg!(fp, (*pc).a) = Value::NIL;
        return dispatch(pc.add(1), fp, ec, caches);
    }
    getinstancevariable_side(pc, fp, ec, caches)
});

handler!(#[inline(never)] getinstancevariable_side(pc, fp, ec, caches) {
    let cell = caches.add(usize::from((*pc).c));
    match cached_side_field(*fp, cell) {
        Some(field) => {
            reg!(fp, (*pc).a) = *field;
            dispatch(pc.add(1), fp, ec, caches)
        }
        None => getinstancevariable_class(pc, fp, ec, caches),
    }
});

handler!(#[inline(never)] getinstancevariable_class(pc, fp, ec, caches) {
    let cell = caches.add(usize::from((*pc).c));
    match cached_class_field(*fp, cell) {
        Some(value) => {
            reg!(fp, (*pc).a) = value;
            dispatch(pc.add(1), fp, ec, caches)
        }
        None => getinstancevariable_slow(pc, fp, ec, caches),
    }
});

/// Whether the cell says that the receiver does not have the field.
#[inline(always)]
unsafe fn is_known_absent(receiver: Value, cell: *const CacheCell) -> bool {
    // SAFETY: the cell belongs to the running code.
    unsafe {
        let Some(header) = receiver.header() else { return false };
        (*cell).shape == places::ABSENT && header.bits() & flags::FIELD_KEY == (*cell).key
    }
}

/// A field of a class or module, if the cell is for such a one and the receiver fits it. A block that has been replaced lives
/// until the next collection.
#[inline(always)]
unsafe fn cached_class_field(receiver: Value, cell: *const CacheCell) -> Option<Value> {
    // SAFETY: the cell belongs to the running code.
    unsafe {
        let slot = receiver.as_heap()?;
        let fits = (*cell).shape == places::IN_CLASS && slot.as_ref().bits() & flags::FIELD_KEY == (*cell).key;
        if fits { class_field(receiver, (*cell).target as usize) } else { None }
    }
}

/// A field at so many bytes in the side block of a class or module, unless it has been taken away.
///
/// # Safety
/// The class was seen to be of a shape with that field.
#[inline(always)]
pub(crate) unsafe fn class_field(class: Value, offset: usize) -> Option<Value> {
    // SAFETY: whoever gave the class its shape has published a block with the field before.
    unsafe {
        fence(Ordering::Acquire);
        let field = carat_heap::side::of(class.as_heap()?)?.as_ptr().byte_add(offset);
        let bits = (*field.cast::<AtomicU64>()).load(Ordering::Acquire);
        Some(Value::from_bits(bits)).filter(|value| !value.is_undef())
    }
}

/// Writes a field at so many bytes in the side block of a class or module; false if other Ractors may be replacing the block.
///
/// # Safety
/// The class was seen to be of a shape with that field.
#[inline(always)]
pub(crate) unsafe fn set_class_field(ec: &Ec, class: Value, offset: usize, value: Value) -> bool {
    if ec.vm().has_several_ractors() {
        return false;
    }
    let Some(block) = class.as_heap().and_then(carat_heap::side::of) else { return false };
    // SAFETY: by contract the block has the field.
    unsafe { block.as_ptr().byte_add(offset).write(value) };
    ec.heap().barrier(class, value);
    true
}

/// The same for the cell of a field, if it is for one of a class and the receiver fits it.
#[inline(always)]
unsafe fn set_cached_class_field(ec: &Ec, receiver: Value, value: Value, cell: *const CacheCell) -> bool {
    // SAFETY: the cell belongs to the running code.
    unsafe {
        let Some(header) = receiver.header() else { return false };
        let fits = (*cell).shape == places::IN_CLASS && header.bits() & flags::FIELD_KEY == (*cell).key;
        fits && set_class_field(ec, receiver, (*cell).target as usize, value)
    }
}

/// The place of a field in the receiver's side block, if the cell is for such a one and the receiver fits it.
#[inline(always)]
unsafe fn cached_side_field(receiver: Value, cell: *const CacheCell) -> Option<*mut Value> {
    // SAFETY: the cell belongs to the running code, and its key says which objects have a block with this field.
    unsafe {
        let slot = receiver.as_heap()?;
        let fits = (*cell).shape == places::IN_SIDE_BLOCK && slot.as_ref().bits() & flags::FIELD_KEY == (*cell).key;
        fits.then(|| carat_heap::side::of(slot)).flatten().map(|block| block.as_ptr().byte_add((*cell).target as usize))
    }
}

handler!(#[inline(never)] getinstancevariable_slow(pc, fp, ec, caches) {
    let receiver = *fp;
    let name = Fp(fp).code().linked().variable(usize::from((*pc).c));
    if receiver.header().is_some_and(|h| h.has(flags::SHAREABLE)) {
        return get_shared_ivar(pc, fp, ec, caches);
    }
    let value = match (*ec).field(receiver, name) {
        None => {
            remember_absence(&*ec, receiver, name, caches.add(usize::from((*pc).c)));
            Value::NIL
        }
        Some(value) => {
            remember_field(&*ec, receiver, name, caches.add(usize::from((*pc).c)));
            value
        }
    };
    reg!(fp, (*pc).a) = value;
    dispatch(pc.add(1), fp, ec, caches)
});

handler!(#[inline(never)] get_shared_ivar(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude(shared_ivar(&mut *ec, pc, fp, caches), pc, 1, fp, ec, caches)
});

/// The variable of a shareable object that `getinstancevariable` asks for.
///
/// # Safety
/// The running instruction.
#[inline(never)]
unsafe fn shared_ivar(ec: &mut Ec, pc: *const Insn, fp: *mut Value, caches: *mut CacheCell) -> Result {
    // SAFETY: by contract.
    unsafe {
        let name = Fp(fp).code().linked().variable(usize::from((*pc).c));
        let Some(value) = ec.instance_variable(*fp, name)? else {
            remember_absence(ec, *fp, name, caches.add(usize::from((*pc).c)));
            return Ok(Value::NIL);
        };
        remember_field(ec, *fp, name, caches.add(usize::from((*pc).c)));
        Ok(value)
    }
}

/// The field of an object that its cell knows, nil if it knows that there is none.
///
/// # Safety
/// A cell of a field, of the running code.
pub(crate) unsafe fn known_field(object: Value, cell: *mut CacheCell) -> Option<Value> {
    // SAFETY: by contract; a cell that fits says where the field is.
    unsafe {
        turn_to(cell, object);
        let header = object.header()?;
        if (*cell).shape == places::IN_SLOT && header.bits() & flags::FIELD_KEY == (*cell).key {
            return Some(*object.as_ptr::<u8>().add((*cell).target as usize).cast::<Value>());
        }
        if is_known_absent(object, cell) {
            return Some(Value::NIL);
        }
        match cached_side_field(object, cell) {
            Some(field) => Some(*field),
            None => cached_class_field(object, cell),
        }
    }
}

/// Whether an object has the field of a cell, as far as the cell knows.
///
/// # Safety
/// A cell of a field, of the running code.
pub(crate) unsafe fn known_presence(object: Value, cell: *mut CacheCell) -> Option<bool> {
    // SAFETY: by contract.
    unsafe {
        let field = known_field(object, cell)?;
        Some(!(field.is_nil() && is_known_absent(object, cell)))
    }
}

/// Whether an object has a field; the cell is to know it from now on.
///
/// # Safety
/// A cell of that field, of the running code.
pub(crate) unsafe fn find_presence(ec: &Ec, object: Value, name: carat_layout::SymbolId, cell: *mut CacheCell) -> bool {
    let is_there = ec.field(object, name).is_some();
    // SAFETY: by contract.
    unsafe {
        if is_there {
            remember_field(ec, object, name, cell);
        } else {
            remember_absence(ec, object, name, cell);
        }
    }
    is_there
}

/// Stores a field that its cell knows; false if it does not know it. `refused`: a bit of headers whose objects take none.
///
/// # Safety
/// A cell of a field, of the running code.
pub(crate) unsafe fn set_known_field(ec: &Ec, object: Value, value: Value, cell: *mut CacheCell, refused: u64) -> bool {
    // SAFETY: by contract; a cell that fits says where the field is, and there is room for it.
    unsafe {
        turn_to(cell, object);
        let Some(header) = object.header().filter(|header| header.bits() & refused == 0) else { return false };
        let (bits, target) = (header.bits(), (*cell).target);
        let field = match (*cell).shape {
            places::IN_SLOT if bits & flags::FIELD_KEY == (*cell).key => {
                object.as_ptr::<u8>().add((target & 0xFFFF_FFFF) as usize).cast::<Value>()
            }
            _ => match cached_side_field(object, cell) {
                Some(field) => field,
                None => return set_cached_class_field(ec, object, value, cell),
            },
        };
        field.write(value);
        if (*cell).shape == places::IN_SLOT && target >> 32 != 0 {
            header.set_bits(bits & 0xFFFF_FFFF | target & !0xFFFF_FFFF);
        }
        ec.heap().barrier(object, value);
        true
    }
}

/// What a cell is to know for reading or overwriting a field. Fields of dictionaries have no fixed place; those of classes may be
/// undef from some time on.
fn entry_of(ec: &Ec, receiver: Value, name: carat_layout::SymbolId) -> Option<Entry> {
    let header = receiver.header()?;
    let index = ec.find_field(header.shape(), name)?;
    let is_shared = header.has(flags::SHAREABLE) && !is_all_fields(header);
    let (place, offset) = match place_of(header, index as usize) {
        FieldPlace::Beside(number) if is_class(header) && ec.is_main_ractor() => (places::IN_CLASS, 8 * number),
        _ if is_shared && !header.has(flags::FROZEN) => return None,
        FieldPlace::InSlot(offset) => (places::IN_SLOT, offset),
        FieldPlace::Beside(_) if header.has(flags::SHAREABLE) => return None,
        FieldPlace::Beside(number) => (places::IN_SIDE_BLOCK, 8 * number),
    };
    Some(Entry::new(place, header.bits() & flags::FIELD_KEY, offset as u64))
}

/// Fills a cell for reading or overwriting a field. It stands alone because the entry is a local whose address escapes.
#[inline(never)]
unsafe fn remember_field(ec: &Ec, receiver: Value, name: carat_layout::SymbolId, cell: *mut CacheCell) {
    if let Some(entry) = entry_of(ec, receiver, name) {
        // SAFETY: the cell belongs to the running code.
        unsafe { (*cell).add_field(entry) };
    }
}

/// Whether the shape of an object says that it does not have a field. Nothing is said of fields that other Ractors may add, which
/// the main one alone does to classes, nor of those in dictionaries, nor of those that were taken away.
pub(super) fn lacks_field(ec: &Ec, receiver: Value, name: carat_layout::SymbolId) -> bool {
    let is_ours = |header: &&Header| !header.has(flags::SHAREABLE) || is_class(header) && ec.is_main_ractor();
    let Some(header) = receiver.header().filter(is_ours) else { return false };
    ec.find_field(header.shape(), name).is_none() && !ec.has_field_table(receiver)
}

/// Fills a cell for reading a field that an object does not have.
#[inline(never)]
unsafe fn remember_absence(ec: &Ec, receiver: Value, name: carat_layout::SymbolId, cell: *mut CacheCell) {
    if let Some(header) = receiver.header().filter(|_| lacks_field(ec, receiver, name)) {
        let entry = Entry::new(places::ABSENT, header.bits() & flags::FIELD_KEY, 0);
        // SAFETY: the cell belongs to the running code.
        unsafe { (*cell).add_field(entry) };
    }
}

pub(super) fn is_class(header: &Header) -> bool {
    matches!(header.heap_type(), HeapType::Class | HeapType::Module)
}

handler!(setinstancevariable(pc, fp, ec, caches) {
    let receiver = *fp;
    let cell = caches.add(usize::from((*pc).c));
    if receiver.is_heap() {
        let header = receiver.as_ptr::<Header>();
        let bits = (*header).bits();
        if bits & (flags::FIELD_KEY | flags::FROZEN) == (*cell).key && (*cell).shape == places::IN_SLOT {
            let value = reg!(fp, (*pc).a);
            let target = (*cell).target;
            header.cast::<u8>().add((target & 0xFFFF_FFFF) as usize).cast::<Value>().write(value);
            if target >> 32 != 0 {
                (*header).set_bits(bits & 0xFFFF_FFFF | target & !0xFFFF_FFFF);
            }
            (*ec).heap().barrier(receiver, value);
            return dispatch(pc.add(1), fp, ec, caches);
        }
    }
    setinstancevariable_other(pc, fp, ec, caches)
});

handler!(#[inline(never)] setinstancevariable_other(pc, fp, ec, caches) {
    if turn_to(caches.add(usize::from((*pc).c)), *fp) {
        return setinstancevariable(pc, fp, ec, caches);
    }
    setinstancevariable_side(pc, fp, ec, caches)
});

handler!(#[inline(never)] setinstancevariable_side(pc, fp, ec, caches) {
    let receiver = *fp;
    let cell = caches.add(usize::from((*pc).c));
    match cached_side_field(receiver, cell) {
        Some(field) if !(*receiver.as_ptr::<Header>()).has(flags::FROZEN) => {
            let value = reg!(fp, (*pc).a);
            *field = value;
            (*ec).heap().barrier(receiver, value);
            dispatch(pc.add(1), fp, ec, caches)
        }
        _ => setinstancevariable_class(pc, fp, ec, caches),
    }
});

handler!(#[inline(never)] setinstancevariable_class(pc, fp, ec, caches) {
    let receiver = *fp;
    let is_frozen = receiver.header().is_none_or(|header| header.has(flags::FROZEN));
    if !is_frozen && set_cached_class_field(&*ec, receiver, reg!(fp, (*pc).a), caches.add(usize::from((*pc).c))) {
        return dispatch(pc.add(1), fp, ec, caches);
    }
    setinstancevariable_behind(pc, fp, ec, caches)
});

handler!(#[inline(never)] setinstancevariable_behind(pc, fp, ec, caches) {
    let receiver = *fp;
    match new_field_behind(receiver, caches.add(usize::from((*pc).c))) {
        Some(field) => {
            let value = reg!(fp, (*pc).a);
            let header = &*receiver.as_ptr::<Header>();
            field.write(value);
            header.set_bits(header.bits() & 0xFFFF_FFFF | (*caches.add(usize::from((*pc).c))).target & !0xFFFF_FFFF);
            (*ec).heap().barrier(receiver, value);
            dispatch(pc.add(1), fp, ec, caches)
        }
        None => setinstancevariable_slow(pc, fp, ec, caches),
    }
});

/// The place of a field that is to be added behind the receiver's contents, if the cell is for such a one and there is room.
#[inline(always)]
unsafe fn new_field_behind(receiver: Value, cell: *const CacheCell) -> Option<*mut Value> {
    // SAFETY: the cell belongs to the running code; what lies behind the contents within the slot is for fields.
    unsafe {
        let slot = receiver.as_heap()?;
        let (bits, offset) = (slot.as_ref().bits(), ((*cell).target & 0xFFFF_FFFF) as usize);
        let fits = (*cell).shape == places::NEW_BEHIND
            && bits & (flags::FIELD_KEY | flags::FROZEN) == (*cell).key
            && offset + size_of::<Value>() <= carat_heap::side::slot_bytes(slot);
        fits.then(|| slot.as_ptr().byte_add(offset).cast())
    }
}

handler!(#[inline(never)] setinstancevariable_slow(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude_unit(set_ivar(&mut *ec, pc, fp, caches), pc, 1, fp, ec, caches)
});

#[inline(never)]
unsafe fn set_ivar(ec: &mut Ec, pc: *const Insn, fp: *mut Value, caches: *mut CacheCell) -> crate::Result<()> {
    // SAFETY: the running frame.
    unsafe {
        let receiver = *fp;
        let name = Fp(fp).code().linked().variable(usize::from((*pc).c));
        let before = receiver.header().map_or(0, Header::bits);
        ec.set_instance_variable(receiver, name, reg!(fp, (*pc).a))?;
        remember_write(ec, receiver, name, before, caches.add(usize::from((*pc).c)));
        Ok(())
    }
}

/// Fills a cell for writing a field, whose object had the header bits `before`: the write may have added the field. Not for
/// strings, which may be literals that warn of being written to.
unsafe fn remember_write(ec: &Ec, receiver: Value, name: carat_layout::SymbolId, before: u64, cell: *mut CacheCell) {
    let header = receiver.header().expect("immediates are frozen");
    if header.is_type(HeapType::String) {
        return;
    }
    let Some(mut entry) = entry_of(ec, receiver, name) else { return };
    let changed = header.bits() & flags::FIELD_KEY != before & flags::FIELD_KEY;
    let only_shape = header.bits() & flags::SIDE_FIELDS == before & flags::SIDE_FIELDS;
    if entry.shape == places::IN_SLOT && changed && only_shape {
        entry.key = before & flags::FIELD_KEY;
        entry.target |= u64::from(header.shape().0) << 32;
        if !is_all_fields(header) {
            entry.shape = places::NEW_BEHIND;
        }
    }
    // SAFETY: the cell belongs to the running code.
    unsafe { (*cell).add_field(entry) };
}

// ---- fields of other objects, which core code keeps under hidden names ----

handler!(getfield(pc, fp, ec, caches) {
    let object = reg!(fp, (*pc).b);
    let cell = caches.add(usize::from((*pc).c));
    if object.is_heap() {
        let header = object.as_ptr::<Header>();
        if (*header).bits() & flags::FIELD_KEY == (*cell).key && (*cell).shape == places::IN_SLOT {
            reg!(fp, (*pc).a) = *header.cast::<u8>().add((*cell).target as usize).cast::<Value>();
            return dispatch(pc.add(1), fp, ec, caches);
        }
    }
    getfield_slow(pc, fp, ec, caches)
});

handler!(#[inline(never)] getfield_slow(pc, fp, ec, caches) {
    let object = reg!(fp, (*pc).b);
    let cell = caches.add(usize::from((*pc).c));
    if turn_to(cell, object) {
        return getfield(pc, fp, ec, caches);
    }
    if let Some(field) = cached_side_field(object, cell) {
        reg!(fp, (*pc).a) = *field;
        return dispatch(pc.add(1), fp, ec, caches);
    }
    if is_known_absent(object, cell) {
        reg!(fp, (*pc).a) = Value::NIL;
        return dispatch(pc.add(1), fp, ec, caches);
    }
    reg!(fp, (*pc).a) = find_field(&*ec, object, pc, fp, cell);
    dispatch(pc.add(1), fp, ec, caches)
});

/// The value of a field that no cell knows, nil if there is none.
#[inline(never)]
unsafe fn find_field(ec: &Ec, object: Value, pc: *const Insn, fp: *mut Value, cell: *mut CacheCell) -> Value {
    // SAFETY: the running frame, and a cell of its code.
    unsafe {
        let name = Fp(fp).code().linked().variable(usize::from((*pc).c));
        let found = ec.field(object, name);
        if found.is_none() {
            remember_absence(ec, object, name, cell);
        } else if !object.header().is_some_and(|header| header.has(flags::SHAREABLE)) {
            remember_field(ec, object, name, cell);
        }
        found.unwrap_or(Value::NIL)
    }
}

handler!(setfield(pc, fp, ec, caches) {
    let object = reg!(fp, (*pc).b);
    let cell = caches.add(usize::from((*pc).c));
    if object.is_heap() {
        let header = object.as_ptr::<Header>();
        let bits = (*header).bits();
        if bits & flags::FIELD_KEY == (*cell).key && (*cell).shape == places::IN_SLOT {
            let value = reg!(fp, (*pc).a);
            let target = (*cell).target;
            header.cast::<u8>().add((target & 0xFFFF_FFFF) as usize).cast::<Value>().write(value);
            if target >> 32 != 0 {
                (*header).set_bits(bits & 0xFFFF_FFFF | target & !0xFFFF_FFFF);
            }
            (*ec).heap().barrier(object, value);
            return dispatch(pc.add(1), fp, ec, caches);
        }
    }
    setfield_slow(pc, fp, ec, caches)
});

handler!(#[inline(never)] setfield_slow(pc, fp, ec, caches) {
    let (object, value) = (reg!(fp, (*pc).b), reg!(fp, (*pc).a));
    if turn_to(caches.add(usize::from((*pc).c)), object) {
        return setfield(pc, fp, ec, caches);
    }
    match cached_side_field(object, caches.add(usize::from((*pc).c))) {
        Some(field) => {
            *field = value;
            (*ec).heap().barrier(object, value);
        }
        None => store_field(&*ec, object, value, pc, fp, caches),
    }
    dispatch(pc.add(1), fp, ec, caches)
});

#[inline(never)]
unsafe fn store_field(ec: &Ec, object: Value, value: Value, pc: *const Insn, fp: *mut Value, caches: *mut CacheCell) {
    // SAFETY: the running frame, and a cell of its code.
    unsafe {
        let name = Fp(fp).code().linked().variable(usize::from((*pc).c));
        let before = object.header().map_or(0, Header::bits);
        ec.set_field(object, name, value);
        if before & flags::SHAREABLE == 0 {
            remember_write(ec, object, name, before, caches.add(usize::from((*pc).c)));
        }
    }
}

// ---- class variables ----

// Blocks that run in several scopes share their cells: only scopes that class variables do not look at differ.
handler!(getclassvariable(pc, fp, ec, caches) {
    if let Some(value) = known_class_variable(caches.add(usize::from((*pc).c))) {
        reg!(fp, (*pc).a) = value;
        return dispatch(pc.add(1), fp, ec, caches);
    }
    getclassvariable_slow(pc, fp, ec, caches)
});

/// The class variable that a cell leads to.
///
/// # Safety
/// A cell of a class variable, of the running code.
#[inline(always)]
pub(crate) unsafe fn known_class_variable(cell: *const CacheCell) -> Option<Value> {
    // SAFETY: by contract; a cell that is current leads to the variable's place.
    unsafe {
        let is_known =
            (*cell).shape == places::CLASS_VARIABLE && (*(*cell).epoch_at).load(Ordering::Relaxed) == (*cell).epoch;
        is_known.then(|| (*((*cell).target as *const ClassVariable)).get())
    }
}

handler!(#[inline(never)] getclassvariable_slow(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let name = Fp(fp).code().linked().variable(usize::from((*pc).c));
    let cref = super::define::cref_of(Fp(fp));
    if (*pc).n == 1 && (*ec).find_class_variable(cref, name).is_none() {
        return conclude(Ok(Value::NIL), pc, 1, fp, ec, caches);
    }
    let found = (*ec).class_variable_from(cref, name);
    if found.is_ok() {
        remember_class_variable(&mut *ec, cref, name, caches.add(usize::from((*pc).c)));
    }
    conclude(found, pc, 1, fp, ec, caches)
});

handler!(setclassvariable(pc, fp, ec, caches) {
    let cell = caches.add(usize::from((*pc).c));
    if (*cell).shape == places::CLASS_VARIABLE && (*(*cell).epoch_at).load(Ordering::Relaxed) == (*cell).epoch {
        let holder = Value::from_bits((*cell).key);
        if !(*holder.as_ptr::<Header>()).has(flags::FROZEN) {
            let value = reg!(fp, (*pc).a);
            (*((*cell).target as *const ClassVariable)).set(value);
            (*ec).heap().barrier(holder, value);
            return dispatch(pc.add(1), fp, ec, caches);
        }
    }
    setclassvariable_slow(pc, fp, ec, caches)
});

handler!(#[inline(never)] setclassvariable_slow(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let name = Fp(fp).code().linked().variable(usize::from((*pc).c));
    let cref = super::define::cref_of(Fp(fp));
    let result = (*ec).set_class_variable_from(cref, name, reg!(fp, (*pc).a));
    if result.is_ok() {
        remember_class_variable(&mut *ec, cref, name, caches.add(usize::from((*pc).c)));
    }
    conclude_unit(result, pc, 1, fp, ec, caches)
});

/// Fills a cell with where a class variable is, unless another ancestor has one of the name. Other Ractors than the main one
/// have to look at each value that they read.
#[inline(never)]
unsafe fn remember_class_variable(ec: &mut Ec, cref: Value, name: carat_layout::SymbolId, cell: *mut CacheCell) {
    if !ec.is_main_ractor() {
        return;
    }
    let epoch_at: *const AtomicU32 = &raw const ec.vm().class_variable_epoch;
    let Some(holder) = ec.only_holder_from(cref, name) else { return };
    let Some(place) = holder.class_variable_place(name) else { return };
    // SAFETY: the cell belongs to the running code, which keeps the class and its ancestors alive; removing the variable makes
    // the cell stale. Only the main Ractor, which runs here, changes class variables.
    unsafe {
        *cell = CacheCell {
            shape: places::CLASS_VARIABLE,
            epoch: (*epoch_at).load(Ordering::Acquire),
            key: holder.value().bits(),
            target: place.expose_provenance() as u64,
            epoch_at,
        };
    }
}

// ---- globals ----

handler!(getglobal(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let name = Fp(fp).code().linked().symbols[usize::from((*pc).b)];
    conclude((*ec).checked_global(name), pc, 1, fp, ec, caches)
});

handler!(setglobal(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let name = Fp(fp).code().linked().symbols[usize::from((*pc).b)];
    conclude_unit((*ec).set_checked_global(name, reg!(fp, (*pc).a)), pc, 1, fp, ec, caches)
});

handler!(aliasglobal(pc, fp, ec, caches) {
    let symbols = &Fp(fp).code().linked().symbols;
    (*ec).vm().alias_global(symbols[usize::from((*pc).b)], symbols[usize::from((*pc).c)]);
    dispatch(pc.add(1), fp, ec, caches)
});

// ---- constants: key = cref, target = value ----

handler!(getconstant(pc, fp, ec, caches) {
    let cell = caches.add(usize::from((*pc).c));
    if (*cell).shape == 1 && (*(*cell).epoch_at).load(Ordering::Relaxed) == (*cell).epoch && (*cell).key == Fp(fp).code().cref.bits() {
        reg!(fp, (*pc).a) = Value::from_bits((*cell).target);
        return dispatch(pc.add(1), fp, ec, caches);
    }
    getconstant_slow(pc, fp, ec, caches)
});

handler!(#[inline(never)] getconstant_slow(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude(constant(&mut *ec, pc, fp, caches), pc, 1, fp, ec, caches)
});

#[inline(never)]
unsafe fn constant(ec: &mut Ec, pc: *const Insn, fp: *mut Value, caches: *mut CacheCell) -> crate::Result {
    // SAFETY: the running frame; the site is a constant's.
    unsafe {
        let code = Fp(fp).code();
        let linked = code.linked().clone();
        let crate::run::link::LinkedSite::Constant(path) = &linked.sites[usize::from((*pc).c)] else {
            return Ok(Value::NIL);
        };
        // One name alone is guarded by its own epoch; of a longer path, any part may change.
        let is_alone = path.iter().filter(|n| **n != crate::model::symbol::sym::EMPTY).count() == 1;
        let vm = ec.vm();
        vm.constant_misses.fetch_add(1, Ordering::Relaxed);
        let epoch_at = if is_alone { vm.constant_epoch(path[path.len() - 1]) } else { &vm.any_constant_epoch };
        // Read first: what another Ractor defines during the lookup makes the cell stale.
        let epoch = epoch_at.load(Ordering::Acquire);
        let (value, is_cacheable) = ec.constant_path(code.cref, path)?;
        if is_cacheable {
            let cell = caches.add(usize::from((*pc).c));
            *cell = CacheCell { shape: 1, epoch, key: code.cref.bits(), target: value.bits(), epoch_at };
        }
        Ok(value)
    }
}

handler!(getconstantfrom(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let name = Fp(fp).code().linked().symbols[usize::from((*pc).c)];
    conclude((*ec).constant_from_value(reg!(fp, (*pc).b), name), pc, 1, fp, ec, caches)
});

handler!(setconstant(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let name = Fp(fp).code().linked().symbols[usize::from((*pc).c)];
    let value = reg!(fp, (*pc).a);
    let result = match (*pc).n != 0 && !(*ec).is_shareable(value) {
        true => Err((*ec).unshareable_constant(if (*pc).n == 2 { reg!(fp, (*pc).b) } else { Value::NIL }, name)),
        false => (*ec).assign_constant(reg!(fp, (*pc).b), name, value),
    };
    conclude_unit(result, pc, 1, fp, ec, caches)
});

// ---- special variables ----

handler!(getspecial(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude((*ec).special_variable(Fp(fp), (*pc).d()), pc, 1, fp, ec, caches)
});

handler!(setspecial(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    conclude_unit((*ec).set_special_variable(Fp(fp), (*pc).d(), reg!(fp, (*pc).a)), pc, 1, fp, ec, caches)
});

handler!(getnamedcapture(pc, fp, ec, caches) {
    publish_all(ec, pc.add(1), fp);
    let name = Fp(fp).code().linked().symbols[usize::from((*pc).b)];
    conclude((*ec).named_capture(Fp(fp), name), pc, 1, fp, ec, caches)
});
