# File, Dir and IO on a temporary folder: writing, reading, seeking, line iteration, metadata, errors.
require "tmpdir"
Dir.mktmpdir do |dir|
  path = File.join(dir, "a.txt")
  p File.write(path, "line 1\nline 2\r\nlast é"), File.read(path), File.size(path), File.readlines(path), File.readlines(path, chomp: true), File.foreach(path).map(&:size), IO.read(path, 4, 2), File.binread(path, 3).encoding, File.exist?(path), File.file?(path), File.directory?(dir), File.zero?(path), File.extname(path), File.basename(path), File.basename(path, ".txt"), File.basename(path, ".*")
  File.open(path, "r+") do |f|
    p f.gets, f.pos, f.lineno, f.getc, f.ungetc("X"), f.read(3), f.readline, f.eof?, f.read, f.eof?, f.gets, f.read, f.read(1), (f.readline rescue $!.message), f.rewind, f.readchar, f.getbyte, f.seek(-3, IO::SEEK_END), f.read, f.pos = 0, f.each_line.to_a.size, f.closed?, f.path == path, f.fileno > 2
    f.seek(0)
    f.write("LINE", 1)
    f.puts "put", [1, [2]]
    f << "chain" << 5
    f.print "pr", "int"
    f.printf("%03d", 7)
    f.flush
    f.truncate(20)
  end
  p File.read(path), File.open(path, "a") { |f| f.write("appended"); f.pos }, File.open(path) { |f| f.readlines(nil) }, File.open(path, "w+") { |f| f.write("abc\n\ndef\n\n\nghi"); f.rewind; [f.gets(""), f.gets("", chomp: true), f.gets(nil), f.gets] }, File.open(path) { |f| f.each_char.first(3) }, File.open(path) { |f| f.each_byte.first(2) }, File.open(path) { |f| [f.gets("c"), f.gets(2), f.gets("f", 10), f.getc] }
  p (File.open(File.join(dir, "none")) rescue $!.message.sub(dir, "DIR")), (File.open(path, "zz") rescue $!.message), (File.open(path) { |f| f.write("x") } rescue $!.class), (f = File.open(path); f.close; f.read rescue $!.message), (Dir.mkdir(dir) rescue $!.class), (File.rename(path + "x", path) rescue $!.class), (File.delete(path + "x") rescue $!.class), (Dir.rmdir(dir) rescue $!.class)
  Dir.mkdir(File.join(dir, "sub"))
  File.write(File.join(dir, "sub", "b.rb"), "1")
  File.write(File.join(dir, "c.rb"), "2")
  p Dir.children(dir).sort, (Dir.entries(dir) - [".", ".."]).sort, Dir.glob("**/*.rb", base: dir).sort, Dir.glob(File.join(dir, "*.{rb,txt}")).map { File.basename(_1) }.sort, Dir.exist?(File.join(dir, "sub")), Dir.empty?(dir), Dir.each_child(dir).to_a.size, Dir.glob("*", base: dir).sort
  p File.rename(File.join(dir, "c.rb"), File.join(dir, "d.rb")), File.exist?(File.join(dir, "d.rb")), File.delete(File.join(dir, "d.rb")), File.stat(path).file?, File.stat(path).size, File.stat(path).directory?, File.mtime(path).class, File.ftype(path), File.ftype(dir), File.readable?(path), File.identical?(path, path)
  p File.open(path, "wb") { |f| f.write("\xff\x00".b) }, File.binread(path).bytes, File.read(path, encoding: "BINARY").encoding, File.read(path).valid_encoding?, File.open(path, "r:iso-8859-1:utf-8") { |f| f.read }.inspect, File.open(path, "w", encoding: "UTF-16LE") { |f| f.write("hé") }, File.binread(path).bytes, IO.binwrite(path, "12345", 2), IO.copy_stream(path, path + ".copy"), File.size(path + ".copy"), File.write(path, "z", mode: "a"), File.new(path, "w", 0o644).tap(&:close).closed?
  IO.write(path, "1 2\n3 4\n")
  p File.foreach(path, chomp: true).map { |l| l.split.map(&:to_i) }, File.open(path, &:readlines), File.open(path).each_line(chomp: true).with_index.to_a, File.open(path) { |f| f.pread(3, 2) }, File.open(path) { |f| f.sysread(2) }, File.open(path) { |f| f.readpartial(100) }
end
p File.join("a", "/b/", "c"), File.join("a//", "b"), File.join, File.join("a", ["b", ["c"]]), File.split("/x/y.z"), File.dirname("/a/b/c"), File.dirname("/a/b/c", 2), File.dirname("x"), File.extname("a.tar.gz"), File.extname(".bashrc"), File.extname("a."), File.expand_path("/a/../b/./c"), File.expand_path("x", "/y"), File.expand_path("../z", "/y/w"), File.absolute_path?("/a"), File.absolute_path?("a"), File.fnmatch("*.rb", "a.rb"), File.fnmatch("**/*.rb", "a/b.rb", File::FNM_PATHNAME), File.fnmatch("*", ".hidden"), File.fnmatch("{a,b}", "a", File::FNM_EXTGLOB), File.fnmatch?("[a-c]?", "bz"), File::SEPARATOR, File.basename("/"), File.basename("a/b/")
p $stdout.sync.class, $stdout.fileno, $stdin.class, STDERR.fileno, $stdout.closed?, IO.instance_methods(false).include?(:each_line), File.superclass, IO.ancestors.include?(Enumerable), $stdout.external_encoding, $stdin.external_encoding.class
require "stringio"
io = StringIO.new("one\ntwo\nthree")
p io.gets, io.read(2), io.pos, io.each_line.to_a, io.eof?, io.rewind, io.readlines(chomp: true), io.string.size, StringIO.new.tap { |o| o.puts 1, "x"; o.print 2; o << 3; o.printf("%d", 4); o.write("a", "b") }.string, (StringIO.new("x".freeze).write("y") rescue $!.class), StringIO.new("abc").each_char.to_a, StringIO.new("ab").getc, StringIO.new("é").getbyte, io.closed?, io.close, (io.read rescue $!.message)
saved, $stdout = $stdout, StringIO.new
puts "captured"
captured, $stdout = $stdout.string, saved
p captured
