//! Grapheme clusters, for the Unicode encodings; elsewhere every character is one, but for CR LF.

use super::iter;
use crate::encoding::{Char, char_len, codepoint};
use crate::text::Text;
use unicode_segmentation::UnicodeSegmentation;

/// `String#each_grapheme_cluster`: calls `emit` with the length in bytes of each cluster, in order. Where a character breaks off
/// at the end, that is the end: there `\X` matches nothing more.
pub fn grapheme_clusters(text: Text<'_>, mut emit: impl FnMut(usize)) {
    if !text.encoding.is_unicode() {
        iter(text).for_each(|char| emit(char.len()));
        return;
    }
    let mut run = Run::default();
    let mut at = 0;
    for char in iter(text) {
        match codepoint(text.encoding, char).and_then(|(code, _)| char::from_u32(code)) {
            Some(c) => run.push(c, char.len()),
            None => {
                run.flush(&mut emit);
                let rest = &text.bytes[at..];
                if matches!(char_len(text.encoding, rest), Char::NeedMore(_)) {
                    return;
                }
                emit(char.len());
            }
        }
        at += char.len();
    }
    run.flush(&mut emit);
}

/// How many clusters there are.
pub fn grapheme_count(text: Text<'_>) -> usize {
    let mut count = 0;
    grapheme_clusters(text, |_| count += 1);
    count
}

/// Valid characters between invalid bytes, with the length each has in the string's own encoding.
#[derive(Default)]
struct Run {
    chars: String,
    lens: Vec<usize>,
}

impl Run {
    fn push(&mut self, c: char, len: usize) {
        self.chars.push(c);
        self.lens.push(len);
    }

    fn flush(&mut self, emit: &mut impl FnMut(usize)) {
        let mut lens = self.lens.iter();
        for cluster in self.chars.graphemes(true) {
            emit(lens.by_ref().take(cluster.chars().count()).sum());
        }
        self.chars.clear();
        self.lens.clear();
    }
}
