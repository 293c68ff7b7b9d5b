//! A parser for `--name value`, `--name=value`, `--flag`, `-v` and positional words.

/// The words of one task, sorted into options and positional words.
pub(crate) struct Args {
    options: Vec<(String, String)>,
    positional: Vec<String>,
}

impl Args {
    /// Sorts `words`; `valued` options take a value, `flags` do not, anything else that looks like an option is an error.
    pub(crate) fn parse(words: Vec<String>, valued: &[&str], flags: &[&str]) -> Result<Args, String> {
        let mut args = Args { options: Vec::new(), positional: Vec::new() };
        let mut words = words.into_iter();
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--").or_else(|| word.strip_prefix('-')).filter(|name| !name.is_empty())
            else {
                args.positional.push(word);
                continue;
            };
            let (name, inline) = match name.split_once('=') {
                Some((name, value)) => (name, Some(value.to_string())),
                None => (name, None),
            };
            let value = if flags.contains(&name) {
                String::new()
            } else if valued.contains(&name) {
                inline.or_else(|| words.next()).ok_or_else(|| format!("--{name} needs a value"))?
            } else {
                return Err(format!("unknown option {word}"));
            };
            args.options.push((name.to_string(), value));
        }
        Ok(args)
    }

    /// The last value given for `name`.
    pub(crate) fn value(&self, name: &str) -> Option<&str> {
        self.values(name).pop()
    }

    /// Every value given for `name`, in order.
    pub(crate) fn values(&self, name: &str) -> Vec<&str> {
        self.options.iter().filter(|(option, _)| option == name).map(|(_, value)| value.as_str()).collect()
    }

    /// Whether `name` was given at all.
    pub(crate) fn flag(&self, name: &str) -> bool {
        self.value(name).is_some()
    }

    /// The value of `name` as a number.
    pub(crate) fn number(&self, name: &str) -> Result<Option<u64>, String> {
        let parse = |value: &str| value.parse().map_err(|_| format!("--{name}: {value} is not a number"));
        self.value(name).map(parse).transpose()
    }

    /// The words that are no options.
    pub(crate) fn positional(&self) -> &[String] {
        &self.positional
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(words: &[&str]) -> Result<Args, String> {
        Args::parse(words.iter().map(ToString::to_string).collect(), &["jobs", "impl"], &["v", "check"])
    }

    #[test]
    fn options_and_words_may_be_mixed() {
        let args = parse(&["core", "--jobs", "3", "-v", "--impl=a=b c", "--impl", "d=e", "language"]).unwrap();
        assert_eq!(args.positional(), ["core", "language"]);
        assert_eq!(args.number("jobs"), Ok(Some(3)));
        assert!(args.flag("v") && !args.flag("check"));
        assert_eq!(args.values("impl"), ["a=b c", "d=e"]);
    }

    #[test]
    fn mistakes_are_reported() {
        assert!(parse(&["--colour"]).is_err());
        assert!(parse(&["--jobs"]).is_err());
        assert!(parse(&["--jobs", "many"]).unwrap().number("jobs").is_err());
    }
}
