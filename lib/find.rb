# frozen_string_literal: true

# Files and folders below others, from the top down.
module Find
  VERSION = "0.2.0".freeze

  # Yields every path; Find.prune leaves out what lies below the current one.
  def find(*paths, ignore_error: true)
    return enum_for(:find, *paths, ignore_error: ignore_error) unless block_given?
    encoding = Encoding.find("filesystem")
    paths.each do |path|
      raise Errno::ENOENT, path unless File.exist?(path)
      path = path.respond_to?(:to_path) ? path.to_path : path
      waiting = [path.dup]
      while (file = waiting.shift)
        catch(:prune) do
          yield file.dup
          Find.__send__(:below, file, encoding, ignore_error).reverse_each { |child| waiting.unshift(child) }
        end
      end
    end
    nil
  end

  # Goes on behind the current path.
  def prune
    throw :prune
  end

  module_function :find, :prune

  class << self
    private

    # The entries of a folder, sorted; nothing for what is none.
    def below(file, encoding, ignore_error)
      return [] unless File.lstat(file).directory?
      Dir.children(file, encoding: encoding).sort!.map! { |name| File.join(file, name) }
    rescue Errno::ENOENT, Errno::EACCES, Errno::ENOTDIR, Errno::ELOOP, Errno::ENAMETOOLONG, Errno::EINVAL
      raise unless ignore_error
      []
    end
  end
end
