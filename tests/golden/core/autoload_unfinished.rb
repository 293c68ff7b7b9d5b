# A file that is loaded for a constant: its thread alone sees what it has assigned so far.
# oracle: native
require "tmpdir"

Dir.mktmpdir do |folder|
  path = File.join(folder, "half.rb")
  File.write(path, <<~RUBY)
    class Half
      def self.first = 1
      $inside << [defined?(Half), Half.first, Object.autoload?(:Half)]
      $go_on.pop
      def self.second = 2
    end
  RUBY
  $inside, $go_on = Thread::Queue.new, Thread::Queue.new
  autoload :Half, path
  p Object.autoload?(:Half) == path, defined?(Half)
  other = Thread.new do
    p $inside.pop
    p Object.autoload?(:Half) == path, defined?(Half), Object.const_source_location(:Half)&.first == __FILE__
    waiting = Thread.new { Half.second }
    Thread.pass until waiting.stop?
    $go_on << true
    waiting.value
  end
  p Half.second, other.value, Object.autoload?(:Half), Object.const_source_location(:Half).first == path

  # The next one to ask runs the file again if it failed.
  path = File.join(folder, "failing.rb")
  File.write(path, "Failing = [1]\nraise 'not yet' unless $is_ready\n")
  autoload :Failing, path
  Thread.new { Thread.stop }.then { Thread.pass until _1.stop? }
  begin
    Failing
  rescue RuntimeError => e
    p e.message
  end
  p defined?(Failing), Object.autoload?(:Failing) == path
  $is_ready = true
  p Failing

  # A file that assigns nothing.
  path = File.join(folder, "nothing.rb")
  File.write(path, "")
  autoload :Nothing, path
  begin
    Nothing
  rescue NameError => e
    p e.message
  end
  p defined?(Nothing), Object.autoload?(:Nothing)

  # Several threads at once.
  10.times do |i|
    path = File.join(folder, "many#{i}.rb")
    File.write(path, "module Many#{i}\n  sleep 0.002\n  VALUE = #{i}\n  private_constant :VALUE\n  def self.value = VALUE\nend\n")
    autoload :"Many#{i}", path
    p Array.new(8) { Thread.new { Object.const_get("Many#{i}").value } }.map(&:value).uniq
  end

  # Two files that need each other's constant, in two threads.
  one, two = File.join(folder, "one.rb"), File.join(folder, "two.rb")
  File.write(one, "module One\n  VALUE = 1\n  sleep 0.02\n  SUM = Two::VALUE + 1\nend\n")
  File.write(two, "module Two\n  VALUE = 2\nend\n")
  autoload :One, one
  autoload :Two, two
  p [Thread.new { One::SUM }, Thread.new { Two::VALUE }].map(&:value)
end
