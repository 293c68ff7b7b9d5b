//! Gems that are installed where GEM_HOME says, without RubyGems: versions, dependencies, and what is said of those that are not
//! there. What is expected was compared with RubyGems'.

use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// A folder with gems, which goes away with the test.
struct Home(PathBuf);

impl Home {
    fn new(test: &str) -> Home {
        let home = std::env::temp_dir().join(format!("carat-gems-{test}-{}", std::process::id()));
        let home = Home(home);
        home.install("pebble", "1.0.0", &[], "PEBBLE = '1.0.0'");
        home.install("pebble", "1.10.0", &[], "PEBBLE = '1.10.0'");
        home.install("pebble", "1.9.0", &[], "PEBBLE = '1.9.0'");
        home.install("pebble", "1.11.0.rc1", &[], "PEBBLE = '1.11.0.rc1'");
        home.install("brook", "0.1", &[("pebble", "~> 1.9.0")], "require 'pebble'; BROOK = PEBBLE");
        home.install("marsh", "0.1", &[("absent", ">= 3")], "");
        home.install("river", "0.1", &[("brook", ">= 0"), ("pebble", "= 1.0.0")], "");
        home
    }

    fn install(&self, name: &str, version: &str, dependencies: &[(&str, &str)], library: &str) {
        let lib = self.0.join(format!("gems/{name}-{version}/lib"));
        fs::create_dir_all(&lib).expect("a folder");
        fs::write(lib.join(format!("{name}.rb")), library).expect("a file");
        let wanted: String = dependencies
            .iter()
            .map(|(name, version)| format!("  s.add_dependency(%q<{name}>, [{version:?}])\n"))
            .collect();
        let specification = format!(
            "# -*- encoding: utf-8 -*-\n# stub: {name} {version} ruby lib\n\nGem::Specification.new do |s|\n  \
             s.name = {name:?}\n  s.version = {version:?}\n  s.summary = \"Water\"\n  s.authors = [\"A\", \"B\"]\n{wanted}end\n"
        );
        let folder = self.0.join("specifications");
        fs::create_dir_all(&folder).expect("a folder");
        fs::write(folder.join(format!("{name}-{version}.gemspec")), specification).expect("a file");
    }

    /// What a program prints, which may call `refused` around what raises.
    fn run(&self, program: &str) -> String {
        let helper = "def refused\n  yield\n\n\
                      rescue LoadError => error\n  puts \"#{error.class}: #{error.message}\"\nend\n";
        let output = Command::new(env!("CARGO_BIN_EXE_carat"))
            .args(["-w", "-e", &format!("{helper}{program}")])
            .envs([("GEM_HOME", &self.0), ("GEM_PATH", &self.0)])
            .env("CARAT_RUBYGEMS", "")
            .output()
            .expect("carat runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8_lossy(&output.stdout).replace(&*self.0.to_string_lossy(), "HOME")
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        drop(fs::remove_dir_all(&self.0));
    }
}

#[test]
fn gem_takes_the_newest_release_that_will_do() {
    let home = Home::new("newest");
    let program = "p gem('pebble', '~> 1.0'), gem('pebble'); require 'pebble'; p PEBBLE, $LOAD_PATH.grep(/pebble/)";
    assert_eq!(home.run(program), "true\nfalse\n\"1.10.0\"\n[\"HOME/gems/pebble-1.10.0/lib\"]\n");
    assert_eq!(home.run("gem 'pebble', '>= 1.a'; require 'pebble'; p PEBBLE"), "\"1.11.0.rc1\"\n");
    assert_eq!(home.run("gem 'pebble', '< 1.9'; require 'pebble'; p PEBBLE"), "\"1.0.0\"\n");
}

#[test]
fn require_activates_what_has_the_feature_and_what_that_depends_on() {
    let home = Home::new("require");
    let program = "require 'brook'; p BROOK, Gem.loaded_specs.transform_values { it.version.to_s }";
    assert_eq!(home.run(program), "\"1.9.0\"\n{\"brook\" => \"0.1\", \"pebble\" => \"1.9.0\"}\n");
    let program = "refused { require 'pebble/none' }; refused { require 'zzz' }; p Gem.loaded_specs.keys";
    let missing = "LoadError: cannot load such file -- pebble/none\nLoadError: cannot load such file -- zzz\n[]\n";
    assert_eq!(home.run(program), missing);
}

/// It was looked for again and again.
#[test]
fn what_only_another_version_has_is_not_there() {
    let home = Home::new("other");
    home.install("stone", "1.0", &[], "");
    home.install("stone", "2.0", &[], "");
    fs::write(home.0.join("gems/stone-2.0/lib/extra.rb"), "").expect("a file");
    let program = "gem 'stone', '1.0'; refused { require 'extra' }; p Gem.loaded_specs['stone'].version.to_s";
    assert_eq!(home.run(program), "LoadError: cannot load such file -- extra\n\"1.0\"\n");
}

#[test]
fn versions_that_do_not_agree_are_refused() {
    let home = Home::new("conflict");
    let program = "gem 'pebble', '1.0.0'; refused { gem 'pebble', '> 1.0' }; refused { require 'brook' }";
    assert_eq!(
        home.run(program),
        "Gem::LoadError: can't activate pebble-1.10.0, already activated pebble-1.0.0. Make sure all dependencies are \
         added to Gemfile.\n\
         Gem::ConflictError: Unable to activate brook-0.1, because pebble-1.0.0 conflicts with pebble (~> 1.9.0)\n"
    );
    let program = "refused { require 'river' }; p Gem.loaded_specs.key?('river')";
    assert_eq!(
        home.run(program),
        "Gem::ConflictError: Unable to activate river-0.1, because pebble-1.9.0 conflicts with pebble (= 1.0.0)\nfalse\n"
    );
}

#[test]
fn what_is_not_installed_is_named() {
    let home = Home::new("missing");
    let checked = "Checked in 'GEM_PATH=HOME' , execute `gem env` for more information\n";
    assert_eq!(
        home.run("refused { gem 'absent' }"),
        format!("Gem::MissingSpecError: Could not find 'absent' (>= 0) among 7 total gem(s)\n{checked}")
    );
    let found = "pebble-1.11.0.rc1,pebble-1.10.0,pebble-1.9.0,pebble-1.0.0";
    assert_eq!(
        home.run("refused { gem 'pebble', '> 5' }"),
        format!("Gem::MissingSpecVersionError: Could not find 'pebble' (> 5) - did find: [{found}]\n{checked}")
    );
    let place = "at: HOME/specifications/marsh-0.1.gemspec,";
    assert_eq!(
        home.run("refused { require 'marsh' }"),
        format!(
            "Gem::MissingSpecError: Could not find 'absent' (>= 3) among 7 total gem(s)\n{}",
            checked.replace(" ,", &format!(" {place}"))
        )
    );
    // Carat's own libraries are no gems, and need none.
    assert_eq!(home.run("p gem('json'), gem('net-http')"), "false\nfalse\n");
}

#[test]
fn specifications_can_be_asked() {
    let home = Home::new("specification");
    let program = "spec = Gem::Specification.find_by_name('brook')\n\
                   p spec, spec.summary, spec.authors, spec.dependencies.map(&:to_s), spec.full_require_paths\n\
                   p Gem::Specification.find_all_by_name('pebble', '< 1.10').map(&:full_name), spec.activated?\n\
                   p Gem.find_files('peb*').size, Gem.bin_path('brook', 'run')";
    assert_eq!(
        home.run(program),
        "#<Gem::Specification name=brook version=0.1>\n\"Water\"\n[\"A\", \"B\"]\n[\"pebble (~> 1.9.0)\"]\n\
         [\"HOME/gems/brook-0.1/lib\"]\n[\"pebble-1.9.0\", \"pebble-1.0.0\"]\nfalse\n4\n\"HOME/gems/brook-0.1/bin/run\"\n"
    );
}

/// RubyGems is loaded when somebody needs it; CRuby would have had it before the program began.
#[test]
fn a_programs_own_gem_method_stays_when_rubygems_comes() {
    let home = Home::new("own-method");
    let library = home.0.join("rubygems.rb");
    fs::write(
        &library,
        "module Gem\n  NAME = 'theirs'\nend\n\nmodule Kernel\n  def gem(*) = 'theirs'\n  private :gem\nend\n",
    )
    .expect("a file");
    let run = |program: &str| {
        let output = Command::new(env!("CARGO_BIN_EXE_carat"))
            .args(["-W0", "-e", program])
            .env("CARAT_RUBYGEMS", &home.0)
            .output()
            .expect("carat runs");
        assert_eq!(String::from_utf8_lossy(&output.stderr), "");
        String::from_utf8_lossy(&output.stdout).into_owned()
    };
    let own = "module Kernel\n  def gem(*) = 'own'\nend\n";
    assert_eq!(run(&format!("{own}p gem('x'), Gem::NAME, gem('x')")), "\"own\"\n\"theirs\"\n\"own\"\n");
    assert_eq!(run(&format!("{own}require 'rubygems'; p gem('x')")), "\"own\"\n");
    assert_eq!(run("p Gem::NAME, gem('x')"), "\"theirs\"\n\"theirs\"\n");
    assert_eq!(run(&format!("p gem('x'), Gem::NAME\n{own}p gem('x')")), "\"theirs\"\n\"theirs\"\n\"own\"\n");
}
