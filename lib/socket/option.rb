# carat: core

class Socket
  # An option of a socket: where it belongs, its number and its value's bytes.
  class Option
    attr_reader :family, :level, :optname, :data
    alias to_s data

    def self.int(family, level, name, value) = new(family, level, name, [value].pack("i"))

    def self.bool(family, level, name, value) = new(family, level, name, [value ? 1 : 0].pack("i"))

    def self.byte(family, level, name, value) = new(family, level, name, [value].pack("C"))

    def self.linger(on, seconds)
      on = on ? 1 : 0 unless on.is_a?(Integer)
      new(:UNSPEC, :SOCKET, :LINGER, [on, seconds].pack("ii"))
    end

    def initialize(family, level, name, data)
      @family = Names.family(family)
      @level = Names.level(level)
      @optname = Names.option(@level, name)
      @data = data
    end

    def int
      check_size(4)
      data.unpack1("i")
    end

    def bool
      check_size(4)
      data.unpack1("i") != 0
    end

    def byte
      check_size(1)
      data.unpack1("C")
    end

    def linger
      check_size(8)
      on, seconds = data.unpack("ii")
      [on != 0, seconds]
    end

    def unpack(template) = data.unpack(template)

    def inspect
      prefix = level == SOL_SOCKET ? "SO_" : "TCP_"
      shown = data.bytesize == 4 ? int : data.inspect
      "#<Socket::Option: #{Names.name("AF_", family).to_s.delete_prefix("AF_")} #{Names.name("SOL_", level).to_s.delete_prefix("SOL_")} " \
        "#{Names.name(prefix, optname).to_s.delete_prefix(prefix)} #{shown}>"
    end

    private

    def check_size(size)
      return if data.bytesize == size

      raise TypeError, "size differ.  expected as sizeof(int)=#{size} but #{data.bytesize}"
    end
  end
end
