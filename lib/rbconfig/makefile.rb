# frozen_string_literal: true

# The configuration with its variables, as makefiles have them, and what puts their values in.
module RbConfig
  # Folders of the configuration that others are named after, and the variables that stand for them.
  variables = {"rubyarchdir" => "$(rubylibdir)/$(arch)", "archdir" => "$(rubyarchdir)", "sitelibdir" => "$(sitedir)/$(ruby_version)",
               "sitearchdir" => "$(sitelibdir)/$(sitearch)", "vendorlibdir" => "$(vendordir)/$(ruby_version)",
               "vendorarchdir" => "$(vendorlibdir)/$(sitearch)", "bindir" => "$(exec_prefix)/bin", "exec_prefix" => "$(prefix)",
               "datarootdir" => "$(prefix)/share", "datadir" => "$(datarootdir)", "mandir" => "$(datarootdir)/man", "infodir" => "$(datarootdir)/info",
               "localedir" => "$(datarootdir)/locale", "htmldir" => "$(docdir)", "ridir" => "$(datarootdir)/$(RI_BASE_NAME)",
               "sbindir" => "$(exec_prefix)/sbin", "libexecdir" => "$(exec_prefix)/libexec",
               "LDSHARED" => "$(CC) -shared"}
  MAKEFILE_CONFIG = CONFIG.to_h { |key, value| [key, (variables[key] || value).dup] }

  # Those that are there until somebody asks only load this file.
  singleton_class.remove_method(:expand, :fire_update!)

  # Puts the values of variables in: "$(prefix)/lib" or "${prefix}/lib".
  def self.expand(text, config = CONFIG)
    text.gsub!(/\$\$|\$\(([^()]+)\)|\$\{([^{}]+)\}/) do
      name = $1 || $2 or next "$"
      value = config[name] or next $&
      config[name] = false
      config[name] = expand(value.dup, config)
    end
    text
  end

  # Changes a value; what is named after it follows. Returns the names of all that changed, or nil if nothing did.
  def self.fire_update!(key, value, makefile = MAKEFILE_CONFIG, config = CONFIG)
    return if makefile[key] == value && config[key] == value
    makefile[key] = value
    changed = [key]
    changed.each do |name|
      pattern = /\$\(#{Regexp.quote(name)}\)|\$\{#{Regexp.quote(name)}\}/
      changed.concat(makefile.filter_map { |other, text| other if text.match?(pattern) && !changed.include?(other) })
    end
    changed.each { |name| config[name] = expand(makefile[name].dup, makefile.transform_values(&:dup)) }
  end
end
