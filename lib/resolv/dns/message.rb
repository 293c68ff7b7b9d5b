# frozen_string_literal: true

class Resolv
  class DNS
    module OpCode
      Query = 0
      IQuery = 1
      Status = 2
      Notify = 4
      Update = 5
    end

    # How a question was answered.
    module RCode
      NoError = 0
      FormErr = 1
      ServFail = 2
      NXDomain = 3
      NotImp = 4
      Refused = 5
      YXDomain = 6
      YXRRSet = 7
      NXRRSet = 8
      NotAuth = 9
      NotZone = 10
      BADVERS = 16
      BADSIG = 16
      BADKEY = 17
      BADTIME = 18
      BADMODE = 19
      BADNAME = 20
      BADALG = 21
    end

    class DecodeError < StandardError
    end

    class EncodeError < StandardError
    end

    # A question, or an answer with records.
    class Message
      attr_accessor :id, :qr, :opcode, :aa, :tc, :rd, :ra, :rcode
      attr_reader :question, :answer, :authority, :additional

      def initialize(id = Random.random_number(0x10000))
        @id = id
        @qr = @opcode = @aa = @tc = @rd = @ra = @rcode = 0
        @question = []
        @answer = []
        @authority = []
        @additional = []
      end

      PARTS = %i[id qr opcode aa tc rd ra rcode question answer authority additional].freeze
      private_constant :PARTS

      def ==(other)
        other.class == self.class && PARTS.all? { |name| public_send(name) == other.public_send(name) }
      end

      def add_question(name, typeclass) = @question << [Name.create(name), typeclass]

      def each_question(&block) = @question.each(&block)

      def add_answer(name, ttl, data) = @answer << [Name.create(name), ttl, data]

      def each_answer(&block) = @answer.each(&block)

      def add_authority(name, ttl, data) = @authority << [Name.create(name), ttl, data]

      def each_authority(&block) = @authority.each(&block)

      def add_additional(name, ttl, data) = @additional << [Name.create(name), ttl, data]

      def each_additional(&block) = @additional.each(&block)

      def each_resource(&block) = [*@answer, *@authority, *@additional].each(&block)

      def encode
        MessageEncoder.new do |out|
          flags = (@qr & 1) << 15 | (@opcode & 15) << 11 | (@aa & 1) << 10 | (@tc & 1) << 9 | (@rd & 1) << 8 | (@ra & 1) << 7
          flags |= @rcode & 15
          out.put_pack("nnnnnn", @id, flags, @question.size, @answer.size, @authority.size, @additional.size)
          @question.each do |name, typeclass|
            out.put_name(name)
            out.put_pack("nn", typeclass::TypeValue, typeclass::ClassValue)
          end
          each_resource { |record| out.put_record(*record) }
        end.to_s
      end

      def self.decode(data)
        message = new(0)
        MessageDecoder.new(data) do |input|
          message.id, flags, *counts = input.get_unpack("nnnnnn")
          message.__send__(:flags=, flags)
          decode_sections(message, input, *counts)
        end
        message
      end

      # One that was cut may end within a record.
      def self.decode_sections(message, input, questions, answers, authorities, additionals)
        questions.times { message.add_question(*input.get_question) }
        answers.times { message.add_answer(*input.get_rr) }
        authorities.times { message.add_authority(*input.get_rr) }
        additionals.times { message.add_additional(*input.get_rr) }
      rescue DecodeError
        raise if message.tc == 0
      end
      private_class_method :decode_sections

      private

      def flags=(flags)
        @qr = flags >> 15 & 1
        @opcode = flags >> 11 & 15
        @aa = flags >> 10 & 1
        @tc = flags >> 9 & 1
        @rd = flags >> 8 & 1
        @ra = flags >> 7 & 1
        @rcode = flags & 15
      end

      # Makes the bytes of a message. A name that stands somewhere already is a reference to it.
      class MessageEncoder
        def initialize
          @data = "".b
          @names = {}
          yield self
        end

        def to_s = @data

        def put_bytes(bytes) = @data << bytes.b

        def put_pack(template, *values) = @data << values.pack(template)

        # Two bytes that say how long it is what the block puts.
        def put_length16
          at = @data.bytesize
          @data << "\0\0"
          start = @data.bytesize
          yield
          @data.bytesplice(at, 2, [@data.bytesize - start].pack("n"))
        end

        def put_string(text)
          raise EncodeError, "string too long: #{text.bytesize}" if text.bytesize > 255
          put_pack("C", text.bytesize)
          @data << text.b
        end

        def put_string_list(texts) = texts.each { |text| put_string(text) }

        def put_name(name, compress: true) = put_labels(name.to_a, compress: compress)

        def put_labels(labels, compress: true)
          labels.each_index do |index|
            rest = labels[index..]
            return put_pack("n", 0xc000 | @names[rest]) if compress && @names[rest]
            @names[rest] ||= @data.bytesize if @data.bytesize < 0x4000
            put_label(labels[index])
          end
          @data << "\0"
        end

        def put_label(label) = put_string(label.to_s)

        def put_record(name, ttl, data)
          put_name(name)
          put_pack("nnN", data.class::TypeValue, data.class::ClassValue, ttl)
          put_length16 { data.encode_rdata(self) }
        end
      end

      # Reads the bytes of a message.
      class MessageDecoder
        def initialize(data)
          @data = data.b
          @index = 0
          @limit = @data.bytesize
          yield self
        end

        def inspect = "#<#{self.class} #{@index}/#{@limit}>"

        # Reads what stands behind two bytes that say how long it is; all of it must be read.
        def get_length16
          length, = get_unpack("n")
          before, @limit = @limit, @index + length
          value = yield(length)
          raise DecodeError, @index < @limit ? "junk exists" : "limit exceeded" if @index != @limit
          @limit = before
          value
        end

        def get_bytes(length = @limit - @index)
          raise DecodeError, "limit exceeded" if @limit < @index + length
          @index += length
          @data.byteslice(@index - length, length) || ""
        end

        def get_unpack(template)
          size = template.each_char.sum { |letter| {"C" => 1, "c" => 1, "n" => 2, "N" => 4}.fetch(letter) }
          bytes = get_bytes(size)
          raise DecodeError, "limit exceeded" if bytes.bytesize < size
          bytes.unpack(template)
        end

        def get_string = get_bytes(get_unpack("C").first)

        def get_string_list
          texts = []
          texts << get_string while @index < @limit
          texts
        end

        # What the block reads until the end of the record or part.
        def get_list
          list = []
          list << yield while @index < @limit
          list
        end

        def get_name = Name.new(get_labels)

        # References lead back, so that none leads round.
        def get_labels
          labels = []
          size = 1
          limit = @index
          behind = nil
          loop do
            raise DecodeError, "limit exceeded" if @index >= @limit
            length = @data.getbyte(@index) or raise DecodeError, "limit exceeded"
            if length == 0
              @index += 1
              break
            elsif length >= 192
              target = get_unpack("n").first & 0x3fff
              raise DecodeError, "non-backward name pointer" if target >= limit
              behind ||= @index
              limit = @index = target
            else
              label = get_label
              size += 1 + label.string.bytesize
              raise DecodeError, "name label data exceed 255 octets" if size > 255
              labels << label
            end
          end
          @index = behind if behind
          labels
        end

        def get_label = Label::Str.new(get_string)

        def get_question
          name = get_name
          type, klass = get_unpack("nn")
          [name, Resource.get_class(type, klass)]
        end

        def get_rr
          name = get_name
          type, klass, ttl = get_unpack("nnN")
          typeclass = Resource.get_class(type, klass)
          record = get_length16 do
            typeclass.decode_rdata(self)
          rescue ArgumentError => error
            raise DecodeError, error.message
          end
          record.instance_variable_set(:@ttl, ttl)
          [name, ttl, record]
        end
      end
    end
  end
end
