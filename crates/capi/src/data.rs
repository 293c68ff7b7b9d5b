//! C structs inside Ruby objects: `Data_Wrap_Struct` and `TypedData_Wrap_Struct`.
//!
//! # Collection
//! `mark` runs in the middle of a collection: C code calls `rb_gc_mark` and the like, which report to the sink that is noted
//! for the thread. It may look at objects, and iterate over hashes; nothing is collected meanwhile. `free` runs when a dead object is swept; types that do not say `FREE_IMMEDIATELY` may call Ruby when they
//! are freed, so theirs wait until the collection has ended.

use crate::boundary::{CValue, Function, call_c, class, during_collection};
use carat_layout::{Header, RCData};
use carat_vm::foreign::CData;
use carat_vm::{Class, Ec, HeapType, Result, Value};
use std::cell::Cell;
use std::ffi::{CStr, c_char, c_void};
use std::ptr::NonNull;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};

/// `rb_data_type_t`.
#[repr(C)]
pub(crate) struct DataType {
    name: *const c_char,
    /// A function, or what `DECL_MARKING` says.
    mark: *const c_void,
    free: *const c_void,
    size: Option<unsafe extern "C" fn(*const c_void) -> usize>,
    compact: *const c_void,
    reserved: *const c_void,
    parent: *const DataType,
    data: *const c_void,
    flags: u64,
}

// SAFETY: nobody changes a type.
unsafe impl Sync for DataType {}

impl DataType {
    /// A type of ours, whose structs lie in their objects' slots; the list says where values are in them, and ends with
    /// `usize::MAX`.
    pub(crate) const fn in_slot(name: &'static CStr, offsets: &'static [usize]) -> DataType {
        assert!(offsets[offsets.len() - 1] == usize::MAX);
        DataType {
            name: name.as_ptr(),
            mark: offsets.as_ptr().cast(),
            free: std::ptr::null(),
            size: None,
            compact: std::ptr::null(),
            reserved: std::ptr::null(),
            parent: std::ptr::null(),
            data: std::ptr::null(),
            flags: FREE_IMMEDIATELY | WB_PROTECTED | DECL_MARKING,
        }
    }
}

const FREE_IMMEDIATELY: u64 = 1;
const FROZEN_SHAREABLE: u64 = 4;
const WB_PROTECTED: u64 = 8;
const DECL_MARKING: u64 = 16;
const FROZEN_SHAREABLE_ALONE: u64 = 32;
/// `RUBY_DEFAULT_FREE`
const DEFAULT_FREE: usize = usize::MAX;

type Sink<'a> = &'a mut dyn FnMut(u64);

thread_local! {
    /// Where `rb_gc_mark` reports to while a `mark` function runs.
    static SINK: Cell<Option<NonNull<Sink<'static>>>> = const { Cell::new(None) };
}

/// Structs whose objects are dead, and the functions that free them.
static ARE_WAITING: AtomicBool = AtomicBool::new(false);
static WAITING: Mutex<Vec<(usize, usize)>> = Mutex::new(Vec::new());

/// # Safety
/// The object wraps a C struct.
unsafe fn parts<'a>(object: NonNull<Header>) -> (&'a RCData, Option<&'a DataType>) {
    // SAFETY: by contract; typed data says which type in the place of `dmark`.
    unsafe {
        let data = object.cast::<RCData>().as_ref();
        let kind = (data.free_or_flag == RCData::TYPED).then(|| &*data.mark_or_type.cast::<DataType>());
        (data, kind)
    }
}

/// Has the struct's `mark` report what it refers to.
pub(crate) fn mark(ec: &Ec, object: NonNull<Header>, sink: &mut dyn FnMut(u64)) {
    // SAFETY: the VM passes live objects that wrap C structs.
    let (data, kind) = unsafe { parts(object) };
    if data.data.is_null() {
        return;
    }
    if let Some(kind) = kind
        && kind.flags & DECL_MARKING != 0
    {
        return mark_edges(data.data, kind, sink);
    }
    let word = kind.map_or(data.mark_or_type, |kind| kind.mark);
    // SAFETY: the word is null or a function.
    let function = unsafe { std::mem::transmute::<*const c_void, Option<unsafe extern "C" fn(*mut c_void)>>(word) };
    let Some(function) = function else { return };
    let mut sink: Sink<'_> = sink;
    let place = NonNull::from(&mut sink).cast();
    let before = SINK.replace(Some(place));
    // SAFETY: C code registered the function for this struct.
    during_collection(ec, || unsafe { function(data.data) });
    SINK.set(before);
}

/// The offsets of a struct's references, up to one that is no offset.
fn mark_edges(data: *mut c_void, kind: &DataType, sink: &mut dyn FnMut(u64)) {
    if kind.mark.is_null() {
        return;
    }
    let mut offset = kind.mark.cast::<usize>();
    // SAFETY: C code promises a list of offsets inside the struct that ends with SIZE_MAX.
    unsafe {
        while *offset != usize::MAX {
            sink(*data.byte_add(*offset).cast::<u64>());
            offset = offset.add(1);
        }
    }
}

/// Reports a word to the collection in progress.
pub(crate) fn report(word: u64) {
    if let Some(sink) = SINK.get() {
        // SAFETY: the sink is borrowed for as long as the `mark` function that calls this runs.
        unsafe { (*sink.as_ptr())(word) };
    }
}

/// Whether a `mark` function runs.
pub(crate) fn is_marking() -> bool {
    SINK.get().is_some()
}

/// Frees the struct of a dead object, now or when the collection has ended.
pub(crate) fn free(ec: &Ec, object: NonNull<Header>) {
    // SAFETY: the VM passes an object that dies and wraps a C struct.
    let (data, kind) = unsafe { parts(object) };
    let function = kind.map_or(data.free_or_flag, |kind| kind.free.addr());
    if data.data.is_null() || function == 0 {
        return;
    }
    if function == DEFAULT_FREE {
        // SAFETY: the struct came from `xmalloc`, as this choice says.
        return unsafe { libc::free(data.data) };
    }
    if kind.is_some_and(|kind| kind.flags & FREE_IMMEDIATELY != 0) {
        // SAFETY: the type has a function for it, which does not call Ruby.
        let function = unsafe { std::mem::transmute::<usize, unsafe extern "C" fn(*mut c_void)>(function) };
        // SAFETY: as above.
        return during_collection(ec, || unsafe { function(data.data) });
    }
    WAITING.lock().unwrap_or_else(|e| e.into_inner()).push((function, data.data.expose_provenance()));
    ARE_WAITING.store(true, Ordering::Relaxed);
}

/// Frees what waits. What a function raises is nobody's business.
pub(crate) fn free_waiting(ec: &mut Ec) {
    if !ARE_WAITING.swap(false, Ordering::Relaxed) {
        return;
    }
    loop {
        let next = WAITING.lock().unwrap_or_else(|e| e.into_inner()).pop();
        let Some((function, data)) = next else { return };
        let (pending, errinfo) = (ec.pending(), ec.errinfo());
        let _ = call_c(ec, Function(std::ptr::with_exposed_provenance(function)), &[data as u64]);
        let _ = ec.unwind(pending);
        ec.set_errinfo(errinfo);
    }
}

/// Whether Ractors may share an object of this type once it is frozen, and then whether what it refers to must be shareable.
pub(crate) fn sharing(object: NonNull<Header>) -> Option<bool> {
    // SAFETY: the VM passes live objects that wrap C structs.
    let flags = unsafe { parts(object) }.1?.flags;
    (flags & (FROZEN_SHAREABLE | FROZEN_SHAREABLE_ALONE) != 0).then_some(flags & FROZEN_SHAREABLE != 0)
}

pub(crate) fn memsize(object: NonNull<Header>) -> usize {
    // SAFETY: the VM passes live objects that wrap C structs.
    let (data, kind) = unsafe { parts(object) };
    match kind.and_then(|kind| kind.size) {
        // SAFETY: the type has a function for it.
        Some(size) if !data.data.is_null() => unsafe { size(data.data) },
        _ => 0,
    }
}

/// A class that C passes: 0 makes an object that Ruby code never sees.
fn optional_class(ec: &mut Ec, value: CValue) -> Result<Option<Class>> {
    if value.word() == 0 {
        return Ok(None);
    }
    let class = class(ec, value.value())?;
    if class == ec.vm().known().object {
        return Ok(Some(class));
    }
    Ok(Some(class))
}

fn zeroed(ec: &mut Ec, size: usize) -> Result<*mut c_void> {
    // SAFETY: any size may be asked for.
    let memory = unsafe { libc::calloc(1, size.max(1)) };
    if memory.is_null() { Err(ec.no_memory()) } else { Ok(memory) }
}

fn wrap(ec: &mut Ec, class: CValue, data: *mut c_void, mark: *const c_void, free: usize) -> Result {
    ec.collect_if_due();
    let class = optional_class(ec, class)?;
    Ok(CData::new(ec, class, mark, free, data, false).value())
}

fn wrap_typed(ec: &mut Ec, class: CValue, data: *mut c_void, kind: *const DataType) -> Result {
    ec.collect_if_due();
    let class = optional_class(ec, class)?;
    // SAFETY: C passes a type that lives as long as the program.
    let has_barriers = unsafe { (*kind).flags } & WB_PROTECTED != 0;
    Ok(CData::new(ec, class, kind.cast(), RCData::TYPED, data, has_barriers).value())
}

fn type_of(object: CData) -> Option<*const DataType> {
    // SAFETY: the object is an RCData.
    unsafe {
        let raw = object.raw();
        ((*raw).free_or_flag == RCData::TYPED).then(|| (*raw).mark_or_type.cast())
    }
}

fn inherits(mut kind: *const DataType, wanted: *const DataType) -> bool {
    while !kind.is_null() {
        if kind == wanted {
            return true;
        }
        // SAFETY: types and their parents live as long as the program.
        kind = unsafe { (*kind).parent };
    }
    false
}

fn type_name(kind: *const DataType) -> String {
    // SAFETY: types live as long as the program, and have a name.
    unsafe {
        if (*kind).name.is_null() { "?".into() } else { CStr::from_ptr((*kind).name).to_string_lossy().into_owned() }
    }
}

api! {
    fn rb_data_object_wrap(ec, class: CValue, data: *mut c_void, mark: *const c_void, free: *const c_void) -> Result {
        wrap(ec, class, data, mark, free.expose_provenance())
    }

    fn rb_data_object_zalloc(ec, class: CValue, size: usize, mark: *const c_void, free: *const c_void) -> Result {
        let data = zeroed(ec, size)?;
        wrap(ec, class, data, mark, free.expose_provenance())
    }

    fn rb_data_typed_object_wrap(ec, class: CValue, data: *mut c_void, kind: *const DataType) -> Result {
        wrap_typed(ec, class, data, kind)
    }

    fn rb_data_typed_object_zalloc(ec, class: CValue, size: usize, kind: *const DataType) -> Result {
        let data = zeroed(ec, size)?;
        wrap_typed(ec, class, data, kind)
    }

    fn rb_typeddata_inherited_p(_ec, kind: *const DataType, wanted: *const DataType) -> bool {
        inherits(kind, wanted)
    }

    fn rb_typeddata_is_kind_of(_ec, value: Value, wanted: *const DataType) -> bool {
        CData::from_value(value).and_then(type_of).is_some_and(|kind| inherits(kind, wanted))
    }

    fn rb_typeddata_is_instance_of(_ec, value: Value, wanted: *const DataType) -> bool {
        CData::from_value(value).and_then(type_of) == Some(wanted)
    }

    fn rb_check_typeddata(ec, value: Value, wanted: *const DataType) -> Result<*mut c_void> {
        let data = CData::from_value(value);
        if let Some(data) = data
            && let Some(kind) = type_of(data)
        {
            if inherits(kind, wanted) {
                // SAFETY: the object is an RCData.
                return Ok(unsafe { (*data.raw()).data });
            }
            let message = format!("wrong argument type {} (expected {})", type_name(kind), type_name(wanted));
            return Err(ec.type_error(&message));
        }
        let shown = ec.describe_for_type_error(value);
        Err(ec.type_error(&format!("wrong argument type {shown} (expected {})", type_name(wanted))))
    }
}

/// Whether a value wraps a C struct.
pub(crate) fn is_cdata(value: Value) -> bool {
    value.is_type(HeapType::CData)
}
