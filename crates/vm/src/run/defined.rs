//! `defined?` of methods and of `super`.

use crate::ec::{Ec, Result};
use crate::model::method::MethodEntry;
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
        // SAFETY: a live frame.
        let cref = unsafe { fp.code() }.cref;
        let refined = crate::run::interp::refined_for(self, cref, object, name);
        let refined = refined.and_then(|method| MethodEntry::from_value(self, method));
        if let Some(m) = refined.or_else(|| self.find_method(object, name)) {
            // SAFETY: a live frame.
            let own = unsafe { fp.reg(0) };
            return Ok(match m.visibility {
                Visibility::Public => true,
                Visibility::Private => is_self,
                Visibility::Protected => is_self || self.is_a(own, m.owner(self)),
            });
        }
        let args = [Value::symbol(name), Value::bool(is_self)];
        let answer = self.call_if_responds(object, crate::model::symbol::sym::RESPOND_TO_MISSING, &args)?;
        Ok(answer.is_some_and(Value::truthy))
    }

    pub(crate) unsafe fn is_super_defined(&self, fp: Fp) -> bool {
        // SAFETY: a live frame.
        unsafe {
            let (method, _) = crate::run::interp::running_method(fp);
            let Some(entry) = MethodEntry::from_value(self, method) else { return false };
            crate::run::interp::super_method(self, fp.env().reg(0), entry).is_some()
        }
    }
}
