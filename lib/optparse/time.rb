# frozen_string_literal: true

require "optparse"
require "time"

OptionParser.accept(Time) do |text,|
  (Time.httpdate(text) rescue Time.parse(text)) if text
rescue StandardError
  raise OptionParser::InvalidArgument, text
end
