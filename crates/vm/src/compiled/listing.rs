//! Machine code as text: bytes under the names of what they are for. `objdump` reads bytes; a disassembler of our own, or a crate's
//! tables of all instructions, would be larger than what makes the code.

use crate::ec::Ec;
use crate::run::code::CodeData;
use carat_asm::Placement;
use std::fmt::Write;

/// Bytes on a line.
const WIDTH: usize = 24;

/// Shows the machine code of what begins at a word of a code, if somebody wants to see it. Marks are places in the bytes, ascending, with
/// their names.
pub(super) fn show(
    ec: &Ec,
    code: &CodeData,
    word: u32,
    tier: u32,
    placement: Placement,
    bytes: &[u8],
    marks: &[(usize, String)],
) {
    let Some(show) = ec.vm().config.show_machine_code else { return };
    let iseq = &code.linked().iseq;
    let name = String::from_utf8_lossy(iseq.name());
    let (path, line) = (iseq.path(), iseq.line_at(word));
    let mut text = format!("== asm: {name} at {path}:{line}, tier {tier}, word {word}\n");
    let _ = writeln!(text, "{:#x}, {} bytes", placement.often.start, bytes.len());
    let mut at = 0;
    for (number, (begin, name)) in marks.iter().enumerate() {
        lines(&mut text, placement, at, &bytes[at..*begin]);
        let _ = writeln!(text, "{name}:");
        at = *begin;
        if number + 1 == marks.len() {
            lines(&mut text, placement, at, &bytes[at..]);
        }
    }
    show(&text);
}

/// Bytes that begin so many bytes from the beginning of all. None of the lines has bytes of both places.
fn lines(text: &mut String, placement: Placement, at: usize, bytes: &[u8]) {
    let (often, seldom) = bytes.split_at(placement.often.len.saturating_sub(at).min(bytes.len()));
    for (at, part) in [(at, often), (at + often.len(), seldom)] {
        for (number, line) in part.chunks(WIDTH).enumerate() {
            let hex: Vec<String> = line.iter().map(|byte| format!("{byte:02x}")).collect();
            let _ = writeln!(text, "  {:x}: {}", placement.address(at + number * WIDTH), hex.join(" "));
        }
    }
}
