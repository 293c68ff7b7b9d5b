# Commands for makefiles, as methods that take their arguments from ARGV.
#   carat -run -e cp -- -r from to
require "fileutils"
require "optparse"

module UN # :nodoc:
  # What a command takes: how it is called, what it does, and its options with their meanings. An option that begins with two
  # dashes gives the key that follows it.
  Command = Struct.new(:usage, :purpose, :options)

  COMMANDS = {
    cp: Command.new("SOURCE DEST", "Copy SOURCE to DEST, or multiple SOURCE(s) to DIRECTORY",
                    { "-p" => "preserve file attributes if possible", "-r" => "copy recursively",
                      "-l" => "make hard link instead of copying (implies -r)" }),
    ln: Command.new("TARGET LINK_NAME", "Create a link to the specified TARGET with LINK_NAME.",
                    { "-s" => "make symbolic links instead of hard links", "-f" => "remove existing destination files" }),
    mv: Command.new("SOURCE DEST", "Rename SOURCE to DEST, or move SOURCE(s) to DIRECTORY.", {}),
    rm: Command.new("FILE", "Remove the FILE",
                    { "-f" => "ignore nonexistent files", "-r" => "remove the contents of directories recursively" }),
    mkdir: Command.new("DIR", "Create the DIR, if they do not already exist.",
                       { "-p" => "no error if existing, make parent directories as needed" }),
    rmdir: Command.new("DIR", "Remove the DIR.", { "-p" => "remove DIRECTORY and its ancestors." }),
    install: Command.new("SOURCE DEST", "Copy SOURCE to DEST.",
                         { "-p" => "apply access/modification times of SOURCE files to corresponding destination files",
                           "-m MODE" => "set permission mode (as in chmod), instead of 0755",
                           "-o OWNER" => "set owner user id, instead of the current owner",
                           "-g GROUP" => "set owner group id, instead of the current group" }),
    chmod: Command.new("OCTAL-MODE FILE", "Change the mode of each FILE to OCTAL-MODE.", {}),
    touch: Command.new("FILE", "Update the access and modification times of each FILE to the current time.", {}),
    wait_writable: Command.new("FILE", "Wait until the file becomes writable.",
                               { "-n RETRY" => "count to retry", "-w SEC" => "each wait time in seconds" }),
    mkmf: Command.new("EXTNAME [OPTION]", "Create makefile using mkmf.",
                      { "-d ARGS" => "run dir_config", "-h ARGS" => "run have_header", "-l ARGS" => "run have_library",
                        "-f ARGS" => "run have_func", "-v ARGS" => "run have_var", "-t ARGS" => "run have_type",
                        "-m ARGS" => "run have_macro", "-c ARGS" => "run have_const", "--vendor" => "install to vendor_ruby" }),
    httpd: Command.new("[DocumentRoot]", "Run WEBrick HTTP server.",
                       { "--bind-address=ADDR" => "address to bind", "--port=NUM" => "listening port number",
                         "--max-clients=MAX" => "max number of simultaneous clients", "--temp-dir=DIR" => "temporary directory",
                         "--do-not-reverse-lookup" => "disable reverse lookup",
                         "--request-timeout=SECOND" => "request timeout in seconds",
                         "--http-version=VERSION" => "HTTP version", "--server-name=NAME" => "name of the server host",
                         "--server-software=NAME" => "name and version of the server",
                         "--ssl-certificate=CERT" => "The SSL certificate file for the server",
                         "--ssl-private-key=KEY" => "The SSL private key file for the server certificate" }),
    colorize: Command.new("[FILE]", "Colorize ruby code.", {}),
    help: Command.new("[COMMAND]", "Display help message.", {})
  }.freeze
  # Keys of WEBrick that are not their option's words joined.
  KEYS = { "--http-version" => :HTTPVersion, "--ssl-certificate" => :SSLCertificate, "--ssl-private-key" => :SSLPrivateKey }.freeze
  VERSION = "0.3.0".freeze
  private_constant :Command, :COMMANDS, :KEYS

  module_function

  # Prints how the commands are used, or all.
  def help(names, output: $stdout)
    names = COMMANDS.keys if names.empty?
    names.each do |name|
      command = COMMANDS[name.to_sym] or next
      output << "#{command.purpose}\n\n  ruby -run -e #{name} -- [OPTION] #{command.usage}\n\n"
      options = command.options
      options = { **options, "-v" => "verbose" } unless options.key?("-v ARGS") || %i[help colorize].include?(name.to_sym)
      options.each { |option, meaning| output << "  #{option.ljust(27)} #{meaning}\n" }
      output << "\n" unless options.empty?
    end
  end

  # Takes a command's options and arguments out of ARGV; patterns of files among these stand for the files.
  def arguments(name)
    options = {}
    files = []
    OptionParser.new do |parser|
      COMMANDS.fetch(name).options.each_key { |option| parser.on(option) { |value| options[key(option)] = value } }
      parser.on("-v") { options[:verbose] = true } unless name == :mkmf
      parser.on("--help") do
        help([name])
        exit
      end
      parser.order!(ARGV) { |argument| argument.match?(/[*?\[{]/) ? files.concat(Dir[argument]) : files << argument }
    end
    [files, options]
  end

  def key(option)
    name = option[/\A[^\s=]+/]
    return KEYS[name] if KEYS.key?(name)
    return name.delete_prefix("-").to_sym unless name.start_with?("--")
    return :vendor if name == "--vendor"

    name.delete_prefix("--").split("-").map(&:capitalize).join.to_sym
  end

  # FileUtils' method of the name with what follows it for each option that was given.
  def run(method, options, suffixes, *arguments)
    suffixes.each { |option, suffix| method = "#{method}#{suffix}" if options.delete(option) }
    FileUtils.__send__(method, *arguments, **options)
  end

  # Files as FileUtils takes them before a destination.
  def sources(files) = files.size == 1 ? files[0] : files

  def octal(mode) = mode.match?(/\A\d/) ? mode.oct : mode

  # The keys that say the same by another name, behind the option's.
  def rename(options, names) = names.each { |option, name| options[name] = options.delete(option) if options.key?(option) }
end

module FileUtils
  @fileutils_output = $stdout
end

def cp
  files, options = UN.arguments(:cp)
  UN.rename(options, p: :preserve)
  target = files.pop
  options.delete(:r) if options[:l]
  UN.run("cp", options, { r: "_r", l: "_lr" }, UN.sources(files), target)
end

def ln
  files, options = UN.arguments(:ln)
  UN.rename(options, f: :force)
  target = files.pop
  UN.run("ln", options, { s: "_s" }, UN.sources(files), target)
end

def mv
  files, options = UN.arguments(:mv)
  target = files.pop
  FileUtils.mv(UN.sources(files), target, **options)
end

def rm
  files, options = UN.arguments(:rm)
  UN.rename(options, f: :force)
  UN.run("rm", options, { r: "_r" }, files)
end

def mkdir
  files, options = UN.arguments(:mkdir)
  UN.run("mkdir", options, { p: "_p" }, files)
end

def rmdir
  files, options = UN.arguments(:rmdir)
  UN.rename(options, p: :parents)
  FileUtils.rmdir(files, **options)
end

def install
  files, options = UN.arguments(:install)
  UN.rename(options, m: :mode, p: :preserve, o: :owner, g: :group)
  options[:mode] = UN.octal(options[:mode]) if options[:mode]
  target = files.pop
  FileUtils.install(UN.sources(files), target, **options)
end

def chmod
  files, options = UN.arguments(:chmod)
  mode = files.shift
  FileUtils.chmod(UN.octal(mode), files, **options)
end

def touch
  files, options = UN.arguments(:touch)
  FileUtils.touch(files, **options)
end

def wait_writable
  files, options = UN.arguments(:wait_writable)
  left = options[:n] && Integer(options[:n])
  seconds = options[:w] ? Float(options[:w]) : 0.2
  files.each do |file|
    File.open(file, "r+b") {}
  rescue Errno::ENOENT
    break
  rescue Errno::EACCES => error
    raise if left && (left -= 1) <= 0

    if options[:verbose]
      puts error
      $stdout.flush
    end
    sleep seconds
    retry
  end
end

def mkmf
  files, options = UN.arguments(:mkmf)
  require "mkmf"
  { d: :dir_config, h: :have_header, l: :have_library, f: :have_func, v: :have_var, t: :have_type, m: :have_macro,
    c: :have_const }.each do |option, method|
    options[option]&.split(":")&.each { |names| __send__(method, *names.split(",")) }
  end
  $configure_args["--vendor"] = true if options[:vendor]
  create_makefile(*files)
end

def httpd
  files, options = UN.arguments(:httpd)
  begin
    require "webrick"
  rescue LoadError
    abort "webrick is not found. You may need to `gem install webrick` to install webrick."
  end
  options[:RequestTimeout] &&= options[:RequestTimeout].to_i
  %i[Port MaxClients].each { |name| options[name] &&= Integer(options[name], exception: false) }
  if options[:SSLCertificate]
    key = options[:SSLPrivateKey] or raise "--ssl-private-key option must also be given"
    require "webrick/https"
    options[:SSLEnable] = true
    options[:SSLCertificate] = OpenSSL::X509::Certificate.new(File.read(options[:SSLCertificate]))
    options[:SSLPrivateKey] = OpenSSL::PKey.read(File.read(key))
  end
  options[:Port] ||= options[:SSLEnable] ? 8443 : 8080
  options[:DocumentRoot] = files.shift || "."
  server = nil
  options[:StartCallback] = -> {
    scheme = options[:SSLEnable] ? "https" : "http"
    server.logger.info("To access this server, open this URL in a browser:")
    server.listeners.each do |listener|
      listener = listener.to_io
      server.logger.info("    #{scheme}://#{listener.connect_address.inspect_sockaddr}")
    end
  }
  server = WEBrick::HTTPServer.new(options)
  signals = %w[TERM QUIT]
  signals += %w[HUP INT] if $stdin.tty?
  (signals & Signal.list.keys).each { |signal| Signal.trap(signal) { server.shutdown } }
  server.start
end

def colorize
  files, = UN.arguments(:colorize)
  begin
    require "irb/color"
  rescue LoadError
    raise "colorize requires irb 1.1.0 or later"
  end
  texts = files.empty? ? [$stdin.read] : files.map { |file| File.read(file) }
  texts.each { |text| puts IRB::Color.colorize_code(text) }
end

def help
  files, = UN.arguments(:help)
  UN.help(files)
end
