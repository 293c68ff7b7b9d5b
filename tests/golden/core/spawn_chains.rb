# oracle: native
# Descriptors of a child that are redirected to others of its own, which are redirected in turn.
require "tmpdir"

WRITES = "echo error >&2; echo output"

Dir.mktmpdir do |folder|
  Dir.chdir(folder) do
    [
      { out: "a", err: %i[child out] },
      { out: "b", err: [:child, 3], 3 => %i[child out] },
      { err: [:child, 3], 3 => [:child, 4], 4 => %i[child out], out: "c" },
      { 4 => %i[child out], err: [:child, 4], out: ["d", "w"] },
      { [:err, 5] => %i[child out], out: "e" },
    ].each_with_index do |redirections, index|
      Process.wait(spawn(WRITES, redirections))
      p File.read(("a".ord + index).chr)
    end
    reader, writer = IO.pipe
    Process.wait(spawn(WRITES, out: writer, err: [:child, 3], 3 => %i[child out]))
    writer.close
    p reader.read
  end
end

[{ 3 => [:child, 4], 4 => [:child, 3] }, { out: %i[child out] }, { out: [:child, 3] }].each do |redirections|
  spawn("true", redirections)
rescue ArgumentError => error
  puts error.message
end
