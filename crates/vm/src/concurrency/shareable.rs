//! What several Ractors may refer to: objects that cannot change, and refer to such objects only.
//!
//! Once an object was found shareable its header says so, which also makes later changes of the header atomic.
//!
//! # Not here
//! Freezing of what has a `freeze` of its own: `core/ractor.rb`.

use crate::ec::Ec;
use crate::model::class::Visibility;
use crate::model::method::MethodKind;
use crate::model::shape::ROOT_MOVED;
use crate::model::symbol::sym;
use crate::value::array::Array;
use crate::value::data;
use crate::value::hash::Hash;
use crate::value::string::Str;
use carat_layout::{Header, HeapType, RData, RPair, Value, flags};
use rustc_hash::FxHashSet;
use std::ptr::NonNull;

/// The words of an empty string in its slot; those of all other husks are nil.
const NO_BYTES: u64 = 0;

/// The words behind an object's header.
///
/// # Safety
/// A live object to which nobody else refers in Rust.
unsafe fn payload<'a>(object: NonNull<Header>) -> &'a mut [u64] {
    // SAFETY: the words lie in the slot.
    unsafe {
        let bytes = object.as_ref().slot_bytes() - size_of::<Header>();
        std::slice::from_raw_parts_mut(object.add(1).cast().as_ptr(), bytes / size_of::<u64>())
    }
}

/// Whether nobody wrote to a husk, which a native method may still take for what it was.
pub(crate) fn is_untouched(object: NonNull<Header>) -> bool {
    // SAFETY: collections look at live objects while nobody writes.
    let words = unsafe { payload(object) };
    words.iter().all(|word| *word == words[0]) && [NO_BYTES, Value::NIL.bits()].contains(&words[0])
}

impl Ec {
    /// Makes an object of a shareable type one that Ractors share.
    pub fn share(&self, value: Value) {
        if let Some(header) = value.header() {
            header.set_atomically(flags::SHAREABLE);
        }
    }

    /// Leaves a husk of an object that was moved: it belongs to a class whose methods raise, and nothing takes it for what it was.
    ///
    /// A native method that was given the object before still reads it as what it was. It finds it empty and frozen; native data
    /// stays until the husk dies, as what was moved is a copy.
    pub fn become_moved(&mut self, value: Value) {
        let Some(object) = value.as_heap() else { return };
        // SAFETY: a live object.
        let header = unsafe { object.as_ref() };
        if header.is_type(HeapType::Data) {
            header.set_shape(ROOT_MOVED);
            return header.set(flags::FROZEN);
        }
        let (empty, storage) = match header.heap_type() {
            HeapType::String => (NO_BYTES, flags::STORAGE_EMBEDDED),
            HeapType::Hash | HeapType::Set => (Value::NIL.bits(), flags::HASH_NONE),
            _ => (Value::NIL.bits(), 0),
        };
        // SAFETY: nobody borrows the contents, and the header says from here on that there are none. The words lie in the slot.
        unsafe {
            crate::memory::gc::release(self, self.heap(), object);
            self.heap().set_side_block(object, std::ptr::null_mut());
            payload(object).fill(empty);
            let flags = flags::FROZEN | storage | header.bits() & (flags::OLD | flags::LOGGED);
            header.set_bits(Header::new(HeapType::Object, header.pool(), ROOT_MOVED, flags).bits());
        }
    }

    /// `Ractor.shareable?`
    pub fn is_shareable(&self, value: Value) -> bool {
        let Some(header) = value.header() else { return true };
        header.has(flags::SHAREABLE) || self.may_share(value, header) && self.find_shareable(value)
    }

    /// Whether it was found out already that an object is shareable.
    pub fn is_marked_shareable(&self, value: Value) -> bool {
        value.header().is_none_or(|h| h.has(flags::SHAREABLE))
    }

    /// Freezes an object and all that it refers to, and marks it shareable, if that is strings, arrays and hashes without fields whose
    /// `freeze` is the core's, and what is shareable already. False: it stopped at something else, or nested deeply, or again in
    /// what it came from; what it has frozen by then is to be frozen all the same.
    pub fn share_plain(&self, value: Value) -> bool {
        const DEEPEST: usize = 64;
        self.share_plain_within(value, DEEPEST)
    }

    fn share_plain_within(&self, value: Value, depth: usize) -> bool {
        if self.is_shareable(value) {
            return true;
        }
        if depth == 0 || self.is_frozen(value) || self.field_count(value) > 0 || !self.has_core_freeze(value) {
            return false;
        }
        let mut all = true;
        let mut visit = |part: Value| all = all && self.share_plain_within(part, depth - 1);
        if let Some(string) = Str::from_value(value) {
            if string.is_locked() {
                return false;
            }
            self.freeze(value);
        } else if let Some(array) = Array::from_value(value) {
            self.freeze(value);
            array.slice_of(self).iter().for_each(|part| visit(*part));
        } else if value.is_type(HeapType::Hash) {
            self.freeze(value);
            Hash::expect(value).each_reference(self, &mut visit);
        } else {
            return false;
        }
        if all {
            self.share(value);
        }
        all
    }

    fn has_core_freeze(&self, value: Value) -> bool {
        let method = self.find_method(value, sym::FREEZE).filter(|method| method.visibility == Visibility::Public);
        method
            .is_some_and(|method| matches!(method.resolved(self).kind, MethodKind::Native(def) if def.name == "freeze"))
    }

    /// Looks at everything that the object refers to, and marks all of it if it is shareable.
    #[cold]
    fn find_shareable(&self, value: Value) -> bool {
        let mut seen = FxHashSet::default();
        let mut waiting = vec![value];
        let mut is_shareable = true;
        while let Some(next) = waiting.pop() {
            let Some(header) = next.header().filter(|h| !h.has(flags::SHAREABLE)) else { continue };
            if !seen.insert(next) {
                continue;
            }
            let may_share = self.may_share(next, header);
            if !may_share || !self.each_foreign_reference(next, &mut |part| waiting.push(part)) {
                is_shareable = false;
                break;
            }
            self.each_part(next, &mut |part| waiting.push(part));
        }
        if is_shareable {
            seen.iter().filter_map(Value::header).for_each(|h| h.set_atomically(flags::SHAREABLE));
        }
        is_shareable
    }

    /// Calls `visit` with what an object of a type that [`Ec::may_share`] admits refers to, its class excepted.
    fn each_part(&self, value: Value, visit: &mut dyn FnMut(Value)) {
        let object = value.as_heap().expect("only heap objects have parts");
        match value.header().expect("as above").heap_type() {
            HeapType::Array => {
                Array::expect(value).slice_of(self).iter().for_each(|v| visit(*v));
            }
            HeapType::Hash | HeapType::Set => Hash::expect(value).each_reference(self, visit),
            HeapType::Range | HeapType::Rational | HeapType::Complex => {
                // SAFETY: objects of these types are RPairs.
                let pair = unsafe { &*value.as_ptr::<RPair>() };
                visit(pair.first);
                visit(pair.second);
            }
            // SAFETY: the object is native data of the type that it says.
            HeapType::Data => unsafe {
                (data::type_of(value).mark)((*value.as_ptr::<RData>()).native, visit);
            },
            _ => {}
        }
        self.each_field(object, visit);
    }

    /// Whether an object is native data of a type that may be shared once it is frozen.
    pub fn is_shareable_type(&self, value: Value) -> bool {
        value.is_type(HeapType::Data) && data::type_of(value).is_shareable || self.foreign_sharing(value).is_some()
    }

    /// The object itself does not stand in the way; what it refers to may.
    fn may_share(&self, value: Value, header: &Header) -> bool {
        match header.heap_type() {
            HeapType::Class | HeapType::Module | HeapType::Float | HeapType::Bignum => true,
            HeapType::MethodEntry | HeapType::Cref => true,
            HeapType::Data => {
                let data_type = data::type_of(value);
                data_type.is_immutable || data_type.is_shareable && header.has(flags::FROZEN)
            }
            HeapType::Code => true,
            HeapType::Proc | HeapType::Env | HeapType::Throw => false,
            HeapType::CData => header.has(flags::FROZEN) && self.foreign_sharing(value).is_some(),
            _ => header.has(flags::FROZEN),
        }
    }
}
