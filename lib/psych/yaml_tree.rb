# frozen_string_literal: true

module Psych
  # Makes nodes of objects. What is met again gets an anchor, and an alias there.
  class Visitors::YAMLTree < Visitors::Visitor
    # Loads whatever a text looks like, so that it is quoted.
    SCANNING_LOADER = ClassLoader.new.freeze
    # As many letters may mean a truth, nothing, or the text itself.
    LONGEST_WORD = 5
    private_constant :SCANNING_LOADER, :LONGEST_WORD

    # Builds a tree of nodes, or hands the events of it to +emitter+.
    def self.create(options = {}, emitter = nil) = new(emitter, **options.slice(:line_width, :stringify_names), options: options)

    def initialize(emitter = nil, line_width: nil, stringify_names: false, options: {})
      super()
      @emitter = emitter || TreeBuilder.new
      @options = options
      @started = @finished = false
      @line_width = line_width && line_width < 0 ? nil : line_width
      @stringify_names = stringify_names
      @scanner = ScalarScanner.new(SCANNING_LOADER)
      @visitors = {}.compare_by_identity
      reset
    end

    def document(object)
      reset
      Nodes::Document.new(version, [], false).tap { |document| document.children << node_of(object) }
    end

    attr_reader :started, :finished
    alias started? started
    alias finished? finished

    def start(encoding = Nodes::Stream::UTF8)
      @emitter.start_stream(encoding)
      @started = true
      self
    end

    def finish
      @emitter.end_stream
      @finished = true
      self
    end

    # The nodes of everything that was pushed.
    def tree
      finish unless finished?
      @emitter.root
    end

    # A document of an object.
    def push(object)
      start unless started?
      EventSource.new(@emitter).document(document(object), !@emitter.streaming?)
    end
    alias << push

    # The nodes of an object: an alias if it was met before.
    def accept(object)
      node = node_of(object)
      @emitter.add(node) if Fragment === @emitter
      node
    end

    # Remembers an object, so that it becomes an alias where it is met again.
    def register(object, node)
      @nodes[object] = node
    end

    # As psych calls what it does for a class, so that subclasses can do something else.
    %i[
      Array BigDecimal Class Complex Data Date DateTime Encoding Enumerator Exception FalseClass Float Hash Integer Module NilClass
      Object Range Rational Regexp Set String Struct Symbol Time TrueClass
    ].each { |type| define_method(:"visit_#{type}", Ractor.shareable_proc { |object| visit(object) }) }

    # Nodes that a method of a subclass makes by events.
    class Fragment < TreeBuilder
      def initialize
        super
        push(@whole = Nodes::Sequence.new)
      end

      def node = @whole.children.first

      public :add
    end
    private_constant :Fragment

    private

    # What `accept` adds a node to, if anything.
    def node_of(object)
      if (node = @nodes[object])
        node.anchor ||= (@anchors += 1).to_s
        return Nodes::Alias.new(node.anchor)
      end
      if object.respond_to?(:encode_with) then encoded(object)
      elsif (tag = Psych.dump_tags[object.class]) then plain_object(object, tag)
      elsif (visitor = visitor_of(object.class)) then visited(object, visitor)
      else visit(object)
      end
    end

    # The method of a subclass, or of a program, for objects of a class; nil or false where there is none but the visitor's own.
    def visitor_of(type)
      return @visitors[type] if @visitors.key?(type)
      found = named_visitor(type)
      found = type.superclass && visitor_of(type.superclass) if found.nil?
      @visitors[type] = found
    end

    # False is the visitor's own.
    def named_visitor(type)
      name = :"visit_#{type.name&.gsub("::", "_")}"
      return unless respond_to?(name, true)
      # Programs may have put another method in the place of one of these.
      self.class.instance_method(name).source_location&.first == __FILE__ ? false : name
    end

    # What such a method returns, or hands to the emitter.
    def visited(object, visitor)
      outer = @emitter
      @emitter = fragment = Fragment.new
      node = __send__(visitor, object)
      fragment.node || node
    ensure
      @emitter = outer
    end

    # What the documents say that they are.
    def version
      case @options[:version]
      when Array then @options[:version]
      when String then @options[:version].split(".").map(&:to_i)
      else @options[:version] || @options[:header] ? [1, 1] : []
      end
    end

    def reset
      @nodes = {}.compare_by_identity
      @anchors = 0
    end

    # The node, once a subclass had its say about anchors.
    def registered(object, node)
      register(object, node)
      node
    end

    def visit(object)
      case object
      when String then string(object)
      when Symbol then symbol(object)
      when Integer then scalar(object.to_s)
      when nil then Nodes::Scalar.new("", nil, "tag:yaml.org,2002:null", true, false, Nodes::Scalar::ANY)
      when true, false then scalar(object.to_s)
      when Float then scalar(float(object))
      when Array then array(object)
      when Hash then hash(object)
      else visit_other(object)
      end
    end

    def visit_other(object)
      case object
      when Range then range(object)
      when Regexp then registered(object, scalar(object.inspect, "!ruby/regexp", false))
      when Time then registered(object, scalar(format_time(object)))
      when Struct then struct(object)
      when Data then data(object)
      when ::Set then set(object)
      when ::Exception then exception(object)
      when Class then named(object, "!ruby/class", "class")
      when Module then named(object, "!ruby/module", "module")
      when Rational then pairs(object, "!ruby/object:Rational", {"denominator" => object.denominator, "numerator" => object.numerator})
      when Complex then pairs(object, "!ruby/object:Complex", {"real" => object.real, "image" => object.imaginary})
      when Encoding then Nodes::Scalar.new(object.name, nil, "!ruby/encoding", false, false, Nodes::Scalar::ANY)
      when Enumerator then array(object.to_a)
      when Proc, Method, Thread, Binding then raise TypeError, "can't dump #{object.class}"
      else date(object) || decimal(object) || plain_object(object, "!ruby/object:#{object.class.name || anonymous(object)}")
      end
    end

    def anonymous(object) = raise(TypeError, "can't dump anonymous class: #{object.class}")

    def scalar(text, tag = nil, plain = true, style = Nodes::Scalar::ANY)
      Nodes::Scalar.new(text, nil, tag, plain, false, style)
    end

    def float(number)
      return ".nan" if number.nan?
      return number > 0 ? ".inf" : "-.inf" if number.infinite?
      number.to_s
    end

    def format_time(time)
      format = time.utc? ? "%Y-%m-%d %H:%M:%S.%9N Z" : "%Y-%m-%d %H:%M:%S.%9N %:z"
      time.strftime(format)
    end

    def date(object)
      return if Object.autoload?(:Date) || !(::Date === object)
      if ::DateTime === object
        text = object.new_offset(object.offset).italy.strftime("%Y-%m-%d %H:%M:%S.%9N ")
        text << (object.offset.zero? ? "Z" : object.strftime("%:z"))
        return registered(object, scalar(text, "!ruby/object:DateTime", false))
      end
      registered(object, scalar(object.gregorian.iso8601))
    end

    def decimal(object)
      return unless defined?(::BigDecimal) && ::BigDecimal === object
      registered(object, scalar(object._dump, "!ruby/object:BigDecimal", false))
    end

    def named(object, tag, kind)
      raise TypeError, "can't dump anonymous #{kind}: #{object}" unless object.name
      registered(object, Nodes::Scalar.new(object.name, nil, tag, false, false, Nodes::Scalar::SINGLE_QUOTED))
    end

    def symbol(name)
      return scalar("", "!ruby/symbol", false) if name.empty?
      scalar(":#{name}")
    end

    # Texts.

    def string(text)
      own = text.class == String
      return string_with_ivars(text) unless own || text.instance_variables.empty?
      tag = own ? nil : "!ruby/string:#{text.class.name || percent(text.class.to_s)}"
      if binary?(text)
        return registered(text, Nodes::Scalar.new([text].pack("m0"), nil, "!binary", false, false, Nodes::Scalar::LITERAL))
      end
      return Nodes::Scalar.new(text, nil, "tag:yaml.org,2002:str", false, false, Nodes::Scalar::SINGLE_QUOTED) if text == "<<"
      node = Nodes::Scalar.new(text, nil, tag, own, own, string_style(text))
      own ? node : registered(text, node)
    end

    def percent(name) = name.gsub(/[^\w:]/) { |char| format("%%%02X", char.ord) }

    def binary?(text)
      return !text.ascii_only? if text.encoding == Encoding::BINARY
      !text.valid_encoding?
    end

    def string_style(text)
      return Nodes::Scalar::PLAIN if word?(text)
      if text.match?(/\n(?!\Z)/) then Nodes::Scalar::LITERAL
      elsif text == "y" || text == "Y" || text == "n" || text == "N" then Nodes::Scalar::DOUBLE_QUOTED
      elsif @line_width && text.length > @line_width then Nodes::Scalar::FOLDED
      elsif text.match?(/^[^[:word:]][^"]*$/) then Nodes::Scalar::DOUBLE_QUOTED
      elsif !(String === @scanner.tokenize(text)) || text.match?(/\A0[0-7]*[89]/) then Nodes::Scalar::SINGLE_QUOTED
      else Nodes::Scalar::PLAIN
      end
    rescue RangeError, ArgumentError
      Nodes::Scalar::SINGLE_QUOTED
    end

    # A letter and more behind it on one line, which nobody takes for anything but a text.
    def word?(text)
      first = text.getbyte(0)
      return false unless first && (first.between?(97, 122) || first.between?(65, 90)) && text.ascii_only?
      size = text.size
      size > LONGEST_WORD && !text.include?("\n") && !(@line_width && size > @line_width)
    end

    def string_with_ivars(text)
      node = registered(text, Nodes::Mapping.new(nil, "!ruby/string:#{text.class.name}", false))
      node.children.push(scalar("str"), string(String.new(text)))
      add_ivars(node, text) { |name| name.to_s }
    end

    # Collections.

    def array(list)
      own = list.class == Array
      if own
        node = registered(list, Nodes::Sequence.new)
        list.each { |object| node.children << node_of(object) }
        return node
      end
      return array_with_ivars(list) unless list.instance_variables.empty?
      node = registered(list, Nodes::Sequence.new(nil, "!ruby/array:#{list.class.name}", false))
      list.each { |object| node.children << node_of(object) }
      node
    end

    def array_with_ivars(list)
      node = registered(list, Nodes::Mapping.new(nil, "!ruby/array:#{list.class.name}", false))
      inner = Nodes::Sequence.new
      list.each { |object| inner.children << node_of(object) }
      ivars = add_ivars(Nodes::Mapping.new, list) { |name| name.to_s }
      node.children.push(scalar("internal"), inner, scalar("ivars"), ivars)
      node
    end

    def omap(map)
      node = registered(map, Nodes::Sequence.new(nil, "tag:yaml.org,2002:omap", false))
      map.each { |pair| node.children << fill(Nodes::Mapping.new, [pair]) }
      node
    end

    def hash(map)
      return omap(map) if Omap === map
      return fill(registered(map, Nodes::Mapping.new(nil, "!set", false)), map) if Psych::Set === map
      return hash_with_ivars(map) unless map.instance_variables.empty?
      tag = map.class == Hash ? nil : "!ruby/hash:#{map.class.name}"
      fill(registered(map, Nodes::Mapping.new(nil, tag, tag.nil?)), map)
    end

    def fill(node, map)
      map.each do |name, value|
        name = name.to_s if @stringify_names && Symbol === name
        node.children.push(node_of(name), node_of(value))
      end
      node
    end

    def hash_with_ivars(map)
      tag = map.class == Hash ? "!ruby/hash-with-ivars" : "!ruby/hash-with-ivars:#{map.class.name}"
      node = registered(map, Nodes::Mapping.new(nil, tag, false))
      node.children.push(scalar("ivars"), add_ivars(Nodes::Mapping.new, map) { |name| name.inspect })
      node.children.push(scalar("elements"), fill(Nodes::Mapping.new, map))
      node
    end

    # Objects.

    def pairs(object, tag, pairs)
      node = registered(object, Nodes::Mapping.new(nil, tag, false))
      pairs.each { |name, value| node.children.push(scalar(name), node_of(value)) }
      node
    end

    def add_ivars(node, object)
      object.instance_variables.each do |name|
        node.children.push(scalar(yield(name)), node_of(object.instance_variable_get(name)))
      end
      node
    end

    def short(name) = name.to_s.delete_prefix("@")

    def plain_object(object, tag)
      tag = "!ruby/object" if object.class == Object && tag == "!ruby/object:Object"
      add_ivars(registered(object, Nodes::Mapping.new(nil, tag, false)), object) { |name| short(name) }
    end

    def range(range)
      tag = range.class == Range ? "!ruby/range" : "!ruby/range:#{range.class.name}"
      pairs(range, tag, {"begin" => range.begin, "end" => range.end, "excl" => range.exclude_end?})
    end

    def struct(struct)
      tag = ["!ruby/struct", struct.class.name].compact.join(":")
      add_ivars(pairs(struct, tag, struct.to_h.transform_keys(&:to_s)), struct) { |name| short(name) }
    end

    def data(data)
      members = data.to_h.transform_keys(&:to_s)
      return pairs(data, ["!ruby/data", data.class.name].compact.join(":"), members) if data.instance_variables.empty?
      node = registered(data, Nodes::Mapping.new(nil, ["!ruby/data-with-ivars", data.class.name].compact.join(":"), false))
      node.children.push(scalar("members"), fill(Nodes::Mapping.new, members))
      own = data.instance_variables.to_h { |name| [name.to_s, data.instance_variable_get(name)] }
      node.children.push(scalar("ivars"), fill(Nodes::Mapping.new, own))
      node
    end

    def set(set) = pairs(set, "!ruby/object:Set", {"hash" => set.to_h { |member| [member, true] }})

    def exception(error)
      node = pairs(error, "!ruby/exception:#{error.class.name}", {"message" => String.new(error.message), "backtrace" => error.backtrace})
      add_ivars(node, error) { |name| short(name) }
    end

    def encoded(object)
      tag = Psych.dump_tags[object.class] || ["!ruby/object", object.class == Object ? nil : object.class.name].compact.join(":")
      coder = Coder.new(tag)
      object.encode_with(coder)
      case coder.type
      when :scalar then registered(object, Nodes::Scalar.new(coder.scalar, nil, coder.tag, coder.tag.nil?, false, coder.style))
      when :seq
        node = registered(object, Nodes::Sequence.new(nil, coder.tag, coder.tag.nil?, coder.style))
        coder.seq.each { |member| node.children << node_of(member) }
        node
      when :map then fill(registered(object, Nodes::Mapping.new(nil, coder.tag, coder.implicit, coder.style)), coder.map)
      else node_of(coder.object)
      end
    end
  end

  # Writes what `safe_load` reads.
  class Visitors::RestrictedYAMLTree < Visitors::YAMLTree
    SAFE = [TrueClass, FalseClass, NilClass, Integer, Float, String, Array, Hash].freeze
    private_constant :SAFE

    def initialize(classes, symbols, aliases, **options)
      super(**options.slice(:line_width, :stringify_names))
      @classes = SAFE + classes
      @symbols = symbols
      @aliases = aliases
    end

    private

    def node_of(object)
      raise BadAlias, "Tried to dump an aliased object" if !@aliases && @nodes.key?(object) && !(Symbol === object)
      unless allowed?(object)
        name = Symbol === object ? "Symbol(#{object.inspect})" : object.class.inspect
        raise DisallowedClass.new("dump", name)
      end
      super
    end

    def allowed?(object)
      return true if @classes.any? { |klass| klass.to_s == object.class.name } && !(Symbol === object && !@symbols.empty?)
      Symbol === object && @symbols.include?(object)
    end
  end
end
