# The text of a range has the encoding of its first limit's text, unless the second needs another.
ascii = "a".encode("US-ASCII")
ranges = [ascii.."b".encode("US-ASCII"), ascii.."b", ascii.."ä", "a".b.."b".b, "a".."b", "a".encode("EUC-JP").."b", 1..2, 1...2.5,
          nil..1, 1..nil, nil..nil, :a..:b]
ranges.each { |range| p [range.to_s, range.to_s.encoding, range.to_s.frozen?] }
p Encoding::UNICODE_VERSION
