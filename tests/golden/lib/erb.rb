# Templates: trim modes, sources, methods.
require "erb"

TEXTS = ["plain", "a <%= 1 + 1 %> b\n", "<% 2.times do |i| %>\n  x<%= i %>\n<% end %>\nend\n", "<%# comment %>\nx\n", "<%% not %> a %%> b\n",
         "  <%- if true -%>\n  y\n  <%- end -%>\nz\n", "a<%- x = 1 -%> b\n", "% 2.times do |i|\nl<%= i %>\n% end\n%% literal\n", "<%= 'e' %>é\n",
         "<%= [1,\n2].inspect %>\n", "<% x = 1\n y = 2 %>\n<%= x + y %>\n", "<%=1%><%=2%>\n<%=3%>\n", "a\n<%= 5 -%>\nb\n", "<% %>\n\n<% %>x\n", "<%= \"%%>\" %>\n",
         "a\r\n<% 1 %>\r\nb", "<%# coding: utf-8 %>\n<%= __ENCODING__ %>", "<%= __LINE__ %>\n\n<%= __LINE__ %>\n", "%x = 3\n<%= x %>\n<%\n% y\n%>\n", "", "<%", "<% if true %>", "%\n"]
[nil, ">", "<>", "-", "%", "%>", "%<>", "%-", 0, 1, 2].each do |mode|
  TEXTS.each do |text|
    erb = ERB.new(text, trim_mode: mode)
    result = begin
      erb.result
    rescue Exception => error
      error.class
    end
    p [mode, text, erb.src.lines.drop(1).join, result]
  end
end
p ERB.new("é <%= x %>").result_with_hash(x: 3), ERB.new("a", eoutvar: "@out").src.lines.last
p ERB::Util.h("<a href='x'>\"&\""), ERB::Util.url_encode("a b/é~"), ERB::Util.html_escape(nil)
include ERB::Util
p h("<"), u("&")
class Page
  ERB.new("<%= @a %> <%= b %>").def_method(self, "render(b)", "page.erb")
  def initialize(a) = @a = a
end
p Page.new(1).render(2)
p ERB.new("<%= foo %>").def_class(Struct.new(:foo), "show").new(4).show
mod = ERB.new("<%= 1 + 2 %>").def_module("sum()")
p Object.new.extend(mod).sum
x = 10
p ERB.new("<%= x %>").result(binding)
begin
  ERB.new("a\n<%= raise 'no' %>").tap { |e| e.location = ["t.erb", 5] }.result
rescue => error
  p error.message, error.backtrace.first
end

compiler = ERB::Compiler.new("<>")
compiler.put_cmd = "_out.push"
compiler.insert_cmd = "_out.add"
compiler.pre_cmd = ["_out = []"]
compiler.post_cmd = ["_out"]
puts compiler.compile("<% 1 %>\na <%= 2 %>\n")
p ERB.new("x").encoding, ERB.new("x".encode("EUC-JP")).src
