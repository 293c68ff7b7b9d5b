# oracle: native
# Times too far for 64 bits of seconds, on the clock of a zone with daylight saving time.
ENV["TZ"] = "America/Los_Angeles"
p [1, 8].map { Time.new(2**64, _1).strftime("%Z %z") }
p Time.local(2**64 + 384, 2, 30) == Time.local(2**64 + 384, 3, 1)
p [1, 8].map { Time.new(2**64, _1).isdst }
