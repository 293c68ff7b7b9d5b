//! Sockets by descriptor number. Addresses are bytes as the system has them: `struct sockaddr`, whatever its family.

use crate::{check, check_size};
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

/// A new socket. Calls on it do not wait, as those of CRuby's do not: who wants to wait polls.
pub fn open(domain: i32, kind: i32, protocol: i32) -> Result<i32> {
    // SAFETY: touches no memory.
    check(unsafe { libc::socket(domain, kind | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK, protocol) })
}

pub fn pair(domain: i32, kind: i32, protocol: i32) -> Result<(i32, i32)> {
    let mut ends = [0; 2];
    // SAFETY: the array holds two descriptors.
    check(unsafe {
        libc::socketpair(domain, kind | libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK, protocol, ends.as_mut_ptr())
    })?;
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
    let accepted = filled(|address, len| unsafe {
        libc::accept4(fd, address, len, libc::SOCK_CLOEXEC | libc::SOCK_NONBLOCK) as isize
    });
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

/// A control message: data beside a message's bytes, such as open files.
pub struct Control {
    pub level: i32,
    pub kind: i32,
    pub data: Vec<u8>,
}

/// A message that came: how many of its bytes were read, from whom, the system's flags and its control messages.
pub struct Received {
    pub count: usize,
    pub address: Vec<u8>,
    pub flags: i32,
    pub controls: Vec<Control>,
}

/// Memory for control messages, aligned as their heads want to be.
fn control_room(bytes: usize) -> Vec<u64> {
    vec![0; bytes.div_ceil(size_of::<u64>())]
}

/// What a control message of so many bytes of data takes, with its head and the space up to the next one.
fn control_space(bytes: usize) -> usize {
    // SAFETY: computes a size.
    unsafe { libc::CMSG_SPACE(bytes as u32) as usize }
}

fn message_of(part: &mut libc::iovec, control: &mut [u64]) -> libc::msghdr {
    // SAFETY: numbers and pointers, for which zero is a value.
    let mut message: libc::msghdr = unsafe { std::mem::zeroed() };
    message.msg_iov = part;
    message.msg_iovlen = 1;
    if !control.is_empty() {
        message.msg_control = control.as_mut_ptr().cast();
        message.msg_controllen = size_of_val(control) as _;
    }
    message
}

/// Sends a message with control messages, to an address or to whom the socket is connected.
pub fn send_message(fd: i32, bytes: &[u8], flags: i32, address: Option<&[u8]>, controls: &[Control]) -> Result<usize> {
    let mut part = libc::iovec { iov_base: bytes.as_ptr().cast_mut().cast(), iov_len: bytes.len() };
    let spaces: usize = controls.iter().map(|control| control_space(control.data.len())).sum();
    let mut memory = control_room(spaces);
    let mut message = message_of(&mut part, &mut memory);
    let mut room = match address {
        Some(address) => {
            let (room, len) = Room::of(address)?;
            message.msg_namelen = len;
            Some(room)
        }
        None => None,
    };
    if let Some(room) = &mut room {
        message.msg_name = room.as_mut_ptr().cast();
    }
    message.msg_controllen = spaces as _;
    // SAFETY: reads the head of the message, whose control memory is as long as it says.
    let mut head = unsafe { libc::CMSG_FIRSTHDR(&raw const message) };
    for control in controls {
        // SAFETY: the memory has the space that each control message takes, in this order, so `head` is within it, and so
        // are its data; the next head, if there is one to write, is where the system looks for it.
        unsafe {
            (*head).cmsg_level = control.level;
            (*head).cmsg_type = control.kind;
            (*head).cmsg_len = libc::CMSG_LEN(control.data.len() as u32) as _;
            std::ptr::copy_nonoverlapping(control.data.as_ptr(), libc::CMSG_DATA(head), control.data.len());
            head = head.cast::<u8>().add(control_space(control.data.len())).cast();
        }
    }
    // SAFETY: the message refers to bytes, an address and control memory that outlive the call, with their lengths.
    check_size(unsafe { libc::sendmsg(fd, &raw const message, flags | libc::MSG_NOSIGNAL) })
}

/// Receives a message, with control messages of at most so many bytes.
pub fn receive_message(fd: i32, into: &mut [u8], control_bytes: usize, flags: i32) -> Result<Received> {
    let mut part = libc::iovec { iov_base: into.as_mut_ptr().cast(), iov_len: into.len() };
    let mut memory = control_room(control_bytes);
    let mut room = Room::empty();
    let mut message = message_of(&mut part, &mut memory);
    message.msg_controllen = control_bytes as _;
    message.msg_name = room.as_mut_ptr().cast();
    message.msg_namelen = ROOM as _;
    // SAFETY: the message refers to memory that outlives the call, with its lengths.
    let count = check_size(unsafe { libc::recvmsg(fd, &raw mut message, flags | libc::MSG_CMSG_CLOEXEC) })?;
    let mut controls = Vec::new();
    // SAFETY: the system has written how much of the memory it used.
    let mut head = unsafe { libc::CMSG_FIRSTHDR(&raw const message) };
    while !head.is_null() {
        // SAFETY: the system has written whole control messages; one that was cut off has as many bytes of data as its head
        // says, all within the memory.
        unsafe {
            let len = ((*head).cmsg_len as usize).saturating_sub(libc::CMSG_LEN(0) as usize);
            let data = std::slice::from_raw_parts(libc::CMSG_DATA(head), len).to_vec();
            controls.push(Control { level: (*head).cmsg_level, kind: (*head).cmsg_type, data });
            head = libc::CMSG_NXTHDR(&raw const message, head);
        }
    }
    Ok(Received { count, address: room.bytes(message.msg_namelen), flags: message.msg_flags, controls })
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
