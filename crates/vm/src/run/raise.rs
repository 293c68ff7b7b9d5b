//! Making and raising exceptions: one constructor per message, worded as CRuby words it.

use crate::ec::{Ec, Unwind};
use crate::inspect::recorder;
use crate::model::class::Class;
use crate::model::shape::was_moved;
use crate::model::symbol::sym;
use crate::run::backtrace::{self, Backtrace};
use crate::value::array::Array;
use crate::value::data::Data;
use crate::value::string::Str;
use carat_layout::{SymbolId, Value};
use carat_text::coderange::CodeRange;
use carat_text::encoding::EncodingIndex;
use carat_text::text::Text;
use carat_text::transcode;

impl Ec {
    /// Starts unwinding with an exception object as it stands; a backtrace is added if it has none.
    pub fn raise(&mut self, exception: Value) -> Unwind {
        if was_moved(exception) {
            return self.no_exception();
        }
        if self.field(exception, sym::BT).is_none_or(Value::is_nil) && !self.brings_backtrace(exception) {
            let backtrace = crate::run::backtrace::capture(self, 0);
            self.give_backtrace(exception, backtrace);
        }
        self.raise_with_backtrace(exception)
    }

    /// As [`Ec::raise`], with an exception that has been given its backtrace already, whatever it made of that.
    pub fn raise_with_backtrace(&mut self, exception: Value) -> Unwind {
        if was_moved(exception) {
            return self.no_exception();
        }
        self.set_default_cause(exception);
        if self.vm().is_debugging() {
            self.tell_of_raise(exception);
        }
        if self.trace_mask() != 0
            && let Err(unwind) = self.begin_raise(exception)
        {
            return unwind;
        }
        self.unwind_with(exception)
    }

    /// Unwinds with an exception or a jump, unless it was moved to another Ractor: no rescue would take what is left of it.
    pub(crate) fn unwind_with(&mut self, pending: Value) -> Unwind {
        if was_moved(pending) {
            return self.no_exception();
        }
        self.pending = pending;
        Unwind(())
    }

    fn no_exception(&mut self) -> Unwind {
        self.type_error("exception object expected")
    }

    /// With `$DEBUG`: a line on standard error for whatever is raised.
    #[cold]
    fn tell_of_raise(&mut self, exception: Value) {
        let (pending, errinfo) = (self.pending, self.errinfo);
        // What is raised meanwhile is not told of.
        self.vm().set_debugging(false);
        let class = self.class_of(exception).real();
        let encoding = class.name_encoding();
        let class = match encoding {
            EncodingIndex::UTF_8 => self.class_shown(class).unwrap_or_default(),
            _ => class.to_text(self),
        };
        let message = self
            .to_s(exception)
            .map_or_else(|_| String::new(), |text| transcode::to_message(Text::of(text.bytes(self), text.encoding())));
        let (path, line) = self.caller_position();
        let place = path.map(|path| format!(" at {path}:{line}")).unwrap_or_default();
        let text = format!("Exception '{class}'{place} - {message}\n");
        // The line is in the encoding of the class's name.
        let mut bytes = Vec::new();
        let line = Text::of(text.as_bytes(), EncodingIndex::UTF_8);
        let text = match transcode::encode(line, encoding, &transcode::Options::default(), &mut bytes) {
            Ok(transcode::Outcome::Converted) => Str::new(self, &bytes, encoding, CodeRange::Unknown),
            _ => Str::from_text(self, &text),
        };
        let text = text.value();
        if let Ok(stderr) = self.global(sym::STDERR) {
            let _ = self.call(stderr, sym::WRITE, &[text]);
        }
        self.vm().set_debugging(true);
        (self.pending, self.errinfo) = (pending, errinfo);
    }

    /// Stores what was captured. A `set_backtrace` of the program's is called with it as strings; what that raises is of no interest.
    pub fn give_backtrace(&mut self, exception: Value, captured: Value) {
        let owner = self.vm().known().exception;
        if self.responds_with(exception, sym::SET_BACKTRACE, owner) {
            self.set_field(exception, sym::BT, captured);
            return;
        }
        let (pending, errinfo) = (self.pending, self.errinfo);
        let (all, none) = (owner.value(), Value::NIL);
        let _ = self.guarded(sym::SET_BACKTRACE, all, none, |ec| {
            let Some(backtrace) = Data::<Backtrace>::from_value(captured) else { return Ok(None) };
            let strings = backtrace::to_array(ec, backtrace.get(ec).locations(ec)).value();
            ec.call_if_responds(exception, sym::SET_BACKTRACE, &[strings])
        });
        self.set_field(exception, sym::BT_LOCATIONS, captured);
        (self.pending, self.errinfo) = (pending, errinfo);
    }

    /// Whether an exception of a program's class answers `backtrace` itself. What it raises meanwhile is of no interest, and not asked in turn.
    pub fn brings_backtrace(&mut self, exception: Value) -> bool {
        let owner = self.vm().known().exception;
        if self.responds_with(exception, sym::BACKTRACE, owner) {
            return false;
        }
        let (pending, errinfo) = (self.pending, self.errinfo);
        let (all, none) = (self.vm().known().exception.value(), Value::NIL);
        let answer = self.guarded(sym::BACKTRACE, all, none, |ec| ec.try_convert(exception, sym::BACKTRACE));
        let answer = answer.map(Option::flatten);
        (self.pending, self.errinfo) = (pending, errinfo);
        matches!(answer, Ok(Some(backtrace)) if !backtrace.is_nil())
    }

    /// `$!` becomes the cause of an exception that has none and is not part of its own chain.
    fn set_default_cause(&mut self, exception: Value) {
        if self.field(exception, sym::CAUSE_IVAR).is_some() {
            return;
        }
        let cause = self.errinfo;
        if cause != exception && !self.is_among_causes(exception, cause) {
            self.set_field(exception, sym::CAUSE_IVAR, cause);
        }
    }

    /// Whether an exception is among the causes of another one.
    pub fn is_among_causes(&self, exception: Value, of: Value) -> bool {
        let cause_of = |e: Value| self.field(e, sym::CAUSE_IVAR).filter(|c| !c.is_nil());
        self.was_cause(exception) && std::iter::successors(cause_of(of), |c| cause_of(*c)).any(|c| c == exception)
    }

    /// False for what was neither raised nor given as a cause: then no chain of causes, however long, has to be searched.
    fn was_cause(&self, exception: Value) -> bool {
        [sym::CAUSE_IVAR, sym::IS_CAUSE_IVAR].iter().any(|name| self.field(exception, *name).is_some())
    }

    /// Gives an exception a cause, which may never have been raised itself.
    pub fn set_cause(&self, exception: Value, cause: Value) {
        if !cause.is_nil() && !self.was_cause(cause) {
            self.set_field(cause, sym::IS_CAUSE_IVAR, Value::TRUE);
        }
        self.set_field(exception, sym::CAUSE_IVAR, cause);
    }

    /// A new exception without calling `new` or `initialize`.
    pub fn new_exception(&self, class: Class, message: &str) -> Value {
        let message = Str::from_text(self, message);
        self.new_exception_with(class, message.value())
    }

    pub fn new_exception_with(&self, class: Class, message: Value) -> Value {
        let exception = self.new_object(class);
        self.set_field(exception, sym::MESG, message);
        exception
    }

    /// Raises a new exception of a class with a message.
    pub fn error(&mut self, class: Class, message: &str) -> Unwind {
        let exception = self.new_exception(class, message);
        self.raise(exception)
    }

    /// As [`Ec::error`], for a message of any bytes.
    pub fn error_with(&mut self, class: Class, message: Str) -> Unwind {
        let exception = self.new_exception_with(class, message.value());
        self.raise(exception)
    }

    pub fn argument_error(&mut self, message: &str) -> Unwind {
        self.error(self.vm().known().argument_error, message)
    }

    pub fn type_error(&mut self, message: &str) -> Unwind {
        self.error(self.vm().known().type_error, message)
    }

    pub fn range_error(&mut self, message: &str) -> Unwind {
        self.error(self.vm().known().range_error, message)
    }

    pub fn index_error(&mut self, message: &str) -> Unwind {
        self.error(self.vm().known().index_error, message)
    }

    pub fn runtime_error(&mut self, message: &str) -> Unwind {
        self.error(self.vm().known().runtime_error, message)
    }

    pub fn not_implemented(&mut self, message: &str) -> Unwind {
        self.error(self.vm().known().not_implemented_error, message)
    }

    pub fn zero_division(&mut self) -> Unwind {
        self.error(self.vm().known().zero_division_error, "divided by 0")
    }

    pub fn local_jump_error(&mut self, message: &str, reason: &str, value: Value) -> Unwind {
        let exception = self.new_exception(self.vm().known().local_jump_error, message);
        let reason = Value::symbol(self.vm().intern(reason));
        self.set_field(exception, sym::REASON_IVAR, reason);
        self.set_field(exception, sym::VALUE_IVAR, value);
        self.raise(exception)
    }

    pub fn stack_error(&mut self) -> Unwind {
        self.error(self.vm().known().system_stack_error, "stack level too deep")
    }

    pub fn no_memory(&mut self) -> Unwind {
        self.error(self.vm().known().no_memory_error, "failed to allocate memory")
    }

    /// Fails with `NoMemoryError` if the system would not give that much memory. Whatever allocates as much as a program
    /// names asks first: an allocation that fails later ends the process.
    pub fn ensure_memory(&mut self, bytes: usize) -> crate::Result<()> {
        if self.would_allocate(bytes) {
            return Ok(());
        }
        self.collect_garbage(true);
        self.bytes_in_use();
        if self.would_allocate(bytes) { Ok(()) } else { Err(self.no_memory()) }
    }

    /// Whether the system has that much memory to give, and the host allows it; asked of large requests alone.
    pub fn would_allocate(&self, bytes: usize) -> bool {
        const LEAST: usize = 1 << 20;
        bytes < LEAST || (self.vm().limits.allows(bytes) && carat_os::would_allocate(bytes))
    }

    /// Room for `more` bytes in a buffer of native code, or `NoMemoryError`.
    #[inline]
    pub fn make_room_in(&mut self, buffer: &mut Vec<u8>, more: usize) -> crate::Result<()> {
        let is_small = buffer.len().saturating_add(more) < carat_os::SMALL_BYTES / 2;
        if is_small || buffer.capacity() - buffer.len() >= more {
            return Ok(());
        }
        // What is appended besides, a comma or a quote, would make the buffer double where that may not fail.
        let with_slack = more.saturating_add((buffer.len() + more) / 16);
        if !self.would_allocate(buffer.len().saturating_add(with_slack)) {
            return Err(self.no_memory());
        }
        if buffer.try_reserve(with_slack).is_ok() || buffer.try_reserve_exact(with_slack).is_ok() {
            return Ok(());
        }
        self.collect_garbage(true);
        buffer.try_reserve_exact(with_slack).map_err(|_| self.no_memory())
    }

    /// `string modified`, or what is said of an object that was moved away.
    pub fn string_modified(&mut self, string: Value) -> Unwind {
        if was_moved(string) { self.moved_error() } else { self.runtime_error("string modified") }
    }

    /// What is said to whoever uses an object that was moved to another Ractor.
    fn moved_error(&mut self) -> Unwind {
        let class = self.vm().known().ractor_moved_error;
        self.error(class, "can not send any methods to a moved object")
    }

    /// `can't modify frozen String: "abc"`
    pub fn frozen_error(&mut self, object: Value) -> Unwind {
        if was_moved(object) {
            return self.moved_error();
        }
        let class = match self.class_shown(self.class_of(object).real()) {
            Ok(text) => text,
            Err(unwind) => return unwind,
        };
        // An `inspect` that tries to change the object would never end.
        let visit = self.vm().intern("frozen_error");
        let shown = match self.guarded(visit, object, Value::NIL, |ec| ec.inspect(object)) {
            Ok(text) => text.map_or_else(|| " ...".into(), |text| text.to_text(self)),
            Err(unwind) => return unwind,
        };
        let created = self.creation_place(object).map_or_else(String::new, |place| format!(", created at {place}"));
        let message = format!("can't modify frozen {class}: {shown}{created}");
        recorder::refused(self, &message);
        let exception = self.new_exception(self.vm().known().frozen_error, &message);
        self.set_field(exception, sym::RECEIVER_IVAR, object);
        self.raise(exception)
    }

    /// Where the string literal was made, if those remember it.
    pub(crate) fn creation_place(&self, object: Value) -> Option<String> {
        Str::from_value(object)?;
        let place = Array::from_value(self.field(object, sym::CREATED_IVAR)?)?;
        let path = Str::from_value(place.at(self, 0))?.to_text(self);
        Some(format!("{path}:{}", place.at(self, 1).as_fixnum()?))
    }

    /// `wrong number of arguments (given 1, expected 2)`; `max` is `None` after a rest parameter.
    pub fn arity_error(&mut self, given: usize, min: usize, max: Option<usize>) -> Unwind {
        let expected = match max {
            Some(max) if max == min => format!("{min}"),
            Some(max) => format!("{min}..{max}"),
            None => format!("{min}+"),
        };
        self.argument_error(&format!("wrong number of arguments (given {given}, expected {expected})"))
    }

    /// `wrong argument type Integer (expected String)`
    pub fn wrong_type(&mut self, value: Value, expected: &str) -> Unwind {
        if was_moved(value) {
            return self.moved_error();
        }
        let given = self.describe_for_type_error(value);
        self.type_error(&format!("wrong argument type {given} (expected {expected})"))
    }

    /// `no implicit conversion of Integer into String`
    pub fn no_implicit_conversion(&mut self, value: Value, into: &str) -> Unwind {
        let given = self.describe_for_type_error(value);
        self.type_error(&format!("no implicit conversion of {given} into {into}"))
    }

    /// A class as messages name it: by its `to_s`, which a program may have given it.
    pub fn class_shown(&mut self, class: Class) -> crate::Result<String> {
        if self.responds_with(class.value(), sym::TO_S, self.vm().known().module) {
            return Ok(class.to_text(self));
        }
        let text = self.to_s(class.value())?;
        Ok(text.to_text(self))
    }

    /// As [`Ec::describe_for_type_error`]; where the class's own `to_s` fails, that is the error.
    pub fn shown_for_type_error(&mut self, value: Value) -> crate::Result<String> {
        match value {
            Value::NIL | Value::TRUE | Value::FALSE => Ok(self.describe_for_type_error(value)),
            v => self.class_shown(self.class_of(v).real()),
        }
    }

    fn describe_class(&mut self, value: Value) -> String {
        let class = self.class_of(value).real();
        self.class_shown(class).unwrap_or_else(|_| class.to_text(self))
    }

    /// `nil`, `true`, `false` by name, everything else by class: where the class's own `to_s` fails, by its name.
    pub fn describe_for_type_error(&mut self, value: Value) -> String {
        match value {
            Value::NIL => "nil".into(),
            Value::TRUE => "true".into(),
            Value::FALSE => "false".into(),
            v => self.describe_class(v),
        }
    }

    pub fn key_error(&mut self, message: &str, receiver: Value, key: Value) -> Unwind {
        let message = Str::from_text(self, message);
        self.key_error_with(message, receiver, key)
    }

    /// As [`Ec::key_error`], with a message in another encoding.
    pub fn key_error_with(&mut self, message: Str, receiver: Value, key: Value) -> Unwind {
        let exception = self.new_exception_with(self.vm().known().key_error, message.value());
        self.set_field(exception, sym::RECEIVER_IVAR, receiver);
        self.set_field(exception, sym::KEY_IVAR, key);
        self.raise(exception)
    }

    pub fn name_error(&mut self, message: &str, receiver: Value, name: SymbolId) -> Unwind {
        let class = self.vm().known().name_error;
        self.named_error(class, message, receiver, name)
    }

    pub(crate) fn named_error(&mut self, class: Class, message: &str, receiver: Value, name: SymbolId) -> Unwind {
        let exception = self.new_exception(class, message);
        self.set_field(exception, sym::RECEIVER_IVAR, receiver);
        self.set_field(exception, sym::NAME_IVAR, Value::symbol(name));
        self.raise(exception)
    }

    pub fn no_method_error(&mut self, message: &str, receiver: Value, name: SymbolId, args: Array) -> Unwind {
        let exception = self.new_exception(self.vm().known().no_method_error, message);
        self.set_field(exception, sym::RECEIVER_IVAR, receiver);
        self.set_field(exception, sym::NAME_IVAR, Value::symbol(name));
        self.set_field(exception, sym::ARGS_IVAR, args.value());
        self.raise(exception)
    }

    /// What follows "for" in `undefined method 'x' for …`: "nil", "an instance of Foo", "class Foo".
    pub fn describe_receiver(&self, value: Value) -> String {
        match value {
            Value::NIL => "nil".into(),
            Value::TRUE => "true".into(),
            Value::FALSE => "false".into(),
            v => match Class::from_value(v) {
                Some(class) if class.is_module() => format!("module {}", class.to_text(self)),
                Some(class) => format!("class {}", class.to_text(self)),
                None if self.is_main_object(v) => "main".into(),
                None if self.class_of(v).is_singleton() => self.any_to_s(v).to_text(self),
                None => format!("an instance of {}", self.class_of(v).real().to_text(self)),
            },
        }
    }

    /// As [`Ec::describe_receiver`], with what a class says when a program gave it a `name` of its own.
    pub(crate) fn describe_receiver_by_name(&mut self, value: Value) -> String {
        let (kind, class) = match Class::from_value(value) {
            Some(class) if class.is_module() => ("module", class),
            Some(class) => ("class", class),
            None if self.is_main_object(value) || self.class_of(value).is_singleton() => {
                return self.describe_receiver(value);
            }
            None => ("an instance of", self.class_of(value)),
        };
        if !self.responds_with(class.value(), sym::NAME, self.vm().known().module)
            && let Ok(name) = self.call(class.value(), sym::NAME, &[])
            && let Some(name) = Str::from_value(name)
        {
            return format!("{kind} {}", name.to_text(self));
        }
        self.describe_receiver(value)
    }

    fn is_main_object(&self, value: Value) -> bool {
        self.vm().main_object() == value
    }

    /// A comparison that `<=>` could not decide.
    pub fn comparison_failed(&mut self, a: Value, b: Value) -> Unwind {
        let special = !b.is_heap() || self.is_float(b);
        let right = if special {
            match self.inspect(b) {
                Ok(text) => text.to_text(self),
                Err(unwind) => return unwind,
            }
        } else {
            self.describe_class(b)
        };
        let left = self.describe_class(a);
        self.argument_error(&format!("comparison of {left} with {right} failed"))
    }

    /// The exception that unwinds, unless it is a jump.
    pub fn pending_exception(&self) -> Option<Value> {
        let is_jump = self.pending.is_type(carat_layout::HeapType::Throw);
        (!is_jump).then_some(self.pending)
    }

    /// Whether what unwinds is an exception of `class`.
    pub fn is_unwinding_with(&self, class: Class) -> bool {
        self.pending_exception().is_some_and(|e| self.is_a(e, class))
    }
}
