# Time: taking it apart for patterns, and Marshal's view of it.
class Time
  private_class_method :_load

  # Returns the parts asked for, or all.
  #   Time.utc(2024, 2).deconstruct_keys([:year, :month]) #=> {year: 2024, month: 2}
  def deconstruct_keys(names)
    unless names.nil? || Array === names
      raise TypeError, "wrong argument type #{names.class} (expected Array or nil)"
    end
    all = { year: year, month: month, day: day, yday: yday, wday: wday, hour: hour, min: min, sec: sec, subsec: subsec, dst: dst?, zone: zone }
    names ? all.slice(*names) : all
  end
end
