# `require` sees links, folders and files that the program makes, changes and removes; each file is loaded once.
# oracle: native
require "tmpdir"
require "fileutils"

def try(feature)
  puts "#{feature.sub(TOP, "TOP")}: #{require(feature)}"
rescue LoadError => e
  puts "#{feature}: #{e.message.sub(TOP, "TOP")}"
end

def write(path, text = "puts 'runs'")
  FileUtils.mkdir_p(File.dirname(path))
  File.write(path, text)
end

def listed = $LOADED_FEATURES.filter_map { |f| f.delete_prefix("#{TOP}/") if f.start_with?(TOP) }

TOP = File.realpath(Dir.mktmpdir)
begin
  puts "a file under two names"
  write("#{TOP}/a/one.rb")
  File.symlink("#{TOP}/a/one.rb", "#{TOP}/a/same.rb")
  $LOAD_PATH.unshift("#{TOP}/a")
  try "one"
  try "same"
  File.link("#{TOP}/a/one.rb", "#{TOP}/a/hard.rb")
  try "hard"
  p listed

  puts "a folder that is a link"
  File.symlink("a", "#{TOP}/link")
  $LOAD_PATH.unshift("#{TOP}/link")
  write("#{TOP}/a/two.rb")
  try "two"
  try "#{TOP}/link/two"
  p listed

  puts "files that come later and go"
  try "three"
  write("#{TOP}/a/three.rb")
  try "three"
  File.unlink("#{TOP}/a/three.rb")
  try "three"
  $LOADED_FEATURES.delete("#{TOP}/a/three.rb")
  try "three"

  puts "a file in front of one that was loaded"
  write("#{TOP}/front/one.rb", "puts 'in front'")
  try "one"
  $LOAD_PATH.unshift("#{TOP}/front")
  try "one"
  write("#{TOP}/front/four.rb")
  try "four"
  $LOAD_PATH.shift

  puts "a folder with this name, a file without end of line, an empty one"
  FileUtils.mkdir_p("#{TOP}/a/five.rb")
  try "five"
  write("#{TOP}/a/empty.rb", "")
  try "empty"
  write("#{TOP}/a/mixed.rb.rb", "puts 'two extensions'")
  try "mixed"
  try "mixed.rb"
  try "mixed.rb.rb"

  puts "names that are no UTF-8"
  name = "latin\xE9".b
  write("#{TOP}/a/#{name}.rb".b, "puts :runs")
  p require(name)
  p require(name)
  p require(name.dup.force_encoding("ISO-8859-1"))

  puts "names with dots"
  try "sub/../one"
  try "./one"
  Dir.chdir("#{TOP}/a") { try "./two" }
  try "#{TOP}//a/./two"
  try "#{TOP}/a/../a/two.rb"

  puts "what fails stays unloaded"
  write("#{TOP}/a/broken.rb", "raise 'broken'")
  2.times do
    require "broken"
  rescue RuntimeError => e
    puts e.message
  end
  write("#{TOP}/a/broken.rb", "puts 'mended'")
  try "broken"
  try "broken"

  puts "a list that is replaced"
  kept = $LOADED_FEATURES.dup
  $LOADED_FEATURES.clear
  try "two"
  $LOADED_FEATURES.replace(kept)
  try "two"
  $LOADED_FEATURES.map! { |f| f.end_with?("/two.rb") ? "gone" : f }
  try "two"
  try "gone"

  puts "a frozen list"
  write("#{TOP}/a/last.rb", "puts 'runs, is not listed'")
  $LOADED_FEATURES.freeze
  begin
    require "last"
  rescue => e
    puts "#{e.class}: #{e.message}"
  end
ensure
  FileUtils.rm_rf(TOP)
end
