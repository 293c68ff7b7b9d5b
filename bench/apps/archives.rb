# needs: ruby-zip ruby-minitar
require "stringio"
require "zip"
require "archive/tar/minitar"
n = 0
8.times do |r|
  buffer = Zip::OutputStream.write_buffer do |zip|
    40.times { |i| zip.put_next_entry("dir#{i % 5}/file#{i}.txt", "comment #{i}"); zip.write("content of #{i} " * 30) }
  end
  buffer.rewind
  Zip::InputStream.open(buffer) { |io| while (e = io.get_next_entry); n += e.name.size + io.read.size; end }
  n += Zip::File.open_buffer(buffer).then { |z| z.entries.size + z.read("dir1/file1.txt").size + z.glob("dir2/*").size }
end
p n
10.times do
  io = StringIO.new("".b)
  Archive::Tar::Minitar::Writer.open(io) { |tar| 40.times { |i| tar.add_file_simple("d/f#{i}", mode: 0o644, mtime: 5, data: "data #{i}\n" * i) ; tar.mkdir("e#{i}", mode: 0o755, mtime: 1) } }
  io.rewind
  Archive::Tar::Minitar::Reader.open(io) { |tar| tar.each_entry { |e| n += e.full_name.size + e.mode + (e.file? ? e.read.to_s.size : 1) } }
end
p n
