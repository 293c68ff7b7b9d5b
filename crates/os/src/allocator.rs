//! What the process's allocator, mimalloc, is set to.

// Links the library.
use libmimalloc_sys as _;
use std::ffi::{c_int, c_long};

unsafe extern "C" {
    fn mi_option_set(option: c_int, value: c_long);
    #[cfg(test)]
    fn mi_option_get(option: c_int) -> c_long;
}

/// `mi_option_purge_delay` of mimalloc's header, which the package does not name.
const PURGE_DELAY: c_int = 15;

/// After so long what nobody uses goes back to the system. mimalloc itself waits a second, in which a program that parses,
/// transforms and prints has come to its end and its peak.
const PURGE_DELAY_MILLISECONDS: c_long = 10;

/// Sets the allocator up, for the process as a whole, unless the environment says otherwise. To be called once, at its start.
pub fn prepare_allocator() {
    if std::env::var_os("MIMALLOC_PURGE_DELAY").is_some() {
        return;
    }
    // SAFETY: a setting of the library's own, of a number that it has.
    unsafe { mi_option_set(PURGE_DELAY, PURGE_DELAY_MILLISECONDS) };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_delay_has_mimallocs_number() {
        // SAFETY: as above.
        let get = |option| unsafe { mi_option_get(option) };
        assert_eq!(get(PURGE_DELAY), 1000, "mimalloc's default: another option has this number now");
        prepare_allocator();
        assert_eq!(get(PURGE_DELAY), PURGE_DELAY_MILLISECONDS);
    }
}
