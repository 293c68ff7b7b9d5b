# frozen_string_literal: true

require "optparse"
require "uri"

OptionParser.accept(URI) { |text,| URI.parse(text) if text }
