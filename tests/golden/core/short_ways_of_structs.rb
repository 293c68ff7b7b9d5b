# Fields of structs by name and number, sizes and ends of ranges, and what else has a short way of its own.
S=Struct.new(:a,:b); s=S.new(1,2); s.instance_variable_set(:@x, 9)
[0,1,2,-1,-2,-3,:a,:b,:c,"a","c",1.7,nil,2**70,Object.new].each { |k| p((s[k] rescue [$!.class,$!.message.sub(/0x\h+/,"")])); begin; s[k]=5; rescue Exception; p [$!.class,$!.message.sub(/0x\h+/,"")]; end }
p s.dup, s.clone, s.dup.frozen?, s.freeze.clone.frozen?; T=Class.new(S); t=T.new(3,4); p t[1], t[:a], t.dup
p((S.allocate[0]), (Struct.new(:q).new(1).send(:initialize_copy, s) rescue $!))
p (1..5).size,(1...5).size,(5..1).size,(1..2**64).size,(1..3.5).size,(1..5).last(2),(1...5).last(9),(2**64..2**64+3).last(2),(..5).last(2), (1..5).last(0)
p nil.to_s.equal?(nil.to_s), nil.to_s.frozen?, true.to_s, false.to_s.encoding
p [1,nil,2].compact,[1,2].compact.equal?([1,2]),Class.new(Array).new([1,nil]).compact.class, (a=[1,2,3]; b=a.compact; b<<4; [a,b])
p "az".succ,"zz".succ,"a9".succ,"Zz".succ,"-".succ,"a-".succ,"\u3042".succ,"a\u3042b".succ,"1.9".succ,"".succ, "abc\xffd".succ
