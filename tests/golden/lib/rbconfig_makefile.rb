# The configuration as makefiles have it: variables, their values, changes.
require "rbconfig"

config = {"prefix" => "/usr", "libdir" => "$(prefix)/lib", "rubylibdir" => "${libdir}/ruby", "price" => "$$5"}
p RbConfig.expand(+"$(rubylibdir)/x:$(unknown)", config.transform_values(&:dup))
p RbConfig.expand(+"$(price)", config.transform_values(&:dup))
makefile = config.transform_values(&:dup)
values = config.to_h { |key, text| [key, RbConfig.expand(text.dup, config.transform_values(&:dup))] }
p RbConfig.fire_update!("prefix", "/opt", makefile, values)
p values["prefix"]
p RbConfig.fire_update!("prefix", "/opt", makefile, values)
p RbConfig::MAKEFILE_CONFIG.keys == RbConfig::CONFIG.keys, RbConfig::MAKEFILE_CONFIG["archdir"], RbConfig::MAKEFILE_CONFIG["vendorlibdir"]
