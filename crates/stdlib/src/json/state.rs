//! `JSON::State`: how values are to be written.

use super::generate;
use carat_vm::{Class, Data, Ec, Hash, NativeData, Proc, Result, Str, SymbolId, Value, methods};

/// The options; those that are texts by number, so that one routine reads and one writes each kind.
#[derive(Clone, Copy)]
pub(super) struct Options {
    /// Frozen strings, or nil where nothing is written.
    texts: [Value; 5],
    pub(super) flags: [bool; 4],
    /// Nesting limit (0: none), depth, and what a buffer begins with, which only `to_h` tells.
    pub(super) numbers: [i64; 3],
    pub(super) allow_duplicate_key: Option<bool>,
    /// A proc, or false.
    pub(super) as_json: Value,
}

pub(super) const INDENT: usize = 0;
pub(super) const SPACE: usize = 1;
pub(super) const SPACE_BEFORE: usize = 2;
pub(super) const OBJECT_NL: usize = 3;
pub(super) const ARRAY_NL: usize = 4;
const TEXTS: [&str; 5] = ["indent", "space", "space_before", "object_nl", "array_nl"];

pub(super) const ALLOW_NAN: usize = 0;
pub(super) const ASCII_ONLY: usize = 1;
pub(super) const SCRIPT_SAFE: usize = 2;
pub(super) const STRICT: usize = 3;
const FLAGS: [&str; 4] = ["allow_nan", "ascii_only", "script_safe", "strict"];

pub(super) const MAX_NESTING: usize = 0;
pub(super) const DEPTH: usize = 1;
const BUFFER_INITIAL_LENGTH: usize = 2;
const NUMBERS: [&str; 3] = ["max_nesting", "depth", "buffer_initial_length"];

impl Default for Options {
    fn default() -> Options {
        Options {
            texts: [Value::NIL; 5],
            flags: [false; 4],
            numbers: [100, 0, 1024],
            allow_duplicate_key: None,
            as_json: Value::FALSE,
        }
    }
}

impl NativeData for Options {
    const NAME: &'static str = "JSON/Generator/State";
    const IS_SHAREABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        self.texts.iter().for_each(|text| mark(*text));
        mark(self.as_json);
    }
}

methods! {
    METHODS {
        static "generate" => generate_with;
        static "from_state" => from_state;
        "initialize_copy" => initialize_copy;
        private "_configure" => configure;
        "generate" => generate;
        "indent" => text::<INDENT>;
        "indent=" => set_text::<INDENT>;
        "space" => text::<SPACE>;
        "space=" => set_text::<SPACE>;
        "space_before" => text::<SPACE_BEFORE>;
        "space_before=" => set_text::<SPACE_BEFORE>;
        "object_nl" => text::<OBJECT_NL>;
        "object_nl=" => set_text::<OBJECT_NL>;
        "array_nl" => text::<ARRAY_NL>;
        "array_nl=" => set_text::<ARRAY_NL>;
        "allow_nan?" => flag::<ALLOW_NAN>;
        "allow_nan=" => set_flag::<ALLOW_NAN>;
        "ascii_only?" => flag::<ASCII_ONLY>;
        "ascii_only=" => set_flag::<ASCII_ONLY>;
        "script_safe" => flag::<SCRIPT_SAFE>;
        "script_safe?" => flag::<SCRIPT_SAFE>;
        "script_safe=" => set_flag::<SCRIPT_SAFE>;
        "strict" => flag::<STRICT>;
        "strict?" => flag::<STRICT>;
        "strict=" => set_flag::<STRICT>;
        "max_nesting" => number::<MAX_NESTING>;
        "max_nesting=" => set_number::<MAX_NESTING>;
        "depth" => number::<DEPTH>;
        "depth=" => set_number::<DEPTH>;
        "buffer_initial_length" => number::<BUFFER_INITIAL_LENGTH>;
        "buffer_initial_length=" => set_number::<BUFFER_INITIAL_LENGTH>;
        "check_circular?" => is_limited;
        "as_json" => as_json;
        "as_json=" => set_as_json;
        private "allow_duplicate_key?" => allow_duplicate_key;
    }
}

pub(super) fn define(ec: &mut Ec, class: Class) {
    class.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, Options::default()).value())));
    class.define_methods(ec, METHODS);
}

// ---- options ----

impl Options {
    /// The bytes of a text; none where it is nil.
    pub(super) fn text<'a>(&self, ec: &'a Ec, which: usize) -> &'a [u8] {
        match Str::from_value(self.texts[which]) {
            Some(text) => text.bytes(ec),
            None => b"",
        }
    }

    pub(super) fn is_laid_out(&self) -> bool {
        self.texts.iter().any(|text| !text.is_nil())
    }

    pub(super) fn from_hash(ec: &mut Ec, options: Value) -> Result<Options> {
        let mut made = Options::default();
        if options.truthy() {
            let Some(hash) = Hash::from_value(options) else { return Err(ec.wrong_type(options, "Hash")) };
            made.change(ec, hash)?;
        }
        Ok(made)
    }

    /// Goes through what a hash says, which is little beside all that it may say.
    fn change(&mut self, ec: &mut Ec, options: Hash) -> Result<()> {
        options.enter_iteration(ec);
        let done = self.change_each(ec, options);
        options.leave_iteration(ec);
        done
    }

    fn change_each(&mut self, ec: &mut Ec, options: Hash) -> Result<()> {
        let mut position = 0;
        while let Some(next) = options.next(ec, position) {
            position = next;
            if let Some(name) = options.key_at(ec, next - 1).as_symbol() {
                self.change_one(ec, name, options.value_at(ec, next - 1))?;
            }
        }
        Ok(())
    }

    fn change_one(&mut self, ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
        let name = ec.vm().symbol_name(name).bytes;
        let place = |names: &[&str]| names.iter().position(|known| known.as_bytes() == name);
        if let Some(which) = place(&TEXTS) {
            self.texts[which] = frozen_text(ec, value)?;
        } else if let Some(which) = place(&FLAGS) {
            self.flags[which] = value.truthy();
        } else if let Some(which) = place(&NUMBERS) {
            self.numbers[which] = limit(ec, value)?;
        } else {
            match name {
                b"escape_slash" => self.flags[SCRIPT_SAFE] = value.truthy(),
                b"allow_duplicate_key" => self.allow_duplicate_key = Some(value.truthy()),
                b"as_json" => self.as_json = proc_of(ec, value)?,
                _ => {}
            }
        }
        Ok(())
    }
}

/// A string that will not change; nil for an empty one, nil and false.
fn frozen_text(ec: &mut Ec, text: Value) -> Result {
    if !text.truthy() {
        return Ok(Value::NIL);
    }
    let Some(text) = Str::from_value(text) else { return Err(ec.wrong_type(text, "String")) };
    if text.is_empty(ec) {
        return Ok(Value::NIL);
    }
    Ok(if text.is_fstring() { text } else { ec.fstring(text.bytes(ec), text.encoding()) }.value())
}

fn limit(ec: &mut Ec, number: Value) -> Result<i64> {
    if number.truthy() { ec.to_long(number) } else { Ok(0) }
}

fn proc_of(ec: &mut Ec, callable: Value) -> Result {
    if !callable.truthy() || Proc::from_value(callable).is_some() {
        return Ok(if callable.truthy() { callable } else { Value::FALSE });
    }
    match ec.call_if_responds(callable, carat_vm::sym::TO_PROC, &[])? {
        Some(proc) if Proc::from_value(proc).is_some() => Ok(proc),
        _ => {
            let given = ec.describe_for_type_error(callable);
            Err(ec.type_error(&format!("can't convert {given} to Proc")))
        }
    }
}

// ---- methods ----

/// The options for writing, unless the state is frozen: then other Ractors may be reading them.
fn writable(ec: &mut Ec, state: Data<Options>) -> Result<&mut Options> {
    if ec.is_frozen(state.value()) {
        return Err(ec.frozen_error(state.value()));
    }
    Ok(state.get_mut(ec))
}

fn replace(ec: &mut Ec, state: Data<Options>, options: Options) -> Result<()> {
    *writable(ec, state)? = options;
    ec.wrote(state.value());
    Ok(())
}

fn initialize_copy(ec: &mut Ec, this: Data<Options>, other: Data<Options>) -> Result {
    let options = *other.get(ec);
    replace(ec, this, options)?;
    Ok(this.value())
}

fn configure(ec: &mut Ec, this: Data<Options>, options: Hash) -> Result {
    let mut changed = *this.get(ec);
    changed.change(ec, options)?;
    replace(ec, this, changed)?;
    Ok(this.value())
}

/// `JSON::State.generate(object, options, io)`
fn generate_with(ec: &mut Ec, _this: Value, object: Value, options: Value, io: Value) -> Result {
    let options = Options::from_hash(ec, options)?;
    let text = generate::generate(ec, object, options, None)?;
    write_to(ec, text, io)
}

fn generate(ec: &mut Ec, this: Data<Options>, object: Value, io: Option<Value>) -> Result {
    let options = *this.get(ec);
    let text = generate::generate(ec, object, options, Some(this))?;
    write_to(ec, text, io.unwrap_or(Value::NIL))
}

fn write_to(ec: &mut Ec, text: Str, io: Value) -> Result {
    if io.is_nil() {
        return Ok(text.value());
    }
    ec.call(io, carat_vm::sym::WRITE, &[text.value()])?;
    Ok(io)
}

/// The state itself, or a new one with the options of a hash.
fn from_state(ec: &mut Ec, this: Class, options: Value) -> Result {
    if Data::<Options>::from_value(options).is_some() {
        return Ok(options);
    }
    let options = if Hash::from_value(options).is_some() { options } else { Value::NIL };
    let options = Options::from_hash(ec, options)?;
    Ok(Data::new(ec, this, options).value())
}

fn text<const WHICH: usize>(ec: &mut Ec, this: Data<Options>) -> Value {
    let text = this.get(ec).texts[WHICH];
    if text.is_nil() { ec.fstring(b"", carat_vm::EncodingIndex::UTF_8).value() } else { text }
}

fn set_text<const WHICH: usize>(ec: &mut Ec, this: Data<Options>, text: Value) -> Result<()> {
    let frozen = frozen_text(ec, text)?;
    writable(ec, this)?.texts[WHICH] = frozen;
    ec.wrote(this.value());
    Ok(())
}

fn flag<const WHICH: usize>(ec: &mut Ec, this: Data<Options>) -> bool {
    this.get(ec).flags[WHICH]
}

fn set_flag<const WHICH: usize>(ec: &mut Ec, this: Data<Options>, flag: bool) -> Result<()> {
    writable(ec, this)?.flags[WHICH] = flag;
    Ok(())
}

fn number<const WHICH: usize>(ec: &mut Ec, this: Data<Options>) -> i64 {
    this.get(ec).numbers[WHICH]
}

fn set_number<const WHICH: usize>(ec: &mut Ec, this: Data<Options>, number: Value) -> Result<()> {
    let number = limit(ec, number)?;
    writable(ec, this)?.numbers[WHICH] = number;
    Ok(())
}

fn is_limited(ec: &mut Ec, this: Data<Options>) -> bool {
    this.get(ec).numbers[MAX_NESTING] != 0
}

fn as_json(ec: &mut Ec, this: Data<Options>) -> Value {
    this.get(ec).as_json
}

fn set_as_json(ec: &mut Ec, this: Data<Options>, proc: Value) -> Result<()> {
    let proc = proc_of(ec, proc)?;
    writable(ec, this)?.as_json = proc;
    ec.wrote(this.value());
    Ok(())
}

fn allow_duplicate_key(ec: &mut Ec, this: Data<Options>) -> Value {
    this.get(ec).allow_duplicate_key.map_or(Value::NIL, Value::bool)
}
