//! The levels of the parser's warnings, which the binding does not tell.
//!
//! # References
//! Prism: `templates/src/diagnostic.c.erb` gives each warning's level; `pm_conditional_predicate` decides about literals.

use crate::Level;

/// Beginnings or ends of the warnings that Ruby gives without `-w`.
const DEFAULT_STARTS: &[&[u8]] = &[
    b"... at EOL",
    b"key ",
    b"found '= literal'",
    b"END in method",
    b"integer literal in flip-flop",
    b"invalid character syntax",
    b"string literal in ",
    b"shebang line ending",
    b"encountered \\r",
];
const DEFAULT_ENDS: &[&[u8]] = &[b" is too big for a number variable, always nil"];

/// The level of a warning; `source` is the code that it is about.
pub(crate) fn level_of(message: &[u8], source: &[u8]) -> Level {
    let is_default = DEFAULT_STARTS.iter().any(|start| message.starts_with(start))
        || DEFAULT_ENDS.iter().any(|end| message.ends_with(end))
        || message.starts_with(b"regex literal in ") && !is_interpolated(source);
    if is_default { Level::Warning } else { Level::VerboseWarning }
}

fn is_interpolated(source: &[u8]) -> bool {
    source.windows(2).any(|pair| pair[0] == b'#' && matches!(pair[1], b'{' | b'@' | b'$'))
}
