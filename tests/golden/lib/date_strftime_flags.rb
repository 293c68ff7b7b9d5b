# What "-" takes away: of dates the width of composed parts and a zero of the zone, of times neither.
require "date"

moments = ["+9", "+00:09", "-11:30"].map { |zone| DateTime.new(2001, 2, 3, 4, 5, 6, zone) }
moments += ["+09:00", "-11:30"].map { |zone| Time.new(2001, 2, 3, 4, 5, 6, zone) }
formats = %w[
  %-30c %30c %-30x %030c %^30c %-30v %-30D %-30F %-30A %-10Y %-z %-:z %-::z %-:::z %-8z %-_8z %_8z %-d %-N %%-z %%-30c
]
formats.each { |format| p [format, *moments.map { |moment| moment.strftime(format) }] }
