# needs: ruby-ice-cube ruby-icalendar ruby-chronic ruby-i18n
ENV["TZ"] = "UTC"
require "ice_cube"
require "icalendar"
require "chronic"
start = Time.utc(2024, 1, 1, 9)
schedule = IceCube::Schedule.new(start, duration: 3600) do |s|
  s.add_recurrence_rule IceCube::Rule.weekly.day(:monday, :thursday).until(Time.utc(2024, 12, 31))
  s.add_recurrence_rule IceCube::Rule.monthly.day_of_month(1, -1).hour_of_day(14)
  s.add_exception_time Time.utc(2024, 1, 4, 9)
end
times = schedule.occurrences(Time.utc(2024, 6, 30))
puts times.size, times.last, schedule.to_s, schedule.to_ical
p IceCube::Schedule.from_hash(schedule.to_hash).first(5) == schedule.first(5)
calendar = Icalendar::Calendar.new
times.first(60).each_with_index do |t, i|
  calendar.event do |e|
    e.uid = "event#{i}@example.org"
    e.dtstamp = Icalendar::Values::DateTime.new(start)
    e.dtstart = Icalendar::Values::DateTime.new(t.to_time.utc, "tzid" => "UTC")
    e.summary = "Meeting #{i}; with, commas"
    e.description = "A description that is long enough to be folded over several lines of the file " * 3
  end
end
text = calendar.to_ical
again = nil
4.times { again = Icalendar::Calendar.parse(text).first }
p again.events.size, again.events.last.summary, again.events.first.dtstart.to_s, text.size
now = Time.utc(2024, 5, 15, 12)
puts ["tomorrow at 5pm", "next friday", "3 days ago", "last week", "may 27th 2025 noon", "in 2 hours", "monday morning"].map { |t| Chronic.parse(t, now: now).inspect }
40.times { |i| Chronic.parse("#{i % 28 + 1} january 2025 at #{i % 12 + 1}:30 pm", now: now) }
