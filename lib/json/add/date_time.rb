require "json"
require "date"

class DateTime
  def self.json_create(object)
    numerator, denominator = object["of"].split("/")
    offset = denominator && denominator != "0" ? Rational(numerator.to_i, denominator.to_i) : numerator
    civil(*object.values_at("y", "m", "d", "H", "M", "S"), offset, object["sg"])
  end

  def as_json(*)
    {
      JSON.create_id => self.class.name,
      "y" => year, "m" => month, "d" => day, "H" => hour, "M" => min, "S" => sec, "of" => offset.to_s, "sg" => start,
    }
  end

  def to_json(*args) = as_json.to_json(*args)
end
