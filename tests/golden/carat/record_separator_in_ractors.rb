# The record separator is always a frozen string: every Ractor may read it.
# flags: -W0
p Ractor.new { [$/, $/.frozen?, $-0] }.value
$/ = +"ab"
p Ractor.new { [$/, $/.frozen?] }.value
p Ractor.new { "1ab2".each_line.to_a }.value
p Ractor.new { begin; $,; rescue => e; [e.class, e.message]; end }.value
