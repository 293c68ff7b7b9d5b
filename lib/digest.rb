# Message digests. The algorithms are native: see Digest::Base.
module Digest
  VERSION = "3.2.1".freeze

  # Looks for a class that programs may bring: Digest::Foo in digest/foo.
  def self.const_missing(name)
    path = "digest/#{name.to_s.downcase}"
    begin
      require path
    rescue LoadError
      raise LoadError, "library not found for class Digest::#{name} -- #{path}", caller(1)
    end
    raise NameError, "uninitialized constant Digest::#{name}", caller(1) unless const_defined?(name)
    const_get(name)
  end

  # What every digest can do, given +update+, +finish+, +reset+, +digest_length+ and +block_length+.
  module Instance
    def update(_string) = raise("Digest::Instance#update() must be implemented by subclass: #{self.class}")

    alias << update

    def reset = raise("Digest::Instance#reset() must be implemented by subclass: #{self.class}")

    def digest_length = digest.bytesize

    def block_length = raise("Digest::Instance#block_length() must be implemented by subclass: #{self.class}")

    def length = digest_length
    alias size length

    # A fresh digest of the same kind.
    def new = clone.reset

    # The digest of what it was given so far, or of +string+ alone.
    def digest(string = nil)
      return clone.__send__(:finish) unless string
      reset
      update(string)
      digest!
    end

    # The digest, after which the state is that of a new one.
    def digest!
      value = finish
      reset
      value
    end

    def hexdigest(string = nil) = Digest.hexencode(digest(string))

    def hexdigest! = Digest.hexencode(digest!)

    def base64digest(string = nil) = [digest(string)].pack("m0")

    def base64digest! = [digest!].pack("m0")

    def to_s = hexdigest

    def inspect = "#<#{self.class}: #{hexdigest}>"

    def ==(other)
      return digest == other.digest if other.is_a?(Instance)
      string = String.try_convert(other)
      !string.nil? && to_s == string
    end

    # Adds what a file holds.
    def file(name)
      File.open(name, "rb") do |file|
        buffer = +""
        update(buffer) while file.read(16_384, buffer)
      end
      self
    end

    private

    def finish = raise("Digest::Instance#finish() must be implemented by subclass: #{self.class}")
  end

  class Class
    include Instance

    def initialize
    end

    class << self
      def digest(string = (is_missing = true), *parameters)
        raise ArgumentError, "no data given" if is_missing
        new(*parameters).digest(string)
      end

      def hexdigest(...) = Digest.hexencode(digest(...))

      def base64digest(string, *parameters) = [digest(string, *parameters)].pack("m0")

      def file(name, *parameters) = new(*parameters).file(name)
    end
  end

  # Digests whose algorithm is native.
  class Base < Class
  end

  require "digest.so"

  # SHA256, SHA384 or SHA512, by the number of bits.
  class SHA2 < Class
    def initialize(bitlen = 256)
      @sha2 =
        case bitlen
        when 256 then SHA256.new
        when 384 then SHA384.new
        when 512 then SHA512.new
        else raise ArgumentError, "unsupported bit length: %s" % bitlen.inspect
        end
      @bitlen = bitlen
    end

    def initialize_copy(other)
      @sha2 = other.instance_variable_get(:@sha2).clone
    end

    def reset
      @sha2.reset
      self
    end

    def update(string)
      @sha2.update(string)
      self
    end
    alias << update

    def block_length = @sha2.block_length

    def digest_length = @sha2.digest_length

    def inspect = "#<#{self.class}:#{@bitlen} #{hexdigest}>"

    private

    def finish = @sha2.digest!
  end
end

# The class of digests with this name: Digest(:MD5).
def Digest(name) = Digest.const_get(name.to_sym)
