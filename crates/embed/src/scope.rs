//! What the host does with a VM while it runs: inside a call from the host, or inside a function of the host's.

use crate::convert::{FromRuby, IntoRuby};
use crate::error::Error;
use crate::host::{Carried, new_function};
use crate::roots::{Roots, Value};
use crate::vm::Definers;
use carat_os::contact;
use carat_vm::{Class, Data, Ec, sym};
use std::any::Any;
use std::marker::PhantomData;
use std::sync::Arc;

/// A VM that runs. Limits are those of the call from the host that it runs in.
pub struct Scope<'vm> {
    pub(crate) ec: &'vm mut Ec,
    roots: Arc<Roots>,
}

impl<'vm> Scope<'vm> {
    pub(crate) fn new(ec: &'vm mut Ec, roots: &Arc<Roots>) -> Scope<'vm> {
        Scope { ec, roots: roots.clone() }
    }

    /// The same for a while.
    pub fn reborrow(&mut self) -> Scope<'_> {
        Scope { ec: self.ec, roots: self.roots.clone() }
    }

    pub(crate) fn hold(&mut self, value: carat_vm::Value) -> Value {
        self.roots.hold(self.ec, value)
    }

    pub(crate) fn find(&self, value: &Value) -> Result<carat_vm::Value, Error> {
        self.roots.find(self.ec, value).ok_or_else(|| Error::host("the object belongs to another VM"))
    }

    /// What is unwinding, as an error.
    pub(crate) fn error(&mut self) -> Error {
        match self.ec.vm().limits.stop() {
            Some(stop) => Error::of_stop(stop),
            None => Error::of_pending(self.ec, &self.roots),
        }
    }

    fn answer(&mut self, result: carat_vm::Result) -> Result<Value, Error> {
        match result {
            Ok(value) => Ok(self.hold(value)),
            Err(_) => Err(self.error()),
        }
    }

    /// Runs a source as a script of that name, with local variables of its own; the value of its last statement.
    pub fn eval(&mut self, source: &str, file: &str) -> Result<Value, Error> {
        // The host may have done something for it.
        contact::count();
        let options = carat_compile::Options { name: Some(b"<main>"), ..carat_compile::Options::file(file) };
        let result = carat_builtins::program::run_main(self.ec, source.as_bytes(), &options, None);
        self.answer(result)
    }

    /// Calls a method, whatever its visibility.
    pub fn call(&mut self, receiver: &Value, method: &str, arguments: &[Value]) -> Result<Value, Error> {
        contact::count();
        let receiver = self.find(receiver)?;
        let list = carat_vm::Array::new(self.ec, arguments.len());
        for argument in arguments {
            let argument = self.find(argument)?;
            list.push(self.ec, argument);
        }
        let method = self.ec.vm().intern(method);
        let result = self.ec.call_with_array(receiver, method, list, carat_vm::call::Passing::default());
        std::hint::black_box(list);
        self.answer(result)
    }

    /// An object of a Rust value.
    pub fn value(&mut self, value: impl IntoRuby) -> Result<Value, Error> {
        value.into_ruby(self)
    }

    /// A Rust value of an object.
    pub fn get<T: FromRuby>(&mut self, value: &Value) -> Result<T, Error> {
        T::from_ruby(self, value)
    }

    /// The object that scripts run as.
    pub fn main(&mut self) -> Value {
        let main = self.ec.vm().main_object();
        self.hold(main)
    }

    pub fn nil(&mut self) -> Value {
        self.hold(carat_vm::Value::NIL)
    }

    /// A global constant: a class, a module, any object. The path may have `::`.
    pub fn constant(&mut self, path: &str) -> Result<Value, Error> {
        let object = self.ec.vm().known().object.value();
        let (name, get) = (self.ec.str(path), self.ec.vm().intern("const_get"));
        let result = self.ec.call(object, get, &[name]);
        self.answer(result)
    }

    /// Bytes that the VM and its programs hold.
    pub fn bytes_in_use(&mut self) -> usize {
        self.ec.bytes_in_use()
    }

    /// Collects all that is dead.
    pub fn collect_garbage(&mut self) {
        self.ec.collect_garbage(true);
    }

    /// What `inspect` answers.
    pub fn inspect(&mut self, value: &Value) -> Result<String, Error> {
        let value = self.find(value)?;
        match self.ec.inspect(value) {
            Ok(text) => Ok(text.to_text(self.ec)),
            Err(_) => Err(self.error()),
        }
    }

    /// Name of the object's class.
    pub fn class_name(&mut self, value: &Value) -> Result<String, Error> {
        let value = self.find(value)?;
        Ok(self.ec.class_of(value).real().to_text(self.ec))
    }

    pub fn set_global(&mut self, name: &str, value: &Value) -> Result<(), Error> {
        let value = self.find(value)?;
        let name = self.ec.vm().intern(name);
        self.ec.set_global(name, value).map_err(|_| self.error())
    }

    pub fn global(&mut self, name: &str) -> Result<Value, Error> {
        let name = self.ec.vm().intern(name);
        let result = self.ec.global(name);
        self.answer(result)
    }

    fn definers(&self) -> Arc<Definers> {
        self.ec.vm().extension::<Definers>()
    }

    fn define(
        &mut self,
        definer: usize,
        owner: Option<carat_vm::Value>,
        name: &str,
        body: impl Fn(&mut Scope<'_>, &[Value]) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Result<(), Error> {
        let definers = self.definers();
        let (class, definer) = definers.get(definer).ok_or_else(|| Error::host("the VM is not complete"))?;
        let function = new_function(self.ec, class, &self.roots, body);
        let name = carat_vm::Value::symbol(self.ec.vm().intern(name));
        let result = match owner {
            Some(owner) => self.ec.call(definer, sym::CALL, &[owner, name, function]),
            None => self.ec.call(definer, sym::CALL, &[name, function]),
        };
        result.map(drop).map_err(|_| self.error())
    }

    /// A function that every program can call by its name. It may run on any thread of the VM.
    pub fn define_function(
        &mut self,
        name: &str,
        body: impl Fn(&mut Scope<'_>, &[Value]) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Result<(), Error> {
        self.define(0, None, name, body)
    }

    /// A class whose objects each carry a `T`, which is dropped when its object is collected, or with the VM.
    pub fn define_class<T: Any + Send>(&mut self, name: &str) -> Result<ClassBuilder<'_, 'vm, T>, Error> {
        let class = self.ec.new_class(self.ec.vm().known().object);
        class.set_allocator(None);
        let held = self.hold(class.value());
        let (object, set) = (self.ec.vm().known().object.value(), self.ec.vm().intern("const_set"));
        let name = carat_vm::Value::symbol(self.ec.vm().intern(name));
        if self.ec.call(object, set, &[name, class.value()]).is_err() {
            return Err(self.error());
        }
        Ok(ClassBuilder { scope: self, class: held, carries: PhantomData })
    }

    /// Works on what an object of a host-defined class carries; an object that carries no `T` is a `TypeError`.
    pub fn with<T: Any + Send, R>(&mut self, object: &Value, work: impl FnOnce(&mut T) -> R) -> Result<R, Error> {
        let value = self.find(object)?;
        let carried = Data::<Carried>::from_value(value);
        let carried = carried.and_then(|data| data.get_mut(self.ec).0.downcast_mut::<T>());
        carried.map(work).ok_or_else(|| Error::new("TypeError", "the object carries nothing of that type"))
    }
}

/// Adds methods to a class whose objects carry a `T`.
pub struct ClassBuilder<'scope, 'vm, T> {
    scope: &'scope mut Scope<'vm>,
    class: Value,
    carries: PhantomData<fn() -> T>,
}

impl<T: Any + Send> ClassBuilder<'_, '_, T> {
    /// What `new` does: the value that the new object carries.
    pub fn constructor(
        self,
        make: impl Fn(&mut Scope<'_>, &[Value]) -> Result<T, Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let owner = self.scope.find(&self.class)?;
        self.scope.define(2, Some(owner), "new", move |scope, arguments| {
            let carried = make(scope, &arguments[1..])?;
            let class = scope.find(&arguments[0])?;
            let class = Class::from_value(class).ok_or_else(|| Error::new("TypeError", "not a class"))?;
            let object = Data::new(scope.ec, class, Carried(Box::new(carried))).value();
            Ok(scope.hold(object))
        })?;
        Ok(self)
    }

    /// A method; its first argument is the object.
    pub fn method(
        self,
        name: &str,
        body: impl Fn(&mut Scope<'_>, &[Value]) -> Result<Value, Error> + Send + Sync + 'static,
    ) -> Result<Self, Error> {
        let owner = self.scope.find(&self.class)?;
        self.scope.define(1, Some(owner), name, body)?;
        Ok(self)
    }

    /// The class.
    pub fn finish(self) -> Value {
        self.class
    }
}
