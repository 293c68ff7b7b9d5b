//! How often each text was made a string of, and where.
//!
//! # How
//! A text is known by a hash of all its bytes, 64 bits wide: two that share one would count as one. Only what a report shows of
//! it is kept, one behind the other; nearly all texts are made in one place only, so the counts of further places stand in a
//! table of their own. Nothing is allocated for a single text.
//!
//! # Limits
//! Of more than [`MAX_TEXTS`] different texts the rarest are forgotten, until half of them are left.

use super::site::SiteId;
use crate::value::string::EncodingIndex;
use rustc_hash::{FxHashMap, FxHasher};
use std::hash::Hasher;

const MAX_TEXTS: usize = 200_000;
/// Characters of a string that a report shows.
const SHOWN_CHARACTERS: usize = 200;

/// A text that was seen.
#[derive(Clone, Copy)]
struct Sighting {
    hash: u64,
    /// Everywhere.
    count: u64,
    /// Where the shown bytes begin, and how many they are.
    start: u32,
    len: u16,
    encoding: EncodingIndex,
    /// Where it was seen first.
    site: SiteId,
}

#[derive(Default)]
pub struct Strings {
    index: Index,
    list: Vec<Sighting>,
    shown: Vec<u8>,
    /// How often it was seen where it was not first, by index into `list`.
    elsewhere: FxHashMap<(u32, SiteId), u64>,
}

/// Finds a text in the list by its hash. One cache line is touched for a text that is not there, and most are not: programs
/// make far more different strings than they make again.
#[derive(Default)]
struct Index {
    /// The low half of a hash, and one more than the index of the text that has it. A power of two, or none yet.
    slots: Vec<(u32, u32)>,
}

impl Index {
    fn with_room_for(texts: usize) -> Index {
        Index { slots: vec![(0, 0); (texts * 3 / 2).next_power_of_two()] }
    }

    /// Where to look for a hash, one after the other.
    #[inline]
    fn places(&self, hash: u64) -> impl Iterator<Item = usize> + use<> {
        let len = self.slots.len();
        // Hashes differ most in their upper bits.
        let first = (hash >> 32) as usize;
        (0..len).map(move |step| (first + step) & (len - 1))
    }

    #[inline]
    fn prefetch(&self, hash: u64) {
        if let Some(first) = self.places(hash).next() {
            carat_heap::prefetch_line((&raw const self.slots[first]).addr());
        }
    }

    #[inline]
    fn get(&self, hash: u64, list: &[Sighting]) -> Option<u32> {
        for at in self.places(hash) {
            match self.slots[at] {
                (_, 0) => return None,
                (low, next) if low == hash as u32 && list[next as usize - 1].hash == hash => return Some(next - 1),
                _ => {}
            }
        }
        None
    }

    /// Adds the text that is about to be appended to the list.
    fn add(&mut self, hash: u64, list: &[Sighting]) {
        if (list.len() + 1) * 4 > self.slots.len() * 3 {
            *self = Index::with_room_for((list.len() + 1) * 2);
            list.iter().enumerate().for_each(|(at, sighting)| self.put(sighting.hash, at as u32));
        }
        self.put(hash, list.len() as u32);
    }

    fn put(&mut self, hash: u64, index: u32) {
        let free = self.places(hash).find(|at| self.slots[*at].1 == 0).expect("a quarter of the slots is free");
        self.slots[free] = (hash as u32, index + 1);
    }
}

/// A text with its counts.
pub struct Repeated<'a> {
    pub count: u64,
    pub shown: &'a [u8],
    pub encoding: EncodingIndex,
    /// How often it was made in each place.
    pub places: Vec<(SiteId, u64)>,
}

impl Strings {
    pub(crate) fn add(&mut self, bytes: &[u8], encoding: EncodingIndex, site: SiteId) {
        self.add_hashed(hash_of(bytes, encoding), bytes, encoding, site, 1);
    }

    /// The hash for [`Strings::add_hashed`], whose first look into the index is under way from here on.
    #[inline]
    pub(crate) fn prepare(&self, bytes: &[u8], encoding: EncodingIndex) -> u64 {
        let hash = hash_of(bytes, encoding);
        self.index.prefetch(hash);
        hash
    }

    #[inline]
    pub(crate) fn add_hashed(&mut self, hash: u64, bytes: &[u8], encoding: EncodingIndex, site: SiteId, count: u64) {
        let Some(index) = self.index.get(hash, &self.list) else {
            return self.add_new(hash, bytes, encoding, site, count);
        };
        let sighting = &mut self.list[index as usize];
        sighting.count += count;
        if sighting.site != site {
            *self.elsewhere.entry((index, site)).or_default() += count;
        }
    }

    fn add_new(&mut self, hash: u64, bytes: &[u8], encoding: EncodingIndex, site: SiteId, count: u64) {
        if self.list.len() == MAX_TEXTS {
            self.forget_rare();
        }
        let shown = shown(bytes);
        let sighting =
            Sighting { hash, count, start: self.shown.len() as u32, len: shown.len() as u16, encoding, site };
        self.shown.extend_from_slice(shown);
        self.index.add(hash, &self.list);
        self.list.push(sighting);
    }

    #[cold]
    fn forget_rare(&mut self) {
        let mut counts: Vec<u64> = self.list.iter().map(|sighting| sighting.count).collect();
        let (_, median, _) = counts.select_nth_unstable(MAX_TEXTS / 2);
        let most = *median;
        let old = std::mem::take(self);
        self.index = Index::with_room_for(MAX_TEXTS);
        let elsewhere = old.by_text();
        for (index, sighting) in old.list.iter().enumerate().filter(|(_, sighting)| sighting.count > most) {
            self.take_over(sighting, old.shown_of(sighting), elsewhere.get(&(index as u32)), &|site| site);
        }
    }

    fn take_over(
        &mut self,
        sighting: &Sighting,
        shown: &[u8],
        elsewhere: Option<&Vec<(SiteId, u64)>>,
        new: &dyn Fn(SiteId) -> SiteId,
    ) {
        let others = elsewhere.map_or(&[][..], |list| list);
        let Sighting { hash, encoding, site, .. } = *sighting;
        self.add_hashed(hash, shown, encoding, new(site), first_count(sighting, others));
        others.iter().for_each(|(site, count)| self.add_hashed(hash, shown, encoding, new(*site), *count));
    }

    pub(crate) fn adopt(&mut self, other: &Strings, new: &dyn Fn(SiteId) -> SiteId) {
        let elsewhere = other.by_text();
        for (index, sighting) in other.list.iter().enumerate() {
            self.take_over(sighting, other.shown_of(sighting), elsewhere.get(&(index as u32)), new);
        }
    }

    /// What is counted elsewhere, by index into `list`.
    fn by_text(&self) -> FxHashMap<u32, Vec<(SiteId, u64)>> {
        let mut places: FxHashMap<u32, Vec<(SiteId, u64)>> = FxHashMap::default();
        self.elsewhere.iter().for_each(|((text, site), count)| places.entry(*text).or_default().push((*site, *count)));
        places
    }

    fn shown_of(&self, sighting: &Sighting) -> &[u8] {
        &self.shown[sighting.start as usize..][..usize::from(sighting.len)]
    }

    /// The `top` texts made most often, equally frequent ones in the order of their bytes.
    pub fn most_frequent(&self, top: usize) -> Vec<Repeated<'_>> {
        let key = |index: &u32| {
            let sighting = &self.list[*index as usize];
            (std::cmp::Reverse(sighting.count), self.shown_of(sighting), sighting.hash)
        };
        let mut order: Vec<u32> = (0..self.list.len() as u32).collect();
        // Programs make far more different strings than a report shows: only those are put in order.
        if top < order.len() {
            order.select_nth_unstable_by(top, |a, b| key(a).cmp(&key(b)));
            order.truncate(top);
        }
        order.sort_unstable_by(|a, b| key(a).cmp(&key(b)));
        let mut elsewhere = self.by_text();
        order.iter().map(|index| self.repeated(*index, elsewhere.remove(index).unwrap_or_default())).collect()
    }

    fn repeated(&self, index: u32, mut places: Vec<(SiteId, u64)>) -> Repeated<'_> {
        let sighting = &self.list[index as usize];
        places.push((sighting.site, first_count(sighting, &places)));
        Repeated { count: sighting.count, shown: self.shown_of(sighting), encoding: sighting.encoding, places }
    }
}

#[inline]
fn hash_of(bytes: &[u8], encoding: EncodingIndex) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(bytes);
    hasher.write_u8(encoding.0);
    hasher.finish()
}

/// How often a text was made where it was seen first.
fn first_count(sighting: &Sighting, elsewhere: &[(SiteId, u64)]) -> u64 {
    sighting.count - elsewhere.iter().map(|(_, count)| count).sum::<u64>()
}

/// The first characters, taken as UTF-8.
fn shown(bytes: &[u8]) -> &[u8] {
    if bytes.len() <= SHOWN_CHARACTERS {
        return bytes;
    }
    let is_start = |byte: &u8| *byte & 0xC0 != 0x80;
    let mut starts = bytes.iter().enumerate().filter(|(_, byte)| is_start(byte)).map(|(at, _)| at);
    let end = starts.nth(SHOWN_CHARACTERS).unwrap_or(bytes.len());
    &bytes[..end.min(4 * SHOWN_CHARACTERS)]
}

#[cfg(test)]
mod tests {
    use super::*;

    const UTF_8: EncodingIndex = EncodingIndex::UTF_8;

    type Found = (String, u64, Vec<(u32, u64)>);

    fn found(strings: &Strings, top: usize) -> Vec<Found> {
        let list = strings.most_frequent(top).into_iter().map(|text| {
            let mut places: Vec<(u32, u64)> = text.places.iter().map(|(site, count)| (site.0, *count)).collect();
            places.sort_unstable();
            (String::from_utf8_lossy(text.shown).into_owned(), text.count, places)
        });
        list.collect()
    }

    #[test]
    fn texts_are_counted_by_place() {
        let mut strings = Strings::default();
        for (text, site) in [("b", 1), ("a", 1), ("b", 2), ("b", 1), ("a", 1)] {
            strings.add(text.as_bytes(), UTF_8, SiteId(site));
        }
        let expected = [("b".to_string(), 3, vec![(1, 2), (2, 1)]), ("a".to_string(), 2, vec![(1, 2)])];
        assert_eq!(found(&strings, 10), expected);
        assert_eq!(found(&strings, 1), expected[..1]);
    }

    #[test]
    fn the_rare_are_forgotten_first() {
        let mut strings = Strings::default();
        let often = |strings: &mut Strings| (0..3).for_each(|_| strings.add(b"often", UTF_8, SiteId(1)));
        often(&mut strings);
        for number in 0..MAX_TEXTS + 10 {
            strings.add(number.to_string().as_bytes(), UTF_8, SiteId(2));
        }
        often(&mut strings);
        assert!(strings.list.len() <= MAX_TEXTS);
        assert_eq!(found(&strings, 1), [("often".to_string(), 6, vec![(1, 6)])]);
    }

    #[test]
    fn adopted_counts_are_added() {
        let (mut ours, mut theirs) = (Strings::default(), Strings::default());
        ours.add(b"a", UTF_8, SiteId(1));
        theirs.add(b"a", UTF_8, SiteId(1));
        theirs.add(b"a", UTF_8, SiteId(2));
        ours.adopt(&theirs, &|site| SiteId(site.0 + 1));
        assert_eq!(found(&ours, 1), [("a".to_string(), 3, vec![(1, 1), (2, 1), (3, 1)])]);
    }

    #[test]
    fn long_texts_are_shown_in_part() {
        let text = "\u{e4}".repeat(300);
        assert_eq!(shown(text.as_bytes()).len(), 400);
        assert_eq!(shown(&[0x80; 5000]).len(), 800);
    }
}
