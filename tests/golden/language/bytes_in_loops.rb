# `getbyte` and `setbyte` in loops: strings in their slots, in buffers, slices, frozen ones, and what is no byte.
def xor!(a, b)
  i = 0
  size = a.bytesize
  size = b.bytesize if b.bytesize < size
  while i < size
    a.setbyte(i, a.getbyte(i) ^ b.getbyte(i))
    i = i.succ
  end
  a
end

def sum(text, from, to)
  total = 0
  while from < to
    byte = text.getbyte(from)
    total += byte || 1000
    from += 1
  end
  total
end

class Loud < String
  def sum_all = (i = 0; total = 0; while i < bytesize; total += getbyte(i); i += 1; end; total)
end

short, long = "abc", "x" * 300
slice = long[10, 200]
50.times do
  xor!(short, "ABC")
  xor!(long, slice)
  xor!(slice, short)
end
p short, long.sum, slice.sum, long.bytesize, slice.valid_encoding?
60.times { sum(short, 0, 3); sum(long, 0, 300); sum("häß", 0, 5) }
p sum(short, 0, 3), sum(long, 0, 300), sum("häß", 0, 5), sum("", 0, 4), sum("ab", -2, 4), sum("ab".b, -5, 1)
40.times { Loud.new("loud and louder than that, and more than fits").sum_all }
p Loud.new("loud").sum_all
p((xor!("frozen".freeze, "a") rescue $!.class), (sum("a", 0.0, 2) rescue $!.class), (sum(nil, 0, 1) rescue $!.class))
p sum("abc", 0, 2**64 - 2**64 + 2)
class String
  alias plain_getbyte getbyte
  def getbyte(i) = plain_getbyte(i)&.+(1)
end
p sum("abc", 0, 4)
