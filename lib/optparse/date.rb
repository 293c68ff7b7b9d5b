# frozen_string_literal: true

require "optparse"
require "date"

OptionParser.accept(DateTime) do |text,|
  DateTime.parse(text) if text
rescue ArgumentError
  raise OptionParser::InvalidArgument, text
end
OptionParser.accept(Date) do |text,|
  Date.parse(text) if text
rescue ArgumentError
  raise OptionParser::InvalidArgument, text
end
