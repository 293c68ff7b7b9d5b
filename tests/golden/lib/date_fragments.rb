# What texts of dates leave open, numbers that are none, and texts of many digits.
require "time"

p Time.strptime("-1.5", "%s.%N").to_r
p Time.strptime("2019 1 0", "%G %V %w").strftime("%F"), Date.strptime("2006 22 4", "%G %V %w"), Date.strptime("2006 22 0", "%G %V %w")
p Time.parse("10:20", Date.new(2001, 2, 3)).strftime("%F %T"), Time.parse("3rd", Date.new(2001, 2, 3)).strftime("%F %T")
p((Date::Infinity.new <=> Float::INFINITY), (Date::Infinity.new <=> 1), (-Date::Infinity.new <=> -Float::INFINITY), (Date::Infinity.new == Float::INFINITY), (Float::INFINITY <=> Date::Infinity.new),(Date::Infinity.new(0) <=> 0))

def t
  p yield
rescue => error
  puts "#{error.class}: #{error.message}"
end

t { Date.new(2001,2,3) + Object.new }
t { Date.new(2001,2,3) + "1" }
t { DateTime.new(2001,2,3).new_offset(Object.new) }

class Rat < Numeric
  def to_r = self
end

t { DateTime.new(2001,2,3).new_offset(Rat.new) }
t { Date.new(2000,1,1) + Rat.new }
t { Date._strptime("+9999999999999999999999.0", "%Z") }
t { Date._parse("-1999-1") }
%w[10:20 Jan Jan10 3rd Sat 2001-W05 12:00Z].each { |s| t { [s, DateTime.parse(s).then { |d| [d.hour, d.min] }] } }
t { DateTime.strptime("10:20", "%H:%M").hour }
t { DateTime.strptime("Sat", "%a").hour }
t { Date._strptime("+00:00:00:00", "%Z") }
t { Date._strptime("2001-02-29", "%F") }
t { Date._strptime("86400", "%s") }
t { Date._strptime("24:00:61", "%T") }
t { Date._strptime(":", "%N") }

t { Date.new(2000, 1, 1).step(Date.new(2000, 1, 3), 0) { break 7 } }
t { Date.new(2000, 1, 1).step(Date.new(2000, 1, 3), 1).map(&:day) }
["'1-2-3", "5'3 Jan", "5'3-4-5", "-1-2-3", "1/2/3", "'1/2", "1.2.3", "12'3 4", "3rd 4th", "1 2:3:4.5 pm", "10h20m30s", "2am", "1-jan-2", "5'1-jan-2", "123-4-5", "Jan '5"].each { |text| t { [text, Date._parse(text)] } }
t { Date._parse("Jan 1 " + "9" * 100_000, limit: nil).keys }
t { Date._parse("Jan - 1" + "0" * 100_000, limit: nil).keys }
t { Date._parse("1" * 100_000 + " :", limit: nil).keys }
t { Date._parse("1" * 200) }

# A weekday of a week whose year is not known is no day; without the week it is one of this week.
%w[%V-%w %V-%u %V-%a %G-%w %G-%u %G-%V %Y-%V-%w %G-%V-%w %G-%V-%u %Y-%U-%w %Y-%W-%u %Y-%w].each do |format|
  values = {"V" => "10", "w" => "3", "u" => "3", "a" => "Wed", "G" => "2001", "Y" => "2001", "U" => "10", "W" => "10"}
  text = format.gsub(/%(.)/) { values[$1] }
  found = [Date, DateTime].map { |kind| kind.strptime(text, format).to_s rescue $!.class }
  p [format, *(found.map { |day| day.is_a?(String) && !format.match?(/%[GY]/) ? :a_day : day })]
end
