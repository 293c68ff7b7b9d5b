//! `Module`, `Class` and `Refinement`.
//!
//! # Code map
//! `inclusion`: ancestry and comparison. `define`: methods come and go. `visibility`: who may call them. `listing`: which there
//! are. `constants`, `variables`: names in modules. `naming`: what modules are called. `class`: what only classes have.
//! `refine`: refinements. `names`: what is a name.

mod class;
mod constants;
pub(crate) mod define;
mod inclusion;
pub(crate) mod listing;
pub(crate) mod names;
pub(crate) mod naming;
mod refine;
mod variables;
mod visibility;

use crate::object::any_object::ignore;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::method::{MethodEntry, MethodKind, OptimizedKind};
use carat_vm::{Block, Class, Ec, HeapType, Keywords, Name, Rest, Result, Value, Visibility, methods, primitives, sym};

pub(crate) static LEAVES: &[LeafRow] = &[
    (
        LeafOf::Method(MODULE, "==="),
        Leaf::new(|ec: &mut Ec, this: Value, object: Value| {
            Class::from_value(this).map(|class| Value::bool(ec.is_a(object, class)))
        }),
    ),
    (LeafOf::Method(MODULE, "name"), Leaf::of(naming::name)),
    (LeafOf::Method(MODULE, "const_get"), Leaf::new(constants::get_at_once)),
    (LeafOf::Method(MODULE, "const_defined?"), Leaf::new(constants::is_defined_at_once)),
    (
        LeafOf::Method(MODULE, "method_defined?"),
        Leaf::new(|ec: &mut Ec, this: Class, name: Value| {
            name.as_symbol().map(|name| Value::bool(listing::is_method_defined(ec, this, Name(name), None)))
        }),
    ),
];

methods! {
    MODULE {
        private "initialize" => initialize;
        private "initialize_copy" => initialize_copy;
        private "initialize_clone" => initialize_clone;
        "freeze" => freeze;
        "hash" => hash;
        "name" => naming::name;
        "to_s" => naming::to_s;
        alias "inspect" of "to_s" => naming::to_s;
        "set_temporary_name" => naming::set_temporary_name;
        "===" => inclusion::case_equal;
        "==" => same;
        "<" => inclusion::is_below;
        "<=" => inclusion::is_below_or_same;
        ">" => inclusion::is_above;
        ">=" => inclusion::is_above_or_same;
        "<=>" => inclusion::compare;
        "ancestors" => inclusion::ancestors;
        "include" => inclusion::include;
        "prepend" => inclusion::prepend;
        "include?" => inclusion::does_include;
        "included_modules" => inclusion::included_modules;
        private "append_features" => inclusion::append_features;
        private "prepend_features" => inclusion::prepend_features;
        private "extend_object" => inclusion::extend_object;
        "singleton_class?" => is_singleton_class;
        "instance_methods" => listing::instance_methods;
        "public_instance_methods" => listing::public_instance_methods;
        "private_instance_methods" => listing::private_instance_methods;
        "protected_instance_methods" => listing::protected_instance_methods;
        "undefined_instance_methods" => listing::undefined_instance_methods;
        "instance_method" => listing::instance_method;
        "public_instance_method" => listing::public_instance_method;
        "method_defined?" => listing::is_method_defined;
        "public_method_defined?" => listing::is_public_method_defined;
        "private_method_defined?" => listing::is_private_method_defined;
        "protected_method_defined?" => listing::is_protected_method_defined;
        "define_method" => define::define_method;
        "alias_method" => define::alias_method;
        "remove_method" => define::remove_methods;
        "undef_method" => define::undef_methods;
        "attr" => define::attr;
        "attr_reader" => define::attr_reader;
        "attr_writer" => define::attr_writer;
        "attr_accessor" => define::attr_accessor;
        private "ruby2_keywords" => define::ruby2_keywords;
        private "public" => visibility::public;
        private "private" => visibility::private;
        private "protected" => visibility::protected;
        private "module_function" => visibility::module_function;
        "public_class_method" => visibility::public_class_method;
        "private_class_method" => visibility::private_class_method;
        "constants" => constants::constants;
        "const_get" => constants::const_get;
        "const_set" => constants::const_set;
        "const_defined?" => constants::is_const_defined;
        "const_missing" => constants::const_missing;
        "const_source_location" => constants::const_source_location;
        "autoload" => constants::autoload;
        "autoload?" => constants::autoload_feature;
        private "remove_const" => constants::remove_const;
        "private_constant" => constants::private_constant;
        "public_constant" => constants::public_constant;
        "deprecate_constant" => constants::deprecate_constant;
        "class_variables" => variables::class_variables;
        "class_variable_get" => variables::class_variable_get;
        "class_variable_set" => variables::class_variable_set;
        "class_variable_defined?" => variables::is_class_variable_defined;
        "remove_class_variable" => variables::remove_class_variable;
        "class_eval" => class_eval;
        "module_eval" => class_eval;
        "class_exec" => class_exec;
        "module_exec" => class_exec;
        private "refine" => refine::refine;
        private "using" => refine::using;
        "refinements" => refine::refinements;
        private "included" => ignore;
        private "extended" => ignore;
        private "prepended" => ignore;
        private "method_added" => ignore;
        private "method_removed" => ignore;
        private "method_undefined" => ignore;
        private "const_added" => ignore;
        static "nesting" => nesting;
        static "used_modules" => refine::used_modules;
        static "used_refinements" => refine::used_refinements;
    }

    CLASS {
        private "initialize" => class::initialize;
        private "inherited" => ignore;
        "allocate" => class::allocate;
        static "allocate" => class::allocate;
        "superclass" => class::superclass;
        "subclasses" => class::subclasses;
        "attached_object" => class::attached_object;
    }

    REFINEMENT {
        "target" => refine::target;
        private "import_methods" => refine::import_methods;
    }

    MAIN {
        private "include" => main_include;
        private "using" => refine::main_using;
        private "public" => visibility::main_public;
        private "private" => visibility::main_private;
        private "define_method" => define::main_define_method;
        private "ruby2_keywords" => define::main_ruby2_keywords;
    }
}

primitives! {
    PRIMITIVES {}
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.module.define_methods(ec, MODULE);
    known.class.define_methods(ec, CLASS);
    known.refinement.define_methods(ec, REFINEMENT);
    let main = ec.singleton_class_of(ec.vm().main_object()).expect("main is a plain object");
    main.define_methods(ec, MAIN);
    known.class.add_method(ec, sym::NEW, MethodKind::Optimized(OptimizedKind::New), Visibility::Public, Value::NIL);
    for name in ["append_features", "prepend_features", "extend_object"] {
        known.refinement.add_method(ec, ec.vm().intern(name), MethodKind::Undefined, Visibility::Public, Value::NIL);
    }
    for name in ["module_function", "append_features", "prepend_features", "extend_object", "refine"] {
        known.class.add_method(ec, ec.vm().intern(name), MethodKind::Undefined, Visibility::Public, Value::NIL);
    }
    let without_new = [
        known.integer,
        known.float,
        known.symbol,
        known.nil_class,
        known.true_class,
        known.false_class,
        known.rational,
        known.complex,
        known.method,
        known.unbound_method,
        known.binding,
        known.encoding,
        known.refinement,
        known.match_data,
    ];
    // `Class` has its own, which `Module` and its subclasses have not.
    let singleton = ec.singleton_class_of(known.module.value()).expect("classes have singleton classes");
    singleton.add_method(ec, sym::ALLOCATE, MethodKind::Undefined, Visibility::Public, Value::NIL);
    for class in without_new {
        let singleton = ec.singleton_class_of(class.value()).expect("classes have singleton classes");
        singleton.add_method(ec, sym::NEW, MethodKind::Undefined, Visibility::Public, Value::NIL);
        if [known.rational, known.complex, known.refinement].contains(&class) {
            singleton.add_method(ec, sym::ALLOCATE, MethodKind::Undefined, Visibility::Public, Value::NIL);
        }
    }
}

/// `Module.new { … }`: the block runs as the module's body.
fn initialize(ec: &mut Ec, this: Class, block: Option<Block>) -> Result {
    if let Some(block) = block {
        run_body(ec, this, block)?;
    }
    Ok(this.value())
}

/// The block of `Module.new` and `Class.new`.
fn run_body(ec: &mut Ec, class: Class, block: Block) -> Result {
    ec.eval_block(
        block,
        class.value(),
        carat_vm::eval::EvalScope::Class(class),
        &[class.value()],
        carat_vm::call::Passing::default(),
    )
}

/// Gives a copy the superclass and the singleton methods of its original, before hooks such as `initialize_dup` are looked up
/// in them; the rest is `initialize_copy`'s, which then finds a mark.
pub(crate) fn prepare_copy(ec: &mut Ec, original: Class, copy: Class) -> Result<()> {
    if original == ec.vm().known().basic_object || original.is_singleton() {
        return Ok(());
    }
    if copy.is_class() {
        let Some(superclass) = original.superclass() else { return Ok(()) };
        copy.initialize_superclass(ec, superclass);
        copy.set_allocator(original.allocator());
    }
    crate::object::any_object::copy_singleton_class(ec, original.value(), copy.value())?;
    ec.set_field(copy.value(), sym::INITIALIZE_COPY, original.value());
    Ok(())
}

/// Copies a class's or module's methods, constants, class variables, ancestry and allocator.
fn initialize_copy(ec: &mut Ec, this: Class, original: Value) -> Result {
    let class_of = |ec: &Ec, value: Value| ec.class_of(value).real();
    let Some(original) = Class::from_value(original).filter(|o| class_of(ec, o.value()) == class_of(ec, this.value()))
    else {
        return Err(ec.type_error("initialize_copy should take same class object"));
    };
    if this == original {
        return Ok(this.value());
    }
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_error(this.value()));
    }
    if original == ec.vm().known().basic_object {
        return Err(ec.type_error("can't copy the root class"));
    }
    let is_prepared = ec.remove_field(this.value(), sym::INITIALIZE_COPY) == Some(original.value());
    if !is_prepared && this.is_class() && (this.superclass().is_some() || this == ec.vm().known().basic_object) {
        return Err(ec.type_error("already initialized class"));
    }
    if original.is_singleton() {
        return Err(ec.type_error("can't copy singleton class"));
    }
    if this.is_class() && !is_prepared {
        match original.superclass() {
            Some(superclass) => this.initialize_superclass(ec, superclass),
            None => return Err(ec.type_error("can't copy uninitialized class")),
        }
        this.set_allocator(original.allocator());
    }
    if !is_prepared {
        crate::object::any_object::copy_singleton_class(ec, original.value(), this.value())?;
    }
    copy_tables(ec, original, this);
    for module in original.directly_included() {
        this.include(ec, Class::expect(module));
    }
    for module in original.directly_prepended() {
        this.prepend(ec, Class::expect(module));
    }
    Ok(this.value())
}

fn initialize_clone(ec: &mut Ec, this: Class, original: Class, _keywords: Keywords) -> Result {
    ec.call(this.value(), sym::INITIALIZE_COPY, &[original.value()])
}

/// Copies methods, constants and class variables from one class or module to another.
pub(crate) fn copy_tables(ec: &mut Ec, from: Class, to: Class) {
    for (name, entry) in from.own_methods(ec) {
        if let Some(entry) = MethodEntry::from_value(ec, entry) {
            let copy = entry.with(ec, entry.visibility, name, to).value();
            to.put_method(ec, name, copy);
        }
    }
    for (name, constant) in from.own_constants() {
        to.put_constant(ec, name, constant);
    }
    for name in from.own_class_variables() {
        if let Some(value) = from.class_variable(name) {
            to.put_class_variable(ec, name, value);
        }
    }
}

fn freeze(ec: &mut Ec, this: Class) -> Value {
    crate::object::any_object::freeze_object(ec, this.value());
    this.value()
}

fn hash(_ec: &mut Ec, this: Value) -> Value {
    crate::object::any_object::identity_hash(this.bits())
}

fn same(_ec: &mut Ec, this: Value, other: Value) -> bool {
    this == other
}

fn is_singleton_class(_ec: &mut Ec, this: Class) -> bool {
    this.is_singleton()
}

fn class_eval(ec: &mut Ec, this: Class, args: Rest, block: Option<Block>) -> Result {
    let scope = carat_vm::eval::EvalScope::Class(this);
    match block {
        Some(_) if !args.is_empty() => Err(ec.arity_error(args.len(), 0, Some(0))),
        Some(block) => ec.eval_block(block, this.value(), scope, &[this.value()], carat_vm::call::Passing::default()),
        None => crate::object::any_object::eval_string(ec, this.value(), scope, args),
    }
}

fn class_exec(ec: &mut Ec, this: Class, args: Rest, keywords: Keywords, block: Option<Block>) -> Result {
    let Some(block) = block else {
        return Err(ec.local_jump_error("no block given", "noreason", Value::NIL));
    };
    crate::object::any_object::exec_block(
        ec,
        block,
        this.value(),
        carat_vm::eval::EvalScope::Class(this),
        args,
        keywords,
    )
}

fn nesting(ec: &mut Ec, _this: Value) -> carat_vm::Array {
    ec.caller_nesting()
}

fn main_include(ec: &mut Ec, this: Value, modules: Rest) -> Result {
    let target = ec.script_wrapper(this).unwrap_or(ec.vm().known().object);
    inclusion::include(ec, target, modules)
}

/// A class or module as an argument that is refused otherwise.
fn class_or_module(ec: &mut Ec, value: Value, message: &str) -> Result<Class> {
    match value.header().map(|h| h.heap_type()) {
        Some(HeapType::Class | HeapType::Module) => Ok(Class::expect(value)),
        _ => Err(ec.type_error(message)),
    }
}
