# carat: core

# What all sockets can do.
class BasicSocket < IO
  System = Socket.const_get(:System)
  Names = Socket.const_get(:Names)
  Sockaddr = Socket.const_get(:Sockaddr)
  Resolver = Socket.const_get(:Resolver)
  private_constant :System, :Names, :Sockaddr, :Resolver

  # As much as a message and its ancillary data are received with if nobody says how much.
  STREAM_SIZE = 4096
  DATAGRAM_SIZE = 65_536
  CONTROL_SIZE = 4096
  private_constant :STREAM_SIZE, :DATAGRAM_SIZE, :CONTROL_SIZE

  # Classes that inherit share it; a variable of this class can be read by every Ractor.
  @do_not_reverse_lookup = true

  def self.do_not_reverse_lookup = BasicSocket.instance_variable_get(:@do_not_reverse_lookup)

  def self.do_not_reverse_lookup=(on)
    BasicSocket.instance_variable_set(:@do_not_reverse_lookup, on)
  end

  # A socket for a descriptor that is one already.
  def self.for_fd(fd)
    socket = allocate
    socket.__send__(:open_on, fd)
    socket
  end

  # Gives sockets to the block and closes what it leaves open; without a block they are the caller's.
  def self.lend(sockets)
    return sockets unless block_given?
    yield sockets
  ensure
    sockets.each { |socket| socket.close unless socket.closed? } if block_given?
  end
  private_class_method :lend

  # Whether addresses are shown as numbers.
  attr_accessor :do_not_reverse_lookup

  def getsockname = System.local_address(fileno)

  def getpeername = System.peer_address(fileno)

  def local_address = addrinfo(getsockname)

  def remote_address = addrinfo(getpeername)

  # The address under which others reach this socket.
  def connect_address
    info = local_address
    return connect_path(info) if info.unix?
    raise SocketError, "unbound #{info.ipv6? ? "IPv6" : "IPv4"} socket" if info.ip? && info.ip_port.zero?

    bytes = info.to_sockaddr
    if info.ipv4? && info.ip_address == "0.0.0.0"
      bytes[4, 4] = "\x7F\0\0\x01".b
    elsif info.ipv6_unspecified?
      bytes[23] = "\x01".b
    end
    Addrinfo.new(bytes, info.pfamily, info.socktype, info.protocol)
  end

  # level, name and value, or a Socket::Option.
  def setsockopt(*arguments)
    if arguments.size == 1
      option = arguments.first
      arguments = [option.level, option.optname, option.data]
    end
    raise ArgumentError, "wrong number of arguments (given #{arguments.size}, expected 3)" unless arguments.size == 3

    level, name = option_place(*arguments.first(2))
    value = option_value(arguments.last)
    System.set_option(fileno, level, name, value)
  end

  def getsockopt(level, name)
    level, name = option_place(level, name)
    Socket::Option.new(family_of_socket, level, name, System.option(fileno, level, name))
  end

  # Sends a message, to an address where one is given.
  def send(message, flags, address = nil)
    address &&= Sockaddr.bytes(address)
    System.transmit(fileno, Names.string(message), Names.flag(flags), address, address ? "sendto(2)" : "send(2)") or
      raise IO::EAGAINWaitWritable, "send(2) would block"
  end

  def recv(length, flags = 0, buffer = nil)
    check_unread("recv")
    received(System.receive(fileno, length, Names.flag(flags || 0), true), buffer)
  end

  def recv_nonblock(length, flags = 0, buffer = nil, exception: true)
    check_unread("recvfrom")
    answer = System.receive(fileno, length, Names.flag(flags), false)
    answer ? received(answer, buffer) : would_block("recvfrom(2)", exception)
  end

  # A message, who sent it, its flags and its ancillary data; open files come with it if scm_rights is true.
  def recvmsg(length = nil, flags = 0, control_length = nil, scm_rights: false)
    receive_message(length, flags, control_length, scm_rights, true)
  end

  def recvmsg_nonblock(length = nil, flags = 0, control_length = nil, scm_rights: false, exception: true)
    receive_message(length, flags, control_length, scm_rights, false) { return would_block("recvmsg(2)", exception) }
  end

  # controls: AncillaryData, or arrays of level, type and data.
  def sendmsg(message, flags = 0, address = nil, *controls)
    send_message(message, Names.flag(flags || 0), address, controls) or
      raise IO::EAGAINWaitWritable, "sendmsg(2) would block"
  end

  def sendmsg_nonblock(message, flags = 0, address = nil, *controls, exception: true)
    sent = send_message(message, Names.flag(flags || 0) | Socket::MSG_DONTWAIT, address, controls)
    return sent if sent
    return :wait_writable unless exception

    raise IO::EAGAINWaitWritable, "sendmsg(2) would block"
  end

  def shutdown(how = Socket::SHUT_RDWR)
    how = Names.shutdown(how)
    raise ArgumentError, "'how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR" unless how.between?(0, 2)

    System.shutdown(fileno, how)
  end

  def close_read
    close if System.end_input(self)
  end

  def close_write
    flush
    close if System.end_output(self)
  end

  def getpeereid
    _, uid, gid = System.option(fileno, Socket::SOL_SOCKET, Socket::SO_PEERCRED).unpack("iII")
    [uid, gid]
  end

  def inspect
    closed? ? super : "#<#{self.class}:fd #{fileno}>"
  rescue IOError
    super
  end

  private

  # Nothing that is written waits.
  def open_on(fd)
    IO.instance_method(:initialize).bind_call(self, fd, "r+b")
    self.sync = true
    @do_not_reverse_lookup = BasicSocket.do_not_reverse_lookup
  end

  def type_of_socket = System.option(fileno, Socket::SOL_SOCKET, Socket::SO_TYPE).unpack1("i")

  # No call changes it.
  def family_of_socket = @__family ||= Sockaddr.family(getsockname)

  # An address that the system gave, for sockets of this kind.
  def addrinfo(address) = Addrinfo.new(address, Sockaddr.family(address), type_of_socket)

  def connect_path(info)
    raise SocketError, "unbound Unix socket" if info.unix_path.empty?

    info
  end

  def option_place(level, name)
    return [level, name] if Integer === level && Integer === name

    family = family_of_socket
    level = Names.level(family, level)
    [level, Names.option(family, level, name)]
  end

  def option_value(value)
    case value
    when true then [1].pack("i")
    when false then [0].pack("i")
    when Integer then [value].pack("i")
    else Names.string(value)
    end
  end

  # Data that the stream has read ahead would come after its successors.
  def check_unread(call)
    raise IOError, "#{call} for buffered IO" if System.has_unread?(self)
  end

  def send_message(message, flags, address, controls)
    rows = controls.map { |control| control_row(control) }
    System.send_message(fileno, Names.string(message), flags, address && Sockaddr.bytes(address), rows)
  end

  def control_row(control)
    return [control.level, control.type, control.data] if control.is_a?(Socket::AncillaryData)

    row = Array.try_convert(control)
    raise ArgumentError, "an element of controls should be 3-elements array" unless row&.size == 3

    family = family_of_socket
    level = Names.level(family, row[0])
    [level, Names.control(family, level, row[1]), Names.string(row[2])]
  end

  # The block says what to do when there is nothing.
  def receive_message(length, flags, control_length, takes_files, waits)
    check_unread("recvmsg")
    flags = Names.flag(flags)
    length ||= size_of_next(flags, waits) { return yield }
    message, from, answered, rows = System.receive_message(fileno, length, flags, control_length || CONTROL_SIZE, waits)
    return yield unless message

    controls = rows.map { |row| Socket::AncillaryData.new(family_of_socket, *row) }
    controls.each { |control| control.__send__(takes_files ? :open_files : :close_files) }
    return if message.empty? && length > 0 && is_stream?

    [message, addrinfo(from), answered, *controls]
  end

  # A datagram is not to be cut; what a stream has is.
  def size_of_next(flags, waits)
    return STREAM_SIZE if is_stream?

    peeked = System.receive(fileno, DATAGRAM_SIZE, flags | Socket::MSG_PEEK, waits) or return yield
    return DATAGRAM_SIZE if peeked.first.bytesize < DATAGRAM_SIZE

    System.option(fileno, Socket::SOL_SOCKET, Socket::SO_RCVBUF).unpack1("i")
  end

  def is_stream? = type_of_socket != Socket::SOCK_DGRAM

  # The end of a stream is nil; a datagram may be empty.
  def received((message, _), buffer)
    return nil if message.empty? && is_stream?

    delivered(message, buffer)
  end

  # A message and the address that it came from; nil at the end of a stream. The block says what to do when there is nothing.
  def receive_from(length, flags, waits)
    check_unread("recvfrom")
    message, from = System.receive(fileno, length, Names.flag(flags || 0), waits)
    return yield unless message

    [message, from] unless message.empty? && is_stream?
  end

  # A buffer keeps its encoding.
  def delivered(message, buffer)
    return message unless buffer

    encoding = buffer.encoding
    buffer.replace(message).force_encoding(encoding)
  end

  def would_block(call, exception)
    return :wait_readable unless exception

    raise IO::EAGAINWaitReadable, "#{call} would block"
  end
end
