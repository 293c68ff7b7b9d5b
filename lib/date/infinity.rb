# carat: core
# frozen_string_literal: true

class Date
  # What is beyond all dates, before them or neither. Kept for programs that used it as a limit.
  class Infinity < Numeric
    def initialize(sign = 1)
      @d = sign <=> 0
    end

    def d = @d
    protected :d

    def zero? = false
    def finite? = false
    def infinite? = d.nonzero?
    def nan? = d.zero?
    def abs = self.class.new
    def -@ = self.class.new(-d)
    def +@ = self.class.new(+d)

    def <=>(other)
      case other
      when Infinity then d <=> other.d
      when Float then other.infinite? ? d <=> other.infinite? : d
      when Numeric then d
      else
        begin
          left, right = other.coerce(self)
          left <=> right
        rescue NoMethodError
          nil
        end
      end
    end

    def coerce(other) = Numeric === other ? [-d, d] : super

    def to_f
      return 0 if @d == 0
      @d > 0 ? Float::INFINITY : -Float::INFINITY
    end
  end
end
