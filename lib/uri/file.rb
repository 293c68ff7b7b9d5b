# frozen_string_literal: true

require "uri/generic"

module URI
  class File < Generic
    DEFAULT_PORT = nil
    COMPONENT = [:scheme, :host, :path].freeze

    def self.build(components) = super(Util.make_components_hash(self, components))

    # This machine has no name here.
    def set_host(host)
      @host = host.nil? || host == "localhost" ? "" : host
    end

    def set_port(_)
    end

    def check_userinfo(_)
      raise InvalidURIError, "cannot set userinfo for file URI"
    end

    def check_user(_)
      raise InvalidURIError, "cannot set user for file URI"
    end

    def check_password(_)
      raise InvalidURIError, "cannot set password for file URI"
    end

    def set_userinfo(*)
    end

    def set_user(_)
    end

    def set_password(_)
    end
  end

  register_scheme "FILE", File
end
