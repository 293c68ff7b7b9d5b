//! The native half of the library error_highlight: which part of a file an error is about.

use super::location::Line;
use crate::control::compile_options::frozen_string_literal;
use carat_compile::{Options, Place, Point, Spot};
use carat_iseq::Iseq;
use carat_vm::backtrace::Location;
use carat_vm::{Array, CodeRange, Data, Ec, EncodingIndex, Name, Str, Value, methods};

methods! {
    MODULE { static "locate" => locate; }
}

pub(crate) fn init(ec: &mut Ec) {
    if let Some(module) = ec.vm().known().object.nested(ec, "ErrorHighlight") {
        module.define_methods(ec, MODULE);
    }
}

/// `ErrorHighlight.locate(location, points_at_arguments, name)`: the file's text, then the first and last line and column of
/// the part; nil if there is none, or the file is not what was loaded.
fn locate(
    ec: &mut Ec,
    _this: Value,
    location: Data<Line>,
    points_at_arguments: bool,
    name: Option<Name>,
) -> Option<Array> {
    let location = location.get(ec).location(ec).clone();
    let name = name.map(|name| ec.vm().symbol_name(name.0).bytes.to_vec());
    let point = if points_at_arguments { Point::Arguments } else { Point::Name(name.as_deref()) };
    let place = Place { iseq: &location.iseq.iseq, word: location.word };
    let (source, spot) = again(ec, &location, |source, options| carat_compile::spot(source, options, place, point))?;
    let spot = spot?;
    let list = Array::new(ec, 5);
    list.push(ec, Str::new(ec, &source, EncodingIndex::UTF_8, CodeRange::Unknown).value());
    for number in [spot.first_line, spot.first_column, spot.last_line, spot.last_column] {
        list.push(ec, Value::len(number));
    }
    Some(list)
}

/// The names of the locals where an error was raised.
pub(super) fn local_names(ec: &Ec, location: &Location) -> Vec<Box<[u8]>> {
    let iseq: &Iseq = &location.iseq.iseq;
    let own = iseq.locals().map(|local| local.name).filter(|name| !name.is_empty()).map(Box::from);
    let outer = again(ec, location, |source, options| carat_compile::outer_locals(source, options, iseq));
    own.chain(outer.map(|(_, names)| names).unwrap_or_default()).collect()
}

/// The part of its file that an iseq is the code of.
pub(crate) fn extent(ec: &Ec, iseq: &Iseq) -> Option<Spot> {
    read_again(ec, iseq, iseq.path(), |source, options| carat_compile::extent(source, options, iseq))?.1
}

/// Reads a location's file once more, as it was read when it was loaded.
fn again<T: Send>(
    ec: &Ec,
    location: &Location,
    read: impl FnOnce(&[u8], &Options<'_>) -> T + Send,
) -> Option<(Vec<u8>, T)> {
    read_again(ec, &location.iseq.iseq, location.path(), read)
}

/// What a file was read for once more, and its text.
fn read_again<T: Send>(
    ec: &Ec,
    iseq: &Iseq,
    path: &str,
    read: impl FnOnce(&[u8], &Options<'_>) -> T + Send,
) -> Option<(Vec<u8>, T)> {
    let path = crate::system::load::absolute_path_of(ec, path)?;
    let source = crate::system::load::text_of(ec, &path)?;
    let options = Options {
        frozen_string_literal: frozen_string_literal(ec),
        // Blocks are named after the code around them.
        coverage: iseq.unit().counts().map(|counts| counts.targets),
        name: iseq.name().ends_with(b"<main>").then_some(b"<main>"),
        ..Options::file(iseq.path())
    };
    let done = crate::system::load::with_stack(&source, ec.native_stack_left(), || read(&source, &options))?;
    Some((source, done))
}
