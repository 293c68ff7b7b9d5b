//! Conservative lookup: from any address to the object around it.

use super::*;
use carat_layout::{POOL_SIZES, PoolIndex};

/// Two adjacent objects of each pool, and garbage to be freed between others.
fn slots_of_every_size(heap: &Heap) -> Vec<Value> {
    POOL_SIZES.iter().flat_map(|bytes| (0..40).map(|_| object(heap, *bytes as usize / 8 - 1))).collect()
}

#[test]
fn every_byte_of_a_slot_leads_to_its_object() {
    let heap = Heap::new();
    for object in slots_of_every_size(&heap) {
        let slot = object.as_heap();
        for byte in 0..object.header().unwrap().slot_bytes() as u64 {
            assert_eq!(heap.find(object.bits() + byte), slot);
        }
    }
}

#[test]
fn free_slots_lead_nowhere_before_and_after_sweeping() {
    let heap = Heap::new();
    let objects = slots_of_every_size(&heap);
    let mut toy = Toy { roots: objects.iter().copied().step_by(3).collect(), ..Toy::default() };
    full(&heap, &mut toy);
    let check = || {
        for (i, object) in objects.iter().enumerate() {
            let last_byte = object.bits() + if i % 3 == 0 { 15 } else { 0 };
            assert_eq!(heap.find(last_byte), if i % 3 == 0 { object.as_heap() } else { None });
        }
    };
    check();
    // One slot of each pool sweeps its page; it goes to the first free slot, the second object.
    for pool in 0..POOL_SIZES.len() {
        let slot = heap.allocate(PoolIndex(pool as u8));
        // SAFETY: the slot is ours; the header of one never used is zero.
        unsafe { slot.cast::<u64>().write(0) };
    }
    check();
}

#[test]
fn addresses_outside_slots_lead_nowhere() {
    let heap = Heap::new();
    assert_eq!(heap.find(0x1000), None);
    // 24-byte slots leave 16 bytes at the end of a page.
    let objects: Vec<Value> = (0..2730).map(|_| object(&heap, 2)).collect();
    let region = objects[0].bits() & !((2 << 20) - 1);
    let page_end = objects[0].bits() + (64 << 10);
    assert_eq!(heap.find(page_end - 17), objects[2729].as_heap());
    for word in
        [region, region + 40, page_end - 16, page_end - 1, page_end, region - 1, region + (2 << 20), 0, u64::MAX]
    {
        assert_eq!(heap.find(word), None, "{word:x}");
    }
}

#[test]
fn slots_never_initialised_lead_nowhere() {
    let heap = Heap::new();
    let slot = heap.allocate(PoolIndex(3));
    assert_eq!(heap.find(slot.as_ptr().expose_provenance() as u64), None);
    assert_eq!(live_objects(&heap).len(), 0);
}

#[test]
fn words_of_a_native_stack_keep_objects_alive() {
    let heap = Heap::new();
    let (direct, interior, lost) = (object(&heap, 9), object(&heap, 9), object(&heap, 9));
    set(&heap, interior, 3, object(&heap, 0));
    let words = vec![direct.bits(), interior.bits() + 37, 5, 0xFFFF_FFFF_FFFF_FFF8];
    let mut toy = Toy { words, ..Toy::default() };
    full(&heap, &mut toy);
    let live = live_objects(&heap);
    assert!(live.len() == 3 && live.contains(&direct) && live.contains(&interior) && !live.contains(&lost));
}
