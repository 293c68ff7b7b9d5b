# oracle: native
# What File.stat, File::Stat.new, lstat and stat of an open file tell agrees; links are followed, and errors name the path.
require "tmpdir"

FIELDS = %i[dev dev_major dev_minor ino mode nlink uid gid rdev rdev_major rdev_minor size blksize blocks ftype mtime ctime]
told = ->(stat) { FIELDS.map { |name| stat.public_send(name) } }

Dir.mktmpdir do |dir|
  Dir.chdir(dir) do
    File.write("file", "contents")
    File.chmod(0o640, "file")
    File.utime(Time.at(-5, 25, :nsec), Time.at(1_000_000_000, 123_456_789, :nsec), "file")
    File.symlink("file", "link")
    File.symlink("around", "around")
    %w[file . /dev/null /dev].each do |path|
      by_path = told.(File.stat(path))
      p by_path == told.(File::Stat.new(path)), by_path == told.(File.lstat(path)), by_path == told.(File.open(path, &:stat))
    end
    p told.(File.stat("link")) == told.(File.stat("file")), File.lstat("link").symlink?, File.stat("link").symlink?
    stat = File.stat("file")
    p stat.size, stat.mode.to_s(8), stat.mtime.nsec, stat.mtime.to_i, stat.atime.to_i, stat.atime.nsec, stat.file?, stat.zero?
    p File.stat("/dev/null").rdev_major, File.stat("/dev/null").chardev?, File.open("file") { |file| File.stat(file).size }
    ["absent", "file/inside", "around", "", "a\0b", "x" * 300].each do |path|
      File.stat(path)
    rescue SystemCallError, ArgumentError => error
      puts "#{error.class}: #{error.message.tr("x", "")}"
    end
  end
end
