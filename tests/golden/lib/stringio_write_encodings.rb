# StringIO#write: what it does with the encodings of the text, of the string and of the stream.
require "stringio"
texts = ["", "abc", "é", "é".encode("ISO-8859-1"), "é\xFF", "\xC3\xA9".b, "xy".b,
         "xy".dup.force_encoding("US-ASCII"), "\xC3\xA9".dup.force_encoding("US-ASCII"),
         "é".encode("UTF-16LE"), "\x00\xD8".dup.force_encoding("UTF-16LE")]
starts = ["", "abc", "é", "xy".b, "xy".dup.force_encoding("US-ASCII"), "\xC3\xA9".b]

def shown(text) = "#{text.b.inspect} #{text.encoding}"

def written(io, text)
  "#{io.write(text)} #{shown(io.string)}"
rescue EncodingError
  "#{$!.class}: #{$!.message}"
end

starts.each do |start|
  [nil, "UTF-8", "US-ASCII", "BINARY", "ISO-8859-1", "UTF-16LE"].each do |encoding|
    texts.each do |text|
      results = [IO::SEEK_END, IO::SEEK_SET].map do |place|
        io = StringIO.new(start.dup)
        io.set_encoding(encoding) if encoding
        io.seek(0, place)
        written(io, text)
      end
      puts "#{shown(start)} as #{encoding || "it is"}, #{shown(text)}: #{results.join(", at the start ")}"
    end
  end
end

# The same rule for what ends in write.
text = "Ni\xC3\xB1o".dup.force_encoding("US-ASCII")
%i[print puts << syswrite].each do |name|
  io = StringIO.new(+"")
  io.public_send(name, text)
  p name, io.string, io.string.encoding
  io = StringIO.new(+"é")
  io.public_send(name, text)
  p io.string, io.string.encoding
end
