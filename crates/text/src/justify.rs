//! `String#center`, `ljust` and `rjust`.
//!
//! # References
//! CRuby `rb_str_justify`.

use crate::chars;
use crate::text::Text;

/// On which side the text goes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Align {
    Left,
    Right,
    Center,
}

/// Appends `text` padded to `width` characters; each side starts the padding anew. `pad` is not empty (CRuby raises
/// "zero width padding").
pub fn justify(text: Text<'_>, width: usize, pad: Text<'_>, align: Align, out: &mut Vec<u8>) {
    let (left, right) = missing(text, width, align);
    if pad.bytes.len() == 1 {
        out.reserve_exact(text.bytes.len() + left + right);
    }
    fill(pad, left, out);
    out.extend(text.bytes);
    fill(pad, right, out);
}

/// How many characters the padding has to the left and to the right.
pub fn missing(text: Text<'_>, width: usize, align: Align) -> (usize, usize) {
    let missing = width.saturating_sub(chars::count(text));
    let left = match align {
        Align::Left => 0,
        Align::Right => missing,
        Align::Center => missing / 2,
    };
    (left, missing - left)
}

/// Appends `count` characters of padding.
pub fn fill(pad: Text<'_>, count: usize, out: &mut Vec<u8>) {
    if let [byte] = pad.bytes {
        return out.resize(out.len() + count, *byte);
    }
    let pad_chars = chars::count(pad);
    extend_repeated(out, pad.bytes, count / pad_chars);
    if !count.is_multiple_of(pad_chars) {
        let rest = chars::offset(pad, count % pad_chars).unwrap_or(0);
        out.extend(&pad.bytes[..rest]);
    }
}

/// Appends `bytes` as often as `times` says, each time as many of them as there are already.
fn extend_repeated(out: &mut Vec<u8>, bytes: &[u8], times: usize) {
    let (start, total) = (out.len(), bytes.len() * times);
    out.reserve(total);
    if total > 0 {
        out.extend_from_slice(bytes);
    }
    while out.len() - start < total {
        let have = out.len() - start;
        out.extend_from_within(start..start + have.min(total - have));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn padding_is_repeated_and_cut() {
        let check = |text: &str, width, pad: &str, align, expect: &str| {
            let mut out = Vec::new();
            justify(Text::utf8(text), width, Text::utf8(pad), align, &mut out);
            assert_eq!(String::from_utf8(out).unwrap(), expect);
        };
        check("ab", 7, "xyz", Align::Center, "xyabxyz");
        check("ab", 8, "xyz", Align::Center, "xyzabxyz");
        check("ab", 7, "xyz", Align::Left, "abxyzxy");
        check("ab", 7, "xyz", Align::Right, "xyzxyab");
        check("あ", 4, "い", Align::Center, "いあいい");
        check("abc", 2, " ", Align::Left, "abc");
    }
}
