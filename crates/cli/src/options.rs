//! Reading the command line as CRuby reads it.

use carat_compile::CommandLine;

/// What `--yjit-…` may say: options of CRuby's compiler, of which `exec-mem-size` alone means something here.
const YJIT_OPTIONS: [&str; 17] = [
    "mem-size",
    "exec-mem-size",
    "call-threshold",
    "cold-threshold",
    "max-versions",
    "stats",
    "trace-exits",
    "trace-exits-sample-rate",
    "disable",
    "code-gc",
    "log",
    "perf",
    "dump-insns",
    "dump-disasm",
    "dump-iseq-local",
    "verify-ctx",
    "greedy-versioning",
];

/// What `--yjit-exec-mem-size=` may say. Machine code has to lie near the executable.
const MOST_MEGABYTES: std::ops::RangeInclusive<usize> = 1..=512;

/// Libraries that are there without being required; without `gems` none of them is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Features {
    pub(crate) gems: bool,
    pub(crate) error_highlight: bool,
    pub(crate) did_you_mean: bool,
}

impl Default for Features {
    fn default() -> Features {
        Features { gems: true, error_highlight: true, did_you_mean: true }
    }
}

/// What the command line asks for.
#[derive(Default, Debug)]
pub(crate) struct Options {
    /// `-e`, joined by newlines.
    pub(crate) code: Option<Vec<u8>>,
    pub(crate) script: Option<Vec<u8>>,
    pub(crate) arguments: Vec<Vec<u8>>,
    pub(crate) flags: CommandLine,
    pub(crate) check_syntax: bool,
    pub(crate) field_separator: Option<String>,
    pub(crate) in_place: Option<String>,
    /// `-0`: the record separator; `None` inside is "read everything".
    pub(crate) record_separator: Option<Option<Vec<u8>>>,
    pub(crate) load_path: Vec<String>,
    pub(crate) requires: Vec<String>,
    pub(crate) folder: Option<Vec<u8>>,
    pub(crate) search_path: bool,
    pub(crate) parse_switches: bool,
    /// `-x`, with the folder to change to.
    pub(crate) skip_to_ruby: Option<Vec<u8>>,
    pub(crate) external_encoding: Option<String>,
    pub(crate) internal_encoding: Option<String>,
    /// `-K`: the encoding of the source, too.
    pub(crate) source_encoding: Option<&'static str>,
    /// `$VERBOSE` as 0, 1 or 2.
    pub(crate) warning_level: Option<u8>,
    pub(crate) categories: Vec<(String, bool)>,
    pub(crate) debug: bool,
    pub(crate) show: Option<Show>,
    /// `-v`: the version is printed first.
    pub(crate) print_version: bool,
    pub(crate) frozen_string_literal: Option<bool>,
    pub(crate) marks_strings: bool,
    pub(crate) jit: Option<bool>,
    /// Megabytes of machine code for each Ractor.
    pub(crate) machine_code_megabytes: Option<usize>,
    pub(crate) features: Features,
    pub(crate) dump: Option<String>,
    /// The program runs, and graphs of the second tier are written to stderr.
    pub(crate) dumps_ssa: bool,
    /// The same of the machine code of both tiers.
    pub(crate) dumps_asm: bool,
    pub(crate) backtrace_limit: Option<usize>,
    /// `--backtrace-limit` was given: what the environment says does not count.
    has_backtrace_limit: bool,
    pub(crate) ignore_rubyopt: bool,
    /// Complaints to print once the program starts.
    pub(crate) warnings: Vec<String>,
}

/// What to print instead of running anything.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Show {
    Version,
    Copyright,
    Usage,
    Help,
}

/// A command line that cannot be used: the message that goes to standard error.
pub(crate) type Invalid = String;

/// Words are bytes; most of what they say is text. File names, code and the program's own arguments stay what they are.
struct OptionReader<'a> {
    /// The word of switches that is being read.
    word: &'a [u8],
    rest: std::slice::Iter<'a, Vec<u8>>,
    options: Options,
    /// Reading `RUBYOPT`, where only some options may stand.
    is_environment: bool,
    /// `-K` was given, which few know nowadays.
    warns_of_kcode: bool,
}

/// Reads `RUBYOPT` and the arguments behind the program's own name.
pub(crate) fn read(arguments: &[Vec<u8>], rubyopt: Option<&str>) -> Result<Options, Invalid> {
    let mut reader = OptionReader::of(arguments, Options::default(), false);
    reader.switches()?;
    let mut options = reader.options;
    options.arguments = reader.rest.cloned().collect();
    if let Some(text) = rubyopt.filter(|_| !options.ignore_rubyopt) {
        options = environment(text, options)?;
    }
    if options.script.is_none() && options.code.is_none() && !options.arguments.is_empty() {
        options.script = Some(options.arguments.remove(0));
    }
    Ok(options)
}

/// Options of the environment come behind those of the command line.
fn environment(text: &str, options: Options) -> Result<Options, Invalid> {
    let mut words: Vec<Vec<u8>> = Vec::new();
    for word in text.split_ascii_whitespace() {
        // A switch that takes a text may have it behind a space.
        let awaits_text = words.last().is_some_and(|w| matches!(w.as_slice(), b"-I" | b"-r" | b"-E"));
        let is_switch = word.starts_with('-') || awaits_text;
        words.push(if is_switch { word.into() } else { format!("-{word}").into() });
    }
    // Within the environment the last of several counts.
    let mut options = options;
    let given = options.warning_level.take();
    let frozen_string_literal = options.frozen_string_literal;
    let backtrace_limit = options.has_backtrace_limit.then_some(options.backtrace_limit);
    let mut reader = OptionReader::of(&words, options, true);
    reader.switches()?;
    // The environment does not overrule the command line.
    reader.options.warning_level = given.or(reader.options.warning_level);
    reader.options.backtrace_limit = backtrace_limit.unwrap_or(reader.options.backtrace_limit);
    reader.options.frozen_string_literal = frozen_string_literal.or(reader.options.frozen_string_literal);
    Ok(reader.options)
}

/// Sets a default encoding that may be named twice, but only by one name.
fn once(slot: &mut Option<String>, name: &str, what: &str, from_environment: bool) -> Result<(), Invalid> {
    match slot {
        _ if name.is_empty() => Ok(()),
        None => {
            *slot = Some(name.to_owned());
            Ok(())
        }
        Some(_) if from_environment => Ok(()),
        Some(old) if old.eq_ignore_ascii_case(name) => Ok(()),
        Some(old) => Err(format!("{what} already set to {old} (RuntimeError)")),
    }
}

/// The switches of a script's first line, behind those of the command line: `#!/usr/bin/env ruby -w`.
pub(crate) fn of_first_line(source: &[u8], options: Options) -> Result<Options, Invalid> {
    let line = source.split(|b| *b == b'\n').next().unwrap_or_default();
    let line = String::from_utf8_lossy(line.strip_prefix(b"\xef\xbb\xbf").unwrap_or(line)).into_owned();
    let Some(at) = line.strip_prefix("#!").and_then(|command| command.find("ruby")) else { return Ok(options) };
    // The first word is the interpreter's name, `ruby` or `ruby3.4`.
    let words = line[2 + at..].split_ascii_whitespace().skip(1);
    let words: Vec<Vec<u8>> = words.take_while(|word| word.starts_with('-') && *word != "-").map(Vec::from).collect();
    let mut reader = OptionReader::of(&words, options, false);
    reader.switches()?;
    Ok(reader.options)
}

impl<'a> OptionReader<'a> {
    fn of(words: &'a [Vec<u8>], options: Options, is_environment: bool) -> OptionReader<'a> {
        OptionReader { word: b"", rest: words.iter(), options, is_environment, warns_of_kcode: false }
    }

    fn switches(&mut self) -> Result<(), Invalid> {
        while let Some(word) = self.rest.as_slice().first() {
            if !word.starts_with(b"-") || word == b"-" {
                break;
            }
            self.word = word;
            self.rest.next();
            let argument = String::from_utf8_lossy(word);
            match argument.strip_prefix("--") {
                Some("") => break,
                Some(long) => self.long(long)?,
                None => self.cluster(&argument[1..])?,
            }
        }
        self.warn_of_kcode();
        Ok(())
    }

    fn warn_of_kcode(&mut self) {
        if self.warns_of_kcode && self.options.warning_level == Some(2) {
            let text = "-K is specified; it is for 1.8 compatibility and may cause odd behavior";
            self.options.warnings.push(text.into());
        }
    }

    /// One-letter options, several of which may stand in one word.
    fn cluster(&mut self, word: &str) -> Result<(), Invalid> {
        let mut rest = word;
        while let Some(letter) = rest.chars().next() {
            let after = &rest[letter.len_utf8()..];
            if self.is_environment && !"EIdvwWrKU-".contains(letter) {
                return Err(format!("invalid switch in RUBYOPT: -{letter} (RuntimeError)"));
            }
            rest = self.letter(letter, after)?;
        }
        Ok(())
    }

    /// Handles a letter; what is left of the word.
    fn letter<'w>(&mut self, letter: char, after: &'w str) -> Result<&'w str, Invalid> {
        let o = &mut self.options;
        match letter {
            'a' => o.flags.a = true,
            'n' => o.flags.n = true,
            'p' => (o.flags.p, o.flags.n) = (true, true),
            'l' => o.flags.l = true,
            'c' => o.check_syntax = true,
            's' => o.parse_switches = true,
            'S' => o.search_path = true,
            'd' => self.debug(),
            'h' => o.show = Some(Show::Usage),
            'v' => {
                o.print_version = true;
                self.warning_level(2);
            }
            'w' => self.warning_level(2),
            'U' => self.internal_encoding("UTF-8")?,
            'y' => o.dump = Some("yydebug".into()),
            'u' => {}
            'e' => {
                self.code(after)?;
                return Ok("");
            }
            'W' => return self.warning(after),
            '0' => return Ok(self.record_separator(after)),
            _ => return self.letter_with_text(letter, after),
        }
        Ok(after)
    }

    /// Letters that take the rest of the word, or the next one.
    fn letter_with_text<'w>(&mut self, letter: char, after: &'w str) -> Result<&'w str, Invalid> {
        match letter {
            'I' => {
                let folders = self.text(after).unwrap_or_default();
                self.options.load_path.extend(folders.split(':').filter(|f| !f.is_empty()).map(String::from));
            }
            'r' => {
                if let Some(feature) = self.text(after) {
                    self.options.requires.push(feature);
                }
            }
            'C' | 'X' => match self.bytes(after) {
                Some(folder) => self.folder(folder),
                None => return Err("Can't chdir (fatal)".into()),
            },
            'E' => match self.text(after) {
                Some(names) => self.encodings(&names, "-E")?,
                None => return Err("missing argument for -E (RuntimeError)".into()),
            },
            'F' => self.options.field_separator = Some(after.to_string()).filter(|t| !t.is_empty()),
            'i' => self.options.in_place = Some(after.to_string()),
            'x' => {
                self.options.flags.x = true;
                self.options.skip_to_ruby = Some(self.bytes_behind(after));
            }
            'K' => return Ok(self.kcode(after)),
            '-' => {}
            // The end of a line of another system.
            '\r' if after.is_empty() => {}
            other => {
                return Err(format!("invalid option -{}  (-h will show valid options) (RuntimeError)", shown(other)));
            }
        }
        Ok("")
    }

    /// A second folder is one seen from the first.
    fn folder(&mut self, folder: Vec<u8>) {
        let outer = self.options.folder.take().unwrap_or_default();
        let is_inside = !outer.is_empty() && !folder.starts_with(b"/");
        self.options.folder = Some(if is_inside { [&outer[..], b"/", &folder].concat() } else { folder });
    }

    fn next_text(&mut self) -> Option<String> {
        self.rest.next().map(|word| String::from_utf8_lossy(word).into_owned())
    }

    fn text(&mut self, after: &str) -> Option<String> {
        if after.is_empty() { self.next_text() } else { Some(after.to_string()) }
    }

    fn bytes(&mut self, after: &str) -> Option<Vec<u8>> {
        if after.is_empty() { self.rest.next().cloned() } else { Some(self.bytes_behind(after)) }
    }

    /// What is left of the word as it was given. Switches are ASCII, so that they are as long in the text.
    fn bytes_behind(&self, after: &str) -> Vec<u8> {
        let switches = String::from_utf8_lossy(self.word).len() - after.len();
        self.word[switches..].to_vec()
    }

    fn code(&mut self, after: &str) -> Result<(), Invalid> {
        let Some(line) = self.bytes(after) else { return Err("no code specified for -e (RuntimeError)".into()) };
        self.options.flags.e = true;
        let code = self.options.code.get_or_insert_default();
        code.extend_from_slice(&line);
        code.push(b'\n');
        Ok(())
    }

    /// `-W`, `-W0` to `-W2`, `-W:category` and `-W:no-category`.
    fn warning<'w>(&mut self, after: &'w str) -> Result<&'w str, Invalid> {
        if let Some(category) = after.strip_prefix(':') {
            let (name, is_on) = category.strip_prefix("no-").map_or((category, true), |name| (name, false));
            let known = ["deprecated", "experimental", "performance", "strict_unused_block"];
            if known.contains(&name) {
                self.options.categories.push((name.to_string(), is_on));
            } else {
                self.options.warnings.push(format!("unknown warning category: '{name}'"));
            }
            return Ok("");
        }
        let level = after.bytes().next().filter(|b| (b'0'..b'8').contains(b));
        self.warning_level(level.map_or(2, |d| (d - b'0').min(2)));
        Ok(if level.is_some() { &after[1..] } else { after })
    }

    /// `-0`, `-0777`, `-00`, `-012`, `-0xHH`.
    fn record_separator<'w>(&mut self, after: &'w str) -> &'w str {
        let (digits, radix) = match after.strip_prefix(['x', 'X']) {
            Some(hex) => (hex, 16),
            None => (after, 8),
        };
        let limit = if radix == 16 { usize::MAX } else { 3 };
        let count = digits.chars().take_while(|c| c.is_digit(radix)).count().min(limit);
        let number = u32::from_str_radix(&digits[..count], radix).unwrap_or(0);
        self.options.record_separator = Some(match number {
            // By paragraphs.
            0 if count > 0 => Some(Vec::new()),
            n if n > 0o377 && radix == 8 => None,
            n => char::from_u32(n)
                .filter(|_| n > 0x7f)
                .map(|c| c.to_string().into_bytes())
                .or_else(|| Some(vec![n as u8])),
        });
        &digits[count..]
    }

    fn debug(&mut self) {
        self.options.debug = true;
        self.warning_level(2);
    }

    fn warning_level(&mut self, level: u8) {
        self.options.warning_level = Some(level);
    }

    /// `external[:internal]`
    fn encodings(&mut self, names: &str, option: &str) -> Result<(), Invalid> {
        let mut parts = names.splitn(3, ':');
        let (external, internal) = (parts.next().unwrap_or(""), parts.next().unwrap_or(""));
        if let Some(extra) = parts.next() {
            return Err(format!("extra argument for {option}: {extra} (RuntimeError)"));
        }
        self.external_encoding(external)?;
        self.internal_encoding(internal)
    }

    fn external_encoding(&mut self, name: &str) -> Result<(), Invalid> {
        let from_environment = self.is_environment;
        once(&mut self.options.external_encoding, name, "default_external", from_environment)
    }

    fn internal_encoding(&mut self, name: &str) -> Result<(), Invalid> {
        let from_environment = self.is_environment;
        once(&mut self.options.internal_encoding, name, "default_internal", from_environment)
    }

    /// `-Ke`, `-Ks`, `-Ku`, `-Kn`: encodings of the source and of what is read.
    fn kcode<'w>(&mut self, after: &'w str) -> &'w str {
        let name = match after.bytes().next().map(|b| b.to_ascii_lowercase()) {
            Some(b'e') => "EUC-JP",
            Some(b's') => "Windows-31J",
            Some(b'u') => "UTF-8",
            Some(b'n' | b'a') => "ASCII-8BIT",
            Some(_) => return &after[after.chars().next().map_or(0, char::len_utf8)..],
            None => return after,
        };
        self.warns_of_kcode = true;
        if self.is_environment && self.options.external_encoding.is_some() {
            return &after[1..];
        }
        self.options.source_encoding = Some(name);
        self.options.external_encoding = Some(name.into());
        &after[1..]
    }

    /// `--name`, `--name=value` or `--name value`.
    fn long(&mut self, word: &str) -> Result<(), Invalid> {
        let (name, value) = word.split_once('=').map_or((word, None), |(n, v)| (n, Some(v.to_string())));
        let normal = name.replace('_', "-");
        match normal.as_str() {
            "version" | "copyright" | "help" | "yydebug" | "dump" if self.is_environment => {
                return Err(format!("invalid switch in RUBYOPT: --{name} (RuntimeError)"));
            }
            "version" => self.options.show = Some(Show::Version),
            "copyright" => self.options.show = Some(Show::Copyright),
            "help" => self.options.show = Some(Show::Help),
            "verbose" => self.warning_level(2),
            "debug" => self.debug(),
            "yydebug" => self.options.dump = Some(normal),
            "jit" | "yjit" => self.options.jit = Some(true),
            "zjit" | "rjit" | "crash-report" => {}
            "parser" => match value.as_deref() {
                None | Some("prism" | "parse.y") => {}
                Some(other) => return Err(format!("unknown parser {other} (RuntimeError)")),
            },
            "debug-frozen-string-literal" => self.options.marks_strings = true,
            "encoding" | "external-encoding" | "internal-encoding" => return self.long_encoding(&normal, value),
            "enable" | "disable" => return self.features(&normal, value),
            "backtrace-limit" => return self.backtrace_limit(value),
            "dump" => self.dump(value)?,
            _ => return self.feature_spelling(&normal, value.as_deref(), word),
        }
        Ok(())
    }

    fn dump(&mut self, value: Option<String>) -> Result<(), Invalid> {
        const KNOWN: [&str; 6] = ["version", "copyright", "yydebug", "insns", "parsetree", "prism_parsetree"];
        let Some(what) = value.or_else(|| self.next_text()) else {
            return Err("missing argument for --dump (RuntimeError)".into());
        };
        match what.split_once('+').map_or(what.as_str(), |(what, _)| what) {
            "syntax" => self.options.check_syntax = true,
            "ssa" => self.options.dumps_ssa = true,
            "asm" => self.options.dumps_asm = true,
            begun if !begun.is_empty() && KNOWN.iter().any(|known| known.starts_with(begun)) => {
                let known = KNOWN.iter().find(|known| known.starts_with(begun));
                self.options.dump = known.map(|known| (*known).into());
            }
            _ => {
                self.options.warnings.push(format!("don't know how to dump '{what}',"));
                self.options.warnings.push("but only [version, copyright, yydebug, syntax, insns, parsetree].".into());
            }
        }
        Ok(())
    }

    /// `--enable-gems`, `--yjit-call-threshold=1` and the like.
    fn feature_spelling(&mut self, normal: &str, value: Option<&str>, word: &str) -> Result<(), Invalid> {
        for way in ["enable", "disable"] {
            if let Some(feature) = normal.strip_prefix(way).and_then(|f| f.strip_prefix('-')) {
                return self.features(way, Some(feature.to_string()));
            }
        }
        if let Some(option) = normal.strip_prefix("yjit-") {
            let mut is_known = YJIT_OPTIONS.contains(&option);
            if option == "exec-mem-size" {
                let megabytes = value.and_then(|value| value.parse().ok()).filter(|n| MOST_MEGABYTES.contains(n));
                self.options.machine_code_megabytes = megabytes;
                is_known = megabytes.is_some();
            }
            let error = format!("invalid YJIT option '{option}' (--help will show valid yjit options) (RuntimeError)");
            return if is_known { Ok(()) } else { Err(error) };
        }
        if ["zjit-", "rjit-", "jit-"].iter().any(|p| normal.starts_with(p)) {
            return Ok(());
        }
        Err(format!("invalid option --{word}  (-h will show valid options) (RuntimeError)"))
    }

    fn long_encoding(&mut self, name: &str, value: Option<String>) -> Result<(), Invalid> {
        let Some(value) = value.or_else(|| self.next_text()) else {
            return Err(format!("missing argument for --{name} (RuntimeError)"));
        };
        match name {
            "encoding" => self.encodings(&value, "--encoding"),
            "external-encoding" => self.external_encoding(&value),
            _ => self.internal_encoding(&value),
        }
    }

    fn features(&mut self, way: &str, value: Option<String>) -> Result<(), Invalid> {
        let Some(value) = value.or_else(|| self.next_text()) else {
            return Err(format!("missing argument for --{way} (RuntimeError)"));
        };
        for feature in value.split(',') {
            self.feature(way, &feature.replace('_', "-"), feature);
        }
        Ok(())
    }

    fn feature(&mut self, way: &str, feature: &str, spelled: &str) {
        let is_on = way == "enable";
        match feature {
            "frozen-string-literal" => self.options.frozen_string_literal = Some(is_on),
            "rubyopt" => self.options.ignore_rubyopt = !is_on,
            "gems" | "gem" => self.options.features.gems = is_on,
            "error-highlight" => self.options.features.error_highlight = is_on,
            "did-you-mean" => self.options.features.did_you_mean = is_on,
            "all" => {
                self.options.ignore_rubyopt = !is_on;
                self.options.frozen_string_literal = is_on.then_some(true).or(self.options.frozen_string_literal);
                self.options.features = Features { gems: is_on, error_highlight: is_on, did_you_mean: is_on };
            }
            "jit" | "yjit" => self.options.jit = Some(is_on),
            "syntax-suggest" | "zjit" | "rjit" => {}
            _ => self.options.warnings.push(format!("unknown argument for --{way}: '{spelled}'")),
        }
    }

    fn backtrace_limit(&mut self, value: Option<String>) -> Result<(), Invalid> {
        let Some(text) = value.or_else(|| self.next_text()).filter(|text| !text.is_empty()) else {
            return Err("missing argument for --backtrace-limit (RuntimeError)".into());
        };
        match text.parse::<i64>() {
            Ok(lines) if lines >= -1 => {
                self.options.backtrace_limit = usize::try_from(lines).ok();
                self.options.has_backtrace_limit = true;
                Ok(())
            }
            _ => Err("wrong limit for backtrace length (RuntimeError)".into()),
        }
    }
}

/// A letter as messages show it: control characters as escapes.
fn shown(letter: char) -> String {
    match letter {
        '\r' => "\\r".into(),
        '\n' => "\\n".into(),
        '\t' => "\\t".into(),
        letter if letter.is_control() => format!("\\x{:02x}", u32::from(letter)),
        letter => letter.into(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(words: &[&str]) -> Options {
        let words: Vec<Vec<u8>> = words.iter().map(|w| w.as_bytes().to_vec()).collect();
        read(&words, None).expect("a valid command line")
    }

    #[test]
    fn switches_stand_in_the_first_line_too() {
        let of_line = |line: &str| of_first_line(line.as_bytes(), Options::default()).expect("valid switches");
        assert_eq!(of_line("#!/usr/bin/env ruby -w\nputs 1").warning_level, Some(2));
        assert_eq!(of_line("#!/usr/bin/ruby -W0 -s\r\n").warning_level, Some(0));
        assert!(of_line("#!/usr/bin/ruby -s\n").parse_switches);
        assert_eq!(of_line("#!/bin/sh -w\n").warning_level, None);
        assert_eq!(of_line("# ruby -w\n").warning_level, None);
        assert!(of_first_line(b"#!ruby -Q\n", Options::default()).is_err());
    }

    #[test]
    fn the_environment_has_its_texts_behind_spaces() {
        let options = read(&[], Some("-w -W0 -r set")).expect("valid switches");
        assert_eq!(options.requires, ["set"]);
        assert_eq!(options.warning_level, Some(0));
        assert_eq!(read(&[b"-W1".to_vec()], Some("-w")).expect("valid switches").warning_level, Some(1));
    }

    #[test]
    fn code_is_joined_by_lines() {
        let options = of(&["-e", "a", "-eb", "c"]);
        assert_eq!(options.code.as_deref(), Some(&b"a\nb\n"[..]));
        assert_eq!(options.arguments, [b"c".to_vec()]);
    }

    #[test]
    fn bytes_that_are_no_text_stay_what_they_are() {
        let words: Vec<Vec<u8>> =
            [b"-we\xff(" as &[u8], b"-C", b"\xfe", b"-x\xfd", b"--", b"\xfc"].map(Vec::from).into();
        let options = read(&words, None).expect("a valid command line");
        assert_eq!(options.code.as_deref(), Some(&b"\xff(\n"[..]));
        assert_eq!(options.folder.as_deref(), Some(&b"\xfe"[..]));
        assert_eq!(options.skip_to_ruby.as_deref(), Some(&b"\xfd"[..]));
        assert_eq!(options.arguments, [b"\xfc".to_vec()]);
    }

    #[test]
    fn letters_share_a_word() {
        let options = of(&["-wnle", "p", "x"]);
        assert!(options.flags.n && options.flags.l && options.flags.e);
        assert_eq!(options.warning_level, Some(2));
    }

    #[test]
    fn the_script_ends_the_options() {
        let options = of(&["-W0", "t.rb", "-x", "--", "y"]);
        assert_eq!(options.script.as_deref(), Some(&b"t.rb"[..]));
        assert_eq!(options.arguments.len(), 3);
        assert_eq!(options.warning_level, Some(0));
    }

    #[test]
    fn features_have_several_spellings() {
        for words in [
            &["--enable=frozen-string-literal"][..],
            &["--enable-frozen_string_literal"],
            &["--enable", "frozen-string-literal"],
        ] {
            assert_eq!(of(words).frozen_string_literal, Some(true));
        }
        let off = of(&["--disable-did_you_mean", "--disable", "gems,error-highlight"]).features;
        assert_eq!(off, Features { gems: false, error_highlight: false, did_you_mean: false });
        assert_eq!(of(&["--disable=all"]).features, off);
        assert_eq!(of(&["--disable=nonsense"]).warnings, ["unknown argument for --disable: 'nonsense'"]);
    }

    #[test]
    fn unknown_options_are_refused() {
        let words = [b"-Z".to_vec()];
        assert_eq!(
            read(&words, None).err().as_deref(),
            Some("invalid option -Z  (-h will show valid options) (RuntimeError)")
        );
    }

    #[test]
    fn the_environment_does_not_overrule_the_command_line() {
        let words = ["--backtrace-limit=-1", "--disable=frozen-string-literal"].map(|w| w.as_bytes().to_vec());
        let options = read(&words, Some("--backtrace-limit=5 --enable=frozen-string-literal")).expect("valid switches");
        assert_eq!(options.backtrace_limit, None);
        assert_eq!(options.frozen_string_literal, Some(false));
    }

    #[test]
    fn folders_are_entered_one_from_the_other() {
        assert_eq!(of(&["-C", "a", "-Cb"]).folder.as_deref(), Some(&b"a/b"[..]));
        assert_eq!(of(&["-C", "a", "-C/b"]).folder.as_deref(), Some(&b"/b"[..]));
    }

    #[test]
    fn what_to_dump_may_be_abbreviated() {
        assert_eq!(of(&["--dump=parse"]).dump.as_deref(), Some("parsetree"));
        assert!(of(&["--dump=syntax"]).check_syntax);
        assert!(read(&[b"--dump".to_vec()], None).is_err());
    }

    #[test]
    fn record_separators() {
        assert_eq!(of(&["-0"]).record_separator, Some(Some(vec![0])));
        assert_eq!(of(&["-00"]).record_separator, Some(Some(Vec::new())));
        assert_eq!(of(&["-0777"]).record_separator, Some(None));
        assert_eq!(of(&["-054"]).record_separator, Some(Some(b",".to_vec())));
    }

    #[test]
    fn rubyopt_is_read_behind_the_arguments() {
        let options = read(&[b"t.rb".to_vec()], Some("-w -rset")).expect("valid");
        assert_eq!(options.requires, ["set"]);
        assert_eq!(options.script.as_deref(), Some(&b"t.rb"[..]));
        assert!(read(&[], Some("-e1")).is_err());
    }
}
