# carat: core

# A connection between processes of one machine, by a path.
class UNIXSocket < BasicSocket
  def self.pair(type = Socket::SOCK_STREAM, protocol = 0, &block)
    fds = System.pair(Socket::AF_UNIX, Names.type(type), protocol)
    lend(fds.map { |fd| for_fd(fd) }, &block)
  end
  singleton_class.alias_method :socketpair, :pair

  def initialize(path)
    opening(path) { |fd, address| System.connect(fd, address, true, "connect(2) for #{path}") }
  end

  # Sends an open file, or a descriptor's number.
  def send_io(io)
    file = io.is_a?(Integer) ? io : IO.try_convert(io)&.fileno
    raise TypeError, "wrong argument type #{io.nil? ? "nil" : io.class} (expected File)" unless file
    sendmsg("\0", 0, nil, [Socket::SOL_SOCKET, Socket::SCM_RIGHTS, [file].pack("i")])
    nil
  end

  # The open file that the other side sent, as an object of a class; as a number if that is nil.
  def recv_io(klass = IO, mode = nil)
    _, _, _, rows = System.receive_message(fileno, 1, 0, CONTROL_SIZE, true)
    _, _, data = rows.find { |level, type, _| level == Socket::SOL_SOCKET && type == Socket::SCM_RIGHTS }
    fd, *rest = data&.unpack("i*")
    rest.each { |other| IO.for_fd(other).close }
    raise SocketError, "file descriptor was not passed" unless fd
    return fd if klass.nil?
    klass <= BasicSocket ? klass.for_fd(fd) : klass.for_fd(fd, *mode)
  end

  # The path that the socket is bound to.
  def path = Sockaddr.unix_path(getsockname)

  def addr = ["AF_UNIX", path]

  def peeraddr = ["AF_UNIX", Sockaddr.unix_path(getpeername)]

  def recvfrom(length, flags = 0, buffer = nil)
    message, from = receive_from(length, flags, true)
    message && [delivered(message, buffer), ["AF_UNIX", from.bytesize > 2 ? Sockaddr.unix_path(from) : ""]]
  end

  def inspect
    return super if closed?

    name = path
    "#<#{self.class}:fd #{fileno}#{name.empty? ? "" : ", #{name}"}>"
  rescue IOError
    super
  end

  private

  def opening(path)
    path = path.to_path if path.respond_to?(:to_path)
    path = Names.string(path)
    raise ArgumentError, "string contains null byte" if path.include?("\0") && !Sockaddr.is_abstract?(path)

    address = Sockaddr.of_unix(path)
    fd = System.open(Socket::AF_UNIX, Socket::SOCK_STREAM, 0)
    begin
      yield fd, address
    rescue SystemCallError
      IO.for_fd(fd).close
      raise
    end
    open_on(fd)
  end
end

# Waits for connections at a path.
class UNIXServer < UNIXSocket
  def initialize(path)
    opening(path) do |fd, address|
      System.bind(fd, address, "bind(2) for #{path}")
      System.listen(fd, Socket::SOMAXCONN)
    end
  end

  def accept = UNIXSocket.for_fd(sysaccept)

  def accept_nonblock(exception: true)
    fd, = System.accept(fileno, false)
    fd ? UNIXSocket.for_fd(fd) : would_block("accept(2)", exception)
  end

  def sysaccept = System.accept(fileno, true).first

  def listen(backlog)
    backlog = Names.integer(backlog)
    System.listen(fileno, backlog)
  end
end
