//! Calls of methods with optional and keyword parameters whose arguments fit as they stand.
//!
//! What is known of site and method together is worked out when the cell is filled: see [`KeywordCall`].

use super::basic::reg;
use super::call::{literal_block_word, push_frame_words};
use super::handler;
use crate::code::CodeData;
use crate::frame::{self, Fp};
use crate::interp::{dispatch, slow};
use crate::link::CallSite;
use carat_iseq::CallFlags;
use carat_layout::{SymbolId, Value};

/// Keywords that one plan covers.
const MOST_KEYWORDS: usize = 8;
/// A parameter's place in the plan that no argument is for.
const NOT_GIVEN: u8 = u8::MAX;

/// How the values of a site's keywords come into the parameters of a method.
pub(crate) struct KeywordCall {
    code: *const CodeData,
    /// Which of the site's keywords each parameter takes.
    sources: [u8; MOST_KEYWORDS],
    /// Register of the first keyword parameter, which is that of the first keyword value too.
    first: u16,
    count: u16,
    given: u16,
    /// First register that becomes nil.
    locals_from: u16,
    /// Every value is in its place already.
    is_in_place: bool,
}

impl KeywordCall {
    /// The plan for a method whose parameters are required positionals, keywords and at most a block, if a site gives just
    /// those and none that it has not.
    pub(crate) fn plan(code: &CodeData, site: &CallSite) -> Option<KeywordCall> {
        let linked = code.linked();
        let params = &linked.iseq.params;
        let is_fit =
            params.optional_entries.is_empty() && !params.has_rest && params.post == 0 && !params.has_keyword_rest;
        let names: &[SymbolId] = &linked.keywords;
        let flags = CallFlags(site.flags.0 & !(CallFlags::KEYWORDS | CallFlags::FCALL | CallFlags::VCALL));
        let is_plain = site.flags.has(CallFlags::KEYWORDS) && flags.0 == 0 && site.block.is_none();
        if !is_fit || !is_plain || params.lead != site.argc || names.len() > MOST_KEYWORDS || params.keywords.is_empty()
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
            sources,
            first: params.keyword_register(),
            count: names.len() as u16,
            given: site.keywords.len() as u16,
            locals_from: params.keyword_rest_register(),
            is_in_place: (0..names.len()).all(|i| usize::from(sources[i]) == i),
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
            let (values, copies) = (base.0.add(usize::from(self.first)), base.0.add(usize::from(frame_size)));
            for i in 0..usize::from(self.given) {
                *copies.add(i) = *values.add(i);
            }
            for i in 0..usize::from(self.count) {
                let source = *self.sources.get_unchecked(i);
                *values.add(i) = if source == NOT_GIVEN { Value::UNDEF } else { *copies.add(usize::from(source)) };
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
    dispatch(code.insns, base.0, ec, code.caches)
});

/// Whether a method has required and optional parameters alone, and a site gives it a number of plain arguments that fits.
pub(crate) fn fits_optional(code: &CodeData, site: &CallSite) -> bool {
    let params = &code.linked().iseq.params;
    let is_plain = params.post == 0 && !params.has_rest && !params.takes_keywords() && !params.accepts_no_keywords;
    let counts = params.lead..=params.lead + params.optional();
    params.optional() > 0 && is_plain && !params.has_block && counts.contains(&site.argc)
}

macro_rules! push_optional {
    ($pc:ident, $fp:ident, $ec:ident, $caches:ident, $block:expr, $block_env:expr) => {{
        let code = &*((*$caches.add(usize::from((*$pc).c))).target as *const CodeData);
        let base = Fp($fp.add(usize::from((*$pc).b)));
        if !(*$ec).may_enter(base.0.add(usize::from(code.frame_size))) {
            return slow::send_generic($pc, $fp, $ec, $caches);
        }
        let argc = usize::from(Fp($fp).code().linked().call_site(usize::from((*$pc).c)).argc);
        let entries = &code.linked().iseq.params.optional_entries;
        let entry = *entries.get_unchecked(argc - usize::from(code.lead)) as usize;
        push_frame_words(code, base, $pc.add(1), $fp, $block, $block_env, 1 + argc);
        dispatch(code.insns.add(entry), base.0, $ec, code.caches)
    }};
}

handler!(invoke_optional(pc, fp, ec, caches) {
    push_optional!(pc, fp, ec, caches, 0, 0)
});

handler!(invoke_optional_block(pc, fp, ec, caches) {
    let block = literal_block_word(ec, pc, fp);
    push_optional!(pc, fp, ec, caches, block, Fp(fp).word(frame::ENV))
});

// ---- Class#new ----

handler!(new_result(pc, fp, ec, caches) {
    reg!(fp, (*pc).a) = reg!(fp, (*pc).b);
    dispatch(pc.add(1), fp, ec, caches)
});

// The cached form of `new`: `pc` is the `new_result` word, which `initialize` returns to.
handler!(invoke_new(pc, fp, ec, caches) {
    let base = Fp(fp.add(usize::from((*pc).b)));
    let class = crate::class::Class::from_value_unchecked(base.reg(0));
    let code = (*ec).constructor_of(class);
    if code.is_null() {
        return slow::send_generic(pc, fp, ec, caches);
    }
    let code = &*code;
    let fits = u64::from(code.lead) == (*caches.add(usize::from((*pc).c))).target;
    if !fits || !(*ec).may_enter(base.0.add(usize::from(code.frame_size))) {
        return slow::send_generic(pc, fp, ec, caches);
    }
    base.set_reg(0, (*ec).new_object(class));
    push_frame_words(code, base, pc, fp, 0, 0, usize::from(code.lead) + 1);
    dispatch(code.insns, base.0, ec, code.caches)
});
