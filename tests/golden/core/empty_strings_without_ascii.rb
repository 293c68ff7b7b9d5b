# Empty strings in encodings that are not compatible with ASCII go with any other, and what they are put to stays ASCII only.

def attempt
  text = yield
  [text, text.encoding, text.ascii_only?, text.valid_encoding?]
rescue StandardError => error
  [error.class, error.message]
end

["UTF-16LE", "UTF-32BE", "ISO-2022-JP", "UTF-16"].each do |name|
  w = "".dup.force_encoding(name)
  p attempt { "a" + w }
  p attempt { w + "a" }
  p attempt { w + "a" + "ä" }
  p attempt { "a" + w + "b" + w + "ä" }
  p attempt { w.dup << "a" }
  p attempt { w.dup << "a" << "\xFF".b }
  p attempt { "a".dup << w }
  p attempt { "a".dup << w << "\xFF".b }
  p attempt { "ä".dup << w << "a" }
  p attempt { "a".dup.concat(w, "\xFF".b) }
  p attempt { ["a", w].join + "\xFF".b }
  p attempt { [w, "a"].join }
  p attempt { ["a", w, "\xFF".b].join }
  p attempt { [w, 1].join }
  p attempt { [1, w].join }
  p attempt { [1, w, "ä"].join }
  p attempt { [1, "\xFF".b].join(w) }
  p attempt { ["a", "\xFF".b].join(w) }
  p attempt { ["a", "b"].join(w) + "\xFF".b }
  text = "ab".dup
  text[0] = w
  p attempt { text << "\xFF".b }
  p attempt { w + "" }
  p attempt { w + w }
end
