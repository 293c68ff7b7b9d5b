//! `nil`, `true` and `false`, and `main`.

use carat_sync::OnceLock;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Ec, Hash, Result, Str, Value, methods};

methods! {
    NIL {
        "to_s" => nil_to_s;
        "to_a" => nil_to_a;
        "to_h" => nil_to_h;
        "to_i" => nil_to_i;
        "to_f" => nil_to_f;
        "to_r" => nil_to_r;
        "rationalize" => nil_rationalize;
        "to_c" => nil_to_c;
        "inspect" => nil_inspect;
        "nil?" => nil_is_nil;
        "=~" => nil_match;
        "&" => never;
        "|" => truthy;
        "^" => truthy;
        "===" => same;
    }

    TRUE {
        "to_s" => true_to_s;
        alias "inspect" of "to_s" => true_to_s;
        "&" => truthy;
        "|" => always;
        "^" => falsy;
        "===" => same;
    }

    FALSE {
        "to_s" => false_to_s;
        alias "inspect" of "to_s" => false_to_s;
        "&" => never;
        "|" => truthy;
        "^" => truthy;
        "===" => same;
    }

    MAIN {
        static "to_s" => main_to_s;
        static "inspect" => main_to_s;
    }
}

pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(NIL, "to_s"), Leaf::of(nil_to_s)),
    (LeafOf::Method(NIL, "to_a"), Leaf::of(nil_to_a)),
    (LeafOf::Method(NIL, "to_i"), Leaf::of(nil_to_i)),
    (LeafOf::Method(NIL, "inspect"), Leaf::of(nil_inspect)),
    (LeafOf::Method(NIL, "nil?"), Leaf::of(nil_is_nil)),
    (LeafOf::Method(NIL, "&"), Leaf::of(never)),
    (LeafOf::Method(NIL, "|"), Leaf::of(truthy)),
    (LeafOf::Method(TRUE, "to_s"), Leaf::of(true_to_s)),
    (LeafOf::Method(TRUE, "&"), Leaf::of(truthy)),
    (LeafOf::Method(TRUE, "|"), Leaf::of(always)),
    (LeafOf::Method(TRUE, "^"), Leaf::of(falsy)),
    (LeafOf::Method(FALSE, "to_s"), Leaf::of(false_to_s)),
    (LeafOf::Method(FALSE, "&"), Leaf::of(never)),
    (LeafOf::Method(FALSE, "|"), Leaf::of(truthy)),
    (LeafOf::Method(FALSE, "^"), Leaf::of(truthy)),
];

pub(super) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    known.nil_class.define_methods(ec, NIL);
    known.true_class.define_methods(ec, TRUE);
    known.false_class.define_methods(ec, FALSE);
    let main = ec.vm().main_object();
    let class = ec.singleton_class_of(main).expect("main is a plain object");
    for def in MAIN {
        let name = ec.vm().intern(def.name);
        class.add_method(ec, name, carat_vm::method::MethodKind::Native(def), def.visibility, Value::NIL);
    }
}

/// What `to_s` of nil, true and false gives: always the same frozen strings.
#[derive(Default)]
struct Texts(OnceLock<[Str; 3]>);

fn texts(ec: &Ec) -> [Str; 3] {
    let make = |text: &str| {
        let text = ec.fstring(text.as_bytes(), carat_vm::EncodingIndex::US_ASCII);
        ec.vm().keep(text.value());
        text
    };
    *ec.vm().extension_ref::<Texts>().0.get_or_init(|| ["", "true", "false"].map(make))
}

fn nil_to_s(ec: &mut Ec, _this: Value) -> Str {
    texts(ec)[0]
}

fn nil_inspect(ec: &mut Ec, _this: Value) -> Str {
    Str::from_ascii(ec, b"nil")
}

fn nil_to_a(ec: &mut Ec, _this: Value) -> Array {
    Array::new(ec, 0)
}

fn nil_to_h(ec: &mut Ec, _this: Value) -> Hash {
    Hash::new(ec)
}

fn nil_to_i(_ec: &mut Ec, _this: Value) -> i64 {
    0
}

fn nil_to_f(_ec: &mut Ec, _this: Value) -> f64 {
    0.0
}

fn nil_to_r(ec: &mut Ec, _this: Value) -> Value {
    ec.new_rational(Value::fixnum_unchecked(0), Value::fixnum_unchecked(1))
}

fn nil_rationalize(ec: &mut Ec, this: Value, _precision: Option<Value>) -> Value {
    nil_to_r(ec, this)
}

fn nil_to_c(ec: &mut Ec, _this: Value) -> Value {
    ec.new_complex(Value::fixnum_unchecked(0), Value::fixnum_unchecked(0))
}

fn nil_is_nil(_ec: &mut Ec, _this: Value) -> bool {
    true
}

fn nil_match(_ec: &mut Ec, _this: Value, _other: Value) -> Value {
    Value::NIL
}

fn never(_ec: &mut Ec, _this: Value, _other: Value) -> bool {
    false
}

fn always(_ec: &mut Ec, _this: Value, _other: Value) -> bool {
    true
}

fn truthy(_ec: &mut Ec, _this: Value, other: Value) -> bool {
    other.truthy()
}

fn falsy(_ec: &mut Ec, _this: Value, other: Value) -> bool {
    !other.truthy()
}

fn same(ec: &mut Ec, this: Value, other: Value) -> Result<bool> {
    ec.equal(this, other)
}

fn true_to_s(ec: &mut Ec, _this: Value) -> Str {
    texts(ec)[1]
}

fn false_to_s(ec: &mut Ec, _this: Value) -> Str {
    texts(ec)[2]
}

fn main_to_s(ec: &mut Ec, _this: Value) -> Str {
    Str::from_ascii(ec, b"main")
}
