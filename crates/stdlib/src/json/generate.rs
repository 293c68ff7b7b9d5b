//! The text of values.
//!
//! Everything goes into one growing buffer, whose contents become a string when its length is known. Only a `to_json` that the
//! program wrote makes strings in between.

use super::generic;
use super::state::{self, Options};
use super::{error_class, json, module};
use carat_text::json::{Escaping, push_float, push_string};
use carat_text::number::decimal;
use carat_vm::{Array, CodeRange, Data, Ec, EncodingIndex, Hash, Result, Str, Unwind, Value, sym};

/// The text of an object. `state` is what a `to_json` of the program is given; without one it is made when it is needed.
pub(super) fn generate(ec: &mut Ec, object: Value, options: Options, state: Option<Data<Options>>) -> Result<Str> {
    let mut generator = Generator::new(options, state);
    let result = generator.value(ec, object);
    generator.finish(ec, result)
}

/// As [`generate`], for an object whose `to_json` is the core's: it is not asked for one.
pub(super) fn generate_own(ec: &mut Ec, object: Value, options: Options, state: Option<Data<Options>>) -> Result<Str> {
    let mut generator = Generator::new(options, state);
    let result = generator.own(ec, object);
    generator.finish(ec, result)
}

struct Generator {
    out: Vec<u8>,
    options: Options,
    state: Option<Data<Options>>,
    first_depth: i64,
    is_laid_out: bool,
    range: CodeRange,
}

/// What a text is for: keys and values fall back on different things.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Role {
    Key,
    Value,
}

/// As much as short texts need, so that the buffer does not grow from nothing in many steps.
const FIRST_ROOM: usize = 256;
/// More bytes than a number, a literal or what stands between values takes.
const SMALL_VALUE: usize = 64;
/// Texts of more bytes have their memory asked for.
const LARGE_TEXT: usize = 1 << 20;

impl Generator {
    fn new(options: Options, state: Option<Data<Options>>) -> Generator {
        let is_laid_out = options.is_laid_out();
        let first_depth = options.numbers[state::DEPTH];
        Generator {
            out: Vec::with_capacity(FIRST_ROOM),
            options,
            state,
            first_depth,
            is_laid_out,
            range: CodeRange::SevenBit,
        }
    }

    fn finish(self, ec: &mut Ec, result: Result<()>) -> Result<Str> {
        if let Some(state) = self.state
            && !ec.is_frozen(state.value())
        {
            state.get_mut(ec).numbers[state::DEPTH] = self.first_depth;
        }
        result?;
        Str::try_of_vec(ec, self.out, EncodingIndex::UTF_8, self.range)
    }

    fn value(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        ec.check_ints()?;
        ec.make_room_in(&mut self.out, SMALL_VALUE)?;
        match value {
            Value::NIL => self.out.extend(b"null"),
            Value::TRUE => self.out.extend(b"true"),
            Value::FALSE => self.out.extend(b"false"),
            _ if value.is_fixnum() => decimal::push_i64(&mut self.out, value.as_fixnum().unwrap_or(0)),
            _ => return self.object(ec, value),
        }
        Ok(())
    }

    fn object(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        if let Some(f) = ec.float_of(value) {
            return self.float(ec, value, f);
        }
        if let Some(number) = ec.bignum_of(value) {
            self.out.extend(decimal::big_to_string(number, 10));
            return Ok(());
        }
        let class = ec.class_of(value);
        let known = ec.vm().known();
        if class == known.string {
            return self.string(ec, Str::expect(value), Role::Value);
        }
        if class == known.array || class == known.hash {
            return self.container(ec, value);
        }
        if self.options.flags[state::STRICT] { self.strict(ec, value) } else { self.other(ec, value) }
    }

    fn float(&mut self, ec: &mut Ec, value: Value, f: f64) -> Result<()> {
        if f.is_finite() {
            push_float(&mut self.out, f);
            return Ok(());
        }
        if !self.options.flags[state::ALLOW_NAN] {
            if self.converts() {
                let converted = self.converted(ec, value, Role::Value)?;
                if converted != value {
                    return self.value(ec, converted);
                }
            }
            let shown = ec.to_s(value)?.to_text(ec);
            return Err(generator_error(ec, &format!("{shown} not allowed in JSON"), value));
        }
        self.out.extend(carat_text::number::float_text::float_to_string(f));
        Ok(())
    }

    // ---- strings ----

    fn string(&mut self, ec: &mut Ec, text: Str, role: Role) -> Result<()> {
        let len = text.len(ec);
        if len < LARGE_TEXT && text.is_ascii(ec) && text.encoding().is_ascii_compatible() {
            ec.make_room_in(&mut self.out, len + 2)?;
            push_string(text.bytes(ec), self.escaping(), &mut self.out);
            return Ok(());
        }
        let Some(text) = self.utf_8(ec, text, role)? else { return Ok(()) };
        if !text.is_ascii(ec) && !self.options.flags[state::ASCII_ONLY] {
            self.range = CodeRange::Valid;
        }
        let len = text.len(ec);
        ec.make_room_in(&mut self.out, len + 2)?;
        if len >= LARGE_TEXT {
            // All of it may have to be escaped, with `\u` at worst.
            ec.ensure_memory(self.out.len().saturating_add(len * 6).saturating_mul(2))?;
        }
        push_string(text.bytes(ec), self.escaping(), &mut self.out);
        Ok(())
    }

    fn escaping(&self) -> Escaping {
        Escaping {
            ascii_only: self.options.flags[state::ASCII_ONLY],
            script_safe: self.options.flags[state::SCRIPT_SAFE],
        }
    }

    /// The text as valid UTF-8; `None` if something else was written in its place.
    fn utf_8(&mut self, ec: &mut Ec, text: Str, role: Role) -> Result<Option<Str>> {
        if is_plain(ec, text) {
            return Ok(Some(text));
        }
        if self.converts() {
            let converted = self.converted(ec, text.value(), Role::Value)?;
            if converted != text.value() {
                return self.in_place_of(ec, text, converted, role);
            }
        }
        if is_in_utf_8(text) {
            return Err(malformed(ec, text));
        }
        if text.encoding() == EncodingIndex::ASCII_8BIT && std::str::from_utf8(text.bytes(ec)).is_ok() {
            let warning = "JSON.generate: UTF-8 string passed as BINARY, this will raise an encoding error in json 3.0";
            let warning = ec.str(warning);
            ec.call(json(ec).value(), ec.vm().intern("deprecation_warning"), &[warning])?;
            return Ok(Some(Str::new(ec, text.bytes(ec), EncodingIndex::UTF_8, CodeRange::Valid)));
        }
        let generator = module(ec, "Ext").nested(ec, "Generator").unwrap_or(json(ec));
        let encoded = ec.call(generator.value(), ec.vm().intern("__utf_8"), &[text.value()])?;
        ec.to_str(encoded).map(Some)
    }

    /// What the proc made of a text that is no UTF-8.
    fn in_place_of(&mut self, ec: &mut Ec, text: Str, converted: Value, role: Role) -> Result<Option<Str>> {
        match Str::from_value(converted) {
            Some(converted) if is_plain(ec, converted) => Ok(Some(converted)),
            Some(_) => Err(malformed(ec, text)),
            None if role == Role::Key => Err(no_key(ec, converted)),
            None => self.value(ec, converted).map(|()| None),
        }
    }

    // ---- containers ----

    fn container(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        ec.check_native_stack()?;
        self.options.numbers[state::DEPTH] = self.depth().wrapping_add(1);
        let (depth, limit) = (self.depth(), self.options.numbers[state::MAX_NESTING]);
        if limit != 0 && depth > limit {
            self.options.numbers[state::DEPTH] = depth.wrapping_sub(1);
            let class = error_class(ec, "NestingError");
            return Err(ec.error(
                class,
                &format!(
                    "nesting of {} is too deep. Did you try to serialize objects with circular references?",
                    depth.wrapping_sub(1)
                ),
            ));
        }
        match Hash::from_value(value) {
            Some(hash) => self.hash(ec, hash)?,
            None => self.array(ec, Array::expect(value))?,
        }
        Ok(())
    }

    fn depth(&self) -> i64 {
        self.options.numbers[state::DEPTH]
    }

    fn array(&mut self, ec: &mut Ec, array: Array) -> Result<()> {
        self.out.push(b'[');
        let mut index = 0;
        // What Ruby code does to the array meanwhile shows.
        while let Some(element) = array.get(ec, index) {
            self.separate(ec, index, state::ARRAY_NL)?;
            self.value(ec, element)?;
            index += 1;
        }
        self.end(ec, index, state::ARRAY_NL, b']')
    }

    /// What stands before an element: a comma, and the beginning of a line.
    fn separate(&mut self, ec: &mut Ec, index: usize, newline: usize) -> Result<()> {
        if index > 0 {
            self.out.push(b',');
        }
        if self.is_laid_out { self.newline(ec, newline) } else { Ok(()) }
    }

    /// The depth is the program's to choose, so the indentation may be longer than there is memory.
    fn newline(&mut self, ec: &mut Ec, which: usize) -> Result<()> {
        self.out.extend_from_slice(self.options.text(ec, which));
        let depth = usize::try_from(self.depth()).unwrap_or(0);
        let width = self.options.text(ec, state::INDENT).len();
        if width == 0 || depth == 0 {
            return Ok(());
        }
        let Some(bytes) = width.checked_mul(depth).filter(|bytes| isize::try_from(*bytes).is_ok()) else {
            return Err(ec.argument_error("argument too big"));
        };
        ec.make_room_in(&mut self.out, bytes)?;
        let indent = self.options.text(ec, state::INDENT);
        for _ in 0..depth {
            self.out.extend_from_slice(indent);
        }
        Ok(())
    }

    fn end(&mut self, ec: &mut Ec, count: usize, newline: usize, bracket: u8) -> Result<()> {
        self.options.numbers[state::DEPTH] = self.depth().wrapping_sub(1);
        if self.is_laid_out && count > 0 && !self.options.text(ec, newline).is_empty() {
            self.newline(ec, newline)?;
        }
        self.out.push(bracket);
        Ok(())
    }

    fn hash(&mut self, ec: &mut Ec, hash: Hash) -> Result<()> {
        if self.options.allow_duplicate_key != Some(true) {
            self.check_keys(ec, hash)?;
        }
        hash.enter_iteration(ec);
        let result = self.pairs(ec, hash);
        hash.leave_iteration(ec);
        result
    }

    fn pairs(&mut self, ec: &mut Ec, hash: Hash) -> Result<()> {
        self.out.push(b'{');
        let (mut position, mut count) = (0, 0);
        while let Some((next, key, value)) = hash.next_entry(ec, position) {
            position = next;
            self.separate(ec, count, state::OBJECT_NL)?;
            self.key(ec, key)?;
            if self.is_laid_out {
                self.out.extend_from_slice(self.options.text(ec, state::SPACE_BEFORE));
            }
            self.out.push(b':');
            if self.is_laid_out {
                self.out.extend_from_slice(self.options.text(ec, state::SPACE));
            }
            self.value(ec, value)?;
            count += 1;
        }
        self.end(ec, count, state::OBJECT_NL, b'}')
    }

    /// Keys of several kinds may become one: the library looks at them closely then.
    fn check_keys(&mut self, ec: &mut Ec, hash: Hash) -> Result<()> {
        if hash.all_keys(|key| Str::from_value(key).is_some()) || hash.all_keys(Value::is_symbol) {
            return Ok(());
        }
        let kind = |key: Value| (Str::from_value(key).is_some(), key.is_symbol());
        let (mut position, mut first) = (0, None);
        while let Some((next, key, _)) = hash.next_entry(ec, position) {
            position = next;
            let this = kind(key);
            // Only strings and symbols are told from what came first.
            if *first.get_or_insert(this) != this && (this.0 || this.1) {
                if has_different_names(ec, hash) {
                    break;
                }
                let raises = Value::bool(self.options.allow_duplicate_key == Some(false));
                ec.call(json(ec).value(), ec.vm().intern("on_mixed_keys_hash"), &[hash.value(), raises])?;
                break;
            }
        }
        Ok(())
    }

    fn key(&mut self, ec: &mut Ec, key: Value) -> Result<()> {
        if let Some(symbol) = key.as_symbol() {
            let name = ec.vm().symbol_name(symbol);
            if name.encoding == EncodingIndex::US_ASCII && self.escaping() == Escaping::default() {
                push_string(name.bytes, Escaping::default(), &mut self.out);
                return Ok(());
            }
            let name = ec.symbol_to_str(symbol);
            return self.string(ec, name, Role::Key);
        }
        if let Some(text) = Str::from_value(key) {
            return self.string_key(ec, text);
        }
        if self.options.flags[state::STRICT] {
            return self.strict_key(ec, key);
        }
        let text = ec.call(key, sym::TO_S, &[])?;
        match Str::from_value(text) {
            Some(text) => self.string(ec, text, Role::Key),
            None => {
                let (class, given) = (ec.class_of(key).real().to_text(ec), ec.class_of(text).real().to_text(ec));
                Err(ec.type_error(&format!("can't convert {class} to String ({class}#to_s gives {given})")))
            }
        }
    }

    /// A key of a subclass is written as its `to_s` is, by itself only if that is none of String itself.
    fn string_key(&mut self, ec: &mut Ec, key: Str) -> Result<()> {
        let string = ec.vm().known().string;
        if ec.class_of(key.value()) == string {
            return self.string(ec, key, Role::Key);
        }
        let text = ec.call(key.value(), sym::TO_S, &[])?;
        match Str::from_value(text) {
            Some(plain) if ec.class_of(text) == string => self.string(ec, plain, Role::Key),
            _ => self.object(ec, text),
        }
    }

    // ---- other objects ----

    /// Whether a proc makes something else of what cannot be written.
    fn converts(&self) -> bool {
        self.options.flags[state::STRICT] && self.options.as_json.truthy()
    }

    fn converted(&mut self, ec: &mut Ec, object: Value, role: Role) -> Result {
        ec.call(self.options.as_json, sym::CALL, &[object, Value::bool(role == Role::Key)])
    }

    fn strict_key(&mut self, ec: &mut Ec, key: Value) -> Result<()> {
        let key = if self.converts() { self.converted(ec, key, Role::Key)? } else { key };
        if key.is_symbol() || Str::from_value(key).is_some() {
            return self.key(ec, key);
        }
        Err(no_key(ec, key))
    }

    fn strict(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        if self.is_allowed(ec, value) {
            return self.builtin(ec, value);
        }
        let converted = if self.converts() { self.converted(ec, value, Role::Value)? } else { value };
        if converted == value || !self.is_allowed(ec, converted) {
            let class = ec.class_of(converted).real().to_text(ec);
            return Err(generator_error(ec, &format!("{class} not allowed in JSON"), converted));
        }
        self.builtin(ec, converted)
    }

    fn is_allowed(&self, ec: &Ec, value: Value) -> bool {
        let is_core = !value.is_heap() || ec.is_float(value) || ec.is_integer(value);
        let class = ec.class_of(value).real();
        let known = ec.vm().known();
        is_core || [known.string, known.array, known.hash].contains(&class) || is_fragment(ec, value)
    }

    /// A symbol, a piece of JSON, or what is written as it is.
    fn builtin(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        if value.is_symbol() {
            return self.key(ec, value);
        }
        if is_fragment(ec, value) {
            return self.custom(ec, value);
        }
        self.value_of_core(ec, value)
    }

    /// As the core class does it, whatever the class is.
    fn value_of_core(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        if let Some(text) = Str::from_value(value) {
            return self.string(ec, text, Role::Value);
        }
        if Hash::from_value(value).is_some() || Array::from_value(value).is_some() {
            return self.container(ec, value);
        }
        self.value(ec, value)
    }

    /// An object that says itself what it is as JSON, or else as a string.
    fn other(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        if generic::has_own_to_json(ec, value) { self.custom(ec, value) } else { self.own(ec, value) }
    }

    fn own(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        if value.is_symbol() {
            return self.key(ec, value);
        }
        let is_container = Hash::from_value(value).is_some() || Array::from_value(value).is_some();
        if !value.is_heap()
            || Str::from_value(value).is_some()
            || is_container
            || ec.is_float(value)
            || ec.is_integer(value)
        {
            return self.value_of_core(ec, value);
        }
        let text = ec.call(value, sym::TO_S, &[])?;
        match Str::from_value(text) {
            Some(text) => self.string(ec, text, Role::Value),
            None => Err(ec.wrong_type(text, "String")),
        }
    }

    fn custom(&mut self, ec: &mut Ec, value: Value) -> Result<()> {
        let state = self.state(ec);
        let text = ec.call(value, ec.vm().intern("to_json"), &[state])?;
        let Some(text) = Str::from_value(text) else { return Err(ec.wrong_type(text, "String")) };
        if !text.is_ascii(ec) {
            self.range = CodeRange::Unknown;
        }
        ec.make_room_in(&mut self.out, text.len(ec))?;
        self.out.extend_from_slice(text.bytes(ec));
        Ok(())
    }

    /// The state as it is now. One that is frozen is not told of the depth: other Ractors may be using it.
    fn state(&mut self, ec: &mut Ec) -> Value {
        match self.state {
            Some(state) if !ec.is_frozen(state.value()) => {
                state.get_mut(ec).numbers[state::DEPTH] = self.depth();
                state.value()
            }
            _ => {
                let generator = module(ec, "Ext").nested(ec, "Generator").unwrap_or(json(ec));
                let class = generator.nested(ec, "State").unwrap_or(ec.vm().known().object);
                let state = Data::new(ec, class, self.options);
                self.state = Some(state);
                state.value()
            }
        }
    }
}

fn is_fragment(ec: &Ec, value: Value) -> bool {
    json(ec).nested(ec, "Fragment").is_some_and(|class| ec.class_of(value) == class)
}

fn generator_error(ec: &mut Ec, message: &str, object: Value) -> Unwind {
    let class = error_class(ec, "GeneratorError").value();
    let message = ec.str(message);
    match ec.call(class, sym::NEW, &[message, object]) {
        Ok(exception) => ec.raise(exception),
        Err(unwind) => unwind,
    }
}

fn is_in_utf_8(text: Str) -> bool {
    [EncodingIndex::UTF_8, EncodingIndex::US_ASCII].contains(&text.encoding())
}

/// Whether the keys are symbols and strings, not too many to compare them all, and no two have the same name.
fn has_different_names(ec: &Ec, hash: Hash) -> bool {
    const MOST: usize = 16;
    let mut names: [&[u8]; MOST] = [&[]; MOST];
    let (mut position, mut count) = (0, 0);
    while let Some((next, key, _)) = hash.next_entry(ec, position) {
        position = next;
        let name = match (key.as_symbol(), Str::from_value(key)) {
            (Some(symbol), _) => ec.vm().symbol_name(symbol).bytes,
            (None, Some(text)) if ec.class_of(key) == ec.vm().known().string => text.bytes(ec),
            _ => return false,
        };
        if count == MOST || names[..count].contains(&name) {
            return false;
        }
        names[count] = name;
        count += 1;
    }
    true
}

/// Whether the bytes of a text are those of JSON, but for what is escaped.
fn is_plain(ec: &Ec, text: Str) -> bool {
    text.is_ascii(ec) && text.encoding().is_ascii_compatible()
        || is_in_utf_8(text) && text.range(ec) == CodeRange::Valid
}

fn malformed(ec: &mut Ec, text: Str) -> Unwind {
    generator_error(ec, "source sequence is illegal/malformed utf-8", text.value())
}

fn no_key(ec: &mut Ec, key: Value) -> Unwind {
    let class = ec.class_of(key).real().to_text(ec);
    generator_error(ec, &format!("{class} not allowed as object key in JSON"), key)
}
