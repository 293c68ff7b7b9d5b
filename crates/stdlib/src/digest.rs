//! The native half of `lib/digest.rb`: the algorithms.

use carat_vm::{Class, Data, Ec, NativeData, Result, Str, Value, methods};
use md5::Md5;
use ripemd::Ripemd160;
use sha1::Sha1;
use sha2::digest::Digest;
use sha2::digest::block_api::BlockSizeUser;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

methods! {
    METHODS {
        "initialize_copy" => initialize_copy;
        "reset" => reset;
        "update" => update;
        "<<" => update;
        private "finish" => finish;
        "digest_length" => digest_length;
        "block_length" => block_length;
    }
    MODULE {
        static "hexencode" => hexencode;
    }
}

/// Each algorithm with what it has seen.
#[derive(Clone)]
enum Hasher {
    Md5(Md5),
    Sha1(Sha1),
    Rmd160(Ripemd160),
    Sha224(Sha224),
    Sha256(Sha256),
    Sha384(Sha384),
    Sha512(Sha512),
    Sha512To224(Sha512_224),
    Sha512To256(Sha512_256),
}

macro_rules! each {
    ($hasher:expr, $inner:ident => $body:expr) => {
        match $hasher {
            Hasher::Md5($inner) => $body,
            Hasher::Sha1($inner) => $body,
            Hasher::Rmd160($inner) => $body,
            Hasher::Sha224($inner) => $body,
            Hasher::Sha256($inner) => $body,
            Hasher::Sha384($inner) => $body,
            Hasher::Sha512($inner) => $body,
            Hasher::Sha512To224($inner) => $body,
            Hasher::Sha512To256($inner) => $body,
        }
    };
}

impl NativeData for Hasher {
    const NAME: &'static str = "digest";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

fn output_size<D: Digest>(_hasher: &D) -> usize {
    <D as Digest>::output_size()
}

fn block_size<D: BlockSizeUser>(_hasher: &D) -> usize {
    D::block_size()
}

/// `require "digest.so"`
pub(crate) fn init(ec: &mut Ec) {
    let Some(module) = ec.vm().known().object.nested(ec, "Digest") else { return };
    module.define_methods(ec, MODULE);
    let Some(base) = module.nested(ec, "Base") else {
        return;
    };
    base.define_methods(ec, METHODS);
    base.set_allocator(Some(|ec, _| Err(ec.not_implemented("Digest::Base is an abstract class"))));
    let algorithms: [(&str, carat_vm::class::Allocator); 6] = [
        ("MD5", |ec, class| Ok(Data::new(ec, class, Hasher::Md5(Md5::new())).value())),
        ("SHA1", |ec, class| Ok(Data::new(ec, class, Hasher::Sha1(Sha1::new())).value())),
        ("RMD160", |ec, class| Ok(Data::new(ec, class, Hasher::Rmd160(Ripemd160::new())).value())),
        ("SHA256", |ec, class| Ok(Data::new(ec, class, Hasher::Sha256(Sha256::new())).value())),
        ("SHA384", |ec, class| Ok(Data::new(ec, class, Hasher::Sha384(Sha384::new())).value())),
        ("SHA512", |ec, class| Ok(Data::new(ec, class, Hasher::Sha512(Sha512::new())).value())),
    ];
    define(ec, base, module, &algorithms);
}

/// `OpenSSL::Digest::More` gets the algorithms that only OpenSSL has.
pub(crate) fn define_for_openssl(ec: &mut Ec, more: Class) {
    let Some(base) = ec.vm().known().object.nested(ec, "Digest").and_then(|module| module.nested(ec, "Base")) else {
        return;
    };
    let algorithms: [(&str, carat_vm::class::Allocator); 3] = [
        ("SHA224", |ec, class| Ok(Data::new(ec, class, Hasher::Sha224(Sha224::new())).value())),
        ("SHA512_224", |ec, class| Ok(Data::new(ec, class, Hasher::Sha512To224(Sha512_224::new())).value())),
        ("SHA512_256", |ec, class| Ok(Data::new(ec, class, Hasher::Sha512To256(Sha512_256::new())).value())),
    ];
    define(ec, base, more, &algorithms);
}

fn define(ec: &mut Ec, base: Class, scope: Class, algorithms: &[(&str, carat_vm::class::Allocator)]) {
    for (name, allocator) in algorithms {
        let class = ec.new_class(base);
        class.set_allocator(Some(*allocator));
        scope.set_constant(ec, ec.vm().intern(name), class.value());
    }
}

fn initialize_copy(ec: &mut Ec, this: Data<Hasher>, other: Data<Hasher>) -> Result {
    let copy = other.get(ec).clone();
    if std::mem::discriminant(&copy) != std::mem::discriminant(this.get(ec)) {
        return Err(ec.type_error("different algorithms"));
    }
    *this.get_mut(ec) = copy;
    Ok(this.value())
}

fn reset(ec: &mut Ec, this: Data<Hasher>) -> Value {
    each!(this.get_mut(ec), hasher => Digest::reset(hasher));
    this.value()
}

/// As much is digested between two polls.
const PART: usize = 1 << 20;

fn update(ec: &mut Ec, this: Data<Hasher>, text: Str) -> Result {
    let mut hasher = this.get(ec).clone();
    let text = if text.len(ec) > PART { text.snapshot(ec) } else { text };
    for start in (0..text.len(ec)).step_by(PART) {
        let bytes = text.bytes(ec);
        each!(&mut hasher, h => h.update(&bytes[start..bytes.len().min(start + PART)]));
        if start > 0 {
            ec.check_ints()?;
        }
    }
    *this.get_mut(ec) = hasher;
    Ok(this.value())
}

fn finish(ec: &mut Ec, this: Data<Hasher>) -> Str {
    let hasher = this.get(ec).clone();
    each!(hasher, h => Str::binary(ec, &h.finalize()))
}

fn digest_length(ec: &mut Ec, this: Data<Hasher>) -> usize {
    each!(this.get(ec), hasher => output_size(hasher))
}

fn block_length(ec: &mut Ec, this: Data<Hasher>) -> usize {
    each!(this.get(ec), hasher => block_size(hasher))
}

/// `Digest.hexencode(string)`
fn hexencode(ec: &mut Ec, _this: Value, bytes: Str) -> Result<Str> {
    let mut digits = Vec::new();
    ec.make_room_in(&mut digits, bytes.len(ec).saturating_mul(2))?;
    for byte in bytes.bytes(ec) {
        digits.extend([byte >> 4, byte & 15].map(|digit| b"0123456789abcdef"[usize::from(digit)]));
    }
    let range = carat_vm::CodeRange::SevenBit;
    Str::try_new(ec, &digits, carat_vm::EncodingIndex::US_ASCII, range)
}
