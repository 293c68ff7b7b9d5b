# frozen_string_literal: true

module URI
  # Relative URIs, by section 5 of RFC 3986.
  class Generic
    # Where a relative URI leads from here.
    def merge(other)
      relative = parser.__send__(:convert_to_uri, other)
      return relative.dup if relative.absolute?
      raise BadURIError, "both URI are relative" unless absolute?
      base = dup
      authority = relative.authority
      if relative.path.to_s.empty? && !authority && !relative.query
        base.fragment = relative.fragment if relative.fragment
        return base
      end
      base.query = nil
      base.fragment = nil
      if authority
        base.set_authority(*authority)
        base.set_port(base.default_port) if relative.port.nil?
        base.set_path(relative.path)
      elsif base.path && relative.path
        base.set_path(merge_path(base.path, relative.path))
      end
      base.query = relative.query if relative.query
      base.fragment = relative.fragment if relative.fragment
      base
    end
    alias + merge

    def merge!(other)
      merged = merge(other)
      return if self == merged
      replace!(merged)
      self
    end

    # The relative URI that leads here from +other+.
    def route_from(other)
      relative, base = route_from0(other)
      return relative if base == relative
      relative.set_path(route_from_path(base.path, path))
      relative.set_path("") if relative.path == "./" && query
      relative
    end
    alias - route_from

    def route_to(other) = parser.__send__(:convert_to_uri, other).route_from(self)

    private

    def split_path(path) = path.split("/", -1)

    def merge_path(base, relative)
      base_parts = split_path(base)
      base_parts << "" if base_parts.last == ".."
      while (index = base_parts.index(".."))
        base_parts.slice!([index - 1, 0].max, 2)
      end
      relative_parts = split_path(relative)
      if relative_parts.first == ""
        base_parts.clear
        relative_parts.shift
      end
      relative_parts << "" if relative_parts.last == "." || relative_parts.last == ".."
      join_parts(base_parts, without_dots(relative_parts))
    end

    def without_dots(parts)
      parts.each_with_object([]) do |part, kept|
        next if part == "."
        part == ".." && !kept.empty? && kept.last != ".." ? kept.pop : kept << part
      end
    end

    # Steps up beyond the root are forgotten.
    def join_parts(base, parts)
      return base.empty? ? "" : base.join("/") if parts.empty? && !base.empty?
      base.empty? ? base << "" : base.pop
      base << "" if base.empty?
      ups = parts.take_while { |part| part == ".." }.size
      ups.times { base.pop if base.size > 1 }
      rest = parts.drop(ups)
      base.concat(rest.empty? && ups > 0 ? [""] : rest)
      base.join("/")
    end

    # The URI as a relative one, and itself where only its path must be looked at, or where nothing is left to do.
    def route_from0(other)
      other = parser.__send__(:convert_to_uri, other)
      raise BadURIError, "relative URI: #{self}" if relative?
      raise BadURIError, "relative URI: #{other}" if other.relative?
      return self, dup if scheme != other.scheme
      route = Generic.new(nil, userinfo, host, port, registry, path, opaque, query, fragment, parser)
      if userinfo != other.userinfo || host.to_s.downcase != other.host.to_s.downcase || port != other.port
        return self, dup if userinfo.nil? && host.nil?
        route.set_port(nil) if route.port == other.default_port
        return route, route
      end
      route.set_authority(nil, nil, nil, nil)
      return route, other unless same_place?(route, other)
      route.query = nil if route.query == other.query
      [route, route]
    end

    def same_place?(route, other)
      if route.path && route.path == other.path then route.set_path("")
      elsif route.opaque && route.opaque == other.opaque then route.set_opaque("")
      end
    end

    def route_from_path(from, to)
      return "" if from == to
      return to.dup if to.match?(%r{(?:\A|/)\.\.?(?:/|\z)})
      from_parts = from.scan(%r{[^/]*/})
      to_parts = to.scan(%r{[^/]*/?}).reject(&:empty?)
      while !to_parts.empty? && to_parts.first == from_parts.first
        to_parts.shift
        from_parts.shift
      end
      rest = to_parts.join
      return "../" * from_parts.size + rest unless from_parts.empty?
      return "./" if rest.empty?
      to_parts.first.include?(":") ? "./#{rest}" : rest
    end
  end
end
