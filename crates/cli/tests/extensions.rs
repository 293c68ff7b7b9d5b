//! Compiles the C extensions of `tests/capi` through `mkmf`, and runs their programs: plainly, and with a collection at every
//! poll. What they print stands beside them, recorded from CRuby with the same extension.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

/// A copy of an extension's folder, with a folder for headers, removed when dropped.
struct Scratch(PathBuf);

impl Scratch {
    /// `test` tells apart the copies of tests that run side by side.
    fn copy_of(folder: &Path, test: &str) -> Scratch {
        let name = folder.file_name().expect("a name").to_string_lossy();
        let copy = std::env::temp_dir().join(format!("carat-extension-{}-{test}-{name}", std::process::id()));
        fs::create_dir_all(&copy).expect("a folder");
        for file in fs::read_dir(folder).expect("a folder").flatten() {
            fs::copy(file.path(), copy.join(file.file_name())).expect("a file");
        }
        Scratch(copy)
    }

    fn run(&self, program: &str, arguments: &[&str], stress: Option<&str>) -> Output {
        let mut command = Command::new(program);
        command.args(arguments).current_dir(&self.0).env_remove("RUBYOPT").env("XDG_CACHE_HOME", self.0.join("cache"));
        stress.map(|stress| command.env("CARAT_GC_STRESS", stress));
        command.output().expect("a program that runs")
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn shown(output: &Output) -> String {
    format!("{}{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
}

fn check(folder: &Path) {
    let (carat, scratch) = (env!("CARGO_BIN_EXE_carat"), Scratch::copy_of(folder, "recorded"));
    let configured = scratch.run(carat, &["extconf.rb"], None);
    assert!(configured.status.success(), "{}", shown(&configured));
    let made = scratch.run("make", &["V=1"], None);
    assert!(made.status.success(), "{}", shown(&made));
    let expected = fs::read_to_string(folder.join("test.out")).expect("what the program prints");
    for stress in [None, Some("7:3")] {
        let output = scratch.run(carat, &["test.rb"], stress);
        assert_eq!(shown(&output), expected, "{} with stress {stress:?}", folder.display());
    }
}

#[test]
fn extensions_print_what_was_recorded() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/capi");
    let mut folders: Vec<_> = fs::read_dir(root).expect("a folder").flatten().map(|entry| entry.path()).collect();
    folders.sort();
    folders.iter().filter(|folder| folder.is_dir()).for_each(|folder| check(folder));
}

#[test]
fn a_library_of_another_ruby_is_refused() {
    let scratch = Scratch::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/capi/basics"), "foreign");
    fs::write(scratch.0.join("foreign.c"), "void Init_foreign(void) {}\n").expect("a file");
    assert!(scratch.run("cc", &["-shared", "-fPIC", "-o", "foreign.so", "foreign.c"], None).status.success());
    let code = "begin; require './foreign'; rescue LoadError => e; puts e.message.sub(Dir.pwd, ''); end";
    let output = scratch.run(env!("CARGO_BIN_EXE_carat"), &["-e", code], None);
    assert_eq!(shown(&output), "/foreign.so was built for another Ruby: build it for Carat\n");
}

#[test]
fn files_that_an_extconf_lists_are_installed() {
    let scratch = Scratch::copy_of(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/capi/basics"), "listed");
    let extconf = "require 'mkmf'
                   File.write('made.rb', 'p 1')
                   $INSTALLFILES = { './made.rb' => '$(RUBYLIBDIR)/deep', 'data/**/*.txt' => '$(RUBYLIBDIR)' }
                   $INSTALLFILES = $INSTALLFILES.to_a << ['data/**/*.txt', '$(RUBYLIBDIR)/short', 'data']
                   create_makefile('basics')";
    fs::write(scratch.0.join("extconf.rb"), extconf).expect("a file");
    for name in ["lib/own/ours.rb", "lib/own/left.rb~", "data/inner/list.txt", "data/other.dat"] {
        let path = scratch.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, "").expect("a file");
    }
    let configured = scratch.run(env!("CARGO_BIN_EXE_carat"), &["extconf.rb"], None);
    assert!(configured.status.success(), "{}", shown(&configured));
    let made = scratch.run("make", &["install-rb", "sitelibdir=site"], None);
    assert!(made.status.success(), "{}", shown(&made));
    let list = scratch.run("sh", &["-c", "cd site && find . -type f | LC_ALL=C sort"], None);
    assert_eq!(shown(&list), "./data/inner/list.txt\n./deep/made.rb\n./own/ours.rb\n./short/inner/list.txt\n");
}
