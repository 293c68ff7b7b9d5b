//! Text: strings, symbols, encodings, formats, regexps and what scans them.

pub(crate) mod encoding;
pub(crate) mod format;
pub(crate) mod regexp;
pub(crate) mod string;
pub(crate) mod stringio;
pub(crate) mod strscan;
pub(crate) mod symbol;
pub(crate) mod text_builder;
