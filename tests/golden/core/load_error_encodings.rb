# What cannot be loaded is named in the encoding that it was asked for in.
[
  -> { require "\u00e9".encode("ISO-8859-1") }, -> { require "nothing".b }, -> { load "/\u3042".encode("EUC-JP") },
  -> { require "nothing\xff" }, -> { require "nothing/at/all" }, -> { require "\u00e9".encode("UTF-16LE") }
].each do |ask|
  ask.call
rescue LoadError, EncodingError => error
  p error.class, error.message, ([error.message.encoding, error.path.encoding] if LoadError === error)
end
