# carat: core

# Sockets: BasicSocket and its classes, and the addresses that they go by.
class BasicSocket < IO
end

class SocketError < StandardError
end

class Socket < BasicSocket
  # A name could not be resolved.
  class ResolutionError < SocketError
    attr_reader :error_code

    def initialize(message = nil, error_code = nil)
      super(message)
      @error_code = error_code
    end
  end

  # System calls on descriptors: see the native half.
  module System
  end
  private_constant :System
end

require "socket.so"
require "io/wait"
require "socket/constants"
require "socket/names"
require "socket/sockaddr"
require "socket/resolver"
require "socket/addrinfo"
require "socket/option"
require "socket/ancillary_data"
require "socket/basic_socket"
require "socket/connector"
require "socket/socket"
require "socket/interfaces"
require "socket/ip_socket"
require "socket/unix_socket"
