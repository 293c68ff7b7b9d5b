# frozen_string_literal: true

require "uri/common"

module URI
  # An URI of any scheme, or a relative one.
  class Generic
    include URI

    DEFAULT_PORT = nil
    COMPONENT = [:scheme, :userinfo, :host, :port, :registry, :path, :opaque, :query, :fragment].freeze
    USE_REGISTRY = false

    class << self
      def default_port = self::DEFAULT_PORT

      def component = self::COMPONENT

      def use_registry = self::USE_REGISTRY

      # An URI of checked components, in an Array or a Hash.
      def build(components)
        case components
        when Array
          raise_components unless components.size == Generic::COMPONENT.size
          parts = components.dup
        when Hash then parts = Generic::COMPONENT.map { |name| components[name] }
        else raise_components
        end
        new(*parts, nil, true)
      end

      # The same, with whatever must be escaped.
      def build2(components)
        build(components)
      rescue InvalidComponentError
        escape = ->(part) { part ? URI::RFC2396_PARSER.escape(part.to_s) : part }
        build(Array === components ? components.map(&escape) : components.transform_values(&escape))
      end

      private

      def raise_components
        names = component rescue COMPONENT
        raise ArgumentError, "expected Array of or Hash of components of #{self} (#{names.join(", ")})"
      end
    end

    attr_reader :scheme, :host, :port, :path, :query, :opaque, :fragment

    def initialize(scheme, userinfo, host, port, registry, path, opaque, query, fragment, parser = nil, arg_check = false)
      @scheme = @user = @password = @host = @port = @path = @query = @opaque = @fragment = nil
      @parser = parser.equal?(DEFAULT_PARSER) ? nil : parser
      if arg_check
        set_checked(scheme, userinfo, host, port, path, opaque, query, fragment)
      else
        set_unchecked(scheme, userinfo, host, port, path, opaque, query, fragment)
      end
      if registry
        raise InvalidURIError,
              "the scheme #{@scheme} does not accept registry part: #{registry} (or bad hostname?)"
      end
      @scheme&.freeze
      set_path("") if !@path && !@opaque
      set_port(default_port) if default_port && !@port
    end

    def parser = @parser || DEFAULT_PARSER

    def default_port = self.class.default_port

    def component = self.class.component

    def registry = nil

    def registry=(_)
      raise InvalidURIError, "cannot set registry"
    end

    def userinfo
      return @user if @user.nil? || @password.nil?
      "#{@user}:#{@password}"
    end

    attr_reader :user, :password

    def decoded_user = @user && URI.decode_uri_component(@user)

    def decoded_password = @password && URI.decode_uri_component(@password)

    # An IPv6 address without its brackets.
    def hostname
      host = self.host
      host&.start_with?("[") && host.end_with?("]") ? host[1..-2] : host
    end

    def hostname=(name)
      name = "[#{name}]" if name&.include?(":") && !(name.start_with?("[") && name.end_with?("]"))
      self.host = name
    end

    # User, password, host and port, if any of them is there.
    def authority
      return @user, @password, @host, @port if @user || @password || @host || @port
    end

    def scheme=(scheme)
      check_scheme(scheme)
      set_scheme(scheme)
      scheme
    end

    def userinfo=(userinfo)
      return if userinfo.nil?
      check_userinfo(*userinfo)
      set_userinfo(*userinfo)
    end

    def user=(user)
      check_user(user)
      set_user(user)
    end

    def password=(password)
      check_password(password)
      set_password(password)
    end

    def host=(host)
      check_host(host)
      set_host(host)
      set_userinfo(nil)
      host
    end

    def port=(port)
      check_port(port)
      set_port(port)
      set_userinfo(nil)
      port
    end

    def path=(path)
      check_path(path)
      set_path(path)
      path
    end

    def opaque=(opaque)
      check_opaque(opaque)
      set_opaque(opaque)
      opaque
    end

    # What must not stand in a query is escaped; blanks that lines bring are dropped. An escape of two characters that are no
    # digits is refused.
    def query=(query)
      return @query = nil unless query
      raise InvalidURIError, "query conflicts with opaque" if @opaque
      @query = in_ascii(query, /\A(?:[!$&(-;=?-_a-~]|%\h\h)*+\z/) and return
      bytes = bytes_of(query)
      wrong = bytes[/%\H\H/n] and raise InvalidURIError, "invalid percent escape: #{wrong}"
      @query = escaped(bytes, /(?!%\h\h|[!$-&(-;=?-_a-~])./n)
    end

    def fragment=(fragment)
      return @fragment = nil unless fragment
      @fragment = in_ascii(fragment, /\A[!-~]*+\z/) || escaped(bytes_of(fragment), /(?!%\h\h|[!-~])./n)
    end

    def hierarchical? = !@opaque

    def absolute? = !!@scheme
    alias absolute absolute?

    def relative? = !absolute?

    # Scheme and host in lower case, and a path.
    def normalize = dup.tap(&:normalize!)

    def normalize!
      set_path("/") if path&.empty?
      set_scheme(scheme.downcase) if scheme && scheme.match?(/[A-Z]/)
      set_host(host.downcase) if host && host.match?(/[A-Z]/)
    end

    def to_s
      text = +""
      text << @scheme << ":" if @scheme
      if @opaque
        text << @opaque
      else
        text << "//" if @host || @scheme == "file" || @scheme == "postgres"
        userinfo = self.userinfo
        text << userinfo << "@" if userinfo
        text << @host if @host
        text << ":" << @port.to_s if @port && @port != default_port
        text << "/" if (@host || @port) && !@path.empty? && !@path.start_with?("/")
        text << @path
        text << "?" << @query if @query
      end
      text << "#" << @fragment if @fragment
      text
    end
    alias to_str to_s

    def inspect = "#<#{self.class} #{self}>"

    def ==(other)
      self.class == other.class && normalize.component_ary == other.normalize.component_ary
    end

    def hash = component_ary.hash

    def eql?(other) = self.class == other.class && parser == other.parser && component_ary.eql?(other.component_ary)

    # The values of components, in the order asked for.
    def select(*components)
      components.map do |name|
        unless component.include?(name)
          raise ArgumentError, "expected of components of #{self.class} (#{self.class.component.join(", ")})"
        end
        __send__(name)
      end
    end

    def coerce(other)
      text = String.try_convert(other) or raise ArgumentError, "expected String or URI object"
      [parser.parse(text), self]
    end

    protected

    def component_ary = component.map { |name| __send__(name) }

    def set_scheme(scheme) = @scheme = scheme&.downcase

    def set_userinfo(user, password = nil)
      user, password = split_userinfo(user) if user && !password
      @user = user
      @password = password
      [@user, @password]
    end

    def set_user(user)
      set_userinfo(user, nil)
      user
    end

    def set_password(password)
      @password = password
    end

    def set_host(host) = @host = host

    def set_port(port)
      port = port.empty? ? nil : port.to_i unless port.nil? || Integer === port
      @port = port
    end

    def set_authority(user, password, host, port = nil)
      @user = user
      @password = password
      @host = host
      @port = port
    end

    def set_registry(_)
      raise InvalidURIError, "cannot set registry"
    end

    def set_path(path) = @path = path

    def set_opaque(opaque) = @opaque = opaque

    private

    def set_checked(scheme, userinfo, host, port, path, opaque, query, fragment)
      self.scheme = scheme
      self.hostname = host
      self.port = port
      self.userinfo = userinfo
      self.path = path
      self.query = query
      self.opaque = opaque
      self.fragment = fragment
    end

    def set_unchecked(scheme, userinfo, host, port, path, opaque, query, fragment)
      set_scheme(scheme)
      set_host(host)
      set_port(port)
      set_userinfo(userinfo) if userinfo
      set_path(path)
      self.query = query
      set_opaque(opaque)
      self.fragment = fragment
    end

    def replace!(other)
      if self.class != other.class
        raise ArgumentError, "expected #{self.class} object"
      end
      component.each { |name| __send__(:"#{name}=", other.__send__(name)) }
    end

    def split_userinfo(userinfo)
      return nil, nil unless userinfo
      user, password = userinfo.split(":", 2)
      [user, password]
    end

    def escape_userpass(part) = parser.escape(part, /[@:\/]/)

    # A copy of a text that has nothing but what +safe+ describes, in ASCII; nil for another text.
    def in_ascii(text, safe)
      return unless String === text && text.ascii_only? && text.match?(safe)
      text.dup.force_encoding(Encoding::US_ASCII)
    end

    # A copy of a text in UTF-8 as bytes, without what ends lines.
    def bytes_of(text)
      copy = text.to_str.dup
      begin
        copy.encode!(Encoding::UTF_8)
      rescue EncodingError
        # Bytes of no known characters are escaped one by one, too.
      end
      copy.delete!("\t\r\n")
      copy.force_encoding(Encoding::BINARY)
    end

    # The bytes, escaped in place where +unsafe+ says so, in ASCII.
    def escaped(bytes, unsafe)
      bytes.gsub!(unsafe) { |byte| format("%%%02X", byte.ord) }
      bytes.force_encoding(Encoding::US_ASCII)
    end

    def bad_component(name, value)
      raise InvalidComponentError, "bad component(expected #{name} component): #{value}"
    end

    def check_scheme(scheme)
      bad_component("scheme", scheme) if scheme && !parser.regexp[:SCHEME].match?(scheme)
      true
    end

    def check_userinfo(user, password = nil)
      user, password = split_userinfo(user) unless password
      check_user(user)
      check_password(password, user)
    end

    def check_user(user)
      raise InvalidURIError, "cannot set user with opaque" if @opaque
      return user unless user
      bad_component("userinfo component or user", user) unless parser.regexp[:USERINFO].match?(user)
      true
    end

    def check_password(password, user = @user)
      raise InvalidURIError, "cannot set password with opaque" if @opaque
      return password unless password
      raise InvalidURIError, "password component depends user component" unless user
      raise InvalidComponentError, "bad password component" unless parser.regexp[:USERINFO].match?(password)
      true
    end

    def check_host(host)
      return host unless host
      raise InvalidURIError, "cannot set host with registry or opaque" if @opaque
      bad_component("host", host) unless parser.regexp[:HOST].match?(host)
      true
    end

    def check_port(port)
      return port unless port
      raise InvalidURIError, "cannot set port with registry or opaque" if @opaque
      unless Integer === port || parser.regexp[:PORT].match?(port)
        raise InvalidComponentError, "bad component(expected port component): #{port.inspect}"
      end
      true
    end

    # Only FTP has relative paths behind a host.
    def check_path(path)
      raise InvalidURIError, "path conflicts with opaque" if path && @opaque
      return true if path.nil? || path.empty? || parser.regexp[:ABS_PATH].match?(path)
      bad_component("absolute path", path) unless @scheme.nil? || @scheme == "ftp"
      bad_component("relative path", path) unless parser.regexp[:REL_PATH].match?(path)
      true
    end

    def check_opaque(opaque)
      return opaque unless opaque
      if @host || @port || @user || @path
        raise InvalidURIError, "cannot set opaque with host, port, userinfo or path"
      end
      bad_component("opaque", opaque) unless parser.regexp[:OPAQUE].match?(opaque)
      true
    end

    def check_registry(_)
      raise InvalidURIError, "cannot set registry"
    end
  end
end

require "uri/merging"
require "uri/proxy"
