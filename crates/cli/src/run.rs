//! From options to a running program.

use crate::help;
use crate::library;
use crate::options::{self, Options, Show};
use crate::prompt;
use crate::script::{self, Script};
use carat_builtins::program::{self, ExitStatus, Library};
use carat_compile::CommandLine;
use carat_vm::{Config, Ec, Jit, Value};
use std::ffi::{OsStr, OsString};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;

/// How the process is to end.
pub enum Ended {
    Code(i32),
    Signal(i32),
}

/// Looks on while a program runs.
pub struct Observer<'a> {
    /// Files that are to be loaded as if they held these texts, the program's own among them.
    pub other_texts: program::OtherTexts,
    /// Called before the program's first line, when its libraries (`-r`) are loaded.
    pub begin: &'a mut dyn FnMut(&mut Ec),
    /// Called after its last, when its exit blocks and finalizers have run, however it ended: by `exit!` too, which runs none.
    pub end: Box<dyn FnOnce(&mut Ec) + Send>,
}

/// Runs a program that a command line for `carat` names, while somebody looks on; or says why that cannot be.
pub fn observed(own: &str, words: &[String], stack_bytes: usize, observer: Observer<'_>) -> Result<Ended, String> {
    let words: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
    let options = options::read(&words, std::env::var("RUBYOPT").ok().as_deref())?;
    if options.show.is_some() || options.check_syntax || options.dump.is_some() {
        return Err("only programs that run can be looked at".into());
    }
    let Observer { other_texts, begin, end } = observer;
    let script = script::find(&options, &other_texts)?;
    let body = |ec: &mut Ec| {
        program::set_other_texts(ec, other_texts);
        set_up(ec, own, &options, &script)?;
        program::at_last(ec, end);
        begin(ec);
        run(ec, &options, &script)
    };
    Ok(with_vm(&options, stack_bytes, body))
}

/// Everything between the command line and the end of the process. `stack_bytes` is what the running thread has.
pub fn main(arguments: &[OsString], stack_bytes: usize) -> Ended {
    let words: Vec<Vec<u8>> = arguments.iter().map(|word| word.as_bytes().to_vec()).collect();
    let (own, rest) = words.split_first().map_or((&b"carat"[..], &[][..]), |(own, rest)| (own.as_slice(), rest));
    let own = &*String::from_utf8_lossy(own);
    let rubyopt = std::env::var("RUBYOPT").ok();
    match options::read(rest, rubyopt.as_deref()) {
        Ok(options) => start(own, options, stack_bytes),
        Err(message) => fail(own, &message),
    }
}

pub(crate) fn print(text: &str) {
    let _ = std::io::stdout().write_all(text.as_bytes());
}

pub(crate) fn complain(text: &str) {
    let _ = std::io::stderr().write_all(text.as_bytes());
}

fn fail(own: &str, message: &str) -> Ended {
    complain(&format!("{own}: {message}\n"));
    Ended::Code(1)
}

fn start(own: &str, options: Options, stack_bytes: usize) -> Ended {
    options.warnings.iter().for_each(|w| complain(&format!("{own}: warning: {w}\n")));
    match options.show {
        Some(Show::Version) => return shown(&help::version_line()),
        Some(Show::Copyright) => return shown(&help::copyright_line()),
        Some(Show::Usage) => return shown(&help::usage(own, false)),
        Some(Show::Help) => return shown(&help::usage(own, true)),
        None => {}
    }
    if options.print_version {
        print(&help::version_line());
        if options.code.is_none() && options.script.is_none() {
            return Ended::Code(0);
        }
    }
    for folder in [options.folder.as_deref(), options.skip_to_ruby.as_deref()].into_iter().flatten() {
        if !folder.is_empty() && std::env::set_current_dir(OsStr::from_bytes(folder)).is_err() {
            return fail(own, &format!("Can't chdir to {} (fatal)", String::from_utf8_lossy(folder)));
        }
    }
    if prompt::is_wanted(&options) {
        return prompt::run(&options, stack_bytes, |ec| set_up(ec, own, &options, &prompt::script()));
    }
    match script::find(&options, &program::OtherTexts::default()) {
        Ok(script) => match options::of_first_line(&script.source, options) {
            Ok(options) => with_script(own, &options, &script, stack_bytes),
            Err(message) => fail(own, &message),
        },
        Err(message) => fail(own, &message),
    }
}

fn shown(text: &str) -> Ended {
    print(text);
    Ended::Code(0)
}

fn compile_options<'a>(options: &Options, script: &'a Script) -> carat_compile::Options<'a> {
    let shebang_flags = CommandLine { x: false, ..options.flags };
    carat_compile::Options {
        // The parser looks for "ruby" in the first line.
        main_script: !script::names_carat(&script.source),
        frozen_string_literal: options.frozen_string_literal,
        marks_strings: options.marks_strings,
        command_line: shebang_flags,
        encoding: options.source_encoding,
        regexp_checks: Some(carat_builtins::REGEXP_CHECKS),
        first_line: script.first_line,
        ..carat_compile::Options::file(&script.name)
    }
}

fn with_script(own: &str, options: &Options, script: &Script, stack_bytes: usize) -> Ended {
    if options.check_syntax || options.dump.is_some() {
        return inspect(own, options, script);
    }
    with_vm(options, stack_bytes, |ec| {
        set_up(ec, own, options, script)?;
        run(ec, options, script)
    })
}

/// What `mkmf` asks of the C interface.
const C_INTERFACE: &[carat_builtins::Feature] = &[("mkmf/headers.so", carat_capi::init_headers)];

/// Boots a VM, runs something in it, and ends it as a program ends.
pub(crate) fn with_vm(options: &Options, stack_bytes: usize, body: impl FnOnce(&mut Ec) -> carat_vm::Result) -> Ended {
    let frozen_string_literal = options.frozen_string_literal;
    let show_graph = options.dumps_ssa.then_some(complain as fn(&str));
    let show_machine_code = options.dumps_asm.then_some(complain as fn(&str));
    let gc_stress = gc_stress();
    let (jit, machine_code_bytes) = jit(options);
    let own = Config { owns_process: true, marks_strings: options.marks_strings, ..Config::default() };
    let config =
        Config { gc_stress, frozen_string_literal, jit, machine_code_bytes, show_graph, show_machine_code, ..own };
    let marker = 0u8;
    let base = std::ptr::from_ref(&marker).addr();
    // What lies above this frame, and guard pages, are not ours to use.
    const MARGIN: usize = 1 << 20;
    let mut main = carat_builtins::boot(config, (base, stack_bytes - MARGIN));
    let ec = main.ec();
    carat_builtins::register_features(ec, carat_stdlib::FEATURES);
    carat_builtins::register_features(ec, carat_stdlib::FEATURES_OF_FILES);
    carat_builtins::register_features(ec, C_INTERFACE);
    carat_capi::register(ec);
    let result = body(ec);
    let status = program::finish(ec, result);
    program::do_last(ec);
    main.abandon();
    match status {
        ExitStatus::Code(code) => Ended::Code(code),
        ExitStatus::Signal(number) => Ended::Signal(number),
    }
}

/// `CARAT_GC_STRESS=SEED:N`: one poll in N collects.
fn gc_stress() -> Option<(u64, u64)> {
    let text = std::env::var("CARAT_GC_STRESS").ok()?;
    let (seed, period) = text.split_once(':')?;
    Some((seed.parse().ok()?, period.parse().ok().filter(|p| *p > 0)?))
}

/// `CARAT_JIT=MODE`, `MODE,limit:BYTES` with the most machine code that each Ractor may have, or else what the options say.
fn jit(options: &Options) -> (Jit, Option<usize>) {
    let text = std::env::var("CARAT_JIT").unwrap_or_default();
    let (mode, limit) = text.split_once(",limit:").map_or((&*text, None), |(mode, n)| (mode, n.parse().ok()));
    (jit_mode(options, mode), limit.or_else(|| Some(options.machine_code_megabytes? << 20)))
}

/// `off|t1|t1:N|t2|t2:N|always|always2|exits:N|exits2:N`.
fn jit_mode(options: &Options, text: &str) -> Jit {
    if let Some(n) = text.strip_prefix("exits2:").and_then(|n| n.parse().ok()).filter(|n| *n > 0) {
        return Jit::OptimizingExits(n);
    }
    if let Some(n) = text.strip_prefix("t2:").and_then(|n| n.parse().ok()).filter(|n| *n > 0) {
        return Jit::Optimizing(n);
    }
    if let Some(n) = text.strip_prefix("t1:").and_then(|n| n.parse().ok()).filter(|n| *n > 0) {
        return Jit::HotAfter(n);
    }
    match (text, text.strip_prefix("exits:").and_then(|n| n.parse().ok())) {
        (_, Some(n)) if n > 0 => Jit::Exits(n),
        ("off", _) => Jit::Off,
        ("always2", _) => Jit::OptimizingAlways,
        ("t1", _) => Jit::Hot,
        ("always", _) => Jit::Always,
        _ if options.jit == Some(false) => Jit::Off,
        // `t2`, too.
        _ => Jit::default(),
    }
}

/// `-c` and `--dump`.
fn inspect(own: &str, options: &Options, script: &Script) -> Ended {
    let compile_options = compile_options(options, script);
    let program = match carat_compile::compile(&script.source, &compile_options) {
        Ok(program) => program,
        Err(error) => {
            let text = program::syntax_error_message(&script.source, &script.name, script.first_line, &error);
            let text = String::from_utf8_lossy(&text).into_owned();
            let class = if program::is_about_encoding(&error) { "ArgumentError" } else { "SyntaxError" };
            return fail(own, &text.replacen('\n', &format!(" ({class})\n"), 1));
        }
    };
    for warning in &program.warnings {
        let level = options.warning_level.unwrap_or(1);
        if level == 2 || level == 1 && warning.level != carat_compile::Level::VerboseWarning {
            let message = String::from_utf8_lossy(&warning.message);
            complain(&format!("{}:{}: warning: {message}\n", script.name, warning.line));
        }
    }
    match options.dump.as_deref() {
        None => shown("Syntax OK\n"),
        Some("insns") => shown(&carat_iseq::disassemble(&program.iseq)),
        Some("parsetree" | "prism_parsetree") => shown(&carat_compile::parse_tree(&script.source, &compile_options)),
        Some("yydebug") => Ended::Code(0),
        Some("version") => shown(&help::version_line()),
        Some("copyright") => shown(&help::copyright_line()),
        Some(_) => Ended::Code(1),
    }
}

fn run(ec: &mut Ec, options: &Options, script: &Script) -> carat_vm::Result {
    let file = script.is_file.then_some(script.name.as_str());
    ec.vm().give_back_code_pages();
    program::run_main(ec, &script.source, &compile_options(options, script), file)
}

fn set_up(ec: &mut Ec, own: &str, options: &Options, script: &Script) -> carat_vm::Result<()> {
    set_warnings(ec, options);
    let library = library::find();
    carat_builtins::version::define(ec, own, library.folder(), &carat_capi::header_folder());
    set_load_path(ec, options, library);
    let (switches, arguments) = switches(options);
    program::set_arguments(ec, arguments);
    program::set_script(ec, &script.name, script.is_file)?;
    let settings = ec.vm().extension::<program::Settings>();
    settings.set_backtrace_limit(options.backtrace_limit);
    settings.print_loop.store(options.flags.p, std::sync::atomic::Ordering::Relaxed);
    settings.chomp_loop.store(options.flags.l, std::sync::atomic::Ordering::Relaxed);
    settings.split_loop.store(options.flags.a, std::sync::atomic::Ordering::Relaxed);
    if options.flags.n || options.flags.p {
        program::define_line_methods(ec);
    }
    if let Some(codeset) = codeset() {
        program::set_locale(ec, &codeset);
    }
    set_variables(ec, options)?;
    for (name, value) in switches {
        if !name[1..].chars().all(|c| c.is_alphanumeric() || c == '_') {
            let message = format!("invalid name for global variable - -{}", &name[1..]);
            return Err(ec.error(ec.vm().known().name_error, &message));
        }
        program::set_global(ec, &name, value.as_deref())?;
    }
    let features = options.features;
    if features.gems {
        program::enable_gems(ec);
        program::enable_explanations(ec, features.error_highlight, features.did_you_mean);
    }
    for feature in &options.requires {
        program::require_library(ec, feature)?;
    }
    Ok(())
}

fn set_warnings(ec: &mut Ec, options: &Options) {
    let verbose = match options.warning_level {
        Some(0) => Value::NIL,
        Some(2) => Value::TRUE,
        _ => Value::FALSE,
    };
    ec.vm().set_verbose(verbose);
    if options.warning_level == Some(2) {
        program::set_warning_category(ec, "deprecated", true);
        program::set_warning_category(ec, "strict_unused_block", false);
    }
    for (name, is_on) in &options.categories {
        program::set_warning_category(ec, name, *is_on);
    }
}

/// The encoding that the environment's locale names. Where nothing names a locale we stay with UTF-8, unlike C.
fn codeset() -> Option<String> {
    let variables = ["LC_ALL", "LC_CTYPE", "LANG"];
    let locale = variables.iter().filter_map(|name| std::env::var(name).ok()).find(|locale| !locale.is_empty())?;
    match locale.as_str() {
        "C" | "POSIX" => Some("US-ASCII".into()),
        _ => locale.split_once('.').map(|(_, codeset)| codeset.split('@').next().unwrap_or(codeset).to_string()),
    }
}

/// `-I`, then `RUBYLIB` as it is written, then Carat's own library, and behind it another Ruby's.
fn set_load_path(ec: &mut Ec, options: &Options, library: Library) {
    let environment = std::env::var("RUBYLIB").unwrap_or_default();
    let named = options.load_path.iter().map(|folder| program::expand(folder));
    let named = named.chain(environment.split(':').filter(|folder| !folder.is_empty()).map(String::from));
    let (foreign, own): (Vec<String>, Vec<String>) = named.partition(|folder| program::is_foreign_library(folder));
    own.iter().for_each(|folder| program::add_load_path(ec, folder, false));
    program::set_library(ec, library);
    foreign.iter().for_each(|folder| program::add_load_path(ec, folder, false));
}

fn set_variables(ec: &mut Ec, options: &Options) -> carat_vm::Result<()> {
    if let Some(separator) = &options.field_separator {
        program::set_field_separator(ec, separator)?;
    }
    match &options.record_separator {
        Some(Some(separator)) => program::set_global(ec, "$/", Some(separator))?,
        Some(None) => ec.set_global(ec.vm().intern("$/"), Value::NIL)?,
        None => {}
    }
    if options.flags.l {
        let separator = ec.global(ec.vm().intern("$/"))?;
        ec.set_global(ec.vm().intern("$\\"), separator)?;
    }
    if options.debug {
        program::set_global(ec, "$DEBUG", None)?;
    }
    if let Some(extension) = &options.in_place {
        program::set_global(ec, "$-i", Some(extension.as_bytes()))?;
    }
    if let Some(name) = &options.external_encoding {
        program::set_default_encoding(ec, "default_external=", name)?;
    }
    if let Some(name) = &options.internal_encoding {
        program::set_default_encoding(ec, "default_internal=", name)?;
    }
    Ok(())
}

/// Global variables and their text; `None` is true.
type Switches = Vec<(String, Option<Vec<u8>>)>;

/// `-s`: `-name` and `-name=value` behind the script become global variables.
fn switches(options: &Options) -> (Switches, &[Vec<u8>]) {
    let mut rest = options.arguments.as_slice();
    let mut found = Vec::new();
    while options.parse_switches
        && let Some((first, others)) = rest.split_first()
        && first.len() > 1
        && first[0] == b'-'
    {
        rest = others;
        if first == b"--" {
            break;
        }
        let mut parts = first[1..].splitn(2, |byte| *byte == b'=');
        let name = String::from_utf8_lossy(parts.next().unwrap_or_default()).replace('-', "_");
        found.push((format!("${name}"), parts.next().map(<[u8]>::to_vec)));
    }
    (found, rest)
}
