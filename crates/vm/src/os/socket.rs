//! Sockets by descriptor number. Addresses are bytes as the system has them: `struct sockaddr`, whatever its family.

use super::{check, check_size};
use std::io::{Error, Result};

/// Room for any address, aligned as they want to be.
#[repr(C)]
struct Room(libc::sockaddr_storage);

const ROOM: usize = size_of::<Room>();

impl Room {
    fn empty() -> Room {
        // SAFETY: numbers and bytes, for which zero is a value.
        Room(unsafe { std::mem::zeroed() })
    }

    /// The address and its length; one that is too long is none.
    fn of(address: &[u8]) -> Result<(Room, libc::socklen_t)> {
        if address.len() > ROOM {
            return Err(Error::from_raw_os_error(libc::EINVAL));
        }
        let mut room = Room::empty();
        // SAFETY: the room is at least as long, and any bytes may stand there.
        unsafe { std::ptr::copy_nonoverlapping(address.as_ptr(), room.as_mut_ptr().cast::<u8>(), address.len()) };
        Ok((room, address.len() as libc::socklen_t))
    }

    fn as_ptr(&self) -> *const libc::sockaddr {
        (&raw const self.0).cast()
    }

    fn as_mut_ptr(&mut self) -> *mut libc::sockaddr {
        (&raw mut self.0).cast()
    }

    fn bytes(&self, len: libc::socklen_t) -> Vec<u8> {
        // SAFETY: the room was zeroed when it was made, so every byte of it is readable.
        let all = unsafe { std::slice::from_raw_parts((&raw const self.0).cast::<u8>(), ROOM) };
        all[..(len as usize).min(ROOM)].to_vec()
    }
}

/// Calls what fills in an address.
fn filled(call: impl FnOnce(*mut libc::sockaddr, *mut libc::socklen_t) -> isize) -> Result<(usize, Vec<u8>)> {
    let mut room = Room::empty();
    let mut len = ROOM as libc::socklen_t;
    let result = check_size(call(room.as_mut_ptr(), &raw mut len))?;
    Ok((result, room.bytes(len)))
}

pub fn open(domain: i32, kind: i32, protocol: i32) -> Result<i32> {
    // SAFETY: touches no memory.
    check(unsafe { libc::socket(domain, kind | libc::SOCK_CLOEXEC, protocol) })
}

pub fn pair(domain: i32, kind: i32, protocol: i32) -> Result<(i32, i32)> {
    let mut ends = [0; 2];
    // SAFETY: the array holds two descriptors.
    check(unsafe { libc::socketpair(domain, kind | libc::SOCK_CLOEXEC, protocol, ends.as_mut_ptr()) })?;
    Ok((ends[0], ends[1]))
}

pub fn bind(fd: i32, address: &[u8]) -> Result<()> {
    let (room, len) = Room::of(address)?;
    // SAFETY: the address is readable for its length.
    check(unsafe { libc::bind(fd, room.as_ptr(), len) }).map(drop)
}

pub fn connect(fd: i32, address: &[u8]) -> Result<()> {
    let (room, len) = Room::of(address)?;
    // SAFETY: as in `bind`.
    check(unsafe { libc::connect(fd, room.as_ptr(), len) }).map(drop)
}

pub fn listen(fd: i32, backlog: i32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::listen(fd, backlog) }).map(drop)
}

/// A connection and who made it.
pub fn accept(fd: i32) -> Result<(i32, Vec<u8>)> {
    // SAFETY: the address is writable for the length given.
    let accepted = filled(|address, len| unsafe { libc::accept4(fd, address, len, libc::SOCK_CLOEXEC) as isize });
    accepted.map(|(fd, address)| (fd as i32, address))
}

pub fn local_address(fd: i32) -> Result<Vec<u8>> {
    // SAFETY: as in `accept`.
    filled(|address, len| unsafe { libc::getsockname(fd, address, len) as isize }).map(|(_, address)| address)
}

pub fn peer_address(fd: i32) -> Result<Vec<u8>> {
    // SAFETY: as in `accept`.
    filled(|address, len| unsafe { libc::getpeername(fd, address, len) as isize }).map(|(_, address)| address)
}

/// Sends to an address, or to whom the socket is connected. A peer that is gone is an error and no signal.
pub fn send(fd: i32, bytes: &[u8], flags: i32, address: Option<&[u8]>) -> Result<usize> {
    let flags = flags | libc::MSG_NOSIGNAL;
    let Some(address) = address else {
        // SAFETY: the bytes are readable for their length.
        return check_size(unsafe { libc::send(fd, bytes.as_ptr().cast(), bytes.len(), flags) });
    };
    let (room, len) = Room::of(address)?;
    // SAFETY: as above, and the address for its own.
    check_size(unsafe { libc::sendto(fd, bytes.as_ptr().cast(), bytes.len(), flags, room.as_ptr(), len) })
}

/// How many bytes came, and from whom if the protocol tells.
pub fn receive(fd: i32, into: &mut [u8], flags: i32) -> Result<(usize, Vec<u8>)> {
    // SAFETY: the buffer and the address are writable for their lengths.
    filled(|address, len| unsafe { libc::recvfrom(fd, into.as_mut_ptr().cast(), into.len(), flags, address, len) })
}

pub fn set_option(fd: i32, level: i32, name: i32, value: &[u8]) -> Result<()> {
    let len = value.len() as libc::socklen_t;
    // SAFETY: the value is readable for its length.
    check(unsafe { libc::setsockopt(fd, level, name, value.as_ptr().cast(), len) }).map(drop)
}

pub fn option(fd: i32, level: i32, name: i32) -> Result<Vec<u8>> {
    let mut value = vec![0u8; 256];
    let mut len = value.len() as libc::socklen_t;
    // SAFETY: the value is writable for the length given.
    check(unsafe { libc::getsockopt(fd, level, name, value.as_mut_ptr().cast(), &raw mut len) })?;
    value.truncate(len as usize);
    Ok(value)
}

pub fn shutdown(fd: i32, how: i32) -> Result<()> {
    // SAFETY: touches no memory.
    check(unsafe { libc::shutdown(fd, how) }).map(drop)
}
