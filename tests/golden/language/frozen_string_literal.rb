# frozen_string_literal: true
# The magic comment freezes plain literals, and those only.
plain = "plain"
p plain.frozen?, plain.equal?("plain"), "inter#{1}polated".frozen?, 'single'.frozen?, %q(q).frozen?, "a" "b".frozen?
p <<~HEREDOC.frozen?, String.new("x").frozen?, (+"x").frozen?, "x".dup.frozen?
  text
HEREDOC
begin
  plain << "more"
rescue FrozenError => error
  puts error.message
end
p %w[a b].first.frozen?, "é".frozen?, "#{"whole"}".frozen?
def literal = "same"
p literal.equal?(literal), literal.object_id == literal.object_id
copy = plain.dup
copy << "!"
p copy, plain
p eval('"evaluated".frozen?'), "x".then { it.frozen? }
