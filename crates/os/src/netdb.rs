//! Names of hosts and services: the system's `getaddrinfo` and `getnameinfo`.

use std::ffi::{CStr, CString};

/// The error that the resolver answers with: `EAI_NONAME` and its kin.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LookupError(pub i32);

impl LookupError {
    /// The system's words for it.
    pub fn message(self) -> String {
        // SAFETY: the system answers with a text that ends with zero and is never freed, whatever the number.
        unsafe { CStr::from_ptr(libc::gai_strerror(self.0)) }.to_string_lossy().into_owned()
    }
}

/// What a lookup asks for; zero leaves it open.
#[derive(Clone, Copy, Debug, Default)]
pub struct Hints {
    pub flags: i32,
    pub family: i32,
    pub kind: i32,
    pub protocol: i32,
}

/// An address that a lookup found, as bytes of `struct sockaddr`.
pub struct Address {
    pub sockaddr: Vec<u8>,
    pub family: i32,
    pub kind: i32,
    pub protocol: i32,
    pub canonical_name: Option<Vec<u8>>,
}

/// A name without a NUL: one that has it is a name that nobody knows.
fn c_string(name: Option<&[u8]>) -> Result<Option<CString>, LookupError> {
    name.map(|name| CString::new(name).map_err(|_| LookupError(libc::EAI_NONAME))).transpose()
}

fn pointer(name: Option<&CString>) -> *const libc::c_char {
    name.map_or(std::ptr::null(), |name| name.as_ptr())
}

/// The addresses of a host and a service; at least one of them is given.
pub fn addresses(host: Option<&[u8]>, service: Option<&[u8]>, hints: Hints) -> Result<Vec<Address>, LookupError> {
    let (host, service) = (c_string(host)?, c_string(service)?);
    // SAFETY: numbers and pointers, for which zero is a value.
    let mut wanted: libc::addrinfo = unsafe { std::mem::zeroed() };
    wanted.ai_flags = hints.flags;
    wanted.ai_family = hints.family;
    wanted.ai_socktype = hints.kind;
    wanted.ai_protocol = hints.protocol;
    let mut first = std::ptr::null_mut();
    // SAFETY: the names end with zero, or are null; the list is written where `first` is.
    let code = unsafe {
        libc::getaddrinfo(pointer(host.as_ref()), pointer(service.as_ref()), &raw const wanted, &raw mut first)
    };
    if code != 0 {
        return Err(LookupError(code));
    }
    let mut list = Vec::new();
    let mut at = first;
    while !at.is_null() {
        // SAFETY: an entry of the list, which lives until it is freed below, with an address of the length that it says and a
        // name that is null or ends with zero.
        let (entry, sockaddr, name) = unsafe {
            let entry = &*at;
            let address = std::slice::from_raw_parts(entry.ai_addr.cast::<u8>(), entry.ai_addrlen as usize);
            let name = (!entry.ai_canonname.is_null()).then(|| CStr::from_ptr(entry.ai_canonname).to_bytes().to_vec());
            (entry, address.to_vec(), name)
        };
        list.push(Address {
            sockaddr,
            family: entry.ai_family,
            kind: entry.ai_socktype,
            protocol: entry.ai_protocol,
            canonical_name: name,
        });
        at = entry.ai_next;
    }
    // SAFETY: the list came from the system, is freed once, and nothing of it is kept.
    unsafe { libc::freeaddrinfo(first) };
    Ok(list)
}

/// The names of an address's host and service.
pub fn names(sockaddr: &[u8], flags: i32) -> Result<(Vec<u8>, Vec<u8>), LookupError> {
    /// Longer than any name that the system has (`NI_MAXHOST`).
    const ROOM: usize = 1025;
    let (mut host, mut service) = ([0_u8; ROOM], [0_u8; ROOM]);
    // A copy that is aligned as addresses want to be.
    let mut memory = vec![0_u64; sockaddr.len().div_ceil(8).max(1)];
    // SAFETY: the memory is at least as long, and any bytes may stand there.
    unsafe { std::ptr::copy_nonoverlapping(sockaddr.as_ptr(), memory.as_mut_ptr().cast::<u8>(), sockaddr.len()) };
    // SAFETY: the address is readable for its length, which the system checks against its family; the rooms are writable for
    // theirs.
    let code = unsafe {
        libc::getnameinfo(
            memory.as_ptr().cast(),
            sockaddr.len() as libc::socklen_t,
            host.as_mut_ptr().cast(),
            ROOM as libc::socklen_t,
            service.as_mut_ptr().cast(),
            ROOM as libc::socklen_t,
            flags,
        )
    };
    if code != 0 {
        return Err(LookupError(code));
    }
    let text = |room: &[u8]| room.iter().take_while(|byte| **byte != 0).copied().collect();
    Ok((text(&host), text(&service)))
}
