//! Implicit conversions (`to_str`, `to_ary`, …) and the texts that go with them.

use crate::ec::{Ec, Result};
use crate::model::symbol::sym;
use crate::value::array::Array;
use crate::value::hash::Hash;
use crate::value::string::Str;
use carat_layout::{SymbolId, Value};

impl Ec {
    /// Calls a conversion method if there is one. `None` if there is none.
    pub fn try_convert(&mut self, value: Value, method: SymbolId) -> Result<Option<Value>> {
        self.call_if_responds(value, method, &[])
    }

    fn convert(&mut self, value: Value, method: SymbolId, into: &str, fits: fn(&Ec, Value) -> bool) -> Result {
        let Some(result) = self.try_convert(value, method)? else {
            return Err(self.no_implicit_conversion(value, into));
        };
        self.check_converted(value, method, into, result, fits)
    }

    fn check_converted(
        &mut self,
        value: Value,
        method: SymbolId,
        into: &str,
        result: Value,
        fits: fn(&Ec, Value) -> bool,
    ) -> Result {
        if fits(self, result) {
            return Ok(result);
        }
        let class = self.describe_for_type_error(value);
        let method = self.vm().symbol_text(method);
        let given = self.describe_for_type_error(result);
        Err(self.type_error(&format!("can't convert {class} to {into} ({class}#{method} gives {given})")))
    }

    /// As `convert`, but nil when the object does not respond or answers nil.
    fn check_convert(
        &mut self,
        value: Value,
        method: SymbolId,
        into: &str,
        fits: fn(&Ec, Value) -> bool,
    ) -> Result<Option<Value>> {
        match self.try_convert(value, method)? {
            None | Some(Value::NIL) => Ok(None),
            Some(result) => self.check_converted(value, method, into, result, fits).map(Some),
        }
    }

    pub fn to_str(&mut self, value: Value) -> Result<Str> {
        if let Some(s) = Str::from_value(value) {
            return Ok(s);
        }
        self.convert(value, sym::TO_STR, "String", |_, v| Str::from_value(v).is_some()).map(Str::expect)
    }

    /// A String through `to_s`, which has to give one.
    pub fn to_string_by_to_s(&mut self, value: Value) -> Result<Str> {
        let Some(result) = self.try_convert(value, sym::TO_S)? else {
            let class = self.describe_for_type_error(value);
            return Err(self.type_error(&format!("can't convert {class} into String")));
        };
        self.check_converted(value, sym::TO_S, "String", result, |_, v| Str::from_value(v).is_some()).map(Str::expect)
    }

    pub fn to_ary(&mut self, value: Value) -> Result<Array> {
        if let Some(a) = Array::from_value(value) {
            return Ok(a);
        }
        self.convert(value, sym::TO_ARY, "Array", |_, v| Array::from_value(v).is_some()).map(Array::expect)
    }

    pub fn to_hash(&mut self, value: Value) -> Result<Hash> {
        if let Some(h) = Hash::from_value(value) {
            return Ok(h);
        }
        self.convert(value, sym::TO_HASH, "Hash", |_, v| Hash::from_value(v).is_some()).map(Hash::expect)
    }

    /// `to_ary` if the object has it.
    #[inline]
    pub fn check_array(&mut self, value: Value) -> Result<Option<Array>> {
        if let Some(a) = Array::from_value(value) {
            return Ok(Some(a));
        }
        let found = self.check_convert(value, sym::TO_ARY, "Array", |_, v| Array::from_value(v).is_some())?;
        Ok(found.map(Array::expect))
    }

    /// A number that a call of C takes as an int.
    pub fn to_c_int(&mut self, number: i64) -> Result<i32> {
        i32::try_from(number).map_err(|_| {
            let size = if number < 0 { "small" } else { "big" };
            self.range_error(&format!("integer {number} too {size} to convert to 'int'"))
        })
    }

    pub fn check_string(&mut self, value: Value) -> Result<Option<Str>> {
        if let Some(s) = Str::from_value(value) {
            return Ok(Some(s));
        }
        let found = self.check_convert(value, sym::TO_STR, "String", |_, v| Str::from_value(v).is_some())?;
        Ok(found.map(Str::expect))
    }

    pub fn check_hash(&mut self, value: Value) -> Result<Option<Hash>> {
        if let Some(h) = Hash::from_value(value) {
            return Ok(Some(h));
        }
        let found = self.check_convert(value, sym::TO_HASH, "Hash", |_, v| Hash::from_value(v).is_some())?;
        Ok(found.map(Hash::expect))
    }

    /// An Integer through `to_int`; floats are cut.
    pub fn to_int(&mut self, value: Value) -> Result {
        if self.is_integer(value) {
            return Ok(value);
        }
        if matches!(value, Value::NIL | Value::TRUE | Value::FALSE) {
            let name = self.describe_for_type_error(value);
            return Err(self.type_error(&format!("no implicit conversion of {name} into Integer")));
        }
        self.convert(value, sym::TO_INT, "Integer", Ec::is_integer)
    }

    /// A double of any Numeric, as C's `NUM2DBL`.
    pub fn to_float(&mut self, value: Value) -> Result<f64> {
        if let Some(f) = self.float_of(value) {
            return Ok(f);
        }
        if let Some(i) = value.as_fixnum() {
            return Ok(i as f64);
        }
        if let Some(b) = self.bignum_of(value) {
            return Ok(num_traits::ToPrimitive::to_f64(b).unwrap_or(f64::INFINITY));
        }
        match value {
            Value::NIL => return Err(self.type_error("can't convert nil into Float")),
            Value::TRUE => return Err(self.type_error("can't convert true into Float")),
            Value::FALSE => return Err(self.type_error("can't convert false into Float")),
            _ => {}
        }
        if Str::from_value(value).is_some() {
            return Err(self.type_error("no implicit conversion to float from string"));
        }
        if !self.is_a(value, self.vm().known().numeric) {
            let class = self.describe_for_type_error(value);
            return Err(self.type_error(&format!("can't convert {class} into Float")));
        }
        let result = self.convert(value, sym::TO_F, "Float", Ec::is_float)?;
        Ok(self.float_of(result).unwrap_or(f64::NAN))
    }

    /// A name: a symbol, a string, or something with `to_str`.
    pub fn to_name(&mut self, value: Value) -> Result<SymbolId> {
        if let Some(id) = value.as_symbol() {
            return Ok(id);
        }
        match self.check_string(value)? {
            Some(s) => s.to_symbol(self),
            None => {
                let shown = self.inspect(value)?.to_text(self);
                Err(self.type_error(&format!("{shown} is not a symbol nor a string")))
            }
        }
    }

    /// `to_s`, with the default form if it answers no String.
    pub fn to_s(&mut self, value: Value) -> Result<Str> {
        if let Some(s) = Str::from_value(value) {
            return Ok(s);
        }
        let result = self.call(value, sym::TO_S, &[])?;
        Ok(Str::from_value(result).unwrap_or_else(|| self.any_to_s(value)))
    }

    /// `inspect`, through `to_s` of its result if that is no String.
    ///
    /// Polls: the text of what lies within is garbage once it was copied, and no Ruby code need run between the levels.
    pub fn inspect(&mut self, value: Value) -> Result<Str> {
        let result = self.call(value, sym::INSPECT, &[])?;
        self.check_ints()?;
        self.to_s(result)
    }

    /// `a == b` with fast forms for what needs no call.
    pub fn equal(&mut self, a: Value, b: Value) -> Result<bool> {
        if a == b && !a.is_flonum() && !a.is_type(carat_layout::HeapType::Float) {
            return Ok(true);
        }
        let is_identity = a.both_fixnum(b) || !a.is_heap() && !a.is_fixnum() && !a.is_flonum();
        if !crate::model::redefinition::is_redefined(self, sym::EQ) {
            if is_identity {
                return Ok(false);
            }
            if let (Some(string), Some(b), true) = (Str::from_value(a), Str::from_value(b), self.is_plain_core(a)) {
                return Ok(string.eql(self, b));
            }
        }
        Ok(self.call(a, sym::EQ, &[b])?.truthy())
    }

    /// The sign of a `<=>` result: nil is an error about `a` and `b`.
    pub fn compare_result(&mut self, result: Value, a: Value, b: Value) -> Result<std::cmp::Ordering> {
        if result.is_nil() {
            return Err(self.comparison_failed(a, b));
        }
        if let Some(i) = result.as_fixnum() {
            return Ok(i.cmp(&0));
        }
        if let Some(big) = self.bignum_of(result) {
            return Ok(big.sign().cmp(&num_bigint::Sign::NoSign));
        }
        let zero = Value::fixnum_unchecked(0);
        if self.call(result, sym::GT, &[zero])?.truthy() {
            return Ok(std::cmp::Ordering::Greater);
        }
        if self.call(result, sym::LT, &[zero])?.truthy() {
            return Ok(std::cmp::Ordering::Less);
        }
        Ok(std::cmp::Ordering::Equal)
    }

    /// `a <=> b` for sorting, with fast forms.
    pub fn compare(&mut self, a: Value, b: Value) -> Result<std::cmp::Ordering> {
        if let (Some(x), Some(y)) = (a.as_fixnum(), b.as_fixnum()) {
            return Ok(x.cmp(&y));
        }
        if let (Some(x), Some(y), true) = (Str::from_value(a), Str::from_value(b), self.is_plain_core(a)) {
            return Ok(x.bytes(self).cmp(y.bytes(self)));
        }
        let result = self.call(a, sym::CMP, &[b])?;
        self.compare_result(result, a, b)
    }
}

/// As `%-.10g` of C prints a float that no `long` holds: ten digits at most, and an exponent.
pub(crate) fn short_float_text(f: f64) -> String {
    if f.is_nan() {
        return "NaN".to_owned();
    }
    if f.is_infinite() {
        return if f > 0.0 { "Inf" } else { "-Inf" }.to_owned();
    }
    let text = format!("{f:.9e}");
    let (digits, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let digits = digits.trim_end_matches('0').trim_end_matches('.');
    format!("{digits}e+{exponent:0>2}")
}
