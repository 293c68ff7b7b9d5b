//! From source text to code: compiling, its warnings and errors.

use crate::object::syntax_error;
use carat_compile::{Diagnostic, Job, LARGE, Level, Options, Program, SyntaxError};
use carat_vm::{Ec, Result, Str, sym};

/// The tree of a source of so many bytes takes a megabyte or more.
const LEAVES_MUCH: usize = 32 << 10;

/// Compiles on as much native stack as the source may take.
pub(crate) fn compile(
    ec: &mut Ec,
    source: &[u8],
    options: &Options<'_>,
) -> Result<std::result::Result<Program, SyntaxError>> {
    let compiled = compile_somewhere(ec, source, options);
    if source.len() >= LEAVES_MUCH {
        carat_os::trim_system_allocator();
    }
    compiled
}

fn compile_somewhere(
    ec: &mut Ec,
    source: &[u8],
    options: &Options<'_>,
) -> Result<std::result::Result<Program, SyntaxError>> {
    let left = ec.native_stack_left();
    let regexp_checks = (!options.is_core).then_some(crate::text::regexp::REGEXP_CHECKS);
    let marks_strings = !options.is_core && crate::control::compile_options::marks_strings(ec);
    let options = &Options { regexp_checks, marks_strings, ..*options };
    if source.len() >= LARGE && !options.is_core {
        return compile_large(ec, source, options);
    }
    let compile = || with_stack(source, left, || carat_compile::compile(source, options));
    // Where address space is limited the thread for it may want what was put by.
    let compiled = compile().or_else(|| carat_vm::reserve::lend(compile));
    compiled.ok_or_else(|| ec.stack_error())
}

/// Reads a source as the compiler does, on a thread of its own if less stack is `left` of the running one's than that may take.
/// Without such a thread the answer is `None`.
pub(crate) fn with_stack<T: Send>(source: &[u8], left: usize, read: impl FnOnce() -> T + Send) -> Option<T> {
    if left >= carat_compile::stack_needed(source) {
        return Some(read());
    }
    carat_os::thread::on_stack("compile", Job::STACK_BYTES, read)
}

/// What compiling takes, about: two hundred bytes for a word, measured with arrays of integers.
fn memory_needed(source: &[u8]) -> usize {
    let ends_word = |pair: &&[u8]| pair[0].is_ascii_alphanumeric() && !pair[1].is_ascii_alphanumeric();
    source.len() * 2 + source.windows(2).filter(ends_word).count() * 200
}

/// Compiles beside the running thread, which goes away when it is interrupted: nothing can be asked of the parser.
fn compile_large(
    ec: &mut Ec,
    source: &[u8],
    options: &Options<'_>,
) -> Result<std::result::Result<Program, SyntaxError>> {
    // The parser ends the process when it is refused memory; its thread's stack comes out of the same space before.
    if carat_vm::address_space_limit().is_some() {
        ec.ensure_memory(memory_needed(source).saturating_add(Job::STACK_BYTES))?;
    }
    let begin = |ec: &mut Ec| {
        let job = Job::new(source, options);
        ec.beside("compile", Job::STACK_BYTES, move || job.run())
    };
    let compiled = begin(ec)?;
    // As above.
    let compiled = match compiled {
        None => carat_vm::reserve::lend(|| begin(ec))?,
        compiled => compiled,
    };
    compiled.ok_or_else(|| ec.no_memory())
}

/// Compiles; `SyntaxError` is raised, and warnings are given as far as `$VERBOSE` asks for them.
pub(crate) fn compile_or_raise(ec: &mut Ec, source: &[u8], options: &Options<'_>) -> Result<Program> {
    let mut program = compile_unlisted(ec, source, options)?;
    crate::control::coverage::attach(ec, &mut program, source, options);
    Ok(program)
}

/// The same, of code that nobody runs.
pub(crate) fn compile_unlisted(ec: &mut Ec, source: &[u8], options: &Options<'_>) -> Result<Program> {
    let program = match compile(ec, source, options)? {
        Ok(program) => program,
        Err(error) => {
            give_warnings(ec, options, &error.warnings)?;
            return Err(syntax_error::raise(ec, source, options.path, options.first_line, &error));
        }
    };
    give_warnings(ec, options, &program.warnings)?;
    crate::control::tracepoint::script_compiled(ec, source, &program.iseq)?;
    Ok(program)
}

fn give_warnings(ec: &mut Ec, options: &Options<'_>, warnings: &[Diagnostic]) -> Result<()> {
    for warning in warnings {
        if ec.verbose().is_nil() || (warning.level == Level::VerboseWarning && !ec.verbose().is_true()) {
            continue;
        }
        let text =
            format!("{}:{}: warning: {}\n", options.path, warning.line, String::from_utf8_lossy(&warning.message));
        let text = Str::from_text(ec, &text).value();
        let module = ec.vm().known().warning.value();
        ec.call(module, sym::WARN, &[text])?;
    }
    Ok(())
}
