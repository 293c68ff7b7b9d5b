//! `RubyVM::YJIT`, under whose name programs ask for the compiler.

use carat_vm::{Class, Ec, Hash, Jit, Rest, Result, Value, methods};

methods! {
    METHODS {
        static "enabled?" => is_enabled;
        static "enable" => enable;
        static "runtime_stats" => runtime_stats;
    }
}

/// `outer` is `RubyVM`.
pub(crate) fn init(ec: &mut Ec, outer: Class) {
    let module = ec.new_module();
    outer.set_constant(ec, ec.vm().intern("YJIT"), module.value());
    module.define_methods(ec, METHODS);
}

fn is_enabled(ec: &mut Ec, _this: Value) -> bool {
    ec.vm().config.jit != Jit::Off
}

/// Whether that turned it on, which is decided when the process starts: false.
fn enable(_ec: &mut Ec, _this: Value, _options: Rest) -> bool {
    false
}

/// All figures, or the one that is named; nil where nothing is compiled.
fn runtime_stats(ec: &mut Ec, _this: Value, args: Rest) -> Result {
    if !is_enabled(ec, Value::NIL) {
        return Ok(Value::NIL);
    }
    let figures = ec.machine_code_figures();
    let named = args.get(0).and_then(Value::as_symbol);
    if let Some(name) = named {
        let text = ec.vm().symbol_text(name).to_string();
        let found = figures.iter().find(|(figure, _)| *figure == text);
        return Ok(found.map_or(Value::NIL, |(_, count)| Value::len(*count)));
    }
    let hash = Hash::new(ec);
    for (name, count) in figures {
        hash.store(ec, Value::symbol(ec.vm().intern(name)), Value::len(count))?;
    }
    Ok(hash.value())
}
