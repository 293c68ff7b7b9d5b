# What a subclass gives a date stays with that date: others that are made of it have none.
require "date"

class Day < Date
  attr_accessor :note
end

class Moment < DateTime
  attr_accessor :note
end

day = Day.new(2024, 1, 31).tap { |d| d.note = 1 }
p [day + 1, day - 1, day >> 1, day << 1, day.next, day.succ, day.prev_day, day.next_month, day.next_year, day.new_start, day.italy, day.julian, day.gregorian].map { |d| [d.class, d.note] }
p day.dup.note, day.clone.note, day.step(day + 1).map(&:note), day.upto(day + 1).map(&:note)
moment = Moment.new(2024, 1, 31, 5).tap { |d| d.note = 1 }
p [moment + 1, moment >> 1, moment.new_offset, moment.new_offset("+02:00"), moment.new_start, moment.next, moment.england].map { |d| [d.class, d.note, d.to_s] }
p moment.dup.note, moment.to_s, moment.iso8601, moment.httpdate, moment.note
