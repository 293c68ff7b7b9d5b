//! `String()`, `Array()`, `Hash()` and other small functions.

use carat_vm::{Array, Ec, Hash, Result, Str, Value, methods, sym};

methods! {
    METHODS {
        module_function "String" => string;
        module_function "Array" => array;
        module_function "Hash" => hash;
        module_function "test" => test;
    }
}

fn string(ec: &mut Ec, _this: Value, value: Value) -> Result {
    if let Some(string) = ec.check_string(value)? {
        return Ok(string.value());
    }
    let Some(result) = ec.try_convert(value, sym::TO_S)? else {
        let class = ec.describe_for_type_error(value);
        return Err(ec.type_error(&format!("can't convert {class} into String")));
    };
    if Str::from_value(result).is_none() {
        let (class, given) = (ec.describe_for_type_error(value), ec.describe_for_type_error(result));
        return Err(ec.type_error(&format!("can't convert {class} to String ({class}#to_s gives {given})")));
    }
    Ok(result)
}

fn array(ec: &mut Ec, _this: Value, value: Value) -> Result {
    if let Some(array) = ec.check_array(value)? {
        return Ok(array.value());
    }
    match ec.try_convert(value, sym::TO_A)? {
        None | Some(Value::NIL) if !value.is_nil() => Ok(Array::from_slice(ec, &[value]).value()),
        None | Some(Value::NIL) => Ok(Array::new(ec, 0).value()),
        Some(result) if Array::from_value(result).is_some() => Ok(result),
        Some(result) => {
            let (class, given) = (ec.describe_for_type_error(value), ec.describe_for_type_error(result));
            Err(ec.type_error(&format!("can't convert {class} to Array ({class}#to_a gives {given})")))
        }
    }
}

fn hash(ec: &mut Ec, _this: Value, value: Value) -> Result {
    if value.is_nil() || Array::from_value(value).is_some_and(|a| a.is_empty(ec)) {
        return Ok(Hash::new(ec).value());
    }
    match ec.check_hash(value)? {
        Some(hash) => Ok(hash.value()),
        None => {
            let class = ec.class_of(value).real().to_text(ec);
            Err(ec.type_error(&format!("can't convert {class} into Hash")))
        }
    }
}

/// `test(?e, "file")`: the question named by a character, asked of `File`.
fn test(ec: &mut Ec, _this: Value, question: Value, first: Value, second: Option<Value>) -> Result {
    let character = match Str::from_value(question) {
        Some(s) => s.bytes(ec).first().copied().unwrap_or(0),
        None => ec.to_long(question)? as u8,
    };
    let method = match character {
        b'e' => "exist?",
        b'f' => "file?",
        b'd' => "directory?",
        b'r' | b'R' => "readable?",
        b'w' | b'W' => "writable?",
        b'x' | b'X' => "executable?",
        b's' => "size?",
        b'z' => "zero?",
        b'l' => "symlink?",
        b'p' => "pipe?",
        b'S' => "socket?",
        b'M' => "mtime",
        b'A' => "atime",
        b'C' => "ctime",
        b'-' => "identical?",
        other => {
            return Err(ec.argument_error(&format!("unknown command '{}'", char::from(other))));
        }
    };
    let (file, method) = (ec.vm().known().file.value(), ec.vm().intern(method));
    match second {
        Some(second) => ec.call(file, method, &[first, second]),
        None => ec.call(file, method, &[first]),
    }
}
