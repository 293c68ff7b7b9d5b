# How templates are cut into tokens, compilers that know other tags, and templates that were never compiled.
require "erb"

p ERB::Compiler::Scanner.methods(false).sort, ERB::Compiler::Scanner::DEFAULT_STAGS, ERB::Compiler::Scanner::DEFAULT_ETAGS
[nil, "%", "-", ">", "<>", "%-", "-%", "%<>"].each do |mode|
  scanner = ERB::Compiler.new(mode).make_scanner("a\n% x\n<%= 1 %>\n  <%- 2 -%>\nb <%% %%> <%# c\n%> d")
  puts "#{mode.inspect} #{scanner.class} #{scanner.stags} #{scanner.etags}"
  tokens = []
  scanner.scan do |token|
    next if token.nil? || token == ""
    tokens << (ERB::Compiler::PercentLine === token ? [token.to_s] : token)
    if scanner.stag.nil? then scanner.stag = token if scanner.stags.include?(token) && token != "<%%"
    elsif token == "%>" then scanner.stag = nil
    end
  end
  p tokens
end

# Another tag.
class Loud < ERB
  class Compiler < ERB::Compiler
    def compile_stag(token, out, scanner)
      return super unless token == "<%!"
      scanner.stag = token
      add_put_cmd(out, content) unless content.empty?
      self.content = +""
    end

    def compile_content(tag, out)
      tag == "<%!" ? out.push("#{@insert_cmd}((#{content}).to_s.upcase)") : super
    end

    def make_scanner(text)
      scanner = Class.new(ERB::Compiler::SimpleScanner) { def stags = ["<%!", *super] }
      scanner.new(text, @trim_mode, @percent)
    end
  end

  def make_compiler(trim_mode) = Compiler.new(trim_mode)
end
puts Loud.new("a <%! 'b' %> <%= 'c' %>\n").result

puts ERB.new("%n = 1\n%% <% n = 2\nn.times do |i|%>\n%% %%><%%<%= i%><%\nend%>\n%%%\n", trim_mode: "%").result
["-%", "%-", ">%", "%>", "<>%", "abc", "--", ">>", "%%%"].each do |mode|
  compiler = ERB::Compiler.allocate
  $VERBOSE, verbose = nil, $VERBOSE
  p compiler.prepare_trim_mode(mode)
ensure
  $VERBOSE = verbose
end

erb = ERB.allocate
erb.instance_variable_set(:@src, "p 1")
erb.instance_variable_set(:@lineno, 1)
erb.instance_variable_set(:@_init, true)
erb.result rescue puts "#{$!.class} #{$!.message}"

# Tags of a scanner's own, and comments that say something about the whole.
class SquareScanner < ERB::Compiler::SimpleScanner
  def stags = %w([%% [%= [%# [%)
  def etags = %w(%%] %])
end
puts ERB::Compiler.new(nil).compile("<%# -*- coding: us-ascii -*- %>a<%= 1 %>")[0]
puts ERB::Compiler.new("%").compile("%# frozen_string_literal: true\n%# x\n<%%a%%><%= 2 %>\n")
puts ERB::Compiler.new("%-").compile("a\n  <%- 1 -%>\n<%# a\nb %>%%\n%% c\n% d\n")[0]
p ERB::Compiler::Scanner::DEFAULT_STAGS, ERB::Compiler::Scanner::DEFAULT_ETAGS
p SquareScanner.new("a", nil, false).stags
