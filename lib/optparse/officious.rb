# frozen_string_literal: true

class OptionParser
  # Options that every program has, unless it declares its own.
  Officious = {}

  Officious["help"] = proc do |parser|
    Switch::NoArgument.new do
      puts parser.help
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
          parser.show_version(*package.split(",")) or abort("#{parser.program_name}: no version found in package #{package}")
          exit
        end
      end
      version = parser.ver or abort("#{parser.program_name}: version unknown")
      puts version
      exit
    end
  end

  def add_officious
    list = base
    Officious.each { |name, block| list.long[name] ||= block.call(self) }
  end
end
