# oracle: native
# Folders of an installation, seen from its prefix, and how makefiles write them.
require "rbconfig"

%w[bindir sbindir libexecdir datarootdir datadir mandir infodir localedir docdir htmldir ridir].each do |name|
  text = RbConfig::CONFIG[name]
  next puts("#{name} is under the prefix: #{text.start_with?(RbConfig::CONFIG["prefix"])}") if name == "bindir"
  makefile = RbConfig::MAKEFILE_CONFIG[name]
  puts "#{name} #{text.delete_prefix(RbConfig::CONFIG["prefix"])} #{makefile unless name == "docdir"}"
  p RbConfig.expand(makefile.dup) == text
end
p RbConfig::CONFIG["RI_BASE_NAME"]
