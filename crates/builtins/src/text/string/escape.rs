//! `inspect`, `dump` and `undump`.

use super::parts;
use carat_text::coderange::CodeRange;
use carat_text::{dump, inspect};
use carat_vm::{Ec, EncodingIndex, Result, Str, methods};
use std::convert::Infallible;

methods! {
    METHODS {
        "inspect" => inspect;
        "dump" => dump;
        "undump" => undump;
    }
}

pub(crate) fn inspect(ec: &mut Ec, this: Str) -> Result<Str> {
    let encoding = inspect::result_encoding(crate::text::encoding::preferred(ec));
    let range = if this.known_range() == CodeRange::SevenBit { CodeRange::SevenBit } else { CodeRange::Unknown };
    let mut out = vec![b'"'];
    let Ok(()) = parts::each(ec, this, inspect::end_of_part, &mut out, |ec, part, out| {
        inspect::inspect_part(part.text(ec), encoding, out);
        Ok::<(), Infallible>(())
    })?;
    out.push(b'"');
    super::make(ec, out, encoding, range)
}

fn dump(ec: &mut Ec, this: Str) -> Result<Str> {
    let mut out = vec![b'"'];
    let Ok(()) = parts::each(ec, this, inspect::end_of_part, &mut out, |ec, part, out| {
        dump::dump_part(part.text(ec), out);
        Ok::<(), Infallible>(())
    })?;
    dump::push_end(this.encoding(), &mut out);
    let encoding = if this.encoding().is_ascii_compatible() { this.encoding() } else { EncodingIndex::ASCII_8BIT };
    super::make(ec, out, encoding, CodeRange::SevenBit)
}

fn undump(ec: &mut Ec, this: Str) -> Result<Str> {
    super::check_ascii_compatible(ec, this)?;
    ec.ensure_memory(this.len(ec))?;
    let source = this.snapshot(ec);
    let undumped = ec.compute_on_objects(|ec, ask| dump::undump(source.as_text(ec), ask))?;
    match undumped {
        Ok((bytes, encoding)) => super::make(ec, bytes, encoding, CodeRange::Unknown),
        Err(error) => Err(ec.runtime_error(error.0)),
    }
}
