//! The machine's RubyGems and Bundler under Carat, with gems that the tests write. A machine without them is told so.
#![expect(clippy::print_stderr, reason = "says what was not tested")]

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Output};

/// A folder for gems and programs, which goes away with the test.
struct Place(PathBuf);

impl Place {
    /// `None` where RubyGems is not installed.
    fn new(test: &str) -> Option<Place> {
        let place = Place(std::env::temp_dir().join(format!("carat-rubygems-{test}-{}", std::process::id())));
        fs::create_dir_all(place.0.join("home")).expect("a folder");
        let output = place.carat(&["-e", "print Gem.respond_to?(:configuration)"]);
        let has_rubygems = text(&output.stdout) == "true";
        if !has_rubygems {
            eprintln!("RubyGems is not installed on this machine: nothing was tested");
        }
        has_rubygems.then_some(place)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_carat"));
        for (name, _) in
            std::env::vars().filter(|(name, _)| ["RUBY", "GEM", "BUNDLE"].iter().any(|s| name.starts_with(s)))
        {
            command.env_remove(name);
        }
        command.current_dir(&self.0).env("HOME", self.0.join("home")).env("XDG_CACHE_HOME", self.0.join("cache"));
        command.env("GEM_HOME", self.0.join("gems")).env("BUNDLE_SILENCE_ROOT_WARNING", "1").env("LC_ALL", "C.UTF-8");
        command
    }

    fn carat(&self, arguments: &[&str]) -> Output {
        self.command().args(arguments).output().expect("carat runs")
    }

    /// What a program prints, which ends well and complains of nothing.
    fn run(&self, program: &str) -> String {
        let output = self.carat(&["-w", "-e", program]);
        assert_eq!(text(&output.stderr), "");
        text(&output.stdout).replace(&*self.0.to_string_lossy(), "HERE")
    }

    /// `gem` with these arguments, and what it prints; it must end well.
    fn gem(&self, arguments: &[&str]) -> String {
        let program = "require 'rubygems/gem_runner'; Gem::GemRunner.new.run(ARGV)";
        let output = self.command().args(["-e", program]).args(arguments).output().expect("carat runs");
        assert!(output.status.success(), "gem {arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("it has a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    /// Writes a gem's files, builds it and returns the name of the result.
    fn build(&self, name: &str, version: &str, more: &str, library: &str) -> String {
        self.write(&format!("{name}.gemspec"), &specification(name, version, more));
        self.write(&format!("lib/{name}.rb"), library);
        self.gem(&["build", &format!("{name}.gemspec")]);
        format!("{name}-{version}.gem")
    }

    fn install(&self, name: &str, version: &str, more: &str, library: &str) {
        let file = self.build(name, version, more, library);
        self.gem(&["install", "--local", "--no-document", &file]);
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

fn specification(name: &str, version: &str, more: &str) -> String {
    format!(
        "Gem::Specification.new do |s|\n  s.name = {name:?}\n  s.version = {version:?}\n  s.summary = \"Water\"\n  \
         s.authors = [\"A\"]\n  s.files = [\"lib/{name}.rb\"]\n  s.homepage = \"https://example.org\"\n  s.license = \"MIT\"\n  \
         s.required_ruby_version = \">= 3\"\n  {more}\nend\n"
    )
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

#[test]
fn gems_are_built_installed_listed_and_removed() {
    let Some(place) = Place::new("install") else { return };
    place.write("bin/pebble", "#!/usr/bin/env ruby\nrequire 'pebble'\nputs PEBBLE, ARGV\n");
    let programs = "s.files << 'bin/pebble'\n  s.bindir = 'bin'\n  s.executables = ['pebble']";
    place.install("pebble", "1.0", programs, "PEBBLE = '1.0'");
    place.install("brook", "0.1", "s.add_dependency 'pebble', '~> 1.0'", "require 'pebble'; BROOK = PEBBLE");
    assert_eq!(place.gem(&["list", "--no-versions", "^(pebble|brook)$"]), "brook\npebble\n");
    assert!(place.gem(&["spec", "pebble-1.0.gem", "version"]).contains("\nversion: '1.0'\n"));
    assert_eq!(place.run("require 'brook'; p BROOK, Gem.loaded_specs['pebble'].version.to_s"), "\"1.0\"\n\"1.0\"\n");

    let program = place.0.join("gems/bin/pebble");
    let first =
        fs::read_to_string(&program).expect("the program was installed").lines().next().unwrap_or("").to_string();
    assert_eq!(first, format!("#!{}", env!("CARGO_BIN_EXE_carat")));
    let output = place.command().arg(&program).arg("a").output().expect("carat runs");
    assert_eq!(text(&output.stdout), "1.0\na\n");

    place.gem(&["uninstall", "brook"]);
    assert_eq!(place.gem(&["list", "--no-versions", "^(pebble|brook)$"]), "pebble\n");
}

#[test]
fn extensions_are_built_for_carat() {
    let Some(place) = Place::new("extension") else { return };
    if Command::new("cc").arg("--version").output().is_err() {
        eprintln!("no C compiler on this machine: nothing was tested");
        return;
    }
    place.write("ext/stone/extconf.rb", "require 'mkmf'\ncreate_makefile('stone/stone')\n");
    let weigh = "#include <ruby.h>\nstatic VALUE weigh(VALUE self) { return INT2FIX(42); }\nvoid Init_stone(void) { \
                 rb_define_module_function(rb_define_module(\"Stone\"), \"weigh\", weigh, 0); }\n";
    place.write("ext/stone/stone.c", weigh);
    let extension =
        "s.files += ['ext/stone/extconf.rb', 'ext/stone/stone.c']\n  s.extensions = ['ext/stone/extconf.rb']";
    place.install("stone", "2.0", extension, "require 'stone/stone'");
    let program = "require 'stone'; p Stone.weigh; puts Gem.loaded_specs['stone'].extension_dir, Gem::Platform.local";
    let shown = place.run(program);
    let lines: Vec<&str> = shown.lines().collect();
    assert_eq!(lines[0], "42");
    assert_eq!(lines[1], format!("HERE/gems/extensions/{}/4.0.0-carat/stone-2.0", lines[2]));
}

#[test]
fn activation_says_what_rubygems_says() {
    let Some(place) = Place::new("activation") else { return };
    place.install("pebble", "1.0", "", "PEBBLE = '1.0'");
    place.install("pebble", "2.0", "", "PEBBLE = '2.0'");
    place.install("brook", "0.1", "s.add_dependency 'pebble', '~> 1.0'", "require 'pebble'; BROOK = PEBBLE");
    let program = "gem 'pebble', '2.0'\n\
                   begin; gem 'pebble', '1.0'; rescue LoadError; puts $!.class, $!.message; end\n\
                   begin; require 'brook'; rescue LoadError; puts $!.class; end\n\
                   begin; gem 'absent'; rescue LoadError; puts $!.class; end\n\
                   p gem('json'), Gem.loaded_specs['json'].default_gem?";
    let shown = place.run(program);
    assert!(shown.starts_with("Gem::LoadError\ncan't activate pebble"), "{shown}");
    assert!(shown.contains(", already activated pebble-2.0"), "{shown}");
    assert!(shown.ends_with("\nGem::ConflictError\nGem::MissingSpecError\ntrue\ntrue\n"), "{shown}");
    // The dependency decides; what is loaded first leaves it open.
    assert_eq!(place.run("require 'brook'; p BROOK"), "\"1.0\"\n");
}

#[test]
fn a_program_without_gems_loads_no_rubygems() {
    let Some(place) = Place::new("start") else { return };
    assert_eq!(place.run("p $LOADED_FEATURES.grep(/rubygems/), $LOAD_PATH.size"), "[]\n1\n");
    let output = place.carat(&["-e", "require 'absent'"]);
    let message = "-e:1:in 'Kernel#require': cannot load such file -- absent (LoadError)\n\tfrom -e:1:in '<main>'\n";
    assert_eq!(text(&output.stderr), message);
}

#[test]
fn a_part_of_rubygems_brings_the_rest() {
    let Some(place) = Place::new("part") else { return };
    assert_eq!(place.run("require 'rubygems/version'; p Gem::Version.new('1.10') > Gem::Version.new('1.2')"), "true\n");
}

#[test]
fn carried_libraries_have_the_versions_that_rubygems_is_told() {
    let Some(place) = Place::new("versions") else { return };
    let program = "Gem.paths\n\
                   constants = {'abbrev' => nil, 'openssl' => 'OpenSSL', 'optparse' => 'OptionParser', 'open-uri' => 'OpenURI',\n\
                     'did_you_mean' => 'DidYouMean', 'bigdecimal' => 'BigDecimal', 'json' => 'JSON', 'uri' => 'URI',\n\
                     'fileutils' => 'FileUtils', 'stringio' => 'StringIO', 'ostruct' => 'OpenStruct', 'ipaddr' => 'IPAddr',\n\
                     'erb' => 'ERB', 'zlib' => 'Zlib', 'date' => 'Date', 'psych' => 'Psych', 'logger' => 'Logger', 'digest' => 'Digest',\n\
                     'etc' => 'Etc', 'timeout' => 'Timeout', 'shellwords' => 'Shellwords', 'open3' => 'Open3'}.compact\n\
                   $VERBOSE = nil\n\
                   wrong = constants.reject { |gem, name| require gem; version = Object.const_get(name)::VERSION;\n\
                     version == Gem::CarriedGems::VERSIONS[gem] }\n\
                   p wrong, constants.size";
    assert_eq!(place.run(program), "{}\n21\n");
}

#[test]
fn another_rubys_library_stands_behind_carats() {
    let Some(place) = Place::new("foreign") else { return };
    for (name, content) in
        [("rubygems.rb", ""), ("mkmf.rb", ""), ("json.rb", "raise 'not this one'"), ("rare_library.rb", "p 1")]
    {
        place.write(&format!("foreign/{name}"), content);
    }
    let output = place.carat(&["-I", "foreign", "-e", "require 'json'; p JSON.generate(1); require 'rare_library'"]);
    assert_eq!((text(&output.stderr).as_str(), text(&output.stdout).as_str()), ("", "\"1\"\n1\n"));
}

#[test]
fn bundles_are_locked_and_set_up() {
    let Some(place) = Place::new("bundle") else { return };
    let found = place.carat(&["-e", "require 'bundler'; print Bundler::VERSION"]);
    if !found.status.success() {
        eprintln!("Bundler is not installed on this machine: nothing was tested");
        return;
    }
    place.install("pebble", "1.0", "", "PEBBLE = '1.0'");
    place.install("pebble", "2.0", "", "PEBBLE = '2.0'");
    place.install("brook", "0.1", "s.add_dependency 'pebble', '~> 1.0'", "require 'pebble'; BROOK = PEBBLE");
    place.write("river/river.gemspec", &specification("river", "3.0", ""));
    place.write("river/lib/river.rb", "RIVER = 3");
    place.write("Gemfile", "source 'https://rubygems.org'\ngem 'brook'\ngem 'river', path: 'river'\n");
    let bundle = |arguments: &[&str]| {
        let program = "require 'bundler'; require 'bundler/cli'; Bundler::CLI.start(ARGV, debug: true)";
        let output = place.command().args(["-e", program]).args(arguments).output().expect("carat runs");
        assert!(output.status.success(), "bundle {arguments:?}: {}{}", text(&output.stdout), text(&output.stderr));
        text(&output.stdout)
    };
    bundle(&["install", "--local"]);
    let lock = fs::read_to_string(place.0.join("Gemfile.lock")).expect("it was written");
    let gems =
        "GEM\n  remote: https://rubygems.org/\n  specs:\n    brook (0.1)\n      pebble (~> 1.0)\n    pebble (1.0)\n";
    assert!(lock.starts_with("PATH\n  remote: river\n  specs:\n    river (3.0)\n\n") && lock.contains(gems), "{lock}");
    assert!(bundle(&["check"]).ends_with("dependencies are satisfied\n"));
    let program = "Bundler.require; p BROOK, RIVER\nbegin; gem 'pebble', '2.0'; rescue LoadError; puts $!.class; end";
    let output = place.carat(&["-rbundler/setup", "-e", program]);
    assert_eq!((text(&output.stderr).as_str(), text(&output.stdout).as_str()), ("", "\"1.0\"\n3\nGem::LoadError\n"));
    let executable = env!("CARGO_BIN_EXE_carat");
    assert_eq!(
        bundle(&["exec", executable, "-e", "require 'brook'; p BROOK, ENV['RUBYOPT'].include?('bundler/setup')"]),
        "\"1.0\"\ntrue\n"
    );
}
