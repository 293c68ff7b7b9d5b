# frozen_string_literal: true

module FileUtils
  module_function

  def mkdir(list, mode: nil, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("mkdir #{"-m %03o " % mode if mode}#{list.join(" ")}") if verbose
    return if noop
    list.each { |dir| fu_mkdir(dir, mode) }
  end

  # With all folders above that do not exist.
  def mkdir_p(list, mode: nil, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("mkdir -p #{"-m %03o " % mode if mode}#{list.join(" ")}") if verbose
    return list if noop
    list.each { |path| fu_mkdir_p(path, mode) }
    list
  end
  alias mkpath mkdir_p
  alias makedirs mkdir_p
  module_function :mkpath, :makedirs

  # With +parents+, the folders above that become empty go too.
  def rmdir(list, parents: nil, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("rmdir #{"-p " if parents}#{list.join(" ")}") if verbose
    return if noop
    list.each do |dir|
      Dir.rmdir(dir = fu_without_slash(dir))
      next unless parents
      begin
        until (dir = File.dirname(dir)) == "." || dir == "/"
          Dir.rmdir(dir)
        end
      rescue Errno::ENOTEMPTY, Errno::EEXIST, Errno::ENOENT
        nil
      end
    end
  end

  def ln(src, dest, force: nil, noop: nil, verbose: nil)
    fu_output_message("ln#{" -f" if force} #{[src, dest].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest0(src, dest) do |source, destination|
      remove_file(destination, true) if force
      File.link(source, destination)
    end
  end
  alias link ln
  module_function :link

  # With +relative+, links say how their target is reached from where they are.
  def ln_s(src, dest, force: nil, relative: false, target_directory: true, noop: nil, verbose: nil)
    return ln_sr(src, dest, target_directory: target_directory, force: force, noop: noop, verbose: verbose) if relative
    fu_output_message("ln -s#{"f" if force}#{"T" unless target_directory} #{[src, dest].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest0(src, dest, target_directory) do |source, destination|
      remove_file(destination, true) if force
      File.symlink(source, destination)
    end
  end
  alias symlink ln_s
  module_function :symlink

  def ln_sf(src, dest, noop: nil, verbose: nil) = ln_s(src, dest, force: true, noop: noop, verbose: verbose)

  def ln_sr(src, dest, target_directory: true, force: nil, noop: nil, verbose: nil)
    fu_output_message("ln -s#{"f" if force}#{"T" unless target_directory} #{[src, dest].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest0(src, dest, target_directory) do |source, destination|
      relative = fu_relative(source, File.dirname(destination))
      remove_file(destination, true) if force
      File.symlink(relative, destination)
    end
  end

  # Hard links to everything below.
  def cp_lr(src, dest, noop: nil, verbose: nil, dereference_root: true, remove_destination: false)
    fu_output_message("cp -lr#{" --remove-destination" if remove_destination} #{[src, dest].flatten.join(" ")}") if verbose
    return if noop
    fu_each_src_dest(src, dest) do |source, destination|
      link_entry(source, destination, dereference_root, remove_destination)
    end
  end

  def link_entry(src, dest, dereference_root = false, remove_destination = false)
    root = Entry_.new(src, nil, dereference_root)
    raise ArgumentError, "cannot link directory #{src} to itself #{dest}" if root.directory? && root.above?(dest)
    root.traverse do |entry|
      target = Entry_.new(dest, entry.rel, false)
      File.unlink(target.path) if remove_destination && File.file?(target.path)
      entry.link(target.path)
    end
  end

  def touch(list, noop: nil, verbose: nil, mtime: nil, nocreate: nil)
    list = fu_list(list)
    if verbose
      fu_output_message("touch #{"-c " if nocreate}#{mtime.strftime("-t %Y%m%d%H%M.%S ") if mtime}#{list.join(" ")}")
    end
    return if noop
    list.each do |path|
      begin
        File.utime(mtime, mtime, path)
      rescue Errno::ENOENT
        raise if nocreate
        File.open(path, "a") {}
        File.utime(mtime, mtime, path) if mtime
      end
    end
  end

  def fu_without_slash(path) = path == "/" ? path : path.chomp("/")

  def fu_mkdir(path, mode)
    path = fu_without_slash(path)
    return Dir.mkdir(path) unless mode
    Dir.mkdir(path, mode)
    File.chmod(mode, path)
  end

  # How +source+ is reached from +folder+, whatever links lead there.
  def fu_relative(source, folder)
    require "pathname"
    above, name = File.split(File.expand_path(source))
    above = File.realpath(above) if File.exist?(above)
    Pathname.new(File.join(above, name)).relative_path_from(Pathname.new(File.realpath(folder))).to_s
  end

  def fu_mkdir_p(path, mode)
    missing = []
    until File.directory?(path)
      missing.unshift(path)
      above = File.dirname(path)
      break if above == path
      path = above
    end
    missing.each do |dir|
      fu_mkdir(dir, mode)
    rescue SystemCallError
      raise unless File.directory?(dir)
    end
  end

  private_module_function :fu_without_slash, :fu_mkdir, :fu_relative, :fu_mkdir_p
end
