# carat: core
# frozen_string_literal: true

class Date
  # Reads a text as a format says.
  module Strptime
    class << self
      # The fragments found, with what is left of the text, or nil if it does not fit.
      def parse(text, format)
        text = Primitive.to_str(text)
        format = Primitive.to_str(format)
        found = {}
        position = Primitive.date_strptime(text, format, found) or return
        if position < 0
          position = ~position
          found[:offset] = Zone.seconds(found[:zone]) if found.key?(:zone)
          join(found)
        end
        found[:leftover] = text.byteslice(position..) if position < text.bytesize
        found
      end

      private

      # Fractions come as numbers with how many of their digits stand behind the point; centuries and halves of the day belong to
      # other fields.
      def join(found)
        found[:sec_fraction] = fraction(found[:sec_fraction]) if found.key?(:sec_fraction)
        found[:seconds] = fraction(found[:seconds]) if Array === found[:seconds]
        if (century = found.delete(:_cent))
          found[:cwyear] += century * 100 if found[:cwyear]
          found[:year] += century * 100 if found[:year]
        end
        return unless (half = found.delete(:_merid))
        found[:hour] = found[:hour] % 12 + half if found[:hour]
      end

      def fraction((number, digits)) = Rational(number, 10**digits)
    end
  end
  private_constant :Strptime
end
