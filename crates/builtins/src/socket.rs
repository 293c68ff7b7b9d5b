//! The native half of the library socket: system calls on descriptors, as functions of the module `Socket::System`.
//!
//! Everything that has a name in Ruby is in `lib/socket`. Addresses are strings that hold the system's `struct sockaddr`. The
//! last argument is what an error is about: "connect(2) for localhost:80".

use crate::io::{errno, set_nonblock, system_call_on, wait_for};
use carat_vm::os::{c, socket};
use carat_vm::{Array, Class, Ec, Result, Str, Value, methods};
use std::io::Error;
use std::net::{SocketAddr, ToSocketAddrs};

methods! {
    FUNCTIONS {
        static "open" => open;
        static "pair" => pair;
        static "bind" => bind;
        static "connect" => connect;
        static "listen" => listen;
        static "accept" => accept;
        static "local_address" => local_address;
        static "peer_address" => peer_address;
        static "transmit" => transmit;
        static "receive" => receive;
        static "set_option" => set_option;
        static "option" => option;
        static "shutdown" => shutdown;
        static "send_file" => send_file;
        static "receive_file" => receive_file;
        static "interfaces" => interfaces;
        static "resolve" => resolve;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let scope = ec.vm().known().object.own_constant(ec.vm().intern("Socket"));
    let module = scope
        .and_then(|socket| Class::from_value(socket.value))
        .and_then(|socket| socket.own_constant(ec.vm().intern("System")))
        .and_then(|system| Class::from_value(system.value));
    if let Some(module) = module {
        ec.define_methods(module, FUNCTIONS);
    }
}

fn checked<R>(ec: &mut Ec, result: std::io::Result<R>, about: Str) -> Result<R> {
    let about = about.bytes(ec).to_vec();
    result.map_err(|error| errno(ec, &error, &about))
}

fn int(ec: &Ec, number: usize) -> Value {
    ec.int(number as i64)
}

fn fd_value(fd: i32) -> Value {
    Value::len(usize::try_from(fd).unwrap_or(0))
}

fn open(ec: &mut Ec, _this: Value, domain: i64, kind: i64, protocol: i64) -> Result {
    let opened = socket::open(domain as i32, kind as i32, protocol as i32);
    let about = Str::from_text(ec, "socket(2)");
    checked(ec, opened, about).map(fd_value)
}

fn pair(ec: &mut Ec, _this: Value, domain: i64, kind: i64, protocol: i64) -> Result<Array> {
    let opened = socket::pair(domain as i32, kind as i32, protocol as i32);
    let about = Str::from_text(ec, "socketpair(2)");
    let (first, second) = checked(ec, opened, about)?;
    Ok(Array::pair(ec, fd_value(first), fd_value(second)))
}

fn bind(ec: &mut Ec, _this: Value, fd: i64, address: Str, about: Str) -> Result<i64> {
    let bound = socket::bind(fd as i32, address.bytes(ec));
    checked(ec, bound, about).map(|()| 0)
}

/// Waits until the connection is there, unless `waits` is false: then it may still be under way (false) when this returns.
fn connect(ec: &mut Ec, _this: Value, fd: i64, address: Str, waits: bool, about: Str) -> Result<bool> {
    let fd = fd as i32;
    let bytes = address.bytes(ec).to_vec();
    if !waits || ec.current_scheduler().is_some() {
        set_nonblock(fd);
    }
    let mut attempts = 0;
    let begun = system_call_on(ec, fd, || {
        attempts += 1;
        socket::connect(fd, &bytes)
    })?;
    match begun.as_ref().err().and_then(Error::raw_os_error) {
        Some(c::EINPROGRESS) if !waits => Ok(false),
        // An interrupt does not end the attempt, so a second one finds it under way, or done.
        Some(c::EINPROGRESS | c::EALREADY) if waits => finish_connecting(ec, fd, about),
        Some(c::EISCONN) if attempts > 1 => Ok(true),
        _ => checked(ec, begun, about).map(|()| true),
    }
}

fn finish_connecting(ec: &mut Ec, fd: i32, about: Str) -> Result<bool> {
    wait_for(ec, fd, c::POLLOUT, None)?;
    let outcome = checked(ec, socket::option(fd, c::SOL_SOCKET, c::SO_ERROR), about)?;
    let code = outcome.first_chunk().map_or(0, |bytes| i32::from_ne_bytes(*bytes));
    let ended = if code == 0 { Ok(()) } else { Err(Error::from_raw_os_error(code)) };
    checked(ec, ended, about).map(|()| true)
}

fn listen(ec: &mut Ec, _this: Value, fd: i64, backlog: i64) -> Result<i64> {
    let about = Str::from_text(ec, "listen(2)");
    let backlog = i32::try_from(backlog).unwrap_or(i32::MAX);
    checked(ec, socket::listen(fd as i32, backlog), about).map(|()| 0)
}

/// Runs a call that waits for something to read; unless it `waits`, the answer is `None` when there is nothing.
fn receiving<R>(
    ec: &mut Ec,
    fd: i32,
    waits: bool,
    about: Str,
    mut call: impl FnMut() -> std::io::Result<R>,
) -> Result<Option<R>> {
    if ec.current_scheduler().is_some() {
        set_nonblock(fd);
    }
    loop {
        let result = system_call_on(ec, fd, &mut call)?;
        match result.as_ref().err().and_then(Error::raw_os_error) {
            Some(c::EAGAIN) if !waits => return Ok(None),
            Some(c::EAGAIN) => {
                wait_for(ec, fd, c::POLLIN, None)?;
            }
            _ => return checked(ec, result, about).map(Some),
        }
    }
}

/// A connection's descriptor and the peer's address; nil if there is none and `waits` is false.
fn accept(ec: &mut Ec, _this: Value, fd: i64, waits: bool) -> Result<Option<Array>> {
    let fd = fd as i32;
    let about = Str::from_text(ec, "accept(2)");
    if !waits {
        set_nonblock(fd);
    }
    let accepted = receiving(ec, fd, waits, about, || socket::accept(fd))?;
    Ok(accepted.map(|(fd, peer)| Array::pair(ec, fd_value(fd), Str::binary(ec, &peer).value())))
}

fn local_address(ec: &mut Ec, _this: Value, fd: i64) -> Result<Str> {
    let about = Str::from_text(ec, "getsockname(2)");
    checked(ec, socket::local_address(fd as i32), about).map(|address| Str::binary(ec, &address))
}

fn peer_address(ec: &mut Ec, _this: Value, fd: i64) -> Result<Str> {
    let about = Str::from_text(ec, "getpeername(2)");
    checked(ec, socket::peer_address(fd as i32), about).map(|address| Str::binary(ec, &address))
}

/// How many bytes were sent, to an address or to whom the socket is connected (nil); nil with `MSG_DONTWAIT` if nothing could be.
fn transmit(ec: &mut Ec, _this: Value, fd: i64, message: Str, flags: i64, address: Value, about: Str) -> Result {
    let fd = fd as i32;
    let bytes = message.bytes(ec).to_vec();
    let address = Str::from_value(address).map(|address| address.bytes(ec).to_vec());
    if ec.current_scheduler().is_some() {
        set_nonblock(fd);
    }
    loop {
        let sent = system_call_on(ec, fd, || socket::send(fd, &bytes, flags as i32, address.as_deref()))?;
        match &sent {
            Err(error) if error.raw_os_error() == Some(c::EAGAIN) => {
                if flags as i32 & c::MSG_DONTWAIT != 0 {
                    return Ok(Value::NIL);
                }
                wait_for(ec, fd, c::POLLOUT, None)?;
            }
            _ => return checked(ec, sent, about).map(|count| int(ec, count)),
        }
    }
}

/// At most so many bytes, and who sent them; nil if there is nothing and `waits` is false.
fn receive(ec: &mut Ec, _this: Value, fd: i64, length: i64, flags: i64, waits: bool) -> Result<Option<Array>> {
    let fd = fd as i32;
    let Ok(length) = usize::try_from(length) else {
        return Err(ec.argument_error(&format!("negative length {length} given")));
    };
    let about = Str::from_text(ec, "recvfrom(2)");
    let mut bytes = Vec::new();
    if bytes.try_reserve(length).is_err() {
        return Err(ec.no_memory());
    }
    bytes.resize(length, 0);
    let flags = flags as i32 | if waits { 0 } else { c::MSG_DONTWAIT };
    let received = receiving(ec, fd, waits, about, || socket::receive(fd, &mut bytes, flags))?;
    Ok(received.map(|(count, from)| {
        let message = Str::binary(ec, &bytes[..count]);
        Array::pair(ec, message.value(), Str::binary(ec, &from).value())
    }))
}

fn set_option(ec: &mut Ec, _this: Value, fd: i64, level: i64, name: i64, value: Str) -> Result<i64> {
    let set = socket::set_option(fd as i32, level as i32, name as i32, value.bytes(ec));
    let about = Str::from_text(ec, "setsockopt(2)");
    checked(ec, set, about).map(|()| 0)
}

fn option(ec: &mut Ec, _this: Value, fd: i64, level: i64, name: i64) -> Result<Str> {
    let about = Str::from_text(ec, "getsockopt(2)");
    checked(ec, socket::option(fd as i32, level as i32, name as i32), about).map(|value| Str::binary(ec, &value))
}

fn shutdown(ec: &mut Ec, _this: Value, fd: i64, how: i64) -> Result<i64> {
    let about = Str::from_text(ec, "shutdown(2)");
    checked(ec, socket::shutdown(fd as i32, how as i32), about).map(|()| 0)
}

fn send_file(ec: &mut Ec, _this: Value, fd: i64, file: i64) -> Result<i64> {
    let (fd, file) = (fd as i32, file as i32);
    let about = Str::from_text(ec, "sendmsg(2)");
    loop {
        let sent = system_call_on(ec, fd, || socket::send_file(fd, file))?;
        match &sent {
            Err(error) if error.raw_os_error() == Some(c::EAGAIN) => wait_for(ec, fd, c::POLLOUT, None)?,
            _ => return checked(ec, sent, about).map(|()| 0),
        };
    }
}

/// The descriptor of the file that came; nil if a message came without one.
fn receive_file(ec: &mut Ec, _this: Value, fd: i64) -> Result {
    let fd = fd as i32;
    let about = Str::from_text(ec, "recvmsg(2)");
    let file = receiving(ec, fd, true, about, || socket::receive_file(fd))?;
    Ok(file.flatten().map_or(Value::NIL, fd_value))
}

/// Name, number, flags, address, mask and other address of each; empty strings where there is none.
fn interfaces(ec: &mut Ec, _this: Value) -> Result<Array> {
    let about = Str::from_text(ec, "getifaddrs");
    let found = checked(ec, socket::interfaces(), about)?;
    let list = Array::new(ec, found.len());
    for each in found {
        let row = Array::new(ec, 6);
        list.push(ec, row.value());
        row.push(ec, Str::binary(ec, &each.name).value());
        row.push(ec, int(ec, each.index as usize));
        row.push(ec, int(ec, each.flags as usize));
        for bytes in [&each.address, &each.netmask, &each.other] {
            row.push(ec, Str::binary(ec, bytes).value());
        }
    }
    Ok(list)
}

/// The addresses of a host as texts, in the resolver's order; nil if nobody knows it.
fn resolve(ec: &mut Ec, _this: Value, host: Str) -> Result<Option<Array>> {
    let host = host.to_text(ec);
    let Ok(found) = crate::io::system_call(ec, || (host.as_str(), 0).to_socket_addrs())? else { return Ok(None) };
    let list = Array::new(ec, 0);
    for address in found {
        let text = match address {
            SocketAddr::V4(address) => address.ip().to_string(),
            SocketAddr::V6(address) => address.ip().to_string(),
        };
        list.push(ec, Str::from_text(ec, &text).value());
    }
    Ok(Some(list))
}
