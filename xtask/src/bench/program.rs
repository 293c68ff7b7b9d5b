//! What is measured: the programs of `bench/`, and optcarrot where a checkout of it is at hand.
//!
//! Optcarrot, a NES emulator in Ruby, is not part of the project: `OPTCARROT_DIR` says where it lies. It draws its frames for
//! nobody and prints a checksum of the last one, which is compared; the frames per second it prints are not.

use std::path::{Path, PathBuf};

const SUPPORT: &str = "bench/support/run.rb";
const OPTCARROT: &str = "-Ilib bin/optcarrot --benchmark -f 180 examples/Lan_Master.nes";

pub(crate) struct Program {
    pub(crate) name: String,
    /// What follows the implementation's command.
    pub(crate) words: Vec<String>,
    pub(crate) directory: PathBuf,
    /// Only lines that begin so are compared.
    compared: &'static str,
}

impl Program {
    fn of_file(root: &Path, name: &str) -> Program {
        let words = vec![SUPPORT.to_string(), format!("bench/{name}.rb")];
        Program { name: name.to_string(), words, directory: root.to_path_buf(), compared: "" }
    }

    fn optcarrot(directory: PathBuf) -> Program {
        let words = OPTCARROT.split(' ').map(str::to_string).collect();
        Program { name: "optcarrot".to_string(), words, directory, compared: "checksum:" }
    }

    /// The part of the output that every implementation must agree on.
    pub(crate) fn comparable(&self, stdout: &[u8]) -> Vec<u8> {
        let lines = stdout.split_inclusive(|byte| *byte == b'\n');
        lines.filter(|line| line.starts_with(self.compared.as_bytes())).flatten().copied().collect()
    }
}

/// Those whose names contain the filter, in order of their names.
pub(crate) fn programs(root: &Path, filter: Option<&str>) -> Result<Vec<Program>, String> {
    let entries = std::fs::read_dir(root.join("bench")).map_err(|error| format!("bench: {error}"))?;
    let mut programs: Vec<Program> = entries
        .flatten()
        .filter_map(|entry| Some(entry.file_name().to_str()?.strip_suffix(".rb")?.to_string()))
        .map(|name| Program::of_file(root, &name))
        .collect();
    programs.extend(std::env::var_os("OPTCARROT_DIR").map(|directory| Program::optcarrot(directory.into())));
    programs.retain(|program| filter.is_none_or(|filter| program.name.contains(filter)));
    programs.sort_by(|a, b| a.name.cmp(&b.name));
    if programs.is_empty() { Err("no benchmark matches".to_string()) } else { Ok(programs) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_output_of_a_benchmark_is_compared() {
        let program = Program::of_file(Path::new("/root"), "fib");
        assert_eq!(program.words, ["bench/support/run.rb", "bench/fib.rb"]);
        assert_eq!(program.comparable(b"1\n2"), b"1\n2");
    }

    #[test]
    fn only_the_checksum_of_optcarrot_is_compared() {
        let program = Program::optcarrot(PathBuf::from("/checkout"));
        assert_eq!(program.comparable(b"fps: 42.5\nchecksum: 59662\n"), b"checksum: 59662\n");
    }
}
