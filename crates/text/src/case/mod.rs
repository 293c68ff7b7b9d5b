//! Case mapping: `upcase`, `downcase`, `capitalize`, `swapcase` and folding.
//!
//! ASCII strings are mapped byte by byte. The Unicode encodings use the full mappings, without context: a capital sigma
//! at the end of a word becomes the ordinary small one, as in CRuby. The single-byte pages CRuby maps use Unicode's
//! mappings where the result is in the page. Every other encoding maps ASCII alone.
//!
//! # References
//! CRuby `rb_str_casemap`, `onigenc_unicode_case_map`.

mod options;
mod quick;
#[cfg(test)]
mod tests;
mod unicode;

pub use options::{CaseOptions, OptionError};

use crate::encoding::{EncodingIndex, codepoint, encode_codepoint};
use crate::pages::{self, Page};
use crate::text::Text;

/// What to do with letters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Mapping {
    Upcase,
    Downcase,
    Capitalize,
    Swapcase,
    /// `downcase(:fold)`.
    Fold,
}

/// A character was needed where invalid bytes stand; `ArgumentError`, "input string invalid".
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct InvalidInput;

/// What becomes of a single character.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum CharMapping {
    Up,
    Down,
    Title,
    Swap,
    Fold,
}

impl Mapping {
    fn of_first(self) -> CharMapping {
        match self {
            Mapping::Upcase => CharMapping::Up,
            Mapping::Downcase => CharMapping::Down,
            Mapping::Capitalize => CharMapping::Title,
            Mapping::Swapcase => CharMapping::Swap,
            Mapping::Fold => CharMapping::Fold,
        }
    }

    fn of_rest(self) -> CharMapping {
        if self == Mapping::Capitalize { CharMapping::Down } else { self.of_first() }
    }
}

impl CharMapping {
    fn ascii(self, byte: u8) -> u8 {
        match self {
            CharMapping::Up | CharMapping::Title => byte.to_ascii_uppercase(),
            CharMapping::Down | CharMapping::Fold => byte.to_ascii_lowercase(),
            CharMapping::Swap if byte.is_ascii_alphabetic() => byte ^ 0x20,
            CharMapping::Swap => byte,
        }
    }
}

/// Appends the mapped string; whether anything changed, which is what the bang methods return.
pub fn map(text: Text<'_>, mapping: Mapping, options: CaseOptions, out: &mut Vec<u8>) -> Result<bool, InvalidInput> {
    let start = out.len();
    out.reserve(text.bytes.len());
    match repertoire(text, options) {
        Repertoire::Bytes => map_bytes(text.bytes, mapping, out),
        repertoire => map_chars(text, mapping, options, &repertoire, out)?,
    }
    Ok(&out[start..] != text.bytes)
}

/// Maps an ASCII string where it is; whether anything changed. Not for `:turkic`, which leaves ASCII.
pub fn map_ascii_in_place(bytes: &mut [u8], mapping: Mapping) -> bool {
    let mut is_changed = false;
    let mut map = |byte: &mut u8, how: CharMapping| {
        let mapped = how.ascii(*byte);
        is_changed |= mapped != *byte;
        *byte = mapped;
    };
    if let Some((first, rest)) = bytes.split_first_mut() {
        map(first, mapping.of_first());
        let how = mapping.of_rest();
        rest.iter_mut().for_each(|byte| map(byte, how));
    }
    is_changed
}

/// Which characters have case.
enum Repertoire {
    /// ASCII letters, and every byte can be looked at alone.
    Bytes,
    /// ASCII letters among longer characters.
    AsciiChars,
    Unicode,
    /// Those of a code page; `None` is ISO-8859-1.
    Page(Option<&'static Page>),
}

fn repertoire(text: Text<'_>, options: CaseOptions) -> Repertoire {
    let has_page = !options.is_ascii && has_mapped_page(text.encoding);
    let is_utf8 = text.encoding == EncodingIndex::UTF_8 || text.is_valid_utf8();
    if text.is_ascii_only() && !options.is_turkic {
        Repertoire::Bytes
    } else if has_page {
        Repertoire::Page(pages::of(text.encoding))
    } else if text.encoding.is_single_byte() || (options.is_ascii && is_utf8) {
        Repertoire::Bytes
    } else if text.encoding.is_unicode() && !options.is_ascii {
        Repertoire::Unicode
    } else {
        Repertoire::AsciiChars
    }
}

/// The single-byte encodings with mappings of their own; the DOS, Mac and KOI8 pages and the ones of scripts without case
/// have none.
fn has_mapped_page(encoding: EncodingIndex) -> bool {
    use EncodingIndex as E;
    let is_iso = (E::ISO_8859_1..=E::ISO_8859_16).contains(&encoding);
    let is_windows = (E::WINDOWS_1250..=E::WINDOWS_1257).contains(&encoding);
    is_iso && ![E::ISO_8859_6, E::ISO_8859_8, E::ISO_8859_11].contains(&encoding) || is_windows
}

fn map_bytes(bytes: &[u8], mapping: Mapping, out: &mut Vec<u8>) {
    if let Some((&first, rest)) = bytes.split_first() {
        out.push(mapping.of_first().ascii(first));
        let how = mapping.of_rest();
        out.extend(rest.iter().map(|&byte| how.ascii(byte)));
    }
}

fn map_chars(
    text: Text<'_>,
    mapping: Mapping,
    options: CaseOptions,
    repertoire: &Repertoire,
    out: &mut Vec<u8>,
) -> Result<(), InvalidInput> {
    let mut how = mapping.of_first();
    let mut rest = text.bytes;
    let is_quick = matches!(repertoire, Repertoire::Unicode) && text.is_valid_utf8() && !options.is_turkic;
    while !rest.is_empty() {
        // The first character may be mapped otherwise than the rest.
        if is_quick && rest.len() < text.bytes.len() {
            quick::map_run(&mut rest, how, out);
            if rest.is_empty() {
                break;
            }
        }
        let (code, len) = codepoint(text.encoding, rest).ok_or(InvalidInput)?;
        let (char, next) = rest.split_at(len);
        map_char(text.encoding, code, char, how, options, repertoire, out);
        how = mapping.of_rest();
        rest = next;
    }
    Ok(())
}

fn map_char(
    encoding: EncodingIndex,
    code: u32,
    bytes: &[u8],
    how: CharMapping,
    options: CaseOptions,
    repertoire: &Repertoire,
    out: &mut Vec<u8>,
) {
    let is_plain_ascii = code < 0x80 && !(options.is_turkic && unicode::is_turkic_special(code));
    if is_plain_ascii && encoding.min_len() == 1 {
        return out.push(how.ascii(code as u8));
    }
    match repertoire {
        Repertoire::Unicode => unicode::map(code, how, options.is_turkic, |c| {
            let _ = encode_codepoint(encoding, c as u32, out);
        }),
        Repertoire::Page(page) => map_in_page(*page, bytes[0], how, options, out),
        _ if code < 0x80 => {
            let _ = encode_codepoint(encoding, u32::from(how.ascii(code as u8)), out);
        }
        _ => out.extend(bytes),
    }
}

/// A letter whose counterpart is not in the page stays. So do the micro sign and the two superscript letters, which have
/// counterparts elsewhere.
fn map_in_page(page: Option<&Page>, byte: u8, how: CharMapping, options: CaseOptions, out: &mut Vec<u8>) {
    let decoded = match page {
        Some(page) => pages::decode(page, byte),
        None => Some(byte as char),
    };
    let encode = |c: char| match page {
        Some(page) => pages::encode(page, c),
        None => u8::try_from(c as u32).ok(),
    };
    let start = out.len();
    let mut fits = decoded.is_some();
    // No page has the combining dot, so a capital I with a dot becomes a plain i whatever the language.
    let is_turkic = options.is_turkic || decoded == Some('\u{130}');
    unicode::map(decoded.map_or(0, u32::from), how, is_turkic, |c| match encode(c) {
        Some(mapped) => out.push(mapped),
        None => fits = false,
    });
    if !fits {
        out.truncate(start);
        out.push(byte);
    }
}
