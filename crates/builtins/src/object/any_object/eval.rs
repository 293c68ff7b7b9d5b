//! Running blocks as an object's own code, and giving an object methods of its own.

use super::singleton_class_of;
use crate::object::module::define::define_body;
use carat_vm::call::Passing;
use carat_vm::eval::EvalScope;
use carat_vm::{Block, Class, Ec, Keywords, Name, Rest, Result, SymbolId, Value, Visibility, sym};

/// `instance_eval(source, file, line)` and kin.
pub(crate) fn eval_string(ec: &mut Ec, receiver: Value, scope: EvalScope, args: Rest) -> Result {
    if args.is_empty() || args.len() > 3 {
        return Err(ec.arity_error(args.len(), 1, Some(3)));
    }
    let class = match scope {
        EvalScope::Class(class) => Some(class),
        EvalScope::SingletonOf(object) => ec.singleton_class_of(object),
    };
    crate::object::binding::eval_under(ec, receiver, class, args.get(0).unwrap_or(Value::NIL), args.get(1), args.get(2))
}

pub(super) fn instance_eval(ec: &mut Ec, this: Value, args: Rest, block: Option<Block>) -> Result {
    let scope = EvalScope::SingletonOf(this);
    match block {
        Some(_) if !args.is_empty() => Err(ec.arity_error(args.len(), 0, Some(0))),
        Some(block) => ec.eval_block(block, this, scope, &[this], Passing::default()),
        None => eval_string(ec, this, scope, args),
    }
}

pub(super) fn instance_exec(ec: &mut Ec, this: Value, args: Rest, keywords: Keywords, block: Option<Block>) -> Result {
    let Some(block) = block else {
        return Err(ec.local_jump_error("no block given", "noreason", Value::NIL));
    };
    exec_block(ec, block, this, EvalScope::SingletonOf(this), args, keywords)
}

/// Runs a block with a method's own arguments.
pub(crate) fn exec_block(
    ec: &mut Ec,
    block: Block,
    receiver: Value,
    scope: EvalScope,
    args: Rest,
    keywords: Keywords,
) -> Result {
    let passing = Passing { keywords: keywords.0, block: None };
    let list = args.to_array(ec);
    let count = list.len(ec);
    let mut few = [Value::NIL; 8];
    if count <= few.len() {
        few[..count].copy_from_slice(list.slice_of(ec));
        return ec.eval_block(block, receiver, scope, &few[..count], passing);
    }
    let many: Box<[Value]> = list.slice_of(ec).into();
    let result = ec.eval_block(block, receiver, scope, &many, passing);
    // The array keeps the arguments alive while the block runs.
    std::hint::black_box(list);
    result
}

/// The default: raises what the failed call calls for.
pub(super) fn method_missing(ec: &mut Ec, this: Value, args: Rest) -> Result {
    let Some(name) = args.get(0).and_then(Value::as_symbol) else {
        return Err(ec.argument_error("no method name given"));
    };
    let list = args.to_array(ec);
    let rest: Box<[Value]> = list.slice_of(ec)[1..].into();
    let reason = ec.missing_reason();
    let unwind = ec.missing_error(this, name, &rest, reason);
    std::hint::black_box(list);
    Err(unwind)
}

pub(super) fn define_singleton_method(
    ec: &mut Ec,
    this: Value,
    name: Name,
    body: Option<Value>,
    block: Option<Block>,
) -> Result<SymbolId> {
    let class = singleton_class_of(ec, this)?;
    define_body(ec, class, name.0, body, block, Visibility::Public)?;
    Ok(name.0)
}

pub(super) fn extend(ec: &mut Ec, this: Value, modules: Rest) -> Result {
    if modules.is_empty() {
        return Err(ec.arity_error(0, 1, None));
    }
    for module in modules.iter() {
        check_module(ec, module)?;
    }
    for index in (0..modules.len()).rev() {
        let module = modules.get(index).unwrap_or(Value::NIL);
        ec.call(module, sym::EXTEND_OBJECT, &[this])?;
        ec.call(module, sym::EXTENDED, &[this])?;
    }
    Ok(this)
}

/// A module that is no class and no refinement.
pub(crate) fn check_module(ec: &mut Ec, value: Value) -> Result<Class> {
    match Class::from_value(value) {
        Some(module) if module.is_refinement() => {
            Err(ec.type_error("wrong argument type Refinement (expected Module)"))
        }
        Some(module) if module.is_module() => Ok(module),
        Some(_) => Err(ec.type_error("wrong argument type Class (expected Module)")),
        None => Err(ec.wrong_type(value, "Module")),
    }
}
