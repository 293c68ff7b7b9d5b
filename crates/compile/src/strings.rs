//! String literals, interpolation, symbols and commands made of them.

use crate::arguments::{MANY, Shape};
use crate::compiler::Compiler;
use crate::emit::{Dst, Reg};
use carat_iseq::{EncodingName, Literal, Op};
use ruby_prism as pm;

/// A piece of an interpolated literal.
pub(crate) enum Part<'pr> {
    Text(Vec<u8>, EncodingName),
    Code(pm::Node<'pr>),
}

/// The literal of `#{"literal"}`.
fn embedded_string<'pr>(node: &pm::Node<'pr>) -> Option<pm::StringNode<'pr>> {
    let body = node.as_embedded_statements_node()?.statements()?.body();
    body.first().filter(|_| body.len() == 1)?.as_string_node()
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn string_literal(&self, node: &pm::StringNode<'pr>) -> Literal {
        Literal::String(node.unescaped().into(), self.string_encoding(node))
    }

    fn string_encoding(&self, node: &pm::StringNode<'pr>) -> EncodingName {
        self.encoding_of(node.is_forced_utf8_encoding(), node.is_forced_binary_encoding())
    }

    fn put_string(&mut self, literal: Literal, frozen: bool, mutable: bool, dst: Reg) {
        let op = match (frozen, mutable) {
            (true, _) => Op::putobject,
            (_, true) => Op::putstring,
            _ => Op::putchilledstring,
        };
        self.f.copy_literal(op, dst, literal);
    }

    pub(crate) fn string(&mut self, node: &pm::StringNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            let literal = self.string_literal(node);
            if self.options.marks_strings && !node.is_mutable() {
                return self.marked_string(literal, node.is_frozen(), dst);
            }
            self.put_string(literal, node.is_frozen(), node.is_mutable(), dst);
        }
    }

    /// A literal that remembers where it was made. A frozen one is another object each time, as in CRuby.
    fn marked_string(&mut self, literal: Literal, frozen: bool, dst: Reg) {
        let op = if frozen { Op::putstring } else { Op::putchilledstring };
        self.f.flags.marks_strings = true;
        self.scoped(|c| {
            let made = c.f.next_temp;
            c.f.copy_literal(op, made, literal);
            c.f.hold(made);
            let symbol = c.f.symbol(b"string_mark");
            c.f.nabc(Op::invokeprimitive, 1, dst, made, symbol);
        });
    }

    pub(crate) fn source_file(&mut self, node: &pm::SourceFileNode<'pr>, dst: Dst) {
        if let Some(dst) = dst {
            let literal = Literal::String(self.options.path.as_bytes().into(), "UTF-8");
            self.put_string(literal, node.is_frozen(), node.is_mutable(), dst);
        }
    }

    /// The parts with neighbouring texts joined and nested literals opened.
    fn parts(&self, list: &pm::NodeList<'pr>, parts: &mut Vec<Part<'pr>>) {
        for node in list {
            if let Some(string) = node.as_string_node() {
                self.add_text(parts, string.unescaped(), self.string_encoding(&string));
            } else if let Some(nested) = node.as_interpolated_string_node() {
                self.parts(&nested.parts(), parts);
            } else {
                parts.push(Part::Code(node));
            }
        }
    }

    /// The parts of a pattern, in which a string literal in `#{}` is text like any other. With code among them all text has
    /// the encoding that a letter behind the pattern demands. Each text is shown to `check` by itself.
    pub(crate) fn regexp_parts(
        &self,
        list: &pm::NodeList<'pr>,
        letter: Option<EncodingName>,
        check: &mut impl FnMut(&[u8], EncodingName),
    ) -> Vec<Part<'pr>> {
        let has_code = list.iter().any(|node| node.as_string_node().or_else(|| embedded_string(&node)).is_none());
        let mut parts = Vec::new();
        for node in list {
            let (string, is_embedded) = match node.as_string_node() {
                Some(string) => (Some(string), false),
                None => (embedded_string(&node), true),
            };
            let Some(string) = string else {
                parts.push(Part::Code(node));
                continue;
            };
            let letter = letter.filter(|_| has_code || !is_embedded);
            let encoding = letter.unwrap_or(self.string_encoding(&string));
            check(string.unescaped(), encoding);
            self.add_text(&mut parts, string.unescaped(), encoding);
        }
        parts
    }

    fn add_text(&self, parts: &mut Vec<Part<'pr>>, text: &[u8], encoding: EncodingName) {
        if let Some(Part::Text(last, last_encoding)) = parts.last_mut() {
            let joins = *last_encoding == encoding || text.is_ascii() || last.is_ascii();
            if joins {
                if !text.is_ascii() {
                    *last_encoding = encoding;
                }
                last.extend_from_slice(text);
                return;
            }
        }
        parts.push(Part::Text(text.to_vec(), encoding));
    }

    /// The parts of a literal as strings in consecutive registers: the first of them, and how many.
    pub(crate) fn push_parts(&mut self, list: &pm::NodeList<'pr>) -> (Reg, u16) {
        let mut parts = Vec::new();
        self.parts(list, &mut parts);
        self.push_each(&parts)
    }

    pub(crate) fn push_each(&mut self, parts: &[Part<'pr>]) -> (Reg, u16) {
        let first = self.f.next_temp;
        self.f.reserve(first + 1);
        for part in parts {
            match part {
                Part::Text(text, encoding) => {
                    let dst = self.f.next_temp;
                    self.f.put_literal(dst, Literal::String(text.as_slice().into(), encoding));
                    self.f.hold(dst);
                }
                Part::Code(node) => self.push_interpolated(node),
            }
            self.join_many(first);
        }
        (first, self.f.next_temp - first)
    }

    /// Makes one string of very many, so that they need not all have registers at once.
    fn join_many(&mut self, first: Reg) {
        let count = self.f.next_temp - first;
        if usize::from(count) >= MANY {
            self.f.abc(Op::concatstrings, first, first, count);
            self.f.next_temp = first;
            self.f.hold(first);
        }
    }

    fn push_interpolated(&mut self, node: &pm::Node<'pr>) {
        let local = self.register_of_part(node);
        let part = self.f.next_temp;
        let value = local.unwrap_or_else(|| self.push(node));
        self.at_node(node);
        let converted = self.f.next_temp;
        self.f.abc(Op::objtostring, converted, value, 0);
        self.f.ext(converted, b"to_s", 0, carat_iseq::CallFlags::FCALL);
        self.f.abc(Op::anytostring, part, converted, value);
        self.f.hold(part);
    }

    /// The register of `#{local}`.
    fn register_of_part(&self, node: &pm::Node<'pr>) -> Option<Reg> {
        let body = node.as_embedded_statements_node()?.statements()?.body();
        let only = body.first().filter(|_| body.len() == 1)?;
        self.register_of(&only)
    }

    /// A literal whose parts are all text.
    fn joined(&self, list: &pm::NodeList<'pr>) -> Option<Literal> {
        let mut parts = Vec::new();
        self.parts(list, &mut parts);
        match parts.as_slice() {
            [] => Some(Literal::String(Box::default(), self.encoding)),
            [Part::Text(text, encoding)] => Some(Literal::String(text.as_slice().into(), encoding)),
            _ => None,
        }
    }

    pub(crate) fn interpolated_string(&mut self, node: &pm::InterpolatedStringNode<'pr>, dst: Dst) {
        let target = self.scratch_or(dst);
        match self.joined(&node.parts()) {
            Some(literal) => self.put_string(literal, node.is_frozen(), node.is_mutable(), target),
            None => self.concatenated(&node.parts(), target),
        }
    }

    /// Whether the string is joined when the program comes there, and no literal.
    pub(crate) fn is_made_anew(&self, node: &pm::InterpolatedStringNode<'pr>) -> bool {
        self.joined(&node.parts()).is_none()
    }

    fn concatenated(&mut self, parts: &pm::NodeList<'pr>, dst: Reg) {
        self.scoped(|c| {
            let start = c.f.next_temp;
            let is_sole = parts.iter().count() == 1;
            if is_sole && c.encoding != "UTF-8" {
                c.f.put_literal(start, Literal::String(Box::default(), c.encoding));
                c.f.hold(start);
            }
            c.push_parts(parts);
            let count = c.f.next_temp - start;
            c.f.nabc(Op::concatstrings, u8::from(is_sole && count == 1), dst, start, count);
        });
    }

    pub(crate) fn interpolated_symbol(&mut self, node: &pm::InterpolatedSymbolNode<'pr>, dst: Dst) {
        let target = self.scratch_or(dst);
        if let Some(Literal::String(text, encoding)) = self.joined(&node.parts()) {
            let encoding = if text.is_ascii() { "US-ASCII" } else { encoding };
            return self.f.put_literal(target, Literal::Symbol(text, encoding));
        }
        self.build(Some(target), |c, temp| {
            c.concatenated(&node.parts(), temp);
            c.f.abc(Op::intern, temp, temp, 0);
        });
    }

    pub(crate) fn xstring(&mut self, node: &pm::XStringNode<'pr>, dst: Dst) {
        let encoding = self.encoding_of(node.is_forced_utf8_encoding(), node.is_forced_binary_encoding());
        let literal = Literal::String(node.unescaped().into(), encoding);
        self.command(&node.location(), dst, |c, register| {
            c.f.put_literal(register, literal);
        });
    }

    pub(crate) fn interpolated_xstring(&mut self, node: &pm::InterpolatedXStringNode<'pr>, dst: Dst) {
        self.command(&node.location(), dst, |c, register| c.concatenated(&node.parts(), register));
    }

    fn command(&mut self, location: &pm::Location<'pr>, dst: Dst, string: impl FnOnce(&mut Self, Reg)) {
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let window = c.window(true);
            c.f.hold(window.base);
            let argument = c.f.next_temp;
            string(c, argument);
            c.f.hold(argument);
            c.at(location);
            let shape = Shape { argc: 1, ..Shape::default() };
            c.send_window(window, shape, b"`", carat_iseq::CallFlags::FCALL, None, target);
        });
    }
}
