# frozen_string_literal: true

class Logger
  # Days, weeks and months, after each of which a file is renamed.
  module Period
    DAY = 86_400
    private_constant :DAY

    module_function

    def next_rotate_time(now, shift_age)
      case shift_age
      when "daily", :daily then time = Time.mktime(now.year, now.month, now.mday) + DAY
      when "weekly", :weekly then time = Time.mktime(now.year, now.month, now.mday) + DAY * (7 - now.wday)
      when "monthly", :monthly then return Time.mktime(*(now.month == 12 ? [now.year + 1, 1] : [now.year, now.month + 1]))
      when "now", "everytime", :now, :everytime then return now
      else raise ArgumentError, "invalid shift age #{shift_age.inspect}, should be daily, weekly, monthly, or everytime"
      end
      midnight(time)
    end

    def previous_period_end(now, shift_age)
      case shift_age
      when "daily", :daily then time = Time.mktime(now.year, now.month, now.mday) - DAY / 2
      when "weekly", :weekly then time = Time.mktime(now.year, now.month, now.mday) - (DAY * now.wday + DAY / 2)
      when "monthly", :monthly then time = Time.mktime(now.year, now.month, 1) - DAY / 2
      when "now", "everytime", :now, :everytime then return now
      else raise ArgumentError, "invalid shift age #{shift_age.inspect}, should be daily, weekly, monthly, or everytime"
      end
      Time.mktime(time.year, time.month, time.mday, 23, 59, 59)
    end

    # Clocks that changed in between are off by an hour.
    def midnight(time)
      return time if time.hour == 0 && time.min == 0 && time.sec == 0
      hour = time.hour
      time = Time.mktime(time.year, time.month, time.mday)
      time += DAY if hour > 12
      time
    end
  end
end
