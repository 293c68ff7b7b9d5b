//! Conversions between Rust's types and Ruby's.

use crate::error::Error;
use crate::roots::Value;
use crate::scope::Scope;
use carat_vm::{Array, CodeRange, Ec, EncodingIndex, Hash, Str};
use std::collections::{BTreeMap, HashMap};
use std::hash::Hash as HashKey;

/// What an object can be turned into. Nothing is called: an object of another class is a `TypeError`.
pub trait FromRuby: Sized {
    fn from_ruby(scope: &mut Scope<'_>, value: &Value) -> Result<Self, Error>;
}

/// What can be turned into an object.
pub trait IntoRuby {
    fn into_ruby(self, scope: &mut Scope<'_>) -> Result<Value, Error>;
}

fn mismatch(ec: &Ec, value: carat_vm::Value, into: &str) -> Error {
    let class = ec.class_of(value).real().to_text(ec);
    Error::new("TypeError", format!("no conversion of {class} into {into}"))
}

impl FromRuby for Value {
    fn from_ruby(_scope: &mut Scope<'_>, value: &Value) -> Result<Value, Error> {
        Ok(value.clone())
    }
}

impl IntoRuby for Value {
    fn into_ruby(self, _scope: &mut Scope<'_>) -> Result<Value, Error> {
        Ok(self)
    }
}

impl IntoRuby for &Value {
    fn into_ruby(self, _scope: &mut Scope<'_>) -> Result<Value, Error> {
        Ok(self.clone())
    }
}

macro_rules! conversions {
    ($($kind:ty, $name:literal, |$ec:ident, $value:ident| $from:expr, |$to_ec:ident, $it:ident| $into:expr;)+) => {$(
        impl FromRuby for $kind {
            fn from_ruby(scope: &mut Scope<'_>, value: &Value) -> Result<$kind, Error> {
                let $value = scope.find(value)?;
                let $ec = &*scope.ec;
                $from.ok_or_else(|| mismatch(scope.ec, $value, $name))
            }
        }

        impl IntoRuby for $kind {
            fn into_ruby(self, scope: &mut Scope<'_>) -> Result<Value, Error> {
                let ($to_ec, $it) = (&*scope.ec, self);
                let value = $into;
                Ok(scope.hold(value))
            }
        }
    )+};
}

fn text(ec: &Ec, text: &str) -> carat_vm::Value {
    Str::new(ec, text.as_bytes(), EncodingIndex::UTF_8, CodeRange::Unknown).value()
}

conversions! {
    bool, "bool", |_ec, value| Some(value.truthy()), |_ec, it| carat_vm::Value::bool(it);
    i64, "i64", |ec, value| ec.integer_as_i64(value), |ec, it| ec.int(it);
    i32, "i32", |ec, value| ec.integer_as_i64(value).and_then(|i| i32::try_from(i).ok()), |ec, it| ec.int(i64::from(it));
    u32, "u32", |ec, value| ec.integer_as_i64(value).and_then(|i| u32::try_from(i).ok()), |ec, it| ec.int(i64::from(it));
    u64, "u64", |ec, value| ec.to_bigint(value).and_then(|i| u64::try_from(i).ok()), |ec, it| ec.uint(it);
    usize, "usize", |ec, value| ec.to_bigint(value).and_then(|i| usize::try_from(i).ok()), |ec, it| ec.uint(it as u64);
    f64, "f64", |ec, value| ec.float_of(value).or_else(|| ec.integer_as_i64(value).map(|i| i as f64)), |ec, it| ec.float(it);
    String, "String",
        |ec, value| match (Str::from_value(value), value.as_symbol()) {
            (Some(text), _) => String::from_utf8(text.bytes(ec).to_vec()).ok(),
            (None, Some(name)) => Some(ec.vm().symbol_text(name)),
            (None, None) => None,
        },
        |ec, it| text(ec, &it);
    (), "()", |_ec, value| value.is_nil().then_some(()), |_ec, _it| carat_vm::Value::NIL;
}

impl IntoRuby for &str {
    fn into_ruby(self, scope: &mut Scope<'_>) -> Result<Value, Error> {
        let value = text(scope.ec, self);
        Ok(scope.hold(value))
    }
}

/// Bytes: a String of any encoding; what is made of them is binary.
impl FromRuby for Box<[u8]> {
    fn from_ruby(scope: &mut Scope<'_>, value: &Value) -> Result<Box<[u8]>, Error> {
        let value = scope.find(value)?;
        let text = Str::from_value(value).ok_or_else(|| mismatch(scope.ec, value, "bytes"))?;
        Ok(text.bytes(scope.ec).into())
    }
}

impl IntoRuby for &[u8] {
    fn into_ruby(self, scope: &mut Scope<'_>) -> Result<Value, Error> {
        let value = Str::binary(scope.ec, self).value();
        Ok(scope.hold(value))
    }
}

/// nil is `None`.
impl<T: FromRuby> FromRuby for Option<T> {
    fn from_ruby(scope: &mut Scope<'_>, value: &Value) -> Result<Option<T>, Error> {
        if scope.find(value)?.is_nil() { Ok(None) } else { T::from_ruby(scope, value).map(Some) }
    }
}

impl<T: IntoRuby> IntoRuby for Option<T> {
    fn into_ruby(self, scope: &mut Scope<'_>) -> Result<Value, Error> {
        match self {
            Some(it) => it.into_ruby(scope),
            None => Ok(scope.hold(carat_vm::Value::NIL)),
        }
    }
}

impl<T: FromRuby> FromRuby for Vec<T> {
    fn from_ruby(scope: &mut Scope<'_>, value: &Value) -> Result<Vec<T>, Error> {
        let value = scope.find(value)?;
        let array = Array::from_value(value).ok_or_else(|| mismatch(scope.ec, value, "Vec"))?;
        let mut all = Vec::new();
        while let Some(element) = array.get(scope.ec, all.len()) {
            let element = scope.hold(element);
            all.push(T::from_ruby(scope, &element)?);
        }
        Ok(all)
    }
}

impl<T: IntoRuby> IntoRuby for Vec<T> {
    fn into_ruby(self, scope: &mut Scope<'_>) -> Result<Value, Error> {
        let array = Array::new(scope.ec, self.len());
        let held = scope.hold(array.value());
        for element in self {
            let element = element.into_ruby(scope)?;
            let element = scope.find(&element)?;
            array.push(scope.ec, element);
        }
        Ok(held)
    }
}

/// The pairs of a Hash, in its order.
fn pairs<K: FromRuby, V: FromRuby>(scope: &mut Scope<'_>, value: &Value) -> Result<Vec<(K, V)>, Error> {
    let value = scope.find(value)?;
    let hash = Hash::from_value(value).ok_or_else(|| mismatch(scope.ec, value, "a map"))?;
    let (mut all, mut position) = (Vec::new(), 0);
    while let Some(next) = hash.next(scope.ec, position) {
        position = next;
        let (key, value) = (hash.key_at(scope.ec, next - 1), hash.value_at(scope.ec, next - 1));
        let (key, value) = (scope.hold(key), scope.hold(value));
        all.push((K::from_ruby(scope, &key)?, V::from_ruby(scope, &value)?));
    }
    Ok(all)
}

fn hash_of<K: IntoRuby, V: IntoRuby>(
    scope: &mut Scope<'_>,
    pairs: impl Iterator<Item = (K, V)>,
) -> Result<Value, Error> {
    let hash = Hash::new(scope.ec);
    let held = scope.hold(hash.value());
    for (key, value) in pairs {
        let (key, value) = (key.into_ruby(scope)?, value.into_ruby(scope)?);
        let (key, value) = (scope.find(&key)?, scope.find(&value)?);
        if hash.store(scope.ec, key, value).is_err() {
            return Err(scope.error());
        }
    }
    Ok(held)
}

impl<K: FromRuby + HashKey + Eq, V: FromRuby> FromRuby for HashMap<K, V> {
    fn from_ruby(scope: &mut Scope<'_>, value: &Value) -> Result<HashMap<K, V>, Error> {
        pairs(scope, value).map(|pairs| pairs.into_iter().collect())
    }
}

impl<K: FromRuby + Ord, V: FromRuby> FromRuby for BTreeMap<K, V> {
    fn from_ruby(scope: &mut Scope<'_>, value: &Value) -> Result<BTreeMap<K, V>, Error> {
        pairs(scope, value).map(|pairs| pairs.into_iter().collect())
    }
}

impl<K: IntoRuby, V: IntoRuby> IntoRuby for HashMap<K, V> {
    fn into_ruby(self, scope: &mut Scope<'_>) -> Result<Value, Error> {
        hash_of(scope, self.into_iter())
    }
}

impl<K: IntoRuby, V: IntoRuby> IntoRuby for BTreeMap<K, V> {
    fn into_ruby(self, scope: &mut Scope<'_>) -> Result<Value, Error> {
        hash_of(scope, self.into_iter())
    }
}
