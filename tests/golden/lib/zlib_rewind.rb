# A reader that was rewound has read nothing, and its footer is not looked at.
require "zlib"
require "stringio"

packed = StringIO.new
Zlib::GzipWriter.new(packed).tap { |writer| writer.write("a" * 1000 + "b" * 100) }.close
reader = Zlib::GzipReader.new(StringIO.new(packed.string))
p reader.read(500).size, reader.rewind, reader.pos
p reader.close.class
reader = Zlib::GzipReader.new(StringIO.new(packed.string))
p reader.read.size, reader.rewind, reader.read.size, reader.close.class
