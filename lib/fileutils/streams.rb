# frozen_string_literal: true

module FileUtils
  # Copies between files and streams, by blocks.
  module StreamUtils_
    private

    def fu_windows? = /mswin|mingw|bccwin|emx/.match?(RUBY_PLATFORM)

    def fu_copy_stream0(source, destination, _block_size = nil) = IO.copy_stream(source, destination)

    def fu_stream_blksize(*streams)
      streams.filter_map { |stream| fu_blksize(stream.stat) if stream.respond_to?(:stat) }.min || fu_default_blksize
    end

    def fu_blksize(status)
      size = status.blksize
      size if size && size > 0
    end

    def fu_default_blksize = 1024
  end

  include StreamUtils_
  extend StreamUtils_

  # Prints a command as a shell knows it, to where the object that includes the module wants it.
  def fu_output_message(message)
    (@fileutils_output || $stdout).puts("#{@fileutils_label}#{message}")
  end

  def fu_list(paths) = [paths].flatten.map { |path| File.path(path) }

  # Whether paths are the same file.
  def fu_same?(one, other) = File.identical?(one, other)

  # Yields sources with where each goes: into a folder, or to a name.
  def fu_each_src_dest(sources, target)
    fu_each_src_dest0(sources, target) do |source, destination|
      raise ArgumentError, "same file: #{source} and #{destination}" if fu_same?(source, destination)
      yield source, destination
    end
  end

  def fu_each_src_dest0(sources, target, target_directory = true)
    if (list = Array.try_convert(sources))
      raise ArgumentError, "extra target #{list.map { |path| File.path(path) }}" unless target_directory || list.size <= 1
      list.each do |source|
        source = File.path(source)
        yield source, (target_directory ? File.join(target, File.basename(source)) : target)
      end
    else
      source = File.path(sources)
      if target_directory && File.directory?(target)
        yield source, File.join(target, File.basename(source))
      else
        yield source, File.path(target)
      end
    end
  end

  private_module_function :fu_output_message, :fu_list, :fu_same?, :fu_each_src_dest, :fu_each_src_dest0

  module_function

  def pwd = Dir.pwd
  alias getwd pwd
  module_function :getwd

  def cd(dir, verbose: nil, &block)
    fu_output_message("cd #{dir}") if verbose
    result = Dir.chdir(dir, &block)
    fu_output_message("cd -") if verbose && block
    result
  end
  alias chdir cd
  module_function :chdir

  # Whether +new+ is newer than all of +old_list+; what does not exist is old.
  def uptodate?(new, old_list)
    return false unless File.exist?(new)
    time = File.mtime(new)
    old_list.all? { |old| !File.exist?(old) || time > File.mtime(old) }
  end

  def compare_file(one, other)
    return false unless File.size(one) == File.size(other)
    File.open(one, "rb") { |a| File.open(other, "rb") { |b| compare_stream(a, b) } }
  end
  alias identical? compare_file
  alias cmp compare_file
  module_function :identical?, :cmp

  def compare_stream(one, other)
    size = 65_536
    left = +""
    right = +""
    begin
      one.read(size, left)
      other.read(size, right)
      return true if left.empty? && right.empty?
    end while left == right
    false
  end

  def copy_stream(source, destination) = IO.copy_stream(source, destination)
end
