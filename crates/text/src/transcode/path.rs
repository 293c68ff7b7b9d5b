//! Which conversions exist, and the steps CRuby takes for each.

use super::recorded::Carrier;
use crate::encoding::EncodingIndex as E;
use crate::pages;

/// The encodings between `encoding`, itself included, and UTF-8, which is left out; `None` without a converter.
fn chain(encoding: E) -> Option<Vec<E>> {
    Some(match encoding {
        E::UTF_8 => vec![],
        E::IBM037 => vec![E::IBM037, E::ISO_8859_1],
        E::STATELESS_ISO_2022_JP => vec![encoding, E::EUC_JP],
        E::ISO_2022_JP => vec![encoding, E::STATELESS_ISO_2022_JP, E::EUC_JP],
        E::CP50220 | E::CP50221 => vec![encoding, E::CP51932],
        E::UTF8_DOCOMO | E::UTF8_KDDI | E::UTF8_SOFTBANK => vec![encoding],
        E::SJIS_DOCOMO | E::SJIS_KDDI | E::SJIS_SOFTBANK | E::STATELESS_ISO_2022_JP_KDDI => {
            vec![encoding, Carrier::of(encoding).utf8()]
        }
        E::ISO_2022_JP_KDDI => vec![encoding, E::STATELESS_ISO_2022_JP_KDDI, E::UTF8_KDDI],
        _ if is_direct(encoding) => vec![encoding],
        _ => return None,
    })
}

/// Whether one step leads to UTF-8 and back.
fn is_direct(encoding: E) -> bool {
    const DIRECT: [E; 30] = [
        E::BINARY,
        E::US_ASCII,
        E::ISO_8859_1,
        E::UTF_16BE,
        E::UTF_16LE,
        E::UTF_32BE,
        E::UTF_32LE,
        E::UTF_16,
        E::UTF_32,
        E::UTF8_MAC,
        E::CESU_8,
        E::EUC_JP,
        E::CP51932,
        E::EUCJP_MS,
        E::EUC_JIS_2004,
        E::WINDOWS_31J,
        E::SHIFT_JIS,
        E::BIG5,
        E::BIG5_HKSCS,
        E::BIG5_UAO,
        E::CP950,
        E::CP951,
        E::CP949,
        E::EUC_KR,
        E::GBK,
        E::GB2312,
        E::GB12345,
        E::GB18030,
        E::CP50221,
        E::CP50220,
    ];
    DIRECT.contains(&encoding) || pages::of(encoding).is_some()
}

/// The encodings from `source` to `destination` that CRuby converts through, both included
/// (`Encoding::Converter.search_convpath`); `None` when there is no way.
pub fn path(source: E, destination: E) -> Option<Vec<E>> {
    let mut down = chain(source)?;
    let mut up = chain(destination)?;
    down.push(E::UTF_8);
    up.push(E::UTF_8);
    let joint = down.iter().position(|step| up.contains(step) || is_side_step(*step, &up))?;
    let met = up.iter().position(|step| *step == down[joint] || is_side_step_between(down[joint], *step))?;
    let is_same = up[met] == down[joint];
    down.truncate(joint + 1);
    down.extend(up[..met + usize::from(!is_same)].iter().rev());
    Some(down)
}

/// EUC-JP and Shift_JIS convert into each other without Unicode, the carriers' pictures without Unicode's.
fn is_side_step_between(from: E, to: E) -> bool {
    let is_carriers = |encoding| matches!(encoding, E::UTF8_DOCOMO | E::UTF8_KDDI | E::UTF8_SOFTBANK);
    [from, to] == [E::EUC_JP, E::SHIFT_JIS]
        || [from, to] == [E::SHIFT_JIS, E::EUC_JP]
        || (from != to && is_carriers(from) && is_carriers(to))
}

/// Whether the step holds the characters of Unicode, or of Unicode with a carrier's pictures.
pub(super) fn is_unicode_step(encoding: E) -> bool {
    encoding == Carrier::of(encoding).utf8()
}

fn is_side_step(from: E, candidates: &[E]) -> bool {
    candidates.iter().any(|&to| is_side_step_between(from, to))
}

/// The name CRuby's converters use: the code pages named after companies are written in capitals.
pub(super) fn converter_name(encoding: E) -> String {
    let name = encoding.name();
    let is_windows = name.starts_with("Windows-") && encoding != E::WINDOWS_31J;
    let is_upper = is_windows || name.starts_with("mac") || encoding == E::SJIS_DOCOMO;
    if is_upper { name.to_ascii_uppercase() } else { name.to_owned() }
}
