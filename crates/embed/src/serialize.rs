//! From whatever implements `Serialize` to objects.
//!
//! Names that the type declares (fields, variants) become Symbols, texts become Strings. An enum's variant without data is its
//! name, one with data a Hash of its name and the data, as serde's formats have it.

use crate::convert::IntoRuby;
use crate::error::Error;
use crate::roots::Value;
use crate::scope::Scope;
use carat_vm::{Array, Hash};
use num_bigint::BigInt;
use serde::ser::{self, Serialize};

impl Scope<'_> {
    /// An object of anything that serde serializes: a struct is a Hash whose keys are Symbols, a sequence an Array.
    pub fn serialize<T: Serialize + ?Sized>(&mut self, value: &T) -> Result<Value, Error> {
        value.serialize(Serializer(&mut self.reborrow()))
    }

    fn symbol(&mut self, name: &str) -> Value {
        let name = carat_vm::Value::symbol(self.ec.vm().intern(name));
        self.hold(name)
    }

    fn store(&mut self, hash: &Value, key: &Value, value: &Value) -> Result<(), Error> {
        let (hash, key, value) = (Hash::expect(self.find(hash)?), self.find(key)?, self.find(value)?);
        hash.store(self.ec, key, value).map_err(|_| self.error())
    }

    fn integer(&mut self, number: impl Into<BigInt>) -> Result<Value, Error> {
        let value = self.ec.bigint(number.into());
        Ok(self.hold(value))
    }

    /// A variant with its data.
    fn tagged(&mut self, variant: &str, data: &Value) -> Result<Value, Error> {
        let hash = Hash::new(self.ec).value();
        let (hash, name) = (self.hold(hash), self.symbol(variant));
        self.store(&hash, &name, data)?;
        Ok(hash)
    }
}

impl ser::Error for Error {
    fn custom<T: std::fmt::Display>(message: T) -> Error {
        Error::new("TypeError", message.to_string())
    }
}

/// Objects that it makes are held: a type may keep what it is given anywhere.
struct Serializer<'a, 'vm>(&'a mut Scope<'vm>);

impl<'a, 'vm> ser::Serializer for Serializer<'a, 'vm> {
    type Ok = Value;
    type Error = Error;
    type SerializeSeq = Elements<'a, 'vm>;
    type SerializeTuple = Elements<'a, 'vm>;
    type SerializeTupleStruct = Elements<'a, 'vm>;
    type SerializeTupleVariant = Elements<'a, 'vm>;
    type SerializeMap = Pairs<'a, 'vm>;
    type SerializeStruct = Pairs<'a, 'vm>;
    type SerializeStructVariant = Pairs<'a, 'vm>;

    fn serialize_bool(self, it: bool) -> Result<Value, Error> {
        it.into_ruby(self.0)
    }

    fn serialize_i8(self, it: i8) -> Result<Value, Error> {
        self.serialize_i64(it.into())
    }

    fn serialize_i16(self, it: i16) -> Result<Value, Error> {
        self.serialize_i64(it.into())
    }

    fn serialize_i32(self, it: i32) -> Result<Value, Error> {
        self.serialize_i64(it.into())
    }

    fn serialize_i64(self, it: i64) -> Result<Value, Error> {
        it.into_ruby(self.0)
    }

    fn serialize_i128(self, it: i128) -> Result<Value, Error> {
        self.0.integer(it)
    }

    fn serialize_u8(self, it: u8) -> Result<Value, Error> {
        self.serialize_u64(it.into())
    }

    fn serialize_u16(self, it: u16) -> Result<Value, Error> {
        self.serialize_u64(it.into())
    }

    fn serialize_u32(self, it: u32) -> Result<Value, Error> {
        self.serialize_u64(it.into())
    }

    fn serialize_u64(self, it: u64) -> Result<Value, Error> {
        it.into_ruby(self.0)
    }

    fn serialize_u128(self, it: u128) -> Result<Value, Error> {
        self.0.integer(it)
    }

    fn serialize_f32(self, it: f32) -> Result<Value, Error> {
        self.serialize_f64(it.into())
    }

    fn serialize_f64(self, it: f64) -> Result<Value, Error> {
        it.into_ruby(self.0)
    }

    fn serialize_char(self, it: char) -> Result<Value, Error> {
        self.serialize_str(it.encode_utf8(&mut [0; 4]))
    }

    fn serialize_str(self, it: &str) -> Result<Value, Error> {
        it.into_ruby(self.0)
    }

    fn serialize_bytes(self, it: &[u8]) -> Result<Value, Error> {
        it.into_ruby(self.0)
    }

    fn serialize_none(self) -> Result<Value, Error> {
        Ok(self.0.nil())
    }

    fn serialize_some<T: Serialize + ?Sized>(self, it: &T) -> Result<Value, Error> {
        it.serialize(self)
    }

    fn serialize_unit(self) -> Result<Value, Error> {
        Ok(self.0.nil())
    }

    fn serialize_unit_struct(self, _name: &'static str) -> Result<Value, Error> {
        Ok(self.0.nil())
    }

    fn serialize_unit_variant(self, _name: &'static str, _index: u32, variant: &'static str) -> Result<Value, Error> {
        Ok(self.0.symbol(variant))
    }

    fn serialize_newtype_struct<T: Serialize + ?Sized>(self, _name: &'static str, it: &T) -> Result<Value, Error> {
        it.serialize(self)
    }

    fn serialize_newtype_variant<T: Serialize + ?Sized>(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        it: &T,
    ) -> Result<Value, Error> {
        let data = it.serialize(Serializer(self.0))?;
        self.0.tagged(variant, &data)
    }

    fn serialize_seq(self, len: Option<usize>) -> Result<Elements<'a, 'vm>, Error> {
        Ok(Elements::new(self.0, len.unwrap_or(0), None))
    }

    fn serialize_tuple(self, len: usize) -> Result<Elements<'a, 'vm>, Error> {
        Ok(Elements::new(self.0, len, None))
    }

    fn serialize_tuple_struct(self, _name: &'static str, len: usize) -> Result<Elements<'a, 'vm>, Error> {
        Ok(Elements::new(self.0, len, None))
    }

    fn serialize_tuple_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        len: usize,
    ) -> Result<Elements<'a, 'vm>, Error> {
        Ok(Elements::new(self.0, len, Some(variant)))
    }

    fn serialize_map(self, _len: Option<usize>) -> Result<Pairs<'a, 'vm>, Error> {
        Ok(Pairs::new(self.0, None))
    }

    fn serialize_struct(self, _name: &'static str, _len: usize) -> Result<Pairs<'a, 'vm>, Error> {
        Ok(Pairs::new(self.0, None))
    }

    fn serialize_struct_variant(
        self,
        _name: &'static str,
        _index: u32,
        variant: &'static str,
        _len: usize,
    ) -> Result<Pairs<'a, 'vm>, Error> {
        Ok(Pairs::new(self.0, Some(variant)))
    }
}

/// An Array that grows; the variant whose data it is.
struct Elements<'a, 'vm> {
    scope: &'a mut Scope<'vm>,
    array: Value,
    variant: Option<&'static str>,
}

impl<'a, 'vm> Elements<'a, 'vm> {
    fn new(scope: &'a mut Scope<'vm>, len: usize, variant: Option<&'static str>) -> Elements<'a, 'vm> {
        // A type's word on its length is a hint.
        let array = Array::new(scope.ec, len.min(1024)).value();
        Elements { array: scope.hold(array), scope, variant }
    }

    fn push<T: Serialize + ?Sized>(&mut self, it: &T) -> Result<(), Error> {
        let element = it.serialize(Serializer(self.scope))?;
        let element = self.scope.find(&element)?;
        Array::expect(self.scope.find(&self.array)?).push(self.scope.ec, element);
        Ok(())
    }
}

/// A Hash that grows, the key whose value comes next, and the variant whose data it is.
struct Pairs<'a, 'vm> {
    scope: &'a mut Scope<'vm>,
    hash: Value,
    key: Option<Value>,
    variant: Option<&'static str>,
}

impl<'a, 'vm> Pairs<'a, 'vm> {
    fn new(scope: &'a mut Scope<'vm>, variant: Option<&'static str>) -> Pairs<'a, 'vm> {
        let hash = Hash::new(scope.ec).value();
        Pairs { hash: scope.hold(hash), scope, key: None, variant }
    }

    fn set<T: Serialize + ?Sized>(&mut self, key: &Value, it: &T) -> Result<(), Error> {
        let value = it.serialize(Serializer(self.scope))?;
        self.scope.store(&self.hash, key, &value)
    }
}

/// The whole, as the data of its variant if it has one.
fn finish(scope: &mut Scope<'_>, whole: Value, variant: Option<&str>) -> Result<Value, Error> {
    match variant {
        Some(variant) => scope.tagged(variant, &whole),
        None => Ok(whole),
    }
}

macro_rules! elements {
    ($($of:ident $push:ident),+) => {$(
        impl ser::$of for Elements<'_, '_> {
            type Ok = Value;
            type Error = Error;

            fn $push<T: Serialize + ?Sized>(&mut self, it: &T) -> Result<(), Error> {
                self.push(it)
            }

            fn end(self) -> Result<Value, Error> {
                finish(self.scope, self.array, self.variant)
            }
        }
    )+};
}

elements! {
    SerializeSeq serialize_element, SerializeTuple serialize_element, SerializeTupleStruct serialize_field,
    SerializeTupleVariant serialize_field
}

macro_rules! fields {
    ($($of:ident),+) => {$(
        impl ser::$of for Pairs<'_, '_> {
            type Ok = Value;
            type Error = Error;

            fn serialize_field<T: Serialize + ?Sized>(&mut self, name: &'static str, it: &T) -> Result<(), Error> {
                let name = self.scope.symbol(name);
                self.set(&name, it)
            }

            fn end(self) -> Result<Value, Error> {
                finish(self.scope, self.hash, self.variant)
            }
        }
    )+};
}

fields!(SerializeStruct, SerializeStructVariant);

impl ser::SerializeMap for Pairs<'_, '_> {
    type Ok = Value;
    type Error = Error;

    fn serialize_key<T: Serialize + ?Sized>(&mut self, key: &T) -> Result<(), Error> {
        self.key = Some(key.serialize(Serializer(self.scope))?);
        Ok(())
    }

    fn serialize_value<T: Serialize + ?Sized>(&mut self, it: &T) -> Result<(), Error> {
        let key = self.key.take().ok_or_else(|| Error::host("a value came without a key"))?;
        self.set(&key, it)
    }

    fn end(self) -> Result<Value, Error> {
        finish(self.scope, self.hash, self.variant)
    }
}
