# Bytes that are no characters name no symbol, however it is made.
x = "\xff"
p((:"a#{x}" rescue $!.message))
p(({"a#{x}": 1} rescue $!.message))
p((eval('%i[a]; %I[b#{x}]') rescue $!.message))
p((Object.new.instance_variable_get("@\xff") rescue $!.message))
p((Object.new.send("a\xff") rescue $!.class))
p((Object.const_get("A\xff") rescue $!.message))
p((define_method("a\xff") {} rescue $!.message))
p((Struct.new(:a).new(1)["a\xff"] rescue $!.message))
p((1.respond_to?("a\xff") rescue $!.message))
p((1.method("a\xff") rescue $!.message))
p((Thread.current["a\xff"] rescue $!.message))
