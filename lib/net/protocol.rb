# frozen_string_literal: true

# What Net's protocols share: connections that are read line by line, and the errors they raise.

require "socket"
require "timeout"
require "io/wait"

module Net
  # What a protocol's class inherits from.
  class Protocol
    # Defines a method that returns a value, which subclasses may define anew.
    private_class_method def self.protocol_param(name, value)
      module_eval "def #{name} = #{value}", __FILE__, __LINE__
    end

    private

    # Shakes hands with the other side of a TLS connection within +timeout+ seconds.
    def ssl_socket_connect(socket, timeout)
      return socket.connect unless timeout
      loop do
        result = socket.connect_nonblock(exception: false)
        waited =
          case result
          when :wait_readable then socket.to_io.wait_readable(timeout)
          when :wait_writable then socket.to_io.wait_writable(timeout)
          else return
          end
        raise Net::OpenTimeout unless waited
      end
    end
  end

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
    end

    def message = io ? "#{super} with #{io.inspect}" : super
  end

  # Sending took too long.
  class WriteTimeout < Timeout::Error
    attr_reader :io

    def initialize(io = nil)
      @io = io
    end

    def message = io ? "#{super} with #{io.inspect}" : super
  end

  # A connection with a buffer of what has arrived and limits of time.
  class BufferedIO
    CHUNK_BYTES = BUFSIZE = 16 * 1024
    private_constant :CHUNK_BYTES

    attr_reader :io
    attr_accessor :read_timeout, :write_timeout, :continue_timeout, :debug_output

    def initialize(io, read_timeout: 60, write_timeout: 60, continue_timeout: nil, debug_output: nil)
      @io = io
      @read_timeout = read_timeout
      @write_timeout = write_timeout
      @continue_timeout = continue_timeout
      @debug_output = debug_output
      @arrived = "".b
    end

    def inspect = "#<#{self.class} io=#{@io}>"

    def eof? = @arrived.empty? && @io.eof?

    def closed? = @io.closed?

    def close = @io.close

    # Appends +length+ bytes to +dest+ and returns it. The end of the connection before that is an error unless it is ignored.
    def read(length, dest = "".b, ignore_eof = false)
      log "reading #{length} bytes..."
      missing = length
      begin
        while missing > 0
          fill if @arrived.empty?
          missing -= take(missing) { |part| dest << part }
        end
      rescue EOFError
        raise unless ignore_eof
      end
      log "read #{length - missing} bytes"
      dest
    end

    # Appends what comes until the end of the connection to +dest+ and returns it.
    def read_all(dest = "".b)
      log "reading all..."
      count = 0
      begin
        loop do
          count += take(@arrived.bytesize) { |part| dest << part } unless @arrived.empty?
          fill
        end
      rescue EOFError
      end
      log "read #{count} bytes"
      dest
    end

    # Returns what comes up to +terminator+, with it.
    def readuntil(terminator, ignore_eof = false)
      from = 0
      begin
        until (index = @arrived.index(terminator, from))
          from = [@arrived.bytesize - terminator.bytesize + 1, 0].max
          fill
        end
        length = index + terminator.bytesize
      rescue EOFError
        raise unless ignore_eof
        length = @arrived.bytesize
      end
      line = "".b
      take(length) { |part| line << part }
      line
    end

    # Returns the next line without its end.
    def readline = readuntil("\n").chop

    # Sends the strings; returns how many bytes they are.
    def write(*strings)
      writing { write0(*strings) }
    end
    alias << write

    # Sends a line.
    def writeline(line)
      writing { write0("#{line}\r\n") }
    end

    private

    # Waits for more, and takes it.
    def fill
      case part = @io.read_nonblock(CHUNK_BYTES, exception: false)
      when String then @arrived << part
      when :wait_readable then @io.to_io.wait_readable(@read_timeout) or raise Net::ReadTimeout.new(@io)
      when :wait_writable then @io.to_io.wait_writable(@read_timeout) or raise Net::ReadTimeout.new(@io)
      else raise EOFError, "end of file reached"
      end
    end

    # Yields up to +length+ bytes of what has arrived; returns how many.
    def take(length)
      part = @arrived.slice!(0, length)
      count = part.bytesize
      @debug_output << %(-> #{part.dump}\n) if @debug_output
      yield part
      count
    end

    # Counts the bytes that the block sends.
    def writing
      @written = 0
      @debug_output << "<- " if @debug_output
      yield
      @debug_output << "\n" if @debug_output
      @written
    ensure
      @written = nil
    end

    def write0(*strings)
      strings.map!(&:b)
      strings.each { |string| @debug_output << string.dump } if @debug_output
      whole = strings.size == 1 ? strings.first : strings.join
      sent = 0
      while sent < whole.bytesize
        part = sent == 0 ? whole : whole.byteslice(sent..)
        case count = @io.write_nonblock(part, exception: false)
        when Integer then sent += count
        when :wait_writable then @io.to_io.wait_writable(@write_timeout) or raise Net::WriteTimeout.new(@io)
        when :wait_readable then @io.to_io.wait_readable(@write_timeout) or raise Net::WriteTimeout.new(@io)
        end
      end
      @written += sent
      sent
    end

    def log(text)
      @debug_output << "#{text}\n" if @debug_output
    end
  end

  # A connection over which whole messages go, as mail does: each ends with a line that is a dot.
  class InternetMessageIO < BufferedIO
    def initialize(*, **)
      super
      @unsent = nil
    end

    # Yields the lines of a message.
    def each_message_chunk
      log "reading message..."
      count = 0
      without_log do
        while (line = readuntil("\r\n")) != ".\r\n"
          count += line.bytesize
          yield line.delete_prefix(".")
        end
      end
      log "read message (#{count} bytes)"
    end

    # Yields the lines of a list, without their ends.
    def each_list_item
      while (line = readuntil("\r\n")) != ".\r\n"
        yield line.chop
      end
    end

    # Sends the lines of +source+ as a part of a message.
    def write_message_0(source)
      before = @written
      each_crlf_line(source) { |line| write0 dot_stuff(line) }
      @written - before
    end

    # Sends a message; returns how many bytes that took.
    def write_message(source)
      log "writing message from #{source.class}"
      count = send_message { write_message_0 source }
      log "wrote #{count} bytes"
      count
    end

    # Sends what the block gives to a WriteAdapter as a message; returns how many bytes that took.
    def write_message_by_block(&block)
      log "writing message from block"
      count = send_message do
        block.call(WriteAdapter.new(method(:write_message_0)))
      rescue LocalJumpError
        # The block may leave early.
      end
      log "wrote #{count} bytes"
      count
    end

    private

    # Sends what the block writes, and the end of the message; what goes over the connection is not logged.
    def send_message(&)
      without_log do
        writing do
          with_rest_of_lines(&)
          write0 ".\r\n"
        end
      end
    end

    def without_log
      log = @debug_output
      @debug_output = nil
      yield
    ensure
      @debug_output = log
    end

    # A line that begins with a dot gets another one.
    def dot_stuff(line) = line.start_with?(".") ? ".#{line}" : line

    # Runs the block, then sends what it left of a line; a message without any is one empty line.
    def with_rest_of_lines
      @unsent = "".b
      yield
      if !@unsent.empty?
        write0 dot_stuff(@unsent.chomp) + "\r\n"
      elsif @written == 0
        write0 "\r\n"
      end
    ensure
      @unsent = nil
    end

    # Yields the whole lines of +source+, each ended by CR and LF; what is left waits for more.
    def each_crlf_line(source)
      each_part(source) do |part|
        @unsent << part
        while (line = @unsent.slice!(/\A[^\r\n]*(?:\n|\r(?:\n|(?!\z)))/n))
          yield "#{line.chomp("\n").chomp("\r")}\r\n"
        end
      end
    end

    def each_part(source, &block)
      case source
      when String then yield source
      when IO then yield source.read(CHUNK_BYTES) until source.eof?
      else source.each(&block)
      end
    end
  end

  # What a block writes a message to.
  class WriteAdapter
    def initialize(writer)
      @writer = writer
    end

    def inspect = "#<#{self.class} writer=#{@writer.inspect}>"

    def write(text) = @writer.call(text)
    alias print write

    def <<(text)
      write text
      self
    end

    def puts(text = "") = write(text.chomp("\n") + "\n")

    def printf(*args) = write(sprintf(*args))
  end

  # Takes what is read and hands it to a block.
  class ReadAdapter
    def initialize(block)
      @block = block
    end

    def inspect = "#<#{self.class}>"

    def <<(text)
      @block&.call(text)
    end
  end
end
