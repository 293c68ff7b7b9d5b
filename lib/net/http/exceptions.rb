# frozen_string_literal: true

module Net
  class HTTPBadResponse < StandardError
  end

  class HTTPHeaderSyntaxError < StandardError
  end

  # An answer that is an error, as a protocol error.
  module HTTPExceptions
    attr_reader :response
    alias data response

    def initialize(message, response)
      super(message)
      @response = response
    end
  end

  class HTTPError < ProtocolError
    include HTTPExceptions
  end

  class HTTPRetriableError < ProtoRetriableError
    include HTTPExceptions
  end

  class HTTPClientException < ProtoServerError
    include HTTPExceptions
  end

  HTTPServerException = HTTPClientException
  deprecate_constant :HTTPServerException

  class HTTPFatalError < ProtoFatalError
    include HTTPExceptions
  end
end
