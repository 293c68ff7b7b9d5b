//! The parameters of a method or block, in the order of their registers.
//!
//! Registers from 1: required, optional, rest, post-required, keywords, keyword rest, block; absent kinds take none.

/// A keyword parameter: `name:` or `name: default`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct KeywordParam {
    pub name: Box<[u8]>,
    /// Without a default. An optional keyword that is not given enters the code as undef; the prologue tests it with
    /// `branchgiven` and evaluates the default.
    pub required: bool,
}

#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub struct Params {
    pub lead: u16,
    /// Word to start at for each number of optional arguments given: `optional_entries[k]` when k were given. Empty
    /// when there are no optional parameters (start at word 0), otherwise one longer than their number.
    pub optional_entries: Vec<u32>,
    pub has_rest: bool,
    pub post: u16,
    pub keywords: Vec<KeywordParam>,
    pub has_keyword_rest: bool,
    /// `**` without a name, or that of `...`: only other calls and hashes are given it, and they take nil for an empty hash.
    pub hides_keyword_rest: bool,
    pub has_block: bool,
    /// `**nil`.
    pub accepts_no_keywords: bool,
    /// `|a,|`: one required parameter, yet takes arrays apart.
    pub excessed_comma: bool,
    /// `def m(...)`: has rest, keyword rest and block, all hidden.
    pub is_forwarding: bool,
    /// `_1` or `it` parameters; the number of them (`it` counts 1).
    pub implicit: u8,
    pub uses_it: bool,
}

impl Params {
    pub fn optional(&self) -> u16 {
        self.optional_entries.len().saturating_sub(1) as u16
    }

    /// Only required parameters: the argument registers are the parameters as they stand.
    pub fn is_simple(&self) -> bool {
        self.optional_entries.is_empty()
            && self.post == 0
            && !self.has_rest
            && !self.takes_keywords()
            && !self.has_block
            && !self.accepts_no_keywords
    }

    pub fn takes_keywords(&self) -> bool {
        !self.keywords.is_empty() || self.has_keyword_rest
    }

    /// Register of the rest array.
    pub fn rest_register(&self) -> u16 {
        1 + self.lead + self.optional()
    }

    pub fn post_register(&self) -> u16 {
        self.rest_register() + u16::from(self.has_rest)
    }

    pub fn keyword_register(&self) -> u16 {
        self.post_register() + self.post
    }

    pub fn keyword_rest_register(&self) -> u16 {
        self.keyword_register() + self.keywords.len() as u16
    }

    pub fn block_register(&self) -> u16 {
        self.keyword_rest_register() + u16::from(self.has_keyword_rest)
    }

    /// Number of registers that parameters take.
    pub fn size(&self) -> u16 {
        self.block_register() + u16::from(self.has_block) - 1
    }

    /// Bytes outside.
    pub(crate) fn memsize(&self) -> usize {
        let names: usize = self.keywords.iter().map(|keyword| keyword.name.len()).sum();
        size_of_val(&*self.optional_entries) + size_of_val(&*self.keywords) + names
    }

    /// `Method#arity`: required count, or `-(required + 1)` when more may be given. A required keyword makes one more
    /// required argument when nothing optional is there.
    pub fn arity(&self, is_lambda_or_method: bool) -> i64 {
        let required_keyword = self.keywords.iter().any(|k| k.required);
        let positional = i64::from(self.lead + self.post);
        let min = positional + i64::from(required_keyword);
        let max = positional + i64::from(self.optional()) + i64::from(self.takes_keywords());
        let is_fixed = !self.has_rest && (!is_lambda_or_method || min == max);
        if is_fixed { min } else { -min - 1 }
    }
}
