//! `require`, `require_relative`, `load` and `autoload`.
//!
//! # Where files come from
//! `$LOAD_PATH`, then Carat's own library: the folder `lib` beside the project, or `lib/carat` beside the folder of the
//! executable, which the command line puts at the end of `$LOAD_PATH`. Only Ruby files are loaded: features that CRuby
//! implements in C are part of the core or Ruby files of the library here.
//!
//! # Invariants
//! A feature is in `$LOADED_FEATURES` once its file ran to its end; while it runs it is in [`State::progress`].

mod progress;

use crate::exception::errno_error;
use crate::syntax_error;
use carat_compile::{Diagnostic, Job, LARGE, Level, Options, Program, RegexpCheck, SyntaxError, compile_with_stack};
use carat_sync::{Mutex, MutexGuard};
use carat_vm::class::{Constant, Pending};
use carat_vm::{Array, Class, Ec, EncodingIndex, Name, Rest, Result, Str, Unwind, Value, methods, primitives, sym};
use progress::{Progress, Start};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

methods! {
    METHODS {
        module_function "require" => require_method;
        module_function "require_relative" => require_relative;
        module_function "load" => load;
        module_function "autoload" => autoload;
        module_function "autoload?" => is_autoload;
    }
}

methods! {
    LOAD_PATH { "resolve_feature_path" => resolve_feature_path; }
}

methods! {
    GEMS { private "gem" => gem; }
}

primitives! {
    PRIMITIVES {}
}

/// Features that are part of the core, without their extensions.
const CORE_FEATURES: &[&str] = &[
    "thread",
    "enumerator",
    "rational",
    "complex",
    "fiber",
    "ruby2_keywords",
    "set",
    "rbconfig",
    "io/wait",
    "continuation",
];

/// Native halves of libraries: the Ruby file of the same name requires them.
const NATIVE_FEATURES: &[(&str, Init)] = &[
    ("objspace.so", crate::object_space::init_library),
    ("error_highlight.so", crate::exception::highlight::init),
    ("digest.so", crate::digest::init),
    ("json/ext/parser.so", crate::json::init_parser),
    ("json/ext/generator.so", crate::json::init_generator),
    ("msgpack.so", crate::msgpack::init),
    ("oj.so", crate::oj::init),
    ("openssl.so", crate::openssl::init),
    ("zlib.so", crate::zlib::init),
    ("io/console.so", crate::io::console::init),
    ("socket.so", crate::socket::init),
];

type Init = fn(&mut Ec);

/// Per VM: what is being loaded, and the real paths of what ran.
#[derive(Default)]
struct State {
    progress: Progress,
    /// Path of the code as labels show it, and the file's real path.
    real_paths: Mutex<Vec<(String, String)>>,
    /// The folder of Carat's own library.
    library: Mutex<Option<String>>,
    has_gems: AtomicBool,
}

fn state(ec: &Ec) -> Arc<State> {
    ec.vm().extension::<State>()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

pub(crate) fn init(ec: &mut Ec) {
    ec.define_methods(ec.vm().known().kernel, METHODS);
    define_list(ec, "$LOAD_PATH", &["$:", "$-I"]);
    define_list(ec, "$LOADED_FEATURES", &["$\""]);
    let list = global_array(ec, "$LOAD_PATH").value();
    ec.define_methods(ec.singleton_class_of(list).expect("an array can have a singleton class"), LOAD_PATH);
    let features = loaded_features(ec);
    for feature in
        ["enumerator.so", "thread.rb", "fiber.so", "rational.so", "complex.so", "ruby2_keywords.rb", "set.rb"]
    {
        features.push(ec, Str::from_text(ec, feature).value());
    }
}

/// A global array that cannot be replaced, and its other names.
fn define_list(ec: &Ec, name: &str, aliases: &[&str]) {
    let mut variable = carat_vm::vm::GlobalVariable::plain(Array::new(ec, 0).value(), true);
    variable.setter = Some(crate::kernel::read_only);
    let symbol = ec.vm().intern(name);
    ec.vm().define_global(symbol, variable);
    aliases.iter().for_each(|a| ec.vm().alias_global(ec.vm().intern(a), symbol));
}

fn global_array(ec: &Ec, name: &str) -> Array {
    let variable = ec.vm().global_or_new(ec.vm().intern(name));
    Array::from_value(variable.get()).unwrap_or_else(|| Array::new(ec, 0))
}

fn loaded_features(ec: &Ec) -> Array {
    global_array(ec, "$LOADED_FEATURES")
}

/// Adds a folder to the end of `$LOAD_PATH`, or to its front.
pub fn add_load_path(ec: &Ec, folder: &str, in_front: bool) {
    let list = global_array(ec, "$LOAD_PATH");
    let value = Str::from_text(ec, folder).value();
    if in_front { list.push_front(ec, Array::from_slice(ec, &[value])) } else { list.push(ec, value) }
}

// ---- paths ----

/// An absolute path without `.` and `..`, links left as they are.
pub fn expand(path: &str) -> String {
    let home = || std::env::var("HOME").unwrap_or_default();
    let path = match path.strip_prefix('~') {
        Some(rest) if rest.is_empty() || rest.starts_with('/') => format!("{}{rest}", home()),
        _ => path.to_string(),
    };
    let full = if path.starts_with('/') {
        PathBuf::from(&path)
    } else {
        std::env::current_dir().unwrap_or_default().join(&path)
    };
    let mut clean = PathBuf::new();
    for part in full.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                clean.pop();
            }
            part => clean.push(part),
        }
    }
    clean.to_string_lossy().into_owned()
}

fn real_path(path: &str) -> String {
    std::fs::canonicalize(path).map_or_else(|_| path.to_string(), |p| p.to_string_lossy().into_owned())
}

/// Notes which file the code labelled `path` is.
pub fn note_file(ec: &Ec, path: &str) {
    let real = real_path(&expand(path));
    lock(&state(ec).real_paths).push((path.to_string(), real));
}

/// The real path of the file that code labelled `path` came from; `None` for code of no file.
pub(crate) fn absolute_path_of(ec: &Ec, path: &str) -> Option<String> {
    if path == "-e" || path.starts_with("(eval ") || path.starts_with("<internal:") {
        return None;
    }
    let state = state(ec);
    let known = lock(&state.real_paths).iter().rev().find(|(p, _)| p == path).map(|(_, real)| real.clone());
    known.or_else(|| Path::new(path).exists().then(|| real_path(&expand(path))))
}

/// A path argument: `to_path`, then `to_str`.
fn path_argument(ec: &mut Ec, value: Value) -> Result<String> {
    let value = match Str::from_value(value) {
        Some(_) => value,
        None => ec.try_convert(value, sym::TO_PATH)?.unwrap_or(value),
    };
    let text = ec.to_str(value)?;
    if text.bytes(ec).contains(&0) {
        return Err(ec.argument_error("string contains null byte"));
    }
    Ok(text.to_text(ec))
}

fn is_file(path: &str) -> bool {
    Path::new(path).is_file()
}

/// The folders of `$LOAD_PATH`, expanded, links followed.
fn load_path(ec: &mut Ec) -> Result<Vec<String>> {
    let list = global_array(ec, "$LOAD_PATH").duplicate(ec);
    let mut folders = Vec::with_capacity(list.len(ec));
    for index in 0..list.len(ec) {
        let folder = path_argument(ec, list.at(ec, index))?;
        folders.push(real_path(&expand(&folder)));
    }
    Ok(folders)
}

/// `$LOAD_PATH.resolve_feature_path(feature)`: kind and path of what `require` would load; nil if there is none.
fn resolve_feature_path(ec: &mut Ec, _this: Value, feature: Value) -> Result<Option<Array>> {
    let feature = path_argument(ec, feature)?;
    let Some(path) = find_feature(ec, &feature)? else { return Ok(None) };
    let (kind, path) = (Value::symbol(ec.vm().intern("rb")), Str::from_text(ec, &path).value());
    Ok(Some(Array::pair(ec, kind, path)))
}

fn is_explicit(path: &str) -> bool {
    path.starts_with('/') || path.starts_with("./") || path.starts_with("../") || path.starts_with('~')
}

/// The file of a feature. `.rb` may be left out; `.so` stands for the Ruby file that takes a C extension's place.
fn find_feature(ec: &mut Ec, feature: &str) -> Result<Option<String>> {
    let with_extension = match feature.strip_suffix(".so") {
        Some(stem) => format!("{stem}.rb"),
        None if feature.ends_with(".rb") => feature.to_string(),
        None => format!("{feature}.rb"),
    };
    if is_explicit(feature) {
        let path = expand(&with_extension);
        return Ok(is_file(&path).then_some(path));
    }
    Ok(load_path(ec)?.into_iter().map(|folder| expand(&format!("{folder}/{with_extension}"))).find(|p| is_file(p)))
}

// ---- require ----

fn require_method(ec: &mut Ec, _this: Value, feature: Value) -> Result<bool> {
    let feature = path_argument(ec, feature)?;
    require(ec, &feature)
}

/// Loads a feature unless it is loaded; whether it was.
pub fn require(ec: &mut Ec, feature: &str) -> Result<bool> {
    if !ec.ractor().is_main() {
        let feature = ec.fstring(feature.as_bytes(), EncodingIndex::UTF_8).value();
        return Ok(ec.require_in_main_ractor(feature)?.truthy());
    }
    let stem = feature.trim_end_matches(".rb").trim_end_matches(".so");
    if CORE_FEATURES.contains(&stem) || is_provided(ec, feature)? {
        return Ok(false);
    }
    if let Some((name, init)) = NATIVE_FEATURES.iter().find(|(name, _)| *name == feature) {
        init(ec);
        let list = loaded_features(ec);
        list.push(ec, Str::from_text(ec, name).value());
        return Ok(true);
    }
    let Some(path) = find_feature(ec, feature)? else {
        let is_listed = has_feature(ec, &|loaded| loaded == feature);
        return if is_listed { Ok(false) } else { require_from_gem(ec, feature) };
    };
    loop {
        if is_loaded(ec, &path) {
            return Ok(false);
        }
        match state(ec).progress.start(ec, &path)? {
            Start::Mine => return load_feature(ec, &path).map(|()| true),
            Start::Circular => {
                ec.warn_verbose(&format!("loading in progress, circular require considered harmful - {path}"))?;
                return Ok(false);
            }
            Start::Ended => {}
        }
    }
}

/// Puts the gem that has the feature on the load path, and loads it from there.
fn require_from_gem(ec: &mut Ec, feature: &str) -> Result<bool> {
    if !is_explicit(feature) && state(ec).has_gems.load(Ordering::Relaxed) && activate_gem(ec, feature)? {
        return require(ec, feature);
    }
    Err(cannot_load(ec, feature))
}

fn activate_gem(ec: &mut Ec, feature: &str) -> Result<bool> {
    let gems = gems(ec)?;
    let feature = Str::from_text(ec, feature).value();
    Ok(ec.call(gems, ec.vm().intern("try_activate"), &[feature])?.truthy())
}

fn load_feature(ec: &mut Ec, path: &str) -> Result<()> {
    let result = run_file(ec, path, None);
    if result.is_ok() {
        let list = loaded_features(ec);
        list.push(ec, Str::from_text(ec, path).value());
    }
    state(ec).progress.end(path);
    result.map(drop)
}

/// A feature that is in `$LOADED_FEATURES`: under the very name that is asked for, or as a file of a folder of `$LOAD_PATH`,
/// wherever in it that folder stands. What is listed without extension may still be a file's name.
fn is_provided(ec: &mut Ec, feature: &str) -> Result<bool> {
    let is_named = |loaded: &str| {
        loaded.strip_prefix(feature).is_some_and(|rest| {
            let is_so = rest == ".so" && !loaded.contains('/');
            rest == ".rb" || is_so || rest.is_empty() && (feature.ends_with(".rb") || feature.ends_with(".so"))
        })
    };
    if has_feature(ec, &is_named) {
        return Ok(true);
    }
    if is_explicit(feature) {
        return Ok(false);
    }
    let folders = load_path(ec)?;
    let is_found = |loaded: &str| {
        folders.iter().filter_map(|folder| loaded.strip_prefix(folder.as_str())?.strip_prefix('/')).any(is_named)
    };
    Ok(has_feature(ec, &is_found))
}

fn is_loaded(ec: &Ec, path: &str) -> bool {
    if has_feature(ec, &|loaded| loaded == path) {
        return true;
    }
    let real = real_path(path);
    real != path && has_feature(ec, &|loaded| loaded == real)
}

fn has_feature(ec: &Ec, matches: &dyn Fn(&str) -> bool) -> bool {
    let list = loaded_features(ec);
    list.slice_of(ec)
        .iter()
        .filter_map(|v| Str::from_value(*v))
        .any(|s| std::str::from_utf8(s.bytes(ec)).is_ok_and(matches))
}

pub(crate) fn cannot_load(ec: &mut Ec, feature: &str) -> Unwind {
    let exception = ec.new_exception(ec.vm().known().load_error, &format!("cannot load such file -- {feature}"));
    let path = Str::from_text(ec, feature).value();
    let field = ec.vm().intern("@__path");
    ec.set_field(exception, field, path);
    ec.raise(exception)
}

fn require_relative(ec: &mut Ec, _this: Value, feature: Value) -> Result<bool> {
    let feature = path_argument(ec, feature)?;
    let (own, _) = ec.caller_place();
    let Some(base) = place_of(ec, eval_home(&own)) else {
        return Err(ec.error(ec.vm().known().load_error, "cannot infer basepath"));
    };
    let folder = Path::new(&base).parent().unwrap_or(Path::new("/")).to_string_lossy().into_owned();
    let full = if feature.starts_with('/') { feature } else { expand(&format!("{folder}/{feature}")) };
    require(ec, &full)
}

/// The file that code labelled `path` came from. Code that `eval` was told a file name for counts as that file's, whether or
/// not there is one.
pub(crate) fn place_of(ec: &Ec, path: &str) -> Option<String> {
    let is_nowhere = path == "-e" || path.starts_with("(eval ") || path.starts_with("<internal:");
    absolute_path_of(ec, path).or_else(|| (!is_nowhere).then(|| path.to_string()))
}

/// The file that code labelled `(eval at FILE:LINE)` was evaluated in.
fn eval_home(path: &str) -> &str {
    let inner = path.strip_prefix("(eval at ").and_then(|p| p.strip_suffix(')')).and_then(|p| p.rsplit_once(':'));
    inner.map_or(path, |(file, _)| eval_home(file))
}

// ---- load ----

/// `load(path, wrap)`: the file runs each time; wrapped, its constants and methods go to a module.
fn load(ec: &mut Ec, _this: Value, path: Value, wrap: Option<Value>) -> Result<bool> {
    let path = path_argument(ec, path)?;
    let wrap = wrap
        .filter(|w| w.truthy())
        .map(|module| Class::from_value(module).filter(|m| m.is_module()).unwrap_or_else(|| ec.new_module()));
    let Some(found) = find_loadable(ec, &path)? else { return Err(cannot_load(ec, &path)) };
    run_file(ec, &found, wrap)?;
    Ok(true)
}

fn find_loadable(ec: &mut Ec, path: &str) -> Result<Option<String>> {
    if !is_explicit(path) && ec.ractor().is_main() {
        let found = load_path(ec)?.into_iter().map(|folder| expand(&format!("{folder}/{path}"))).find(|p| is_file(p));
        if found.is_some() {
            return Ok(found);
        }
    }
    let direct = expand(path);
    Ok(is_file(&direct).then_some(direct))
}

/// Tells where Carat's own library is.
pub fn set_library(ec: &Ec, folder: &str) {
    *lock(&state(ec).library) = Some(expand(folder));
}

/// First line of a file of our own library that belongs to the core: it may use primitives, and its frames are hidden as
/// those of CRuby's C extensions are.
const CORE_MARK: &[u8] = b"# carat: core\n";

fn is_core_file(ec: &Ec, path: &str, source: &[u8]) -> bool {
    source.starts_with(CORE_MARK) && lock(&state(ec).library).as_ref().is_some_and(|l| Path::new(path).starts_with(l))
}

fn run_file(ec: &mut Ec, path: &str, wrap: Option<Class>) -> Result {
    let source = match std::fs::read(path) {
        Ok(source) => source,
        Err(error) => {
            return Err(errno_error(ec, error.raw_os_error().unwrap_or(0), &format!("@ rb_sysopen - {path}")));
        }
    };
    note_file(ec, path);
    let options = Options {
        frozen_string_literal: ec.vm().config.frozen_string_literal,
        is_core: is_core_file(ec, path, &source),
        ..Options::file(path)
    };
    let program = compile_or_raise(ec, &source, &options)?;
    match wrap {
        Some(module) => ec.run_script_in(program.iseq, module),
        None => ec.run_script(program.iseq),
    }
}

/// Compiles on as much native stack as the source may take.
pub(crate) fn compile(
    ec: &mut Ec,
    source: &[u8],
    options: &Options<'_>,
) -> Result<std::result::Result<Program, SyntaxError>> {
    let left = ec.native_stack_left();
    let check_regexp = (!options.is_core).then_some(crate::regexp::check_regexp as RegexpCheck);
    let options = &Options { check_regexp, ..*options };
    if source.len() >= LARGE && !options.is_core {
        return compile_large(ec, source, options);
    }
    let compiled = compile_with_stack(source, options, left);
    // Where address space is limited the thread for it may want what was put by.
    let compiled = compiled.or_else(|| carat_vm::reserve::lend(|| compile_with_stack(source, options, left)));
    compiled.ok_or_else(|| ec.stack_error())
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
    let program = match compile(ec, source, options)? {
        Ok(program) => program,
        Err(error) => {
            give_warnings(ec, options, &error.warnings)?;
            return Err(syntax_error::raise(ec, source, options.path, options.first_line, &error));
        }
    };
    give_warnings(ec, options, &program.warnings)?;
    crate::tracepoint::script_compiled(ec, source)?;
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

/// `DATA`: the script's file, positioned behind `__END__`.
pub(crate) fn define_data(ec: &mut Ec, path: &str, offset: usize) -> Result<()> {
    let (file, path) = (ec.vm().known().file.value(), Str::from_text(ec, path).value());
    let data = ec.call(file, ec.vm().intern("open"), &[path])?;
    let offset = Value::len(offset);
    ec.call(data, ec.vm().intern("seek"), &[offset])?;
    ec.vm().known().object.set_constant(ec, ec.vm().intern("DATA"), data);
    Ok(())
}

// ---- autoload ----

fn autoload(ec: &mut Ec, _this: Value, name: Name, path: Value) -> Result {
    let scope = ec.current_definition_class().value();
    ec.call(scope, ec.vm().intern("autoload"), &[Value::symbol(name.0), path])
}

fn is_autoload(ec: &mut Ec, _this: Value, name: Name, inherit: Option<Value>) -> Result {
    let scope = ec.current_definition_class().value();
    let inherit = inherit.unwrap_or(Value::TRUE);
    ec.call(scope, ec.vm().intern("autoload?"), &[Value::symbol(name.0), inherit])
}

/// `Object.autoload(name, feature)` before the program begins.
pub(crate) fn name_library(ec: &Ec, name: &str, feature: &str) {
    let pending = Some(Pending::Autoload(feature.into()));
    let constant = Constant { pending, ..Constant::of_value(Value::UNDEF) };
    ec.vm().known().object.put_constant(ec, ec.vm().intern(name), constant);
}

/// `Gem` and `Kernel#gem` are there without being required; the library comes when one of them is used. Programs count on
/// what CRuby's RubyGems itself requires.
pub fn enable_gems(ec: &mut Ec) {
    ec.define_methods(ec.vm().known().kernel, GEMS);
    name_library(ec, "Gem", "rubygems");
    name_library(ec, "Monitor", "monitor");
    name_library(ec, "MonitorMixin", "monitor");
    state(ec).has_gems.store(true, Ordering::Relaxed);
}

/// `gem(name, *requirements)`
fn gem(ec: &mut Ec, _this: Value, args: Rest) -> Result {
    let list = args.to_array(ec);
    let gems = gems(ec)?;
    let arguments: Box<[Value]> = list.slice_of(ec).into();
    let result = ec.call(gems, ec.vm().intern("activate"), &arguments);
    std::hint::black_box(list);
    result
}

fn gems(ec: &mut Ec) -> Result {
    ec.public_constant(ec.vm().known().object, ec.vm().intern("Gem"))
}

/// Whether the running thread is loading the feature. What a broken load path raises is for `require` to say.
pub(crate) fn is_loading(ec: &mut Ec, feature: &str) -> bool {
    if !state(ec).progress.is_loading(ec) {
        return false;
    }
    let path = find_feature(ec, feature).ok().flatten();
    path.is_some_and(|path| state(ec).progress.is_mine(ec, &path))
}

/// What an autoload constant runs: `Kernel#require` as the program may have redefined it.
pub(crate) fn require_hook(ec: &mut Ec, feature: &str) -> Result {
    // The file that defines the constant reopens it.
    if is_loading(ec, feature) {
        return Ok(Value::FALSE);
    }
    let (main, feature) = (ec.vm().main_object(), Str::from_text(ec, feature).value());
    ec.call(main, ec.vm().intern("require"), &[feature])
}
