# Date: what old versions of Ruby dumped, names in ASCII, texts that become too long, months in front of years before 1.
require "date"

[
  "\x04\x06u:\tDate\x0F\x04\x06[\ai\x03\xE8i%T",
  "\x04\bu:\tDateP\x04\b[\bo:\rRational\a:\x0F@numeratori\x03\xCF\xD3J:\x11@denominatori\ai\x00o:\x13Date::Infinity\x06:\a@di\xFA",
  "\x04\bu:\rDateTime`\x04\b[\bo:\rRational\a:\x0F@numeratorl+\b\xC9\xB0\x81\xBD\x02\x00:\x11@denominatori\x02\xC0\x12o;\x00\a;\x06i\b;\ai\ro:\x13Date::Infinity\x06:\a@di\xFA",
  "\x04\bU:\tDate[\bU:\rRational[\ai\x03\xCF\xD3Ji\ai\x00o:\x13Date::Infinity\x06:\a@di\xFA"
].each do |dump|
  date = Marshal.load(dump)
  p date.class, date.ajd, date.start
end
p (Marshal.load("\x04\bU:\tDate[\x06i\x00") rescue $!)

p Marshal.load("\x04\bo:\rRational\a:\x0F@numeratori\x06:\x11@denominatori\a")
p Marshal.load("\x04\bo:\fComplex\a:\x0A@reali\x06:\x0B@imagei\a")
p (Marshal.load("\x04\bo:\rRational\x00") rescue $!)

names = Date::MONTHNAMES + Date::ABBR_MONTHNAMES + Date::DAYNAMES + Date::ABBR_DAYNAMES
p names.compact.map(&:encoding).uniq, names.all?(&:frozen?)

date = Date.new(2001, 2, 3)
p date.strftime("%1000d").size
p (date.strftime("%100000z") rescue $!.class)
p (Date.new(1 << 10_000).strftime("%Y") rescue $!.class)

p Date._parse("JAN--1999", false), Date._parse("JAN-31--1999", false)
