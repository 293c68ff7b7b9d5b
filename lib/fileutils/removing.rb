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

  # Where everybody may write, somebody could put a link in a folder's place while what is below it is removed. So the folder
  # and those below it are first made the caller's own, which needs a folder above that lets only owners rename (sticky).
  def remove_entry_secure(path, force = false)
    full_path = File.expand_path(path)
    status = File.lstat(full_path)
    unless status.directory?
      File.unlink(full_path)
      return
    end
    above = File.stat(File.dirname(full_path))
    return remove_entry(path, force) unless above.world_writable?
    unless above.sticky?
      raise ArgumentError, "parent directory is world writable, FileUtils#remove_entry_secure does not work; " \
                           "abort: #{path.inspect} (parent directory mode #{above.mode.to_s(8)})"
    end
    unless fu_take_folder(full_path, status)
      File.unlink(full_path)
      return
    end
    root = Entry_.new(path)
    root.preorder_traverse { |entry| entry.take if entry.directory? }
    root.postorder_traverse do |entry|
      entry.remove
    rescue StandardError
      raise unless force
    end
  rescue StandardError
    raise unless force
  end

  # Makes a folder the caller's own, through a descriptor. Returns whether it still is the one that was looked at, or a link to it
  # or to another has come into its place.
  def fu_take_folder(path, status)
    File.open("#{path}/.") do |folder|
      return false unless fu_same_stat?(status, folder.stat)
      folder.chown(Process.euid, -1)
      folder.chmod(0o700)
    end
    fu_same_stat?(status, File.lstat(path))
  end
  private_module_function :fu_take_folder

  def fu_same_stat?(one, other) = one.dev == other.dev && one.ino == other.ino
  private_module_function :fu_same_stat?

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
