//! `Struct` and `Data`: objects whose first fields have fixed places; the methods are in `core/struct.rb` and `core/data.rb`.
//!
//! # Layout
//! Field i of an instance is member i, under the member's own name: names without `@` are invisible as instance variables.
//! So accessors are plain attribute methods, which inline caches serve. Members and the shape of a new instance lie in
//! hidden fields of the class.

use crate::collection::generic::{hash_mix, hash_of, same_or_equal};
use crate::text::text_builder::TextBuilder;
use carat_text::symbol::{NameKind, name_kind};
use carat_text::text::Text;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::method::{MethodKind, OptimizedKind};
use carat_vm::{
    Array, Class, Ec, EncodingIndex, Hash, HeapType, Name, Result, ShapeId, SymbolId, Value, Visibility, methods,
    primitives, sym,
};

methods! {
    METHODS {
        "==" => equal;
        "eql?" => eql;
        "hash" => hash;
    }
}

methods! {
    STRUCT_METHODS {
        "to_a" => to_a;
        "values" => to_a;
        "deconstruct" => to_a;
    }
}

primitives! {
    PRIMITIVES {
        "struct_new_class" => new_class;
        "data_new_class" => new_class;
        "struct_setup" => setup;
        "struct_members" => members;
        "struct_keyword_init" => keyword_init;
        "struct_define_new" => define_new;
        "struct_define_accessor" => define_accessor;
        "struct_define_reader" => define_reader;
        "data_fill" => data_fill;
        "data_with" => data_with;
        "struct_get" => get;
        "struct_ref" => reference;
        "struct_find" => find;
        "struct_to_h" => to_h;
        "struct_pairs" => pairs;
        "struct_copy" => copy;
        "struct_set" => set;
        "struct_fields_text" => fields_text;
        "constant_name?" => is_constant_name;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Core("Struct", "size"), Leaf::of(size)),
    (LeafOf::Core("Struct", "[]"), Leaf::new(found_reference)),
    (LeafOf::Core("Struct", "dig"), Leaf::new(found_reference)),
    (LeafOf::Method(STRUCT_METHODS, "to_a"), Leaf::of(to_a)),
    (LeafOf::Method(STRUCT_METHODS, "deconstruct"), Leaf::of(to_a)),
    (
        LeafOf::Primitive("struct_members"),
        Leaf::new(|ec: &mut Ec, class: Value| Some(members(ec, Class::from_value(class)?))),
    ),
    (
        LeafOf::Primitive("struct_ref"),
        Leaf::new(|ec: &mut Ec, object: Value, name: Value| Some(reference(ec, object, name))),
    ),
    (LeafOf::Primitive("struct_get"), Leaf::new(|ec: &mut Ec, object: Value, index: i64| Some(get(ec, object, index)))),
];

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.struct_class.set_allocator(None);
    known.data.set_allocator(None);
    for class in [known.struct_class, known.data] {
        class.define_methods(ec, METHODS);
    }
    known.struct_class.define_methods(ec, STRUCT_METHODS);
}

// ---- comparing ----

fn size_of_object(ec: &Ec, object: Value) -> usize {
    ec.class_of(object).real().members(ec).map_or(0, |members| members.len(ec))
}

fn size(ec: &mut Ec, this: Value) -> usize {
    size_of_object(ec, this)
}

/// The member of that name or at that index, if there is one.
fn found_reference(ec: &mut Ec, this: Value, name: Value) -> Option<Value> {
    Some(reference(ec, this, name)).filter(|value| !value.is_undef())
}

fn equal(ec: &mut Ec, this: Value, other: Value) -> Result<bool> {
    all_same(ec, this, other, sym::EQ, same_or_equal)
}

fn eql(ec: &mut Ec, this: Value, other: Value) -> Result<bool> {
    all_same(ec, this, other, sym::EQL, Ec::eql)
}

/// Whether two objects are of one class and `is_same` for each pair of members; what is being compared already is.
fn all_same(
    ec: &mut Ec,
    this: Value,
    other: Value,
    key: SymbolId,
    is_same: fn(&mut Ec, Value, Value) -> Result<bool>,
) -> Result<bool> {
    if this == other {
        return Ok(true);
    }
    if ec.class_of(this).real() != ec.class_of(other).real() {
        return Ok(false);
    }
    ec.check_native_stack()?;
    let answer = ec.guarded(key, this, other, |ec| {
        for index in 0..size_of_object(ec, this) {
            let (a, b) = (member_at(ec, this, index), member_at(ec, other, index));
            if !is_same(ec, a, b)? {
                return Ok(false);
            }
        }
        Ok(true)
    })?;
    Ok(answer.unwrap_or(true))
}

/// The class counts, and the members in order.
fn hash(ec: &mut Ec, this: Value) -> Result<i64> {
    ec.check_native_stack()?;
    let class = ec.class_of(this).real().value();
    let mut hash = hash_of(ec, class)?;
    if let Some(hash) = hash_of_plain_members(ec, this, hash) {
        return Ok(hash);
    }
    for index in 0..size_of_object(ec, this) {
        let value = member_at(ec, this, index);
        let next = hash_of(ec, value)?;
        hash = hash_mix(ec, hash, next);
    }
    Ok(hash)
}

/// The hash, beginning with that of the class, if no member runs Ruby code.
fn hash_of_plain_members(ec: &Ec, this: Value, class: i64) -> Option<i64> {
    (0..size_of_object(ec, this))
        .try_fold(class, |hash, index| Some(carat_vm::hash_mix(hash, ec.plain_part_hash(member_at(ec, this, index))?)))
}

fn to_a(ec: &mut Ec, this: Value) -> Array {
    let (size, fields) = (size_of_object(ec, this), fields_of(ec, this));
    let value = |index| if index < fields { ec.field_at(this, index) } else { Value::NIL };
    Array::collect(ec, size, (0..size).map(value))
}

fn new_class(ec: &mut Ec, superclass: Class) -> Result<Class> {
    let class = superclass.inherit(ec)?;
    class.set_allocator(Some(allocate));
    ec.call(superclass.value(), sym::INHERITED, &[class.value()])?;
    Ok(class)
}

fn setup(ec: &mut Ec, class: Class, members: Array, keyword_init: Value) -> Class {
    ec.set_field(class.value(), sym::MEMBERS_IVAR, members.value());
    ec.set_field(class.value(), sym::KEYWORD_INIT_IVAR, keyword_init);
    class
}

/// `new`, which needs no method of its own while structs are made of values in order.
fn define_new(ec: &mut Ec, class: Class) -> Result<()> {
    let kind = match class.is_or_inherits(ec.vm().known().data) {
        true => OptimizedKind::NewData,
        false if keyword_init(ec, class).truthy() => OptimizedKind::New,
        false => OptimizedKind::NewStruct,
    };
    let singleton = ec.singleton_class_of(class.value()).expect("classes have singleton classes");
    singleton.define_method(ec, sym::NEW, MethodKind::Optimized(kind), Visibility::Public, Value::NIL)
}

fn members(ec: &mut Ec, class: Class) -> Value {
    class.members(ec).map_or(Value::NIL, Array::value)
}

/// The members of a class of structs; `None` if it is none.
pub(crate) fn members_of(ec: &Ec, class: Class) -> Option<Array> {
    class.members(ec)
}

/// Member number `index`, nil if there is no such.
pub(crate) fn member_at(ec: &Ec, object: Value, index: usize) -> Value {
    place(ec, object, index as i64).map_or(Value::NIL, |i| ec.field_at(object, i))
}

/// Sets member number `index`, whether or not the object is frozen.
pub(crate) fn set_member(ec: &mut Ec, object: Value, index: usize, value: Value) {
    set(ec, object, index as i64, value);
}

fn keyword_init(ec: &mut Ec, class: Class) -> Value {
    class.inherited_field(ec, sym::KEYWORD_INIT_IVAR)
}

/// The name under which a member's field is stored.
fn field_name(ec: &Ec, member: SymbolId) -> SymbolId {
    let name = ec.vm().symbol_name(member);
    if !name.bytes.starts_with(b"@") {
        return member;
    }
    let mut hidden = b".".to_vec();
    hidden.extend_from_slice(name.bytes);
    ec.vm().intern_bytes(&hidden, name.encoding)
}

fn allocate(ec: &mut Ec, class: Class) -> Result {
    let Some(members) = class.members(ec) else { return Ok(ec.new_struct(class, class.root_shape(), 0)) };
    let shape = instance_shape(ec, class, members);
    Ok(ec.new_struct(class, shape, members.len(ec)))
}

/// The shape that has all members.
fn instance_shape(ec: &Ec, class: Class, members: Array) -> ShapeId {
    class.member_shape(|root| {
        let names = (0..members.len(ec)).filter_map(|i| members.at(ec, i).as_symbol());
        names.fold(root, |shape, member| ec.vm().shapes.transition(shape, field_name(ec, member)))
    })
}

fn define_reader(ec: &mut Ec, class: Class, member: Name, _index: Value) -> Result<()> {
    let field = field_name(ec, member.0);
    class.define_method(ec, member.0, MethodKind::AttrReader(field), Visibility::Public, Value::NIL)
}

fn define_accessor(ec: &mut Ec, class: Class, member: Name, index: Value) -> Result<()> {
    define_reader(ec, class, member, index)?;
    let name = ec.vm().symbol_name(member.0);
    let mut setter = name.bytes.to_vec();
    setter.push(b'=');
    let setter = ec.vm().intern_bytes(&setter, name.encoding);
    let field = field_name(ec, member.0);
    class.define_method(ec, setter, MethodKind::AttrWriter(field), Visibility::Public, Value::NIL)
}

/// How many fields the object has.
fn fields_of(ec: &Ec, object: Value) -> usize {
    let header = object.header().filter(|h| h.is_type(HeapType::Struct));
    header.map_or(0, |header| ec.vm().shapes.get(header.shape()).count() as usize)
}

/// Whether the object has a field of this number.
fn place(ec: &Ec, object: Value, index: i64) -> Option<usize> {
    usize::try_from(index).ok().filter(|i| *i < fields_of(ec, object))
}

fn get(ec: &mut Ec, object: Value, index: i64) -> Value {
    place(ec, object, index).map_or(Value::NIL, |i| ec.field_at(object, i))
}

/// The field that a symbol names or an integer counts; undef for other names, and where there is none.
fn reference(ec: &mut Ec, object: Value, name: Value) -> Value {
    let place = index_of(ec, object, name).and_then(|index| place(ec, object, index));
    place.map_or(Value::UNDEF, |place| ec.field_at(object, place))
}

/// The number of a field by a Symbol or an Integer.
fn index_of(ec: &Ec, object: Value, name: Value) -> Option<i64> {
    let members = ec.class_of(object).real().members(ec)?;
    let size = members.len(ec) as i64;
    match name.as_fixnum() {
        Some(index) => Some(if index < 0 { index + size } else { index }).filter(|index| (0..size).contains(index)),
        None => members.slice_of(ec).iter().position(|member| *member == name).map(|index| index as i64),
    }
}

/// `Primitive.struct_find`: the number of a field by a Symbol or an Integer; undef when there is none.
fn find(ec: &mut Ec, object: Value, name: Value) -> Value {
    index_of(ec, object, name).map_or(Value::UNDEF, |index| ec.int(index))
}

/// `Primitive.struct_to_h`: names and values.
fn to_h(ec: &mut Ec, object: Value, members: Array) -> Hash {
    let hash = Hash::with_capacity(ec, members.len(ec));
    let mut index = 0;
    while let Some(name) = members.get(ec, index).and_then(Value::as_symbol) {
        hash.set_symbol(ec, name, member_at(ec, object, index));
        index += 1;
    }
    hash
}

/// `Primitive.struct_fields_text`: "name=value, ..." for `inspect`; a name that could not be called is inspected. Nil if the object
/// is being shown already.
fn fields_text(ec: &mut Ec, object: Value) -> Result {
    ec.check_native_stack()?;
    let mut text = TextBuilder::new(EncodingIndex::UTF_8);
    let visited = ec.guarded(sym::INSPECT, object, Value::NIL, |ec| push_fields(ec, object, &mut text))?;
    Ok(if visited.is_some() { text.finish(ec)?.value() } else { Value::NIL })
}

fn push_fields(ec: &mut Ec, object: Value, text: &mut TextBuilder) -> Result<()> {
    let Some(members) = ec.class_of(object).real().members(ec) else { return Ok(()) };
    let mut index = 0;
    while let Some(member) = members.get(ec, index).and_then(Value::as_symbol) {
        ec.check_ints()?;
        if index > 0 {
            text.push_ascii(b", ");
        }
        if matches!(kind_of_name(ec, member), Some(NameKind::Local | NameKind::Constant)) {
            let name = ec.vm().symbol_name(member);
            text.push_name(ec, Text::of(name.bytes, name.encoding), false)?;
        } else {
            text.push_inspected(ec, Value::symbol(member), false)?;
        }
        text.push_ascii(b"=");
        let value = member_at(ec, object, index);
        text.push_inspected(ec, value, false)?;
        index += 1;
    }
    Ok(())
}

/// `Primitive.struct_pairs`: the fields that symbols name, up to the first that does not exist; undef where something else is among
/// the names.
fn pairs(ec: &mut Ec, object: Value, names: Array) -> Value {
    let is_plain = names.slice_of(ec).iter().all(|name| name.as_symbol().is_some());
    let Some(members) = ec.class_of(object).real().members(ec).filter(|_| is_plain) else { return Value::UNDEF };
    let (len, fields) = (names.len(ec), fields_of(ec, object));
    if len > members.len(ec) {
        return Hash::new(ec).value();
    }
    let hash = Hash::with_capacity(ec, len);
    for at in 0..len {
        let name = names.at(ec, at);
        let found = members.slice_of(ec).iter().position(|member| *member == name);
        let (Some(index), Some(symbol)) = (found, name.as_symbol()) else { break };
        let value = if index < fields { ec.field_at(object, index) } else { Value::NIL };
        hash.set_symbol(ec, symbol, value);
    }
    hash.value()
}

fn copy(ec: &mut Ec, object: Value, other: Value) -> Value {
    for index in 0..size_of_object(ec, object) {
        set_member(ec, object, index, member_at(ec, other, index));
    }
    object
}

fn set(ec: &mut Ec, object: Value, index: i64, value: Value) -> Value {
    if let Some(index) = place(ec, object, index) {
        ec.set_field_at(object, index, value);
    }
    value
}

/// Whether the keywords were all that `Data#initialize` has to store; it finds what is wrong with them otherwise.
fn data_fill(ec: &mut Ec, object: Value, fields: Hash) -> bool {
    ec.fill_data(object, fields)
}

/// `Primitive.data_with`: a copy with some fields replaced; undef where `initialize` is to be called.
fn data_with(ec: &mut Ec, object: Value, fields: Hash) -> Result {
    Ok(ec.data_with(object, fields)?.unwrap_or(Value::UNDEF))
}

fn kind_of_name(ec: &Ec, name: SymbolId) -> Option<NameKind> {
    let name = ec.vm().symbol_name(name);
    name_kind(Text::of(name.bytes, name.encoding))
}

fn is_constant_name(ec: &mut Ec, name: Name) -> bool {
    kind_of_name(ec, name.0) == Some(NameKind::Constant)
}
