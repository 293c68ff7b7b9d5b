//! `require`, `require_relative`, `load` and `autoload`.
//!
//! # Where files come from
//! `$LOAD_PATH`, whose last folder is Carat's own library: inside the executable, or a folder that `CARAT_LIB` names. Ruby files
//! come before C extensions (`.so`). What CRuby implements in C is part of the core here, or of the library: the name of such an
//! extension stands for our own, unless a folder of the program's has a file of that very name.
//!
//! # Invariants
//! A feature is in `$LOADED_FEATURES` once its file ran to its end; while it runs it is in [`LoadState::progress`].

mod features;
mod folders;
mod library;
mod listings;
mod paths;
mod progress;
mod rubygems;
mod source;

use crate::control::compile_options::frozen_string_literal;
use crate::object::exception::errno_error;
use carat_compile::Options;
use carat_iseq::IseqRef;
use carat_sync::{Mutex, MutexGuard};
use carat_vm::autoload::{self, Autoload};
use carat_vm::class::{Constant, Pending};
use carat_vm::method::MethodKind;
use carat_vm::{
    Array, Class, CodeRange, Ec, EncodingIndex, Hash, Name, Rest, Result, Str, Unwind, Value, methods, primitives,
};
use features::Features;
use folders::LoadPath;
use listings::{FirstName, Listings};
use paths::Opened;
use progress::{Progress, Start};
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, OnceLock};

pub(crate) use folders::paths_changed;
pub(super) use library::all_carried;
pub(crate) use library::text_of;
pub use library::{Carried, Library, set_library};
pub use rubygems::is_foreign_library;
pub(crate) use source::{compile, compile_or_raise, compile_unlisted, with_stack};

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
const CORE_FEATURES: &[&str] =
    &["thread", "enumerator", "rational", "complex", "fiber", "ruby2_keywords", "set", "rbconfig", "io/wait"];

/// The native half of a library: the name that the library's Ruby file requires, and what that does.
pub type Feature = (&'static str, fn(&mut Ec));

/// Per VM: what is loaded and being loaded, and from where.
#[derive(Default)]
struct LoadState {
    progress: Progress,
    load_path: LoadPath,
    listings: Mutex<Listings>,
    features: Mutex<Features>,
    real_paths: Mutex<RealPaths>,
    library: Mutex<Option<Library>>,
    native: Mutex<Vec<&'static [Feature]>>,
    /// Whether what is not found may be in a gem that nobody else looks for.
    has_gems: AtomicBool,
    rubygems: OnceLock<Option<Vec<u8>>>,
    /// See [`set_other_texts`].
    other_texts: OnceLock<OtherTexts>,
}

/// Texts to take in place of what files hold, by path.
pub type OtherTexts = std::collections::HashMap<String, Vec<u8>>;

/// From here on some files are loaded as if they held another text. Only the first call counts.
pub fn set_other_texts(ec: &Ec, texts: OtherTexts) {
    let _ = state(ec).other_texts.set(texts);
}

/// For each path that labels code of a file, the file's real path, which is asked for when somebody wants it unless the label
/// depends on the working directory or on a link.
type RealPaths = FxHashMap<Arc<str>, Option<Arc<str>>>;

fn state(ec: &Ec) -> Arc<LoadState> {
    ec.vm().extension::<LoadState>()
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(|e| e.into_inner())
}

pub(crate) fn init(ec: &mut Ec) {
    ec.vm().known().kernel.define_methods(ec, METHODS);
    define_list(ec, "$LOAD_PATH", &["$:", "$-I"]);
    define_list(ec, "$LOADED_FEATURES", &["$\""]);
    let list = global_array(ec, "$LOAD_PATH").value();
    ec.singleton_class_of(list).expect("an array can have a singleton class").define_methods(ec, LOAD_PATH);
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
    variable.setter = Some(crate::object::kernel::read_only);
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

/// A copy of a list, by which a change of it is seen.
///
/// Both share their elements, until one of them is written to: as long as they do, nothing has to be compared.
#[derive(Default)]
struct ListSnapshot(Option<Array>);

impl ListSnapshot {
    fn is_current(&self, ec: &Ec, list: Array) -> bool {
        let Some(copy) = self.0 else { return false };
        let (then, now) = (copy.slice_of(ec), list.slice_of(ec));
        if std::ptr::eq(then, now) {
            return true;
        }
        let is_same = then == now;
        if is_same {
            copy.replace(ec, list);
        }
        is_same
    }

    fn note(&mut self, ec: &Ec, list: Array) {
        // Four elements are the room of an array that can share.
        let make = || Array::expect(ec.vm().keep(Array::new(ec, 4).value()));
        self.0.get_or_insert_with(make).replace(ec, list);
    }

    /// Gives up what is shared, so that who writes to the list has no need to copy it.
    fn forget(&self, ec: &Ec) {
        if let Some(copy) = self.0 {
            copy.resize(ec, 0);
            copy.reserve(ec, 1);
        }
    }

    fn at(&self, ec: &Ec, index: u32) -> Value {
        self.0.map_or(Value::NIL, |copy| copy.at(ec, index as usize))
    }
}

// ---- paths ----

/// An absolute path without `.` and `..`, links left as they are.
pub fn expand(path: &str) -> String {
    paths::text(&paths::expand(path.as_bytes()))
}

/// An absolute path with its links followed.
pub fn real_path(path: &str) -> String {
    real_or_same(&expand(path))
}

fn real_or_same(path: &str) -> String {
    paths::real(path.as_bytes()).map_or_else(|| path.to_string(), |real| paths::text(&real))
}

/// Notes which file the code labelled `path` is.
pub fn note_file(ec: &Ec, path: &str) {
    note_real_path(ec, path, !path.starts_with('/'));
}

fn note_real_path(ec: &Ec, path: &str, may_change: bool) {
    let real = may_change.then(|| real_path(path).into());
    lock(&state(ec).real_paths).insert(path.into(), real);
}

/// The real path of the file that code labelled `path` came from; `None` for code of no file.
pub(crate) fn absolute_path_of(ec: &Ec, path: &str) -> Option<String> {
    if path == "-e" || path.starts_with("(eval ") || path.starts_with("<internal:") {
        return None;
    }
    let state = state(ec);
    let mut known = lock(&state.real_paths);
    match known.get_mut(path) {
        Some(real) => Some(real.get_or_insert_with(|| real_or_same(path).into()).to_string()),
        None => paths::exists(path.as_bytes()).then(|| real_path(path)),
    }
}

/// A path argument: `to_path`, then `to_str`.
fn path_argument(ec: &mut Ec, value: Value) -> Result<Vec<u8>> {
    path_and_encoding(ec, value).map(|(path, _)| path)
}

/// A path argument with the encoding that messages about it have.
fn path_and_encoding(ec: &mut Ec, value: Value) -> Result<(Vec<u8>, EncodingIndex)> {
    let text = crate::system::io::path_string(ec, value)?;
    Ok((text.bytes(ec).to_vec(), text.encoding()))
}

fn path_string(ec: &Ec, path: &[u8]) -> Str {
    Str::new(ec, path, EncodingIndex::UTF_8, carat_vm::CodeRange::Unknown)
}

/// `$LOAD_PATH.resolve_feature_path(feature)`: kind and path of what `require` would load; nil if there is none.
fn resolve_feature_path(ec: &mut Ec, _this: Value, feature: Value) -> Result<Option<Array>> {
    let feature = path_argument(ec, feature)?;
    let Some(found) = find_feature(ec, &feature)? else { return Ok(None) };
    let kind = if found.path.ends_with(b".so") { "so" } else { "rb" };
    let (kind, path) = (Value::symbol(ec.vm().intern(kind)), path_string(ec, &found.path).value());
    Ok(Some(Array::pair(ec, kind, path)))
}

fn is_explicit(path: &[u8]) -> bool {
    [b"/".as_slice(), b"./", b"../", b"~"].iter().any(|start| path.starts_with(start))
}

/// The file of a feature. Extensions may be left out, and then a Ruby file comes first; `.so` that is no C extension's file
/// stands for the Ruby file of Carat's library that takes its place.
fn find_feature(ec: &mut Ec, feature: &[u8]) -> Result<Option<Opened>> {
    let with = |ending: &[u8]| [feature, ending].concat();
    let found = match feature.strip_suffix(b".so") {
        Some(stem) => match find_file(ec, feature, feature)? {
            None if !is_explicit(feature) => {
                library::path_of(ec, &[stem, b".rb"].concat()).and_then(|path| Opened::open(ec, path))
            }
            found => found,
        },
        None if feature.ends_with(b".rb") => find_file(ec, feature, feature)?,
        None => match find_file(ec, feature, &with(b".rb"))? {
            None => find_file(ec, feature, &with(b".so"))?,
            found => found,
        },
    };
    if found.is_some() {
        return Ok(found);
    }
    let is_whole = feature.ends_with(b".rb") || feature.ends_with(b".so");
    let name = if is_whole { feature.to_vec() } else { with(b".rb") };
    if rubygems::has_feature(&name) { rubygems::find_file(ec, &name) } else { Ok(None) }
}

fn find_file(ec: &mut Ec, feature: &[u8], name: &[u8]) -> Result<Option<Opened>> {
    if is_explicit(feature) {
        return Ok(Opened::open(ec, paths::expand(name)));
    }
    find_below(ec, name)
}

/// The first file of this name below a folder of `$LOAD_PATH`.
fn find_below(ec: &mut Ec, name: &[u8]) -> Result<Option<Opened>> {
    let folders = folders::current(ec)?;
    let state = state(ec);
    // To look costs a third less than to try to open, and files come from the same folder one after the other.
    let expected = state.load_path.last_hit();
    let first = FirstName::of(name);
    let is_listed = |folder: &[u8]| !ec.vm().config.denied.files && !library::is_folder(ec, folder);
    ec.note_c_contact();
    let mut listings = lock(&state.listings);
    listings.update(&folders);
    let found = folders.paths.iter().enumerate().find_map(|(index, folder)| {
        if is_listed(folder) && !listings.may_have(index, first) {
            return None;
        }
        let path = paths::expand_in(folder, name);
        let may_be_there = index == expected || library::may_have(ec, &path);
        let opened = may_be_there.then(|| Opened::open(ec, path)).flatten();
        if opened.is_none() {
            listings.note_miss(index);
        }
        Some((index, opened?))
    });
    drop(listings);
    Ok(found.map(|(index, file)| {
        state.load_path.note_hit(index);
        file
    }))
}

// ---- require ----

fn require_method(ec: &mut Ec, _this: Value, feature: Value) -> Result<bool> {
    let (feature, encoding) = path_and_encoding(ec, feature)?;
    require_bytes(ec, &feature, encoding)
}

/// Loads a feature unless it is loaded; whether it was.
pub fn require(ec: &mut Ec, feature: &str) -> Result<bool> {
    require_bytes(ec, feature.as_bytes(), EncodingIndex::UTF_8)
}

fn require_bytes(ec: &mut Ec, feature: &[u8], encoding: EncodingIndex) -> Result<bool> {
    if !ec.ractor().is_main() {
        let feature = ec.fstring(feature, encoding).value();
        return Ok(ec.require_in_main_ractor(feature)?.truthy());
    }
    load_rubygems_for_part(ec, feature)?;
    if is_provided(ec, feature)? || is_core(feature) {
        return Ok(false);
    }
    if let Some((name, init)) = native_feature(ec, feature)
        && find_file(ec, feature, feature)?.is_none()
    {
        init(ec);
        provide(ec, name.as_bytes(), None)?;
        return Ok(true);
    }
    let Some(mut file) = find_feature(ec, feature)? else {
        let state = state(ec);
        let features = lock(&state.features);
        let is_listed = [&b""[..], b".so", b".o"].iter().any(|kind| features.lists(ec, &[feature, kind].concat()));
        drop(features);
        return if is_listed { Ok(false) } else { require_from_gem(ec, feature, encoding) };
    };
    loop {
        if is_loaded(ec, &file) {
            return Ok(false);
        }
        match state(ec).progress.start(ec, &file.path)? {
            Start::Mine => return load_feature(ec, &mut file).map(|()| true),
            Start::Circular => {
                let path = paths::text(&file.path);
                warn_of_circle(ec, &path)?;
                return Ok(false);
            }
            Start::Ended => {}
        }
    }
}

fn warn_of_circle(ec: &mut Ec, path: &str) -> Result<()> {
    if !ec.verbose().is_true() {
        return Ok(());
    }
    let mut text = format!("loading in progress, circular require considered harmful - {path}");
    for location in carat_vm::backtrace::locations(ec, 0) {
        text.push_str(&format!("\n\tfrom {}", location.to_text()));
    }
    ec.warn_verbose(&text)
}

/// From now on these native halves can be required.
pub fn register_features(ec: &Ec, features: &'static [Feature]) {
    lock(&state(ec).native).push(features);
}

fn native_feature(ec: &Ec, feature: &[u8]) -> Option<Feature> {
    lock(&state(ec).native).iter().copied().flatten().find(|(name, _)| name.as_bytes() == feature).copied()
}

fn is_core(feature: &[u8]) -> bool {
    CORE_FEATURES.iter().any(|core| core.as_bytes() == paths::stem(feature))
}

/// Whether a feature is in `$LOADED_FEATURES`: under the very name that is asked for, or as a file of a folder of `$LOAD_PATH`.
fn is_provided(ec: &mut Ec, feature: &[u8]) -> Result<bool> {
    let folders = if is_explicit(feature) { None } else { Some(folders::current(ec)?) };
    let state = state(ec);
    let mut features = lock(&state.features);
    features.update(ec);
    Ok(features.provides(ec, feature, folders.as_ref()))
}

fn is_loaded(ec: &Ec, file: &Opened) -> bool {
    let state = state(ec);
    let mut features = lock(&state.features);
    features.update(ec);
    features.has(ec, file)
}

fn provide(ec: &mut Ec, path: &[u8], identity: Option<u64>) -> Result<()> {
    let state = state(ec);
    lock(&state.features).provide(ec, path, identity)
}

/// Parts of RubyGems count on the rest of it, which CRuby loads when it starts and Carat when somebody needs it.
fn load_rubygems_for_part(ec: &mut Ec, feature: &[u8]) -> Result<()> {
    let is_part = feature.starts_with(b"rubygems/") && state(ec).has_gems.load(Ordering::Relaxed);
    if is_part && !is_loading(ec, "rubygems") {
        gems(ec)?;
    }
    Ok(())
}

/// Lets RubyGems look for a gem that has the feature, unless RubyGems is what asks while it is loaded. Once it is loaded, its own `Kernel#require`
/// does; what is loaded in its place has none.
fn require_from_gem(ec: &mut Ec, feature: &[u8], encoding: EncodingIndex) -> Result<bool> {
    let has_gems = !is_explicit(feature) && state(ec).has_gems.load(Ordering::Relaxed);
    if !has_gems || is_loading(ec, "rubygems") {
        return Err(cannot_load(ec, feature, encoding));
    }
    let gems = gems(ec)?;
    let is_finder = is_provided(ec, rubygems::FINDER)?;
    state(ec).has_gems.store(is_finder, Ordering::Relaxed);
    let name = path_string(ec, feature).value();
    let is_activated = ec.call(gems, ec.vm().intern("try_activate"), &[name])?.truthy();
    if is_activated { require_bytes(ec, feature, encoding) } else { Err(cannot_load(ec, feature, encoding)) }
}

fn load_feature(ec: &mut Ec, file: &mut Opened) -> Result<()> {
    // The stack keeps the list, which nothing else refers to.
    let assigned = (!ec.is_only_thread()).then(|| Array::new(ec, 0));
    state(ec).progress.note_list(&file.path, assigned);
    let replaced = rubygems::method_to_keep(ec, &file.path);
    let mut result = run_file(ec, file, None);
    if let Some(entry) = replaced {
        ec.vm().known().kernel.put_method(ec, ec.vm().intern("gem"), entry);
    }
    if result.is_ok() {
        result = provide(ec, &file.path, Some(file.identity())).map(|()| Value::NIL);
    }
    if let Some(assigned) = assigned {
        ec.end_run(assigned, result.is_ok());
    }
    state(ec).progress.end(&file.path);
    result.map(drop)
}

pub(crate) fn cannot_load(ec: &mut Ec, feature: &[u8], encoding: EncodingIndex) -> Unwind {
    let message = [b"cannot load such file -- ", feature, rubygems::advice(ec, feature).as_bytes()].concat();
    // As where CRuby puts the text together: it takes the encoding of a name that is not ASCII.
    let encoding_of_message = if feature.is_ascii() { EncodingIndex::BINARY } else { encoding };
    let message = Str::new(ec, &message, encoding_of_message, carat_vm::CodeRange::Unknown).value();
    let exception = ec.new_exception_with(ec.vm().known().load_error, message);
    let path = Str::new(ec, feature, encoding, carat_vm::CodeRange::Unknown).value();
    let field = ec.vm().intern("__path");
    ec.set_field(exception, field, path);
    ec.raise(exception)
}

fn require_relative(ec: &mut Ec, _this: Value, feature: Value) -> Result<bool> {
    let feature = path_argument(ec, feature)?;
    let (own, _) = ec.caller_place();
    let Some(base) = place_of(ec, eval_home(&own)) else {
        return Err(ec.error(ec.vm().known().load_error, "cannot infer basepath"));
    };
    let base = paths::expand(base.as_bytes());
    let folder = &base[..base.len() - paths::name(&base).len() - 1];
    let full = if feature.starts_with(b"/") { feature } else { paths::expand_in(folder, &feature) };
    require_bytes(ec, &full, EncodingIndex::UTF_8)
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
    let (path, encoding) = path_and_encoding(ec, path)?;
    let wrap = wrap
        .filter(|w| w.truthy())
        .map(|module| Class::from_value(module).filter(|m| m.is_module()).unwrap_or_else(|| ec.new_module()));
    let Some(mut found) = find_loadable(ec, &path)? else { return Err(cannot_load(ec, &path, encoding)) };
    run_file(ec, &mut found, wrap)?;
    Ok(true)
}

fn find_loadable(ec: &mut Ec, path: &[u8]) -> Result<Option<Opened>> {
    if !is_explicit(path) && ec.ractor().is_main() {
        let found = find_below(ec, path)?;
        if found.is_some() {
            return Ok(found);
        }
    }
    // A file that was named as it stands in the working directory keeps that name.
    let path = if is_explicit(path) { paths::expand(path) } else { path.to_vec() };
    Ok(Opened::open(ec, path))
}

fn run_file(ec: &mut Ec, file: &mut Opened, wrap: Option<Class>) -> Result {
    if file.path.ends_with(b".so") && file.carried().is_none() {
        return match ec.load_foreign(&file.path.clone()) {
            Some(result) => result.map(|()| Value::NIL),
            None => Err(cannot_load(ec, &file.path, EncodingIndex::UTF_8)),
        };
    }
    note_real_path(ec, &paths::text(&file.path), file.is_link || !file.path.starts_with(b"/"));
    let carried = file.carried().filter(|_| takes_compiled(ec));
    let code = match carried {
        Some(carried) => carried.code(),
        None => compile_file(ec, file)?,
    };
    match wrap {
        Some(module) => ec.run_script_in(code, module),
        None => ec.run_script(code),
    }
}

/// Whether code that was compiled with the executable is what compiling its text now would give, and nobody looks on.
fn takes_compiled(ec: &Ec) -> bool {
    let is_as_usual = frozen_string_literal(ec).is_none() && crate::control::coverage::of_file(ec).is_none();
    is_as_usual && !crate::control::tracepoint::sees_scripts(ec)
}

/// Reads until the end what others write to a FIFO. Other threads go on meanwhile.
fn read_fifo(ec: &mut Ec, file: &mut Opened, fd: i32) -> Result<std::io::Result<Vec<u8>>> {
    let mut source = Vec::new();
    loop {
        crate::system::io::wait_for(ec, fd, carat_os::c::POLLIN, None)?;
        match file.read_some(&mut source) {
            Ok(true) => {}
            Ok(false) => return Ok(Ok(source)),
            Err(error) => return Ok(Err(error)),
        }
    }
}

fn compile_file(ec: &mut Ec, file: &mut Opened) -> Result<IseqRef> {
    let path = paths::text(&file.path);
    if let Some(code) = crate::control::instruction_sequence::load_iseq(ec, &path)? {
        return Ok(code);
    }
    let read = match file.fifo() {
        Some(fd) => read_fifo(ec, file, fd)?,
        None => file.read(),
    };
    let source = match read {
        Ok(source) => source,
        Err(error) => {
            return Err(errno_error(ec, error.raw_os_error().unwrap_or(0), &format!("@ rb_sysopen - {path}")));
        }
    };
    let source = state(ec).other_texts.get().and_then(|texts| texts.get(&path)).cloned().unwrap_or(source);
    let is_core = library::is_core_file(ec, &path, &source);
    let options = Options {
        frozen_string_literal: frozen_string_literal(ec),
        is_core,
        coverage: crate::control::coverage::of_file(ec).filter(|_| !is_core),
        ..Options::file(&path)
    };
    let code = compile_or_raise(ec, &source, &options)?.iseq;
    if !is_core {
        keep_script_lines(ec, &path, &source, code.flags().encoding_name())?;
    }
    Ok(code)
}

/// Puts the lines of a loaded file into the Hash that a program may have named `SCRIPT_LINES__`.
fn keep_script_lines(ec: &mut Ec, path: &str, source: &[u8], encoding: &str) -> Result<()> {
    let name = ec.vm().intern("SCRIPT_LINES__");
    let constant = ec.vm().known().object.own_constant(name);
    let Some(kept) = constant.and_then(|constant| Hash::from_value(constant.value)) else { return Ok(()) };
    let encoding = EncodingIndex::find_by_name(encoding.as_bytes()).unwrap_or(EncodingIndex::UTF_8);
    let lines = Array::new(ec, 0);
    for line in source.split_inclusive(|byte| *byte == b'\n') {
        lines.push(ec, Str::new(ec, line, encoding, CodeRange::Unknown).value());
    }
    let path = Str::from_text(ec, path).value();
    kept.store(ec, path, lines.value())
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

/// `DATA` of a script that was standard input, which has been read to its end: what is behind `__END__` is read again.
pub(crate) fn define_data_of_input(ec: &mut Ec, rest: &[u8]) {
    let stream = ec.global_value(ec.vm().intern("$stdin"));
    let Some(input) = crate::system::io::IoRef::from_value(stream) else { return };
    input.get_mut(ec).push_back(rest);
    ec.vm().known().object.set_constant(ec, ec.vm().intern("DATA"), stream);
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
    name_library_in(ec, ec.vm().known().object, name, feature);
}

/// `scope.autoload(name, feature)` before the program begins.
pub(crate) fn name_library_in(ec: &Ec, scope: Class, name: &str, feature: &str) {
    let pending = Some(Pending::Autoload(Autoload::new(feature.into())));
    let constant = Constant { pending, ..Constant::of_value(Value::UNDEF) };
    scope.put_constant(ec, ec.vm().intern(name), constant);
}

/// `Gem` and `Kernel#gem` are there without being required; the library comes when one of them is used. Programs count on
/// what CRuby's RubyGems itself requires.
pub fn enable_gems(ec: &mut Ec) {
    ec.vm().known().kernel.define_methods(ec, GEMS);
    name_library(ec, "Gem", "rubygems");
    name_library(ec, "Monitor", "monitor");
    name_library(ec, "MonitorMixin", "monitor");
    state(ec).has_gems.store(true, Ordering::Relaxed);
}

/// `gem(name, *requirements)` until RubyGems is loaded, which has a method of its own.
fn gem(ec: &mut Ec, this: Value, args: Rest) -> Result {
    let list = args.to_array(ec);
    gems(ec)?;
    let name = ec.vm().intern("gem");
    let is_replaced = ec.find_method(this, name).is_some_and(|method| !matches!(method.kind, MethodKind::Native(..)));
    if !is_replaced {
        return Err(ec.error(ec.vm().known().load_error, "what is loaded as RubyGems has no method `gem`"));
    }
    let arguments: Box<[Value]> = list.slice_of(ec).into();
    let result = ec.call(this, name, &arguments);
    std::hint::black_box(list);
    result
}

fn gems(ec: &mut Ec) -> Result {
    ec.vm().known().object.public_constant(ec, ec.vm().intern("Gem"))
}

/// How far the file of a feature is. What a broken load path raises is for `require` to say.
pub(crate) fn progress_of(ec: &mut Ec, feature: &str) -> autoload::Progress {
    let feature = feature.as_bytes();
    let may_be_loading = |name| state(ec).progress.may_be_loading(ec, name);
    let is_taken_place_of = feature == rubygems::RUBYGEMS && may_be_loading(rubygems::FINDER);
    if (may_be_loading(feature) || is_taken_place_of)
        && let Ok(Some(file)) = find_feature(ec, feature)
        && let Some(list) = state(ec).progress.mine(ec, &file.path)
    {
        return autoload::Progress::Running(list);
    }
    match is_provided(ec, feature) {
        Ok(true) => autoload::Progress::Loaded,
        _ => autoload::Progress::Unloaded,
    }
}

/// In a forked child, whose other threads are gone.
pub(crate) fn forget_other_threads(ec: &mut Ec) {
    for list in state(ec).progress.keep_mine(ec) {
        ec.end_run(list, false);
    }
}

/// Whether the running thread is in the midst of the feature's file.
pub(crate) fn is_loading(ec: &mut Ec, feature: &str) -> bool {
    matches!(progress_of(ec, feature), autoload::Progress::Running(_))
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
