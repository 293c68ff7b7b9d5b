# needs: ruby-fugit ruby-et-orbi ruby-raabro ruby-tzinfo
ENV["TZ"] = "UTC"
require "fugit"
start = EtOrbi::EoTime.parse("2024-01-15 10:30:00 Europe/Berlin")
out = []
["*/5 9-17 * * mon-fri", "0 0 1,15 * *", "0 0 L * *", "30 5 * * sun#1 America/New_York", "@daily", "0 12 * jan,jul 2"].each do |text|
  cron = Fugit.parse_cron(text)
  time = start
  6.times { time = cron.next_time(time); out << time.to_s }
  out << cron.previous_time(start).to_s << cron.to_cron_s << cron.rough_frequency << cron.match?(start)
end
puts out.each_slice(4).map { |s| s.join(" | ") }
["1y2M3d4h", "PT1H30M", "1 year and 2 months", "-5m3s", "10 days 20 hours"].each { |d| x = Fugit::Duration.parse(d); puts x.to_iso_s, x.to_plain_s, x.to_rufus_s, x.to_long_s, x.to_sec, x.deflate.to_plain_s }
["every day at noon", "every 15 minutes", "every monday at 5:30 pm", "every weekday at 9 am", "every 1st of the month at midnight", "from monday to friday at 9"].each { |n| puts "#{n}: #{Fugit::Nat.parse(n)&.to_cron_s.inspect}" }
40.times { |i| Fugit.parse("#{i} #{i % 24} * * *").next_time(start); Fugit.parse("every #{i + 1} hours"); Fugit.parse("P#{i}DT5H") }
p Fugit.parse("nada"), Fugit.parse_cron("61 * * * *")
