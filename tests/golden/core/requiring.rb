# `require` finds what $LOAD_PATH and $LOADED_FEATURES say now, however they were changed.
FOLDER = File.join(__dir__, "fixtures/requiring")
def try(feature)
  puts "#{feature}: #{require(feature)}"
rescue LoadError => e
  puts "#{feature}: #{e.message}"
end
def short(list) = list.map { |f| f.delete_prefix("#{FOLDER}/") }
BEFORE = $LOADED_FEATURES.dup
def features = short($LOADED_FEATURES - BEFORE)

puts "folders come and go"
try "feature"
first = +"#{FOLDER}/first"
$LOAD_PATH.unshift first
try "feature"
try "feature"
try "feature.rb"
$LOAD_PATH.unshift "#{FOLDER}/second"
try "feature"
try "deep/feature"
try "only"
p features

puts "a feature that is listed no more"
$LOADED_FEATURES.delete_if { |f| f.end_with?("first/feature.rb") }
try "feature"
try "feature"
p features
$LOADED_FEATURES.reject! { |f| f.start_with?(FOLDER) }
$LOAD_PATH.delete("#{FOLDER}/second")
try "feature"
try "only"

puts "a folder in another's place"
$LOADED_FEATURES.reject! { |f| f.start_with?(FOLDER) }
p first.frozen?
$LOAD_PATH[0] = "#{FOLDER}/second"
try "feature"
$LOAD_PATH[0] += "/deep"
try "feature"
p features
$LOAD_PATH.shift

puts "relative folders"
$LOADED_FEATURES.reject! { |f| f.start_with?(FOLDER) }
$LOAD_PATH.unshift "."
Dir.chdir("#{FOLDER}/first") { try "feature" }
Dir.chdir("#{FOLDER}/second") { try "feature"; try "only" }
p features
$LOAD_PATH.shift

puts "objects with a path"
folder = Object.new
def folder.to_path = "#{FOLDER}/#{@name}"
def folder.name=(name)
  @name = name
end
$LOAD_PATH.unshift folder
folder.name = "second/deep"
try "feature"
$LOADED_FEATURES.reject! { |f| f.start_with?(FOLDER) }
folder.name = "first"
try "feature"
$LOAD_PATH.shift

puts "features that the program lists"
$LOADED_FEATURES << "imagined.rb"
try "imagined"
try "imagined.rb"
$LOADED_FEATURES << +"#{FOLDER}/first/invented.rb"
$LOAD_PATH.unshift "#{FOLDER}/first"
try "invented"
p $LOADED_FEATURES.last(2).all?(&:frozen?)
$LOADED_FEATURES.pop
try "invented"
