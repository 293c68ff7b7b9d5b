# What a coder's block is asked about texts that are no UTF-8, as values and as keys; how deep a state may say that it is.
require "json"

asked = []
["ok", "\xFE", 5, nil, :sym, [1], 1.5, { a: 1 }].each do |answer|
  coder = JSON::Coder.new { |object, is_key| asked << [object.b, is_key]; answer }
  [{ "\xFF" => 1 }, "\xFF", { "\xFF".b => 1 }, ["\xFF".b], ["\u3042".b], ["\u3042".encode("UTF-16LE")]].each do |object|
    puts coder.dump(object)
  rescue JSON::GeneratorError => error
    puts "#{error.class}: #{error.message} (#{error.invalid_object.inspect})"
  end
  p asked
  asked.clear
end
same = JSON::Coder.new { |object| object }
[{ "\xFF" => 1 }, ["\xFF".b], ["\u3042".encode("EUC-JP")]].each do |object|
  puts same.dump(object)
rescue JSON::GeneratorError => error
  puts error.message
end
