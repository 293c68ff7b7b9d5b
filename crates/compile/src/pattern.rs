//! Patterns.
use crate::compiler::Compiler;
use crate::emit::Dst;
use ruby_prism as pm;
impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn case_in(&mut self, _: &pm::CaseMatchNode<'pr>, _: Dst) {
        unimplemented!()
    }
    pub(crate) fn match_predicate(&mut self, _: &pm::MatchPredicateNode<'pr>, _: Dst) {
        unimplemented!()
    }
    pub(crate) fn match_required(&mut self, _: &pm::MatchRequiredNode<'pr>, _: Dst) {
        unimplemented!()
    }
}
