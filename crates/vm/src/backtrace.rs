//! Backtraces: captured as words, made text when somebody looks.

use crate::array::Array;
use crate::code::{CodeData, CodeKind};
use crate::data::{Data, NativeData};
use crate::ec::Ec;
use crate::frame::Fp;
use crate::link::LinkedIseq;
use crate::method::MethodEntry;
use crate::string::Str;
use carat_iseq::Insn;
use carat_layout::Value;
use std::sync::Arc;

/// One line of a backtrace.
#[derive(Clone)]
pub struct Location {
    pub iseq: Arc<LinkedIseq>,
    pub line: i32,
    /// `Foo#bar`, `block in Foo#bar`, `<main>`.
    pub label: Box<str>,
    /// The method's bare name, or the label.
    pub base_label: Box<str>,
}

/// A captured backtrace.
pub struct Backtrace {
    pub locations: Vec<Location>,
}

impl NativeData for Backtrace {
    const NAME: &'static str = "backtrace";

    fn mark(&self, _mark: &mut dyn FnMut(Value)) {}
}

/// Deepest backtrace that is kept whole; of deeper ones the middle is left out.
const MAX_FRAMES: usize = 100_000;

/// The running frames as an object, innermost first.
pub(crate) fn capture(ec: &Ec) -> Value {
    let locations = locations(ec, 0);
    Data::new(ec, ec.vm().known().object, Backtrace { locations }).value()
}

/// The frames from number `skip` on, as backtraces show them: native methods at their caller's line, core code hidden.
pub fn locations(ec: &Ec, skip: usize) -> Vec<Location> {
    let mut found = Vec::new();
    let mut natives: Vec<(Box<str>, Box<str>)> = Vec::new();
    let (mut fp, mut pc) = (ec.fp, ec.pc);
    // SAFETY: live frames, walked down.
    unsafe {
        while !fp.is_null() && found.len() < MAX_FRAMES {
            let code = fp.code();
            match code.kind {
                CodeKind::Boundary => {}
                CodeKind::Native => natives.push(native_label(ec, code)),
                _ if code.is_core && code.kind == CodeKind::Method && code.method.is_nil() => {}
                _ if code.is_core => {
                    // A method of the core library looks like a native one: only its outermost frame counts.
                    if code.kind == CodeKind::Method {
                        natives.clear();
                        natives.push(native_label(ec, code));
                    }
                }
                _ => {
                    let location = ruby_location(ec, fp, code, pc);
                    for (label, base_label) in natives.drain(..) {
                        found.push(Location { label, base_label, ..location.clone() });
                    }
                    found.push(location);
                }
            }
            pc = fp.ret_pc();
            fp = fp.caller();
        }
    }
    found.drain(..skip.min(found.len()));
    found
}

unsafe fn ruby_location(ec: &Ec, fp: Fp, code: &CodeData, pc: *const Insn) -> Location {
    let linked = code.linked().clone();
    let word = code.word_of(pc).saturating_sub(1);
    let line = linked.iseq.line_at(word);
    // SAFETY: a live frame.
    let (label, base_label) = unsafe { ruby_label(ec, fp, code) };
    Location { iseq: linked, line, label, base_label }
}

/// `Foo#bar`, `Foo.bar` or the bare name.
fn method_label(ec: &Ec, method: Value, name: &str) -> String {
    let Some(entry) = MethodEntry::from_value(ec, method) else { return name.to_string() };
    let owner = entry.owner(ec);
    if owner.is_singleton() {
        return match crate::class::Class::from_value(owner.attached()).and_then(|c| c.name()) {
            Some(class) => format!("{class}.{name}"),
            None => name.to_string(),
        };
    }
    let owner = if owner.is_refinement() {
        crate::class::Class::from_value_unchecked(*owner.data().refined.read().unwrap_or_else(|e| e.into_inner()))
    } else {
        owner
    };
    match owner.name().filter(|_| owner.has_permanent_name()) {
        Some(class) => format!("{class}#{name}"),
        None => name.to_string(),
    }
}

fn native_label(ec: &Ec, code: &CodeData) -> (Box<str>, Box<str>) {
    let name = code.name.map_or_else(String::new, |n| ec.vm().symbol_text(n));
    (method_label(ec, code.method, &name).into(), name.into())
}

unsafe fn ruby_label(ec: &Ec, fp: Fp, code: &CodeData) -> (Box<str>, Box<str>) {
    let own = String::from_utf8_lossy(&code.linked().iseq.name).into_owned();
    if code.kind == CodeKind::Method {
        let name =
            MethodEntry::from_value(ec, code.method).map_or_else(|| own.clone(), |m| ec.vm().symbol_text(m.name));
        return (method_label(ec, code.method, &name).into(), name.into());
    }
    if !code.kind.is_block() {
        return (own.clone().into(), own.into());
    }
    // SAFETY: a live frame.
    let home = unsafe { fp.env().method_env() };
    // SAFETY: an environment stores its code.
    let home_code = unsafe { home.code() };
    let home_name = String::from_utf8_lossy(&home_code.linked().iseq.name).into_owned();
    if home_code.kind == CodeKind::Method && own.ends_with(&home_name) {
        let full = method_label(ec, home_code.method, &home_name);
        return (format!("{}{full}", &own[..own.len() - home_name.len()]).into(), home_name.into());
    }
    (own.into(), home_name.into())
}

impl Location {
    pub fn path(&self) -> &str {
        &self.iseq.iseq.path
    }

    /// `t.rb:1:in 'Foo#bar'`
    pub fn to_text(&self) -> String {
        format!("{}:{}:in '{}'", self.path(), self.line, self.label)
    }
}

/// A captured backtrace as an array of strings.
pub fn to_array(ec: &Ec, locations: &[Location]) -> Array {
    let array = Array::new(ec, locations.len());
    for location in locations {
        array.push(ec, Str::from_text(ec, &location.to_text()).value());
    }
    array
}

/// File and line of the nearest Ruby frame of the program.
pub(crate) fn caller_position(ec: &Ec) -> (Option<Arc<str>>, i32) {
    let (mut fp, mut pc) = (ec.fp, ec.pc);
    // SAFETY: live frames, walked down.
    unsafe {
        while !fp.is_null() {
            let code = fp.code();
            if code.iseq.is_some() && !code.is_core {
                let iseq = &code.linked().iseq;
                return (Some(iseq.path.clone()), iseq.line_at(code.word_of(pc).saturating_sub(1)));
            }
            pc = fp.ret_pc();
            fp = fp.caller();
        }
    }
    (None, 0)
}

impl Ec {
    /// File and line of the program code that is running.
    pub fn caller_position(&self) -> (Option<Arc<str>>, i32) {
        caller_position(self)
    }
}
