# frozen_string_literal: true

module FileUtils
  module_function

  def rm(list, force: nil, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("rm#{" -f" if force} #{list.join(" ")}") if verbose
    return if noop
    list.each { |path| remove_file(path, force) }
  end
  alias remove rm
  module_function :remove

  def rm_f(list, noop: nil, verbose: nil) = rm(list, force: true, noop: noop, verbose: verbose)
  alias safe_unlink rm_f
  module_function :safe_unlink

  def rm_r(list, force: nil, noop: nil, verbose: nil, secure: nil)
    list = fu_list(list)
    fu_output_message("rm -r#{"f" if force} #{list.join(" ")}") if verbose
    return if noop
    list.each { |path| secure ? remove_entry_secure(path, force) : remove_entry(path, force) }
  end

  def rm_rf(list, noop: nil, verbose: nil, secure: nil)
    rm_r(list, force: true, noop: noop, verbose: verbose, secure: secure)
  end
  alias rmtree rm_rf
  module_function :rmtree

  # Nobody can make the removal reach other files: not even in folders where everybody may write.
  def remove_entry_secure(path, force = false)
    above = File.stat(File.dirname(File.expand_path(path)))
    if above.world_writable? && !above.sticky?
      raise ArgumentError, "parent directory is world writable, FileUtils#remove_entry_secure does not work; " \
                           "abort: #{path.inspect} (parent directory mode #{above.mode.to_s(8)})"
    end
    remove_entry(path, force)
  rescue SystemCallError
    raise unless force
  end

  # A file, or a folder with everything below it.
  def remove_entry(path, force = false)
    Entry_.new(path).postorder_traverse do |entry|
      entry.remove
    rescue SystemCallError
      raise unless force
    end
  rescue SystemCallError
    raise unless force
  end

  def remove_file(path, force = false)
    File.unlink(path)
  rescue SystemCallError
    raise unless force
  end

  def remove_dir(path, force = false)
    raise Errno::ENOTDIR, path unless force || File.directory?(path)
    remove_entry(path, force)
  end
end
