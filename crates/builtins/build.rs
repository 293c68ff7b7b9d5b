//! Writes tables of Unicode properties that the regexp engine lacks: `properties.rs` in the build folder, ranges of characters
//! with what they have (`build/properties.rs`).
#![forbid(unsafe_code)]

#[path = "build/properties.rs"]
mod properties;

use std::path::PathBuf;
use std::{env, fs};

fn main() {
    println!("cargo:rerun-if-changed=build/properties.rs");
    let out = PathBuf::from(env::var("OUT_DIR").expect("set by cargo"));
    fs::write(out.join("properties.rs"), properties::tables()).expect("the build folder can be written");
}
