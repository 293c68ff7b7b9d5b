# A file that comes into a folder of $LOAD_PATH is found at once, however it came and although the folder was found to lack
# files many times before.
require "tmpdir"
require "fileutils"
require "socket"

Dir.mktmpdir do |top|
  top = File.realpath(top)
  ways = %w[write system popen fork sub rename link hard thread server poll signal copy absent swap socket relative open
            chain ruby case]
  folder = ways.to_h { |way| [way, "#{top}/#{way}"] }
  Dir.mkdir("#{top}/other")
  ways.each { |way| Dir.mkdir(folder[way]) unless way == "absent" || way == "swap" }
  Dir.mkdir("#{top}/swap1")
  Dir.mkdir("#{top}/swap2")
  File.write("#{top}/swap2/carat_swap.rb", "$ran << :swap")
  File.symlink("#{top}/swap1", folder["swap"])
  File.write("#{top}/other/carat_rename.rb", "$ran << :rename")
  File.write("#{top}/other/carat_link.rb", "$ran << :link")
  File.write("#{top}/other/carat_copy.rb", "$ran << :copy")
  server = IO.popen(["sh", "-c", "while read -r name; do echo '$ran << :server' > $name; echo done; done"], "r+")
  left, right = UNIXSocket.pair
  helper = fork do
    left.close
    File.write(right.gets.chomp, "$ran << :socket")
    right.puts "done"
    exit!(0)
  end
  right.close
  $ran = []
  $LOAD_PATH.unshift(*ways.map { |way| way == "relative" ? "relative" : folder[way] })
  Dir.chdir(top)

  # Folders that changed a moment ago are not listed.
  sleep 3.2
  missing = lambda do
    8.times do |n|
      require "carat_lacks_#{n}"
    rescue LoadError
      nil
    end
  end
  try = lambda do |way, feature = "carat_#{way}"|
    missing.()
    HOW.fetch(way).(folder[way], "#{folder[way]}/#{feature}.rb")
    loaded = begin
      require feature
    rescue LoadError
      :lost
    end
    puts "#{way}: #{loaded} #{$ran.last}"
  end
  HOW = {
    "write" => ->(_, file) { File.write(file, "$ran << :write") },
    "system" => ->(_, file) { system("echo '$ran << :system' > #{file}") },
    "popen" => ->(_, file) { IO.popen(["sh", "-c", "echo '$ran << :popen' > #{file}; echo"], &:read) },
    "fork" => ->(_, file) { Process.wait(fork { File.write(file, "$ran << :fork"); exit!(0) }) },
    "sub" => ->(dir, file) { Dir.mkdir("#{dir}/carat_sub"); File.write(file, "$ran << :sub") },
    "rename" => ->(_, file) { File.rename("#{top}/other/carat_rename.rb", file) },
    "link" => ->(_, file) { File.symlink("#{top}/other/carat_link.rb", file) },
    "hard" => ->(_, file) { File.link("#{top}/other/carat_link.rb", file) },
    "thread" => ->(_, file) { Thread.new { File.write(file, "$ran << :thread") }.join },
    "server" => ->(_, file) { server.puts(file); server.gets },
    "poll" => ->(_, file) { spawn("echo '$ran << :poll' > #{file}.new; mv #{file}.new #{file}"); nil until File.exist?(file) },
    "signal" => lambda do |_, file|
      came = false
      before = trap("USR1") { came = true }
      pid = spawn("echo '$ran << :signal' > #{file}; kill -USR1 #{$$}")
      nil until came
      Process.wait(pid)
      trap("USR1", before)
    end,
    "copy" => ->(_, file) { FileUtils.cp("#{top}/other/carat_copy.rb", file) },
    "absent" => ->(dir, file) { Dir.mkdir(dir); File.write(file, "$ran << :absent") },
    "swap" => ->(dir, _) { File.unlink(dir); File.symlink("#{top}/swap2", dir) },
    "socket" => ->(_, file) { left.puts(file); left.gets },
    "relative" => ->(_, file) { File.write(file, "$ran << :relative") },
    "open" => ->(_, file) { File.open(file, File::WRONLY | File::CREAT | File::EXCL) { |f| f << "$ran << :open" } },
    "chain" => ->(_, file) { File.write(file, "require 'carat_chain_2'; $ran << :chain"); File.write(file.sub(".rb", "_2.rb"), "") },
    "ruby" => ->(_, file) { eval("File.binwrite(#{file.dump}, '$ran << :ruby')") },
    "case" => ->(_, file) { File.write(file, "$ran << :case") },
  }
  (ways - ["sub", "case"]).each { |way| try.(way) }
  try.("sub", "carat_sub/inner")
  try.("case", "Carat_CASE")

  # And one that goes is not found any more.
  missing.()
  File.unlink("#{folder["write"]}/carat_write.rb")
  $LOADED_FEATURES.reject! { |path| path.end_with?("carat_write.rb") }
  begin
    require "carat_write"
  rescue LoadError => e
    puts e.message
  end
  p $LOAD_PATH.resolve_feature_path("carat_system") == [:rb, "#{folder["system"]}/carat_system.rb"]
  server.close
  Process.wait(helper)
end
