# oracle: native
# Characters of a file in text mode, where both halves of an end of line are one; masks of signals.
require "tempfile"
path = Tempfile.create("text").tap(&:close).path
File.binwrite(path, "a\r\nb\rc\n\r\n")
read = ->(mode = "rt", &block) { File.open(path, mode, &block) }
p read.() { |f| 8.times.map { f.getc } }, read.() { |f| f.each_char.to_a }
p read.("rb") { |f| 4.times.map { f.getc } }, read.("r:utf-8") { |f| 4.times.map { f.getc } }
File.binwrite(path, "a\r\nb\r\n\r\n")
p read.() { |f| [f.getc, f.getc, f.gets, f.gets, f.gets] }
File.binwrite(path, "a\r")
p read.() { |f| [f.getc, f.getc, f.getc] }
File.delete(path)

r = begin; Thread.handle_interrupt(SignalException => :never) { Process.kill(:TERM, $$); sleep 0.05; puts "after" }; :none; rescue SignalException; $!.message; end
p r
r = begin; Thread.handle_interrupt(RuntimeError => :never) { Process.kill(:TERM, $$); sleep 1; puts "never" }; :none; rescue SignalException; $!.message; end
p r
trap(:USR1) { puts "trapped" }
Thread.handle_interrupt(Object => :never) { Process.kill(:USR1, $$); sleep 0.05; puts "after trap" }
r = begin
  Thread.handle_interrupt(SignalException => :never) do
    Process.kill(:TERM, $$)
    sleep 0.05
    begin
      Thread.handle_interrupt(SignalException => :immediate) { sleep 1; p :inner }
    rescue SignalException
      p $!.message
    end
  end
  :none
rescue SignalException
  :outer
end
p r
