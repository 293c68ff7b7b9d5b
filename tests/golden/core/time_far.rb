# Times further from 1970 than 64 bits of seconds, fractions of any denominator, and what is no number of seconds.
def t
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

t { Time.at(0).freeze.send(:initialize, 2000) }
bad = Object.new
def bad.inspect = "BAD"
x = Object.new
def x.to_s = "Inexact"
x.define_singleton_method(:to_int) { bad }
x.define_singleton_method(:to_r) { bad }
t { Time.at(x) }
y = Object.new
y.define_singleton_method(:to_int) { bad }
t { Time.at(y).to_s[/can't.*/] }
z = Object.new
z.define_singleton_method(:to_r) { 3r }
t { Time.at(z) }
t { Time.at(nil) }
t { Time.at(Object.new) rescue $!.message.sub(/0x\h+/,'') }
t { Time.at("1") }
t { Time.at(0, x) }
t { Time.at(0)+ x }
t { Time.at(0)- x }
t { Time.gm(2000, 1, 1, 0, 0, 10_000_000_000_000_000_001.0, :foo, :foo) }
t { Time.gm(2000, 1, 1, 0, 0, 10_000_000_000_000_000_001) }
t { Time.gm(2000, 1, 1, 0, 0, -1.0) }
t { Time.gm(2000, 1, 1, 0, 0, 1e6) }
t { Time.gm(2000, 1, 1, 0, 0, 70) }
t { Time.gm(2**100, 2, 3, 4, 5, 6.5) }
t { Time.gm(-2**100, 2, 3, 4, 5, 6.5) }
t { Time.at(2**80).utc }
t { Time.at(2**80, Rational(1,3)).utc }
t { Time.at(2**80).utc.to_a }
t { Time.at(2**80).to_r }
t { Time.at(2**80).to_f }
t { Time.at(2**80) - Time.at(0) }
t { (Time.at(2**80) - 2**80).utc }
t { (Time.at(0) + 2**80).utc }
t { Time.at(2**80) <=> Time.at(0) }
t { Time.at(2**80) == Time.at(2**80) }
t { Time.at(2**80).eql? Time.at(2**80) }
t { Time.at(2**80).hash == Time.at(2**80).hash }
t { Time.at(2**80).utc.iso8601(3) }
t { Time.at(-2**80).utc.iso8601(3) }
t { Time.at(-2**80).utc.strftime("%Y %C %y %G %V %s %Q %j %a %F %c %D %9Y") }
t { Marshal.load(Marshal.dump(Time.at(2**80, Rational(1,3)).utc)) == Time.at(2**80, Rational(1,3)) }
t { Marshal.dump(Time.at(2**80).utc) }
t { Marshal.dump(Time.at(-2**80).utc) }
t { Time.at(2**80, in: "+09:00") }
t { Time.at(2**80).utc.round }
t { Time.at(Rational(10**40+1,10**30)).utc }
t { Time.at(Rational(10**40+1,10**30)).utc.subsec }
t { Time.at(Rational(10**40+1,10**30)).utc.nsec }
t { Time.at(Rational(10**40+1,10**30)).utc.round(3) }
t { Time.at(Rational(10**40+1,10**30)).utc.strftime("%35N") }
t { Time.new(2**70, 1, 1, in: "+01:00") }
t { Time.new("18446744073709551616-03-04 05:06:07Z") }
t { Time.at(2**80).utc.monday? }
t { Time.at(2**80).utc.getlocal("+03:00") }
t { Time.at(2**80).deconstruct_keys([:year]) }
t { Time.at(0).send(:initialize, 2013, 3, 14) }
t { Time.at(0).send(:initialize_copy, Time.at(5)) }
t { Time.at(0).utc.freeze.send(:initialize, 2000) }
t { Time.local(2**64 + 384, 2, 30) == Time.local(2**64 + 384, 3, 1) }
