# ObjectSpace, the part that has to be asked for: sizes, references, dumps, and where objects were made.
require "objspace.so"

module ObjectSpace
  class << self
    private :_dump, :_dump_all, :_dump_shapes
  end

  module_function

  # Writes +obj+ as a line of JSON. +output+ is +:string+ (which is returned), +:file+ or nil (a new temporary File is
  # returned), +:stdout+ (nil is returned) or an IO (which is returned). With +hash_strings+, which is Carat's own, the contents of
  # strings do not appear, but a hash of each, the same for equal contents in this process.
  def dump(obj, output: :string, hash_strings: false)
    into = __dump_output(output, "rubyobj")
    _dump(obj, into, hash_strings)
    output == :stdout ? nil : into
  end

  # Writes all objects, one a line, after the roots and the shapes; see #dump for +output+.
  #
  # full::   also the free slots, as objects of type NONE
  # since::  only objects that were recorded in this generation (GC.count) or later
  # shapes:: true, false, or the number of the first shape to write
  # hash_strings:: as for #dump
  def dump_all(output: :file, full: false, since: nil, shapes: true, hash_strings: false)
    into = __dump_output(output, "rubyheap")
    _dump_all(into, full, since, shapes == true ? 0 : shapes, hash_strings)
    output == :stdout ? nil : into
  end

  # Writes the shapes from number +since+ on; see #dump for +output+.
  def dump_shapes(output: :file, since: 0)
    into = __dump_output(output, "rubyshapes")
    _dump_shapes(into, since)
    output == :stdout ? nil : into
  end

  # Yields each path, as an Array, from +obj+ to an object that keeps it from being shareable; without a block returns an
  # Enumerator.
  def find_paths_to_unshareable_objects(obj)
    return to_enum(__method__, obj) unless block_given?

    seen = {}.compare_by_identity
    waiting = [[obj, []]]
    while (object, path = waiting.shift)
      next if seen[object] || Ractor.shareable?(object)
      seen[object] = true
      path += [object]
      yield path
      ObjectSpace.reachable_objects_from(object).each do |reached|
        waiting << [reached, path] unless InternalObjectWrapper === reached
      end
    end
  end

  # Where a dump goes.
  def __dump_output(output, prefix)
    case output
    when :string then +""
    when :stdout then $stdout
    when IO then output
    when :file, nil
      require "tempfile"
      Tempfile.create([prefix, ".json"])
    else
      raise ArgumentError, "wrong output option: #{output.inspect}"
    end
  end

  private_class_method :__dump_output
end
