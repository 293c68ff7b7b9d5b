# oracle: native
# What `load` calls a file: as it was named if it was found in the working directory, and by its whole path otherwise.
require "tmpdir"

Dir.mktmpdir do |folder|
  folder = File.realpath(folder)
  Dir.mkdir("#{folder}/inner")
  show = "p [__FILE__, __dir__, caller_locations(0)[0].path].map { |path| path.sub(#{folder.inspect}, 'FOLDER') }\n"
  File.write("#{folder}/one.rb", show + "require_relative 'two'\n")
  File.write("#{folder}/two.rb", show)
  File.write("#{folder}/inner/three.rb", show)
  Dir.chdir(folder) do
    load "one.rb"
    load "./one.rb"
    load "inner/three.rb"
    load "#{folder}/one.rb"
    $:.unshift(folder)
    load "one.rb"
    $:.shift
  end
  begin
    load "one.rb"
  rescue LoadError => error
    p error.message
  end
end

# A program may say what the code of a file is.
Dir.mktmpdir do |folder|
  File.write("#{folder}/asked.rb", "p :as_written\n")
  answers = [nil, 5, RubyVM::InstructionSequence.compile("p :another")]
  RubyVM::InstructionSequence.define_singleton_method(:load_iseq) do |path|
    File.basename(path) == "asked.rb" ? answers.shift : nil
  end
  3.times { load "#{folder}/asked.rb" }
  RubyVM::InstructionSequence.singleton_class.remove_method(:load_iseq)
  load "#{folder}/asked.rb"
end
