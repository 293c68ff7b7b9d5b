# Singleton classes are among the classes that `each_object` yields.
class Base; end
class Derived < Base; end
module Helper; end
object = Base.new
own = object.singleton_class

all = ObjectSpace.each_object(Class).to_a
p all.include?(own), all.include?(Base.singleton_class), all.include?(Derived.singleton_class), all.include?(Base)
p all.include?(Helper), all.include?(Helper.singleton_class), all.uniq.size == all.size
p all.all? { |each| Class === each }, all.count(&:singleton_class?) > 100
modules = ObjectSpace.each_object(Module).to_a
p modules.include?(Helper), modules.include?(Helper.singleton_class), modules.include?(own)
p ObjectSpace.each_object(Base.singleton_class).to_a.sort_by(&:inspect).map { |each| each == own ? :own : each }
p ObjectSpace.each_object(Derived.singleton_class).to_a
deeper = Derived.singleton_class.singleton_class
p ObjectSpace.each_object(Class).include?(deeper)
p ObjectSpace.each_object(Base.singleton_class.singleton_class).to_a.sort_by(&:inspect).first(2)
p all.reject(&:singleton_class?).all? { |each| each.name.nil? || !each.name.empty? }
p all.select(&:singleton_class?).all? { |each| each.inspect.start_with?("#<Class:") }
