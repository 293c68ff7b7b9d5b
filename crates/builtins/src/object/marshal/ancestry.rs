//! What a dump says of an object's class: modules that extend it, and a class that is not the kind's own.

use super::dump::Dumper;
use super::{kind, path_of};
use carat_vm::{Class, Ec, Result, Value};

/// Modules between an object and its class: those prepended to its singleton class and those it was extended with.
struct Extension {
    prepended: Vec<Class>,
    included: Vec<Class>,
}

fn extension_of(ec: &Ec, object: Value) -> Option<(Class, Extension)> {
    let own = ec.class_of(object);
    if !own.is_singleton() || own.attached() != object {
        return None;
    }
    let order = own.mro();
    let above = own.superclass().map_or(0, |c| c.mro().len());
    let at = order.iter().position(|c| *c == own.value()).unwrap_or(0);
    let classes = |values: &[Value]| values.iter().filter_map(|v| Class::from_value(*v)).collect();
    let end = order.len().saturating_sub(above).max(at + 1);
    Some((own, Extension { prepended: classes(&order[..at]), included: classes(&order[at + 1..end]) }))
}

/// Writes the modules that extend an object. Methods of its own cannot be written.
pub(super) fn write_extension(ec: &mut Ec, dumper: &mut Dumper, object: Value) -> Result<()> {
    let Some((own, extension)) = extension_of(ec, object) else { return Ok(()) };
    if !own.own_method_names().is_empty() || !ec.instance_variable_names(own.value()).is_empty() {
        return Err(ec.type_error("singleton can't be dumped"));
    }
    for module in &extension.prepended {
        write_extending(ec, dumper, *module)?;
    }
    if !extension.prepended.is_empty() {
        // The class itself stands between what was prepended and what was included.
        write_extending(ec, dumper, own.real())?;
    }
    for module in &extension.included {
        write_extending(ec, dumper, *module)?;
    }
    Ok(())
}

/// One link of the chain between an object and its class. CRuby calls modules classes here.
fn write_extending(ec: &mut Ec, dumper: &mut Dumper, module: Class) -> Result<()> {
    let text = module.to_text(ec);
    if module.name().is_none() {
        return Err(ec.type_error(&format!("can't dump anonymous class {text}")));
    }
    dumper.byte(kind::EXTENDED);
    dumper.symbol(ec, ec.vm().intern(&text))
}

/// A kind's letter and a class behind it.
fn write_class(ec: &mut Ec, dumper: &mut Dumper, letter: u8, class: Class) -> Result<()> {
    dumper.byte(letter);
    let path = path_of(ec, class)?;
    let name = path.to_symbol(ec)?;
    dumper.symbol(ec, name)
}

/// What `o`, `S`, `u` and the like begin with: the class always, the extension if `with_extension`.
pub(super) fn write_kind(
    ec: &mut Ec,
    dumper: &mut Dumper,
    letter: u8,
    object: Value,
    with_extension: bool,
) -> Result<()> {
    if with_extension {
        write_extension(ec, dumper, object)?;
    }
    let class = ec.class_of(object).real();
    write_class(ec, dumper, letter, class)
}

/// What strings, arrays and the like begin with: the class if it is not `base`.
pub(super) fn write_user_class(ec: &mut Ec, dumper: &mut Dumper, object: Value, base: Class) -> Result<()> {
    write_extension(ec, dumper, object)?;
    let class = ec.class_of(object).real();
    if class == base { Ok(()) } else { write_class(ec, dumper, kind::USER_CLASS, class) }
}
