# oracle: native
# `p` and `P` of pack and unpack: strings that are pointed to.
s = "hello\0there"
[s].pack("p").unpack("p").then { p _1 }
[s].pack("P").unpack("P11").then { p _1 }
[s].pack("P").unpack("P3").then { p _1 }
a = ["abc"].pack("p")
p a.size, a.dup.unpack("p"), a.clone.unpack1("p")
p((a[0..].unpack("p") rescue $!))
p((a.b.unpack("p") rescue $!))
p(((a + "").unpack("p") rescue $!))
p([nil].pack("p").unpack("p"), [nil, "x"].pack("pp").unpack("p2"))
p((["ab"].pack("P3") rescue $!))
p(([1].pack("p") rescue $!))
p(("\1\0\0\0\0\0\0\0".unpack("p") rescue $!))
p((["x"].pack("p") + "\1\0\0\0\0\0\0\0").then { (_1.unpack("pp") rescue $!) })
b = ["q"].pack("p", buffer: ["w"].pack("p"))
p b.size, (b.unpack("pp") rescue $!)
p a.instance_variables, a.inspect.size > 3
Marshal.load(Marshal.dump(a)).then { p((_1.unpack("p") rescue $!)) }
t = +"live"
u = [t].pack("p")
t << "r"
p u.unpack1("p")
t.replace("x" * 5)
p (["abc"].pack("p").unpack1("p").frozen?)
f = "lit".freeze
p [f].pack("p").unpack1("p").frozen?
x = ["one", "two"].pack("pP"); p x.unpack("pP3"), x.unpack1("p", offset: 8)
