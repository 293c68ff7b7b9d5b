//! `Encoding::UndefinedConversionError`, `InvalidByteSequenceError` and `ConverterNotFoundError`.

use carat_text::coderange::CodeRange;
use carat_text::transcode::TranscodeError;
use carat_vm::{Ec, EncodingIndex, Str, SymbolId, Unwind, Value, methods};

methods! {
    /// Of both errors that name encodings.
    ENDS {
        "source_encoding_name" => source_name;
        "destination_encoding_name" => destination_name;
        "source_encoding" => source;
        "destination_encoding" => destination;
    }
    UNDEFINED {
        "error_char" => error_bytes;
    }
    INVALID {
        "error_bytes" => error_bytes;
        "readagain_bytes" => readagain_bytes;
        "incomplete_input?" => is_incomplete;
    }
}

pub(super) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    for class in [known.undefined_conversion_error, known.invalid_byte_sequence_error] {
        class.define_methods(ec, ENDS);
    }
    known.undefined_conversion_error.define_methods(ec, UNDEFINED);
    known.invalid_byte_sequence_error.define_methods(ec, INVALID);
}

fn field(ec: &Ec, this: Value, name: &str) -> Value {
    ec.field(this, ec.vm().intern(name)).unwrap_or(Value::NIL)
}

fn source_name(ec: &mut Ec, this: Value) -> Value {
    field(ec, this, "__source_name")
}

fn destination_name(ec: &mut Ec, this: Value) -> Value {
    field(ec, this, "__destination_name")
}

fn source(ec: &mut Ec, this: Value) -> Value {
    field(ec, this, "__source")
}

fn destination(ec: &mut Ec, this: Value) -> Value {
    field(ec, this, "__destination")
}

fn error_bytes(ec: &mut Ec, this: Value) -> Value {
    field(ec, this, "__error_bytes")
}

fn readagain_bytes(ec: &mut Ec, this: Value) -> Value {
    field(ec, this, "__readagain_bytes")
}

fn is_incomplete(ec: &mut Ec, this: Value) -> Value {
    field(ec, this, "__incomplete")
}

/// Raises what a conversion met.
pub(crate) fn raise_transcode(ec: &mut Ec, error: &TranscodeError) -> Unwind {
    let exception = exception(ec, error);
    ec.raise(exception)
}

/// The exception object of a failed conversion.
pub(crate) fn exception(ec: &mut Ec, error: &TranscodeError) -> Value {
    let known = ec.vm().known();
    let message = error.message();
    match error {
        TranscodeError::ConverterNotFound { .. } => ec.new_exception(known.converter_not_found_error, &message),
        TranscodeError::Invalid { source, destination, error_bytes, readagain_bytes, is_incomplete } => {
            let exception = ec.new_exception(known.invalid_byte_sequence_error, &message);
            set_ends(ec, exception, *source, *destination);
            set_bytes(ec, exception, "__error_bytes", error_bytes, EncodingIndex::ASCII_8BIT);
            if !is_incomplete {
                set_bytes(ec, exception, "__readagain_bytes", readagain_bytes, EncodingIndex::ASCII_8BIT);
            }
            ec.set_field(exception, ec.vm().intern("__incomplete"), Value::bool(*is_incomplete));
            exception
        }
        TranscodeError::Undefined { source, destination, error_bytes, .. } => {
            let exception = ec.new_exception(known.undefined_conversion_error, &message);
            set_ends(ec, exception, *source, *destination);
            set_bytes(ec, exception, "__error_bytes", error_bytes, *source);
            exception
        }
    }
}

fn set_ends(ec: &Ec, exception: Value, source: EncodingIndex, destination: EncodingIndex) {
    let set = |name: &str, value: Value| {
        let name: SymbolId = ec.vm().intern(name);
        ec.set_field(exception, name, value);
    };
    set("__source", super::object(ec, source));
    set("__destination", super::object(ec, destination));
    set("__source_name", Str::from_ascii(ec, source.name().as_bytes()).value());
    set("__destination_name", Str::from_ascii(ec, destination.name().as_bytes()).value());
}

fn set_bytes(ec: &Ec, exception: Value, name: &str, bytes: &[u8], encoding: EncodingIndex) {
    let text = Str::new(ec, bytes, encoding, CodeRange::Unknown);
    ec.set_field(exception, ec.vm().intern(name), text.value());
}
