# Libraries that programs get without asking for them by name.
p defined?(StringScanner)
require "erb"
p ERB.new("<%= 1 %>").result, StringScanner.name
