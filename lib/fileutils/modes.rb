# frozen_string_literal: true

module FileUtils
  # Modes as chmod(1) writes them: "u+w,go=rX".
  module Modes
    WHO = {"u" => 0o4700, "g" => 0o2070, "o" => 0o1007, "a" => 0o7777}.freeze
    WHAT = {"r" => 0o444, "w" => 0o222, "x" => 0o111, "s" => 0o6000, "t" => 0o1000}.freeze
    private_constant :WHO, :WHAT

    class << self
      # The mode of a file after a change.
      def number(mode, path)
        return mode unless String === mode
        status = File::Stat === path ? path : File.stat(path)
        mode.split(",").inject(status.mode & 0o7777) { |current, clause| changed(current, clause, mode, status.directory?) }
      end

      def text(mode) = String === mode ? mode : format("%o", mode)

      private

      def changed(current, clause, mode, is_directory)
        match = /\A([^-+=]*)((?:[-+=][^-+=]*)+)\z/.match(clause)
        raise ArgumentError, "invalid file mode: #{mode}" unless match
        who = match[1].empty? ? 0o7777 : match[1].each_char.inject(0) { |mask, letter| mask | who_of(letter) }
        match[2].scan(/([-+=])([^-+=]*)/) do |operator, letters|
          bits = letters.each_char.inject(0) { |found, letter| found | bits_of(letter, current, is_directory) } & who
          current =
            case operator
            when "+" then current | bits
            when "-" then current & ~bits
            else current & ~who | bits
            end
        end
        current
      end

      def who_of(letter) = WHO.fetch(letter) { raise ArgumentError, "invalid 'who' symbol in file mode: #{letter}" }

      # "X" is "x" for folders; "u", "g" and "o" are what these may already.
      def bits_of(letter, current, is_directory)
        case letter
        when "X" then is_directory ? 0o111 : 0
        when "u" then (current >> 6 & 7) * 0o111
        when "g" then (current >> 3 & 7) * 0o111
        when "o" then (current & 7) * 0o111
        else WHAT.fetch(letter) { raise ArgumentError, "invalid 'perm' symbol in file mode: #{letter}" }
        end
      end
    end
  end
  private_constant :Modes

  module_function

  def chmod(mode, list, noop: nil, verbose: nil)
    list = fu_list(list)
    fu_output_message("chmod #{Modes.text(mode)} #{list.join(" ")}") if verbose
    return if noop
    list.each { |path| File.chmod(Modes.number(mode, path), path) }
  end

  def chmod_R(mode, list, noop: nil, verbose: nil, force: nil)
    list = fu_list(list)
    fu_output_message("chmod -R#{"f" if force} #{Modes.text(mode)} #{list.join(" ")}") if verbose
    return if noop
    list.each do |root|
      Entry_.new(root).traverse do |entry|
        entry.chmod(Modes.number(mode, entry.path)) unless entry.symlink?
      rescue SystemCallError
        raise unless force
      end
    end
  end

  def chown(user, group, list, noop: nil, verbose: nil)
    list = fu_list(list)
    owner = group ? "#{user}:#{group}" : user || ":"
    fu_output_message("chown #{owner} #{list.join(" ")}") if verbose
    return if noop
    uid = fu_get_uid(user)
    gid = fu_get_gid(group)
    list.each { |path| File.chown(uid, gid, path) }
  end

  def chown_R(user, group, list, noop: nil, verbose: nil, force: nil)
    list = fu_list(list)
    owner = group ? "#{user}:#{group}" : user || ":"
    fu_output_message("chown -R#{"f" if force} #{owner} #{list.join(" ")}") if verbose
    return if noop
    uid = fu_get_uid(user)
    gid = fu_get_gid(group)
    list.each do |root|
      Entry_.new(root).traverse do |entry|
        entry.chown(uid, gid)
      rescue SystemCallError
        raise unless force
      end
    end
  end

  def fu_get_uid(user)
    return user if user.nil? || Integer === user
    return user.to_i if user.to_s.match?(/\A\d+\z/)
    require "etc"
    Etc.getpwnam(user.to_s).uid
  end

  def fu_get_gid(group)
    return group if group.nil? || Integer === group
    return group.to_i if group.to_s.match?(/\A\d+\z/)
    require "etc"
    Etc.getgrnam(group.to_s).gid
  end

  private_module_function :fu_get_uid, :fu_get_gid
end
