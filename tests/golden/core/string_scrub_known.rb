# A replacement of another encoding is no matter to a text that is known to be valid.
def shown
  p yield.b
rescue => e
  puts "#{e.class}: #{e.message}"
end

shown { "a\0b\0".dup.force_encoding("UTF-16LE").scrub("?") }
shown { "a\0b\0".dup.force_encoding("UTF-16LE").tap(&:valid_encoding?).scrub("?") }
shown { "a\0b".dup.force_encoding("UTF-16LE").scrub("?") }
shown { "a\0b".dup.force_encoding("UTF-16LE").tap(&:valid_encoding?).scrub("?") }
shown { "é\xFF".scrub("é".encode("ISO-8859-1")) }
shown { "é".scrub("é".encode("ISO-8859-1")) }
