# Files of Ruby's own library can be found, listed and read.
require "json"
require "fileutils"
require "tmpdir"
file = $LOADED_FEATURES.grep(%r{/json\.rb\z}).first
folder = File.dirname(file)
p File.exist?(file), File.file?(file), File.directory?(file), File.readable?(file), File.symlink?(file), File.zero?(file)
p File.exist?(folder), File.directory?(folder), File.file?(folder), Dir.exist?(folder), Dir.empty?(folder)
p File.exist?("#{folder}/nothing.rb"), File.exist?("#{folder}x"), File.exist?("#{file}/x"), Dir.exist?("#{folder}/nothing")
p $LOAD_PATH.any? { |path| File.exist?(File.join(path, "json.rb")) }
p File.realpath(file) == File.expand_path(file), File.realpath("../json.rb", "#{folder}/json") == File.realpath(file)
p File.identical?(file, "#{folder}/./json.rb"), File.identical?(file, "#{folder}/json/common.rb"), File.ftype(folder)

text = File.read(file)
p text.include?("JSON"), text.bytesize == File.size(file), text.lines == File.readlines(file), text.lines == File.foreach(file).to_a
p File.stat(file).file?, File.lstat(folder).directory?, File.mtime(file) == File.new(file).then { |io| File.stat(io.path).mtime }
File.open(file) do |io|
  first = io.gets
  io.seek(0)
  p io.read == text, io.eof?, first == text.lines[0], io.size == text.bytesize
  io.write("x")
rescue IOError => e
  puts e.message
end
Dir.mktmpdir do |there|
  FileUtils.cp(file, there)
  p File.read("#{there}/json.rb") == text, IO.copy_stream(file, "#{there}/copy") == text.bytesize
end

p Dir.children(folder).include?("json.rb"), Dir.children(folder).include?("json")
p Dir.children("#{folder}/json").include?("common.rb"), Dir.each_child("#{folder}/json").include?("ext.rb")
p Dir.glob("json/*.rb", base: folder).include?("json/common.rb"), Dir.glob("#{folder}/{json,nothing}.rb") == [file]
p Dir.glob(File.join(folder, "json", "**", "*.rb")).include?("#{folder}/json/ext.rb"), Dir["#{folder}/json/"].size
p Dir.open("#{folder}/json") { |dir| dir.read.class }

begin
  JSON.parse("{", nil_does_not_exist: true)
rescue JSON::ParserError => e
  place = e.backtrace_locations.find { |location| location.path.include?("json") }
  p File.readlines(place.absolute_path)[place.lineno - 1].include?("pars")
end

error = proc do |&action|
  action.call
rescue SystemCallError => e
  puts e.class, e.message.sub(folder, "FOLDER")
end

error.call { File.read("#{folder}/nothing.rb") }
error.call { File.stat("#{folder}/json/nothing") }
error.call { Dir.children("#{folder}/nothing") }
error.call { Dir.open("#{folder}/nothing") }
