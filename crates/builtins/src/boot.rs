//! Bringing the core classes up: natives first, then the Ruby half of the library.

use carat_vm::native::PrimitiveDef;
use carat_vm::{Config, Ec, MainVm};

/// Registers one family of classes.
type Init = fn(&mut Ec);

/// Every family, in the order in which they are initialised.
const FAMILIES: &[Init] = &[
    crate::kernel::init,
    crate::object::init,
    crate::module::init,
    crate::method::init,
    crate::procs::init,
    crate::binding::init,
    crate::exception::init,
    crate::load::init,
    crate::integer::init,
    crate::float::init,
    crate::math::init,
    crate::random::init,
    crate::rational::init,
    crate::string::init,
    crate::symbol::init,
    crate::encoding::init,
    crate::format::init,
    crate::regexp::init,
    crate::array::init,
    crate::hash::init,
    crate::range::init,
    crate::structs::init,
    crate::io::init,
    crate::io_buffer::init,
    crate::file::init,
    crate::process::init,
    crate::time::init,
    crate::marshal::init,
    crate::object_space::init,
    crate::tracepoint::init,
    crate::instruction_sequence::init,
    crate::gc::init,
    crate::fiber::init,
    crate::thread::init,
    crate::ractor::init,
];

/// Every table of primitives.
fn primitives() -> Vec<&'static [PrimitiveDef]> {
    vec![
        crate::generic::PRIMITIVES,
        crate::kernel::PRIMITIVES,
        crate::object::PRIMITIVES,
        crate::module::PRIMITIVES,
        crate::method::PRIMITIVES,
        crate::procs::PRIMITIVES,
        crate::binding::PRIMITIVES,
        crate::exception::PRIMITIVES,
        crate::load::PRIMITIVES,
        crate::integer::PRIMITIVES,
        crate::float::PRIMITIVES,
        crate::math::PRIMITIVES,
        crate::random::PRIMITIVES,
        crate::rational::PRIMITIVES,
        crate::string::PRIMITIVES,
        crate::symbol::PRIMITIVES,
        crate::encoding::PRIMITIVES,
        crate::format::PRIMITIVES,
        crate::array::PRIMITIVES,
        crate::hash::PRIMITIVES,
        crate::range::PRIMITIVES,
        crate::structs::PRIMITIVES,
        crate::io::PRIMITIVES,
        crate::io_buffer::PRIMITIVES,
        crate::file::PRIMITIVES,
        crate::process::PRIMITIVES,
        crate::time::PRIMITIVES,
        crate::marshal::PRIMITIVES,
        crate::object_space::PRIMITIVES,
        crate::tracepoint::PRIMITIVES,
        crate::coverage::PRIMITIVES,
        crate::fiber::PRIMITIVES,
        crate::thread::PRIMITIVES,
        crate::ractor::PRIMITIVES,
    ]
}

/// A VM with the whole core library. `native_stack` is the highest address of the running thread's stack and its size.
pub fn boot(config: Config, native_stack: (usize, usize)) -> MainVm {
    let mut main = MainVm::new(config);
    let ec = main.ec();
    ec.set_native_stack(native_stack.0, native_stack.1);
    let tables = primitives();
    ec.define_primitives(&tables);
    ec.vm().set_hooks(hooks());
    for init in FAMILIES {
        init(ec);
    }
    crate::core_library::load(ec);
    let primitives = ec.vm().intern(carat_compile::PRIMITIVES);
    ec.vm().known().object.update_constant(ec, primitives, |constant| constant.is_private = true);
    ec.vm().set_booted();
    main
}

fn hooks() -> carat_vm::hooks::Hooks {
    carat_vm::hooks::Hooks {
        trace: Some(crate::tracepoint::tell),
        method_arity: Some(crate::method::arity_of),
        require: Some(crate::load::require_hook),
        progress_of: Some(crate::load::progress_of),
        forget_loads: Some(crate::load::forget_other_threads),
        end_program: Some(|ec, result| crate::process::end_program(ec, result)),
        new_regexp: Some(crate::regexp::new_regexp),
        regexp_from_parts: Some(crate::regexp::regexp_from_parts),
        match_part: Some(crate::regexp::match_part),
        match_named: Some(crate::regexp::match_named),
        ..carat_vm::hooks::Hooks::default()
    }
}
