# Dir: what yields, and globbing.
class Dir
  include Enumerable

  class << self
    def open(path, **options)
      dir = new(path, **options)
      return dir unless block_given?
      begin
        yield dir
      ensure
        dir.close
      end
    end

    def children(path, encoding: nil) = Primitive.dir_children(path, encoding, false)
    def entries(path, encoding: nil) = Primitive.dir_children(path, encoding, true)

    def each_child(path, encoding: nil)
      return to_enum(:each_child, path, encoding: encoding) unless block_given?
      Primitive.dir_children(path, encoding, false).each { |name| yield name }
      nil
    end

    def foreach(path, encoding: nil)
      return to_enum(:foreach, path, encoding: encoding) unless block_given?
      Primitive.dir_children(path, encoding, true).each { |name| yield name }
      nil
    end

    # Paths that match a pattern, or each of several.
    def glob(pattern, positional = 0, flags: positional, base: nil, sort: true)
      raise ArgumentError, "expected true or false as sort: #{sort.inspect}" unless true == sort || false == sort
      base = base.path if Dir === base
      patterns = Primitive.check_array(pattern) || [pattern]
      found = Primitive.dir_glob(patterns, flags, base, sort)
      return found unless block_given?
      found.each { |path| yield path }
      nil
    end

    def [](*patterns, base: nil, sort: true) = glob(patterns.flatten, base: base, sort: sort)

    # Changes the working directory; with a block, for the block alone.
    def chdir(path = (given = false; ENV["HOME"] || ENV["LOGDIR"] || raise(ArgumentError, "HOME/LOGDIR not set")))
      Primitive.dir_chdir_begin(block_given?)
      return Primitive.dir_chdir(path) unless block_given?
      begin
        old = pwd
        Primitive.dir_chdir(path)
        begin
          yield path
        ensure
          Primitive.dir_chdir(old)
        end
      ensure
        Primitive.dir_chdir_end
      end
    end

    # As chdir, to an open directory. The way back needs no name either, so the old directory may be gone.
    def fchdir(fd)
      fd = Primitive.to_int(fd)
      Primitive.dir_chdir_begin(block_given?)
      return Primitive.dir_fchdir(fd) unless block_given?
      begin
        old = new(".")
        Primitive.dir_fchdir(fd)
        begin
          yield
        ensure
          Primitive.dir_fchdir(old.fileno)
        end
      ensure
        old&.close
        Primitive.dir_chdir_end
      end
    end
  end

  def each
    return to_enum(:each) unless block_given?
    rewind
    while name = read
      yield name
    end
    self
  end

  def each_child
    return to_enum(:each_child) unless block_given?
    rewind
    while name = read
      yield name unless name == "." || name == ".."
    end
    self
  end

  def children
    names = []
    each_child { |name| names << name }
    names
  end

  def chdir(&block) = Dir.fchdir(fileno, &block)
end
