//! The wire format of protocol buffers, as far as a profile needs it: variable-length integers, bytes, packed integers.

#[derive(Default)]
pub(crate) struct Message(Vec<u8>);

/// How a field's value is written, in the low bits of its key.
const VARINT: u64 = 0;
const BYTES: u64 = 2;

impl Message {
    pub(crate) fn into_bytes(self) -> Vec<u8> {
        self.0
    }

    fn varint(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    /// Zero is what a field has that is not written.
    pub(crate) fn integer(&mut self, field: u64, value: u64) {
        if value != 0 {
            self.varint(field << 3 | VARINT);
            self.varint(value);
        }
    }

    pub(crate) fn bytes(&mut self, field: u64, bytes: &[u8]) {
        self.varint(field << 3 | BYTES);
        self.varint(bytes.len() as u64);
        self.0.extend_from_slice(bytes);
    }

    pub(crate) fn message(&mut self, field: u64, message: Message) {
        self.bytes(field, &message.0);
    }

    pub(crate) fn packed(&mut self, field: u64, values: impl IntoIterator<Item = u64>) {
        let mut packed = Message::default();
        values.into_iter().for_each(|value| packed.varint(value));
        self.message(field, packed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_take_as_many_bytes_as_they_need() {
        let mut message = Message::default();
        message.integer(1, 150);
        message.integer(2, 0);
        message.bytes(2, b"testing");
        message.packed(4, [3, 270, 86942]);
        let expected = [&[0x08, 0x96, 0x01, 0x12, 0x07], &b"testing"[..], &[0x22, 0x06, 3, 0x8e, 2, 0x9e, 0xa7, 5]];
        assert_eq!(message.into_bytes(), expected.concat());
        let mut largest = Message::default();
        largest.integer(1, u64::MAX);
        assert_eq!(largest.into_bytes().len(), 11);
    }
}
