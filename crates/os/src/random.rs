//! The system's generator of random bytes.

/// Fills the bytes; false if the system has no such generator.
pub fn fill(bytes: &mut [u8]) -> bool {
    by_call(bytes) || from_device(bytes)
}

/// Without a file: what a process is not allowed to open, or has no descriptor left for, is needed no more.
#[cfg(target_os = "linux")]
fn by_call(mut bytes: &mut [u8]) -> bool {
    while !bytes.is_empty() {
        // SAFETY: the bytes are writable.
        match unsafe { libc::getrandom(bytes.as_mut_ptr().cast(), bytes.len(), 0) } {
            -1 if std::io::Error::last_os_error().kind() == std::io::ErrorKind::Interrupted => {}
            filled => match usize::try_from(filled) {
                Ok(filled) => bytes = &mut bytes[filled..],
                Err(_) => return false,
            },
        }
    }
    true
}

#[cfg(not(target_os = "linux"))]
fn by_call(_bytes: &mut [u8]) -> bool {
    false
}

fn from_device(bytes: &mut [u8]) -> bool {
    use std::io::Read;
    std::fs::File::open("/dev/urandom").and_then(|mut file| file.read_exact(bytes)).is_ok()
}
