# frozen_string_literal: true

class OptionParser
  # Options in a Hash: letters as getopt(3) has them ("ab:" for -a and -b VALUE) and long ones ("foo", "bar:", "zot:default").
  def getopts(*args, symbolize_names: false, **keywords)
    argv = Array === args.first ? args.shift : default_argv
    single, *long = *args
    result = {}
    single&.scan(/(.)(:)?/) do |name, has_value|
      result[name] = has_value ? nil : false
      has_value ? define("-#{name} VAL") : define("-#{name}")
    end
    long.each do |argument|
      argument, description = argument.split(";", 2)
      name, value = argument.split(":", 2)
      if value
        result[name] = value.empty? ? nil : value
        define("--#{name}=#{result[name] || "VAL"}", *[description].compact)
      else
        result[name] = false
        define("--#{name}", *[description].compact)
      end
    end
    parse_in_order(argv, result.method(:[]=), **keywords)
    symbolize_names ? result.transform_keys(&:to_sym) : result
  end
end
