//! What packed code says, borrowed from its bytes.

use crate::binary::reader::Reader;
use crate::{CallFlags, CallInfo, EncodingName, Literal, Local, Site};

/// See [`Local`].
#[derive(Clone, Copy)]
pub struct LocalView<'a> {
    pub name: &'a [u8],
    pub register: u16,
    pub captured: bool,
}

impl LocalView<'_> {
    pub(crate) fn to_local(self) -> Local {
        Local { name: self.name.into(), register: self.register, captured: self.captured }
    }
}

/// See [`Literal`].
pub enum LiteralView<'a> {
    String(&'a [u8], EncodingName),
    Symbol(&'a [u8], EncodingName),
    Other(Literal),
}

impl LiteralView<'_> {
    pub(crate) fn into_literal(self) -> Literal {
        match self {
            LiteralView::String(bytes, encoding) => Literal::String(bytes.into(), encoding),
            LiteralView::Symbol(bytes, encoding) => Literal::Symbol(bytes.into(), encoding),
            LiteralView::Other(literal) => literal,
        }
    }
}

/// See [`CallInfo`].
#[derive(Clone, Copy)]
pub struct CallView<'a> {
    pub name: &'a [u8],
    pub argc: u16,
    pub flags: CallFlags,
    pub keywords: NameList<'a>,
    pub block: Option<u16>,
}

/// See [`Site`].
#[derive(Clone, Copy)]
pub enum SiteView<'a> {
    Call(CallView<'a>),
    InstanceVariable(&'a [u8]),
    ClassVariable(&'a [u8]),
    Constant(NameList<'a>),
    Once(u16),
}

impl SiteView<'_> {
    pub(crate) fn to_site(self) -> Site {
        match self {
            SiteView::Call(call) => Site::Call(CallInfo {
                name: call.name.into(),
                argc: call.argc,
                flags: call.flags,
                keyword_names: call.keywords.map(Box::from).collect(),
                block: call.block,
            }),
            SiteView::InstanceVariable(name) => Site::InstanceVariable(name.into()),
            SiteView::ClassVariable(name) => Site::ClassVariable(name.into()),
            SiteView::Constant(path) => Site::Constant(path.map(Box::from).collect()),
            SiteView::Once(child) => Site::Once(child),
        }
    }
}

/// Names that stand side by side.
#[derive(Clone, Copy)]
pub struct NameList<'a> {
    pub(crate) reader: Reader<'a>,
    pub(crate) left: usize,
}

impl<'a> Iterator for NameList<'a> {
    type Item = &'a [u8];

    fn next(&mut self) -> Option<&'a [u8]> {
        self.left = self.left.checked_sub(1)?;
        Some(self.reader.name())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for NameList<'_> {}
