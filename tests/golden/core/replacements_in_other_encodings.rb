# Which of two encodings an error names first when a replacement does not fit.
def show
  p yield
rescue Exception => e
  puts "#{e.class}: #{e.message}"
end

r = "日".encode("EUC-JP")
show { "日".sub(/\b/, r) }
show { "日".sub(/b/, r) }
show { "日b".sub(/b/, r) }
show { "日b".sub(/b/, r + '\0') }
show { "b日".sub(/日/, r) }
show { "b日".sub(/日/, r + '\0') }
show { "b日".sub(/日/) { r } }
show { "b日c日".sub(/日/) { r } }
show { "日".sub(//, r) }
show { "日".gsub(//, r) }
show { "日".gsub(/\b/, r) }
show { "日".gsub(/\b/) { r } }
show { "日日".sub(/日/, r) }
show { "b日".sub("日", r) }
show { "日b".sub("b", "b" => r) }
show { "日".sub(/\b/, "" => r) }
show { "日".dup.sub!(/\b/, r) }
