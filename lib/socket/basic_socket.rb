# carat: core

# What all sockets can do.
class BasicSocket < IO
  System = Socket.const_get(:System)
  Names = Socket.const_get(:Names)
  Sockaddr = Socket.const_get(:Sockaddr)
  Resolver = Socket.const_get(:Resolver)
  private_constant :System, :Names, :Sockaddr, :Resolver

  # As much as a message is received with if nobody says how much.
  MESSAGE_SIZE = 65_536
  private_constant :MESSAGE_SIZE

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
    return info unless info.ip? && ["0.0.0.0", "::"].include?(info.ip_address)

    Addrinfo.new(Sockaddr.of_ip(info.ipv6? ? "::1" : "127.0.0.1", info.ip_port), nil, info.socktype, info.protocol)
  end

  # level, name and value, or a Socket::Option.
  def setsockopt(level, name = nil, value = nil)
    level, name, value = level.level, level.optname, level.data if level.is_a?(Socket::Option)
    level = Names.level(level)
    value = case value
            when true then [1].pack("i")
            when false, nil then [0].pack("i")
            when Integer then [value].pack("i")
            else value.to_str
            end
    System.set_option(fileno, level, Names.option(level, name), value)
  end

  def getsockopt(level, name)
    level = Names.level(level)
    name = Names.option(level, name)
    Socket::Option.new(Sockaddr.family(getsockname), level, name, System.option(fileno, level, name))
  end

  # Sends a message, to an address where one is given.
  def send(message, flags, address = nil)
    address = address.to_sockaddr if address.is_a?(Addrinfo)
    System.transmit(fileno, message.to_str, Names.flag(flags), address, address ? "sendto(2)" : "send(2)") or
      raise IO::EAGAINWaitWritable, "send(2) would block"
  end

  def recv(length, flags = 0, buffer = nil)
    received(System.receive(fileno, length, Names.flag(flags), true), buffer)
  end

  def recv_nonblock(length, flags = 0, buffer = nil, exception: true)
    answer = System.receive(fileno, length, Names.flag(flags), false)
    answer ? received(answer, buffer) : would_block("recvfrom(2)", exception)
  end

  # A message, who sent it and its flags. Ancillary data is not read.
  def recvmsg(length = nil, flags = 0, _control_length = nil, scm_rights: false)
    described_message(System.receive(fileno, length || MESSAGE_SIZE, Names.flag(flags), true))
  end

  def recvmsg_nonblock(length = nil, flags = 0, _control_length = nil, scm_rights: false, exception: true)
    answer = System.receive(fileno, length || MESSAGE_SIZE, Names.flag(flags), false)
    answer ? described_message(answer) : would_block("recvmsg(2)", exception)
  end

  def sendmsg(message, flags = 0, address = nil, *_controls) = send(message, flags, address)

  def sendmsg_nonblock(message, flags = 0, address = nil, *_controls, exception: true)
    send(message, Names.flag(flags) | Socket::MSG_DONTWAIT, address)
  rescue IO::EAGAINWaitWritable
    exception ? raise(IO::EAGAINWaitWritable, "sendmsg(2) would block") : :wait_writable
  end

  def shutdown(how = Socket::SHUT_RDWR)
    how = Names.shutdown(how)
    raise ArgumentError, "'how' should be either :SHUT_RD, :SHUT_WR, :SHUT_RDWR" unless how.between?(0, 2)

    System.shutdown(fileno, how)
  end

  def close_read
    shutdown(Socket::SHUT_RD)
    @read_closed = true
    close if @write_closed
    nil
  end

  def close_write
    flush
    shutdown(Socket::SHUT_WR)
    @write_closed = true
    close if @read_closed
    nil
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

  def addrinfo(address)
    Addrinfo.new(address.bytesize < 2 ? [Socket::AF_UNIX].pack("S") : address, nil, type_of_socket)
  end

  # A stream does not say who sent what comes: the peer did.
  def described_message((message, from))
    return nil if message.empty? && type_of_socket == Socket::SOCK_STREAM

    [message, addrinfo(from.empty? ? getpeername : from), 0]
  end

  # The end of a stream is nil; a datagram may be empty.
  def received((message, _), buffer)
    return nil if message.empty? && type_of_socket == Socket::SOCK_STREAM

    delivered(message, buffer)
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
