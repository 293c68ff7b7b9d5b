//! What differs between an expected output and an actual one.

use std::fmt::Write;

/// Lines shown of each side.
const SHOWN: usize = 6;

/// Says where two outputs differ first, in how many more lines, and what `printer` knows of the first; empty when they do not
/// differ. The lines before it are shown as well, since most programs name what they try in each.
pub(super) fn compare(
    what: &str,
    expected: &[u8],
    actual: &[u8],
    printer: impl FnOnce(usize) -> Option<String>,
) -> String {
    if expected == actual {
        return String::new();
    }
    let (expected, actual) = (String::from_utf8_lossy(expected), String::from_utf8_lossy(actual));
    let (expected, actual): (Vec<&str>, Vec<&str>) = (expected.split('\n').collect(), actual.split('\n').collect());
    let first = common(expected.iter().zip(&actual));
    let (left, right) = differing(&expected[first..], &actual[first..]);
    let mut text = format!("  {what} differs at line {}{}\n", first + 1, further(left, right));
    if let Some(printer) = printer(first) {
        let _ = writeln!(text, "  {printer}");
    }
    for line in &expected[first.saturating_sub(2)..first] {
        let _ = writeln!(text, "      {line}");
    }
    for (sign, lines) in [('-', left), ('+', right)] {
        for line in lines.iter().take(SHOWN) {
            let _ = writeln!(text, "    {sign} {line}");
        }
    }
    text
}

/// How many lines differ behind the first. Where lines are missing or added, those up to the end that is the same count.
fn further(left: &[&str], right: &[&str]) -> String {
    let differ = match left.len() == right.len() {
        true => left.iter().zip(right).filter(|(left, right)| left != right).count(),
        false => left.len().max(right.len()),
    };
    match differ.saturating_sub(1) {
        0 => String::new(),
        more => format!(" and in {more} more"),
    }
}

fn common<'a>(pairs: impl Iterator<Item = (&'a &'a str, &'a &'a str)>) -> usize {
    pairs.take_while(|(left, right)| left == right).count()
}

/// Both sides without the lines at their ends that are the same; one line of each stays.
fn differing<'a, 'b>(expected: &'a [&'b str], actual: &'a [&'b str]) -> (&'a [&'b str], &'a [&'b str]) {
    let most = expected.len().min(actual.len()).saturating_sub(1);
    let same = common(expected.iter().rev().zip(actual.iter().rev())).min(most);
    (&expected[..expected.len() - same], &actual[..actual.len() - same])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(expected: &str, actual: &str) -> String {
        compare("output", expected.as_bytes(), actual.as_bytes(), |line| Some(format!("printer of {line}")))
    }

    #[test]
    fn the_first_difference_is_told() {
        assert_eq!(compared("a\nb\n", "a\nb\n"), "");
        assert_eq!(
            compared("a\nb\nc\n", "a\nx\nc\n"),
            "  output differs at line 2\n  printer of 1\n      a\n    - b\n    + x\n"
        );
    }

    #[test]
    fn further_differences_are_counted() {
        assert!(compared("a\nb\nc\nd\n", "x\nb\ny\nd\n").starts_with("  output differs at line 1 and in 1 more\n"));
        assert!(compared("a\nb\nc\n", "x\ny\nb\nc\n").starts_with("  output differs at line 1 and in 1 more\n"));
        assert!(compared("a\nb\nc\n", "").starts_with("  output differs at line 1 and in 3 more\n"));
    }

    #[test]
    fn missing_final_newline_is_a_difference() {
        assert!(compared("a\n", "a").contains("line 2"));
    }
}
