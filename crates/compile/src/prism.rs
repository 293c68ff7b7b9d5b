//! What the compiler needs from the parser besides the tree: options, diagnostics, encodings, identity of nodes.

use crate::{CommandLine, Diagnostic, Level, Options, ScopeNames, magic};
use carat_iseq::{EncodingName, IseqKind, SOURCE_ENCODINGS};
use ruby_prism as pm;

/// Identifies a node that opens a scope, a fork or a flip-flop, for as long as the tree lives.
pub(crate) fn node_key(node: &pm::Node<'_>) -> usize {
    macro_rules! address {
        ($($kind:ident)+) => {
            match node {
                $(pm::Node::$kind { pointer, .. } => pointer.addr(),)+
                _ => unreachable!("{node:?} opens no scope"),
            }
        };
    }
    address! {
        ProgramNode DefNode ClassNode ModuleNode SingletonClassNode BlockNode LambdaNode ForNode PostExecutionNode
        IfNode UnlessNode WhileNode UntilNode CaseNode CaseMatchNode CallNode FlipFlopNode InterpolatedRegularExpressionNode InterpolatedMatchLastLineNode
    }
}

pub(crate) fn parse_options(options: &Options<'_>) -> pm::ParseOptions {
    let mut parse = pm::Options::default()
        .filepath(&options.path.replace('\0', ""))
        .line(options.first_line)
        .version(pm::Version::CRuby4_0)
        .frozen_string_literal(options.frozen_string_literal)
        .main_script(options.main_script)
        .command_line(command_line(&options.command_line));
    if let Some(encoding) = options.encoding {
        parse = parse.encoding(&encoding.replace('\0', ""));
    }
    if options.kind == IseqKind::Eval {
        parse = parse.partial_script(false).scopes(options.scopes.iter().map(scope).collect());
        // The code itself is a scope of its own inside the binding's.
        parse = parse.scope(pm::Scope::default());
    }
    parse.build()
}

fn command_line(flags: &CommandLine) -> Vec<pm::CommandLineFlag> {
    let all = [
        (flags.a, pm::CommandLineFlag::A),
        (flags.e, pm::CommandLineFlag::E),
        (flags.l, pm::CommandLineFlag::L),
        (flags.n, pm::CommandLineFlag::N),
        (flags.p, pm::CommandLineFlag::P),
        (flags.x, pm::CommandLineFlag::X),
    ];
    all.into_iter().filter(|&(set, _)| set).map(|(_, flag)| flag).collect()
}

fn scope(names: &ScopeNames) -> pm::Scope {
    let is_plain = |name: &[u8]| !matches!(name, b"*" | b"**" | b"&");
    let locals = names.locals.iter().filter(|(n, _)| is_plain(n)).map(|(n, _)| n.to_vec()).collect();
    // What has no name cannot be named in an error: the parser does not hear of it where it is out of reach.
    let has = |hidden: &[u8]| !names.is_out_of_reach && names.locals.iter().any(|(n, _)| &**n == hidden);
    let mut forwarding = Vec::new();
    if has(b"*") {
        forwarding.push(pm::ScopeForwardingFlag::Positionals);
    }
    if has(b"**") {
        forwarding.push(pm::ScopeForwardingFlag::Keywords);
    }
    if has(b"&") {
        forwarding.push(pm::ScopeForwardingFlag::Block);
    }
    if names.is_forwarding && !names.is_out_of_reach {
        forwarding.push(pm::ScopeForwardingFlag::All);
    }
    pm::Scope::default().locals(locals).forwarding(forwarding)
}

/// The end of a place. The parser gives some errors in broken heredocs an end before their beginning, as a length that
/// reaches far beyond the source: such a place is empty.
pub(crate) fn end_offset(location: &pm::Location<'_>, source: &[u8]) -> usize {
    let start = location.start() as usize;
    // Only the length of the slice is looked at.
    let end = start + location.as_slice().len();
    if end <= source.len() { end } else { start }
}

pub(crate) fn diagnostic(diagnostic: &pm::Diagnostic<'_>, level: Level, source: &[u8]) -> Diagnostic {
    let location = diagnostic.location();
    let is_empty = end_offset(&location, source) == location.start() as usize;
    let (end_line, end_column) = if is_empty {
        (location.start_line(), location.start_column())
    } else {
        (location.end_line(), location.end_column())
    };
    Diagnostic {
        message: diagnostic.message().into(),
        level,
        line: location.start_line(),
        column: location.start_column(),
        end_line,
        end_column,
    }
}

pub(crate) fn warning(warning: &pm::Diagnostic<'_>, source: &[u8]) -> Diagnostic {
    let location = warning.location();
    let text = &source[location.start() as usize..end_offset(&location, source)];
    diagnostic(warning, crate::warnings::level_of(warning.message(), text), source)
}

/// What a source in UTF-8 may begin with, whatever its string's encoding is.
const BYTE_ORDER_MARK: &[u8] = b"\xef\xbb\xbf";

/// The encoding of the source: what a magic comment says, otherwise what the caller says.
pub(crate) fn source_encoding(source: &[u8], options: &Options<'_>) -> EncodingName {
    if source.starts_with(BYTE_ORDER_MARK) {
        return "UTF-8";
    }
    let comment = magic::encoding(source).and_then(|name| encoding_name(&name));
    comment.or_else(|| options.encoding.and_then(encoding_name)).unwrap_or("UTF-8")
}

/// Ruby's canonical spelling of an encoding that a source file may have.
fn encoding_name(name: &str) -> Option<EncodingName> {
    const ALIASES: &[(&str, EncodingName)] = &[
        ("ASCII", "US-ASCII"),
        ("ANSI_X3.4-1968", "US-ASCII"),
        ("646", "US-ASCII"),
        ("BINARY", "ASCII-8BIT"),
        ("CP65001", "UTF-8"),
        ("eucJP", "EUC-JP"),
        ("SJIS", "Windows-31J"),
        ("CP932", "Windows-31J"),
        ("csWindows31J", "Windows-31J"),
        ("PCK", "Windows-31J"),
        ("eucKR", "EUC-KR"),
        ("eucTW", "EUC-TW"),
        ("CP950", "Big5"),
        ("CP936", "GBK"),
        ("CP1250", "Windows-1250"),
        ("CP1251", "Windows-1251"),
        ("CP1252", "Windows-1252"),
        ("CP1253", "Windows-1253"),
        ("CP1254", "Windows-1254"),
        ("CP1255", "Windows-1255"),
        ("CP1256", "Windows-1256"),
        ("CP1257", "Windows-1257"),
        ("CP1258", "Windows-1258"),
        ("CP878", "KOI8-R"),
        ("ISO8859-1", "ISO-8859-1"),
        ("ISO8859-2", "ISO-8859-2"),
        ("ISO8859-3", "ISO-8859-3"),
        ("ISO8859-4", "ISO-8859-4"),
        ("ISO8859-5", "ISO-8859-5"),
        ("ISO8859-6", "ISO-8859-6"),
        ("ISO8859-7", "ISO-8859-7"),
        ("ISO8859-8", "ISO-8859-8"),
        ("ISO8859-9", "ISO-8859-9"),
        ("ISO8859-10", "ISO-8859-10"),
        ("ISO8859-11", "ISO-8859-11"),
        ("ISO8859-13", "ISO-8859-13"),
        ("ISO8859-14", "ISO-8859-14"),
        ("ISO8859-15", "ISO-8859-15"),
        ("ISO8859-16", "ISO-8859-16"),
        ("UTF-8-MAC", "UTF8-MAC"),
    ];
    let alias = ALIASES.iter().find(|(alias, _)| alias.eq_ignore_ascii_case(name)).map(|&(_, canonical)| canonical);
    alias.or_else(|| SOURCE_ENCODINGS.iter().copied().find(|canonical| canonical.eq_ignore_ascii_case(name)))
}
