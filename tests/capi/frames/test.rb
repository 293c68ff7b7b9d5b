require "./frames"

# ---- the debug inspector: what each frame is, and locals that are read and written from below ----

class Caller
  def outer(number)
    local = number * 2
    [number].each { |item| inner { local + item } }
    local
  end

  def inner
    here = :inner
    Frames.each_frame do |rows|
      rows.each do |location, receiver, owner, binding, iseq|
        next unless iseq
        names = binding&.local_variables
        p [location.lineno, location.base_label, receiver.class, owner, names, iseq.class]
        puts binding.source_location == [location.path, location.lineno]
        binding.local_variable_set(:local, 70) if binding.local_variable_defined?(:local)
      end
      p rows[0][0].base_label, rows[0].values_at(1, 2, 3, 4)
    end
    yield
  end

  def self.sample = Frames.sampled(0, 50)
  define_method(:made) { [1].map { Frames.sampled(0, 50) }.first }
end

p Caller.new.outer(4)
begin
  Frames.no_frame
rescue ArgumentError => error
  p error.message
end

# ---- a fiber has the frames of its own ----

Fiber.new do
  Frames.each_frame { |rows| p rows.size, rows.last[0].base_label }
end.resume

# ---- profilers ----

Caller.sample.each { |row| p row }
Caller.new.made.each { |row| p row }
p Frames.sampled(1, 1).size
p Frames.sampled(100, 10)

# ---- a signal handler, while Ruby code runs ----

Frames.handle
def busy(depth) = depth.zero? ? [1, 2].map { |i| i.to_s } : busy(depth - 1)
sender = Thread.new { 200.times { Process.kill(:PROF, Process.pid); Thread.pass } }
busy(50) while sender.alive?
p Frames.handled > 0

# ---- jobs ----

def Object.job_ran = $ran = true
p Frames.prepare
Frames.trigger
10.times { }
p $ran, Frames.runs
Frames.trigger
10.times { }
p Frames.runs
p Frames.put_off_raising
10.times { }
p $!
