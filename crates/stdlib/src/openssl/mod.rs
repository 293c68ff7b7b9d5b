//! The native half of `lib/openssl.rb`: block ciphers, and keys made of passwords. What holds settings is Ruby.

mod cipher;
mod kdf;
mod mode;

use carat_vm::{Class, Ec, Unwind};

/// `require "openssl.so"`
pub(crate) fn init(ec: &mut Ec) {
    let Some(module) = constant(ec, ec.vm().known().object, "OpenSSL") else { return };
    if let Some(more) = constant(ec, module, "Digest").and_then(|digest| constant(ec, digest, "More")) {
        crate::digest::define_for_openssl(ec, more);
    }
    cipher::define(ec, module);
    kdf::define(ec, module);
}

fn constant(ec: &Ec, scope: Class, name: &str) -> Option<Class> {
    scope.nested(ec, name)
}

/// `OpenSSL::Cipher::CipherError`
fn cipher_error(ec: &mut Ec, message: &str) -> Unwind {
    let found = constant(ec, ec.vm().known().object, "OpenSSL")
        .and_then(|module| constant(ec, module, "Cipher"))
        .and_then(|class| constant(ec, class, "CipherError"));
    let class = found.unwrap_or(ec.vm().known().standard_error);
    ec.error(class, message)
}
