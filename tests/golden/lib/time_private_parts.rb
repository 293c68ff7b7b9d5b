# Private parts of time.rb that gems call, as rss does.
require "time"

[-86_400, -45_296, -3600, -1, 0, 1, 59, 3600, 19_800, 45_296, 86_399].each do |offset|
  [[2024, 2, 28, 23, 59, 60], [2024, 3, 1, 0, 0, 0], [2023, 12, 31, 12, 30, 15], [1900, 1, 1, 0, 0, 30]].each do |parts|
    p Time.send(:apply_offset, *parts, offset)
  end
end
p [2023, 2024, 1900, 2000].map { |year| (1..12).map { |mon| Time.send(:month_days, year, mon) } }
