//! Native data: Ruby objects whose contents are a Rust value.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::shape::was_moved;
use carat_layout::{Header, HeapType, RData, Value, pool_for};
use std::any::TypeId;
use std::marker::PhantomData;
use std::ptr::NonNull;

/// A Rust type that Ruby objects can carry.
pub trait NativeData: Sized + 'static {
    /// As `ObjectSpace` and type errors name it.
    const NAME: &'static str;

    /// Reports every [`Value`] inside. A value that is not reported may be freed.
    fn mark(&self, mark: &mut dyn FnMut(Value));

    /// Bytes owned outside the slot.
    fn memsize(&self) -> usize {
        size_of::<Self>()
    }

    /// Of these bytes, those that the collector counts besides `Self`. What changes them calls [`Data::recount`].
    fn counted(&self) -> usize {
        0
    }

    /// May be read from several Ractors once frozen.
    const IS_SHAREABLE: bool = false;

    /// Never changes, so that Ractors share it as it is.
    const IS_IMMUTABLE: bool = false;
}

/// Operations on one [`NativeData`] type. Its address is the type's identity.
pub struct DataType {
    pub name: &'static str,
    id: TypeId,
    pub(crate) mark: unsafe fn(*mut std::ffi::c_void, &mut dyn FnMut(Value)),
    pub(crate) drop: unsafe fn(*mut std::ffi::c_void),
    /// Bytes of the contents themselves.
    pub(crate) size: usize,
    pub(crate) memsize: unsafe fn(*mut std::ffi::c_void) -> usize,
    pub(crate) counted: unsafe fn(*mut std::ffi::c_void) -> usize,
    pub is_shareable: bool,
    pub(crate) is_immutable: bool,
}

struct TypeOf<T>(PhantomData<T>);

impl<T: NativeData> TypeOf<T> {
    const TYPE: &'static DataType = &DataType {
        name: T::NAME,
        id: TypeId::of::<T>(),
        // SAFETY: called with the pointer that `Data::new` leaked, on a live object.
        mark: |p, mark| unsafe { (*p.cast::<T>()).mark(mark) },
        // SAFETY: as above, once, when the object dies.
        drop: |p| drop(unsafe { Box::from_raw(p.cast::<T>()) }),
        size: size_of::<T>(),
        // SAFETY: as for `mark`.
        memsize: |p| unsafe { (*p.cast::<T>()).memsize() },
        // SAFETY: as for `mark`.
        counted: |p| unsafe { (*p.cast::<T>()).counted() },
        is_shareable: T::IS_SHAREABLE,
        is_immutable: T::IS_IMMUTABLE,
    };
}

/// No contents at all.
struct Nothing;

impl NativeData for Nothing {
    const NAME: &'static str = "nothing";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Makes a zeroed slot one of native data without contents: C code is told of an object before it has any.
///
/// # Safety
/// The slot has room for an RData, and nobody has it yet.
pub(crate) unsafe fn fill_with_nothing(slot: NonNull<Header>) {
    // SAFETY: by contract.
    unsafe { (*slot.cast::<RData>().as_ptr()).data_type = std::ptr::from_ref(TypeOf::<Nothing>::TYPE).cast() };
}

/// An object that carries a `T`.
pub struct Data<T>(Value, PhantomData<T>);

impl<T> Clone for Data<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T> Copy for Data<T> {}

impl<T: NativeData> Data<T> {
    pub fn new(ec: &Ec, class: Class, contents: T) -> Data<T> {
        let pool = pool_for(size_of::<RData>()).expect("fits a slot");
        let slot = ec.new_slot_in(HeapType::Data, pool, crate::value::object::Mold::of(class), 0);
        let bytes = size_of::<T>() + contents.counted();
        let native = Box::into_raw(Box::new(contents)).cast();
        // SAFETY: the slot is fresh and holds an RData.
        unsafe {
            let data = slot.cast::<RData>().as_ptr();
            (*data).native = native;
            (*data).data_type = std::ptr::from_ref(TypeOf::<T>::TYPE).cast();
        }
        ec.heap().mark_owning(slot);
        ec.heap().account(bytes as isize);
        // SAFETY: the slot is initialised.
        Data(unsafe { Value::from_heap(slot) }, PhantomData)
    }

    /// The object as native data of this type; `None` if it is something else, or the husk of what was moved.
    pub fn from_value(value: Value) -> Option<Data<T>> {
        if !value.is_type(HeapType::Data) || was_moved(value) {
            return None;
        }
        // SAFETY: an object of type Data is an RData. The constant may be instantiated once per crate, so
        // its address alone does not tell.
        let data_type = unsafe { &*(*value.as_ptr::<RData>()).data_type.cast::<DataType>() };
        let is_same = std::ptr::eq(data_type, TypeOf::<T>::TYPE) || data_type.id == TypeId::of::<T>();
        is_same.then_some(Data(value, PhantomData))
    }

    pub fn value(self) -> Value {
        self.0
    }

    /// Tells the collector that [`NativeData::counted`] was `before` and is something else now.
    pub fn recount(self, ec: &Ec, before: usize) {
        ec.heap().account(self.get(ec).counted() as isize - before as isize);
    }

    /// The contents. The borrow keeps Ruby code, and with it the collector, away.
    pub fn get<'a>(&self, _ec: &'a Ec) -> &'a T {
        // SAFETY: the type was checked when the handle was made; `&Ec` excludes writers and the collector.
        unsafe { &*(*self.0.as_ptr::<RData>()).native.cast::<T>() }
    }

    /// The contents for writing, for whoever has no context to borrow.
    ///
    /// # Safety
    /// Nothing else borrows them as long as the result is used.
    pub(crate) unsafe fn contents_mut<'a>(&self) -> &'a mut T {
        // SAFETY: the type was checked when the handle was made; the rest is the caller's contract.
        unsafe { &mut *(*self.0.as_ptr::<RData>()).native.cast::<T>() }
    }

    /// The contents for writing, which the collector is told of: it does not run before the borrow ends.
    pub fn get_mut<'a>(&self, ec: &'a mut Ec) -> &'a mut T {
        ec.heap().barrier_many(self.0);
        // SAFETY: as in `get`; `&mut Ec` excludes every other borrow.
        unsafe { &mut *(*self.0.as_ptr::<RData>()).native.cast::<T>() }
    }
}

impl Ec {
    /// Tells the collector that native code stored references into `object`.
    pub fn wrote(&self, object: Value) {
        self.heap().barrier(object, object);
    }
}

/// Bytes that native data owns outside its slot.
pub fn memsize_of(value: Value) -> usize {
    // SAFETY: the object is native data of this type.
    unsafe { (type_of(value).memsize)((*value.as_ptr::<RData>()).native) }
}

/// [`NativeData::NAME`] of what the object carries.
pub fn type_name(value: Value) -> &'static str {
    type_of(value).name
}

pub(crate) fn type_of(value: Value) -> &'static DataType {
    debug_assert!(value.is_type(HeapType::Data));
    // SAFETY: an object of type Data is an RData, whose type is a static.
    unsafe { &*(*value.as_ptr::<RData>()).data_type.cast::<DataType>() }
}
