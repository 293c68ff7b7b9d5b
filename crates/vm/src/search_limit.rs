//! How often the regexp engine may backtrack within one search: the interface that the `onig` crate offers has a limit for
//! each position where it tries to match, and none for all of them.

use onig::MatchParam;

/// Lets a search with these parameters backtrack `retries` times in all; zero means without limit.
pub fn limit_search(parameters: &mut MatchParam, retries: u32) {
    // SAFETY: the pointer is what the parameters own, and they are borrowed exclusively. The function stores the number there.
    unsafe {
        onig_sys::onig_set_retry_limit_in_search_of_match_param(parameters.as_raw(), retries.into());
    }
}
