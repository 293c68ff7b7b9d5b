//! Prism tree to iseq.
//!
//! # Passes
//! `analysis` walks the tree once and finds captured locals; `compiler` walks it again and emits code, one
//! [`emit::Scope`](emit) for each iseq; [`verify`] checks the result in development builds.
//!
//! # Code generation
//! Every expression is evaluated into a destination register (see `emit`), for effect, or into a branch. `break`, `next`,
//! `return`, `redo` and `retry` run the `ensure` bodies that they leave inline (see `control`).
//!
//! # Not here
//! Objects: the result names symbols and literals by their bytes, and `vm` makes objects of them.
#![forbid(unsafe_code)]

mod analysis;
mod arguments;
mod assign;
mod calls;
mod case;
mod class_exits;
mod compiler;
mod control;
mod coverage;
mod define;
mod defined;
mod emit;
mod lines;
mod literals;
mod liveness;
mod magic;
mod multiple;
mod operator_assign;
mod params;
mod pattern;
mod pattern_error;
mod prism;
mod regexps;
mod rescue;
mod spot;
mod strings;
mod variables;
mod verify;
mod warnings;

#[cfg(test)]
mod tests;

pub use spot::{Place, Point, Spot, extent, outer_locals, spot};
pub use verify::verify;

use carat_iseq::coverage::{Places, Targets};
use carat_iseq::{Draft, Iseq, IseqKind, IseqRef, Pack};
use compiler::Observed;
use ruby_prism as pm;

/// Names come from the source, but whoever writes that can have the compiler work without end anyway.
pub(crate) type Map<K, V> = std::collections::HashMap<K, V, rustc_hash::FxBuildHasher>;
pub(crate) type Set<K> = std::collections::HashSet<K, rustc_hash::FxBuildHasher>;

/// What to compile, and how.
#[derive(Clone, Copy, Debug)]
pub struct Options<'a> {
    pub path: &'a str,
    pub first_line: i32,
    /// `--enable=frozen-string-literal` and its opposite; a magic comment in the source wins.
    pub frozen_string_literal: Option<bool>,
    /// `--debug-frozen-string-literal`: string literals remember where they were made.
    pub marks_strings: bool,
    /// `Top` or `Eval`.
    pub kind: IseqKind,
    /// Name of the iseq; by default `<main>` or `<top (required)>`. Code for `eval` bears its surroundings' name.
    pub name: Option<&'a [u8]>,
    pub main_script: bool,
    /// For `Eval`: whether a method is around the code, so that `yield` makes sense.
    pub in_method: bool,
    /// For `Eval`: the scopes of the binding, innermost last.
    pub scopes: &'a [ScopeNames],
    /// Compiles `Primitive.name(...)` to `invokeprimitive` and marks the code as the core library's.
    pub is_core: bool,
    /// Encoding of the source where no magic comment tells it (the encoding of the string given to `eval`).
    pub encoding: Option<&'a str>,
    pub command_line: CommandLine,
    /// What is counted when the code runs.
    pub coverage: Option<Targets>,
    /// Looks at literal patterns, as the parser does not know them.
    pub regexp_checks: Option<RegexpChecks>,
}

/// First line of a file of the standard library that belongs to the core: it may use primitives, and its frames are hidden as
/// those of CRuby's C extensions are.
pub const CORE_MARK: &[u8] = b"# carat: core\n";

/// What to warn of in a pattern.
pub type RegexpWarnings = Vec<(Level, String)>;

/// What looks at literal patterns.
#[derive(Clone, Copy, Debug)]
pub struct RegexpChecks {
    /// Takes a pattern's source, options and encoding. What to warn of in it, or what is wrong with it.
    pub literal: fn(&[u8], u8, &str) -> Result<RegexpWarnings, String>,
    /// Takes a fixed part of an interpolated pattern and its encoding. What is wrong with it.
    pub part: fn(&[u8], &str) -> Result<(), String>,
}

impl<'a> Options<'a> {
    /// A file that is required or loaded.
    pub fn file(path: &'a str) -> Options<'a> {
        Options {
            path,
            first_line: 1,
            frozen_string_literal: None,
            marks_strings: false,
            kind: IseqKind::Top,
            name: None,
            main_script: false,
            in_method: true,
            scopes: &[],
            is_core: false,
            encoding: None,
            command_line: CommandLine::default(),
            coverage: None,
            regexp_checks: None,
        }
    }
}

/// Command line flags that change how a script is read.
#[derive(Clone, Copy, Default, Debug)]
pub struct CommandLine {
    pub a: bool,
    pub e: bool,
    pub l: bool,
    pub n: bool,
    pub p: bool,
    pub x: bool,
}

/// The locals of a scope around code for `eval`, by name and register. The hidden parameters of a method that passes them
/// on are named `*`, `**` and `&`.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct ScopeNames {
    pub locals: Vec<(Box<[u8]>, u16)>,
    /// Register of the block parameter, which is read through `getblockparam`.
    pub block_parameter: Option<u16>,
    pub is_forwarding: bool,
    /// An isolated block stands in between: naming one of the locals is an error.
    pub is_out_of_reach: bool,
}

impl ScopeNames {
    /// The names that code for `eval` sees of a frame that runs `iseq`.
    pub fn of(iseq: &Iseq) -> ScopeNames {
        let params = &iseq.params;
        let is_hidden = |register: u16| iseq.locals().any(|l| l.register == register && l.name.is_empty());
        let named = iseq.locals().filter(|l| !l.name.is_empty());
        let mut locals: Vec<(Box<[u8]>, u16)> = named.map(|l| (l.name.into(), l.register)).collect();
        let hidden: [(&[u8], bool, u16); 3] = [
            (b"*", params.has_rest, params.rest_register()),
            (b"**", params.has_keyword_rest, params.keyword_rest_register()),
            (b"&", params.has_block, params.block_register()),
        ];
        for (name, present, register) in hidden {
            if present && is_hidden(register) {
                locals.push((name.into(), register));
            }
        }
        let block_parameter = params.has_block.then(|| params.block_register());
        ScopeNames { locals, block_parameter, is_forwarding: params.is_forwarding, is_out_of_reach: false }
    }
}

/// Compiled source.
#[derive(Debug)]
pub struct Program {
    pub iseq: IseqRef,
    /// Some code refers to `TOPLEVEL_BINDING`.
    pub names_toplevel_binding: bool,
    pub warnings: Vec<Diagnostic>,
    /// Offset of the first byte behind the line `__END__`, where `DATA` starts.
    pub data_offset: Option<usize>,
    /// What [`Options::coverage`] asks for.
    pub places: Option<Places>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Level {
    Error,
    /// Found after parsing; Ruby reports these by path, line and message alone.
    CompileError,
    Warning,
    /// Given with `-w` only.
    VerboseWarning,
}

/// What the parser has to say about a place in the source. Columns count bytes from 0.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Diagnostic {
    pub message: Box<[u8]>,
    pub level: Level,
    pub line: i32,
    pub column: u32,
    pub end_line: i32,
    pub end_column: u32,
}

/// Source that is no Ruby.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SyntaxError {
    pub diagnostics: Vec<Diagnostic>,
    /// What the parser warned of besides.
    pub warnings: Vec<Diagnostic>,
}

/// What the core library calls native code by. No constant: [`Options::is_core`] makes an instruction of the call.
pub(crate) const PRIMITIVE: &[u8] = b"Primitive";
/// What the core library calls the module of the methods that its classes share, which are written in Ruby.
pub(crate) const CORE: &[u8] = b"Core";
/// The module's name elsewhere, which no program can write.
pub const CORE_MODULE: &str = "<core>";

/// Native stack that is enough for any source.
pub const ENOUGH_STACK: usize = 200 << 20;

/// Native stack that compiling a source may take: the parser and the compiler recurse, by a level for a few bytes at most.
pub fn stack_needed(source: &[u8]) -> usize {
    const PER_BYTE: usize = 4 << 10;
    const LEAST: usize = 96 << 10;
    source.len().saturating_mul(PER_BYTE).saturating_add(LEAST).min(ENOUGH_STACK)
}

/// Sources from this size on take so long that somebody may want to interrupt it: a tenth of a second.
pub const LARGE: usize = 128 << 10;

/// What [`Options`] borrow, and a source: for a thread that may outlive whoever asked.
pub struct Job {
    source: Vec<u8>,
    path: String,
    name: Option<Box<[u8]>>,
    scopes: Vec<ScopeNames>,
    encoding: Option<String>,
    options: Options<'static>,
}

impl Job {
    /// What [`Job::run`] needs of a native stack.
    pub const STACK_BYTES: usize = ENOUGH_STACK + (1 << 20);

    /// Code of the core library is no job: it is compiled when Carat is built.
    pub fn new(source: &[u8], options: &Options<'_>) -> Job {
        Job {
            source: source.to_vec(),
            path: options.path.to_owned(),
            name: options.name.map(Box::from),
            scopes: options.scopes.to_vec(),
            encoding: options.encoding.map(str::to_owned),
            options: Options { path: "", name: None, scopes: &[], encoding: None, ..*options },
        }
    }

    /// As [`compile`].
    pub fn run(&self) -> Result<Program, SyntaxError> {
        let Job { path, name, scopes, encoding, options, .. } = self;
        let (name, encoding) = (name.as_deref(), encoding.as_deref());
        compile(&self.source, &Options { path, name, scopes, encoding, ..*options })
    }
}

const NESTING_TOO_DEEP: &[u8] = b"nesting too deep";

/// Compiles a file, or a string given to `eval`. The running thread has [`stack_needed`].
pub fn compile(source: &[u8], options: &Options<'_>) -> Result<Program, SyntaxError> {
    let parts = compile_parts(source, options, Pack::new(), Observed::default())?;
    let names_toplevel_binding = parts.pack.names_toplevel_binding;
    let iseq = IseqRef::packed(parts.pack.finish(options.path.into()), parts.at);
    let Parts { warnings, data_offset, places, .. } = parts;
    Ok(Program { iseq, names_toplevel_binding, warnings, data_offset, places })
}

/// Compiles one of several files that share a pack. Where the code of the whole file is.
pub fn compile_into(source: &[u8], options: &Options<'_>, pack: &mut Pack) -> Result<u32, SyntaxError> {
    let parts = compile_parts(source, options, std::mem::take(pack), Observed::default())?;
    *pack = parts.pack;
    Ok(parts.at)
}

/// All code of a source as the compiler leaves it, for [`verify`]: inner code first.
pub fn drafts(source: &[u8], options: &Options<'_>) -> Result<Vec<Draft>, SyntaxError> {
    let observed = Observed { keeps_drafts: true, ..Observed::default() };
    let parts = compile_parts(source, options, Pack::new(), observed)?;
    Ok(parts.kept.expect("asked for"))
}

struct Parts {
    pack: Pack,
    at: u32,
    warnings: Vec<Diagnostic>,
    data_offset: Option<usize>,
    kept: Option<Vec<Draft>>,
    places: Option<Places>,
}

fn compile_parts(
    source: &[u8],
    options: &Options<'_>,
    pack: Pack,
    observed: Observed<'_>,
) -> Result<Parts, SyntaxError> {
    let parse_options = prism::parse_options(options);
    let result = pm::parse_with_options(source, &parse_options);
    let mut errors: Vec<Diagnostic> = Vec::new();
    for error in result.errors() {
        errors.push(prism::diagnostic(&error, Level::Error, source));
        // Every further bracket would be an error of its own: consequences of the parser's having given up here.
        if error.message() == NESTING_TOO_DEEP {
            break;
        }
    }
    let mut warnings: Vec<Diagnostic> = result.warnings().map(|d| prism::warning(&d, source)).collect();
    if !errors.is_empty() {
        return Err(SyntaxError { diagnostics: errors, warnings });
    }
    let encoding = prism::source_encoding(source, options);
    match compiler::compile_program(&result, options, encoding, pack, observed) {
        Ok(compiled) => {
            warnings.extend(compiled.warnings);
            let data_offset = data_offset(source, &result);
            let compiler::Compiled { pack, at, kept, places, .. } = compiled;
            Ok(Parts { pack, at, warnings, data_offset, kept, places })
        }
        Err(diagnostics) => Err(SyntaxError { diagnostics, warnings }),
    }
}

/// The parser's tree as text, for `--dump=parsetree`.
pub fn parse_tree(source: &[u8], options: &Options<'_>) -> String {
    let parse_options = prism::parse_options(options);
    format!("{:#?}\n", pm::parse_with_options(source, &parse_options).node())
}

/// What more of the source could still change about it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Completeness {
    Complete,
    /// The source ends inside something: more lines may follow.
    Incomplete,
    Wrong,
}

/// Whether a prompt should go on reading lines.
pub fn completeness(source: &[u8], options: &Options<'_>) -> Completeness {
    let parse_options = prism::parse_options(options);
    let result = pm::parse_with_options(source, &parse_options);
    let mut errors = result.errors().peekable();
    if errors.peek().is_none() {
        return Completeness::Complete;
    }
    let end = source.trim_ascii_end().len();
    let is_open = |error: &pm::Diagnostic<'_>| {
        let message = error.message();
        let speaks_of_end = ["end-of-input", "unterminated", "to close", "heredoc", "unexpected end"];
        speaks_of_end.iter().any(|words| message.windows(words.len()).any(|w| w == words.as_bytes()))
            && prism::end_offset(&error.location(), source) >= end
            || message.starts_with(b"unterminated")
    };
    if errors.any(|e| is_open(&e)) { Completeness::Incomplete } else { Completeness::Wrong }
}

fn data_offset(source: &[u8], result: &pm::ParseResult<'_>) -> Option<usize> {
    let start = result.data_loc()?.start() as usize;
    let line = source[start..].iter().position(|&b| b == b'\n').map_or(source.len(), |n| start + n + 1);
    Some(line)
}
