//! Whatever serde serializes becomes objects, and plain data becomes whatever serde deserializes.
#![forbid(unsafe_code)]

use carat_embed::{Value, Vm};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt::Debug;

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
enum Shape {
    Point,
    Circle(f64),
    Line(i32, i32),
    Rect { width: u8, height: u8 },
}

#[derive(Serialize, Deserialize, PartialEq, Debug, Clone)]
struct Meters(f32);

#[derive(Serialize, Deserialize, PartialEq, Debug)]
struct Drawing {
    name: String,
    shapes: Vec<Shape>,
    scale: Option<Meters>,
    counts: BTreeMap<String, u64>,
    flags: (bool, char, ()),
    #[serde(skip_serializing_if = "Option::is_none")]
    note: Option<String>,
}

fn vm() -> Vm {
    // The collector runs at every place where it may.
    Vm::builder().gc_stress(3, 1).build().expect("a VM")
}

fn shown<T: Serialize>(vm: &mut Vm, value: &T) -> String {
    vm.enter(|scope| {
        let object = scope.serialize(value)?;
        scope.inspect(&object)
    })
    .expect("serialized")
}

fn read<T: DeserializeOwned>(vm: &mut Vm, source: &str) -> Result<T, String> {
    let object = vm.eval(source, "data.rb").expect("evaluated");
    vm.enter(|scope| scope.deserialize(&object)).map_err(|error| format!("{}: {}", error.class(), error.message()))
}

/// What comes back after having been an object.
fn through_ruby<T: Serialize + DeserializeOwned>(vm: &mut Vm, value: &T) -> T {
    vm.enter(|scope| {
        let object = scope.serialize(value)?;
        scope.deserialize(&object)
    })
    .expect("read back")
}

#[test]
fn types_become_plain_objects() {
    let mut vm = vm();
    let drawing = Drawing {
        name: "house".into(),
        shapes: vec![Shape::Point, Shape::Circle(1.5), Shape::Line(-1, 2), Shape::Rect { width: 3, height: 4 }],
        scale: Some(Meters(0.5)),
        counts: BTreeMap::from([("doors".into(), u64::MAX)]),
        flags: (true, 'é', ()),
        note: None,
    };
    let expected = r#"{name: "house", shapes: [:Point, {Circle: 1.5}, {Line: [-1, 2]}, {Rect: {width: 3, height: 4}}], scale: 0.5, counts: {"doors" => 18446744073709551615}, flags: [true, "é", nil]}"#;
    assert_eq!(shown(&mut vm, &drawing), expected);
    assert_eq!(through_ruby(&mut vm, &drawing), drawing);
}

#[test]
fn numbers_keep_all_their_bits() {
    let mut vm = vm();
    for number in [i128::MIN, i64::MIN.into(), -1, 0, 1 << 62, u64::MAX.into(), i128::MAX] {
        assert_eq!(shown(&mut vm, &number), number.to_string());
        assert_eq!(through_ruby(&mut vm, &number), number);
    }
    assert_eq!(through_ruby(&mut vm, &u128::MAX), u128::MAX);
    assert_eq!(through_ruby(&mut vm, &f64::MIN_POSITIVE), f64::MIN_POSITIVE);
    assert_eq!(read::<f64>(&mut vm, "3"), Ok(3.0));
    assert_eq!(read::<u8>(&mut vm, "300").unwrap_err(), "TypeError: invalid value: integer `300`, expected u8");
    assert_eq!(read::<i64>(&mut vm, "2**200").unwrap_err(), "RangeError: the Integer has more than 128 bits");
}

#[test]
fn fields_and_variants_are_found_by_strings_and_symbols() {
    let mut vm = vm();
    assert_eq!(read::<Shape>(&mut vm, "'Point'"), Ok(Shape::Point));
    assert_eq!(read::<Shape>(&mut vm, "{ Point: nil }"), Ok(Shape::Point));
    assert_eq!(
        read::<Shape>(&mut vm, "{ 'Rect' => { 'width' => 1, height: 2 } }"),
        Ok(Shape::Rect { width: 1, height: 2 })
    );
    assert_eq!(read::<Shape>(&mut vm, "{ Rect: [1, 2] }"), Ok(Shape::Rect { width: 1, height: 2 }));
    let wrong = read::<Shape>(&mut vm, ":Cube").unwrap_err();
    assert!(wrong.starts_with("TypeError: unknown variant `Cube`"), "{wrong}");
    let missing = read::<Shape>(&mut vm, "{ Rect: { width: 1 } }").unwrap_err();
    assert_eq!(missing, "TypeError: missing field `height`");
    let bare = read::<Shape>(&mut vm, ":Circle").unwrap_err();
    assert_eq!(bare, "TypeError: the variant has data");
    let two = read::<Shape>(&mut vm, "{ Point: nil, Circle: 1 }").unwrap_err();
    assert_eq!(two, "TypeError: a variant is a name, or a Hash of its name and its data");
}

#[test]
fn keys_are_frozen_copies_as_in_ruby() {
    let mut vm = vm();
    let map = BTreeMap::from([("key", 1)]);
    let hash: Value = vm.enter(|scope| scope.serialize(&map)).unwrap();
    let keys = vm.call(&hash, "keys", &[]).unwrap();
    let first = vm.call(&keys, "first", &[]).unwrap();
    let is_frozen = vm.call(&first, "frozen?", &[]).unwrap();
    assert!(vm.get::<bool>(&is_frozen).unwrap());
}

#[test]
fn what_is_no_data_is_refused() {
    let mut vm = vm();
    let refused = |vm: &mut Vm, source: &str| read::<serde::de::IgnoredAny>(vm, source).map(drop).unwrap_err();
    assert_eq!(refused(&mut vm, "Object.new"), "TypeError: no conversion of Object into Rust data");
    assert_eq!(refused(&mut vm, "[1, [2..3]]"), "TypeError: no conversion of Range into Rust data");
    assert_eq!(refused(&mut vm, "a = []; a << a"), "ArgumentError: data is nested too deeply");
    assert_eq!(refused(&mut vm, "h = {}; h[1] = h"), "ArgumentError: data is nested too deeply");
    assert_eq!(
        read::<(u8, u8)>(&mut vm, "[1, 2, 3]").unwrap_err(),
        "TypeError: invalid length 3, expected fewer elements"
    );
    assert_eq!(
        read::<Vec<u8>>(&mut vm, r#""\xff".b"#).unwrap_err(),
        "TypeError: invalid type: byte array, expected a sequence"
    );
}

#[test]
fn a_keys_own_hash_method_may_raise() {
    let mut vm = vm();
    vm.eval("class Array; def hash = raise('no hash'); end", "hash.rb").unwrap();
    let map = BTreeMap::from([(vec![1], 1)]);
    let error = vm.enter(|scope| scope.serialize(&map)).unwrap_err();
    assert_eq!((error.class(), error.message()), ("RuntimeError", "no hash"));
}
