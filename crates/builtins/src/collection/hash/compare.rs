//! Equality, hashes and `inspect`.

use super::Table;
use crate::collection::generic::{hash_mix, hash_of, same_or_equal};
use crate::text::text_builder::TextBuilder;
use carat_text::symbol::key_needs_quotes;
use carat_text::text::Text;
use carat_vm::{CodeRange, Ec, EncodingIndex, Hash, Result, Str, SymbolId, Value, sym};

pub(super) fn equal(ec: &mut Ec, this: Hash, other: Value) -> Result<bool> {
    compare(ec, this, other, sym::EQ, same_or_equal)
}

pub(super) fn eql(ec: &mut Ec, this: Hash, other: Value) -> Result<bool> {
    compare(ec, this, other, sym::EQL, Ec::eql)
}

fn compare(
    ec: &mut Ec,
    this: Hash,
    other: Value,
    key: SymbolId,
    is_same: fn(&mut Ec, Value, Value) -> Result<bool>,
) -> Result<bool> {
    if this.value() == other {
        return Ok(true);
    }
    let Some(hash) = Hash::from_value(other) else {
        // Something that says it is like a hash decides itself.
        return Ok(ec.respond_to(other, sym::TO_HASH, true)? && ec.call(other, key, &[this.value()])?.truthy());
    };
    if this.len(ec) != hash.len(ec) || !this.is_empty(ec) && this.compares_by_identity() != hash.compares_by_identity()
    {
        return Ok(false);
    }
    ec.check_native_stack()?;
    let answer = ec.guarded(key, this.value(), other, |ec| all_same(ec, this, hash, is_same))?;
    Ok(answer.unwrap_or(true))
}

/// Whether `b` has each key of `a` with the same value.
pub(super) fn all_same(
    ec: &mut Ec,
    a: Hash,
    b: Hash,
    is_same: fn(&mut Ec, Value, Value) -> Result<bool>,
) -> Result<bool> {
    let mut position = 0;
    while let Some(next) = a.next(ec, position) {
        ec.check_ints()?;
        let (key, value) = (a.key_at(ec, next - 1), a.value_at(ec, next - 1));
        let Some(other) = b.get(ec, key)? else { return Ok(false) };
        if !is_same(ec, value, other)? {
            return Ok(false);
        }
        position = next;
    }
    Ok(true)
}

/// The order of the entries does not count.
pub(super) fn hash(ec: &mut Ec, this: Hash) -> Result<i64> {
    ec.check_native_stack()?;
    let mut sum = i64::try_from(this.len(ec)).unwrap_or(0);
    let mut position = 0;
    while let Some(next) = this.next(ec, position) {
        ec.check_ints()?;
        let key = hash_of(ec, this.key_at(ec, next - 1))?;
        let value = hash_of(ec, this.value_at(ec, next - 1))?;
        sum = sum.wrapping_add(hash_mix(ec, key, value));
        position = next;
    }
    Ok(hash_mix(ec, sum, 1))
}

/// `Primitive.set_hash`: the same for the same elements in any order.
pub(super) fn set_hash(ec: &mut Ec, Table(set): Table) -> Result<i64> {
    /// Tells sets from hashes and arrays of the same elements.
    const SALT: i64 = 17;
    ec.check_native_stack()?;
    let mut sum = i64::try_from(set.len(ec)).unwrap_or(0);
    let answer = ec.guarded(sym::HASH, set.value(), Value::NIL, |ec| {
        let mut position = 0;
        while let Some(next) = set.next(ec, position) {
            ec.check_ints()?;
            let element = hash_of(ec, set.key_at(ec, next - 1))?;
            sum ^= hash_mix(ec, SALT, element);
            position = next;
        }
        Ok(sum)
    })?;
    Ok(answer.unwrap_or(0))
}

pub(super) fn inspect(ec: &mut Ec, this: Hash) -> Result<Str> {
    if this.is_empty(ec) {
        return Ok(Str::new(ec, b"{}", EncodingIndex::US_ASCII, CodeRange::SevenBit));
    }
    let mut text = TextBuilder::new(EncodingIndex::US_ASCII);
    push_inspect(ec, this, &mut text, true)?;
    text.finish(ec)
}

/// Appends what `inspect` answers. With `leads` the first key's encoding is the text's.
pub(crate) fn push_inspect(ec: &mut Ec, this: Hash, text: &mut TextBuilder, leads: bool) -> Result<()> {
    ec.check_native_stack()?;
    let visited = ec.guarded(sym::INSPECT, this.value(), Value::NIL, |ec| {
        text.push_ascii(b"{");
        let mut position = 0;
        while let Some(next) = this.next(ec, position) {
            if position > 0 {
                text.push_ascii(b", ");
            }
            ec.check_ints()?;
            let (key, value) = (this.key_at(ec, next - 1), this.value_at(ec, next - 1));
            push_key(ec, text, key, leads && position == 0)?;
            text.push_inspected(ec, value, false)?;
            position = next;
        }
        text.push_ascii(b"}");
        Ok(())
    })?;
    if visited.is_none() {
        text.push_ascii(b"{...}");
    }
    Ok(())
}

/// `name: ` for a symbol, quoted where it must be, and `key => ` for anything else.
fn push_key(ec: &mut Ec, text: &mut TextBuilder, key: Value, is_first: bool) -> Result<()> {
    let Some(symbol) = key.as_symbol() else {
        text.push_inspected(ec, key, is_first)?;
        text.push_ascii(b" => ");
        return Ok(());
    };
    let name = ec.vm().symbol_name(symbol);
    let name = Text::of(name.bytes, name.encoding);
    let preferred = carat_text::inspect::result_encoding(crate::text::encoding::preferred(ec));
    if key_needs_quotes(name, preferred) {
        let name = ec.symbol_to_str(symbol).value();
        text.push_inspected(ec, name, is_first)?;
    } else {
        text.push_name(ec, name, is_first)?;
    }
    text.push_ascii(b": ");
    Ok(())
}
