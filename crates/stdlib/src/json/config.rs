//! How a text is to be read: `JSON::Ext::ParserConfig`.

use super::{is_on, parse};
use carat_vm::{Class, Data, Ec, Hash, NativeData, Result, Str, SymbolId, Value, methods, sym};

methods! {
    PARSER {
        static "parse" => parse_with_options;
    }
    METHODS {
        private "initialize" => initialize;
        "parse" => parse_configured;
    }
}

/// What a key that comes twice means.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Duplicates {
    Warn,
    Allow,
    Raise,
}

#[derive(Clone, Copy)]
pub(super) struct Config {
    /// 0: any.
    pub(super) max_nesting: i64,
    pub(super) allow_nan: bool,
    pub(super) allow_trailing_comma: bool,
    pub(super) symbolize_names: bool,
    pub(super) freeze: bool,
    pub(super) duplicates: Duplicates,
    /// A proc that every value goes through, or nil.
    pub(super) on_load: Value,
    /// What makes a decimal of its text, and by which method; nil for floats.
    pub(super) decimal: (Value, SymbolId),
}

impl Default for Config {
    fn default() -> Config {
        Config {
            max_nesting: 100,
            allow_nan: false,
            allow_trailing_comma: false,
            symbolize_names: false,
            freeze: false,
            duplicates: Duplicates::Warn,
            on_load: Value::NIL,
            decimal: (Value::NIL, sym::NEW),
        }
    }
}

impl NativeData for Config {
    const NAME: &'static str = "JSON::Ext::ParserConfig";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.on_load);
        mark(self.decimal.0);
    }
}

pub(super) fn define(ec: &mut Ec, class: Class) {
    class.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, Config::default()).value())));
    class.define_methods(ec, METHODS);
}

fn initialize(ec: &mut Ec, this: Data<Config>, options: Option<Value>) -> Result<()> {
    let config = Config::from_options(ec, options)?;
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_error(this.value()));
    }
    *this.get_mut(ec) = config;
    ec.wrote(this.value());
    Ok(())
}

fn parse_configured(ec: &mut Ec, this: Data<Config>, source: Value) -> Result {
    let config = *this.get(ec);
    let source = text_of(ec, source)?;
    parse::parse(ec, source, config)
}

/// `JSON::Ext::Parser.parse(source, options)`
fn parse_with_options(ec: &mut Ec, _this: Value, source: Value, options: Option<Value>) -> Result {
    let source = text_of(ec, source)?;
    let config = Config::from_options(ec, options)?;
    parse::parse(ec, source, config)
}

/// The source in UTF-8; what is binary is taken to be that.
fn text_of(ec: &mut Ec, source: Value) -> Result<Str> {
    let source = ec.to_str(source)?;
    if matches!(source.encoding(), carat_vm::EncodingIndex::UTF_8 | carat_vm::EncodingIndex::ASCII_8BIT) {
        return Ok(source);
    }
    let utf_8 = ec.str("UTF-8");
    let encoded = ec.call(source.value(), ec.vm().intern("encode"), &[utf_8])?;
    ec.to_str(encoded)
}

impl Config {
    fn from_options(ec: &mut Ec, options: Option<Value>) -> Result<Config> {
        let mut config = Config::default();
        let Some(options) = options.filter(|o| !o.is_nil()) else { return Ok(config) };
        let options = ec.to_hash(options)?;
        if let Some(limit) = given(ec, options, "max_nesting") {
            config.max_nesting = if limit.truthy() { ec.to_long(limit)? } else { 0 };
        }
        config.allow_nan = flag(ec, options, "allow_nan");
        config.allow_trailing_comma = flag(ec, options, "allow_trailing_comma");
        config.symbolize_names = flag(ec, options, "symbolize_names");
        config.freeze = flag(ec, options, "freeze");
        config.on_load = given(ec, options, "on_load").filter(|v| v.truthy()).unwrap_or(Value::NIL);
        config.duplicates = match given(ec, options, "allow_duplicate_key") {
            None => Duplicates::Warn,
            Some(allowed) if allowed.truthy() => Duplicates::Allow,
            Some(_) => Duplicates::Raise,
        };
        if let Some(class) = given(ec, options, "decimal_class").filter(|v| v.truthy()) {
            config.decimal = decimal_maker(ec, class)?;
        }
        Ok(config)
    }
}

fn given(ec: &mut Ec, options: Hash, name: &str) -> Option<Value> {
    options.get_symbol(ec, ec.vm().intern(name))
}

fn flag(ec: &mut Ec, options: Hash, name: &str) -> bool {
    given(ec, options, name).is_some_and(is_on)
}

/// `Class.try_convert`, `Class.new`, or the method that has the name of the class, beside it (`BigDecimal()`).
fn decimal_maker(ec: &mut Ec, class: Value) -> Result<(Value, SymbolId)> {
    for name in [ec.vm().intern("try_convert"), sym::NEW] {
        if ec.respond_to(class, name, false)? {
            return Ok((class, name));
        }
    }
    let Some(path) = Class::from_value(class).and_then(Class::name) else { return Ok((Value::NIL, sym::NEW)) };
    let (scope, name) = path.rsplit_once("::").unwrap_or(("Kernel", &path));
    let scope = ec.str(scope);
    let object = ec.vm().known().object.value();
    let module = ec.call(object, ec.vm().intern("const_get"), &[scope])?;
    Ok((module, ec.vm().intern(name)))
}
