//! Refinements: `refine`, `using`, and what is active where.
//!
//! A module keeps its refinements in a hidden field, as one array of refined class and refinement in turn.

use crate::object::any_object::check_module;
use carat_vm::cref::Cref;
use carat_vm::method::{MethodEntry, MethodKind};
use carat_vm::{Array, Block, Class, Ec, Rest, Result, Value, sym};

/// The array in which a module keeps its refinements.
fn table(ec: &Ec, module: Class) -> Option<Array> {
    ec.field(module.value(), sym::REFINEMENTS_IVAR).and_then(Array::from_value)
}

fn pairs(ec: &Ec, module: Class) -> Vec<(Class, Class)> {
    let Some(table) = table(ec, module) else { return Vec::new() };
    table.slice_of(ec).chunks_exact(2).map(|p| (Class::expect(p[0]), Class::expect(p[1]))).collect()
}

pub(super) fn refine(ec: &mut Ec, this: Class, refined: Value, block: Option<Block>) -> Result {
    let Some(block) = block else {
        return Err(ec.argument_error("no block given"));
    };
    let Some(refined) = Class::from_value(refined) else {
        return Err(ec.wrong_type(refined, "Class or Module"));
    };
    if block.is_passed_on() {
        return Err(ec.argument_error("can't pass a Proc as a block to Module#refine"));
    }
    let existing = pairs(ec, this).into_iter().find(|(class, _)| *class == refined);
    let refinement = match existing {
        Some((_, refinement)) => refinement,
        None => add_refinement(ec, this, refined),
    };
    ec.eval_refinement(block, refinement, this)?;
    Ok(refinement.value())
}

fn add_refinement(ec: &mut Ec, module: Class, refined: Class) -> Class {
    let refinement = ec.new_refinement(refined);
    ec.set_field(refinement.value(), sym::DEFINED_AT_IVAR, module.value());
    let table = table(ec, module).unwrap_or_else(|| {
        let fresh = Array::new(ec, 2);
        ec.set_field(module.value(), sym::REFINEMENTS_IVAR, fresh.value());
        fresh
    });
    table.push(ec, refined.value());
    table.push(ec, refinement.value());
    refinement
}

fn activate(ec: &mut Ec, module: Value) -> Result<()> {
    let module = check_module(ec, module)?;
    let all: Vec<(Class, Class)> =
        module.mro().iter().rev().flat_map(|ancestor| pairs(ec, Class::expect(*ancestor))).collect();
    ec.activate_refinements(&all);
    Ok(())
}

pub(super) fn using(ec: &mut Ec, this: Class, module: Value) -> Result {
    if ec.is_called_from_method() {
        return Err(ec.runtime_error("Module#using is not permitted in methods"));
    }
    if ec.caller_self() != this.value() {
        return Err(ec.runtime_error("Module#using is not called on self"));
    }
    activate(ec, module)?;
    Ok(this.value())
}

pub(super) fn main_using(ec: &mut Ec, this: Value, module: Value) -> Result {
    if ec.is_called_from_method() || ec.caller_self() != this {
        return Err(ec.runtime_error("main.using is permitted only at toplevel"));
    }
    activate(ec, module)?;
    Ok(this)
}

pub(super) fn refinements(ec: &mut Ec, this: Class) -> Array {
    let list = Array::new(ec, 2);
    pairs(ec, this).into_iter().for_each(|(_, refinement)| list.push(ec, refinement.value()));
    list
}

/// By refined class in the order in which they were first refined here, and of each class the latest first.
pub(super) fn used_refinements(ec: &mut Ec, _this: Value) -> Array {
    let active = ec.caller_refinements();
    let pair = |ec: &Ec, index: usize| Array::expect(active.at(ec, index)).slice_of(ec).to_vec();
    let (list, classes) = (Array::new(ec, 4), Array::new(ec, 4));
    for index in 0..active.len(ec) {
        let class = pair(ec, index)[0];
        if classes.slice_of(ec).contains(&class) {
            continue;
        }
        classes.push(ec, class);
        for index in (0..active.len(ec)).rev() {
            let pair = pair(ec, index);
            if pair[0] == class && !list.slice_of(ec).contains(&pair[1]) {
                list.push(ec, pair[1]);
            }
        }
    }
    list
}

pub(super) fn used_modules(ec: &mut Ec, this: Value) -> Array {
    let active = used_refinements(ec, this);
    let list = Array::new(ec, 4);
    for index in 0..active.len(ec) {
        if let Some(module) = ec.field(active.at(ec, index), sym::DEFINED_AT_IVAR)
            && !list.slice_of(ec).contains(&module)
        {
            list.push(ec, module);
        }
    }
    list
}

pub(super) fn target(_ec: &mut Ec, this: Class) -> Option<Class> {
    this.refined()
}

/// Copies methods written in Ruby from modules into the refinement. They see the refinements of its module.
pub(super) fn import_methods(ec: &mut Ec, this: Class, modules: Rest) -> Result {
    if modules.is_empty() {
        return Err(ec.arity_error(0, 1, None));
    }
    for module in modules.iter() {
        if !Class::from_value(module).is_some_and(Class::is_module) {
            return Err(ec.wrong_type(module, "Module"));
        }
    }
    let home = ec.field(this.value(), sym::DEFINED_AT_IVAR).and_then(Class::from_value).unwrap_or(this);
    for module in modules.iter() {
        let module = Class::expect(module);
        if module.mro().len() > 1 {
            let shown = module.to_text(ec);
            ec.warn(&format!("{shown} has ancestors, but Refinement#import_methods doesn't import their methods"))?;
        }
        check_importable(ec, module)?;
        for (name, entry) in module.own_methods(ec) {
            let Some(entry) = MethodEntry::from_value(ec, entry) else { continue };
            let (kind, visibility) = (entry.kind.clone(), entry.visibility);
            let cref = Cref::imported(ec, entry.scope(), home);
            this.add_method(ec, name, kind, visibility, cref);
        }
    }
    Ok(this.value())
}

fn check_importable(ec: &mut Ec, module: Class) -> Result<()> {
    for (name, entry) in module.own_methods(ec) {
        let is_ruby = MethodEntry::from_value(ec, entry)
            .is_some_and(|m| matches!(&m.kind, MethodKind::Iseq(iseq) if !iseq.iseq.flags.is_core));
        if !is_ruby {
            let text = format!(
                "Can't import method which is not defined with Ruby code: {}#{}",
                module.to_text(ec),
                ec.vm().symbol_text(name)
            );
            return Err(ec.argument_error(&text));
        }
    }
    Ok(())
}
