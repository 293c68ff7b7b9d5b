# Objects with whatever attributes one gives them.
class OpenStruct
  VERSION = "1.6.3".freeze

  # Methods that stay reachable under "name!" when an attribute takes their name.
  HAS_PERFORMANCE_WARNINGS = false
  private_constant :HAS_PERFORMANCE_WARNINGS

  def initialize(hash = nil)
    @table = {}
    hash&.each_pair { |name, value| set_ostruct_member_value!(name, value) }
  end

  # A frozen clone has a frozen table.
  def initialize_clone(orig, freeze: nil)
    super
    @table = freeze == false ? @table.dup : @table.clone
  end

  def initialize_dup(orig)
    super
    @table = @table.dup
    @table.each_key { |name| new_ostruct_member!(name) }
  end
  private :initialize_clone, :initialize_dup

  # Returns the attributes as a Hash; a block gives each pair another form.
  def to_h(&block) = block ? @table.to_h(&block) : @table.dup

  def each_pair
    return to_enum(__method__) { @table.size } unless block_given?
    @table.each_pair { |pair| yield pair }
    self
  end

  def [](name) = @table[name.to_sym]

  def []=(name, value)
    name = name.to_sym
    new_ostruct_member!(name)
    @table[name] = value
  end
  alias set_ostruct_member_value! []=
  private :set_ostruct_member_value!

  def dig(name, *names)
    begin
      name = name.to_sym
    rescue NoMethodError
      raise TypeError, "#{name} is not a symbol nor a string"
    end
    @table.dig(name, *names)
  end

  # Removes an attribute and returns its value; of an unknown one, what the block returns.
  def delete_field(name)
    name = name.to_sym
    missing = !@table.key?(name)
    if missing
      return yield if defined?(yield)
      raise! NameError.new("no field '#{name}' in #{inspect}", name, receiver: self)
    end
    singleton_class.remove_method(name, :"#{name}=") if singleton_methods(false).include?(name)
    @table.delete(name)
  end

  def method_missing(name, *args)
    if name.end_with?("=")
      raise! ArgumentError, "wrong number of arguments (given #{args.size}, expected 1)", caller(1) if args.size != 1
      set_ostruct_member_value!(name.to_s.chomp("=").to_sym, args[0])
    elsif args.empty?
      @table.fetch(name) { nil }
    else
      begin
        super
      rescue NoMethodError => error
        error.backtrace.shift
        raise! error
      end
    end
  end
  private :method_missing

  def respond_to_missing?(name, include_private = false)
    attribute = name.to_s.chomp("=").to_sym
    defined?(@table) && @table.key?(attribute) || super
  end

  def freeze
    @table.freeze
    super
  end

  def inspect
    seen = (Thread.current[:__ostruct_inspect__] ||= [])
    return "#<#{class!} ...>" if seen.any? { |o| o.equal?(self) }
    begin
      seen << self
      pairs = @table.map { |name, value| " #{name}=#{value.inspect}" }
      "#<#{class!}#{pairs.join(",")}>"
    ensure
      seen.pop
    end
  end
  alias to_s inspect

  attr_reader :table
  protected :table

  def ==(other) = other.is_a?(OpenStruct) && @table == other.table

  def eql?(other) = other.is_a?(OpenStruct) && @table.eql?(other.table)

  def hash = @table.hash

  def encode_with(coder)
    @table.each_pair { |name, value| coder[name.to_s] = value }
    # An attribute of that name alone would look like an older dump.
    coder["legacy_support!"] = true if @table.size == 1 && @table.key?(:table)
  end

  # Older dumps have the attributes in a table.
  def init_with(coder)
    @table = {}
    found = coder.map
    found = found["table"] if found.size == 1 && Hash === found["table"]
    found.each { |name, value| self[name] = value }
  end

  def marshal_dump = @table

  def marshal_load(hash)
    @table = {}
    hash.each_pair { |name, value| set_ostruct_member_value!(name, value) }
  end

  alias_method :raise!, :raise
  private :raise!

  private

  # Reader and writer of an attribute, unless a method of its name belongs to this class's program.
  def new_ostruct_member!(name)
    return if @table.key?(name) || is_method_protected!(name)
    define_singleton_method(name) { @table[name] }
    define_singleton_method(:"#{name}=") { |value| @table[name] = value }
  end

  def is_method_protected!(name)
    return true if name.match?(/[!=]\z/) && name != :"="
    return false unless respond_to?(name, true)
    owner = method!(name).owner
    owner.instance_of?(Class) ? owner < OpenStruct || owner == OpenStruct && name.match?(/!\z/) : class!.ancestors.take_while { |a| a != OpenStruct }.include?(owner)
  end

  # Every method is there under a name that no attribute takes.
  public
  instance_methods.each do |name|
    next if name.match?(/\W\z/) || name.start_with?("__")
    alias_method :"#{name}!", name
  end
  alias_method :method!, :method unless method_defined?(:method!)
end
