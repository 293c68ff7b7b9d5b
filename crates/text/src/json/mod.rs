//! JSON: its tokens, read and written. What they become is the caller's business.

mod scan;
#[cfg(test)]
mod tests;
mod write;

pub use scan::{Fault, Number, Quoted, float, number, peek, place, shown, skip_space, string, unescape};
pub use write::{Escaping, push_float, push_string};

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = 0x8080_8080_8080_8080;

/// How many bytes come before the first one that cannot stand in a JSON string as it is: a control character, a quote or a
/// backslash. Eight at a time.
fn plain_prefix(text: &[u8]) -> usize {
    let (words, rest) = text.as_chunks::<8>();
    for (number, word) in words.iter().enumerate() {
        let word = u64::from_le_bytes(*word);
        let equal = |byte: u64| (word ^ (ONES * byte)).wrapping_sub(ONES) & !(word ^ (ONES * byte));
        // The lowest bit that is set is exact: a borrow only reaches bytes above one that was found.
        let found = (word.wrapping_sub(ONES * 0x20) & !word | equal(b'"'.into()) | equal(b'\\'.into())) & HIGH;
        if found != 0 {
            return number * 8 + found.trailing_zeros() as usize / 8;
        }
    }
    let before = words.len() * 8;
    before + rest.iter().position(|b| is_special(*b)).unwrap_or(rest.len())
}

fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}
