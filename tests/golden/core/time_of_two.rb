# oracle: native
# Which of two times an hour apart the process's clock means: :std and :dst.
ENV["TZ"] = "America/Los_Angeles"
p Time.new(2007, 11, 4, 1, 30, 0, :dst), Time.new(2007, 11, 4, 1, 30, 0, :std)
p Time.new(2007, 7, 4, 1, 30, 0, :std), Time.new(2007, 1, 4, 1, 30, 0, :dst), Time.new(2007, 11, 4, 0, 30, 0, :std), Time.new(2007, 11, 4, 2, 30, 0, :dst)
p Time.new(2007, 11, 4, 1, 30, 0, in: :dst), Time.new(2007, 11, 4, 1, 30, 0, in: :std)
p Time.new(2007, 3, 11, 2, 30, 0, :std), Time.new(2007, 3, 11, 2, 30, 0, :dst)
p((Time.new(2007, 11, 4, 1, 30, 0, :foo) rescue $!.class))
ENV["TZ"] = "Europe/London"
p Time.new(2020, 10, 25, 1, 30, 0, :dst), Time.new(2020, 10, 25, 1, 30, 0, :std), Time.new(2020, 7, 25, 1, 30, 0, :std)
