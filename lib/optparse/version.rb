# frozen_string_literal: true

require "optparse"

class << OptionParser
  # Prints the versions of the named modules, or with "all" of every one that has any; whether there were any.
  def show_version(*packages)
    found = packages == ["all"] ? all_versions : packages.filter_map { |name| version_of(name) }
    found.each { |owner, name, version| puts version_line(owner, name, version) }
    found.any?
  end

  private

  def version_of(package)
    owner = package.split(%r{::|/}).inject(Object) { |outer, name| outer.const_get(name) }
    name = %i[Version VERSION].find { |constant| owner.const_defined?(constant) }
    [owner, name, name ? owner.const_get(name) : "unknown"]
  rescue NameError
    nil
  end

  def all_versions
    owners = [Object]
    owners.each do |owner|
      owner.constants(false).each do |name|
        next if owner.autoload?(name)
        value = owner.const_get(name)
        owners << value if Module === value && !owners.include?(value)
      end
    end
    owners.filter_map { |owner| version_of(owner.name) if owner.name && (owner.const_defined?(:Version) || owner.const_defined?(:VERSION)) }
  end

  def version_line(owner, name, version)
    line = ARGV.options.program_name.dup
    unless owner == Object && name == :VERSION
      line << ": #{owner}" unless owner == Object
      line << " version #{Array === version ? version.join(".") : version}"
    end
    release = %i[Release RELEASE].find { |constant| owner.const_defined?(constant) }
    release ? "#{line} (#{owner.const_get(release)})" : line
  end
end
