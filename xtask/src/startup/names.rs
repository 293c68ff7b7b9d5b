//! Names of functions as patterns that find them again in another build.

/// A symbol with all that moves as wildcards: its hashes (`17h` and 16 digits in the old mangling, `Cs…_` in the new), the numbers
/// that tell the `impl` blocks of a module apart (`NvMs2_`), which shift with each block, places in the symbol (`B…_`), which move
/// with the length of what is in front, and numbers behind names that the linker found twice.
pub(super) fn pattern(symbol: &str) -> String {
    let symbol = symbol.split(".llvm.").next().unwrap_or(symbol);
    if let Some(stem) = symbol.strip_suffix('E').and_then(|name| name.len().checked_sub(19).map(|cut| &name[..cut])) {
        return format!("{stem}17h*");
    }
    let mut parts = symbol.split("Cs");
    let mut result = parts.next().unwrap_or_default().to_string();
    for part in parts {
        result.push_str("Cs*");
        result.push_str(part.find('_').map_or("", |end| &part[end..]));
    }
    without_last_number(&without_impls(&without_places(&result)))
}

fn without_places(symbol: &str) -> String {
    let mut parts = symbol.split('B');
    let mut result = parts.next().unwrap_or_default().to_string();
    for part in parts {
        result.push('B');
        let digits = part.find(|c: char| !c.is_ascii_alphanumeric()).unwrap_or(part.len());
        let is_place = (1..=3).contains(&digits) && part[digits..].starts_with('_');
        result.push_str(if is_place { "*" } else { &part[..digits] });
        result.push_str(&part[digits..]);
    }
    result
}

/// A function in an `impl` is `Nv`, `M` or for a trait `X`, the number unless it is the first, and the module's path.
fn without_impls(symbol: &str) -> String {
    let mut parts = symbol.split("Nv");
    let mut result = parts.next().unwrap_or_default().to_string();
    for part in parts {
        result.push_str("Nv");
        let number = part.strip_prefix(['M', 'X']).and_then(|rest| {
            let end = if rest.starts_with('s') { rest.find('_')? + 1 } else { 0 };
            rest[end..].starts_with(['N', 'C']).then_some(end)
        });
        match number {
            Some(end) => result.extend([&part[..1], "*", &part[1 + end..]]),
            None => result.push_str(part),
        }
    }
    result
}

fn without_last_number(symbol: &str) -> String {
    match symbol.rsplit_once('.') {
        Some((stem, number)) if number.bytes().all(|byte| byte.is_ascii_digit()) => format!("{stem}.*"),
        _ => symbol.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn hashes_become_wildcards() {
        assert_eq!(pattern("_ZN5carat3run5start17h25e495e901b13f6fE"), "_ZN5carat3run5start17h*");
        assert_eq!(pattern("_RNvNtCsjrHSEGnQ3l9_3std3sys"), "_RNvNtCs*_3std3sys");
        assert_eq!(pattern("_RNvNtCsabc_3vmNtB3_2VmNtB1a_3getB_"), "_RNvNtCs*_3vmNtB*_2VmNtB*_3getB_");
        assert_eq!(pattern("parser_lex"), "parser_lex");
    }

    #[test]
    fn impls_match_under_any_number() {
        let method = "_RNvM*NtCs*_3vmNtB*_2Vm3get";
        assert_eq!(pattern("_RNvMNtCsabc_3vmNtB3_2Vm3get"), method);
        assert_eq!(pattern("_RNvMs2_NtCsabc_3vmNtB5_2Vm3get"), method);
        assert_eq!(pattern("_RINvXsa1_NtCsabc_3vmNtB5_2Vm3get"), "_RINvX*NtCs*_3vmNtB*_2Vm3get");
        assert_eq!(pattern("_RNvNvMs0_Csabc_3vm2Vm7MyNvMsn"), "_RNvNvM*Cs*_3vm2Vm7MyNvMsn");
    }

    #[test]
    fn the_number_of_a_name_that_is_there_twice_does_not_matter() {
        assert_eq!(pattern("_RNvCsabc_3vm3get.1269"), "_RNvCs*_3vm3get.*");
        assert_eq!(pattern("prs_bag.constprop.0"), "prs_bag.constprop.*");
    }
}
