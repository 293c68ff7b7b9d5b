//! The headers, which the executable carries: `mkmf` writes them where compilers find them.

use carat_vm::{Array, Ec, Str, Value, methods};

macro_rules! headers {
    ($($name:literal)*) => { &[$(($name, include_str!(concat!("../include/", $name)))),*] };
}

const HEADERS: &[(&str, &str)] = headers! {
    "ruby.h" "ruby/ruby.h" "ruby/config.h" "ruby/defines.h" "ruby/st.h" "ruby/intern.h" "ruby/missing.h" "ruby/vm.h" "ruby/subst.h"
    "ruby/version.h" "ruby/util.h" "ruby/thread.h" "ruby/thread_native.h" "ruby/atomic.h" "ruby/ractor.h" "ruby/random.h"
    "ruby/encoding.h" "ruby/onigmo.h" "ruby/oniguruma.h" "ruby/regex.h" "ruby/re.h" "ruby/io.h" "ruby/debug.h" "ruby/io/buffer.h" "ruby/digest.h" "ruby/assert.h"
    "ruby/internal/symbol.h" "ruby/internal/static_assert.h"
    "ruby/fiber/scheduler.h" "ruby/memory_view.h" "carat/value.h" "carat/memory.h" "carat/class.h" "carat/object.h"
    "carat/number.h" "carat/string.h" "carat/collection.h" "carat/data.h" "carat/control.h" "carat/system.h" "carat/event.h"
};

/// Where the headers are written: a folder of the user's cache, named after what is in them.
pub fn header_folder() -> String {
    let given = |name: &str| std::env::var(name).ok().filter(|path| path.starts_with('/'));
    let cache = given("XDG_CACHE_HOME").or_else(|| given("HOME").map(|home| format!("{home}/.cache")));
    format!("{}/carat/headers-{}", cache.unwrap_or_else(|| "/tmp".into()), env!("CARAT_HEADERS"))
}

methods! {
    METHODS {
        static "headers" => headers;
        static "exports?" => exports;
    }
}

/// `RbConfig.exports?(name)`: whether extensions find something of this name in the executable.
fn exports(ec: &mut Ec, _this: Value, name: Str) -> bool {
    let name = std::ffi::CString::new(name.bytes(ec)).unwrap_or_default();
    // SAFETY: the name ends with a NUL.
    !unsafe { libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr()) }.is_null()
}

/// `mkmf/headers.so`: `RbConfig.headers`, names and texts.
pub fn init(ec: &mut Ec) {
    let config = name!(ec, "RbConfig");
    let module = ec
        .vm()
        .known()
        .object
        .own_constant(config)
        .and_then(|_| ec.vm().known().object.public_constant(ec, config).ok());
    if let Some(module) = module.and_then(carat_vm::Class::from_value) {
        module.define_methods(ec, METHODS);
    }
}

fn headers(ec: &mut Ec, _this: Value) -> Array {
    let list = Array::new(ec, HEADERS.len());
    for (name, text) in HEADERS {
        let pair = Array::pair(ec, Str::from_text(ec, name).value(), Str::from_text(ec, text).value());
        list.push(ec, pair.value());
    }
    list
}

#[cfg(test)]
mod tests {
    use super::HEADERS;
    use std::path::Path;

    fn count(folder: &Path) -> usize {
        let entries = std::fs::read_dir(folder).expect("a folder").flatten();
        entries.map(|entry| if entry.path().is_dir() { count(&entry.path()) } else { 1 }).sum()
    }

    #[test]
    fn the_executable_carries_every_header() {
        assert_eq!(count(&Path::new(env!("CARGO_MANIFEST_DIR")).join("include")), HEADERS.len());
    }
}
