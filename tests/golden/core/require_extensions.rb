# The name of an extension is not that of a Ruby file beside it, but for what Ruby itself has as an extension.
folder = File.join(__dir__, "fixtures", "named_extensions")
$LOAD_PATH.unshift(folder)
[-> { require "only_ruby.so" }, -> { require File.join(folder, "only_ruby.so") }, -> { require_relative "fixtures/named_extensions/only_ruby.so" },
 -> { require "only_ruby" }, -> { require "only_ruby.rb" }, -> { require "only_ruby.so" }, -> { require "stringio.so" }, -> { require "stringio" },
 -> { require "strscan.so" }, -> { StringScanner.new("a").scan(/a/) }].each do |attempt|
  p attempt.call
rescue LoadError => error
  puts error.message.sub(/\/.*named/, "named"), error.path.sub(/\/.*named/, "named")
end
p $LOAD_PATH.resolve_feature_path("only_ruby.so"), $LOAD_PATH.resolve_feature_path("only_ruby")[0]
