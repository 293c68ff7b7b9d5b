//! `Psych::Reader`: the events of a text ([`carat_text::yaml`]), and the nodes that they make.
//!
//! # Invariants
//! * Nothing of the parser is borrowed while Ruby code runs, which may read on.
//! * Nodes that are not complete are in `open`, which is marked.

use carat_text::yaml::{CollectionStyle, Event, EventKind, Mistake, Parser, Properties, TagDirective};
use carat_vm::{
    Array, Class, CodeRange, Data, Ec, EncodingIndex, NativeData, Result, Str, SymbolId, Unwind, Value, methods,
};
use std::cell::{Cell, RefCell};
use std::sync::Arc;

/// So many events are read between two looks at what interrupts.
const STRIDE: usize = 4096;

/// `Psych::Parser::UTF8`
const UTF_8: usize = 1;

/// The native part of a reader.
struct Reader {
    parser: RefCell<Parser>,
    text: RefCell<Arc<[u8]>>,
    /// The stream ended, or a mistake was found.
    is_done: Cell<bool>,
    /// The encoding that texts of nodes get; nil for UTF-8.
    internal: Cell<Value>,
    /// The document that is being read, and what is open in it; nil between documents.
    document: Cell<Value>,
    open: RefCell<Vec<Value>>,
}

impl NativeData for Reader {
    const NAME: &'static str = "Psych::Reader";

    fn mark(&self, mark: &mut dyn FnMut(Value)) {
        mark(self.internal.get());
        mark(self.document.get());
        self.open.borrow().iter().for_each(|node| mark(*node));
    }

    fn memsize(&self) -> usize {
        size_of::<Self>() + self.open.borrow().capacity() * size_of::<Value>()
    }
}

type This = Data<Reader>;

methods! {
    METHODS {
        private "read_from" => read_from;
        private "read_node" => read_node;
        private "tell_events" => tell_events;
        "mark" => mark;
    }
}

pub(super) fn init(ec: &mut Ec, reader: Class) {
    reader.set_allocator(Some(|ec, class| {
        let reader = Reader {
            parser: RefCell::default(),
            text: RefCell::default(),
            is_done: Cell::new(true),
            internal: Cell::new(Value::NIL),
            document: Cell::new(Value::NIL),
            open: RefCell::default(),
        };
        Ok(Data::new(ec, class, reader).value())
    }));
    reader.define_methods(ec, METHODS);
}

/// `read_from(text, internal)`: takes a copy of a text that is valid UTF-8.
fn read_from(ec: &mut Ec, this: This, text: Str, internal: Value) -> Result<()> {
    ec.ensure_memory(text.len(ec))?;
    let text: Arc<[u8]> = text.bytes(ec).into();
    let reader = this.get(ec);
    reader.parser.replace(Parser::default());
    reader.text.replace(text);
    reader.internal.set(internal);
    reader.is_done.set(false);
    ec.wrote(this.value());
    Ok(())
}

/// `mark`: index, line and column of how far the text was read.
fn mark(ec: &mut Ec, this: This) -> Array {
    let mark = this.get(ec).parser.borrow().mark();
    Array::from_slice(ec, &[mark.index, mark.line, mark.column].map(Value::len))
}

/// `None` behind the end.
fn next_event(ec: &mut Ec, this: This) -> Result<Option<Event>> {
    let reader = this.get(ec);
    if reader.is_done.get() {
        return Ok(None);
    }
    let read = reader.parser.borrow_mut().next(&reader.text.borrow());
    match read {
        Ok(event) => {
            reader.is_done.set(event.kind == EventKind::StreamEnd);
            Ok(Some(event))
        }
        Err(found) => {
            reader.is_done.set(true);
            Err(mistake(ec, this, &found)?)
        }
    }
}

/// The exception that `mistake(line, column, offset, problem, context)` makes.
fn mistake(ec: &mut Ec, this: This, found: &Mistake) -> Result<Unwind> {
    let context = found.context.map_or(Value::NIL, |text| Str::from_ascii(ec, text.as_bytes()).value());
    let problem = Str::from_ascii(ec, found.problem.as_bytes()).value();
    let [line, column] = [found.place.line + 1, found.place.column + 1].map(Value::len);
    let name = ec.vm().intern("mistake");
    let exception = ec.call(this.value(), name, &[line, column, Value::len(found.offset), problem, context])?;
    Ok(ec.raise(exception))
}

// ---- texts ----

/// A text of the document's, as a program wants it.
fn string(ec: &mut Ec, this: This, text: &[u8]) -> Result {
    let range = if text.is_ascii() { CodeRange::SevenBit } else { CodeRange::Unknown };
    let string = Str::new(ec, text, EncodingIndex::UTF_8, range).value();
    let internal = this.get(ec).internal.get();
    if internal.is_nil() {
        return Ok(string);
    }
    ec.call(string, ec.vm().intern("encode"), &[internal])
}

fn optional(ec: &mut Ec, this: This, text: Option<&[u8]>) -> Result {
    text.map_or(Ok(Value::NIL), |text| string(ec, this, text))
}

/// Anchor and tag.
fn properties(ec: &mut Ec, this: This, found: &Properties) -> Result<[Value; 2]> {
    Ok([optional(ec, this, found.anchor.as_deref())?, optional(ec, this, found.tag.as_deref())?])
}

fn version(ec: &Ec, found: Option<(u32, u32)>) -> Value {
    let numbers = found.map(|(major, minor)| [major, minor].map(|number| Value::len(number as usize)));
    Array::from_slice(ec, numbers.as_ref().map_or(&[], |numbers| numbers)).value()
}

fn tag_directives(ec: &mut Ec, this: This, found: &[TagDirective]) -> Result {
    let list = Array::new(ec, found.len());
    for directive in found {
        let handle = string(ec, this, &directive.handle)?;
        let prefix = string(ec, this, &directive.prefix)?;
        let pair = Array::pair(ec, handle, prefix);
        list.push(ec, pair.value());
    }
    Ok(list.value())
}

// ---- events ----

/// `tell_events(handler)`: calls the handler for some events, each behind `event_location`. False at the end.
fn tell_events(ec: &mut Ec, this: This, handler: Value) -> Result<bool> {
    for _ in 0..STRIDE {
        let Some(event) = next_event(ec, this)? else { return Ok(false) };
        let place = place(&event).map(Value::len);
        ec.call(handler, ec.vm().intern("event_location"), &place)?;
        tell(ec, this, handler, &event.kind)?;
    }
    Ok(true)
}

fn place(event: &Event) -> [usize; 4] {
    [event.start.line, event.start.column, event.end.line, event.end.column]
}

fn tell(ec: &mut Ec, this: This, handler: Value, event: &EventKind) -> Result {
    let call = |ec: &mut Ec, name: &str, arguments: &[Value]| ec.call(handler, ec.vm().intern(name), arguments);
    match event {
        EventKind::StreamStart => call(ec, "start_stream", &[Value::len(UTF_8)]),
        EventKind::StreamEnd => call(ec, "end_stream", &[]),
        EventKind::DocumentStart { version: found, tags, is_implicit } => {
            let version = version(ec, *found);
            let directives = tag_directives(ec, this, tags)?;
            call(ec, "start_document", &[version, directives, Value::bool(*is_implicit)])
        }
        EventKind::DocumentEnd { is_implicit } => call(ec, "end_document", &[Value::bool(*is_implicit)]),
        EventKind::Alias(anchor) => {
            let anchor = string(ec, this, anchor)?;
            call(ec, "alias", &[anchor])
        }
        EventKind::Scalar { properties: found, value, style, is_plain_implicit, is_quoted_implicit } => {
            let value = string(ec, this, value)?;
            let [anchor, tag] = properties(ec, this, found)?;
            let (plain, quoted) = (Value::bool(*is_plain_implicit), Value::bool(*is_quoted_implicit));
            call(ec, "scalar", &[value, anchor, tag, plain, quoted, Value::len(*style as usize)])
        }
        EventKind::SequenceStart { properties: found, is_implicit, style } => {
            let [anchor, tag] = properties(ec, this, found)?;
            call(ec, "start_sequence", &[anchor, tag, Value::bool(*is_implicit), Value::len(*style as usize)])
        }
        EventKind::SequenceEnd => call(ec, "end_sequence", &[]),
        EventKind::MappingStart { properties: found, is_implicit, style } => {
            let [anchor, tag] = properties(ec, this, found)?;
            call(ec, "start_mapping", &[anchor, tag, Value::bool(*is_implicit), Value::len(*style as usize)])
        }
        EventKind::MappingEnd => call(ec, "end_mapping", &[]),
    }
}

// ---- nodes ----

/// `read_node(nodes, places)`: a document's or the stream's node once it is complete, false before that, nil behind the end. `nodes` is
/// the module of their classes; with `places` they know where they stand.
fn read_node(ec: &mut Ec, this: This, nodes: Class, places: bool) -> Result {
    let builder = Builder::new(ec, this, nodes, places);
    for _ in 0..STRIDE {
        let Some(event) = next_event(ec, this)? else { return Ok(Value::NIL) };
        if let Some(node) = builder.add(ec, &event)? {
            return Ok(node);
        }
    }
    Ok(Value::FALSE)
}

/// Makes nodes as their `initialize` does.
struct Builder {
    reader: This,
    places: Option<[SymbolId; 4]>,
    document: Class,
    sequence: Class,
    mapping: Class,
    scalar: Class,
    alias: Class,
    names: Names,
}

/// Names of instance variables.
struct Names {
    children: SymbolId,
    anchor: SymbolId,
    tag: SymbolId,
    value: SymbolId,
    plain: SymbolId,
    quoted: SymbolId,
    implicit: SymbolId,
    implicit_end: SymbolId,
    style: SymbolId,
    version: SymbolId,
    tag_directives: SymbolId,
}

impl Builder {
    fn new(ec: &Ec, reader: This, nodes: Class, places: bool) -> Builder {
        let class = |name| nodes.nested(ec, name).unwrap_or(nodes);
        let name = |name: &str| ec.vm().intern(name);
        Builder {
            reader,
            places: places.then(|| ["@start_line", "@start_column", "@end_line", "@end_column"].map(name)),
            document: class("Document"),
            sequence: class("Sequence"),
            mapping: class("Mapping"),
            scalar: class("Scalar"),
            alias: class("Alias"),
            names: Names {
                children: name("@children"),
                anchor: name("@anchor"),
                tag: name("@tag"),
                value: name("@value"),
                plain: name("@plain"),
                quoted: name("@quoted"),
                implicit: name("@implicit"),
                implicit_end: name("@implicit_end"),
                style: name("@style"),
                version: name("@version"),
                tag_directives: name("@tag_directives"),
            },
        }
    }

    /// The document's node if the event ends it.
    fn add(&self, ec: &mut Ec, event: &Event) -> Result<Option<Value>> {
        let (this, names) = (self.reader, &self.names);
        match &event.kind {
            EventKind::StreamStart | EventKind::StreamEnd => {}
            EventKind::DocumentStart { version: found, tags, is_implicit } => {
                let version = version(ec, *found);
                let directives = tag_directives(ec, this, tags)?;
                let facts = [
                    (names.version, version),
                    (names.tag_directives, directives),
                    (names.implicit, Value::bool(*is_implicit)),
                    (names.implicit_end, Value::TRUE),
                ];
                let document = self.node(ec, self.document, event, true, &facts);
                this.get(ec).document.set(document);
                self.enter(ec, document);
            }
            EventKind::DocumentEnd { is_implicit } => {
                let document = this.get(ec).document.replace(Value::NIL);
                ec.set_field(document, names.implicit_end, Value::bool(*is_implicit));
                self.leave(ec, event);
                return Ok(Some(document));
            }
            EventKind::Alias(anchor) => {
                let anchor = string(ec, this, anchor)?;
                let node = self.node(ec, self.alias, event, false, &[(names.anchor, anchor)]);
                self.join(ec, node);
            }
            EventKind::Scalar { properties: found, value, style, is_plain_implicit, is_quoted_implicit } => {
                let value = string(ec, this, value)?;
                let [anchor, tag] = properties(ec, this, found)?;
                let facts = [
                    (names.value, value),
                    (names.anchor, anchor),
                    (names.tag, tag),
                    (names.plain, Value::bool(*is_plain_implicit)),
                    (names.quoted, Value::bool(*is_quoted_implicit)),
                    (names.style, Value::len(*style as usize)),
                ];
                let node = self.node(ec, self.scalar, event, false, &facts);
                self.join(ec, node);
            }
            EventKind::SequenceStart { properties, is_implicit, style } => {
                self.collection(ec, self.sequence, event, properties, *is_implicit, *style)?;
            }
            EventKind::MappingStart { properties, is_implicit, style } => {
                self.collection(ec, self.mapping, event, properties, *is_implicit, *style)?;
            }
            EventKind::SequenceEnd | EventKind::MappingEnd => self.leave(ec, event),
        }
        Ok(None)
    }

    fn collection(
        &self,
        ec: &mut Ec,
        class: Class,
        event: &Event,
        found: &Properties,
        is_implicit: bool,
        style: CollectionStyle,
    ) -> Result<()> {
        let [anchor, tag] = properties(ec, self.reader, found)?;
        let facts = [
            (self.names.anchor, anchor),
            (self.names.tag, tag),
            (self.names.implicit, Value::bool(is_implicit)),
            (self.names.style, Value::len(style as usize)),
        ];
        let node = self.node(ec, class, event, true, &facts);
        self.join(ec, node);
        self.enter(ec, node);
        Ok(())
    }

    fn node(&self, ec: &Ec, class: Class, event: &Event, is_parent: bool, facts: &[(SymbolId, Value)]) -> Value {
        let node = ec.new_object(class);
        if is_parent {
            ec.set_field(node, self.names.children, Array::new(ec, 0).value());
        }
        facts.iter().for_each(|(name, value)| ec.set_field(node, *name, *value));
        if let Some(names) = &self.places {
            names.iter().zip(place(event)).for_each(|(name, place)| ec.set_field(node, *name, Value::len(place)));
        }
        node
    }

    /// The node is a child of what is open.
    fn join(&self, ec: &Ec, node: Value) {
        let parent = self.reader.get(ec).open.borrow().last().copied();
        let children = parent.and_then(|parent| Array::from_value(ec.field(parent, self.names.children)?));
        if let Some(children) = children {
            children.push(ec, node);
        }
    }

    fn enter(&self, ec: &Ec, node: Value) {
        self.reader.get(ec).open.borrow_mut().push(node);
        ec.wrote(self.reader.value());
    }

    /// The innermost node that is open ends with the event.
    fn leave(&self, ec: &Ec, event: &Event) {
        let node = self.reader.get(ec).open.borrow_mut().pop();
        if let (Some(node), Some([_, _, line, column])) = (node, &self.places) {
            ec.set_field(node, *line, Value::len(event.end.line));
            ec.set_field(node, *column, Value::len(event.end.column));
        }
    }
}
