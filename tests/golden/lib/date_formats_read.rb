# Date._strptime over formats and texts, dates of four calendars, and moments made of few parts.
require "date"
srand 3
fmts = %w[%Y-%m-%d %d/%m/%y %Y%m%d %j-%Y %A,%d-%B-%Y %a%b%e %H:%M:%S %I:%M%p %s %Q %L %N %C%y %G-W%V-%u %U-%w-%Y %W-%u-%Y %Z %z %c %D %F %T %R %r %v %x %X %+ %nx %% %Ey %Od %::z %3Y %i %E %y%m %H%M%S%L %S.%N %k %l %P %h %g]
texts = ["2024-02-29","29/02/24","20240229","060-2024","Thursday,29-February-2024","thu feb 29","ThuFeb 9","12:30:15","12:30PM","01:05a.m.","1700000000","-1700000000123","123","123456789","2024","2024-W09-4","08-4-2024","EST","+09:00","Eastern Daylight Time","utc+3","Thu Feb 29 12:30:15 2024","02/29/24","12:30","12:30:15 PM","29-Feb-2024","Thu Feb 29 12:30:15 UTC 2024","  ","%","24","9","+9.5 x","99","69","68","-5","+5","2024-02-30","13:60:00","123015123","15.000000001", "12345678901234567890-01-01", " 9", "24:00:00","0000","Z"]
texts.each { |t| fmts.each { |f| r = Date._strptime(t, f); puts "#{t.inspect} #{f} #{r.inspect}" if r
} }
texts.each { |t| fmts.each_slice(2) { |f, g| r = Date._strptime(t + " " + texts.first, "#{f} #{g}"); puts "#{t.inspect} #{f} #{g} #{r.inspect}" if r } }
120.times { y = rand(-5000..12000); m = rand(-13..13); d = rand(-32..32); s = [Date::ITALY, Date::ENGLAND, Date::JULIAN, Date::GREGORIAN].sample(random: Random.new(y))
 begin; x = Date.new(y,m,d,s); puts "#{y} #{m} #{d} #{x} #{x.jd} #{x.yday} #{x.cwyear}-#{x.cweek} #{x.wday} #{x + 400} #{x >> 7} #{x.strftime("%a %j %U %W %V %G %s %y %C")} #{x.hash == (x+0).hash} #{x.eql?(x.to_datetime)}"; rescue => e; puts "#{y} #{m} #{d} #{e.message}"; end }
p Date.civil(2001,2,3.5).inspect, Date.new(10**15, 1, 1).to_s, Date.new(-10**20,2,3).yday, Date.jd(2**70).to_s, Date.new(2001,2,3.5).inspect, DateTime.new(2001,2,3,4.5), (DateTime.new(2001,2,3.5,4) rescue $!), DateTime.new(2001,2,3,4,5), DateTime.new(2001,2,3,4,5,6.5), (DateTime.new(2001,2,3,25) rescue $!), DateTime.new(2001,2,3,-1,-1,-1), (DateTime.new(2001,2,3,"x") rescue $!), DateTime.new(2001,2,Rational(7,2)), DateTime.new(2001,2,3,4,5,6,"+7"), DateTime.new(2001,2,3,24)
p({Date.new(2024,1,1) => 1}[DateTime.new(2024,1,1)], Date.new(2024,1,1) === DateTime.new(2024,1,1,5), Date.new(2024,1,1) <=> "x", Date.new(2024,1,1) === "x", Date.new(2024,1,1) == 2)
class D2 < Date; end
p D2.new(2024,1,31).next_month.class, (D2.new(2024,1,1)+1).class

# Other keywords than the limit are nobody's.
%i[parse iso8601 rfc3339 xmlschema rfc2822 jisx0301 _parse _iso8601 _rfc2822 _httpdate].each do |name|
  p Date.send(name, "2001-02-03T04:05:06+09:00", other: 1), DateTime.send(name, "2001-02-03T04:05:06+09:00", "x" => 1)
rescue Date::Error => e
  puts e.message
end
