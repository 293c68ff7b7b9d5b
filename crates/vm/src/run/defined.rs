//! `defined?` of methods and of `super`.

use crate::ec::{Ec, Result};
use crate::run::frame::Fp;
use carat_layout::{SymbolId, Value};

impl Ec {
    pub(crate) unsafe fn is_method_defined_for(
        &mut self,
        fp: Fp,
        object: Value,
        name: SymbolId,
        is_self: bool,
    ) -> Result<bool> {
        use crate::model::class::Visibility;
        if let Some(m) = self.find_method(object, name) {
            // SAFETY: a live frame.
            let own = unsafe { fp.reg(0) };
            return Ok(match m.visibility {
                Visibility::Public => true,
                Visibility::Private => is_self,
                Visibility::Protected => is_self || self.is_a(own, m.owner(self)),
            });
        }
        if self.find_method(object, crate::model::symbol::sym::RESPOND_TO_MISSING).is_none() {
            return Ok(false);
        }
        Ok(self
            .call(object, crate::model::symbol::sym::RESPOND_TO_MISSING, &[Value::symbol(name), Value::bool(is_self)])?
            .truthy())
    }

    pub(crate) unsafe fn is_super_defined(&self, fp: Fp) -> bool {
        // SAFETY: a live frame.
        unsafe {
            let (method, _) = crate::run::interp::running_method(fp);
            let Some(entry) = crate::model::method::MethodEntry::from_value(self, method) else { return false };
            crate::run::interp::super_method(self, fp.env().reg(0), entry).is_some()
        }
    }
}
