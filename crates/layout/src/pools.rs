//! The slot sizes, as one list: chosen by slot bytes over bytes needed on a real CRuby heap (1.12).

/// Bytes of a slot in each pool.
pub const POOL_SIZES: [u16; 14] = [16, 24, 32, 40, 48, 64, 80, 96, 112, 128, 192, 256, 512, 1024];

/// The largest object that is embedded whole.
pub const MAX_SLOT_BYTES: usize = POOL_SIZES[POOL_SIZES.len() - 1] as usize;

/// Index into [`POOL_SIZES`]; stored in every header.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct PoolIndex(pub u8);

impl PoolIndex {
    #[inline]
    pub const fn slot_bytes(self) -> usize {
        POOL_SIZES[self.0 as usize] as usize
    }
}

/// For each number of 8-byte words, the pool that holds it.
const POOL_OF_WORDS: [u8; MAX_SLOT_BYTES / 8 + 1] = {
    let mut table = [0; MAX_SLOT_BYTES / 8 + 1];
    let mut pool = 0;
    let mut words = 0;
    while words < table.len() {
        if words * 8 > POOL_SIZES[pool] as usize {
            pool += 1;
        }
        table[words] = pool as u8;
        words += 1;
    }
    table
};

/// The smallest pool whose slots hold `bytes`, or `None` if none does.
#[inline]
pub const fn pool_for(bytes: usize) -> Option<PoolIndex> {
    if bytes > MAX_SLOT_BYTES {
        return None;
    }
    Some(PoolIndex(POOL_OF_WORDS[bytes.div_ceil(8)]))
}

const _: () = assert!(pool_for(37).unwrap().slot_bytes() == 40);
const _: () = assert!(pool_for(1024).unwrap().slot_bytes() == 1024);
const _: () = assert!(pool_for(0).unwrap().slot_bytes() == 16);

/// Fields that fit the largest slot behind its header.
pub const MAX_FIELDS_INLINE: usize = MAX_SLOT_BYTES / 8 - 1;
