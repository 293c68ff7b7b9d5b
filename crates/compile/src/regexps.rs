//! Regexp literals and what matches them implicitly.

use crate::arguments::Shape;
use crate::compiler::{Compiler, diagnostic_at};
use crate::emit::{Dst, Reg, Scope};
use crate::strings::Part;
use carat_iseq::{FRAME_HEADER, IseqKind, Literal, Op, Site};
use ruby_prism as pm;

const FIXED_ENCODING: u8 = 16;
const NO_ENCODING: u8 = 32;
/// For an interpolated literal: what its letter says about the encoding. Both stand for UTF-8.
const EUC_JP: u8 = 64;
const WINDOWS_31J: u8 = 128;

macro_rules! letter_encoding {
    ($node:expr) => {
        if $node.is_euc_jp() {
            EUC_JP
        } else if $node.is_windows_31j() {
            WINDOWS_31J
        } else if $node.is_utf_8() {
            EUC_JP | WINDOWS_31J
        } else {
            0
        }
    };
}

macro_rules! regexp_options {
    ($node:expr) => {
        u8::from($node.is_ignore_case())
            | u8::from($node.is_extended()) << 1
            | u8::from($node.is_multi_line()) << 2
            | if $node.is_euc_jp() || $node.is_windows_31j() || $node.is_utf_8() { FIXED_ENCODING } else { 0 }
            | if $node.is_ascii_8bit() { NO_ENCODING } else { 0 }
    };
}

/// The encoding that the letters behind a literal, or its escapes, demand.
macro_rules! regexp_encoding {
    ($node:expr, $default:expr, $text:expr) => {
        if $node.is_euc_jp() {
            "EUC-JP"
        } else if $node.is_windows_31j() {
            "Windows-31J"
        } else if $node.is_utf_8() {
            "UTF-8"
        // Properties and the characters beside escapes of Unicode are the source's.
        } else if $node.is_forced_utf8_encoding() {
            if $text.is_ascii() && $text.windows(2).any(|pair| pair == b"\\u") { "UTF-8" } else { $default }
        } else if $node.is_ascii_8bit() {
            if $text.is_ascii() { "US-ASCII" } else { "ASCII-8BIT" }
        } else if $node.is_forced_binary_encoding() {
            "ASCII-8BIT"
        // The parser does not look at the names of groups.
        } else if $node.is_forced_us_ascii_encoding() && $text.is_ascii() {
            "US-ASCII"
        } else {
            $default
        }
    };
}

/// What the letters behind an interpolated literal say.
struct Interpolation {
    options: u8,
    is_once: bool,
    /// Of the fixed parts, unless it is the source's.
    encoding: Option<&'static str>,
}

macro_rules! regexp_interpolation {
    ($node:expr) => {
        Interpolation {
            options: regexp_options!($node) | letter_encoding!($node),
            is_once: $node.is_once(),
            encoding: if $node.is_euc_jp() {
                Some("EUC-JP")
            } else if $node.is_windows_31j() {
                Some("Windows-31J")
            } else if $node.is_utf_8() {
                Some("UTF-8")
            } else if $node.is_ascii_8bit() {
                Some("ASCII-8BIT")
            } else {
                None
            },
        }
    };
}

impl<'pr> Compiler<'_, 'pr> {
    pub(crate) fn regular_expression(&mut self, node: &pm::RegularExpressionNode<'pr>, dst: Dst) {
        let text = node.unescaped();
        let encoding = regexp_encoding!(node, self.encoding, text);
        let literal = self.regexp_literal(&node.location(), text, regexp_options!(node), encoding);
        if let Some(dst) = dst {
            self.f.put_literal(dst, literal);
        }
    }

    /// A pattern, which is looked at on the way.
    fn regexp_literal(
        &mut self,
        location: &pm::Location<'pr>,
        text: &[u8],
        options: u8,
        encoding: &'static str,
    ) -> Literal {
        match self.options.regexp_checks.map(|checks| (checks.literal)(text, options, encoding)) {
            Some(Ok(warnings)) => {
                for (level, message) in warnings {
                    self.warnings.push(diagnostic_at(location, &message, level));
                }
            }
            Some(Err(message)) => self.error(location, &message),
            None => {}
        }
        Literal::Regexp(text.into(), options, encoding)
    }

    pub(crate) fn interpolated_regular_expression(
        &mut self,
        node: &pm::InterpolatedRegularExpressionNode<'pr>,
        dst: Dst,
    ) {
        let target = self.scratch_or(dst);
        self.at(&node.location());
        self.dynamic_regexp(&node.as_node(), &node.parts(), regexp_interpolation!(node), target);
    }

    /// A pattern of parts. One whose code is string literals only is a literal itself.
    fn dynamic_regexp(&mut self, node: &pm::Node<'pr>, parts: &pm::NodeList<'pr>, how: Interpolation, dst: Reg) {
        let location = node.location();
        let (check, mut problem) = (self.options.regexp_checks, None);
        let parts = self.regexp_parts(parts, how.encoding, &mut |text, encoding| {
            let found = check.and_then(|checks| (checks.part)(text, encoding).err());
            problem = problem.take().or(found);
        });
        if let Some(message) = problem {
            self.error(&location, &message);
            return;
        }
        if let [Part::Text(text, encoding)] = parts.as_slice() {
            let literal = self.regexp_literal(&location, text, how.options & !(EUC_JP | WINDOWS_31J), encoding);
            self.f.put_literal(dst, literal);
            return;
        }
        // Literals alone are one string, so that it is said of them what is said of strings.
        let is_fixed = parts.iter().all(|part| matches!(part, Part::Text(..)));
        if how.is_once && !is_fixed {
            self.once(node, dst, |c, dst| c.emit_regexp(&parts, how.options, dst));
        } else {
            self.emit_regexp(&parts, how.options, dst);
        }
    }

    fn emit_regexp(&mut self, parts: &[Part<'pr>], options: u8, dst: Reg) {
        self.scoped(|c| {
            let line = c.f.line;
            let (first, mut count) = c.push_each(parts);
            if count > 1 && parts.iter().all(|part| matches!(part, Part::Text(..))) {
                c.f.abc(Op::concatstrings, first, first, count);
                count = 1;
            }
            c.f.line = line;
            c.f.nabc(Op::toregexp, options, dst, first, count);
        });
    }

    /// `/o`: code in a child of its own, run the first time only.
    fn once(&mut self, node: &pm::Node<'pr>, dst: Reg, code: impl FnOnce(&mut Self, Reg)) {
        let mut scope = Scope::new(IseqKind::Block, self.block_name(), self.lines.start(&node.location()));
        scope.transparent = true;
        let facts = self.facts(node);
        let child = self.nested(scope, |c| {
            c.finish_locals(&facts);
            let value = c.f.next_temp;
            code(c, value);
            c.f.abc(Op::leave, value, 0, 0);
        });
        let site = self.f.site(Site::Once(child));
        let base = self.f.window(0);
        debug_assert_eq!(base, self.f.next_temp + FRAME_HEADER);
        self.f.abc(Op::once, dst, base, site);
    }

    pub(crate) fn match_last_line(&mut self, node: &pm::MatchLastLineNode<'pr>, dst: Dst) {
        let text = node.unescaped();
        let encoding = regexp_encoding!(node, self.encoding, text);
        let literal = self.regexp_literal(&node.location(), text, regexp_options!(node), encoding);
        self.match_input(&node.location(), dst, |c, register| c.f.put_literal(register, literal));
    }

    pub(crate) fn interpolated_match_last_line(&mut self, node: &pm::InterpolatedMatchLastLineNode<'pr>, dst: Dst) {
        self.match_input(&node.location(), dst, |c, register| {
            c.dynamic_regexp(&node.as_node(), &node.parts(), regexp_interpolation!(node), register);
        });
    }

    /// `regexp =~ $_`
    fn match_input(&mut self, location: &pm::Location<'pr>, dst: Dst, regexp: impl FnOnce(&mut Self, Reg)) {
        let target = self.scratch_or(dst);
        self.scoped(|c| {
            let window = c.window(false);
            c.at(location);
            regexp(c, window.base);
            c.f.hold(window.base);
            let line = c.f.next_temp;
            c.get_gvar(b"$_", line);
            c.f.hold(line);
            c.send_window(window, Shape { argc: 1, ..Shape::default() }, b"=~", 0, None, target);
        });
    }

    /// `/(?<name>…)/ =~ string` assigns its named groups.
    pub(crate) fn match_write(&mut self, node: &pm::MatchWriteNode<'pr>, dst: Dst) {
        let target = self.scratch(dst);
        self.call(&node.call(), Some(target));
        self.scoped(|c| {
            c.f.hold(target);
            for name in &node.targets() {
                let Some(local) = name.as_local_variable_target_node() else { continue };
                let value = c.f.next_temp;
                let symbol = c.f.symbol(local.name().as_slice());
                c.f.abc(Op::getnamedcapture, value, symbol, 0);
                c.assign(&name, value);
            }
        });
        self.result(dst, target);
    }
}
