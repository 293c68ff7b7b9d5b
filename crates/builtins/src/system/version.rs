//! What Carat calls itself: the `RUBY_*` constants and `RbConfig`.

use carat_vm::{Ec, Hash, Rest, Result, Str, Value};
use std::path::Path;

/// The version of the language.
pub const RUBY_VERSION: &str = "4.0.0";
/// Libraries of versions with the same one fit each other.
pub(crate) const LIBRARY_VERSION: &str = "4.0.0";
/// The version of Unicode whose tables these are.
pub(crate) const UNICODE: &str = "17.0.0";
const RELEASE_DATE: &str = "2025-12-25";
/// Carat's own version.
pub const ENGINE_VERSION: &str = env!("CARGO_PKG_VERSION");
pub const COPYRIGHT: &str = "carat - Copyright (C) 2026 the Carat authors";

/// `x86_64-linux`
pub fn platform() -> String {
    let os = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    format!("{}-{os}", std::env::consts::ARCH)
}

/// `RUBY_DESCRIPTION`
pub fn description() -> String {
    format!("carat {ENGINE_VERSION} (ruby {RUBY_VERSION}) [{}]", platform())
}

/// Defines the constants. `executable` is how the program was called, `library` the folder of Carat's own library, `headers` that
/// of the C interface's.
pub fn define(ec: &mut Ec, executable: &str, library: &str, headers: &str) {
    let texts = [
        ("RUBY_VERSION", RUBY_VERSION.to_string()),
        ("RUBY_RELEASE_DATE", RELEASE_DATE.to_string()),
        ("RUBY_PLATFORM", platform()),
        ("RUBY_ENGINE", "ruby".to_string()),
        ("RUBY_ENGINE_VERSION", RUBY_VERSION.to_string()),
        ("RUBY_COPYRIGHT", COPYRIGHT.to_string()),
        ("RUBY_DESCRIPTION", description()),
        ("RUBY_REVISION", "0000000000000000000000000000000000000000".to_string()),
    ];
    let object = ec.vm().known().object;
    let module = ec.new_module();
    object.set_constant(ec, ec.vm().intern("Ruby"), module.value());
    // `RUBY_VERSION` is `Ruby::VERSION`, and so are the others.
    let set = |name: &str, value: Value| {
        object.set_constant(ec, ec.vm().intern(name), value);
        module.set_constant(ec, ec.vm().intern(name.trim_start_matches("RUBY_")), value);
    };
    for (name, text) in &texts {
        set(name, ec.fstring(text.as_bytes(), carat_vm::EncodingIndex::US_ASCII).value());
    }
    set("RUBY_PATCHLEVEL", ec.int(0));
    define_config(ec, executable, library, headers);
}

/// The switches that ask compilers to warn.
const WARNINGS: &str =
    "-Wall -Wextra -Wno-unused-parameter -Wno-parentheses -Wno-missing-field-initializers -Wno-cast-function-type";

/// The compiler that the environment names, or the usual one.
fn compiler(variable: &str, usual: &str) -> String {
    std::env::var(variable).ok().filter(|name| !name.is_empty()).unwrap_or_else(|| usual.into())
}

/// `RbConfig`: the keys that programs ask for. What has no folder yet is where an installation would put it.
fn define_config(ec: &mut Ec, executable: &str, library: &str, headers: &str) {
    let own = std::env::current_exe().map_or_else(|_| executable.to_string(), |p| p.to_string_lossy().into_owned());
    let path = Path::new(&own);
    let text = |p: Option<&Path>| p.map_or_else(String::new, |p| p.to_string_lossy().into_owned());
    let bindir = text(path.parent());
    let prefix = text(path.parent().and_then(Path::parent));
    let name = path.file_name().map_or_else(|| "carat".into(), |n| n.to_string_lossy().into_owned());
    let os = if cfg!(target_os = "macos") { "darwin" } else { std::env::consts::OS };
    let library_prefix = library.strip_suffix(LIBRARY_VERSION).map_or(library, |folder| folder.trim_end_matches('/'));
    let added = format!("{prefix}/lib/carat");
    let arch = platform();
    let pairs = [
        ("MAJOR", "4"),
        ("MINOR", "0"),
        ("TEENY", "0"),
        ("PATCHLEVEL", "0"),
        ("ruby_version", LIBRARY_VERSION),
        ("RUBY_API_VERSION", "4.0"),
        ("RUBY_PROGRAM_VERSION", RUBY_VERSION),
        ("RUBY_BASE_NAME", "ruby"),
        ("CARAT_VERSION", ENGINE_VERSION),
        ("ruby_install_name", &*name),
        ("RUBY_INSTALL_NAME", &*name),
        ("RUBYW_INSTALL_NAME", ""),
        ("RUBY_SO_NAME", "carat"),
        ("prefix", &*prefix),
        ("exec_prefix", &*prefix),
        ("bindir", &*bindir),
        ("libdir", &*format!("{prefix}/lib")),
        ("rubylibprefix", library_prefix),
        ("rubylibdir", library),
        ("rubyarchdir", &*format!("{library}/{arch}")),
        ("archdir", &*format!("{library}/{arch}")),
        ("sitedir", &*format!("{added}/site_ruby")),
        ("sitelibdir", &*format!("{added}/site_ruby/{LIBRARY_VERSION}")),
        ("sitearchdir", &*format!("{added}/site_ruby/{LIBRARY_VERSION}/{arch}")),
        ("vendordir", &*format!("{added}/vendor_ruby")),
        ("vendorlibdir", &*format!("{added}/vendor_ruby/{LIBRARY_VERSION}")),
        ("vendorarchdir", &*format!("{added}/vendor_ruby/{LIBRARY_VERSION}/{arch}")),
        ("datadir", &*format!("{prefix}/share")),
        ("datarootdir", &*format!("{prefix}/share")),
        ("mandir", &*format!("{prefix}/share/man")),
        ("infodir", &*format!("{prefix}/share/info")),
        ("localedir", &*format!("{prefix}/share/locale")),
        ("docdir", &*format!("{prefix}/share/doc/ruby")),
        ("htmldir", &*format!("{prefix}/share/doc/ruby")),
        ("RI_BASE_NAME", "ri"),
        ("ridir", &*format!("{prefix}/share/ri")),
        ("sbindir", &*format!("{prefix}/sbin")),
        ("libexecdir", &*format!("{prefix}/libexec")),
        ("sysconfdir", "/etc"),
        ("localstatedir", "/var"),
        ("EXEEXT", ""),
        ("EXECUTABLE_EXTS", ""),
        ("modular_gc_dir", ""),
        ("configure_args", ""),
        ("CROSS_COMPILING", "no"),
        ("ENABLE_SHARED", "no"),
        ("THREAD_MODEL", "pthread"),
        ("includedir", &*format!("{prefix}/include")),
        ("rubyhdrdir", headers),
        ("RUBY_EXEC_PREFIX", &*prefix),
        ("EXTSTATIC", "static"),
        ("DLEXT", "so"),
        ("SOEXT", "so"),
        ("LIBEXT", "a"),
        ("OBJEXT", "o"),
        ("host_os", os),
        ("target_os", os),
        ("build_os", os),
        ("host_cpu", std::env::consts::ARCH),
        ("target_cpu", std::env::consts::ARCH),
        ("host", &*arch),
        ("arch", &*arch),
        ("sitearch", &*arch),
        ("PATH_SEPARATOR", ":"),
        ("SHELL", "/bin/sh"),
        // What programs that compile read without `mkmf`, which brings the rest.
        ("CC", &*compiler("CC", "cc")),
        ("CXX", &*compiler("CXX", "c++")),
        ("LDSHARED", &*format!("{} -shared", compiler("CC", "cc"))),
        ("GCC", "yes"),
        ("optflags", "-O3"),
        ("debugflags", "-ggdb"),
        ("warnflags", WARNINGS),
        ("AR", "ar"),
        ("STRIP", "strip"),
        ("UNICODE_VERSION", UNICODE),
        ("UNICODE_EMOJI_VERSION", "17.0"),
    ]
    .map(|(k, v)| (k.to_string(), v.to_string()));
    let module = ec.new_module();
    ec.vm().known().object.set_constant(ec, ec.vm().intern("RbConfig"), module.value());
    let config = Hash::new(ec);
    for (key, value) in pairs {
        let (key, value) = (ec.fstring(key.as_bytes(), carat_vm::EncodingIndex::US_ASCII), Str::from_text(ec, &value));
        // String keys of a new hash cannot fail to be stored.
        let _ = config.set(ec, key.value(), value.value());
    }
    module.set_constant(ec, ec.vm().intern("CONFIG"), config.value());
    module.set_constant(ec, ec.vm().intern("TOPDIR"), Str::from_text(ec, &prefix).value());
    crate::system::load::name_library_in(ec, module, "MAKEFILE_CONFIG", MAKEFILE);
    module.define_methods(ec, METHODS);
}

/// Has `MAKEFILE_CONFIG` and what works on it.
const MAKEFILE: &str = "rbconfig/makefile";

carat_vm::methods! {
    METHODS {
        static "ruby" => ruby;
        static "expand" => expand;
        static "fire_update!" => fire_update;
    }
}

/// `RbConfig.expand` and `fire_update!`: the library brings the methods.
fn expand(ec: &mut Ec, this: Value, args: Rest) -> Result {
    by_library(ec, this, "expand", args)
}

fn fire_update(ec: &mut Ec, this: Value, args: Rest) -> Result {
    by_library(ec, this, "fire_update!", args)
}

fn by_library(ec: &mut Ec, this: Value, name: &str, args: Rest) -> Result {
    let list = args.to_array(ec);
    crate::system::program::require_library(ec, MAKEFILE)?;
    let arguments: Box<[Value]> = list.slice_of(ec).into();
    let result = ec.call(this, ec.vm().intern(name), &arguments);
    std::hint::black_box(list);
    result
}

/// `RbConfig.ruby`
fn ruby(ec: &mut Ec, _this: Value) -> Str {
    let own = std::env::current_exe().map_or_else(|_| "carat".to_string(), |p| p.to_string_lossy().into_owned());
    Str::from_text(ec, &own)
}
