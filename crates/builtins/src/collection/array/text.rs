//! `inspect` and `join`.

use crate::text::text_builder::TextBuilder;
use carat_vm::{Array, CodeRange, Ec, EncodingIndex, Result, Str, Value, sym};

/// Arrays of strings up to this length are joined at a stretch, and those whose encodings are alike up to the other.
const POLLED_LEN: usize = 4096;
const ALIKE_POLLED_LEN: usize = 1 << 17;

pub(super) fn inspect(ec: &mut Ec, this: Array) -> Result<Str> {
    if this.is_empty(ec) {
        return Ok(Str::new(ec, b"[]", EncodingIndex::US_ASCII, CodeRange::SevenBit));
    }
    let mut shown = TextBuilder::new(EncodingIndex::US_ASCII);
    push_inspect(ec, this, &mut shown, true)?;
    shown.finish(ec)
}

/// Appends what `inspect` answers. With `leads` the first element's encoding is the text's.
pub(crate) fn push_inspect(ec: &mut Ec, this: Array, shown: &mut TextBuilder, leads: bool) -> Result<()> {
    ec.check_native_stack()?;
    let visited = ec.guarded(sym::INSPECT, this.value(), Value::NIL, |ec| {
        shown.push_ascii(b"[");
        let mut index = 0;
        while let Some(value) = this.get(ec, index) {
            ec.check_ints()?;
            if index > 0 {
                shown.push_ascii(b", ");
            }
            shown.push_inspected(ec, value, leads && index == 0)?;
            index += 1;
        }
        shown.push_ascii(b"]");
        Ok(())
    })?;
    if visited.is_none() {
        shown.push_ascii(b"[...]");
    }
    Ok(())
}

/// Appends a string, in the encoding that holds both.
fn append(ec: &mut Ec, text: Str, part: Str) -> Result<()> {
    match text.compatible_encoding(ec, part) {
        Some(encoding) => text.set_encoding(encoding),
        None => return Err(ec.incompatible_encodings(text.encoding(), part.encoding())),
    }
    text.push_str(ec, part);
    Ok(())
}

pub(super) fn join(ec: &mut Ec, this: Array, separator: Option<Value>) -> Result<Str> {
    let separator = match separator.unwrap_or(Value::NIL) {
        Value::NIL => default_separator(ec)?,
        _ if this.is_empty(ec) => None,
        value => Some(ec.to_str(value)?),
    };
    if this.is_empty(ec) {
        return Ok(Str::new(ec, b"", EncodingIndex::US_ASCII, CodeRange::SevenBit));
    }
    join_with(ec, this, separator)
}

/// `$,`
fn default_separator(ec: &mut Ec) -> Result<Option<Str>> {
    let value = ec.global_value(sym::LIST_SEPARATOR);
    if value.is_nil() {
        return Ok(None);
    }
    ec.warn_deprecated("$, is set to non-nil value")?;
    ec.to_str(value).map(Some)
}

pub(super) fn join_with(ec: &mut Ec, this: Array, separator: Option<Str>) -> Result<Str> {
    let first = this.get(ec, 0).and_then(Str::from_value);
    let mut encoding = first.map_or(EncodingIndex::US_ASCII, Str::encoding);
    if let Some(len) = length_of_strings(ec, this, separator) {
        ec.ensure_memory(len)?;
        return join_strings(ec, this, separator, len, encoding);
    }
    let object = this.get(ec, 0).filter(|value| value.is_heap());
    let converted = convert_first_object(ec, this)?;
    if object.is_some_and(|object| Str::from_value(object).is_none()) {
        encoding = converted.unwrap_or(encoding);
    }
    let mut joiner = Joiner { text: TextBuilder::new(encoding), separator, is_first: true, leads: true };
    joiner.add_elements(ec, this.value(), this)?;
    joiner.text.finish(ec)
}

/// Asks the first element that is no string for its `to_str` before anything is joined: that may change the elements before it.
/// What that is in.
fn convert_first_object(ec: &mut Ec, array: Array) -> Result<Option<EncodingIndex>> {
    let first = array.slice_of(ec).iter().copied().find(|value| Str::from_value(*value).is_none());
    match first.filter(|value| value.is_heap() && Array::from_value(*value).is_none()) {
        Some(value) => Ok(ec.check_string(value)?.map(Str::encoding)),
        None => Ok(None),
    }
}

/// How long the result is if all elements are strings: then nothing is called, and the result has its room at once.
fn length_of_strings(ec: &Ec, array: Array, separator: Option<Str>) -> Option<usize> {
    let between = separator.map_or(0, |s| s.len(ec)).checked_mul(array.len(ec).saturating_sub(1))?;
    let elements = array.slice_of(ec).iter().map(|v| Str::from_value(*v).map(|s| s.len(ec)));
    elements.sum::<Option<usize>>()?.checked_add(between)
}

fn join_strings(ec: &mut Ec, array: Array, separator: Option<Str>, len: usize, encoding: EncodingIndex) -> Result<Str> {
    if let Some(text) = join_alike(ec, array, separator, len, encoding) {
        return Ok(text);
    }
    let class = ec.vm().known().string;
    let text = Str::with_capacity_of(ec, class, len, encoding);
    // Polls between the elements of a long array, which other code may change then.
    let is_long = array.len(ec) > POLLED_LEN;
    let array = if is_long { array.duplicate(ec) } else { array };
    let mut index = 0;
    while let Some(part) = array.get(ec, index).and_then(Str::from_value) {
        if is_long {
            ec.check_ints()?;
        }
        if let Some(separator) = separator.filter(|_| index > 0) {
            append(ec, text, separator)?;
        }
        append(ec, text, part)?;
        index += 1;
    }
    Ok(text)
}

/// Strings and a separator that all go into one encoding which is plain before they are put together.
fn join_alike(ec: &Ec, array: Array, separator: Option<Str>, len: usize, encoding: EncodingIndex) -> Option<Str> {
    let strings = Str::all(array.slice_of(ec), |_| true).filter(|strings| strings.len() <= ALIKE_POLLED_LEN)?;
    let separator = separator.filter(|_| strings.len() > 1);
    let pieces = || strings.iter().copied().chain(separator);
    let (encoding, range) = known_encoding(pieces(), encoding).or_else(|| joint_encoding(ec, pieces(), encoding))?;
    Some(Str::joined(ec, strings, separator, len, encoding, range))
}

/// Of pieces that have the same encoding.
fn known_encoding(
    mut pieces: impl Iterator<Item = Str>,
    encoding: EncodingIndex,
) -> Option<(EncodingIndex, CodeRange)> {
    let range = pieces.try_fold(CodeRange::SevenBit, |range, piece| {
        (piece.encoding() == encoding).then(|| range.combine(piece.known_range()))
    })?;
    encoding.is_ascii_compatible().then_some((encoding, range))
}

/// Of pieces of several encodings, all but one of which are ASCII only: the encoding of that, or else of the first one.
fn joint_encoding(
    ec: &Ec,
    pieces: impl Iterator<Item = Str>,
    first: EncodingIndex,
) -> Option<(EncodingIndex, CodeRange)> {
    let (mut found, mut range) = (None, CodeRange::SevenBit);
    for piece in pieces {
        if !piece.encoding().is_ascii_compatible() {
            return None;
        }
        let own = piece.range(ec);
        if own != CodeRange::SevenBit && *found.get_or_insert(piece.encoding()) != piece.encoding() {
            return None;
        }
        range = range.combine(own);
    }
    Some((found.unwrap_or(first), range))
}

struct Joiner {
    text: TextBuilder,
    separator: Option<Str>,
    is_first: bool,
    /// Whether the next text is the first element itself, whose encoding the result begins with.
    leads: bool,
}

impl Joiner {
    /// The elements of an array that stands for `owner`, within whose elements that does not appear again.
    fn add_elements(&mut self, ec: &mut Ec, owner: Value, array: Array) -> Result<()> {
        ec.check_native_stack()?;
        let done = ec.guarded(sym::JOIN, owner, Value::NIL, |ec| {
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
            return self.add_nested(ec, value, array);
        }
        if !value.is_heap() {
            return self.add_immediate(ec, value);
        }
        if let Some(part) = ec.check_string(value)? {
            return self.add_text(ec, part);
        }
        if let Some(array) = ec.check_array(value)? {
            return self.add_nested(ec, value, array);
        }
        let part = ec.to_s(value)?;
        self.add_text(ec, part)
    }

    fn add_immediate(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        self.separate(ec)?;
        if self.text.push_direct(ec, value, sym::TO_S, self.leads)? {
            self.leads = false;
            return Ok(());
        }
        let part = ec.to_s(value)?;
        self.push(ec, part)
    }

    fn add_nested(&mut self, ec: &mut Ec, owner: Value, array: Array) -> Result<()> {
        self.leads = false;
        if array.is_empty(ec) {
            let nothing = Str::new(ec, b"", EncodingIndex::US_ASCII, CodeRange::SevenBit);
            return self.add_text(ec, nothing);
        }
        self.add_elements(ec, owner, array)
    }

    fn add_text(&mut self, ec: &mut Ec, part: Str) -> Result<()> {
        self.separate(ec)?;
        self.push(ec, part)
    }

    fn push(&mut self, ec: &mut Ec, part: Str) -> Result<()> {
        if std::mem::take(&mut self.leads) {
            self.text.begin_in(part.encoding());
        }
        self.text.push(ec, part)
    }

    /// Appends the separator, unless nothing was added yet.
    fn separate(&mut self, ec: &mut Ec) -> Result<()> {
        let is_first = std::mem::take(&mut self.is_first);
        match self.separator.filter(|_| !is_first) {
            Some(separator) => self.text.push(ec, separator),
            None => Ok(()),
        }
    }
}
