# `global_variables` names the groups that took part in the last match.
def numbers = global_variables.grep(/\A\$[1-9]/).sort
def after(pattern, text)
  pattern =~ text
  global_variables.grep(/\A\$[1-9]/).sort_by { _1[1..].to_i }
end
p numbers
p after(/(a)(b)?(c)/, "ac"), after(/x/, "x"), after(/(x)/, "y")
p after(/(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(.)(z)?(.)/, "abcdefghijklmnop")
p %i[$~ $_ $& $` $' $+].all? { global_variables.include?(_1) }

# Slashes of patterns in a union.
p Regexp.union(%r{a/b}, "c/d").source, Regexp.union(/\//, ""), Regexp.union(%r{a\/b}i, /x/).source
p %r{a/b}.to_s, Regexp.union(%r{a/b}), Regexp.union(%r{a/b}, /c/).match?("a/b")
