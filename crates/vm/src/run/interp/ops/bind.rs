//! Calls of methods with more than required parameters whose arguments fit, and calls that pass a block on.
//!
//! What is known of site and method together is worked out when the cell is filled: see [`fit_of`] and [`KeywordCall`].

use super::basic::reg;
use super::call::{literal_block_word, push_frame_words};
use super::handler;
use crate::ec::Ec;
use crate::model::symbol::sym;
use crate::run::code::CodeData;
use crate::run::frame::{self, Fp};
use crate::run::interp::{dispatch, slow};
use crate::run::link::CallSite;
use crate::value::array::Array;
use crate::value::hash::Hash;
use carat_iseq::CallFlags;
use carat_layout::{SymbolId, Value};
use std::sync::atomic::Ordering;

/// Keywords that one plan covers.
const MOST_KEYWORDS: usize = 8;
/// A parameter's place in the plan that no argument is for.
const NOT_GIVEN: u8 = u8::MAX;

/// How the values of a site's keywords come into the parameters of a method.
pub(crate) struct KeywordCall {
    code: *const CodeData,
    /// That of `initialize` when the plan was made.
    epoch: u32,
    /// Which of the site's keywords each parameter takes.
    sources: [u8; MOST_KEYWORDS],
    /// Register of the first keyword parameter.
    first: u16,
    /// Register of the first value; those between the two are of optional parameters that become nil.
    values: u16,
    /// Where the method begins.
    word: u32,
    count: u16,
    given: u16,
    /// First register that becomes nil.
    locals_from: u16,
    /// Every value is in its place already.
    is_in_place: bool,
}

impl KeywordCall {
    /// The plan for a method whose parameters are required and optional positionals, keywords and at most a block, if a site gives
    /// just those and none that it has not.
    pub(crate) fn plan(ec: &Ec, code: &CodeData, site: &CallSite) -> Option<KeywordCall> {
        let linked = code.linked();
        let params = &linked.iseq.params;
        let is_fit = !params.has_rest && params.post == 0 && !params.has_keyword_rest;
        let names: &[SymbolId] = &linked.keywords;
        let flags = CallFlags(site.flags.0 & !(CallFlags::KEYWORDS | CallFlags::FCALL | CallFlags::VCALL));
        let is_plain = site.flags.has(CallFlags::KEYWORDS) && flags.0 == 0 && site.block.is_none();
        let takes = params.lead..=params.lead + params.optional();
        if !is_fit
            || !is_plain
            || !takes.contains(&site.argc)
            || names.len() > MOST_KEYWORDS
            || params.keywords.is_empty()
        {
            return None;
        }
        let mut sources = [NOT_GIVEN; MOST_KEYWORDS];
        for (i, name) in site.keywords.iter().enumerate() {
            let place = names.iter().position(|n| n == name)?;
            // A name that a site gives twice is the general case's business.
            if sources[place] != NOT_GIVEN {
                return None;
            }
            sources[place] = i as u8;
        }
        let is_missing = |i: usize| params.keywords[i].required && sources[i] == NOT_GIVEN;
        if (0..names.len()).any(is_missing) {
            return None;
        }
        Some(KeywordCall {
            code,
            epoch: ec.vm().method_epoch(sym::INITIALIZE).load(Ordering::Acquire),
            sources,
            first: params.keyword_register(),
            values: 1 + site.argc,
            word: Places::of(code, usize::from(site.argc), false).entry as u32,
            count: names.len() as u16,
            given: site.keywords.len() as u16,
            locals_from: params.keyword_rest_register(),
            is_in_place: takes.end() == &site.argc && (0..names.len()).all(|i| usize::from(sources[i]) == i),
        })
    }

    /// The same for a `yield` to a block, which may take an array apart if it has optional parameters.
    pub(crate) fn plan_of_block(ec: &Ec, code: &CodeData, site: &CallSite) -> Option<KeywordCall> {
        let is_fit = code.linked().iseq.params.optional_entries.is_empty();
        is_fit.then(|| KeywordCall::plan(ec, code, site)).flatten()
    }

    /// Whether the plan of a `new` is for a constructor, found just now.
    pub(crate) fn is_for(&self, ec: &Ec, constructor: &CodeData) -> bool {
        let is_current = self.epoch == ec.vm().method_epoch(sym::INITIALIZE).load(Ordering::Relaxed);
        is_current && std::ptr::eq(self.code, constructor)
    }

    /// The same for the optimizing compiler.
    pub(crate) fn for_jit(&self) -> carat_jit::Bound {
        carat_jit::Bound {
            code: carat_jit::CodeId(self.code.expose_provenance() as u64),
            sources: self.sources,
            count: self.count as u8,
            given: self.given as u8,
            first: self.first,
            values: self.values,
            locals_from: self.values,
            rest: None,
            block: None,
            word: self.word,
        }
    }

    /// For the optimizing compiler, how a call begins that gives plain arguments alone, if they fit the method and it needs no hash.
    pub(crate) fn of_plain(code: &CodeData, argc: usize) -> Option<carat_jit::Bound> {
        let params = &code.linked().iseq.params;
        let has_hash = params.has_keyword_rest && !params.hides_keyword_rest;
        if params.keywords.len() > MOST_KEYWORDS || has_hash || fit_of(code, argc).is_none() {
            return None;
        }
        let taken = argc.min(usize::from(params.lead + params.optional()));
        let rest =
            carat_jit::Rest { register: params.rest_register(), from: 1 + taken as u16, count: (argc - taken) as u16 };
        Some(carat_jit::Bound {
            code: carat_jit::CodeId(std::ptr::from_ref(code).expose_provenance() as u64),
            sources: [carat_jit::Bound::NOT_GIVEN; MOST_KEYWORDS],
            count: params.keywords.len() as u8,
            given: 0,
            first: params.keyword_register(),
            values: 1 + argc as u16,
            locals_from: 1 + taken as u16,
            rest: params.has_rest.then_some(rest),
            block: params.has_block.then(|| params.block_register()),
            word: Places::of(code, taken, false).entry as u32,
        })
    }

    /// Moves the values. They are copied to behind the callee's registers first: the stack has room there.
    #[inline(always)]
    unsafe fn place(&self, base: Fp, frame_size: u16) {
        if self.is_in_place {
            return;
        }
        // SAFETY: the registers belong to the callee's frame, or to the reserve above it.
        unsafe {
            let (values, copies) = (base.0.add(usize::from(self.values)), base.0.add(usize::from(frame_size)));
            for i in 0..usize::from(self.given) {
                *copies.add(i) = *values.add(i);
            }
            for register in self.values..self.first {
                base.set_reg(usize::from(register), Value::NIL);
            }
            let keywords = base.0.add(usize::from(self.first));
            for i in 0..usize::from(self.count) {
                let source = *self.sources.get_unchecked(i);
                *keywords.add(i) = if source == NOT_GIVEN { Value::UNDEF } else { *copies.add(usize::from(source)) };
            }
        }
    }
}

handler!(invoke_keywords(pc, fp, ec, caches) {
    let call = &*((*caches.add(usize::from((*pc).c))).target as *const KeywordCall);
    let code = &*call.code;
    let base = Fp(fp.add(usize::from((*pc).b)));
    if !(*ec).may_enter(base.0.add(usize::from(code.frame_size))) {
        return slow::send_generic(pc, fp, ec, caches);
    }
    call.place(base, code.frame_size);
    push_frame_words(code, base, pc.add(1), fp, 0, 0, usize::from(call.locals_from));
    dispatch(code.start_from(&*ec, call.word as usize), base.0, ec, code.caches)
});

/// Puts the values of the keywords that a `yield` names into the registers of a block whose frame begins at its window; the first
/// register that becomes nil, or 0, with nothing done, if the frame has no room or the block takes anything but these keywords and
/// as many required parameters as there are arguments.
#[inline(never)]
pub(super) unsafe fn place_yielded_keywords(
    ec: &Ec,
    pc: *const carat_iseq::Insn,
    fp: *mut Value,
    code: &CodeData,
) -> usize {
    // SAFETY: the running instruction and its window.
    unsafe {
        let site = Fp(fp).code().linked().call_site(usize::from((*pc).c));
        let base = Fp(fp.add(usize::from((*pc).b)));
        let has_room = site.flags.has(CallFlags::KEYWORDS) && ec.may_enter(base.0.add(usize::from(code.frame_size)));
        let Some(call) = has_room.then(|| KeywordCall::plan_of_block(ec, code, site)).flatten() else { return 0 };
        call.place(base, code.frame_size);
        usize::from(call.locals_from)
    }
}

/// Whether keywords that a site names become one hash for the method of `code`, behind plain arguments that fit it.
pub(crate) fn takes_keyword_hash(code: &CodeData, site: &CallSite) -> bool {
    let linked = code.linked();
    let params = &linked.iseq.params;
    let others = CallFlags::SPLAT | CallFlags::KEYWORD_SPLAT | CallFlags::BLOCK_ARG;
    let is_plain = site.flags.has(CallFlags::KEYWORDS) && site.flags.0 & others == 0 && site.block.is_none();
    let as_argument = !params.takes_keywords() && !params.accepts_no_keywords && !linked.iseq.flags.ruby2_keywords;
    let as_rest = params.has_keyword_rest && params.keywords.is_empty();
    let argc = usize::from(site.argc) + usize::from(as_argument);
    is_plain && (as_argument || as_rest) && fit_of(code, argc).is_some()
}

handler!(invoke_keyword_hash(pc, fp, ec, caches) {
    let code = &*cached_code(pc, caches);
    let base = Fp(fp.add(usize::from((*pc).b)));
    // `ruby2_keywords` may come after the cell.
    let marks_hash = code.linked().passes_keywords_on();
    if marks_hash || !(*ec).may_enter(base.0.add(usize::from(code.frame_size))) {
        return slow::invoke_code_bound(pc, fp, ec, caches);
    }
    let site = Fp(fp).code().linked().call_site(usize::from((*pc).c));
    let entry = place_keyword_hash(ec, code, base, site);
    push_frame_words(code, base, pc.add(1), fp, 0, 0, usize::from(code.local_size));
    dispatch(code.start_from(&*ec, entry), base.0, ec, code.caches)
});

/// Makes the keywords of a site a hash, puts that where the method takes it, and says at which word to start. Out of line, as
/// [`place_arguments`] is.
#[inline(never)]
unsafe fn place_keyword_hash(ec: *mut Ec, code: &CodeData, base: Fp, site: &CallSite) -> usize {
    // SAFETY: by the caller.
    unsafe {
        let hash = named_keywords(&*ec, base, site);
        let mut argc = usize::from(site.argc);
        let rest = code.linked().iseq.params.has_keyword_rest.then_some(hash);
        if rest.is_none() {
            argc += 1;
            base.set_reg(argc, hash.value());
        }
        place_with_keywords(ec, code, base, argc, 0, rest)
    }
}

/// The keywords of a site, whose values lie behind its arguments, as a hash.
unsafe fn named_keywords(ec: &Ec, base: Fp, site: &CallSite) -> Hash {
    let hash = Hash::with_capacity(ec, site.keywords.len());
    for (i, name) in site.keywords.iter().enumerate() {
        // SAFETY: the window holds the values.
        hash.set_plain(ec, Value::symbol(*name), unsafe { base.reg(1 + usize::from(site.argc) + i) });
    }
    hash
}

/// What a method takes besides required parameters, when a site's plain arguments fit it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Fit {
    /// Nothing, optional parameters, a block parameter.
    InPlace,
    /// A rest parameter or optional keywords, too.
    Rest,
}

/// How `argc` plain arguments fit the method of `code`; `None` if they do not, or if it requires keywords or parameters behind
/// others.
pub(crate) fn fit_of(code: &CodeData, argc: usize) -> Option<Fit> {
    let linked = code.linked();
    let params = &linked.iseq.params;
    let is_plain = params.post == 0 && params.keywords.iter().all(|keyword| !keyword.required);
    let (lead, most) = (usize::from(params.lead), usize::from(params.lead + params.optional()));
    let is_enough = argc >= lead && (params.has_rest || argc <= most);
    let fit = if params.has_rest || params.takes_keywords() { Fit::Rest } else { Fit::InPlace };
    (is_plain && is_enough && !linked.iseq.flags.packs_values).then_some(fit)
}

/// What the register of a block parameter holds: as `args::block_value`, from the word in the frame.
#[inline(always)]
unsafe fn block_parameter(block: u64) -> Value {
    match block {
        0 => Value::NIL,
        word if word & 1 == 1 => Value::UNDEF,
        // SAFETY: the word of a block that is no literal is that of its Proc.
        word => unsafe { Value::from_bits(word) },
    }
}

/// Where a call begins whose arguments all fit in place, and a register that becomes undef there: a block parameter's, which stands
/// for the literal block of the call.
#[derive(Clone, Copy, Default)]
pub(crate) struct Places {
    pub(crate) entry: usize,
    pub(crate) undef: Option<u16>,
}

impl Places {
    pub(crate) fn of(code: &CodeData, argc: usize, has_block: bool) -> Places {
        let params = &code.linked().iseq.params;
        let entry = params.optional_entries.get(argc - usize::from(code.lead)).map_or(0, |entry| *entry as usize);
        Places { entry, undef: (params.has_block && has_block).then(|| params.block_register()) }
    }
}

/// Fills the registers behind `argc` arguments that all fit in place, and says at which word to start.
#[inline(always)]
pub(super) unsafe fn place_optional(_: *mut Ec, code: &CodeData, base: Fp, argc: usize, block: u64) -> usize {
    let params = &code.linked().iseq.params;
    // SAFETY: the registers are those of a frame that was found to fit.
    unsafe {
        (1 + argc..usize::from(code.local_size)).for_each(|register| base.set_reg(register, Value::NIL));
        if block != 0 && params.has_block {
            base.set_reg(usize::from(params.block_register()), block_parameter(block));
        }
    }
    params.optional_entries.get(argc - usize::from(code.lead)).map_or(0, |entry| *entry as usize)
}

/// Fills the registers of parameters and locals from `argc` arguments that fit, and says at which word to start.
#[inline(never)]
unsafe fn place_arguments(ec: *mut Ec, code: &CodeData, base: Fp, argc: usize, block: u64) -> usize {
    // SAFETY: by contract.
    unsafe { place_with_keywords(ec, code, base, argc, block, None) }
}

/// As [`place_arguments`]; `keywords` is the hash for `**rest`.
#[inline(always)]
unsafe fn place_with_keywords(
    ec: *mut Ec,
    code: &CodeData,
    base: Fp,
    argc: usize,
    block: u64,
    given: Option<Hash>,
) -> usize {
    let params = &code.linked().iseq.params;
    let (lead, optional) = (usize::from(params.lead), usize::from(params.optional()));
    let taken = argc.min(lead + optional);
    // SAFETY: the window holds the arguments, and the registers are those of a frame that was found to fit.
    unsafe {
        let rest = params
            .has_rest
            .then(|| Array::from_slice(&*ec, std::slice::from_raw_parts(base.0.add(1 + taken), argc - taken)));
        (1 + taken..usize::from(code.local_size)).for_each(|register| base.set_reg(register, Value::NIL));
        if let Some(rest) = rest {
            base.set_reg(usize::from(params.rest_register()), rest.value());
        }
        let keywords = usize::from(params.keyword_register());
        (keywords..keywords + params.keywords.len()).for_each(|register| base.set_reg(register, Value::UNDEF));
        if params.has_keyword_rest && (given.is_some() || !params.hides_keyword_rest) {
            let rest = given.unwrap_or_else(|| Hash::new(&*ec));
            base.set_reg(usize::from(params.keyword_rest_register()), rest.value());
        }
        if params.has_block {
            base.set_reg(usize::from(params.block_register()), block_parameter(block));
        }
    }
    params.optional_entries.get(taken - lead).map_or(0, |entry| *entry as usize)
}

/// Makes `n` plain arguments in a window the parameters of a block whose frame begins there, and says at which word it starts;
/// [`NOT_PLAIN`], with the arguments as they were, if they are not plain (255), do not fit a lambda, may be a list that the block
/// takes apart, or the block takes what methods do not take in place either.
#[inline(never)]
pub(super) unsafe fn place_in_block(ec: *mut Ec, code: &CodeData, base: Fp, n: u8, is_lambda: bool) -> usize {
    // SAFETY: the window holds the arguments, and what lies behind them is free once the frame is found to fit.
    unsafe {
        let has_room =
            n < u8::MAX && code.native.is_none() && (*ec).may_enter(base.0.add(usize::from(code.frame_size)));
        if !has_room || code.in_place_from != 0 {
            return NOT_PLAIN;
        }
        let given = usize::from(n);
        let params = &code.linked().iseq.params;
        let lead = usize::from(params.lead);
        let taken = match params.has_rest {
            _ if is_lambda => given,
            true => given.max(lead),
            false => given.clamp(lead, lead + usize::from(params.optional())),
        };
        let may_be_list = !is_lambda && n == 1 && code.auto_splat && !(*ec).never_responds(base.reg(1), sym::TO_ARY);
        if may_be_list || fit_of(code, taken).is_none() {
            return NOT_PLAIN;
        }
        (given..taken).for_each(|argument| base.set_reg(1 + argument, Value::NIL));
        place_arguments(ec, code, base, taken, 0)
    }
}

/// Enters the method with a frame whose registers `$place` fills.
macro_rules! enter {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $place:ident, $block:expr, $block_env:expr) => {
        enter!($pc, $fp, $ec, $caches, $place, $block, $block_env, send_generic)
    };
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $place:ident, $block:expr, $block_env:expr, $slow:ident) => {{
        let code = &*((*$caches.add(usize::from((*$pc).c))).target as *const CodeData);
        let base = Fp($fp.add(usize::from((*$pc).b)));
        // Arguments beyond the callee's registers are still within the caller's.
        if !(*$ec).may_enter(base.0.add(usize::from(code.frame_size))) {
            return slow::$slow($pc, $fp, $ec, $caches);
        }
        let argc = usize::from(Fp($fp).code().linked().call_site(usize::from((*$pc).c)).argc);
        let block: u64 = $block;
        let entry = $place($ec, code, base, argc, block);
        push_frame_words(code, base, $pc.add(1), $fp, block, $block_env, usize::from(code.local_size));
        dispatch(code.start_from(&*$ec, entry), base.0, $ec, code.caches)
    }};
}

handler!(invoke_optional(pc, fp, ec, caches) {
    enter!(pc, fp, ec, caches, place_optional, 0, 0)
});

handler!(invoke_optional_block(pc, fp, ec, caches) {
    let block = literal_block_word(ec, pc, fp);
    enter!(pc, fp, ec, caches, place_optional, block, Fp(fp).word(frame::ENV))
});

handler!(invoke_rest(pc, fp, ec, caches) {
    enter!(pc, fp, ec, caches, place_arguments, 0, 0)
});

handler!(invoke_rest_block(pc, fp, ec, caches) {
    let block = literal_block_word(ec, pc, fp);
    enter!(pc, fp, ec, caches, place_arguments, block, Fp(fp).word(frame::ENV))
});

// `super` passes the running method's block on.
handler!(invoke_super_optional(pc, fp, ec, caches) {
    let own = Fp(fp);
    enter!(pc, fp, ec, caches, place_optional, own.word(frame::BLOCK), own.word(frame::BLOCK_ENV), invokesuper)
});

handler!(invoke_super_rest(pc, fp, ec, caches) {
    let own = Fp(fp);
    enter!(pc, fp, ec, caches, place_arguments, own.word(frame::BLOCK), own.word(frame::BLOCK_ENV), invokesuper)
});

// ---- `&block` ----

/// What a site with `&` passes is a Proc, nothing, the running method's own block, or a symbol, which has a Proc at hand: no
/// conversion is called.
#[inline(always)]
pub(crate) fn is_passed_as_is(passed: Value) -> bool {
    passed.is_undef() || passed.is_nil() || passed.is_symbol() || passed.is_type(carat_layout::HeapType::Proc)
}

/// The BLOCK and BLOCK_ENV words for what lies behind the arguments of a site, if it has `&`. The first is the word of no block if
/// that would have to be converted.
#[inline(always)]
pub(super) unsafe fn passed_words(ec: &Ec, pc: *const carat_iseq::Insn, fp: *mut Value) -> (u64, u64) {
    // SAFETY: the site's window holds the value, and the method's environment stores both words.
    unsafe {
        let site = Fp(fp).code().linked().call_site(usize::from((*pc).c));
        if !site.flags.has(CallFlags::BLOCK_ARG) {
            return (0, 0);
        }
        let keywords = usize::from(site.flags.has(CallFlags::KEYWORD_SPLAT));
        let passed = *fp.add(usize::from((*pc).b) + 1 + usize::from(site.argc) + keywords);
        if passed.is_undef() {
            let home = Fp(fp).env().method_env();
            (home.word(frame::BLOCK), home.word(frame::BLOCK_ENV))
        } else if passed.is_nil() {
            (0, 0)
        } else if passed.is_type(carat_layout::HeapType::Proc) {
            (passed.bits(), 0)
        } else if passed.is_symbol() {
            (ec.symbol_block_at_hand(Fp(fp).code(), passed).map_or(NOT_AS_IS, Value::bits), 0)
        } else {
            (NOT_AS_IS, 0)
        }
    }
}

/// No block's word: see [`passed_words`].
pub(super) const NOT_AS_IS: u64 = 1;

handler!(invoke_passing(pc, fp, ec, caches) {
    let (block, block_env) = passed_words(&*ec, pc, fp);
    if block == NOT_AS_IS {
        return slow::send_generic(pc, fp, ec, caches);
    }
    enter!(pc, fp, ec, caches, place_arguments, block, block_env)
});

// ---- Class#new ----

handler!(new_result(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = reg!(fp, (*pc).b);
    dispatch(pc.add(1), fp, ec, caches)
});

/// Makes the object in the window's first register and enters `initialize`, if that still takes what the site gives. `pc` is the
/// `new_result` word, which `initialize` returns to.
macro_rules! construct {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, |$code:ident, $base:ident| $fits:expr, $place:expr) => {{
        let $base = Fp($fp.add(usize::from((*$pc).b)));
        let class = crate::model::class::Class::from_value_unchecked($base.reg(0));
        let $code = class.constructor(&*$ec);
        if $code.is_null() {
            return slow::send_generic($pc, $fp, $ec, $caches);
        }
        let $code = &*$code;
        if !$fits || !(*$ec).may_enter($base.0.add(usize::from($code.frame_size))) {
            return slow::send_generic($pc, $fp, $ec, $caches);
        }
        $base.set_reg(0, (*$ec).new_object(class));
        let (entry, locals_from): (usize, usize) = $place;
        push_frame_words($code, $base, $pc, $fp, 0, 0, locals_from);
        dispatch($code.start_from(&*$ec, entry), $base.0, $ec, $code.caches)
    }};
}

handler!(invoke_new(pc, fp, ec, caches) {
    let argc = (*caches.add(usize::from((*pc).c))).target;
    construct!(
        pc, fp, ec, caches,
        |code, base| code.is_simple && u64::from(code.lead) == argc,
        (0, usize::from(code.lead) + 1)
    )
});

handler!(invoke_new_optional(pc, fp, ec, caches) {
    let argc = (*caches.add(usize::from((*pc).c))).target as usize;
    construct!(
        pc, fp, ec, caches,
        |code, base| fit_of(code, argc) == Some(Fit::InPlace),
        (place_optional(ec, code, base, argc, 0), usize::from(code.local_size))
    )
});

handler!(invoke_new_rest(pc, fp, ec, caches) {
    let argc = (*caches.add(usize::from((*pc).c))).target as usize;
    construct!(
        pc, fp, ec, caches,
        |code, base| fit_of(code, argc).is_some(),
        (place_arguments(ec, code, base, argc, 0), usize::from(code.local_size))
    )
});

// The plan is for the code that `initialize` had; while the name means what it did, that is the class's.
handler!(invoke_new_keywords(pc, fp, ec, caches) {
    let call = &*((*caches.add(usize::from((*pc).c))).target as *const KeywordCall);
    construct!(
        pc, fp, ec, caches,
        |code, base| call.is_for(&*ec, code),
        {
            call.place(base, code.frame_size);
            (call.word as usize, usize::from(call.locals_from))
        }
    )
});

// The method that the constructor has now is looked at each time: the cell has no code.
handler!(invoke_new_keyword_hash(pc, fp, ec, caches) {
    let site = Fp(fp).code().linked().call_site(usize::from((*pc).c));
    construct!(
        pc, fp, ec, caches,
        |code, base| !code.linked().passes_keywords_on() && takes_keyword_hash(code, site),
        (place_keyword_hash(ec, code, base, site), usize::from(code.local_size))
    )
});

/// The code that a cell leads to.
#[inline(always)]
unsafe fn cached_code(pc: *const carat_iseq::Insn, caches: *mut crate::run::code::CacheCell) -> *const CodeData {
    // SAFETY: the cell just hit.
    unsafe { (*caches.add(usize::from((*pc).c))).target as *const CodeData }
}

// ---- `*list` ----

/// See [`splat_size`].
pub(super) const NOT_PLAIN: usize = usize::MAX;

/// How many arguments a site with a splat gives; [`NOT_PLAIN`] if they have no room, or if there are keywords or the last of
/// them is to become keywords.
#[inline(always)]
pub(super) unsafe fn splat_size(ec: &Ec, pc: *const carat_iseq::Insn, fp: *mut Value) -> usize {
    // SAFETY: the site's window holds the array behind the other arguments.
    unsafe {
        let site = Fp(fp).code().linked().call_site(usize::from((*pc).c));
        let argc = usize::from(site.argc);
        let base = Fp(fp.add(usize::from((*pc).b)));
        let may_have_keywords = site.flags.has(CallFlags::KEYWORD_SPLAT);
        if may_have_keywords && !is_no_keywords(ec, base.reg(argc + 1)) {
            return NOT_PLAIN;
        }
        let list = Array::from_value_unchecked(base.reg(argc)).slice_of(ec);
        let last = list.last().filter(|_| !may_have_keywords);
        let becomes_keywords = last.and_then(|last| Hash::from_value(*last)).is_some_and(Hash::is_ruby2_keywords);
        let total = argc - 1 + list.len();
        let has_room = list.len() < 64 && ec.may_enter(base.0.add(1 + total));
        if has_room && !becomes_keywords { total } else { NOT_PLAIN }
    }
}

/// Whether `**value` gives nothing, and asks nobody.
#[inline(always)]
fn is_no_keywords(ec: &Ec, value: Value) -> bool {
    value.is_nil() || Hash::from_value(value).is_some_and(|hash| hash.is_empty(ec))
}

/// Writes the elements over the window, from the array's own place on.
#[inline(always)]
pub(super) unsafe fn spread(ec: &Ec, pc: *const carat_iseq::Insn, fp: *mut Value) {
    // SAFETY: `splat_size` found that there is room.
    unsafe {
        let argc = usize::from(Fp(fp).code().linked().call_site(usize::from((*pc).c)).argc);
        let base = Fp(fp.add(usize::from((*pc).b)));
        let list = Array::from_value_unchecked(base.reg(argc)).slice_of(ec);
        list.iter().enumerate().for_each(|(i, value)| base.set_reg(argc + i, *value));
    }
}

/// Fills the registers of a method that takes keywords by name from `*list, **hash`, and says at which word to start;
/// [`NOT_PLAIN`], with nothing done, if the frame has no room, the method takes anything else behind optional parameters, or the two
/// do not fit it.
#[inline(never)]
unsafe fn place_splat_keywords(
    ec: *mut Ec,
    pc: *const carat_iseq::Insn,
    fp: *mut Value,
    code: &CodeData,
    block: u64,
) -> usize {
    // SAFETY: the running instruction's window, which holds the list and the hash behind the other arguments.
    unsafe {
        let linked = code.linked();
        let (params, names) = (&linked.iseq.params, &linked.keywords);
        let site = Fp(fp).code().linked().call_site(usize::from((*pc).c));
        let (base, argc) = (Fp(fp.add(usize::from((*pc).b))), usize::from(site.argc));
        let takes_names =
            !params.has_rest && params.post == 0 && !params.has_keyword_rest && !params.keywords.is_empty();
        let has_room = (*ec).may_enter(base.0.add(usize::from(code.frame_size)));
        if block == NOT_AS_IS || !takes_names || names.len() > MOST_KEYWORDS || !has_room {
            return NOT_PLAIN;
        }
        let given = site.flags.has(CallFlags::KEYWORD_SPLAT).then(|| base.reg(argc + 1)).and_then(Hash::from_value);
        let Some(hash) = given else { return NOT_PLAIN };
        let lead = usize::from(params.lead);
        let total = argc - 1 + Array::from_value_unchecked(base.reg(argc)).len(&*ec);
        if total < lead || total > lead + usize::from(params.optional()) {
            return NOT_PLAIN;
        }
        let (mut values, mut found) = ([Value::UNDEF; MOST_KEYWORDS], 0);
        for (at, name) in names.iter().enumerate() {
            match hash.get_symbol(&*ec, *name) {
                Some(value) => (values[at], found) = (value, found + 1),
                None if params.keywords[at].required => return NOT_PLAIN,
                None => {}
            }
        }
        if found != hash.len(&*ec) {
            return NOT_PLAIN;
        }
        spread(&*ec, pc, fp);
        let entry = place_with_keywords(ec, code, base, total, block, None);
        let first = usize::from(params.keyword_register());
        values[..names.len()].iter().enumerate().for_each(|(at, value)| base.set_reg(first + at, *value));
        entry
    }
}

macro_rules! enter_splat {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $words:expr) => {{
        let code = &*cached_code($pc, $caches);
        let base = Fp($fp.add(usize::from((*$pc).b)));
        let (block, block_env) = $words;
        let argc = splat_size(&*$ec, $pc, $fp);
        let is_simple = code.is_simple && argc == usize::from(code.lead);
        let is_plain = block != NOT_AS_IS && argc != NOT_PLAIN && (is_simple || fit_of(code, argc).is_some());
        if !is_plain || !(*$ec).may_enter(base.0.add(usize::from(code.frame_size))) {
            let entry = place_splat_keywords($ec, $pc, $fp, code, block);
            if entry == NOT_PLAIN {
                return slow::invoke_code_bound($pc, $fp, $ec, $caches);
            }
            push_frame_words(code, base, $pc.add(1), $fp, block, block_env, usize::from(code.local_size));
            return dispatch(code.start_from(&*$ec, entry), base.0, $ec, code.caches);
        }
        spread(&*$ec, $pc, $fp);
        if is_simple {
            push_frame_words(code, base, $pc.add(1), $fp, block, block_env, argc + 1);
            return dispatch(code.start.get(), base.0, $ec, code.caches);
        }
        let entry = place_arguments($ec, code, base, argc, block);
        push_frame_words(code, base, $pc.add(1), $fp, block, block_env, usize::from(code.local_size));
        dispatch(code.start_from(&*$ec, entry), base.0, $ec, code.caches)
    }};
}

/// Writes the elements of a list over the window, if they are all that the method's last parameters need, and no hash that may become
/// keywords; `count` parameters are to come of them.
#[inline(always)]
unsafe fn spread_in_place(ec: &Ec, list: Value, to: *mut Value, count: usize) -> bool {
    // SAFETY: by the caller, the window has room.
    unsafe {
        let list = Array::from_value_unchecked(list).slice_of(ec);
        let is_hash = |value: &Value| value.is_type(carat_layout::HeapType::Hash);
        if list.len() != count || list.last().is_none_or(is_hash) {
            return false;
        }
        list.iter().enumerate().for_each(|(at, value)| to.add(at).write(*value));
        true
    }
}

handler!(invoke_splat(pc, fp, ec, caches) {
    let code = &*cached_code(pc, caches);
    let base = Fp(fp.add(usize::from((*pc).b)));
    let site = Fp(fp).code().linked().call_site(usize::from((*pc).c));
    let (argc, lead) = (usize::from(site.argc), usize::from(code.lead));
    let is_alone = site.flags.0 & (CallFlags::KEYWORD_SPLAT | CallFlags::BLOCK_ARG) == 0;
    if is_alone
        && code.is_simple
        && lead >= argc
        && (*ec).may_enter(base.0.add(usize::from(code.frame_size)))
        && spread_in_place(&*ec, base.reg(argc), base.0.add(argc), lead + 1 - argc)
    {
        push_frame_words(code, base, pc.add(1), fp, 0, 0, lead + 1);
        return dispatch(code.start.get(), base.0, ec, code.caches);
    }
    enter_splat!(pc, fp, ec, caches, passed_words(&*ec, pc, fp))
});

handler!(invoke_super_splat(pc, fp, ec, caches) {
    enter_splat!(pc, fp, ec, caches, super_words(&*ec, pc, fp))
});

/// As [`passed_words`], for `super` in a method's own frame: without `&` it passes on what the method got.
#[inline(always)]
unsafe fn super_words(ec: &Ec, pc: *const carat_iseq::Insn, fp: *mut Value) -> (u64, u64) {
    // SAFETY: the running frame is a method's, which stores both words.
    unsafe {
        let own = Fp(fp);
        let has_own = own.code().linked().call_site(usize::from((*pc).c)).flags.has(CallFlags::BLOCK_ARG);
        if has_own { passed_words(ec, pc, fp) } else { (own.word(frame::BLOCK), own.word(frame::BLOCK_ENV)) }
    }
}
