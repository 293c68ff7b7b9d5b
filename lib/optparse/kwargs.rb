# frozen_string_literal: true

require "optparse"

class OptionParser
  # An option for each keyword of +method+, which sets it in +options+; +params+ says more about some of them.
  def define_by_keywords(options, method, **params)
    method.parameters.each do |type, name|
      next unless type == :key || type == :keyreq
      argument = type == :key ? "[#{name.upcase}]" : name.upcase
      define("--#{name}=#{argument}", *params[name]) { |value| options[name] = value }
    end
    options
  end
end
