//! What Prism makes of a source, tokens and tree, in the parser's own serialised form, which `lib/ripper` reads.
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

unsafe extern "C" {
    fn pm_buffer_new() -> *mut c_void;
    fn pm_buffer_value(buffer: *const c_void) -> *const u8;
    fn pm_buffer_length(buffer: *const c_void) -> usize;
    fn pm_buffer_free(buffer: *mut c_void);
    fn pm_serialize_parse_lex(buffer: *mut c_void, source: *const u8, size: usize, options: *const c_char);
}

/// The tokens of a source, each with the state of the lexer behind it, and then its tree.
pub fn tokens_and_tree(source: &[u8], path: &[u8], first_line: i32, encoding: &[u8]) -> Vec<u8> {
    let options = options(path, first_line, encoding);
    // SAFETY: makes a buffer, or ends the process.
    let buffer = unsafe { pm_buffer_new() };
    // SAFETY: the source is readable for its length, the options are complete (every field that `pm_options_read` reads is
    // there), and both outlive the call. The buffer is ours alone.
    unsafe { pm_serialize_parse_lex(buffer, source.as_ptr(), source.len(), options.as_ptr().cast()) };
    // SAFETY: the buffer has so many bytes, and nobody writes to it any more.
    let bytes = unsafe { from_raw_parts(pm_buffer_value(buffer), pm_buffer_length(buffer)) }.to_vec();
    // SAFETY: it is freed once, and nothing of it is kept.
    unsafe { pm_buffer_free(buffer) };
    bytes
}

/// The options as `pm_options_read` reads them.
fn options(path: &[u8], first_line: i32, encoding: &[u8]) -> Vec<u8> {
    let mut data = Vec::with_capacity(32 + path.len() + encoding.len());
    text(&mut data, path);
    data.extend(first_line.to_ne_bytes());
    text(&mut data, encoding);
    let [frozen_string_literal, command_line, encoding_locked, main_script, partial_script, freeze, comments] = [0; 7];
    data.extend([frozen_string_literal, command_line, RUBY_4_0, encoding_locked]);
    data.extend([main_script, partial_script, freeze, comments]);
    let scopes = 0_u32;
    data.extend(scopes.to_ne_bytes());
    data
}

fn text(data: &mut Vec<u8>, bytes: &[u8]) {
    // A path beyond four gigabytes is no path.
    let length = u32::try_from(bytes.len()).unwrap_or(0);
    data.extend(length.to_ne_bytes());
    data.extend(&bytes[..length as usize]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_before_the_tree() {
        let bytes = tokens_and_tree(b"a = 1", b"x.rb", 1, b"UTF-8");
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
        assert!(!tokens_and_tree(b"", b"", -3, b"").is_empty());
    }
}
