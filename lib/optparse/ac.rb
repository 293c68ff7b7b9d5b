# frozen_string_literal: true

require "optparse"

# Options as configure scripts have them: --enable-x, --disable-x, --with-x=y, --without-x.
class OptionParser::AC < OptionParser
  ENABLED = proc { |value| value.nil? || value }
  private_constant :ENABLED

  # Both names with true or false (or what follows "="); the help shows +name+ behind "--enable-".
  def ac_arg_enable(name, help_string, &block) = define_enable("enable", name, help_string, block)

  # The same, but the help shows "--disable-".
  def ac_arg_disable(name, help_string, &block) = define_enable("disable", name, help_string, block)

  # What follows "--with-x=", or nil for "--without-x".
  def ac_arg_with(name, help_string, &block)
    check_configure_option(name, block)
    names = [[], ["--with-#{name}"], nil, [help_string], block]
    with = Switch::PlacedArgument.new(*search(:atype, String), *names)
    append_pair(name, "with", with, "without", Switch::NoArgument.new(nil, proc {}, *names))
  end

  private

  def define_enable(shown, name, help_string, block)
    check_configure_option(name, block)
    names = [[], ["--#{shown}-#{name}"], nil, [help_string], proc { |value| block.call(ENABLED.call(value)) }]
    enable = Switch::PlacedArgument.new(nil, ENABLED, *names)
    append_pair(name, "enable", enable, "disable", Switch::NoArgument.new(nil, proc { false }, *names))
  end

  def append_pair(name, positive, switch, negative, opposite)
    name = name.downcase
    top.append(switch, [], ["#{positive}-#{name}"], opposite, ["#{negative}-#{name}"])
    switch
  end

  def check_configure_option(name, block)
    raise ArgumentError, name unless name.match?(/\A\w[-\w]*\z/)
    raise ArgumentError, "no block given", ParseError.filter_backtrace(caller) unless block
  end
end
