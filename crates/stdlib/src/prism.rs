//! The native half of `lib/prism`, and what `lib/ripper` shares with it: what the parser says of a source in bytes, and its tree as
//! objects.

mod nodes;

use carat_vm::prism::{Demand, Options};
use carat_vm::{Array, CodeRange, Ec, EncodingIndex, Result, Str, Value, methods, prism};

pub(crate) use nodes::read;

/// Each kind of node in the parser's order, with the group of its flags and its fields. Letters in front of these: `!` the group, N node, n node or nil,
/// a nodes, l place, o place or nil, x place that is read over, c name, d name or nil, C names, s text, i integer, f float, u number, b byte.
const FIELDS: &str = include_str!("prism/fields.txt");

methods! {
    PRISM {
        static "__serialize" => serialize;
        static "__nodes" => read;
        static "__fields" => fields;
    }
}

/// From so many bytes on a source is read on a thread of its own, while others take their turns.
const LARGE: usize = 128 * 1024;
/// The parser goes down a thousand levels.
const STACK_BYTES: usize = 16 << 20;

/// `require "prism/prism.so"`
pub(crate) fn init(ec: &mut Ec) {
    if let Some(module) = ec.vm().known().object.nested(ec, "Prism") {
        module.define_methods(ec, PRISM);
    }
}

/// `Prism.__fields`: the kinds of nodes and their fields.
pub(crate) fn fields(ec: &mut Ec, _this: Value) -> Str {
    Str::from_ascii(ec, FIELDS.as_bytes())
}

/// `Prism.__serialize(demand, source, path, line, encoding, switches, scopes)`. The demand is 0 for the tree, 1 for tokens, 2 for tokens and tree, 3 for
/// comments, 4 for whether there are no errors. Of `switches` each byte is an option; `scopes` are arrays of the names of locals, after what they forward.
#[expect(clippy::too_many_arguments, reason = "a native method has a parameter for each argument")]
fn serialize(
    ec: &mut Ec,
    _this: Value,
    demand: i64,
    source: Str,
    path: Str,
    line: i64,
    encoding: Str,
    switches: Str,
    scopes: Array,
) -> Result<Str> {
    let demand = match demand {
        0 => Demand::Tree,
        1 => Demand::Tokens,
        2 => Demand::TokensAndTree,
        3 => Demand::Comments,
        _ => Demand::Success,
    };
    let mut given = [0; 8];
    given.iter_mut().zip(switches.bytes(ec)).for_each(|(to, from)| *to = *from);
    let mut list = Vec::new();
    for scope in scopes.slice_of(ec).to_vec() {
        let names = Array::from_value(scope).map(|scope| scope.slice_of(ec).to_vec()).unwrap_or_default();
        let mut names = names.into_iter();
        let forwarding = names.next().and_then(Value::as_fixnum).unwrap_or(0);
        let names = names.filter_map(Str::from_value).map(|name| name.bytes(ec).to_vec()).collect();
        list.push((u8::try_from(forwarding).unwrap_or(0), names));
    }
    let options = Options {
        path: path.bytes(ec).to_vec(),
        first_line: i32::try_from(line).unwrap_or(1),
        encoding: encoding.bytes(ec).to_vec(),
        switches: given,
        scopes: list,
    };
    run(ec, demand, source, options)
}

/// Lets the parser work on a copy of a source.
pub(crate) fn run(ec: &mut Ec, demand: Demand, source: Str, options: Options) -> Result<Str> {
    let text = source.bytes(ec).to_vec();
    let work = move || prism::serialize(demand, &text, &options);
    let is_large = source.len(ec) >= LARGE;
    let bytes = if is_large { ec.beside("prism", STACK_BYTES, work)?.unwrap_or_default() } else { work() };
    Ok(Str::new(ec, &bytes, EncodingIndex::BINARY, CodeRange::Unknown))
}
