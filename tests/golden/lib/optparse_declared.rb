# What a declaration makes of an option, and what its argument becomes.
require "optparse"
require "optparse/ac"
require "optparse/kwargs"
require "optparse/version"

def shown(value) = value.inspect.gsub(/0x\h+ [^>]*/, "0x")

def declare(*arguments)
  parser = OptionParser.new
  switch = parser.define(*arguments) { |value| puts "  value #{shown(value)}" }
  puts "#{arguments}: #{switch.class.name[/\w+\z/]} #{switch.pattern.inspect} #{switch.short} #{switch.long} #{switch.arg.inspect}"
  %w[-x -x1 -x= -x=1 --xx --xx=1 --no-xx].each do |argument|
    parser.parse([argument])
  rescue => error
    puts "  #{error.class}: #{error.message}"
  end
rescue ArgumentError => error
  puts "#{arguments}: #{error.message}"
end

declare "-x", Integer, "--xx=X"
declare "-x", "--xx=X", Integer
declare "-x", "--xx=X", Integer, Float
declare "-x", "--xx [X]"
declare "-x", "--[no-]xx [X]"
declare "-x", "--[no-]xx"
declare "-x", "--no-xx"
declare "-x", "--no-xx=X", String
declare "-x=X", "--xx", Float
declare "-x[X]"
declare "-[wx]", "xx"
declare "-[wx]X", "xx", String
declare "-x", "--xx", "=X"
declare "-x", "--xx", "=X", "=Y"
declare "-x", :REQUIRED
declare "-x", :REQUIRED, :OPTIONAL
declare "-x", /a/, /b/
declare "-x V", %w[a b], %w[c d]
declare "-x V", 1..2, 3..4
declare "-x V", Integer, 1..2
declare "-x V", Integer, "a".."b"
declare "-x V", [1, 2, :a, "b"]
declare "-x V", Comparable
declare :REQUIRED
declare "-x V", "--xx [V]"
declare "-x [V]", "--xx V"

# The default of the block, and of a lambda.
parser = OptionParser.new
parser.on("-x", "--xx [V]") { |value = "default"| p value }
parser.on("-z[V]", &->(value) { p value })
parser.on("--values A,B", &->(value, more = 1) { p [value, more] }) rescue p $!
parser.parse(%w[-x --xx 1 -z -zv --values a,b], into: (into = {})) rescue p $!
p into

# A pattern in place of a letter takes the whole argument.
parser = OptionParser.new
parser.on(/^\d+$/) { |value| p value }
parser.on("-a") { |value| p value }
[%w[-12], %w[-a12], %w[-t], %w[-t t], %w[-t=t], %w[--ab]].each { |argv| p parser.parse(argv) rescue puts "#{$!.class}: #{$!.message}" }

# Numbers.
numbers = OptionParser.new
numbers.on("-n N", Numeric) { |value| p value }
numbers.on("-d N", OptionParser::DecimalNumeric) { |value| p value }
%w[-n010 -n0x1f -n1/3 -n1.5/2 -n1e2 -n1. -n08 -d010 -d1.5 -d1e3 -d7].each { |argument| numbers.parse([argument]) rescue puts "#{$!.class}: #{$!.message}" }

# Patterns in an encoding.
patterns = OptionParser.new
patterns.on("--re RE", Regexp) { |value| p value, value.encoding }
%w[/a/i /a/e /a/s /a/n /a/u /a/mx /a/q a/b].each { |text| patterns.parse(["--re", text]) rescue puts "#{$!.class}: #{$!.message}" }

# Completion for shells.
parser = OptionParser.new
parser.define("-z", "zzz") {}
parser.define("--foo") {}
parser.define("--[no-]bar=BAR", 'a "bar" [x]') {}
parser.define("--for=TYPE", [:hello, :help, :zot]) {}
["", "-", "--", "--f", "--for", "--for=", "--for=h", "-z", "-Z", "--bar="].each { |word| puts "#{word}: #{parser.candidate(word)}" }
puts parser.compsys(+"", "prog")
puts shown(parser)

# Declared again, an option shows in the summary where it was declared last.
parser = OptionParser.new("Usage")
parser.on("-t", "--test-option")
parser.on("-t", "--another-test-option")
parser.separator("")
parser.separator("two\nlines")
puts parser.help

# configure's options.
configure = OptionParser::AC.new
configure.ac_arg_enable("foo", "foo option") { |value| p [:foo, value] }
configure.ac_arg_disable("bar", "bar option") { |value| p [:bar, value] }
configure.ac_arg_with("zot", "zot option") { |value| p [:zot, value] }
puts configure.help
p configure.parse(%w[--enable-foo --disable-foo --enable-foo=x --disable-bar --enable-bar --with-zot=foobar --without-zot --with-zot y z])
configure.ac_arg_with("a b", "") {} rescue p $!.class
configure.ac_arg_with("a", "") rescue p $!

# An option for each keyword.
def keywords(a, b: 1, c:) = nil
set = {}
parser = OptionParser.new("Usage")
parser.define_by_keywords(set, method(:keywords), b: [Integer])
puts parser.help
p parser.parse(%w[--b=3 --c=x y]), set

# Versions.
module Versioned
  Version = [1, 2]
  Release = "today"
  module Inner
    VERSION = "3"
  end
end
$0 = "prog"
p OptionParser.show_version("Versioned", "Versioned::Inner", "Comparable", "Nothing"), OptionParser.show_version("Nothing")

# Without a parser the array is a plain one.
argv = %w[-a].extend(OptionParser::Arguable)
p argv.respond_to?(:options)
argv.options = nil
p argv.respond_to?(:options)

# A block with neither a switch nor a pattern is called once all is read, with what is left in order.
parser = OptionParser.new
parser.on("-v") { |value| p [:v, value] }
parser.on("WORD") { |*rest| p rest }
p parser.parse(%w[one -v two]), parser.order(%w[-v one -v two]), parser.order([])
puts parser.banner
