# What opens a file by itself does not ask File.open or File.new, which a program may have replaced (test doubles do).
require "tmpdir"

Dir.mktmpdir do |dir|
  path = File.join(dir, "file")
  class << File
    def new(*) = raise("new was called")
    alias open_before open
    def open(*) = raise("open was called")
  end
  p File.write(path, "one\ntwo\n"), File.binwrite(path, "three\n", 8), IO.read(path), File.binread(path)
  p File.readlines(path, chomp: true), File.foreach(path).to_a
  p open(path, "r") { |file| file.read }, IO.copy_stream(path, "#{path}2"), File.read("#{path}2")
  p File.open_before(path) { |file| file.gets }
  begin
    open(path, "r", 0, 0)
  rescue ArgumentError => error
    puts error.message
  end
end

class Reader < IO
  def self.new(*) = raise("new was called")

  def initialize(number, mode = "r", shout: false)
    super(number, mode)
    @shout = shout
  end

  def read = @shout ? super.upcase : super
end

here, there = IO.pipe
there << "text"
there.close
Reader.open(here.fileno, shout: true) { |reader| p reader.class, reader.read }
