# Every String method with nasty bytes in every encoding. Run it under CRuby 4.0 and Carat and compare the lines, which say
# encoding, bytes, method and result. Arguments: number of the part, number of parts.
PART, PARTS = (ARGV[0] || 0).to_i, (ARGV[1] || 1).to_i
NASTY = [
  "", "a", "ab", "aB c", "\n", "a\r\n", " a ", "\0", "a\0", "\0a", "\xFF", "\x80", "\xC3", "\xC3\xA9", "a\xC3\xA9b", "\xC3a", "\xE3\x81", "\xE3\x81\x82", "\xE3\x81\x82a\xE3",
  "\xF0\x9F\x98\x80", "\xF0\x9F\x98", "\xED\xA0\x80", "\xC0\x80", "\xF4\x90\x80\x80", "\xA4\xA2", "a\xA4", "\xA4\xA2\xA4", "\x8E\xB1", "\x8F\xA2\xAF", "\x82\xA0", "\x82", "\x82\x5C", "\xB1", "\x81\x30\x81\x30", "\x81\x30\x81",
  "\x00\xD8", "\xD8\x00", "\x00\xD8\x00\xDC", "\xD8\x00\xDC\x00", "\x00\xDC", "\x61\x00\xE9\x00", "\x00\x61\x00\xE9", "\x00\x00\x00\x61", "\x61\x00\x00\x00", "\x00\x11\x00\x00", "\xFE\xFF\x00a", "\xFF\xFEa\x00",
  "\e$B$\"\e(B", "+AGE-", "abc\xE9\xC9", "\xDF", "\xE9\xE8", "I\xCC\x87", "\xC4\xB0", "\xEF\xAC\x80", "e\xCC\x81", "az\xFFz", "a\x20\xC2\xA0", "\x85", "\xE2\x80\xA8",
].map { _1.b }
METHODS = {
  valid: -> s { s.valid_encoding? }, ascii: -> s { s.ascii_only? }, len: -> s { s.length }, chars: -> s { s.chars }, codepoints: -> s { s.codepoints },
  graphemes: -> s { s.grapheme_clusters }, inspect: -> s { s.inspect }, dump: -> s { s.dump }, undump: -> s { s.dump.undump == s }, ord: -> s { s.ord },
  upcase: -> s { s.upcase }, downcase: -> s { s.downcase }, swapcase: -> s { s.swapcase }, capitalize: -> s { s.capitalize }, fold: -> s { s.downcase(:fold) }, up_ascii: -> s { s.upcase(:ascii) },
  reverse: -> s { s.reverse }, succ: -> s { s.succ }, chop: -> s { s.chop }, chomp: -> s { s.chomp }, chomp_n: -> s { s.chomp("\n") }, chr: -> s { s.chr },
  strip: -> s { s.strip }, lstrip: -> s { s.lstrip }, rstrip: -> s { s.rstrip }, squeeze: -> s { s.squeeze }, at0: -> s { s[0] }, at1: -> s { s[1] }, last: -> s { s[-1] }, sub2: -> s { s[0, 2] }, tail: -> s { s[1..] },
  lines: -> s { s.lines }, split: -> s { s.split }, split_a: -> s { s.split("a") }, split_e: -> s { s.split("") }, split_re: -> s { s.split(/a/) },
  index_a: -> s { s.index("a") }, rindex_a: -> s { s.rindex("a") }, byteindex: -> s { s.byteindex("a") }, include: -> s { s.include?("a") }, start: -> s { s.start_with?("a") }, end: -> s { s.end_with?("a") }, self_index: -> s { s.index(s) }, self_rindex: -> s { s.rindex(s) },
  end_part: -> s { s.end_with?(s.byteslice(1..) || "") }, start_part: -> s { s.start_with?(s.byteslice(0, 1)) },
  scan: -> s { s.scan(/./m) }, match: -> s { (s =~ /\w/) }, match_s: -> s { s.match?(/\s/) }, gsub: -> s { s.gsub("a", "b") }, gsub_re: -> s { s.gsub(/a|b/, "x") }, sub_any: -> s { s.sub(/./, "") },
  tr: -> s { s.tr("a-z", "A-Z") }, tr_not: -> s { s.tr("^a", "x") }, delete: -> s { s.delete("a") }, delete_not: -> s { s.delete("^a") }, count: -> s { s.count("a-z") }, squeeze_a: -> s { s.squeeze("a") }, tr_s: -> s { s.tr_s("a-z", "x") },
  center: -> s { s.center(6, "*") }, ljust: -> s { s.ljust(5) }, ljust_self: -> s { s.ljust(5, s) }, mult: -> s { s * 2 }, plus: -> s { s + s }, plus_a: -> s { s + "é" }, interp: -> s { "é#{s}" }, append: -> s { +"é" << s }, append_b: -> s { s.dup << "é" }, append_cp: -> s { s.dup << 233 },
  insert: -> s { s.dup.insert(-1, "a") }, insert0: -> s { s.dup.insert(1, "a") }, prepend: -> s { s.dup.prepend("é") }, aset: -> s { t = s.dup; t[0] = "x"; t }, slice: -> s { t = s.dup; [t.slice!(0), t] }, partition: -> s { s.partition("a") }, rpartition: -> s { s.rpartition("a") },
  cmp: -> s { s <=> "a" }, eq: -> s { s == s.b }, eql: -> s { s.eql?(s.dup.force_encoding("UTF-8")) }, casecmp: -> s { s.casecmp("A") }, casecmp_p: -> s { s.casecmp?(s.swapcase) }, hash: -> s { s.hash == s.b.hash },
  scrub: -> s { s.scrub }, scrub_q: -> s { s.scrub("?") }, scrub_b: -> s { s.scrub { |x| "<" + x.unpack1("H*") + ">" } }, sym: -> s { s.to_sym.inspect }, to_i: -> s { s.to_i }, to_f: -> s { s.to_f }, hex: -> s { s.hex }, Int: -> s { Integer(s) }, Flo: -> s { Float(s) }, to_c: -> s { s.to_c }, to_r: -> s { s.to_r },
  encode8: -> s { s.encode("UTF-8") }, encode16: -> s { s.encode("UTF-16LE") }, encode_x: -> s { s.encode("UTF-8", invalid: :replace, undef: :replace) }, encode_xml: -> s { s.encode("UTF-8", xml: :text, invalid: :replace, undef: :replace) }, encode_sj: -> s { s.encode("Shift_JIS", invalid: :replace, undef: :replace) }, crlf: -> s { s.encode(crlf_newline: true) }, universal: -> s { s.encode(universal_newline: true) },
  unicode: -> s { s.unicode_normalize }, nfd: -> s { s.unicode_normalize(:nfd) }, normalized: -> s { s.unicode_normalized? }, b: -> s { s.b }, byteslice: -> s { s.byteslice(1, 2) }, bytesplice: -> s { s.dup.bytesplice(0, 1, "z") }, delete_prefix: -> s { s.delete_prefix("a") }, delete_suffix: -> s { s.delete_suffix("a") },
  each_line: -> s { s.each_line("a").to_a }, lines_par: -> s { s.lines("") }, lines_ch: -> s { s.lines(chomp: true) }, format: -> s { format("%s|%5.1s|%p", s, s, s) }, format_t: -> s { format(s + "%d", 1) }, crypt: -> s { s.unpack("U*") }, unpack: -> s { s.unpack("a*C*") }, compat: -> s { Encoding.compatible?(s, "é") }, regexp: -> s { Regexp.new(s).inspect }, quote: -> s { Regexp.escape(s) }, union: -> s { Regexp.union(s, "a") },
  upto: -> s { s.upto(s.succ).first(3) }, between: -> s { s.between?("a", "b") }, sum: -> s { s.sum }, each_grapheme: -> s { s.each_grapheme_cluster.size }, rev_byte: -> s { s.byterindex("a") }, bytes_at: -> s { s.byteslice(-1) }, casefold: -> s { s.casecmp?("A") }, join: -> s { [s, "é"].join("a") }, ary: -> s { [s, "é"].inspect }, hash_k: -> s { { s => 1 }.inspect }, marshal: -> s { Marshal.load(Marshal.dump(s)).encoding },
  force: -> s { s.dup.force_encoding("US-ASCII").valid_encoding? }, clear: -> s { s.dup.clear.encoding }, replace: -> s { s.dup.replace("é").encoding }, tr_r: -> s { s.tr(s, "b") }, count_s: -> s { s.count(s) }, delete_s: -> s { s.delete(s) }, split_s: -> s { (s + s).split(s) }, gsub_s: -> s { s.gsub(s, "x") }, partition_s: -> s { s.partition(s) },
}
def show(v)
  case v
  when String then "#{v.encoding}:#{v.unpack1("H*")}"
  when Array then "[" + v.map { show(_1) }.join(",") + "]"
  else v.inspect.b
  end
end
Encoding.list.each_with_index do |enc, i|
  next if i % PARTS != PART
  NASTY.each do |bytes|
    METHODS.each do |name, m|
      next if %i[regexp union match match_s scan gsub_re sub_any split_re].include?(name) && (enc.dummy? || !enc.ascii_compatible?)
      s = bytes.dup.force_encoding(enc)
      r = begin
        show(m.(s))
      rescue => e
        "#{e.class}: ".b + e.message.b
      end
      $stdout.write("#{enc}|#{bytes.unpack1("H*")}|#{name}|".b, r.gsub("\n".b, "\\n".b), "\n")
    end
  end
end
