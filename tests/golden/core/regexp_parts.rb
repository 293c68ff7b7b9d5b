# Patterns with interpolated parts: what each part may hold, what encoding comes out, and whose mistake is whose.
$VERBOSE = nil
def t; puts yield.inspect.b.gsub("\n","~"); rescue Exception => e; puts "#{e.class}: #{e.message}".b.inspect; end
def e(s) = s.dup.force_encoding("euc-jp")
def s(s) = s.dup.force_encoding("windows-31j")
def u(s) = s.dup.force_encoding("utf-8")
def a(s) = s.dup.b
t { eval('/\x81#{ }/s') }
t { eval('/#{ }\x81/s') }
t { eval('/\x81#{ }\xa1/s') }
t { s1, s2 = s('\x81'), s('\xa1'); /#{s1}#{s2}/ }
t { s1, s2 = s('\x81\xa1'), e('\xa1\xa1'); /#{s1}#{s2}/ }
t { s1, s2 = s("\x81\xa1"), e("\xa1\xa1"); /#{s1}#{s2}/ }
t { s1, s2 = s("\x81\xa1"), e('\xa1\xa1'); /#{s1}#{s2}/ }
t { s1, s2 = s('\x81\xa1'), e("\xa1\xa1"); /#{s1}#{s2}/ }
t { s1, s2 = '\u3042', e("\xa1\xa1"); /#{s1}#{s2}/ }
t { s1, s2 = '\u3042', e('\xa1\xa1'); /#{s1}#{s2}/ }
t { s1, s2 = "\u3042", e('\xa1\xa1'); /#{s1}#{s2}/ }
t { s1, s2 = "\u3042", a("\xff"); /#{s1}#{s2}/ }
t { s1 = a("\xff"); /\u3042#{s1}/ }
t { s1 = a("\xff"); /あ#{s1}/ }
t { s1 = a('\xff'); /あ#{s1}/ }
t { s1 = a('\xff'); /\u3042#{s1}/ }
t { s1 = '\xff'; /#{s1}/ }
t { s1 = a('\xff'); /#{s1}/.encoding }
t { s1 = '\xff'; /#{s1}/n }
t { s1 = "\u3042"; /#{s1}/n }
t { s1 = e("\xa4\xa2"); /#{s1}/n }
t { s1 = e("\xa4\xa2"); /a#{s1}/n.encoding }
t { s = '\\'; /#{ s }/ }
t { s = '\u'; /#{ s }/ }
t { s = '\u{ ffffffff }'; /#{ s }/ }
t { s = '\u{ ffff X }'; /#{ s }/ }
t { s = '\u{ }'; /#{ s }/ }
t { s = '\u0'; /#{ s }/ }
t { s = '\u000X'; /#{ s }/ }
t { s = "\xff" + '\u3042'; /#{ s }/ }
t { s = '\u3042' + [0xff].pack("C"); /#{ s }/ }
t { eval(%q(/\u#{ 1 }/)) }
t { eval('/#{"\\\\"}y/') }
t { eval('/#{"\\\\"}/') }
t { eval('/#{"["}/') }
t { eval('/#{"["}a/') }
t { eval('/[#{"a"}/') }
t { eval('/[#{"a"}]/') }
t { eval('/(#{1}/') }
t { eval('/#{"\x80"}/').encoding }
t { eval("# -*- encoding: US-ASCII -*-\n" + '/#{"\x80"}/').encoding }
t { eval("# -*- encoding: US-ASCII -*-\n" + '/\u1234#{"\x80"}/').encoding }
t { eval("# -*- encoding: US-ASCII -*-\n" + '/\u1234#{ }\x80/').encoding }
t { eval("# -*- encoding: US-ASCII -*-\n" + '/\x80#{ }/').encoding }
t { r = /\xc2\xa1/e; /\xc2\xa1#{r}/s }
t { r = /\xc2\xa1/e; /#{r}\xc2\xa1/s }
t { r = /a/e; /#{r}\xc2\xa1/s }
t { r = "a"; /#{r}\xc2\xa1/s.encoding }
t { r = "あ"; /#{r}\xc2\xa1/s.encoding }
t { r = "あ"; /#{r}/s.encoding }
t { r = "あ"; /a#{r}/s.encoding }
t { r = e("\xa4\xa2"); /#{r}/e.encoding }
t { r = e("\xa4\xa2"); /#{r}/u.encoding }
t { r = e("\xa4\xa2"); /#{r}/.encoding }
t { r = "a"; /#{r}/u.encoding }
t { r = e("a"); /#{r}/.encoding }
t { r = e("a"); /b#{r}/.encoding }
t { r = e("a"); /b#{r}あ/.encoding }
t { s = '\x'; /#{ s }/ }
t { s = '\M'; /#{ s }/ }
t { s = '\M-\M-a'; /#{ s }/ }
t { s = '\M-\\'; /#{ s }/ }
t { s = '\C'; /#{ s }/ }
t { s = '\c'; /#{ s }/ }
t { s = '\C-\C-a'; /#{ s }/ }
t { s = '\M-\z'; /#{ s }/ }
t { s = '\M-\777'; /#{ s }/ }
t { s = '('; /#{ s }/ }
t { s = '(?#\u)'; /#{ s }/ }
t { s = "\#\\u\n"; /#{ s }/x }
t { eval(a(%{/\xc2\xa1\\u{6666}/})) }
t { eval(e(%{/\xc2\xa1\\u{6666}/})) }
t { eval(s(%{/\xc2\xa1\\u{6666}/})) }
t { eval(u(%{/\xc2\xa1\\u{6666}/})) }
t { eval(e(%{/\xc2\xa1\#{ }\\u{6666}/})) }
t { eval(a(%{/\\u{6666}\#{ }\xc2\xa1/})) }
t { eval(u(%{/\\u{6666}\#{ }\xc2\xa1/})) }
t { eval(u(%{/\\xc2\\xa1\#{ }\\u{6666}/})) }
t { eval(e(%{/\\xc2\\xa1\#{ }\\u{6666}/})) }
t { eval(e(%{/\\u{6666}\#{ }\\xc2\\xa1/})) }
t { eval(e(%{/\xc2\xa1\#{ 1 }\\u{6666}/})) }
t { eval('/\xff#{1}/').encoding }
t { eval('/あ\xe3#{1}/').encoding }
t { /a/.dup.frozen? }
t { /a/.clone(freeze: false).frozen? }
t { eval('"".match(/(())(?<X>)((?(90000)))/)') }
t { Regexp.new('(())(?<X>)((?(90000)))') }
t { Regexp.new('(?(90000))') }
t { Regexp.new('(())((?(90000)))') }
t { Regexp.new('\A[[:abcdefghijklmnopqrstu:]]+\z').match?("[]") }
t { Regexp.new('[[:abcdefghijklmnopqrs:]]') }
t { Regexp.new('[[:abcdefghijklmnopqrst:]]') }
t { Regexp.new('[[:alp:]]') }
t { Regexp.new('[[:alpha') }
t { "a".scan(e("\xA1")) }
t { e("\xA1").scan(e("\xA1")) }
t { "a".sub(e("\xA1"), "") }
t { e("\xA1").index(e("\xA1")) }
t { e("\xA1").split(e("\xA1")) }
t { e("\xA1").partition(e("\xA1")) }
t { e("\xA1").gsub(e("\xA1"), "") }
t { key = e("\xb1\xb2"); m = /(?<#{key}>.*)/.match("xxx"); [m[key], (m[s(key)] rescue $!.class)] }
t { s(%q(a)) =~ /あ/ }
