# Command lines.
require "optparse"
require "optparse/time"
require "optparse/uri"
require "optparse/shellwords"

def parser
  OptionParser.new do |o|
    o.banner = "Usage: prog [options] FILE"
    o.version = "1.2.3"
    o.separator ""
    o.separator "Main:"
    o.on("-v", "--[no-]verbose", "Say more") { |v| p [:verbose, v] }
    o.on("-r", "--require LIB", String, "A library", "with two lines") { |v| p [:require, v] }
    o.on("-i", "--inplace [EXT]", "Optional") { |v| p [:inplace, v] }
    o.on("--delay N", Float, "Seconds") { |v| p [:delay, v] }
    o.on("-n", "--number=N", Integer) { |v| p [:number, v] }
    o.on("-F", "--irs [OCTAL]", OptionParser::OctalInteger, "Octal") { |v| p [:irs, v] }
    o.on("--list x,y,z", Array, "List") { |v| p [:list, v] }
    o.on("--type TYPE", [:text, :binary, :auto], "Type (text, binary, auto)") { |v| p [:type, v] }
    o.on("--code CODE", {"jis" => "iso-2022-jp", "sjis" => "shift_jis"}) { |v| p [:code, v] }
    o.on("-t", "--time [TIME]", Time) { |v| p [:time, v&.to_i] }
    o.on("--uri URI", URI) { |v| p [:uri, v.to_s] }
    o.on("--words WORDS", Shellwords) { |v| p [:words, v] }
    o.on("--no-color", "Without colors") { |v| p [:color, v] }
    o.on("-x", "Only short") { |v| p [:x, v] }
    o.on("-y VALUE", "Short with value") { |v| p [:y, v] }
    o.on("--a-very-long-option-name-that-does-not-fit VALUE", "Long") { |v| p [:long, v] }
    o.on("-q", "--quiet", "--silent", "Two names") { |v| p [:quiet, v] }
    o.on("--re RE", Regexp) { |v| p [:re, v] }
    o.on("--bool [FLAG]", TrueClass) { |v| p [:bool, v] }
    o.on("--num N", Numeric) { |v| p [:num, v] }
    o.on("--dec N", OptionParser::DecimalInteger) { |v| p [:dec, v] }
    o.on("--range N", Integer, 1..5) { |v| p [:range, v] }
    o.on("--pat X", /\A(\w)-(\w)\z/) { |*v| p [:pat, v] }
    o.on("--opt=[X]") { |v| p [:opt, v] }
    o.separator ""
    o.on_tail("-h", "--help", "Help") { puts "help" }
    o.on_head("--first", "First") { |v| p [:first, v] }
  end
end
puts parser.help, parser.ver, parser.to_a.size
[%w[-v -xv], %w[--verbose --no-verbose --verb], %w[-r a -rb --require c --require=d --req e], %w[-i -i x -i.bak --inplace=y], %w[--delay 1.5 --delay=2],
 %w[-n 5 -n5 --number 0x10 --number=-3], %w[-n x], %w[-nx], %w[--number=x], %w[-F 17 -F], %w[--list a,b,,c], %w[--type text --type bin --type=a],
 %w[--type x], %w[--code jis --code s], %w[-t 2001-02-03T04:05:06Z -t], %w[-t xyz], %w[--uri http://a/b], ["--words", "a 'b c'"], %w[--no-color --color], %w[-y 1 -y2],
 %w[-y], %w[--delay], %w[--unknown], %w[-z], %w[--ver], %w[--re], %w[--re /a/i --re b], %w[--bool --bool=no --bool yes --bool=+], %w[--num 1/2 --num 1.5 --num 3], %w[--dec 010],
 %w[--range 3 --range 9], %w[--pat a-b --pat zz], %w[--opt --opt=1 --opt 2], %w[a -v b -- -x c], %w[-- -v], %w[-], %w[--quiet --silent -q], %w[--quiet=1],
 %w[-vx=1], %w[-xyz], %w[--x], %w[--first f], %w[-h], %w[--no-v], %w[--number], %w[--d 3], %w[--n 3], %w[-verbose], %w[-first]].each do |argv|
  puts "== #{argv}"
  begin
    p parser.parse(argv)
  rescue OptionParser::ParseError => error
    puts "#{error.class}: #{error.message} #{error.args} #{error.reason}"
  end
end
options = {}
p OptionParser.new { |o| o.on("-a"); o.on("-b", "--bee N", Integer); o.on("--[no-]cee"); o.on("--dee-dee [X]") { |x| x.to_s * 2 } }.parse(%w[-a --bee 3 --no-cee --dee-dee=q rest], into: options), options
p OptionParser.new.getopts(%w[-a -b 1 --foo --zot 5 rest], "ab:", "foo", "bar:", "zot:3"), OptionParser.getopts(%w[-x], "x", symbolize_names: true)
argv = %w[a -v b]
o = OptionParser.new { |x| x.on("-v") { p :v } }
p o.order(argv), o.permute(argv), argv, o.order!(argv), argv
p OptionParser.new { |x| x.require_exact = true; x.on("--foo-bar") }.parse(%w[--foo]) rescue p $!
p OptionParser.new { |x| x.raise_unknown = false; x.on("-a") }.parse(%w[-a -b c]) rescue p $!
argv = %w[-k 3]
argv.extend(OptionParser::Arguable)
argv.options { |x| x.on("-k N", Integer) { |n| p n } }.parse!(argv)
p argv
x = OptionParser.new("Usage: x", 20, "  ")
x.on("-a", "--long-name-here=VALUE", "text", "more") {}
x.on("--b", "=MANDATORY", "d") {}
x.on("-c", "--[no-]cc [X]", "e") {}
x.separator "end"
puts x.help, x.summary_width, x.program_name
begin
  x.on("-a", Object.new)
rescue => error
  p error.class
end
x.accept(Symbol, /\w+/) { |s,| s.to_sym }
x.on("--sym S", Symbol) { |s| p s }
x.parse(%w[--sym foo])
