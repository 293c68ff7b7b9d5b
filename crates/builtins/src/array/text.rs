//! `inspect` and `join`.

use carat_vm::{Array, Ec, EncodingIndex, Result, Str, Value, sym};

pub(super) fn inspect(ec: &mut Ec, this: Array) -> Result<Str> {
    if this.is_empty(ec) {
        return Ok(Str::new(ec, b"[]", EncodingIndex::US_ASCII, carat_vm::CodeRange::SevenBit));
    }
    ec.check_native_stack()?;
    let shown = ec.guarded(sym::INSPECT, this.value(), Value::NIL, |ec| {
        let text = Str::from_ascii(ec, b"[");
        let mut index = 0;
        while let Some(value) = this.get(ec, index) {
            ec.check_ints()?;
            let part = ec.inspect(value)?;
            if index == 0 {
                text.set_encoding(part.encoding());
            } else {
                text.push_bytes(ec, b", ");
            }
            append(ec, text, part)?;
            index += 1;
        }
        text.push_bytes(ec, b"]");
        Ok(text)
    })?;
    Ok(shown.unwrap_or_else(|| Str::from_ascii(ec, b"[...]")))
}

/// Appends a string, in the encoding that holds both.
pub(crate) fn append(ec: &mut Ec, text: Str, part: Str) -> Result<()> {
    let (a, b) = (text.encoding(), part.encoding());
    if a != b {
        match carat_text::compat::compatible(text.as_text(ec), part.as_text(ec)) {
            Some(encoding) => text.set_encoding(encoding),
            None => return Err(ec.incompatible_encodings(a, b)),
        }
    }
    text.push_str(ec, part);
    Ok(())
}

pub(super) fn join(ec: &mut Ec, this: Array, separator: Option<Value>) -> Result<Str> {
    if this.is_empty(ec) {
        return Ok(Str::new(ec, b"", EncodingIndex::US_ASCII, carat_vm::CodeRange::SevenBit));
    }
    let separator = match separator.unwrap_or(Value::NIL) {
        Value::NIL => default_separator(ec)?,
        value => Some(ec.to_str(value)?),
    };
    join_with(ec, this, separator)
}

/// `$,`
fn default_separator(ec: &mut Ec) -> Result<Option<Str>> {
    let name = ec.vm().intern("$,");
    let value = ec.vm().global(name).map_or(Value::NIL, |g| g.get());
    if value.is_nil() {
        return Ok(None);
    }
    ec.warn_deprecated("$, is set to non-nil value")?;
    ec.to_str(value).map(Some)
}

pub(super) fn join_with(ec: &mut Ec, this: Array, separator: Option<Str>) -> Result<Str> {
    let text = Str::new(ec, b"", EncodingIndex::US_ASCII, carat_vm::CodeRange::SevenBit);
    if let Some(first) = this.get(ec, 0).and_then(Str::from_value) {
        text.set_encoding(first.encoding());
    }
    let mut joiner = Joiner { text, separator, is_first: true };
    joiner.add_elements(ec, this)?;
    Ok(text)
}

struct Joiner {
    text: Str,
    separator: Option<Str>,
    is_first: bool,
}

impl Joiner {
    fn add_elements(&mut self, ec: &mut Ec, array: Array) -> Result<()> {
        ec.check_native_stack()?;
        let done = ec.guarded(sym::JOIN, array.value(), Value::NIL, |ec| {
            let mut index = 0;
            while let Some(value) = array.get(ec, index) {
                ec.check_ints()?;
                self.add(ec, value)?;
                index += 1;
            }
            Ok(())
        })?;
        done.ok_or(()).map_err(|()| ec.argument_error("recursive array join"))
    }

    /// A string as it is, an array element by element, anything else by its conversions.
    fn add(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        if let Some(part) = Str::from_value(value) {
            return self.add_text(ec, part);
        }
        if let Some(array) = Array::from_value(value) {
            return self.add_nested(ec, array);
        }
        if !value.is_heap() {
            let part = ec.to_s(value)?;
            return self.add_text(ec, part);
        }
        if let Some(part) = ec.check_string(value)? {
            return self.add_text(ec, part);
        }
        if let Some(array) = ec.check_array(value)? {
            return self.add_nested(ec, array);
        }
        let part = ec.to_s(value)?;
        self.add_text(ec, part)
    }

    fn add_nested(&mut self, ec: &mut Ec, array: Array) -> Result<()> {
        if array.is_empty(ec) {
            let nothing = Str::new(ec, b"", EncodingIndex::US_ASCII, carat_vm::CodeRange::SevenBit);
            return self.add_text(ec, nothing);
        }
        self.add_elements(ec, array)
    }

    fn add_text(&mut self, ec: &mut Ec, part: Str) -> Result<()> {
        if !std::mem::replace(&mut self.is_first, false)
            && let Some(separator) = self.separator
        {
            append(ec, self.text, separator)?;
        }
        append(ec, self.text, part)
    }
}
