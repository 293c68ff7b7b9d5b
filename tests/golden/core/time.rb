# Time: construction, arithmetic, comparison, formatting and parsing in UTC and with fixed offsets.
t = Time.utc(2024, 2, 29, 13, 5, 9.5)
p t, t.year, t.month, t.day, t.hour, t.min, t.sec, t.usec, t.nsec, t.wday, t.yday, t.zone, t.utc?, t.utc_offset, t.to_i, t.to_f, t.to_r, t.dst?, t.monday?, t.thursday?, t.to_a, t.subsec
p t + 1, t - 86400, t + 0.25, t - Time.utc(2024, 1, 1), t <=> Time.utc(2025), t == Time.utc(2024, 2, 29, 13, 5, 9.5), t.eql?(t.dup), t.hash == t.dup.hash, t.between?(Time.at(0), Time.utc(3000)), (t..t + 10).cover?(t + 5), t.round, t.floor, t.ceil, t.round(1)
p Time.at(0).utc, Time.at(1.5).utc, Time.at(0, 500, :millisecond).utc.usec, Time.at(0, in: "+09:00"), Time.at(1700000000, in: "UTC"), Time.at(2**40).utc, Time.at(-1).utc, Time.at(1/3r).utc.nsec
n = Time.new(2024, 12, 25, 8, 30, 15, "+05:30")
p n, n.utc_offset, n.zone, n.utc, n.getutc, n.getlocal("-02:00"), n.localtime("+01:00"), n.gmtoff, Time.new(2024, 1, 1, in: "-03:00"), Time.new("2024-05-06 07:08:09 +00:00"), Time.new("2024-05-06T07:08:09Z"), Time.new(2000, in: "Z"), (Time.new("2024-13-01 00:00:00") rescue $!.message), (Time.new(2024, 13) rescue $!.message), (Time.utc(2024, 2, 31)), Time.utc(2024, "feb", 3), Time.gm(2000), Time.mktime(2000).class
%w[%Y-%m-%d %H:%M:%S %y %C %j %a %A %b %B %^a %^B %p %P %I %l %e %k %L %N %3N %6N %z %:z %::z %Z %s %u %w %U %W %V %G %g %c %x %X %D %F %T %R %r %n %t %% %-d %-m %_d %05d %10Y %^p %#p %h %+ %-I %_H %^b %010s].each { |f| print f, "=", t.strftime(f).inspect, " " }
puts
p t.strftime("%d/%m/%y at %I:%M%p"), t.inspect, t.to_s, n.inspect, n.to_s, (t + 1/3r).inspect, Time.utc(2024, 1, 1, 0, 0, 0.1).inspect, t.iso8601, t.xmlschema(3), t.deconstruct_keys([:year, :month]), t.strftime("%Y").encoding
case t
in { year: 2024, month: 1..3 => m } then p m
end
p Time.now.class, (Time.now - Time.now).class, Time.now.utc_offset, Time.now.year > 2020, (t - t).zero?, t.dup.frozen?, t.freeze.frozen?, (t < 5 rescue $!.message), (t + t rescue $!.message), (Time.at("x") rescue $!.message), [Time.utc(2025), Time.utc(2024)].min, Time.utc(1969, 12, 31, 23, 59, 59).to_i, Time.utc(1, 1, 1).to_i, Time.utc(9999, 12, 31, 23, 59, 59), Time.utc(2023, 12, 31).yday, Time.utc(2024, 12, 31).yday, Time.utc(2016, 12, 31, 23, 59, 60), Marshal.load(Marshal.dump(t)) == t, Time.utc(-1, 1, 1), Time.utc(12345, 1, 1)
