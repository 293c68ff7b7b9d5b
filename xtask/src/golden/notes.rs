//! Which line of a golden program printed a line of its output: what `fixtures/whose_line.rb` noted in a second run.

/// What one call wrote.
struct Note {
    /// Line at the program's top level.
    top: usize,
    /// Line of the call itself, which may be a helper's.
    own: usize,
    bytes: Vec<u8>,
}

/// Everything that a program wrote through `$stdout`.
pub(super) struct Notes(Vec<Note>);

impl Notes {
    /// Reads the file of notes; what does not fit its form ends it.
    pub(super) fn parse(mut file: &[u8]) -> Notes {
        let mut notes = Vec::new();
        while let Some((head, rest)) = file.split_first_chunk::<12>() {
            let number = |at: usize| u32::from_be_bytes([head[at], head[at + 1], head[at + 2], head[at + 3]]) as usize;
            let Some((bytes, rest)) = rest.split_at_checked(number(8)) else { break };
            notes.push(Note { top: number(0), own: number(4), bytes: bytes.to_vec() });
            file = rest;
        }
        Notes(notes)
    }

    /// Says which line of `program` printed the line of `output` with this index, or printed last where there is no such line.
    ///
    /// Only if all that comes before it was noted, too: other processes print without notes, and a second run may print
    /// something else.
    pub(super) fn printer(&self, program: &str, output: &[u8], line: usize) -> Option<String> {
        let start: usize = output.split_inclusive(|byte| *byte == b'\n').take(line).map(<[u8]>::len).sum();
        let written = self.0.iter().map(|note| &note.bytes[..]).collect::<Vec<_>>().concat();
        if written.get(..start)? != output.get(..start)? {
            return None;
        }
        let mut end = 0;
        let is_it = |note: &&Note| {
            end += note.bytes.len();
            end > start
        };
        match self.0.iter().find(is_it) {
            Some(note) => Some(format!("printed by {}", note.place(program)?)),
            None => Some(format!("nothing was printed after {}", self.0.last()?.place(program)?)),
        }
    }
}

impl Note {
    fn place(&self, program: &str) -> Option<String> {
        let Note { top, own, .. } = self;
        let text = program.lines().nth(top.checked_sub(1)?)?.trim();
        let through = if own == top { String::new() } else { format!(" through line {own}") };
        Some(format!("line {top}{through}: {text}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const PROGRAM: &str = "def show(x) = p(x)\np 1\nshow 2\n";

    fn notes() -> Notes {
        let note = |top: u32, own: u32, text: &str| {
            let head = [top, own, text.len() as u32].map(u32::to_be_bytes).concat();
            [head, text.as_bytes().to_vec()].concat()
        };
        Notes::parse(&[note(2, 2, "1"), note(2, 2, "\n"), note(3, 1, "2\n"), vec![0; 5]].concat())
    }

    fn check(output: &str, line: usize, expected: Option<&str>) {
        assert_eq!(notes().printer(PROGRAM, output.as_bytes(), line).as_deref(), expected);
    }

    #[test]
    fn a_line_has_the_place_of_its_first_byte() {
        check("1\n2\n", 0, Some("printed by line 2: p 1"));
        check("1\n2\n", 1, Some("printed by line 3 through line 1: show 2"));
    }

    #[test]
    fn an_end_has_the_place_of_what_came_last() {
        check("1\n2\n", 2, Some("nothing was printed after line 3 through line 1: show 2"));
    }

    #[test]
    fn notes_of_another_output_tell_nothing() {
        check("0\n2\n", 1, None);
        check("1\n2\n3\n", 3, None);
    }
}
