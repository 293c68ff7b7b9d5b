# oracle: native
# What the class methods of files hand on is what initialize of a class below gets.
require "zlib"
require "stringio"

class Writer < Zlib::GzipWriter
  def initialize(*given, **options)
    $stdout.puts "#{self.class} #{given.drop(1)} #{options.keys}"
    super
  end
end

class Reader < Zlib::GzipReader
  def initialize(*given, **options)
    $stdout.puts "#{self.class} #{given.drop(1)} #{options.keys}"
    super
  end
end

class Strict < Zlib::GzipWriter
  def initialize(io) = super(io)
end

path = "/tmp/zlib_open_#{Process.pid}_#{rand(1 << 40)}.gz"
begin
  p Writer.open(path) { |file| file.write("text") }
  p Reader.open(path, &:read)
  p Writer.open(path, 9) { |file| file.write("more") }
  p Writer.open(path, 9, nil) { |file| file.write("texts") }
  p Reader.open(path, external_encoding: "UTF-16LE") { |file| file.read.encoding }
  Strict.open(path) { |file| file.write("strict") }
  p Zlib::GzipReader.open(path, &:read)
  [-> { Strict.open(path, 1) }, -> { Writer.open }, -> { Reader.open }].each do |call|
    call.call
  rescue ArgumentError => error
    puts error.message
  end
ensure
  File.delete(path) if File.exist?(path)
end
sink = StringIO.new
p Writer.wrap(sink, 1) { |file| file.write("text") }
