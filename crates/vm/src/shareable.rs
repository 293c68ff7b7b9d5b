//! What several Ractors may refer to: objects that cannot change, and refer to such objects only.
//!
//! Once an object was found shareable its header says so, which also makes later changes of the header atomic.
//!
//! # Not here
//! Freezing, which calls `freeze` methods: `core/ractor.rb`.

use crate::array::Array;
use crate::data;
use crate::ec::Ec;
use crate::hash::Hash;
use carat_layout::{Header, HeapType, RData, RPair, Value, flags};
use rustc_hash::FxHashSet;

impl Ec {
    /// Makes an object of a shareable type one that Ractors share.
    pub fn share(&self, value: Value) {
        if let Some(header) = value.header() {
            header.set_atomically(flags::SHAREABLE);
        }
    }

    /// Leaves a husk of an object that was moved: it owns nothing, and belongs to a class whose methods raise.
    pub fn become_moved(&mut self, value: Value) {
        let Some(object) = value.as_heap() else { return };
        let shape = self.vm().known().ractor_moved_object.root_shape();
        // SAFETY: nobody borrows the contents, and the header says from here on that there are none.
        unsafe {
            crate::gc::release(self, self.heap(), object);
            self.heap().set_side_block(object, std::ptr::null_mut());
            let header = object.as_ref();
            header.set_bits(Header::new(HeapType::Object, header.pool(), shape, 0).bits());
        }
    }

    /// `Ractor.shareable?`
    pub fn is_shareable(&self, value: Value) -> bool {
        let Some(header) = value.header() else { return true };
        header.has(flags::SHAREABLE) || may_share(value, header) && self.find_shareable(value)
    }

    /// Whether it was found out already that an object is shareable.
    pub fn is_marked_shareable(&self, value: Value) -> bool {
        value.header().is_none_or(|h| h.has(flags::SHAREABLE))
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
            if !may_share(next, header) {
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

    /// Calls `visit` with what an object of a type that [`may_share`] admits refers to, its class excepted.
    fn each_part(&self, value: Value, visit: &mut dyn FnMut(Value)) {
        let object = value.as_heap().expect("only heap objects have parts");
        match value.header().expect("as above").heap_type() {
            HeapType::Array => {
                Array::from_value_unchecked(value).slice_of(self).iter().for_each(|v| visit(*v));
            }
            HeapType::Hash | HeapType::Set => Hash::from_value_unchecked(value).each_reference(self, visit),
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
        value.is_type(HeapType::Data) && data::type_of(value).is_shareable
    }
}

/// The object itself does not stand in the way; what it refers to may.
fn may_share(value: Value, header: &Header) -> bool {
    match header.heap_type() {
        HeapType::Class | HeapType::Module | HeapType::Float | HeapType::Bignum => true,
        HeapType::MethodEntry | HeapType::Cref => true,
        HeapType::Data => {
            let data_type = data::type_of(value);
            data_type.is_immutable || data_type.is_shareable && header.has(flags::FROZEN)
        }
        HeapType::Code => true,
        HeapType::Proc | HeapType::Env | HeapType::Throw => false,
        _ => header.has(flags::FROZEN),
    }
}
