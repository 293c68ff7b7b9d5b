//! Structs.

use crate::boundary::{CValue, Id, Room, class, values};
use carat_vm::{Array, Ec, HeapType, Result, Value, sym};

/// A new class of `Struct`, or of the class given, with members in a list of symbols.
fn define(ec: &mut Ec, above: Value, members: &[Value]) -> Result {
    ec.call(above, sym::NEW, members)
}

/// How many members instances of a class have.
fn size_of(ec: &mut Ec, class: Value) -> Result<i64> {
    let class = crate::boundary::class(ec, class)?;
    match class.members(ec) {
        Some(members) => Ok(members.len(ec) as i64),
        None => Err(ec.type_error("uninitialized struct")),
    }
}

/// The number of a member that C code names or counts; `None` for one that is not there, and for what is no struct. What the
/// class makes of `[]` does not matter.
fn place(ec: &Ec, value: Value, index: Value) -> Option<usize> {
    if !value.is_type(HeapType::Struct) {
        return None;
    }
    let class = ec.class_of(value).real();
    match index.as_fixnum() {
        Some(number) => {
            let size = class.member_count(ec)? as i64;
            let number = if number < 0 { number + size } else { number };
            (0..size).contains(&number).then_some(number as usize)
        }
        None => class.members(ec)?.slice_of(ec).iter().position(|member| *member == index),
    }
}

/// A member, or what `[]` says of one that is not there.
fn member(ec: &mut Ec, value: Value, index: Value) -> Result {
    match place(ec, value, index) {
        Some(place) => Ok(ec.field_at(value, place)),
        None => ec.call(value, sym::AREF, &[index]),
    }
}

api! {
    /// `rb_struct_define`, the members in a list; without a name the class is anonymous.
    fn carat_struct_define(ec, scope: CValue, name: CValue, above: CValue, count: i64, members: *const CValue) -> Result {
        let mut room = Room::new();
        let members = values(count, members, &mut room);
        let known = ec.vm().known();
        let base = if above.word() == 0 { known.struct_class.value() } else { above.value() };
        let made = define(ec, base, members)?;
        if name.word() == 0 {
            return Ok(made);
        }
        let scope = if scope.word() == 0 { known.struct_class.value() } else { scope.value() };
        let name = ec.to_name(name.value())?;
        let scope_class = class(ec, scope)?;
        if !ec.vm().symbol_name(name).bytes.first().is_some_and(u8::is_ascii_uppercase) {
            let text = ec.vm().symbol_text(name);
            return Err(ec.name_error(&format!("identifier {text} needs to be constant"), scope, name));
        }
        if scope_class.own_constant(name).is_some() {
            let text = ec.vm().symbol_text(name);
            ec.warn(&format!("redefining constant {}::{text}", scope_class.to_text(ec)))?;
            ec.call(scope, name!(ec, "remove_const"), &[Value::symbol(name)])?;
        }
        ec.assign_constant(scope, name, made)?;
        Ok(ec.vm().keep(made))
    }

    fn carat_data_define(ec, above: CValue, count: i64, members: *const CValue) -> Result {
        let mut room = Room::new();
        let members = values(count, members, &mut room);
        let base = if above.word() == 0 { ec.vm().known().data.value() } else { above.value() };
        if carat_vm::Class::from_value(base).is_none() {
            return Err(ec.wrong_type(base, "Class"));
        }
        ec.call(base, name!(ec, "define"), members)
    }

    /// `rb_struct_new`, the values in a list.
    fn carat_struct_new(ec, class: Value, count: i64, list: *const CValue) -> Result {
        ec.call(class, sym::NEW, values(count, list, &mut Room::new()))
    }

    fn carat_struct_size_of(ec, class: Value) -> Result<i64> {
        size_of(ec, class)
    }

    fn rb_struct_alloc(ec, class: Value, values: Value) -> Result {
        let list = ec.to_ary(values)?;
        ec.call_with_shared_array(class, sym::NEW, list, carat_vm::call::Passing::default())
    }

    fn rb_struct_alloc_noinit(ec, value: Value) -> Result {
        let class = class(ec, value)?;
        ec.collect_if_due();
        ec.allocate(class)
    }

    fn rb_struct_initialize(ec, value: Value, values: Value) -> Result {
        let list = ec.to_ary(values)?;
        if ec.is_a(value, ec.vm().known().data) {
            return initialize_data(ec, value, list);
        }
        ec.call_with_shared_array(value, sym::INITIALIZE, list, carat_vm::call::Passing::default())?;
        Ok(Value::NIL)
    }

    fn rb_struct_getmember(ec, value: Value, name: Id) -> Result {
        if let Some(place) = place(ec, value, Value::symbol(name.0)) {
            return Ok(ec.field_at(value, place));
        }
        let text = ec.vm().symbol_text(name.0);
        Err(ec.name_error(&format!("'{text}' is not a struct member"), value, name.0))
    }

    fn rb_struct_aref(ec, value: Value, index: Value) -> Result {
        if !value.is_type(HeapType::Range) {
            return member(ec, value, index);
        }
        // For C code a range is a struct of three.
        match RANGE_MEMBERS.get(ec.to_long(index)? as usize) {
            Some(name) => ec.call(value, ec.vm().intern(name), &[]),
            None => Err(ec.index_error("offset too large for struct(size:3)")),
        }
    }

    fn rb_struct_size(ec, value: Value) -> Result {
        if value.is_type(HeapType::Range) {
            return Ok(Value::fixnum_unchecked(RANGE_MEMBERS.len() as i64));
        }
        if value.is_type(HeapType::Struct) {
            let class = ec.class_of(value).real().value();
            return size_of(ec, class).map(Value::fixnum_unchecked);
        }
        ec.call(value, name!(ec, "size"), &[])
    }

    fn rb_struct_aset(ec, value: Value, index: Value, element: Value) -> Result {
        match place(ec, value, index) {
            Some(_) if ec.is_frozen(value) => Err(ec.frozen_error(value)),
            Some(place) => {
                ec.set_field_at(value, place, element);
                Ok(element)
            }
            None => ec.call(value, sym::ASET, &[index, element]),
        }
    }
}

calls! {
    rb_struct_s_members(class) => "members";
    rb_struct_members(value) => "members";
}

const RANGE_MEMBERS: [&str; 3] = ["begin", "end", "exclude_end?"];

/// Gives a `Data` its members in order; those that are missing are nil.
fn initialize_data(ec: &mut Ec, value: Value, list: Array) -> Result {
    let members = ec.call(value, name!(ec, "members"), &[])?;
    let members = crate::boundary::array(ec, members)?;
    if list.len(ec) > members.len(ec) {
        return Err(ec.argument_error("struct size differs"));
    }
    let keywords = carat_vm::Hash::new(ec);
    for index in 0..members.len(ec) {
        let (name, element) = (members.at(ec, index), list.get(ec, index).unwrap_or(Value::NIL));
        keywords.store(ec, name, element)?;
    }
    let passing = carat_vm::call::Passing { keywords: Some(keywords), block: None };
    ec.call_with(value, sym::INITIALIZE, &[], passing)?;
    Ok(Value::NIL)
}
