# Heredocs of every kind.
name = "world"
puts <<PLAIN
  plain #{name}
  kept
PLAIN
puts <<-DASH
  dash #{name}
  DASH
puts <<~SQUIGGLY
  squiggly #{name}
    indented
  back
SQUIGGLY
puts <<~'RAW'
  raw #{name} \n \\ 'quotes'
RAW
puts <<~"QUOTED"
  quoted\t#{name}\u0041
QUOTED
p <<~EMPTY
EMPTY
p <<~BLANK

  text

    more

BLANK
puts(<<~ONE, <<~TWO)
  first #{name}
ONE
  second
TWO
puts <<~CALL.lines.map(&:strip).join("|")
  a
  b
CALL
def take(text, key:) = puts(text, key)
take(<<~TEXT, key: <<~KEY)
  text
TEXT
  key
KEY
puts <<~OUTER
  outer #{<<~INNER.chomp} end
    inner #{name.upcase}
  INNER
  last
OUTER
p <<~INTERPOLATED
    #{name} first
  second
   #{"  kept"}
INTERPOLATED
p <<~CONTINUED
  one \
  two
  three\
  four
CONTINUED
p <<~'RAW_CONTINUED'
  one \
  two
RAW_CONTINUED
p <<~ESCAPED
  \  kept spaces
  \tand tab
ESCAPED
array = [<<~A, <<~B]
  in a
A
  in b
B
p array
hash = { text: <<~T, n: 1 }
  in hash
T
p hash
p <<~X + <<~Y
  x
X
  y
Y
p(<<~"END OF IT")
  spaces in the name
END OF IT
z = <<~Z if true
  conditional
Z
p z
p <<~MIXED
  a
   b
MIXED
p <<~A.size, __LINE__
  counted
A
p __LINE__
