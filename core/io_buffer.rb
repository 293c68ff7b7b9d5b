# IO::Buffer: what yields.
class IO
  class Buffer
    class << self
      # A read-only buffer over the string's bytes; with a block, one that writes them, while nobody else may.
      def for(string)
        return Primitive.buffer_for(self, string, false) unless block_given?
        string = Primitive.to_str(string)
        buffer = Primitive.buffer_for(self, string, true)
        begin
          yield buffer
        ensure
          Primitive.buffer_release(buffer, string)
        end
      end

      # A new string of +length+ bytes that the block fills through a buffer.
      def string(length)
        buffer = Primitive.buffer_string(self, length)
        string = Primitive.buffer_source(buffer)
        begin
          raise LocalJumpError, "no block given" unless block_given?
          yield buffer
        ensure
          Primitive.buffer_release(buffer, string)
        end
        string
      end
    end

    # Calls the block while the buffer can be neither resized nor freed. It stays locked when the block raises.
    def locked
      Primitive.buffer_lock(self)
      result = yield self
      Primitive.buffer_unlock(self)
      result
    end

    # Calls the block with the offset and the value of each number.
    def each(type = (no_type = true; :U8), offset = Primitive.undef, count = Primitive.undef)
      return to_enum(:each, *[type, offset, count].reject { |arg| no_type || Primitive.undef?(arg) }) unless block_given?
      offset, count, size = Primitive.buffer_range(self, type, offset, count)
      count.times do
        yield offset, Primitive.buffer_value(self, type, offset)
        offset += size
      end
      self
    end

    def each_byte(offset = Primitive.undef, count = Primitive.undef)
      return to_enum(:each_byte, *[offset, count].reject { |arg| Primitive.undef?(arg) }) unless block_given?
      offset, count = Primitive.buffer_range(self, :U8, offset, count)
      count.times { |index| yield Primitive.buffer_value(self, :U8, offset + index) }
      self
    end
  end
end
