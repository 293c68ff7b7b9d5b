# Methods that only look at their operands (`borrowing` in their tables) are given string literals that are no objects of their
# own. A program cannot tell: every call answers the same whatever became of the answer before, and Ruby code sees no such literal.
require "strscan"

# A site leads to its method from the second call on.
def check(name)
  answers = Array.new(4) do
    answer = begin
      yield
    rescue => error
      error.message
    end
    answer.inspect.tap { spoil(answer) }
  end
  puts "#{name}: #{answers.uniq.join(" | ")}"
end

def spoil(answer)
  case answer
  when String then answer.clear unless answer.frozen?
  when Array then answer.each { |element| spoil(element) }
  end
end

check("String#+") { "abc" + "" }
check("String#+") { "" + "abc" }
check("String#*") { "abc" * 1 }
check("String#%") { "abc" % [] }
check("String#%") { "%s" % "abc" }
check("String#%") { "%s-%s" % ["abc", "d"] }
check("String#casecmp") { "abc".casecmp("ABC") }
check("String#casecmp?") { "abc".casecmp?("ABC") }
check("String#start_with?") { "abc".start_with?("a", "b") }
check("String#start_with?") { "abc".start_with?(/a/) && $~.string }
check("String#end_with?") { "abc".end_with?("bc") }
check("String#bytesize") { "abc".bytesize }
check("String#include?") { "abc".include?("b") }
check("String#to_i") { "12".to_i(8) }
check("String#to_sym") { "abc".to_sym }
check("String#count") { "abc".count("a-b") }
check("String#delete") { "abc".delete("x") }
check("String#squeeze") { "abc".squeeze("x") }
check("String#tr") { "abc".tr("x", "y") }
check("String#tr_s") { "abc".tr_s("x", "y") }
check("String#encode") { "abc".encode("UTF-8") }
check("String#encode") { "abc".encode("UTF-16LE", "UTF-8") }
check("String#chomp") { "abc".chomp("x") }
check("String#chomp") { "abc".chomp("") }
check("String#delete_prefix") { "abc".delete_prefix("x") }
check("String#delete_suffix") { "abc".delete_suffix("x") }
check("String#ljust") { "abc".ljust(1, "x") }
check("String#rjust") { "abc".rjust(1, "x") }
check("String#center") { "abc".center(1, "x") }
check("String#match?") { "abc".match?("b") }
check("String#index") { "abc".index("b") }
check("String#index") { "abc".index(/b/) && $~.string }
check("String#rindex") { "abc".rindex("b") }
check("String#byteindex") { "abc".byteindex("b") }
check("String#byterindex") { "abc".byterindex("b") }
check("String#sub") { "abc".sub("x", "y") }
check("String#sub") { "abc".sub("b", "y") && $~.string }
check("String#sub") { "abc".sub("abc", "xyz") }
check("String#gsub") { "abc".gsub("x", "y") }
check("String#gsub") { "abc".gsub("b", "b" => "z") }
check("String#gsub") { "abc".gsub("b").to_a }
check("String#split") { "abc".split(",") }
check("String#split") { "abc".split("") }
check("String#split") { "abc".split(",", 1) }
check("String#split") { "abc".split(" ") }
check("String#unpack") { "abc".unpack("a*") }
check("String#unpack1") { "abc".unpack1("a*") }
check("Array#pack") { ["abc"].pack("a*") }
check("Array#join") { ["abc"].join(",") }
check("Array#join") { ["", ""].join("abc") }
check("Symbol#casecmp") { :abc.casecmp(:ABC) }
check("Symbol#casecmp?") { :abc.casecmp?(:ABC) }
check("Symbol#start_with?") { :abc.start_with?("a") }
check("Symbol#end_with?") { :abc.end_with?("c") }
check("Kernel#format") { format("abc") }
check("Kernel#format") { format("%s", "abc") }
check("Kernel#sprintf") { sprintf("%-4s|", "abc") }
check("Regexp#match?") { /b/.match?("abc") }
check("Time#strftime") { Time.at(0).utc.strftime("%Y") }
check("Time#strftime") { Time.at(0).strftime("abc") }

scanner = StringScanner.new("abcabc")
check("StringScanner#scan") { scanner.reset && scanner.scan("abc") }
check("StringScanner#match?") { scanner.reset && scanner.match?("abc") }
check("StringScanner#skip") { scanner.reset && scanner.skip("abc") }
check("StringScanner#check") { scanner.reset && scanner.check("abc") }
check("StringScanner#scan_full") { scanner.reset && scanner.scan_full("abc", true, true) }
check("StringScanner#scan_until") { scanner.reset && scanner.scan_until("c") }
check("StringScanner#exist?") { scanner.reset && scanner.exist?("c") }
check("StringScanner#skip_until") { scanner.reset && scanner.skip_until("c") }
check("StringScanner#check_until") { scanner.reset && scanner.check_until("c") }
check("StringScanner#search_full") { scanner.reset && scanner.search_full("c", false, true) }
check("StringScanner#[]") { scanner.reset && scanner.scan(/(?<name>b*)a/) && scanner["name"] }

# Arguments that are asked something are shown the objects of the call: no literal that is frozen.
class String
  alias plain_inspect inspect

  def inspect
    $frozen = frozen?
    plain_inspect
  end
end

def seen = [yield, $frozen]

4.times { p seen { format("%p", "abc") } }
4.times { p seen { sprintf("%p", "abc") } }
4.times { p seen { "%p" % "abc" } }
4.times { p seen { "abc".gsub("b").inspect } }

# The method may be another one by the second call.
def join(list) = list.join("-")
3.times { p join(%w[a b]) }
class Array
  def join(separator) = separator << "!"
end
p join(%w[a b]), join(%w[a b])
