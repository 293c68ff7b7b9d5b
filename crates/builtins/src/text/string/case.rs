//! `upcase`, `downcase`, `capitalize`, `swapcase`.

use super::parts;
use carat_text::case::{self, CaseOptions, Mapping};
use carat_text::coderange::CodeRange;
use carat_vm::{Ec, Rest, Result, Str, methods};

methods! {
    METHODS {
        "upcase" => upcase;
        "downcase" => downcase;
        "capitalize" => capitalize;
        "swapcase" => swapcase;
        "upcase!" => upcase_bang;
        "downcase!" => downcase_bang;
        "capitalize!" => capitalize_bang;
        "swapcase!" => swapcase_bang;
    }
}

/// Reads the option symbols; `:fold` changes the mapping.
fn options(ec: &mut Ec, args: Rest, mapping: Mapping) -> Result<(Mapping, CaseOptions)> {
    if args.is_empty() {
        return Ok((mapping, CaseOptions::default()));
    }
    if args.len() > 2 {
        return Err(ec.argument_error("too many options"));
    }
    let mut names = [None; 2];
    for (name, value) in names.iter_mut().zip(args.iter()) {
        *name = value.as_symbol().and_then(|symbol| std::str::from_utf8(ec.vm().symbol_name(symbol).bytes).ok());
    }
    CaseOptions::parse(&names[..args.len()], mapping).map_err(|error| ec.argument_error(error.0))
}

/// A string that is not longer is copied before it is known whether anything changes.
const COPIED_BYTES: usize = 64;

/// The mapped string as a new String.
pub(crate) fn mapped(ec: &mut Ec, this: Str, args: Rest, mapping: Mapping) -> Result<Str> {
    let (mapping, options) = options(ec, args, mapping)?;
    super::check_known(ec, this)?;
    if !options.is_turkic && this.is_ascii(ec) {
        if this.len(ec) <= COPIED_BYTES {
            let bytes = this.bytes(ec);
            return Ok(Str::filled(ec, bytes.len(), this.encoding(), CodeRange::SevenBit, |copy| {
                copy.copy_from_slice(bytes);
                case::map_ascii_in_place(copy, mapping);
            }));
        }
        let result = this.duplicate(ec);
        if result.bytes(ec).iter().any(u8::is_ascii_alphabetic) {
            case::map_ascii_in_place(result.bytes_mut(ec), mapping);
            result.set_range(CodeRange::SevenBit);
        }
        return Ok(result);
    }
    let (_, out) = map(ec, this, mapping, options)?;
    // Letters may come into ASCII or leave it (long s, dotless i).
    super::make(ec, out, this.encoding(), CodeRange::Unknown)
}

fn map(ec: &mut Ec, this: Str, mapping: Mapping, options: CaseOptions) -> Result<(bool, Vec<u8>)> {
    let mut out = Vec::new();
    let mut is_changed = false;
    let mapped = parts::each(ec, this, parts::anywhere, &mut out, |ec, part, out| {
        // Only the first character of all is a capital.
        let mapping = if mapping == Mapping::Capitalize && !part.is_first() { Mapping::Downcase } else { mapping };
        case::map(part.text(ec), mapping, options, out).map(|changed| is_changed |= changed)
    })?;
    match mapped {
        Ok(()) => Ok((is_changed, out)),
        Err(_) => Err(ec.argument_error("input string invalid")),
    }
}

/// Maps in place; nil if nothing changed.
fn map_bang(ec: &mut Ec, this: Str, args: Rest, mapping: Mapping) -> Result<Option<Str>> {
    this.check_mutable(ec)?;
    let (mapping, options) = options(ec, args, mapping)?;
    super::check_known(ec, this)?;
    if !options.is_turkic && this.is_ascii(ec) {
        let is_changed = case::map_ascii_in_place(this.bytes_mut(ec), mapping);
        this.set_range(CodeRange::SevenBit);
        return Ok(is_changed.then_some(this));
    }
    let (is_changed, out) = map(ec, this, mapping, options)?;
    if is_changed {
        super::put(ec, this, &out, CodeRange::Unknown)?;
    }
    Ok(is_changed.then_some(this))
}

fn upcase(ec: &mut Ec, this: Str, args: Rest) -> Result<Str> {
    mapped(ec, this, args, Mapping::Upcase)
}

fn downcase(ec: &mut Ec, this: Str, args: Rest) -> Result<Str> {
    mapped(ec, this, args, Mapping::Downcase)
}

fn capitalize(ec: &mut Ec, this: Str, args: Rest) -> Result<Str> {
    mapped(ec, this, args, Mapping::Capitalize)
}

fn swapcase(ec: &mut Ec, this: Str, args: Rest) -> Result<Str> {
    mapped(ec, this, args, Mapping::Swapcase)
}

fn upcase_bang(ec: &mut Ec, this: Str, args: Rest) -> Result<Option<Str>> {
    map_bang(ec, this, args, Mapping::Upcase)
}

fn downcase_bang(ec: &mut Ec, this: Str, args: Rest) -> Result<Option<Str>> {
    map_bang(ec, this, args, Mapping::Downcase)
}

fn capitalize_bang(ec: &mut Ec, this: Str, args: Rest) -> Result<Option<Str>> {
    map_bang(ec, this, args, Mapping::Capitalize)
}

fn swapcase_bang(ec: &mut Ec, this: Str, args: Rest) -> Result<Option<Str>> {
    map_bang(ec, this, args, Mapping::Swapcase)
}
