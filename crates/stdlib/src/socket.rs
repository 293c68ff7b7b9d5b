//! The native half of the library socket: system calls on descriptors, as functions of the module `Socket::System`.
//!
//! Everything that has a name in Ruby is in `lib/socket`. Addresses are strings that hold the system's `struct sockaddr`. The
//! last argument is what an error is about: "connect(2) for localhost:80".

use carat_builtins::streams::{
    IoRef, check_open, errno, opening, quick_system_call, set_nonblock, system_call_on, wait_for,
};
use carat_os::{c, netdb, socket};
use carat_vm::{Array, Ec, Result, Str, Value, methods};
use std::io::Error;

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
        static "send_message" => send_message;
        static "receive_message" => receive_message;
        static "interfaces" => interfaces;
        static "addresses" => addresses;
        static "names" => names;
        static "lookup_message" => lookup_message;
        static "end_input" => end_input;
        static "end_output" => end_output;
        static "has_unread?" => has_unread;
    }
}

pub(crate) fn init(ec: &mut Ec) {
    let socket = ec.vm().known().object.nested(ec, "Socket");
    if let Some(module) = socket.and_then(|socket| socket.nested(ec, "System")) {
        module.define_methods(ec, FUNCTIONS);
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
    let opened = opening(ec, || socket::open(domain as i32, kind as i32, protocol as i32));
    let about = Str::from_text(ec, "socket(2)");
    checked(ec, opened, about).map(fd_value)
}

fn pair(ec: &mut Ec, _this: Value, domain: i64, kind: i64, protocol: i64) -> Result<Array> {
    let opened = opening(ec, || socket::pair(domain as i32, kind as i32, protocol as i32));
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
        let result = if waits { system_call_on(ec, fd, &mut call)? } else { quick_system_call(ec, &mut call)? };
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

/// Memory for a message of so many bytes.
fn room(ec: &mut Ec, length: i64) -> Result<Vec<u8>> {
    let Ok(length) = usize::try_from(length) else {
        return Err(ec.argument_error(&format!("negative length {length} given")));
    };
    let mut bytes = Vec::new();
    if bytes.try_reserve(length).is_err() {
        return Err(ec.no_memory());
    }
    bytes.resize(length, 0);
    Ok(bytes)
}

/// At most so many bytes, and who sent them; nil if there is nothing and `waits` is false.
fn receive(ec: &mut Ec, _this: Value, fd: i64, length: i64, flags: i64, waits: bool) -> Result<Option<Array>> {
    let fd = fd as i32;
    let mut bytes = room(ec, length)?;
    let about = Str::from_text(ec, "recvfrom(2)");
    let flags = flags as i32 | if waits { 0 } else { c::MSG_DONTWAIT };
    let received = receiving(ec, fd, waits, about, || socket::receive(fd, &mut bytes, flags))?;
    Ok(received.map(|(count, from)| {
        // With MSG_TRUNC the system answers a datagram's whole size.
        let message = Str::binary(ec, &bytes[..count.min(bytes.len())]);
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

/// How many bytes were sent with control messages (rows of level, type and data); nil with `MSG_DONTWAIT` if nothing could be.
fn send_message(ec: &mut Ec, _this: Value, fd: i64, message: Str, flags: i64, address: Value, rows: Array) -> Result {
    let fd = fd as i32;
    let flags = flags as i32;
    let bytes = message.bytes(ec).to_vec();
    let address = Str::from_value(address).map(|address| address.bytes(ec).to_vec());
    let mut controls = Vec::new();
    for row in rows.slice_of(ec).to_vec() {
        controls.push(control(ec, row)?);
    }
    let about = Str::from_text(ec, "sendmsg(2)");
    loop {
        let sent = system_call_on(ec, fd, || socket::send_message(fd, &bytes, flags, address.as_deref(), &controls))?;
        match &sent {
            Err(error) if error.raw_os_error() == Some(c::EAGAIN) => {
                if flags & c::MSG_DONTWAIT != 0 {
                    return Ok(Value::NIL);
                }
                wait_for(ec, fd, c::POLLOUT, None)?;
            }
            _ => return checked(ec, sent, about).map(|count| int(ec, count)),
        }
    }
}

/// A control message from its row; whoever makes rows checks what stands in them.
fn control(ec: &mut Ec, row: Value) -> Result<socket::Control> {
    let row = Array::from_value(row).filter(|row| row.len(ec) == 3);
    let parts = row.and_then(|row| {
        Some((row.at(ec, 0).as_fixnum()?, row.at(ec, 1).as_fixnum()?, Str::from_value(row.at(ec, 2))?))
    });
    let Some((level, kind, data)) = parts else { return Err(ec.argument_error("level, type and data expected")) };
    Ok(socket::Control { level: level as i32, kind: kind as i32, data: data.bytes(ec).to_vec() })
}

/// More than the system ever sends with a message.
const CONTROL_BYTES: i64 = 1 << 20;

/// A message, its sender, the system's flags and rows of the control messages that came with it; nil if there is nothing and
/// `waits` is false.
fn receive_message(
    ec: &mut Ec,
    _this: Value,
    fd: i64,
    length: i64,
    flags: i64,
    control_bytes: i64,
    waits: bool,
) -> Result<Option<Array>> {
    let fd = fd as i32;
    let mut bytes = room(ec, length)?;
    let control_bytes = control_bytes.clamp(0, CONTROL_BYTES) as usize;
    let about = Str::from_text(ec, "recvmsg(2)");
    let flags = flags as i32 | if waits { 0 } else { c::MSG_DONTWAIT };
    let received = receiving(ec, fd, waits, about, || socket::receive_message(fd, &mut bytes, control_bytes, flags))?;
    let Some(received) = received else { return Ok(None) };
    let row = Array::new(ec, 4);
    row.push(ec, Str::binary(ec, &bytes[..received.count.min(bytes.len())]).value());
    row.push(ec, Str::binary(ec, &received.address).value());
    row.push(ec, ec.int(i64::from(received.flags)));
    let controls = Array::new(ec, received.controls.len());
    row.push(ec, controls.value());
    for control in received.controls {
        let parts = Array::new(ec, 3);
        controls.push(ec, parts.value());
        parts.push(ec, ec.int(i64::from(control.level)));
        parts.push(ec, ec.int(i64::from(control.kind)));
        parts.push(ec, Str::binary(ec, &control.data).value());
    }
    Ok(Some(row))
}

/// Ends what comes from the peer; true if nothing goes to it either, so that the socket is to be closed.
fn end_input(ec: &mut Ec, _this: Value, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    let _ = socket::shutdown(io.get(ec).fd, c::SHUT_RD);
    let is_last = !io.get(ec).is_writable;
    io.get_mut(ec).is_readable &= is_last;
    Ok(is_last)
}

/// Ends what goes to the peer; true if nothing comes from it either, so that the socket is to be closed.
fn end_output(ec: &mut Ec, _this: Value, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    let _ = socket::shutdown(io.get(ec).fd, c::SHUT_WR);
    let is_last = !io.get(ec).is_readable;
    io.get_mut(ec).is_writable &= is_last;
    Ok(is_last)
}

/// Whether the stream has read ahead of its caller.
fn has_unread(ec: &mut Ec, _this: Value, io: IoRef) -> Result<bool> {
    check_open(ec, io)?;
    Ok(io.get(ec).has_unread())
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

/// Text that may be nil.
fn optional(ec: &Ec, text: Value) -> Option<Vec<u8>> {
    Str::from_value(text).map(|text| text.bytes(ec).to_vec())
}

/// Rows of address, family, type, protocol and canonical name; the resolver's error as a number. The hints are family, type,
/// protocol and flags.
fn addresses(ec: &mut Ec, _this: Value, host: Value, service: Value, hints: Array) -> Result {
    let (host, service) = (optional(ec, host), optional(ec, service));
    let mut numbers = [0; 4];
    for (number, value) in numbers.iter_mut().zip(hints.slice_of(ec).to_vec()) {
        *number = ec.to_long(value)? as i32;
    }
    let [family, kind, protocol, flags] = numbers;
    let hints = netdb::Hints { flags, family, kind, protocol };
    let found =
        carat_builtins::streams::system_call(ec, || Ok(netdb::addresses(host.as_deref(), service.as_deref(), hints)))?;
    let found = match found.unwrap_or(Err(netdb::LookupError(c::EAI_SYSTEM))) {
        Ok(found) => found,
        Err(error) => return Ok(ec.int(i64::from(error.0))),
    };
    let list = Array::new(ec, found.len());
    for each in found {
        let row = Array::new(ec, 5);
        list.push(ec, row.value());
        row.push(ec, Str::binary(ec, &each.sockaddr).value());
        for number in [each.family, each.kind, each.protocol] {
            row.push(ec, ec.int(i64::from(number)));
        }
        let name = each.canonical_name.map_or(Value::NIL, |name| Str::binary(ec, &name).value());
        row.push(ec, name);
    }
    Ok(list.value())
}

/// Names of an address's host and service; the resolver's error as a number.
fn names(ec: &mut Ec, _this: Value, address: Str, flags: i64) -> Result {
    let bytes = address.bytes(ec).to_vec();
    let found = carat_builtins::streams::system_call(ec, || Ok(netdb::names(&bytes, flags as i32)))?;
    Ok(match found.unwrap_or(Err(netdb::LookupError(c::EAI_SYSTEM))) {
        Ok((host, service)) => {
            let host = Str::binary(ec, &host).value();
            Array::pair(ec, host, Str::binary(ec, &service).value()).value()
        }
        Err(error) => ec.int(i64::from(error.0)),
    })
}

/// The system's words for an error of the resolver.
fn lookup_message(ec: &mut Ec, _this: Value, code: i64) -> Str {
    Str::from_text(ec, &netdb::LookupError(code as i32).message())
}
