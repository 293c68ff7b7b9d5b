//! Constants and class variables: lookup through lexical scopes and ancestors, autoload, assignment.

use crate::ec::{Ec, Result};
use crate::model::class::{Class, Constant, Pending};
use crate::model::cref::Cref;
use crate::model::symbol::sym;
use carat_layout::{HeapType, SymbolId, Value};

/// What `Foo::Bar` finds.
enum Public {
    Value(Value),
    /// The holder of a constant that may not be referred to like this.
    Private(Class),
    Missing,
}

impl Ec {
    /// Value of `A::B::C` seen from a scope, and whether an inline cache may keep it.
    pub(crate) fn constant_path(&mut self, cref: Value, path: &[SymbolId]) -> Result<(Value, bool)> {
        let (first, rest) = path.split_first().expect("a path has a name");
        let (mut value, mut is_cacheable) = if *first == sym::EMPTY {
            (self.vm().known().object.value(), true)
        } else {
            self.lexical_constant(cref, *first)?
        };
        for name in rest {
            let is_constant;
            (value, is_constant) = self.constant_or_missing(value, *name)?;
            is_cacheable = is_cacheable && is_constant;
        }
        Ok((value, is_cacheable && self.sees_what_all_see()))
    }

    fn lexical_constant(&mut self, cref: Value, name: SymbolId) -> Result<(Value, bool)> {
        if let Some(value) = self.find_lexical(cref, name)? {
            return Ok((value, true));
        }
        let scope = crate::model::cref::constant_target(self, cref);
        Ok((self.call(scope.value(), sym::CONST_MISSING, &[Value::symbol(name)])?, false))
    }

    /// In the lexical scopes, Object excepted, then in the innermost one's ancestors.
    pub fn find_lexical(&mut self, cref: Value, name: SymbolId) -> Result<Option<Value>> {
        let mut scope = Cref::from_value(cref);
        let of_object = scope.and_then(|c| c.class_of_refusing(self));
        while let Some(c) = scope {
            if let Some(class) = c.class_of_refusing(self)
                && let Some(value) = class.own_constant_seen(self, name, "ractor")?
            {
                return Ok(Some(value));
            }
            if c.outer().is_some()
                && !c.is_pushed_by_eval()
                && let Some(value) = c.class().own_constant_seen(self, name, "ractor")?
            {
                return Ok(Some(value));
            }
            scope = c.outer();
        }
        let innermost = of_object.unwrap_or_else(|| crate::model::cref::constant_target(self, cref));
        innermost.find_constant(self, name, true)
    }

    /// `value::Name`: private constants are refused, `const_missing` is asked.
    #[inline(never)]
    pub fn constant_from_value(&mut self, value: Value, name: SymbolId) -> Result {
        self.constant_or_missing(value, name).map(|(value, _)| value)
    }

    /// The same, and whether it is a constant's value: `const_missing` may answer something else each time.
    fn constant_or_missing(&mut self, value: Value, name: SymbolId) -> Result<(Value, bool)> {
        let Some(class) = Class::from_value(value) else {
            let shown = self.inspect(value)?.to_text(self);
            return Err(self.type_error(&format!("{shown} is not a class/module")));
        };
        match class.find_public_constant(self, name)? {
            Public::Value(value) => Ok((value, true)),
            Public::Private(holder)
                if self.responds_with(class.value(), sym::CONST_MISSING, self.vm().known().module) =>
            {
                Err(self.private_constant(holder, name))
            }
            _ => Ok((self.call(class.value(), sym::CONST_MISSING, &[Value::symbol(name)])?, false)),
        }
    }

    /// `private constant Foo::BAR referenced`
    pub(crate) fn private_constant(&mut self, holder: Class, name: SymbolId) -> crate::Unwind {
        let own = self.vm().symbol_text(name);
        let text = if holder == self.vm().known().object { own } else { format!("{}::{own}", holder.to_text(self)) };
        self.name_error(&format!("private constant {text} referenced"), holder.value(), name)
    }

    /// `uninitialized constant Foo::Bar`
    pub fn uninitialized_constant(&mut self, class: Class, name: SymbolId) -> crate::Unwind {
        let own = self.vm().symbol_text(name);
        let text =
            if class == self.vm().known().object { own } else { format!("{}::{own}", self.receiver_name(class)) };
        self.name_error(&format!("uninitialized constant {text}"), class.value(), name)
    }

    /// What the class answers to `name`, otherwise to `inspect`: programs that redefine them mean error messages, too.
    fn receiver_name(&mut self, class: Class) -> String {
        for question in [sym::NAME, sym::INSPECT] {
            let answer = self.call(class.value(), question, &[]);
            if let Some(text) = answer.ok().and_then(crate::Str::from_value) {
                return text.to_text(self);
            }
        }
        class.to_text(self)
    }

    pub(crate) fn is_constant_path_defined(&mut self, cref: Value, path: &[SymbolId]) -> Result<bool> {
        let (first, rest) = path.split_first().expect("a path has a name");
        let mut value = if *first == sym::EMPTY {
            self.vm().known().object.value()
        } else if rest.is_empty() {
            return Ok(self.is_lexical_defined(cref, *first));
        } else {
            match self.find_lexical(cref, *first)? {
                Some(value) => value,
                None => return Ok(false),
            }
        };
        for (i, name) in rest.iter().enumerate() {
            if !self.is_constant_defined_in(value, *name)? {
                return Ok(false);
            }
            if i + 1 < rest.len() {
                value = self.constant_from_value(value, *name)?;
            }
        }
        Ok(true)
    }

    /// Without running an autoload.
    fn is_lexical_defined(&mut self, cref: Value, name: SymbolId) -> bool {
        let mut scope = Cref::from_value(cref);
        while let Some(c) = scope {
            if c.outer().is_some() && !c.is_pushed_by_eval() && c.class().defined_constant(self, name).is_some() {
                return true;
            }
            scope = c.outer();
        }
        let innermost = crate::model::cref::constant_target(self, cref);
        let object = self.vm().known().object;
        let mut found = |class: Class| class.scope_order().any(|m| m.defined_constant(self, name).is_some());
        found(innermost) || (innermost.value().is_type(HeapType::Module) && found(object))
    }

    pub(crate) fn is_constant_defined_in(&mut self, value: Value, name: SymbolId) -> Result<bool> {
        let Some(class) = Class::from_value(value) else { return Ok(false) };
        let object = self.vm().known().object;
        let searched = class.scope_order().take_while(|m| *m != object || class == object);
        let constant = searched.filter_map(|m| m.defined_constant(self, name)).next();
        Ok(constant.is_some_and(|c| !c.is_private))
    }

    // ---- assignment ----

    /// The error of `# shareable_constant_value: literal` for a value that is no literal.
    #[cold]
    pub(crate) fn unshareable_constant(&mut self, scope: Value, name: SymbolId) -> crate::Unwind {
        let scope = Class::from_value(scope).filter(|class| *class != self.vm().known().object);
        let scope = scope.map_or_else(String::new, |class| format!("{}::", class.to_text(self)));
        let text = format!("cannot assign unshareable object to {scope}{}", self.vm().symbol_text(name));
        self.isolation_error(&text)
    }

    /// `Scope::NAME = value`, with the warning for a constant that exists and `const_added`.
    #[inline(never)]
    pub fn assign_constant(&mut self, scope: Value, name: SymbolId, value: Value) -> Result<()> {
        let Some(class) = Class::from_value(scope) else {
            if scope.is_undef() {
                return Err(self.type_error("can't define singleton"));
            }
            let shown = self.inspect(scope)?.to_text(self);
            return Err(self.type_error(&format!("{shown} is not a class/module")));
        };
        if self.is_frozen(scope) {
            return Err(self.frozen_error(class.value()));
        }
        if !self.is_main_ractor() && !self.is_shareable(value) {
            return Err(self.isolation_error("can not set constants with non-shareable objects by non-main Ractors"));
        }
        let old = class.seen_constant(self, name).filter(|old| old.is_set() && !class.is_kept(name));
        if let Some(old) = old {
            self.warn_constant_redefined(class, name, &old)?;
        }
        class.assign_constant_quietly(self, name, value);
        class.const_added(self, name)
    }

    // ---- class variables ----

    fn class_variable_scope(&mut self, cref: Value) -> Result<Class> {
        let mut scope = Cref::from_value(cref);
        while let Some(c) = scope {
            if c.has_class_variables() {
                return Ok(c.class());
            }
            scope = c.outer();
        }
        Err(self.runtime_error("class variable access from toplevel"))
    }

    /// The class that holds a class variable as code of a scope sees it, if one alone of the ancestors does.
    pub(crate) fn only_holder_from(&mut self, cref: Value, name: SymbolId) -> Option<Class> {
        let class = self.class_variable_scope(cref).ok()?;
        let (nearest, furthest) = class.class_variable_holders(name)?;
        (nearest == furthest && self.is_main_ractor()).then_some(nearest)
    }

    pub(crate) fn find_class_variable(&mut self, cref: Value, name: SymbolId) -> Option<Value> {
        let class = self.class_variable_scope_quiet(cref)?;
        class.class_variable(name)
    }

    fn class_variable_scope_quiet(&self, cref: Value) -> Option<Class> {
        let mut scope = Cref::from_value(cref);
        while let Some(c) = scope {
            if c.has_class_variables() {
                return Some(c.class());
            }
            scope = c.outer();
        }
        None
    }

    #[inline(never)]
    pub(crate) fn class_variable_from(&mut self, cref: Value, name: SymbolId) -> Result {
        let class = self.class_variable_scope(cref)?;
        class.read_class_variable(self, name)
    }

    fn uninitialized_class_variable(&mut self, class: Class, name: SymbolId) -> crate::Unwind {
        let text = format!("uninitialized class variable {} in {}", self.vm().symbol_text(name), class.to_text(self));
        self.name_error(&text, class.value(), name)
    }

    #[inline(never)]
    pub(crate) fn set_class_variable_from(&mut self, cref: Value, name: SymbolId, value: Value) -> Result<()> {
        let class = self.class_variable_scope(cref)?;
        self.check_class_variable_set(class, name)?;
        class.set_class_variable(self, name, value)
    }
}

impl Class {
    /// The value of a class's own constant, if this Ractor may see it; a pending autoload is run.
    pub fn own_constant_value(self, ec: &mut Ec, name: SymbolId) -> Result<Option<Value>> {
        self.own_constant_seen(ec, name, "Ractor")
    }

    fn own_constant_seen(self, ec: &mut Ec, name: SymbolId, word: &str) -> Result<Option<Value>> {
        let found = self.own_constant_unchecked(ec, name)?;
        if let Some(value) = found {
            ec.check_constant(self, name, value, word)?;
        }
        Ok(found)
    }

    fn own_constant_unchecked(self, ec: &mut Ec, name: SymbolId) -> Result<Option<Value>> {
        if let Some(value) = self.plain_constant(name) {
            return Ok(Some(value));
        }
        let Some(constant) = self.seen_constant(ec, name) else { return Ok(None) };
        if constant.is_deprecated {
            ec.warn_deprecated_constant(self, name)?;
        }
        if !constant.value.is_undef() {
            return Ok(Some(constant.value));
        }
        match constant.pending {
            Some(Pending::Autoload(autoload)) => {
                let found = self.run_autoload(ec, name, &autoload.feature)?;
                if found.is_some()
                    && self.own_constant(name).is_some_and(|c| c.is_deprecated && !constant.is_deprecated)
                {
                    ec.warn_deprecated_constant(self, name)?;
                }
                Ok(found)
            }
            Some(Pending::Lazy(make)) => {
                let value = make(ec, name);
                self.put_constant(ec, name, Constant { value, pending: None, ..constant });
                Ok(Some(value))
            }
            None => Ok(None),
        }
    }

    /// In a class and its ancestors; for modules also in Object if `with_object`.
    pub fn find_constant(self, ec: &mut Ec, name: SymbolId, with_object: bool) -> Result<Option<Value>> {
        // Most are found where they are looked for first.
        if let Some(value) = self.own_constant_value(ec, name)? {
            return Ok(Some(value));
        }
        for ancestor in self.scope_order().skip(1) {
            if let Some(value) = ancestor.own_constant_value(ec, name)? {
                return Ok(Some(value));
            }
        }
        let object = ec.vm().known().object;
        let also_object = with_object && self.is_module();
        if also_object { object.find_constant(ec, name, false) } else { Ok(None) }
    }

    pub fn public_constant(self, ec: &mut Ec, name: SymbolId) -> Result {
        ec.constant_from_value(self.value(), name)
    }

    fn find_public_constant(self, ec: &mut Ec, name: SymbolId) -> Result<Public> {
        if let Some(value) = self.plain_public_constant(name) {
            ec.check_constant(self, name, value, "Ractor")?;
            return Ok(Public::Value(value));
        }
        let object = ec.vm().known().object;
        for ancestor in self.scope_order() {
            let Some(constant) = ancestor.own_constant(name) else { continue };
            if constant.is_private {
                return Ok(Public::Private(ancestor));
            }
            // `Foo::String` does not find Object's constants through a class.
            if ancestor == object && self != object {
                break;
            }
            if let Some(value) = ancestor.own_constant_value(ec, name)? {
                // The file of an autoload may have said so only now.
                let is_private = constant.value.is_undef() && ancestor.own_constant(name).is_some_and(|c| c.is_private);
                return Ok(if is_private { Public::Private(ancestor) } else { Public::Value(value) });
            }
        }
        Ok(Public::Missing)
    }

    pub(crate) fn assign_constant_quietly(self, ec: &mut Ec, name: SymbolId, value: Value) {
        let old = self.own_constant(name);
        let (file, line) = ec.caller_position();
        let constant = Constant {
            value,
            is_private: old.as_ref().is_some_and(|c| c.is_private),
            is_deprecated: old.is_some_and(|c| c.is_deprecated),
            file,
            line,
            pending: None,
        };
        if !self.assign_for_this_thread(ec, name, &constant) {
            self.put_constant(ec, name, constant);
        }
    }

    pub fn const_added(self, ec: &mut Ec, name: SymbolId) -> Result<()> {
        let module = ec.vm().known().module;
        if !ec.vm().is_booted() {
            return Ok(());
        }
        ec.call_hook(self.value(), sym::CONST_ADDED, module, &[Value::symbol(name)])
    }

    /// The ancestors that hold a class variable: the nearest, and the furthest, whose value counts.
    fn class_variable_holders(self, name: SymbolId) -> Option<(Class, Class)> {
        let has =
            |c: &Class| c.data().extras().class_variables.read().unwrap_or_else(|e| e.into_inner()).get(name).is_some();
        let mut holders = self.class_variable_order().filter(has);
        let nearest = holders.next()?;
        Some((nearest, holders.last().unwrap_or(nearest)))
    }

    /// Where class variables are looked for: of the singleton class of a class or module, in itself and in what that inherits
    /// from, and not in what extends it. CRuby: `cvar_front_klass`.
    pub fn class_variable_order(self) -> impl Iterator<Item = Class> {
        let attached = self.is_singleton().then(|| Class::from_value(self.attached())).flatten();
        let above = attached.unwrap_or(self).scope_order().filter(move |class| *class != self);
        std::iter::once(self).chain(above)
    }

    /// The ancestor that holds a class variable.
    pub fn class_variable_holder(self, name: SymbolId) -> Option<Class> {
        self.class_variable_holders(name).map(|(_, furthest)| furthest)
    }

    /// The ancestor that holds a class variable; fails if it was given one that another below it had already.
    fn class_variable_holder_checked(self, ec: &mut Ec, name: SymbolId) -> Result<Option<Class>> {
        match self.class_variable_holders(name) {
            Some((nearest, furthest)) if nearest != furthest => {
                let text = format!(
                    "class variable {} of {} is overtaken by {}",
                    ec.vm().symbol_text(name),
                    nearest.to_text(ec),
                    furthest.to_text(ec)
                );
                Err(ec.runtime_error(&text))
            }
            holders => Ok(holders.map(|(nearest, _)| nearest)),
        }
    }

    /// Reads a class variable of a class as its code would.
    pub fn read_class_variable(self, ec: &mut Ec, name: SymbolId) -> Result {
        let holder = self.class_variable_holder_checked(ec, name)?;
        match holder.and_then(|holder| holder.own_class_variable(name)) {
            Some(value) => ec.check_class_variable_read(self, name, value).map(|()| value),
            None => Err(ec.uninitialized_class_variable(self, name)),
        }
    }

    pub fn class_variable(self, name: SymbolId) -> Option<Value> {
        self.class_variable_holder(name)?.own_class_variable(name)
    }

    pub fn set_class_variable(self, ec: &mut Ec, name: SymbolId, value: Value) -> Result<()> {
        let holder = self.class_variable_holder_checked(ec, name)?.unwrap_or(self);
        if ec.is_frozen(holder.value()) {
            return Err(ec.frozen_error(holder.value()));
        }
        holder.put_class_variable(ec, name, value);
        Ok(())
    }
}
