# oracle: native
# Programs with which users found mistakes: each in a process of its own, its output, and how it ended.
require "tmpdir"
require "rbconfig"

PROGRAMS = DATA.read.split(/^# program\n/).reject(&:empty?)

Dir.mktmpdir do |folder|
  PROGRAMS.each_with_index do |program, index|
    file = File.join(folder, "program.rb")
    File.write(file, program)
    output = IO.popen([RbConfig.ruby, "-W0", "program.rb", chdir: folder, in: File::NULL, err: [:child, :out]], &:read)
    puts "--- #{index + 1}: #{program.lines.first}", output.gsub(/0x\h+/, "0x"), ("status #{$?.exitstatus.inspect}" unless $?.success?)
  end
end

__END__
# program
R = Ractor.new { k = []; loop { k << Ractor.receive } }
def mv(x) = (R.send(x, move: true); x)
[->{ [].concat(mv([1])) }, ->{ "".replace(mv(+"a")) }, ->{ {}.merge(mv({a: 1})) }, ->{ a = mv([1]); a << 1 }, ->{ a = mv([1]); a.insert(0, 1) }, ->{ a = mv(+"a"); a.setbyte(0, 1) }, ->{ a = mv([1]); a[0] = 1 }, ->{ a = mv([1]); a.rotate! }].each { |l| begin; p l.call; rescue Exception => e; p e.class; end }
# program
R = Ractor.new { k = []; loop { k << Ractor.receive } }
e = RuntimeError.new("x")
R.send(e, move: true)
begin; raise e; rescue TypeError => x; p x.class; rescue Exception => x; p x.class; end
begin
  begin; raise "a"; rescue => e; R.send(e, move: true); raise; end
rescue Exception => x; p x.class
end
# program
r = Ractor.new { begin; tp = TracePoint.new(:c_call) { }; tp.enable; x = 1.to_s; tp.disable; :ok; rescue => e; e.class; end }
p r.value
# program
def n(a: a) = a; p n
# program
def o(a = eval('b'), b = eval('kw'), kw: eval('kw2'), kw2: 3) = [a, b, kw, kw2]
p o
# program
class C; def self.const_missing(n) = ($i = $i.to_i + 1); end; 3.times { C::FOO }; p $i
# program
begin
3.times { class D; break; end }; p 1; while true do class D; break; end; end; p 2
rescue SyntaxError, StandardError => e
p e.class
end
# program
begin; eval "3.times { class D; next; end }; p 3"; rescue SyntaxError => e; puts e.message.lines.last(3); end
begin; eval "def x; begin; class D; return; end; ensure; p 4; end; end"; rescue SyntaxError => e; puts e.message; end
# program
s = nil
for i in 1..10; s = s.to_i + i; i -= 1; redo if i > 0; end
p s
# program
class B; def foo = :B; end; class A < B; def foo = [:A, super()]; end
class E < A; define_method(:bar, A.instance_method(:foo)); end; p E.new.bar
# program
class MyString < String; def ==(b) = "#{self}_" == b; end; p MyString.new("a") != "a_"
# program
class F; define_method(:foo) { block_given? }; end; p F.new.foo {}
# program
b = lambda { |x, y, &b| b }.curry[1]; p b.call(2) {}.class
# program
$b = (def m = binding; m); eval("a = 1", $b); p eval("a", $b)
# program
begin; 123.instance_eval("K = 1"); rescue TypeError => e; puts e.message; end
# program
def local(v, five) = (five.define_singleton_method(:respond_to?) { |*| v = nil }; (v + 1) && defined?(five.x); v.nil?)
p local(1, Object.new)
# program
class P; def t = [defined?(m2()), defined?(P.new.m2)]; private def m2; end; end; p P.new.t
# program
a = 2.times.map { Thread.new { f = /#{sleep 0.1; "a"}/o } }; p a.map(&:value)
# program
w = Module.new { def a = super + 1 }; p Class.new { prepend w; private def a = 1 }.new.a
# program
class W; def write(*a) = a.each { |x| STDOUT.write x }; end; $stdout = W.new; puts "a"
p 1
# program
a = Time.now.strftime("%70000z"); p a.size
p Time.now.strftime("%-70000z").size, Time.now.strftime("%:70000z").size, Time.now.strftime("%_70000z").size
require "date"
begin; p Date.today.strftime("%100000z").size; rescue => e; p e.class; end
# program
class C; @@cv = "a".freeze; @@cv2 = +"x"; def self.a = @@cv; def self.b = @@cv2; def self.c = @@cv = 1; end
p Ractor.new { C.a }.value
[:b, :c].each { |m| r = Ractor.new(m) { |m| begin; C.send(m); rescue => e; [e.class, e.message]; end }; p r.value }
# program
def t
a = 1
a = 2
begin; x = Ractor.shareable_proc { a }; p x.call; rescue => e; p e.class, e.message; end
end
t
x = nil
b = Ractor.shareable_proc(self: nil) { 1 }
begin; p b.binding; rescue => e; p e.class, e.message; end
# program
r = Ractor.new { begin; trap(:USR1, Ractor.shareable_proc { 1 }); :ok; rescue => e; [e.class, e.message]; end }
p r.value
x = trap(:USR1, "DEFAULT"); p x.class
# program
r = Ractor.new { begin; trap(:USR1) { 1 }; :ok; rescue Exception => e; [e.class, e.message]; end }
p r.value
# program
r = Ractor.new { begin; p trap(:USR1, "IGNORE"); p Signal.trap(:USR2, nil); p trap(:USR1, "DEFAULT"); :ok; rescue Exception => e; [e.class, e.message]; end }
p r.value
p trap(:USR1, "DEFAULT"), trap(:USR2, "SIG_DFL")
# program
r = Ractor.new { trap(:USR1, Ractor.shareable_proc { puts "in #{Ractor.current == Ractor.main}" }); Process.kill(:USR1, $$); sleep 0.1; :ok }
p r.value
sleep 0.1
p trap(:USR1, "DEFAULT").class
# program
r = Ractor.new { Thread.current.kill }
p r.value
# program
class MyPort < Ractor::Port; def initialize; end; end
pt = MyPort.new
begin; p pt.receive; rescue => e; p e.class, e.message; end
begin; pt << 1; rescue => e; p e.class, e.message; end
begin; Ractor::Port.allocate.close; rescue => e; p e.class, e.message; end
# program
p(/^a*?(?=a*a*)$/ =~ "a" * 1_000_000 + "x")
p(/(?:(?=a*)a)*/ =~ "a" * 100_000)
p(/^a*b?a*$/ =~ "a" * 1_000_000 + "x")
p(/^a*?(?>a*a*)$/ =~ "a" * 1_000_000 + "x")
p(/^(?>a*)ab/ =~ "a" * 1_000_000 + "x")
p(/^a*?(?!a*a*)$/ =~ "a" * 1_000_000 + "x")
p(/\A.*a.*z\z/ =~ "a" * 1_000_000 + "x")
p(/^(a|a)*$/ =~ "a" * 28 + "x")
p Regexp.linear_time?(/^(a|a)*$/)
p Regexp.new('^([0-9a-zA-Z\-/]*){1,256}$').match?('test1-test2-test3-test4-test_5')
# program
i, o = IO.pipe
class S
  def initialize = @r = {}
  def fiber(&b) = Fiber.new(blocking: false, &b).tap(&:resume)
  def io_wait(io, ev, t) = (STDOUT.puts "io_wait"; @r[io] = Fiber.current; Fiber.yield; ev)
  def kernel_sleep(*) = nil; def block(*) = nil; def unblock(*) = nil
  def close = (until @r.empty?; IO.select(@r.keys)[0].each { |io| @r.delete(io).resume }; end)
end
i, o = IO.pipe
Thread.new { Fiber.set_scheduler(S.new); Fiber.schedule { p i.gets }; Fiber.schedule { o.puts "x" } }.join
# program
require "date"; begin; p Date._parse("Jan 1 " + "9" * 100_000, limit: nil).keys; rescue => e; p e.class; end
# program
require "monitor"
m = Monitor.new
Thread.new { m.enter; Thread.current.kill }.join
m.enter; m.exit
p Thread.new { m.enter; m.exit; :ok }.join(2)&.value
# program
Thread.start do
  if f = IO.popen("-") then p f.read; Process.wait2(f.pid) rescue 0
  else STDERR.reopen(STDOUT); exit end
end.join
# program
class W; def write(s) = STDOUT.write(s); end
$stdout = W.new
p 1
puts "a", "b"
print "c\n"
# program
require "psych"; p Psych::Visitors::YAMLTree, Psych::Visitors::ToRuby.create.class, Psych::Omap, Psych::Set, Psych::Stream, Psych::JSON::Stream, Psych::TreeBuilder, Psych::Handler
# program
require "ripper"
p Ripper::Lexer, Ripper::Filter, Ripper::PARSER_EVENTS.size, Ripper::SCANNER_EVENTS.size, Ripper.lex("a = 1"), Ripper.tokenize("a = 1")
require "stringio"
p Ripper.new(StringIO.new("1")).class
# program
require "net/http"
p Net::HTTP.version_1_2, Net::HTTP::HAVE_ZLIB, Net::HTTP.Proxy("h", 1).class, Net::BufferedIO, Net::InternetMessageIO, Net::WriteTimeout, Net::HTTP::Post.new("/").respond_to?(:set_form)
# program
require "optparse"
OptionParser.new{|o|o.on("-n N",Numeric){p _1}}.parse %w[-n 010]
OptionParser.new{|o|o.on("-x=X"){p _1}}.parse %w[-x=] rescue p $!
begin; OptionParser.new{|o|o.on("-t PAT", /abc/){p _1}}.parse %w[-t t]; rescue => e; p e; end
# program
c=Class.new{define_method(:foo){1}}; TracePoint.new(:call){}.enable(target: c.instance_method(:foo)){}
p 1
# program
require "erb"; p ERB::Compiler::Scanner
begin; Marshal.load(Marshal.dump(ERB.new(""))).result; rescue => e; p e.class; end
puts ERB.new("%% a\n% x = 1\n<%= x %>\n", trim_mode: "%").result
# program
p %w[UTF8-DoCoMo SJIS-DoCoMo UTF8-KDDI SJIS-KDDI UTF8-SoftBank SJIS-SoftBank eucJP-ms EUC-JIS-2004 Big5-HKSCS Big5-UAO CP50220 CP50221 UTF8-MAC].map { |e| "\u2600".encode(e).bytes rescue $!.class }
# program
Warning[:performance]=true; $VERBOSE = true
class Hash
undef []
def [](k)=nil
end
# program
r,w=IO.pipe; w.timeout=0.1; p w.dup.timeout
# program
f = "./t.txt"
File.binwrite(f,"a\r\nb"); File.open(f,"rt"){p [_1.getc,_1.getc,_1.getc]}
File.binwrite(f, "a\r\nb\r\n".encode("UTF-16LE")); File.open(f,"rt:UTF-16LE:UTF-8"){p _1.readlines}
File.binwrite(f, "a\xA4\xA2b\xA4\xA2c"); File.open(f,"r:EUC-JP:UTF-8"){p _1.gets("\u3042"), _1.read}
File.binwrite(f, "a\xffbc\n"); File.open(f,"r:UTF-8:UTF-16LE"){begin; p _1.read; rescue => e; p e.class; p _1.read; end}
File.open(f, "w", crlf_newline: true) { _1.set_encoding("UTF-8", crlf_newline: true) rescue p $!; _1.puts "a" }; p File.binread(f)
File.open(f, "w", xml: :text) { _1.print "<a>" }; p File.binread(f)
p IO.popen("echo a", encoding: "EUC-JP").read.encoding
# program
require "pathname"; p Pathname("a/./").cleanpath(true), Pathname("a").send(:del_trailing_separator, "a/"), Pathname.new("a").send(:has_trailing_separator?, "a/")
Pathname("abc").sub(/b/) { p $~ }
p $~
# program
require "resolv"; p Resolv::DNS, Resolv::MDNS, Resolv::LOC::Size
# program
class A; private def a = :a; end; class B<A; end; module R; refine(B){public :a}; end; using R; p B.new.a
# program
s = "".freeze
%i[chomp! chop! strip! lstrip! rstrip! squeeze! upcase! downcase! swapcase! capitalize! succ! reverse! ].each { |m| begin; s.send(m); p m; rescue => e; p e.class; end }
begin; s.delete_prefix!("x"); rescue => e; p e.class; end
begin; s.delete_suffix!("x"); rescue => e; p e.class; end
begin; s.sub!(/a/, ""); rescue => e; p e.class; end
begin; s.gsub!(/a/, ""); rescue => e; p e.class; end
begin; s.tr!("a", ""); rescue => e; p e.class; end
begin; s.delete!("a"); rescue => e; p e.class; end
begin; s.unicode_normalize!; rescue => e; p e.class; end
begin; s.scrub!; rescue => e; p e.class; end
begin; s.encode!("UTF-8"); rescue => e; p e.class; end
a = "abc" * 20; b = -a; p a.frozen?, b.frozen?, (-a).equal?(b)
a = "ab".dup; p (-a).equal?("ab".-@)
# program
p Fiber.new{}.backtrace, Fiber.new{}.backtrace_locations
f = Fiber.new { Fiber.yield }; f.resume; p f.backtrace
f.resume; p f.backtrace
# program
require "uri/http"; p URI::HTTP
require "uri/https"; require "uri/wss"; require "uri/ldap"; require "uri/ftp"; require "uri/mailto"; require "uri/file"
p URI("wss://a"), URI("ldap://a"), URI("file:///a")
# program
require "cgi/escape"
p Class.new{include CGI::Escape}.new.escapeHTML("<") rescue p $!
require "cgi/util" rescue 0
p CGI.escapeElement('<BR><A HREF="url"></A>', "A", "IMG"), CGI.unescapeHTML("&#xD800;"), CGI.escapeHTML("<a>".encode("UTF-16LE"))
# program
require "stringio"; p StringIO.new(nil).read, StringIO.new("a\nb").gets(chomp: true), StringIO.new("abc\nd").gets(2, chomp: true), StringIO.new("abc").pread(2, 1)
b = +""; StringIO.new("abc").pread(2, 1, b); p b
StringIO.new("a".freeze, "w") rescue p $!
s = StringIO.new("abc".freeze); begin; s.write "x"; rescue => e; p e; end
require "strscan"; s = StringScanner.new("abc"); p s.scan(/a/), s.peek(1), s.named_captures
# program
require "fileutils"; p FileUtils::METHODS.size, FileUtils.respond_to?(:ln_sr)
FileUtils.touch("q1"); FileUtils.chmod("u=rX,go=x", "q1"); p File.stat("q1").mode.to_s(8)
FileUtils.rm_rf("qd"); FileUtils.install("q1", "qd/") rescue p $!
FileUtils.mkdir_p("qd/x"); FileUtils.ln_sr("q1", "qd/x/l") ; p File.readlink("qd/x/l")
begin; FileUtils.mv("nofile", "qd"); rescue => e; p e.class; end
# program
p Encoding::Converter.new("","xml_attr_content_escape").convert("<a>"), Encoding::Converter.new("","xml_text_escape").convert("<a>"), Encoding::Converter.new("", "", universal_newline: true).convert("a\r\n")
ec = Encoding::Converter.new("EUC-JP", "UTF-8"); d = +""; p ec.primitive_convert(+"\xA4\xA2abc", d, nil, 2), d
ec = Encoding::Converter.new("UTF-8", "UTF-16"); d = +""; p ec.primitive_convert(+"abc", d, nil, 100, after_output: true), d
# program
h={a: 1,b: 2}; begin; h.update({a: 10,b: 20}){h.freeze;_3}; rescue => e; p e.class; end; p h
begin; {}.fetch("a" * 200); rescue KeyError => e; p e.message.size; end
h={a: 1,b: 2}; begin; h.update({a: 10,b: 20}){h.rehash;_3}; rescue => e; p e.class; end; p h
# program
class A; def foo = 1; end; class B < A; def foo = 2; end
module R; refine(B) { def foo = super }; end
using R
p B.new.method(:foo).super_method, B.instance_method(:foo).owner rescue p $!
# program
p Time.utc(10**20), Time.at(2**64).utc
# program
File.write("./al.rb", "sleep 0.1; X = 1")
autoload :X, "./al.rb"
p 2.times.map { Thread.new { X rescue $!.class } }.map(&:value)
# program
/a/=~"a"; Fiber.new{/b/=~"b"}.resume; p $~
class En; include Enumerable; def each = yield("ab"); end
En.new.grep(/a(b)/) { p $1 }
# program
def t(*, **k, &b) = p(k, b)
h = {a: 1, b: :sym.to_proc}
def t2(a: 0, b: nil, &blk) = p(a)
h = {a: 1, delete_me: nil}
def t3(**k, &b) = p(k.size)
h = {x: nil}; t3(**h, &h.delete(:x))
# program
class Q; @@cv = 1; def self.t = eval("1"); end
class Z; @@cv = 2; def t(o) = o.instance_eval("@@cv"); end
p Z.new.t(Q.new) rescue p $!
o = Object.new
class Y; @@y = 5; def q = Object.new.instance_eval { @@y }; end; p Y.new.q
# program
m = Module.new { def n = [:m] + super }; 
c = Class.new { def n = [:c] }; sc = Class.new(c) { def n = [:sc] + super }
sc.include m; sc.prepend m; p sc.new.n
# program
def y4(*a) = yield(*a, **{})
p y4([1, 2, 3]) { |x, y = 0| [x, y] }
def z4(arg) = yield(arg, **{})
p z4([1, 2, 3]) { |x, y = 0| [x, y] }
# program
S = String.clone; x = Marshal.load(Marshal.dump(S.new("a"))); p x.class, x
# program
r = IO.popen([RbConfig.ruby, "-e", "begin; 1000000.times { puts 'x' * 100 }; rescue Exception => e; STDERR.puts e.class; exit!(1); end"], err: "./err.txt"); r.gets; r.close; puts File.read("./err.txt")
# program
m = 1.method(:+); def m.foo = 1; p m.clone.foo
class At; attr_accessor :a
end; p At.instance_method(:a).source_location, At.instance_method(:a=).source_location
l = lambda {
 1
}
q =
  lambda do
  end
p l.source_location, q.source_location
# program
File.delete("ff2") rescue 0
File.mkfifo("ff2"); begin; Thread.new { load "./ff2" }.join(0.3); p :w; rescue LoadError => e; p e.class; end
# program
class Float; alias quo2 quo; end
begin; eval "class Float; alias / quo; end; 1.0/2.0"; rescue SystemStackError, NameError => e; p e.class; end
# program
m = 1.method(:+); p Ractor.shareable?(m)
m = [].method(:<<); p Ractor.shareable?(m)
m = (Ractor.make_shareable([1].freeze.method(:first)) rescue p($!.class))
p Ractor.shareable?(m)
begin; Ractor.new([].method(:<<)) { |x| x.call 1 }.value; rescue => e; p e.class; end
# program
[-> { Thread.current }, -> { proc {} }, -> { STDOUT.method(:puts) }, -> { binding }, -> { [1].each }, -> { Queue.new }, -> { ConditionVariable.new }].each do |made|
  Ractor.new(made.call) { 1 }.value; p :passed
rescue => e
  p e.class
end
p Ractor.new(Mutex.new) { |m| m.class }.value
# program
r = Ractor.new { require "uri"; [URI::DEFAULT_PARSER.class, RbConfig::CONFIG["MAJOR"].class] rescue [$!.class, $!.message] }
p r.value
r = Ractor.new { begin; at_exit { }; :ok; rescue => e; [e.class, e.message]; end }; p r.value
r = Ractor.new { begin; Process.wait(fork { exit!(3) }); $?.exitstatus; rescue Exception => e; [e.class, e.message]; end }; p r.value
r = Ractor.new { begin; eval("END { p 1 }"); :ok; rescue Exception => e; [e.class, e.message]; end }; p r.value
# program
$0 = "xyz_abc"; p $0, File.read("/proc/self/cmdline").start_with?("xyz_abc")
Process.setproctitle("hello title"); p $0, File.read("/proc/self/cmdline").start_with?("hello title")
