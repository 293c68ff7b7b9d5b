//! Reading the answers recorded from CRuby (`recorded/*.tsv`; the `.rb` beside each makes it).

/// The fields of every line, escapes resolved, with the line's number for failure messages.
pub(crate) fn cases(table: &str) -> impl Iterator<Item = (usize, Vec<Vec<u8>>)> {
    table.lines().enumerate().map(|(index, line)| (index + 1, line.split('\t').map(unescape).collect()))
}

/// Resolves `\xNN`, the only escape there is.
fn unescape(field: &str) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rest = field.as_bytes();
    while let [first, tail @ ..] = rest {
        if let [b'\\', b'x', high, low, tail @ ..] = rest {
            let hex = std::str::from_utf8(&[*high, *low]).map(|s| u8::from_str_radix(s, 16));
            out.push(hex.expect("ASCII").expect("two hexadecimal digits"));
            rest = tail;
        } else {
            out.push(*first);
            rest = tail;
        }
    }
    out
}

/// A float from the sixteen digits of its bits.
pub(crate) fn float(field: &[u8]) -> f64 {
    let text = std::str::from_utf8(field).expect("hexadecimal digits");
    f64::from_bits(u64::from_str_radix(text, 16).expect("hexadecimal digits"))
}

/// Collects every difference before failing, so that one run shows them all.
#[derive(Default)]
pub(crate) struct Differences {
    cases: usize,
    messages: Vec<String>,
}

impl Differences {
    pub(crate) fn compare(&mut self, line: usize, fields: &[Vec<u8>], actual: &[u8]) {
        self.cases += 1;
        let (expected, question) = fields.split_last().expect("a case has fields");
        if expected != actual {
            let question: Vec<_> = question.iter().map(|f| f.escape_ascii().to_string()).collect();
            self.messages.push(format!(
                "line {line}: {}: expected {}, got {}",
                question.join(" "),
                expected.escape_ascii(),
                actual.escape_ascii()
            ));
        }
    }

    /// Fails if anything differed or if fewer than `least` cases ran.
    pub(crate) fn finish(self, least: usize) {
        assert!(
            self.messages.is_empty(),
            "{} of {} differ:\n{}",
            self.messages.len(),
            self.cases,
            self.messages.join("\n")
        );
        assert!(self.cases >= least, "only {} cases ran", self.cases);
    }
}
