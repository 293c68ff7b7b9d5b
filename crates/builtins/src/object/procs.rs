//! `Proc`, and `Kernel`'s `proc` and `lambda`.
//!
//! Calling a proc is the interpreter's business: see `OptimizedKind::ProcCall`. Composition and currying are in
//! `core/proc.rb`.

use crate::object::parameters::{location, parameters_of, range_of};
use carat_vm::call::Passing;
use carat_vm::method::{MethodKind, OptimizedKind};
use carat_vm::{
    Array, Block, Class, Ec, EncodingIndex, Keywords, Proc, Rest, Result, Str, SymbolId, Value, Visibility, methods,
    primitives, sym,
};

methods! {
    PROC {
        static "new" => new;
        "to_proc" => itself;
        "lambda?" => is_lambda;
        "arity" => arity;
        "parameters" => parameters;
        "source_location" => source_location;
        "==" => is_equal;
        "eql?" => is_equal;
        "hash" => hash;
        "dup" => dup;
        "clone" => clone;
        alias "inspect" of "to_s" => inspect;
        "to_s" => inspect;
        "ruby2_keywords" => ruby2_keywords;
    }

    KERNEL {
        module_function "proc" => kernel_proc;
        module_function "lambda" => kernel_lambda;
    }
}

primitives! {
    PRIMITIVES {
        "arity_range" => arity_range;
        "callable_kind" => callable_kind;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.proc.define_methods(ec, PROC);
    known.kernel.define_methods(ec, KERNEL);
    for name in ["call", "yield", "[]", "==="] {
        let name = ec.vm().intern(name);
        known.proc.add_method(ec, name, MethodKind::Optimized(OptimizedKind::ProcCall), Visibility::Public, Value::NIL);
    }
}

// ---- making procs ----

fn no_block(ec: &mut Ec) -> carat_vm::Unwind {
    ec.argument_error("tried to create Proc object without a block")
}

/// `Proc.new { … }`, also of subclasses, whose `initialize` gets the arguments.
fn new(ec: &mut Ec, this: Class, args: Rest, keywords: Keywords, block: Option<Block>) -> Result {
    let Some(block) = block else { return Err(no_block(ec)) };
    let proc = block.to_proc(ec);
    let own_class = ec.class_of(proc.value()).real();
    let made = if own_class == this { proc } else { proc.duplicate_of(ec, this) };
    let is_plain =
        this == ec.vm().known().proc && ec.responds_with(made.value(), sym::INITIALIZE, ec.vm().known().basic_object);
    if !is_plain {
        let list = args.to_array(ec);
        let args: Box<[Value]> = list.slice_of(ec).into();
        ec.call_with(made.value(), sym::INITIALIZE, &args, Passing { keywords: keywords.0, block: Some(proc) })?;
        std::hint::black_box(list);
    }
    Ok(made.value())
}

fn kernel_proc(ec: &mut Ec, _this: Value, block: Option<Block>) -> Result {
    match block {
        Some(block) => Ok(block.to_proc(ec).value()),
        None => Err(no_block(ec)),
    }
}

fn kernel_lambda(ec: &mut Ec, _this: Value, block: Option<Block>) -> Result {
    let Some(block) = block else { return Err(no_block(ec)) };
    let proc = block.to_lambda(ec)?;
    if proc.is_lambda() {
        return Ok(proc.value());
    }
    Err(ec.argument_error("the lambda method requires a literal block"))
}

// ---- asking ----

fn itself(_ec: &mut Ec, this: Value) -> Value {
    this
}

fn is_lambda(_ec: &mut Ec, this: Proc) -> bool {
    this.is_lambda()
}

fn arity(ec: &mut Ec, this: Proc) -> i64 {
    this.arity(ec)
}

fn parameters(ec: &mut Ec, this: Proc, keywords: Keywords) -> Result<Array> {
    let lambda = ec.vm().intern("lambda");
    keywords.check(ec, &[lambda])?;
    let is_lambda = match keywords.get(ec, lambda) {
        None | Some(Value::NIL) => this.is_lambda(),
        Some(given) => given.truthy(),
    };
    Ok(match (this.iseq(), this.native_target()) {
        (Some(iseq), _) if iseq.iseq.flags.is_core => {
            crate::object::parameters::nameless_parameters(ec, this.arity(ec))
        }
        (Some(iseq), _) => parameters_of(ec, &iseq.iseq, is_lambda),
        (None, Some(target)) if target.is_symbol() => symbol_parameters(ec, is_lambda),
        (None, target) => crate::object::method::parameters_of_method(ec, target.unwrap_or(Value::NIL)),
    })
}

fn symbol_parameters(ec: &Ec, is_lambda: bool) -> Array {
    let nameless = |kind: SymbolId| Array::from_slice(ec, &[Value::symbol(kind)]).value();
    let first = nameless(if is_lambda { sym::REQ } else { sym::OPT });
    Array::pair(ec, first, nameless(sym::REST))
}

/// `Primitive.arity_range(proc)`: least and greatest number of arguments, nil for no limit.
fn arity_range(ec: &mut Ec, proc: Value) -> Array {
    let proc = Proc::expect(proc);
    let (min, max) = match (proc.iseq(), proc.native_target()) {
        (Some(iseq), _) => range_of(&iseq.iseq.params),
        (None, Some(target)) if target.is_symbol() => (1, None),
        (None, target) => crate::object::method::arity_range_of(ec, target.unwrap_or(Value::NIL)),
    };
    let max = max.map_or(Value::NIL, Value::fixnum_unchecked);
    Array::pair(ec, Value::fixnum_unchecked(min), max)
}

/// `Primitive.callable_kind(value)`: 0 for a proc that is no lambda, 1 for a lambda or Method, 2 for what responds to `call`; nil
/// for anything else.
fn callable_kind(ec: &mut Ec, value: Value) -> Result {
    let kind = match Proc::from_value(value) {
        Some(proc) => i64::from(proc.is_lambda()),
        None if crate::object::method::method_data(value).is_some() => 1,
        None if ec.respond_to(value, sym::CALL, true)? => 2,
        None => return Ok(Value::NIL),
    };
    Ok(Value::fixnum_unchecked(kind))
}

fn source_location(ec: &mut Ec, this: Proc) -> Option<Array> {
    match this.iseq() {
        Some(iseq) => location(ec, &iseq.iseq),
        None => crate::object::method::location_of_method(ec, this.native_target()?),
    }
}

fn is_equal(ec: &mut Ec, this: Proc, other: Value) -> bool {
    let Some(other) = Proc::from_value(other) else { return false };
    if ec.class_of(this.value()).real() != ec.class_of(other.value()).real() {
        return false;
    }
    this.is_same_block(other)
}

fn hash(_ec: &mut Ec, this: Proc) -> Value {
    crate::object::any_object::identity_hash(this.identity())
}

fn inspect(ec: &mut Ec, this: Proc) -> Result<Str> {
    let class = ec.class_shown(ec.class_of(this.value()).real())?;
    let head = ec.any_to_s(this.value()).to_text(ec);
    let address = head.trim_end_matches('>').rsplit(':').next().unwrap_or_default();
    let mut text = format!("#<{class}:{address}");
    match (this.iseq(), this.native_target()) {
        (Some(iseq), _) if !iseq.iseq.flags.is_core => {
            text.push_str(&format!(" {}:{}", iseq.iseq.path(), iseq.iseq.first_line))
        }
        (None, Some(target)) if target.is_symbol() => {
            let shown = ec.inspect(target)?.to_text(ec);
            text.push_str(&format!("(&{shown})"));
        }
        _ => {}
    }
    if this.is_lambda() {
        text.push_str(" (lambda)");
    }
    text.push('>');
    let text = Str::from_text(ec, &text);
    if text.is_ascii(ec) {
        text.set_encoding(EncodingIndex::BINARY);
    }
    Ok(text)
}

// ---- copies ----

fn copy(ec: &mut Ec, this: Proc) -> Proc {
    let class = ec.class_of(this.value()).real();
    let copy = this.duplicate_of(ec, class);
    ec.copy_fields(this.value(), copy.value());
    copy
}

fn dup(ec: &mut Ec, this: Proc) -> Result {
    let copy = copy(ec, this);
    crate::object::finalizers::copy(ec, this.value(), copy.value())?;
    ec.call(copy.value(), sym::INITIALIZE_DUP, &[this.value()])?;
    Ok(copy.value())
}

fn clone(ec: &mut Ec, this: Proc, keywords: Keywords) -> Result {
    keywords.check(ec, &[sym::FREEZE])?;
    let freeze = keywords.get(ec, sym::FREEZE).unwrap_or(Value::NIL);
    let copy = copy(ec, this);
    crate::object::any_object::copy_singleton_class(ec, this.value(), copy.value())?;
    crate::object::finalizers::copy(ec, this.value(), copy.value())?;
    ec.call(copy.value(), sym::INITIALIZE_CLONE, &[this.value()])?;
    if freeze.is_true() || freeze.is_nil() && ec.is_frozen(this.value()) {
        ec.freeze(copy.value());
    }
    Ok(copy.value())
}

fn ruby2_keywords(ec: &mut Ec, this: Proc) -> Result {
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_error(this.value()));
    }
    let why = match this.iseq() {
        _ if this.native_target().is_some_and(|target| crate::object::method::receiver_of(ec, target).is_some()) => {
            "proc created from method"
        }
        None => "proc not defined in Ruby",
        Some(iseq) if iseq.set_ruby2_keywords() => return Ok(this.value()),
        Some(_) => "proc accepts keywords or post arguments or proc does not accept argument splat",
    };
    ec.warn(&format!("Skipping set of ruby2_keywords flag for proc ({why})"))?;
    Ok(this.value())
}
