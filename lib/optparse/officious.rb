# frozen_string_literal: true

class OptionParser
  # Options that every program has, unless it declares its own.
  Officious = {}

  Officious["help"] = proc do |parser|
    Switch::NoArgument.new { parser.help_exit }
  end

  Officious["*-completion-bash"] = proc do |parser|
    Switch::RequiredArgument.new do |word|
      puts parser.candidate(word)
      exit
    end
  end

  Officious["*-completion-zsh"] = proc do |parser|
    Switch::OptionalArgument.new do |name|
      parser.compsys($stdout, name)
      exit
    end
  end

  Officious["version"] = proc do |parser|
    Switch::OptionalArgument.new do |package|
      if package
        begin
          require "optparse/version"
        rescue LoadError
          nil
        else
          OptionParser.show_version(*package.split(",")) or abort("#{parser.program_name}: no version found in package #{package}")
          exit
        end
      end
      version = parser.ver or abort("#{parser.program_name}: version unknown")
      puts version
      exit
    end
  end

  # A script for zsh that completes the options of the program +name+.
  def compsys(to, name = File.basename($0))
    to << "#compdef #{name}\n\ntypeset -A opt_args\nlocal context state line\n\n_arguments -s -S \\\n"
    visit(:compsys, {}, {}) do |option, description|
      to << "  \"#{option}[#{description.gsub(/[\\"\[\]]/, '\\\\\&')}]\" \\\n"
    end
    to << "  '*:file:_files' && return 0\n"
  end

  def add_officious
    list = base
    Officious.each { |name, block| list.long[name] ||= block.call(self) }
  end
end
