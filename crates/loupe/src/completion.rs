//! Completion of commands and options by shells, made from the text of `loupe help`.

use crate::arguments::USAGE;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Shell {
    Bash,
    Zsh,
    Fish,
}

impl Shell {
    pub(crate) const ALL: [(&'static str, Shell); 3] =
        [("bash", Shell::Bash), ("zsh", Shell::Zsh), ("fish", Shell::Fish)];
}

/// A command, and its options as the usage lists them below it.
struct Command {
    name: &'static str,
    options: Vec<&'static str>,
}

fn commands() -> Vec<Command> {
    let mut found: Vec<Command> = Vec::new();
    for line in USAGE.lines().skip(1).take_while(|line| !line.starts_with("Examples")) {
        // What is said about them stands behind two spaces.
        let named = line.trim_start().split("  ").next().unwrap_or_default();
        let words = named.split(|c: char| c.is_whitespace() || "[],|".contains(c));
        if let Some(rest) = line.strip_prefix("  loupe ") {
            for name in rest.split(" | ").filter_map(|part| part.split_whitespace().next()) {
                if !found.iter().any(|command| command.name == name) {
                    found.push(Command { name, options: Vec::new() });
                }
            }
        }
        let is_option = line.starts_with("      -") || line.starts_with("  loupe ");
        let options = words.take_while(|_| is_option).filter(|word| word.starts_with("--"));
        for option in options.map(|word| word.split('=').next().unwrap_or(word)).filter(|word| *word != "--") {
            // `loupe heap` has two lines.
            let owner = line.strip_prefix("  loupe ").and_then(|rest| rest.split_whitespace().next());
            let at = found.iter().rposition(|command| owner.is_none_or(|owner| command.name == owner));
            let Some(command) = at.map(|at| &mut found[at]) else { continue };
            if !command.options.contains(&option) {
                command.options.push(option);
            }
        }
    }
    found
}

pub(crate) fn script(shell: Shell) -> String {
    let commands = commands();
    let names: Vec<&str> = commands.iter().map(|command| command.name).collect();
    match shell {
        Shell::Fish => {
            let mut text = format!("complete -c loupe -n __fish_use_subcommand -f -a '{}'\n", names.join(" "));
            for Command { name, options } in &commands {
                for option in options {
                    let seen = format!("__fish_seen_subcommand_from {name}");
                    text += &format!("complete -c loupe -n '{seen}' -l {}\n", option.trim_start_matches('-'));
                }
            }
            text
        }
        Shell::Bash => {
            let mut text = "_loupe() {\n  local word=${COMP_WORDS[COMP_CWORD]} options=\n  COMPREPLY=()\n".to_string();
            text += &format!(
                "  if ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '{}' -- \"$word\")); return; fi\n",
                names.join(" ")
            );
            text += &format!("  case ${{COMP_WORDS[1]}} in\n{}  esac\n", cases(&commands, "options="));
            text += "  [[ $word == -* ]] && COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n}\n";
            text + "complete -o default -o bashdefault -F _loupe loupe\n"
        }
        Shell::Zsh => {
            let mut text = "#compdef loupe\n_loupe() {\n  local options=\n".to_string();
            text += &format!("  if ((CURRENT == 2)); then compadd -- {}; return; fi\n", names.join(" "));
            text += &format!("  case $words[2] in\n{}  esac\n", cases(&commands, "options="));
            text += "  [[ $words[CURRENT] == -* ]] && compadd -- ${=options}\n  _files\n}\n";
            text + "compdef _loupe loupe\n"
        }
    }
}

fn cases(commands: &[Command], set: &str) -> String {
    let with_options = commands.iter().filter(|command| !command.options.is_empty());
    with_options.map(|command| format!("    {}) {set}'{}' ;;\n", command.name, command.options.join(" "))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_command_has_its_options() {
        let commands = commands();
        let names: Vec<&str> = commands.iter().map(|command| command.name).collect();
        assert_eq!(
            names,
            ["run", "try", "heap", "leaks", "path", "diff", "export", "attach", "top", "completion", "help", "version"]
        );
        let of =
            |name: &str| commands.iter().find(|command| command.name == name).map(|command| command.options.clone());
        assert_eq!(of("export"), Some(vec!["--format", "--mode", "--by", "--output"]));
        assert_eq!(of("heap"), Some(vec!["--top", "--retained", "--html"]));
        assert_eq!(of("diff"), Some(vec!["--top", "--budget", "--budget-objects"]));
        assert!(of("run").is_some_and(|options| options.contains(&"--html") && !options.contains(&"--json=")));
    }
}
