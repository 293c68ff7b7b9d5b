# frozen_string_literal: true

require "uri/generic"

module URI
  # RFC 2255: what to look for stands in the query.
  class LDAP < Generic
    DEFAULT_PORT = 389
    COMPONENT = [:scheme, :host, :port, :dn, :attributes, :scope, :filter, :extensions].freeze
    SCOPE = [SCOPE_ONE = "one", SCOPE_SUB = "sub", SCOPE_BASE = "base"].freeze

    def self.build(components)
      parts = Util.make_components_hash(self, components)
      parts[:path] = parts[:dn] if parts[:dn]
      query = [:extensions, :filter, :scope, :attributes].each_with_object([]) do |name, found|
        found.unshift(parts[name].to_s) if parts[name] || !found.empty?
      end
      parts[:query] = query.join("?") unless query.empty?
      super(parts)
    end

    attr_reader :dn, :attributes, :scope, :filter, :extensions

    def initialize(*arguments)
      super
      raise InvalidURIError, "bad LDAP URL" if @fragment
      parse_dn
      parse_query
    end

    def dn=(dn)
      set_dn(dn)
    end

    def attributes=(attributes)
      set_attributes(attributes)
    end

    def scope=(scope)
      set_scope(scope)
    end

    def filter=(filter)
      set_filter(filter)
    end

    def extensions=(extensions)
      set_extensions(extensions)
    end

    def hierarchical? = false

    protected

    def set_dn(dn) = set_part { @dn = dn }

    def set_attributes(attributes) = set_part { @attributes = attributes }

    def set_scope(scope) = set_part { @scope = scope }

    def set_filter(filter) = set_part { @filter = filter }

    def set_extensions(extensions) = set_part { @extensions = extensions }

    private

    def set_part
      value = yield
      build_path_query
      value
    end

    def parse_dn
      raise InvalidURIError, "bad LDAP URL" unless @path
      @dn = @path[1..]
    end

    def parse_query
      @attributes, @scope, @filter, @extensions = @query.to_s.split("?").map { |part| part unless part.empty? }
    end

    def build_path_query
      @path = "/#{@dn}"
      query = [@extensions, @filter, @scope, @attributes].drop_while { |part| part.nil? || part.empty? }
      @query = query.reverse.join("?")
    end
  end

  class LDAPS < LDAP
    DEFAULT_PORT = 636
  end

  register_scheme "LDAP", LDAP
  register_scheme "LDAPS", LDAPS
end
