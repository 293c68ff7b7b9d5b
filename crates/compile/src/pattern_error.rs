//! Why a pattern did not match, for the message of NoMatchingPatternError.

/// Registers of the description.
#[derive(Clone, Copy)]
pub(crate) struct ErrorRegisters {
    pub(crate) message: u16,
}
