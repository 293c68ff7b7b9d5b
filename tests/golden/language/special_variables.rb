# Special variables and pseudo-variables, and what they hold when.
p $0 == __FILE__, $PROGRAM_NAME == $0, ARGV, $*, $;, $,, $/, $\, $., $_
"hello world" =~ /(?<first>l+)(o)?/
p $~.class, $&, $`, $', $+, $1, $2, $3, $~[:first]
def scoped
  "inner" =~ /n/
  $~[0]
end
p scoped, $&
"none" =~ /zzz/
p $~, $&, $1
p $!, $@
begin
  raise "x"
rescue
  p $!.message, $@.class, $!.backtrace == $@
end
p $!, $@
$stdout.puts "stdout"
STDOUT.print "print", "\n"
$, = nil
$custom = 1
p $custom, defined?($custom), defined?($never), $never
alias $aliased $custom
$aliased = 2
p $custom, global_variables.include?(:$custom)
p $$.class, $?.class, $:.class, $LOAD_PATH.equal?($:), $".class, $LOADED_FEATURES.equal?($")
p $VERBOSE, $-v, $-w, $DEBUG, $-d, $FILENAME, $-i, $-l, $-p, $-a
p __method__, self.to_s
def m = __method__
p m
"abc".gsub(/b/) { p $~[0], $`, $'; "x" }
"abc".sub("b") { $& + "!" }
p "foo bar".scan(/o/) { print $~.begin(0), " " }
p "a-b_c".tr("-_", "  ").split.map { |w| w =~ /b/ ? $& : $~ }
case "key=value"
when /(\w+)=(\w+)/ then p [$1, $2]
end
p $1
if "xyz" !~ /q/ then p $~ end
p "test".match?(/t/), $~
"aXbX".each_char.with_index { |c, i| print i if c =~ /X/ }
puts
p [1, 2].each { |x| "q#{x}" =~ /\d/ }.size, $~[0]
lambda { "lam" =~ /a/ }.call
p $~[0]
p RUBY_VERSION.start_with?("4.0"), RUBY_PATCHLEVEL.class, RUBY_RELEASE_DATE.size
begin
  $stdout = 5
rescue TypeError => error
  puts error.message
end
begin
  eval("$1 = 2")
rescue SyntaxError, NameError => error
  puts error.class
end
begin
  eval("$$ = 2")
rescue NameError => error
  puts error.message
end
trace_log = []
trace_var(:$traced) { |v| trace_log << v }
$traced = 5
untrace_var(:$traced)
$traced = 6
p trace_log
p ENV.class, ENV.to_s, ENV.fetch("SURELY_NOT_SET", :default)
p ObjectSpace.respond_to?(:garbage_collect), GC.respond_to?(:start)
p $stderr.fileno, $stdin.fileno, $stdout.tty?
