//! Compiles the standard library, `lib/**/*.rb`, to iseqs that executables carry, and packs its text.
//!
//! The output in the build folder: `library.code` and `library.names`, the bytes of all files, in the order that `order` asks
//! for; `library.texts`, each file's text compressed on its own; `library.rs`, a table of names and positions.
#![forbid(unsafe_code)]

use carat_compile::{CORE_MARK, Options, compile_into};
use flate2::Compression;
use flate2::write::DeflateEncoder;
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::{env, fs};

/// Where the files of the library seem to lie: no folder that exists. Programs tell Ruby's own library by `lib/ruby/` and the version.
const FOLDER: &str = "/carat/lib/ruby/4.0.0";

fn main() {
    let library = Path::new(&env::var("CARGO_MANIFEST_DIR").expect("set by cargo")).join("../../lib");
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo"));
    println!("cargo:rerun-if-changed={}", library.display());
    let mut names = Vec::new();
    collect(&library, "", &mut names);
    println!("cargo:rerun-if-changed=order");
    let order = fs::read_to_string("order").expect("order");
    let order: Vec<&str> = order.lines().filter(|line| !line.starts_with('#')).collect();
    names.sort_unstable_by_key(|name| (place_in(&order, name), name.clone()));
    let (mut pack, mut texts, mut table) = (carat_iseq::Pack::new(), Vec::new(), String::new());
    let mut name_end = 0;
    for name in &names {
        let source = fs::read(library.join(name)).unwrap_or_else(|e| panic!("lib/{name}: {e}"));
        let path = format!("{FOLDER}/{name}");
        let options = Options { is_core: source.starts_with(CORE_MARK), ..Options::file(&path) };
        let code = compile_into(&source, &options, &mut pack).unwrap_or_else(|e| panic!("lib/{name}: {e:?}"));
        texts.extend(compressed(&source));
        name_end += name.len();
        let _ = writeln!(table, "    Entry {{ name_end: {name_end}, code: {code}, text_end: {} }},", texts.len());
    }
    let table = format!(
        "/// Where the files seem to lie.\npub const FOLDER: &str = {FOLDER:?};\nconst NAMES: &str = {:?};\n\
        static ENTRIES: [Entry; {}] = [\n{table}];\n",
        names.concat(),
        names.len()
    );
    let write = |name: &str, bytes: &[u8]| fs::write(out.join(name), bytes).expect("the build folder can be written");
    let [code, names, _, _] = pack.into_bytes();
    write("library.code", &code);
    write("library.names", &names);
    write("library.texts", &texts);
    write("library.rs", table.as_bytes());
}

/// Names of the Ruby files below a folder of the library, with the folders before them.
fn collect(library: &Path, below: &str, names: &mut Vec<String>) {
    for entry in fs::read_dir(library.join(below)).expect("the library can be read") {
        let entry = entry.expect("the library can be read");
        let name = format!("{below}{}", entry.file_name().to_str().expect("names are ASCII"));
        if entry.path().is_dir() {
            collect(library, &format!("{name}/"), names);
        } else if name.ends_with(".rb") {
            names.push(name);
        }
    }
}

/// Index of the line that stands for the file.
fn place_in(order: &[&str], name: &str) -> usize {
    let stands_for = |line: &&str| name.strip_prefix(line).is_some_and(|rest| rest == ".rb" || rest.starts_with('/'));
    order.iter().position(stands_for).unwrap_or(order.len())
}

fn compressed(text: &[u8]) -> Vec<u8> {
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(text).expect("memory takes it");
    encoder.finish().expect("memory takes it")
}
