//! The native half of `lib/json`.
//!
//! # Code map
//! `parse` makes values of a text, `waiting` holds those whose container is not complete, `config` says how. `generate` writes
//! values, `state` is `JSON::State` and the options. Tokens are `text::json`. What is an option of the library alone (classes of
//! containers, additions) is Ruby, and reaches the parser as `on_load`.

mod config;
mod generate;
mod generic;
mod parse;
mod state;
mod waiting;

use carat_vm::{Class, Ec, Value};

pub(crate) use parse::integer;
pub(crate) use waiting::Waiting;

/// `require "json/ext/parser.so"`
pub(crate) fn init_parser(ec: &mut Ec) {
    let extension = module(ec, "Ext");
    let class = ec.new_class(ec.vm().known().object);
    config::define(ec, class);
    extension.set_constant(ec, ec.vm().intern("ParserConfig"), class.value());
    if let Some(parser) = extension.nested(ec, "Parser") {
        parser.define_methods(ec, config::PARSER);
    }
}

/// `require "json/ext/generator.so"`
pub(crate) fn init_generator(ec: &mut Ec) {
    let extension = module(ec, "Ext");
    let generator = extension.nested(ec, "Generator").unwrap_or(extension);
    if let Some(class) = generator.nested(ec, "State") {
        state::define(ec, class);
    }
    generic::define(ec, generator);
}

/// The module `JSON`, which the library made.
fn json(ec: &Ec) -> Class {
    ec.vm().known().object.nested(ec, "JSON").unwrap_or(ec.vm().known().object)
}

/// A module of `JSON`, which may have been taken away by the program.
fn module(ec: &Ec, name: &str) -> Class {
    json(ec).nested(ec, name).unwrap_or(ec.vm().known().object)
}

/// A class of errors of `JSON`.
fn error_class(ec: &Ec, name: &str) -> Class {
    json(ec).nested(ec, name).filter(|class| class.is_class()).unwrap_or(ec.vm().known().standard_error)
}

/// Truth of an option that may not be given.
fn is_on(option: Value) -> bool {
    !option.is_undef() && option.truthy()
}
