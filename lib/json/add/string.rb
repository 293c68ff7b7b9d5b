require "json"

# Bytes as numbers, for strings that are no text.
class String
  def self.json_create(object) = object["raw"].pack("C*")

  def to_json_raw_object = {JSON.create_id => self.class.name, "raw" => unpack("C*")}

  def to_json_raw(...) = to_json_raw_object.to_json(...)
end
