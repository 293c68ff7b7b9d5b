//! What a block reaches of the scopes around it, and of what belongs to the main Ractor: a block for another one may
//! reach nothing of either.

use crate::ec::{Ec, Result};
use crate::model::class::Class;
use crate::run::code::CodeData;
use crate::run::frame::{self, Fp};
use crate::run::proc::Proc;
use carat_iseq::{Iseq, IseqKind, Op};
use carat_layout::{SymbolId, Value, flags};

/// A variable of an enclosing scope: how many environments up from the block, and its register there.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Outer {
    level: u16,
    register: u16,
    is_written: bool,
}

/// Collects what `iseq`, which lies `depth` blocks inside the block in question, reaches outside of that block.
fn collect(iseq: &Iseq, depth: u16, found: &mut Vec<Outer>) {
    let mut word = 0;
    while word < iseq.insns.len() {
        let insn = iseq.insns[word];
        if matches!(insn.op, Op::getlocal | Op::setlocal | Op::getblockparam | Op::getblockparamproxy) && insn.c > depth
        {
            found.push(Outer { level: insn.c - depth, register: insn.b, is_written: insn.op == Op::setlocal });
        }
        word += insn.op.format().words();
    }
    for child in iseq.children() {
        if matches!(child.kind, IseqKind::Block | IseqKind::Lambda) {
            collect(&child, depth + 1, found);
        }
    }
}

fn yields(iseq: &Iseq) -> bool {
    let mut word = 0;
    while word < iseq.insns.len() {
        let op = iseq.insns[word].op;
        if matches!(op, Op::invokeblock | Op::invokeblock_one) {
            return true;
        }
        word += op.format().words();
    }
    iseq.children().any(|child| matches!(child.kind, IseqKind::Block | IseqKind::Lambda) && yields(&child))
}

impl Proc {
    fn outer(self) -> Vec<Outer> {
        let mut found = Vec::new();
        if let Some(linked) = self.iseq() {
            collect(&linked.iseq, 0, &mut found);
        }
        found
    }

    /// Whether the block, or one inside it, yields to the block of the method around it.
    pub fn yields_outside(self) -> bool {
        self.iseq().is_some_and(|linked| yields(&linked.iseq))
    }

    /// Whether code inside reaches no variable around the block by name.
    pub fn is_isolated(self) -> bool {
        self.code().is_some_and(|code| code.is_isolated.get())
    }

    fn environment(self, level: u16) -> Fp {
        let mut env = self.env();
        // SAFETY: a proc's environments live as long as it does; the compiler counted the levels.
        unsafe {
            for _ in 1..level {
                env = env.parent();
            }
        }
        env
    }

    /// Names of the outer variables that the block uses, each once, in order of appearance. With `may_change`, of those alone
    /// that several places give a value.
    pub fn outer_variables(self, ec: &Ec, may_change: bool) -> Vec<SymbolId> {
        let mut names = Vec::new();
        for outer in self.outer() {
            // SAFETY: see `environment`; an environment stores its code.
            let code = unsafe { self.environment(outer.level).code() };
            let mut locals = code.linked().iseq.locals();
            let found = locals.find(|l| l.register == outer.register);
            if let Some(local) = found.filter(|local| local.reassigned || !may_change) {
                let name = ec.vm().intern(&String::from_utf8_lossy(local.name));
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names
    }

    /// Values of the outer variables that the block uses; the second part says whether it assigns to any.
    pub fn outer_values(self, ec: &Ec) -> (crate::Array, bool) {
        let outer = self.outer();
        let values = crate::Array::new(ec, outer.len());
        for place in &outer {
            // SAFETY: as above; the compiler numbered the registers.
            let value: Value = unsafe { self.environment(place.level).reg(usize::from(place.register)) };
            values.push(ec, value);
        }
        (values, outer.iter().any(|o| o.is_written))
    }
}

impl Proc {
    /// The code that this Ractor runs for the proc: a shareable one may have been made ready in another.
    #[inline]
    pub(crate) fn code_in<'a>(self, ec: &Ec) -> Option<&'a CodeData> {
        let code = self.code()?;
        if code.ractor == ec.ractor().id || !self.value().header().is_some_and(|h| h.has(flags::SHAREABLE)) {
            return Some(code);
        }
        Some(code.in_ractor_of(ec))
    }
}

impl Proc {
    /// Whether this Ractor may run a method that the proc defines.
    pub(crate) fn runs_in(self, ec: &Ec) -> bool {
        let is_own = self.code().is_none_or(|c| c.ractor == ec.ractor().id);
        is_own || self.value().header().is_some_and(|h| h.has(flags::SHAREABLE))
    }
}

impl CodeData {
    /// The same code with inline caches of its own, made once in each Ractor.
    #[cold]
    fn in_ractor_of(&self, ec: &Ec) -> &'static CodeData {
        if let Some(ready) = ec.ractor().code_of(self.this) {
            return ready;
        }
        let code = CodeData::new(ec, self.linked().clone(), self.method, self.cref, self.name);
        code.is_isolated.set(self.is_isolated.get());
        ec.ractor().set_code(self.this, code);
        code
    }
}

impl Ec {
    /// A copy of an environment, which is `level` blocks up from the block, and of those around it.
    fn detached_env(&self, env: Fp, receiver: Value, level: u16, kept: &[Outer]) -> Fp {
        // SAFETY: a proc's environments live as long as it does, and store the words that their kind has.
        let code = unsafe { env.code() };
        let own = match &code.iseq {
            Some(linked) => CodeData::new(self, linked.clone(), code.method, code.cref, code.name),
            None => code,
        };
        let header = if code.kind.is_block() { -frame::FLAGS } else { -frame::BLOCK };
        let copy = self.allocate_env(header as usize, usize::from(code.local_size));
        // SAFETY: the environment is fresh and has that many words; the words that its kind has are written here.
        unsafe {
            (-header..=frame::BLOCK).for_each(|word| copy.set_word(word, 0));
            copy.set_word(frame::CODE, std::ptr::from_ref(own).expose_provenance() as u64);
            (1..usize::from(code.local_size)).for_each(|i| copy.set_reg(i, Value::NIL));
            copy.set_reg(0, receiver);
            for outer in kept.iter().filter(|o| o.level == level) {
                copy.set_reg(usize::from(outer.register), env.reg(usize::from(outer.register)));
            }
            if code.kind.is_block() {
                let parent = self.detached_env(env.parent(), receiver, level + 1, kept);
                copy.set_word(frame::PARENT, parent.0.expose_provenance() as u64);
            }
            copy
        }
    }

    // ---- errors ----

    pub(crate) fn isolation_error(&mut self, text: &str) -> crate::Unwind {
        self.error(self.vm().known().ractor_isolation_error, text)
    }

    /// Refuses the value of a constant that not all Ractors may see. `word` is how CRuby spells Ractor where it says so.
    pub(crate) fn check_constant(&mut self, class: Class, name: SymbolId, value: Value, word: &str) -> Result<()> {
        if self.is_main_ractor() || self.is_shareable(value) {
            return Ok(());
        }
        let (class, name) = (class.to_text(self), self.vm().symbol_text(name));
        let text = format!("can not access non-shareable objects in constant {class}::{name} by non-main {word}.");
        Err(self.isolation_error(&text))
    }

    /// Refuses the global variables of the main Ractor. Special ones belong to a thread, a frame or the process.
    pub(crate) fn check_global(&mut self, name: SymbolId) -> Result<()> {
        if self.is_main_ractor() || is_local_global(self.vm().symbol_name(name).bytes) {
            return Ok(());
        }
        let text = format!("can not access global variable {} from non-main Ractor", self.vm().symbol_text(name));
        Err(self.isolation_error(&text))
    }

    /// The same for reading: the record separator is always a frozen string, or nil, and may be read by all.
    pub(crate) fn check_global_read(&mut self, name: SymbolId) -> Result<()> {
        const SHAREABLE: [&[u8]; 2] = [b"$/", b"$-0"];
        if SHAREABLE.contains(&self.vm().symbol_name(name).bytes) { Ok(()) } else { self.check_global(name) }
    }

    /// Refuses to change class variables outside the main Ractor.
    pub fn check_class_variable_set(&mut self, class: Class, name: SymbolId) -> Result<()> {
        if self.is_main_ractor() {
            return Ok(());
        }
        let (class, name) = (class.to_text(self), self.vm().symbol_text(name));
        Err(self.isolation_error(&format!("can not set class variables from non-main Ractors ({name} from {class})")))
    }

    /// Refuses the value of a class variable that not all Ractors may see.
    pub(crate) fn check_class_variable_read(&mut self, class: Class, name: SymbolId, value: Value) -> Result<()> {
        if self.is_main_ractor() || self.is_shareable(value) {
            return Ok(());
        }
        let (class, name) = (class.to_text(self), self.vm().symbol_text(name));
        let text = format!("can not read non-shareable class variable {name} from non-main Ractors ({class})");
        Err(self.isolation_error(&text))
    }

    /// The instance variable, unless it is a class's and not all Ractors may see it.
    pub fn instance_variable(&mut self, object: Value, name: SymbolId) -> Result<Option<Value>> {
        let found = self.field(object, name);
        if self.is_main_ractor() || self.is_hidden(name) {
            return Ok(found);
        }
        self.check_object(object)?;
        let (Some(class), Some(value)) = (Class::from_value(object), found) else { return Ok(found) };
        if self.is_shareable(value) {
            return Ok(found);
        }
        let (class, name) = (class.to_text(self), self.vm().symbol_text(name));
        let place = "instance variables of classes/modules from non-main Ractors";
        Err(self.isolation_error(&format!("can not get unshareable values from {place} ({name} from {class})")))
    }

    /// Refuses the instance variables of a Ractor object, which is shared and not frozen.
    fn check_object(&mut self, object: Value) -> Result<()> {
        let is_open = |h: &carat_layout::Header| h.has(flags::SHAREABLE) && !h.has(flags::FROZEN);
        if Class::from_value(object).is_some() || !object.header().is_some_and(is_open) {
            return Ok(());
        }
        Err(self.isolation_error("can not access instance variables of shareable objects from non-main Ractors"))
    }

    /// Refuses to change a class's instance variables outside the main Ractor.
    pub fn check_instance_variable_set(&mut self, object: Value, name: SymbolId) -> Result<()> {
        if self.is_main_ractor() || self.is_hidden(name) {
            return Ok(());
        }
        if Class::from_value(object).is_none() {
            return self.check_object(object);
        }
        Err(self.isolation_error("can not set instance variables of classes/modules by non-main Ractors"))
    }
}

impl Proc {
    /// The block as this Ractor runs it: with its own code, with `receiver` as self, and without any outer variable.
    pub(crate) fn isolate(self, ec: &mut Ec, receiver: Value) -> Proc {
        self.detach(ec, receiver, &[])
    }

    /// A shareable copy of a block with `receiver` as self. Outer variables keep their values, which have to be shareable,
    /// as those of the block and of nobody else.
    pub fn to_shareable(self, ec: &mut Ec, receiver: Value, is_lambda: bool) -> Proc {
        let copy = self.detach(ec, receiver, &self.outer());
        if is_lambda {
            copy.set_lambda();
        }
        ec.share(copy.value());
        ec.freeze(copy.value());
        copy
    }

    fn detach(self, ec: &mut Ec, receiver: Value, kept: &[Outer]) -> Proc {
        let Some(code) = self.code() else { return self.duplicate(ec) };
        let own = CodeData::new(ec, code.linked().clone(), code.method, code.cref, code.name);
        own.is_isolated.set(true);
        let env = ec.detached_env(self.env(), receiver, 1, kept);
        let copy = Proc::from_code(ec, own, env);
        if self.is_lambda() {
            copy.set_lambda();
        }
        copy
    }
}

/// Special variables that every Ractor may use.
fn is_local_global(name: &[u8]) -> bool {
    const LOCAL: [&[u8]; 21] = [
        b"$stdin",
        b"$stdout",
        b"$stderr",
        b"$>",
        b"$~",
        b"$_",
        b"$!",
        b"$@",
        b"$?",
        b"$$",
        b"$DEBUG",
        b"$-d",
        b"$VERBOSE",
        b"$-v",
        b"$-w",
        b"$-W",
        b"$-p",
        b"$-l",
        b"$-a",
        b"$&",
        b"$+",
    ];
    LOCAL.contains(&name)
}
