# Parts of names that links may hide, and what replacing leaves in $~.
require "pathname"

%w[/ . a a/ a/. a/./ a/.// a//. ./ ./. ../ /.. /../ a/.. a/../ a/../b a/b/.. a/b/../. ../a //a /a/.. a/./b/./ a/b/ a/b// ../../a/].each do |path|
  p [path, Pathname(path).cleanpath.to_s, Pathname(path).cleanpath(true).to_s]
end
p Pathname("abc.gif").sub(/\..*/) { $~[0].upcase }, Pathname("abc").sub("b", "x"), Pathname("a.b").sub(/(?<c>b)/) { $~[:c] * 2 }
[%w[/foo/bar /foo/baz], %w[a b], %w[a/b/c a], %w[a a/b/c], %w[. a], %w[a .], %w[/a b], %w[a ../b], %w[../a ../b], %w[/a/../b /c]].each do |path, base|
  p Pathname(path).relative_path_from(base).to_s
rescue ArgumentError => error
  puts error.message
end
