# oracle: native
# Encodings and ends of lines of the stream of a popen.
p IO.popen("echo é", external_encoding: "iso-8859-1") { _1.read.encoding }, IO.popen("echo é", "r:utf-8:utf-16le") { _1.read.encoding }, IO.popen(["echo", "é"], encoding: "euc-jp") { _1.read.encoding }
p IO.popen("echo é", "r", encoding: "utf-8:iso-8859-1") { [_1.external_encoding, _1.internal_encoding, _1.read.bytes] }, IO.popen("echo é", "rb") { _1.read.encoding.to_s }, IO.popen("cat", "r+:euc-jp") { |f| f.write "a"; f.close_write; f.read.encoding }
p IO.popen("echo a", mode: "r", internal_encoding: "utf-16be", external_encoding: "utf-8") { _1.read }, IO.popen("printf 'a\\r\\nb'", universal_newline: true) { _1.read }, IO.popen("printf 'a\\r\\nb'", "rt") { _1.read }
p `echo é`.encoding, IO.popen("echo é").read.encoding, (IO.popen("echo", encoding: "nope") { _1.external_encoding } rescue $!)
