//! `inspect`, `dump` and `undump`.

use carat_text::coderange::CodeRange;
use carat_text::{dump, inspect};
use carat_vm::{Ec, EncodingIndex, Result, Str, methods};

methods! {
    METHODS {
        "inspect" => inspect;
        "dump" => dump;
        "undump" => undump;
    }
}

pub(crate) fn inspect(ec: &mut Ec, this: Str) -> Str {
    let encoding = inspect::result_encoding(crate::encoding::preferred(ec));
    let mut out = Vec::with_capacity(this.len(ec) + 2);
    inspect::inspect(this.as_text(ec), encoding, &mut out);
    let range = if this.known_range() == CodeRange::SevenBit { CodeRange::SevenBit } else { CodeRange::Unknown };
    Str::new(ec, &out, encoding, range)
}

fn dump(ec: &mut Ec, this: Str) -> Str {
    let mut out = Vec::with_capacity(this.len(ec) + 2);
    dump::dump(this.as_text(ec), &mut out);
    let encoding = if this.encoding().is_ascii_compatible() { this.encoding() } else { EncodingIndex::ASCII_8BIT };
    Str::new(ec, &out, encoding, CodeRange::SevenBit)
}

fn undump(ec: &mut Ec, this: Str) -> Result<Str> {
    match dump::undump(this.as_text(ec)) {
        Ok((bytes, encoding)) => Ok(Str::new(ec, &bytes, encoding, CodeRange::Unknown)),
        Err(error) => Err(ec.runtime_error(error.0)),
    }
}
