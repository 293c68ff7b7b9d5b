//! `String#crypt`: the traditional password hash, DES applied 25 times with its expansion disturbed by the salt.
//!
//! # References
//! crypt(3); FIPS 46-3 for the tables, which count bits from 1 at the most significant end.

const FINAL: [u8; 64] = [
    40, 8, 48, 16, 56, 24, 64, 32, 39, 7, 47, 15, 55, 23, 63, 31, 38, 6, 46, 14, 54, 22, 62, 30, 37, 5, 45, 13, 53, 21,
    61, 29, 36, 4, 44, 12, 52, 20, 60, 28, 35, 3, 43, 11, 51, 19, 59, 27, 34, 2, 42, 10, 50, 18, 58, 26, 33, 1, 41, 9,
    49, 17, 57, 25,
];

const PERMUTATION: [u8; 32] = [
    16, 7, 20, 21, 29, 12, 28, 17, 1, 15, 23, 26, 5, 18, 31, 10, 2, 8, 24, 14, 32, 27, 3, 9, 19, 13, 30, 6, 22, 11, 4,
    25,
];

const KEY_CHOICE: [u8; 56] = [
    57, 49, 41, 33, 25, 17, 9, 1, 58, 50, 42, 34, 26, 18, 10, 2, 59, 51, 43, 35, 27, 19, 11, 3, 60, 52, 44, 36, 63, 55,
    47, 39, 31, 23, 15, 7, 62, 54, 46, 38, 30, 22, 14, 6, 61, 53, 45, 37, 29, 21, 13, 5, 28, 20, 12, 4,
];

const ROUND_KEY_CHOICE: [u8; 48] = [
    14, 17, 11, 24, 1, 5, 3, 28, 15, 6, 21, 10, 23, 19, 12, 4, 26, 8, 16, 7, 27, 20, 13, 2, 41, 52, 31, 37, 47, 55, 30,
    40, 51, 45, 33, 48, 44, 49, 39, 56, 34, 53, 46, 42, 50, 36, 29, 32,
];

const ROTATIONS: [u32; 16] = [1, 1, 2, 2, 2, 2, 2, 2, 1, 2, 2, 2, 2, 2, 2, 1];

/// Each box by row (first and last bit) and column (the four between).
const BOXES: [[u8; 64]; 8] = [
    [
        14, 4, 13, 1, 2, 15, 11, 8, 3, 10, 6, 12, 5, 9, 0, 7, 0, 15, 7, 4, 14, 2, 13, 1, 10, 6, 12, 11, 9, 5, 3, 8, 4,
        1, 14, 8, 13, 6, 2, 11, 15, 12, 9, 7, 3, 10, 5, 0, 15, 12, 8, 2, 4, 9, 1, 7, 5, 11, 3, 14, 10, 0, 6, 13,
    ],
    [
        15, 1, 8, 14, 6, 11, 3, 4, 9, 7, 2, 13, 12, 0, 5, 10, 3, 13, 4, 7, 15, 2, 8, 14, 12, 0, 1, 10, 6, 9, 11, 5, 0,
        14, 7, 11, 10, 4, 13, 1, 5, 8, 12, 6, 9, 3, 2, 15, 13, 8, 10, 1, 3, 15, 4, 2, 11, 6, 7, 12, 0, 5, 14, 9,
    ],
    [
        10, 0, 9, 14, 6, 3, 15, 5, 1, 13, 12, 7, 11, 4, 2, 8, 13, 7, 0, 9, 3, 4, 6, 10, 2, 8, 5, 14, 12, 11, 15, 1, 13,
        6, 4, 9, 8, 15, 3, 0, 11, 1, 2, 12, 5, 10, 14, 7, 1, 10, 13, 0, 6, 9, 8, 7, 4, 15, 14, 3, 11, 5, 2, 12,
    ],
    [
        7, 13, 14, 3, 0, 6, 9, 10, 1, 2, 8, 5, 11, 12, 4, 15, 13, 8, 11, 5, 6, 15, 0, 3, 4, 7, 2, 12, 1, 10, 14, 9, 10,
        6, 9, 0, 12, 11, 7, 13, 15, 1, 3, 14, 5, 2, 8, 4, 3, 15, 0, 6, 10, 1, 13, 8, 9, 4, 5, 11, 12, 7, 2, 14,
    ],
    [
        2, 12, 4, 1, 7, 10, 11, 6, 8, 5, 3, 15, 13, 0, 14, 9, 14, 11, 2, 12, 4, 7, 13, 1, 5, 0, 15, 10, 3, 9, 8, 6, 4,
        2, 1, 11, 10, 13, 7, 8, 15, 9, 12, 5, 6, 3, 0, 14, 11, 8, 12, 7, 1, 14, 2, 13, 6, 15, 0, 9, 10, 4, 5, 3,
    ],
    [
        12, 1, 10, 15, 9, 2, 6, 8, 0, 13, 3, 4, 14, 7, 5, 11, 10, 15, 4, 2, 7, 12, 9, 5, 6, 1, 13, 14, 0, 11, 3, 8, 9,
        14, 15, 5, 2, 8, 12, 3, 7, 0, 4, 10, 1, 13, 11, 6, 4, 3, 2, 12, 9, 5, 15, 10, 11, 14, 1, 7, 6, 0, 8, 13,
    ],
    [
        4, 11, 2, 14, 15, 0, 8, 13, 3, 12, 9, 7, 5, 10, 6, 1, 13, 0, 11, 7, 4, 9, 1, 10, 14, 3, 5, 12, 2, 15, 8, 6, 1,
        4, 11, 13, 12, 3, 7, 14, 10, 15, 6, 8, 0, 5, 9, 2, 6, 11, 13, 8, 1, 4, 10, 7, 9, 5, 0, 15, 14, 2, 3, 12,
    ],
    [
        13, 2, 8, 4, 6, 15, 11, 1, 10, 9, 3, 14, 5, 0, 12, 7, 1, 15, 13, 8, 10, 3, 7, 4, 12, 5, 6, 11, 0, 14, 9, 2, 7,
        11, 4, 1, 9, 12, 14, 2, 0, 6, 10, 13, 15, 3, 5, 8, 2, 1, 14, 7, 4, 10, 8, 13, 15, 12, 9, 0, 3, 5, 6, 11,
    ],
];

const ALPHABET: &[u8; 64] = b"./0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/// Picks bits of a `width`-bit word in the order of `table`.
fn pick(word: u64, width: u32, table: &[u8]) -> u64 {
    table.iter().fold(0, |picked, &bit| picked << 1 | word >> (width - u32::from(bit)) & 1)
}

fn round_keys(key: u64) -> [u64; 16] {
    let chosen = pick(key, 64, &KEY_CHOICE);
    let rotate = |half: u64, by: u32| (half << by | half >> (28 - by)) & 0xFFF_FFFF;
    let (mut left, mut right) = (chosen >> 28, chosen & 0xFFF_FFFF);
    ROTATIONS.map(|by| {
        (left, right) = (rotate(left, by), rotate(right, by));
        pick(left << 28 | right, 56, &ROUND_KEY_CHOICE)
    })
}

/// What each box adds to a round's result for each six bits, the permutation applied.
static BOXED: [[u32; 64]; 8] = boxed();

const fn boxed() -> [[u32; 64]; 8] {
    let mut all = [[0; 64]; 8];
    let mut number = 0;
    while number < 8 * 64 {
        let (place, six) = (number / 64, number % 64);
        let row = six >> 4 & 2 | six & 1;
        let four = (BOXES[place][row << 4 | six >> 1 & 0xF] as u32) << (28 - 4 * place);
        let mut bit = 0;
        while bit < 32 {
            let from = 32 - PERMUTATION[bit] as u32;
            all[place][six] |= (four >> from & 1) << (31 - bit);
            bit += 1;
        }
        number += 1;
    }
    all
}

/// The eight times six bits of the expansion, a key or the salt: those of even number in the upper bits of the bytes of one word,
/// those of odd number in the other. Numbers four apart, which the salt exchanges, are 16 bits apart in a word.
#[derive(Clone, Copy)]
struct Sixes {
    even: u32,
    odd: u32,
}

impl Sixes {
    fn of(bits: u64) -> Sixes {
        let word = |first: usize| {
            (0..4).fold(0, |word, i| word << 8 | ((bits >> (42 - 6 * (2 * i + first)) & 0x3F) as u32) << 2)
        };
        Sixes { even: word(0), odd: word(1) }
    }
}

/// One round's function; bits of the two halves of the expansion change places where the salt has ones. The expansion's six bits
/// of each number are four of the half and their neighbours.
fn scramble(half: u32, key: Sixes, salt: Sixes) -> u32 {
    let disturbed = |word: u32, salt: u32, key: u32| {
        let swapped = (word >> 16 ^ word) & salt;
        word ^ swapped ^ swapped << 16 ^ key
    };
    let even = disturbed(half.rotate_right(1), salt.even, key.even);
    let odd = disturbed(half.rotate_left(3), salt.odd, key.odd);
    let six = |word: u32, byte: u32| (word >> (26 - 8 * byte) & 0x3F) as usize;
    let pair = |i: u32| BOXED[2 * i as usize][six(even, i)] ^ BOXED[2 * i as usize + 1][six(odd, i)];
    pair(0) ^ pair(1) ^ pair(2) ^ pair(3)
}

/// Zeros encrypted 25 times. The initial permutation changes no zeros, and undoes the final one between two times.
fn encrypt(keys: &[Sixes; 16], salt: Sixes) -> u64 {
    let (mut left, mut right) = (0, 0);
    for _ in 0..25 {
        for &key in keys {
            (left, right) = (right, left ^ scramble(right, key, salt));
        }
        (left, right) = (right, left);
    }
    pick(u64::from(left) << 32 | u64::from(right), 64, &FINAL)
}

/// The value of a salt character; `None` for what the traditional form does not allow.
fn salt_value(byte: u8) -> Option<u64> {
    ALPHABET.iter().position(|&b| b == byte).map(|value| value as u64)
}

/// The thirteen characters of the hash, salt first. `None`: the salt is no traditional one.
pub(super) fn crypt(password: &[u8], salt: [u8; 2]) -> Option<[u8; 13]> {
    let value = salt_value(salt[0])? | salt_value(salt[1])? << 6;
    // Salt bit 0 concerns the first bit of each half of the expansion.
    let salt_bits = (0..12).fold(0, |bits, i| bits | (value >> i & 1) << (23 - i));
    let key = (0..8).fold(0, |key, i| key << 8 | u64::from(password.get(i).copied().unwrap_or(0) << 1));
    let block = encrypt(&round_keys(key).map(Sixes::of), Sixes::of(salt_bits));
    let mut out = [0; 13];
    out[..2].copy_from_slice(&salt);
    // Eleven characters of six bits: 64 bits and two zeros.
    let padded = u128::from(block) << 2;
    for (i, byte) in out[2..].iter_mut().enumerate() {
        *byte = ALPHABET[(padded >> (60 - 6 * i) & 0x3F) as usize];
    }
    Some(out)
}

#[cfg(test)]
mod tests {
    use super::crypt;

    #[test]
    fn hashes_are_those_of_crypt_3() {
        let hash = |password: &str, salt| {
            String::from_utf8(crypt(password.as_bytes(), salt).expect("a salt").to_vec()).expect("ASCII")
        };
        assert_eq!(hash("abc", *b"ab"), "abFZSxKKdq5s6");
        assert_eq!(hash("", *b"aa"), "aaQSqAReePlq6");
        assert_eq!(hash("secretkeylongerthan8", *b"Zz"), hash("secretke", *b"Zz"));
    }

    #[test]
    fn other_salts_are_refused() {
        assert!(crypt(b"a", *b"\x00a").is_none());
    }
}
