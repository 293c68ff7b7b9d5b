# frozen_string_literal: true

module Psych
  # Makes objects of nodes.
  class Visitors::ToRuby < Visitors::Visitor
    # For objects of any class.
    def self.create(symbolize_names: false, freeze: false, strict_integer: false, parse_symbols: true)
      loader = ClassLoader.new
      scanner = ScalarScanner.new(loader, strict_integer: strict_integer, parse_symbols: parse_symbols)
      new(scanner, loader, symbolize_names: symbolize_names, freeze: freeze)
    end

    attr_reader :class_loader

    def initialize(scanner, class_loader, symbolize_names: false, freeze: false)
      super()
      @scanner = scanner
      @class_loader = @loader = class_loader
      @symbolize_names = symbolize_names
      @freeze = freeze
      @objects = {}
      @load_tags = Psych.load_tags
      @domain_types = Psych.domain_types
    end

    def accept(node)
      object = visit(node)
      if node.tag && !@domain_types.empty?
        key = node.tag.sub(/\A[!\/]*/, "").sub(/(,\d+)\//, '\1:')
        key = "tag:#{key}" unless key.start_with?("tag:", "x-private")
        name, block = @domain_types[key]
        object = block.call(name, object) if block
      end
      @freeze ? frozen(node, object) : object
    end

    private

    # Texts that are equal are one.
    def frozen(node, object)
      return object.freeze unless object.class == String
      register(node, -object)
    end

    def visit(node)
      case node
      when Nodes::Scalar then register(node, scalar(node))
      when Nodes::Mapping then mapping(node)
      when Nodes::Sequence then sequence(node)
      when Nodes::Alias then aliased(node)
      when Nodes::Document then accept(node.root)
      when Nodes::Stream then node.children.map { |child| accept(child) }
      end
    end

    def register(node, object)
      @objects[node.anchor] = object if node.anchor
      object
    end

    def aliased(node)
      @objects.fetch(node.anchor) { raise AnchorNotDefined, node.anchor }
    end

    # Scalars.

    def scalar(node)
      value = node.value
      tag = node.tag or return node.quoted ? value : @scanner.tokenize(value)
      if (klass = @load_tags[tag])
        return init_with(@loader.resolve(klass).allocate, tag) { |coder| coder.scalar = value }
      end
      case tag
      when "!binary", "tag:yaml.org,2002:binary" then value.unpack1("m")
      when "tag:yaml.org,2002:str", "!str" then value
      when %r{\A!(?:str|ruby/string)(?::(.*))?\z} then $1 ? @loader.resolve($1).allocate.replace(value) : value
      when "tag:yaml.org,2002:int", "!int" then Integer(value.delete(",_"))
      when "!float", "tag:yaml.org,2002:float" then Float(@scanner.tokenize(value))
      when "tag:yaml.org,2002:bool", "tag:yaml.org,2002:timestamp" then @scanner.tokenize(value)
      else ruby_scalar(tag, value, node)
      end
    end

    def ruby_scalar(tag, value, node)
      case tag
      when %r{\A!(?:ruby/sym|ruby/symbol|sym|symbol)\z}, "tag:ruby.yaml.org,2002:sym" then @loader.symbolize(value)
      when "!ruby/regexp" then regexp(value)
      when "!ruby/range" then range(value)
      when "!ruby/class" then @loader.load("Class") && Object.const_get(value)
      when "!ruby/module" then @loader.load("Module") && Object.const_get(value)
      when "!ruby/encoding" then @loader.load("Encoding").find(value)
      when "!ruby/object:DateTime"
        require "date"
        @loader.load("DateTime")
        time = @scanner.parse_time(value)
        DateTime.civil(*time.to_a[0, 6].reverse, Rational(time.gmtoff, 86_400)) + time.subsec / 86_400
      when "!ruby/object:BigDecimal"
        require "bigdecimal"
        @loader.load("BigDecimal")._load(value)
      when "!ruby/object:Rational" then Rational(value)
      when "!ruby/object:Complex" then Complex(value)
      else node.quoted ? value : @scanner.tokenize(value)
      end
    end

    def regexp(text)
      @loader.load("Regexp")
      match = %r{\A/(.*)/([mixn]*)\z}m.match(text) or return Regexp.new(text)
      flags = 0
      flags |= Regexp::IGNORECASE if match[2].include?("i")
      flags |= Regexp::EXTENDED if match[2].include?("x")
      flags |= Regexp::MULTILINE if match[2].include?("m")
      flags |= Regexp::NOENCODING if match[2].include?("n")
      Regexp.new(match[1].gsub("\\/", "/"), flags)
    end

    def range(text)
      first, dots, last = text.partition(/\.{2,3}/)
      @loader.load("Range").new(@scanner.tokenize(first), @scanner.tokenize(last), dots.size == 3)
    end

    # Sequences.

    def sequence(node)
      if (klass = @load_tags[node.tag])
        object = register(node, @loader.resolve(klass).allocate)
        return init_with(object, node.tag) { |coder| coder.seq = node.children.map { |child| accept(child) } }
      end
      case node.tag
      when nil then fill(node, register(node, []))
      when "!omap", "tag:yaml.org,2002:omap"
        map = register(node, Psych::Omap.new)
        node.children.each { |child| map[accept(child.children.first)] = accept(child.children.last) }
        map
      when %r{\A!(?:seq|ruby/array):(.*)\z} then fill(node, register(node, @loader.resolve($1).allocate))
      else fill(node, register(node, []))
      end
    end

    def fill(node, list)
      node.children.each { |child| list.push(accept(child)) }
      list
    end

    # Mappings.

    def mapping(node)
      tag = node.tag
      if (klass = @load_tags[tag])
        return revive(node, @loader.resolve(klass))
      end
      case tag
      when nil, "!", "tag:yaml.org,2002:map" then hash(node, register(node, {}))
      when "!ruby/range", "!ruby/range:Range" then register(node, range_of(pairs(node)))
      when %r{\A!(?:map|ruby/hash):(.*)\z} then hash(node, register(node, @loader.resolve($1).allocate))
      when "!ruby/hash-with-ivars" then hash_with_ivars(node, {})
      when %r{\A!ruby/hash-with-ivars:(.*)\z} then hash_with_ivars(node, @loader.resolve($1).allocate)
      when %r{\A!ruby/struct:?(.*)\z} then struct(node, $1)
      when %r{\A!ruby/data(?:-with-ivars)?(?::(.*))?\z} then data(node, $1)
      when %r{\A!ruby/exception:?(.*)\z} then exception(node, $1)
      when "!set", "tag:yaml.org,2002:set" then hash(node, register(node, @loader.load("Psych::Set").new))
      when "!omap", "tag:yaml.org,2002:omap" then hash(node, register(node, Psych::Omap.new))
      when "!ruby/object:Set", "!ruby/set" then set(node)
      when %r{\A!(?:str|ruby/string)(?::(.*))?\z} then string(node, $1)
      when %r{\A!ruby/array:(.*)\z} then array(node, $1)
      when "!ruby/object:Complex" then number(node, "Complex") { |found| Complex(found["real"], found["image"]) }
      when "!ruby/object:Rational" then number(node, "Rational") { |found| Rational(found["numerator"], found["denominator"]) }
      when "!ruby/object:Hash" then hash(node, register(node, {}))
      when %r{\A!ruby/object:?(.*)\z} then object(node, $1)
      else hash(node, register(node, {}))
      end
    end

    def pairs(node) = node.children.each_slice(2).to_h { |name, value| [accept(name), accept(value)] }

    def hash(node, map, symbolize = @symbolize_names)
      node.children.each_slice(2) do |name, value|
        if name.scalar? && name.value == "<<" && name.tag != "tag:yaml.org,2002:str" && !name.quoted
          merge(map, value)
        else
          map[hash_key(name, symbolize)] = accept(value)
        end
      end
      map
    end

    def hash_key(name, symbolize)
      key = accept(name)
      return key.to_sym if symbolize && String === key
      String === key && name.tag.nil? ? -key : key
    end

    # "<<" takes the pairs of other mappings in; of several, the first one counts.
    def merge(map, node)
      found = accept(node)
      case found
      when Hash then map.update(found)
      when Array then map.update(found.reverse.inject({}) { |all, each| all.update(each) })
      else map["<<"] = found
      end
    rescue TypeError
      map["<<"] = found
    end

    def range_of(found) = @loader.load("Range").new(found["begin"], found["end"], found["excl"])

    def number(node, name)
      @loader.load(name)
      register(node, yield(pairs(node)))
    end

    def set(node)
      set = register(node, @loader.load("Set").new)
      (pairs(node)["hash"] || {}).each_key { |member| set << member }
      set
    end

    def string(node, name)
      text = register(node, name ? @loader.resolve(name).allocate : +"")
      found = pairs(node)
      text.replace(found.delete("str"))
      ivars(text, found.transform_keys { |key| key.to_s.delete_prefix("@") })
    end

    def array(node, name)
      list = register(node, @loader.resolve(name).allocate)
      found = pairs(node)
      list.replace(found["internal"] || [])
      ivars(list, (found["ivars"] || {}).transform_keys { |key| key.to_s.delete_prefix("@") })
    end

    def hash_with_ivars(node, map)
      register(node, map)
      node.children.each_slice(2) do |name, value|
        case accept(name)
        when "elements" then hash(value, map)
        when "ivars" then ivars(map, pairs(value).transform_keys { |key| key.to_s.delete_prefix("@") })
        end
      end
      map
    end

    def struct(node, name)
      found = nil
      if name.empty?
        found = pairs(node)
        return register(node, @loader.load("Struct").new(*found.keys.map { |key| @loader.symbolize(key) }).new(*found.values))
      end
      object = register(node, struct_class(name).allocate)
      found = pairs(node)
      return init_with(object, node.tag) { |coder| coder.map = found } if object.respond_to?(:init_with)
      found.each do |member, value|
        member = member.to_s.delete_prefix("@")
        object.members.include?(@loader.symbolize(member)) ? object[member] = value : object.instance_variable_set(:"@#{member}", value)
      end
      object
    end

    # Names that Struct.new was given stand in Struct.
    def struct_class(name)
      return @loader.resolve("Struct::#{name}") if !Object.const_defined?(name) && Struct.const_defined?(name)
      @loader.resolve(name)
    end

    # A data object is frozen when it has its members: its own variables are set before.
    def data(node, name)
      data = register(node, @loader.resolve(name).allocate) if name && !name.empty?
      found = pairs(node)
      found, own = found["members"] || {}, found["ivars"] if node.tag.include?("with-ivars")
      members = found.transform_keys { |key| @loader.symbolize(key) }
      return register(node, @loader.load("Data").define(*members.keys).new(**members)) unless data
      return data.tap { data.__send__(:initialize, **members) } unless own
      own.each { |variable, value| data.instance_variable_set(variable, value) }
      Data.instance_method(:initialize).bind_call(data, **members)
      data
    end

    def exception(node, name)
      error = register(node, (name.empty? ? @loader.load("Exception") : @loader.resolve(name)).allocate)
      found = pairs(node)
      message = found.delete("message")
      backtrace = found.delete("backtrace")
      error = error.exception(message) if message
      error.set_backtrace(backtrace) if backtrace
      register(node, ivars(error, found))
    end

    def object(node, name)
      name.empty? ? revive(node, Object) : revive(node, @loader.resolve(name))
    end

    def revive(node, klass)
      object = register(node, klass.allocate)
      found = hash(node, {}, false)
      return init_with(object, node.tag) { |coder| coder.map = found } if object.respond_to?(:init_with)
      ivars(object, found)
    end

    def ivars(object, found)
      found.each { |name, value| object.instance_variable_set(:"@#{name}", value) }
      object
    end

    def init_with(object, tag)
      return object unless object.respond_to?(:init_with)
      coder = Coder.new(tag)
      yield coder
      object.init_with(coder)
      object
    end
  end

  # Refuses aliases: a small text may stand for an object that is none.
  class Visitors::NoAliasRuby < Visitors::ToRuby
    private

    def aliased(_node)
      raise AliasesNotEnabled
    end
  end
end
