# Log lines: levels, formatters, files that are renamed.
require "logger"
require "stringio"

class Plain < Logger::Formatter
  def call(severity, _time, progname, message) = "#{severity} #{progname.inspect} #{msg2str(message)}\n"
end
out = StringIO.new
log = Logger.new(out, formatter: Plain.new, progname: "prog")
log.info("a")
log.warn("name") { "block" }
log.debug(nil)
log.error(ArgumentError.new("bad"))
log.unknown([1, :two])
log.add(Logger::FATAL, "msg", "other")
log.add(9, "nine")
log << "raw\n"
log.level = :warn
p log.info("no"), log.info?, log.warn?, log.level, log.fatal { "yes" }


log.error!
p log.level, (log.__send__(:level=, "x") rescue $!.message)
puts out.string
out = StringIO.new
log = Logger.new(out, datetime_format: "%H", level: Logger::INFO)
log.info("x")
puts out.string.gsub(/\[\d\d #\d+\]/, "[T #P]")
log.datetime_format = nil
log.warn("p") { "y" }
puts out.string.lines.last.sub(/\[.*\]/) { |s| s.gsub(/\d/, "9").sub(/#9+/, "#9") }
p Logger.new(nil).info("x"), Logger::SEV_LABEL, Logger::Severity.constants.sort
