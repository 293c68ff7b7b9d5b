//! Literals as descriptions; `vm` makes objects of them when it links an iseq.

/// The encoding of a literal, by its canonical Ruby name (`UTF-8`, `US-ASCII`, `ASCII-8BIT`, `EUC-JP`, …).
pub type EncodingName = &'static str;

#[derive(Clone, PartialEq, Debug)]
pub enum Literal {
    /// An integer outside the fixnum range: sign and decimal digits.
    BigInteger(Box<str>),
    /// An integer that does not fit `putfixnum`'s 32 bits.
    Integer(i64),
    Float(f64),
    /// `1r`, `1.5r`: numerator and denominator as decimal digits, numerator signed.
    Rational(Box<str>, Box<str>),
    /// `2i`, `2.5i`, `2ri`: the imaginary part.
    Imaginary(Box<Literal>),
    /// Used frozen by `putobject`, copied by `putstring` and `putchilledstring`.
    String(Box<[u8]>, EncodingName),
    Symbol(Box<[u8]>, EncodingName),
    /// Source, options (1 ignorecase, 2 extended, 4 multiline, 16 fixedencoding, 32
    /// noencoding), encoding of the source.
    Regexp(Box<[u8]>, u8, EncodingName),
    Range(Box<Literal>, Box<Literal>, bool),
    Nil,
    True,
    False,
    /// For `duparray` and `opt_freeze`, as the next one for `duphash`.
    Array(Vec<Literal>),
    /// The keys are strings, symbols, floats, fixnums, nil and booleans.
    Hash(Vec<(Literal, Literal)>),
}
