require "date"
a = DateTime.new(2024, 1, 2, 3, 4, 5)
b = DateTime.new(2024, 1, 2, 3, 4, Rational(11, 2))
day = Date.new(2024, 2, 29)
p a - b, b - a, a - day, day - a, day - Date.new(2024, 1, 1), a - a, (a + Rational(1, 3)) - a, a.ajd, a.amjd, b.ajd, day.ajd, day.amjd
p a <=> b, a == DateTime.new(2024, 1, 2, 12, 4, 5, "+9"), a.hash == DateTime.new(2024, 1, 2, 12, 4, 5, "+9").hash, day.hash == DateTime.new(2024, 2, 29).hash, b.hash == b.dup.hash
%w[+09:00 -09:30 +0930 +9 +24:00 +23:59 -23:59 +12:60 +1:2 UTC z +00:00 -00:00 +99:99 +12:34:56 x].each { |zone| p [zone, a.new_offset(zone).to_s] }
p day.strftime, day.strftime("%F"), day.strftime("%-d/%-m"), day.strftime("%-10F|%-z|%-:z|%-3d"), day.rfc2822, day.httpdate, day.strftime.encoding, day.to_s.encoding, Date.new(12345, 1, 2).strftime, Date.new(-1, 1, 2).strftime
p a.strftime("%Z %z %:z %::z"), a.new_offset("-03:30").strftime("%Z %z"), a.new_offset("+23:59").to_s
class Date
  def to_s = "mine"
end
p day.strftime, day.inspect
