module OpenURI
  # What an answer says of itself.
  module Meta
    LINE_SPACE = /[\r\n\t ]+/n
    TOKEN = %r{[^\x00- ()<>@,;:\\"/\[\]?={}\x7f]+}n
    QUOTED = /"(?:[^"\\]|\\.)*"/n
    PARAMETER = /;#{LINE_SPACE}?(#{TOKEN})#{LINE_SPACE}?=#{LINE_SPACE}?(#{TOKEN}|#{QUOTED})#{LINE_SPACE}?/n
    private_constant :LINE_SPACE, :TOKEN, :QUOTED, :PARAMETER

    # Makes +object+ one that knows, and tells it what +source+ knows.
    def self.init(object, source = nil) # :nodoc:
      object.extend(Meta)
      object.instance_exec do
        @meta = {}
        @metas = {}
      end
      return unless source

      object.status = source.status
      object.base_uri = source.base_uri
      source.metas.each { |name, values| object.meta_add_field2(name, values) }
    end

    # Code and text, as in ["200", "OK"].
    attr_accessor :status

    # The address that answered: what links are relative to.
    attr_accessor :base_uri

    # The headers: name in small letters to text, and to all texts of that name.
    attr_reader :meta, :metas

    def meta_add_field(name, value) = meta_add_field2(name, [value]) # :nodoc:

    def meta_add_field2(name, values) # :nodoc:
      name = name.downcase
      @metas[name] = values
      @meta[name] = values.join(", ")
      apply_charset if name == "content-type"
    end

    def last_modified = (text = @meta["last-modified"]) && Time.httpdate(text)

    # As in "text/html"; what says nothing is bytes.
    def content_type = (type = content_type_parse) ? type.first(2).join("/") : "application/octet-stream"

    # The name of the encoding. What a text is in that does not say so the block says, or else it is in UTF-8.
    def charset
      type, _, parameters = content_type_parse
      if (name = parameters&.assoc("charset"))
        name[1].downcase
      elsif block_given?
        yield
      elsif type == "text"
        "utf-8"
      end
    end

    # As in ["gzip"].
    def content_encoding
      text = @meta["content-encoding"] or return []
      text.split(/#{LINE_SPACE}?,#{LINE_SPACE}?/).map { |name| name.strip.downcase }
    end

    private

    # Type, subtype and parameters.
    def content_type_parse
      text = @meta["content-type"]
      match = text&.match(%r{\A#{LINE_SPACE}?(#{TOKEN})#{LINE_SPACE}?/(#{TOKEN})#{LINE_SPACE}?((?:#{PARAMETER})*);?#{LINE_SPACE}?\z}n) or return
      parameters = match[3].scan(PARAMETER).map { |name, value| [name.downcase, unquoted(value)] }
      [match[1].downcase, match[2].downcase, parameters]
    end

    def unquoted(value) = value.start_with?('"') ? value[1...-1].gsub(/\\(.)/m) { $1 } : value

    def apply_charset
      encoding = charset.then { |name| name && Encoding.find(name) rescue nil } || Encoding::BINARY
      if respond_to?(:force_encoding)
        force_encoding(encoding)
      elsif respond_to?(:string)
        string.force_encoding(encoding)
      else
        set_encoding(encoding)
      end
    end
  end

  # A body as it arrives: in memory while it is small, then in a file.
  class Buffer # :nodoc:
    StringMax = 10_240

    attr_reader :size

    def initialize
      @io = StringIO.new
      @size = 0
    end

    def <<(text)
      @io << text
      @size += text.bytesize
      move_to_file if @io.is_a?(StringIO) && @size > StringMax
      self
    end

    def io
      Meta.init(@io) unless @io.is_a?(Meta)
      @io
    end

    private

    def move_to_file
      require "tempfile"
      file = Tempfile.new("open-uri")
      file.binmode
      Meta.init(file, @io) if @io.is_a?(Meta)
      file << @io.string
      @io = file
    end
  end
end
