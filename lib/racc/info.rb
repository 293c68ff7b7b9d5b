# frozen_string_literal: true

module Racc
  VERSION = "1.8.1".freeze
  Version = VERSION
  Copyright = "Copyright (c) 1999-2006 Minero Aoki".freeze
end
