# frozen_string_literal: true

require "optparse"
require "shellwords"

OptionParser.accept(Shellwords) { |text,| Shellwords.shellwords(text) }
