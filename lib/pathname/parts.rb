# frozen_string_literal: true

class Pathname
  def absolute? = @path.start_with?("/")

  def relative? = !absolute?

  def root? = @path.end_with?("/") && @path.match?(%r{\A/+\z})

  def parent = self + ".."

  # Without "." and "..": by the names alone, or as links lead if +consider_symlink+.
  def cleanpath(consider_symlink = false)
    names = []
    @path.split("/").each do |name|
      case name
      when "", "." then next
      when ".."
        if names.empty? ? absolute? : names.last != ".." && !consider_symlink
          names.pop
        else
          names << name
        end
      else names << name
      end
    end
    ending = consider_symlink ? conservative_ending(names) : ""
    text = names.join("/")
    return self.class.new("/#{text}#{ending}") if absolute?
    self.class.new(text.empty? ? "." : "#{text}#{ending}")
  end

  # Yields every name on the way.
  def each_filename
    return to_enum(__method__) unless block_given?
    @path.split("/").each { |name| yield name unless name.empty? }
  end

  # Yields this and what is above, from the top or from here.

  def descend
    return to_enum(__method__) unless block_given?
    ascend.to_a.reverse_each { |path| yield path }
    nil
  end

  def ascend
    return to_enum(__method__) unless block_given?
    yield self
    path = @path
    while (path, = chop_basename(path)) && path && !path.empty?
      yield self.class.new(path = del_trailing_separator(path))
    end
    nil
  end

  # Where +other+ leads from here.
  def +(other)
    other = Pathname.new(other) unless Pathname === other
    Pathname.new(plus(@path, other.to_s))
  end
  alias / +

  def join(*paths)
    return self if paths.empty?
    result = Pathname.new(paths.pop)
    return result if result.absolute?
    paths.reverse_each do |path|
      result = Pathname.new(path) + result
      return result if result.absolute?
    end
    self + result
  end

  # The entries of a folder, without "." and "..".
  def children(with_directory = true)
    with_directory = false if @path == "."
    Dir.children(@path).map { |name| self.class.new(with_directory ? File.join(@path, name) : name) }
  end

  def each_child(with_directory = true, &block) = children(with_directory).each(&block)

  # The relative name of this as seen from +base+.
  def relative_path_from(base)
    base = Pathname.new(base) unless base.is_a?(Pathname)
    here = names_of(cleanpath.to_s)
    cleaned = base.cleanpath
    there = names_of(cleaned.to_s)
    if absolute? != cleaned.absolute?
      raise ArgumentError, "different prefix: #{(absolute? ? "/" : "").inspect} and #{cleaned.to_s.inspect}"
    end
    while !here.empty? && !there.empty? && here.first == there.first
      here.shift
      there.shift
    end
    raise ArgumentError, "base_directory has ..: #{base.to_s.inspect}" if there.include?("..")
    steps = [".."] * there.size + here
    Pathname.new(steps.empty? ? "." : steps.join("/"))
  end

  def mountpoint?
    here = lstat
    above = parent.lstat
    here.dev != above.dev || here.ino == above.ino
  rescue Errno::ENOENT
    false
  end

  private

  # "a/b/" may be a link to a folder, "a/b" the link itself.
  def conservative_ending(names)
    return "" if names.empty? || names.last == ".."
    @path[%r{/\.(?=/*\z)}] || @path[%r{/\z}] || ""
  end

  def names_of(path) = path.split("/").reject { |name| name.empty? || name == "." }

  SLASH = "/".ord
  DOT = ".".ord
  private_constant :SLASH, :DOT

  # What is in front of the last name, and that name; nil for what consists of slashes.
  def chop_basename(path)
    stop = names_end(path)
    return if stop == 0
    path = path.byteslice(0, stop) if stop < path.bytesize
    slash = path.byterindex("/") or return "", path
    start = slash + 1
    [path.byteslice(0, start), path.byteslice(start, stop - start)]
  end

  def has_trailing_separator?(path)
    stop = names_end(path)
    stop > 0 && stop < path.bytesize
  end

  def del_trailing_separator(path)
    stop = names_end(path)
    stop == 0 ? path[0, 1] : path.byteslice(0, stop)
  end

  # Where the slashes behind the last name begin.
  def names_end(path)
    stop = path.bytesize
    stop -= 1 while stop > 0 && path.getbyte(stop - 1) == SLASH
    stop
  end

  # +second+ seen from +first+: each ".." takes a name away.
  def plus(first, second)
    return second if second.start_with?("/")
    before = first
    at = past_dots(second, 0)
    while (front, name = chop_basename(before)) && front
      before = front
      next if name == "."
      break before += name if name == ".." || !dots?(second, at)
      at = past_dots(second, past_slashes(second, at + 2))
    end
    return under(before, second.byteslice(at..)) if front
    at = past_slashes(second, at + 2) while before.start_with?("/") && dots?(second, at)
    rest = second.byteslice(at..)
    return under(before, rest) unless before.empty?
    rest.empty? ? "." : rest
  end

  def under(path, rest) = rest.empty? ? path : File.join(path, rest)

  # Where the first name begins that is not ".", from +at+ on, where one begins.
  def past_dots(path, at)
    at = past_slashes(path, at + 1) while dot?(path, at)
    at
  end

  def past_slashes(path, at)
    at += 1 while path.getbyte(at) == SLASH
    at
  end

  # Whether the name that begins there is ".", or "..".

  def dot?(path, at) = path.getbyte(at) == DOT && ((byte = path.getbyte(at + 1)).nil? || byte == SLASH)

  def dots?(path, at) = path.getbyte(at) == DOT && dot?(path, at + 1)
end
