//! Numbers, symbols, arrays, hashes, ranges and the keywords that stand for values.

use crate::arguments::Same;
use crate::compiler::Compiler;
use crate::emit::{Dst, Reg};
use carat_iseq::{EncodingName, Literal, Op};
use ruby_prism as pm;

/// More elements than this are gathered in several instructions, to keep frames small.
const CHUNK: usize = 200;

/// Decimal digits of 32-bit limbs, least significant first.
fn decimal(limbs: &[u32]) -> String {
    let mut limbs = limbs.to_vec();
    let mut groups = Vec::new();
    while limbs.iter().any(|&limb| limb != 0) {
        let mut remainder = 0_u64;
        for limb in limbs.iter_mut().rev() {
            let value = remainder << 32 | u64::from(*limb);
            *limb = (value / 1_000_000_000) as u32;
            remainder = value % 1_000_000_000;
        }
        groups.push(remainder);
    }
    let Some(first) = groups.pop() else { return "0".to_owned() };
    groups.iter().rev().fold(first.to_string(), |digits, group| digits + &format!("{group:09}"))
}

fn signed_decimal(integer: &pm::Integer<'_>) -> Box<str> {
    let (negative, limbs) = integer.to_u32_digits();
    let digits = decimal(limbs);
    if negative { format!("-{digits}").into() } else { digits.into() }
}

fn small(integer: &pm::Integer<'_>) -> Option<i64> {
    let (negative, limbs) = integer.to_u32_digits();
    let value = limbs.iter().rev().try_fold(0_i64, |value, &limb| {
        value.checked_mul(1 << 32).and_then(|value| value.checked_add(i64::from(limb)))
    })?;
    // A fixnum has 63 bits.
    (value < 1 << 62).then_some(if negative { -value } else { value })
}

pub(crate) fn integer_literal(integer: &pm::Integer<'_>) -> Literal {
    small(integer).map_or_else(|| Literal::BigInteger(signed_decimal(integer)), Literal::Integer)
}

/// Whether no Ruby code is asked what the key's hash is.
fn is_plain_key(key: &Literal) -> bool {
    use Literal::{False, Float, Integer, Nil, Symbol, True};
    matches!(key, Integer(_) | Float(_) | Symbol(..) | Nil | True | False)
}

/// How many statements behind a hash literal are looked at.
const LOOKED_AHEAD: usize = 16;

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn nil_value(&mut self, _: &pm::NilNode<'pr>, dst: Dst) {
        self.f.nil_if(dst);
    }

    pub(crate) fn true_value(&mut self, _: &pm::TrueNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            self.f.abc(Op::puttrue, dst, 0, 0);
        }
    }

    pub(crate) fn false_value(&mut self, _: &pm::FalseNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            self.f.abc(Op::putfalse, dst, 0, 0);
        }
    }

    /// A literal that is one immutable object.
    pub(crate) fn static_literal(&self, node: &pm::Node<'pr>) -> Option<Literal> {
        Some(match node {
            pm::Node::NilNode { .. } => Literal::Nil,
            pm::Node::TrueNode { .. } => Literal::True,
            pm::Node::FalseNode { .. } => Literal::False,
            pm::Node::IntegerNode { .. } => integer_literal(&node.as_integer_node()?.value()),
            pm::Node::FloatNode { .. } => Literal::Float(node.as_float_node()?.value()),
            pm::Node::RationalNode { .. } => rational_literal(&node.as_rational_node()?),
            pm::Node::ImaginaryNode { .. } => {
                Literal::Imaginary(Box::new(self.static_literal(&node.as_imaginary_node()?.numeric())?))
            }
            pm::Node::SymbolNode { .. } => self.symbol_literal(&node.as_symbol_node()?),
            pm::Node::StringNode { .. } => {
                let string = node.as_string_node()?;
                return string.is_frozen().then(|| self.string_literal(&string));
            }
            pm::Node::RangeNode { .. } => return self.range_literal(&node.as_range_node()?),
            _ => return None,
        })
    }

    fn range_literal(&self, node: &pm::RangeNode<'pr>) -> Option<Literal> {
        let end = |node: Option<pm::Node<'pr>>| match node {
            None => Some(Literal::Nil),
            Some(node) => match node {
                pm::Node::IntegerNode { .. } | pm::Node::NilNode { .. } => self.static_literal(&node),
                _ => None,
            },
        };
        Some(Literal::Range(Box::new(end(node.left())?), Box::new(end(node.right())?), node.is_exclude_end()))
    }

    fn put_static(&mut self, node: &pm::Node<'pr>, dst: Dst) {
        let Some(dst) = dst else { return };
        match self.static_literal(node).expect("a literal") {
            Literal::Integer(value) if i32::try_from(value).is_ok() => self.f.put_integer(dst, value as i32),
            literal => self.f.put_literal(dst, literal),
        }
    }

    pub(crate) fn integer(&mut self, node: &pm::IntegerNode<'pr>, dst: Dst) {
        self.put_static(&node.as_node(), dst);
    }

    pub(crate) fn float(&mut self, node: &pm::FloatNode<'pr>, dst: Dst) {
        self.put_static(&node.as_node(), dst);
    }

    pub(crate) fn rational(&mut self, node: &pm::RationalNode<'pr>, dst: Dst) {
        self.put_static(&node.as_node(), dst);
    }

    pub(crate) fn imaginary(&mut self, node: &pm::ImaginaryNode<'pr>, dst: Dst) {
        self.put_static(&node.as_node(), dst);
    }

    pub(crate) fn symbol(&mut self, node: &pm::SymbolNode<'pr>, dst: Dst) {
        self.put_static(&node.as_node(), dst);
    }

    fn symbol_literal(&self, node: &pm::SymbolNode<'pr>) -> Literal {
        let encoding = if node.is_forced_us_ascii_encoding() {
            "US-ASCII"
        } else {
            self.encoding_of(node.is_forced_utf8_encoding(), node.is_forced_binary_encoding())
        };
        Literal::Symbol(node.unescaped().into(), encoding)
    }

    pub(crate) fn encoding_of(&self, utf8: bool, binary: bool) -> EncodingName {
        match (utf8, binary) {
            (true, _) => "UTF-8",
            (_, true) => "ASCII-8BIT",
            _ => self.encoding,
        }
    }

    /// A symbol named by the source's own bytes (a keyword or parameter).
    pub(crate) fn put_symbol(&mut self, name: &[u8], dst: Reg) {
        let encoding = if name.is_ascii() { "US-ASCII" } else { self.encoding };
        self.f.put_literal(dst, Literal::Symbol(name.into(), encoding));
    }

    pub(crate) fn range(&mut self, node: &pm::RangeNode<'pr>, dst: Dst) {
        if let Some(literal) = self.range_literal(node) {
            if let Some(dst) = dst {
                self.f.put_literal(dst, literal);
            }
            return;
        }
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let left = c.held_or_nil(node.left(), node.right());
            let right = c.held_or_nil(node.right(), None);
            c.at(&node.location());
            c.f.nabc(Op::newrange, u8::from(node.is_exclude_end()), target, left, right);
        });
    }

    fn held_or_nil(&mut self, node: Option<pm::Node<'pr>>, later: Option<pm::Node<'pr>>) -> Reg {
        match (node, later) {
            (Some(node), Some(later)) => self.held_before(&node, &[&later]),
            (Some(node), None) => self.held(&node),
            (None, _) => {
                let dst = self.f.next_temp;
                self.f.nil(dst);
                self.f.hold(dst);
                dst
            }
        }
    }

    pub(crate) fn array(&mut self, node: &pm::ArrayNode<'pr>, dst: Dst) {
        if let Some(dst) = dst
            && let Some(literals) = self.static_literals(&node.elements())
        {
            return self.literal_array(literals, dst);
        }
        let elements: Vec<_> = node.elements().iter().collect();
        match dst {
            Some(dst) => self.array_of_values(&elements, dst),
            None if !node.is_contains_splat() => elements.iter().for_each(|element| self.effect(element)),
            None => self.array_of_values(&elements, self.f.next_temp),
        }
    }

    /// The elements, if all are literals. Tables of hundreds of thousands of numbers are common in generated parsers: nothing is
    /// kept of them beside the literals.
    fn static_literals(&self, elements: &pm::NodeList<'pr>) -> Option<Vec<Literal>> {
        self.static_literal(&elements.iter().next()?)?;
        let mut literals = Vec::with_capacity(elements.len());
        for element in elements {
            literals.push(self.static_literal(&element)?);
        }
        Some(literals)
    }

    fn literal_array(&mut self, literals: Vec<Literal>, dst: Reg) {
        self.f.copy_literal(Op::duparray, dst, Literal::Array(literals));
    }

    /// An array or hash of which nothing has to be computed.
    pub(crate) fn container_literal(&self, node: &pm::Node<'pr>) -> Option<Literal> {
        if let Some(array) = node.as_array_node() {
            let elements = array.elements();
            return if elements.is_empty() { Some(Vec::new()) } else { self.static_literals(&elements) }
                .map(Literal::Array);
        }
        let elements: Vec<_> = node.as_hash_node()?.elements().iter().collect();
        if elements.is_empty() { Some(Vec::new()) } else { self.literal_pairs(&elements) }.map(Literal::Hash)
    }

    /// An array of values and splats.
    pub(crate) fn array_of(&mut self, elements: &[pm::Node<'pr>], dst: Reg) {
        let literals: Option<Vec<_>> = elements.iter().map(|element| self.static_literal(element)).collect();
        match literals.filter(|literals| !literals.is_empty()) {
            Some(literals) => self.literal_array(literals, dst),
            None => self.array_of_values(elements, dst),
        }
    }

    /// As [`Compiler::array_of`], of elements that are not all literals.
    fn array_of_values(&mut self, elements: &[pm::Node<'pr>], dst: Reg) {
        if let Some((keywords, others)) = elements.split_last().filter(|(last, _)| is_keyword_splats(last)) {
            return self.build(Some(dst), |c, target| {
                c.scoped(|c| {
                    c.array_of(others, target);
                    c.f.hold(target);
                    let hash = c.operand(keywords);
                    c.f.nabc(Op::pusharray, 1, target, hash, 0);
                });
            });
        }
        let has_splat = elements.iter().any(|element| element.as_splat_node().is_some());
        if !has_splat && elements.len() <= CHUNK {
            return self.newarray(elements, dst);
        }
        self.build(Some(dst), |c, target| c.scoped(|c| c.gather(elements, target)));
    }

    fn newarray(&mut self, elements: &[pm::Node<'pr>], dst: Reg) {
        self.scoped(|c| {
            let first = c.f.next_temp;
            c.f.reserve(first + 1);
            for element in elements {
                c.push(element);
            }
            c.f.abc(Op::newarray, dst, first, elements.len() as u16);
        });
    }

    fn gather(&mut self, elements: &[pm::Node<'pr>], target: Reg) {
        let mut rest = elements;
        if rest[0].as_splat_node().is_some() {
            self.splat_value(&rest[0], target);
            self.at_node(&rest[0]);
            self.f.nabc(Op::splatarray, 1, target, target, 0);
            rest = &rest[1..];
        } else {
            let run = run_length(rest);
            self.newarray(&rest[..run], target);
            rest = &rest[run..];
        }
        self.f.hold(target);
        while let Some(first) = rest.first() {
            let temp = self.f.next_temp;
            if first.as_splat_node().is_some() {
                self.splat_value(first, temp);
                self.at_node(first);
                self.f.abc(Op::concatarray, target, temp, 0);
                rest = &rest[1..];
                continue;
            }
            let run = run_length(rest);
            if run == 1 {
                let value = self.operand(first);
                self.f.abc(Op::pusharray, target, value, 0);
            } else {
                self.newarray(&rest[..run], temp);
                self.f.abc(Op::concatarray, target, temp, 0);
            }
            rest = &rest[run..];
        }
    }

    /// Notes how many pairs the statements behind one put into the hash literal that it assigns to a local, so that it is made with
    /// room for them: `h = { a: 1 }; h[:b] = 2`.
    pub(crate) fn look_ahead(&mut self, statement: &pm::Node<'pr>, behind: &[pm::Node<'pr>]) {
        self.pairs_to_come = 0;
        let Some(write) = statement.as_local_variable_write_node() else { return };
        if write.value().as_hash_node().is_some() {
            let name = write.name();
            let next = behind.iter().take(LOOKED_AHEAD);
            self.pairs_to_come = next.filter(|node| puts_pair(node, name.as_slice())).count() as u8;
        }
    }

    pub(crate) fn hash(&mut self, node: &pm::HashNode<'pr>, dst: Dst) {
        let more = std::mem::take(&mut self.pairs_to_come);
        let target = self.scratch_or(dst);
        let elements: Vec<_> = node.elements().iter().collect();
        if more != 0 && elements.len() <= CHUNK / 2 && elements.iter().all(|element| element.as_assoc_node().is_some())
        {
            return self.newhash(&elements, target, more);
        }
        self.hash_of(&elements, target);
    }

    /// Keywords where no call takes them: `[a: 1]`.
    pub(crate) fn keyword_hash(&mut self, node: &pm::KeywordHashNode<'pr>, dst: Dst) {
        let target = self.scratch_or(dst);
        self.hash_of(&node.elements().iter().collect::<Vec<_>>(), target);
    }

    /// Key and value of a pair that a template can have.
    fn literal_pair(&self, node: &pm::Node<'pr>) -> Option<(Literal, Literal)> {
        let assoc = node.as_assoc_node()?;
        let key = match assoc.key().as_string_node() {
            Some(string) => self.string_literal(&string),
            None => self.static_literal(&assoc.key()).filter(is_plain_key)?,
        };
        Some((key, self.static_literal(&assoc.value())?))
    }

    /// The pairs, if a template can have all of them.
    fn literal_pairs(&self, elements: &[pm::Node<'pr>]) -> Option<Vec<(Literal, Literal)>> {
        self.literal_pair(elements.first()?)?;
        let mut pairs = Vec::with_capacity(elements.len());
        for element in elements {
            pairs.push(self.literal_pair(element)?);
        }
        Some(pairs)
    }

    pub(crate) fn hash_of(&mut self, elements: &[pm::Node<'pr>], dst: Reg) {
        if let Some(pairs) = self.literal_pairs(elements) {
            return self.f.copy_literal(Op::duphash, dst, Literal::Hash(pairs));
        }
        let has_splat = elements.iter().any(|element| element.as_assoc_node().is_none());
        if !has_splat && elements.len() <= CHUNK / 2 {
            return self.newhash(elements, dst, 0);
        }
        self.build(Some(dst), |c, target| c.scoped(|c| c.gather_pairs(elements, target)));
    }

    /// With room for `more` pairs that come soon.
    fn newhash(&mut self, elements: &[pm::Node<'pr>], dst: Reg, more: u8) {
        self.scoped(|c| {
            let first = c.f.next_temp;
            c.f.reserve(first + 1);
            for element in elements {
                c.push_pair(&element.as_assoc_node().expect("no splat"));
            }
            c.f.nabc(Op::newhash, more, dst, first, elements.len() as u16 * 2);
        });
    }

    /// Pushes a key and its value. A literal string as key is the frozen one, which the hash would copy it to.
    fn push_pair(&mut self, assoc: &pm::AssocNode<'pr>) -> (Reg, Reg) {
        let key = match assoc.key().as_string_node() {
            Some(string) => {
                let dst = self.f.next_temp;
                let literal = self.string_literal(&string);
                self.f.put_literal(dst, literal);
                self.f.hold(dst);
                dst
            }
            None => self.push(&assoc.key()),
        };
        (key, self.push(&assoc.value()))
    }

    fn gather_pairs(&mut self, elements: &[pm::Node<'pr>], target: Reg) {
        let plain = elements.iter().take_while(|element| element.as_assoc_node().is_some()).count();
        let first = plain.min(CHUNK / 2);
        self.newhash(&elements[..first], target, 0);
        self.f.hold(target);
        for element in &elements[first..] {
            self.scoped(|c| match element.as_assoc_node() {
                Some(assoc) => {
                    let (key, value) = c.push_pair(&assoc);
                    c.f.abc(Op::hashset, target, key, value);
                }
                None => {
                    let value = c.f.next_temp;
                    c.double_splat_value(&element.as_assoc_splat_node().expect("a double splat"), value);
                    c.at_node(&element.as_same());
                    c.f.abc(Op::concathash, target, value, 0);
                }
            });
        }
    }

    pub(crate) fn implicit(&mut self, node: &pm::ImplicitNode<'pr>, dst: Dst) {
        self.compile(&node.value(), dst);
    }

    pub(crate) fn embedded_statements(&mut self, node: &pm::EmbeddedStatementsNode<'pr>, dst: Dst) {
        let only = node.statements().map(|statements| statements.body()).filter(|body| body.len() == 1);
        match only.and_then(|body| body.first()) {
            // Tracing takes a single expression for no statement.
            Some(only) => {
                self.at_node(&only);
                self.compile(&only, dst);
            }
            None => self.statements_or_nil(node.statements(), dst),
        }
    }

    pub(crate) fn embedded_variable(&mut self, node: &pm::EmbeddedVariableNode<'pr>, dst: Dst) {
        self.compile(&node.variable(), dst);
    }

    pub(crate) fn source_line(&mut self, node: &pm::SourceLineNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            self.f.put_integer(dst, self.lines.start(&node.location()));
        }
    }

    /// `__ENCODING__` is a constant of Encoding.
    pub(crate) fn source_encoding(&mut self, _: &pm::SourceEncodingNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            let name = self.encoding.to_ascii_uppercase().replace('-', "_");
            self.get_constant(&[b"", b"Encoding", name.as_bytes()], dst);
        }
    }
}

/// How many elements before the next splat go into one `newarray`.
fn run_length(elements: &[pm::Node<'_>]) -> usize {
    elements.iter().take_while(|element| element.as_splat_node().is_none()).count().min(CHUNK)
}

fn rational_literal(node: &pm::RationalNode<'_>) -> Literal {
    Literal::Rational(signed_decimal(&node.numerator()), signed_decimal(&node.denominator()))
}

/// `**a, **b` at the end of an array, which adds no element if there are no keywords.
fn is_keyword_splats(node: &pm::Node<'_>) -> bool {
    node.as_keyword_hash_node()
        .is_some_and(|hash| hash.elements().iter().all(|element| element.as_assoc_splat_node().is_some()))
}

/// Whether a statement, or the one that it guards, puts a pair into the hash in a local. The key is a literal, so that one in a loop is
/// the same each time.
fn puts_pair(node: &pm::Node<'_>, local: &[u8]) -> bool {
    if let Some(guarded) = only_of(node) {
        return puts_pair(&guarded, local);
    }
    let Some(call) = node.as_call_node().filter(|call| call.name().as_slice() == b"[]=") else { return false };
    let receiver = call.receiver().and_then(|receiver| receiver.as_local_variable_read_node());
    let key = call.arguments().and_then(|arguments| arguments.arguments().first());
    receiver.is_some_and(|receiver| receiver.name().as_slice() == local)
        && key.is_some_and(|key| key.as_symbol_node().is_some() || key.as_string_node().is_some())
}

/// The one statement that an `if` or `unless` without other branches guards.
fn only_of<'pr>(node: &pm::Node<'pr>) -> Option<pm::Node<'pr>> {
    let guarded = match (node.as_if_node(), node.as_unless_node()) {
        (Some(node), _) if node.subsequent().is_none() => node.statements(),
        (_, Some(node)) if node.else_clause().is_none() => node.statements(),
        _ => None,
    };
    guarded.map(|statements| statements.body()).filter(|body| body.len() == 1).and_then(|body| body.first())
}
