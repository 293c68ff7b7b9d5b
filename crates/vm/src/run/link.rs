//! Linking: from an iseq's descriptions to symbols, literal objects and primitives of one VM.

use crate::ec::Ec;
use crate::model::method::NativeFn;
use crate::value::array::Array;
use crate::value::hash::Hash;
use crate::value::object::Mold;
use crate::value::string::{CodeRange, EncodingIndex, Str};
use carat_iseq::{CallFlags, Iseq, IseqRef, LiteralList, LiteralView, SiteView};
use carat_layout::{Header, HeapType, RPair, SymbolId, Value, flags, pool_for};
use carat_sync::OncePointer;
use carat_text::number::exact::Ratio;
use rustc_hash::FxHashSet;
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// A call site with its names resolved.
#[derive(Debug)]
pub struct CallSite {
    pub name: SymbolId,
    pub argc: u16,
    pub flags: CallFlags,
    pub keywords: Box<[SymbolId]>,
    pub block: Option<u16>,
}

#[derive(Debug)]
pub enum LinkedSite {
    Call(CallSite),
    Variable(SymbolId),
    Constant(Box<[SymbolId]>),
    Once(u16),
}

/// An iseq of one VM. Nothing of it is resolved, or even decoded, before it is to run.
pub struct LinkedIseq {
    pub iseq: IseqRef,
    /// Boxed: most methods of the core library never run.
    body: OncePointer<Box<LinkedBody>>,
}

// Every method and every block that ran has one, with an `Arc`'s two counts.
const _: () = assert!(size_of::<LinkedIseq>() == 32);

/// What code takes.
#[derive(Default)]
pub(crate) struct CodeBytes {
    pub(crate) packed: usize,
    pub(crate) instructions: usize,
    pub(crate) linked: usize,
}

/// What an iseq's names and descriptions resolve to.
pub struct LinkedBody {
    pub(crate) literals: Box<[Value]>,
    pub(crate) symbols: Box<[SymbolId]>,
    pub(crate) sites: Box<[LinkedSite]>,
    pub(crate) keywords: Box<[SymbolId]>,
    /// For `invokeprimitive`, by symbol index.
    pub(crate) primitives: Box<[Option<NativeFn>]>,
    children: Box<[OncePointer<Arc<LinkedIseq>>]>,
    /// Made when somebody first looks for one by name.
    locals: OncePointer<Box<Locals>>,
}

/// The locals of an iseq, for those who look for them by name.
pub(crate) struct Locals {
    pub(crate) list: Box<[LinkedLocal]>,
    /// Some are not captured.
    pub(crate) has_unshared: bool,
}

#[derive(Clone, Copy)]
pub(crate) struct LinkedLocal {
    /// Of the name as UTF-8, whatever the encoding of the source.
    pub(crate) name: SymbolId,
    pub(crate) register: u16,
    /// A block uses it, or a binding may: the environment has it, and the frame no other.
    pub(crate) is_captured: bool,
}

impl Locals {
    fn new(ec: &Ec, iseq: &Iseq) -> Locals {
        let linked = |local: carat_iseq::LocalView<'_>| LinkedLocal {
            name: ec.vm().intern_bytes(local.name, EncodingIndex::UTF_8),
            register: local.register,
            is_captured: local.captured,
        };
        let list: Box<[LinkedLocal]> = iseq.locals().map(linked).collect();
        Locals { has_unshared: list.iter().any(|local| !local.is_captured), list }
    }
}

// SAFETY: literals are frozen shareable objects or words; everything else is plain data.
unsafe impl Send for LinkedIseq {}
// SAFETY: as above.
unsafe impl Sync for LinkedIseq {}

impl std::ops::Deref for LinkedIseq {
    type Target = LinkedBody;

    fn deref(&self) -> &LinkedBody {
        self.body.get().expect("code is linked before it is made to run")
    }
}

impl LinkedBody {
    fn new(ec: &Ec, iseq: &Iseq) -> LinkedBody {
        let vm = ec.vm();
        let names = encoding(iseq.flags.encoding_name());
        let intern = |name: &[u8]| vm.intern_bytes(name, names);
        let symbols: Box<[SymbolId]> = iseq.symbols().map(intern).collect();
        let table = vm.primitives.get();
        let primitives = if iseq.flags.is_core || iseq.flags.marks_strings {
            symbols.iter().map(|s| table.and_then(|t| t.0.get(s).copied())).collect()
        } else {
            Box::default()
        };
        LinkedBody {
            literals: iseq.literals().map(|l| literal(ec, l)).collect(),
            sites: iseq.sites().map(|s| site(s, &intern)).collect(),
            keywords: iseq.params.keywords.iter().map(|k| intern(&k.name)).collect(),
            children: (0..iseq.child_count()).map(|_| OncePointer::new()).collect(),
            locals: OncePointer::new(),
            symbols,
            primitives,
        }
    }
}

impl LinkedBody {
    fn memsize(&self) -> usize {
        let names = |site: &LinkedSite| match site {
            LinkedSite::Call(call) => size_of_val(&*call.keywords),
            LinkedSite::Constant(path) => size_of_val(&**path),
            LinkedSite::Variable(_) | LinkedSite::Once(_) => 0,
        };
        size_of::<LinkedBody>()
            + size_of_val(&*self.literals)
            + size_of_val(&*self.symbols)
            + size_of_val(&*self.sites)
            + self.sites.iter().map(names).sum::<usize>()
            + size_of_val(&*self.keywords)
            + size_of_val(&*self.primitives)
            + size_of_val(&*self.children)
            + self.locals.get().map_or(0, |locals| size_of::<Locals>() + size_of_val(&*locals.list))
    }
}

impl LinkedIseq {
    pub fn new(iseq: impl Into<IseqRef>) -> Arc<LinkedIseq> {
        Arc::new(LinkedIseq { iseq: iseq.into(), body: OncePointer::new() })
    }

    /// `ruby2_keywords`: false if the parameters do not allow it.
    pub fn set_ruby2_keywords(&self) -> bool {
        let params = &self.iseq.params;
        let fits = params.has_rest && !params.takes_keywords() && params.post == 0;
        if fits {
            self.iseq.notes.ruby2_keywords.store(true, Ordering::Relaxed);
        }
        fits
    }

    /// Whether keywords that end up in the rest parameter come as a hash that a later splat passes on as keywords.
    pub(crate) fn passes_keywords_on(&self) -> bool {
        self.iseq.flags.ruby2_keywords || self.iseq.notes.ruby2_keywords.load(Ordering::Relaxed)
    }

    /// Resolves names and makes literals, once. Allocates; does not poll.
    pub(crate) fn link(&self, ec: &Ec) {
        self.body.get_or_init(|| {
            let body = ec.unrecorded(|| LinkedBody::new(ec, &self.iseq));
            // Entries, copies of them and enclosing code share this iseq: no barrier could name all that may be old.
            body.literals.iter().for_each(|literal| ec.heap().keep_once(*literal));
            Box::new(body)
        });
    }

    /// What the code takes beside the bytes that it was read from, as far as it was read.
    pub fn memsize(&self) -> usize {
        let iseq = self.iseq.existing().map_or(0, Iseq::memsize);
        size_of::<LinkedIseq>() + iseq + self.body.get().map_or(0, |body| body.memsize())
    }

    /// The locals, by name.
    pub(crate) fn locals(&self, ec: &Ec) -> &Locals {
        self.locals.get_or_init(|| Box::new(Locals::new(ec, &self.iseq)))
    }

    pub(crate) fn child(&self, index: usize) -> Arc<LinkedIseq> {
        self.children[index].share_or_init(|| LinkedIseq::new(self.iseq.child(index)))
    }

    pub(crate) fn call_site(&self, index: usize) -> &CallSite {
        match &self.sites[index] {
            LinkedSite::Call(site) => site,
            other => unreachable!("site {index} is {other:?}"),
        }
    }

    pub(crate) fn variable(&self, index: usize) -> SymbolId {
        match self.sites[index] {
            LinkedSite::Variable(name) => name,
            ref other => unreachable!("site {index} is {other:?}"),
        }
    }

    /// Adds what this code and the code inside it takes, but for what was seen before.
    pub(crate) fn count(&self, bytes: &mut CodeBytes, seen: &mut FxHashSet<usize>) {
        if !seen.insert(std::ptr::from_ref(self).addr()) {
            return;
        }
        let unit = self.iseq.unit();
        if seen.insert(Arc::as_ptr(unit).addr()) {
            bytes.packed += unit.memsize();
        }
        bytes.instructions += self.iseq.existing().map_or(0, Iseq::memsize);
        bytes.linked += size_of::<LinkedIseq>();
        if let Some(body) = self.body.get() {
            bytes.linked += body.memsize();
            body.children.iter().filter_map(OncePointer::get).for_each(|child| child.count(bytes, seen));
        }
    }

    /// Literal objects of this code and of all code inside it that was linked.
    pub(crate) fn references(&self, mark: &mut dyn FnMut(Value)) {
        let Some(body) = self.body.get() else { return };
        body.literals.iter().for_each(|v| mark(*v));
        body.children.iter().filter_map(OncePointer::get).for_each(|c| c.references(mark));
    }
}

fn site(site: SiteView<'_>, intern: &dyn Fn(&[u8]) -> SymbolId) -> LinkedSite {
    match site {
        SiteView::Call(call) => LinkedSite::Call(CallSite {
            name: intern(call.name),
            argc: call.argc,
            flags: call.flags,
            keywords: call.keywords.map(intern).collect(),
            block: call.block,
        }),
        SiteView::InstanceVariable(name) | SiteView::ClassVariable(name) => LinkedSite::Variable(intern(name)),
        SiteView::Constant(path) => LinkedSite::Constant(path.map(intern).collect()),
        SiteView::Once(child) => LinkedSite::Once(child),
    }
}

/// The encoding that a literal names.
pub(crate) fn encoding(name: &str) -> EncodingIndex {
    EncodingIndex::find_by_name(name.as_bytes()).unwrap_or(EncodingIndex::UTF_8)
}

/// The object of a literal: an immediate, or frozen and shareable. Arrays and hashes are templates to be copied, unless
/// they are to be frozen.
fn literal(ec: &Ec, view: LiteralView<'_>) -> Value {
    match view {
        LiteralView::Nil => Value::NIL,
        LiteralView::True => Value::TRUE,
        LiteralView::False => Value::FALSE,
        LiteralView::Integer(i) => ec.int(i),
        LiteralView::BigInteger(digits) => big(ec, digits),
        LiteralView::Float(f) => ec.float(f),
        LiteralView::String(bytes, name) => ec.fstring(bytes, encoding(name)).value(),
        LiteralView::Symbol(bytes, name) => Value::symbol(ec.vm().intern_bytes(bytes, encoding(name))),
        LiteralView::Rational(numerator, denominator) => rational(ec, numerator, denominator),
        LiteralView::Imaginary(part) => {
            let imaginary = literal(ec, *part);
            new_pair(ec, HeapType::Complex, Value::fixnum_unchecked(0), imaginary, 0)
        }
        LiteralView::Range(begin, end, excludes) => {
            let (begin, end) = (literal(ec, *begin), literal(ec, *end));
            new_pair(ec, HeapType::Range, begin, end, if excludes { flags::RANGE_EXCLUDE_END } else { 0 })
        }
        LiteralView::Regexp(source, options, name) => regexp(ec, source, options, encoding(name)),
        LiteralView::Array(elements) => {
            let array = Array::new(ec, elements.len());
            elements.for_each(|element| array.push(ec, literal(ec, element)));
            ec.freeze(array.value());
            array.value()
        }
        LiteralView::Hash(pairs) => hash_template(ec, pairs),
    }
}

fn big(ec: &Ec, digits: &str) -> Value {
    ec.bigint(number(digits))
}

fn number(digits: &str) -> num_bigint::BigInt {
    digits.parse().expect("the parser gives decimal digits")
}

/// The parser reduces small numbers only.
fn rational(ec: &Ec, numerator: &str, denominator: &str) -> Value {
    let ratio = Ratio::new(number(numerator), number(denominator)).expect("a power of ten is not zero");
    new_pair(ec, HeapType::Rational, ec.bigint(ratio.numerator), ec.bigint(ratio.denominator), 0)
}

/// The hash that a literal's are copies of. Templates are frozen: Ractors read them at once, and programs find them with
/// `each_object`.
fn hash_template(ec: &Ec, pairs: LiteralList<'_>) -> Value {
    let template = Hash::with_capacity(ec, pairs.len() / 2);
    for (key, value) in pairs.pairs() {
        template.set_plain(ec, literal(ec, key), literal(ec, value));
    }
    ec.freeze(template.value());
    template.value()
}

fn regexp(ec: &Ec, source: &[u8], options: u8, encoding: EncodingIndex) -> Value {
    let source = Str::new(ec, source, encoding, CodeRange::Unknown);
    match ec.vm().hooks().new_regexp {
        // A literal that the engine refuses raises when it is evaluated: the hook leaves nil here.
        Some(new) => new(ec, source, options),
        None => Value::NIL,
    }
}

/// A Range, Rational or Complex of two parts.
pub(crate) fn new_pair(ec: &Ec, kind: HeapType, first: Value, second: Value, extra: u64) -> Value {
    let known = ec.vm().known();
    let class = match kind {
        HeapType::Range => known.range,
        HeapType::Rational => known.rational,
        _ => known.complex,
    };
    new_pair_of(ec, class, kind, first, second, extra | flags::FROZEN)
}

pub(crate) fn new_pair_of(
    ec: &Ec,
    class: crate::Class,
    kind: HeapType,
    first: Value,
    second: Value,
    extra: u64,
) -> Value {
    let pool = pool_for(size_of::<RPair>()).expect("fits a slot");
    let slot = ec.new_slot_in(kind, pool, Mold::of(class), extra);
    // SAFETY: the slot is fresh and holds an RPair.
    unsafe {
        let pair = slot.cast::<RPair>().as_ptr();
        (*pair).first = first;
        (*pair).second = second;
    }
    // SAFETY: the slot is initialised.
    unsafe { Value::from_heap(slot) }
}

impl Ec {
    pub fn new_range(&self, begin: Value, end: Value, excludes_end: bool) -> Value {
        new_pair(self, HeapType::Range, begin, end, if excludes_end { flags::RANGE_EXCLUDE_END } else { 0 })
    }

    /// The header of such a range.
    pub(crate) fn range_header(&self, excludes_end: bool) -> u64 {
        let pool = pool_for(size_of::<RPair>()).expect("fits a slot");
        let extra = if excludes_end { flags::RANGE_EXCLUDE_END } else { 0 } | flags::FROZEN;
        Header::new(HeapType::Range, pool, self.vm().known().range.root_shape(), extra).bits()
    }

    pub fn new_range_of(&self, class: crate::Class) -> Value {
        new_pair_of(self, class, HeapType::Range, Value::UNDEF, Value::NIL, 0)
    }

    pub fn new_rational(&self, numerator: Value, denominator: Value) -> Value {
        new_pair(self, HeapType::Rational, numerator, denominator, 0)
    }

    pub fn new_complex(&self, real: Value, imaginary: Value) -> Value {
        new_pair(self, HeapType::Complex, real, imaginary, 0)
    }

    /// A Complex of a class that a program derived.
    pub fn new_complex_of(&self, class: crate::Class, real: Value, imaginary: Value) -> Value {
        new_pair_of(self, class, HeapType::Complex, real, imaginary, flags::FROZEN)
    }

    /// Both parts of a Range, Rational or Complex.
    pub fn pair_of(&self, value: Value, kind: HeapType) -> Option<(Value, Value)> {
        if !value.is_type(kind) || !matches!(kind, HeapType::Range | HeapType::Rational | HeapType::Complex) {
            return None;
        }
        // SAFETY: objects of these types are RPairs.
        unsafe {
            let pair = value.as_ptr::<RPair>();
            Some(((*pair).first, (*pair).second))
        }
    }

    /// Replaces both parts of a Range, Rational or Complex that nobody else knows yet.
    pub fn set_pair(&mut self, value: Value, first: Value, second: Value) {
        let is_pair = [HeapType::Range, HeapType::Rational, HeapType::Complex].into_iter().any(|k| value.is_type(k));
        assert!(is_pair, "an object of two parts");
        // SAFETY: checked to be an RPair.
        unsafe {
            let pair = value.as_ptr::<RPair>();
            (*pair).first = first;
            (*pair).second = second;
        }
        self.wrote(value);
    }

    /// Begin, end and whether the end is excluded.
    pub fn range_of(&self, value: Value) -> Option<(Value, Value, bool)> {
        let (begin, end) = self.pair_of(value, HeapType::Range)?;
        Some((begin, end, value.header().is_some_and(|h| h.has(flags::RANGE_EXCLUDE_END))))
    }

    /// Fills a range made by `allocate`, once.
    pub fn initialize_range(&self, range: Value, begin: Value, end: Value, excludes_end: bool) {
        assert!(range.is_type(HeapType::Range), "a Range");
        // SAFETY: checked to be a Range.
        unsafe {
            let pair = range.as_ptr::<RPair>();
            (*pair).first = begin;
            (*pair).second = end;
        }
        let header = range.header().expect("a heap object");
        header.replace(flags::RANGE_EXCLUDE_END, if excludes_end { flags::RANGE_EXCLUDE_END } else { 0 });
        self.wrote(range);
    }
}
