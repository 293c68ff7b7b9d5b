//! Reading.

use super::source::MarshalReader;
use super::{MAJOR, MINOR, class_at, intern, kind, kinds, name};
use carat_vm::{Array, Class, CodeRange, Ec, EncodingIndex, Hash, HeapType, Result, Str, Value, sym};
use num_bigint::{BigInt, Sign};
use rustc_hash::FxHashSet;

/// What is being read, and what has been.
pub(super) struct Loader {
    pub(super) reader: MarshalReader,
    /// Names as strings.
    symbols: Array,
    /// Objects by number; undef where one is still to come.
    objects: Array,
    /// Objects that are not complete yet, and those that other methods made: links to either are not filtered.
    partial: FxHashSet<u64>,
    filter: Option<Value>,
    freezes: bool,
}

/// What stood before an object.
#[derive(Clone, Copy, Default)]
pub(super) struct Prefix {
    /// More of the object follows: it is frozen and filtered later.
    is_partial: bool,
    /// Instance variables follow.
    has_ivars: bool,
    /// Modules that extend it.
    modules: Option<Array>,
    /// Its class, for kinds that do not say it.
    class: Option<Class>,
    is_identity_hash: bool,
}

/// An object, and whether its instance variables are still to be read.
pub(super) type Found = (Value, bool);

pub(super) fn load(ec: &mut Ec, port: Value, filter: Option<Value>, freezes: bool) -> Result {
    let reader = MarshalReader::new(ec, port)?;
    let (symbols, objects) = (Array::new(ec, 0), Array::new(ec, 0));
    let mut loader = Loader { reader, symbols, objects, partial: FxHashSet::default(), filter, freezes };
    loader.check_version(ec)?;
    loader.object(ec)
}

fn format_error(ec: &mut Ec, detail: &str) -> carat_vm::Unwind {
    ec.argument_error(&format!("dump format error{detail}"))
}

impl Loader {
    fn check_version(&mut self, ec: &mut Ec) -> Result<()> {
        let (major, minor) = (self.reader.byte(ec)?, self.reader.byte(ec)?);
        let versions = format!("\tformat version {MAJOR}.{MINOR} required; {major}.{minor} given");
        if major != MAJOR || minor > MINOR {
            return Err(ec.type_error(&format!("incompatible marshal file format (can't be read)\n{versions}")));
        }
        if minor != MINOR {
            ec.warn_verbose(&format!("incompatible marshal file format (can be read)\n{versions}"))?;
        }
        Ok(())
    }

    // ---- numbers of objects ----

    /// Takes the next number for an object that is made later.
    pub(super) fn prepare(&mut self, ec: &Ec) -> usize {
        self.objects.push(ec, Value::UNDEF);
        self.objects.len(ec) - 1
    }

    pub(super) fn enter_at(&mut self, ec: &Ec, number: usize, object: Value) {
        self.objects.set(ec, number, object);
        self.partial.insert(object.bits());
    }

    fn enter(&mut self, ec: &Ec, object: Value) {
        let number = self.prepare(ec);
        self.enter_at(ec, number, object);
    }

    /// Ends an object: unless more of it follows it is frozen and given to the filter.
    pub(super) fn leave(&mut self, ec: &mut Ec, object: Value, is_partial: bool) -> Result {
        if is_partial {
            return Ok(object);
        }
        self.partial.remove(&object.bits());
        let frozen = if self.freezes { freeze(ec, object) } else { object };
        self.filtered(ec, frozen)
    }

    fn filtered(&mut self, ec: &mut Ec, object: Value) -> Result {
        match self.filter {
            Some(filter) => ec.call(filter, sym::CALL, &[object]),
            None => Ok(object),
        }
    }

    // ---- objects ----

    pub(super) fn object(&mut self, ec: &mut Ec) -> Result {
        self.object_with(ec, Prefix::default()).map(|(object, _)| object)
    }

    pub(super) fn object_with(&mut self, ec: &mut Ec, prefix: Prefix) -> Result<Found> {
        let letter = self.reader.byte(ec)?;
        self.object_of(ec, letter, prefix)
    }

    fn object_of(&mut self, ec: &mut Ec, letter: u8, prefix: Prefix) -> Result<Found> {
        ec.check_native_stack()?;
        ec.check_ints()?;
        let takes_class = matches!(
            letter,
            kind::STRING | kind::REGEXP | kind::ARRAY | kind::HASH | kind::HASH_DEFAULT | kind::USER_CLASS
        );
        if prefix.class.is_some() && !takes_class {
            return Err(format_error(ec, " (user class)"));
        }
        let found = match letter {
            kind::NIL => self.leave(ec, Value::NIL, false),
            kind::TRUE => self.leave(ec, Value::TRUE, false),
            kind::FALSE => self.leave(ec, Value::FALSE, false),
            kind::FIXNUM => {
                let number = self.reader.long(ec)?;
                let number = ec.int(number);
                self.leave(ec, number, false)
            }
            kind::FLOAT => {
                let text = self.sized_bytes(ec)?;
                let float = ec.float(kinds::float_from(&text));
                self.enter(ec, float);
                self.leave(ec, float, false)
            }
            kind::BIGNUM => self.bignum(ec),
            kind::LINK => self.link(ec),
            kind::SYMBOL => return self.symbol_object(ec, prefix),
            kind::SYMBOL_LINK => self.symbol_link(ec).and_then(|text| text.to_symbol(ec)).map(Value::symbol),
            kind::STRING => self.string(ec, prefix),
            kind::ARRAY => self.array(ec, prefix),
            kind::HASH | kind::HASH_DEFAULT => self.hash(ec, prefix, letter == kind::HASH_DEFAULT),
            kind::OBJECT => self.plain_object(ec, prefix),
            kind::STRUCT => self.structure(ec, prefix),
            kind::DATA => self.native_data(ec, prefix),
            kind::MODULE_OLD | kind::CLASS | kind::MODULE => return self.class(ec, letter, prefix),
            kind::IVARS => self.with_ivars(ec, prefix),
            kind::EXTENDED => return self.extended(ec, prefix),
            kind::USER_CLASS => return self.user_class(ec, prefix),
            kind::REGEXP => return self.regexp(ec, prefix),
            kind::USER_DEFINED => return self.user_defined(ec, prefix),
            kind::USER_MARSHAL => self.user_marshal(ec, prefix),
            other => Err(format_error(ec, &format!("(0x{other:x})"))),
        };
        found.map(|object| (object, prefix.has_ivars))
    }

    fn link(&mut self, ec: &mut Ec) -> Result {
        let number = self.reader.long(ec)?;
        let found = usize::try_from(number).ok().and_then(|n| self.objects.get(ec, n));
        match found {
            None => Err(format_error(ec, " (unlinked)")),
            Some(Value::UNDEF) => Err(format_error(ec, " (bad link)")),
            Some(object) if self.partial.contains(&object.bits()) => Ok(object),
            Some(object) => {
                let object =
                    if self.freezes && Str::from_value(object).is_some() { freeze(ec, object) } else { object };
                self.filtered(ec, object)
            }
        }
    }

    fn bignum(&mut self, ec: &mut Ec) -> Result {
        let sign = if self.reader.byte(ec)? == b'-' { Sign::Minus } else { Sign::Plus };
        let count = self.reader.count(ec, 2, "string")?;
        let bytes = self.reader.bytes(ec, 2 * count)?;
        let number = ec.bigint(BigInt::from_bytes_le(sign, &bytes));
        self.enter(ec, number);
        self.leave(ec, number, false)
    }

    fn string(&mut self, ec: &mut Ec, prefix: Prefix) -> Result {
        let class = self.class_for(ec, prefix, ec.vm().known().string)?;
        let bytes = self.sized_bytes(ec)?;
        let text = Str::new_of(ec, class, &bytes, EncodingIndex::BINARY, CodeRange::Unknown).value();
        self.enter(ec, text);
        self.leave(ec, text, prefix.is_partial)
    }

    fn array(&mut self, ec: &mut Ec, prefix: Prefix) -> Result {
        let class = self.class_for(ec, prefix, ec.vm().known().array)?;
        let count = self.reader.count(ec, 1, "array")?;
        let capacity = self.reader.plausible_capacity(ec, usize::try_from(count).unwrap_or(usize::MAX));
        let array = Array::new_of(ec, class, capacity);
        self.enter(ec, array.value());
        self.reader.readable += count - 1;
        for _ in 0..count {
            let element = self.object(ec)?;
            array.push(ec, element);
            self.reader.readable -= 1;
        }
        self.reader.readable += 1;
        self.leave(ec, array.value(), prefix.is_partial)
    }

    fn hash(&mut self, ec: &mut Ec, prefix: Prefix, has_default: bool) -> Result {
        let class = self.class_for(ec, prefix, ec.vm().known().hash)?;
        let count = self.reader.count(ec, 2, "hash")?;
        let hash = Hash::new_of(ec, class);
        if prefix.is_identity_hash {
            hash.set_compare_by_identity();
        }
        self.enter(ec, hash.value());
        self.reader.readable += (count - 1) * 2;
        for _ in 0..count {
            let (key, value) = (self.object(ec)?, self.object(ec)?);
            if prefix.is_identity_hash {
                hash.set(ec, key, value)?
            } else {
                hash.store(ec, key, value)?
            }
            self.reader.readable -= 2;
        }
        self.reader.readable += 2;
        if has_default {
            let default = self.object(ec)?;
            hash.set_default(ec, default, false);
        }
        self.leave(ec, hash.value(), prefix.is_partial)
    }

    fn class(&mut self, ec: &mut Ec, letter: u8, prefix: Prefix) -> Result<Found> {
        let bytes = self.sized_bytes(ec)?;
        let path = Str::new(ec, &bytes, EncodingIndex::BINARY, CodeRange::Unknown);
        let mut ivars_left = prefix.has_ivars;
        if prefix.has_ivars && letter != kind::MODULE_OLD {
            ivars_left = self.name_encoding(ec, path)? > 0;
        }
        let found = class_at(ec, path)?;
        let what = match letter {
            kind::CLASS => "class",
            kind::MODULE => "module",
            _ => "class/module",
        };
        let shown = path.to_text(ec);
        if letter == kind::CLASS && !found.is_class() || letter == kind::MODULE && !found.is_module() {
            return Err(ec.argument_error(&format!("{shown} does not refer to {what}")));
        }
        if ivars_left {
            return Err(ec.type_error(&format!("can't override instance variable of {what} '{shown}'")));
        }
        self.enter(ec, found.value());
        Ok((self.leave(ec, found.value(), prefix.is_partial)?, false))
    }

    /// The encoding of a path; how many variables follow it.
    fn name_encoding(&mut self, ec: &mut Ec, path: Str) -> Result<i64> {
        let count = self.reader.long(ec)?;
        if count <= 0 {
            return Ok(count);
        }
        let (variable, value) = (self.symbol(ec)?, self.object(ec)?);
        Ok(count - i64::from(set_encoding(ec, path.value(), variable, value)?))
    }

    // ---- prefixes ----

    fn with_ivars(&mut self, ec: &mut Ec, prefix: Prefix) -> Result {
        let inner = Prefix { is_partial: true, has_ivars: true, class: None, ..prefix };
        let (object, ivars_left) = self.object_with(ec, inner)?;
        if ivars_left {
            self.ivars(ec, object)?;
        }
        self.leave(ec, object, prefix.is_partial)
    }

    fn extended(&mut self, ec: &mut Ec, prefix: Prefix) -> Result<Found> {
        let path = self.symbol(ec)?;
        let module = class_at(ec, path)?;
        let modules = prefix.modules.unwrap_or_else(|| Array::new(ec, 1));
        let inner = Prefix { is_partial: true, has_ivars: prefix.has_ivars, ..Prefix::default() };
        let (object, ivars_left) = if module.is_class() {
            let found = self.object_with(ec, inner)?;
            prepend(ec, found.0, module, modules)?;
            found
        } else {
            modules.push(ec, module.value());
            let found = self.object_with(ec, Prefix { modules: Some(modules), ..inner })?;
            extend(ec, found.0, modules)?;
            found
        };
        Ok((self.leave(ec, object, prefix.is_partial)?, ivars_left))
    }

    fn user_class(&mut self, ec: &mut Ec, prefix: Prefix) -> Result<Found> {
        let path = self.symbol(ec)?;
        let class = self.class_named(ec, path)?;
        let letter = self.reader.byte(ec)?;
        let is_hash = matches!(letter, kind::HASH | kind::HASH_DEFAULT);
        if is_hash && class == ec.vm().known().hash {
            return self.object_of(ec, letter, Prefix { is_identity_hash: true, ..prefix });
        }
        if prefix.class.is_some() {
            return Err(format_error(ec, " (user class)"));
        }
        self.object_of(ec, letter, Prefix { class: Some(class), ..prefix })
    }

    /// The class that an object of a core kind is to have.
    pub(super) fn class_for(&self, ec: &mut Ec, prefix: Prefix, base: Class) -> Result<Class> {
        match prefix.class {
            None => Ok(base),
            // A copy of a core class has instances of the same kind without being below it.
            Some(class) if class.is_or_inherits(base) || class.makes_same_kind(base) => Ok(class),
            Some(_) => Err(format_error(ec, " (user class)")),
        }
    }

    // ---- names ----

    pub(super) fn sized_bytes(&mut self, ec: &mut Ec) -> Result<Vec<u8>> {
        let len = self.reader.long(ec)?;
        self.reader.bytes(ec, len)
    }

    /// A symbol, as a string with its encoding.
    pub(super) fn symbol(&mut self, ec: &mut Ec) -> Result<Str> {
        let mut has_ivars = false;
        loop {
            match self.reader.byte(ec)? {
                kind::IVARS => has_ivars = true,
                kind::SYMBOL => return self.new_symbol(ec, has_ivars),
                kind::SYMBOL_LINK if has_ivars => return Err(format_error(ec, " (symlink with encoding)")),
                kind::SYMBOL_LINK => return self.symbol_link(ec),
                other => return Err(format_error(ec, &format!(" for symbol(0x{other:x})"))),
            }
        }
    }

    fn symbol_link(&mut self, ec: &mut Ec) -> Result<Str> {
        let number = self.reader.long(ec)?;
        let found = usize::try_from(number).ok().and_then(|n| self.symbols.get(ec, n)).and_then(Str::from_value);
        found.ok_or_else(|| ec.argument_error("bad symbol"))
    }

    fn new_symbol(&mut self, ec: &mut Ec, has_ivars: bool) -> Result<Str> {
        let bytes = self.sized_bytes(ec)?;
        let encoding = if bytes.is_ascii() { EncodingIndex::US_ASCII } else { EncodingIndex::BINARY };
        let text = Str::new(ec, &bytes, encoding, CodeRange::Unknown);
        self.symbols.push(ec, text.value());
        if !has_ivars {
            return Ok(text);
        }
        let mut found = None;
        for _ in 0..self.reader.long(ec)? {
            // Names nest, so this recursion has no other guard.
            ec.check_native_stack()?;
            let (variable, value) = (self.symbol(ec)?, self.object(ec)?);
            found = encoding_of(ec, variable, value)?;
        }
        if let Some(encoding) = found.filter(|e| *e != EncodingIndex::BINARY) {
            text.set_encoding(encoding);
            text.set_range(CodeRange::Unknown);
            if text.range(ec) == CodeRange::Broken {
                let shown = ec.inspect(text.value())?.to_text(ec);
                return Err(ec.argument_error(&format!("invalid byte sequence in {}: {shown}", encoding.name())));
            }
        }
        Ok(text)
    }

    fn symbol_object(&mut self, ec: &mut Ec, prefix: Prefix) -> Result<Found> {
        let text = self.new_symbol(ec, prefix.has_ivars)?;
        let symbol = Value::symbol(text.to_symbol(ec)?);
        Ok((self.leave(ec, symbol, prefix.is_partial)?, false))
    }

    /// The class that a path names.
    pub(super) fn class_named(&mut self, ec: &mut Ec, path: Str) -> Result<Class> {
        let class = class_at(ec, path)?;
        if class.is_class() {
            return Ok(class);
        }
        let shown = path.to_text(ec);
        Err(ec.argument_error(&format!("{shown} does not refer to class")))
    }

    // ---- instance variables ----

    /// Reads instance variables into an object. Encodings and flags are among them.
    pub(super) fn ivars(&mut self, ec: &mut Ec, object: Value) -> Result<()> {
        let count = self.reader.long(ec)?;
        if let Some(class) = Class::from_value(object).filter(|_| count > 0) {
            let (what, shown) = (class.kind_name(), class.to_text(ec));
            return Err(ec.type_error(&format!("can't override instance variable of {what} '{shown}'")));
        }
        for _ in 0..count {
            let (variable, value) = (self.symbol(ec)?, self.object(ec)?);
            if set_encoding(ec, object, variable, value)? {
                continue;
            }
            let is_flag = variable.bytes(ec) == name::RUBY2_KEYWORDS.as_bytes();
            if is_flag && variable.encoding() == EncodingIndex::US_ASCII {
                set_ruby2_keywords(ec, object)?;
            } else {
                kinds::set_variable(ec, object, variable, value)?;
            }
        }
        Ok(())
    }

    // ---- objects of classes ----

    fn plain_object(&mut self, ec: &mut Ec, prefix: Prefix) -> Result {
        let number = self.prepare(ec);
        let path = self.symbol(ec)?;
        let class = self.class_named(ec, path)?;
        let known = ec.vm().known();
        if class.is_or_inherits(known.range) {
            return self.range(ec, number, class, prefix);
        }
        if class.is_or_inherits(known.process_status) {
            return self.process_status(ec, number, class, prefix);
        }
        if kinds::is_number_pair(ec, class) {
            return self.old_number_pair(ec, number, class, prefix);
        }
        let object = ec.allocate(class)?;
        let is_plain = object.is_type(HeapType::Object) || object.is_type(HeapType::Set);
        if !is_plain || kinds::is_native_class(class) {
            return Err(format_error(ec, ""));
        }
        self.enter_at(ec, number, object);
        self.ivars(ec, object)?;
        self.leave(ec, object, prefix.is_partial)
    }

    /// An object that has the variables that follow as fields, under whatever names.
    fn parts(&mut self, ec: &mut Ec) -> Result {
        let parts = ec.new_object(ec.vm().known().object);
        for _ in 0..self.reader.long(ec)? {
            let (variable, value) = (self.symbol(ec)?, self.object(ec)?);
            let variable = variable.to_symbol(ec)?;
            ec.set_field(parts, variable, value);
        }
        Ok(parts)
    }

    /// A Rational or Complex as Ruby 1.8 dumped it: an object with two instance variables.
    fn old_number_pair(&mut self, ec: &mut Ec, number: usize, class: Class, prefix: Prefix) -> Result {
        let parts = self.parts(ec)?;
        let names =
            if class == ec.vm().known().rational { ["@numerator", "@denominator"] } else { ["@real", "@image"] };
        let [first, second] = names.map(|name| ec.field(parts, intern(ec, name)).unwrap_or(Value::NIL));
        let pair = Array::pair(ec, first, second).value();
        let object = kinds::number_pair(ec, class, pair)?;
        self.enter_at(ec, number, object);
        self.leave(ec, object, prefix.is_partial)
    }

    fn range(&mut self, ec: &mut Ec, number: usize, class: Class, prefix: Prefix) -> Result {
        let range = ec.allocate(class)?;
        self.enter_at(ec, number, range);
        let parts = self.parts(ec)?;
        let part = |ec: &Ec, name: &str| ec.field(parts, intern(ec, name)).unwrap_or(Value::NIL);
        let (begin, end, excludes_end) = (part(ec, "begin"), part(ec, "end"), part(ec, "excl"));
        if !excludes_end.is_nil() {
            let checked = ec.call(ec.vm().known().range.value(), sym::NEW, &[begin, end, excludes_end])?;
            crate::collection::range::fill_from(ec, range, checked)?;
        }
        self.leave(ec, range, prefix.is_partial)
    }

    fn process_status(&mut self, ec: &mut Ec, number: usize, class: Class, prefix: Prefix) -> Result {
        let object = ec.allocate(class)?;
        self.enter_at(ec, number, object);
        let parts = self.parts(ec)?;
        let [pid, raw] = ["pid", "status"].map(|name| ec.field(parts, intern(ec, name)).unwrap_or(Value::NIL));
        let (pid, raw) = (ec.to_long(pid)?, ec.to_long(raw)?);
        crate::system::process::set_status_parts(ec, object, (pid as i32, raw as i32));
        self.leave(ec, object, prefix.is_partial)
    }

    fn structure(&mut self, ec: &mut Ec, prefix: Prefix) -> Result {
        let number = self.prepare(ec);
        let path = self.symbol(ec)?;
        let class = self.class_named(ec, path)?;
        let count = self.reader.count(ec, 2, "struct")?;
        let object = ec.allocate(class)?;
        let shown = class.to_text(ec);
        let members = crate::collection::structs::members_of(ec, class).filter(|_| object.is_type(HeapType::Struct));
        let Some(members) = members else { return Err(ec.type_error(&format!("class {shown} not a struct"))) };
        if members.len(ec) as i64 != count {
            return Err(ec.type_error(&format!("struct {shown} not compatible (struct size differs)")));
        }
        self.enter_at(ec, number, object);
        self.reader.readable += (count - 1) * 2;
        for index in 0..members.len(ec) {
            let found = self.symbol(ec)?;
            let expected = members.at(ec, index);
            if expected.as_symbol() != Some(found.to_symbol(ec)?) {
                let (found, expected) = (found.to_text(ec), ec.to_s(expected)?.to_text(ec));
                return Err(ec.type_error(&format!("struct {shown} not compatible (:{found} for :{expected})")));
            }
            let value = self.object(ec)?;
            crate::collection::structs::set_member(ec, object, index, value);
            self.reader.readable -= 2;
        }
        self.reader.readable += 2;
        if class.is_or_inherits(ec.vm().known().data) {
            ec.freeze(object);
        }
        self.leave(ec, object, prefix.is_partial)
    }

    fn native_data(&mut self, ec: &mut Ec, prefix: Prefix) -> Result {
        let path = self.symbol(ec)?;
        let class = self.class_named(ec, path)?;
        let object = ec.allocate(class)?;
        if !object.is_type(HeapType::Data) {
            return Err(format_error(ec, ""));
        }
        self.enter(ec, object);
        let load_data = intern(ec, "_load_data");
        if !ec.respond_to(object, load_data, true)? {
            let shown = path.to_text(ec);
            return Err(ec.type_error(&format!("class {shown} needs to have instance method '_load_data'")));
        }
        let (data, _) = self.object_with(ec, Prefix { has_ivars: false, class: None, ..prefix })?;
        ec.call(object, load_data, &[data])?;
        self.leave(ec, object, prefix.is_partial)
    }

    /// A string that the class's `_load` makes an object of.
    fn user_defined(&mut self, ec: &mut Ec, prefix: Prefix) -> Result<Found> {
        let path = self.symbol(ec)?;
        if super::exceptions::is_lazy_message(path, ec) {
            return self.string(ec, prefix).map(|text| (text, prefix.has_ivars));
        }
        let class = self.class_named(ec, path)?;
        if !ec.respond_to(class.value(), sym::_LOAD, true)? {
            let shown = path.to_text(ec);
            return Err(ec.type_error(&format!("class {shown} needs to have method '_load'")));
        }
        let bytes = self.sized_bytes(ec)?;
        let data = Str::binary(ec, &bytes).value();
        if prefix.has_ivars {
            self.ivars(ec, data)?;
        }
        let object = ec.call(class.value(), sym::_LOAD, &[data])?;
        self.enter(ec, object);
        if prefix.is_partial {
            return Ok((object, false));
        }
        if self.freezes {
            ec.freeze(object);
        }
        Ok((self.filtered(ec, object)?, false))
    }

    /// An object that `marshal_load` fills.
    fn user_marshal(&mut self, ec: &mut Ec, prefix: Prefix) -> Result {
        let path = self.symbol(ec)?;
        let class = self.class_named(ec, path)?;
        if kinds::is_number_pair(ec, class) {
            let number = self.prepare(ec);
            let parts = self.object(ec)?;
            let object = kinds::number_pair(ec, class, parts)?;
            self.objects.set(ec, number, object);
            return self.filtered(ec, object);
        }
        let object = ec.allocate(class)?;
        if let Some(modules) = prefix.modules {
            extend(ec, object, modules)?;
        }
        if !ec.respond_to(object, sym::MARSHAL_LOAD, true)? {
            let shown = path.to_text(ec);
            return Err(ec.type_error(&format!("instance of {shown} needs to have method 'marshal_load'")));
        }
        self.enter(ec, object);
        let data = self.object(ec)?;
        ec.call(object, sym::MARSHAL_LOAD, &[data])?;
        copy_new_variables(ec, data, object);
        if self.freezes {
            ec.freeze(object);
        }
        self.filtered(ec, object)
    }

    fn regexp(&mut self, ec: &mut Ec, prefix: Prefix) -> Result<Found> {
        let class = self.class_for(ec, prefix, ec.vm().known().regexp)?;
        let bytes = self.sized_bytes(ec)?;
        let options = self.reader.byte(ec)?;
        let source = Str::binary(ec, &bytes);
        let number = self.prepare(ec);
        if prefix.has_ivars {
            self.ivars(ec, source.value())?;
        }
        if source.encoding() == EncodingIndex::BINARY {
            let plain = kinds::without_unknown_escapes(&bytes);
            source.overwrite(ec, &plain);
        }
        let regexp = crate::text::regexp::make(ec, class, source, options)?;
        copy_new_variables(ec, source.value(), regexp);
        self.enter_at(ec, number, regexp);
        Ok((self.leave(ec, regexp, prefix.is_partial)?, false))
    }
}

/// Strings become the unique ones with their contents, where nothing else hangs on them.
fn freeze(ec: &mut Ec, object: Value) -> Value {
    if Class::from_value(object).is_some() {
        return object;
    }
    if let Some(s) = Str::from_value(object)
        && ec.class_of(object) == ec.vm().known().string
        && ec.instance_variable_names(object).is_empty()
    {
        return ec.fstring(s.bytes(ec), s.encoding()).value();
    }
    ec.freeze(object);
    object
}

/// The encoding that a variable of this name and value stands for.
fn encoding_of(ec: &mut Ec, variable: Str, value: Value) -> Result<Option<EncodingIndex>> {
    let text = variable.bytes(ec);
    if text == name::ENCODING_SHORT.as_bytes() {
        return Ok(match value {
            Value::TRUE => Some(EncodingIndex::UTF_8),
            Value::FALSE => Some(EncodingIndex::US_ASCII),
            _ => None,
        });
    }
    if text != name::ENCODING.as_bytes() {
        return Ok(None);
    }
    let wanted = ec.to_str(value)?;
    Ok(EncodingIndex::find_by_name(wanted.bytes(ec)))
}

/// Gives an object the encoding that a variable names; false if it is a variable like any other.
fn set_encoding(ec: &mut Ec, object: Value, variable: Str, value: Value) -> Result<bool> {
    let Some(encoding) = encoding_of(ec, variable, value)? else { return Ok(false) };
    if let Some(text) = Str::from_value(object) {
        if text.is_frozen() {
            return Err(ec.frozen_error(object));
        }
        text.set_encoding(encoding);
        text.set_range(CodeRange::Unknown);
        return Ok(true);
    }
    if object.as_symbol().is_some() || crate::text::regexp::is_regexp(ec, object) {
        return Ok(true);
    }
    let shown = ec.to_s(object)?.to_text(ec);
    Err(ec.argument_error(&format!("{shown} is not enc_capable")))
}

fn set_ruby2_keywords(ec: &mut Ec, object: Value) -> Result<()> {
    if let Some(hash) = Hash::from_value(object) {
        hash.set_ruby2_keywords();
        return Ok(());
    }
    let shown = ec.to_s(object)?.to_text(ec);
    Err(ec.argument_error(&format!("ruby2_keywords flag is given but {shown} is not a Hash")))
}

/// Takes over instance variables that the object does not have itself.
fn copy_new_variables(ec: &mut Ec, from: Value, to: Value) {
    if to.header().is_none() {
        return;
    }
    for name in ec.instance_variable_names(from) {
        if let Some(value) = ec.field(from, name).filter(|_| ec.field(to, name).is_none()) {
            ec.set_field(to, name, value);
        }
    }
}

/// Extends an object with the modules, last first, and empties the list.
fn extend(ec: &mut Ec, object: Value, modules: Array) -> Result<()> {
    while let Some(module) = modules.pop(ec).and_then(Class::from_value) {
        ec.reserve_for_class(ec.class_of(object))?;
        let Some(own) = ec.singleton_class_of(object) else { return Err(ec.type_error("can't define singleton")) };
        own.include(ec, module);
    }
    Ok(())
}

/// Prepends the modules to an object's singleton class; `class` stood behind them.
fn prepend(ec: &mut Ec, object: Value, class: Class, modules: Array) -> Result<()> {
    let own = ec.class_of(object);
    if own != class {
        let (expected, found) = (class.to_text(ec), own.to_text(ec));
        return Err(ec.argument_error(&format!("prepended class {expected} differs from class {found}")));
    }
    while let Some(module) = modules.pop(ec).and_then(Class::from_value) {
        ec.reserve_for_class(ec.class_of(object))?;
        let Some(own) = ec.singleton_class_of(object) else { return Err(ec.type_error("can't define singleton")) };
        own.prepend(ec, module);
    }
    Ok(())
}
