//! What `-h`, `--help`, `--version` and `--copyright` print.

use carat_builtins::version;

/// `carat 0.1.0 (ruby 4.0.0 …)`
pub(crate) fn version_line() -> String {
    format!("{}\n", version::description())
}

pub(crate) fn copyright_line() -> String {
    format!("{}\n", version::COPYRIGHT)
}

/// `-h`: the options that fit a screen. `--help` adds those that are rarer.
pub(crate) fn usage(program: &str, is_long: bool) -> String {
    let mut text = format!("Usage: {program} [options] [--] [filepath] [arguments]\n{SHORT}");
    if is_long {
        text.push_str(LONG);
    }
    text
}

const SHORT: &str = "  -0[octal]       Set input record separator ($/).
  -a              Split each input line ($_) into fields ($F).
  -c              Check syntax (no execution).
  -Cdirpath       Execute program in specified directory.
  -d, --debug     Set debugging flag ($DEBUG) to true.
  -e 'code'       Execute given Ruby code; multiple -e allowed.
  -Eex[:in], --encoding=ex[:in]
                  Set default external and internal encodings.
  -Fpattern       Set input field separator ($;); used with -a.
  -i[extension]   Set ARGF in-place mode.
  -Idirpath       Prepend specified directory to load paths ($LOAD_PATH).
  -l              Set output record separator ($\\) to $/.
  -n              Run program in gets loop.
  -p              Like -n, with printing added.
  -rlibrary       Require the given library.
  -s              Define global variables using switches after program path.
  -S              Search directories found in the PATH environment variable.
  -v              Print version; set $VERBOSE to true.
  -w              Synonym for -W1.
  -W[level=2]     Set warning flag ($-W).
  -x[dirpath]     Execute Ruby code starting from a #!ruby line.
  --version, -v   Print Carat version.
  -h              Print this help message; use --help for longer message.
";

const LONG: &str = "  --backtrace-limit=num
                  Set backtrace limit.
  --verbose       Set $VERBOSE to true; ignore input from $stdin.
  --copyright     Print copyright.
  --dump=items    Dump items: asm, insns, ssa, version.
  --enable=features, --disable=features
                  Enable or disable features: did_you_mean, error_highlight,
                  frozen-string-literal, gems, jit, rubyopt.
  --external-encoding=encoding
                  Set default external encoding.
  --internal-encoding=encoding
                  Set default internal encoding.
  --jit           Compile code that runs often (the default).
  --yjit-exec-mem-size=num
                  Megabytes of machine code at most, for each Ractor.
Warning categories for -W:category and -W:no-category:
  deprecated, experimental, performance, strict_unused_block
";
