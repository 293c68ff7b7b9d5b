# `defined?` of lists and calls looks at what they are made of; of the block that is passed it does not.
%w(
  [*zork] [1,*zork.a] {a:zork} {**zork} {**{}} {zork=>1} p(*zork) p(**zork) p(&zork) p(a:zork) begin;zork;end begin;1;2;end
  begin;zork;rescue;1;end begin;end begin;x=1;end begin;self;end begin;1;ensure;zork;end (zork) (1;zork)
).each { |source| puts "#{source} #{eval("defined?(#{source})").inspect}" }
