# Ripper, as far as it says whether a text is Ruby. There are no tokens (so programs that ask for `lex` do without), and
# whoever asks for a tree is told that there is none, as of a text that is no Ruby: RSpec shows one line then.
class Ripper
  Version = "0.1.0"

  # There is no tree here.
  class Unavailable < SyntaxError
    def initialize(message = "Ripper's trees are not available")
      super
    end
  end

  def self.parse(source, filename = "(ripper)", lineno = 1) = new(source, filename, lineno).parse

  def self.sexp(*) = raise(Unavailable)

  def self.sexp_raw(*) = raise(Unavailable)

  attr_reader :filename, :lineno

  def initialize(source, filename = "(ripper)", lineno = 1)
    @source = source.respond_to?(:read) ? source.read : source.to_str
    @filename = filename
    @lineno = lineno
  end

  # Reads the source without running any of it.
  def parse
    catch(:parsed) { TOPLEVEL_BINDING.dup.eval("BEGIN { throw :parsed }; #{@source}", @filename, @lineno) }
    @error = false
    nil
  rescue SyntaxError
    @error = true
    nil
  end

  def error? = @error ? true : false
end
