//! `Thread::Backtrace` and `Thread::Backtrace::Location`.

use carat_sync::OnceLock;
use carat_vm::backtrace::{self, Backtrace, Location};
use carat_vm::{Array, Class, Data, Ec, NativeData, Result, Str, Value, methods, sym};

methods! {
    BACKTRACE {
        static "limit" => limit;
    }
    METHODS {
        "path" => path;
        "absolute_path" => absolute_path;
        "lineno" => lineno;
        "label" => label;
        "base_label" => base_label;
        "to_s" => to_s;
        "inspect" => inspect;
    }
}

/// A line of a backtrace as an object. It is a frame until somebody asks for what it says.
pub(super) struct Line {
    frame: Option<backtrace::Line>,
    known: OnceLock<Location>,
}

impl Line {
    fn of_frame(frame: backtrace::Line) -> Line {
        Line { frame: Some(frame), known: OnceLock::new() }
    }

    fn of_location(location: Location) -> Line {
        Line { frame: None, known: OnceLock::from(location) }
    }

    pub(super) fn location(&self, ec: &Ec) -> &Location {
        self.known.get_or_init(|| self.frame.expect("a line is a frame or a location").locate(ec))
    }

    fn path(&self, ec: &Ec) -> &str {
        self.frame.as_ref().map_or_else(|| self.location(ec).path(), backtrace::Line::path)
    }

    fn line_number(&self, ec: &Ec) -> i32 {
        self.frame.as_ref().map_or_else(|| self.location(ec).line, backtrace::Line::line_number)
    }
}

impl NativeData for Line {
    const NAME: &'static str = "frame_info";
    const IS_IMMUTABLE: bool = true;

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        if let Some(frame) = self.frame {
            frame.mark(mark);
        }
    }
}

pub(super) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    let backtrace = ec.new_class(known.object);
    backtrace.set_allocator(None);
    super::set_class_constant(ec, known.thread, "Backtrace", backtrace);
    backtrace.define_methods(ec, BACKTRACE);
    let location = ec.new_class(known.object);
    location.set_allocator(None);
    crate::number::integer::undefine_new(ec, location);
    super::set_class_constant(ec, backtrace, "Location", location);
    location.define_methods(ec, METHODS);
    ec.vm().keep(location.value());
    let _ = ec.vm().extension::<Known>().0.set(location);
}

/// How many lines of a backtrace are reported, of `--backtrace-limit`; -1 is all.
fn limit(ec: &mut Ec, _class: Value) -> i64 {
    let limit = ec.vm().extension::<crate::system::settings::Settings>().backtrace_limit();
    limit.and_then(|lines| i64::try_from(lines).ok()).unwrap_or(-1)
}

/// `Thread::Backtrace::Location`, whatever the program does to the constant.
#[derive(Default)]
struct Known(OnceLock<Class>);

fn class(ec: &Ec) -> Class {
    ec.vm().extension_ref::<Known>().0.get().copied().unwrap_or(ec.vm().known().object)
}

pub(crate) fn to_array(ec: &Ec, locations: Vec<Location>) -> Array {
    array_of(ec, locations, Line::of_location)
}

pub(crate) fn frames_to_array(ec: &Ec, frames: Vec<backtrace::Line>) -> Array {
    array_of(ec, frames, Line::of_frame)
}

fn array_of<T>(ec: &Ec, lines: Vec<T>, made: fn(T) -> Line) -> Array {
    let class = class(ec);
    let array = Array::new(ec, lines.len());
    lines.into_iter().for_each(|line| array.push(ec, Data::new(ec, class, made(line)).value()));
    array
}

/// The innermost frame of a stored backtrace, native or made an array.
pub(super) fn innermost(ec: &Ec, stored: Value) -> Option<Location> {
    if let Some(native) = Data::<Backtrace>::from_value(stored) {
        return native.get(ec).lines(ec).first().map(|line| line.locate(ec));
    }
    let line = Array::from_value(stored).and_then(|array| array.get(ec, 0))?;
    Data::<Line>::from_value(line).map(|line| line.get(ec).location(ec).clone())
}

pub(crate) fn is_location(value: Value) -> bool {
    Data::<Line>::from_value(value).is_some()
}

/// The line as backtraces print it.
pub(crate) fn text(ec: &Ec, value: Value) -> String {
    Data::<Line>::from_value(value).map(|line| line.get(ec).location(ec).to_text()).unwrap_or_default()
}

fn path(ec: &mut Ec, this: Data<Line>) -> Str {
    let text = this.get(ec).path(ec).to_string();
    ec.path_str(&text)
}

/// The file's real path; nil for code of `eval`.
fn absolute_path(ec: &mut Ec, this: Data<Line>) -> Option<Str> {
    let path = this.get(ec).path(ec).to_string();
    crate::system::load::absolute_path_of(ec, &path).map(|p| ec.path_str(&p))
}

fn lineno(ec: &mut Ec, this: Data<Line>) -> i64 {
    i64::from(this.get(ec).line_number(ec))
}

fn label(ec: &mut Ec, this: Data<Line>) -> Str {
    let text = this.get(ec).location(ec).label.clone();
    Str::from_text(ec, &text)
}

fn base_label(ec: &mut Ec, this: Data<Line>) -> Str {
    let text = this.get(ec).location(ec).base_label.clone();
    Str::from_text(ec, &text)
}

fn to_s(ec: &mut Ec, this: Data<Line>) -> Str {
    let text = this.get(ec).location(ec).to_text();
    Str::from_text(ec, &text)
}

fn inspect(ec: &mut Ec, this: Data<Line>) -> Result {
    let text = to_s(ec, this);
    ec.call(text.value(), sym::INSPECT, &[])
}
