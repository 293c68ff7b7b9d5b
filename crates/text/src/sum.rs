//! `String#sum`.

/// The sum of the bytes modulo 2**bits; the caller has more than 64 bits done in big integers from [`total`].
pub fn sum(bytes: &[u8], bits: u32) -> u64 {
    let total = total(bytes);
    if bits == 0 || bits >= 64 { total } else { total & ((1 << bits) - 1) }
}

/// The sum of the bytes; cannot overflow, for no string is that long.
pub fn total(bytes: &[u8]) -> u64 {
    bytes.iter().map(|&byte| u64::from(byte)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sums_wrap_at_the_given_bits() {
        assert_eq!(sum(b"abc", 16), 294);
        assert_eq!(sum(b"\xFF\xFF", 8), 254);
        assert_eq!(sum(b"abc", 0), 294);
    }
}
