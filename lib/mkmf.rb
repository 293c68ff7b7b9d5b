# frozen_string_literal: true

# Makes makefiles for C extensions: an `extconf.rb` asks what the machine has, and calls `create_makefile`.
#
# A check compiles, links or runs a small program and says so on the terminal; what exactly it did stands in `mkmf.log`. Flags are
# kept in global variables, which an `extconf.rb` may change at any time.

require "rbconfig/compiler"
require "fileutils"
require "shellwords"
require "tempfile"

class Object
  CONFIG = RbConfig::MAKEFILE_CONFIG unless const_defined?(:CONFIG)
end

module MakeMakefile
  ORIG_LIBPATH = ENV["LD_LIBRARY_PATH"]
  C_EXT = %w[c m].freeze
  CXX_EXT = %w[cc mm cxx cpp].freeze
  SRC_EXT = (C_EXT + CXX_EXT).freeze
  HDR_EXT = %w[h hpp].freeze
  CONFTEST = "conftest".freeze
  CONFTEST_C = "conftest.c".freeze
  CONFTEST_CXX = "conftest.cc".freeze
  # How a check links; an `extconf.rb` may put another compiler into it.
  TRY_LINK = +"$(CC) -o conftest"
  LIBARG = "-l%s".freeze
  LIBPATHFLAG = "-L%s".freeze
  RPATHFLAG = "".freeze
  OUTFLAG = "-o ".freeze
  COUTFLAG = "-o ".freeze
  COMMON_HEADERS = "#include <ruby.h>\n"
  COMMON_LIBS = [].freeze
  INSTALL_DIRS = [["bindir", "$(BINDIR)"], ["sitelibdir", "$(RUBYLIBDIR)"], ["sitearchdir", "$(RUBYARCHDIR)"]].freeze
  MAIN_DOES_NOTHING = "int main(int argc, char **argv)\n{\n  return !!argv[argc];\n}".freeze
  UNIVERSAL_INTS = ["int", "short", "long", "long long"].freeze
  CLEANINGS = "clean-static::\nclean-rb-default::\nclean-rb::\nclean-so::\n".freeze

  # ---- messages and the log ----

  module Logging
    @log = nil
    @logfile = "mkmf.log"
    @quiet = false
    class << self
      attr_accessor :quiet

      def log_open
        @log ||= File.open(@logfile, "wb").tap { |file| file.sync = true }
      end

      def message(*args)
        log_open.printf(*args)
      end

      def logfile(file)
        @logfile = file
        log_close
      end

      def log_close
        @log&.close
        @log = nil
      end

      def log_opened?
        !!@log
      end

      def open
        log_open
        yield
      end

      def postpone
        yield log_open
      end
    end
  end

  def message(*args)
    return if Logging.quiet
    printf(*args)
    $stdout.flush
  end

  def checking_message(target, place = nil, opt = nil)
    [["in", place], ["with", opt]].inject("#{target}") do |text, (word, more)|
      more = more.is_a?(Array) ? more.join(" ") : more
      more && !more.empty? ? "#{text} #{word} #{more}" : text
    end
  end

  # Says what is checked and what came of it.
  def checking_for(what, format = nil)
    text = "checking for #{what}... "
    message "%s", text
    result = yield
    shown = format ? format % [result] : result.is_a?(String) ? result : result ? "yes" : "no"
    message "%s\n", shown
    Logging.message "%s%s\n\n%s\n\n", text, shown, "-" * 20
    result
  end

  # ---- running compilers ----

  def libpath_env
    paths = $LIBPATH.reject { |path| path.include?("$") }
    {"LD_LIBRARY_PATH" => [*paths, ORIG_LIBPATH].compact.join(":")}
  end

  def expand_command(commands, env = {})
    RbConfig.expand(commands.dup, RbConfig::MAKEFILE_CONFIG.transform_values(&:dup).merge(env))
  end

  def xsystem(command, opts = nil, werror: false)
    command = expand_command(command)
    Logging.message "%s\n", command
    output = IO.popen([libpath_env, "/bin/sh", "-c", command], err: [:child, :out], &:read)
    Logging.message "%s", output
    $?.success? && !(werror && /warning:/i.match?(output))
  end

  def xpopen(command, *mode, &block)
    command = expand_command(command)
    Logging.message "%s\n", command
    IO.popen([libpath_env, "/bin/sh", "-c", command], *mode, &block)
  end

  def language_source = @cxx ? CONFTEST_CXX : CONFTEST_C
  def language_compiler = @cxx ? "$(CXX)" : "$(CC)"

  # Writes the program of a check, and notes it in the log.
  def create_tmpsrc(source)
    source = "#{COMMON_HEADERS}\n#{source}" unless source.include?("#include <ruby.h>") || source.include?("#include \"ruby.h\"")
    source = yield(source) if block_given?
    source = source.gsub(/[ \t]+$/, "").gsub(/\A\n+|^\n+$/, "").sub(/[^\n]\z/, "\\&\n")
    File.write(language_source, source)
    Logging.message "checked program was:\n/* begin */\n%s/* end */\n\n", source.each_line.with_index(1).map { |line, i| "#{i}: #{line}" }.join
    source
  end

  def have_devel?
    true
  end

  def try_do(source, command, **opts, &block)
    source = create_tmpsrc(source, &block)
    xsystem(command, **opts)
  ensure
    Logging.message "\n"
  end

  def cc_command(opt = "")
    "#{language_compiler} -I$(hdrdir) #{$INCFLAGS.gsub("$(srcdir)", $srcdir)} #{$CPPFLAGS} #{@cxx ? $CXXFLAGS : $CFLAGS} #{$ARCH_FLAG} #{opt} -c #{language_source}"
  end

  def cpp_command(outfile, opt = "")
    "#{language_compiler} -E -I$(hdrdir) #{$INCFLAGS.gsub("$(srcdir)", $srcdir)} #{$CPPFLAGS} #{$CFLAGS} #{opt} #{language_source} #{outfile}"
  end

  # Names of Carat's own functions are found in the executable when an extension is loaded, not before: they are left open.
  def link_command(ldflags, opt = "", libpath = $DEFLIBPATH | $LIBPATH)
    linking = @cxx ? TRY_LINK.sub("$(CC)", "$(CXX)") : TRY_LINK
    "#{linking} -I$(hdrdir) #{$INCFLAGS.gsub("$(srcdir)", $srcdir)} #{$CPPFLAGS} #{@cxx ? $CXXFLAGS : $CFLAGS} " \
      "#{language_source} #{libpathflag(libpath)} #{$LDFLAGS} #{ldflags} #{$ARCH_FLAG} #{$LOCAL_LIBS} #{opt} #{$LIBS}"
  end

  def libpathflag(libpath = $DEFLIBPATH | $LIBPATH)
    libpath.map { |path| path.to_s.include?("$") ? " -L#{path}" : " -L#{path.to_s.quote}" }.join
  end

  def werror_flag(opt = nil)
    opt ? "#{opt} -Werror" : "-Werror"
  end

  def with_werror(opt, opts = nil)
    opts = opts ? opts.dup : {}
    werror = opts.delete(:werror)
    block_given? && werror ? yield(werror_flag(opt), opts) : yield(opt, opts)
  end

  def try_link0(source, opt = "", **opts, &block)
    try_do(source, link_command("", opt), **opts.slice(:werror), &block) && File.executable?(CONFTEST)
  end

  def try_link(source, opt = "", **opts, &block)
    try_link0(source, opt, **opts, &block)
  ensure
    remove_conftest
  end

  def try_compile(source, opt = "", **opts, &block)
    try_do(source, cc_command(opt), **opts.slice(:werror), &block)
  ensure
    remove_conftest
  end

  def try_cpp(source, opt = "", **opts, &block)
    try_do(source, cpp_command("-o conftest.i", opt), **opts.slice(:werror), &block)
  ensure
    remove_conftest
  end
  alias try_header try_cpp

  def cpp_include(header)
    Array(header).flatten.compact.reject(&:empty?).map { |one| one.to_s.include?("#include") ? one : "#include <#{one}>\n" }.join
  end

  def with_flags(name, flags)
    _before = eval("$#{name}")
    eval("$#{name} = flags")
    yield
  ensure
    eval("$#{name} = _before")
  end

  def with_cppflags(flags, &) = with_flags("CPPFLAGS", flags, &)
  def with_cflags(flags, &) = with_flags("CFLAGS", flags, &)
  def with_ldflags(flags, &) = with_flags("LDFLAGS", flags, &)

  def try_cppflags(flags, werror: true, **)
    try_header(MAIN_DOES_NOTHING, flags, werror:)
  end

  def try_cflags(flags, werror: true, **)
    try_compile(MAIN_DOES_NOTHING, flags, werror:)
  end

  def try_ldflags(flags, werror: true, **)
    try_link(MAIN_DOES_NOTHING, flags, werror:)
  end

  def append_flags(variable, flags, try, **opts)
    Array(flags).each do |flag|
      accepted = checking_for("whether #{flag} is accepted as #{variable}") { send(try, flag, **opts) }
      eval("$#{variable} = [$#{variable}, flag].join(' ').strip") if accepted
    end
  end

  def append_cppflags(flags, *, **opts) = append_flags("CPPFLAGS", flags, :try_cppflags, **opts)
  def append_cflags(flags, *, **opts) = append_flags("CFLAGS", flags, :try_cflags, **opts)
  def append_ldflags(flags, *, **opts) = append_flags("LDFLAGS", flags, :try_ldflags, **opts)

  def try_static_assert(expr, headers = nil, opt = "", &block)
    try_compile("#{cpp_include(headers)}\n/*top*/\nint conftest_const[(#{expr}) ? 1 : -1];\n", opt, &block)
  end

  # The value of an integer constant, found by asking how large it is.
  def try_constant(const, headers = nil, opt = "", &block)
    headers = cpp_include(headers)
    return nil unless try_compile("#{headers}\n/*top*/\nint conftest_const = (int)(#{const});\n", opt, &block)
    negative = try_static_assert("(#{const}) < 0", headers, opt)
    magnitude = negative ? "-(#{const})" : "(#{const})"
    upper = 1
    lower = 0
    until try_static_assert("#{magnitude} <= #{upper}", headers, opt)
      lower = upper
      upper <<= 1
      return nil if upper > 1 << 62
    end
    return nil unless lower
    while upper > lower + 1
      middle = (upper + lower) / 2
      if try_static_assert("#{magnitude} > #{middle}", headers, opt)
        lower = middle
      else
        upper = middle
      end
    end
    upper = lower if try_static_assert("#{magnitude} == #{lower}", headers, opt)
    negative ? -upper : upper
  end

  def try_func(func, libs, headers = nil, opt = "", &block)
    headers = cpp_include(headers)
    name = func[/\w+/]
    return true if try_own(name)
    return macro_defined?(name, headers, opt) if name.match?(/\A(rb_|ruby_)/)
    with_libs = [libs, opt].compact.join(" ")
    if func.include?("(")
      return try_link("#{headers}\n/*top*/\nint t(void) { #{func}; return 0; }\n#{main_calling}\n", with_libs, &block)
    end
    declared = "extern int t(void);\nint t(void) { void ((*volatile p)()); p = (void ((*)()))#{name}; return !p; }"
    try_link("#{headers}\n/*top*/\n#{declared}\n#{main_calling}\n", with_libs, &block) ||
      try_link("#{headers}\n/*top*/\nextern void #{name}();\nint t(void) { #{name}(); return 0; }\n#{main_calling}\n", with_libs, &block)
  end

  def main_calling = "extern int t(void);\nint main(int argc, char **argv)\n{\n  if (argc > 1000000) t();\n  return !!argv[argc];\n}"

  # A function of the interface: the executable has it, and no library does.
  def try_own(name)
    return false unless name.match?(/\A(rb_|ruby_|st_)/)
    name = "rb_#{name}" if name.start_with?("st_")
    require "mkmf/headers.so"
    RbConfig.exports?(name)
  end

  def try_var(var, headers = nil, opt = "", &block)
    headers = cpp_include(headers)
    return true if var.match?(/\Arb_|\Aruby_/) && try_own(var)
    try_compile("#{headers}\n/*top*/\nextern int t(void);\nint t(void) { const volatile void *volatile p; p = &(&#{var})[0]; return !p; }\n#{MAIN_DOES_NOTHING}\n", opt, &block)
  end

  def egrep_cpp(pattern, source, opt = "", &block)
    create_tmpsrc(source, &block)
    xpopen(cpp_command("", opt)) do |file|
      case pattern
      when Regexp then file.grep(pattern).any?
      else file.grep(Regexp.new(pattern)).any?
      end
    end
  ensure
    remove_conftest
  end

  def macro_defined?(macro, source, opt = "", &block)
    source = source.sub(/[^\n]\z/, "\\&\n")
    try_compile("#{source}/*top*/\n#ifndef #{macro}\n# error\n|:/ === #{macro} undefined === /:|\n#endif\n", opt, &block)
  end

  def try_run(source, opt = "", &block)
    remove_conftest
    return nil unless try_link0(source, opt, &block)
    xsystem("./#{CONFTEST}")
  ensure
    remove_conftest
  end

  def remove_conftest
    FileUtils.rm_rf(Dir.glob("conftest*"))
  end

  # ---- checks ----

  def have_macro(macro, headers = nil, opt = "", &block)
    checking_for(checking_message(macro, headers, opt)) { macro_defined?(macro, cpp_include(headers), opt, &block) }
  end

  def have_library(lib, func = nil, headers = nil, opt = "", &block)
    lib = with_config("#{lib}lib", lib)
    func = "main" if !func || func.empty?
    checking_for(checking_message(func.funcall_style, "-l#{lib}", opt)) do
      libs = append_library($libs, lib)
      found = func == "main" ? try_link("#{MAIN_DOES_NOTHING}\n", [libs, opt].join(" "), &block) : try_func(func, libs, headers, opt, &block)
      $libs = libs if found
      found
    end
  end

  def find_library(lib, func, *paths, &block)
    dir_config(lib)
    lib = with_config("#{lib}lib", lib)
    paths = paths.flat_map { |path| path.split(File::PATH_SEPARATOR) }
    checking_for(checking_message((func || "main").funcall_style, "-l#{lib}")) do
      before = $LIBPATH
      libs = append_library($libs, lib)
      check = -> { func && func != "main" ? try_func(func, libs, &block) : try_link("#{MAIN_DOES_NOTHING}\n", libs, &block) }
      found = check.()
      until found || paths.empty?
        $LIBPATH = before | [paths.shift]
        found = check.()
      end
      found ? $libs = libs : $LIBPATH = before
      !!found
    end
  end

  def have_func(func, headers = nil, opt = "", &block)
    checking_for(checking_message(func.funcall_style, headers, opt)) do
      if try_func(func, $libs, headers, opt, &block)
        $defs << "-DHAVE_#{func.sans_arguments.tr_cpp}"
        true
      else
        false
      end
    end
  end

  def have_var(var, headers = nil, opt = "", &block)
    checking_for(checking_message(var, headers, opt)) { try_var(var, headers, opt, &block) && !!($defs << "-DHAVE_#{var.tr_cpp}") }
  end

  def have_header(header, preheaders = nil, opt = "", &block)
    dir_config(header[/.*?(?=\/)|.*?(?=\.)/] || header)
    checking_for(header) do
      source = cpp_include(preheaders) + cpp_include(header)
      try_header(source, opt, &block) && !!($defs << "-DHAVE_#{header.tr_cpp}")
    end
  end

  def have_framework(*)
    false
  end

  def find_header(header, *paths)
    message = checking_message(header, paths)
    source = cpp_include(header)
    checking_for(message) do
      found = try_header(source)
      paths.each do |path|
        break if found
        flag = "-I#{path}".quote
        if try_header(source, flag)
          $INCFLAGS = [$INCFLAGS, flag].join(" ")
          found = true
        end
      end
      $defs << "-DHAVE_#{header.tr_cpp}" if found
      !!found
    end
  end

  def have_struct_member(type, member, headers = nil, opt = "", &block)
    checking_for(checking_message("#{type}.#{member}", headers)) do
      source = "#{cpp_include(headers)}\n/*top*/\nint s = (char *)&((#{type}*)0)->#{member} - (char *)0;\n#{MAIN_DOES_NOTHING}\n"
      if try_compile(source, opt, &block)
        $defs << "-DHAVE_#{type.tr_cpp}_#{member.tr_cpp}" << "-DHAVE_ST_#{member.tr_cpp}"
        true
      else
        false
      end
    end
  end

  def try_type(type, headers = nil, opt = "", &block)
    return false unless try_compile("#{cpp_include(headers)}\n/*top*/\ntypedef #{type} conftest_type;\nint conftestval[sizeof(conftest_type)?1:-1];\n", opt, &block)
    $defs << "-DHAVE_TYPE_#{type.tr_cpp}"
    true
  end

  def have_type(type, headers = nil, opt = "", &block)
    checking_for(checking_message(type, headers, opt)) { try_type(type, headers, opt, &block) }
  end

  def find_type(type, opt, *headers, &block)
    opt ||= ""
    checking_for(checking_message(type, nil, opt)) { headers.find { |header| try_type(type, header, opt, &block) } }
  end

  def try_const(const, headers = nil, opt = "", &block)
    name, type = *const
    source = "#{cpp_include(headers)}\n/*top*/\ntypedef #{type || "int"} conftest_type;\nconftest_type conftestval = #{type ? "" : "(int)"}#{name};\n"
    return false unless try_compile(source, opt, &block)
    $defs << "-DHAVE_CONST_#{name.tr_cpp}"
    true
  end

  def have_const(const, headers = nil, opt = "", &block)
    checking_for(checking_message([*const].compact.join(" "), headers, opt)) { try_const(const, headers, opt, &block) }
  end

  def check_sizeof(type, headers = nil, opts = "", &block)
    type, member = Array(type)
    expr = "sizeof((*#{"(#{type} *)0"}))"
    expr = "sizeof(((#{type} *)0)->#{member})" if member
    name = member ? "#{type}.#{member}" : type
    checking_for("size of #{name}", "%s") do
      size = try_constant(expr, headers, opts, &block)
      $defs << "-DSIZEOF_#{name.tr_cpp}=#{size}" if size
      size || "failed"
    end.then { |size| size == "failed" ? nil : size }
  end

  def try_signedness(type, headers = nil, opts = nil)
    raise ArgumentError, "don't know how to tell signedness of members" if type.is_a?(Array)
    return -1 if try_static_assert("(#{type})-1 < 0", headers)
    return +1 if try_static_assert("(#{type})-1 > 0", headers)
  end

  def check_signedness(type, headers = nil, opts = nil, &block)
    signedness = nil
    checking_for("signedness of #{type}", "%s") do
      signedness = try_signedness(type, headers, opts, &block)
      next "failed" unless signedness
      $defs << "-DSIGNEDNESS_OF_#{type.tr_cpp}=#{signedness}"
      signedness < 0 ? "signed" : "unsigned"
    end
    signedness
  end

  def convertible_int(type, headers = nil, opts = nil, &block)
    type, macname = *type
    checking_for("convertible type of #{type}", "%s") do
      UNIVERSAL_INTS.find { |known| try_static_assert("sizeof(#{type}) == sizeof(#{known})", headers) }.then do |known|
        next "failed" unless known
        unsigned = try_signedness(type, headers) == +1
        name = (macname || type).tr_cpp
        short = {"int" => "INT", "short" => "SHORT", "long" => "LONG", "long long" => "LL"}[known]
        $defs << "-DTYPEOF_#{name}=#{"#{unsigned ? "unsigned " : ""}#{known}".tr(" ", "=").then { |t| t.gsub("=", "\\ ") }}"
        $defs << "-DPRI_#{name}_PREFIX=PRI_#{short}_PREFIX" << "-D#{name}2NUM=#{unsigned ? "U" : ""}#{short}2NUM" << "-DNUM2#{name}=NUM2#{unsigned ? "U" : ""}#{short}"
        known
      end
    end
  end

  def scalar_ptr_type?(type, member = nil, headers = nil, &block)
    try_compile("#{cpp_include(headers)}\n/*top*/\nvolatile #{type} conftestval;\nextern int t(void);\nint t(void) {return (int)(1-*(conftestval#{member ? ".#{member}" : ""}));}\n", &block)
  end

  def have_typeof?
    "typeof"
  end

  def what_type?(type, member = nil, headers = nil, &block)
    nil
  end

  def find_executable0(bin, path = nil)
    paths = path ? Array(path).flat_map { |one| one.split(File::PATH_SEPARATOR) } : ENV["PATH"].split(File::PATH_SEPARATOR)
    return bin if File.expand_path(bin) == bin && File.executable?(bin) && File.file?(bin)
    paths.map { |folder| File.join(folder, bin) }.find { |file| File.executable?(file) && File.file?(file) }
  end

  def find_executable(bin, path = nil)
    checking_for(checking_message(bin, path)) { find_executable0(bin, path) }
  end

  # ---- options ----

  def arg_config(config, default = nil, &block)
    $arg_config << [config, default]
    unless $configure_args.key?(config)
      value = block ? block.(default) : default
      return value
    end
    $configure_args[config]
  end

  def with_config(config, default = nil)
    config = config.sub(/^--with[-_]/, "")
    value = arg_config("--with-#{config}") { nil }
    value = false if value.nil? && arg_config("--without-#{config}")
    return yield(config, value.nil? ? default : value) if block_given? && value.nil?
    value.nil? ? default : value == "no" ? false : value == "yes" ? true : value
  end

  def enable_config(config, default = nil)
    value = arg_config("--enable-#{config}")
    return value != "no" && value != false unless value.nil?
    return false if arg_config("--disable-#{config}")
    block_given? ? yield(config, default) : default
  end

  def dir_config(target, idefault = nil, ldefault = nil)
    return $config_dirs[target] if $config_dirs[target] && !idefault
    idefault, ldefault = "#{idefault}/include", "#{idefault}/lib" if idefault && !ldefault && !idefault.is_a?(Array)
    dir = with_config("#{target}-dir")
    defaults = dir ? ["#{dir}/include", "#{dir}/lib"] : [idefault, ldefault]
    include = with_config("#{target}-include", defaults[0])
    lib = with_config("#{target}-lib", defaults[1])
    includes = Array(include).flat_map { |path| path.to_s.split(File::PATH_SEPARATOR) }
    $INCFLAGS = [$INCFLAGS, *includes.map { |path| "-I#{path}".quote }].reject(&:empty?).join(" ") unless includes.empty?
    libs = Array(lib).flat_map { |path| path.to_s.split(File::PATH_SEPARATOR) }
    $LIBPATH |= libs
    $config_dirs[target] = [include, lib]
  end

  # Asks pkg-config, or `NAME-config`. Sets flags, and returns [cflags, ldflags, libs]; with an option, what the tool says to it.
  def pkg_config(pkg, *options)
    dir = with_config("#{pkg}-dir")
    ENV["PKG_CONFIG_PATH"] = ["#{dir}/lib/pkgconfig", ENV["PKG_CONFIG_PATH"]].compact.join(":") if dir
    tool = $PKGCONFIG ||= with_config("pkg-config") || RbConfig::CONFIG["PKG_CONFIG"] || "pkg-config"
    own = with_config("#{pkg}-config")
    if own.is_a?(String)
      ask = ->(*args) { xpopen([own, *args].shelljoin, &:read).to_s.strip.then { |text| $?.success? ? text : nil } }
    elsif find_executable0(tool) && xsystem("#{tool} --exists #{pkg.shellescape}")
      ask = ->(*args) { xpopen([tool, *args, pkg].shelljoin, &:read).to_s.strip.then { |text| $?.success? ? text : nil } }
    elsif find_executable0("#{pkg}-config")
      ask = ->(*args) { xpopen(["#{pkg}-config", *args].shelljoin, &:read).to_s.strip.then { |text| $?.success? ? text : nil } }
    else
      Logging.message "package configuration for %s is not found\n", pkg
      return nil
    end
    return options.map { |option| ask.(option.start_with?("-") ? option : "--#{option}") }.first unless options.empty?
    cflags = ask.("--cflags") or return nil
    all = ask.("--libs").to_s
    libs = ask.("--libs-only-l") || all.split.grep(/\A-l/).join(" ")
    ldflags = (all.shellsplit - libs.shellsplit).quote.join(" ")
    $CFLAGS = [$CFLAGS, cflags].join(" ").strip
    $CXXFLAGS = [$CXXFLAGS, cflags].join(" ").strip
    $LDFLAGS = [$LDFLAGS, ldflags].join(" ").strip
    $libs = [$libs, libs].join(" ").strip
    Logging.message "package configuration for %s\ncflags: %s\nldflags: %s\nlibs: %s\n\n", pkg, cflags, ldflags, libs
    [cflags, ldflags, libs]
  end

  def append_library(libs, lib)
    "#{LIBARG % lib} #{libs}".strip
  end

  def create_header(header = "extconf.h")
    message "creating %s\n", header
    guard = header.tr_cpp
    lines = ["#ifndef #{guard}", "#define #{guard}"]
    $defs.each do |line|
      case line
      when /^-D([^=]+)(?:=(.*))?/m
        lines << "#define #{$1} #{$2 ? Shellwords.shellwords($2)[0].to_s.gsub(/(?=\t+)/, "\\\n") : 1}"
      when /^-U(.*)/
        lines << "#undef #{$1}"
      end
    end
    lines << "#endif"
    text = lines.join("\n") + "\n"
    File.write(header, text) unless File.exist?(header) && File.read(header) == text
    Logging.message "header file %s:\n%s", header, text
    $extconf_h = header
  end

  # ---- the makefile ----

  def dummy_makefile(srcdir)
    <<~MAKEFILE.lines
      SHELL = /bin/sh
      srcdir = #{srcdir}
      all install static install-so install-rb: Makefile
      \t@:
      pre-install-rb post-install-rb install-rb-default:
      \t@:
      .PHONY: all install static install-so install-rb clean distclean realclean
      clean distclean realclean:
      \t@rm -f mkmf.log Makefile
    MAKEFILE
  end

  def each_compile_rules
    yield "%s"
  end

  def depend_rules(text)
    text.gsub(/\$\((?:hdrdir|topdir|arch_hdrdir)\)\/\S+/, "").gsub(/^(\S+\.o):/) { "#{$1}:" }
  end

  def install_rb_lines(folders)
    lines = folders.map do |folder, *files|
      "\t$(Q) mkdir -p #{folder}\n" + files.map { |file| "\t$(Q) $(INSTALL_DATA) #{file} #{folder}\n" }.join
    end
    lines.empty? ? "\t@:" : lines.join.chomp
  end

  def source_files(srcdir)
    return $srcs if $srcs
    Dir[File.join(srcdir, "*.{#{SRC_EXT.join(",")}}")].map { |path| File.basename(path) }.sort
  end

  # Where files are installed that patterns stand for: folders, each with what goes there. Each pattern has its folder, and a
  # part of the name that is left out there. One that begins with `./` is looked for beside the makefile, where `make` may have
  # to make the file first, and others beside the sources.
  def install_files(_makefile, patterns, map = nil, srcprefix = nil)
    return if !patterns || patterns.empty?
    srcprefix ||= "$(srcdir)"
    root = RbConfig.expand(srcprefix.gsub("$(srcdir)", $srcdir))
    folders = Hash.new { |list, folder| list[folder] = [folder] }
    patterns.each do |pattern, folder, prefix|
      is_here = pattern.start_with?("./")
      folder = map_dir(folder, map)
      names = Dir.glob(pattern.delete_prefix("./"), base: is_here ? "." : root).sort
      names << pattern.delete_prefix("./") if is_here && names.empty?
      names.each do |name|
        next if $NONINSTALLFILES.any? { |kind| kind === File.basename(name) }
        below = File.dirname(prefix ? name.sub(%r{\A#{Regexp.quote(prefix)}/?}, "") : name)
        folders[below == "." ? folder : File.join(folder, below)] << (is_here ? name : File.join(srcprefix, name))
      end
    end
    folders.values
  end

  # Files of the extension's own `lib`, which `make install` takes along.
  def install_rb(makefile, folder, srcprefix = nil) = install_files(makefile, [["lib/**/*.rb", folder, "lib"]], nil, srcprefix)

  def map_dir(folder, map) = (map || []).inject(folder) { |path, (from, to)| path.gsub(from, to) }

  def create_makefile(target, srcprefix = nil)
    $target = target
    folder, slash, name = target.rpartition("/")
    target_prefix = slash.empty? ? "" : "/#{folder}"
    srcprefix ||= "$(srcdir)"
    srcdir = RbConfig.expand(srcprefix.to_s.gsub("$(srcdir)", $srcdir))
    remove_conftest
    sources = source_files(srcdir)
    objects = $objs ? Array($objs) : sources.map { |file| "#{File.basename(file, ".*")}.o" }.uniq
    $distcleanfiles << $extconf_h if $extconf_h
    flags = $extconf_h ? "-DRUBY_EXTCONF_H=\\\"#{$extconf_h}\\\"" : $defs.join(" ")
    is_cxx = sources.any? { |file| CXX_EXT.include?(File.extname(file).delete_prefix(".")) }
    message "creating Makefile\n"
    text = makefile_text(name, target_prefix, srcdir, sources, objects, flags, is_cxx)
    depend = File.join(srcdir, "depend")
    text << "\n" << depend_rules(File.read(depend)) if File.exist?(depend)
    File.write("Makefile", text)
    $makefile_created = true
  end

  def configuration(srcdir)
    config = RbConfig::MAKEFILE_CONFIG
    folders = config.filter_map { |key, value| "#{key} = #{value}" if key.match?(/\A(?:(?:exec_)?prefix|\w*dir)\z/) && key != "srcdir" && key != "topdir" }
    <<~MAKEFILE

      SHELL = /bin/sh

      V = 0
      V0 = $(V:0=)
      Q1 = $(V:1=)
      Q = $(Q1:0=@)
      ECHO1 = $(V:1=@ :)
      ECHO = $(ECHO1:0=@ echo)
      NULLCMD = :

      #### Folders ####

      srcdir = #{srcdir.gsub(/\s/, "\\\\\\&")}
      topdir = #{RbConfig::CONFIG["rubyhdrdir"]}
      hdrdir = $(topdir)
      arch_hdrdir = $(topdir)
      PATH_SEPARATOR = :
      VPATH = #{["$(srcdir)", *$VPATH].uniq.join(":")}
      #{folders.join("\n")}

      #### Tools ####

      CC_WRAPPER =
      CC = #{config["CC"]}
      CXX = #{config["CXX"]}
      AR = #{config["AR"]}
      LIBRUBY =
      LIBRUBYARG_SHARED =
      LIBRUBYARG_STATIC =
      empty =
      OUTFLAG = -o $(empty)
      COUTFLAG = -o $(empty)
      CSRCFLAG = $(empty)
      RUBY_EXTCONF_H = #{$extconf_h}
      optflags = #{config["optflags"]}
      debugflags = #{config["debugflags"]}
      warnflags = #{$warnflags}
      cflags = #{config["cflags"]}
      cxxflags = #{config["cxxflags"]}
      cppflags = #{config["cppflags"]}
      CCDLFLAGS = #{config["CCDLFLAGS"]}
      CFLAGS = $(CCDLFLAGS) #{$CFLAGS} $(ARCH_FLAG)
      INCFLAGS = -I. -I$(hdrdir) -I$(srcdir) #{$INCFLAGS}
      DEFS = #{$DEFS}
      CPPFLAGS = #{@extension_flags} #{$CPPFLAGS}
      CXXFLAGS = $(CCDLFLAGS) #{$CXXFLAGS} $(ARCH_FLAG)
      ldflags = #{$LDFLAGS}
      dldflags = #{$DLDFLAGS} #{config["EXTDLDFLAGS"]}
      ARCH_FLAG = #{$ARCH_FLAG}
      DLDFLAGS = $(ldflags) $(dldflags) $(ARCH_FLAG)
      LDSHARED = $(CC) -shared
      LDSHAREDXX = $(CXX) -shared
      EXEEXT =
      RUBY_INSTALL_NAME = #{config["ruby_install_name"]}
      RUBY_SO_NAME = carat
      arch = #{config["arch"]}
      sitearch = $(arch)
      ruby_version = #{config["ruby_version"]}
      ruby = #{$ruby}
      RUBY = $(ruby)
      RM = rm -f
      RM_RF = rm -fr
      RMDIRS = rmdir --ignore-fail-on-non-empty -p
      MAKEDIRS = mkdir -p
      INSTALL = install -c
      INSTALL_PROG = $(INSTALL) -m 0755
      INSTALL_PROGRAM = $(INSTALL_PROG)
      INSTALL_DATA = $(INSTALL) -m 0644
      COPY = cp
      TOUCH = touch
    MAKEFILE
  end

  def makefile_text(name, target_prefix, srcdir, sources, objects, flags, is_cxx)
    @extension_flags = flags
    own_files = install_rb_lines(install_rb(nil, "$(RUBYLIBDIR)", srcdir) || [])
    other_files = install_rb_lines(install_files(nil, $INSTALLFILES, nil, srcdir) || [])
    has_library = !sources.empty? || !objects.empty?
    library = has_library ? "$(TARGET).#{RbConfig::CONFIG["DLEXT"]}" : ""
    rules = SRC_EXT.map do |ext|
      compiler = CXX_EXT.include?(ext) ? "$(CXX) $(INCFLAGS) $(CPPFLAGS) $(CXXFLAGS)" : "$(CC) $(INCFLAGS) $(CPPFLAGS) $(CFLAGS)"
      ".#{ext}.o:\n\t$(ECHO) compiling $(<)\n\t$(Q) #{compiler} $(COUTFLAG)$@ -c $(CSRCFLAG)$<\n"
    end
    <<~MAKEFILE + rules.join("\n") + <<~REST
      #{configuration(srcdir)}
      #### The extension ####

      preload =
      libpath = #{($DEFLIBPATH | $LIBPATH).join(" ")}
      LIBPATH = #{libpathflag}
      DEFFILE =
      CLEANFILES = #{$cleanfiles.join(" ")} mkmf.log
      DISTCLEANFILES = #{$distcleanfiles.join(" ")}
      DISTCLEANDIRS = #{$distcleandirs.join(" ")}
      extout =
      extout_prefix =
      target_prefix = #{target_prefix}
      LOCAL_LIBS = #{$LOCAL_LIBS}
      LIBS = $(LIBRUBYARG_SHARED) #{$libs} #{$LIBS}
      ORIG_SRCS = #{sources.map { |file| File.basename(file) }.join(" ")}
      SRCS = #{sources.join(" ")}
      OBJS = #{objects.join(" ")}
      HDRS = #{$headers.join(" ")}
      LOCAL_HDRS =
      TARGET = #{name}
      TARGET_NAME = #{name[/\A\w+/]}
      TARGET_ENTRY = Init_$(TARGET_NAME)
      DLLIB = #{library}
      EXTSTATIC =
      STATIC_LIB =
      TIMESTAMP_DIR = .
      BINDIR = $(DESTDIR)$(bindir)
      RUBYCOMMONDIR = $(DESTDIR)$(sitedir)$(target_prefix)
      RUBYLIBDIR = $(DESTDIR)$(sitelibdir)$(target_prefix)
      RUBYARCHDIR = $(DESTDIR)$(sitearchdir)$(target_prefix)
      HDRDIR = $(DESTDIR)$(rubyhdrdir)/ruby$(target_prefix)
      CLEANLIBS = $(DLLIB) false
      CLEANOBJS = $(OBJS) *.o *.bak

      all: $(DLLIB)
      static: $(STATIC_LIB)
      .PHONY: all install static install-so install-rb clean distclean realclean clean-so clean-static clean-rb

      clean-static::
      clean-rb-default::
      clean-rb::
      clean-so::
      clean: clean-so clean-static clean-rb-default clean-rb
      \t-$(Q)$(RM_RF) $(CLEANLIBS) $(CLEANOBJS) $(CLEANFILES) .*.time
      distclean-rb-default::
      distclean-rb::
      distclean-so::
      distclean-static::
      distclean: clean distclean-so distclean-static distclean-rb-default distclean-rb
      \t-$(Q)$(RM) Makefile $(RUBY_EXTCONF_H) conftest.* mkmf.log $(DISTCLEANFILES)
      realclean: distclean
      install: install-so install-rb
      install-so: $(DLLIB)
      #{has_library ? "\t$(Q) $(MAKEDIRS) $(RUBYARCHDIR)\n\t$(INSTALL_PROG) $(DLLIB) $(RUBYARCHDIR)" : "\t@:"}
      pre-install-rb: Makefile
      pre-install-rb-default: Makefile
      install-rb: pre-install-rb do-install-rb install-rb-default
      install-rb-default: pre-install-rb-default do-install-rb-default
      do-install-rb:
      #{other_files}
      do-install-rb-default:
      #{own_files}
      site-install: site-install-so site-install-rb
      site-install-so: install-so
      site-install-rb: install-rb

      .SUFFIXES: .c .m .cc .mm .cxx .cpp .o .S

    MAKEFILE

      .S.o:
      \t$(Q) $(CC) $(INCFLAGS) $(CPPFLAGS) $(CFLAGS) $(COUTFLAG)$@ -c $<

      #{has_library ? "$(DLLIB): $(OBJS) Makefile\n\t$(ECHO) linking shared-object #{name}.#{RbConfig::CONFIG["DLEXT"]}\n\t-$(Q)$(RM) $(@)\n\t$(Q) #{is_cxx ? "$(LDSHAREDXX)" : "$(LDSHARED)"} -o $@ $(OBJS) $(LIBPATH) $(DLDFLAGS) $(LOCAL_LIBS) $(LIBS)" : ""}

      #{$extconf_h ? "$(OBJS): $(HDRS) $(RUBY_EXTCONF_H)" : "$(OBJS): $(HDRS)"}
    REST
  end

  # Sets all that an `extconf.rb` may change. Called once when this file is loaded.
  def init_mkmf(config = RbConfig::MAKEFILE_CONFIG, rbconfig = RbConfig::CONFIG)
    $enable_shared = false
    $defs = []
    $extconf_h = nil
    $config_dirs = {}
    $warnflags = config["warnflags"].dup
    $CFLAGS = with_config("cflags", arg_config("CFLAGS", config["CFLAGS"])).dup
    $CXXFLAGS = with_config("CXXFLAGS", arg_config("CXXFLAGS", config["CXXFLAGS"])).dup
    $ARCH_FLAG = +""
    $CPPFLAGS = with_config("cppflags", arg_config("CPPFLAGS", config["CPPFLAGS"])).dup
    $LDFLAGS = with_config("ldflags", arg_config("LDFLAGS", config["LDFLAGS"])).dup
    $DLDFLAGS = with_config("dldflags", arg_config("DLDFLAGS", config["DLDFLAGS"])).dup
    $INCFLAGS = +""
    $DEFS = +""
    $LIBEXT = "a"
    $OBJEXT = "o"
    $DLEXT = rbconfig["DLEXT"]
    $LIBS = "#{config["LIBS"]} #{config["DLDLIBS"]}"
    $LIBRUBYARG = +""
    $LIBRUBYARG_STATIC = +""
    $LIBRUBYARG_SHARED = +""
    $DEFLIBPATH = []
    $LIBPATH = []
    $INSTALLFILES = []
    $NONINSTALLFILES = [/~\z/, /\A#.*#\z/, /\A\.#/, /\.bak\z/i, /\.orig\z/, /\.rej\z/, /\.l[ao]\z/, /\.o\z/]
    $VPATH = []
    $objs = nil
    $srcs = nil
    $headers = []
    $libs = +""
    $LOCAL_LIBS = +""
    $cleanfiles = config_string("CLEANFILES").to_s.split
    $distcleanfiles = []
    $distcleandirs = []
    $PKGCONFIG = nil
    $extout ||= nil
    $extout_prefix ||= nil
    $arg_config.clear
    dir_config("opt")
  end

  def config_string(key, config = RbConfig::MAKEFILE_CONFIG)
    text = config[key]
    text unless text.nil? || text.empty?
  end

  def parse_args
    $configure_args = {}
    ENV.fetch("CONFIGURE_ARGS", "").shellsplit.concat(ARGV).each do |arg|
      key, value = arg.split("=", 2)
      next unless key
      case key
      when "--quiet", "--silent" then Logging.quiet = true
      when /\A--/ then $configure_args[key.tr("_", "-")] = $configure_args[key] = value.nil? ? true : value
      else $configure_args["--#{key}"] = value unless value.nil?
      end
    end
    $srcdir = arg_value("--srcdir") || File.dirname($0)
    # What `RbConfig.expand` makes of `$(srcdir)`, in the lists of files that extconf.rb writes.
    RbConfig::CONFIG["srcdir"] = RbConfig::MAKEFILE_CONFIG["srcdir"] = $srcdir
    $topdir = RbConfig::CONFIG["rubyhdrdir"]
    $hdrdir = $topdir
    $arch_hdrdir = $topdir
    $make = arg_value("--make-prog") || ENV["MAKE"] || "make"
    $ruby ||= arg_value("--ruby") || RbConfig.ruby
    $curdir = Dir.pwd
    $sitedir = RbConfig::CONFIG["sitedir"]
    $sitelibdir = RbConfig::CONFIG["sitelibdir"]
    $sitearchdir = RbConfig::CONFIG["sitearchdir"]
  end

  def arg_value(name)
    value = $configure_args[name]
    value if value.is_a?(String)
  end

  def timestamp_file(name, target_prefix = nil)
    "#{".#{name}#{target_prefix}".tr("/", "-")}.time"
  end

  def winsep(path) = path
  def mkintpath(path) = path
  def relative_from(path, base) = File.expand_path(path, base)
  def rm_f(*files) = FileUtils.rm_f(files.flatten.flat_map { |pattern| Dir.glob(pattern) })
  def rm_rf(*files) = FileUtils.rm_rf(files.flatten.flat_map { |pattern| Dir.glob(pattern) })
  def merge_libs(*libs) = libs.flatten.uniq
  def split_libs(*libs) = libs.compact.flat_map { |text| text.split(/\s+(?=-|\z)/) }
  def modified?(target, times) = (t = File.mtime(target) rescue nil) && Array(times).all? { |n| t <= (File.mtime(n) rescue t) } ? t : nil
  def modified_dir?(*) = nil

  def mkmf_failed(path)
    return if $makefile_created
    opts = $arg_config.map { |key, default| "\t#{key}#{"=#{default}" if default}\n" }
    abort "*** #{path} failed ***\nCould not create Makefile due to some reason, probably lack of necessary\nlibraries and/or headers.  " \
      "Check the mkmf.log file for more details.  You may\nneed configuration options.\n\nProvided configuration options:\n#{opts.join}"
  end

  def self.[](name)
    return Language::C if name == "C"
    Language::CXX
  end

  # `MakeMakefile["C++"]`: the same checks, compiled as C++.
  module Language
    class Checker
      def initialize(cxx) = @cxx = cxx
    end
  end
end

class String
  # As an argument in a makefile.
  def quote
    /[\s"']/.match?(self) ? "\"#{gsub(/["\\]/, "\\\\\\&")}\"" : self
  end

  # As the name of a macro.
  def tr_cpp
    strip.upcase.tr_s("^A-Z0-9_*", "_").tr_s("*", "P")
  end

  def funcall_style
    /\)\z/.match?(self) ? dup : "#{self}()"
  end

  def sans_arguments
    self[/\A[^()]+/]
  end
end

class Array
  def quote = map(&:quote)
end

class MakeMakefile::Language::Checker
  include MakeMakefile
end
MakeMakefile::Language::C = MakeMakefile::Language::Checker.new(false)
MakeMakefile::Language::CXX = MakeMakefile::Language::Checker.new(true)

include MakeMakefile
$arg_config = []
parse_args
RbConfig.provide_headers
init_mkmf
$makefile_created = false
