//! What a method or proc tells of its code: parameters, how many arguments it takes, where it begins.

use carat_iseq::{Iseq, Params};
use carat_vm::{Array, Ec, EncodingIndex, SymbolId, Value, sym};
use std::sync::atomic::Ordering;

/// `parameters`: pairs of kind and name.
pub(crate) fn parameters_of(ec: &Ec, iseq: &Iseq, is_lambda: bool) -> Array {
    let (params, mut names) = (&iseq.params, iseq.parameter_names());
    let list = Array::new(ec, names.len());
    let encoding = EncodingIndex::find_by_name(iseq.flags.encoding_name().as_bytes()).unwrap_or(EncodingIndex::UTF_8);
    let required = if is_lambda { sym::REQ } else { sym::OPT };
    let mut push = |kind: SymbolId, name: &[u8]| {
        let pair = Array::from_slice(ec, &[Value::symbol(kind)]);
        if !name.is_empty() {
            pair.push(ec, Value::symbol(ec.vm().intern_bytes(name, encoding)));
        }
        list.push(ec, pair.value());
    };
    let mut take = |count: u16, kind: SymbolId, anonymous: &[u8], push: &mut dyn FnMut(SymbolId, &[u8])| {
        for _ in 0..count {
            let name = names.next().unwrap_or_default();
            push(kind, if name.is_empty() { anonymous } else { name });
        }
    };
    take(params.lead, required, b"", &mut push);
    take(params.optional(), sym::OPT, b"", &mut push);
    take(u16::from(params.has_rest), sym::REST, b"*", &mut push);
    take(params.post, required, b"", &mut push);
    for keyword in params.keywords.iter().filter(|k| k.required) {
        push(sym::KEYREQ, &keyword.name);
    }
    for keyword in params.keywords.iter().filter(|k| !k.required) {
        push(sym::KEY, &keyword.name);
    }
    let keywords = params.keywords.len() as u16;
    take(keywords, sym::KEY, b"", &mut |_, _| {});
    take(u16::from(params.has_keyword_rest), sym::KEYREST, b"**", &mut push);
    if iseq.notes.ruby2_keywords.load(Ordering::Relaxed) {
        push(sym::KEYREST, b"**");
    }
    if params.accepts_no_keywords {
        push(sym::NOKEY, b"");
    }
    take(u16::from(params.has_block), sym::BLOCK, b"&", &mut push);
    list
}

/// Least and greatest number of arguments; `None` for any number.
pub(crate) fn range_of(params: &Params) -> (i64, Option<i64>) {
    let required = i64::from(params.lead + params.post);
    let min = required + i64::from(params.keywords.iter().any(|k| k.required));
    let max = required + i64::from(params.optional()) + i64::from(params.takes_keywords());
    (min, (!params.has_rest).then_some(max))
}

/// File and line where code begins; none for code of the core library.
pub(crate) fn location(ec: &Ec, iseq: &Iseq) -> Option<Array> {
    if iseq.flags.is_core {
        return None;
    }
    let file = ec.path_str(iseq.path()).value();
    Some(Array::pair(ec, file, Value::fixnum_unchecked(i64::from(iseq.first_line))))
}

/// The parameter of a writer that `Struct` made.
pub(crate) fn member_parameters(ec: &Ec) -> Array {
    let pair = Array::new(ec, 2);
    pair.push(ec, Value::symbol(ec.vm().intern("req")));
    pair.push(ec, Value::symbol(ec.vm().intern("_")));
    Array::from_slice(ec, &[pair.value()])
}

/// The parameters of core code, of which only the number is told.
pub(crate) fn nameless_parameters(ec: &Ec, arity: i64) -> Array {
    let list = Array::new(ec, 2);
    let nameless = |kind: SymbolId| Array::from_slice(ec, &[Value::symbol(kind)]).value();
    let required = if arity < 0 { -arity - 1 } else { arity };
    (0..required).for_each(|_| list.push(ec, nameless(sym::REQ)));
    if arity < 0 {
        list.push(ec, nameless(sym::REST));
    }
    list
}
