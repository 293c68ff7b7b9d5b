# A table in a file: what a transaction reads, writes, forgets, and refuses. Debian's ruby (pstore 0.1.1) answers the same, but for the
# names `keys` and `key?` that came later.
require "pstore"
require "yaml/store"
require "tmpdir"

def try(label)
  puts "#{label}: #{yield.inspect}"
rescue StandardError, UncaughtThrowError => e
  puts "#{label}: #{e.class}: #{e.message}"
end

Dir.mktmpdir do |dir|
  file = File.join(dir, "pebbles")
  store = PStore.new(file)
  try("path") { store.path == file }
  try("outside") { store[:a] }
  try("outside write") { store[:a] = 1 }
  try("outside commit") { store.commit }
  try("no file, read only") { store.transaction(true) { store.keys } }
  try("no file is made by that") { File.exist?(file) }
  try("write") { store.transaction { store[:a] = 1; store["b"] = [2, {c: 3}]; :done } }
  try("read") { store.transaction(true) { [store[:a], store["b"], store[:none], store.keys, store.roots] } }
  try("key?") { store.transaction { [store.key?(:a), store.root?("b"), store.key?(:none)] } }
  try("fetch") { store.transaction { [store.fetch(:a), store.fetch(:none, 5), store.fetch(:none, nil)] } }
  try("fetch missing") { store.transaction { store.fetch(:none) } }
  try("read only") { store.transaction(true) { store[:a] = 2 } }
  try("read only delete") { store.transaction(true) { store.delete(:a) } }
  try("delete") { store.transaction { [store.delete(:a), store.delete(:none)] } }
  try("then") { store.transaction(true) { store.keys } }
  try("commit ends it") { store.transaction { store[:k] = 1; store.commit; store[:k] = 2 } }
  try("abort") { store.transaction { store[:k] = 3; store.abort; 1 } }
  try("after both") { store.transaction(true) { store[:k] } }
  try("error") { store.transaction { store[:k] = 4; raise "oops" } }
  try("after it") { store.transaction(true) { store[:k] } }
  try("nested") { store.transaction { store.transaction { 1 } } }
  try("yields itself") { store.transaction { |s| s.equal?(store) } }
  try("content") { Marshal.load(File.binread(file)) }
  store.ultra_safe = true
  try("replaced") { store.transaction { store[:safe] = "x" * 3 } }
  try("no other file stays") { Dir.children(dir) }
  try("shorter") { store.transaction { store.delete("b") }; Marshal.load(File.binread(file)) }
  File.binwrite(file, Marshal.dump([1]))
  try("not a table") { store.transaction { store.keys } }
  try("after that") { store.transaction { 1 } }
  try("no folder") { PStore.new("/nowhere/at/all/pebbles").path }
  safe = PStore.new(File.join(dir, "threads"), true)
  try("nested in one thread") { safe.transaction { safe.transaction { 1 } } }
  4.times.map { |i| Thread.new { safe.transaction { safe[:n] = safe.fetch(:n, 0) + 1 } } }.each(&:join)
  try("threads") { safe.transaction(true) { safe[:n] } }

  words = File.join(dir, "words.yml")
  yaml = YAML::Store.new(words)
  try("yaml write") { yaml.transaction { yaml["count"] = 3; yaml[:list] = [1, "two", nil] } }
  puts File.read(words)
  try("yaml read") { yaml.transaction(true) { [yaml["count"], yaml[:list], yaml.keys] } }
  File.write(words, "")
  try("yaml of nothing") { yaml.transaction { yaml.keys } }
  File.write(words, "- 1\n")
  try("yaml of a list") { yaml.transaction { yaml.keys } }
end
