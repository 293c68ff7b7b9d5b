//! What `-n` and `-p` add to `Kernel`: `sub`, `gsub`, `chop` and `chomp` of `$_`.

use carat_vm::call::Passing;
use carat_vm::{Args, Array, Ec, Result, Str, Value, methods};

methods! {
    METHODS {
        module_function "sub" => sub;
        module_function "gsub" => gsub;
        module_function "chop" => chop;
        module_function "chomp" => chomp;
    }
}

/// Defines the methods; the command line asks for it.
pub fn define_line_methods(ec: &mut Ec) {
    ec.vm().known().kernel.define_methods(ec, METHODS);
}

fn sub(ec: &mut Ec, _this: Value, args: Args) -> Result {
    change(ec, "sub", args)
}

fn gsub(ec: &mut Ec, _this: Value, args: Args) -> Result {
    change(ec, "gsub", args)
}

fn chop(ec: &mut Ec, _this: Value, args: Args) -> Result {
    change(ec, "chop", args)
}

fn chomp(ec: &mut Ec, _this: Value, args: Args) -> Result {
    change(ec, "chomp", args)
}

/// Puts what the String method gives in place of `$_`.
fn change(ec: &mut Ec, name: &str, args: Args) -> Result {
    let line = ec.last_line();
    if Str::from_value(line).is_none() {
        let given = ec.describe_for_type_error(line);
        return Err(ec.type_error(&format!("$_ value need to be String ({given} given)")));
    }
    let list = Array::new(ec, args.len());
    (0..args.len()).filter_map(|i| args.get(i)).for_each(|v| list.push(ec, v));
    let block = ec.block().map(|b| b.to_proc(ec));
    let name = ec.vm().intern(name);
    let changed = ec.call_with_array(line, name, list, Passing { keywords: None, block })?;
    ec.set_last_line(changed);
    Ok(changed)
}
