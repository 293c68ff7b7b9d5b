//! The options of the case methods.

use super::Mapping;

/// What the symbols given to a case method say. `:lithuanian` is accepted and changes nothing, as in CRuby.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct CaseOptions {
    /// `:ascii`: only ASCII letters change.
    pub is_ascii: bool,
    /// `:turkic`: the dotted and the dotless i are different letters.
    pub is_turkic: bool,
}

/// The message of the `ArgumentError`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OptionError(pub &'static str);

impl CaseOptions {
    /// Reads the arguments of a case method, each the name of a symbol, or `None` for anything else. The mapping comes back
    /// because `:fold` turns `Downcase` into `Fold`.
    pub fn parse(arguments: &[Option<&str>], mapping: Mapping) -> Result<(Mapping, CaseOptions), OptionError> {
        let none = CaseOptions::default();
        match arguments {
            [] => Ok((mapping, none)),
            [Some(first @ ("turkic" | "lithuanian")), rest @ ..] => Ok((mapping, language(first, rest)?)),
            [_, _, ..] => Err(OptionError("too many options")),
            [Some("ascii")] => Ok((mapping, CaseOptions { is_ascii: true, ..none })),
            [Some("fold")] if mapping == Mapping::Downcase => Ok((Mapping::Fold, none)),
            [Some("fold")] => Err(OptionError("option :fold only allowed for downcasing")),
            _ => Err(OptionError("invalid option")),
        }
    }
}

/// The two languages go together in either order.
fn language(first: &str, rest: &[Option<&str>]) -> Result<CaseOptions, OptionError> {
    let other = if first == "turkic" { "lithuanian" } else { "turkic" };
    let is_turkic = match rest {
        [] => first == "turkic",
        [Some(second)] if *second == other => true,
        [_] => return Err(OptionError("invalid second option")),
        _ => return Err(OptionError("too many options")),
    };
    Ok(CaseOptions { is_ascii: false, is_turkic })
}
