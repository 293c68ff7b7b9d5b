# frozen_string_literal: true

require "uri/generic"

module URI
  class FTP < Generic
    DEFAULT_PORT = 21
    COMPONENT = [:scheme, :userinfo, :host, :port, :path, :typecode].freeze
    TYPECODE = ["a", "i", "d"].freeze
    TYPECODE_PREFIX = ";type=".freeze

    def self.new2(user, password, host, port, path, typecode = nil, arg_check = true)
      new("ftp", [user, password], host, port, nil, typecode ? path + TYPECODE_PREFIX + typecode : path, nil, nil, nil, nil,
          arg_check)
    end

    def self.build(components)
      parts = Util.make_components_hash(self, components)
      parts[:path] = parts[:path].sub(%r{\A/}, "%2F") if parts[:path]
      parts[:path] = parts[:path] + TYPECODE_PREFIX + parts[:typecode] if parts[:typecode]
      super(parts)
    end

    attr_reader :typecode

    def initialize(scheme, userinfo, host, port, registry, path, opaque, query, fragment, parser = nil, arg_check = false)
      raise InvalidURIError unless path
      path = path.sub(%r{\A/}, "").sub(/\A%2F/, "/")
      super
      @typecode = nil
      return unless (index = @path.index(TYPECODE_PREFIX))
      typecode = @path[index + TYPECODE_PREFIX.size..]
      @path = @path[0...index]
      arg_check ? self.typecode = typecode : set_typecode(typecode)
    end

    def typecode=(typecode)
      check_typecode(typecode)
      set_typecode(typecode)
      typecode
    end

    def merge(other)
      merged = super
      merged.__send__(:set_typecode, other.typecode) if merged != self && FTP === other
      merged
    end

    # Relative to the folder that the server shows first.
    def path = @path.sub(%r{\A/}, "").sub(/\A%2F/, "/")

    def to_s
      return super unless @typecode
      path = @path
      begin
        @path = path + TYPECODE_PREFIX + @typecode
        super
      ensure
        @path = path
      end
    end

    protected

    def set_path(path) = super("/" + path.sub(%r{\A/}, "%2F"))

    def set_typecode(typecode) = @typecode = typecode

    private

    def check_typecode(typecode)
      bad_component("typecode", typecode) unless TYPECODE.include?(typecode)
      true
    end
  end

  register_scheme "FTP", FTP
end
