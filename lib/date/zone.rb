# carat: core
# frozen_string_literal: true

class Date
  # Offsets of clocks, in seconds east of Greenwich.
  module Zone
    # Military letters; "j" is the clock of whoever looks.
    LETTERS = {
      "a" => 1, "b" => 2, "c" => 3, "d" => 4, "e" => 5, "f" => 6, "g" => 7, "h" => 8, "i" => 9, "k" => 10, "l" => 11,
      "m" => 12, "n" => -1, "o" => -2, "p" => -3, "q" => -4, "r" => -5, "s" => -6, "t" => -7, "u" => -8, "v" => -9,
      "w" => -10, "x" => -11, "y" => -12, "z" => 0
    }.freeze

    # Abbreviations, by their hours.
    ABBREVIATIONS = {
      -12 => %w[aoe idlw],
      -11 => %w[nt nut sst],
      -10 => %w[ahst ckt hast hst taht],
      -9 => %w[akst gamt hadt hdt yst],
      -8.5 => %w[mart],
      -8 => %w[akdt pst ydt],
      -7 => %w[mst pdt],
      -6 => %w[cst east galt mdt],
      -5 => %w[act cdt cist cot easst ect est pet],
      -4 => %w[ast bot cidst clt edt fkt gyt vet],
      -3 => %w[adt art brt clst fkst gft pmst pyst rott srt uyt warst wgt],
      -2.5 => %w[nst],
      -2 => %w[at brst fnt pmdt uyst wgst],
      -1.5 => %w[ndt],
      -1 => %w[azot cvt egt],
      0 => %w[azost egst gmt ut utc wet wt],
      1 => %w[bst cet fwt met mewt mez swt wat west],
      2 => %w[cat cest eet fst mest mesz sast wast],
      3 => %w[bt eat eest fet idt msk syot trt],
      3.5 => %w[irst],
      4 => %w[azt get kuyt msd mut ret samt sct zp4],
      4.5 => %w[aft irdt],
      5 => %w[aqtt azst mawt mvt orat pkt tft tjt tmt uzt yekt zp5],
      5.5 => %w[ist],
      5.75 => %w[npt],
      6 => %w[almt btt iot kgt omst qyzt vost yekst zp6],
      6.5 => %w[cct mmt],
      7 => %w[cxt davt hovt ict krat novst novt omsst wib],
      8 => %w[awst bnt cast chot hkt hovst irkt krast myt pht sgt ulat wadt wita],
      8.75 => %w[acwst],
      9 => %w[awdt chost irkst jst kst pwt tlt ulast wit yakt],
      9.5 => %w[acst],
      10 => %w[aest chst chut ddut gst pgt vlat yakst yapt],
      10.5 => %w[acdt lhst],
      11 => %w[aedt eadt kost lhdt magt nct nft pont sakt sbt sret vlast vut],
      12 => %w[anast anat fjt gilt idle magst mht nfdt nrt nzst nzt petst pett tvt wakt wft],
      12.75 => %w[chast],
      13 => %w[fjst nzdt phot tkt tot],
      13.75 => %w[chadt],
      14 => %w[lint tost]
    }.flat_map { |hours, names| names.map { |name| [name, hours] } }.to_h.freeze

    # Names that stand before "standard time" and "daylight time".
    NAMES = {
      "afghanistan" => 4.5, "alaskan" => -9, "arab" => 3, "arabian" => 4, "arabic" => 3, "atlantic" => -4,
      "aus central" => 9.5, "aus eastern" => 10, "azores" => -1, "canada central" => -6, "cape verde" => -1,
      "caucasus" => 4, "cen. australia" => 9.5, "central" => -6, "central america" => -6, "central asia" => 6,
      "central europe" => 1, "central european" => 1, "central pacific" => 11, "china" => 8, "dateline" => -12,
      "e. africa" => 3, "e. australia" => 10, "e. europe" => 2, "e. south america" => -3, "eastern" => -5, "egypt" => 2,
      "ekaterinburg" => 5, "fiji" => 12, "fle" => 2, "greenland" => -3, "greenwich" => 0, "gtb" => 2, "hawaiian" => -10,
      "india" => 5.5, "iran" => 3.5, "jerusalem" => 2, "korea" => 9, "malay peninsula" => 8, "mexico" => -6,
      "mid-atlantic" => -2, "mountain" => -7, "myanmar" => 6.5, "n. central asia" => 6, "nepal" => 5.75,
      "new zealand" => 12, "newfoundland" => -3.5, "north asia" => 7, "north asia east" => 8, "pacific" => -8,
      "pacific sa" => -4, "romance" => 1, "russian" => 3, "sa eastern" => -3, "sa pacific" => -5, "sa western" => -4,
      "samoa" => -11, "se asia" => 7, "south africa" => 2, "sri lanka" => 6, "taipei" => 8, "tasmania" => 10,
      "tokyo" => 9, "tonga" => 13, "us eastern" => -5, "us mountain" => -7, "vladivostok" => 10, "w. australia" => 8,
      "w. central africa" => 1, "w. europe" => 1, "west asia" => 5, "west pacific" => 10, "yakutsk" => 9
    }.freeze
    private_constant :LETTERS, :ABBREVIATIONS, :NAMES

    class << self
      # The offset that a text names, or nil.
      def seconds(text)
        return digits_of_clock(text) || numeric(text) if text.match?(/\A[-+]\d\d:?\d\d\z/)
        name = text.tr("\0\t\n\v\f\r", " ").squeeze(" ").strip.downcase(:ascii)
        return name == "z" ? 0 : LETTERS[name]&.*(3600) if name.size == 1
        summer = name.delete_suffix!(" daylight time") || name.delete_suffix!(" dst")
        name.delete_suffix!(" standard time") unless summer
        hours = ABBREVIATIONS[name] || NAMES[name] || (LETTERS[name] if name.size == 1)
        return (hours * 3600).to_i + (summer ? 3600 : 0) if hours
        numeric(name)
      end

      # What an argument means: a text, or a part of a day.
      def offset(offset)
        case offset
        when nil then 0
        when String then checked(seconds(offset))
        when Integer then offset.abs <= 1 ? offset * 86_400 : ignored
        when Numeric then part_of_day(offset)
        else raise TypeError, "expected numeric"
        end
      end

      # No clock differs by more than a day.
      def checked(seconds) = Integer === seconds && seconds.abs <= 86_400 ? seconds : ignored

      private

      def ignored
        warn("invalid offset is ignored", uplevel: 2) if $VERBOSE
        0
      end

      def part_of_day(part)
        part = part.to_r unless Float === part
        raise TypeError, "wrong argument type #{part.class} (expected Rational)" unless Float === part || Rational === part
        seconds = part * 86_400
        return ignored unless seconds.abs <= 86_400
        warn("fraction of offset is ignored", uplevel: 2) if $VERBOSE && seconds != seconds.round
        seconds.round
      end

      # What "+09:00" and "+0900" say, if it is the time of a clock.
      def digits_of_clock(text)
        hours = text.byteslice(1, 2).to_i
        minutes = text.byteslice(text.bytesize - 2, 2).to_i
        return if hours > 23 || minutes > 59
        seconds = hours * 3600 + minutes * 60
        text.getbyte(0) == 45 ? -seconds : seconds
      end

      # "+9", "-0530", "+09:00:30", "+9.5"
      def numeric(name)
        name = name[3..] if name.start_with?("gmt", "utc")
        return unless name.start_with?("+", "-")
        digits = name[1..]
        seconds =
          if digits.include?(":") then with_colons(digits)
          elsif digits.match?(/[,.]/) then with_fraction(digits)
          else by_width(digits)
          end
        name.start_with?("-") && seconds ? -seconds : seconds
      end

      def with_colons(digits)
        hours, minutes, seconds = digits.split(":").map(&:to_i)
        minutes ||= 0
        seconds ||= 0
        hours * 3600 + minutes * 60 + seconds if hours <= 23 && minutes <= 59 && seconds <= 59
      end

      def with_fraction(digits)
        whole, part = digits.split(/[,.]/, 2)
        return if whole.to_i > 23
        seconds = whole.to_i * 3600 + Rational(part.to_i, 10**part.size) * 3600
        seconds.denominator == 1 ? seconds.numerator : seconds.round
      end

      # The hours have one digit if the number of digits is odd.
      def by_width(digits)
        return digits.to_i / 100 * 3600 + digits.to_i % 100 * 60 if digits.size == 4
        width = 2 - digits.size % 2
        digits[0, width].to_i * 3600 + digits[width, 2].to_i * 60 + digits[width + 2, 2].to_i
      end
    end
  end
end
