//! Defining methods, classes and constants as running code does: with hooks, checks and warnings.

use crate::ec::{Ec, Result};
use crate::model::class::{Class, Visibility};
use crate::model::cref::Cref;
use crate::model::cref::constant_base;
use crate::model::method::{MethodEntry, MethodKind};
use crate::model::symbol::sym;
use crate::run::frame::Fp;
use carat_layout::{HeapType, SymbolId, Value, flags};

/// Kinds of `defineclass`.
const CLASS: u8 = 0;
const SINGLETON: u8 = 2;

/// Methods that are private however they come about.
pub fn is_always_private(name: SymbolId) -> bool {
    [sym::INITIALIZE, sym::INITIALIZE_COPY, sym::INITIALIZE_CLONE, sym::INITIALIZE_DUP, sym::RESPOND_TO_MISSING]
        .contains(&name)
}

impl Ec {
    /// Whether a class is about to lose a core method that instructions bypass, and somebody asked for warnings about that.
    fn loses_watched_method(&self, class: Class, name: SymbolId) -> bool {
        self.vm().warnings.performance.load(std::sync::atomic::Ordering::Relaxed)
            && crate::model::redefinition::is_watched(self, class, name)
            && class
                .own_method(self, name)
                .is_some_and(|m| MethodEntry::from_value(self, m).is_some_and(|m| m.is_core(self)))
    }

    /// Calls a hook method unless it is the one that `owner` came with, which does nothing. Who traces calls of native
    /// methods sees that one, too.
    pub fn call_hook(&mut self, receiver: Value, hook: SymbolId, owner: Class, args: &[Value]) -> Result<()> {
        if self.traces_native_calls() || !self.responds_with(receiver, hook, owner) {
            self.call(receiver, hook, args)?;
        }
        Ok(())
    }

    /// What is said to be frozen when a singleton class is, is its object.
    pub fn frozen_class_error(&mut self, class: Class) -> crate::Unwind {
        self.frozen_error(if class.is_singleton() { class.attached() } else { class.value() })
    }

    /// What a method runs: a changed visibility stands for the method of the superclass.
    fn aliased_method<'a>(&'a self, class: Class, entry: &'a MethodEntry) -> Option<&'a MethodEntry> {
        let mut target = entry.resolved(self);
        while let MethodKind::Zsuper = target.kind {
            let found = crate::run::interp::super_method_of(self, class, target)?;
            target = MethodEntry::from_value(self, found)?.resolved(self);
        }
        Some(target)
    }

    /// `undefined method 'x' for class 'Foo'`
    pub fn undefined_method_for(&mut self, class: Class, name: SymbolId) -> crate::Unwind {
        self.undefined_method_error(class.kind_name(), class, name)
    }

    fn undefined_method_error(&mut self, kind: &str, class: Class, name: SymbolId) -> crate::Unwind {
        let text = format!("undefined method '{}' for {kind} '{}'", self.vm().symbol_text(name), class.to_text(self));
        self.name_error(&text, class.value(), name)
    }

    /// `ruby2_keywords`: false if the method's parameters do not allow it; `None` if it is not defined in Ruby.
    pub fn set_ruby2_keywords(&self, method: Value) -> Option<bool> {
        let code = crate::run::eval::iseq_of_entry(self, MethodEntry::from_value(self, method)?)?;
        (!code.iseq.flags.is_core).then(|| code.set_ruby2_keywords())
    }

    // ---- classes ----

    /// The class or module that a `class`, `module` or `class <<` body opens; made if it does not exist.
    pub(crate) fn open_class(
        &mut self,
        fp: Fp,
        kind: u8,
        name: SymbolId,
        base: Value,
        superclass: Value,
    ) -> Result<Class> {
        if kind == SINGLETON {
            self.reserve_for_class(self.class_of(base))?;
            return match self.exposed_singleton_class(base) {
                Some(class) => {
                    if base.is_heap() && self.is_frozen(base) {
                        self.freeze(class.value());
                    }
                    Ok(class)
                }
                None => Err(self.type_error("can't define singleton")),
            };
        }
        // SAFETY: the running frame.
        let cref = unsafe { fp.code().cref };
        let scope = match base {
            Value::NIL => match Class::from_value(constant_base(self, cref)) {
                Some(class) => class,
                None => return Err(self.type_error("can't define singleton")),
            },
            value => match Class::from_value(value) {
                Some(class) => class,
                None => {
                    let shown = self.inspect(value)?.to_text(self);
                    return Err(self.type_error(&format!("{shown} is not a class/module")));
                }
            },
        };
        let superclass = (!superclass.is_undef()).then_some(superclass);
        if let Some(given) = superclass
            && !given.is_type(HeapType::Class)
        {
            let shown = self.describe_for_type_error(given);
            return Err(
                self.type_error(&format!("superclass must be an instance of Class (given an instance of {shown})"))
            );
        }
        match self.existing_for_open(scope, name, !base.is_nil())? {
            Some(found) => self.check_reopened(kind, scope, found, name, superclass),
            None => self.create_named(kind, scope, name, superclass.map(Class::expect)),
        }
    }

    /// The scope's own constant alone counts. One that is named through its scope must be public.
    fn existing_for_open(&mut self, scope: Class, name: SymbolId, is_path: bool) -> Result<Option<Value>> {
        match scope.seen_constant(self, name) {
            Some(constant) if constant.is_private && is_path => Err(self.private_constant(scope, name)),
            Some(_) => scope.own_constant_value(self, name),
            None => Ok(None),
        }
    }

    fn check_reopened(
        &mut self,
        kind: u8,
        scope: Class,
        found: Value,
        name: SymbolId,
        superclass: Option<Value>,
    ) -> Result<Class> {
        let text = self.vm().symbol_text(name);
        let wanted = if kind == CLASS { HeapType::Class } else { HeapType::Module };
        if !found.is_type(wanted) {
            let what = if kind == CLASS { "class" } else { "module" };
            let place = scope.seen_constant(self, name).map(|c| match c.file {
                Some(file) => format!("\n{file}:{}: previous definition of {text} was here", c.line),
                None => format!("\n:: previous definition of {text} was here"),
            });
            return Err(self.type_error(&format!("{text} is not a {what}{}", place.unwrap_or_default())));
        }
        let class = Class::expect(found);
        if let Some(given) = superclass
            && class.superclass().map(|c| c.real().value()) != Some(given)
        {
            return Err(self.type_error(&format!("superclass mismatch for class {text}")));
        }
        Ok(class)
    }

    fn create_named(&mut self, kind: u8, scope: Class, name: SymbolId, superclass: Option<Class>) -> Result<Class> {
        if kind != CLASS {
            let module = self.new_module();
            self.assign_constant(scope.value(), name, module.value())?;
            return Ok(module);
        }
        let superclass = superclass.unwrap_or(self.vm().known().object);
        let class = superclass.inherit(self)?;
        // The name is there when `inherited` runs, the constant too.
        scope.assign_constant_quietly(self, name, class.value());
        scope.const_added(self, name)?;
        let owner = self.vm().known().class;
        self.call_hook(superclass.value(), sym::INHERITED, owner, &[class.value()])?;
        Ok(class)
    }

    /// The scope in which a frame's `def` defines.
    pub fn current_cref(&self) -> Value {
        let mut fp = self.fp;
        // SAFETY: live frames, walked down to a Ruby one.
        unsafe {
            while !fp.is_null() {
                let code = fp.code();
                if code.iseq.is_some() && !code.is_core {
                    return code.cref;
                }
                fp = fp.caller();
            }
        }
        Value::NIL
    }

    /// The class that `def` in the calling Ruby code acts on.
    pub fn current_definition_class(&self) -> Class {
        let object = self.vm().known().object;
        Cref::from_value(self.current_cref()).map_or(object, |c| c.definition_class(self).unwrap_or(object))
    }

    /// Marks a class as a refinement of another.
    pub fn new_refinement(&self, refined: Class) -> Class {
        let known = self.vm().known();
        let class = Class::create(
            self,
            HeapType::Module,
            None,
            known.refinement.root_shape(),
            flags::CLASS_REFINEMENT,
            Value::NIL,
        );
        class.set_refined(self, refined);
        self.vm().has_refinements.store(true, std::sync::atomic::Ordering::Release);
        class
    }
}

impl Class {
    /// Puts a method in a class's table and runs `method_added` or `singleton_method_added`.
    pub fn define_method(
        self,
        ec: &mut Ec,
        name: SymbolId,
        kind: MethodKind,
        visibility: Visibility,
        cref: Value,
    ) -> Result<()> {
        if ec.is_frozen(self.value()) {
            return Err(ec.frozen_class_error(self));
        }
        if ec.vm().is_booted() {
            ec.warn_risky_definition(self, name)?;
            if ec.verbose().is_true() {
                ec.warn_method_redefined(self, name)?;
            }
        }
        let warns = ec.loses_watched_method(self, name);
        self.add_method(ec, name, kind, visibility, cref);
        if warns {
            ec.warn_watched_redefinition(self, name)?;
        }
        self.method_added(ec, name)
    }

    pub fn method_added(self, ec: &mut Ec, name: SymbolId) -> Result<()> {
        if !ec.vm().is_booted() {
            return Ok(());
        }
        let (receiver, hook) = if self.is_singleton() {
            (self.attached(), sym::SINGLETON_METHOD_ADDED)
        } else {
            (self.value(), sym::METHOD_ADDED)
        };
        let known = ec.vm().known();
        let owner = if self.is_singleton() { known.basic_object } else { known.module };
        ec.call_hook(receiver, hook, owner, &[Value::symbol(name)])
    }

    /// `alias new old`.
    #[inline(never)]
    pub fn alias_method(self, ec: &mut Ec, new: SymbolId, old: SymbolId) -> Result<()> {
        if ec.is_frozen(self.value()) {
            return Err(ec.frozen_class_error(self));
        }
        let found = self.find_method_for_definition(ec, old)?;
        let found = self.behind_ours(ec, old, found);
        if ec.vm().is_booted() {
            ec.warn_risky_definition(self, new)?;
            if ec.verbose().is_true() && new != old {
                ec.warn_method_redefined(self, new)?;
            }
        }
        let entry = MethodEntry::from_value(ec, found).expect("a method entry");
        let visibility = if is_always_private(new) { Visibility::Private } else { entry.visibility };
        let cref = entry.cref;
        let Some(target) = ec.aliased_method(self, entry) else {
            return Err(ec.undefined_method_for(self, old));
        };
        target.is_aliased.store(true, std::sync::atomic::Ordering::Relaxed);
        let owner = target.owner(ec);
        let is_anothers = owner != self && owner.is_module() && !owner.is_refinement();
        let target = if is_anothers && target.may_call_super() { target.copy_for_alias(ec, self) } else { target };
        let target = if target.asks_for_its_name() { target.copy_named(ec, new) } else { target };
        self.add_method(ec, new, MethodKind::Alias(target.value()), visibility, cref);
        self.method_added(ec, new)
    }

    /// What the core library puts in front of Kernel for Ractors goes on in Kernel's own method: a library that keeps that under another
    /// name, and then writes one over it, would call itself.
    fn behind_ours(self, ec: &Ec, name: SymbolId, found: Value) -> Value {
        let is_ours = |m: &MethodEntry| m.owner(ec) != self && m.is_core(ec);
        if self != ec.vm().known().kernel || !MethodEntry::from_value(ec, found).is_some_and(is_ours) {
            return found;
        }
        let own = self.own_method(ec, name);
        own.filter(|own| MethodEntry::from_value(ec, *own).is_some_and(|m| !m.is_undefined())).unwrap_or(found)
    }

    /// `alias new old` in core code: two methods of one body, as where each is a function of its own that goes by its own name.
    /// What has one name only is made by `alias_method` there.
    pub(crate) fn define_twin(self, ec: &mut Ec, new: SymbolId, old: SymbolId) -> Result<()> {
        let found = self.find_method_for_definition(ec, old)?;
        let entry = MethodEntry::from_value(ec, found).expect("a method entry");
        let (kind, visibility, cref) = (entry.resolved(ec).kind.clone(), entry.visibility, entry.cref);
        self.add_method(ec, new, kind, visibility, cref);
        Ok(())
    }

    /// A method of a class, or for modules also of Object; `NameError` if there is none.
    pub fn find_method_for_definition(self, ec: &mut Ec, name: SymbolId) -> Result {
        let mut found = self.find_method(ec, name).map(MethodEntry::value);
        if found.is_none()
            && let Some(refined) = self.refined()
        {
            found = refined.find_method(ec, name).map(MethodEntry::value);
        }
        if found.is_none() && self.is_module() {
            found = ec.vm().known().object.find_method(ec, name).map(MethodEntry::value);
        }
        match found {
            Some(method) => Ok(method),
            None => Err(ec.undefined_method_for(self, name)),
        }
    }

    #[inline(never)]
    pub fn undef_method(self, ec: &mut Ec, name: SymbolId) -> Result<()> {
        if ec.is_frozen(self.value()) {
            return Err(ec.frozen_class_error(self));
        }
        ec.warn_of_risky_loss("undefining", name)?;
        if self.find_method_for_definition(ec, name).is_err() {
            // The methods of a class's singleton class are spoken of as the class's.
            let spoken_of = Class::from_value(self.attached()).filter(|_| self.is_singleton()).unwrap_or(self);
            return Err(ec.undefined_method_error(self.kind_name(), spoken_of, name));
        }
        if ec.vm().is_booted() {
            ec.warn_risky_definition(self, name)?;
        }
        let warns = ec.loses_watched_method(self, name);
        self.add_method(ec, name, MethodKind::Undefined, Visibility::Public, Value::NIL);
        if warns {
            ec.warn_watched_redefinition(self, name)?;
        }
        let (receiver, hook) = if self.is_singleton() {
            (self.attached(), sym::SINGLETON_METHOD_UNDEFINED)
        } else {
            (self.value(), sym::METHOD_UNDEFINED)
        };
        let known = ec.vm().known();
        let owner = if self.is_singleton() { known.basic_object } else { known.module };
        ec.call_hook(receiver, hook, owner, &[Value::symbol(name)])
    }

    /// A new class, checks included. Runs no `inherited`.
    pub fn inherit(self, ec: &mut Ec) -> Result<Class> {
        if self.is_singleton() {
            return Err(ec.type_error("can't make subclass of singleton class"));
        }
        if self == ec.vm().known().class {
            return Err(ec.type_error("can't make subclass of Class"));
        }
        ec.reserve_for_class(self)?;
        Ok(ec.new_class(self))
    }
}
