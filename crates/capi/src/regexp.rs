//! Regular expressions.

use crate::boundary::{bytes_at, constant};
use carat_vm::{CodeRange, Ec, EncodingIndex, Result, Str, Value, sym};
use std::ffi::c_int;

fn new(ec: &mut Ec, source: Value, options: c_int) -> Result {
    let class = constant(ec, "Regexp")?;
    ec.call(class, sym::NEW, &[source, Value::fixnum_unchecked(options.into())])
}

api! {
    fn rb_reg_new(ec, bytes: *const u8, len: i64, options: c_int) -> Result {
        let source = Str::new(ec, bytes_at(bytes, len), EncodingIndex::ASCII_8BIT, CodeRange::Unknown);
        if source.is_ascii(ec) {
            source.set_encoding(EncodingIndex::US_ASCII);
        }
        new(ec, source.value(), options)
    }

    fn rb_reg_new_str(ec, source: Value, options: c_int) -> Result {
        new(ec, source, options)
    }

    fn rb_reg_regcomp(ec, source: Value) -> Result {
        new(ec, source, 0)
    }

    fn rb_reg_alloc(ec) -> Result {
        let class = constant(ec, "Regexp")?;
        ec.call(class, sym::ALLOCATE, &[])
    }

    fn rb_reg_init_str(ec, value: Value, source: Value, options: c_int) -> Result {
        ec.call(value, sym::INITIALIZE, &[source, Value::fixnum_unchecked(options.into())])?;
        Ok(value)
    }

    fn rb_reg_quote(ec, text: Value) -> Result {
        let class = constant(ec, "Regexp")?;
        ec.call(class, name!(ec, "escape"), &[text])
    }

    fn rb_reg_match(ec, value: Value, text: Value) -> Result {
        match_at(ec, value, text, 0)
    }

    /// Matches are never used again for another one, as CRuby does unless this was called.
    fn rb_match_busy(_ec, _found: Value) {}

    fn rb_reg_nth_match(ec, nth: c_int, found: Value) -> Result {
        if found.is_nil() {
            return Ok(Value::NIL);
        }
        ec.call(found, sym::AREF, &[Value::fixnum_unchecked(nth.into())])
    }

    fn rb_reg_nth_defined(ec, nth: c_int, found: Value) -> Result {
        if found.is_nil() {
            return Ok(Value::NIL);
        }
        let begins = ec.call(found, name!(ec, "begin"), &[Value::fixnum_unchecked(nth.into())])?;
        Ok(Value::bool(!begins.is_nil()))
    }

    fn rb_reg_last_match(ec, found: Value) -> Result {
        if found.is_nil() { Ok(Value::NIL) } else { ec.call(found, sym::AREF, &[Value::fixnum_unchecked(0)]) }
    }

    fn rb_reg_match_pre(ec, found: Value) -> Result {
        if found.is_nil() { Ok(Value::NIL) } else { ec.call(found, name!(ec, "pre_match"), &[]) }
    }

    fn rb_reg_match_post(ec, found: Value) -> Result {
        if found.is_nil() { Ok(Value::NIL) } else { ec.call(found, name!(ec, "post_match"), &[]) }
    }

    fn rb_reg_match_last(ec, found: Value) -> Result {
        if found.is_nil() { Ok(Value::NIL) } else { ec.call(found, sym::AREF, &[Value::fixnum_unchecked(-1)]) }
    }

    fn rb_reg_options(ec, value: Value) -> Result<c_int> {
        let options = ec.call(value, name!(ec, "options"), &[])?;
        Ok(options.as_fixnum().unwrap_or(0) as c_int)
    }

    fn rb_reg_search(ec, value: Value, text: Value, position: i64, is_reverse: c_int) -> Result<i64> {
        let name = if is_reverse != 0 { "byterindex" } else { "byteindex" };
        let found = ec.call(text, ec.vm().intern(name), &[value, Value::fixnum_unchecked(position)])?;
        Ok(found.as_fixnum().unwrap_or(-1))
    }

    fn rb_reg_backref_number(ec, found: Value, reference: Value) -> Result<c_int> {
        if let Some(number) = reference.as_fixnum() {
            return Ok(number as c_int);
        }
        let names = ec.call(found, name!(ec, "names"), &[])?;
        let name = ec.to_s(reference)?.value();
        let at = ec.call(names, name!(ec, "index"), &[name])?;
        Ok(at.as_fixnum().map_or(0, |at| at as c_int + 1))
    }
}

calls! {
    rb_reg_match2(value) => "~";
}

/// Where a text matches, in characters; `$~` is set.
fn match_at(ec: &mut Ec, value: Value, text: Value, position: i64) -> Result {
    if text.is_nil() {
        ec.set_last_match(Value::NIL);
        return Ok(Value::NIL);
    }
    let found = ec.call(value, sym::MATCH, &[text, Value::fixnum_unchecked(position)])?;
    ec.set_last_match(found);
    if found.is_nil() {
        return Ok(Value::NIL);
    }
    ec.call(found, sym::BEGIN, &[Value::fixnum_unchecked(0)])
}
