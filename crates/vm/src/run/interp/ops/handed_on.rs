//! `send`, `Method#call` and their other names with plain arguments, or with one list behind these, where what they lead to is
//! native or has these as parameters as they stand: it is called as if it stood at the site. In all other cases the call is bound anew.
//!
//! The target of such a cell is the entry of `send` or `call`.

use super::bind::{Fit, NOT_AS_IS, NOT_PLAIN, fit_of, passed_words, place_optional, splat_size};
use super::call::push_frame_words;
use super::handler;
use crate::ec::Ec;
use crate::model::class::Visibility;
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::symbol::sym;
use crate::run::code::CodeData;
use crate::run::frame::Fp;
use crate::run::interp::enter::{Return, write_header};
use crate::run::interp::{dispatch, publish, slow};
use crate::run::native::Args;
use crate::value::array::Array;
use crate::value::method_object::MethodObject;
use carat_layout::Value;

/// Arguments that a site gives.
#[inline(always)]
unsafe fn argc_of(pc: *const carat_iseq::Insn, fp: *mut Value) -> usize {
    // SAFETY: the running frame's instruction, which is a call.
    unsafe { usize::from(Fp(fp).code().linked().call_site(usize::from((*pc).c)).argc) }
}

/// The code of a method in Ruby that takes so many arguments as they stand.
pub(super) fn plain_code(ec: &Ec, entry: &MethodEntry, argc: usize) -> Option<&'static CodeData> {
    let entry = entry.resolved(ec);
    let code = matches!(entry.kind, MethodKind::Iseq(_)).then(|| entry.code(ec))?;
    (code.is_simple && usize::from(code.lead) == argc).then_some(code)
}

/// The code of a method that is native or in Ruby, and so many arguments are parameters as they stand.
fn direct_code(ec: &Ec, entry: &MethodEntry, argc: usize) -> Option<&'static CodeData> {
    let entry = entry.resolved(ec);
    match entry.kind {
        MethodKind::Native(..) => Some(entry.code(ec)),
        MethodKind::Iseq(_) => {
            let code = entry.code(ec);
            (code.is_simple && usize::from(code.lead) == argc || fit_of(code, argc) == Some(Fit::InPlace))
                .then_some(code)
        }
        _ => None,
    }
}

/// The method that a name leads to which is sent.
fn method_sent(ec: &Ec, receiver: Value, name: Value, is_public: bool) -> Option<&MethodEntry> {
    let name = name.as_symbol().filter(|name| !ec.vm().may_be_refined(*name))?;
    ec.find_method(receiver, name).filter(|entry| !is_public || entry.visibility == Visibility::Public)
}

/// Its code, if it is such a method.
#[inline(never)]
fn sent(ec: &Ec, receiver: Value, name: Value, argc: usize, is_public: bool) -> Option<&'static CodeData> {
    direct_code(ec, method_sent(ec, receiver, name, is_public)?, argc)
}

/// Reads or writes the attribute that a name leads to, the first of so many arguments in a window, if nothing speaks against it.
#[inline(never)]
unsafe fn sent_attribute(ec: &Ec, base: Fp, argc: usize, is_public: bool) -> Option<Value> {
    // SAFETY: the window has the arguments.
    unsafe {
        let receiver = base.reg(0);
        let entry = method_sent(ec, receiver, base.reg(1), is_public).filter(|_| !ec.traces_steps())?;
        match entry.resolved(ec).kind {
            MethodKind::AttrReader(field) if argc == 1 && ec.is_main_ractor() => {
                Some(ec.read_attribute(receiver, field))
            }
            MethodKind::AttrWriter(field) if argc == 2 => {
                ec.write_attribute_at_once(receiver, field, base.reg(2)).then(|| base.reg(2))
            }
            _ => None,
        }
    }
}

/// The code of a native method that a name leads to, the first of so many arguments in a window, from which it is taken then.
///
/// # Safety
/// The window is the running frame's, and has the arguments.
pub(crate) unsafe fn sent_native(ec: &Ec, base: Fp, argc: usize, is_public: bool) -> Option<&'static CodeData> {
    // SAFETY: by contract.
    unsafe {
        let code = sent(ec, base.reg(0), base.reg(1), argc - 1, is_public).filter(|code| code.native.is_some())?;
        (1..argc).for_each(|at| base.set_reg(at, base.reg(at + 1)));
        Some(code)
    }
}

/// Whether the frame of the code fits, with so many words that the arguments take.
unsafe fn fits(ec: &Ec, code: &CodeData, base: Fp, words: usize) -> bool {
    // SAFETY: the place is compared alone.
    ec.may_enter(unsafe { base.0.add(usize::from(code.frame_size).max(words)) })
}

/// Calls the code with the arguments in a window and a block's words, native or not. Ends the handler.
macro_rules! call_directly {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $base:ident, $argc:expr) => {
        call_directly!($pc, $fp, $ec, $caches, $code, $base, $argc, 0, 0)
    };
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $code:ident, $base:ident, $argc:expr, $block:expr, $block_env:expr) => {{
        let argc: usize = $argc;
        let Some(function) = $code.native else {
            if $code.is_simple {
                push_frame_words($code, $base, $pc.add(1), $fp, $block, $block_env, 1 + argc);
                return dispatch($code.start.get(), $base.0, $ec, $code.caches);
            }
            let entry = place_optional($ec, $code, $base, argc, $block);
            push_frame_words($code, $base, $pc.add(1), $fp, $block, $block_env, usize::from($code.local_size));
            return dispatch($code.start_from(&*$ec, entry), $base.0, $ec, $code.caches);
        };
        write_header($base, $code, Return { pc: $pc.add(1), fp: Fp($fp) }, $block, $block_env);
        publish($ec, $pc.add(1), $base.0, $base.0.add(1 + argc));
        match function(&mut *$ec, Args::new($base, argc, false)) {
            Ok(value) => {
                *$fp.add(usize::from((*$pc).a)) = value;
                dispatch($pc.add(1), $fp, $ec, $caches)
            }
            Err(_) => {
                publish($ec, $pc.add(1), $fp, $base.0);
                slow::unwind($pc, $fp, $ec, $caches)
            }
        }
    }};
}

macro_rules! enter_sent {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $is_public:expr) => {{
        let base = Fp($fp.add(usize::from((*$pc).b)));
        let argc = argc_of($pc, $fp);
        match sent(&*$ec, base.reg(0), base.reg(1), argc - 1, $is_public) {
            Some(code) if fits(&*$ec, code, base, 1 + argc) => {
                (1..argc).for_each(|at| base.set_reg(at, base.reg(at + 1)));
                call_directly!($pc, $fp, $ec, $caches, code, base, argc - 1)
            }
            Some(_) => slow::invoke_bound($pc, $fp, $ec, $caches),
            None => match sent_attribute(&*$ec, base, argc, $is_public) {
                Some(value) => {
                    *$fp.add(usize::from((*$pc).a)) = value;
                    dispatch($pc.add(1), $fp, $ec, $caches)
                }
                None => slow::invoke_bound($pc, $fp, $ec, $caches),
            },
        }
    }};
}

handler!(#[inline(never)] invoke_send(pc, fp, ec, caches) {
    enter_sent!(pc, fp, ec, caches, false)
});

handler!(#[inline(never)] invoke_public_send(pc, fp, ec, caches) {
    enter_sent!(pc, fp, ec, caches, true)
});

macro_rules! enter_sent_list {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $is_public:expr) => {{
        let base = Fp($fp.add(usize::from((*$pc).b)));
        let (lead, argc) = (argc_of($pc, $fp) - 1, splat_size(&*$ec, $pc, $fp));
        let (block, block_env) = passed_words(&*$ec, $pc, $fp);
        if argc == NOT_PLAIN || argc == 0 || block == NOT_AS_IS {
            return slow::invoke_bound($pc, $fp, $ec, $caches);
        }
        let list = Array::from_value_unchecked(base.reg(1 + lead)).slice_of(&*$ec);
        let name = if lead == 0 { list[0] } else { base.reg(1) };
        // `lambda` sees whether its block is a literal.
        let found = Some(name).filter(|name| block == 0 || name.as_symbol() != Some(sym::LAMBDA));
        match found.and_then(|name| sent(&*$ec, base.reg(0), name, argc - 1, $is_public)) {
            Some(code) if fits(&*$ec, code, base, 1 + argc) => {
                (1..lead).for_each(|at| base.set_reg(at, base.reg(at + 1)));
                let skipped = usize::from(lead == 0);
                list[skipped..].iter().enumerate().for_each(|(at, value)| base.set_reg(lead + skipped + at, *value));
                call_directly!($pc, $fp, $ec, $caches, code, base, argc - 1, block, block_env)
            }
            _ => slow::invoke_bound($pc, $fp, $ec, $caches),
        }
    }};
}

handler!(#[inline(never)] invoke_send_splat(pc, fp, ec, caches) {
    enter_sent_list!(pc, fp, ec, caches, false)
});

handler!(#[inline(never)] invoke_public_send_splat(pc, fp, ec, caches) {
    enter_sent_list!(pc, fp, ec, caches, true)
});

/// The receiver of a method object, and the code of its method if that is native or takes so many arguments as they stand.
#[inline(never)]
fn method_of(ec: &Ec, object: Value, argc: usize) -> Option<(Value, &'static CodeData)> {
    let (receiver, entry, _) = crate::Data::<MethodObject>::from_value(object)?.get(ec).target();
    Some((receiver, direct_code(ec, MethodEntry::from_value(ec, entry)?, argc)?))
}

handler!(#[inline(never)] invoke_method_object(pc, fp, ec, caches) {
    let base = Fp(fp.add(usize::from((*pc).b)));
    let argc = argc_of(pc, fp);
    let Some((receiver, code)) = method_of(&*ec, base.reg(0), argc) else {
        return slow::invoke_bound(pc, fp, ec, caches);
    };
    if !fits(&*ec, code, base, 1 + argc) {
        return slow::invoke_bound(pc, fp, ec, caches);
    }
    base.set_reg(0, receiver);
    call_directly!(pc, fp, ec, caches, code, base, argc)
});
