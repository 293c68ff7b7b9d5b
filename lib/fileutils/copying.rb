# frozen_string_literal: true

module FileUtils
  module_function

  def cp(src, dest, preserve: nil, noop: nil, verbose: nil)
    fu_output_message("cp#{" -p" if preserve} #{[src, dest].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest(src, dest) { |source, destination| copy_file(source, destination, preserve) }
  end
  alias copy cp
  module_function :copy

  def cp_r(src, dest, preserve: nil, noop: nil, verbose: nil, dereference_root: true, remove_destination: nil)
    if verbose
      flags = "#{"p" if preserve}#{" --remove-destination" if remove_destination}"
      fu_output_message("cp -r#{flags} #{[src, dest].flatten.join(" ")}")
    end
    return if noop
    fu_each_src_dest(src, dest) do |source, destination|
      copy_entry(source, destination, preserve, dereference_root, remove_destination)
    end
  end

  # A file or folder, with everything below it, under another name.
  def copy_entry(src, dest, preserve = false, dereference_root = false, remove_destination = false)
    if dereference_root
      src = File.realpath(src)
    end
    root = Entry_.new(src, nil, false)
    raise ArgumentError, "cannot copy directory #{src} to itself #{dest}" if File.directory?(src) && root.above?(dest)
    root.preorder_traverse do |entry|
      target = Entry_.new(dest, entry.rel, false).path
      File.unlink(target) if remove_destination && (File.file?(target) || File.symlink?(target))
      entry.copy(target)
    end
    return unless preserve
    root.postorder_traverse { |entry| entry.copy_metadata(Entry_.new(dest, entry.rel, false).path) }
  end

  def copy_file(src, dest, preserve = false, dereference = true)
    entry = Entry_.new(src, nil, dereference)
    entry.copy_file(dest)
    entry.copy_metadata(dest) if preserve
  end

  # Renames, or copies and removes where the file system ends.
  def mv(src, dest, force: nil, noop: nil, verbose: nil, secure: nil)
    fu_output_message("mv#{" -f" if force} #{[src, dest].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest(src, dest) do |source, destination|
      begin
        target = Entry_.new(destination, nil, true)
        raise Errno::EEXIST, destination if target.exist? && target.directory?
        File.rename(source, destination)
      rescue Errno::EXDEV, Errno::EPERM
        copy_entry(source, destination, true)
        secure ? remove_entry_secure(source, force) : remove_entry(source, force)
      end
    rescue SystemCallError
      raise unless force
    end
  end
  alias move mv
  module_function :move

  # Copies with mode and owner.
  def install(src, dest, mode: nil, owner: nil, group: nil, preserve: nil, noop: nil, verbose: nil)
    if verbose
      flags = "#{" -p" if preserve}#{" -m #{Modes.text(mode)}" if mode}#{" -o #{owner}" if owner}#{" -g #{group}" if group}"
      fu_output_message("install -c#{flags} #{[src, dest].flatten.join(" ")}")
    end
    return if noop
    uid = fu_get_uid(owner)
    gid = fu_get_gid(group)
    fu_each_src_dest(src, dest) do |source, destination|
      status = File.stat(source)
      unless File.exist?(destination) && compare_file(source, destination)
        remove_file(destination, true)
        folder = destination.end_with?("/")
        mkdir_p(folder ? destination : File.dirname(File.expand_path(destination)))
        copy_file(source, folder ? File.join(destination, File.basename(source)) : destination)
        File.utime(status.atime, status.mtime, destination) if preserve
        File.chmod(Modes.number(mode, status), destination) if mode
        File.chown(uid, gid, destination) if uid || gid
      end
    end
  end
end
