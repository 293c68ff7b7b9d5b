# Shell patterns with braces: nested, many, escaped, not closed.
def match(pattern, path, flags = 0) = File.fnmatch(pattern, path, File::FNM_EXTGLOB | flags)

p match("{a,b}{c,d}", "bd"), match("{a,b}{c,d}", "ab"), match("a{b,c{d,e}}f", "acef"), match("a{b,c{d,e}}f", "acf")
p match("{{a,b}", "a"), match("{{a,b}", "{a"), match("{{a,b}", "{{a,b}"), match("a}{b,c}", "a}c"), match("{a,b}}", "b}")
p match("\\{a,b}", "a"), match("\\{a,b}", "{a,b}"), match("{a\\,b,c}", "a,b"), match("{a\\,b,c}", "a\\,b", File::FNM_NOESCAPE)
p match("{a\\,b,c}", "c", File::FNM_NOESCAPE), match("{,a}{,b}", ""), match("{}", ""), match("{,}", ""), match("{a}", "a")
p match("{*.rb,**/*.c}", "x.rb"), match("{*.rb,**/*.c}", "a/b/x.c", File::FNM_PATHNAME), match("[{]{a,b}", "{b")
p match("{" * 1000 + "a" + "}" * 1000, "a"), match("{a,b}" * 14, "b" * 14), match("{a," * 300 + "b" + "}" * 300, "b")
p match("{日,本}語", "本語"), match("{a,b", "{a,b"), match("a,b}", "a,b}"), match("{a,b}\\", "a")
require "tmpdir"
Dir.mktmpdir do |dir|
  %w[a.rb b.rb c.txt d{e}.rb].each { |name| File.write(File.join(dir, name), "") }
  p Dir.glob("{a,b,x}.{rb,txt}", base: dir), Dir.glob("{c,{a,b}}.{txt,rb}", base: dir), Dir.glob("{b,a}.rb", base: dir)
  p Dir.glob("d\\{e}.rb", base: dir), Dir.glob("{{a,b}.rb", base: dir), Dir.glob("{*.rb,*.txt}", base: dir).sort
end

# A backslash at the end stands for nothing.
p File.fnmatch("a\\", "a"), File.fnmatch("a\\", "a\\"), File.fnmatch("a\\", "a\\", File::FNM_NOESCAPE), File.fnmatch("\\", "")
p File.fnmatch("?\\", "a"), File.fnmatch("*\\", "a"), File.fnmatch("a\\/", "a/", File::FNM_PATHNAME), File.fnmatch("[\\", "[")
p File.fnmatch("\\\\a", "\\a"), File.fnmatch("\\?", "a"), File.fnmatch("\\?", "?"), File.fnmatch("\\*", "*"), File.fnmatch("*\\?", "a?")
