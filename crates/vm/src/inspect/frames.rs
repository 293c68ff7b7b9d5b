//! The running frames one by one, for debuggers and profilers in C.
//!
//! [`running`] shows what backtraces show, with a way into each frame. [`sample`] allocates nothing and takes no lock: a signal
//! handler may call it. While Ruby code runs, its frames are not published and a signal finds none.

use crate::ec::Ec;
use crate::model::class::Class;
use crate::model::method::MethodEntry;
use crate::run::backtrace::{self, Location, native_label, ruby_label};
use crate::run::code::{CodeData, CodeKind};
use crate::run::frame::Fp;
use crate::run::scope::Scope;
use carat_layout::Value;

/// A line of the running backtrace, and its frame. It must not outlive the frame: whoever is called from there may use it.
pub struct RunningLine {
    pub location: Location,
    code: Value,
    /// A few lines stand for frames that we do not have.
    frame: Option<Fp>,
}

/// The lines of the running backtrace, innermost first.
pub fn running(ec: &Ec) -> Vec<RunningLine> {
    let mut fp = ec.fp;
    let with_frame = |(location, code): (Location, Value)| {
        let frame = find_frame(fp, code);
        if let Some(found) = frame {
            // SAFETY: a live frame.
            fp = unsafe { found.caller() };
        }
        RunningLine { location, code, frame }
    };
    backtrace::running(ec).into_iter().map(with_frame).collect()
}

/// The frame of some code, from `fp` outwards up to the next one of a program's own code.
fn find_frame(mut fp: Fp, code: Value) -> Option<Fp> {
    // SAFETY: live frames, walked down.
    unsafe {
        while !fp.is_null() {
            if fp.code().this == code {
                return Some(fp);
            }
            if is_programs_own(fp.code()) {
                return None;
            }
            fp = fp.caller();
        }
    }
    None
}

fn is_programs_own(code: &CodeData) -> bool {
    code.iseq.is_some() && !code.is_core && !matches!(code.kind, CodeKind::Native | CodeKind::Boundary)
}

impl RunningLine {
    fn code_data(&self) -> Option<&CodeData> {
        CodeData::from_value(self.code)
    }

    /// `self`, nil if there is no such frame.
    pub fn receiver(&self) -> Value {
        // SAFETY: the frame is alive, see the struct.
        self.frame.map_or(Value::NIL, |fp| unsafe { fp.reg(0) })
    }

    /// The class or module whose method runs.
    pub fn owner(&self, ec: &Ec) -> Option<Class> {
        MethodEntry::from_value(ec, self.code_data()?.method).map(|method| method.owner(ec))
    }

    /// The scope of a program's own code, which escapes.
    pub fn scope(&self, ec: &mut Ec) -> Option<Scope> {
        let fp = self.frame.filter(|_| self.is_programs_own())?;
        // SAFETY: a live frame of code that has an environment.
        Some(ec.scope_of_env(unsafe { fp.env() }))
    }

    /// Whether the line is one of code that the program brought, rather than of a native method.
    pub fn is_programs_own(&self) -> bool {
        self.code_data().is_some_and(is_programs_own)
    }
}

/// Calls `put` with code and line of each frame, innermost first, until it says that it is enough. Code of the core library
/// looks like a native method, whose line is 0; what it consists of is not shown.
pub fn sample(ec: &Ec, mut put: impl FnMut(Value, i32) -> bool) {
    if !ec.foreign.is_in_c.get() {
        return;
    }
    let (mut fp, mut pc) = (ec.fp, ec.pc);
    // SAFETY: C code runs, so the frames are live and published.
    unsafe {
        while !fp.is_null() {
            let code = fp.code();
            let line = if is_programs_own(code) {
                Some(code.linked().iseq.line_at(code.word_of(pc).saturating_sub(1)))
            } else {
                let is_method = code.kind == CodeKind::Native || code.kind == CodeKind::Method;
                (is_method && !code.method.is_nil()).then_some(0)
            };
            if line.is_some_and(|line| !put(code.this, line)) {
                return;
            }
            pc = fp.ret_pc();
            fp = fp.caller();
        }
    }
}

/// What [`sample`] found.
#[derive(Clone, Copy)]
pub struct SampledCode<'a>(&'a CodeData);

impl<'a> SampledCode<'a> {
    pub fn from_value(_ec: &'a Ec, value: Value) -> Option<SampledCode<'a>> {
        CodeData::from_value(value).map(SampledCode)
    }

    /// Whether the program brought the code; only then there are a path and lines.
    pub fn is_programs_own(self) -> bool {
        is_programs_own(self.0)
    }

    pub fn path(self) -> Option<&'a str> {
        self.is_programs_own().then(|| &**self.0.linked().iseq.path())
    }

    pub fn first_line(self) -> Option<i32> {
        self.is_programs_own().then(|| self.0.linked().iseq.first_line)
    }

    /// `block in bar`
    pub fn label(self) -> Option<String> {
        self.is_programs_own().then(|| String::from_utf8_lossy(self.0.linked().iseq.name()).into_owned())
    }

    /// `block in Foo#bar`, and the bare name.
    pub fn full_label(self, ec: &Ec) -> (Box<str>, Box<str>) {
        if self.is_programs_own() { ruby_label(ec, self.0) } else { native_label(ec, self.0) }
    }

    pub fn method_name(self, ec: &Ec) -> Option<String> {
        self.method(ec).map(|method| ec.vm().symbol_text(method.name))
    }

    /// `Foo#bar`
    pub fn qualified_method_name(self, ec: &Ec) -> Option<String> {
        let name = self.method_name(ec)?;
        Some(backtrace::method_label(ec, self.0.method, &name))
    }

    /// The class whose method it is: of a singleton method, the object's.
    pub fn class_path(self, ec: &Ec) -> Option<String> {
        let owner = self.method(ec)?.owner(ec);
        let shown = if owner.is_singleton() { Class::from_value(owner.attached())? } else { owner };
        shown.name().map(|name| name.to_string())
    }

    pub fn is_singleton_method(self, ec: &Ec) -> bool {
        self.method(ec).is_some_and(|method| method.owner(ec).is_singleton())
    }

    /// The method that the code was written in: none of a block that became one.
    fn method(self, ec: &'a Ec) -> Option<&'a MethodEntry> {
        let method = MethodEntry::from_value(ec, self.0.method)?;
        let is_inside = !self.0.kind.is_block() || *ruby_label(ec, self.0).1 == *ec.vm().symbol_text(method.name);
        is_inside.then_some(method)
    }
}
