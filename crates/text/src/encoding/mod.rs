//! The encodings a string can be in: their names, their structure and their characters.
//!
//! # Layout
//! An [`EncodingIndex`] is one byte and indexes a static table in CRuby's order, so that the header of a string can keep it.
//! [`Kind`] names the structure of an encoding's characters; encodings that differ only in what their code points mean
//! (the ISO-8859 pages, the Shift_JIS family) share one kind.
//!
//! # Invariants
//! * A dummy encoding is stepped through byte by byte, whatever its name promises.
//! * [`char_len`] looks at the first character only and never past `max_len` bytes.
//!
//! # References
//! CRuby `encoding.c`, `enc/*.c`.

mod codepoint;
mod stepping;
mod table;
#[cfg(test)]
mod tests;

pub use codepoint::{CodepointError, codepoint, encode_codepoint};
pub use stepping::{Char, char_len, mbclen, utf8_char_len};
use table::ENCODINGS;

/// The number of an encoding; what a string's header stores.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, PartialOrd, Ord)]
pub struct EncodingIndex(pub u8);

/// How an encoding's bytes make characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// Every byte is a character.
    SingleByte,
    /// Every byte below 0x80 is a character; the others are invalid.
    UsAscii,
    Utf8,
    /// UTF-8 whose supplementary characters are two encoded surrogates.
    Cesu8,
    Utf16Be,
    Utf16Le,
    Utf32Be,
    Utf32Le,
    EucJp,
    ShiftJis,
    Big5,
    /// GBK: lead 81-FE, trail 40-7E or 80-FE.
    Gbk,
    Gb18030,
    /// CP949: lead 81-FE, trail 41-5A, 61-7A or 81-FE.
    Cp949,
    /// Lead and trail A1-FE: EUC-KR, GB2312.
    EucKr,
    EucTw,
    EmacsMule,
}

/// What is known of one encoding.
#[derive(Debug)]
pub struct Encoding {
    pub name: &'static str,
    pub aliases: &'static [&'static str],
    pub kind: Kind,
    pub is_dummy: bool,
}

macro_rules! indices {
    ($($name:ident = $index:literal,)*) => {
        impl EncodingIndex {
            $(pub const $name: EncodingIndex = EncodingIndex($index);)*
        }
    };
}

indices! {
    ASCII_8BIT = 0, BINARY = 0, UTF_8 = 1, US_ASCII = 2,
    UTF_16BE = 3, UTF_16LE = 4, UTF_32BE = 5, UTF_32LE = 6, UTF_16 = 7, UTF_32 = 8, UTF8_MAC = 9, EUC_JP = 10,
    WINDOWS_31J = 11, BIG5 = 12, BIG5_HKSCS = 13, BIG5_UAO = 14, CESU_8 = 15, CP949 = 16, EMACS_MULE = 17,
    EUC_KR = 18, EUC_TW = 19, GB18030 = 20, GBK = 21, ISO_8859_1 = 22, ISO_8859_2 = 23, ISO_8859_3 = 24,
    ISO_8859_4 = 25, ISO_8859_5 = 26, ISO_8859_6 = 27, ISO_8859_7 = 28, ISO_8859_8 = 29, ISO_8859_9 = 30,
    ISO_8859_10 = 31, ISO_8859_11 = 32, ISO_8859_13 = 33, ISO_8859_14 = 34, ISO_8859_15 = 35, ISO_8859_16 = 36,
    KOI8_R = 37, KOI8_U = 38, SHIFT_JIS = 39, WINDOWS_1250 = 40, WINDOWS_1251 = 41, WINDOWS_1252 = 42,
    WINDOWS_1253 = 43, WINDOWS_1254 = 44, WINDOWS_1257 = 45, IBM437 = 46, IBM720 = 47, IBM737 = 48, IBM775 = 49,
    CP850 = 50, IBM852 = 51, CP852 = 52, IBM855 = 53, CP855 = 54, IBM857 = 55, IBM860 = 56, IBM861 = 57,
    IBM862 = 58, IBM863 = 59, IBM864 = 60, IBM865 = 61, IBM866 = 62, IBM869 = 63, WINDOWS_1258 = 64, GB1988 = 65,
    MACCENTEURO = 66, MACCROATIAN = 67, MACCYRILLIC = 68, MACGREEK = 69, MACICELAND = 70, MACROMAN = 71,
    MACROMANIA = 72, MACTHAI = 73, MACTURKISH = 74, MACUKRAINE = 75, CP950 = 76, CP951 = 77, IBM037 = 78,
    STATELESS_ISO_2022_JP = 79, EUCJP_MS = 80, CP51932 = 81, EUC_JIS_2004 = 82, GB2312 = 83, GB12345 = 84,
    ISO_2022_JP = 85, ISO_2022_JP_2 = 86, CP50220 = 87, CP50221 = 88, WINDOWS_1256 = 89, WINDOWS_1255 = 90,
    TIS_620 = 91, WINDOWS_874 = 92, MACJAPANESE = 93, UTF_7 = 94, UTF8_DOCOMO = 95, SJIS_DOCOMO = 96,
    UTF8_KDDI = 97, SJIS_KDDI = 98, ISO_2022_JP_KDDI = 99, STATELESS_ISO_2022_JP_KDDI = 100, UTF8_SOFTBANK = 101,
    SJIS_SOFTBANK = 102,
}

/// How many encodings there are; indices are below it.
pub const COUNT: usize = ENCODINGS.len();

impl EncodingIndex {
    /// Every encoding, in index order (`Encoding.list`).
    pub fn all() -> impl Iterator<Item = EncodingIndex> {
        (0..COUNT as u8).map(EncodingIndex)
    }

    /// The encoding of that name or alias, in any case. The names that depend on the process ("locale", "external",
    /// "internal", "filesystem") are the VM's business.
    pub fn find_by_name(name: &[u8]) -> Option<EncodingIndex> {
        let same = |candidate: &str| candidate.as_bytes().eq_ignore_ascii_case(name);
        Self::all().find(|index| same(index.name()) || index.aliases().iter().any(|alias| same(alias)))
    }

    /// The encoding's row.
    pub fn get(self) -> &'static Encoding {
        &ENCODINGS[self.0 as usize]
    }

    /// `Encoding#name`.
    pub fn name(self) -> &'static str {
        self.get().name
    }

    /// The names of `Encoding#names` after the first, without those that depend on the process.
    pub fn aliases(self) -> &'static [&'static str] {
        self.get().aliases
    }

    /// The structure of its characters.
    #[inline]
    pub fn kind(self) -> Kind {
        self.get().kind
    }

    /// `Encoding#dummy?`.
    pub fn is_dummy(self) -> bool {
        self.get().is_dummy
    }

    /// Whether bytes below 0x80 mean ASCII wherever a character starts.
    #[inline]
    pub fn is_ascii_compatible(self) -> bool {
        self.0 < 3 || (!self.is_dummy() && self.min_len() == 1)
    }

    /// Whether every valid character is one byte.
    #[inline]
    pub fn is_single_byte(self) -> bool {
        matches!(self.kind(), Kind::SingleByte | Kind::UsAscii)
    }

    /// Whether code points are Unicode's: the UTF family, its dummies excepted.
    #[inline]
    pub fn is_unicode(self) -> bool {
        use Kind::{Cesu8, Utf8, Utf16Be, Utf16Le, Utf32Be, Utf32Le};
        matches!(self.kind(), Utf8 | Cesu8 | Utf16Be | Utf16Le | Utf32Be | Utf32Le)
    }

    /// Whether the bytes are UTF-8's (also true of the carriers' and the Mac's variants).
    #[inline]
    pub fn is_utf8(self) -> bool {
        self.kind() == Kind::Utf8
    }

    /// Bytes in the shortest character, which is also the step over invalid bytes.
    #[inline]
    pub fn min_len(self) -> usize {
        match self.kind() {
            Kind::Utf16Be | Kind::Utf16Le => 2,
            Kind::Utf32Be | Kind::Utf32Le => 4,
            _ => 1,
        }
    }

    /// Bytes in the longest character.
    pub fn max_len(self) -> usize {
        match self.kind() {
            Kind::SingleByte | Kind::UsAscii => 1,
            Kind::ShiftJis | Kind::Big5 | Kind::Gbk | Kind::Cp949 | Kind::EucKr => 2,
            Kind::EucJp => 3,
            Kind::Cesu8 => 6,
            _ => 4,
        }
    }

    /// `Encoding#inspect`.
    pub fn inspect(self) -> String {
        if self == Self::ASCII_8BIT {
            return "#<Encoding:BINARY (ASCII-8BIT)>".to_owned();
        }
        let dummy = if self.is_dummy() { " (dummy)" } else { "" };
        format!("#<Encoding:{}{dummy}>", self.name())
    }

    /// The name under which messages speak of the encoding (`Encoding::CompatibilityError`): that of `inspect`.
    pub fn inspect_name(self) -> &'static str {
        if self == Self::ASCII_8BIT { "BINARY (ASCII-8BIT)" } else { self.name() }
    }

    /// Whether `bytes` holds valid characters only.
    pub fn is_valid(self, bytes: &[u8]) -> bool {
        crate::coderange::scan(self, bytes) != crate::coderange::CodeRange::Broken
    }
}
