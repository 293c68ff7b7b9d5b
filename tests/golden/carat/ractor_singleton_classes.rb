# flags: -W0
# Ractors that make the singleton classes of one class at the same time find the same ones.
class Shared; end
depths = 4.times.map do
  Ractor.new do
    link = Shared
    60.times { link = link.singleton_class }
    link.inspect.count("#")
  end
end
p depths.map(&:value)
