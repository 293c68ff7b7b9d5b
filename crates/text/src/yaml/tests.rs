//! What the parser says of texts, in short; as libyaml 0.2.5 says it.

use super::{CollectionStyle, Event, EventKind, Parser, Properties, ScalarStyle};

fn shown(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace('\n', "~")
}

fn front(properties: &Properties) -> String {
    let anchor = properties.anchor.as_ref().map(|name| format!("&{} ", shown(name)));
    let tag = properties.tag.as_ref().map(|name| format!("<{}> ", shown(name)));
    anchor.unwrap_or_default() + &tag.unwrap_or_default()
}

fn line(event: &Event) -> String {
    let bracket = |style: &CollectionStyle, block: &str, flow: &str| {
        if *style == CollectionStyle::Block { block.to_string() } else { flow.to_string() }
    };
    match &event.kind {
        EventKind::StreamStart | EventKind::StreamEnd => String::new(),
        EventKind::DocumentStart { version, tags, is_implicit } => {
            let version = version.map(|(major, minor)| format!("{major}.{minor}")).unwrap_or_default();
            format!("{}{version}{}", if *is_implicit { "doc" } else { "---" }, "%".repeat(tags.len()))
        }
        EventKind::DocumentEnd { is_implicit } => if *is_implicit { "" } else { "..." }.to_string(),
        EventKind::Alias(name) => format!("*{}", shown(name)),
        EventKind::Scalar { properties, value, style, .. } => {
            let mark = match style {
                ScalarStyle::Plain => "",
                ScalarStyle::SingleQuoted => "'",
                ScalarStyle::DoubleQuoted => "\"",
                ScalarStyle::Literal => "|",
                ScalarStyle::Folded => ">",
            };
            format!("{}{mark}{}={}", front(properties), shown(value), event.start.column)
        }
        EventKind::SequenceStart { properties, style, .. } => front(properties) + &bracket(style, "-", "["),
        EventKind::MappingStart { properties, style, .. } => front(properties) + &bracket(style, ":", "{"),
        EventKind::SequenceEnd => "]".to_string(),
        EventKind::MappingEnd => "}".to_string(),
    }
}

fn told(text: &str) -> String {
    let (mut parser, mut lines) = (Parser::default(), Vec::new());
    loop {
        match parser.next(text.as_bytes()) {
            Ok(event) => {
                lines.push(line(&event));
                if event.kind == EventKind::StreamEnd {
                    break;
                }
            }
            Err(mistake) => {
                let context = mistake.context.unwrap_or("alone");
                lines.push(format!("{} {context} {}:{}", mistake.problem, mistake.place.line, mistake.place.column));
                break;
            }
        }
    }
    lines.retain(|line| !line.is_empty());
    lines.join(" ")
}

#[test]
fn texts_become_events() {
    for (text, expected) in [
        ("", ""),
        ("a: b", "doc : a=0 b=3 }"),
        ("a:\n- b\n- c: d\n", "doc : a=0 - b=2 : c=2 d=5 } ] }"),
        ("- - a\n-\n", "doc - - a=4 ] =1 ]"),
        ("? a\n? b\n: c\n", "doc : a=2 =0 b=2 c=2 }"),
        ("[a, b: c, ? d, {e: f, g}]", "doc [ a=1 { b=4 c=7 } { d=12 =13 } { e=16 f=19 g=22 =23 } ]"),
        ("--- &a !!str b\n...\n--- *a\n", "--- &a <tag:yaml.org,2002:str> b=4 ... --- *a"),
        ("%YAML 1.2\n%TAG !e! x:\n---\n- !e!f g\n- !<h> i\n- ! j\n", "---1.2% - <x:f> g=2 <h> i=2 <!> j=2 ]"),
        ("a: 'it''s\n\n  b'\nc: \"\\x41\\u263A\\\n  d\"\n", "doc : a=0 'it's~b=3 c=0 \"A\u{263A}d=3 }"),
        ("a b\n c\n\n  d # e\n", "doc a b c~d=0"),
        ("- |\n a\n  b\n\n- >-\n c\n d\n\n  e\n- |+1\n  f\n\n", "doc - |a~ b~=2 >c d~~ e=2 | f~~=2 ]"),
        ("a\r\n b\u{85}c", "doc a b c=0"),
        ("\u{FEFF}a: b", "doc : a=1 b=4 }"),
    ] {
        assert_eq!(told(text), expected, "{text:?}");
    }
}

#[test]
fn mistakes_are_told_with_where_their_context_began() {
    for (text, expected) in [
        ("a: b: c", "doc : a=0 b=3 mapping values are not allowed in this context alone 0:4"),
        ("a: b\n c: d", "doc : a=0 b c=3 mapping values are not allowed in this context alone 1:2"),
        ("a: [b, c\nd: e", "doc : a=0 [ b=4 c d=7 did not find expected ',' or ']' while parsing a flow sequence 0:3"),
        ("'a", "found unexpected end of stream while scanning a quoted scalar 0:0"),
        ("\"\\q\"", "found unknown escape character while parsing a quoted scalar 0:0"),
        ("a: `b", "doc : a=0 found character that cannot start any token while scanning for the next token 0:3"),
        ("--- a\n--- !x!y b", "--- a=4 --- found undefined tag handle while parsing a node 1:4"),
        ("- a\nb", "doc - a=2 could not find expected ':' while scanning a simple key 1:0"),
        ("%YAML 2.0\n--- a", "found incompatible YAML document alone 0:0"),
        ("a\u{1}", "control characters are not allowed alone 0:0"),
    ] {
        assert_eq!(told(text), expected, "{text:?}");
    }
}

/// Behind a mistake there is nothing more, and what is open costs no native stack.
#[test]
fn a_parser_ends() {
    let mut parser = Parser::default();
    let text = "[".repeat(300_000);
    let mut count = 0;
    while parser.next(text.as_bytes()).is_ok() {
        count += 1;
    }
    assert_eq!(count, 300_002);
    assert_eq!(parser.next(text.as_bytes()).map(|event| event.kind), Ok(EventKind::StreamEnd));
}
