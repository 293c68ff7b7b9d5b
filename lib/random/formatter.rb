# Random values as texts.
module Random::Formatter
  ALPHANUMERIC = [*"A".."Z", *"a".."z", *"0".."9"].each(&:freeze).freeze

  def random_bytes(n = nil) = gen_random(n ? n.to_int : 16)

  # Twice +n+ digits.
  def hex(n = nil) = random_bytes(n).unpack1("H*")

  def base64(n = nil) = [random_bytes(n)].pack("m0")

  # As #base64, for URLs and names of files.
  def urlsafe_base64(n = nil, padding = false)
    text = base64(n)
    text.tr!("+/", "-_")
    text.delete!("=") unless padding
    text
  end

  # A UUID of version 4.
  def uuid
    bytes = random_bytes(16)
    bytes.setbyte(6, bytes.getbyte(6) & 0x0f | 0x40)
    bytes.setbyte(8, bytes.getbyte(8) & 0x3f | 0x80)
    bytes.unpack("H8H4H4H4H12").join("-")
  end
  alias uuid_v4 uuid

  # A UUID of version 7: milliseconds, up to twelve more bits of the time, random bits.
  def uuid_v7(extra_timestamp_bits: 0)
    unless (0..12).cover?(extra_timestamp_bits)
      raise ArgumentError, "extra_timestamp_bits must be in 0..12"
    end
    milliseconds, nanoseconds = Process.clock_gettime(Process::CLOCK_REALTIME, :nanosecond).divmod(1_000_000)
    random = random_bytes(10).unpack("nNN")
    fraction = (nanoseconds << extra_timestamp_bits) / 1_000_000
    low_bits = 12 - extra_timestamp_bits
    third = 0x7000 | fraction << low_bits | random[0] & (1 << low_bits) - 1
    "%08x-%04x-%04x-%04x-%04x%08x" % [
      milliseconds >> 16, milliseconds & 0xffff, third, 0x8000 | random[1] >> 16 & 0x3fff, random[1] & 0xffff, random[2],
    ]
  end

  # +n+ letters and digits, or characters of +chars+.
  def alphanumeric(n = nil, chars: ALPHANUMERIC) = choose(chars, n || 16)

  private

  def gen_random(n) = bytes(n)

  # A text of +n+ elements, several of one random number.
  def choose(source, n)
    size = source.length
    limit, count = size, 1
    limit, count = limit * size, count + 1 while limit * size <= 1 << 32
    text = +""
    while count <= n
      append(text, source, count, limit)
      n -= count
    end
    append(text, source, n.to_i, limit) if 0 < n
    text
  end

  def append(text, source, count, limit)
    number = random_number(limit)
    count.times do
      number, index = number.divmod(source.length)
      text << source[index].to_s
    end
  end
end

class Random
  include Formatter
  extend Formatter
end
