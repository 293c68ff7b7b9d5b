# oracle: native
# Rules of time zones are read from the file that TZ names; a name that nobody knows is one of UTC.
require "tmpdir"

def counts(times, types, letters) = [0, 0, 0, times, types, letters].pack("N6")

# A zone without changes, in version 2 of the format: both parts, and the rule behind.
def zone_file(name, hours)
  part = "TZif2#{"\0" * 15}#{counts(0, 1, name.size + 1)}#{[hours * 3600, 0, 0].pack("l>CC")}#{name}\0"
  "#{part}#{part}\n#{name}#{-hours}\n"
end

moment = Time.at(1_700_000_000)
show = -> { t = Time.at(moment.to_i); puts "#{t} #{t.zone} #{t.utc_offset} #{Time.local(2024, 7, 1).to_i}" }

Dir.mktmpdir do |folder|
  path = File.join(folder, "Lantern")
  File.binwrite(path, zone_file("LAN", 7))
  Dir.mkdir(File.join(folder, "Sea"))
  File.binwrite(File.join(folder, "Sea/Harbour"), zone_file("HBR", -2))
  File.binwrite(File.join(folder, "Broken"), "TZif")
  ENV["TZ"] = path
  show.()
  ENV["TZ"] = ":#{path}"
  show.()
  ENV["TZDIR"] = folder
  ENV["TZ"] = "Lantern"
  show.()
  ENV["TZ"] = "Sea/Harbour"
  show.()
  ENV["TZ"] = "Broken"
  show.()
end

ENV.delete("TZDIR")
["Nowhere/No", "Atlantis", "ABC-5:30", "UTC", ""].each do |name|
  ENV["TZ"] = name
  show.()
end

# A device that never ends has no rules.
ENV["TZ"] = "/dev/zero"
puts Time.at(moment.to_i)
