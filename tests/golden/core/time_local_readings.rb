# oracle: native
# Readings of the local clock around changes.
ENV["TZ"] = "America/New_York"
[[2024, 3, 10, 1, 59], [2024, 3, 10, 2, 30], [2024, 3, 10, 3, 0], [2024, 11, 3, 0, 59], [2024, 11, 3, 1, 30], [2024, 11, 3, 2, 0], [2024, 7, 1],
  [1883, 11, 18, 12, 1], [1900], [2100, 7], [-5], [3000, 1, 1]].each do |parts|
  time = Time.new(*parts)
  p [time, time.to_i, time.dst?, time.zone, Time.local(*parts) == time]
end
