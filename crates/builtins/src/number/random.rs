//! `Random`, `rand` and `srand`.
//!
//! Every Ractor has a default generator, made when it is first drawn from. It serves `Kernel#rand`, the methods of the class
//! `Random` itself and `Primitive.random_int`, from which shuffles and samples draw.
//!
//! # Not here
//! `Random::Formatter` for other sources of bytes: `core/random_formatter.rb`.

use crate::collection::range::range_parts;
use crate::number::integer::operand::{Operand, integer_value, is_negative, text_int};
use carat_text::mt19937::{self, Mt19937};
use carat_text::number::Int as TextInt;
use carat_vm::leaf::{Leaf, LeafOf, LeafRow};
use carat_vm::{Array, Class, Data, Ec, NativeData, Result, Str, Unwind, Value, methods, primitives, sym};
use num_bigint::{BigInt, BigUint, Sign};

methods! {
    BASE {
        private "initialize" => initialize;
        "rand" => rand;
        "bytes" => bytes;
        "seed" => seed;
    }
    METHODS {
        private "initialize_copy" => initialize_copy;
        private "marshal_dump" => marshal_dump;
        private "marshal_load" => marshal_load;
        private "state" => state;
        private "left" => left;
        "random_number" => random_number;
        "==" => equal;
        static "rand" => default_rand;
        static "random_number" => default_random_number;
        static "bytes" => default_bytes;
        static "seed" => default_seed;
        static "new_seed" => new_seed;
        static "srand" => srand;
        static "urandom" => urandom;
    }
    KERNEL {
        module_function "rand" => kernel_rand;
        module_function "srand" => srand;
    }
}

primitives! {
    PRIMITIVES {
        "random_int" => random_int;
        "random_shuffle!" => shuffle;
        "random_sample" => sample;
        "random_sampled" => sampled;
    }
}

/// Without a limit, or with a small positive one.
pub(crate) static LEAVES: &[LeafRow] = &[
    (LeafOf::Method(KERNEL, "rand"), Leaf::new(|ec: &mut Ec, _: Value| Some(fraction(ec, Source::Default)))),
    (LeafOf::Method(METHODS, "rand"), Leaf::new(|ec: &mut Ec, _: Value| Some(fraction(ec, Source::Default)))),
    (LeafOf::Method(KERNEL, "rand"), Leaf::new(|ec: &mut Ec, _: Value, limit: i64| below(ec, Source::Default, limit))),
    (LeafOf::Method(METHODS, "rand"), Leaf::new(|ec: &mut Ec, _: Value, limit: i64| below(ec, Source::Default, limit))),
    (
        LeafOf::Method(BASE, "rand"),
        Leaf::new(|ec: &mut Ec, this: Data<Generator>| Some(fraction(ec, Source::Object(this)))),
    ),
    (
        LeafOf::Method(BASE, "rand"),
        Leaf::new(|ec: &mut Ec, this: Data<Generator>, limit: i64| below(ec, Source::Object(this), limit)),
    ),
];

fn fraction(ec: &mut Ec, source: Source) -> Value {
    let drawn = source.float(ec, true);
    ec.float(drawn)
}

fn below(ec: &mut Ec, source: Source, limit: i64) -> Option<Value> {
    if limit <= 0 {
        return None;
    }
    let drawn = source.draw(ec, |g| g.twister.limited(limit as u64 - 1));
    Some(ec.uint(drawn))
}

pub(crate) fn init(ec: &mut Ec) {
    let known = ec.vm().known();
    let singleton_of = |class: Class| ec.singleton_class_of(class.value()).expect("classes have singleton classes");
    let base = ec.new_class(known.object);
    base.set_allocator(None);
    known.random.set_constant(ec, ec.vm().intern("Base"), base.value());
    let formatter = ec.new_module();
    known.random.set_constant(ec, ec.vm().intern("Formatter"), formatter.value());
    base.include(ec, formatter);
    singleton_of(base).include(ec, formatter);
    known.random.initialize_superclass(ec, base);
    singleton_of(known.random).initialize_superclass(ec, singleton_of(base));
    known.random.set_allocator(Some(|ec, class| Ok(Data::new(ec, class, Generator::of(TextInt::ZERO)).value())));
    base.define_methods(ec, BASE);
    known.random.define_methods(ec, METHODS);
    known.kernel.define_methods(ec, KERNEL);
}

/// A generator and what it was seeded with.
#[derive(Clone)]
struct Generator {
    twister: Mt19937,
    seed: TextInt,
}

impl Generator {
    fn of(seed: TextInt) -> Generator {
        Generator { twister: Mt19937::new(&seed), seed }
    }

    fn seeded_by_system() -> Generator {
        Generator::of(TextInt::from(system_seed()))
    }
}

impl NativeData for Generator {
    const NAME: &'static str = "random/MT";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Whether an object is a generator.
pub(crate) fn is_generator(value: Value) -> bool {
    Data::<Generator>::from_value(value).is_some()
}

/// In a forked child, whose Ractor is the only one: it is not to draw the numbers that its parent draws, not even after `srand`.
pub(crate) fn forget_default(ec: &Ec) {
    *ec.ractor().generator.borrow_mut() = None;
}

/// Where numbers are drawn from.
#[derive(Clone, Copy)]
enum Source {
    Default,
    Object(Data<Generator>),
}

impl Source {
    /// What `random:` names: nothing or `Random`, or a generator of this kind; `None` if its `rand` has to be called.
    fn of(ec: &Ec, random: Value) -> Option<Source> {
        if random == Value::UNDEF || random == ec.vm().known().random.value() {
            return Some(Source::Default);
        }
        Data::from_value(random).map(Source::Object)
    }

    fn draw<T>(self, ec: &mut Ec, from: impl FnOnce(&mut Generator) -> T) -> T {
        match self {
            Source::Object(object) => from(object.get_mut(ec)),
            Source::Default => {
                let mut generator = ec.ractor().generator.borrow_mut();
                let generator = generator.get_or_insert_with(|| Box::new(Generator::seeded_by_system()));
                from(generator.downcast_mut().expect("what is there is a generator"))
            }
        }
    }

    fn float(self, ec: &mut Ec, excludes_one: bool) -> f64 {
        self.draw(ec, |g| if excludes_one { g.twister.next_f64() } else { g.twister.next_f64_inclusive() })
    }

    /// An Integer from 0 to `limit`, included; `None` if that is negative.
    fn integer(self, ec: &mut Ec, limit: Value) -> Option<Value> {
        if is_negative(ec, limit) {
            return None;
        }
        Some(match limit.as_fixnum() {
            Some(limit) => {
                let drawn = self.draw(ec, |g| g.twister.limited(limit as u64));
                ec.uint(drawn)
            }
            None => {
                let limit = text_int(ec, limit);
                let drawn = self.draw(ec, |g| g.twister.limited_int(&limit));
                integer_value(ec, drawn)
            }
        })
    }
}

// ---- seeds ----

/// A seed of 128 bits. Without the system's generator the hasher keys of the standard library do.
fn system_seed() -> BigInt {
    let mut bytes = [0; 16];
    if !carat_os::random::fill(&mut bytes) {
        use std::hash::{BuildHasher, Hasher};
        for half in bytes.chunks_mut(8) {
            half.copy_from_slice(&std::collections::hash_map::RandomState::new().build_hasher().finish().to_ne_bytes());
        }
    }
    BigInt::from_bytes_le(Sign::Plus, &bytes)
}

fn seed_of(ec: &mut Ec, seed: Option<Value>) -> Result<TextInt> {
    match seed {
        None => Ok(TextInt::from(system_seed())),
        Some(seed) => {
            let seed = ec.to_int(seed)?;
            Ok(text_int(ec, seed))
        }
    }
}

fn initialize(ec: &mut Ec, this: Data<Generator>, seed: Option<Value>) -> Result<()> {
    check_frozen(ec, this)?;
    let seed = seed_of(ec, seed)?;
    *this.get_mut(ec) = Generator::of(seed);
    Ok(())
}

fn check_frozen(ec: &mut Ec, this: Data<Generator>) -> Result<()> {
    if ec.is_frozen(this.value()) { Err(ec.frozen_error(this.value())) } else { Ok(()) }
}

fn initialize_copy(ec: &mut Ec, this: Data<Generator>, other: Data<Generator>) -> Result {
    check_frozen(ec, this)?;
    let copy = other.get(ec).clone();
    *this.get_mut(ec) = copy;
    Ok(this.value())
}

fn new_seed(ec: &mut Ec, _class: Value) -> Value {
    ec.bigint(system_seed())
}

fn seed(ec: &mut Ec, this: Data<Generator>) -> Value {
    let seed = this.get(ec).seed.clone();
    integer_value(ec, seed)
}

fn default_seed(ec: &mut Ec, _class: Value) -> Value {
    let seed = Source::Default.draw(ec, |g| g.seed.clone());
    integer_value(ec, seed)
}

/// `srand`: the seed before.
fn srand(ec: &mut Ec, _this: Value, seed: Option<Value>) -> Result {
    let fresh = Generator::of(seed_of(ec, seed)?);
    let old = Source::Default.draw(ec, |g| std::mem::replace(g, fresh));
    Ok(integer_value(ec, old.seed))
}

fn equal(ec: &mut Ec, this: Data<Generator>, other: Value) -> bool {
    let Some(other) = Data::<Generator>::from_value(other) else { return false };
    if ec.class_of(this.value()).real() != ec.class_of(other.value()).real() {
        return false;
    }
    let (a, b) = (this.get(ec), other.get(ec));
    a.seed == b.seed && a.twister == b.twister
}

// ---- state ----

fn state_value(ec: &Ec, generator: &Generator) -> Value {
    let words = BigUint::new(generator.twister.state().to_vec());
    ec.bigint(BigInt::from(words))
}

fn state(ec: &mut Ec, this: Data<Generator>) -> Value {
    state_value(ec, this.get(ec))
}

fn left(ec: &mut Ec, this: Data<Generator>) -> usize {
    this.get(ec).twister.left()
}

fn marshal_dump(ec: &mut Ec, this: Data<Generator>) -> Array {
    let generator = this.get(ec);
    let left = Value::len(generator.twister.left());
    let seed = integer_value(ec, generator.seed.clone());
    Array::from_slice(ec, &[state_value(ec, generator), left, seed])
}

fn marshal_load(ec: &mut Ec, this: Data<Generator>, dump: Array) -> Result {
    if ec.is_frozen(this.value()) {
        return Err(ec.frozen_error(this.value()));
    }
    if dump.len(ec) != 3 {
        return Err(ec.argument_error("wrong dump data"));
    }
    let state = ec.to_bigint(dump.at(ec, 0)).unwrap_or_default();
    let left = ec.to_long(dump.at(ec, 1))?;
    let seed = ec.to_int(dump.at(ec, 2))?;
    let mut words = state.magnitude().to_u32_digits();
    words.resize(words.len().max(624), 0);
    let Some(twister) = usize::try_from(left).ok().and_then(|left| Mt19937::from_state(&words, left)) else {
        return Err(ec.argument_error("wrong value"));
    };
    let seed = text_int(ec, seed);
    *this.get_mut(ec) = Generator { twister, seed };
    Ok(this.value())
}

// ---- numbers ----

/// `Primitive.random_int`: an Integer in `0...limit` from the generator that `random:` names; undef if Ruby has to ask it.
fn random_int(ec: &mut Ec, limit: i64, random: Value) -> Value {
    let Some(source) = Source::of(ec, random) else { return Value::UNDEF };
    let drawn = source.draw(ec, |g| g.twister.limited((limit - 1).max(0) as u64));
    ec.int(drawn as i64)
}

/// `Primitive.random_shuffle!`: puts elements into random order: Fisher-Yates from the end, as CRuby draws its numbers. False if
/// Ruby has to ask the generator.
fn shuffle(ec: &mut Ec, array: Array, random: Value) -> bool {
    let Some(source) = Source::of(ec, random) else { return false };
    let places: Vec<usize> = (0..array.len(ec)).rev().collect();
    let drawn = source
        .draw(ec, |g| -> Vec<usize> { places.iter().map(|place| g.twister.limited(*place as u64) as usize).collect() });
    let elements = array.slice_mut(ec);
    places.into_iter().zip(drawn).for_each(|(place, other)| elements.swap(place, other));
    true
}

/// `Primitive.random_sample`: so many different elements, not more than there are; nil if Ruby has to ask the generator.
fn sample(ec: &mut Ec, array: Array, count: i64, random: Value) -> Option<Array> {
    let source = Source::of(ec, random)?;
    let len = array.len(ec);
    let count = usize::try_from(count).unwrap_or(0).min(len);
    let draw = |g: &mut Generator| -> Vec<usize> {
        (0..count).map(|taken| g.twister.limited((len - taken - 1) as u64) as usize).collect()
    };
    let draws = source.draw(ec, draw);
    Some(elements_at(ec, array, mt19937::sampled(len, draws)))
}

/// `Primitive.random_sampled`: the elements that draws below `len`, `len - 1` and so on stand for. Whoever drew may have made the
/// array shorter: then it is as many elements as are left at most, and none if one of them is gone.
fn sampled(ec: &mut Ec, array: Array, draws: Array, len: i64) -> Array {
    let index = |draw: &Value| draw.as_fixnum().and_then(|draw| usize::try_from(draw).ok()).unwrap_or(0);
    let draws: Vec<usize> = draws.slice_of(ec).iter().map(index).collect();
    let len = usize::try_from(len).unwrap_or(0);
    let left = array.len(ec);
    let is_few = draws.len() <= mt19937::MAX_SORTED_SAMPLE;
    let is_gone = |(first, draw): (usize, &usize)| draw + if is_few { 0 } else { first } >= left;
    if left < len && draws.iter().enumerate().any(is_gone) {
        return Array::new(ec, 0);
    }
    let mut indices = mt19937::sampled(len, draws);
    indices.truncate(left);
    elements_at(ec, array, indices)
}

fn elements_at(ec: &Ec, array: Array, indices: Vec<usize>) -> Array {
    let elements = array.slice_of(ec);
    Array::collect(
        ec,
        indices.len(),
        indices.into_iter().map(|index| elements.get(index).copied().unwrap_or(Value::NIL)),
    )
}

fn rand(ec: &mut Ec, this: Data<Generator>, limit: Option<Value>) -> Result {
    strict(ec, Source::Object(this), limit)
}

fn default_rand(ec: &mut Ec, _class: Value, limit: Option<Value>) -> Result {
    strict(ec, Source::Default, limit)
}

fn random_number(ec: &mut Ec, this: Data<Generator>, limit: Option<Value>) -> Result {
    lenient(ec, Source::Object(this), limit)
}

fn default_random_number(ec: &mut Ec, _class: Value, limit: Option<Value>) -> Result {
    lenient(ec, Source::Default, limit)
}

/// `Random.rand`: limits that nothing is below are errors.
fn strict(ec: &mut Ec, source: Source, limit: Option<Value>) -> Result {
    let Some(limit) = limit else {
        let drawn = source.float(ec, true);
        return Ok(ec.float(drawn));
    };
    match limited(ec, source, limit)? {
        Limited::Drawn(value) => Ok(value),
        Limited::Empty => Err(invalid_argument(ec, limit)),
        Limited::No => {
            ec.to_long(limit)?;
            Err(invalid_argument(ec, limit))
        }
    }
}

/// `random_number`: such limits stand for none at all.
fn lenient(ec: &mut Ec, source: Source, limit: Option<Value>) -> Result {
    match limit.map(|limit| limited(ec, source, limit)).transpose()? {
        Some(Limited::Drawn(value)) => Ok(value),
        Some(Limited::No) => Err(invalid_argument(ec, limit.unwrap_or(Value::NIL))),
        Some(Limited::Empty) | None => {
            let drawn = source.float(ec, true);
            Ok(ec.float(drawn))
        }
    }
}

fn invalid_argument(ec: &mut Ec, limit: Value) -> Unwind {
    match ec.to_s(limit) {
        Ok(text) => {
            let shown = text.to_text(ec);
            ec.argument_error(&format!("invalid argument - {shown}"))
        }
        Err(unwind) => unwind,
    }
}

/// What came of a limit.
enum Limited {
    Drawn(Value),
    /// No number is within it.
    Empty,
    /// It is no limit.
    No,
}

impl From<Option<Value>> for Limited {
    fn from(drawn: Option<Value>) -> Limited {
        drawn.map_or(Limited::Empty, Limited::Drawn)
    }
}

fn limited(ec: &mut Ec, source: Source, limit: Value) -> Result<Limited> {
    if limit.is_nil() {
        return Ok(Limited::Empty);
    }
    if let Some(max) = ec.float_of(limit) {
        return below_float(ec, source, max);
    }
    if let Some(integer) = check_integer(ec, limit)? {
        let top = difference(ec, integer, 1);
        return Ok(source.integer(ec, top).into());
    }
    within(ec, source, limit)
}

fn below_float(ec: &mut Ec, source: Source, max: f64) -> Result<Limited> {
    check_finite(ec, max)?;
    if max < 0.0 {
        return Ok(Limited::Empty);
    }
    let drawn = source.float(ec, true);
    // 0.0 as a limit is no limit.
    Ok(Limited::Drawn(ec.float(if max == 0.0 { drawn } else { drawn * max })))
}

/// `to_int` of what has it.
fn check_integer(ec: &mut Ec, value: Value) -> Result<Option<Value>> {
    if ec.is_integer(value) {
        return Ok(Some(value));
    }
    let converted = ec.call_if_responds(value, sym::TO_INT, &[])?;
    Ok(converted.filter(|v| ec.is_integer(*v)))
}

fn difference(ec: &Ec, integer: Value, less: i64) -> Value {
    match Operand::of(ec, integer) {
        Operand::Small(i) => ec.int(i - less),
        Operand::Big(b) => ec.bigint(b - less),
        _ => integer,
    }
}

/// `Errno::EDOM`
fn domain_error(ec: &mut Ec) -> Unwind {
    crate::object::exception::errno_error(ec, libc::EDOM, "")
}

fn check_finite(ec: &mut Ec, f: f64) -> Result<()> {
    if f.is_finite() { Ok(()) } else { Err(domain_error(ec)) }
}

/// A number in a range, by what its ends are apart.
fn within(ec: &mut Ec, source: Source, range: Value) -> Result<Limited> {
    let Some((first, last, excludes_last)) = range_parts(ec, range)? else { return Ok(Limited::No) };
    if first.is_nil() || last.is_nil() {
        return Err(domain_error(ec));
    }
    if !ec.respond_to(last, sym::MINUS, false)? {
        return Ok(Limited::No);
    }
    let span = ec.call(last, sym::MINUS, &[first])?;
    let is_float = ec.is_float(span);
    let integer = if is_float { None } else { check_integer(ec, span)? };
    let offset = match integer {
        Some(span) => {
            let top = difference(ec, span, i64::from(excludes_last));
            source.integer(ec, top)
        }
        None => return within_floats(ec, source, first, last, excludes_last, span),
    };
    match offset {
        Some(offset) => ec.call(first, sym::PLUS, &[offset]).map(Limited::Drawn),
        None => Ok(Limited::Empty),
    }
}

fn within_floats(
    ec: &mut Ec,
    source: Source,
    first: Value,
    last: Value,
    excludes_last: bool,
    span: Value,
) -> Result<Limited> {
    if !ec.is_a(span, ec.vm().known().numeric) {
        return Ok(Limited::Empty);
    }
    let span = ec.to_float(span)?;
    if span.is_nan() {
        return Err(domain_error(ec));
    }
    if span.is_infinite() {
        return within_huge(ec, source, first, last, excludes_last);
    }
    if span < 0.0 || (span == 0.0 && excludes_last) {
        return Ok(Limited::Empty);
    }
    let offset = if span == 0.0 { 0.0 } else { source.float(ec, excludes_last) * span };
    if !ec.is_a(first, ec.vm().known().numeric) {
        // Times, say, which are so many seconds apart.
        let offset = ec.float(offset);
        return ec.call(first, sym::PLUS, &[offset]).map(Limited::Drawn);
    }
    let first = ec.to_float(first)?;
    Ok(Limited::Drawn(ec.float(offset + first)))
}

/// Ends that are further apart than a double can say: halves of them are not.
fn within_huge(ec: &mut Ec, source: Source, first: Value, last: Value, excludes_last: bool) -> Result<Limited> {
    let (min, max) = (ec.to_float(first)?, ec.to_float(last)?);
    check_finite(ec, min)?;
    check_finite(ec, max)?;
    let (min, max) = (min / 2.0, max / 2.0);
    let (middle, span) = (max + min, max - min);
    if span <= 0.0 {
        return Ok(Limited::Empty);
    }
    let drawn = source.float(ec, excludes_last);
    Ok(Limited::Drawn(ec.float((drawn - 0.5) * span * 2.0 + middle)))
}

/// `Kernel#rand`: negative limits count as positive ones, and what no limit can be made of is cut to an Integer.
fn kernel_rand(ec: &mut Ec, _this: Value, limit: Option<Value>) -> Result {
    let limit = limit.unwrap_or(Value::NIL);
    match within(ec, Source::Default, limit)? {
        Limited::Drawn(value) => return Ok(value),
        Limited::Empty => return Ok(Value::NIL),
        Limited::No => {}
    }
    if !limit.is_nil() {
        let integer = ec.to_int(limit)?;
        let magnitude = if is_negative(ec, integer) { ec.call(integer, sym::UMINUS, &[])? } else { integer };
        let top = difference(ec, magnitude, 1);
        if let Some(drawn) = Source::Default.integer(ec, top) {
            return Ok(drawn);
        }
    }
    let drawn = Source::Default.float(ec, true);
    Ok(ec.float(drawn))
}

// ---- bytes ----

/// A number of bytes for which there is memory twice: where they are drawn, and in the string.
fn check_length(ec: &mut Ec, length: i64) -> Result<usize> {
    match usize::try_from(length) {
        Ok(length) if length < isize::MAX as usize / 2 => ec.ensure_memory(length * 2).map(|()| length),
        _ => Err(ec.argument_error("negative string size (or size too big)")),
    }
}

fn bytes_from(ec: &mut Ec, source: Source, length: i64) -> Result<Str> {
    let mut bytes = vec![0; check_length(ec, length)?];
    source.draw(ec, |g| g.twister.fill_bytes(&mut bytes));
    Ok(Str::binary(ec, &bytes))
}

fn bytes(ec: &mut Ec, this: Data<Generator>, length: i64) -> Result<Str> {
    bytes_from(ec, Source::Object(this), length)
}

fn default_bytes(ec: &mut Ec, _class: Value, length: i64) -> Result<Str> {
    bytes_from(ec, Source::Default, length)
}

/// `Random.urandom`: from the system's generator.
fn urandom(ec: &mut Ec, _class: Value, length: i64) -> Result<Str> {
    let mut bytes = vec![0; check_length(ec, length)?];
    if !carat_os::random::fill(&mut bytes) {
        return Err(ec.runtime_error("failed to get urandom"));
    }
    Ok(Str::binary(ec, &bytes))
}
