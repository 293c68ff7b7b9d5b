require "json"

class Time
  def self.json_create(object)
    # Once it was microseconds.
    nanoseconds = object.key?("u") ? object["u"] * 1000 : object["n"]
    at(object["s"], Rational(nanoseconds, 1000))
  end

  def as_json(*) = {JSON.create_id => self.class.name, "s" => tv_sec, "n" => tv_nsec}

  def to_json(*args) = as_json.to_json(*args)
end
