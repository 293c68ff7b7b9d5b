//! Tests of `pack`.

use std::ops::ControlFlow;

use num_bigint::BigInt;

use super::*;
use crate::number::Int;
use crate::number::decimal::int_to_string;
use crate::recorded::{self, Differences};

/// Values as tagged in the recorded table.
struct Arguments<'a>(&'a [Vec<u8>]);

impl PackArgs for Arguments<'_> {
    type Value = usize;
    type Error = Vec<u8>;

    fn len(&self) -> usize {
        self.0.len()
    }

    fn get(&mut self, index: usize) -> usize {
        index
    }

    fn is_nil(&self, value: usize) -> bool {
        self.0[value] == b"n"
    }

    fn to_integer(&mut self, value: usize) -> Result<Int, Vec<u8>> {
        match &self.0[value][..] {
            [b'i', digits @ ..] => Ok(Int::from(BigInt::parse_bytes(digits, 10).expect("an integer"))),
            _ => Err(b"TypeError".to_vec()),
        }
    }

    fn to_float(&mut self, value: usize) -> Result<f64, Vec<u8>> {
        match &self.0[value][..] {
            [b'f', bits @ ..] => Ok(recorded::float(bits)),
            _ => Ok(self.to_integer(value)?.to_f64()),
        }
    }

    fn with_text(
        &mut self,
        value: usize,
        conversion: TextConversion,
        grain: usize,
        consume: &mut dyn FnMut(&[u8]),
    ) -> Result<(), Vec<u8>> {
        match &self.0[value][..] {
            // Parts as short as can be.
            [b's', text @ ..] => text.chunks(grain).for_each(consume),
            b"n" if conversion != TextConversion::ToStr => consume(b""),
            _ => return Err(b"TypeError".to_vec()),
        }
        Ok(())
    }

    /// The argument's number stands for an address.
    fn to_pointer(&mut self, value: usize, min_len: Option<usize>) -> Result<u64, Vec<u8>> {
        let len = self.0[value].len() - 1;
        match min_len.filter(|wanted| *wanted > len) {
            Some(wanted) => Err(self.error(PackError::ShortBuffer { len, wanted })),
            None => Ok(value as u64 + 1),
        }
    }

    fn error(&mut self, error: PackError) -> Vec<u8> {
        show_error(error)
    }
}

/// Without the format, which [`answer`] puts in.
fn show_error(error: PackError) -> Vec<u8> {
    format!("{:?}: {}", error.class(), error.message("FORMAT")).into_bytes()
}

#[derive(Default)]
struct Items {
    items: Vec<Item>,
    only_first: bool,
}

impl UnpackSink for Items {
    type Error = Vec<u8>;

    fn push(&mut self, item: Item) -> Result<ControlFlow<()>, Vec<u8>> {
        self.items.push(item);
        Ok(if self.only_first { ControlFlow::Break(()) } else { ControlFlow::Continue(()) })
    }

    fn missing(&mut self, count: usize) -> Result<(), Vec<u8>> {
        self.items.resize(self.items.len() + count, Item::Nil);
        Ok(())
    }

    fn error(&mut self, error: PackError) -> Vec<u8> {
        show_error(error)
    }
}

fn show(item: &Item, bytes: &[u8]) -> Vec<u8> {
    match item {
        Item::Nil => b"n".to_vec(),
        Item::Integer(n) => [b"i", &int_to_string(n, 10)[..]].concat(),
        Item::Float(f) if f.is_nan() => b"fnan".to_vec(),
        Item::Float(f) => format!("f{:016x}", f.to_bits()).into_bytes(),
        Item::Slice(range) => [b"b", &bytes[range.clone()]].concat(),
        Item::Binary(text) => [b"b", &text[..]].concat(),
        Item::Ascii(text) => [b"a", &text[..]].concat(),
    }
}

fn packed(format: &[u8], arguments: &[Vec<u8>]) -> Result<Vec<u8>, Vec<u8>> {
    let mut out = Vec::new();
    let encoding = write(format, &mut Arguments(arguments), &mut out)?;
    let tag = match encoding {
        PackEncoding::UsAscii => b"a",
        PackEncoding::Utf8 => b"u",
        PackEncoding::Binary => b"b",
    };
    Ok([tag, &out[..]].concat())
}

fn unpacked(format: &[u8], bytes: &[u8]) -> Result<Vec<u8>, Vec<u8>> {
    let mut items = Items::default();
    read(bytes, format, 0, &mut items)?;
    Ok(items.items.iter().map(|item| show(item, bytes)).collect::<Vec<_>>().join(&b' '))
}

fn answer(question: &[Vec<u8>]) -> Vec<u8> {
    let format = &question[1];
    let result = if question[0] == b"p" { packed(format, &question[2..]) } else { unpacked(format, &question[2]) };
    result.unwrap_or_else(|error| {
        // Quoted as Ruby quotes the formats of the table.
        let quoted = match &format[..] {
            [byte] if !(b' '..=b'~').contains(byte) && *byte < 0x80 => format!("\\u{byte:04X}"),
            [byte] if !byte.is_ascii() => format!("\\x{byte:02X}"),
            b"C\0C" => "C\\0C".to_owned(),
            format => String::from_utf8(format.to_vec()).expect("ASCII"),
        };
        String::from_utf8(error).expect("ASCII").replace("FORMAT", &quoted).into_bytes()
    })
}

#[test]
fn answers_equal_the_recorded_ones() {
    let mut differences = Differences::default();
    for (line, mut fields) in recorded::cases(include_str!("../../recorded/pack.tsv")) {
        let expected = fields.last_mut().expect("a case has fields");
        if expected.starts_with(b"TypeError") {
            expected.truncate("TypeError".len());
        }
        let (_, question) = fields.split_last().expect("a case has fields");
        differences.compare(line, &fields, &answer(question));
    }
    differences.finish(1500);
}

#[test]
fn native_sizes_are_those_of_64_bit_linux() {
    let sizes = [("s!", 2), ("i!", 4), ("l_", 8), ("L!", 8), ("q!", 8), ("j", 8), ("J", 8), ("l", 4)];
    for (directive, size) in sizes {
        let packed = packed(directive.as_bytes(), &[b"i-2".to_vec()]).expect("packs");
        assert_eq!(packed.len() - 1, size, "{directive}");
        assert_eq!(packed[1], 0xfe);
    }
    assert_eq!(packed(b"J>", &[b"i1".to_vec()]), Ok(b"b\0\0\0\0\0\0\0\x01".to_vec()));
    assert_eq!(unpacked(b"j", &[0xff; 8]), Ok(b"i-1".to_vec()));
    assert_eq!(unpacked(b"J", &[0xff; 8]), Ok(b"i18446744073709551615".to_vec()));
}

#[test]
fn positions_count_from_the_start_of_the_buffer() {
    let mut out = b"ab".to_vec();
    write(b"@5C", &mut Arguments(&[b"i1".to_vec()]), &mut out).expect("packs");
    assert_eq!(out, b"ab\0\0\0\x01");
}

#[test]
fn unpacking_starts_at_an_offset_and_stops_after_the_first() {
    let first = |format: &[u8], offset: i64| {
        let mut items = Items { only_first: true, ..Items::default() };
        read(b"abc", format, offset, &mut items)?;
        Ok(items.items.first().map(|item| show(item, b"abc")))
    };
    assert_eq!(first(b"@1a", 1), Ok(Some(b"bb".to_vec())));
    assert_eq!(first(b"Xa", 1), Ok(Some(b"ba".to_vec())));
    assert_eq!(first(b"C5", 2), Ok(Some(b"i99".to_vec())));
    assert_eq!(first(b"a", 3), Ok(Some(b"b".to_vec())));
    assert_eq!(first(b"C", 3), Ok(Some(b"n".to_vec())));
    assert_eq!(first(b"a", 4), Err(b"ArgumentError: offset outside of string".to_vec()));
    assert_eq!(first(b"a", -1), Err(b"ArgumentError: offset can't be negative".to_vec()));
    assert_eq!(first(b"ay", 0), Ok(Some(b"ba".to_vec())), "what follows the first is not looked at");
}

#[test]
fn impossible_lengths_are_errors() {
    let too_big = Err(b"ArgumentError: argument too big".to_vec());
    for format in ["a9223372036854775807", "B9223372036854775807", "x9223372036854775807", "@9223372036854775807"] {
        assert_eq!(
            packed(format.as_bytes(), &[b"sa".to_vec()]).map(|_| ()),
            too_big.clone().map(|_: ()| ()),
            "{format}"
        );
    }
}

#[test]
fn pointers_are_the_arguments_business() {
    let texts = [b"sab".to_vec(), b"sc".to_vec()];
    assert_eq!(packed(b"pP", &texts), Ok(b"b\x01\0\0\0\0\0\0\0\x02\0\0\0\0\0\0\0".to_vec()));
    assert_eq!(packed(b"P3", &texts), Err(b"ArgumentError: too short buffer for P(2 for 3)".to_vec()));
}

#[test]
fn null_pointers_are_nil() {
    assert_eq!(packed(b"p", &[b"n".to_vec()]), Ok(b"b\0\0\0\0\0\0\0\0".to_vec()));
    assert_eq!(unpacked(b"p", &[0; 8]), Ok(b"n".to_vec()));
    assert_eq!(unpacked(b"P", &[0; 8]), Ok(b"n".to_vec()));
    assert_eq!(unpacked(b"p2", &[0; 4]), Ok(b"".to_vec()));
    assert_eq!(unpacked(b"p", &[1; 8]), Err(b"ArgumentError: no associated pointer".to_vec()));
}
