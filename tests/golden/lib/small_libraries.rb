# Corners of small libraries: delegates of objects without methods, random bytes, normal forms by function, folders that are gone.
require "delegate"
require "securerandom"
require "unicode_normalize/normalize"
require "prettyprint"
require "tmpdir"

# Has two methods.
class Bare < BasicObject
  def shown = "shown"
  def respond_to?(*) = super
end

# Has one and does not say so.
class Silent < BasicObject
  def shown = "shown"
end

p SimpleDelegator.new(Silent.new).shown
begin
  SimpleDelegator.new(Silent.new).missing
rescue NoMethodError => error
  puts error.name
end
p SecureRandom.gen_random(3).bytesize, SecureRandom.singleton_methods(false).include?(:gen_random)
p UnicodeNormalize.normalize("e\u0301"), UnicodeNormalize.normalize("\u00e9", :nfd).codepoints, UnicodeNormalize.normalized?("e\u0301")
p UnicodeNormalize.normalized?("e\u0301", :nfd)
text = PrettyPrint.format(+"", 10) do |printer|
  printer.group(1, "(", ")") do
    printer.group_sub { printer.text "abc"; printer.breakable; printer.text "d" }
    printer.breakable
    printer.text "efghij"
  end
end
puts text

begin
  Dir.mktmpdir("x", "")
rescue ArgumentError => error
  puts error.class
end
