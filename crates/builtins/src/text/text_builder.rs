//! What core values say of themselves, put straight into the text it is wanted for: no string in between.

use crate::collection::{array, hash};
use carat_text::coderange::CodeRange;
use carat_text::compat::compatible;
use carat_text::text::Text;
use carat_vm::method::{MethodDef, MethodKind};
use carat_vm::{Array, Ec, EncodingIndex, Hash, Result, Str, SymbolId, Value, sym};

/// As much is appended at a stretch without asking for memory; a byte becomes twelve at most, in `\\u{10FFFF}`.
const DIRECT_ROOM: usize = 1 << 20;

/// More than what stands between two parts.
const PUNCTUATION_ROOM: usize = 64;

/// Text that is being put together, and becomes a string when its length is known.
pub(crate) struct TextBuilder {
    bytes: Vec<u8>,
    encoding: EncodingIndex,
    range: CodeRange,
}

impl TextBuilder {
    pub(crate) fn new(encoding: EncodingIndex) -> TextBuilder {
        TextBuilder { bytes: Vec::new(), encoding, range: CodeRange::SevenBit }
    }

    /// What is empty yet begins in this encoding.
    pub(crate) fn begin_in(&mut self, encoding: EncodingIndex) {
        self.encoding = encoding;
    }

    /// Appends text that any encoding it meets here can say.
    pub(crate) fn push_ascii(&mut self, text: &[u8]) {
        self.bytes.extend_from_slice(text);
    }

    /// Appends a string, in the encoding that holds both.
    pub(crate) fn push(&mut self, ec: &mut Ec, part: Str) -> Result<()> {
        if part.is_empty(ec) {
            return Ok(());
        }
        if self.keeps_encoding(ec, part) {
            self.range = self.range.combine(part.range(ec));
        } else {
            let text = part.as_text(ec);
            let Some(encoding) = compatible(self.as_text(), text) else {
                return Err(ec.incompatible_encodings(self.encoding, part.encoding()));
            };
            self.range = self.range.combine(text.coderange);
            self.encoding = encoding;
        }
        ec.make_room_in(&mut self.bytes, part.len(ec) + PUNCTUATION_ROOM)?;
        self.bytes.extend_from_slice(part.bytes(ec));
        Ok(())
    }

    /// Whether the text's encoding holds both whatever the text is: most often so, and told sooner than by [`compatible`].
    fn keeps_encoding(&self, ec: &Ec, part: Str) -> bool {
        let are_ascii_compatible = || self.encoding.is_ascii_compatible() && part.encoding().is_ascii_compatible();
        part.encoding() == self.encoding || part.range(ec) == CodeRange::SevenBit && are_ascii_compatible()
    }

    fn as_text(&self) -> Text<'_> {
        Text { bytes: &self.bytes, encoding: self.encoding, coderange: self.range }
    }

    /// Appends `inspect` of a value, with `leads` in its encoding.
    pub(crate) fn push_inspected(&mut self, ec: &mut Ec, value: Value, leads: bool) -> Result<()> {
        if self.push_direct(ec, value, sym::INSPECT, leads)? {
            return Ok(());
        }
        if let Some(array) = Array::from_value(value)
            && has_own_inspect(ec, value, array::METHODS)
        {
            return array::push_inspect(ec, array, self, leads);
        }
        if let Some(hash) = Hash::from_value(value)
            && has_own_inspect(ec, value, hash::METHODS)
        {
            return hash::push_inspect(ec, hash, self, leads);
        }
        let part = inspected(ec, value)?;
        if leads {
            self.encoding = part.encoding();
        }
        self.push(ec, part)
    }

    /// Appends a symbol's name, with `leads` in its encoding.
    pub(crate) fn push_name(&mut self, ec: &mut Ec, name: Text<'_>, leads: bool) -> Result<()> {
        if leads {
            self.encoding = name.encoding;
        }
        let name = name.scanned();
        let Some(encoding) = compatible(self.as_text(), name) else {
            return Err(ec.incompatible_encodings(self.encoding, name.encoding));
        };
        self.range = self.range.combine(name.coderange);
        self.bytes.extend_from_slice(name.bytes);
        self.encoding = encoding;
        Ok(())
    }

    /// Shows a symbol, in the encoding of that.
    pub(crate) fn push_symbol(&mut self, ec: &Ec, symbol: SymbolId) {
        let preferred = carat_text::inspect::result_encoding(crate::text::encoding::preferred(ec));
        self.encoding = symbol_text(ec, symbol, sym::INSPECT, preferred, &mut self.bytes);
        self.range = if self.bytes.is_ascii() { CodeRange::SevenBit } else { CodeRange::Unknown };
    }

    /// Appends what [`direct`] knows of the value, in the text's encoding or, with `leads`, in its own. False: it knows none.
    pub(crate) fn push_direct(&mut self, ec: &mut Ec, value: Value, name: SymbolId, leads: bool) -> Result<bool> {
        let start = self.bytes.len();
        ec.make_room_in(&mut self.bytes, DIRECT_ROOM)?;
        let Some(encoding) = direct(ec, value, name, &mut self.bytes) else { return Ok(false) };
        let is_ascii = self.bytes[start..].is_ascii();
        if leads {
            self.encoding = encoding;
        }
        if self.encoding.is_ascii_compatible() && (is_ascii || encoding == self.encoding) {
            self.range = if is_ascii { self.range } else { CodeRange::Unknown };
            return Ok(true);
        }
        let part = Str::new(ec, &self.bytes[start..], encoding, CodeRange::Unknown);
        self.bytes.truncate(start);
        self.push(ec, part)?;
        Ok(true)
    }

    pub(crate) fn finish(self, ec: &mut Ec) -> Result<Str> {
        Str::try_of_vec(ec, self.bytes, self.encoding, self.range)
    }
}

/// `inspect` of a value as a part of a longer text: in the encoding that such texts have, or in ASCII.
///
/// # References
/// CRuby `rb_inspect`.
pub(crate) fn inspected(ec: &mut Ec, value: Value) -> Result<Str> {
    let part = ec.inspect(value)?;
    let preferred = carat_text::inspect::result_encoding(crate::text::encoding::preferred(ec));
    if part.encoding() == preferred || part.is_ascii(ec) && part.encoding().is_ascii_compatible() {
        return Ok(part);
    }
    Ok(escaped(ec, part, preferred))
}

/// A text that is in another encoding than what is shown: what that does not have stands in escapes.
///
/// # References
/// CRuby `rb_str_escape`.
fn escaped(ec: &Ec, part: Str, preferred: EncodingIndex) -> Str {
    let (text, mut out) = (part.as_text(ec), Vec::new());
    for character in carat_text::chars::iter(text) {
        match carat_text::encoding::codepoint(text.encoding, character) {
            Some((code @ 0x20..=0x7E, _)) => out.push(code as u8),
            _ => carat_text::inspect::inspect_part(Text::of(character, text.encoding), preferred, &mut out),
        }
    }
    Str::new(ec, &out, EncodingIndex::US_ASCII, CodeRange::Unknown)
}

/// Appends what `to_s` or `inspect` of the value is, and tells its encoding, if that takes no Ruby code: the value is a number,
/// a symbol, nil, true or false, or a string, and its class has the method that it came with.
pub(crate) fn direct(ec: &Ec, value: Value, name: SymbolId, out: &mut Vec<u8>) -> Option<EncodingIndex> {
    let is_known = if value.is_heap() && !value.is_flonum() {
        let is_short = Str::from_value(value).is_some_and(|s| s.len(ec) <= DIRECT_ROOM / 16);
        is_short && name == sym::INSPECT && has_own_inspect(ec, value, super::string::ESCAPE_METHODS)
    } else {
        has_core_method(ec, value, name)
    };
    if !is_known {
        return None;
    }
    let preferred = || carat_text::inspect::result_encoding(crate::text::encoding::preferred(ec));
    if let Some(i) = value.as_fixnum() {
        out.extend_from_slice(carat_text::number::decimal::DecimalBuffer::new().format(i));
    } else if let Some(f) = value.as_flonum() {
        out.extend_from_slice(&carat_text::number::float_text::float_to_string(f));
    } else if let Some(s) = Str::from_value(value) {
        let preferred = preferred();
        carat_text::inspect::inspect(s.as_text(ec), preferred, out);
        return Some(preferred);
    } else if let Some(symbol) = value.as_symbol() {
        return Some(symbol_text(ec, symbol, name, preferred(), out));
    } else {
        out.extend_from_slice(match value {
            Value::TRUE => b"true",
            Value::FALSE => b"false",
            Value::NIL if name == sym::INSPECT => b"nil",
            Value::NIL => b"",
            _ => return None,
        });
    }
    Some(EncodingIndex::US_ASCII)
}

fn symbol_text(
    ec: &Ec,
    symbol: SymbolId,
    name: SymbolId,
    preferred: EncodingIndex,
    out: &mut Vec<u8>,
) -> EncodingIndex {
    let text = ec.vm().symbol_name(symbol);
    if name == sym::INSPECT {
        let start = out.len();
        carat_text::symbol::inspect_symbol(Text::of(text.bytes, text.encoding), preferred, out);
        let is_quoted = out.get(start + 1) == Some(&b'"');
        return if is_quoted { preferred } else { text.encoding };
    }
    out.extend_from_slice(text.bytes);
    text.encoding
}

/// Whether `inspect` is the one that the class of `table` came with, under this name.
fn has_own_inspect(ec: &Ec, value: Value, table: &'static [MethodDef]) -> bool {
    let Some(method) = ec.find_method(value, sym::INSPECT) else { return false };
    let MethodKind::Native(def) = method.resolved(ec).kind else { return false };
    def.name == "inspect" && table.as_ptr_range().contains(&std::ptr::from_ref(def))
}

/// Whether the method is native and was made under this name, so that nobody can tell it was not called.
fn has_core_method(ec: &Ec, value: Value, name: SymbolId) -> bool {
    let wanted = if name == sym::INSPECT { "inspect" } else { "to_s" };
    let method = ec.find_method(value, name);
    method.is_some_and(|method| matches!(method.resolved(ec).kind, MethodKind::Native(def) if def.name == wanted))
}
