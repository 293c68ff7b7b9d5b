# Time: taking it apart for patterns, and Marshal's view of it.
class Time
  private_class_method :_load

  # Returns the parts asked for, or all.
  #   Time.utc(2024, 2).deconstruct_keys([:year, :month]) #=> {year: 2024, month: 2}
  def deconstruct_keys(names)
    unless names.nil? || Array === names
      raise TypeError, "wrong argument type #{names.class} (expected Array or nil)"
    end
    Primitive.time_parts(self, names || Core::TIME_PARTS)
  end
end

module Core
  TIME_PARTS = %i[year month day yday wday hour min sec subsec dst zone].freeze
end
