//! Running a program: what the command line needs of the core library.

use crate::system::load;
use carat_compile::Options;
use carat_vm::{Array, Ec, Result, Str, Value};

pub use crate::object::exception::enable_explanations;
pub use crate::object::kernel::define_line_methods;
pub use crate::object::kernel::{ExitStatus, at_last, do_last, finish};
pub use crate::system::load::{
    Carried, Library, add_load_path, enable_gems, expand, is_foreign_library, note_file, real_path, require,
    set_library,
};
pub use crate::system::load::{OtherTexts, set_other_texts};
pub use crate::system::prompt::{complete, ends_program, evaluate_at_prompt, take_report};
pub use crate::system::settings::Settings;

/// The script as it will be known: `$0`, and the file that `require_relative` and `__dir__` start from.
pub fn set_script(ec: &mut Ec, name: &str, is_file: bool) -> Result<()> {
    ec.vm().extension::<Settings>().set_script_name(name);
    if is_file {
        load::note_file(ec, name);
    }
    // Assigning it would set the title of the process.
    let value = ec.fstring(name.as_bytes(), carat_vm::EncodingIndex::UTF_8).value();
    crate::object::kernel::store_global(ec, ec.vm().intern("$0"), value);
    crate::object::binding::define_toplevel_binding(ec, name)
}

/// Fills `ARGV`.
pub fn set_arguments(ec: &mut Ec, arguments: &[Vec<u8>]) {
    let list = ec.vm().global_or_new(ec.vm().intern("$*")).get();
    let Some(list) = Array::from_value(list) else { return };
    for argument in arguments {
        let text = Str::new(ec, argument, carat_vm::EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown);
        list.push(ec, text.value());
    }
}

/// Sets a global variable (`-s`, `-F`, `-0`).
pub fn set_global(ec: &mut Ec, name: &str, text: Option<&[u8]>) -> Result<()> {
    let value = match text {
        Some(text) if name == "$/" => ec.fstring(text, carat_vm::EncodingIndex::UTF_8).value(),
        Some(text) => Str::new(ec, text, carat_vm::EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown).value(),
        None => Value::TRUE,
    };
    ec.set_global(ec.vm().intern(name), value)
}

/// `-F`: `$;` is a pattern.
pub fn set_field_separator(ec: &mut Ec, pattern: &str) -> Result<()> {
    let (class, source) = (ec.vm().known().regexp.value(), Str::from_text(ec, pattern).value());
    let pattern = ec.call(class, carat_vm::sym::NEW, &[source])?;
    ec.set_global(ec.vm().intern("$;"), pattern)
}

/// Switches a category of `Warning[]`; whether there is such a category.
pub fn set_warning_category(ec: &Ec, name: &str, is_on: bool) -> bool {
    let switch = crate::object::kernel::warning_switch(ec, name);
    if let Some(switch) = switch {
        switch.store(is_on, std::sync::atomic::Ordering::Relaxed);
    }
    switch.is_some()
}

/// Takes the encoding that the locale names; one that nobody knows changes nothing.
pub fn set_locale(ec: &Ec, codeset: &str) {
    if let Some(index) = crate::text::encoding::find_by_name(ec, codeset.as_bytes()) {
        crate::text::encoding::set_locale(ec, index);
    }
}

/// `Encoding.default_external = name` or its internal counterpart.
pub fn set_default_encoding(ec: &mut Ec, which: &str, name: &str) -> Result<()> {
    if crate::text::encoding::find_by_name(ec, name.as_bytes()).is_none() {
        return Err(ec.runtime_error(&format!("unknown encoding name - {name}")));
    }
    let (class, name) = (ec.vm().known().encoding.value(), Str::from_text(ec, name).value());
    ec.call(class, ec.vm().intern(which), &[name])?;
    Ok(())
}

/// Compiles and runs the main script; `file` is where `DATA` reads. Of a script that came as standard input that goes on.
/// Its name tells profiles where the program begins.
#[inline(never)]
pub fn run_main(ec: &mut Ec, source: &[u8], options: &Options<'_>, file: Option<&str>) -> Result {
    let options = &Options { coverage: crate::control::coverage::of_file(ec), ..*options };
    let program = load::compile_or_raise(ec, source, options)?;
    match (program.data_offset, file) {
        (Some(offset), Some(file)) => load::define_data(ec, file, offset)?,
        (Some(offset), None) if options.path == "-" => {
            load::define_data_of_input(ec, source.get(offset..).unwrap_or_default());
        }
        _ => {}
    }
    if program.names_toplevel_binding {
        return crate::object::binding::run_in_toplevel_binding(ec, source, options);
    }
    ec.run_script(program.iseq)
}

/// The text of a syntax error, for `-c`.
pub use crate::object::syntax_error::{is_about_encoding, message as syntax_error_message};

/// `-r`: through `Kernel#require`, which a library may have replaced.
pub fn require_library(ec: &mut Ec, feature: &str) -> Result<()> {
    load::require_hook(ec, feature).map(|_| ())
}
