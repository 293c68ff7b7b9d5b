# A literal string keeps its encoding when that of the stream changes.
require "stringio"

p((stream = StringIO.new("abc")).set_encoding("euc-jp").string.encoding, stream.read.encoding, stream.external_encoding)
p StringIO.new(+"abc").set_encoding("euc-jp").string.encoding
p StringIO.new("abc".freeze).set_encoding("euc-jp").string.encoding
begin
  StringIO.new("abc").pread(1, -1)
rescue Errno::EINVAL => error
  puts error.message
end
