//! What Prism makes of a source, in the parser's own serialised form, which `lib/ripper` and `lib/prism` read.
//!
//! # Not here
//! The compiler's way to the tree, which is typed: `carat_compile`.
//!
//! # References
//! Prism's `docs/serialization.md`; `pm_options_read` for the options.

use std::ffi::{c_char, c_void};
use std::slice::from_raw_parts;

/// `PM_OPTIONS_VERSION_CRUBY_4_0`
const RUBY_4_0: u8 = 3;

// Links Prism's library.
use ruby_prism_sys as _;

/// What is wanted of a source.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Demand {
    Tree,
    Tokens,
    /// The tokens, each with the state of the lexer behind it, and then the tree.
    TokensAndTree,
    Comments,
    /// One byte: whether there are no errors.
    Success,
}

/// How a source is read.
#[derive(Clone, Default, Debug)]
pub struct Options {
    pub path: Vec<u8>,
    pub first_line: i32,
    pub encoding: Vec<u8>,
    /// Whether string literals are frozen, the command line's options, the version, whether the encoding is certain, whether it is a program's main file,
    /// whether it is part of one, whether all is frozen, whether comments are attached.
    pub switches: [u8; 8],
    /// What surrounds the source, the outermost one first: which parameters without names can be forwarded, and the names of locals.
    pub scopes: Vec<(u8, Vec<Vec<u8>>)>,
}

impl Options {
    /// Those of Ruby 4.0.
    pub fn new(path: Vec<u8>, first_line: i32, encoding: Vec<u8>) -> Options {
        Options { path, first_line, encoding, switches: [0, 0, RUBY_4_0, 0, 0, 0, 0, 0], scopes: Vec::new() }
    }

    /// As `pm_options_read` reads them.
    fn bytes(&self) -> Vec<u8> {
        let mut data = Vec::with_capacity(32 + self.path.len() + self.encoding.len());
        text(&mut data, &self.path);
        data.extend(self.first_line.to_ne_bytes());
        text(&mut data, &self.encoding);
        data.extend(self.switches);
        data.extend(count(self.scopes.len()));
        for (forwarding, names) in &self.scopes {
            data.extend(count(names.len()));
            data.push(*forwarding);
            names.iter().for_each(|name| text(&mut data, name));
        }
        data
    }
}

/// There are fewer than four billion of anything.
fn count(size: usize) -> [u8; 4] {
    u32::try_from(size).unwrap_or(0).to_ne_bytes()
}

fn text(data: &mut Vec<u8>, bytes: &[u8]) {
    // A path beyond four gigabytes is no path.
    let length = u32::try_from(bytes.len()).unwrap_or(0);
    data.extend(length.to_ne_bytes());
    data.extend(&bytes[..length as usize]);
}

type Serialize = unsafe extern "C" fn(*mut c_void, *const u8, usize, *const c_char);

unsafe extern "C" {
    fn pm_buffer_new() -> *mut c_void;
    fn pm_buffer_value(buffer: *const c_void) -> *const u8;
    fn pm_buffer_length(buffer: *const c_void) -> usize;
    fn pm_buffer_free(buffer: *mut c_void);
    fn pm_serialize_parse(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
    fn pm_serialize_lex(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
    fn pm_serialize_parse_lex(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
    fn pm_serialize_parse_comments(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
    fn pm_serialize_parse_success_p(source: *const u8, size: usize, options: *const c_char) -> bool;
}

/// What is demanded of a source, in the parser's own form.
pub fn serialize(demand: Demand, source: &[u8], options: &Options) -> Vec<u8> {
    let options = options.bytes();
    let function: Serialize = match demand {
        Demand::Tree => pm_serialize_parse,
        Demand::Tokens => pm_serialize_lex,
        Demand::TokensAndTree => pm_serialize_parse_lex,
        Demand::Comments => pm_serialize_parse_comments,
        Demand::Success => {
            // SAFETY: as below.
            let is_fine =
                unsafe { pm_serialize_parse_success_p(source.as_ptr(), source.len(), options.as_ptr().cast()) };
            return vec![u8::from(is_fine)];
        }
    };
    // SAFETY: makes a buffer, or ends the process.
    let buffer = unsafe { pm_buffer_new() };
    // SAFETY: the source is readable for its length, the options are complete (every field that `pm_options_read` reads is
    // there), and both outlive the call. The buffer is ours alone.
    unsafe { function(buffer, source.as_ptr(), source.len(), options.as_ptr().cast()) };
    // SAFETY: the buffer has so many bytes, and nobody writes to it any more.
    let bytes = unsafe { from_raw_parts(pm_buffer_value(buffer), pm_buffer_length(buffer)) }.to_vec();
    // SAFETY: it is freed once, and nothing of it is kept.
    unsafe { pm_buffer_free(buffer) };
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_before_the_tree() {
        let options = Options::new(b"x.rb".to_vec(), 1, b"UTF-8".to_vec());
        let bytes = serialize(Demand::TokensAndTree, b"a = 1", &options);
        let head = b"PRISM\x02\x01\x00";
        let tree = bytes
            .windows(head.len())
            .position(|part| part == head)
            .expect("a tree of the version that lib/ripper reads");
        // Four numbers for each of: a, =, 1, the end; and a zero.
        assert_eq!(tree, 4 * 4 + 1);
    }

    #[test]
    fn empty_sources_and_paths_are_fine() {
        let options = Options { first_line: -3, ..Options::default() };
        for demand in [Demand::Tree, Demand::Tokens, Demand::TokensAndTree, Demand::Comments, Demand::Success] {
            assert!(!serialize(demand, b"", &options).is_empty());
        }
    }

    #[test]
    fn locals_around_a_source_are_no_methods() {
        let scope = (0, vec![b"apple".to_vec(), b"pear".to_vec()]);
        let around = Options { scopes: vec![scope], ..Options::default() };
        assert_ne!(serialize(Demand::Tree, b"pear", &around), serialize(Demand::Tree, b"pear", &Options::default()));
    }
}
