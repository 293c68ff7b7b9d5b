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

/// Room for the control message that one open file makes, aligned as its head wants to be.
#[repr(C, align(8))]
struct Control([u8; 64]);

/// Sends a byte, and an open file with it.
pub fn send_file(fd: i32, file: i32) -> Result<()> {
    let mut byte = [0_u8];
    let mut part = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
    let mut control = Control([0; 64]);
    let mut message = message_of(&mut part, &mut control);
    // SAFETY: computes sizes.
    let (space, length) = unsafe { (libc::CMSG_SPACE(FILE_BYTES), libc::CMSG_LEN(FILE_BYTES)) };
    message.msg_controllen = space as _;
    // SAFETY: the control room is longer than the space for one descriptor (16 bytes of head and 4 of data), so the head and
    // the data lie in it; the message refers to locals that outlive the call.
    check_size(unsafe {
        let head = libc::CMSG_FIRSTHDR(&raw const message);
        (*head).cmsg_level = libc::SOL_SOCKET;
        (*head).cmsg_type = libc::SCM_RIGHTS;
        (*head).cmsg_len = length as _;
        libc::CMSG_DATA(head).cast::<i32>().write_unaligned(file);
        libc::sendmsg(fd, &raw const message, libc::MSG_NOSIGNAL)
    })
    .map(drop)
}

/// The open file that comes with the next byte: `None` if none does.
pub fn receive_file(fd: i32) -> Result<Option<i32>> {
    let mut byte = [0_u8];
    let mut part = libc::iovec { iov_base: byte.as_mut_ptr().cast(), iov_len: 1 };
    let mut control = Control([0; 64]);
    let mut message = message_of(&mut part, &mut control);
    // SAFETY: the message refers to locals that outlive the call, with their lengths.
    check_size(unsafe { libc::recvmsg(fd, &raw mut message, libc::MSG_CMSG_CLOEXEC) })?;
    // SAFETY: the system has written whole control messages; the first one's data is read if it is long enough.
    unsafe {
        let head = libc::CMSG_FIRSTHDR(&raw const message);
        let is_file = !head.is_null()
            && (*head).cmsg_level == libc::SOL_SOCKET
            && (*head).cmsg_type == libc::SCM_RIGHTS
            && (*head).cmsg_len as usize >= libc::CMSG_LEN(FILE_BYTES) as usize;
        Ok(is_file.then(|| libc::CMSG_DATA(head).cast::<i32>().read_unaligned()))
    }
}

/// A descriptor's bytes.
const FILE_BYTES: u32 = size_of::<i32>() as u32;

fn message_of(part: &mut libc::iovec, control: &mut Control) -> libc::msghdr {
    // SAFETY: numbers and pointers, for which zero is a value.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = part;
    message.msg_iovlen = 1;
    message.msg_control = control.0.as_mut_ptr().cast();
    message.msg_controllen = control.0.len() as _;
    message
}

/// An address of one of the machine's interfaces; empty bytes where there is none.
pub struct Interface {
    pub name: Vec<u8>,
    pub index: u32,
    pub flags: u32,
    pub address: Vec<u8>,
    pub netmask: Vec<u8>,
    /// To all of the network, or to the other end of a connection of two.
    pub other: Vec<u8>,
}

pub fn interfaces() -> Result<Vec<Interface>> {
    let mut first = std::ptr::null_mut();
    // SAFETY: the pointer is writable.
    check(unsafe { libc::getifaddrs(&raw mut first) })?;
    let mut list = Vec::new();
    let mut at = first;
    while !at.is_null() {
        // SAFETY: an entry of the list, which lives until it is freed below; its name ends with zero.
        let (entry, name) = unsafe { (&*at, std::ffi::CStr::from_ptr((*at).ifa_name)) };
        // SAFETY: the name is readable.
        let index = unsafe { libc::if_nametoindex(name.as_ptr()) };
        list.push(Interface {
            name: name.to_bytes().to_vec(),
            index,
            flags: entry.ifa_flags,
            address: address_bytes(entry.ifa_addr),
            netmask: address_bytes(entry.ifa_netmask),
            other: address_bytes(entry.ifa_ifu),
        });
        at = entry.ifa_next;
    }
    // SAFETY: the list came from the system, is freed once, and nothing of it is kept.
    unsafe { libc::freeifaddrs(first) };
    Ok(list)
}

/// The bytes of an address of a kind whose length is known.
fn address_bytes(address: *const libc::sockaddr) -> Vec<u8> {
    if address.is_null() {
        return Vec::new();
    }
    // SAFETY: the system's list has whole addresses, which begin with their family.
    let length = match i32::from(unsafe { (*address).sa_family }) {
        libc::AF_INET => size_of::<libc::sockaddr_in>(),
        libc::AF_INET6 => size_of::<libc::sockaddr_in6>(),
        #[cfg(target_os = "linux")]
        libc::AF_PACKET => size_of::<libc::sockaddr_ll>(),
        _ => return Vec::new(),
    };
    // SAFETY: an address of this family has so many bytes.
    unsafe { std::slice::from_raw_parts(address.cast::<u8>(), length) }.to_vec()
}
