//! Any bytes in any of the encodings that are built differently: whatever a String is asked, it answers or raises.
//!
//! The first byte chooses the encoding, the second where the string is cut in two; the halves are receiver and argument.
//!
//!     cargo fuzz run text
#![no_main]

mod vm;

use carat_vm::Value;
use libfuzzer_sys::fuzz_target;

/// One of every kind.
const ENCODINGS: &[&str] = &[
    "UTF-8",
    "BINARY",
    "US-ASCII",
    "UTF-16LE",
    "UTF-16BE",
    "UTF-32LE",
    "UTF-32BE",
    "EUC-JP",
    "Shift_JIS",
    "Big5",
    "GBK",
    "GB18030",
    "CP949",
    "EUC-KR",
    "EUC-TW",
    "Emacs-Mule",
    "CESU-8",
    "ISO-8859-1",
    "Windows-1252",
    "ISO-2022-JP",
    "UTF-16",
];

const ALONE: &[&str] = &[
    "inspect",
    "dump",
    "length",
    "chars",
    "codepoints",
    "grapheme_clusters",
    "lines",
    "split",
    "upcase",
    "downcase",
    "swapcase",
    "capitalize",
    "reverse",
    "succ",
    "chop",
    "chomp",
    "strip",
    "squeeze",
    "scrub",
    "to_sym",
    "to_i",
    "to_f",
    "to_c",
    "to_r",
    "hex",
    "oct",
    "ord",
    "sum",
    "unicode_normalize",
    "valid_encoding?",
    "hash",
    "unpack1",
];

const WITH_ANOTHER: &[&str] = &[
    "+",
    "<=>",
    "==",
    "casecmp",
    "casecmp?",
    "index",
    "rindex",
    "byteindex",
    "include?",
    "start_with?",
    "end_with?",
    "split",
    "partition",
    "rpartition",
    "count",
    "delete",
    "squeeze",
    "delete_prefix",
    "delete_suffix",
    "chomp",
    "each_line",
    "encode",
    "unpack",
    "crypt",
    "%",
    "<<",
    "prepend",
    "replace",
];

fuzz_target!(|input: &[u8]| {
    let [encoding, cut, bytes @ ..] = input else { return };
    // The right half is a template of `unpack`, the left one of `%`.
    if vm::has_large_number(bytes) {
        return;
    }
    vm::with_vm(|ec| {
        let encoding = ENCODINGS[usize::from(*encoding) % ENCODINGS.len()];
        let (left, right) = bytes.split_at(usize::from(*cut) % (bytes.len() + 1));
        let number = Value::fixnum_unchecked(i64::from(*cut) - 128);
        for method in ALONE {
            let text = vm::text(ec, bytes, encoding);
            vm::call(ec, text, method, &[]);
        }
        for method in WITH_ANOTHER {
            let (text, other) = (vm::text(ec, left, encoding), vm::text(ec, right, encoding));
            vm::call(ec, text, method, &[other]);
        }
        for method in ["[]", "slice!", "byteslice", "ljust", "center", "*", "byterindex"] {
            let text = vm::text(ec, bytes, encoding);
            vm::call(ec, text, method, &[number]);
        }
        let (text, from, to) =
            (vm::text(ec, bytes, encoding), vm::text(ec, left, encoding), vm::text(ec, right, encoding));
        for method in ["tr", "tr_s", "sub", "gsub"] {
            vm::call(ec, text, method, &[from, to]);
        }
    });
});
