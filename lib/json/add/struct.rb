require "json"

class Struct
  def self.json_create(object) = new(*object["v"])

  def as_json(*)
    raise JSON::JSONError, "Only named structs are supported!" if self.class.name.to_s.empty?
    {JSON.create_id => self.class.name, "v" => values}
  end

  def to_json(*args) = as_json.to_json(*args)
end
