# Where the methods of the mixin stand: programs ask that to tell the library's frames from their own.
require "monitor"
require "prism"
p File.basename(MonitorMixin.instance_method(:synchronize).source_location.first), Monitor.instance_method(:synchronize).source_location
p MonitorMixin.instance_methods.map { |name| MonitorMixin.instance_method(name).source_location.nil? }.uniq

class Guarded
  include MonitorMixin

  def fail_inside = synchronize { raise "inside" }
end

begin
  Guarded.new.fail_inside
rescue => error
  puts error.backtrace.first(4).map { |line| line.sub(/\A.*\//, "").sub(/:\d+/, "") }
end
object = Object.new.extend(MonitorMixin)
object.mon_synchronize { p object.mon_locked?, object.mon_owned? }
p object.mon_locked?, object.new_cond.class, Monitor.new.new_cond.class

# A module's own methods hide none of Module's.
p Prism.name, Prism.to_s
