//! The parser's tree, from bytes to objects.
//!
//! Nodes come behind their children. A node is an object with the fields `@source`, `@node_id`, `@location`, `@flags` and those of its kind; a place is an
//! Integer, its first byte above 32 bits of size.
//!
//! # Invariants
//! The bytes may be a program's own: each is read only if it is there, and what does not fit together is a RuntimeError.

use super::FIELDS;
use carat_vm::{Array, Class, CodeRange, Ec, Result, Str, SymbolId, Unwind, Value};
use std::rc::Rc;
use std::sync::OnceLock;

/// What precedes the body of a method, which a reader may skip: eight bytes follow.
const SKIPPABLE: u8 = 255;

/// The kinds of nodes: of each field its own kind, and the name of the instance variable.
fn kinds() -> &'static [Vec<(u8, String)>] {
    static KINDS: OnceLock<Vec<Vec<(u8, String)>>> = OnceLock::new();
    let field = |word: &str| (word.as_bytes()[0], format!("@{}", &word[1..]));
    let fields =
        |line: &str| line.split_whitespace().skip(1).filter(|word| !word.starts_with('!')).map(field).collect();
    KINDS.get_or_init(|| FIELDS.lines().map(fields).collect())
}

struct Field {
    kind: u8,
    name: SymbolId,
}

/// The fields of each kind of node that was met.
struct Fields(Vec<Option<Rc<[Field]>>>);

impl Fields {
    fn of(&mut self, ec: &Ec, index: usize) -> Option<Rc<[Field]>> {
        let words = kinds().get(index)?;
        let intern = |(kind, name): &(u8, String)| Field { kind: *kind, name: ec.vm().intern(name) };
        Some(self.0[index].get_or_insert_with(|| words.iter().map(intern).collect()).clone())
    }
}

struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
    names: Array,
    /// Texts get its encoding.
    source: Str,
}

/// `Prism.__nodes(bytes, from, to, names, classes, source, text)`: the last node that stands between two places of `bytes`. Each kind of node has its class; `source` becomes
/// every node's `@source`, and `text` says in which encoding texts are.
#[expect(clippy::too_many_arguments, reason = "a native method has a parameter for each argument")]
pub(crate) fn read(
    ec: &mut Ec,
    _this: Value,
    bytes: Str,
    from: i64,
    to: i64,
    names: Array,
    classes: Array,
    source: Value,
    text: Str,
) -> Result {
    let bytes = bytes.bytes(ec).to_vec();
    let (Ok(from), Ok(to)) = (usize::try_from(from), usize::try_from(to)) else { return Err(invalid(ec)) };
    let Some(part) = bytes.get(..to) else { return Err(invalid(ec)) };
    let classes: Option<Vec<Class>> = classes.slice_of(ec).iter().map(|class| Class::from_value(*class)).collect();
    let Some(classes) = classes.filter(|classes| classes.len() == kinds().len()) else { return Err(invalid(ec)) };
    let mut known = Fields(vec![None; classes.len()]);
    let shared = [(ec.vm().intern("@source"), source)];
    let names_of_shared = ["@node_id", "@location", "@flags"].map(|name| ec.vm().intern(name));
    let mut reader = Reader { bytes: part, at: from, names, source: text };
    // Nodes that no parent has taken yet.
    let open = Array::new(ec, 32);
    while reader.at < part.len() {
        let kind = reader.byte(ec)?;
        match kind {
            0 => open.push(ec, Value::NIL),
            SKIPPABLE => reader.at += 8,
            _ => {
                let index = usize::from(kind) - 1;
                let (Some(class), Some(fields)) = (classes.get(index), known.of(ec, index)) else {
                    return Err(invalid(ec));
                };
                let node = ec.new_object(*class);
                let (name, value) = shared[0];
                ec.set_field(node, name, value);
                let facts = [reader.number(ec)?, reader.place(ec)?, reader.number(ec)?];
                for (name, fact) in names_of_shared.iter().zip(facts) {
                    ec.set_field(node, *name, ec.uint(fact));
                }
                reader.fields(ec, node, &fields, open)?;
                open.push(ec, node);
            }
        }
    }
    Ok(open.last(ec).unwrap_or(Value::NIL))
}

#[cold]
fn invalid(ec: &mut Ec) -> Unwind {
    ec.runtime_error("Invalid serialization")
}

impl<'a> Reader<'a> {
    /// The fields of a node in their order. Children are on the stack in that order, the last one on top, so they are known once all numbers are.
    fn fields(&mut self, ec: &mut Ec, node: Value, fields: &[Field], open: Array) -> Result<()> {
        let mut counts = [0_usize; 16];
        let mut children = 0;
        let start = self.at;
        for (field, count) in fields.iter().zip(&mut counts) {
            match field.kind {
                b'n' | b'N' => *count = 1,
                b'a' => *count = self.size(ec)?,
                _ => {
                    self.value(ec, field.kind)?;
                }
            }
            children += *count;
        }
        let Some(mut next) = open.len(ec).checked_sub(children) else { return Err(invalid(ec)) };
        let base = next;
        self.at = start;
        for (field, count) in fields.iter().zip(counts) {
            let value = match field.kind {
                b'n' | b'N' => open.at(ec, next),
                b'a' => {
                    self.number(ec)?;
                    open.slice(ec, next, count).value()
                }
                kind => self.value(ec, kind)?,
            };
            next += count;
            if field.kind != b'x' {
                ec.set_field(node, field.name, value);
            }
        }
        open.resize(ec, base);
        Ok(())
    }

    fn value(&mut self, ec: &mut Ec, kind: u8) -> Result {
        Ok(match kind {
            b'l' | b'x' => {
                let place = self.place(ec)?;
                ec.uint(place)
            }
            b'o' => match self.byte(ec)? {
                0 => Value::NIL,
                _ => {
                    let place = self.place(ec)?;
                    ec.uint(place)
                }
            },
            b'c' | b'd' => {
                let index = self.size(ec)?;
                self.name(ec, index)
            }
            b'C' => {
                let list = Array::new(ec, 0);
                for _ in 0..self.size(ec)? {
                    let index = self.size(ec)?;
                    list.push(ec, self.name(ec, index));
                }
                list.value()
            }
            b's' => {
                let size = self.size(ec)?;
                let text = self.take(ec, size)?;
                let text = Str::new(ec, text, self.source.encoding(), CodeRange::Unknown);
                ec.freeze(text.value());
                text.value()
            }
            b'u' => {
                let number = self.number(ec)?;
                ec.uint(number)
            }
            b'b' => Value::len(usize::from(self.byte(ec)?)),
            b'i' => self.integer(ec)?,
            _ => {
                let bytes = self.take(ec, 8)?.try_into().unwrap_or_default();
                ec.float(f64::from_ne_bytes(bytes))
            }
        })
    }

    fn name(&self, ec: &Ec, index: usize) -> Value {
        index.checked_sub(1).and_then(|index| self.names.get(ec, index)).unwrap_or(Value::NIL)
    }

    /// A sign and words of 32 bits, the lowest one first.
    fn integer(&mut self, ec: &mut Ec) -> Result {
        let is_negative = self.byte(ec)? == 1;
        let count = self.size(ec)?;
        let mut words = Vec::new();
        for _ in 0..count {
            words.push(u32::try_from(self.number(ec)?).unwrap_or(u32::MAX));
        }
        Ok(ec.integer_of_words(is_negative, &words))
    }

    fn byte(&mut self, ec: &mut Ec) -> Result<u8> {
        Ok(self.take(ec, 1)?[0])
    }

    fn take(&mut self, ec: &mut Ec, size: usize) -> Result<&'a [u8]> {
        let Some(end) = self.at.checked_add(size).filter(|end| *end <= self.bytes.len()) else {
            return Err(invalid(ec));
        };
        let taken = &self.bytes[self.at..end];
        self.at = end;
        Ok(taken)
    }

    /// A number of seven bits a byte.
    fn number(&mut self, ec: &mut Ec) -> Result<u64> {
        let mut number = 0;
        for shift in (0..35).step_by(7) {
            let byte = self.byte(ec)?;
            number |= u64::from(byte & 127) << shift;
            if byte < 128 {
                return Ok(number);
            }
        }
        Err(invalid(ec))
    }

    fn size(&mut self, ec: &mut Ec) -> Result<usize> {
        Ok(usize::try_from(self.number(ec)?).unwrap_or(usize::MAX))
    }

    fn place(&mut self, ec: &mut Ec) -> Result<u64> {
        Ok(self.number(ec)? << 32 | self.number(ec)?)
    }
}
