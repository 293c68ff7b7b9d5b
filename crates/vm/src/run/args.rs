//! From the arguments of a call to the parameters of a method or block.
//!
//! First [`Given`] describes what the caller's window holds, splats and block arguments resolved; then the callee's
//! registers are filled from it. Both happen in the window itself.
//!
//! # Collection
//! Nothing here polls, except where Ruby code runs: `to_a`, `to_hash`, `to_proc`, `to_ary`. Values then lie in the window.

use crate::ec::{Ec, Result, Unwind};
use crate::model::cref::Cref;
use crate::model::symbol::sym;
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::Fp;
use crate::run::link::{CallSite, LinkedIseq};
use crate::run::proc::{BlockWord, Proc};
use crate::value::array::Array;
use crate::value::hash::Hash;
use carat_iseq::{CallFlags, Params};
use carat_layout::{SymbolId, Value};

/// Positional arguments in `base[1..=argc]`, then keywords.
pub(crate) struct Given<'a> {
    pub(crate) base: Fp,
    pub(crate) argc: usize,
    pub(crate) keywords: GivenKeywords<'a>,
    pub(crate) block: BlockWord,
}

pub(crate) enum GivenKeywords<'a> {
    None,
    /// Names of the site; values in the registers behind the positional arguments.
    Static(&'a [SymbolId]),
    /// A hash, and whether it may be taken over.
    Hash(Hash, bool),
}

impl GivenKeywords<'_> {
    pub(crate) fn is_none(&self, ec: &Ec) -> bool {
        match self {
            GivenKeywords::None => true,
            GivenKeywords::Static(names) => names.is_empty(),
            GivenKeywords::Hash(hash, _) => hash.is_empty(ec),
        }
    }
}

/// Registers that a splat may fill before the stack counts as overflowing.
const MAX_SPLAT: usize = 1 << 20;

impl<'a> Given<'a> {
    /// The positional arguments that a call site put in its window; `complete` adds the others. `own_block` is the site's
    /// literal block or the block it passes on.
    ///
    /// One `Given` is handed down by reference to whoever enters the callee: copies of words that were just written stall.
    #[inline(always)]
    pub(crate) fn of_site(base: Fp, site: &CallSite, own_block: BlockWord) -> Given<'a> {
        Given { base, argc: usize::from(site.argc), keywords: GivenKeywords::None, block: own_block }
    }

    /// Takes keywords, a block argument and the elements of a splat out of the window.
    ///
    /// # Safety
    /// This is [`Given::of_site`] of `site`, whose window is in the running frame.
    #[inline(always)]
    pub(crate) unsafe fn complete(&mut self, ec: &mut Ec, site: &'a CallSite) -> Result<()> {
        // SAFETY: by contract.
        if site.flags.is_simple() { Ok(()) } else { unsafe { self.complete_slow(ec, site) } }
    }

    #[inline(never)]
    unsafe fn complete_slow(&mut self, ec: &mut Ec, site: &'a CallSite) -> Result<()> {
        let base = self.base;
        // SAFETY: the site's flags say what its window holds.
        unsafe {
            let mut next = 1 + self.argc;
            if site.flags.has(CallFlags::KEYWORDS) {
                self.keywords = GivenKeywords::Static(&site.keywords);
                next += site.keywords.len();
            } else if site.flags.has(CallFlags::KEYWORD_SPLAT) {
                let given = base.reg(next);
                next += 1;
                if !given.is_nil() {
                    let is_fresh = site.flags.has(CallFlags::KEYWORD_SPLAT_FRESH);
                    self.keywords = GivenKeywords::Hash(ec.to_hash(given)?, is_fresh);
                }
            }
            if site.flags.has(CallFlags::BLOCK_ARG) {
                let passed = base.reg(next);
                self.block = if passed.is_undef() { passed_on_block(ec, site) } else { ec.block_argument(passed)? };
            }
            if site.flags.has(CallFlags::SPLAT) {
                let array = Array::expect(base.reg(self.argc));
                let len = array.len(ec);
                self.argc = self.argc - 1 + len;
                spread(ec, base, usize::from(site.argc), array)?;
                // Ruby code that runs before the method is entered finds its place above them.
                ec.sp = base.0.add(1 + self.argc);
                if len != 0 && site.flags.gives_no_keywords() {
                    self.keywords = take_ruby2_keywords(ec, base, &mut self.argc)?;
                }
            }
            Ok(())
        }
    }

    /// Makes keywords that a site names a hash, so that positional arguments may move.
    #[inline(always)]
    pub(crate) fn gather_keywords(&mut self, ec: &mut Ec) -> Result<()> {
        if let GivenKeywords::Static(_) = self.keywords {
            self.keywords = self.keyword_hash(ec)?.map_or(GivenKeywords::None, |hash| GivenKeywords::Hash(hash, true));
        }
        Ok(())
    }

    /// All keywords as a hash of their own; `None` if there are none.
    pub(crate) fn keyword_hash(&self, ec: &mut Ec) -> Result<Option<Hash>> {
        match self.keywords {
            GivenKeywords::None => Ok(None),
            GivenKeywords::Hash(hash, _) if hash.is_empty(ec) => Ok(None),
            GivenKeywords::Hash(hash, is_fresh) => Ok(Some(if is_fresh { hash } else { hash.duplicate(ec)? })),
            GivenKeywords::Static(names) => {
                let hash = Hash::with_capacity(ec, names.len());
                for (i, name) in names.iter().enumerate() {
                    // SAFETY: the values lie behind the positional arguments.
                    let value = unsafe { self.base.reg(1 + self.argc + i) };
                    hash.set(ec, Value::symbol(*name), value)?;
                }
                Ok(Some(hash))
            }
        }
    }
}

/// The running method's own block, which `&` passes on as it is. `lambda` alone must see that it is not a literal.
unsafe fn passed_on_block(ec: &mut Ec, site: &CallSite) -> BlockWord {
    // SAFETY: the running frame is published, and its method's environment stores BLOCK.
    unsafe {
        let home = ec.fp.env().method_env();
        if site.name != sym::LAMBDA {
            return BlockWord::read(home);
        }
        Proc::from_value(Proc::from_block_of(ec, home)).map_or(BlockWord::None, BlockWord::Proc)
    }
}

/// Writes the elements of a splat array over the window from argument `position` on.
unsafe fn spread(ec: &mut Ec, base: Fp, position: usize, array: Array) -> Result<()> {
    let len = array.len(ec);
    if len > MAX_SPLAT || base.0.addr() + (position + len + 64) * 8 > ec.stack.argument_limit() {
        return Err(ec.stack_error());
    }
    for (i, value) in array.slice_of(ec).iter().enumerate() {
        // SAFETY: the place lies within the stack, above everything the running frame uses.
        unsafe { base.set_reg(position + i, *value) };
    }
    Ok(())
}

/// A hash flagged by `ruby2_keywords` at the end of a splat is passed as keywords, unless the call has some, be they `**nil`.
unsafe fn take_ruby2_keywords<'a>(ec: &mut Ec, base: Fp, argc: &mut usize) -> Result<GivenKeywords<'a>> {
    // SAFETY: the argument is in the window.
    match Hash::from_value(unsafe { base.reg(*argc) }) {
        Some(hash) if hash.is_ruby2_keywords() => {
            *argc -= 1;
            Ok(GivenKeywords::Hash(hash.duplicate(ec)?, true))
        }
        _ => Ok(GivenKeywords::None),
    }
}

impl Ec {
    /// `&value`: nil, a Proc, or anything with `to_proc`.
    fn block_argument(&mut self, value: Value) -> Result<BlockWord> {
        if value.is_nil() {
            return Ok(BlockWord::None);
        }
        if let Some(proc) = Proc::from_value(value) {
            return Ok(BlockWord::Proc(proc));
        }
        if value.is_symbol() {
            let owner = self.vm().known().symbol;
            if self.responds_with(value, sym::TO_PROC, owner) {
                return Ok(BlockWord::Proc(self.symbol_block(value)));
            }
        }
        let class = self.describe_for_type_error(value);
        // SAFETY: the published frame is the caller's.
        let refined = crate::run::interp::refined_for(self, unsafe { self.fp.code().cref }, value, sym::TO_PROC);
        let converted = match refined {
            Some(method) => {
                Some(self.call_method(value, method, sym::TO_PROC, &[], crate::run::call::Passing::default())?)
            }
            None => self.try_convert(value, sym::TO_PROC)?,
        };
        match converted {
            Some(v) => match Proc::from_value(v) {
                Some(proc) => Ok(BlockWord::Proc(proc)),
                None => {
                    let given = self.describe_for_type_error(v);
                    Err(self.type_error(&format!("can't convert {class} to Proc ({class}#to_proc gives {given})")))
                }
            },
            None => Err(self.type_error(&format!("no implicit conversion of {class} into Proc"))),
        }
    }

    /// `&:name`: in a scope with refinements it sees them.
    fn symbol_block(&mut self, symbol: Value) -> Proc {
        // SAFETY: the published frame is the caller's.
        let cref = self.refining_scope(unsafe { self.fp.code() });
        match symbol.as_symbol() {
            Some(symbol) if cref.is_nil() => Proc::of_symbol(self, symbol),
            _ => Proc::from_symbol(self, symbol, cref),
        }
    }

    /// The scope of code if it uses refinements, or nil.
    fn refining_scope(&self, code: &CodeData) -> Value {
        if !self.vm().has_refinements.load(std::sync::atomic::Ordering::Relaxed) {
            return Value::NIL;
        }
        let cref = code.cref;
        Cref::from_value(cref).map_or(Value::NIL, |c| if c.has_refinements() { cref } else { Value::NIL })
    }

    /// The block that `&symbol` passes in some code, if one was made before and nothing else is asked.
    pub(crate) fn symbol_block_at_hand(&self, code: &CodeData, symbol: Value) -> Option<Value> {
        let procs = Hash::from_value(self.ractor().symbol_procs.get())?;
        let owner = self.vm().known().symbol;
        let is_plain = self.responds_with(symbol, sym::TO_PROC, owner) && self.refining_scope(code).is_nil();
        is_plain.then(|| procs.get_symbol(self, symbol.as_symbol()?))?
    }
}

/// How strictly a callee takes its arguments.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strictness {
    /// Methods and lambdas.
    Exact,
    /// Procs: missing is nil, surplus is dropped, one array may be taken apart.
    Loose,
}

impl Strictness {
    pub(crate) fn of(code: &CodeData, is_lambda: bool) -> Strictness {
        match code.kind {
            CodeKind::Block if !is_lambda => Strictness::Loose,
            _ => Strictness::Exact,
        }
    }
}

/// Fills the parameter registers of `code` in the window and returns the word to start at. Other locals become nil.
///
/// # Safety
/// The window is at the top of the stack, with room for the callee's frame.
pub(crate) unsafe fn set_up(
    ec: &mut Ec,
    code: &CodeData,
    given: &mut Given<'_>,
    strictness: Strictness,
) -> Result<usize> {
    let linked: &LinkedIseq = code.linked();
    let params = &linked.iseq.params;
    // SAFETY: the window has room for the callee's registers.
    unsafe {
        if strictness == Strictness::Loose {
            adapt_block_arguments(ec, code, params, given)?;
        }
        let argc = given.argc;
        if code.is_simple && argc == usize::from(code.lead) && matches!(given.keywords, GivenKeywords::None) {
            clear_locals(code, given.base, argc + 1);
            return Ok(0);
        }
        let scratch = given.free_words(usize::from(code.frame_size));
        let mut keywords = given.keywords_for(ec, params, scratch)?;
        let required = usize::from(params.lead + params.post);
        let optional = usize::from(params.optional());
        let argc = given.argc;
        if strictness == Strictness::Exact && (argc < required || (!params.has_rest && argc > required + optional)) {
            return Err(arity_failure(ec, params, argc));
        }
        if let KeywordsFor::Positional(hash) = keywords {
            if linked.passes_keywords_on() {
                hash.set_ruby2_keywords();
            }
            keywords = KeywordsFor::None;
        }
        let opts = argc.saturating_sub(required).min(optional);
        if linked.iseq.flags.packs_values {
            pack(ec, code, given.base, argc);
        } else if params.has_rest || params.post > 0 {
            let args = Arguments::take(given.base.0.add(1), argc, scratch.add(MOST_ON_STACK));
            place_positionals(ec, given.base, params, &args, opts);
        } else {
            // They are in their registers already.
            (argc..required + optional).for_each(|i| given.base.set_reg(1 + i, Value::NIL));
        }
        place_keywords(ec, given.base, params, &linked.keywords, keywords)?;
        if params.has_block {
            given.base.set_reg(usize::from(params.block_register()), block_value(&given.block));
        }
        let is_packed = linked.iseq.flags.packs_values;
        let from = if is_packed { usize::from(code.lead) } else { usize::from(params.size()) };
        clear_locals(code, given.base, from + 1);
        Ok(params.optional_entries.get(opts).map_or(0, |w| *w as usize))
    }
}

/// Makes arguments what such a block takes, its first `lead` registers: see `IseqFlags::packs_values` and `tells_groups`.
///
/// # Safety
/// The window holds `argc` arguments, and has room for the block's frame.
#[inline(never)]
pub(crate) unsafe fn pack(ec: &Ec, code: &CodeData, base: Fp, argc: usize) {
    // SAFETY: by contract.
    unsafe {
        let tells_groups = code.lead > 1;
        let all = |argc: usize| Array::from_slice(ec, std::slice::from_raw_parts(base.0.add(1), argc)).value();
        let registers = match argc {
            1 => [base.reg(1), Value::NIL, Value::NIL, Value::NIL],
            2 if tells_groups => [base.reg(1), Value::NIL, Value::TRUE, base.reg(2)],
            0 if !tells_groups => [Value::NIL; 4],
            _ => [all(argc), Value::TRUE, Value::NIL, Value::NIL],
        };
        registers
            .into_iter()
            .take(usize::from(code.lead))
            .enumerate()
            .for_each(|(at, value)| base.set_reg(1 + at, value));
    }
}

/// Makes the registers from `first` on nil that are locals.
#[inline(always)]
unsafe fn clear_locals(code: &CodeData, base: Fp, first: usize) {
    // SAFETY: locals are registers of the callee's frame.
    (first..usize::from(code.local_size)).for_each(|index| unsafe { base.set_reg(index, Value::NIL) });
}

/// What the block parameter's register holds: undef for a literal block, which `getblockparam` makes a Proc of when
/// somebody asks.
fn block_value(block: &BlockWord) -> Value {
    match block {
        BlockWord::None => Value::NIL,
        BlockWord::Proc(proc) => proc.value(),
        BlockWord::Literal(..) => Value::UNDEF,
    }
}

/// Words that arguments are copied to on the stack; the reserve above its limits has room for twice as many.
const MOST_ON_STACK: usize = 256;

/// Arguments taken out of the window while its registers are rewritten: copied to the stack above everything in use, or to
/// memory if they are many. Nothing polls or runs Ruby code meanwhile.
struct Arguments {
    first: *const Value,
    len: usize,
    many: Vec<Value>,
}

impl Arguments {
    /// # Safety
    /// `len` values from `first` on are in the window; `scratch` is free.
    unsafe fn take(first: *const Value, len: usize, scratch: *mut Value) -> Arguments {
        // SAFETY: by contract; the copies do not overlap the window.
        unsafe {
            if len > MOST_ON_STACK {
                let many = std::slice::from_raw_parts(first, len).to_vec();
                return Arguments { first: many.as_ptr(), len, many };
            }
            for i in 0..len {
                *scratch.add(i) = *first.add(i);
            }
            Arguments { first: scratch, len, many: Vec::new() }
        }
    }

    fn as_slice(&self) -> &[Value] {
        debug_assert!(self.many.is_empty() || self.many.len() == self.len);
        // SAFETY: `take` wrote them, and nothing else does while this lives.
        unsafe { std::slice::from_raw_parts(self.first, self.len) }
    }
}

unsafe fn place_positionals(ec: &Ec, base: Fp, params: &Params, args: &Arguments, opts: usize) {
    let args = args.as_slice();
    let lead = usize::from(params.lead);
    let optional = usize::from(params.optional());
    let post = usize::from(params.post);
    let at = |i: usize| args.get(i).copied().unwrap_or(Value::NIL);
    // SAFETY: the registers are parameters of the callee's frame.
    unsafe {
        (0..lead).for_each(|i| base.set_reg(1 + i, at(i)));
        (0..optional).for_each(|i| base.set_reg(1 + lead + i, if i < opts { at(lead + i) } else { Value::NIL }));
        let taken = lead + opts;
        let rest = args.len().saturating_sub(taken + post);
        if params.has_rest {
            let from = taken.min(args.len());
            let array = Array::from_slice(ec, &args[from..(from + rest).min(args.len())]);
            base.set_reg(usize::from(params.rest_register()), array.value());
        }
        let first_post = if params.has_rest { taken + rest } else { taken };
        (0..post).for_each(|i| base.set_reg(usize::from(params.post_register()) + i, at(first_post + i)));
    }
}

/// Keywords as the callee wants them.
enum KeywordsFor<'a> {
    None,
    /// The callee takes no keywords: a hash was appended to the positional arguments.
    Positional(Hash),
    /// A hash, and whether it may be taken over.
    Hash(Hash, bool),
    /// What a site names: no hash is made but for a keyword rest.
    Named(&'a [SymbolId], Arguments),
}

impl KeywordsFor<'_> {
    fn get(&self, ec: &Ec, name: SymbolId) -> Option<Value> {
        match self {
            KeywordsFor::Named(names, values) => names.iter().rposition(|n| *n == name).map(|i| values.as_slice()[i]),
            KeywordsFor::Hash(hash, _) => hash.get_symbol(ec, name),
            KeywordsFor::None | KeywordsFor::Positional(_) => None,
        }
    }

    fn count(&self, ec: &Ec) -> usize {
        match self {
            KeywordsFor::Named(names, _) => names.len(),
            KeywordsFor::Hash(hash, _) => hash.len(ec),
            KeywordsFor::None | KeywordsFor::Positional(_) => 0,
        }
    }

    /// The keys that are none of `names`.
    fn other_than(&self, ec: &mut Ec, names: &[SymbolId]) -> Array {
        let others = Array::new(ec, 0);
        let is_other = |key: &Value| key.as_symbol().is_none_or(|s| !names.contains(&s));
        match self {
            KeywordsFor::Named(given, _) => {
                given.iter().map(|n| Value::symbol(*n)).filter(is_other).for_each(|key| others.push(ec, key));
            }
            KeywordsFor::Hash(hash, _) => {
                let flat = hash.to_flat_array(ec);
                for i in (0..flat.len(ec)).step_by(2) {
                    Some(flat.at(ec, i)).filter(is_other).into_iter().for_each(|key| others.push(ec, key));
                }
            }
            KeywordsFor::None | KeywordsFor::Positional(_) => {}
        }
        others
    }

    /// The hash for a keyword rest: everything but `names`.
    fn rest_besides(&self, ec: &mut Ec, names: &[SymbolId]) -> Result<Hash> {
        let rest = match self {
            KeywordsFor::Hash(hash, true) => *hash,
            KeywordsFor::Hash(hash, false) => hash.duplicate(ec)?,
            KeywordsFor::Named(given, _) => Hash::with_capacity(ec, given.len()),
            _ => Hash::new(ec),
        };
        match self {
            KeywordsFor::Named(given, values) => {
                for (name, value) in given.iter().zip(values.as_slice()).filter(|(n, _)| !names.contains(n)) {
                    rest.set(ec, Value::symbol(*name), *value)?;
                }
            }
            _ => {
                for name in names {
                    rest.delete(ec, Value::symbol(*name))?;
                }
            }
        }
        Ok(rest)
    }
}

impl<'a> Given<'a> {
    /// The stack above the window and the callee's registers.
    unsafe fn free_words(&self, frame_size: usize) -> *mut Value {
        let keywords = if let GivenKeywords::Static(names) = self.keywords { names.len() } else { 0 };
        // SAFETY: both lie within the stack.
        unsafe { self.base.0.add(frame_size.max(1 + self.argc + keywords)) }
    }

    unsafe fn keywords_for(&mut self, ec: &mut Ec, params: &Params, scratch: *mut Value) -> Result<KeywordsFor<'a>> {
        if self.keywords.is_none(ec) {
            return Ok(KeywordsFor::None);
        }
        if params.takes_keywords() {
            return Ok(self.keywords_by_name(scratch));
        }
        if params.accepts_no_keywords {
            return Err(ec.argument_error("no keywords accepted"));
        }
        let hash = self.keyword_hash(ec)?.unwrap_or_else(|| Hash::new(ec));
        self.argc += 1;
        // SAFETY: the window has room for one more argument: keywords took at least one register.
        unsafe { self.base.set_reg(self.argc, hash.value()) };
        self.keywords = GivenKeywords::None;
        Ok(KeywordsFor::Positional(hash))
    }

    /// There are some.
    fn keywords_by_name(&self, scratch: *mut Value) -> KeywordsFor<'a> {
        match self.keywords {
            GivenKeywords::None => KeywordsFor::None,
            GivenKeywords::Hash(hash, is_fresh) => KeywordsFor::Hash(hash, is_fresh),
            GivenKeywords::Static(names) => {
                // SAFETY: the values lie behind the positional arguments.
                let values = unsafe { Arguments::take(self.base.0.add(1 + self.argc), names.len(), scratch) };
                KeywordsFor::Named(names, values)
            }
        }
    }
}

unsafe fn place_keywords(
    ec: &mut Ec,
    base: Fp,
    params: &Params,
    names: &[SymbolId],
    given: KeywordsFor<'_>,
) -> Result<()> {
    if !params.takes_keywords() {
        return Ok(());
    }
    let first = usize::from(params.keyword_register());
    let (mut is_missing, mut found) = (false, 0);
    for (i, name) in names.iter().enumerate() {
        let value = given.get(ec, *name);
        found += usize::from(value.is_some());
        is_missing |= value.is_none() && params.keywords[i].required;
        // SAFETY: the registers are parameters of the callee's frame.
        unsafe { base.set_reg(first + i, value.unwrap_or(Value::UNDEF)) };
    }
    if is_missing {
        return Err(missing_keywords(ec, params, names, &given));
    }
    // SAFETY: as above.
    unsafe { place_keyword_rest(ec, base, params, names, given, found) }
}

unsafe fn place_keyword_rest(
    ec: &mut Ec,
    base: Fp,
    params: &Params,
    names: &[SymbolId],
    given: KeywordsFor<'_>,
    found: usize,
) -> Result<()> {
    if params.has_keyword_rest {
        let is_needless = params.hides_keyword_rest && matches!(given, KeywordsFor::None | KeywordsFor::Positional(_));
        let rest = if is_needless { Value::NIL } else { given.rest_besides(ec, names)?.value() };
        // SAFETY: the register is a parameter of the callee's frame.
        unsafe { base.set_reg(usize::from(params.keyword_rest_register()), rest) };
        return Ok(());
    }
    if given.count(ec) > found {
        let unknown = given.other_than(ec, names);
        // A name that a site gives twice counts twice but is known.
        if !unknown.is_empty(ec) {
            return Err(unknown_keywords(ec, unknown));
        }
    }
    Ok(())
}

#[cold]
fn missing_keywords(ec: &mut Ec, params: &Params, names: &[SymbolId], given: &KeywordsFor<'_>) -> Unwind {
    let missing = names.iter().zip(&params.keywords).filter(|(n, k)| k.required && given.get(ec, **n).is_none());
    let list: Vec<String> = missing.map(|(n, _)| format!(":{}", ec.vm().symbol_text(*n))).collect();
    let plural = if list.len() == 1 { "" } else { "s" };
    ec.argument_error(&format!("missing keyword{plural}: {}", list.join(", ")))
}

/// `unknown keyword: :x` for an array of keys.
pub(crate) fn unknown_keywords(ec: &mut Ec, keys: Array) -> Unwind {
    let mut list = Vec::new();
    for i in 0..keys.len(ec) {
        match ec.inspect(keys.at(ec, i)) {
            Ok(text) => list.push(text.to_text(ec)),
            Err(unwind) => return unwind,
        }
    }
    let plural = if list.len() == 1 { "" } else { "s" };
    ec.argument_error(&format!("unknown keyword{plural}: {}", list.join(", ")))
}

fn arity_failure(ec: &mut Ec, params: &Params, argc: usize) -> Unwind {
    let required = usize::from(params.lead + params.post);
    let max = (!params.has_rest).then_some(required + usize::from(params.optional()));
    let names: Vec<String> =
        params.keywords.iter().filter(|k| k.required).map(|k| String::from_utf8_lossy(&k.name).into_owned()).collect();
    if !names.is_empty() {
        let plural = if names.len() == 1 { "" } else { "s" };
        let expected = match max {
            Some(max) if max == required => format!("{required}"),
            Some(max) => format!("{required}..{max}"),
            None => format!("{required}+"),
        };
        let text = format!(
            "wrong number of arguments (given {argc}, expected {expected}; required keyword{plural}: {})",
            names.join(", ")
        );
        return ec.argument_error(&text);
    }
    ec.arity_error(argc, required, max)
}

/// What procs do to their arguments before they are bound.
unsafe fn adapt_block_arguments(ec: &mut Ec, code: &CodeData, params: &Params, given: &mut Given<'_>) -> Result<()> {
    // Keywords keep an array together even where there turn out to be none, but for a block of required parameters alone.
    let has_keywords = match given.keywords {
        GivenKeywords::None => false,
        _ => !code.is_simple || !given.keywords.is_none(ec),
    };
    let takes_apart = code.auto_splat && given.argc == 1 && !has_keywords;
    if takes_apart {
        // SAFETY: the window holds one argument and has room for more.
        unsafe {
            let only = given.base.reg(1);
            if let Some(array) = ec.check_array(only)? {
                spread(ec, given.base, 1, array)?;
                given.argc = array.len(ec);
            }
        }
    }
    let most = usize::from(params.lead + params.optional() + params.post);
    if !params.has_rest && given.argc > most && given.keywords.is_none(ec) {
        given.argc = most;
    }
    Ok(())
}
