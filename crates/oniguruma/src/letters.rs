//! Encodings whose letters the engine does not know, or knows otherwise than CRuby: all single-byte encodings but ASCII, and the
//! full-width letters of Japanese ones.
//!
//! The engine asks an encoding through a table of functions. Such an encoding has a copy of one of the engine's own tables, in
//! which the functions for case, and for classes where they differ, are those of this module. The functions get no argument that tells
//! the encoding: there is one of each for each encoding, made by a type that stands for it.
//!
//! # References
//! Oniguruma `regenc.h`, `OnigEncodingType`.

use carat_text::letters::{Class, FAMILIES, of_family};
use onig_sys::{OnigApplyAllCaseFoldFunc, OnigCaseFoldCodeItem, OnigCaseFoldType, OnigCodePoint, OnigEncodingType};
use std::ffi::{c_int, c_uint, c_void};
use std::ptr::slice_from_raw_parts;
use std::sync::OnceLock;

/// What is known of an encoding's letters. Characters are numbered as the engine numbers them: by their bytes.
trait Letters {
    /// The engine's encoding of the same structure.
    fn base() -> *const OnigEncodingType;

    /// What a character becomes where case does not matter.
    fn fold(code: u32) -> u32;

    /// The other characters that become the same as this one.
    fn others(code: u32) -> impl Iterator<Item = u32>;

    /// Letters in two cases, as members of sets have them.
    fn pairs() -> impl Iterator<Item = [u32; 2]>;

    /// The character that is the same as two letters `s`.
    fn sharp_s() -> Option<u32> {
        None
    }
}

/// A single-byte encoding.
struct Family<const INDEX: usize>;

impl<const INDEX: usize> Letters for Family<INDEX> {
    fn base() -> *const OnigEncodingType {
        &raw const onig_sys::OnigEncodingISO_8859_1
    }

    fn fold(code: u32) -> u32 {
        u8::try_from(code).map_or(code, |byte| of_family(INDEX).fold(byte).into())
    }

    fn others(code: u32) -> impl Iterator<Item = u32> {
        let byte = u8::try_from(code).ok();
        byte.into_iter().flat_map(|byte| of_family(INDEX).others(byte)).map(u32::from)
    }

    fn pairs() -> impl Iterator<Item = [u32; 2]> {
        of_family(INDEX).pairs().iter().map(|pair| [pair.small.into(), pair.capital.into()])
    }

    fn sharp_s() -> Option<u32> {
        of_family(INDEX).sharp_s().map(u32::from)
    }
}

/// So many capitals from the first number on, and as many small letters from the second on.
type Row = (u32, u32, u32);

/// Latin, Greek and Cyrillic letters of full width, in EUC-JP and in Shift_JIS.
const EUC_ROWS: [Row; 3] = [(0xA3C1, 0xA3E1, 26), (0xA6A1, 0xA6C1, 24), (0xA7A1, 0xA7D1, 33)];
const SHIFT_ROWS: [Row; 4] = [(0x8260, 0x8281, 26), (0x839F, 0x83BF, 24), (0x8440, 0x8470, 15), (0x844F, 0x8480, 18)];

struct EucJp;
struct ShiftJis;

fn fold_in(rows: &[Row], code: u32) -> u32 {
    if code < 0x80 {
        return u32::from((code as u8).to_ascii_lowercase());
    }
    let row = rows.iter().find(|&&(capital, _, count)| (capital..capital + count).contains(&code));
    row.map_or(code, |(capital, small, _)| code - capital + small)
}

fn pairs_in(rows: &'static [Row]) -> impl Iterator<Item = [u32; 2]> {
    const ASCII: &[Row] = &[(b'A' as u32, b'a' as u32, 26)];
    ASCII.iter().chain(rows).flat_map(|&(capital, small, count)| (0..count).map(move |n| [small + n, capital + n]))
}

fn others_in(rows: &'static [Row], code: u32) -> impl Iterator<Item = u32> {
    pairs_in(rows).filter(move |pair| pair.contains(&code)).map(move |[a, b]| if a == code { b } else { a })
}

impl Letters for EucJp {
    fn base() -> *const OnigEncodingType {
        &raw const onig_sys::OnigEncodingEUC_JP
    }

    fn fold(code: u32) -> u32 {
        fold_in(&EUC_ROWS, code)
    }

    fn others(code: u32) -> impl Iterator<Item = u32> {
        others_in(&EUC_ROWS, code)
    }

    fn pairs() -> impl Iterator<Item = [u32; 2]> {
        pairs_in(&EUC_ROWS)
    }
}

impl Letters for ShiftJis {
    fn base() -> *const OnigEncodingType {
        &raw const onig_sys::OnigEncodingSJIS
    }

    fn fold(code: u32) -> u32 {
        fold_in(&SHIFT_ROWS, code)
    }

    fn others(code: u32) -> impl Iterator<Item = u32> {
        others_in(&SHIFT_ROWS, code)
    }

    fn pairs() -> impl Iterator<Item = [u32; 2]> {
        pairs_in(&SHIFT_ROWS)
    }
}

// ---- what the engine calls ----

/// The character that some bytes begin with, and how many of them it takes.
///
/// # Safety
/// `start` is before `end`, and both are of one text.
unsafe fn first<L: Letters>(start: *const u8, end: *const u8) -> (u32, usize) {
    // SAFETY: the caller's contract; nobody writes to the engine's encodings, which have these functions.
    unsafe {
        let base = &*L::base();
        let len = base.mbc_enc_len.map_or(1, |len| len(start));
        let code = base.mbc_to_code.map_or(0, |code| code(start, end));
        (code, usize::try_from(len).unwrap_or(1).min(end.offset_from_unsigned(start)))
    }
}

/// Writes the first character of a text as it is where case does not matter, and goes behind it.
unsafe extern "C" fn fold<L: Letters>(
    flag: OnigCaseFoldType,
    at: *mut *const u8,
    end: *const u8,
    to: *mut u8,
) -> c_int {
    // SAFETY: the engine's contract: `*at` is before `end`, and `to` has room for any character's folded form.
    unsafe {
        let start = *at;
        let (code, len) = first::<L>(start, end);
        *at = start.add(len);
        if flag & onig_sys::INTERNAL_ONIGENC_CASE_FOLD_MULTI_CHAR != 0 && L::sharp_s() == Some(code) {
            to.cast::<[u8; 2]>().write_unaligned(*b"ss");
            return 2;
        }
        let folded = L::fold(code);
        if folded != code
            && let Some(write) = (*L::base()).code_to_mbc
        {
            return write(folded, to);
        }
        start.copy_to_nonoverlapping(to, len);
        len as c_int
    }
}

const SS: [OnigCodePoint; 2] = [b's' as OnigCodePoint; 2];

/// Calls a function with each member of a set that brings another one with it.
unsafe extern "C" fn apply_all<L: Letters>(
    _flag: OnigCaseFoldType,
    visit: OnigApplyAllCaseFoldFunc,
    arg: *mut c_void,
) -> c_int {
    let Some(visit) = visit else { return 0 };
    let call = |from: u32, to: &[OnigCodePoint]| {
        let mut list = [0; 2];
        list[..to.len()].copy_from_slice(to);
        // SAFETY: the function and its argument are the engine's, and it keeps no pointer to the list.
        unsafe { visit(from, list.as_mut_ptr(), to.len() as c_int, arg) }
    };
    let both = L::pairs().flat_map(|[small, capital]| [(small, [capital]), (capital, [small])]);
    for (from, to) in both {
        let result = call(from, &to);
        if result != 0 {
            return result;
        }
    }
    L::sharp_s().map_or(0, |sharp| call(sharp, &SS))
}

/// The list of texts that the beginning of a pattern's text is the same as.
struct Items<'a> {
    list: &'a mut [OnigCaseFoldCodeItem; MOST_ITEMS],
    len: usize,
}

/// `ONIGENC_GET_CASE_FOLD_CODES_MAX_NUM`: the engine has room for so many.
const MOST_ITEMS: usize = 13;

impl Items<'_> {
    /// Adds characters that `bytes` bytes of the text are the same as.
    fn add(&mut self, bytes: usize, codes: &[u32]) {
        if self.len == MOST_ITEMS {
            return;
        }
        let mut code = [0; 3];
        code[..codes.len()].copy_from_slice(codes);
        self.list[self.len] = OnigCaseFoldCodeItem { byte_len: bytes as c_int, code_len: codes.len() as c_int, code };
        self.len += 1;
    }

    /// Two letters `s` in all cases, but for one.
    fn add_double_s(&mut self, bytes: usize, own: &[u8]) {
        for pair in [b"ss", b"SS", b"sS", b"Ss"].into_iter().filter(|pair| *pair != own) {
            self.add(bytes, &pair.map(u32::from));
        }
    }
}

/// Finds what else the beginning of a pattern's text matches.
unsafe extern "C" fn codes<L: Letters>(
    _flag: OnigCaseFoldType,
    start: *const u8,
    end: *const u8,
    items: *mut OnigCaseFoldCodeItem,
) -> c_int {
    // SAFETY: the engine's contract: `start` is before `end`, and there is room for so many items.
    let (text, list, (code, len)) = unsafe {
        let text = &*slice_from_raw_parts(start, end.offset_from_unsigned(start));
        (text, &mut *items.cast::<[OnigCaseFoldCodeItem; MOST_ITEMS]>(), first::<L>(start, end))
    };
    let mut items = Items { list, len: 0 };
    match (L::sharp_s(), text) {
        (Some(sharp), [b's' | b'S', b's' | b'S', ..]) => {
            items.add(2, &[sharp]);
            items.add_double_s(2, &text[..2]);
        }
        (Some(sharp), _) if sharp == code => items.add_double_s(len, &[]),
        _ => L::others(code).for_each(|other| items.add(len, &[other])),
    }
    items.len as c_int
}

/// Half-width letters are of one byte: the engine takes them for no characters of words.
unsafe extern "C" fn is_in_class_of_shift_jis(code: OnigCodePoint, class: c_uint) -> c_int {
    const WIDE: [Class; 3] = [Class::Graph, Class::Print, Class::Word];
    if (0xA1..0xE0).contains(&code) {
        return WIDE.iter().any(|wide| *wide as c_uint == class).into();
    }
    // SAFETY: as in `first`; any number may be asked.
    unsafe { (*ShiftJis::base()).is_code_ctype.map_or(0, |is_in| is_in(code, class)) }
}

unsafe extern "C" fn is_in_class<const INDEX: usize>(code: OnigCodePoint, class: c_uint) -> c_int {
    u8::try_from(code).is_ok_and(|byte| of_family(INDEX).is_in(byte, class)).into()
}

// ---- the tables ----

/// A table that nobody writes to.
struct Table(OnigEncodingType);

// SAFETY: it holds functions and a name that is there forever.
unsafe impl Send for Table {}
// SAFETY: as above.
unsafe impl Sync for Table {}

impl Table {
    fn new<L: Letters>() -> Table {
        // SAFETY: the engine's own encodings are there forever, and nobody writes to them.
        let base = unsafe { L::base().read() };
        Table(OnigEncodingType {
            mbc_case_fold: Some(fold::<L>),
            apply_all_case_fold: Some(apply_all::<L>),
            get_case_fold_codes_by_str: Some(codes::<L>),
            ..base
        })
    }

    fn of_family<const INDEX: usize>() -> Table {
        let Table(table) = Table::new::<Family<INDEX>>();
        Table(OnigEncodingType { is_code_ctype: Some(is_in_class::<INDEX>), ..table })
    }

    fn raw(&'static self) -> onig_sys::OnigEncoding {
        (&raw const self.0).cast_mut()
    }
}

/// How a table of each family is made.
const MAKERS: [fn() -> Table; FAMILIES.len()] = [
    Table::of_family::<0>,
    Table::of_family::<1>,
    Table::of_family::<2>,
    Table::of_family::<3>,
    Table::of_family::<4>,
    Table::of_family::<5>,
    Table::of_family::<6>,
    Table::of_family::<7>,
    Table::of_family::<8>,
    Table::of_family::<9>,
    Table::of_family::<10>,
    Table::of_family::<11>,
    Table::of_family::<12>,
    Table::of_family::<13>,
    Table::of_family::<14>,
    Table::of_family::<15>,
    Table::of_family::<16>,
    Table::of_family::<17>,
    Table::of_family::<18>,
    Table::of_family::<19>,
    Table::of_family::<20>,
    Table::of_family::<21>,
];

/// The single-byte encoding of a number that [`carat_text::letters::family`] gives.
pub(super) fn of_single_bytes(family: usize) -> onig_sys::OnigEncoding {
    static TABLES: [OnceLock<Table>; FAMILIES.len()] = [const { OnceLock::new() }; FAMILIES.len()];
    TABLES[family].get_or_init(MAKERS[family]).raw()
}

pub(super) fn euc_jp() -> onig_sys::OnigEncoding {
    static TABLE: OnceLock<Table> = OnceLock::new();
    TABLE.get_or_init(Table::new::<EucJp>).raw()
}

pub(super) fn shift_jis() -> onig_sys::OnigEncoding {
    static TABLE: OnceLock<Table> = OnceLock::new();
    let table = || {
        let Table(table) = Table::new::<ShiftJis>();
        Table(OnigEncodingType { is_code_ctype: Some(is_in_class_of_shift_jis), ..table })
    };
    TABLE.get_or_init(table).raw()
}
