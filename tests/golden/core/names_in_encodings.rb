# Names in sources of other encodings: symbols, classes, methods and variables have the encoding of the source.
def in_euc(text) = text.dup.force_encoding("EUC-JP")
eval(in_euc("def \xC2\xA1() = @name = :euc"))
eval("def \xC2\xA1() = @name = :utf8")
eval(in_euc("\xC2\xA1()"))
p @name
eval("\xC2\xA1()")
p @name
names = [method(in_euc("\xC2\xA1")).name, method("\xC2\xA1").name]
p names[0] == names[1], names.map(&:encoding)

eval("class R\xE9sum\xE9; class Inner; end; end".dup.force_encoding("ISO-8859-1"))
name = Object.constants.find { |constant| constant.to_s.b.start_with?("R\xE9".b) }
résumé = Object.const_get(name)
p name.encoding, résumé.name.b, résumé.name.encoding, résumé.to_s.encoding, résumé.inspect.encoding
p résumé.const_get(:Inner).name.b, résumé.const_get(:Inner).name.encoding
[résumé, résumé.new, résumé::Inner].each do |object|
  dumped = Marshal.dump(object)
  p dumped.b, Marshal.load(dumped).class.name.b
end
p Marshal.load(Marshal.dump(résumé)).equal?(résumé)

["\xDE".dup.force_encoding("ISO-8859-15"), "\xFE".dup.force_encoding("ISO-8859-15"), "\u0391".encode("Windows-31J"),
 "\uFF21".encode("EUC-JP"), "\uFF41".encode("EUC-JP"), "\u3042".encode("EUC-JP")].each do |constant|
  home = Module.new
  p((home.const_set(constant, 42) rescue $!.class), home.constants.map(&:encoding))
  begin
    p home.module_eval("class #{constant}Y; self; end").name.encoding
  rescue SyntaxError => e
    p e.class
  end
end

object = eval("class Inspect\u3042\n def initialize = @\u3044 = 42\n new\nend")
object.instance_variable_set("@\u3046".encode("EUC-JP"), 6)
puts object.inspect.sub(/0x\h+/, "")
p object.inspect.encoding

eval("def keys(\xE9: 1, \xE8:) = [\xE9, \xE8]".dup.force_encoding("ISO-8859-1"))
p method(:keys).parameters.map { |_, parameter| [parameter.to_s.b, parameter.encoding] }
p eval("keys(\xE8: 3, \xE9: 2)".dup.force_encoding("ISO-8859-1"))
p eval("h = { \xE8: 3 }; keys(**h)".dup.force_encoding("ISO-8859-1"))

$stderr = $stdout
c = Class.new do
  def bar(*list) = list
  def baz(list) = list
  attr_reader :at
  define_method(:block) { |*list| list }
end
wide = "abcdef".encode("UTF-16LE").to_sym
c.send(:define_method, wide, c.instance_method(:itself))
[wide, :bar, :baz, :at, :block].each { |method| c.send(:ruby2_keywords, method) }
Class.new(c).send(:ruby2_keywords, :bar)
Module.new.send(:ruby2_keywords, :system)
begin
  c.send(:ruby2_keywords, :missing)
rescue NameError => e
  p e.class
end
