//! What `ObjectSpace` calls the types of objects.

use carat_vm::{Data, HeapType, Value};

/// The type without CRuby's `T_`; streams are files, and what the implementation keeps for itself is `IMEMO`.
pub(super) fn type_name(object: Value) -> &'static str {
    match object.header().map_or(HeapType::Free, |h| h.heap_type()) {
        HeapType::Object => "OBJECT",
        HeapType::Class => "CLASS",
        HeapType::Module => "MODULE",
        HeapType::Float => "FLOAT",
        HeapType::String => "STRING",
        HeapType::Regexp => "REGEXP",
        HeapType::Array => "ARRAY",
        HeapType::Hash => "HASH",
        HeapType::Set => "DATA",
        HeapType::Struct | HeapType::Range => "STRUCT",
        HeapType::Bignum => "BIGNUM",
        HeapType::Data => match carat_vm::data::type_name(object) {
            "IO" => "FILE",
            "Regexp" => "REGEXP",
            "MatchData" => "MATCH",
            _ => "DATA",
        },
        HeapType::Proc | HeapType::CData => "DATA",
        HeapType::Match => "MATCH",
        HeapType::Complex => "COMPLEX",
        HeapType::Rational => "RATIONAL",
        HeapType::IClass => "ICLASS",
        HeapType::Free => "NONE",
        HeapType::Env | HeapType::MethodEntry | HeapType::Code | HeapType::Cref | HeapType::Throw => "IMEMO",
    }
}

/// Whether two objects have one heap type, which alone decides about [`type_name`].
pub(super) fn are_plainly_of_one_type(one: Value, other: Value) -> bool {
    let kind = |object: Value| object.header().map(|h| h.heap_type());
    kind(one) == kind(other) && kind(other) != Some(HeapType::Data)
}

/// As the keys of `count_objects` have it.
pub(super) fn long_type_name(object: Value) -> String {
    long_name(type_name(object))
}

/// The same for a name that [`type_name`] gave.
pub(super) fn long_name(name: &str) -> String {
    match name {
        "NONE" => "FREE".into(),
        name => format!("T_{name}"),
    }
}

/// Which of the implementation's own objects this is.
pub(super) fn imemo_name(object: Value) -> Option<&'static str> {
    Some(match object.header()?.heap_type() {
        HeapType::Env => "env",
        HeapType::MethodEntry => "ment",
        HeapType::Code => "iseq",
        HeapType::Cref => "cref",
        HeapType::Throw => "throw_data",
        _ => return None,
    })
}

/// Name of the native data that the object carries.
pub(super) fn struct_name(object: Value) -> Option<&'static str> {
    match object.header()?.heap_type() {
        HeapType::Proc => Some("proc"),
        HeapType::Set => Some("set"),
        HeapType::Data if type_name(object) == "DATA" => Some(carat_vm::data::type_name(object)),
        _ => None,
    }
}

/// Programs may not meet it: `reachable_objects_from` wraps it.
pub(super) fn is_internal(object: Value) -> bool {
    imemo_name(object).is_some()
        || Data::<carat_vm::backtrace::Backtrace>::from_value(object).is_some()
        || object.header().is_some_and(|h| matches!(h.heap_type(), HeapType::Free | HeapType::IClass))
}
