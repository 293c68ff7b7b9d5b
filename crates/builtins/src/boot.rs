//! Bringing the core classes up: natives first, then their Ruby half, which `carat_core` holds.

use carat_vm::native::PrimitiveDef;
use carat_vm::{Config, Ec, MainVm};

/// Registers one family of classes.
type Init = fn(&mut Ec);

/// Every family, in the order in which they are initialised.
const FAMILIES: &[Init] = &[
    crate::object::kernel::init,
    crate::object::any_object::init,
    crate::object::module::init,
    crate::object::method::init,
    crate::object::procs::init,
    crate::object::binding::init,
    crate::object::exception::init,
    crate::system::load::init,
    crate::number::integer::init,
    crate::number::float::init,
    crate::number::math::init,
    crate::number::random::init,
    crate::number::rational::init,
    crate::text::string::init,
    crate::text::symbol::init,
    crate::text::encoding::init,
    crate::text::format::init,
    crate::text::regexp::init,
    crate::collection::array::init,
    crate::collection::hash::init,
    crate::collection::range::init,
    crate::collection::structs::init,
    crate::system::io::init,
    crate::system::io_buffer::init,
    crate::system::file::init,
    crate::system::process::init,
    crate::system::time::init,
    crate::object::marshal::init,
    crate::object::object_space::init,
    crate::control::tracepoint::init,
    crate::control::instruction_sequence::init,
    crate::object::gc::init,
    crate::control::fiber::init,
    crate::control::thread::init,
    crate::control::ractor::init,
];

/// Native halves of libraries that share code with core classes; `carat_stdlib` has those that do not.
const FEATURES: &[crate::system::load::Feature] = &[
    ("objspace.so", crate::object::object_space::init_library),
    ("error_highlight.so", crate::object::exception::highlight::init),
    ("bigdecimal.so", crate::number::bigdecimal::init),
    ("stringio/shared.so", crate::text::stringio::init),
    ("strscan.so", crate::text::strscan::init),
    ("io/console.so", crate::system::io::console::init),
    ("etc.so", crate::system::etc::init),
];

/// Every table of primitives.
fn primitives() -> Vec<&'static [PrimitiveDef]> {
    vec![
        crate::collection::generic::PRIMITIVES,
        crate::object::kernel::PRIMITIVES,
        crate::object::any_object::PRIMITIVES,
        crate::object::module::PRIMITIVES,
        crate::object::method::PRIMITIVES,
        crate::object::procs::PRIMITIVES,
        crate::object::binding::PRIMITIVES,
        crate::object::exception::PRIMITIVES,
        crate::system::load::PRIMITIVES,
        crate::number::integer::PRIMITIVES,
        crate::number::float::PRIMITIVES,
        crate::number::math::PRIMITIVES,
        crate::number::random::PRIMITIVES,
        crate::number::rational::PRIMITIVES,
        crate::text::string::PRIMITIVES,
        crate::text::symbol::PRIMITIVES,
        crate::text::encoding::PRIMITIVES,
        crate::text::format::PRIMITIVES,
        crate::collection::array::PRIMITIVES,
        crate::collection::hash::PRIMITIVES,
        crate::collection::range::PRIMITIVES,
        crate::collection::structs::PRIMITIVES,
        crate::system::io::PRIMITIVES,
        crate::system::io_buffer::PRIMITIVES,
        crate::system::file::PRIMITIVES,
        crate::system::process::PRIMITIVES,
        crate::system::time::PRIMITIVES,
        crate::object::marshal::PRIMITIVES,
        crate::object::object_space::PRIMITIVES,
        crate::control::tracepoint::PRIMITIVES,
        crate::control::coverage::PRIMITIVES,
        crate::control::fiber::PRIMITIVES,
        crate::control::thread::PRIMITIVES,
        crate::control::ractor::PRIMITIVES,
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
    crate::system::load::register_features(ec, FEATURES);
    load_core(ec);
    let shared = ec.vm().intern(carat_compile::CORE_MODULE);
    ec.vm().known().object.update_constant(ec, shared, |constant| constant.is_private = true);
    ec.vm().set_booted();
    main
}

fn hooks() -> carat_vm::hooks::Hooks {
    carat_vm::hooks::Hooks {
        trace: Some(crate::control::tracepoint::tell),
        method_arity: Some(crate::object::method::arity_of),
        require: Some(crate::system::load::require_hook),
        progress_of: Some(crate::system::load::progress_of),
        forget_loads: Some(crate::system::load::forget_other_threads),
        end_program: Some(|ec, result| crate::system::process::end_program(ec, result)),
        new_regexp: Some(crate::text::regexp::new_regexp),
        regexp_from_parts: Some(crate::text::regexp::regexp_from_parts),
        match_part: Some(crate::text::regexp::match_part),
        match_named: Some(crate::text::regexp::match_named),
        ..carat_vm::hooks::Hooks::default()
    }
}

/// Defines the methods that are written in Ruby. A file that does not run is a mistake of the build.
fn load_core(ec: &mut Ec) {
    for (path, file) in carat_core::files() {
        if ec.run_script(file).is_err() {
            let shown =
                ec.pending_exception().map(|e| crate::object::exception::describe_exception(ec, e)).unwrap_or_default();
            panic!("{path}: {shown}");
        }
    }
}
