# frozen_string_literal: true

module URI
  VERSION = "1.1.1".freeze
  VERSION_CODE = "010101".freeze
end
