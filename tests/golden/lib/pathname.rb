# Names of files, as objects.
require "pathname"
require "tmpdir"

PATHS = ["", ".", "..", "/", "//", "a", "a/", "a/b", "a//b", "./a", "a/.", "a/..", "a/../b", "../a", "/a/../..", "a/./b/", "/a/b/../c/", "a/b.rb", ".x", "x.tar.gz", "../../x", "a/b/../..", "./", "/."].freeze
PATHS.each do |path|
  x = Pathname.new(path)
  p [path, x.cleanpath.to_s, x.cleanpath(true).to_s, x.parent.to_s, x.basename.to_s, x.dirname.to_s, x.extname, x.absolute?, x.root?,
     x.each_filename.to_a, x.ascend.map(&:to_s), x.descend.map(&:to_s), x.sub_ext(".z").to_s, x.split.map(&:to_s)]
end
PATHS.each { |a| p PATHS.map { |b| (Pathname.new(a) + b).to_s } }
PATHS.each { |a| p PATHS.map { |b| (Pathname.new(a).relative_path_from(Pathname.new(b)).to_s rescue $!.class) } }
p Pathname("a").join("b", "c"), Pathname("a").join("/b", "c"), Pathname("a").join("b", "/c", "d"), Pathname("a").join, Pathname("a") / "b"
p Pathname("a") == Pathname("a"), Pathname("a").eql?(Pathname("a")), Pathname("a") == "a", Pathname("a").hash == Pathname("a").hash
p Pathname("a/b") <=> Pathname("a.b"), Pathname("a") <=> "a", [Pathname("b"), Pathname("a")].min
p((Pathname.new(nil) rescue $!), (Pathname.new("a\0b") rescue $!), (Pathname.new(3) rescue $!))
p Pathname("a").to_s, "#{Pathname("x")}", File.join(Pathname("a"), "b"), Pathname("abc").sub("b", "x"), Pathname("abc").sub(/b/) { |m| m.upcase }
Dir.mktmpdir do |dir|
  Dir.chdir(dir) do
    x = Pathname("d")
    x.mkdir
    p x.exist?, x.directory?, x.file?, x.empty?, x.children
    (x + "f").write("one\ntwo\n")
    p (x + "f").read, (x + "f").readlines, (x + "f").each_line.to_a, (x + "f").size, (x + "f").open { |f| f.gets }, (x + "f").binread(2)
    p x.children, x.children(false), x.each_child.to_a, x.glob("*"), Pathname.glob("d/*")
    p (x + "a/b").mkpath, x.find.map(&:to_s), Pathname(".").find.map(&:to_s), Pathname(".").children
    (x + "l").make_symlink("f")
    p (x + "l").readlink, (x + "l").symlink?, (x + "l").realpath.basename, x.expand_path("/r"), (x + "f").fnmatch?("*f")
    (x + "f").rename("g")
    p Pathname("g").delete, (x + "a").rmtree, Pathname("none").mtime rescue p $!.class
    p (x + "l").unlink, x.rmdir, Pathname.pwd.class
  end
end
p Pathname("x").frozen?, Pathname("x").freeze.to_s, Pathname(Pathname("y"))
