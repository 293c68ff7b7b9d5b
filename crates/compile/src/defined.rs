//! `defined?`
use crate::compiler::Compiler;
use crate::emit::Dst;
use ruby_prism as pm;
impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn defined(&mut self, _: &pm::DefinedNode<'pr>, _: Dst) {
        unimplemented!()
    }
}
