//! Where CRuby's tables for single-byte encodings differ from what Unicode says of their characters.
//!
//! A class of POSIX with bytes that are in it (`+`) or not (`-`). `pair+7A=5A`: a set that has one of the two bytes has both, where case
//! does not matter. `fold+7A=5A`: the second byte, elsewhere, becomes the first. `sharp+DF`: the byte is `ss`.
//! `tests/diff/letters.rb` prints this list.

use crate::encoding::EncodingIndex as E;

#[rustfmt::skip]
pub(super) const EXCEPTIONS: &[(E, &str)] = &[
    (E::ISO_8859_1, "sharp+DF"),
    (E::ISO_8859_2, "sharp+DF"),
    (E::ISO_8859_3, "punct+BD sharp+DF fold+69=A9"),
    (E::ISO_8859_4, "sharp+DF"),
    (E::ISO_8859_7, "graph-A4-A5,AA pair+F2=D2"),
    (E::ISO_8859_8, "graph-FD-FE"),
    (E::ISO_8859_9, "sharp+DF fold+69=DD"),
    (E::ISO_8859_10, "sharp+DF"),
    (E::ISO_8859_11, "alpha+DF,EF-FB punct-EF,FA-FB"),
    (E::ISO_8859_13, "sharp+DF"),
    (E::ISO_8859_14, "sharp+DF"),
    (E::ISO_8859_15, "sharp+DF"),
    (E::ISO_8859_16, "sharp+DF fold+A5=A4"),
    (E::WINDOWS_1250, "cntrl+82-89,8B,91-99,9B punct+A1 word+B2,BD sharp+DF fold+F7=D7"),
    (E::WINDOWS_1251, "cntrl+98 punct+A4,A6-A7,A9,AC,AE,B0-B1,B5-B6 graph-88,99,B9 print+09 blank-A0 space+A0 pair-90=80 pair-83=81 pair-9A=8A pair-9C=8C pair-9D=8D pair-9E=8E pair-9F=8F pair-A2=A1 pair-BC=A3 pair-B4=A5 pair-BA=AA pair-BF=AF pair-B3=B2 pair-BE=BD"),
    (E::WINDOWS_1252, "cntrl+82-89,8B,91-99,9B sharp+DF fold+BF=AF fold+F7=D7"),
    (E::WINDOWS_1253, "cntrl+80-9F alpha+B6 upper+B6 punct+A1 graph-A4-A5,AE pair+DC=B6 pair+F2=D2 pair-DC=A2 fold+EC=B5 fold+DC=B6"),
    (E::WINDOWS_1254, "cntrl+80-89,8B,8D-99,9B,9D-9E sharp+DF pair+FD=DD pair-9A=8A pair-9C=8C pair-FF=9F fold+69=DD"),
];
