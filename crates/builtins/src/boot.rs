//! Bringing the core classes up: natives first, then their Ruby half, which `carat_core` holds.

use carat_vm::native::{Gate, PrimitiveDef};
use carat_vm::{Config, Denied, Ec, MainVm};

/// Registers one family of classes.
type Init = fn(&mut Ec);

/// What of files works without any: names.
const NAMES_OF_FILES: Gate = Gate(&[
    "basename",
    "dirname",
    "extname",
    "split",
    "join",
    "fnmatch",
    "fnmatch?",
    "path",
    "absolute_path?",
    "io_last_lineno",
    "io_set_last_lineno",
    "io_set_last_line",
]);
/// What of processes concerns clocks and names alone.
const CLOCKS: Gate = Gate(&["clock_gettime", "clock_getres", "list", "signame", "process_exit_handler"]);

/// What concerns other processes than the host's own.
const OTHER_PROCESSES: Gate = Gate(&[
    "clock_gettime",
    "clock_getres",
    "list",
    "signame",
    "process_exit_handler",
    "spawn",
    "system",
    "`",
    "wait",
    "waitpid",
    "wait2",
    "waitpid2",
    "waitall",
    "last_status",
    "process_status_wait",
    "pid",
    "ppid",
    "process_times",
    "env_get",
    "env_keys",
    "==",
    "&",
    ">>",
    "to_i",
    "to_s",
    "inspect",
    "pid",
    "stopped?",
    "stopsig",
    "signaled?",
    "termsig",
    "exited?",
    "exitstatus",
    "success?",
    "coredump?",
]);

/// The gate of a family that reaches outside the VM, where the host denies that.
fn gate_of(denied: Denied, reach: Reach) -> Option<Gate> {
    match reach {
        Reach::Inside => None,
        Reach::Files => denied.files.then_some(NAMES_OF_FILES),
        Reach::Processes if denied.processes => Some(CLOCKS),
        Reach::Processes => denied.host.then_some(OTHER_PROCESSES),
    }
}

/// What a family's native code touches.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reach {
    /// The VM alone.
    Inside,
    Files,
    Processes,
}

use Reach::{Files, Inside, Processes};

/// Every family, in the order in which they are initialised.
const FAMILIES: &[(Init, Reach)] = &[
    (crate::object::kernel::init, Inside),
    (crate::object::any_object::init, Inside),
    (crate::object::module::init, Inside),
    (crate::object::method::init, Inside),
    (crate::object::procs::init, Inside),
    (crate::object::binding::init, Inside),
    (crate::object::exception::init, Inside),
    (crate::system::load::init, Inside),
    (crate::number::integer::init, Inside),
    (crate::number::float::init, Inside),
    (crate::number::math::init, Inside),
    (crate::number::random::init, Inside),
    (crate::number::rational::init, Inside),
    (crate::text::string::init, Inside),
    (crate::text::symbol::init, Inside),
    (crate::text::encoding::init, Inside),
    (crate::text::format::init, Inside),
    (crate::text::regexp::init, Inside),
    (crate::collection::array::init, Inside),
    (crate::collection::hash::init, Inside),
    (crate::collection::range::init, Inside),
    (crate::collection::structs::init, Inside),
    (crate::system::io::init, Files),
    (crate::system::io_buffer::init, Files),
    (crate::system::file::init, Files),
    (crate::system::process::init, Processes),
    (crate::system::time::init, Inside),
    (crate::object::marshal::init, Inside),
    (crate::object::object_space::init, Inside),
    (crate::control::tracepoint::init, Inside),
    (crate::control::instruction_sequence::init, Inside),
    (crate::object::gc::init, Inside),
    (crate::control::fiber::init, Inside),
    (crate::control::thread::init, Inside),
    (crate::control::ractor::init, Inside),
];

/// Native halves of libraries that share code with core classes; `carat_stdlib` has those that do not.
const FEATURES: &[crate::system::load::Feature] = &[
    ("error_highlight.so", crate::object::exception::highlight::init),
    ("bigdecimal.so", crate::number::bigdecimal::init),
    ("stringio/shared.so", crate::text::stringio::init),
    ("strscan.so", crate::text::strscan::init),
    ("monitor.so", crate::control::thread::monitor::init),
];

/// Those of them that ask the system.
const FEATURES_OF_FILES: &[crate::system::load::Feature] = &[
    ("io/console.so", crate::system::io::console::init),
    ("etc.so", crate::system::etc::init),
    // It writes dumps to descriptors.
    ("objspace.so", crate::object::object_space::init_library),
];

/// Those that start programs, too.
const FEATURES_OF_PROCESSES: &[crate::system::load::Feature] = &[("pty.so", crate::system::pty::init)];

/// Every table of primitives.
fn primitives() -> Vec<(&'static [PrimitiveDef], Reach)> {
    vec![
        (crate::collection::generic::PRIMITIVES, Inside),
        (crate::object::kernel::PRIMITIVES, Inside),
        (crate::object::any_object::PRIMITIVES, Inside),
        (crate::object::module::PRIMITIVES, Inside),
        (crate::object::method::PRIMITIVES, Inside),
        (crate::object::procs::PRIMITIVES, Inside),
        (crate::object::binding::PRIMITIVES, Inside),
        (crate::object::exception::PRIMITIVES, Inside),
        (crate::system::load::PRIMITIVES, Inside),
        (crate::number::integer::PRIMITIVES, Inside),
        (crate::number::float::PRIMITIVES, Inside),
        (crate::number::math::PRIMITIVES, Inside),
        (crate::number::random::PRIMITIVES, Inside),
        (crate::number::rational::PRIMITIVES, Inside),
        (crate::text::string::PRIMITIVES, Inside),
        (crate::text::symbol::PRIMITIVES, Inside),
        (crate::text::encoding::PRIMITIVES, Inside),
        (crate::text::format::PRIMITIVES, Inside),
        (crate::collection::array::PRIMITIVES, Inside),
        (crate::collection::hash::PRIMITIVES, Inside),
        (crate::collection::range::PRIMITIVES, Inside),
        (crate::collection::structs::PRIMITIVES, Inside),
        (crate::system::io::PRIMITIVES, Files),
        (crate::system::io_buffer::PRIMITIVES, Files),
        (crate::system::file::PRIMITIVES, Files),
        (crate::system::process::PRIMITIVES, Processes),
        (crate::system::time::PRIMITIVES, Inside),
        (crate::object::marshal::PRIMITIVES, Inside),
        (crate::object::object_space::PRIMITIVES, Inside),
        (crate::control::tracepoint::PRIMITIVES, Inside),
        (crate::control::coverage::PRIMITIVES, Inside),
        (crate::control::fiber::PRIMITIVES, Inside),
        (crate::control::thread::PRIMITIVES, Inside),
        (crate::control::thread::monitor::PRIMITIVES, Inside),
        (crate::control::ractor::PRIMITIVES, Inside),
    ]
}

/// A VM with the whole core library. `native_stack` is the highest address of the running thread's stack and its size.
pub fn boot(config: Config, native_stack: (usize, usize)) -> MainVm {
    let mut main = MainVm::new(config);
    let ec = main.ec();
    ec.set_native_stack(native_stack.0, native_stack.1);
    let denied = ec.vm().config.denied;
    let tables: Vec<_> = primitives().into_iter().map(|(table, reach)| (table, gate_of(denied, reach))).collect();
    ec.define_primitives(&tables);
    ec.vm().set_hooks(hooks());
    for (init, reach) in FAMILIES {
        ec.behind_gate(gate_of(denied, *reach), init);
    }
    crate::system::load::register_features(ec, FEATURES);
    if !denied.files {
        crate::system::load::register_features(ec, FEATURES_OF_FILES);
    }
    if !denied.files && !denied.processes {
        crate::system::load::register_features(ec, FEATURES_OF_PROCESSES);
    }
    load_core(ec);
    let shared = ec.vm().intern(carat_compile::CORE_MODULE);
    ec.vm().known().object.update_constant(ec, shared, |constant| constant.is_private = true);
    ec.vm().set_booted();
    main
}

static LEAVES: &[&[carat_vm::leaf::LeafRow]] = &[
    crate::object::any_object::LEAVES,
    crate::object::any_object::SINGLETON_LEAVES,
    crate::object::module::LEAVES,
    crate::collection::generic::LEAVES,
    crate::collection::array::LEAVES,
    crate::collection::hash::LEAVES,
    crate::collection::range::LEAVES,
    crate::collection::structs::LEAVES,
    crate::number::integer::LEAVES,
    crate::number::float::LEAVES,
    crate::number::math::LEAVES,
    crate::number::random::LEAVES,
    crate::number::rational::LEAVES,
    crate::text::symbol::LEAVES,
    crate::system::process::LEAVES,
    crate::system::time::LEAVES,
    crate::text::string::LEAVES,
    crate::text::string::COMPARING_LEAVES,
    crate::text::string::WRITING_LEAVES,
    crate::text::string::PLAIN_LEAVES,
    crate::text::string::ENCODING_LEAVES,
];

fn hooks() -> carat_vm::hooks::Hooks {
    carat_vm::hooks::Hooks {
        leaves: LEAVES,
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
        new_binding: Some(crate::object::binding::new_binding_at),
        locations_to_array: Some(crate::object::exception::location::to_array),
        sequence_of: Some(crate::control::instruction_sequence::of_code),
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
