//! Text that every match of a pattern has in it: without that a search need not begin.

use super::read::Node;
use memchr::{memchr2_iter, memmem};

pub(super) enum Required {
    Text(Box<memmem::Finder<'static>>),
    Caseless(Box<Caseless>),
}

/// Text of ASCII regardless of the case of its letters.
pub(super) struct Caseless {
    /// In small letters.
    text: Box<[u8]>,
    /// The place in it of what is least likely to be found.
    rarest: usize,
}

impl Required {
    pub(super) fn of(root: &Node) -> Option<Required> {
        let (text, caseless) = (root.required().unwrap_or_default(), Caseless::of(root));
        match caseless {
            Some(caseless) if caseless.text.len() > text.len() => Some(Required::Caseless(Box::new(caseless))),
            _ if text.is_empty() => None,
            _ => Some(Required::Text(Box::new(memmem::Finder::new(text).into_owned()))),
        }
    }

    pub(super) fn is_in(&self, bytes: &[u8]) -> bool {
        match self {
            Required::Text(text) => text.find(bytes).is_some(),
            Required::Caseless(text) => text.is_in(bytes),
        }
    }

    pub(super) fn memsize(&self) -> usize {
        match self {
            Required::Text(text) => size_of_val(&**text) + text.needle().len(),
            Required::Caseless(caseless) => size_of_val(&**caseless) + caseless.text.len(),
        }
    }
}

/// A longer text would be compared for too long where much looks like it.
const MOST_CASELESS: usize = 16;

/// Letters from frequent to rare.
const LETTERS: &[u8] = b"etaoinsrhldcumfpgwybvkxjqz";

impl Caseless {
    /// Nothing if a single character is left.
    fn of(root: &Node) -> Option<Caseless> {
        let mut text = longest_run(root);
        text.truncate(MOST_CASELESS);
        let rarest = (0..text.len()).max_by_key(|place| rarity(text[*place]))?;
        (text.len() > 1).then(|| Caseless { text: text.into(), rarest })
    }

    fn is_in(&self, bytes: &[u8]) -> bool {
        let rare = self.text[self.rarest];
        memchr2_iter(rare, rare.to_ascii_uppercase(), bytes).any(|at| self.is_around(bytes, at))
    }

    /// Whether the text is where its rarest character is found.
    fn is_around(&self, bytes: &[u8], at: usize) -> bool {
        let from = at.checked_sub(self.rarest);
        let part = from.and_then(|from| bytes.get(from..from + self.text.len()));
        part.is_some_and(|part| part.eq_ignore_ascii_case(&self.text))
    }
}

/// Blanks are the most frequent, digits and signs as rare as rare letters.
fn rarity(byte: u8) -> usize {
    match byte {
        b' ' => 0,
        letter if letter.is_ascii_alphabetic() => LETTERS.iter().position(|known| *known == letter).unwrap_or(0),
        _ => LETTERS.len(),
    }
}

/// The longest text of ASCII that every match has in it, in small letters.
fn longest_run(node: &Node) -> Vec<u8> {
    match node {
        Node::Bytes(_) | Node::Set(_) => longest_in(std::slice::from_ref(node)),
        Node::Sequence(nodes) => longest_in(nodes),
        Node::Group(_, body) | Node::Atomic(body) => longest_run(body),
        Node::Look { behind: None, is_negative: false, body } => longest_run(body),
        Node::Repeat { body, times } if times.min > 0 => longest_run(body),
        _ => Vec::new(),
    }
}

/// A letter that stands behind what is not a certain one is left out: together they may be one character beyond ASCII, as `st` is.
fn longest_in(nodes: &[Node]) -> Vec<u8> {
    let (mut longest, mut run) = (Vec::new(), Vec::new());
    let mut is_certain = false;
    for node in nodes {
        let letter = if let Node::Set(set) = node { set.letter() } else { None };
        match (node, letter) {
            (Node::Bytes(text), _) if text.is_ascii() => run.extend(text.to_ascii_lowercase()),
            (_, Some(letter)) if is_certain => run.push(letter),
            (_, letter) => {
                keep_longer(&mut longest, std::mem::take(&mut run));
                is_certain = letter.is_some();
                if letter.is_none() && !matches!(node, Node::Bytes(_) | Node::Set(_)) {
                    keep_longer(&mut longest, longest_run(node));
                }
                continue;
            }
        }
        is_certain = true;
    }
    keep_longer(&mut longest, run);
    longest
}

fn keep_longer(longest: &mut Vec<u8>, other: Vec<u8>) {
    if other.len() > longest.len() {
        *longest = other;
    }
}
