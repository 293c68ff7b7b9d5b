//! What packed code says, borrowed from its bytes.

use crate::binary::reader::PackReader;
use crate::{CallFlags, CallInfo, EncodingName, Literal, Local, Site};

/// See [`Local`].
#[derive(Clone, Copy)]
pub struct LocalView<'a> {
    pub name: &'a [u8],
    pub register: u16,
    pub captured: bool,
    pub reassigned: bool,
}

impl LocalView<'_> {
    pub(crate) fn to_local(self) -> Local {
        let LocalView { name, register, captured, reassigned } = self;
        Local { name: name.into(), register, captured, reassigned }
    }
}

/// See [`Literal`].
#[derive(Clone)]
pub enum LiteralView<'a> {
    BigInteger(&'a str),
    Integer(i64),
    Float(f64),
    Rational(&'a str, &'a str),
    Imaginary(Box<LiteralView<'a>>),
    String(&'a [u8], EncodingName),
    Symbol(&'a [u8], EncodingName),
    Regexp(&'a [u8], u8, EncodingName),
    Range(Box<LiteralView<'a>>, Box<LiteralView<'a>>, bool),
    Nil,
    True,
    False,
    Array(LiteralList<'a>),
    /// Each key is followed by its value.
    Hash(LiteralList<'a>),
}

impl LiteralView<'_> {
    pub(crate) fn into_literal(self) -> Literal {
        match self {
            LiteralView::BigInteger(digits) => Literal::BigInteger(digits.into()),
            LiteralView::Integer(value) => Literal::Integer(value),
            LiteralView::Float(value) => Literal::Float(value),
            LiteralView::Rational(numerator, denominator) => Literal::Rational(numerator.into(), denominator.into()),
            LiteralView::Imaginary(part) => Literal::Imaginary(Box::new(part.into_literal())),
            LiteralView::String(bytes, encoding) => Literal::String(bytes.into(), encoding),
            LiteralView::Symbol(bytes, encoding) => Literal::Symbol(bytes.into(), encoding),
            LiteralView::Regexp(source, options, encoding) => Literal::Regexp(source.into(), options, encoding),
            LiteralView::Range(begin, end, excludes) => {
                Literal::Range(Box::new(begin.into_literal()), Box::new(end.into_literal()), excludes)
            }
            LiteralView::Nil => Literal::Nil,
            LiteralView::True => Literal::True,
            LiteralView::False => Literal::False,
            LiteralView::Array(elements) => Literal::Array(elements.map(LiteralView::into_literal).collect()),
            LiteralView::Hash(pairs) => {
                Literal::Hash(pairs.pairs().map(|(key, value)| (key.into_literal(), value.into_literal())).collect())
            }
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
    pub(crate) reader: PackReader<'a>,
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

/// Literals that stand side by side.
#[derive(Clone, Copy)]
pub struct LiteralList<'a> {
    pub(crate) reader: PackReader<'a>,
    pub(crate) left: usize,
}

impl<'a> LiteralList<'a> {
    /// The literals two by two.
    pub fn pairs(mut self) -> impl ExactSizeIterator<Item = (LiteralView<'a>, LiteralView<'a>)> {
        (0..self.left / 2).map(move |_| (self.reader.literal(), self.reader.literal()))
    }
}

impl<'a> Iterator for LiteralList<'a> {
    type Item = LiteralView<'a>;

    fn next(&mut self) -> Option<LiteralView<'a>> {
        self.left = self.left.checked_sub(1)?;
        Some(self.reader.literal())
    }

    fn size_hint(&self) -> (usize, Option<usize>) {
        (self.left, Some(self.left))
    }
}

impl ExactSizeIterator for LiteralList<'_> {}
