//! From objects to whatever implements `Deserialize`. No Ruby runs: an object that is no plain data is a `TypeError`.

use crate::error::Error;
use crate::roots::Value as Held;
use crate::scope::Scope;
use carat_vm::{Array, Ec, Hash, Str, Value};
use serde::de::{self, DeserializeOwned, DeserializeSeed, Visitor};
use serde::forward_to_deserialize_any;
use std::fmt::Display;

/// Arrays and hashes inside each other, at most: an object may hold itself.
const MOST_LEVELS: usize = 128;

impl Scope<'_> {
    /// A Rust value of plain data: nil, booleans, numbers, Strings and Symbols, Arrays and Hashes of such, at most 128 levels of them.
    /// Fields and variants are found by Strings as well as by Symbols.
    pub fn deserialize<T: DeserializeOwned>(&mut self, value: &Held) -> Result<T, Error> {
        let value = self.find(value)?;
        T::deserialize(Deserializer { ec: self.ec, value, levels: MOST_LEVELS })
    }
}

impl de::Error for Error {
    fn custom<T: Display>(message: T) -> Error {
        Error::new("TypeError", message.to_string())
    }
}

#[derive(Clone, Copy)]
struct Deserializer<'a> {
    ec: &'a Ec,
    value: Value,
    levels: usize,
}

impl Deserializer<'_> {
    /// The text of a String or Symbol.
    fn text(&self) -> Option<String> {
        match (Str::from_value(self.value), self.value.as_symbol()) {
            (Some(text), _) => String::from_utf8(text.bytes(self.ec).to_vec()).ok(),
            (None, Some(name)) => Some(self.ec.vm().symbol_text(name)),
            (None, None) => None,
        }
    }

    fn inner(&self, value: Value) -> Self {
        Deserializer { value, levels: self.levels - 1, ..*self }
    }

    fn enter(&self) -> Result<(), Error> {
        if self.levels > 0 { Ok(()) } else { Err(Error::new("ArgumentError", "data is nested too deeply")) }
    }

    fn mismatch(&self) -> Error {
        let class = self.ec.class_of(self.value).real().to_text(self.ec);
        Error::new("TypeError", format!("no conversion of {class} into Rust data"))
    }

    fn visit_integer<'de, V: Visitor<'de>>(&self, visitor: V) -> Result<V::Value, Error> {
        if let Some(small) = self.ec.integer_as_i64(self.value) {
            return visitor.visit_i64(small);
        }
        let Some(number) = self.ec.to_bigint(self.value) else { return Err(self.mismatch()) };
        if let Ok(it) = u64::try_from(&number) {
            return visitor.visit_u64(it);
        }
        match (i128::try_from(&number), u128::try_from(&number)) {
            (Ok(it), _) => visitor.visit_i128(it),
            (_, Ok(it)) => visitor.visit_u128(it),
            _ => Err(Error::new("RangeError", "the Integer has more than 128 bits")),
        }
    }
}

impl<'de> de::Deserializer<'de> for Deserializer<'_> {
    type Error = Error;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        let (ec, value) = (self.ec, self.value);
        if value.is_nil() {
            visitor.visit_unit()
        } else if value.is_true() || value.is_false() {
            visitor.visit_bool(value.is_true())
        } else if ec.is_integer(value) {
            self.visit_integer(visitor)
        } else if let Some(float) = ec.float_of(value) {
            visitor.visit_f64(float)
        } else if let Some(text) = self.text() {
            visitor.visit_string(text)
        } else if let Some(text) = Str::from_value(value) {
            visitor.visit_byte_buf(text.bytes(ec).to_vec())
        } else if let Some(array) = Array::from_value(value) {
            self.enter()?;
            let mut elements = Elements { of: self, array, next: 0 };
            let found = visitor.visit_seq(&mut elements)?;
            match array.len(ec) - elements.next {
                0 => Ok(found),
                _ => Err(de::Error::invalid_length(array.len(ec), &"fewer elements")),
            }
        } else if let Some(hash) = Hash::from_value(value) {
            self.enter()?;
            visitor.visit_map(Pairs { of: self, hash, next: 0, value: Value::NIL })
        } else {
            Err(self.mismatch())
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        if self.value.is_nil() { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    /// An Integer is a Float where one is asked for, as in Ruby's arithmetic.
    fn deserialize_f64<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match self.ec.integer_as_i64(self.value) {
            Some(integer) => visitor.visit_f64(integer as f64),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_f32<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_f64(visitor)
    }

    fn deserialize_bytes<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_byte_buf(visitor)
    }

    fn deserialize_byte_buf<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Error> {
        match Str::from_value(self.value) {
            Some(text) => visitor.visit_byte_buf(text.bytes(self.ec).to_vec()),
            None => self.deserialize_any(visitor),
        }
    }

    fn deserialize_unit_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        self.deserialize_any(visitor)
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Error> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _name: &'static str,
        _variants: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Error> {
        let Some(hash) = Hash::from_value(self.value) else {
            return visitor.visit_enum(Variant { name: self, data: None });
        };
        self.enter()?;
        let Some(position) = hash.next(self.ec, 0).filter(|_| hash.len(self.ec) == 1) else {
            return Err(Error::new("TypeError", "a variant is a name, or a Hash of its name and its data"));
        };
        let (name, data) = (hash.key_at(self.ec, position - 1), hash.value_at(self.ec, position - 1));
        visitor.visit_enum(Variant { name: self.inner(name), data: Some(self.inner(data)) })
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 char str string unit seq tuple tuple_struct map struct identifier ignored_any
    }
}

struct Elements<'a> {
    of: Deserializer<'a>,
    array: Array,
    next: usize,
}

impl<'de> de::SeqAccess<'de> for &mut Elements<'_> {
    type Error = Error;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Error> {
        let Some(element) = self.array.get(self.of.ec, self.next) else { return Ok(None) };
        self.next += 1;
        seed.deserialize(self.of.inner(element)).map(Some)
    }

    fn size_hint(&self) -> Option<usize> {
        Some(self.array.len(self.of.ec) - self.next)
    }
}

struct Pairs<'a> {
    of: Deserializer<'a>,
    hash: Hash,
    next: usize,
    value: Value,
}

impl<'de> de::MapAccess<'de> for Pairs<'_> {
    type Error = Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Error> {
        let Some(next) = self.hash.next(self.of.ec, self.next) else { return Ok(None) };
        self.next = next;
        self.value = self.hash.value_at(self.of.ec, next - 1);
        let key = self.hash.key_at(self.of.ec, next - 1);
        seed.deserialize(self.of.inner(key)).map(Some)
    }

    fn next_value_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.of.inner(self.value))
    }
}

/// The name of a variant, and its data if it has any.
struct Variant<'a> {
    name: Deserializer<'a>,
    data: Option<Deserializer<'a>>,
}

impl<'de, 'a> de::EnumAccess<'de> for Variant<'a> {
    type Error = Error;
    type Variant = Data<'a>;

    fn variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<(T::Value, Data<'a>), Error> {
        Ok((seed.deserialize(self.name)?, Data(self.data)))
    }
}

struct Data<'a>(Option<Deserializer<'a>>);

impl<'a> Data<'a> {
    fn expect(self, what: &str) -> Result<Deserializer<'a>, Error> {
        self.0.ok_or_else(|| Error::new("TypeError", format!("the variant has {what}")))
    }
}

impl<'de> de::VariantAccess<'de> for Data<'_> {
    type Error = Error;

    fn unit_variant(self) -> Result<(), Error> {
        match self.0 {
            Some(data) if !data.value.is_nil() => Err(Error::new("TypeError", "the variant has no data")),
            _ => Ok(()),
        }
    }

    fn newtype_variant_seed<T: DeserializeSeed<'de>>(self, seed: T) -> Result<T::Value, Error> {
        seed.deserialize(self.expect("data")?)
    }

    fn tuple_variant<V: Visitor<'de>>(self, _len: usize, visitor: V) -> Result<V::Value, Error> {
        de::Deserializer::deserialize_any(self.expect("a list of data")?, visitor)
    }

    fn struct_variant<V: Visitor<'de>>(self, _: &'static [&'static str], visitor: V) -> Result<V::Value, Error> {
        de::Deserializer::deserialize_any(self.expect("fields")?, visitor)
    }
}
