# A file that is loaded for constants and fails: they are pending again, and another run goes on from the values that they had.
# oracle: native
require "tmpdir"

def attempt
  yield
rescue RuntimeError, NameError => e
  e.message
end

Dir.mktmpdir do |folder|
  $LOAD_PATH << folder
  File.write(File.join(folder, "broken_parts.rb"), <<~RUBY)
    puts "runs"
    PartA = $number
    class PartB
      FIRST = 1 unless const_defined?(:FIRST)
      def self.number = $number
    end
    p [PartA, PartB.object_id == $id]
    $id = PartB.object_id
    raise "not yet" if $is_broken
    class PartB
      LAST = 2
    end
  RUBY
  autoload :PartA, "broken_parts"
  autoload :PartB, "broken_parts"
  autoload :PartC, "broken_parts"
  class Module
    def const_added(name) = (p [:added, name] if self == Object)
  end

  $is_broken, $number = true, 1
  p attempt { PartA }
  p Object.autoload?(:PartA), Object.autoload?(:PartB), Object.const_defined?(:PartA), defined?(PartB)
  $number = 2
  p attempt { PartB }, attempt { PartB.number }
  $number = 3
  p Thread.new { attempt { PartB } }.value
  p Object.autoload?(:PartA), Object.autoload?(:PartB)
  def part = PartB
  p attempt { part }, attempt { part }
  $is_broken, $number = false, 4
  p part, part::LAST, PartA, part.number
  p Object.autoload?(:PartA), Object.autoload?(:PartB), $LOADED_FEATURES.grep(/broken_parts/).size
  p attempt { PartC }

  # Whoever requires the file sets them.
  File.write(File.join(folder, "broken_whole.rb"), "Whole = 1\nraise 'whole'\n")
  autoload :Whole, "broken_whole"
  p attempt { require "broken_whole" }, Object.autoload?(:Whole), Whole
end
