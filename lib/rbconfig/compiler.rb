# frozen_string_literal: true

# What compiles and links C extensions. `mkmf` brings it; a program that only runs has no use for it.
module RbConfig
  require "rbconfig/makefile"
  require "rbconfig/sizeof"

  compiler = {
    "CPP" => "$(CC) -E", "CC_WRAPPER" => "",
    "CFLAGS" => "$(cflags)", "cflags" => "$(optflags) $(debugflags) $(warnflags)",
    "CXXFLAGS" => "$(cxxflags)", "cxxflags" => "$(optflags) $(debugflags)", "CPPFLAGS" => "$(cppflags)", "cppflags" => "",
    "CCDLFLAGS" => "-fPIC", "DLDFLAGS" => "", "LDFLAGS" => "-L.", "EXTDLDFLAGS" => "",
    "LDSHAREDXX" => "$(CXX) -shared", "LD" => "ld", "LIBS" => "-lm -lpthread", "DLDLIBS" => "-lc", "MAINLIBS" => "-lm -lpthread",
    "LIBRUBY" => "", "LIBRUBY_A" => "", "LIBRUBYARG" => "", "LIBRUBYARG_SHARED" => "", "LIBRUBYARG_STATIC" => "", "LIBPATHFLAG" => " -L%1$-s",
    "RPATHFLAG" => " -Wl,-rpath,%1$-s", "LIBPATHENV" => "LD_LIBRARY_PATH", "LIBARG" => "-l%s", "OUTFLAG" => "-o ", "COUTFLAG" => "-o ",
    "CSRCFLAG" => "", "CPPOUTFILE" => "-o conftest.i", "ARCH_FLAG" => "", "DEFS" => "", "RANLIB" => "ranlib", "NM" => "nm", "AS" => "as",
    "INSTALL" => "/usr/bin/install -c", "INSTALL_PROGRAM" => "$(INSTALL) -m 0755", "INSTALL_DATA" => "$(INSTALL) -m 644",
    "INSTALL_SCRIPT" => "$(INSTALL)", "MKDIR_P" => "mkdir -p", "MAKEDIRS" => "mkdir -p", "RM" => "rm -f", "RMDIR" => "rmdir", "CP" => "cp",
    "RMDIRS" => "rmdir --ignore-fail-on-non-empty -p", "RMALL" => "rm -fr", "NULLCMD" => ":", "SET_MAKE" => "", "EXTOUT" => ".ext",
    "topdir" => "$(rubylibdir)", "srcdir" => "$(topdir)", "hdrdir" => "$(rubyhdrdir)", "rubyarchhdrdir" => "$(rubyhdrdir)",
    "vendorhdrdir" => "$(rubyhdrdir)/vendor_ruby", "sitehdrdir" => "$(rubyhdrdir)/site_ruby", "build" => "$(arch)", "target" => "$(arch)",
    "target_alias" => "", "host_alias" => "", "build_alias" => "", "libdirname" => "libdir", "PKG_CONFIG" => "pkg-config", "try_header" => "try_cpp"
  }
  compiler.each { |key, value| MAKEFILE_CONFIG[key] ||= value.dup }
  compiler.each_key { |key| CONFIG[key] ||= expand(MAKEFILE_CONFIG[key].dup, MAKEFILE_CONFIG.transform_values(&:dup)) }

  # Writes the headers where compilers are told to look, unless they are there. Returns the folder.
  def self.provide_headers
    folder = CONFIG["rubyhdrdir"]
    return folder if File.exist?("#{folder}/ruby.h")
    require "mkmf/headers.so"
    require "fileutils"
    unfinished = "#{folder}.#{Process.pid}"
    headers.each do |name, text|
      FileUtils.mkdir_p(File.dirname("#{unfinished}/#{name}"))
      File.write("#{unfinished}/#{name}", text)
    end
    begin
      File.rename(unfinished, folder)
    rescue SystemCallError
      FileUtils.rm_rf(unfinished)
      raise unless File.exist?("#{folder}/ruby.h")
    end
    folder
  end
end
