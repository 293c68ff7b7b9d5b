# carat: core

class Set
  # What classes below Set include, unless they are below Set::CoreSet: methods that change or ask the set one element at a time, by
  # `add`, `delete`, `include?` and `each`, so that a class which overrides one of these changes the others with it.
  module SubclassCompatible
    module ClassMethods
      def [](*elements) = new(elements)
    end

    def self.included(klass)
      klass.extend(ClassMethods)
    end

    def initialize(enum = nil, &block)
      return if enum.nil?

      block ? do_with_enum(enum) { |element| add(block.call(element)) } : merge(enum)
    end

    def add?(element) = include?(element) ? nil : add(element)

    def delete?(element) = include?(element) ? delete(element) : nil

    def merge(*enums, **nil)
      enums.each { |enum| enum.instance_of?(self.class) ? super(enum) : do_with_enum(enum) { |element| add(element) } }
      self
    end

    def subtract(enum)
      do_with_enum(enum) { |element| delete(element) }
      self
    end

    def replace(enum)
      return super if enum.instance_of?(self.class)

      do_with_enum(enum)
      clear
      merge(enum)
    end

    def to_set(&block) = Set.new(self, &block)

    def delete_if(&block)
      return to_enum(:delete_if) { size } unless block

      select(&block).each { |element| delete(element) }
      self
    end

    def keep_if(&block)
      return to_enum(:keep_if) { size } unless block

      reject(&block).each { |element| delete(element) }
      self
    end

    def reject!(&block)
      return to_enum(:reject!) { size } unless block

      before = size
      delete_if(&block)
      self unless size == before
    end

    def select!(&block)
      return to_enum(:select!) { size } unless block

      before = size
      keep_if(&block)
      self unless size == before
    end
    alias filter! select!

    def collect!
      return to_enum(:collect!) { size } unless block_given?

      results = self.class.new
      each { |element| results << yield(element) }
      replace(results)
    end
    alias map! collect!

    def |(enum) = dup.merge(enum)
    alias + |
    alias union |

    def -(enum) = dup.subtract(enum)
    alias difference -

    def &(enum)
      common = self.class.new
      if Set === enum && enum.size > size
        each { |element| common.add(element) if enum.include?(element) }
      else
        do_with_enum(enum) { |element| common.add(element) if include?(element) }
      end
      common
    end
    alias intersection &

    def ^(enum)
      difference = self.class.new(enum)
      each { |element| difference.add(element) unless difference.delete?(element) }
      difference
    end

    def flatten = self.class.new.flatten_merge(self)

    def flatten! = any?(Set) ? replace(flatten) : nil

    # Adds the elements of a set and of those in it. +path+ has the sets that are gone through.
    def flatten_merge(set, path = [])
      raise ArgumentError, "tried to flatten recursive Set" if path.any? { |outer| outer.equal?(set) }

      path.push(set)
      set.each { |element| Set === element ? flatten_merge(element, path) : add(element) }
      path.pop
      self
    end
    protected :flatten_merge

    def classify
      return to_enum(:classify) { size } unless block_given?

      each_with_object({}) { |element, groups| (groups[yield(element)] ||= self.class.new).add(element) }
    end

    def subset?(set)
      return super if set.instance_of?(self.class)

      within?(self, checked(set))
    end
    alias <= subset?

    def superset?(set)
      return super if set.instance_of?(self.class)

      within?(checked(set), self)
    end
    alias >= superset?

    def proper_subset?(set)
      return super if set.instance_of?(self.class)

      size < checked(set).size && within?(self, set)
    end
    alias < proper_subset?

    def proper_superset?(set)
      return super if set.instance_of?(self.class)

      size > checked(set).size && within?(set, self)
    end
    alias > proper_superset?

    def <=>(set)
      return unless Set === set

      case size <=> set.size
      when -1 then -1 if proper_subset?(set)
      when 1 then 1 if proper_superset?(set)
      else 0 if self == set
      end
    end

    def ==(other)
      return true if equal?(other)
      return super if other.instance_of?(self.class)

      Set === other && size == other.size && other.all? { |element| include?(element) }
    end

    def eql?(other) = Set === other ? super : false

    def intersect?(enum)
      case enum
      when Set then size < enum.size ? any?(enum) : enum.any?(self)
      when Enumerable then enum.any?(self)
      else raise ArgumentError, "value must be enumerable"
      end
    end

    def disjoint?(enum) = !intersect?(enum)

    def join(separator = nil) = to_a.join(separator)

    private

    def do_with_enum(enum, &block)
      return block && enum.each_entry(&block) if enum.respond_to?(:each_entry)
      raise ArgumentError, "value must be enumerable" unless enum.respond_to?(:each)

      enum.each(&block) if block
    end

    def checked(set) = Set === set ? set : raise(ArgumentError, "value must be a set")

    def within?(small, large) = small.size <= large.size && small.all?(large)
  end
end
