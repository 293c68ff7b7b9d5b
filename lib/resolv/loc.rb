class Resolv
  # The parts of a record that says where on earth a host is (RFC 1876).
  module LOC
    # What the parts share: one field, in the form in which it is sent.
    class Part
      def self.field(name)
        attr_reader name
        define_method(:raw) { public_send(name) }
        define_method(:initialize) { |raw| instance_variable_set(:"@#{name}", raw) }
      end
      private_class_method :field

      # A part of a text, or itself.
      def self.create(value)
        case value
        when self then value
        when String then parse(value)
        else raise ArgumentError, "cannot interpret as #{name[/\w+\z/]}: #{value.inspect}"
        end
      end

      def inspect = "#<#{self.class} #{self}>"

      def ==(other) = raw == other.raw

      def eql?(other) = self == other

      def hash = raw.hash
    end
    private_constant :Part

    # A size or a precision: one digit and a power of ten, in centimetres.
    class Size < Part
      Regex = /\A0*(\d{1,8}(?:\.\d+)?)m\z/
      field :scalar

      def self.parse(text)
        match = Regex.match(text) or raise ArgumentError, "not a properly formed Size string: #{text}"
        metres = match[1].to_f
        raise ArgumentError, "out of range as Size: #{text}" unless metres < 1e8
        digits = (metres * 100).to_i.to_s
        new([(digits[0].to_i << 4) + digits.size - 1].pack("C"))
      end
      private_class_method :parse

      def to_s
        byte = scalar.getbyte(0)
        "#{(byte >> 4) * 10.0**((byte & 15) - 2)}m"
      end
    end

    # A latitude or a longitude, in thousandths of seconds of arc.
    class Coord < Part
      Regex = /\A0*(\d{1,3})\s([0-5]?\d)\s([0-5]?\d(?:\.\d+)?)\s([NESW])\z/
      Bias = 1 << 31
      field :coordinates

      # "lat" or "lon".
      attr_reader :orientation

      def self.parse(text)
        match = Regex.match(text) or raise ArgumentError, "not a properly formed Coord string: #{text}"
        is_latitude = "NS".include?(match[4])
        arc = match[1].to_i * 3_600_000 + match[2].to_i * 60_000 + (match[3].to_f * 1000).to_i
        raise ArgumentError, "out of range as Coord: #{text}" if arc > (is_latitude ? 90 : 180) * 3_600_000
        arc = -arc if "SW".include?(match[4])
        new([arc + Bias].pack("N"), is_latitude ? "lat" : "lon")
      end
      private_class_method :parse

      def initialize(coordinates, orientation)
        unless coordinates.is_a?(String) && coordinates.bytesize == 4
          raise ArgumentError, "Coord must be a 32bit unsigned integer in hex format: #{coordinates.inspect}"
        end
        unless %w[lon lat].include?(orientation)
          raise ArgumentError, 'Coord expects orientation to be a String argument of "lat" or "lon"'
        end
        @coordinates = coordinates
        @orientation = orientation
      end

      def to_s
        arc = coordinates.unpack1("N") - Bias
        seconds, fraction = arc.abs.divmod(1000)
        minutes, seconds = seconds.divmod(60)
        format("%d %02d %02d.%03d %s", *minutes.divmod(60), seconds, fraction, hemisphere(arc))
      end

      private

      def hemisphere(arc)
        return arc.negative? ? "S" : "N" if orientation == "lat"
        arc.negative? ? "W" : "E"
      end
    end

    # A height above the sea, in centimetres.
    class Alt < Part
      Regex = /\A([+-]?0*\d{1,8}(?:\.\d+)?)m\z/
      Bias = 100_000_00
      field :altitude

      def self.parse(text)
        match = Regex.match(text) or raise ArgumentError, "not a properly formed Alt string: #{text}"
        height = (match[1].to_f * 100).to_i + Bias
        raise ArgumentError, "out of raise as Alt: #{text}" unless height.between?(0, 0xffff_ffff)
        new([height].pack("N"))
      end
      private_class_method :parse

      def to_s = "#{(altitude.unpack1("N") - Bias).fdiv(100)}m"
    end
  end
end
