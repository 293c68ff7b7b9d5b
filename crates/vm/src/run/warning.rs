//! Warnings that the VM itself gives, through `Warning.warn`.

use crate::ec::{Ec, Result};
use crate::model::class::{Class, Constant};
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::symbol::sym;
use crate::value::string::{EncodingIndex, Str};
use carat_iseq::{IseqKind, IseqRef};
use carat_layout::{SymbolId, Value};
use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock};

/// Categories of `Warning[]`.
#[derive(Default)]
pub struct Categories {
    pub deprecated: AtomicBool,
    pub experimental: AtomicBool,
    pub performance: AtomicBool,
    pub strict_unused_block: AtomicBool,
    /// The methods that were warned about because they use no block, by their entries, and whether the block was written at
    /// the call.
    unused_blocks: Mutex<HashSet<(Value, bool)>>,
    block_users: BlockUsers,
}

/// The names of methods that use their block, whether they have been defined yet or not: a block may be meant for one of them when
/// it is passed to a namesake that ignores it. Collected from when somebody first asks, which a program without `-w` never does.
#[derive(Default)]
struct BlockUsers(OnceLock<Mutex<HashSet<SymbolId>>>);

impl BlockUsers {
    /// What was loaded before is looked for in the files of methods that are defined, and in the code that is running.
    fn names(&self, ec: &Ec) -> MutexGuard<'_, HashSet<SymbolId>> {
        let names = self.0.get_or_init(|| {
            let (mut names, mut units) = (HashSet::new(), HashSet::new());
            for (name, iseq) in defined_methods(ec) {
                if iseq.flags.uses_block {
                    names.insert(name);
                }
                match IseqRef::outermost(iseq.unit()) {
                    Some(_) if !units.insert(Arc::as_ptr(iseq.unit())) => {}
                    Some(outermost) => add_block_users(ec, &outermost, &mut names),
                    None => add_block_users(ec, &iseq, &mut names),
                }
            }
            for location in crate::run::backtrace::locations(ec, 0) {
                add_block_users(ec, &location.iseq.iseq, &mut names);
            }
            Mutex::new(names)
        });
        names.lock().unwrap_or_else(|e| e.into_inner())
    }
}

impl Ec {
    /// Somebody is "undefining" or "removing" a method that everything relies on.
    pub fn warn_of_risky_loss(&mut self, doing: &str, name: SymbolId) -> Result<()> {
        if !self.vm().is_booted() || !is_relied_on(name) && name != sym::INITIALIZE {
            return Ok(());
        }
        let text = self.vm().symbol_text(name);
        self.warn(&format!("{doing} '{text}' may cause serious problems"))
    }

    /// `$VERBOSE`: nil silences everything.
    pub fn verbose(&self) -> Value {
        self.vm().verbose()
    }

    /// `file:line: warning: text` unless warnings are off.
    pub fn warn(&mut self, text: &str) -> Result<()> {
        if self.verbose().is_nil() {
            return Ok(());
        }
        self.emit_warning(text, None)
    }

    /// Only with `-w`.
    pub fn warn_verbose(&mut self, text: &str) -> Result<()> {
        if self.verbose().is_true() { self.emit_warning(text, None) } else { Ok(()) }
    }

    /// Only if `Warning[:experimental]`.
    pub fn warn_experimental(&mut self, text: &str) -> Result<()> {
        if !self.verbose().is_nil() && self.vm().warnings.experimental.load(Ordering::Relaxed) {
            return self.emit_warning(text, Some("experimental"));
        }
        Ok(())
    }

    /// Only if `Warning[:deprecated]`.
    pub fn warn_deprecated(&mut self, text: &str) -> Result<()> {
        if !self.verbose().is_nil() && self.vm().warnings.deprecated.load(Ordering::Relaxed) {
            return self.emit_warning(text, Some("deprecated"));
        }
        Ok(())
    }

    fn emit_warning(&mut self, text: &str, category: Option<&str>) -> Result<()> {
        let (file, line) = self.caller_position();
        let place = file.map_or_else(String::new, |f| format!("{f}:{line}: "));
        let message = Str::from_text(self, &format!("{place}warning: {text}\n")).value();
        let module = self.vm().known().warning.value();
        // A program's own may take no keywords.
        let takes_text_alone =
            self.find_method(module, crate::model::symbol::sym::WARN).is_none_or(|m| m.arity(self) == 1);
        let mut passing = crate::run::call::Passing::default();
        if let Some(category) = category.filter(|_| !takes_text_alone) {
            let hash = crate::value::hash::Hash::new(self);
            let value = Value::symbol(self.vm().intern(category));
            hash.set_symbol(self, crate::model::symbol::sym::CATEGORY, value);
            passing.keywords = Some(hash);
        }
        self.call_with(module, crate::model::symbol::sym::WARN, &[message], passing)?;
        Ok(())
    }
}

impl Ec {
    pub(crate) fn warn_chilled_string(&mut self, string: Str, is_of_symbol: bool) -> Result<()> {
        if is_of_symbol {
            let text = string.to_text(self);
            return self.warn_deprecated(&format!("string returned by :{text}.to_s will be frozen in the future"));
        }
        if let Some(place) = self.creation_place(string.value()) {
            let text =
                format!("literal string will be frozen in the future\n{place}: info: the string was created here");
            return self.warn_deprecated(&text);
        }
        self.warn_deprecated(
            "literal string will be frozen in the future (run with --debug-frozen-string-literal for more information)",
        )
    }

    pub(crate) fn warn_uninitialized_global(&mut self, name: SymbolId) -> Result<()> {
        if !self.verbose().is_true() {
            return Ok(());
        }
        let text = self.vm().symbol_text(name);
        self.warn_verbose(&format!("global variable '{text}' not initialized"))
    }

    /// A core operator is redefined: its instructions ask from now on.
    pub(crate) fn warn_watched_redefinition(&mut self, class: Class, name: SymbolId) -> Result<()> {
        if self.verbose().is_nil() {
            return Ok(());
        }
        let (class, name) = (class.to_text(self), self.vm().symbol_text(name));
        let text = format!("Redefining '{class}#{name}' disables interpreter and JIT optimizations");
        self.emit_warning(&text, Some("performance"))
    }

    /// Objects of the class have begun alike and gone on in so many ways that further ones get no shape of their own.
    pub(crate) fn warn_shape_variations(&mut self, class: Class, count: u16) -> Result<()> {
        if self.verbose().is_nil() || !self.vm().warnings.performance.load(Ordering::Relaxed) {
            return Ok(());
        }
        let text = format!(
            "The class {} reached {count} shape variations, instance variables accesses will be slower and memory usage \
             increased.\nIt is recommended to define instance variables in a consistent order, for instance by eagerly defining them all \
             in the #initialize method.",
            class.to_text(self)
        );
        self.emit_warning(&text, Some("performance"))
    }

    /// A block is passed to a method that never uses one: said once for each method and way.
    #[inline(always)]
    pub(crate) fn warn_unused_block(&mut self, method: Value, is_literal: bool) -> Result<()> {
        if self.verbose().is_true() || self.vm().warnings.strict_unused_block.load(Ordering::Relaxed) {
            return warn_of_block(self, method, is_literal);
        }
        Ok(())
    }

    /// A method that everything relies on is defined anew.
    pub(crate) fn warn_risky_definition(&mut self, class: Class, name: SymbolId) -> Result<()> {
        let text = self.vm().symbol_text(name);
        if is_relied_on(name) && class.find_method(self, name).is_some() {
            return self.warn(&format!("redefining '{text}' may cause serious problems"));
        }
        let is_asked_by_all =
            matches!(name, sym::INITIALIZE | sym::METHOD_MISSING | sym::RESPOND_TO | sym::RESPOND_TO_MISSING);
        if is_asked_by_all && class == self.vm().known().object {
            return self.warn(&format!("redefining Object#{text} may cause infinite loop"));
        }
        Ok(())
    }

    /// With `-w`: a method takes the place of another one in its class, which nobody can call any more.
    pub(crate) fn warn_method_redefined(&mut self, class: Class, name: SymbolId) -> Result<()> {
        let Some(old) = class.own_method(self, name) else { return Ok(()) };
        let Some(place) = lost_definition(self, old) else { return Ok(()) };
        let name = self.vm().symbol_text(name);
        // One message of two lines.
        let before = place.map_or_else(String::new, |(file, line)| {
            format!("\n{file}:{line}: warning: previous definition of {name} was here")
        });
        self.emit_warning(&format!("method redefined; discarding old {name}{before}"), None)
    }

    /// A program's `respond_to?` cannot be told whether private methods count.
    pub(crate) fn warn_short_respond_to(&mut self, receiver: Value, asked: SymbolId) -> Result<()> {
        if self.verbose().is_nil() || !self.vm().warnings.deprecated.load(Ordering::Relaxed) {
            return Ok(());
        }
        let class = self.class_of(receiver);
        let shown = match Class::from_value(class.attached()).filter(|_| class.is_singleton()) {
            Some(class) => format!("{}.", class.to_text(self)),
            None if class.is_singleton() => format!("{}.", self.any_to_s(receiver).to_text(self)),
            None => format!("{}#", class.to_text(self)),
        };
        let asked = self.vm().symbol_text(asked);
        self.warn_deprecated(&format!(
            "{shown}respond_to?(:{asked}) uses the deprecated method signature, which takes one parameter"
        ))?;
        let entry = self.find_method(receiver, crate::model::symbol::sym::RESPOND_TO);
        let Some(iseq) = entry.and_then(|entry| crate::run::eval::iseq_of_entry(self, entry)) else { return Ok(()) };
        let (path, line) = (iseq.iseq.path(), iseq.iseq.first_line);
        let text = Str::from_text(self, &format!("{path}:{line}: warning: respond_to? is defined here\n"));
        let module = self.vm().known().warning.value();
        self.call(module, crate::model::symbol::sym::WARN, &[text.value()])?;
        Ok(())
    }

    pub(crate) fn warn_deprecated_constant(&mut self, class: Class, name: SymbolId) -> Result<()> {
        let own = self.vm().symbol_text(name);
        let full = if class == self.vm().known().object { own } else { format!("{}::{own}", class.to_text(self)) };
        self.warn_deprecated(&format!("constant {full} is deprecated"))
    }

    pub(crate) fn warn_constant_redefined(&mut self, class: Class, name: SymbolId, old: &Constant) -> Result<()> {
        let own = self.vm().symbol_text(name);
        let full =
            if class == self.vm().known().object { own.clone() } else { format!("{}::{own}", class.to_text(self)) };
        self.warn(&format!("already initialized constant {full}"))?;
        let Some(file) = &old.file else { return Ok(()) };
        if self.verbose().is_nil() {
            return Ok(());
        }
        let message =
            Str::from_text(self, &format!("{file}:{}: warning: previous definition of {own} was here\n", old.line))
                .value();
        let module = self.vm().known().warning.value();
        self.call(module, crate::model::symbol::sym::WARN, &[message])?;
        Ok(())
    }
}

#[cold]
fn warn_of_block(ec: &mut Ec, method: Value, is_literal: bool) -> Result<()> {
    let entry = MethodEntry::from_value(ec, method).expect("a method entry").resolved(ec);
    let MethodKind::Iseq(linked) = &entry.kind else { return Ok(()) };
    let (name, iseq) = (entry.name, linked.iseq.clone());
    let is_used = iseq.flags.uses_block || iseq.flags.is_core;
    if ec.verbose().is_nil() || is_used || name == sym::INITIALIZE {
        return Ok(());
    }
    let warnings = &ec.vm().warnings;
    let key = (method, is_literal);
    if warnings.unused_blocks.lock().unwrap_or_else(|e| e.into_inner()).contains(&key) {
        return Ok(());
    }
    if !warnings.strict_unused_block.load(Ordering::Relaxed) && warnings.block_users.names(ec).contains(&name) {
        return Ok(());
    }
    warnings.unused_blocks.lock().unwrap_or_else(|e| e.into_inner()).insert(key);
    let label = crate::run::backtrace::method_label(ec, method, &ec.vm().symbol_text(name));
    ec.warn(&format!("the block passed to '{label}' defined at {}:{} may be ignored", iseq.path(), iseq.first_line))
}

/// Code that was loaded or evaluated is about to run: the methods in it are known from now on, should anybody ask.
pub(crate) fn note_block_users(ec: &Ec, iseq: &IseqRef) {
    let users = &ec.vm().warnings.block_users;
    if !iseq.has_children() || users.0.get().is_none() && !ec.verbose().is_true() {
        return;
    }
    add_block_users(ec, iseq, &mut users.names(ec));
}

/// Adds the names of methods that use their block and are inside of some code.
fn add_block_users(ec: &Ec, iseq: &IseqRef, names: &mut HashSet<SymbolId>) {
    for child in iseq.children() {
        if child.kind == IseqKind::Method && child.flags.uses_block {
            names.insert(ec.vm().intern_bytes(child.name(), EncodingIndex::UTF_8));
        }
        add_block_users(ec, &child, names);
    }
}

/// The methods of programs.
fn defined_methods(ec: &Ec) -> Vec<(SymbolId, IseqRef)> {
    let classes = ec.vm().classes.lock().unwrap_or_else(|e| e.into_inner());
    let methods = classes.all.iter().flat_map(|class| Class::expect(*class).own_methods(ec));
    let found = methods.filter_map(|(name, method)| match &MethodEntry::from_value(ec, method)?.kind {
        MethodKind::Iseq(linked) if !linked.iseq.flags.is_core => Some((name, linked.iseq.clone())),
        _ => None,
    });
    found.collect()
}

fn is_relied_on(name: SymbolId) -> bool {
    matches!(name, sym::OBJECT_ID | sym::__ID__ | sym::__SEND__)
}

/// File and line of a definition in a program, if there is one; `None` for entries that are no definitions, or have other names.
fn lost_definition(ec: &Ec, method: Value) -> Option<Option<(String, i32)>> {
    let entry = MethodEntry::from_value(ec, method)?;
    let is_definition = !matches!(entry.kind, MethodKind::Undefined | MethodKind::Zsuper | MethodKind::Alias(_));
    if !is_definition || entry.is_aliased.load(Ordering::Relaxed) {
        return None;
    }
    let iseq = crate::run::eval::iseq_of_entry(ec, entry);
    Some(iseq.filter(|i| !i.iseq.flags.is_core).map(|i| (i.iseq.path().to_string(), i.iseq.first_line)))
}
