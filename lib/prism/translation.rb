# frozen_string_literal: true

require "ripper"

module Prism
  # The tree in other libraries' forms. Ripper is made of it here; what is for the gems parser and ruby_parser comes with the gem prism.
  module Translation
    Ripper = ::Ripper
  end
end
