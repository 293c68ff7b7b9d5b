# carat: core

require "socket"
require "timeout"

# Errors that protocols of the net share.
module Net
  class ProtocolError < StandardError
  end

  class ProtoSyntaxError < ProtocolError
  end

  class ProtoFatalError < ProtocolError
  end

  class ProtoUnknownError < ProtocolError
  end

  class ProtoServerError < ProtocolError
  end

  class ProtoAuthError < ProtocolError
  end

  class ProtoCommandError < ProtocolError
  end

  class ProtoRetriableError < ProtocolError
  end
  ProtocRetryError = ProtoRetriableError

  # Connecting took too long.
  class OpenTimeout < Timeout::Error
  end

  # An answer took too long.
  class ReadTimeout < Timeout::Error
    attr_reader :io

    def initialize(io = nil)
      @io = io
      super()
    end

    def message = io ? "Net::ReadTimeout with #{io.inspect}" : "Net::ReadTimeout"
  end

  # Sending took too long.
  class WriteTimeout < ReadTimeout
    def message = io ? "Net::WriteTimeout with #{io.inspect}" : "Net::WriteTimeout"
  end
end
